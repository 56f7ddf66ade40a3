/*
 * database.c - which C++ names, macros and headers the target has, by the tables of `coverage dump`.
 *
 * A qualified name is walked part by part, as a compiler would without arguments: a part is looked up in a
 * namespace with those it opens, or in a class with its bases; aliases and using-declarations are
 * followed to what they stand for. A step ends FOUND, MISSING (its place is known whole) or OPEN.
 */
#include <string.h>

#include "base/path.h"
#include "cxx/db.h"

#define PREFIX	   "coverage/"
#define FORMER	   "former" /* what upstream had once: no versions, macros alone */
#define NAME_MAX_  512
#define STEPS_MAX  24

enum step { STEP_MISSING, STEP_OPEN, STEP_FOUND };

/* Where a walk stands: the row, or a namespace, which has none. */
struct spot {
	struct part row; /* empty: a namespace */
	char name[NAME_MAX_];
};

struct asking {
	const struct side *side;
	const struct cxx_db *db; /* NULL: any build */
	int steps;
	bool other_build;
};

bool build_holds(const struct cxx_db *db, struct part build)
{
	return !build.len || part_is(build, "both") || part_is(build, "any") ||
	       part_is(build, db->cuda ? "cuda" : "plain");
}

/* ---- loading ----------------------------------------------------------------------------------- */

static struct rows rows_load(const struct assets *assets, struct arena *a, const char *folder,
			     const char *table, struct part *head)
{
	const struct asset *as =
		asset_get(assets, arena_fmt(a, PREFIX "%s/%s.tsv", folder, table));
	struct rows rows = {{"", 0}};
	struct part line = {"", 0};

	if (as) {
		rows.body = (struct part){as->data, as->len};
		if (as->len > 2 && !memcmp(as->data, "# ", 2))
			rows_next(&rows.body, &line);
	}
	if (head)
		*head = line.len > 2 ? (struct part){line.s + 2, line.len - 2} : line;
	return rows;
}

static void side_load(struct side *s, const struct assets *assets, struct arena *a,
		      const char *folder)
{
	s->folder = folder;
	s->headers = rows_load(assets, a, folder, "headers", NULL);
	s->includes = rows_load(assets, a, folder, "includes", NULL);
	s->decls = rows_load(assets, a, folder, "decls", NULL);
	s->macros = rows_load(assets, a, folder, "macros", NULL);
	s->unexported = rows_load(assets, a, folder, "unexported", NULL);
}

int cxx_db_load(struct cxx_db **out, struct arena *a, const struct assets *assets,
		const char *version, const char *build, struct err *err)
{
	struct cxx_db *db = ARENA_NEW(a, struct cxx_db);
	size_t nr, first = asset_range(assets, PREFIX, &nr), i;
	const char *newest = "";
	struct part head;

	*out = NULL;
	db->cuda = !strcmp(build, "cuda");
	db->former_macros = rows_load(assets, a, FORMER, "macros", NULL);
	for (i = first; i < first + nr; i++) {
		const char *path = assets->v[i].path + strlen(PREFIX), *folder, *v;

		if (strcmp(path_base(path), "decls.tsv"))
			continue;
		folder = arena_strndup(a, path, path_dirlen(path));
		rows_load(assets, a, folder, "decls", &head);
		v = part_dup(a, row_part(head, 2));
		if (!*v)
			return err_set(err, "%s:1: no provenance line",
				       asset_name(assets, a, assets->v[i].path));
		if (part_is(row_part(head, 0), "target") && !strcmp(v, version)) {
			side_load(&db->target, assets, a, folder);
			*out = db;
		} else if (part_is(row_part(head, 0), "upstream") && strverscmp(v, newest) > 0) {
			side_load(&db->upstream, assets, a, folder);
			db->has_upstream = true;
			newest = v;
		}
	}
	return 0;
}

/* ---- walking ----------------------------------------------------------------------------------- */

static enum step walk_name(struct asking *q, const char *space, struct part name, struct spot *spot);

static bool spot_set(struct spot *spot, const char *scope, struct part id)
{
	int n = snprintf(spot->name, sizeof(spot->name), "%s%s%.*s", scope, *scope ? "::" : "",
			 (int)id.len, id.s);

	return n > 0 && (size_t)n < sizeof(spot->name);
}

