/*
 * feature.c - branches that a test for a feature keeps from running on the target.
 *
 * A test asks whether something has a name. Where it is a name below a root, the branch behind
 * `not` never runs when the target has it. Where it is a member of a value, the same holds for the
 * member as it is used in one of the branches, written on the same receiver; and the branch in front
 * never runs when the target lacks it.
 */
#include <string.h>

#include "base/intern.h"
#include "rule/internal.h"

/* A member used in `where` that has the verdict and is what hasattr(...) asks for. */
static bool member_is(const struct source *s, struct span where, const char *test,
		      enum verdict verdict)
{
	size_t i, n, m;

	if (!str_starts(test, "hasattr("))
		return false;
	test += strlen("hasattr(");
	for (i = fact_from(s, where.start); i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];

		if (f->span.start >= where.end)
			break;
		if (f->kind != FACT_MEMBER || f->verdict != verdict || !f->text || !f->name)
			continue;
		n = strlen(f->text);
		m = strlen(f->name);
		if (!strncmp(test, f->text, n) && (!strncmp(test + n, ", \"", 3) ||
						   !strncmp(test + n, ", '", 3)) &&
		    !strncmp(test + n + 3, f->name, m) &&
		    (!strcmp(test + n + 3 + m, "\")") || !strcmp(test + n + 3 + m, "')")))
			return true;
	}
	return false;
}

bool feature_idles(const struct source *s, const struct guard *t)
{
	const char *test = t->text;
	bool there = t->kind == GUARD_IF;

	if (t->kind == GUARD_HASATTR)
		return t->negated && t->verdict == VERDICT_COVERED;
	if (!test || t->catches || (!there && (t->kind != GUARD_FALLBACK || !t->negated)))
		return false;
	if (str_starts(test, "not ")) {
		test += strlen("not ");
		there = !there;
	}
	return there ? member_is(s, t->body, test, VERDICT_GAP) :
		       member_is(s, t->other, test, VERDICT_COVERED);
}
