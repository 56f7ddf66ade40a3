/*
 * verdict.c - see verdict.h.
 *
 * A verdict is never better than what was analysed: a repository or extension with a source that was read
 * only lexically, in part or not at all is "unknown", and the reason counts what was not judged. So is a
 * repository with an extension that is: what is not known of it is not known of the whole.
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

/* What something without an equivalent keeps from working. */
enum stop {
	STOP_IMPORT,	/* the import of a package */
	STOP_EXTENSION, /* the build of C++ */
	STOP_FUNCTION,	/* a function, when it is called */
	STOP_MODULE,	/* a module that no package is seen to import */
	STOP_NR
};

struct tally {
	size_t blocked, stops[STOP_NR], change, by_hand;
	size_t unjudged, kinds[ANALYSIS_FULL + 1];
	size_t extensions; /* that are unknown */
};

/* An edit for another finding lets the import fail later, when what it brings is used. */
static bool is_put_off(const struct result *r, const struct finding *f)
{
	size_t i;

	for (i = 0; f->fact->kind == FACT_IMPORT && i < r->findings.nr; i++) {
		const struct finding *o = r->findings.v[i];

		if (o->source == f->source && o->fact->stmt.start == f->fact->stmt.start &&
		    finding_counts(o) && o->fix && o->fix->nr_edits && !o->reason_not_applied)
			return true;
	}
	return false;
}

static enum stop finding_stops(const struct result *r, const struct finding *f)
{
	enum lang lang = f->source->lang;

	if (lang == LANG_C || lang == LANG_CXX || lang == LANG_CUDA)
		return STOP_EXTENSION;
	if (f->fact->flags & F_FUNCTION || is_put_off(r, f))
		return STOP_FUNCTION;
	return f->source->reach == REACH_NONE && !(f->source->roles & ROLE_BUILD_ENTRY)
		       ? STOP_MODULE
		       : STOP_IMPORT;
}

static void findings_tally(const struct result *r, struct tally *t)
{
	size_t i;

	for (i = 0; i < r->findings.nr; i++) {
		const struct finding *f = r->findings.v[i];

		if (!finding_counts(f))
			continue;
		if (f->level == LEVEL_BLOCKED) {
			t->blocked++;
			t->stops[finding_stops(r, f)]++;
		}
		if (f->level != LEVEL_CHANGE)
			continue;
		t->change++;
		t->by_hand += !f->fix || f->reason_not_applied ||
			      (!f->fix->nr_edits && !f->fix->rests_on);
	}
}

static const char *unjudged_reason(const struct tally *t, struct arena *a)
{
	const char *plural = t->unjudged == 1 ? "file" : "files";

	if (t->kinds[ANALYSIS_LEXICAL] == t->unjudged)
		return arena_fmt(a, "%zu %s read lexically only", t->unjudged, plural);
	return arena_fmt(a, "%zu %s not judged", t->unjudged, plural);
}

static const char *blocked_reason(const struct tally *t, struct arena *a)
{
	static const char *const places[] = {
		[STOP_IMPORT] = "at import",
		[STOP_EXTENSION] = "in extensions",
		[STOP_FUNCTION] = "in functions",
		[STOP_MODULE] = "in modules not reached",
	};
	const char *said = "";
	size_t i;

	for (i = 0; i < STOP_NR; i++)
		if (t->stops[i])
			said = arena_fmt(a, "%s%s%zu %s", said, *said ? ", " : "", t->stops[i],
					 places[i]);
	return said;
}

static void repository_judge(struct result *r, struct tally *t, struct arena *a)
{
	r->verdict = "unknown";
	if (t->blocked) {
		r->verdict = "blocked";
		r->verdict_reason = blocked_reason(t, a);
	} else if (t->unjudged) {
		r->verdict_reason = unjudged_reason(t, a);
	} else if (t->by_hand) {
		r->verdict_reason = arena_fmt(a, "%zu of %zu changes have no mechanical edit",
					      t->by_hand, t->change);
	} else if (t->extensions) {
		r->verdict_reason = arena_fmt(a, "%zu extension%s not judged", t->extensions,
					      t->extensions == 1 ? "" : "s");
	} else {
		r->verdict = t->change ? "after_patch" : "as_is";
	}
}

static bool is_unknown(const struct extension *e)
{
	return !strcmp(e->verdict, "unknown") && !(e->source && source_off_product(e->source));
}

/* An extension that is made in several branches of a script counts once. */
static void extensions_tally(const struct result *r, struct tally *t)
{
	const struct extension *v = r->repo->extensions;
	size_t i, k;

	for (i = 0; i < r->repo->nr_extensions; i++) {
		for (k = 0; k < i; k++)
			if (*v[i].name && is_unknown(&v[k]) && str_eq(v[k].name, v[i].name))
				break;
		t->extensions += k == i && is_unknown(&v[i]);
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
	extensions_judge(r, a);
	for (i = 0; i < r->findings.nr; i++)
		r->expired += r->findings.v[i]->level == LEVEL_EXPIRED &&
			      r->findings.v[i]->state == STATE_OPEN;
	findings_tally(r, &t);
	extensions_tally(r, &t);
	repository_judge(r, &t, a);
}
