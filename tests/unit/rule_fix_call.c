/* rule_fix_call.c - verbs that write a call otherwise: what they write and what they refuse. */
#include "rule_help.h"

#define FIX(match, fix) RULE("match: " match "\nfix: {" fix ", safety: safe, dual: same}\n")

static struct arg *arg_of(struct arg *a, const char *text, const char *keyword, const char *value)
{
	const char *at = keyword ? strstr(text, keyword) : strstr(text, value);

	*a = (struct arg){ .keyword = keyword, .text = value, .value = VALUE_NAME };
	a->span.start = (uint32_t)(at - text);
	a->valspan.start = (uint32_t)(strstr(at, value) - text);
	a->valspan.end = a->span.end = a->valspan.start + (uint32_t)strlen(value);
	return a;
}

/* The text after the first finding's fix, or "refused: reason". */
static const char *fixed(struct help *h, const char *text)
{
	struct shape sh = { .text = text, .len = strlen(text), .newline = "\n", .ok = true };
	struct shape_stmt stmt = { .span = { 0, (uint32_t)sh.len }, .parent = -1 };
	struct strbuf sb = STRBUF_INIT;
	uint32_t at = 0, start;
	struct finding *f;
	const char *out;
	size_t k, i, next;

	sh.stmts = &stmt;
	sh.nr_stmts = 1;
	h->found = (struct findings){ 0 };
	rules_match(h->rules, NULL, &h->source, &h->arena, &h->found);
	ck_assert_uint_eq(h->found.nr, 1);
	f = h->found.v[0];
	rules_fix(h->rules, f, &sh, &h->arena);
	if (!f->fix->nr_edits && f->fix->reason)
		return arena_fmt(&h->arena, "refused: %s", f->fix->reason);
	for (k = 0; k < f->fix->nr_edits; k++) {
		next = f->fix->nr_edits;
		for (i = 0; i < f->fix->nr_edits; i++) {
			start = f->fix->edits[i].span.start;
			if (start >= at && (next == f->fix->nr_edits ||
					    start < f->fix->edits[next].span.start))
				next = i;
		}
		ck_assert_uint_lt(next, f->fix->nr_edits);
		strbuf_add(&sb, text + at, f->fix->edits[next].span.start - at);
		strbuf_addstr(&sb, f->fix->edits[next].text);
		at = f->fix->edits[next].span.end;
		f->fix->edits[next].span.start = 0;
		at += !at;
	}
	strbuf_addstr(&sb, text + at);
	out = arena_strndup(&h->arena, sb.buf, sb.len);
	strbuf_release(&sb);
	return out;
}

/* A call `y = f(ARGS)` of the name f. */
static struct fact *call_in(struct help *h, const char *text, struct arg *args, size_t nr)
{
	const char *at = strstr(text, "f(");
	struct fact *f = help_fact(h, FACT_USE, "f", (uint32_t)(at - text), F_CALL);

	f->stmt.end = (uint32_t)(strchr(at, ')') + 1 - text);
	f->args = args;
	f->nr_args = nr;
	return f;
}

UNIT_TEST(rule_fix_rewrite)
{
	struct help h;
	struct arg a[2];
	const char *text = "y = f(b + 1, c)";

	help_init(&h, FIX("{call: f}", "rewrite: \"2 ** $1 - $2\""));
	arg_of(&a[0], text, NULL, "b + 1");
	arg_of(&a[1], text, NULL, "c");
	call_in(&h, text, a, 2);
	ck_assert_str_eq(fixed(&h, text), "y = 2 ** (b + 1) - c");
	h.facts[0].nr_args = 1;
	ck_assert_str_eq(fixed(&h, text), "refused: the call has no such argument by position");
	arena_free(&h.arena);

	text = "y = 3 * f(b)";
	help_init(&h, FIX("{call: f}", "rewrite: \"$1 + 1\""));
	call_in(&h, text, arg_of(&a[0], text, NULL, "b"), 1);
	ck_assert_str_eq(fixed(&h, text), "y = 3 * (b + 1)");
	arena_free(&h.arena);
}

UNIT_TEST(rule_fix_rewrite_keywords)
{
	struct help h;
	struct arg a[2];
	const char *text = "y = f(b, k=c)";

	help_init(&h, FIX("{call: f}", "rewrite: \"g($1)\\ng($1, $kw.k)\""));
	arg_of(&a[0], text, NULL, "b");
	arg_of(&a[1], text, "k", "c");
	call_in(&h, text, a, 2);
	ck_assert_str_eq(fixed(&h, text), "y = g(b, c)");
	a[1].keyword = "other";
	ck_assert_str_eq(fixed(&h, text), "refused: the call has no such keyword argument");
	a[1].splat = true;
	ck_assert_str_eq(fixed(&h, text),
			 "refused: the call passes on arguments that are not seen here");
	arena_free(&h.arena);

	help_init(&h, FIX("{call: f}", "rewrite: \"$1.a + $1.b\""));
	text = "y = f(b())";
	call_in(&h, text, arg_of(&a[0], text, NULL, "b()"), 1)->stmt.end = 10;
	ck_assert_str_eq(fixed(&h, text), "refused: 'b()' would be evaluated twice");
	arena_free(&h.arena);
}

