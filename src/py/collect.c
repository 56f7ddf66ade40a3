/*
 * collect.c - first step: the scopes of a file, its definitions, and what is bound to each name.
 *
 * One loop over the flat tree. A node that opens a scope keeps the scope's number in node->name.
 */
#include "py/file.h"

#include <stdio.h>

#include "py/collect.h"

/* Scopes inside one another; what is deeper is not analysed. */
#define SCOPES_MAX 100

/* Scope that holds for the nodes up to `end`. */
struct frame {
	uint32_t end, scope;
};

struct collect {
	struct pyfile *f;
	struct tree *t;
	VEC(struct frame) frames;
	uint32_t scope; /* the innermost */
};

static uint32_t scope_new(struct pyfile *f, enum scope_kind kind, uint32_t parent, uint32_t node,
			  int def)
{
	struct scope *s = VEC_PUSH(&f->w->scratch, &f->scopes);

	s->kind = kind;
	s->parent = parent;
	s->node = node;
	s->def = def;
	return (uint32_t)f->scopes.nr - 1;
}

/* Kinds of expressions that may have a target or a type. */
static bool may_have_type(enum node_kind kind)
{
	switch (kind) {
	case K_CALL:
	case K_CONDITIONAL:
	case K_ATTRIBUTE:
	case K_SUBSCRIPT:
	case K_BINARY:
	case K_UNARY:
		return true;
	default:
		return false;
	}
}

static bool bind_is_tracked(const struct pyfile *f, const struct bind *b)
{
	switch (b->kind) {
	case BIND_IMPORT:
	case BIND_ALIAS:
	case BIND_TYPED:
	case BIND_DECLARED:
	case BIND_SELF:
	case BIND_CONTEXT:
	case BIND_MADE:
		return true;
	case BIND_EXPR:
		return may_have_type(f->t.v[b->node].kind);
	default:
		return false;
	}
}

struct bind *bind_add(struct pyfile *f, uint32_t scope, uint32_t name, enum bind_kind kind,
		      uint32_t node)
{
	struct entry *e = entry_get(f, scope, name);
	uint32_t id = (uint32_t)f->binds.nr;
	struct bind *b = VEC_PUSH(&f->w->scratch, &f->binds);

	b->scope = scope;
	b->node = node;
	b->kind = kind;
	if (e->first)
		f->binds.v[e->last].next = id;
	else
		e->first = id;
	e->last = id;
	if (f->scopes.v[scope].kind != SCOPE_ATTRIBUTES && bind_is_tracked(f, b))
		f->names.v[name].tracked = true;
	return b;
}

/* Handlers and else branches hold what stands in for the real thing. */
static bool in_fallback(const struct tree *t, uint32_t i)
{
	for (; i != NO_NODE; i = t->v[i].parent) {
		switch (t->v[i].kind) {
		case K_EXCEPT:
		case K_EXCEPT_GROUP:
		case K_ELSE:
		case K_ELIF:
			return true;
		case K_FUNCTION:
		case K_CLASS:
		case K_LAMBDA:
			return false;
		default:
			break;
		}
	}
	return false;
}

static enum bind_kind value_bind_kind(const struct tree *t, uint32_t value)
{
	switch (t->v[value].kind) {
	case K_NONE:
		return BIND_NONE;
	case K_TRUE:
	case K_FALSE:
	case K_INTEGER:
	case K_FLOAT:
	case K_STRING:
		return BIND_CONST;
	default:
		return tree_chain_root(t, value) != NO_NODE ? BIND_ALIAS : BIND_EXPR;
	}
}

