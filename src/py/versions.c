/*
 * versions.c - conditions that compare a version with a literal.
 *
 * In: a comparison of the text. Out: the dotted name whose version it tests, and the range of
 * versions for which it is true ("<1.12"), where one literal stands on one side. How much of the
 * version the other side keeps (all of it, two numbers, one float) is not looked at, so only the
 * first number of the range says anything. Of int(X.__version__.split(".")[1]) the range is of that
 * number alone ("1<12").
 */
#include <ctype.h>

#include "py/file.h"

#define SCAN_DEPTH 4  /* assignments looked through */
#define BOUND_MAX  24 /* bytes of a version */

/* A dotted name that tells a version: X.__version__, <root>.version.Y. */
static const char *version_name(struct pyfile *f, uint32_t scope, uint32_t node)
{
	struct resolved r = resolve(f, scope, node);
	const char *dot;

	if (!r.name || r.star)
		return NULL;
	if (str_ends(r.name, ".__version__"))
		return r.name;
	dot = strchr(r.name, '.');
	return r.keep && dot && str_starts(dot, ".version.") ? r.name : NULL;
}

static const char *version_in(struct pyfile *f, uint32_t scope, uint32_t node, int depth);

/* What a name was assigned once, in *scope; other nodes and names stand for themselves. */
static uint32_t binding_of(struct pyfile *f, uint32_t *scope, uint32_t node)
{
	const struct entry *e;
	const struct bind *b;

	if (f->t.v[node].kind != K_IDENTIFIER)
		return node;
	e = entry_lookup(f, *scope, node_name(f, node));
	b = e && e->first ? &f->binds.v[e->first] : NULL;
	if (!b || b->next || b->kind != BIND_EXPR)
		return node;
	*scope = b->scope;
	return tree_bare(&f->t, b->node);
}

/* A name that was assigned once from an expression with a version in it. */
static const char *version_of_name(struct pyfile *f, uint32_t scope, uint32_t id, int depth)
{
	uint32_t node = binding_of(f, &scope, id);

	return node == id || depth >= SCAN_DEPTH ? NULL : version_in(f, scope, node, depth + 1);
}

/* The version in a dotted chain from `root`: the whole of it, or what a method is called on. */
static const char *version_of_chain(struct pyfile *f, uint32_t scope, uint32_t chain, uint32_t root)
{
	const char *name = version_name(f, scope, chain);

	while (!name && chain != root && f->scan) {
		f->scan--;
		chain = tree_child(&f->t, chain);
		name = version_name(f, scope, chain);
	}
	return name;
}

static const char *version_in(struct pyfile *f, uint32_t scope, uint32_t node, int depth)
{
	const struct tree *t = &f->t;
	uint32_t i = node, root;
	const char *name;

	while (i < t->v[node].next && f->scan) {
		f->scan--;
		root = tree_chain_root(t, i);
		if (root == NO_NODE) {
			i++;
			continue;
		}
		name = version_of_chain(f, scope, i, root);
		if (!name)
			name = version_of_name(f, scope, root, depth);
		if (name)
			return name;
		i = t->v[i].next;
	}
	return NULL;
}

const char *version_tested(struct pyfile *f, uint32_t scope, uint32_t comparison)
{
	return version_in(f, scope, comparison, 0);
}

/* Numbers with dots between at the start of a text, two at least; their length, 0: none. */
static size_t dotted_numbers(const char *s, size_t len)
{
	size_t n = 0;

	while (n < len && (isdigit((unsigned char)s[n]) || (s[n] == '.' && n && s[n - 1] != '.')))
		n++;
	while (n && s[n - 1] == '.')
		n--;
	return memchr(s, '.', n) ? n : 0;
}

/* Appends a plain integer to out[0..n); the new length, 0: it is none or too long. */
static size_t number_text(const struct pyfile *f, uint32_t node, char *out, size_t n)
{
	uint32_t i = f->t.v[node].start, end = f->t.v[node].end;

	if (f->t.v[node].kind != K_INTEGER || n + (end - i) >= BOUND_MAX)
		return 0;
	for (; i < end; i++) {
		if (!isdigit((unsigned char)f->text[i]))
			return 0;
		out[n++] = f->text[i];
	}
	return n;
}

/* Numbers of a tuple display with dots between; 0: something else. */
static size_t tuple_numbers(const struct pyfile *f, uint32_t node, char *out)
{
	const struct tree *t = &f->t;
	size_t n = 0;
	uint32_t k;

	for (k = tree_child(t, node); k != NO_NODE; k = tree_sibling(t, k)) {
		if (n)
			out[n++] = '.';
		n = number_text(f, k, out, n);
		if (!n)
			return 0;
	}
	return memchr(out, '.', n) ? n : 0;
}

