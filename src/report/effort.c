/*
 * effort.c - how much is to be done: hunks that the patch makes, hunks for a person, and what is blocked.
 *
 * In: located findings in order. A hunk is a run of findings on the same or neighbouring lines of a
 * file, so that an expression with three findings is one piece of work. Open findings that ask for
 * a change count, in the product and beside it.
 */
#include "report/internal.h"

enum kind { KIND_MECHANICAL, KIND_PERSON, KIND_BLOCKED, KIND_NR };

static enum kind finding_kind(const struct finding *f)
{
	if (f->state != STATE_OPEN || f->level == LEVEL_NOTE || f->level == LEVEL_CHECK)
		return KIND_NR;
	if (f->level == LEVEL_BLOCKED)
		return KIND_BLOCKED;
	return finding_patched(f) ? KIND_MECHANICAL : KIND_PERSON;
}

static size_t *count_of(struct effort_counts *c, enum kind kind)
{
	return kind == KIND_MECHANICAL ? &c->mechanical
				       : kind == KIND_PERSON ? &c->person : &c->blocked;
}

const struct effort *effort_make(const struct result *r, struct arena *a)
{
	struct effort *e = ARENA_NEW(a, struct effort);
	VEC(struct effort_file) files = {0};
	uint32_t last[KIND_NR] = {0};
	size_t i;

	for (i = 0; i < r->findings.nr; i++) {
		const struct finding *f = r->findings.v[i];
		enum kind kind = finding_kind(f);

		if (kind == KIND_NR)
			continue;
		if (!files.nr || files.v[files.nr - 1].source != f->source) {
			VEC_PUSH(a, &files)->source = f->source;
			memset(last, 0, sizeof(last));
		}
		if (!last[kind] || f->line > last[kind] + 1) {
			++*count_of(&files.v[files.nr - 1].counts, kind);
			++*count_of(&e->all, kind);
		}
		last[kind] = f->end_line > f->line ? f->end_line : f->line;
	}
	e->files = files.v;
	e->nr = files.nr;
	return e;
}
