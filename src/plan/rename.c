/*
 * rename.c - another project name, asked for by hand.
 *
 * In: the facts of build files and of calls that look up metadata. Out: one finding whose edits
 * change the project's name where it is declared, and where the project asks for its own metadata;
 * all of them are made or none. Import names, folders, entry points and addresses stay.
 *
 * Two names are the same when they are equal after PEP 503: case does not count, and a run of
 * "-", "_" and "." is one "-".
 */
#include "plan/plan.h"

#include <ctype.h>
#include <string.h>

#include "base/fs.h"
#include "base/path.h"
#include "plan/internal.h"

#define NAME_MAX_LEN  200
#define FILE_READ_MAX (64u << 20)

struct renamer {
	struct result *result;
	struct arena *arena;
	const char *old, *new; /* old: normalised, NULL until it is known */
	const char *folder;    /* of the project, "" for the root */
	const struct source *source;
	const struct fact *fact; /* where the name is declared first */
	const char *unwritten;	 /* a build file whose name is no plain text, NULL: none */
	VEC(struct edit) edits;
};

/* Where a name is declared: the file and the key of it, in the order in which they count. */
static const struct {
	const char *base, *key;
} declared[] = {
	{"pyproject.toml", "project.name"},
	{"pyproject.toml", "tool.poetry.name"},
	{"setup.cfg", "metadata.name"},
	{"setup.py", NULL},
};
#define DECLARED (sizeof(declared) / sizeof(*declared))

static const char *const setup_calls[] = {
	"setuptools.setup", "distutils.core.setup", "skbuild.setup", NULL,
};

/* Calls whose first argument is the name of a distribution, or a requirement. */
static const char *const metadata_calls[] = {
	"importlib.metadata.version",
	"importlib.metadata.distribution",
	"importlib.metadata.metadata",
	"importlib.metadata.files",
	"importlib.metadata.requires",
	"importlib.metadata.Distribution.from_name",
	"importlib_metadata.version",
	"importlib_metadata.distribution",
	"importlib_metadata.metadata",
	"importlib_metadata.files",
	"importlib_metadata.requires",
	"importlib_metadata.Distribution.from_name",
	"pkg_resources.get_distribution",
	"pkg_resources.require",
	NULL,
};

static const char *const metadata_keywords[] = {"distribution_name", "name", "dist", NULL};

/* Build backends that find the package by the project's name, unless a key says where it is. */
static const struct {
	const char *backend, *key, *how;
} by_name[] = {
	{"hatchling", "tool.hatch.build.", "packages in [tool.hatch.build.targets.wheel]"},
	{"flit_core", "tool.flit.module.name", "name in [tool.flit.module]"},
	{"poetry", "tool.poetry.packages", "packages in [tool.poetry]"},
	{"scikit_build_core", "tool.scikit-build.wheel.packages",
	 "wheel.packages in [tool.scikit-build]"},
	{"uv_build", "tool.uv.build-backend.module-name", "module-name in [tool.uv.build-backend]"},
};

/* ---- names ------------------------------------------------------------------------------------ */

static bool is_name_byte(char c)
{
	return isalnum((unsigned char)c) || c == '-' || c == '_' || c == '.';
}

/* Length of the distribution name at the start of `s`, 0: none. */
static size_t name_len(const char *s)
{
	size_t n = 0;

	while (is_name_byte(s[n]))
		n++;
	return n && isalnum((unsigned char)s[0]) && isalnum((unsigned char)s[n - 1]) &&
			       n <= NAME_MAX_LEN
		       ? n
		       : 0;
}

static const char *name_normal(struct arena *a, const char *s, size_t n)
{
	char *out = arena_strndup(a, s, n);
	size_t i, k = 0;

	for (i = 0; i < n; i++) {
		bool dash = !isalnum((unsigned char)s[i]);

		if (dash && k && out[k - 1] == '-')
			continue;
		out[k++] = dash ? '-' : (char)tolower((unsigned char)s[i]);
	}
	out[k] = 0;
	return out;
}

static bool name_is(struct renamer *rn, const char *s, size_t n, const char *normal)
{
	return n && normal && !strcmp(name_normal(rn->arena, s, n), normal);
}

/* ---- edits ------------------------------------------------------------------------------------ */

