/*
 * guard.c - does the code around a site make up for its failure.
 *
 * A try protects only when its fallback works: it catches what the site raises, no handler raises
 * again, and everything in the handlers is known to work or protected in its turn. A test for an
 * attribute protects what is under it when the attribute is not there on the target: the branch
 * never runs; nor does one for versions that the target does not give itself out for. Code that is
 * only defined inside a try runs after it and is not protected by it; but behind a statement that
 * fails it is not even defined.
 *
 * Answers are remembered per guard, so a file costs about its size times its depth.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "rule/internal.h"

#define NO_ABORT UINT32_MAX

static int name_compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void guards_init(struct guards *g, const struct rules *r, const struct source *s, struct arena *a)
{
	size_t i, nr = 0;

	*g = (struct guards){ .rules = r, .source = s, .arena = a };
	g->works = arena_alloc(a, s->nr_guards + 1);
	g->asked = arena_alloc(a, s->nr_guards + 1);
	g->aborts = arena_array(a, s->nr_guards + 1, sizeof(*g->aborts));
	for (i = 0; i < s->nr_facts; i++)
		nr += s->facts[i].verdict == VERDICT_GAP && s->facts[i].missing;
	g->missing = arena_array(a, nr + 1, sizeof(*g->missing));
	for (i = 0; i < s->nr_facts; i++)
		if (s->facts[i].verdict == VERDICT_GAP && s->facts[i].missing)
			g->missing[g->nr_missing++] = s->facts[i].missing;
	if (g->nr_missing)
		qsort(g->missing, g->nr_missing, sizeof(*g->missing), name_compare);
}

bool guards_missing(const struct guards *g, const char *name)
{
	return g->nr_missing && bsearch(&name, g->missing, g->nr_missing, sizeof(*g->missing),
					name_compare);
}

size_t fact_from(const struct source *s, uint32_t offset)
{
	size_t lo = 0, hi = s->nr_facts;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->facts[mid].span.start < offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static bool span_holds(struct span outer, uint32_t offset)
{
	return offset >= outer.start && offset < outer.end;
}

/* True when the site runs later than the body it stands in: a function between them. */
static bool is_deferred(const struct source *s, const struct fact *f, struct span body)
{
	int d;

	if (!(f->flags & F_FUNCTION))
		return false;
	for (d = f->def; d >= 0 && (size_t)d < s->nr_defs; d = s->defs[d].parent)
		if (!s->defs[d].is_class && span_holds(body, s->defs[d].span.start))
			return true;
	return false;
}

static bool protects(struct guards *g, const struct fact *f, unsigned raised, int until, int depth);

/* What a fact raises when it fails, by its kind. */
static unsigned raises_by_kind(const struct fact *f)
{
	return f->kind == FACT_IMPORT ? CATCH_IMPORT : f->keyword ? CATCH_TYPE : CATCH_ATTRIBUTE;
}

static bool fallback_fact_works(struct guards *g, const struct fact *f, int guard, int depth)
{
	bool open = f->verdict == VERDICT_GAP || f->verdict == VERDICT_UNKNOWN || f->has_rule;

	/* A member of interest on who knows what: nothing says that it is there. */
	if (f->kind == FACT_MEMBER && f->verdict == VERDICT_NONE && !(f->flags & F_STORE))
		open = true;
	if (f->flags & (F_CHECKING | F_POSTPONED) || !open)
		return true;
	if (f->kind != FACT_IMPORT && f->kind != FACT_USE && f->kind != FACT_MEMBER)
		return true;
	return protects(g, f, raises_by_kind(f), guard, depth);
}

/* Does everything in the handlers of guard `i` work on the target? */
static bool fallback_works(struct guards *g, int i, int depth)
{
	const struct source *s = g->source;
	const struct guard *t = &s->guards[i];
	size_t k;

	if (g->works[i])
		return g->works[i] > 0;
	g->works[i] = 1;
	for (k = fact_from(s, t->other.start); k < s->nr_facts; k++) {
		if (s->facts[k].span.start >= t->other.end)
			break;
		if (!fallback_fact_works(g, &s->facts[k], t->parent, depth)) {
			g->works[i] = -1;
			break;
		}
	}
	return g->works[i] > 0;
}

