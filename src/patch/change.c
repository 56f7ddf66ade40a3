/*
 * change.c - edits of one file -> lines that differ.
 *
 * No search for differences: the edits say where they are. Edits on the same lines are taken
 * together, their old lines against the new ones, without the equal ones at both ends. As in a
 * diff only "\n" ends a line.
 */
#include <string.h>

#include "patch/internal.h"

/* Bytes of one side that are being compared. */
struct side {
	const char *text;
	size_t start, end;
};

static size_t first_line(const struct side *s)
{
	size_t n = s->end - s->start;
	const char *nl = n ? memchr(s->text + s->start, '\n', n) : NULL;

	return nl ? (size_t)(nl - s->text) + 1 - s->start : n;
}

static size_t last_line(const struct side *s)
{
	size_t n = s->end - s->start;
	const char *nl = n > 1 ? memrchr(s->text + s->start, '\n', n - 1) : NULL;

	return nl ? s->end - ((size_t)(nl - s->text) + 1) : n;
}

static size_t lines_in(const char *text, size_t start, size_t end)
{
	struct side s = {text, start, end};
	size_t nr = 0;

	for (; s.start < s.end; nr++)
		s.start += first_line(&s);
	return nr;
}

static void sides_trim(struct side *old, struct side *new)
{
	size_t n;

	while ((n = first_line(old)) && n == first_line(new) &&
	       !memcmp(old->text + old->start, new->text + new->start, n)) {
		old->start += n;
		new->start += n;
	}
	while ((n = last_line(old)) && n == last_line(new) &&
	       !memcmp(old->text + old->end - n, new->text + new->end - n, n)) {
		old->end -= n;
		new->end -= n;
	}
}

static size_t line_end(const char *text, size_t len, size_t at)
{
	struct side s = {text, at, len};

	return at + first_line(&s);
}

/* The old lines that the edit at `i` and those behind it on the same lines touch; returns the next
 * edit. */
static size_t region_take(const struct patch_file *f, const struct file_edit *edits, size_t nr,
			  size_t i, struct side *old, long *grown)
{
	size_t at;

	old->start = old->end = edits[i].span.start;
	while (old->start && f->old[old->start - 1] != '\n')
		old->start--;
	for (at = i; at < nr; at++) {
		struct span s = edits[at].span;

		if (at > i &&
		    (s.start > old->end || (s.start == old->end && s.start != f->old_len)))
			break;
		if (old->end <= s.end)
			old->end = line_end(f->old, f->old_len, s.end);
		*grown += (long)strlen(edits[at].text) - (long)(s.end - s.start);
	}
	return at;
}

struct change_vec {
	struct patch_change *v;
	size_t nr, alloc;
};

/* Lines that follow each other are one change, as in the diffs that people know. */
static void change_add(struct change_vec *out, const struct side *old, const struct side *new,
		       struct arena *a)
{
	struct patch_change *c = out->nr ? &out->v[out->nr - 1] : NULL;

	if (!c || c->old_bytes.end != old->start) {
		c = VEC_PUSH(a, out);
		c->old_bytes.start = (uint32_t)old->start;
		c->new_bytes.start = (uint32_t) new->start;
	}
	c->old_bytes.end = (uint32_t)old->end;
	c->new_bytes.end = (uint32_t) new->end;
}

static void changes_number(struct patch_file *f)
{
	size_t i, line = 0, at = 0;
	long grown = 0;

	for (i = 0; i < f->nr_changes; i++) {
		struct patch_change *c = &f->changes[i];

		line += lines_in(f->old, at, c->old_bytes.start);
		c->old = line;
		c->new = (size_t)((long)line + grown);
		c->old_nr = lines_in(f->old, c->old_bytes.start, c->old_bytes.end);
		c->new_nr = lines_in(f->new, c->new_bytes.start, c->new_bytes.end);
		grown += (long)c->new_nr - (long)c->old_nr;
		line += c->old_nr;
		at = c->old_bytes.end;
	}
}

void changes_find(struct patch_file *f, const struct file_edit *edits, size_t nr, struct arena *a)
{
	struct change_vec out = {0};
	long grown = 0, before;
	size_t i = 0;

	while (i < nr) {
		struct side old = {f->old, 0, 0}, new = {f->new, 0, 0};

		before = grown;
		i = region_take(f, edits, nr, i, &old, &grown);
		new.start = (size_t)((long)old.start + before);
		new.end = (size_t)((long)old.end + grown);
		sides_trim(&old, &new);
		if (old.start != old.end || new.start != new.end)
			change_add(&out, &old, &new, a);
	}
	f->changes = out.v;
	f->nr_changes = out.nr;
	changes_number(f);
}

size_t changes_joined(const struct patch_file *f, size_t first)
{
	const struct patch_change *c = f->changes;
	size_t i;

	for (i = first + 1; i < f->nr_changes; i++)
		if (c[i].old - (c[i - 1].old + c[i - 1].old_nr) > 2 * DIFF_CONTEXT)
			break;
	return i - first;
}

size_t changes_hunks(const struct patch_file *f)
{
	size_t i, nr = 0;

	for (i = 0; i < f->nr_changes; i += changes_joined(f, i))
		nr++;
	return nr;
}
