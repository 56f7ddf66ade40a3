/* value.c - literals and arguments: what kind of value an expression is, as far as the text says.
 */
#include "py/file.h"

/* ---- strings ----------------------------------------------------------------------------------
 */

/* Length of the prefix letters, and how many quotes open the literal. */
static uint32_t string_prefix(const struct pyfile *f, uint32_t node, uint32_t *quotes)
{
	uint32_t p = f->t.v[node].start, end = f->t.v[node].end, n = 0;
	char q;

	while (p + n < end && f->text[p + n] != '"' && f->text[p + n] != '\'')
		n++;
	*quotes = 0;
	if (p + n >= end)
		return n;
	q = f->text[p + n];
	*quotes = p + n + 6 <= end && f->text[p + n + 1] == q && f->text[p + n + 2] == q ? 3 : 1;
	return n;
}

struct span string_inner(const struct pyfile *f, uint32_t node)
{
	uint32_t quotes, n = string_prefix(f, node, &quotes);
	struct span s = tree_span(&f->t, node);

	s.start += n + quotes;
	s.end -= quotes;
	if (s.start > s.end)
		s.start = s.end = f->t.v[node].end;
	return s;
}

static bool prefix_has(const struct pyfile *f, uint32_t node, uint32_t n, char lower)
{
	const char *p = f->text + f->t.v[node].start;
	uint32_t i;

	for (i = 0; i < n; i++)
		if ((p[i] | 0x20) == lower)
			return true;
	return false;
}

/* One simple escape; -1 for those that name a code point, 0 for a line continuation. */
static int unescape(char c)
{
	switch (c) {
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case 'r':
		return '\r';
	case '\\':
	case '\'':
	case '"':
		return c;
	case '\n':
		return 0;
	default:
		return -1;
	}
}

/* Append the contents of one literal; false when it is not plain text. */
static bool string_add(struct pyfile *f, struct strbuf *sb, uint32_t node)
{
	uint32_t quotes, n = string_prefix(f, node, &quotes), i;
	struct span in = string_inner(f, node);
	bool raw = prefix_has(f, node, n, 'r');
	int c;

	if (!quotes || prefix_has(f, node, n, 'b'))
		return false;
	if (prefix_has(f, node, n, 'f') && memchr(f->text + in.start, '{', in.end - in.start))
		return false;
	for (i = in.start; i < in.end; i++) {
		if (raw || f->text[i] != '\\') {
			strbuf_addch(sb, f->text[i]);
			continue;
		}
		c = ++i < in.end ? unescape(f->text[i]) : -1;
		if (c < 0)
			return false;
		if (c)
			strbuf_addch(sb, c);
	}
	return true;
}

const char *string_text(struct pyfile *f, uint32_t node)
{
	struct strbuf sb = STRBUF_INIT;
	const char *text = NULL;
	bool ok = true;
	uint32_t k;

	if (f->t.v[node].kind == K_CONCATENATED) {
		for (k = tree_child(&f->t, node); k != NO_NODE && ok; k = tree_sibling(&f->t, k))
			ok = f->t.v[k].kind == K_STRING && string_add(f, &sb, k);
	} else {
		ok = f->t.v[node].kind == K_STRING && string_add(f, &sb, node);
	}
	if (ok)
		text = intern(f->w->intern, sb.buf, sb.len);
	strbuf_release(&sb);
	return text;
}

/* ---- values -----------------------------------------------------------------------------------
 */

static const char *node_text(struct pyfile *f, uint32_t node)
{
	return intern(f->w->intern, f->text + f->t.v[node].start,
		      f->t.v[node].end - f->t.v[node].start);
}

static void value_name(struct pyfile *f, uint32_t scope, uint32_t node, struct arg *arg)
{
	struct resolved r = resolve(f, scope, node);

	arg->value = VALUE_NAME;
	arg->text = r.name && !r.star ? r.name : node_text(f, node);
}

static bool is_number(const struct tree *t, uint32_t node)
{
	if (t->v[node].kind == K_UNARY && node + 1 < t->v[node].next)
		node++;
	return t->v[node].kind == K_INTEGER || t->v[node].kind == K_FLOAT;
}

static enum value_kind display_kind(enum node_kind kind)
{
	switch (kind) {
	case K_LIST:
	case K_TUPLE:
	case K_SET:
	case K_EXPRESSION_LIST:
		return VALUE_LIST;
	case K_DICT:
		return VALUE_DICT;
	case K_LAMBDA:
		return VALUE_LAMBDA;
	case K_NONE:
		return VALUE_NONE;
	default:
		return VALUE_OTHER;
	}
}

/* The elements of a display, one a line; NULL when one is no plain string, or there are none. */
static const char *display_text(struct pyfile *f, uint32_t display)
{
	const struct tree *t = &f->t;
	struct strbuf sb = STRBUF_INIT;
	const char *text = NULL;
	uint32_t k = tree_child(t, display);
	bool ok = k != NO_NODE;

	for (; k != NO_NODE && ok; k = tree_sibling(t, k)) {
		if (k != display + 1)
			strbuf_addch(&sb, '\n');
		ok = t->v[k].kind == K_STRING && string_add(f, &sb, k);
	}
	if (ok)
		text = intern(f->w->intern, sb.buf, sb.len);
	strbuf_release(&sb);
	return text;
}

