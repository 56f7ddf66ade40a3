/*
 * toml.c - TOML build files: dependency rows and plain settings.
 *
 * In: the bytes of one file. Out: FACT_REQUIRE for what the tables below call requirements,
 * FACT_SETTING for every other key with a string, number or boolean, and for each string of a list.
 * Names are dotted paths; elements of arrays have the path of the array. The span of a value is its
 * token with the quotes.
 *
 * After an error nothing is taken from the rest of its table: the parser goes on behind it with its
 * best guess, and a row must not be reported from a table that it does not stand in.
 */
#include "py/internal.h"

#include <string.h>

#include "base/path.h"
#include "base/strbuf.h"

#define FACT_LIMIT  20000
#define PATH_LIMIT  32
#define DEPTH_LIMIT 64

/* Lists of requirements, by path; '*' is any one part. */
static const char *const row_lists[] = {
	"build-system.requires",
	"project.dependencies",
	"project.optional-dependencies.*",
	"dependency-groups.*",
	"tool.pdm.dev-dependencies.*",
	"tool.hatch.envs.*.dependencies",
	"tool.hatch.envs.*.extra-dependencies",
	"tool.hatch.build.dependencies",
	"tool.hatch.build.hooks.*.dependencies",
	"tool.hatch.build.targets.*.dependencies",
	"tool.uv.dev-dependencies",
	"tool.uv.override-dependencies",
	"tool.uv.constraint-dependencies",
	"tool.uv.build-constraint-dependencies",
	"tool.uv.extra-build-dependencies.*",
	"tool.uv.extra-build-dependencies.*.requirement",
	"tool.flit.metadata.requires",
	"tool.flit.metadata.dev-requires",
	"tool.flit.metadata.requires-extra.*",
	"tool.tox.env.*.deps",
	"tool.tox.env_run_base.deps",
	NULL,
};

/* Tables whose keys are distributions. */
static const char *const name_tables[] = {
	"tool.poetry.dependencies",
	"tool.poetry.dev-dependencies",
	"tool.poetry.group.*.dependencies",
	"tool.pdm.resolution.overrides",
	"tool.pixi.dependencies",
	"tool.pixi.pypi-dependencies",
	"tool.pixi.host-dependencies",
	"tool.pixi.build-dependencies",
	"tool.pixi.feature.*.dependencies",
	"tool.pixi.feature.*.pypi-dependencies",
	NULL,
};

/* The same in a Pipfile. */
static const char *const pipfile_tables[] = {"packages", "dev-packages", NULL};

struct toml {
	struct py_worker *w;
	struct source *s;
	const char *text;
	TSTreeCursor cursor;
	const char *part[PATH_LIMIT]; /* interned */
	struct span key[PATH_LIMIT];
	int nr_parts;
	bool lost; /* an error stands before this in the table */
	bool full; /* FACT_LIMIT reached */
	bool deep; /* something was nested deeper than the limits */
};

static bool node_is(TSNode node, const char *type)
{
	return !strcmp(ts_node_type(node), type);
}

static struct span node_span(TSNode node)
{
	return (struct span){ts_node_start_byte(node), ts_node_end_byte(node)};
}

/* ---- text
 * ---------------------------------------------------------------------------------------- */

static void add_utf8(struct strbuf *sb, uint32_t c)
{
	if (c < 0x80) {
		strbuf_addch(sb, (int)c);
	} else if (c < 0x800) {
		strbuf_addch(sb, (int)(0xc0 | c >> 6));
		strbuf_addch(sb, (int)(0x80 | (c & 0x3f)));
	} else if (c < 0x10000) {
		strbuf_addch(sb, (int)(0xe0 | c >> 12));
		strbuf_addch(sb, (int)(0x80 | (c >> 6 & 0x3f)));
		strbuf_addch(sb, (int)(0x80 | (c & 0x3f)));
	} else {
		strbuf_addch(sb, (int)(0xf0 | (c >> 18 & 7)));
		strbuf_addch(sb, (int)(0x80 | (c >> 12 & 0x3f)));
		strbuf_addch(sb, (int)(0x80 | (c >> 6 & 0x3f)));
		strbuf_addch(sb, (int)(0x80 | (c & 0x3f)));
	}
}

