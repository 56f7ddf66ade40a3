/*
 * shim_rows.c - the shim folder in the build: an include folder of the declaration, and what the source
 * archive and the installed package need.
 *
 * The folder goes in front of the extension's own include folders, so that its headers are found before
 * the framework's. For a build script it is relative to that script's folder, where builds run; a call
 * that compiles when it runs gets the path beside its own file. What the call passes is kept as written.
 */
#include <ctype.h>
#include <string.h>

#include "base/fs.h"
#include "base/intern.h"
#include "base/path.h"
#include "plan/shim.h"

#define ARCHIVE	      "MANIFEST.in"
#define FOLDERS	      "include_dirs"
#define LOAD_FOLDERS  "extra_include_paths"
#define TEXT_MAX_SIZE (4u << 20)

const char *shim_text(struct shim_plan *p, struct source *s)
{
	struct fs_text text;
	struct err err;
	const char *out;

	if (!s)
		return NULL;
	if (fs_read(p->result->repo->dirfd, s->path, TEXT_MAX_SIZE, &text, &err)) {
		notice_add(&p->result->notices, p->arena, s->path, "plan", "%s", err.msg);
		return NULL;
	}
	/* Files of no language are read here first. */
	if (s->lang == LANG_OTHER && !s->hash) {
		s->size = (uint32_t)text.len;
		s->hash = hash_bytes(text.data, text.len);
	}
	out = text.len == s->size && hash_bytes(text.data, text.len) == s->hash
		      ? arena_strndup(p->arena, text.data, text.len)
		      : NULL;
	fs_text_free(&text);
	if (!out)
		notice_add(&p->result->notices, p->arena, s->path, "plan",
			   "changed while it was being analysed");
	return out;
}

struct edit *shim_edit(struct shim_plan *p, struct fix *fix, const char *path, uint32_t start,
		       uint32_t end, const char *text)
{
	struct edit *more = arena_array(p->arena, fix->nr_edits + 1, sizeof(*more));
	struct edit *e = &more[fix->nr_edits];

	if (fix->nr_edits)
		memcpy(more, fix->edits, fix->nr_edits * sizeof(*more));
	e->path = path;
	e->span = (struct span){start, end};
	e->text = text;
	fix->edits = more;
	fix->nr_edits++;
	return e;
}

/* ---- the row --------------------------------------------------------------------------------- */

/* The quote that the call is written with. */
static char quote_of(const char *text, struct span span)
{
	uint32_t at, one = 0, two = 0;

	for (at = span.start; at < span.end; at++) {
		one += text[at] == '\'';
		two += text[at] == '"';
	}
	return one > two ? '\'' : '"';
}

static bool is_list(const char *text, struct span span)
{
	return span.end > span.start + 1 && text[span.start] == '[' && text[span.end - 1] == ']';
}

/* The folder in front of what the keyword is given. */
static void row_before(struct shim_plan *p, const char *path, const char *text,
		       const struct arg *arg, const char *folder, struct fix *fix)
{
	struct span v = arg->valspan;
	uint32_t inside = v.start + 1;
	bool name = arg->value == VALUE_NAME || arg->value == VALUE_CALL;

	if (!is_list(text, v)) {
		shim_edit(p, fix, path, v.start, v.start,
			  arena_fmt(p->arena, name ? "[%s, *" : "[%s, *(", folder));
		shim_edit(p, fix, path, v.end, v.end, name ? "]" : ")]");
		return;
	}
	inside += (uint32_t)strspn(text + inside, " \t\r\n");
	/* An element on a line of its own gets one above it. */
	if (inside > v.start + 1 && memchr(text + v.start, '\n', inside - v.start)) {
		uint32_t line = inside;

		while (text[line - 1] != '\n')
			line--;
		shim_edit(p, fix, path, inside, inside,
			  arena_fmt(p->arena, "%s,\n%.*s", folder, (int)(inside - line),
				    text + line));
		return;
	}
	shim_edit(p, fix, path, inside, inside,
		  text[inside] == ']' ? folder : arena_fmt(p->arena, "%s, ", folder));
}

/* A new keyword behind the last argument: on a line of its own where that has one. */
static void row_append(struct shim_plan *p, const char *path, const char *text,
		       const struct fact *call, const char *row, struct fix *fix)
{
	struct span last = call->args[call->nr_args - 1].span;
	uint32_t line = last.start;

	while (line > call->stmt.start && text[line - 1] != '\n')
		line--;
	if (line == call->stmt.start || text[line + strspn(text + line, " \t")] == 0 ||
	    line + strspn(text + line, " \t") != last.start)
		shim_edit(p, fix, path, last.end, last.end,
			  arena_fmt(p->arena, ", %s", row));
	else
		shim_edit(p, fix, path, last.end, last.end,
			  arena_fmt(p->arena, ",\n%.*s%s", (int)(last.start - line),
				    text + line, row));
}

