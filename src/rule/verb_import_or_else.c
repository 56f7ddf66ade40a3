/*
 * verb_import_or_else.c - an import that may fail, with a stand-in for what it brings.
 *
 *	from a.b import c    becomes    try:
 *	                                    from a.b import c
 *	                                except ImportError:
 *	                                    c = VALUE
 *
 * The value is one text for every name, or a map from old names. All names of the statement must
 * have one, so that nothing that works stands in the try; each of them gives the same edit. An
 * import that binds the first part of a dotted name has none: the name means more. For
 * import_or_import the map's values are names, and the last line is `from X import Y as c`.
 */
#include <string.h>

#include "base/intern.h"
#include "rule/verb.h"

static const char *value_of(struct verb_call *c, const struct fact *f)
{
	const char *const *pair = c->step->list;

	if (c->step->text)
		return f->verdict == VERDICT_GAP ? c->step->text : NULL;
	for (; pair && *pair; pair += 2)
		if (!strcmp(pair[0], f->name))
			return pair[1];
	return NULL;
}

static const struct shape_stmt *stmt_of(const struct shape *sh, struct span span)
{
	size_t i;

	for (i = 0; i < sh->nr_stmts; i++)
		if (sh->stmts[i].span.start == span.start)
			return &sh->stmts[i];
	return NULL;
}

/* What the import binds is a name of its own, and not the package that the module lies in. */
static bool binds_own_name(const struct fact *f)
{
	size_t n = strcspn(f->name, ".");

	if (!f->text || f->flags & F_STAR)
		return false;
	return f->flags & F_FROM || strlen(f->text) != n || strncmp(f->text, f->name, n);
}

/* The statement one level deeper; lines without text stay empty. */
static void add_deeper(struct strbuf *out, const char *text)
{
	for (; *text; text++) {
		strbuf_addch(out, *text);
		if (*text == '\n' && text[1] != '\n' && text[1] != '\r')
			strbuf_addstr(out, "    ");
	}
}

/* `c = VALUE`, or where `import` is set `from X import Y as c` for the value X.Y. */
static void stand_in(struct strbuf *out, const char *name, const char *value, bool import)
{
	const char *dot = strrchr(value, '.');

	if (!import || !dot) {
		strbuf_addf(out, "%s = %s", name, value);
		return;
	}
	strbuf_addf(out, "from %.*s import %s", (int)(dot - value), value, dot + 1);
	if (strcmp(dot + 1, name))
		strbuf_addf(out, " as %s", name);
}

/* The lines behind `except`, one a name, each with a value; -1 where one has none. */
static int stand_ins(struct verb_call *c, const char *indent, bool import, struct strbuf *out)
{
	const struct source *s = c->source;
	size_t i;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];
		const char *value;

		if (f->kind != FACT_IMPORT || f->stmt.start != c->fact->stmt.start)
			continue;
		value = value_of(c, f);
		if (!value || !binds_own_name(f))
			return verb_refuse(c, "other names are imported by the same statement");
		strbuf_addf(out, "%s%s    ", c->shape->newline, indent);
		stand_in(out, f->text, value, import);
	}
	return 0;
}

static int import_or(struct verb_call *c, bool import)
{
	const struct fact *f = c->fact;
	const struct shape_stmt *st = stmt_of(c->shape, f->stmt);
	const char *text = verb_text(c, f->stmt), *nl = c->shape->newline, *indent;
	struct strbuf sb = STRBUF_INIT;

	if (f->kind != FACT_IMPORT || !binds_own_name(f) || !st || !text)
		return verb_refuse(c, "only an import of a name of its own can have a stand-in");
	if (!st->first_on_line || !st->last_on_line)
		return verb_refuse(c, "the import does not stand on lines of its own");
	indent = arena_strndup(c->arena, c->shape->text + st->line_start, st->indent);
	strbuf_addf(&sb, "try:%s%s    ", nl, indent);
	add_deeper(&sb, text);
	strbuf_addf(&sb, "%s%sexcept ImportError:", nl, indent);
	if (stand_ins(c, indent, import, &sb)) {
		strbuf_release(&sb);
		return -1;
	}
	verb_edit(c, f->stmt.start, f->stmt.end, arena_strndup(c->arena, sb.buf, sb.len));
	strbuf_release(&sb);
	return 0;
}

int verb_import_or_else(struct verb_call *c)
{
	return import_or(c, false);
}

int verb_import_or_import(struct verb_call *c)
{
	return import_or(c, true);
}
