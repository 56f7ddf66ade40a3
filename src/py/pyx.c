/*
 * pyx.c - Cython, read lexically.
 *
 * In: the bytes of a .pyx or .pxd file. Out: FACT_IMPORT for import and cimport statements,
 * FACT_USE for dotted names that such an import binds to a framework module (or that are spelled
 * with one), FACT_MEMBER for the vocabulary's members. The text is cut into tokens once; brackets
 * know their partners. Names are bound for the whole file: a name that two imports bind differently
 * is not resolved. symbol is the last def or class at lower indentation.
 */
#include "py/internal.h"

#include <ctype.h>
#include <string.h>

#include "base/lines.h"
#include "base/strbuf.h"

#define FACT_LIMIT  20000
#define TOKEN_LIMIT 4000000
#define SCOPE_LIMIT 64

enum token_kind { T_NAME, T_NUMBER, T_STRING, T_OP };

struct token {
	uint32_t start, end;
	uint32_t match;  /* brackets: index of the partner, NO_TOKEN without one */
	uint32_t indent; /* of its line */
	uint8_t kind;
	bool first; /* of a statement */
};

#define NO_TOKEN 0xffffffffu

/* A name that an import binds. */
struct bound {
	const char *name, *target; /* target NULL: bound in different ways */
};

struct range {
	uint32_t first, end; /* tokens */
};

struct scope {
	const char *name; /* qualified, interned */
	uint32_t indent;
	bool function;
};

struct pyx {
	struct py_worker *w;
	struct source *s;
	const char *text;
	size_t len, at;
	VEC(struct token) t;
	VEC(uint32_t) open; /* brackets without partner so far */
	VEC(struct bound) bound;
	VEC(struct range) imports;
	struct scope scopes[SCOPE_LIMIT];
	int nr_scopes;
	struct scope pending; /* becomes a scope behind token pending_at */
	uint32_t pending_at;
	uint32_t bad; /* offset + 1 of a string or bracket that is never closed, 0: none */
	bool full;    /* FACT_LIMIT or TOKEN_LIMIT reached */
};

/* ---- tokens
 * -------------------------------------------------------------------------------------- */

static bool name_byte(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool line_byte(char c)
{
	return c == '\n' || c == '\r';
}

static void token_add(struct pyx *p, enum token_kind kind, size_t start, size_t end,
		      uint32_t indent, bool first)
{
	struct token *t = VEC_PUSH(&p->w->scratch, &p->t);

	*t = (struct token){(uint32_t)start, (uint32_t)end, NO_TOKEN, indent, (uint8_t)kind, first};
}

/* Past a string from its quote. A plain one that is not closed ends with its line. */
static size_t skip_string(struct pyx *p, size_t at)
{
	const char *s = p->text;
	size_t start = at;
	char q = s[at];
	bool triple = at + 2 < p->len && s[at + 1] == q && s[at + 2] == q;

	for (at += triple ? 3 : 1; at < p->len; at++) {
		if (s[at] == '\\' && at + 1 < p->len)
			at += s[at + 1] == '\r' && at + 2 < p->len && s[at + 2] == '\n' ? 2 : 1;
		else if (!triple && (s[at] == q || line_byte(s[at])))
			return s[at] == q ? at + 1 : at;
		else if (triple && s[at] == q && at + 2 < p->len && s[at + 1] == q &&
			 s[at + 2] == q)
			return at + 3;
	}
	if (triple && !p->bad)
		p->bad = (uint32_t)start + 1;
	return p->len;
}

/* Letters before a quote that make it a string of some kind. */
static bool string_prefix(const char *s, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!memchr("rRbBuUfFcC", s[i], 10))
			return false;
	return n <= 2;
}

/* A bracket finds its partner; one that closes nothing, or something else, stays alone. */
static void token_match(struct pyx *p, uint32_t i)
{
	char c = p->text[p->t.v[i].start], open = c == ')' ? '(' : c == ']' ? '[' : '{';
	uint32_t j;

	if (c == '(' || c == '[' || c == '{') {
		*VEC_PUSH(&p->w->scratch, &p->open) = i;
		return;
	}
	if ((c != ')' && c != ']' && c != '}') || !p->open.nr)
		return;
	j = p->open.v[p->open.nr - 1];
	if (p->text[p->t.v[j].start] != open)
		return;
	p->open.nr--;
	p->t.v[i].match = j;
	p->t.v[j].match = i;
}

