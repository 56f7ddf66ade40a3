/*
 * arena.h - memory that lives and dies together.
 *
 * One arena per worker and per run; nobody frees single objects. An allocation that cannot be had ends
 * the process (status 2): there is nothing to roll back while reading. In debug builds (PDM_DEBUG) each
 * request is its own malloc, so that the sanitizers see every overrun.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_block;

/* Zero-initialise, then use; arena_free() gives everything back and leaves it ready for use. */
struct arena {
	struct arena_block *blocks;
	struct arena_block *spare; /* kept by arena_reset for the next round */
	size_t used, size; /* bytes in the newest block */
	size_t total;      /* bytes asked for, for --timing */
};

/* `size` zeroed bytes, aligned for any object. Never NULL. */
void *arena_alloc(struct arena *a, size_t size);
/* As arena_alloc for `nr` objects; a product that overflows is a BUG. */
void *arena_array(struct arena *a, size_t nr, size_t size);
/* Copies of text, always terminated. */
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_fmt(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void arena_free(struct arena *a);
/* Forget everything, keep the memory: for scratch that is filled again and again. */
void arena_reset(struct arena *a);

#define ARENA_NEW(a, type) ((type *)arena_alloc((a), sizeof(type)))

/* malloc and realloc that die(); for the few objects that do not live in an arena. */
void *xmalloc(size_t size);
void *xrealloc(void *p, size_t size);
void *xcalloc(size_t nr, size_t size);

#endif
