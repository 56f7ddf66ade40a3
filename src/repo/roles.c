/*
 * roles.c - what a path says about a file: its language, and whether it is a test, an example, a
 * build entry, or what a user imports first. Of a setup.py inside a package the text decides.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/fs.h"
#include "base/glob.h"
#include "base/path.h"
#include "repo/internal.h"

#define SETUP_MAX (1 << 20) /* bytes of a build script that are looked at */

struct ext {
	const char *ext;
	enum lang lang;
};

static const struct ext exts[] = {
	{".py", LANG_PYTHON},  {".pyw", LANG_PYTHON}, {".pyi", LANG_STUB},    {".pyx", LANG_CYTHON},
	{".pxd", LANG_CYTHON}, {".pxi", LANG_CYTHON}, {".c", LANG_C},         {".cc", LANG_CXX},
	{".cpp", LANG_CXX},    {".cxx", LANG_CXX},    {".c++", LANG_CXX},     {".C", LANG_CXX},
	{".h", LANG_CXX},      {".hh", LANG_CXX},     {".hpp", LANG_CXX},     {".hxx", LANG_CXX},
	{".h++", LANG_CXX},    {".H", LANG_CXX},      {".inl", LANG_CXX},     {".ipp", LANG_CXX},
	{".tpp", LANG_CXX},    {".tcc", LANG_CXX},    {".mm", LANG_CXX},      {".cu", LANG_CUDA},
	{".cuh", LANG_CUDA},   {".toml", LANG_TOML},  {".cmake", LANG_CMAKE},
};

enum lang lang_of(const char *path)
{
	const char *base = path_base(path), *ext = path_ext(path);
	size_t i;

	if (!strcmp(base, "CMakeLists.txt"))
		return LANG_CMAKE;
	if (!strcmp(base, "setup.cfg"))
		return LANG_CFG;
	if (!strcmp(base, "Pipfile"))
		return LANG_TOML;
	if ((!strcmp(ext, ".yml") || !strcmp(ext, ".yaml")) &&
	    (glob_match("environment*", base) || glob_match("conda*env*", base)))
		return LANG_REQUIREMENTS;
	if ((!strcmp(ext, ".txt") || !strcmp(ext, ".in")) &&
	    (strstr(base, "requirements") || strstr(base, "constraints") ||
	     glob_match("**/requirements/*", path)))
		return LANG_REQUIREMENTS;
	for (i = 0; i < sizeof(exts) / sizeof(*exts); i++)
		if (!strcmp(ext, exts[i].ext))
			return exts[i].lang;
	return LANG_OTHER;
}

bool shebang_is_python(const char *head, size_t len)
{
	const char *nl = memchr(head, '\n', len);
	size_t n = nl ? (size_t)(nl - head) : len, i;

	if (n < 3 || memcmp(head, "#!", 2))
		return false;
	for (i = 2; i + 6 <= n; i++)
		if (!memcmp(head + i, "python", 6) && (head[i - 1] == '/' || head[i - 1] == ' '))
			return true;
	return false;
}

static bool matches_any(const char *const *globs, const char *name)
{
	for (; *globs; globs++)
		if (glob_match(*globs, name))
			return true;
	return false;
}

static const char *const test_files[] = {
	"test_*.py", "*_test.py", "tests.py",   "test.py",       "conftest.py",
	"test_*.c*", "*_test.c*", "*_tests.c*", "*_unittest.c*", NULL,
};
static const char *const test_dirs[] = {"test",      "tests",      "unittest",
					"unittests", "unit_tests", NULL};
static const char *const example_dirs[] = {
	"example", "examples", "tutorial", "tutorials", "notebook", "notebooks", "cookbook", NULL,
};
/* Inside a package these may be a part of what it offers; they count outside packages only. */
static const char *const loose_test_dirs[] = {"tests_*", "test_*", "*_test", "*_tests", NULL};
static const char *const loose_example_dirs[] = {
	"benchmark", "benchmarks", "bench",   "docs",       "doc", "demo",
	"demos",     "sample",     "samples", "playground", NULL,
};
static const char *const example_files[] = {
	"bench_*.py", "benchmark_*.py", "*_benchmark.py", "bench.py",  "benchmark.py",
	"example.py", "example_*.py",   "demo.py",        "demo_*.py", NULL,
};
static const char *const tool_dirs[] = {
	"scripts",   "script", "tools", "tool", "ci",  ".*",
	"packaging", "docker", "maint", "dev",  "bin", NULL,
};

bool path_is_tooling(const char *path)
{
	size_t n = strcspn(path, "/");
	char part[256];

	if (!path[n] || n >= sizeof(part))
		return false;
	memcpy(part, path, n);
	part[n] = 0;
	return matches_any(tool_dirs, part);
}

