/* base_path.c - path, ends of paths, UTF-8, glob. */
#include "unit.h"

#include <string.h>

#include "base/ends.h"
#include "base/glob.h"
#include "base/path.h"

UNIT_TEST(path_parts)
{
	ck_assert_str_eq(path_base("a/b.py"), "b.py");
	ck_assert_str_eq(path_base("b.py"), "b.py");
	ck_assert_uint_eq(path_dirlen("a/b/c"), 3);
	ck_assert_uint_eq(path_dirlen("c"), 0);
	ck_assert_str_eq(path_ext("a.d/b.tar.gz"), ".gz");
	ck_assert_str_eq(path_ext("a.d/b"), "");
	ck_assert_str_eq(path_ext("a/.profile"), "");
}

UNIT_TEST(path_leads_through)
{
	const char *path = "a/shims/b.h";

	ck_assert_ptr_eq(path_folder(path, "shims"), path + 2);
	ck_assert_ptr_eq(path_folder(path, "a"), path);
	ck_assert_ptr_null(path_folder(path, "shim"));
	ck_assert_ptr_null(path_folder(path, "hims"));
	ck_assert_ptr_null(path_folder(path, "b.h"));
}

UNIT_TEST(path_ends)
{
	const char *paths[] = { "x.h", "b/c/x.h", "a/x.h", "a/c/x.h", "ax.h", "c/y.h" };
	struct path_ends e;
	bool several;

	path_ends_init(&e, paths, 6);
	ck_assert_str_eq(path_ends_find(&e, "b/c/x.h", &several), "b/c/x.h");
	ck_assert(!several);
	ck_assert_str_eq(path_ends_find(&e, "c/x.h", &several), "a/c/x.h");
	ck_assert(several);
	ck_assert_str_eq(path_ends_find(&e, "y.h", &several), "c/y.h");
	ck_assert(!several);
	ck_assert_ptr_null(path_ends_find(&e, "/x.h", &several));
	ck_assert_ptr_null(path_ends_find(&e, "z.h", &several));
	path_ends_init(&e, paths, 0);
	ck_assert_ptr_null(path_ends_find(&e, "x.h", &several));
}

UNIT_TEST(path_join_and_under)
{
	struct arena a = { 0 };

	ck_assert_str_eq(path_join(&a, "", "x"), "x");
	ck_assert_str_eq(path_join(&a, "d/e", "x"), "d/e/x");
	ck_assert(path_under("a/b", "") && path_under("a/b", "a") && path_under("a", "a"));
	ck_assert(!path_under("ab/c", "a") && !path_under("a", "a/b"));
	arena_free(&a);
}

UNIT_TEST(path_resolves_by_text)
{
	static const struct {
		const char *dir, *rel, *want;
	} cases[] = {
		{ "", "a", "a" },	       { "d", "./a", "d/a" },
		{ "d/e", "../a", "d/a" },      { "d/e", "../../a", "a" },
		{ "d/e", "../../../a", NULL }, { "", "..", NULL },
		{ "d", "..", "" },	       { "d", "a//b/./c/", "d/a/b/c" },
		{ "d", "/abs", NULL },	       { "d", "", "d" },
		{ "", "...", "..." },	       { "d", "x/../y", "d/y" },
	};
	struct arena a = { 0 };
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *got = path_resolve(&a, cases[i].dir, cases[i].rel);

		if (cases[i].want)
			ck_assert_str_eq(got, cases[i].want);
		else
			ck_assert_ptr_null(got);
	}
	arena_free(&a);
}

UNIT_TEST(path_prints_on_one_line)
{
	struct strbuf sb = STRBUF_INIT;

	path_print(&sb, "a\nb\x1b[31m\x7f \xc3\xa9 \xc2\x9b");
	ck_assert_ptr_null(strchr(sb.buf, '\n'));
	ck_assert_ptr_null(strchr(sb.buf, 0x1b));
	ck_assert_ptr_null(strstr(sb.buf, "\xc2\x9b"));
	ck_assert_ptr_nonnull(strstr(sb.buf, "\xc3\xa9"));
	ck_assert(!strncmp(sb.buf, "a\\x0ab\\x1b[31m\\x7f ", 19));
	strbuf_release(&sb);
}

UNIT_TEST(utf8_takes_only_what_is_valid)
{
	static const struct {
		const char *s;
		size_t n;
		int len;
	} cases[] = {
		{ "a", 1, 1 },		      { "", 0, 0 },
		{ "\0", 1, 1 },		      { "\xc3\xa9", 2, 2 },
		{ "\xc3", 1, 0 },	      { "\xc0\x80", 2, 0 },
		{ "\xe2\x82\xac", 3, 3 },     { "\xe0\x80\x80", 3, 0 },
		{ "\xed\xa0\x80", 3, 0 },     { "\xf0\x9f\x98\x80", 4, 4 },
		{ "\xf4\x90\x80\x80", 4, 0 }, { "\xf8\x88\x80\x80\x80", 5, 0 },
		{ "\x80", 1, 0 },	      { "\xf0\x80\x80\x80", 4, 0 },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ck_assert_int_eq(utf8_seq(cases[i].s, cases[i].n), cases[i].len);
	ck_assert(utf8_valid("a\xc3\xa9", 3) && !utf8_valid("a\xe9", 2) && utf8_valid("", 0));
}

UNIT_TEST(glob_matches)
{
	static const struct {
		const char *pattern, *path;
		bool want;
	} cases[] = {
		{ "*.py", "a/b.py", true },
		{ "*.py", "a/b.pyc", false },
		{ "a/*.py", "a/b.py", true },
		{ "a/*.py", "a/b/c.py", false },
		{ "a/**/c.py", "a/b/c.py", true },
		{ "a/**/c.py", "a/c.py", true },
		{ "a/**", "a/b/c", true },
		{ "**/test_*.py", "x/y/test_a.py", true },
		{ "**/test_*.py", "test_a.py", true },
		{ "**/test_*.py", "x/atest_a.py", false },
		{ "?.c", "a.c", true },
		{ "?.c", "ab.c", false },
		{ "[a-c].c", "d/b.c", true },
		{ "[!a-c].c", "b.c", false },
		{ "[!a-c].c", "d.c", true },
		{ "[abc", "a", false },
		{ "x.{cc,cu}", "d/x.cu", true },
		{ "x.{cc,cu}", "d/x.cpp", false },
		{ "{a,b}/x.{c,h}", "b/x.h", true },
		{ "{a", "{a", true },
		{ "*a*b*c", "xaybzc", true },
		{ "*a*b*c", "xaybz", false },
		{ "", "", true },
		{ "*", "", true },
		{ "a/b", "b", false },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ck_assert_msg(glob_match(cases[i].pattern, cases[i].path) == cases[i].want,
			      "'%s' on '%s'", cases[i].pattern, cases[i].path);
}

UNIT_TEST(glob_is_bounded)
{
	char pattern[201], path[5001];
	size_t i;

	for (i = 0; i + 1 < sizeof(pattern); i += 2)
		memcpy(pattern + i, "*a", 2);
	pattern[200] = 0;
	memset(path, 'a', 5000);
	path[5000] = 0;
	path[4999] = 'b';
	ck_assert(!glob_match(pattern, path));
	for (i = 0; i + 4 < sizeof(pattern); i += 4)
		memcpy(pattern + i, "**/a", 4);
	pattern[200] = 0;
	for (i = 1; i < 5000; i += 2)
		path[i] = '/';
	ck_assert(!glob_match(pattern, path));
}
