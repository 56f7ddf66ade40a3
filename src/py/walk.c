/* walk.c - what becomes of one node of the walk: uses, members, calls, classes, strings. */
#include "py/walk.h"

#include "py/import.h"

#define RECEIVER_TEXT_MAX 80

struct alternative *alternative_of(struct pyfile *f, uint32_t owner, int guard)
{
	struct node *n = &f->t.v[owner];
	struct alternative *alt;

	if (!n->name) {
		alt = VEC_PUSH(&f->w->scratch, &f->alternatives);
		alt->condition = tree_field(&f->t, owner, FIELD_CONDITION);
		alt->guard = guard;
		n->name = (uint32_t)f->alternatives.nr;
	}
	return &f->alternatives.v[n->name - 1];
}

/* ---- where an expression stands -------------------------------------------------------------- */

static bool is_union_part(const struct tree *t, uint32_t i)
{
	uint32_t p = t->v[i].parent;

	while (p != NO_NODE && (t->v[p].kind == K_PARENTHESIZED || t->v[p].kind == K_TYPE))
		p = t->v[p].parent;
	return p != NO_NODE && ((t->v[p].kind == K_BINARY && t->v[p].op == OP_PIPE) ||
				t->v[p].kind == K_UNION_TYPE);
}

/* In the second argument of isinstance or issubclass, by itself, in a tuple or in a union. */
static bool is_isinstance_part(struct pyfile *f, const struct context *c, uint32_t i)
{
	const struct tree *t = &f->t;
	uint32_t p = t->v[i].parent, fn, name;
	int n;

	for (n = 0; n < CHAIN_MAX && p != NO_NODE &&
		    (t->v[p].kind == K_PARENTHESIZED || t->v[p].kind == K_TUPLE ||
		     (t->v[p].kind == K_BINARY && t->v[p].op == OP_PIPE));
	     n++) {
		i = p;
		p = t->v[i].parent;
	}
	if (p == NO_NODE || t->v[p].kind != K_ARGUMENTS || tree_parent_kind(t, p) != K_CALL)
		return false;
	if (tree_child(t, p) == i || tree_sibling(t, tree_child(t, p)) != i)
		return false;
	fn = tree_child(t, t->v[p].parent);
	if (t->v[fn].kind != K_IDENTIFIER)
		return false;
	name = node_name(f, fn);
	return (name == NAME_ISINSTANCE || name == NAME_ISSUBCLASS) && is_unbound(f, c->scope, fn);
}

uint32_t place_flags(struct pyfile *f, const struct context *c, uint32_t i)
{
	const struct tree *t = &f->t;
	uint32_t flags = 0, p;

	if (is_union_part(t, i))
		flags |= F_UNION;
	if (is_isinstance_part(f, c, i))
		flags |= F_ISINSTANCE;
	while (tree_parent_kind(t, i) == K_PARENTHESIZED)
		i = t->v[i].parent;
	p = t->v[i].parent;
	switch (tree_parent_kind(t, i)) {
	case K_COMPARISON:
		flags |= F_COMPARE;
		break;
	case K_BINARY:
		flags |= t->v[p].op == OP_PIPE ? 0 : F_ARITHMETIC;
		break;
	case K_UNARY:
	case K_AUGMENTED:
		flags |= F_ARITHMETIC;
		break;
	case K_SLICE:
		flags |= F_INDEX;
		break;
	case K_SUBSCRIPT:
		flags |= i == p + 1 ? F_SUBSCRIPT : F_INDEX;
		break;
	case K_GENERIC_TYPE:
		if (i == p + 1)
			flags |= F_SUBSCRIPT;
		break;
	case K_DECORATOR:
		flags |= F_DECORATOR;
		break;
	case K_ARGUMENTS:
		if (tree_parent_kind(t, p) == K_CLASS)
			flags |= F_BASE;
		break;
	default:
		break;
	}
	return flags;
}

/* The call of which node i is the function, else i. */
static uint32_t call_around(const struct tree *t, uint32_t i)
{
	return tree_parent_kind(t, i) == K_CALL && t->v[i].field == FIELD_FUNCTION ? t->v[i].parent
										   : i;
}

