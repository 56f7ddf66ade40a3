/*
 * farm.c - worker processes: started, fed and watched.
 *
 * One process a job. First comes a unit for each precompiled header, then what takes longest, so that
 * workers neither wait for one another nor end far apart. A worker that ends or does not answer
 * costs its unit one notice; the next unit gets a new process. The first that cannot load libclang
 * says why, and nothing is parsed.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/pool.h"
#include "cxx/exact.h"
#include "cxx/parse.h"

#define TREE_FD	     3
#define WALL_SECONDS 180
#define REASON_MAX   256
#define UNIT_SECONDS 40
#define ALL_SECONDS  600
#define SELF	     "/proc/self/exe"

extern char **environ;

struct process {
	pid_t pid;    /* 0: none */
	int in, out;  /* ours: requests go to `in` */
};

struct farm {
	const struct parse *p;
	const struct units *units;
	struct answer **answers;
	struct process *processes; /* one a job */
	struct strbuf setup;
	atomic_bool refused;  /* workers cannot load what they need */
	char (*reasons)[REASON_MAX]; /* one a job */
	const char **failed;  /* one a unit: why there is no answer */
	size_t *order;	      /* of the units */
	atomic_uint_least64_t ms; /* of the processor that workers have used */
	atomic_size_t left;   /* units that came after all time was used */
};

static void process_end(struct process *p)
{
	if (!p->pid)
		return;
	close(p->in);
	close(p->out);
	kill(p->pid, SIGKILL);
	while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
		;
	p->pid = 0;
}

static int process_spawn(struct process *p, int dirfd, const int to[2], const int from[2])
{
	char *argv[] = {(char[]){"pdmigrate"}, (char[]){CXX_WORKER_ARG}, NULL};
	posix_spawn_file_actions_t fa;
	int ret;

	posix_spawn_file_actions_init(&fa);
	/* Copies above the standard ones first: the targets may be taken by what is copied. */
	posix_spawn_file_actions_adddup2(&fa, dirfd, TREE_FD);
	posix_spawn_file_actions_adddup2(&fa, to[0], STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&fa, from[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&fa, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	ret = posix_spawn(&p->pid, SELF, &fa, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&fa);
	return ret ? -1 : 0;
}

/* A descriptor that is not one of the four that the worker gets. */
static int fd_above(int fd)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, TREE_FD + 1);

	close(fd);
	return copy;
}

static int process_pipes(int to[2], int from[2])
{
	int i;

	if (pipe2(to, O_CLOEXEC))
		return -1;
	if (pipe2(from, O_CLOEXEC)) {
		close(to[0]);
		close(to[1]);
		return -1;
	}
	for (i = 0; i < 2; i++) {
		to[i] = fd_above(to[i]);
		from[i] = fd_above(from[i]);
	}
	return 0;
}

/* 0, or -1 when it cannot be; then `why` has what the worker says. */
static int process_start(struct farm *f, struct process *p, char why[REASON_MAX])
{
	struct strbuf sb = STRBUF_INIT;
	int to[2], from[2], ret, dirfd;

	if (process_pipes(to, from))
		return -1;
	dirfd = fcntl(f->p->repo->dirfd, F_DUPFD_CLOEXEC, TREE_FD + 1);
	ret = process_spawn(p, dirfd, to, from);
	close(dirfd);
	close(to[0]);
	close(from[1]);
	p->in = to[1];
	p->out = from[0];
	if (ret) {
		p->pid = 0;
		close(p->in);
		close(p->out);
		snprintf(why, REASON_MAX, "no worker process can be started");
		return -1;
	}
	snprintf(why, REASON_MAX, "the worker process ends");
	ret = wire_send(p->in, &f->setup) || wire_recv(p->out, &sb, WALL_SECONDS) ? -1 : 0;
	if (!ret && sb.len) {
		snprintf(why, REASON_MAX, "%s", sb.buf);
		ret = -1;
	}
	strbuf_release(&sb);
	if (ret)
		process_end(p);
	return ret;
}

/* How a worker ended, in words that do not depend on the machine's load. */
static const char *process_words(struct process *p)
{
	int status = 0;
	pid_t got = waitpid(p->pid, &status, WNOHANG), i;

	/* The pipe closes a moment before the process is gone. */
	for (i = 0; !got && i < 100; i++) {
		usleep(5000);
		got = waitpid(p->pid, &status, WNOHANG);
	}
	if (got != p->pid)
		return "libclang gave no answer in time";
	close(p->in);
	close(p->out);
	p->pid = 0;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
		return "libclang took too long";
	return "libclang failed";
}

static unsigned unit_seconds(const struct farm *f)
{
	return f->p->o->unit_seconds ? f->p->o->unit_seconds : UNIT_SECONDS;
}

static unsigned all_seconds(const struct farm *f)
{
	return f->p->o->all_seconds ? f->p->o->all_seconds : ALL_SECONDS;
}

/* Is there a process for the job, and time for a unit? */
static bool farm_ready(struct farm *f, int job)
{
	struct process *p = &f->processes[job];

	if (atomic_load(&f->refused))
		return false;
	if (atomic_load(&f->ms) >= all_seconds(f) * UINT64_C(1000)) {
		atomic_fetch_add(&f->left, 1);
		return false;
	}
	if (!p->pid && process_start(f, p, f->reasons[job]))
		atomic_store(&f->refused, true);
	return p->pid;
}