/* `self.x = ...` in a method: the class has x itself. */
static void bind_attribute(struct collect *c, uint32_t target, enum bind_kind kind, uint32_t value)
{
	struct pyfile *f = c->f;
	struct tree *t = c->t;
	uint32_t root = tree_child(t, target), attr, scope, owner, name;

	if (root == NO_NODE || t->v[root].kind != K_IDENTIFIER)
		return;
	attr = tree_sibling(t, root);
	if (attr == NO_NODE || t->v[attr].kind != K_IDENTIFIER)
		return;
	name = node_name(f, root);
	for (scope = c->scope; scope; scope = f->scopes.v[scope].parent) {
		if (f->scopes.v[scope].self != name)
			continue;
		owner = f->scopes.v[f->scopes.v[scope].parent].attributes;
		bind_add(f, owner, node_name(f, attr), kind, value)->scope = c->scope;
		return;
	}
}

/* Bind every name that a target (x, (a, *b), self.x) assigns. */
static void bind_targets(struct collect *c, uint32_t target, enum bind_kind kind, uint32_t value)
{
	struct tree *t = c->t;
	uint32_t i = target, end = t->v[target].next;

	while (i < end) {
		switch (t->v[i].kind) {
		case K_IDENTIFIER:
			bind_add(c->f, c->scope, node_name(c->f, i), kind, value)->fallback =
				(kind == BIND_CONST || kind == BIND_NONE) && in_fallback(t, i);
			i++;
			break;
		case K_ATTRIBUTE:
			bind_attribute(c, i, kind, value);
			i = t->v[i].next;
			break;
		case K_SUBSCRIPT:
			i = t->v[i].next;
			break;
		default:
			i++;
		}
	}
}

static bool is_splat(enum node_kind kind)
{
	return kind == K_LIST_SPLAT || kind == K_SPLAT_PATTERN;
}

/* How many targets or values stand in a row without brackets or in a tuple, 0: another thing, or a splat. */
static size_t row_len(const struct tree *t, uint32_t node, enum node_kind row, enum node_kind tuple)
{
	uint32_t k;
	size_t n = 0;

	if (t->v[node].kind != row && t->v[node].kind != tuple)
		return 0;
	for (k = tree_child(t, node); k != NO_NODE; k = tree_sibling(t, k), n++)
		if (is_splat(t->v[k].kind))
			return 0;
	return n;
}

/* a, b = x, y: each name has its own value. */
static bool bind_pairs(struct collect *c, uint32_t left, uint32_t value)
{
	struct tree *t = c->t;
	size_t n = row_len(t, left, K_PATTERN_LIST, K_TUPLE_PATTERN);
	uint32_t a, b;

	if (!n || n != row_len(t, value, K_EXPRESSION_LIST, K_TUPLE))
		return false;
	b = tree_child(t, value);
	for (a = tree_child(t, left); a != NO_NODE; a = tree_sibling(t, a), b = tree_sibling(t, b))
		bind_targets(c, a, value_bind_kind(t, tree_bare(t, b)), tree_bare(t, b));
	return true;
}

static void collect_assignment(struct collect *c, uint32_t i)
{
	struct tree *t = c->t;
	uint32_t left = tree_field(t, i, FIELD_LEFT), value = tree_field(t, i, FIELD_RIGHT);
	uint32_t type = tree_field(t, i, FIELD_TYPE);

	/* x = y = value: the value is that of the last one. */
	while (value != NO_NODE && t->v[value].kind == K_ASSIGNMENT)
		value = tree_field(t, value, FIELD_RIGHT);
	if (left == NO_NODE)
		return;
	if (value != NO_NODE)
		value = tree_bare(t, value);
	if (t->v[left].kind != K_IDENTIFIER && t->v[left].kind != K_ATTRIBUTE) {
		if (value == NO_NODE || !bind_pairs(c, left, value))
			bind_targets(c, left, BIND_OPAQUE, i);
	} else if (value == NO_NODE) {
		bind_targets(c, left, type == NO_NODE ? BIND_NEUTRAL : BIND_DECLARED,
			     type == NO_NODE ? i : type);
	} else {
		enum bind_kind kind = value_bind_kind(t, value);

		if (type != NO_NODE && (kind == BIND_EXPR || kind == BIND_NONE))
			bind_targets(c, left, BIND_TYPED, type);
		else
			bind_targets(c, left, kind, value);
	}
}

