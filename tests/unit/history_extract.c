/* history_extract.c - revisions as files, from objects that nobody has checked. */
#include "unit.h"

#include <ftw.h>
#include <git2.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "history/history.h"

struct bench {
	char dir[PATH_MAX / 2], temp[PATH_MAX / 2];
	git_repository *git;
	git_odb *odb;
};

static void folder_make(char *dir, size_t size)
{
	snprintf(dir, size, "%s/pdmigrate-history-XXXXXX", P_tmpdir);
	ck_assert_ptr_nonnull(mkdtemp(dir));
}

static void bench_open(struct bench *b)
{
	folder_make(b->dir, sizeof(b->dir));
	folder_make(b->temp, sizeof(b->temp));
	setenv("TMPDIR", b->temp, 1);
	git_libgit2_init();
	ck_assert_int_eq(git_repository_init(&b->git, b->dir, 0), 0);
	ck_assert_int_eq(git_repository_odb(&b->odb, b->git), 0);
}

static int entry_remove(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	return remove(path);
}

/* Nothing may be left of what was extracted. */
static void bench_close(struct bench *b)
{
	ck_assert_int_eq(rmdir(b->temp), 0);
	unsetenv("TMPDIR");
	git_odb_free(b->odb);
	git_repository_free(b->git);
	git_libgit2_shutdown();
	nftw(b->dir, entry_remove, 8, FTW_DEPTH | FTW_PHYS);
}

static void object_put(struct bench *b, git_oid *id, const void *data, size_t len, git_object_t type)
{
	ck_assert_int_eq(git_odb_write(id, b->odb, data, len, type), 0);
}

/* One row of a tree, as bytes: names are not looked at. */
static void row_add(struct strbuf *tree, const char *mode, const char *name, const git_oid *id)
{
	strbuf_addf(tree, "%s %s", mode, name);
	strbuf_addch(tree, 0);
	strbuf_add(tree, id->id, GIT_OID_RAWSZ);
}

static void tree_put(struct bench *b, git_oid *id, struct strbuf *tree)
{
	object_put(b, id, tree->buf, tree->len, GIT_OBJECT_TREE);
	strbuf_reset(tree);
}

static const char *hex(const git_oid *id, char out[GIT_OID_HEXSZ + 1])
{
	return git_oid_tostr(out, GIT_OID_HEXSZ + 1, id);
}

static bool there(const char *dir, const char *path)
{
	char full[PATH_MAX];
	struct stat st;

	snprintf(full, sizeof(full), "%s/%s", dir, path);
	return !lstat(full, &st);
}

UNIT_TEST(hostile_names_stay_out)
{
	struct strbuf tree = STRBUF_INIT;
	char id[GIT_OID_HEXSZ + 1];
	git_oid blob, sub, top;
	struct err err = {0};
	struct history *h;
	struct bench b;
	const char *path;

	bench_open(&b);
	object_put(&b, &blob, "x = 1\n", 6, GIT_OBJECT_BLOB);
	row_add(&tree, "100644", "b.py", &blob);
	tree_put(&b, &sub, &tree);
	row_add(&tree, "40000", "..", &sub);
	row_add(&tree, "100644", "../up.py", &blob);
	row_add(&tree, "100644", ".gitignore", &blob);
	row_add(&tree, "40000", ".GIT", &sub);
	row_add(&tree, "100755", "a.py", &blob);
	row_add(&tree, "120000", "link.py", &blob);
	row_add(&tree, "40000", "pkg", &sub);
	tree_put(&b, &top, &tree);
	ck_assert_int_eq(history_open(&h, b.dir, &err), 0);
	ck_assert_msg(!history_extract(h, hex(&top, id), &path, &err), "%s", err.msg);
	ck_assert(there(path, "a.py") && there(path, "pkg/b.py"));
	ck_assert(!there(path, "link.py") && !there(path, ".gitignore") && !there(path, ".GIT"));
	ck_assert(!there(path, "../up.py") && !there(path, "../b.py"));
	history_close(h);
	strbuf_release(&tree);
	bench_close(&b);
}

UNIT_TEST(what_is_not_there)
{
	struct strbuf tree = STRBUF_INIT;
	char id[GIT_OID_HEXSZ + 1], below[PATH_MAX];
	struct fs_text text;
	struct err err = {0};
	struct history *h;
	git_oid blob, top;
	struct bench b;
	const char *path = "";

	bench_open(&b);
	object_put(&b, &blob, "x = 1\n", 6, GIT_OBJECT_BLOB);
	row_add(&tree, "100644", "a.py", &blob);
	tree_put(&b, &top, &tree);
	snprintf(below, sizeof(below), "%s/new", b.dir);
	ck_assert_int_eq(mkdir(below, 0755), 0);
	ck_assert_int_eq(history_open(&h, below, &err), 0);
	ck_assert_int_eq(history_extract(h, hex(&top, id), &path, &err), 0);
	ck_assert_ptr_null(path);
	ck_assert_int_eq(history_read(h, id, "a.py", &text, &err), -1);
	ck_assert_int_eq(history_extract(h, "no-such", &path, &err), -1);
	ck_assert_str_eq(err.msg, "no revision 'no-such'");
	history_close(h);
	strbuf_release(&tree);
	bench_close(&b);
}

UNIT_TEST(files_and_changed_lines)
{
	static const char old[] = "a\nb\nc\n", new[] = "a\nB\nc\nd\n";
	struct strbuf tree = STRBUF_INIT;
	char id[GIT_OID_HEXSZ + 1];
	struct line_range *ranges;
	struct arena a = {0};
	struct fs_text text;
	struct err err = {0};
	struct history *h;
	git_oid blob, top;
	struct bench b;
	size_t nr;

	bench_open(&b);
	object_put(&b, &blob, old, strlen(old), GIT_OBJECT_BLOB);
	row_add(&tree, "100644", "a.py", &blob);
	tree_put(&b, &top, &tree);
	ck_assert_int_eq(history_open(&h, b.dir, &err), 0);
	hex(&top, id);
	ck_assert_int_eq(history_read(h, id, "a.py", &text, &err), 0);
	ck_assert_str_eq(text.data, old);
	fs_text_free(&text);
	ck_assert_int_eq(history_changed(h, id, "a.py", new, strlen(new), &a, &ranges, &nr, &err), 0);
	ck_assert_uint_eq(nr, 2);
	ck_assert_uint_eq(ranges[0].first, 2);
	ck_assert_uint_eq(ranges[0].last, 2);
	ck_assert_uint_eq(ranges[1].first, 4);
	ck_assert_int_eq(history_changed(h, id, "z.py", new, strlen(new), &a, &ranges, &nr, &err), 0);
	ck_assert_uint_eq(nr, 1);
	ck_assert_uint_eq(ranges[0].last, UINT32_MAX);
	history_close(h);
	arena_free(&a);
	strbuf_release(&tree);
	bench_close(&b);
}