static void farm_step(void *ctx, int job, size_t place)
{
	struct farm *f = ctx;
	struct process *p = &f->processes[job];
	size_t item = f->order[place];
	const struct unit *u = &f->units->v[item];
	struct strbuf sb = STRBUF_INIT;
	struct arena *a = f->p->o->arenas[job];
	struct wire_in in;
	struct answer *x;

	if (!farm_ready(f, job))
		return;
	unit_put(&sb, u);
	if (wire_send(p->in, &sb) || wire_recv(p->out, &sb, WALL_SECONDS)) {
		f->failed[item] = process_words(p);
		process_end(p);
		atomic_fetch_add(&f->ms, unit_seconds(f) * UINT64_C(1000));
	} else if (sb.len) {
		x = ARENA_NEW(a, struct answer);
		in = (struct wire_in){sb.buf, sb.buf + sb.len, false};
		answer_get(&in, x, u->files.nr, a);
		f->answers[item] = in.bad ? NULL : x;
		atomic_fetch_add(&f->ms, x->ms);
	}
	if (!f->answers[item] && !f->failed[item])
		f->failed[item] = "libclang failed";
	strbuf_release(&sb);
}

/* Is there a C++ library? Its headers lie below /usr/include/c++/N. */
static bool library_there(void)
{
	DIR *dir = opendir("/usr/include/c++");
	const struct dirent *e;
	bool found = false;
	char path[512];

	while (dir && !found && (e = readdir(dir))) {
		if (*e->d_name == '.')
			continue;
		snprintf(path, sizeof(path), "/usr/include/c++/%s/vector", e->d_name);
		found = !access(path, R_OK);
	}
	if (dir)
		closedir(dir);
	return found;
}

static void setup_make(struct farm *f, struct notices *notices)
{
	const struct cxx_parse_options *o = f->p->o;
	struct worker_setup s = {.version = o->targets[0].version,
				 .build = o->targets[0].build,
				 .rules_dir = o->rules_dir,
				 .seconds = unit_seconds(f)};
	const char *const *p, *why = NULL;

	for (p = o->vocab->cxx_tokens; p && *p; p++)
		strings_add(&s.tokens, f->p->arena, *p);
	for (p = o->vocab->cxx_headers; p && *p; p++)
		strings_add(&s.headers, f->p->arena, *p);
	if (o->site)
		why = exact_find(&s, o->site, o->assets, f->p->arena);
	if (why)
		notice_add(notices, f->p->arena, NULL, "parse",
			   "C++ and CUDA sources are parsed against stubs: %s", why);
	setup_put(&f->setup, &s);
}

static void farm_notices(struct farm *f, struct notices *notices)
{
	const char *why = NULL;
	size_t i;

	for (i = 0; i < (size_t)f->p->o->jobs && !why; i++)
		why = *f->reasons[i] ? f->reasons[i] : NULL;
	if (atomic_load(&f->refused)) {
		notice_add(notices, f->p->arena, NULL, "parse",
			   "C++ and CUDA sources are read by their text alone: %s",
			   why ? why : "no worker process can be started");
		memset(f->answers, 0, f->units->nr * sizeof(*f->answers));
		return;
	}
	if (atomic_load(&f->left))
		notice_add(notices, f->p->arena, NULL, "parse",
			   "%zu of %zu C++ and CUDA units are read by their text alone: "
			   "%u seconds of the processor are used up",
			   atomic_load(&f->left), f->units->nr, all_seconds(f));
	for (i = 0; i < f->units->nr; i++)
		if (f->failed[i])
			notice_add(notices, f->p->arena, f->units->v[i].path, "parse",
				   "%s: read by its text alone", f->failed[i]);
}

/* How long a unit takes, in bytes: to go without a precompiled header is as much work as a big unit. */
static size_t unit_cost(const struct unit *u)
{
	return u->bytes + (u->pch_make ? 0 : 512u << 10);
}

static int order_compare(const void *a, const void *b, void *ctx)
{
	const struct unit *v = ctx;
	size_t x = *(const size_t *)a, y = *(const size_t *)b, cx = unit_cost(&v[x]), cy = unit_cost(&v[y]);

	if (cx != cy)
		return cx < cy ? 1 : -1;
	return (x > y) - (x < y);
}

static void order_make(struct farm *f)
{
	const struct units *u = f->units;
	size_t nr = 0, i, k, first;

	f->order = arena_array(f->p->arena, u->nr + 1, sizeof(*f->order));
	for (i = 0; i < u->nr; i++)
		f->order[i] = i;
	qsort_r(f->order, u->nr, sizeof(*f->order), order_compare, u->v);
	for (i = 0; i < u->nr; i++) {
		first = f->order[i];
		for (k = 0; k < nr && !unit_pch_same(&u->v[f->order[k]], &u->v[first]); k++)
			;
		if (k < nr || !u->v[first].pch_make)
			continue;
		memmove(&f->order[nr + 1], &f->order[nr], (i - nr) * sizeof(*f->order));
		f->order[nr++] = first;
	}
}

void farm_run(const struct parse *p, const struct units *units, struct answer **answers,
	      struct notices *notices)
{
	struct farm f = {.p = p, .units = units, .answers = answers, .setup = STRBUF_INIT};
	int jobs = p->o->jobs, i;

	if (!library_there()) {
		notice_add(notices, p->arena, NULL, "parse",
			   "C++ and CUDA sources are read by their text alone: "
			   "no headers of a C++ library below /usr/include/c++");
		return;
	}
	f.processes = arena_array(p->arena, (size_t)jobs, sizeof(*f.processes));
	f.reasons = arena_array(p->arena, (size_t)jobs, sizeof(*f.reasons));
	f.failed = arena_array(p->arena, units->nr, sizeof(*f.failed));
	setup_make(&f, notices);
	order_make(&f);
	pool_run(jobs, units->nr, farm_step, &f);
	for (i = 0; i < jobs; i++)
		process_end(&f.processes[i]);
	farm_notices(&f, notices);
	strbuf_release(&f.setup);
}
