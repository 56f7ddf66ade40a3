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

#include "base/intern.h"
#include "base/path.h"

/* What is known of one file. */
struct file_state {
	bool blocked, change, by_hand;
	struct strings blockers, hands; /* ids of rules, each once */
};

struct judge {
	struct result *r;
	struct arena *arena;
	struct file_state *files; /* beside repo->files */
	unsigned *seen;		  /* beside repo->files: the last walk that came by */
	unsigned walk;
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

/* The one file of the tree whose path ends with the include name, nr_files: none, or several. */
static size_t file_ending(const struct repo *repo, const char *name)
{
	size_t found = repo->nr_files, n = strlen(name), i;

	for (i = 0; i < repo->nr_files; i++) {
		size_t len = strlen(repo->files[i]->path);

		if (len < n || strcmp(repo->files[i]->path + len - n, name) ||
		    (len > n && repo->files[i]->path[len - n - 1] != '/'))
			continue;
		if (found < repo->nr_files)
			return repo->nr_files;
		found = i;
	}
	return found;
}

static size_t include_index(struct judge *j, const struct source *s, const struct fact *f)
{
	const struct repo *repo = j->r->repo;
	const char *dir = arena_strndup(j->arena, s->path, path_dirlen(s->path));
	const char *path = path_resolve(j->arena, dir, f->name);
	size_t at = path && !(f->flags & F_ANGLE) ? file_index(repo, path) : repo->nr_files;

	/* What the database knows is the framework's. */
	if (at < repo->nr_files || f->verdict == VERDICT_GAP || f->verdict == VERDICT_COVERED)
		return at;
	return file_ending(repo, f->name);
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

/* Add a file and what it includes; false when one of them was not judged in full. */
static bool unit_add(struct judge *j, size_t first, struct file_state *to)
{
	const struct repo *repo = j->r->repo;
	VEC(size_t) todo = { 0 };
	bool judged = true;
	size_t i, k, at;

	*VEC_PUSH(j->arena, &todo) = first;
	j->seen[first] = j->walk;
	for (i = 0; i < todo.nr; i++) {
		const struct source *s = repo->files[todo.v[i]];

		judged &= is_judged(s);
		state_add(j, to, &j->files[todo.v[i]]);
		for (k = 0; k < s->nr_facts; k++) {
			if (s->facts[k].kind != FACT_INCLUDE || s->facts[k].flags & F_INACTIVE)
				continue;
			at = include_index(j, s, &s->facts[k]);
			if (at == repo->nr_files || j->seen[at] == j->walk || !is_cxx(repo->files[at]) ||
			    repo->files[at]->roles & (ROLE_VENDORED | ROLE_SUBMODULE))
				continue;
			j->seen[at] = j->walk;
			*VEC_PUSH(j->arena, &todo) = at;
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
	size_t i;

	j.files = arena_array(a, repo->nr_files + 1, sizeof(*j.files));
	j.seen = arena_array(a, repo->nr_files + 1, sizeof(*j.seen));
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