/* Is it a namespace: no row's name, and one begins with "NAME::"? */
static bool is_namespace(const struct side *side, const char *name)
{
	char want[NAME_MAX_ + 4];
	struct part rest;
	size_t n;

	if (rows_of(&side->decls, part_of(name)).len)
		return false;
	n = (size_t)snprintf(want, sizeof(want), "%s::", name);
	rest = rows_from(&side->decls, want);
	return rest.len >= n && !memcmp(rest.s, want, n);
}

/* Weight of a row for an answer: a definition says more than a declaration in advance. */
static int row_weight(struct part row)
{
	return part_is(row_part(row, DECL_KIND), "forward") ? 1 : 2;
}

/* The best row of exactly this name in the build asked for; false when there is none. */
static bool row_exact(struct asking *q, const char *name, struct part *row)
{
	struct part rest = rows_of(&q->side->decls, part_of(name)), line;
	int best = 0;

	while (rows_next(&rest, &line)) {
		if (part_is(row_part(line, DECL_KIND), "hidden"))
			continue;
		if (q->db && !build_holds(q->db, row_part(line, DECL_BUILD))) {
			q->other_build = true;
		} else if (row_weight(line) > best) {
			best = row_weight(line);
			*row = line;
		}
	}
	return best > 0;
}

static struct part part_trim(struct part p)
{
	while (p.len && *p.s == ' ')
		p = (struct part){p.s + 1, p.len - 1};
	while (p.len && strchr(" ;", p.s[p.len - 1]))
		p.len--;
	return p;
}

static bool part_skip(struct part *p, const char *word)
{
	size_t n = strlen(word);

	if (p->len < n || memcmp(p->s, word, n))
		return false;
	*p = part_trim((struct part){p->s + n, p->len - n});
	return true;
}

/* A type without its arguments and words: "const a::B<int> &" is "a::B". */
static struct part type_name(struct part p)
{
	size_t i;

	p = part_trim(p);
	while (part_skip(&p, "const ") || part_skip(&p, "typename ") || part_skip(&p, "struct ") ||
	       part_skip(&p, "class ") || part_skip(&p, "enum ") || part_skip(&p, "::"))
		;
	for (i = 0; i < p.len; i++)
		if (!strchr(":_", p.s[i]) && !(p.s[i] >= '0' && p.s[i] <= '9') &&
		    !((p.s[i] | 32) >= 'a' && (p.s[i] | 32) <= 'z'))
			break;
	return (struct part){p.s, i};
}

/* What an alias, a using-declaration or a namespace's other name stands for. */
static struct part alias_target(struct part row)
{
	struct part text = row_part(row, DECL_TEXT), kind = row_part(row, DECL_KIND);
	const char *eq = text.len ? memchr(text.s, '=', text.len) : NULL;
	size_t i, end;

	if (part_is(kind, "using")) {
		part_skip(&text, "using ");
		return type_name(text);
	}
	/* The last '=': default arguments of a template stand before it. */
	for (i = 0; i < text.len; i++)
		if (text.s[i] == '=')
			eq = text.s + i;
	if (eq)
		return type_name((struct part){eq + 1, (size_t)(text.s + text.len - eq - 1)});
	if (!part_skip(&text, "typedef "))
		return (struct part){"", 0};
	for (end = text.len; end && text.s[end - 1] != ' '; end--)
		;
	return type_name((struct part){text.s, end});
}

static bool is_link(struct part row)
{
	struct part kind = row_part(row, DECL_KIND);

	return part_is(kind, "alias") || part_is(kind, "using") || part_is(kind, "namespace");
}

/* The namespace a row's name is in. */
static const char *row_space(struct part row, char *buf)
{
	struct part space = row_part(row, DECL_SPACE);

	snprintf(buf, NAME_MAX_, "%.*s", (int)space.len, space.s);
	return buf;
}

/* Follow what only stands for something else, for a step into it. */
static enum step spot_follow(struct asking *q, struct spot *spot)
{
	char space[NAME_MAX_];
	struct part target;
	struct spot next;
	enum step s;

