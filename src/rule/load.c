/*
 * load.c - rule files -> the set of rules, strictly.
 *
 * A rule file is rules/<area>/PDnnn.yml. What it may hold is one table here; load_match.c and
 * load_fix.c read its two big parts. The first mistake ends the load with file, line and, where
 * one is near, a suggestion.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/path.h"
#include "rule/internal.h"

#define RULES_MAX 4096

/* Reads one value of a rule file. */
typedef int (*rule_reader)(struct reader *r, const struct yaml *n, struct rule *rule);

static const char *rule_layer_word(int i)
{
	return i < LAYER_NR ? layer_name(i) : NULL;
}

static const char *level_word(int i)
{
	return i <= LEVEL_BLOCKED ? level_name(i) : NULL;
}

static int layer_read(struct reader *r, const struct yaml *n, struct rule *rule)
{
	int word = 0, ret = read_word(r, n, rule_layer_word, &word);

	rule->layer = word;
	return ret;
}

/* Of a rule in a special case; that a marker has expired is none. */
static int level_value(struct reader *r, const struct yaml *n, int *out)
{
	if (read_word(r, n, level_word, out))
		return -1;
	if (*out == LEVEL_EXPIRED)
		return read_fail(r, n, "no rule has the level 'expired'");
	return 0;
}

static int level_read(struct reader *r, const struct yaml *n, struct rule *rule)
{
	int word = 0, ret = read_word(r, n, level_word, &word);

	rule->level = word;
	return ret;
}

static int guarded_read(struct reader *r, const struct yaml *n, struct rule *rule)
{
	int word = 0, ret = level_value(r, n, &word);

	rule->level_if_guarded = word;
	return ret;
}

static int unsure_read(struct reader *r, const struct yaml *n, struct rule *rule)
{
	return level_value(r, n, &rule->level_if_unsure);
}

static int range_read(struct reader *r, const struct yaml *n, struct rule *rule)
{
	if (read_text(r, n, &rule->range))
		return -1;
	if (range_check(rule->range))
		return read_fail(r, n, "'%s' is not a version range (\">=3.3,<3.4\")", rule->range);
	return 0;
}

static int build_value(struct reader *r, const struct yaml *n, const char **out)
{
	if (read_text(r, n, out))
		return -1;
	if (strcmp(*out, "cpu") && strcmp(*out, "cuda"))
		return read_fail(r, n, "'build' is cpu or cuda, not '%s'", *out);
	return 0;
}

static int build_read(struct reader *r, const struct yaml *n, struct rule *rule)
{
	return build_value(r, n, &rule->build);
}

static int generic_read(struct reader *r, const struct yaml *n, struct rule *rule)
{
	const char *word;

	if (read_text(r, n, &word))
		return -1;
	if (!strcmp(word, "name"))
		rule->generic = GENERIC_NAME;
	else if (!strcmp(word, "keyword"))
		rule->generic = GENERIC_KEYWORD;
	else
		return read_fail(r, n, "'generic' is name or keyword, not '%s'", word);
	return 0;
}

static int beside_read(struct reader *r, const struct yaml *n, struct rule *rule)
{
	return read_bool(r, n, &rule->beside_generic);
}

static int unless_fixed_read(struct reader *r, const struct yaml *n, struct rule *rule)
{
	return read_bool(r, n, &rule->unless_fixed);
}

static const char *raises_word(int i)
{
	static const char *const names[] = {
		"import", "attribute", "type", "other", "nothing", NULL,
	};

	return names[i];
}

static int raises_read(struct reader *r, const struct yaml *n, struct rule *rule)
{
	int word;

	if (read_word(r, n, raises_word, &word))
		return -1;
	rule->raises = word == 4 ? RAISES_NOTHING : 1u << word;
	return 0;
}

static int rule_match_read(struct reader *r, const struct yaml *n, struct rule *rule)
{
	return match_read(r, n, &rule->match);
}

static int rule_fix_read(struct reader *r, const struct yaml *n, struct rule *rule)
{
	return fix_read(r, n, &rule->fix);
}