static void edit_add(struct renamer *rn, const struct source *s, uint32_t start, uint32_t end,
		     const char *text)
{
	struct edit *e = VEC_PUSH(rn->arena, &rn->edits);

	e->path = s->path;
	e->span = (struct span){start, end};
	e->text = text;
}

/* The bytes of a text inside its span, which may have one quote on each side; false: written otherwise. */
static bool text_inside(struct span span, const char *text, uint32_t *start)
{
	size_t n = strlen(text), len = span.end - span.start;

	*start = span.start + (len == n + 2);
	return len == n || len == n + 2;
}

/* A declared name: the first one is the project's, and what equals it is changed with it. */
static void declared_add(struct renamer *rn, const struct source *s, const struct fact *f,
			 struct span span, const char *text)
{
	uint32_t start;
	size_t n = text ? name_len(text) : 0;

	if (!n || text[n] || !text_inside(span, text, &start)) {
		rn->unwritten = s->path;
		return;
	}
	if (!rn->old) {
		rn->old = name_normal(rn->arena, text, n);
		rn->source = s;
		rn->fact = f;
	}
	if (name_is(rn, text, n, rn->old))
		edit_add(rn, s, start, start + (uint32_t)n, rn->new);
}

static const struct arg *arg_named(const struct fact *f, const char *keyword)
{
	size_t i;

	for (i = 0; i < f->nr_args; i++)
		if (f->args[i].keyword && !strcmp(f->args[i].keyword, keyword))
			return &f->args[i];
	return NULL;
}

/* The text between quotes in `"text"  # comment`, NULL: something else. */
static const char *quoted_line(struct renamer *rn, const char *s)
{
	size_t n = *s == '"' || *s == '\'' ? name_len(s + 1) : 0;
	const char *end = s + n + 2;

	if (!n || s[n + 1] != *s)
		return NULL;
	end += strspn(end, " \t");
	return strchr("#\r\n", *end) ? arena_strndup(rn->arena, s + 1, n) : NULL;
}

/* The text that the only line NAME = "text" of a file gives a name, NULL: not so. */
static const char *constant_of(struct renamer *rn, const struct source *s, const char *name)
{
	const char *text = NULL, *line, *p;
	struct fs_text file;
	struct err err;
	size_t n = strlen(name), nr = 0;

	if (fs_read(rn->result->repo->dirfd, s->path, FILE_READ_MAX, &file, &err))
		return NULL;
	for (line = file.data; line && *line; line = strchr(line, '\n'), line += line != NULL) {
		p = line + strspn(line, " \t");
		if (strncmp(p, name, n))
			continue;
		p += n + strspn(p + n, " \t");
		if (*p != '=' || p[1] == '=')
			continue;
		nr++;
		p++;
		text = *line == *name ? quoted_line(rn, p + strspn(p, " \t")) : NULL;
	}
	fs_text_free(&file);
	return nr == 1 ? text : NULL;
}

/* name=CONSTANT: the constant may have other uses, so only the argument changes. */
static bool constant_declared(struct renamer *rn, const struct source *s, const struct fact *f,
			      const struct arg *arg)
{
	const char *text = arg->value == VALUE_NAME && arg->text && !strchr(arg->text, '.')
				   ? constant_of(rn, s, arg->text)
				   : NULL;

	if (!text)
		return false;
	if (!rn->old) {
		rn->old = name_normal(rn->arena, text, strlen(text));
		rn->source = s;
		rn->fact = f;
	}
	if (name_is(rn, text, strlen(text), rn->old))
		edit_add(rn, s, arg->valspan.start, arg->valspan.end,
			 arena_fmt(rn->arena, "\"%s\"", rn->new));
	return true;
}

static void setup_declared(struct renamer *rn, const struct source *s)
{
	const struct arg *arg;
	size_t i;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];

		if (f->kind != FACT_USE || !(f->flags & F_CALL) || !list_has(setup_calls, f->name))
			continue;
		arg = arg_named(f, "name");
		if (arg && !constant_declared(rn, s, f, arg))
			declared_add(rn, s, f, arg->valspan,
				     arg->value == VALUE_STRING ? arg->text : NULL);
	}
}