/* White space, comments and joined lines. *first becomes true when a statement ended. */
static void skip_blank(struct pyx *p, size_t *line, bool *first)
{
	const char *s = p->text;

	while (p->at < p->len) {
		char c = s[p->at];

		if (c == '#') {
			while (p->at < p->len && !line_byte(s[p->at]))
				p->at++;
		} else if (line_byte(c)) {
			*first |= !p->open.nr;
			*line = ++p->at;
		} else if (c == ' ' || c == '\t' || c == '\f') {
			p->at++;
		} else if (c == '\\' && p->at + 1 < p->len && line_byte(s[p->at + 1])) {
			p->at += s[p->at + 1] == '\r' && p->at + 2 < p->len && s[p->at + 2] == '\n'
					 ? 3
					 : 2;
		} else {
			return;
		}
	}
}

static uint32_t indent_of(const struct pyx *p, size_t line)
{
	uint32_t n = 0;

	for (; line < p->at && (p->text[line] == ' ' || p->text[line] == '\t'); line++)
		n = p->text[line] == '\t' ? (n / 8 + 1) * 8 : n + 1;
	return n;
}

static void tokens_read(struct pyx *p)
{
	const char *s = p->text;
	size_t line = p->at, start;
	uint32_t indent = 0;
	bool first = true;

	for (skip_blank(p, &line, &first); p->at < p->len; skip_blank(p, &line, &first)) {
		enum token_kind kind = T_OP;

		if (p->t.nr == TOKEN_LIMIT) {
			p->full = true;
			return;
		}

		start = p->at;
		if (first && line <= start)
			indent = indent_of(p, line);
		while (p->at < p->len && name_byte(s[p->at]))
			p->at++;
		if (p->at < p->len && (s[p->at] == '"' || s[p->at] == '\'') &&
		    string_prefix(s + start, p->at - start)) {
			p->at = skip_string(p, p->at);
			kind = T_STRING;
		} else if (p->at > start) {
			kind = isdigit((unsigned char)s[start]) ? T_NUMBER : T_NAME;
		} else {
			p->at++;
		}
		token_add(p, kind, start, p->at, indent, first);
		first = kind == T_OP && s[start] == ';' && !p->open.nr;
		line = first ? p->len + 1 : line;
		if (kind == T_OP)
			token_match(p, (uint32_t)p->t.nr - 1);
	}
	if (p->open.nr && !p->bad)
		p->bad = p->t.v[p->open.v[0]].start + 1;
}

static bool is_op(const struct pyx *p, uint32_t i, char c)
{
	return i < p->t.nr && p->t.v[i].kind == T_OP && p->text[p->t.v[i].start] == c;
}

/* As is_op, on the same logical line as the token before. */
static bool goes_on(const struct pyx *p, uint32_t i, char c)
{
	return is_op(p, i, c) && !p->t.v[i].first;
}

static bool is_name(const struct pyx *p, uint32_t i)
{
	return i < p->t.nr && p->t.v[i].kind == T_NAME;
}

static bool is_word(const struct pyx *p, uint32_t i, const char *word)
{
	size_t n = strlen(word);

	return is_name(p, i) && p->t.v[i].end - p->t.v[i].start == n &&
	       !memcmp(p->text + p->t.v[i].start, word, n);
}

static bool is_import_word(const struct pyx *p, uint32_t i)
{
	return is_word(p, i, "import") || is_word(p, i, "cimport");
}

static const char *token_text(const struct pyx *p, uint32_t i)
{
	const struct token *t = &p->t.v[i];

	return intern(p->w->intern, p->text + t->start, t->end - t->start);
}

/* Past the dotted name at token i; its text without white space is added to `out`. */
static uint32_t dotted_read(const struct pyx *p, uint32_t i, struct strbuf *out)
{
	while (is_name(p, i)) {
		strbuf_add(out, p->text + p->t.v[i].start, p->t.v[i].end - p->t.v[i].start);
		if (!is_op(p, i + 1, '.') || !is_name(p, i + 2))
			return i + 1;
		strbuf_addch(out, '.');
		i += 2;
	}
	return i;
}

