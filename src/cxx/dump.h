/* dump.h - what the files of `coverage dump` share: names read from a parse. Private to this folder. */
#ifndef CXX_DUMP_H
#define CXX_DUMP_H

#include "cxx/libclang.h"
#include "model.h"

/* In which of the two parses something was there. Bits. */
enum dump_build { BUILD_PLAIN = 1, BUILD_CUDA = 2 };

/* What the lists of rules/cxx/dump.yml say of one package; lists end with NULL. */
struct dump_config {
	const char *package;
	const char *const *roots, *const *include, *const *headers, *const *first, *const *define;
	const char *const *parse, *const *skip, *const *shallow, *const *libraries;
	const char *cuda; /* NULL: upstream, whose declarations are not printed */
};

/* A header, by include name. */
struct dump_header {
	const char *name, *path; /* path: below the first root */
	unsigned builds;	 /* in which it parses without an error */
	bool broken;		 /* not in the build at hand */
	unsigned line;		 /* in the unit that is parsed */
};

struct dump_include {
	const char *header, *target, *pos;
	unsigned builds;
};

struct dump_decl {
	const char *name; /* qualified */
	const char *kind;
	const char *header;
	const char *space;  /* namespace it stands in */
	const char *text;   /* as libclang prints it, on one line */
	const char *pos;    /* offsets from the outermost declaration inwards: sorts as the text does */
	const char *symbol; /* mangled, of functions without a body; else NULL */
	int depth;	    /* in classes */
	unsigned builds;
};

struct dump_macro {
	const char *name, *header, *value;
	bool function;
	unsigned builds;
	uint32_t offset;
};

struct dump {
	const struct dump_config *config;
	const char *site; /* folder that holds the package */
	struct arena *arena;
	VEC(struct dump_header) headers;
	VEC(struct dump_include) includes;
	VEC(struct dump_decl) decls;
	VEC(struct dump_macro) macros;
};

/* The include name of a path by the roots, NULL for files of others. */
const char *dump_header_name(const struct dump *d, const char *path);
/* Add what a parse declares in listed headers. */
void dump_walk(struct dump *d, const struct libclang *lc, CXTranslationUnit tu, unsigned build);

/* Names of defined symbols that the dynamic libraries export, sorted. */
struct exports {
	const char **v;
	size_t nr, alloc;
};
int exports_read(struct exports *x, struct arena *a, const char *path, struct err *err);
/* Sort; once, after the last exports_read. */
void exports_sort(struct exports *x);
bool exports_has(const struct exports *x, const char *symbol);

#endif
