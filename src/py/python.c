/*
 * python.c - Python text -> facts.
 *
 * Parse, flatten (tree.h), collect scopes and bindings (collect.c), then the walk below: one loop
 * over the nodes with a stack of contexts, each of which holds for a subtree (its scope,
 * definition, guard and flags). Nothing recurses. What stands inside a part the parser could not
 * read is left out.
 */
#include "py/walk.h"

#include "py/import.h"

static void context_push(struct pyfile *f, uint32_t node, const struct context *c)
{
	struct context *top = VEC_PUSH(&f->w->scratch, &f->contexts);

	*top = *c;
	top->end = f->t.v[node].next;
}

struct fact *fact_at(struct pyfile *f, const struct context *c, enum fact_kind kind,
		     const char *name, struct span span)
{
	struct fact *fact = fact_new(f->w, kind, name, span);
	int def = c->def;

	fact->flags = c->flags & CTX_FACT_MASK;
	fact->def = def;
	while (def >= 0 && f->defs.v[def].is_lambda)
		def = f->defs.v[def].parent;
	fact->symbol = def >= 0 ? f->defs.v[def].name : "";
	fact->guard = guard_final(f, c->guard);
	return fact;
}

/* ---- contexts -------------------------------------------------------------------------------- */

/* Flags of the surroundings that end where the body of a function begins. */
#define FLAGS_OF_PLACE                                                                             \
	(F_ANNOTATION | F_POSTPONED | F_DEFAULT | F_CONDITION | F_FSTRING | F_LOOP | CTX_STORE | CTX_DELETE)

/* A decorator on the definition says that its functions do not run. */
static bool is_skipped(struct pyfile *f, const struct context *c, uint32_t definition)
{
	const struct tree *t = &f->t;
	uint32_t d, node;
	const char *name;

	if (tree_parent_kind(t, definition) != K_DECORATED)
		return false;
	for (d = tree_child(t, t->v[definition].parent); d != definition; d = tree_sibling(t, d)) {
		node = decorator_name(t, d);
		name = node == NO_NODE ? NULL : resolve(f, c->scope, node).name;
		if (name && list_has(f->w->vocab->never_run, name))
			return true;
	}
	return false;
}

static void enter_body(struct pyfile *f, uint32_t i, struct context *c)
{
	uint32_t owner = f->t.v[i].parent, scope = f->t.v[owner].name;

	if (!scope)
		return;
	if (is_skipped(f, c, owner))
		c->flags |= CTX_SKIPPED;
	c->scope = scope;
	c->def = f->scopes.v[scope].def;
	if (f->t.v[owner].kind != K_CLASS) {
		c->flags &= ~(FLAGS_OF_PLACE | CTX_TRY_IMPORT);
		c->flags |= F_FUNCTION | (c->flags & CTX_IN_TRY ? F_CLOSURE : 0);
		c->flags |= c->flags & CTX_SKIPPED ? F_CHECKING : 0;
	}
	context_push(f, i, c);
}

static void enter_annotation(struct pyfile *f, uint32_t i, struct context *c, bool of_variable)
{
	c->flags |= F_ANNOTATION;
	if (f->postponed || (of_variable && f->scopes.v[c->scope].kind == SCOPE_FUNCTION))
		c->flags |= F_POSTPONED;
	context_push(f, i, c);
}

static void enter_flags(struct pyfile *f, uint32_t i, struct context *c, uint32_t flags)
{
	c->flags |= flags;
	context_push(f, i, c);
}

static void enter_branch(struct pyfile *f, uint32_t i, struct context *c, uint32_t condition,
			 bool negated, struct span other)
{
	bool checking;

	c->guard = guard_branch(f, c, condition, negated, tree_span(&f->t, i), other, &checking);
	if (checking)
		c->flags |= F_CHECKING;
	context_push(f, i, c);
}

/* elif and else stand inside the "otherwise" of every condition before them. */
static void enter_alternative(struct pyfile *f, uint32_t i, struct context *c)
{
	struct tree *t = &f->t;
	uint32_t owner = t->v[i].parent, branch;
	struct span rest = {t->v[i].start, t->v[owner].end}, other = {0};
	struct alternative *alt = alternative_of(f, owner, c->guard);
	bool checking;

	c->guard = alt->guard;
	if (alt->condition != NO_NODE && alt->nr++ < ALTERNATIVES_MAX) {
		branch = tree_sibling(t, alt->condition);
		if (branch != NO_NODE)
			other = tree_span(t, branch);
		c->guard = alt->guard =
			guard_branch(f, c, alt->condition, true, rest, other, &checking);
		alt->checking |= checking;
	}
	if (alt->checking)
		c->flags |= F_CHECKING;
	alt->condition = tree_field(t, i, FIELD_CONDITION);
	context_push(f, i, c);
}

