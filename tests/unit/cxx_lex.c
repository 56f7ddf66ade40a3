/* cxx_lex.c - the lexical pass over C, C++ and CUDA: text in, "kind name@start" lines out. */
#include "unit.h"

#include <string.h>

#include "base/strbuf.h"
#include "cxx/cxx.h"

static const char *const roots[] = {"torch", NULL};
static const char *const tokens[] = {"at::", "c10::", "torch::", "TORCH_", "AT_", NULL};
static const char *const headers[] = {"ATen/", "torch/", NULL};
static const struct vocab vocab = {.roots = roots, .cxx_tokens = tokens, .cxx_headers = headers};

struct run {
	struct arena arena;
	struct intern intern;
	struct source s;
	struct strbuf out;
};

static void lex(struct run *r, const char *text, size_t len)
{
	char *copy = xmalloc(len + 1); /* exact size, so that the sanitizer sees every overrun */
	size_t i;

	memset(r, 0, sizeof(*r));
	strbuf_init(&r->out);
	r->intern.arena = &r->arena;
	memcpy(copy, text, len);
	copy = xrealloc(copy, len ? len : 1);
	cxx_lex_facts(&r->s, copy, len, &vocab, &r->arena, &r->intern);
	for (i = 0; i < r->s.nr_facts; i++) {
		const struct fact *f = &r->s.facts[i];

		ck_assert(f->span.start <= f->span.end && f->span.end <= len);
		ck_assert(f->stmt.start <= f->span.start && f->span.end <= f->stmt.end &&
			  f->stmt.end <= len);
		ck_assert(!i || f[-1].span.start < f->span.start);
		strbuf_addf(&r->out, "%s%s %s@%u;", fact_kind_name(f->kind),
			    f->flags & F_ANGLE ? "<>" : "", f->name, f->span.start);
	}
	free(copy);
}

static void done(struct run *r)
{
	strbuf_release(&r->out);
	arena_free(&r->arena);
}

static const struct {
	const char *text, *want;
} cases[] = {
	{"", ""},
	{"#include <torch/extension.h>\n#  include \"a/b.h\" // at::x\n#include MACRO\n",
	 "include<> torch/extension.h@10;include a/b.h@41;"},
	{"#include <a\n#include <>\n#include \"b\nat::x", "token at::x@36;"},
	{"\t /* c */ #include_next <x.h> /* at::a\nat::b */ at::c\nat::d",
	 "include<> x.h@25;token at::d@54;"},
	{"x #include <y>\n", ""},
	{"#include /* at::a */ <x.h>\n", "include<> x.h@22;"},
	{"#if 0\nat::a don't\n# if 1\nat::b\n#else\nat::c\n#endif\n#error at::d\n#else\nat::e\n#endif\n",
	 "token at::e@69;"},
	{"#if 0 // never\nat::a\n#elif 1\nat::b\n#endif\n#if 01\nat::c\n#endif\n#if 0",
	 "token at::b@29;token at::c@49;"},
	{"#define Q at::Tensor\n#if defined(TORCH_X)\n", "token at::Tensor@10;token TORCH_X@33;"},
	{"#error don't use at::x\n#warning \"at::y\n at::z", "token at::z@40;"},
	{"at::Tensor f(c10::optional<torch::Tensor> x);",
	 "token at::Tensor@0;token c10::optional@13;token torch::Tensor@27;"},
	{"at::cuda::CUDAStream s = ::at::cuda:: getStream();",
	 "token at::cuda::CUDAStream@0;token at::cuda::getStream@27;"},
	{"return ::at::empty(1); foo::at::x; cat::y; v.at(1); v.at; at; std::at; vec<int>::at::z",
	 "token at::empty@9;"},
	{"TORCH_CHECK(x, \"at::no\"); MY_TORCH_X; AT_DISPATCH(y); p->AT_; q.TORCH_; f(x...AT_)",
	 "token TORCH_CHECK@0;token AT_DISPATCH@38;token AT_@78;"},
	{"// at::a \\\n at::b\n/* at::c\n*/ at::d // at::e", "token at::d@30;"},
	{"\"at::a\\\"at::b\" 'a' '\\'' L'\"' at::c \"x\\\n at::d\" at::e",
	 "token at::c@29;token at::e@47;"},
	{"R\"(at::a \" )\" )x at::b\" u8R\"q(at::c)\" )q\" at::d FR\"(at::e)\" at::f",
	 "token at::b@17;token at::c@30;token at::d@42;token at::f@60;"},
	{"u8R\"q(at::c)\" )q\" at::d FR\"(at::e)\" LR\"()\"at::f",
	 "token at::d@18;token at::f@42;"},
	{"int x = 1'000'000; at::a; 0x1'f; 1e+5; 'a'; at::b; 1.5e-3f; .5; at::c",
	 "token at::a@19;token at::b@44;token at::c@64;"},
	{"a\\\nt::Ten\\\r\nsor x; AT\\\n_X; at::\\\nT",
	 "token at::Tensor@0;token AT_X@19;token at::T@27;"},
	{"at::Ten\\\r\nsor x; TOR\\\nCH_X; at::\\\nT",
	 "token at::Tensor@0;token TORCH_X@17;token at::T@28;"},
	{"#if 0\ndon't at::a\n#endif\nat::b", "token at::b@25;"},
	{"at::a\rat::b\r#include <x>\rat::c",
	 "token at::a@0;token at::b@6;include<> x@22;token at::c@25;"},
	{"case at::kFloat: x ? at::a : at::b; at::",
	 "token at::kFloat@5;token at::a@21;token at::b@29;"},
	{"\xef\xbb\xbf#include \"a\"", "include a@13;"},
	{"f<<<at::a, 1>>>(x % at::b / at::c);",
	 "launch @1;token at::a@4;token at::b@20;token at::c@28;"},
	{"<<<<<<< at::a\n<<<b; x <<< 1; k<int> <<<1, 1>>>(at::c)",
	 "token at::a@8;launch @22;launch @36;token at::c@47;"},
};

