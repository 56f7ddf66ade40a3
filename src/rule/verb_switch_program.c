/*
 * verb_switch_program.c - switch compat on where a program starts.
 *
 * What is written, and where, was worked out over the whole tree (struct program). Its line takes
 * the place of `$use` in the rule's lines, which go above the first import that needs it. A line
 * that ends in ':' is the head of a block, into which the imports go. For a test the lines go into
 * the file that is read before all tests.
 */
#include <string.h>

#include "rule/verb.h"

static const char block_indent[] = "    ";

/* The imports from `st` on that stand one below the other. */
static size_t imports_run(const struct shape *sh, const struct shape_stmt *st)
{
	size_t i = (size_t)(st - sh->stmts), nr = 0;
	uint32_t at = st->line_start;

	for (; i < sh->nr_stmts && sh->stmts[i].line_start == at; i++, nr++) {
		const struct shape_stmt *s = &sh->stmts[i];
		const char *nl;

		if (s->parent >= 0 || (strcmp(s->kind, "import") && strcmp(s->kind, "from")) ||
		    !s->first_on_line || !s->last_on_line)
			break;
		nl = memchr(sh->text + s->span.end, '\n', sh->len - s->span.end);
		if (!nl)
			return nr + 1;
		at = (uint32_t)(nl - sh->text) + 1;
	}
	return nr;
}

/* An import behind the block would come too late. */
static bool imports_again(const struct verb_call *c, uint32_t end)
{
	size_t i;

	for (i = 0; i < c->source->nr_facts; i++) {
		const struct fact *f = &c->source->facts[i];

		if (f->kind == FACT_IMPORT && f->span.start >= end && !(f->flags & F_CHECKING) &&
		    !strncmp(f->name, c->fact->name, strcspn(c->fact->name, ".") + 1))
			return true;
	}
	return false;
}

static int wrap_imports(struct verb_call *c, const char *head)
{
	const struct shape *sh = c->shape;
	const struct shape_stmt *st = place_outermost(sh, c->fact->span.start);
	size_t nr = st ? imports_run(sh, st) : 0, i;
	struct strbuf sb = STRBUF_INIT;

	if (!nr)
		return verb_refuse(c, "the import has no line of its own at module level");
	if (imports_again(c, st[nr - 1].span.end))
		return verb_refuse(c, "later imports stand outside a block around the first");
	strbuf_addf(&sb, "%s%s%s%s%s", c->rules->vocab->switch_import, sh->newline, head,
		    sh->newline, block_indent);
	verb_edit(c, st->span.start, st->span.start, arena_strndup(c->arena, sb.buf, sb.len));
	strbuf_release(&sb);
	for (i = 1; i < nr; i++)
		verb_edit(c, st[i].span.start, st[i].span.start, block_indent);
	return 0;
}

static int switch_elsewhere(struct verb_call *c, const struct program *p)
{
	verb_edit(c, p->path_at, p->path_at, p->text);
	c->edits.v[c->edits.nr - 1].path = p->path;
	c->edits.v[c->edits.nr - 1].create = p->create;
	c->edits.v[c->edits.nr - 1].mode = 0644;
	return 0;
}

int verb_switch_program(struct verb_call *c)
{
	const struct program *p = c->source->program;

	if (!p)
		return verb_refuse(c, "nothing has to be switched on here");
	if (p->barred)
		return verb_refuse(c, "%s", p->barred);
	if (p->path)
		return switch_elsewhere(c, p);
	if (p->use[strlen(p->use) - 1] == ':')
		return wrap_imports(c, p->use);
	return verb_insert_switch(c);
}
