/*
 * dual.c - the edits of a fix in a form that is right on both frameworks.
 *
 * The verbs have made the edits for the target alone. What stood there stays beside them, and a
 * test of the rule (`feature:`, true on the target and false upstream) chooses:
 *
 *	an expression    (NEW if FEATURE else OLD)
 *	keywords         f(a, **({"new": v} if FEATURE else {"old": v}))
 *	an import        try: OLD, except ImportError: NEW
 *	lines put in     try: the lines, except ImportError: pass (the switch)
 *
 * A feature may be several lines, of which the first that the file can spell is taken; one that
 * begins with `not` changes the order. What is evaluated twice must be a plain name.
 */
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "rule/verb.h"

struct keyword_verb {
	int (*apply)(struct verb_call *c);
	int step; /* elements of the list for one keyword */
};

static const struct keyword_verb keyword_verbs[] = {
	{ verb_drop_keyword, 1 },
	{ verb_rename_keyword, 2 },
	{ verb_negate_keyword, 2 },
};

/* The rule's test as this file writes it, *negated without its `not`; NULL with a reason. */
static const char *feature_text(struct verb_call *c, const char *feature, bool *negated)
{
	const char *text = NULL;
	size_t n;

	for (; *feature && !text; feature += n + (feature[n] == '\n')) {
		n = strcspn(feature, "\n");
		text = verb_expression(c, arena_strndup(c->arena, feature, n));
	}
	*negated = text && str_starts(text, "not ");
	return *negated ? text + 4 : text;
}

static int edit_compare(const void *a, const void *b)
{
	const struct edit *x = a, *y = b;

	if (x->span.start != y->span.start)
		return x->span.start < y->span.start ? -1 : 1;
	return x->span.end < y->span.end ? -1 : x->span.end > y->span.end;
}

static bool edits_within(const struct verb_call *c, struct span at)
{
	size_t i;

	for (i = 0; i < c->edits.nr; i++)
		if (c->edits.v[i].span.start < at.start || c->edits.v[i].span.end > at.end)
			return false;
	return true;
}

/* The bytes of `at` with all edits made. */
static const char *edits_made(struct verb_call *c, struct span at)
{
	struct strbuf sb = STRBUF_INIT;
	uint32_t from = at.start;
	const char *text;
	size_t i;

	qsort(c->edits.v, c->edits.nr, sizeof(*c->edits.v), edit_compare);
	for (i = 0; i < c->edits.nr; i++) {
		const struct edit *e = &c->edits.v[i];

		strbuf_add(&sb, c->shape->text + from, e->span.start - from);
		strbuf_addstr(&sb, e->text ? e->text : "");
		from = e->span.end;
	}
	strbuf_add(&sb, c->shape->text + from, at.end - from);
	text = arena_strndup(c->arena, sb.buf, sb.len);
	strbuf_release(&sb);
	return text;
}

/* ---- expressions ------------------------------------------------------------------------------- */

/*
 * The expression that is chosen: what is called where only that has another name, else the call. A
 * rewritten call may share its end with the old one, and still be another expression up to there.
 */
static struct span expression_span(const struct verb_call *c)
{
	const struct fact *f = c->fact;
	bool named = c->step->verb->apply == verb_rename || c->step->verb->apply == verb_replace;

	if (!named)
		return f->stmt;
	/* Of a member the span may be its name alone, which is no expression. */
	return f->kind == FACT_MEMBER ? (struct span){ f->stmt.start, f->span.end } : f->span;
}

static int dual_expression(struct verb_call *c, const char *feature)
{
	const struct fact *f = c->fact;
	struct span at = expression_span(c);
	const char *old, *new, *test;
	bool negated;

	if ((f->kind != FACT_USE && f->kind != FACT_MEMBER) || f->flags & F_STORE)
		return verb_refuse(c, "only an expression can be chosen by a test");
	if (f->flags & (F_FSTRING | F_POSTPONED))
		return verb_refuse(c, "quotes inside a text");
	if (!edits_within(c, at))
		return verb_refuse(c, "what changes is more than one expression");
	test = feature_text(c, feature, &negated);
	old = verb_text(c, at);
	if (!test || !old)
		return -1;
	new = edits_made(c, at);
	c->edits.nr = 0;
	verb_edit(c, at.start, at.end,
		  arena_fmt(c->arena, "(%s if %s else %s)", negated ? old : new, test,
			    negated ? new : old));
	return 0;
}

/* ---- keywords ---------------------------------------------------------------------------------- */

static const struct keyword_verb *keyword_verb_find(const struct rule_step *step)
{
	size_t i;

	for (i = 0; i < sizeof(keyword_verbs) / sizeof(*keyword_verbs); i++)
		if (keyword_verbs[i].apply == step->verb->apply)
			return &keyword_verbs[i];
	return NULL;
}

/* What the target is passed in place of `arg`: a dictionary. */
static const char *keyword_new(struct verb_call *c, const struct keyword_verb *v,
			       const char *const *entry, const struct arg *arg)
{
	const char *value = verb_text(c, arg->valspan);

	if (v->step == 1)
		return "{}";
	if (v->apply == verb_negate_keyword)
		value = verb_negated(c, arg);
	return arena_fmt(c->arena, "{\"%s\": %s}", entry[1], value);
}

