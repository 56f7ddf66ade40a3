/*
 * rule_gradients.c - the number of gradients of a backward: when a rule holds, and what
 * tensor_gradients writes and refuses.
 */
#include "rule_help.h"

#define FORM(surplus)                                                                              \
	RULE("match: {class: \"*\", method: {name: backward, surplus: " surplus                    \
	     ", plain: [int, ndim]}}\n"                                                            \
	     "fix: {tensor_gradients: [int, ndim], safety: safe, dual: no}\n")

static struct span span_of(const char *text, const char *part)
{
	const char *at = strstr(text, part);

	ck_assert_ptr_nonnull(at);
	return (struct span){ (uint32_t)(at - text), (uint32_t)(at - text + strlen(part)) };
}

static const char text[] = "import torch\n"
			   "class C(F):\n"
			   "    def forward(ctx, x, n):\n"
			   "        return x\n"
			   "    def backward(ctx, g):\n"
			   "        return g*2, None\n";

/* What is changed about the class, from a plain one whose n is not known. */
struct form {
	const char *annotation;	 /* of n */
	enum value_kind given;	 /* default of n, VALUE_OTHER: none */
	enum value_kind passed;	 /* to apply for n, VALUE_OTHER: no call */
	enum value_kind second;	 /* second value that backward gives */
	int nr;			 /* values that backward gives */
	bool known;		 /* the methods use their context */
	bool kept;		 /* n is put on the context in forward */
	bool none;		 /* the annotation of n admits None */
};

static struct arg params[3], grads[2], values[2], passed[2], stored;
static struct returned returned;
static struct shape_stmt stmts[6];

static void def_make(struct def *d, const char *name, const char *head, const char *body,
		     struct arg *p, size_t nr)
{
	*d = (struct def){ .name = name, .parent = 0, .params = p, .nr_params = nr };
	d->span = span_of(text, head);
	d->body = span_of(text, body);
	d->span.end = d->body.end;
}

static void defs_make(struct help *h, const struct form *form)
{
	memset(params, 0, sizeof(params));
	params[0].keyword = "ctx";
	params[1].keyword = "x";
	params[2].keyword = "n";
	params[2].text = form->annotation;
	params[2].value = form->given;
	params[2].may_be_none = form->none;
	if (form->given != VALUE_OTHER)
		params[2].valspan = (struct span){ 1, 2 };
	grads[0].keyword = "ctx";
	def_make(&h->defs[0], "C.forward", "def forward", "return x", params, 3);
	def_make(&h->defs[1], "C.backward", "def backward", "return g*2, None", grads, 2);
	values[0] = (struct arg){ .span = span_of(text, "g*2"), .value = VALUE_OTHER };
	values[1] = (struct arg){ .span = span_of(text, "None"), .value = form->second };
	returned = (struct returned){ .span = h->defs[1].body, .nr = form->nr, .values = values };
	h->defs[1].returns = &returned;
	h->defs[1].nr_returns = 1;
	h->source.nr_defs = 2;
}

static void class_make(struct help *h, const char *surplus, const struct form *form)
{
	struct fact *f;

	arena_free(&h->arena);
	help_init(h, surplus);
	f = help_fact(h, FACT_IMPORT, "torch", 7, 0);
	f->text = "torch";
	f = help_fact(h, FACT_CLASS, "C", 19, 0);
	f->stmt = (struct span){ 13, (uint32_t)strlen(text) };
	defs_make(h, form);
	f = help_fact(h, FACT_MEMBER, "n", f->stmt.start, F_STORE);
	f->recv = form->known ? "torch.autograd.Function#ctx" : NULL;
	if (form->kept) {
		f = help_fact(h, FACT_MEMBER, "n", span_of(text, "return x").start, F_STORE);
		f->recv = "torch.autograd.Function#ctx";
		stored = (struct arg){ .value = VALUE_NAME, .text = "n" };
		f->args = &stored;
		f->nr_args = 1;
	}
	if (form->passed == VALUE_OTHER)
		return;
	f = help_fact(h, FACT_MEMBER, "apply", 0, F_CALL);
	f->text = "C";
	passed[0] = (struct arg){ .value = VALUE_NAME, .text = "x" };
	passed[1] = (struct arg){ .value = form->passed };
	f->args = passed;
	f->nr_args = 2;
}

