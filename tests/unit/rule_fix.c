/* rule_fix.c - the verbs: what they write and what they refuse. */
#include "rule_help.h"

/* Statements by hand: text of each top-level statement in order. */
static struct shape *shape_of(struct help *h, const char *text, const char *const *stmts)
{
	struct shape *sh = ARENA_NEW(&h->arena, struct shape);
	const char *at = text, *line;

	sh->text = text;
	sh->len = strlen(text);
	sh->newline = strstr(text, "\r\n") ? "\r\n" : "\n";
	sh->ok = true;
	sh->stmts = arena_array(&h->arena, 16, sizeof(*sh->stmts));
	for (; *stmts; stmts++) {
		struct shape_stmt *st = &sh->stmts[sh->nr_stmts++];

		at = strstr(at, *stmts);
		ck_assert_ptr_nonnull(at);
		st->parent = -1;
		st->span.start = (uint32_t)(at - text);
		at += strlen(*stmts);
		st->span.end = (uint32_t)(at - text);
		for (line = text + st->span.start; line > text && line[-1] != '\n'; line--)
			;
		st->line_start = (uint32_t)(line - text);
	}
	return sh;
}

/* The text with the edits of all findings applied; "refused: reason" where there are none. */
static const char *fix_text(struct help *h, const struct shape *sh)
{
	struct strbuf sb = STRBUF_INIT;
	bool edited = false;
	const char *out;
	size_t i, k, at = 0;

	rules_match(h->rules, NULL, &h->source, &h->arena, &h->found);
	for (i = 0; i < h->found.nr; i++) {
		struct finding *f = h->found.v[i];

		rules_fix(h->rules, f, sh, &h->arena);
		if (f->fix && !f->fix->nr_edits)
			strbuf_addf(&sb, "refused: %s", f->fix->reason);
		for (k = 0; f->fix && k < f->fix->nr_edits; k++) {
			const struct edit *e = &f->fix->edits[k];

			ck_assert_uint_ge(e->span.start, at);
			strbuf_add(&sb, sh->text + at, e->span.start - at);
			strbuf_addstr(&sb, e->text);
			at = e->span.end;
			edited = true;
		}
	}
	if (edited)
		strbuf_add(&sb, sh->text + at, sh->len - at);
	out = arena_strndup(&h->arena, sb.buf, sb.len);
	strbuf_release(&sb);
	return out;
}

#define FIX(match, fix) RULE("match: " match "\nfix: {" fix ", safety: safe, dual: same}\n")

static const char *no_stmts[] = { NULL };

static const char *rename_one(const char *text, const char *written, const char *name,
			      const char *new)
{
	static struct help h;
	char rule[1024];
	struct fact *f;

	arena_free(&h.arena);
	snprintf(rule, sizeof(rule), FIX("{use: %s}", "rename: %s"), name, new);
	help_init(&h, rule);
	f = help_fact(&h, FACT_USE, name, (uint32_t)(strstr(text, written) - text), F_CALL);
	f->span.end = f->span.start + (uint32_t)strlen(written);
	if (strstr(text, "import torch\n")) {
		struct fact use = *f;

		*f = (struct fact){ .kind = FACT_IMPORT, .name = "torch", .text = "torch",
				    .guard = -1, .def = -1 };
		h.facts[h.source.nr_facts++] = use;
	}
	return fix_text(&h, shape_of(&h, text, no_stmts));
}

UNIT_TEST(rule_fix_rename)
{
	ck_assert_str_eq(rename_one("x = torch._C.q()", "torch._C.q", "torch._C.q", "torch.cuda.c"),
			 "x = torch.cuda.c()");
	ck_assert_str_eq(rename_one("x = T._C.q()", "T._C.q", "torch._C.q", "torch.cuda.c"),
			 "x = T.cuda.c()");
	ck_assert_str_eq(rename_one("x = T.sort()", "T.sort", "torch.sort", "torch.compat.$leaf"),
			 "x = T.compat.sort()");
	ck_assert_str_eq(rename_one("x = C.q()", "C.q", "torch._C.q", "torch.cuda.c"),
			 "refused: torch is not bound under its own name in this file");
	ck_assert_str_eq(rename_one("import torch\nx = C.q()", "C.q", "torch._C.q", "torch.cuda.c"),
			 "import torch\nx = torch.cuda.c()");
	ck_assert_str_eq(rename_one("x = q()", "q", "torch._C.q", "torch.cuda.c"),
			 "refused: torch is not bound under its own name in this file");
	ck_assert_str_eq(rename_one("x = torch . _C.q()", "torch . _C.q", "torch._C.q", "torch.c"),
			 "refused: the name is not written as one dotted name here");
}

UNIT_TEST(rule_fix_rename_pairs)
{
	struct help h;
	const char *text = "on()\noff()\n";

	help_init(&h, RULE("match: {use: [on, off, gone]}\n"
			   "fix: {rename: {on: new.on, off: new.off}, safety: safe, dual: no}\n"));
	help_fact(&h, FACT_USE, "on", 0, F_CALL);
	help_fact(&h, FACT_USE, "off", 5, F_CALL);
	/* A bare name has no root of its own that could be checked. */
	ck_assert_str_eq(fix_text(&h, shape_of(&h, text, no_stmts)), "new.on()\nnew.off()\n");
	arena_free(&h.arena);
}

