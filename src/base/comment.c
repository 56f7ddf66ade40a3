/* comment.c - see comment.h. */
#include "base/comment.h"
#include "base/lines.h"

#include <string.h>

const char *comment_mark(enum comment_style style)
{
	if (style == COMMENT_NONE)
		return NULL;
	return style == COMMENT_C ? "//" : "#";
}

void comment_start(struct comment_scan *scan, enum comment_style style, const char *text, size_t len)
{
	*scan = (struct comment_scan){ .style = style, .text = text, .len = len };
	/* Nothing may stand before a byte order mark. */
	if (bom_len(text, len))
		scan->at = 3;
}

static bool is_line_end(char c)
{
	return c == '\n' || c == '\r';
}

static bool is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       c == '_';
}

/* Does the line from here to `end` begin with these bytes? */
static bool at_text(const struct comment_scan *s, size_t at, size_t end, const char *bytes)
{
	size_t n = strlen(bytes);

	return n <= end - at && !memcmp(s->text + at, bytes, n);
}

static void open_with(struct comment_scan *s, const char *close, bool escapes, bool one_line)
{
	memcpy(s->close, close, strlen(close) + 1);
	s->escapes = escapes;
	s->one_line = one_line;
}

/* Past "[==[", whose end it opens; `at` where there is none. */
static size_t open_bracket(struct comment_scan *s, size_t at, size_t end)
{
	size_t n = 1;

	while (at + n < end && s->text[at + n] == '=')
		n++;
	if (at + n >= end || s->text[at + n] != '[' || n + 2 > COMMENT_CLOSE_MAX)
		return at;
	memset(s->close, '=', n + 1);
	s->close[0] = s->close[n] = ']';
	s->close[n + 1] = 0;
	s->escapes = s->one_line = false;
	return at + n + 1;
}

/* Past R"name(, whose end it opens; `at`: no raw string begins with this quote. */
static size_t open_raw(struct comment_scan *s, size_t at, size_t end)
{
	size_t n = 1;

	if (!at || s->text[at - 1] != 'R')
		return at;
	while (at + n < end && !strchr("( )\\\t", s->text[at + n]))
		n++;
	if (at + n >= end || s->text[at + n] != '(' || n + 2 > COMMENT_CLOSE_MAX)
		return at;
	s->close[0] = ')';
	memcpy(s->close + 1, s->text + at + 1, n - 1);
	s->close[n] = '"';
	s->close[n + 1] = 0;
	s->escapes = s->one_line = false;
	return at + n + 1;
}

static size_t open_quote(struct comment_scan *s, size_t at, size_t end)
{
	const char one[] = { s->text[at], 0 };
	const char three[] = { one[0], one[0], one[0], 0 };
	bool escapes = s->style != COMMENT_TOML || one[0] == '"';
	size_t raw;

	if ((s->style == COMMENT_PYTHON || s->style == COMMENT_TOML) &&
	    at_text(s, at, end, three)) {
		open_with(s, three, escapes, false);
		return at + 3;
	}
	raw = s->style == COMMENT_C && one[0] == '"' ? open_raw(s, at, end) : at;
	if (raw != at)
		return raw;
	open_with(s, one, escapes, s->style != COMMENT_CMAKE);
	return at + 1;
}

/* A quote that opens nothing: an apostrophe in a number, or where it is a letter like others. */
static bool is_plain_quote(const struct comment_scan *s, size_t at)
{
	if (s->style == COMMENT_CMAKE)
		return s->text[at] == '\'';
	return s->style == COMMENT_C && s->text[at] == '\'' && at && is_word(s->text[at - 1]) &&
	       !strchr("uUL8", s->text[at - 1]);
}

/* From code at `at`: past what begins there; `end` where a comment takes the rest of the line. */
static size_t step_code(struct comment_scan *s, size_t at, size_t end, bool *comment)
{
	char c = s->text[at];
	size_t next;

	if (c == '\\')
		return at + (at + 1 < end ? 2 : 1);
	if (c == '#' && s->style == COMMENT_CMAKE && at + 1 < end && s->text[at + 1] == '[') {
		next = open_bracket(s, at + 1, end);
		if (next != at + 1)
			return next;
	}
	if (s->style != COMMENT_C ? c == '#' : at_text(s, at, end, "//")) {
		*comment = true;
		return end;
	}
	if (s->style == COMMENT_C && at_text(s, at, end, "/*")) {
		open_with(s, "*/", false, false);
		return at + 2;
	}
	if (s->style == COMMENT_CMAKE && c == '[') {
		next = open_bracket(s, at, end);
		return next == at ? at + 1 : next;
	}
	if ((c == '"' || c == '\'') && !is_plain_quote(s, at))
		return open_quote(s, at, end);
	return at + 1;
}

