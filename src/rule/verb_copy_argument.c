/*
 * verb_copy_argument.c - pass a copy of a list that several calls share.
 *
 * The rule names keywords; the value must be a variable. Every assignment to it in the file decides
 * what it is: list displays give list(v), dict displays of lists a dict of copies. Anything else is
 * refused.
 */
#include <string.h>

#include "base/intern.h"
#include "rule/verb.h"

enum display { DISPLAY_NONE, DISPLAY_LIST, DISPLAY_DICT, DISPLAY_OTHER };

/* What `NAME = ...` gives; DISPLAY_NONE: the statement is none. */
static enum display assigned(const char *text, size_t len, const char *name)
{
	size_t n = strlen(name), k = n;

	if (len <= n || memcmp(text, name, n))
		return DISPLAY_NONE;
	while (k < len && strchr(" \t", text[k]))
		k++;
	if (k + 1 >= len || text[k] != '=' || text[k + 1] == '=')
		return DISPLAY_NONE;
	for (k++; k < len && strchr(" \t", text[k]); k++)
		;
	if (k == len || !strchr("])}", text[len - 1]))
		return DISPLAY_OTHER;
	return text[k] == '[' && text[len - 1] == ']' ? DISPLAY_LIST
	       : text[k] == '{' && text[len - 1] == '}' ? DISPLAY_DICT : DISPLAY_OTHER;
}

/* What the variable is wherever it is assigned to. */
static enum display display_of(const struct shape *sh, const char *name)
{
	enum display all = DISPLAY_NONE, one;
	size_t i;

	for (i = 0; i < sh->nr_stmts; i++) {
		const struct shape_stmt *st = &sh->stmts[i];

		if (strcmp(st->kind, "assignment"))
			continue;
		one = assigned(sh->text + st->span.start, st->span.end - st->span.start, name);
		if (one == DISPLAY_NONE)
			continue;
		all = all == DISPLAY_NONE || all == one ? one : DISPLAY_OTHER;
	}
	return all;
}

static int copy(struct verb_call *c, const struct arg *arg)
{
	const char *name = verb_text(c, arg->valspan);
	uint32_t start = arg->valspan.start, end = arg->valspan.end;

	if (arg->value != VALUE_NAME || !name || strpbrk(name, ". \t\r\n"))
		return verb_refuse(c, "'%s' is not given as a variable", arg->keyword);
	switch (display_of(c->shape, name)) {
	case DISPLAY_LIST:
		verb_edit(c, start, end, arena_fmt(c->arena, "list(%s)", name));
		return 0;
	case DISPLAY_DICT:
		verb_edit(c, start, end,
			  arena_fmt(c->arena, "{k: list(v) for k, v in %s.items()}", name));
		return 0;
	default:
		return verb_refuse(c, "it is not seen what '%s' is", name);
	}
}

int verb_copy_argument(struct verb_call *c)
{
	const struct fact *f = c->fact;
	size_t i;

	for (i = 0; i < f->nr_args; i++)
		if (f->args[i].keyword && list_has(c->step->list, f->args[i].keyword))
			return copy(c, &f->args[i]);
	return verb_refuse(c, "the argument is not seen in the call");
}
