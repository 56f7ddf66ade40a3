/* internal.h - what the files of plan/ share. */
#ifndef PLAN_INTERNAL_H
#define PLAN_INTERNAL_H

#include "model.h"

/* An edit that is in the plan, and the first finding that asked for it. */
struct plan_edit {
	const char *path;
	const struct edit *edit;
	const struct finding *finding;
};

struct plan_edits {
	struct plan_edit *v;
	size_t nr, alloc;
};

/* What takes the place of the span. */
static inline const char *edit_text(const struct edit *e)
{
	return e->text ? e->text : "";
}

/* Lines in a text; one without a line end at the end counts. */
size_t lines_in(const char *text, size_t len);

/*
 * Add the lines that a diff of one file would show to plan->lines_added and lines_removed. The
 * edits are of one file, in order, without overlaps. -1 when the file cannot be read or has
 * changed.
 */
int plan_count(const struct repo *repo, const struct plan_edit *edits, size_t nr, struct plan *plan,
	       struct err *err);

#endif
