/*
 * internal.h - what the files of patch/ share.
 *
 *	build.c    findings -> edits a file -> new bytes
 *	marker.c   comments above the edits
 *	limit.c    how long their lines may be
 *	expire.c   workarounds that have expired -> edits, from the base revision
 *	change.c   edits of one file -> lines that differ
 *	diff.c     lines that differ -> unified diff
 *	place.c    the tree on disk: root, repository, lock
 *	clean.c    does a file differ from HEAD or the index
 *	journal.c  the journal as bytes
 *	write.c    the protocol of writing, undoing and recovering
 *	file.c     calls on single files, each of which may be made to fail
 */
#ifndef PATCH_INTERNAL_H
#define PATCH_INTERNAL_H

#include <git2.h>
#include <sys/types.h>

#include "patch/patch.h"

/* ---- edits of one file ----------------------------------------------------------------------- */

/*
 * At one offset whole lines come first, then markers, then what is put into the line, then what
 * replaces it; within each in order of rule ids.
 */
enum edit_rank { RANK_LINES, RANK_MARKER, RANK_INLINE, RANK_REPLACE };

struct file_edit {
	const char *path;
	struct span span;
	const char *text;
	const char *rule;
	enum edit_rank rank;
	bool after_marker; /* orders a marker and the lines that it is about */
	bool create;
	unsigned mode;
	size_t order; /* of the finding */
};

struct file_edits {
	struct file_edit *v;
	size_t nr, alloc;
};

/* A file while it is built. */
struct work_file {
	const char *path;
	const struct source *source;
	const char *old;
	size_t old_len;
	bool linked;         /* has other hard links */
	bool unmarked;       /* with markers it does not parse */
	struct shape *shape; /* of the old text, Python only; NULL: not needed */
};

/* ---- markers --------------------------------------------------------------------------------- */

struct marker_job {
	const struct result *result;
	enum marker_style style;
	const char *tag; /* between the brackets of a marker, NULL: the vocabulary's */
	struct arena *arena;
};

/* Add a marker above each rule's edits in `file` to *edits. Returns how many lines. */
size_t markers_add(const struct marker_job *job, const struct work_file *file,
		   struct file_edits *edits);
/* Columns of a line of a comment in the file. */
size_t line_limit(const struct repo *repo, const struct work_file *w);

/* ---- lines ----------------------------------------------------------------------------------- */

/* Edits in order without overlaps -> lines that differ, into file->changes. */
void changes_find(struct patch_file *file, const struct file_edit *edits, size_t nr,
		  struct arena *a);
/* Hunks that a diff with three lines of context shows. */
size_t changes_hunks(const struct patch_file *file);
/* How many changes from `first` on go into one hunk. */
size_t changes_joined(const struct patch_file *file, size_t first);

#define DIFF_CONTEXT 3

/* ---- the tree on disk ------------------------------------------------------------------------ */

struct place {
	struct arena arena;
	const char *root; /* real path */
	int rootfd;
	git_repository *git;
	const char *git_error; /* why the repository that is there cannot be opened */
	const char *prefix;    /* of root in the work tree of `git`, "" for its top */
	int basefd;            /* what the journal's paths are relative to with the prefix */
	int journalfd;         /* folder of the journal */
	const char *journal;   /* its name there */
};

/* Why a file that the patch would write is not as HEAD and the index have it, NULL when it is. */
const char *clean_problem(struct place *p, const struct patch *patch, struct arena *a);

/* ---- the journal ----------------------------------------------------------------------------- */

struct journal_file {
	const char *path;    /* relative to the root */
	const char *sibling; /* name of the new bytes until they are in place */
	bool create;
	unsigned mode;
	uid_t uid;
	gid_t gid;
	const char *old, *new;
	size_t old_len, new_len;
};

struct journal {
	const char *prefix;  /* of the root, below the place's base */
	const char *undo;    /* real path of the reverse diff, "" for none */
	struct strings dirs; /* folders that are made, outermost first */
	struct journal_file *files;
	size_t nr_files;
};

void journal_encode(struct strbuf *out, const struct journal *j);
/* -1: the bytes are no whole journal. Texts live in `a`, apart from `data`. */
int journal_decode(struct journal *j, const char *data, size_t len, struct arena *a);

/* ---- single files ---------------------------------------------------------------------------- */

enum file_state { FILE_ABSENT, FILE_SAME, FILE_OTHER, FILE_FAILED };

/*
 * A new file `name` with these bytes and the mode and owner of `like`, synced; one that is created
 * gets its mode by the umask. On failure nothing is left of it.
 */
int file_make(int dirfd, const char *name, const char *data, size_t len,
	      const struct journal_file *like, struct err *err);
int file_sync_dir(int dirfd, struct err *err);
/* `fresh`: there must be nothing of the new name. */
int file_rename(int dirfd, const char *from, const char *to, bool fresh, struct err *err);
/* Compare without taking memory. FILE_OTHER also for what is no regular file. */
enum file_state file_compare(int dirfd, const char *name, const char *data, size_t len,
			     struct err *err);

#endif
