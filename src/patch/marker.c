/*
 * marker.c - a comment above the edits of a rule that has a `keep`.
 *
 * A marker is an edit of its own: whole lines at the start of the line on which the statement with
 * the edit begins, moved up while that line is no place for a comment (it continues the one above,
 * or something stands before the statement). Where statements are not known (all but Python) it is
 * the line of the edit, moved up out of strings, block comments and joined lines. One stands for all
 * sites of a rule in a block. Its text is ASCII, so that it is right in any encoding of the file.
 */
#include <string.h>

#include "patch/internal.h"

#define CONTINUED_PAD "  "

/* A marker to be: the first site of its rule, block and text. */
struct marker {
	const struct finding *finding;
	const char *text;
	uint32_t at, indent;
	int block;
	size_t sites, order;
};

struct marker_set {
	struct marker *v;
	size_t nr, alloc;
};

/* ---- text ------------------------------------------------------------------------------------ */

static bool is_ascii(const char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s >= 0x80 || (unsigned char)*s < 0x20)
			return false;
	return true;
}

/* What was done, in words: the fix's own, else the rule's name. */
static const char *marker_what(const struct finding *f, struct arena *a)
{
	struct strbuf sb = STRBUF_INIT;
	char *words, *p;

	strbuf_addwords(&sb, f->fix->description ? f->fix->description : "");
	words = arena_strndup(a, sb.buf, sb.len);
	strbuf_release(&sb);
	if (*words && is_ascii(words))
		return words;
	words = arena_strdup(a, f->name);
	for (p = words; *p; p++)
		if (*p == '-')
			*p = ' ';
	return words;
}

/* The first words of a marker, with the tag that was asked for. */
static const char *marker_head(const struct marker_job *job, const char *words)
{
	size_t n = strcspn(words, "(");

	return job->tag && words[n] ? arena_fmt(job->arena, "%.*s(%s)", (int)n, words, job->tag)
				    : words;
}

static const char *marker_text(const struct marker_job *job, const struct finding *f)
{
	const struct vocab *v = job->result->vocab;
	bool full = job->style == MARKERS_FULL;
	const char *what = full ? marker_what(f, job->arena) : "";

	if (f->keep_long_term)
		return arena_fmt(job->arena, "%s: %s%skept long-term: %s [%s]",
				 marker_head(job, v->marker_note), what, full ? ", " : "",
				 f->keep_long_term, f->rule);
	return arena_fmt(job->arena, "%s: %s%sremove when %s [%s]",
			 marker_head(job, v->marker_until), what, full ? "; " : "", f->keep_until,
			 f->rule);
}

/* ---- place ----------------------------------------------------------------------------------- */

static bool is_line_end(char c)
{
	return c == '\n' || c == '\r';
}

static uint32_t line_begin(const char *text, uint32_t at)
{
	while (at && !is_line_end(text[at - 1]))
		at--;
	return at;
}

/* Blank lines before `at`: lines without one between them are a block. */
static int blocks_before(const char *text, uint32_t at)
{
	bool blank = true;
	int nr = 0;
	uint32_t i;

	for (i = 0; i < at; i++) {
		if (text[i] == '\n' || (text[i] == '\r' && text[i + 1] != '\n')) {
			nr += blank;
			blank = true;
		} else if (!strchr(" \t\r", text[i])) {
			blank = false;
		}
	}
	return nr;
}

/* Where no statements are known: the edit's line, or one above it where a comment may stand. */
static bool place_by_line(const struct work_file *w, uint32_t offset, struct marker *m)
{
	enum comment_style style = lang_comment(w->source->lang);

	if (!comment_place(style, w->old, w->old_len, line_begin(w->old, offset), &m->at))
		return false;
	m->indent = (uint32_t)strspn(w->old + m->at, " \t");
	m->block = blocks_before(w->old, m->at);
	return true;
}

/* The statement before whose line whole lines are put, -1: the edit does something else. */
static int place_of_lines(const struct shape *sh, const struct edit *e)
{
	size_t n = e->text ? strlen(e->text) : 0, i;

	if (e->span.start != e->span.end || !n || !is_line_end(e->text[n - 1]))
		return -1;
	for (i = 0; i < sh->nr_stmts && sh->stmts[i].line_start <= e->span.start; i++)
		if (sh->stmts[i].line_start == e->span.start && sh->stmts[i].first_on_line)
			return (int)i;
	return -1;
}

static bool place_find(const struct work_file *w, const struct edit *e, struct marker *m)
{
	uint32_t offset = e->span.start;
	const struct shape_stmt *st;
	int at;

	if (!w->shape)
		return offset <= w->old_len && place_by_line(w, offset, m);
	at = place_of_lines(w->shape, e);
	if (at < 0)
		at = shape_place(w->shape, offset);
	if (at < 0)
		return false;
	st = &w->shape->stmts[at];
	m->at = st->line_start;
	m->indent = st->indent;
	m->block = st->parent;
	return true;
}

