/*
 * count.c - how many lines a diff would show.
 *
 * Edits that touch the same lines are taken together: their old lines against the lines that come
 * out, without the equal ones at both ends. As in a diff, only "\n" ends a line.
 */
#include "plan/internal.h"

#include <string.h>

#include "base/fs.h"
#include "base/strbuf.h"

#define PLAN_FILE_MAX (64u << 20)

/* Length of the first line of s[0..n) with its end. */
static size_t line_len(const char *s, size_t n)
{
	const char *nl = n ? memchr(s, '\n', n) : NULL;

	return nl ? (size_t)(nl - s) + 1 : n;
}

/* Offset of the last line of s[0..n). */
static size_t last_line(const char *s, size_t n)
{
	const char *nl = n > 1 ? memrchr(s, '\n', n - 1) : NULL;

	return nl ? (size_t)(nl - s) + 1 : 0;
}

size_t lines_in(const char *text, size_t len)
{
	size_t nr = 0, n;

	for (; len; text += n, len -= n, nr++)
		n = line_len(text, len);
	return nr;
}

static void region_count(const char *old, size_t n, const char *new, size_t m, struct plan *plan)
{
	size_t a, b;

	for (;;) {
		a = line_len(old, n);
		b = line_len(new, m);
		if (!a || a != b || memcmp(old, new, a))
			break;
		old += a;
		new += a;
		n -= a;
		m -= a;
	}
	for (;;) {
		a = last_line(old, n);
		b = last_line(new, m);
		if (n - a != m - b || n == a || memcmp(old + a, new + b, n - a))
			break;
		n = a;
		m = b;
	}
	plan->lines_removed += lines_in(old, n);
	plan->lines_added += lines_in(new, m);
}

/* The lines that edits[0] and those that follow on the same lines touch; returns how many edits. */
static size_t region_take(const struct fs_text *t, const struct plan_edit *edits, size_t nr,
			  struct plan *plan)
{
	struct strbuf new = STRBUF_INIT;
	size_t at = edits->edit->span.start, start = at, end = at, i;

	while (start && t->data[start - 1] != '\n')
		start--;
	strbuf_add(&new, t->data + start, at - start);
	for (i = 0; i < nr && (!i || edits[i].edit->span.start < end); i++) {
		const struct edit *e = edits[i].edit;

		strbuf_add(&new, t->data + at, e->span.start - at);
		strbuf_addstr(&new, edit_text(e));
		at = e->span.end;
		if (end <= at)
			end = at + line_len(t->data + at, t->len - at);
		/* An edit at the end of the file has no line behind it; others there belong to it.
		 */
		if (at == t->len)
			end = t->len + 1;
	}
	if (end > t->len)
		end = t->len;
	strbuf_add(&new, t->data + at, end - at);
	region_count(t->data + start, end - start, new.buf, new.len, plan);
	strbuf_release(&new);
	return i;
}

int plan_count(const struct repo *repo, const struct plan_edit *edits, size_t nr, struct plan *plan,
	       struct err *err)
{
	const struct source *s = repo_find(repo, edits->path);
	struct fs_text text;
	size_t i;

	if (fs_read(repo->dirfd, edits->path, PLAN_FILE_MAX, &text, err))
		return -1;
	if (text.len != s->size || hash_bytes(text.data, text.len) != s->hash) {
		fs_text_free(&text);
		return err_set(err, "changed while it was being analysed");
	}
	for (i = 0; i < nr;)
		i += region_take(&text, edits + i, nr - i, plan);
	fs_text_free(&text);
	return 0;
}
