/* rule_repo.c - tests on the repository around a fact: how it is built, entered, and what it loads. */
#include "rule_help.h"

/*
 * A tree of two files: the fact `kind name` in the first, under `rule`, and in the second, tool/run.py, a
 * use of `other` behind an import of pkg, both in the body of a switch.
 */
struct pair {
	struct help h;
	struct fact facts[2];
	struct guard guard;
	struct source second, *files[2];
	struct repo repo;
	struct strings unisolated;
};

static struct pair pair;
static const char *root = "";

static void pair_init(const char *rule, enum fact_kind kind, const char *name, const char *other)
{
	arena_free(&pair.h.arena);
	help_init(&pair.h, rule);
	help_fact(&pair.h, kind, name, 5, F_INTERNAL);
	pair.facts[0] = (struct fact){ .kind = FACT_IMPORT, .name = "pkg.a", .symbol = "",
				       .guard = 0, .def = -1 };
	pair.facts[1] = pair.facts[0];
	pair.facts[1].kind = FACT_USE;
	pair.facts[1].name = other;
	pair.guard = (struct guard){ .kind = GUARD_SWITCH, .parent = -1 };
	pair.second = (struct source){ .path = "tool/run.py", .module = "tool.run",
				       .lang = LANG_PYTHON, .facts = pair.facts, .nr_facts = 2,
				       .guards = &pair.guard, .nr_guards = 1,
				       .reach = REACH_NONE };
	pair.files[0] = &pair.h.source;
	pair.files[1] = &pair.second;
	pair.repo = (struct repo){ .files = pair.files, .nr_files = 2,
				   .package_roots = { &root, 1, 1 } };
}

static const char *pair_match(void)
{
	pair.h.found = (struct findings){ 0 };
	rules_match(pair.h.rules, &pair.repo, &pair.h.source, &pair.h.arena, &pair.h.found);
	return pair.h.found.nr ? pair.h.found.v[0]->rule : "";
}

UNIT_TEST(rule_match_isolation)
{
	const char *no = RULE("match: {require: a, repo: {builds_isolated: false}}\n");
	const char *yes = RULE("match: {require: a, repo: {builds_isolated: true}}\n");
	const char *folder = "pkg";

	pair_init(no, FACT_REQUIRE, "a", "b");
	ck_assert_str_eq(pair_match(), "");
	pair.repo.unisolated = (struct strings){ &folder, 1, 1 };
	ck_assert_str_eq(pair_match(), "PD900");
	pair.h.source.path = "pkg/sub/a.toml";
	ck_assert_str_eq(pair_match(), "");
	pair.h.source.path = "a.toml";
	ck_assert_str_eq(pair_match(), "");
	pair_init(yes, FACT_REQUIRE, "a", "b");
	ck_assert_str_eq(pair_match(), "PD900");
	pair.repo.unisolated = (struct strings){ &folder, 1, 1 };
	ck_assert_str_eq(pair_match(), "");
}

UNIT_TEST(rule_match_entry_guard)
{
	const char *rule = RULE("match: {import: torch, repo: {entry_guard: true}}\n");

	pair_init(rule, FACT_IMPORT, "torch", "b");
	ck_assert_str_eq(pair_match(), "PD900");
	pair.guard.negated = true;
	ck_assert_str_eq(pair_match(), "");
	pair.guard.negated = false;
	pair.guard.kind = GUARD_IF;
	ck_assert_str_eq(pair_match(), "");
	pair.guard.kind = GUARD_SWITCH;
	pair.facts[0].name = "pkgs";
	ck_assert_str_eq(pair_match(), "");
	pair.facts[0].name = "pkg";
	ck_assert_str_eq(pair_match(), "PD900");
	pair.second.roles = ROLE_TEST;
	ck_assert_str_eq(pair_match(), "");
}

/* tool/run.py is not loaded before; loading it runs what it holds. */
UNIT_TEST(rule_match_leads_to)
{
	const char *rule = RULE("match: {import: \"*\", leads_to: {use: b}}\n");

	pair_init(rule, FACT_IMPORT, "tool.run", "b");
	ck_assert_str_eq(pair_match(), "PD900");
	pair_init(rule, FACT_IMPORT, "tool.run.name", "b");
	ck_assert_str_eq(pair_match(), "PD900");
	pair_init(rule, FACT_IMPORT, "tool.runs", "b");
	ck_assert_str_eq(pair_match(), "");
	pair_init(rule, FACT_IMPORT, "tool.run", "c");
	ck_assert_str_eq(pair_match(), "");
	pair_init(rule, FACT_IMPORT, "tool.run", "b");
	pair.second.reach = 1;
	ck_assert_str_eq(pair_match(), "");
	pair.h.source.roles = ROLE_BUILD_ENTRY;
	ck_assert_str_eq(pair_match(), "PD900");
}

UNIT_TEST(rule_match_symbol_has)
{
	const char *rule = RULE("match: {use: a, symbol_has: {use: b}}\n");
	static struct help h;
	struct fact *f;

	help_init(&h, rule);
	help_fact(&h, FACT_USE, "a", 1, 0)->def = 0;
	f = help_fact(&h, FACT_USE, "b", 30, 0);
	f->def = 0;
	ck_assert_str_eq(help_match(&h), "PD900@1");
	f->def = 1;
	ck_assert_str_eq(help_match(&h), "");
	arena_free(&h.arena);
}

/* A member is passed on as a whole: receiver and all. */
UNIT_TEST(rule_match_member_passed)
{
	static struct help h;
	struct arg arg = { .keyword = "k", .valspan = { 10, 20 } };
	struct fact *call;

	help_init(&h, RULE("match: {member: part, passed_as: k, passed_to: {call: make}}\n"));
	call = help_fact(&h, FACT_USE, "make", 1, F_CALL);
	call->args = &arg;
	call->nr_args = 1;
	help_fact(&h, FACT_MEMBER, "part", 16, 0)->stmt = (struct span){ 10, 20 };
	ck_assert_str_eq(help_match(&h), "PD900@16");
	arg.valspan.end = 24;
	ck_assert_str_eq(help_match(&h), "");
	arena_free(&h.arena);
}
