/* patch_write.c - trees written, undone and recovered; files and folders that are created. */
#include "unit.h"

#include <errno.h>
#include <limits.h>
#include <sys/wait.h>

#include "patch/internal.h"
#include "patch_help.h"

/* Two files that change and one that is created, two folders deep. */
static void bench_three(struct bench *b)
{
	struct finding *f;

	bench_open(b);
	bench_file(b, "a.py", "one\n");
	bench_file(b, "b.py", "two\n");
	f = bench_finding(b, "PD900", "a.py");
	bench_edit(b, f, 0, 3, "ONE");
	bench_create(b, f, "new/deep/c.h", "three\n", 0644);
	f = bench_finding(b, "PD901", "b.py");
	bench_edit(b, f, 0, 3, "TWO");
	bench_build(b);
}

/* Read without the calls that may be made to fail. */
static bool holds(const char *dir, const char *path, const char *want)
{
	char name[PATH_MAX], buf[64];
	ssize_t n;
	int fd;

	snprintf(name, sizeof(name), "%s/%s", dir, path);
	fd = open(name, O_RDONLY);
	if (fd < 0)
		return !want;
	n = read(fd, buf, sizeof(buf) - 1);
	close(fd);
	return want && n == (ssize_t)strlen(want) && !memcmp(buf, want, (size_t)n);
}

static bool tree_is_old(const char *dir)
{
	return holds(dir, "a.py", "one\n") && holds(dir, "b.py", "two\n") &&
	       holds(dir, "new", NULL) && holds(dir, ".pdmigrate-journal", NULL);
}

static bool tree_is_new(const char *dir)
{
	return holds(dir, "a.py", "ONE\n") && holds(dir, "b.py", "TWO\n") &&
	       holds(dir, "new/deep/c.h", "three\n") && holds(dir, ".pdmigrate-journal", NULL);
}

/* Remove all that a test may have made. */
static void tree_remove(const char *dir)
{
	static const char *const names[] = {"a.py", "b.py", "new/deep/c.h", ".pdmigrate-journal"};
	static const char *const dirs[] = {"new/deep", "new", ""};
	char name[PATH_MAX];
	size_t i;

	for (i = 0; i < 4; i++) {
		snprintf(name, sizeof(name), "%s/%s", dir, names[i]);
		unlink(name);
	}
	for (i = 0; i < 3; i++) {
		snprintf(name, sizeof(name), "%s/%s", dir, dirs[i]);
		rmdir(name);
	}
	snprintf(name, sizeof(name), "%s.undo.diff", dir);
	unlink(name);
}

static int bench_write(struct bench *b, struct err *err)
{
	struct place *place;
	const char *undo;
	int ret;

	if (place_open(&place, b->dir, true, err))
		return -1;
	ret = patch_write(place, b->patch, false, &undo, err);
	place_close(place);
	return ret;
}

UNIT_TEST(write_all)
{
	struct err err = {0};
	struct bench b;
	char undo[PATH_MAX];

	bench_three(&b);
	ck_assert_int_eq(bench_write(&b, &err), 0);
	ck_assert(tree_is_new(b.dir));
	snprintf(undo, sizeof(undo), "%s.undo.diff", b.dir);
	ck_assert_int_eq(access(undo, R_OK), 0);
	bench_close(&b);
	tree_remove(b.dir);
}

UNIT_TEST(write_stops_at_a_changed_file)
{
	struct err err = {0};
	struct bench b;

	bench_three(&b);
	bench_put(&b, "b.py", "2\n");
	ck_assert_int_eq(bench_write(&b, &err), -1);
	ck_assert_str_eq(err.msg, "b.py has changed since it was read");
	ck_assert(holds(b.dir, "a.py", "one\n"));
	ck_assert(holds(b.dir, "new", NULL));
	bench_close(&b);
	tree_remove(b.dir);
}

