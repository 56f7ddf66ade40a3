/*
 * commands.h - what the `coverage` command does besides asking.
 */
#ifndef COVER_COMMANDS_H
#define COVER_COMMANDS_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "model.h"

/*
 * Compare two shipped databases, by version or folder: a line a difference, "-" for rows of `a`
 * alone, "+" for rows of `b` alone, "~" for both with another text. *different says whether there
 * was any.
 */
int cover_diff(const struct assets *assets, const char *a, const char *b, struct strbuf *out,
	       bool *different, struct err *err);
/* One line a database: folder, role, build, interpreter, commit, wheel, "C++" or "-"; tab separated. */
int cover_list(const struct assets *assets, struct strbuf *out, struct err *err);
/*
 * Run the interpreter `python` on the dump script (on its standard input), which writes a database
 * into the folder `outdir`. Prints on stderr what is run. Given up after ten minutes.
 */
int cover_dump(const struct assets *assets, const char *python, const char *outdir,
	       struct err *err);

#endif
