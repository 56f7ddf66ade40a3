/*
 * marker.c - conditions of markers and of rules, judged on the targets.
 *
 * A marker of our own names its rule, and its condition means what it says. What a person wrote
 * waits for names; a name that is there and still has a rule of its own has not come yet.
 */
#include <ctype.h>
#include <string.h>

#include "base/intern.h"
#include "rule/internal.h"

/* Is it the id of a rule, which a marker of our own has as its name? */
static bool is_id(const char *name)
{
	size_t i;

	for (i = 2; i < 5 && !strncmp(name, "PD", 2) && isdigit((unsigned char)name[i]); i++)
		;
	return i == 5 && !name[5];
}

void rules_settle(struct rules *r, const struct rule_asker *ask, struct arena *a)
{
	bool changed = false;
	size_t i;

	for (i = 0; i < r->nr; i++) {
		struct rule *rule = &r->v[i];

		if (!rule->active || !rule->keep_until ||
		    condition_judge(rule->keep_until, r, ask, a) != VERDICT_COVERED)
			continue;
		rule->active = false;
		changed = true;
	}
	if (changed)
		r->index = index_build(r, a);
}

/* Is the name written out in the rule? A pattern is about what is passed, not about one name. */
static bool names_it(const struct rule *rule, enum fact_kind kind, const char *name)
{
	size_t i, k, n;

	for (i = 0; i < rule->match.nr; i++)
		for (k = 0; k < rule->match.v[i].nr_kinds; k++) {
			const struct kind_test *t = &rule->match.v[i].kinds[k];

			for (n = 0; t->kind == kind && n < t->names.nr; n++)
				if (!strcmp(t->names.v[n].text, name))
					return true;
		}
	return false;
}

/* A rule that says that using the name, as `kind`, goes wrong; NULL: none. */
static const struct rule *rule_of_name(const struct rules *r, enum fact_kind kind,
				       const char *name, struct arena *a)
{
	uint16_t *found = arena_array(a, r->nr + 1, sizeof(*found));
	size_t nr = index_lookup(r->index, kind, name, found), i;

	for (i = 0; i < nr; i++) {
		const struct rule *rule = &r->v[found[i]];

		if ((rule->level == LEVEL_CHANGE || rule->level == LEVEL_BLOCKED) &&
		    names_it(rule, kind, name))
			return rule;
	}
	return NULL;
}

/* What an asker answers for a name that a person waits for. */
struct waiting {
	const struct rules *rules;
	const struct rule_asker *ask;
	const struct rule *rule; /* that still speaks of a name */
};

static enum verdict waiting_covered(void *ctx, struct arena *a, const char *name)
{
	static const enum fact_kind kinds[] = { FACT_USE, FACT_IMPORT, FACT_MEMBER };
	struct waiting *w = ctx;
	const char *dot = strrchr(name, '.');
	const struct rule *rule;
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		rule = rule_of_name(w->rules, kinds[i],
				    kinds[i] == FACT_MEMBER && dot ? dot + 1 : name, a);
		if (!rule)
			continue;
		w->rule = rule;
		return VERDICT_GAP;
	}
	return w->ask->covered(w->ask->ctx, a, name);
}

static void foreign_judge(const struct rules *r, struct fact *f, const struct rule_asker *ask,
			  struct arena *a)
{
	struct waiting w = { .rules = r, .ask = ask };
	struct rule_asker through = { .covered = waiting_covered, .ctx = &w };

	f->verdict = f->recv ? condition_judge(f->recv, r, &through, a) : VERDICT_UNKNOWN;
	if (w.rule)
		f->row = arena_fmt(a, "rule %s", w.rule->id);
	else
		f->row = f->recv ? f->recv : "no condition that can be evaluated";
}

static void own_judge(const struct rules *r, const struct source *s, struct fact *f,
		      const struct rule_asker *ask, struct arena *a, struct notices *notices)
{
	const char *what;

	if (!f->recv) {
		f->verdict = VERDICT_GAP;
		f->row = "kept long-term";
		return;
	}
	f->row = f->recv;
	f->verdict = VERDICT_UNKNOWN;
	if (condition_check(f->recv, r, a, &what))
		notice_add(notices, a, s->path, "marker", "a marker of %s: %s", f->name, what);
	else
		f->verdict = ask->all_hold ? VERDICT_COVERED : condition_judge(f->recv, r, ask, a);
}

void rules_judge(const struct rules *r, struct source *s, const struct rule_asker *ask,
		 struct arena *a, struct notices *notices)
{
	size_t i;

	for (i = 0; i < s->nr_facts; i++) {
		struct fact *f = &s->facts[i];

		if (f->kind != FACT_MARKER)
			continue;
		if (is_id(f->name))
			own_judge(r, s, f, ask, a, notices);
		else
			foreign_judge(r, f, ask, a);
	}
}
