/* arena.c - see arena.h. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fault.h"

#define ARENA_BLOCK (64 * 1024)
#define ARENA_ALIGN 16
#define ARENA_KEPT (4u << 20) /* bytes that arena_reset keeps at most */

struct arena_block {
	struct arena_block *next;
	size_t size;
	_Alignas(ARENA_ALIGN) unsigned char data[];
};

void *xmalloc(size_t size)
{
	void *p = fault_hit(FAULT_ALLOC) ? NULL : malloc(size ? size : 1);

	if (!p)
		die("out of memory (%zu bytes wanted)", size);
	return p;
}

void *xrealloc(void *old, size_t size)
{
	void *p = fault_hit(FAULT_ALLOC) ? NULL : realloc(old, size ? size : 1);

	if (!p)
		die("out of memory (%zu bytes wanted)", size);
	return p;
}

void *xcalloc(size_t nr, size_t size)
{
	void *p = fault_hit(FAULT_ALLOC) ? NULL : calloc(nr ? nr : 1, size ? size : 1);

	if (!p)
		die("out of memory (%zu objects of %zu bytes wanted)", nr, size);
	return p;
}

/* A kept block that fits without wasting more than it holds, NULL when there is none. */
static struct arena_block *arena_spare(struct arena *a, size_t size)
{
	struct arena_block **p, *b;

	for (p = &a->spare; (b = *p); p = &b->next) {
		if (b->size < size || b->size / 2 > size)
			continue;
		*p = b->next;
		return b;
	}
	return NULL;
}

static void *arena_block_new(struct arena *a, size_t size)
{
	struct arena_block *b = arena_spare(a, size);

	if (!b) {
		b = xmalloc(sizeof(*b) + size);
		b->size = size;
	}
	b->next = a->blocks;
	a->blocks = b;
	return b->data;
}

void *arena_alloc(struct arena *a, size_t size)
{
	void *p;

	if (size > SIZE_MAX / 2)
		BUG("arena request of %zu bytes", size);
	size = (size + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
	a->total += size;
#ifdef PDM_DEBUG
	return memset(arena_block_new(a, size), 0, size);
#endif
	if (size > ARENA_BLOCK / 4) {
		/* A block of its own goes behind the newest, which stays open. */
		struct arena_block *top = a->blocks;

		p = arena_block_new(a, size);
		if (top) {
			struct arena_block *own = a->blocks;

			own->next = top->next;
			top->next = own;
			a->blocks = top;
		} else {
			a->used = a->size = 0;
		}
		return memset(p, 0, size);
	}
	if (!a->blocks || a->size - a->used < size) {
		arena_block_new(a, ARENA_BLOCK);
		a->used = 0;
		a->size = ARENA_BLOCK;
	}
	p = a->blocks->data + a->used;
	a->used += size;
	return memset(p, 0, size);
}

void *arena_array(struct arena *a, size_t nr, size_t size)
{
	if (size && nr > SIZE_MAX / 4 / size)
		BUG("arena array of %zu times %zu bytes", nr, size);
	return arena_alloc(a, nr * size);
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *p = arena_alloc(a, n + 1);

	memcpy(p, s, n);
	p[n] = 0;
	return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *arena_fmt(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *p;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		BUG("bad format '%s'", fmt);
	p = arena_alloc(a, (size_t)n + 1);
	va_start(ap, fmt);
	vsnprintf(p, (size_t)n + 1, fmt, ap);
	va_end(ap);
	return p;
}

static void arena_blocks_free(struct arena_block *b)
{
	struct arena_block *next;

	for (; b; b = next) {
		next = b->next;
		free(b);
	}
}

void arena_free(struct arena *a)
{
	arena_blocks_free(a->blocks);
	arena_blocks_free(a->spare);
	memset(a, 0, sizeof(*a));
}

void arena_reset(struct arena *a)
{
	struct arena_block *b, *next, *kept = NULL;
	size_t bytes = 0;

#ifdef PDM_DEBUG
	arena_free(a);
	return;
#endif
	arena_blocks_free(a->spare);
	for (b = a->blocks; b; b = next) {
		next = b->next;
		if (bytes + b->size > ARENA_KEPT) {
			free(b);
			continue;
		}
		bytes += b->size;
		b->next = kept;
		kept = b;
	}
	memset(a, 0, sizeof(*a));
	a->spare = kept;
}
