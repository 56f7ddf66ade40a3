/*
 * verb_rename.c - write another name where a dotted name stands.
 *
 * The file may bind the root under another name, so what is written decides: `T.sort` for a.sort
 * becomes `T.x.sort` for a.x.sort. Where the new name cannot be reached from what is written, the
 * file must bind the new name's root under its own name at module level.
 */
#include <ctype.h>
#include <string.h>

#include "base/intern.h"
#include "rule/verb.h"

static bool is_dotted(const char *s)
{
	bool start = true;

	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '.' ? start : start ? !(isalpha(c) || c == '_' || c >= 0x80)
					     : !(isalnum(c) || c == '_' || c >= 0x80))
			return false;
		start = c == '.';
	}
	return !start;
}

bool verb_root_bound(const struct source *s, const char *name)
{
	size_t n = strcspn(name, "."), i;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];

		if (f->kind == FACT_IMPORT && !(f->flags & (F_FROM | F_FUNCTION | F_CHECKING)) &&
		    f->text && strlen(f->text) == n && !strncmp(f->text, name, n) &&
		    !strncmp(f->name, name, n) && (!f->name[n] || f->name[n] == '.'))
			return true;
	}
	return false;
}

/*
 * Both names end alike in what was written behind the alias: old = "a.b.c", written = "X.c" means
 * that X is a.b. The new name then is "X" and what follows a.b in it, when it begins so; a.b
 * itself is "X".
 */
static const char *by_alias(struct arena *a, const char *old, const char *written, const char *new)
{
	const char *tail = strchr(written, '.');
	size_t n = strlen(old), m, prefix;

	if (!tail)
		return NULL;
	m = strlen(tail);
	if (m >= n || strcmp(old + n - m, tail))
		return NULL;
	prefix = n - m;
	if (strncmp(old, new, prefix) || (new[prefix] && new[prefix] != '.'))
		return NULL;
	return arena_fmt(a, "%.*s%s", (int)(tail - written), written, new + prefix);
}

/*
 * By an import of the module that binds what `name` begins with under another name: `import a as b`, `from
 * a import c`. NULL: none.
 */
static const char *by_import(struct verb_call *c, const char *name)
{
	const struct source *s = c->source;
	const char *found = NULL;
	size_t i, n, best = 0;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];

		n = f->kind == FACT_IMPORT && f->text ? strlen(f->name) : 0;
		if (n <= best || f->guard >= 0 || strncmp(f->name, name, n) || name[n] != '.' ||
		    f->flags & (F_FUNCTION | F_CHECKING | F_STAR | F_DYNAMIC) ||
		    (!(f->flags & F_FROM) && str_starts(f->name, f->text)))
			continue;
		best = n;
		found = arena_fmt(c->arena, "%s%s", f->text, name + n);
	}
	return found;
}

const char *verb_spell(struct verb_call *c, const char *name)
{
	const struct fact *f = c->fact;
	const char *written = verb_text(c, f->span), *text = NULL;

	if (f->kind == FACT_USE && written && is_dotted(written)) {
		text = by_alias(c->arena, f->name, written, name);
		if (!text && !strcmp(written, f->name))
			text = name;
	}
	if (!text)
		text = verb_root_bound(c->source, name) ? name : by_import(c, name);
	return text;
}

/* Does the file give the name any meaning that is seen? */
static bool is_taken(const struct source *s, const char *name)
{
	size_t i, k;

	for (i = 0; i < s->nr_exports; i++)
		if (str_eq(s->exports[i].name, name))
			return true;
	for (i = 0; i < s->nr_facts; i++)
		if (s->facts[i].kind == FACT_IMPORT && str_eq(s->facts[i].text, name))
			return true;
	for (i = 0; i < s->nr_defs; i++) {
		const char *dot = strrchr(s->defs[i].name, '.');

		if (!strcmp(dot ? dot + 1 : s->defs[i].name, name))
			return true;
		for (k = 0; k < s->defs[i].nr_params; k++)
			if (str_eq(s->defs[i].params[k].keyword, name))
				return true;
	}
	return false;
}

const char *verb_spell_or_import(struct verb_call *c, const char *name)
{
	const char *spelled = verb_spell(c, name);
	const char *root = arena_strndup(c->arena, name, strcspn(name, "."));

	if (spelled)
		return spelled;
	if (c->source->lang != LANG_PYTHON || !list_has(c->rules->vocab->roots, root) ||
	    is_taken(c->source, root) || place_import(c, root, arena_fmt(c->arena, "import %s", root)))
		return NULL;
	return name;
}

static int rename_use(struct verb_call *c, const char *new)
{
	const char *text = verb_spell_or_import(c, new);

	if (!text)
		return verb_refuse(c, "%.*s is not bound under its own name in this file",
				   (int)strcspn(new, "."), new);
	verb_edit(c, c->fact->span.start, c->fact->span.end, text);
	return 0;
}

/* The new name: one text for all, or the pair of this name; NULL: none. */
static const char *new_name(struct verb_call *c)
{
	const char *const *pair = c->step->list;

	if (c->step->text)
		return template_expand(c->arena, c->step->text, c->rules, c->fact);
	for (; pair && *pair; pair += 2)
		if (!strcmp(pair[0], c->fact->name))
			return pair[1];
	return NULL;
}

int verb_rename(struct verb_call *c)
{
	const struct fact *f = c->fact;
	const char *written = verb_text(c, f->span), *new = new_name(c);

	if (!new)
		return verb_refuse(c, "the rule has no new name for %s", f->name);
	if (f->kind != FACT_USE)
		return verb_refuse(c, "only a use of a name can be renamed");
	if (!written || !is_dotted(written))
		return verb_refuse(c, "the name is not written as one dotted name here");
	if (!is_dotted(new))
		return verb_refuse(c, "'%s' is not a dotted name", new);
	return rename_use(c, new);
}
