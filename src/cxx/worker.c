/*
 * worker.c - the process that parses.
 *
 * The program starts itself again for each worker. What is analysed may crash libclang or keep
 * it busy for ever: that ends this process, and the parent goes on. Descriptors: 0 requests, 1
 * answers, 3 the repository. Limits are the processor seconds of a unit and the memory of the
 * process.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/path.h"
#include "base/yaml.h"
#include "cxx/exact.h"
#include "cxx/work.h"

#define TREE_FD	     3
#define FILE_MAX_    (8u << 20)
#define MEMORY_MAX   ((rlim_t)3 << 30)
#define SUPPLY	     "/pdmigrate/supply.h"
#define WORDS	     "cxx/parse.yml"
#define SEEN_MAX     200000

struct worker {
	struct arena arena;   /* of the process */
	struct arena scratch; /* of the unit */
	struct assets assets;
	struct libclang lc;
	struct cxx_db *db;
	struct cxx_stubs *stubs;
	struct exact exact;
	struct worker_setup setup;
	struct parse_words words;
	const char *overlay; /* path of the list of folders that libclang may read */
	CXIndex index;
};

/* ---- knowledge --------------------------------------------------------------------------------- */

static const char *const *list_of(const struct yaml *root, const char *key, struct arena *a)
{
	const struct yaml *list = yaml_get(root, key), *item;
	VEC(const char *) v = {0};

	for (item = list ? list->child : NULL; item; item = item->next)
		*VEC_PUSH(a, &v) = item->text ? item->text : "";
	*VEC_PUSH(a, &v) = NULL;
	return v.v;
}

int parse_words_load(struct parse_words *w, const struct assets *assets, struct arena *a, struct err *err)
{
	const struct asset *as = asset_get(assets, WORDS);
	struct yaml *root;

	if (!as)
		return err_set(err, "no '%s' in the rules", WORDS);
	if (asset_yaml(&root, a, assets, as, err))
		return -1;
	w->functions = list_of(root, "functions", a);
	w->def = list_of(root, "def", a);
	w->impl = list_of(root, "impl", a);
	w->bind = list_of(root, "bind", a);
	w->holders = list_of(root, "holders", a);
	w->not_bound = list_of(root, "not_bound", a);
	w->not_registered = list_of(root, "not_registered", a);
	w->blocks = list_of(root, "blocks", a);
	w->local = yaml_str(root, "local", "");
	w->converter = yaml_str(root, "converter", "");
	w->supply = yaml_str(root, "supply", "");
	w->call = yaml_str(root, "call", "0");
	return 0;
}

/* A folder that libclang may read under a name. */
struct overlay_dir {
	const char *name, *path;
};

static void overlay_write(struct strbuf *sb, const struct overlay_dir *dirs, size_t nr)
{
	bool first = true;
	size_t i;

	strbuf_addstr(sb, "{\"version\": 0, \"fallthrough\": false, \"roots\": [");
	for (i = 0; i < nr; i++) {
		if (!dirs[i].path || strpbrk(dirs[i].path, "\"\\"))
			continue;
		strbuf_addf(sb, "%s{\"type\": \"directory-remap\", \"name\": \"%s\", "
				"\"external-contents\": \"%s\"}",
			    first ? "" : ",", dirs[i].name, dirs[i].path);
		first = false;
	}
	strbuf_addstr(sb, "]}\n");
}

/*
 * The folders that hold the system's headers, the compiler's own and precompiled stubs. Where
 * the library is alone without its compiler, its driver names them from the root of the file
 * system, through /lib.
 */
