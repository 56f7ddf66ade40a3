/* walk.c - the walk along a dotted name; see db.h. */
#include "cover/db.h"

#include <stdio.h>
#include <string.h>

/* Columns of names.tsv, members.tsv and classes.tsv. */
enum { NAME_KIND = 1, NAME_FLAGS, NAME_LINK, NAME_QUAL };
enum { MEMBER_KIND = 2, MEMBER_LINK };
enum { CLASS_FLAGS = 1, CLASS_MRO, CLASS_META };

static const char too_long[] = "the name is too long";
static const char at_run_time[] = "names are made at run time here";
static const char not_walked[] = "not listed in the database";
static const char other_build[] = "only another build can tell";

static void walk_open(struct walk *w, const char *why)
{
	w->end = WALK_OPEN;
	w->why = why;
}

static void walk_found(struct walk *w, const char *kind)
{
	w->end = WALK_FOUND;
	w->kind = kind;
}

/* One of the constant words, so that answers need no copy. */
static const char *kind_word(struct text kind)
{
	static const char *const words[] = {"module", "class", "function", "property", NULL};
	size_t i;

	for (i = 0; words[i]; i++)
		if (text_is(kind, words[i]))
			return words[i];
	return "attr";
}

static bool names_find(const struct db *db, const char *name, struct row *row)
{
	return table_find(&db->names, text_of(name), row);
}

static bool row_flag(const struct row *row, const char *flag)
{
	return text_has(row_field(row, NAME_FLAGS), ',', flag);
}

static bool same_build(const struct db *db, const char *build)
{
	return !strcmp(db->build, build) || !strcmp(db->build, "any");
}

/* The canonical module `at` answers names by code. */
static bool module_open(const struct db *db, const char *at)
{
	struct row row;

	return names_find(db, at, &row) && row_flag(&row, "open");
}

static bool set_at(struct walk *w, struct text at)
{
	if (at.len >= sizeof(w->at))
		return false;
	memmove(w->at, at.s, at.len);
	w->at[at.len] = 0;
	return true;
}

/* The walk stands on a row of names: what is it, and may it go on from there? */
static void enter_name(struct walk *w, const struct row *row, bool own_build)
{
	struct text kind = row_field(row, NAME_KIND), link = row_field(row, NAME_LINK);

	w->qual = row_field(row, NAME_QUAL);
	w->cls = (struct text){"", 0};
	w->instance = false;
	if (text_is(kind, "cuda?")) {
		w->end = WALK_MISSING;
		w->other_build = !own_build;
		return;
	}
	if (text_is(kind, "raises")) {
		walk_open(w, "reading it fails in this build");
		return;
	}
	if (row_flag(row, "cpu?") && !own_build) {
		walk_open(w, other_build);
		return;
	}
	walk_found(w, kind_word(kind));
	w->instance = text_is(kind, "attr");
	if (text_is(kind, "class") || w->instance)
		w->cls = link;
	else if (link.len)
		set_at(w, link);
}

/* May more parts follow what was found? Else the walk is open. */
static bool can_go_on(struct walk *w, const struct row *row)
{
	if (w->end != WALK_FOUND)
		return false;
	if (w->cls.len)
		return true;
	if (strcmp(w->kind, "module")) {
		walk_open(w, !strcmp(w->kind, "function") ? "attribute of a function"
			     : !strcmp(w->kind, "class")  ? not_walked
							  : "attribute of an instance");
		return false;
	}
	if (row_flag(row, "foreign")) {
		walk_open(w, "belongs to another package");
		return false;
	}
	if (row_flag(row, "unwalked") || row_flag(row, "broken")) {
		walk_open(w, not_walked);
		return false;
	}
	return true;
}

static bool member_find(const struct db *db, struct text cls, struct text part, struct row *row)
{
	char key[WALK_NAME_MAX * 2];
	int n = snprintf(key, sizeof(key), "%.*s\t%.*s", (int)cls.len, cls.s, (int)part.len,
			 part.s);

	return n > 0 && (size_t)n < sizeof(key) &&
	       table_find(&db->members, (struct text){key, (size_t)n}, row);
}

/* Look along a list of classes; the class that has the member goes to *owner. */
static bool member_along(const struct db *db, struct text classes, struct text part,
			 struct row *row, struct text *owner)
{
	while (text_next(&classes, ' ', owner))
		if (member_find(db, *owner, part, row))
			return true;
	return false;
}

static bool class_flag(const struct db *db, struct text cls, const char *flag)
{
	struct row row;
	struct text mro, base;

	if (!table_find(&db->classes, cls, &row))
		return true;
	if (text_has(row_field(&row, CLASS_FLAGS), ',', flag))
		return true;
	mro = row_field(&row, CLASS_MRO);
	while (text_next(&mro, ' ', &base)) {
		struct row brow;

		if (table_find(&db->classes, base, &brow) &&
		    text_has(row_field(&brow, CLASS_FLAGS), ',', flag))
			return true;
	}
	return false;
}

static bool has_device_word(const struct db *db, struct text part)
{
	struct text words = db->device_words, word;

	while (text_next(&words, ' ', &word))
		if (part.len >= word.len && memmem(part.s, part.len, word.s, word.len))
			return true;
	return false;
}