	while (spot->row.len && is_link(spot->row)) {
		if (q->steps++ > STEPS_MAX)
			return STEP_OPEN;
		target = alias_target(spot->row);
		if (!target.len)
			return STEP_OPEN;
		s = walk_name(q, row_space(spot->row, space), target, &next);
		if (s != STEP_FOUND)
			return STEP_OPEN;
		*spot = next;
	}
	return STEP_FOUND;
}

/* One base of "class X : public A, private B<C>"; rest is cut behind it. */
static bool base_next(struct part *rest, struct part *base)
{
	size_t i;
	int depth = 0;

	if (!rest->len)
		return false;
	for (i = 0; i < rest->len && (depth || rest->s[i] != ','); i++)
		depth += (rest->s[i] == '<') - (rest->s[i] == '>');
	*base = part_trim((struct part){rest->s, i});
	i += i < rest->len;
	*rest = (struct part){rest->s + i, rest->len - i};
	while (part_skip(base, "public ") || part_skip(base, "virtual ") ||
	       part_skip(base, "private ") || part_skip(base, "protected "))
		;
	return true;
}

/* " : " separates a class from its bases; "::" and template arguments hold other colons. */
static struct part bases_of(struct part row)
{
	struct part text = row_part(row, DECL_TEXT);
	const char *p = text.len ? memmem(text.s, text.len, " : ", 3) : NULL;

	return p ? (struct part){p + 3, (size_t)(text.s + text.len - p - 3)} : (struct part){"", 0};
}

static enum step step_class(struct asking *q, const struct spot *at, struct part id,
			    struct spot *found)
{
	struct part bases = bases_of(at->row), base;
	char space[NAME_MAX_];
	enum step ret = part_is(row_part(at->row, DECL_KIND), "forward") ? STEP_OPEN : STEP_MISSING;
	enum step s;
	struct spot in;

	if (!spot_set(found, at->name, id))
		return STEP_OPEN;
	if (row_exact(q, found->name, &found->row))
		return STEP_FOUND;
	while (base_next(&bases, &base)) {
		if (q->steps++ > STEPS_MAX)
			return STEP_OPEN;
		s = walk_name(q, row_space(at->row, space), type_name(base), &in);
		if (s == STEP_FOUND)
			s = spot_follow(q, &in);
		s = s == STEP_FOUND && in.row.len ? step_class(q, &in, id, found) : STEP_OPEN;
		if (s == STEP_FOUND)
			return s;
		if (s == STEP_OPEN)
			ret = STEP_OPEN;
	}
	return ret;
}

static enum step step_space(struct asking *q, const char *space, struct part id,
			    struct spot *found)
{
	char opened[NAME_MAX_ + 4], inner[NAME_MAX_];
	struct part rest, line;
	size_t n;

	if (!spot_set(found, space, id))
		return STEP_OPEN;
	if (row_exact(q, found->name, &found->row))
		return STEP_FOUND;
	found->row = (struct part){"", 0};
	if (is_namespace(q->side, found->name))
		return STEP_FOUND;
	if (!*space)
		return STEP_MISSING;
	/* Rows of directives are "SPACE::(NAME)". */
	n = (size_t)snprintf(opened, sizeof(opened), "%s::(", space);
	rest = rows_from(&q->side->decls, opened);
	while (rows_next(&rest, &line) && line.len > n && !memcmp(line.s, opened, n)) {
		struct part what = row_part(line, DECL_NAME);

		if (q->steps++ > STEPS_MAX)
			return STEP_OPEN;
		snprintf(inner, sizeof(inner), "%.*s", (int)(what.len - n - 1), what.s + n);
		if (step_space(q, inner, id, found) == STEP_FOUND)
			return STEP_FOUND;
	}
	return STEP_MISSING;
}

/* The first part of a name as seen from inside `space`: there, or in what encloses it. */
static enum step step_first(struct asking *q, const char *space, struct part id, struct spot *found)
{
	char scope[NAME_MAX_], *cut, *p;
	enum step s;

	snprintf(scope, sizeof(scope), "%s", space);
	for (;;) {
		s = step_space(q, scope, id, found);
		if (s != STEP_MISSING || !*scope)
			return s;
		cut = scope;
		for (p = strstr(scope, "::"); p; p = strstr(p + 2, "::"))
			cut = p;
		*cut = 0;
	}
}

