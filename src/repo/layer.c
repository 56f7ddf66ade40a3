/*
 * layer.c - the layer of each file, with its reason: content first, path second.
 *
 * Facts decide where there are any: a framework header or token makes a C++ file a binding, an
 * import or use of the framework makes a Python file glue. A Python file also is glue when it
 * imports a file of the repository that is, one step away; a package's __init__ hands that on,
 * since it is there to re-export.
 */
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "repo/internal.h"

/* Per file: the framework name it uses itself, and the glue file it gets the framework from. */
struct use {
	const char *name;
	const struct source *via;
};

static bool is_framework(const struct vocab *v, const char *name)
{
	return list_holds(v->roots, name) || list_holds(v->target_roots, name);
}

/* What the file itself uses of the framework: an import where there is one, else a name. */
static const char *own_use(const struct classify *c, const struct source *s)
{
	const char *use = NULL;
	size_t i;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];

		if ((f->kind != FACT_IMPORT && f->kind != FACT_USE && f->kind != FACT_ASSIGN) ||
		    !f->name || !is_framework(c->vocab, f->name))
			continue;
		if (f->kind == FACT_IMPORT)
			return f->name;
		if (!use)
			use = f->name;
	}
	return use;
}

/* The file that importing `name` runs: the longest part of it that is a module here. */
static struct source *import_target(const struct repo *repo, const char *name)
{
	char buf[512];
	size_t n = strlen(name);

	if (n >= sizeof(buf))
		return NULL;
	memcpy(buf, name, n + 1);
	while (n) {
		struct source *s = repo_module(repo, buf);
		char *dot = strrchr(buf, '.');

		if (s)
			return s;
		n = dot ? (size_t)(dot - buf) : 0;
		buf[n] = 0;
	}
	return NULL;
}

static size_t file_index(const struct repo *repo, const struct source *s)
{
	size_t lo = 0, hi = repo->nr_files;

	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (strcmp(repo->files[mid]->path, s->path) <= 0)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/* Importing a package from inside it says nothing: it was imported before the file. */
static bool is_inside(const struct source *s, const struct source *package)
{
	return package->is_package && package->module && s->module &&
	       name_under(s->module, package->module);
}

/* One look at the imports of a file that uses nothing itself; true when it got the framework. */
static bool use_spread(const struct classify *c, struct use *uses, size_t file)
{
	const struct source *s = c->repo->files[file];
	size_t i, to;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];
		const struct source *t =
			f->kind == FACT_IMPORT && f->name ? import_target(c->repo, f->name) : NULL;

		if (!t || t == s || is_inside(s, t))
			continue;
		to = file_index(c->repo, t);
		if (!uses[to].name && !(t->is_package && uses[to].via))
			continue;
		uses[file].via = t;
		return true;
	}
	return false;
}

/*
 * Packages first, in rounds, until no more of them get the framework (a cycle of packages is no
 * trouble: a file changes once); then the rest.
 */
static void uses_find(const struct classify *c, struct use *uses)
{
	size_t i, n = c->repo->nr_files;
	bool more = true;

	for (i = 0; i < n; i++)
		uses[i].name =
			source_is_foreign(c->repo->files[i]) ? NULL : own_use(c, c->repo->files[i]);
	while (more)
		for (more = false, i = 0; i < n; i++)
			if (c->repo->files[i]->is_package && !uses[i].name && !uses[i].via)
				more |= use_spread(c, uses, i);
	for (i = 0; i < n; i++)
		if (!c->repo->files[i]->is_package && !uses[i].name)
			use_spread(c, uses, i);
}

static void set(struct source *s, enum layer layer, const char *reason)
{
	s->layer = layer;
	s->layer_reason = reason;
}

/* The framework's part of a C++ fact, NULL when it is another's. */
static const char *cxx_word(const struct vocab *v, const struct fact *f)
{
	const char *const *p;
	size_t n;

	if (f->kind == FACT_TOKEN)
		return f->name;
	if (f->kind != FACT_INCLUDE || !f->name)
		return NULL;
	for (p = v->cxx_headers; p && *p; p++)
		if (str_starts(f->name, *p))
			return f->name;
	for (p = v->target_roots; p && *p; p++) {
		n = strlen(*p);
		if (str_starts(f->name, *p) && f->name[n] == '/')
			return f->name;
	}
	return NULL;
}

static void cxx_layer(const struct classify *c, struct source *s)
{
	const struct fact *found[2] = {NULL, NULL};
	const char *word;
	size_t i, nr = 0;

	for (i = 0; i < s->nr_facts && nr < 2; i++) {
		word = cxx_word(c->vocab, &s->facts[i]);
		if (word && (!nr || strcmp(word, found[0]->name)))
			found[nr++] = &s->facts[i];
	}
	if (!nr) {
		set(s, LAYER_KERNEL, "no framework word in it");
		return;
	}
	set(s, LAYER_BINDING,
	    arena_fmt(c->arena, "%s %s%s%s", found[0]->kind == FACT_INCLUDE ? "includes" : "uses",
		      found[0]->name, nr > 1 ? ", " : "", nr > 1 ? found[1]->name : ""));
}

/* The kernel module the file imports, NULL when there is none. */
static const char *kernel_import(const struct classify *c, const struct source *s)
{
	size_t i;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];

		if (f->kind == FACT_IMPORT && f->name && !(f->flags & F_INTERNAL) &&
		    !import_target(c->repo, f->name) &&
		    list_holds(c->layers->kernel_modules, f->name))
			return f->name;
	}
	return NULL;
}

