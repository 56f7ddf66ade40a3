/*
 * shim_decl.c - where C++ is compiled: extensions of build scripts, calls that compile when they run,
 * and a project of CMake.
 *
 * In: the extensions of the repository, FACT_USE facts of the calls that the index names, FACT_COMMAND
 * facts. A call that compiles has sources as far as they are literal; without any it may compile all.
 */
#include <string.h>

#include "base/glob.h"
#include "base/intern.h"
#include "base/path.h"
#include "plan/shim.h"

#define CMAKE_FILE "CMakeLists.txt"

struct decl_list {
	struct shim_plan *plan;
	VEC(struct shim_decl) all;
};

static struct shim_decl *decl_add(struct decl_list *l, enum shim_kind kind, const struct source *s,
				  const struct fact *call)
{
	struct shim_decl *d = VEC_PUSH(l->plan->arena, &l->all);

	memset(d, 0, sizeof(*d));
	d->kind = kind;
	d->call = call;
	d->ext.source = s;
	d->ext.name = "";
	if (call)
		d->ext.span = call->stmt;
	return d;
}

/* The call that an extension is declared by, NULL: it is not written out. */
static const struct fact *call_find(const struct extension *ext)
{
	size_t i;

	for (i = 0; ext->source && i < ext->source->nr_facts; i++) {
		const struct fact *f = &ext->source->facts[i];

		if (f->kind == FACT_USE && (f->flags & F_CALL) &&
		    f->stmt.start == ext->span.start && f->stmt.end == ext->span.end)
			return f;
	}
	return NULL;
}

/* The literal sources of a call, from the folder of its file. */
static void sources_read(struct shim_plan *p, struct shim_decl *d)
{
	const char *dir = arena_strndup(p->arena, d->ext.source->path, path_dirlen(d->ext.source->path));
	struct strings out = {0};
	const char *s, *path;
	size_t i, n;

	for (i = 0; i < d->call->nr_args; i++) {
		const struct arg *a = &d->call->args[i];

		if (a->value != VALUE_LIST || (a->keyword && strcmp(a->keyword, "sources")))
			continue;
		for (s = a->text; s && *s; s += n + (s[n] == '\n')) {
			n = strcspn(s, "\n");
			path = path_resolve(p->arena, dir, arena_strndup(p->arena, s, n));
			if (path)
				strings_add(&out, p->arena, path);
		}
		break;
	}
	d->ext.sources = out.v;
	d->ext.nr_sources = out.nr;
}

static void loads_add(struct decl_list *l, const struct source *s)
{
	size_t i;

	if (s->lang != LANG_PYTHON || source_off_product(s) ||
	    s->roles & (ROLE_VENDORED | ROLE_SUBMODULE))
		return;
	for (i = 0; i < s->nr_facts; i++)
		if (s->facts[i].kind == FACT_USE && (s->facts[i].flags & F_CALL) &&
		    list_has(l->plan->shims->loads, s->facts[i].name))
			sources_read(l->plan, decl_add(l, SHIM_LOAD, s, &s->facts[i]));
}

/* The first command of the root's file that makes a target. */
static void cmake_add(struct decl_list *l)
{
	const struct source *s = repo_find(l->plan->result->repo, CMAKE_FILE);
	const char *const *t;
	size_t i;

	for (i = 0; s && i < s->nr_facts; i++) {
		if (s->facts[i].kind != FACT_COMMAND)
			continue;
		for (t = l->plan->shims->targets; *t; t++)
			if (glob_match(*t, s->facts[i].name)) {
				decl_add(l, SHIM_CMAKE, s, &s->facts[i]);
				return;
			}
	}
}

const char *shim_dir(struct shim_plan *p, const struct shim_decl *d)
{
	const char *path = d->ext.source ? d->ext.source->path : NULL;

	if (!path)
		return NULL;
	if (d->kind != SHIM_SETUP || !strcmp(path_base(path), SHIM_SCRIPT))
		return arena_strndup(p->arena, path, path_dirlen(path));
	return repo_find(p->result->repo, SHIM_SCRIPT) ? "" : NULL;
}

void shim_decls(struct shim_plan *p)
{
	const struct repo *repo = p->result->repo;
	struct decl_list l = {.plan = p};
	size_t i;

	for (i = 0; i < repo->nr_extensions; i++)
		decl_add(&l, SHIM_SETUP, NULL, call_find(&repo->extensions[i]))->ext =
			repo->extensions[i];
	for (i = 0; i < repo->nr_files; i++)
		loads_add(&l, repo->files[i]);
	cmake_add(&l);
	p->decls = l.all.v;
	p->nr_decls = l.all.nr;
}