static void key_declared(struct renamer *rn, const struct source *s, const char *key)
{
	size_t i;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];

		if (f->kind == FACT_SETTING && !strcmp(f->name, key))
			declared_add(rn, s, f, f->span, f->text);
	}
}

/* What the folder's build files say; true when one declares a name. */
static bool folder_declared(struct renamer *rn, const char *folder)
{
	const struct source *s;
	size_t i;

	rn->folder = folder;
	for (i = 0; i < DECLARED; i++) {
		s = repo_find(rn->result->repo,
			      path_join(rn->arena, folder, declared[i].base));
		if (!s || s->roles & (ROLE_VENDORED | ROLE_SUBMODULE))
			continue;
		if (declared[i].key)
			key_declared(rn, s, declared[i].key);
		else
			setup_declared(rn, s);
	}
	return rn->old;
}

/* ---- the project's own look-ups --------------------------------------------------------------- */

static const struct arg *lookup_arg(const struct fact *f)
{
	const struct arg *arg = NULL;
	size_t i;

	if (f->nr_args && !f->args[0].keyword && !f->args[0].splat)
		return &f->args[0];
	for (i = 0; metadata_keywords[i] && !arg; i++)
		arg = arg_named(f, metadata_keywords[i]);
	return arg;
}

/* __name__ or __package__ of a module whose package bears the old name. */
static bool is_own_module(struct renamer *rn, const struct source *s, const char *text)
{
	size_t n = s->module ? strcspn(s->module, ".") : 0;
	bool top = n && !s->module[n];

	if (!n || !name_is(rn, s->module, n, rn->old))
		return false;
	if (!strcmp(text, "__name__"))
		return top && s->is_package;
	return !strcmp(text, "__package__") &&
	       (top ? s->is_package : !strchr(s->module + n + 1, '.') && !s->is_package);
}

static void lookup_add(struct renamer *rn, const struct source *s, const struct fact *f)
{
	const struct arg *arg = lookup_arg(f);
	uint32_t start;
	size_t n;

	if (!arg || !arg->text)
		return;
	if (arg->value == VALUE_NAME && is_own_module(rn, s, arg->text)) {
		edit_add(rn, s, arg->valspan.start, arg->valspan.end,
			 arena_fmt(rn->arena, "\"%s\"", rn->new));
		return;
	}
	n = name_len(arg->text);
	if (arg->value != VALUE_STRING || !name_is(rn, arg->text, n, rn->old) ||
	    (arg->text[n] && !strchr(" [<>=!~;(", arg->text[n])))
		return;
	if (text_inside(arg->valspan, arg->text, &start) && start > arg->valspan.start)
		edit_add(rn, s, start, start + (uint32_t)n, rn->new);
	else
		notice_add(&rn->result->notices, rn->arena, s->path, "rename",
			   "'%s' is not written as a plain text and keeps the old name", arg->text);
}

static void lookups_add(struct renamer *rn)
{
	const struct repo *repo = rn->result->repo;
	size_t i, k;

	for (i = 0; i < repo->nr_files; i++) {
		const struct source *s = repo->files[i];

		if (s->lang != LANG_PYTHON || source_off_product(s) ||
		    s->roles & (ROLE_VENDORED | ROLE_SUBMODULE) || !path_under(s->path, rn->folder))
			continue;
		for (k = 0; k < s->nr_facts; k++)
			if (s->facts[k].kind == FACT_USE && s->facts[k].flags & F_CALL &&
			    list_has(metadata_calls, s->facts[k].name))
				lookup_add(rn, s, &s->facts[k]);
	}
}

/* ---- what a new name means for the build ------------------------------------------------------ */

static bool setting_below(const struct source *s, const char *prefix)
{
	size_t i, n = strlen(prefix);

	for (i = 0; i < s->nr_facts; i++)
		if (s->facts[i].kind == FACT_SETTING && !strncmp(s->facts[i].name, prefix, n))
			return true;
	return false;
}

/* A top-level package of the tree bears the project's old name. */
static bool package_by_name(struct renamer *rn)
{
	const struct strings *packages = &rn->result->repo->packages;
	size_t i;

	for (i = 0; i < packages->nr; i++)
		if (name_is(rn, packages->v[i], strlen(packages->v[i]), rn->old))
			return true;
	return false;
}

