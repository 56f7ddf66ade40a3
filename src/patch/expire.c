/*
 * expire.c - expired workarounds that no rule can take back, from a revision before the patch.
 *
 * In: findings of level expired without edits, and a revision. Between its file and the one that is
 * there the lines that differ stand in hunks without context; the hunk that holds the marker gives
 * way to its old lines. A hunk that holds something else that a marker speaks of is left to a person,
 * as is a marker for several sites: which hunks are theirs is not known.
 */
#include <string.h>

#include "base/fs.h"
#include "base/lines.h"
#include "base/path.h"
#include "patch/internal.h"

#define EXPIRE_FILE_MAX (64u << 20)

struct hunk_vec {
	git_diff_hunk *v;
	size_t nr, alloc;
	struct arena *arena;
};

struct expire {
	struct place *place;
	git_tree *tree;
	struct arena *arena;
};

/* A file in both states, and what differs. */
struct states {
	struct lines old, new;
	struct hunk_vec hunks;
};

static int hunk_collect(const git_diff_delta *delta, const git_diff_hunk *hunk, void *payload)
{
	struct hunk_vec *hunks = payload;

	*VEC_PUSH(hunks->arena, hunks) = *hunk;
	return 0;
}

/* Why the states cannot be compared, NULL: they are in *out. */
static const char *states_find(struct expire *x, const struct source *s, const struct fs_text *text,
			       struct states *out)
{
	git_diff_options o;
	const char *path = path_join(x->arena, x->place->prefix, s->path), *reason = NULL, *data;
	git_tree_entry *entry = NULL;
	git_blob *blob = NULL;
	size_t len;

	git_diff_options_init(&o, GIT_DIFF_OPTIONS_VERSION);
	o.context_lines = 0;
	o.flags = GIT_DIFF_FORCE_TEXT;
	out->hunks.arena = x->arena;
	if (git_tree_entry_bypath(&entry, x->tree, path) ||
	    git_blob_lookup(&blob, x->place->git, git_tree_entry_id(entry))) {
		git_tree_entry_free(entry);
		return "the file is not in the base revision";
	}
	len = (size_t)git_blob_rawsize(blob);
	data = arena_strndup(x->arena, len ? git_blob_rawcontent(blob) : "", len);
	if (!memchr(data, '\r', len) != !memchr(text->data, '\r', text->len))
		reason = "its line ends are not those of the base revision";
	else if (git_diff_blob_to_buffer(blob, path, text->data, text->len, path, &o, NULL, NULL,
					 hunk_collect, NULL, &out->hunks))
		reason = "it cannot be compared with the base revision";
	lines_init(&out->old, x->arena, data, len);
	lines_init(&out->new, x->arena, arena_strndup(x->arena, text->data, text->len), text->len);
	git_blob_free(blob);
	git_tree_entry_free(entry);
	return reason;
}

/* Offset of the first byte of line `line` (from 1), the length of the text behind its last. */
static uint32_t line_offset(const struct lines *l, size_t line)
{
	return line <= l->nr ? l->start[line - 1] : (uint32_t)l->len;
}

/* Bytes of `nr` lines from `first` on. */
static struct span lines_span(const struct lines *l, int first, int nr)
{
	/* git names the line before where there are none. */
	size_t from = (size_t)first + !nr;

	return (struct span){line_offset(l, from), line_offset(l, from + (size_t)nr)};
}

/* The number behind the id: more than one site? */
static bool has_several(const char *words)
{
	const char *p = strrchr(words, ']');

	return p && p[1] && strcmp(p, "] x1");
}

/* Is another marker in the span that does not go too? */
static bool holds_others(const struct finding *f, struct span at)
{
	const struct source *s = f->source;
	size_t i;

	for (i = 0; i < s->nr_facts; i++)
		if (s->facts[i].kind == FACT_MARKER && &s->facts[i] != f->fact &&
		    s->facts[i].span.start >= at.start && s->facts[i].span.start < at.end)
			return true;
	return false;
}

static const char *finding_restore(struct expire *x, struct finding *f, const struct states *st)
{
	struct span marker = f->fact->stmt, old, new;
	struct edit *e;
	size_t i;

	if (has_several(f->fact->text))
		return "which changes since the base revision are its sites is not known";
	for (i = 0; i < st->hunks.nr; i++) {
		const git_diff_hunk *h = &st->hunks.v[i];

		new = lines_span(&st->new, h->new_start, h->new_lines);
		if (new.start <= marker.start && marker.end < new.end)
			break;
	}
	if (i == st->hunks.nr)
		return "the base revision has the marker too, or nothing changed below it";
	if (holds_others(f, new))
		return "other markers stand in the same change";
	old = lines_span(&st->old, st->hunks.v[i].old_start, st->hunks.v[i].old_lines);
	e = ARENA_NEW(x->arena, struct edit);
	e->span = new;
	e->text = arena_strndup(x->arena, st->old.text + old.start, old.end - old.start);
	f->fix->edits = e;
	f->fix->nr_edits = 1;
	f->fix->reason = NULL;
	if (f->fix->safety == SAFETY_MANUAL)
		f->fix->safety = SAFETY_SAFE;
	return NULL;
}

static bool needs_base(const struct finding *f)
{
	return f->level == LEVEL_EXPIRED && f->state == STATE_OPEN && f->fact && f->fix &&
	       !f->fix->nr_edits && f->fact->kind == FACT_MARKER;
}

static void source_expire(struct expire *x, struct findings *all, size_t first)
{
	const struct source *s = all->v[first]->source;
	struct states st = {0};
	struct fs_text text;
	const char *reason;
	struct err err;
	size_t i;

	if (fs_read(x->place->rootfd, s->path, EXPIRE_FILE_MAX, &text, &err))
		return;
	if (text.len != s->size || hash_bytes(text.data, text.len) != s->hash)
		reason = "the file has changed since it was analysed";
	else
		reason = states_find(x, s, &text, &st);
	for (i = first; i < all->nr && all->v[i]->source == s; i++)
		if (needs_base(all->v[i]))
			all->v[i]->fix->reason =
				reason ? reason : finding_restore(x, all->v[i], &st);
	fs_text_free(&text);
}

int expire_from_base(struct result *r, const char *path, const char *base, struct arena *a,
		     struct err *err)
{
	struct expire x = {.arena = a};
	const struct source *last = NULL;
	git_object *tree = NULL;
	size_t i;
	int ret = 0;

	if (place_open(&x.place, path, false, err))
		return -1;
	if (!x.place->git)
		ret = err_set(err, "--base needs a repository: %s",
			      x.place->git_error ? x.place->git_error : "there is none");
	else if (git_revparse_single(&tree, x.place->git, arena_fmt(a, "%s^{tree}", base)))
		ret = err_set(err, "no revision '%s'", base);
	x.tree = (git_tree *)tree;
	for (i = 0; i < r->findings.nr && !ret; i++) {
		if (r->findings.v[i]->source == last || !needs_base(r->findings.v[i]))
			continue;
		last = r->findings.v[i]->source;
		source_expire(&x, &r->findings, i);
	}
	git_object_free(tree);
	place_close(x.place);
	return ret;
}
