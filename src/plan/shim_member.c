/*
 * shim_member.c - calls of members that are not there, as calls of functions: x.f(a) -> space::f(x, a).
 *
 * Only the bytes around object and arguments change, so that calls inside them can be edited as well.
 * Calls in a chain, x.f(a).g(b), begin at the same byte: all of them are one group, whose functions
 * are written there with the outermost first, and whose findings carry the edits of all.
 */
#include <ctype.h>
#include <string.h>

#include "base/strbuf.h"
#include "plan/shim.h"

/* A call in a text: object, dot to parenthesis, arguments. */
struct member_call {
	uint32_t object_end; /* where the dot or arrow begins, space before it left out */
	uint32_t open;	     /* the parenthesis */
	const char *types;   /* "<...>" as written, or "" */
	bool arrow;
};

static bool is_word(char ch)
{
	return isalnum((unsigned char)ch) || ch == '_';
}

static uint32_t back_over_space(const char *text, uint32_t at)
{
	while (at && isspace((unsigned char)text[at - 1]))
		at--;
	return at;
}

/* Back over "template", the dot or arrow; 0: there is none. */
static uint32_t object_end(const char *text, uint32_t at, bool *arrow)
{
	at = back_over_space(text, at);
	if (at >= 8 && !memcmp(text + at - 8, "template", 8))
		at = back_over_space(text, at - 8);
	*arrow = at >= 2 && text[at - 2] == '-' && text[at - 1] == '>';
	if (*arrow)
		return back_over_space(text, at - 2);
	return at && text[at - 1] == '.' ? back_over_space(text, at - 1) : 0;
}

/* The parenthesis behind a name and its types, 0: none. */
static uint32_t paren_find(const char *text, uint32_t at, uint32_t end)
{
	int depth = 0;

	for (; at < end; at++) {
		if (text[at] == '(' && !depth)
			return at;
		if (text[at] == '<')
			depth++;
		else if (text[at] == '>')
			depth--;
		else if (!depth && !isspace((unsigned char)text[at]))
			return 0;
	}
	return 0;
}

static const char *call_read(struct shim_plan *p, const struct fact *f, const char *text,
			     struct member_call *out)
{
	uint32_t start = f->span.end, at;

	if (!(f->flags & F_CALL) || f->stmt.end <= f->stmt.start || text[f->stmt.end - 1] != ')')
		return "the member is not called here";
	while (start > f->span.start && is_word(text[start - 1]))
		start--;
	out->object_end = object_end(text, start, &out->arrow);
	if (out->object_end <= f->stmt.start)
		return "what the member is of is not written out here";
	out->open = paren_find(text, f->span.end, f->stmt.end);
	if (!out->open)
		return "the call is not written out here";
	for (at = out->open; isspace((unsigned char)text[at - 1]);)
		at--;
	out->types = arena_strndup(p->arena, text + f->span.end, at - f->span.end);
	return NULL;
}

static void edit_add(struct shim_plan *p, struct fix *fix, struct span span, const char *text)
{
	struct edit *e = shim_edit(p, fix, NULL, span.start, span.end, text);

	e->path = NULL;
}

/* Calls with the same object begin: `first` .. end of the items of one file, outermost first. */
static bool same_group(const struct shim_item *a, const struct shim_item *b)
{
	return b->member && a->finding->source == b->finding->source &&
	       a->finding->fact->stmt.start == b->finding->fact->stmt.start;
}

/* The next longer or shorter call of a group: index of the longest that is shorter than `than`, -1. */
static int group_next(const struct shim_plan *p, size_t first, uint32_t than)
{
	int best = -1;
	size_t i;

	for (i = 0; i < p->items.nr; i++) {
		uint32_t end = p->items.v[i].finding->fact->stmt.end;

		if (!same_group(&p->items.v[first], &p->items.v[i]) || end >= than)
			continue;
		if (best < 0 || end > p->items.v[best].finding->fact->stmt.end)
			best = (int)i;
	}
	return best;
}

/* x[i] -> space::f(x, 0, i) */
static const char *subscript_edit(struct shim_plan *p, const struct shim_item *item,
				  const char *text, struct fix *fix, struct strbuf *head)
{
	const struct fact *f = item->finding->fact;
	uint32_t open = f->span.start, end = back_over_space(text, open);

	if (end <= f->stmt.start || f->span.end != f->stmt.end || text[f->span.end - 1] != ']')
		return "the subscript is not written out here";
	strbuf_addf(head, "%s::%s(", p->shims->space, item->member);
	for (open++; isspace((unsigned char)text[open]);)
		open++;
	edit_add(p, fix, (struct span){end, open}, ", 0, ");
	edit_add(p, fix, (struct span){f->span.end - 1, f->span.end}, ")");
	return NULL;
}

/* The edits of one call behind its object; what stands before the object goes to `head`. */
static const char *call_edit(struct shim_plan *p, const struct shim_item *item, const char *text,
			     struct fix *fix, struct strbuf *head)
{
	const struct fact *f = item->finding->fact;
	struct member_call call;
	const char *why;
	uint32_t args;

	if (text[f->span.start] == '[')
		return subscript_edit(p, item, text, fix, head);
	why = call_read(p, f, text, &call);
	if (why)
		return why;
	strbuf_addf(head, "%s::%s%s(%s", p->shims->space, item->member, call.types,
		    call.arrow ? "*" : "");
	for (args = call.open + 1; isspace((unsigned char)text[args]);)
		args++;
	if (text[args] == ')')
		edit_add(p, fix, (struct span){call.object_end, args}, "");
	else
		edit_add(p, fix, (struct span){call.object_end, call.open + 1}, ", ");
	return NULL;
}

/* All calls of the group of items.v[first], which is its first in order. */
static void group_edit(struct shim_plan *p, size_t first, const char *text)
{
	struct strbuf head = STRBUF_INIT;
	const char *why = text ? NULL : "the file has changed";
	uint32_t start = p->items.v[first].finding->fact->stmt.start;
	struct fix fix = {0};
	size_t i;
	int at;

	for (at = group_next(p, first, UINT32_MAX); at >= 0 && !why;
	     at = group_next(p, first, p->items.v[at].finding->fact->stmt.end))
		why = call_edit(p, &p->items.v[at], text, &fix, &head);
	if (!why)
		edit_add(p, &fix, (struct span){start, start},
			 arena_strndup(p->arena, head.buf, head.len));
	for (i = first; i < p->items.nr; i++) {
		if (!same_group(&p->items.v[first], &p->items.v[i]))
			continue;
		p->items.v[i].edits = fix.edits;
		p->items.v[i].nr_edits = fix.nr_edits;
		p->items.v[i].refused = why;
	}
	strbuf_release(&head);
}

void shim_members(struct shim_plan *p)
{
	const struct source *read = NULL;
	const char *text = NULL;
	size_t i, k;

	for (i = 0; i < p->items.nr; i++) {
		if (!p->items.v[i].member)
			continue;
		for (k = 0; k < i; k++)
			if (p->items.v[k].member && same_group(&p->items.v[k], &p->items.v[i]))
				break;
		if (k < i)
			continue;
		if (read != p->items.v[i].finding->source) {
			read = p->items.v[i].finding->source;
			text = shim_text(p, repo_find(p->result->repo, read->path));
		}
		group_edit(p, i, text);
	}
}
