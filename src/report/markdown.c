/*
 * markdown.c - a comment for a pull request.
 *
 * In: a result. Out: the verdict, one row a rule, the findings folded away, at most MARKDOWN_MAX bytes:
 * GitHub refuses a comment of more than 65536. Text of the analysed tree stands in code spans, where
 * nothing of it can be mark-up.
 */
#include <stdlib.h>
#include <string.h>

#include "report/internal.h"
#include "report/version.h"

#define MARKDOWN_MAX 60000
#define ROWS_MAX     40

/* As a code span of a table: no '`' can end it, no '|' a cell. */
static void code(struct strbuf *out, const char *s)
{
	struct strbuf safe = STRBUF_INIT;
	size_t longest = 0, run = 0, i;

	text_safe(&safe, s && *s ? s : " ");
	for (i = 0; i < safe.len; i++) {
		run = safe.buf[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	for (i = 0; i <= longest; i++)
		strbuf_addch(out, '`');
	if (longest)
		strbuf_addch(out, ' ');
	for (i = 0; i < safe.len; i++)
		strbuf_addf(out, safe.buf[i] == '|' ? "\\|" : "%c", safe.buf[i]);
	if (longest)
		strbuf_addch(out, ' ');
	for (i = 0; i <= longest; i++)
		strbuf_addch(out, '`');
	strbuf_release(&safe);
}

/* Plain text: what Markdown gives a meaning is escaped. */
static void plain(struct strbuf *out, const char *s)
{
	struct strbuf safe = STRBUF_INIT;
	const char *p;

	text_safe(&safe, s);
	for (p = safe.buf; *p; p++) {
		if (strchr("\\`*_{}[]<>()#+!|~@:&", *p))
			strbuf_addch(out, '\\');
		strbuf_addch(out, *p);
	}
	strbuf_release(&safe);
}

/* Open findings of one rule and level. */
struct group {
	const struct finding *first;
	size_t nr, patched;
};

struct groups {
	struct group *v;
	size_t nr, alloc;
};

static int group_compare(const void *a, const void *b)
{
	const struct group *x = a, *y = b;
	int more = level_weight(y->first->level) - level_weight(x->first->level);

	return more ? more : strcmp(x->first->rule, y->first->rule);
}

static void groups_collect(struct groups *g, const struct result *r, struct arena *a)
{
	size_t i, k;

	for (i = 0; i < r->findings.nr; i++) {
		const struct finding *f = r->findings.v[i];

		if (f->state != STATE_OPEN)
			continue;
		for (k = 0; k < g->nr; k++)
			if (!strcmp(g->v[k].first->rule, f->rule) &&
			    g->v[k].first->level == f->level)
				break;
		if (k == g->nr)
			VEC_PUSH(a, g)->first = f;
		g->v[k].nr++;
		g->v[k].patched += finding_patched(f);
	}
	if (g->nr)
		qsort(g->v, g->nr, sizeof(*g->v), group_compare);
}

static void place(struct strbuf *out, const struct finding *f)
{
	struct strbuf at = STRBUF_INIT;

	strbuf_addf(&at, "%s:%u", f->source->path, (unsigned)f->line);
	code(out, at.buf);
	strbuf_release(&at);
}

static void group_row(struct strbuf *out, const struct group *g)
{
	const struct finding *f = g->first;

	strbuf_addf(out, "| %s | %s | ", level_name(f->level), f->rule);
	place(out, f);
	if (g->nr > 1)
		strbuf_addf(out, " and %zu more", g->nr - 1);
	strbuf_addstr(out, " | ");
	plain(out, f->message);
	strbuf_addf(out, " | %s |\n", g->patched == g->nr ? "patch" : g->patched ? "in part" : "");
}

static void head(struct strbuf *out, const struct result *r)
{
	const char *verdict = r->verdict ? r->verdict : "unknown";
	size_t i;

	strbuf_addstr(out, "### " TOOL_NAME ": ");
	plain(out, r->repo->name ? r->repo->name : ".");
	strbuf_addf(out, " on %s", r->vocab->target_roots[0]);
	for (i = 0; i < r->nr_targets; i++)
		strbuf_addf(out, "%s %s", i ? "," : "", r->targets[i].version);
	strbuf_addf(out, " %s\n\n", r->nr_targets ? r->targets[0].build : "");
	if (!strcmp(verdict, "as_is"))
		strbuf_addstr(out, "Runs as it is.");
	else if (!strcmp(verdict, "after_patch"))
		strbuf_addstr(out, "Runs after the patch.");
	else
		strbuf_addf(out, "%s.", strcmp(verdict, "blocked") ? "Not known" : "Blocked");
	if (r->baseline)
		strbuf_addf(out, " Compared with the baseline: **%zu new**, %zu known, %zu gone.",
			    r->baseline->new, r->baseline->matched, r->baseline->nr_stale);
	strbuf_addstr(out, "\n\n");
}

static void effort(struct strbuf *out, const struct result *r, struct arena *a)
{
	const struct effort *e = effort_make(r, a);

	strbuf_addf(out, "Effort: %zu hunk%s by the patch, %zu for a person, %zu blocked, in %zu "
			 "file%s.", e->all.mechanical, e->all.mechanical == 1 ? "" : "s",
		    e->all.person, e->all.blocked, e->nr, e->nr == 1 ? "" : "s");
	if (r->notices.nr)
		strbuf_addf(out, " %zu notice%s: not everything was analysed.", r->notices.nr,
			    r->notices.nr == 1 ? "" : "s");
	strbuf_addstr(out, "\n");
}

static void details(struct strbuf *out, const struct result *r)
{
	static const char close[] = "\n</details>\n";
	size_t i, from, left = 0;

	strbuf_addstr(out, "\n<details><summary>Every open finding</summary>\n\n");
	for (i = 0; i < r->findings.nr; i++) {
		const struct finding *f = r->findings.v[i];

		if (f->state != STATE_OPEN)
			continue;
		from = out->len;
		strbuf_addf(out, "- %s %s ", level_name(f->level), f->rule);
		place(out, f);
		strbuf_addstr(out, " ");
		plain(out, f->message);
		strbuf_addch(out, '\n');
		if (out->len + sizeof(close) + 64 > MARKDOWN_MAX) {
			strbuf_setlen(out, from);
			left++;
		}
	}
	if (left)
		strbuf_addf(out, "- and %zu more\n", left);
	strbuf_addstr(out, close);
}

void report_markdown(struct strbuf *out, const struct result *r, const struct report_options *o)
{
	struct groups groups = {0};
	struct arena a = {0};
	size_t i;

	head(out, r);
	groups_collect(&groups, r, &a);
	if (groups.nr)
		strbuf_addstr(out, "| level | rule | where | what | |\n| --- | --- | --- | --- | --- |\n");
	for (i = 0; i < groups.nr && i < ROWS_MAX && out->len < MARKDOWN_MAX / 2; i++)
		group_row(out, &groups.v[i]);
	if (groups.nr > i)
		strbuf_addf(out, "\nAnd %zu more rules.\n", groups.nr - i);
	strbuf_addstr(out, groups.nr ? "\n" : "Nothing open.\n\n");
	effort(out, r, &a);
	if (groups.nr)
		details(out, r);
	arena_free(&a);
}
