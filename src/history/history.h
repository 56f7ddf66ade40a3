/*
 * history.h - earlier states of a tree, from the objects of the repository around it.
 *
 * Nothing is checked out and no program runs: libgit2 reads objects, and no configuration but the
 * repository's own. A revision is what git calls one ("HEAD~3", a branch, an id). Paths are relative to
 * the path that was opened, as those of the model are.
 */
#ifndef HISTORY_HISTORY_H
#define HISTORY_HISTORY_H

#include "base/fs.h"
#include "model.h"

struct history;

/* The repository around `path`, a folder or file. -1: there is none that can be read. */
int history_open(struct history **out, const char *path, struct err *err);
/* Removes what was extracted. */
void history_close(struct history *h);

/*
 * Write the tree of `rev` into a new private folder below TMPDIR, so that it can be analysed as any
 * other. *path is the place in it that the opened path is in the work tree, NULL: it is not in that
 * revision. All files are there, whatever the ignore rules say; links are left out, and files too big
 * to be analysed are holes of their size. Lives until history_close.
 */
int history_extract(struct history *h, const char *rev, const char **path, struct err *err);

/* The revision at which HEAD and `rev` parted, as an id; `rev` itself where they have none in common. */
const char *history_fork_point(struct history *h, const char *rev);

/* The bytes of a file at `rev`; freed by fs_text_free. -1 where it is not there or no file. */
int history_read(struct history *h, const char *rev, const char *path, struct fs_text *out,
		 struct err *err);

/* Lines [first, last], from 1. */
struct line_range {
	uint32_t first, last;
};

/*
 * The lines of text[0..len) that are not the same at `rev`, in order, into `a`; of a file that is not
 * there all. -1 when there is no such revision.
 */
int history_changed(struct history *h, const char *rev, const char *path, const char *text,
		    size_t len, struct arena *a, struct line_range **out, size_t *nr,
		    struct err *err);

/* A file of a revision. */
struct history_file {
	const char *path;
	char id[41];   /* of its bytes */
	unsigned mode; /* as git has it */
	bool regular;  /* no link and no submodule */
};

struct history_files {
	struct history_file *v;
	size_t nr, alloc;
};

/*
 * All files at `rev` below the opened folder, in order of path bytes, into `a`; none where the folder
 * is not there. -1 when there is no such revision.
 */
int history_list(struct history *h, const char *rev, struct arena *a, struct history_files *out,
		 struct err *err);

#endif
