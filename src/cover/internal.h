/* internal.h - what the files of cover/ share: the loaded set of databases and the single steps. */
#ifndef COVER_INTERNAL_H
#define COVER_INTERNAL_H

#include <pthread.h>

#include "cover/cover.h"
#include "cover/db.h"

/* Names that the repository assigns, sorted; made when the first gap is met. */
struct assigned {
	pthread_mutex_t lock;
	const struct repo *repo; /* NULL: not made yet */
	const char **v;
	size_t nr;
};

struct cover {
	const struct db **targets; /* one per target, in the order given */
	const char **builds;
	size_t nr;
	const struct db *upstream; /* NULL: none shipped, so nothing is a gap */
	struct assigned *assigned;
};

/* How a name is asked for. */
enum question {
	ASK_NAME,   /* along attributes */
	ASK_IMPORT, /* as a module of an import statement */
	ASK_MEMBER, /* name: a class; member: of an instance of it */
};

/* `repo` may be NULL. */
struct cover_answer cover_ask(const struct cover *c, const struct repo *repo, struct arena *a,
			      enum question q, const char *name, const char *member);
/* As cover_rejects_keyword, for a name or for a member of an instance. */
bool cover_rejects(const struct cover *c, enum question q, const char *name, const char *member,
		   const char *keyword);
/*
 * True when the repository assigns `name` or something it lies in. Thread-safe; the list is made in
 * the arena of whoever asks first (all of a run's arenas live as long as the run).
 */
bool assigned_has(struct assigned *s, const struct repo *repo, struct arena *a, const char *name);

#endif
