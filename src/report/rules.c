/*
 * rules.c - findings in the text format: one line a rule, or each with all that is known about it.
 *
 * One line a rule and group, gravest first: level, rule, first place and how many more, message,
 * what there is to do. Where that gives more lines than fit, groups of one rule share a line.
 */
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "report/internal.h"

#define PLACE_MAX   44
#define MESSAGE_MAX 72
#define MESSAGE_MIN 24

/* A finding and its place in the order of findings. */
struct row {
	const struct finding *f;
	size_t order;
};

struct line {
	const struct finding *first;
	size_t order; /* of `first` */
	size_t nr, patched, kinds;
	bool many_files;
	char *place, *message;
	const char *what;
};

struct lines_vec {
	struct line *v;
	size_t nr, alloc;
};

static const char *const level_colors[] = {"2", "36", "33", "35", "31"};

void text_level(struct strbuf *out, enum level level, const struct report_options *o)
{
	const char *name = level_name(level);

	if (o->color)
		strbuf_addf(out, "\x1b[%sm", level_colors[level]);
	strbuf_addstr(out, name);
	if (o->color)
		strbuf_addstr(out, "\x1b[0m");
	strbuf_addf(out, "%*s", (int)(8 - strlen(name)), "");
}

/* A word for what can be done about a finding. */
static const char *finding_remedy(const struct finding *f)
{
	if (finding_patched(f))
		return "patch";
	if (f->fix && f->fix->safety == SAFETY_UNSAFE && f->fix->nr_edits)
		return "unsafe";
	if (f->level == LEVEL_BLOCKED)
		return "";
	return f->level == LEVEL_CHANGE || f->level == LEVEL_EXPIRED ? "manual" : "look";
}

/* ---- one line a rule ---------------------------------------------------------------------------
 */

static int text_compare(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

/* Whether two findings share a line: by level, rule and doubt, and by group unless `wide`. */
static int line_compare(const struct finding *a, const struct finding *b, bool wide)
{
	int c;

	if (a->level != b->level)
		return a->level > b->level ? -1 : 1;
	c = strcmp(a->rule, b->rule);
	if (!c)
		c = (int)a->gpu_unverified - (int)b->gpu_unverified;
	return c || wide ? c : text_compare(a->group, b->group);
}

static int row_compare(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int c = line_compare(x->f, y->f, false);

	if (!c)
		c = text_compare(x->f->message, y->f->message);
	if (!c)
		c = x->order < y->order ? -1 : 1;
	return c;
}

static size_t rows_take(struct row **out, const struct result *r, struct arena *a)
{
	struct row *rows = arena_array(a, r->findings.nr + 1, sizeof(*rows));
	size_t i, nr = 0;

	for (i = 0; i < r->findings.nr; i++) {
		const struct finding *f = r->findings.v[i];

		if (f->state == STATE_OPEN && f->level != LEVEL_NOTE && !finding_folded(f))
			rows[nr++] = (struct row){f, i};
	}
	if (nr)
		qsort(rows, nr, sizeof(*rows), row_compare);
	*out = rows;
	return nr;
}

static void line_take(struct line *l, const struct row *rows, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		const struct row *row = &rows[i];

		if (!l->nr++ || row->order < l->order) {
			l->first = row->f;
			l->order = row->order;
		}
		l->patched += finding_patched(row->f);
		l->many_files |= row->f->source != rows[0].f->source;
		l->kinds += !i || text_compare(row->f->message, rows[i - 1].f->message) ||
			    text_compare(row->f->group, rows[i - 1].f->group);
	}
}

static void lines_take(struct lines_vec *lines, const struct row *rows, size_t nr, bool wide,
		       struct arena *a)
{
	size_t i, end;

	memset(lines, 0, sizeof(*lines));
	for (i = 0; i < nr; i = end) {
		for (end = i + 1; end < nr; end++)
			if (line_compare(rows[i].f, rows[end].f, wide))
				break;
		line_take(VEC_PUSH(a, lines), rows + i, end - i);
	}
}

static void place_print(struct strbuf *out, const struct finding *f, bool column)
{
	text_safe(out, f->source->path);
	if (f->line)
		strbuf_addf(out, ":%u", (unsigned)f->line);
	if (f->line && column)
		strbuf_addf(out, ":%u", (unsigned)f->column);
}

static void line_words(struct line *l, struct arena *a)
{
	struct strbuf sb = STRBUF_INIT;

	place_print(&sb, l->first, false);
	if (l->many_files)
		strbuf_addf(&sb, " and %zu more", l->nr - 1);
	else if (l->nr > 1)
		strbuf_addf(&sb, " \xc3\x97%zu", l->nr);
	l->place = arena_strndup(a, sb.buf, sb.len);
	strbuf_reset(&sb);
	text_safe(&sb, l->first->message);
	if (l->kinds > 1)
		strbuf_addf(&sb, ", and %zu like it", l->kinds - 1);
	l->message = arena_strndup(a, sb.buf, sb.len);
	strbuf_release(&sb);
	if (l->patched && l->patched < l->nr)
		l->what = arena_fmt(a, "patch %zu of %zu", l->patched, l->nr);
	else
		l->what = finding_remedy(l->first);
	if (l->first->gpu_unverified)
		l->what = arena_fmt(a, "%s%snot verified on a GPU", l->what, *l->what ? ", " : "");
}

