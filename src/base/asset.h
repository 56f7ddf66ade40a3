/*
 * asset.h - the knowledge the binary carries, or a folder in its place.
 *
 * All of rules/ is put into the binary at build time, sorted by path bytes. With --rules DIR the same
 * paths are read from DIR. Paths are relative to rules/ ("build/PD101.yml").
 */
#ifndef BASE_ASSET_H
#define BASE_ASSET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/yaml.h"

struct asset {
	const char *path;
	const char *data; /* terminated by a NUL that is not counted */
	size_t len;
};

struct assets {
	const struct asset *v; /* sorted by path bytes */
	size_t nr;
	const char *dir; /* where they were read from, NULL for the binary's own */
	/* Of the binary's own: the trees of those that are YAML, for yaml_unpack(); else NULL. */
	const void *const *trees;
};

/* The binary's own (dir NULL) or those below `dir`, which live in `a`. */
int assets_load(struct assets *as, struct arena *a, const char *dir, struct err *err);
const struct asset *asset_get(const struct assets *as, const char *path);
/* Index of the first asset whose path starts with `prefix`; *nr gets their number. */
size_t asset_range(const struct assets *as, const char *prefix, size_t *nr);
/* How to name the asset in a message: DIR/path, or rules/path for the binary's own. */
const char *asset_name(const struct assets *as, struct arena *a, const char *path);
/* The tree of one of `as` that is YAML, in `a`: as the build left it, else from its text. */
int asset_yaml(struct yaml **out, struct arena *a, const struct assets *as, const struct asset *asset,
	       struct err *err);

#endif
