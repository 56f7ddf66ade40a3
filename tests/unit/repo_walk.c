/* repo_walk.c - tests of src/repo/walk.c, ignore.c, modules.c and roles.c. */
#include "repo_tree.h"

#include <git2.h>
#include <time.h>

UNIT_TEST(walk_lists_in_order_of_path_bytes)
{
	struct tree t;

	tree_open(&t);
	tree_put(&t, "a/x.py", "");
	tree_put(&t, "a-b.py", "");
	tree_put(&t, "a.py", "");
	tree_put(&t, "new\nline.py", "");
	tree_put(&t, "\xff\xfe.cu", "");
	tree_walk(&t);
	ck_assert_str_eq(tree_list(&t), "a-b.py a.py a/x.py new\nline.py \xff\xfe.cu ");
	ck_assert_uint_eq(t.notices.nr, 0);
	ck_assert_int_eq(tree_find(&t, "\xff\xfe.cu")->lang, LANG_CUDA);
	tree_close(&t);
}

UNIT_TEST(walk_empty_folder_is_fine)
{
	struct tree t;

	tree_open(&t);
	tree_walk(&t);
	ck_assert_uint_eq(t.repo->nr_files, 0);
	ck_assert_uint_eq(t.notices.nr, 0);
	ck_assert(!t.repo->has_git);
	ck_assert_str_eq(tree_strings(&t, &t.repo->package_roots), "'' ");
	tree_close(&t);
}

UNIT_TEST(walk_missing_folder_is_an_error)
{
	struct err err = {{0}};
	struct arena a = {0};
	struct notices n = {0};
	struct repo *repo;

	ck_assert_int_eq(repo_walk(&repo, &a, &tree_vocab, "no/such/folder", &n, &err), -1);
	ck_assert_str_eq(err.msg, "cannot open folder 'no/such/folder': No such file or directory");
	arena_free(&a);
}

UNIT_TEST(walk_ignore_rules_nest_and_negate)
{
	struct tree t;

	tree_open(&t);
	tree_put(&t, ".gitignore", "build/\n*.tmp\n!keep.tmp\n/top.py\nx/*\n!x/in.py\ngen_*\n");
	tree_put(&t, "build/a.py", "");
	tree_put(&t, "sub/build/a.py", "");
	tree_put(&t, "a.tmp", "");
	tree_put(&t, "keep.tmp", "");
	tree_put(&t, "top.py", "");
	tree_put(&t, "sub/top.py", "");
	tree_put(&t, "x/in.py", "");
	tree_put(&t, "x/out.py", "");
	tree_put(&t, "sub/.gitignore", "!gen_a.py\n*.cu\n");
	tree_put(&t, "sub/gen_a.py", "");
	tree_put(&t, "sub/gen_b.py", "");
	tree_put(&t, "sub/deep/gen_a.py", "");
	tree_put(&t, "sub/k.cu", "");
	tree_put(&t, "k.cu", "");
	tree_walk(&t);
	ck_assert_str_eq(tree_list(&t), ".gitignore k.cu keep.tmp sub/.gitignore sub/deep/gen_a.py "
					"sub/gen_a.py sub/top.py x/in.py ");
	ck_assert_uint_eq(t.notices.nr, 0);
	tree_close(&t);
}

UNIT_TEST(walk_ignore_inverse_needs_the_whole_path)
{
	struct tree t;

	tree_open(&t);
	tree_put(&t, ".gitignore", "*.py\n");
	tree_put(&t, "p/.gitignore", "!q/a.py\n");
	tree_put(&t, "p/q/a.py", "");
	tree_put(&t, "p/a.py", "");
	tree_walk(&t);
	ck_assert_str_eq(tree_list(&t), ".gitignore p/.gitignore p/q/a.py ");
	tree_close(&t);
}

