/* rule_dual.c - fixes that are right on both frameworks, and branches that a test keeps from running. */
#include "rule_help.h"

static struct shape *shape_of(struct help *h, const char *text)
{
	struct shape *sh = ARENA_NEW(&h->arena, struct shape);

	sh->text = text;
	sh->len = strlen(text);
	sh->newline = "\n";
	sh->ok = true;
	sh->stmts = arena_array(&h->arena, 1, sizeof(*sh->stmts));
	sh->nr_stmts = 1;
	sh->stmts[0] = (struct shape_stmt){ .span = { 0, (uint32_t)strlen(text) }, .parent = -1,
					    .kind = "import", .first_on_line = true,
					    .last_on_line = true };
	return sh;
}

/* The one edit of the one finding as --dual makes it, else why there is none. */
static const char *dual_text(struct help *h, const char *text)
{
	struct finding *f;

	rules_dual(h->rules);
	h->found = (struct findings){ 0 };
	rules_match(h->rules, NULL, &h->source, &h->arena, &h->found);
	ck_assert_uint_eq(h->found.nr, 1);
	f = h->found.v[0];
	rules_fix(h->rules, f, shape_of(h, text), &h->arena);
	if (!f->fix->nr_edits)
		return f->fix->reason;
	ck_assert_uint_eq(f->fix->nr_edits, 1);
	return f->fix->edits[0].text;
}

static void member(struct help *h, const char *receiver, const char *name)
{
	struct fact *f = help_fact(h, FACT_MEMBER, name, (uint32_t)strlen(receiver) + 1, 0);

	f->stmt.start = 0;
	f->text = receiver;
	f->recv = "torch.Tensor";
}

#define MEMBER(fix) RULE("match: {member: old}\nfix: {replace: new, safety: safe, " fix "}\n")
#define USE(fix) RULE("match: {use: torch.old}\nfix: {rename: torch.x.old, safety: safe, " fix "}\n")

UNIT_TEST(rule_dual_of_a_member)
{
	struct help h;

	help_init(&h, MEMBER("dual: guard, feature: 'hasattr($recv, \"new\")'"));
	member(&h, "a.b", "old");
	ck_assert_str_eq(dual_text(&h, "a.b.old"),
			 "(a.b.new if hasattr(a.b, \"new\") else a.b.old)");
	ck_assert(h.found.v[0]->fix->forks);
	arena_free(&h.arena);

	help_init(&h, MEMBER("dual: guard, feature: 'not hasattr($recv, \"old\")'"));
	member(&h, "a", "old");
	ck_assert_str_eq(dual_text(&h, "a.old"), "(a.old if hasattr(a, \"old\") else a.new)");
	arena_free(&h.arena);

	help_init(&h, MEMBER("dual: guard, feature: 'hasattr($recv, \"new\")'"));
	member(&h, "f()", "old");
	ck_assert_str_eq(dual_text(&h, "f().old"), "'f()' would be evaluated twice");
	arena_free(&h.arena);
}

UNIT_TEST(rule_dual_words)
{
	struct help h;

	help_init(&h, MEMBER("dual: same"));
	member(&h, "a", "old");
	ck_assert_str_eq(dual_text(&h, "a.old"), "new");
	ck_assert(!h.found.v[0]->fix->forks);
	arena_free(&h.arena);

	help_init(&h, MEMBER("dual: no"));
	member(&h, "a", "old");
	ck_assert_str_eq(dual_text(&h, "a.old"), "no form of it is right on both frameworks");
	arena_free(&h.arena);

	help_init(&h, MEMBER("dual: guard"));
	member(&h, "a", "old");
	ck_assert_str_eq(dual_text(&h, "a.old"),
			 "the rule has no test that tells the frameworks apart");
	arena_free(&h.arena);
}

