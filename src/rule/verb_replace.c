/*
 * verb_replace.c - write another expression where a member stands.
 *
 * The value is what follows the dot: names, calls without arguments. It binds as tightly as a name
 * does, so no parentheses are needed around it; the receiver stays as written.
 */
#include <ctype.h>
#include <string.h>

#include "rule/verb.h"

/* A name, perhaps with "()" behind it, or several of those with dots between. */
static bool is_primary(const char *s)
{
	bool start = true;

	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '(' && !start && s[1] == ')') {
			s++;
			if (s[1] && s[1] != '.')
				return false;
		} else if (c == '.') {
			if (start)
				return false;
			start = true;
			continue;
		} else if (!isalnum(c) && c != '_') {
			return false;
		}
		start = false;
	}
	return !start;
}

int verb_replace(struct verb_call *c)
{
	const struct fact *f = c->fact;
	const char *written = verb_text(c, f->span);
	const char *new = template_expand(c->arena, c->step->text, c->rules, f);
	size_t n = strlen(f->name), m = written ? strlen(written) : 0;

	if (f->kind != FACT_MEMBER)
		return verb_refuse(c, "only a member can be replaced");
	if (f->flags & F_STORE)
		return verb_refuse(c, "the member is assigned to here");
	if (!is_primary(new))
		return verb_refuse(c, "'%s' is no name or call", new);
	if (m < n || strcmp(written + m - n, f->name) || (m > n && written[m - n - 1] != '.'))
		return verb_refuse(c, "the member is not written as a name here");
	verb_edit(c, f->span.end - (uint32_t)n, f->span.end, new);
	return 0;
}