UNIT_TEST(walk_ignore_patterns)
{
	static const struct {
		const char *rule, *path;
		bool ignored;
	} rows[] = {
		{"a/**/b.py", "a/b.py", true},
		{"a/**/b.py", "a/x/y/b.py", true},
		{"a/**/b.py", "xa/b.py", false},
		{"**/b.py", "x/b.py", true},
		{"a/**", "a/x/b.py", true},
		{"a*", "b/a.py", true},
		{"/a*", "b/a.py", false},
		{"b/a?.py", "b/ab.py", true},
		{"b/*", "b/c/a.py", true},
		{"b/*.py", "b/c/a.py", false},
		{"[!a].py", "a.py", false},
		{"[a-c].py", "b.py", true},
		{"[[:digit:]].py", "1.py", true},
		{"[]].py", "].py", true},
		{"[a.py", "[a.py", false},
		{"\\!x.py", "!x.py", true},
		{"x.py  ", "x.py", true},
		{"x.py\r", "x.py", true},
		{"# x.py", "# x.py", false},
		{"x.py/", "x.py", false},
		{"d", "d/x.py", true},
		{"{a,b}.py", "a.py", false},
		{"\xef\xbb\xbfx.py", "x.py", true},
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct tree t;

		tree_open(&t);
		tree_put(&t, ".gitignore", rows[i].rule);
		tree_put(&t, rows[i].path, "");
		tree_walk(&t);
		ck_assert_msg(!repo_find(t.repo, rows[i].path) == rows[i].ignored, "%s %s",
			      rows[i].rule, rows[i].path);
		tree_close(&t);
	}
}

/* A rule that takes a backtracking matcher exponential time. */
UNIT_TEST(walk_ignore_rules_take_linear_time)
{
	struct strbuf rule = STRBUF_INIT, path = STRBUF_INIT;
	struct tree t;
	clock_t start = clock();
	int i;

	tree_open(&t);
	for (i = 0; i < 20; i++)
		strbuf_addstr(&rule, "**/a*a/");
	strbuf_addstr(&rule, "b\n");
	for (i = 0; i < 100; i++)
		strbuf_addstr(&path, "aaaaa/");
	strbuf_addstr(&path, "a.py");
	tree_put(&t, ".gitignore", rule.buf);
	tree_put(&t, path.buf, "");
	tree_walk(&t);
	ck_assert_uint_eq(t.repo->nr_files, 2);
	ck_assert_int_lt((clock() - start) / CLOCKS_PER_SEC, 5);
	strbuf_release(&rule);
	strbuf_release(&path);
	tree_close(&t);
}

UNIT_TEST(walk_tracked_files_are_listed)
{
	git_index_entry entry = {.path = "lib/in.py", .mode = 0100644};
	git_index *index;
	struct tree t;
	char path[PATH_MAX];

	tree_open(&t);
	tree_put(&t, ".gitignore", "lib/\n*.cu\n");
	tree_put(&t, "lib/in.py", "");
	tree_put(&t, "lib/out.py", "");
	tree_put(&t, "k.cu", "");
	tree_put(&t, ".git/", "");
	snprintf(path, sizeof(path), "%s/.git/index", t.dir);
	git_libgit2_init();
	memset(entry.id.id, 1, sizeof(entry.id.id));
	ck_assert(!git_index_open(&index, path) && !git_index_add(index, &entry) &&
		  !git_index_write(index));
	git_index_free(index);
	git_libgit2_shutdown();
	tree_walk(&t);
	ck_assert_str_eq(tree_list(&t), ".gitignore lib/in.py ");
	ck_assert_uint_eq(t.notices.nr, 0);
	tree_close(&t);
}

UNIT_TEST(walk_broken_index_is_a_notice)
{
	struct tree t;

	tree_open(&t);
	tree_put(&t, ".git/index", "DIRC\1\1\1\2 and so on, but this is no index at all");
	tree_put(&t, "a.py", "");
	tree_walk(&t);
	ck_assert_str_eq(tree_list(&t), "a.py ");
	ck_assert_uint_eq(t.notices.nr, 1);
	ck_assert_str_eq(t.notices.v[0].message, "index not used: not readable");
	tree_close(&t);
}

UNIT_TEST(walk_skips_what_nobody_wrote)
{
	struct tree t;

	tree_open(&t);
	tree_put(&t, ".git/config", "[core]\n\tfsmonitor = touch pwned\n");
	tree_put(&t, ".git/info/exclude", "a.py\n");
	tree_put(&t, "__pycache__/a.py", "");
	tree_put(&t, "p.egg-info/PKG-INFO", "");
	tree_put(&t, "env/pyvenv.cfg", "");
	tree_put(&t, "env/lib/a.py", "");
	tree_put(&t, "a.py", "");
	tree_walk(&t);
	ck_assert_str_eq(tree_list(&t), "a.py ");
	ck_assert(t.repo->has_git);
	ck_assert_uint_eq(t.notices.nr, 1);
	ck_assert_str_eq(t.notices.v[0].path, "env");
	tree_close(&t);
}

