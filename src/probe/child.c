/*
 * child.c - start a child, read what it says within limits, leave nothing of it.
 *
 * A child leads a process group of its own. It writes its report to descriptor 3, a word, a tab and a
 * value a line; what it or foreign code prints otherwise is kept apart. At its end the whole group is
 * killed before the leader is reaped, so that the number cannot be another's by then; what left the group
 * comes back to us, the subreaper, and is killed by its own number.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fs.h"
#include "probe/probe.h"

#define REPORT_FD    3
#define SAID_MAX     ((size_t)256 << 10) /* more is a flood */
#define REPORT_MAX   ((size_t)4 << 20)
#define SAID_KEPT    ((size_t)2000)
#define STEP_MS	     10
#define ORPHAN_TURNS 100
#define PATH_SELF    "/proc/self/exe"

extern char **environ;

struct reading {
	int said, report; /* -1: at its end */
	struct strbuf said_text, report_text;
	bool flood;
};

void proc_read(struct strbuf *out, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char buf[16384];
	ssize_t n;

	if (fd < 0)
		return;
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		strbuf_add(out, buf, (size_t)n);
	close(fd);
}

static long long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

/* ---- the environment ------------------------------------------------------------------------------ */

static bool is_variable(const char *row, const char *name)
{
	size_t n = name ? strcspn(name, "=") : 0;

	return name && !strncmp(row, name, n) && row[n] == '=';
}

static char **child_environ(const struct child *c, struct arena *a)
{
	VEC(char *) v = {0};
	const char *python = getenv("PYTHONPATH");
	char **e;

	for (e = environ; *e; e++)
		if (!is_variable(*e, c->set) && !is_variable(*e, c->unset) &&
		    !is_variable(*e, "PYTHONDONTWRITEBYTECODE") &&
		    !(c->path_first && is_variable(*e, "PYTHONPATH")))
			*VEC_PUSH(a, &v) = *e;
	if (c->set)
		*VEC_PUSH(a, &v) = arena_strdup(a, c->set);
	if (c->path_first)
		*VEC_PUSH(a, &v) = arena_fmt(a, "PYTHONPATH=%s%s%s", c->path_first,
					     python && *python ? ":" : "", python ? python : "");
	/* Importing must not write into the tree that is looked at. */
	*VEC_PUSH(a, &v) = arena_strdup(a, "PYTHONDONTWRITEBYTECODE=1");
	*VEC_PUSH(a, &v) = NULL;
	return v.v;
}

/* ---- the child's side: only calls that are safe behind fork ---------------------------------------- */

static void child_limits(int seconds)
{
	struct rlimit core = {0, 0}, cpu = {(rlim_t)seconds + 1, (rlim_t)seconds + 2};

	setrlimit(RLIMIT_CORE, &core);
	setrlimit(RLIMIT_CPU, &cpu);
}

static void child_start(const struct child *c, char **argv, char **env, int in, int said, int report)
	__attribute__((noreturn));
static void child_start(const struct child *c, char **argv, char **env, int in, int said, int report)
{
	const char *path = c->argv[0] ? c->argv[0] : PATH_SELF;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGPIPE, SIG_DFL);
	child_limits(c->seconds);
	if (dup2(in, STDIN_FILENO) < 0 || dup2(said, STDOUT_FILENO) < 0 ||
	    dup2(said, STDERR_FILENO) < 0 || dup2(report, REPORT_FD) < 0)
		_exit(127);
	if (report == REPORT_FD)
		fcntl(REPORT_FD, F_SETFD, 0);
	close_range(REPORT_FD + 1, ~0u, 0);
	if (!c->dir || !chdir(c->dir))
		execvpe(path, argv, env);
	dprintf(STDERR_FILENO, "cannot run %s: %s\n", path, strerror(errno));
	_exit(127);
}

/* ---- reading ---------------------------------------------------------------------------------------- */