static void enter_if(struct pyfile *f, uint32_t i, struct context *c)
{
	struct tree *t = &f->t;
	uint32_t owner = t->v[i].parent, condition, alt;
	struct span other = {0};

	switch (t->v[i].field) {
	case FIELD_CONDITION:
		enter_flags(f, i, c, F_CONDITION);
		break;
	case FIELD_CONSEQUENCE:
		condition = tree_field(t, owner, FIELD_CONDITION);
		alt = tree_sibling(t, i);
		if (t->v[owner].kind == K_IF && alt != NO_NODE)
			other = (struct span){t->v[alt].start, t->v[owner].end};
		if (condition != NO_NODE)
			enter_branch(f, i, c, condition, false, other);
		break;
	case FIELD_ALTERNATIVE:
		enter_alternative(f, i, c);
		break;
	default:
		break;
	}
}

/* a if condition else b */
static void enter_ternary(struct pyfile *f, uint32_t i, struct context *c)
{
	struct tree *t = &f->t;
	uint32_t a = t->v[i].parent + 1, condition = tree_sibling(t, a), b;

	b = condition == NO_NODE ? NO_NODE : tree_sibling(t, condition);
	if (b == NO_NODE)
		return;
	if (i == condition)
		enter_flags(f, i, c, F_CONDITION);
	else
		enter_branch(f, i, c, condition, i == b, tree_span(t, i == b ? a : b));
}

static void enter_operand(struct pyfile *f, uint32_t i, struct context *c)
{
	uint32_t left = f->t.v[i].parent + 1;

	if (i == left)
		return;
	c->guard = guard_operand(f, c, left, f->t.v[f->t.v[i].parent].op == OP_OR,
				 tree_span(&f->t, i));
	context_push(f, i, c);
}

static void enter_protected(struct pyfile *f, uint32_t i, enum node_kind parent, struct context *c)
{
	unsigned catches;
	bool switches = false;

	if (f->t.v[i].field != FIELD_BODY)
		return;
	c->guard = parent == K_TRY
			   ? guard_try(f, f->t.v[i].parent, c->guard, &catches)
			   : guard_with(f, c->scope, i, c->guard, &catches, &switches);
	if (!catches && !switches)
		return;
	c->flags &= ~F_CLOSURE;
	c->flags |= CTX_IN_TRY | (catches & CATCH_IMPORT ? CTX_TRY_IMPORT : 0);
	context_push(f, i, c);
}

static void enter_handler(struct pyfile *f, uint32_t i, struct context *c)
{
	c->guard = f->t.v[i].kind == K_BLOCK ? guard_handler(f, f->t.v[i].parent, c->guard)
					     : guard_clause(f, i, c->guard);
	context_push(f, i, c);
}

/*
 * What the statement before says about the rest of the block. A module that ends early is broken
 * for all who import it, which its test does not make better.
 */
static void enter_statement(struct pyfile *f, uint32_t i, struct context *c)
{
	struct tree *t = &f->t;
	uint32_t block = t->v[i].parent, before = t->v[block].name;
	const struct context outer = *c;

	t->v[block].name = i;
	if (!before)
		return;
	if (guard_leaves(f, c->scope, before))
		c->flags |= F_CHECKING;
	else if (t->v[before].kind == K_IF && t->v[block].kind == K_BLOCK)
		guard_rest(f, c, before, (struct span){t->v[i].start, t->v[block].end});
	if (c->guard != outer.guard || c->flags != outer.flags)
		context_push(f, block, c);
}

/* The first iterable of a comprehension is evaluated outside of it. */
static void enter_for_in(struct pyfile *f, uint32_t i, struct context *c)
{
	struct tree *t = &f->t;
	uint32_t clause = t->v[i].parent, owner = t->v[clause].parent, k;

	if (t->v[i].field == FIELD_LEFT) {
		enter_flags(f, i, c, CTX_STORE);
	} else if (t->v[i].field == FIELD_RIGHT && owner != NO_NODE) {
		k = tree_child(t, owner);
		while (k != NO_NODE && t->v[k].kind != K_FOR_IN)
			k = tree_sibling(t, k);
		if (k != clause || f->scopes.v[c->scope].kind != SCOPE_COMPREHENSION)
			return;
		c->scope = f->scopes.v[c->scope].parent;
		c->flags &= ~F_LOOP | f->contexts.v[f->contexts.nr - 2].flags;
		context_push(f, i, c);
	}
}

