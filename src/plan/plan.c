/*
 * plan.c - see plan.h.
 *
 * In: findings in total order, their fixes with edits. Out: reason_not_applied of the findings
 * whose edits are not in the plan, result->plan, and a place in the change-first list for every
 * file that is edited. Findings are taken one by one; what is accepted stays in one array in order
 * of path, start, end and rule id, and a finding that does not fit beside it loses all of its
 * edits.
 */
#include "plan/plan.h"

#include <string.h>

#include "base/path.h"
#include "plan/internal.h"

#define FOREIGN     (ROLE_VENDORED | ROLE_SUBMODULE)

struct planner {
	struct result *result;
	struct arena *arena;
	struct plan_edits accepted;
};

/* Both lists have ranks; this is the one of files to change. */
static bool source_listed(const struct source *s)
{
	return s->rank >= 0 && (s->treatment == TREAT_FIRST || s->treatment == TREAT_SECOND);
}

static const char *edit_path(const struct finding *f, const struct edit *e)
{
	return e->path ? e->path : f->source->path;
}

static bool span_empty(struct span s)
{
	return s.start == s.end;
}

static bool edit_same(const struct edit *a, const struct edit *b)
{
	return a->create == b->create && a->span.start == b->span.start &&
	       a->span.end == b->span.end && !strcmp(edit_text(a), edit_text(b));
}

/* Whether two edits of one file cannot both be made. Insertions stand together, at span edges too.
 */
static bool edit_clash(const struct edit *a, const struct edit *b)
{
	if (edit_same(a, b))
		return false;
	if (a->create || b->create)
		return true;
	if (span_empty(a->span))
		return a->span.start > b->span.start && a->span.start < b->span.end;
	if (span_empty(b->span))
		return b->span.start > a->span.start && b->span.start < a->span.end;
	return a->span.start < b->span.end && b->span.start < a->span.end;
}