static int name_read(struct reader *r, const struct yaml *n, struct rule *rule)
{
	const char *c;

	if (read_text(r, n, &rule->name))
		return -1;
	for (c = rule->name; *c; c++)
		if (!islower((unsigned char)*c) && !isdigit((unsigned char)*c) && *c != '-')
			return read_fail(r, n, "a name is small letters, digits and '-'");
	return 0;
}

static int message_read(struct reader *r, const struct yaml *n, struct rule *rule)
{
	if (read_text(r, n, &rule->message))
		return -1;
	if (rule->message[strlen(rule->message) - 1] == '.' || strchr(rule->message, '\n'))
		return read_fail(r, n, "a message is one line without a final stop");
	return template_check(rule->message, r->file, n->line, r->err);
}

static int group_read(struct reader *r, const struct yaml *n, struct rule *rule)
{
	return read_text(r, n, &rule->group) ||
	       template_check(rule->group, r->file, n->line, r->err) ? -1 : 0;
}

static int keep_read(struct reader *r, const struct yaml *n, struct rule *rule)
{
	static const char *const keys[] = { "until", "long_term", NULL };

	if (n->kind != YAML_MAP || n->nr != 1)
		return read_fail(r, n, "'keep' holds either 'until' or 'long_term'");
	if (yaml_check_keys(n, r->file, keys, r->err))
		return -1;
	if (!strcmp(n->child->key, "until"))
		return read_text(r, n->child, &rule->keep_until);
	return read_text(r, n->child, &rule->keep_long_term);
}

static int how_check(struct reader *r, const struct yaml *n, const char *how)
{
	static const char *const words[] = { "run", "compiled", "read", NULL };

	if (list_has(words, how))
		return 0;
	return read_fail(r, n, "'how' is run, compiled or read, not '%s'", how);
}

static int verified_read(struct reader *r, const struct yaml *n, struct rule *rule)
{
	const char *target = r->vocab->target_roots[0];
	const char *keys[] = { target, "build", "how", "note", NULL };
	const struct yaml *c;
	int ret = 0;

	if (n->kind != YAML_MAP)
		return read_fail(r, n, "'verified' must be a map");
	if (yaml_check_keys(n, r->file, keys, r->err))
		return -1;
	for (c = n->child; c && !ret; c = c->next) {
		if (!strcmp(c->key, target))
			ret = read_text(r, c, &rule->verified_version);
		else if (!strcmp(c->key, "build"))
			ret = build_value(r, c, &rule->verified_build);
		else if (!strcmp(c->key, "how"))
			ret = read_text(r, c, &rule->verified_how) ||
			      how_check(r, c, rule->verified_how);
		else
			ret = read_text(r, c, &rule->verified_note);
	}
	if (ret)
		return -1;
	if (!rule->verified_version || !rule->verified_build || !rule->verified_how)
		return read_fail(r, n, "'verified' must have '%s', 'build' and 'how'", target);
	return 0;
}

static const char *request_word(int i)
{
	static const char *const names[] = { "entries", "tests", "hoist", "direct-entry", NULL };

	return names[i];
}

static int request_read(struct reader *r, const struct yaml *n, struct rule *rule)
{
	return read_words(r, n, request_word, &rule->request);
}

static int gpu_read(struct reader *r, const struct yaml *n, struct rule *rule)
{
	return read_bool(r, n, &rule->gpu_unverified);
}

static int why_read(struct reader *r, const struct yaml *n, struct rule *rule)
{
	return read_text(r, n, &rule->why);
}

#define REPRODUCER_LINES 10 /* with the lines that switch compat on, 15 at most */

static int reproducer_read(struct reader *r, const struct yaml *n, struct rule *rule)
{
	const char *p;
	int lines = 0;

	if (read_text(r, n, &rule->reproducer))
		return -1;
	for (p = rule->reproducer; *p; p++)
		lines += *p == '\n';
	return lines <= REPRODUCER_LINES
		       ? 0
		       : read_fail(r, n, "'reproducer' has more than %d lines", REPRODUCER_LINES);
}

