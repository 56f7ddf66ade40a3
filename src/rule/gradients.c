/*
 * gradients.c - does backward give a gradient for what is no tensor.
 *
 * The fact is a class with a method backward and a method forward, whose first parameter is the context
 * unless a method setup_context fills it. What is known of a parameter of forward comes from its
 * annotation, its default and, by the calls of the class's own `apply` in the file, from what is passed;
 * that it is a tensor also from what is done with it, and that it is none from its being put on the
 * context as it is: tensors are saved. Only a backward is judged each of whose returns gives one value
 * per parameter, and only of a class whose methods use what is known to be the context (see types.c of
 * the front end: they are static, or get the class first).
 */
#include <string.h>

#include "base/intern.h"
#include "rule/internal.h"

const struct def *class_method(const struct source *s, const char *cls, struct span within,
			       const char *name)
{
	const struct def *found = NULL;
	size_t n = strlen(cls), i;

	for (i = 0; i < s->nr_defs; i++) {
		const struct def *d = &s->defs[i];

		if (d->is_class || d->is_lambda || d->span.start < within.start ||
		    d->span.end > within.end || strncmp(d->name, cls, n) || d->name[n] != '.' ||
		    strcmp(d->name + n + 1, name))
			continue;
		if (found)
			return NULL;
		found = d;
	}
	return found;
}

size_t context_at(const struct def *method)
{
	return method->is_of_class;
}

/* The fact is an attribute of the context, in the class. */
static bool is_of_context(const struct fact *f, const struct fact *cls)
{
	const char *mark = f->recv ? strchr(f->recv, '#') : NULL;

	return f->kind == FACT_MEMBER && mark && !strcmp(mark, "#ctx") &&
	       cls->stmt.start <= f->span.start && f->span.end <= cls->stmt.end;
}

/* Both methods are static, or something in the class is known to use the context. */
static bool knows_context(const struct source *s, const struct fact *cls, const struct gradients *g)
{
	size_t i;

	if ((g->forward->is_static || g->forward->is_of_class) &&
	    (g->backward->is_static || g->backward->is_of_class))
		return true;
	for (i = 0; i < s->nr_facts; i++)
		if (is_of_context(&s->facts[i], cls))
			return true;
	return false;
}

/* The class calls method `name` of the context: the next one from *at on, NULL: none. */
static const struct fact *context_call(const struct source *s, const struct fact *cls,
				       const char *name, size_t *at)
{
	while (*at < s->nr_facts) {
		const struct fact *f = &s->facts[(*at)++];

		if (f->flags & F_CALL && is_of_context(f, cls) && !strcmp(f->name, name))
			return f;
	}
	return NULL;
}

/* The parameter is kept for backward as only tensors are. */
static bool is_saved(const struct source *s, const struct fact *cls, const char *parameter)
{
	const struct fact *f;
	size_t at = 0, i;

	while ((f = context_call(s, cls, "save_for_backward", &at)))
		for (i = 0; i < f->nr_args; i++)
			if (!f->args[i].splat && f->args[i].value == VALUE_NAME &&
			    str_eq(f->args[i].text, parameter))
				return true;
	return false;
}

/* Before backward, the parameter is made an attribute of the context. */
static bool is_kept(const struct source *s, const struct fact *cls, const struct gradients *g,
		    const char *parameter)
{
	const struct def *fills = g->setup ? g->setup : g->forward;
	size_t i;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];

		if (f->flags & F_STORE && f->nr_args && is_of_context(f, cls) &&
		    fills->span.start <= f->span.start && f->span.end <= fills->span.end &&
		    f->args[0].value == VALUE_NAME && str_eq(f->args[0].text, parameter))
			return true;
	}
	return false;
}

/* Forward calls a method of the parameter by which its class is known. */
static bool is_known(const struct source *s, const struct def *forward, const char *parameter)
{
	size_t i;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];

		if (f->kind == FACT_MEMBER && f->flags & F_CALL && str_eq(f->text, parameter) &&
		    forward->span.start <= f->span.start && f->span.end <= forward->span.end &&
		    (f->recv || !strcmp(f->name, "data_ptr")))
			return true;
	}
	return false;
}

/*
 * Every return of backward gives one value per parameter, as far as that is seen: what is starred at
 * its end may be any number.
 */
static bool gives_all(struct gradients *g)
{
	const struct def *b = g->backward;
	size_t i;

	for (i = 0; i < b->nr_returns; i++) {
		const struct returned *r = &b->returns[i];

		if (r->rest ? r->nr_first > (int)g->nr : g->rest || r->nr != (int)g->nr)
			return false;
	}
	for (i = 0; i < b->nr_returns; i++)
		g->rest |= b->returns[i].rest;
	return b->nr_returns > 0;
}

/* True when every return gives None for the parameter. */
static bool gives_none(const struct gradients *g, size_t parameter)
{
	const struct def *b = g->backward;
	size_t i;

	for (i = 0; i < b->nr_returns; i++) {
		const struct returned *r = &b->returns[i];

		if ((r->rest && r->nr_first <= (int)parameter) ||
		    r->values[parameter].value != VALUE_NONE)
			return false;
	}
	return true;
}

/* `*name`, without an annotation. */
static bool is_starred(const struct arg *parameter)
{
	return parameter->splat && parameter->keyword &&
	       parameter->span.end - parameter->span.start == strlen(parameter->keyword) + 1;
}

