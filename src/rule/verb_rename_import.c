/*
 * verb_rename_import.c - `from a import old` becomes `from b import new as old`.
 *
 * The name bound stays, so no use of it changes. A statement that imports other names too can only
 * be changed where both names come from the same module, or where all of them move from one module to
 * another under their own names. `import a.b as c` becomes `import d.b as c`.
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

/* Every name of the statement moves to `module` and stays what it is. */
static bool all_move(struct verb_call *c, const char *module)
{
	const struct source *s = c->source;
	size_t n = strlen(module), i;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];
		const char *leaf = f->name ? strrchr(f->name, '.') : NULL;
		const char *new;

		if (f->kind != FACT_IMPORT || f->stmt.start != c->fact->stmt.start)
			continue;
		new = new_name(c->step, f->name);
		if (!new || !leaf || strncmp(new, module, n) || strcmp(new + n, leaf))
			return false;
	}
	return true;
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
	if (!same && all_move(c, new)) {
		verb_edit(c, module.start, module.end, new);
		return 0;
	}
	if (!same && memchr(verb_text(c, f->stmt), ',', f->stmt.end - f->stmt.start))
		return verb_refuse(c, "other names are imported by the same statement");
	if (!same)
		verb_edit(c, module.start, module.end, new);
	verb_edit(c, f->span.start, f->span.end,
		  has_alias(behind) ? dot + 1
				    : arena_fmt(c->arena, "%s as %s", dot + 1, leaf + 1));
	return 0;
}
