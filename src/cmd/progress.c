/* progress.c - one line on a terminal while a run takes longer than half a second; gone at the end.
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/path.h"
#include "cmd/cmd.h"

#define PROGRESS_DELAY_NS 500000000L

struct progress {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool done;
	struct strbuf line;
};

static void *progress_main(void *arg)
{
	struct progress *p = arg;
	struct timespec until;
	int ret = 0;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += PROGRESS_DELAY_NS;
	if (until.tv_nsec >= 1000000000L) {
		until.tv_nsec -= 1000000000L;
		until.tv_sec++;
	}
	pthread_mutex_lock(&p->lock);
	while (!p->done && ret != ETIMEDOUT)
		ret = pthread_cond_timedwait(&p->wake, &p->lock, &until);
	if (!p->done)
		fputs(p->line.buf, stderr);
	while (!p->done)
		pthread_cond_wait(&p->wake, &p->lock);
	if (ret == ETIMEDOUT)
		fputs("\r\x1b[K", stderr);
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

static struct progress *progress_start(const struct cmd *c, const char *what)
{
	struct progress *p;

	if (c->o.run.quiet || !isatty(STDERR_FILENO))
		return NULL;
	p = xcalloc(1, sizeof(*p));
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->wake, NULL);
	strbuf_init(&p->line);
	strbuf_addstr(&p->line, "reading ");
	path_print(&p->line, what);
	strbuf_addstr(&p->line, " ...");
	if (!pthread_create(&p->thread, NULL, progress_main, p))
		return p;
	strbuf_release(&p->line);
	free(p);
	return NULL;
}

static void progress_stop(struct progress *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->done = true;
	pthread_cond_signal(&p->wake);
	pthread_mutex_unlock(&p->lock);
	pthread_join(p->thread, NULL);
	strbuf_release(&p->line);
	free(p);
}

int progress_run(struct run **run, const struct cmd *c, enum run_until until, struct err *err)
{
	struct progress *p = progress_start(c, c->o.run.path);
	int ret = run_line(run, &c->o.run, until, err);

	progress_stop(p);
	return ret;
}