/* The module binds `name` to what it imports as `what`. */
static bool imports(const struct source *s, const char *what, const char *name)
{
	size_t i;

	for (i = 0; i < s->nr_facts; i++)
		if (s->facts[i].kind == FACT_IMPORT && s->facts[i].def < 0 &&
		    str_eq(s->facts[i].name, what) && str_eq(s->facts[i].text, name))
			return true;
	return false;
}

/* The folder as the declaration's file writes it; NULL with a reason. */
static const char *folder_text(struct shim_plan *p, const struct shim_decl *d, const char *text,
			       const char **reason)
{
	const char *name = p->shims->folder;
	char q = quote_of(text, d->call->stmt);

	if (d->kind == SHIM_SETUP)
		return arena_fmt(p->arena, "%c%s%c", q, name, q);
	if (imports(d->ext.source, "os", "os") || imports(d->ext.source, "os.path", "os"))
		return arena_fmt(p->arena, "os.path.join(os.path.dirname(__file__), %c%s%c)", q, name,
				 q);
	if (imports(d->ext.source, "pathlib.Path", "Path"))
		return arena_fmt(p->arena, "str(Path(__file__).with_name(%c%s%c))", q, name, q);
	*reason = "the file imports neither os nor pathlib.Path, which the path of a folder needs";
	return NULL;
}

/* The argument that the keyword is given as, NULL: none; -1 where it cannot be told. */
static int arg_find(const struct fact *call, const char *keyword, const struct arg **out,
		    const char **reason)
{
	size_t i;

	for (i = 0; i < call->nr_args; i++) {
		if (str_eq(call->args[i].keyword, keyword))
			*out = &call->args[i];
		else if (call->args[i].splat) {
			*reason = "the include folders may be in a ** argument";
			return -1;
		}
	}
	return 0;
}

/* A line of CMake in front of the command, with its indentation. */
static int cmake_row(struct shim_plan *p, const struct shim_decl *d, const char *text, struct fix *fix)
{
	const char *path = d->ext.source->path, *nl = strstr(text, "\r\n") ? "\r\n" : "\n";
	uint32_t at = d->call->stmt.start, line = at;

	if (strstr(text, arena_fmt(p->arena, "/%s)", p->shims->folder)))
		return 0;
	while (line && text[line - 1] != '\n')
		line--;
	shim_edit(p, fix, path, line, line,
		  arena_fmt(p->arena, "%.*sinclude_directories(BEFORE ${CMAKE_CURRENT_SOURCE_DIR}/%s)%s",
			    (int)(at - line), text + line, p->shims->folder, nl));
	return 0;
}

int shim_row(struct shim_plan *p, const struct shim_decl *d, struct fix *fix, const char **reason)
{
	const char *keyword = d->kind == SHIM_SETUP ? FOLDERS : LOAD_FOLDERS, *folder;
	const char *text = shim_text(p, repo_find(p->result->repo, d->ext.source->path));
	const struct arg *arg = NULL;

	*reason = "the extension is not declared by a call that is written out";
	if (!d->call || !text)
		return -1;
	if (d->kind == SHIM_CMAKE)
		return cmake_row(p, d, text, fix);
	if (!d->call->nr_args || arg_find(d->call, keyword, &arg, reason))
		return -1;
	folder = folder_text(p, d, text, reason);
	if (!folder)
		return -1;
	*reason = NULL;
	if (!arg)
		row_append(p, d->ext.source->path, text, d->call,
			   arena_fmt(p->arena, "%s=[%s]", keyword, folder), fix);
	else if (!memmem(text + arg->valspan.start, arg->valspan.end - arg->valspan.start,
			 p->shims->folder, strlen(p->shims->folder)))
		row_before(p, d->ext.source->path, text, arg, folder, fix);
	return 0;
}

/* ---- the source archive ---------------------------------------------------------------------- */

/* The folder of the project that `dir` lies in: the nearest with a build script, else `dir` itself. */
static const char *project_of(struct shim_plan *p, const char *dir)
{
	const char *at = dir;
	size_t n = strlen(dir);

	for (;;) {
		at = arena_strndup(p->arena, dir, n);
		if (repo_find(p->result->repo, path_join(p->arena, at, SHIM_SCRIPT)) ||
		    repo_find(p->result->repo, path_join(p->arena, at, "pyproject.toml")))
			return at;
		if (!n)
			return dir;
		n = path_dirlen(at);
	}
}

