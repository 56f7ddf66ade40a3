/*
 * cfg.c - setup.cfg: dependency rows and plain settings.
 *
 * In: the bytes of one file. Out: FACT_REQUIRE for the lists of requirements that setuptools reads,
 * FACT_SETTING ("section.key") for every other key. Read as Python's configparser does with its
 * defaults:
 * "#" and ";" make a comment only at the start of a line, "=" or ":" ends a key, a line that is
 * indented deeper than its key goes on with the value, blank lines and comments stay inside it.
 * recv of a row is the word that setup() has for it ("install_requires"), whichever section it
 * stands in.
 */
#include "py/internal.h"

#include <string.h>

#include "base/lines.h"
#include "base/strbuf.h"

#define FACT_LIMIT 20000

/* One line; offsets in the file. `start` is behind the indentation, `end` before trailing space. */
struct cfg_line {
	size_t start, end;
	size_t indent;
	uint32_t number;
};

struct cfg {
	struct py_worker *w;
	struct source *s;
	const char *text;
	size_t len, at;
	uint32_t line;
	const char *section; /* NULL: before the first */
	uint32_t bad;        /* first line that is neither section, key nor value; 0: none */
	bool full;           /* FACT_LIMIT reached */
};

/* An open key and the lines of its value. */
struct cfg_key {
	bool open;
	size_t start, end; /* key */
	size_t indent;
	size_t value_start, value_end;
	VEC(struct cfg_line) lines;
};

static bool space_byte(char c)
{
	return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static size_t trim_end(const char *s, size_t start, size_t end)
{
	while (end > start && space_byte(s[end - 1]))
		end--;
	return end;
}

static bool line_read(struct cfg *c, struct cfg_line *out)
{
	const char *t = c->text;
	size_t start = c->at, at = start, end;

	if (at >= c->len)
		return false;
	while (at < c->len && t[at] != '\n' && t[at] != '\r')
		at++;
	end = at;
	if (at + 1 < c->len && t[at] == '\r' && t[at + 1] == '\n')
		at++;
	c->at = at < c->len ? at + 1 : c->len;
	for (at = start; at < end && space_byte(t[at]); at++)
		;
	*out = (struct cfg_line){at, trim_end(t, at, end), at - start, ++c->line};
	return true;
}

static struct fact *cfg_fact(struct cfg *c, enum fact_kind kind, const char *name, struct span span,
			     struct span stmt)
{
	struct fact *f;

	if (c->w->facts.nr >= FACT_LIMIT) {
		c->full = true;
		return NULL;
	}
	f = fact_new(c->w, kind, intern_str(c->w->intern, name), span);
	f->symbol = "";
	f->stmt = stmt;
	return f;
}

/* The word of setup() for a list of requirements, NULL when the key holds something else. */
static const char *require_word(const struct cfg *c, const struct cfg_key *k)
{
	static const char *const words[] = {"install_requires", "setup_requires", "tests_require"};
	char key[32];
	size_t i, n = k->end - k->start;

	if (!strcmp(c->section, "options.extras_require"))
		return "extras_require";
	if (strcmp(c->section, "options") || n >= sizeof(key))
		return NULL;
	for (i = 0; i < n; i++)
		key[i] = c->text[k->start + i] == '-' ? '_' : c->text[k->start + i];
	key[n] = 0;
	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(key, words[i]))
			return words[i];
	return NULL;
}

/* One requirement in [start, end). */
static void cfg_row(struct cfg *c, const char *recv, size_t start, size_t end, uint32_t line)
{
	const char *t = c->text;
	struct span span, stmt;
	struct pep508 p;
	struct fact *f;
	size_t i;

	while (start < end && space_byte(t[start]))
		start++;
	for (i = start; i < end; i++)
		if (t[i] == '#' && (i == start || space_byte(t[i - 1])))
			end = i;
	end = trim_end(t, start, end);
	if (start == end)
		return;
	if (!pep508_parse(t + start, end - start, &p)) {
		c->bad = c->bad ? c->bad : line;
		return;
	}
	stmt = (struct span){(uint32_t)start, (uint32_t)end};
	span = (struct span){stmt.start + p.name_span.start, stmt.start + p.name_span.end};
	f = cfg_fact(c, FACT_REQUIRE, p.name, span, stmt);
	if (!f)
		return;
	f->text = arena_strndup(c->w->arena, t + start, end - start);
	f->recv = recv;
}

/* A list of requirements: a row a line, or on one line with ';' between them. */
static void cfg_rows(struct cfg *c, const struct cfg_key *k, const char *recv)
{
	const struct cfg_line *l;
	size_t i, at, stop;

	if (k->lines.nr > 1) {
		for (i = 0; i < k->lines.nr; i++) {
			l = &k->lines.v[i];
			cfg_row(c, recv, l->start, l->end, l->number);
		}
		return;
	}
	l = k->lines.v;
	for (at = l->start; at < l->end; at = stop + 1) {
		const char *p = memchr(c->text + at, ';', l->end - at);

		stop = p ? (size_t)(p - c->text) : l->end;
		cfg_row(c, recv, at, stop, l->number);
	}
}