static struct part name_next(struct part *rest)
{
	const char *sep = rest->len ? memmem(rest->s, rest->len, "::", 2) : NULL;
	struct part id = {rest->s, sep ? (size_t)(sep - rest->s) : rest->len};
	size_t cut = id.len + (sep ? 2 : 0);

	*rest = (struct part){rest->s + cut, rest->len - cut};
	return id;
}

/* Values of an enum that is no class stand beside it. */
static enum step step_enum(struct asking *q, const struct spot *at, struct part id, struct spot *found)
{
	struct part text = row_part(at->row, DECL_TEXT);
	char scope[NAME_MAX_], *cut, *p;

	snprintf(scope, sizeof(scope), "%s", at->name);
	if (!part_skip(&text, "enum class ")) {
		cut = scope;
		for (p = strstr(scope, "::"); p; p = strstr(p + 2, "::"))
			cut = p;
		*cut = 0;
	}
	if (spot_set(found, scope, id) && row_exact(q, found->name, &found->row))
		return STEP_FOUND;
	/* Upstream's rows do not say what kind of enum it is. */
	if (spot_set(found, at->name, id) && row_exact(q, found->name, &found->row))
		return STEP_FOUND;
	return STEP_MISSING;
}

static enum step walk_name(struct asking *q, const char *space, struct part name, struct spot *spot)
{
	struct part rest = name, id = name_next(&rest);
	enum step s = step_first(q, space, id, spot);
	struct spot next;

	while (s == STEP_FOUND && rest.len) {
		s = spot_follow(q, spot);
		if (s != STEP_FOUND)
			return s;
		id = name_next(&rest);
		if (!spot->row.len)
			s = step_space(q, spot->name, id, &next);
		else if (part_is(row_part(spot->row, DECL_KIND), "enum"))
			s = step_enum(q, spot, id, &next);
		else
			s = step_class(q, spot, id, &next);
		*spot = next;
	}
	return s;
}

/* ---- answers ----------------------------------------------------------------------------------- */

static bool upstream_walk(const struct cxx_db *db, const char *name, struct spot *spot)
{
	struct asking q = {.side = &db->upstream};

	return db->has_upstream && walk_name(&q, "", part_of(name), spot) == STEP_FOUND;
}

static struct cxx_answer unknown(const char *why)
{
	return (struct cxx_answer){.verdict = VERDICT_UNKNOWN, .row = why};
}

static const char *row_word(struct arena *a, const struct side *side, const char *table,
			    const char *name)
{
	return arena_fmt(a, "%s/%s:%s", side->folder, table, name);
}

struct cxx_answer cxx_name(const struct cxx_db *db, struct arena *a, const char *name)
{
	struct asking q = {.side = &db->target, .db = db};
	struct cxx_answer r = {.verdict = VERDICT_COVERED};
	struct spot spot = {0}, up = {0};
	enum step s;

	if (str_starts(name, "::"))
		name += 2;
	if (!*name || str_ends(name, ":"))
		return unknown("no whole name");
	s = walk_name(&q, "", part_of(name), &spot);
	if (s == STEP_FOUND) {
		r.kind = spot.row.len ? part_dup(a, row_part(spot.row, DECL_KIND)) : "namespace";
		r.header = spot.row.len ? part_dup(a, row_part(spot.row, DECL_HEADER)) : NULL;
		r.decl = spot.row.len ? part_dup(a, row_part(spot.row, DECL_TEXT)) : NULL;
		r.row = row_word(a, &db->target, "decls", spot.name);
		return r;
	}
	if (q.other_build)
		return unknown("only another build has it");
	if (s == STEP_OPEN)
		return unknown("what it stands on is not known whole");
	if (!upstream_walk(db, name, &up))
		return unknown("not in the upstream list");
	r.verdict = VERDICT_GAP;
	r.header = up.row.len ? part_dup(a, row_part(up.row, DECL_HEADER)) : NULL;
	r.row = row_word(a, &db->target, "decls", name);
	return r;
}

/* A row of a table with one line a name, in the build asked for. */
static bool line_find(const struct cxx_db *db, const struct rows *rows, const char *name,
		      int build_field, struct part *line, bool *other_build)
{
	struct part rest = rows_of(rows, part_of(name));

	while (rows_next(&rest, line)) {
		if (build_holds(db, row_part(*line, build_field)))
			return true;
		*other_build = true;
	}
	return false;
}

