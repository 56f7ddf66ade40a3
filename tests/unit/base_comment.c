/* base_comment.c - comments with a line of their own, and where one may stand. */
#include "unit.h"

#include <string.h>

#include "base/arena.h"
#include "base/comment.h"
#include "base/strbuf.h"

/* Words of all comments, each in brackets. */
static void comments_are(enum comment_style style, const char *text, const char *want)
{
	struct strbuf sb = STRBUF_INIT;
	struct comment_scan s;
	struct comment c;

	comment_start(&s, style, text, strlen(text));
	while (comment_next(&s, &c))
		strbuf_addf(&sb, "[%.*s]", (int)(c.end - c.words), text + c.words);
	ck_assert_str_eq(sb.buf, want);
	strbuf_release(&sb);
}

/* "1" for each line above which a comment may stand, else "0". */
static void places_are(enum comment_style style, const char *text, const char *want)
{
	struct strbuf sb = STRBUF_INIT;
	size_t i, len = strlen(text);
	uint32_t at;

	for (i = 0; i < len; i++)
		if (!i || text[i - 1] == '\n')
			strbuf_addch(&sb, comment_place(style, text, len, (uint32_t)i, &at) &&
							  at == i
						  ? '1'
						  : '0');
	ck_assert_str_eq(sb.buf, want);
	strbuf_release(&sb);
}

UNIT_TEST(comment_python)
{
	comments_are(COMMENT_PYTHON, "# a\r\n  #b\nx = 1 # c\n\t# d", "[a][b][d]");
	comments_are(COMMENT_PYTHON, "s = \"\"\"\n# in\n\"\"\"\n# out\n", "[out]");
	comments_are(COMMENT_PYTHON, "s = '''\n# \"\"\" in\n''' + \"#\"\n# out\n", "[out]");
	comments_are(COMMENT_PYTHON, "s = 'it''s'\n# a \\\n# b\n", "[a \\][b]");
	comments_are(COMMENT_PYTHON, "s = 'open\n# a\n", "[a]");
	comments_are(COMMENT_PYTHON, "s = r'\\'\n# a\n", "[a]");
	places_are(COMMENT_PYTHON, "a = 1 + \\\n 2\nb = '''\n x\n'''\nc = 'x\\\ny'\nd\n", "10100101");
}

UNIT_TEST(comment_c)
{
	comments_are(COMMENT_C, "// a\n/* \n// b\n*/\n// c\nint x; // d\n", "[a][c]");
	comments_are(COMMENT_C, "const char *s = R\"x(\n// a )\" \n)x\";\n// b\n", "[b]");
	comments_are(COMMENT_C, "long n = 1'000;\n// a\nchar c = '\"';\n// b\n", "[a][b]");
	comments_are(COMMENT_C, "#define A \\\n// a\n// b\n", "[b]");
	comments_are(COMMENT_C, "// a \\\nstill\n// b\n", "[b]");
	places_are(COMMENT_C, "#define A(x) \\\n f(x); \\\n g(x)\nA(1);\n", "1001");
	places_are(COMMENT_C, "/* a\n b */ f();\ng(\n 1);\n", "1011");
	places_are(COMMENT_C, "auto s = R\"(\n a\n)\";\nf();\n", "1001");
}

UNIT_TEST(comment_toml)
{
	comments_are(COMMENT_TOML, "# a\nx = [\n  # b\n  \"#\",\n]\n", "[a][b]");
	places_are(COMMENT_TOML, "x = [\n \"a\",\n]\ny = \"\"\"\na\n\"\"\"\nz = '''\n\\'''\n", "11110010");
}

UNIT_TEST(comment_cmake)
{
	comments_are(COMMENT_CMAKE, "# a\nset(x \"\n# in\n\")\n#[[\n# in\n]]\n# b\n", "[a][b]");
	comments_are(COMMENT_CMAKE, "set(x [=[\n# in ]]\n]=])\n# it's\n# b\n", "[it's][b]");
	places_are(COMMENT_CMAKE, "f(a\n b)\nset(x \"\n c\")\ng()\n", "11101");
}

UNIT_TEST(comment_rows)
{
	comments_are(COMMENT_ROWS, "# a\ntorch \\\n# not\n --hash=x\n  # b \"\"\"\n# c\n", "[a][b \"\"\"][c]");
	places_are(COMMENT_ROWS, "a \\\n b\nc\n", "101");
}

UNIT_TEST(comment_none)
{
	uint32_t at = 7;

	comments_are(COMMENT_NONE, "# a\n", "");
	comments_are(COMMENT_PYTHON, "", "");
	ck_assert(!comment_place(COMMENT_NONE, "a\n", 2, 0, &at));
	ck_assert(comment_place(COMMENT_ROWS, "\xef\xbb\xbf" "a\n", 5, 0, &at) && at == 3);
	ck_assert(comment_place(COMMENT_PYTHON, "a\n", 2, 2, &at));
	ck_assert_uint_eq(at, 2);
	ck_assert(comment_place(COMMENT_C, "a\n/*\n*/\n", 8, 5, &at));
	ck_assert_uint_eq(at, 2);
	ck_assert_str_eq(comment_mark(COMMENT_C), "//");
	ck_assert_ptr_null(comment_mark(COMMENT_NONE));
}

/* Words of all comments, also those behind code, with what stands before them. */
UNIT_TEST(comments_behind_code)
{
	static const char text[] = "x = '#'  # one\n# two\ny = \"\"\"\n# no\n\"\"\"  # three\nz = 1";
	struct strbuf sb = STRBUF_INIT;
	struct comment_scan s;
	struct comment c;

	comment_start(&s, COMMENT_PYTHON, text, strlen(text));
	while (comment_next_any(&s, &c))
		strbuf_addf(&sb, "[%u:%.*s]", (unsigned)c.indent, (int)(c.end - c.words), text + c.words);
	ck_assert_str_eq(sb.buf, "[9:one][0:two][5:three]");
	strbuf_reset(&sb);
	comment_start(&s, COMMENT_C, "a(\"//\"); // b\n/* c\n// d\n*/ e(); // f", 36);
	while (comment_next_any(&s, &c))
		strbuf_addf(&sb, "[%.*s]", (int)(c.end - c.words), s.text + c.words);
	ck_assert_str_eq(sb.buf, "[b][f]");
	strbuf_release(&sb);
}
