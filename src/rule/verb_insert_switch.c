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
	const struct shape_stmt *st = place_outermost(sh, c->fact->span.start);
	struct strbuf sb = STRBUF_INIT;
	const char *line, *end;
	uint32_t at;

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
	verb_edit(c, at, at, arena_strndup(c->arena, sb.buf, sb.len));
	strbuf_release(&sb);
	return 0;
}
