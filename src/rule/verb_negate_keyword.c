/*
 * verb_negate_keyword.c - a keyword that the target has with the opposite meaning.
 *
 *	f(a, old=True) -> f(a, new=False); f(a, old=b) -> f(a, new=not b)
 */
#include <string.h>

#include "base/intern.h"
#include "rule/verb.h"

const char *verb_negated(struct verb_call *c, const struct arg *arg)
{
	const char *text = verb_text(c, arg->valspan);

	if (!text)
		return NULL;
	if (arg->value == VALUE_BOOL)
		return !strcmp(text, "True") ? "False" : "True";
	if (arg->value == VALUE_NAME)
		return arena_fmt(c->arena, "not %s", text);
	return arena_fmt(c->arena, "not (%s)", text);
}

int verb_negate_keyword(struct verb_call *c)
{
	const char *const *pair = c->step->list;
	const struct fact *f = c->fact;
	bool any = false;
	size_t i;

	if (!(f->flags & F_CALL))
		return verb_refuse(c, "the name is not called here");
	for (; pair && *pair; pair += 2)
		for (i = 0; i < f->nr_args; i++) {
			const struct arg *arg = &f->args[i];
			const char *text;

			if (!str_eq(arg->keyword, pair[0]))
				continue;
			if (verb_passes(f, pair[1]))
				return verb_refuse(c, "'%s' is also passed", pair[1]);
			text = verb_negated(c, arg);
			if (!text)
				return verb_refuse(c, "the value is not seen here");
			verb_edit(c, arg->span.start, arg->valspan.end,
				  arena_fmt(c->arena, "%s=%s", pair[1], text));
			any = true;
		}
	return any ? 0 : verb_refuse(c, "the call passes no such keyword by name");
}
