/* strings.c - string literals: quoted annotations and names below a root. */
#include "py/walk.h"

static bool is_name_start(char c)
{
	return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (unsigned char)c >= 0x80;
}

static bool is_name_byte(char c)
{
	return is_name_start(c) || (c >= '0' && c <= '9');
}

/* End of the dotted name that begins at `at`. */
static uint32_t dotted_end(const char *s, uint32_t at, uint32_t end)
{
	while (at < end && is_name_start(s[at])) {
		while (at < end && is_name_byte(s[at]))
			at++;
		if (at + 1 >= end || s[at] != '.' || !is_name_start(s[at + 1]))
			break;
		at++;
	}
	return at;
}

/* ---- quoted annotations ------------------------------------------------------------------------
 */

static bool beside_pipe(const char *s, struct span in, uint32_t from, uint32_t to)
{
	while (from > in.start && s[from - 1] == ' ')
		from--;
	while (to < in.end && s[to] == ' ')
		to++;
	return (from > in.start && s[from - 1] == '|') || (to < in.end && s[to] == '|');
}

static void quoted_name(struct pyfile *f, const struct context *c, struct span in, uint32_t from,
			uint32_t to)
{
	const char *s = f->text;
	uint32_t n = from;
	struct resolved r;
	struct fact *fact;

	while (n < to && s[n] != '.')
		n++;
	r = resolve_name(f, c->scope, name_id(f, s + from, n - from), s + n, to - n);
	if (!r.name || !r.keep)
		return;
	fact = fact_at(f, c, FACT_USE, r.name, (struct span){from, to});
	fact->flags |= F_ANNOTATION | F_POSTPONED | (r.star ? F_STAR : 0) |
		       (beside_pipe(s, in, from, to) ? F_UNION : 0);
	if (r.alias)
		fact->text = intern(f->w->intern, s + from, n - from);
}

static void quoted_annotation(struct pyfile *f, const struct context *c, struct span in)
{
	uint32_t i = in.start, end;

	if (memchr(f->text + i, '\\', in.end - i))
		return;
	while (i < in.end) {
		if (f->text[i] == '\'' || f->text[i] == '"')
			return;
		if (!is_name_start(f->text[i])) {
			i++;
			continue;
		}
		end = dotted_end(f->text, i, in.end);
		quoted_name(f, c, in, i, end);
		i = end;
	}
}

/* The words of Literal[...] are values, no names. */
static bool in_literal(struct pyfile *f, uint32_t i)
{
	const struct tree *t = &f->t;
	uint32_t p = t->v[i].parent, last;
	int n;

	for (n = 0; n < 8 && p != NO_NODE; n++, p = t->v[p].parent) {
		if (t->v[p].kind != K_SUBSCRIPT && t->v[p].kind != K_GENERIC_TYPE)
			continue;
		last = t->v[p + 1].next - 1;
		return t->v[last].kind == K_IDENTIFIER && node_name(f, last) == NAME_LITERAL;
	}
	return false;
}

/* ---- names in literals -------------------------------------------------------------------------
 */

/* Length of the root that the text begins with, 0 when it begins with none. */
static uint32_t root_length(const char *const *roots, const char *s, uint32_t len)
{
	uint32_t n;

	for (; roots && *roots; roots++) {
		n = (uint32_t)strlen(*roots);
		if (n <= len && !memcmp(s, *roots, n) && (n == len || !is_name_byte(s[n])))
			return n;
	}
	return 0;
}

/* A bare root counts only where a module name would stand. */
static bool is_module_place(struct pyfile *f, const struct context *c, uint32_t i)
{
	const struct tree *t = &f->t;

	switch (tree_parent_kind(t, i)) {
	case K_ARGUMENTS:
	case K_COMPARISON:
	case K_LIST:
	case K_TUPLE:
	case K_SET:
		return true;
	case K_KEYWORD_ARGUMENT:
		return t->v[i].field == FIELD_VALUE;
	case K_SUBSCRIPT:
		return i != t->v[i].parent + 1 &&
		       str_eq(resolve(f, c->scope, t->v[i].parent + 1).name, "sys.modules");
	default:
		return false;
	}
}

/* A literal that a rule asks for: one of the vocabulary's, or begins as one that ends in '*'. */
static bool is_asked_for(const char *const *literals, const char *s, uint32_t len)
{
	size_t n;

	for (; *literals; literals++) {
		if (**literals != *s)
			continue;
		n = strlen(*literals);
		if ((*literals)[n - 1] == '*' ? n - 1 <= len && !memcmp(*literals, s, n - 1)
					      : n == len && !memcmp(*literals, s, n))
			return true;
	}
	return false;
}

static void named_string(struct pyfile *f, const struct context *c, uint32_t i, struct span in)
{
	const char *s = f->text + in.start;
	uint32_t len = in.end - in.start, n, end, flags = 0, literal;
	struct fact *fact;

	n = root_length(f->w->vocab->roots, s, len);
	if (!n)
		n = root_length(f->w->vocab->target_roots, s, len);
	if (!n && is_asked_for(f->w->vocab->literals, s, len)) {
		fact = fact_at(f, c, FACT_STRING, intern(f->w->intern, s, len), tree_span(&f->t, i));
		fact->flags |= place_flags(f, c, i);
		place_string(f, c, i, fact);
	}
	if (!n)
		return;
	end = dotted_end(s, 0, len);
	if (end == n && n + 1 < len && s[n] == '.' && s[n + 1] == '{') {
		/* f"root.{x}" and "root.{}".format(x) */
		flags = F_FSTRING;
		len = n + 1;
	} else if (end == len ? end == n && !is_module_place(f, c, i)
			      : end + 1 != len || end != n || s[end] != '.') {
		return;
	}
	/* What an import call names is a fact of its own. */
	if (tree_parent_kind(&f->t, i) == K_ARGUMENTS &&
	    dynamic_import(f, c->scope, f->t.v[f->t.v[i].parent].parent, &literal) && literal == i)
		return;
	fact = fact_at(f, c, FACT_STRING, intern(f->w->intern, s, len), tree_span(&f->t, i));
	fact->flags |= flags | place_flags(f, c, i);
	place_string(f, c, i, fact);
}

static bool has_bytes_prefix(const struct pyfile *f, uint32_t i, struct span in)
{
	uint32_t p;

	for (p = f->t.v[i].start; p < in.start; p++)
		if (f->text[p] == 'b' || f->text[p] == 'B')
			return true;
	return false;
}

void walk_string(struct pyfile *f, uint32_t i, const struct context *c)
{
	enum node_kind parent = tree_parent_kind(&f->t, i);
	struct span in = string_inner(f, i);

	/* An expression statement: a docstring or a comment. */
	if (parent == K_EXPRESSION || in.start >= in.end)
		return;
	if (c->flags & F_ANNOTATION) {
		if (!in_literal(f, i))
			quoted_annotation(f, c, in);
		return;
	}
	if (parent != K_CONCATENATED && !has_bytes_prefix(f, i, in))
		named_string(f, c, i, in);
}
