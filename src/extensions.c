/*
 * extensions.c - see verdict.h: what stands between each C++ file, each extension, and a build.
 *
 * A unit is a source with the headers of the tree that it includes, as far as their names are literal: they
 * are looked for beside the file that includes them, then anywhere in the tree by the end of the path, where
 * only one file ends so. An extension is the units of its literal sources and the script that declares it.
 */
#include "verdict.h"

#include <stdlib.h>
#include <string.h>

#include "base/ends.h"
#include "base/intern.h"
#include "base/path.h"

/* What is known of one file. */
struct file_state {
	bool blocked, change, by_hand;
	struct strings blockers, hands; /* ids of rules, each once */
};

/* What one file includes of the tree, as places in repo->files; found when first asked for. */
struct included {
	VEC(size_t) v;
	bool known;
};

struct judge {
	struct result *r;
	struct arena *arena;
	struct file_state *files; /* beside repo->files */
	struct included *included;
	struct path_ends ends; /* of all files */
	unsigned *seen;		  /* beside repo->files: the last walk that came by */
	unsigned walk;
	VEC(size_t) todo; /* of the walk that goes on */
};

static bool is_cxx(const struct source *s)
{
	return s->lang == LANG_C || s->lang == LANG_CXX || s->lang == LANG_CUDA;
}

/* The place of a path in repo->files, nr_files: none. */
static size_t file_index(const struct repo *repo, const char *path)
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
	return repo->nr_files;
}

static size_t include_index(struct judge *j, const struct source *s, const struct fact *f)
{
	const struct repo *repo = j->r->repo;
	const char *dir = arena_strndup(j->arena, s->path, path_dirlen(s->path));
	const char *path = path_resolve(j->arena, dir, f->name);
	bool several;
	size_t at = path && !(f->flags & F_ANGLE) ? file_index(repo, path) : repo->nr_files;

	/* What the database knows is the framework's. */
	if (at < repo->nr_files || f->verdict == VERDICT_GAP || f->verdict == VERDICT_COVERED)
		return at;
	path = path_ends_find(&j->ends, f->name, &several);
	return path && !several ? file_index(repo, path) : repo->nr_files;
}

static void once(struct judge *j, struct strings *v, const char *rule)
{
	if (!strings_has(v, rule))
		strings_add(v, j->arena, rule);
}

static bool is_by_hand(const struct finding *f)
{
	return !f->fix || f->reason_not_applied || (!f->fix->nr_edits && !f->fix->rests_on);
}

static void finding_take(struct judge *j, const struct finding *f)
{
	size_t at = file_index(j->r->repo, f->source->path);
	struct file_state *state = at < j->r->repo->nr_files ? &j->files[at] : NULL;

	if (!state || f->state != STATE_OPEN || f->gpu_unverified ||
	    (f->fix && f->fix->requested))
		return;
	if (f->level == LEVEL_BLOCKED) {
		state->blocked = true;
		once(j, &state->blockers, f->rule);
	} else if (f->level == LEVEL_CHANGE) {
		state->change = true;
		if (is_by_hand(f)) {
			state->by_hand = true;
			once(j, &state->hands, f->rule);
		}
	}
}

static void state_add(struct judge *j, struct file_state *to, const struct file_state *from)
{
	size_t i;

	to->blocked |= from->blocked;
	to->change |= from->change;
	to->by_hand |= from->by_hand;
	for (i = 0; i < from->blockers.nr; i++)
		once(j, &to->blockers, from->blockers.v[i]);
	for (i = 0; i < from->hands.nr; i++)
		once(j, &to->hands, from->hands.v[i]);
}

/* A file without a word of the framework's holds nothing to judge. */
static bool is_judged(const struct source *s)
{
	return s->analysis == ANALYSIS_FULL || (s->analysis == ANALYSIS_LEXICAL && !s->mentions);
}

