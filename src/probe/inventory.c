/*
 * inventory.c - the driver, and every CUDA runtime there is: pip packages on the import path, then
 * toolkits, then system folders, then what the loader takes for the usual names.
 *
 * A runtime is one file: links to it and other paths are kept beside it.
 */
#include <glob.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "base/glob.h"
#include "base/path.h"
#include "probe/internal.h"

#define LD_PATH "LD_LIBRARY_PATH"

void probe_say(const struct probe *p, const char *fmt, ...)
{
	char text[PATH_MAX + 128];
	va_list ap;

	if (!p->o->say)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	p->o->say(p->o->say_ctx, text);
}

struct child_result probe_step_run(const struct probe *p, const char *const *args)
{
	const char *argv[STEP_ARGS_MAX + 3] = {NULL, "probe-step"};
	struct child c = {.argv = argv, .seconds = p->o->seconds};
	size_t i;

	for (i = 0; args[i] && i < STEP_ARGS_MAX; i++)
		argv[i + 2] = args[i];
	return child_run(&c, p->arena);
}

/* ---- the driver ------------------------------------------------------------------------------------- */

static const char *row_words(const struct child_result *r, struct arena *a)
{
	const char *words = child_value(r, "words"), *missing = child_value(r, "missing");
	const char *stage = child_value(r, "stage");

	if (r->end != CHILD_EXIT)
		return stage ? arena_fmt(a, "%s (in step %s)", child_words(r, a),
					 r->rows[r->nr_rows - 1].value)
			     : child_words(r, a);
	if (words)
		return words;
	if (missing)
		return arena_fmt(a, "has no symbol %s", missing);
	return r->code ? child_words(r, a) : NULL;
}

static void driver_read(struct probe *p)
{
	const char *args[] = {"driver", p->words->driver, p->words->management, NULL};
	struct child_result r = probe_step_run(p, args);
	VEC(struct probe_device) v = {0};
	struct probe_driver *d = &p->driver;
	size_t i;

	d->path = child_value(&r, "path");
	d->cuda = child_value(&r, "cuda");
	d->version = child_value(&r, "version");
	d->words = row_words(&r, p->arena);
	for (i = 0; i < r.nr_rows; i++) {
		const char *key = r.rows[i].key, *value = r.rows[i].value;

		if (!strcmp(key, "device"))
			VEC_PUSH(p->arena, &v)->name = value;
		else if (v.nr && !strcmp(key, "capability"))
			v.v[v.nr - 1].capability = value;
		else if (v.nr && !strcmp(key, "memory"))
			v.v[v.nr - 1].memory = value;
		else if (v.nr && !strcmp(key, "uuid"))
			v.v[v.nr - 1].uuid = value;
	}
	d->devices = v.v;
	d->nr_devices = v.nr;
	if (!v.nr)
		strings_add(&p->not_tested, p->arena, "kernel launch: no device");
}

/* ---- runtimes ------------------------------------------------------------------------------------------ */

bool name_in(const char *const *globs, const char *name)
{
	for (; *globs; globs++)
		if (glob_match(*globs, name))
			return true;
	return false;
}

static struct probe_runtime *runtime_same(struct probe *p, const struct stat *st)
{
	size_t i;

	for (i = 0; i < p->runtimes.nr; i++)
		if (p->runtimes.v[i].dev == st->st_dev && p->runtimes.v[i].ino == st->st_ino)
			return &p->runtimes.v[i];
	return NULL;
}

static void runtime_also(struct probe *p, struct probe_runtime *r, const char *path)
{
	const char **v;
	size_t i;

	for (i = 0; i < r->nr_also; i++)
		if (!strcmp(r->also[i], path))
			return;
	if (!strcmp(r->path, path))
		return;
	v = arena_array(p->arena, r->nr_also + 1, sizeof(*v));
	if (r->nr_also)
		memcpy(v, r->also, r->nr_also * sizeof(*v));
	v[r->nr_also++] = arena_strdup(p->arena, path);
	r->also = v;
}

static void runtime_ask(struct probe *p, struct probe_runtime *r)
{
	const char *args[] = {"runtime", r->path, NULL};
	struct child_result c;
	struct elf_file elf;
	struct err err = {0};

	if (elf_read(&elf, p->arena, r->path, &err)) {
		r->words = arena_strdup(p->arena, err.msg);
		return;
	}
	r->soname = elf.soname;
	r->build_id = elf.build_id;
	c = probe_step_run(p, args);
	r->version = child_value(&c, "version");
	r->words = row_words(&c, p->arena);
	r->usable = c.end == CHILD_EXIT && child_value(&c, "stage") && r->version;
}

