/*
 * patch.h - edits -> bytes, a diff, and a tree that is written wholly or not at all.
 *
 * In: a result after plan_build. patch_build makes the new bytes of every file that the accepted
 * edits touch; patch_diff prints them; patch_write puts them into the tree. A place is the tree on
 * disk with what is needed to write it: a lock, the repository around it and the journal.
 */
#ifndef PATCH_PATCH_H
#define PATCH_PATCH_H

#include "base/strbuf.h"
#include "model.h"

enum marker_style { MARKERS_FULL, MARKERS_SHORT, MARKERS_NONE };

struct patch_options {
	enum marker_style markers;
	const char *tag; /* between the brackets of a marker, NULL: the vocabulary's */
	/* Statements of a text; ->ok is false when it does not parse. Everything lives in `a`. */
	struct shape *(*shape)(struct arena *a, const char *text, size_t len);
};

/* Lines that differ: old lines [old, old + old_nr) give way to new ones; lines count from 0. */
struct patch_change {
	size_t old, old_nr, new, new_nr;
	struct span old_bytes, new_bytes;
};

/* A file that the patch changes or creates. */
struct patch_file {
	const char *path;
	const struct source *source; /* NULL: created */
	unsigned mode;               /* of a created file */
	const char *old, *new;
	size_t old_len, new_len;
	struct patch_change *changes;
	size_t nr_changes;
};

struct patch {
	struct patch_file *files; /* in order of path bytes */
	size_t nr_files;
	size_t hunks, created, lines_added, lines_removed, markers;
	struct strings rules; /* whose edits are in it, sorted */
};

/*
 * Give expired findings that have no edits the old lines of `base`, a revision of the repository
 * around `path`; where that cannot be, their fix says why. Before the plan. -1: there is no such
 * revision. Everything lives in `a`.
 */
int expire_from_base(struct result *r, const char *path, const char *base, struct arena *a,
		     struct err *err);
/*
 * New bytes of all files. Findings whose edits cannot be made get reason_not_applied: a file with
 * other hard links, a text that would no longer parse. -1 when a file has changed since it was
 * analysed or cannot be read. Everything lives in `a`.
 */
int patch_build(struct patch **out, struct result *r, const struct patch_options *o,
		struct arena *a, struct err *err);
/* True when the finding's edits are in a patch built from the result. */
bool patch_takes(const struct finding *f);

/* A unified diff as git writes it; `reverse`: from new to old. */
void patch_diff(struct strbuf *out, const struct patch *p, bool reverse);

struct place;

/*
 * The tree that `path` (a folder, or a file in one) names. `lock`: for writing; fails while another
 * process writes there. A repository that cannot be opened is no failure here.
 */
int place_open(struct place **out, const char *path, bool lock, struct err *err);
void place_close(struct place *p);
/* True when an earlier run was interrupted while it wrote. */
bool place_interrupted(const struct place *p);
/*
 * Put right what an interrupted run left: wholly old, or wholly new when all was written. *said:
 * what was done, in words. `force`: files changed since then are left as they are; else they are an
 * error.
 */
int place_recover(struct place *p, bool force, struct strbuf *said, struct err *err);

/*
 * Write the patch, all or nothing. Without `force` files that differ from HEAD or the index, or a
 * repository that cannot be opened, are a refusal. Where git has no way back a reverse diff is
 * written beside the tree; *undo is its path, else NULL. Signals wait until all is done or undone.
 */
int patch_write(struct place *p, const struct patch *patch, bool force, const char **undo,
		struct err *err);

#endif