static bool is_watched(const struct pyfile *f, const struct resolved *r)
{
	return r->name && !r->keep && list_holds(f->w->vocab->watched, r->name);
}

/* Names of frameworks and of the repository are recorded, and those that the vocabulary lists. */
static bool is_recorded(const struct pyfile *f, const struct resolved *r)
{
	return r->name &&
	       (r->keep || is_watched(f, r) || list_has(f->w->vocab->extension_calls, r->name));
}

/* What a use and a member have in common: the call, its arguments and the place. */
static void fact_fill(struct pyfile *f, const struct context *c, struct fact *fact, uint32_t i)
{
	uint32_t call = call_around(&f->t, i), args;
	size_t k;

	fact->stmt = tree_span(&f->t, call);
	fact->flags |= place_flags(f, c, call);
	if (call == i)
		return;
	fact->flags |= F_CALL;
	args = tree_field(&f->t, call, FIELD_ARGUMENTS);
	if (args == NO_NODE)
		return;
	fact->args = value_args(f, c->scope, args, &fact->nr_args);
	for (k = 0; k < fact->nr_args; k++)
		if (fact->args[k].splat)
			fact->flags |= F_SPLAT;
}

/* ---- names ------------------------------------------------------------------------------------
 */

static struct fact *emit_use(struct pyfile *f, const struct context *c, uint32_t i,
			     const struct resolved *r)
{
	struct fact *fact = fact_at(f, c, FACT_USE, r->name, tree_span(&f->t, i));
	uint32_t root = tree_chain_root(&f->t, i);

	fact_fill(f, c, fact, i);
	if (r->star)
		fact->flags |= F_STAR;
	if (r->alias)
		fact->text = intern(f->w->intern, f->text + f->t.v[root].start,
				    f->t.v[root].end - f->t.v[root].start);
	if (fact->nr_args && list_has(f->w->vocab->extension_calls, r->name))
		static_sources(f, c->scope,
			       tree_field(&f->t, call_around(&f->t, i), FIELD_ARGUMENTS), fact);
	return fact;
}

/* The key of x["key"] and of "key" in x, NO_NODE where there is none. */
static uint32_t key_of(const struct tree *t, uint32_t i)
{
	uint32_t p = t->v[i].parent, first;

	switch (tree_parent_kind(t, i)) {
	case K_SUBSCRIPT:
		return i == p + 1 ? tree_field(t, p, FIELD_SUBSCRIPT) : NO_NODE;
	case K_COMPARISON:
		first = tree_child(t, p);
		return t->v[first].kind == K_STRING && tree_sibling(t, first) == i &&
				       tree_sibling(t, i) == NO_NODE
			       ? first
			       : NO_NODE;
	default:
		return NO_NODE;
	}
}

/* x["key"] = value, del x["key"]: the statement, NO_NODE when the subscript is no target. */
static uint32_t keyed_target(const struct tree *t, uint32_t i)
{
	uint32_t sub = t->v[i].parent, p;

	if (tree_parent_kind(t, i) != K_SUBSCRIPT || i != sub + 1)
		return NO_NODE;
	p = t->v[sub].parent;
	switch (tree_parent_kind(t, sub)) {
	case K_ASSIGNMENT:
	case K_AUGMENTED:
		return t->v[sub].field == FIELD_LEFT ? p : NO_NODE;
	case K_DELETE:
		return p;
	default:
		return NO_NODE;
	}
}

static void emit_keyed(struct pyfile *f, const struct context *c, uint32_t i, uint32_t key,
		       uint32_t stmt, const char *name)
{
	struct fact *fact = fact_at(f, c, FACT_ASSIGN, name, tree_span(&f->t, i));
	uint32_t value = tree_field(&f->t, stmt, FIELD_RIGHT);

	fact->flags |= F_SUBSCRIPT;
	fact->stmt = tree_span(&f->t, stmt);
	fact->text = string_text(f, key);
	if (value == NO_NODE)
		return;
	fact->args = ARENA_NEW(f->w->arena, struct arg);
	fact->nr_args = 1;
	fact->args->span = tree_span(&f->t, value);
	value_of(f, c->scope, value, fact->args);
}

