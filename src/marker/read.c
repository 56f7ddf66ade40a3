/*
 * read.c - see marker.h.
 *
 * A marker begins a comment line with a word of the vocabulary. Of our own form it goes on over the
 * comment lines below until its rule's id; what a person wrote goes on to the end of the comment.
 */
#include <ctype.h>
#include <string.h>

#include "base/strbuf.h"
#include "marker/internal.h"

#define MARKER_LINES_MAX 12
#define MARKER_LEN_MAX	 4096
#define ID_LEN		 5

struct reader {
	struct source *source;
	const char *text;
	const struct vocab *vocab;
	struct arena *arena;
	VEC(struct fact) facts;
	/* Of the marker that is being read: */
	struct strbuf words;
	struct comment first, last;
	size_t lines; /* 0: none */
	bool whole;   /* its id has been read */
};

static bool begins_marker(const struct reader *r, const char *s, size_t n)
{
	const char *const *word;
	size_t len;

	for (word = r->vocab->marker_words; word && *word; word++) {
		len = strlen(*word);
		if (n > len && !memcmp(s, *word, len) && strchr("(: ", s[len]))
			return true;
	}
	return false;
}

/* Length of "x3" at s, the times sign in UTF-8 too; 0: something else. */
static size_t times_len(const char *s)
{
	size_t n = *s == 'x' ? 1 : !strncmp(s, "\xc3\x97", 2) ? 2 : 0, digits;

	digits = n ? strspn(s + n, "0123456789") : 0;
	return digits ? n + digits : 0;
}

/* The "[PDnnn]" that ends the words, with a count behind it or not; NULL: none does. */
static const char *id_at_end(const char *words)
{
	const char *id = strrchr(words, '['), *p;
	size_t i;

	if (!id || strncmp(id, "[PD", 3))
		return NULL;
	for (i = 3; i < 6; i++)
		if (!isdigit((unsigned char)id[i]))
			return NULL;
	if (id[6] != ']')
		return NULL;
	p = id + 7;
	if (*p == ' ')
		p += 1 + times_len(p + 1);
	return *p ? NULL : id;
}

/* What a marker of our own says; false: it is none. */
static bool own_read(const char *words, struct arena *a, struct saying *out)
{
	static const char when[] = "remove when ", kept[] = "kept long-term: ";
	const char *id = id_at_end(words), *p, *next;

	if (!id)
		return false;
	out->name = arena_strndup(a, id + 1, ID_LEN);
	out->condition = NULL;
	p = strstr(words, when);
	while (p && (next = strstr(p + 1, when)))
		p = next;
	if (!p)
		return strstr(words, kept) != NULL;
	p += strlen(when);
	if (p >= id)
		return false;
	out->condition = arena_strndup(a, p, (size_t)(id - p) - (id[-1] == ' '));
	return true;
}

static void def_set(const struct source *s, struct fact *f)
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

/* The marker that has been read, if it is one, becomes a fact. */
static void marker_end(struct reader *r)
{
	struct saying said;
	struct fact *f;

	if (!r->lines)
		return;
	r->lines = 0;
	if (r->words.len > MARKER_LEN_MAX)
		return;
	if (!own_read(r->words.buf, r->arena, &said) &&
	    !foreign_read(r->words.buf, r->vocab, r->arena, &said))
		return;
	f = VEC_PUSH(r->arena, &r->facts);
	f->kind = FACT_MARKER;
	f->name = said.name;
	f->recv = said.condition;
	f->text = arena_strndup(r->arena, r->words.buf, r->words.len);
	f->span = (struct span){ r->first.line + r->first.indent, r->last.end };
	f->stmt = (struct span){ r->first.line, r->last.next };
	def_set(r->source, f);
}

static void line_add(struct reader *r, const struct comment *c)
{
	const char *s = r->text + c->words;
	size_t n = c->end - c->words;

	for (; n && (*s == ' ' || *s == '\t'); n--)
		s++;
	while (n && (s[n - 1] == ' ' || s[n - 1] == '\t'))
		n--;
	if (r->lines && n)
		strbuf_addch(&r->words, ' ');
	strbuf_add(&r->words, s, n);
	if (!r->lines++)
		r->first = *c;
	r->last = *c;
	r->whole = id_at_end(r->words.buf) != NULL;
}

/* Does the line go on with the marker before it? */
static bool goes_on(const struct reader *r, const struct comment *c)
{
	const char *s = r->text + c->words;
	size_t n = c->end - c->words, times;

	if (!r->lines || r->last.next != c->line || r->last.indent != c->indent ||
	    r->lines == MARKER_LINES_MAX)
		return false;
	if (!r->whole)
		return n && !begins_marker(r, s, n);
	/* The count may have been wrapped. */
	s += strspn(s, " ");
	times = times_len(s);
	return times && r->words.buf[r->words.len - 1] == ']' && s + times == r->text + c->end;
}

static void comment_read(struct reader *r, const struct comment *c)
{
	if (goes_on(r, c)) {
		line_add(r, c);
		return;
	}
	marker_end(r);
	if (!begins_marker(r, r->text + c->words, c->end - c->words))
		return;
	strbuf_reset(&r->words);
	line_add(r, c);
}

/* Put the markers among the facts, in order of offset. */
static void facts_merge(struct reader *r)
{
	struct source *s = r->source;
	size_t nr = s->nr_facts + r->facts.nr, i, k = 0, m = 0;
	struct fact *all;

	if (!r->facts.nr)
		return;
	all = arena_array(r->arena, nr, sizeof(*all));
	for (i = 0; i < nr; i++) {
		bool old = m == r->facts.nr ||
			   (k < s->nr_facts && s->facts[k].span.start < r->facts.v[m].span.start);

		all[i] = old ? s->facts[k++] : r->facts.v[m++];
	}
	s->facts = all;
	s->nr_facts = nr;
}

/* Most files hold none: without an id and a word of the target there can be no marker. */
static bool may_have(const char *text, size_t len, const struct vocab *v)
{
	const char *const *root;

	if (memmem(text, len, "[PD", 3))
		return true;
	for (root = v->target_roots; *root; root++)
		if (strcasestr(text, *root))
			return true;
	return false;
}

void marker_facts(struct source *s, const char *text, size_t len, const struct vocab *vocab,
		  struct arena *arena)
{
	struct reader r = {
		.source = s, .text = text, .vocab = vocab, .arena = arena, .words = STRBUF_INIT,
	};
	struct comment_scan scan;
	struct comment c;

	if (!len || !may_have(text, len, vocab))
		return;
	comment_start(&scan, lang_comment(s->lang), text, len);
	while (comment_next(&scan, &c))
		comment_read(&r, &c);
	marker_end(&r);
	facts_merge(&r);
	strbuf_release(&r.words);
}