static void member_missing(const struct db *db, const char *build, struct walk *w, struct text part,
			   bool instance)
{
	if (class_flag(db, w->cls, instance ? "iopen" : "open"))
		walk_open(w, at_run_time);
	else if (!same_build(db, build) && class_flag(db, w->cls, "native") &&
		 has_device_word(db, part))
		walk_open(w, other_build);
	else
		w->end = WALK_MISSING;
}

/* One step from a class, or from an instance of it, to a member. */
static void step_class(const struct db *db, const char *build, struct walk *w, struct text part,
		       bool instance)
{
	struct row cls, row;
	struct text owner = w->cls, kind;
	bool found;

	if (!table_find(&db->classes, w->cls, &cls)) {
		walk_open(w, not_walked);
		return;
	}
	found = member_find(db, w->cls, part, &row) ||
		member_along(db, row_field(&cls, CLASS_MRO), part, &row, &owner) ||
		(!instance && member_along(db, row_field(&cls, CLASS_META), part, &row, &owner));
	if (!found) {
		member_missing(db, build, w, part, instance);
		return;
	}
	kind = row_field(&row, MEMBER_KIND);
	if (text_is(kind, "instance") && !instance) {
		walk_open(w, "attribute of an instance");
		return;
	}
	snprintf(w->at, sizeof(w->at), "%.*s::%.*s", (int)owner.len, owner.s, (int)part.len,
		 part.s);
	w->member = true;
	w->instance = false;
	w->qual = (struct text){"", 0};
	walk_found(w, kind_word(kind));
	w->cls = text_is(kind, "class") ? row_field(&row, MEMBER_LINK) : (struct text){"", 0};
}

/* One step from the module `at` to a name in it. */
static bool step_module(const struct db *db, bool own_build, struct walk *w, struct text part,
			struct row *row)
{
	size_t n = strlen(w->at);

	if (n + 1 + part.len >= sizeof(w->at)) {
		walk_open(w, too_long);
		return false;
	}
	w->at[n] = '.';
	memcpy(w->at + n + 1, part.s, part.len);
	w->at[n + 1 + part.len] = 0;
	if (names_find(db, w->at, row)) {
		enter_name(w, row, own_build);
		return true;
	}
	w->at[n] = 0;
	if (module_open(db, w->at))
		walk_open(w, at_run_time);
	else
		w->end = WALK_MISSING;
	return false;
}

/* Stand on the root when the name starts there; the rest of the name is left in *rest. */
static bool walk_start(const struct db *db, struct walk *w, const char *name, size_t len,
		       struct text *rest)
{
	struct text part;

	memset(w, 0, sizeof(*w));
	*rest = (struct text){name, len};
	if (len > WALK_NAME_MAX) {
		walk_open(w, too_long);
		return false;
	}
	if (!text_next(rest, '.', &part) || !text_is(part, db->root)) {
		walk_open(w, "not below a root of the database");
		return false;
	}
	set_at(w, part);
	walk_found(w, "module");
	w->upto = part.len;
	return true;
}

void db_walk(const struct db *db, const char *build, const char *name, size_t len, struct walk *w)
{
	struct text rest, part;
	struct row row = {{"", 0}};
	bool first = true;

	if (!walk_start(db, w, name, len, &rest))
		return;
	while (text_next(&rest, '.', &part)) {
		w->upto = (size_t)(part.s + part.len - name);
		if (w->cls.len) {
			step_class(db, build, w, part, w->instance);
			if (w->end == WALK_FOUND && !w->cls.len && rest.len) {
				w->upto = (size_t)(rest.s + rest.len - name);
				walk_open(w, "attribute of a member");
			}
			if (w->end != WALK_FOUND)
				return;
			continue;
		}
		if (!first && !can_go_on(w, &row))
			return;
		first = false;
		if (!step_module(db, same_build(db, build), w, part, &row) || w->end != WALK_FOUND)
			return;
	}
}

void db_walk_instance(const struct db *db, const char *build, const char *recv, const char *member,
		      struct walk *w)
{
	db_walk(db, build, recv, strlen(recv), w);
	if (w->end == WALK_FOUND && w->cls.len && !w->instance)
		step_class(db, build, w, text_of(member), true);
	else
		walk_open(w, "the receiver's class is not in the database");
}

void db_walk_import(const struct db *db, const char *build, const char *name, size_t len,
		    struct walk *w)
{
	struct text rest, part;
	struct row row = {{"", 0}};
	size_t n;

	if (!walk_start(db, w, name, len, &rest))
		return;
	while (text_next(&rest, '.', &part)) {
		bool open = module_open(db, w->at);

		w->upto = (size_t)(part.s + part.len - name);
		n = w->upto < sizeof(w->at) ? w->upto : sizeof(w->at) - 1;
		set_at(w, (struct text){name, n});
		if (names_find(db, w->at, &row)) {
			w->qual = row_field(&row, NAME_QUAL);
			if (row_flag(&row, "import"))
				continue;
			if (row_flag(&row, "unwalked") || row_flag(&row, "broken"))
				open = true;
			w->other_build = !same_build(db, build) &&
					 text_is(row_field(&row, NAME_KIND), "cuda?");
		}
		if (open)
			walk_open(w, not_walked);
		else
			w->end = WALK_MISSING;
		return;
	}
}

bool db_params(const struct db *db, const struct walk *w, struct row *row)
{
	if (w->end != WALK_FOUND)
		return false;
	return !w->instance && table_find(&db->params, w->cls.len ? w->cls : text_of(w->at), row);
}