UNIT_TEST(walk_is_silent_about_links_inside)
{
	struct tree t;
	char path[PATH_MAX];

	tree_open(&t);
	tree_put(&t, "a.py", "");
	tree_put(&t, "d/b.py", "");
	tree_put(&t, "README", "");
	snprintf(path, sizeof(path), "%s/l.py", t.dir);
	ck_assert(!symlink("a.py", path));
	snprintf(path, sizeof(path), "%s/loop", t.dir);
	ck_assert(!symlink(".", path));
	snprintf(path, sizeof(path), "%s/LICENSE", t.dir);
	ck_assert(!symlink("README", path));
	snprintf(path, sizeof(path), "%s/d/.gitignore", t.dir);
	ck_assert(!symlink("../README", path));
	tree_walk(&t);
	ck_assert_str_eq(tree_list(&t), "README a.py d/b.py ");
	ck_assert_uint_eq(t.notices.nr, 0);
	tree_close(&t);
}

UNIT_TEST(walk_does_not_follow_links_out)
{
	static const char *const links[][2] = {
		{"../outside.py", "d/file.py"}, {"/usr", "folder"}, {"../../x", "d/up"},
		{"gone.py", "dangling.py"},	{"self.py", "self.py"}, {"/etc/motd.txt", "NOTES"},
	};
	struct tree t;
	char path[PATH_MAX];
	size_t i;

	tree_open(&t);
	tree_put(&t, "d/b.py", "");
	for (i = 0; i < sizeof(links) / sizeof(*links); i++) {
		snprintf(path, sizeof(path), "%s/%s", t.dir, links[i][1]);
		ck_assert(!symlink(links[i][0], path));
	}
	tree_walk(&t);
	ck_assert_str_eq(tree_list(&t), "d/b.py ");
	ck_assert_uint_eq(t.notices.nr, 1);
	ck_assert_str_eq(t.notices.v[0].message, "5 symbolic links not followed, this one first");
	tree_close(&t);
}

UNIT_TEST(walk_never_opens_a_fifo)
{
	struct tree t;
	char path[PATH_MAX];

	tree_open(&t);
	snprintf(path, sizeof(path), "%s/pipe", t.dir);
	ck_assert(!mkfifo(path, 0644));
	snprintf(path, sizeof(path), "%s/.gitignore", t.dir);
	ck_assert(!mkfifo(path, 0644));
	snprintf(path, sizeof(path), "%s/.gitmodules", t.dir);
	ck_assert(!mkfifo(path, 0644));
	tree_walk(&t);
	ck_assert_uint_eq(t.repo->nr_files, 0);
	ck_assert_uint_eq(t.notices.nr, 3);
	ck_assert_str_eq(t.notices.v[2].path, "pipe");
	ck_assert_str_eq(t.notices.v[2].message, "not a regular file");
	tree_close(&t);
}

UNIT_TEST(walk_depth_is_bounded)
{
	struct tree t;
	struct strbuf sb = STRBUF_INIT;
	int i;

	tree_open(&t);
	for (i = 0; i < 260; i++)
		strbuf_addstr(&sb, "d/");
	strbuf_addstr(&sb, "a.py");
	tree_put(&t, sb.buf, "");
	tree_put(&t, "b.py", "");
	tree_walk(&t);
	ck_assert_str_eq(tree_list(&t), "b.py ");
	ck_assert_uint_eq(t.notices.nr, 1);
	strbuf_release(&sb);
	tree_close(&t);
}

UNIT_TEST(walk_big_file_is_a_notice)
{
	struct tree t;
	char path[PATH_MAX];

	tree_open(&t);
	tree_put(&t, "big.py", "");
	tree_put(&t, "big.bin", "");
	snprintf(path, sizeof(path), "%s/big.py", t.dir);
	ck_assert(!truncate(path, REPO_FILE_MAX + 1));
	snprintf(path, sizeof(path), "%s/big.bin", t.dir);
	ck_assert(!truncate(path, REPO_FILE_MAX + 1));
	tree_walk(&t);
	ck_assert_uint_eq(t.repo->nr_files, 2);
	ck_assert_uint_eq(t.notices.nr, 1);
	ck_assert_str_eq(t.notices.v[0].path, "big.py");
	tree_close(&t);
}

