/* patch_build.c - bytes, markers and diffs of edits given by hand. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "patch_help.h"

static void diff_is(struct bench *b, bool reverse, const char *want)
{
	struct strbuf out = STRBUF_INIT;

	patch_diff(&out, b->patch, reverse);
	ck_assert_str_eq(out.buf, want);
	strbuf_release(&out);
}

UNIT_TEST(patch_replaces)
{
	struct bench b;
	struct finding *f;

	bench_open(&b);
	bench_file(&b, "a.py", "one\ntwo\nthree\n");
	f = bench_finding(&b, "PD900", "a.py");
	bench_edit(&b, f, 4, 7, "TWO");
	bench_build(&b);
	ck_assert_uint_eq(b.patch->nr_files, 1);
	ck_assert_str_eq(b.patch->files[0].new, "one\nTWO\nthree\n");
	diff_is(&b, false,
		"diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n"
		"@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n");
	diff_is(&b, true,
		"diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n"
		"@@ -1,3 +1,3 @@\n one\n-TWO\n+two\n three\n");
	bench_close(&b);
}

UNIT_TEST(patch_without_newline_at_end)
{
	struct bench b;
	struct finding *f;

	bench_open(&b);
	bench_file(&b, "a.py", "one\ntwo");
	f = bench_finding(&b, "PD900", "a.py");
	bench_edit(&b, f, 7, 7, "2\nthree\n");
	bench_build(&b);
	ck_assert_str_eq(b.patch->files[0].new, "one\ntwo2\nthree\n");
	diff_is(&b, false,
		"diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n"
		"@@ -1,2 +1,3 @@\n one\n-two\n\\ No newline at end of file\n"
		"+two2\n+three\n");
	bench_close(&b);
}

UNIT_TEST(patch_context_without_newline)
{
	struct bench b;
	struct finding *f;

	bench_open(&b);
	bench_file(&b, "a.py", "one\ntwo");
	f = bench_finding(&b, "PD900", "a.py");
	bench_edit(&b, f, 0, 0, "zero\n");
	bench_build(&b);
	diff_is(&b, false,
		"diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n"
		"@@ -1,2 +1,3 @@\n+zero\n one\n two\n"
		"\\ No newline at end of file\n");
	bench_close(&b);
}

UNIT_TEST(patch_hunks_join)
{
	struct bench b;
	struct finding *f;

	bench_open(&b);
	bench_file(&b, "a.py", "1\n2\n3\n4\n5\n6\n7\n8\n9\n0\n1\n2\n3\n4\n5\n6\n7\n8\n");
	f = bench_finding(&b, "PD900", "a.py");
	bench_edit(&b, f, 0, 1, "a");
	bench_edit(&b, f, 14, 15, "b");
	bench_build(&b);
	ck_assert_uint_eq(b.patch->hunks, 1);
	f = bench_finding(&b, "PD900", "a.py");
	bench_edit(&b, f, 30, 31, "c");
	bench_build(&b);
	ck_assert_uint_eq(b.patch->hunks, 2);
	ck_assert_uint_eq(b.patch->lines_added, 3);
	ck_assert_uint_eq(b.patch->lines_removed, 3);
	bench_close(&b);
}

UNIT_TEST(patch_quotes_names)
{
	struct bench b;
	struct finding *f;

	bench_open(&b);
	bench_file(&b, "a \"\t\xc3\xa9\\.py", "x\n");
	f = bench_finding(&b, "PD900", "a \"\t\xc3\xa9\\.py");
	bench_edit(&b, f, 0, 1, "y");
	bench_build(&b);
	diff_is(&b, false,
		"diff --git \"a/a \\\"\\t\\303\\251\\\\.py\" \"b/a \\\"\\t\\303\\251\\\\.py\"\n"
		"--- \"a/a \\\"\\t\\303\\251\\\\.py\"\t\n+++ \"b/a \\\"\\t\\303\\251\\\\.py\"\t\n"
		"@@ -1 +1 @@\n-x\n+y\n");
	bench_close(&b);
}

UNIT_TEST(patch_creates)
{
	struct bench b;
	struct finding *f;

	bench_open(&b);
	bench_file(&b, "a.py", "x\n");
	f = bench_finding(&b, "PD900", "a.py");
	bench_create(&b, f, "new/b.h", "one\ntwo", 0644);
	bench_build(&b);
	ck_assert_uint_eq(b.patch->created, 1);
	diff_is(&b, false,
		"diff --git a/new/b.h b/new/b.h\nnew file mode 100644\n"
		"--- /dev/null\n+++ b/new/b.h\n@@ -0,0 +1,2 @@\n+one\n+two\n"
		"\\ No newline at end of file\n");
	diff_is(&b, true,
		"diff --git a/new/b.h b/new/b.h\ndeleted file mode 100644\n"
		"--- a/new/b.h\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n"
		"\\ No newline at end of file\n");
	bench_close(&b);
}

UNIT_TEST(patch_identical_edits_merge)
{
	struct bench b;

	bench_open(&b);
	bench_file(&b, "a.py", "x\n");
	bench_edit(&b, bench_finding(&b, "PD902", "a.py"), 0, 0, "import b\n");
	bench_edit(&b, bench_finding(&b, "PD901", "a.py"), 0, 0, "import a\n");
	bench_edit(&b, bench_finding(&b, "PD900", "a.py"), 0, 0, "import b\n");
	bench_build(&b);
	ck_assert_str_eq(b.patch->files[0].new, "import b\nimport a\nx\n");
	bench_close(&b);
}

UNIT_TEST(patch_nothing_when_nothing_differs)
{
	struct bench b;

	bench_open(&b);
	bench_file(&b, "a.py", "x\n");
	bench_edit(&b, bench_finding(&b, "PD900", "a.py"), 0, 1, "x");
	bench_build(&b);
	ck_assert_uint_eq(b.patch->nr_files, 0);
	diff_is(&b, false, "");
	bench_close(&b);
}

UNIT_TEST(patch_takes_only_changes)
{
	struct bench b;
	struct finding *f;

	bench_open(&b);
	bench_file(&b, "a.py", "x\n");
	f = bench_finding(&b, "PD900", "a.py");
	bench_edit(&b, f, 0, 1, "y");
	f->level = LEVEL_CHECK;
	bench_build(&b);
	ck_assert_uint_eq(b.patch->nr_files, 0);
	f->level = LEVEL_EXPIRED;
	f->fix->safety = SAFETY_UNSAFE;
	bench_build(&b);
	ck_assert_uint_eq(b.patch->nr_files, 0);
	f->fix->safety = SAFETY_SAFE;
	bench_build(&b);
	ck_assert_uint_eq(b.patch->nr_files, 1);
	bench_close(&b);
}

/* "!" does not parse: the last finding of the file goes, with its edit in the other file. */
UNIT_TEST(patch_takes_back_what_breaks)
{
	struct bench b;
	struct finding *f;

	bench_open(&b);
	bench_file(&b, "a.py", "x\n");
	bench_file(&b, "b.py", "x\n");
	bench_edit(&b, bench_finding(&b, "PD900", "a.py"), 0, 1, "y");
	f = bench_finding(&b, "PD901", "b.py");
	bench_edit(&b, f, 0, 1, "!");
	bench_edit(&b, f, 1, 1, "z");
	f->fix->edits[1].path = "a.py";
	bench_build(&b);
	ck_assert_uint_eq(b.patch->nr_files, 1);
	ck_assert_str_eq(b.patch->files[0].new, "y\n");
	ck_assert_str_eq(f->reason_not_applied, "the file would no longer parse");
	bench_close(&b);
}

