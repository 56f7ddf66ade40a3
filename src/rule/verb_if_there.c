/*
 * verb_if_there.c - ask for a name before it is used.
 *
 *	if_there_else  the expression becomes a conditional one: (a.b.c() if hasattr(a, "b") else VALUE),
 *		       with False for VALUE (hasattr(a, "b") and a.b.c())
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

/* The expression is all of a condition, a return or an assignment, so that it needs no brackets. */
static bool is_whole(const struct shape *sh, struct span at)
{
	static const char *const words[] = {"if ", "elif ", "while ", "return "};
	uint32_t start = at.start, end = at.end;
	bool ends;
	size_t i, n;

	while (start && !strchr("\r\n", sh->text[start - 1]))
		start--;
	while (strchr(" \t", sh->text[start]))
		start++;
	while (end < sh->len && strchr(" \t", sh->text[end]))
		end++;
	ends = end == sh->len || strchr("\r\n#", sh->text[end]);
	for (i = 0; i < sizeof(words) / sizeof(*words); i++) {
		n = strlen(words[i]);
		if (at.start == start + n && !memcmp(sh->text + start, words[i], n))
			return *words[i] == 'r' ? ends : !ends && sh->text[end] == ':';
	}
	return ends && at.start > start + 3 && !memcmp(sh->text + at.start - 3, " = ", 3);
}

int verb_if_there_else(struct verb_call *c)
{
	const struct fact *f = c->fact;
	const char *text = verb_text(c, f->stmt), *other;
	struct asked asked;
	bool whole;

	if (f->kind != FACT_USE)
		return verb_refuse(c, "only a use of a name has another value");
	if (f->flags & F_FSTRING)
		return verb_refuse(c, "quotes inside an f-string");
	if (!text || asked_find(c, f->missing ? f->missing : f->name, &asked))
		return c->reason ? -1 : verb_refuse(c, "the expression is not in the text");
	other = template_expand(c->arena, c->step->text, c->rules, f);
	if (!strcmp(other, "False")) {
		whole = is_whole(c->shape, f->stmt);
		verb_edit(c, f->stmt.start, f->stmt.end,
			  arena_fmt(c->arena, "%shasattr(%s, \"%s\") and %s%s", whole ? "" : "(",
				    asked.owner, asked.leaf, text, whole ? "" : ")"));
		return 0;
	}
	verb_edit(c, f->stmt.start, f->stmt.end,
		  arena_fmt(c->arena, "(%s if hasattr(%s, \"%s\") else %s)", text, asked.owner,
			    asked.leaf, other));
	return 0;
}

/* Of an attribute: what stands before its last dot, and the attribute. */
static int member_find(struct verb_call *c, struct asked *out)
{
	const struct fact *f = c->fact;
	const char *written = verb_text(c, (struct span){f->stmt.start, f->span.end});
	size_t n = strlen(f->name), m = written ? strlen(written) : 0;

	if (!written || !is_chain(written) || m < n + 2 || written[m - n - 1] != '.' ||
	    strcmp(written + m - n, f->name))
		return verb_refuse(c, "the attribute is not written as one dotted name here");
	out->owner = arena_strndup(c->arena, written, m - n - 1);
	out->leaf = f->name;
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
	uint32_t start = f->kind == FACT_MEMBER ? f->stmt.start : f->span.start;
	struct asked asked = {0};

	if (f->kind != FACT_USE && f->kind != FACT_ASSIGN && f->kind != FACT_MEMBER)
		return verb_refuse(c, "only a use of a name can be left out");
	if (!st || !is_simple(st) || st->span.start != start)
		return verb_refuse(c, "the statement does not begin with the name");
	if (!st->first_on_line || !st->last_on_line)
		return verb_refuse(c, "the statement shares its line with other code");
	if (f->kind == FACT_MEMBER
		    ? member_find(c, &asked)
		    : asked_find(c, template_expand(c->arena, c->step->text, c->rules, f), &asked))
		return -1;
	verb_edit(c, st->span.start, st->span.start,
		  arena_fmt(c->arena, "if hasattr(%s, \"%s\"): ", asked.owner, asked.leaf));
	return 0;
}
