/*
 * cmake.c - CMake files: one fact a command.
 *
 * In: the bytes of one file. Out: FACT_COMMAND with the name in lower case and the arguments
 * without their quotes or brackets, in order of the file, block commands (if, function, ...)
 * included. Variables in arguments are left as written. What stands in the body of a function or
 * macro has F_FUNCTION. Commands that the parser could not read soundly are left out and make the
 * file partial.
 */
#include "py/internal.h"

#include <ctype.h>
#include <string.h>

#include "base/strbuf.h"

#define FACT_LIMIT 20000
/* Squares of the lengths of white space runs, summed: the grammar's scanner reads a run once per
 * byte. */
#define SPACE_LIMIT 100000000

struct cmake {
	struct py_worker *w;
	const char *text;
	TSTreeCursor cursor;
	int depth;
	int body;  /* depth of the outermost function's own commands, 0: outside of functions */
	bool full; /* FACT_LIMIT reached */
};

static struct span node_span(TSNode node)
{
	return (struct span){ts_node_start_byte(node), ts_node_end_byte(node)};
}

/* Text of a quoted or unquoted argument with its escapes resolved; line joins vanish. */
static const char *plain_text(struct cmake *c, struct span span)
{
	static const char from[] = "tnr", to[] = "\t\n\r";
	struct strbuf sb = STRBUF_INIT;
	const char *out, *p;
	uint32_t i;

	for (i = span.start; i < span.end; i++) {
		char ch = c->text[i];

		if (ch != '\\' || i + 1 == span.end) {
			strbuf_addch(&sb, ch);
			continue;
		}
		ch = c->text[++i];
		p = memchr(from, ch, sizeof(from) - 1);
		if (ch == '\r' && i + 1 < span.end && c->text[i + 1] == '\n')
			i++;
		else if (ch != '\n')
			strbuf_addch(&sb, p ? to[p - from] : ch);
	}
	out = intern(c->w->intern, sb.buf, sb.len);
	strbuf_release(&sb);
	return out;
}

/* Text of [==[ ... ]==]; a line end right behind the opening is no part of it. */
static const char *bracket_text(struct cmake *c, struct span span)
{
	const char *t = c->text;
	uint32_t open = span.start + 1, at, end;

	while (open < span.end && t[open] == '=')
		open++;
	at = open + 1;
	end = span.end - (at - span.start);
	if (at < end && t[at] == '\r')
		at++;
	if (at < end && t[at] == '\n')
		at++;
	return intern(c->w->intern, t + at, at < end ? end - at : 0);
}

static void argument_read(struct cmake *c, TSNode node, struct arg *out)
{
	struct span span = node_span(node), inner = span;
	const char *t = c->text;

	out->span = out->valspan = span;
	out->value = VALUE_STRING;
	if (span.end - span.start >= 2 && t[span.start] == '"' && t[span.end - 1] == '"') {
		inner.start++;
		inner.end--;
		out->text = plain_text(c, inner);
	} else if (span.end - span.start >= 4 && t[span.start] == '[' &&
		   !strcmp(ts_node_type(ts_node_named_child(node, 0)), "bracket_argument")) {
		out->text = bracket_text(c, span);
	} else {
		out->value = VALUE_NAME;
		out->text = plain_text(c, span);
	}
}

/* The arguments of the command under the cursor. */
static void arguments_read(struct cmake *c, TSNode list, struct fact *f)
{
	VEC(struct arg) args = {0};
	TSTreeCursor cursor = ts_tree_cursor_new(list);
	bool more = ts_tree_cursor_goto_first_child(&cursor);

	for (; more; more = ts_tree_cursor_goto_next_sibling(&cursor)) {
		TSNode node = ts_tree_cursor_current_node(&cursor);

		if (!strcmp(ts_node_type(node), "argument"))
			argument_read(c, node, VEC_PUSH(&c->w->scratch, &args));
	}
	ts_tree_cursor_delete(&cursor);
	if (!args.nr)
		return;
	f->args = arena_array(c->w->arena, args.nr, sizeof(*args.v));
	memcpy(f->args, args.v, args.nr * sizeof(*args.v));
	f->nr_args = args.nr;
}

