/*
 * verb_shim.c - call a function of a file that is added to the package instead of one that may be
 * missing.
 *
 * The value is a map from the name to the text of a module that defines its last part, or to another
 * name of the map, whose module defines both. The module is made as _LEAF.py in the package of the
 * file, called by the name that has the text. Where the name is used it is imported once behind the
 * file's first import of something below the name's root, and written without its owner; an import of
 * names imports them from the module, and leaves the others in a statement of their own before it; an
 * import of the module that a text is for takes it, or its root where that is what it binds. A name that
 * the file has already is written with the module before it. The package's own names are bound to it
 * alone; nothing is changed for the rest of the process. A file outside any package, and one that takes
 * more from an imported module than the map has are refused.
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

/* The pair that has the text of the module for `name`; NULL: none. */
static const char *const *module_of(struct verb_call *c, const char *name)
{
	const char *const *pair, *other = NULL;

	for (pair = c->step->list; pair && *pair && strcmp(pair[0], name); pair += 2)
		;
	if (!pair || !*pair || strchr(pair[1], '\n'))
		return pair && *pair ? pair : NULL;
	other = pair[1];
	for (pair = c->step->list; *pair && strcmp(pair[0], other); pair += 2)
		;
	return *pair ? pair : NULL;
}

/* What is called: the last part of a name. */
static const char *leaf_of(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot ? dot + 1 : name;
}

/* The file uses nothing below `module` but what the map has. */
static bool has_all_used(struct verb_call *c, const char *module)
{
	const struct source *s = c->source;
	size_t n = strlen(module), i;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];

		if (f->kind == FACT_USE && f->name && !strncmp(f->name, module, n) &&
		    f->name[n] == '.' && !module_of(c, f->name))
			return false;
	}
	return true;
}

/* ` as NAME` where the import binds another name than what stands there. */
static void add_bound(struct strbuf *out, const struct fact *f, const char *written)
{
	strbuf_addstr(out, written);
	if (f->text && strcmp(f->text, written))
		strbuf_addf(out, " as %s", f->text);
}

/* True when the statement can become two lines: alone on its own, and no comment in it would be lost. */
static bool can_split(struct verb_call *c, const struct fact *f)
{
	const struct shape_stmt *st = place_innermost(c->shape, f->stmt.start);
	const char *text = verb_text(c, f->stmt);

	return f->flags & F_FROM && text && str_starts(text, "from ") && strstr(text, " import") &&
	       !strchr(text, '#') && st && st->span.start == f->stmt.start && st->first_on_line &&
	       st->last_on_line;
}

/* What stays where it is when names are taken out of an import. */
struct rest {
	struct strbuf names;  /* that are there, or are needed while the file is loaded */
	struct strbuf absent; /* that only functions use */
	struct strbuf values; /* a line for each of those */
};

static void rest_add(struct verb_call *c, struct rest *r, const char *indent, const struct fact *f)
{
	bool absent = f->verdict == VERDICT_GAP && import_name_is_late(NULL, c->source, f);
	struct strbuf *to = absent ? &r->absent : &r->names;

	strbuf_addstr(to, to->len ? ", " : "");
	add_bound(to, f, leaf_of(f->name));
	if (absent)
		strbuf_addf(&r->values, "%s    %s = None%s", indent, f->text, c->shape->newline);
}

/* The same import without what is taken out; what is not there is tried, so that the rest works. */
static void rest_write(struct verb_call *c, const struct rest *r, const char *indent, struct strbuf *out)
{
	const char *text = verb_text(c, c->fact->stmt), *nl = c->shape->newline;
	int n = (int)(strstr(text, " import") - text);

	if (r->names.len)
		strbuf_addf(out, "%.*s import %s%s%s", n, text, r->names.buf, nl, indent);
	if (r->absent.len)
		strbuf_addf(out, "try:%s%s    %.*s import %s%s%sexcept ImportError:%s%s%s", nl, indent, n,
			    text, r->absent.buf, nl, indent, nl, r->values.buf, indent);
}

static void rest_release(struct rest *r)
{
	strbuf_release(&r->names);
	strbuf_release(&r->absent);
	strbuf_release(&r->values);
}

/*
 * The import as one of the module, and before it one of the names that the module does not have; false
 * where the two cannot be told apart.
 */
static bool import_write(struct verb_call *c, const char *package, const char *const *pair,
			 struct strbuf *out)
{
	const struct source *s = c->source;
	const char *leaf = leaf_of(pair[0]);
	bool whole = !strcmp(c->fact->name, pair[0]), ok = true;
	const struct shape_stmt *st = place_innermost(c->shape, c->fact->stmt.start);
	const char *indent = st ? place_indent(c, st) : "";
	struct rest rest = { STRBUF_INIT, STRBUF_INIT, STRBUF_INIT };
	struct strbuf names = STRBUF_INIT;
	bool taken, split = false;
	size_t i;

