/*
 * text.c - the probe for people: a verdict a line; with -v the tables they rest on.
 *
 * Words of foreign code are put on one line with control bytes escaped.
 */
#include <string.h>

#include "base/path.h"
#include "probe/internal.h"

/* NULL prints a dash. */
static void put(struct strbuf *out, const char *before, const char *s, const char *after)
{
	strbuf_addstr(out, before);
	path_print(out, s ? s : "-");
	strbuf_addstr(out, after);
}

static void text_driver(struct strbuf *out, const struct probe_driver *d)
{
	size_t i;

	if (!d->path) {
		put(out, "driver:   none: ", d->words ? d->words : "not found", "\n");
		return;
	}
	put(out, "driver:   ", d->path, "");
	put(out, ", version ", d->version, "");
	put(out, ", CUDA ", d->cuda, "");
	if (d->words)
		put(out, ": ", d->words, "");
	strbuf_addch(out, '\n');
	for (i = 0; i < d->nr_devices; i++) {
		put(out, "device:   ", d->devices[i].name, "");
		put(out, ", ", d->devices[i].capability, "");
		put(out, ", ", d->devices[i].memory, " MiB\n");
	}
}

static void text_runtimes(struct strbuf *out, const struct probe *p, bool verbose)
{
	size_t i, k;

	for (i = 0; i < p->runtimes.nr; i++) {
		const struct probe_runtime *r = &p->runtimes.v[i];

		put(out, "runtime:  ", r->path, "");
		put(out, " (", r->origin, "");
		put(out, ", ", r->version ? r->version : r->words, ")\n");
		for (k = 0; verbose && k < r->nr_also; k++)
			put(out, "          also ", r->also[k], "\n");
	}
	for (i = 0; i < p->loaders.nr; i++) {
		const struct probe_loader *l = &p->loaders.v[i];

		if (!l->path && !verbose)
			continue;
		put(out, "loader:   ", l->soname, "");
		put(out, " is ", l->path, "");
		if (!str_eq(l->path, l->without))
			put(out, "; without LD_LIBRARY_PATH ", l->without, "");
		if (l->interpreter && !str_eq(l->path, l->interpreter))
			put(out, "; in the interpreter ", l->interpreter, "");
		strbuf_addch(out, '\n');
	}
}

static void text_import(struct strbuf *out, const struct probe_import *im, const char *symbol)
{
	size_t i;

	put(out, "import:   ", im->name, "");
	if (!im->imported) {
		put(out, ": ", im->installed || im->words ? im->words : "not installed", "\n");
		return;
	}
	put(out, " ", im->version, ": ");
	put(out, "", symbol, "");
	strbuf_addf(out, " is %s before and %s after", im->before ? "global" : "not global",
		    im->after ? "global" : "not global");
	strbuf_addf(out, ", %zu runtime%s mapped\n", im->runtimes.nr, im->runtimes.nr == 1 ? "" : "s");
	for (i = 0; im->runtimes.nr > 1 && i < im->runtimes.nr; i++)
		put(out, "          ", im->runtimes.v[i].path, "\n");
}

static void text_line(struct strbuf *out, const struct probe_line *l)
{
	size_t i;

	put(out, "          ", l->path, "");
	strbuf_addf(out, ":%u %s%s", l->line, l->name, l->lazy ? ", when it is called" : "");
	for (i = 0; i < l->nr_rules; i++)
		strbuf_addf(out, "%s%s", i ? ", " : ": ", l->rules[i]);
	strbuf_addch(out, '\n');
}

static void text_table(struct strbuf *out, const struct probe_library *lib)
{
	size_t i;

	for (i = 0; i < lib->nr_loads; i++) {
		const struct probe_load *row = &lib->loads[i];

		strbuf_addf(out, "          %-6s %-5s %-13s", row->mode ? row->mode : "none",
			    row->binding, row->result);
		put(out, " ", row->preload ? row->preload : "", "");
		if (row->words)
			put(out, ": ", row->words, "");
		strbuf_addch(out, '\n');
	}
}

