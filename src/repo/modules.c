/*
 * modules.c - Python names of files.
 *
 * In: the sorted files. Out: source->module and is_package, repo->package_roots, repo->packages.
 *
 * A folder with an __init__.py that lies in no other such folder is a top-level package, and the
 * folder it stands in is an import root. So is the root folder, and a folder with a build entry of
 * its own. A file is named from the root its package stands in; one outside all packages from the
 * deepest root above it. A root folder with a build entry and a package below is no package itself: its
 * __init__.py is there for those who take the tree as a submodule. Folders without an __init__.py below
 * a package are parts of the name like any other.
 */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "repo/internal.h"

static const char init_name[] = "__init__.py";

bool dir_is_package(const struct repo *repo, const char *path, size_t n)
{
	char name[PATH_MAX];

	if (n + sizeof(init_name) + 1 > sizeof(name) || (!n && repo->root_is_folder))
		return false;
	snprintf(name, sizeof(name), "%.*s%s%s", (int)n, path, n ? "/" : "", init_name);
	return repo_find(repo, name) != NULL;
}

/* A package of the project: tests, documentation and tools beside it may have an __init__.py as well. */
static bool is_product(const struct repo *repo, const struct source *s)
{
	static const char *const beside[] = {"test", "doc",    "example", "bench",
					     "tool", "script", "demo",	  NULL};
	const char *slash = strchr(s->path, '/');
	size_t i;

	if (!slash || strcmp(slash + 1, init_name) || source_is_foreign(s))
		return false;
	for (i = 0; beside[i]; i++)
		if (!strncmp(s->path, beside[i], strlen(beside[i])))
			return false;
	return dir_is_package(repo, s->path, (size_t)(slash - s->path));
}

bool root_is_folder(const struct repo *repo)
{
	size_t i;

	if (!repo_find(repo, init_name) ||
	    (!repo_find(repo, "setup.py") && !repo_find(repo, "pyproject.toml")))
		return false;
	for (i = 0; i < repo->nr_files; i++)
		if (is_product(repo, repo->files[i]))
			return true;
	return false;
}

/*
 * Length of the folder that the outermost package around `path` stands in; -1: the file is in no
 * package. The root folder itself may be a package: its own root is then outside, and counts as "".
 */
static long package_top(const struct repo *repo, const char *path)
{
	size_t n = strcspn(path, "/"), dir = 0;

	if (path[n] && dir_is_package(repo, path, 0))
		return 0;
	for (; path[n]; n += 1 + strcspn(path + n + 1, "/")) {
		if (dir_is_package(repo, path, n))
			return (long)dir;
		dir = n;
	}
	return -1;
}

static bool is_python(const struct source *s)
{
	return s->lang == LANG_PYTHON || s->lang == LANG_STUB || s->lang == LANG_CYTHON;
}

static void root_add(struct repo *repo, struct arena *a, const char *path, size_t n)
{
	const char *root = arena_strndup(a, path, n);

	if (!strings_has(&repo->package_roots, root))
		strings_add(&repo->package_roots, a, root);
}

static int text_cmp(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void roots_find(struct repo *repo, struct arena *a)
{
	static const char *const entries[] = {"setup.py", "pyproject.toml", "setup.cfg", NULL};
	size_t i;

	root_add(repo, a, "", 0);
	for (i = 0; i < repo->nr_files; i++) {
		const struct source *s = repo->files[i];
		const char *base = path_base(s->path);
		long top;

		if (source_is_foreign(s))
			continue;
		if (!strcmp(base, init_name)) {
			top = package_top(repo, s->path);
			if (top >= 0)
				root_add(repo, a, s->path, (size_t)top);
		} else if (list_has(entries, base) && package_top(repo, s->path) < 0) {
			root_add(repo, a, s->path, path_dirlen(s->path));
		}
	}
	qsort(repo->package_roots.v, repo->package_roots.nr, sizeof(char *), text_cmp);
}

/* Length of the deepest import root above the file. */
static size_t root_above(const struct repo *repo, const char *path)
{
	size_t i, best = 0, n = path_dirlen(path);

	for (i = 0; i < repo->package_roots.nr; i++) {
		const char *root = repo->package_roots.v[i];
		size_t len = strlen(root);

		if (len > best && len <= n && path_under(path, root))
			best = len;
	}
	return best;
}

static bool is_identifier(const char *s, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!isalnum((unsigned char)s[i]) && s[i] != '_' && !((unsigned char)s[i] & 0x80))
			return false;
	return n && !isdigit((unsigned char)*s);
}

