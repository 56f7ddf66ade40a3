/* db.h - the tables behind the questions of cxx.h. Private to this folder. */
#ifndef CXX_DB_H
#define CXX_DB_H

#include "cxx/cxx.h"

/* Bytes of a table; not terminated. */
struct part {
	const char *s;
	size_t len;
};

/* A table: lines sorted by bytes, fields separated by tabs. `body` is what follows the provenance. */
struct rows {
	struct part body;
};

/* Fields of decls.tsv. */
enum {
	DECL_NAME,
	DECL_NR,
	DECL_KIND,
	DECL_BUILD,
	DECL_HEADER,
	DECL_SPACE,
	DECL_TEXT,
	DECL_DEPTH,
	DECL_PLACE
};
/* Fields of macros.tsv, headers.tsv, includes.tsv, unexported.tsv. */
enum { MACRO_NAME, MACRO_KIND, MACRO_BUILD, MACRO_HEADER, MACRO_VALUE };
enum { HEADER_NAME, HEADER_PATH, HEADER_BUILD };
enum { INCLUDE_HEADER, INCLUDE_NR, INCLUDE_BUILD, INCLUDE_TARGET };
enum { SYMBOL_SYMBOL, SYMBOL_NAME, SYMBOL_BUILD, SYMBOL_HEADER, SYMBOL_TEXT };

/* One side: a version of the target, or upstream. */
struct side {
	const char *folder; /* below coverage/ */
	struct rows headers, includes, decls, macros, unexported;
};

struct cxx_db {
	bool cuda; /* the build asked for */
	struct side target, upstream;
	bool has_upstream;
	struct rows former_macros; /* that an older upstream had */
};

/* Take the next line off `rest`; false at the end. */
bool rows_next(struct part *rest, struct part *line);
/* Field `i` from 0; empty when there are fewer. */
struct part row_part(struct part line, int i);
/* The lines whose first field is `key`, as a table of their own; empty when there are none. */
struct part rows_of(const struct rows *rows, struct part key);
/* The lines from the first one on that begins with `prefix` or sorts behind it. */
struct part rows_from(const struct rows *rows, const char *prefix);
bool part_is(struct part p, const char *s);
struct part part_of(const char *s);
char *part_dup(struct arena *a, struct part p);
/* Does a field BUILD ("both", "plain", "cuda", "any", "none", empty) hold for the database's build? */
bool build_holds(const struct cxx_db *db, struct part build);

#endif
