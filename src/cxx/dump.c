/*
 * dump.c - the C++ half of `coverage dump`: an installed package's headers -> tables.
 *
 * In: rules/cxx/dump.yml, a site-packages folder, the headers of Python and of a CUDA toolkit. The
 * target's compat headers are parsed together, once plain and once for CUDA; upstream's once. Out, in
 * the folder of the Python tables: headers, includes, decls, macros, unexported (.tsv), sorted by bytes
 * after a line of provenance. Two runs give the same bytes.
 */
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "base/yaml.h"
#include "cxx/cxx.h"
#include "cxx/dump.h"

#define CONFIG	     "cxx/dump.yml"
#define DUMP_VERSION "cxx1"
#define MAIN_FILE    "/pdmigrate/dump.cc"
#define ERRORS_SHOWN 20
#define TABLE_MAX    (64u << 20)

static const char *const *yaml_words(struct arena *a, const struct yaml *map, const char *key)
{
	const struct yaml *list = yaml_get(map, key), *item;
	const char **v = arena_array(a, list ? list->nr + 1 : 1, sizeof(*v));
	size_t i = 0;

	for (item = list ? list->child : NULL; item; item = item->next)
		v[i++] = item->text ? item->text : "";
	return v;
}

static int config_load(struct dump_config *c, struct arena *a, const struct assets *assets,
		       const char *side, struct err *err)
{
	static const char *const keys[] = {"package", "roots",	 "include", "headers",	 "first", "define",
					   "parse",   "skip",	 "shallow", "libraries", "cuda",  NULL};
	const struct asset *as = asset_get(assets, CONFIG);
	const struct yaml *map;
	struct yaml *root;

	if (!as)
		return err_set(err, "no '%s' in the rules", CONFIG);
	if (asset_yaml(&root, a, assets, as, err))
		return -1;
	map = yaml_get(root, side);
	if (!map || map->kind != YAML_MAP)
		return err_set(err, "%s: no '%s'", asset_name(assets, a, CONFIG), side);
	if (yaml_check_keys(map, asset_name(assets, a, CONFIG), keys, err))
		return -1;
	c->package = yaml_str(map, "package", "");
	c->cuda = yaml_str(map, "cuda", NULL);
	c->roots = yaml_words(a, map, "roots");
	c->include = yaml_words(a, map, "include");
	c->headers = yaml_words(a, map, "headers");
	c->first = yaml_words(a, map, "first");
	c->define = yaml_words(a, map, "define");
	c->parse = yaml_words(a, map, "parse");
	c->skip = yaml_words(a, map, "skip");
	c->shallow = yaml_words(a, map, "shallow");
	c->libraries = yaml_words(a, map, "libraries");
	if (!*c->package || !*c->roots)
		return err_set(err, "%s: '%s' names no package or no roots",
			       asset_name(assets, a, CONFIG), side);
	return 0;
}

