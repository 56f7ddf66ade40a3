/*
 * coverage_cxx.c - `coverage`: the C++ half of lookup and dump, and stubs.
 *
 * Where an interpreter's packages and headers are is found by layout, as in installed.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/path.h"
#include "cmd/coverage.h"
#include "cxx/cxx.h"
#include "rule/rule.h"

/* The first path that the patterns, formatted with `dir`, match; NULL for none. */
static const char *glob_first(struct arena *a, const char *pattern)
{
	const char *found = NULL;
	glob_t g;

	if (!glob(pattern, 0, NULL, &g)) {
		found = g.gl_pathc ? arena_strdup(a, g.gl_pathv[0]) : NULL;
		globfree(&g);
	}
	return found;
}

static const char *site_find(struct arena *a, const char *prefix, const char *const *packages)
{
	const char *const *p;
	const char *found;

	for (p = packages; *p; p++) {
		found = glob_first(a, arena_fmt(a, "%s/lib*/python3*/*-packages/%s/include", prefix,
						*p));
		if (found)
			return arena_strndup(a, found,
					     strlen(found) - strlen(*p) - strlen("//include"));
	}
	return NULL;
}

/* Fill site and python_include. */
static int python_find(struct cxx_dump_options *o, struct arena *a, const struct vocab *vocab,
		       const char *python, struct err *err)
{
	const char *prefix = path_dirlen(python) ? arena_fmt(a, "%.*s/..", (int)path_dirlen(python),
							     python)
						 : "..";
	const char *packages[] = {vocab->target_roots[0], vocab->roots[0], NULL};
	const char *base = cxx_python_base(a, prefix), *header;

	o->site = site_find(a, prefix, packages);
	if (!o->site && base)
		o->site = site_find(a, base, packages);
	if (!o->site)
		return err_set(err, "no package with headers found by '%s'", python);
	header = glob_first(a, arena_fmt(a, "%s/include/python3*/Python.h", prefix));
	if (!header && base)
		header = glob_first(a, arena_fmt(a, "%s/include/python3*/Python.h", base));
	if (!header)
		return err_set(err, "no Python.h found by '%s'", python);
	o->python_include = arena_strndup(a, header, path_dirlen(header));
	return 0;
}

static const char *cuda_find(struct arena *a)
{
	const char *dirs[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda"};
	size_t i;

	for (i = 0; i < sizeof(dirs) / sizeof(*dirs); i++)
		if (dirs[i] && *dirs[i] &&
		    !access(arena_fmt(a, "%s/include/cuda_runtime.h", dirs[i]), R_OK))
			return dirs[i];
	return NULL;
}

int coverage_dump_cxx(struct cmd *c, const struct assets *assets, const char *outdir,
		      struct err *err)
{
	struct cxx_dump_options o = {.outdir = outdir, .cuda = cuda_find(&c->arena)};
	char real[PATH_MAX];
	struct vocab *vocab;

	if (vocab_load(&vocab, &c->arena, assets, err) ||
	    python_find(&o, &c->arena, vocab, c->o.run.python, err))
		return -1;
	if (!o.cuda)
		return err_set(err, "no CUDA toolkit found ($CUDA_HOME): its headers are needed");
	if (realpath(o.site, real))
		o.site = arena_strdup(&c->arena, real);
	fprintf(stderr, "reading headers below %s\n", o.site);
	return cxx_dump(assets, &o, err);
}

int coverage_cxx_load(struct coverage_cxx *x, struct cmd *c, const struct assets *assets,
		      const struct target *targets, size_t nr, struct err *err)
{
	size_t i;

	x->v = arena_array(&c->arena, nr, sizeof(*x->v));
	x->nr = nr;
	for (i = 0; i < nr; i++)
		if (cxx_db_load(&x->v[i], &c->arena, assets, targets[i].version, targets[i].build,
				err))
			return -1;
	return 0;
}

static int verdict_weight(enum verdict v)
{
	return v == VERDICT_GAP ? 2 : v == VERDICT_UNKNOWN ? 1 : 0;
}

static bool is_cxx_name(const struct cxx_answer *answer, const char *name)
{
	if (strstr(name, "::") || strchr(name, '/'))
		return true;
	return !strchr(name, '.') && answer->verdict != VERDICT_UNKNOWN;
}

bool coverage_cxx_lookup(const struct coverage_cxx *x, struct cmd *c, const char *name)
{
	struct cxx_answer worst = {.verdict = VERDICT_NONE};
	size_t i;

	for (i = 0; i < x->nr; i++) {
		struct cxx_answer r = {.verdict = VERDICT_UNKNOWN, .row = "no C++ tables"};

		if (x->v[i])
			r = cxx_lookup(x->v[i], &c->arena, name);
		if (!i || verdict_weight(r.verdict) > verdict_weight(worst.verdict))
			worst = r;
	}
	if (!is_cxx_name(&worst, name))
		return false;
	path_print(&c->out, name);
	strbuf_addf(&c->out, "\t%s\t", verdict_name(worst.verdict));
	path_print(&c->out, worst.row);
	strbuf_addch(&c->out, '\n');
	return true;
}

/* Make the folders that lead to `path`. */
static int folders_make(char *path, struct err *err)
{
	char *p;

	for (p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = 0;
		if (mkdir(path, 0777) && errno != EEXIST)
			return err_errno(err, "%s", path);
		*p = '/';
	}
	return 0;
}

static int stub_write(struct cmd *c, const char *dir, const struct cxx_stub *stub, struct err *err)
{
	char *path = arena_fmt(&c->arena, "%s%s", dir, stub->path);
	int fd, bad;

	if (folders_make(path, err))
		return -1;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return err_errno(err, "%s", path);
	bad = fs_write_all(fd, stub->text, stub->len);
	if (close(fd) || bad)
		return err_errno(err, "%s", path);
	return 0;
}

int coverage_stubs(struct cmd *c, const struct coverage_cxx *x, const struct assets *assets,
		   const char *dir, struct err *err)
{
	struct cxx_stubs *stubs;
	size_t i;

	if (!x->nr || !x->v[0])
		return err_set(err, "no C++ tables for this version");
	if (cxx_stubs_make(&stubs, &c->arena, assets, x->v[0], err))
		return -1;
	if (mkdir(dir, 0777))
		return err_errno(err, "%s", dir);
	for (i = 0; i < stubs->nr; i++)
		if (stub_write(c, dir, &stubs->v[i], err))
			return -1;
	return 0;
}