/* Takes what is there; the descriptor is closed and -1 at its end. */
static void read_some(int *fd, struct strbuf *into, size_t max, bool *flood)
{
	char buf[16384];
	ssize_t n = read(*fd, buf, sizeof(buf));

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		close(*fd);
		*fd = -1;
		return;
	}
	if (into->len + (size_t)n > max)
		*flood = true;
	else
		strbuf_add(into, buf, (size_t)n);
}

static bool reading_turn(struct reading *r, int ms)
{
	struct pollfd p[2] = {{.fd = r->said, .events = POLLIN}, {.fd = r->report, .events = POLLIN}};
	int n = poll(p, 2, ms);

	if (n > 0 && p[0].revents)
		read_some(&r->said, &r->said_text, SAID_MAX, &r->flood);
	if (n > 0 && p[1].revents)
		read_some(&r->report, &r->report_text, REPORT_MAX, &r->flood);
	return n > 0;
}

/* ---- the end ---------------------------------------------------------------------------------------- */

/* What outlived the child and its group came to us; the kernel lists it. */
static bool orphans_kill(struct arena *a)
{
	struct strbuf list = STRBUF_INIT;
	const char *p;
	bool any = false;
	char *end;

	proc_read(&list, arena_fmt(a, "/proc/self/task/%d/children", (int)getpid()));
	for (p = list.buf; *p; p = end) {
		long pid = strtol(p, &end, 10);

		if (end == p)
			break;
		kill((pid_t)pid, SIGKILL);
		any = true;
	}
	strbuf_release(&list);
	return any;
}

static void orphans_end(struct arena *a)
{
	int turn;

	for (turn = 0; turn < ORPHAN_TURNS; turn++) {
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		if (!orphans_kill(a))
			return;
		poll(NULL, 0, 1);
	}
}

