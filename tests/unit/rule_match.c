/* rule_match.c - which rules hold at which facts. */
#include "rule_help.h"

static const char *match_one(const char *rule, enum fact_kind kind, const char *name, uint32_t flags)
{
	static struct help h;

	arena_free(&h.arena);
	help_init(&h, rule);
	help_fact(&h, kind, name, 5, flags);
	return help_match(&h);
}

#define HITS(rule, kind, name, flags) ck_assert_str_eq(match_one(rule, kind, name, flags), "PD900@5")
#define MISSES(rule, kind, name, flags) ck_assert_str_eq(match_one(rule, kind, name, flags), "")

UNIT_TEST(rule_match_names)
{
	const char *exact = RULE("match: {use: torch.a.b}\n");
	const char *glob = RULE("match: {use: \"torch.a.*\"}\n");
	const char *inner = RULE("match: {use: \"*.a.*_b\"}\n");
	const char *call = RULE("match: {call: torch.a}\n");

	HITS(exact, FACT_USE, "torch.a.b", 0);
	HITS(exact, FACT_USE, "torch.a.b", F_CALL);
	MISSES(exact, FACT_USE, "torch.a.b.c", 0);
	MISSES(exact, FACT_USE, "torch.a", 0);
	MISSES(exact, FACT_IMPORT, "torch.a.b", 0);
	HITS(glob, FACT_USE, "torch.a.b", 0);
	HITS(glob, FACT_USE, "torch.a.b.c", 0);
	MISSES(glob, FACT_USE, "torch.a", 0);
	MISSES(glob, FACT_USE, "torch.ab.c", 0);
	HITS(inner, FACT_USE, "x.a.c_b", 0);
	MISSES(inner, FACT_USE, "x.a.c_d", 0);
	HITS(call, FACT_USE, "torch.a", F_CALL);
	MISSES(call, FACT_USE, "torch.a", 0);
	HITS(RULE("match: {string: \"torch.\"}\n"), FACT_STRING, "torch.", 0);
	HITS(RULE("match: {use: \"*\"}\n"), FACT_USE, "", 0);
}

UNIT_TEST(rule_match_flags)
{
	const char *all = RULE("match: {use: a, flags: [union, annotation], not_flags: call}\n");
	const char *never = RULE("match: {use: a, flags: postponed}\n");
	const char *scope = RULE("match: {use: a, scope: module}\n");

	HITS(all, FACT_USE, "a", F_UNION | F_ANNOTATION);
	MISSES(all, FACT_USE, "a", F_UNION);
	MISSES(all, FACT_USE, "a", F_UNION | F_ANNOTATION | F_CALL);
	MISSES(all, FACT_USE, "a", F_UNION | F_ANNOTATION | F_POSTPONED);
	HITS(never, FACT_USE, "a", F_POSTPONED);
	MISSES(RULE("match: {use: a}\n"), FACT_USE, "a", F_CHECKING);
	HITS(scope, FACT_USE, "a", 0);
	MISSES(scope, FACT_USE, "a", F_FUNCTION);
}

static const char *match_args(const char *rule, struct arg *args, size_t nr, uint32_t flags)
{
	static struct help h;
	struct fact *f;

	arena_free(&h.arena);
	help_init(&h, rule);
	f = help_fact(&h, FACT_USE, "f", 5, F_CALL | flags);
	f->args = args;
	f->nr_args = nr;
	return help_match(&h);
}