/* The role of the folder path[start..n) of a path. */
static unsigned dir_role(const char *path, size_t start, size_t n, bool in_package)
{
	char part[256];

	if (n - start >= sizeof(part))
		return 0;
	memcpy(part, path + start, n - start);
	part[n - start] = 0;
	if (matches_any(test_dirs, part) || (!in_package && matches_any(loose_test_dirs, part)))
		return ROLE_TEST;
	if (matches_any(example_dirs, part) ||
	    (!in_package && matches_any(loose_example_dirs, part)))
		return ROLE_EXAMPLE;
	return 0;
}

static unsigned dirs_role(const struct repo *repo, const char *path)
{
	size_t start = 0, n;
	bool in_package = false;
	unsigned roles = 0;

	for (n = strcspn(path, "/"); path[n]; n = start + strcspn(path + start, "/")) {
		roles |= dir_role(path, start, n, in_package);
		in_package = in_package || dir_is_package(repo, path, n);
		start = n + 1;
	}
	return roles;
}

bool path_offers(const struct repo *repo, const char *path)
{
	size_t start = 0, n;
	bool in_package = false;
	char part[256];

	for (n = strcspn(path, "/"); path[n]; n = start + strcspn(path + start, "/")) {
		if (n - start < sizeof(part)) {
			memcpy(part, path + start, n - start);
			part[n - start] = 0;
			if (matches_any(test_dirs, part))
				return false;
		}
		in_package = in_package || dir_is_package(repo, path, n);
		start = n + 1;
	}
	return in_package;
}

/* A top folder "testing" is tests when it holds test files, else it may be a public module. */
static void testing_mark(struct repo *repo)
{
	static const char dir[] = "testing";
	bool tests = false;
	size_t i;

	for (i = 0; i < repo->nr_files && !tests; i++)
		tests = path_under(repo->files[i]->path, dir) &&
			matches_any(test_files, path_base(repo->files[i]->path));
	for (i = 0; tests && i < repo->nr_files; i++)
		if (path_under(repo->files[i]->path, dir))
			repo->files[i]->roles |= ROLE_TEST;
}

static bool has_sibling(const struct repo *repo, const char *path, const char *name)
{
	size_t n = path_dirlen(path);
	char other[PATH_MAX];

	snprintf(other, sizeof(other), "%.*s%s%s", (int)n, path, n ? "/" : "", name);
	return repo_find(repo, other) != NULL;
}

/* A module of a package may be called setup too; one that builds calls setup(). */
static bool calls_setup(const struct repo *repo, const char *path)
{
	struct fs_text text;
	struct err err;
	bool found;

	if (fs_read(repo->dirfd, path, SETUP_MAX, &text, &err))
		return true;
	found = memmem(text.data, text.len, "setup(", 6);
	fs_text_free(&text);
	return found;
}

static bool is_build_entry(const struct repo *repo, const char *path, bool packaged)
{
	const char *base = path_base(path);

	if (!strcmp(base, "setup.py"))
		return !packaged || calls_setup(repo, path);
	if (!strcmp(base, "pyproject.toml"))
		return true;
	if (strcmp(base, "setup.cfg") && strcmp(base, "CMakeLists.txt"))
		return false;
	return base == path || has_sibling(repo, path, "setup.py") ||
	       has_sibling(repo, path, "pyproject.toml");
}

static unsigned file_roles(const struct repo *repo, const struct source *s)
{
	const char *base = path_base(s->path);
	unsigned roles = dirs_role(repo, s->path);
	bool packaged = base != s->path && dir_is_package(repo, s->path, path_dirlen(s->path));

	if (matches_any(test_files, base))
		roles |= ROLE_TEST;
	if (!packaged && matches_any(example_files, base))
		roles |= ROLE_EXAMPLE;
	if (is_build_entry(repo, s->path, packaged))
		roles |= ROLE_BUILD_ENTRY;
	else if (s->lang == LANG_PYTHON && path_is_tooling(s->path) && !packaged)
		roles |= ROLE_SCRIPT;
	if (s->is_package && s->module && !strchr(s->module, '.') && s->lang == LANG_PYTHON &&
	    !path_is_tooling(s->path) && !(roles & (ROLE_TEST | ROLE_EXAMPLE)))
		roles |= ROLE_CALL_ENTRY;
	return roles;
}

void roles_from_paths(struct repo *repo)
{
	size_t i;

	testing_mark(repo);
	for (i = 0; i < repo->nr_files; i++)
		if (!source_is_foreign(repo->files[i]))
			repo->files[i]->roles |= file_roles(repo, repo->files[i]);
}
