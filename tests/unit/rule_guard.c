/* rule_guard.c - a site is guarded only if its fallback works. */
#include "rule_help.h"

#define GAP_RULE RULE("match: {use: torch.gap, import: [torch.gap, torch.gap2]}\n")

/*
 * try body [10, 30), handlers [30, 60):
 *	20 use of torch.gap
 */
static struct guard *guard_try(struct help *h, const char *rule, unsigned catches)
{
	struct guard *g;
	struct fact *f;

	help_init(h, rule);
	g = help_guard(h, GUARD_TRY, (struct span){ 10, 30 }, (struct span){ 30, 60 });
	g->catches = catches;
	f = help_fact(h, FACT_USE, "torch.gap", 20, 0);
	f->guard = 0;
	f->verdict = VERDICT_GAP;
	f->missing = "torch.gap";
	return g;
}

UNIT_TEST(rule_guard_catches)
{
	struct help h;

	guard_try(&h, GAP_RULE, CATCH_ATTRIBUTE);
	ck_assert_str_eq(help_match(&h), "PD900@20:note");
	ck_assert_uint_eq(h.found.v[0]->nr_guards, 1);
	h.guards[0].catches = CATCH_IMPORT;
	ck_assert_str_eq(help_match(&h), "PD900@20");
	h.facts[0].kind = FACT_IMPORT;
	ck_assert_str_eq(help_match(&h), "PD900@20:note");
	h.guards[0].reraises = true;
	ck_assert_str_eq(help_match(&h), "PD900@20");
	arena_free(&h.arena);

	guard_try(&h, RULE("match: {use: torch.gap}\nraises: type\n"), CATCH_ATTRIBUTE);
	ck_assert_str_eq(help_match(&h), "PD900@20");
	h.guards[0].catches = CATCH_TYPE;
	ck_assert_str_eq(help_match(&h), "PD900@20:note");
	arena_free(&h.arena);

	guard_try(&h, RULE("match: {use: torch.gap}\nraises: nothing\n"), CATCH_ALL);
	ck_assert_str_eq(help_match(&h), "PD900@20");
	arena_free(&h.arena);
}

UNIT_TEST(rule_guard_fallback)
{
	struct help h;
	struct fact *f;

	guard_try(&h, GAP_RULE, CATCH_ALL);
	f = help_fact(&h, FACT_USE, "torch.there", 40, 0);
	f->verdict = VERDICT_COVERED;
	ck_assert_str_eq(help_match(&h), "PD900@20:note");
	f->verdict = VERDICT_UNKNOWN;
	ck_assert_str_eq(help_match(&h), "PD900@20");
	f->verdict = VERDICT_GAP;
	ck_assert_str_eq(help_match(&h), "PD900@20");
	f->flags = F_CHECKING;
	ck_assert_str_eq(help_match(&h), "PD900@20:note");
	arena_free(&h.arena);

	/* A handler that has a rule of its own does not work. */
	guard_try(&h, RULE("match: {use: [torch.gap, torch.broken]}\n"), CATCH_ALL);
	f = help_fact(&h, FACT_USE, "torch.broken", 40, 0);
	f->verdict = VERDICT_COVERED;
	ck_assert_str_eq(help_match(&h), "PD900@20 PD900@40");
	arena_free(&h.arena);
}

/* try: import gap / except: try: import gap2 / except: x = None */
UNIT_TEST(rule_guard_chain)
{
	struct help h;
	struct guard *g;
	struct fact *f;

	guard_try(&h, GAP_RULE, CATCH_IMPORT);
	h.facts[0].kind = FACT_IMPORT;
	g = help_guard(&h, GUARD_FALLBACK, (struct span){ 30, 60 }, (struct span){ 0, 0 });
	g = help_guard(&h, GUARD_TRY, (struct span){ 35, 45 }, (struct span){ 45, 60 });
	g->parent = 1;
	g->catches = CATCH_IMPORT;
	f = help_fact(&h, FACT_IMPORT, "torch.gap2", 40, 0);
	f->guard = 2;
	f->verdict = VERDICT_GAP;
	f->missing = "torch.gap2";
	ck_assert_str_eq(help_match(&h), "PD900@20:note PD900@40:note");
	g->reraises = true;
	ck_assert_str_eq(help_match(&h), "PD900@20 PD900@40");
	arena_free(&h.arena);
}

UNIT_TEST(rule_guard_closure)
{
	struct help h;

	guard_try(&h, GAP_RULE, CATCH_ALL);
	h.defs[0] = (struct def){ .name = "f", .span = { 12, 29 }, .body = { 15, 29 }, .parent = -1 };
	h.source.nr_defs = 1;
	h.facts[0].def = 0;
	h.facts[0].flags = F_FUNCTION | F_CLOSURE;
	ck_assert_str_eq(help_match(&h), "PD900@20");
	/* The whole try inside the function protects. */
	h.defs[0].span.start = h.defs[0].body.start = 2;
	h.facts[0].flags = F_FUNCTION;
	ck_assert_str_eq(help_match(&h), "PD900@20:note");
	arena_free(&h.arena);
}

