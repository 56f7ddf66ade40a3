/*
 * linehash.c - the fingerprint of a line as GitHub's code scanning computes it.
 *
 * The public algorithm (github/codeql-action, fingerprints), bit for bit: a rolling hash modulo 2^64 over
 * the last 100 UTF-16 units that are neither blank nor tab, with line ends made a line feed; the hash
 * of a line is that of the window which begins with it. Behind the text stand the unit 65535 and 100
 * zeros. A text that is not UTF-8 has U+FFFD where a decoder would put it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "report/internal.h"

#define WINDOW 100
#define FACTOR UINT64_C(37)
#define UNIT_END 65535

struct roll {
	uint64_t hash, first; /* first: FACTOR to the power WINDOW */
	uint16_t window[WINDOW];
	size_t lines[WINDOW]; /* the line that begins at the place, 0: none */
	size_t index, line;
	bool starts, after_return;
	char (*hashes)[LINE_HASH_MAX];
	uint64_t *seen;
	size_t nr;
};

/* ---- UTF-16 ------------------------------------------------------------------------------------- */

/* Bytes at s that a decoder replaces by one U+FFFD: as far as they begin a sequence. */
static size_t broken_len(const unsigned char *s, size_t n)
{
	size_t want = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2, i;
	unsigned low = 0x80, high = 0xbf;

	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 1;
	if (s[0] == 0xe0 || s[0] == 0xf0)
		low = s[0] == 0xe0 ? 0xa0 : 0x90;
	if (s[0] == 0xed || s[0] == 0xf4)
		high = s[0] == 0xed ? 0x9f : 0x8f;
	for (i = 1; i < want && i < n && s[i] >= low && s[i] <= high; i++) {
		low = 0x80;
		high = 0xbf;
	}
	return i;
}

size_t utf16_next(const char *text, size_t n, uint16_t out[2])
{
	const unsigned char *s = (const unsigned char *)text;
	size_t len = (size_t)utf8_seq(text, n), i;
	uint32_t c;

	out[1] = 0;
	if (!len) {
		out[0] = s[0] ? 0xfffd : 0;
		return s[0] ? broken_len(s, n) : 1;
	}
	c = len == 1 ? s[0] : s[0] & (0xffu >> (len + 1));
	for (i = 1; i < len; i++)
		c = c << 6 | (s[i] & 0x3f);
	if (c < 0x10000) {
		out[0] = (uint16_t)c;
		return len;
	}
	c -= 0x10000;
	out[0] = (uint16_t)(0xd800 | c >> 10);
	out[1] = (uint16_t)(0xdc00 | (c & 0x3ff));
	return len;
}

size_t utf16_len(const char *s, size_t n)
{
	size_t len = 0, step;
	uint16_t unit[2];

	for (; n; s += step, n -= step) {
		step = utf16_next(s, n, unit);
		len += unit[1] ? 2 : 1;
	}
	return len;
}

/* ---- the hash ----------------------------------------------------------------------------------- */

/* How often the hash was seen, this time included; `seen` is open addressing over twice the lines. */
static size_t seen_count(struct roll *r, uint64_t hash)
{
	size_t mask = 2, i;

	while (mask < 2 * r->nr)
		mask *= 2;
	mask--;
	for (i = (size_t)(hash ^ hash >> 29) & mask;; i = (i + 1) & mask) {
		if (!r->seen[2 * i + 1])
			r->seen[2 * i] = hash;
		if (r->seen[2 * i] == hash)
			return ++r->seen[2 * i + 1];
	}
}

static void line_out(struct roll *r)
{
	size_t line = r->lines[r->index];

	r->lines[r->index] = 0;
	if (line && line <= r->nr)
		snprintf(r->hashes[line - 1], LINE_HASH_MAX, "%llx:%zu",
			 (unsigned long long)r->hash, seen_count(r, r->hash));
}

static void window_push(struct roll *r, uint16_t unit)
{
	r->hash = FACTOR * r->hash + unit - r->first * r->window[r->index];
	r->window[r->index] = unit;
	r->index = (r->index + 1) % WINDOW;
}

static void unit_push(struct roll *r, uint16_t unit)
{
	bool skip = unit == ' ' || unit == '\t' || (r->after_return && unit == '\n');

	r->after_return = !skip && unit == '\r';
	if (skip)
		return;
	if (unit == '\r')
		unit = '\n';
	line_out(r);
	if (r->starts)
		r->lines[r->index] = ++r->line;
	r->starts = unit == '\n';
	window_push(r, unit);
}

void line_hashes(const char *text, size_t len, char (*hashes)[LINE_HASH_MAX], size_t nr)
{
	struct roll r = {.first = 1, .starts = true, .hashes = hashes, .nr = nr};
	size_t size = 2, i, step;
	uint16_t unit[2];

	while (size < 2 * nr)
		size *= 2;
	r.seen = xcalloc(size, 2 * sizeof(*r.seen));
	for (i = 0; i < WINDOW; i++)
		r.first *= FACTOR;
	for (; len; text += step, len -= step) {
		step = utf16_next(text, len, unit);
		unit_push(&r, unit[0]);
		if (unit[1])
			unit_push(&r, unit[1]);
	}
	unit_push(&r, UNIT_END);
	for (i = 0; i < WINDOW; i++) {
		line_out(&r);
		window_push(&r, 0);
	}
	free(r.seen);
}
