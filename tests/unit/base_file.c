/* base_file.c - fs, asset, pool, fault. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/asset.h"
#include "base/fault.h"
#include "base/fs.h"
#include "base/pool.h"

/* A fresh folder as the work directory; gone with leave(). */
static void enter(char dir[64])
{
	snprintf(dir, 64, "%s", "/var/tmp/pdmigrate-unit-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	ck_assert_int_eq(chdir(dir), 0);
}

static void leave(const char *dir, const char *const *names)
{
	size_t i;

	for (i = 0; names[i]; i++)
		ck_assert_int_eq(remove(names[i]), 0);
	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_int_eq(rmdir(dir), 0);
}

static void put(const char *path, const char *data, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fs_write_all(fd, data, len), 0);
	close(fd);
}

UNIT_TEST(fs_reads_bytes_as_they_are)
{
	struct fs_text t;
	struct err err = { "" };
	char dir[64];
	int fd;

	enter(dir);
	put("f", "a\0\xff\r\n", 5);
	put("e", "", 0);
	fd = fs_open_dir(".", &err);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fs_read(fd, "f", 100, &t, &err), 0);
	ck_assert_uint_eq(t.len, 5);
	ck_assert_mem_eq(t.data, "a\0\xff\r\n\0", 6);
	fs_text_free(&t);
	ck_assert_ptr_null(t.data);
	ck_assert_int_eq(fs_read(fd, "e", 100, &t, &err), 0);
	ck_assert_uint_eq(t.len, 0);
	fs_text_free(&t);
	ck_assert_int_eq(fs_read(fd, "f", 4, &t, &err), -1);
	ck_assert_msg(strstr(err.msg, "too big"), "%s", err.msg);
	ck_assert_int_eq(fs_read(fd, "none", 4, &t, &err), -1);
	ck_assert_ptr_null(t.data);
	close(fd);
	leave(dir, (const char *const[]){ "f", "e", NULL });
}

UNIT_TEST(fs_stays_beneath_the_folder)
{
	static const char *const out[] = { "../outside", "in/../../outside", "/etc/passwd", "..",
					   "link", "up/outside", "in/link", "in/deep/../../link" };
	struct fs_text t;
	struct err err = { "" };
	char dir[64];
	size_t i;
	int fd;

	enter(dir);
	put("outside", "secret", 6);
	ck_assert_int_eq(mkdir("root", 0755), 0);
	ck_assert_int_eq(mkdir("root/in", 0755), 0);
	ck_assert_int_eq(symlink("../outside", "root/link"), 0);
	ck_assert_int_eq(symlink("../link", "root/in/link"), 0);
	ck_assert_int_eq(symlink("..", "root/up"), 0);
	put("root/in/..x", "kept", 4);
	fd = fs_open_dir("root", &err);
	ck_assert_int_ge(fd, 0);
	for (i = 0; i < sizeof(out) / sizeof(*out); i++)
		ck_assert_msg(fs_read(fd, out[i], 100, &t, &err) == -1, "%s", out[i]);
	ck_assert_int_eq(fs_open_subdir(fd, "up", &err), -1);
	ck_assert_int_eq(fs_open_subdir(fd, "..", &err), -1);
	ck_assert_int_eq(fs_read(fd, "in/..x", 100, &t, &err), 0);
	fs_text_free(&t);
	close(fd);
	leave(dir, (const char *const[]){ "root/in/..x", "root/in/link", "root/in", "root/up",
					  "root/link", "root", "outside", NULL });
}

UNIT_TEST(fs_never_opens_what_is_no_file)
{
	struct fs_text t;
	struct err err = { "" };
	char dir[64];
	int fd;

	enter(dir);
	ck_assert_int_eq(mkfifo("pipe", 0644), 0);
	ck_assert_int_eq(mkdir("sub", 0755), 0);
	fd = fs_open_dir(".", &err);
	ck_assert_int_eq(fs_read(fd, "pipe", 100, &t, &err), -1);
	ck_assert_msg(strstr(err.msg, "not a regular file"), "%s", err.msg);
	ck_assert_int_eq(fs_read(fd, "sub", 100, &t, &err), -1);
	ck_assert_int_eq(fs_read_path("pipe", 100, &t, &err), -1);
	ck_assert_int_eq(fs_open_dir("pipe", &err), -1);
	close(fd);
	leave(dir, (const char *const[]){ "pipe", "sub", NULL });
}

