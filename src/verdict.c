/*
 * verdict.c - see verdict.h.
 *
 * A verdict is never better than what was analysed: a repository or extension with a source that was read
 * only lexically, in part or not at all is "unknown", and the reason counts what was not judged.
 */
#include "verdict.h"

#include <string.h>

/* What was asked for on the command line does not make the product worse. */
static bool finding_counts(const struct finding *f)
{
	if (f->fix && f->fix->requested)
		return false;
	return f->state == STATE_OPEN && !f->gpu_unverified && !source_off_product(f->source);
}

/* Why a source of the product was not judged, NULL when it was. */
static const char *source_unjudged(const struct source *s)
{
	if (s->lang == LANG_OTHER || source_off_product(s) || s->layer == LAYER_KERNEL)
		return NULL;
	switch (s->analysis) {
	case ANALYSIS_FULL:
		return NULL;
	case ANALYSIS_LEXICAL:
		return "read lexically only";
	case ANALYSIS_PARTIAL:
		return "analysed in part";
	case ANALYSIS_SKIPPED:
		return "not analysed";
	}
	return NULL;
}

/*
 * Things that are no source, or none that was read, and that a notice names: folders that could not be
 * opened, pipes, links. What lies behind them may be part of the product. Notices of stage "ignore" say
 * how the tree was listed, not that something was missed.
 */
static size_t notices_unjudged(const struct result *r)
{
	const char *last = NULL;
	size_t i, nr = 0;

	for (i = 0; i < r->notices.nr; i++) {
		const char *path = r->notices.v[i].path;
		const struct source *s = path ? repo_find(r->repo, path) : NULL;

		if (!path || str_eq(path, last) ||
		    !strcmp(r->notices.v[i].stage, "ignore") ||
		    (s && s->analysis != ANALYSIS_SKIPPED))
			continue;
		if (s && (source_off_product(s) || source_unjudged(s)))
			continue;
		last = path;
		nr++;
	}
	return nr;
}

static void extension_judge(struct result *r, struct extension *e, struct arena *a)
{
	VEC(const char *) unjudged = { 0 };
	size_t i;

	for (i = 0; i < e->nr_sources; i++) {
		const struct source *s = repo_find(r->repo, e->sources[i]);

		if (!s || s->analysis != ANALYSIS_FULL)
			*VEC_PUSH(a, &unjudged) = e->sources[i];
	}
	e->unjudged = unjudged.v;
	e->nr_unjudged = unjudged.nr;
	e->verdict = "unknown";
}

struct tally {
	size_t blocked, change, by_hand;
	size_t unjudged, kinds[ANALYSIS_FULL + 1];
};

static void findings_tally(const struct result *r, struct tally *t)
{
	size_t i;

	for (i = 0; i < r->findings.nr; i++) {
		const struct finding *f = r->findings.v[i];

		if (!finding_counts(f))
			continue;
		t->blocked += f->level == LEVEL_BLOCKED;
		if (f->level != LEVEL_CHANGE)
			continue;
		t->change++;
		t->by_hand += !f->fix || !f->fix->nr_edits || f->reason_not_applied;
	}
}

static const char *unjudged_reason(const struct tally *t, struct arena *a)
{
	const char *plural = t->unjudged == 1 ? "file" : "files";

	if (t->kinds[ANALYSIS_LEXICAL] == t->unjudged)
		return arena_fmt(a, "%zu %s read lexically only", t->unjudged, plural);
	return arena_fmt(a, "%zu %s not judged", t->unjudged, plural);
}

static void repository_judge(struct result *r, struct tally *t, struct arena *a)
{
	if (t->blocked) {
		r->verdict = "blocked";
		r->verdict_reason = arena_fmt(a, "%zu blocked", t->blocked);
	} else if (t->unjudged) {
		r->verdict = "unknown";
		r->verdict_reason = unjudged_reason(t, a);
	} else if (t->by_hand) {
		r->verdict = "unknown";
		r->verdict_reason = arena_fmt(a, "%zu of %zu changes have no mechanical edit",
					      t->by_hand, t->change);
	} else {
		r->verdict = t->change ? "after_patch" : "as_is";
	}
}

/* Switches, and markers above workarounds. */
static size_t source_ported(const struct result *r, const struct source *s)
{
	size_t i, nr = 0;

	for (i = 0; i < s->nr_facts; i++)
		nr += s->facts[i].kind == FACT_MARKER ||
		      (s->facts[i].kind == FACT_USE && s->facts[i].flags & F_CALL &&
		       list_has(r->vocab->switch_calls, s->facts[i].name));
	return nr;
}

void verdict_build(struct result *r, struct arena *a)
{
	struct tally t = { 0 };
	size_t i;

	for (i = 0; i < r->repo->nr_files; i++) {
		const struct source *s = r->repo->files[i];

		r->ported_sites += source_ported(r, s);
		if (!source_unjudged(s))
			continue;
		t.unjudged++;
		t.kinds[s->analysis]++;
	}
	t.unjudged += notices_unjudged(r);
	for (i = 0; i < r->repo->nr_extensions; i++)
		extension_judge(r, &r->repo->extensions[i], a);
	for (i = 0; i < r->findings.nr; i++)
		r->expired += r->findings.v[i]->level == LEVEL_EXPIRED &&
			      r->findings.v[i]->state == STATE_OPEN;
	findings_tally(r, &t);
	repository_judge(r, &t, a);
}
