/*
 * returns.c - how many values each return of a function gives.
 *
 * A tuple is counted, also when it is put together from others by `+`, `*` and a star, or stands in a
 * variable. One value is only what cannot be a tuple; what a call gives is not known.
 */
#include "py/walk.h"

#define DEPTH_MAX  6
#define VALUES_MAX 64

struct giving {
	struct pyfile *f;
	VEC(uint32_t) values; /* nodes */
	VEC(uint32_t) scopes; /* of each */
	uint32_t rest;	      /* the last element, starred and of unknown length; NO_NODE: none */
};

static bool add_tuple(struct giving *g, uint32_t scope, uint32_t node, int depth);

static bool add_one(struct giving *g, uint32_t scope, uint32_t node)
{
	if (g->values.nr >= VALUES_MAX)
		return false;
	*VEC_PUSH(&g->f->w->scratch, &g->values) = node;
	*VEC_PUSH(&g->f->w->scratch, &g->scopes) = scope;
	return true;
}

static bool add_elements(struct giving *g, uint32_t scope, uint32_t display, int depth);

/* The arguments of the call that mend.c made of a star and brackets, NO_NODE when it made none of `node`. */
static uint32_t mended_arguments(const struct pyfile *f, uint32_t node)
{
	const struct tree *t = &f->t;

	if (t->v[node].kind != K_CALL || node + 2 >= t->v[node].next ||
	    t->v[node + 1].kind != K_LIST_SPLAT || f->written[t->v[node + 2].start] != '*')
		return NO_NODE;
	return tree_field(t, node, FIELD_ARGUMENTS);
}

/*
 * An element that begins with a star. Without parentheses around the list the grammar binds the star to
 * the first name only; what is made of more than a name is not known then.
 */
static bool add_starred(struct giving *g, uint32_t scope, uint32_t node, int depth)
{
	const struct tree *t = &g->f->t;
	uint32_t args, only, last;

	if (t->v[node].kind == K_LIST_SPLAT)
		return tree_child(t, node) != NO_NODE &&
		       add_tuple(g, scope, tree_child(t, node), depth + 1);
	args = mended_arguments(g->f, node);
	only = args == NO_NODE || t->v[args].kind != K_ARGUMENTS ? NO_NODE : tree_child(t, args);
	if (only == NO_NODE)
		return false;
	last = t->v[only].end;
	if (tree_sibling(t, only) == NO_NODE && !memchr(t->text + last, ',', t->v[args].end - last))
		return add_tuple(g, scope, only, depth + 1);
	return add_elements(g, scope, args, depth + 1);
}

static bool add_element(struct giving *g, uint32_t scope, uint32_t node, int depth)
{
	const struct tree *t = &g->f->t;
	size_t from = g->values.nr;

	if (t->text[t->v[node].start] != '*')
		return add_one(g, scope, node);
	if (add_starred(g, scope, node, depth))
		return true;
	if (!depth && t->v[node].kind == K_LIST_SPLAT && tree_sibling(t, node) == NO_NODE &&
	    tree_child(t, node) != NO_NODE) {
		g->values.nr = g->scopes.nr = from;
		g->rest = node;
	}
	return false;
}

static bool add_elements(struct giving *g, uint32_t scope, uint32_t display, int depth)
{
	const struct tree *t = &g->f->t;
	uint32_t k;

	for (k = tree_child(t, display); k != NO_NODE; k = tree_sibling(t, k))
		if (!add_element(g, scope, k, depth))
			return false;
	return true;
}

/* The variable's one value, NULL when it has several or is none of this function. */
static const struct bind *only_value(struct pyfile *f, uint32_t scope, uint32_t node)
{
	const struct entry *e = entry_find(f, scope, node_name(f, node));
	const struct bind *b = e && e->first && !e->outer ? &f->binds.v[e->first] : NULL;

	return b && !b->next && b->kind == BIND_EXPR ? b : NULL;
}

/* The operator between the operands is `*`. */
static bool is_times(const struct pyfile *f, uint32_t a, uint32_t b)
{
	const char *op = f->text + f->t.v[a].end;
	size_t len = f->t.v[b].start - f->t.v[a].end, skip = 0;

	while (skip < len && (op[skip] == ' ' || op[skip] == ')'))
		skip++;
	return skip < len && op[skip] == '*' && !(skip + 1 < len && op[skip + 1] == '*');
}

