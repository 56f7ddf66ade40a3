/*
 * intern.h - one copy of each name per worker.
 *
 * Within one table equal text has one address. Names of different workers are compared by content
 * (str_eq); nothing is ever ordered by address.
 */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"

struct intern_slot {
	const char *s;
	uint32_t len, hash;
};

/* Zero-initialise and set `arena`, which owns the text. */
struct intern {
	struct arena *arena;
	struct intern_slot *slots;
	size_t nr, size;
};

/* The table's copy of s[0..n), terminated. */
const char *intern(struct intern *t, const char *s, size_t n);
const char *intern_str(struct intern *t, const char *s);

static inline bool str_eq(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static inline bool str_starts(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

static inline bool str_ends(const char *s, const char *suffix)
{
	size_t n = strlen(s), m = strlen(suffix);

	return n >= m && !memcmp(s + n - m, suffix, m);
}

/* XXH3 of the bytes; stable across machines and versions of the program. */
uint64_t hash_bytes(const void *data, size_t len);
/* 128 bits of XXH3 as 32 lower-case hex digits and a terminator. */
void hash_hex(const void *data, size_t len, char out[33]);

#endif