/* The version that an operand spells: "1.12", 1.12, (1, 12), f("1.12"), or a number. Its length. */
static size_t version_literal(struct pyfile *f, uint32_t node, char *out)
{
	const struct tree *t = &f->t;
	struct span s;
	uint32_t args;
	size_t n;

	node = tree_bare(t, node);
	if (t->v[node].kind == K_TUPLE)
		return tuple_numbers(f, node, out);
	if (t->v[node].kind == K_INTEGER)
		return number_text(f, node, out, 0);
	if (t->v[node].kind == K_CALL) {
		args = tree_field(t, node, FIELD_ARGUMENTS);
		node = args == NO_NODE ? NO_NODE : tree_child(t, args);
		if (node == NO_NODE || tree_sibling(t, node) != NO_NODE ||
		    t->v[node].kind != K_STRING)
			return 0;
	}
	if (t->v[node].kind == K_STRING)
		s = string_inner(f, node);
	else if (t->v[node].kind == K_FLOAT)
		s = tree_span(t, node);
	else
		return 0;
	n = dotted_numbers(f->text + s.start, s.end - s.start);
	if (n >= BOUND_MAX)
		return 0;
	memcpy(out, f->text + s.start, n);
	return n;
}

/* The call `node` when it has one argument: that argument. */
static uint32_t only_argument(const struct tree *t, uint32_t node)
{
	uint32_t args = t->v[node].kind == K_CALL ? tree_field(t, node, FIELD_ARGUMENTS) : NO_NODE;
	uint32_t arg = args == NO_NODE ? NO_NODE : tree_child(t, args);

	return arg == NO_NODE || tree_sibling(t, arg) != NO_NODE ? NO_NODE : tree_bare(t, arg);
}

/* X.__version__.split("."). */
static bool is_split_version(struct pyfile *f, uint32_t scope, uint32_t call)
{
	const struct tree *t = &f->t;
	uint32_t arg = only_argument(t, call), fn = tree_field(t, call, FIELD_FUNCTION);

	return arg != NO_NODE && t->v[arg].kind == K_STRING && span_is(f, string_inner(f, arg), ".") &&
	       fn != NO_NODE && t->v[fn].kind == K_ATTRIBUTE && tree_child(t, fn) != NO_NODE &&
	       span_is(f, tree_span(t, t->v[fn].next - 1), "split") && version_name(f, scope, fn + 1);
}

/* The digit k of int(X.__version__.split(".")[k]), also by a name; 0: something else. */
static char version_number(struct pyfile *f, uint32_t scope, uint32_t node)
{
	const struct tree *t = &f->t;
	uint32_t value, index, fn;

	node = binding_of(f, &scope, tree_bare(t, node));
	value = only_argument(t, node);
	fn = value == NO_NODE ? NO_NODE : tree_field(t, node, FIELD_FUNCTION);
	if (fn == NO_NODE || !span_is(f, tree_span(t, fn), "int"))
		return 0;
	value = binding_of(f, &scope, value);
	index = tree_child(t, value);
	if (t->v[value].kind == K_SUBSCRIPT && index != NO_NODE)
		index = tree_sibling(t, index);
	if (t->v[value].kind != K_SUBSCRIPT || index == NO_NODE || t->v[index].kind != K_INTEGER)
		return 0;
	if (t->v[index].end != t->v[index].start + 1)
		return 0;
	value = binding_of(f, &scope, tree_bare(t, value + 1));
	return is_split_version(f, scope, value) ? f->text[t->v[index].start] : 0;
}

/* The operators of versions, each followed by the one with its sides changed. */
static const char *const operators[] = {"<=", ">=", ">=", "<=", "==", "==", "!=", "!=",
					"<",  ">",  ">",  "<",	NULL};

/* The operator between two operands as it reads with the version first, NULL: another one. */
static const char *version_operator(const struct pyfile *f, uint32_t a, uint32_t b, bool left)
{
	const char *const *op;
	struct span s = span_trim(f->text, (struct span){f->t.v[a].end, f->t.v[b].start});

	for (op = operators; *op; op += 2)
		if (span_is(f, s, *op))
			return op[left];
	return NULL;
}

const char *version_range(struct pyfile *f, uint32_t scope, uint32_t comparison)
{
	const struct tree *t = &f->t;
	uint32_t a = tree_child(t, comparison), b = a == NO_NODE ? NO_NODE : tree_sibling(t, a);
	char bound[BOUND_MAX + 1], text[BOUND_MAX + 8];
	char number[2] = "";
	const char *op;
	bool left = false;
	size_t n;

	if (b == NO_NODE || tree_sibling(t, b) != NO_NODE)
		return NULL;
	n = version_literal(f, b, bound);
	if (!n) {
		left = true;
		n = version_literal(f, a, bound);
	}
	op = version_operator(f, a, b, left);
	if (!n || !op || !isdigit((unsigned char)*bound))
		return NULL;
	bound[n] = 0;
	if (!strchr(bound, '.') && !(*number = version_number(f, scope, left ? b : a)))
		return NULL;
	snprintf(text, sizeof(text), "%s%s%s", number, op, bound);
	return intern(f->w->intern, text, strlen(text));
}