/* Offset of the first site in the body of guard `i` that fails and so ends it, or NO_ABORT. */
static uint32_t body_aborts(struct guards *g, int i)
{
	const struct source *s = g->source;
	const struct guard *t = &s->guards[i];
	const struct fact *f;
	size_t k;

	if (g->asked[i])
		return g->aborts[i];
	g->asked[i] = 1;
	g->aborts[i] = NO_ABORT;
	for (k = fact_from(s, t->body.start); k < s->nr_facts; k++) {
		f = &s->facts[k];
		if (f->span.start >= t->body.end)
			break;
		if ((f->kind != FACT_IMPORT && f->kind != FACT_USE) || f->guard != i ||
		    f->verdict != VERDICT_GAP || !(t->catches & raises_by_kind(f)))
			continue;
		if (f->flags & (F_CHECKING | F_POSTPONED) || is_deferred(s, f, t->body))
			continue;
		g->aborts[i] = f->span.start;
		break;
	}
	return g->aborts[i];
}

static bool try_protects(struct guards *g, int i, const struct fact *f, unsigned raised, int depth)
{
	const struct guard *t = &g->source->guards[i];

	if (t->reraises)
		return false;
	if (body_aborts(g, i) < f->span.start && span_holds(t->body, f->span.start))
		return fallback_works(g, i, depth);
	if (!(t->catches & raised) || is_deferred(g->source, f, t->body))
		return false;
	return fallback_works(g, i, depth);
}

/* An import of the target's own package: who writes it has looked whether it is there. */
static bool imports_target(const struct guards *g, const struct fact *f)
{
	const char *const *root;
	size_t n;

	for (root = g->rules->vocab->target_roots; root && *root && f->kind == FACT_IMPORT; root++) {
		n = strlen(*root);
		if (!strncmp(f->name, *root, n) && (!f->name[n] || f->name[n] == '.'))
			return true;
	}
	return false;
}

/* True when nothing in a try's body can fail on the target, so that its handlers never run. */
static bool body_works(const struct guards *g, const struct guard *t)
{
	const struct source *s = g->source;
	bool any = false;
	size_t k;

	if (t->catches & CATCH_OTHER)
		return false;
	for (k = fact_from(s, t->body.start); k < s->nr_facts; k++) {
		const struct fact *f = &s->facts[k];

		if (f->span.start >= t->body.end)
			break;
		if (f->kind != FACT_IMPORT && f->kind != FACT_USE && f->kind != FACT_MEMBER)
			continue;
		if (!imports_target(g, f) && (f->verdict != VERDICT_COVERED || f->has_rule))
			return false;
		any = true;
	}
	return any;
}

/*
 * The try whose handlers hold the branch `i`, -1: none. What a branch is the other side of stands
 * before it, with only the guards inside it between.
 */
static int handled_try(const struct source *s, int i)
{
	const struct guard *b = &s->guards[i];
	int k;

	for (k = i - 1; k >= 0; k--)
		if (s->guards[k].parent == b->parent &&
		    span_holds(s->guards[k].other, b->body.start))
			return s->guards[k].kind == GUARD_TRY ? k : -1;
	return -1;
}

/* A branch that is the other side of something never runs when that cannot fail; remembered. */
static bool branch_idles(struct guards *g, int i)
{
	int t;

	if (!g->works[i]) {
		t = handled_try(g->source, i);
		g->works[i] = t >= 0 && body_works(g, &g->source->guards[t]) ? 1 : -1;
	}
	return g->works[i] > 0;
}

static bool test_is_always_true(const struct guards *g, const char *name)
{
	const char *const *w;
	size_t n;

	for (w = g->rules->words.always_there; *w; w++) {
		n = strlen(*w);
		if (!strncmp(name, *w, n) && (!name[n] || name[n] == '.'))
			return true;
	}
	return false;
}

/* A branch under `if hasattr(x, "y")`: it never runs when the target has no x.y. */
static bool hasattr_protects(struct guards *g, const struct guard *t)
{
	return !t->negated && t->name && !test_is_always_true(g, t->name) &&
	       guards_missing(g, t->name);
}

/* Number `k` of a version, 0 where it has fewer. */
static long version_number(const char *version, int k)
{
	for (; k && *version; k--) {
		version += strcspn(version, ".");
		version += *version == '.';
	}
	return strtol(version, NULL, 10);
}

/* -1: the test is false for this version, 1: true, 0: the first numbers do not tell. */
static int version_answer(const char *range, const char *version)
{
	const char *bound = range + strcspn(range, "<>=!"), *at = bound + strspn(bound, "<>=!");
	long a = strtol(at, NULL, 10), b = strtol(version, NULL, 10);
	char number[24];

	if (bound > range) {
		snprintf(number, sizeof(number), "%ld", version_number(version, *range - '0'));
		return range_has(bound, number) ? 1 : -1;
	}
	/* As texts, versions are in order only as long as the first number is one digit. */
	if (a == b || a > 9 || b > 9)
		return 0;
	return range_has(range, version) ? 1 : -1;
}

