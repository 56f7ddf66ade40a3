/*
 * verb_accept_too.c - let code that knows one text know another one as well.
 *
 *	accept_too  s == "a.x"            s in ("a.x", "b.x"), and != with `not in`
 *		    s.startswith("a.")    s.startswith(("a.", "b."))
 *	last_part   s.removeprefix("a.")  s.split(".")[-1]
 *		    s.replace("a.", "")   the same
 *
 * Where a prefix is tested and then cut off by its length in the same `if`, s[2:] becomes what
 * follows the first dot. The value is the other text, with $captures. What stands otherwise is
 * refused.
 */
#include <ctype.h>
#include <string.h>

#include "rule/verb.h"

struct site {
	struct verb_call *c;
	const char *text;
	struct span at;	   /* the literal with its quotes */
	const char *other; /* the other literal with quotes */
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static uint32_t skip_back(const struct site *s, uint32_t at)
{
	while (at && strchr(" \t", s->text[at - 1]))
		at--;
	return at;
}

/* Does `what` end at `at`? Where it begins; UINT32_MAX: no. */
static uint32_t ends_with(const struct site *s, uint32_t at, const char *what)
{
	size_t n = strlen(what);

	if (at < n || memcmp(s->text + at - n, what, n))
		return UINT32_MAX;
	return at - (uint32_t)n;
}

/* The literal ends its operand: nothing that binds tighter follows. */
static bool is_last(const struct site *s)
{
	const char *rest = s->text + s->at.end;
	size_t n;

	rest += strspn(rest, " \t");
	n = strspn(rest, "abcdefghijklmnopqrstuvwxyz");
	if (!n)
		return !*rest || strchr(")]},:#\r\n;", *rest);
	return (n == 3 && !memcmp(rest, "and", n)) || (n == 2 && !memcmp(rest, "or", n)) ||
	       (n == 2 && !memcmp(rest, "if", n)) || (n == 4 && !memcmp(rest, "else", n));
}

static int compared(struct site *s, bool *done)
{
	uint32_t at = skip_back(s, s->at.start), op = ends_with(s, at, "==");
	const char *word = "in";

	if (op == UINT32_MAX) {
		op = ends_with(s, at, "!=");
		word = "not in";
	}
	if (op == UINT32_MAX || !is_last(s))
		return 0;
	*done = true;
	verb_edit(s->c, op, at, word);
	verb_edit(s->c, s->at.start, s->at.end,
		  arena_fmt(s->c->arena, "(%s, %s)", verb_text(s->c, s->at), s->other));
	return 0;
}

static const struct shape_stmt *innermost(const struct shape *sh, struct span at)
{
	const struct shape_stmt *found = NULL;
	size_t i;

	for (i = 0; i < sh->nr_stmts; i++)
		if (sh->stmts[i].span.start <= at.start && at.end <= sh->stmts[i].span.end)
			found = &sh->stmts[i];
	return found;
}

/* `[N:]` at `s` with N the length of the prefix: its bytes, 0: something else. */
static size_t cut_len(const char *s, size_t prefix)
{
	char cut[16];
	size_t n;

	n = (size_t)snprintf(cut, sizeof(cut), "[%zu:]", prefix);
	return !strncmp(s, cut, n) ? n : 0;
}

/* The cuts of `name` in the statement behind the site become what follows the first dot. */
static int cuts_edit(struct site *s, const char *name)
{
	const struct shape_stmt *st = innermost(s->c->shape, s->at);
	uint32_t i = s->at.end;
	size_t n = strlen(name), cut;

	for (; st && i + n < st->span.end; i++) {
		if (memcmp(s->text + i, name, n) || is_word(s->text[i - 1]) ||
		    s->text[i - 1] == '.' || s->text[i + n] != '[')
			continue;
		cut = cut_len(s->text + i + n, s->at.end - s->at.start - 2);
		if (!cut)
			return verb_refuse(s->c, "'%s' is cut otherwise below", name);
		verb_edit(s->c, i + (uint32_t)n, i + (uint32_t)(n + cut), ".split(\".\", 1)[1]");
	}
	return 0;
}

static int prefix_tested(struct site *s, bool *done)
{
	uint32_t dot = ends_with(s, s->at.start, ".startswith("), start = dot;
	const char *name;

	if (dot == UINT32_MAX || s->text[s->at.end] != ')')
		return 0;
	*done = true;
	while (start && (is_word(s->text[start - 1]) || s->text[start - 1] == '.'))
		start--;
	verb_edit(s->c, s->at.start, s->at.end,
		  arena_fmt(s->c->arena, "(%s, %s)", verb_text(s->c, s->at), s->other));
	name = verb_text(s->c, (struct span){ start, dot });
	return *name ? cuts_edit(s, name) : 0;
}

/* The fact's text between plain quotes; -1 with the reason. */
static int site_init(struct site *s, struct verb_call *c)
{
	const char *written = verb_text(c, c->fact->span);
	size_t n = written ? strlen(written) : 0;

	s->c = c;
	s->text = c->shape->text;
	s->at = c->fact->span;
	s->other = NULL;
	if (c->fact->kind != FACT_STRING || n < 2 || n != strlen(c->fact->name) + 2 ||
	    !strchr("\"'", *written))
		return verb_refuse(c, "it is not written as one plain text");
	return 0;
}

int verb_accept_too(struct verb_call *c)
{
	bool done = false;
	struct site s;

	if (site_init(&s, c))
		return -1;
	s.other = arena_fmt(c->arena, "%c%s%c", s.text[s.at.start],
			    template_expand(c->arena, c->step->text, c->rules, c->fact),
			    s.text[s.at.start]);
	if (compared(&s, &done) || (!done && prefix_tested(&s, &done)))
		return -1;
	return done ? 0 : verb_refuse(c, "what is done with the text is for a person to see");
}

int verb_last_part(struct verb_call *c)
{
	uint32_t start, end;
	struct site s;
	char quote;

	if (site_init(&s, c))
		return -1;
	quote = s.text[s.at.start];
	end = s.at.end;
	start = ends_with(&s, s.at.start, ".removeprefix(");
	if (start == UINT32_MAX) {
		start = ends_with(&s, s.at.start, ".replace(");
		end += s.text[end] == ',';
		end += (uint32_t)strspn(s.text + end, " ");
		if (start == UINT32_MAX || s.text[end] != quote || s.text[end + 1] != quote)
			return verb_refuse(c, "the text is not taken off here");
		end += 2;
	}
	if (s.text[end] != ')')
		return verb_refuse(c, "the call has other arguments");
	verb_edit(c, start, end + 1, arena_fmt(c->arena, ".split(%c.%c)[-1]", quote, quote));
	return 0;
}