/* The compat switch needs no marker: it is how the tree is meant to be. */
static bool is_switch(const struct marker_job *job, const struct finding *f)
{
	const char *const *call;
	size_t i;

	for (i = 0; i < f->fix->nr_edits; i++)
		for (call = job->result->vocab->switch_calls; *call; call++)
			if (f->fix->edits[i].text && strstr(f->fix->edits[i].text, *call))
				return true;
	return false;
}

/* The edit that the marker is about: in the site if there is one, else the first; NULL: none here. */
static const struct edit *edit_marked(const struct finding *f, const char *path)
{
	const struct edit *found = NULL;
	size_t i;

	for (i = 0; i < f->fix->nr_edits; i++) {
		const struct edit *e = &f->fix->edits[i];

		if (e->create || (e->path && strcmp(e->path, path)))
			continue;
		if (!found || e->span.start < found->span.start)
			found = e;
		if (e->span.start >= f->span.start && e->span.end <= f->span.end)
			return e;
	}
	return found;
}

/* A place inside what another edit replaces is gone after it. */
static bool place_stays(const struct file_edits *edits, uint32_t at)
{
	size_t i;

	for (i = 0; i < edits->nr; i++)
		if (edits->v[i].span.start < at && at < edits->v[i].span.end)
			return false;
	return true;
}

static void marker_find(struct marker_set *set, const struct marker_job *job,
			const struct work_file *w, const struct finding *f, size_t order)
{
	struct marker new = {.finding = f, .sites = 1, .order = order};
	const struct edit *edit = edit_marked(f, f->source->path);
	size_t i;

	if (!(f->keep_until || f->keep_long_term) || is_switch(job, f) || !edit ||
	    !place_find(w, edit, &new))
		return;
	new.text = marker_text(job, f);
	if (!is_ascii(new.text))
		return;
	for (i = 0; i < set->nr; i++)
		if (set->v[i].block == new.block && !strcmp(set->v[i].text, new.text)) {
			set->v[i].sites++;
			if (new.at < set->v[i].at) {
				new.sites = set->v[i].sites;
				set->v[i] = new;
			}
			return;
		}
	*VEC_PUSH(job->arena, set) = new;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Words, wrapped; each line is a comment with the indentation. Returns how many lines. */
static size_t comment_put(struct strbuf *out, const struct work_file *w, const struct marker *m,
			  const char *words, size_t limit)
{
	const char *mark = comment_mark(lang_comment(w->source->lang)), *indent = w->old + m->at;
	const char *newline = w->shape ? w->shape->newline
				       : memchr(w->old, '\r', w->old_len) ? "\r\n" : "\n";
	size_t column = 0, lines = 0, n;

	for (; *words; words += n + (words[n] == ' ')) {
		n = strcspn(words, " ");
		/* An id and its count stay together. */
		if (*words == '[' && words[n])
			n = strlen(words);
		if (!lines || column + 1 + n > limit) {
			strbuf_addstr(out, lines ? newline : "");
			strbuf_add(out, indent, m->indent);
			strbuf_addf(out, "%s %s", mark, lines ? CONTINUED_PAD : "");
			column = m->indent + strlen(mark) + 1 +
				 (lines ? strlen(CONTINUED_PAD) : 0);
			lines++;
		} else {
			strbuf_addch(out, ' ');
			column++;
		}
		strbuf_add(out, words, n);
		column += n;
	}
	strbuf_addstr(out, newline);
	return lines;
}

static size_t marker_put(const struct marker_job *job, const struct work_file *w,
			 const struct marker *m, size_t limit, struct file_edits *edits)
{
	const char *words =
		m->sites > 1 ? arena_fmt(job->arena, "%s x%zu", m->text, m->sites) : m->text;
	struct strbuf sb = STRBUF_INIT;
	struct file_edit new = {.path = w->path, .rule = m->finding->rule, .rank = RANK_MARKER};
	size_t i, lines = comment_put(&sb, w, m, words, limit);

	new.span.start = new.span.end = m->at;
	new.text = arena_strndup(job->arena, sb.buf, sb.len);
	new.order = m->order;
	strbuf_release(&sb);
	for (i = 0; i < edits->nr; i++)
		if (edits->v[i].rank == RANK_LINES && edits->v[i].span.start == m->at &&
		    !strcmp(edits->v[i].rule, new.rule))
			new.rank = RANK_LINES;
	*VEC_PUSH(job->arena, edits) = new;
	return lines;
}

size_t markers_add(const struct marker_job *job, const struct work_file *w,
		   struct file_edits *edits)
{
	const struct findings *all = &job->result->findings;
	struct marker_set set = {0};
	size_t i, limit, lines = 0;

	if (job->style == MARKERS_NONE || !w->source ||
	    (w->shape ? !w->shape->ok : w->source->lang == LANG_PYTHON))
		return 0;
	for (i = 0; i < all->nr; i++)
		if (patch_takes(all->v[i]) && !strcmp(all->v[i]->source->path, w->path))
			marker_find(&set, job, w, all->v[i], i);
	if (!set.nr)
		return 0;
	limit = line_limit(job->result->repo, w);
	for (i = 0; i < set.nr; i++)
		if (place_stays(edits, set.v[i].at))
			lines += marker_put(job, w, &set.v[i], limit, edits);
	return lines;
}
