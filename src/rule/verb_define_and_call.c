/*
 * verb_define_and_call.c - a function of the rule's, called before the site.
 *
 * The value is the text of one function. Its definition goes before the statement of the module that
 * holds the site, two empty lines around it (none added in front where the file's own functions and
 * classes follow what stands before them more closely); the call goes before the statement that holds
 * the site, in the same block, so that it runs when that does. At module level both stand together.
 * A name that the file has already, and a site that no line can be put before, are refused.
 */
#include <ctype.h>
#include <string.h>

#include "base/intern.h"
#include "rule/verb.h"

/* The name behind the first "def " of the text, NULL: it is no function. */
static const char *function_name(struct verb_call *c)
{
	const char *s = c->step->text;
	size_t n = 0;

	if (!str_starts(s, "def "))
		return NULL;
	s += 4;
	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	return s[n] == '(' ? arena_strndup(c->arena, s, n) : NULL;
}

/* The name stands anywhere in the text: a refusal is better than two meanings. */
static bool is_taken(const struct shape *sh, const char *name)
{
	size_t n = strlen(name), i;

	for (i = 0; i + n <= sh->len; i++)
		if (!memcmp(sh->text + i, name, n))
			return true;
	return false;
}

/* Before `st`, or before the compound statement whose clause it is. */
static const struct shape_stmt *own_line(const struct shape *sh, const struct shape_stmt *st)
{
	while (st && place_is_clause(st))
		st = st->parent >= 0 ? &sh->stmts[st->parent] : NULL;
	return st && st->first_on_line ? st : NULL;
}

/* Empty lines that end at `at`, which begins a line. */
static int empty_before(const struct shape *sh, uint32_t at)
{
	int nr = -1; /* the first line end is that of what stands before */

	while (at && strchr(" \t\r\n", sh->text[at - 1]))
		nr += sh->text[--at] == '\n';
	return nr < 0 ? 0 : nr;
}

/* The file's functions and classes are set off by two empty lines, as far as it has some. */
static bool is_spaced(const struct shape *sh)
{
	static const char *const kinds[] = { "function", "class", "decorated", NULL };
	size_t i;

	for (i = 0; i < sh->nr_stmts; i++)
		if (sh->stmts[i].parent < 0 && list_has(kinds, sh->stmts[i].kind) &&
		    sh->stmts[i].line_start > sh->prologue_end)
			return empty_before(sh, place_above(sh, &sh->stmts[i])) >= 2;
	return true;
}

static const char *space_before(const struct shape *sh, uint32_t at)
{
	int have = empty_before(sh, at);

	if (have >= 2 || at <= sh->prologue_end || !is_spaced(sh))
		return "";
	return have ? "\n" : "\n\n";
}

int verb_define_and_call(struct verb_call *c)
{
	const struct shape *sh = c->shape;
	uint32_t site = c->fact->span.start, at;
	const struct shape_stmt *outer = place_outermost(sh, site);
	const struct shape_stmt *st = place_innermost(sh, site);
	const char *name = function_name(c), *block = place_block(c, c->step->text);
	const char *space;

	if (!name)
		return verb_refuse(c, "the rule gives no function");
	if (is_taken(sh, name))
		return verb_refuse(c, "the file has a '%s' already", name);
	if (!outer || !st)
		return verb_refuse(c, "no statement of the module holds the site");
	at = place_above(sh, outer);
	if (at < sh->prologue_end)
		return verb_refuse(c, "the statement begins on a line of the file's head");
	space = space_before(sh, at);
	if (!(c->fact->flags & F_FUNCTION)) {
		place_lines(c, at, "",
			    arena_fmt(c->arena, "%s%s\n\n\n%s()\n", space, block, name));
		return 0;
	}
	st = own_line(sh, st);
	if (!st || st == outer)
		return verb_refuse(c, "the site does not begin a line of the function");
	place_lines(c, at, "", arena_fmt(c->arena, "%s%s\n\n\n", space, block));
	place_lines(c, st->line_start, place_indent(c, st), arena_fmt(c->arena, "%s()\n", name));
	return 0;
}
