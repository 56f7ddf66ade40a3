/*
 * verb_insert_switch.c - put lines at module level before the statement that holds the site.
 *
 * The lines come from the rule. They go above the whole line on which the outermost statement
 * begins, so that nothing of a line with several statements moves, and never into the head of a
 * file (cookie, docstring, future imports). A line `import X` is left out where X is already
 * imported above. A definition keeps the empty lines above it: the lines go before those, and where
 * another definition ends there, as many follow as went before.
 */
#include <string.h>

#include "base/intern.h"
#include "rule/verb.h"

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

static bool is_definition(const struct shape_stmt *st)
{
	static const char *const kinds[] = { "function", "class", "decorated", NULL };

	return st->kind && list_has(kinds, st->kind);
}

/* The statement of the module before `at` is a definition, or there is none. */
static bool follows_definition(const struct shape *sh, uint32_t at)
{
	const struct shape_stmt *last = NULL;
	size_t i;

	for (i = 0; i < sh->nr_stmts && sh->stmts[i].span.start < at; i++)
		if (sh->stmts[i].parent < 0)
			last = &sh->stmts[i];
	return !last || is_definition(last);
}

/* Where the empty lines before `at` begin. */
static uint32_t gap_start(const struct shape *sh, uint32_t at)
{
	uint32_t n = (uint32_t)strlen(sh->newline);

	while (at >= 2 * n && !strncmp(sh->text + at - n, sh->newline, n) &&
	       !strncmp(sh->text + at - 2 * n, sh->newline, n))
		at -= n;
	return at;
}

int verb_insert_switch(struct verb_call *c)
{
	const struct shape *sh = c->shape;
	const struct shape_stmt *st = place_outermost(sh, c->fact->span.start);
	struct strbuf sb = STRBUF_INIT;
	const char *line, *end;
	uint32_t at, gap;

	if (!st)
		return verb_refuse(c, "no statement of the module holds the site");
	at = place_above(sh, st);
	if (at < sh->prologue_end)
		return verb_refuse(c, "the statement begins on a line of the file's head");
	for (line = c->step->text; *line; line = *end ? end + 1 : end) {
		end = line + strcspn(line, "\n");
		if (str_starts(line, "import ") &&
		    is_imported_above(c->source, line + 7, (size_t)(end - line) - 7, at))
			continue;
		if (c->source->program && end - line == 4 && !strncmp(line, "$use", 4))
			strbuf_addstr(&sb, c->source->program->use);
		else
			strbuf_add(&sb, line, (size_t)(end - line));
		strbuf_addstr(&sb, sh->newline);
	}
	gap = is_definition(st) ? gap_start(sh, at) : at;
	if (gap < sh->prologue_end || follows_definition(sh, at))
		strbuf_add(&sb, sh->text + gap, at - gap);
	else
		at = gap;
	verb_edit(c, at, at, arena_strndup(c->arena, sb.buf, sb.len));
	strbuf_release(&sb);
	return 0;
}
