/*
 * reach.c - what follows from who imports whom: distance from the call entries, build helpers, the
 * packages that need the proxy, and the extensions that build scripts declare.
 */
#include "py/link.h"

#include "base/glob.h"
#include "base/path.h"

/* ---- imports ----------------------------------------------------------------------------------
 */

/* Under `if __name__ == "__main__"`: does not run on import. */
static bool in_main_guard(const struct source *s, const struct fact *f)
{
	int g;

	for (g = f->guard; g >= 0; g = s->guards[g].parent)
		if (s->guards[g].kind == GUARD_MAIN)
			return true;
	return false;
}

static bool runs_on_import(const struct source *s, const struct fact *f)
{
	return f->kind == FACT_IMPORT && !(f->flags & (F_FUNCTION | F_CHECKING)) &&
	       !in_main_guard(s, f);
}

/* Breadth first over the imports that run when a module is imported. */
void link_reach(struct linker *l)
{
	struct repo *r = l->repo;
	struct source **queue = arena_array(l->a, r->nr_files + 1, sizeof(*queue));
	size_t head = 0, tail = 0, i, n;

	for (i = 0; i < r->nr_files; i++) {
		struct source *s = r->files[i];

		s->reach = s->roles & ROLE_CALL_ENTRY ? 0 : REACH_NONE;
		if (!s->reach)
			queue[tail++] = s;
	}
	while (head < tail) {
		struct source *s = queue[head++], *to;

		for (i = 0; i < s->nr_facts; i++) {
			const struct fact *f = &s->facts[i];

			if (!(f->flags & F_INTERNAL) || !runs_on_import(s, f))
				continue;
			/* import a.b.c runs a, a.b and a.b.c. */
			for (n = strcspn(f->name, "."); n; n += strcspn(f->name + n, ".")) {
				to = link_module(l, f->name, n);
				if (to && to->reach == REACH_NONE) {
					to->reach = s->reach + 1;
					queue[tail++] = to;
				}
				if (!f->name[n])
					break;
				n++;
			}
		}
	}
}

/* ---- build helpers ------------------------------------------------------------------------------
 */

/* A module that stands beside the script, which Python finds first. */
static struct source *beside(struct linker *l, const struct source *s, const char *name)
{
	static const char *const tails[] = {".py", "/__init__.py"};
	size_t dir = path_dirlen(s->path), len = strcspn(name, "."), n = strlen(name), i;
	struct source *to;
	char *path, *p;

	for (; n >= len; n--) {
		if (name[n] && name[n] != '.')
			continue;
		for (i = 0; i < 2; i++) {
			path = arena_fmt(l->a, "%.*s%s%.*s%s", (int)dir, s->path, dir ? "/" : "",
					 (int)n, name, tails[i]);
			for (p = path + dir + 1; p < path + strlen(path) - strlen(tails[i]); p++)
				if (*p == '.')
					*p = '/';
			to = repo_find(l->repo, path);
			if (to)
				return to;
		}
		if (!n)
			break;
	}
	return NULL;
}

void link_helpers(struct linker *l)
{
	size_t i, k, len;

	for (i = 0; i < l->repo->nr_files; i++) {
		const struct source *s = l->repo->files[i];
		struct source *to;

		if (!(s->roles & ROLE_BUILD_ENTRY) || s->lang != LANG_PYTHON)
			continue;
		for (k = 0; k < s->nr_facts; k++) {
			if (s->facts[k].kind != FACT_IMPORT)
				continue;
			to = beside(l, s, s->facts[k].name);
			if (!to)
				to = link_prefix(l, s->facts[k].name, &len);
			/* A package that users import first stays what it is. */
			if (to && to != s && !(to->roles & (ROLE_CALL_ENTRY | ROLE_BUILD_ENTRY)))
				to->roles |= ROLE_BUILD_HELPER;
		}
	}
}

/* ---- scope --------------------------------------------------------------------------------------
 */

