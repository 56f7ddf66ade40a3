/* rule_class.c - tests on classes, on how a name is written and on what a tree holds. */
#include "rule_help.h"

/* class Fn(torch.Base) with forward(ctx, x, n: int, m=1) and backward(ctx, g). */
static const char *class_one(const char *method)
{
	static struct arg forward[4], base, backward[2];
	static struct help h;
	char rule[512];
	struct fact *f;

	arena_free(&h.arena);
	snprintf(rule, sizeof(rule),
		 RULE("match: {class: \"*\", argument: {text: torch.Base}, method: %s}\n"), method);
	help_init(&h, rule);
	f = help_fact(&h, FACT_CLASS, "Fn", 6, 0);
	f->stmt = (struct span){ 0, 200 };
	base = (struct arg){ .text = "torch.Base", .value = VALUE_NAME };
	f->args = &base;
	f->nr_args = 1;
	forward[0] = (struct arg){ .keyword = "ctx", .text = "int" };
	forward[1] = (struct arg){ .keyword = "x" };
	forward[2] = (struct arg){ .keyword = "n", .text = "int" };
	forward[3] = (struct arg){ .keyword = "m", .value = VALUE_NUMBER, .valspan = { 50, 51 } };
	backward[0] = (struct arg){ .keyword = "ctx" };
	backward[1] = (struct arg){ .keyword = "g", .text = "bool", .splat = true };
	h.defs[0] = (struct def){ .name = "Fn", .is_class = true, .span = { 0, 200 }, .parent = -1 };
	h.defs[1] = (struct def){ .name = "Fn.forward", .span = { 20, 90 }, .params = forward,
				  .nr_params = 4 };
	h.defs[2] = (struct def){ .name = "Fn.backward", .span = { 100, 190 }, .params = backward,
				  .nr_params = 2 };
	h.defs[3] = (struct def){ .name = "Fn.later", .span = { 300, 400 } };
	h.source.nr_defs = 4;
	return help_match(&h);
}

#define HITS(method) ck_assert_str_eq(class_one(method), "PD900@6")
#define MISSES(method) ck_assert_str_eq(class_one(method), "")

UNIT_TEST(rule_class_methods)
{
	HITS("{name: forward}");
	HITS("[{name: forward}, {name: backward}]");
	HITS("{name: \"for*\"}");
	MISSES("{name: setup}");
	MISSES("[{name: forward}, {name: setup}]");
	MISSES("{name: later}");
	HITS("{name: forward, parameter: {annotation: int, required: true}}");
	MISSES("{name: forward, parameter: {annotation: float}}");
	HITS("{name: forward, parameter: {default: [number, none]}}");
	MISSES("{name: forward, parameter: {default: string}}");
	MISSES("{name: forward, parameter: {annotation: int, default: number}}");
	MISSES("{name: backward, parameter: {annotation: bool}}");
}

UNIT_TEST(rule_class_only_classes)
{
	static struct help h;

	help_init(&h, RULE("match: {use: a, method: {name: b}}\n"));
	help_fact(&h, FACT_USE, "a", 3, 0);
	ck_assert_str_eq(help_match(&h), "");
	arena_free(&h.arena);
}

/* Beside an import of torch.a.b by a long name. */
static const char *spelled_one(const char *name, uint32_t written, const char *missing)
{
	static struct help h;
	struct fact *f;

	arena_free(&h.arena);
	help_init(&h, RULE("match: {use: \"torch.*\", spelled_out: true}\n"));
	help_fact(&h, FACT_IMPORT, "torch.a.b", 1, F_FROM)->text = "long_name_of_b";
	f = help_fact(&h, FACT_USE, name, 4, 0);
	f->span.end = f->span.start + written;
	f->missing = missing;
	f->verdict = missing ? VERDICT_GAP : VERDICT_COVERED;
	return help_match(&h);
}

