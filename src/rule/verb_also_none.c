/*
 * verb_also_none.c - let another value count as None where an expression is looked at.
 *
 *	x is None          ->    x in (None, VALUE)
 *	x is not None      ->    x not in (None, VALUE)
 *	if x               ->    if (x if x != VALUE else None)
 *
 * The value is written as it stands. What is called, assigned to or compared with something else is refused.
 */
#include <string.h>

#include "rule/verb.h"

/* Behind the words at `at`, with white space before each of them; 0: they do not stand there. */
static uint32_t behind_words(const struct shape *sh, uint32_t at, const char *const *words)
{
	for (; *words; words++) {
		size_t n = strlen(*words);
		uint32_t start = at;

		while (at < sh->len && sh->text[at] == ' ')
			at++;
		if (at == start || at + n > sh->len || memcmp(sh->text + at, *words, n))
			return 0;
		at += (uint32_t)n;
	}
	return at;
}

int verb_also_none(struct verb_call *c)
{
	static const char *const is[] = {"is", "None", NULL}, *const not[] = {"is", "not", "None", NULL};
	const struct fact *f = c->fact;
	const char *x = verb_text(c, f->span), *value = c->step->text;
	uint32_t end = f->span.end, to;

	if (f->kind != FACT_USE || f->flags & (F_CALL | F_STORE) || !x)
		return verb_refuse(c, "only an expression that is read can be None");
	to = behind_words(c->shape, end, is);
	if (to) {
		verb_edit(c, end, to, arena_fmt(c->arena, " in (None, %s)", value));
		return 0;
	}
	to = behind_words(c->shape, end, not);
	if (to) {
		verb_edit(c, end, to, arena_fmt(c->arena, " not in (None, %s)", value));
		return 0;
	}
	if (f->flags & F_COMPARE)
		return verb_refuse(c, "it is compared with something else than None");
	verb_edit(c, f->span.start, f->span.start, "(");
	verb_edit(c, end, end, arena_fmt(c->arena, " if %s != %s else None)", x, value));
	return 0;
}