UNIT_TEST(walk_third_party_code_and_submodules)
{
	struct tree t;

	tree_open(&t);
	tree_put(&t, ".gitmodules", "[submodule \"x\"]\n\tpath = \"csrc/x\"\n\turl = u\n");
	tree_put(&t, "csrc/x/a.cu", "");
	tree_put(&t, "csrc/k.cu", "");
	tree_put(&t, "third_party/lib/a.h", "");
	tree_put(&t, "nested/.git", "gitdir: ../.git/modules/nested\n");
	tree_put(&t, "nested/b.py", "");
	tree_walk(&t);
	ck_assert_uint_eq(tree_find(&t, "csrc/x/a.cu")->roles, ROLE_SUBMODULE);
	ck_assert_uint_eq(tree_find(&t, "csrc/k.cu")->roles, 0);
	ck_assert_uint_eq(tree_find(&t, "third_party/lib/a.h")->roles, ROLE_VENDORED);
	ck_assert_uint_eq(tree_find(&t, "nested/b.py")->roles, ROLE_SUBMODULE);
	ck_assert_ptr_null(tree_find(&t, "nested/b.py")->module);
	tree_close(&t);
}

UNIT_TEST(walk_own_name_is_not_third_party)
{
	struct tree t;

	tree_open(&t);
	tree_put(&t, "cutlass/cutlass/__init__.py", "");
	tree_put(&t, "cutlass/3rdparty/cutlass/a.h", "");
	tree_walk_at(&t, "cutlass");
	ck_assert_str_eq(t.repo->name, "cutlass");
	ck_assert_uint_eq(tree_find(&t, "cutlass/__init__.py")->roles, ROLE_CALL_ENTRY);
	ck_assert_uint_eq(tree_find(&t, "3rdparty/cutlass/a.h")->roles, ROLE_VENDORED);
	tree_close(&t);
}

UNIT_TEST(walk_languages)
{
	struct tree t;

	tree_open(&t);
	tree_put(&t, "run", "#!/usr/bin/env python3\n");
	tree_put(&t, "sh", "#!/bin/sh\n# python\n");
	tree_put(&t, "x.in", "#!/usr/bin/python\n");
	tree_put(&t, "requirements-dev.txt", "");
	tree_put(&t, "requirements/base.txt", "");
	tree_put(&t, "cmake/a.cmake", "");
	tree_put(&t, "notes.txt", "");
	tree_walk(&t);
	ck_assert_int_eq(tree_find(&t, "run")->lang, LANG_PYTHON);
	ck_assert_uint_eq(tree_find(&t, "run")->roles, ROLE_SCRIPT);
	ck_assert_int_eq(tree_find(&t, "sh")->lang, LANG_OTHER);
	ck_assert_int_eq(tree_find(&t, "x.in")->lang, LANG_PYTHON);
	ck_assert_int_eq(tree_find(&t, "requirements-dev.txt")->lang, LANG_REQUIREMENTS);
	ck_assert_int_eq(tree_find(&t, "requirements/base.txt")->lang, LANG_REQUIREMENTS);
	ck_assert_int_eq(tree_find(&t, "cmake/a.cmake")->lang, LANG_CMAKE);
	ck_assert_int_eq(tree_find(&t, "notes.txt")->lang, LANG_OTHER);
	tree_close(&t);
}

UNIT_TEST(walk_a_file_alone_keeps_its_name)
{
	struct tree t;

	tree_open(&t);
	tree_put(&t, "src/pkg/__init__.py", "");
	tree_put(&t, "src/pkg/sub/__init__.py", "");
	tree_put(&t, "src/pkg/sub/ops.py", "");
	tree_put(&t, "src/pkg/sub/other.py", "");
	tree_walk_at(&t, "src/pkg/sub/ops.py");
	ck_assert_str_eq(tree_list(&t), "ops.py ");
	ck_assert_str_eq(t.repo->name, "sub");
	ck_assert_str_eq(tree_find(&t, "ops.py")->module, "pkg.sub.ops");
	ck_assert_str_eq(tree_strings(&t, &t.repo->packages), "pkg ");
	tree_close(&t);
}

UNIT_TEST(walk_a_package_folder_keeps_its_name)
{
	struct tree t;

	tree_open(&t);
	tree_put(&t, "pkg/__init__.py", "");
	tree_put(&t, "pkg/ops.py", "");
	tree_put(&t, "pkg/deep/x.py", "");
	tree_walk_at(&t, "pkg");
	ck_assert_str_eq(tree_find(&t, "__init__.py")->module, "pkg");
	ck_assert_str_eq(tree_find(&t, "ops.py")->module, "pkg.ops");
	ck_assert_str_eq(tree_find(&t, "deep/x.py")->module, "pkg.deep.x");
	ck_assert_uint_eq(tree_find(&t, "__init__.py")->roles, ROLE_CALL_ENTRY);
	tree_close(&t);
}

