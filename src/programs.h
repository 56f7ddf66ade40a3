/*
 * programs.h - which names the switch covers, and which files have to switch compat on themselves.
 */
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include "model.h"

struct programs_options {
	unsigned requests; /* enum request */
	const char *tests; /* "conftest" or "dir:NAME"; NULL or "off": tests are left alone */
	const struct dists *dists; /* what is installed, NULL: not known */
	/* Statements of a text, everything in `a`; ->ok is false when it does not parse. */
	struct shape *(*shape)(struct arena *a, const char *text, size_t len);
};

/*
 * After linking: add the third-party modules that the product imports and that import the framework
 * themselves to repo->scope, and take off what the target never covers.
 */
void programs_scope(struct repo *repo, const struct vocab *vocab, const struct dists *dists,
		    struct arena *a);

/*
 * After roles are known, where it is asked for: source->program of every file that is started by
 * itself (or is a test) and imports what needs the switch. Everything lives in `a`.
 */
void programs_find(struct repo *repo, const struct vocab *vocab, const struct programs_options *o,
		   struct arena *a);

/* The line with the set of names in the place of its mark: {"a", "b"}. */
const char *line_with_scope(const char *line, const struct strings *scope, struct arena *a);

#endif
