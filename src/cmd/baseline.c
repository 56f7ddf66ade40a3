/*
 * baseline.c - what was known before does not count: from a file, or from a revision.
 *
 *	--baseline FILE          findings that the file holds
 *	--baseline-commit REV    findings that the tree of REV has, analysed in the same way
 *	--diff-base REV          findings on lines that did not change since the tree left REV
 */
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/json_read.h"
#include "base/path.h"
#include "cmd/cmd.h"
#include "cmd/output.h"
#include "history/history.h"
#include "report/report.h"

#define BASELINE_MAX (256u << 20)
#define TEXT_MAX     (64u << 20)
#define STALE_SHOWN  12

struct known {
	struct stale *v;
	size_t nr;
	bool *used;
};

/* ---- what is known ------------------------------------------------------------------------------ */

/* A path of the configuration lies in the tree and is read as such; one of the command line is the user's. */
static int known_read(struct known *k, struct cmd *c, const struct result *r, struct err *err)
{
	const char *path = c->o.baseline;
	struct json_node *json;
	struct fs_text text;
	int ret;

	if (c->o.baseline_inside && r->repo->dirfd < 0)
		return err_set(err, "the configuration's baseline needs the tree");
	ret = c->o.baseline_inside ? fs_read(r->repo->dirfd, path, BASELINE_MAX, &text, err)
				   : fs_read_path(path, BASELINE_MAX, &text, err);
	if (ret)
		return -1;
	ret = json_parse(&json, &c->arena, path, text.data, text.len, err) ||
	      baseline_read(&k->v, &k->nr, &c->arena, json, path, err);
	fs_text_free(&text);
	return ret ? -1 : 0;
}

static int known_scan(struct known *k, struct cmd *c, const char *rev, struct err *err)
{
	struct run_options o = c->o.run;
	struct history *h;
	struct run *run;
	size_t i;
	int ret;

	if (history_open(&h, o.path, err))
		return -1;
	o.timing = false;
	ret = history_extract(h, rev, &o.path, err);
	if (!ret && o.path)
		ret = run_line(&run, &o, RUN_ALL, err);
	if (!ret && o.path) {
		const struct findings *f = &run_result(run)->findings;

		k->v = arena_array(&c->arena, f->nr + 1, sizeof(*k->v));
		for (i = 0; i < f->nr; i++)
			if (f->v[i]->state == STATE_OPEN)
				k->v[k->nr++] = (struct stale){
					arena_strdup(&c->arena, f->v[i]->rule),
					arena_strdup(&c->arena, f->v[i]->source->path),
					arena_strdup(&c->arena, f->v[i]->fingerprint)};
		run_free(run);
	}
	history_close(h);
	return ret;
}

static int stale_compare(const void *a, const void *b)
{
	return strcmp(((const struct stale *)a)->fingerprint,
		      ((const struct stale *)b)->fingerprint);
}

static bool known_has(struct known *k, const struct finding *f)
{
	struct stale key = {.fingerprint = f->fingerprint}, *found;

	found = k->nr ? bsearch(&key, k->v, k->nr, sizeof(key), stale_compare) : NULL;
	if (found)
		k->used[found - k->v] = true;
	return found != NULL;
}

/* What was not asked for is not there, and says nothing about the entry. */
static bool stale_counts(const struct run_options *o, const struct stale *s)
{
	bool rule = !o->rule.nr, path = !o->paths.nr;
	size_t i;

	for (i = 0; i < o->rule.nr; i++)
		rule |= !strcmp(o->rule.v[i], s->rule);
	for (i = 0; i < o->paths.nr; i++)
		path |= path_under(s->path, o->paths.v[i]);
	return rule && path && !o->layer.nr;
}

static int place_compare(const void *a, const void *b)
{
	const struct stale *x = a, *y = b;
	int c = strcmp(x->path, y->path);

	if (!c)
		c = strcmp(x->rule, y->rule);
	return c ? c : strcmp(x->fingerprint, y->fingerprint);
}

static void known_compare(struct known *k, struct cmd *c, struct result *r, struct baseline *b)
{
	size_t i;

	if (k->nr)
		qsort(k->v, k->nr, sizeof(*k->v), stale_compare);
	k->used = arena_array(&c->arena, k->nr + 1, sizeof(*k->used));
	for (i = 0; i < r->findings.nr; i++) {
		struct finding *f = r->findings.v[i];
		bool has = known_has(k, f);

		if (f->state == STATE_SUPPRESSED)
			continue;
		f->state = has ? STATE_BASELINED : STATE_OPEN;
		f->is_new = !has;
		b->matched += has;
		b->new += !has;
	}
	b->stale = arena_array(&c->arena, k->nr + 1, sizeof(*b->stale));
	for (i = 0; i < k->nr; i++)
		if (!k->used[i] && stale_counts(&c->o.run, &k->v[i]))
			b->stale[b->nr_stale++] = k->v[i];
	if (b->nr_stale)
		qsort(b->stale, b->nr_stale, sizeof(*b->stale), place_compare);
}

/* ---- lines that changed ------------------------------------------------------------------------- */

static bool ranges_meet(const struct line_range *v, size_t nr, const struct finding *f)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (f->line <= v[i].last && f->end_line >= v[i].first)
			return true;
	return false;
}