UNIT_TEST(rule_match_spelled_out)
{
	ck_assert_str_eq(spelled_one("torch.a.b", 9, "torch.a"), "PD900@4"); /* torch.a.b */
	ck_assert_str_eq(spelled_one("torch.a.b", 5, "torch.a"), "PD900@4"); /* T.a.b */
	ck_assert_str_eq(spelled_one("torch.a.b", 3, "torch.a"), "");	     /* a.b */
	ck_assert_str_eq(spelled_one("torch.a.b", 1, "torch.a.b"), "");	     /* b */
	ck_assert_str_eq(spelled_one("torch.a.b", 3, "torch.a.b"), "PD900@4"); /* a.b */
	ck_assert_str_eq(spelled_one("torch.a.b", 14, "torch.a.b"), "");	       /* long_name_of_b */
	ck_assert_str_eq(spelled_one("torch.a.b.c", 16, "torch.a.b"), "");     /* long_name_of_b.c */
	ck_assert_str_eq(spelled_one("torch.a.b", 9, NULL), "PD900@4");
	ck_assert_str_eq(spelled_one("torch.a.b", 3, NULL), "PD900@4"); /* a.b */
	ck_assert_str_eq(spelled_one("torch.a.b", 1, NULL), "");	/* b */
	ck_assert_str_eq(spelled_one("torch.a.b", 14, NULL), "");	/* long_name_of_b */
	ck_assert_str_eq(spelled_one("torch", 5, NULL), "");
}

static const char *asked_one(const char *guard, uint32_t flags)
{
	static struct help h;

	arena_free(&h.arena);
	help_init(&h, RULE("match: {use: \"torch.ops.*\", asked: true}\n"));
	help_fact(&h, FACT_USE, "torch.ops.n", 11, flags);
	help_guard(&h, GUARD_HASATTR, (struct span){ 40, 60 }, (struct span){ 0, 0 })->name = guard;
	return help_match(&h);
}

UNIT_TEST(rule_match_asked)
{
	ck_assert_str_eq(asked_one("torch.ops.n.op", F_CONDITION), "PD900@11");
	ck_assert_str_eq(asked_one("torch.ops.n.op", 0), "");
	ck_assert_str_eq(asked_one("torch.ops.n", F_CONDITION), "");
	ck_assert_str_eq(asked_one("torch.ops.nn.op", F_CONDITION), "");
	ck_assert_str_eq(asked_one("torch.ops.n.op.x", F_CONDITION), "");
}

/* A tree of two files; the second imports the first's package and holds a use of `other`. */
static const char *tree_one(const char *key, const char *import, const char *other)
{
	static struct help h;
	static struct fact facts[1];
	struct source *files[2], second;
	const char *root = "";
	struct repo repo = { .files = files, .nr_files = 2, .package_roots = { &root, 1, 1 } };
	char rule[256];
	struct fact *f;

	arena_free(&h.arena);
	snprintf(rule, sizeof(rule), RULE("match: {use: torch.a, %s: {use: b.c}}\n"), key);
	help_init(&h, rule);
	f = help_fact(&h, FACT_IMPORT, import, 1, F_FROM);
	f->text = "x";
	help_fact(&h, FACT_USE, "torch.a", 30, 0);
	facts[0] = (struct fact){ .kind = FACT_USE, .name = other, .symbol = "", .guard = -1,
				  .def = -1 };
	second = (struct source){ .path = "pkg/b.py", .module = "pkg.b", .lang = LANG_PYTHON,
				  .facts = facts, .nr_facts = 1 };
	files[0] = &h.source;
	files[1] = &second;
	h.found = (struct findings){ 0 };
	rules_match(h.rules, &repo, &h.source, &h.arena, &h.found);
	return h.found.nr ? h.found.v[0]->rule : "";
}

UNIT_TEST(rule_match_imported)
{
	ck_assert_str_eq(tree_one("unless_imports_have", "pkg.b", "b.c"), "");
	ck_assert_str_eq(tree_one("unless_imports_have", "pkg.b.name", "b.c"), "");
	ck_assert_str_eq(tree_one("unless_imports_have", "pkg.b", "b.d"), "PD900");
	ck_assert_str_eq(tree_one("unless_imports_have", "pkg.c", "b.c"), "PD900");
}

UNIT_TEST(rule_match_tree)
{
	ck_assert_str_eq(tree_one("tree_lacks", "os", "b.c"), "");
	ck_assert_str_eq(tree_one("tree_lacks", "os", "b.d"), "PD900");
}