static void child_reap(pid_t pid, struct child_result *r)
{
	int status = 0;

	kill(-pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (r->end == CHILD_HANG || r->end == CHILD_FLOOD)
		return;
	r->end = WIFSIGNALED(status) ? CHILD_SIGNAL : CHILD_EXIT;
	r->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
	/* The processor limit is as much of a hang as the clock's. */
	if (r->end == CHILD_SIGNAL && r->code == SIGXCPU)
		r->end = CHILD_HANG;
}

static bool child_ended(pid_t pid)
{
	siginfo_t info = {0};

	return !waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid == pid;
}

static void child_wait(pid_t pid, const struct child *c, struct reading *rd, struct child_result *r)
{
	long long limit = now_ms() + c->seconds * 1000LL;
	bool ended = false;

	r->end = CHILD_EXIT;
	while (!ended && r->end == CHILD_EXIT) {
		reading_turn(rd, rd->said < 0 && rd->report < 0 ? 1 : STEP_MS);
		ended = child_ended(pid);
		if (rd->flood)
			r->end = CHILD_FLOOD;
		else if (!ended && now_ms() > limit)
			r->end = CHILD_HANG;
	}
	r->code = c->seconds;
	child_reap(pid, r);
	/* What it wrote before it ended is still in the pipes; they are at their end now. */
	while ((rd->said >= 0 || rd->report >= 0) && !rd->flood && reading_turn(rd, 0))
		;
}

/* ---- the report ------------------------------------------------------------------------------------- */

static void report_rows(struct child_result *r, struct arena *a, const struct strbuf *text)
{
	VEC(struct child_row) v = {0};
	const char *p = text->buf, *end = p + text->len, *nl, *tab;

	for (; p < end && (nl = memchr(p, '\n', (size_t)(end - p))); p = nl + 1) {
		tab = memchr(p, '\t', (size_t)(nl - p));
		if (!tab)
			continue;
		*VEC_PUSH(a, &v) = (struct child_row){
			arena_strndup(a, p, (size_t)(tab - p)),
			arena_strndup(a, tab + 1, (size_t)(nl - tab - 1))};
	}
	r->rows = v.v;
	r->nr_rows = v.nr;
}

static int memory_file(const char *text)
{
	int fd = memfd_create("input", MFD_CLOEXEC);

	if (fd >= 0 && (fs_write_all(fd, text, strlen(text)) || lseek(fd, 0, SEEK_SET))) {
		close(fd);
		return -1;
	}
	return fd;
}

static int not_started(struct child_result *r, int said[2], int report[2], int in)
{
	int fds[5] = {said[0], said[1], report[0], report[1], in}, saved = errno;
	size_t i;

	for (i = 0; i < 5; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	r->end = CHILD_NOT_STARTED;
	r->code = saved;
	return -1;
}

static int child_fork(const struct child *c, struct arena *a, struct reading *rd, pid_t *pid,
		      struct child_result *r)
{
	int said[2] = {-1, -1}, report[2] = {-1, -1}, in;
	char **env = child_environ(c, a);
	VEC(char *) argv = {0};
	const char *const *p;

	*VEC_PUSH(a, &argv) = arena_strdup(a, c->argv[0] ? c->argv[0] : "pdmigrate");
	for (p = c->argv + 1; *p; p++)
		*VEC_PUSH(a, &argv) = (char *)*p;
	*VEC_PUSH(a, &argv) = NULL;
	in = c->input ? memory_file(c->input) : open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (in < 0 || pipe2(said, O_CLOEXEC) || pipe2(report, O_CLOEXEC))
		return not_started(r, said, report, in);
	*pid = fork();
	if (*pid < 0)
		return not_started(r, said, report, in);
	if (!*pid)
		child_start(c, argv.v, env, in, said[1], report[1]);
	setpgid(*pid, *pid);
	close(said[1]);
	close(report[1]);
	close(in);
	rd->said = said[0];
	rd->report = report[0];
	fcntl(rd->said, F_SETFL, O_NONBLOCK);
	fcntl(rd->report, F_SETFL, O_NONBLOCK);
	return 0;
}

struct child_result child_run(const struct child *c, struct arena *a)
{
	struct reading rd = {-1, -1, STRBUF_INIT, STRBUF_INIT, false};
	struct child_result r = {0};
	pid_t pid = -1;
	size_t from;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (!child_fork(c, a, &rd, &pid, &r)) {
		child_wait(pid, c, &rd, &r);
		orphans_end(a);
		if (rd.said >= 0)
			close(rd.said);
		if (rd.report >= 0)
			close(rd.report);
	}
	report_rows(&r, a, &rd.report_text);
	from = rd.said_text.len > SAID_KEPT ? rd.said_text.len - SAID_KEPT : 0;
	r.said = arena_strndup(a, rd.said_text.buf + from, rd.said_text.len - from);
	strbuf_release(&rd.said_text);
	strbuf_release(&rd.report_text);
	return r;
}

const char *child_value(const struct child_result *r, const char *key)
{
	size_t i;

	for (i = 0; i < r->nr_rows; i++)
		if (!strcmp(r->rows[i].key, key))
			return r->rows[i].value;
	return NULL;
}

/* The last line that is not empty: where a traceback or a loader says what it is about. */
static const char *last_line(struct arena *a, const char *said)
{
	size_t n = strlen(said), start;

	while (n && (said[n - 1] == '\n' || said[n - 1] == ' '))
		n--;
	for (start = n; start && said[start - 1] != '\n'; start--)
		;
	return n > start ? arena_strndup(a, said + start, n - start) : NULL;
}

const char *child_words(const struct child_result *r, struct arena *a)
{
	const char *last = r->said ? last_line(a, r->said) : NULL;

	switch (r->end) {
	case CHILD_EXIT:
		return last && r->code ? arena_fmt(a, "exit %d: %s", r->code, last)
				       : arena_fmt(a, "exit %d", r->code);
	case CHILD_SIGNAL:
		return last ? arena_fmt(a, "signal %d: %s", r->code, last)
			    : arena_fmt(a, "signal %d", r->code);
	case CHILD_HANG:
		return arena_fmt(a, "no end within %d s", r->code);
	case CHILD_FLOOD:
		return "printed without end";
	case CHILD_NOT_STARTED:
		return arena_fmt(a, "cannot start: %s", strerror(r->code));
	}
	BUG("child end %d", (int)r->end);
}