/* A name of the vocabulary's list: what it is asked for is its argument. */
static void emit_watched(struct pyfile *f, const struct context *c, uint32_t i,
			 const struct resolved *r)
{
	uint32_t key = key_of(&f->t, i), stmt = keyed_target(&f->t, i);
	struct fact *fact;

	if (key != NO_NODE && stmt != NO_NODE) {
		emit_keyed(f, c, i, key, stmt, r->name);
		return;
	}
	fact = emit_use(f, c, i, r);
	if (key == NO_NODE || f->t.v[key].kind != K_STRING)
		return;
	fact->args = ARENA_NEW(f->w->arena, struct arg);
	fact->nr_args = 1;
	fact->args->span = tree_span(&f->t, key);
	value_of(f, c->scope, key, fact->args);
}

static void emit_name(struct pyfile *f, const struct context *c, uint32_t i,
		      const struct resolved *r)
{
	if (is_watched(f, r))
		emit_watched(f, c, i, r);
	else
		emit_use(f, c, i, r);
}

/* framework.x = value, del framework.x */
static void emit_assign(struct pyfile *f, const struct context *c, uint32_t i, const char *name)
{
	struct fact *fact = fact_at(f, c, FACT_ASSIGN, name, tree_span(&f->t, i));
	const struct tree *t = &f->t;
	uint32_t p = t->v[i].parent, value;
	struct arg arg = {0};

	while (p != NO_NODE && t->v[p].kind != K_ASSIGNMENT && t->v[p].kind != K_AUGMENTED &&
	       t->v[p].kind != K_DELETE && t->v[p].kind != K_BLOCK)
		p = t->v[p].parent;
	if (p == NO_NODE || t->v[p].kind == K_BLOCK)
		return;
	fact->stmt = tree_span(t, p);
	value = tree_field(t, p, FIELD_RIGHT);
	if (t->v[i].parent != p || value == NO_NODE || t->v[p].kind != K_ASSIGNMENT)
		return;
	value_of(f, c->scope, value, &arg);
	if (arg.value == VALUE_NAME)
		fact->text = arg.text;
}

/* Identifiers that are no references: names of parameters, keywords, definitions, attributes. */
static bool is_reference(const struct tree *t, uint32_t i)
{
	enum node_field field = t->v[i].field;

	switch (tree_parent_kind(t, i)) {
	case K_KEYWORD_ARGUMENT:
	case K_FUNCTION:
	case K_CLASS:
	case K_DEFAULT_PARAMETER:
	case K_TYPED_DEFAULT_PARAMETER:
	case K_NAMED:
		return field != FIELD_NAME;
	case K_ATTRIBUTE:
		return field == FIELD_OBJECT;
	case K_PARAMETERS:
	case K_LAMBDA_PARAMETERS:
	case K_TYPED_PARAMETER:
	case K_SPLAT_PATTERN:
	case K_DICT_SPLAT_PATTERN:
	case K_MATCH_SPLAT:
	case K_KEYWORD_PATTERN:
	case K_DOTTED:
		return false;
	case K_AS_PATTERN:
	case K_MEMBER_TYPE:
		return i == t->v[i].parent + 1;
	default:
		return true;
	}
}

static void walk_identifier(struct pyfile *f, uint32_t i, const struct context *c)
{
	struct resolved r;

	/* A name that mend.c made stands for nothing. */
	if ((c->flags & (CTX_STORE | CTX_DELETE)) || f->written[f->t.v[i].start] == '*')
		return;
	r = resolve(f, c->scope, i);
	if (is_recorded(f, &r) && is_reference(&f->t, i))
		emit_name(f, c, i, &r);
}

/* ---- members ----------------------------------------------------------------------------------
 */

/*
 * Type of the receiver of attribute node i, NULL when it is unknown or the attribute is not its own.
 * *flags gets F_GUESSED where nothing but the attribute tells.
 */
static const char *receiver_type(struct pyfile *f, const struct context *c, uint32_t i,
				 uint32_t attr, uint32_t *flags)
{
	uint32_t object = i + 1, own = self_class(f, c->scope, object);
	const char *type;

	if (own && class_has(f, own, node_name(f, attr)))
		return NULL;
	type = resolve_type(f, c->scope, object);
	if (!type && tree_parent_kind(&f->t, i) == K_CALL && f->t.v[i].field == FIELD_FUNCTION &&
	    is_tensor_call(f, f->t.v[i].parent)) {
		*flags = F_GUESSED;
		return f->w->vocab->tensor;
	}
	return type;
}

