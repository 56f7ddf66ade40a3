/*
 * unit.c - which sources are parsed, and with which files.
 *
 * A unit is a source that is compiled, or a header that no unit includes. What it includes is
 * found by text: the folder of the includer, the folders of -I, and at last the file of the
 * repository whose path ends so, whose folder then joins -I. A unit is parsed when it names the
 * framework, or a header it includes does that no other unit includes: sources that only
 * instantiate what a header holds are many and say nothing new.
 */
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/path.h"
#include "cxx/db.h"
#include "cxx/parse.h"

#define FILE_MAX_  (8u << 20)
#define FILES_MAX  3000
#define BYTES_MAX  (64u << 20)

/* An inclusion. */
struct inclusion {
	const char *name;
	bool angle;
	uint32_t at; /* offset */
};

/* An inclusion of the framework's. */
struct umbrella {
	const char *name;
	struct strings headers; /* the target's that it brings */
	size_t weight;		/* how many with all that they include */
};

/* A C++ file of the repository. */
struct tree_file {
	struct source *source;
	VEC(struct inclusion) includes;
	struct strings headers; /* the framework's that it includes */
	struct strings supply;	/* macros in it that the target lacks */
	bool loaded, names, covered;
	size_t seen; /* number of the last unit that includes it, from 1 */
};

struct finder {
	const struct parse *p;
	struct arena *arena;
	struct tree_file *files; /* in order of path bytes */
	size_t nr;
	size_t *by_base; /* their indexes, in order of the last part of the path */
	struct intern intern;
	struct notices *notices;
	size_t unit;
	struct strings *dirs; /* -I of the unit at hand */
	VEC(size_t) queue;
	VEC(const struct umbrella *) umbrellas;
	size_t bytes;
};

bool source_is_cxx(const struct source *s)
{
	return s->lang == LANG_C || s->lang == LANG_CXX || s->lang == LANG_CUDA;
}

static bool is_header(const char *path)
{
	static const char *const exts[] = {".c", ".cc", ".cpp", ".cxx", ".cu", ".C", ".c++"};
	size_t i;

	for (i = 0; i < sizeof(exts) / sizeof(*exts); i++)
		if (!strcmp(path_ext(path), exts[i]))
			return false;
	return true;
}

static bool is_vendored(const struct source *s)
{
	return s->roles & (ROLE_VENDORED | ROLE_SUBMODULE);
}

static bool framework_header(const struct finder *f, const char *name)
{
	const char *const *p;

	for (p = f->p->o->vocab->cxx_headers; p && *p; p++)
		if (str_starts(name, *p))
			return true;
	return false;
}

/* ---- files ------------------------------------------------------------------------------------- */

static void file_fact(struct finder *f, struct tree_file *t, const struct fact *fact)
{
	if (fact->kind == FACT_INCLUDE) {
		*VEC_PUSH(f->arena, &t->includes) =
			(struct inclusion){fact->name, fact->flags & F_ANGLE, fact->span.start};
		if (!framework_header(f, fact->name) || fact->flags & F_TRY_IMPORT)
			return;
		strings_add(&t->headers, f->arena, fact->name);
		t->names |= !is_vendored(t->source);
	}
	if (fact->kind != FACT_TOKEN)
		return;
	t->names |= !is_vendored(t->source);
	if (!strstr(fact->name, "::") && !(fact->flags & F_STORE) &&
	    !strings_has(&t->supply, fact->name) && !parse_defines(f->p, fact->name) && f->p->dbs[0] &&
	    cxx_macro(f->p->dbs[0], f->arena, fact->name).verdict == VERDICT_GAP)
		strings_add(&t->supply, f->arena, fact->name);
}

/* Third parties' files have no facts; what they include is asked for here. */
static void file_load(struct finder *f, struct tree_file *t)
{
	struct source copy = {0};
	struct fs_text text;
	struct err err;
	size_t i;

	if (t->loaded)
		return;
	t->loaded = true;
	if (!is_vendored(t->source)) {
		for (i = 0; i < t->source->nr_facts; i++)
			file_fact(f, t, &t->source->facts[i]);
		return;
	}
	if (fs_read(f->p->repo->dirfd, t->source->path, FILE_MAX_, &text, &err))
		return;
	copy.path = t->source->path;
	if (!memchr(text.data, 0, text.len))
		cxx_lex_facts(&copy, text.data, text.len, f->p->o->vocab, f->arena, &f->intern);
	for (i = 0; i < copy.nr_facts; i++)
		if (copy.facts[i].kind == FACT_INCLUDE)
			file_fact(f, t, &copy.facts[i]);
	fs_text_free(&text);
}

