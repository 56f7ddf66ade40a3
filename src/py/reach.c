/*
 * reach.c - what follows from who imports whom: distance from the call entries and the modules that
 * entry points name, build helpers, the packages that need the proxy, and the extensions that build
 * scripts declare.
 */
#include "py/link.h"

#include "base/glob.h"
#include "base/path.h"

/* ---- imports ----------------------------------------------------------------------------------
 */

/* Under `if __name__ == "__main__"`: does not run on import. */
static bool in_main_guard(const struct source *s, const struct fact *f)
{
	int g;

	for (g = f->guard; g >= 0; g = s->guards[g].parent)
		if (s->guards[g].kind == GUARD_MAIN)
			return true;
	return false;
}

static bool runs_on_import(const struct source *s, const struct fact *f)
{
	return f->kind == FACT_IMPORT && !(f->flags & (F_FUNCTION | F_CHECKING)) &&
	       !in_main_guard(s, f);
}

/* A file that was reached; `offered`: users import it by its name. */
struct reached {
	struct source *source;
	bool offered;
};

/* Those to be looked at in turn. */
struct reaching {
	struct linker *l;
	struct reached *queue;
	size_t head, tail;
};

static void reach(struct reaching *r, struct source *s, unsigned distance, bool offered)
{
	if (s->reach != REACH_NONE)
		return;
	s->reach = distance;
	r->queue[r->tail++] = (struct reached){s, offered};
}

/* import a.b.c runs a, a.b and a.b.c. */
static void reach_name(struct reaching *r, const char *name, unsigned distance)
{
	struct source *to;
	size_t n;

	for (n = strcspn(name, "."); n; n += strcspn(name + n, ".")) {
		to = link_module(r->l, name, n);
		if (to)
			reach(r, to, distance, false);
		if (!name[n])
			break;
		n++;
	}
}

/* Modules that entry points name are imported for what they are. */
static void reach_entry_points(struct reaching *r, const struct source *s)
{
	const struct linker *l = r->l;
	struct source *to;
	size_t i;

	if (!(s->roles & ROLE_BUILD_ENTRY))
		return;
	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];

		if (f->kind != FACT_SETTING || !f->text || !list_holds(l->vocab->entry_points, f->name))
			continue;
		to = link_module(l, f->text, strcspn(f->text, ":[ \t"));
		if (to)
			reach(r, to, 0, false);
	}
}

/* The module imports none of the repository and has nothing to do with a framework: a version, a constant. */
static bool is_by_the_way(const struct source *s)
{
	size_t i;

	for (i = 0; i < s->nr_facts; i++)
		if (s->facts[i].kind == FACT_IMPORT && s->facts[i].flags & F_INTERNAL)
			return false;
	return !s->mentions;
}

/* A package's own file that imports modules of the repository is what users import. */
static bool imports_own(const struct linker *l, const struct source *s)
{
	size_t i, len;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];
		const struct source *to;

		if (!(f->flags & F_INTERNAL) || !runs_on_import(s, f))
			continue;
		to = link_prefix(l, f->name, &len);
		if (to && to != s && !is_by_the_way(to))
			return true;
	}
	return false;
}

/* Directly below the package, by a name that is for others. */
static bool is_public_below(const struct source *s, const char *package)
{
	static const unsigned apart = ROLE_TEST | ROLE_TEST_ENTRY | ROLE_EXAMPLE | ROLE_VENDORED |
				      ROLE_SUBMODULE | ROLE_BUILD_ENTRY | ROLE_BUILD_HELPER;
	size_t n = strlen(package);

	return s->lang == LANG_PYTHON && s->module && !(s->roles & apart) &&
	       !strncmp(s->module, package, n) && s->module[n] == '.' && s->module[n + 1] != '_' &&
	       !strchr(s->module + n + 1, '.');
}