/*
 * The value that an assignment gives to target i, alone or as one of a list that as many values stand
 * against; NO_NODE: not seen.
 */
static uint32_t assigned_value(const struct tree *t, uint32_t i)
{
	uint32_t p = t->v[i].parent, targets = NO_NODE, target, value;

	if (p != NO_NODE && (t->v[p].kind == K_PATTERN_LIST || t->v[p].kind == K_TUPLE_PATTERN)) {
		targets = p;
		p = t->v[p].parent;
	}
	if (p == NO_NODE || t->v[p].kind != K_ASSIGNMENT)
		return NO_NODE;
	value = tree_field(t, p, FIELD_RIGHT);
	if (targets == NO_NODE || value == NO_NODE)
		return value;
	if (t->v[value].kind != K_EXPRESSION_LIST && t->v[value].kind != K_TUPLE)
		return NO_NODE;
	target = tree_child(t, targets);
	value = tree_child(t, value);
	while (target != NO_NODE && target != i && value != NO_NODE) {
		target = tree_sibling(t, target);
		value = tree_sibling(t, value);
	}
	return target == i ? value : NO_NODE;
}

/* Note the value that is stored, where it is a name. */
static void store_value(struct pyfile *f, const struct context *c, struct fact *fact, uint32_t i)
{
	uint32_t value = assigned_value(&f->t, i);

	if (value == NO_NODE || f->t.v[value].kind != K_IDENTIFIER)
		return;
	fact->args = ARENA_NEW(f->w->arena, struct arg);
	fact->nr_args = 1;
	value_of(f, c->scope, value, fact->args);
	fact->args->span = fact->args->valspan;
}

static void emit_member(struct pyfile *f, const struct context *c, uint32_t i)
{
	const struct tree *t = &f->t;
	uint32_t object = i + 1, attr = t->v[i].next - 1;
	struct context load = *c;
	const char *type, *name;
	struct fact *fact;
	uint32_t len, flags = 0;
	bool store;

	if (attr <= object || t->v[attr].kind != K_IDENTIFIER || t->v[attr].parent != i)
		return;
	type = receiver_type(f, c, i, attr, &flags);
	len = t->v[attr].end - t->v[attr].start;
	if (!type && !may_be_word(f->w->member_lengths, t->text + t->v[attr].start, len))
		return;
	name = intern(f->w->intern, t->text + t->v[attr].start, len);
	if (!type && !list_has(f->w->vocab->members, name))
		return;
	store = (c->flags & CTX_STORE) && tree_parent_kind(t, i) != K_ATTRIBUTE;
	load.flags &= ~(CTX_STORE | CTX_DELETE);
	fact = fact_at(f, &load, FACT_MEMBER, name, tree_span(t, attr));
	fact->recv = type;
	fact_fill(f, &load, fact, i);
	fact->flags |= flags | (store ? F_STORE : 0);
	if (store && type)
		store_value(f, &load, fact, i);
	if (t->v[object].end - t->v[object].start <= RECEIVER_TEXT_MAX)
		fact->text = intern(f->w->intern, t->text + t->v[object].start,
				    t->v[object].end - t->v[object].start);
}

/* The members of a chain that stands for nothing known: each attribute from the inside out. */
static void walk_unknown_chain(struct pyfile *f, uint32_t i, const struct context *c)
{
	for (; f->t.v[i].kind == K_ATTRIBUTE; i++)
		emit_member(f, c, i);
}

static uint32_t walk_attribute(struct pyfile *f, uint32_t i, const struct context *c)
{
	const struct tree *t = &f->t;
	struct resolved r;

	/* Inside an attribute this can only be part of a chain that is not dotted. */
	if (tree_parent_kind(t, i) == K_ATTRIBUTE || tree_chain_root(t, i) == NO_NODE) {
		emit_member(f, c, i);
		return i + 1;
	}
	r = resolve(f, c->scope, i);
	if (!r.name)
		walk_unknown_chain(f, i, c);
	else if ((r.keep || is_watched(f, &r)) && (c->flags & (CTX_STORE | CTX_DELETE)))
		emit_assign(f, c, i, r.name);
	else if (is_recorded(f, &r))
		emit_name(f, c, i, &r);
	return t->v[i].next;
}

