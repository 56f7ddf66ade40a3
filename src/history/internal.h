/* internal.h - what the files of history/ share. */
#ifndef HISTORY_INTERNAL_H
#define HISTORY_INTERNAL_H

#include <git2.h>

#include "history/history.h"

/* A file or folder that was made; the latter end last. */
struct made {
	const char *path; /* below the temporary folder */
	bool dir;
};

/* One extracted revision. */
struct extract {
	const char *dir; /* the temporary folder */
	int fd;
	struct {
		struct made *v;
		size_t nr, alloc;
	} made;
};

struct history {
	struct arena arena;
	git_repository *git;
	const char *name;   /* of the work tree's folder */
	const char *prefix; /* from the work tree to the root of the analysed tree, "" or "a/b" */
	const char *file;   /* the file that was named, NULL: a folder */
	struct {
		struct extract *v;
		size_t nr, alloc;
	} extracts;
};

/* The tree of a revision; the caller frees it. */
int history_tree(struct history *h, const char *rev, git_tree **out, struct err *err);
void extract_remove(struct extract *x);

#endif