/* Index of the first accepted edit that is not before (path, start). */
static size_t accepted_lower(const struct plan_edits *acc, const char *path, uint32_t start)
{
	size_t lo = 0, hi = acc->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int c = strcmp(acc->v[mid].path, path);

		if (c < 0 || (!c && acc->v[mid].edit->span.start < start))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* The accepted edit that `e` clashes with, NULL when it fits. *same: it is there already. */
static const struct plan_edit *accepted_clash(const struct plan_edits *acc, const char *path,
					      const struct edit *e, bool *same)
{
	size_t i = accepted_lower(acc, path, e->create ? 0 : e->span.start);

	*same = false;
	/* Accepted edits do not overlap, so of those that start earlier only the last can reach
	 * here. */
	if (i && !strcmp(acc->v[i - 1].path, path) && edit_clash(acc->v[i - 1].edit, e))
		return &acc->v[i - 1];
	for (; i < acc->nr && !strcmp(acc->v[i].path, path); i++) {
		if (!e->create && acc->v[i].edit->span.start > e->span.end)
			break;
		if (edit_clash(acc->v[i].edit, e))
			return &acc->v[i];
		*same |= edit_same(acc->v[i].edit, e);
	}
	return NULL;
}

static void accepted_add(struct planner *p, const struct finding *f, const struct edit *e)
{
	struct plan_edits *acc = &p->accepted;
	struct plan_edit new = {edit_path(f, e), e, f};
	size_t i = accepted_lower(acc, new.path, e->span.start);

	while (i < acc->nr && !strcmp(acc->v[i].path, new.path) &&
	       acc->v[i].edit->span.start == e->span.start &&
	       (acc->v[i].edit->span.end < e->span.end ||
		(acc->v[i].edit->span.end == e->span.end &&
		 strcmp(acc->v[i].finding->rule, f->rule) <= 0)))
		i++;
	(void)VEC_PUSH(p->arena, acc);
	memmove(&acc->v[i + 1], &acc->v[i], (acc->nr - 1 - i) * sizeof(*acc->v));
	acc->v[i] = new;
}

/* Why a finding's edits may not be made at all, NULL when they may. */
static const char *finding_barred(const struct planner *p, const struct finding *f)
{
	const struct source *s = f->source;

	if (f->state != STATE_OPEN)
		return f->state == STATE_SUPPRESSED ? "suppressed" : "in the baseline";
	if (f->level < LEVEL_CHANGE)
		return "only changes are made";
	if (f->fix->safety == SAFETY_UNSAFE)
		return "unsafe: made on request only";
	if (f->fix->safety != SAFETY_SAFE)
		return "left to a person";
	if (s->roles & FOREIGN)
		return "third-party code is not patched";
	/* Python of no layer is code all the same, and the finding is the evidence that it matters. */
	if (!f->fix->requested && (s->layer == LAYER_KERNEL ||
				   (s->layer == LAYER_OTHER && s->lang != LANG_PYTHON)))
		return "the file is on the leave list";
	if (f->fix->not_all)
		return "not for all of the targets";
	if (f->fix->rows && p->result->plan_options.keep_rows)
		return "dependency rows are kept";
	if (source_off_product(s) && !f->fix->anywhere)
		return "tests, examples and tools are patched on request only";
	return NULL;
}

/* Whether the path may be edited by --path. */
static bool path_wanted(const struct planner *p, const char *path)
{
	const struct strings *paths = &p->result->plan_options.paths;
	size_t i;

	for (i = 0; i < paths->nr; i++)
		if (path_under(path, paths->v[i]))
			return true;
	return !paths->nr;
}

/*
 * An accepted edit of the very call that the finding is about, where one of the two writes the call anew in
 * parts; NULL: none. Between the parts there is room for what stands inside the call, not for that.
 */
static const struct plan_edit *call_clash(const struct planner *p, const struct finding *f,
					  const char *path, const struct edit *e)
{
	const struct plan_edits *acc = &p->accepted;
	struct span at = f->fact ? f->fact->stmt : (struct span){0};
	size_t i;

	if (e->path || !f->fact)
		return NULL;
	for (i = accepted_lower(acc, path, at.start); i < acc->nr; i++) {
		const struct plan_edit *x = &acc->v[i];

		if (strcmp(x->path, path) || x->edit->span.start > at.end)
			break;
		if ((x->edit->part || e->part) && x->finding != f && x->finding->fact &&
		    x->finding->fact->stmt.start == at.start &&
		    x->finding->fact->stmt.end == at.end)
			return x;
	}
	return NULL;
}

/* Why one edit does not fit, NULL when it does. */
static const char *edit_barred(struct planner *p, const struct finding *f, const struct edit *e)
{
	const char *path = edit_path(f, e);
	const struct source *s = repo_find(p->result->repo, path);
	const struct plan_edit *clash;
	bool same;

	if (!path_wanted(p, path))
		return arena_fmt(p->arena, "%s is outside of --path", path);
	if (e->create && s)
		return arena_fmt(p->arena, "would create %s, which is there already", path);
	if (!e->create && (!s || e->span.start > e->span.end || e->span.end > s->size))
		return arena_fmt(p->arena, "its edit of %s is outside the file", path);
	clash = accepted_clash(&p->accepted, path, e, &same);
	if (!clash)
		clash = call_clash(p, f, path, e);
	if (!clash)
		return NULL;
	return arena_fmt(p->arena, "overlaps the edit of %s at line %u", clash->finding->rule,
			 (unsigned)clash->finding->line);
}

static const char *edits_barred(struct planner *p, const struct finding *f)
{
	const struct fix *fix = f->fix;
	const char *reason = NULL;
	size_t i, k;

	for (i = 0; i < fix->nr_edits && !reason; i++) {
		reason = edit_barred(p, f, &fix->edits[i]);
		for (k = 0; k < i && !reason; k++)
			if (!strcmp(edit_path(f, &fix->edits[i]), edit_path(f, &fix->edits[k])) &&
			    edit_clash(&fix->edits[i], &fix->edits[k]))
				reason = "its own edits overlap";
	}
	return reason;
}

/* The patched tree needs the least version that all edits are right on, and says for which rules. */
static void requires_raise(struct planner *p, const struct finding *f)
{
	struct result *r = p->result;
	struct strings *because = &r->requires_because;
	int c = f->fix->since && r->requires ? strverscmp(f->fix->since, r->requires) : 1;
	size_t i;

	if (!f->fix->since || c < 0)
		return;
	if (c > 0)
		because->nr = 0;
	r->requires = f->fix->since;
	if (strings_has(because, f->rule))
		return;
	strings_add(because, p->arena, f->rule);
	for (i = because->nr - 1; i && strcmp(because->v[i - 1], because->v[i]) > 0; i--) {
		const char *swap = because->v[i];

		because->v[i] = because->v[i - 1];
		because->v[i - 1] = swap;
	}
}

static void finding_plan(struct planner *p, struct finding *f)
{
	const struct fix *fix = f->fix;
	size_t i;
	bool same;

	if (!fix || f->reason_not_applied || fix->planned)
		return;
	f->fix->planned = true;
	f->reason_not_applied = fix->reason;
	if (fix->rests_on && !f->reason_not_applied) {
		finding_plan(p, fix->rests_on);
		if (fix->rests_on->reason_not_applied)
			f->reason_not_applied = arena_fmt(p->arena, "rests on what is not made: %s",
							  fix->rests_on->reason_not_applied);
	}
	if (!fix->nr_edits || f->reason_not_applied)
		return;
	f->reason_not_applied = finding_barred(p, f);
	if (!f->reason_not_applied)
		f->reason_not_applied = edits_barred(p, f);
	for (i = 0; i < fix->nr_edits && !f->reason_not_applied; i++) {
		accepted_clash(&p->accepted, edit_path(f, &fix->edits[i]), &fix->edits[i], &same);
		if (!same)
			accepted_add(p, f, &fix->edits[i]);
	}
	if (!f->reason_not_applied)
		requires_raise(p, f);
}

/* Edits fall only in files of the change-first list: a file that gets one goes to its end. */
static void list_promote(struct result *r, const char *path)
{
	struct source *s = repo_find(r->repo, path);
	int last = -1;
	size_t i;

	if (!s || source_listed(s))
		return;
	for (i = 0; i < r->repo->nr_files; i++)
		if (source_listed(r->repo->files[i]) && r->repo->files[i]->rank > last)
			last = r->repo->files[i]->rank;
	s->rank = last + 1;
	s->treatment = TREAT_SECOND;
}

static void plan_file(struct planner *p, const struct plan_edit *first, size_t nr)
{
	struct plan *plan = &p->result->plan;
	struct err err;

	if (first->edit->create) {
		strings_add(&plan->files_created, p->arena, first->path);
		plan->lines_added +=
			lines_in(edit_text(first->edit), strlen(edit_text(first->edit)));
		return;
	}
	plan->files_changed++;
	list_promote(p->result, first->path);
	if (plan_count(p->result->repo, first, nr, plan, &err))
		notice_add(&p->result->notices, p->arena, first->path, "plan", "%s", err.msg);
}

void plan_build(struct result *r, struct arena *a)
{
	struct planner p = {.result = r, .arena = a};
	size_t i, end;

	r->requires = NULL;
	r->requires_because.nr = 0;
	for (i = 0; i < r->findings.nr; i++)
		if (r->findings.v[i]->fix)
			r->findings.v[i]->fix->planned = false;
	for (i = 0; i < r->findings.nr; i++)
		finding_plan(&p, r->findings.v[i]);
	for (i = 0; i < p.accepted.nr; i = end) {
		for (end = i + 1; end < p.accepted.nr; end++)
			if (strcmp(p.accepted.v[end].path, p.accepted.v[i].path))
				break;
		plan_file(&p, &p.accepted.v[i], end - i);
	}
}