/* ---- calls ------------------------------------------------------------------------------------
 */

/* The name X.a that f(X, "a", ...) is about, NULL when it is not known; *attr: the literal. */
static const char *attribute_named(struct pyfile *f, uint32_t call, const struct context *c,
				   uint32_t *attr)
{
	const struct tree *t = &f->t;
	uint32_t args = tree_field(t, call, FIELD_ARGUMENTS), object;
	struct strbuf sb = STRBUF_INIT;
	struct resolved r;
	const char *text, *name;

	object = args == NO_NODE ? NO_NODE : tree_child(t, args);
	*attr = object == NO_NODE ? NO_NODE : tree_sibling(t, object);
	if (*attr == NO_NODE)
		return NULL;
	r = resolve(f, c->scope, object);
	text = r.name && r.keep && !r.star ? string_text(f, *attr) : NULL;
	if (!text)
		return NULL;
	strbuf_addf(&sb, "%s.%s", r.name, text);
	name = intern(f->w->intern, sb.buf, sb.len);
	strbuf_release(&sb);
	return name;
}

/* setattr(module, "x", value), delattr(module, "x") */
static void walk_setattr(struct pyfile *f, uint32_t call, const struct context *c)
{
	uint32_t attr, value;
	const char *name = attribute_named(f, call, c, &attr);
	struct arg arg = {0};
	struct fact *fact;

	if (!name)
		return;
	fact = fact_at(f, c, FACT_ASSIGN, name, tree_span(&f->t, call));
	value = tree_sibling(&f->t, attr);
	if (value != NO_NODE)
		value_of(f, c->scope, value, &arg);
	if (arg.value == VALUE_NAME)
		fact->text = arg.text;
}

/* getattr(module, "x"), getattr(module, "x", other) */
static void walk_getattr(struct pyfile *f, uint32_t call, const struct context *c)
{
	uint32_t attr, other;
	const char *name = attribute_named(f, call, c, &attr);
	struct context inside = *c;

	if (!name)
		return;
	other = tree_sibling(&f->t, attr);
	if (other != NO_NODE)
		inside.guard = guard_getattr(f, name, call, tree_span(&f->t, other), c->guard);
	fact_at(f, &inside, FACT_USE, name, tree_span(&f->t, call))->flags |= F_DYNAMIC;
}

static void walk_dynamic_import(struct pyfile *f, uint32_t call, const struct context *c)
{
	const struct tree *t = &f->t;
	uint32_t literal, p = t->v[call].parent, left;
	const char *name = dynamic_import(f, c->scope, call, &literal);
	struct fact *fact;

	if (!name)
		return;
	fact = fact_at(f, c, FACT_IMPORT, name, tree_span(t, literal));
	fact->flags |= F_DYNAMIC | (c->flags & CTX_TRY_IMPORT ? F_TRY_IMPORT : 0);
	fact->stmt = tree_span(t, call);
	left = t->v[p].kind == K_ASSIGNMENT ? tree_field(t, p, FIELD_LEFT) : NO_NODE;
	if (left != NO_NODE && t->v[left].kind == K_IDENTIFIER)
		fact->text = intern(f->w->intern, t->text + t->v[left].start,
				    t->v[left].end - t->v[left].start);
}

/* (X if c else Y)(...), where both make an extension. */
static void walk_choice(struct pyfile *f, uint32_t fn, const struct context *c)
{
	uint32_t choice = tree_bare(&f->t, fn);
	struct resolved r;

	if (choice == fn || f->t.v[choice].kind != K_CONDITIONAL)
		return;
	r = resolve_choice(f, c->scope, choice);
	r.alias = false;
	if (r.name && list_has(f->w->vocab->extension_calls, r.name))
		emit_use(f, c, fn, &r);
}

