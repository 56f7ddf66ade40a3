/*
 * rule_verb_build.c - verbs for build scripts and package entries: define_and_call, replace_text,
 * wrap_class, only_if, copy_argument; what they write and what they refuse.
 */
#include "rule_help.h"

#define FIX(match, fix) RULE("match: " match "\nfix: {" fix ", safety: safe, dual: same}\n")

struct stmt {
	const char *text, *kind;
	int parent;
};

static struct span span_of(const char *text, const char *part)
{
	const char *at = strstr(text, part);

	ck_assert_ptr_nonnull(at);
	return (struct span){ (uint32_t)(at - text), (uint32_t)(at - text + strlen(part)) };
}

/* Statements in order of offset, ended by a NULL text. */
static struct shape *shape_of(struct help *h, const char *text, const struct stmt *v)
{
	struct shape *sh = ARENA_NEW(&h->arena, struct shape);
	size_t i;

	sh->text = text;
	sh->len = strlen(text);
	sh->newline = strstr(text, "\r\n") ? "\r\n" : "\n";
	sh->ok = true;
	sh->stmts = arena_array(&h->arena, 16, sizeof(*sh->stmts));
	for (i = 0; v[i].text; i++) {
		struct shape_stmt *st = &sh->stmts[sh->nr_stmts++];
		const char *line;

		st->span = span_of(text, v[i].text);
		st->kind = v[i].kind;
		st->parent = v[i].parent;
		for (line = text + st->span.start; line > text && line[-1] != '\n'; line--)
			;
		st->line_start = (uint32_t)(line - text);
		st->indent = st->span.start - st->line_start;
		st->first_on_line = strspn(line, " ") == st->indent;
		st->last_on_line = strchr("\r\n", text[st->span.end]) != NULL;
	}
	return sh;
}

static int by_start(const void *a, const void *b)
{
	const struct edit *x = a, *y = b;

	return x->span.start < y->span.start ? -1 : x->span.start > y->span.start;
}

/* The text with the first finding's edits, or "refused: reason". */
static const char *fixed(struct help *h, const struct shape *sh)
{
	struct strbuf sb = STRBUF_INIT;
	struct finding *f;
	const char *out;
	size_t k, at = 0;

	h->found = (struct findings){ 0 };
	rules_match(h->rules, NULL, &h->source, &h->arena, &h->found);
	ck_assert_uint_ge(h->found.nr, 1);
	f = h->found.v[0];
	rules_fix(h->rules, f, sh, &h->arena);
	if (!f->fix->nr_edits)
		return arena_fmt(&h->arena, "refused: %s", f->fix->reason);
	qsort(f->fix->edits, f->fix->nr_edits, sizeof(struct edit), by_start);
	for (k = 0; k < f->fix->nr_edits; k++) {
		const struct edit *e = &f->fix->edits[k];

		ck_assert_uint_ge(e->span.start, at);
		strbuf_add(&sb, sh->text + at, e->span.start - at);
		strbuf_addstr(&sb, e->text);
		at = e->span.end;
	}
	strbuf_addstr(&sb, sh->text + at);
	out = arena_strndup(&h->arena, sb.buf, sb.len);
	strbuf_release(&sb);
	return out;
}

/* ---- define_and_call ----------------------------------------------------------------------------- */

#define DEFINE FIX("{call: load}", "define_and_call: \"def go():\\n    pass\\n\"")

static const char *defined(struct help *h, const char *text, uint32_t flags,
			   const struct stmt *stmts)
{
	arena_free(&h->arena);
	help_init(h, DEFINE);
	help_fact(h, FACT_USE, "load", span_of(text, "load(").start, F_CALL | flags);
	return fixed(h, shape_of(h, text, stmts));
}

