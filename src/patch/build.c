/*
 * build.c - findings -> edits a file -> new bytes.
 *
 * In: findings whose edits the plan took. Edits are collected, put in order and made; where that
 * goes wrong (an overlap, a Python text that no longer parses) the last finding of the file is
 * taken back with all its edits, in other files too, and everything is collected again.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "patch/internal.h"

#define PATCH_FILE_MAX (64u << 20)

struct builder {
	struct result *result;
	const struct patch_options *o;
	struct arena *arena;
	VEC(struct work_file *) work;
	struct file_edits edits;
	struct patch *patch;
	struct strings noticed; /* files of which a notice has said that they are not written */
};

bool patch_takes(const struct finding *f)
{
	return f->state == STATE_OPEN && (f->level == LEVEL_CHANGE || f->level == LEVEL_EXPIRED) &&
	       f->fix && f->fix->nr_edits && !f->fix->reason && !f->reason_not_applied &&
	       f->fix->safety == SAFETY_SAFE && (!f->fix->rests_on || patch_takes(f->fix->rests_on));
}

static const char *edit_path(const struct finding *f, const struct edit *e)
{
	return e->path ? e->path : f->source->path;
}

/* ---- the files as they are ------------------------------------------------------------------- */

static int work_read(struct builder *b, struct work_file *w, struct err *err)
{
	int dirfd = b->result->repo->dirfd;
	struct fs_text text;
	struct stat st;
	off_t size;
	int fd;

	fd = fs_open_file(dirfd, w->path, &size, err);
	if (fd < 0)
		return err_context(err, "%s", w->path);
	w->linked = !fstat(fd, &st) && st.st_nlink > 1;
	close(fd);
	if (fs_read(dirfd, w->path, PATCH_FILE_MAX, &text, err))
		return err_context(err, "%s", w->path);
	if (text.len != w->source->size || hash_bytes(text.data, text.len) != w->source->hash) {
		fs_text_free(&text);
		return err_set(err, "%s has changed since it was analysed", w->path);
	}
	w->old = arena_strndup(b->arena, text.data, text.len);
	w->old_len = text.len;
	fs_text_free(&text);
	return 0;
}

static int work_find(struct builder *b, const char *path, struct work_file **out, struct err *err)
{
	struct work_file *w;
	size_t i;

	for (i = 0; i < b->work.nr; i++)
		if (!strcmp(b->work.v[i]->path, path)) {
			*out = b->work.v[i];
			return 0;
		}
	w = ARENA_NEW(b->arena, struct work_file);
	w->path = path;
	w->source = repo_find(b->result->repo, path);
	if (w->source && work_read(b, w, err))
		return -1;
	*VEC_PUSH(b->arena, &b->work) = w;
	*out = w;
	return 0;
}

/* ---- collecting ------------------------------------------------------------------------------ */

static void notice_linked(struct builder *b, const char *path)
{
	if (strings_has(&b->noticed, path))
		return;
	strings_add(&b->noticed, b->arena, path);
	notice_add(&b->result->notices, b->arena, path, "patch",
		   "has other hard links, not written");
}

/* Why the edits may not be made in the files as they are, into *reason. -1: cannot go on. */
static int finding_barred(struct builder *b, const struct finding *f, const char **reason,
			  struct err *err)
{
	struct work_file *w;
	size_t i;

	*reason = NULL;
	for (i = 0; i < f->fix->nr_edits && !*reason; i++) {
		const struct edit *e = &f->fix->edits[i];

		if (work_find(b, edit_path(f, e), &w, err))
			return -1;
		if (e->create ? w->source != NULL : !w->source)
			*reason = "an edit is not about a file that is there";
		else if (w->source && w->source->roles & (ROLE_VENDORED | ROLE_SUBMODULE))
			*reason = "third-party code is not patched";
		else if (w->linked)
			*reason = "the file has other hard links";
		if (w->linked)
			notice_linked(b, w->path);
	}
	return 0;
}

static bool ends_line(const char *s)
{
	size_t n = strlen(s);

	return n && (s[n - 1] == '\n' || s[n - 1] == '\r');
}

static enum edit_rank edit_rank(const struct edit *e)
{
	if (e->span.start != e->span.end)
		return RANK_REPLACE;
	return e->text && ends_line(e->text) ? RANK_LINES : RANK_INLINE;
}