static const char *first_part(const struct classify *c, const char *name)
{
	return arena_strndup(c->arena, name, strcspn(name, "."));
}

static const char *use_reason(const struct classify *c, const struct source *s, const char *name)
{
	const char *lead = s->roles & ROLE_TEST      ? "test, "
			   : s->roles & ROLE_EXAMPLE ? "example, "
						     : "";
	bool import = false;
	size_t i;

	for (i = 0; i < s->nr_facts && !import; i++)
		import = s->facts[i].kind == FACT_IMPORT && s->facts[i].name == name;
	/* What an object maker made is called "MAKER()" between stages only. */
	if (!import)
		return arena_fmt(c->arena, "%suses %.*s", lead, (int)strcspn(name, "("), name);
	return arena_fmt(c->arena, "%simports %s", lead, first_part(c, name));
}

static void python_layer(const struct classify *c, struct source *s, const struct use *use)
{
	const char *kernel;

	if (use->name)
		set(s, LAYER_GLUE, use_reason(c, s, use->name));
	else if (s->roles & ROLE_TEST)
		set(s, LAYER_GLUE, "test");
	else if (s->roles & ROLE_EXAMPLE)
		set(s, LAYER_GLUE, "example");
	else if ((kernel = kernel_import(c, s)))
		set(s, LAYER_KERNEL,
		    arena_fmt(c->arena, "imports %s, no framework", first_part(c, kernel)));
	else if (use->via)
		set(s, LAYER_GLUE,
		    arena_fmt(c->arena, "imports %s, which leads to the framework",
			      use->via->module ? use->via->module : use->via->path));
	else if (s->mentions && s->analysis != ANALYSIS_FULL)
		set(s, LAYER_GLUE, "holds a framework word, not wholly parsed");
	else if (path_matches(s->path, c->layers->build_paths))
		set(s, LAYER_BUILD, "build and packaging, by its path");
	else
		set(s, LAYER_OTHER, "no framework word in it");
}

static void plain_layer(const struct classify *c, struct source *s)
{
	if (path_matches(s->path, c->layers->doc_paths))
		set(s, LAYER_OTHER, "documentation");
	else if (path_matches(s->path, c->layers->build_paths))
		set(s, LAYER_BUILD, "build and packaging, by its path");
	else
		set(s, LAYER_OTHER, s->lang == LANG_TOML ? "settings" : "not code");
}

static bool lang_is_cxx(enum lang lang)
{
	return lang == LANG_C || lang == LANG_CXX || lang == LANG_CUDA;
}

static void layer_of(const struct classify *c, struct source *s, const struct use *use)
{
	if (s->roles & ROLE_SUBMODULE)
		set(s, LAYER_OTHER, "git submodule");
	else if (s->roles & ROLE_VENDORED)
		set(s, LAYER_OTHER, "third-party code");
	else if (s->roles & ROLE_BUILD_ENTRY)
		set(s, LAYER_BUILD, "build entry");
	else if (s->roles & ROLE_BUILD_HELPER)
		set(s, LAYER_BUILD, "imported by the build");
	else if (s->lang == LANG_CMAKE)
		set(s, LAYER_BUILD, "CMake");
	else if (s->lang == LANG_REQUIREMENTS)
		set(s, LAYER_BUILD, "requirements");
	else if (s->lang == LANG_CFG)
		set(s, LAYER_BUILD, "packaging settings");
	else if (s->lang == LANG_OTHER || s->lang == LANG_TOML)
		plain_layer(c, s);
	else if (s->analysis == ANALYSIS_SKIPPED)
		set(s, LAYER_OTHER, "not read");
	else if (lang_is_cxx(s->lang))
		cxx_layer(c, s);
	else
		python_layer(c, s, use);
}

/* Modules that a build setting names are helpers of the build; those a launcher names are scripts.
 */
static void settings_roles(struct classify *c, const struct source *s)
{
	const struct layers *l = c->layers;
	size_t i;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];
		struct source *t;
		const char *module;

		if (f->kind != FACT_SETTING || !f->name || !f->text)
			continue;
		module = arena_strndup(c->arena, f->text, strcspn(f->text, ": "));
		t = repo_module(c->repo, module);
		if (!t)
			continue;
		if (name_matches(f->name, l->build_settings) && !t->is_package)
			t->roles |= ROLE_BUILD_HELPER;
		if (name_matches(f->name, l->script_settings))
			t->roles |= ROLE_SCRIPT | ROLE_LAUNCHER;
	}
}

static void guard_roles(struct source *s)
{
	size_t i;

	for (i = 0; i < s->nr_guards; i++)
		if (s->guards[i].kind == GUARD_MAIN && !s->is_package &&
		    !(s->roles & ROLE_BUILD_ENTRY))
			s->roles |= ROLE_SCRIPT;
}

void layers_assign(struct classify *c)
{
	struct use *uses = arena_array(c->arena, c->repo->nr_files, sizeof(*uses));
	size_t i;

	for (i = 0; i < c->repo->nr_files; i++) {
		guard_roles(c->repo->files[i]);
		if (c->repo->files[i]->roles & ROLE_BUILD_ENTRY)
			settings_roles(c, c->repo->files[i]);
	}
	uses_find(c, uses);
	for (i = 0; i < c->repo->nr_files; i++)
		layer_of(c, c->repo->files[i], &uses[i]);
}
