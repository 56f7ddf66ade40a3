/*
 * lex.c - includes and framework words of C, C++ and CUDA, without a parser.
 *
 * In: the bytes of one file and the vocabulary's prefixes. Out: FACT_INCLUDE and FACT_TOKEN. One
 * pass over the bytes. Comments, strings, characters and raw strings are skipped; conditionals are
 * not evaluated, so all branches are read. A backslash before a line end joins lines wherever it
 * stands. A line end is "\n",
 * "\r\n" or a lone "\r".
 *
 * A chain is what stands between other tokens as a::b::c: white space may follow "::", not precede
 * it, so that `return ::a::b` is the chain a::b. Only its first name is compared with the prefixes.
 */
#include "cxx/cxx.h"

#include <string.h>

#include "base/lines.h"
#include "base/strbuf.h"

#define FACT_LIMIT 50000

/* What a byte can begin. B_NAME and B_DIGIT are also what a name goes on with. */
enum byte_class {
	B_OTHER,
	B_NAME,
	B_DIGIT,
	B_QUOTE,
	B_SLASH,
	B_HASH,
	B_LINE,
	B_COLON,
	B_SPLICE,
	B_OPEN,
	B_LESS,
	B_SPACE
};

/* A condition that asks for headers, in the branch at hand. */
struct asked {
	struct span line; /* empty: it asks for none */
	bool negated;	  /* "! __has_include" */
	bool live;	  /* what is asked for is there in this branch */
};

#define ASKED_MAX 32

struct lexer {
	struct source *s;
	const char *text;
	size_t len, at;
	const struct vocab *vocab;
	struct arena *arena;
	struct intern *intern;
	VEC(struct fact) facts;
	struct strbuf name;
	size_t defined;		     /* where the name stands that a #define defines */
	size_t define_end, test_end; /* where the #define or the condition at hand ends */
	bool cut; /* the file ends inside a comment or raw string, or has too many facts */
	struct asked asked[ASKED_MAX];
	size_t depth; /* of conditions; those deeper than ASKED_MAX are not looked at */
	unsigned char class[256];
	bool first[256]; /* bytes that begin a prefix */
};

static void lexer_classes(struct lexer *lx)
{
	const char *const *p;
	int c;

	for (c = 'a'; c <= 'z'; c++)
		lx->class[c] = lx->class[c - 'a' + 'A'] = B_NAME;
	for (c = 0x80; c <= 0xff; c++)
		lx->class[c] = B_NAME;
	for (c = '0'; c <= '9'; c++)
		lx->class[c] = B_DIGIT;
	lx->class['_'] = lx->class['$'] = B_NAME;
	lx->class['"'] = lx->class['\''] = B_QUOTE;
	lx->class['/'] = B_SLASH;
	lx->class['#'] = B_HASH;
	lx->class['\n'] = lx->class['\r'] = B_LINE;
	lx->class[':'] = B_COLON;
	lx->class['\\'] = B_SPLICE;
	lx->class['('] = B_OPEN;
	lx->class['<'] = B_LESS;
	lx->class[' '] = lx->class['\t'] = lx->class['\v'] = lx->class['\f'] = B_SPACE;
	for (p = lx->vocab->cxx_tokens; p && *p; p++)
		lx->first[(unsigned char)**p] = true;
}

static enum byte_class class_at(const struct lexer *lx, size_t at)
{
	return at < lx->len ? lx->class[(unsigned char)lx->text[at]] : B_OTHER;
}

static bool name_at(const struct lexer *lx, size_t at)
{
	enum byte_class c = class_at(lx, at);

	return c == B_NAME || c == B_DIGIT;
}

/* Length of the line end at `at`, 0 where there is none. */
static size_t line_end(const struct lexer *lx, size_t at)
{
	if (at >= lx->len)
		return 0;
	if (lx->text[at] == '\n')
		return 1;
	if (lx->text[at] != '\r')
		return 0;
	return at + 1 < lx->len && lx->text[at + 1] == '\n' ? 2 : 1;
}

/* Length of the backslash and line end at `at`, 0 where there is none. */
static size_t splice(const struct lexer *lx, size_t at)
{
	size_t n;

	if (at >= lx->len || lx->text[at] != '\\')
		return 0;
	n = line_end(lx, at + 1);
	return n ? n + 1 : 0;
}

