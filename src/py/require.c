/*
 * require.c - dependency rows (PEP 508) and requirements files.
 *
 * In: a row as a setup script or build file holds it, or the bytes of a requirements or constraints
 * file. Out: the parts of a row; one FACT_REQUIRE a row.
 *
 * A requirements file is read as pip does: a backslash at a line's end joins lines (not behind a
 * comment of its own line), "#" begins a comment at the start of a row or after white space, and
 * what follows the requirement from the first word that begins with "-" are options. To keep
 * offsets, joins are blanked in a copy, not cut out.
 */
#include "py/internal.h"
#include "base/lines.h"

#include <ctype.h>
#include <string.h>

#define FACT_LIMIT 20000

static bool space_byte(char c)
{
	return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r' || c == '\n';
}

static bool name_byte(char c)
{
	return isalnum((unsigned char)c) || c == '.' || c == '-' || c == '_';
}

static size_t skip_space(const char *s, size_t len, size_t at)
{
	while (at < len && space_byte(s[at]))
		at++;
	return at;
}

static size_t trim_end(const char *s, size_t start, size_t end)
{
	while (end > start && space_byte(s[end - 1]))
		end--;
	return end;
}

/* PEP 503: lower case, runs of '-', '_' and '.' are one '-'. False when it is no name or too long.
 */
static bool name_fold(const char *s, size_t len, char out[128])
{
	size_t i, n = 0;

	if (!len || len >= 128 || !isalnum((unsigned char)s[0]))
		return false;
	for (i = 0; i < len; i++) {
		if (isalnum((unsigned char)s[i]))
			out[n++] = (char)tolower((unsigned char)s[i]);
		else if (out[n - 1] != '-')
			out[n++] = '-';
	}
	out[n] = 0;
	return true;
}

/* Length of the comparison at s, 0 where there is none. */
static size_t operator_len(const char *s, size_t len)
{
	if (len >= 2 && s[1] == '=' && memchr("=!~<>", s[0], 5))
		return 2;
	return len && (s[0] == '<' || s[0] == '>') ? 1 : 0;
}

/* Where the marker of a row with a URL begins (its ';'), `len` where there is none. */
static size_t url_marker(const char *row, size_t len, size_t at)
{
	for (; at < len; at++)
		if (row[at] == ';' && space_byte(row[at - 1]))
			return at;
	return len;
}

/* The version part at `at`; *at moves behind it. False when something else stands there. */
static bool version_parse(const char *row, size_t len, size_t *at, struct span *out)
{
	bool paren = *at < len && row[*at] == '(';
	size_t start = *at, first = paren ? skip_space(row, len, start + 1) : start;
	const char *stop;
	size_t end;

	*out = (struct span){(uint32_t)start, (uint32_t)start};
	if (start == len || row[start] == ';')
		return true;
	if (!operator_len(row + first, len - first))
		return false;
	stop = memchr(row + first, paren ? ')' : ';', len - first);
	if (paren && !stop)
		return false;
	end = stop ? (size_t)(stop - row) : len;
	end = paren ? end + 1 : trim_end(row, start, end);
	out->end = (uint32_t)end;
	*at = skip_space(row, len, end);
	return true;
}

bool pep508_parse(const char *row, size_t len, struct pep508 *out)
{
	size_t at = skip_space(row, len, 0), end = at;
	const char *close;

	memset(out, 0, sizeof(*out));
	len = trim_end(row, at, len);
	while (end < len && name_byte(row[end]))
		end++;
	while (end > at && !isalnum((unsigned char)row[end - 1]))
		end--;
	if (!name_fold(row + at, end - at, out->name))
		return false;
	out->name_span = (struct span){(uint32_t)at, (uint32_t)end};
	at = skip_space(row, len, end);
	if (at < len && row[at] == '[') {
		close = memchr(row + at, ']', len - at);
		if (!close)
			return false;
		out->has_extras = true;
		at = skip_space(row, len, (size_t)(close - row) + 1);
	}
	if (at < len && row[at] == '@') {
		out->has_url = true;
		out->version_span = (struct span){(uint32_t)at, (uint32_t)at};
		if (skip_space(row, len, at + 1) == len)
			return false;
		at = url_marker(row, len, at + 1);
	} else if (!version_parse(row, len, &at, &out->version_span)) {
		return false;
	}
	out->has_marker = at < len && row[at] == ';';
	return at == len || out->has_marker;
}

/* ---- requirements files
 * -------------------------------------------------------------------------- */

struct rows {
	struct py_worker *w;
	const char *text; /* the copy: joined lines are one line */
	bool joined;      /* some lines were */
	uint32_t bad;     /* line of the first row that was not understood, from 1; 0: none */
	uint32_t line;
};

/* Past the line that begins at `at`; *end gets the end of its text. A lone "\r" ends a line. */
static size_t line_next(const char *text, size_t len, size_t at, size_t *end)
{
	while (at < len && text[at] != '\n' && text[at] != '\r')
		at++;
	*end = at;
	if (at + 1 < len && text[at] == '\r' && text[at + 1] == '\n')
		at++;
	return at < len ? at + 1 : len;
}

/* Blank each backslash at a line's end together with the line end. True when there was one. */
static bool lines_join(char *text, size_t len)
{
	size_t at, end, next;
	bool any = false;

	for (at = 0; at < len; at = next) {
		next = line_next(text, len, at, &end);
		if (end == at || text[end - 1] != '\\' || text[skip_space(text, end, at)] == '#')
			continue;
		memset(text + end - 1, ' ', next - end + 1);
		any = true;
	}
	return any;
}

