/*
 * source.c - the lines of a tree that load libraries, and which library each means.
 *
 * Python lines come from facts; C and C++ is searched for calls of the loader's functions outside
 * comments and strings. A line means a library when a literal names it: in the call, else in its file.
 */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/lines.h"
#include "base/path.h"
#include "probe/internal.h"

#define SOURCE_MAX   (8u << 20)
#define SNIPPET_MAX  160
#define DEPTH_MAX    32
#define FOUND_MAX    512
#define LIBRARY_MARK ".so"

/* "libx.so" and "libx.so.1", not "x.source". */
static bool is_library(const char *base)
{
	const char *so = strstr(base, LIBRARY_MARK);

	return so && so > base && (!so[3] || so[3] == '.');
}

/* ---- lines ---------------------------------------------------------------------------------------- */

static void line_rules(struct probe *p, struct probe_line *line, const struct result *r)
{
	const char **v = arena_array(p->arena, r->findings.nr + 1, sizeof(*v));
	size_t i, nr = 0;

	for (i = 0; i < r->findings.nr; i++) {
		const struct finding *f = r->findings.v[i];

		if (f->source && !strcmp(f->source->path, line->path) && f->line == line->line &&
		    (!nr || strcmp(v[nr - 1], f->rule)))
			v[nr++] = f->rule;
	}
	line->rules = v;
	line->nr_rules = nr;
}

static void line_add(struct probe *p, const struct result *r, const struct source *s,
		     const struct lines *lines, uint32_t at, const char *name, const char *symbol)
{
	struct probe_line *line = VEC_PUSH(p->arena, &p->lines);
	const char *text;
	uint32_t nr, column;
	size_t n;

	nr = lines_at(lines, at, &column);
	text = lines_text(lines, nr, &n);
	while (n && isspace((unsigned char)*text))
		text++, n--;
	*line = (struct probe_line){
		.path = s->path,
		.line = nr,
		.name = name,
		.symbol = symbol ? symbol : "",
		.snippet = arena_strndup(p->arena, text, n < SNIPPET_MAX ? n : SNIPPET_MAX),
	};
	line_rules(p, line, r);
}

static const char *literal_library(struct arena *a, const char *text)
{
	const char *base = text ? path_base(text) : "";

	return is_library(base) ? arena_strdup(a, base) : NULL;
}

static const char *fact_library(struct arena *a, const struct source *s, const struct fact *f)
{
	const char *found = NULL;
	size_t i;

	for (i = 0; i < f->nr_args && !found; i++)
		if (f->args[i].value == VALUE_STRING)
			found = literal_library(a, f->args[i].text);
	for (i = 0; i < s->nr_facts && !found; i++)
		if (s->facts[i].kind == FACT_STRING)
			found = literal_library(a, s->facts[i].name);
	return found;
}

static void python_lines(struct probe *p, const struct result *r, const struct source *s,
			 const struct lines *lines)
{
	size_t i;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];
		struct probe_line *line;

		if (f->kind != FACT_USE || !f->name || !list_has(p->words->loaders, f->name) ||
		    f->flags & (F_ANNOTATION | F_BASE | F_ISINSTANCE) ||
		    !(f->flags & F_CALL || str_ends(f->name, ".__init__")))
			continue;
		line_add(p, r, s, lines, f->span.start, f->name, f->symbol);
		line = &p->lines.v[p->lines.nr - 1];
		line->lazy = (f->flags & F_FUNCTION) != 0;
		line->library = fact_library(p->arena, s, f);
	}
}

