/*
 * verb_positional_to_keyword.c - give the first positional arguments of a call their names.
 *
 * Refused where there are more positional arguments than names, where a splat may fill one of
 * them, and where a name is already passed as a keyword.
 */
#include <string.h>

#include "rule/verb.h"

int verb_positional_to_keyword(struct verb_call *c)
{
	const char *const *names = c->step->list;
	const struct fact *f = c->fact;
	size_t i;

	if (!(f->flags & F_CALL))
		return verb_refuse(c, "the name is not called here");
	for (i = 0; i < f->nr_args; i++) {
		const struct arg *arg = &f->args[i];

		if (arg->splat)
			return verb_refuse(c,
					   "the call passes on arguments that are not seen here");
		if (arg->keyword)
			continue;
		if (!*names)
			return verb_refuse(c, "the call has more positional arguments than names");
		if (verb_passes(f, *names))
			return verb_refuse(c, "'%s' is also passed as a keyword", *names);
		verb_edit(c, arg->valspan.start, arg->valspan.start,
			  arena_fmt(c->arena, "%s=", *names++));
	}
	return 0;
}
