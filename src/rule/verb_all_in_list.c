/*
 * verb_all_in_list.c - put brackets around all arguments: f(a, *b) -> f([a, *b]).
 *
 * Only what is passed by position may stand in the call; a list that is alone in it already is refused.
 */
#include "base/intern.h"
#include "rule/verb.h"

/* **x */
static bool is_mapping(struct verb_call *c, const struct arg *arg)
{
	const char *text = arg->splat ? verb_text(c, arg->span) : NULL;

	return text && str_starts(text, "**");
}

int verb_all_in_list(struct verb_call *c)
{
	const struct fact *f = c->fact;
	size_t i;

	if (!(f->flags & F_CALL) || !f->nr_args)
		return verb_refuse(c, "the name is not called with arguments here");
	for (i = 0; i < f->nr_args; i++)
		if (f->args[i].keyword || is_mapping(c, &f->args[i]))
			return verb_refuse(c, "an argument is passed by keyword");
	if (f->nr_args == 1 && !f->args[0].splat && f->args[0].value == VALUE_LIST)
		return verb_refuse(c, "the argument is a list already");
	verb_edit(c, f->args[0].span.start, f->args[0].span.start, "[");
	verb_edit(c, f->args[f->nr_args - 1].span.end, f->args[f->nr_args - 1].span.end, "]");
	return 0;
}