static void collect_named(struct collect *c, uint32_t i)
{
	struct pyfile *f = c->f;
	uint32_t name = tree_field(c->t, i, FIELD_NAME), value = tree_field(c->t, i, FIELD_VALUE);
	uint32_t scope = c->scope;

	while (f->scopes.v[scope].kind == SCOPE_COMPREHENSION)
		scope = f->scopes.v[scope].parent;
	if (name == NO_NODE || value == NO_NODE || c->t->v[name].kind != K_IDENTIFIER)
		return;
	value = tree_bare(c->t, value);
	bind_add(f, scope, node_name(f, name), value_bind_kind(c->t, value), value);
}

static void collect_delete(struct collect *c, uint32_t i)
{
	struct tree *t = c->t;
	uint32_t k;

	for (k = i + 1; k < t->v[i].next;) {
		if (t->v[k].kind == K_IDENTIFIER)
			bind_add(c->f, c->scope, node_name(c->f, k), BIND_NEUTRAL, k);
		k = t->v[k].kind == K_ATTRIBUTE || t->v[k].kind == K_SUBSCRIPT ? t->v[k].next
									       : k + 1;
	}
}

static void collect_outer(struct collect *c, uint32_t i, enum entry_outer outer)
{
	uint32_t k;

	for (k = tree_child(c->t, i); k != NO_NODE; k = tree_sibling(c->t, k))
		if (c->t->v[k].kind == K_IDENTIFIER)
			entry_get(c->f, c->scope, node_name(c->f, k))->outer = (uint8_t)outer;
}

/* ---- definitions ---------------------------------------------------------------------------- */

static int def_new(struct pyfile *f, uint32_t node, int parent, const char *name, uint32_t len)
{
	struct def *d = VEC_PUSH(&f->w->scratch, &f->defs);
	uint32_t body = tree_field(&f->t, node, FIELD_BODY);
	const char *outer = parent >= 0 ? f->defs.v[parent].name : "";
	struct strbuf sb = STRBUF_INIT;

	strbuf_addf(&sb, "%s%s%.*s", outer, *outer ? "." : "", (int)len, name);
	d->name = intern(f->w->intern, sb.buf, sb.len);
	strbuf_release(&sb);
	d->is_class = f->t.v[node].kind == K_CLASS;
	d->is_lambda = f->t.v[node].kind == K_LAMBDA;
	d->span = tree_span(&f->t, node);
	d->body =
		body == NO_NODE ? (struct span){d->span.end, d->span.end} : tree_span(&f->t, body);
	d->parent = parent;
	return (int)f->defs.nr - 1;
}

/* A decorator that is the bare name `name` stands on the definition. */
static bool has_decorator(struct pyfile *f, uint32_t node, uint32_t name)
{
	struct tree *t = &f->t;
	uint32_t d;

	if (tree_parent_kind(t, node) != K_DECORATED)
		return false;
	for (d = tree_child(t, t->v[node].parent); d != NO_NODE; d = tree_sibling(t, d))
		if (t->v[d].kind == K_DECORATOR && tree_child(t, d) != NO_NODE &&
		    t->v[d + 1].kind == K_IDENTIFIER && node_name(f, d + 1) == name)
			return true;
	return false;
}

/* The identifier a parameter binds; NO_NODE for separators. *type is its annotation. */
static uint32_t parameter_name(const struct tree *t, uint32_t p, uint32_t *type)
{
	uint32_t id;

	*type = NO_NODE;
	switch (t->v[p].kind) {
	case K_IDENTIFIER:
		return p;
	case K_DEFAULT_PARAMETER:
		return tree_field(t, p, FIELD_NAME);
	case K_TYPED_DEFAULT_PARAMETER:
		*type = tree_field(t, p, FIELD_TYPE);
		return tree_field(t, p, FIELD_NAME);
	case K_TYPED_PARAMETER:
		id = tree_child(t, p);
		if (id != NO_NODE && t->v[id].kind == K_IDENTIFIER)
			*type = tree_field(t, p, FIELD_TYPE);
		return id;
	case K_SPLAT_PATTERN:
	case K_DICT_SPLAT_PATTERN:
	case K_TUPLE_PATTERN:
		return p;
	default:
		return NO_NODE;
	}
}

