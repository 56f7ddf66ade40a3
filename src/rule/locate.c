/*
 * locate.c - offsets -> lines, columns, snippets and fingerprints.
 *
 * A fingerprint is made of what stays when lines move: rule, path, symbol, the text of the lines
 * with white space made equal, and which of several equal ones it is.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/lines.h"
#include "base/path.h"
#include "rule/internal.h"

#define SNIPPET_MAX 200
#define FINGERPRINT_LINES 20
#define FINGERPRINT_LINE_MAX 2000 /* of a longer line only the span itself counts */

struct key {
	struct finding *finding;
	const char *text; /* what the fingerprint is made of, without the occurrence */
	size_t len, at;	  /* at: place in the order of findings */
};

static int finding_compare(const void *a, const void *b)
{
	const struct finding *x = *(struct finding *const *)a, *y = *(struct finding *const *)b;

	if (x->span.start != y->span.start)
		return x->span.start < y->span.start ? -1 : 1;
	if (x->span.end != y->span.end)
		return x->span.end < y->span.end ? -1 : 1;
	return strcmp(x->rule, y->rule);
}

static const char *snippet_cut(struct arena *a, const char *text, size_t len)
{
	size_t n = 0, step, bom = bom_len(text, len);

	text += bom;
	len -= bom;
	while (len && isspace((unsigned char)*text)) {
		text++;
		len--;
	}
	while (len && isspace((unsigned char)text[len - 1]))
		len--;
	if (len <= SNIPPET_MAX)
		return arena_strndup(a, text, len);
	while (n < SNIPPET_MAX) {
		step = (size_t)utf8_seq(text + n, len - n);
		step = step ? step : 1;
		if (n + step > SNIPPET_MAX)
			break;
		n += step;
	}
	return arena_strndup(a, text, n);
}

/* White space inside becomes one blank, around it none. */
static void normal_add(struct strbuf *sb, const char *text, size_t len)
{
	size_t i, start = sb->len;
	bool gap = false;

	for (i = bom_len(text, len); i < len; i++) {
		if (isspace((unsigned char)text[i])) {
			gap = sb->len > start;
			continue;
		}
		if (gap)
			strbuf_addch(sb, ' ');
		gap = false;
		strbuf_addch(sb, text[i]);
	}
}

static void finding_locate(struct finding *f, const struct lines *l, struct arena *a)
{
	uint32_t end = f->span.end > f->span.start ? f->span.end : f->span.start;
	size_t len;
	const char *text;

	f->line = lines_at(l, f->span.start, &f->column);
	f->end_line = lines_at(l, end, &f->end_column);
	text = lines_text(l, f->line, &len);
	f->snippet = snippet_cut(a, text, len);
}

/* The part of a line that a fingerprint is made of. */
static const char *line_part(const struct lines *l, uint32_t line, struct span span, size_t *len)
{
	const char *text = lines_text(l, line, len);
	size_t start = (size_t)(text - l->text), end = start + *len;

	if (*len <= FINGERPRINT_LINE_MAX)
		return text;
	start = span.start > start && span.start < end ? span.start : start;
	end = span.end < end ? span.end : end;
	*len = end < start ? 0 : end - start;
	if (*len > FINGERPRINT_LINE_MAX)
		*len = FINGERPRINT_LINE_MAX;
	return l->text + start;
}

static void key_make(struct key *k, struct finding *f, const struct lines *l, struct arena *a)
{
	struct strbuf sb = STRBUF_INIT;
	uint32_t line, last = f->end_line;
	const char *text;
	size_t len;

	strbuf_addf(&sb, "%s%c%s%c%s%c", f->rule, 0, f->source->path, 0, f->symbol, 0);
	if (last - f->line >= FINGERPRINT_LINES)
		last = f->line + FINGERPRINT_LINES - 1;
	for (line = f->line; line <= last; line++) {
		text = line_part(l, line, f->span, &len);
		if (line > f->line)
			strbuf_addch(&sb, ' ');
		normal_add(&sb, text, len);
	}
	strbuf_addch(&sb, 0);
	k->finding = f;
	k->len = sb.len;
	k->text = arena_strndup(a, sb.buf, sb.len);
	strbuf_release(&sb);
}

static int key_text_compare(const struct key *x, const struct key *y)
{
	int c = memcmp(x->text, y->text, x->len < y->len ? x->len : y->len);

	return c ? c : (x->len > y->len) - (x->len < y->len);
}

static int key_compare(const void *a, const void *b)
{
	const struct key *x = a, *y = b;
	int c = key_text_compare(x, y);

	return c ? c : (x->at > y->at) - (x->at < y->at);
}

static void keys_number(struct key *keys, size_t nr)
{
	struct strbuf sb = STRBUF_INIT;
	unsigned occurrence = 0;
	size_t i;

	for (i = 0; i < nr; i++) {
		occurrence = i && !key_text_compare(&keys[i], &keys[i - 1]) ? occurrence + 1 : 0;
		strbuf_reset(&sb);
		strbuf_add(&sb, keys[i].text, keys[i].len);
		strbuf_addf(&sb, "%u", occurrence);
		hash_hex(sb.buf, sb.len, keys[i].finding->fingerprint);
	}
	strbuf_release(&sb);
}

void findings_locate(struct findings *f, const char *text, size_t len, struct arena *a)
{
	struct arena scratch = { 0 };
	struct lines l;
	struct key *keys;
	size_t i;

	if (!f->nr)
		return;
	qsort(f->v, f->nr, sizeof(*f->v), finding_compare);
	lines_init(&l, &scratch, text, len);
	keys = arena_array(&scratch, f->nr, sizeof(*keys));
	for (i = 0; i < f->nr; i++) {
		finding_locate(f->v[i], &l, a);
		key_make(&keys[i], f->v[i], &l, &scratch);
		keys[i].at = i;
	}
	qsort(keys, f->nr, sizeof(*keys), key_compare);
	keys_number(keys, f->nr);
	arena_free(&scratch);
}
