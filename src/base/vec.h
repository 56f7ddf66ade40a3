/*
 * vec.h - arrays that grow, held in an arena.
 *
 *	struct { struct span *v; size_t nr, alloc; } spans = {0};
 *	*VEC_PUSH(arena, &spans) = span;
 *
 * VEC_PUSH returns a pointer to a new zeroed element; it is valid until the next push. The old block
 * stays in the arena when the array moves: growth doubles, so at most half is lost.
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stddef.h>
#include <string.h>

#include "base/arena.h"

/* Declare a vector type with element `type`. */
#define VEC(type)                                                                                  \
	struct {                                                                                   \
		type *v;                                                                           \
		size_t nr, alloc;                                                                  \
	}

#define VEC_PUSH(arena, vec)                                                                       \
	(((vec)->nr == (vec)->alloc ? vec_grow((arena), (void **)&(vec)->v, &(vec)->alloc,         \
					       (vec)->nr, sizeof(*(vec)->v))                       \
				    : (void)0),                                                    \
	 &(vec)->v[(vec)->nr++])

static inline void vec_grow(struct arena *a, void **v, size_t *alloc, size_t nr, size_t size)
{
	size_t want = *alloc ? *alloc * 2 : 8;
	void *p = arena_array(a, want, size);

	if (nr)
		memcpy(p, *v, nr * size);
	*v = p;
	*alloc = want;
}

#endif