static int header_compare(const void *a, const void *b)
{
	const struct dump_header *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static bool is_header(const char *path)
{
	const char *ext = path_ext(path);

	return !strcmp(ext, ".h") || !strcmp(ext, ".hpp") || !strcmp(ext, ".cuh");
}

/* List the headers below the first root. */
static int headers_list(struct dump *d, struct err *err)
{
	char *root = arena_fmt(d->arena, "%s/%s", d->site, d->config->roots[0]);
	char *const dirs[] = {root, NULL};
	struct dump_header *h;
	const char *name;
	FTSENT *e;
	FTS *fts = fts_open(dirs, FTS_PHYSICAL | FTS_NOCHDIR, NULL);

	if (!fts)
		return err_errno(err, "cannot read '%s'", root);
	while ((e = fts_read(fts))) {
		if (e->fts_info != FTS_F || !is_header(e->fts_path))
			continue;
		name = dump_header_name(d, e->fts_path);
		if (!name)
			continue;
		h = VEC_PUSH(d->arena, &d->headers);
		h->name = name;
		h->path = arena_strdup(d->arena, e->fts_path + strlen(root) + 1);
	}
	fts_close(fts);
	if (!d->headers.nr)
		return err_set(err, "no headers below '%s'", root);
	qsort(d->headers.v, d->headers.nr, sizeof(*d->headers.v), header_compare);
	return 0;
}

struct parse_args {
	VEC(const char *) v;
	struct arena *arena;
};

static void arg(struct parse_args *p, const char *word)
{
	*VEC_PUSH(p->arena, &p->v) = word;
}

static void args_make(struct parse_args *p, const struct dump *d, const struct libclang *lc,
		      const struct cxx_dump_options *o, unsigned build)
{
	const char *const *w;

	arg(p, "-xc++");
	arg(p, "-std=c++17");
	arg(p, "-Wno-everything");
	arg(p, "-ferror-limit=0");
	if (lc->resource) {
		arg(p, "-resource-dir");
		arg(p, lc->resource);
	}
	for (w = d->config->define; *w; w++)
		arg(p, arena_fmt(p->arena, "-D%s", *w));
	if (build == BUILD_CUDA && d->config->cuda)
		arg(p, arena_fmt(p->arena, "-D%s", d->config->cuda));
	for (w = d->config->roots; *w; w++)
		arg(p, arena_fmt(p->arena, "-I%s/%s", d->site, *w));
	for (w = d->config->include; *w; w++)
		arg(p, arena_fmt(p->arena, "-I%s/%s", d->site, *w));
	arg(p, arena_fmt(p->arena, "-I%s", o->python_include));
	if (o->cuda) {
		arg(p, "-isystem");
		arg(p, arena_fmt(p->arena, "%s/include", o->cuda));
		arg(p, "-isystem");
		arg(p, arena_fmt(p->arena, "%s/include/cccl", o->cuda));
	}
}

/* A unit that includes everything that is to be listed, but for what is known to break it. */
static const char *unit_text(struct dump *d)
{
	struct strbuf sb = STRBUF_INIT;
	const char *const *w, *text;
	unsigned line = 0;
	size_t i;

	for (w = d->config->first; *w; w++, line++)
		strbuf_addf(&sb, "#include <%s>\n", *w);
	for (w = d->config->parse; *w; w++, line++)
		strbuf_addf(&sb, "#include <%s>\n", *w);
	for (i = 0; !*d->config->parse && i < d->headers.nr; i++) {
		d->headers.v[i].line = 0;
		if (d->headers.v[i].broken)
			continue;
		strbuf_addf(&sb, "#include <%s>\n", d->headers.v[i].name);
		d->headers.v[i].line = ++line;
	}
	text = arena_strdup(d->arena, sb.buf);
	strbuf_release(&sb);
	return text;
}

/* Looking for the line of the unit that brings in a file. */
struct origin {
	const struct libclang *lc;
	CXFile file;
	unsigned line;
};

static void origin_visit(CXFile file, CXSourceLocation *stack, unsigned nr, CXClientData data)
{
	struct origin *o = data;

	if (file == o->file && nr && !o->line)
		o->lc->getExpansionLocation(stack[nr - 1], NULL, &o->line, NULL, NULL);
}

/* Mark the header that brings in the first error; false when there is none to mark. */
static bool header_break(struct dump *d, const struct libclang *lc, CXTranslationUnit tu)
{
	unsigned nr = lc->getNumDiagnostics(tu), i;
	struct origin o = {.lc = lc};
	bool found = false;
	size_t h;

	for (i = 0; i < nr && !found; i++) {
		CXDiagnostic diag = lc->getDiagnostic(tu, i);

		found = lc->getDiagnosticSeverity(diag) >= CXDiagnostic_Error;
		if (found)
			lc->getExpansionLocation(lc->getDiagnosticLocation(diag), &o.file, &o.line,
						 NULL, NULL);
		lc->disposeDiagnostic(diag);
	}
	if (!found)
		return false;
	/* A file of its own is known by where it is included; the unit's own lines are known already. */
	if (strcmp(libclang_text(lc, d->arena, lc->getFileName(o.file)), MAIN_FILE)) {
		o.line = 0;
		lc->getInclusions(tu, origin_visit, &o);
	}
	for (h = 0; h < d->headers.nr; h++)
		if (o.line && d->headers.v[h].line == o.line)
			return d->headers.v[h].broken = true;
	return false;
}

static void errors_print(struct dump *d, const struct libclang *lc, CXTranslationUnit tu)
{
	unsigned nr = lc->getNumDiagnostics(tu), i, shown = 0;

	for (i = 0; i < nr; i++) {
		CXDiagnostic diag = lc->getDiagnostic(tu, i);
		CXString text = lc->formatDiagnostic(diag, CXDiagnostic_DisplaySourceLocation);
		const char *line = libclang_text(lc, d->arena, text);

		if (lc->getDiagnosticSeverity(diag) >= CXDiagnostic_Error && shown++ < ERRORS_SHOWN)
			fprintf(stderr, "%s\n", line);
		lc->disposeDiagnostic(diag);
	}
}

static CXTranslationUnit unit_parse(struct dump *d, const struct libclang *lc, CXIndex index,
				    const struct parse_args *args)
{
	const char *text = unit_text(d);
	struct CXUnsavedFile main_file = {MAIN_FILE, text, strlen(text)};
	unsigned flags = CXTranslationUnit_DetailedPreprocessingRecord | CXTranslationUnit_KeepGoing;
	CXTranslationUnit tu = NULL;

	/* Bodies give the results of functions declared "auto". */
	if (!d->config->cuda)
		flags |= CXTranslationUnit_SkipFunctionBodies;
	if (lc->parseTranslationUnit2(index, MAIN_FILE, args->v.v, (int)args->v.nr, &main_file, 1,
				      flags, &tu))
		return NULL;
	return tu;
}

/*
 * Parse what works in the build: an error can leave a namespace open and spoil all that follows, so the
 * header that brings it in is left out and the rest parsed again.
 */
static int parse_build(struct dump *d, const struct libclang *lc, const struct cxx_dump_options *o,
		       unsigned build, struct err *err)
{
	struct parse_args args = {.arena = d->arena};
	CXIndex index = lc->createIndex(0, 0);
	CXTranslationUnit tu;
	size_t i;

	args_make(&args, d, lc, o, build);
	for (i = 0; i < d->headers.nr; i++)
		d->headers.v[i].broken = false;
	tu = unit_parse(d, lc, index, &args);
	while (tu && header_break(d, lc, tu)) {
		lc->disposeTranslationUnit(tu);
		tu = unit_parse(d, lc, index, &args);
	}
	if (tu) {
		errors_print(d, lc, tu);
		dump_walk(d, lc, tu, build);
		lc->disposeTranslationUnit(tu);
	}
	for (i = 0; i < d->headers.nr; i++)
		d->headers.v[i].builds |= d->headers.v[i].broken ? 0 : build;
	lc->disposeIndex(index);
	return tu ? 0 : err_set(err, "libclang cannot parse the headers");
}

/* ---- tables ---------------------------------------------------------------------------------- */

struct table_out {
	struct arena *arena;
	VEC(const char *) rows;
};

static int row_compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int file_write(const char *path, const char *data, size_t len, struct err *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), bad;

	if (fd < 0)
		return err_errno(err, "cannot write '%s'", path);
	bad = fs_write_all(fd, data, len);
	if (close(fd) || bad)
		return err_errno(err, "cannot write '%s'", path);
	return 0;
}