UNIT_TEST(patch_refuses_a_changed_file)
{
	struct bench b;
	struct err err = {0};

	bench_open(&b);
	bench_file(&b, "a.py", "x\n");
	bench_edit(&b, bench_finding(&b, "PD900", "a.py"), 0, 1, "y");
	bench_put(&b, "a.py", "z\n");
	ck_assert_int_eq(patch_build(&b.patch, &b.result, &b.options, &b.arena, &err), -1);
	ck_assert_str_eq(err.msg, "a.py has changed since it was analysed");
	bench_close(&b);
}

UNIT_TEST(patch_leaves_hard_links)
{
	struct bench b;
	struct finding *f;

	bench_open(&b);
	bench_file(&b, "a.py", "x\n");
	ck_assert_int_eq(linkat(b.repo.dirfd, "a.py", b.repo.dirfd, "other", 0), 0);
	f = bench_finding(&b, "PD900", "a.py");
	bench_edit(&b, f, 0, 1, "y");
	bench_build(&b);
	ck_assert_uint_eq(b.patch->nr_files, 0);
	ck_assert_str_eq(f->reason_not_applied, "the file has other hard links");
	ck_assert_uint_eq(b.result.notices.nr, 1);
	bench_close(&b);
}

/* ---- markers --------------------------------------------------------------------------------- */

