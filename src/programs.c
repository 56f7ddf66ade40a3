/*
 * programs.c - see programs.h.
 *
 * A scope is a set of top-level modules; it serves an import when such a module stands on the stack.
 * The file that is started is never one (it is __main__), so a program that imports the framework
 * itself, or a helper of no package that does, needs the switch for the whole process. A module that
 * was imported before it was put in scope stays outside; so a launcher inside a package comes too
 * late where the package imports the framework when it is loaded.
 */
#include "programs.h"

#include <string.h>

#include "base/path.h"
#include "programs_internal.h"

/* ---- files by index -------------------------------------------------------------------------- */

size_t file_index(const struct repo *repo, const char *path)
{
	size_t lo = 0, hi = repo->nr_files;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int c = strcmp(repo->files[mid]->path, path);

		if (!c)
			return mid;
		if (c < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return SIZE_MAX;
}

/* The file of the first `n` bytes of a dotted name, as the file `s` sees it; SIZE_MAX: none. */
static size_t module_file(const struct finder *f, const struct source *s, const char *name, size_t n)
{
	static const char *const tails[] = {".py", "/__init__.py"};
	const char *dir = arena_strndup(f->arena, s->path, path_dirlen(s->path));
	char *path;
	size_t i, k, at;
	struct source *to = repo_module(f->repo, arena_strndup(f->arena, name, n));

	if (to)
		return file_index(f->repo, to->path);
	/* Python looks beside the script first, but packages have been looked at from the roots. */
	for (i = 0; i < 2; i++) {
		path = arena_fmt(f->arena, "%s%s%.*s%s", dir, *dir ? "/" : "", (int)n, name, tails[i]);
		for (k = strlen(dir); k + strlen(tails[i]) < strlen(path); k++)
			if (path[k] == '.' && k > strlen(dir))
				path[k] = '/';
		at = file_index(f->repo, path);
		if (at != SIZE_MAX)
			return at;
	}
	return SIZE_MAX;
}

static bool in_main_guard(const struct source *s, const struct fact *fact)
{
	int g;

	for (g = fact->guard; g >= 0 && (size_t)g < s->nr_guards; g = s->guards[g].parent)
		if (s->guards[g].kind == GUARD_MAIN)
			return true;
	return false;
}

static bool is_import(const struct fact *fact)
{
	return fact->kind == FACT_IMPORT && !(fact->flags & F_CHECKING);
}

static void edge_add(struct finder *f, size_t from, size_t to)
{
	struct edges *e = &f->edges[from];
	size_t i;

	for (i = 0; i < e->nr; i++)
		if (e->v[i] == to)
			return;
	if (to != from)
		*VEC_PUSH(f->arena, e) = to;
}

/* Edges of the imports that run when the file is loaded; all its imports make others imported. */
static void edges_of(struct finder *f, size_t file)
{
	const struct source *s = f->repo->files[file];
	size_t i, n, to;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *fact = &s->facts[i];
		bool loads = !(fact->flags & F_FUNCTION) && !in_main_guard(s, fact);

		if (!is_import(fact))
			continue;
		if (list_holds(f->vocab->roots, fact->name)) {
			f->loads[file] |= loads;
			f->uses[file] = true;
			continue;
		}
		for (n = strcspn(fact->name, "."); n; n += 1 + strcspn(fact->name + n + 1, ".")) {
			to = module_file(f, s, fact->name, n);
			if (to == SIZE_MAX && n == strcspn(fact->name, "."))
				break;
			if (to != SIZE_MAX && to != file) {
				f->imported[to] = true;
				if (loads)
					edge_add(f, file, to);
			}
			if (!fact->name[n])
				break;
		}
	}
}

/* What loads something that loads the framework does so too. */
static void loads_spread(struct finder *f)
{
	bool again = true;
	size_t i, k;

	while (again) {
		again = false;
		for (i = 0; i < f->repo->nr_files; i++)
			for (k = 0; k < f->edges[i].nr && !f->loads[i]; k++)
				if (f->loads[f->edges[i].v[k]])
					again = f->loads[i] = true;
	}
}

static void finder_init(struct finder *f)
{
	size_t nr = f->repo->nr_files, i;

	f->edges = arena_array(f->arena, nr + 1, sizeof(*f->edges));
	f->loads = arena_array(f->arena, nr + 1, sizeof(*f->loads));
	f->uses = arena_array(f->arena, nr + 1, sizeof(*f->uses));
	f->imported = arena_array(f->arena, nr + 1, sizeof(*f->imported));
	for (i = 0; i < nr; i++)
		if (f->repo->files[i]->lang == LANG_PYTHON)
			edges_of(f, i);
	loads_spread(f);
}

bool in_scope(const struct finder *f, const char *name)
{
	size_t n = strcspn(name, "."), i;

	for (i = 0; i < f->repo->scope.nr; i++)
		if (strlen(f->repo->scope.v[i]) == n && !strncmp(f->repo->scope.v[i], name, n))
			return true;
	return false;
}

/* ---- what a file needs ----------------------------------------------------------------------- */