static struct cxx_answer answer_line(const struct cxx_db *db, struct arena *a, const char *name,
				     bool macro)
{
	const struct rows *own = macro ? &db->target.macros : &db->target.headers;
	const struct rows *up = macro ? &db->upstream.macros : &db->upstream.headers;
	const char *table = macro ? "macros" : "headers";
	struct cxx_answer r = {.verdict = VERDICT_COVERED, .kind = macro ? "macro" : "header"};
	int field = macro ? MACRO_BUILD : HEADER_BUILD;
	bool other = false, ignored = false;
	struct part line;

	r.row = row_word(a, &db->target, table, name);
	if (line_find(db, own, name, field, &line, &other)) {
		r.header = part_dup(a, row_part(line, macro ? MACRO_HEADER : HEADER_NAME));
		return r;
	}
	if (other)
		return unknown("only another build has it");
	if (!(db->has_upstream && line_find(db, up, name, field, &line, &ignored)) &&
	    !(macro && line_find(db, &db->former_macros, name, field, &line, &ignored)))
		return unknown("not in the upstream list");
	r.verdict = VERDICT_GAP;
	r.kind = NULL;
	r.header = part_dup(a, row_part(line, macro ? MACRO_HEADER : HEADER_NAME));
	return r;
}

struct cxx_answer cxx_header(const struct cxx_db *db, struct arena *a, const char *name)
{
	return answer_line(db, a, name, false);
}

struct cxx_answer cxx_macro(const struct cxx_db *db, struct arena *a, const char *name)
{
	return answer_line(db, a, name, true);
}

static bool is_header_name(const char *name)
{
	const char *ext = path_ext(name);

	return !strcmp(ext, ".h") || !strcmp(ext, ".hpp") || !strcmp(ext, ".cuh");
}

struct cxx_answer cxx_lookup(const struct cxx_db *db, struct arena *a, const char *name)
{
	if (is_header_name(name))
		return cxx_header(db, a, name);
	return strstr(name, "::") ? cxx_name(db, a, name) : cxx_macro(db, a, name);
}

bool cxx_upstream_has(const struct cxx_db *db, const char *name)
{
	struct spot spot;

	if (!db->has_upstream)
		return false;
	if (is_header_name(name))
		return rows_of(&db->upstream.headers, part_of(name)).len > 0;
	if (rows_of(&db->upstream.macros, part_of(name)).len ||
	    rows_of(&db->former_macros, part_of(name)).len)
		return true;
	return upstream_walk(db, str_starts(name, "::") ? name + 2 : name, &spot);
}

const char *cxx_alias_of(const struct cxx_db *db, struct arena *a, const char *type)
{
	struct part rest = db->target.decls.body, line;
	const char *text = arena_fmt(a, " = %s", type);
	size_t n = strlen(text);

	while (rows_next(&rest, &line)) {
		struct part as = row_part(line, DECL_TEXT);

		if (part_is(row_part(line, DECL_KIND), "alias") && as.len > n &&
		    !memcmp(as.s + as.len - n, text, n))
			return part_dup(a, row_part(line, DECL_NAME));
	}
	return NULL;
}

bool cxx_unexported(const struct cxx_db *db, struct arena *a, const char *name, size_t i,
		    struct cxx_unexported *out)
{
	struct part rest = db->target.unexported.body, line;

	while (rows_next(&rest, &line)) {
		if (!part_is(row_part(line, SYMBOL_NAME), name) ||
		    !build_holds(db, row_part(line, SYMBOL_BUILD)) || i--)
			continue;
		out->symbol = part_dup(a, row_part(line, SYMBOL_SYMBOL));
		out->name = part_dup(a, row_part(line, SYMBOL_NAME));
		out->header = part_dup(a, row_part(line, SYMBOL_HEADER));
		out->decl = part_dup(a, row_part(line, SYMBOL_TEXT));
		return true;
	}
	return false;
}

bool cxx_symbol_unexported(const struct cxx_db *db, const char *symbol)
{
	return rows_of(&db->target.unexported, part_of(symbol)).len > 0;
}
