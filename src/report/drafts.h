/*
 * drafts.h - drafts of issues: what the target's developers could fix, a Markdown file a gap.
 */
#ifndef REPORT_DRAFTS_H
#define REPORT_DRAFTS_H

#include "model.h"

/* What was written, so that it can be taken back. */
struct drafts {
	int dirfd; /* -1: nothing is open */
	const char *dir;
	bool made; /* the folder is ours */
	struct strings names;
};

/*
 * Open the folder `dir` for drafts, and make it where it is not there. It must lie outside the
 * result's tree or be empty. -1 where it cannot be used.
 */
int drafts_open(struct drafts *d, const struct result *r, const char *dir, struct err *err);
/*
 * Write a draft for each gap of a public name that is blocked, is dealt with in more than one file,
 * makes one call behave in two ways, or needs a private name of the target. All or none; a file
 * that is there already is an error. `assets` is where the database is quoted from.
 */
int drafts_write(struct drafts *d, const struct result *r, const struct assets *assets,
		 struct arena *a, struct err *err);
/* Remove what was written, and the folder where it is ours. */
void drafts_undo(struct drafts *d);
void drafts_close(struct drafts *d);

#endif
