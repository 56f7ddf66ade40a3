/*
 * verb_cxx_write.c - write a C++ call in another way.
 *
 * The value is a text with captures: $1 to $9 are the arguments, $args all of them, $object is what
 * stands before the dot, $callee everything before the parenthesis. Captures stay where they are
 * and only the bytes between them change, so that a call inside an argument can be edited too. A
 * capture that comes a second time is written out again, and must then be plain: evaluating it
 * twice must be the same as once.
 */
#include <ctype.h>
#include <string.h>

#include "base/strbuf.h"
#include "rule/verb_cxx.h"

static bool is_word(char ch)
{
	return isalnum((unsigned char)ch) || ch == '_';
}

uint32_t cxx_line_start(const char *text, uint32_t at)
{
	while (at && text[at - 1] != '\n')
		at--;
	return at;
}

uint32_t cxx_line_end(const char *text, size_t len, uint32_t at)
{
	while (at < len && text[at] != '\n')
		at++;
	return at + (at < len);
}

/* Behind a comment or quoted text at `at`, or `at`. */
static uint32_t skip_text(const char *text, size_t len, uint32_t at)
{
	const char *end;
	char quote = text[at];

	if (quote == '/' && text[at + 1] == '/')
		return cxx_line_end(text, len, at);
	if (quote == '/' && text[at + 1] == '*') {
		end = strstr(text + at + 2, "*/");
		return end ? (uint32_t)(end - text) + 2 : (uint32_t)len;
	}
	if (quote != '"' && (quote != '\'' || (at && isalnum((unsigned char)text[at - 1]))))
		return at;
	for (at++; at < len && text[at] != quote && text[at] != '\n'; at++)
		at += text[at] == '\\';
	return at < len ? at + 1 : (uint32_t)len;
}

uint32_t cxx_matching(const char *text, size_t len, uint32_t at)
{
	uint32_t depth = 0, next;

	while (at < len) {
		next = skip_text(text, len, at);
		if (next != at) {
			at = next;
			continue;
		}
		if (strchr("([{", text[at]) && text[at])
			depth++;
		else if (strchr(")]}", text[at]) && text[at] && !--depth)
			return at + 1;
		at++;
	}
	return 0;
}

int cxx_token(struct verb_call *c, struct span *out)
{
	const char *text = c->shape->text;
	struct span s = c->fact->span;

	if (s.start >= s.end || s.end > c->shape->len || !is_word(text[s.end - 1]))
		return verb_refuse(c, "the name is not written out here");
	out->start = out->end = s.end;
	while (out->start > s.start && is_word(text[out->start - 1]))
		out->start--;
	return 0;
}

struct span cxx_arg_span(const struct arg *arg)
{
	return arg->valspan.end > arg->valspan.start ? arg->valspan : arg->span;
}

static uint32_t back_over_space(const char *text, uint32_t at)
{
	while (at && isspace((unsigned char)text[at - 1]))
		at--;
	return at;
}

/* The end of what stands before ".name" or "->name", 0: no member. */
static uint32_t object_end(const char *text, uint32_t at)
{
	at = back_over_space(text, at);
	if (at >= 8 && !memcmp(text + at - 8, "template", 8))
		at = back_over_space(text, at - 8);
	if (at && text[at - 1] == '.')
		return back_over_space(text, at - 1);
	if (at >= 2 && text[at - 2] == '-' && text[at - 1] == '>')
		return back_over_space(text, at - 2);
	return 0;
}

/* Offset of the parenthesis that opens the arguments behind a name, 0: none. */
static uint32_t paren_find(const char *text, uint32_t at, uint32_t end)
{
	int depth = 0;

	for (; at < end; at++) {
		if (text[at] == '(' && !depth)
			return at;
		if (text[at] == '<')
			depth++;
		else if (text[at] == '>')
			depth--;
		else if (!depth && !isspace((unsigned char)text[at]))
			return 0;
	}
	return 0;
}

int cxx_call_read(struct verb_call *c, struct cxx_call *out)
{
	const struct fact *f = c->fact;
	const char *text = c->shape->text;
	uint32_t open, end;

	memset(out, 0, sizeof(*out));
	if (!(f->flags & F_CALL) || f->stmt.end > c->shape->len || f->stmt.end <= f->stmt.start)
		return verb_refuse(c, "it is not called here");
	if (cxx_token(c, &out->token))
		return -1;
	open = paren_find(text, out->token.end, f->stmt.end);
	if (!open || out->token.start < f->stmt.start || text[f->stmt.end - 1] != ')')
		return verb_refuse(c, "the call is not written out here");
	out->callee = (struct span){f->stmt.start, open};
	out->args = (struct span){open + 1, open + 1};
	if (f->nr_args) {
		out->args.start = cxx_arg_span(&f->args[0]).start;
		out->args.end = cxx_arg_span(&f->args[f->nr_args - 1]).end;
	}
	end = object_end(text, out->token.start);
	if (end > f->stmt.start)
		out->object = (struct span){f->stmt.start, end};
	if (out->args.start <= open || out->args.end >= f->stmt.end)
		return verb_refuse(c, "the arguments are not written out here");
	return 0;
}

