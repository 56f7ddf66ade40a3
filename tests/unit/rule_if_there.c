/* rule_if_there.c - the verbs that ask for a name before it is used, and imports with a stand-in. */
#include "rule_help.h"

/* A statement by hand: [start, end) of `stmt` in the text, of one kind. */
static void add_stmt(struct shape *sh, const char *stmt, const char *kind)
{
	struct shape_stmt *st = &sh->stmts[sh->nr_stmts++];
	const char *at = strstr(sh->text, stmt), *line = at;

	ck_assert_ptr_nonnull(at);
	while (line > sh->text && line[-1] != '\n')
		line--;
	st->parent = -1;
	st->kind = kind;
	st->span.start = (uint32_t)(at - sh->text);
	st->span.end = st->span.start + (uint32_t)strlen(stmt);
	st->line_start = (uint32_t)(line - sh->text);
	st->indent = (uint32_t)(at - line);
	st->first_on_line = strspn(line, " \t") == (size_t)(at - line);
	st->last_on_line = !at[strlen(stmt)] || at[strlen(stmt)] == '\n';
}

static struct shape *shape_new(struct help *h, const char *text)
{
	struct shape *sh = ARENA_NEW(&h->arena, struct shape);

	sh->text = text;
	sh->len = strlen(text);
	sh->newline = "\n";
	sh->ok = true;
	sh->stmts = arena_array(&h->arena, 8, sizeof(*sh->stmts));
	return sh;
}

/* A fact of what is written in the text, with `missing` not there. */
static struct fact *add_fact(struct help *h, const struct shape *sh, enum fact_kind kind,
			     const char *written, const char *name, const char *missing)
{
	const char *at = strstr(sh->text, written);
	struct fact *f;

	ck_assert_ptr_nonnull(at);
	f = help_fact(h, kind, name, (uint32_t)(at - sh->text), 0);
	f->span.end = f->span.start + (uint32_t)strlen(written);
	f->stmt = f->span;
	f->missing = missing;
	f->verdict = missing ? VERDICT_GAP : VERDICT_COVERED;
	return f;
}

/* The text after the edits of the first finding, or "refused: reason". */
static const char *fixed(struct help *h, const struct shape *sh)
{
	struct strbuf sb = STRBUF_INIT;
	struct finding *f;
	const struct edit *e;
	const char *out;

	rules_match(h->rules, NULL, &h->source, &h->arena, &h->found);
	ck_assert_uint_ge(h->found.nr, 1);
	f = h->found.v[0];
	rules_fix(h->rules, f, sh, &h->arena);
	if (!f->fix->nr_edits)
		return arena_fmt(&h->arena, "refused: %s", f->fix->reason);
	ck_assert_uint_eq(f->fix->nr_edits, 1);
	e = f->fix->edits;
	strbuf_add(&sb, sh->text, e->span.start);
	strbuf_addstr(&sb, e->text);
	strbuf_addstr(&sb, sh->text + e->span.end);
	out = arena_strndup(&h->arena, sb.buf, sb.len);
	strbuf_release(&sb);
	return out;
}

#define FIX(match, fix) RULE("match: " match "\nfix: {" fix ", safety: safe, dual: same}\n")

static const char *else_one(const char *text, const char *written, const char *stmt,
			    const char *name, const char *missing, uint32_t flags)
{
	static struct help h;
	struct shape *sh;
	struct fact *f;

	arena_free(&h.arena);
	help_init(&h, FIX("{use: torch.*}", "if_there_else: \"False\""));
	sh = shape_new(&h, text);
	f = add_fact(&h, sh, FACT_USE, written, name, missing);
	f->stmt.end = f->stmt.start + (uint32_t)strlen(stmt);
	f->flags = flags;
	return fixed(&h, sh);
}

UNIT_TEST(rule_if_there_else)
{
	ck_assert_str_eq(else_one("x = torch.a.b()\n", "torch.a.b", "torch.a.b()", "torch.a.b",
				  "torch.a", F_CALL),
			 "x = hasattr(torch, \"a\") and torch.a.b()\n");
	ck_assert_str_eq(else_one("x = T.a.b(1, 2)\n", "T.a.b", "T.a.b(1, 2)", "torch.a.b",
				  "torch.a.b", F_CALL),
			 "x = hasattr(T.a, \"b\") and T.a.b(1, 2)\n");
	ck_assert_str_eq(else_one("@torch.a\n", "torch.a", "torch.a", "torch.a", "torch.a",
				  F_DECORATOR),
			 "@(hasattr(torch, \"a\") and torch.a)\n");
	ck_assert_str_eq(else_one("if torch.a():\n", "torch.a", "torch.a()", "torch.a", "torch.a", F_CALL),
			 "if hasattr(torch, \"a\") and torch.a():\n");
	ck_assert_str_eq(else_one("x += torch.a()\n", "torch.a", "torch.a()", "torch.a", "torch.a", F_CALL),
			 "x += (hasattr(torch, \"a\") and torch.a())\n");
	ck_assert_str_eq(else_one("return torch.a() in y\n", "torch.a", "torch.a()", "torch.a", "torch.a",
				  F_CALL),
			 "return (hasattr(torch, \"a\") and torch.a()) in y\n");
	ck_assert_str_eq(else_one("x = a.b()\n", "a.b", "a.b()", "torch.a.b", "torch.a", F_CALL),
			 "refused: it is written without the module it comes from");
	ck_assert_str_eq(else_one("x = b()\n", "b", "b()", "torch.a.b", "torch.a", F_CALL),
			 "refused: what is missing is not written out here");
	ck_assert_str_eq(else_one("x = torch.c()\n", "torch.c", "torch.c()", "torch.a.b", "torch.a",
				  F_CALL),
			 "refused: what is missing is not written out here");
	ck_assert_str_eq(else_one("x = torch . a()\n", "torch . a", "torch . a()", "torch.a",
				  "torch.a", F_CALL),
			 "refused: the name is not written as one dotted name here");
	ck_assert_str_eq(else_one("f'{torch.a()}'\n", "torch.a", "torch.a()", "torch.a", "torch.a",
				  F_CALL | F_FSTRING),
			 "refused: quotes inside an f-string");
}