static const char *judged(const struct form *form)
{
	static const char *const rules[] = { FORM("certain"), FORM("optional"), FORM("unsure") };
	static const char *const names[] = { "certain", "optional", "unsure" };
	static struct help h;
	const char *found = "no";
	size_t i;

	for (i = 0; i < 3; i++) {
		class_make(&h, rules[i], form);
		if (*help_match(&h))
			found = names[i];
	}
	arena_free(&h.arena);
	return found;
}

UNIT_TEST(rule_gradients_judged)
{
	const struct form plain = { .second = VALUE_NONE, .nr = 2, .known = true };
	struct form f = plain;

	ck_assert_str_eq(judged(&f), "unsure");
	f.annotation = "int";
	ck_assert_str_eq(judged(&f), "certain");
	f = plain;
	f.given = VALUE_NUMBER;
	ck_assert_str_eq(judged(&f), "certain");
	f.given = VALUE_NONE;
	ck_assert_str_eq(judged(&f), "optional");
	f = plain;
	f.passed = VALUE_STRING;
	ck_assert_str_eq(judged(&f), "certain");
	f.passed = VALUE_NONE;
	ck_assert_str_eq(judged(&f), "optional");
	f = plain;
	f.kept = true;
	ck_assert_str_eq(judged(&f), "certain");
	f.second = VALUE_NAME;
	ck_assert_str_eq(judged(&f), "no");
	f = plain;
	f.annotation = "torch.Tensor";
	ck_assert_str_eq(judged(&f), "no");
	f.none = true;
	ck_assert_str_eq(judged(&f), "optional");
	f = plain;
	f.second = VALUE_NAME;
	ck_assert_str_eq(judged(&f), "no");
	f = plain;
	f.annotation = "int";
	f.nr = 1;
	ck_assert_str_eq(judged(&f), "no");
	f.nr = -1;
	ck_assert_str_eq(judged(&f), "no");
	f = plain;
	f.annotation = "Other";
	ck_assert_str_eq(judged(&f), "no");
	f.annotation = "int";
	f.known = false;
	ck_assert_str_eq(judged(&f), "no");
}

static const char *fixed(const char *rule, const struct form *form)
{
	static struct help h;
	struct shape sh = { .text = text, .len = sizeof(text) - 1, .newline = "\n", .ok = true };
	struct strbuf sb = STRBUF_INIT;
	const struct fix *fix;
	const char *out;
	size_t k, at = 0;

	class_make(&h, rule, form);
	sh.stmts = stmts;
	sh.nr_stmts = 1;
	stmts[0] = (struct shape_stmt){ .span = span_of(text, "return x"), .kind = "return",
					.indent = 8, .first_on_line = true };
	stmts[0].line_start = stmts[0].span.start - 8;
	rules_match(h.rules, NULL, &h.source, &h.arena, &h.found);
	ck_assert_uint_eq(h.found.nr, 1);
	rules_fix(h.rules, h.found.v[0], &sh, &h.arena);
	fix = h.found.v[0]->fix;
	if (!fix->nr_edits)
		return fix->reason;
	for (k = 0; k < fix->nr_edits; k++) {
		strbuf_add(&sb, text + at, fix->edits[k].span.start - at);
		strbuf_addstr(&sb, fix->edits[k].text);
		at = fix->edits[k].span.end;
	}
	strbuf_addstr(&sb, text + at);
	out = arena_strndup(&h.arena, strstr(sb.buf, "    def"), strlen(strstr(sb.buf, "    def")));
	strbuf_release(&sb);
	return out;
}

UNIT_TEST(rule_gradients_fixed)
{
	struct form f = { "int", VALUE_OTHER, VALUE_OTHER, VALUE_NONE, 2, true };

	ck_assert_str_eq(fixed(FORM("certain"), &f), "    def forward(ctx, x, n):\n"
						     "        return x\n"
						     "    def backward(ctx, g):\n"
						     "        return g*2\n");
	f.annotation = NULL;
	f.given = VALUE_NONE;
	ck_assert_str_eq(fixed(FORM("optional"), &f),
			 "    def forward(ctx, x, n):\n"
			 "        ctx.tensor_inputs = [getattr(a, \"requires_grad\", None) for a in (x, n)]\n"
			 "        return x\n"
			 "    def backward(ctx, g):\n"
			 "        return tuple(g if t else None\n"
			 "                     for g, t in zip((g*2, None), ctx.tensor_inputs)"
			 " if t is not None)\n");
}
