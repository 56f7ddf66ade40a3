/*
 * verb_rewrite.c - write another expression where a call stands.
 *
 * The value is an expression with captures of its own:
 *
 *	$1 .. $9    positional arguments       $kw.NAME  the value of a keyword argument
 *	$all        all arguments as written   $rest     those behind the highest $n, after a comma
 *	$recv       what stands before the last dot of what is called
 *	$callee     what is called, as written       $no.NAME  nothing: the expression says it
 *
 * The value may be a map from names to expressions, and an expression several lines, of which the
 * first that fits is taken. Every argument must have its place in the expression, else the call
 * means something the rule does not know: refused. Names below a root are spelled as the file binds
 * them. Parentheses are added around what is put in and around the whole where the neighbours could
 * bind differently.
 */
#include <ctype.h>
#include <string.h>

#include "rule/verb.h"

#define REWRITE_ARGS 9

/* Bytes of the call that stand in the expression as they are, each delimited there as here. */
struct piece {
	struct span from;
	size_t at; /* offset in the expression */
};

struct pieces {
	VEC(struct piece) v;
};

struct rewrite {
	struct verb_call *c;
	struct strbuf out;
	unsigned used[REWRITE_ARGS + 1]; /* times $n is used */
	unsigned recv, placed;		 /* times $recv is used; arguments that have their place */
	int last;			 /* highest n of a $n */
	bool bound;			 /* an argument became an operand */
	struct pieces pieces;		 /* in the order of the expression */
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The bytes of a quoted text from its quote on. */
static size_t quoted_len(const char *s)
{
	size_t n = 1;

	while (s[n] && s[n] != *s)
		n += s[n] == '\\' && s[n + 1] ? 2 : 1;
	return s[n] ? n + 1 : n;
}

/* The bytes of a bracket's contents with both ends, 0 where it does not close. */
static size_t bracket_len(const char *s)
{
	size_t n = 0;
	int depth = 0;

	while (s[n]) {
		if (s[n] == '"' || s[n] == '\'') {
			n += quoted_len(s + n);
			continue;
		}
		depth += strchr("([{", s[n]) ? 1 : strchr(")]}", s[n]) ? -1 : 0;
		n++;
		if (!depth)
			return n;
	}
	return 0;
}

/* Binds as tightly as a name: names, texts, numbers, brackets, one behind the other. */
static bool is_primary(const char *s)
{
	size_t n;

	if (!*s)
		return false;
	while (*s) {
		if (*s == '"' || *s == '\'')
			n = quoted_len(s);
		else if (strchr("([{", *s))
			n = bracket_len(s);
		else
			n = is_word(*s) || *s == '.' || (unsigned char)*s >= 0x80;
		if (!n)
			return false;
		s += n;
	}
	return true;
}

static bool is_dotted(const char *s)
{
	for (; is_word(*s) || *s == '.'; s++)
		;
	return !*s;
}

static const struct arg *arg_at(const struct fact *f, int n)
{
	size_t i;

	for (i = 0; i < f->nr_args; i++)
		if (!f->args[i].keyword && !f->args[i].splat && !n--)
			return &f->args[i];
	return NULL;
}

static const struct arg *arg_named(const struct fact *f, const char *name, size_t n)
{
	size_t i;

	for (i = 0; i < f->nr_args; i++)
		if (f->args[i].keyword && strlen(f->args[i].keyword) == n &&
		    !memcmp(f->args[i].keyword, name, n))
			return &f->args[i];
	return NULL;
}

/* Put `text` in; `next` is what follows it. True when it stands alone, false as an operand. */
static bool put(struct rewrite *rw, const char *text, char next)
{
	size_t n = rw->out.len;
	bool alone;

	while (n && rw->out.buf[n - 1] == ' ')
		n--;
	alone = (!n || strchr("(,[=", rw->out.buf[n - 1])) && (!next || strchr("),]", next));
	if (alone || (is_primary(text) && !(next == '.' && isdigit((unsigned char)*text))))
		strbuf_addstr(&rw->out, text);
	else
		strbuf_addf(&rw->out, "(%s)", text);
	return alone;
}

/* At `at` the expression has that part of the call. */
static void piece_add(struct rewrite *rw, struct span from, size_t at)
{
	struct piece *piece = VEC_PUSH(rw->c->arena, &rw->pieces.v);

	piece->from = from;
	piece->at = at;
}

static int put_arg(struct rewrite *rw, const struct arg *arg, char next, const char *what)
{
	const char *text = arg ? verb_text(rw->c, arg->valspan) : NULL;
	size_t at = rw->out.len;

	if (!text)
		return verb_refuse(rw->c, "the call has no %s", what);
	if (!put(rw, text, next)) {
		rw->bound = true;
		return 0;
	}
	piece_add(rw, arg->valspan, at);
	return 0;
}

static const char *receiver(struct rewrite *rw)
{
	const struct fact *f = rw->c->fact;
	const char *text = rw->c->shape->text;
	uint32_t end = f->span.end - (uint32_t)strlen(f->name);

	if (f->kind != FACT_MEMBER || end <= f->stmt.start + 1 || text[end - 1] != '.')
		return NULL;
	for (end--; end > f->stmt.start && strchr(" \t\r\n", text[end - 1]); end--)
		;
	return verb_text(rw->c, (struct span){ f->stmt.start, end });
}

static int put_receiver(struct rewrite *rw, char next)
{
	const char *text = receiver(rw);
	uint32_t start = rw->c->fact->stmt.start;
	size_t at = rw->out.len;

	if (!text)
		return verb_refuse(rw->c, "nothing that is called on is written here");
	if (rw->recv++ && !is_dotted(text))
		return verb_refuse(rw->c, "'%s' would be evaluated twice", text);
	put(rw, text, next);
	if (rw->out.len == at + strlen(text))
		piece_add(rw, (struct span){ start, start + (uint32_t)strlen(text) }, at);
	return 0;
}

static int put_callee(struct rewrite *rw)
{
	const struct fact *f = rw->c->fact;
	uint32_t start = f->kind == FACT_MEMBER ? f->stmt.start : f->span.start;
	const char *text = verb_text(rw->c, (struct span){ start, f->span.end });

	piece_add(rw, (struct span){ start, f->span.end }, rw->out.len);
	strbuf_addstr(&rw->out, text ? text : "");
	return 0;
}

/* All arguments from the one after the last $n on, commas between them. */
static int put_rest(struct rewrite *rw, bool all)
{
	const struct fact *f = rw->c->fact;
	const char *text;
	int position = 0;
	size_t i;

	for (i = 0; i < f->nr_args; i++) {
		const struct arg *arg = &f->args[i];

		if (!arg->keyword && position++ < rw->last && !all)
			continue;
		if (rw->out.len && !strchr("( ", rw->out.buf[rw->out.len - 1]))
			strbuf_addstr(&rw->out, ", ");
		text = verb_text(rw->c, arg->span);
		piece_add(rw, arg->span, rw->out.len);
		strbuf_addstr(&rw->out, text ? text : "");
		rw->placed++;
	}
	return 0;
}

static int put_position(struct rewrite *rw, int n, char next)
{
	const struct arg *arg = arg_at(rw->c->fact, n - 1);
	const char *text = arg ? verb_text(rw->c, arg->valspan) : NULL;

	if (rw->used[n]++ && text && !is_dotted(text))
		return verb_refuse(rw->c, "'%s' would be evaluated twice", text);
	rw->placed += rw->used[n] == 1;
	return put_arg(rw, arg, next, "such argument by position");
}

static bool word_is(const char *s, const char *word, size_t *n)
{
	*n = strlen(word);
	return !strncmp(s, word, *n) && !is_word(s[*n]);
}

/* kw.NAME or no.NAME at `s`; *n: its bytes. */
static int keyword_capture(struct rewrite *rw, const char *s, size_t *n)
{
	bool quiet = word_is(s, "no", n);
	const struct arg *arg;
	size_t len = 0;

	if ((!quiet && !word_is(s, "kw", n)) || s[*n] != '.')
		return verb_refuse(rw->c, "the rule has an unknown capture");
	s += *n + 1;
	while (is_word(s[len]))
		len++;
	*n += 1 + len;
	arg = arg_named(rw->c->fact, s, len);
	rw->placed++;
	if (quiet && arg)
		return 0;
	return put_arg(rw, arg, s[len], "such keyword argument");
}

/* The capture behind the '$' at `s`; *n: its bytes. 0, 1: not known, -1: refused. */
static int capture(struct rewrite *rw, const char *s, size_t *n)
{
	if (*s >= '1' && *s <= '9') {
		*n = 1;
		return put_position(rw, *s - '0', s[1]);
	}
	if (word_is(s, "recv", n))
		return put_receiver(rw, s[*n]);
	if (word_is(s, "callee", n))
		return put_callee(rw);
	if (word_is(s, "all", n))
		return put_rest(rw, true);
	if (word_is(s, "rest", n))
		return put_rest(rw, false);
	return keyword_capture(rw, s, n);
}

/* A dotted name of the expression, spelled as the file spells it. */
static int put_name(struct rewrite *rw, const char *s, size_t n)
{
	struct verb_call *c = rw->c;
	const char *name = arena_strndup(c->arena, s, n), *spelled = name;
	char before = rw->out.len ? rw->out.buf[rw->out.len - 1] : ' ';

	if (before != '.' && before != ')' && list_holds(c->rules->vocab->roots, name))
		spelled = verb_spell_or_import(c, name);
	if (!spelled)
		return verb_refuse(c, "%.*s is not bound under its own name in this file",
				   (int)strcspn(name, "."), name);
	strbuf_addstr(&rw->out, spelled);
	return 0;
}

static int expand(struct rewrite *rw, const char *s)
{
	size_t n;

	for (; *s; s += n) {
		for (n = 0; is_word(s[n]) || (n && s[n] == '.'); n++)
			;
		if (n) {
			if (put_name(rw, s, n))
				return -1;
		} else if (*s == '$') {
			if (capture(rw, s + 1, &n))
				return -1;
			n++;
		} else {
			n = *s == '"' || *s == '\'' ? quoted_len(s) : 1;
			strbuf_add(&rw->out, s, n);
		}
	}
	return 0;
}

static bool is_statement(const struct shape *sh, uint32_t start, uint32_t end)
{
	size_t i;

	for (i = 0; i < sh->nr_stmts; i++)
		if (sh->stmts[i].span.start == start || sh->stmts[i].span.end == end)
			return true;
	return false;
}

/* Nothing stands before `at` that could bind to what begins there. */
static bool is_open_before(const struct shape *sh, uint32_t at)
{
	uint32_t i = at;
	char c;

	if (is_statement(sh, at, UINT32_MAX))
		return true;
	while (i && strchr(" \t\r\n", sh->text[i - 1]))
		i--;
	c = i ? sh->text[i - 1] : '(';
	if (i >= 6 && !memcmp(sh->text + i - 6, "return", 6))
		return i == 6 || !is_word(sh->text[i - 7]);
	if (c == '=' && i > 1 && strchr("=<>!", sh->text[i - 2]))
		return false;
	return strchr("([{,=:", c);
}

/* What stands around the call binds no tighter than a comma does. */
static bool is_delimited(const struct shape *sh, struct span at)
{
	uint32_t k = at.end;

	if (!is_open_before(sh, at.start))
		return false;
	if (is_statement(sh, UINT32_MAX, at.end))
		return true;
	while (k < sh->len && strchr(" \t\r\n", sh->text[k]))
		k++;
	return k < sh->len && strchr(")]},", sh->text[k]);
}

static int check_site(struct verb_call *c)
{
	const struct fact *f = c->fact;
	const char *text = verb_text(c, f->stmt);
	size_t i;

	if (!text || (f->kind != FACT_USE && f->kind != FACT_MEMBER) || f->flags & F_STORE)
		return verb_refuse(c, "only a name or member that is read can be written otherwise");
	if (strchr(text, '#'))
		return verb_refuse(c, "a comment may stand in the expression");
	for (i = 0; i < f->nr_args; i++)
		if (f->args[i].splat)
			return verb_refuse(c,
					   "the call passes on arguments that are not seen here");
	return 0;
}

/* The expression for this name: one for all, or the pair of this name; NULL: none. */
static const char *expression(const struct verb_call *c)
{
	const char *const *pair;

	for (pair = c->step->list; pair && *pair; pair += 2)
		if (!strcmp(pair[0], c->fact->name))
			return pair[1];
	return c->step->text;
}

/* Fill one expression in; NULL with a reason where it does not fit. */
/* The highest n of a $n. */
static int last_position(const char *expr)
{
	int last = 0;

	for (; *expr; expr++)
		if (*expr == '$' && isdigit((unsigned char)expr[1]) && expr[1] - '0' > last)
			last = expr[1] - '0';
	return last;
}

static const char *fill(struct verb_call *c, const char *expr, bool *bound, struct pieces *pieces)
{
	struct rewrite rw = { .c = c, .last = last_position(expr) };
	size_t nr = c->edits.nr;
	const char *text = NULL;

	if (!expand(&rw, expr)) {
		text = arena_strndup(c->arena, rw.out.buf ? rw.out.buf : "", rw.out.len);
		if (rw.placed != c->fact->nr_args) {
			verb_refuse(c, "the call has arguments that the rule does not place");
			text = NULL;
		}
	}
	if (!text)
		c->edits.nr = nr;
	strbuf_release(&rw.out);
	*bound = rw.bound;
	*pieces = rw.pieces;
	return text;
}

/*
 * Replace only the words that differ, so that sites inside one another stay apart. An operand is part of
 * the edit: what another rule writes for it would not know of the operator.
 */
static void edit_difference(struct verb_call *c, struct span at, const char *new, bool trim_end)
{
	const char *old = c->shape->text + at.start;
	size_t n = at.end - at.start, m = strlen(new), head = 0, tail = 0;

	while (head < n && head < m && old[head] == new[head])
		head++;
	while (head && is_word(old[head - 1]))
		head--;
	while (trim_end && tail < n - head && tail < m - head &&
	       old[n - 1 - tail] == new[m - 1 - tail])
		tail++;
	while (tail && is_word(new[m - tail]))
		tail--;
	verb_edit(c, at.start + (uint32_t)head, at.end - (uint32_t)tail,
		  arena_strndup(c->arena, new + head, m - head - tail));
}

/* Another call stands in it, which a rule may speak of. */
static bool is_nested(const struct verb_call *c, struct span at)
{
	const struct source *s = c->source;
	size_t i;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];