UNIT_TEST(rule_dual_spells_the_feature)
{
	struct help h;
	struct fact *f;

	help_init(&h, USE("dual: guard, feature: 'hasattr(torch, \"x\")'"));
	f = help_fact(&h, FACT_USE, "torch.old", 0, 0);
	f->span.end = f->stmt.end = 5;
	ck_assert_str_eq(dual_text(&h, "T.old"), "(T.x.old if hasattr(T, \"x\") else T.old)");
	arena_free(&h.arena);

	help_init(&h, USE("dual: guard, feature: \"hasattr(torch.y, 'x')\\nhasattr(torch, 'x')\""));
	f = help_fact(&h, FACT_USE, "torch.old", 0, F_FSTRING);
	f->span.end = f->stmt.end = 5;
	ck_assert_str_eq(dual_text(&h, "T.old"), "quotes inside a text");
	arena_free(&h.arena);
}

UNIT_TEST(rule_dual_of_an_import)
{
	struct help h;
	struct fact *f;

	help_init(&h, RULE("match: {import: torch.old}\nfix: {rename_import: {torch.old: torch.new}, "
			   "safety: safe, dual: guard}\n"));
	f = help_fact(&h, FACT_IMPORT, "torch.old", 18, F_FROM);
	f->span.end = 21;
	f->text = "old";
	f->stmt = (struct span){ 0, 21 };
	ck_assert_str_eq(dual_text(&h, "from torch import old"),
			 "try:\n    from torch import old\nexcept ImportError:\n"
			 "    from torch import new as old");
	arena_free(&h.arena);
}

UNIT_TEST(rule_feature_needs_a_guard)
{
	struct help h = { 0 };
	struct err err = { 0 };

	ck_assert_int_eq(help_load(&h, MEMBER("dual: same, feature: x"), &err), -1);
	ck_assert_ptr_nonnull(strstr(err.msg, "'dual: guard' has a 'feature'"));
	arena_free(&h.arena);
}

/* A use in the branch behind a test for torch.new. */
static struct guard *branch(struct help *h, enum guard_kind kind)
{
	struct guard *g;

	help_init(h, USE("dual: same"));
	g = help_guard(h, kind, (struct span){ 10, 30 }, (struct span){ 40, 60 });
	g->negated = true;
	help_fact(h, FACT_USE, "torch.old", 20, 0)->guard = 0;
	return g;
}

UNIT_TEST(rule_feature_of_a_name)
{
	struct help h;
	struct guard *g = branch(&h, GUARD_HASATTR);

	g->name = "torch.new";
	ck_assert_str_eq(help_match(&h), "PD900@20");
	g->verdict = VERDICT_UNKNOWN;
	ck_assert_str_eq(help_match(&h), "PD900@20");
	g->verdict = VERDICT_COVERED;
	ck_assert_str_eq(help_match(&h), "PD900@20:note");
	g->negated = false;
	ck_assert_str_eq(help_match(&h), "PD900@20");
	arena_free(&h.arena);
}

UNIT_TEST(rule_feature_of_a_member)
{
	struct help h;
	struct guard *g = branch(&h, GUARD_FALLBACK);
	struct fact *f = help_fact(&h, FACT_MEMBER, "new", 50, 0);

	f->text = "x";
	f->verdict = VERDICT_COVERED;
	g->text = "hasattr(x, \"new\")";
	ck_assert_str_eq(help_match(&h), "PD900@20:note");
	f->text = "y";
	ck_assert_str_eq(help_match(&h), "PD900@20");
	f->text = "x";
	g->text = "hasattr(x, \"newer\")";
	ck_assert_str_eq(help_match(&h), "PD900@20");
	g->text = "hasattr(x, 'new') and y";
	ck_assert_str_eq(help_match(&h), "PD900@20");
	f->span.start = 70; /* in neither branch */
	g->text = "hasattr(x, 'new')";
	ck_assert_str_eq(help_match(&h), "PD900@20");
	arena_free(&h.arena);
}
