/*
 * text.c - the text around a name: scopes and object before it, arguments behind it.
 *
 * By brackets alone, so that it works in macro bodies, in branches that no parse saw and where
 * the parse failed. What does not close within TEXT_MAX bytes is no call.
 */
#include <string.h>

#include "cxx/parse.h"

#define TEXT_MAX     65536
#define TEMPLATE_MAX 512
#define DEPTH_MAX    200

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || (unsigned char)c >= 0x80;
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

struct span text_word(const char *text, size_t len, size_t at)
{
	size_t end = at;

	while (end < len && is_word(text[end]))
		end++;
	return (struct span){(uint32_t)at, (uint32_t)end};
}

/* Past white space, joined lines and comments. */
static size_t skip_space(const char *text, size_t len, size_t at)
{
	const char *end;

	for (;;) {
		if (at < len && is_space(text[at])) {
			at++;
		} else if (at + 1 < len && text[at] == '\\' && is_space(text[at + 1])) {
			at += 2;
		} else if (at + 1 < len && text[at] == '/' && text[at + 1] == '*') {
			end = memmem(text + at + 2, len - at - 2, "*/", 2);
			at = end ? (size_t)(end - text) + 2 : len;
		} else if (at + 1 < len && text[at] == '/' && text[at + 1] == '/') {
			end = memchr(text + at, '\n', len - at);
			at = end ? (size_t)(end - text) : len;
		} else {
			return at;
		}
	}
}

bool text_goes_on(const char *text, size_t len, size_t at)
{
	at = skip_space(text, len, at);
	if (at + 1 < len && text[at] == '<' && text[at + 1] == '<')
		return true;
	if (at >= len || text[at] != ';')
		return false;
	at = skip_space(text, len, at + 1);
	return at + 4 <= len && !memcmp(text + at, "else", 4) && (at + 4 == len || !is_word(text[at + 4]));
}

/* Back over white space. */
static size_t back_space(const char *text, size_t at)
{
	while (at && is_space(text[at - 1]))
		at--;
	return at;
}

static size_t back_word(const char *text, size_t at)
{
	while (at && is_word(text[at - 1]))
		at--;
	return at;
}

struct span text_scoped(const char *text, struct span word)
{
	size_t at = word.start;

	while (at >= 2 && text[at - 1] == ':' && text[at - 2] == ':') {
		size_t start = back_word(text, at - 2);

		/* "x<T>::word" and "::word": the name begins at the word. */
		if (start == at - 2)
			break;
		at = start;
	}
	return (struct span){(uint32_t)at, word.end};
}

/* From behind a closing bracket to before the opening one; SIZE_MAX: there is none near. */
static size_t back_bracket(const char *text, size_t at)
{
	size_t depth = 0, low = at > TEXT_MAX ? at - TEXT_MAX : 0;

	while (at > low) {
		char c = text[--at];

		if (c == ')' || c == ']' || c == '}')
			depth++;
		else if (c == '(' || c == '[' || c == '{')
			depth--;
		else if (c == ';' || c == '"')
			return SIZE_MAX;
		if (!depth)
			return at;
	}
	return SIZE_MAX;
}

/* Back over template arguments in front of a bracket: "f<T>(". */
static size_t back_template(const char *text, size_t at)
{
	size_t low = at > TEMPLATE_MAX ? at - TEMPLATE_MAX : 0, depth = 0, from = at;

	if (!at || text[at - 1] != '>' || (at > 1 && text[at - 2] == '-'))
		return at;
	while (at > low) {
		char c = text[--at];

		if (c == '>')
			depth++;
		else if (c == '<' && !--depth)
			return at;
		else if (!is_word(c) && !strchr("<>:,* &", c))
			return from;
	}
	return from;
}

/* Back over one part of a postfix expression that ends at `at`: a word with brackets behind it. */
static size_t back_part(const char *text, size_t at)
{
	size_t start = at, next;

	while (start && (text[start - 1] == ')' || text[start - 1] == ']')) {
		next = back_bracket(text, start);
		if (next == SIZE_MAX)
			return at;
		start = next;
	}
	next = back_template(text, start);
	if (next != start && next && is_word(text[next - 1]))
		start = next;
	return back_word(text, start);
}

/* Back over the postfix expression that ends at `at`; empty where there is none. */
struct span text_postfix(const char *text, uint32_t at_end)
{
	size_t end = back_space(text, at_end), at = end, next;

	for (;;) {
		next = back_part(text, at);
		if (next == at)
			return at < end ? (struct span){(uint32_t)at, (uint32_t)end}
					: (struct span){at_end, at_end};
		at = next;
		next = back_space(text, at);
		if (next && text[next - 1] == '.')
			at = back_space(text, next - 1);
		else if (next > 1 && !memcmp(text + next - 2, "->", 2))
			at = back_space(text, next - 2);
		else if (next > 1 && !memcmp(text + next - 2, "::", 2) && is_word(text[at]))
			at = next - 2;
		else
			return (struct span){(uint32_t)at, (uint32_t)end};
	}
}

struct span text_object(const char *text, struct span word)
{
	size_t dot = back_space(text, word.start);

	if (dot && text[dot - 1] == '.')
		dot--;
	else if (dot > 1 && text[dot - 1] == '>' && text[dot - 2] == '-')
		dot -= 2;
	else
		return (struct span){word.start, word.start};
	return text_postfix(text, (uint32_t)dot);
}