/* The methods of a function that a gradient is written for by hand; they are given its context first. */
static bool takes_context(uint32_t name)
{
	return name == NAME_FORWARD || name == NAME_BACKWARD || name == NAME_SETUP_CONTEXT ||
	       name == NAME_JVP;
}

/* What the first parameter of a method is. */
static enum bind_kind first_parameter_kind(struct collect *c, uint32_t function, uint32_t name)
{
	if (c->t->v[function].kind != K_FUNCTION || c->f->scopes.v[c->scope].kind != SCOPE_CLASS)
		return BIND_OPAQUE;
	if (has_decorator(c->f, function, NAME_STATICMETHOD))
		return takes_context(name) ? BIND_CONTEXT : BIND_OPAQUE;
	return has_decorator(c->f, function, NAME_CLASSMETHOD) ? BIND_OPAQUE : BIND_SELF;
}

static void collect_parameters(struct collect *c, uint32_t function, uint32_t inner, uint32_t name)
{
	struct tree *t = c->t;
	uint32_t list, p, id, type, outer = c->scope;
	enum bind_kind kind = first_parameter_kind(c, function, name);
	bool of_class = kind == BIND_OPAQUE && c->f->scopes.v[outer].kind == SCOPE_CLASS &&
			t->v[function].kind == K_FUNCTION &&
			has_decorator(c->f, function, NAME_CLASSMETHOD);

	for (list = tree_child(t, function); list != NO_NODE; list = tree_sibling(t, list))
		if (t->v[list].kind == K_PARAMETERS || t->v[list].kind == K_LAMBDA_PARAMETERS)
			break;
	if (list == NO_NODE)
		return;
	c->scope = inner;
	for (p = tree_child(t, list); p != NO_NODE; p = tree_sibling(t, p)) {
		id = parameter_name(t, p, &type);
		if (id == NO_NODE)
			continue;
		if (t->v[id].kind != K_IDENTIFIER)
			bind_targets(c, id, BIND_OPAQUE, p);
		else if (type != NO_NODE && kind != BIND_CONTEXT)
			bind_targets(c, id, BIND_TYPED, type);
		else
			bind_targets(c, id, kind, kind == BIND_OPAQUE ? p : outer);
		if (kind == BIND_SELF && t->v[id].kind == K_IDENTIFIER)
			c->f->scopes.v[inner].self = node_name(c->f, id);
		/* Behind the class of a class method. */
		kind = of_class && takes_context(name) ? BIND_CONTEXT : BIND_OPAQUE;
		of_class = false;
	}
	c->scope = outer;
}

static void collect_function(struct collect *c, uint32_t i)
{
	struct pyfile *f = c->f;
	uint32_t id = tree_field(c->t, i, FIELD_NAME), name = 0, inner;
	int def, parent = f->scopes.v[c->scope].def;

	if (id != NO_NODE && c->t->v[id].kind == K_IDENTIFIER) {
		name = node_name(f, id);
		bind_add(f, c->scope, name,
			 f->s->mentions && tree_parent_kind(c->t, i) == K_DECORATED ? BIND_MADE
										      : BIND_OPAQUE,
			 i);
	}
	def = name ? def_new(f, i, parent, f->names.v[name].s, f->names.v[name].len)
		   : def_new(f, i, parent, "<lambda>", 8);
	f->defs.v[def].is_static = has_decorator(f, i, NAME_STATICMETHOD);
	f->defs.v[def].is_of_class = has_decorator(f, i, NAME_CLASSMETHOD);
	inner = scope_new(f, SCOPE_FUNCTION, c->scope, i, def);
	c->t->v[i].name = inner;
	collect_parameters(c, i, inner, name);
}