UNIT_TEST(fs_fails_on_demand)
{
	struct fs_text t;
	struct err err = { "" };
	char dir[64];

	/* The variable is read once, at the first call of any function that can fail. */
	ck_assert_int_eq(setenv("PD_FAULT_READ", "bad.py", 1), 0);
	enter(dir);
	put("good.py", "x", 1);
	put("bad.py", "x", 1);
	ck_assert_int_eq(fs_read_path("bad.py", 10, &t, &err), -1);
	ck_assert_msg(strstr(err.msg, "Permission denied"), "%s", err.msg);
	ck_assert_int_eq(fs_read_path("good.py", 10, &t, &err), 0);
	fs_text_free(&t);
	leave(dir, (const char *const[]){ "good.py", "bad.py", NULL });
}

UNIT_TEST(fault_counts_calls)
{
	ck_assert_int_eq(setenv("PD_FAULT", "2", 1), 0);
	ck_assert(!fault_hit(FAULT_READ));
	ck_assert(fault_hit(FAULT_ALLOC));
	ck_assert_int_eq(errno, ENOMEM);
	ck_assert(!fault_hit(FAULT_WRITE));
}

UNIT_TEST(write_reports_a_full_disk)
{
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fs_write_all(fd, "x", 1), -1);
	ck_assert_int_eq(errno, ENOSPC);
	ck_assert_int_eq(fs_write_all(fd, "", 0), 0);
	close(fd);
}

UNIT_TEST(assets_of_the_binary)
{
	struct arena a = { 0 };
	struct assets as;
	struct err err = { "" };
	const struct asset *v;
	size_t i;

	ck_assert_int_eq(assets_load(&as, &a, NULL, &err), 0);
	v = asset_get(&as, "vocabulary.yml");
	ck_assert_ptr_nonnull(v);
	ck_assert_uint_eq(strlen(v->data), v->len);
	ck_assert_ptr_null(asset_get(&as, "none.yml"));
	for (i = 1; i < as.nr; i++)
		ck_assert_int_lt(strcmp(as.v[i - 1].path, as.v[i].path), 0);
	ck_assert_str_eq(asset_name(&as, &a, "x.yml"), "rules/x.yml");
	arena_free(&a);
}

UNIT_TEST(assets_of_a_folder)
{
	struct arena a = { 0 };
	struct assets as;
	struct err err = { "" };
	char dir[64];
	size_t nr, first;

	enter(dir);
	ck_assert_int_eq(mkdir("r", 0755), 0);
	ck_assert_int_eq(mkdir("r/b", 0755), 0);
	put("r/z.yml", "z", 1);
	put("r/b/2.yml", "22", 2);
	put("r/b/1.yml", "1", 1);
	put("r/.hidden", "h", 1);
	ck_assert_int_eq(assets_load(&as, &a, "r", &err), 0);
	ck_assert_uint_eq(as.nr, 3);
	first = asset_range(&as, "b/", &nr);
	ck_assert_uint_eq(nr, 2);
	ck_assert_str_eq(as.v[first].path, "b/1.yml");
	ck_assert_str_eq(asset_get(&as, "b/2.yml")->data, "22");
	ck_assert_str_eq(asset_name(&as, &a, "x.yml"), "r/x.yml");
	ck_assert_int_eq(assets_load(&as, &a, "none", &err), -1);
	ck_assert_msg(strstr(err.msg, "none"), "%s", err.msg);
	arena_free(&a);
	leave(dir, (const char *const[]){ "r/.hidden", "r/b/1.yml", "r/b/2.yml", "r/z.yml", "r/b",
					  "r", NULL });
}

struct counts {
	atomic_int seen[500];
	atomic_int bad_worker;
	int jobs;
};

static void count_item(void *ctx, int worker, size_t item)
{
	struct counts *c = ctx;

	atomic_fetch_add(&c->seen[item], 1);
	if (worker < 0 || worker >= c->jobs)
		atomic_store(&c->bad_worker, 1);
}

UNIT_TEST(pool_does_each_item_once)
{
	static const int jobs[] = { 0, 1, 2, 7, 600 };
	size_t i, k;

	for (i = 0; i < sizeof(jobs) / sizeof(*jobs); i++) {
		struct counts c = { .jobs = jobs[i] ? jobs[i] : 1 };

		pool_run(jobs[i], 500, count_item, &c);
		for (k = 0; k < 500; k++)
			ck_assert_int_eq(c.seen[k], 1);
		ck_assert_int_eq(c.bad_worker, 0);
	}
	pool_run(4, 0, count_item, NULL);
	ck_assert_int_ge(pool_cpus(), 1);
}
