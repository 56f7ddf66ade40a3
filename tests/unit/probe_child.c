/* Children: how they may end, and that nothing of them is left. */
#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/probe.h"

static struct child_result shell(struct arena *a, const char *script, int seconds)
{
	const char *argv[] = {"sh", "-c", script, NULL};
	struct child c = {.argv = argv, .seconds = seconds};

	return child_run(&c, a);
}

static int descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int nr = 0;

	while (dir && readdir(dir))
		nr++;
	closedir(dir);
	return nr;
}

UNIT_TEST(child_ends)
{
	struct arena a = {0};
	struct child_result r = shell(&a, "echo hello; printf 'key\\tvalue\\nno tab\\n' >&3; exit 3", 10);

	ck_assert_int_eq(r.end, CHILD_EXIT);
	ck_assert_int_eq(r.code, 3);
	ck_assert_str_eq(child_value(&r, "key"), "value");
	ck_assert_ptr_null(child_value(&r, "no tab"));
	ck_assert_str_eq(child_words(&r, &a), "exit 3: hello");
	r = shell(&a, "kill -ABRT $$", 10);
	ck_assert_int_eq(r.end, CHILD_SIGNAL);
	ck_assert_str_eq(child_words(&r, &a), "signal 6");
	r = shell(&a, "printf 'stage\\tload\\n' >&3; sleep 60", 1);
	ck_assert_int_eq(r.end, CHILD_HANG);
	ck_assert_str_eq(child_value(&r, "stage"), "load");
	r = shell(&a, "yes", 10);
	ck_assert_int_eq(r.end, CHILD_FLOOD);
	r = shell(&a, "yes 'a\tb' >&3", 10);
	ck_assert_int_eq(r.end, CHILD_FLOOD);
	arena_free(&a);
}

UNIT_TEST(child_that_cannot_run)
{
	const char *argv[] = {"/nonexistent/program", NULL};
	struct child c = {.argv = argv, .seconds = 5};
	struct arena a = {0};
	struct child_result r = child_run(&c, &a);

	ck_assert_int_eq(r.end, CHILD_EXIT);
	ck_assert_int_eq(r.code, 127);
	ck_assert(strstr(child_words(&r, &a), "cannot run /nonexistent/program"));
	arena_free(&a);
}

UNIT_TEST(child_input_and_environment)
{
	const char *argv[] = {"sh", "-c", "cat; echo $A-$B-$PYTHONPATH-$(pwd)", NULL};
	struct child c = {.argv = argv, .set = "A=1", .unset = "B", .path_first = "/first",
			  .dir = "/", .input = "text ", .seconds = 10};
	struct arena a = {0};
	struct child_result r;

	setenv("B", "2", 1);
	setenv("PYTHONPATH", "/second", 1);
	r = child_run(&c, &a);
	ck_assert_str_eq(r.said, "text 1--/first:/second-/\n");
	arena_free(&a);
}

/* Waits for a process to be gone; what was killed may take a moment. */
static bool gone(pid_t pid)
{
	int i;

	for (i = 0; i < 200; i++) {
		if (kill(pid, 0) && errno == ESRCH)
			return true;
		usleep(10000);
	}
	return false;
}

UNIT_TEST(child_leaves_nothing)
{
	static const char *const scripts[] = {
		/* In its group; in a session of its own; with the pipes held open. */
		"sleep 60 >/dev/null 2>&1 3>&- & printf 'pid\\t%d\\n' $! >&3",
		"setsid sleep 60 >/dev/null 2>&1 3>&- & printf 'pid\\t%d\\n' $! >&3; sleep 0.2",
		"setsid sleep 60 & printf 'pid\\t%d\\n' $! >&3; sleep 0.2",
	};
	int before = descriptors();
	struct arena a = {0};
	size_t i;

	for (i = 0; i < sizeof(scripts) / sizeof(*scripts); i++) {
		struct child_result r = shell(&a, scripts[i], 10);
		const char *pid = child_value(&r, "pid");

		ck_assert_int_eq(r.end, CHILD_EXIT);
		ck_assert_ptr_nonnull(pid);
		ck_assert_msg(gone((pid_t)strtol(pid, NULL, 10)), "%s", scripts[i]);
	}
	for (i = 0; i < 200; i++)
		shell(&a, "exit 0", 10);
	ck_assert_int_eq(descriptors(), before);
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	ck_assert_int_eq(errno, ECHILD);
	arena_free(&a);
}