/* \uXXXX or \UXXXXXXXX from its 'u': bytes taken. Digits that are none end it. */
static size_t add_code_point(struct strbuf *sb, const char *s, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	size_t want = s[0] == 'u' ? 5 : 9, i;
	uint32_t c = 0;

	for (i = 1; i < want && i < len; i++) {
		const char *p = memchr(digits, s[i] >= 'A' && s[i] <= 'F' ? s[i] | 0x20 : s[i], 16);

		if (!p)
			break;
		c = c << 4 | (uint32_t)(p - digits);
	}
	add_utf8(sb, c);
	return i;
}

/* One escape behind its backslash: bytes taken. */
static size_t add_escape(struct strbuf *sb, const char *s, size_t len)
{
	static const char from[] = "btnfre\"\\", to[] = "\b\t\n\f\r\033\"\\";
	const char *p;
	size_t n = 0;

	if (!len)
		return 0;
	if (s[0] == 'u' || s[0] == 'U')
		return add_code_point(sb, s, len);
	p = memchr(from, s[0], sizeof(from) - 1);
	if (p) {
		strbuf_addch(sb, to[p - from]);
		return 1;
	}
	/* A backslash at a line's end takes all white space up to the next text. */
	while (n < len && memchr(" \t\r\n", s[n], 4))
		n++;
	return n;
}

/* Contents of the string token s[0..len). */
static const char *string_text(struct toml *t, const char *s, size_t len)
{
	struct strbuf sb = STRBUF_INIT;
	bool basic = *s == '"';
	size_t quotes = len >= 6 && s[1] == s[0] && s[2] == s[0] ? 3 : 1, at = quotes,
	       end = len - quotes;
	const char *out;

	if (quotes == 3 && at < end && s[at] == '\r')
		at++;
	if (quotes == 3 && at < end && s[at] == '\n')
		at++;
	while (at < end) {
		if (basic && s[at] == '\\')
			at += 1 + add_escape(&sb, s + at + 1, end - at - 1);
		else
			strbuf_addch(&sb, s[at++]);
	}
	out = intern(t->w->intern, sb.buf, sb.len);
	strbuf_release(&sb);
	return out;
}

static const char *node_text(struct toml *t, struct span span)
{
	const char *s = t->text + span.start;
	size_t len = span.end - span.start;

	if (len >= 2 && (*s == '"' || *s == '\'') && s[len - 1] == *s)
		return string_text(t, s, len);
	return intern(t->w->intern, s, len);
}

/* ---- paths
 * --------------------------------------------------------------------------------------- */

/* End of the key part at `at`. */
static uint32_t key_end(const struct toml *t, uint32_t at, uint32_t end)
{
	char quote = t->text[at];

	if (quote != '"' && quote != '\'') {
		while (at < end && !memchr(". \t", t->text[at], 3))
			at++;
		return at;
	}
	for (at++; at < end && t->text[at] != quote; at++)
		if (quote == '"' && t->text[at] == '\\')
			at++;
	return at < end ? at + 1 : end;
}

/* Add the parts of a key to the path. Read from its bytes: the tree of a dotted key is as deep as
 * it is long. */
static bool path_push(struct toml *t, TSNode key)
{
	struct span span = node_span(key);
	uint32_t at = span.start, end;

	while (at < span.end) {
		if (memchr(". \t", t->text[at], 3)) {
			at++;
			continue;
		}
		if (t->nr_parts == PATH_LIMIT) {
			t->deep = true;
			return false;
		}
		end = key_end(t, at, span.end);
		t->key[t->nr_parts] = (struct span){at, end};
		t->part[t->nr_parts] = node_text(t, t->key[t->nr_parts]);
		t->nr_parts++;
		at = end;
	}
	return true;
}

/* True when the first `nr` parts of the path are those of the pattern. */
static bool path_matches(const struct toml *t, int nr, const char *pattern)
{
	int i;

	for (i = 0; i < nr; i++) {
		size_t n = strcspn(pattern, ".");

		if (!n || (strncmp(pattern, "*", n) &&
			   (strlen(t->part[i]) != n || memcmp(pattern, t->part[i], n))))
			return false;
		pattern += n + (pattern[n] == '.');
	}
	return !*pattern;
}

