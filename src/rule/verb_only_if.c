/*
 * verb_only_if.c - let the site happen only under one more condition.
 *
 * The value is the condition. Where the site stands in the body of an `if`, the condition goes before
 * that test, with `and`, also in `SITE if TEST else OTHER`; else, where it is a statement of its own
 * that gives nothing a name, before the statement, as an `if` of one line. Names below a root are
 * spelled as the file binds them; where it does not, the import of the root is put behind the statement
 * that first imports something of it.
 */
#include <string.h>

#include "base/intern.h"
#include "rule/verb.h"

static bool has_word(const char *text, const char *word)
{
	size_t n = strlen(word);
	const char *at = text;

	for (; (at = strstr(at, word)); at += n)
		if ((at == text || strchr(" \t\r\n()", at[-1])) && strchr(" \t\r\n()", at[n]))
			return true;
	return false;
}

/* The condition as the file can write it, NULL with a reason. */
static const char *condition(struct verb_call *c)
{
	const char *text = c->step->text, *root;
	size_t n = strcspn(text, "(");
	const char *name = arena_strndup(c->arena, text, n), *spelled = NULL;

	root = arena_strndup(c->arena, name, strcspn(name, "."));
	if (list_has(c->rules->vocab->roots, root) && verb_root_bound(c->source, name))
		spelled = name;
	if (!spelled && place_import(c, root, arena_fmt(c->arena, "import %s", root)))
		return NULL;
	return text;
}

/* The innermost `if` around the site whose body it stands in, NULL: none. */
static const struct guard *if_around(const struct verb_call *c)
{
	const struct source *s = c->source;
	const struct fact *f = c->fact;
	int g;

	for (g = f->guard; g >= 0 && (size_t)g < s->nr_guards; g = s->guards[g].parent) {
		const struct guard *gu = &s->guards[g];

		if (gu->kind == GUARD_TRY)
			continue;
		return gu->kind == GUARD_IF && !gu->negated && gu->body.start <= f->span.start &&
				       f->span.end <= gu->body.end ? gu : NULL;
	}
	return NULL;
}

/* Another condition in front of what follows `at` does not change what the rest means. */
static bool goes_before(const char *test)
{
	return test && !has_word(test, "or") && !has_word(test, "else") &&
	       !has_word(test, "lambda") && !strstr(test, ":=");
}

/* `SITE if TEST else OTHER`: edits before TEST. */
static int before_choice(struct verb_call *c, const struct guard *g, const char *text)
{
	const char *rest = verb_text(c, (struct span){ g->body.end, g->other.start }), *els;
	size_t n = rest ? strspn(rest, " \t\r\n") : 0;

	els = rest ? strstr(rest, "else") : NULL;
	if (!n || strncmp(rest + n, "if ", 3) || !els ||
	    !goes_before(arena_strndup(c->arena, rest, (size_t)(els - rest))))
		return verb_refuse(c, "another condition cannot be put before the test");
	verb_edit(c, g->body.end + (uint32_t)n + 3, g->body.end + (uint32_t)n + 3,
		  arena_fmt(c->arena, "%s and ", text));
	return 0;
}

/* `if TEST:` of which the guard's body is the block: edits before TEST. */
static int before_test(struct verb_call *c, const struct guard *g, const char *text)
{
	const struct shape *sh = c->shape;
	const struct shape_stmt *st = place_innermost(sh, c->fact->span.start);
	const char *head;
	size_t n;

	while (st && (strcmp(st->kind, "if") && strcmp(st->kind, "elif")))
		st = st->parent >= 0 ? &sh->stmts[st->parent] : NULL;
	if (!st || st->span.start >= g->body.start)
		return before_choice(c, g, text);
	head = verb_text(c, (struct span){ st->span.start, g->body.start });
	n = strlen(st->kind);
	if (!goes_before(head) || strncmp(head, st->kind, n) || head[n] != ' ')
		return verb_refuse(c, "another condition cannot be put before the test");
	verb_edit(c, st->span.start + (uint32_t)n + 1, st->span.start + (uint32_t)n + 1,
		  arena_fmt(c->arena, "%s and ", text));
	return 0;
}

int verb_only_if(struct verb_call *c)
{
	const struct guard *g = if_around(c);
	const struct shape_stmt *st = place_innermost(c->shape, c->fact->span.start);
	const char *text = condition(c);

	if (!text)
		return -1;
	if (g)
		return before_test(c, g, text);
	if (!st || (strcmp(st->kind, "expression") && strcmp(st->kind, "augmented")) ||
	    !st->first_on_line || !st->last_on_line)
		return verb_refuse(c, "the site is no statement that can be left out");
	verb_edit(c, st->span.start, st->span.start, arena_fmt(c->arena, "if %s: ", text));
	return 0;
}
