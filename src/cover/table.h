/*
 * table.h - a sorted, tab-separated text that is asked in place.
 *
 * The first line is provenance ("# " and fields); the others are sorted by bytes, each with a key
 * (one or two fields) that stands once. Nothing is parsed before it is asked for: a question is a
 * bisection.
 */
#ifndef COVER_TABLE_H
#define COVER_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/asset.h"

struct text {
	const char *s; /* not terminated */
	size_t len;
};

struct table {
	struct text head; /* the provenance line without "# " */
	struct text body;
};

/* One line without its end. */
struct row {
	struct text line;
};

/* `as` may be NULL: a table without rows. */
void table_init(struct table *t, const struct asset *as);
/* The row whose first field (or two, joined by a tab) is `key`. */
bool table_find(const struct table *t, struct text key, struct row *row);
/* Take the next line off `rest`; false at the end. */
bool table_next(struct text *rest, struct row *row);
/* Field `i` from 0; empty when there are fewer. */
struct text text_field(struct text line, int i);
struct text row_field(const struct row *row, int i);
/* True when the list `words`, separated by `sep`, holds `word`. */
bool text_has(struct text words, char sep, const char *word);
/* Take the next word off `rest`; words are separated by `sep`; false when none is left. */
bool text_next(struct text *rest, char sep, struct text *word);
bool text_is(struct text t, const char *s);
/* Order by bytes, as strcmp. */
int text_compare(struct text a, struct text b);
struct text text_of(const char *s);
char *text_dup(struct arena *a, struct text t);

#endif
