/*
 * place.c - where a string literal stands, and what stands with it: a dtype that is compared
 * with str(x.dtype) is something else than one that is handed to a parser.
 */
#include "py/walk.h"

/* Displays and parentheses that are looked through, and calls and names. */
#define DISPLAYS_MAX 8
#define WITH_DEPTH   4
#define WITH_MAX     80

/* ---- what stands with it ----------------------------------------------------------------------- */

static void add_node(const struct pyfile *f, struct strbuf *sb, uint32_t node)
{
	strbuf_add(sb, f->text + f->t.v[node].start, f->t.v[node].end - f->t.v[node].start);
}

static bool add_value(struct pyfile *f, struct strbuf *sb, uint32_t scope, uint32_t node, int depth);

/* str(x.dtype) of a builtin with one argument: "str(.dtype)", or with its class when it is known. */
static void add_builtin(struct pyfile *f, struct strbuf *sb, uint32_t scope, uint32_t call)
{
	const struct tree *t = &f->t;
	uint32_t k = tree_field(t, call, FIELD_ARGUMENTS);
	const char *type;

	add_node(f, sb, call + 1);
	k = k == NO_NODE || t->v[k].kind != K_ARGUMENTS ? NO_NODE : tree_child(t, k);
	if (k == NO_NODE || tree_sibling(t, k) != NO_NODE)
		return;
	k = tree_bare(t, k);
	type = resolve_type(f, scope, k);
	strbuf_addch(sb, '(');
	if (type) {
		strbuf_addstr(sb, type);
	} else if (t->v[k].kind == K_ATTRIBUTE) {
		strbuf_addch(sb, '.');
		add_node(f, sb, t->v[k].next - 1);
	}
	strbuf_addch(sb, ')');
}

/* What a call calls; `value`: with the argument of a builtin. */
static bool add_called(struct pyfile *f, struct strbuf *sb, uint32_t scope, uint32_t call, bool value,
		       int depth)
{
	const struct tree *t = &f->t;
	uint32_t fn = tree_field(t, call, FIELD_FUNCTION), object;
	struct resolved r = {0};

	if (fn == NO_NODE)
		return false;
	r = resolve(f, scope, fn);
	if (r.name && !r.star) {
		strbuf_addstr(sb, r.name);
		return true;
	}
	if (t->v[fn].kind == K_IDENTIFIER) {
		if (value && is_unbound(f, scope, fn))
			add_builtin(f, sb, scope, call);
		else
			add_node(f, sb, fn);
		return true;
	}
	if (t->v[fn].kind != K_ATTRIBUTE)
		return false;
	object = tree_bare(t, fn + 1);
	if (t->v[object].kind != K_ATTRIBUTE)
		add_value(f, sb, scope, object, depth + 1);
	strbuf_addch(sb, '.');
	add_node(f, sb, t->v[fn].next - 1);
	return true;
}

/* The name that an expression works on first: x of x[6:] and x.strip().y; NO_NODE: none. */
static uint32_t works_on(const struct tree *t, uint32_t node)
{
	int n;

	for (n = 0; n < CHAIN_MAX; n++) {
		node = tree_bare(t, node);
		if (t->v[node].kind == K_IDENTIFIER)
			return node;
		if ((t->v[node].kind != K_SUBSCRIPT && t->v[node].kind != K_CALL &&
		     t->v[node].kind != K_ATTRIBUTE) ||
		    tree_child(t, node) == NO_NODE)
			return NO_NODE;
		node = tree_child(t, node);
	}
	return NO_NODE;
}

/* A name: what it was assigned once, when that is a call; what is made of itself is left aside. */
static bool add_name(struct pyfile *f, struct strbuf *sb, uint32_t scope, uint32_t node, int depth)
{
	const struct entry *e = entry_lookup(f, scope, node_name(f, node));
	const struct bind *found = NULL;
	uint32_t i = e ? e->first : 0, on;

	for (; i; i = f->binds.v[i].next) {
		const struct bind *b = &f->binds.v[i];

		if (b->kind != BIND_EXPR)
			return false;
		on = works_on(&f->t, b->node);
		if (on != NO_NODE && b->scope == scope && node_name(f, on) == node_name(f, node))
			continue;
		if (found)
			return false;
		found = b;
	}
	return found && add_value(f, sb, found->scope, found->node, depth + 1);
}

/* What is known of a value: a resolved name, a call, ".x" of an attribute; false: nothing. */
static bool add_value(struct pyfile *f, struct strbuf *sb, uint32_t scope, uint32_t node, int depth)
{
	const struct tree *t = &f->t;
	struct resolved r;

	if (depth >= WITH_DEPTH)
		return false;
	node = tree_bare(t, node);
	r = resolve(f, scope, node);
	if (r.name && !r.star) {
		strbuf_addstr(sb, r.name);
		return true;
	}
	switch (t->v[node].kind) {
	case K_CALL:
		return add_called(f, sb, scope, node, true, depth);
	case K_IDENTIFIER:
		return add_name(f, sb, scope, node, depth);
	case K_ATTRIBUTE:
		strbuf_addch(sb, '.');
		add_node(f, sb, t->v[node].next - 1);
		return true;
	case K_SUBSCRIPT:
		return tree_child(t, node) != NO_NODE &&
		       add_value(f, sb, scope, node + 1, depth + 1);
	default:
		return false;
	}
}

