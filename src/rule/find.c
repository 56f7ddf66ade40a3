/*
 * find.c - facts -> findings.
 *
 * Two passes over a source. The first collects which rules hold where and marks the facts that
 * have one; the second looks at guards (which needs those marks) and makes the findings. A generic
 * rule speaks only where no other rule speaks of the name.
 */
#include <string.h>
#include <strings.h>

#include "base/intern.h"
#include "rule/internal.h"

#define ASIDE_MAX 256 /* imports, aliases and bases looked at in one file */

struct hit {
	size_t fact;
	const struct rule *rule;
	bool guarded, drop;
};

/* An import of something that is not there: what fails first, before the uses of its name. */
struct gap_import {
	const struct fact *fact;
	bool guarded;
};

struct finder {
	const struct rules *rules;
	struct source *source;
	bool elsewhere; /* the source is C++ for hardware that the target's build has not */
	struct matcher matcher;
	struct arena *arena;  /* of the findings */
	struct arena scratch; /* of this call */
	uint16_t *candidates;
	size_t *first; /* per rule: its first hit plus one, 0: none */
	VEC(struct hit) hits;
	VEC(struct gap_import) imports;
	VEC(const struct binding *) aliases; /* module-level names given something missing */
	VEC(const char *) bases;	     /* of the file's classes */
	struct guards guards;
};

/* A part of the path is, or has between '_', '-' and '.', one of the words; letters count alike. */
static bool path_has(const char *path, const char *const *words)
{
	static const char cuts[] = "/_-.";
	size_t n, i;

	for (; *path; path += n + (path[n] != 0)) {
		n = strcspn(path, cuts);
		for (i = 0; words && words[i]; i++)
			if (strlen(words[i]) == n && !strncasecmp(path, words[i], n))
				return true;
	}
	return false;
}

static bool is_cxx(const struct source *s)
{
	return s->lang == LANG_C || s->lang == LANG_CXX || s->lang == LANG_CUDA;
}

static bool never_runs(const struct fact *f)
{
	return f->flags & (F_CHECKING | F_POSTPONED);
}

/* A fact that never runs interests only a rule that asks for such facts. */
static bool rule_holds(struct finder *fi, const struct rule *rule, const struct fact *f)
{
	size_t i;

	for (i = 0; i < rule->match.nr; i++) {
		const struct match *m = &rule->match.v[i];

		if (never_runs(f) && !(m->flags & f->flags & (F_CHECKING | F_POSTPONED)))
			continue;
		if (match_holds(&fi->matcher, m, f))
			return true;
	}
	return false;
}

static void hit_add(struct finder *fi, size_t fact, const struct rule *rule)
{
	struct hit *h = VEC_PUSH(&fi->scratch, &fi->hits);

	h->fact = fact;
	h->rule = rule;
	if (!fi->first[rule - fi->rules->v])
		fi->first[rule - fi->rules->v] = fi->hits.nr;
	if (!fi->elsewhere && (rule->level == LEVEL_CHANGE || rule->level == LEVEL_BLOCKED))
		fi->source->facts[fact].has_rule = true;
}

/* A rule that is no last resort holds at the fact, and has edits. */
static bool is_fixed(struct finder *fi, const struct fact *f)
{
	const struct rules *r = fi->rules;
	uint16_t *candidates = arena_array(&fi->scratch, r->nr + 1, sizeof(*candidates));
	size_t nr = index_lookup(r->index, f->kind, f->name, candidates), i;

	for (i = 0; i < nr; i++) {
		const struct rule *rule = &r->v[candidates[i]];

		if (rule->fix && rule->fix->nr_steps && !rule->unless_fixed && !rule->request &&
		    rule_holds(fi, rule, f))
			return true;
	}
	return false;
}

/* Something in the statement of the fact is fixed by another rule. */
static bool is_stmt_fixed(struct finder *fi, const struct fact *f)
{
	const struct source *s = fi->source;
	size_t i;

	for (i = 0; i < s->nr_facts; i++)
		if (s->facts[i].name && s->facts[i].kind == f->kind &&
		    s->facts[i].stmt.start == f->stmt.start && is_fixed(fi, &s->facts[i]))
			return true;
	return false;
}