static void collect_class(struct collect *c, uint32_t i)
{
	struct pyfile *f = c->f;
	uint32_t id = tree_field(c->t, i, FIELD_NAME), name, inner, attributes;
	int def;

	if (id == NO_NODE || c->t->v[id].kind != K_IDENTIFIER)
		return;
	name = node_name(f, id);
	bind_add(f, c->scope, name, BIND_OPAQUE, i);
	def = def_new(f, i, f->scopes.v[c->scope].def, f->names.v[name].s, f->names.v[name].len);
	inner = scope_new(f, SCOPE_CLASS, c->scope, i, def);
	attributes = scope_new(f, SCOPE_ATTRIBUTES, inner, i, def);
	f->scopes.v[inner].attributes = attributes;
	c->t->v[i].name = inner;
}

/* def f[T](...), class C[T]: T is bound; where exactly does not matter to us. */
static void collect_type_parameters(struct collect *c, uint32_t i)
{
	struct tree *t = c->t;
	enum node_kind owner = tree_parent_kind(t, i);
	uint32_t type;

	if (owner != K_FUNCTION && owner != K_CLASS)
		return;
	for (type = tree_child(t, i); type != NO_NODE; type = tree_sibling(t, type))
		if (type + 1 < t->v[type].next && t->v[type + 1].kind == K_IDENTIFIER)
			bind_add(c->f, c->scope, node_name(c->f, type + 1), BIND_OPAQUE, type);
}

/* ---- patterns, dependency tables ------------------------------------------------------------- */

/* A capture of `case x:`; a dotted name or the class of a pattern binds nothing. */
static void collect_capture(struct collect *c, uint32_t i)
{
	uint32_t id = tree_child(c->t, i);

	if (tree_parent_kind(c->t, i) != K_CLASS_PATTERN && id != NO_NODE &&
	    tree_sibling(c->t, id) == NO_NODE && c->t->v[id].kind == K_IDENTIFIER)
		bind_add(c->f, c->scope, node_name(c->f, id), BIND_OPAQUE, i);
}

static void collect_as(struct collect *c, uint32_t i)
{
	struct tree *t = c->t;
	uint32_t k, last = NO_NODE;

	for (k = tree_child(t, i); k != NO_NODE; k = tree_sibling(t, k))
		last = k;
	if (last != NO_NODE && last != i + 1)
		bind_targets(c, last, BIND_OPAQUE, i);
}

/* f(install_requires=rows): the variable `rows` holds the table. */
static void collect_require(struct collect *c, uint32_t key, uint32_t value)
{
	uint32_t table, name;

	if (key == NO_NODE || value == NO_NODE || c->t->v[value].kind != K_IDENTIFIER)
		return;
	/* node_name() may move names.v, so the index comes first. */
	name = node_name(c->f, c->t->v[key].kind == K_IDENTIFIER ? key : value);
	if (c->t->v[key].kind == K_IDENTIFIER)
		table = c->f->names.v[name].require;
	else
		table = require_table(c->f, key);
	if (!table || table >= NAME_NR || table < NAME_INSTALL_REQUIRES)
		return;
	name = node_name(c->f, value);
	c->f->names.v[name].require = (uint8_t)table;
}

uint32_t require_table(const struct pyfile *f, uint32_t string)
{
	struct span in;
	uint32_t id;

	if (f->t.v[string].kind != K_STRING)
		return 0;
	in = string_inner(f, string);
	id = name_find(f, f->text + in.start, in.end - in.start);
	return id >= NAME_INSTALL_REQUIRES && id <= NAME_EXTRAS_REQUIRE ? id : 0;
}

/* ---- the loop -------------------------------------------------------------------------------- */

