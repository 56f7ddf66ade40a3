/*
 * verb_call_as.c - write another name, and more arguments, where a function or macro of C++ is called.
 *
 * The value is CALLEE or CALLEE(BEFORE$args AFTER): the arguments as written stay where $args stands. The
 * callee $name stays as written; $1 is the first argument, which must then be a name, a member or the
 * like, since it is evaluated once more. A comma that would join nothing is left away. Only what changes
 * is edited, so white space and comments between arguments stay.
 */
#include <ctype.h>
#include <string.h>

#include "rule/verb.h"

#define ARGS "$args"

/* Names with dots, arrows and scopes between: to evaluate one twice does no harm. */
static bool is_plain(const char *s)
{
	if (!isalpha((unsigned char)*s) && *s != '_')
		return false;
	for (; *s; s++)
		if (!isalnum((unsigned char)*s) && !strchr("_.:", *s) &&
		    !(*s == '-' && s[1] == '>') && !(*s == '>' && s[-1] == '-'))
			return false;
	return true;
}

/* The text [s, s + n) with the first argument for $1; NULL with the reason. */
static const char *expand(struct verb_call *c, const char *s, size_t n)
{
	const char *text = arena_strndup(c->arena, s, n), *at = strstr(text, "$1"), *arg;

	if (!at)
		return text;
	arg = c->fact->nr_args ? verb_text(c, c->fact->args[0].valspan) : NULL;
	if (!arg || !is_plain(arg)) {
		verb_refuse(c, "the first argument is no plain name");
		return NULL;
	}
	return arena_fmt(c->arena, "%.*s%s%s", (int)(at - text), text, arg, at + 2);
}

/* Without arguments in the middle nothing is to be joined. */
static const char *unjoined(struct verb_call *c, const char *text)
{
	size_t n = strlen(text);

	text += strspn(text, ", ");
	n = strlen(text);
	while (n && strchr(", ", text[n - 1]))
		n--;
	return arena_strndup(c->arena, text, n);
}

static int write_args(struct verb_call *c, const char *open)
{
	const struct fact *f = c->fact;
	const char *args = strstr(open, ARGS), *close = strrchr(open, ')'), *before, *after;
	uint32_t last = f->stmt.end - 1;

	if (!args || !close || close < args)
		return verb_refuse(c, "'%s' does not say where the arguments go", open);
	if (!(f->flags & F_CALL) || f->stmt.end > c->shape->len || f->stmt.end <= f->span.end ||
	    c->shape->text[last] != ')')
		return verb_refuse(c, "it is not called here");
	before = expand(c, open + 1, (size_t)(args - open - 1));
	after = before ? expand(c, args + strlen(ARGS), (size_t)(close - args) - strlen(ARGS)) : NULL;
	if (!after)
		return -1;
	if (!f->nr_args) {
		verb_edit(c, last, last, arena_fmt(c->arena, "%s%s", unjoined(c, before),
						   unjoined(c, after)));
		return 0;
	}
	if (*before)
		verb_edit(c, f->args[0].span.start, f->args[0].span.start, before);
	if (*after)
		verb_edit(c, f->args[f->nr_args - 1].span.end, f->args[f->nr_args - 1].span.end,
			  after);
	return 0;
}

int verb_call_as(struct verb_call *c)
{
	const char *value = c->step->text, *open = strchr(value, '(');
	size_t n = open ? (size_t)(open - value) : strlen(value);

	if (c->fact->kind != FACT_LACK && c->fact->kind != FACT_NAME && c->fact->kind != FACT_MACRO)
		return verb_refuse(c, "only a call of C++ can be written otherwise");
	if (!verb_text(c, c->fact->span))
		return verb_refuse(c, "it does not stand in the file");
	if (n != strlen("$name") || strncmp(value, "$name", n))
		verb_edit(c, c->fact->span.start, c->fact->span.end,
			  arena_strndup(c->arena, value, n));
	return open ? write_args(c, open) : 0;
}