/* Dotted name of the path without its extension; NULL when a part could not be imported. */
static const char *dotted(struct arena *a, const char *path, const char *prefix, bool is_init)
{
	size_t n = is_init ? path_dirlen(path) : strlen(path) - strlen(path_ext(path)), i, start;
	char *name;

	if (!n)
		return *prefix ? prefix : NULL;
	name = *prefix ? arena_fmt(a, "%s.%.*s", prefix, (int)n, path) : arena_strndup(a, path, n);
	for (start = i = 0;; i++) {
		if (name[i] && name[i] != '/' && name[i] != '.')
			continue;
		if (name[i] == '.' && i >= strlen(prefix) + (*prefix != 0))
			return NULL;
		if (!is_identifier(name + start, i - start))
			return NULL;
		if (!name[i])
			return name;
		name[i] = '.';
		start = i + 1;
	}
}

static void file_name(struct repo *repo, struct arena *a, struct source *s, const char *prefix)
{
	long top = package_top(repo, s->path);
	size_t root = top >= 0 ? (size_t)top : root_above(repo, s->path);
	const char *rel = s->path + root + (root ? 1 : 0);
	const char *base = path_base(rel);

	s->is_package = !strcmp(base, init_name) || !strcmp(base, "__init__.pyi");
	s->module = dotted(a, rel, root ? "" : prefix, s->is_package);
}

void modules_name(struct repo *repo, struct arena *a, const char *prefix)
{
	size_t i;

	roots_find(repo, a);
	for (i = 0; i < repo->nr_files; i++)
		if (is_python(repo->files[i]) && !source_is_foreign(repo->files[i]))
			file_name(repo, a, repo->files[i], prefix);
}

static void package_add(struct repo *repo, struct arena *a, const char *name, size_t n)
{
	name = arena_strndup(a, name, n);
	if (!strings_has(&repo->packages, name))
		strings_add(&repo->packages, a, name);
}

/* A file of no package, where the tree has packages. A file in the root folder may be one's only module. */
static bool is_outside(const struct repo *repo, const struct source *s)
{
	char top[256];
	size_t n;

	if (!is_python(s) || s->roles & (ROLE_BUILD_ENTRY | ROLE_TEST | ROLE_EXAMPLE) ||
	    !strchr(s->path, '/'))
		return false;
	if (!s->module)
		return true;
	n = strcspn(s->module, ".");
	if (n >= sizeof(top))
		return false;
	memcpy(top, s->module, n);
	top[n] = 0;
	return !strings_has(&repo->packages, top);
}

void packages_find(struct repo *repo, struct arena *a, const char *prefix)
{
	size_t i;

	if (*prefix)
		package_add(repo, a, prefix, strcspn(prefix, "."));
	for (i = 0; i < repo->nr_files; i++) {
		const struct source *s = repo->files[i];
		size_t n = s->module ? strcspn(s->module, ".") : 0;
		bool single = n && !s->module[n] && !s->is_package;

		if (!n || s->lang == LANG_STUB ||
		    (s->roles & (ROLE_TEST | ROLE_EXAMPLE | ROLE_BUILD_ENTRY)))
			continue;
		/* scripts/ and tools/ with an __init__.py are still no product. */
		if (single || (package_top(repo, s->path) >= 0 && !path_is_tooling(s->path)))
			package_add(repo, a, s->module, n);
	}
	if (!repo->packages.nr)
		return;
	qsort(repo->packages.v, repo->packages.nr, sizeof(char *), text_cmp);
	for (i = 0; i < repo->nr_files; i++)
		if (is_outside(repo, repo->files[i]))
			repo->files[i]->roles |= ROLE_OUTSIDE;
}
