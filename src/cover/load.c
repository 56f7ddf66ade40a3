/* load.c - which databases a run uses: cover_load, cover_versions, and the list for `coverage
 * list`. */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "cover/commands.h"
#include "cover/internal.h"

/* A file with the first version of the target that has an import proxy. */
#define SINCE "coverage/proxy-since"

static int version_order(const void *a, const void *b)
{
	return version_compare(*(const char *const *)a, *(const char *const *)b);
}

static void versions_of(const struct dbs *dbs, struct arena *a, struct strings *out)
{
	size_t i;

	for (i = 0; i < dbs->nr; i++)
		if (!strcmp(dbs->v[i].role, "target") && !strings_has(out, dbs->v[i].version))
			strings_add(out, a, dbs->v[i].version);
	if (out->nr)
		qsort(out->v, out->nr, sizeof(*out->v), version_order);
}

void cover_versions(const struct assets *assets, struct arena *a, struct strings *out)
{
	struct dbs dbs = {0};

	if (!dbs_load(&dbs, a, assets, NULL))
		versions_of(&dbs, a, out);
}

static int version_unknown(const struct dbs *dbs, const struct assets *assets, struct arena *a,
			   const char *version, struct err *err)
{
	const struct asset *since = asset_get(assets, SINCE);
	struct strbuf list = STRBUF_INIT;
	struct strings have = {0};
	size_t i, n;

	for (n = 0; since && n < since->len && since->data[n] != '\n'; n++)
		;
	if (n && version_compare(version, arena_strndup(a, since->data, n)) < 0)
		return err_set(err, "version %s has no import proxy: targets start at %.*s",
			       version, (int)n, since->data);
	versions_of(dbs, a, &have);
	for (i = 0; i < have.nr; i++)
		strbuf_addf(&list, "%s%s", i ? ", " : "", have.v[i]);
	err_set(err, "no coverage database for version '%s' (there are: %s)", version,
		list.len ? list.buf : "none");
	strbuf_release(&list);
	return -1;
}

/* The database of a version; one of the same build is preferred. */
static const struct db *db_for(const struct dbs *dbs, const struct target *t)
{
	const struct db *found = NULL;
	size_t i;

	for (i = 0; i < dbs->nr; i++) {
		const struct db *db = &dbs->v[i];

		if (strcmp(db->role, "target") || strcmp(db->version, t->version))
			continue;
		if (!found || !strcmp(db->build, t->build))
			found = db;
	}
	return found;
}

/* The newest list of upstream names. */
static const struct db *db_upstream(const struct dbs *dbs)
{
	const struct db *found = NULL;
	size_t i;

	for (i = 0; i < dbs->nr; i++)
		if (!strcmp(dbs->v[i].role, "upstream") &&
		    (!found || version_compare(found->version, dbs->v[i].version) < 0))
			found = &dbs->v[i];
	return found;
}

int cover_load(struct cover **out, struct arena *a, const struct assets *assets,
	       const struct target *targets, size_t nr_targets, struct err *err)
{
	struct cover *c = ARENA_NEW(a, struct cover);
	struct dbs dbs = {0};
	size_t i;

	if (dbs_load(&dbs, a, assets, err))
		return -1;
	c->targets = arena_array(a, nr_targets, sizeof(*c->targets));
	c->builds = arena_array(a, nr_targets, sizeof(*c->builds));
	c->nr = nr_targets;
	for (i = 0; i < nr_targets; i++) {
		c->targets[i] = db_for(&dbs, &targets[i]);
		c->builds[i] = arena_strdup(a, targets[i].build);
		if (!c->targets[i])
			return version_unknown(&dbs, assets, a, targets[i].version, err);
	}
	c->upstream = db_upstream(&dbs);
	*out = c;
	return 0;
}

int cover_list(const struct assets *assets, struct strbuf *out, struct err *err)
{
	struct arena a = {0};
	struct dbs dbs = {0};
	int ret = dbs_load(&dbs, &a, assets, err);
	size_t i;

	for (i = 0; !ret && i < dbs.nr; i++) {
		const struct db *db = &dbs.v[i];

		const char *cxx = arena_fmt(&a, "coverage/%s/decls.tsv", db->folder);

		strbuf_addf(out, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", db->folder, db->role, db->build,
			    db->python, db->commit, db->wheel,
			    asset_get(assets, cxx) ? "C++" : "-");
	}
	arena_free(&a);
	return ret;
}