UNIT_TEST(rule_match_arguments)
{
	const char *dim = RULE("match: {call: f, argument: {keyword: dim, position: 1}}\n");
	const char *axis = RULE("match: {call: f, argument: {keyword: axis, absent: true}}\n");
	const char *list = RULE("match: {call: f, argument: {position: 0, value: list}}\n");
	const char *two = RULE("match: {call: f, min_positional: 2, max_args: 2}\n");
	struct arg number = { .value = VALUE_NUMBER, .text = "1" }, items = { .value = VALUE_LIST };
	struct arg kw = { .keyword = "dim", .value = VALUE_NUMBER }, splat = { .splat = true };
	struct arg named[] = { number, kw }, positional[] = { items, number };
	struct arg hidden[] = { splat, number }, one[] = { number };

	ck_assert_str_eq(match_args(dim, named, 2, 0), "PD900@5");
	ck_assert_str_eq(match_args(dim, positional, 2, 0), "PD900@5");
	ck_assert_str_eq(match_args(dim, one, 1, 0), "");
	ck_assert_str_eq(match_args(dim, hidden, 2, F_SPLAT), "");
	ck_assert_str_eq(match_args(axis, named, 2, 0), "PD900@5");
	ck_assert_str_eq(match_args(axis, hidden, 2, F_SPLAT), "");
	ck_assert_str_eq(match_args(list, positional, 2, 0), "PD900@5");
	ck_assert_str_eq(match_args(list, named, 2, 0), "");
	ck_assert_str_eq(match_args(two, positional, 2, 0), "PD900@5");
	ck_assert_str_eq(match_args(two, named, 2, 0), "");
}

UNIT_TEST(rule_match_places)
{
	struct help h;

	help_init(&h, RULE("match: {use: a, role: build-entry, path: \"setup.py\", layer: build}\n"));
	help_fact(&h, FACT_USE, "a", 1, 0);
	ck_assert_str_eq(help_match(&h), "");
	h.source.roles = ROLE_BUILD_ENTRY;
	h.source.path = "setup.py";
	h.source.layer = LAYER_BUILD;
	ck_assert_str_eq(help_match(&h), "PD900@1");
	arena_free(&h.arena);

	help_init(&h, RULE("match: {member: m, receiver: \"x.F#ctx\", not: {member: m, symbol: \"f*\"}}\n"));
	help_fact(&h, FACT_MEMBER, "m", 1, 0)->recv = "x.F#ctx";
	help_fact(&h, FACT_MEMBER, "m", 9, 0)->recv = "x.G";
	help_fact(&h, FACT_MEMBER, "m", 19, 0);
	help_fact(&h, FACT_MEMBER, "m", 29, 0)->recv = "x.F#ctx";
	h.facts[3].symbol = "f.g";
	ck_assert_str_eq(help_match(&h), "PD900@1");
	arena_free(&h.arena);
}

UNIT_TEST(rule_match_order_in_file)
{
	struct help h;

	help_init(&h, RULE("match: {import: [a, \"a.*\"], first_in_file: true, unless_preceded_by: {call: on}}\n"));
	help_fact(&h, FACT_IMPORT, "a.b", 10, 0);
	help_fact(&h, FACT_IMPORT, "a", 20, 0);
	help_fact(&h, FACT_USE, "on", 30, F_CALL);
	help_fact(&h, FACT_IMPORT, "a", 40, 0);
	ck_assert_str_eq(help_match(&h), "PD900@10");
	h.facts[0] = h.facts[2];
	h.facts[0].span.start = 5;
	ck_assert_str_eq(help_match(&h), "");
	arena_free(&h.arena);

	help_init(&h, RULE("match: {use: a, file_lacks: {use: b}, file_has: {use: c}}\n"));
	help_fact(&h, FACT_USE, "a", 1, 0);
	help_fact(&h, FACT_USE, "c", 2, 0);
	ck_assert_str_eq(help_match(&h), "PD900@1");
	help_fact(&h, FACT_USE, "b", 3, 0);
	ck_assert_str_eq(help_match(&h), "");
	arena_free(&h.arena);
}

