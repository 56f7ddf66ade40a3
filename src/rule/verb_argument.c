/*
 * verb_argument.c - write an argument of a call otherwise and leave it in its place.
 *
 *	rename_keyword  the keyword gets another name
 *	wrap_in_list    the value gets brackets; the rule names keywords and positions
 *
 * An argument that is not passed changes nothing. A keyword that is passed already under the new
 * name, and a value whose place a splat hides, are refused.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "rule/verb.h"

static const struct arg *arg_find(const struct fact *f, const char *keyword)
{
	size_t i;

	for (i = 0; i < f->nr_args; i++)
		if (str_eq(f->args[i].keyword, keyword))
			return &f->args[i];
	return NULL;
}

int verb_rename_keyword(struct verb_call *c)
{
	const char *const *pair;

	if (!c->step->list)
		return verb_refuse(c, "the rule gives no pairs of keywords");
	for (pair = c->step->list; *pair; pair += 2) {
		const struct arg *arg = arg_find(c->fact, pair[0]);
		uint32_t start;

		if (!arg)
			continue;
		if (arg_find(c->fact, pair[1]))
			return verb_refuse(c, "'%s' is passed already", pair[1]);
		start = arg->span.start;
		verb_edit(c, start, start + (uint32_t)strlen(pair[0]), pair[1]);
	}
	return 0;
}

static bool is_named(const char *const *names, const struct arg *arg, size_t position)
{
	for (; *names; names++)
		if (arg->keyword ? !strcmp(arg->keyword, *names)
				 : isdigit((unsigned char)**names) && strtoul(*names, NULL, 10) == position)
			return true;
	return false;
}

int verb_wrap_in_list(struct verb_call *c)
{
	const struct fact *f = c->fact;
	size_t i;

	for (i = 0; i < f->nr_args && !f->args[i].splat; i++) {
		const struct arg *arg = &f->args[i];

		if (!is_named(c->step->list, arg, i))
			continue;
		if (arg->value == VALUE_LIST)
			return verb_refuse(c, "the argument is a list already");
		verb_edit(c, arg->valspan.start, arg->valspan.start, "[");
		verb_edit(c, arg->valspan.end, arg->valspan.end, "]");
	}
	return c->edits.nr ? 0 : verb_refuse(c, "the argument is not seen in the call");
}
