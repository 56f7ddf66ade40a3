/*
 * load_match.c - `match:` -> struct match.
 *
 * A match is a map, or a list of maps of which one must hold. Keys of a map are tests on one fact
 * that must all hold; `any`, `all` and `not` hold further maps for the same fact. One table says
 * what each key takes.
 */
#include <string.h>

#include "rule/internal.h"

enum value {
	VAL_NAMES,    /* kind test; arg: enum fact_kind */
	VAL_CALL,     /* kind test for calls */
	VAL_PATTERNS,
	VAL_GLOBS,
	VAL_WORDS,    /* bits; arg: which words */
	VAL_GUARD,
	VAL_INT,
	VAL_BOOL,
	VAL_ARGS,
	VAL_METHODS,
	VAL_MATCHES,
	VAL_REPO,
};

enum word_set { WORDS_LAYER, WORDS_LANG, WORDS_VERDICT, WORDS_SCOPE, WORDS_ROLE, WORDS_FLAG };

struct match_key {
	const char *name;
	enum value value;
	int arg;
	size_t offset;
};

#define IN(member) offsetof(struct match, member)
static const struct match_key match_keys[] = {
	{ "use", VAL_NAMES, FACT_USE, 0 },
	{ "call", VAL_CALL, FACT_USE, 0 },
	{ "import", VAL_NAMES, FACT_IMPORT, 0 },
	{ "member", VAL_NAMES, FACT_MEMBER, 0 },
	{ "assign", VAL_NAMES, FACT_ASSIGN, 0 },
	{ "class", VAL_NAMES, FACT_CLASS, 0 },
	{ "string", VAL_NAMES, FACT_STRING, 0 },
	{ "require", VAL_NAMES, FACT_REQUIRE, 0 },
	{ "setting", VAL_NAMES, FACT_SETTING, 0 },
	{ "command", VAL_NAMES, FACT_COMMAND, 0 },
	{ "include", VAL_NAMES, FACT_INCLUDE, 0 },
	{ "token", VAL_NAMES, FACT_TOKEN, 0 },
	{ "marker", VAL_NAMES, FACT_MARKER, 0 },
	{ "suppression", VAL_NAMES, FACT_SUPPRESS, 0 },
	{ "lack", VAL_NAMES, FACT_LACK, 0 },
	{ "name", VAL_NAMES, FACT_NAME, 0 },
	{ "macro", VAL_NAMES, FACT_MACRO, 0 },
	{ "register", VAL_NAMES, FACT_REGISTER, 0 },
	{ "launch", VAL_NAMES, FACT_LAUNCH, 0 },
	{ "layer", VAL_WORDS, WORDS_LAYER, IN(layers) },
	{ "lang", VAL_WORDS, WORDS_LANG, IN(langs) },
	{ "verdict", VAL_WORDS, WORDS_VERDICT, IN(verdicts) },
	{ "scope", VAL_WORDS, WORDS_SCOPE, IN(scopes) },
	{ "role", VAL_WORDS, WORDS_ROLE, IN(roles) },
	{ "not_role", VAL_WORDS, WORDS_ROLE, IN(not_roles) },
	{ "flags", VAL_WORDS, WORDS_FLAG, IN(flags) },
	{ "not_flags", VAL_WORDS, WORDS_FLAG, IN(not_flags) },
	{ "guard", VAL_GUARD, 0, IN(guards) },
	{ "receiver", VAL_PATTERNS, 0, IN(receiver) },
	{ "table", VAL_PATTERNS, 0, IN(receiver) },
	{ "text", VAL_PATTERNS, 0, IN(text) },
	{ "symbol", VAL_PATTERNS, 0, IN(symbol) },
	{ "path", VAL_GLOBS, 0, IN(path) },
	{ "package", VAL_BOOL, 0, IN(package) },
	{ "unreached", VAL_BOOL, 0, IN(unreached) },
	{ "in_scope", VAL_BOOL, 0, IN(in_scope) },
	{ "program", VAL_BOOL, 0, IN(program) },
	{ "test_program", VAL_BOOL, 0, IN(test_program) },
	{ "loads", VAL_BOOL, 0, IN(loads) },
	{ "repo", VAL_REPO, 0, 0 },
	{ "asked", VAL_BOOL, 0, IN(asked) },
	{ "spelled_out", VAL_BOOL, 0, IN(spelled_out) },
	{ "rejected", VAL_BOOL, 0, IN(rejected) },
	{ "argument", VAL_ARGS, 0, 0 },
	{ "method", VAL_METHODS, 0, 0 },
	{ "min_args", VAL_INT, 0, IN(min_args) },
	{ "max_args", VAL_INT, 0, IN(max_args) },
	{ "min_positional", VAL_INT, 0, IN(min_positional) },
	{ "max_positional", VAL_INT, 0, IN(max_positional) },
	{ "first_in_file", VAL_BOOL, 0, IN(first_in_file) },
	{ "min_in_file", VAL_INT, 0, IN(min_in_file) },
	{ "defines", VAL_PATTERNS, 0, IN(defines) },
	{ "guard_text", VAL_PATTERNS, 0, IN(guard_text) },
	{ "shared_argument", VAL_PATTERNS, 0, IN(shared) },
	{ "any", VAL_MATCHES, 0, IN(any) },
	{ "all", VAL_MATCHES, 0, IN(all) },
	{ "not", VAL_MATCHES, 0, IN(none) },
	{ "unless_preceded_by", VAL_MATCHES, 0, IN(preceded) },
	{ "unless_importers_have", VAL_MATCHES, 0, IN(importers) },
	{ "file_has", VAL_MATCHES, 0, IN(file_has) },
	{ "file_lacks", VAL_MATCHES, 0, IN(file_lacks) },
	{ "tree_lacks", VAL_MATCHES, 0, IN(tree) },
	{ "tree_has", VAL_MATCHES, 0, IN(tree_has) },
	{ "leads_to", VAL_MATCHES, 0, IN(leads_to) },
	{ "symbol_has", VAL_MATCHES, 0, IN(symbol_has) },
	{ "unless_imports_have", VAL_MATCHES, 0, IN(imported) },
	{ "late", VAL_BOOL, 0, IN(late) },
	{ "own_name", VAL_BOOL, 0, IN(own_name) },
	{ "passed_as", VAL_PATTERNS, 0, IN(passed_as) },
	{ "passed_to", VAL_MATCHES, 0, IN(passed_to) },
	{ "result_member", VAL_PATTERNS, 0, IN(result_member) },
};
#define MATCH_KEYS (sizeof(match_keys) / sizeof(*match_keys))

