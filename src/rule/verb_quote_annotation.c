/*
 * verb_quote_annotation.c - put quotes around the annotation that holds the site.
 *
 * A quoted annotation is not evaluated. The annotation is found in the text: from the colon or the
 * arrow before the site to the comma, bracket, equals sign, colon or line end behind it. What goes
 * over several lines is written on one. What has comments or quotes of both kinds in it is refused,
 * as is a site that is no annotation.
 */
#include <string.h>

#include "rule/verb.h"

/* Its first byte: behind the ':' or "->" to the left; UINT32_MAX: not found. */
static uint32_t annotation_start(const char *text, uint32_t at)
{
	uint32_t i = at;
	int depth = 0;

	for (; i; i--) {
		char c = text[i - 1];

		if (strchr("#=\\", c))
			break;
		if (c == '"' || c == '\'') {
			const char *open = i > 1 ? memrchr(text, c, i - 1) : NULL;

			if (!open)
				break;
			i = (uint32_t)(open - text) + 1;
			continue;
		}
		if (strchr(")]}", c))
			depth++;
		if (strchr("([{", c) && --depth < 0 && c != '[')
			break;
		if (depth <= 0 && (c == ':' || (c == '>' && i > 1 && text[i - 2] == '-')))
			return i + (uint32_t)strspn(text + i, " \t\r\n");
	}
	return UINT32_MAX;
}

/* Behind its last byte; UINT32_MAX: not found. `inside`: brackets around it make line ends blanks. */
static uint32_t annotation_end(const struct shape *sh, uint32_t at, bool inside)
{
	uint32_t i = at;
	int depth = 0;

	for (; i < sh->len; i = place_next(sh, i)) {
		char c = sh->text[i];

		if (c == '\\' || (c == '#' && depth))
			return UINT32_MAX;
		if (!depth && (strchr("),=:#", c) || (!inside && strchr("\r\n", c))))
			break;
		depth += strchr("([{", c) ? 1 : strchr(")]}", c) ? -1 : 0;
	}
	while (i > at && strchr(" \t\r\n", sh->text[i - 1]))
		i--;
	return i;
}

/* Do brackets of its statement stand around `at`? */
static bool is_inside(const struct shape *sh, const struct shape_stmt *st, uint32_t at)
{
	int depth = 0;
	uint32_t i;

	for (i = st ? st->span.start : at; i < at; i = place_next(sh, i))
		depth += strchr("([{", sh->text[i]) ? 1 : strchr(")]}", sh->text[i]) ? -1 : 0;
	return depth > 0;
}

/* The annotation on one line, between quotes that it does not hold; NULL: it holds both. */
static const char *quoted(struct verb_call *c, struct span s)
{
	const char *text = verb_text(c, s);
	char quote = strchr(text, '"') ? '\'' : '"', *out;
	size_t i, n = 0;

	if (strchr(text, quote) || strchr(text, '#'))
		return NULL;
	out = arena_strdup(c->arena, text);
	for (i = 0; text[i]; i++) {
		bool gap = strchr(" \t\r\n", text[i]);

		if (gap && text[i + strspn(text + i, " \t")] != '\r' &&
		    text[i + strspn(text + i, " \t")] != '\n') {
			out[n++] = text[i];
			continue;
		}
		if (!gap) {
			out[n++] = text[i];
			continue;
		}
		i += strspn(text + i, " \t\r\n") - 1;
		if (n && !strchr("([{", out[n - 1]) && !strchr(")]}", text[i + 1]))
			out[n++] = ' ';
	}
	out[n] = 0;
	return arena_fmt(c->arena, "%c%s%c", quote, out, quote);
}

int verb_quote_annotation(struct verb_call *c)
{
	const struct fact *f = c->fact;
	const struct shape *sh = c->shape;
	uint32_t start, end;
	const char *text;

	if (!(f->flags & F_ANNOTATION))
		return verb_refuse(c, "only an annotation can be quoted");
	start = annotation_start(sh->text, f->span.start);
	end = start == UINT32_MAX ?
		      start :
		      annotation_end(sh, start, is_inside(sh, place_innermost(sh, start), start));
	if (end == UINT32_MAX || end < f->span.end)
		return verb_refuse(c, "where the annotation begins and ends is not plain");
	text = quoted(c, (struct span){ start, end });
	if (!text)
		return verb_refuse(c, "the annotation holds a comment, or quotes of both kinds");
	verb_edit(c, start, end, text);
	return 0;
}
