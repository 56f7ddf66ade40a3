/*
 * json.c - the probe as one JSON object (docs/probe.md). All keys are always there and in this order.
 *
 * Paths and words are the machine's; bytes that are not UTF-8 are percent-encoded as elsewhere.
 */
#include <string.h>

#include "probe/internal.h"

#define PROBE_SCHEMA "1.0"

static void json_key_bytes(struct json *j, const char *key, const char *s)
{
	json_key(j, key);
	if (s)
		(void)json_bytes(j, s, strlen(s));
	else
		json_null(j);
}

void probe_json_texts(struct json *j, const char *key, const char *const *v, size_t nr)
{
	size_t i;

	json_key(j, key);
	json_open(j, '[');
	for (i = 0; i < nr; i++)
		(void)json_bytes(j, v[i], strlen(v[i]));
	json_close(j, ']');
}

/* Text of one a line as a list. */
static void json_lines(struct json *j, const char *key, const char *text)
{
	size_t n;

	json_key(j, key);
	json_open(j, '[');
	for (; text && *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		(void)json_bytes(j, text, n);
	}
	json_close(j, ']');
}

static void json_rows(struct json *j, const char *key, const struct child_row *v, size_t nr)
{
	size_t i;

	json_key(j, key);
	json_open(j, '{');
	for (i = 0; i < nr; i++)
		json_key_bytes(j, v[i].key, v[i].value);
	json_close(j, '}');
}