UNIT_TEST(rule_fix_keywords)
{
	struct help h;
	struct arg a[3];
	const char *text = "y = f(b, k=c, m=d)";

	arg_of(&a[0], text, NULL, "b");
	arg_of(&a[1], text, "k", "c");
	arg_of(&a[2], text, "m", "d");
	help_init(&h, FIX("{call: f}", "drop_keyword: [k]"));
	call_in(&h, text, a, 3);
	ck_assert_str_eq(fixed(&h, text), "y = f(b, m=d)");
	arena_free(&h.arena);
	help_init(&h, FIX("{call: f}", "drop_keyword: [m, k]"));
	call_in(&h, text, a, 3);
	ck_assert_str_eq(fixed(&h, text), "y = f(b)");
	arena_free(&h.arena);
	help_init(&h, FIX("{call: f}", "keyword_to_positional: [x, k]"));
	call_in(&h, text, a, 3);
	ck_assert_str_eq(fixed(&h, text), "y = f(b, c, m=d)");
	arena_free(&h.arena);
	help_init(&h, FIX("{call: f}", "keyword_to_positional: [x, y, k]"));
	call_in(&h, text, a, 3);
	ck_assert_str_eq(fixed(&h, text), "refused: 'k' does not stand in its place");
	arena_free(&h.arena);
	help_init(&h, FIX("{call: f}", "keyword_to_method: {m: to}"));
	call_in(&h, text, a, 3);
	ck_assert_str_eq(fixed(&h, text), "y = f(b, k=c).to(d)");
	a[2].value = VALUE_CALL;
	ck_assert_str_eq(fixed(&h, text), "refused: 'm' is not a plain value here");
	arena_free(&h.arena);
}

static const char *at_site(const char *fix, enum fact_kind kind, const char *name,
			   const char *text, const char *site, uint32_t flags)
{
	static struct help h;
	char rule[512];

	arena_free(&h.arena);
	snprintf(rule, sizeof(rule), FIX("{%s: \"%s\"}", "%s"),
		 kind == FACT_STRING ? "string" : "use", name, fix);
	help_init(&h, rule);
	help_fact(&h, kind, name, (uint32_t)(strstr(text, site) - text), flags)->span.end =
		(uint32_t)(strstr(text, site) - text + strlen(site));
	return fixed(&h, text);
}

UNIT_TEST(rule_fix_drop_passing)
{
	const char *fix = "drop_passing: [form]";

	ck_assert_str_eq(at_site(fix, FACT_USE, "a.b", "x.f(c, form=a.b)", "a.b", 0), "x.f(c)");
	ck_assert_str_eq(at_site(fix, FACT_USE, "a.b", "x.f(form=a.b, c=1)", "a.b", 0), "x.f(c=1)");
	ck_assert_str_eq(at_site(fix, FACT_USE, "a.b", "x.f(form=a.b)", "a.b", 0), "x.f()");
	ck_assert_str_eq(at_site(fix, FACT_USE, "a.b", "x.f(c, form=a.b + 1)", "a.b", 0),
			 "refused: it is only a part of the argument");
	ck_assert_str_eq(at_site(fix, FACT_USE, "a.b", "x.f(c, other=a.b)", "a.b", 0),
			 "refused: it is passed under another keyword");
	ck_assert_str_eq(at_site(fix, FACT_USE, "a.b", "x.f(c, a.b)", "a.b", 0),
			 "refused: it is not passed as a keyword argument here");
}

