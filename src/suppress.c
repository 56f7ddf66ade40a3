/*
 * suppress.c - see suppress.h.
 *
 * A comment that stands alone is about the next line that holds neither nothing nor a comment, so
 * that its reason may be wrapped. A finding is on a line when it begins or ends there. In C a block
 * comment is as good as the other kind: it is the only one that a macro can hold.
 */
#include "suppress.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "base/path.h"

static const char tool_word[] = "pdmigrate:";

struct reading {
	struct source *source;
	const char *text;
	size_t len;
	struct arena *arena;
	VEC(struct fact) facts;
};

/* ---- reading ------------------------------------------------------------------------------------ */

static size_t blanks(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && (s[i] == ' ' || s[i] == '\t'))
		i++;
	return i;
}

/* Offset of what is said in a comment's words[0..n) to this program, behind its name; n: nothing. */
static size_t directive_at(const char *words, size_t n)
{
	const char *p = memmem(words, n, tool_word, strlen(tool_word));
	size_t at = p ? (size_t)(p - words) : n;

	if (!p || (at && !strchr(" \t#/", words[at - 1])))
		return n;
	at += strlen(tool_word);
	return at + blanks(words + at, n - at);
}

static size_t word_len(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && ((s[i] >= 'a' && s[i] <= 'z') || s[i] == '-'))
		i++;
	return i;
}

/* Prose may speak of the program too: what is meant for it goes on with brackets, a reason or nothing. */
static bool is_directive(const char *s, size_t n)
{
	size_t word = word_len(s, n);
	bool known = (word == 11 && !memcmp(s, "ignore-file", word)) ||
		     (word == 6 && !memcmp(s, "ignore", word));
	size_t at = word + blanks(s + word, n - word);

	if (!word)
		return false;
	if (word < n && s[word] == '[')
		return true;
	return known && (at == n || (n - at > 1 && !memcmp(s + at, "--", 2)));
}

/* The ids between brackets at s[0..n), comma separated without blanks; *used: behind the bracket. */
static const char *ids_read(struct arena *a, const char *s, size_t n, size_t *used)
{
	struct strbuf sb = STRBUF_INIT;
	const char *close = memchr(s, ']', n), *p, *out;

	*used = close ? (size_t)(close - s) + 1 : n;
	for (p = s + 1; close && p < close; p++)
		if (*p != ' ' && *p != '\t')
			strbuf_addch(&sb, *p);
	out = arena_strndup(a, sb.buf, sb.len);
	strbuf_release(&sb);
	return out;
}

/* What is behind " -- " at s[0..n), trimmed; "" where there is none. */
static const char *reason_read(struct arena *a, const char *s, size_t n)
{
	size_t at = blanks(s, n);

	if (n - at < 2 || memcmp(s + at, "--", 2))
		return "";
	at += 2;
	at += blanks(s + at, n - at);
	while (n > at && (s[n - 1] == ' ' || s[n - 1] == '\t'))
		n--;
	return arena_strndup(a, s + at, n - at);
}

/* The next line of code from offset `at` on. */
static struct span next_code(const struct reading *r, size_t at)
{
	const char *mark = comment_mark(lang_comment(r->source->lang));
	size_t n = strlen(mark), start = at, end;

	for (; at < r->len; at = end + 1) {
		start = at;
		end = start + strcspn(r->text + start, "\r\n");
		at += blanks(r->text + at, end - at);
		if (at + 1 == end && r->text[at] == '\\')
			continue;
		if (at < end && (end - at < n || memcmp(r->text + at, mark, n)))
			return (struct span){(uint32_t)start, (uint32_t)end};
	}
	return (struct span){(uint32_t)r->len, (uint32_t)r->len};
}

static void def_find(const struct source *s, struct fact *f)
{
	size_t i;

	f->symbol = "";
	f->def = f->guard = -1;
	for (i = 0; i < s->nr_defs && s->defs[i].span.start <= f->span.start; i++)
		if (f->span.start < s->defs[i].span.end && !s->defs[i].is_lambda) {
			f->def = (int)i;
			f->symbol = s->defs[i].name;
		}
}

static void fact_void(struct fact *f, const char *why)
{
	f->verdict = VERDICT_UNKNOWN;
	f->text = why;
}

static bool is_own_line(const struct reading *r, const struct comment *c)
{
	return blanks(r->text + c->line, c->indent) == c->indent;
}

/* Behind the comment's line, and lines of C that a backslash joins to it. */
static size_t behind_joined(const struct reading *r, const struct comment *c)
{
	size_t at = c->next, end = c->end;

	while (lang_comment(r->source->lang) == COMMENT_C && end > c->line && at > end &&
	       r->text[end - 1] == '\\' && at < r->len) {
		end = at + strcspn(r->text + at, "\r\n");
		at = end + (end < r->len && r->text[end] == '\r');
		at += at < r->len && r->text[at] == '\n';
	}
	return at;
}

