/* pool.c - see pool.h. */
#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "base/arena.h"
#include "base/err.h"

/* tree-sitter and our walkers recurse; the default of some systems is far smaller. */
#define POOL_STACK (16u << 20)

struct pool {
	atomic_size_t next;
	size_t nr;
	pool_fn fn;
	void *ctx;
};

struct pool_worker {
	struct pool *pool;
	int id;
	pthread_t thread;
};

static void *pool_main(void *arg)
{
	struct pool_worker *w = arg;
	size_t i;

	while ((i = atomic_fetch_add(&w->pool->next, 1)) < w->pool->nr)
		w->pool->fn(w->pool->ctx, w->id, i);
	return NULL;
}

void pool_run(int jobs, size_t nr, pool_fn fn, void *ctx)
{
	struct pool pool = { .nr = nr, .fn = fn, .ctx = ctx };
	struct pool_worker *w;
	pthread_attr_t attr;
	int i, started = 0;

	if (jobs <= 1 || nr <= 1) {
		size_t item;

		for (item = 0; item < nr; item++)
			fn(ctx, 0, item);
		return;
	}
	w = xcalloc((size_t)jobs, sizeof(*w));
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, POOL_STACK);
	for (i = 0; i < jobs; i++) {
		w[i].pool = &pool;
		w[i].id = i;
		/* Fewer threads than asked for is slower, not wrong: this thread takes over below. */
		if (i && pthread_create(&w[i].thread, &attr, pool_main, &w[i]))
			break;
		started = i;
	}
	pthread_attr_destroy(&attr);
	pool_main(&w[0]);
	for (i = 1; i <= started; i++)
		pthread_join(w[i].thread, NULL);
	free(w);
}

int pool_cpus(void)
{
	cpu_set_t set;
	int n;

	if (sched_getaffinity(0, sizeof(set), &set))
		return 1;
	n = CPU_COUNT(&set);
	return n < 1 ? 1 : n;
}