UNIT_TEST(write_keeps_the_mode)
{
	struct err err = {0};
	struct stat st;
	struct bench b;

	bench_three(&b);
	ck_assert_int_eq(fchmodat(b.repo.dirfd, "a.py", 0751, 0), 0);
	ck_assert_int_eq(bench_write(&b, &err), 0);
	ck_assert_int_eq(fstatat(b.repo.dirfd, "a.py", &st, 0), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0751);
	bench_close(&b);
	tree_remove(b.dir);
}

UNIT_TEST(write_does_not_take_a_name)
{
	struct err err = {0};
	struct bench b;

	bench_three(&b);
	ck_assert_int_eq(mkdirat(b.repo.dirfd, "new", 0755), 0);
	ck_assert_int_eq(mkdirat(b.repo.dirfd, "new/deep", 0755), 0);
	bench_put(&b, "new/deep/c.h", "mine\n");
	ck_assert_int_eq(bench_write(&b, &err), -1);
	ck_assert(holds(b.dir, "new/deep/c.h", "mine\n"));
	ck_assert(holds(b.dir, "a.py", "one\n"));
	bench_close(&b);
	tree_remove(b.dir);
}

UNIT_TEST(write_is_locked)
{
	struct err err = {0};
	struct place *one, *two;
	struct bench b;

	bench_open(&b);
	ck_assert_int_eq(place_open(&one, b.dir, true, &err), 0);
	ck_assert_int_eq(place_open(&two, b.dir, true, &err), -1);
	place_close(one);
	ck_assert_int_eq(place_open(&two, b.dir, true, &err), 0);
	place_close(two);
	bench_close(&b);
}

/* ---- each call made to fail ------------------------------------------------------------------ */

#define FAULTS 400

/* In a process of its own: the count of calls begins with it. Status 0: as it should be, 3: not. */
static void fault_child(int n, int out)
{
	struct err err = {0};
	struct bench b;
	char number[16];
	bool good;
	int ret;

	snprintf(number, sizeof(number), "%d", n);
	setenv("PD_FAULT", number, 1);
	bench_three(&b);
	(void)!write(out, b.dir, strlen(b.dir) + 1);
	ret = bench_write(&b, &err);
	good = ret ? tree_is_old(b.dir) : tree_is_new(b.dir);
	if (!good)
		fprintf(stderr, "call %d: %s\n", n, err.msg);
	_exit(good ? 0 : 3);
}

UNIT_TEST(write_any_call_fails)
{
	char dir[64];
	int n, status, ends[2];
	ssize_t got;

	for (n = 1; n < FAULTS; n++) {
		pid_t pid;

		ck_assert_int_eq(pipe(ends), 0);
		pid = fork();
		if (!pid)
			fault_child(n, ends[1]);
		close(ends[1]);
		got = read(ends[0], dir, sizeof(dir) - 1);
		close(ends[0]);
		waitpid(pid, &status, 0);
		if (got <= 0)
			continue;
		/* Want of memory ends the process, and then nothing has been touched. */
		if (WEXITSTATUS(status) == 2)
			ck_assert(tree_is_old(dir));
		else
			ck_assert_int_eq(status, 0);
		tree_remove(dir);
	}
}

/* ---- journals -------------------------------------------------------------------------------- */

/* A journal of the three files, put into the tree as if a run had ended there. */
static void journal_leave(struct bench *b)
{
	struct journal_file files[] = {
		{.path = "a.py",
		 .sibling = ".s-0",
		 .mode = 0644,
		 .uid = getuid(),
		 .gid = getgid(),
		 .old = "one\n",
		 .old_len = 4,
		 .new = "ONE\n",
		 .new_len = 4},
		{.path = "b.py",
		 .sibling = ".s-1",
		 .mode = 0644,
		 .uid = getuid(),
		 .gid = getgid(),
		 .old = "two\n",
		 .old_len = 4,
		 .new = "TWO\n",
		 .new_len = 4},
		{.path = "new/deep/c.h",
		 .sibling = ".s-2",
		 .create = true,
		 .old = "",
		 .new = "three\n",
		 .new_len = 6},
	};
	struct journal j = {.prefix = "", .undo = "", .files = files, .nr_files = 3};
	struct strbuf bytes = STRBUF_INIT;
	int fd;

	strings_add(&j.dirs, &b->arena, "new");
	strings_add(&j.dirs, &b->arena, "new/deep");
	journal_encode(&bytes, &j);
	fd = openat(b->repo.dirfd, ".pdmigrate-journal", O_WRONLY | O_CREAT, 0600);
	ck_assert_int_eq(fs_write_all(fd, bytes.buf, bytes.len), 0);
	close(fd);
	strbuf_release(&bytes);
}