/* The text of a side of an example: text itself, or a map with path and text. */
static int snippet_read(struct reader *r, const struct yaml *n, const char **path,
			const char **text)
{
	static const char *const keys[] = { "path", "text", NULL };
	const struct yaml *p = yaml_get(n, "path"), *t = yaml_get(n, "text");

	if (n->kind == YAML_TEXT)
		return read_text(r, n, text);
	if (n->kind != YAML_MAP || !p || !t)
		return read_fail(r, n, "an example is text, or a map with 'path' and 'text'");
	if (yaml_check_keys(n, r->file, keys, r->err))
		return -1;
	return read_text(r, p, path) || read_text(r, t, text) ? -1 : 0;
}

/*
 * What the sides of an example do on the real target, for the tests that run them (tests/e2e.py); here only
 * its form is looked at.
 */
static int stated_read(struct reader *r, const struct yaml *n)
{
	static const char *const keys[] = { "do", "before", "after", NULL };
	const struct yaml *c;
	const char *text;

	if (n->kind != YAML_MAP || !yaml_get(n, "before") || !yaml_get(n, "after"))
		return read_fail(r, n, "'run' must be a map with 'before' and 'after'");
	if (yaml_check_keys(n, r->file, keys, r->err))
		return -1;
	for (c = n->child; c; c = c->next)
		if (read_text(r, c, &text))
			return -1;
	return 0;
}

static int example_read(struct reader *r, const struct yaml *n, struct rule_example *e)
{
	static const char *const keys[] = { "before", "after", "dual", "same", "run", NULL };
	const struct yaml *before = yaml_get(n, "before"), *after = yaml_get(n, "after");
	const struct yaml *same = yaml_get(n, "same"), *dual = yaml_get(n, "dual");
	const struct yaml *stated = yaml_get(n, "run");

	if (n->kind != YAML_MAP)
		return read_fail(r, n, "an example must be a map");
	if (yaml_check_keys(n, r->file, keys, r->err))
		return -1;
	if (!same == !before || !before != !after || (dual && same))
		return read_fail(r, n, "an example is either 'before' and 'after', or 'same'");
	if (same && stated)
		return read_fail(r, stated, "'run' needs a 'before'");
	if (stated && stated_read(r, stated))
		return -1;
	e->line = n->line;
	e->path = "snippet.py";
	if (same)
		return snippet_read(r, same, &e->path, &e->text);
	if (snippet_read(r, before, &e->path, &e->text) || (dual && read_text(r, dual, &e->dual)))
		return -1;
	return read_text(r, after, &e->after);
}

static int examples_read(struct reader *r, const struct yaml *n, struct rule *rule)
{
	const struct yaml *c;
	int befores = 0, sames = 0;
	struct rule_example *e;

	if (n->kind != YAML_LIST)
		return read_fail(r, n, "'examples' must be a list");
	rule->examples = arena_array(r->arena, n->nr + 1, sizeof(*rule->examples));
	for (c = n->child; c; c = c->next) {
		e = &rule->examples[rule->nr_examples++];
		if (example_read(r, c, e))
			return -1;
		e->rule = rule->id;
		e->request = rule->request;
		e->name = arena_fmt(r->arena, "%s %s %d", rule->id, e->after ? "before" : "same",
				    e->after ? ++befores : ++sames);
	}
	if (!befores || !sames)
		return read_fail(r, n, "'examples' must have one 'before' and one 'same' at least");
	return 0;
}

static int alternatives_read(struct reader *r, const struct yaml *n, struct rule *rule)
{
	static const char *const keys[] = { "name", "description", NULL };
	const struct yaml *c, *name, *text;
	struct rule_alternative *alt;

	if (n->kind != YAML_LIST)
		return read_fail(r, n, "'alternatives' must be a list");
	rule->alternatives = arena_array(r->arena, n->nr + 1, sizeof(*rule->alternatives));
	for (c = n->child; c; c = c->next) {
		alt = &rule->alternatives[rule->nr_alternatives++];
		name = yaml_get(c, "name");
		text = yaml_get(c, "description");
		if (c->kind != YAML_MAP || !name || !text)
			return read_fail(r, c, "an alternative has 'name' and 'description'");
		if (yaml_check_keys(c, r->file, keys, r->err) || read_text(r, name, &alt->name) ||
		    read_text(r, text, &alt->description))
			return -1;
	}
	return 0;
}

static int provides_read(struct reader *r, const struct yaml *n, struct rule *rule)
{
	return read_list(r, n, &rule->provides);
}

