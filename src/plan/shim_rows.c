/*
 * shim_rows.c - the shim folder in the build: an include folder of the extension, and a line for the
 * source archive.
 *
 * The folder goes in front of the extension's own include folders, so that its headers are found before
 * the framework's. It is relative to the folder of the build script, where builds run. What the call
 * passes already is kept as written.
 */
#include <ctype.h>
#include <string.h>

#include "base/fs.h"
#include "base/intern.h"
#include "base/path.h"
#include "plan/shim.h"

#define SCRIPT	      "setup.py"
#define ARCHIVE	      "MANIFEST.in"
#define FOLDERS	      "include_dirs"
#define TEXT_MAX_SIZE (4u << 20)

const char *shim_text(struct shim_plan *p, struct source *s)
{
	struct fs_text text;
	struct err err;
	const char *out;

	if (!s || fs_read(p->result->repo->dirfd, s->path, TEXT_MAX_SIZE, &text, &err))
		return NULL;
	/* Files of no language are read here first. */
	if (s->lang == LANG_OTHER && !s->hash) {
		s->size = (uint32_t)text.len;
		s->hash = hash_bytes(text.data, text.len);
	}
	out = text.len == s->size && hash_bytes(text.data, text.len) == s->hash
		      ? arena_strndup(p->arena, text.data, text.len)
		      : NULL;
	fs_text_free(&text);
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

const char *shim_dir(struct shim_plan *p, const struct extension *ext)
{
	const char *path = ext->source ? ext->source->path : NULL;

	if (!path)
		return NULL;
	if (!strcmp(path_base(path), SCRIPT))
		return arena_strndup(p->arena, path, path_dirlen(path));
	return repo_find(p->result->repo, SCRIPT) ? "" : NULL;
}

/* ---- the row --------------------------------------------------------------------------------- */

static const struct fact *call_find(const struct extension *ext)
{
	size_t i;

	for (i = 0; i < ext->source->nr_facts; i++) {
		const struct fact *f = &ext->source->facts[i];

		if (f->kind == FACT_USE && (f->flags & F_CALL) &&
		    f->stmt.start == ext->span.start && f->stmt.end == ext->span.end)
			return f;
	}
	return NULL;
}

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
		       const struct fact *call, const char *folder, struct fix *fix)
{
	struct span last = call->args[call->nr_args - 1].span;
	uint32_t line = last.start;

	while (line > call->stmt.start && text[line - 1] != '\n')
		line--;
	if (line == call->stmt.start || text[line + strspn(text + line, " \t")] == 0 ||
	    line + strspn(text + line, " \t") != last.start)
		shim_edit(p, fix, path, last.end, last.end,
			  arena_fmt(p->arena, ", " FOLDERS "=[%s]", folder));
	else
		shim_edit(p, fix, path, last.end, last.end,
			  arena_fmt(p->arena, ",\n%.*s" FOLDERS "=[%s]", (int)(last.start - line),
				    text + line, folder));
}

int shim_row(struct shim_plan *p, const struct extension *ext, struct fix *fix,
	     const char **reason)
{
	const struct fact *call = call_find(ext);
	const char *text = shim_text(p, repo_find(p->result->repo, ext->source->path));
	const struct arg *arg = NULL;
	const char *folder;
	char quote;
	size_t i;

	*reason = "the extension is not declared by a call that is written out";
	if (!call || !text || !call->nr_args)
		return -1;
	quote = quote_of(text, call->stmt);
	folder = arena_fmt(p->arena, "%c%s%c", quote, p->shims->folder, quote);
	for (i = 0; i < call->nr_args; i++) {
		if (call->args[i].keyword && !strcmp(call->args[i].keyword, FOLDERS))
			arg = &call->args[i];
		else if (call->args[i].splat) {
			*reason = "the extension's include folders may be in a ** argument";
			return -1;
		}
	}
	*reason = NULL;
	if (!arg)
		row_append(p, ext->source->path, text, call, folder, fix);
	else if (!memmem(text + arg->valspan.start, arg->valspan.end - arg->valspan.start,
			 folder + 1, strlen(folder) - 2))
		row_before(p, ext->source->path, text, arg, folder, fix);
	return 0;
}

/* ---- the source archive ---------------------------------------------------------------------- */

int shim_archive(struct shim_plan *p, const char *dir, struct fix *fix, const char **reason)
{
	const char *path = path_join(p->arena, dir, ARCHIVE), *text, *nl;
	const char *line = arena_fmt(p->arena, "recursive-include %s *.h", p->shims->folder);
	struct source *s = repo_find(p->result->repo, path);
	struct edit *e;
	size_t n;

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