static void walk_call(struct pyfile *f, uint32_t i, const struct context *c)
{
	const struct tree *t = &f->t;
	uint32_t fn = tree_field(t, i, FIELD_FUNCTION), last;

	if (fn != NO_NODE)
		walk_choice(f, fn, c);
	if (fn == NO_NODE || (t->v[fn].kind != K_IDENTIFIER && t->v[fn].kind != K_ATTRIBUTE))
		return;
	last = t->v[fn].next - 1;
	if (t->v[last].kind != K_IDENTIFIER)
		return;
	switch (node_name(f, last)) {
	case NAME_SETATTR:
	case NAME_DELATTR:
		if (last == fn && is_unbound(f, c->scope, fn))
			walk_setattr(f, i, c);
		break;
	case NAME_GETATTR:
		if (last == fn && is_unbound(f, c->scope, fn))
			walk_getattr(f, i, c);
		break;
	case NAME_DUNDER_IMPORT:
	case NAME_IMPORT_MODULE:
	case NAME_IMPORTORSKIP:
		walk_dynamic_import(f, i, c);
		break;
	case NAME_APPEND:
	case NAME_EXTEND:
	case NAME_INSERT:
		rows_node(f, i, c);
		break;
	default:
		break;
	}
}

/* ---- definitions and statements ----------------------------------------------------------------
 */

static void walk_class(struct pyfile *f, uint32_t i, const struct context *c)
{
	const struct tree *t = &f->t;
	uint32_t scope = t->v[i].name, name = tree_field(t, i, FIELD_NAME);
	uint32_t list = tree_field(t, i, FIELD_SUPERCLASSES);
	struct fact *fact;

	if (!scope || name == NO_NODE)
		return;
	fact = fact_at(f, c, FACT_CLASS, f->defs.v[f->scopes.v[scope].def].name,
		       tree_span(t, name));
	fact->stmt = tree_span(t, i);
	if (list != NO_NODE)
		fact->args = value_args(f, c->scope, list, &fact->nr_args);
}

/* The annotation's class, or a builtin name as it is written; see resolve_annotation(). */
static const char *parameter_type(struct pyfile *f, const struct context *c, uint32_t type)
{
	const char *name = resolve_annotation(f, c->scope, type);
	struct span s;

	if (name || !annotation_name(f, type, &s))
		return name;
	if (name_find(f, f->text + s.start, s.end - s.start) &&
	    entry_lookup(f, c->scope, name_find(f, f->text + s.start, s.end - s.start)))
		return NULL;
	return is_builtin_name(f->text + s.start, s.end - s.start)
		       ? intern(f->w->intern, f->text + s.start, s.end - s.start)
		       : NULL;
}

/* The annotation is Optional[X], X | None or None | X. */
static bool admits_none(const struct pyfile *f, uint32_t type)
{
	const char *s = f->text + f->t.v[type].start;
	size_t n = f->t.v[type].end - f->t.v[type].start;

	return memmem(s, n, "Optional[", 9) || memmem(s, n, "| None", 6) || memmem(s, n, "None |", 6);
}

/* Name, annotation and default of one parameter; false for separators. */
static bool fill_parameter(struct pyfile *f, uint32_t p, const struct context *c, struct arg *arg)
{
	const struct tree *t = &f->t;
	uint32_t id = p, type = tree_field(t, p, FIELD_TYPE), value = tree_field(t, p, FIELD_VALUE);

	if (t->v[id].kind == K_DEFAULT_PARAMETER || t->v[id].kind == K_TYPED_DEFAULT_PARAMETER ||
	    t->v[id].kind == K_TYPED_PARAMETER)
		id = tree_child(t, id);
	if (id != NO_NODE &&
	    (t->v[id].kind == K_SPLAT_PATTERN || t->v[id].kind == K_DICT_SPLAT_PATTERN)) {
		arg->splat = true;
		id = tree_child(t, id);
	}
	if (id == NO_NODE || t->v[id].kind != K_IDENTIFIER)
		return false;
	arg->span = tree_span(t, p);
	arg->valspan = (struct span){t->v[p].end, t->v[p].end};
	if (value != NO_NODE)
		value_of(f, c->scope, value, arg);
	arg->keyword =
		intern(f->w->intern, t->text + t->v[id].start, t->v[id].end - t->v[id].start);
	arg->text = type == NO_NODE ? NULL : parameter_type(f, c, type);
	arg->may_be_none = type != NO_NODE && admits_none(f, type);
	return true;
}

