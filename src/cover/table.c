/* table.c - see table.h. */
#include "cover/table.h"

#include <string.h>

struct text text_of(const char *s)
{
	return (struct text){s, strlen(s)};
}

char *text_dup(struct arena *a, struct text t)
{
	return arena_strndup(a, t.len ? t.s : "", t.len);
}

bool text_is(struct text t, const char *s)
{
	return t.len == strlen(s) && !memcmp(t.s, s, t.len);
}

int text_compare(struct text a, struct text b)
{
	size_t n = a.len < b.len ? a.len : b.len;
	int cmp = n ? memcmp(a.s, b.s, n) : 0;

	return cmp ? cmp : (a.len > b.len) - (a.len < b.len);
}

bool text_next(struct text *rest, char sep, struct text *word)
{
	const char *end;

	while (rest->len && *rest->s == sep) {
		rest->s++;
		rest->len--;
	}
	if (!rest->len)
		return false;
	end = memchr(rest->s, sep, rest->len);
	word->s = rest->s;
	word->len = end ? (size_t)(end - rest->s) : rest->len;
	rest->s += word->len;
	rest->len -= word->len;
	return true;
}

bool text_has(struct text words, char sep, const char *word)
{
	struct text w;

	while (text_next(&words, sep, &w))
		if (text_is(w, word))
			return true;
	return false;
}

struct text text_field(struct text line, int i)
{
	const char *p = line.s, *end = line.s + line.len, *tab;

	for (; i; i--) {
		tab = p < end ? memchr(p, '\t', (size_t)(end - p)) : NULL;
		if (!tab)
			return (struct text){end, 0};
		p = tab + 1;
	}
	tab = p < end ? memchr(p, '\t', (size_t)(end - p)) : NULL;
	return (struct text){p, (size_t)((tab ? tab : end) - p)};
}

struct text row_field(const struct row *row, int i)
{
	return text_field(row->line, i);
}

bool table_next(struct text *rest, struct row *row)
{
	const char *end;

	if (!rest->len)
		return false;
	end = memchr(rest->s, '\n', rest->len);
	row->line.s = rest->s;
	row->line.len = end ? (size_t)(end - rest->s) : rest->len;
	rest->len -= row->line.len + (end ? 1 : 0);
	rest->s += row->line.len + (end ? 1 : 0);
	return true;
}

void table_init(struct table *t, const struct asset *as)
{
	struct row row;

	*t = (struct table){{"", 0}, {"", 0}};
	if (!as)
		return;
	t->body = (struct text){as->data, as->len};
	if (as->len > 2 && !memcmp(as->data, "# ", 2) && table_next(&t->body, &row))
		t->head = (struct text){row.line.s + 2, row.line.len - 2};
}

/* Order of a line against a key that is followed by a tab or the line's end. */
static int line_compare(struct text line, struct text key)
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

bool table_find(const struct table *t, struct text key, struct row *row)
{
	const char *lo = t->body.s, *hi = t->body.s + t->body.len;

	while (lo < hi) {
		const char *mid = lo + (hi - lo) / 2, *end;
		int cmp;

		while (mid > lo && mid[-1] != '\n')
			mid--;
		end = memchr(mid, '\n', (size_t)(hi - mid));
		row->line.s = mid;
		row->line.len = (size_t)((end ? end : hi) - mid);
		cmp = line_compare(row->line, key);
		if (!cmp)
			return true;
		if (cmp < 0)
			lo = end ? end + 1 : hi;
		else
			hi = mid;
	}
	return false;
}
