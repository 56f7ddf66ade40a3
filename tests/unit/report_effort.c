/* report_effort.c - hunks are counted by neighbouring lines. */
#include "unit.h"

#include <string.h>

#include "report/internal.h"

struct bench {
	struct arena arena;
	struct result result;
	struct source a, b;
	struct edit edit;
};

static struct finding *add(struct bench *b, struct source *s, uint32_t line, enum level level,
			   bool patched)
{
	struct finding *f = ARENA_NEW(&b->arena, struct finding);

	f->rule = "PD501";
	f->source = s;
	f->level = level;
	f->line = f->end_line = line;
	if (patched) {
		f->fix = ARENA_NEW(&b->arena, struct fix);
		f->fix->safety = SAFETY_SAFE;
		f->fix->edits = &b->edit;
		f->fix->nr_edits = 1;
	}
	*VEC_PUSH(&b->arena, &b->result.findings) = f;
	return f;
}

UNIT_TEST(hunks_by_lines)
{
	struct bench b = {.a = {.path = "a.py"}, .b = {.path = "b.py"}};
	const struct effort *e;

	add(&b, &b.a, 3, LEVEL_CHANGE, true);
	add(&b, &b.a, 3, LEVEL_CHANGE, true);
	add(&b, &b.a, 4, LEVEL_CHANGE, true);
	add(&b, &b.a, 6, LEVEL_CHANGE, true);
	add(&b, &b.a, 7, LEVEL_CHANGE, false);
	add(&b, &b.a, 8, LEVEL_CHECK, false);
	add(&b, &b.b, 4, LEVEL_CHANGE, true);
	add(&b, &b.b, 5, LEVEL_BLOCKED, false);
	add(&b, &b.b, 90, LEVEL_CHANGE, false)->state = STATE_SUPPRESSED;
	e = effort_make(&b.result, &b.arena);
	ck_assert_uint_eq(e->nr, 2);
	ck_assert_uint_eq(e->files[0].counts.mechanical, 2);
	ck_assert_uint_eq(e->files[0].counts.person, 1);
	ck_assert_uint_eq(e->files[1].counts.mechanical, 1);
	ck_assert_uint_eq(e->files[1].counts.blocked, 1);
	ck_assert_uint_eq(e->all.mechanical, 3);
	ck_assert_uint_eq(e->all.person, 1);
	arena_free(&b.arena);
}
