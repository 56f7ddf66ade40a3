/*
 * verb_quote_annotation.c - put quotes around the annotation that holds the site.
 *
 * A quoted annotation is not evaluated. The annotation is found in the text: from the colon or the
 * arrow before the site to the comma, bracket, equals sign, colon or line end behind it. What has
 * quotes, comments or a line break in it is refused, as is a site that is no annotation.
 */
#include <string.h>

#include "rule/verb.h"

/* Its first byte: behind the ':' or "->" to the left; UINT32_MAX: not found. */
static uint32_t annotation_start(const char *text, uint32_t at)
{
	int depth = 0;

	for (; at; at--) {
		char c = text[at - 1];

		if (strchr("\"'#\r\n=\\", c))
			break;
		if (strchr(")]}", c))
			depth++;
		if (strchr("([{", c) && --depth < 0 && c != '[')
			break;
		if (depth <= 0 && (c == ':' || (c == '>' && at > 1 && text[at - 2] == '-')))
			return at + (uint32_t)strspn(text + at, " \t");
	}
	return UINT32_MAX;
}

/* Behind its last byte; UINT32_MAX: not found. */
static uint32_t annotation_end(const struct shape *sh, uint32_t at)
{
	uint32_t i = at;
	int depth = 0;

	for (; i < sh->len; i++) {
		char c = sh->text[i];

		if (strchr("\"'\\", c) || (depth && strchr("#\r\n", c)))
			return UINT32_MAX;
		if (!depth && strchr("),=:\r\n#", c))
			break;
		depth += strchr("([{", c) ? 1 : strchr(")]}", c) ? -1 : 0;
	}
	while (i > at && strchr(" \t", sh->text[i - 1]))
		i--;
	return i;
}

int verb_quote_annotation(struct verb_call *c)
{
	const struct fact *f = c->fact;
	uint32_t start, end;

	if (!(f->flags & F_ANNOTATION))
		return verb_refuse(c, "only an annotation can be quoted");
	start = annotation_start(c->shape->text, f->span.start);
	end = start == UINT32_MAX ? start : annotation_end(c->shape, start);
	if (end == UINT32_MAX || end < f->span.end)
		return verb_refuse(c, "the annotation is not written on one line without quotes");
	verb_edit(c, start, end,
		  arena_fmt(c->arena, "\"%s\"", verb_text(c, (struct span){ start, end })));
	return 0;
}
