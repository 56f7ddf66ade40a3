/*
 * verb_include.c - include other headers, instead of one that is not there or beside what is included.
 *
 * `include_instead` gives a list: the first header that the file does not include yet takes the place of the
 * old one, further ones follow on lines of their own; where all are included the line goes. `include_too`
 * puts a line behind the file's first include of a framework's header. New lines are written like the include
 * they stand beside: its brackets and the file's line end.
 */
#include <string.h>

#include "base/intern.h"
#include "rule/verb.h"

static bool is_line_end(char c)
{
	return c == '\n' || c == '\r';
}

/* Does a line of the file that is always read include the header? */
static bool includes(const struct source *s, const struct fact *but, const char *header)
{
	size_t i;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];

		if (f != but && f->kind == FACT_INCLUDE && !(f->flags & F_INACTIVE) &&
		    !strcmp(f->name, header))
			return true;
	}
	return false;
}

/* A line like the include `f`, with another header. */
static const char *include_line(struct verb_call *c, const struct fact *f, const char *header)
{
	return f->flags & F_ANGLE ? arena_fmt(c->arena, "#include <%s>", header)
				  : arena_fmt(c->arena, "#include \"%s\"", header);
}

/* The whole line of an include, when nothing else stands on it. */
static bool own_line(const struct verb_call *c, const struct fact *f, struct span *line)
{
	const char *text = c->shape->text;
	uint32_t start = f->stmt.start, end = f->stmt.end;

	while (start && strchr(" \t", text[start - 1]))
		start--;
	while (end < c->shape->len && strchr(" \t", text[end]))
		end++;
	if ((start && !is_line_end(text[start - 1])) ||
	    (end < c->shape->len && !is_line_end(text[end])))
		return false;
	if (end + 1 < c->shape->len && text[end] == '\r' && text[end + 1] == '\n')
		end++;
	*line = (struct span){ start, end < c->shape->len ? end + 1 : end };
	return true;
}

int verb_include_instead(struct verb_call *c)
{
	const struct fact *f = c->fact;
	const char *const *header;
	const char *first = NULL;
	struct span line;

	if (f->kind != FACT_INCLUDE || !verb_text(c, f->stmt))
		return verb_refuse(c, "only an include can be replaced by another");
	for (header = c->step->list; *header; header++) {
		if (includes(c->source, f, *header))
			continue;
		if (!first) {
			first = *header;
			verb_edit(c, f->span.start, f->span.end, first);
		} else {
			verb_edit(c, f->stmt.end, f->stmt.end,
				  arena_fmt(c->arena, "%s%s", c->shape->newline,
					    include_line(c, f, *header)));
		}
	}
	if (first)
		return 0;
	if (!own_line(c, f, &line))
		return verb_refuse(c, "something else stands on the line of the include");
	verb_edit(c, line.start, line.end, "");
	return 0;
}

/* The include that a new one goes behind: the file's first of a framework's header. */
static const struct fact *beside(const struct verb_call *c)
{
	const struct source *s = c->source;
	const char *const *p;
	size_t i;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];

		if (f->kind != FACT_INCLUDE || f->flags & F_INACTIVE)
			continue;
		for (p = c->rules->vocab->cxx_headers; *p; p++)
			if (!strncmp(f->name, *p, strlen(*p)))
				return f;
	}
	return NULL;
}

int verb_include_too(struct verb_call *c)
{
	const char *header = template_expand(c->arena, c->step->text, c->rules, c->fact);
	const struct fact *f = beside(c);

	if (!f || f->stmt.end > c->shape->len)
		return verb_refuse(c, "the file includes no header of the framework itself");
	if (includes(c->source, NULL, header))
		return verb_refuse(c, "'%s' is included already", header);
	verb_edit(c, f->stmt.end, f->stmt.end,
		  arena_fmt(c->arena, "%s%s", c->shape->newline, include_line(c, f, header)));
	return 0;
}
