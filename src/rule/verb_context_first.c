/*
 * verb_context_first.c - from the form of an autograd function in which another method fills the context.
 *
 *	def forward(x, w):           ->    def forward(ctx, x, w):
 *	    return x * w             ->        output = x * w
 *	                                       Mul.setup_context(ctx, (x, w), output)
 *	                                       return output
 *
 * The value names the two methods. Parameters to which forward assigns are kept first, as upstream hands over
 * what was passed. Both methods must be static, and each return must stand at the start of a line.
 */
#include <ctype.h>
#include <string.h>

#include "base/intern.h"
#include "rule/verb.h"

#define INPUTS "inputs"
#define OUTPUT "output"

struct context_first {
	const struct def *forward, *setup;
	const char *cls, *inputs;
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The next place of a word in [at, end), `end` for none. */
static uint32_t next_word(const struct shape *sh, uint32_t at, uint32_t end, const char *word)
{
	size_t n = strlen(word);

	for (; at + n <= end; at++)
		if (!memcmp(sh->text + at, word, n) && (!at || !is_word(sh->text[at - 1])) &&
		    (at + n == sh->len || !is_word(sh->text[at + n])))
			return at;
	return end;
}

static bool has_word(const struct shape *sh, struct span at, const char *word)
{
	return next_word(sh, at.start, at.end, word) < at.end;
}

/* The left side of an assignment, empty where the statement is none. */
static struct span target_of(const struct shape *sh, const struct shape_stmt *st)
{
	uint32_t end = st->span.start;

