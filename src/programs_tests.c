/*
 * programs_tests.c - one switch for all tests, or a folder with a test of our own.
 *
 * The runner imports a file of fixtures before the tests beside and below it. The switch goes into
 * the one of the folder that all tests share; the tests themselves stay as they are, and their
 * modules are in the scope. A folder inside a package that needs the switch is no place: the package
 * is imported before the file there.
 */
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/lines.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "programs_internal.h"

static const char fixtures_name[] = "conftest.py";
static const char test_name[] = "test_import.py";
static const char dir_word[] = "dir:";

#define TEXT_MAX  (1u << 20)
#define LINE_WIDE 88 /* a longer line is broken */

/* ---- the folder ------------------------------------------------------------------------------ */

static bool is_test(const struct source *s)
{
	return s->lang == LANG_PYTHON && s->roles & ROLE_TEST && !(s->roles & BUILDS);
}

/* Length of the longest folder that both paths lie in. */
static size_t common_folder(const char *a, size_t n, const char *b)
{
	size_t i, end = 0, m = path_dirlen(b);

	for (i = 0; i <= n && i <= m; i++) {
		if ((i == n || a[i] == '/') && (i == m || b[i] == '/'))
			end = i;
		if (i == n || i == m || a[i] != b[i])
			break;
	}
	return end;
}

/* End of the first part of the folder that is called like tests; n: none is. */
static size_t tests_part(const char *path, size_t n)
{
	static const char *const words[] = {"test", "tests", "testing", "unittests", NULL};
	size_t start, len, i;

	for (start = 0; start < n; start += len + 1) {
		len = strcspn(path + start, "/");
		if (len > n - start)
			len = n - start;
		for (i = 0; words[i]; i++)
			if (strlen(words[i]) == len && !strncmp(words[i], path + start, len))
				return start + len;
	}
	return n;
}

static bool folder_has_init(const struct finder *f, const char *path, size_t n)
{
	return file_index(f->repo, arena_fmt(f->arena, "%.*s%s__init__.py", (int)n, path,
					     n ? "/" : "")) != SIZE_MAX;
}

/* The first folder on the way that is a package in scope: the file goes above it. */
static size_t above_package(const struct finder *f, const char *path, size_t n)
{
	size_t start, len;

	for (start = 0; start < n; start += len + 1) {
		len = strcspn(path + start, "/");
		if (len > n - start)
			len = n - start;
		if (in_scope(f, arena_strndup(f->arena, path + start, len)) &&
		    folder_has_init(f, path, start + len))
			return start ? start - 1 : 0;
	}
	return n;
}

/* Folder of the file of fixtures, NULL: no test needs the switch. */
static const char *fixtures_folder(struct finder *f)
{
	const char *path = NULL;
	size_t n = 0, i;
	uint32_t at;
	bool direct;

	for (i = 0; i < f->repo->nr_files; i++) {
		const struct source *s = f->repo->files[i];

		if (!is_test(s) || !file_needs(f, s, &at, &direct))
			continue;
		n = path ? common_folder(path, n, s->path) : path_dirlen(s->path);
		path = s->path;
	}
	if (!path)
		return NULL;
	n = above_package(f, path, tests_part(path, n));
	return arena_strndup(f->arena, path, n);
}

/* ---- the scope of the tests ------------------------------------------------------------------ */

/* The name under which the runner imports the file: from the folder above its outermost package. */
static const char *runner_name(const struct finder *f, const struct source *s)
{
	size_t n = path_dirlen(s->path), start = n;

	while (start && folder_has_init(f, s->path, start))
		start = path_dirlen(arena_strndup(f->arena, s->path, start));
	if (start == n) {
		start = n ? n + 1 : 0;
		return arena_strndup(f->arena, s->path + start, strlen(s->path + start) - 3);
	}
	start += start > 0;
	return arena_strndup(f->arena, s->path + start, strcspn(s->path + start, "/"));
}