static const char *only_one(const char *text, const char *stmt, const char *kind,
			    enum fact_kind fact, const char *written, const char *name)
{
	static struct help h;
	struct shape *sh;

	arena_free(&h.arena);
	help_init(&h, FIX("[{use: torch.*}, {assign: torch.*}]", "only_if_there: torch._d"));
	sh = shape_new(&h, text);
	add_stmt(sh, stmt, kind);
	add_fact(&h, sh, fact, written, name, fact == FACT_USE ? "torch._d" : NULL);
	return fixed(&h, sh);
}

UNIT_TEST(rule_only_if_there)
{
	ck_assert_str_eq(only_one("  torch._d.reset()\n", "torch._d.reset()", "expression", FACT_USE,
				  "torch._d.reset", "torch._d.reset"),
			 "  if hasattr(torch, \"_d\"): torch._d.reset()\n");
	ck_assert_str_eq(only_one("T._d.c.x = 1\n", "T._d.c.x = 1", "assignment", FACT_ASSIGN,
				  "T._d.c.x", "torch._d.c.x"),
			 "if hasattr(T, \"_d\"): T._d.c.x = 1\n");
	ck_assert_str_eq(only_one("if a: torch._d.reset()\n", "torch._d.reset()", "expression",
				  FACT_USE, "torch._d.reset", "torch._d.reset"),
			 "refused: the statement shares its line with other code");
	ck_assert_str_eq(only_one("x = torch._d.reset()\n", "x = torch._d.reset()", "assignment",
				  FACT_USE, "torch._d.reset", "torch._d.reset"),
			 "refused: the statement does not begin with the name");
	ck_assert_str_eq(only_one("torch.e.f()\n", "torch.e.f()", "expression", FACT_USE,
				  "torch.e.f", "torch.e.f"),
			 "refused: torch.e.f is not reached through torch._d");
}

static const char *import_one(const char *text, const char *stmt, bool both)
{
	static struct help h;
	struct shape *sh;
	struct fact *f;
	size_t i;

	arena_free(&h.arena);
	help_init(&h, FIX("{import: torch.m.*}", "import_or_else: None"));
	sh = shape_new(&h, text);
	add_stmt(sh, stmt, "from");
	add_fact(&h, sh, FACT_IMPORT, "one", "torch.m.one", "torch.m.one")->text = "one";
	if (strstr(text, "two")) {
		f = add_fact(&h, sh, FACT_IMPORT, "two", "torch.m.two", both ? "torch.m.two" : NULL);
		f->text = "two";
	}
	for (i = 0; i < h.source.nr_facts; i++) {
		h.facts[i].flags = F_FROM;
		h.facts[i].stmt = sh->stmts[0].span;
	}
	return fixed(&h, sh);
}

UNIT_TEST(rule_import_or_else)
{
	ck_assert_str_eq(import_one("from torch.m import one\n", "from torch.m import one", true),
			 "try:\n    from torch.m import one\nexcept ImportError:\n    one = None\n");
	ck_assert_str_eq(import_one("  from torch.m import one, two\n", "from torch.m import one, two",
				    true),
			 "  try:\n      from torch.m import one, two\n  except ImportError:\n"
			 "      one = None\n      two = None\n");
	ck_assert_str_eq(import_one("from torch.m import one, two\n", "from torch.m import one, two",
				    false),
			 "from torch.m import two\ntry:\n    from torch.m import one\n"
			 "except ImportError:\n    one = None\n");
	ck_assert_str_eq(import_one("from torch.m import (one, two)\n",
				    "from torch.m import (one, two)", false),
			 "refused: other names are imported by the same statement");
	ck_assert_str_eq(import_one("if a: from torch.m import one\n", "from torch.m import one", true),
			 "refused: the import does not stand on lines of its own");
	ck_assert_str_eq(import_one("from torch.m import (\n one)\n", "from torch.m import (\n one)",
				    true),
			 "try:\n    from torch.m import (\n     one)\nexcept ImportError:\n    one = None\n");
}
