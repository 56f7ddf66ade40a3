/* rows.c - sorted, tab-separated text that is asked in place; see db.h. */
#include <string.h>

#include "cxx/db.h"

struct part part_of(const char *s)
{
	return (struct part){s, strlen(s)};
}

bool part_is(struct part p, const char *s)
{
	return p.len == strlen(s) && !memcmp(p.s, s, p.len);
}

char *part_dup(struct arena *a, struct part p)
{
	return arena_strndup(a, p.len ? p.s : "", p.len);
}

bool rows_next(struct part *rest, struct part *line)
{
	const char *end;

	if (!rest->len)
		return false;
	end = memchr(rest->s, '\n', rest->len);
	line->s = rest->s;
	line->len = end ? (size_t)(end - rest->s) : rest->len;
	rest->len -= line->len + (end ? 1 : 0);
	rest->s += line->len + (end ? 1 : 0);
	return true;
}

struct part row_part(struct part line, int i)
{
	const char *p = line.s, *end = line.s + line.len, *tab;

	for (; i; i--) {
		tab = p < end ? memchr(p, '\t', (size_t)(end - p)) : NULL;
		if (!tab)
			return (struct part){end, 0};
		p = tab + 1;
	}
	tab = p < end ? memchr(p, '\t', (size_t)(end - p)) : NULL;
	return (struct part){p, (size_t)((tab ? tab : end) - p)};
}

/* Order of a line's first field against a key: <0, 0, >0. */
static int key_compare(struct part line, struct part key)
{
	size_t n = line.len < key.len ? line.len : key.len;
	int cmp = n ? memcmp(line.s, key.s, n) : 0;

	if (cmp)
		return cmp;
	if (line.len < key.len)
		return -1;
	if (line.len == key.len || line.s[key.len] == '\t')
		return 0;
	return (unsigned char)line.s[key.len] < '\t' ? -1 : 1;
}

/* The first line that is not before `key` (`after`: that is behind it). */
static const char *bound(const struct rows *rows, struct part key, bool after)
{
	const char *lo = rows->body.s, *top = lo + rows->body.len, *hi = top;

	while (lo < hi) {
		const char *mid = lo + (hi - lo) / 2, *end;
		struct part line;
		int cmp;

		while (mid > lo && mid[-1] != '\n')
			mid--;
		end = memchr(mid, '\n', (size_t)(top - mid));
		line.s = mid;
		line.len = (size_t)((end ? end : top) - mid);
		cmp = key_compare(line, key);
		if (cmp < 0 || (after && !cmp))
			lo = end ? end + 1 : top;
		else
			hi = mid;
	}
	return lo;
}

struct part rows_of(const struct rows *rows, struct part key)
{
	const char *first = bound(rows, key, false);

	return (struct part){first, (size_t)(bound(rows, key, true) - first)};
}

struct part rows_from(const struct rows *rows, const char *prefix)
{
	const char *lo = rows->body.s, *top = lo + rows->body.len, *hi = top;
	size_t n = strlen(prefix);

	while (lo < hi) {
		const char *mid = lo + (hi - lo) / 2, *end;
		size_t len;
		int cmp;

		while (mid > lo && mid[-1] != '\n')
			mid--;
		end = memchr(mid, '\n', (size_t)(top - mid));
		len = (size_t)((end ? end : top) - mid);
		cmp = memcmp(mid, prefix, len < n ? len : n);
		if (cmp < 0 || (!cmp && len < n))
			lo = end ? end + 1 : top;
		else
			hi = mid;
	}
	return (struct part){lo, (size_t)(top - lo)};
}
