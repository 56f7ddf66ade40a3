/*
 * memory.c - the parser's memory.
 *
 * A parse makes and drops a hundred thousand small blocks. They are cut from chunks one behind the other,
 * and when none is in use any more, cutting begins at the front again: that costs a tenth of what malloc()
 * does. The hooks of tree-sitter are given no context, so the pool of the worker that parses stands in a
 * variable of its thread. Large blocks, and all where no pool is in use or a sanitizer is, are malloc()'s
 * own. Before each block stands its size.
 */
#include "py/internal.h"

#include <stdint.h>

#include "base/arena.h"

#define GRAIN	   16u
#define BLOCK_MAX  1024u /* with the head */
#define CHUNK_SIZE (64u << 10)
#define CHUNKS_KEPT 16 /* when cutting begins at the front */

#if defined(__SANITIZE_ADDRESS__)
#define POOL_IN_USE false
#else
#define POOL_IN_USE true
#endif

/* The block itself stands on a border of 8 bytes, which is what tree-sitter needs. */
struct block_head {
	bool pooled;
	uint32_t size; /* of the block */
};

struct block_free {
	struct block_free *next;
};

struct chunk {
	struct chunk *next;
	uint64_t unused; /* heads stand on borders of GRAIN bytes */
};

struct py_memory {
	struct chunk *first, *current;
	char *at, *end; /* what is left of the current one */
	size_t in_use;	/* blocks */
	struct block_free *free[BLOCK_MAX / GRAIN + 1];
};

static _Thread_local struct py_memory *memory_current;

/* Bytes with the head that a block of the pool takes. */
static size_t block_room(size_t size)
{
	return (size + sizeof(struct block_head) + GRAIN - 1) & ~(size_t)(GRAIN - 1);
}

static void chunk_begin(struct py_memory *m, struct chunk *c)
{
	m->current = c;
	m->at = c ? (char *)(c + 1) : NULL;
	m->end = c ? (char *)c + CHUNK_SIZE : NULL;
}

static void chunk_next(struct py_memory *m)
{
	struct chunk **link = m->current ? &m->current->next : &m->first;

	if (!*link) {
		*link = xmalloc(CHUNK_SIZE);
		(*link)->next = NULL;
	}
	chunk_begin(m, *link);
}

static void chunks_free(struct chunk **link)
{
	struct chunk *c = *link, *next;

	*link = NULL;
	for (; c; c = next) {
		next = c->next;
		free(c);
	}
}

static void *memory_malloc(size_t size)
{
	struct py_memory *m = memory_current;
	size_t room = block_room(size);
	struct block_head *head;
	struct block_free *f;

	if (size >= UINT32_MAX)
		die("out of memory (%zu bytes wanted)", size);
	if (!m || room > BLOCK_MAX) {
		head = xmalloc(sizeof(*head) + size);
		head->pooled = false;
		head->size = (uint32_t)size;
		return head + 1;
	}
	m->in_use++;
	f = m->free[room / GRAIN];
	if (f) {
		m->free[room / GRAIN] = f->next;
		return f;
	}
	if ((size_t)(m->end - m->at) < room)
		chunk_next(m);
	head = (struct block_head *)(void *)m->at;
	m->at += room;
	head->pooled = true;
	head->size = (uint32_t)(room - sizeof(*head));
	return head + 1;
}

static void *memory_calloc(size_t nr, size_t size)
{
	void *p;

	if (size && nr > UINT32_MAX / size)
		die("out of memory (%zu objects of %zu bytes wanted)", nr, size);
	p = memory_malloc(nr * size);
	memset(p, 0, nr * size);
	return p;
}

static void memory_free(void *p)
{
	struct block_head *head = p ? (struct block_head *)p - 1 : NULL;
	struct py_memory *m = memory_current;
	struct block_free *f = p;

	if (!head)
		return;
	if (!head->pooled) {
		free(head);
		return;
	}
	if (!m)
		BUG("a block of a pool that is not in use");
	m->in_use--;
	f->next = m->free[block_room(head->size) / GRAIN];
	m->free[block_room(head->size) / GRAIN] = f;
}

static void *memory_realloc(void *old, size_t size)
{
	struct block_head *head = old ? (struct block_head *)old - 1 : NULL;
	void *p;

	if (head && head->pooled && size <= head->size)
		return old;
	if (head && !head->pooled && size < UINT32_MAX) {
		head = xrealloc(head, sizeof(*head) + size);
		head->size = (uint32_t)size;
		return head + 1;
	}
	p = memory_malloc(size);
	if (head)
		memcpy(p, old, head->size);
	memory_free(old);
	return p;
}

/* Before main(): no block may be older than the hooks that free it. */
static void __attribute__((constructor)) memory_hooks(void)
{
	ts_set_allocator(memory_malloc, memory_calloc, memory_realloc, memory_free);
}

void memory_use(struct py_memory *m)
{
	memory_current = POOL_IN_USE ? m : NULL;
}

void memory_rewind(struct py_memory *m)
{
	struct chunk *c = m->first;
	int i;

	if (m->in_use || !c)
		return;
	memset(m->free, 0, sizeof(m->free));
	for (i = 1; i < CHUNKS_KEPT && c->next; i++)
		c = c->next;
	chunks_free(&c->next);
	chunk_begin(m, m->first);
}

struct py_memory *memory_new(void)
{
	return xcalloc(1, sizeof(struct py_memory));
}

void memory_delete(struct py_memory *m)
{
	if (memory_current == m)
		memory_current = NULL;
	chunks_free(&m->first);
	free(m);
}
