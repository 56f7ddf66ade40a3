/*
 * exact.c - the headers of an installed target: where they are, and how a unit is parsed against them.
 *
 * The parent finds the folders by layout and runs nothing. A worker may read them through its overlay, as
 * it does the system's. Facts are told from the repository as with stubs: a declaration in a
 * header of the target is what a declaration in a stub is. Headers that only upstream has are still
 * shadows in memory, searched last.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/yaml.h"
#include "cxx/exact.h"
#include "cxx/libclang.h"
#include "cxx/parse.h"

#define CONFIG	   "cxx/dump.yml"
#define CONFIG_MAX (1u << 20)
#define PYTHON_DIR "/python3"
/* The parser's own CUDA wrapper includes it; toolkits have it no more. */
#define ABSENT	   "texture_fetch_functions.h"

static const char *real_path(struct arena *a, const char *path)
{
	char real[PATH_MAX];

	return realpath(path, real) ? arena_strdup(a, real) : NULL;
}

static bool has_file(struct arena *a, const char *dir, const char *name)
{
	return !access(arena_fmt(a, "%s/%s", dir, name), R_OK);
}

const char *cxx_python_base(struct arena *a, const char *prefix)
{
	struct fs_text text;
	const char *p, *home = NULL;
	struct err err;

	if (fs_read_path(arena_fmt(a, "%s/pyvenv.cfg", prefix), CONFIG_MAX, &text, &err))
		return NULL;
	p = strstr(text.data, "home");
	if (p && (p == text.data || p[-1] == '\n')) {
		p += strlen("home");
		p += strspn(p, " \t=");
		home = arena_fmt(a, "%.*s/..", (int)strcspn(p, "\r\n"), p);
	}
	fs_text_free(&text);
	return home;
}

/*
 * Folder of Python.h for "PREFIX/lib/python3.X/site-packages": below the prefix, below what a virtual
 * environment is made from, or the system's.
 */
static const char *python_find(struct arena *a, const char *site)
{
	const char *version = strstr(site, PYTHON_DIR), *next, *prefix, *prefixes[3], *dir;
	size_t i, n;

	for (; version && (next = strstr(version + 1, PYTHON_DIR)); version = next)
		;
	if (!version)
		return NULL;
	n = strcspn(version + 1, "/");
	prefix = arena_fmt(a, "%.*s/..", (int)(version - site), site);
	prefixes[0] = prefix;
	prefixes[1] = cxx_python_base(a, prefix);
	prefixes[2] = "/usr";
	for (i = 0; i < 3; i++) {
		if (!prefixes[i])
			continue;
		dir = arena_fmt(a, "%s/include/%.*s", prefixes[i], (int)n, version + 1);
		if (has_file(a, dir, "Python.h"))
			return real_path(a, dir);
	}
	return NULL;
}

