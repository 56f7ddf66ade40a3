/* rule_build.c - tests on a whole file, and the verbs for build scripts and dependency rows. */
#include "rule_help.h"

static const char *call_twice(const char *rule, const char *symbol, const char *variable)
{
	static struct arg first = { .keyword = "flags", .value = VALUE_NAME, .text = "common" };
	static struct arg second;
	static struct help h;
	struct fact *f;

	arena_free(&h.arena);
	help_init(&h, rule);
	second = first;
	second.text = variable;
	f = help_fact(&h, FACT_USE, "build", 10, F_CALL);
	f->args = &first;
	f->nr_args = 1;
	f = help_fact(&h, FACT_USE, "build", 20, F_CALL);
	f->args = &second;
	f->nr_args = 1;
	f->symbol = symbol;
	return help_match(&h);
}

UNIT_TEST(rule_match_shared_argument)
{
	const char *rule = RULE("match: {call: build, shared_argument: flags}\n");

	ck_assert_str_eq(call_twice(rule, "", "common"), "PD900@10 PD900@20");
	ck_assert_str_eq(call_twice(rule, "", "own"), "");
	ck_assert_str_eq(call_twice(rule, "other", "common"), "");
	ck_assert_str_eq(call_twice(RULE("match: {call: build, shared_argument: libs}\n"), "", "common"),
			 "");
}

UNIT_TEST(rule_match_min_in_file)
{
	struct help h;

	help_init(&h, RULE("match: {call: build, min_in_file: 2, first_in_file: true, "
			   "not: {call: build, defines: \"*.record\"}}\n"));
	help_fact(&h, FACT_USE, "build", 10, F_CALL);
	help_fact(&h, FACT_USE, "build", 20, 0);
	ck_assert_str_eq(help_match(&h), "");
	help_fact(&h, FACT_USE, "build", 30, F_CALL);
	ck_assert_str_eq(help_match(&h), "PD900@10");
	h.defs[0] = (struct def){ .name = "Build.record", .parent = -1 };
	h.source.nr_defs = 1;
	ck_assert_str_eq(help_match(&h), "");
	arena_free(&h.arena);
}

UNIT_TEST(rule_match_guard_text)
{
	struct help h;

	help_init(&h, RULE("match: {use: a, guard_text: \"*nvcc*\"}\n"));
	help_guard(&h, GUARD_IF, (struct span){ 0, 100 }, (struct span){ 0, 0 })->text = "has_nvcc()";
	help_guard(&h, GUARD_IF, (struct span){ 5, 50 }, (struct span){ 0, 0 })->parent = 0;
	help_fact(&h, FACT_USE, "a", 10, 0);
	ck_assert_str_eq(help_match(&h), "");
	h.facts[0].guard = 1;
	ck_assert_str_eq(help_match(&h), "PD900@10");
	h.guards[0].text = NULL;
	ck_assert_str_eq(help_match(&h), "");
	arena_free(&h.arena);
}

UNIT_TEST(rule_match_min_in_file_branches)
{
	struct help h;

	help_init(&h, RULE("match: {use: a, min_in_file: 2}\n"));
	help_guard(&h, GUARD_IF, (struct span){ 5, 20 }, (struct span){ 25, 40 });
	help_fact(&h, FACT_USE, "a", 10, 0);
	help_fact(&h, FACT_USE, "a", 30, 0);
	ck_assert_str_eq(help_match(&h), "");
	help_fact(&h, FACT_USE, "a", 50, 0);
	ck_assert_str_eq(help_match(&h), "PD900@10 PD900@30 PD900@50");
	arena_free(&h.arena);
}

/* ---- verbs ------------------------------------------------------------------------------------ */

static struct span span_of(const char *text, const char *part)
{
	const char *at = strstr(text, part);

	ck_assert_ptr_nonnull(at);
	return (struct span){ (uint32_t)(at - text), (uint32_t)(at - text + strlen(part)) };
}