/*
 * The rules of one fact, generic ones last. A rule for the first such place in a file keeps its
 * later places too until guards are known: the first one that is not guarded decides its level.
 */
static void fact_hits(struct finder *fi, size_t fact)
{
	const struct rules *r = fi->rules;
	struct fact *f = &fi->source->facts[fact];
	bool answered = false;
	size_t nr, i;

	f->has_rule = false;
	if (!f->name)
		return;
	nr = index_lookup(r->index, f->kind, f->name, fi->candidates);
	for (i = 0; i < nr; i++) {
		const struct rule *rule = &r->v[fi->candidates[i]];

		if (rule->generic || (rule->request && !(rule->request & r->requests)) ||
		    !rule_holds(fi, rule, f) || (rule->unless_fixed && is_stmt_fixed(fi, f)))
			continue;
		hit_add(fi, fact, rule);
		answered |= !rule->beside_generic;
	}
	for (i = 0; i < nr && !answered; i++) {
		const struct rule *rule = &r->v[fi->candidates[i]];

		if (!rule->generic || !rule_holds(fi, rule, f))
			continue;
		hit_add(fi, fact, rule);
		answered = true;
	}
}

static bool is_first_in_file(const struct rule *rule)
{
	return rule->match.v[0].first_in_file;
}

/* Guards of all hits; of a first-in-file rule only the first hit stays. */
static void hits_guard(struct finder *fi)
{
	size_t i, first;

	for (i = 0; i < fi->hits.nr; i++) {
		struct hit *h = &fi->hits.v[i];

		h->guarded = guards_protect(&fi->guards, &fi->source->facts[h->fact],
					    h->rule->raises);
		first = fi->first[h->rule - fi->rules->v] - 1;
		if (!is_first_in_file(h->rule) || first == i)
			continue;
		h->drop = true;
		fi->hits.v[first].guarded &= h->guarded;
	}
}

static void import_collect(struct finder *fi, const struct fact *f)
{
	struct gap_import *g;

	if (f->kind != FACT_IMPORT || f->verdict != VERDICT_GAP || never_runs(f))
		return;
	g = VEC_PUSH(&fi->scratch, &fi->imports);
	g->fact = f;
	g->guarded = guards_protect(&fi->guards, f, 0);
}