	if (whole && (leaf == pair[0] || !has_all_used(c, pair[0])))
		return false;
	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];

		if (f->kind != FACT_IMPORT || f->stmt.start != c->fact->stmt.start)
			continue;
		ok = ok && f->text && !(f->flags & F_FROM) == !(c->fact->flags & F_FROM);
		taken = whole ? f == c->fact : module_of(c, f->name) == pair && strcmp(f->name, pair[0]);
		split = split || !taken;
		if (!ok || !taken) {
			if (ok)
				rest_add(c, &rest, indent, f);
			continue;
		}
		strbuf_addstr(&names, names.len ? ", " : "");
		add_bound(&names, f, whole ? arena_fmt(c->arena, "_%s", leaf) : leaf_of(f->name));
	}
	ok = ok && names.len && (!split || can_split(c, c->fact));
	if (ok && split)
		rest_write(c, &rest, indent, out);
	if (ok)
		strbuf_addf(out, whole ? "from %s import %s" : "from %s._%s import %s", package,
			    whole ? names.buf : leaf, names.buf);
	strbuf_release(&names);
	rest_release(&rest);
	return ok;
}

/* `import a.b`, which binds a; where the rest of the file is mended, a alone will do. */
static bool binds_root(struct verb_call *c, const struct fact *f)
{
	const char *text = verb_text(c, f->stmt);

	return !(f->flags & (F_FROM | F_STAR | F_DYNAMIC)) && text &&
	       str_eq(text, arena_fmt(c->arena, "import %s", f->name));
}

/* An import of the name, or of what holds it. */
static int shim_import(struct verb_call *c, const char *package, const char *const *pair)
{
	const struct fact *f = c->fact;
	struct strbuf sb = STRBUF_INIT;
	int rc = -1;

	if (binds_root(c, f) && !strcmp(f->name, pair[0]) && has_all_used(c, pair[0]))
		strbuf_addf(&sb, "import %.*s", (int)strcspn(f->name, "."), f->name);
	else if (!(f->flags & (F_STAR | F_DYNAMIC)) && f->text && !binds_root(c, f) &&
		 !strchr(f->text, '.') && !import_write(c, package, pair, &sb))
		strbuf_reset(&sb);
	if (sb.len) {
		verb_edit(c, f->stmt.start, f->stmt.end, arena_strndup(c->arena, sb.buf, sb.len));
		rc = 0;
	} else {
		verb_refuse(c, "the added module does not have all that the import brings");
	}
	strbuf_release(&sb);
	return rc;
}

/* Another import of the file brings the name, from the same module once it is mended. */
static bool is_imported(struct verb_call *c, const char *const *pair, const char *leaf)
{
	const struct source *s = c->source;
	size_t i;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];

		if (f->kind == FACT_IMPORT && f->flags & F_FROM && !(f->flags & F_FUNCTION) &&
		    str_eq(f->text, leaf) && module_of(c, f->name) == pair)
			return true;
	}
	return false;
}

/* A use of a name that the file gives a meaning of its own: by the module that holds it. */
static int shim_owned(struct verb_call *c, const char *package, const char *const *pair, const char *root)
{
	const struct fact *f = c->fact;
	const char *module = arena_fmt(c->arena, "_%s", leaf_of(pair[0]));

	if (is_bound(c->source, module) || !strcmp(f->name, pair[0]))
		return verb_refuse(c, "the file has a '%s' already", leaf_of(f->name));
	if (place_import(c, root, arena_fmt(c->arena, "from %s import %s", package, module)))
		return -1;
	verb_edit(c, f->span.start, f->span.end,
		  arena_fmt(c->arena, "%s.%s", module, leaf_of(f->name)));
	return 0;
}

/* A use of the name, spelled out. */
static int shim_use(struct verb_call *c, const char *package, const char *const *pair)
{
	const struct fact *f = c->fact;
	const char *root = arena_strndup(c->arena, f->name, strcspn(f->name, "."));
	const char *leaf = leaf_of(f->name);

	if (!is_imported(c, pair, leaf)) {
		if (is_bound(c->source, leaf))
			return shim_owned(c, package, pair, root);
		if (place_import(c, root, arena_fmt(c->arena, "from %s._%s import %s", package,
						    leaf_of(pair[0]), leaf)))
			return -1;
	}
	verb_edit(c, f->span.start, f->span.end, leaf);
	return 0;
}

int verb_shim(struct verb_call *c)
{
	const struct fact *f = c->fact;
	const char *const *pair = module_of(c, f->name);
	const char *folder = package_folder(c), *package;

	if (!pair || (f->kind != FACT_USE && f->kind != FACT_IMPORT) || !strchr(f->name, '.'))
		return verb_refuse(c, "the rule has no module for %s", f->name);
	if (!folder || !*folder)
		return verb_refuse(c, "the file is in no package that a module can be added to");
	package = arena_strndup(c->arena, c->source->module, strcspn(c->source->module, "."));
	if (f->kind == FACT_USE ? shim_use(c, package, pair) : shim_import(c, package, pair))
		return -1;
	file_create(c, arena_fmt(c->arena, "%s/_%s.py", folder, leaf_of(pair[0])), pair[1]);
	return 0;
}
