/*
 * scope.c - the names that a scoped switch has to cover.
 *
 * Linking has put the tree's own packages that use the framework there. Here come the third-party
 * modules that the product imports and that import the framework themselves: known ones, and with
 * an environment those whose distribution requires it, with what they require in turn. What the
 * target never covers is taken off.
 */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "programs_internal.h"

static const char *scope_text(const struct strings *scope, struct arena *a)
{
	struct strbuf sb = STRBUF_INIT;
	const char *out;
	size_t i;

	strbuf_addch(&sb, '{');
	for (i = 0; i < scope->nr; i++)
		strbuf_addf(&sb, "%s\"%s\"", i ? ", " : "", scope->v[i]);
	strbuf_addch(&sb, '}');
	out = arena_strndup(a, sb.buf, sb.len);
	strbuf_release(&sb);
	return out;
}

const char *line_with_scope(const char *line, const struct strings *scope, struct arena *a)
{
	static const char mark[] = "$scope";
	const char *at = strstr(line, mark);

	if (!at)
		return line;
	return arena_fmt(a, "%.*s%s%s", (int)(at - line), line, scope_text(scope, a),
			 at + strlen(mark));
}

static bool is_product(const struct source *s)
{
	return s->lang == LANG_PYTHON &&
	       !(s->roles & (BUILDS | ROLE_TEST | ROLE_EXAMPLE | ROLE_SCRIPT | ROLE_OUTSIDE));
}

struct scoper {
	struct repo *repo;
	const struct vocab *vocab;
	const struct dists *dists;
	struct arena *arena;
	struct strings seen; /* distributions, in the order they came up */
};

static void scope_add(struct scoper *sc, const char *module)
{
	const struct vocab *v = sc->vocab;

	if (!list_has(v->roots, module) && !list_has(v->target_roots, module) &&
	    !list_has(v->upstream_dists, module) && !strings_has(&sc->repo->scope, module))
		strings_add(&sc->repo->scope, sc->arena, module);
}

static const struct dist *dist_find(const struct dists *d, const char *name)
{
	size_t i;

	for (i = 0; i < d->nr; i++)
		if (!strcmp(d->v[i].name, name))
			return &d->v[i];
	return NULL;
}

static void dist_seen(struct scoper *sc, const char *name)
{
	if (!strings_has(&sc->seen, name))
		strings_add(&sc->seen, sc->arena, name);
}

/* The distributions that have the module. */
static void module_dists(struct scoper *sc, const char *module)
{
	size_t i;

	for (i = 0; sc->dists && i < sc->dists->nr; i++)
		if (list_has(sc->dists->v[i].modules, module))
			dist_seen(sc, sc->dists->v[i].name);
}

static void source_modules(struct scoper *sc, const struct source *s)
{
	size_t i;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];
		const char *top;

		if (f->kind != FACT_IMPORT || f->flags & (F_CHECKING | F_INTERNAL | F_RELATIVE))
			continue;
		top = arena_strndup(sc->arena, f->name, strcspn(f->name, "."));
		if (list_has(sc->vocab->upstream_users, top))
			scope_add(sc, top);
		module_dists(sc, top);
	}
}

/* Distributions that were seen give their modules, and what they require is seen in turn. */
static void dists_follow(struct scoper *sc)
{
	const char *const *m;
	size_t i;

	for (i = 0; i < sc->seen.nr; i++) {
		const struct dist *d = dist_find(sc->dists, sc->seen.v[i]);

		if (!d || list_has(sc->vocab->upstream_dists, d->name))
			continue;
		for (m = d->modules; d->needs_upstream && *m; m++)
			scope_add(sc, *m);
		for (m = d->requirements; *m; m++)
			dist_seen(sc, *m);
	}
}

static int text_cmp(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void programs_scope(struct repo *repo, const struct vocab *vocab, const struct dists *dists,
		    struct arena *a)
{
	struct scoper sc = {.repo = repo, .vocab = vocab, .dists = dists, .arena = a};
	struct strings *scope = &repo->scope;
	size_t i, nr = 0;

	for (i = 0; i < repo->nr_files; i++)
		if (is_product(repo->files[i]))
			source_modules(&sc, repo->files[i]);
	dists_follow(&sc);
	for (i = 0; i < scope->nr; i++)
		if (!list_has(vocab->blocked, scope->v[i]))
			scope->v[nr++] = scope->v[i];
	scope->nr = nr;
	if (nr)
		qsort(scope->v, nr, sizeof(*scope->v), text_cmp);
}
