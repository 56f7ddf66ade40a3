/*
 * verb_tensor_gradients.c - let backward give gradients of the tensors that forward got, and no more.
 *
 * The value names annotations and attributes that are never a tensor. Where every surplus value is a
 * None that stands for such a parameter, it is taken off:
 *
 *	return g * ctx.n, None    ->    return g * ctx.n
 *
 * Where a parameter may be a tensor or not, one tuple cannot serve: forward notes which of its
 * arguments are tensors, and backward picks by that note.
 *
 *	return gx, gb    ->    return tuple(g if t else None for g, t in zip((gx, gb), ctx.tensor_inputs)
 *	                                 if t is not None)
 */
#include <string.h>

#include "base/intern.h"
#include "rule/verb.h"

#define NOTE "tensor_inputs"

/* What stands between two values is a comma and white space. */
static bool is_gap(struct verb_call *c, uint32_t start, uint32_t end)
{
	const char *s = verb_text(c, (struct span){ start, end });

	return s && strspn(s, ", \t\r\n\\") == strlen(s);
}

/* Values of every return can be taken off without touching a comment. */
static bool has_gaps(struct verb_call *c, const struct gradients *g)
{
	const struct def *b = g->backward;
	size_t i, k;

	for (k = 0; k < b->nr_returns; k++)
		for (i = 1; i < g->nr; i++)
			if (!is_gap(c, b->returns[k].values[i - 1].span.end,
				    b->returns[k].values[i].span.start))
				return false;
	return true;
}

static int values_drop(struct verb_call *c, const struct gradients *g, const struct returned *r)
{
	size_t kept = 0, i;

	while (kept < g->nr && g->of[kept] == OF_PLAIN)
		kept++;
	if (kept == g->nr)
		return verb_refuse(c, "no value would be left");
	if (kept)
		verb_edit(c, r->values[0].span.start, r->values[kept].span.start, "");
	for (i = kept + 1; i < g->nr; i++)
		if (g->of[i] == OF_PLAIN)
			verb_edit(c, r->values[i - 1].span.end, r->values[i].span.end, "");
	return 0;
}

/* The tensor class as the file writes it, NULL: not at module level. */
static const char *tensor_name(struct verb_call *c)
{
	const char *tensor = c->rules->vocab->tensor;
	size_t i;

	if (verb_root_bound(c->source, tensor))
		return tensor;
	for (i = 0; i < c->source->nr_facts; i++) {
		const struct fact *f = &c->source->facts[i];

		if (f->kind == FACT_IMPORT && f->guard < 0 && !(f->flags & F_FUNCTION) &&
		    !strcmp(f->name, tensor))
			return f->text;
	}
	return NULL;
}

/* The first statement of a body that is no docstring, on a line of its own. */
static const struct shape_stmt *body_first(const struct shape *sh, struct span body)
{
	size_t i;

	for (i = 0; i < sh->nr_stmts; i++) {
		const struct shape_stmt *st = &sh->stmts[i];

		if (st->span.start < body.start || st->span.end > body.end)
			continue;
		if (strcmp(st->kind, "string"))
			return st->first_on_line ? st : NULL;
	}
	return NULL;
}

/* A line of forward that notes which of its arguments are tensors. */
static int inputs_note(struct verb_call *c, const struct gradients *g)
{
	const struct shape_stmt *st = body_first(c->shape, g->forward->body);
	const struct arg *params = g->forward->params;
	const char *tensor = tensor_name(c);
	struct strbuf sb = STRBUF_INIT;
	size_t i;

	if (!tensor)
		return verb_refuse(c, "the file does not bind %s", c->rules->vocab->tensor);
	if (!st)
		return verb_refuse(c, "forward does not begin on a line of its own");
	strbuf_addf(&sb, "%s." NOTE " = [a.requires_grad if isinstance(a, %s) else None for a in (",
		    params[0].keyword, tensor);
	for (i = 1; i <= g->nr; i++)
		strbuf_addf(&sb, "%s%s", params[i].keyword, i < g->nr ? ", " : ")]\n");
	place_lines(c, st->line_start, place_indent(c, st),
		    arena_strndup(c->arena, sb.buf, sb.len));
	strbuf_release(&sb);
	return 0;
}

static int values_pick(struct verb_call *c, const struct gradients *g, const struct returned *r)
{
	uint32_t start = r->span.start + (uint32_t)strlen("return"), end = r->span.end;
	const struct shape *sh = c->shape;
	const char *open = "", *close = "";

	while (start < end && strchr(" \t", sh->text[start]))
		start++;
	if (start == r->values[0].span.start) {
		open = "(";
		close = ")";
	}
	verb_edit(c, start, start, arena_fmt(c->arena, "tuple(g if t else None for g, t in zip(%s", open));
	verb_edit(c, end, end, arena_fmt(c->arena, "%s, %s." NOTE ") if t is not None)", close,
					 g->backward->params[0].keyword));
	return 0;
}

int verb_tensor_gradients(struct verb_call *c)
{
	const struct fact *f = c->fact;
	struct gradients g;
	size_t i;

	if (f->kind != FACT_CLASS)
		return verb_refuse(c, "only a class has a backward");
	if (gradients_read(&g, c->source, f, c->step->list) == SURPLUS_NO)
		return verb_refuse(c, "what backward gives is not known");
	g.drop = g.drop && has_gaps(c, &g);
	if (!g.drop && memmem(c->shape->text + f->stmt.start, f->stmt.end - f->stmt.start, NOTE,
			      strlen(NOTE)))
		return verb_refuse(c, "the class has a " NOTE " already");
	if (!g.drop && inputs_note(c, &g))
		return -1;
	for (i = 0; i < g.backward->nr_returns; i++) {
		const struct returned *r = &g.backward->returns[i];

		if (g.drop ? values_drop(c, &g, r) : values_pick(c, &g, r))
			return -1;
	}
	return 0;
}