static void command_fact(struct cmake *c, TSNode node)
{
	TSNode name = ts_node_child(node, 0);
	struct span span = node_span(name);
	char *lower;
	struct fact *f;
	uint32_t i, nr = ts_node_named_child_count(node);

	if (c->w->facts.nr >= FACT_LIMIT) {
		c->full = true;
		return;
	}
	lower = arena_strndup(&c->w->scratch, c->text + span.start, span.end - span.start);
	for (i = 0; lower[i]; i++)
		lower[i] = (char)tolower((unsigned char)lower[i]);
	f = fact_new(c->w, FACT_COMMAND, intern_str(c->w->intern, lower), span);
	f->symbol = "";
	f->stmt = node_span(node);
	f->flags = F_CALL | (c->body ? F_FUNCTION : 0);
	for (i = 0; i < nr; i++) {
		TSNode child = ts_node_named_child(node, i);

		if (!strcmp(ts_node_type(child), "argument_list"))
			arguments_read(c, child, f);
	}
}

static bool type_is(const char *type, const char *a, const char *b)
{
	return !strcmp(type, a) || !strcmp(type, b);
}

/* One node; true when what is below it is to be seen too. */
static bool cmake_node(struct cmake *c)
{
	TSNode node = ts_tree_cursor_current_node(&c->cursor);
	const char *type = ts_node_type(node);
	size_t n = strlen(type);

	if (ts_node_is_error(node))
		return false;
	if (n <= 8 || strcmp(type + n - 8, "_command") != 0)
		return ts_node_is_named(node);
	if (c->depth == c->body && type_is(type, "endfunction_command", "endmacro_command"))
		c->body = 0;
	if (!ts_node_has_error(node))
		command_fact(c, node);
	if (!c->body && type_is(type, "function_command", "macro_command"))
		c->body = c->depth;
	return false;
}

static void cmake_tree(struct cmake *c)
{
	c->depth = 1;
	while (!c->full) {
		if (cmake_node(c) && ts_tree_cursor_goto_first_child(&c->cursor)) {
			c->depth++;
			continue;
		}
		while (!ts_tree_cursor_goto_next_sibling(&c->cursor)) {
			if (!ts_tree_cursor_goto_parent(&c->cursor))
				return;
			c->depth--;
		}
		if (c->depth < c->body)
			c->body = 0;
	}
}

/* True when white space alone would keep the parser busy for seconds. */
static bool too_blank(const char *text, size_t len)
{
	uint64_t sum = 0, run = 0;
	size_t i;

	for (i = 0; i < len; i++) {
		run = isspace((unsigned char)text[i]) ? run + 1 : 0;
		sum += run * 2; /* 1 + 3 + 5 + ... are the squares, near enough */
	}
	return sum > SPACE_LIMIT;
}

void cmake_facts(struct py_worker *w, struct source *s, const char *text, size_t len,
		 struct notices *n)
{
	struct cmake c = {.w = w, .text = text};
	TSTree *tree = NULL;
	TSNode root;

	s->analysis = ANALYSIS_SKIPPED;
	if (too_blank(text, len))
		notice_add(n, w->arena, s->path, "parse", "too hard to parse, not analysed");
	else
		tree = py_parse(w, GRAMMAR_CMAKE, s->path, text, len, n);
	if (tree) {
		root = ts_tree_root_node(tree);
		c.cursor = ts_tree_cursor_new(root);
		cmake_tree(&c);
		ts_tree_cursor_delete(&c.cursor);
		s->analysis = ANALYSIS_FULL;
		if (ts_node_has_error(root) || c.full)
			s->analysis = ANALYSIS_PARTIAL;
		if (ts_node_has_error(root))
			py_error_notice(w, s, root, n);
		if (c.full)
			notice_add(n, w->arena, s->path, "parse",
				   "more than %d commands; the rest was not read", FACT_LIMIT);
		ts_tree_delete(tree);
	}
	facts_finish(w, s);
}