/* The build imports a module of the package, so it may be there for the build alone. */
static bool serves_build(const struct linker *l, const char *package)
{
	size_t n = strlen(package), i;

	for (i = 0; i < l->nr_modules; i++)
		if (l->modules[i].source->roles & ROLE_BUILD_HELPER &&
		    !strncmp(l->modules[i].name, package, n) && l->modules[i].name[n] == '.')
			return true;
	return false;
}

/* A package whose own file imports nothing of it: users import its modules. */
static void reach_below(struct reaching *r, const struct source *s)
{
	const struct linker *l = r->l;
	size_t i;

	if (!s->is_package || !s->module || imports_own(l, s) || serves_build(l, s->module))
		return;
	for (i = 0; i < l->nr_modules; i++)
		if (is_public_below(l->modules[i].source, s->module))
			reach(r, l->modules[i].source, s->reach + 1, true);
}

/* Breadth first over the imports that run when a module is imported. */
void link_reach(struct linker *l)
{
	struct repo *repo = l->repo;
	struct reaching r = {.l = l};
	size_t i;

	r.queue = arena_array(l->a, repo->nr_files + 1, sizeof(*r.queue));
	for (i = 0; i < repo->nr_files; i++)
		repo->files[i]->reach = REACH_NONE;
	for (i = 0; i < repo->nr_files; i++) {
		if (repo->files[i]->roles & ROLE_CALL_ENTRY)
			reach(&r, repo->files[i], 0, true);
		reach_entry_points(&r, repo->files[i]);
	}
	while (r.head < r.tail) {
		const struct reached *from = &r.queue[r.head++];
		const struct source *s = from->source;

		for (i = 0; i < s->nr_facts; i++)
			if (s->facts[i].flags & F_INTERNAL && runs_on_import(s, &s->facts[i]))
				reach_name(&r, s->facts[i].name, s->reach + 1);
		if (from->offered)
			reach_below(&r, s);
	}
}

/* ---- build helpers ------------------------------------------------------------------------------
 */

/* A module that stands beside the script, which Python finds first. */
static struct source *beside(struct linker *l, const struct source *s, const char *name)
{
	static const char *const tails[] = {".py", "/__init__.py"};
	size_t dir = path_dirlen(s->path), len = strcspn(name, "."), n = strlen(name), i;
	struct source *to;
	char *path, *p;

	for (; n >= len; n--) {
		if (name[n] && name[n] != '.')
			continue;
		for (i = 0; i < 2; i++) {
			path = arena_fmt(l->a, "%.*s%s%.*s%s", (int)dir, s->path, dir ? "/" : "",
					 (int)n, name, tails[i]);
			for (p = path + dir + 1; p < path + strlen(path) - strlen(tails[i]); p++)
				if (*p == '.')
					*p = '/';
			to = repo_find(l->repo, path);
			if (to)
				return to;
		}
		if (!n)
			break;
	}
	return NULL;
}

void link_helpers(struct linker *l)
{
	size_t i, k, len;

	for (i = 0; i < l->repo->nr_files; i++) {
		const struct source *s = l->repo->files[i];
		struct source *to;

		if (!(s->roles & ROLE_BUILD_ENTRY) || s->lang != LANG_PYTHON)
			continue;
		for (k = 0; k < s->nr_facts; k++) {
			if (s->facts[k].kind != FACT_IMPORT)
				continue;
			to = beside(l, s, s->facts[k].name);
			if (!to)
				to = link_prefix(l, s->facts[k].name, &len);
			/* A package that users import first stays what it is. */
			if (to && to != s && !(to->roles & (ROLE_CALL_ENTRY | ROLE_BUILD_ENTRY)))
				to->roles |= ROLE_BUILD_HELPER;
		}
	}
}

/* ---- scope --------------------------------------------------------------------------------------
 */

static bool imports_framework(const struct linker *l, const struct source *s)
{
	size_t i;

	for (i = 0; i < s->nr_facts; i++)
		if (s->facts[i].kind == FACT_IMPORT && !(s->facts[i].flags & F_CHECKING) &&
		    list_holds(l->vocab->roots, s->facts[i].name))
			return true;
	return false;
}

