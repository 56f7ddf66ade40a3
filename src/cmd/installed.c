/*
 * installed.c - version and build of an installed target, by the layout of its environment.
 *
 * An environment is a folder with lib/python3.X/site-packages (or dist-packages). The version
 * stands in the name of the package's .dist-info folder; the build in the package's version module,
 * where the CUDA version of a CPU build is 'False'. pyvenv.cfg says whether a base environment
 * counts too.
 */
#include <dirent.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/path.h"
#include "cmd/cmd.h"
#include "rule/rule.h"

#define SMALL_FILE (1u << 20)
#define CUDA_KEY   "cuda_version"

struct installed {
	const struct vocab *vocab;
	struct arena *arena;
	const char *version, *build;
	const char *info; /* the folder that names the version, for messages */
	const char *site; /* the folder it is in */
	struct strings sites; /* folders looked into, the first counts most */
};

/* Names in a folder that start with `prefix`, sorted; none when it cannot be read. */
static void folder_names(struct strings *out, struct arena *a, const char *dir, const char *prefix)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	size_t i;

	if (!d)
		return;
	while ((e = readdir(d))) {
		if (!str_starts(e->d_name, prefix))
			continue;
		strings_add(out, a, arena_strdup(a, e->d_name));
		for (i = out->nr - 1; i && strcmp(out->v[i - 1], out->v[i]) > 0; i--) {
			const char *swap = out->v[i];

			out->v[i] = out->v[i - 1];
			out->v[i - 1] = swap;
		}
	}
	closedir(d);
}

/* Version part of "package-1.2.3.dist-info" or "package_gpu-1.2.3.post1.dist-info", NULL for
 * others. */
static const char *info_version(struct arena *a, const char *name, const char *package)
{
	static const char tail[] = ".dist-info";
	const char *rest = name + strlen(package), *dash = strchr(rest, '-');
	size_t n, i;

	if (!dash || !str_ends(name, tail) || (rest != dash && *rest != '_'))
		return NULL;
	dash++;
	n = strlen(dash) - strlen(tail);
	/* A local or post-release part says how the wheel was made, not what it holds. */
	for (i = 0; i < n; i++)
		if (dash[i] == '+' || !strncmp(dash + i, ".post", 5))
			n = i;
	return n ? arena_strndup(a, dash, n) : NULL;
}

static const char *build_of(const struct installed *in, const char *site)
{
	const char *path =
		arena_fmt(in->arena, "%s/%s/version/__init__.py", site, in->vocab->target_roots[0]);
	struct fs_text text;
	struct err err;
	const char *line, *build = NULL;

	if (fs_read_path(path, SMALL_FILE, &text, &err))
		return NULL;
	for (line = text.data; line && !build; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!str_starts(line, CUDA_KEY))
			continue;
		line += strlen(CUDA_KEY);
		line += strspn(line, " \t=\"'");
		build = str_starts(line, "False") || str_starts(line, "None") ? "cpu" : "cuda";
	}
	fs_text_free(&text);
	return build;
}

/* Look into one site-packages folder. 1 when the package is there, 0 when not, -1 with err. */
static int site_look(struct installed *in, const char *site, struct err *err)
{
	struct strings names = {0};
	size_t i;

	strings_add(&in->sites, in->arena, site);
	folder_names(&names, in->arena, site, in->vocab->package);
	for (i = 0; i < names.nr; i++) {
		const char *v = info_version(in->arena, names.v[i], in->vocab->package);

		if (!v)
			continue;
		if (in->version && strcmp(in->version, v))
			return err_set(err, "%s holds more than one %s (%s and %s)", site,
				       in->vocab->package, in->version, v);
		in->version = v;
		in->info = arena_fmt(in->arena, "%s/%s", site, names.v[i]);
	}
	if (!in->version)
		return 0;
	in->site = site;
	in->build = build_of(in, site);
	if (!in->build)
		return err_set(err, "%s: cannot tell the build of %s", site, in->vocab->package);
	return 1;
}

/* Look below the folder of an environment. */
static int environment_look(struct installed *in, const char *prefix, struct err *err)
{
	static const char *const libs[] = {"lib", "lib64"};
	static const char *const sites[] = {"site-packages", "dist-packages"};
	size_t l, i, s;
	int ret;

	for (l = 0; l < 2; l++) {
		struct strings names = {0};
		const char *lib = arena_fmt(in->arena, "%s/%s", prefix, libs[l]);

		folder_names(&names, in->arena, lib, "python3");
		for (i = 0; i < names.nr; i++) {
			for (s = 0; s < 2; s++) {
				ret = site_look(
					in,
					arena_fmt(in->arena, "%s/%s/%s", lib, names.v[i], sites[s]),
					err);
				if (ret)
					return ret;
			}
		}
	}
	return 0;
}

/* Value of a key of pyvenv.cfg, NULL where there is none. */
static const char *venv_value(struct arena *a, const char *text, const char *key)
{
	const char *line, *p;

	for (line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!str_starts(line, key))
			continue;
		p = line + strlen(key);
		p += strspn(p, " \t");
		if (*p != '=')
			continue;
		p += 1 + strspn(p + 1, " \t");
		return arena_strndup(a, p, strcspn(p, "\r\n"));
	}
	return NULL;
}