/* ---- the template ---------------------------------------------------------------------------- */

struct writer {
	struct verb_call *c;
	struct cxx_call call;
	struct strbuf literal; /* what goes between the last capture and the next */
	uint32_t at;	       /* behind the last capture */
};

/* Names, members, subscripts and numbers: nothing that is done. */
static bool is_plain(const char *s)
{
	for (; *s; s++)
		if (!is_word(*s) && !strchr(".:[] ", *s))
			return false;
	return true;
}

/* Behind the character at `at`, or behind the white space that it begins. */
static size_t piece_end(const char *text, size_t at, size_t end)
{
	bool blank = isspace((unsigned char)text[at]);

	for (at++; blank && at < end && isspace((unsigned char)text[at]);)
		at++;
	return at;
}

/* White space is as good as other white space. */
static bool same_piece(char old, char new)
{
	return old == new || (isspace((unsigned char)old) && isspace((unsigned char)new));
}

/* Write the literal instead of the bytes up to `upto`, without what is the same at both ends. */
static void literal_flush(struct writer *w, uint32_t upto)
{
	const char *old = w->c->shape->text, *new = w->literal.buf;
	uint32_t start = w->at, end = upto;
	size_t a = 0, n = w->literal.len;

	while (start < end && a < n && same_piece(old[start], new[a])) {
		start = (uint32_t)piece_end(old, start, end);
		a = piece_end(new, a, n);
	}
	while (start < end && a < n && old[end - 1] == new[n - 1]) {
		end--;
		n--;
	}
	if (start < end || a < n)
		verb_edit(w->c, start, end, arena_strndup(w->c->arena, new + a, n - a));
	strbuf_reset(&w->literal);
}

/* The capture at `s` (behind the '$'): its span and length; -1 with a reason. */
static int capture_read(struct writer *w, const char *s, size_t *len, struct span *out)
{
	const struct fact *f = w->c->fact;
	size_t n = 0;

	while (isalnum((unsigned char)s[n]))
		n++;
	*len = n;
	if (n == 1 && s[0] >= '1' && s[0] <= '9') {
		if ((size_t)(s[0] - '1') >= f->nr_args)
			return verb_refuse(w->c, "the call has no argument %c", s[0]);
		*out = cxx_arg_span(&f->args[s[0] - '1']);
	} else if (n == 4 && !memcmp(s, "args", n)) {
		*out = w->call.args;
	} else if (n == 6 && !memcmp(s, "object", n)) {
		*out = w->call.object;
		if (out->start == out->end)
			return verb_refuse(w->c, "nothing is written before the name");
	} else if (n == 6 && !memcmp(s, "callee", n)) {
		*out = w->call.callee;
	} else {
		return verb_refuse(w->c, "the rule's text has an unknown capture");
	}
	return 0;
}

static int capture_put(struct writer *w, struct span span)
{
	const char *text = verb_text(w->c, span);

	if (text && span.start >= w->at) {
		literal_flush(w, span.start);
		w->at = span.end;
		return 0;
	}
	if (!text || !is_plain(text))
		return verb_refuse(w->c, "'%s' would be evaluated twice", text ? text : "");
	strbuf_addstr(&w->literal, text);
	return 0;
}

static int template_write(struct writer *w, const char *s)
{
	struct span span = {0};
	size_t n;

	for (; *s; s += n) {
		n = strcspn(s, "$");
		strbuf_add(&w->literal, s, n);
		s += n;
		if (!*s)
			break;
		s++;
		if (capture_read(w, s, &n, &span) || capture_put(w, span))
			return -1;
	}
	literal_flush(w, w->c->fact->stmt.end);
	return 0;
}

int verb_cxx_write(struct verb_call *c)
{
	struct writer w = {.c = c, .literal = STRBUF_INIT};
	const char *value = place_block(c, c->step->text);
	int ret = cxx_call_read(c, &w.call);

	w.at = c->fact->stmt.start;
	if (!ret)
		ret = template_write(&w, value);
	strbuf_release(&w.literal);
	return ret;
}

int verb_cxx_token(struct verb_call *c)
{
	const char *const *pair = c->step->list;
	struct span token;

	if (cxx_token(c, &token))
		return -1;
	for (; pair && *pair && strcmp(*pair, verb_text(c, token));)
		pair += 2;
	if (pair && !*pair)
		return verb_refuse(c, "there is no form for '%s'", verb_text(c, token));
	verb_edit(c, token.start, token.end, pair ? pair[1] : place_block(c, c->step->text));
	return 0;
}
