/*
 * ends.h - paths found by how they end, as an include folder finds a header.
 */
#ifndef BASE_ENDS_H
#define BASE_ENDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

struct path_ends {
	const char **v; /* in order of the last part, then of the whole path */
	size_t nr;
};

/* Takes the array, whose texts are not copied. */
void path_ends_init(struct path_ends *e, const char **paths, size_t nr);
/*
 * The path that is `name` or ends with '/' and `name`, the first where there are several (*several is set
 * then); NULL: none.
 */
const char *path_ends_find(const struct path_ends *e, const char *name, bool *several);

#endif