/* The value as configparser gives it: its lines, joined by "\n". */
static const char *value_text(struct cfg *c, const struct cfg_key *k)
{
	struct strbuf sb = STRBUF_INIT;
	const char *out;
	size_t i;

	for (i = 0; i < k->lines.nr; i++) {
		const struct cfg_line *l = &k->lines.v[i];

		if (i)
			strbuf_addch(&sb, '\n');
		strbuf_add(&sb, c->text + l->start, l->end - l->start);
	}
	out = arena_strndup(c->w->arena, sb.buf, sb.len);
	strbuf_release(&sb);
	return out;
}

/* `command = a.b:c`, one a line: a setting each, below the key that is the group. */
static void cfg_entries(struct cfg *c, const struct cfg_key *k)
{
	const char *t = c->text;
	struct fact *f;
	size_t i;

	for (i = 0; i < k->lines.nr; i++) {
		const struct cfg_line *l = &k->lines.v[i];
		const char *eq = memchr(t + l->start, '=', l->end - l->start);
		size_t at = eq ? (size_t)(eq - t) : l->end;
		struct span span = {(uint32_t)at + 1, (uint32_t)l->end};

		if (at >= l->end)
			continue;
		while (span.start < span.end && space_byte(t[span.start]))
			span.start++;
		f = cfg_fact(c, FACT_SETTING,
			     arena_fmt(&c->w->scratch, "%s.%.*s.%.*s", c->section,
				       (int)(k->end - k->start), t + k->start,
				       (int)(trim_end(t, l->start, at) - l->start), t + l->start),
			     span, (struct span){(uint32_t)l->start, (uint32_t)l->end});
		if (f)
			f->text = arena_strndup(c->w->arena, t + span.start, span.end - span.start);
	}
}

static void key_close(struct cfg *c, struct cfg_key *k)
{
	struct span span = {(uint32_t)k->value_start, (uint32_t)k->value_end};
	struct span stmt = {(uint32_t)k->start, (uint32_t)k->value_end};
	const char *recv;
	struct fact *f;

	if (!k->open)
		return;
	k->open = false;
	recv = require_word(c, k);
	/* "file: requirements.txt" names files, no distributions. */
	if (recv && (span.end - span.start < 5 || memcmp(c->text + span.start, "file:", 5))) {
		cfg_rows(c, k, recv);
		return;
	}
	if (!strcmp(c->section, "options.entry_points")) {
		cfg_entries(c, k);
		return;
	}
	f = cfg_fact(c, FACT_SETTING,
		     arena_fmt(&c->w->scratch, "%s.%.*s", c->section, (int)(k->end - k->start),
			       c->text + k->start),
		     span, stmt);
	if (f)
		f->text = value_text(c, k);
}

static void key_open(struct cfg *c, struct cfg_key *k, const struct cfg_line *l)
{
	const char *t = c->text;
	size_t sep = l->start, value;

	while (sep < l->end && t[sep] != '=' && t[sep] != ':')
		sep++;
	if (sep == l->end || sep == l->start || !c->section) {
		c->bad = c->bad ? c->bad : l->number;
		return;
	}
	for (value = sep + 1; value < l->end && space_byte(t[value]); value++)
		;
	k->open = true;
	k->start = l->start;
	k->end = trim_end(t, l->start, sep);
	k->indent = l->indent;
	k->value_start = value;
	k->value_end = l->end > value ? l->end : value;
	k->lines.nr = 0;
	*VEC_PUSH(&c->w->scratch, &k->lines) = (struct cfg_line){value, k->value_end, 0, l->number};
}

static void value_go_on(struct cfg *c, struct cfg_key *k, const struct cfg_line *l)
{
	if (k->value_start == k->value_end)
		k->value_start = l->start;
	k->value_end = l->end;
	*VEC_PUSH(&c->w->scratch, &k->lines) = *l;
}

static void cfg_line(struct cfg *c, struct cfg_key *k, const struct cfg_line *l)
{
	const char *t = c->text;
	size_t end = l->end;

	if (l->start == l->end || t[l->start] == '#' || t[l->start] == ';')
		return;
	if (k->open && l->indent > k->indent) {
		value_go_on(c, k, l);
		return;
	}
	key_close(c, k);
	if (t[l->start] != '[') {
		key_open(c, k, l);
		return;
	}
	while (end > l->start && t[end - 1] != ']')
		end--;
	if (end < l->start + 3) {
		c->bad = c->bad ? c->bad : l->number;
		c->section = NULL; /* what follows belongs to a section we do not know */
		return;
	}
	c->section = arena_strndup(&c->w->scratch, t + l->start + 1, end - l->start - 2);
}

void cfg_facts(struct py_worker *w, struct source *s, const char *text, size_t len,
	       struct notices *n)
{
	struct cfg c = {.w = w, .s = s, .text = text, .len = len};
	struct cfg_key key = {0};
	struct cfg_line line;

	if (bom_len(text, len))
		c.at = 3;
	while (!c.full && line_read(&c, &line))
		cfg_line(&c, &key, &line);
	key_close(&c, &key);
	s->analysis = c.bad || c.full ? ANALYSIS_PARTIAL : ANALYSIS_FULL;
	if (c.bad)
		notice_add(n, w->arena, s->path, "parse", "line %u: not valid configuration here",
			   c.bad);
	if (c.full)
		notice_add(n, w->arena, s->path, "parse",
			   "more than %d keys and rows; the rest was not read", FACT_LIMIT);
	facts_finish(w, s);
}
