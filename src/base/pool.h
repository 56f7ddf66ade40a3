/*
 * pool.h - the same work on many items, on several threads.
 *
 * Items are handed out in order, one at a time, through one atomic counter; which worker gets which item
 * differs from run to run, so results go into per-item slots and are merged in item order.
 */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stddef.h>

/* Called with worker in [0, jobs) and item in [0, nr). */
typedef void (*pool_fn)(void *ctx, int worker, size_t item);

/* Run fn over all items with `jobs` workers (1: in this thread). Returns when all are done. */
void pool_run(int jobs, size_t nr, pool_fn fn, void *ctx);
/* Processors this process may use. */
int pool_cpus(void);

#endif
