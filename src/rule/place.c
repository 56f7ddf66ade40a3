/*
 * place.c - where in a text something may be put, for verbs.
 *
 * Whole lines go above a whole line, so that nothing of a line with several statements moves; a
 * line that a backslash joins to the one before is no place.
 */
#include <string.h>

#include "rule/verb.h"
#include "base/lines.h"

const struct shape_stmt *place_innermost(const struct shape *sh, uint32_t offset)
{
	const struct shape_stmt *found = NULL;
	size_t i;

	for (i = 0; i < sh->nr_stmts; i++)
		if (sh->stmts[i].span.start <= offset && offset < sh->stmts[i].span.end)
			found = &sh->stmts[i];
	return found;
}

const struct shape_stmt *place_outermost(const struct shape *sh, uint32_t offset)
{
	size_t i;

	for (i = 0; i < sh->nr_stmts; i++)
		if (sh->stmts[i].parent < 0 && sh->stmts[i].span.start <= offset &&
		    offset < sh->stmts[i].span.end)
			return &sh->stmts[i];
	return NULL;
}

uint32_t place_next(const struct shape *sh, uint32_t at)
{
	char quote = sh->text[at];

	if (quote == '#')
		while (at < sh->len && sh->text[at] != '\n' && sh->text[at] != '\r')
			at++;
	if (quote != '"' && quote != '\'')
		return quote == '#' ? at : at + 1;
	for (at++; at < sh->len && sh->text[at] != quote; at++)
		at += sh->text[at] == '\\';
	return at + 1;
}

/* True when the line that ends at `at` goes on there; a comment from `from` on does not. */
static bool is_joined(const struct shape *sh, uint32_t from, uint32_t at)
{
	if (at > from && sh->text[at - 1] == '\n')
		at--;
	if (at > from && sh->text[at - 1] == '\r')
		at--;
	return at > from && sh->text[at - 1] == '\\' && !memchr(sh->text + from, '#', at - from);
}

uint32_t place_above(const struct shape *sh, const struct shape_stmt *st)
{
	uint32_t at = st->line_start;
	size_t i = (size_t)(st - sh->stmts);

	while (i--) {
		const struct shape_stmt *o = &sh->stmts[i];

		if (o->parent >= 0)
			continue;
		if (o->span.end <= at && !is_joined(sh, o->span.end, at))
			break;
		at = o->line_start < at ? o->line_start : at;
	}
	if (!at && bom_len(sh->text, sh->len))
		at = 3;
	return at;
}

const char *place_indent(struct verb_call *c, const struct shape_stmt *st)
{
	return arena_strndup(c->arena, c->shape->text + st->line_start, st->indent);
}

bool place_is_clause(const struct shape_stmt *st)
{
	static const char *const clauses[] = { "elif", "else", "except", "finally", "case", NULL };

	return list_has(clauses, st->kind);
}

void place_lines(struct verb_call *c, uint32_t at, const char *indent, const char *lines)
{
	struct strbuf sb = STRBUF_INIT;
	size_t n;

	for (; *lines; lines += n + (lines[n] == '\n')) {
		n = strcspn(lines, "\n");
		if (n)
			strbuf_addstr(&sb, indent);
		strbuf_add(&sb, lines, n);
		strbuf_addstr(&sb, c->shape->newline);
	}
	verb_edit(c, at, at, arena_strndup(c->arena, sb.buf ? sb.buf : "", sb.len));
	strbuf_release(&sb);
}

const char *place_block(struct verb_call *c, const char *lines)
{
	size_t n = strlen(lines);

	while (n && lines[n - 1] == '\n')
		n--;
	return arena_strndup(c->arena, lines, n);
}

/* The statement that begins at `start`. */
static const struct shape_stmt *stmt_from(const struct shape *sh, uint32_t start)
{
	size_t i;

	for (i = 0; i < sh->nr_stmts; i++)
		if (sh->stmts[i].span.start == start)
			return &sh->stmts[i];
	return NULL;
}

int place_import(struct verb_call *c, const char *root, const char *line)
{
	const struct source *s = c->source;
	const struct shape_stmt *st = NULL;
	size_t n = strlen(root), i;

	for (i = 0; i < s->nr_facts && !st; i++) {
		const struct fact *f = &s->facts[i];

		if (f->kind == FACT_IMPORT && f->guard < 0 && !(f->flags & F_FUNCTION) &&
		    !strncmp(f->name, root, n) && (!f->name[n] || f->name[n] == '.'))
			st = stmt_from(c->shape, f->stmt.start);
	}
	if (!st || st->parent >= 0 || !st->first_on_line || !st->last_on_line ||
	    st->span.end > c->fact->span.start)
		return verb_refuse(c, "there is no place for another import");
	verb_edit(c, st->span.end, st->span.end,
		  arena_fmt(c->arena, "%s%s", c->shape->newline, line));
	return 0;
}
