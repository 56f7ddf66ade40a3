/* plan_build.c - which edits the plan takes, and what it counts. */
#include "unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plan/plan.h"

/* A repository of one file in a folder of its own, and room for findings. */
struct bench {
	struct arena arena;
	struct repo repo;
	struct result result;
	struct source *source;
	char dir[64];
};

static void bench_open(struct bench *b, const char *path, const char *text)
{
	FILE *f;

	memset(b, 0, sizeof(*b));
	snprintf(b->dir, sizeof(b->dir), "%s/plan-XXXXXX", P_tmpdir);
	ck_assert_ptr_nonnull(mkdtemp(b->dir));
	b->repo.dirfd = open(b->dir, O_RDONLY | O_DIRECTORY);
	b->source = ARENA_NEW(&b->arena, struct source);
	b->source->path = path;
	b->source->layer = LAYER_GLUE;
	b->source->rank = -1;
	b->source->size = (uint32_t)strlen(text);
	b->source->hash = hash_bytes(text, strlen(text));
	f = fdopen(openat(b->repo.dirfd, path, O_WRONLY | O_CREAT, 0600), "w");
	fputs(text, f);
	fclose(f);
	b->repo.files = arena_array(&b->arena, 1, sizeof(*b->repo.files));
	b->repo.files[0] = b->source;
	b->repo.nr_files = 1;
	b->result.repo = &b->repo;
}

static void bench_close(struct bench *b)
{
	unlinkat(b->repo.dirfd, b->source->path, 0);
	close(b->repo.dirfd);
	rmdir(b->dir);
	arena_free(&b->arena);
}

static struct finding *bench_finding(struct bench *b, const char *rule)
{
	struct finding *f = ARENA_NEW(&b->arena, struct finding);

	f->rule = rule;
	f->source = b->source;
	f->line = 7;
	f->level = LEVEL_CHANGE;
	f->fix = ARENA_NEW(&b->arena, struct fix);
	f->fix->safety = SAFETY_SAFE;
	*VEC_PUSH(&b->arena, &b->result.findings) = f;
	return f;
}

static void bench_edit(struct bench *b, struct finding *f, uint32_t start, uint32_t end,
		       const char *text)
{
	struct edit *edits = arena_array(&b->arena, f->fix->nr_edits + 1, sizeof(*edits));

	if (f->fix->nr_edits)
		memcpy(edits, f->fix->edits, f->fix->nr_edits * sizeof(*edits));
	edits[f->fix->nr_edits].span = (struct span){start, end};
	edits[f->fix->nr_edits].text = text;
	f->fix->edits = edits;
	f->fix->nr_edits++;
}

static void counts(const struct bench *b, size_t files, size_t added, size_t removed)
{
	ck_assert_uint_eq(b->result.plan.files_changed, files);
	ck_assert_uint_eq(b->result.plan.lines_added, added);
	ck_assert_uint_eq(b->result.plan.lines_removed, removed);
}

UNIT_TEST(plan_replaces_in_one_line)
{
	struct bench b;

	bench_open(&b, "a.py", "one\ntwo two\nthree\n");
	bench_edit(&b, bench_finding(&b, "PD1"), 4, 7, "TWO");
	bench_edit(&b, bench_finding(&b, "PD2"), 8, 11, "TWO");
	plan_build(&b.result, &b.arena);
	counts(&b, 1, 1, 1);
	ck_assert_int_eq(b.source->rank, 0);
	ck_assert_int_eq(b.source->treatment, TREAT_SECOND);
	bench_close(&b);
}

UNIT_TEST(plan_counts_an_inserted_line_as_added_only)
{
	struct bench b;

	bench_open(&b, "a.py", "one\ntwo\n");
	bench_edit(&b, bench_finding(&b, "PD1"), 4, 4, "x\ny\n");
	plan_build(&b.result, &b.arena);
	counts(&b, 1, 2, 0);
	bench_close(&b);
}

