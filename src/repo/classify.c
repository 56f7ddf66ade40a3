/*
 * classify.c - layers, type, entries, and the two lists of a repository.
 *
 * In: linked and marked facts. Out: layer, treatment and rank of each file; type, reasons and
 * entries of the repository. May be called again when more is known about the facts; everything is
 * set anew.
 *
 * The list of files to change first begins with the landings of the type, a few files each; the
 * other files with something to do follow: build, then what a user reaches soonest, tests and
 * examples last.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/path.h"
#include "repo/internal.h"

#define WORD_POINTS     10
#define FACT_POINTS_MAX 50

/* ---- what is to be done
 * ---------------------------------------------------------------------------- */

static bool fact_asks(const struct fact *f)
{
	if (f->flags & (F_CHECKING | F_POSTPONED))
		return false;
	return f->verdict == VERDICT_GAP || f->keyword || f->has_rule;
}

/* A build file needs work as soon as it touches the framework or depends on its distribution. */
static bool build_asks(const struct vocab *v, const struct fact *f)
{
	size_t i;
	const char *const *root;

	if (!f->name)
		return false;
	if (f->kind == FACT_IMPORT || f->kind == FACT_USE)
		return list_holds(v->roots, f->name);
	if (f->kind == FACT_REQUIRE)
		return list_has(v->upstream_dists, f->name);
	for (i = 0; f->kind == FACT_COMMAND && i < f->nr_args; i++)
		for (root = v->roots; root && *root; root++)
			if (f->args[i].text && !strcasecmp(f->args[i].text, *root))
				return true;
	return false;
}

static void work_find(struct classify *c)
{
	size_t i, k;

	for (i = 0; i < c->repo->nr_files; i++) {
		const struct source *s = c->repo->files[i];

		if (source_is_foreign(s))
			continue;
		for (k = 0; k < s->nr_facts; k++) {
			c->sites[i] += fact_asks(&s->facts[k]);
			c->work[i] |= s->layer == LAYER_BUILD && build_asks(c->vocab, &s->facts[k]);
		}
		c->work[i] |= c->sites[i] > 0;
	}
}

/* ---- entries
 * ------------------------------------------------------------------------------------- */

static unsigned path_depth(const char *path)
{
	unsigned depth = 0;

	for (; *path; path++)
		depth += *path == '/';
	return depth;
}

/* Shallow before deep, else by bytes. */
static int entry_cmp(const void *a, const void *b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	unsigned dx = path_depth(x), dy = path_depth(y);

	return dx != dy ? (dx < dy ? -1 : 1) : strcmp(x, y);
}

static void entries_sort(struct strings *s)
{
	if (s->nr)
		qsort(s->v, s->nr, sizeof(*s->v), entry_cmp);
}

/* Build entries called `name`, in the product's own folders. */
static void build_add(const struct classify *c, const char *name, struct strings *out)
{
	size_t i;

	for (i = 0; i < c->repo->nr_files; i++) {
		const struct source *s = c->repo->files[i];

		if (s->roles & ROLE_BUILD_ENTRY && !(s->roles & (ROLE_TEST | ROLE_EXAMPLE)) &&
		    !strcmp(path_base(s->path), name))
			strings_add(out, c->arena, s->path);
	}
}

static void build_entries(const struct classify *c)
{
	static const char *const chosen[] = {"setup.py", "pyproject.toml", NULL};
	static const char *const fallback[] = {"setup.cfg", "CMakeLists.txt", NULL};
	struct strings *out = &c->repo->build_entries;
	size_t i, start;

	for (i = 0; chosen[i]; i++)
		build_add(c, chosen[i], out);
	for (i = 0; fallback[i] && !out->nr; i++)
		build_add(c, fallback[i], out);
	/* setup.py stays before pyproject.toml within a folder; sub-projects come after the root.
	 */
	for (i = 0, start = 0; i < out->nr; i++)
		if (!strchr(out->v[i], '/')) {
			const char *root = out->v[i];

			memmove(out->v + start + 1, out->v + start, (i - start) * sizeof(*out->v));
			out->v[start++] = root;
		}
}

/* A package that is called like the repository or its distribution is what a user imports. */
static bool is_main_package(const struct repo *repo, const struct source *s)
{
	return s->module && !strcasecmp(s->module, repo->name);
}

