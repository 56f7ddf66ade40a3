/*
 * rule_verb_group.c - negate_keyword, member_to_function and rename_import: what they write and what
 * they refuse; and the test whether a package belongs in the scope.
 */
#include "rule_help.h"

#define FIX(match, fix) RULE("match: " match "\nfix: {" fix ", safety: safe, dual: same}\n")

/* The text with the first finding's edits, or "refused: reason". */
static const char *fixed(struct help *h, const char *text)
{
	struct shape sh = { .text = text, .len = strlen(text), .newline = "\n", .ok = true };
	struct strbuf sb = STRBUF_INIT;
	struct finding *f;
	const char *out;
	size_t k, at = 0;

	h->found = (struct findings){ 0 };
	rules_match(h->rules, NULL, &h->source, &h->arena, &h->found);
	ck_assert_uint_ge(h->found.nr, 1);
	f = h->found.v[0];
	rules_fix(h->rules, f, &sh, &h->arena);
	if (!f->fix->nr_edits)
		return arena_fmt(&h->arena, "refused: %s", f->fix->reason);
	for (k = 0; k < f->fix->nr_edits; k++) {
		const struct edit *e = &f->fix->edits[k];

		ck_assert_uint_ge(e->span.start, at);
		strbuf_add(&sb, text + at, e->span.start - at);
		strbuf_addstr(&sb, e->text);
		at = e->span.end;
	}
	strbuf_addstr(&sb, text + at);
	out = arena_strndup(&h->arena, sb.buf, sb.len);
	strbuf_release(&sb);
	return out;
}

static struct span span_of(const char *text, const char *part)
{
	const char *at = strstr(text, part);

	ck_assert_ptr_nonnull(at);
	return (struct span){ (uint32_t)(at - text), (uint32_t)(at - text + strlen(part)) };
}

/* ---- negate_keyword -------------------------------------------------------------------------- */

/* `text` is f(x, KEY=VALUE...); the arguments are given as written. */
static const char *negated(const char *text, const char *const *args, enum value_kind kind)
{
	static struct help h;
	struct arg *v;
	struct fact *f;
	size_t i;

	arena_free(&h.arena);
	help_init(&h, FIX("{call: f}", "negate_keyword: {async: sync}"));
	v = arena_array(&h.arena, 4, sizeof(*v));
	f = help_fact(&h, FACT_USE, "f", 0, F_CALL);
	f->stmt.end = (uint32_t)strlen(text);
	for (i = 0; args[i]; i++) {
		const char *eq = strchr(args[i], '=');

		v[i].span = v[i].valspan = span_of(text, args[i]);
		v[i].value = kind;
		if (!eq)
			continue;
		v[i].keyword = arena_strndup(&h.arena, args[i], (size_t)(eq - args[i]));
		v[i].valspan.start += (uint32_t)(eq - args[i]) + 1;
	}
	f->args = v;
	f->nr_args = i;
	return fixed(&h, text);
}

UNIT_TEST(rule_verb_negate_keyword)
{
	ck_assert_str_eq(negated("f(x, async=True)", (const char *[]){ "x", "async=True", NULL },
				 VALUE_BOOL),
			 "f(x, sync=False)");
	ck_assert_str_eq(negated("f(x, async=False)", (const char *[]){ "x", "async=False", NULL },
				 VALUE_BOOL),
			 "f(x, sync=True)");
	ck_assert_str_eq(negated("f(async=a.b, g=1)",
				 (const char *[]){ "async=a.b", "g=1", NULL }, VALUE_NAME),
			 "f(sync=not a.b, g=1)");
	ck_assert_str_eq(negated("f(async=a or b)", (const char *[]){ "async=a or b", NULL },
				 VALUE_OTHER),
			 "f(sync=not (a or b))");
	ck_assert_str_eq(negated("f(sync=a, async=b)",
				 (const char *[]){ "sync=a", "async=b", NULL }, VALUE_NAME),
			 "refused: 'sync' is also passed");
	ck_assert_str_eq(negated("f(x, y)", (const char *[]){ "x", "y", NULL }, VALUE_NAME),
			 "refused: the call passes no such keyword by name");
}

/* ---- member_to_function ---------------------------------------------------------------------- */

