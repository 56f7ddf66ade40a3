/* rules.c - `rules` and `explain`: the catalogue. */
#include <ctype.h>
#include <string.h>

#include "base/yaml.h"
#include "cmd/cmd.h"
#include "rule/rule.h"

static int catalogue_load(struct cmd *c, struct rules **rules, struct err *err)
{
	struct assets assets;
	struct target *targets;
	size_t nr;

	if (common_targets(c, &assets, &targets, &nr, err))
		return -1;
	return rules_load(rules, &c->arena, &assets, targets, nr, err);
}

static int rules_run(struct cmd *c, struct err *err)
{
	static const char *const words[] = {"list", "test", NULL};
	const char *word = c->nr_args ? c->args[0] : "list", *near;
	struct rules *rules;

	if (c->nr_args > 1)
		return err_set(err, "rules %s takes no argument '%s'", word, c->args[1]);
	if (!strcmp(word, "test"))
		return rules_test(c, err);
	if (!strcmp(word, "list")) {
		if (catalogue_load(c, &rules, err))
			return -1;
		rules_list(rules, &c->out);
		return STATUS_OK;
	}
	near = nearest_word(word, words);
	return near ? err_set(err, "unknown command 'rules %s' (did you mean '%s'?)", word, near)
		    : err_set(err, "unknown command 'rules %s'", word);
}

const struct command cmd_rules = {
	.name = "rules",
	.usage = "list | test [--rule ID]",
	.summary = "list the rules, or run every example that stands in them",
	.about = "test writes each example to a fresh folder, analyses it and removes it; status 1 "
		 "when\n"
		 "a rule does not find its 'before', finds its 'same' or 'after', or its edits do "
		 "not\n"
		 "make 'after' of 'before'.\n",
	.run = rules_run,
};

static int explain_one(struct cmd *c, const struct rules *rules, const char *given, struct err *err)
{
	char *id = arena_strdup(&c->arena, given), *p;
	const char *near;

	for (p = id; *p; p++)
		*p = (char)toupper((unsigned char)*p);
	if (rules_has(rules, id))
		return rules_explain(rules, id, &c->out, err);
	near = nearest_word(id, rules_ids(rules));
	return near ? err_set(err, "no rule '%s' (did you mean '%s'?)", given, near)
		    : err_set(err, "no rule '%s'; see 'pdmigrate rules list'", given);
}

static int explain_run(struct cmd *c, struct err *err)
{
	struct rules *rules;
	int i;

	if (!c->nr_args)
		return err_set(err, "explain wants the id of a rule");
	if (catalogue_load(c, &rules, err))
		return -1;
	for (i = 0; i < c->nr_args; i++) {
		if (i)
			strbuf_addch(&c->out, '\n');
		if (explain_one(c, rules, c->args[i], err))
			return -1;
	}
	return STATUS_OK;
}

const struct command cmd_explain = {
	.name = "explain",
	.usage = "ID...",
	.summary = "say in words what a rule is about and what to do",
	.about = "",
	.run = explain_run,
};