static const char *parent_of(struct arena *a, const char *path)
{
	size_t n = path_dirlen(path);

	if (!n)
		return strchr(path, '/') ? "/" : ".";
	return arena_strndup(a, path, n);
}

/* The environment below: only its distributions count where the package was found above. */
static int environment_also(struct installed *in, const char *prefix, int found, struct err *err)
{
	struct installed below = *in;

	if (!found)
		return environment_look(in, prefix, err);
	below.version = NULL;
	(void)environment_look(&below, prefix, NULL);
	in->sites = below.sites;
	return found;
}

/* The environment of an interpreter as it was named; then the one it links to or is based on. */
static int interpreter_look(struct installed *in, const char *python, struct err *err)
{
	const char *prefix = path_join(in->arena, parent_of(in->arena, python), ".."), *home, *both;
	char real[PATH_MAX];
	struct fs_text cfg;
	struct err ignored;
	int ret = environment_look(in, prefix, err);

	if (ret < 0)
		return ret;
	if (!fs_read_path(arena_fmt(in->arena, "%s/pyvenv.cfg", prefix), SMALL_FILE, &cfg,
			  &ignored)) {
		home = venv_value(in->arena, cfg.data, "home");
		both = venv_value(in->arena, cfg.data, "include-system-site-packages");
		if (home && both && !strcmp(both, "true"))
			ret = environment_also(in, arena_fmt(in->arena, "%s/..", home), ret, err);
		fs_text_free(&cfg);
		return ret;
	}
	if (ret || !realpath(python, real))
		return ret;
	return environment_look(in, arena_fmt(in->arena, "%s/..", parent_of(in->arena, real)), err);
}

/* A bare name is looked up as a shell would. */
static const char *interpreter_path(struct arena *a, const char *python)
{
	const char *path = getenv("PATH");

	if (strchr(python, '/'))
		return python;
	while (path && *path) {
		size_t n = strcspn(path, ":");
		const char *try = arena_fmt(a, "%.*s/%s", (int)n, path, python);

		if (n && !access(try, X_OK))
			return try;
		path += n + (path[n] == ':');
	}
	return NULL;
}

static int folder_look(struct installed *in, const char *dir, struct err *err)
{
	int ret = site_look(in, dir, err);

	if (!ret)
		ret = environment_look(in, dir, err);
	/* The package's own folder. */
	if (!ret)
		ret = site_look(in, arena_fmt(in->arena, "%s/..", dir), err);
	return ret;
}

static int installed_find(struct installed *in, const struct run_options *o, struct err *err)
{
	const char *what = o->python ? o->python : o->installed_dir, *python;
	int ret;

	if (o->python) {
		python = interpreter_path(in->arena, o->python);
		if (!python || access(python, F_OK))
			return err_set(err, "no interpreter '%s'", o->python);
		ret = interpreter_look(in, python, err);
	} else {
		ret = folder_look(in, o->installed_dir, err);
	}
	if (!ret)
		return err_set(err, "no installed %s found by '%s'", in->vocab->package, what);
	return ret < 0 ? -1 : 0;
}

static void installed_apply(struct cmd *c, const struct installed *in)
{
	struct run_options *o = &c->o.run;

	if (o->versions && strcmp(o->versions, in->version)) {
		if (!o->quiet)
			fprintf(stderr,
				"pdmigrate: the environment holds %s %s %s, not the target %s\n",
				in->vocab->package, in->version, in->build, o->versions);
		return;
	}
	if (o->target_build && strcmp(o->target_build, in->build)) {
		if (!o->quiet)
			fprintf(stderr,
				"pdmigrate: the environment holds a %s build, not the target %s\n",
				in->build, o->target_build);
		o->versions = in->version;
		return;
	}
	o->versions = in->version;
	o->target_build = in->build;
	o->target_origin = "installed";
	if (o->installed_dir)
		o->headers_dir = in->site;
}

/* A distribution that stands in two folders is found in the first. */
static void installed_dists(struct cmd *c, const struct installed *in)
{
	struct dists *dists = ARENA_NEW(&c->arena, struct dists);
	size_t i;

	for (i = 0; i < in->sites.nr; i++)
		dists_read(dists, in->sites.v[i], in->vocab, &c->arena);
	c->o.run.dists = dists;
}

int installed_resolve(struct cmd *c, struct err *err)
{
	struct installed in = {.arena = &c->arena};
	struct assets assets;
	struct vocab *vocab;

	if (!c->o.run.python && !c->o.run.installed_dir)
		return 0;
	if (assets_load(&assets, &c->arena, c->o.run.rules_dir, err) ||
	    vocab_load(&vocab, &c->arena, &assets, err))
		return -1;
	in.vocab = vocab;
	if (installed_find(&in, &c->o.run, err))
		return -1;
	installed_apply(c, &in);
	if (c->o.run.python)
		installed_dists(c, &in);
	return 0;
}
