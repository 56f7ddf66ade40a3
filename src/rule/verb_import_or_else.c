/*
 * verb_import_or_else.c - an import that may fail, with a stand-in for what it brings.
 *
 *	from a.b import c    becomes    try:
 *	                                    from a.b import c
 *	                                except ImportError:
 *	                                    c = VALUE
 *
 * The value is one text for every name, or a map from old names. Names of the statement that have none
 * keep a statement of their own, so that nothing that works stands in the try; each of the others gives the
 * same edit. An import that binds the first part of a dotted name has that part for a stand-in. For
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

/* `import a.b.c`, which binds a. */
static bool binds_root(const struct fact *f)
{
	return !(f->flags & (F_FROM | F_STAR | F_DYNAMIC)) && f->text && strchr(f->name, '.') &&
	       !binds_own_name(f);
}

static bool is_beside(const struct fact *f, const struct fact *o)
{
	return o->kind == FACT_IMPORT && o->stmt.start == f->stmt.start;
}

/* A name of the statement that can stand in the try. */
static const char *stand_in_of(struct verb_call *c, const struct fact *f, bool import)
{
	if (!binds_own_name(f) && (import || !binds_root(f)))
		return NULL;
	return value_of(c, f);
}

/* The lines behind `except`, one a name that has a value. */
static void stand_ins(struct verb_call *c, const char *indent, bool import, struct strbuf *out)
{
	const struct source *s = c->source;
	size_t i;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];
		const char *value = is_beside(c->fact, f) ? stand_in_of(c, f, import) : NULL;

		if (!value)
			continue;
		strbuf_addf(out, "%s%s    ", c->shape->newline, indent);
		if (binds_root(f))
			strbuf_addf(out, "import %s", f->text);
		else
			stand_in(out, f->text, value, import);
	}
}

/* The names of the statement that have a value, or those that have none, as written. */
static size_t names_write(struct verb_call *c, bool import, bool valued, struct strbuf *out)
{
	const struct source *s = c->source;
	size_t i, nr = 0;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];
		const char *dot = strrchr(f->name ? f->name : "", '.');

		if (!is_beside(c->fact, f) || !stand_in_of(c, f, import) == valued)
			continue;
		dot = dot ? dot + 1 : f->name;
		strbuf_addf(out, nr++ ? ", %s" : "%s", dot);
		if (f->text && strcmp(f->text, dot))
			strbuf_addf(out, " as %s", f->text);
	}
	return nr;
}

/* The statement up to its names, where it is `from a import` and all of it one plain line; else NULL. */
static const char *head_of(struct verb_call *c)
{
	const char *text = verb_text(c, c->fact->stmt), *names;

	if (!text || strpbrk(text, "(\\#\r\n;*") || !str_starts(text, "from"))
		return NULL;
	names = strstr(text, " import ");
	return names ? arena_strndup(c->arena, text, (size_t)(names - text) + strlen(" import ")) : NULL;
}

/* What to try, behind a statement with the names that need no try; NULL with a reason. */
static const char *tried(struct verb_call *c, const char *indent, bool import, struct strbuf *out)
{
	struct strbuf names = STRBUF_INIT;
	const char *head, *text = NULL;
	bool mixed = names_write(c, import, false, &names) > 0;

	if (!mixed) {
		text = verb_text(c, c->fact->stmt);
	} else if (!(head = head_of(c))) {
		verb_refuse(c, "other names are imported by the same statement");
	} else {
		strbuf_addf(out, "%s%s%s%s", head, names.buf, c->shape->newline, indent);
		strbuf_reset(&names);
		names_write(c, import, true, &names);
		text = arena_fmt(c->arena, "%s%s", head, names.buf);
	}
	strbuf_release(&names);
	return text;
}

static int import_or(struct verb_call *c, bool import)
{
	const struct fact *f = c->fact;
	const struct shape_stmt *st = stmt_of(c->shape, f->stmt);
	const char *nl = c->shape->newline, *indent, *text;
	struct strbuf sb = STRBUF_INIT;

	if (f->kind != FACT_IMPORT || !st || !stand_in_of(c, f, import))
		return verb_refuse(c, "only an import of a name of its own can have a stand-in");
	if (!st->first_on_line || !st->last_on_line)
		return verb_refuse(c, "the import does not stand on lines of its own");
	indent = arena_strndup(c->arena, c->shape->text + st->line_start, st->indent);
	text = tried(c, indent, import, &sb);
	if (text) {
		strbuf_addf(&sb, "try:%s%s    ", nl, indent);
		add_deeper(&sb, text);
		strbuf_addf(&sb, "%s%sexcept ImportError:", nl, indent);
		stand_ins(c, indent, import, &sb);
		verb_edit(c, f->stmt.start, f->stmt.end, arena_strndup(c->arena, sb.buf, sb.len));
	}
	strbuf_release(&sb);
	return text ? 0 : -1;
}

int verb_import_or_else(struct verb_call *c)
{
	return import_or(c, false);
}

int verb_import_or_import(struct verb_call *c)
{
	return import_or(c, true);
}