static const char *switch_in(const char *text, const char *const *stmts, const char *site,
			     uint32_t prologue, bool imported)
{
	static struct help h;
	struct shape *sh;

	arena_free(&h.arena);
	help_init(&h, RULE("match: {import: torch}\nfix: {safety: safe, dual: guard, "
			   "insert_switch: \"import paddle\\npaddle.enable_compat()\\n\"}\n"));
	if (imported)
		help_fact(&h, FACT_IMPORT, "paddle", 0, 0)->text = "paddle";
	help_fact(&h, FACT_IMPORT, "torch", (uint32_t)(strstr(text, site) - text), 0);
	sh = shape_of(&h, text, stmts);
	sh->prologue_end = prologue;
	return fix_text(&h, sh);
}

UNIT_TEST(rule_fix_insert_switch)
{
	static const char *const plain[] = { "import os", "import torch", NULL };
	static const char *const block[] = { "try:\n\timport torch\nexcept E:\n\traise", NULL };
	static const char *const semi[] = { "import glob", "import torch", NULL };
	static const char *const first[] = { "import torch", NULL };
	static const char *const long_one[] = { "s = '''\n'''", "import torch", NULL };

	ck_assert_str_eq(switch_in("import os\nimport torch\n", plain, "torch", 0, false),
			 "import os\nimport paddle\npaddle.enable_compat()\nimport torch\n");
	ck_assert_str_eq(switch_in("import os\r\nimport torch\r\n", plain, "torch", 0, false),
			 "import os\r\nimport paddle\r\npaddle.enable_compat()\r\nimport torch\r\n");
	ck_assert_str_eq(switch_in("try:\n\timport torch\nexcept E:\n\traise\n", block, "torch", 0, false),
			 "import paddle\npaddle.enable_compat()\ntry:\n\timport torch\nexcept E:\n\traise\n");
	ck_assert_str_eq(switch_in("import glob; import torch; x = 1\n", semi, "torch", 0, false),
			 "import paddle\npaddle.enable_compat()\nimport glob; import torch; x = 1\n");
	ck_assert_str_eq(switch_in("s = '''\n'''; import torch\n", long_one, "torch", 0, false),
			 "import paddle\npaddle.enable_compat()\ns = '''\n'''; import torch\n");
	ck_assert_str_eq(switch_in("\xef\xbb\xbfimport torch", first, "torch", 3, false),
			 "\xef\xbb\xbfimport paddle\npaddle.enable_compat()\nimport torch");
	ck_assert_str_eq(switch_in("import paddle\nimport torch\n", first, "torch", 0, true),
			 "import paddle\npaddle.enable_compat()\nimport torch\n");
	ck_assert_str_eq(switch_in("\"\"\"doc\"\"\"; import torch\n", first, "torch", 9, false),
			 "refused: the statement begins on a line of the file's head");
}

UNIT_TEST(rule_fix_positional_to_keyword)
{
	struct arg args[] = { { .valspan = { 2, 5 } }, { .valspan = { 7, 10 } },
			      { .keyword = "k", .valspan = { 14, 15 } } };
	const char *text = "f('m', [x], k=1)";
	struct fact *f;
	struct help h;

	help_init(&h, FIX("{call: f}", "positional_to_keyword: [name, sources]"));
	f = help_fact(&h, FACT_USE, "f", 0, F_CALL);
	f->args = args;
	f->nr_args = 3;
	ck_assert_str_eq(fix_text(&h, shape_of(&h, text, no_stmts)), "f(name='m', sources=[x], k=1)");
	h.found.nr = 0;
	args[2].keyword = "sources";
	ck_assert_str_eq(fix_text(&h, shape_of(&h, text, no_stmts)),
			 "refused: 'sources' is also passed as a keyword");
	h.found.nr = 0;
	args[2].keyword = NULL;
	ck_assert_str_eq(fix_text(&h, shape_of(&h, text, no_stmts)),
			 "refused: the call has more positional arguments than names");
	h.found.nr = 0;
	args[0].splat = true;
	ck_assert_str_eq(fix_text(&h, shape_of(&h, text, no_stmts)),
			 "refused: the call passes on arguments that are not seen here");
	arena_free(&h.arena);
}

UNIT_TEST(rule_fix_replace)
{
	const char *text = "(x,) = ctx.saved_tensors\n";
	struct help h;

	help_init(&h, FIX("{member: saved_tensors}", "replace: saved_tensor()"));
	help_fact(&h, FACT_MEMBER, "saved_tensors", 11, 0);
	ck_assert_str_eq(fix_text(&h, shape_of(&h, text, no_stmts)), "(x,) = ctx.saved_tensor()\n");
	h.found.nr = 0;
	h.facts[0].span.start = 7; /* the whole expression */
	ck_assert_str_eq(fix_text(&h, shape_of(&h, text, no_stmts)), "(x,) = ctx.saved_tensor()\n");
	h.found.nr = 0;
	h.facts[0].flags = F_STORE;
	ck_assert_str_eq(fix_text(&h, shape_of(&h, text, no_stmts)),
			 "refused: the member is assigned to here");
	arena_free(&h.arena);
}

/* A finding without a verb is manual and says why; a guarded one has no fix. */
UNIT_TEST(rule_fix_manual)
{
	struct help h;

	help_init(&h, RULE("match: {use: f}\nfix: {safety: manual, dual: no, description: do it}\n"));
	help_fact(&h, FACT_USE, "f", 0, 0);
	help_match(&h);
	rules_fix(h.rules, h.found.v[0], shape_of(&h, "f\n", no_stmts), &h.arena);
	ck_assert_str_eq(h.found.v[0]->fix->reason, "do it");
	help_guard(&h, GUARD_CHECKING, (struct span){ 0, 5 }, (struct span){ 0, 0 });
	h.facts[0].guard = 0;
	help_match(&h);
	ck_assert_ptr_null(h.found.v[0]->fix);
	arena_free(&h.arena);
}
