/*
 * config.c - `.pdmigrate.yml`, and `config show`.
 *
 * One table of keys. A key gives what the command line has not said; unknown keys and values are errors
 * with file, line and a suggestion. The file belongs to the analysed tree: it can name no path outside
 * it and nothing that is run or read as knowledge.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/json.h"
#include "base/path.h"
#include "base/yaml.h"
#include "cmd/cmd.h"
#include "rule/rule.h"

#define CONFIG_NAME ".pdmigrate.yml"
#define CONFIG_MAX  (1u << 20)
#define KEYS_MAX    32

enum key_kind {
	KEY_TEXT,   /* const char * */
	KEY_CHOICE, /* const char *, one of `words` */
	KEY_TEXTS,  /* const char *: one text, or a list joined by commas */
	KEY_PATH,   /* const char *, below the root */
	KEY_GLOBS,  /* struct opt_list */
	KEY_BOOL,   /* bool */
	KEY_NUMBER, /* int, -1: not said */
	KEY_RULES,  /* map of ids to "off" or a level */
};

struct config_key {
	const char *key;
	enum key_kind kind;
	size_t offset; /* in struct cmd_options */
	const char *const *words;
	const char *fallback; /* what holds where nobody says anything */
};

#define OWN(field) offsetof(struct cmd_options, field)
static const struct config_key config_keys[] = {
	{"target", KEY_TEXTS, OWN(run.versions), NULL, "the newest version"},
	{"build", KEY_CHOICE, OWN(run.target_build), build_words, "cuda"},
	{"exclude", KEY_GLOBS, OWN(run.exclude), NULL, "nothing"},
	{"rules", KEY_RULES, OWN(run.levels), NULL, "as they are"},
	{"fail-on", KEY_CHOICE, OWN(fail_on), level_words, "change"},
	{"max-findings", KEY_NUMBER, OWN(max_findings), NULL, "0"},
	{"strict", KEY_BOOL, OWN(strict), NULL, "no"},
	{"baseline", KEY_PATH, OWN(baseline), NULL, "none"},
	{"markers", KEY_CHOICE, OWN(markers), marker_words, "full"},
	{"marker-tag", KEY_TEXT, OWN(marker_tag), NULL, "the target's"},
	{"deps", KEY_CHOICE, OWN(run.deps), deps_words, "comment"},
	{"entries", KEY_BOOL, OWN(run.entries), NULL, "no"},
	{"hoist", KEY_BOOL, OWN(run.hoist), NULL, "no"},
	{"include-vendored", KEY_BOOL, OWN(run.vendored), NULL, "no"},
	{NULL, KEY_TEXT, 0, NULL, NULL},
};

/* A configuration that is being read. */
struct config {
	struct cmd *c;
	const char *name; /* for messages */
	struct yaml *map; /* NULL: there is none */
	bool said[KEYS_MAX]; /* by the command line */
};

static void *slot_of(struct cmd *c, const struct config_key *k)
{
	return (char *)&c->o + k->offset;
}

static bool slot_said(struct cmd *c, const struct config_key *k)
{
	const void *slot = slot_of(c, k);

	switch (k->kind) {
	case KEY_BOOL:
		return *(const bool *)slot;
	case KEY_NUMBER:
		return *(const int *)slot >= 0;
	case KEY_GLOBS:
		return ((const struct opt_list *)slot)->nr != 0;
	default:
		return *(const char *const *)slot != NULL;
	}
}

/* ---- values ------------------------------------------------------------------------------------- */

static int text_take(struct config *f, const struct yaml *n, const char **out, struct err *err)
{
	if (n->kind != YAML_TEXT || !*n->text)
		return err_set(err, "%s:%d: '%s' wants a text", f->name, n->line, n->key);
	*out = n->text;
	return 0;
}

