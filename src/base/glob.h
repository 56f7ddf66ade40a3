/* glob.h - shell patterns over model paths: ? * [..] within a part, "**" over parts, {a,b} choices. */
#ifndef BASE_GLOB_H
#define BASE_GLOB_H

#include <stdbool.h>

/*
 * True when `path` matches `pattern`. A pattern without '/' is tried on the last part of the path, one
 * with '/' on the whole path. Work is bounded by the product of both lengths.
 */
bool glob_match(const char *pattern, const char *path);

#endif