UNIT_TEST(plan_counts_deleted_lines)
{
	struct bench b;

	bench_open(&b, "a.py", "one\ntwo\nthree");
	bench_edit(&b, bench_finding(&b, "PD1"), 4, 8, NULL);
	plan_build(&b.result, &b.arena);
	counts(&b, 1, 0, 1);
	bench_close(&b);
}

UNIT_TEST(plan_counts_at_the_end_without_line_end)
{
	struct bench b;

	bench_open(&b, "a.py", "one\ntwo");
	bench_edit(&b, bench_finding(&b, "PD1"), 7, 7, "\nthree\n");
	plan_build(&b.result, &b.arena);
	counts(&b, 1, 2, 1);
	bench_close(&b);
}

UNIT_TEST(plan_counts_edits_far_apart_and_unchanged_text)
{
	struct bench b;

	bench_open(&b, "a.py", "a\nb\nc\nd\n");
	bench_edit(&b, bench_finding(&b, "PD1"), 0, 1, "A");
	bench_edit(&b, bench_finding(&b, "PD2"), 4, 5, "c");
	bench_edit(&b, bench_finding(&b, "PD3"), 6, 7, "D");
	plan_build(&b.result, &b.arena);
	counts(&b, 1, 2, 2);
	bench_close(&b);
}

UNIT_TEST(plan_merges_identical_edits)
{
	struct bench b;
	struct finding *one, *two;

	bench_open(&b, "a.py", "one\ntwo\n");
	one = bench_finding(&b, "PD1");
	bench_edit(&b, one, 0, 0, "import x\n");
	bench_edit(&b, one, 0, 3, "ONE");
	two = bench_finding(&b, "PD2");
	bench_edit(&b, two, 0, 0, "import x\n");
	bench_edit(&b, two, 4, 7, "TWO");
	plan_build(&b.result, &b.arena);
	counts(&b, 1, 3, 2);
	ck_assert_ptr_null(one->reason_not_applied);
	ck_assert_ptr_null(two->reason_not_applied);
	bench_close(&b);
}

UNIT_TEST(plan_drops_the_whole_later_finding)
{
	struct bench b;
	struct finding *later;

	bench_open(&b, "a.py", "one two\nthree\n");
	bench_edit(&b, bench_finding(&b, "PD1"), 0, 7, "x");
	later = bench_finding(&b, "PD2");
	bench_edit(&b, later, 4, 7, "y");
	bench_edit(&b, later, 8, 13, "z");
	plan_build(&b.result, &b.arena);
	counts(&b, 1, 1, 1);
	ck_assert_str_eq(later->reason_not_applied, "overlaps the edit of PD1 at line 7");
	bench_close(&b);
}

UNIT_TEST(plan_lets_an_insertion_touch_a_replacement)
{
	struct bench b;
	struct finding *inside;

	bench_open(&b, "a.py", "one two\n");
	bench_edit(&b, bench_finding(&b, "PD1"), 4, 7, "TWO");
	bench_edit(&b, bench_finding(&b, "PD2"), 4, 4, "(");
	bench_edit(&b, bench_finding(&b, "PD3"), 7, 7, ")");
	inside = bench_finding(&b, "PD4");
	bench_edit(&b, inside, 5, 5, "!");
	plan_build(&b.result, &b.arena);
	counts(&b, 1, 1, 1);
	ck_assert_ptr_nonnull(inside->reason_not_applied);
	ck_assert_ptr_null(b.result.findings.v[2]->reason_not_applied);
	bench_close(&b);
}

UNIT_TEST(plan_refuses_edits_that_overlap_each_other)
{
	struct bench b;
	struct finding *f;

	bench_open(&b, "a.py", "one two\n");
	f = bench_finding(&b, "PD1");
	bench_edit(&b, f, 0, 5, "x");
	bench_edit(&b, f, 4, 7, "y");
	plan_build(&b.result, &b.arena);
	counts(&b, 0, 0, 0);
	ck_assert_str_eq(f->reason_not_applied, "its own edits overlap");
	bench_close(&b);
}

