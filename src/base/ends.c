/*
 * ends.c - see ends.h.
 */
#include "base/ends.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"

static int path_compare(const void *a, const void *b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	int c = strcmp(path_base(x), path_base(y));

	return c ? c : strcmp(x, y);
}

void path_ends_init(struct path_ends *e, const char **paths, size_t nr)
{
	e->v = paths;
	e->nr = nr;
	if (nr)
		qsort(paths, nr, sizeof(*paths), path_compare);
}

/* Where paths with that last part begin. */
static size_t base_lower(const struct path_ends *e, const char *base)
{
	size_t lo = 0, hi = e->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (strcmp(path_base(e->v[mid]), base) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const char *path_ends_find(const struct path_ends *e, const char *name, bool *several)
{
	const char *base = path_base(name), *found = NULL;
	size_t n = strlen(name), len, i;

	*several = false;
	for (i = base_lower(e, base); i < e->nr && !strcmp(path_base(e->v[i]), base); i++) {
		len = strlen(e->v[i]);
		if (len < n || strcmp(e->v[i] + len - n, name) || (len > n && e->v[i][len - n - 1] != '/'))
			continue;
		*several = found != NULL;
		if (*several)
			return found;
		found = e->v[i];
	}
	return found;
}