/* End of the row without its comment. */
static size_t comment_cut(const char *text, size_t start, size_t end)
{
	size_t i;

	for (i = start; i < end; i++)
		if (text[i] == '#' && (i == start || space_byte(text[i - 1])))
			return trim_end(text, start, i);
	return trim_end(text, start, end);
}

/* End of the row without its options ("--hash=..."). */
static size_t options_cut(const char *text, size_t start, size_t end)
{
	size_t i;

	for (i = start + 1; i < end; i++)
		if (text[i] == '-' && space_byte(text[i - 1]))
			return trim_end(text, start, i);
	return end;
}

/* The row for messages: on one line also where it was joined of several. */
static const char *row_text(const struct rows *r, size_t start, size_t end)
{
	char *out = arena_strndup(r->w->arena, r->text + start, end - start);
	size_t i, n = 0;

	if (!r->joined)
		return out;
	for (i = 0; out[i]; i++)
		if (!space_byte(out[i]) || (n && out[n - 1] != ' '))
			out[n++] = space_byte(out[i]) ? ' ' : out[i];
	out[n] = 0;
	return out;
}

static bool text_ends(const char *s, size_t len, const char *suffix)
{
	size_t n = strlen(suffix);

	return len >= n && !memcmp(s + len - n, suffix, n);
}

static bool is_archive(const char *s, size_t len)
{
	return text_ends(s, len, ".whl") || text_ends(s, len, ".zip") ||
	       text_ends(s, len, ".tar.gz") || text_ends(s, len, ".tgz") ||
	       text_ends(s, len, ".tar.bz2");
}

/* The name in a URL or path, where it says one: "#egg=NAME", or NAME-VERSION-....whl. */
static bool location_name(const char *s, size_t len, struct span *out)
{
	static const char egg[] = "egg=";
	const char *p = memmem(s, len, egg, strlen(egg));
	size_t start = 0, end, i, dashes = 0;

	if (p && p > s && (p[-1] == '#' || p[-1] == '&')) {
		start = (size_t)(p - s) + strlen(egg);
		for (end = start; end < len && name_byte(s[end]); end++)
			;
		*out = (struct span){(uint32_t)start, (uint32_t)end};
		return end > start;
	}
	if (!text_ends(s, len, ".whl"))
		return false;
	for (i = 0; i < len; i++)
		if (s[i] == '/' || s[i] == '\\')
			start = i + 1;
	for (end = start; end < len && s[end] != '-'; end++)
		;
	for (i = end; i < len; i++)
		dashes += s[i] == '-';
	*out = (struct span){(uint32_t)start, (uint32_t)end};
	return end > start && dashes >= 4;
}

static void row_fact(struct rows *r, const char *name, struct span span, size_t start,
		     size_t req_end, size_t end)
{
	struct fact *f = fact_new(r->w, FACT_REQUIRE, intern_str(r->w->intern, name), span);

	f->text = row_text(r, start, req_end);
	f->recv = "requirements";
	f->symbol = "";
	f->stmt = (struct span){(uint32_t)start, (uint32_t)end};
}

/* One logical line. */
static void row_read(struct rows *r, size_t start, size_t line_end)
{
	size_t end, req;
	const char *row;
	struct pep508 p;
	struct span span;

	start = skip_space(r->text, line_end, start);
	end = comment_cut(r->text, start, line_end);
	if (start == end || r->text[start] == '-')
		return;
	req = options_cut(r->text, start, end);
	row = r->text + start;
	if (pep508_parse(row, req - start, &p) && !is_archive(row, p.name_span.end)) {
		span = p.name_span;
	} else if (location_name(row, req - start, &span)) {
		if (!name_fold(row + span.start, span.end - span.start, p.name))
			return;
	} else {
		if (!memchr(row, '/', end - start) && !memchr(row, '\\', end - start) &&
		    !is_archive(row, req - start) && *row != '.' && !r->bad)
			r->bad = r->line;
		return;
	}
	span.start += (uint32_t)start;
	span.end += (uint32_t)start;
	row_fact(r, p.name, span, start, req, end);
}

void requirements_facts(struct py_worker *w, struct source *s, const char *text, size_t len,
			struct notices *n)
{
	struct rows r = {.w = w};
	size_t at = bom_len(text, len), end, next, i;
	char *copy = arena_alloc(&w->scratch, len + 1);

	if (len)
		memcpy(copy, text, len);
	r.joined = lines_join(copy + at, len - at);
	r.text = copy;
	for (; at < len && w->facts.nr < FACT_LIMIT; at = next) {
		next = line_next(copy, len, at, &end);
		r.line++;
		row_read(&r, at, end);
		for (i = at; r.joined && i + 1 < next; i++)
			r.line += text[i] == '\n' || (text[i] == '\r' && text[i + 1] != '\n');
	}
	s->analysis = r.bad || at < len ? ANALYSIS_PARTIAL : ANALYSIS_FULL;
	if (r.bad)
		notice_add(n, w->arena, s->path, "parse", "line %u: not a requirement", r.bad);
	if (at < len)
		notice_add(n, w->arena, s->path, "parse",
			   "more than %d rows; the rest was not read", FACT_LIMIT);
	facts_finish(w, s);
}