/* ---- facts
 * --------------------------------------------------------------------------------------- */

static struct fact *pyx_fact(struct pyx *p, enum fact_kind kind, const char *name, struct span span,
			     struct span stmt)
{
	const struct scope *scope = p->nr_scopes ? &p->scopes[p->nr_scopes - 1] : NULL;
	struct fact *f;
	int i;

	if (p->w->facts.nr >= FACT_LIMIT) {
		p->full = true;
		return NULL;
	}
	f = fact_new(p->w, kind, name, span);
	f->stmt = stmt;
	f->symbol = scope ? scope->name : "";
	for (i = 0; i < p->nr_scopes; i++)
		f->flags |= p->scopes[i].function ? F_FUNCTION : 0;
	return f;
}

static struct span tokens_span(const struct pyx *p, uint32_t first, uint32_t end)
{
	return (struct span){p->t.v[first].start, p->t.v[end - 1].end};
}

/* ---- imports
 * ------------------------------------------------------------------------------------- */

/* The package a relative import of `level` dots starts from; false when it leads out of what is
 * known. */
static bool relative_base(const struct pyx *p, unsigned level, struct strbuf *out)
{
	const char *module = p->s->module, *dot;

	if (!module)
		return false;
	strbuf_addstr(out, module);
	for (level -= p->s->is_package ? 1 : 0; level; level--) {
		dot = strrchr(out->buf, '.');
		if (!dot && !out->len)
			return false;
		strbuf_setlen(out, dot ? (size_t)(dot - out->buf) : 0);
	}
	return true;
}

/* One imported name: tokens [first, end) bind `name` to `target`. */
static void import_fact(struct pyx *p, uint32_t stmt, uint32_t first, uint32_t end,
			const char *name, const char *bind, const char *target, uint32_t flags)
{
	struct span whole = {p->t.v[stmt].start, 0};
	struct fact *f = pyx_fact(p, FACT_IMPORT, name, tokens_span(p, first, end), whole);

	if (!f)
		return;
	f->text = bind;
	f->flags |= flags;
	if (bind)
		*VEC_PUSH(&p->w->scratch, &p->bound) = (struct bound){bind, target};
}

/* "as NAME" behind token i: the name's token, NO_TOKEN where there is none. */
static uint32_t alias_at(const struct pyx *p, uint32_t i)
{
	return is_word(p, i, "as") && is_name(p, i + 1) ? i + 1 : NO_TOKEN;
}

/* import a.b as c, d: token behind it. */
static uint32_t import_plain(struct pyx *p, uint32_t stmt)
{
	struct strbuf sb = STRBUF_INIT;
	uint32_t i = stmt, first, end, alias;
	const char *name, *root;

	do {
		first = i + 1;
		strbuf_reset(&sb);
		end = i = dotted_read(p, first, &sb);
		if (end == first)
			break;
		name = intern(p->w->intern, sb.buf, sb.len);
		root = intern(p->w->intern, sb.buf, strcspn(sb.buf, "."));
		alias = alias_at(p, end);
		if (alias != NO_TOKEN) {
			import_fact(p, stmt, first, end, name, token_text(p, alias), name, 0);
			i = alias + 1;
		} else {
			import_fact(p, stmt, first, end, name, root, root, 0);
		}
	} while (is_op(p, i, ','));
	strbuf_release(&sb);
	return i;
}

/* The names behind "from MODULE import": token behind them. */
static uint32_t import_names(struct pyx *p, uint32_t stmt, uint32_t i, struct strbuf *module,
			     uint32_t flags)
{
	size_t base = module->len;
	bool paren = is_op(p, i, '(');
	uint32_t first, alias;
	const char *name, *bind;

	if (is_op(p, i, '*')) {
		strbuf_addstr(module, base ? ".*" : "*");
		import_fact(p, stmt, i, i + 1, intern(p->w->intern, module->buf, module->len), NULL,
			    NULL, flags | F_STAR);
		return i + 1;
	}
	for (i += paren; is_name(p, i); i += is_op(p, i, ',')) {
		first = i++;
		bind = token_text(p, first);
		strbuf_setlen(module, base);
		strbuf_addf(module, "%s%s", base ? "." : "", bind);
		name = intern(p->w->intern, module->buf, module->len);
		alias = alias_at(p, i);
		if (alias != NO_TOKEN) {
			bind = token_text(p, alias);
			i = alias + 1;
		}
		import_fact(p, stmt, first, first + 1, name, bind, name, flags);
		if (!is_op(p, i, ','))
			break;
	}
	return paren && is_op(p, i, ')') ? i + 1 : i;
}