static int overlay_make(struct worker *w, struct err *err)
{
	const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	const char *cache = base && *base == '/' ? arena_fmt(&w->arena, "%s/pdmigrate", base)
			    : home	         ? arena_fmt(&w->arena, "%s/.cache/pdmigrate", home)
					         : NULL;
	VEC(struct overlay_dir) all = {0};
	const struct overlay_dir dirs[] = {
		{"/usr/include", "/usr/include"}, {"/include", "/usr/include"},
		{"/usr/lib/gcc", "/usr/lib/gcc"}, {"/lib/gcc", "/usr/lib/gcc"},
		{w->lc.resource, w->lc.resource}, {cache, cache},
	};
	struct strings real = {0};
	struct strbuf sb = STRBUF_INIT;
	int fd = memfd_create("overlay", 0), ret;
	size_t i;

	if (fd < 0)
		return err_errno(err, "memfd_create");
	for (i = 0; i < sizeof(dirs) / sizeof(*dirs); i++)
		*VEC_PUSH(&w->arena, &all) = dirs[i];
	exact_folders(&w->exact, &w->arena, &real);
	for (i = 0; i < real.nr; i++)
		*VEC_PUSH(&w->arena, &all) = (struct overlay_dir){real.v[i], real.v[i]};
	overlay_write(&sb, all.v, all.nr);
	ret = fs_write_all(fd, sb.buf, sb.len);
	strbuf_release(&sb);
	if (ret)
		return err_errno(err, "overlay");
	w->overlay = arena_fmt(&w->arena, "/proc/self/fd/%d", fd);
	return 0;
}

static int worker_load(struct worker *w, struct err *err)
{
	if (assets_load(&w->assets, &w->arena, w->setup.rules_dir, err) ||
	    parse_words_load(&w->words, &w->assets, &w->arena, err) ||
	    libclang_load(&w->lc, &w->arena, NULL, err) ||
	    cxx_db_load(&w->db, &w->arena, &w->assets, w->setup.version, w->setup.build, err))
		return -1;
	if (!w->db)
		return err_set(err, "no C++ tables for %s", w->setup.version);
	if (cxx_stubs_make(&w->stubs, &w->arena, &w->assets, w->db, err) ||
	    exact_load(&w->exact, &w->setup, &w->assets, &w->arena, err) || overlay_make(w, err))
		return -1;
	w->lc.toggleCrashRecovery(0);
	w->index = w->lc.createIndex(1, 0);
	return 0;
}

/* ---- places ------------------------------------------------------------------------------------ */

bool work_ours(const struct work *w, const char *name)
{
	size_t i;

	for (i = 0; i < w->setup->tokens.nr; i++) {
		const char *t = w->setup->tokens.v[i];

		if (str_ends(t, "::") && str_starts(name, t))
			return true;
	}
	return false;
}

static int file_index(const struct work *w, const char *path)
{
	size_t n = strlen(CXX_TREE_DIR "/"), i;
	bool shadow;

	if (cxx_stub_name(path, &shadow) || exact_owns(w->exact, path))
		return PLACE_STUB;
	if (strncmp(path, CXX_TREE_DIR "/", n))
		return PLACE_OTHER;
	for (i = 0; i < w->nr_files; i++)
		if (!strcmp(w->files[i].path, path + n))
			return (int)i;
	return PLACE_OTHER;
}

static int place_of(struct work *w, CXFile file)
{
	if (!file)
		return PLACE_OTHER;
	if (file != w->last) {
		w->last = file;
		w->last_index = file_index(w, libclang_text(w->lc, w->arena, w->lc->getFileName(file)));
	}
	return w->last_index;
}

static int place_checked(struct work *w, CXFile file, unsigned offset)
{
	int i = place_of(w, file);

	return i >= 0 && offset > w->files[i].len ? PLACE_OTHER : i;
}

int work_place(struct work *w, CXSourceLocation at, unsigned *offset)
{
	CXFile file;

	w->lc->getSpellingLocation(at, &file, NULL, NULL, offset);
	return place_checked(w, file, *offset);
}

int work_place_used(struct work *w, CXSourceLocation at, unsigned *offset)
{
	CXFile file;

	w->lc->getExpansionLocation(at, &file, NULL, NULL, offset);
	return place_checked(w, file, *offset);
}

struct seen *work_seen(struct work *w, int file, struct span span, enum fact_kind kind)
{
	struct seen *s;

	if (w->answer->seen.nr == SEEN_MAX)
		return NULL;
	s = VEC_PUSH(w->arena, &w->answer->seen);
	s->file = (uint32_t)file;
	s->kind = kind;
	s->span = span;
	s->shadowed = w->shadowed;
	return s;
}

/* ---- a unit ------------------------------------------------------------------------------------ */

struct inputs {
	VEC(struct CXUnsavedFile) files;
	VEC(const char *) args;
};

static void input_add(struct work *w, struct inputs *in, const char *path, const char *text, size_t len)
{
	*VEC_PUSH(w->arena, &in->files) = (struct CXUnsavedFile){path, text, len};
}