UNIT_TEST(modules_and_roots)
{
	struct tree t;

	tree_open(&t);
	tree_put(&t, "setup.py", "");
	tree_put(&t, "single.py", "");
	tree_put(&t, "src/pkg/__init__.py", "");
	tree_put(&t, "src/pkg/data/x.py", "");
	tree_put(&t, "src/pkg/data/in/__init__.py", "");
	tree_put(&t, "src/lone.py", "");
	tree_put(&t, "tests/kit/__init__.py", "");
	tree_put(&t, "tests/test_a.py", "");
	tree_put(&t, "examples/run.py", "");
	tree_put(&t, "sub-project/pyproject.toml", "");
	tree_put(&t, "sub-project/backend.py", "");
	tree_put(&t, "odd-name/x.py", "");
	tree_walk(&t);
	ck_assert_str_eq(tree_strings(&t, &t.repo->package_roots), "'' src sub-project tests ");
	ck_assert_str_eq(tree_strings(&t, &t.repo->packages), "backend lone pkg single ");
	ck_assert_str_eq(tree_find(&t, "src/pkg/data/x.py")->module, "pkg.data.x");
	ck_assert_str_eq(tree_find(&t, "src/pkg/data/in/__init__.py")->module, "pkg.data.in");
	ck_assert_str_eq(tree_find(&t, "tests/kit/__init__.py")->module, "kit");
	ck_assert_str_eq(tree_find(&t, "tests/test_a.py")->module, "test_a");
	ck_assert_str_eq(tree_find(&t, "examples/run.py")->module, "examples.run");
	ck_assert_str_eq(tree_find(&t, "sub-project/backend.py")->module, "backend");
	ck_assert_ptr_null(tree_find(&t, "odd-name/x.py")->module);
	ck_assert_ptr_eq(repo_module(t.repo, "pkg.data.x"), tree_find(&t, "src/pkg/data/x.py"));
	tree_close(&t);
}

UNIT_TEST(roles_by_path)
{
	static const struct {
		const char *path;
		unsigned roles;
	} rows[] = {
		{"CMakeLists.txt", ROLE_BUILD_ENTRY},
		{"benchmarks/bench_a.py", ROLE_EXAMPLE},
		{"csrc/test/a.cu", ROLE_TEST},
		{"csrc/CMakeLists.txt", 0},
		{"docs/conf.py", ROLE_EXAMPLE},
		{"pkg/__init__.py", ROLE_CALL_ENTRY},
		{"pkg/benchmark/run.py", 0},
		{"pkg/sub/__init__.py", 0},
		{"pkg/testing/__init__.py", 0},
		{"pkg/tests/test_x.py", ROLE_TEST},
		{"scripts/go.py", ROLE_SCRIPT | ROLE_OUTSIDE},
		{"setup.py", ROLE_BUILD_ENTRY},
		{"testing/python/test_a.py", ROLE_TEST},
		{"testing/util.py", ROLE_TEST},
		{"tools/__init__.py", ROLE_OUTSIDE},
		{"py/pyproject.toml", ROLE_BUILD_ENTRY},
		{"py/CMakeLists.txt", ROLE_BUILD_ENTRY},
	};
	struct tree t;
	size_t i;

	tree_open(&t);
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		tree_put(&t, rows[i].path, "");
	tree_walk(&t);
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		ck_assert_msg(tree_find(&t, rows[i].path)->roles == rows[i].roles, "%s: %u",
			      rows[i].path, tree_find(&t, rows[i].path)->roles);
	tree_close(&t);
}

/* Names of modules lead to files also where the root folder is a part of the package. */
UNIT_TEST(walk_inside_a_package_maps_modules)
{
	struct tree t;

	tree_open(&t);
	tree_put(&t, "pkg/__init__.py", "");
	tree_put(&t, "pkg/sub/__init__.py", "");
	tree_put(&t, "pkg/sub/a.py", "");
	tree_walk_at(&t, "pkg/sub");
	ck_assert_str_eq(repo_module(t.repo, "pkg.sub.a")->path, "a.py");
	ck_assert_str_eq(repo_module(t.repo, "pkg.sub")->path, "__init__.py");
	ck_assert_ptr_null(repo_module(t.repo, "pkg.suba"));
	ck_assert_ptr_null(repo_module(t.repo, "pkg.b"));
	tree_close(&t);
}