static void backend_notice(struct renamer *rn, const struct source *s, const char *backend)
{
	size_t i;

	for (i = 0; i < sizeof(by_name) / sizeof(*by_name); i++) {
		if (strncmp(backend, by_name[i].backend, strlen(by_name[i].backend)) ||
		    setting_below(s, by_name[i].key))
			continue;
		notice_add(&rn->result->notices, rn->arena, s->path, "rename",
			   "%s finds the package by the project's name: set %s", by_name[i].backend,
			   by_name[i].how);
	}
}

static void build_notices(struct renamer *rn)
{
	const struct source *s =
		repo_find(rn->result->repo, path_join(rn->arena, rn->folder, "pyproject.toml"));
	size_t i;

	for (i = 0; s && i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];

		if (f->kind == FACT_REQUIRE && !strcmp(f->name, rn->old))
			notice_add(&rn->result->notices, rn->arena, s->path, "rename",
				   "'%s' asks for the project itself under its old name", f->text);
		if (f->kind == FACT_SETTING && !strcmp(f->name, "build-system.build-backend") &&
		    f->text && package_by_name(rn))
			backend_notice(rn, s, f->text);
	}
}

/* ---- the finding ------------------------------------------------------------------------------ */

static uint32_t line_of(const struct repo *repo, const struct source *s, uint32_t offset)
{
	uint32_t line = 1, i;
	struct fs_text text;
	struct err err;

	if (fs_read(repo->dirfd, s->path, FILE_READ_MAX, &text, &err))
		return line;
	for (i = 0; i < offset && i < text.len; i++)
		line += text.data[i] == '\n';
	fs_text_free(&text);
	return line;
}

/* The finding goes first: what was asked for by hand wins where edits meet. */
static void finding_add(struct renamer *rn)
{
	struct findings *all = &rn->result->findings;
	struct finding *x = ARENA_NEW(rn->arena, struct finding);

	x->fix = ARENA_NEW(rn->arena, struct fix);
	x->fix->safety = SAFETY_SAFE;
	x->fix->dual = "same";
	x->fix->anywhere = true;
	x->fix->description = "give the project another name";
	x->fix->edits = rn->edits.v;
	x->fix->nr_edits = rn->edits.nr;
	x->rule = "rename";
	x->name = "project-renamed";
	x->level = LEVEL_CHANGE;
	x->source = rn->source;
	x->fact = rn->fact;
	x->span = rn->fact->span;
	x->line = line_of(rn->result->repo, rn->source, rn->fact->span.start);
	x->symbol = "";
	x->message = x->fix->description;
	x->group = x->rule;
	(void)VEC_PUSH(rn->arena, all);
	memmove(&all->v[1], &all->v[0], (all->nr - 1) * sizeof(*all->v));
	all->v[0] = x;
}

/* Where the root declares no name, the only project below it. */
static int project_find(struct renamer *rn, struct err *err)
{
	const struct strings *entries = &rn->result->repo->build_entries;
	const char *folder, *found = NULL;
	size_t i;

	if (folder_declared(rn, ""))
		return 0;
	for (i = 0; i < entries->nr && !rn->unwritten; i++) {
		folder = arena_strndup(rn->arena, entries->v[i], path_dirlen(entries->v[i]));
		if (!*folder || (found && !strcmp(found, folder)))
			continue;
		if (rn->old)
			return err_set(err, "there are projects in %s and %s: name one of them",
				       found, folder);
		if (folder_declared(rn, folder))
			found = folder;
	}
	if (rn->old) {
		rn->folder = found;
		return 0;
	}
	return rn->unwritten ? err_set(err, "the project's name in %s is not written as text",
				       rn->unwritten)
			     : err_set(err, "no build file names the project");
}

int plan_rename(struct result *r, const char *name, struct arena *a, struct err *err)
{
	struct renamer rn = {.result = r, .arena = a, .new = name};
	size_t n = name_len(name);

	if (!n || name[n])
		return err_set(err, "'%s' is not a project name", name);
	if (project_find(&rn, err))
		return err_context(err, "cannot rename");
	if (name_is(&rn, name, n, rn.old))
		return 0;
	lookups_add(&rn);
	build_notices(&rn);
	finding_add(&rn);
	return 0;
}
