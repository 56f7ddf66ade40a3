/* report_drafts.c - which gaps get a draft. */
#include "unit.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/drafts.h"

struct bench {
	struct arena arena;
	struct repo repo;
	struct vocab vocab;
	struct target target;
	struct result result;
	struct source files[2];
	struct fact fact;
	char dir[64];
};

static void bench_open(struct bench *b)
{
	static const char *const roots[] = {"torch", NULL}, *const own[] = {"paddle", NULL};
	static const char *const calls[] = {"paddle.on", NULL};

	memset(b, 0, sizeof(*b));
	b->vocab = (struct vocab){.roots = roots, .target_roots = own, .switch_calls = calls,
				  .package = "paddlepaddle", .upstream = "torch"};
	b->target = (struct target){"3.3.1", "cpu", "shipped"};
	b->repo.name = b->repo.root = "some";
	b->result = (struct result){.repo = &b->repo, .vocab = &b->vocab, .targets = &b->target,
				    .nr_targets = 1};
	b->files[0].path = "a.py";
	b->files[1].path = "b.py";
	b->fact = (struct fact){.verdict = VERDICT_GAP, .missing = "torch.x.y", .row = "d/names:torch.x.y"};
	snprintf(b->dir, sizeof(b->dir), "%s/drafts-XXXXXX", P_tmpdir);
	ck_assert_ptr_nonnull(mkdtemp(b->dir));
}

static struct finding *bench_finding(struct bench *b, int file)
{
	struct finding *f = ARENA_NEW(&b->arena, struct finding);

	f->source = &b->files[file];
	f->fact = &b->fact;
	f->rule = "PD400";
	f->message = "it is not there";
	f->level = LEVEL_CHANGE;
	*VEC_PUSH(&b->arena, &b->result.findings) = f;
	return f;
}

static void bench_fix(struct bench *b, struct finding *f, const char *text, bool forks)
{
	f->fix = ARENA_NEW(&b->arena, struct fix);
	f->fix->safety = SAFETY_SAFE;
	f->fix->forks = forks;
	f->fix->edits = ARENA_NEW(&b->arena, struct edit);
	f->fix->edits->text = text;
	f->fix->nr_edits = 1;
}

/* How many drafts there are; they are removed again. */
static size_t drafts_of(struct bench *b)
{
	struct assets assets = {0};
	struct drafts d;
	struct err err;
	size_t nr;

	ck_assert_int_eq(drafts_open(&d, &b->result, b->dir, &err), 0);
	ck_assert_int_eq(drafts_write(&d, &b->result, &assets, &b->arena, &err), 0);
	nr = d.names.nr;
	drafts_undo(&d);
	return nr;
}

static void bench_close(struct bench *b)
{
	ck_assert_int_eq(rmdir(b->dir), 0);
	arena_free(&b->arena);
}

UNIT_TEST(drafts_of_what_is_blocked)
{
	struct bench b;

	bench_open(&b);
	bench_finding(&b, 0);
	ck_assert_uint_eq(drafts_of(&b), 0);
	b.result.findings.v[0]->level = LEVEL_BLOCKED;
	ck_assert_uint_eq(drafts_of(&b), 1);
	b.fact.missing = "torch.x._y";
	ck_assert_uint_eq(drafts_of(&b), 0);
	b.fact.missing = "torch._x.y";
	ck_assert_uint_eq(drafts_of(&b), 0);
	b.fact.missing = "torch.X#ctx.y";
	ck_assert_uint_eq(drafts_of(&b), 0);
	b.result.findings.v[0]->reproducer = "torch.X.y\n";
	ck_assert_uint_eq(drafts_of(&b), 1);
	b.result.findings.v[0]->state = STATE_SUPPRESSED;
	ck_assert_uint_eq(drafts_of(&b), 0);
	bench_close(&b);
}

UNIT_TEST(drafts_of_more_than_one_file)
{
	struct bench b;

	bench_open(&b);
	bench_finding(&b, 0);
	bench_finding(&b, 0);
	ck_assert_uint_eq(drafts_of(&b), 0);
	bench_finding(&b, 1);
	ck_assert_uint_eq(drafts_of(&b), 1);
	b.files[1].roles = ROLE_TEST;
	ck_assert_uint_eq(drafts_of(&b), 0);
	bench_close(&b);
}

UNIT_TEST(drafts_of_what_a_fix_needs)
{
	struct bench b;
	struct finding *f;

	bench_open(&b);
	f = bench_finding(&b, 0);
	bench_fix(&b, f, "paddle.x.y(_z)", false);
	ck_assert_uint_eq(drafts_of(&b), 0);
	bench_fix(&b, f, "f(paddle.x._y)", false);
	ck_assert_uint_eq(drafts_of(&b), 1);
	f->reason_not_applied = "overlaps";
	ck_assert_uint_eq(drafts_of(&b), 0);
	f->reason_not_applied = NULL;
	bench_fix(&b, f, "x", true);
	ck_assert_uint_eq(drafts_of(&b), 1);
	bench_close(&b);
}