static int aliases_read(struct reader *r, const struct yaml *n, struct rule *rule)
{
	return read_list(r, n, &rule->aliases);
}

static int id_read(struct reader *r, const struct yaml *n, struct rule *rule)
{
	const char *base = path_base(r->file);
	size_t i;

	if (read_text(r, n, &rule->id))
		return -1;
	for (i = 2; i < 5 && isdigit((unsigned char)rule->id[i]); i++)
		;
	if (strncmp(rule->id, "PD", 2) || i != 5 || rule->id[5])
		return read_fail(r, n, "an id is PD and three digits, not '%s'", rule->id);
	if (strncmp(base, rule->id, 5) || strcmp(base + 5, ".yml"))
		return read_fail(r, n, "id '%s' in a file called '%s'", rule->id, base);
	return 0;
}

/* NULL as name: the key called like the target, which holds its version range. */
static const struct rule_key {
	const char *name;
	bool required;
	rule_reader read;
} rule_keys[] = {
	{ "id", true, id_read },
	{ "name", true, name_read },
	{ "layer", true, layer_read },
	{ "level", true, level_read },
	{ "level_if_guarded", false, guarded_read },
	{ "level_if_unsure", false, unsure_read },
	{ NULL, true, range_read },
	{ "build", false, build_read },
	{ "generic", false, generic_read },
	{ "beside_generic", false, beside_read },
	{ "unless_fixed", false, unless_fixed_read },
	{ "raises", false, raises_read },
	{ "on_request", false, request_read },
	{ "match", true, rule_match_read },
	{ "message", true, message_read },
	{ "group", false, group_read },
	{ "fix", false, rule_fix_read },
	{ "keep", false, keep_read },
	{ "verified", true, verified_read },
	{ "gpu_unverified", false, gpu_read },
	{ "why", true, why_read },
	{ "reproducer", false, reproducer_read },
	{ "examples", true, examples_read },
	{ "alternatives", false, alternatives_read },
	{ "provides", false, provides_read },
	{ "aliases", false, aliases_read },
};
#define RULE_KEYS (sizeof(rule_keys) / sizeof(*rule_keys))

static const char *rule_key_name(const struct reader *r, const struct rule_key *k)
{
	return k->name ? k->name : r->vocab->target_roots[0];
}

/* In the order of the table: examples need the id. */
static int rule_read(struct reader *r, const struct yaml *root, struct rule *rule)
{
	const char *names[RULE_KEYS + 1] = { 0 };
	const struct yaml *n;
	size_t i;

	if (root->kind != YAML_MAP)
		return read_fail(r, root, "a rule must be a map");
	for (i = 0; i < RULE_KEYS; i++)
		names[i] = rule_key_name(r, &rule_keys[i]);
	if (yaml_check_keys(root, r->file, names, r->err))
		return -1;
	rule->file = r->file;
	rule->level_if_unsure = -1;
	for (i = 0; i < RULE_KEYS; i++) {
		n = yaml_get(root, names[i]);
		if (!n && rule_keys[i].required)
			return err_set(r->err, "%s: key '%s' is missing", r->file, names[i]);
		if (n && rule_keys[i].read(r, n, rule))
			return -1;
	}
	return 0;
}

/* For how many of the targets the rule holds. */
static size_t rule_targets(const struct rule *rule, const struct target *t, size_t nr)
{
	size_t i, holds = 0;

	for (i = 0; i < nr; i++)
		holds += range_has(rule->range, t[i].version) &&
			 (!rule->build || !strcmp(rule->build, t[i].build));
	return holds;
}

static int rule_compare(const void *a, const void *b)
{
	return strcmp(((const struct rule *)a)->id, ((const struct rule *)b)->id);
}

static bool is_about_markers(const struct rule *rule)
{
	size_t i, k;

	for (i = 0; i < rule->match.nr; i++)
		for (k = 0; k < rule->match.v[i].nr_kinds; k++)
			if (rule->match.v[i].kinds[k].kind != FACT_MARKER)
				return false;
	return true;
}