UNIT_TEST(rule_fix_quote_annotation)
{
	const char *fix = "quote_annotation: annotation";

	ck_assert_str_eq(at_site(fix, FACT_USE, "a.b", "def f(x: a.b | None = None): pass", "a.b",
				 F_ANNOTATION),
			 "def f(x: \"a.b | None\" = None): pass");
	ck_assert_str_eq(at_site(fix, FACT_USE, "a.b", "def f(x, y) -> L[int, None | a.b]: pass",
				 "a.b", F_ANNOTATION),
			 "def f(x, y) -> \"L[int, None | a.b]\": pass");
	ck_assert_str_eq(at_site(fix, FACT_USE, "a.b", "x: a.b | None\n", "a.b", F_ANNOTATION),
			 "x: \"a.b | None\"\n");
	ck_assert_str_eq(at_site(fix, FACT_USE, "a.b", "def f(x: 'C' | a.b): pass", "a.b",
				 F_ANNOTATION),
			 "def f(x: \"'C' | a.b\"): pass");
	ck_assert_str_eq(at_site(fix, FACT_USE, "a.b", "def f(y=\")\", x: a.b\n      | N[\n    int\n] = 1): pass",
				 "a.b", F_ANNOTATION),
			 "def f(y=\")\", x: \"a.b | N[int]\" = 1): pass");
	ck_assert_str_eq(at_site(fix, FACT_USE, "a.b", "x: A[a.b | None, \"u:v\"] = 1\n", "a.b",
				 F_ANNOTATION),
			 "x: 'A[a.b | None, \"u:v\"]' = 1\n");
	ck_assert_str_eq(at_site(fix, FACT_USE, "a.b", "x: A[a.b, \"u\", 'v'] = 1\n", "a.b",
				 F_ANNOTATION),
			 "refused: the annotation holds a comment, or quotes of both kinds");
	ck_assert_str_eq(at_site(fix, FACT_USE, "a.b", "x = a.b | None", "a.b", 0),
			 "refused: only an annotation can be quoted");
}

UNIT_TEST(rule_fix_accept_too)
{
	const char *fix = "accept_too: b.$leaf";

	ck_assert_str_eq(at_site(fix, FACT_STRING, "a.x", "t = s == 'a.x'\n", "'a.x'", 0),
			 "t = s in ('a.x', 'b.x')\n");
	ck_assert_str_eq(at_site(fix, FACT_STRING, "a.x", "if s != \"a.x\": pass", "\"a.x\"", 0),
			 "if s not in (\"a.x\", \"b.x\"): pass");
	ck_assert_str_eq(at_site(fix, FACT_STRING, "a.x", "t = s == 'a.x' + y\n", "'a.x'", 0),
			 "refused: what is done with the text is for a person to see");
	ck_assert_str_eq(at_site(fix, FACT_STRING, "a.", "if s.startswith('a.'): s = s[2:]", "'a.'", 0),
			 "if s.startswith(('a.', 'b.')): s = s.split(\".\", 1)[1]");
	ck_assert_str_eq(at_site(fix, FACT_STRING, "a.", "if s.startswith('a.'): s = s[3:]", "'a.'", 0),
			 "refused: 's' is cut otherwise below");
	ck_assert_str_eq(at_site(fix, FACT_STRING, "a.", "t = 'a.' in s", "'a.'", 0),
			 "refused: what is done with the text is for a person to see");
	fix = "last_part: dot";
	ck_assert_str_eq(at_site(fix, FACT_STRING, "a.", "t = str(d).replace('a.', '')", "'a.'", 0),
			 "t = str(d).split('.')[-1]");
	ck_assert_str_eq(at_site(fix, FACT_STRING, "a.", "t = d.removeprefix('a.').x", "'a.'", 0),
			 "t = d.split('.')[-1].x");
	ck_assert_str_eq(at_site(fix, FACT_STRING, "a.", "t = d.replace('a.', 'b')", "'a.'", 0),
			 "refused: the text is not taken off here");
}

UNIT_TEST(rule_match_passed_to)
{
	struct arg arg = { .keyword = "place", .value = VALUE_CALL, .span = { 4, 15 },
			   .valspan = { 10, 15 } };
	struct fact *f;
	struct help h;

	/* make(place=spot()) */
	help_init(&h, RULE("match: {call: spot, passed_as: place, passed_to: {call: make}}\n"));
	f = help_fact(&h, FACT_USE, "make", 0, F_CALL);
	f->args = &arg;
	f->nr_args = 1;
	f = help_fact(&h, FACT_USE, "spot", 10, F_CALL);
	f->stmt = (struct span){ 10, 15 };
	ck_assert_str_eq(help_match(&h), "PD900@10");
	arg.keyword = "other";
	ck_assert_str_eq(help_match(&h), "");
	arg.keyword = "place";
	h.facts[0].name = "take";
	ck_assert_str_eq(help_match(&h), "");
	arena_free(&h.arena);
}

UNIT_TEST(rule_match_own_name)
{
	struct help h;

	help_init(&h, RULE("match: {member: size, not: {own_name: true}}\n"));
	help_fact(&h, FACT_MEMBER, "size", 2, F_CALL);
	ck_assert_str_eq(help_match(&h), "PD900@2");
	h.defs[0].name = "Box.resize";
	h.source.nr_defs = 1;
	ck_assert_str_eq(help_match(&h), "PD900@2");
	h.defs[0].name = "Box.size";
	ck_assert_str_eq(help_match(&h), "");
	arena_free(&h.arena);
}
