/*
 * lines.c - two texts -> lines that differ.
 *
 * Myers' O(ND) search with linear space: the middle of a shortest path splits the box, and both halves
 * are searched in the same way. A box that differs too much is taken as changed in whole, so that time
 * is bounded for any input.
 */
#include <stdlib.h>
#include <string.h>

#include "fork/fork.h"

#define STEPS_MAX 2048

struct side {
	const struct line_text *text;
	uint64_t *hash;
	bool *changed;
};

struct search {
	struct side a, b;
	long *forth, *back; /* 2 * STEPS_MAX + 3 */
};

struct box {
	long a0, a1, b0, b1;
};

void line_text_init(struct line_text *t, struct arena *a, const char *text, size_t len)
{
	size_t nr = 0, at, k = 0;
	const char *nl;

	for (at = 0; at < len; nr++) {
		nl = memchr(text + at, '\n', len - at);
		at = nl ? (size_t)(nl - text) + 1 : len;
	}
	*t = (struct line_text){text, len, arena_array(a, nr + 1, sizeof(*t->start)), nr};
	for (at = 0; at < len;) {
		t->start[k++] = (uint32_t)at;
		nl = memchr(text + at, '\n', len - at);
		at = nl ? (size_t)(nl - text) + 1 : len;
	}
	t->start[nr] = (uint32_t)len;
}

static void side_init(struct side *s, struct arena *a, const struct line_text *t)
{
	size_t i;

	s->text = t;
	s->hash = arena_array(a, t->nr + 1, sizeof(*s->hash));
	s->changed = arena_array(a, t->nr + 1, sizeof(*s->changed));
	for (i = 0; i < t->nr; i++)
		s->hash[i] = hash_bytes(t->text + t->start[i], t->start[i + 1] - t->start[i]);
}

static bool same(const struct search *s, long i, long k)
{
	const struct line_text *a = s->a.text, *b = s->b.text;
	size_t n = a->start[i + 1] - a->start[i];

	return s->a.hash[i] == s->b.hash[k] && n == b->start[k + 1] - b->start[k] &&
	       !memcmp(a->text + a->start[i], b->text + b->start[k], n);
}

static void box_trim(const struct search *s, struct box *x)
{
	while (x->a0 < x->a1 && x->b0 < x->b1 && same(s, x->a0, x->b0)) {
		x->a0++;
		x->b0++;
	}
	while (x->a0 < x->a1 && x->b0 < x->b1 && same(s, x->a1 - 1, x->b1 - 1)) {
		x->a1--;
		x->b1--;
	}
}

static long path_start(const long *v, long k, long d)
{
	return k == -d || (k != d && v[k - 1] < v[k + 1]) ? v[k + 1] : v[k - 1] + 1;
}

/* One more step of each path from the upper corner; true when one meets a path of the other side. */
static bool step_forth(struct search *s, const struct box *x, long d, long *ma, long *mb)
{
	long n = x->a1 - x->a0, m = x->b1 - x->b0, delta = n - m, k, a, b, from;
	long *v = s->forth + STEPS_MAX + 1, *w = s->back + STEPS_MAX + 1;

	for (k = -d; k <= d; k += 2) {
		a = from = path_start(v, k, d);
		b = a - k;
		while (a < n && b >= 0 && b < m && same(s, x->a0 + a, x->b0 + b)) {
			a++;
			b++;
		}
		v[k] = a;
		if (delta & 1 && labs(k - delta) <= d - 1 && a + w[delta - k] >= n) {
			*ma = x->a0 + from;
			*mb = x->b0 + from - k;
			return true;
		}
	}
	return false;
}

static bool step_back(struct search *s, const struct box *x, long d, long *ma, long *mb)
{
	long n = x->a1 - x->a0, m = x->b1 - x->b0, delta = n - m, k, a, b;
	long *v = s->forth + STEPS_MAX + 1, *w = s->back + STEPS_MAX + 1;

	for (k = -d; k <= d; k += 2) {
		a = path_start(w, k, d);
		b = a - k;
		while (a < n && b >= 0 && b < m && same(s, x->a1 - a - 1, x->b1 - b - 1)) {
			a++;
			b++;
		}
		w[k] = a;
		if (!(delta & 1) && labs(k - delta) <= d && a + v[delta - k] >= n) {
			*ma = x->a1 - a;
			*mb = x->b1 - b;
			return true;
		}
	}
	return false;
}

/* A point on a shortest path that makes both halves smaller; false: none was found in time. */
static bool box_split(struct search *s, const struct box *x, long *ma, long *mb)
{
	size_t size = (2 * STEPS_MAX + 3) * sizeof(*s->forth);
	long d;

	memset(s->forth, 0, size);
	memset(s->back, 0, size);
	for (d = 0; d < STEPS_MAX; d++)
		if (step_forth(s, x, d, ma, mb) || step_back(s, x, d, ma, mb))
			return *ma >= x->a0 && *ma <= x->a1 && *mb >= x->b0 && *mb <= x->b1 &&
			       (*ma > x->a0 || *mb > x->b0) && (*ma < x->a1 || *mb < x->b1);
	return false;
}

/* Each split halves the way, so the depth is that of a logarithm. */
static void box_diff(struct search *s, struct box x)
{
	long ma, mb;

	box_trim(s, &x);
	if (x.a0 < x.a1 && x.b0 < x.b1 && box_split(s, &x, &ma, &mb)) {
		box_diff(s, (struct box){x.a0, ma, x.b0, mb});
		box_diff(s, (struct box){ma, x.a1, mb, x.b1});
		return;
	}
	for (; x.a0 < x.a1; x.a0++)
		s->a.changed[x.a0] = true;
	for (; x.b0 < x.b1; x.b0++)
		s->b.changed[x.b0] = true;
}

static void changes_take(struct line_changes *out, struct arena *a, const struct search *s)
{
	size_t i = 0, k = 0, n = s->a.text->nr, m = s->b.text->nr;

	while (i < n || k < m) {
		struct line_change c = {.old = i, .new = k};

		while (i < n && s->a.changed[i])
			i++;
		while (k < m && s->b.changed[k])
			k++;
		c.old_nr = i - c.old;
		c.new_nr = k - c.new;
		if (c.old_nr || c.new_nr)
			*VEC_PUSH(a, out) = c;
		i += i < n;
		k += k < m;
	}
}

void line_diff(struct line_changes *out, struct arena *a, const struct line_text *old,
	       const struct line_text *new)
{
	struct search s;

	memset(out, 0, sizeof(*out));
	side_init(&s.a, a, old);
	side_init(&s.b, a, new);
	s.forth = arena_array(a, 2 * STEPS_MAX + 3, sizeof(*s.forth));
	s.back = arena_array(a, 2 * STEPS_MAX + 3, sizeof(*s.back));
	box_diff(&s, (struct box){0, (long)old->nr, 0, (long)new->nr});
	changes_take(out, a, &s);
}