/* Past white space; line ends too when `lines`. */
static size_t skip_space(const struct lexer *lx, size_t at, bool lines)
{
	for (;;) {
		enum byte_class c = class_at(lx, at);
		size_t n = splice(lx, at);

		if (n)
			at += n;
		else if (c == B_SPACE || (lines && c == B_LINE))
			at++;
		else
			return at;
	}
}

/* Past a line comment, up to its line end. */
static size_t skip_line(const struct lexer *lx, size_t at)
{
	while (at < lx->len) {
		size_t n = splice(lx, at);

		if (n)
			at += n;
		else if (lx->class[(unsigned char)lx->text[at]] == B_LINE)
			return at;
		else
			at++;
	}
	return at;
}

static size_t skip_block(struct lexer *lx, size_t at)
{
	const char *end = memmem(lx->text + at, lx->len - at, "*/", 2);

	if (end)
		return (size_t)(end - lx->text) + 2;
	lx->cut = true;
	return lx->len;
}

/*
 * Past a string or character from its opening quote. An unfinished one ends with its line:
 * apostrophes in #error lines and in text under `#if 0` must not swallow what follows.
 */
static size_t skip_string(const struct lexer *lx, size_t at)
{
	char quote = lx->text[at++];

	while (at < lx->len) {
		size_t n = splice(lx, at);
		char c = lx->text[at];

		if (n)
			at += n;
		else if (c == quote)
			return at + 1;
		else if (c == '\n' || c == '\r')
			return at;
		else
			at += c == '\\' && at + 1 < lx->len ? 2 : 1;
	}
	return at;
}

/* Past a raw string from its quote; the text after a prefix that only looks like one is a plain
 * string. */
static size_t skip_raw(struct lexer *lx, size_t at)
{
	char close[20];
	size_t n = 0;
	const char *end;

	while (at + 1 + n < lx->len && n <= 16 &&
	       !memchr("() \\\t\v\f\r\n\"", lx->text[at + 1 + n], 10))
		n++;
	if (n > 16 || at + 1 + n >= lx->len || lx->text[at + 1 + n] != '(')
		return skip_string(lx, at);
	close[0] = ')';
	memcpy(close + 1, lx->text + at + 1, n);
	close[n + 1] = '"';
	end = memmem(lx->text + at + n + 2, lx->len - at - n - 2, close, n + 2);
	if (end)
		return (size_t)(end - lx->text) + n + 2;
	lx->cut = true;
	return lx->len;
}

static bool raw_prefix(const char *s, size_t n)
{
	return s[n - 1] == 'R' &&
	       (n == 1 || (n == 2 && memchr("uUL", s[0], 3)) || (n == 3 && !memcmp(s, "u8", 2)));
}

/* Past a number: digits, separators, suffixes, signed exponents. */
static size_t skip_number(const struct lexer *lx, size_t at)
{
	for (at++; at < lx->len; at++) {
		char c = lx->text[at];

		if (name_at(lx, at) || c == '.')
			continue;
		if (c == '\'' && name_at(lx, at + 1))
			continue;
		if ((c == '+' || c == '-') && memchr("eEpP", lx->text[at - 1], 4))
			continue;
		return at;
	}
	return at;
}

static void lexer_fact(struct lexer *lx, enum fact_kind kind, const char *name, struct span span,
		       struct span stmt, uint32_t flags)
{
	struct fact *f;

	if (lx->facts.nr == FACT_LIMIT) {
		lx->cut = true;
		return;
	}
	f = VEC_PUSH(lx->arena, &lx->facts);
	f->kind = kind;
	f->name = name;
	f->symbol = "";
	f->span = span;
	f->stmt = stmt;
	f->flags = flags;
	f->guard = f->def = -1;
}

/* Past the name at `at`; spliced names are joined in lx->name, from where the caller takes the
 * text. */
static size_t scan_name(struct lexer *lx, size_t at)
{
	size_t start = at, n;

	for (;;) {
		while (name_at(lx, at))
			at++;
		strbuf_add(&lx->name, lx->text + start, at - start);
		for (n = 0; splice(lx, at + n);)
			n += splice(lx, at + n);
		if (!n || !name_at(lx, at + n))
			return at;
		start = at += n;
	}
}

/* True when the chain that begins with `name` (of `first` bytes; `more`: "::" follows) is a
 * framework's. */
