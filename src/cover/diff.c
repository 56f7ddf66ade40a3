/* diff.c - `coverage diff`: what one database has and another has not, of Python and of C++. */
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

/* A table of a database and what of its lines counts. */
struct compared {
	const char *name;
	int key;   /* fields that tell lines apart */
	int shown; /* ... of which are printed */
	int upto;  /* fields that are compared, 0: all; the place of a declaration is no difference */
};

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

static struct text line_upto(struct text line, int fields)
{
	return fields ? line_key(line, fields) : line;
}

static void table_diff(struct strbuf *out, const struct compared *t, const struct table *a,
		       const struct table *b)
{
	struct text ra = a->body, rb = b->body;
	struct row la = {{"", 0}}, lb = {{"", 0}};
	bool more_a = table_next(&ra, &la), more_b = table_next(&rb, &lb);

	while (more_a || more_b) {
		struct text ka = line_key(la.line, t->key), kb = line_key(lb.line, t->key);
		int cmp = !more_a ? 1 : !more_b ? -1 : text_compare(ka, kb);

		if (cmp < 0)
			line_print(out, '-', t->name, line_key(la.line, t->shown));
		else if (cmp > 0)
			line_print(out, '+', t->name, line_key(lb.line, t->shown));
		else if (text_compare(line_upto(la.line, t->upto), line_upto(lb.line, t->upto)))
			line_print(out, '~', t->name, line_key(la.line, t->shown));
		if (cmp <= 0)
			more_a = table_next(&ra, &la);
		if (cmp >= 0)
			more_b = table_next(&rb, &lb);
	}
}

static struct table table_of(const struct assets *assets, struct arena *a, const struct db *db,
			     const char *name)
{
	struct table t;

	table_init(&t, asset_get(assets, arena_fmt(a, "coverage/%s/%s.tsv", db->folder, name)));
	return t;
}

static int diff_loaded(const struct assets *assets, struct arena *a, const char *from,
		       const char *to, struct strbuf *out, struct err *err)
{
	static const struct compared tables[] = {
		{"names", 1, 1, 0},  {"classes", 1, 1, 0}, {"members", 2, 2, 0},
		{"params", 1, 1, 0}, {"headers", 1, 1, 0}, {"decls", 2, 1, 7},
		{"macros", 1, 1, 0}, {"unexported", 1, 1, 0},
	};
	struct dbs dbs = {0};
	const struct db *x, *y;
	size_t i;

	if (dbs_load(&dbs, a, assets, err))
		return -1;
	x = db_named(&dbs, from);
	y = db_named(&dbs, to);
	if (!x || !y)
		return err_set(err, "no coverage database for '%s'", x ? to : from);
	for (i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		struct table ta = table_of(assets, a, x, tables[i].name);
		struct table tb = table_of(assets, a, y, tables[i].name);

		table_diff(out, &tables[i], &ta, &tb);
	}
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
