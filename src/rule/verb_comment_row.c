/*
 * verb_comment_row.c - take a dependency row out, as a comment where it has a line of its own.
 *
 * A row is a line of a requirements file, a string in a list, or a key of a table. A string that
 * shares its line with others is removed with one comma. Nothing but white space, commas and a
 * comment may stand beside the row; else it is refused, because the text around it means something
 * that is not seen here (a sum of strings, a call). What adds one row to a list goes as a statement.
 */
#include <string.h>

#include "base/intern.h"
#include "base/lines.h"
#include "rule/verb.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_line_end(const struct shape *sh, uint32_t at)
{
	return at >= sh->len || sh->text[at] == '\n' || sh->text[at] == '\r';
}

static uint32_t line_begin(const struct shape *sh, uint32_t at)
{
	while (at && sh->text[at - 1] != '\n' && sh->text[at - 1] != '\r')
		at--;
	if (!at && bom_len(sh->text, sh->len))
		at = 3;
	return at;
}

static uint32_t skip_blanks(const struct shape *sh, uint32_t at)
{
	while (at < sh->len && is_blank(sh->text[at]))
		at++;
	return at;
}

/* The first byte from `at` on that is no white space and in no comment; the length: none. */
static uint32_t next_word(const struct shape *sh, uint32_t at)
{
	while (at < sh->len) {
		if (sh->text[at] == '#')
			while (!is_line_end(sh, at))
				at++;
		else if (is_blank(sh->text[at]) || is_line_end(sh, at))
			at++;
		else
			break;
	}
	return at;
}

/* The last byte before `at` that is no white space and in no comment; `at` itself: none. */
static uint32_t last_word(const struct shape *sh, uint32_t at)
{
	uint32_t end = at, i;

	while (end) {
		const char *hash;
		uint32_t begin = line_begin(sh, end);

		hash = memchr(sh->text + begin, '#', end - begin);
		i = hash ? (uint32_t)(hash - sh->text) : end;
		while (i > begin && is_blank(sh->text[i - 1]))
			i--;
		if (i > begin)
			return i - 1;
		end = begin ? begin - 1 : 0;
	}
	return at;
}

/* A whole line, apart from a comment behind the row. */
static bool has_own_line(const struct shape *sh, struct span row)
{
	uint32_t at = line_begin(sh, row.start);

	if (skip_blanks(sh, at) != row.start || memchr(sh->text + row.start, '\n', row.end - row.start))
		return false;
	at = skip_blanks(sh, row.end);
	if (at < sh->len && sh->text[at] == ',')
		at = skip_blanks(sh, at + 1);
	return is_line_end(sh, at) || sh->text[at] == '#';
}

static bool is_one_of(const struct shape *sh, uint32_t at, const char *bytes)
{
	return at < sh->len && memchr(bytes, sh->text[at], strlen(bytes));
}

/* A row with a line of its own becomes a comment, or goes with the line where that is asked for. */
static void line_out(struct verb_call *c, struct span row)
{
	const struct shape *sh = c->shape;
	uint32_t end = row.end;

	if (!(c->rules->requests & REQUEST_DELETE_ROWS)) {
		verb_edit(c, row.start, row.start, "# ");
		return;
	}
	while (!is_line_end(sh, end))
		end++;
	end += end < sh->len && sh->text[end] == '\r';
	end += end < sh->len && sh->text[end] == '\n';
	verb_edit(c, line_begin(sh, row.start), end, "");
}

/* The string that ends at the comma goes too, and takes the comma with it. */
static bool comma_goes(const struct source *s, uint32_t comma)
{
	size_t i;

	for (i = 0; i < s->nr_facts; i++)
		if (s->facts[i].kind == FACT_REQUIRE && s->facts[i].has_rule &&
		    s->facts[i].span.end == comma)
			return true;
	return false;
}

