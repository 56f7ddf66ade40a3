/*
 * never.c - functions the target never calls.
 *
 * Some decorators take a function for a mode that the target does not have: they warn or do nothing, and the
 * function is dropped. What stands in it cannot fail, so its facts count as never run.
 */
#include "rule/internal.h"

/* The function a decorator stands on: the nearest one that starts behind it, in the same place. */
static int decorated_def(const struct source *s, const struct fact *decorator)
{
	int best = -1;
	size_t i;

	for (i = 0; i < s->nr_defs; i++) {
		const struct def *d = &s->defs[i];

		if (d->is_class || d->is_lambda || d->parent != decorator->def ||
		    d->body.start < decorator->stmt.end)
			continue;
		if (best < 0 || d->body.start < s->defs[best].body.start)
			best = (int)i;
	}
	return best;
}

void never_mark(const struct rules *r, struct source *s, struct arena *scratch)
{
	bool *never = NULL;
	size_t i;
	int d;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];

		if (f->kind != FACT_USE || !(f->flags & F_DECORATOR) ||
		    !list_has(r->words.never_called, f->name))
			continue;
		d = decorated_def(s, f);
		if (d < 0)
			continue;
		if (!never)
			never = arena_array(scratch, s->nr_defs, sizeof(*never));
		never[d] = true;
	}
	for (i = 0; never && i < s->nr_facts; i++)
		for (d = s->facts[i].def; d >= 0 && (size_t)d < s->nr_defs; d = s->defs[d].parent)
			if (never[d])
				s->facts[i].flags |= F_CHECKING;
}