static int table_write(struct table_out *t, const char *outdir, const char *name, const char *head,
		       struct err *err)
{
	struct strbuf sb = STRBUF_INIT;
	size_t i;
	int ret;

	if (t->rows.nr)
		qsort(t->rows.v, t->rows.nr, sizeof(*t->rows.v), row_compare);
	strbuf_addf(&sb, "# %s\n", head);
	for (i = 0; i < t->rows.nr; i++)
		if (!i || strcmp(t->rows.v[i], t->rows.v[i - 1]))
			strbuf_addf(&sb, "%s\n", t->rows.v[i]);
	ret = file_write(arena_fmt(t->arena, "%s/%s.tsv", outdir, name), sb.buf, sb.len, err);
	strbuf_release(&sb);
	return ret;
}

static const char *build_word(unsigned builds)
{
	return builds == (BUILD_PLAIN | BUILD_CUDA) ? "both"
	       : builds == BUILD_PLAIN		    ? "plain"
	       : builds == BUILD_CUDA		    ? "cuda"
						    : "none";
}

static int pos_compare(const void *a, const void *b)
{
	const struct dump_decl *x = a, *y = b;
	int cmp = strcmp(x->header, y->header);

	if (!cmp)
		cmp = strcmp(x->pos, y->pos);
	return cmp ? cmp : strcmp(x->name, y->name);
}

static int name_compare(const void *a, const void *b)
{
	const struct dump_decl *x = a, *y = b;
	int cmp = strcmp(x->name, y->name);

	return cmp ? cmp : pos_compare(a, b);
}

/* Offsets become ranks in the header, which say less about its text and sort the same. */
static void places_rank(struct dump *d)
{
	size_t i;
	int rank = 0;

	qsort(d->decls.v, d->decls.nr, sizeof(*d->decls.v), pos_compare);
	for (i = 0; i < d->decls.nr; i++) {
		rank = i && !strcmp(d->decls.v[i].header, d->decls.v[i - 1].header) ? rank + 1 : 0;
		d->decls.v[i].pos = arena_fmt(d->arena, "%d", rank);
	}
}