static const struct included *included_by(struct judge *j, size_t file)
{
	const struct repo *repo = j->r->repo;
	const struct source *s = repo->files[file];
	struct included *in = &j->included[file];
	size_t k, at;

	if (in->known)
		return in;
	in->known = true;
	for (k = 0; k < s->nr_facts; k++) {
		if (s->facts[k].kind != FACT_INCLUDE || s->facts[k].flags & F_INACTIVE)
			continue;
		at = include_index(j, s, &s->facts[k]);
		if (at < repo->nr_files && is_cxx(repo->files[at]) &&
		    !(repo->files[at]->roles & (ROLE_VENDORED | ROLE_SUBMODULE)))
			*VEC_PUSH(j->arena, &in->v) = at;
	}
	return in;
}

/* Add a file and what it includes; false when one of them was not judged in full. */
static bool unit_add(struct judge *j, size_t first, struct file_state *to)
{
	const struct included *in;
	bool judged = true;
	size_t i, k, at;

	j->todo.nr = 0;
	*VEC_PUSH(j->arena, &j->todo) = first;
	j->seen[first] = j->walk;
	for (i = 0; i < j->todo.nr; i++) {
		at = j->todo.v[i];
		judged &= is_judged(j->r->repo->files[at]);
		state_add(j, to, &j->files[at]);
		in = included_by(j, at);
		for (k = 0; k < in->v.nr; k++) {
			at = in->v.v[k];
			if (j->seen[at] == j->walk)
				continue;
			j->seen[at] = j->walk;
			*VEC_PUSH(j->arena, &j->todo) = at;
		}
	}
	return judged;
}

static const char *state_verdict(const struct file_state *state, bool judged)
{
	if (state->blocked)
		return "blocked";
	if (!judged || state->by_hand)
		return "unknown";
	return state->change ? "after_patch" : "as_is";
}

static int text_compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void extension_judge(struct judge *j, struct extension *e)
{
	const struct repo *repo = j->r->repo;
	struct file_state state = { 0 };
	VEC(const char *) unjudged = { 0 };
	size_t i, at;

	for (i = 0; i < e->nr_sources; i++) {
		at = file_index(repo, e->sources[i]);
		j->walk++;
		if (at == repo->nr_files || !unit_add(j, at, &state))
			*VEC_PUSH(j->arena, &unjudged) = e->sources[i];
	}
	if (e->source)
		state_add(j, &state, &j->files[file_index(repo, e->source->path)]);
	e->unjudged = unjudged.v;
	e->nr_unjudged = unjudged.nr;
	e->verdict = state_verdict(&state, !unjudged.nr && e->nr_sources);
	e->blocked_by = state.blocked ? state.blockers.v : NULL;
	e->nr_blocked_by = state.blocked ? state.blockers.nr : 0;
	e->by_hand = state.hands.v;
	e->nr_by_hand = state.hands.nr;
	if (e->nr_blocked_by)
		qsort(e->blocked_by, e->nr_blocked_by, sizeof(*e->blocked_by), text_compare);
	if (e->nr_by_hand)
		qsort(e->by_hand, e->nr_by_hand, sizeof(*e->by_hand), text_compare);
}

void extensions_judge(struct result *r, struct arena *a)
{
	struct repo *repo = r->repo;
	struct judge j = { .r = r, .arena = a };
	const char **paths;
	size_t i;

	j.files = arena_array(a, repo->nr_files + 1, sizeof(*j.files));
	j.seen = arena_array(a, repo->nr_files + 1, sizeof(*j.seen));
	j.included = arena_array(a, repo->nr_files + 1, sizeof(*j.included));
	paths = arena_array(a, repo->nr_files + 1, sizeof(*paths));
	for (i = 0; i < repo->nr_files; i++)
		paths[i] = repo->files[i]->path;
	path_ends_init(&j.ends, paths, repo->nr_files);
	for (i = 0; i < r->findings.nr; i++)
		finding_take(&j, r->findings.v[i]);
	for (i = 0; i < repo->nr_files; i++) {
		struct file_state state = { 0 };
		bool judged;

		if (!is_cxx(repo->files[i]) || repo->files[i]->analysis == ANALYSIS_SKIPPED)
			continue;
		j.walk++;
		judged = unit_add(&j, i, &state);
		repo->files[i]->verdict = state_verdict(&state, judged);
	}
	for (i = 0; i < repo->nr_extensions; i++)
		extension_judge(&j, &repo->extensions[i]);
}
