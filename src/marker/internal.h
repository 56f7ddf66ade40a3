/*
 * internal.h - what the files of marker/ share.
 *
 *	read.c     comments -> words -> facts
 *	foreign.c  is what a person wrote about a workaround, and about which names
 */
#ifndef MARKER_INTERNAL_H
#define MARKER_INTERNAL_H

#include "marker/marker.h"

/* What a marker says. */
struct saying {
	const char *name;      /* the id of the rule, or the first name it waits for, or MARKER_UNKNOWN */
	const char *condition; /* NULL: none that can be evaluated */
};

#define MARKER_UNKNOWN "unknown"

/*
 * Read what a person wrote to be done. False when it is not about a workaround for the
 * target. A condition is only made of names that the sentence waits for and says nothing else of.
 */
bool foreign_read(const char *words, const struct vocab *vocab, struct arena *a,
		  struct saying *out);

#endif