int shim_archive(struct shim_plan *p, const char *dir, struct fix *fix, const char **reason)
{
	const char *project = project_of(p, dir), *path, *text, *nl, *line;
	size_t up = *project ? strlen(project) + 1 : 0;
	struct source *s;
	struct edit *e;
	size_t n;

	path = path_join(p->arena, project, ARCHIVE);
	line = arena_fmt(p->arena, "recursive-include %s *.h",
			 path_join(p->arena, strlen(dir) > up ? dir + up : "", p->shims->folder));
	s = repo_find(p->result->repo, path);
	/* Other build backends take everything, or a list of their own. */
	if (!s && !repo_find(p->result->repo, path_join(p->arena, project, SHIM_SCRIPT)))
		return 0;
	if (!s) {
		e = shim_edit(p, fix, path, 0, 0, arena_fmt(p->arena, "%s\n", line));
		e->create = true;
		e->mode = 0100644;
		return 0;
	}
	text = shim_text(p, s);
	*reason = "the list of files for the source archive has changed";
	if (!text)
		return -1;
	*reason = NULL;
	if (strstr(text, line))
		return 0;
	n = strlen(text);
	nl = strstr(text, "\r\n") ? "\r\n" : "\n";
	shim_edit(p, fix, path, (uint32_t)n, (uint32_t)n,
		  arena_fmt(p->arena, "%s%s%s", n && text[n - 1] != '\n' ? nl : "", line,
			    n && text[n - 1] != '\n' ? "" : nl));
	return 0;
}

/* ---- the installed package ------------------------------------------------------------------- */

static const struct arg *setup_arg(const struct source *s, const char *keyword)
{
	size_t i, k;

	for (i = 0; i < s->nr_facts; i++)
		for (k = 0; str_eq(s->facts[i].name, "setuptools.setup") && k < s->facts[i].nr_args; k++)
			if (str_eq(s->facts[i].args[k].keyword, keyword))
				return &s->facts[i].args[k];
	return NULL;
}

/* Where the list of the key begins in `{"package": [`, inside the span; 0: it is not there. */
static uint32_t data_list(struct shim_plan *p, const char *text, struct span span, const char *key)
{
	const char *head, *at, *end = text + span.end;
	size_t q;

	for (q = 0; q < 2; q++) {
		head = arena_fmt(p->arena, "%c%s%c", q ? '\'' : '"', key, q ? '\'' : '"');
		at = memmem(text + span.start, span.end - span.start, head, strlen(head));
		if (!at)
			continue;
		at += strlen(head);
		at += strspn(at, " \t\r\n:");
		if (at < end && *at == '[')
			return (uint32_t)(at - text) + 1;
	}
	return 0;
}

/*
 * The list that the files of the folder belong to: that of its own package, of every package, or of one
 * that it lies in. `*below` is how long the package's own folder is in `dir`.
 */
static uint32_t data_list_of(struct shim_plan *p, const char *text, struct span span, const char *dir,
			     size_t *below)
{
	static const char *const every[] = {"", "*"};
	char *package = arena_strdup(p->arena, dir), *dot;
	uint32_t at;
	size_t i;

	for (dot = package; (dot = strchr(dot, '/')); dot++)
		*dot = '.';
	*below = strlen(dir);
	at = data_list(p, text, span, package);
	for (i = 0; !at && i < 2; i++)
		at = data_list(p, text, span, every[i]);
	while (!at && (dot = strrchr(package, '.'))) {
		*dot = 0;
		*below = (size_t)(dot - package);
		at = data_list(p, text, span, package);
	}
	return at;
}

int shim_package_data(struct shim_plan *p, const char *dir, struct fix *fix, const char **reason)
{
	const char *project = project_of(p, dir), *text, *inner;
	size_t up = *project ? strlen(project) + 1 : 0, below = 0;
	struct source *s = repo_find(p->result->repo, path_join(p->arena, project, SHIM_SCRIPT));
	const struct arg *arg = s ? setup_arg(s, "package_data") : NULL;
	uint32_t at;

	/* Without the keyword the archive's list decides, as it does for the package's other files. */
	if (!arg || strlen(dir) <= up)
		return 0;
	text = shim_text(p, s);
	at = text ? data_list_of(p, text, arg->valspan, dir + up, &below) : 0;
	*reason = "package_data has no list that the headers could join";
	if (!at)
		return -1;
	*reason = NULL;
	inner = dir + up + below;
	if (!memmem(text + arg->valspan.start, arg->valspan.end - arg->valspan.start, p->shims->folder,
		    strlen(p->shims->folder)))
		shim_edit(p, fix, s->path, at, at,
			  arena_fmt(p->arena, "\"%s%s%s/**/*.h\"%s", *inner ? inner + 1 : "",
				    *inner ? "/" : "", p->shims->folder,
				    text[at] == ']' ? "" : ", "));
	return 0;
}
