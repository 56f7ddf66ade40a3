/*
 * shim_units.c - which framework headers a C++ file gets, and which extensions compile it.
 *
 * In: FACT_INCLUDE facts and the extensions' literal sources. An include is looked for beside the file
 * that writes it, then by the end of its path anywhere in the repository, as an include folder would
 * find it; what is not there and begins like a framework header is one. A header without framework
 * headers of its own gets those of the units that include it.
 */
#include <string.h>

#include "base/ends.h"
#include "base/intern.h"
#include "base/path.h"
#include "plan/shim.h"

#define UNIT_FILES_MAX 2000

struct unit_walk {
	struct shim_plan *plan;
	VEC(const struct source *) files; /* reached, the first one is where it began */
	struct strings headers;		  /* framework headers that are always included */
};

static bool is_unit(const struct source *s)
{
	static const char *const ends[] = {".c", ".cc", ".cpp", ".cxx", ".cu", ".C", NULL};

	return list_has(ends, path_ext(s->path));
}

static bool is_cxx(const struct source *s)
{
	return s->lang == LANG_C || s->lang == LANG_CXX || s->lang == LANG_CUDA;
}

static bool is_framework(const struct shim_plan *p, const char *name)
{
	const char *const *prefix = p->result->vocab->cxx_headers;

	for (; prefix && *prefix; prefix++)
		if (!strncmp(name, *prefix, strlen(*prefix)))
			return true;
	return false;
}

static const struct source *include_find(struct shim_plan *p, const struct source *from,
					 const char *name)
{
	const struct repo *repo = p->result->repo;
	const char *dir = arena_strndup(p->arena, from->path, path_dirlen(from->path));
	const char *path = path_resolve(p->arena, dir, name);
	const struct source *s = path ? repo_find(repo, path) : NULL;
	bool several;

	if (s || is_framework(p, name) || strstr(name, ".."))
		return s;
	path = path_ends_find(&p->ends, name, &several);
	return path ? repo_find(repo, path) : NULL;
}

static void files_add(struct unit_walk *w, const struct source *s)
{
	size_t i;

	for (i = 0; i < w->files.nr; i++)
		if (w->files.v[i] == s)
			return;
	if (w->files.nr < UNIT_FILES_MAX)
		*VEC_PUSH(w->plan->arena, &w->files) = s;
}

/* Everything that a file brings in. */
static void walk(struct unit_walk *w, const struct source *from)
{
	size_t i, k;

	files_add(w, from);
	for (i = 0; i < w->files.nr; i++) {
		const struct source *s = w->files.v[i], *next;

		for (k = 0; k < s->nr_facts; k++) {
			const struct fact *f = &s->facts[k];

			if (f->kind != FACT_INCLUDE || (f->flags & F_INACTIVE))
				continue;
			next = include_find(w->plan, s, f->name);
			if (next)
				files_add(w, next);
			else if (is_framework(w->plan, f->name))
				strings_add(&w->headers, w->plan->arena, f->name);
		}
	}
}

static bool walk_has(const struct unit_walk *w, const struct source *s)
{
	size_t i;

	for (i = 0; i < w->files.nr; i++)
		if (w->files.v[i] == s)
			return true;
	return false;
}

/* An extension whose sources are not written out may have any. */
static bool extension_owns(const struct extension *e, const struct source *unit)
{
	size_t i;

	for (i = 0; i < e->nr_sources; i++)
		if (!strcmp(e->sources[i], unit->path))
			return true;
	return !e->nr_sources && e->source;
}

/* What an item in one of the files of a unit gets by it. */
static void unit_give(struct shim_plan *p, const struct unit_walk *w, const struct source *unit)
{
	size_t i, k;

	for (i = 0; i < p->items.nr; i++) {
		struct shim_item *item = &p->items.v[i];

		if (!walk_has(w, item->finding->source))
			continue;
		for (k = 0; k < p->nr_decls; k++)
			item->owners[k] |= extension_owns(&p->decls[k].ext, unit);
		if (item->headers.nr)
			continue;
		for (k = 0; k < w->headers.nr; k++)
			if (!strings_has(&item->headers, w->headers.v[k]))
				strings_add(&item->headers, p->arena, w->headers.v[k]);
	}
}

/* The headers that a file gets by itself. */
static void own_headers(struct shim_plan *p)
{
	size_t i, k;

	for (i = 0; i < p->items.nr; i++) {
		struct shim_item *item = &p->items.v[i];
		const struct source *s = item->finding->source;
		struct unit_walk w = {.plan = p};

		item->owners = arena_array(p->arena, p->nr_decls + 1, sizeof(bool));
		walk(&w, s);
		for (k = 0; k < w.headers.nr; k++)
			if (!strings_has(&item->headers, w.headers.v[k]))
				strings_add(&item->headers, p->arena, w.headers.v[k]);
	}
}

/* Where no unit includes a header, the only declaration of the best kind: they stand in that order. */
static void alone_give(struct shim_plan *p)
{
	bool alone = p->nr_decls == 1 || (p->nr_decls && p->decls[0].kind != p->decls[1].kind);
	size_t i;

	for (i = 0; i < p->items.nr && alone; i++)
		p->items.v[i].owners[0] = true;
}

/* Of an item's owners those of the best kind. */
static void best_keep(struct shim_plan *p, struct shim_item *item)
{
	enum shim_kind best = SHIM_CMAKE;
	size_t k;

	for (k = 0; k < p->nr_decls; k++)
		if (item->owners[k] && p->decls[k].kind < best)
			best = p->decls[k].kind;
	for (k = 0; k < p->nr_decls; k++)
		item->owners[k] &= p->decls[k].kind == best;
}

/* The C++ files by how their paths end. */
static void ends_make(struct shim_plan *p)
{
	const struct repo *repo = p->result->repo;
	const char **paths = arena_array(p->arena, repo->nr_files + 1, sizeof(*paths));
	size_t i, nr = 0;

	for (i = 0; i < repo->nr_files; i++)
		if (is_cxx(repo->files[i]))
			paths[nr++] = repo->files[i]->path;
	path_ends_init(&p->ends, paths, nr);
}

void shim_units(struct shim_plan *p)
{
	const struct repo *repo = p->result->repo;
	size_t i;

	ends_make(p);
	own_headers(p);
	for (i = 0; i < repo->nr_files; i++) {
		struct unit_walk w = {.plan = p};

		if (!is_cxx(repo->files[i]) || !is_unit(repo->files[i]) ||
		    !repo->files[i]->nr_facts || source_off_product(repo->files[i]))
			continue;
		walk(&w, repo->files[i]);
		unit_give(p, &w, repo->files[i]);
	}
	alone_give(p);
	for (i = 0; i < p->items.nr; i++)
		best_keep(p, &p->items.v[i]);
}