/* A file that has gone or changed since is left out: the parent compares what it was. */
static void files_read(struct work *w, struct inputs *in)
{
	struct fs_text text;
	struct err err;
	size_t i;

	w->nr_files = w->unit->files.nr;
	w->files = arena_array(w->arena, w->nr_files, sizeof(*w->files));
	for (i = 0; i < w->nr_files; i++) {
		struct work_file *f = &w->files[i];

		f->path = w->unit->files.v[i];
		f->text = "";
		if (fs_read(TREE_FD, f->path, FILE_MAX_, &text, &err))
			continue;
		f->text = arena_strndup(w->arena, text.data, text.len);
		f->len = text.len;
		fs_text_free(&text);
		input_add(w, in, arena_fmt(w->arena, CXX_TREE_DIR "/%s", f->path), f->text, f->len);
	}
}

static bool is_called(const struct work *w, const char *name)
{
	size_t n = strlen(name), i;

	for (i = 0; i < w->nr_files; i++) {
		const char *p = w->files[i].text, *end = p + w->files[i].len;

		while ((p = memmem(p, (size_t)(end - p), name, n))) {
			p += n;
			while (p < end && (*p == ' ' || *p == '\t'))
				p++;
			if (p < end && *p == '(')
				return true;
		}
	}
	return false;
}

static void supply_make(struct work *w, struct inputs *in)
{
	struct strbuf sb = STRBUF_INIT;
	size_t i;

	if (!w->unit->supply.nr)
		return;
	strbuf_addf(&sb, "#pragma once\n%s\n", w->words->supply);
	for (i = 0; i < w->unit->supply.nr; i++) {
		const char *name = w->unit->supply.v[i];

		if (is_called(w, name))
			strbuf_addf(&sb, "#define %s(...) %s\n", name, w->words->call);
		else
			strbuf_addf(&sb, "#define %s\n", name);
	}
	input_add(w, in, SUPPLY, arena_strndup(w->arena, sb.buf, sb.len), sb.len);
	strbuf_release(&sb);
	*VEC_PUSH(w->arena, &in->args) = "-include";
	*VEC_PUSH(w->arena, &in->args) = SUPPLY;
}

static void inputs_make(struct worker *wk, struct work *w, struct inputs *in)
{
	const struct unit *u = w->unit;
	bool exact = exact_serves(&wk->exact, u->mode);
	const char *const *args = exact ? exact_args(&wk->exact, wk->stubs, &wk->lc, u->mode, w->arena)
					: cxx_stub_args(wk->stubs, &wk->lc, u->mode, w->arena);
	struct cxx_stub shadow;
	size_t i;

	for (; *args; args++)
		*VEC_PUSH(w->arena, &in->args) = *args;
	for (i = 0; i < u->args.nr; i++)
		*VEC_PUSH(w->arena, &in->args) = u->args.v[i];
	*VEC_PUSH(w->arena, &in->args) = "-ivfsoverlay";
	*VEC_PUSH(w->arena, &in->args) = wk->overlay;
	files_read(w, in);
	if (exact && wk->exact.absent)
		input_add(w, in, wk->exact.absent, "", 0);
	for (i = 0; !exact && i < wk->stubs->nr; i++)
		input_add(w, in, wk->stubs->v[i].path, wk->stubs->v[i].text, wk->stubs->v[i].len);
	for (i = 0; i < u->headers.nr; i++)
		if (cxx_stubs_shadow(wk->stubs, w->arena, u->headers.v[i], &shadow))
			input_add(w, in, shadow.path, shadow.text, shadow.len);
	for (i = 0; i + 1 < u->aliases.nr; i += 2) {
		const char *text = arena_fmt(w->arena, "#include \"" CXX_TREE_DIR "/%s\"\n",
					     u->aliases.v[i + 1]);

		input_add(w, in, arena_fmt(w->arena, CXX_TREE_DIR "/%s", u->aliases.v[i]), text,
			  strlen(text));
	}
	supply_make(w, in);
	for (i = 0; i < w->retry.nr; i++) {
		*VEC_PUSH(w->arena, &in->args) = "-include";
		*VEC_PUSH(w->arena, &in->args) = w->retry.v[i];
	}
}