static bool imports_framework(const struct linker *l, const struct source *s)
{
	size_t i;

	for (i = 0; i < s->nr_facts; i++)
		if (s->facts[i].kind == FACT_IMPORT && !(s->facts[i].flags & F_CHECKING) &&
		    list_holds(l->vocab->roots, s->facts[i].name))
			return true;
	return false;
}

static int text_cmp(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void link_scope(struct linker *l)
{
	static const unsigned apart = ROLE_TEST | ROLE_TEST_ENTRY | ROLE_EXAMPLE | ROLE_SCRIPT |
				      ROLE_VENDORED | ROLE_SUBMODULE | ROLE_BUILD_ENTRY |
				      ROLE_BUILD_HELPER;
	struct repo *r = l->repo;
	const char *top;
	size_t i;

	for (i = 0; i < r->nr_files; i++) {
		const struct source *s = r->files[i];

		if (s->lang != LANG_PYTHON || !s->module || (s->roles & apart))
			continue;
		top = intern(&l->names, s->module, strcspn(s->module, "."));
		if (strings_has(&r->packages, top) && !strings_has(&r->scope, top) &&
		    imports_framework(l, s))
			strings_add(&r->scope, l->a, top);
	}
	if (r->scope.nr)
		qsort(r->scope.v, r->scope.nr, sizeof(*r->scope.v), text_cmp);
}

/* ---- extensions ---------------------------------------------------------------------------------
 */

/* The argument given by keyword, or the first positional one of that kind. */
static const struct arg *arg_of(const struct fact *f, const char *keyword, enum value_kind value)
{
	size_t i;

	for (i = 0; i < f->nr_args; i++)
		if (f->args[i].keyword && !strcmp(f->args[i].keyword, keyword))
			return f->args[i].value == value ? &f->args[i] : NULL;
	for (i = 0; i < f->nr_args && !f->args[i].keyword; i++)
		if (f->args[i].value == value)
			return &f->args[i];
	return NULL;
}

/* Add a path, or the files of the repository that a pattern means. */
static void add_source(struct linker *l, struct strings *out, const char *dir, const char *rel)
{
	char *path = path_resolve(l->a, dir, rel);
	size_t i;

	if (!path || !*path)
		return;
	if (!strpbrk(path, "*?[")) {
		strings_add(out, l->a, path);
		return;
	}
	for (i = 0; i < l->repo->nr_files; i++)
		if (glob_match(path, l->repo->files[i]->path))
			strings_add(out, l->a, l->repo->files[i]->path);
}

static void add_extension(struct linker *l, const struct source *s, const struct fact *f,
			  struct extension *ext)
{
	const struct arg *name = arg_of(f, "name", VALUE_STRING);
	const struct arg *list = arg_of(f, "sources", VALUE_LIST);
	const char *p = list ? list->text : NULL, *dir;
	struct strings out = {0};
	size_t n;

	dir = arena_strndup(l->a, s->path, path_dirlen(s->path));
	for (; p && *p; p += n + (p[n] == '\n')) {
		n = strcspn(p, "\n");
		add_source(l, &out, dir, arena_strndup(l->a, p, n));
	}
	ext->name = name && name->text ? name->text : "";
	ext->source = s;
	ext->span = f->stmt;
	ext->sources = out.v;
	ext->nr_sources = out.nr;
	ext->verdict = "unknown";
}

static bool declares_extension(const struct linker *l, const struct source *s, const struct fact *f)
{
	return f->kind == FACT_USE && (f->flags & F_CALL) && s->lang == LANG_PYTHON &&
	       (s->roles & (ROLE_BUILD_ENTRY | ROLE_BUILD_HELPER)) &&
	       list_has(l->vocab->extension_calls, f->name);
}

void link_extensions(struct linker *l)
{
	struct repo *r = l->repo;
	VEC(struct extension) found = {0};
	size_t i, k;

	for (i = 0; i < r->nr_files; i++) {
		const struct source *s = r->files[i];

		for (k = 0; k < s->nr_facts; k++)
			if (declares_extension(l, s, &s->facts[k]))
				add_extension(l, s, &s->facts[k], VEC_PUSH(l->a, &found));
	}
	r->extensions = found.v;
	r->nr_extensions = found.nr;
}
