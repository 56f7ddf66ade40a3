/*
 * fork.h - what the audit and the replay of a fork share.
 */
#ifndef CMD_FORK_H
#define CMD_FORK_H

#include "cmd/cmd.h"
#include "fork/fork.h"
#include "history/history.h"

/* One revision: its files and what a run says of them. */
struct tree {
	const char *rev;
	struct history_files files;
	struct run_options options; /* the run keeps a pointer to them */
	struct run *run;
};

struct audit {
	struct cmd *c;
	struct history *h;
	struct tree base, head, onto;
	struct fork fork;
	size_t unpatched; /* new findings that ask for a change and that no patch makes */
};

/* List and analyse a revision. */
int tree_open(struct audit *a, struct tree *t, const char *rev, struct err *err);
/*
 * The bytes of a file of a tree. *text NULL: it is not there (f is NULL), or *opaque: it is, and is not
 * compared by lines.
 */
int text_read(struct audit *a, const struct tree *t, const struct history_file *f,
	      const char **text, size_t *len, bool *opaque, struct err *err);
/* After the audit: fates on --onto, and the series into --output. */
int replay_make(struct audit *a, struct err *err);

#endif
