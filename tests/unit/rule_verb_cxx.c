/*
 * rule_verb_cxx.c - verbs for C++: call_as, include_instead, include_too; what they write and what they
 * refuse.
 */
#include "rule_help.h"

#define FIX(match, fix) RULE("match: " match "\nfix: {" fix ", safety: safe, dual: same}\n")

static struct span span_of(const char *text, const char *part)
{
	const char *at = strstr(text, part);

	ck_assert_ptr_nonnull(at);
	return (struct span){ (uint32_t)(at - text), (uint32_t)(at - text + strlen(part)) };
}

/* The text with the first finding's edits, or "refused: reason". */
static const char *fixed(struct help *h, const char *text)
{
	struct shape sh = { .text = text, .len = strlen(text), .newline = "\n", .ok = true };
	struct fix *fix;
	const char *out = text;
	size_t k;

	h->found = (struct findings){ 0 };
	rules_match(h->rules, NULL, &h->source, &h->arena, &h->found);
	ck_assert_uint_ge(h->found.nr, 1);
	rules_fix(h->rules, h->found.v[0], &sh, &h->arena);
	fix = h->found.v[0]->fix;
	if (!fix->nr_edits)
		return arena_fmt(&h->arena, "refused: %s", fix->reason);
	/* The verbs give edits in order; from the last on, offsets stay right. */
	for (k = fix->nr_edits; k--;)
		out = arena_fmt(&h->arena, "%.*s%s%s", (int)fix->edits[k].span.start, out,
				fix->edits[k].text, out + fix->edits[k].span.end);
	return out;
}

/* A call of `name` with one argument `arg` (NULL: none) in `text`, fixed by `rule`. */
static const char *called(struct help *h, const char *rule, const char *text, const char *name,
			  const char *arg)
{
	struct fact *f;
	const char *close = strrchr(text, ')');

	arena_free(&h->arena);
	help_init(h, rule);
	f = help_fact(h, FACT_LACK, name, span_of(text, name).start, F_CALL);
	f->span = span_of(text, name);
	f->stmt = (struct span){ f->span.start, (uint32_t)(close - text) + 1 };
	f->nr_args = 0;
	if (arg) {
		f->args = ARENA_NEW(&h->arena, struct arg);
		f->args[0] = (struct arg){ .text = arg, .span = span_of(text, arg),
					   .valspan = span_of(text, arg) };
		f->nr_args = 1;
	}
	return fixed(h, text);
}

UNIT_TEST(rule_verb_call_as)
{
	static struct help h;
	const char *more = FIX("{lack: BAD}", "call_as: \"GOOD(false, $args)\"");
	const char *again = FIX("{lack: like}", "call_as: \"$name($args, $1.options())\"");

	ck_assert_str_eq(called(&h, more, "x; BAD( /*a*/ m );", "BAD", "m"),
			 "x; GOOD( /*a*/ false, m );");
	ck_assert_str_eq(called(&h, more, "BAD()", "BAD", NULL), "GOOD(false)");
	ck_assert_str_eq(called(&h, FIX("{lack: BAD}", "call_as: GOOD"), "BAD(m)", "BAD", "m"),
			 "GOOD(m)");
	ck_assert_str_eq(called(&h, again, "like(a->b.c)", "like", "a->b.c"),
			 "like(a->b.c, a->b.c.options())");
	ck_assert_str_eq(called(&h, again, "like(make())", "like", "make()"),
			 "refused: the first argument is no plain name");
	ck_assert_str_eq(called(&h, again, "like(a > b)", "like", "a > b"),
			 "refused: the first argument is no plain name");
	arena_free(&h.arena);
}

/* Includes of `names` (ended by NULL) stand in `text` in this order; the fact of `at` comes first. */
static const char *included(struct help *h, const char *rule, const char *text,
			    const char *const *names)
{
	size_t i;

	arena_free(&h->arena);
	help_init(h, rule);
	for (i = 0; names[i]; i++) {
		struct span span = span_of(text, names[i]);
		struct fact *f = help_fact(h, FACT_INCLUDE, names[i], span.start, F_ANGLE);

		f->span = span;
		f->stmt = (struct span){ span.start - (uint32_t)strlen("#include <"), span.end + 1 };
	}
	return fixed(h, text);
}

UNIT_TEST(rule_verb_include_instead)
{
	static struct help h;
	const char *rule = FIX("{include: torch/old.h}", "include_instead: [torch/a.h, torch/b.h]");
	const char *const one[] = { "torch/old.h", NULL };
	const char *const two[] = { "torch/a.h", "torch/old.h", NULL };
	const char *const all[] = { "torch/a.h", "torch/b.h", "torch/old.h", NULL };

	ck_assert_str_eq(included(&h, rule, "#include <torch/old.h>\nint x;\n", one),
			 "#include <torch/a.h>\n#include <torch/b.h>\nint x;\n");
	ck_assert_str_eq(included(&h, rule, "#include <torch/a.h>\n#include <torch/old.h>\n", two),
			 "#include <torch/a.h>\n#include <torch/b.h>\n");
	ck_assert_str_eq(included(&h, rule,
				  "#include <torch/a.h>\n#include <torch/b.h>\n#include <torch/old.h>\nint x;\n",
				  all),
			 "#include <torch/a.h>\n#include <torch/b.h>\nint x;\n");
	ck_assert_str_eq(included(&h, rule,
				  "#include <torch/a.h>\n#include <torch/b.h>\n#include <torch/old.h> // why\n",
				  all),
			 "refused: something else stands on the line of the include");
	arena_free(&h.arena);
}

UNIT_TEST(rule_verb_include_too)
{
	static struct help h;
	const char *rule = FIX("{include: torch/a.h}", "include_too: torch/b.h");
	const char *const first[] = { "torch/a.h", NULL };
	const char *const both[] = { "torch/a.h", "torch/b.h", NULL };

	ck_assert_str_eq(included(&h, rule, "#include <x>\n#include <torch/a.h>\nint x;\n", first),
			 "#include <x>\n#include <torch/a.h>\n#include <torch/b.h>\nint x;\n");
	ck_assert_str_eq(included(&h, rule, "#include <torch/a.h>\n#include <torch/b.h>\n", both),
			 "refused: 'torch/b.h' is included already");
	arena_free(&h.arena);
}