/* A branch for versions of the upstream framework that no target gives itself out for. */
static bool version_protects(const struct guards *g, const struct guard *t)
{
	const struct rules *r = g->rules;
	const char *const *root;
	size_t i, n;

	if (!t->range || !t->name)
		return false;
	for (root = r->vocab->roots; *root; root++) {
		n = strlen(*root);
		if (!strncmp(t->name, *root, n) && !strcmp(t->name + n, ".__version__"))
			break;
	}
	for (i = 0; *root && i < r->nr_targets; i++)
		if (version_answer(t->range, r->targets[i].version) != (t->negated ? 1 : -1))
			return false;
	return *root && r->nr_targets;
}

/* `name` is what the file calls the target's own package. */
static bool is_target(const struct guards *g, const char *name, size_t n)
{
	const struct source *s = g->source;
	size_t i;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];

		if (f->kind == FACT_IMPORT && f->text && strlen(f->text) == n &&
		    !memcmp(f->text, name, n) && list_has(g->rules->vocab->target_roots, f->name))
			return true;
	}
	return false;
}

/* A branch for where the target is not installed: `if target is None`, or the other one. */
static bool absence_idles(const struct guards *g, const struct guard *t)
{
	size_t n = t->text ? strcspn(t->text, " ") : 0;
	bool none = n && !strcmp(t->text + n, " is None");

	if (!none && (!n || strcmp(t->text + n, " is not None")))
		return false;
	return none == (t->kind == GUARD_IF) && (none || t->negated) && is_target(g, t->text, n);
}

static bool guard_protects(struct guards *g, int i, const struct fact *f, unsigned raised,
			   int depth)
{
	const struct guard *t = &g->source->guards[i];

	switch (t->kind) {
	case GUARD_TRY:
		return try_protects(g, i, f, raised, depth);
	case GUARD_HASATTR:
		return hasattr_protects(g, t) || feature_idles(g->source, t);
	case GUARD_CHECKING:
		return true;
	case GUARD_VERSION:
		return version_protects(g, t);
	case GUARD_FALLBACK:
		return branch_idles(g, i) || hasattr_protects(g, t) || feature_idles(g->source, t) ||
		       absence_idles(g, t);
	case GUARD_IF:
		return feature_idles(g->source, t) || absence_idles(g, t);
	default:
		return false;
	}
}

/* Guards from the innermost outwards, up to but not with `until`. */
static bool protects(struct guards *g, const struct fact *f, unsigned raised, int until, int depth)
{
	const struct source *s = g->source;
	int i;

	/* Handlers nest as deep as the text does; what is deeper is taken as not protected. */
	if (depth > 64)
		return false;
	for (i = f->guard; i >= 0 && (size_t)i < s->nr_guards && i != until;
	     i = s->guards[i].parent)
		if (guard_protects(g, i, f, raised, depth + 1))
			return true;
	return false;
}

bool guards_protect(struct guards *g, const struct fact *f, unsigned raised)
{
	if (!raised)
		raised = raises_by_kind(f);
	return protects(g, f, raised == RAISES_NOTHING ? 0 : raised, -1, 0);
}

static const char *guard_words(const struct guard *t, struct arena *a)
{
	const char *text = t->text ? t->text : t->name;

	switch (t->kind) {
	case GUARD_TRY:
		return arena_fmt(a, "try (%s)", text ? text : "any error");
	case GUARD_HASATTR:
		return arena_fmt(a, "%s %s", t->negated ? "not hasattr" : "hasattr",
				 t->name ? t->name : "?");
	case GUARD_FALLBACK:
		return "fallback";
	case GUARD_CHECKING:
		return "type checking only";
	case GUARD_MAIN:
		return "only as a program";
	case GUARD_VERSION:
		return arena_fmt(a, "version test %s", text ? text : "");
	case GUARD_SWITCH:
		return arena_fmt(a, "%s %s", t->negated ? "outside" : "under", text ? text : "?");
	default:
		return arena_fmt(a, "if %s", text ? text : "...");
	}
}

size_t guards_words(const struct source *s, const struct fact *f, struct arena *a,
		    const char ***out)
{
	size_t nr = 0, k;
	int i;

	for (i = f->guard; i >= 0 && (size_t)i < s->nr_guards; i = s->guards[i].parent)
		nr++;
	*out = nr ? arena_array(a, nr, sizeof(**out)) : NULL;
	for (i = f->guard, k = nr; k; i = s->guards[i].parent)
		(*out)[--k] = guard_words(&s->guards[i], a);
	return nr;
}