static void directive_read(struct reading *r, const struct comment *c, const char *s, size_t n)
{
	size_t word = word_len(s, n), used = 0;
	bool file = word == strlen("ignore-file") && !memcmp(s, "ignore-file", word);
	bool line = word == strlen("ignore") && !memcmp(s, "ignore", word);
	struct fact *f = VEC_PUSH(r->arena, &r->facts);

	f->kind = FACT_SUPPRESS;
	f->name = "*";
	f->verdict = VERDICT_GAP;
	f->span = (struct span){c->line + c->indent, c->end};
	if (file)
		f->stmt = (struct span){0, (uint32_t)r->len};
	else if (is_own_line(r, c))
		f->stmt = next_code(r, behind_joined(r, c));
	else
		f->stmt = (struct span){c->line, c->end};
	def_find(r->source, f);
	if (word < n && s[word] == '[')
		f->name = ids_read(r->arena, s + word, n - word, &used);
	f->text = reason_read(r->arena, s + word + used, n - word - used);
	if (!file && !line)
		fact_void(f, "it is 'ignore[ID] -- reason' or 'ignore-file[ID] -- reason'");
	else if (!*f->name || (line && !used))
		fact_void(f, "it names no rule in brackets");
	else if (!*f->text)
		fact_void(f, "it gives no reason behind ' -- '");
}

/* ---- block comments of C ------------------------------------------------------------------------ */

/* Behind the string, character or line comment at `at`, else behind the byte. */
static size_t skip_text(const struct reading *r, size_t at)
{
	const char *s = r->text;
	char quote = s[at];

	if (quote == '/' && at + 1 < r->len && s[at + 1] == '/') {
		while (at < r->len && s[at] != '\n')
			at += s[at] == '\\' && at + 1 < r->len ? 2 : 1;
		return at;
	}
	/* Behind a letter or digit an apostrophe parts digits. */
	if (quote == '\'' ? at && isalnum((unsigned char)s[at - 1]) : quote != '"')
		return at + 1;
	for (at++; at < r->len && s[at] != quote && s[at] != '\n'; at++)
		at += s[at] == '\\';
	return at < r->len ? at + 1 : r->len;
}

/* The line [start, end) of the block comment [c->line + c->indent, c->next). */
static void block_line(struct reading *r, const struct comment *c, size_t start, size_t end)
{
	size_t at;

	while (start < end && strchr(" \t*/", r->text[start]))
		start++;
	while (end > start && strchr(" \t\r\\", r->text[end - 1]))
		end--;
	at = directive_at(r->text + start, end - start);
	if (at < end - start && is_directive(r->text + start + at, end - start - at))
		directive_read(r, c, r->text + start + at, end - start - at);
}

/* The block comment from `at`; returns the offset behind it. */
static size_t block_read(struct reading *r, size_t at)
{
	const char *close = memmem(r->text + at + 2, r->len - at - 2, "*/", 2);
	size_t end = close ? (size_t)(close - r->text) : r->len, line = at, next;
	struct comment c = {0};

	while (line && r->text[line - 1] != '\n' && r->text[line - 1] != '\r')
		line--;
	c.line = (uint32_t)line;
	c.indent = (uint32_t)(at - line);
	c.end = c.next = (uint32_t)(close ? end + 2 : end);
	for (line = at; line < end; line = next + 1) {
		for (next = line; next < end && r->text[next] != '\n' && r->text[next] != '\r'; next++)
			;
		block_line(r, &c, line, next);
	}
	return c.next;
}

static void blocks_read(struct reading *r)
{
	size_t at = 0;

	while (at < r->len) {
		if (r->text[at] == '/' && at + 1 < r->len && r->text[at + 1] == '*')
			at = block_read(r, at);
		else
			at = skip_text(r, at);
	}
}

static int fact_order(const void *a, const void *b)
{
	const struct fact *x = a, *y = b;

	return (x->span.start > y->span.start) - (x->span.start < y->span.start);
}

static void facts_insert(struct reading *r)
{
	struct source *s = r->source;
	size_t nr = s->nr_facts + r->facts.nr, i, k = 0, m = 0;
	struct fact *all = arena_array(r->arena, nr, sizeof(*all));

	qsort(r->facts.v, r->facts.nr, sizeof(*r->facts.v), fact_order);
	for (i = 0; i < nr; i++) {
		bool old = m == r->facts.nr ||
			   (k < s->nr_facts && s->facts[k].span.start < r->facts.v[m].span.start);

		all[i] = old ? s->facts[k++] : r->facts.v[m++];
	}
	s->facts = all;
	s->nr_facts = nr;
}

void suppress_facts(struct source *s, const char *text, size_t len, struct arena *a)
{
	struct reading r = {.source = s, .text = text, .len = len, .arena = a};
	struct comment_scan scan;
	struct comment c;

	if (!len || !memmem(text, len, tool_word, strlen(tool_word)))
		return;
	comment_start(&scan, lang_comment(s->lang), text, len);
	while (comment_next_any(&scan, &c)) {
		size_t n = c.end > c.words ? c.end - c.words : 0;
		size_t at = directive_at(text + c.words, n);

		if (at < n && is_directive(text + c.words + at, n - at))
			directive_read(&r, &c, text + c.words + at, n - at);
	}
	if (lang_comment(s->lang) == COMMENT_C)
		blocks_read(&r);
	if (r.facts.nr)
		facts_insert(&r);
}