static bool path_in(const struct toml *t, int nr, const char *const *patterns)
{
	for (; *patterns; patterns++)
		if (path_matches(t, nr, *patterns))
			return true;
	return false;
}

static const char *path_name(struct toml *t, int nr)
{
	struct strbuf sb = STRBUF_INIT;
	const char *out;
	int i;

	for (i = 0; i < nr; i++) {
		if (i)
			strbuf_addch(&sb, '.');
		strbuf_addstr(&sb, t->part[i]);
	}
	out = intern(t->w->intern, sb.buf, sb.len);
	strbuf_release(&sb);
	return out;
}

/* ---- facts
 * --------------------------------------------------------------------------------------- */

static void toml_fact(struct toml *t, enum fact_kind kind, const char *name, const char *text,
		      const char *recv, struct span span, struct span stmt)
{
	struct fact *f;

	if (t->w->facts.nr >= FACT_LIMIT) {
		t->full = true;
		return;
	}
	f = fact_new(t->w, kind, name, span);
	f->text = text;
	f->recv = recv;
	f->symbol = "";
	f->stmt = stmt;
}

/* A string, number or boolean: a row where its path says so, else a setting. */
static void toml_value(struct toml *t, TSNode value, struct span stmt)
{
	struct span span = node_span(value);
	const char *text = node_text(t, span), *path = path_name(t, t->nr_parts);
	struct pep508 p;

	if (node_is(value, "string") && path_in(t, t->nr_parts, row_lists) &&
	    pep508_parse(text, strlen(text), &p))
		toml_fact(t, FACT_REQUIRE, intern_str(t->w->intern, p.name), text, path, span,
			  stmt);
	else
		toml_fact(t, FACT_SETTING, path, text, NULL, span, stmt);
}

/* The key that is a distribution: the first of those added since `from` that stands in such a
 * table. */
static bool toml_name(struct toml *t, int from, struct span stmt)
{
	const char *const *pipfile = strcmp(path_base(t->s->path), "Pipfile") ? NULL : pipfile_tables;
	struct pep508 p;
	struct span key;
	int i;

	for (i = from; i < t->nr_parts; i++)
		if (i && (path_in(t, i, name_tables) || (pipfile && path_in(t, i, pipfile))))
			break;
	/* "python" there is the range of interpreters. */
	if (i >= t->nr_parts || !strcmp(t->part[i], "python"))
		return false;
	key = t->key[i];
	if (!pep508_parse(t->part[i], strlen(t->part[i]), &p) || t->part[i][p.name_span.end])
		return false;
	toml_fact(t, FACT_REQUIRE, intern_str(t->w->intern, p.name),
		  arena_strndup(t->w->arena, t->text + stmt.start, stmt.end - stmt.start),
		  path_name(t, i), key, stmt);
	return i == t->nr_parts - 1;
}

/* ---- the tree
 * ------------------------------------------------------------------------------------ */

static void toml_pair(struct toml *t, int depth);

/* The value under the cursor; `stmt` is what holds it. */
static void toml_tree(struct toml *t, struct span stmt, int depth)
{
	TSNode node = ts_tree_cursor_current_node(&t->cursor);
	bool array = node_is(node, "array");

	if (!array && !node_is(node, "inline_table")) {
		if (node_is(node, "string") || node_is(node, "integer") || node_is(node, "float") ||
		    node_is(node, "boolean"))
			toml_value(t, node, stmt);
		return;
	}
	if (depth == DEPTH_LIMIT) {
		t->deep = true;
		return;
	}
	if (!ts_tree_cursor_goto_first_child(&t->cursor))
		return;
	do {
		TSNode child = ts_tree_cursor_current_node(&t->cursor);
		bool plain = node_is(child, "string");

		if (!array && node_is(child, "pair"))
			toml_pair(t, depth + 1);
		else if (array &&
			 (plain || node_is(child, "array") || node_is(child, "inline_table")))
			toml_tree(t, node_span(child), depth + 1);
	} while (!t->full && ts_tree_cursor_goto_next_sibling(&t->cursor));
	ts_tree_cursor_goto_parent(&t->cursor);
}

