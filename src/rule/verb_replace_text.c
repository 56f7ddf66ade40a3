/*
 * verb_replace_text.c - write another text in a string literal, and leave its quotes and prefix.
 *
 * The value is a map from old to new texts; the first that is a part of the literal's contents is
 * replaced. The old text must stand once in the literal as it is written, so a literal with escapes
 * or one of several parts is refused.
 */
#include <string.h>

#include "rule/verb.h"

int verb_replace_text(struct verb_call *c)
{
	const struct fact *f = c->fact;
	const char *written = verb_text(c, f->span), *at;
	const char *const *pair = c->step->list;

	if (f->kind != FACT_STRING || !written)
		return verb_refuse(c, "only a text can be written otherwise");
	for (; pair && *pair; pair += 2)
		if (strstr(f->name, pair[0]))
			break;
	if (!pair || !*pair)
		return verb_refuse(c, "the rule has no other text for '%s'", f->name);
	at = strstr(written, pair[0]);
	if (!at || strstr(at + 1, pair[0]))
		return verb_refuse(c, "the text is not written out once here");
	verb_edit(c, f->span.start + (uint32_t)(at - written),
		  f->span.start + (uint32_t)(at - written + strlen(pair[0])), pair[1]);
	return 0;
}
