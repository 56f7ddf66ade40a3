/* rule_locate.c - lines, snippets and fingerprints. */
#include "rule_help.h"

static void locate(struct help *h, const char *text)
{
	h->found = (struct findings){ 0 };
	rules_match(h->rules, NULL, &h->source, &h->arena, &h->found);
	findings_locate(&h->found, text, strlen(text), &h->arena);
}

static void help_at(struct help *h, const char *text)
{
	const char *p = text;

	h->source.nr_facts = 0;
	while ((p = strstr(p, "f("))) {
		help_fact(h, FACT_USE, "f", (uint32_t)(p - text), F_CALL);
		p++;
	}
}

UNIT_TEST(rule_locate_lines)
{
	const char *text = "a\r\n\t f(1)  \r\nf(2)";
	struct finding *f;
	struct help h;

	help_init(&h, RULE("match: {use: f}\n"));
	help_at(&h, text);
	locate(&h, text);
	ck_assert_uint_eq(h.found.nr, 2);
	f = h.found.v[0];
	ck_assert_uint_eq(f->line, 2);
	ck_assert_uint_eq(f->column, 3);
	ck_assert_uint_eq(f->end_column, 4);
	ck_assert_str_eq(f->snippet, "f(1)");
	ck_assert_uint_eq(h.found.v[1]->line, 3);
	ck_assert_uint_eq(strlen(f->fingerprint), 32);
	arena_free(&h.arena);
}

/* Lines above and white space do not change a fingerprint; equal lines differ by their number. */
UNIT_TEST(rule_locate_fingerprints)
{
	const char *one = "f(1)\nf(1)\nf(2)\n", *moved = "\n\n  f(1)\n\tf(1)\nf(2)\nf(1)\n";
	char first[33], second[33], third[33];
	struct help h;

	help_init(&h, RULE("match: {use: f}\n"));
	help_at(&h, one);
	locate(&h, one);
	memcpy(first, h.found.v[0]->fingerprint, 33);
	memcpy(second, h.found.v[1]->fingerprint, 33);
	memcpy(third, h.found.v[2]->fingerprint, 33);
	ck_assert_str_ne(first, second);
	ck_assert_str_ne(first, third);
	help_at(&h, moved);
	locate(&h, moved);
	ck_assert_str_eq(h.found.v[0]->fingerprint, first);
	ck_assert_str_eq(h.found.v[1]->fingerprint, second);
	ck_assert_str_eq(h.found.v[2]->fingerprint, third);
	arena_free(&h.arena);
}

UNIT_TEST(rule_locate_long_lines)
{
	struct help h;
	char *text;
	size_t i, len = 300000;

	help_init(&h, RULE("match: {use: f}\n"));
	text = arena_alloc(&h.arena, len + 1);
	for (i = 0; i < len; i++)
		text[i] = i % 2 ? '(' : 'f';
	for (i = 0; i < 30; i++)
		help_fact(&h, FACT_USE, "f", (uint32_t)(i * 1000), F_CALL);
	locate(&h, text);
	ck_assert_uint_eq(h.found.nr, 30);
	ck_assert_uint_eq(strlen(h.found.v[0]->snippet), 200);
	/* Offsets past a text that shrank meanwhile are on its last line. */
	locate(&h, "f");
	ck_assert_uint_eq(h.found.v[29]->line, 1);
	arena_free(&h.arena);
}
