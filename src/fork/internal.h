/* internal.h - what the files of fork/ share. */
#ifndef FORK_INTERNAL_H
#define FORK_INTERNAL_H

#include "fork/fork.h"

/* The bytes of `nr` lines. */
struct span lines_span(const struct line_text *t, size_t first, size_t nr);
bool spans_meet(struct span a, struct span b);

#endif
