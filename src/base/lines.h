/*
 * lines.h - from byte offsets to lines.
 *
 * A line ends after "\n", "\r\n" or a lone "\r" (what Python's own reader takes as an end). Lines and
 * columns count from 1; columns count bytes.
 */
#ifndef BASE_LINES_H
#define BASE_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct lines {
	const char *text;
	size_t len;
	uint32_t *start; /* offset of each line */
	size_t nr;
};

void lines_init(struct lines *l, struct arena *a, const char *text, size_t len);
/* Line of an offset; an offset past the end is on the last line. */
uint32_t lines_at(const struct lines *l, uint32_t offset, uint32_t *column);
/* Bytes of line `line` without its end. */
const char *lines_text(const struct lines *l, uint32_t line, size_t *len);

/* The length that a line may have: that of the text's longest, at least 79 and at most 120. */
size_t lines_room(const char *text, size_t len);
/* Bytes of the byte order mark that the text begins with: 3 or 0. */
size_t bom_len(const char *text, size_t len);

#endif