static int text_cmp(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void scope_of_tests(struct finder *f, const char *folder, struct strings *scope)
{
	size_t i;

	for (i = 0; i < f->repo->scope.nr; i++)
		strings_add(scope, f->arena, f->repo->scope.v[i]);
	for (i = 0; i < f->repo->nr_files; i++) {
		const struct source *s = f->repo->files[i];
		const char *name;

		if (!f->uses[i] || s->roles & BUILDS || !(s->roles & ROLE_TEST) ||
		    !strcmp(path_base(s->path), fixtures_name) ||
		    (*folder && !path_under(s->path, folder)))
			continue;
		name = runner_name(f, s);
		if (!strings_has(scope, name))
			strings_add(scope, f->arena, name);
	}
	if (scope->nr)
		qsort(scope->v, scope->nr, sizeof(*scope->v), text_cmp);
}

/* The line, or one name a line where it would be too long. */
static const char *wide_line(const struct finder *f, const struct strings *scope)
{
	const char *line = line_with_scope(f->vocab->use_line, scope, f->arena), *open;
	struct strbuf sb = STRBUF_INIT;
	size_t i;

	if (strlen(line) <= LINE_WIDE)
		return line;
	open = strchr(line, '{');
	strbuf_addf(&sb, "%.*s\n", (int)(open + 1 - line), line);
	for (i = 0; i < scope->nr; i++)
		strbuf_addf(&sb, "    \"%s\",\n", scope->v[i]);
	strbuf_addstr(&sb, strrchr(line, '}'));
	line = arena_strndup(f->arena, sb.buf, sb.len);
	strbuf_release(&sb);
	return line;
}

/* ---- the file of fixtures -------------------------------------------------------------------- */

/* Where the lines may go in the file as it is. -1 with p->barred. */
static int fixtures_place(struct finder *f, const struct source *s, struct program *p,
			  const char **newline)
{
	struct fs_text text;
	struct shape *sh;
	struct err err;

	if (fs_read(f->repo->dirfd, s->path, TEXT_MAX, &text, &err)) {
		p->barred = arena_strdup(f->arena, err.msg);
		return -1;
	}
	sh = f->o->shape(f->arena, text.data, text.len);
	if (!sh->ok || text.len != s->size || hash_bytes(text.data, text.len) != s->hash)
		p->barred = arena_fmt(f->arena, "%s did not parse", s->path);
	p->path_at = sh->prologue_end;
	if (!p->path_at && bom_len(text.data, text.len))
		p->path_at = 3;
	if (p->path_at > 3 && text.data[p->path_at - 1] != '\n' && text.data[p->path_at - 1] != '\r')
		p->barred = arena_fmt(f->arena, "%s has no line for it after its head", s->path);
	*newline = sh->newline;
	fs_text_free(&text);
	return p->barred ? -1 : 0;
}

static const char *with_newlines(const char *text, const char *newline, struct arena *a)
{
	struct strbuf sb = STRBUF_INIT;
	const char *out;
	size_t n;

	for (; *text; text += n + 1) {
		n = strcspn(text, "\n");
		strbuf_add(&sb, text, n);
		strbuf_addstr(&sb, newline);
	}
	out = arena_strndup(a, sb.buf, sb.len);
	strbuf_release(&sb);
	return out;
}

/* The switch in the folder's file of fixtures; NULL when it is there already. */
static struct program *fixtures_program(struct finder *f, const char *folder)
{
	struct program *p = ARENA_NEW(f->arena, struct program);
	const char *newline = "\n", *line;
	struct strings scope = {0};
	struct source *s;

	p->path = path_join(f->arena, folder, fixtures_name);
	s = repo_find(f->repo, p->path);
	p->create = !s;
	p->tests = true;
	p->use = f->vocab->use_line;
	if (s && has_switch(f, s))
		return NULL;
	scope_of_tests(f, folder, &scope);
	line = wide_line(f, &scope);
	/* It is imported before anything could put it in scope. */
	if (s && f->uses[file_index(f->repo, s->path)])
		line = f->vocab->switch_line;
	if (is_guarded_tree(f))
		p->barred = "this tree is entered by a guard around the import, never by a switch";
	else if (!s)
		p->text = arena_fmt(f->arena, "%s\n\n%s\n", f->vocab->switch_import, line);
	else if (!fixtures_place(f, s, p, &newline))
		p->text = with_newlines(arena_fmt(f->arena, "%s\n%s\n", f->vocab->switch_import,
						  line),
					newline, f->arena);
	return p;
}

static void fixtures_find(struct finder *f)
{
	const char *folder = fixtures_folder(f);
	struct program *all = folder ? fixtures_program(f, folder) : NULL, *p;
	bool direct;
	size_t i;

	for (i = 0; all && i < f->repo->nr_files; i++) {
		struct source *s = f->repo->files[i];
		uint32_t at;

		if (!is_test(s) || has_switch(f, s) || !file_needs(f, s, &at, &direct))
			continue;
		p = ARENA_NEW(f->arena, struct program);
		*p = *all;
		p->at = at;
		s->program = p;
	}
}

/* ---- a folder of our own --------------------------------------------------------------------- */

static const char *test_text(struct finder *f)
{
	struct strbuf sb = STRBUF_INIT;
	const char *out;
	size_t i;

	strbuf_addf(&sb, "%s\n\n%s\n\n", f->vocab->switch_import,
		    line_with_scope(f->vocab->use_line, &f->repo->scope, f->arena));
	for (i = 0; i < f->repo->scope.nr; i++)
		if (strings_has(&f->repo->packages, f->repo->scope.v[i]))
			strbuf_addf(&sb, "import %s\n", f->repo->scope.v[i]);
	strbuf_addstr(&sb, "\n\ndef test_import():\n");
	for (i = 0; i < f->repo->scope.nr; i++)
		if (strings_has(&f->repo->packages, f->repo->scope.v[i]))
			strbuf_addf(&sb, "    assert %s.__name__ == \"%s\"\n", f->repo->scope.v[i],
				    f->repo->scope.v[i]);
	out = arena_strndup(f->arena, sb.buf, sb.len);
	strbuf_release(&sb);
	return out;
}

/* The first file of a package in scope that imports the framework carries it. */
static void folder_find(struct finder *f, const char *folder)
{
	struct program *p = ARENA_NEW(f->arena, struct program);
	struct source *s = NULL;
	size_t i, k;

	for (i = 0; i < f->repo->nr_files && !s; i++)
		if (f->uses[i] && f->repo->files[i]->module && !(f->repo->files[i]->roles & BUILDS) &&
		    !source_off_product(f->repo->files[i]) &&
		    in_scope(f, f->repo->files[i]->module))
			s = f->repo->files[i];
	for (k = 0; s && k < s->nr_facts; k++)
		if (s->facts[k].kind == FACT_IMPORT && !(s->facts[k].flags & F_CHECKING) &&
		    list_holds(f->vocab->roots, s->facts[k].name))
			break;
	if (!s || s->program)
		return;
	p->at = s->facts[k].span.start;
	p->use = f->vocab->use_line;
	p->path = path_join(f->arena, folder, test_name);
	p->create = true;
	p->tests = true;
	if (is_guarded_tree(f))
		p->barred = "this tree is entered by a guard around the import, never by a switch";
	p->text = test_text(f);
	if (!repo_find(f->repo, p->path))
		s->program = p;
}

void tests_find(struct finder *f)
{
	const char *how = f->o->tests;

	if (!strcmp(how, "conftest"))
		fixtures_find(f);
	else if (!strncmp(how, dir_word, strlen(dir_word)))
		folder_find(f, how + strlen(dir_word));
}
