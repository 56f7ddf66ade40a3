/*
 * path.h - text operations on paths; no file system here.
 *
 * Paths of the model are relative to the root, use '/', and never hold '.', '..' or empty parts. Bytes
 * may be anything but NUL.
 */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/strbuf.h"

/* The part after the last '/', inside `path`. */
const char *path_base(const char *path);
/* Length of the part before the last '/', 0 where there is none. */
size_t path_dirlen(const char *path);
/* The extension of the last part with its dot, "" where there is none (also for ".name"). */
const char *path_ext(const char *path);
/* "dir/name", or "name" when dir is "". */
char *path_join(struct arena *a, const char *dir, const char *name);
/* True when `path` is `dir` or lies below it ("" holds everything). */
bool path_under(const char *path, const char *dir);
/* Where a folder of that name begins in the path, NULL: it leads through none. */
const char *path_folder(const char *path, const char *name);
/* Resolve `rel` against the folder `dir` ("" is the root) by text alone; NULL when it leaves the root. */
char *path_resolve(struct arena *a, const char *dir, const char *rel);
/* Put `path` on one line of a terminal: control bytes become \xNN, the rest is kept. */
void path_print(struct strbuf *out, const char *path);
/* Length of the valid UTF-8 sequence at s (of at most n bytes), 0 when there is none. */
int utf8_seq(const char *s, size_t n);
bool utf8_valid(const char *s, size_t n);

#endif