static void call_entries(const struct classify *c)
{
	struct strings *out = &c->repo->call_entries;
	size_t i, k;

	for (i = 0; i < c->repo->nr_files; i++)
		if (c->repo->files[i]->roles & ROLE_CALL_ENTRY)
			strings_add(out, c->arena, c->repo->files[i]->path);
	entries_sort(out);
	for (i = 0; i < out->nr; i++) {
		const char *path = out->v[i];

		if (!is_main_package(c->repo, repo_find(c->repo, path)))
			continue;
		for (k = i; k; k--)
			out->v[k] = out->v[k - 1];
		out->v[0] = path;
		return;
	}
	/* Without a package the modules of the root are what is imported. */
	for (i = 0; !out->nr && i < c->repo->nr_files; i++) {
		const struct source *s = c->repo->files[i];

		if (s->module && !strchr(s->module, '.') &&
		    strings_has(&c->repo->packages, s->module) && s->lang == LANG_PYTHON &&
		    !(s->roles & (ROLE_SCRIPT | ROLE_BUILD_HELPER)))
			strings_add(out, c->arena, s->path);
	}
}

/* How basic a test looks: place of the first pattern it fits. */
static unsigned test_class(const struct layers *l, const char *path)
{
	unsigned i;

	for (i = 0; l->basic_tests[i]; i++) {
		const char *const one[] = {l->basic_tests[i], NULL};

		if (path_matches(path, one))
			break;
	}
	return i;
}

static bool test_before(const struct classify *c, const struct source *a, const struct source *b)
{
	unsigned ca = test_class(c->layers, a->path), cb = test_class(c->layers, b->path);
	unsigned da = path_depth(a->path), db = path_depth(b->path);
	size_t na = strlen(a->path), nb = strlen(b->path);
	bool oa = path_offers(c->repo, a->path), ob = path_offers(c->repo, b->path);

	if (oa != ob)
		return ob;
	if (ca != cb)
		return ca < cb;
	if (da != db)
		return da < db;
	return na < nb;
}

/* The test a person would run first; without tests the smallest example. */
static void test_entry(const struct classify *c, unsigned role, unsigned not_role)
{
	struct source *best = NULL;
	size_t i;

	for (i = 0; i < c->repo->nr_files; i++) {
		struct source *s = c->repo->files[i];

		if (s->lang != LANG_PYTHON || !(s->roles & role) || s->is_package ||
		    s->roles & (not_role | ROLE_BUILD_ENTRY) ||
		    !strcmp(path_base(s->path), "conftest.py"))
			continue;
		if (role == ROLE_TEST && (path_is_tooling(s->path) ||
					  !c->layers->basic_tests[test_class(c->layers, s->path)]))
			continue;
		if (!best || test_before(c, s, best))
			best = s;
	}
	if (!best)
		return;
	best->roles |= ROLE_TEST_ENTRY;
	strings_add(&c->repo->test_entries, c->arena, best->path);
}

void entries_assign(struct classify *c)
{
	build_entries(c);
	call_entries(c);
	test_entry(c, ROLE_TEST, ROLE_EXAMPLE);
	if (!c->repo->test_entries.nr)
		test_entry(c, ROLE_EXAMPLE, 0);
}

/* ---- lists
 * --------------------------------------------------------------------------------------- */

/* Where a file stands among others of the same place. */
struct place {
	size_t file;
	size_t points;
};

struct places {
	struct place *v;
	size_t nr, alloc;
};

static int place_cmp(const void *a, const void *b, void *ctx)
{
	const struct classify *c = ctx;
	const struct place *x = a, *y = b;
	const struct source *s = c->repo->files[x->file], *t = c->repo->files[y->file];

	if (x->points != y->points)
		return x->points > y->points ? -1 : 1;
	if (s->reach != t->reach)
		return s->reach < t->reach ? -1 : 1;
	if (c->sites[x->file] != c->sites[y->file])
		return c->sites[x->file] > c->sites[y->file] ? -1 : 1;
	return entry_cmp(&s->path, &t->path);
}

static void rank_set(struct classify *c, size_t file, enum treatment t, int *rank)
{
	struct source *s = c->repo->files[file];

	s->treatment = t;
	s->rank = (*rank)++;
}

