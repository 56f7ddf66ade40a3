/* programs_internal.h - what programs.c, programs_tests.c and scope.c share. */
#ifndef PROGRAMS_INTERNAL_H
#define PROGRAMS_INTERNAL_H

#include "programs.h"

#define BUILDS (ROLE_BUILD_ENTRY | ROLE_BUILD_HELPER | ROLE_VENDORED | ROLE_SUBMODULE)

struct edges {
	size_t *v;
	size_t nr, alloc;
};

/* The import graph by number of file. */
struct finder {
	struct repo *repo;
	const struct vocab *vocab;
	const struct programs_options *o;
	struct arena *arena;
	struct edges *edges; /* imports that run when the file is loaded */
	bool *loads;	     /* loading the file imports the framework, itself or further down */
	bool *uses;	     /* the file itself imports it somewhere */
	bool *imported;	     /* another file imports this one */
};

/* Number of the file, SIZE_MAX where there is none. */
size_t file_index(const struct repo *repo, const char *path);
/* True when the first part of the name is in scope. */
bool in_scope(const struct finder *f, const char *name);
/* Whether the file imports what needs the switch, first at *at; *direct: a scope does not do. */
bool file_needs(struct finder *f, const struct source *s, uint32_t *at, bool *direct);
/* The file switches compat on already. */
bool has_switch(const struct finder *f, const struct source *s);
bool is_guarded_tree(const struct finder *f);

/* source->program of tests: where the one switch for all of them goes. */
void tests_find(struct finder *f);

#endif