		if (f != c->fact && f->flags & F_CALL &&
		    (f->kind == FACT_USE || f->kind == FACT_MEMBER) &&
		    f->stmt.start >= at.start && f->stmt.end <= at.end)
			return true;
	}
	return false;
}

/* Leave those with calls in them, as far as they follow one another in the call as well. */
static void pieces_choose(struct verb_call *c, struct pieces *pieces)
{
	struct piece *v = pieces->v.v;
	size_t i, nr = 0;

	for (i = 0; i < pieces->v.nr; i++)
		if ((!nr || v[nr - 1].from.end <= v[i].from.start) && is_nested(c, v[i].from))
			v[nr++] = v[i];
	pieces->v.nr = nr;
}

/* Write what stands between the pieces, so that calls inside them can be written otherwise as well. */
static void edit_between(struct verb_call *c, struct span at, const char *new,
			 const struct pieces *pieces)
{
	size_t done = 0, i, len = strlen(new);

	for (i = 0; i <= pieces->v.nr; i++) {
		bool end = i == pieces->v.nr;
		const struct piece *piece = end ? NULL : &pieces->v.v[i];
		uint32_t to = end ? at.end : piece->from.start;
		size_t until = end ? len : piece->at;

		if (to > at.start || until > done) {
			verb_edit(c, at.start, to, arena_strndup(c->arena, new + done, until - done));
			c->edits.v[c->edits.nr - 1].part = true;
		}
		if (end)
			return;
		at.start = piece->from.end;
		done = until + (piece->from.end - piece->from.start);
	}
}