/* Past a string, a character or a raw string from its quote. */
static size_t skip_quoted(const char *text, size_t len, size_t at)
{
	char quote = text[at], close[24];
	const char *end;
	size_t n = 0;

	if (quote == '"' && at && text[at - 1] == 'R') {
		while (at + 1 + n < len && n < 16 && text[at + 1 + n] != '(')
			n++;
		close[0] = ')';
		memcpy(close + 1, text + at + 1, n);
		close[n + 1] = '"';
		end = memmem(text + at, len - at, close, n + 2);
		return end ? (size_t)(end - text) + n + 2 : len;
	}
	/* A separator of digits. */
	if (quote == '\'' && at && is_word(text[at - 1]) && at + 1 < len && is_word(text[at + 1]) &&
	    (at + 2 >= len || text[at + 2] != '\''))
		return at + 1;
	for (at++; at < len && text[at] != quote && text[at] != '\n'; at++)
		if (text[at] == '\\')
			at++;
	return at < len ? at + 1 : len;
}

static bool all_word(const char *s, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!is_word(s[i]) && s[i] != ':' && s[i] != '&')
			return false;
	return n > 0;
}

/* What an argument is by its looks. */
static void argument_value(struct arena *a, struct arg *arg, const char *s, size_t n)
{
	arg->text = arena_strndup(a, s, n);
	if (n > 1 && *s == '"' && s[n - 1] == '"' && !memchr(s + 1, '"', n - 2)) {
		arg->value = VALUE_STRING;
		arg->text = arena_strndup(a, s + 1, n - 2);
	} else if (n && *s >= '0' && *s <= '9') {
		arg->value = VALUE_NUMBER;
	} else if (n && *s == '[') {
		arg->value = VALUE_LAMBDA;
	} else if (n && *s == '{') {
		arg->value = VALUE_LIST;
	} else if (n == 4 && !memcmp(s, "true", 4)) {
		arg->value = VALUE_BOOL;
		arg->text = "True";
	} else if (n == 5 && !memcmp(s, "false", 5)) {
		arg->value = VALUE_BOOL;
		arg->text = "False";
	} else if (all_word(s, n)) {
		arg->value = VALUE_NAME;
	}
}

struct arguments {
	VEC(struct arg) v;
};

static void argument_add(struct arguments *args, struct arena *a, const char *text, size_t from,
			 size_t to)
{
	struct arg *arg;

	from = skip_space(text, to, from);
	while (to > from && (is_space(text[to - 1]) || text[to - 1] == '\\'))
		to--;
	if (from == to)
		return;
	arg = VEC_PUSH(a, &args->v);
	arg->span = arg->valspan = (struct span){(uint32_t)from, (uint32_t)to};
	argument_value(a, arg, text + from, to - from);
}

/* Past template arguments from '<'; 0: they are none. */
static size_t skip_template(const char *text, size_t len, size_t at)
{
	size_t end = at + TEMPLATE_MAX < len ? at + TEMPLATE_MAX : len, depth = 0;

	for (; at < end; at++) {
		if (text[at] == '<')
			depth++;
		else if (text[at] == '>' && !--depth)
			return at + 1;
		else if (strchr(";{}=\"", text[at]))
			return 0;
	}
	return 0;
}

/* Is the '<' at `at` the start of template arguments of an argument list? Commas in it do not count. */
static size_t template_in(const char *text, size_t len, size_t at)
{
	size_t end;

	if (!at || !is_word(text[at - 1]))
		return 0;
	end = skip_template(text, len, at);
	if (!end)
		return 0;
	return end < len && (text[end] == '(' || text[end] == ':' || text[end] == '{' ||
			     text[end] == ',' || text[end] == ')')
		       ? end
		       : 0;
}

/*
 * The list behind an opening bracket at `at` up to `close`, which for a launch is ">>>". Returns
 * the offset behind it, 0 when it does not close.
 */
static size_t list_read(const char *text, size_t len, size_t at, const char *close, struct arena *a,
			struct arguments *args)
{
	size_t end = at + TEXT_MAX < len ? at + TEXT_MAX : len, from, depth = 0, n = strlen(close);

	for (from = at; at < end;) {
		char c = text[at];
		size_t next = skip_space(text, end, at);

		if (next != at) {
			at = next;
		} else if (!depth && end - at >= n && !memcmp(text + at, close, n)) {
			argument_add(args, a, text, from, at);
			return at + n;
		} else if (c == '"' || c == '\'') {
			at = skip_quoted(text, end, at);
		} else if (c == '<' && !depth && (next = template_in(text, end, at))) {
			at = next;
		} else if (c == ',' && !depth) {
			argument_add(args, a, text, from, at++);
			from = at;
		} else {
			if (c == '(' || c == '[' || c == '{')
				depth++;
			else if (c == ')' || c == ']' || c == '}')
				depth--;
			if (depth > DEPTH_MAX)
				return 0;
			at++;
		}
	}
	return 0;
}

size_t text_arguments(const char *text, size_t len, size_t at, struct arena *a, struct fact *f)
{
	struct arguments args = {0};

	at = skip_space(text, len, at);
	if (at < len && text[at] == '<')
		at = skip_template(text, len, at);
	if (!at)
		return 0;
	at = skip_space(text, len, at);
	if (at >= len || (text[at] != '(' && text[at] != '{'))
		return 0;
	at = list_read(text, len, at + 1, text[at] == '(' ? ")" : "}", a, &args);
	if (!at)
		return 0;
	f->args = args.v.v;
	f->nr_args = args.v.nr;
	return at;
}

size_t text_launch(const char *text, size_t len, size_t at, struct arena *a, struct fact *f)
{
	struct arguments args = {0};
	struct fact call = {0};
	size_t end;

	at = list_read(text, len, at, ">>>", a, &args);
	if (!at)
		return 0;
	f->args = args.v.v;
	f->nr_args = args.v.nr;
	end = text_arguments(text, len, at, a, &call);
	return end ? end : at;
}
