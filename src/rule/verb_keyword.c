/*
 * verb_keyword.c - take keyword arguments off a call, or pass them otherwise.
 *
 *	drop_keyword           f(a, old=b, c=d) -> f(a, c=d)
 *	keyword_to_positional  f(a, x=b) -> f(a, b), where the arguments stand in the order of the
 *	                       rule's list, which begins with what a method is called on
 *	keyword_to_method      f(a, x=b) -> f(a).m(b)
 *	drop_passing           f(a, x=SITE) -> f(a), whatever f is
 *
 * A keyword that is not passed changes nothing, so that several verbs can share a rule. An argument
 * goes with the separator behind it, the last ones with the separator before them; a comment in what
 * would go is a reason to refuse.
 */
#include <string.h>

#include "base/intern.h"
#include "rule/verb.h"

static int check_call(struct verb_call *c)
{
	if (!(c->fact->flags & F_CALL))
		return verb_refuse(c, "the name is not called here");
	return 0;
}

/* Place of the keyword of argument `i` in a list whose elements are `step` apart, -1: none. */
static int place_of(const struct fact *f, size_t i, const char *const *list, int step)
{
	int k;

	for (k = 0; i < f->nr_args && f->args[i].keyword && list[k]; k += step)
		if (!strcmp(list[k], f->args[i].keyword))
			return k;
	return -1;
}

/* The bytes between two offsets hold nothing but a comma and white space. */
static bool is_separator(struct verb_call *c, uint32_t start, uint32_t end)
{
	const char *s = verb_text(c, (struct span){ start, end });

	return s && strspn(s, ", \t\r\n\\") == strlen(s);
}

/* Arguments [first, last) go. */
static int drop_run(struct verb_call *c, size_t first, size_t last)
{
	const struct fact *f = c->fact;
	struct span gone = { f->args[first].span.start, f->args[last - 1].span.end };
	size_t i;

	for (i = first ? first : 1; i < f->nr_args && i <= last; i++)
		if (!is_separator(c, f->args[i - 1].span.end, f->args[i].span.start))
			return verb_refuse(c, "a comment stands between the arguments");
	if (last < f->nr_args)
		gone.end = f->args[last].span.start;
	else if (first)
		gone.start = f->args[first - 1].span.end;
	else
		gone.end = f->stmt.end - 1;
	if (last == f->nr_args && !first && !is_separator(c, f->args[last - 1].span.end, gone.end))
		return verb_refuse(c, "a comment stands behind the arguments");
	verb_edit(c, gone.start, gone.end, "");
	return 0;
}

/* Drop every run of arguments whose keywords are in the list. */
static int drop_all(struct verb_call *c, const char *const *list, int step)
{
	const struct fact *f = c->fact;
	size_t i, first;

	for (i = 0; i < f->nr_args; i++) {
		if (place_of(f, i, list, step) < 0)
			continue;
		for (first = i; place_of(f, i, list, step) >= 0; i++)
			;
		if (drop_run(c, first, i))
			return -1;
	}
	return 0;
}

int verb_drop_keyword(struct verb_call *c)
{
	return check_call(c) ? -1 : drop_all(c, c->step->list, 1);
}

int verb_keyword_to_positional(struct verb_call *c)
{
	const char *const *names = c->step->list;
	const struct fact *f = c->fact;
	bool open = true; /* only arguments by position so far */
	size_t i;
	int place;

	if (check_call(c))
		return -1;
	names += f->kind == FACT_MEMBER && *names;
	for (i = 0; i < f->nr_args; i++) {
		const struct arg *arg = &f->args[i];

		place = place_of(f, i, names, 1);
		if (place >= 0 && (!open || place != (int)i))
			return verb_refuse(c, "'%s' does not stand in its place", arg->keyword);
		if (place >= 0)
			verb_edit(c, arg->span.start, arg->valspan.start, "");
		open &= (place >= 0 || !arg->keyword) && !arg->splat;
	}
	return 0;
}

/* A name or a constant: evaluating it later gives the same. */
static bool is_plain(const struct arg *arg)
{
	return arg->value == VALUE_NAME || arg->value == VALUE_STRING || arg->value == VALUE_NUMBER;
}

int verb_keyword_to_method(struct verb_call *c)
{
	const char *const *pairs = c->step->list;
	const struct fact *f = c->fact;
	const char *value;
	size_t i;
	int k;

	if (check_call(c))
		return -1;
	if (!pairs)
		return verb_refuse(c, "the rule maps no keyword to a method");
	for (i = 0; i < f->nr_args; i++) {
		k = place_of(f, i, pairs, 2);
		if (k < 0)
			continue;
		value = verb_text(c, f->args[i].valspan);
		if (!value || !is_plain(&f->args[i]))
			return verb_refuse(c, "'%s' is not a plain value here", pairs[k]);
		verb_edit(c, f->stmt.end, f->stmt.end,
			  arena_fmt(c->arena, ".%s(%s)", pairs[k + 1], value));
	}
	return drop_all(c, pairs, 2);
}

/* The start of the word that ends at `at`, in which only the list's keywords count; `at`: none. */
static uint32_t keyword_start(const struct shape *sh, const char *const *list, uint32_t at)
{
	size_t n;

	for (; *list; list++) {
		n = strlen(*list);
		if (n < at && !memcmp(sh->text + at - n, *list, n) &&
		    strchr(" \t\r\n,(", sh->text[at - n - 1]))
			return at - (uint32_t)n;
	}
	return at;
}

static uint32_t skip_back(const struct shape *sh, uint32_t at, const char *bytes)
{
	while (at && strchr(bytes, sh->text[at - 1]))
		at--;
	return at;
}

int verb_drop_passing(struct verb_call *c)
{
	const struct shape *sh = c->shape;
	struct span gone = c->fact->flags & F_CALL ? c->fact->stmt : c->fact->span;
	uint32_t end = gone.end, at = skip_back(sh, gone.start, " \t");

	if (!at || sh->text[at - 1] != '=')
		return verb_refuse(c, "it is not passed as a keyword argument here");
	at = skip_back(sh, at - 1, " \t");
	gone.start = keyword_start(sh, c->step->list, at);
	if (gone.start == at)
		return verb_refuse(c, "it is passed under another keyword");
	end += (uint32_t)strspn(sh->text + end, " \t\r\n");
	at = skip_back(sh, gone.start, " \t\r\n");
	if (end >= sh->len || !strchr(",)", sh->text[end]) || !at)
		return verb_refuse(c, "it is only a part of the argument");
	if (sh->text[at - 1] == ',')
		gone.start = at - 1;
	else if (sh->text[at - 1] == '(' && sh->text[end] == ',')
		gone.end = end + 1 + (uint32_t)strspn(sh->text + end + 1, " ");
	else if (sh->text[at - 1] != '(')
		return verb_refuse(c, "a comment may stand before the argument");
	verb_edit(c, gone.start, gone.end, "");
	return 0;
}
