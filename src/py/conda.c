/*
 * conda.c - environment files: what an environment is made of.
 *
 * In: the bytes of one YAML file. Out: FACT_REQUIRE for the items of the top-level list "dependencies"
 * (recv "conda"), and for those of the list "pip" in it (recv "pip"), which are rows as pip reads them.
 * Read by lines and indentation: an item a line, behind "- ". Anything else in the list says nothing.
 */
#include "py/internal.h"
#include "base/lines.h"

#include <ctype.h>
#include <string.h>

#define FACT_LIMIT 20000

struct conda {
	struct py_worker *w;
	const char *text;
	bool inside;	 /* the list of dependencies */
	size_t pip;	 /* indentation of the item "pip:", SIZE_MAX: not in its list */
};

static size_t skip_blanks(const char *s, size_t at, size_t end)
{
	while (at < end && (s[at] == ' ' || s[at] == '\t'))
		at++;
	return at;
}

/* End of an item's value from `at` on: before its comment and the blanks in front of that. */
static size_t value_end(const char *s, size_t at, size_t end)
{
	size_t i;

	for (i = at + 1; i < end; i++)
		if (s[i] == '#' && (s[i - 1] == ' ' || s[i - 1] == '\t'))
			end = i;
	while (end > at && (s[end - 1] == ' ' || s[end - 1] == '\t'))
		end--;
	return end;
}

/* Name and version of a package, "channel::name=1.2": the name into `out`. */
static bool package_read(const char *s, size_t at, size_t end, struct span *out)
{
	const char *channel = memmem(s + at, end - at, "::", 2);
	size_t i = channel ? (size_t)(channel - s) + 2 : at;

	out->start = (uint32_t)i;
	while (i < end && (isalnum((unsigned char)s[i]) || strchr("._-", s[i])))
		i++;
	out->end = (uint32_t)i;
	return i > out->start && (i == end || strchr(" =<>!~[", s[i]));
}

static void item_read(struct conda *c, size_t dash, size_t at, size_t end)
{
	bool pip = c->pip != SIZE_MAX, is_quoted = end - at >= 2 && strchr("\"'", c->text[at]) &&
						   c->text[end - 1] == c->text[at];
	struct pep508 p;
	struct span name;
	struct fact *f;

	at += is_quoted;
	end -= is_quoted;
	if (pip) {
		if (!pep508_parse(c->text + at, end - at, &p))
			return;
		name.start = (uint32_t)at + p.name_span.start;
		name.end = (uint32_t)at + p.name_span.end;
	} else if (!package_read(c->text, at, end, &name) ||
		   !pep508_parse(c->text + name.start, name.end - name.start, &p)) {
		return;
	}
	f = fact_new(c->w, FACT_REQUIRE, intern_str(c->w->intern, p.name), name);
	f->text = intern(c->w->intern, c->text + at, end - at);
	f->recv = pip ? "pip" : "conda";
	f->symbol = "";
	f->stmt = (struct span){(uint32_t)dash, (uint32_t)(end + is_quoted)};
}

static void line_read(struct conda *c, size_t start, size_t end)
{
	static const char key[] = "dependencies:";
	size_t at = skip_blanks(c->text, start, end), indent = at - start, value;

	if (at == end || c->text[at] == '#')
		return;
	if (c->text[at] != '-') {
		if (!indent)
			c->inside = value_end(c->text, at, end) == at + strlen(key) &&
				    !memcmp(c->text + at, key, strlen(key));
		c->pip = SIZE_MAX;
		return;
	}
	if (c->pip != SIZE_MAX && indent <= c->pip)
		c->pip = SIZE_MAX;
	value = skip_blanks(c->text, at + 1, end);
	end = value_end(c->text, value, end);
	if (!c->inside || value == at + 1 || value >= end)
		return;
	if (end - value == 4 && !memcmp(c->text + value, "pip:", 4))
		c->pip = indent;
	else
		item_read(c, at, value, end);
}

void conda_facts(struct py_worker *w, struct source *s, const char *text, size_t len)
{
	struct conda c = {.w = w, .text = text, .pip = SIZE_MAX};
	size_t at = bom_len(text, len), end;

	for (; at < len && w->facts.nr < FACT_LIMIT; at = end + 1) {
		for (end = at; end < len && text[end] != '\n' && text[end] != '\r'; end++)
			;
		line_read(&c, at, end);
	}
	s->analysis = at < len ? ANALYSIS_PARTIAL : ANALYSIS_FULL;
	facts_finish(w, s);
}