/* NULL: libclang gave up. */
static CXTranslationUnit parse_once(struct worker *wk, struct work *w, const struct inputs *in,
				    const char *pch)
{
	const char *path = arena_fmt(w->arena, CXX_TREE_DIR "/%s", w->unit->path);
	const char **args = arena_array(w->arena, in->args.nr + 2, sizeof(*args));
	CXTranslationUnit tu = NULL;
	int n = (int)in->args.nr;

	memcpy(args, in->args.v, in->args.nr * sizeof(*args));
	if (pch) {
		args[n++] = "-include-pch";
		args[n++] = pch;
	}
	if (wk->lc.parseTranslationUnit2(wk->index, path, args, n, in->files.v,
					 (unsigned)in->files.nr,
					 CXTranslationUnit_KeepGoing |
						 CXTranslationUnit_DetailedPreprocessingRecord,
					 &tu))
		return NULL;
	return tu;
}

/* Has the precompiled header been refused? Its complaints come before all others. */
static bool pch_refused(const struct libclang *lc, CXTranslationUnit tu, struct arena *a)
{
	CXDiagnostic d;
	const char *text;

	if (!lc->getNumDiagnostics(tu))
		return false;
	d = lc->getDiagnostic(tu, 0);
	text = libclang_text(lc, a, lc->getDiagnosticSpelling(d));
	lc->disposeDiagnostic(d);
	return strstr(text, "has been modified since") || strstr(text, "precompiled") ||
	       strstr(text, "PCH") || strstr(text, "AST file");
}

static void visit_inclusion(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
	struct work *w = data;
	int i = place_of(w, file);

	if (i >= 0)
		w->answer->files[i].included = true;
	else if (i == PLACE_STUB)
		w->shadowed |= str_starts(libclang_text(w->lc, w->arena, w->lc->getFileName(file)),
					  CXX_SHADOW_DIR "/");
}

static void skipped_read(struct work *w)
{
	CXSourceRangeList *list = w->lc->getAllSkippedRanges(w->tu);
	unsigned i, from, to;

	for (i = 0; list && i < list->count; i++) {
		int file = work_place_used(w, w->lc->getRangeStart(list->ranges[i]), &from);

		if (file < 0 ||
		    work_place_used(w, w->lc->getRangeEnd(list->ranges[i]), &to) != file || to < from)
			continue;
		*VEC_PUSH(w->arena, &w->answer->files[file].skipped) = (struct span){from, to};
	}
	if (list)
		w->lc->disposeSourceRangeList(list);
}

/* Is the inclusion that was precompiled one that the unit makes? */
static bool pch_holds(const struct work *w)
{
	const struct seen_file *f = &w->answer->files[w->unit->pch_file];
	uint32_t at = w->unit->pch_at;
	size_t i;

	if (w->unit->pch_file && !f->included)
		return false;
	for (i = 0; i < f->skipped.nr; i++)
		if (f->skipped.v[i].start < at && at < f->skipped.v[i].end)
			return false;
	return true;
}

/* Parse; files, inclusions and what was left out. */
static int unit_parse(struct worker *wk, struct work *w, const struct inputs *in, const char *pch)
{
	struct answer *x = w->answer;

	w->tu = parse_once(wk, w, in, pch);
	if (!w->tu)
		return -1;
	w->last = NULL;
	w->shadowed = false;
	x->nr_files = w->nr_files;
	x->files = arena_array(w->arena, w->nr_files, sizeof(*x->files));
	wk->lc.getInclusions(w->tu, visit_inclusion, w);
	skipped_read(w);
	return 0;
}

static int parse_unit(struct worker *wk, struct work *w)
{
	struct strings headers = w->unit->pch;
	struct inputs in = {0};
	const char *pch = NULL;
	struct err err;

	inputs_make(wk, w, &in);
	*VEC_PUSH(w->arena, &headers) = NULL;
	if (w->unit->pch.nr && !exact_serves(&wk->exact, w->unit->mode) &&
	    cxx_pch_get(&pch, &wk->lc, wk->stubs, w->unit->mode, headers.v, w->unit->pch_make,
			w->arena, &err))
		pch = NULL;
	if (pch && !unit_parse(wk, w, &in, pch)) {
		if (!pch_refused(&wk->lc, w->tu, w->arena) && pch_holds(w))
			return 0;
		wk->lc.disposeTranslationUnit(w->tu);
	}
	return unit_parse(wk, w, &in, NULL);
}

