/*
 * verb_undo.c - undo what stands below a marker, and take the marker out.
 *
 * The marker names its rule and says how many sites it is for: the statement below it, or so many in
 * the rest of its block. All of them must be found again, no more and no fewer; else a person looks.
 */
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "rule/undo.h"

#define NOWHERE	      (-1)
#define FACTS_BELOW_MAX 8192 /* looked at for one marker */
#define SITES_MAX	100  /* of one marker */

static const struct undo_verb undo_verbs[] = {
#define UNDO(word, function)	   { word, function, false },
#define UNDO_LINES(word, function) { word, function, true },
#include "rule/undo.def"
#undef UNDO
#undef UNDO_LINES
};

static const struct undo_verb *undo_find(const char *word)
{
	size_t i;

	for (i = 0; i < sizeof(undo_verbs) / sizeof(*undo_verbs); i++)
		if (!strcmp(undo_verbs[i].word, word))
			return &undo_verbs[i];
	return NULL;
}

bool undo_possible(const struct rule *rule)
{
	return rule->fix && rule->fix->nr_steps == 1 && undo_find(rule->fix->steps[0].verb->word);
}

/* One text for several names: which one it was cannot be told. */
static bool is_one_for_many(const struct rule *rule)
{
	const struct rule_step *step = &rule->fix->steps[0];
	size_t i, k, names = 0;

	for (i = 0; i < rule->match.nr; i++)
		for (k = 0; k < rule->match.v[i].nr_kinds; k++)
			names += rule->match.v[i].kinds[k].names.nr;
	return names > 1 && !strcmp(step->verb->word, "rename") && step->text &&
	       !strchr(step->text, '$');
}

bool rules_undoable(const struct rules *r, const char *id)
{
	const struct rule *rule = rules_find(r, id);

	return rule && rule->keep_until && undo_possible(rule) && !is_one_for_many(rule);
}

bool undo_is_rules(const struct undo *u)
{
	size_t i, k;

	for (i = 0; i < u->rule->match.nr; i++)
		for (k = 0; k < u->rule->match.v[i].nr_kinds; k++) {
			const struct kind_test *t = &u->rule->match.v[i].kinds[k];

			if (t->kind == u->fact->kind && patterns_match(&t->names, u->fact->name))
				return true;
		}
	return false;
}

/* How many sites the marker is for: the number behind its id, else one. */
static size_t marked_sites(const char *words)
{
	const char *p = strrchr(words, ']');

	p = p ? p + 1 + strspn(p + 1, " ") : "";
	p += strspn(p, "x\xc3\x97");
	return *p ? strtoul(p, NULL, 10) : 1;
}

/* The first statement whose line begins at or behind the marker's end. */
static int stmt_below(const struct shape *sh, uint32_t at)
{
	size_t i;

	for (i = 0; i < sh->nr_stmts; i++)
		if (sh->stmts[i].first_on_line && sh->stmts[i].line_start >= at)
			return (int)i;
	return NOWHERE;
}

/* May the fact be one of the sites of the marker above statement `below`? */
static bool in_reach(const struct undo *u, int below)
{
	const struct shape_stmt *v = u->c->shape->stmts;
	int at = shape_place(u->c->shape, u->fact->span.start);

	if (at < below)
		return false;
	/* The `try` that a verb put around an import has its place. */
	if (u->fact->kind == FACT_IMPORT && v[at].parent >= below &&
	    !strcmp(v[v[at].parent].kind, "try"))
		at = v[at].parent;
	return u->sites > 1 ? v[at].parent == v[below].parent : at == below;
}

/* Where the reach of the marker ends. */
static uint32_t reach_end(const struct undo *u, int below)
{
	const struct shape *sh = u->c->shape;
	int block;

	if (!sh->nr_stmts)
		return (uint32_t)sh->len;
	block = u->sites > 1 ? sh->stmts[below].parent : below;
	return block < 0 ? (uint32_t)sh->len : sh->stmts[block].span.end;
}

/* Undo every site that is found; returns how many, or UNDO_REFUSED. */
static int sites_undo(struct undo *u, const struct undo_verb *verb, int below)
{
	const struct source *s = u->c->source;
	const struct shape *sh = u->c->shape;
	uint32_t end = reach_end(u, below);
	size_t first = fact_from(s, u->c->fact->stmt.end), i;
	enum undone done;
	int found = 0;

	if (verb->lines)
		return verb->undo(u) == UNDO_DONE ? (int)u->sites : 0;
	for (i = first; i < s->nr_facts && s->facts[i].span.start < end; i++) {
		u->fact = &s->facts[i];
		if ((size_t)found > u->sites)
			break; /* one too many says enough */
		if (i - first == FACTS_BELOW_MAX)
			return verb_refuse(u->c, "too much stands below the marker");
		if (u->fact->kind == FACT_MARKER || !u->fact->name)
			continue;
		if (sh->nr_stmts && !in_reach(u, below))
			continue;
		done = verb->undo(u);
		if (done == UNDO_REFUSED)
			return UNDO_REFUSED;
		found += done == UNDO_DONE;
	}
	return found;
}

int verb_undo(struct verb_call *c)
{
	const struct fact *marker = c->fact;
	struct undo u = { .c = c, .rule = rules_find(c->rules, marker->name) };
	int below = stmt_below(c->shape, marker->stmt.end), found;

	if (!u.rule)
		return verb_refuse(c, "no rule %s is known", marker->name);
	if (!undo_possible(u.rule))
		return verb_refuse(c, "what %s did cannot be told from its result", marker->name);
	if (c->shape->nr_stmts && below == NOWHERE)
		return verb_refuse(c, "nothing stands below the marker");
	if (marker->stmt.end > c->shape->len)
		return verb_refuse(c, "the marker does not lie in the text");
	u.sites = marked_sites(marker->text);
	if (u.sites > SITES_MAX)
		return verb_refuse(c, "too many sites are marked");
	u.step = &u.rule->fix->steps[0];
	found = sites_undo(&u, undo_find(u.step->verb->word), below);
	if (found < 0)
		return -1;
	if ((size_t)found != u.sites)
		return verb_refuse(c, "%zu site%s marked, %d found as %s makes them", u.sites,
				   u.sites == 1 ? " is" : "s are", found, marker->name);
	verb_edit(c, marker->stmt.start, marker->stmt.end, "");
	return 0;
}
