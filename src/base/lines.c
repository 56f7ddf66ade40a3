/* lines.c - see lines.h. */
#include "base/lines.h"

#include <string.h>

#include "base/err.h"

#define ROOM_LEAST 79
#define ROOM_MOST  120

static size_t lines_scan(struct lines *l, uint32_t *start)
{
	size_t nr = 1, i;

	if (start)
		start[0] = 0;
	for (i = 0; i < l->len; i++) {
		char c = l->text[i];

		if (c != '\n' && c != '\r')
			continue;
		if (c == '\r' && i + 1 < l->len && l->text[i + 1] == '\n')
			continue;
		if (start)
			start[nr] = (uint32_t)(i + 1);
		nr++;
	}
	return nr;
}

void lines_init(struct lines *l, struct arena *a, const char *text, size_t len)
{
	if (len >= UINT32_MAX)
		BUG("text of %zu bytes", len);
	l->text = text;
	l->len = len;
	l->nr = lines_scan(l, NULL);
	l->start = arena_array(a, l->nr, sizeof(*l->start));
	lines_scan(l, l->start);
}

uint32_t lines_at(const struct lines *l, uint32_t offset, uint32_t *column)
{
	size_t lo = 0, hi = l->nr;

	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (l->start[mid] <= offset)
			lo = mid;
		else
			hi = mid;
	}
	if (column)
		*column = offset - l->start[lo] + 1;
	return (uint32_t)lo + 1;
}

const char *lines_text(const struct lines *l, uint32_t line, size_t *len)
{
	uint32_t from, to;

	if (!line || line > l->nr)
		BUG("line %u of %zu", line, l->nr);
	from = l->start[line - 1];
	to = line < l->nr ? l->start[line] : (uint32_t)l->len;
	if (to > from && l->text[to - 1] == '\n')
		to--;
	if (to > from && l->text[to - 1] == '\r')
		to--;
	*len = to - from;
	return l->text + from;
}

size_t lines_room(const char *text, size_t len)
{
	size_t most = ROOM_LEAST, n = 0, i;

	for (i = 0; i < len; i++) {
		n = text[i] == '\n' || text[i] == '\r' ? 0 : n + 1;
		if (n > most)
			most = n;
	}
	return most < ROOM_MOST ? most : ROOM_MOST;
}

size_t bom_len(const char *text, size_t len)
{
	return len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;
}