/* A module is not reported when every build script that imports it did what is needed before. */
UNIT_TEST(rule_match_importers)
{
	struct fact entry[2];
	struct source setup = { .path = "setup.py", .roles = ROLE_BUILD_ENTRY, .facts = entry,
				.nr_facts = 2 };
	struct source *files[2] = { NULL, &setup };
	struct repo repo = { .files = files, .nr_files = 2 };
	struct findings found = { 0 };
	struct help h;

	help_init(&h, RULE("match: {import: a, unless_importers_have: {call: on}}\n"));
	help_fact(&h, FACT_IMPORT, "a", 1, 0);
	files[0] = &h.source;
	entry[0] = h.facts[0];
	entry[0].name = "pkg.a.x";
	entry[1] = h.facts[0];
	entry[1].kind = FACT_USE;
	entry[1].name = "on";
	entry[1].flags = F_CALL;
	entry[1].span.start = 100;
	rules_match(h.rules, &repo, &h.source, &h.arena, &found);
	ck_assert_uint_eq(found.nr, 1);
	entry[0].span.start = 200;
	found.nr = 0;
	rules_match(h.rules, &repo, &h.source, &h.arena, &found);
	ck_assert_uint_eq(found.nr, 0);
	arena_free(&h.arena);
}

UNIT_TEST(rule_match_generic)
{
	const char *files[] = {
		"area/PD900.yml",
		RULE("match: {use: torch.own}\n"),
		"area/PD901.yml",
		"id: PD901\nname: gap\npaddle: \">=3\"\nlayer: glue\nlevel: change\ngeneric: name\n"
		"level_if_unsure: check\n"
		"match: {use: \"*\", import: \"*\", verdict: gap}\n" RULE_TAIL,
		NULL,
	};
	struct err err = { 0 };
	struct guard *guard;
	struct help h;

	help_init(&h, RULE("match: {use: x}\n"));
	if (help_load_files(&h, files, &err))
		ck_abort_msg("%s", err.msg);
	help_fact(&h, FACT_USE, "torch.own", 1, 0)->verdict = VERDICT_GAP;
	help_fact(&h, FACT_USE, "torch.gone", 20, F_FUNCTION)->verdict = VERDICT_GAP;
	help_fact(&h, FACT_USE, "torch.there", 40, 0)->verdict = VERDICT_COVERED;
	help_fact(&h, FACT_USE, "torch.who", 60, 0)->verdict = VERDICT_UNKNOWN;
	ck_assert_str_eq(help_match(&h), "PD900@1 PD901@20");
	ck_assert(h.facts[0].has_rule && h.facts[1].has_rule && !h.facts[2].has_rule);
	h.source.reach = REACH_NONE;
	ck_assert_str_eq(help_match(&h), "PD900@1 PD901@20:check");
	h.source.roles = ROLE_TEST;
	ck_assert_str_eq(help_match(&h), "PD900@1 PD901@20");
	guard = help_guard(&h, GUARD_IF, (struct span){ 15, 40 }, (struct span){ 0, 0 });
	h.facts[1].guard = 0;
	guard->text = "mode";
	ck_assert_str_eq(help_match(&h), "PD900@1 PD901@20:check");
	guard->text = "ctx.needs_input_grad[0]";
	ck_assert_str_eq(help_match(&h), "PD900@1 PD901@20");
	arena_free(&h.arena);
}

/* Uses through the name that a failing import would have bound are not sites of their own. */
UNIT_TEST(rule_match_through_import)
{
	struct fact *f;
	struct help h;

	help_init_shipped(&h);
	f = help_fact(&h, FACT_IMPORT, "torch._dynamo.optimize", 10, F_FROM);
	f->text = "off";
	f->verdict = VERDICT_GAP;
	f->missing = "torch._dynamo";
	f->row = "paddle-3.3.1/names:torch._dynamo";
	f = help_fact(&h, FACT_USE, "torch._dynamo.optimize", 50, F_CALL);
	f->verdict = VERDICT_GAP;
	f->missing = "torch._dynamo";
	f->span.end = 53; /* `off` */
	f = help_fact(&h, FACT_USE, "torch._dynamo.optimize", 90, F_CALL);
	f->verdict = VERDICT_GAP;
	f->missing = "torch._dynamo";
	ck_assert_str_eq(help_match(&h), "PD400@10 PD400@90");
	ck_assert_str_eq(h.found.v[0]->message,
			 "torch._dynamo is not there on 3.3.1 (paddle-3.3.1/names:torch._dynamo)");
	ck_assert_str_eq(h.found.v[0]->group, "PD400 torch._dynamo");
	arena_free(&h.arena);
}