static void runtime_add(struct probe *p, const char *path, const char *origin)
{
	struct probe_runtime *r;
	char real[PATH_MAX];
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return;
	r = runtime_same(p, &st);
	if (r) {
		runtime_also(p, r, path);
		return;
	}
	r = VEC_PUSH(p->arena, &p->runtimes);
	*r = (struct probe_runtime){
		.path = arena_strdup(p->arena, path),
		.origin = origin,
		.dev = st.st_dev,
		.ino = st.st_ino,
	};
	r->real = realpath(path, real) ? arena_strdup(p->arena, real) : r->path;
	runtime_ask(p, r);
}

/* Text that a glob takes as it is. */
static const char *glob_quote(struct arena *a, const char *s)
{
	struct strbuf sb = STRBUF_INIT;
	const char *out;

	for (; *s; s++) {
		if (strchr("*?[\\", *s))
			strbuf_addch(&sb, '\\');
		strbuf_addch(&sb, *s);
	}
	out = arena_strdup(a, sb.buf);
	strbuf_release(&sb);
	return out;
}

static void folder_search(struct probe *p, const char *pattern, const char *origin)
{
	glob_t g;
	size_t i;

	/* The longest name first: the file itself, of which the others are links. */
	if (!glob(arena_fmt(p->arena, "%s/lib*.so*", pattern), 0, NULL, &g))
		for (i = 0; i < g.gl_pathc; i++)
			if (name_in(p->words->runtime_files, path_base(g.gl_pathv[i])))
				runtime_add(p, g.gl_pathv[i], origin);
	globfree(&g);
}

static void below_search(struct probe *p, const char *dir, const char *const *globs,
			 const char *origin)
{
	for (dir = glob_quote(p->arena, dir); *globs; globs++)
		folder_search(p, arena_fmt(p->arena, "%s/%s", dir, *globs), origin);
}

static void runtimes_search(struct probe *p)
{
	const struct probe_words *w = p->words;
	const char *const *s;
	size_t i;

	for (i = 0; i < p->interpreter.folders.nr; i++)
		below_search(p, p->interpreter.folders.v[i], w->pip, "pip");
	for (s = w->homes; *s; s++)
		if (getenv(*s) && *getenv(*s))
			below_search(p, getenv(*s), w->home_dirs, "home");
	for (s = w->home_default; *s; s++)
		below_search(p, *s, w->home_dirs, "home");
	for (s = w->system_dirs; *s; s++)
		folder_search(p, *s, "system");
}

/* ---- the loader ------------------------------------------------------------------------------------ */

static struct child_result resolve(const struct probe *p, const char *soname, bool bare)
{
	const char *argv[] = {NULL, "probe-step", "resolve", soname, NULL};
	struct child c = {.argv = argv, .seconds = p->o->seconds, .unset = bare ? LD_PATH : NULL};

	return child_run(&c, p->arena);
}

/* An interpreter has search paths of its own. */
static const char *resolve_inside(const struct probe *p, const char *soname)
{
	const char *args[] = {"resolve", soname, NULL};
	struct map_runtimes v = {0};
	struct child_result r;
	size_t i;

	if (!p->interpreter.version)
		return NULL;
	r = probe_python_run(p, args, NULL);
	for (i = 0; i < r.nr_rows; i++)
		if (!strcmp(r.rows[i].key, "map"))
			maps_runtimes(&v, p->arena, r.rows[i].value, strlen(r.rows[i].value));
	return v.nr ? v.v[0].path : NULL;
}

/* The kernel's maps have a file's real path: the same file keeps the name that it has here. */
static const char *path_same(const char *here, const char *there)
{
	struct stat a, b;

	if (!here || !there || stat(here, &a) || stat(there, &b) || a.st_dev != b.st_dev ||
	    a.st_ino != b.st_ino)
		return there;
	return here;
}

static void loader_ask(struct probe *p, const char *soname)
{
	struct child_result r = resolve(p, soname, false);
	struct probe_loader *l = VEC_PUSH(p->arena, &p->loaders);

	*l = (struct probe_loader){
		.soname = soname,
		.path = child_value(&r, "path"),
		.words = row_words(&r, p->arena),
	};
	l->without = l->path;
	if (getenv(LD_PATH) && *getenv(LD_PATH)) {
		r = resolve(p, soname, true);
		l->without = child_value(&r, "path");
	}
	l->interpreter = path_same(l->path, resolve_inside(p, soname));
	if (l->path)
		runtime_add(p, l->path, "loader");
	if (l->interpreter)
		runtime_add(p, l->interpreter, "loader");
}

void probe_inventory(struct probe *p)
{
	const char *const *s;

	driver_read(p);
	runtimes_search(p);
	for (s = p->words->sonames; *s; s++)
		loader_ask(p, *s);
	if (!p->runtimes.nr)
		strings_add(&p->not_tested, p->arena, "preloads: no CUDA runtime found");
}