/* The text with the edits of all findings; the reason where one has none. */
static const char *fixed(struct help *h, const char *text)
{
	struct shape sh = { .text = text, .len = strlen(text), .newline = "\n", .ok = true };
	struct strbuf sb = STRBUF_INIT;
	const char *out;
	size_t i, k, at = 0;

	h->found = (struct findings){ 0 };
	rules_match(h->rules, NULL, &h->source, &h->arena, &h->found);
	for (i = 0; i < h->found.nr; i++) {
		struct fix *fix = h->found.v[i]->fix;

		rules_fix(h->rules, h->found.v[i], &sh, &h->arena);
		if (!fix->nr_edits)
			return fix->reason;
		for (k = 0; k < fix->nr_edits; k++) {
			ck_assert_uint_ge(fix->edits[k].span.start, at);
			strbuf_add(&sb, text + at, fix->edits[k].span.start - at);
			strbuf_addstr(&sb, fix->edits[k].text);
			at = fix->edits[k].span.end;
		}
	}
	strbuf_add(&sb, text + at, sh.len - at);
	out = arena_strndup(&h->arena, sb.buf, sb.len);
	strbuf_release(&sb);
	return out;
}

#define FIX(match, fix) RULE("match: " match "\nfix: {" fix ", safety: safe, dual: same}\n")

static const char *row_out(enum lang lang, const char *text, const char *row, const char *next)
{
	static struct help h;
	struct fact *f;

	arena_free(&h.arena);
	help_init(&h, FIX("{require: [a, b]}", "comment_row: row"));
	h.source.lang = lang;
	f = help_fact(&h, FACT_REQUIRE, "a", 0, 0);
	f->span = f->stmt = span_of(text, row);
	if (next) {
		f = help_fact(&h, FACT_REQUIRE, "b", 0, 0);
		f->span = f->stmt = span_of(text, next);
	}
	return fixed(&h, text);
}

UNIT_TEST(rule_verb_comment_row_list)
{
	const char *computed = "the row is part of something that is computed";

	ck_assert_str_eq(row_out(LANG_TOML, "x = [\"n\", \"a>1\"]\n", "\"a>1\"", NULL), "x = [\"n\"]\n");
	ck_assert_str_eq(row_out(LANG_TOML, "x = [\"a\", \"n\"]\n", "\"a\"", NULL), "x = [\"n\"]\n");
	ck_assert_str_eq(row_out(LANG_TOML, "x = [\"a\"]\n", "\"a\"", NULL), "x = []\n");
	ck_assert_str_eq(row_out(LANG_TOML, "x = [\"n\", \"a\", \"b\"]\n", "\"a\"", "\"b\""),
			 "x = [\"n\", ]\n");
	ck_assert_str_eq(row_out(LANG_TOML, "x = [\"a\", \"b\"]\n", "\"a\"", "\"b\""), "x = []\n");
	ck_assert_str_eq(row_out(LANG_PYTHON, "x = (\"n\", \"a\")\n", "\"a\"", NULL), "x = (\"n\", )\n");
	ck_assert_str_eq(row_out(LANG_PYTHON, "x = [\n    # first\n    \"a\",  # why\n    \"n\",\n]\n",
				 "\"a\"", NULL),
			 "x = [\n    # first\n    # \"a\",  # why\n    \"n\",\n]\n");
	ck_assert_str_eq(row_out(LANG_PYTHON, "x = [\n    \"n\",\n    \"a\"\n]\n", "\"a\"", NULL),
			 "x = [\n    \"n\",\n    # \"a\"\n]\n");
	ck_assert_str_eq(row_out(LANG_PYTHON, "x = [\n    \"a\"\n    \">1\",\n]\n", "\"a\"", NULL),
			 computed);
	ck_assert_str_eq(row_out(LANG_PYTHON, "x = [\"a\" + v]\n", "\"a\"", NULL), computed);
	ck_assert_str_eq(row_out(LANG_PYTHON, "x = f(\n    y,\n    z if v else \"a\"\n)\n", "\"a\"", NULL),
			 "the row shares its line with others");
}

