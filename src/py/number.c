/*
 * number.c - is an expression a number, as far as the file says.
 *
 * Numbers are literals, arithmetic on numbers, the length or size that a builtin or math answers, a
 * parameter whose default or annotation is one, a setting of an optimizer's group (vocabulary:
 * number_groups, number_groups_not), and a name or an attribute of self whose every value is one.
 * Anything else is not known to be a number.
 */
#include "py/file.h"

#include "base/intern.h"

#define NUMBER_DEPTH 8
#define NUMBER_BINDS 16

static bool is_numeric(struct pyfile *f, uint32_t scope, uint32_t node, int depth);

static bool text_is(const struct pyfile *f, uint32_t node, const char *word)
{
	size_t n = strlen(word), len = f->t.v[node].end - f->t.v[node].start;

	return n == len && !memcmp(f->text + f->t.v[node].start, word, n);
}

/* The binding is a group of settings: for g in x.GROUPS, g = x.GROUPS[0]. */
static bool is_group_bind(struct pyfile *f, const struct bind *b)
{
	uint32_t over = NO_NODE, last;

	if (f->t.v[b->node].kind == K_FOR)
		over = tree_field(&f->t, b->node, FIELD_RIGHT);
	else if (b->kind == BIND_EXPR && f->t.v[b->node].kind == K_SUBSCRIPT)
		over = tree_child(&f->t, b->node);
	if (over == NO_NODE || f->t.v[over].kind != K_ATTRIBUTE)
		return false;
	last = attribute_last(&f->t, over);
	return last != NO_NODE && list_has(f->w->vocab->number_groups, word_of(f, last));
}

/* Every value of the name is such a group. */
static bool is_group(struct pyfile *f, uint32_t scope, uint32_t node)
{
	const struct entry *e;
	const struct bind *b;

	if (f->t.v[node].kind != K_IDENTIFIER)
		return false;
	e = entry_lookup(f, scope, node_name(f, node));
	for (b = e && e->first ? &f->binds.v[e->first] : NULL; b;
	     b = b->next ? &f->binds.v[b->next] : NULL)
		if (!is_group_bind(f, b))
			return false;
	return e && e->first;
}

/* g["lr"] of such a group. */
static bool is_setting(struct pyfile *f, uint32_t scope, uint32_t node)
{
	uint32_t object = tree_child(&f->t, node), key;
	const char *text;

	key = object == NO_NODE ? NO_NODE : tree_sibling(&f->t, object);
	if (key == NO_NODE || f->t.v[key].kind != K_STRING || !is_group(f, scope, object))
		return false;
	text = string_text(f, key);
	return text && !list_has(f->w->vocab->number_groups_not, text);
}

/* float(x), len(x), math.f(x): those that the file does not define itself. */
static bool is_numeric_call(struct pyfile *f, uint32_t scope, uint32_t node)
{
	uint32_t fn = tree_field(&f->t, node, FIELD_FUNCTION);
	struct resolved r;

	if (fn == NO_NODE)
		return false;
	if (f->t.v[fn].kind == K_IDENTIFIER)
		return !entry_lookup(f, scope, node_name(f, fn)) &&
		       (text_is(f, fn, "float") || text_is(f, fn, "int") || text_is(f, fn, "len"));
	r = resolve(f, scope, fn);
	return r.name && str_starts(r.name, "math.");
}

/* What a binding gives the name, where the node is not the value itself. */
static bool is_numeric_opaque(struct pyfile *f, const struct bind *b, int depth)
{
	const struct tree *t = &f->t;
	uint32_t value;

	switch (t->v[b->node].kind) {
	case K_DEFAULT_PARAMETER:
		value = tree_field(t, b->node, FIELD_VALUE);
		break;
	case K_ASSIGNMENT: /* a, b = g["betas"] */
		value = tree_field(t, b->node, FIELD_RIGHT);
		return value != NO_NODE && t->v[value].kind == K_SUBSCRIPT &&
		       is_setting(f, b->scope, value);
	case K_AUGMENTED:
		value = tree_field(t, b->node, FIELD_RIGHT);
		break;
	default:
		return false;
	}
	return value != NO_NODE && is_numeric(f, b->scope, value, depth);
}

static bool is_numeric_bind(struct pyfile *f, const struct bind *b, int depth)
{
	uint32_t type;

	switch (b->kind) {
	case BIND_EXPR:
	case BIND_ALIAS:
	case BIND_CONST:
		return is_numeric(f, b->scope, b->node, depth);
	case BIND_TYPED:
		type = tree_bare(&f->t, b->node);
		return text_is(f, type, "float") || text_is(f, type, "int");
	case BIND_OPAQUE:
		return is_numeric_opaque(f, b, depth);
	default:
		return false;
	}
}

static bool is_numeric_entry(struct pyfile *f, const struct entry *e, int depth)
{
	const struct bind *b;
	int n = 0;

	for (b = e && e->first ? &f->binds.v[e->first] : NULL; b;
	     b = b->next ? &f->binds.v[b->next] : NULL)
		if (++n > NUMBER_BINDS || !is_numeric_bind(f, b, depth))
			return false;
	return n > 0;
}

static bool is_numeric_attribute(struct pyfile *f, uint32_t scope, uint32_t node, int depth)
{
	uint32_t last = attribute_last(&f->t, node), of;

	of = last == NO_NODE ? 0 : self_class(f, scope, node + 1);
	return of && !entry_find(f, of, node_name(f, last)) &&
	       is_numeric_entry(f, entry_find(f, f->scopes.v[of].attributes, node_name(f, last)),
				depth);
}

static bool is_numeric(struct pyfile *f, uint32_t scope, uint32_t node, int depth)
{
	uint32_t a, b;

	node = tree_bare(&f->t, node);
	a = tree_child(&f->t, node);
	if (!depth--)
		return false;
	switch (f->t.v[node].kind) {
	case K_INTEGER:
	case K_FLOAT:
		return true;
	case K_UNARY:
		return a != NO_NODE && is_numeric(f, scope, a, depth);
	case K_BINARY:
		b = a == NO_NODE ? NO_NODE : tree_sibling(&f->t, a);
		return b != NO_NODE && is_numeric(f, scope, a, depth) &&
		       is_numeric(f, scope, b, depth);
	case K_IDENTIFIER:
		return is_numeric_entry(f, entry_lookup(f, scope, node_name(f, node)), depth);
	case K_ATTRIBUTE:
		return is_numeric_attribute(f, scope, node, depth);
	case K_SUBSCRIPT:
		return is_setting(f, scope, node);
	case K_CALL:
		return is_numeric_call(f, scope, node);
	default:
		return false;
	}
}

bool number_is(struct pyfile *f, uint32_t scope, uint32_t node)
{
	return is_numeric(f, scope, node, NUMBER_DEPTH);
}