/* a + b, (None,) * 3 */
static bool add_operation(struct giving *g, uint32_t scope, uint32_t node, int depth)
{
	const struct tree *t = &g->f->t;
	uint32_t a = tree_child(t, node), b = a == NO_NODE ? a : tree_sibling(t, a);
	size_t from = g->values.nr, nr, i;
	long times;

	if (b == NO_NODE)
		return false;
	if (t->v[node].op == OP_PLUS)
		return add_tuple(g, scope, a, depth + 1) && add_tuple(g, scope, b, depth + 1);
	times = t->v[b].kind == K_INTEGER ? strtol(g->f->text + t->v[b].start, NULL, 10) : -1;
	if (times < 0 || times > VALUES_MAX || !is_times(g->f, a, b) ||
	    !add_tuple(g, scope, a, depth + 1))
		return false;
	nr = g->values.nr - from;
	if (!times)
		g->values.nr = g->scopes.nr = from;
	for (i = 0; i < nr * (size_t)(times ? times - 1 : 0); i++)
		if (!add_one(g, g->scopes.v[from + i], g->values.v[from + i]))
			return false;
	return true;
}

/* Add the elements of what must be a tuple; false when it is not known. */
static bool add_tuple(struct giving *g, uint32_t scope, uint32_t node, int depth)
{
	const struct bind *b;

	if (depth >= DEPTH_MAX)
		return false;
	node = tree_bare(&g->f->t, node);
	switch (g->f->t.v[node].kind) {
	case K_TUPLE:
	case K_EXPRESSION_LIST:
	case K_LIST:
		return add_elements(g, scope, node, depth);
	case K_BINARY:
		return add_operation(g, scope, node, depth);
	case K_IDENTIFIER:
		b = only_value(g->f, scope, node);
		return b && add_tuple(g, b->scope, b->node, depth + 1);
	default:
		return false;
	}
}

/* ---- one value ----------------------------------------------------------------------------------- */

static bool is_one(struct pyfile *f, uint32_t scope, uint32_t node, int depth);

static bool is_number(const struct tree *t, uint32_t node)
{
	return t->v[node].kind == K_INTEGER || t->v[node].kind == K_FLOAT;
}

/* A plain parameter counts as one value; so does a variable whose one value does. */
static bool is_one_name(struct pyfile *f, uint32_t scope, uint32_t node, int depth)
{
	const struct entry *e = entry_find(f, scope, node_name(f, node));
	const struct bind *b = e && e->first && !e->outer ? &f->binds.v[e->first] : NULL;

	if (!b || b->next)
		return false;
	if (b->kind == BIND_EXPR)
		return is_one(f, b->scope, b->node, depth + 1);
	if (b->kind != BIND_OPAQUE)
		return b->kind == BIND_NONE || b->kind == BIND_CONST;
	switch (f->t.v[b->node].kind) {
	case K_IDENTIFIER:
	case K_DEFAULT_PARAMETER:
		return tree_parent_kind(&f->t, b->node) == K_PARAMETERS;
	default:
		return false;
	}
}

/* Tuples can be added and repeated, but not together with something else. */
static bool is_one_operation(struct pyfile *f, uint32_t scope, uint32_t node, int depth)
{
	const struct tree *t = &f->t;
	uint32_t a = tree_child(t, node), b = a == NO_NODE ? a : tree_sibling(t, a);

	if (b == NO_NODE)
		return false;
	if (t->v[node].op != OP_PLUS && !is_times(f, a, b))
		return true;
	return (!is_number(t, a) && is_one(f, scope, a, depth + 1)) ||
	       (!is_number(t, b) && is_one(f, scope, b, depth + 1)) ||
	       (is_number(t, a) && is_number(t, b));
}