/* Past a comment, string or character that begins at p; p itself where none does. */
static const char *skip_text(const char *p, const char *end)
{
	char close = *p;

	if (p + 1 < end && p[0] == '/' && p[1] == '/') {
		while (p < end && *p != '\n')
			p++;
		return p;
	}
	if (p + 1 < end && p[0] == '/' && p[1] == '*') {
		for (p += 2; p + 1 < end && (p[0] != '*' || p[1] != '/'); p++)
			;
		return p + 1 < end ? p + 2 : end;
	}
	if (close != '"' && close != '\'')
		return p;
	for (p++; p < end && *p != close && *p != '\n'; p++)
		p += *p == '\\' && p + 1 < end;
	return p < end ? p + 1 : end;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The library that a literal names as first argument; `open` is at the bracket. */
static const char *call_library(struct arena *a, const char *open, const char *end)
{
	const char *p = open + 1, *close;

	while (p < end && isspace((unsigned char)*p))
		p++;
	if (p >= end || *p != '"')
		return NULL;
	close = memchr(p + 1, '"', (size_t)(end - p - 1));
	return close ? literal_library(a, arena_strndup(a, p + 1, (size_t)(close - p - 1))) : NULL;
}

static void native_line(struct probe *p, const struct result *r, const struct source *s,
			const struct lines *lines, const char *word, const char *start,
			const char *open)
{
	const char *end = lines->text + lines->len;

	line_add(p, r, s, lines, (uint32_t)(start - lines->text), word, NULL);
	p->lines.v[p->lines.nr - 1].library = call_library(p->arena, open, end);
}

static void native_lines(struct probe *p, const struct result *r, const struct source *s,
			 const struct lines *lines)
{
	const char *at = lines->text, *end = at + lines->len, *start, *after;
	const char *word;

	while (at < end) {
		after = skip_text(at, end);
		if (after != at) {
			at = after;
			continue;
		}
		if (!is_word(*at)) {
			at++;
			continue;
		}
		for (start = at; at < end && is_word(*at); at++)
			;
		for (after = at; after < end && (*after == ' ' || *after == '\t'); after++)
			;
		word = arena_strndup(p->arena, start, (size_t)(at - start));
		if (after < end && *after == '(' && list_has(p->words->native_loaders, word))
			native_line(p, r, s, lines, word, start, after);
	}
}

static bool has_loader(const struct probe *p, const struct source *s, const struct fs_text *text)
{
	const char *const *w;

	if (s->lang == LANG_PYTHON || s->lang == LANG_CYTHON)
		return s->nr_facts > 0;
	if (s->lang != LANG_C && s->lang != LANG_CXX && s->lang != LANG_CUDA)
		return false;
	for (w = p->words->native_loaders; *w; w++)
		if (memmem(text->data, text->len, *w, strlen(*w)))
			return true;
	return false;
}

void probe_lines(struct probe *p, const struct result *r)
{
	const struct repo *repo = r->repo;
	struct lines lines;
	struct fs_text text;
	struct err ignored;
	size_t i;

	for (i = 0; i < repo->nr_files; i++) {
		const struct source *s = repo->files[i];

		if (s->analysis == ANALYSIS_SKIPPED ||
		    fs_read(repo->dirfd, s->path, SOURCE_MAX, &text, &ignored))
			continue;
		if (hash_bytes(text.data, text.len) == s->hash && has_loader(p, s, &text)) {
			lines_init(&lines, p->arena, text.data, text.len);
			if (s->lang == LANG_PYTHON || s->lang == LANG_CYTHON)
				python_lines(p, r, s, &lines);
			else
				native_lines(p, r, s, &lines);
		}
		fs_text_free(&text);
	}
}

/* ---- libraries of a tree ---------------------------------------------------------------------------- */

static void find_below(struct strings *out, struct arena *a, int dirfd, const char *path, int depth)
{
	int fd = openat(dirfd, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *e;
	struct stat st;

	if (!dir && fd >= 0)
		close(fd);
	while (dir && out->nr < FOUND_MAX && (e = readdir(dir))) {
		const char *child;

		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") ||
		    !strcmp(e->d_name, ".git") ||
		    fstatat(fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		child = arena_fmt(a, "%s/%s", path, e->d_name);
		if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX)
			find_below(out, a, dirfd, child, depth + 1);
		else if (S_ISREG(st.st_mode) && is_library(e->d_name))
			strings_add(out, a, child);
	}
	if (dir)
		closedir(dir);
}

static int path_compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void probe_find(struct strings *out, struct arena *a, const char *dir)
{
	struct stat st;
	size_t n = strlen(dir);

	while (n > 1 && dir[n - 1] == '/')
		n--;
	if (stat(dir, &st) || !S_ISDIR(st.st_mode))
		return;
	find_below(out, a, AT_FDCWD, arena_strndup(a, dir, n), 0);
	if (out->nr)
		qsort(out->v, out->nr, sizeof(*out->v), path_compare);
}

/* ---- which line means which library ------------------------------------------------------------------ */

static void tie_line(struct probe *p, struct probe_library *lib, const struct probe_line *line)
{
	const struct probe_line **v = arena_array(p->arena, lib->nr_lines + 1, sizeof(*v));

	if (lib->nr_lines)
		memcpy(v, lib->lines, lib->nr_lines * sizeof(*v));
	v[lib->nr_lines++] = line;
	lib->lines = v;
}

void probe_tie(struct probe *p)
{
	size_t i, k;

	for (i = 0; i < p->libraries.nr; i++)
		for (k = 0; k < p->lines.nr; k++) {
			const char *name = p->lines.v[k].library;

			/* What does not name one may load any. */
			if (!name || !strcmp(name, path_base(p->libraries.v[i].elf.path)))
				tie_line(p, &p->libraries.v[i], &p->lines.v[k]);
		}
}