/* Points of a file for a landing: its facts and the words of its path; false: it does not belong
 * there. */
static bool landing_points(const struct classify *c, const struct pick *p, size_t file,
			   size_t *points)
{
	const struct source *s = c->repo->files[file];
	size_t facts, words;

	if (s->rank >= 0 || !pick_file(c, p, file))
		return false;
	facts = pick_facts(c, p, s);
	words = path_words(s->path, p->words);
	*points = (facts > FACT_POINTS_MAX ? FACT_POINTS_MAX : facts) +
		  (words + path_words(s->path, p->bonus)) * WORD_POINTS;
	if (p->both)
		return facts && words;
	return facts || words || (!p->kinds && !*p->words);
}

static void landing_take(struct classify *c, const struct landing *l, int *rank)
{
	struct places places = {0};
	size_t i, points;

	for (i = 0; i < c->repo->nr_files; i++)
		if (landing_points(c, &l->pick, i, &points))
			*VEC_PUSH(c->arena, &places) = (struct place){i, points};
	if (places.nr)
		qsort_r(places.v, places.nr, sizeof(*places.v), place_cmp, c);
	for (i = 0; i < places.nr && i < (size_t)l->take; i++)
		rank_set(c, places.v[i].file, TREAT_FIRST, rank);
}

/* The product before tests and examples; within the product the build first. */
enum { REST_CHECKS, REST_PRODUCT, REST_BUILD };

static size_t rest_points(const struct source *s)
{
	if (source_off_product(s))
		return REST_CHECKS;
	return s->layer == LAYER_BUILD ? REST_BUILD : REST_PRODUCT;
}

static void rest_take(struct classify *c, int *rank)
{
	struct places places = {0};
	size_t i;

	for (i = 0; i < c->repo->nr_files; i++)
		if (c->work[i] && c->repo->files[i]->rank < 0)
			*VEC_PUSH(c->arena, &places) =
				(struct place){i, rest_points(c->repo->files[i])};
	if (places.nr)
		qsort_r(places.v, places.nr, sizeof(*places.v), place_cmp, c);
	for (i = 0; i < places.nr; i++)
		rank_set(c, places.v[i].file,
			 places.v[i].points == REST_BUILD ? TREAT_FIRST : TREAT_SECOND, rank);
}

void lists_assign(struct classify *c, const struct type_table *table)
{
	int rank = 0;
	size_t i;

	for (i = 0; table && i < table->nr_landings; i++)
		landing_take(c, &table->landings[i], &rank);
	rest_take(c, &rank);
	rank = 0;
	for (i = 0; i < c->repo->nr_files; i++) {
		struct source *s = c->repo->files[i];

		if (s->rank < 0 && s->layer == LAYER_KERNEL)
			rank_set(c, i, TREAT_LEAVE, &rank);
		else if (s->rank < 0 && s->layer == LAYER_BINDING)
			rank_set(c, i, TREAT_COMPAT, &rank);
	}
}

static void reset(struct repo *repo)
{
	size_t i;

	for (i = 0; i < repo->nr_files; i++) {
		repo->files[i]->treatment = TREAT_LEAVE;
		repo->files[i]->rank = -1;
		repo->files[i]->roles &= ~(unsigned)ROLE_TEST_ENTRY;
	}
	repo->build_entries.nr = repo->call_entries.nr = repo->test_entries.nr = 0;
	repo->type_reasons = (struct strings){0};
}

int repo_classify(struct repo *repo, struct arena *a, const struct assets *assets,
		  const struct vocab *vocab, struct err *err)
{
	struct classify c = {.repo = repo, .arena = a, .vocab = vocab};
	const struct type_table *table;
	struct layers *layers;

	if (layers_load(&layers, a, assets, err))
		return -1;
	c.layers = layers;
	c.sites = arena_array(a, repo->nr_files, sizeof(*c.sites));
	c.work = arena_array(a, repo->nr_files, sizeof(*c.work));
	reset(repo);
	if (!repo->instructed)
		instructions_read(&c);
	repo->instructed = true;
	layers_assign(&c);
	work_find(&c);
	type_assign(&c, &table);
	entries_assign(&c);
	lists_assign(&c, table);
	return 0;
}