static int keyword_choose(struct verb_call *c, const struct keyword_verb *v, size_t i,
			  const char *test, bool negated)
{
	const struct fact *f = c->fact;
	const struct arg *arg = &f->args[i];
	const char *const *entry = c->step->list;
	const char *value = verb_text(c, arg->valspan), *old, *new;
	size_t k;

	while (*entry && strcmp(*entry, arg->keyword))
		entry += v->step;
	if (!*entry)
		return 0;
	for (k = i + 1; k < f->nr_args; k++)
		if (f->args[k].splat || !f->args[k].keyword)
			return verb_refuse(c, "the call passes on arguments behind '%s'",
					   arg->keyword);
	if (!value)
		return verb_refuse(c, "the value is not seen here");
	old = arena_fmt(c->arena, "{\"%s\": %s}", arg->keyword, value);
	new = keyword_new(c, v, entry, arg);
	verb_edit(c, arg->span.start, arg->valspan.end,
		  arena_fmt(c->arena, "**(%s if %s else %s)", negated ? old : new, test,
			    negated ? new : old));
	return 0;
}

static int dual_keywords(struct verb_call *c, const struct keyword_verb *v, const char *feature)
{
	const struct fact *f = c->fact;
	const char *test;
	bool negated;
	size_t i;

	if (f->flags & F_FSTRING)
		return verb_refuse(c, "quotes inside a text");
	test = feature_text(c, feature, &negated);
	if (!test)
		return -1;
	c->edits.nr = 0;
	for (i = 0; i < f->nr_args; i++)
		if (f->args[i].keyword && keyword_choose(c, v, i, test, negated))
			return -1;
	return 0;
}

/* ---- statements -------------------------------------------------------------------------------- */

static const struct shape_stmt *stmt_of(const struct shape *sh, struct span span)
{
	size_t i;

	for (i = 0; i < sh->nr_stmts; i++)
		if (sh->stmts[i].span.start == span.start)
			return &sh->stmts[i];
	return NULL;
}

static int dual_import(struct verb_call *c)
{
	struct span at = c->fact->stmt;
	const struct shape_stmt *st = stmt_of(c->shape, at);
	const char *old = verb_text(c, at), *nl = c->shape->newline, *indent, *new;

	if (!st || !old || !edits_within(c, at))
		return verb_refuse(c, "what changes is more than one import");
	if (!st->first_on_line || !st->last_on_line || strpbrk(old, "\r\n\\,"))
		return verb_refuse(c, "the import does not stand on one line of its own");
	indent = arena_strndup(c->arena, c->shape->text + st->line_start, st->indent);
	new = edits_made(c, at);
	c->edits.nr = 0;
	verb_edit(c, at.start, at.end,
		  arena_fmt(c->arena, "try:%s%s    %s%s%sexcept ImportError:%s%s    %s", nl, indent,
			    old, nl, indent, nl, indent, new));
	return 0;
}

/* The one edit puts whole lines in at the left margin. */
static bool is_lines(const struct verb_call *c)
{
	const struct edit *e = c->edits.v;
	size_t n = c->edits.nr == 1 && e->text ? strlen(e->text) : 0;

	return n && e->span.start == e->span.end && strchr("\r\n", e->text[n - 1]) &&
	       !strchr(" \t", e->text[0]);
}

static int dual_lines(struct verb_call *c)
{
	const char *nl = c->shape->newline, *line;
	struct edit *e = c->edits.v;
	struct strbuf sb = STRBUF_INIT;
	size_t n;

	strbuf_addf(&sb, "try:%s", nl);
	for (line = e->text; *line; line += n + strspn(line + n, "\r\n")) {
		n = strcspn(line, "\r\n");
		if (n)
			strbuf_addf(&sb, "    %.*s%s", (int)n, line, nl);
	}
	strbuf_addf(&sb, "except ImportError:%s    pass%s", nl, nl);
	e->text = arena_strndup(c->arena, sb.buf, sb.len);
	strbuf_release(&sb);
	return 0;
}

/* ---- the fix ----------------------------------------------------------------------------------- */

bool dual_forks(const struct rule_fix *fix, bool dual)
{
	size_t i;

	for (i = 0; i < fix->nr_steps; i++)
		if (fix->steps[i].verb->apply == verb_if_there_else ||
		    fix->steps[i].verb->apply == verb_only_if_there ||
		    fix->steps[i].verb->apply == verb_import_or_else)
			return true;
	return dual && str_eq(fix->dual, "guard");
}

int dual_form(struct verb_call *c, const struct rule_fix *fix)
{
	const struct keyword_verb *v;

	if (str_eq(fix->dual, "same"))
		return 0;
	if (!str_eq(fix->dual, "guard"))
		return verb_refuse(c, "no form of it is right on both frameworks");
	c->step = &fix->steps[0];
	if (!fix->feature && is_lines(c))
		return dual_lines(c);
	if (!fix->feature && c->fact->kind == FACT_IMPORT)
		return dual_import(c);
	if (!fix->feature)
		return verb_refuse(c, "the rule has no test that tells the frameworks apart");
	v = fix->nr_steps == 1 ? keyword_verb_find(c->step) : NULL;
	return v ? dual_keywords(c, v, fix->feature) : dual_expression(c, fix->feature);
}

void rules_dual(struct rules *r)
{
	r->dual = true;
}
