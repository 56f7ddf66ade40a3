/*
 * static.c - a wheel or build folder without loading anything: its shared objects, what they depend on,
 * and the upstream framework's symbols that they leave open.
 */
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "base/glob.h"
#include "base/path.h"
#include "probe/internal.h"

#define SYMBOLS_SHOWN 20

static void names_pick(struct strings *out, struct arena *a, const struct strings *from,
		       const char *const *globs)
{
	const char *const *g;
	size_t i;

	for (i = 0; i < from->nr; i++)
		for (g = globs; *g; g++)
			if (glob_match(*g, from->v[i]) && !strings_has(out, from->v[i]))
				strings_add(out, a, from->v[i]);
}

static bool is_upstream(const struct probe_words *w, const char *name)
{
	const char *const *s;

	for (s = w->upstream_scopes; *s; s++)
		if (str_starts(name, *s))
			return true;
	return false;
}

static void symbols_judge(struct probe *p, struct probe_static_file *f)
{
	const struct strings *open = &f->elf.undefined;
	size_t i;

	f->symbols = arena_array(p->arena, open->nr + 1, sizeof(*f->symbols));
	for (i = 0; i < open->nr; i++) {
		struct probe_symbol s = {.symbol = open->v[i], .verdict = VERDICT_UNKNOWN};

		s.name = symbol_name(p->arena, s.symbol);
		if (!s.name || !is_upstream(p->words, s.name))
			continue;
		if (p->o->lookup)
			p->o->lookup(p->o->lookup_ctx, p->arena, &s);
		f->symbols[f->nr_symbols++] = s;
	}
}

static void file_take(struct probe *p, const struct elf_file *elf)
{
	struct probe_static *st = &p->statics;
	VEC(struct probe_static_file) v = {st->files, st->nr_files, st->alloc_files};
	struct probe_static_file *f = VEC_PUSH(p->arena, &v);
	struct strings own = {0};

	*f = (struct probe_static_file){.elf = *elf};
	names_pick(&f->upstream, p->arena, &elf->needed, p->words->upstream_libraries);
	names_pick(&f->runtime, p->arena, &elf->needed, p->words->runtime_files);
	strings_add(&own, p->arena, path_base(elf->path));
	if (elf->soname)
		strings_add(&own, p->arena, elf->soname);
	names_pick(&f->taken, p->arena, &own, p->words->taken);
	symbols_judge(p, f);
	st->files = v.v;
	st->nr_files = v.nr;
	st->alloc_files = v.alloc;
}

static int member_take(void *ctx, const char *name, const char *data, size_t len, struct err *err)
{
	struct probe *p = ctx;
	struct elf_file elf;

	/* A name alone makes no shared object: linker scripts are called so as well. */
	if (!elf_read_bytes(&elf, p->arena, arena_strdup(p->arena, name), data, len, err))
		file_take(p, &elf);
	return 0;
}

static int file_compare(const void *a, const void *b)
{
	const struct probe_static_file *x = a, *y = b;

	return strcmp(x->elf.path, y->elf.path);
}

int probe_static(struct probe *p, const char *path, struct err *err)
{
	struct strings found = {0};
	struct elf_file elf;
	struct err ignored;
	struct stat st;
	size_t i, n;

	p->statics.path = path;
	if (stat(path, &st))
		return err_errno(err, "%s", path);
	if (S_ISDIR(st.st_mode)) {
		probe_find(&found, p->arena, path);
		for (i = 0; i < found.nr; i++)
			if (!elf_read(&elf, p->arena, found.v[i], &ignored))
				file_take(p, &elf);
		n = strlen(path) + (str_ends(path, "/") ? 0 : 1);
		for (i = 0; i < p->statics.nr_files; i++)
			p->statics.files[i].elf.path += n;
	} else if (zip_each(path, member_take, p, err)) {
		return -1;
	}
	if (p->statics.nr_files)
		qsort(p->statics.files, p->statics.nr_files, sizeof(*p->statics.files),
		      file_compare);
	return 0;
}

/* ---- output -------------------------------------------------------------------------------------------- */

static void json_symbols(struct json *j, const struct probe_static_file *f)
{
	size_t i;

	json_key(j, "upstream_symbols");
	json_open(j, '[');
	for (i = 0; i < f->nr_symbols; i++) {
		json_open(j, '{');
		json_kstr(j, "symbol", f->symbols[i].symbol);
		json_kstr(j, "name", f->symbols[i].name);
		json_kstr(j, "verdict", verdict_name(f->symbols[i].verdict));
		json_kstr(j, "row", f->symbols[i].row);
		json_close(j, '}');
	}
	json_close(j, ']');
}

void probe_json_static(struct json *j, const struct probe_static *s)
{
	size_t i;

	json_key(j, "static");
	if (!s->path) {
		json_null(j);
		return;
	}
	json_open(j, '{');
	json_key(j, "path");
	(void)json_bytes(j, s->path, strlen(s->path));
	json_key(j, "files");
	json_open(j, '[');
	for (i = 0; i < s->nr_files; i++) {
		const struct probe_static_file *f = &s->files[i];

		json_open(j, '{');
		probe_json_elf(j, &f->elf);
		probe_json_texts(j, "needs_upstream", f->upstream.v, f->upstream.nr);
		probe_json_texts(j, "needs_runtime", f->runtime.v, f->runtime.nr);
		probe_json_texts(j, "taken_names", f->taken.v, f->taken.nr);
		json_symbols(j, f);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_close(j, '}');
}

static void text_names(struct strbuf *out, const char *before, const struct strings *s)
{
	size_t i;

	for (i = 0; i < s->nr; i++) {
		strbuf_addstr(out, i ? ", " : before);
		path_print(out, s->v[i]);
	}
}

static void text_symbols(struct strbuf *out, const struct probe_static_file *f, bool verbose)
{
	size_t counts[VERDICT_UNKNOWN + 1] = {0}, i, shown = 0;

	for (i = 0; i < f->nr_symbols; i++)
		counts[f->symbols[i].verdict]++;
	if (f->nr_symbols)
		strbuf_addf(out, "          upstream symbols: %zu covered, %zu gaps, %zu unknown\n",
			    counts[VERDICT_COVERED], counts[VERDICT_GAP], counts[VERDICT_UNKNOWN]);
	for (i = 0; i < f->nr_symbols && shown < SYMBOLS_SHOWN; i++) {
		if (!verbose && f->symbols[i].verdict != VERDICT_GAP)
			continue;
		strbuf_addf(out, "          %s ", verdict_name(f->symbols[i].verdict));
		path_print(out, f->symbols[i].name);
		strbuf_addch(out, '\n');
		shown += !verbose;
	}
}

void probe_text_static(struct strbuf *out, const struct probe_static *s, bool verbose)
{
	size_t i;

	for (i = 0; i < s->nr_files; i++) {
		const struct probe_static_file *f = &s->files[i];

		strbuf_addstr(out, "static:   ");
		path_print(out, f->elf.path);
		strbuf_addstr(out, f->elf.module ? " (extension module)" : "");
		text_names(out, "; needs ", &f->upstream);
		text_names(out, "; runtime ", &f->runtime);
		text_names(out, "; the target has a library of the name too: ", &f->taken);
		strbuf_addch(out, '\n');
		if (f->elf.rpath || f->elf.runpath) {
			strbuf_addstr(out, "          looks in ");
			path_print(out, f->elf.runpath ? f->elf.runpath : f->elf.rpath);
			strbuf_addch(out, '\n');
		}
		text_symbols(out, f, verbose);
	}
}