/* ---- using -------------------------------------------------------------------------------------- */

static bool ids_hold(const char *ids, const char *id)
{
	size_t n;

	if (!strcmp(ids, "*"))
		return true;
	for (; *ids; ids += n + (ids[n] == ',')) {
		n = strcspn(ids, ",");
		if (n == strlen(id) && !memcmp(ids, id, n))
			return true;
	}
	return false;
}

/* Names and aliases become ids; a word that is none makes the suppression void. */
static void ids_resolve(struct fact *f, const struct rules *rules, struct arena *a)
{
	const char *word, *ids = f->name, *called, *all = NULL;
	size_t n;

	for (; *ids; ids += n + (ids[n] == ',')) {
		n = strcspn(ids, ",");
		word = arena_strndup(a, ids, n);
		called = rules_called(rules, a, word);
		if (!called) {
			fact_void(f, arena_fmt(a, "there is no rule '%s'", word));
			return;
		}
		all = all ? arena_fmt(a, "%s,%s", all, called) : called;
	}
	f->name = all ? all : f->name;
}

void suppress_check(struct source *s, const struct rules *rules, struct arena *a)
{
	size_t i;

	for (i = 0; i < s->nr_facts; i++) {
		struct fact *f = &s->facts[i];

		if (f->kind == FACT_SUPPRESS && f->verdict == VERDICT_GAP && strcmp(f->name, "*"))
			ids_resolve(f, rules, a);
	}
}

static bool span_on(struct span line, struct span at)
{
	uint32_t last = at.end > at.start ? at.end - 1 : at.start;

	return (at.start >= line.start && at.start <= line.end) ||
	       (last >= line.start && last <= line.end);
}

static void finding_suppress(const struct source *s, struct finding *f)
{
	size_t i;

	for (i = 0; i < s->nr_facts; i++) {
		struct fact *by = &s->facts[i];

		if (by->kind != FACT_SUPPRESS || by->verdict == VERDICT_UNKNOWN ||
		    !ids_hold(by->name, f->rule) || !span_on(by->stmt, f->span))
			continue;
		by->verdict = VERDICT_COVERED;
		f->state = STATE_SUPPRESSED;
		f->state_reason = f->state_reason ? f->state_reason : by->text;
	}
}

static bool is_about_suppression(const struct finding *f)
{
	return f->fact && f->fact->kind == FACT_SUPPRESS;
}

void suppress_apply(const struct source *s, struct findings *f)
{
	size_t i, nr = 0;

	for (i = 0; i < s->nr_facts && s->facts[i].kind != FACT_SUPPRESS; i++)
		;
	if (i == s->nr_facts)
		return;
	for (i = 0; i < f->nr; i++)
		if (!is_about_suppression(f->v[i]))
			finding_suppress(s, f->v[i]);
	for (i = 0; i < f->nr; i++)
		if (!is_about_suppression(f->v[i]) || f->v[i]->fact->verdict != VERDICT_COVERED)
			f->v[nr++] = f->v[i];
	f->nr = nr;
}

/* ---- the configuration -------------------------------------------------------------------------- */

static bool path_excluded(const struct run_options *o, const char *path)
{
	size_t i;

	for (i = 0; i < o->exclude.nr; i++)
		if (path_under(path, o->exclude.v[i]) || glob_match(o->exclude.v[i], path))
			return true;
	return false;
}

static const struct rule_level *level_of(const struct run_options *o, const char *rule)
{
	size_t i;

	for (i = 0; i < o->nr_levels; i++)
		if (!strcmp(o->levels[i].rule, rule))
			return &o->levels[i];
	return NULL;
}

void findings_tune(const struct run_options *o, struct findings *f)
{
	size_t i, nr = 0;

	for (i = 0; i < f->nr; i++) {
		const struct rule_level *level = level_of(o, f->v[i]->rule);

		if ((level && level->off) || path_excluded(o, f->v[i]->source->path))
			continue;
		if (level)
			f->v[i]->level = level->level;
		f->v[nr++] = f->v[i];
	}
	f->nr = nr;
}

static void fix_tune(const struct run_options *o, struct fix *fix)
{
	size_t i;

	for (i = 0; i < fix->nr_edits; i++) {
		if (!fix->edits[i].path || !path_excluded(o, fix->edits[i].path))
			continue;
		fix->nr_edits = 0;
		fix->reason = "it would edit a file that the configuration excludes";
	}
}

void result_tune(const struct run_options *o, struct result *r)
{
	size_t i, nr = 0;

	if (!o->exclude.nr)
		return;
	for (i = 0; i < r->notices.nr; i++)
		if (!r->notices.v[i].path || !path_excluded(o, r->notices.v[i].path))
			r->notices.v[nr++] = r->notices.v[i];
	r->notices.nr = nr;
	for (i = 0; i < r->findings.nr; i++)
		if (r->findings.v[i]->fix)
			fix_tune(o, r->findings.v[i]->fix);
}