static void finding_collect(struct builder *b, const struct finding *f, size_t order)
{
	size_t i;

	for (i = 0; i < f->fix->nr_edits; i++) {
		const struct edit *e = &f->fix->edits[i];
		struct file_edit *out = VEC_PUSH(b->arena, &b->edits);

		out->path = edit_path(f, e);
		out->span = e->span;
		out->text = e->text ? e->text : "";
		out->rule = f->rule;
		out->rank = edit_rank(e);
		out->after_marker = true;
		out->create = e->create;
		out->mode = e->mode;
		out->order = order;
	}
}

static int edit_compare(const void *a, const void *b)
{
	const struct file_edit *x = a, *y = b;
	int c = strcmp(x->path, y->path);

	if (!c && x->span.start != y->span.start)
		c = x->span.start < y->span.start ? -1 : 1;
	if (!c && x->rank != y->rank)
		c = x->rank < y->rank ? -1 : 1;
	if (!c)
		c = strcmp(x->rule, y->rule);
	if (!c && x->after_marker != y->after_marker)
		c = y->after_marker ? -1 : 1;
	if (!c && x->order != y->order)
		c = x->order < y->order ? -1 : 1;
	return c;
}

static bool edit_same(const struct file_edit *a, const struct file_edit *b)
{
	return a->create == b->create && a->span.start == b->span.start &&
	       a->span.end == b->span.end && !strcmp(a->path, b->path) && !strcmp(a->text, b->text);
}

/* Sort, and leave one of identical edits; those of one offset and rank stand near each other. */
static void edits_sort(struct file_edits *e)
{
	size_t i, k, nr = 0;

	if (!e->nr)
		return;
	qsort(e->v, e->nr, sizeof(*e->v), edit_compare);
	for (i = 0; i < e->nr; i++) {
		for (k = nr; k && e->v[k - 1].span.start == e->v[i].span.start; k--)
			if (edit_same(&e->v[k - 1], &e->v[i]))
				break;
		if (!k || !edit_same(&e->v[k - 1], &e->v[i]))
			e->v[nr++] = e->v[i];
	}
	e->nr = nr;
}

static int edits_collect(struct builder *b, struct err *err)
{
	struct findings *all = &b->result->findings;
	const char *reason;
	size_t i;

	b->edits.nr = 0;
	for (i = 0; i < all->nr; i++) {
		if (!patch_takes(all->v[i]))
			continue;
		if (finding_barred(b, all->v[i], &reason, err))
			return -1;
		all->v[i]->reason_not_applied = reason;
		if (!reason)
			finding_collect(b, all->v[i], i);
	}
	edits_sort(&b->edits);
	return 0;
}

/* ---- making ---------------------------------------------------------------------------------- */

/* False when edits overlap or leave the text. */
static bool edits_make(struct strbuf *out, const struct work_file *w, const struct file_edits *e)
{
	size_t at = 0, i;

	for (i = 0; i < e->nr; i++) {
		struct span s = e->v[i].span;

		if (s.start < at || s.end < s.start || s.end > w->old_len)
			return false;
		strbuf_add(out, w->old + at, s.start - at);
		strbuf_addstr(out, e->v[i].text);
		at = s.end;
	}
	strbuf_add(out, w->old + at, w->old_len - at);
	return true;
}

/* False when a text that parsed does not any more. */
static bool text_parses(const struct builder *b, const struct work_file *w,
			const struct strbuf *new)
{
	struct arena a = {0};
	bool ok;

	if (w->source->lang != LANG_PYTHON || (w->shape && !w->shape->ok))
		return true;
	ok = b->o->shape(&a, new->buf, new->len)->ok;
	arena_free(&a);
	return ok;
}

/* A marker is to stand in the file. */
static bool is_marked(const struct builder *b, const struct work_file *w)
{
	const struct findings *all = &b->result->findings;
	size_t i, k;

	for (i = 0; i < all->nr; i++) {
		const struct finding *f = all->v[i];

		if ((!f->keep_until && !f->keep_long_term) || !patch_takes(f))
			continue;
		for (k = 0; k < f->fix->nr_edits; k++)
			if (!strcmp(edit_path(f, &f->fix->edits[k]), w->path))
				return true;
	}
	return false;
}

/* A parse is dear: only where a marker, or a text that did not parse, needs it. */
static void work_shape(struct builder *b, struct work_file *w)
{
	if (w->shape || w->source->lang != LANG_PYTHON)
		return;
	if (w->source->analysis != ANALYSIS_FULL ||
	    (b->o->markers != MARKERS_NONE && is_marked(b, w)))
		w->shape = b->o->shape(b->arena, w->old, w->old_len);
}

