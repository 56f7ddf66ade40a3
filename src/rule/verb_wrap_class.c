/*
 * verb_wrap_class.c - a subclass with a changed body instead of a class, all over the file.
 *
 * The value is a map from the class to the body of the subclass. The subclass is called as the class
 * with '_' before it; its definition goes before the first statement of the module that uses the
 * class, and every use of the class (as a value, a base, the owner of a method) is made one of the
 * subclass. The class must be imported at module level without a condition, or in a try that raises where
 * that fails, so that it is there when the subclass is made.
 */
#include <string.h>

#include "base/intern.h"
#include "rule/verb.h"

struct wrap {
	struct verb_call *c;
	const char *base;   /* dotted name of the class */
	const char *leaf;   /* its last part */
	const char *as;	    /* how the first use writes it */
	const char *name;   /* of the subclass */
	uint32_t first;	    /* offset of the first use */
};

/* The bytes that write the class at a use of it or of something below it; empty: none. */
static struct span class_span(struct wrap *w, const struct fact *f)
{
	size_t n = strlen(w->base), tail;
	struct span none = { 0, 0 };

	if (f->kind != FACT_USE || f->text || strncmp(f->name, w->base, n) ||
	    (f->name[n] && f->name[n] != '.'))
		return none;
	tail = strlen(f->name + n);
	if (f->span.end > w->c->shape->len || f->span.end - f->span.start <= tail)
		return none;
	return (struct span){ f->span.start, f->span.end - (uint32_t)tail };
}

static bool ends_in(const char *s, const char *leaf)
{
	size_t n = strlen(s), m = strlen(leaf);

	return n >= m && !strcmp(s + n - m, leaf);
}

/* Replace every use; -1 where one is not written by the class's own name. */
static int uses_replace(struct wrap *w)
{
	const struct source *s = w->c->source;
	const char *written;
	struct span at;
	size_t i;

	for (i = 0; i < s->nr_facts; i++) {
		at = class_span(w, &s->facts[i]);
		if (at.start == at.end)
			continue;
		written = verb_text(w->c, at);
		if (!written || !ends_in(written, w->leaf) || strpbrk(written, " \t\r\n\\("))
			return verb_refuse(w->c, "the class is used under another name");
		if (!w->as) {
			w->as = written;
			w->first = at.start;
		}
		verb_edit(w->c, at.start, at.end, w->name);
	}
	return w->as ? 0 : verb_refuse(w->c, "%s is not used in the file", w->base);
}

/* Nothing stands around the import, or a try whose handlers end the program. */
static bool is_certain(const struct source *s, const struct fact *f)
{
	const struct guard *g = f->guard < 0 ? NULL : &s->guards[f->guard];

	return !g || (g->kind == GUARD_TRY && g->parent < 0 && g->reraises);
}

/* The import that the first use rests on is made at module level, whatever happens. */
static bool is_imported(const struct wrap *w)
{
	const struct source *s = w->c->source;
	size_t n = strcspn(w->as, "."), i;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];

		if (f->kind == FACT_IMPORT && f->span.start < w->first && is_certain(s, f) &&
		    !(f->flags & (F_FUNCTION | F_CHECKING)) && f->text &&
		    strlen(f->text) == n && !strncmp(f->text, w->as, n))
			return true;
	}
	return false;
}

int verb_wrap_class(struct verb_call *c)
{
	const char *const *pair = c->step->list;
	struct wrap w = { .c = c };
	const struct shape_stmt *st;
	const char *dot;
	uint32_t at;

	if (!pair || !*pair)
		return verb_refuse(c, "the rule names no class");
	w.base = pair[0];
	dot = strrchr(w.base, '.');
	w.leaf = dot ? dot + 1 : w.base;
	w.name = arena_fmt(c->arena, "_%s", w.leaf);
	if (memmem(c->shape->text, c->shape->len, w.name, strlen(w.name)))
		return verb_refuse(c, "the file has a '%s' already", w.name);
	if (uses_replace(&w))
		return -1;
	if (!is_imported(&w))
		return verb_refuse(c, "the class is not imported at module level");
	st = place_outermost(c->shape, w.first);
	at = st ? place_above(c->shape, st) : 0;
	if (!st || at < c->shape->prologue_end)
		return verb_refuse(c, "there is no line before the first use");
	place_lines(c, at, "",
		    arena_fmt(c->arena, "class %s(%s):\n%s\n\n\n", w.name, w.as,
			      place_block(c, pair[1])));
	return 0;
}
