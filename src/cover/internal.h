/* internal.h - what the files of cover/ share: the loaded set of databases and the single steps. */
#ifndef COVER_INTERNAL_H
#define COVER_INTERNAL_H

#include "cover/cover.h"
#include "cover/db.h"

struct cover {
	const struct db **targets; /* one per target, in the order given */
	const char **builds;
	size_t nr;
	const struct db *upstream; /* NULL: none shipped, so nothing is a gap */
	const char **assigned;	   /* names the repository assigns, sorted; see cover_assigned */
	size_t nr_assigned;
};

/* How a name is asked for. */
enum question {
	ASK_NAME,   /* along attributes */
	ASK_IMPORT, /* as a module of an import statement */
	ASK_MEMBER, /* name: a class; member: of an instance of it */
};

struct cover_answer cover_ask(const struct cover *c, struct arena *a, enum question q,
			      const char *name, const char *member);
/* As cover_rejects_keyword, for a name or for a member of an instance. */
bool cover_rejects(const struct cover *c, enum question q, const char *name, const char *member,
		   const char *keyword);
/* True when the repository assigns `name` or something it lies in. */
bool assigned_has(const struct cover *c, const char *name);

#endif