static bool is_one(struct pyfile *f, uint32_t scope, uint32_t node, int depth)
{
	const struct tree *t = &f->t;
	uint32_t a, b;

	if (depth >= DEPTH_MAX)
		return false;
	node = tree_bare(t, node);
	switch (t->v[node].kind) {
	case K_NONE:
	case K_TRUE:
	case K_FALSE:
	case K_INTEGER:
	case K_FLOAT:
	case K_STRING:
	case K_COMPARISON:
	case K_NOT:
	case K_UNARY:
		return true;
	case K_BINARY:
		return is_one_operation(f, scope, node, depth);
	case K_CONDITIONAL:
		a = tree_child(t, node);
		b = tree_sibling(t, a);
		b = b == NO_NODE ? b : tree_sibling(t, b);
		return b != NO_NODE && is_one(f, scope, a, depth + 1) &&
		       is_one(f, scope, b, depth + 1);
	case K_IDENTIFIER:
		if (is_one_name(f, scope, node, depth))
			return true;
		break;
	default:
		break;
	}
	return resolve_type(f, scope, node) != NULL;
}

/* ---- one return ---------------------------------------------------------------------------------- */

/* A variable that is None and nothing else is None. */
static bool is_none_name(struct pyfile *f, uint32_t scope, uint32_t node)
{
	const struct entry *e = f->t.v[node].kind == K_IDENTIFIER
					? entry_find(f, scope, node_name(f, node))
					: NULL;
	const struct bind *b = e && e->first && !e->outer ? &f->binds.v[e->first] : NULL;

	return b && !b->next && b->kind == BIND_NONE;
}

static void give_values(struct giving *g, struct returned *r)
{
	size_t i;

	r->values = arena_array(g->f->w->arena, g->values.nr + 1, sizeof(*r->values));
	for (i = 0; i < g->values.nr; i++) {
		struct arg *value = &r->values[i];

		value->span = tree_span(&g->f->t, g->values.v[i]);
		value_of(g->f, g->scopes.v[i], g->values.v[i], value);
		if (is_none_name(g->f, g->scopes.v[i], g->values.v[i]))
			value->value = VALUE_NONE;
	}
}

/* The values before a starred one, and that. */
static void give_rest(struct giving *g, uint32_t scope, struct returned *r)
{
	struct arg *rest;

	give_values(g, r);
	r->rest = true;
	r->nr_first = (int)g->values.nr;
	rest = &r->values[g->values.nr];
	rest->splat = true;
	rest->span = tree_span(&g->f->t, g->rest);
	value_of(g->f, scope, tree_child(&g->f->t, g->rest), rest);
}

void walk_return(struct pyfile *f, uint32_t i, const struct context *c)
{
	struct giving g = {.f = f, .rest = NO_NODE};
	uint32_t value = tree_child(&f->t, i);
	struct pending_return *p;
	bool known = true;

	if (!f->s->mentions || c->def < 0)
		return;
	if (value != NO_NODE) {
		known = f->t.v[tree_bare(&f->t, value)].kind != K_LIST &&
			add_tuple(&g, c->scope, value, 0);
		if (!known && g.rest == NO_NODE) {
			g.values.nr = g.scopes.nr = 0;
			known = is_one(f, c->scope, value, 0) && add_one(&g, c->scope, value);
		}
	}
	p = VEC_PUSH(&f->w->scratch, &f->returns);
	p->def = c->def;
	p->returned.span = tree_span(&f->t, i);
	p->returned.nr = known ? (int)g.values.nr : -1;
	if (g.rest != NO_NODE)
		give_rest(&g, c->scope, &p->returned);
	else if (g.values.nr)
		give_values(&g, &p->returned);
}

void returns_finish(struct pyfile *f)
{
	size_t i;

	for (i = 0; i < f->returns.nr; i++)
		f->s->defs[f->returns.v[i].def].nr_returns++;
	for (i = 0; i < f->s->nr_defs; i++) {
		struct def *d = &f->s->defs[i];

		if (d->nr_returns)
			d->returns = arena_array(f->w->arena, d->nr_returns, sizeof(*d->returns));
		d->nr_returns = 0;
	}
	for (i = 0; i < f->returns.nr; i++) {
		struct def *d = &f->s->defs[f->returns.v[i].def];

		d->returns[d->nr_returns++] = f->returns.v[i].returned;
	}
}
