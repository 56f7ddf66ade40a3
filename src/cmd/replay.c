/*
 * replay.c - `report --fork --onto`: the fork's hunks on a newer revision, as a series of patches.
 *
 *	0001-patch.patch   what `patch` writes there, but for places where the fork has its own form
 *	0002-fork.patch    hunks of the fork that apply, on top
 *	0003-noise.patch   those of no framework, on top
 */
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/fork.h"
#include "cmd/output.h"
#include "patch/patch.h"
#include "py/py.h"

/* Findings are taken out of the patch in rounds; each round takes at least one. */
#define ROUNDS_MAX 64
#define SERIES_NR  3

static const char own_form[] = "the fork has its own form here";

static const char *const series_names[SERIES_NR] = {"patch", "fork", "noise"};

struct replay {
	struct audit *a;
	struct patch *patch;
	struct fork_onto *onto; /* as the fork's files */
	struct patch series[SERIES_NR];
};

static const struct history_file *file_find(const struct history_files *all, const char *path)
{
	size_t lo = 0, hi = all->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int c = strcmp(all->v[mid].path, path);

		if (!c)
			return &all->v[mid];
		if (c < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

static const struct patch_file *patched_find(const struct patch *p, const char *path)
{
	size_t i;

	for (i = 0; i < p->nr_files; i++)
		if (!strcmp(p->files[i].path, path))
			return &p->files[i];
	return NULL;
}

/* ---- the newer texts ---------------------------------------------------------------------------- */

static int onto_read(struct replay *r, struct err *err)
{
	struct audit *a = r->a;
	struct fork *f = &a->fork;
	const char *text;
	size_t i, len;

	r->onto = arena_array(f->arena, f->files.nr + 1, sizeof(*r->onto));
	for (i = 0; i < f->files.nr; i++) {
		const char *path = f->files.v[i].path;
		struct fork_onto *o = &r->onto[i];

		if (text_read(a, &a->onto, file_find(&a->onto.files, path), &text, &len,
			      &o->opaque, err))
			return -1;
		o->there = text || o->opaque;
		o->source = repo_find(f->onto->repo, path);
		line_text_init(&o->text, f->arena, text ? text : "", text ? len : 0);
		o->patched = o->text;
	}
	return 0;
}

static void fates_find(struct replay *r)
{
	struct fork *f = &r->a->fork;
	size_t i;

	for (i = 0; i < f->files.nr; i++) {
		const struct patch_file *p = patched_find(r->patch, f->files.v[i].path);
		struct fork_onto *o = &r->onto[i];

		o->patched = o->text;
		if (p && o->there && !o->opaque)
			line_text_init(&o->patched, f->arena, p->new, p->new_len);
		fork_replay(f, &f->files.v[i], o);
	}
}

/* ---- places of both ----------------------------------------------------------------------------- */

/* The edit falls on lines of a hunk of that fate. */
static bool edit_meets(const struct replay *r, const char *path, struct span s, enum fork_fate fate)
{
	const struct fork *f = &r->a->fork;
	size_t i, k;

	for (i = 0; i < f->files.nr; i++) {
		const struct line_text *t = &r->onto[i].text;

		if (strcmp(f->files.v[i].path, path) || !r->onto[i].there || r->onto[i].opaque)
			continue;
		for (k = 0; k < f->files.v[i].nr; k++) {
			const struct fork_hunk *h = &f->files.v[i].hunks[k];
			size_t end = h->onto.old + h->onto.old_nr;

			if (h->fate == fate && h->class != FORK_NOISE && end <= t->nr &&
			    s.start <= t->start[end] && s.end >= t->start[h->onto.old] &&
			    (s.start < t->start[end] || s.start == s.end))
				return true;
		}
	}
	return false;
}

static bool finding_meets(const struct replay *r, const struct finding *x, enum fork_fate fate)
{
	size_t i;

	for (i = 0; i < x->fix->nr_edits; i++) {
		const struct edit *e = &x->fix->edits[i];

		if (!e->create && edit_meets(r, e->path ? e->path : x->source->path, e->span, fate))
			return true;
	}
	return false;
}

static bool findings_have(const struct findings *all, const char *fingerprint)
{
	size_t i;

	for (i = 0; i < all->nr; i++)
		if (!strcmp(all->v[i]->fingerprint, fingerprint))
			return true;
	return false;
}

/* The base has the finding and the fork has not: it was mended, maybe in another place. */
static bool finding_mended(const struct replay *r, const struct finding *x)
{
	const struct fork *f = &r->a->fork;

	return findings_have(&f->base->findings, x->fingerprint) &&
	       !findings_have(&f->fork->findings, x->fingerprint) &&
	       !finding_meets(r, x, FATE_REGENERATED);
}

/* Take out what the fork has in a form of its own; whether there was any. */
static bool findings_bar(struct replay *r)
{
	const struct findings *all = &r->a->fork.onto->findings;
	bool any = false;
	size_t i;

	for (i = 0; i < all->nr; i++)
		if (patch_takes(all->v[i]) && (finding_meets(r, all->v[i], FATE_APPLIES) ||
					       finding_mended(r, all->v[i]))) {
			all->v[i]->reason_not_applied = own_form;
			any = true;
		}
	return any;
}

static int patch_settle(struct replay *r, struct result *result, struct err *err)
{
	struct patch_options o = {.markers = MARKERS_FULL, .shape = py_shape};
	int i;

	if (patch_make(r->a->c, result, &r->patch, err))
		return -1;
	fates_find(r);
	for (i = 0; i < ROUNDS_MAX && findings_bar(r); i++) {
		if (patch_build(&r->patch, result, &o, r->a->fork.arena, err))
			return -1;
		fates_find(r);
	}
	return 0;
}

/* ---- the series --------------------------------------------------------------------------------- */

static void change_set(struct patch_change *out, const struct line_change *c,
		       const struct line_text *old, const struct line_text *new)
{
	*out = (struct patch_change){
		.old = c->old,
		.old_nr = c->old_nr,
		.new = c->new,
		.new_nr = c->new_nr,
		.old_bytes = {old->start[c->old], old->start[c->old + c->old_nr]},
		.new_bytes = {new->start[c->new], new->start[c->new + c->new_nr]},
	};
}

/* A file of a patch: from one text to the next one; made where there was none. */
static void series_add(struct replay *r, int step, const struct fork_file *file, bool made,
		       const struct line_text *old, const struct line_text *new)
{
	static const struct source there;
	struct arena *arena = r->a->fork.arena;
	struct patch_file *p;
	struct line_changes c;
	size_t i;

	line_diff(&c, arena, old, new);
	if (!c.nr && !made)
		return;
	p = &r->series[step].files[r->series[step].nr_files++];
	*p = (struct patch_file){.path = file->path, .source = made ? NULL : &there};
	p->mode = file->mode & 0111 ? 0755 : 0644;
	p->old = old->text;
	p->old_len = old->len;
	p->new = new->text;
	p->new_len = new->len;
	p->nr_changes = c.nr;
	p->changes = arena_array(arena, c.nr + 1, sizeof(*p->changes));
	for (i = 0; i < c.nr; i++)
		change_set(&p->changes[i], &c.v[i], old, new);
}

static void file_carry(struct replay *r, struct fork_file *file, const struct fork_onto *o)
{
	struct fork *f = &r->a->fork;
	struct line_text with, all;
	const char *text;
	size_t len;

	if (file->opaque || o->opaque || !file->in_fork)
		return;
	if (!file->in_base) {
		int step = file->nr && file->hunks[0].class == FORK_NOISE ? 2 : 1;

		if (file->nr ? file->hunks[0].fate == FATE_APPLIES : !o->there)
			series_add(r, step, file, true, &file->old, &file->new);
		return;
	}
	text = fork_apply(f, file, o, false, &len);
	line_text_init(&with, f->arena, text, len);
	text = fork_apply(f, file, o, true, &len);
	line_text_init(&all, f->arena, text, len);
	series_add(r, 1, file, false, &o->patched, &with);
	series_add(r, 2, file, false, &with, &all);
}

static void series_make(struct replay *r)
{
	struct fork *f = &r->a->fork;
	size_t i;

	r->series[0] = *r->patch;
	for (i = 1; i < SERIES_NR; i++)
		r->series[i].files =
			arena_array(f->arena, f->files.nr + 1, sizeof(*r->series[i].files));
	for (i = 0; i < f->files.nr; i++)
		file_carry(r, &f->files.v[i], &r->onto[i]);
}

/* Removals of a step, as the diff backwards of a file that is made. */
static void removals_put(struct replay *r, int step, struct strbuf *out)
{
	struct fork *f = &r->a->fork;
	struct patch one = {.nr_files = 1};
	size_t i;

	for (i = 0; i < f->files.nr; i++) {
		const struct fork_file *file = &f->files.v[i];
		struct line_change c = {.new_nr = file->old.nr};
		struct patch_change change;
		struct patch_file p = {.path = file->path, .changes = &change};

		if (file->in_fork || !file->nr || file->hunks[0].fate != FATE_APPLIES ||
		    (file->hunks[0].class == FORK_NOISE) != (step == 2))
			continue;
		change_set(&change, &c, &file->new, &file->old);
		p.mode = file->mode & 0111 ? 0755 : 0644;
		p.old = "";
		p.new = file->old.text;
		p.new_len = file->old.len;
		p.nr_changes = 1;
		one.files = &p;
		patch_diff(out, &one, true);
	}
}

/* ---- the folder --------------------------------------------------------------------------------- */

static int folder_check(const char *dir, struct err *err)
{
	struct dirent *e;
	DIR *d;
	int nr = 0;

	if (mkdir(dir, 0777) && errno != EEXIST)
		return err_errno(err, "cannot make the folder '%s'", dir);
	d = opendir(dir);
	if (!d)
		return err_errno(err, "cannot open the folder '%s'", dir);
	while ((e = readdir(d)))
		nr += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
	closedir(d);
	return nr ? err_set(err, "the folder '%s' is not empty", dir) : 0;
}

static int series_write(struct replay *r, const char *dir, struct err *err)
{
	struct arena *arena = r->a->fork.arena;
	struct output out[SERIES_NR];
	size_t nr = 0, i;
	int ret;

	if (folder_check(dir, err))
		return -1;
	for (i = 0; i < SERIES_NR; i++) {
		struct output *o = &out[nr];

		*o = (struct output){.text = STRBUF_INIT};
		patch_diff(&o->text, &r->series[i], false);
		if (i)
			removals_put(r, (int)i, &o->text);
		if (!o->text.len) {
			strbuf_release(&o->text);
			continue;
		}
		o->path = arena_fmt(arena, "%s/%04zu-%s.patch", dir, ++nr, series_names[i]);
	}
	ret = outputs_write(out, nr, arena, err);
	for (i = 0; i < nr; i++)
		strbuf_release(&out[i].text);
	return ret;
}

static void unpatched_count(struct audit *a)
{
	size_t i;

	for (i = 0; i < a->fork.fresh.nr; i++)
		a->unpatched += a->fork.fresh.v[i]->level >= LEVEL_CHANGE &&
				a->fork.fresh.v[i]->reason_not_applied != own_form &&
				!patch_takes(a->fork.fresh.v[i]);
}

int replay_make(struct audit *a, struct err *err)
{
	struct replay r = {.a = a};

	if (tree_open(a, &a->onto, a->c->o.onto, err))
		return -1;
	a->fork.onto_rev = a->c->o.onto;
	a->fork.onto = run_result(a->onto.run);
	if (onto_read(&r, err) || patch_settle(&r, run_result(a->onto.run), err))
		return -1;
	series_make(&r);
	fork_settle(&a->fork);
	unpatched_count(a);
	return a->c->o.output ? series_write(&r, a->c->o.output, err) : 0;
}
