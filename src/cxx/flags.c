/*
 * flags.c - how a unit is compiled, as far as it may be believed.
 *
 * In this order: compile_commands.json; what a build script passes literally to the extension
 * that has the source; what CMake files around it say literally. Of all that only -I and
 * -isystem inside the repository, -include inside it, -D, -U and -std pass: nothing else of a
 * compiler's options is of use here, and some of them load code. A folder of header shims that a
 * patch made is searched before all of them.
 */
#include <string.h>

#include "base/fs.h"
#include "base/path.h"
#include "base/yaml.h"
#include "cxx/parse.h"

#define DATABASE     "compile_commands.json"
#define SHIMS        "shims/cxx/index.yml"
#define DATABASE_MAX (16u << 20)
#define DEFINE_MAX   512

/* A command of a database: a source and its options. */
struct command {
	const char *file;	/* as written, absolute where the folder was given */
	const char *directory;
	struct strings args;
};

struct flags {
	VEC(struct command) commands;
	struct strings shims; /* folders of header shims of an earlier patch */
};

/* ---- the allow-list ---------------------------------------------------------------------------- */

struct gate {
	struct unit *u;
	struct strings *dirs;
	struct arena *a;
	const char *base; /* what relative paths are relative to, from the root of the repository */
	const char *root; /* absolute path of the root where the database was written, NULL: not known */
};

/* A folder from the root of the repository, NULL when it is not inside. */
static const char *gate_path(const struct gate *g, const char *path)
{
	size_t n;

	if (*path != '/')
		return path_resolve(g->a, g->base, path);
	n = g->root ? strlen(g->root) : 0;
	if (!g->root || strncmp(path, g->root, n))
		return NULL;
	if (path[n] && path[n] != '/' && n && g->root[n - 1] != '/')
		return NULL;
	while (path[n] == '/')
		n++;
	return path_resolve(g->a, "", path + n);
}

static void gate_dir(struct gate *g, const char *path)
{
	const char *dir = gate_path(g, path);

	if (dir && !strings_has(g->dirs, dir))
		strings_add(g->dirs, g->a, dir);
}

static bool is_name(const char *s)
{
	size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");

	return n && strlen(s) < DEFINE_MAX && (!s[n] || s[n] == '=' || s[n] == '(') && !strchr(s, '\n');
}

static void gate_define(struct gate *g, char kind, const char *text)
{
	if (is_name(text))
		strings_add(&g->u->args, g->a, arena_fmt(g->a, "-%c%s", kind, text));
}

static void gate_standard(struct gate *g, const char *std)
{
	if (strstr(std, "++20") || strstr(std, "++2a") || strstr(std, "++23") || strstr(std, "++2b"))
		g->u->mode |= CXX_20;
}

static void gate_include(struct gate *g, const char *path)
{
	const char *inside = gate_path(g, path);

	if (!inside || !*inside)
		return;
	strings_add(&g->u->args, g->a, "-include");
	strings_add(&g->u->args, g->a, arena_fmt(g->a, CXX_TREE_DIR "/%s", inside));
}

static void gate_pass(struct gate *g, const struct strings *args)
{
	size_t i;

	for (i = 0; i < args->nr; i++) {
		const char *s = args->v[i], *next = i + 1 < args->nr ? args->v[i + 1] : "";

		if (!strcmp(s, "-I") || !strcmp(s, "-isystem"))
			gate_dir(g, next), i++;
		else if (!strcmp(s, "-include"))
			gate_include(g, next), i++;
		else if (!strcmp(s, "-D") || !strcmp(s, "-U"))
			gate_define(g, s[1], next), i++;
		else if (str_starts(s, "-I"))
			gate_dir(g, s + 2);
		else if (str_starts(s, "-isystem"))
			gate_dir(g, s + strlen("-isystem"));
		else if (str_starts(s, "-D") || str_starts(s, "-U"))
			gate_define(g, s[1], s + 2);
		else if (str_starts(s, "-std=") || str_starts(s, "--std="))
			gate_standard(g, s);
		else if (!strcmp(s, "-Xclang") || !strcmp(s, "-o") || !strcmp(s, "-Xpreprocessor"))
			i++;
	}
}

/* ---- compile_commands.json --------------------------------------------------------------------- */