/* What stands behind an import that fails in the same try never runs. */
UNIT_TEST(rule_guard_aborted_body)
{
	struct help h;
	struct fact *f;

	help_init(&h, GAP_RULE);
	help_guard(&h, GUARD_TRY, (struct span){ 10, 60 }, (struct span){ 60, 90 })->catches =
		CATCH_IMPORT;
	f = help_fact(&h, FACT_IMPORT, "torch.gap2", 20, F_FROM);
	f->guard = 0;
	f->verdict = VERDICT_GAP;
	f->missing = "torch.gap2";
	f = help_fact(&h, FACT_USE, "torch.gap", 40, 0);
	f->guard = 0;
	f->verdict = VERDICT_GAP;
	f->missing = "torch.gap";
	ck_assert_str_eq(help_match(&h), "PD900@20:note PD900@40:note");
	/* Not even a lambda behind it. */
	h.defs[0] = (struct def){ .name = "<lambda>", .is_lambda = true, .span = { 35, 50 }, .parent = -1 };
	h.source.nr_defs = 1;
	f->def = 0;
	f->flags = F_FUNCTION | F_CLOSURE;
	ck_assert_str_eq(help_match(&h), "PD900@20:note PD900@40:note");
	h.facts[0].verdict = VERDICT_COVERED;
	h.facts[0].name = "torch.there";
	ck_assert_str_eq(help_match(&h), "PD900@40");
	arena_free(&h.arena);
}

UNIT_TEST(rule_guard_hasattr)
{
	struct help h;
	struct guard *g;

	guard_try(&h, GAP_RULE, 0);
	g = &h.guards[0];
	g->kind = GUARD_HASATTR;
	g->name = "torch.gap";
	ck_assert_str_eq(help_match(&h), "PD900@20:note");
	g->negated = true;
	ck_assert_str_eq(help_match(&h), "PD900@20");
	g->negated = false;
	g->name = "torch.other";
	ck_assert_str_eq(help_match(&h), "PD900@20");
	/* Such a test is always true. */
	g->name = h.facts[0].missing = "torch.ops.x";
	ck_assert_str_eq(help_match(&h), "PD900@20");
	arena_free(&h.arena);
}

/* A handler of a body that works never runs. */
UNIT_TEST(rule_guard_idle_handler)
{
	struct help h;
	struct fact *f;

	guard_try(&h, GAP_RULE, CATCH_IMPORT);
	h.facts[0].name = "torch.there";
	h.facts[0].verdict = VERDICT_COVERED;
	help_guard(&h, GUARD_FALLBACK, (struct span){ 30, 60 }, (struct span){ 0, 0 });
	f = help_fact(&h, FACT_USE, "torch.gap", 40, 0);
	f->guard = 1;
	f->verdict = VERDICT_GAP;
	f->missing = "torch.gap";
	ck_assert_str_eq(help_match(&h), "PD900@40:note");
	h.facts[0].verdict = VERDICT_NONE;
	ck_assert_str_eq(help_match(&h), "PD900@40");
	arena_free(&h.arena);
}

/* Of a rule for the first place in a file, one unguarded place decides the level. */
UNIT_TEST(rule_guard_first_in_file)
{
	struct help h;
	struct fact *f;

	guard_try(&h, RULE("match: {import: torch, first_in_file: true}\nlevel_if_guarded: check\n"),
		  CATCH_IMPORT);
	h.facts[0].kind = FACT_IMPORT;
	h.facts[0].name = "torch";
	h.facts[0].verdict = VERDICT_COVERED;
	ck_assert_str_eq(help_match(&h), "PD900@20:check");
	f = help_fact(&h, FACT_IMPORT, "torch", 80, 0);
	f->verdict = VERDICT_COVERED;
	ck_assert_str_eq(help_match(&h), "PD900@20");
	arena_free(&h.arena);
}

UNIT_TEST(rule_guard_version)
{
	static const struct {
		const char *name, *range;
		bool negated;
		const char *found;
	} cases[] = {
		{ "torch.__version__", "<2.4", false, "PD900@20:note" },
		{ "torch.__version__", "<2.4", true, "PD900@20" },
		{ "torch.__version__", ">=2.4", true, "PD900@20:note" },
		{ "torch.__version__", "==1.12", false, "PD900@20:note" },
		{ "torch.__version__", NULL, false, "PD900@20" },
		{ "torch.__version__", "1>=9", false, "PD900@20:note" },
		{ "torch.__version__", "1<9", false, "PD900@20" },
		{ "torch.__version__", "0<2", false, "PD900@20:note" },
		/* How many numbers are compared is not known. */
		{ "torch.__version__", "<3.1", false, "PD900@20" },
		{ "torch.__version__", "<10.1", true, "PD900@20" },
		{ "torchvision.__version__", "<2.4", false, "PD900@20" },
		{ "torch.version.cuda", "<2.4", false, "PD900@20" },
	};
	struct help h;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		guard_try(&h, GAP_RULE, 0);
		h.guards[0].kind = GUARD_VERSION;
		h.guards[0].name = cases[i].name;
		h.guards[0].range = cases[i].range;
		h.guards[0].negated = cases[i].negated;
		ck_assert_str_eq(help_match(&h), cases[i].found);
		arena_free(&h.arena);
	}
}