static bool chain_wanted(const struct lexer *lx, const char *name, size_t first, bool more)
{
	const char *const *p;

	for (p = lx->vocab->cxx_tokens; p && *p; p++) {
		size_t n = strlen(*p);

		if (n > 2 && (*p)[n - 1] == ':') {
			if (more && first == n - 2 && !memcmp(name, *p, first))
				return true;
		} else if (n && first >= n && !memcmp(name, *p, n)) {
			return true;
		}
	}
	return false;
}

/* True when the name at `at` is a member or belongs to a type before it: x.name, x->name,
 * X<T>::name. */
static bool name_qualified(const struct lexer *lx, size_t at)
{
	const char *t = lx->text;

	if (at >= 1 && t[at - 1] == '.')
		return at < 3 || t[at - 2] != '.' || t[at - 3] != '.';
	if (at >= 2 && t[at - 2] == '-' && t[at - 1] == '>')
		return true;
	return at >= 3 && t[at - 1] == ':' && t[at - 2] == ':' && t[at - 3] == '>';
}

/* A name with all that "::" hangs on it, in code. */
static void lex_chain(struct lexer *lx)
{
	size_t start = lx->at, end, next, first = 0;
	bool wanted;

	strbuf_reset(&lx->name);
	end = scan_name(lx, start);
	first = lx->name.len;
	while (end + 1 < lx->len && lx->text[end] == ':' && lx->text[end + 1] == ':') {
		next = skip_space(lx, end + 2, true);
		if (class_at(lx, next) != B_NAME)
			break;
		strbuf_addstr(&lx->name, "::");
		end = scan_name(lx, next);
	}
	wanted = lx->first[(unsigned char)lx->text[start]] && !name_qualified(lx, start) &&
		 chain_wanted(lx, lx->name.buf, first, lx->name.len > first);
	if (wanted) {
		struct span span = {(uint32_t)start, (uint32_t)end};
		uint32_t flags = start < lx->define_end ? F_MACRO_BODY : 0;

		if (class_at(lx, skip_space(lx, end, true)) == B_OPEN)
			flags |= F_CALL;
		if (start < lx->test_end)
			flags |= F_CONDITION;
		if (start == lx->defined)
			flags |= F_STORE;
		lexer_fact(lx, FACT_TOKEN, intern(lx->intern, lx->name.buf, lx->name.len), span,
			   span, flags);
		lx->s->mentions = true;
	}
	lx->at = end;
}

/* True when nothing of a chain is wanted of the name [start, end), so that it can be stepped over.
 */
static bool name_plain(const struct lexer *lx, size_t start, size_t end)
{
	return !lx->first[(unsigned char)lx->text[start]] &&
	       (end >= lx->len || (lx->text[end] != ':' && lx->text[end] != '\\'));
}

static void lex_name(struct lexer *lx)
{
	size_t end = lx->at;

	while (name_at(lx, end))
		end++;
	if (end < lx->len && lx->text[end] == '"' && raw_prefix(lx->text + lx->at, end - lx->at))
		lx->at = skip_raw(lx, end);
	else if (name_plain(lx, lx->at, end))
		lx->at = end;
	else
		lex_chain(lx);
}

/* A condition around asks whether the header is there; `written` with its brackets or quotes. */
static bool include_is_asked(const struct lexer *lx, struct span written)
{
	size_t i, n = written.end - written.start;

	for (i = 0; i < lx->depth && i < ASKED_MAX; i++) {
		const struct asked *a = &lx->asked[i];

		if (a->live && memmem(lx->text + a->line.start, a->line.end - a->line.start,
				      lx->text + written.start, n))
			return true;
	}
	return false;
}

/* The header of an include line; a macro in its place says nothing. */
static void lex_include(struct lexer *lx, size_t hash, size_t at)
{
	const char *const *p;
	struct span span, stmt;
	const char *name;
	char close;
	size_t end;

	at = skip_space(lx, at, false);
	while (at + 1 < lx->len && lx->text[at] == '/' && lx->text[at + 1] == '*')
		at = skip_space(lx, skip_block(lx, at + 2), false);
	if (at >= lx->len || (lx->text[at] != '<' && lx->text[at] != '"'))
		return;
	close = lx->text[at] == '<' ? '>' : '"';
	for (end = at + 1; end < lx->len && lx->text[end] != close && !line_end(lx, end); end++)
		;
	if (end >= lx->len || lx->text[end] != close || end == at + 1)
		return;
	span = (struct span){(uint32_t)at + 1, (uint32_t)end};
	stmt = (struct span){(uint32_t)hash, (uint32_t)end + 1};
	name = intern(lx->intern, lx->text + span.start, span.end - span.start);
	lexer_fact(lx, FACT_INCLUDE, name, span, stmt,
		   (close == '>' ? F_ANGLE : 0) |
			   (include_is_asked(lx, (struct span){(uint32_t)at, (uint32_t)end + 1}) ?
				    F_TRY_IMPORT : 0));
	for (p = lx->vocab->cxx_headers; p && *p; p++)
		lx->s->mentions |= str_starts(name, *p);
	lx->at = end + 1;
}