/* Whether the import needs the switch; *direct: a scope does not serve it. */
static bool import_needs(struct finder *f, const struct source *s, const struct fact *fact,
			 bool *direct)
{
	size_t n, to;

	if (list_holds(f->vocab->roots, fact->name)) {
		*direct = true;
		return true;
	}
	if (in_scope(f, fact->name))
		return true;
	for (n = strlen(fact->name); n; n--) {
		if (fact->name[n] && fact->name[n] != '.')
			continue;
		to = module_file(f, s, fact->name, n);
		if (to == SIZE_MAX)
			continue;
		*direct |= f->uses[to] || f->loads[to];
		return f->uses[to] || f->loads[to];
	}
	return false;
}

bool file_needs(struct finder *f, const struct source *s, uint32_t *at, bool *direct)
{
	bool any = false;
	size_t i;

	*direct = false;
	for (i = 0; i < s->nr_facts; i++) {
		if (!is_import(&s->facts[i]) || !import_needs(f, s, &s->facts[i], direct))
			continue;
		if (!any)
			*at = s->facts[i].span.start;
		any = true;
	}
	return any;
}

bool has_switch(const struct finder *f, const struct source *s)
{
	size_t i;

	for (i = 0; i < s->nr_facts; i++)
		if (s->facts[i].kind == FACT_USE &&
		    list_has(f->vocab->switch_calls, s->facts[i].name))
			return true;
	return false;
}

/* The tree is entered by a guard around the import. */
bool is_guarded_tree(const struct finder *f)
{
	size_t i;

	for (i = 0; i < f->repo->packages.nr; i++)
		if (list_has(f->vocab->guard_packages, f->repo->packages.v[i]))
			return true;
	return false;
}

/* ---- programs -------------------------------------------------------------------------------- */

static bool has_main_guard(const struct source *s)
{
	size_t i;

	for (i = 0; i < s->nr_guards; i++)
		if (s->guards[i].kind == GUARD_MAIN)
			return true;
	return false;
}

static bool of_package(const struct finder *f, const struct source *s)
{
	size_t n = s->module ? strcspn(s->module, ".") : 0;

	return n && strings_has(&f->repo->packages, arena_strndup(f->arena, s->module, n));
}

/* A file that somebody starts. Inside a package only what an entry point names, and __main__. */
static bool is_program(const struct finder *f, size_t file)
{
	const struct source *s = f->repo->files[file];

	if (s->lang != LANG_PYTHON || s->roles & (BUILDS | ROLE_TEST) || has_switch(f, s))
		return false;
	if (s->roles & ROLE_LAUNCHER || !strcmp(path_base(s->path), "__main__.py"))
		return true;
	if (!(s->roles & (ROLE_EXAMPLE | ROLE_SCRIPT | ROLE_OUTSIDE)) || s->is_package ||
	    of_package(f, s))
		return false;
	return has_main_guard(s) || !f->imported[file];
}

/* Whether a package that the module lies in loads the framework before the module runs. */
static const char *loaded_before(const struct finder *f, const struct source *s)
{
	const char *name = s->module;
	size_t n, to;

	for (n = name ? strcspn(name, ".") : 0; n && name[n]; n += 1 + strcspn(name + n + 1, ".")) {
		to = module_file(f, s, name, n);
		if (to != SIZE_MAX && f->repo->files[to] != s && f->loads[to])
			return arena_strndup(f->arena, name, n);
	}
	return NULL;
}

static const char *program_barred(const struct finder *f, const struct source *s, bool direct)
{
	const char *package = loaded_before(f, s);

	if (s->is_package)
		return "a package's own file is not for the switch";
	if (package)
		return arena_fmt(f->arena,
				 "%s is imported before this file runs, and needs the switch by then",
				 package);
	if (direct && is_guarded_tree(f))
		return "a guard with a scope does not cover imports in its own block";
	return NULL;
}

static void program_find(struct finder *f, size_t file)
{
	struct source *s = f->repo->files[file];
	struct program *p;
	uint32_t at;
	bool direct;

	if (!is_program(f, file) || !file_needs(f, s, &at, &direct))
		return;
	p = ARENA_NEW(f->arena, struct program);
	p->at = at;
	p->barred = program_barred(f, s, direct);
	if (is_guarded_tree(f))
		p->use = line_with_scope(f->vocab->guard_line, &f->repo->scope, f->arena);
	else if (direct)
		p->use = f->vocab->switch_line;
	else
		p->use = line_with_scope(f->vocab->use_line, &f->repo->scope, f->arena);
	s->program = p;
}

void programs_find(struct repo *repo, const struct vocab *vocab, const struct programs_options *o,
		   struct arena *a)
{
	struct finder f = {.repo = repo, .vocab = vocab, .o = o, .arena = a};
	size_t i;

	if (!(o->requests & (REQUEST_ENTRIES | REQUEST_TESTS | REQUEST_HOIST)))
		return;
	finder_init(&f);
	for (i = 0; i < repo->nr_files; i++)
		repo->files[i]->loads = f.loads[i];
	for (i = 0; i < repo->nr_files && o->requests & REQUEST_ENTRIES; i++)
		program_find(&f, i);
	if (o->requests & REQUEST_TESTS)
		tests_find(&f);
}