static const char *layer_word(int i)
{
	return i < LAYER_NR ? layer_name(i) : NULL;
}

static const char *lang_word(int i)
{
	return i < LANG_NR ? lang_name(i) : NULL;
}

static const char *verdict_word(int i)
{
	return i <= VERDICT_UNKNOWN ? verdict_name(i) : NULL;
}

static const char *scope_word(int i)
{
	static const char *const names[] = { "module", "class", "function", NULL };

	return names[i];
}

const char *role_word(int i)
{
	static const char *const names[] = {
		"build-entry", "call-entry", "test-entry", "test",	   "example",
		"script",      "vendored",   "submodule",  "build-helper", "outside",
		"launcher", NULL,
	};

	return names[i];
}

static const char *guard_word(int i)
{
	return i < GUARD_NR ? guard_kind_name(i) : i == GUARD_NR ? "none" : NULL;
}

static const char *value_word(int i)
{
	return i <= VALUE_LAMBDA ? value_kind_name(i) : NULL;
}

static const word_fn word_sets[] = {
	layer_word, lang_word, verdict_word, scope_word, role_word, fact_flag_name,
};

static int match_list(struct reader *r, const struct yaml *n, struct matches *out);

static int kind_read(struct reader *r, const struct yaml *n, const struct match_key *k,
		     struct match *m)
{
	struct kind_test *t = &m->kinds[m->nr_kinds++];

	t->kind = k->arg;
	t->call = k->value == VAL_CALL;
	t->key = k->name;
	return read_patterns(r, n, &t->names);
}