static void enter_assignment(struct pyfile *f, uint32_t i, struct context *c)
{
	if (f->t.v[i].field == FIELD_LEFT)
		enter_flags(f, i, c, CTX_STORE);
	else if (f->t.v[i].field == FIELD_TYPE)
		enter_annotation(f, i, c, true);
}

static void enter_parameter(struct pyfile *f, uint32_t i, struct context *c)
{
	if (f->t.v[i].field == FIELD_TYPE)
		enter_annotation(f, i, c, false);
	else if (f->t.v[i].field == FIELD_VALUE)
		enter_flags(f, i, c, F_DEFAULT);
}

/* Less frequent parents. */
static void enter_rest(struct pyfile *f, uint32_t i, enum node_kind parent, struct context *c)
{
	const struct node *n = &f->t.v[i];

	switch (parent) {
	case K_DELETE:
		enter_flags(f, i, c, CTX_STORE | CTX_DELETE);
		break;
	case K_WHILE:
		if (n->field == FIELD_CONDITION)
			enter_flags(f, i, c, F_CONDITION | F_LOOP);
		else if (n->field == FIELD_BODY)
			enter_flags(f, i, c, F_LOOP);
		break;
	case K_ASSERT:
		if (i == n->parent + 1)
			enter_flags(f, i, c, F_CONDITION);
		break;
	case K_INTERPOLATION:
		enter_flags(f, i, c, F_FSTRING);
		break;
	case K_TYPE_ALIAS:
		if (n->field == FIELD_RIGHT)
			enter_flags(f, i, c, F_ANNOTATION | F_POSTPONED);
		break;
	case K_AS_PATTERN:
		if (n->kind == K_AS_TARGET)
			enter_flags(f, i, c, CTX_STORE);
		break;
	case K_BOOLEAN:
		enter_operand(f, i, c);
		break;
	case K_CONDITIONAL:
		enter_ternary(f, i, c);
		break;
	default:
		break;
	}
}

/* Push what the place of node i below its parent means. */
static void enter(struct pyfile *f, uint32_t i)
{
	struct context c = f->contexts.v[f->contexts.nr - 1];
	enum node_kind parent = tree_parent_kind(&f->t, i);

	switch (parent) {
	case K_FUNCTION:
	case K_LAMBDA:
		if (f->t.v[i].field == FIELD_BODY)
			enter_body(f, i, &c);
		else if (f->t.v[i].field == FIELD_RETURN_TYPE)
			enter_annotation(f, i, &c, false);
		break;
	case K_CLASS:
		if (f->t.v[i].field == FIELD_BODY)
			enter_body(f, i, &c);
		break;
	case K_TYPED_PARAMETER:
	case K_DEFAULT_PARAMETER:
	case K_TYPED_DEFAULT_PARAMETER:
		enter_parameter(f, i, &c);
		break;
	case K_ASSIGNMENT:
	case K_AUGMENTED:
		enter_assignment(f, i, &c);
		break;
	case K_FOR:
		if (f->t.v[i].field == FIELD_LEFT)
			enter_flags(f, i, &c, CTX_STORE);
		else if (f->t.v[i].field == FIELD_BODY)
			enter_flags(f, i, &c, F_LOOP);
		break;
	case K_FOR_IN:
		enter_for_in(f, i, &c);
		break;
	case K_IF:
	case K_ELIF:
		enter_if(f, i, &c);
		break;
	case K_TRY:
	case K_WITH:
		enter_protected(f, i, parent, &c);
		break;
	case K_BLOCK:
	case K_MODULE:
		enter_statement(f, i, &c);
		break;
	case K_EXCEPT:
	case K_EXCEPT_GROUP:
		enter_handler(f, i, &c);
		break;
	default:
		enter_rest(f, i, parent, &c);
	}
}