/* `call` is RECEIVER.size() in `text`; the file has one import, of `name` bound to `bound`. */
static const char *function(const char *text, const char *call, const char *name,
			    const char *bound, uint32_t flags)
{
	static struct help h;
	struct fact *f, *import;
	struct span span = span_of(text, call);

	arena_free(&h.arena);
	help_init(&h, FIX("{member: size}", "member_to_function: {size: a.b.count}"));
	import = help_fact(&h, FACT_IMPORT, name, 0, flags);
	import->text = bound;
	f = help_fact(&h, FACT_MEMBER, "size", span.end - 6, F_CALL);
	f->stmt = span;
	h.defs[0] = (struct def){ .name = "f", .parent = -1, .nr_params = 1,
				  .params = ARENA_NEW(&h.arena, struct arg) };
	h.defs[0].params->keyword = "m";
	h.source.nr_defs = 1;
	f->def = 0;
	return fixed(&h, text);
}

UNIT_TEST(rule_verb_member_to_function)
{
	ck_assert_str_eq(function("x = g.size() + 1", "g.size()", "a.b", "b", 0),
			 "x = b.count(g) + 1");
	ck_assert_str_eq(function("self.g.size()", "self.g.size()", "a", "a", 0),
			 "a.b.count(self.g)");
	ck_assert_str_eq(function("g.size()", "g.size()", "a.c", "a", 0), "a.b.count(g)");
	ck_assert_str_eq(function("g.size()", "g.size()", "a.b.count", "n", F_FROM), "n(g)");
	ck_assert_str_eq(function("g.size()", "g.size()", "a.b", "b", F_FUNCTION),
			 "refused: no import of this file leads to a.b.count");
	ck_assert_str_eq(function("g.size()", "g.size()", "a.bc", "bc", F_FROM),
			 "refused: no import of this file leads to a.b.count");
	/* A parameter of the function hides the module. */
	ck_assert_str_eq(function("g.size()", "g.size()", "a.b", "m", 0),
			 "refused: no import of this file leads to a.b.count");
	ck_assert_str_eq(function("(g # x\n).size()", "(g # x\n).size()", "a.b", "b", 0),
			 "refused: the receiver is not written on one line");
}

/* ---- rename_import --------------------------------------------------------------------------- */

static const char *imported(const char *stmt, const char *old, const char *new)
{
	static struct help h;
	const char *leaf = strrchr(old, '.') + 1;
	char rule[1024], word[64];
	struct fact *f;

	arena_free(&h.arena);
	snprintf(rule, sizeof(rule), FIX("{import: %s}", "rename_import: {%s: %s}"), old, old, new);
	help_init(&h, rule);
	f = help_fact(&h, FACT_IMPORT, old, 0, F_FROM);
	f->text = "x";
	snprintf(word, sizeof(word), "import %s", leaf);
	f->span = strstr(stmt, word) ? span_of(stmt, word) : span_of(stmt, leaf);
	f->span.start = f->span.end - (uint32_t)strlen(leaf);
	f->stmt = (struct span){ 0, (uint32_t)strlen(stmt) };
	return fixed(&h, stmt);
}

UNIT_TEST(rule_verb_rename_import)
{
	ck_assert_str_eq(imported("from a.b import on", "a.b.on", "a.start"),
			 "from a import start as on");
	ck_assert_str_eq(imported("from  a.b  import on as go", "a.b.on", "a.start"),
			 "from  a  import start as go");
	ck_assert_str_eq(imported("from a.b import (on)", "a.b.on", "a.start"),
			 "from a import (start as on)");
	ck_assert_str_eq(imported("from a.b import on, off", "a.b.on", "a.b.start"),
			 "from a.b import start as on, off");
	ck_assert_str_eq(imported("from a.b import on, off", "a.b.on", "a.start"),
			 "refused: other names are imported by the same statement");
	ck_assert_str_eq(imported("from a.\\\nb import on", "a.b.on", "a.start"),
			 "refused: the module is not written as one dotted name here");
}

/* ---- in_scope -------------------------------------------------------------------------------- */

UNIT_TEST(rule_match_in_scope)
{
	const char *scope[] = { "other", "pkg" };
	struct repo repo = { .scope = { scope, 2, 2 } };
	struct help h;

	help_init(&h, RULE("match: {use: f, in_scope: true}\n"));
	help_fact(&h, FACT_USE, "f", 0, 0);
	ck_assert_str_eq(help_match(&h), "");
	rules_match(h.rules, &repo, &h.source, &h.arena, &h.found);
	ck_assert_uint_eq(h.found.nr, 1);
	h.source.module = "pkgs.a";
	h.found = (struct findings){ 0 };
	rules_match(h.rules, &repo, &h.source, &h.arena, &h.found);
	ck_assert_uint_eq(h.found.nr, 0);
	arena_free(&h.arena);
}
