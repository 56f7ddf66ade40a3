/* db.c - finds and reads the databases; see db.h. */
#include "cover/db.h"

#include <stdlib.h>
#include <string.h>

#define PREFIX "coverage/"

int version_compare(const char *a, const char *b)
{
	while (*a || *b) {
		char *ea, *eb;
		unsigned long na = strtoul(a, &ea, 10), nb = strtoul(b, &eb, 10);

		if (na != nb)
			return na < nb ? -1 : 1;
		if ((*a && ea == a) || (*b && eb == b))
			return strcmp(a, b);
		a = *ea == '.' ? ea + 1 : ea;
		b = *eb == '.' ? eb + 1 : eb;
	}
	return 0;
}

static const struct asset *db_file(const struct assets *assets, struct arena *a, const char *folder,
				   const char *name)
{
	return asset_get(assets, arena_fmt(a, PREFIX "%s/%s.tsv", folder, name));
}

/* The provenance line: role, package, version, build, commit, python, wheel, dump, root, own root,
 * words. */
static int db_head(struct db *db, struct arena *a, const struct assets *assets, struct err *err)
{
	const char **field[] = {&db->role,   &db->package, &db->version, &db->build, &db->commit,
				&db->python, &db->wheel,   &db->dump,    &db->root,  &db->own_root};
	size_t i, nr = sizeof(field) / sizeof(*field);

	for (i = 0; i < nr; i++) {
		*field[i] = text_dup(a, text_field(db->names.head, (int)i));
		if (!**field[i])
			return err_set(err, "%s:1: no provenance line",
				       asset_name(assets, a,
						  arena_fmt(a, PREFIX "%s/names.tsv", db->folder)));
	}
	db->device_words = text_field(db->names.head, (int)nr);
	return 0;
}

static int db_load(struct db *db, struct arena *a, const struct assets *assets, struct err *err)
{
	table_init(&db->names, db_file(assets, a, db->folder, "names"));
	table_init(&db->classes, db_file(assets, a, db->folder, "classes"));
	table_init(&db->members, db_file(assets, a, db->folder, "members"));
	table_init(&db->params, db_file(assets, a, db->folder, "params"));
	return db_head(db, a, assets, err);
}

int dbs_load(struct dbs *out, struct arena *a, const struct assets *assets, struct err *err)
{
	size_t nr, first = asset_range(assets, PREFIX, &nr), i;
	struct err own = {{0}};

	for (i = first; i < first + nr; i++) {
		const char *path = assets->v[i].path + strlen(PREFIX);
		const char *slash = strchr(path, '/');
		struct db *db;

		if (!slash || strcmp(slash, "/names.tsv"))
			continue;
		db = VEC_PUSH(a, out);
		db->folder = arena_strndup(a, path, (size_t)(slash - path));
		if (db_load(db, a, assets, &own))
			return err_set(err, "%s", own.msg);
	}
	return 0;
}