/* `set()` and `frozenset()`, which have no display of their own; both are called "set()". */
static bool is_empty_set(struct pyfile *f, uint32_t scope, uint32_t call, uint32_t fn)
{
	uint32_t args = tree_field(&f->t, call, FIELD_ARGUMENTS);
	const char *name;

	if (args == NO_NODE || tree_child(&f->t, args) != NO_NODE ||
	    f->t.v[fn].kind != K_IDENTIFIER || !is_unbound(f, scope, fn))
		return false;
	name = node_text(f, fn);
	return !strcmp(name, "set") || !strcmp(name, "frozenset");
}

void value_of(struct pyfile *f, uint32_t scope, uint32_t node, struct arg *arg)
{
	const struct tree *t = &f->t;
	uint32_t fn;

	arg->valspan = tree_span(t, node);
	node = tree_bare(t, node);
	arg->value = display_kind(t->v[node].kind);
	switch (t->v[node].kind) {
	case K_STRING:
	case K_CONCATENATED:
		arg->text = string_text(f, node);
		arg->value = arg->text ? VALUE_STRING : VALUE_OTHER;
		break;
	case K_LIST:
	case K_TUPLE:
	case K_SET:
		arg->text = display_text(f, node);
		break;
	case K_TRUE:
	case K_FALSE:
		arg->value = VALUE_BOOL;
		arg->text = t->v[node].kind == K_TRUE ? "True" : "False";
		break;
	case K_CALL:
		arg->value = VALUE_CALL;
		fn = tree_field(t, node, FIELD_FUNCTION);
		if (fn != NO_NODE) {
			struct resolved r = resolve(f, scope, fn);

			arg->text = r.star ? NULL : r.name;
			if (is_empty_set(f, scope, node, fn))
				arg->text = "set()";
		}
		break;
	case K_IDENTIFIER:
	case K_ATTRIBUTE:
		if (tree_chain_root(t, node) != NO_NODE)
			value_name(f, scope, node, arg);
		break;
	default:
		if (is_number(t, node)) {
			arg->value = VALUE_NUMBER;
			arg->text = node_text(f, node);
		}
	}
}

static void value_arg(struct pyfile *f, uint32_t scope, uint32_t node, struct arg *arg)
{
	const struct tree *t = &f->t;
	uint32_t name, value = node;

	arg->span = tree_span(t, node);
	switch (t->v[node].kind) {
	case K_KEYWORD_ARGUMENT:
		name = tree_field(t, node, FIELD_NAME);
		value = tree_field(t, node, FIELD_VALUE);
		if (name != NO_NODE)
			arg->keyword = node_text(f, name);
		break;
	case K_LIST_SPLAT:
	case K_DICT_SPLAT:
		arg->splat = true;
		value = tree_child(t, node);
		break;
	default:
		break;
	}
	if (value == NO_NODE)
		arg->valspan = arg->span;
	else
		value_of(f, scope, value, arg);
}

/*
 * The first argument of a method that only a tensor has, where it is known to be a number: what such a
 * method does depends on it. Elsewhere a number is what is written as one.
 */
static void number_note(struct pyfile *f, uint32_t scope, uint32_t list, struct arg *arg)
{
	const struct tree *t = &f->t;
	uint32_t first = tree_child(t, list);

	if ((arg->value != VALUE_NAME && arg->value != VALUE_OTHER && arg->value != VALUE_CALL) ||
	    arg->keyword || arg->splat || tree_parent_kind(t, list) != K_CALL ||
	    !is_tensor_call(f, t->v[list].parent) || !number_is(f, scope, first))
		return;
	arg->value = VALUE_NUMBER;
	arg->text = node_text(f, first);
}

struct arg *value_args(struct pyfile *f, uint32_t scope, uint32_t list, size_t *nr)
{
	const struct tree *t = &f->t;
	struct arg *args;
	uint32_t k;
	size_t n = 0;

	*nr = 0;
	if (t->v[list].kind != K_ARGUMENTS) {
		/* f(x for x in y): the generator stands where the list would. */
		args = ARENA_NEW(f->w->arena, struct arg);
		args->span = args->valspan = tree_span(t, list);
		*nr = 1;
		return args;
	}
	for (k = tree_child(t, list); k != NO_NODE; k = tree_sibling(t, k))
		n++;
	if (!n)
		return NULL;
	args = arena_array(f->w->arena, n, sizeof(*args));
	for (k = tree_child(t, list); k != NO_NODE; k = tree_sibling(t, k))
		value_arg(f, scope, k, &args[(*nr)++]);
	number_note(f, scope, list, &args[0]);
	return args;
}