UNIT_TEST(rule_verb_comment_row_line)
{
	const char *shared = "the row shares its line with others";

	ck_assert_str_eq(row_out(LANG_REQUIREMENTS, "n\na>1 ; x  # why\nb", "a>1 ; x", "b"),
			 "n\n# a>1 ; x  # why\n# b");
	ck_assert_str_eq(row_out(LANG_CFG, "[o]\nx =\n\tz\n\ta>1\n", "a>1", NULL),
			 "[o]\nx =\n\tz\n\t# a>1\n");
	ck_assert_str_eq(row_out(LANG_CFG, "[o]\nx = a\n", "a", NULL), shared);
	ck_assert_str_eq(row_out(LANG_TOML, "[d]\na = \"^2\"\n", "a = \"^2\"", NULL),
			 "[d]\n# a = \"^2\"\n");
	ck_assert_str_eq(row_out(LANG_TOML, "d = {a = \"^2\"}\n", "a = \"^2\"", NULL), shared);
	ck_assert_str_eq(row_out(LANG_REQUIREMENTS, "a \\\n  --hash=x\n", "a \\\n  --hash=x", NULL),
			 "# a \\\n  # --hash=x\n");
}

static const char *call_fixed(const char *rule, const char *text, const char *keyword,
			      const char *value, enum value_kind kind)
{
	static struct help h;
	static struct arg arg;
	struct fact *f;

	arena_free(&h.arena);
	help_init(&h, rule);
	arg = (struct arg){ .keyword = keyword, .value = kind };
	arg.valspan = span_of(text, value);
	arg.span = arg.valspan;
	if (keyword)
		arg.span.start = span_of(text, keyword).start;
	f = help_fact(&h, FACT_USE, "f", 0, F_CALL);
	f->args = &arg;
	f->nr_args = 1;
	return fixed(&h, text);
}

UNIT_TEST(rule_verb_argument)
{
	const char *rename = FIX("{call: f}", "rename_keyword: {old: new}");
	const char *list = FIX("{call: f}", "wrap_in_list: [s, \"0\"]");

	ck_assert_str_eq(call_fixed(rename, "f(old = 1)", "old", "1", VALUE_NUMBER), "f(new = 1)");
	ck_assert_str_eq(call_fixed(list, "f(s='x')", "s", "'x'", VALUE_STRING), "f(s=['x'])");
	ck_assert_str_eq(call_fixed(list, "f('x')", NULL, "'x'", VALUE_STRING), "f(['x'])");
	ck_assert_str_eq(call_fixed(list, "f(t='x')", "t", "'x'", VALUE_STRING),
			 "the argument is not seen in the call");
	ck_assert_str_eq(call_fixed(list, "f(s=[1])", "s", "[1]", VALUE_LIST),
			 "the argument is a list already");
}

/* Where the import of `text` on its last line gets the lines of the switch. */
static const char *switched(const char *text, const char *above)
{
	static struct help h;
	struct shape_stmt stmts[2] = { { .parent = -1 }, { .parent = -1 } };
	struct shape sh = { .text = text, .len = strlen(text), .stmts = stmts, .nr_stmts = 2,
			    .newline = "\n", .ok = true };
	struct edit *e;

	arena_free(&h.arena);
	help_init(&h, FIX("{import: a}", "insert_switch: \"on()\""));
	stmts[0].span = span_of(text, above);
	stmts[1].span = span_of(text, "import a");
	stmts[1].line_start = (uint32_t)(strrchr(text, '\n') + 1 - text);
	help_fact(&h, FACT_IMPORT, "a", stmts[1].span.start, 0);
	rules_match(h.rules, NULL, &h.source, &h.arena, &h.found);
	ck_assert_uint_eq(h.found.nr, 1);
	rules_fix(h.rules, h.found.v[0], &sh, &h.arena);
	e = h.found.v[0]->fix->edits;
	return arena_fmt(&h.arena, "%.*s|%s", (int)e->span.start, text, text + e->span.start);
}

UNIT_TEST(rule_verb_switch_above_joined_line)
{
	ck_assert_str_eq(switched("x; \\\n  import a", "x"), "|x; \\\n  import a");
	ck_assert_str_eq(switched("x  # \\\nimport a", "x"), "x  # \\\n|import a");
	ck_assert_str_eq(switched("x\nimport a", "x"), "x\n|import a");
}