UNIT_TEST(rule_verb_define_and_call)
{
	static struct help h;
	const struct stmt module[] = { { "import a", "import", -1 },
				       { "x = load()", "assignment", -1 }, { 0 } };
	const struct stmt inside[] = { { "def f():\n    x = 1\n    return load()", "function", -1 },
				       { "x = 1", "assignment", 0 },
				       { "return load()", "return", 0 }, { 0 } };
	const struct stmt clause[] = { { "def f():\n    if a: pass\n    elif load(): pass", "function",
					 -1 },
				       { "if a: pass\n    elif load(): pass", "if", 0 },
				       { "elif load(): pass", "elif", 1 }, { 0 } };
	const struct stmt line[] = { { "def f(): return load()", "function", -1 },
				     { "return load()", "return", 0 }, { 0 } };

	ck_assert_str_eq(defined(&h, "import a\nx = load()\n", 0, module),
			 "import a\n\n\ndef go():\n    pass\n\n\ngo()\nx = load()\n");
	ck_assert_str_eq(defined(&h, "import a\r\nx = load()\r\n", 0, module),
			 "import a\r\n\r\n\r\ndef go():\r\n    pass\r\n\r\n\r\ngo()\r\nx = load()\r\n");
	ck_assert_str_eq(defined(&h, "def f():\n    x = 1\n    return load()\n", F_FUNCTION, inside),
			 "def go():\n    pass\n\n\ndef f():\n    x = 1\n    go()\n    return load()\n");
	ck_assert_str_eq(defined(&h, "def f():\n    if a: pass\n    elif load(): pass\n", F_FUNCTION,
				 clause),
			 "def go():\n    pass\n\n\ndef f():\n    go()\n    if a: pass\n"
			 "    elif load(): pass\n");
	ck_assert_str_eq(defined(&h, "def f(): return load()\n", F_FUNCTION, line),
			 "refused: the site does not begin a line of the function");
	ck_assert_str_eq(defined(&h, "import a\nx = load()\ngo = 1\n", 0, module),
			 "refused: the file has a 'go' already");
	arena_free(&h.arena);
}

/* ---- replace_text -------------------------------------------------------------------------------- */

static const char *replaced(struct help *h, const char *text, const char *literal)
{
	const struct stmt none[] = { { 0 } };
	struct fact *f;

	arena_free(&h->arena);
	help_init(h, FIX("{string: \"-std=*\"}", "replace_text: {c++14: c++17}"));
	f = help_fact(h, FACT_STRING, literal, 0, 0);
	f->span = (struct span){ 4, (uint32_t)strlen(text) };
	return fixed(h, shape_of(h, text, none));
}

UNIT_TEST(rule_verb_replace_text)
{
	static struct help h;

	ck_assert_str_eq(replaced(&h, "x = r'-std=c++14'", "-std=c++14"), "x = r'-std=c++17'");
	ck_assert_str_eq(replaced(&h, "x = '-std=c+' '+14'", "-std=c++14"),
			 "refused: the text is not written out once here");
	ck_assert_str_eq(replaced(&h, "x = '-std=c++20'", "-std=c++20"),
			 "refused: the rule has no other text for '-std=c++20'");
	arena_free(&h.arena);
}

/* ---- wrap_class ---------------------------------------------------------------------------------- */

static const char *wrapped(struct help *h, const char *text, int guard)
{
	const struct stmt stmts[] = { { "from m import B", "from", -1 },
				      { "run(ext(), B.made(), [B])", "expression", -1 }, { 0 } };
	const char *use = strstr(text, "B.made");
	struct fact *f;

	arena_free(&h->arena);
	help_init(h, FIX("{call: ext}", "wrap_class: {m.B: \"    x = 1\"}"));
	f = help_fact(h, FACT_IMPORT, "m.B", span_of(text, "import B").start + 7, F_FROM);
	f->text = "B";
	f->guard = guard;
	help_guard(h, GUARD_TRY, f->span, f->span);
	help_fact(h, FACT_USE, "ext", span_of(text, "ext").start, F_CALL);
	f = help_fact(h, FACT_USE, "m.B.made", (uint32_t)(use - text), F_CALL);
	f->span.end = f->span.start + 6;
	f = help_fact(h, FACT_USE, "m.B", span_of(text, "[B]").start + 1, 0);
	f->span.end = f->span.start + 1;
	return fixed(h, shape_of(h, text, stmts));
}

UNIT_TEST(rule_verb_wrap_class)
{
	static struct help h;
	const char *text = "from m import B\nrun(ext(), B.made(), [B])\n";

	ck_assert_str_eq(wrapped(&h, text, -1),
			 "from m import B\nclass _B(B):\n    x = 1\n\n\n"
			 "run(ext(), _B.made(), [_B])\n");
	ck_assert_str_eq(wrapped(&h, text, 0), "refused: the class is not imported at module level");
	ck_assert_str_eq(wrapped(&h, "from m import B\nrun(ext(), B.made(), [B])\n_B = 1\n", -1),
			 "refused: the file has a '_B' already");
	arena_free(&h.arena);
}

/* ---- only_if ------------------------------------------------------------------------------------- */