static int word_check(struct config *f, const struct yaml *n, const char *what,
		      const char *const *words, struct err *err)
{
	const char *near;

	if (n->kind == YAML_TEXT && list_has(words, n->text))
		return 0;
	near = n->kind == YAML_TEXT ? nearest_word(n->text, words) : NULL;
	if (near)
		return err_set(err, "%s:%d: unknown %s '%s' (did you mean '%s'?)", f->name, n->line,
			       what, n->text, near);
	return err_set(err, "%s:%d: unknown %s '%s'", f->name, n->line, what,
		       n->kind == YAML_TEXT ? n->text : yaml_kind_name(n->kind));
}

static int list_take(struct config *f, const struct yaml *n, struct opt_list *out, struct err *err)
{
	const struct yaml *e;

	if (n->kind == YAML_TEXT) {
		*VEC_PUSH(&f->c->arena, out) = n->text;
		return 0;
	}
	for (e = n->kind == YAML_LIST ? n->child : NULL; e; e = e->next) {
		if (e->kind != YAML_TEXT || !*e->text)
			return err_set(err, "%s:%d: an element of '%s' is a text", f->name, e->line,
				       n->key);
		*VEC_PUSH(&f->c->arena, out) = e->text;
	}
	return n->kind == YAML_LIST ? 0
				    : err_set(err, "%s:%d: '%s' wants a text or a list", f->name,
					      n->line, n->key);
}

static int texts_take(struct config *f, const struct yaml *n, const char **out, struct err *err)
{
	struct strbuf sb = STRBUF_INIT;
	struct opt_list list = {0};
	size_t i;

	if (list_take(f, n, &list, err))
		return -1;
	for (i = 0; i < list.nr; i++)
		strbuf_addf(&sb, "%s%s", i ? "," : "", list.v[i]);
	*out = arena_strndup(&f->c->arena, sb.buf, sb.len);
	strbuf_release(&sb);
	return 0;
}

static int bool_take(struct config *f, const struct yaml *n, bool *out, struct err *err)
{
	static const char *const words[] = {"true", "yes", "false", "no", NULL};

	if (word_check(f, n, "value", words, err))
		return -1;
	*out = *n->text == 't' || *n->text == 'y';
	return 0;
}

static int number_take(struct config *f, const struct yaml *n, int *out, struct err *err)
{
	const char *s = n->kind == YAML_TEXT ? n->text : "";

	if (!*s || strlen(s) > 9 || s[strspn(s, "0123456789")])
		return err_set(err, "%s:%d: '%s' wants a number", f->name, n->line, n->key);
	*out = (int)strtol(s, NULL, 10);
	return 0;
}

static int path_take(struct config *f, const struct yaml *n, const char **out, struct err *err)
{
	const char *text = NULL;

	if (text_take(f, n, &text, err))
		return -1;
	*out = *text == '/' ? NULL : path_resolve(&f->c->arena, "", text);
	if (!*out || !**out)
		return err_set(err, "%s:%d: '%s' is not below the root", f->name, n->line, text);
	f->c->o.baseline_inside = true;
	return 0;
}

static int rule_take(struct config *f, const struct yaml *n, const struct rules *rules,
		     struct rule_level *out, struct err *err)
{
	static const char *const words[] = {"off", "note", "check", "change", "blocked", NULL};
	const char *near;
	int i;

	if (!rules_has(rules, n->key)) {
		near = nearest_word(n->key, rules_ids(rules));
		return near ? err_set(err, "%s:%d: no rule '%s' (did you mean '%s'?)", f->name,
				      n->key_line, n->key, near)
			    : err_set(err, "%s:%d: no rule '%s'", f->name, n->key_line, n->key);
	}
	if (word_check(f, n, "level", words, err))
		return -1;
	*out = (struct rule_level){.rule = n->key, .off = !strcmp(n->text, "off")};
	for (i = 0; i <= LEVEL_BLOCKED; i++)
		if (!strcmp(level_name((enum level)i), n->text))
			out->level = (enum level)i;
	return 0;
}

