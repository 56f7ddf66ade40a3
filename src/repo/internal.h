/*
 * internal.h - what the files of repo/ share. Nobody outside repo/ includes it.
 */
#ifndef REPO_INTERNAL_H
#define REPO_INTERNAL_H

#include "base/yaml.h"
#include "repo/repo.h"

/* ---- walking
 * ------------------------------------------------------------------------------------- */

/*
 * Ignore rules. One level a folder with rules of its own; levels form a chain from the root down,
 * and the deepest that has an opinion decides.
 */
struct ignore_rules;
struct ignore_level {
	const struct ignore_level *up;
	const char *dir; /* folder the rules stand in, "" for the root */
	const struct ignore_rules *rules;
	size_t total; /* rules in force, those above included */
};

/* Make `level` from the rules in `dir`, beneath dirfd; false when there are none to use (a notice
 * says why). */
bool ignore_enter(struct ignore_level *level, const struct ignore_level *up, int dirfd,
		  const char *dir, struct arena *a, struct notices *notices);
/* True when the rules of the chain leave out `path`; its parents must not be left out. */
bool ignore_hit(const struct ignore_level *level, const char *path, bool is_dir);

/* Tracked paths, from the index; a tracked file is never left out. NULL: no index. */
struct tracked;
struct tracked *tracked_open(int dirfd, struct arena *a, struct notices *notices);
void tracked_close(struct tracked *t);
/* True when `path` is tracked; for a folder: when something below it is. */
bool tracked_has(const struct tracked *t, const char *path, bool is_dir);

/* True when `path` beneath dirfd is a regular file, not a link to one. */
bool has_regular(int dirfd, const char *path);
/* Sub-module folders named by .gitmodules. */
void submodules_read(struct strings *out, int dirfd, struct arena *a);

/* ---- roles and names
 * ------------------------------------------------------------------------------ */

/* By the file's name alone. */
enum lang lang_of(const char *path);
/* True when the first bytes are a Python first line. */
bool shebang_is_python(const char *head, size_t len);

/*
 * Import roots and module names of the sorted repo->files. `prefix`: the dotted name of the root
 * folder where the root itself lies inside a package, else "".
 */
void modules_name(struct repo *repo, struct arena *a, const char *prefix);
/* Top-level packages and single modules; needs names and roles. */
void packages_find(struct repo *repo, struct arena *a, const char *prefix);
/* True when the folder path[0..n) has an __init__.py. */
bool dir_is_package(const struct repo *repo, const char *path, size_t n);
/* The root folder is that of a project and no package, though it has an __init__.py. */
bool root_is_folder(const struct repo *repo);
/* Roles that follow from paths, for the sorted repo->files. */
void roles_from_paths(struct repo *repo);
/* True for folders of the developers' own tools, which nobody imports. */
bool path_is_tooling(const char *path);
/* True for files of a package in no folder of tests: one called test.py may be a part of what it offers. */
bool path_offers(const struct repo *repo, const char *path);

/* ---- layers.yml
 * ------------------------------------------------------------------------------------ */

/* Which files and which of their facts are meant. Zero parts do not restrict. */
struct pick {
	unsigned roles, not_roles; /* any of; none of */
	unsigned layers;           /* bit 1 << layer, any of */
	unsigned langs;            /* bit 1 << lang, any of */
	unsigned kinds;            /* bit 1 << fact kind */
	const char **paths;        /* globs on the path */
	const char **words;        /* parts of the path, cut at '/', '_', '-' and '.' */
	const char **bonus;        /* as words, but only for the order */
	const char **names;        /* of facts: dotted prefix, or a glob */
	bool private;              /* facts below an upstream root with a part that begins in "_" */
	bool work;                 /* the file has something to do */
	bool both;                 /* a file needs a path word and a fact, not just one */
};

/* One sign of a type. It counts when at least `at_least` sites (or files) are there. */
struct signal {
	const char *why;
	int weight, at_least;
	int share; /* percent of the package's Python files that must have it, 0: any */
	struct pick pick;
};

/* One place to look at first. */
struct landing {
	const char *what;
	int take; /* files of it that come before the next one */
	struct pick pick;
};

struct type_table {
	const char *type, *name;
	int least; /* points needed */
	struct signal *signals;
	size_t nr_signals;
	struct landing *landings;
	size_t nr_landings;
};

struct layers {
	const char **kernel_modules; /* modules that hold no framework, for kernels */
	const char **build_paths, **doc_paths;
	const char **build_settings; /* settings that name a module the build imports */
	const char **script_settings;
	const char **basic_tests; /* globs of test names, most basic first */
	const char **top_instructions, **instructions; /* texts that say how to build, by path */
	const char **main_instructions; /* the text to begin with */
	const char **install_words;	/* build what is in a folder */
	const char **unisolated_words; /* switch pip's isolated environment off */
	const char **name_settings;    /* settings whose value is the project's name */
	struct type_table *types;
	size_t nr_types;
};

int layers_load(struct layers **out, struct arena *a, const struct assets *assets, struct err *err);

/* ---- classifying
 * ----------------------------------------------------------------------------------- */

/* What the steps of repo_classify share. */
struct classify {
	struct repo *repo;
	struct arena *arena;
	const struct vocab *vocab;
	const struct layers *layers;
	unsigned *sites; /* of each file: facts that ask for a change */
	bool *work;      /* of each file: something is to be done in it */
};

/* True when `name` is `root` or a name below it. */
bool name_under(const char *name, const char *root);
/* True when some pattern of `names` fits: a dotted prefix, or a glob when it has '*'. */
bool name_matches(const char *name, const char *const *names);
/* True when some glob fits the path or, without '/', its last part. */
bool path_matches(const char *path, const char *const *globs);
/* Number of `words` among the parts of the path. */
unsigned path_words(const char *path, const char *const *words);
/* True when the file as a whole fits (facts, words and paths apart from roles, layers, languages,
 * work). */
bool pick_file(const struct classify *c, const struct pick *p, size_t file);
/* Facts of the file that fit. */
size_t pick_facts(const struct classify *c, const struct pick *p, const struct source *s);

/* Read by nobody: third-party code. */
static inline bool source_is_foreign(const struct source *s)
{
	return s->roles & (ROLE_VENDORED | ROLE_SUBMODULE);
}

void layers_assign(struct classify *c);
void type_assign(struct classify *c, const struct type_table **table);
void lists_assign(struct classify *c, const struct type_table *table);
void entries_assign(struct classify *c);
/* Fill repo->unisolated from the texts of the tree. */
void instructions_read(const struct classify *c);

#endif
