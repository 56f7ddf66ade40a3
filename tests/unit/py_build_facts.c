/* py_build_facts.c - see py_build_facts.h. */
#include "unit.h"

#include "py_build_facts.h"

#include <string.h>

static const char *const roots[] = {"torch", NULL};
static const char *const target_roots[] = {"paddle", NULL};
static const char *const members[] = {"saved_tensors", "cuda_stream", NULL};
static const struct vocab vocab = {
	.roots = roots, .target_roots = target_roots, .members = members};

static void print_fact(struct build_run *r, const struct fact *f, const char *text)
{
	struct strbuf *out = &r->out;
	size_t i;

	strbuf_addf(out, "%s %s", fact_kind_name(f->kind), f->name);
	if (f->text)
		strbuf_addf(out, " | %s", f->text);
	if (f->recv)
		strbuf_addf(out, " | %s", f->recv);
	if (*f->symbol)
		strbuf_addf(out, " in %s", f->symbol);
	strbuf_addf(out, " [%.*s]", (int)(f->span.end - f->span.start), text + f->span.start);
	if (f->stmt.start != f->span.start || f->stmt.end != f->span.end)
		strbuf_addf(out, " {%.*s}", (int)(f->stmt.end - f->stmt.start),
			    text + f->stmt.start);
	for (i = 0; fact_flag_name((int)i); i++)
		if (f->flags & 1u << i)
			strbuf_addf(out, " +%s", fact_flag_name((int)i));
	for (i = 0; i < f->nr_args; i++)
		strbuf_addf(out, " (%s%s%s)", f->args[i].keyword ? f->args[i].keyword : "",
			    f->args[i].keyword ? "=" : "", f->args[i].text ? f->args[i].text : "?");
	strbuf_addch(out, '\n');
}

void build_read(struct build_run *r, enum lang lang, const char *text, size_t len)
{
	char *copy =
		xmalloc(len ? len : 1); /* exact size, so that the sanitizer sees every overrun */
	size_t i;

	memset(r, 0, sizeof(*r));
	strbuf_init(&r->out);
	r->intern.arena = &r->arena;
	r->s.path = "file";
	r->s.lang = lang;
	r->s.module = "pkg.sub.mod";
	if (len)
		memcpy(copy, text, len);
	r->w = py_worker_new(&vocab, &r->repo, &r->arena, &r->intern);
	py_facts(r->w, &r->s, copy, len, &r->notices);
	for (i = 0; i < r->s.nr_facts; i++) {
		const struct fact *f = &r->s.facts[i];

		ck_assert(f->span.start <= f->span.end && f->span.end <= len);
		ck_assert(f->stmt.start <= f->stmt.end && f->stmt.end <= len);
		ck_assert(!i || f[-1].span.start <= f->span.start);
		print_fact(r, f, copy);
	}
	for (i = 0; i < r->notices.nr; i++)
		strbuf_addf(&r->out, "! %s\n", r->notices.v[i].message);
	ck_assert_int_eq(r->s.analysis == ANALYSIS_PARTIAL || r->s.analysis == ANALYSIS_SKIPPED ||
				 (lang == LANG_CYTHON && r->notices.nr),
			 r->notices.nr > 0);
	free(copy);
}

void build_done(struct build_run *r)
{
	py_worker_free(r->w);
	strbuf_release(&r->out);
	arena_free(&r->arena);
}

void build_check(enum lang lang, const char *text, const char *want)
{
	struct build_run r;

	build_read(&r, lang, text, strlen(text));
	ck_assert_str_eq(r.out.buf, want);
	build_done(&r);
}

void build_torture(enum lang lang, const char *text, size_t len)
{
	static const char *const units[] = {
		"\"", "'",  "[", "(",      "{",       "[[a]]\n", "a.",       "a=[", "a\n", "\\\n",
		"\r", "\0", "#", "\"\"\"", "a = 1\n", "f(x)\n",  "torch.f(", "=",   "]"};
	/* The parser takes time in the square of the number of errors; the lexers do not. */
	size_t i, k, big = lang == LANG_TOML || lang == LANG_CMAKE ? 1 << 13 : 1 << 20;
	char *huge = xmalloc(big);
	struct build_run r;

	for (i = 0; i <= len; i++) {
		build_read(&r, lang, text, i);
		build_done(&r);
	}
	for (i = 0; i < sizeof(units) / sizeof(*units); i++) {
		size_t n = strlen(units[i]) ? strlen(units[i]) : 1;

		for (k = 0; k < big; k++)
			huge[k] = units[i][k % n];
		build_read(&r, lang, huge, big);
		build_done(&r);
	}
	free(huge);
}