static int rules_check(struct rules *r, struct arena *a, struct err *err)
{
	const char *what;
	size_t i;

	for (i = 0; i < r->nr; i++) {
		if (i && !strcmp(r->v[i].id, r->v[i - 1].id))
			return err_set(err, "%s: id '%s' is also in %s", r->v[i].file, r->v[i].id,
				       r->v[i - 1].file);
		if (r->v[i].keep_until && condition_check(r->v[i].keep_until, r, a, &what))
			return err_set(err, "%s: keep: %s", r->v[i].file, what);
		if (r->v[i].level == LEVEL_EXPIRED && !is_about_markers(&r->v[i]))
			return err_set(err, "%s: only markers can have the level 'expired'",
				       r->v[i].file);
	}
	return 0;
}

/* Rule files are the YAML files one folder down whose name begins with PD. */
static bool asset_is_rule(const char *path)
{
	const char *base = path_base(path), *slash = strchr(path, '/');

	return slash && base == slash + 1 && str_starts(base, "PD") && str_ends(base, ".yml");
}

static int rule_load(struct reader *r, const struct assets *assets, const struct asset *as,
		     struct rule *rule)
{
	struct yaml *root;

	r->file = asset_name(assets, r->arena, as->path);
	if (asset_yaml(&root, r->arena, assets, as, r->err))
		return -1;
	return rule_read(r, root, rule);
}

int rules_load(struct rules **out, struct arena *a, const struct assets *assets,
	       const struct target *targets, size_t nr_targets, struct err *err)
{
	struct rules *r = ARENA_NEW(a, struct rules);
	struct reader reader = { .arena = a, .err = err };
	VEC(struct rule) v = { 0 };
	struct vocab *vocab;
	size_t i, holds;

	if (words_load(&vocab, &r->words, a, assets, err))
		return -1;
	r->vocab = reader.vocab = vocab;
	r->targets = targets;
	r->nr_targets = nr_targets;
	for (i = 0; i < assets->nr; i++)
		if (asset_is_rule(assets->v[i].path) &&
		    rule_load(&reader, assets, &assets->v[i], VEC_PUSH(a, &v)))
			return -1;
	if (v.nr > RULES_MAX)
		return err_set(err, "more than %d rules", RULES_MAX);
	if (v.nr)
		qsort(v.v, v.nr, sizeof(*v.v), rule_compare);
	r->v = v.v;
	r->nr = v.nr;
	r->ids = arena_array(a, r->nr + 1, sizeof(*r->ids));
	for (i = 0; i < r->nr; i++) {
		r->ids[i] = r->v[i].id;
		holds = rule_targets(&r->v[i], targets, nr_targets);
		r->v[i].active = holds > 0;
		r->v[i].everywhere = holds == nr_targets;
		/* What is undone needs no more than what was done. */
		if (r->v[i].level != LEVEL_EXPIRED)
			r->v[i].since = range_since(r->v[i].range, a);
	}
	if (rules_check(r, a, err))
		return -1;
	r->index = index_build(r, a);
	*out = r;
	return 0;
}

void rules_ask(struct rules *r, unsigned requests, const struct repo *repo)
{
	r->requests = requests;
	r->repo = repo;
}

const char *const *rules_ids(const struct rules *r)
{
	return r->ids;
}

const struct rule *rules_find(const struct rules *r, const char *id)
{
	size_t i;

	for (i = 0; i < r->nr; i++)
		if (!strcmp(r->v[i].id, id))
			return &r->v[i];
	return NULL;
}

bool rules_has(const struct rules *r, const char *id)
{
	return rules_find(r, id) != NULL;
}

static bool rule_is_called(const struct rule *rule, const char *word)
{
	const char *const *alias = rule->aliases;

	if (!strcmp(rule->id, word) || !strcmp(rule->name, word))
		return true;
	for (; alias && *alias; alias++)
		if (!strcmp(*alias, word))
			return true;
	return false;
}

const char *rules_called(const struct rules *r, struct arena *a, const char *word)
{
	const char *ids = NULL;
	size_t i;

	for (i = 0; i < r->nr; i++)
		if (rule_is_called(&r->v[i], word))
			ids = ids ? arena_fmt(a, "%s,%s", ids, r->v[i].id) : r->v[i].id;
	return ids;
}