	if (strcmp(st->kind, "assignment") && strcmp(st->kind, "augmented"))
		return (struct span){ end, end };
	while (end < st->span.end && sh->text[end] != '=')
		end++;
	return (struct span){ st->span.start, end };
}

/* Forward gives the name another value: by an assignment, a loop, a with or a walrus. */
static bool is_assigned(const struct shape *sh, struct span body, const char *name)
{
	static const char *const before[] = { "for ", "as " };
	size_t n = strlen(name), i;
	uint32_t at;

	for (i = 0; i < sh->nr_stmts; i++)
		if (sh->stmts[i].span.start >= body.start && sh->stmts[i].span.end <= body.end &&
		    has_word(sh, target_of(sh, &sh->stmts[i]), name))
			return true;
	for (at = body.start; (at = next_word(sh, at, body.end, name)) < body.end; at += n) {
		for (i = 0; i < 2; i++)
			if (at > strlen(before[i]) &&
			    !memcmp(sh->text + at - strlen(before[i]), before[i], strlen(before[i])))
				return true;
		if (!strncmp(sh->text + at + n, " :=", 3))
			return true;
	}
	return false;
}

/* What forward is given, as a tuple; NULL with the reason. */
static const char *parameters(struct verb_call *c, const struct context_first *cf)
{
	const struct def *f = cf->forward;
	struct strbuf sb = STRBUF_INIT;
	const char *text;
	size_t i;

	for (i = 0; i < f->nr_params; i++) {
		const struct arg *p = &f->params[i];
		const char *written = verb_text(c, p->span);

		if (!p->keyword || !written || !strncmp(written, "**", 2)) {
			strbuf_release(&sb);
			verb_refuse(c, "forward takes arguments by keyword");
			return NULL;
		}
		strbuf_addf(&sb, "%s%s%s", i ? ", " : "(", p->splat ? "*" : "", p->keyword);
	}
	strbuf_addstr(&sb, f->nr_params == 1 ? ",)" : ")");
	text = arena_strndup(c->arena, sb.buf, sb.len);
	strbuf_release(&sb);
	return text;
}

/* The first statement of forward that is no docstring. */
static const struct shape_stmt *first_statement(const struct shape *sh, struct span body)
{
	size_t i;

	for (i = 0; i < sh->nr_stmts; i++)
		if (sh->stmts[i].span.start >= body.start && sh->stmts[i].span.end <= body.end &&
		    strcmp(sh->stmts[i].kind, "string"))
			return &sh->stmts[i];
	return NULL;
}

/* Keep what was passed where forward assigns to a parameter. */
static int inputs_keep(struct verb_call *c, struct context_first *cf)
{
	const struct shape_stmt *st = first_statement(c->shape, cf->forward->body);
	size_t i;

	for (i = 0; i < cf->forward->nr_params; i++)
		if (is_assigned(c->shape, cf->forward->body, cf->forward->params[i].keyword))
			break;
	if (i == cf->forward->nr_params)
		return 0;
	if (!st || !st->first_on_line || has_word(c->shape, cf->forward->span, INPUTS))
		return verb_refuse(c, "forward changes what it was given");
	place_lines(c, st->line_start, place_indent(c, st),
		    arena_fmt(c->arena, INPUTS " = %s", cf->inputs));
	cf->inputs = INPUTS;
	return 0;
}

/* One name, or names with commas between. */
static bool is_names(const char *s)
{
	for (; *s; s++)
		if (!is_word(*s) && !strchr(", ", *s))
			return false;
	return true;
}

static const struct shape_stmt *return_statement(const struct shape *sh, const struct returned *r)
{
	const struct shape_stmt *st = place_innermost(sh, r->span.start);

	return st && st->span.start == r->span.start && st->first_on_line && st->last_on_line ? st
											      : NULL;
}

/* Let the other method fill the context before this return. */
static int return_write(struct verb_call *c, const struct context_first *cf, const struct returned *r)
{
	const struct shape_stmt *st = return_statement(c->shape, r);
	uint32_t value = r->span.start + (uint32_t)strlen("return"), end = r->span.end;
	const char *text, *call, *indent;

	if (!st || !r->nr)
		return verb_refuse(c, "a return of forward has no line of its own, or no value");
	while (value < end && c->shape->text[value] == ' ')
		value++;
	text = verb_text(c, (struct span){ value, end });
	indent = place_indent(c, st);
	call = arena_fmt(c->arena, "%s.%s(%s, %s, ", cf->cls, c->step->list[1],
			 cf->setup->params[0].keyword, cf->inputs);
	if (text && is_names(text)) {
		place_lines(c, st->line_start, indent,
			    arena_fmt(c->arena, strchr(text, ',') ? "%s(%s))" : "%s%s)", call, text));
		return 0;
	}
	if (has_word(c->shape, cf->forward->span, OUTPUT))
		return verb_refuse(c, "forward has an " OUTPUT " already");
	verb_edit(c, r->span.start, r->span.start + (uint32_t)strlen("return"), OUTPUT " =");
	verb_edit(c, end, end, arena_fmt(c->arena, "%s%s%s" OUTPUT ")%s%sreturn " OUTPUT,
					 c->shape->newline, indent, call, c->shape->newline, indent));
	return 0;
}

/* What is known of the class; -1 with the reason where the form cannot be changed. */
static int context_first_read(struct verb_call *c, struct context_first *cf)
{
	const struct fact *f = c->fact;
	/* The calls that are written find the class by its name, which must be one class's alone. */
	const struct span everywhere = { 0, UINT32_MAX };
	const char *dot = strrchr(f->name, '.');
	size_t i;

	cf->cls = dot ? dot + 1 : f->name;
	cf->forward = class_method(c->source, f->name, everywhere, c->step->list[0]);
	cf->setup = class_method(c->source, f->name, everywhere, c->step->list[1]);
	if (!cf->forward || !cf->setup || !cf->forward->is_static || !cf->setup->is_static ||
	    cf->setup->nr_params < 3 || !cf->setup->params[0].keyword || !cf->forward->nr_params)
		return verb_refuse(c, "the two methods are not static, or not one of each");
	if (dot || !cf->forward->nr_returns)
		return verb_refuse(c, "the class stands in another, or forward gives nothing");
	for (i = 0; i < cf->forward->nr_params; i++)
		if (str_eq(cf->forward->params[i].keyword, cf->setup->params[0].keyword))
			return verb_refuse(c, "forward takes something of that name");
	cf->inputs = parameters(c, cf);
	return cf->inputs ? 0 : -1;
}

/* The context before the first parameter: on a line of its own where that has one. */
static void context_write(struct verb_call *c, const struct context_first *cf)
{
	uint32_t at = cf->forward->params[0].span.start, line = at;
	const char *text = c->shape->text, *gap = " ";

	while (line && strchr(" \t", text[line - 1]))
		line--;
	if (line && text[line - 1] == '\n')
		gap = arena_fmt(c->arena, "%s%.*s", c->shape->newline, (int)(at - line), text + line);
	verb_edit(c, at, at, arena_fmt(c->arena, "%s,%s", cf->setup->params[0].keyword, gap));
}

int verb_context_first(struct verb_call *c)
{
	struct context_first cf = { 0 };
	const char *direct;
	size_t i;

	if (c->fact->kind != FACT_CLASS || !c->step->list[0] || !c->step->list[1])
		return verb_refuse(c, "only a class has methods");
	if (context_first_read(c, &cf))
		return -1;
	direct = arena_fmt(c->arena, "%s.%s(", cf.cls, c->step->list[0]);
	if (memmem(c->shape->text, c->shape->len, direct, strlen(direct)))
		return verb_refuse(c, "forward is called by name here");
	if (inputs_keep(c, &cf))
		return -1;
	context_write(c, &cf);
	for (i = 0; i < cf.forward->nr_returns; i++)
		if (return_write(c, &cf, &cf.forward->returns[i]))
			return -1;
	return 0;
}
