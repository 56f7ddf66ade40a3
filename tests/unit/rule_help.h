/*
 * rule_help.h - rules from text and facts by hand, for the tests of rule/.
 */
#ifndef RULE_HELP_H
#define RULE_HELP_H

#include <stdlib.h>
#include <string.h>

#include "rule/rule.h"
#include "unit.h"

/* A rule file around `body`, which gives layer, level, match and what else the test is about. */
#define RULE_HEAD "id: PD900\nname: test\npaddle: \">=3.3\"\n"
#define RULE_TAIL                                                                                  \
	"message: $name is wrong\n"                                                                \
	"verified: {paddle: 3.3.1, build: cpu, how: run}\n"                                        \
	"why: because\n"                                                                           \
	"examples:\n  - {before: a, after: b}\n  - {same: c}\n"
#define RULE(body) RULE_HEAD "layer: glue\nlevel: change\n" body RULE_TAIL

static const struct target help_target = { "3.3.1", "cuda", "shipped" };

struct help {
	struct arena arena;
	struct assets own;
	struct rules *rules;
	struct fact facts[32];
	struct guard guards[16];
	struct def defs[16];
	struct source source;
	struct findings found;
};

/* Load vocabulary.yml as shipped and the rule files given as path, text, ..., NULL. */
static inline int help_load_files(struct help *h, const char *const *files, struct err *err)
{
	struct assets as = { 0 };
	struct asset *v;
	size_t nr = 0, i;

	ck_assert_int_eq(assets_load(&h->own, &h->arena, NULL, err), 0);
	while (files[nr * 2])
		nr++;
	v = arena_array(&h->arena, nr + 1, sizeof(*v));
	for (i = 0; i < nr; i++)
		v[i] = (struct asset){ files[2 * i], files[2 * i + 1], strlen(files[2 * i + 1]) };
	v[nr] = *asset_get(&h->own, "vocabulary.yml");
	as.v = v;
	as.nr = nr + 1;
	return rules_load(&h->rules, &h->arena, &as, &help_target, 1, err);
}

static inline int help_load(struct help *h, const char *text, struct err *err)
{
	const char *files[] = { "area/PD900.yml", text, NULL };

	return help_load_files(h, files, err);
}

static inline void help_init(struct help *h, const char *text)
{
	struct err err = { 0 };

	memset(h, 0, sizeof(*h));
	if (help_load(h, text, &err))
		ck_abort_msg("%s", err.msg);
	h->source = (struct source){ .path = "pkg/a.py", .module = "pkg.a", .lang = LANG_PYTHON,
				     .layer = LAYER_GLUE, .facts = h->facts, .guards = h->guards,
				     .defs = h->defs };
}

/* All rules as shipped. */
static inline void help_init_shipped(struct help *h)
{
	struct err err = { 0 };

	help_init(h, RULE("match: {use: never.there}\n"));
	if (rules_load(&h->rules, &h->arena, &h->own, &help_target, 1, &err))
		ck_abort_msg("%s", err.msg);
}

/* A fact at [start, start + length of its name). */
static inline struct fact *help_fact(struct help *h, enum fact_kind kind, const char *name,
				     uint32_t start, uint32_t flags)
{
	struct fact *f = &h->facts[h->source.nr_facts++];

	*f = (struct fact){ .kind = kind, .name = name, .flags = flags, .symbol = "",
			    .guard = -1, .def = -1 };
	f->span = (struct span){ start, start + (uint32_t)strlen(name) };
	f->stmt = f->span;
	return f;
}

static inline struct guard *help_guard(struct help *h, enum guard_kind kind, struct span body,
				       struct span other)
{
	struct guard *g = &h->guards[h->source.nr_guards++];

	*g = (struct guard){ .kind = kind, .parent = -1, .body = body, .other = other };
	return g;
}

/* Match; "PD900@12 PD900@40:note" - offsets, levels other than change. */
static inline const char *help_match(struct help *h)
{
	struct strbuf sb = STRBUF_INIT;
	const char *out;
	size_t i;

	h->found = (struct findings){ 0 };
	rules_match(h->rules, NULL, &h->source, &h->arena, &h->found);
	for (i = 0; i < h->found.nr; i++) {
		const struct finding *f = h->found.v[i];

		strbuf_addf(&sb, "%s%s@%u", i ? " " : "", f->rule, f->span.start);
		if (f->level != LEVEL_CHANGE)
			strbuf_addf(&sb, ":%s", level_name(f->level));
	}
	out = arena_strndup(&h->arena, sb.buf, sb.len);
	strbuf_release(&sb);
	return out;
}

#endif
