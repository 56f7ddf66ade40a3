/*
 * vocab.c - rules/vocabulary.yml -> struct vocab, and the words only this stage needs.
 *
 * One table says which key goes where. Every key must be there, none more.
 */
#include <string.h>

#include "base/intern.h"
#include "rule/internal.h"

#define VOCAB_FILE "vocabulary.yml"

struct vocab_file {
	struct vocab vocab;
	struct words words;
};

enum key_value { KEY_TEXT, KEY_LIST, KEY_TYPES };

struct vocab_key {
	const char *name;
	enum key_value value;
	size_t offset;
};

#define IN(member) offsetof(struct vocab_file, member)
static const struct vocab_key vocab_keys[] = {
	{ "roots", KEY_LIST, IN(vocab.roots) },
	{ "target_roots", KEY_LIST, IN(vocab.target_roots) },
	{ "members", KEY_LIST, IN(vocab.members) },
	{ "watched", KEY_LIST, IN(vocab.watched) },
	{ "literals", KEY_LIST, IN(vocab.literals) },
	{ "switch_calls", KEY_LIST, IN(vocab.switch_calls) },
	{ "vendored", KEY_LIST, IN(vocab.vendored) },
	{ "cxx_tokens", KEY_LIST, IN(vocab.cxx_tokens) },
	{ "cxx_headers", KEY_LIST, IN(vocab.cxx_headers) },
	{ "types", KEY_TYPES, IN(vocab.types) },
	{ "attribute_types", KEY_TYPES, IN(vocab.attribute_types) },
	{ "tensor", KEY_TEXT, IN(vocab.tensor) },
	{ "use_line", KEY_TEXT, IN(vocab.use_line) },
	{ "switch_line", KEY_TEXT, IN(vocab.switch_line) },
	{ "switch_import", KEY_TEXT, IN(vocab.switch_import) },
	{ "guard_line", KEY_TEXT, IN(vocab.guard_line) },
	{ "guard_packages", KEY_LIST, IN(vocab.guard_packages) },
	{ "blocked_modules", KEY_LIST, IN(vocab.blocked) },
	{ "upstream_users", KEY_LIST, IN(vocab.upstream_users) },
	{ "package", KEY_TEXT, IN(vocab.package) },
	{ "upstream", KEY_TEXT, IN(vocab.upstream) },
	{ "upstream_dists", KEY_LIST, IN(vocab.upstream_dists) },
	{ "extension_calls", KEY_LIST, IN(vocab.extension_calls) },
	{ "never_returns", KEY_LIST, IN(vocab.never_returns) },
	{ "never_run", KEY_LIST, IN(vocab.never_run) },
	{ "object_makers", KEY_LIST, IN(vocab.object_makers) },
	{ "entry_points", KEY_LIST, IN(vocab.entry_points) },
	{ "tensor_members", KEY_LIST, IN(vocab.tensor_members) },
	{ "tensor_attributes", KEY_LIST, IN(vocab.tensor_attributes) },
	{ "number_groups", KEY_LIST, IN(vocab.number_groups) },
	{ "number_groups_not", KEY_LIST, IN(vocab.number_groups_not) },
	{ "tensor_methods", KEY_LIST, IN(vocab.tensor_methods) },
	{ "tensor_keywords", KEY_LIST, IN(vocab.tensor_keywords) },
	{ "marker_until", KEY_TEXT, IN(vocab.marker_until) },
	{ "marker_note", KEY_TEXT, IN(vocab.marker_note) },
	{ "marker_words", KEY_LIST, IN(vocab.marker_words) },
	{ "always_there", KEY_LIST, IN(words.always_there) },
	{ "never_called", KEY_LIST, IN(words.never_called) },
	{ "other_backends", KEY_LIST, IN(words.other_backends) },
};
#define VOCAB_KEYS (sizeof(vocab_keys) / sizeof(*vocab_keys))

/* A map from a class to the names that give an instance of it. */
static int vocab_types(struct reader *r, const struct yaml *n, const struct vocab_type **out)
{
	const struct yaml *c;
	struct vocab_type *v;
	size_t nr = 0;

	if (n->kind != YAML_MAP || !n->nr)
		return read_fail(r, n, "'%s' must be a map that is not empty", n->key);
	v = arena_array(r->arena, n->nr + 1, sizeof(*v));
	for (c = n->child; c; c = c->next, nr++) {
		v[nr].type = c->key;
		if (read_list(r, c, &v[nr].names))
			return -1;
	}
	*out = v;
	return 0;
}

static int vocab_value(struct reader *r, const struct yaml *root, const struct vocab_key *k,
		       struct vocab_file *v)
{
	const struct yaml *n = yaml_get(root, k->name);
	void *at = (char *)v + k->offset;

	if (!n)
		return err_set(r->err, "%s: key '%s' is missing", r->file, k->name);
	if (k->value == KEY_TEXT)
		return read_text(r, n, at);
	if (k->value == KEY_TYPES)
		return vocab_types(r, n, at);
	if (n->kind != YAML_LIST || !n->nr)
		return read_fail(r, n, "'%s' must be a list that is not empty", k->name);
	return read_list(r, n, at);
}

int words_load(struct vocab **vocab, struct words *words, struct arena *a,
	       const struct assets *assets, struct err *err)
{
	struct reader r = { .arena = a, .err = err, .file = asset_name(assets, a, VOCAB_FILE) };
	const struct asset *as = asset_get(assets, VOCAB_FILE);
	struct vocab_file *v = ARENA_NEW(a, struct vocab_file);
	const char *names[VOCAB_KEYS + 1] = { 0 };
	struct yaml *root;
	size_t i;

	if (!as)
		return err_set(err, "%s: no such file", r.file);
	if (asset_yaml(&root, a, assets, as, err))
		return -1;
	if (root->kind != YAML_MAP)
		return read_fail(&r, root, "must be a map");
	for (i = 0; i < VOCAB_KEYS; i++)
		names[i] = vocab_keys[i].name;
	if (yaml_check_keys(root, r.file, names, err))
		return -1;
	for (i = 0; i < VOCAB_KEYS; i++)
		if (vocab_value(&r, root, &vocab_keys[i], v))
			return -1;
	*vocab = &v->vocab;
	*words = v->words;
	return 0;
}

int vocab_load(struct vocab **out, struct arena *a, const struct assets *assets, struct err *err)
{
	struct words words;

	return words_load(out, &words, a, assets, err);
}