static bool word_is(const struct lexer *lx, size_t at, size_t n, const char *word)
{
	return n == strlen(word) && !memcmp(lx->text + at, word, n);
}

/* Past a whole directive line; comments in it may go on over its end. */
static void skip_directive(struct lexer *lx)
{
	while (lx->at < lx->len && !line_end(lx, lx->at)) {
		size_t n = splice(lx, lx->at);
		const char *t = lx->text + lx->at;

		if (n)
			lx->at += n;
		else if (*t == '"')
			lx->at = skip_string(lx, lx->at);
		else if (*t == '/' && lx->at + 1 < lx->len && t[1] == '*')
			lx->at = skip_block(lx, lx->at + 2);
		else if (*t == '/' && lx->at + 1 < lx->len && t[1] == '/')
			lx->at = skip_line(lx, lx->at + 2);
		else
			lx->at++;
	}
}

/* Where the directive at hand ends; the text is read as code from here. */
static size_t directive_end(struct lexer *lx)
{
	size_t at = lx->at, end;

	skip_directive(lx);
	end = lx->at;
	lx->at = at;
	return end;
}

/* Past lines that `#if 0` leaves out, to the line end before the directive that ends them. */
static void skip_left_out(struct lexer *lx)
{
	int depth = 0;
	size_t end;

	for (; lx->at < lx->len; lx->at = end + line_end(lx, end)) {
		size_t start, word, n = 0;

		skip_directive(lx);
		end = lx->at;
		start = skip_space(lx, end + line_end(lx, end), false);
		if (start >= lx->len || lx->text[start] != '#')
			continue;
		word = skip_space(lx, start + 1, false);
		while (name_at(lx, word + n))
			n++;
		if (n >= 2 && !memcmp(lx->text + word, "if", 2))
			depth++;
		else if (!depth && n >= 4 && lx->text[word] == 'e' && !word_is(lx, word, n, "error"))
			break;
		else if (word_is(lx, word, n, "endif"))
			depth--;
	}
}

/* "#if 0" and nothing more, from behind its word. */
static bool leaves_out(const struct lexer *lx, size_t at)
{
	at = skip_space(lx, at, false);
	if (at >= lx->len || lx->text[at] != '0')
		return false;
	at = skip_space(lx, at + 1, false);
	return at >= lx->len || line_end(lx, at) || lx->text[at] == '/';
}

/* What a condition asks for, from behind its word to its end. */
static struct asked asked_read(const struct lexer *lx, size_t at, size_t end)
{
	static const char word[] = "__has_include";
	struct asked a = {0};
	const char *p = memmem(lx->text + at, end - at, word, strlen(word));
	size_t before = p ? (size_t)(p - lx->text) : at;

	if (!p || memmem(lx->text + at, end - at, "||", 2))
		return a;
	while (before > at && lx->class[(unsigned char)lx->text[before - 1]] == B_SPACE)
		before--;
	a.line = (struct span){(uint32_t)at, (uint32_t)end};
	a.negated = before > at && lx->text[before - 1] == '!';
	a.live = !a.negated;
	return a;
}

/* Conditions from behind their word, [word, word + n), which begins with i, e or u. */
static void lex_condition(struct lexer *lx, size_t word, size_t n)
{
	bool opens = n >= 2 && !memcmp(lx->text + word, "if", 2);
	struct asked *a;

	lx->test_end = directive_end(lx);
	if (word_is(lx, word, n, "endif"))
		lx->depth -= lx->depth > 0;
	lx->depth += opens;
	if (!lx->depth || lx->depth > ASKED_MAX || word_is(lx, word, n, "endif"))
		return;
	a = &lx->asked[lx->depth - 1];
	if (opens || word_is(lx, word, n, "elif"))
		*a = asked_read(lx, lx->at, lx->test_end);
	else if (word_is(lx, word, n, "else"))
		a->live = a->negated && a->line.end > a->line.start;
	if (word_is(lx, word, n, "if") && leaves_out(lx, lx->at))
		skip_left_out(lx);
}