/* Of upstream only what code can name. */
static bool is_asked_for(const struct dump_decl *n)
{
	return *n->name && !str_ends(n->name, "(unnamed)") && strcmp(n->kind, "constructor") &&
	       strcmp(n->kind, "conversion") && strcmp(n->kind, "specialization");
}

/* NAME NR KIND BUILD HEADER SPACE TEXT DEPTH PLACE; upstream's end with TEXT, one a name and kind. */
static int decls_write(struct dump *d, const char *outdir, const char *head, struct err *err)
{
	struct table_out t = {.arena = d->arena};
	const struct dump_decl *n;
	const char *row;
	size_t i;
	int nr = 0;

	if (!d->decls.nr)
		return err_set(err, "no declarations found");
	if (d->config->cuda)
		places_rank(d);
	qsort(d->decls.v, d->decls.nr, sizeof(*d->decls.v), name_compare);
	for (i = 0; i < d->decls.nr; i++) {
		n = &d->decls.v[i];
		nr = i && !strcmp(n->name, n[-1].name) ? nr + 1 : 0;
		if (d->config->cuda)
			row = arena_fmt(d->arena, "%s\t%03d\t%s\t%s\t%s\t%s\t%s\t%d\t%s", n->name, nr,
					n->kind, build_word(n->builds), n->header, n->space,
					n->text, n->depth, n->pos);
		else if (is_asked_for(n) && !(nr && !strcmp(n->kind, n[-1].kind)))
			row = arena_fmt(d->arena, "%s\t%03d\t%s\tany\t%s\t%s\t%s", n->name, nr,
					n->kind, n->header, n->space, n->text);
		else
			continue;
		*VEC_PUSH(d->arena, &t.rows) = row;
	}
	return table_write(&t, outdir, "decls", head, err);
}

/* Does a header that defines the macro drop it again? Those are for its own use. */
static bool macro_dropped(struct dump *d, const struct dump_macro *m)
{
	const char *path = NULL, *p;
	struct fs_text text;
	struct err ignored;
	bool dropped = false;
	size_t i, n = strlen(m->name);

	for (i = 0; i < d->headers.nr && !path; i++)
		if (!strcmp(d->headers.v[i].name, m->header))
			path = arena_fmt(d->arena, "%s/%s/%s", d->site, d->config->roots[0],
					 d->headers.v[i].path);
	if (!path || fs_read_path(path, TABLE_MAX, &text, &ignored))
		return false;
	p = text.data + (m->offset < text.len ? m->offset : text.len);
	while (!dropped && (p = strstr(p, "undef"))) {
		p += strlen("undef");
		p += strspn(p, " \t");
		dropped = !strncmp(p, m->name, n) && strchr(" \t\r\n/", p[n]);
	}
	fs_text_free(&text);
	return dropped;
}

/* NAME KIND BUILD HEADER VALUE; VALUE: "=" and the one word it stands for, "-" for longer ones. */
static int macros_write(struct dump *d, const char *outdir, const char *head, struct err *err)
{
	struct table_out t = {.arena = d->arena};
	size_t i;

	for (i = 0; i < d->macros.nr; i++) {
		const struct dump_macro *m = &d->macros.v[i];

		if (macro_dropped(d, m))
			continue;
		*VEC_PUSH(d->arena, &t.rows) =
			arena_fmt(d->arena, "%s\t%s\t%s\t%s\t%s%s", m->name,
				  m->function ? "function" : "object",
				  d->config->cuda ? build_word(m->builds) : "any", m->header,
				  m->value ? "=" : "-", m->value ? m->value : "");
	}
	return table_write(&t, outdir, "macros", head, err);
}

/* headers: NAME PATH BUILD; upstream's NAME. includes: HEADER NR BUILD TARGET, in the order of the text. */
static int headers_write(struct dump *d, const char *outdir, const char *head, struct err *err)
{
	struct table_out t = {.arena = d->arena}, inc = {.arena = d->arena};
	size_t i;

	for (i = 0; i < d->headers.nr; i++) {
		const struct dump_header *h = &d->headers.v[i];

		*VEC_PUSH(d->arena, &t.rows) =
			d->config->cuda ? arena_fmt(d->arena, "%s\t%s\t%s", h->name, h->path,
						    build_word(h->builds))
					: h->name;
	}
	for (i = 0; i < d->includes.nr; i++) {
		const struct dump_include *n = &d->includes.v[i];

		*VEC_PUSH(d->arena, &inc.rows) =
			arena_fmt(d->arena, "%s\t%s\t%s\t%s", n->header, n->pos,
				  build_word(n->builds), n->target);
	}
	if (table_write(&t, outdir, "headers", head, err))
		return -1;
	return d->config->cuda ? table_write(&inc, outdir, "includes", head, err) : 0;
}

