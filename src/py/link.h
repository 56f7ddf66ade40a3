/* link.h - what link.c and reach.c share. */
#ifndef PY_LINK_H
#define PY_LINK_H

#include "py/py.h"

/* A Python module of the repository. */
struct link_module {
	const char *name;
	struct source *source;
};

/* An answer that was given before. */
struct link_memo {
	const char *name; /* NULL: free */
	const char *target, *alias;
	int answer; /* enum link_answer */
};

struct linker {
	struct repo *repo;
	const struct vocab *vocab;
	struct arena *a;
	struct intern names;
	struct link_module
		*modules; /* in order of name; of equal names the first by path is used */
	size_t nr_modules;
	struct link_memo *memo;
	size_t nr_memo, memo_size;
	unsigned steps; /* left for the name being resolved */
	const char **methods; /* of the repository's classes, that else only a tensor has; ends in NULL */
};

/* The module whose name is the first `len` bytes, NULL where there is none. */
struct source *link_module(const struct linker *l, const char *name, size_t len);
/* The longest module that `name` begins with; *len gets the length of its name. */
struct source *link_prefix(const struct linker *l, const char *name, size_t *len);

/* Distances from call entries, repo->scope, build helpers, extensions. */
void link_reach(struct linker *l);
void link_scope(struct linker *l);
void link_helpers(struct linker *l);
void link_extensions(struct linker *l);

#endif