static void toml_pair(struct toml *t, int depth)
{
	TSNode pair = ts_tree_cursor_current_node(&t->cursor);
	struct span stmt = node_span(pair);
	int from = t->nr_parts;

	/* Key, "=", value; a comment and the line end may follow. */
	stmt.end = ts_node_end_byte(ts_node_named_child(pair, 1));
	if (path_push(t, ts_node_named_child(pair, 0)) && !toml_name(t, from, stmt) &&
	    ts_tree_cursor_goto_first_child(&t->cursor)) {
		if (ts_tree_cursor_goto_next_sibling(&t->cursor) &&
		    ts_tree_cursor_goto_next_sibling(&t->cursor))
			toml_tree(t, stmt, depth);
		ts_tree_cursor_goto_parent(&t->cursor);
	}
	t->nr_parts = from;
}

/* [a.b] or [[a.b]]: the header sets the path, a sound one ends what an error spoiled. */
static void toml_header(struct toml *t, TSNode table)
{
	TSNode key = ts_node_named_child(table, 0);
	uint32_t i, nr = ts_node_child_count(table);
	struct span stmt = node_span(table);

	t->nr_parts = 0;
	t->lost = ts_node_is_null(key) || ts_node_has_error(key) || nr < 3 ||
		  ts_node_is_error(ts_node_child(table, 0)) ||
		  ts_node_is_missing(ts_node_child(table, 2));
	for (i = 0; !t->lost && i < 3; i++)
		t->lost = ts_node_is_error(ts_node_child(table, i));
	if (t->lost || !path_push(t, key)) {
		t->lost = true;
		return;
	}
	stmt.end = ts_node_end_byte(ts_node_child(table, nr > 3 ? nr - 1 : 2));
	while (stmt.end > stmt.start && memchr(" \t\r\n", t->text[stmt.end - 1], 4))
		stmt.end--;
	toml_name(t, 0, stmt);
}

static void toml_items(struct toml *t)
{
	if (!ts_tree_cursor_goto_first_child(&t->cursor))
		return;
	do {
		TSNode node = ts_tree_cursor_current_node(&t->cursor);
		bool pair = node_is(node, "pair");

		if (ts_node_is_error(node) || (pair && ts_node_has_error(node)))
			t->lost = true;
		else if (pair && !t->lost)
			toml_pair(t, 0);
	} while (!t->full && ts_tree_cursor_goto_next_sibling(&t->cursor));
	ts_tree_cursor_goto_parent(&t->cursor);
}

/* The top level: pairs before the first table, then tables. */
static void toml_document(struct toml *t, TSNode root)
{
	t->lost = ts_node_is_error(root);
	if (!ts_tree_cursor_goto_first_child(&t->cursor))
		return;
	do {
		TSNode node = ts_tree_cursor_current_node(&t->cursor);
		bool pair = node_is(node, "pair");

		if (node_is(node, "table") || node_is(node, "table_array_element")) {
			toml_header(t, node);
			toml_items(t);
		} else if (ts_node_is_error(node) || (pair && ts_node_has_error(node))) {
			t->lost = true;
		} else if (pair && !t->lost) {
			toml_pair(t, 0);
		}
	} while (!t->full && ts_tree_cursor_goto_next_sibling(&t->cursor));
}

void toml_facts(struct py_worker *w, struct source *s, const char *text, size_t len,
		struct notices *n)
{
	struct toml t = {.w = w, .s = s, .text = text};
	TSTree *tree = py_parse(w, GRAMMAR_TOML, s->path, text, len, n);
	TSNode root;

	s->analysis = ANALYSIS_SKIPPED;
	if (tree) {
		root = ts_tree_root_node(tree);
		t.cursor = ts_tree_cursor_new(root);
		toml_document(&t, root);
		ts_tree_cursor_delete(&t.cursor);
		s->analysis = ANALYSIS_FULL;
		if (ts_node_has_error(root) || t.full || t.deep)
			s->analysis = ANALYSIS_PARTIAL;
		if (ts_node_has_error(root))
			py_error_notice(w, s, root, n);
		if (t.deep)
			notice_add(n, w->arena, s->path, "parse",
				   "nested too deeply; not all was read");
		if (t.full)
			notice_add(n, w->arena, s->path, "parse",
				   "more than %d keys and rows; the rest was not read", FACT_LIMIT);
		ts_tree_delete(tree);
	}
	facts_finish(w, s);
}
