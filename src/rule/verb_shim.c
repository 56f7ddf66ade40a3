/*
 * verb_shim.c - call a function of a file that is added to the package instead of one that may be
 * missing.
 *
 * The value is a map from the name to the text of a module that defines its last part. The module is
 * made as _LEAF.py in the package of the file, imported once behind the file's first import of
 * something below the name's root, and the name is written without its owner. The package's own
 * names are bound to it alone; nothing is changed for the rest of the process. A file outside any
 * package, and one that has the name already, are refused.
 */
#include <string.h>

#include "base/intern.h"
#include "rule/verb.h"

/* The folder of the package that holds module "a.b.c", from the path of its file; NULL: none. */
static const char *package_folder(struct verb_call *c)
{
	const struct source *s = c->source;
	size_t n = strlen(s->path), up = s->is_package ? 1 : 0;
	const char *dot = s->module;

	if (!s->module || (!s->is_package && !strchr(s->module, '.')))
		return NULL;
	for (; (dot = strchr(dot, '.')); dot++)
		up++;
	while (up && n) {
		for (n--; n && s->path[n] != '/'; n--)
			;
		up--;
	}
	return up ? NULL : arena_strndup(c->arena, s->path, n);
}

static void file_create(struct verb_call *c, const char *path, const char *text)
{
	struct edit *e = VEC_PUSH(c->arena, &c->edits);

	memset(e, 0, sizeof(*e));
	e->path = path;
	e->text = text;
	e->create = true;
	e->mode = 0100644;
}

/* True when the file gives the name a meaning of its own. */
static bool is_bound(const struct source *s, const char *leaf)
{
	size_t i;

	for (i = 0; i < s->nr_defs; i++)
		if (str_eq(s->defs[i].name, leaf))
			return true;
	for (i = 0; i < s->nr_facts; i++)
		if (s->facts[i].kind == FACT_IMPORT && str_eq(s->facts[i].text, leaf))
			return true;
	return false;
}

int verb_shim(struct verb_call *c)
{
	const struct fact *f = c->fact;
	const char *const *pair;
	const char *folder = package_folder(c), *dot = strrchr(f->name, '.'), *line, *package;
	const char *root = arena_strndup(c->arena, f->name, strcspn(f->name, "."));

	for (pair = c->step->list; pair && *pair && strcmp(pair[0], f->name); pair += 2)
		;
	if (!pair || !*pair || f->kind != FACT_USE || !dot)
		return verb_refuse(c, "the rule has no module for %s", f->name);
	if (!folder || !*folder)
		return verb_refuse(c, "the file is in no package that a module can be added to");
	if (is_bound(c->source, dot + 1))
		return verb_refuse(c, "the file has a '%s' already", dot + 1);
	package = arena_strndup(c->arena, c->source->module, strcspn(c->source->module, "."));
	line = arena_fmt(c->arena, "from %s._%s import %s", package, dot + 1, dot + 1);
	if (place_import(c, root, line))
		return -1;
	verb_edit(c, f->span.start, f->span.end, dot + 1);
	file_create(c, arena_fmt(c->arena, "%s/_%s.py", folder, dot + 1), pair[1]);
	return 0;
}