static const char *cuda_find(struct arena *a)
{
	const char *dirs[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda"};
	size_t i;

	for (i = 0; i < sizeof(dirs) / sizeof(*dirs); i++)
		if (dirs[i] && *dirs[i] == '/' && has_file(a, dirs[i], "include/cuda_runtime.h"))
			return real_path(a, dirs[i]);
	return NULL;
}

static const struct yaml *config_of(const struct assets *assets, struct arena *a, struct err *err)
{
	const struct asset *as = asset_get(assets, CONFIG);
	struct yaml *root;

	if (!as) {
		err_set(err, "no '%s' in the rules", CONFIG);
		return NULL;
	}
	if (asset_yaml(&root, a, assets, as, err))
		return NULL;
	return yaml_get(root, "target");
}

static void dirs_add(struct exact *e, struct arena *a, const char *site, const struct yaml *list)
{
	const struct yaml *item;

	for (item = list ? list->child : NULL; item; item = item->next)
		strings_add(&e->dirs, a, arena_fmt(a, "%s/%s", site, item->text ? item->text : ""));
}

const char *exact_find(struct worker_setup *s, const char *site, const struct assets *assets,
		       struct arena *a)
{
	const struct yaml *list;
	struct err err = {{0}};

	site = real_path(a, site);
	list = yaml_get(config_of(assets, a, &err), "roots");
	if (!site || !list || !list->child || !has_file(a, site, list->child->text))
		return "the installed package has no headers";
	s->python = python_find(a, site);
	if (!s->python)
		return "no Python.h belongs to it";
	s->cuda = cuda_find(a);
	if (!s->cuda && strcmp(s->build, "cpu"))
		return "no CUDA toolkit is there";
	s->site = site;
	return NULL;
}

int exact_load(struct exact *e, const struct worker_setup *s, const struct assets *assets,
	       struct arena *a, struct err *err)
{
	const struct yaml *config;

	if (!s->site)
		return 0;
	config = config_of(assets, a, err);
	if (!config)
		return -1;
	dirs_add(e, a, s->site, yaml_get(config, "roots"));
	dirs_add(e, a, s->site, yaml_get(config, "include"));
	e->nr_own = e->dirs.nr;
	strings_add(&e->dirs, a, s->python);
	e->cuda = s->cuda;
	if (e->cuda) {
		strings_add(&e->dirs, a, arena_fmt(a, "%s/include", e->cuda));
		/* Where thrust and its like moved to. */
		strings_add(&e->dirs, a, arena_fmt(a, "%s/include/cccl", e->cuda));
		if (!has_file(a, e->cuda, "include/" ABSENT))
			e->absent = arena_fmt(a, "%s/include/" ABSENT, e->cuda);
	}
	e->on = true;
	return 0;
}

void exact_folders(const struct exact *e, struct arena *a, struct strings *out)
{
	size_t i;

	for (i = 0; i < e->dirs.nr; i++)
		strings_add(out, a, e->dirs.v[i]);
	/* The parser looks for the version of a toolkit in its root. */
	if (e->cuda)
		strings_add(out, a, e->cuda);
}

bool exact_serves(const struct exact *e, unsigned mode)
{
	return e->on && (e->cuda || !(mode & CXX_CUDA));
}

const char *const *exact_args(const struct exact *e, const struct cxx_stubs *s,
			      const struct libclang *lc, unsigned mode, struct arena *a)
{
	VEC(const char *) v = {0};
	const char *const *d;
	size_t i;

	if (mode & CXX_CUDA) {
		*VEC_PUSH(a, &v) = "-xcuda";
		*VEC_PUSH(a, &v) = "--cuda-host-only";
		*VEC_PUSH(a, &v) = "-nocudalib";
		*VEC_PUSH(a, &v) = arena_fmt(a, "--cuda-path=%s", e->cuda);
	} else {
		*VEC_PUSH(a, &v) = "-xc++";
	}
	/* In later modes the parser and the C++ library disagree about the target's headers. */
	*VEC_PUSH(a, &v) = "-std=c++17";
	*VEC_PUSH(a, &v) = "-w";
	*VEC_PUSH(a, &v) = "-ferror-limit=0";
	for (i = 0; i < e->dirs.nr; i++) {
		*VEC_PUSH(a, &v) = "-isystem";
		*VEC_PUSH(a, &v) = e->dirs.v[i];
	}
	*VEC_PUSH(a, &v) = "-idirafter";
	*VEC_PUSH(a, &v) = CXX_SHADOW_DIR;
	if (lc->resource) {
		*VEC_PUSH(a, &v) = "-resource-dir";
		*VEC_PUSH(a, &v) = lc->resource;
	}
	for (d = s->defines; *d; d++)
		*VEC_PUSH(a, &v) = *d;
	*VEC_PUSH(a, &v) = NULL;
	return v.v;
}

bool exact_owns(const struct exact *e, const char *path)
{
	size_t i, n;

	for (i = 0; e->on && i < e->nr_own; i++) {
		n = strlen(e->dirs.v[i]);
		if (!strncmp(path, e->dirs.v[i], n) && path[n] == '/')
			return true;
	}
	return false;
}
