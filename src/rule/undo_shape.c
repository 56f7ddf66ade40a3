/* undo_shape.c - statements, annotations and rows as they were before a verb changed them. */
#include <string.h>

#include "base/intern.h"
#include "base/strbuf.h"
#include "rule/undo.h"

static bool is_line_end(char c)
{
	return c == '\n' || c == '\r';
}

/* The quote around the annotation that holds the fact, on its line; false: there is none. */
static bool quotes_find(const struct undo *u, struct span *out)
{
	const struct shape *sh = u->c->shape;
	uint32_t start = u->fact->span.start, end = u->fact->span.end;

	while (start && !is_line_end(sh->text[start - 1]) && !strchr("\"'", sh->text[start - 1]))
		start--;
	while (end < sh->len && !is_line_end(sh->text[end]) && !strchr("\"'", sh->text[end]))
		end++;
	out->start = start ? start - 1 : 0;
	out->end = end + 1;
	return start && end < sh->len && sh->text[start - 1] == '"' && sh->text[end] == '"';
}

enum undone undo_quote_annotation(struct undo *u)
{
	struct span at;

	if (!(u->fact->flags & F_ANNOTATION) || !undo_is_rules(u) || !quotes_find(u, &at))
		return UNDO_OTHER;
	verb_edit(u->c, at.start, at.start + 1, "");
	verb_edit(u->c, at.end - 1, at.end, "");
	return UNDO_DONE;
}

/* Behind `hasattr(OWNER, "LEAF")` at `at`, which stands on one line; 0: something else does. */
static uint32_t asked_end(const struct shape *sh, uint32_t at)
{
	static const char word[] = "hasattr(";
	const char *close;
	size_t n;

	if (sh->len - at < strlen(word) || memcmp(sh->text + at, word, strlen(word)))
		return 0;
	close = memchr(sh->text + at, ')', sh->len - at);
	n = close ? (size_t)(close - sh->text) - at : 0;
	return !n || memchr(sh->text + at, '\n', n) || sh->text[at + n - 1] != '"'
		       ? 0
		       : at + (uint32_t)n + 1;
}

static bool text_is(const struct shape *sh, uint32_t at, const char *text)
{
	size_t n = strlen(text);

	return at <= sh->len && sh->len - at >= n && !memcmp(sh->text + at, text, n);
}

/* `hasattr(OWNER, "LEAF") and EXPRESSION`, in brackets of its own or as all there is. */
static enum undone undo_and(struct undo *u)
{
	const struct shape *sh = u->c->shape;
	struct span at = u->fact->stmt;
	uint32_t start = at.start;

	while (start && !is_line_end(sh->text[start - 1]) && asked_end(sh, start) + 5 != at.start)
		start--;
	if (asked_end(sh, start) + 5 != at.start || !text_is(sh, at.start - 5, " and "))
		return UNDO_OTHER;
	if (start && sh->text[start - 1] == '(' && text_is(sh, at.end, ")")) {
		verb_edit(u->c, at.end, at.end + 1, "");
		start--;
	}
	verb_edit(u->c, start, at.start, "");
	return UNDO_DONE;
}

enum undone undo_if_there_else(struct undo *u)
{
	const struct shape *sh = u->c->shape;
	struct span at = u->fact->stmt;
	const char *tail;
	uint32_t end;

	if (u->fact->kind != FACT_USE || !undo_is_rules(u) || !at.start)
		return UNDO_OTHER;
	if (!strcmp(u->step->text, "False") && undo_and(u) == UNDO_DONE)
		return UNDO_DONE;
	if (sh->text[at.start - 1] != '(' || !text_is(sh, at.end, " if "))
		return UNDO_OTHER;
	end = asked_end(sh, at.end + 4);
	tail = arena_fmt(u->c->arena, " else %s)",
			 template_expand(u->c->arena, u->step->text, u->c->rules, u->fact));
	if (!end || !text_is(sh, end, tail))
		return UNDO_OTHER;
	verb_edit(u->c, at.start - 1, at.start, "");
	verb_edit(u->c, at.end, end + (uint32_t)strlen(tail), "");
	return UNDO_DONE;
}

enum undone undo_only_if_there(struct undo *u)
{
	const struct shape *sh = u->c->shape;
	uint32_t start = u->fact->span.start, at = start, end;