/* from a.b import c as d: token behind it, `stmt` when it is none. */
static uint32_t import_from(struct pyx *p, uint32_t stmt)
{
	struct strbuf module = STRBUF_INIT;
	uint32_t i = stmt + 1, end = stmt, flags = F_FROM;
	unsigned level = 0;
	bool known = true;

	for (; is_op(p, i, '.'); i++)
		level++;
	if (level) {
		flags |= F_RELATIVE;
		known = relative_base(p, level, &module);
		if (module.len && !is_import_word(p, i))
			strbuf_addch(&module, '.');
	}
	if (!is_import_word(p, i))
		i = dotted_read(p, i, &module);
	if (is_import_word(p, i) && i > stmt + 1)
		end = known ? import_names(p, stmt, i + 1, &module, flags) : i + 1;
	strbuf_release(&module);
	return end;
}

static int bound_cmp(const void *va, const void *vb)
{
	const struct bound *a = va, *b = vb;
	int c = strcmp(a->name, b->name);

	return c ? c : strcmp(a->target, b->target);
}

/* Sort the names; one that is bound in two ways loses its target. */
static void bound_finish(struct pyx *p)
{
	size_t i, n = 0;

	if (p->bound.nr)
		qsort(p->bound.v, p->bound.nr, sizeof(*p->bound.v), bound_cmp);
	for (i = 0; i < p->bound.nr; i++) {
		if (!n || p->bound.v[n - 1].name != p->bound.v[i].name)
			p->bound.v[n++] = p->bound.v[i];
		else if (p->bound.v[n - 1].target != p->bound.v[i].target)
			p->bound.v[n - 1].target = NULL;
	}
	p->bound.nr = n;
}

