/*
 * tables.c - rules/layers.yml -> struct layers.
 *
 * Read strictly: an unknown key, word or kind of value is an error that names file and line. Roles,
 * layers, languages and kinds of facts are called by the words the rest of the program prints.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "repo/internal.h"

static const char table_path[] = "layers.yml";

/* Where messages say they are, and where everything lives. */
struct reader {
	struct arena *arena;
	const char *name;
	struct err *err;
};

static int wrong(const struct reader *r, const struct yaml *at, const char *want)
{
	return err_set(r->err, "%s:%d: '%s' must be %s, not %s", r->name,
		       at->key ? at->key_line : at->line, at->key ? at->key : "entry", want,
		       yaml_kind_name(at->kind));
}

/* A list of texts, ended by NULL. A missing one is an empty list. */
static int read_list(const struct reader *r, const struct yaml *map, const char *key,
		     const char ***out)
{
	const struct yaml *list = yaml_get(map, key), *n;
	size_t i = 0;

	*out = arena_array(r->arena, (list ? list->nr : 0) + 1, sizeof(**out));
	if (list && list->kind != YAML_LIST)
		return wrong(r, list, "a list");
	for (n = list ? list->child : NULL; n; n = n->next) {
		if (n->kind != YAML_TEXT)
			return err_set(r->err, "%s:%d: '%s' must be a list of texts", r->name,
				       n->line, key);
		(*out)[i++] = n->text;
	}
	return 0;
}

static int read_number(const struct reader *r, const struct yaml *map, const char *key, int or,
		       int *out)
{
	const struct yaml *n = yaml_get(map, key);
	char *end;
	long v;

	*out = or ;
	if (!n)
		return 0;
	if (n->kind != YAML_TEXT)
		return wrong(r, n, "a number");
	v = strtol(n->text, &end, 10);
	if (*end || end == n->text || v < 1 || v > 1000)
		return err_set(r->err, "%s:%d: '%s' must be a number from 1 to 1000", r->name,
			       n->line, key);
	*out = (int)v;
	return 0;
}

static int read_bool(const struct reader *r, const struct yaml *map, const char *key, bool *out)
{
	const struct yaml *n = yaml_get(map, key);

	if (!n)
		return 0;
	if (n->kind != YAML_TEXT || (strcmp(n->text, "true") && strcmp(n->text, "false")))
		return err_set(r->err, "%s:%d: '%s' must be true or false", r->name, n->line, key);
	*out = !strcmp(n->text, "true");
	return 0;
}

static int read_text(const struct reader *r, const struct yaml *map, const char *key,
		     const char **out)
{
	const struct yaml *n = yaml_get(map, key);

	if (!n)
		return err_set(r->err, "%s:%d: '%s' is missing", r->name, map->line, key);
	if (n->kind != YAML_TEXT)
		return wrong(r, n, "text");
	*out = n->text;
	return 0;
}

