/*
 * shape.c - the statements of a Python text, for verbs that edit it.
 *
 * Statements come in order of offset with the compound statement they stand in. The clauses of a
 * compound statement (elif, else, except, finally, case) are entries of their own, so that a
 * statement's parent is the clause whose block holds it; a decorated definition is one entry, from
 * its first decorator.
 */
#include "py/tree.h"
#include "base/lines.h"

#define NO_STATEMENT (-1)

static const char *const statement_words[K_NR] = {
	[K_EXPRESSION] = "expression",
	[K_IMPORT] = "import",
	[K_IMPORT_FROM] = "from",
	[K_FUTURE_IMPORT] = "future",
	[K_IF] = "if",
	[K_ELIF] = "elif",
	[K_ELSE] = "else",
	[K_FOR] = "for",
	[K_WHILE] = "while",
	[K_TRY] = "try",
	[K_EXCEPT] = "except",
	[K_EXCEPT_GROUP] = "except",
	[K_FINALLY] = "finally",
	[K_WITH] = "with",
	[K_FUNCTION] = "function",
	[K_CLASS] = "class",
	[K_DECORATED] = "decorated",
	[K_RETURN] = "return",
	[K_RAISE] = "raise",
	[K_DELETE] = "delete",
	[K_GLOBAL] = "global",
	[K_NONLOCAL] = "nonlocal",
	[K_ASSERT] = "assert",
	[K_MATCH] = "match",
	[K_CASE] = "case",
	[K_TYPE_ALIAS] = "type",
	[K_PRINT] = "print",
	[K_EXEC] = "exec",
	[K_PASS] = "pass",
	[K_BREAK] = "break",
	[K_CONTINUE] = "continue",
	[K_ERROR] = "error",
};

/* An expression statement that holds an assignment is called so; a lone string may be a docstring.
 */
static const char *statement_word(const struct tree *t, uint32_t i)
{
	uint32_t child = tree_child(t, i);

	if (t->v[i].kind != K_EXPRESSION || child == NO_NODE)
		return statement_words[t->v[i].kind];
	switch (t->v[child].kind) {
	case K_ASSIGNMENT:
		return "assignment";
	case K_AUGMENTED:
		return "augmented";
	case K_STRING:
	case K_CONCATENATED:
		return "string";
	default:
		return "expression";
	}
}

/* A name of the grammar is a statement only where statements stand. */
static bool is_statement(const struct tree *t, uint32_t i)
{
	if (!statement_words[t->v[i].kind] || !i)
		return false;
	switch (tree_parent_kind(t, i)) {
	case K_MODULE:
	case K_BLOCK:
	case K_ERROR:
		return true;
	case K_IF:
	case K_FOR:
	case K_WHILE:
	case K_TRY:
	case K_MATCH:
		return t->v[i].kind != K_ERROR;
	default:
		return false;
	}
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\f';
}

static bool is_line_end(char c)
{
	return c == '\n' || c == '\r';
}

/* Where the line of `offset` begins; a byte order mark is not part of it. */
static uint32_t line_start(const struct shape *shape, uint32_t offset)
{
	while (offset && !is_line_end(shape->text[offset - 1]))
		offset--;
	if (!offset && bom_len(shape->text, shape->len))
		return 3;
	return offset;
}

static void statement_lines(const struct shape *shape, struct shape_stmt *st)
{
	const char *text = shape->text;
	uint32_t p;

	st->line_start = line_start(shape, st->span.start);
	for (p = st->line_start; p < st->span.start && is_blank(text[p]); p++)
		;
	st->first_on_line = p >= st->span.start;
	st->indent = p - st->line_start;
	for (p = st->span.end; p < shape->len && is_blank(text[p]); p++)
		;
	st->last_on_line = p >= shape->len || is_line_end(text[p]) || text[p] == '#';
}

static void shape_statements(struct shape *shape, const struct tree *t, struct arena *a)
{
	VEC(struct shape_stmt) out = {0};
	VEC(uint32_t) ends = {0}; /* where the open statements end */
	VEC(int) open = {0};
	struct shape_stmt *st;
	uint32_t i;

	for (i = 0; i < t->nr; i++) {
		while (ends.nr && ends.v[ends.nr - 1] <= i) {
			ends.nr--;
			open.nr--;
		}
		if (!is_statement(t, i))
			continue;
		st = VEC_PUSH(a, &out);
		st->span = tree_span(t, i);
		st->kind = statement_word(t, i);
		st->parent = open.nr ? open.v[open.nr - 1] : NO_STATEMENT;
		statement_lines(shape, st);
		*VEC_PUSH(a, &ends) = t->v[i].next;
		*VEC_PUSH(a, &open) = (int)out.nr - 1;
	}
	shape->stmts = out.v;
	shape->nr_stmts = out.nr;
}

static uint32_t next_line(const struct shape *shape, uint32_t p)
{
	while (p < shape->len && !is_line_end(shape->text[p]))
		p++;
	if (p < shape->len && shape->text[p] == '\r' && p + 1 < shape->len &&
	    shape->text[p + 1] == '\n')
		p++;
	return p < shape->len ? p + 1 : p;
}

/* Behind the block of comment lines that the file begins with (shebang, cookie, licence). */
static uint32_t leading_comments(const struct shape *shape)
{
	uint32_t p = line_start(shape, 0), q, end = p;

	while (p < shape->len) {
		for (q = p; q < shape->len && is_blank(shape->text[q]); q++)
			;
		if (q < shape->len && shape->text[q] == '#')
			end = next_line(shape, q);
		else if (q < shape->len && !is_line_end(shape->text[q]))
			break;
		p = next_line(shape, q);
	}
	return end;
}

/* Module docstring and __future__ imports: what may come first is behind them. */
static uint32_t prologue_end(const struct shape *shape)
{
	uint32_t end = leading_comments(shape);
	size_t i;

	for (i = 0; i < shape->nr_stmts; i++) {
		const struct shape_stmt *st = &shape->stmts[i];

		if (strcmp(st->kind, "future") && (i || strcmp(st->kind, "string")))
			break;
		/* Behind a `;` there is no line of its own; the caller sees that from last_on_line.
		 */
		end = st->last_on_line ? next_line(shape, st->span.end) : st->span.end;
	}
	return end;
}

static const char *newline_of(const char *text, size_t len)
{
	const char *lf = memchr(text, '\n', len), *cr = memchr(text, '\r', len);

	if (cr && (!lf || cr < lf))
		return cr + 1 < text + len && cr[1] == '\n' ? "\r\n" : "\r";
	return "\n";
}

struct shape *py_shape(struct arena *a, const char *text, size_t len)
{
	struct shape *shape = ARENA_NEW(a, struct shape);
	struct py_symbols symbols = {0};
	struct tree t;
	TSTree *tree;
	const char *lines = python_reading(a, text, len);

	shape->text = text;
	shape->len = len;
	shape->newline = newline_of(text, len);
	tree = memchr(text, 0, len) ? NULL : python_parse(NULL, a, NULL, &lines, len, NULL);
	if (!tree)
		return shape;
	py_symbols_init(&symbols, a);
	tree_flatten(&t, &symbols, tree, a, lines);
	ts_tree_delete(tree);
	shape_statements(shape, &t, a);
	shape->prologue_end = prologue_end(shape);
	shape->ok = !t.broken;
	return shape;
}
