/*
 * marker.h - comments that say why code is as it is, and when it can go.
 *
 * In: the bytes of one file. Out: a FACT_MARKER for every marker, of our own form or written by a
 * person:
 *
 *	WORD(tag): what; remove when CONDITION [PDnnn] xN
 *	WORD(tag): what, kept long-term: reason [PDnnn] xN
 *	WORD(owner): remove this workaround after TARGET supports NAME
 */
#ifndef MARKER_MARKER_H
#define MARKER_MARKER_H

#include "model.h"

/*
 * Add the markers of `s` to its facts, which stay in order of offset. Call after the front end has
 * filled facts and defs; new text lives in `arena`.
 */
void marker_facts(struct source *s, const char *text, size_t len, const struct vocab *vocab,
		  struct arena *arena);

#endif