static bool is_word(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

#define BRACKETS 16

/* The round bracket of the call that `at` stands in at once, in a statement; UINT32_MAX: none. */
static uint32_t call_bracket(const struct shape *sh, const struct shape_stmt *st, uint32_t at)
{
	uint32_t open[BRACKETS], i = st->span.start;
	int nr = 0;

	for (; i < at; i = place_next(sh, i)) {
		if (is_one_of(sh, i, ")]}") && nr)
			nr--;
		if (is_one_of(sh, i, "([{") && nr == BRACKETS)
			return UINT32_MAX;
		if (is_one_of(sh, i, "([{"))
			open[nr++] = i;
	}
	i = nr ? open[nr - 1] : 0;
	return nr && i > st->span.start && sh->text[i] == '(' && is_word(sh->text[i - 1]) ?
		       i : UINT32_MAX;
}

/* Nothing else stands in the block of the statement. */
static bool is_alone(const struct shape *sh, const struct shape_stmt *st)
{
	const struct shape_stmt *next;
	uint32_t before = last_word(sh, st->span.start);

	if (before == st->span.start || sh->text[before] != ':')
		return false;
	for (next = st + 1; next < sh->stmts + sh->nr_stmts; next++)
		if (next->span.start >= st->span.end)
			return next->indent < st->indent;
	return true;
}

/* What adds the row to a list is all of a statement, `rows.append("x")`: the statement goes. */
static int addition_out(struct verb_call *c, const struct shape_stmt *st, uint32_t bracket,
			uint32_t after)
{
	static const char *const adders[] = { ".append", ".add", ".insert", NULL };
	const struct shape *sh = c->shape;
	const char *const *word;
	size_t n;

	for (word = adders; *word; word++) {
		n = strlen(*word);
		if (bracket - st->span.start > n && !memcmp(sh->text + bracket - n, *word, n))
			break;
	}
	if (!*word || sh->text[after] != ')' || after + 1 != st->span.end || !st->first_on_line ||
	    !st->last_on_line || memchr(sh->text + st->span.start, '\n', after - st->span.start))
		return verb_refuse(c, "the row is an argument of a call");
	if (!is_alone(sh, st))
		line_out(c, st->span);
	else if (c->rules->requests & REQUEST_DELETE_ROWS)
		verb_edit(c, st->span.start, st->span.end, "pass");
	else
		verb_edit(c, st->span.start, st->span.start, "pass  # ");
	return 0;
}

/* A string among others, between brackets and commas. */
static int element_out(struct verb_call *c, struct span row)
{
	const struct shape *sh = c->shape;
	const struct shape_stmt *st = place_innermost(sh, row.start);
	uint32_t before = last_word(sh, row.start), after = next_word(sh, row.end), call;

	if (before == row.start || !is_one_of(sh, before, "[(,") || !is_one_of(sh, after, "]),"))
		return verb_refuse(c, "the row is part of something that is computed");
	call = st && c->source->lang == LANG_PYTHON ? call_bracket(sh, st, row.start) : UINT32_MAX;
	if (call != UINT32_MAX)
		return addition_out(c, st, call, after);
	if (has_own_line(sh, row)) {
		line_out(c, row);
		return 0;
	}
	if (sh->text[after] == ',' && memchr(sh->text + row.end, '\n', after - row.end))
		return verb_refuse(c, "the row shares its line with others");
	if (sh->text[after] == ',')
		verb_edit(c, row.start, skip_blanks(sh, after + 1), "");
	else if (sh->text[before] == ',' && sh->text[after] == ']' &&
		 line_begin(sh, row.start) <= before && !comma_goes(c->source, before))
		verb_edit(c, before, row.end, "");
	else
		verb_edit(c, row.start, row.end, "");
	return 0;
}

/* A row of several lines, joined by backslashes: each of them becomes a comment. */
static int joined_out(struct verb_call *c, struct span row)
{
	const struct shape *sh = c->shape;
	uint32_t at = row.start;

	if (skip_blanks(sh, line_begin(sh, at)) != at)
		return verb_refuse(c, "the row shares its line with others");
	if (c->rules->requests & REQUEST_DELETE_ROWS) {
		line_out(c, row);
		return 0;
	}
	while (at < row.end) {
		verb_edit(c, skip_blanks(sh, at), skip_blanks(sh, at), "# ");
		while (!is_line_end(sh, at))
			at++;
		at += at < sh->len && sh->text[at] == '\r';
		at += at < sh->len && sh->text[at] == '\n';
	}
	return 0;
}

int verb_comment_row(struct verb_call *c)
{
	const struct shape *sh = c->shape;
	const struct fact *f = c->fact;
	struct span row = f->span;

	if (f->kind != FACT_REQUIRE)
		return verb_refuse(c, "this is no dependency row");
	if (row.end > sh->len || f->stmt.end > sh->len)
		return verb_refuse(c, "the row does not lie in the text");
	if (is_one_of(sh, row.start, "\"'") && is_one_of(sh, last_word(sh, row.start), "[(,"))
		return element_out(c, row);
	row = f->stmt;
	if (c->source->lang == LANG_REQUIREMENTS && memchr(sh->text + row.start, '\n', row.end - row.start))
		return joined_out(c, row);
	if (c->source->lang == LANG_PYTHON || !has_own_line(sh, row))
		return verb_refuse(c, "the row shares its line with others");
	line_out(c, row);
	return 0;
}