/* A file of no layer that is no code stays; Python of no layer has the finding for evidence. */
UNIT_TEST(plan_takes_python_of_no_layer)
{
	static const struct {
		enum lang lang;
		size_t files;
	} rows[] = {{LANG_PYTHON, 1}, {LANG_CFG, 0}, {LANG_TOML, 0}};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct bench b;

		bench_open(&b, "a.py", "one\n");
		bench_edit(&b, bench_finding(&b, "PD1"), 0, 3, "x");
		b.source->layer = LAYER_OTHER;
		b.source->lang = rows[i].lang;
		plan_build(&b.result, &b.arena);
		ck_assert_uint_eq(b.result.plan.files_changed, rows[i].files);
		bench_close(&b);
	}
}

UNIT_TEST(plan_takes_safe_open_edits_of_the_product_only)
{
	static const struct {
		enum safety safety;
		enum state state;
		enum layer layer;
		unsigned roles;
	} rows[] = {
		{SAFETY_UNSAFE, STATE_OPEN, LAYER_GLUE, 0},
		{SAFETY_MANUAL, STATE_OPEN, LAYER_GLUE, 0},
		{SAFETY_SAFE, STATE_SUPPRESSED, LAYER_GLUE, 0},
		{SAFETY_SAFE, STATE_OPEN, LAYER_KERNEL, 0},
		{SAFETY_SAFE, STATE_OPEN, LAYER_GLUE, ROLE_VENDORED},
		{SAFETY_SAFE, STATE_OPEN, LAYER_GLUE, ROLE_TEST},
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct bench b;
		struct finding *f;

		bench_open(&b, "a.py", "one\n");
		f = bench_finding(&b, "PD1");
		bench_edit(&b, f, 0, 3, "x");
		f->fix->safety = rows[i].safety;
		f->state = rows[i].state;
		b.source->layer = rows[i].layer;
		b.source->roles = rows[i].roles;
		plan_build(&b.result, &b.arena);
		counts(&b, 0, 0, 0);
		ck_assert_ptr_nonnull(f->reason_not_applied);
		ck_assert_int_eq(b.source->rank, -1);
		bench_close(&b);
	}
}

UNIT_TEST(plan_creates_a_file_once)
{
	struct bench b;
	struct finding *other;
	int i;

	bench_open(&b, "a.py", "one\n");
	for (i = 0; i < 3; i++) {
		struct finding *f = bench_finding(&b, "PD1");

		bench_edit(&b, f, 0, 0, i == 2 ? "other\n" : "x\ny\n");
		f->fix->edits->path = "shim.h";
		f->fix->edits->create = true;
	}
	other = b.result.findings.v[2];
	plan_build(&b.result, &b.arena);
	counts(&b, 0, 2, 0);
	ck_assert_uint_eq(b.result.plan.files_created.nr, 1);
	ck_assert_ptr_nonnull(other->reason_not_applied);
	bench_close(&b);
}

UNIT_TEST(plan_says_when_a_file_changed)
{
	struct bench b;

	bench_open(&b, "a.py", "one\n");
	b.source->hash++;
	bench_edit(&b, bench_finding(&b, "PD1"), 0, 3, "x");
	plan_build(&b.result, &b.arena);
	ck_assert_uint_eq(b.result.notices.nr, 1);
	bench_close(&b);
}

UNIT_TEST(plan_survives_many_findings)
{
	struct bench b;
	uint32_t i;
	char *text;

	bench_open(&b, "a.py", "");
	text = arena_alloc(&b.arena, 40001);
	memset(text, 'x', 40000);
	b.source->size = 40000;
	b.source->hash = hash_bytes(text, 40000);
	for (i = 0; i < 20000; i++)
		bench_edit(&b, bench_finding(&b, "PD1"), 2 * i, 2 * i + 1, "y");
	plan_build(&b.result, &b.arena);
	ck_assert_uint_eq(b.result.plan.files_changed, 1);
	bench_close(&b);
}
