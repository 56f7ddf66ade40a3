/* py_python_shape.c - statements of a text. */
#include "py_python.h"

#include "base/strbuf.h"

/* "kind parent indent flags [text]" a statement; ( marks first and ) last on its line. */
static void shape_is(int line, const char *text, const char *expected)
{
	struct arena a = {0};
	struct shape *s = py_shape(&a, text, strlen(text));
	struct strbuf sb = STRBUF_INIT;
	size_t i;

	for (i = 0; i < s->nr_stmts; i++) {
		const struct shape_stmt *st = &s->stmts[i];

		strbuf_addf(&sb, "%s %d %u %u %s%s\n", st->kind, st->parent, st->line_start,
			    st->indent, st->first_on_line ? "(" : "", st->last_on_line ? ")" : "");
	}
	strbuf_addf(&sb, "%u%s\n", s->prologue_end, s->ok ? "" : " broken");
	ck_assert_msg(!strcmp(sb.buf, expected), "line %d: for\n%s\nexpected\n%s\ngot\n%s", line,
		      text, expected, sb.buf);
	strbuf_release(&sb);
	arena_free(&a);
}

#define shape_of(text, expected) shape_is(__LINE__, text, expected)

UNIT_TEST(py_shape_statements)
{
	shape_of("", "0\n");
	shape_of("a; b # c\n", "expression -1 0 0 (\nexpression -1 0 0 )\n0\n");
	shape_of("if a:\n\tb = 1\nelif c: d\nelse:\n\te += 1\n",
		 "if -1 0 0 ()\nassignment 0 6 1 ()\nelif 0 13 0 ()\nexpression 2 13 0 )\nelse 0 "
		 "23 0 ()\n"
		 "augmented 4 29 1 ()\n0\n");
	shape_of("@a\ndef f():\n  'd'\n  return 1\n",
		 "decorated -1 0 0 ()\nstring 0 12 2 ()\nreturn 0 18 2 ()\n0\n");
	shape_of("try:\n a\nexcept E:\n b\nfinally:\n c\n",
		 "try -1 0 0 ()\nexpression 0 5 1 ()\nexcept 0 8 0 ()\nexpression 2 18 1 ()\n"
		 "finally 0 21 0 ()\nexpression 4 30 1 ()\n0\n");
	shape_of("import a\nfrom b import c\nx = = 1\n",
		 "import -1 0 0 ()\nfrom -1 9 0 ()\nassignment -1 25 0 ()\n0 broken\n");
}

UNIT_TEST(py_shape_prologue)
{
	shape_of("#!/usr/bin/env python\n# coding: x\n\n'''doc'''\nfrom __future__ import "
		 "a\nimport b\n",
		 "string -1 35 0 ()\nfuture -1 45 0 ()\nimport -1 70 0 ()\n70\n");
	shape_of("# licence\n\n# more\nimport b\n", "import -1 18 0 ()\n18\n");
	shape_of("\xef\xbb\xbf'doc'\r\nimport b\r\n", "string -1 3 0 ()\nimport -1 10 0 ()\n10\n");
	shape_of("'doc'; import b\n", "string -1 0 0 (\nimport -1 0 0 )\n5\n");
	shape_of("'doc'", "string -1 0 0 ()\n5\n");
}

UNIT_TEST(py_shape_newline)
{
	static const struct {
		const char *text, *newline;
	} rows[] = {{"a\nb\n", "\n"}, {"a\r\nb\n", "\r\n"}, {"a\rb\r", "\r"}, {"a", "\n"}};
	struct arena a = {0};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		ck_assert_str_eq(py_shape(&a, rows[i].text, strlen(rows[i].text))->newline,
				 rows[i].newline);
	ck_assert(!py_shape(&a, "a\0b", 3)->ok);
	arena_free(&a);
}
