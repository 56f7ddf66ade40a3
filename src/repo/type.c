/*
 * type.c - what kind of repository it is: points for the signs of each type, with reasons.
 *
 * A sign counts once, when it is there often enough; its reason says how often and where first. The
 * type with most points wins, the one listed first among equals; none wins with less than it needs.
 */
#include <string.h>

#include "repo/internal.h"

/* How often a sign is there. */
struct count {
	size_t sites, files;
	const struct source *first;
};

static bool is_package_python(const struct source *s)
{
	return s->lang == LANG_PYTHON && !source_is_foreign(s) &&
	       !(s->roles & (ROLE_TEST | ROLE_EXAMPLE | ROLE_BUILD_ENTRY | ROLE_BUILD_HELPER));
}

static void count_file(const struct classify *c, const struct pick *p, size_t file, struct count *n)
{
	const struct source *s = c->repo->files[file];
	size_t sites;

	if (!pick_file(c, p, file))
		return;
	sites = p->kinds ? pick_facts(c, p, s) : 1;
	if (*p->words && !path_words(s->path, p->words))
		sites = 0;
	if (!sites)
		return;
	n->sites += sites;
	n->files++;
	if (!n->first)
		n->first = s;
}

static int signal_points(const struct classify *c, const struct signal *sig,
			 struct strings *reasons)
{
	struct count n = {0};
	size_t i, python = 0;
	bool facts = sig->pick.kinds != 0;

	for (i = 0; i < c->repo->nr_files; i++) {
		python += is_package_python(c->repo->files[i]);
		if (!sig->share || is_package_python(c->repo->files[i]))
			count_file(c, &sig->pick, i, &n);
	}
	if (!n.sites || n.sites < (size_t)sig->at_least ||
	    n.files * 100 < python * (size_t)sig->share)
		return 0;
	if (facts && n.sites > 1)
		strings_add(reasons, c->arena,
			    arena_fmt(c->arena, "%s (%zu times, first in %s)", sig->why, n.sites,
				      n.first->path));
	else if (n.files > 1)
		strings_add(reasons, c->arena,
			    arena_fmt(c->arena, "%s (%zu files, first %s)", sig->why, n.files,
				      n.first->path));
	else
		strings_add(reasons, c->arena,
			    arena_fmt(c->arena, "%s (%s)", sig->why, n.first->path));
	return sig->weight;
}

void type_assign(struct classify *c, const struct type_table **table)
{
	const struct layers *l = c->layers;
	int best = 0;
	size_t i, k;

	*table = NULL;
	for (i = 0; i < l->nr_types; i++) {
		const struct type_table *t = &l->types[i];
		struct strings reasons = {0};
		int points = 0;

		for (k = 0; k < t->nr_signals; k++)
			points += signal_points(c, &t->signals[k], &reasons);
		if (points < t->least || points <= best)
			continue;
		best = points;
		*table = t;
		c->repo->type_reasons = reasons;
	}
	c->repo->type = *table ? (*table)->type : NULL;
	c->repo->type_name = *table ? (*table)->name : NULL;
}
