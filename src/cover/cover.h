/*
 * cover.h - the coverage database: what the target answers for under upstream names.
 *
 * Verdicts rest on rows of machine-written files (rules/coverage/): covered, gap, unknown. A gap needs all
 * of: the parent is in the database and closed, the name is not there, upstream has it, the repository
 * does not define it itself. Everything else that is not there is unknown.
 */
#ifndef COVER_COVER_H
#define COVER_COVER_H

#include "model.h"

struct cover; /* databases of one or more target versions, and upstream's name list */

/* One answer. Text lives in the database or in the arena given. */
struct cover_answer {
	enum verdict verdict;
	const char *kind;	 /* "module", "class", "function", "attr", "property"; NULL unless covered */
	const char *qual;	 /* the target's own name for it */
	const char *missing;	 /* gap or unknown: first name of the chain that is not there */
	const char *row;	 /* "VERSION/names:NAME" or, for unknown, the reason */
};

/*
 * Load databases for the versions. Unknown versions: an error that lists those shipped; versions before
 * the import proxy existed: one clear refusal. A version that names no shipped database exactly is an
 * error, never the nearest one.
 */
int cover_load(struct cover **out, struct arena *a, const struct assets *assets,
	       const struct target *targets, size_t nr_targets, struct err *err);
/* Ask for a dotted name. */
struct cover_answer cover_lookup(const struct cover *c, struct arena *a, const char *name);
/* True when calling `name` with `keyword` is rejected by the target although upstream takes it. */
bool cover_rejects_keyword(const struct cover *c, const char *name, const char *keyword);
/*
 * Names that the repository assigns itself ("a.b = ...") are no gaps. Once, after linking and before the
 * first cover_mark; the list lives in `a`.
 */
void cover_assigned(struct cover *c, const struct repo *repo, struct arena *a);
/* Set verdict, missing, row and keyword of each fact of `s`. Thread-safe; text lives in `a`. */
void cover_mark(const struct cover *c, struct source *s, struct arena *a);
/* Versions shipped, for messages and `coverage list`. */
void cover_versions(const struct assets *assets, struct arena *a, struct strings *out);

#endif
