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

struct vocab_key {
	const char *name;
	bool list;
	size_t offset;
};

#define IN(member) offsetof(struct vocab_file, member)
static const struct vocab_key vocab_keys[] = {
	{ "roots", true, IN(vocab.roots) },
	{ "target_roots", true, IN(vocab.target_roots) },
	{ "members", true, IN(vocab.members) },
	{ "watched", true, IN(vocab.watched) },
	{ "switch_calls", true, IN(vocab.switch_calls) },
	{ "vendored", true, IN(vocab.vendored) },
	{ "cxx_tokens", true, IN(vocab.cxx_tokens) },
	{ "cxx_headers", true, IN(vocab.cxx_headers) },
	{ "factories", true, IN(vocab.factories) },
	{ "tensor", false, IN(vocab.tensor) },
	{ "use_line", false, IN(vocab.use_line) },
	{ "package", false, IN(vocab.package) },
	{ "upstream", false, IN(vocab.upstream) },
	{ "upstream_dists", true, IN(vocab.upstream_dists) },
	{ "extension_calls", true, IN(vocab.extension_calls) },
	{ "always_there", true, IN(words.always_there) },
};
#define VOCAB_KEYS (sizeof(vocab_keys) / sizeof(*vocab_keys))

static int vocab_value(struct reader *r, const struct yaml *root, const struct vocab_key *k,
		       struct vocab_file *v)
{
	const struct yaml *n = yaml_get(root, k->name);
	void *at = (char *)v + k->offset;

	if (!n)
		return err_set(r->err, "%s: key '%s' is missing", r->file, k->name);
	if (!k->list)
		return read_text(r, n, at);
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
	if (yaml_parse(&root, a, r.file, as->data, as->len, err))
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