	if ((u->fact->kind != FACT_USE && u->fact->kind != FACT_ASSIGN) || !undo_is_rules(u))
		return UNDO_OTHER;
	while (at && !is_line_end(sh->text[at - 1]))
		at--;
	while (sh->text[at] == ' ' || sh->text[at] == '\t')
		at++;
	end = text_is(sh, at, "if ") ? asked_end(sh, at + 3) : 0;
	if (!end || !text_is(sh, end, ": ") || end + 2 != start)
		return UNDO_OTHER;
	verb_edit(u->c, at, start, "");
	return UNDO_DONE;
}

/* The value that stands in for the name, NULL: none. */
static const char *stand_in(const struct undo *u, const struct fact *f)
{
	const char *const *pair = u->step->list;

	if (u->step->text)
		return u->step->text;
	for (; pair && *pair; pair += 2)
		if (!strcmp(pair[0], f->name))
			return pair[1];
	return NULL;
}

/* What verb_import_or_else makes of the import, from its `try` on. */
static const char *guarded_import(const struct undo *u, const char *indent)
{
	const struct source *s = u->c->source;
	const char *nl = u->c->shape->newline, *text = verb_text(u->c, u->fact->stmt), *out;
	struct strbuf sb = STRBUF_INIT;
	size_t i;

	strbuf_addf(&sb, "try:%s%s    %s%s%sexcept ImportError:", nl, indent, text ? text : "", nl,
		    indent);
	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];
		const char *value = f->kind == FACT_IMPORT ? stand_in(u, f) : NULL;

		if (value && f->text && f->stmt.start == u->fact->stmt.start)
			strbuf_addf(&sb, "%s%s    %s = %s", nl, indent, f->text, value);
	}
	out = arena_strndup(u->c->arena, sb.buf, sb.len);
	strbuf_release(&sb);
	return out;
}

/* The statement one level less deep, NULL: a line of it does not stand so deep. */
static const char *less_deep(struct undo *u, const char *text)
{
	struct strbuf sb = STRBUF_INIT;
	const char *out = NULL;

	for (; *text; text++) {
		strbuf_addch(&sb, *text);
		if (*text != '\n' || is_line_end(text[1]))
			continue;
		if (strncmp(text + 1, "    ", 4))
			break;
		text += 4;
	}
	if (!*text)
		out = arena_strndup(u->c->arena, sb.buf, sb.len);
	strbuf_release(&sb);
	return out;
}

enum undone undo_import_or_else(struct undo *u)
{
	const struct shape *sh = u->c->shape;
	const struct shape_stmt *around;
	const char *made, *text;
	int at = shape_place(sh, u->fact->span.start);

	if (u->fact->kind != FACT_IMPORT || !undo_is_rules(u) || at < 0 || sh->stmts[at].parent < 0)
		return UNDO_OTHER;
	around = &sh->stmts[sh->stmts[at].parent];
	made = guarded_import(u, arena_strndup(u->c->arena, sh->text + around->line_start,
					       around->indent));
	if (strcmp(around->kind, "try") || !text_is(sh, around->span.start, made) ||
	    around->span.end != around->span.start + strlen(made))
		return UNDO_OTHER;
	text = verb_text(u->c, u->fact->stmt);
	text = text ? less_deep(u, text) : NULL;
	if (!text)
		return UNDO_OTHER;
	verb_edit(u->c, around->span.start, around->span.end, text);
	return UNDO_DONE;
}

/* A row that was commented out is the comment line itself. */
enum undone undo_comment_row(struct undo *u)
{
	const struct shape *sh = u->c->shape;
	uint32_t at = u->c->fact->stmt.end, start;
	size_t i;

	for (i = 0; i < u->sites; i++) {
		while (at < sh->len && (sh->text[at] == ' ' || sh->text[at] == '\t'))
			at++;
		if (!text_is(sh, at, "# "))
			return UNDO_OTHER;
		start = at;
		while (at < sh->len && !is_line_end(sh->text[at]))
			at++;
		while (at < sh->len && is_line_end(sh->text[at]))
			at++;
		verb_edit(u->c, start, start + 2, "");
	}
	return UNDO_DONE;
}
