/* lookup.c - one question, one verdict with the row it rests on. */
#include <string.h>

#include "cover/internal.h"

static void ask_db(const struct db *db, const char *build, enum question q, const char *name,
		   const char *member, struct walk *w)
{
	if (q == ASK_MEMBER)
		db_walk_instance(db, build, name, member, w);
	else if (q == ASK_IMPORT)
		db_walk_import(db, build, name, strlen(name), w);
	else
		db_walk(db, build, name, strlen(name), w);
}

/* Has upstream what the target lacks: the name up to and with the part that is not there? */
static bool upstream_has(const struct cover *c, enum question q, const char *name,
			 const char *member, size_t upto)
{
	const struct db *up = c->upstream;
	struct walk w;

	if (!up)
		return false;
	if (q == ASK_MEMBER)
		db_walk_instance(up, up->build, name, member, &w);
	else
		db_walk(up, up->build, name, upto, &w);
	return w.end == WALK_FOUND && (q != ASK_IMPORT || !strcmp(w.kind, "module"));
}

static const char *row_name(const struct db *db, struct arena *a, const struct walk *w)
{
	return arena_fmt(a, "%s/%s:%s", db->folder, w->member ? "members" : "names", w->at);
}

/* The target's own name: the row's, or the same path below its own root. */
static const char *own_name(const struct db *db, struct arena *a, const struct walk *w)
{
	size_t root = strlen(db->root);

	if (w->cls.len && !w->instance)
		return text_dup(a, w->cls);
	if (w->qual.len)
		return text_dup(a, w->qual);
	if (w->member || strncmp(w->at, db->root, root))
		return arena_strdup(a, w->at);
	return arena_fmt(a, "%s%s", db->own_root, w->at + root);
}

static struct cover_answer answer_missing(const struct cover *c, const struct db *db,
					  struct arena *a, enum question q, const char *name,
					  const char *member, const struct walk *w)
{
	struct cover_answer r = {VERDICT_UNKNOWN, NULL, NULL, NULL, NULL};

	r.missing = q == ASK_MEMBER ? arena_fmt(a, "%s.%s", name, member)
				    : arena_strndup(a, name, w->upto);
	if (w->other_build) {
		r.row = "only another build has it";
	} else if (!upstream_has(c, q, name, member, w->upto)) {
		r.row = "not in the upstream list";
	} else if (assigned_has(c, r.missing)) {
		r.row = "assigned by the repository";
	} else {
		r.verdict = VERDICT_GAP;
		r.row = arena_fmt(a, "%s/%s:%s", db->folder,
				  q == ASK_MEMBER || w->cls.len ? "members" : "names", r.missing);
	}
	return r;
}

static struct cover_answer answer_one(const struct cover *c, size_t i, struct arena *a,
				      enum question q, const char *name, const char *member)
{
	struct cover_answer r = {VERDICT_UNKNOWN, NULL, NULL, NULL, NULL};
	const struct db *db = c->targets[i];
	struct walk w;

	ask_db(db, c->builds[i], q, name, member, &w);
	if (w.end == WALK_MISSING)
		return answer_missing(c, db, a, q, name, member, &w);
	if (w.end == WALK_OPEN) {
		size_t len = strlen(name);

		r.missing = arena_strndup(a, name, w.upto && w.upto < len ? w.upto : len);
		r.row = w.why;
		return r;
	}
	r.verdict = VERDICT_COVERED;
	r.kind = w.kind;
	r.qual = own_name(db, a, &w);
	r.row = row_name(db, a, &w);
	return r;
}

static int verdict_weight(enum verdict v)
{
	return v == VERDICT_GAP ? 2 : v == VERDICT_UNKNOWN ? 1 : 0;
}

struct cover_answer cover_ask(const struct cover *c, struct arena *a, enum question q,
			      const char *name, const char *member)
{
	struct cover_answer worst = {VERDICT_UNKNOWN, NULL, NULL, NULL, "no target"};
	size_t i;

	for (i = 0; i < c->nr; i++) {
		struct cover_answer r = answer_one(c, i, a, q, name, member);

		if (!i || verdict_weight(r.verdict) > verdict_weight(worst.verdict))
			worst = r;
	}
	return worst;
}

struct cover_answer cover_lookup(const struct cover *c, struct arena *a, const char *name)
{
	return cover_ask(c, a, ASK_NAME, name, NULL);
}

/* Does a list of parameters (with their marks) take the keyword by name? */
static bool params_take(struct text params, const char *keyword)
{
	struct text p;

	while (text_next(&params, ' ', &p)) {
		char last = p.s[p.len - 1];

		if (*p.s == '*' || last == '/')
			continue;
		if (last == '=')
			p.len--;
		if (text_is(p, keyword))
			return true;
	}
	return false;
}

/* Columns of params.tsv. */
enum { PARAM_STATE = 1, PARAM_NAMES, PARAM_ALIASES, PARAM_REFUSED };

static bool row_rejects(const struct row *row, const char *keyword)
{
	if (text_has(row_field(row, PARAM_REFUSED), ' ', keyword))
		return true;
	return text_is(row_field(row, PARAM_STATE), "closed") &&
	       !params_take(row_field(row, PARAM_NAMES), keyword) &&
	       !text_has(row_field(row, PARAM_ALIASES), ' ', keyword);
}

bool cover_rejects(const struct cover *c, enum question q, const char *name, const char *member,
		   const char *keyword)
{
	struct walk w;
	struct row row;
	size_t i;

	if (!c->upstream || q == ASK_IMPORT)
		return false;
	ask_db(c->upstream, c->upstream->build, q, name, member, &w);
	if (!db_params(c->upstream, &w, &row) ||
	    !params_take(row_field(&row, PARAM_NAMES), keyword))
		return false;
	for (i = 0; i < c->nr; i++) {
		ask_db(c->targets[i], c->builds[i], q, name, member, &w);
		if (db_params(c->targets[i], &w, &row) && row_rejects(&row, keyword))
			return true;
	}
	return false;
}

bool cover_rejects_keyword(const struct cover *c, const char *name, const char *keyword)
{
	return cover_rejects(c, ASK_NAME, name, NULL, keyword);
}