/* Count the parameters behind the context; false: forward takes them in a form that is not followed. */
static bool parameters_count(struct gradients *g)
{
	const struct def *f = g->forward;
	size_t i;

	g->first = context_at(f) + !g->setup;
	if (f->nr_params <= g->first || f->nr_params > GRADIENTS_MAX)
		return false;
	g->nr = f->nr_params - g->first;
	g->rest = is_starred(&f->params[f->nr_params - 1]);
	g->nr -= g->rest;
	for (i = 0; i < g->first + g->nr; i++)
		if (f->params[i].splat)
			return false;
	return g->nr > 0;
}

/* Backward gives None alone, and is never called: what forward gives has no gradient either. */
static bool is_idle(const struct gradients *g, const struct source *s, const struct fact *cls)
{
	size_t at = 0, i;

	for (i = 0; i < g->nr; i++)
		if (!gives_none(g, i))
			return false;
	return context_call(s, cls, "mark_non_differentiable", &at);
}

static bool is_plain(enum value_kind value)
{
	return value == VALUE_NUMBER || value == VALUE_BOOL || value == VALUE_STRING;
}

/* An attribute of some object stands where the argument does, and is never a tensor. */
static bool is_plain_attribute(const struct source *s, const struct arg *arg,
			       const char *const *plain)
{
	size_t i;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];

		if (f->kind == FACT_MEMBER && !(f->flags & F_CALL) &&
		    f->stmt.start == arg->valspan.start && f->stmt.end == arg->valspan.end)
			return list_has(plain, f->name);
	}
	return false;
}

/* What the calls CLASS.apply(...) of the file pass for a parameter. */
static enum gradient_of passed(const struct source *s, const struct fact *cls, size_t parameter,
			       const char *const *plain)
{
	enum gradient_of of = OF_UNKNOWN;
	size_t i, k;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];
		const struct arg *arg;

		if (f->kind != FACT_MEMBER || !(f->flags & F_CALL) || strcmp(f->name, "apply") ||
		    !str_eq(f->text, cls->name))
			continue;
		for (k = 0; k < f->nr_args && k < parameter && !f->args[k].splat; k++)
			;
		if (k != parameter || k >= f->nr_args || f->args[k].keyword || f->args[k].splat)
			continue;
		arg = &f->args[k];
		if (is_plain(arg->value) || is_plain_attribute(s, arg, plain))
			return OF_PLAIN;
		if (arg->value == VALUE_NONE)
			of = OF_OPTIONAL;
	}
	return of;
}

static enum gradient_of gradient_of(const struct source *s, const struct fact *cls,
				    const struct gradients *g, size_t i, const char *const *plain)
{
	const struct arg *p = &g->forward->params[g->first + i];
	bool given = p->valspan.end > p->valspan.start;
	enum gradient_of of;

	if (p->text && list_has(plain, p->text))
		return OF_PLAIN;
	if (given && is_plain(p->value))
		return OF_PLAIN;
	if ((given && p->value == VALUE_NONE) || p->may_be_none)
		return OF_OPTIONAL;
	of = p->text ? OF_DECLARED : passed(s, cls, i, plain);
	if (of != OF_UNKNOWN || !p->keyword)
		return of;
	if (is_saved(s, cls, p->keyword) || is_known(s, g->forward, p->keyword))
		return OF_DECLARED;
	if (is_kept(s, cls, g, p->keyword))
		return gives_none(g, i) ? OF_KEPT : OF_DECLARED;
	return of;
}

/* The methods that are looked at, once each; false where one is missing or in a form not followed. */
static bool methods_find(struct gradients *g, const struct source *s, const struct fact *cls)
{
	g->forward = class_method(s, cls->name, cls->stmt, "forward");
	g->backward = class_method(s, cls->name, cls->stmt, "backward");
	g->setup = class_method(s, cls->name, cls->stmt, "setup_context");
	if (!g->forward || !g->backward || g->backward->nr_params <= context_at(g->backward))
		return false;
	return !g->setup || (g->setup->nr_params > context_at(g->setup) + 1 &&
			     (g->setup->is_static || g->setup->is_of_class) &&
			     !g->setup->params[context_at(g->setup) + 1].splat);
}

enum surplus gradients_read(struct gradients *g, const struct source *s, const struct fact *cls,
			    const char *const *plain)
{
	bool optional = false, unsure = false, surplus = false;
	size_t i;

	memset(g, 0, sizeof(*g));
	if (!methods_find(g, s, cls) || !parameters_count(g) || !gives_all(g) ||
	    !knows_context(s, cls, g) || is_idle(g, s, cls))
		return SURPLUS_NO;
	g->drop = !g->rest;
	for (i = 0; i < g->nr; i++) {
		bool none = gives_none(g, i);

		g->of[i] = gradient_of(s, cls, g, i, plain);
		surplus |= g->of[i] == OF_PLAIN || g->of[i] == OF_KEPT;
		optional |= g->of[i] == OF_OPTIONAL;
		unsure |= g->of[i] == OF_UNKNOWN && none;
		g->drop &= g->of[i] == OF_PLAIN ? none : g->of[i] <= OF_DECLARED && !none;
	}
	return surplus ? SURPLUS_CERTAIN : optional ? SURPLUS_OPTIONAL : unsure ? SURPLUS_UNSURE
										: SURPLUS_NO;
}
