/*
 * method.c - does a class define its methods as a rule asks.
 *
 * The fact is a class. A test names a method and may ask for one of its parameters; the first
 * parameter of a method is never meant, and neither are *args and **kwargs; `first_unlike` alone is
 * about the first. What the class inherits is not looked at.
 */
#include <string.h>

#include "base/intern.h"
#include "rule/internal.h"

static bool parameter_holds(const struct method_test *t, const struct arg *p)
{
	bool given = p->valspan.end > p->valspan.start;

	if (p->splat || (t->required && given))
		return false;
	if (t->values && (!given || !(t->values & 1u << p->value)))
		return false;
	return !t->annotation.nr || patterns_match(&t->annotation, p->text);
}

static bool method_holds(const struct method_test *t, const struct def *d)
{
	size_t i;

	if (!t->parameter)
		return true;
	for (i = 1; i < d->nr_params; i++)
		if (parameter_holds(t, &d->params[i]))
			return true;
	return false;
}

/* The method's own name when the definition is one of the class, else NULL. */
static const char *method_name(const struct def *d, const struct fact *f)
{
	size_t n = strlen(f->name);

	if (d->is_class || d->is_lambda || d->span.start < f->stmt.start ||
	    d->span.end > f->stmt.end)
		return NULL;
	return !strncmp(d->name, f->name, n) && d->name[n] == '.' ? d->name + n + 1 : NULL;
}

static bool surplus_holds(const struct source *s, const struct method_test *t, const struct fact *f)
{
	struct gradients g;

	return !t->surplus || gradients_read(&g, s, f, t->plain) == (enum surplus)t->surplus;
}

/* Its first parameter has another name than that of the method asked for. */
static bool first_holds(const struct source *s, const struct method_test *t, const struct def *d,
			const struct fact *f)
{
	size_t i;

	for (i = 0; t->first_unlike && i < s->nr_defs; i++) {
		const struct def *o = &s->defs[i];
		const char *name = method_name(o, f);

		if (name && !strcmp(name, t->first_unlike) && o->nr_params && d->nr_params)
			return !str_eq(o->params[0].keyword, d->params[0].keyword);
	}
	return !t->first_unlike;
}

bool methods_hold(const struct source *s, const struct method_test *tests, size_t nr,
		  const struct fact *f)
{
	size_t i, k;

	if (nr && f->kind != FACT_CLASS)
		return false;
	for (i = 0; i < nr; i++) {
		for (k = 0; k < s->nr_defs; k++) {
			const char *name = method_name(&s->defs[k], f);

			if (name && patterns_match(&tests[i].name, name) &&
			    method_holds(&tests[i], &s->defs[k]) &&
			    first_holds(s, &tests[i], &s->defs[k], f))
				break;
		}
		if (k == s->nr_defs || !surplus_holds(s, &tests[i], f))
			return false;
	}
	return true;
}