/* A directive from its '#': includes are facts, the text of messages is no code, the rest is read
 * as code. */
static void lex_directive(struct lexer *lx)
{
	size_t hash = lx->at, word = skip_space(lx, hash + 1, false), n = 0;

	while (name_at(lx, word + n))
		n++;
	lx->at = word + n;
	if (word_is(lx, word, n, "include") || word_is(lx, word, n, "include_next") ||
	    word_is(lx, word, n, "import")) {
		lex_include(lx, hash, lx->at);
		skip_directive(lx);
	} else if (word_is(lx, word, n, "error") || word_is(lx, word, n, "warning")) {
		skip_directive(lx);
	} else if (word_is(lx, word, n, "define")) {
		lx->defined = skip_space(lx, lx->at, false);
		lx->define_end = directive_end(lx);
	} else if (n && strchr("ieu", lx->text[word])) {
		lex_condition(lx, word, n);
	}
}

static void lex_slash(struct lexer *lx)
{
	char next = lx->at + 1 < lx->len ? lx->text[lx->at + 1] : 0;

	if (next == '/')
		lx->at = skip_line(lx, lx->at + 2);
	else if (next == '*')
		lx->at = skip_block(lx, lx->at + 2);
	else
		lx->at++;
}

/* "<<<" in code launches a kernel. */
static void lex_less(struct lexer *lx)
{
	struct span span = {(uint32_t)lx->at, (uint32_t)lx->at + 3};

	size_t before = span.start;

	while (class_at(lx, lx->at) == B_LESS)
		lx->at++;
	while (before && lx->class[(unsigned char)lx->text[before - 1]] == B_SPACE)
		before--;
	/* A kernel or its template arguments stand before it. */
	if (lx->at != span.end || !before ||
	    (!name_at(lx, before - 1) && lx->text[before - 1] != '>'))
		return;
	lexer_fact(lx, FACT_LAUNCH, "", span, span, span.start < lx->define_end ? F_MACRO_BODY : 0);
}

static void lex_text(struct lexer *lx)
{
	bool line_start = true;

	while (lx->at < lx->len) {
		enum byte_class c = lx->class[(unsigned char)lx->text[lx->at]];

		if (c == B_OTHER || c == B_COLON || c == B_SPACE || c == B_OPEN)
			lx->at++;
		else if (c == B_NAME)
			lex_name(lx);
		else if (c == B_DIGIT)
			lx->at = skip_number(lx, lx->at);
		else if (c == B_QUOTE)
			lx->at = skip_string(lx, lx->at);
		else if (c == B_SLASH)
			lex_slash(lx);
		else if (c == B_SPLICE)
			lx->at += splice(lx, lx->at) ? splice(lx, lx->at) : 1;
		else if (c == B_LESS)
			lex_less(lx);
		else if (c == B_HASH && line_start)
			lex_directive(lx);
		else
			lx->at++;
		if (c == B_LINE)
			line_start = true;
		else if (c != B_SPACE && c != B_SLASH && c != B_SPLICE)
			line_start = false;
	}
}

/* True when the word stands anywhere in the bytes, comments included. */
static bool holds_word(const struct lexer *lx, const char *word)
{
	const char *p = lx->text, *end = p + lx->len;
	size_t n = strlen(word), at;

	while (n && (p = memmem(p, (size_t)(end - p), word, n))) {
		at = (size_t)(p - lx->text);
		if ((!at || !name_at(lx, at - 1)) && !name_at(lx, at + n))
			return true;
		p++;
	}
	return false;
}

void cxx_lex_facts(struct source *s, const char *text, size_t len, const struct vocab *vocab,
		   struct arena *arena, struct intern *intern)
{
	struct lexer lx = {.s = s,
			   .text = text,
			   .len = len,
			   .vocab = vocab,
			   .arena = arena,
			   .intern = intern,
			   .name = STRBUF_INIT,
			   .defined = SIZE_MAX};
	const char *const *p;

	if (bom_len(text, len))
		lx.at = 3;
	lexer_classes(&lx);
	for (p = vocab->roots; p && *p; p++)
		s->mentions |= holds_word(&lx, *p);
	lex_text(&lx);
	strbuf_release(&lx.name);
	s->facts = lx.facts.v;
	s->nr_facts = lx.facts.nr;
	s->analysis = lx.cut ? ANALYSIS_PARTIAL : ANALYSIS_LEXICAL;
}