static const struct bound *bound_find(const struct pyx *p, const char *name)
{
	size_t lo = 0, hi = p->bound.nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int c = strcmp(p->bound.v[mid].name, name);

		if (!c)
			return &p->bound.v[mid];
		if (c < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

/* ---- scopes
 * -------------------------------------------------------------------------------------- */

/* The ':' that ends the head of the statement at token i, NO_TOKEN without one. */
static uint32_t head_end(const struct pyx *p, uint32_t i)
{
	uint32_t start = i;

	for (; i < p->t.nr && (i == start || !p->t.v[i].first); i++) {
		if (is_op(p, i, ':'))
			return i;
		if (p->t.v[i].match != NO_TOKEN && p->t.v[i].match > i)
			i = p->t.v[i].match;
	}
	return NO_TOKEN;
}

/* The name that a def, class, cdef or cpdef at token i defines, NO_TOKEN when it is none. */
static uint32_t def_name(const struct pyx *p, uint32_t i, uint32_t colon, bool *function)
{
	bool c = is_word(p, i, "cdef") || is_word(p, i, "cpdef");

	i += is_word(p, i, "async");
	*function = is_word(p, i, "def");
	if (*function || is_word(p, i, "class"))
		return is_name(p, i + 1) ? i + 1 : NO_TOKEN;
	if (!c)
		return NO_TOKEN;
	for (i++; i < colon; i++) {
		if (is_word(p, i, "class"))
			return is_name(p, i + 1) ? i + 1 : NO_TOKEN;
		if (is_op(p, i, '=') || is_word(p, i, "extern"))
			return NO_TOKEN;
		*function = is_op(p, i + 1, '(');
		if (is_name(p, i) && *function)
			return i;
	}
	return NO_TOKEN;
}

/* Scopes at the first token of a statement: leave those that ended, prepare the one that begins. */
static void scope_step(struct pyx *p, uint32_t i)
{
	const struct token *t = &p->t.v[i];
	const char *outer, *name;
	bool function;
	uint32_t colon, at;

	while (p->nr_scopes && p->scopes[p->nr_scopes - 1].indent >= t->indent)
		p->nr_scopes--;
	colon = head_end(p, i);
	at = colon == NO_TOKEN ? NO_TOKEN : def_name(p, i, colon, &function);
	if (at == NO_TOKEN || p->nr_scopes == SCOPE_LIMIT)
		return;
	outer = p->nr_scopes ? p->scopes[p->nr_scopes - 1].name : NULL;
	name = token_text(p, at);
	if (outer)
		name = intern_str(p->w->intern, arena_fmt(&p->w->scratch, "%s.%s", outer, name));
	p->pending = (struct scope){name, t->indent, function};
	p->pending_at = colon;
}

/* ---- uses
 * ---------------------------------------------------------------------------------------- */

static enum value_kind value_of(const struct pyx *p, uint32_t first, uint32_t end)
{
	const struct token *t = &p->t.v[first];

	if (end != first + 1)
		return VALUE_OTHER;
	if (t->kind == T_NUMBER)
		return VALUE_NUMBER;
	if (is_word(p, first, "None"))
		return VALUE_NONE;
	if (is_word(p, first, "True") || is_word(p, first, "False"))
		return VALUE_BOOL;
	return t->kind == T_NAME ? VALUE_NAME : VALUE_OTHER;
}

/* One argument, tokens [first, end). */
static void arg_read(struct pyx *p, uint32_t first, uint32_t end, struct arg *out)
{
	uint32_t value = first;

	if (is_name(p, first) && is_op(p, first + 1, '=') && first + 2 < end &&
	    !is_op(p, first + 2, '=')) {
		out->keyword = token_text(p, first);
		value = first + 2;
	} else if (is_op(p, first, '*') && first + 1 < end) {
		out->splat = true;
		value = first + 1 + (is_op(p, first + 1, '*') && first + 2 < end);
	}
	out->span = tokens_span(p, first, end);
	out->valspan = tokens_span(p, value, end);
	out->value = value_of(p, value, end);
	if (out->value != VALUE_OTHER)
		out->text = token_text(p, value);
}

/* The call whose "(" is token `open`. */
static void call_read(struct pyx *p, struct fact *f, uint32_t open)
{
	uint32_t close = p->t.v[open].match, first = open + 1, i;
	VEC(struct arg) args = {0};

	f->flags |= F_CALL;
	if (close == NO_TOKEN)
		return;
	f->stmt.end = p->t.v[close].end;
	for (i = first; i <= close; i++) {
		if (i == close || is_op(p, i, ',')) {
			if (i > first)
				arg_read(p, first, i, VEC_PUSH(&p->w->scratch, &args));
			first = i + 1;
		} else if (p->t.v[i].match != NO_TOKEN && p->t.v[i].match > i) {
			i = p->t.v[i].match;
		}
	}
	if (!args.nr)
		return;
	f->args = arena_array(p->w->arena, args.nr, sizeof(*args.v));
	memcpy(f->args, args.v, args.nr * sizeof(*args.v));
	f->nr_args = args.nr;
	for (i = 0; i < args.nr; i++)
		f->flags |= args.v[i].splat ? F_SPLAT : 0;
}

/* The members among the names of the chain, tokens [first, end); names stand at every other token.
 */
static void chain_members(struct pyx *p, uint32_t first, uint32_t end)
{
	bool tail = first && is_op(p, first - 1, '.'); /* behind a call or subscript */
	uint32_t i;

	for (i = tail ? first : first + 2; i < end; i += 2) {
		const char *name = token_text(p, i);
		struct span span = {p->t.v[i].start, p->t.v[i].end};
		struct span stmt = {p->t.v[first].start, span.end};
		struct fact *f;

		if (!p->w->vocab->members || !list_has(p->w->vocab->members, name))
			continue;
		f = pyx_fact(p, FACT_MEMBER, name, span, tail ? span : stmt);
		if (!f)
			return;
		if (!tail && span.start - stmt.start <= 64)
			f->text = intern(p->w->intern, p->text + stmt.start,
					 p->t.v[i - 2].end - stmt.start);
		if (i + 1 == end && goes_on(p, end, '('))
			call_read(p, f, end);
		else if (i + 1 == end && is_op(p, end, '=') && !is_op(p, end + 1, '='))
			f->flags |= F_STORE;
	}
}

/* The chain of names that begins at token i; token behind it. */
static uint32_t chain_read(struct pyx *p, uint32_t i)
{
	bool tail = i && is_op(p, i - 1, '.');
	const struct vocab *v = p->w->vocab;
	struct strbuf sb = STRBUF_INIT;
	uint32_t end = dotted_read(p, i, &sb);
	const char *first = token_text(p, i), *rest = sb.buf + strcspn(sb.buf, "."), *name;
	const struct bound *b = tail ? NULL : bound_find(p, first);
	bool keyword = end == i + 1 && i && (is_op(p, i - 1, '(') || is_op(p, i - 1, ',')) &&
		       is_op(p, end, '=') && !is_op(p, end + 1, '=');

	name = b ? b->target : (*rest ? first : NULL);
	if (tail || keyword || !name ||
	    (!list_holds(v->roots, name) && !list_holds(v->target_roots, name))) {
		chain_members(p, i, end);
	} else {
		struct span span = tokens_span(p, i, end);
		struct fact *f;

		name = intern_str(p->w->intern, arena_fmt(&p->w->scratch, "%s%s", name, rest));
		f = pyx_fact(p, FACT_USE, name, span, span);
		if (f && goes_on(p, end, '('))
			call_read(p, f, end);
		if (f && i && is_op(p, i - 1, '@') && p->t.v[i - 1].first)
			f->flags |= F_DECORATOR;
	}
	strbuf_release(&sb);
	return end;
}

/* ---- passes
 * -------------------------------------------------------------------------------------- */

/* An import statement may also stand behind the ':' of a compound statement on one line. */
static bool may_import(const struct pyx *p, uint32_t i)
{
	return p->t.v[i].first || (i && is_op(p, i - 1, ':'));
}

/* One step over the tokens; scopes are followed the same way in both passes. */
static void step(struct pyx *p, uint32_t i)
{
	if (p->t.v[i].first)
		scope_step(p, i);
	if (i == p->pending_at) {
		p->scopes[p->nr_scopes++] = p->pending;
		p->pending_at = NO_TOKEN;
	}
}

static void scopes_reset(struct pyx *p)
{
	p->nr_scopes = 0;
	p->pending_at = NO_TOKEN;
}

static void imports_pass(struct pyx *p)
{
	size_t f, before;
	uint32_t i, end;

	scopes_reset(p);
	for (i = 0; i < p->t.nr && !p->full; i = end) {
		before = p->w->facts.nr;
		step(p, i);
		end = i;
		if (may_import(p, i) && is_import_word(p, i))
			end = import_plain(p, i);
		else if (may_import(p, i) && is_word(p, i, "from"))
			end = import_from(p, i);
		if (end <= i) {
			end = i + 1;
			continue;
		}
		*VEC_PUSH(&p->w->scratch, &p->imports) = (struct range){i, end};
		for (f = before; f < p->w->facts.nr; f++)
			p->w->facts.v[f].stmt.end = p->t.v[end - 1].end;
	}
	bound_finish(p);
}

static void uses_pass(struct pyx *p)
{
	size_t import = 0;
	uint32_t i, end;

	scopes_reset(p);
	for (i = 0; i < p->t.nr && !p->full; i = end) {
		step(p, i);
		end = i + 1;
		if (import < p->imports.nr && p->imports.v[import].first == i)
			end = p->imports.v[import++].end;
		else if (is_name(p, i))
			end = chain_read(p, i);
	}
}

void pyx_facts(struct py_worker *w, struct source *s, const char *text, size_t len,
	       struct notices *n)
{
	struct pyx p = {.w = w, .s = s, .text = text, .len = len};
	struct lines lines;

	if (bom_len(text, len))
		p.at = 3;
	tokens_read(&p);
	imports_pass(&p);
	uses_pass(&p);
	s->analysis = ANALYSIS_LEXICAL;
	if (p.bad) {
		lines_init(&lines, &w->scratch, text, len);
		notice_add(n, w->arena, s->path, "parse",
			   "line %u: string or bracket is never closed",
			   lines_at(&lines, p.bad - 1, NULL));
	}
	if (p.full)
		notice_add(n, w->arena, s->path, "parse", "too long; not all was read");
	facts_finish(w, s);
}
