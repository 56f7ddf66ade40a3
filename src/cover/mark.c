/* mark.c - verdicts for the facts of a source. */
#include <stdlib.h>
#include <string.h>

#include "cover/internal.h"

static int text_order(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void cover_assigned(struct cover *c, const struct repo *repo, struct arena *a)
{
	VEC(const char *) names = {0};
	size_t i, j;

	for (i = 0; i < repo->nr_files; i++) {
		const struct source *f = repo->files[i];

		/* What a test patches in, it takes out again. */
		if (source_off_product(f))
			continue;
		for (j = 0; j < f->nr_facts; j++)
			if (f->facts[j].kind == FACT_ASSIGN && f->facts[j].name)
				*VEC_PUSH(a, &names) = f->facts[j].name;
	}
	if (names.nr)
		qsort(names.v, names.nr, sizeof(*names.v), text_order);
	c->assigned = names.v;
	c->nr_assigned = names.nr;
}

bool assigned_has(const struct cover *c, const char *name)
{
	char part[WALK_NAME_MAX * 2];
	const char *key = part;
	size_t n, len = strlen(name);

	if (!c->nr_assigned || len >= sizeof(part))
		return false;
	for (n = 1; n <= len; n++) {
		if (name[n] && name[n] != '.')
			continue;
		memcpy(part, name, n);
		part[n] = 0;
		if (bsearch(&key, c->assigned, c->nr_assigned, sizeof(*c->assigned), text_order))
			return true;
	}
	return false;
}

static bool below_root(const struct cover *c, const char *name)
{
	size_t i, n;

	for (i = 0; i < c->nr; i++) {
		n = strlen(c->targets[i]->root);
		if (!strncmp(name, c->targets[i]->root, n) && (!name[n] || name[n] == '.'))
			return true;
	}
	return false;
}

static void fact_answer(struct fact *f, const struct cover_answer *r)
{
	f->verdict = r->verdict;
	f->row = r->row;
	if (r->verdict == VERDICT_GAP)
		f->missing = r->missing;
}

/* An import needs its module, and a from-import the name in it. */
static void mark_import(const struct cover *c, struct fact *f, struct arena *a)
{
	const char *dot = strrchr(f->name, '.');
	bool tail = dot && (f->flags & (F_FROM | F_STAR));
	const char *module = tail ? arena_strndup(a, f->name, (size_t)(dot - f->name)) : f->name;
	struct cover_answer r = cover_ask(c, a, ASK_IMPORT, module, NULL);

	if (r.verdict == VERDICT_COVERED && tail && !(f->flags & F_STAR))
		r = cover_ask(c, a, ASK_NAME, f->name, NULL);
	fact_answer(f, &r);
}

static void mark_keyword(const struct cover *c, struct fact *f, enum question q, const char *name,
			 const char *member)
{
	size_t i;

	if (!(f->flags & F_CALL) || (f->flags & F_SPLAT) || f->verdict != VERDICT_COVERED)
		return;
	for (i = 0; i < f->nr_args && !f->keyword; i++)
		if (f->args[i].keyword && !f->args[i].splat &&
		    cover_rejects(c, q, name, member, f->args[i].keyword))
			f->keyword = f->args[i].keyword;
}

static void mark_use(const struct cover *c, struct fact *f, struct arena *a)
{
	struct cover_answer r = cover_ask(c, a, ASK_NAME, f->name, NULL);

	fact_answer(f, &r);
	mark_keyword(c, f, ASK_NAME, f->name, NULL);
}

static void mark_member(const struct cover *c, struct fact *f, struct arena *a)
{
	struct cover_answer r;

	if (!f->recv || (f->flags & F_STORE) || !below_root(c, f->recv))
		return;
	r = cover_ask(c, a, ASK_MEMBER, f->recv, f->name);
	fact_answer(f, &r);
	mark_keyword(c, f, ASK_MEMBER, f->recv, f->name);
}

/* What a test for an attribute asks for. */
static void mark_guard(const struct cover *c, struct guard *g, struct arena *a)
{
	if (g->kind == GUARD_HASATTR && g->name && below_root(c, g->name))
		g->verdict = cover_ask(c, a, ASK_NAME, g->name, NULL).verdict;
}

void cover_mark(const struct cover *c, struct source *s, struct arena *a)
{
	size_t i;

	for (i = 0; i < s->nr_guards; i++)
		mark_guard(c, &s->guards[i], a);

	for (i = 0; i < s->nr_facts; i++) {
		struct fact *f = &s->facts[i];

		if (!f->name || (f->flags & F_INTERNAL))
			continue;
		if (f->kind == FACT_MEMBER)
			mark_member(c, f, a);
		else if (f->kind == FACT_IMPORT && below_root(c, f->name))
			mark_import(c, f, a);
		else if (f->kind == FACT_USE && below_root(c, f->name))
			mark_use(c, f, a);
	}
}