/*
 * SYMBOL NAME BUILD HEADER TEXT of functions that are declared and not exported. `builds`: those that
 * the libraries at hand can tell about.
 */
static int unexported_write(struct dump *d, unsigned builds, const char *outdir, const char *head,
			    struct err *err)
{
	struct table_out t = {.arena = d->arena};
	struct exports x = {0};
	const char *const *lib;
	size_t i;

	for (lib = d->config->libraries; *lib; lib++)
		if (exports_read(&x, d->arena, arena_fmt(d->arena, "%s/%s", d->site, *lib), err))
			return -1;
	exports_sort(&x);
	for (i = 0; i < d->decls.nr; i++) {
		const struct dump_decl *n = &d->decls.v[i];

		if (!n->symbol || !*n->symbol || !(n->builds & builds) ||
		    exports_has(&x, n->symbol))
			continue;
		*VEC_PUSH(d->arena, &t.rows) =
			arena_fmt(d->arena, "%s\t%s\t%s\t%s\t%s", n->symbol, n->name,
				  build_word(n->builds & builds), n->header, n->text);
	}
	return table_write(&t, outdir, "unexported", head, err);
}

/* Provenance of the Python tables, with our own version and the library's in place of the dump's. */
static int head_make(const char **head, struct dump *d, const struct libclang *lc,
		     const char *outdir, bool *cuda, struct err *err)
{
	const char *path = arena_fmt(d->arena, "%s/names.tsv", outdir), *p;
	struct fs_text text;
	int field;

	if (fs_read_path(path, TABLE_MAX, &text, err))
		return err_context(err, "the names of Python come first");
	p = text.data;
	for (field = 0; *p && *p != '\n' && field < 7; p++)
		field += *p == '\t';
	*cuda = strstr(text.data, "\tcuda\t") && strstr(text.data, "\tcuda\t") < p;
	if (field == 7 && !strncmp(text.data, "# ", 2))
		*head = arena_fmt(d->arena, "%.*s%s\tclang%u", (int)(p - text.data) - 2,
				  text.data + 2, DUMP_VERSION, lc->major);
	fs_text_free(&text);
	return field == 7 ? 0 : err_set(err, "%s:1: no provenance line", path);
}

static int dump_run(struct dump *d, const struct libclang *lc, const struct cxx_dump_options *o,
		    struct err *err)
{
	const char *head = NULL;
	bool cuda = false;

	if (headers_list(d, err) || head_make(&head, d, lc, o->outdir, &cuda, err) ||
	    parse_build(d, lc, o, BUILD_PLAIN, err))
		return -1;
	if (d->config->cuda && parse_build(d, lc, o, BUILD_CUDA, err))
		return -1;
	if (decls_write(d, o->outdir, head, err) || macros_write(d, o->outdir, head, err) ||
	    headers_write(d, o->outdir, head, err))
		return -1;
	return d->config->cuda
		       ? unexported_write(d, cuda ? BUILD_PLAIN | BUILD_CUDA : BUILD_PLAIN,
					  o->outdir, head, err)
		       : 0;
}

int cxx_dump(const struct assets *assets, const struct cxx_dump_options *o, struct err *err)
{
	static const char *const sides[] = {"target", "upstream"};
	struct arena a = {0};
	struct libclang lc;
	int ret = -1;
	size_t i;

	for (i = 0; i < 2; i++) {
		struct dump_config config = {0};
		struct dump d = {.config = &config, .site = o->site, .arena = &a};

		if (config_load(&config, &a, assets, sides[i], err))
			goto out;
		if (access(arena_fmt(&a, "%s/%s", o->site, config.package), F_OK))
			continue;
		if (!libclang_load(&lc, &a, NULL, err))
			ret = dump_run(&d, &lc, o, err);
		goto out;
	}
	err_set(err, "no package to list in '%s'", o->site);
out:
	arena_free(&a);
	return ret;
}