/* True when `name` or what it is reached through is missing. */
static bool leads_to_gap(struct finder *fi, const char *name)
{
	const char *dot;

	if (guards_missing(&fi->guards, name))
		return true;
	for (dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.'))
		if (guards_missing(&fi->guards,
				   arena_strndup(&fi->scratch, name, (size_t)(dot - name))))
			return true;
	return false;
}

/* What the hits of this file are seen beside. */
static void aside_collect(struct finder *fi)
{
	const struct source *s = fi->source;
	size_t i;

	for (i = 0; i < s->nr_facts; i++) {
		if (fi->imports.nr < ASIDE_MAX)
			import_collect(fi, &s->facts[i]);
		if (s->facts[i].flags & F_BASE && fi->bases.nr < ASIDE_MAX)
			*VEC_PUSH(&fi->scratch, &fi->bases) = s->facts[i].name;
	}
	for (i = 0; i < s->nr_exports && fi->aliases.nr < ASIDE_MAX; i++)
		if (s->exports[i].target && leads_to_gap(fi, s->exports[i].target))
			*VEC_PUSH(&fi->scratch, &fi->aliases) = &s->exports[i];
}

/* The other branch of a condition; a handler catches something. */
static bool is_else(const struct guard *g)
{
	return g->kind == GUARD_FALLBACK && !g->catches;
}

/* What type checkers skip always runs, and nearly always what makes a gradient that is asked for. */
static bool is_usual(const struct guard *g)
{
	static const char *const words[] = { "TYPE_CHECKING", "needs_input_grad", NULL };
	size_t i;

	for (i = 0; words[i]; i++)
		if (g->text && strstr(g->text, words[i]))
			return true;
	return false;
}

/* Under a condition that nothing is known about. */
static bool under_condition(const struct source *s, const struct fact *f)
{
	int i;

	for (i = f->guard; i >= 0 && (size_t)i < s->nr_guards; i = s->guards[i].parent) {
		const struct guard *g = &s->guards[i];

		if (g->kind != GUARD_IF && !is_else(g))
			continue;
		if (!is_usual(g))
			return true;
	}
	return false;
}

/*
 * True when the use is written through the name that the failing import would have bound. The
 * lengths tell: what is written is the bound name in place of the imported one.
 */
static bool written_through(const struct fact *use, const struct fact *import)
{
	size_t n = strlen(import->name), written = use->span.end - use->span.start;
	const char *bound = import->text;
	size_t m = bound ? strlen(bound) : 0;

	if (!bound || strncmp(use->name, import->name, n) || (use->name[n] && use->name[n] != '.'))
		return false;
	if (!(import->flags & F_FROM) && m < n && !strncmp(import->name, bound, m))
		return false; /* `import a.b` binds a */
	return m + strlen(use->name) - n == written;
}

/* True when what is used is a name that was given something missing: it failed there. */
static bool written_by_alias(const struct finder *fi, const struct fact *use)
{
	size_t written = use->span.end - use->span.start, n = strlen(use->name), i, m;
	const char *dot = strrchr(use->missing, '.');
	const struct binding *b;

	/* Spelled out, it is something, a dot, and all from the missing part on. */
	if (dot && !strncmp(use->name, use->missing, strlen(use->missing)) &&
	    written < 1 + n - (size_t)(dot - use->missing))
		return true;
	for (i = 0; i < fi->aliases.nr; i++) {
		b = fi->aliases.v[i];
		m = strlen(b->target);
		if (m <= n && !strncmp(use->name, b->target, m) &&
		    strlen(b->name) + n - m == written)
			return true;
	}
	return false;
}

/*
 * Uses of a name that is missing through a name that was bound to it elsewhere: there is the site.
 * Where an import of it is protected, a use under a condition is taken as the condition on its
 * success.
 */
static void hit_fold(struct finder *fi, struct hit *h)
{
	const struct fact *f = &fi->source->facts[h->fact];
	size_t i;

	if (h->rule->generic != GENERIC_NAME || f->kind != FACT_USE || !f->missing)
		return;
	h->drop |= written_by_alias(fi, f);
	/* getattr(a.b, "c") where a.b is missing: a.b is a use of its own. */
	h->drop |= f->flags & F_DYNAMIC && strcmp(f->missing, f->name);
	for (i = 0; i < fi->imports.nr && !h->drop; i++) {
		const struct gap_import *g = &fi->imports.v[i];

		if (written_through(f, g->fact))
			h->drop = true;
		else if (g->guarded && str_eq(g->fact->missing, f->missing) &&
			 under_condition(fi->source, f))
			h->guarded = true;
	}
}

/* The receiver is known only as a base of the file's own classes, which may have the member. */
static bool is_inherited(const struct finder *fi, const struct fact *f)
{
	size_t i;

	for (i = 0; f->kind == FACT_MEMBER && i < fi->bases.nr; i++)
		if (str_eq(fi->bases.v[i], f->recv))
			return true;
	return false;
}

/* Whether the site is ever reached, or what it is about, is not known. */
static bool is_unsure(const struct finder *fi, const struct fact *f)
{
	const struct source *s = fi->source;
	unsigned own = ROLE_TEST | ROLE_TEST_ENTRY | ROLE_EXAMPLE | ROLE_SCRIPT | ROLE_BUILD_ENTRY |
		       ROLE_BUILD_HELPER | ROLE_CALL_ENTRY;

	if (f->flags & F_INACTIVE)
		return true;
	if (f->flags & F_FUNCTION && s->reach == REACH_NONE && !(s->roles & own))
		return true;
	if (f->def >= 0 && (size_t)f->def < s->nr_defs && s->defs[f->def].is_lambda)
		return true;
	return under_condition(s, f) || is_inherited(fi, f);
}

static enum level hit_level(const struct finder *fi, const struct hit *h)
{
	const struct rule *rule = h->rule;

	if (h->guarded)
		return rule->level_if_guarded;
	if (fi->elsewhere && rule->level != LEVEL_EXPIRED)
		return LEVEL_NOTE;
	if (rule->level_if_unsure >= 0 && is_unsure(fi, &fi->source->facts[h->fact]))
		return rule->level_if_unsure;
	return h->rule->level;
}

static struct fix *hit_fix(struct finder *fi, const struct hit *h)
{
	const struct rule_fix *rf = h->rule->fix;
	struct fix *fix;

	if (!rf || h->guarded)
		return NULL;
	fix = ARENA_NEW(fi->arena, struct fix);
	fix->safety = rf->safety;
	fix->dual = rf->dual;
	fix->anywhere = rf->anywhere;
	fix->requested = h->rule->request != 0;
	fix->rows = rf->rows;
	fix->not_all = !h->rule->everywhere;
	fix->since = h->rule->since;
	fix->description = rf->description;
	if (!rf->nr_steps)
		fix->reason = rf->description;
	return fix;
}

static void hit_finding(struct finder *fi, const struct hit *h, struct findings *out)
{
	struct finding *x = ARENA_NEW(fi->arena, struct finding);
	const struct rule *rule = h->rule;
	const struct fact *f = &fi->source->facts[h->fact];

	x->rule = rule->id;
	x->name = rule->name;
	x->level = hit_level(fi, h);
	x->source = fi->source;
	x->fact = f;
	x->span = f->span;
	x->symbol = f->symbol ? f->symbol : "";
	x->message = template_expand(fi->arena, rule->message, fi->rules, f);
	x->group = rule->group ? arena_fmt(fi->arena, "%s %s", rule->id,
					   template_expand(fi->arena, rule->group, fi->rules, f))
			       : rule->id;
	x->nr_guards = guards_words(fi->source, f, fi->arena, &x->guards);
	x->gpu_unverified = rule->gpu_unverified;
	x->reproducer = rule->reproducer;
	x->rule_data = rule;
	x->fix = hit_fix(fi, h);
	/* Of a row that is deleted nothing is to be left. */
	if (!x->fix || !x->fix->rows || !(fi->rules->requests & REQUEST_DELETE_ROWS)) {
		x->keep_until = rule->keep_until;
		x->keep_long_term = rule->keep_long_term;
	}
	*VEC_PUSH(fi->arena, out) = x;
}

void rules_match(const struct rules *r, const struct repo *repo, struct source *s, struct arena *a,
		 struct findings *out)
{
	struct finder fi = { .rules = r, .source = s, .arena = a };
	size_t i;

	if (!s->nr_facts || !r->nr)
		return;
	fi.elsewhere = is_cxx(s) && path_has(s->path, r->words.other_backends);
	fi.matcher = (struct matcher){ .repo = repo, .source = s, .arena = &fi.scratch };
	never_mark(r, s, &fi.scratch);
	fi.first = arena_array(&fi.scratch, r->nr, sizeof(*fi.first));
	fi.candidates = arena_array(&fi.scratch, r->nr + 1, sizeof(*fi.candidates));
	for (i = 0; i < s->nr_facts; i++)
		fact_hits(&fi, i);
	if (fi.hits.nr) {
		guards_init(&fi.guards, r, s, &fi.scratch);
		hits_guard(&fi);
		aside_collect(&fi);
	}
	for (i = 0; i < fi.hits.nr; i++) {
		hit_fold(&fi, &fi.hits.v[i]);
		if (!fi.hits.v[i].drop)
			hit_finding(&fi, &fi.hits.v[i], out);
	}
	arena_free(&fi.scratch);
}