static void frame_push(struct collect *c, uint32_t node, uint32_t scope)
{
	struct frame *fr = VEC_PUSH(&c->f->w->scratch, &c->frames);

	fr->end = c->t->v[node].next;
	fr->scope = scope;
	c->scope = scope;
}

/* Open the scope that begins at this node, if one does. */
static void collect_enter(struct collect *c, uint32_t i)
{
	const struct node *n = &c->t->v[i];

	if (n->field == FIELD_BODY) {
		switch (tree_parent_kind(c->t, i)) {
		case K_FUNCTION:
		case K_LAMBDA:
		case K_CLASS:
			if (c->t->v[n->parent].name)
				frame_push(c, i, c->t->v[n->parent].name);
			break;
		default:
			break;
		}
	}
	switch (n->kind) {
	case K_LIST_COMPREHENSION:
	case K_DICT_COMPREHENSION:
	case K_SET_COMPREHENSION:
	case K_GENERATOR:
		c->t->v[i].name = scope_new(c->f, SCOPE_COMPREHENSION, c->scope, i,
					    c->f->scopes.v[c->scope].def);
		frame_push(c, i, c->t->v[i].name);
		break;
	default:
		break;
	}
}

static void collect_binders(struct collect *c, uint32_t i)
{
	struct tree *t = c->t;
	uint32_t left;

	switch (t->v[i].kind) {
	case K_FOR:
	case K_FOR_IN:
	case K_AUGMENTED:
	case K_TYPE_ALIAS:
		left = tree_field(t, i, FIELD_LEFT);
		if (left != NO_NODE)
			bind_targets(c, left, BIND_OPAQUE, i);
		break;
	case K_AS_PATTERN:
		collect_as(c, i);
		break;
	case K_DOTTED:
		collect_capture(c, i);
		break;
	case K_MATCH_SPLAT:
		bind_targets(c, i, BIND_OPAQUE, i);
		break;
	case K_TYPE_PARAMETER:
		collect_type_parameters(c, i);
		break;
	case K_KEYWORD_ARGUMENT:
		collect_require(c, tree_field(t, i, FIELD_NAME), tree_field(t, i, FIELD_VALUE));
		break;
	case K_PAIR:
		collect_require(c, tree_field(t, i, FIELD_KEY), tree_field(t, i, FIELD_VALUE));
		break;
	default:
		break;
	}
}

/* Nothing decides whether the node is evaluated when its function runs. */
static bool is_certain(const struct tree *t, uint32_t i)
{
	for (i = t->v[i].parent; i != NO_NODE; i = t->v[i].parent) {
		switch (t->v[i].kind) {
		case K_FUNCTION:
			return true;
		case K_BLOCK:
		case K_EXPRESSION:
		case K_ASSIGNMENT:
		case K_AUGMENTED:
		case K_RETURN:
		case K_WITH:
		case K_CALL:
		case K_ARGUMENTS:
		case K_KEYWORD_ARGUMENT:
		case K_ATTRIBUTE:
		case K_SUBSCRIPT:
		case K_BINARY:
		case K_UNARY:
		case K_PARENTHESIZED:
		case K_TUPLE:
		case K_LIST:
		case K_EXPRESSION_LIST:
			break;
		default:
			return false;
		}
	}
	return false;
}

/* x.detach(): the variable x of this function is a tensor. */
static void collect_tensor(struct collect *c, uint32_t i)
{
	struct entry *e;

	if (c->f->scopes.v[c->scope].kind != SCOPE_FUNCTION || !is_tensor_call(c->f, i) ||
	    !is_certain(c->t, i))
		return;
	e = entry_find(c->f, c->scope, node_name(c->f, i + 2));
	if (e && !e->outer && e->first) {
		e->tensor = node_name(c->f, i + 3);
		c->f->names.v[e->name].tracked = true;
	}
}

