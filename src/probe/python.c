/*
 * python.c - children that are the interpreter: its import path, what importing a framework makes
 * global, and a package imported with what stands before it.
 */
#include <string.h>

#include "probe/internal.h"

#define ARGS_MAX 32

struct child_result probe_python_run(const struct probe *p, const char *const *args,
				     const char *path_first)
{
	const char *argv[ARGS_MAX + 4] = {p->o->python, "-c", p->words->script};
	struct child c = {
		.argv = argv,
		.path_first = path_first,
		.seconds = p->o->seconds,
	};
	size_t i;

	for (i = 0; args[i] && i < ARGS_MAX; i++)
		argv[i + 3] = args[i];
	return child_run(&c, p->arena);
}

void probe_interpreter(struct probe *p)
{
	const char *args[] = {"paths", NULL};
	struct probe_interpreter *in = &p->interpreter;
	struct child_result r;
	size_t i;

	if (!p->o->python) {
		strings_add(&p->not_tested, p->arena, "frameworks: no interpreter given (--python)");
		return;
	}
	probe_say(p, "%s, once for each question", p->o->python);
	r = probe_python_run(p, args, NULL);
	in->path = p->o->python;
	in->version = child_value(&r, "version");
	for (i = 0; i < r.nr_rows; i++)
		if (!strcmp(r.rows[i].key, "folder"))
			strings_add(&in->folders, p->arena, r.rows[i].value);
	if (r.end != CHILD_EXIT || r.code || !in->version) {
		in->version = NULL;
		in->words = child_words(&r, p->arena);
		strings_add(&p->not_tested, p->arena, "frameworks: the interpreter does not run");
	}
}

static bool is_one(const struct child_result *r, const char *key)
{
	const char *value = child_value(r, key);

	return value && !strcmp(value, "1");
}

/* "map" rows are lines of the child's own maps. */
static void rows_runtimes(struct map_runtimes *out, struct arena *a, const struct child_result *r)
{
	struct strbuf sb = STRBUF_INIT;
	size_t i;

	for (i = 0; i < r->nr_rows; i++)
		if (!strcmp(r->rows[i].key, "map"))
			strbuf_addf(&sb, "%s\n", r->rows[i].value);
	maps_runtimes(out, a, arena_strdup(a, sb.buf), sb.len);
	strbuf_release(&sb);
}

static void import_current(struct probe_import *im, struct arena *a, const struct child_result *r)
{
	static const char prefix[] = "current.";
	VEC(struct child_row) v = {0};
	size_t i, n = strlen(prefix);

	for (i = 0; i < r->nr_rows; i++)
		if (!strncmp(r->rows[i].key, prefix, n))
			*VEC_PUSH(a, &v) =
				(struct child_row){r->rows[i].key + n, r->rows[i].value};
	im->current = v.v;
	im->nr_current = v.nr;
}

static void import_ask(struct probe *p, struct probe_import *im, const struct probe_framework *f)
{
	const char *args[ARGS_MAX + 1] = {"framework", f->root, p->words->symbol};
	struct child_result r;
	size_t i;

	for (i = 0; f->current[i] && i + 3 < ARGS_MAX; i++)
		args[i + 3] = f->current[i];
	r = probe_python_run(p, args, NULL);
	im->name = f->root;
	im->installed = is_one(&r, "installed");
	im->imported = is_one(&r, "imported");
	im->before = is_one(&r, "before");
	im->after = is_one(&r, "after");
	im->version = child_value(&r, "release");
	if (im->installed && !im->imported)
		im->words = child_value(&r, "words");
	if (r.end != CHILD_EXIT || r.code)
		im->words = child_words(&r, p->arena);
	rows_runtimes(&im->runtimes, p->arena, &r);
	import_current(im, p->arena, &r);
}

void probe_imports(struct probe *p)
{
	struct probe_interpreter *in = &p->interpreter;
	const struct probe_framework *f;
	size_t nr = 0;

	if (!in->version)
		return;
	for (f = p->words->frameworks; f->root; f++)
		nr++;
	in->imports = arena_array(p->arena, nr, sizeof(*in->imports));
	for (f = p->words->frameworks; f->root; f++) {
		struct probe_import *im = &in->imports[in->nr_imports++];

		import_ask(p, im, f);
		if (!im->installed && !im->words)
			strings_add(&p->not_tested, p->arena,
				    arena_fmt(p->arena, "import %s: not installed there", f->root));
	}
}

/* The names of frameworks, comma separated. */
static const char *frameworks_names(const struct probe *p)
{
	struct strbuf sb = STRBUF_INIT;
	const struct probe_framework *f;
	const char *names;

	for (f = p->words->frameworks; f->root; f++)
		strbuf_addf(&sb, "%s%s", sb.len ? "," : "", f->root);
	names = arena_strdup(p->arena, sb.buf);
	strbuf_release(&sb);
	return names;
}

struct probe_try probe_try(const struct probe *p, const char *tree, const char *use,
			   const char *module)
{
	/* Only the first framework: the other is what the package is to do without. */
	const char *names = use ? p->words->frameworks[0].root : frameworks_names(p);
	const char *args[] = {"package", names, use ? use : "", module, NULL};
	struct child_result r = probe_python_run(p, args, tree);
	const char *words = child_value(&r, "import");
	struct map_runtimes v = {0};
	struct probe_try t = {0};
	struct strbuf sb = STRBUF_INIT;
	size_t i;

	rows_runtimes(&v, p->arena, &r);
	for (i = 0; i < v.nr; i++)
		strbuf_addf(&sb, "%s%s", i ? "\n" : "", v.v[i].path);
	t.runtimes = arena_strdup(p->arena, sb.buf);
	strbuf_release(&sb);
	t.result = r.end == CHILD_EXIT && words && !strcmp(words, "ok") ? "imports" : "fails";
	t.words = r.end != CHILD_EXIT || !words ? child_words(&r, p->arena)
		  : strcmp(words, "ok")		? words
						: NULL;
	return t;
}
