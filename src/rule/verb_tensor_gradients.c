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
 *
 * note_in_forward serves what backward asks the context for, and the target's context does not tell. Its
 * value is what to note of an argument `a`; the attribute is the one that the fact reads:
 *
 *	if not hasattr(ctx, "needs"): ctx.needs = tuple(a.requires_grad for a in (x, w))
 */
#include <string.h>

#include "base/intern.h"
#include "base/lines.h"
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

/* One step of indentation, in the characters that the line has. */
static const char *step_of(const char *indent)
{
	return *indent == '\t' ? "\t" : "    ";
}

/* The bracket that ends a text of this length is so far right that the next line begins anew. */
#define FAR 24

/* The space in front of a line that goes on in the bracket which ends `head`. */
static const char *goes_on(struct verb_call *c, const char *indent, const char *head)
{
	size_t n = strlen(head);

	return *indent == '\t' || n > FAR ? step_of(indent) : arena_fmt(c->arena, "%*s", (int)n, "");
}

/* What forward is given behind the context, as the elements of a tuple. */
static void parameters_write(struct strbuf *sb, const struct def *forward)
{
	size_t i, nr = 0;

	strbuf_addstr(sb, "(");
	for (i = context_at(forward) + 1; i < forward->nr_params; i++) {
		const struct arg *p = &forward->params[i];

		if (p->keyword)
			strbuf_addf(sb, "%s%s%s", nr++ ? ", " : "", p->splat ? "*" : "", p->keyword);
	}
	strbuf_addstr(sb, nr == 1 ? ",)" : ")");
}

/* A list on lines of at most `room` bytes, the first of which begins behind `column`. */
static const char *list_fill(struct verb_call *c, const char *list, size_t column, const char *indent,
			     size_t room)
{
	struct strbuf sb = STRBUF_INIT;
	const char *out;
	size_t n;

	for (; *list; list += n) {
		n = strcspn(list, " ");
		if (column + n > room && sb.len && sb.buf[sb.len - 1] == ' ') {
			strbuf_setlen(&sb, sb.len - 1);
			strbuf_addf(&sb, "\n%s", indent);
			column = strlen(indent);
		}
		n += list[n] == ' ';
		strbuf_add(&sb, list, n);
		column += n;
	}
	out = arena_strndup(c->arena, sb.buf, sb.len);
	strbuf_release(&sb);
	return out;
}

/*
 * Put `HEAD EACH for a in (x, y) TAIL` before the first statement of forward, behind its docstring; on
 * several lines where it is longer than the lines of the file. `given` stands for the tuple, unless NULL.
 */
static int forward_begins(struct verb_call *c, const struct def *forward, const char *given,
			  const char *head, const char *each, const char *tail)
{
	const struct shape_stmt *st = body_first(c->shape, forward->body);
	struct strbuf sb = STRBUF_INIT;
	size_t room = lines_room(c->shape->text, c->shape->len);
	const char *indent, *step, *params;

	if (!st)
		return verb_refuse(c, "forward does not begin on a line of its own");
	parameters_write(&sb, forward);
	params = given ? given : arena_strndup(c->arena, sb.buf, sb.len);
	indent = place_indent(c, st);
	step = goes_on(c, indent, head);
	strbuf_reset(&sb);
	strbuf_addf(&sb, "%s%s for a in %s%s\n", head, each, params, tail);
	if (strlen(indent) + sb.len - 1 > room) {
		size_t far = strlen(head) > FAR ? strlen(each) + 1 : 0;

		params = list_fill(c, params, strlen(step) + far + strlen("for a in "),
				   arena_fmt(c->arena, "%s%s", step, step_of(indent)),
				   room - strlen(indent));
		strbuf_reset(&sb);
		strbuf_addf(&sb, far ? "%s\n%s%s " : "%s%s\n%s", head, far ? step : each, far ? each : step);
		strbuf_addf(&sb, "for a in %s%s\n", params, tail);
	}
	place_lines(c, st->line_start, indent, arena_strndup(c->arena, sb.buf, sb.len));
	strbuf_release(&sb);
	return 0;
}

