/*
 * verb_whole_statement.c - end a C++ macro's statement where the macro ends it.
 *
 * A macro whose text ends in a stop of its own is a whole statement: neither an else nor "<<" can
 * follow. Before an else it gets braces. What a comparison is streamed into becomes arguments of the
 * check that the rule names; its operands are compared with the operator that the end of the
 * macro's name says. Where nothing goes on there is nothing to do.
 */
#include <ctype.h>
#include <string.h>

#include "rule/verb_cxx.h"

static uint32_t skip_space(const char *text, size_t len, uint32_t at)
{
	while (at < len && (isspace((unsigned char)text[at]) || text[at] == '\\'))
		at++;
	return at;
}

/* "==" for "..._EQ"; NULL: the name says no comparison. */
static const char *compared_by(const char *name)
{
	static const char *const ends[] = { "_EQ", "==", "_NE", "!=", "_LE", "<=", "_LT", "<",
					    "_GE", ">=", "_GT", ">",  NULL };
	const char *const *end;
	size_t n = strlen(name);

	for (end = ends; *end; end += 2)
		if (n > 3 && !strcmp(name + n - 3, end[0]))
			return end[1];
	return NULL;
}

/* An operand that binds more strongly than a comparison, by its bytes outside brackets. */
static bool is_tight(const char *text, size_t len, struct span s)
{
	uint32_t at = s.start;

	while (at < s.end) {
		if (strchr("([{", text[at])) {
			at = cxx_matching(text, len, at);
			if (!at)
				return false;
		} else if (text[at] == '-' && text[at + 1] == '>') {
			at += 2;
		} else if (strchr("<>=!&|^?,\"'", text[at])) {
			return false;
		} else {
			at++;
		}
	}
	return true;
}

static void operand_wrap(struct verb_call *c, struct span s)
{
	if (is_tight(c->shape->text, c->shape->len, s))
		return;
	verb_edit(c, s.start, s.start, "(");
	verb_edit(c, s.end, s.end, ")");
}

/* Each "<<" behind the call's bracket becomes a comma, and the bracket goes to the statement's end. */
static int streamed_pass(struct verb_call *c, uint32_t bracket)
{
	const char *text = c->shape->text;
	size_t len = c->shape->len;
	uint32_t last = bracket, at;

	for (at = bracket + 1; at < len && text[at] != ';'; at++) {
		if (text[at] == '"' || text[at] == '\'') {
			const char *end = text + at + 1;

			while (*end && *end != text[at] && *end != '\n')
				end += *end == '\\' && end[1] ? 2 : 1;
			at = (uint32_t)(end - text);
		} else if (strchr("([{", text[at])) {
			at = cxx_matching(text, len, at) - 1;
		} else if (text[at] == '<' && text[at + 1] == '<') {
			verb_edit(c, last, skip_space(text, len, at + 2), ", ");
			at = skip_space(text, len, at + 2) - 1;
		} else if (strchr("?/", text[at])) {
			return verb_refuse(c, "what is streamed is not plain");
		}
		if (at >= len)
			break;
		if (!isspace((unsigned char)text[at]))
			last = at + 1;
	}
	if (at >= len)
		return verb_refuse(c, "the statement does not end");
	verb_edit(c, last, last, ")");
	return 0;
}

static int streamed_write(struct verb_call *c)
{
	const struct fact *f = c->fact;
	const char *op = compared_by(f->name);

	if (!op || f->nr_args != 2)
		return verb_refuse(c, "what is streamed into is no comparison of two values");
	verb_edit(c, f->span.start, f->span.end, c->step->text);
	operand_wrap(c, cxx_arg_span(&f->args[0]));
	verb_edit(c, cxx_arg_span(&f->args[0]).end, cxx_arg_span(&f->args[1]).start,
		  arena_fmt(c->arena, " %s ", op));
	operand_wrap(c, cxx_arg_span(&f->args[1]));
	return streamed_pass(c, f->stmt.end - 1);
}

int verb_whole_statement(struct verb_call *c)
{
	const char *text = c->shape->text;
	const struct fact *f = c->fact;
	size_t len = c->shape->len;
	uint32_t at;

	if (!(f->flags & F_GOES_ON))
		return 0;
	if (f->stmt.end > len || !(f->flags & F_CALL))
		return verb_refuse(c, "it is not called here");
	at = skip_space(text, len, f->stmt.end);
	if (at < len && text[at] == '<')
		return streamed_write(c);
	if (at >= len || text[at] != ';')
		return verb_refuse(c, "something stands between the call and its stop");
	verb_edit(c, f->stmt.start, f->stmt.start, "{ ");
	verb_edit(c, at + 1, at + 1, " }");
	return 0;
}