/* Make one file's edits, with markers where that goes well. 0: made, 1: cannot be made. */
static int file_make_new(struct builder *b, struct work_file *w, const struct file_edits *plain,
			 struct patch_file *out)
{
	struct marker_job job = {b->result, b->o->markers, b->o->tag, b->arena};
	struct file_edits edits = {0};
	struct strbuf new = STRBUF_INIT;
	size_t markers = 0, i;
	bool good;

	work_shape(b, w);
	for (i = 0; i < plain->nr; i++)
		*VEC_PUSH(b->arena, &edits) = plain->v[i];
	if (!w->unmarked)
		markers = markers_add(&job, w, &edits);
	edits_sort(&edits);
	good = edits_make(&new, w, &edits) && text_parses(b, w, &new);
	if (good) {
		out->path = w->path;
		out->source = w->source;
		out->old = w->old;
		out->old_len = w->old_len;
		out->new = arena_strndup(b->arena, new.buf, new.len);
		out->new_len = new.len;
		changes_find(out, edits.v, edits.nr, b->arena);
		b->patch->markers += markers;
	}
	strbuf_release(&new);
	if (good || !markers)
		return good ? 0 : 1;
	w->unmarked = true;
	return file_make_new(b, w, plain, out);
}

static void file_create(struct builder *b, const struct file_edit *e, struct patch_file *out)
{
	struct file_edit all = {.text = e->text};

	out->path = e->path;
	out->mode = e->mode & 0111 ? 0755 : 0644;
	out->old = "";
	out->new = e->text;
	out->new_len = strlen(e->text);
	changes_find(out, &all, 1, b->arena);
	b->patch->created++;
}

/* Take back the last finding that has an edit in the file. */
static void take_back(struct builder *b, const struct file_edits *edits, const char *path)
{
	struct finding *f = NULL;
	size_t i, last = 0;

	for (i = 0; i < edits->nr; i++)
		if (!f || edits->v[i].order > last) {
			last = edits->v[i].order;
			f = b->result->findings.v[last];
		}
	if (!f)
		BUG("no edit in %s", path);
	f->reason_not_applied = "the file would no longer parse";
}

static void patch_count(struct patch *p, const struct patch_file *file)
{
	size_t i;

	p->hunks += changes_hunks(file);
	for (i = 0; i < file->nr_changes; i++) {
		p->lines_added += file->changes[i].new_nr;
		p->lines_removed += file->changes[i].old_nr;
	}
}

static int files_make(struct builder *b, bool *again, struct err *err)
{
	struct patch *p = b->patch;
	struct work_file *w;
	size_t i, end;

	memset(p, 0, sizeof(*p));
	p->files = arena_array(b->arena, b->edits.nr + 1, sizeof(*p->files));
	for (i = 0; i < b->edits.nr; i = end) {
		struct patch_file *out = &p->files[p->nr_files];
		struct file_edits part = {&b->edits.v[i], 1, 0};

		for (end = i + 1; end < b->edits.nr; end++, part.nr++)
			if (strcmp(b->edits.v[end].path, b->edits.v[i].path))
				break;
		if (part.v->create) {
			file_create(b, part.v, out);
		} else {
			if (work_find(b, part.v->path, &w, err))
				return -1;
			if (file_make_new(b, w, &part, out)) {
				take_back(b, &part, w->path);
				*again = true;
				return 0;
			}
		}
		if (!out->source || out->nr_changes) {
			patch_count(p, out);
			p->nr_files++;
		}
	}
	return 0;
}

static int text_compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void rules_collect(struct builder *b)
{
	struct strings *rules = &b->patch->rules;
	size_t i;

	for (i = 0; i < b->edits.nr; i++)
		if (!strings_has(rules, b->edits.v[i].rule))
			strings_add(rules, b->arena, b->edits.v[i].rule);
	if (rules->nr)
		qsort(rules->v, rules->nr, sizeof(*rules->v), text_compare);
}

int patch_build(struct patch **out, struct result *r, const struct patch_options *o,
		struct arena *a, struct err *err)
{
	struct builder b = {.result = r, .o = o, .arena = a};
	bool again = true;

	b.patch = ARENA_NEW(a, struct patch);
	while (again) {
		again = false;
		if (edits_collect(&b, err) || files_make(&b, &again, err))
			return -1;
	}
	rules_collect(&b);
	*out = b.patch;
	return 0;
}