static int index_order(const void *a, const void *b, void *ctx)
{
	const struct tree_file *files = ctx;
	size_t x = *(const size_t *)a, y = *(const size_t *)b;
	int cmp = strcmp(path_base(files[x].source->path), path_base(files[y].source->path));

	return cmp ? cmp : (x > y) - (x < y);
}

static void files_list(struct finder *f)
{
	const struct repo *repo = f->p->repo;
	size_t i;

	f->files = arena_array(f->arena, repo->nr_files + 1, sizeof(*f->files));
	for (i = 0; i < repo->nr_files; i++)
		if (source_is_cxx(repo->files[i]))
			f->files[f->nr++].source = repo->files[i];
	f->by_base = arena_array(f->arena, f->nr + 1, sizeof(*f->by_base));
	for (i = 0; i < f->nr; i++)
		f->by_base[i] = i;
	if (f->nr)
		qsort_r(f->by_base, f->nr, sizeof(*f->by_base), index_order, f->files);
}

/* ---- inclusions -------------------------------------------------------------------------------- */

/* Index of the file at `path`, SIZE_MAX for none. */
static size_t file_at(const struct finder *f, const char *path)
{
	size_t lo = 0, hi = f->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int cmp = strcmp(f->files[mid].source->path, path);

		if (!cmp)
			return mid;
		if (cmp < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return SIZE_MAX;
}

static const char *dir_of(struct arena *a, const char *path)
{
	return arena_strndup(a, path, path_dirlen(path));
}

/* Does an inclusion's path need another spelling to be found? */
static bool has_dots(const char *name)
{
	return str_starts(name, "./") || str_starts(name, "../") || strstr(name, "/./") ||
	       strstr(name, "/../") || strstr(name, "//");
}

static size_t file_below(struct finder *f, struct unit *u, const char *dir, const char *name)
{
	const char *path = path_resolve(f->arena, dir, name);
	size_t i = path ? file_at(f, path) : SIZE_MAX;

	if (i == SIZE_MAX || !has_dots(name))
		return i;
	strings_add(&u->aliases, f->arena,
		    *dir ? arena_fmt(f->arena, "%s/%s", dir, name) : name);
	strings_add(&u->aliases, f->arena, path);
	return i;
}

static size_t shared_length(const char *a, const char *b)
{
	size_t i, n = 0;

	for (i = 0; a[i] && a[i] == b[i]; i++)
		if (a[i] == '/')
			n = i + 1;
	return n;
}

/* The file whose path ends in "/name": the one nearest to the includer, then the first by path. */
static size_t file_by_end(const struct finder *f, const char *from, const char *name)
{
	size_t lo = 0, hi = f->nr, best = SIZE_MAX, near = 0, n = strlen(name);
	const char *base = path_base(name);

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (strcmp(path_base(f->files[f->by_base[mid]].source->path), base) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < f->nr; lo++) {
		const char *path = f->files[f->by_base[lo]].source->path;
		size_t len = strlen(path), common;

		if (strcmp(path_base(path), base))
			break;
		if (len < n || strcmp(path + len - n, name) || (len > n && path[len - n - 1] != '/'))
			continue;
		common = shared_length(path, from) + 1;
		if (common > near) {
			near = common;
			best = f->by_base[lo];
		}
	}
	return best;
}

static void dir_add(struct finder *f, const char *path, const char *name)
{
	size_t n = strlen(path) - strlen(name);
	const char *dir = arena_strndup(f->arena, path, n ? n - 1 : 0);

	if (!strings_has(f->dirs, dir))
		strings_add(f->dirs, f->arena, dir);
}

static size_t file_included(struct finder *f, struct unit *u, const struct tree_file *from,
			    const struct inclusion *in)
{
	size_t i, k;

	if (*in->name == '/')
		return SIZE_MAX;
	if (!in->angle) {
		k = file_below(f, u, dir_of(f->arena, from->source->path), in->name);
		if (k != SIZE_MAX)
			return k;
	}
	for (i = 0; i < f->dirs->nr; i++) {
		k = file_below(f, u, f->dirs->v[i], in->name);
		if (k != SIZE_MAX)
			return k;
	}
	if (has_dots(in->name) || framework_header(f, in->name) || !*path_ext(in->name))
		return SIZE_MAX;
	k = file_by_end(f, from->source->path, in->name);
	if (k != SIZE_MAX)
		dir_add(f, f->files[k].source->path, in->name);
	return k;
}

/* ---- a unit ------------------------------------------------------------------------------------ */

static void strings_merge(struct strings *to, struct arena *a, const struct strings *from)
{
	size_t i;

	for (i = 0; i < from->nr; i++)
		if (!strings_has(to, from->v[i]))
			strings_add(to, a, from->v[i]);
}

static void file_reach(struct finder *f, struct unit *u, size_t i)
{
	struct tree_file *t = &f->files[i];

	if (t->seen == f->unit)
		return;
	if (u->files.nr == FILES_MAX || f->bytes + t->source->size > BYTES_MAX) {
		u->lost = true;
		return;
	}
	t->seen = f->unit;
	f->bytes += t->source->size;
	strings_add(&u->files, f->arena, t->source->path);
	*VEC_PUSH(f->arena, &f->queue) = i;
}

/* A header with a framework's name that the folders of the build find in the repository. */
static void own_mark(const struct finder *f, const struct tree_file *t, const struct inclusion *in)
{
	size_t i;

	if (!framework_header(f, in->name) || is_vendored(t->source))
		return;
	for (i = 0; i < t->source->nr_facts; i++)
		if (t->source->facts[i].kind == FACT_INCLUDE &&
		    t->source->facts[i].span.start == in->at)
			t->source->facts[i].flags |= F_INTERNAL;
}

/* All that the unit includes; true when any of it names the framework. */
static bool unit_reach(struct finder *f, struct unit *u, size_t start)
{
	bool names = false;
	size_t i, k;

	f->queue.nr = 0;
	f->bytes = 0;
	file_reach(f, u, start);
	for (i = 0; i < f->queue.nr; i++) {
		struct tree_file *t = &f->files[f->queue.v[i]];

		file_load(f, t);
		names |= t->names;
		strings_merge(&u->headers, f->arena, &t->headers);
		strings_merge(&u->supply, f->arena, &t->supply);
		for (k = 0; k < t->includes.nr; k++) {
			size_t to = file_included(f, u, t, &t->includes.v[k]);

			if (to == SIZE_MAX)
				continue;
			own_mark(f, t, &t->includes.v[k]);
			file_reach(f, u, to);
		}
	}
	return names;
}

/* ---- what is precompiled ----------------------------------------------------------------------- */

static void closure_add(struct finder *f, struct strings *all, const char *header)
{
	const struct cxx_db *db = f->p->dbs[0];
	size_t i = all->nr;

	if (!strings_has(all, header))
		strings_add(all, f->arena, header);
	for (; i < all->nr; i++) {
		struct part rest = rows_of(&db->target.includes, part_of(all->v[i])), line;

		while (rows_next(&rest, &line)) {
			const char *to = part_dup(f->arena, row_part(line, INCLUDE_TARGET));

			if (build_holds(db, row_part(line, INCLUDE_BUILD)) && !strings_has(all, to))
				strings_add(all, f->arena, to);
		}
	}
}

/* The shipped headers that an inclusion of the framework's brings, and how many come with them. */
static const struct umbrella *umbrella_of(struct finder *f, const char *name)
{
	struct strings all = {0};
	struct umbrella *u;
	size_t i;

	for (i = 0; i < f->umbrellas.nr; i++)
		if (!strcmp(f->umbrellas.v[i]->name, name))
			return f->umbrellas.v[i];
	u = ARENA_NEW(f->arena, struct umbrella);
	u->name = name;
	if (cxx_header(f->p->dbs[0], f->arena, name).verdict == VERDICT_COVERED)
		strings_add(&u->headers, f->arena, name);
	else
		cxx_shadow_headers(&u->headers, f->arena, f->p->dbs[0], f->p->o->assets, name);
	for (i = 0; i < u->headers.nr; i++)
		closure_add(f, &all, u->headers.v[i]);
	u->weight = all.nr;
	*VEC_PUSH(f->arena, &f->umbrellas) = u;
	return u;
}

/*
 * Of all inclusions of the unit the one that brings most: what is precompiled counts as
 * included. The worker sees whether the place is in a branch that is taken.
 */
static void pch_choose(struct finder *f, struct unit *u)
{
	const struct umbrella *best = NULL, *x;
	size_t i, k;

	for (i = 0; i < f->queue.nr; i++) {
		const struct tree_file *t = &f->files[f->queue.v[i]];

		for (k = 0; k < t->includes.nr; k++) {
			if (!framework_header(f, t->includes.v[k].name))
				continue;
			x = umbrella_of(f, t->includes.v[k].name);
			if (x->weight <= (best ? best->weight : 0))
				continue;
			best = x;
			u->pch_file = (uint32_t)i;
			u->pch_at = t->includes.v[k].at;
		}
	}
	if (best)
		u->pch = best->headers;
}

bool unit_pch_same(const struct unit *a, const struct unit *b)
{
	size_t i;

	if (a->mode != b->mode || a->pch.nr != b->pch.nr)
		return false;
	for (i = 0; i < a->pch.nr; i++)
		if (strcmp(a->pch.v[i], b->pch.v[i]))
			return false;
	return true;
}

/* Making one takes longer than a parse: it has to serve two units. */
static void pch_share(struct units *units)
{
	size_t i, k;

	for (i = 0; i < units->nr; i++)
		for (k = 0; k < i && !units->v[i].pch_make; k++)
			if (unit_pch_same(&units->v[i], &units->v[k]))
				units->v[i].pch_make = units->v[k].pch_make = true;
}

/* ---- units ------------------------------------------------------------------------------------- */

static void unit_flags(struct finder *f, struct unit *u)
{
	size_t i;

	for (i = 0; i < f->dirs->nr; i++)
		strings_add(&u->args, f->arena,
			    arena_fmt(f->arena, "-I" CXX_TREE_DIR "%s%s", *f->dirs->v[i] ? "/" : "",
				      f->dirs->v[i]));
}

/* Does the unit bring a file that names the framework and that no unit before it has? */
static bool unit_brings(const struct finder *f)
{
	size_t i;

	for (i = 0; i < f->queue.nr; i++)
		if (f->files[f->queue.v[i]].names && !f->files[f->queue.v[i]].covered)
			return true;
	return false;
}

static void unit_make(struct finder *f, struct units *out, size_t i)
{
	struct tree_file *t = &f->files[i];
	struct unit u = {.path = t->source->path};
	struct strings dirs = {0};
	size_t k;

	f->unit++;
	f->dirs = &dirs;
	flags_find(&u, &dirs, f->p, t->source);
	if (!unit_reach(f, &u, i) || !unit_brings(f))
		return;
	unit_flags(f, &u);
	if (f->p->dbs[0])
		pch_choose(f, &u);
	for (k = 0; k < f->queue.nr; k++)
		f->files[f->queue.v[k]].covered = true;
	u.bytes = f->bytes;
	*VEC_PUSH(f->arena, out) = u;
}

/* Paths that no build of the repository alone can mean: they are not followed. */
static void notice_outside(struct finder *f, struct tree_file *t)
{
	size_t i;

	for (i = 0; i < t->includes.nr; i++) {
		const char *name = t->includes.v[i].name;

		if (*name != '/' &&
		    (!has_dots(name) || path_resolve(f->arena, dir_of(f->arena, t->source->path), name)))
			continue;
		notice_add(f->notices, f->arena, t->source->path, "parse",
			   "includes '%s', outside the repository: not followed", name);
		return;
	}
}

/* Sources that name the framework themselves, or those that only include what does. */
static void units_make(struct finder *f, struct units *out, bool names)
{
	size_t i;

	for (i = 0; i < f->nr; i++)
		if (!is_vendored(f->files[i].source) && !is_header(f->files[i].source->path) &&
		    f->files[i].names == names)
			unit_make(f, out, i);
}

void units_find(struct units *out, const struct parse *p, struct notices *notices)
{
	struct finder f = {.p = p, .arena = p->arena, .notices = notices};
	size_t i;

	f.intern.arena = p->arena;
	files_list(&f);
	for (i = 0; i < f.nr; i++)
		if (!is_vendored(f.files[i].source))
			file_load(&f, &f.files[i]);
	units_make(&f, out, true);
	units_make(&f, out, false);
	for (i = 0; i < f.nr; i++)
		if (f.files[i].names && !f.files[i].covered && is_header(f.files[i].source->path))
			unit_make(&f, out, i);
	pch_share(out);
	for (i = 0; i < f.nr; i++)
		if (!is_vendored(f.files[i].source))
			notice_outside(&f, &f.files[i]);
}