/* Keep the first `max` columns of UTF-8 text, the last one as a mark that there was more. */
static void message_clip(char *s, size_t max)
{
	size_t i, width = 0;

	if (text_width(s, strlen(s)) <= max)
		return;
	for (i = 0; s[i]; i++)
		if (((unsigned char)s[i] & 0xc0) != 0x80 && ++width == max)
			break;
	s[i] = '~';
	s[i + 1] = 0;
}

static size_t width_max(size_t have, const char *s, size_t limit)
{
	size_t n = text_width(s, strlen(s));

	return n > have && n <= limit ? n : have;
}

static void lines_print(struct strbuf *out, struct line *v, size_t nr,
			const struct report_options *o, struct arena *a)
{
	size_t i, from, place = 0, message = 0, room;

	for (i = 0; i < nr; i++) {
		line_words(&v[i], a);
		place = width_max(place, v[i].place, PLACE_MAX);
	}
	room = o->width > 0 && (size_t)o->width > place + MESSAGE_MIN + 32
		       ? (size_t)o->width - place - 32
		       : 0;
	for (i = 0; i < nr; i++) {
		if (room)
			message_clip(v[i].message, room);
		message = width_max(message, v[i].message, MESSAGE_MAX);
	}
	for (i = 0; i < nr; i++) {
		text_level(out, v[i].first->level, o);
		strbuf_addf(out, "%-5s  ", v[i].first->rule);
		from = out->len;
		strbuf_addstr(out, v[i].place);
		text_pad(out, from, place);
		from = out->len;
		strbuf_addstr(out, v[i].message);
		if (*v[i].what) {
			text_pad(out, from, message);
			strbuf_addstr(out, v[i].what);
		}
		strbuf_addch(out, '\n');
	}
}

size_t text_rules(struct strbuf *out, const struct result *r, const struct report_options *o,
		  size_t max)
{
	struct arena a = {0};
	struct lines_vec lines;
	struct row *rows;
	size_t nr = rows_take(&rows, r, &a), show;

	lines_take(&lines, rows, nr, false, &a);
	if (lines.nr > max)
		lines_take(&lines, rows, nr, true, &a);
	show = lines.nr > max ? max - 1 : lines.nr;
	lines_print(out, lines.v, show, o, &a);
	nr = lines.nr - show;
	arena_free(&a);
	return nr;
}

/* ---- every finding -----------------------------------------------------------------------------
 */

static void finding_more(struct strbuf *out, const struct finding *f)
{
	static const char indent[] = "                 ";
	bool by_hand = f->fix && f->fix->safety == SAFETY_MANUAL;
	struct strbuf words = STRBUF_INIT;
	const char *remedy;
	size_t i;

	if (f->snippet && *f->snippet) {
		strbuf_addstr(out, indent);
		text_safe(out, f->snippet);
		strbuf_addch(out, '\n');
	}
	for (i = 0; i < f->nr_guards; i++) {
		strbuf_addf(out, "%s%s", i ? " > " : indent, i ? "" : "guarded: ");
		text_safe(out, f->guards[i]);
	}
	if (f->nr_guards)
		strbuf_addch(out, '\n');
	remedy = f->reason_not_applied;
	if (!remedy && by_hand)
		remedy = f->fix->description;
	if (remedy) {
		strbuf_addf(out, "%s%s: ", indent, by_hand ? "by hand" : "not patched");
		strbuf_addwords(&words, remedy);
		text_safe(out, words.buf);
		strbuf_release(&words);
		strbuf_addch(out, '\n');
	}
	if (f->keep_until)
		strbuf_addf(out, "%suntil: %s\n", indent, f->keep_until);
	if (f->keep_long_term)
		strbuf_addf(out, "%skept long-term: %s\n", indent, f->keep_long_term);
}

void text_findings(struct strbuf *out, const struct result *r, const struct report_options *o)
{
	size_t i;

	if (r->findings.nr)
		strbuf_addch(out, '\n');
	for (i = 0; i < r->findings.nr; i++) {
		const struct finding *f = r->findings.v[i];
		const char *what = finding_remedy(f);

		text_level(out, f->level, o);
		strbuf_addf(out, "%-5s  ", f->rule);
		place_print(out, f, true);
		strbuf_addstr(out, "  ");
		text_safe(out, f->message);
		if (*what && f->level != LEVEL_NOTE)
			strbuf_addf(out, "  %s", what);
		if (f->gpu_unverified)
			strbuf_addstr(out, "  (not verified on a GPU)");
		if (f->state != STATE_OPEN)
			strbuf_addstr(out, f->state == STATE_SUPPRESSED ? "  (suppressed)"
									: "  (in the baseline)");
		strbuf_addch(out, '\n');
		finding_more(out, f);
	}
	if (r->findings.nr)
		strbuf_addch(out, '\n');
}