static const char *gated(struct help *h, const char *text, const struct stmt *stmts, bool in_if,
			 const char *import)
{
	struct fact *f;
	struct span body;

	arena_free(&h->arena);
	help_init(h, FIX("{call: ext}", "only_if: torch.ok()"));
	f = help_fact(h, FACT_IMPORT, import, 7, 0);
	f->text = "torch";
	f->stmt = span_of(text, "import");
	f = help_fact(h, FACT_USE, "ext", span_of(text, "ext").start, F_CALL);
	if (in_if) {
		body = (struct span){ f->span.start - 2, f->span.end + 2 };
		help_guard(h, GUARD_IF, body, (struct span){ 0, 0 });
		f->guard = 0;
	}
	return fixed(h, shape_of(h, text, stmts));
}

UNIT_TEST(rule_verb_only_if)
{
	static struct help h;
	const struct stmt inside[] = { { "import torch", "import", -1 }, { "if a:\n  ext()", "if", -1 },
				       { "ext()", "expression", 1 }, { 0 } };
	const struct stmt either[] = { { "import torch", "import", -1 },
				       { "if a or b:\n  ext()", "if", -1 },
				       { "ext()", "expression", 1 }, { 0 } };
	const struct stmt plain[] = { { "import torch", "import", -1 }, { "v.append(ext())", "expression", -1 },
				      { 0 } };
	const struct stmt named[] = { { "import torch", "import", -1 }, { "v = ext()", "assignment", -1 },
				      { 0 } };
	const struct stmt below[] = { { "import torch.u as u", "import", -1 },
				      { "v.append(ext())", "expression", -1 }, { 0 } };

	ck_assert_str_eq(gated(&h, "import torch\nif a:\n  ext()\n", inside, true, "torch"),
			 "import torch\nif torch.ok() and a:\n  ext()\n");
	ck_assert_str_eq(gated(&h, "import torch\nif a or b:\n  ext()\n", either, true, "torch"),
			 "refused: another condition cannot be put before the test");
	ck_assert_str_eq(gated(&h, "import torch\nv.append(ext())\n", plain, false, "torch"),
			 "import torch\nif torch.ok(): v.append(ext())\n");
	ck_assert_str_eq(gated(&h, "import torch\nv = ext()\n", named, false, "torch"),
			 "refused: the site is no statement that can be left out");
	/* The root is not bound: its import is added behind the first one of something below it. */
	h.source.nr_facts = 0;
	arena_free(&h.arena);
	help_init(&h, FIX("{call: ext}", "only_if: torch.ok()"));
	help_fact(&h, FACT_IMPORT, "torch.u", 7, 0)->text = "u";
	h.facts[0].stmt = (struct span){ 0, 19 };
	help_fact(&h, FACT_USE, "ext", 29, F_CALL);
	ck_assert_str_eq(fixed(&h, shape_of(&h, "import torch.u as u\nv.append(ext())\n", below)),
			 "import torch.u as u\nimport torch\nif torch.ok(): v.append(ext())\n");
	arena_free(&h.arena);
}

/* ---- copy_argument ------------------------------------------------------------------------------- */

static const char *copied(struct help *h, const char *text, const struct stmt *stmts)
{
	static struct arg arg;
	struct fact *f;

	arena_free(&h->arena);
	help_init(h, FIX("{call: ext}", "copy_argument: flags"));
	arg = (struct arg){ .keyword = "flags", .value = VALUE_NAME, .text = "v" };
	arg.span = span_of(text, "flags=v");
	arg.valspan = (struct span){ arg.span.end - 1, arg.span.end };
	f = help_fact(h, FACT_USE, "ext", span_of(text, "ext").start, F_CALL);
	f->args = &arg;
	f->nr_args = 1;
	return fixed(h, shape_of(h, text, stmts));
}

UNIT_TEST(rule_verb_copy_argument)
{
	static struct help h;
	const struct stmt list[] = { { "v = [1]", "assignment", -1 },
				     { "ext(flags=v)", "expression", -1 }, { 0 } };
	const struct stmt dict[] = { { "v = {2: [1]}", "assignment", -1 },
				     { "ext(flags=v)", "expression", -1 }, { 0 } };
	const struct stmt call[] = { { "v = f([1])", "assignment", -1 },
				     { "ext(flags=v)", "expression", -1 }, { 0 } };

	ck_assert_str_eq(copied(&h, "v = [1]\next(flags=v)\n", list), "v = [1]\next(flags=list(v))\n");
	ck_assert_str_eq(copied(&h, "v = {2: [1]}\next(flags=v)\n", dict),
			 "v = {2: [1]}\next(flags={k: list(v) for k, v in v.items()})\n");
	ck_assert_str_eq(copied(&h, "v = f([1])\next(flags=v)\n", call),
			 "refused: it is not seen what 'v' is");
	arena_free(&h.arena);
}