static int rules_take(struct config *f, const struct yaml *n, struct err *err)
{
	struct run_options *o = &f->c->o.run;
	struct rule_level *levels = arena_array(&f->c->arena, n->nr + 1, sizeof(*levels));
	struct assets assets;
	struct target *targets;
	struct rules *rules;
	const struct yaml *e;
	size_t nr = 0, nr_targets;

	if (n->kind != YAML_MAP)
		return err_set(err, "%s:%d: 'rules' wants a map of ids", f->name, n->line);
	if (assets_load(&assets, &f->c->arena, o->rules_dir, err) ||
	    run_targets(&targets, &nr_targets, &f->c->arena, &assets, o, err) ||
	    rules_load(&rules, &f->c->arena, &assets, targets, nr_targets, err))
		return -1;
	for (e = n->child; e; e = e->next)
		if (rule_take(f, e, rules, &levels[nr++], err))
			return -1;
	o->levels = levels;
	o->nr_levels = nr;
	return 0;
}

static int key_take(struct config *f, const struct config_key *k, const struct yaml *n,
		    struct err *err)
{
	void *slot = slot_of(f->c, k);

	switch (k->kind) {
	case KEY_TEXT:
		return text_take(f, n, slot, err);
	case KEY_CHOICE:
		return word_check(f, n, "value", k->words, err) || text_take(f, n, slot, err);
	case KEY_TEXTS:
		return texts_take(f, n, slot, err);
	case KEY_PATH:
		return path_take(f, n, slot, err);
	case KEY_GLOBS:
		return list_take(f, n, slot, err);
	case KEY_BOOL:
		return bool_take(f, n, slot, err);
	case KEY_NUMBER:
		return number_take(f, n, slot, err);
	case KEY_RULES:
		return rules_take(f, n, err);
	}
	return 0;
}

/* ---- the file ----------------------------------------------------------------------------------- */

/* The tree's own file, beneath its root. *text.data NULL: there is none. */
static int own_read(struct config *f, struct fs_text *text, struct err *err)
{
	const char *path = f->c->o.run.path, *root = path;
	struct stat st;
	int fd, ret = 0;
	size_t n;

	if (!stat(path, &st) && !S_ISDIR(st.st_mode)) {
		n = path_dirlen(path);
		root = n ? arena_strndup(&f->c->arena, path, n) : *path == '/' ? "/" : ".";
	}
	f->name = strcmp(root, ".") ? path_join(&f->c->arena, root, CONFIG_NAME) : CONFIG_NAME;
	fd = fs_open_dir(root, err);
	if (fd < 0)
		return -1;
	if (!fstatat(fd, CONFIG_NAME, &st, AT_SYMLINK_NOFOLLOW) &&
	    fs_read(fd, CONFIG_NAME, CONFIG_MAX, text, err))
		ret = err_context(err, "%s", f->name);
	close(fd);
	return ret;
}

static int config_parse(struct config *f, const struct fs_text *text, struct err *err)
{
	const char *names[KEYS_MAX + 1];
	size_t i;

	for (i = 0; config_keys[i].key; i++)
		names[i] = config_keys[i].key;
	names[i] = NULL;
	if (yaml_parse(&f->map, &f->c->arena, f->name, text->data, text->len, err))
		return -1;
	if (f->map->kind != YAML_MAP)
		return err_set(err, "%s:%d: a map of keys is wanted", f->name, f->map->line);
	return yaml_check_keys(f->map, f->name, names, err);
}

static int config_load(struct config *f, struct err *err)
{
	struct cmd *c = f->c;
	struct fs_text text = {0};
	size_t i;
	int ret;

	for (i = 0; config_keys[i].key; i++)
		f->said[i] = slot_said(c, &config_keys[i]);
	if (c->o.no_config)
		return c->o.config ? err_set(err, "--config and --no-config exclude each other") : 0;
	f->name = c->o.config;
	ret = f->name ? fs_read_path(f->name, CONFIG_MAX, &text, err) : own_read(f, &text, err);
	if (ret || !text.data)
		return ret;
	ret = config_parse(f, &text, err);
	fs_text_free(&text);
	for (i = 0; !ret && config_keys[i].key; i++) {
		const struct yaml *n = yaml_get(f->map, config_keys[i].key);

		if (n && !f->said[i])
			ret = key_take(f, &config_keys[i], n, err);
	}
	return ret ? -1 : 0;
}

