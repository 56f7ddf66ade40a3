/* model.c - the few operations every stage shares, and the words of the enums. */
#include "model.h"

#include <stdarg.h>
#include <string.h>

#include "base/strbuf.h"

#define NAME_OF(table, index) ((size_t)(index) < sizeof(table) / sizeof(*(table)) ? (table)[index] : "?")

const char *lang_name(enum lang lang)
{
	static const char *const names[] = {
		"other", "python", "stub", "cython", "c", "c++",
		"cuda",	 "toml",   "cmake", "requirements", "cfg",
	};

	return NAME_OF(names, lang);
}

const char *layer_name(enum layer layer)
{
	static const char *const names[] = { "other", "kernel", "build", "binding", "glue" };

	return NAME_OF(names, layer);
}

const char *treatment_name(enum treatment t)
{
	static const char *const names[] = { "leave", "compat", "first", "second" };

	return NAME_OF(names, t);
}

const char *analysis_name(enum analysis a)
{
	static const char *const names[] = { "skipped", "lexical", "partial", "full" };

	return NAME_OF(names, a);
}

const char *fact_kind_name(enum fact_kind kind)
{
	static const char *const names[] = {
		"import",  "use",     "member",	 "assign",  "class", "string",
		"require", "setting", "command", "include", "token", "marker", "suppression",
		"lack",	   "name", "macro",   "register", "launch",
	};

	return NAME_OF(names, kind);
}

enum comment_style lang_comment(enum lang lang)
{
	switch (lang) {
	case LANG_PYTHON:
	case LANG_STUB:
	case LANG_CYTHON:
		return COMMENT_PYTHON;
	case LANG_C:
	case LANG_CXX:
	case LANG_CUDA:
		return COMMENT_C;
	case LANG_TOML:
		return COMMENT_TOML;
	case LANG_CMAKE:
		return COMMENT_CMAKE;
	case LANG_REQUIREMENTS:
	case LANG_CFG:
		return COMMENT_ROWS;
	case LANG_OTHER:
	case LANG_NR:
		break;
	}
	return COMMENT_NONE;
}

const char *verdict_name(enum verdict v)
{
	static const char *const names[] = { "none", "covered", "gap", "unknown" };

	return NAME_OF(names, v);
}

const char *level_name(enum level level)
{
	static const char *const names[] = { "note", "check", "change", "expired", "blocked" };

	return NAME_OF(names, level);
}

const char *safety_name(enum safety s)
{
	static const char *const names[] = { "none", "safe", "unsafe", "manual" };

	return NAME_OF(names, s);
}

const char *guard_kind_name(enum guard_kind kind)
{
	static const char *const names[] = {
		"try", "fallback", "hasattr", "version", "type-checking", "main", "if", "switch",
	};

	return NAME_OF(names, kind);
}

const char *value_kind_name(enum value_kind kind)
{
	static const char *const names[] = {
		"other", "string", "number", "name", "none", "bool", "list", "dict", "call", "lambda",
	};

	return NAME_OF(names, kind);
}

const char *fact_flag_name(int bit)
{
	static const char *const names[] = {
		"call",	   "decorator", "annotation", "postponed", "union",	 "base",
		"function", "checking", "from",	      "star",	   "dynamic",	 "relative",
		"isinstance", "store",	"default",    "angle",	   "closure",	 "internal",
		"try-import", "splat",	"condition",  "f-string",  "compare",	 "subscript",
		"arithmetic", "index",	"loop",	      "inactive",  "macro-body",
		"guessed",    "goes-on",
	};

	return (size_t)bit < sizeof(names) / sizeof(*names) ? names[bit] : NULL;
}

static bool is_line_end(char c)
{
	return c == '\n' || c == '\r';
}

/* Does the line before the one that begins at `at` end in a backslash that continues it? */
static bool is_continued(const struct shape *sh, uint32_t at)
{
	uint32_t end = at, start;

	if (end && sh->text[end - 1] == '\n')
		end--;
	if (end && sh->text[end - 1] == '\r')
		end--;
	if (end == at || !end || sh->text[end - 1] != '\\')
		return false;
	for (start = end; start && !is_line_end(sh->text[start - 1]); start--)
		;
	while (start < end && (sh->text[start] == ' ' || sh->text[start] == '\t'))
		start++;
	return sh->text[start] != '#';
}