/* The findings [from, end) of one file. */
static int source_compare(struct history *h, const char *rev, struct cmd *c, struct result *r,
			  size_t from, size_t end, struct baseline *b, struct err *err)
{
	const struct source *s = r->findings.v[from]->source;
	struct line_range *ranges;
	struct fs_text text;
	size_t nr, i;
	int ret;

	if (fs_read(r->repo->dirfd, s->path, TEXT_MAX, &text, err))
		return -1;
	ret = history_changed(h, rev, s->path, text.data, text.len, &c->arena, &ranges, &nr, err);
	fs_text_free(&text);
	for (i = from; i < end && !ret; i++) {
		struct finding *f = r->findings.v[i];
		bool meet = ranges_meet(ranges, nr, f);

		if (f->state == STATE_SUPPRESSED)
			continue;
		f->state = meet ? STATE_OPEN : STATE_BASELINED;
		f->is_new = meet;
		b->matched += !meet;
		b->new += meet;
	}
	return ret;
}

static int diff_compare(struct cmd *c, struct result *r, struct baseline *b, struct err *err)
{
	struct history *h;
	const char *rev;
	size_t i, end;
	int ret = 0;

	if (history_open(&h, c->o.run.path, err))
		return -1;
	rev = history_fork_point(h, c->o.diff_base);
	for (i = 0; i < r->findings.nr && !ret; i = end) {
		for (end = i + 1; end < r->findings.nr &&
				  r->findings.v[end]->source == r->findings.v[i]->source; end++)
			;
		ret = source_compare(h, rev, c, r, i, end, b, err);
	}
	/* Without findings the revision would not be looked at. */
	if (!ret && !r->findings.nr) {
		struct fs_text text;
		struct err none = {0};

		if (history_read(h, rev, "", &text, &none) && strstr(none.msg, "no revision"))
			ret = err_set(err, "%s", none.msg);
	}
	history_close(h);
	return ret;
}

/* ---- the command's part ------------------------------------------------------------------------- */

static int options_check(const struct cmd *c, bool has_tree, struct err *err)
{
	int nr = (c->o.baseline && !c->o.baseline_inside) + (c->o.baseline_commit != NULL) +
		 (c->o.diff_base != NULL);

	if (nr > 1)
		return err_set(err, "--baseline, --baseline-commit and --diff-base exclude each other");
	if (!has_tree && (c->o.baseline_commit || c->o.diff_base))
		return err_set(err, "a revision is read from the tree's repository: give its PATH");
	return 0;
}

static void baseline_say(const struct cmd *c, const struct baseline *b)
{
	struct strbuf sb = STRBUF_INIT;
	size_t i;

	strbuf_addstr(&sb, "pdmigrate: baseline ");
	path_print(&sb, b->source);
	strbuf_addf(&sb, ": %zu known, %zu new, %zu gone\n", b->matched, b->new, b->nr_stale);
	for (i = 0; i < b->nr_stale && (i < STALE_SHOWN || c->o.run.verbose); i++) {
		strbuf_addstr(&sb, "pdmigrate: gone: ");
		path_print(&sb, b->stale[i].rule);
		strbuf_addch(&sb, ' ');
		path_print(&sb, b->stale[i].path);
		strbuf_addstr(&sb, " (");
		path_print(&sb, b->stale[i].fingerprint);
		strbuf_addstr(&sb, ")\n");
	}
	if (i < b->nr_stale)
		strbuf_addf(&sb, "pdmigrate: and %zu more (-v)\n", b->nr_stale - i);
	if (!c->o.run.quiet)
		(void)fs_write_all(2, sb.buf, sb.len);
	strbuf_release(&sb);
}

int baseline_apply(struct cmd *c, struct result *r, struct err *err)
{
	struct baseline *b = ARENA_NEW(&c->arena, struct baseline);
	struct known k = {0};
	int ret;

	if (options_check(c, r->repo->dirfd >= 0, err))
		return -1;
	b->source = c->o.diff_base ? c->o.diff_base
				   : c->o.baseline_commit ? c->o.baseline_commit : c->o.baseline;
	if (!b->source)
		return 0;
	if (c->o.diff_base)
		ret = diff_compare(c, r, b, err);
	else if (c->o.baseline_commit)
		ret = known_scan(&k, c, c->o.baseline_commit, err);
	else
		ret = known_read(&k, c, r, err);
	if (ret)
		return -1;
	if (!c->o.diff_base)
		known_compare(&k, c, r, b);
	r->baseline = b;
	baseline_say(c, b);
	return 0;
}

int baseline_write(struct cmd *c, struct result *r, struct err *err)
{
	struct output out = {.path = c->o.write_baseline, .text = STRBUF_INIT};
	size_t i;
	int ret;

	if (!c->o.write_baseline)
		return 0;
	baseline_print(&out.text, r);
	ret = outputs_write(&out, 1, &c->arena, err);
	strbuf_release(&out.text);
	for (i = 0; i < r->findings.nr && !ret; i++)
		if (r->findings.v[i]->state == STATE_OPEN)
			r->findings.v[i]->state = STATE_BASELINED;
	return ret;
}