static int bench_recover(struct bench *b, bool force, struct err *err)
{
	struct strbuf said = STRBUF_INIT;
	struct place *place;
	int ret;

	ck_assert_int_eq(place_open(&place, b->dir, true, err), 0);
	ret = place_recover(place, force, &said, err);
	place_close(place);
	strbuf_release(&said);
	return ret;
}

UNIT_TEST(journal_round_trip)
{
	struct journal_file file = {.path = "a\nb",
				    .sibling = ".s",
				    .mode = 0751,
				    .uid = 7,
				    .gid = 9,
				    .old = "a\0b",
				    .old_len = 3,
				    .new = "",
				    .new_len = 0};
	struct journal j = {.prefix = "sub", .undo = "/x", .files = &file, .nr_files = 1}, back;
	struct strbuf bytes = STRBUF_INIT;
	struct arena a = {0};
	size_t n;

	journal_encode(&bytes, &j);
	ck_assert_int_eq(journal_decode(&back, bytes.buf, bytes.len, &a), 0);
	ck_assert_str_eq(back.prefix, "sub");
	ck_assert_str_eq(back.files[0].path, "a\nb");
	ck_assert_uint_eq(back.files[0].mode, 0751);
	ck_assert_uint_eq(back.files[0].gid, 9);
	ck_assert_uint_eq(back.files[0].old_len, 3);
	ck_assert_int_eq(memcmp(back.files[0].old, "a\0b", 3), 0);
	for (n = 0; n < bytes.len; n++)
		ck_assert_int_eq(journal_decode(&back, bytes.buf, n, &a), -1);
	bytes.buf[bytes.len / 2] ^= 1;
	ck_assert_int_eq(journal_decode(&back, bytes.buf, bytes.len, &a), -1);
	strbuf_release(&bytes);
	arena_free(&a);
}

UNIT_TEST(recover_undoes)
{
	struct err err = {0};
	struct bench b;

	bench_three(&b);
	journal_leave(&b);
	bench_put(&b, "a.py", "ONE\n");
	bench_put(&b, ".s-1", "TW");
	ck_assert_int_eq(mkdirat(b.repo.dirfd, "new", 0755), 0);
	ck_assert_int_eq(bench_recover(&b, false, &err), 0);
	ck_assert(tree_is_old(b.dir));
	ck_assert(holds(b.dir, ".s-1", NULL));
	bench_close(&b);
	tree_remove(b.dir);
}

UNIT_TEST(recover_completes)
{
	struct err err = {0};
	struct bench b;

	bench_three(&b);
	ck_assert_int_eq(bench_write(&b, &err), 0);
	journal_leave(&b);
	ck_assert_int_eq(bench_recover(&b, false, &err), 0);
	ck_assert(tree_is_new(b.dir));
	bench_close(&b);
	tree_remove(b.dir);
}

UNIT_TEST(recover_leaves_what_changed_since)
{
	struct err err = {0};
	struct bench b;

	bench_three(&b);
	journal_leave(&b);
	bench_put(&b, "a.py", "ONE\n");
	bench_put(&b, "b.py", "mine\n");
	ck_assert_int_eq(bench_recover(&b, false, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.msg, "b.py has changed since"));
	ck_assert(holds(b.dir, "a.py", "ONE\n"));
	ck_assert_int_eq(bench_recover(&b, true, &err), 0);
	ck_assert(holds(b.dir, "a.py", "one\n"));
	ck_assert(holds(b.dir, "b.py", "mine\n"));
	bench_close(&b);
	tree_remove(b.dir);
}
