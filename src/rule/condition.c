/*
 * condition.c - the CONDITION of a marker: `covered NAME`, `fixed PDnnn`, `TARGET >= X`, and, or.
 *
 * One reader checks and judges. A condition is a list of alternatives, each a list of terms that
 * must all hold; what is not known stays unknown unless the rest decides.
 */
#include <ctype.h>
#include <string.h>

#include "rule/internal.h"

struct condition {
	const char *at;
	const struct rules *rules;
	const struct rule_asker *ask; /* NULL: only check */
	struct arena *arena;
	const char *what; /* is wrong */
};

/* The next word between blanks; empty at the end. */
static const char *next_word(struct condition *c)
{
	size_t n;

	c->at += strspn(c->at, " \t\n");
	n = strcspn(c->at, " \t\n");
	c->at += n;
	return arena_strndup(c->arena, c->at - n, n);
}

static bool name_is_dotted(const char *s)
{
	bool start = true;

	for (; *s; s++) {
		if (*s == '.' && start)
			return false;
		if (*s != '.' && *s != '_' && !isalnum((unsigned char)*s))
			return false;
		start = *s == '.';
	}
	return !start;
}

static enum verdict yes_or_no(bool holds)
{
	return holds ? VERDICT_COVERED : VERDICT_GAP;
}

static enum verdict both(enum verdict a, enum verdict b)
{
	if (a == VERDICT_GAP || b == VERDICT_GAP)
		return VERDICT_GAP;
	return a == VERDICT_COVERED && b == VERDICT_COVERED ? VERDICT_COVERED : VERDICT_UNKNOWN;
}

static enum verdict either(enum verdict a, enum verdict b)
{
	if (a == VERDICT_COVERED || b == VERDICT_COVERED)
		return VERDICT_COVERED;
	return a == VERDICT_GAP && b == VERDICT_GAP ? VERDICT_GAP : VERDICT_UNKNOWN;
}

/* The range holds all targets, or none: what is between them is no way to go. */
static enum verdict range_judge(const struct condition *c, const char *range, bool inside)
{
	bool all = true;
	size_t i;

	for (i = 0; i < c->rules->nr_targets; i++)
		all &= range_has(range, c->rules->targets[i].version) == inside;
	return yes_or_no(all);
}

static int term_covered(struct condition *c, enum verdict *out)
{
	const char *name = next_word(c);

	if (!name_is_dotted(name)) {
		c->what = arena_fmt(c->arena, "'covered' wants a dotted name, not '%s'", name);
		return -1;
	}
	*out = c->ask ? c->ask->covered(c->ask->ctx, c->arena, name) : VERDICT_UNKNOWN;
	return 0;
}

static int term_fixed(struct condition *c, enum verdict *out)
{
	const char *id = next_word(c);

	if (!list_has(c->rules->ids, id)) {
		c->what = arena_fmt(c->arena, "'fixed' wants the id of a rule, not '%s'", id);
		return -1;
	}
	*out = c->ask ? range_judge(c, rules_find(c->rules, id)->range, false) : VERDICT_UNKNOWN;
	return 0;
}

static int term_version(struct condition *c, const char *target, enum verdict *out)
{
	const char *op = next_word(c), *range = arena_fmt(c->arena, "%s%s", op, next_word(c));

	if (strcmp(op, ">=") || range_check(range)) {
		c->what = arena_fmt(c->arena, "'%s' wants '>= VERSION'", target);
		return -1;
	}
	*out = range_judge(c, range, true);
	return 0;
}

static int term_read(struct condition *c, enum verdict *out)
{
	const char *word = next_word(c), *target = c->rules->vocab->target_roots[0];

	if (!strcmp(word, "covered"))
		return term_covered(c, out);
	if (!strcmp(word, "fixed"))
		return term_fixed(c, out);
	if (!strcmp(word, target))
		return term_version(c, target, out);
	c->what = arena_fmt(c->arena, "a condition begins with covered, fixed or %s, not '%s'",
			    target, word);
	return -1;
}

static int condition_read(struct condition *c, enum verdict *out)
{
	enum verdict part = VERDICT_COVERED, term;
	const char *word;

	*out = VERDICT_GAP;
	for (;;) {
		if (term_read(c, &term))
			return -1;
		part = both(part, term);
		word = next_word(c);
		if (!strcmp(word, "and"))
			continue;
		*out = either(*out, part);
		part = VERDICT_COVERED;
		if (!*word)
			return 0;
		if (strcmp(word, "or")) {
			c->what = arena_fmt(c->arena,
					    "conditions are joined by and, or; not '%s'", word);
			return -1;
		}
	}
}

int condition_check(const char *text, const struct rules *r, struct arena *a, const char **what)
{
	struct condition c = { .at = text, .rules = r, .arena = a };
	enum verdict v;
	int ret = condition_read(&c, &v);

	*what = c.what;
	return ret;
}

enum verdict condition_judge(const char *text, const struct rules *r, const struct rule_asker *ask,
			     struct arena *a)
{
	struct condition c = { .at = text, .rules = r, .ask = ask, .arena = a };
	enum verdict v;

	return condition_read(&c, &v) ? VERDICT_UNKNOWN : v;
}