/* x.append(...): what a list holds matters for the sources of extensions. */
static void collect_call(struct collect *c, uint32_t i)
{
	const struct tree *t = c->t;
	uint32_t name;

	if (i + 3 >= t->v[i].next || t->v[i + 1].kind != K_ATTRIBUTE ||
	    t->v[i + 2].kind != K_IDENTIFIER || t->v[i + 3].kind != K_IDENTIFIER)
		return;
	if (c->f->s->mentions)
		collect_tensor(c, i);
	switch (node_name(c->f, i + 3)) {
	case NAME_APPEND:
	case NAME_EXTEND:
	case NAME_INSERT:
		name = node_name(c->f, i + 2);
		if (entry_find(c->f, c->scope, name))
			bind_add(c->f, c->scope, name, BIND_GROW, i);
		break;
	default:
		break;
	}
}

/* Returns the node to go on with. */
static uint32_t collect_node(struct collect *c, uint32_t i)
{
	struct tree *t = c->t;

	switch (t->v[i].kind) {
	case K_IDENTIFIER:
	case K_STRING:
	case K_ATTRIBUTE:
	case K_ARGUMENTS:
		return i + 1;
	case K_CALL:
		collect_call(c, i);
		return i + 1;
	case K_IMPORT:
	case K_IMPORT_FROM:
	case K_FUTURE_IMPORT:
		collect_import(c->f, i, c->scope);
		return t->v[i].next;
	case K_FUNCTION:
	case K_LAMBDA:
		collect_function(c, i);
		break;
	case K_CLASS:
		collect_class(c, i);
		break;
	case K_ASSIGNMENT:
		collect_assignment(c, i);
		break;
	case K_NAMED:
		collect_named(c, i);
		break;
	case K_DELETE:
		collect_delete(c, i);
		break;
	case K_GLOBAL:
		collect_outer(c, i, OUTER_GLOBAL);
		return t->v[i].next;
	case K_NONLOCAL:
		collect_outer(c, i, OUTER_NONLOCAL);
		return t->v[i].next;
	default:
		collect_binders(c, i);
	}
	return i + 1;
}

/* Bindings made through `global` and `nonlocal` belong to the scope they name. */
static void merge_outer(struct pyfile *f)
{
	size_t i, nr = f->entries.nr;

	for (i = 0; i < nr; i++) {
		struct entry *e = &f->entries.v[i], *outer = NULL;
		uint32_t scope = f->scopes.v[e->scope].parent;

		if (!e->outer || !e->first)
			continue;
		if (e->outer == OUTER_GLOBAL)
			scope = 0;
		for (; e->outer == OUTER_NONLOCAL && scope; scope = f->scopes.v[scope].parent) {
			outer = entry_find(f, scope, e->name);
			if (f->scopes.v[scope].kind == SCOPE_FUNCTION && outer && !outer->outer)
				break;
		}
		outer = entry_get(f, scope, e->name);
		e = &f->entries.v[i];
		if (outer == e)
			continue;
		if (outer->first)
			f->binds.v[outer->last].next = e->first;
		else
			outer->first = e->first;
		outer->last = e->last;
		e->first = e->last = 0;
	}
}

void file_collect(struct pyfile *f)
{
	struct collect c = {.f = f, .t = &f->t};
	uint32_t i;

	name_id(f, "", 0);
	VEC_PUSH(&f->w->scratch, &f->binds);
	scope_new(f, SCOPE_MODULE, 0, 0, -1);
	for (i = 0; i < f->t.nr;) {
		while (c.frames.nr && c.frames.v[c.frames.nr - 1].end <= i) {
			c.frames.nr--;
			c.scope = c.frames.nr ? c.frames.v[c.frames.nr - 1].scope : 0;
		}
		collect_enter(&c, i);
		if (c.frames.nr > SCOPES_MAX) {
			/* The walk leaves it out, too. */
			f->too_deep = true;
			f->t.v[i].kind = K_ERROR;
			i = f->t.v[i].next;
			continue;
		}
		i = collect_node(&c, i);
	}
	merge_outer(f);
}