/* A line before what fills the context, that notes which of the arguments are tensors. */
static int inputs_note(struct verb_call *c, const struct gradients *g)
{
	const struct def *fills = g->setup ? g->setup : g->forward;
	const struct arg *ctx = &fills->params[context_at(fills)];

	return forward_begins(c, fills, g->setup ? ctx[1].keyword : NULL,
			      arena_fmt(c->arena, "%s." NOTE " = [", ctx->keyword),
			      "getattr(a, \"requires_grad\", None)", "]");
}

/* The class around the fact. */
static const struct def *class_around(const struct source *s, const struct fact *f)
{
	int d;

	for (d = f->def; d >= 0 && !s->defs[d].is_class; d = s->defs[d].parent)
		;
	return d >= 0 ? &s->defs[d] : NULL;
}

/* The method of the class that fills the context, and the name of what forward was given; NULL: none. */
static const struct def *filler_of(const struct source *s, const struct def *cls, const char **given)
{
	const struct def *setup = class_method(s, cls->name, cls->span, "setup_context");
	size_t at = setup ? context_at(setup) + 1 : 0;

	*given = setup && setup->nr_params > at ? setup->params[at].keyword : NULL;
	return *given && (setup->is_static || setup->is_of_class) && !setup->params[at].splat ? setup
											     : NULL;
}

int verb_note_in_forward(struct verb_call *c)
{
	const struct fact *f = c->fact;
	const struct def *cls = f->kind == FACT_MEMBER ? class_around(c->source, f) : NULL, *where;
	const char *note = verb_expression(c, c->step->text), *given = NULL;
	const char *ctx;

	if (!note)
		return -1;
	where = cls ? filler_of(c->source, cls, &given) : NULL;
	if (cls && !where && !class_method(c->source, cls->name, cls->span, "setup_context"))
		where = class_method(c->source, cls->name, cls->span, "forward");
	if (!where || !(where->is_static || where->is_of_class) ||
	    where->nr_params < context_at(where) + 2)
		return verb_refuse(c, "the class has no method that is given the context first");
	ctx = where->params[context_at(where)].keyword;
	return forward_begins(c, where, given,
			      arena_fmt(c->arena, "if not hasattr(%s, \"%s\"): %s.%s = tuple(", ctx,
					f->name, ctx, f->name),
			      note, ")");
}

/* The white space before the statement at `at`, NULL: it does not begin its line. */
static const char *indent_at(struct verb_call *c, uint32_t at)
{
	uint32_t start = at;

	while (start && strchr(" \t", c->shape->text[start - 1]))
		start--;
	if (start && c->shape->text[start - 1] != '\n' && c->shape->text[start - 1] != '\r')
		return NULL;
	return arena_strndup(c->arena, c->shape->text + start, at - start);
}

/* What stands between the parts of a picked tuple: a space, or an own line where one line is too long. */
static const char *pick_gap(struct verb_call *c, const struct returned *r, size_t added)
{
	const char *text = verb_text(c, r->span), *indent = indent_at(c, r->span.start);

	if (!text || !indent || strpbrk(text, "\r\n") ||
	    strlen(indent) + strlen(text) + added <= lines_room(c->shape->text, c->shape->len))
		return NULL;
	return arena_fmt(c->arena, "%s%s%s", c->shape->newline, indent,
			 goes_on(c, indent, "return tuple("));
}

static int values_pick(struct verb_call *c, const struct gradients *g, const struct returned *r)
{
	uint32_t start = r->span.start + (uint32_t)strlen("return"), end = r->span.end;
	const struct shape *sh = c->shape;
	static const char each[] = "g if t else None", test[] = "if t is not None";
	const char *open = "", *close = "", *gap, *picked, *head, *tail;

	while (start < end && strchr(" \t", sh->text[start]))
		start++;
	if (start == r->values[0].span.start) {
		open = "(";
		close = ")";
	}
	picked = arena_fmt(c->arena, "%s, %s." NOTE ")", close,
			   g->backward->params[context_at(g->backward)].keyword);
	head = arena_fmt(c->arena, "tuple(%s for g, t in zip(%s", each, open);
	tail = arena_fmt(c->arena, "%s %s)", picked, test);
	gap = pick_gap(c, r, strlen(head) + strlen(tail));
	if (gap)
		head = arena_fmt(c->arena, "tuple(%s%sfor g, t in zip(%s", each, gap, open);
	verb_edit(c, start, start, head);
	verb_edit(c, end, end, tail);
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