/* A shell's words: quotes and backslashes, no more. */
static void command_split(struct strings *out, struct arena *a, const char *s)
{
	struct strbuf word = STRBUF_INIT;
	bool open = false;
	char quote = 0;

	for (; *s; s++) {
		if (quote ? *s == quote : *s == '"' || *s == '\'') {
			quote = quote ? 0 : *s;
			open = true;
		} else if (*s == '\\' && quote != '\'' && s[1]) {
			strbuf_addch(&word, *++s);
			open = true;
		} else if (!quote && strchr(" \t\n", *s)) {
			if (open)
				strings_add(out, a, arena_strndup(a, word.buf, word.len));
			strbuf_reset(&word);
			open = false;
		} else {
			strbuf_addch(&word, *s);
			open = true;
		}
	}
	if (open)
		strings_add(out, a, arena_strndup(a, word.buf, word.len));
	strbuf_release(&word);
}

static void database_entry(struct flags *fl, struct arena *a, const struct yaml *entry)
{
	const struct yaml *list = yaml_get(entry, "arguments"), *item;
	const char *text = yaml_str(entry, "command", NULL);
	struct command *c;

	if (entry->kind != YAML_MAP || !yaml_str(entry, "file", NULL))
		return;
	c = VEC_PUSH(a, &fl->commands);
	c->file = yaml_str(entry, "file", "");
	c->directory = yaml_str(entry, "directory", "");
	for (item = list ? list->child : NULL; item; item = item->next)
		strings_add(&c->args, a, item->text ? item->text : "");
	if (!list && text)
		command_split(&c->args, a, text);
}

static void database_load(struct flags *fl, const struct parse *p, const struct source *s,
			  struct notices *notices)
{
	const struct yaml *item;
	struct fs_text text;
	struct yaml *root;
	struct err err = {{0}};

	if (fs_read(p->repo->dirfd, s->path, DATABASE_MAX, &text, &err)) {
		notice_add(notices, p->arena, s->path, "read", "%s", err.msg);
		return;
	}
	if (yaml_parse(&root, p->arena, s->path, arena_strndup(p->arena, text.data, text.len), text.len,
		       &err))
		notice_add(notices, p->arena, s->path, "parse", "%s", err.msg);
	else
		for (item = root->kind == YAML_LIST ? root->child : NULL; item; item = item->next)
			database_entry(fl, p->arena, item);
	fs_text_free(&text);
}

/* The name that patches give a folder of header shims, NULL: the knowledge has none. */
static const char *shims_name(const struct parse *p)
{
	const struct asset *as = asset_get(p->o->assets, SHIMS);
	struct yaml *root;
	struct err err;

	if (!as || asset_yaml(&root, p->arena, p->o->assets, as, &err))
		return NULL;
	return yaml_str(root, "folder", NULL);
}

/* Build files may name such a folder by more than a literal: its place in the tree is enough. */
static void shims_find(struct flags *fl, const struct parse *p)
{
	const char *name = shims_name(p), *path, *at, *dir;
	size_t i;

	for (i = 0; name && i < p->repo->nr_files; i++) {
		path = p->repo->files[i]->path;
		at = path_folder(path, name);
		if (!at || !source_is_cxx(p->repo->files[i]))
			continue;
		dir = arena_strndup(p->arena, path, (size_t)(at - path) + strlen(name));
		if (!strings_has(&fl->shims, dir))
			strings_add(&fl->shims, p->arena, dir);
	}
}

struct flags *flags_load(const struct parse *p, struct notices *notices)
{
	struct flags *fl = ARENA_NEW(p->arena, struct flags);
	size_t i;

	shims_find(fl, p);
	for (i = 0; i < p->repo->nr_files; i++)
		if (!strcmp(path_base(p->repo->files[i]->path), DATABASE))
			database_load(fl, p, p->repo->files[i], notices);
	return fl;
}

/* Does the command's file end in the path of the source? *root: what stands before it. */
static bool command_matches(const struct command *c, struct arena *a, const char *path,
			    const char **root)
{
	const char *file = c->file;
	size_t n, m = strlen(path);

	if (*file != '/')
		file = arena_fmt(a, "%s/%s", c->directory, file);
	n = strlen(file);
	if (n <= m || strcmp(file + n - m, path) || file[n - m - 1] != '/')
		return false;
	*root = arena_strndup(a, file, n - m - 1);
	return true;
}

static bool flags_database(struct gate *g, const struct parse *p, const struct source *s)
{
	size_t i;

	for (i = 0; i < p->flags->commands.nr; i++) {
		const struct command *c = &p->flags->commands.v[i];
		const char *base;

		if (!command_matches(c, g->a, s->path, &g->root))
			continue;
		base = gate_path(g, c->directory);
		g->base = base ? base : "";
		gate_pass(g, &c->args);
		return true;
	}
	return false;
}

