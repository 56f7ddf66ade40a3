/* plan_request.c - what the plan takes on request, by path, and what its edits require. */
#include "unit.h"

#include <string.h>

#include "plan/plan.h"

/* One file that is never read, and findings in it. */
struct desk {
	struct arena arena;
	struct repo repo;
	struct result result;
	struct source source, *files[1];
};

static void desk_open(struct desk *d)
{
	memset(d, 0, sizeof(*d));
	d->source = (struct source){.path = "a/b.py", .layer = LAYER_GLUE, .rank = -1, .size = 100};
	d->files[0] = &d->source;
	d->repo = (struct repo){.dirfd = -1, .files = d->files, .nr_files = 1};
	d->result.repo = &d->repo;
}

static struct finding *desk_finding(struct desk *d, const char *rule, uint32_t at)
{
	struct finding *f = ARENA_NEW(&d->arena, struct finding);

	f->rule = rule;
	f->source = &d->source;
	f->level = LEVEL_CHANGE;
	f->fix = ARENA_NEW(&d->arena, struct fix);
	f->fix->safety = SAFETY_SAFE;
	f->fix->edits = ARENA_NEW(&d->arena, struct edit);
	f->fix->edits->span = (struct span){at, at + 1};
	f->fix->nr_edits = 1;
	*VEC_PUSH(&d->arena, &d->result.findings) = f;
	return f;
}

static const char *planned(struct desk *d, struct finding *f)
{
	plan_build(&d->result, &d->arena);
	return f->reason_not_applied;
}

UNIT_TEST(plan_edits_only_below_the_paths)
{
	struct desk d;
	struct finding *f;

	desk_open(&d);
	f = desk_finding(&d, "PD1", 1);
	strings_add(&d.result.plan_options.paths, &d.arena, "a/b");
	ck_assert_str_eq(planned(&d, f), "a/b.py is outside of --path");
	f->reason_not_applied = NULL;
	strings_add(&d.result.plan_options.paths, &d.arena, "a");
	ck_assert_ptr_null(planned(&d, f));
	arena_free(&d.arena);
}

UNIT_TEST(plan_keeps_rows_when_asked)
{
	struct desk d;
	struct finding *rows, *other;

	desk_open(&d);
	rows = desk_finding(&d, "PD1", 1);
	other = desk_finding(&d, "PD2", 5);
	rows->fix->rows = true;
	d.result.plan_options.keep_rows = true;
	ck_assert_str_eq(planned(&d, rows), "dependency rows are kept");
	ck_assert_ptr_null(other->reason_not_applied);
	arena_free(&d.arena);
}

UNIT_TEST(plan_takes_what_holds_for_all_targets)
{
	struct desk d;
	struct finding *f;

	desk_open(&d);
	f = desk_finding(&d, "PD1", 1);
	f->fix->not_all = true;
	ck_assert_str_eq(planned(&d, f), "not for all of the targets");
	arena_free(&d.arena);
}

UNIT_TEST(plan_takes_a_requested_edit_off_the_lists)
{
	struct desk d;
	struct finding *f;

	desk_open(&d);
	d.source.layer = LAYER_KERNEL;
	f = desk_finding(&d, "PD1", 1);
	ck_assert_str_eq(planned(&d, f), "the file is on the leave list");
	f->reason_not_applied = NULL;
	f->fix->requested = true;
	ck_assert_ptr_null(planned(&d, f));
	arena_free(&d.arena);
}

UNIT_TEST(plan_requires_the_greatest_least_version)
{
	struct desk d;

	desk_open(&d);
	desk_finding(&d, "PD3", 1)->fix->since = "3.3";
	desk_finding(&d, "PD2", 5)->fix->since = "3.10";
	desk_finding(&d, "PD1", 9)->fix->since = "3.10";
	desk_finding(&d, "PD4", 13);
	plan_build(&d.result, &d.arena);
	ck_assert_str_eq(d.result.requires, "3.10");
	ck_assert_uint_eq(d.result.requires_because.nr, 2);
	ck_assert_str_eq(d.result.requires_because.v[0], "PD1");
	ck_assert_str_eq(d.result.requires_because.v[1], "PD2");
	arena_free(&d.arena);
}

UNIT_TEST(plan_requires_nothing_for_what_is_left)
{
	struct desk d;

	desk_open(&d);
	desk_finding(&d, "PD3", 1)->fix->since = "3.3";
	d.result.findings.v[0]->fix->safety = SAFETY_UNSAFE;
	plan_build(&d.result, &d.arena);
	ck_assert_ptr_null(d.result.requires);
	arena_free(&d.arena);
}
