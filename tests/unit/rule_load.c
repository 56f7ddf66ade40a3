/* rule_load.c - rule files are read strictly: every mistake is named with file and line. */
#include "rule_help.h"

struct load_case {
	const char *text, *message; /* message NULL: loads */
};

static void load_check(const struct load_case *c)
{
	struct help h = { 0 };
	struct err err = { 0 };
	int ret = help_load(&h, c->text, &err);

	if (!c->message) {
		ck_assert_msg(!ret, "%s", err.msg);
	} else {
		ck_assert_msg(ret, "loaded: %s", c->text);
		ck_assert_msg(strstr(err.msg, c->message) != NULL, "'%s' lacks '%s'", err.msg,
			      c->message);
	}
	arena_free(&h.arena);
}

#define USE "match: {use: torch.a}\n"

UNIT_TEST(rule_load_mistakes)
{
	static const struct load_case cases[] = {
		{ RULE(USE), NULL },
		{ RULE("match: {use: [torch.a, \"torch.b.*\"], scope: module, guard: [try, none]}\n"), NULL },
		{ RULE("match:\n  - {use: a}\n  - {import: b, not: {path: \"*.pyx\"}}\n"), NULL },
		{ RULE("match: {use: $switch_calls}\n"), NULL },
		{ RULE("mach: {use: a}\n"),
		  "rules/area/PD900.yml:6: unknown key 'mach' (did you mean 'match'?)" },
		{ RULE(""), "rules/area/PD900.yml: key 'match' is missing" },
		{ RULE("match: {use: a, scop: module}\n"), "unknown key 'scop' (did you mean 'scope'?)" },
		{ RULE("match: {use: a, scope: modul}\n"),
		  "unknown word 'modul' in 'scope' (did you mean 'module'?)" },
		{ RULE("match: {use: a, flags: [call, unoin]}\n"), "did you mean 'union'?" },
		{ RULE("match: {scope: module}\n"), "must say what kind of fact" },
		{ RULE("match: {}\n"), "must not be empty" },
		{ RULE("match: {use: []}\n"), "'use' must not be empty" },
		{ RULE("match: {use: $nothing}\n"), "no vocabulary list is called '$nothing'" },
		{ RULE("match: {call: a, argument: {keyward: x}}\n"), "did you mean 'keyword'?" },
		{ RULE("match: {call: a, min_args: many}\n"), "'min_args' must be a number" },
		{ RULE(USE "fix: {renmae: b, safety: safe, dual: same}\n"),
		  "rules/area/PD900.yml:7: unknown verb 'renmae' (did you mean 'rename'?)" },
		{ RULE(USE "fix: {rename: b, safety: safe}\n"), "must say its 'dual'" },
		{ RULE(USE "fix: {rename: b, dual: same}\n"), "must say its 'safety'" },
		{ RULE(USE "fix: {safety: safe, dual: same}\n"), "without a verb is manual" },
		{ RULE(USE "fix: {safety: manual, dual: same}\n"), "must have a 'description'" },
		{ RULE(USE "fix: {rename: b.$leef, safety: safe, dual: same}\n"),
		  "unknown capture '$leef' (did you mean '$leaf'?)" },
		{ RULE(USE "fix: {rename: {a: b}, safety: safe, dual: same}\n"), NULL },
		{ RULE(USE "keep: {until: covered torch.a or fixed PD900 and paddle >= 3.4}\n"), NULL },
		{ RULE(USE "keep: {until: fixed PD901}\n"), "'fixed' wants the id of a rule" },
		{ RULE(USE "keep: {until: someday}\n"), "a condition begins with" },
		{ RULE(USE "keep: {until: paddle >= soon}\n"), "'paddle' wants '>= VERSION'" },
		{ RULE(USE "keep: {until: covered a, long_term: b}\n"), "either 'until' or 'long_term'" },
		{ RULE(USE "build: rocm\n"), "'build' is cpu or cuda" },
		{ RULE(USE "raises: nothing\ngeneric: name\n"), NULL },
		{ RULE(USE "level_if_guarded: expired\n"), "no rule has the level 'expired'" },
		{ "id: PD900\nname: t\npaddle: 3.3\nlayer: glue\nlevel: change\n" USE RULE_TAIL,
		  "is not a version range" },
		{ "id: PD901\nname: t\npaddle: \">=3\"\nlayer: glue\nlevel: note\n" USE RULE_TAIL,
		  "id 'PD901' in a file called 'PD900.yml'" },
		{ "id: PD90\nname: t\npaddle: \">=3\"\nlayer: glue\nlevel: note\n" USE RULE_TAIL,
		  "an id is PD and three digits" },
		{ RULE_HEAD "layer: glu\nlevel: note\n" USE RULE_TAIL, "did you mean 'glue'?" },
		{ "- a\n", "a rule must be a map" },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		load_check(&cases[i]);
}

#define BARE                                                                                       \
	RULE_HEAD "layer: glue\nlevel: note\nmatch: {use: a}\nwhy: w\n"                             \
		  "verified: {paddle: 3.3.1, build: cpu, how: run}\n"

UNIT_TEST(rule_load_examples)
{
	static const struct load_case cases[] = {
		{ BARE "message: m\nexamples: [{before: a, after: b}]\n", "one 'same' at least" },
		{ BARE "message: m\nexamples: [{same: a}]\n", "one 'before'" },
		{ BARE "message: m\nexamples: [{before: a}, {same: c}]\n", "either 'before' and 'after'" },
		{ BARE "message: m\nexamples: [{before: {path: setup.py, text: a}, after: b}, {same: c}]\n",
		  NULL },
		{ BARE "message: m\nexamples: [{before: {text: a}, after: b}, {same: c}]\n", "'path'" },
		{ BARE "message: m\nexamples: [{before: a, after: b, run: {before: x, after: y, do: z}}, "
		  "{same: c}]\n", NULL },
		{ BARE "message: m\nexamples: [{before: a, after: b, run: {before: x}}, {same: c}]\n",
		  "'run' must be a map with 'before' and 'after'" },
		{ BARE "message: m\nexamples: [{before: a, after: b, run: {before: x, after: y, dd: z}}, "
		  "{same: c}]\n", "'dd'" },
		{ BARE "message: m\nexamples: [{before: a, after: b}, {same: c, run: {before: x, after: y}}]\n",
		  "'run' needs a 'before'" },
		{ BARE "message: ends.\nexamples: [{before: a, after: b}, {same: c}]\n", "final stop" },
		{ BARE "message: $nam\nexamples: [{before: a, after: b}, {same: c}]\n",
		  "did you mean '$name'?" },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		load_check(&cases[i]);
}

UNIT_TEST(rule_load_set)
{
	const char *twice[] = { "a/PD900.yml", RULE(USE), "b/PD900.yml", RULE(USE), NULL };
	const char *other[] = { "a/PD900.yml", RULE(USE), "coverage/x.yml", "junk: 1\n", NULL };
	const struct rule_example *examples;
	struct strbuf sb = STRBUF_INIT;
	struct help h = { 0 };
	struct err err = { 0 };

	ck_assert_int_eq(help_load_files(&h, twice, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.msg, "id 'PD900' is also in"));
	ck_assert_int_eq(help_load_files(&h, other, &err), 0);
	ck_assert(rules_has(h.rules, "PD900") && !rules_has(h.rules, "PD901"));
	ck_assert_str_eq(rules_ids(h.rules)[0], "PD900");
	ck_assert_ptr_null(rules_ids(h.rules)[1]);
	ck_assert_uint_eq(rules_examples(h.rules, &h.arena, &examples), 2);
	ck_assert_str_eq(examples[0].name, "PD900 before 1");
	ck_assert_str_eq(examples[0].path, "snippet.py");
	ck_assert_str_eq(examples[0].after, "b");
	ck_assert_ptr_null(examples[1].after);
	ck_assert_int_eq(rules_explain(h.rules, "PD90", &sb, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.msg, "did you mean 'PD900'?"));
	arena_free(&h.arena);
}

/* What is shipped loads, and each rule can be explained. */
UNIT_TEST(rule_load_shipped)
{
	struct strbuf sb = STRBUF_INIT;
	struct err err = { 0 };
	struct vocab *vocab;
	struct help h;
	size_t i;

	help_init_shipped(&h);
	ck_assert_int_eq(vocab_load(&vocab, &h.arena, &h.own, &err), 0);
	ck_assert_str_eq(vocab->roots[0], "torch");
	for (i = 0; rules_ids(h.rules)[i]; i++) {
		strbuf_reset(&sb);
		ck_assert_int_eq(rules_explain(h.rules, rules_ids(h.rules)[i], &sb, &err), 0);
		ck_assert_ptr_nonnull(strstr(sb.buf, "\nwhy\n"));
	}
	ck_assert_uint_gt(i, 10);
	strbuf_reset(&sb);
	rules_list(h.rules, &sb);
	ck_assert_ptr_nonnull(strstr(sb.buf, "PD501  change   glue     private-current-device\n"));
	strbuf_release(&sb);
	arena_free(&h.arena);
}

static bool active_for(const char *range, const char *build, const char *version, const char *on)
{
	struct target t = { version, on, "shipped" };
	struct help h = { 0 };
	struct err err = { 0 };
	struct asset v[2];
	struct assets as = { .v = v, .nr = 2 };
	struct strbuf sb = STRBUF_INIT;
	bool active;
	char text[2048];

	snprintf(text, sizeof(text),
		 "id: PD900\nname: t\npaddle: \"%s\"\nlayer: glue\nlevel: note\n%s" USE RULE_TAIL, range,
		 build);
	ck_assert_int_eq(assets_load(&h.own, &h.arena, NULL, &err), 0);
	v[0] = (struct asset){ "a/PD900.yml", text, strlen(text) };
	v[1] = *asset_get(&h.own, "vocabulary.yml");
	if (rules_load(&h.rules, &h.arena, &as, &t, 1, &err))
		ck_abort_msg("%s", err.msg);
	rules_list(h.rules, &sb);
	active = !strstr(sb.buf, "not for this target");
	strbuf_release(&sb);
	arena_free(&h.arena);
	return active;
}

UNIT_TEST(rule_load_ranges)
{
	ck_assert(active_for(">=3.3", "", "3.3.1", "cuda"));
	ck_assert(active_for(">=3.3,<3.4", "", "3.3.1", "cuda"));
	ck_assert(!active_for(">=3.3,<3.4", "", "3.4.0", "cuda"));
	ck_assert(!active_for(">= 3.3, < 3.4", "", "3.4.0.dev2026", "cuda"));
	ck_assert(active_for("==3.3", "", "3.3.0", "cuda"));
	ck_assert(!active_for("!=3.3", "", "3.3.0", "cuda"));
	ck_assert(active_for(">3.3.0", "", "3.10", "cuda"));
	ck_assert(!active_for("<=3.3", "", "3.3.1", "cuda"));
	ck_assert(active_for(">=3.3", "build: cuda\n", "3.3.1", "cuda"));
	ck_assert(!active_for(">=3.3", "build: cuda\n", "3.3.1", "cpu"));
}

UNIT_TEST(rule_load_vocabulary)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "roots: torch\n", "vocabulary.yml:1: 'roots' must be a list" },
		{ "rotos: [a]\n", "vocabulary.yml:1: unknown key 'rotos' (did you mean 'roots'?)" },
		{ "roots: [a]\n", "key 'target_roots' is missing" },
	};
	struct arena a = { 0 };
	struct vocab *vocab;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct asset v = { "vocabulary.yml", cases[i].text, strlen(cases[i].text) };
		struct assets as = { .v = &v, .nr = 1 };
		struct err err = { 0 };

		ck_assert_int_eq(vocab_load(&vocab, &a, &as, &err), -1);
		ck_assert_msg(strstr(err.msg, cases[i].message) != NULL, "%s", err.msg);
	}
	arena_free(&a);
}