static void symbols_set(struct work *w)
{
	size_t i;

	for (i = 0; i < w->answer->seen.nr; i++) {
		struct seen *s = &w->answer->seen.v[i];

		s->symbol = work_symbol(w, s->file, s->span.start);
	}
}

/* Parse and read; -1: libclang could not do it. */
static int unit_read(struct worker *wk, struct work *w)
{
	if (parse_unit(wk, w))
		return -1;
	diag_read(w);
	if (w->retry.nr && !w->again)
		return 0;
	ast_read(w);
	symbols_set(w);
	return 0;
}

/* Processor milliseconds of this process. */
static uint64_t time_used(void)
{
	struct rusage used;

	if (getrusage(RUSAGE_SELF, &used))
		return 0;
	return (uint64_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000 +
	       (uint64_t)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1000;
}

/* The answer for one unit into `out`, empty when libclang could not do it. */
static void unit_answer(struct worker *wk, const struct unit *u, struct strbuf *out)
{
	uint64_t before = time_used();
	struct answer x = {0};
	struct work w = {.lc = &wk->lc,
			 .db = wk->db,
			 .exact = &wk->exact,
			 .setup = &wk->setup,
			 .words = &wk->words,
			 .arena = &wk->scratch,
			 .unit = u,
			 .answer = &x};
	int ret = unit_read(wk, &w);
	size_t i;

	if (!ret && w.retry.nr) {
		wk->lc.disposeTranslationUnit(w.tu);
		x = (struct answer){0};
		w.again = true;
		ret = unit_read(wk, &w);
		for (i = 0; i < w.kept.nr; i++)
			*VEC_PUSH(w.arena, &x.seen) = w.kept.v[i];
	}
	if (ret)
		return;
	wk->lc.disposeTranslationUnit(w.tu);
	x.ms = (uint32_t)(time_used() - before);
	answer_put(out, &x);
}

/* ---- the process ------------------------------------------------------------------------------- */

static void limit_set(int what, rlim_t soft)
{
	struct rlimit r;

	if (getrlimit(what, &r))
		return;
	r.rlim_cur = r.rlim_max == RLIM_INFINITY || soft < r.rlim_max ? soft : r.rlim_max;
	setrlimit(what, &r);
}

static void limit_unit(unsigned seconds)
{
	limit_set(RLIMIT_CPU, (rlim_t)(time_used() / 1000) + seconds);
}

/* The first record: what to load. The answer is empty, or says why it cannot be. */
static int worker_start(struct worker *w, struct strbuf *in, struct strbuf *out)
{
	struct wire_in wire;
	struct err err = {{0}};

	if (wire_recv(STDIN_FILENO, in, 0))
		return -1;
	wire = (struct wire_in){in->buf, in->buf + in->len, false};
	setup_get(&wire, &w->setup, &w->arena);
	if (wire.bad)
		return -1;
	limit_unit(w->setup.seconds);
	if (worker_load(w, &err))
		strbuf_addstr(out, *err.msg ? err.msg : "it cannot be used");
	return wire_send(STDOUT_FILENO, out);
}

int cxx_worker(void)
{
	struct strbuf in = STRBUF_INIT, out = STRBUF_INIT;
	struct worker w = {0};

	limit_set(RLIMIT_CORE, 0);
#ifndef PDM_DEBUG
	limit_set(RLIMIT_AS, MEMORY_MAX);
#endif
	if (worker_start(&w, &in, &out))
		return 2;
	while (!wire_recv(STDIN_FILENO, &in, 0)) {
		struct wire_in wire = {in.buf, in.buf + in.len, false};
		struct unit u = {0};

		limit_unit(w.setup.seconds);
		strbuf_reset(&out);
		unit_get(&wire, &u, &w.scratch);
		if (wire.bad)
			return 2;
		unit_answer(&w, &u, &out);
		if (wire_send(STDOUT_FILENO, &out))
			return 2;
		arena_reset(&w.scratch);
	}
	strbuf_release(&in);
	strbuf_release(&out);
	arena_free(&w.scratch);
	arena_free(&w.arena);
	return 0;
}
