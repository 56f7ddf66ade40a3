/*
 * verb_if_there.c - ask for a name before it is used.
 *
 *	if_there_else  the expression becomes a conditional one: (a.b.c() if hasattr(a, "b") else VALUE)
 *	only_if_there  the statement runs under a condition: if hasattr(a, "b"): a.b.c()
 *
 * What is asked for is the part of the chain that is not there, through what is written before it,
 * so that the text stays right where the name exists. What is not written as such a chain, or
 * shares its line with other code, is refused.
 */
#include <ctype.h>
#include <string.h>

#include "rule/verb.h"

/* The owner as written and the attribute of it that is not there. */
struct asked {
	const char *owner, *leaf;
};

static bool is_chain(const char *s)
{
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c != '.' && c != '_' && !isalnum(c) && c < 0x80)
			return false;
	}
	return true;
}

/* Split what is written, so that it names `missing`: "T._x.y" for a._x.y without a._x -> "T", "_x". */
static int asked_find(struct verb_call *c, const char *missing, struct asked *out)
{
	const struct fact *f = c->fact;
	const char *written = verb_text(c, f->span), *tail, *dot;
	size_t n = strlen(missing), m, len;

	if (!written || !is_chain(written))
		return verb_refuse(c, "the name is not written as one dotted name here");
	if (strncmp(f->name, missing, n) || (f->name[n] && f->name[n] != '.'))
		return verb_refuse(c, "%s is not reached through %s", f->name, missing);
	tail = f->name + n;
	m = strlen(tail);
	len = strlen(written);
	if (m >= len || strcmp(written + len - m, tail))
		return verb_refuse(c, "what is missing is not written out here");
	written = arena_strndup(c->arena, written, len - m);
	dot = strrchr(written, '.');
	if (!dot || strcmp(dot + 1, strrchr(missing, '.') ? strrchr(missing, '.') + 1 : missing))
		return verb_refuse(c, "it is written without the module it comes from");
	out->owner = arena_strndup(c->arena, written, (size_t)(dot - written));
	out->leaf = dot + 1;
	return 0;
}

int verb_if_there_else(struct verb_call *c)
{
	const struct fact *f = c->fact;
	const char *text = verb_text(c, f->stmt);
	struct asked asked;

	if (f->kind != FACT_USE)
		return verb_refuse(c, "only a use of a name has another value");
	if (f->flags & F_FSTRING)
		return verb_refuse(c, "quotes inside an f-string");
	if (!text || asked_find(c, f->missing ? f->missing : f->name, &asked))
		return c->reason ? -1 : verb_refuse(c, "the expression is not in the text");
	verb_edit(c, f->stmt.start, f->stmt.end,
		  arena_fmt(c->arena, "(%s if hasattr(%s, \"%s\") else %s)", text, asked.owner,
			    asked.leaf, template_expand(c->arena, c->step->text, c->rules, f)));
	return 0;
}

static bool is_simple(const struct shape_stmt *st)
{
	return !strcmp(st->kind, "expression") || !strcmp(st->kind, "assignment");
}

int verb_only_if_there(struct verb_call *c)
{
	const struct fact *f = c->fact;
	const struct shape_stmt *st = place_innermost(c->shape, f->span.start);
	struct asked asked;

	if (f->kind != FACT_USE && f->kind != FACT_ASSIGN)
		return verb_refuse(c, "only a use of a name can be left out");
	if (!st || !is_simple(st) || st->span.start != f->span.start)
		return verb_refuse(c, "the statement does not begin with the name");
	if (!st->first_on_line || !st->last_on_line)
		return verb_refuse(c, "the statement shares its line with other code");
	if (asked_find(c, template_expand(c->arena, c->step->text, c->rules, f), &asked))
		return -1;
	verb_edit(c, st->span.start, st->span.start,
		  arena_fmt(c->arena, "if hasattr(%s, \"%s\"): ", asked.owner, asked.leaf));
	return 0;
}