static int guard_read(struct reader *r, const struct yaml *n, unsigned *out)
{
	uint32_t bits;

	if (read_words(r, n, guard_word, &bits))
		return -1;
	*out = bits & ((1u << GUARD_NR) - 1);
	if (bits & 1u << GUARD_NR)
		*out |= GUARDS_NONE;
	return 0;
}

static int arg_read(struct reader *r, const struct yaml *n, struct arg_test *t)
{
	static const char *const keys[] = {
		"keyword", "position", "value", "text", "absent", NULL,
	};
	const struct yaml *c;
	int ret = 0;

	t->position = -1;
	if (n->kind != YAML_MAP || !n->nr)
		return read_fail(r, n, "an argument test must be a map");
	if (yaml_check_keys(n, r->file, keys, r->err))
		return -1;
	for (c = n->child; c && !ret; c = c->next) {
		if (!strcmp(c->key, "keyword"))
			ret = read_patterns(r, c, &t->keyword);
		else if (!strcmp(c->key, "position"))
			ret = read_int(r, c, &t->position);
		else if (!strcmp(c->key, "value"))
			ret = read_words(r, c, value_word, &t->values);
		else if (!strcmp(c->key, "text"))
			ret = read_patterns(r, c, &t->text);
		else
			ret = read_bool(r, c, &t->absent);
	}
	return ret;
}

static int args_read(struct reader *r, const struct yaml *n, struct match *m)
{
	const struct yaml *c = n->kind == YAML_LIST ? n->child : n;
	size_t i;

	m->nr_args = n->kind == YAML_LIST ? n->nr : 1;
	m->args = arena_array(r->arena, m->nr_args + 1, sizeof(*m->args));
	for (i = 0; i < m->nr_args; i++, c = c->next)
		if (arg_read(r, c, &m->args[i]))
			return -1;
	return 0;
}

static int parameter_read(struct reader *r, const struct yaml *n, struct method_test *t)
{
	static const char *const keys[] = { "annotation", "default", "required", NULL };
	const struct yaml *c;
	int ret = 0;

	if (n->kind != YAML_MAP || !n->nr)
		return read_fail(r, n, "a parameter test must be a map");
	if (yaml_check_keys(n, r->file, keys, r->err))
		return -1;
	t->parameter = true;
	for (c = n->child; c && !ret; c = c->next) {
		if (!strcmp(c->key, "annotation"))
			ret = read_patterns(r, c, &t->annotation);
		else if (!strcmp(c->key, "default"))
			ret = read_words(r, c, value_word, &t->values);
		else
			ret = read_bool(r, c, &t->required);
	}
	return ret;
}

/* By the values of enum surplus. */
static const char *surplus_word(int i)
{
	static const char *const names[] = { "no", "certain", "optional", "unsure", NULL };

	return names[i];
}

/* `surplus:` with `plain:`, what is never a tensor. */
static int surplus_read(struct reader *r, const struct yaml *n, struct method_test *t)
{
	const struct yaml *surplus = yaml_get(n, "surplus"), *plain = yaml_get(n, "plain");

	if (!surplus != !plain)
		return read_fail(r, n, "'surplus' and 'plain' go together");
	if (!surplus)
		return 0;
	return read_word(r, surplus, surplus_word, &t->surplus) ? -1 : read_list(r, plain, &t->plain);
}

static int method_read(struct reader *r, const struct yaml *n, struct method_test *t)
{
	static const char *const keys[] = { "name", "parameter", "surplus", "plain", "first_unlike", NULL };
	const struct yaml *name, *parameter;

	if (n->kind != YAML_MAP || yaml_check_keys(n, r->file, keys, r->err))
		return n->kind == YAML_MAP ? -1 : read_fail(r, n, "a method test must be a map");
	name = yaml_get(n, "name");
	parameter = yaml_get(n, "parameter");
	t->first_unlike = yaml_str(n, "first_unlike", NULL);
	if (!name)
		return read_fail(r, n, "a method test must name the method");
	if (read_patterns(r, name, &t->name) || surplus_read(r, n, t))
		return -1;
	return parameter ? parameter_read(r, parameter, t) : 0;
}