/* What importing a framework first does for it. */
static void text_behind(struct strbuf *out, const struct probe_library *lib)
{
	size_t i;

	for (i = 0; i < lib->nr_loads; i++) {
		const struct probe_load *row = &lib->loads[i];

		if (!str_eq(row->mode, "import") || strcmp(row->binding, "now"))
			continue;
		put(out, "          behind import ", row->preload, ": ");
		put(out, "", row->words ? row->words : row->result, "\n");
	}
}

static const char *verdict_words(const struct probe_library *lib)
{
	static const struct {
		const char *verdict, *words;
	} table[] = {
		{"not_needed", "needs no preload"},
		{"needed", "needs a preload"},
		{"not_cured", "leaves symbols of the runtime open, and nothing here cures it"},
		{"fails", "does not load"},
		{"not_tested", "not tested"},
	};
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(*table); i++)
		if (!strcmp(table[i].verdict, lib->verdict))
			return table[i].words;
	BUG("verdict %s", lib->verdict);
}

static void text_library(struct strbuf *out, const struct probe_library *lib, bool verbose)
{
	const struct probe_load *first = lib->nr_loads > 1 ? &lib->loads[1] : NULL;
	size_t i;

	put(out, "library:  ", lib->elf.path, "");
	put(out, ": ", verdict_words(lib), "");
	put(out, ": ", lib->because, "\n");
	if (lib->preload)
		strbuf_addf(out, "          cured by a %s preload of", lib->preload_mode),
			put(out, " ", lib->preload, "\n");
	if (first && first->words)
		put(out, "          without one: ", first->words, "\n");
	if (lib->lazy_hides)
		strbuf_addstr(out, "          lazy binding loads it; the first call would end the "
				   "process\n");
	text_behind(out, lib);
	if (verbose)
		text_table(out, lib);
	for (i = 0; i < lib->nr_lines; i++)
		text_line(out, lib->lines[i]);
}

static void text_launch(struct strbuf *out, const struct probe_launch *l, bool verbose)
{
	size_t i;

	if (!l->result)
		return;
	strbuf_addf(out, "launch:   %s kernel, result %s", l->kernel, l->result);
	if (l->words)
		put(out, ": ", l->words, "");
	strbuf_addch(out, '\n');
	for (i = 0; verbose && i < l->nr_rows; i++) {
		put(out, "          ", l->rows[i].key, "");
		put(out, ": ", l->rows[i].value, "\n");
	}
}

static void text_try(struct strbuf *out, const char *when, const struct probe_try *t)
{
	put(out, "          ", when, ": ");
	strbuf_addstr(out, t->result ? t->result : "not tried");
	if (t->words)
		put(out, ": ", t->words, "");
	strbuf_addch(out, '\n');
}

static void text_patch(struct strbuf *out, const struct probe_patch *patch)
{
	put(out, "patch:    import ", patch->module, "");
	put(out, ", ", patch->rule, "");
	if (patch->words)
		put(out, ": ", patch->words, "");
	strbuf_addch(out, '\n');
	text_try(out, "before", &patch->before);
	text_try(out, "after", &patch->after);
}

void probe_text(struct strbuf *out, const struct probe *p, bool verbose)
{
	const struct probe_interpreter *in = &p->interpreter;
	size_t i;

	text_driver(out, &p->driver);
	text_runtimes(out, p, verbose);
	if (in->path && !in->version)
		put(out, "python:   does not run: ", in->words, "\n");
	for (i = 0; i < in->nr_imports; i++)
		text_import(out, &in->imports[i], p->words->symbol);
	for (i = 0; i < p->libraries.nr; i++)
		text_library(out, &p->libraries.v[i], verbose);
	for (i = 0; i < p->lines.nr && !p->libraries.nr; i++) {
		if (!i)
			strbuf_addstr(out, "lines that load libraries:\n");
		text_line(out, &p->lines.v[i]);
	}
	text_launch(out, &p->launch, verbose);
	if (p->patch)
		text_patch(out, p->patch);
	probe_text_static(out, &p->statics, verbose);
	for (i = 0; i < p->not_tested.nr; i++)
		put(out, "not tested: ", p->not_tested.v[i], "\n");
}
