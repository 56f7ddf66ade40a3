/*
 * shim.h - header shims: what the files of plan/ that make them share.
 *
 *	shim_data.c    rules/shims/cxx -> struct shims
 *	shim_decl.c    where C++ is built: calls in build scripts, calls that load, CMake
 *	shim_units.c   which framework headers and declarations a C++ file belongs to
 *	shim_member.c  x.f(a) -> space::f(x, a)
 *	shim_inject.c  a header that gives the class x.f, so that x.f(a) can stay
 *	shim_files.c   the files of the shim folder
 *	shim_rows.c    the include folder in the build script, the line for the source archive
 *	shim.c         findings -> edits
 */
#ifndef PLAN_SHIM_H
#define PLAN_SHIM_H

#include "base/ends.h"
#include "base/strbuf.h"
#include "plan/internal.h"

#define SHIM_PARTS_MAX 64
#define SHIM_SCRIPT    "setup.py"

/* Parts and sections are numbered; sets of them are arrays of bool of that size. */
struct shim_part {
	const char *name;
	const char *const *provides; /* names, or prefixes with a '*' behind */
	const char *build;	     /* only for that build, NULL: any */
	const char *text;
};

/* What a missing header is made of. */
struct shim_header {
	const char *name;
	const char *const *include; /* headers of the target */
	bool replace;		    /* it stands for the target's own, not in front of it */
	const char *const *parts;
};

/* A piece of the bridge: "member narrow", "free stack", "operator operator+". */
struct shim_section {
	const char *kind, *name;
	const char *needs; /* names of members, with spaces between; NULL: none */
	const char *text;
	size_t len;
};

struct shims {
	const char *folder, *space;
	const char *body;	     /* the header of classes[0], NULL: members are not given to it */
	const char *base, *between;  /* its base, and the class that has the members */
	const char *members;	     /* what `body` is made of */
	const char *present; /* condition of the preprocessor under which the target is there */
	const char *const *classes, *const *spaces; /* whose members and functions the bridge has */
	const char *const *umbrellas; /* headers that a part is put behind, best first */
	const char *const *loads;     /* calls that compile sources when they run */
	const char *const *targets;   /* CMake commands that a row must stand before, patterns */
	struct shim_part *parts;
	size_t nr_parts;
	struct shim_header *headers;
	size_t nr_headers;
	const char *preamble; /* of the bridge */
	size_t preamble_len;
	struct shim_section *sections;
	size_t nr_sections;
};

/* What one finding needs. */
struct shim_item {
	struct finding *finding;
	bool *parts;	   /* [nr_parts] */
	bool *sections;	   /* [nr_sections] */
	const char *header; /* a framework header that is not there, or has to be included as well */
	bool missing;	    /* header is not there */
	int injected;	    /* section of a member that `body` gives the class, -1: none */
	const char *member; /* name of the member whose call is written as a function's, NULL: none */
	bool optional;	    /* it has edits of its own */
	const char *refused; /* why its call cannot be rewritten, NULL: it can */
	struct edit *edits; /* in its own file */
	size_t nr_edits;
	struct strings headers; /* framework headers it can get parts by, first the best */
	bool *owners;		/* [plan->nr_decls] that compile it */
};

/* In the order of preference: where one of the first kind compiles a file, the others are left. */
enum shim_kind {
	SHIM_SETUP, /* an extension of a build script */
	SHIM_LOAD,  /* a call that compiles when it runs */
	SHIM_CMAKE,
};

/* Where sources are compiled. */
struct shim_decl {
	struct extension ext;
	enum shim_kind kind;
	const struct fact *call; /* what the row is added to; NULL: not written out */
};

struct shim_plan {
	struct result *result;
	struct arena *arena;
	const struct shims *shims;
	bool dual;
	struct shim_decl *decls;
	size_t nr_decls;
	VEC(struct shim_item) items;
	VEC(const struct finding *) enclosing; /* whose edits put a block out of the build */
	struct path_ends ends;	/* of the C++ files */
	const char *condition; /* under which all of it can go */
	const char *rule;      /* the rule that speaks for it */
};

/* *out NULL when there are none for all of the targets. */
int shims_load(struct shims **out, struct arena *a, const struct assets *assets,
	       const struct target *targets, size_t nr_targets, struct err *err);
/* Number of a part or section by name, -1: none. */
int shim_part_find(const struct shims *s, const char *name);
int shim_section_find(const struct shims *s, const char *kind, const char *name, size_t len);
/* Add a section and what it needs. */
void shim_section_take(const struct shims *s, bool *sections, int i);
const struct shim_header *shim_header_find(const struct shims *s, const char *name);

/* Fill `decls`. */
void shim_decls(struct shim_plan *p);
/* Fill `headers` and `owners` of all items. */
void shim_units(struct shim_plan *p);
/* Write calls of members as functions': edits of items with a member; with a reason where it cannot be. */
void shim_members(struct shim_plan *p);

/* True when the section's functions can stand as members of the class. */
bool shim_can_inject(const struct shims *s, struct arena *a, int section);
/* The text of `body` with the members of these sections. */
void shim_inject_text(const struct shims *s, struct arena *a, const bool *sections,
		      struct strbuf *out);
/* True when members.h has its two marks. */
bool shim_inject_template(const char *text);

/* The files below `dir` that the items need: edits that create or replace, to fix. -1 with a reason. */
int shim_files(struct shim_plan *p, const char *dir, struct fix *fix, const char **reason);
/* The row of a declaration, appended to fix. -1 with a reason. */
int shim_row(struct shim_plan *p, const struct shim_decl *d, struct fix *fix, const char **reason);
/* The line of the source archive that brings the folder in `dir`, appended to fix. -1 with a reason. */
int shim_archive(struct shim_plan *p, const char *dir, struct fix *fix, const char **reason);
/* What a folder in the package in `dir` needs to be installed with it, appended to fix. -1 with a reason. */
int shim_package_data(struct shim_plan *p, const char *dir, struct fix *fix, const char **reason);
/* The folder that holds the headers of a declaration, NULL: not known. */
const char *shim_dir(struct shim_plan *p, const struct shim_decl *d);
/* The text of a file of the repository as analysed, in the arena; NULL: gone or changed. */
const char *shim_text(struct shim_plan *p, struct source *s);
/* Append an edit. */
struct edit *shim_edit(struct shim_plan *p, struct fix *fix, const char *path, uint32_t start,
		       uint32_t end, const char *text);

#endif
