/*
 * verb_rename_import.c - `from a import old` becomes `from b import new as old`.
 *
 * The name bound stays, so no use of it changes. A statement that imports other names too can only
 * be changed where both names come from the same module, or where all of them move from one module to
 * one other; a single one of them that moves gets a statement of its own before the others. `import a.b
 * as c` becomes `import d.b as c`.
 */
#include <string.h>

#include "base/intern.h"
#include "rule/verb.h"

/* The new dotted name by the rule's map, NULL: none. */
static const char *new_name(const struct rule_step *step, const char *old)
{
	const char *const *pair;

	for (pair = step->list; pair && *pair; pair += 2)
		if (!strcmp(pair[0], old))
			return pair[1];
	return NULL;
}

static bool has_alias(const char *behind)
{
	behind += strspn(behind, " \t");
	return str_starts(behind, "as") && (behind[2] == ' ' || behind[2] == '\t');
}

/* The module of `from MODULE import` in the statement, as written; false when it is not `module`. */
static bool module_find(struct verb_call *c, const char *module, struct span *out)
{
	const char *text = verb_text(c, c->fact->stmt), *p = text;
	size_t n = strlen(module);

	if (!text || !str_starts(text, "from"))
		return false;
	p += 4;
	p += strspn(p, " \t");
	if (strncmp(p, module, n) || (p[n] != ' ' && p[n] != '\t'))
		return false;
	out->start = c->fact->stmt.start + (uint32_t)(p - text);
	out->end = out->start + (uint32_t)n;
	return true;
}

/* The end of an imported name with its alias. */
static uint32_t name_end(struct verb_call *c, const struct fact *f)
{
	const char *text = c->shape->text, *p = text + f->span.end;

	if (!has_alias(p))
		return f->span.end;
	p += strspn(p, " \t") + 2;
	p += strspn(p, " \t");
	return (uint32_t)(p + strlen(f->text) - text);
}

/* Between two names stands nothing but a comma. */
static bool is_plain_gap(struct verb_call *c, uint32_t start, uint32_t end)
{
	const char *text = verb_text(c, (struct span){ start, end });

	return text && text[strspn(text, ", \t\r\n\\")] == '\0';
}

/* Import the name by a statement of its own, and leave the others where they are. */
static int split_off(struct verb_call *c, const char *module, const char *leaf)
{
	const struct source *s = c->source;
	const struct fact *f = c->fact, *before = NULL, *behind = NULL;
	const struct shape_stmt *st = place_innermost(c->shape, f->stmt.start);
	size_t i;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *o = &s->facts[i];

		if (o == f || o->kind != FACT_IMPORT || o->stmt.start != f->stmt.start)
			continue;
		if (new_name(c->step, o->name))
			return verb_refuse(c, "several names of the statement move");
		if (o->span.start < f->span.start)
			before = o;
		else if (!behind)
			behind = o;
	}
	if (!behind && !before)
		return verb_refuse(c, "other names are imported by the same statement");
	if (!st || !st->first_on_line || !st->last_on_line || st->span.start != f->stmt.start)
		return verb_refuse(c, "the import shares its line with other code");
	if (behind && is_plain_gap(c, name_end(c, f), behind->span.start))
		verb_edit(c, f->span.start, behind->span.start, "");
	else if (!behind && before && is_plain_gap(c, name_end(c, before), f->span.start))
		verb_edit(c, name_end(c, before), name_end(c, f), "");
	else
		return verb_refuse(c, "other names are imported by the same statement");
	place_lines(c, st->line_start, place_indent(c, st),
		    strcmp(leaf, f->text)
			    ? arena_fmt(c->arena, "from %s import %s as %s\n", module, leaf, f->text)
			    : arena_fmt(c->arena, "from %s import %s\n", module, leaf));
	return 0;
}

/* Every name of the statement moves to `module`. */
static bool all_move(struct verb_call *c, const char *module)
{
	const struct source *s = c->source;
	size_t n = strlen(module), i, nr = 0;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];
		const char *new;

		if (f->kind != FACT_IMPORT || f->stmt.start != c->fact->stmt.start)
			continue;
		new = new_name(c->step, f->name);
		if (!new || strncmp(new, module, n) || new[n] != '.' || strchr(new + n + 1, '.'))
			return false;
		nr++;
	}
	return nr > 1 || !memchr(verb_text(c, c->fact->stmt), ',',
				 c->fact->stmt.end - c->fact->stmt.start);
}

/* `import a.b as c`. */
static int module_rename(struct verb_call *c, const char *new)
{
	const struct fact *f = c->fact;
	const char *behind = verb_text(c, (struct span){ f->span.end, f->stmt.end });

	if (!new || !behind || !has_alias(behind))
		return verb_refuse(c, "the statement binds the first part of the name");
	verb_edit(c, f->span.start, f->span.end, new);
	return 0;
}

int verb_rename_import(struct verb_call *c)
{
	const struct fact *f = c->fact;
	const char *new = new_name(c->step, f->name), *behind, *dot, *leaf, *old;
	struct span module;
	bool same;

	if (f->kind == FACT_IMPORT && !(f->flags & (F_FROM | F_RELATIVE | F_DYNAMIC)))
		return module_rename(c, new);
	if (f->kind != FACT_IMPORT || !(f->flags & F_FROM) || f->flags & (F_RELATIVE | F_STAR))
		return verb_refuse(c, "only a name imported from a module can be renamed");
	dot = new ? strrchr(new, '.') : NULL;
	leaf = strrchr(f->name, '.');
	if (!dot || !leaf)
		return verb_refuse(c, "the rule has no new name for %s", f->name);
	old = arena_strndup(c->arena, f->name, (size_t)(leaf - f->name));
	new = arena_strndup(c->arena, new, (size_t)(dot - new));
	same = !strcmp(old, new);
	behind = verb_text(c, (struct span){ f->span.end, f->stmt.end });
	if (!behind || !module_find(c, old, &module))
		return verb_refuse(c, "the module is not written as one dotted name here");
	if (!same && !all_move(c, new))
		return split_off(c, new, dot + 1);
	if (!same)
		verb_edit(c, module.start, module.end, new);
	if (!strcmp(dot, leaf))
		return 0;
	verb_edit(c, f->span.start, f->span.end,
		  has_alias(behind) ? dot + 1
				    : arena_fmt(c->arena, "%s as %s", dot + 1, leaf + 1));
	return 0;
}