/* ---- build scripts and CMake ------------------------------------------------------------------- */

/* The texts of a literal list. */
static void list_split(struct strings *out, struct arena *a, const char *text)
{
	size_t n;

	for (; text && *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		strings_add(out, a, arena_strndup(a, text, n));
	}
}

static void script_call(struct gate *g, const struct fact *call)
{
	struct strings list;
	size_t i, k;

	for (i = 0; i < call->nr_args; i++) {
		const struct arg *arg = &call->args[i];

		if (!arg->keyword || arg->value != VALUE_LIST)
			continue;
		list = (struct strings){0};
		list_split(&list, g->a, arg->text);
		if (!strcmp(arg->keyword, "extra_compile_args"))
			gate_pass(g, &list);
		for (k = 0; !strcmp(arg->keyword, "include_dirs") && k < list.nr; k++)
			gate_dir(g, list.v[k]);
	}
}

static bool flags_script(struct gate *g, const struct parse *p, const struct source *s)
{
	bool found = false;
	size_t i, k;

	for (i = 0; i < p->repo->nr_extensions; i++) {
		const struct extension *e = &p->repo->extensions[i];

		for (k = 0; k < e->nr_sources && strcmp(e->sources[k], s->path); k++)
			;
		if (k == e->nr_sources || !e->source)
			continue;
		g->base = arena_strndup(g->a, e->source->path, path_dirlen(e->source->path));
		for (k = 0; k < e->source->nr_facts; k++)
			if (e->source->facts[k].flags & F_CALL &&
			    e->source->facts[k].stmt.start == e->span.start)
				script_call(g, &e->source->facts[k]);
		found = true;
	}
	return found;
}

/* Folders in terms of the file's own: "${CMAKE_CURRENT_SOURCE_DIR}/x", "x". Others are not literal. */
static void cmake_dir(struct gate *g, const char *text)
{
	static const char *const own[] = {"${CMAKE_CURRENT_SOURCE_DIR}", "${CMAKE_CURRENT_LIST_DIR}",
					  "${PROJECT_SOURCE_DIR}", "${CMAKE_SOURCE_DIR}"};
	size_t i, n;

	for (i = 0; i < sizeof(own) / sizeof(*own); i++) {
		n = strlen(own[i]);
		if (str_starts(text, own[i]) && (!text[n] || text[n] == '/'))
			text += n + (text[n] == '/');
	}
	if (!strchr(text, '$') && *text != '/')
		gate_dir(g, *text ? text : ".");
}

static void cmake_command(struct gate *g, const struct fact *f)
{
	bool dirs = strstr(f->name, "include_directories"), macros = strstr(f->name, "_definitions");
	size_t i;

	for (i = 0; (dirs || macros) && i < f->nr_args; i++) {
		const char *text = f->args[i].text ? f->args[i].text : "";

		if (dirs && (!i && str_starts(f->name, "target_")))
			continue;
		if (dirs && strcspn(text, "abcdefghijklmnopqrstuvwxyz./$_") < strlen(text))
			cmake_dir(g, text);
		else if (macros && str_starts(text, "-D"))
			gate_define(g, 'D', text + 2);
	}
}

static void flags_cmake(struct gate *g, const struct parse *p, const struct source *s)
{
	size_t i, k;

	for (i = 0; i < p->repo->nr_files; i++) {
		const struct source *c = p->repo->files[i];

		if (c->lang != LANG_CMAKE)
			continue;
		g->base = arena_strndup(g->a, c->path, path_dirlen(c->path));
		if (!path_under(s->path, g->base))
			continue;
		for (k = 0; k < c->nr_facts; k++)
			if (c->facts[k].kind == FACT_COMMAND && c->facts[k].name)
				cmake_command(g, &c->facts[k]);
	}
}

void flags_find(struct unit *u, struct strings *dirs, const struct parse *p, const struct source *s)
{
	struct gate g = {.u = u, .dirs = dirs, .a = p->arena, .base = ""};
	size_t i;

	u->mode = s->lang == LANG_CUDA ? CXX_CUDA : CXX_PLAIN;
	for (i = 0; i < p->flags->shims.nr; i++)
		gate_dir(&g, p->flags->shims.v[i]);
	if (!flags_database(&g, p, s) && !flags_script(&g, p, s))
		flags_cmake(&g, p, s);
}
