/* diff.c - `coverage diff`: what one database has and another has not. */
#include <string.h>

#include "cover/commands.h"
#include "cover/db.h"

static const struct db *db_named(const struct dbs *dbs, const char *name)
{
	size_t i;

	for (i = 0; i < dbs->nr; i++)
		if (!strcmp(dbs->v[i].folder, name))
			return &dbs->v[i];
	for (i = 0; i < dbs->nr; i++)
		if (!strcmp(dbs->v[i].role, "target") && !strcmp(dbs->v[i].version, name))
			return &dbs->v[i];
	return NULL;
}

/* The part of a line that is its key: one field, or two in members. */
static struct text line_key(struct text line, int fields)
{
	struct text last = text_field(line, fields - 1);

	return (struct text){line.s, (size_t)(last.s + last.len - line.s)};
}

static void line_print(struct strbuf *out, char mark, const char *table, struct text key)
{
	size_t i;

	strbuf_addf(out, "%c %s ", mark, table);
	for (i = 0; i < key.len; i++)
		if (key.s[i] == '\t')
			strbuf_addstr(out, "::");
		else
			strbuf_addch(out, key.s[i]);
	strbuf_addch(out, '\n');
}

static void table_diff(struct strbuf *out, const char *name, const struct table *a,
		       const struct table *b, int fields)
{
	struct text ra = a->body, rb = b->body;
	struct row la = {{"", 0}}, lb = {{"", 0}};
	bool more_a = table_next(&ra, &la), more_b = table_next(&rb, &lb);

	while (more_a || more_b) {
		struct text ka = line_key(la.line, fields), kb = line_key(lb.line, fields);
		int cmp = !more_a ? 1 : !more_b ? -1 : text_compare(ka, kb);

		if (cmp < 0)
			line_print(out, '-', name, ka);
		else if (cmp > 0)
			line_print(out, '+', name, kb);
		else if (text_compare(la.line, lb.line))
			line_print(out, '~', name, ka);
		if (cmp <= 0)
			more_a = table_next(&ra, &la);
		if (cmp >= 0)
			more_b = table_next(&rb, &lb);
	}
}

static struct table headers_of(const struct assets *assets, struct arena *a, const struct db *db)
{
	struct table t;

	table_init(&t, asset_get(assets, arena_fmt(a, "coverage/%s/headers.tsv", db->folder)));
	return t;
}

static int diff_loaded(const struct assets *assets, struct arena *a, const char *from,
		       const char *to, struct strbuf *out, struct err *err)
{
	struct dbs dbs = {0};
	struct table ha, hb;
	const struct db *x, *y;

	if (dbs_load(&dbs, a, assets, err))
		return -1;
	x = db_named(&dbs, from);
	y = db_named(&dbs, to);
	if (!x || !y)
		return err_set(err, "no coverage database for '%s'", x ? to : from);
	ha = headers_of(assets, a, x);
	hb = headers_of(assets, a, y);
	table_diff(out, "names", &x->names, &y->names, 1);
	table_diff(out, "classes", &x->classes, &y->classes, 1);
	table_diff(out, "members", &x->members, &y->members, 2);
	table_diff(out, "params", &x->params, &y->params, 1);
	table_diff(out, "headers", &ha, &hb, 1);
	return 0;
}

int cover_diff(const struct assets *assets, const char *a, const char *b, struct strbuf *out,
	       bool *different, struct err *err)
{
	struct arena arena = {0};
	size_t before = out->len;
	int ret = diff_loaded(assets, &arena, a, b, out, err);

	*different = out->len != before;
	arena_free(&arena);
	return ret;
}
