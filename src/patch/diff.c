/*
 * diff.c - lines that differ -> a unified diff, as git writes it.
 *
 * Names with control bytes, bytes above 0x7f, quotes or backslashes are quoted as C strings; a name
 * with a space is followed by a tab, so that readers see where it ends. Both git apply and patch
 * read the result.
 */
#include <string.h>

#include "patch/internal.h"

/* One hunk's lines on both sides; lines count from 0. */
struct hunk {
	size_t old, old_nr, new, new_nr;
};

static bool name_plain(const char *s)
{
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c < 0x20 || c >= 0x7f || c == '"' || c == '\\')
			return false;
	}
	return true;
}

static void name_byte(struct strbuf *out, unsigned char c)
{
	static const char letters[] = "abtnvfr";

	if (c == '"' || c == '\\')
		strbuf_addf(out, "\\%c", c);
	else if (c >= 7 && c <= 13)
		strbuf_addf(out, "\\%c", letters[c - 7]);
	else if (c < 0x20 || c >= 0x7f)
		strbuf_addf(out, "\\%03o", c);
	else
		strbuf_addch(out, c);
}

static void name_put(struct strbuf *out, const char *prefix, const char *path)
{
	const char *s;

	if (name_plain(path)) {
		strbuf_addf(out, "%s%s", prefix, path);
		return;
	}
	strbuf_addf(out, "\"%s", prefix);
	for (s = path; *s; s++)
		name_byte(out, (unsigned char)*s);
	strbuf_addch(out, '"');
}

static void side_put(struct strbuf *out, const char *mark, const char *prefix, const char *path,
		     bool absent)
{
	strbuf_addstr(out, mark);
	if (absent)
		strbuf_addstr(out, "/dev/null");
	else
		name_put(out, prefix, path);
	strbuf_addstr(out, !absent && strchr(path, ' ') ? "\t\n" : "\n");
}

static void head_put(struct strbuf *out, const struct patch_file *f, bool reverse)
{
	bool made = !f->source;

	strbuf_addstr(out, "diff --git ");
	name_put(out, "a/", f->path);
	strbuf_addch(out, ' ');
	name_put(out, "b/", f->path);
	strbuf_addch(out, '\n');
	if (made)
		strbuf_addf(out, "%s file mode 100%o\n", reverse ? "deleted" : "new", f->mode);
	/* An empty file has no hunk, and then no lines with names either. */
	if (!f->nr_changes)
		return;
	side_put(out, "--- ", "a/", f->path, made && !reverse);
	side_put(out, "+++ ", "b/", f->path, made && reverse);
}

static void lines_put(struct strbuf *out, char sign, const char *text, size_t len)
{
	while (len) {
		const char *nl = memchr(text, '\n', len);
		size_t n = nl ? (size_t)(nl - text) + 1 : len;

		strbuf_addch(out, sign);
		strbuf_add(out, text, n);
		if (!nl)
			strbuf_addstr(out, "\n\\ No newline at end of file\n");
		text += n;
		len -= n;
	}
}

static void range_put(struct strbuf *out, char sign, size_t line, size_t nr)
{
	/* An empty range is named by the line before it. */
	strbuf_addf(out, "%c%zu", sign, nr ? line + 1 : line);
	if (nr != 1)
		strbuf_addf(out, ",%zu", nr);
}

/* `nr` lines up from (down from) offset `at` of the old text; *lines: how many there are. */
static size_t context_up(const struct patch_file *f, size_t at, size_t *lines)
{
	for (*lines = 0; at && *lines < DIFF_CONTEXT; ++*lines)
		for (at--; at && f->old[at - 1] != '\n'; at--)
			;
	return at;
}

static size_t context_down(const struct patch_file *f, size_t at, size_t *lines)
{
	for (*lines = 0; at < f->old_len && *lines < DIFF_CONTEXT; ++*lines) {
		const char *nl = memchr(f->old + at, '\n', f->old_len - at);

		at = nl ? (size_t)(nl - f->old) + 1 : f->old_len;
	}
	return at;
}

static void change_put(struct strbuf *out, const struct patch_file *f, const struct patch_change *c,
		       bool reverse)
{
	const char *old = f->old + c->old_bytes.start, *new = f->new + c->new_bytes.start;
	size_t old_len = c->old_bytes.end - c->old_bytes.start;
	size_t new_len = c->new_bytes.end - c->new_bytes.start;

	lines_put(out, '-', reverse ? new : old, reverse ? new_len : old_len);
	lines_put(out, '+', reverse ? old : new, reverse ? old_len : new_len);
}

static void hunk_put(struct strbuf *out, const struct patch_file *f, size_t first, size_t nr,
		     bool reverse)
{
	const struct patch_change *c = &f->changes[first], *last = &c[nr - 1];
	size_t up, down, start = context_up(f, c->old_bytes.start, &up), at = start, i;
	size_t end = context_down(f, last->old_bytes.end, &down);
	struct hunk h = {
		.old = c->old - up,
		.new = c->new - up,
		.old_nr = last->old + last->old_nr + down - (c->old - up),
		.new_nr = last->new + last->new_nr + down - (c->new - up),
	};

	strbuf_addstr(out, "@@ ");
	range_put(out, '-', reverse ? h.new : h.old, reverse ? h.new_nr : h.old_nr);
	strbuf_addch(out, ' ');
	range_put(out, '+', reverse ? h.old : h.new, reverse ? h.old_nr : h.new_nr);
	strbuf_addstr(out, " @@\n");
	for (i = 0; i < nr; i++) {
		lines_put(out, ' ', f->old + at, c[i].old_bytes.start - at);
		change_put(out, f, &c[i], reverse);
		at = c[i].old_bytes.end;
	}
	lines_put(out, ' ', f->old + at, end - at);
}

void patch_diff(struct strbuf *out, const struct patch *p, bool reverse)
{
	size_t i, k, nr;

	for (i = 0; i < p->nr_files; i++) {
		const struct patch_file *f = &p->files[i];

		head_put(out, f, reverse);
		for (k = 0; k < f->nr_changes; k += nr) {
			nr = changes_joined(f, k);
			hunk_put(out, f, k, nr, reverse);
		}
	}
}