UNIT_TEST(lex_cases)
{
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct run r;

		lex(&r, cases[i].text, strlen(cases[i].text));
		ck_assert_str_eq(r.out.buf, cases[i].want);
		done(&r);
	}
}

UNIT_TEST(lex_analysis)
{
	static const struct {
		const char *text;
		enum analysis analysis;
		bool mentions;
	} want[] = {
		{"int x;", ANALYSIS_LEXICAL, false},
		{"// torch", ANALYSIS_LEXICAL, true},
		{"x = pytorch + torch_y;", ANALYSIS_LEXICAL, false},
		{"#include <ATen/ATen.h>", ANALYSIS_LEXICAL, true},
		{"at::Tensor x; /* at::Tensor", ANALYSIS_PARTIAL, true},
		{"R\"x( no end", ANALYSIS_PARTIAL, false},
	};
	size_t i;

	for (i = 0; i < sizeof(want) / sizeof(*want); i++) {
		struct run r;

		lex(&r, want[i].text, strlen(want[i].text));
		ck_assert_int_eq(r.s.analysis, want[i].analysis);
		ck_assert_int_eq(r.s.mentions, want[i].mentions);
		done(&r);
	}
}

/* Names of the includes that a condition asks for, each with a semicolon. */
static void asked_are(const char *text, const char *want)
{
	struct strbuf sb = STRBUF_INIT;
	struct run r;
	size_t i;

	lex(&r, text, strlen(text));
	for (i = 0; i < r.s.nr_facts; i++)
		if (r.s.facts[i].flags & F_TRY_IMPORT)
			strbuf_addf(&sb, "%s;", r.s.facts[i].name);
	ck_assert_str_eq(sb.len ? sb.buf : "", want);
	strbuf_release(&sb);
	done(&r);
}

UNIT_TEST(lex_asked_includes)
{
	asked_are("#if __has_include(<torch/a.h>)\n#include <torch/a.h>\n#include <torch/b.h>\n#else\n"
		  "#include <torch/a.h>\n#endif\n#include <torch/a.h>\n",
		  "torch/a.h;");
	asked_are("#ifdef __has_include\n# if __has_include(\"ATen/a.h\") && X\n#  include \"ATen/a.h\"\n"
		  "# endif\n#endif\n",
		  "ATen/a.h;");
	asked_are("#if !__has_include(<a.h>)\n#include <a.h>\n#else\n#include <a.h>\n#include <b.h>\n#endif\n",
		  "a.h;");
	asked_are("#if X\n#elif __has_include(<a.h>)\n#ifdef Y\n#include <a.h>\n#endif\n#else\n#include <a.h>\n#endif",
		  "a.h;");
	asked_are("#if __has_include(<a.h>) || X\n#include <a.h>\n#endif\n#endif\n#endif\n", "");
}

UNIT_TEST(lex_include_spans)
{
	struct run r;

	lex(&r, "  # include <a/b.h> // x", 24);
	ck_assert_int_eq(r.s.nr_facts, 1);
	ck_assert_int_eq(r.s.facts[0].span.end, 18);
	ck_assert_int_eq(r.s.facts[0].stmt.start, 2);
	ck_assert_int_eq(r.s.facts[0].stmt.end, 19);
	done(&r);
}

UNIT_TEST(lex_prefixes_of_hostile_text)
{
	static const char text[] =
		"#include <a>\n#error '\nR\"d(x)d\" 'a\\' \"\\\\\" at::\\\r\n b\\\n0x1'f 1e+ "
		"/* * / */ // \\\n\0at::c::\\\n->AT_\r#\\\n include \"x\" u8R\"(";
	size_t n;

	for (n = 0; n <= sizeof(text); n++) {
		struct run r;

		lex(&r, text, n);
		done(&r);
	}
}

UNIT_TEST(lex_long_lines)
{
	static const char *const units[] = {"\"",   "'",    "R\"(", "/*",         "\\",
					    "\\\n", "at::", "AT_ ", "#include <", "1'",
					    "(",    "\0",   "\r",   "//"};
	size_t i, k, len = 1 << 20;
	char *text = xmalloc(len);

	for (i = 0; i < sizeof(units) / sizeof(*units); i++) {
		size_t n = strlen(units[i]) ? strlen(units[i]) : 1;
		struct run r;

		for (k = 0; k < len; k++)
			text[k] = units[i][k % n];
		lex(&r, text, len);
		ck_assert(r.s.nr_facts <= 50000);
		done(&r);
	}
	free(text);
}

UNIT_TEST(lex_fact_limit)
{
	size_t i, nr = 50010;
	struct strbuf text = STRBUF_INIT;
	struct run r;

	for (i = 0; i < nr; i++)
		strbuf_addstr(&text, "AT_X;");
	lex(&r, text.buf, text.len);
	ck_assert_int_eq(r.s.nr_facts, 50000);
	ck_assert_int_eq(r.s.analysis, ANALYSIS_PARTIAL);
	done(&r);
	strbuf_release(&text);
}