static void marked(const char *text, const char *old, const char *want)
{
	struct bench b;
	const char *at;

	bench_open(&b);
	bench_file(&b, "a.py", text);
	for (at = text; (at = strstr(at, old)); at += strlen(old)) {
		struct finding *f = bench_finding(&b, "PD900", "a.py");
		uint32_t start = (uint32_t)(at - text);

		f->keep_until = "covered a.b";
		f->fix->description = "ask b";
		f->span = (struct span){start, start + (uint32_t)strlen(old)};
		bench_edit(&b, f, f->span.start, f->span.end, "new");
	}
	b.options.markers = MARKERS_FULL;
	bench_build(&b);
	ck_assert_str_eq(b.patch->files[0].new, want);
	bench_close(&b);
}

#define MARK "# MARK: ask b; remove when covered a.b [PD900]"

UNIT_TEST(marker_above_the_statement)
{
	marked("if x:\n\tf(old)\n", "old", "if x:\n\t" MARK "\n\tf(new)\n");
}

UNIT_TEST(marker_keeps_line_ends)
{
	marked("f(old)\r\ng\r\n", "old", MARK "\r\nf(new)\r\ng\r\n");
}

UNIT_TEST(marker_not_in_a_continuation)
{
	marked("x = 1 + \\\n  old\n", "old", MARK "\nx = 1 + \\\n  new\n");
}

UNIT_TEST(marker_counts_sites)
{
	marked("old\nold\n", "old", MARK " x2\nnew\nnew\n");
}

UNIT_TEST(marker_above_several_statements_of_a_line)
{
	marked("a = 1; old\n", "old", MARK "\na = 1; new\n");
}

UNIT_TEST(marker_not_for_the_switch)
{
	struct bench b;
	struct finding *f;

	bench_open(&b);
	bench_file(&b, "a.py", "x\n");
	f = bench_finding(&b, "PD900", "a.py");
	f->keep_until = "covered a.b";
	bench_edit(&b, f, 0, 0, "turn.on()\n");
	b.options.markers = MARKERS_FULL;
	bench_build(&b);
	ck_assert_str_eq(b.patch->files[0].new, "turn.on()\nx\n");
	bench_close(&b);
}

UNIT_TEST(marker_short_and_none)
{
	struct bench b;
	struct finding *f;

	bench_open(&b);
	bench_file(&b, "a.py", "x\n");
	f = bench_finding(&b, "PD900", "a.py");
	f->keep_long_term = "no other way";
	bench_edit(&b, f, 0, 1, "y");
	b.options.markers = MARKERS_SHORT;
	bench_build(&b);
	ck_assert_str_eq(b.patch->files[0].new,
			 "# KEEP: kept long-term: no other way [PD900]\ny\n");
	b.options.markers = MARKERS_NONE;
	bench_build(&b);
	ck_assert_str_eq(b.patch->files[0].new, "y\n");
	bench_close(&b);
}
