/*
 * output.h - files that a command writes: each all of it or not at all.
 */
#ifndef CMD_OUTPUT_H
#define CMD_OUTPUT_H

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"

struct output {
	const char *path;
	struct strbuf text;
	const char *temp; /* for outputs_write */
};

/*
 * Write all of them: first beside their places under other names, then they take their places. A pipe or
 * device is written to at the end. -1 leaves what was there as it was, as far as no device is among
 * them.
 */
int outputs_write(struct output *v, size_t nr, struct arena *a, struct err *err);

#endif