/* Comprehensions are scopes of their own; a target's subscripts and objects are not targets. */
static void enter_self(struct pyfile *f, uint32_t i)
{
	struct context c = f->contexts.v[f->contexts.nr - 1];

	switch (f->t.v[i].kind) {
	case K_LIST_COMPREHENSION:
	case K_DICT_COMPREHENSION:
	case K_SET_COMPREHENSION:
	case K_GENERATOR:
		if (!f->t.v[i].name)
			return;
		c.scope = f->t.v[i].name;
		c.flags |= F_LOOP;
		break;
	case K_SUBSCRIPT:
	case K_CALL:
		if (!(c.flags & (CTX_STORE | CTX_DELETE)))
			return;
		c.flags &= ~(CTX_STORE | CTX_DELETE);
		break;
	default:
		return;
	}
	context_push(f, i, &c);
}

/* ---- the file -------------------------------------------------------------------------------- */

static void walk(struct pyfile *f)
{
	struct context top = {.end = f->t.nr, .def = -1, .guard = -1};
	uint32_t i;

	if (f->s->lang == LANG_STUB)
		top.flags = F_CHECKING;
	*VEC_PUSH(&f->w->scratch, &f->contexts) = top;
	for (i = 0; i < f->t.nr;) {
		while (f->contexts.nr > 1 && f->contexts.v[f->contexts.nr - 1].end <= i)
			f->contexts.nr--;
		if (f->t.v[i].kind == K_ERROR && i) {
			i = f->t.v[i].next;
			continue;
		}
		enter(f, i);
		enter_self(f, i);
		i = walk_node(f, i, &f->contexts.v[f->contexts.nr - 1]);
	}
}

static int binding_cmp(const void *a, const void *b)
{
	const struct binding *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static void exports_finish(struct pyfile *f)
{
	struct source *s = f->s;
	struct arena *a = f->w->arena;
	size_t i, nr = 0;

	for (i = 0; i < f->entries.nr; i++)
		nr += f->entries.v[i].scope == 0 && f->entries.v[i].first;
	s->exports = nr ? arena_array(a, nr, sizeof(*s->exports)) : NULL;
	for (i = 0; i < f->entries.nr; i++) {
		const struct entry *e = &f->entries.v[i];
		const struct name *n = &f->names.v[e->name];
		struct resolved r;
		struct binding *b;

		if (e->scope || !e->first)
			continue;
		b = &s->exports[s->nr_exports++];
		b->name = intern(f->w->intern, n->s, n->len);
		r = resolve_name(f, 0, e->name, "", 0);
		b->target = r.name;
		b->alias = r.name && r.alias;
	}
	if (nr)
		qsort(s->exports, s->nr_exports, sizeof(*s->exports), binding_cmp);
}

/* Guards and definitions move from the scratch vectors to the source. */
static void file_finish(struct pyfile *f)
{
	struct source *s = f->s;
	struct arena *a = f->w->arena;

	exports_finish(f);
	s->nr_guards = f->guards.nr;
	s->guards = arena_array(a, f->guards.nr ? f->guards.nr : 1, sizeof(*s->guards));
	if (f->guards.nr)
		memcpy(s->guards, f->guards.v, f->guards.nr * sizeof(*s->guards));
	s->nr_defs = f->defs.nr;
	s->defs = arena_array(a, f->defs.nr ? f->defs.nr : 1, sizeof(*s->defs));
	if (f->defs.nr)
		memcpy(s->defs, f->defs.v, f->defs.nr * sizeof(*s->defs));
	returns_finish(f);
	s->star_ambiguous = f->several_stars;
}

void python_facts(struct py_worker *w, struct source *s, const char *text, size_t len,
		  struct notices *n)
{
	struct pyfile f = {.w = w, .s = s, .written = text, .len = len, .notices = n};
	TSTree *tree;

	f.text = python_reading(&w->scratch, text, len);
	tree = python_parse(w, &w->scratch, s->path, &f.text, len, n);
	if (!tree) {
		s->analysis = ANALYSIS_SKIPPED;
		facts_finish(w, s);
		return;
	}
	tree_flatten(&f.t, w->symbols, tree, &w->scratch, f.text);
	if (f.t.broken)
		py_error_notice(w, s, ts_tree_root_node(tree), n);
	ts_tree_delete(tree);
	file_collect(&f);
	walk(&f);
	file_finish(&f);
	s->analysis = f.t.broken || f.too_deep ? ANALYSIS_PARTIAL : ANALYSIS_FULL;
	if (f.too_deep)
		notice_add(n, w->arena, s->path, "parse", "nested too deeply, partly analysed");
	facts_finish(w, s);
}
