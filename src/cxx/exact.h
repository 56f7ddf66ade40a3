/*
 * exact.h - parsing against the headers of an installed target instead of stubs. Private to this folder.
 */
#ifndef CXX_EXACT_H
#define CXX_EXACT_H

#include "cxx/cxx.h"

struct worker_setup;

/* Real folders that sources are parsed against. */
struct exact {
	bool on;
	struct strings dirs;  /* searched in this order; the target's come first */
	size_t nr_own;	      /* how many of them are the target's */
	const char *cuda;     /* root of a CUDA toolkit, NULL: none */
	const char *absent;   /* path of a toolkit header that newer toolkits do without, NULL: none */
};

/*
 * Find by layout what stands beside the site-packages folder `site`: Python's headers, and those
 * of a CUDA toolkit ($CUDA_HOME, $CUDA_PATH, the usual place). NULL with s->site set, or why the stubs have
 * to do. Paths live in `a`.
 */
const char *exact_find(struct worker_setup *s, const char *site, const struct assets *assets,
		       struct arena *a);
/* Fill `e` from what was found; it stays off when nothing was. */
int exact_load(struct exact *e, const struct worker_setup *s, const struct assets *assets,
	       struct arena *a, struct err *err);
/* The folders that a worker may read for it, added to `out`. */
void exact_folders(const struct exact *e, struct arena *a, struct strings *out);
/* Can a unit of this mode be parsed against real headers? */
bool exact_serves(const struct exact *e, unsigned mode);
/* As cxx_stub_args, with the real folders and what only upstream has as shadows behind them. */
const char *const *exact_args(const struct exact *e, const struct cxx_stubs *s,
			      const struct libclang *lc, unsigned mode, struct arena *a);
/* Is the file one of the target's own headers? */
bool exact_owns(const struct exact *e, const char *path);

#endif
