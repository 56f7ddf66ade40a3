/*
 * fork.h - what a fork changed, why, and what of it is still needed.
 *
 * In: the files that differ between the base and the fork, and the results of both trees. Out: hunks
 * with a class each, and for a replay with a fate each, what they become on a newer revision. Texts are
 * bytes; as in a diff only "\n" ends a line. Lines count from 0. Nothing is read from disk here.
 */
#ifndef FORK_FORK_H
#define FORK_FORK_H

#include "base/strbuf.h"
#include "model.h"

/* Old lines [old, old + old_nr) give way to new ones. */
struct line_change {
	size_t old, old_nr, new, new_nr;
};

struct line_changes {
	struct line_change *v;
	size_t nr, alloc;
};

/* A text by lines: line i is [start[i], start[i + 1]). */
struct line_text {
	const char *text;
	size_t len;
	uint32_t *start; /* nr + 1 */
	size_t nr;
};

/* `text` is kept, not copied; it is shorter than 4 GiB. */
void line_text_init(struct line_text *t, struct arena *a, const char *text, size_t len);
/*
 * Shortest change from `old` to `new`, in order, nothing of it common at both ends. Where that would
 * take too long a whole stretch counts as changed. Everything lives in `a`.
 */
void line_diff(struct line_changes *out, struct arena *a, const struct line_text *old,
	       const struct line_text *new);

enum fork_class {
	FORK_SWITCH,	 /* compat is switched on */
	FORK_DIRECT,	 /* the target needs another form here, and it is known why */
	FORK_LONG_TERM,	 /* a comment says that it stays */
	FORK_ABSORBABLE, /* the target carries the line as upstream has it */
	FORK_NOT_NEEDED, /* a rule says that the line works on the target */
	FORK_NOISE,	 /* documentation, CI, formatting, version: of no framework */
	FORK_UNKNOWN,
	FORK_CLASS_NR
};

enum fork_fate {
	FATE_NONE,	  /* no replay */
	FATE_APPLIES,	  /* the lines are there as in the base: as it is */
	FATE_REGENERATED, /* `patch` writes it */
	FATE_GONE,	  /* not needed any more */
	FATE_PERSON,
	FATE_NR
};

struct fork_hunk {
	struct line_change at; /* base -> fork */
	enum fork_class class;
	const char *reason;
	const char *rule; /* NULL: rests on none */
	const char *key;  /* hunks of one workaround have the same, NULL: none */
	enum fork_fate fate;
	const char *fate_reason;
	struct line_change onto; /* applies: lines of the newer text -> fork */
};

struct fork_file {
	const char *path;
	bool in_base, in_fork;
	bool opaque; /* bytes, a link or a submodule: one hunk without lines */
	struct line_text old, new;
	unsigned mode; /* in the fork, as git has it */
	const struct source *base, *fork;
	struct fork_hunk *hunks;
	size_t nr;
};

/* A workaround that stands in more than one file. */
struct fork_group {
	const char *key;
	struct strings paths;
	size_t hunks;
};

struct fork {
	struct arena *arena;
	const char *base_rev, *onto_rev; /* as given; NULL: no replay */
	const struct result *base, *fork, *onto;
	struct {
		struct fork_file *v;
		size_t nr, alloc;
	} files; /* in order of path bytes */
	struct {
		struct fork_group *v;
		size_t nr, alloc;
	} groups;
	struct findings fresh; /* of `onto` and not of the base; no notes */
	size_t by_class[FORK_CLASS_NR], by_fate[FATE_NR], nr_hunks;
};

/* A file that differs; text NULL: it is not there. The texts have to live as long as `f`. */
struct fork_file *fork_add(struct fork *f, const char *path, const char *old, size_t old_len,
			   const char *new, size_t new_len);
/* One that is not compared by lines. */
struct fork_file *fork_add_opaque(struct fork *f, const char *path, bool in_base, bool in_fork);
/* Give each hunk its class, count, and group: after all files are there. */
void fork_judge(struct fork *f);

/* A file of the newer revision, and what `patch` makes of it. */
struct fork_onto {
	bool there, opaque;
	struct line_text text, patched; /* the same where nothing is patched */
	const struct source *source;
};

/* Give each hunk of the file its fate; again when `patched` has changed. */
void fork_replay(struct fork *f, struct fork_file *file, const struct fork_onto *o);
/*
 * `patched` with the hunks that apply, of noise too where that is asked for. A hunk at whose place
 * `patch` writes something else becomes one for a person. The text lives in the arena.
 */
const char *fork_apply(struct fork *f, struct fork_file *file, const struct fork_onto *o, bool noise,
		       size_t *len);
/* Count fates, and take the findings of the newer tree that the base has not. */
void fork_settle(struct fork *f);

/* For people; `verbose`: unrelated hunks too. JSON: see docs/fork.md. */
void fork_text(struct strbuf *out, const struct fork *f, bool verbose);
void fork_json(struct strbuf *out, const struct fork *f);

const char *fork_class_name(enum fork_class c);
const char *fork_fate_name(enum fork_fate f);

#endif