int config_apply(struct cmd *c, struct err *err)
{
	struct config f = {.c = c};
	/* A comparison that is asked for by hand takes the place of the configuration's. */
	bool compared = c->o.baseline || c->o.baseline_commit || c->o.diff_base;

	if (config_load(&f, err))
		return -1;
	if (compared && c->o.baseline_inside) {
		c->o.baseline = NULL;
		c->o.baseline_inside = false;
	}
	return 0;
}

/* ---- config show -------------------------------------------------------------------------------- */

static void value_print(struct strbuf *out, struct cmd *c, const struct config_key *k)
{
	const void *slot = slot_of(c, k);
	const struct opt_list *list = slot;
	size_t i;

	switch (k->kind) {
	case KEY_BOOL:
		strbuf_addstr(out, *(const bool *)slot ? "yes" : "no");
		break;
	case KEY_NUMBER:
		strbuf_addf(out, "%d", *(const int *)slot);
		break;
	case KEY_GLOBS:
		for (i = 0; i < list->nr; i++)
			strbuf_addf(out, "%s%s", i ? ", " : "", list->v[i]);
		break;
	case KEY_RULES:
		for (i = 0; i < c->o.run.nr_levels; i++)
			strbuf_addf(out, "%s%s: %s", i ? ", " : "", c->o.run.levels[i].rule,
				    c->o.run.levels[i].off ? "off"
							   : level_name(c->o.run.levels[i].level));
		break;
	default:
		strbuf_addstr(out, *(const char *const *)slot);
	}
}

static void key_print(struct config *f, size_t i, struct json *j)
{
	const struct config_key *k = &config_keys[i];
	const struct yaml *n = yaml_get(f->map, k->key);
	struct strbuf value = STRBUF_INIT, from = STRBUF_INIT;

	if (slot_said(f->c, k))
		value_print(&value, f->c, k);
	else
		strbuf_addstr(&value, k->fallback);
	if (f->said[i])
		strbuf_addstr(&from, "command line");
	else if (n)
		strbuf_addf(&from, "%s:%d", f->name, n->key_line);
	else
		strbuf_addstr(&from, "default");
	if (j) {
		json_key(j, k->key);
		json_open(j, '{');
		json_kstr(j, "value", value.buf);
		json_kstr(j, "from", from.buf);
		json_close(j, '}');
	} else {
		strbuf_addf(&f->c->out, "%-16s ", k->key);
		path_print(&f->c->out, value.buf);
		strbuf_addstr(&f->c->out, "  (");
		path_print(&f->c->out, from.buf);
		strbuf_addstr(&f->c->out, ")\n");
	}
	strbuf_release(&value);
	strbuf_release(&from);
}

static int config_run(struct cmd *c, struct err *err)
{
	struct config f = {.c = c};
	struct json j;
	size_t i;

	if (!c->nr_args || strcmp(c->args[0], "show"))
		return err_set(err, "config has one part: 'config show [PATH]'");
	c->args++;
	c->nr_args--;
	if (common_path(c, &c->o.run.path, ".", err) || config_load(&f, err))
		return -1;
	if (!c->o.json) {
		for (i = 0; config_keys[i].key; i++)
			key_print(&f, i, NULL);
		return STATUS_OK;
	}
	json_init(&j, &c->out, false);
	json_open(&j, '{');
	for (i = 0; config_keys[i].key; i++)
		key_print(&f, i, &j);
	json_close(&j, '}');
	strbuf_addch(&c->out, '\n');
	return STATUS_OK;
}

static const struct opt config_options[] = {
	GATE_OPTIONS,
	BASELINE_OPTIONS,
	CONFIG_OPTIONS,
	PLAN_OPTIONS,
	{0},
};

const struct command cmd_config = {
	.name = "config",
	.usage = "show [OPTIONS] [PATH]",
	.summary = "print what holds for a tree, and where it was said",
	.about = "The configuration is " CONFIG_NAME " in PATH. What the command line says comes first.\n",
	.options = config_options,
	.run = config_run,
};