static int text_cmp(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void link_scope(struct linker *l)
{
	static const unsigned apart = ROLE_TEST | ROLE_TEST_ENTRY | ROLE_EXAMPLE | ROLE_SCRIPT |
				      ROLE_VENDORED | ROLE_SUBMODULE | ROLE_BUILD_ENTRY |
				      ROLE_BUILD_HELPER;
	struct repo *r = l->repo;
	const char *top;
	size_t i;

	for (i = 0; i < r->nr_files; i++) {
		const struct source *s = r->files[i];

		if (s->lang != LANG_PYTHON || !s->module || (s->roles & apart))
			continue;
		top = intern(&l->names, s->module, strcspn(s->module, "."));
		if (strings_has(&r->packages, top) && !strings_has(&r->scope, top) &&
		    imports_framework(l, s))
			strings_add(&r->scope, l->a, top);
	}
	if (r->scope.nr)
		qsort(r->scope.v, r->scope.nr, sizeof(*r->scope.v), text_cmp);
}

/* ---- extensions ---------------------------------------------------------------------------------
 */

/* The argument given by keyword, or the first positional one of that kind. */
static const struct arg *arg_of(const struct fact *f, const char *keyword, enum value_kind value)
{
	size_t i;

	for (i = 0; i < f->nr_args; i++)
		if (f->args[i].keyword && !strcmp(f->args[i].keyword, keyword))
			return f->args[i].value == value ? &f->args[i] : NULL;
	for (i = 0; i < f->nr_args && !f->args[i].keyword; i++)
		if (f->args[i].value == value)
			return &f->args[i];
	return NULL;
}

/* Add a path, or the files of the repository that a pattern means. */
static void add_source(struct linker *l, struct strings *out, const char *dir, const char *rel)
{
	char *path = path_resolve(l->a, dir, rel);
	size_t i;

	if (!path || !*path)
		return;
	if (!strpbrk(path, "*?[")) {
		strings_add(out, l->a, path);
		return;
	}
	for (i = 0; i < l->repo->nr_files; i++)
		if (glob_match(path, l->repo->files[i]->path))
			strings_add(out, l->a, l->repo->files[i]->path);
}

static void add_extension(struct linker *l, const struct source *s, const struct fact *f,
			  struct extension *ext)
{
	const struct arg *name = arg_of(f, "name", VALUE_STRING);
	const struct arg *list = arg_of(f, "sources", VALUE_LIST);
	const char *p = list ? list->text : NULL, *dir;
	struct strings out = {0};
	size_t n;

	dir = arena_strndup(l->a, s->path, path_dirlen(s->path));
	for (; p && *p; p += n + (p[n] == '\n')) {
		n = strcspn(p, "\n");
		add_source(l, &out, dir, arena_strndup(l->a, p, n));
	}
	ext->name = name && name->text ? name->text : "";
	ext->source = s;
	ext->span = f->stmt;
	ext->sources = out.v;
	ext->nr_sources = out.nr;
	ext->verdict = "unknown";
}

static bool declares_extension(const struct linker *l, const struct source *s, const struct fact *f)
{
	return f->kind == FACT_USE && (f->flags & F_CALL) && s->lang == LANG_PYTHON &&
	       (s->roles & (ROLE_BUILD_ENTRY | ROLE_BUILD_HELPER)) &&
	       list_has(l->vocab->extension_calls, f->name);
}

void link_extensions(struct linker *l)
{
	struct repo *r = l->repo;
	VEC(struct extension) found = {0};
	size_t i, k;

	for (i = 0; i < r->nr_files; i++) {
		const struct source *s = r->files[i];

		for (k = 0; k < s->nr_facts; k++)
			if (declares_extension(l, s, &s->facts[k]))
				add_extension(l, s, &s->facts[k], VEC_PUSH(l->a, &found));
	}
	r->extensions = found.v;
	r->nr_extensions = found.nr;
}