static void json_driver(struct json *j, const struct probe_driver *d)
{
	size_t i;

	json_key(j, "driver");
	json_open(j, '{');
	json_key_bytes(j, "path", d->path);
	json_key_bytes(j, "version", d->version);
	json_key_bytes(j, "cuda", d->cuda);
	json_key_bytes(j, "words", d->words);
	json_key(j, "devices");
	json_open(j, '[');
	for (i = 0; i < d->nr_devices; i++) {
		json_open(j, '{');
		json_key_bytes(j, "name", d->devices[i].name);
		json_key_bytes(j, "capability", d->devices[i].capability);
		json_key_bytes(j, "memory_mib", d->devices[i].memory);
		json_key_bytes(j, "uuid", d->devices[i].uuid);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_close(j, '}');
}

static void json_runtimes(struct json *j, const struct probe *p)
{
	size_t i;

	json_key(j, "runtimes");
	json_open(j, '[');
	for (i = 0; i < p->runtimes.nr; i++) {
		const struct probe_runtime *r = &p->runtimes.v[i];

		json_open(j, '{');
		json_key_bytes(j, "path", r->path);
		json_key_bytes(j, "file", r->real);
		json_kstr(j, "origin", r->origin);
		json_key_bytes(j, "soname", r->soname);
		json_key_bytes(j, "version", r->version);
		json_kstr(j, "build_id", r->build_id);
		json_kbool(j, "usable", r->usable);
		json_key_bytes(j, "words", r->words);
		probe_json_texts(j, "also", r->also, r->nr_also);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void json_loaders(struct json *j, const struct probe *p)
{
	size_t i;

	json_key(j, "loader");
	json_open(j, '[');
	for (i = 0; i < p->loaders.nr; i++) {
		const struct probe_loader *l = &p->loaders.v[i];

		json_open(j, '{');
		json_key_bytes(j, "soname", l->soname);
		json_key_bytes(j, "path", l->path);
		json_key_bytes(j, "without_ld_library_path", l->without);
		json_key_bytes(j, "interpreter", l->interpreter);
		json_key_bytes(j, "words", l->words);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void json_environment(struct json *j, const struct probe_words *w)
{
	const char *const *s;

	json_key(j, "environment");
	json_open(j, '{');
	json_key_bytes(j, "LD_LIBRARY_PATH", getenv("LD_LIBRARY_PATH"));
	json_key_bytes(j, "LD_PRELOAD", getenv("LD_PRELOAD"));
	for (s = w->homes; *s; s++)
		json_key_bytes(j, *s, getenv(*s));
	json_close(j, '}');
}

static void json_import(struct json *j, const struct probe_import *im)
{
	size_t i;

	json_open(j, '{');
	json_kstr(j, "name", im->name);
	json_kbool(j, "installed", im->installed);
	json_kbool(j, "imported", im->imported);
	json_key_bytes(j, "version", im->version);
	json_key_bytes(j, "words", im->words);
	json_kbool(j, "global_before", im->before);
	json_kbool(j, "global_after", im->after);
	json_key(j, "runtimes_mapped");
	json_open(j, '[');
	for (i = 0; i < im->runtimes.nr; i++) {
		json_open(j, '{');
		json_key_bytes(j, "path", im->runtimes.v[i].path);
		json_kstr(j, "major", im->runtimes.v[i].major);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_rows(j, "current", im->current, im->nr_current);
	json_close(j, '}');
}

static void json_interpreter(struct json *j, const struct probe *p)
{
	const struct probe_interpreter *in = &p->interpreter;
	size_t i;

	json_key(j, "interpreter");
	if (!in->path) {
		json_null(j);
		return;
	}
	json_open(j, '{');
	json_key_bytes(j, "path", in->path);
	json_key_bytes(j, "version", in->version);
	json_key_bytes(j, "words", in->words);
	json_kstr(j, "symbol", p->words->symbol);
	json_key(j, "frameworks");
	json_open(j, '[');
	for (i = 0; i < in->nr_imports; i++)
		json_import(j, &in->imports[i]);
	json_close(j, ']');
	json_close(j, '}');
}

static void json_load(struct json *j, const struct probe_load *row)
{
	json_open(j, '{');
	json_key_bytes(j, "preload", row->preload);
	json_kstr(j, "mode", row->mode);
	json_kstr(j, "binding", row->binding);
	json_kstr(j, "result", row->result);
	json_key_bytes(j, "words", row->words);
	json_lines(j, "runtimes_mapped", row->runtimes);
	json_close(j, '}');
}

static void json_line(struct json *j, const struct probe_line *l)
{
	json_open(j, '{');
	json_key_bytes(j, "path", l->path);
	json_kint(j, "line", l->line);
	json_kstr(j, "name", l->name);
	json_key_bytes(j, "symbol", l->symbol);
	json_kbool(j, "lazy", l->lazy);
	json_key_bytes(j, "library", l->library);
	json_key_bytes(j, "snippet", l->snippet);
	probe_json_texts(j, "rules", l->rules, l->nr_rules);
	json_close(j, '}');
}

void probe_json_elf(struct json *j, const struct elf_file *f)
{
	json_key_bytes(j, "path", f->path);
	json_key_bytes(j, "soname", f->soname);
	json_kstr(j, "machine", f->machine);
	probe_json_texts(j, "needed", f->needed.v, f->needed.nr);
	json_key_bytes(j, "rpath", f->rpath);
	json_key_bytes(j, "runpath", f->runpath);
	json_kbool(j, "bind_now", f->bind_now);
	json_kbool(j, "extension_module", f->module);
}

static void json_library(struct json *j, const struct probe_library *lib)
{
	size_t i;

	json_open(j, '{');
	probe_json_elf(j, &lib->elf);
	probe_json_texts(j, "runtime_symbols", lib->runtime_symbols.v, lib->runtime_symbols.nr);
	probe_json_texts(j, "driver_symbols", lib->driver_symbols.v, lib->driver_symbols.nr);
	json_kbool(j, "in_interpreter", lib->interpreter);
	json_kstr(j, "verdict", lib->verdict);
	json_key_bytes(j, "because", lib->because);
	json_key_bytes(j, "preload", lib->preload);
	json_kstr(j, "preload_mode", lib->preload_mode);
	json_kbool(j, "lazy_hides", lib->lazy_hides);
	json_key(j, "loads");
	json_open(j, '[');
	for (i = 0; i < lib->nr_loads; i++)
		json_load(j, &lib->loads[i]);
	json_close(j, ']');
	json_key(j, "lines");
	json_open(j, '[');
	for (i = 0; i < lib->nr_lines; i++)
		json_line(j, lib->lines[i]);
	json_close(j, ']');
	json_close(j, '}');
}

static void json_launch(struct json *j, const struct probe_launch *l)
{
	json_key(j, "launch");
	if (!l->result) {
		json_null(j);
		return;
	}
	json_open(j, '{');
	json_kstr(j, "kernel", l->kernel);
	json_kstr(j, "result", l->result);
	json_key_bytes(j, "words", l->words);
	json_rows(j, "said", l->rows, l->nr_rows);
	json_close(j, '}');
}

static void json_try(struct json *j, const char *key, const struct probe_try *t)
{
	json_key(j, key);
	json_open(j, '{');
	json_kstr(j, "result", t->result);
	json_key_bytes(j, "words", t->words);
	json_lines(j, "runtimes_mapped", t->runtimes);
	json_close(j, '}');
}

static void json_source(struct json *j, const struct probe *p)
{
	size_t i;

	json_key(j, "source");
	if (!p->repo) {
		json_null(j);
		return;
	}
	json_open(j, '{');
	json_key_bytes(j, "repository", p->repo);
	json_key(j, "lines");
	json_open(j, '[');
	for (i = 0; i < p->lines.nr; i++)
		json_line(j, &p->lines.v[i]);
	json_close(j, ']');
	json_close(j, '}');
}

static void json_patch(struct json *j, const struct probe_patch *patch)
{
	json_key(j, "patch");
	if (!patch) {
		json_null(j);
		return;
	}
	json_open(j, '{');
	json_key_bytes(j, "module", patch->module);
	json_kstr(j, "rule", patch->rule);
	json_key_bytes(j, "words", patch->words);
	json_try(j, "before", &patch->before);
	json_try(j, "after", &patch->after);
	json_close(j, '}');
}

void probe_json(struct strbuf *out, const struct probe *p, const char *tool, const char *version)
{
	struct json j;
	size_t i;

	json_init(&j, out, false);
	json_open(&j, '{');
	json_kstr(&j, "probe_schema_version", PROBE_SCHEMA);
	json_key(&j, "tool");
	json_open(&j, '{');
	json_kstr(&j, "name", tool);
	json_kstr(&j, "version", version);
	json_close(&j, '}');
	json_environment(&j, p->words);
	json_driver(&j, &p->driver);
	json_runtimes(&j, p);
	json_loaders(&j, p);
	json_interpreter(&j, p);
	json_key(&j, "libraries");
	json_open(&j, '[');
	for (i = 0; i < p->libraries.nr; i++)
		json_library(&j, &p->libraries.v[i]);
	json_close(&j, ']');
	json_launch(&j, &p->launch);
	json_source(&j, p);
	json_patch(&j, p->patch);
	probe_json_static(&j, &p->statics);
	probe_json_texts(&j, "not_tested", p->not_tested.v, p->not_tested.nr);
	json_close(&j, '}');
	strbuf_addch(out, '\n');
}