static size_t step_open(struct comment_scan *s, size_t at, size_t end)
{
	if (s->escapes && s->text[at] == '\\')
		return at + (at + 1 < end ? 2 : 1);
	if (!at_text(s, at, end, s->close))
		return at + 1;
	at += strlen(s->close);
	s->close[0] = 0;
	return at;
}

/* Read the line [at, end): what is open behind it. */
static void line_read(struct comment_scan *s, size_t at, size_t end)
{
	bool comment = false, back = end > at && s->text[end - 1] == '\\';

	s->tail = s->len;
	if (s->style == COMMENT_ROWS) {
		while (at < end && (s->text[at] == ' ' || s->text[at] == '\t'))
			at++;
		s->joined = back && s->text[at] != '#';
		return;
	}
	while (at < end) {
		size_t from = at;

		at = s->close[0] ? step_open(s, at, end) : step_code(s, at, end, &comment);
		if (comment && s->tail == s->len)
			s->tail = from;
	}
	if (s->close[0] && s->one_line && !back)
		s->close[0] = 0;
	/* Of the languages only C joins a comment with the next line. */
	s->joined = back && !s->close[0] && s->style != COMMENT_TOML &&
		    s->style != COMMENT_CMAKE && (s->style == COMMENT_C || !comment);
}

static bool line_free(const struct comment_scan *s)
{
	return !s->close[0] && !s->joined;
}

/* Read one line; true when it is a comment. */
static bool line_next(struct comment_scan *s, struct comment *out)
{
	const char *mark = comment_mark(s->style);
	size_t start = s->at, at = start, end = start, next;
	bool open = !line_free(s), found;

	while (end < s->len && !is_line_end(s->text[end]))
		end++;
	next = end;
	if (next < s->len)
		next += s->text[next] == '\r' && next + 1 < s->len && s->text[next + 1] == '\n' ? 2
												: 1;
	while (at < end && (s->text[at] == ' ' || s->text[at] == '\t'))
		at++;
	found = !open && at_text(s, at, end, mark);
	line_read(s, start, end);
	s->at = next;
	/* A bracket comment is not over with its line. */
	if (!found || !line_free(s))
		return false;
	out->line = (uint32_t)start;
	out->indent = (uint32_t)(at - start);
	at += strlen(mark);
	out->words = (uint32_t)(at + (at < end && s->text[at] == ' '));
	out->end = (uint32_t)end;
	out->next = (uint32_t)next;
	return true;
}

bool comment_next(struct comment_scan *s, struct comment *out)
{
	if (s->style == COMMENT_NONE)
		return false;
	while (s->at < s->len)
		if (line_next(s, out))
			return true;
	return false;
}

bool comment_next_any(struct comment_scan *s, struct comment *out)
{
	size_t start, at;

	while (s->style != COMMENT_NONE && s->at < s->len) {
		start = s->at;
		if (line_next(s, out))
			return true;
		if (s->tail == s->len)
			continue;
		at = s->tail + strlen(comment_mark(s->style));
		out->line = (uint32_t)start;
		out->indent = (uint32_t)(s->tail - start);
		out->words = (uint32_t)(at + (at < s->len && s->text[at] == ' '));
		out->end = (uint32_t)(s->tail + strcspn(s->text + s->tail, "\r\n"));
		out->next = (uint32_t)s->at;
		return true;
	}
	return false;
}

bool comment_place(enum comment_style style, const char *text, size_t len, uint32_t line,
		   uint32_t *out)
{
	struct comment_scan s;
	struct comment c;
	bool found = false;

	if (style == COMMENT_NONE)
		return false;
	comment_start(&s, style, text, len);
	line = line < s.at ? (uint32_t)s.at : line;
	for (;;) {
		if (line_free(&s) && s.at <= line) {
			*out = (uint32_t)s.at;
			found = true;
		}
		if (s.at >= line || s.at >= len)
			return found;
		line_next(&s, &c);
	}
}
