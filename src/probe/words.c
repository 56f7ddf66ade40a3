/* words.c - rules/probe/: probe.yml, the interpreter's script and the kernel's text. */
#include <string.h>

#include "base/yaml.h"
#include "probe/probe.h"

#define FILE_WORDS  "probe/probe.yml"
#define FILE_SCRIPT "probe/interpreter.py"
#define FILE_KERNEL "probe/kernel.ptx"

struct key {
	const char *name;
	size_t offset;
	bool list;
};

#define IN(field) offsetof(struct probe_words, field)
static const struct key keys[] = {
	{"symbol", IN(symbol), false},
	{"driver", IN(driver), false},
	{"management", IN(management), false},
	{"runtime_symbols", IN(runtime_symbols), true},
	{"driver_symbols", IN(driver_symbols), true},
	{"interpreter_symbols", IN(interpreter_symbols), true},
	{"runtime_files", IN(runtime_files), true},
	{"sonames", IN(sonames), true},
	{"pip", IN(pip), true},
	{"homes", IN(homes), true},
	{"home_default", IN(home_default), true},
	{"home_dirs", IN(home_dirs), true},
	{"system_dirs", IN(system_dirs), true},
	{"loaders", IN(loaders), true},
	{"native_loaders", IN(native_loaders), true},
	{"upstream_libraries", IN(upstream_libraries), true},
	{"upstream_scopes", IN(upstream_scopes), true},
	{"taken", IN(taken), true},
};
#define KEYS (sizeof(keys) / sizeof(*keys))

static const char *const *list_read(struct arena *a, const struct yaml *n)
{
	const char **v = arena_array(a, n->nr + 1, sizeof(*v));
	const struct yaml *e;
	size_t i = 0;

	for (e = n->child; e; e = e->next)
		if (e->kind == YAML_TEXT)
			v[i++] = e->text;
	return v;
}

static int key_read(struct probe_words *w, struct arena *a, const struct yaml *root,
		    const struct key *k, const char *file, struct err *err)
{
	const struct yaml *n = yaml_get(root, k->name);
	void *at = (char *)w + k->offset;

	if (!n)
		return err_set(err, "%s: '%s' is missing", file, k->name);
	if (n->kind != (k->list ? YAML_LIST : YAML_TEXT))
		return err_set(err, "%s:%d: '%s' must be %s", file, n->line, k->name,
			       yaml_kind_name(k->list ? YAML_LIST : YAML_TEXT));
	if (k->list)
		*(const char *const **)at = list_read(a, n);
	else
		*(const char **)at = n->text;
	return 0;
}

static void frameworks_read(struct probe_words *w, struct arena *a, const struct yaml *map)
{
	size_t nr = map && map->kind == YAML_MAP ? map->nr : 0, i = 0, k;
	struct probe_framework *v = arena_array(a, nr + 1, sizeof(*v));
	const struct yaml *f, *e;

	for (f = nr ? map->child : NULL; f; f = f->next, i++) {
		const char **current = arena_array(a, 2 * f->nr + 1, sizeof(*current));

		for (e = f->child, k = 0; e; e = e->next) {
			current[k++] = e->key;
			current[k++] = e->kind == YAML_TEXT ? e->text : "";
		}
		v[i] = (struct probe_framework){f->key, current};
	}
	w->frameworks = v;
}

static int text_read(const char **out, struct arena *a, const struct assets *assets,
		     const char *name, struct err *err)
{
	const struct asset *as = asset_get(assets, name);

	if (!as)
		return err_set(err, "%s: no such file", asset_name(assets, a, name));
	*out = as->data;
	return 0;
}

int probe_words_load(struct probe_words **out, struct arena *a, const struct assets *assets,
		     struct err *err)
{
	struct probe_words *w = ARENA_NEW(a, struct probe_words);
	const char *file = asset_name(assets, a, FILE_WORDS), *names[KEYS + 2] = {0}, *text = NULL;
	struct yaml *root;
	size_t i;

	if (text_read(&text, a, assets, FILE_WORDS, err) ||
	    text_read(&w->script, a, assets, FILE_SCRIPT, err) ||
	    text_read(&w->kernel, a, assets, FILE_KERNEL, err) ||
	    yaml_parse(&root, a, file, text, strlen(text), err))
		return -1;
	for (i = 0; i < KEYS; i++)
		names[i] = keys[i].name;
	names[KEYS] = "frameworks";
	if (yaml_check_keys(root, file, names, err))
		return -1;
	for (i = 0; i < KEYS; i++)
		if (key_read(w, a, root, &keys[i], file, err))
			return -1;
	frameworks_read(w, a, yaml_get(root, "frameworks"));
	*out = w;
	return 0;
}
