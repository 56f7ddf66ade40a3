/* dump.c - `coverage dump`: the one place of this stage that runs something. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cover/commands.h"

#define SCRIPT   "dump/coverage_dump.py"
#define LIMIT_MS (10 * 60 * 1000)
#define STEP_MS  50

extern char **environ;

static int dump_spawn(pid_t *pid, int script_fd, const char *python, const char *outdir,
		      struct err *err)
{
	char dash[] = "-";
	char *argv[] = {(char *)python, dash, (char *)outdir, NULL};
	posix_spawn_file_actions_t act;
	int ret;

	posix_spawn_file_actions_init(&act);
	posix_spawn_file_actions_adddup2(&act, script_fd, STDIN_FILENO);
	/* Results on our standard output are ours alone. */
	posix_spawn_file_actions_adddup2(&act, STDERR_FILENO, STDOUT_FILENO);
	ret = posix_spawnp(pid, python, &act, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&act);
	if (!ret)
		return 0;
	errno = ret;
	return err_errno(err, "cannot run '%s'", python);
}

static int dump_wait(pid_t pid, const char *python, struct err *err)
{
	int status = 0, waited = 0;
	pid_t got;

	for (;;) {
		got = waitpid(pid, &status, WNOHANG);
		if (got == pid)
			break;
		if (got < 0 && errno != EINTR)
			return err_errno(err, "cannot wait for '%s'", python);
		if (waited >= LIMIT_MS) {
			kill(pid, SIGKILL);
			while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
				;
			return err_set(err, "'%s' did not end in time", python);
		}
		poll(NULL, 0, STEP_MS);
		waited += STEP_MS;
	}
	if (WIFSIGNALED(status))
		return err_set(err, "'%s' was ended by signal %d", python, WTERMSIG(status));
	if (WEXITSTATUS(status))
		return err_set(err, "'%s' ended with status %d", python, WEXITSTATUS(status));
	return 0;
}

/* A file without a name that holds the script: a pipe could block on what the child does not read.
 */
static int script_open(const struct asset *script, struct err *err)
{
	FILE *f = tmpfile();
	int fd;

	if (!f)
		return err_errno(err, "cannot make a temporary file");
	if (fwrite(script->data, 1, script->len, f) != script->len || fflush(f) ||
	    fseek(f, 0, SEEK_SET)) {
		fclose(f);
		return err_errno(err, "cannot write a temporary file");
	}
	fd = fcntl(fileno(f), F_DUPFD_CLOEXEC, 3);
	fclose(f);
	return fd < 0 ? err_errno(err, "cannot write a temporary file") : fd;
}

int cover_dump(const struct assets *assets, const char *python, const char *outdir, struct err *err)
{
	const struct asset *script = asset_get(assets, SCRIPT);
	pid_t pid;
	int fd, ret;

	if (!script)
		return err_set(err, "no dump script in the rules");
	fd = script_open(script, err);
	if (fd < 0)
		return -1;
	fprintf(stderr, "running: %s - %s (the dump script on its standard input)\n", python,
		outdir);
	ret = dump_spawn(&pid, fd, python, outdir, err);
	if (!ret)
		ret = dump_wait(pid, python, err);
	close(fd);
	return ret;
}