/* ---- where it stands --------------------------------------------------------------------------- */

/* The outermost display or parenthesis around the node. */
static uint32_t outward(const struct tree *t, uint32_t i, bool *display)
{
	int n;

	*display = false;
	for (n = 0; n < DISPLAYS_MAX; n++) {
		switch (tree_parent_kind(t, i)) {
		case K_LIST:
		case K_TUPLE:
		case K_SET:
			*display = true;
			break;
		case K_PARENTHESIZED:
			break;
		default:
			return i;
		}
		i = t->v[i].parent;
	}
	return i;
}

/* The other side of a comparison. */
static uint32_t other_side(const struct tree *t, uint32_t i)
{
	uint32_t first = tree_child(t, t->v[i].parent);

	return first == i ? tree_sibling(t, i) : first;
}

/* The value that a pattern `case "x"` is compared with. */
static uint32_t matched(const struct tree *t, uint32_t pattern)
{
	uint32_t match = t->v[t->v[pattern].parent].parent;

	if (match != NO_NODE && t->v[match].kind == K_BLOCK)
		match = t->v[match].parent;
	return match != NO_NODE && t->v[match].kind == K_MATCH ? tree_child(t, match) : NO_NODE;
}

static const char *in_call(struct pyfile *f, const struct context *c, uint32_t call, uint32_t i,
			   bool display, struct fact *fact, struct strbuf *with)
{
	const struct tree *t = &f->t;
	struct arg *arg = ARENA_NEW(f->w->arena, struct arg);
	uint32_t node = i, name;

	if (tree_parent_kind(t, i) == K_KEYWORD_ARGUMENT) {
		node = t->v[i].parent;
		name = tree_field(t, node, FIELD_NAME);
		if (name != NO_NODE)
			arg->keyword = intern(f->w->intern, t->text + t->v[name].start,
					      t->v[name].end - t->v[name].start);
	}
	arg->value = display ? VALUE_LIST : VALUE_STRING;
	arg->text = display ? NULL : fact->name;
	arg->span = tree_span(t, node);
	arg->valspan = tree_span(t, i);
	fact->args = arg;
	fact->nr_args = 1;
	add_called(f, with, c->scope, call, false, 0);
	return "argument";
}

/* The call among whose arguments the node stands, NO_NODE when it stands elsewhere. */
static uint32_t call_of(const struct tree *t, uint32_t i)
{
	uint32_t p = t->v[i].parent;

	if (tree_parent_kind(t, i) == K_KEYWORD_ARGUMENT)
		p = t->v[i].field == FIELD_VALUE ? t->v[p].parent : NO_NODE;
	return p != NO_NODE && t->v[p].kind == K_ARGUMENTS && tree_parent_kind(t, p) == K_CALL
		       ? t->v[p].parent
		       : NO_NODE;
}

/* Beside an operator, a key, a target: the word, and in *with the node it stands with. */
static const char *beside(const struct tree *t, uint32_t i, bool display, uint32_t *with)
{
	uint32_t p = t->v[i].parent;

	switch (tree_parent_kind(t, i)) {
	case K_COMPARISON:
		*with = other_side(t, i);
		return "compare";
	case K_CASE_PATTERN:
		*with = matched(t, p);
		return "compare";
	case K_PAIR:
		return t->v[i].field == FIELD_KEY ? "key" : "value";
	case K_SUBSCRIPT:
		if (i == p + 1)
			break;
		*with = p + 1;
		return "subscript";
	case K_DEFAULT_PARAMETER:
	case K_TYPED_DEFAULT_PARAMETER:
		*with = tree_child(t, p);
		return "default";
	case K_ASSIGNMENT:
	case K_AUGMENTED:
		*with = tree_field(t, p, FIELD_LEFT);
		return "assign";
	case K_RETURN:
		return "return";
	default:
		break;
	}
	return display ? "list" : "other";
}

void place_string(struct pyfile *f, const struct context *c, uint32_t i, struct fact *fact)
{
	const struct tree *t = &f->t;
	struct strbuf sb = STRBUF_INIT;
	bool display;
	uint32_t at = outward(t, i, &display), call = call_of(t, at), with = NO_NODE;

	if (call != NO_NODE)
		fact->recv = in_call(f, c, call, at, display, fact, &sb);
	else
		fact->recv = beside(t, at, display, &with);
	if (with != NO_NODE && !add_value(f, &sb, c->scope, with, 0) &&
	    t->v[with].kind == K_IDENTIFIER)
		add_node(f, &sb, with);
	if (sb.len && sb.len <= WITH_MAX)
		fact->text = intern(f->w->intern, sb.buf, sb.len);
	strbuf_release(&sb);
}
