/*
 * db.h - one database (a folder of tables) and the walk along a dotted name in it.
 *
 * A walk starts at the root module and takes one part of the name after the other: modules by their
 * canonical name (a module may be reached by two), classes by their members along the mro. It ends
 * FOUND, MISSING (the place where it ends is closed: the next part is not there) or OPEN (what
 * follows is not known), with a reason.
 */
#ifndef COVER_DB_H
#define COVER_DB_H

#include "cover/table.h"
#include "model.h"

struct db {
	const char *folder; /* "NAME-VERSION", below coverage/ */
	const char *role;   /* "target" or "upstream" */
	const char *package, *version, *build, *commit, *python, *wheel, *dump;
	const char *root;         /* first part of every name */
	const char *own_root;     /* the same in the package's own words */
	struct text device_words; /* words of names that other builds may add to native classes */
	struct table names, classes, members, params;
};

struct dbs {
	struct db *v;
	size_t nr, alloc;
};

enum walk_end { WALK_FOUND, WALK_MISSING, WALK_OPEN };

#define WALK_NAME_MAX 512

struct walk {
	enum walk_end end;
	const char *kind; /* FOUND: "module", "class", "function", "attr", "property" */
	size_t upto;      /* bytes of the name up to and with the part where the walk ended */
	const char *why;  /* OPEN: the reason, to be followed by nothing */
	bool other_build; /* MISSING, but the sources bind it in another build */
	/* Where it stands: a module by canonical name, a class by key, or a member. */
	char at[WALK_NAME_MAX * 2]; /* row of names ("a.b"), or "CLASS::MEMBER" */
	bool member;                /* `at` is a row of members */
	struct text cls;            /* class the walk stands on, empty: none */
	bool instance;    /* ... or rather on an instance of it that has no attributes of its own */
	struct text qual; /* the package's own name, empty: same path below own_root */
};

/* Databases of the assets, sorted by folder; text is copied into `a`. */
int dbs_load(struct dbs *out, struct arena *a, const struct assets *assets, struct err *err);
/* Is `version` older than `other`, part by part as numbers? <0, 0, >0. */
int version_compare(const char *a, const char *b);

/*
 * Walk name[0..len). `build` is the build the answer is for: what the database's own build cannot
 * tell of it is OPEN.
 */
void db_walk(const struct db *db, const char *build, const char *name, size_t len, struct walk *w);
/* From an instance of class `recv` (a dotted name) to its member. */
void db_walk_instance(const struct db *db, const char *build, const char *recv, const char *member,
		      struct walk *w);
/* Can the import statement load name[0..len) as a module? FOUND, MISSING or OPEN as for a walk. */
void db_walk_import(const struct db *db, const char *build, const char *name, size_t len,
		    struct walk *w);
/* The row of params.tsv of what a walk found. */
bool db_params(const struct db *db, const struct walk *w, struct row *row);

#endif