static void walk_parameters(struct pyfile *f, uint32_t i, const struct context *c)
{
	const struct tree *t = &f->t;
	uint32_t owner = t->v[i].parent, p;
	struct def *d;
	size_t nr = 0;

	if (owner == NO_NODE || !t->v[owner].name || f->scopes.v[t->v[owner].name].def < 0)
		return;
	d = &f->defs.v[f->scopes.v[t->v[owner].name].def];
	for (p = tree_child(t, i); p != NO_NODE; p = tree_sibling(t, p))
		nr++;
	if (!nr || d->params)
		return;
	d->params = arena_array(f->w->arena, nr, sizeof(*d->params));
	for (p = tree_child(t, i); p != NO_NODE; p = tree_sibling(t, p))
		if (fill_parameter(f, p, c, &d->params[d->nr_params]))
			d->nr_params++;
		else
			memset(&d->params[d->nr_params], 0, sizeof(*d->params));
}

static void walk_import(struct pyfile *f, uint32_t i, const struct context *c)
{
	struct imported im;
	struct fact *fact;
	uint32_t pos = 0;

	while (import_next(f, i, &pos, &im)) {
		fact = fact_at(f, c, FACT_IMPORT, im.name, im.span);
		fact->flags |= im.flags | (c->flags & CTX_TRY_IMPORT ? F_TRY_IMPORT : 0);
		fact->stmt = tree_span(&f->t, i);
		if (im.bound)
			fact->text = intern(f->w->intern, f->names.v[im.bound].s,
					    f->names.v[im.bound].len);
	}
}

/* A dotted name of a match pattern: `case a.b():`; a single name is a capture. */
static void walk_pattern(struct pyfile *f, uint32_t i, const struct context *c)
{
	const struct tree *t = &f->t;
	uint32_t root = tree_child(t, i);
	struct span rest;
	struct resolved r;

	if (root == NO_NODE || t->v[root].kind != K_IDENTIFIER ||
	    (tree_sibling(t, root) == NO_NODE && tree_parent_kind(t, i) != K_CLASS_PATTERN))
		return;
	rest = (struct span){t->v[root].end, t->v[i].end};
	if (memchr(t->text + rest.start, ' ', rest.end - rest.start))
		return;
	r = resolve_name(f, c->scope, node_name(f, root), t->text + rest.start,
			 rest.end - rest.start);
	if (!r.name || !r.keep)
		return;
	fact_at(f, c, FACT_USE, r.name, tree_span(t, i))->flags |= r.star ? F_STAR : 0;
}

uint32_t walk_node(struct pyfile *f, uint32_t i, const struct context *c)
{
	const struct tree *t = &f->t;

	switch (t->v[i].kind) {
	case K_IDENTIFIER:
		walk_identifier(f, i, c);
		break;
	case K_ATTRIBUTE:
		return walk_attribute(f, i, c);
	case K_CALL:
		walk_call(f, i, c);
		break;
	case K_STRING:
		walk_string(f, i, c);
		break;
	case K_IMPORT:
	case K_IMPORT_FROM:
	case K_FUTURE_IMPORT:
		walk_import(f, i, c);
		return t->v[i].next;
	case K_CLASS:
		walk_class(f, i, c);
		break;
	case K_PARAMETERS:
	case K_LAMBDA_PARAMETERS:
		walk_parameters(f, i, c);
		break;
	case K_RETURN:
		walk_return(f, i, c);
		break;
	case K_KEYWORD_ARGUMENT:
		entries_node(f, i, c);
		rows_node(f, i, c);
		break;
	case K_ASSIGNMENT:
	case K_AUGMENTED:
	case K_PAIR:
		rows_node(f, i, c);
		break;
	case K_DOTTED:
		walk_pattern(f, i, c);
		return t->v[i].next;
	case K_GLOBAL:
	case K_NONLOCAL:
		return t->v[i].next;
	default:
		break;
	}
	return i + 1;
}
