/*
 * marker.c - a comment above the edits of a rule that has a `keep`.
 *
 * A marker is an edit of its own: whole lines at the start of the line on which the statement with
 * the edit begins, moved up while that line is no place for a comment (it continues the one above,
 * or something stands before the statement). One stands for all sites of a rule in a block. Its
 * text is ASCII, so that it is right in any encoding of the file.
 */
#include <string.h>

#include "patch/internal.h"

#define LIMIT_LEAST   79
#define LIMIT_MOST    120
#define NO_STATEMENT  (-1)
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
	const char *s = f->fix->description;
	char *words, *p;

	if (s && *s && is_ascii(s))
		return s;
	words = arena_strdup(a, f->name);
	for (p = words; *p; p++)
		if (*p == '-')
			*p = ' ';
	return words;
}

static const char *marker_text(const struct marker_job *job, const struct finding *f)
{
	const struct vocab *v = job->result->vocab;
	bool full = job->style == MARKERS_FULL;
	const char *what = full ? marker_what(f, job->arena) : "";

	if (f->keep_long_term)
		return arena_fmt(job->arena, "%s: %s%skept long-term: %s [%s]", v->marker_note,
				 what, full ? ", " : "", f->keep_long_term, f->rule);
	return arena_fmt(job->arena, "%s: %s%sremove when %s [%s]", v->marker_until, what,
			 full ? "; " : "", f->keep_until, f->rule);
}

/* ---- place ----------------------------------------------------------------------------------- */

static bool is_line_end(char c)
{
	return c == '\n' || c == '\r';
}

/* Does the line before the one that begins at `at` end in a backslash that continues it? */
static bool is_continued(const struct shape *sh, uint32_t at)
{
	uint32_t end = at, start;

	if (end && sh->text[end - 1] == '\n')
		end--;
	if (end && sh->text[end - 1] == '\r')
		end--;
	if (end == at || !end || sh->text[end - 1] != '\\')
		return false;
	for (start = end; start && !is_line_end(sh->text[start - 1]); start--)
		;
	while (start < end && (sh->text[start] == ' ' || sh->text[start] == '\t'))
		start++;
	return sh->text[start] != '#';
}

/* The statement above whose line a comment for `offset` may stand, NO_STATEMENT: none. */
static int statement_for(const struct shape *sh, uint32_t offset)
{
	int at = NO_STATEMENT;
	size_t i;

	for (i = 0; i < sh->nr_stmts && sh->stmts[i].span.start <= offset; i++)
		if (offset < sh->stmts[i].span.end)
			at = (int)i;
	/* In order of offset the one before is on the same line, or reaches into it. */
	while (at >= 0 &&
	       (!sh->stmts[at].first_on_line || is_continued(sh, sh->stmts[at].line_start)))
		at--;
	return at;
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

/* Offset of the edit that the marker is about: in the site if there is one, else the first. */
static bool edit_offset(const struct finding *f, const char *path, uint32_t *out)
{
	bool found = false;
	size_t i;

	for (i = 0; i < f->fix->nr_edits; i++) {
		const struct edit *e = &f->fix->edits[i];

		if (e->create || (e->path && strcmp(e->path, path)))
			continue;
		if (!found || e->span.start < *out)
			*out = e->span.start;
		found = true;
		if (e->span.start >= f->span.start && e->span.end <= f->span.end) {
			*out = e->span.start;
			break;
		}
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
			const struct shape *sh, const struct finding *f, size_t order)
{
	struct marker new = {.finding = f, .sites = 1, .order = order};
	const struct shape_stmt *st;
	uint32_t offset = 0;
	size_t i;
	int at;

	if (!(f->keep_until || f->keep_long_term) || is_switch(job, f) ||
	    !edit_offset(f, f->source->path, &offset))
		return;
	at = statement_for(sh, offset);
	if (at < 0)
		return;
	st = &sh->stmts[at];
	new.at = st->line_start;
	new.indent = st->indent;
	new.block = st->parent;
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

/* ---- line limit ------------------------------------------------------------------------------ */

static size_t number_of(const char *s)
{
	size_t n = 0;

	for (; *s >= '0' && *s <= '9' && n < 10000; s++)
		n = n * 10 + (size_t)(*s - '0');
	return n;
}

static bool is_limit_name(const char *name)
{
	static const char *const names[] = {"line-length", "line_length", "max-line-length",
					    "max_line_length", "column_limit"};
	const char *dot = strrchr(name, '.');
	size_t i;

	name = dot ? dot + 1 : name;
	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* The limit that a formatter or linter of the root is told, 0: none. */
static size_t limit_setting(const struct repo *repo)
{
	size_t i, k, n;

	for (i = 0; i < repo->nr_files; i++) {
		const struct source *s = repo->files[i];

		if (strchr(s->path, '/') || (s->lang != LANG_TOML && s->lang != LANG_CFG))
			continue;
		for (k = 0; k < s->nr_facts; k++) {
			const struct fact *f = &s->facts[k];

			if (f->kind != FACT_SETTING || !f->text || !is_limit_name(f->name))
				continue;
			n = number_of(f->text);
			if (n >= 40)
				return n;
		}
	}
	return 0;
}

/* The longest line of the text, within what is usual. */
static size_t limit_seen(const char *text, size_t len)
{
	size_t most = LIMIT_LEAST, n = 0, i;

	for (i = 0; i < len; i++) {
		n = is_line_end(text[i]) ? 0 : n + 1;
		if (n > most)
			most = n;
	}
	return most < LIMIT_MOST ? most : LIMIT_MOST;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Words, wrapped; each line is a comment with the indentation. Returns how many lines. */
static size_t comment_put(struct strbuf *out, const struct shape *sh, const struct marker *m,
			  const char *words, size_t limit)
{
	const char *indent = sh->text + m->at;
	size_t column = 0, lines = 0, n;

	for (; *words; words += n + (words[n] == ' ')) {
		n = strcspn(words, " ");
		if (!lines || column + 1 + n > limit) {
			strbuf_addstr(out, lines ? sh->newline : "");
			strbuf_add(out, indent, m->indent);
			strbuf_addstr(out, lines ? "# " CONTINUED_PAD : "# ");
			column = m->indent + 2 + (lines ? strlen(CONTINUED_PAD) : 0);
			lines++;
		} else {
			strbuf_addch(out, ' ');
			column++;
		}
		strbuf_add(out, words, n);
		column += n;
	}
	strbuf_addstr(out, sh->newline);
	return lines;
}

static size_t marker_put(const struct marker_job *job, const struct work_file *w,
			 const struct marker *m, size_t limit, struct file_edits *edits)
{
	const char *words =
		m->sites > 1 ? arena_fmt(job->arena, "%s x%zu", m->text, m->sites) : m->text;
	struct strbuf sb = STRBUF_INIT;
	struct file_edit new = {.path = w->path, .rule = m->finding->rule, .rank = RANK_MARKER};
	size_t i, lines = comment_put(&sb, w->shape, m, words, limit);

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

	if (job->style == MARKERS_NONE || !w->shape || !w->shape->ok)
		return 0;
	for (i = 0; i < all->nr; i++)
		if (patch_takes(all->v[i]) && !strcmp(all->v[i]->source->path, w->path))
			marker_find(&set, job, w->shape, all->v[i], i);
	if (!set.nr)
		return 0;
	limit = limit_setting(job->result->repo);
	if (!limit)
		limit = limit_seen(w->old, w->old_len);
	for (i = 0; i < set.nr; i++)
		if (place_stays(edits, set.v[i].at))
			lines += marker_put(job, w, &set.v[i], limit, edits);
	return lines;
}
