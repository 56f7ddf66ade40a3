/*
 * scope.c - does a library load, and what has to be loaded before it: the table and its verdict.
 *
 * Rows: without a preload, and with each usable runtime loaded before it, local and global, each with
 * lazy and with immediate binding; with an interpreter also behind the import of each framework. Lazy
 * binding that loads where immediate binding fails hides a failure of the first call.
 */
#include <string.h>

#include "base/glob.h"
#include "base/path.h"
#include "probe/internal.h"

static void symbols_pick(struct strings *out, struct arena *a, const struct strings *from,
			 const char *const *globs)
{
	const char *const *g;
	size_t i;

	for (i = 0; i < from->nr; i++) {
		for (g = globs; *g && !glob_match(*g, from->v[i]); g++)
			;
		if (*g)
			strings_add(out, a, from->v[i]);
	}
}

static const char *load_result(const struct child_result *r, const char **words, struct arena *a)
{
	const char *preload = child_value(r, "preload"), *load = child_value(r, "load");

	if (r->end == CHILD_EXIT && preload && strcmp(preload, "ok")) {
		*words = preload;
		return "preload_fails";
	}
	if (r->end == CHILD_EXIT && load) {
		*words = strcmp(load, "ok") ? load : NULL;
		return *words ? "fails" : "loads";
	}
	*words = child_words(r, a);
	switch (r->end) {
	case CHILD_SIGNAL:
		return "signal";
	case CHILD_HANG:
		return "hang";
	case CHILD_FLOOD:
		return "flood";
	default:
		return "exit";
	}
}

static const char *load_runtimes(struct arena *a, const struct child_result *r)
{
	struct map_runtimes v = {0};
	struct strbuf sb = STRBUF_INIT;
	const char *out;
	size_t i;

	for (i = 0; i < r->nr_rows; i++)
		if (!strcmp(r->rows[i].key, "runtime"))
			strbuf_addf(&sb, "%s%s", sb.len ? "\n" : "", r->rows[i].value);
		else if (!strcmp(r->rows[i].key, "map"))
			maps_runtimes(&v, a, r->rows[i].value, strlen(r->rows[i].value));
	for (i = 0; i < v.nr; i++)
		if (!strstr(sb.buf, v.v[i].path))
			strbuf_addf(&sb, "%s%s", sb.len ? "\n" : "", v.v[i].path);
	out = arena_strdup(a, sb.buf);
	strbuf_release(&sb);
	return out;
}

static const char *load_row(struct probe *p, struct probe_library *lib, const char *binding,
			    const char *mode, const char *preload)
{
	const char *args[] = {"load", binding, mode, preload ? preload : "", lib->elf.path, NULL};
	bool inside = lib->interpreter || !strcmp(mode, "import");
	struct child_result r = inside ? probe_python_run(p, args, NULL) : probe_step_run(p, args);
	VEC(struct probe_load) v = {lib->loads, lib->nr_loads, lib->alloc_loads};
	struct probe_load *row = VEC_PUSH(p->arena, &v);

	row->preload = preload;
	row->mode = preload ? mode : NULL;
	row->binding = binding;
	row->result = load_result(&r, &row->words, p->arena);
	row->runtimes = load_runtimes(p->arena, &r);
	lib->loads = v.v;
	lib->nr_loads = v.nr;
	lib->alloc_loads = v.alloc;
	return row->result;
}

static void load_both(struct probe *p, struct probe_library *lib, const char *mode,
		      const char *preload)
{
	load_row(p, lib, "lazy", mode, preload);
	load_row(p, lib, "now", mode, preload);
}

static const struct probe_load *load_find(const struct probe_library *lib, const char *preload,
					  const char *mode, const char *binding)
{
	size_t i;

	for (i = 0; i < lib->nr_loads; i++)
		if (str_eq(lib->loads[i].preload, preload) &&
		    (!mode || str_eq(lib->loads[i].mode, mode)) &&
		    !strcmp(lib->loads[i].binding, binding))
			return &lib->loads[i];
	return NULL;
}

static bool loads(const struct probe_load *row)
{
	return row && !strcmp(row->result, "loads");
}

/* The first runtime that cures it; a local preload is enough where only a needed name was missing. */
static bool cure_find(const struct probe *p, struct probe_library *lib)
{
	static const char *const modes[] = {"local", "global"};
	size_t i, m;

	for (m = 0; m < 2; m++)
		for (i = 0; i < p->runtimes.nr; i++) {
			const char *path = p->runtimes.v[i].path;

			if (!loads(load_find(lib, path, modes[m], "now")))
				continue;
			lib->preload = path;
			lib->preload_mode = modes[m];
			return true;
		}
	return false;
}

static void verdict_give(struct probe *p, struct probe_library *lib)
{
	const struct probe_load *now = load_find(lib, NULL, NULL, "now");
	const struct probe_load *lazy = load_find(lib, NULL, NULL, "lazy");
	size_t open = lib->runtime_symbols.nr;

	lib->lazy_hides = loads(lazy) && !loads(now);
	if (loads(now)) {
		lib->verdict = "not_needed";
		lib->because = open ? "it brings the runtime itself, or the process has it"
				    : "it leaves no symbol of the runtime open";
	} else if (cure_find(p, lib)) {
		lib->verdict = "needed";
		lib->because = !strcmp(lib->preload_mode, "local")
				       ? "the loader does not find a library that it names as needed"
				       : "it takes symbols of the runtime from the global scope";
	} else if (open) {
		lib->verdict = "not_cured";
		lib->because = p->runtimes.nr ? "no runtime that is here makes it load"
					      : "there is no runtime here to try";
	} else {
		lib->verdict = "fails";
		lib->because = "it leaves no symbol of the runtime open; something else is missing";
	}
}

static void table_fill(struct probe *p, struct probe_library *lib)
{
	size_t i;

	load_both(p, lib, "none", NULL);
	for (i = 0; i < p->runtimes.nr; i++)
		if (p->runtimes.v[i].usable) {
			load_both(p, lib, "local", p->runtimes.v[i].path);
			load_both(p, lib, "global", p->runtimes.v[i].path);
		}
	for (i = 0; i < p->interpreter.nr_imports; i++)
		if (p->interpreter.imports[i].imported)
			load_both(p, lib, "import", p->interpreter.imports[i].name);
}

void probe_library(struct probe *p, struct probe_library *lib)
{
	struct strings open = {0};

	symbols_pick(&lib->runtime_symbols, p->arena, &lib->elf.undefined,
		     p->words->runtime_symbols);
	symbols_pick(&lib->driver_symbols, p->arena, &lib->elf.undefined, p->words->driver_symbols);
	symbols_pick(&open, p->arena, &lib->elf.undefined, p->words->interpreter_symbols);
	lib->interpreter = open.nr > 0;
	if (lib->interpreter && !p->interpreter.version) {
		lib->verdict = "not_tested";
		lib->because = "only an interpreter can load it, and none was given (--python)";
		return;
	}
	table_fill(p, lib);
	verdict_give(p, lib);
}