/* A list of words as bits: the bit of words[i] is 1 << i. */
static int read_bits(const struct reader *r, const struct yaml *map, const char *key,
		     const char *const *words, unsigned *out)
{
	const char **list, *near;
	size_t i, k;

	if (read_list(r, map, key, &list))
		return -1;
	for (i = 0; list[i]; i++) {
		for (k = 0; words[k] && strcmp(words[k], list[i]); k++)
			;
		*out |= 1u << k;
		if (words[k])
			continue;
		near = nearest_word(list[i], words);
		return err_set(r->err, "%s:%d: unknown word '%s' in '%s'%s%s%s", r->name,
			       yaml_get(map, key)->line, list[i], key,
			       near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
	}
	return 0;
}

/* Words of an enum, by the function that names its values. */
#define ENUM_WORDS(words, nr, name_of, type)                                                       \
	const char *words[nr + 1];                                                                 \
	for (int word_i = 0; word_i < nr; word_i++)                                                \
		words[word_i] = name_of((type)word_i);                                             \
	words[nr] = NULL

static int read_pick(const struct reader *r, const struct yaml *map, struct pick *p)
{
	static const char *const roles[] = {
		"build-entry", "call-entry", "test-entry", "test",         "example",
		"script",      "vendored",   "submodule",  "build-helper", NULL,
	};
	ENUM_WORDS(layers, LAYER_NR, layer_name, enum layer);
	ENUM_WORDS(langs, LANG_NR, lang_name, enum lang);
	ENUM_WORDS(kinds, FACT_NR, fact_kind_name, enum fact_kind);

	if (read_bits(r, map, "roles", roles, &p->roles) ||
	    read_bits(r, map, "not_roles", roles, &p->not_roles) ||
	    read_bits(r, map, "layers", layers, &p->layers) ||
	    read_bits(r, map, "languages", langs, &p->langs) ||
	    read_bits(r, map, "kinds", kinds, &p->kinds) || read_list(r, map, "paths", &p->paths) ||
	    read_list(r, map, "words", &p->words) || read_list(r, map, "bonus", &p->bonus) ||
	    read_list(r, map, "names", &p->names) || read_bool(r, map, "private", &p->private) ||
	    read_bool(r, map, "work", &p->work) || read_bool(r, map, "both", &p->both))
		return -1;
	if (p->kinds && !*p->names && !p->private)
		return err_set(r->err, "%s:%d: 'kinds' needs 'names' or 'private'", r->name,
			       map->line);
	if (!p->kinds && (*p->names || p->private))
		return err_set(r->err, "%s:%d: 'names' and 'private' need 'kinds'", r->name,
			       map->line);
	return 0;
}

#define PICK_KEYS                                                                                  \
	"roles", "not_roles", "layers", "languages", "kinds", "paths", "words", "bonus", "names",  \
		"private", "work", "both"

static int read_signal(const struct reader *r, const struct yaml *n, void *out)
{
	static const char *const keys[] = {"why", "weight", "at_least", "share", PICK_KEYS, NULL};
	struct signal *s = out;

	if (yaml_check_keys(n, r->name, keys, r->err) || read_text(r, n, "why", &s->why) ||
	    read_number(r, n, "weight", 1, &s->weight) ||
	    read_number(r, n, "at_least", 1, &s->at_least) ||
	    read_number(r, n, "share", 0, &s->share))
		return -1;
	return read_pick(r, n, &s->pick);
}

static int read_landing(const struct reader *r, const struct yaml *n, void *out)
{
	static const char *const keys[] = {"what", "take", PICK_KEYS, NULL};
	struct landing *l = out;

	if (yaml_check_keys(n, r->name, keys, r->err) || read_text(r, n, "what", &l->what) ||
	    read_number(r, n, "take", 1, &l->take))
		return -1;
	return read_pick(r, n, &l->pick);
}

/* A list of maps, each read by `read` into an element of `size` bytes. */
static int read_maps(const struct reader *r, const struct yaml *map, const char *key, size_t size,
		     int (*read)(const struct reader *, const struct yaml *, void *), void **out,
		     size_t *nr)
{
	const struct yaml *list = yaml_get(map, key), *n;

	if (!list)
		return err_set(r->err, "%s:%d: '%s' is missing", r->name, map->line, key);
	if (list->kind != YAML_LIST)
		return wrong(r, list, "a list");
	*out = arena_array(r->arena, list->nr, size);
	*nr = 0;
	for (n = list->child; n; n = n->next) {
		if (n->kind != YAML_MAP)
			return err_set(r->err, "%s:%d: '%s' must be a list of maps", r->name,
				       n->line, key);
		if (read(r, n, (char *)*out + size * (*nr)++))
			return -1;
	}
	return 0;
}

static int read_type(const struct reader *r, const struct yaml *n, void *out)
{
	static const char *const keys[] = {"type", "name", "least", "signals", "first", NULL};
	struct type_table *t = out;

	if (yaml_check_keys(n, r->name, keys, r->err) || read_text(r, n, "type", &t->type) ||
	    read_text(r, n, "name", &t->name) || read_number(r, n, "least", 1, &t->least) ||
	    read_maps(r, n, "signals", sizeof(*t->signals), read_signal, (void **)&t->signals,
		      &t->nr_signals))
		return -1;
	return read_maps(r, n, "first", sizeof(*t->landings), read_landing, (void **)&t->landings,
			 &t->nr_landings);
}

int layers_load(struct layers **out, struct arena *a, const struct assets *assets, struct err *err)
{
	static const char *const keys[] = {
		"kernel_modules",  "build_paths", "doc_paths", "build_settings",
		"script_settings", "basic_tests", "types",     "top_instructions",
		"instructions",    "unisolated",  "name_settings",
		"main_instructions", "installs", NULL};
	struct reader r = {a, asset_name(assets, a, table_path), err};
	const struct asset *asset = asset_get(assets, table_path);
	struct layers *l = ARENA_NEW(a, struct layers);
	struct yaml *doc;

	if (!asset)
		return err_set(err, "%s: no such file", r.name);
	if (asset_yaml(&doc, a, assets, asset, err))
		return -1;
	if (doc->kind != YAML_MAP)
		return wrong(&r, doc, "a map");
	if (yaml_check_keys(doc, r.name, keys, err) ||
	    read_list(&r, doc, "kernel_modules", &l->kernel_modules) ||
	    read_list(&r, doc, "build_paths", &l->build_paths) ||
	    read_list(&r, doc, "doc_paths", &l->doc_paths) ||
	    read_list(&r, doc, "build_settings", &l->build_settings) ||
	    read_list(&r, doc, "script_settings", &l->script_settings) ||
	    read_list(&r, doc, "basic_tests", &l->basic_tests) ||
	    read_list(&r, doc, "top_instructions", &l->top_instructions) ||
	    read_list(&r, doc, "instructions", &l->instructions) ||
	    read_list(&r, doc, "unisolated", &l->unisolated_words) ||
	    read_list(&r, doc, "main_instructions", &l->main_instructions) ||
	    read_list(&r, doc, "installs", &l->install_words) ||
	    read_list(&r, doc, "name_settings", &l->name_settings) ||
	    read_maps(&r, doc, "types", sizeof(*l->types), read_type, (void **)&l->types,
		      &l->nr_types))
		return -1;
	*out = l;
	return 0;
}
