/*
 * verb_insert_switch.c - put lines at module level before the statement that holds the site.
 *
 * The lines come from the rule. They go above the whole line on which the outermost statement
 * begins, so that nothing of a line with several statements moves, and never into the head of a
 * file (cookie, docstring, future imports). A line `import X` is left out where X is already
 * imported above.
 */
#include <string.h>

#include "base/intern.h"
#include "rule/verb.h"

static const struct shape_stmt *outermost_at(const struct shape *sh, uint32_t offset)
{
	size_t i;

	for (i = 0; i < sh->nr_stmts; i++)
		if (sh->stmts[i].parent < 0 && sh->stmts[i].span.start <= offset &&
		    offset < sh->stmts[i].span.end)
			return &sh->stmts[i];
	return NULL;
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

/* The start of the line, or of the statement's line that reaches into it, and so on upwards. */
static uint32_t line_above(const struct shape *sh, const struct shape_stmt *st)
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
	return at;
}

static bool is_imported_above(const struct source *s, const char *module, size_t len, uint32_t at)
{
	size_t i;

	for (i = 0; i < s->nr_facts && s->facts[i].span.start < at; i++) {
		const struct fact *f = &s->facts[i];

		if (f->kind == FACT_IMPORT && !(f->flags & (F_FROM | F_FUNCTION | F_CHECKING)) &&
		    f->guard < 0 && f->text && strlen(f->text) == len &&
		    !strncmp(f->text, module, len) && !strncmp(f->name, module, len) &&
		    (!f->name[len] || f->name[len] == '.'))
			return true;
	}
	return false;
}

int verb_insert_switch(struct verb_call *c)
{
	const struct shape *sh = c->shape;
	const struct shape_stmt *st = outermost_at(sh, c->fact->span.start);
	struct strbuf sb = STRBUF_INIT;
	const char *line, *end;
	uint32_t at;

	if (!st)
		return verb_refuse(c, "no statement of the module holds the site");
	at = line_above(sh, st);
	if (!at && sh->len >= 3 && !memcmp(sh->text, "\xef\xbb\xbf", 3))
		at = 3;
	if (at < sh->prologue_end)
		return verb_refuse(c, "the statement begins on a line of the file's head");
	for (line = c->step->text; *line; line = *end ? end + 1 : end) {
		end = line + strcspn(line, "\n");
		if (str_starts(line, "import ") &&
		    is_imported_above(c->source, line + 7, (size_t)(end - line) - 7, at))
			continue;
		strbuf_add(&sb, line, (size_t)(end - line));
		strbuf_addstr(&sb, sh->newline);
	}
	verb_edit(c, at, at, arena_strndup(c->arena, sb.buf, sb.len));
	strbuf_release(&sb);
	return 0;
}
