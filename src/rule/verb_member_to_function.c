/*
 * verb_member_to_function.c - `x.member()` becomes `function(x)`.
 *
 * For a method without arguments that the target has only as a function. The function is written
 * the way this file's own module-level imports reach it; where none does, the verb refuses.
 */
#include <string.h>

#include "base/intern.h"
#include "rule/verb.h"

/* What a member becomes by the rule's map, NULL: nothing. */
static const char *function_of(const struct rule_step *step, const char *member)
{
	const char *const *pair;

	for (pair = step->list; pair && *pair; pair += 2)
		if (!strcmp(pair[0], member))
			return pair[1];
	return NULL;
}

/* `import a.b` binds a, not a.b. */
static bool binds_root(const struct fact *f)
{
	size_t n = strlen(f->text);

	return !(f->flags & F_FROM) && strlen(f->name) > n && !strncmp(f->name, f->text, n) &&
	       f->name[n] == '.';
}

/* `function` as written through one import, NULL when that does not lead to it. */
static const char *written_through(struct arena *a, const struct fact *f, const char *function)
{
	size_t n = strlen(f->name), m;

	if (f->kind != FACT_IMPORT || !f->text || f->guard >= 0 ||
	    f->flags & (F_FUNCTION | F_CHECKING | F_STAR | F_DYNAMIC))
		return NULL;
	if (binds_root(f)) {
		m = strlen(f->text);
		return !strncmp(function, f->text, m) && function[m] == '.' ? function : NULL;
	}
	if (strncmp(function, f->name, n) || (function[n] && function[n] != '.'))
		return NULL;
	return arena_fmt(a, "%s%s", f->text, function + n);
}

/* The shortest way to write it. */
static const char *written_here(struct verb_call *c, const char *function)
{
	const char *best = NULL, *text;
	size_t i;

	for (i = 0; i < c->source->nr_facts; i++) {
		text = written_through(c->arena, &c->source->facts[i], function);
		if (text && (!best || strlen(text) < strlen(best)))
			best = text;
	}
	return best;
}

/* A parameter of a function around the site has the name that the text begins with. */
static bool is_hidden(const struct verb_call *c, const char *text)
{
	const struct source *s = c->source;
	size_t n = strcspn(text, "."), i;
	int d;

	for (d = c->fact->def; d >= 0 && (size_t)d < s->nr_defs; d = s->defs[d].parent)
		for (i = 0; i < s->defs[d].nr_params; i++) {
			const char *name = s->defs[d].params[i].keyword;

			if (name && strlen(name) == n && !strncmp(name, text, n))
				return true;
		}
	return false;
}

int verb_member_to_function(struct verb_call *c)
{
	const struct fact *f = c->fact;
	const char *function = function_of(c->step, f->name), *receiver, *text;
	size_t n;

	if (!function)
		return verb_refuse(c, "the rule has no function for %s", f->name);
	if (f->kind != FACT_MEMBER || !(f->flags & F_CALL) || f->nr_args)
		return verb_refuse(c, "only a member called without arguments becomes a function");
	receiver = verb_text(c, (struct span){ f->stmt.start, f->span.start });
	n = receiver ? strlen(receiver) : 0;
	if (n < 2 || receiver[n - 1] != '.' || strpbrk(receiver, "\r\n#"))
		return verb_refuse(c, "the receiver is not written on one line");
	text = written_here(c, function);
	if (!text || is_hidden(c, text))
		return verb_refuse(c, "no import of this file leads to %s", function);
	verb_edit(c, f->stmt.start, f->stmt.end,
		  arena_fmt(c->arena, "%s(%.*s)", text, (int)(n - 1), receiver));
	return 0;
}
