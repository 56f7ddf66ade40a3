/*
 * parse.c - the C++ sources of a repository: units, workers, facts.
 */
#include <stdlib.h>
#include <string.h>

#include "cxx/parse.h"

static int text_order(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool parse_defines(const struct parse *p, const char *name)
{
	return p->defined.nr &&
	       bsearch(&name, p->defined.v, p->defined.nr, sizeof(*p->defined.v), text_order);
}

/* Macros of the repository's own, whatever they are called. */
static void defined_find(struct parse *p)
{
	size_t i, k;

	for (i = 0; i < p->repo->nr_files; i++) {
		const struct source *s = p->repo->files[i];

		for (k = 0; source_is_cxx(s) && k < s->nr_facts; k++)
			if (s->facts[k].kind == FACT_TOKEN && s->facts[k].flags & F_STORE)
				strings_add(&p->defined, p->arena, s->facts[k].name);
	}
	if (p->defined.nr)
		qsort(p->defined.v, p->defined.nr, sizeof(*p->defined.v), text_order);
}

static bool any_cxx(const struct repo *repo)
{
	size_t i;

	for (i = 0; i < repo->nr_files; i++)
		if (source_is_cxx(repo->files[i]) && repo->files[i]->nr_facts)
			return true;
	return false;
}

static int tables_load(struct parse *p, struct err *err)
{
	struct cxx_db **dbs = arena_array(p->arena, p->o->nr_targets + 1, sizeof(struct cxx_db *));
	size_t i;

	for (i = 0; i < p->o->nr_targets; i++)
		if (cxx_db_load(&dbs[i], p->arena, p->o->assets, p->o->targets[i].version,
				p->o->targets[i].build, err))
			return -1;
	p->dbs = (const struct cxx_db *const *)dbs;
	return 0;
}

static void count(struct cxx_counts *c, const struct units *units, struct answer *const *answers)
{
	size_t i;

	c->units = units->nr;
	for (i = 0; i < units->nr; i++) {
		if (!answers[i])
			c->lexical++;
		else if (answers[i]->foreign || units->v[i].lost)
			c->partial++;
		else
			c->full++;
	}
}

static const char *why_partial(const struct units *units, struct answer *const *answers,
			       const struct source *s, struct arena *a)
{
	size_t i;

	for (i = 0; i < units->nr; i++) {
		if (strcmp(units->v[i].path, s->path))
			continue;
		if (answers[i] && answers[i]->lacks)
			return arena_fmt(a, "judged in part: '%s' is not there", answers[i]->lacks);
		return "judged in part: it has errors that are no matter of the framework";
	}
	return "judged in part, as the units are that include it";
}

static void notice_partial(const struct parse *p, const struct units *units,
			   struct answer *const *answers, struct notices *notices)
{
	size_t i;

	for (i = 0; i < p->repo->nr_files; i++) {
		const struct source *s = p->repo->files[i];

		if (source_is_cxx(s) && s->analysis == ANALYSIS_PARTIAL)
			notice_add(notices, p->arena, s->path, "parse", "%s",
				   why_partial(units, answers, s, p->arena));
	}
}

int cxx_parse(struct repo *repo, const struct cxx_parse_options *o, struct arena *a,
	      struct notices *notices, struct cxx_counts *counts, struct err *err)
{
	struct parse p = {.repo = repo, .o = o, .arena = a};
	struct units units = {0};
	struct answer **answers;

	if (!o->nr_targets || !any_cxx(repo))
		return 0;
	if (tables_load(&p, err))
		return -1;
	defined_find(&p);
	p.flags = flags_load(&p, notices);
	units_find(&units, &p, notices);
	answers = arena_array(a, units.nr + 1, sizeof(struct answer *));
	if (units.nr && p.dbs[0])
		farm_run(&p, &units, answers, notices);
	count(counts, &units, answers);
	if (judge_run(&p, &units, answers, err))
		return -1;
	notice_partial(&p, &units, answers, notices);
	return 0;
}