int shape_place(const struct shape *sh, uint32_t offset)
{
	size_t lo = 0, hi = sh->nr_stmts;
	int at;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (sh->stmts[mid].span.start <= offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (at = (int)lo - 1; at >= 0 && offset >= sh->stmts[at].span.end; at--)
		;
	/* In order of offset the one before is on the same line, or reaches into it. */
	while (at >= 0 &&
	       (!sh->stmts[at].first_on_line || is_continued(sh, sh->stmts[at].line_start)))
		at--;
	return at;
}

bool def_gives(const struct def *d, int *min, int *max)
{
	size_t i;

	for (i = 0; i < d->nr_returns; i++) {
		int nr = d->returns[i].nr;

		if (nr < 0)
			return false;
		*min = i && *min < nr ? *min : nr;
		*max = i && *max > nr ? *max : nr;
	}
	return d->nr_returns > 0;
}

struct source *repo_find(const struct repo *repo, const char *path)
{
	size_t lo = 0, hi = repo->nr_files;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int c = strcmp(repo->files[mid]->path, path);

		if (!c)
			return repo->files[mid];
		if (c < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

/* What is left of `module` below the package that the root folder is or lies in. */
static const char *module_below(const struct repo *repo, const char *module)
{
	size_t n = repo->prefix ? strlen(repo->prefix) : 0;

	if (!n || strncmp(module, repo->prefix, n) || (module[n] && module[n] != '.'))
		return module;
	return module[n] ? module + n + 1 : "__init__";
}

struct source *repo_module(const struct repo *repo, const char *module)
{
	static const char *const tails[] = { ".py", "/__init__.py" };
	char path[1024];
	size_t i, k, n, m;

	module = module_below(repo, module);
	for (i = 0; i < repo->package_roots.nr; i++) {
		n = strlen(repo->package_roots.v[i]);
		m = strlen(module);
		if (n + m + 16 > sizeof(path))
			continue;
		memcpy(path, repo->package_roots.v[i], n);
		if (n)
			path[n++] = '/';
		memcpy(path + n, module, m + 1);
		for (k = n; k < n + m; k++)
			if (path[k] == '.')
				path[k] = '/';
		for (k = 0; k < 2; k++) {
			struct source *s;

			memcpy(path + n + m, tails[k], strlen(tails[k]) + 1);
			s = repo_find(repo, path);
			if (s)
				return s;
		}
	}
	return NULL;
}

void notice_add(struct notices *n, struct arena *a, const char *path, const char *stage,
		const char *fmt, ...)
{
	struct strbuf sb = STRBUF_INIT;
	struct notice *new = VEC_PUSH(a, n);
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&sb, fmt, ap);
	va_end(ap);
	new->path = path;
	new->stage = stage;
	new->message = arena_strndup(a, sb.buf, sb.len);
	strbuf_release(&sb);
}

void strings_add(struct strings *s, struct arena *a, const char *text)
{
	*VEC_PUSH(a, s) = text;
}

bool strings_has(const struct strings *s, const char *text)
{
	size_t i;

	for (i = 0; i < s->nr; i++)
		if (!strcmp(s->v[i], text))
			return true;
	return false;
}

bool source_off_product(const struct source *s)
{
	if (s->roles & ROLE_BUILD_HELPER)
		return false;
	return s->roles & (ROLE_TEST | ROLE_EXAMPLE | ROLE_VENDORED | ROLE_SUBMODULE | ROLE_OUTSIDE);
}

bool list_has(const char *const *list, const char *text)
{
	for (; list && *list; list++)
		if (!strcmp(*list, text))
			return true;
	return false;
}

bool list_holds(const char *const *list, const char *name)
{
	size_t n;

	for (; list && *list; list++) {
		n = strlen(*list);
		if (!strncmp(*list, name, n) && (!name[n] || name[n] == '.'))
			return true;
	}
	return false;
}