const char *verb_expression(struct verb_call *c, const char *expr)
{
	struct rewrite rw = { .c = c, .recv = 1 };
	const char *text = NULL;
	int i;

	for (i = 0; i <= REWRITE_ARGS; i++)
		rw.used[i] = 1;
	if (!expand(&rw, expr))
		text = arena_strndup(c->arena, rw.out.buf ? rw.out.buf : "", rw.out.len);
	strbuf_release(&rw.out);
	return text;
}

int verb_rewrite(struct verb_call *c)
{
	const char *expr = expression(c), *text = NULL;
	struct pieces pieces = {0};
	bool bound = false;
	size_t n, i;

	if (check_site(c))
		return -1;
	if (!expr)
		return verb_refuse(c, "the rule has no expression for %s", c->fact->name);
	for (; *expr && !text; expr += n + (expr[n] == '\n')) {
		n = strcspn(expr, "\n");
		text = fill(c, arena_strndup(c->arena, expr, n), &bound, &pieces);
	}
	if (!text)
		return -1;
	if (!is_primary(text) && !is_delimited(c->shape, c->fact->stmt)) {
		text = arena_fmt(c->arena, "(%s)", text);
		for (i = 0; i < pieces.v.nr; i++)
			pieces.v.v[i].at++;
	}
	pieces_choose(c, &pieces);
	if (!c->rules->dual && pieces.v.nr)
		edit_between(c, c->fact->stmt, text, &pieces);
	else
		edit_difference(c, c->fact->stmt, text, !bound);
	return 0;
}