static int methods_read(struct reader *r, const struct yaml *n, struct match *m)
{
	const struct yaml *c = n->kind == YAML_LIST ? n->child : n;
	size_t i;

	m->nr_methods = n->kind == YAML_LIST ? n->nr : 1;
	m->methods = arena_array(r->arena, m->nr_methods + 1, sizeof(*m->methods));
	for (i = 0; i < m->nr_methods; i++, c = c->next)
		if (method_read(r, c, &m->methods[i]))
			return -1;
	return 0;
}

/* What is known about the repository as a whole. */
static int repo_read(struct reader *r, const struct yaml *n, struct match *m)
{
	static const char *const keys[] = { "builds_isolated", "entry_guard", NULL };
	const struct yaml *c;
	bool holds;

	if (n->kind != YAML_MAP || !n->nr)
		return read_fail(r, n, "a repository test must be a map");
	if (yaml_check_keys(n, r->file, keys, r->err))
		return -1;
	for (c = n->child; c; c = c->next) {
		if (read_bool(r, c, &holds))
			return -1;
		*(strcmp(c->key, "entry_guard") ? &m->isolated : &m->entry_guard) = holds ? 1 : -1;
	}
	return 0;
}

static int match_value(struct reader *r, const struct yaml *n, const struct match_key *k,
		       struct match *m)
{
	void *at = (char *)m + k->offset;

	switch (k->value) {
	case VAL_NAMES:
	case VAL_CALL:
		return kind_read(r, n, k, m);
	case VAL_PATTERNS:
		return read_patterns(r, n, at);
	case VAL_GLOBS:
		return read_list(r, n, at);
	case VAL_WORDS:
		return read_words(r, n, word_sets[k->arg], at);
	case VAL_GUARD:
		return guard_read(r, n, at);
	case VAL_INT:
		return read_int(r, n, at);
	case VAL_BOOL:
		return read_bool(r, n, at);
	case VAL_ARGS:
		return args_read(r, n, m);
	case VAL_METHODS:
		return methods_read(r, n, m);
	case VAL_MATCHES:
		return match_list(r, n, at);
	case VAL_REPO:
		return repo_read(r, n, m);
	}
	BUG("value %d", k->value);
}

static int match_map(struct reader *r, const struct yaml *n, struct match *m)
{
	const char *names[MATCH_KEYS + 1] = { 0 };
	const struct yaml *c;
	size_t i;

	if (n->kind != YAML_MAP)
		return read_fail(r, n, "a match must be a map, not %s", yaml_kind_name(n->kind));
	if (!n->nr)
		return read_fail(r, n, "a match must not be empty");
	for (i = 0; i < MATCH_KEYS; i++)
		names[i] = match_keys[i].name;
	if (yaml_check_keys(n, r->file, names, r->err))
		return -1;
	m->line = n->line;
	m->kinds = arena_array(r->arena, n->nr, sizeof(*m->kinds));
	m->min_args = m->max_args = m->min_positional = m->max_positional = -1;
	for (c = n->child; c; c = c->next) {
		for (i = 0; strcmp(match_keys[i].name, c->key); i++)
			;
		if (match_value(r, c, &match_keys[i], m))
			return -1;
	}
	return 0;
}

static int match_list(struct reader *r, const struct yaml *n, struct matches *out)
{
	const struct yaml *c = n->kind == YAML_LIST ? n->child : n;
	size_t i;

	out->nr = n->kind == YAML_LIST ? n->nr : 1;
	out->v = arena_array(r->arena, out->nr + 1, sizeof(*out->v));
	if (!out->nr)
		return read_fail(r, n, "'%s' must not be empty", n->key);
	for (i = 0; i < out->nr; i++, c = c->next)
		if (match_map(r, c, &out->v[i]))
			return -1;
	return 0;
}

int match_read(struct reader *r, const struct yaml *n, struct matches *out)
{
	size_t i;

	if (match_list(r, n, out))
		return -1;
	for (i = 0; i < out->nr; i++)
		if (!out->v[i].nr_kinds)
			return err_set(r->err,
				       "%s:%d: a match must say what kind of fact it is about",
				       r->file, out->v[i].line);
	return 0;
}
