/*
 * shim.c - C++ names that the target's headers lack, given by a folder of headers.
 *
 * In: findings about names, members and headers that are not there, and findings whose rule asks for a
 * part. Out: one finding at the extension's declaration that makes the folder, puts it in front of the
 * include folders and into the source archive; the findings rest on it, so that no source line
 * changes but calls of members. A finding that has edits of its own keeps them where a folder that is made
 * for nothing else would touch more lines. What a folder of an earlier patch gives is no finding.
 */
#include "plan/shim.h"

#include <stdio.h>
#include <string.h>

#include "base/intern.h"
#include "base/path.h"
#include "plan/plan.h"

#define SNIPPET_MAX  200
#define SUBSCRIPT    "operator[]"
#define SUBSCRIPT_BY "select" /* of dimension 0 */

/* There are no edits, and this is why. */
static void item_refuse(struct shim_plan *p, struct shim_item *it, const char *reason)
{
	struct finding *f = it->finding;

	if (!f->fix) {
		f->fix = ARENA_NEW(p->arena, struct fix);
		f->fix->safety = SAFETY_MANUAL;
		f->fix->dual = "no";
	}
	f->fix->nr_edits = 0;
	f->fix->reason = reason;
}

/* ---- what a finding needs -------------------------------------------------------------------- */

static bool build_holds(const struct shim_plan *p, const struct shim_part *part)
{
	size_t i;

	for (i = 0; part->build && i < p->result->nr_targets; i++)
		if (strcmp(p->result->targets[i].build, part->build))
			return false;
	return true;
}

static bool provides(const struct shim_part *part, const char *name)
{
	const char *const *s;
	size_t n;

	for (s = part->provides; *s; s++) {
		n = strlen(*s);
		if ((*s)[n - 1] == '*' ? !strncmp(*s, name, n - 1) : !strcmp(*s, name))
			return true;
	}
	return false;
}

/* What follows one of the scopes and "::", NULL: it is of none. */
static const char *scope_strip(const char *const *scopes, const char *name)
{
	size_t n;

	for (; *scopes; scopes++) {
		n = strlen(*scopes);
		if (!strncmp(name, *scopes, n) && !strncmp(name + n, "::", 2) &&
		    !strstr(name + n + 2, "::"))
			return name + n + 2;
	}
	return NULL;
}

static bool section_want(const struct shim_plan *p, struct shim_item *it, const char *kind,
			 const char *name)
{
	int i = shim_section_find(p->shims, kind, name, strlen(name));

	if (i >= 0)
		shim_section_take(p->shims, it->sections, i);
	return i >= 0;
}

static bool bridge_resolve(const struct shim_plan *p, struct shim_item *it, const char *name)
{
	const char *member = scope_strip(p->shims->classes, name), *leaf = member;
	const char *recv = it->finding->fact->recv;
	bool found;

	if (!leaf)
		leaf = scope_strip(p->shims->spaces, name);
	if (!leaf)
		return false;
	if (member && !strcmp(leaf, SUBSCRIPT)) {
		it->member = SUBSCRIPT_BY;
		return section_want(p, it, "member", SUBSCRIPT_BY);
	}
	if (!strncmp(leaf, "operator", 8)) {
		found = section_want(p, it, "operator", leaf);
		if (!strcmp(leaf, "operator-"))
			found |= section_want(p, it, "operator", "operator-unary");
		return found;
	}
	if (!member)
		return section_want(p, it, "free", leaf);
	it->member = leaf;
	if (!section_want(p, it, "member", leaf))
		return false;
	if ((str_eq(recv, "member") || str_eq(recv, "name")) &&
	    str_starts(name, p->shims->classes[0]) && name[strlen(p->shims->classes[0])] == ':')
		it->injected = shim_section_find(p->shims, "member", leaf, strlen(leaf));
	return true;
}

static bool name_resolve(const struct shim_plan *p, struct shim_item *it, const char *name)
{
	size_t i;

	for (i = 0; i < p->shims->nr_parts; i++)
		if (provides(&p->shims->parts[i], name) && build_holds(p, &p->shims->parts[i])) {
			it->parts[i] = true;
			return true;
		}
	return bridge_resolve(p, it, name);
}

/*
 * What a rule asks for by name: a part, or "member NAME", "free NAME", "operator NAME". The call of a member
 * is then written as the function's.
 */
static bool wanted_resolve(const struct shim_plan *p, struct shim_item *it, const char *want)
{
	const char *space = strchr(want, ' ');
	int i = shim_part_find(p->shims, want);

	if (space && str_starts(want, "member "))
		it->member = space + 1;
	if (space)
		return section_want(p, it, arena_strndup(p->arena, want, (size_t)(space - want)),
				    space + 1);
	if (i < 0 || !build_holds(p, &p->shims->parts[i]))
		return false;
	it->parts[i] = true;
	return true;
}

static bool fact_resolve(const struct shim_plan *p, struct shim_item *it, const struct fact *f)
{
	if (!f || !f->name)
		return false;
	if (f->kind == FACT_INCLUDE) {
		it->header = f->name;
		it->missing = true;
		return f->verdict == VERDICT_GAP && shim_header_find(p->shims, f->name);
	}
	if (f->kind != FACT_LACK)
		return false;
	if (name_resolve(p, it, f->name))
		return true;
	it->header = str_eq(f->recv, "include") ? f->text : NULL;
	return it->header != NULL;
}

static bool item_resolve(const struct shim_plan *p, struct shim_item *it)
{
	const struct finding *f = it->finding;
	const char *const *want = f->fix ? f->fix->parts : NULL;
	bool found = want != NULL;

	it->parts = arena_array(p->arena, p->shims->nr_parts + 1, sizeof(bool));
	it->sections = arena_array(p->arena, p->shims->nr_sections + 1, sizeof(bool));
	for (; want && *want; want++)
		found &= wanted_resolve(p, it, *want);
	if (f->fix && f->fix->parts)
		return found;
	if (f->fix && f->fix->instead) {
		it->header = f->fix->instead;
		it->missing = true;
		return shim_header_find(p->shims, it->header) != NULL;
	}
	return fact_resolve(p, it, f->fact);
}

static void items_find(struct shim_plan *p)
{
	struct findings *all = &p->result->findings;
	struct shim_item it;
	size_t i;

	for (i = 0; i < all->nr; i++) {
		struct finding *f = all->v[i];

		if (f->state != STATE_OPEN || f->reason_not_applied || !f->source ||
		    (f->level != LEVEL_CHANGE && f->level != LEVEL_BLOCKED) ||
		    source_off_product(f->source) ||
		    f->source->roles & (ROLE_VENDORED | ROLE_SUBMODULE))
			continue;
		it = (struct shim_item){.finding = f, .injected = -1};
		if (!item_resolve(p, &it))
			continue;
		it.optional = f->fix && f->fix->nr_edits && !f->fix->parts;
		*VEC_PUSH(p->arena, &p->items) = it;
	}
}

/* A C++ file that speaks of the class's base is not sure to compile with a class in between. */
static bool base_is_named(struct shim_plan *p)
{
	const struct repo *repo = p->result->repo;
	size_t i;

	for (i = 0; i < repo->nr_files; i++) {
		struct source *s = repo->files[i];
		const char *text;

		if ((s->lang != LANG_C && s->lang != LANG_CXX && s->lang != LANG_CUDA) ||
		    s->roles & (ROLE_VENDORED | ROLE_SUBMODULE) ||
		    path_folder(s->path, p->shims->folder))
			continue;
		text = shim_text(p, s);
		if (text && strstr(text, p->shims->base))
			return true;
	}
	return false;
}

/* Members that the class is given: their calls stay as they are. */
static void members_inject(struct shim_plan *p)
{
	bool any = false;
	size_t i;

	for (i = 0; i < p->items.nr; i++) {
		struct shim_item *it = &p->items.v[i];

		if (!shim_can_inject(p->shims, p->arena, it->injected))
			it->injected = -1;
		any |= it->injected >= 0;
	}
	if (!any || base_is_named(p))
		return;
	for (i = 0; i < p->items.nr; i++) {
		struct shim_item *it = &p->items.v[i];

		if (it->injected < 0)
			continue;
		it->member = NULL;
		it->header = p->shims->body;
		it->missing = true;
	}
}

/* ---- findings that are none ------------------------------------------------------------------ */

/* True when the file is one of a shim folder. */
static bool in_folder(const struct shim_plan *p, const char *path)
{
	return path_folder(path, p->shims->folder) != NULL;
}

static void findings_drop(struct shim_plan *p, bool (*drop)(const struct shim_plan *p,
							     const struct finding *f))
{
	struct findings *all = &p->result->findings;
	size_t i, nr = 0;

	for (i = 0; i < all->nr; i++)
		if (!drop(p, all->v[i]))
			all->v[nr++] = all->v[i];
	all->nr = nr;
}

static bool drop_shims(const struct shim_plan *p, const struct finding *f)
{
	return f->source && in_folder(p, f->source->path);
}

/* What another finding's edits put out of the build needs no edit, and is no matter any more. */
static bool drop_enclosed(const struct shim_plan *p, const struct finding *f)
{
	size_t i;

	for (i = 0; i < p->enclosing.nr; i++) {
		const struct finding *x = p->enclosing.v[i];
		const struct edit *e = x->fix->edits;

		if (x != f && x->source == f->source && f->span.start >= e[0].span.start &&
		    f->span.start < e[x->fix->nr_edits - 1].span.start)
			return true;
	}
	return false;
}

static void enclosed_drop(struct shim_plan *p)
{
	struct findings *all = &p->result->findings;
	size_t i;

	for (i = 0; i < all->nr; i++) {
		const struct finding *f = all->v[i];

		if (f->state == STATE_OPEN && f->fix && f->fix->encloses && f->fix->nr_edits &&
		    f->fix->safety == SAFETY_SAFE && !f->reason_not_applied)
			*VEC_PUSH(p->arena, &p->enclosing) = f;
	}
	if (p->enclosing.nr)
		findings_drop(p, drop_enclosed);
}

/* ---- the finding that makes the folder ------------------------------------------------------- */

/* When none of the rules holds any more. */
static void condition_make(struct shim_plan *p)
{
	struct strings rules = {0};
	size_t i, k;

	for (i = 0; i < p->items.nr; i++) {
		const char *rule = p->items.v[i].finding->rule;

		if (strings_has(&rules, rule))
			continue;
		strings_add(&rules, p->arena, rule);
		for (k = rules.nr - 1; k && strcmp(rules.v[k - 1], rules.v[k]) > 0; k--) {
			rule = rules.v[k];
			rules.v[k] = rules.v[k - 1];
			rules.v[k - 1] = rule;
		}
	}
	p->rule = rules.v[0];
	p->condition = arena_fmt(p->arena, "fixed %s", rules.v[0]);
	for (i = 1; i < rules.nr; i++)
		p->condition = arena_fmt(p->arena, "%s and fixed %s", p->condition, rules.v[i]);
}

static void finding_place(struct finding *x, const char *text, uint32_t offset, struct arena *a)
{
	uint32_t at, line = 0;
	size_t n;

	x->line = 1;
	for (at = 0; at < offset; at++)
		if (text[at] == '\n') {
			x->line++;
			line = at + 1;
		}
	x->column = offset - line + 1;
	x->end_line = x->line;
	x->end_column = x->column + (x->span.end - x->span.start);
	line += (uint32_t)strspn(text + line, " \t");
	n = strcspn(text + line, "\r\n");
	x->snippet = arena_strndup(a, text + line, n < SNIPPET_MAX ? n : SNIPPET_MAX);
}

/* Into the total order. */
static void finding_insert(struct shim_plan *p, struct finding *x)
{
	struct findings *all = &p->result->findings;
	size_t i;

	for (i = 0; i < all->nr; i++) {
		int c = strcmp(all->v[i]->source->path, x->source->path);

		if (c > 0 || (!c && (all->v[i]->span.start > x->span.start ||
				     (all->v[i]->span.start == x->span.start &&
				      strcmp(all->v[i]->rule, x->rule) > 0))))
			break;
	}
	(void)VEC_PUSH(p->arena, all);
	memmove(&all->v[i + 1], &all->v[i], (all->nr - 1 - i) * sizeof(*all->v));
	all->v[i] = x;
}

static struct finding *finding_make(struct shim_plan *p, const struct shim_decl *decl,
				    struct fix *fix)
{
	const struct extension *ext = &decl->ext;
	struct finding *x = ARENA_NEW(p->arena, struct finding);
	const struct finding *like = p->items.v[0].finding;
	const char *text = shim_text(p, repo_find(p->result->repo, ext->source->path));
	const char *key = arena_fmt(p->arena, "shim\n%s\n%s", ext->source->path, ext->name);
	uint64_t hash = hash_bytes(key, strlen(key));

	fix->safety = SAFETY_SAFE;
	fix->dual = "same";
	fix->description = "a folder of header shims";
	x->rule = p->rule;
	x->name = "header-shims";
	x->level = LEVEL_CHANGE;
	x->source = ext->source;
	x->fact = like->fact;
	x->span = (struct span){ext->span.start, ext->span.start};
	x->symbol = "";
	x->message = arena_fmt(p->arena,
			       "%zu uses in C++ need headers that are not there as they should be: "
			       "a folder of shims in front gives them",
			       p->items.nr);
	x->group = arena_fmt(p->arena, "%s shims", p->rule);
	x->keep_until = p->condition;
	snprintf(x->fingerprint, sizeof(x->fingerprint), "%016llx%016llx", (unsigned long long)hash,
		 (unsigned long long)hash_bytes(p->rule, strlen(p->rule)));
	x->fix = fix;
	if (text)
		finding_place(x, text, ext->span.start, p->arena);
	finding_insert(p, x);
	return x;
}

/* ---- one project ----------------------------------------------------------------------------- */

static const char *item_dir(struct shim_plan *p, const struct shim_item *it)
{
	const char *dir = NULL;
	size_t i;

	for (i = 0; i < p->nr_decls && !dir; i++)
		if (it->owners[i])
			dir = shim_dir(p, &p->decls[i]);
	return dir;
}

/* Lines that the findings' own edits would touch. */
static size_t lines_own(const struct shim_plan *p)
{
	size_t i, nr = 0;

	for (i = 0; i < p->items.nr; i++)
		if (p->items.v[i].optional)
			nr += !i || p->items.v[i].finding->line != p->items.v[i - 1].finding->line ||
			      p->items.v[i].finding->source != p->items.v[i - 1].finding->source;
	return nr;
}

/* Upstream lines that a folder costs: one in each declaration, one for the archive. */
static size_t lines_folder(const struct shim_plan *p)
{
	size_t i, k, nr = 1;

	for (k = 0; k < p->nr_decls; k++)
		for (i = 0; i < p->items.nr; i++)
			if (p->items.v[i].owners[k]) {
				nr++;
				break;
			}
	return nr;
}

/* An earlier patch has made the folder of the project in `dir`. */
static bool folder_there(const struct shim_plan *p, const char *dir)
{
	const struct repo *repo = p->result->repo;
	const char *path = path_join(p->arena, dir, p->shims->folder);
	size_t i;

	for (i = 0; i < repo->nr_files; i++)
		if (path_under(repo->files[i]->path, path))
			return true;
	return false;
}

static bool folder_pays(const struct shim_plan *p, const char *dir)
{
	size_t i;

	for (i = 0; i < p->items.nr; i++)
		if (!p->items.v[i].optional)
			return true;
	/* A folder is more to read than a line: it has to save some of them. */
	return folder_there(p, dir) || 2 * lines_folder(p) < lines_own(p);
}

static int project_fix(struct shim_plan *p, const char *dir, struct fix *fix,
		       const struct shim_decl **first, const char **reason)
{
	bool load = false;
	size_t i, k;

	for (k = 0; k < p->nr_decls; k++) {
		const char *own = shim_dir(p, &p->decls[k]);

		for (i = 0; i < p->items.nr && !p->items.v[i].owners[k]; i++)
			;
		if (i == p->items.nr || !own || strcmp(own, dir))
			continue;
		if (!*first)
			*first = &p->decls[k];
		load |= p->decls[k].kind == SHIM_LOAD;
		if (shim_row(p, &p->decls[k], fix, reason))
			return -1;
	}
	if (shim_files(p, dir, fix, reason))
		return -1;
	if (fix->nr_edits && load && shim_package_data(p, dir, fix, reason))
		return -1;
	return fix->nr_edits ? shim_archive(p, dir, fix, reason) : 0;
}

/* The smallest edit of the folder's finding: one is enough to hang a finding on it. */
static void smallest_add(struct shim_plan *p, struct fix *to, const struct fix *from)
{
	const struct edit *best = &from->edits[0];
	struct edit *e;
	size_t i;

	for (i = 1; i < from->nr_edits; i++)
		if (strlen(from->edits[i].text) < strlen(best->text))
			best = &from->edits[i];
	e = shim_edit(p, to, best->path, 0, 0, NULL);
	*e = *best;
}

static void item_apply(struct shim_plan *p, struct shim_item *it, struct finding *folder)
{
	struct finding *f = it->finding;
	struct fix *fix = ARENA_NEW(p->arena, struct fix), none = {0};
	bool asked = f->fix && f->fix->parts;
	size_t i;

	*fix = asked ? *f->fix : none;
	fix->safety = SAFETY_SAFE;
	fix->dual = it->member ? "no" : "same";
	fix->description = f->fix ? f->fix->description : NULL;
	if (!fix->description)
		fix->description = "a header shim gives it";
	fix->rests_on = folder;
	for (i = 0; i < it->nr_edits; i++)
		*shim_edit(p, fix, NULL, 0, 0, NULL) = it->edits[i];
	if (folder)
		smallest_add(p, fix, folder->fix);
	if (it->member && !f->keep_until && !f->keep_long_term)
		f->keep_until = arena_fmt(p->arena, "fixed %s", f->rule);
	if (it->member && p->dual)
		fix->reason = "a member's call as a function's is not right on both frameworks";
	if (f->level == LEVEL_BLOCKED)
		f->level = LEVEL_CHANGE;
	f->fix = fix;
}

static void project_plan(struct shim_plan *p, const char *dir)
{
	struct fix *fix = ARENA_NEW(p->arena, struct fix);
	const struct shim_decl *first = NULL;
	struct finding *folder = NULL;
	const char *reason = NULL;
	size_t i;

	if (!folder_pays(p, dir))
		return;
	condition_make(p);
	if (project_fix(p, dir, fix, &first, &reason)) {
		for (i = 0; i < p->items.nr; i++)
			if (!p->items.v[i].optional)
				item_refuse(p, &p->items.v[i], reason);
		return;
	}
	if (fix->nr_edits)
		folder = finding_make(p, first, fix);
	for (i = 0; i < p->items.nr; i++) {
		item_apply(p, &p->items.v[i], folder);
		p->items.v[i].finding->shimmed = !p->items.v[i].finding->fix->nr_edits;
	}
}

static bool drop_shimmed(const struct shim_plan *p, const struct finding *f)
{
	(void)p;
	return f->shimmed;
}

/* The items of one project after the other. */
static void projects_plan(struct shim_plan *all)
{
	struct strings dirs = {0};
	const char *dir;
	size_t i, k;

	for (i = 0; i < all->items.nr; i++) {
		dir = item_dir(all, &all->items.v[i]);
		if (all->items.v[i].refused && !all->items.v[i].optional)
			item_refuse(all, &all->items.v[i], all->items.v[i].refused);
		if (dir && !strings_has(&dirs, dir))
			strings_add(&dirs, all->arena, dir);
		if (!dir && !all->items.v[i].optional)
			item_refuse(all, &all->items.v[i],
				    "no extension that compiles it is declared where a folder of "
				    "headers could be added");
	}
	for (k = 0; k < dirs.nr; k++) {
		struct shim_plan one = *all;

		memset(&one.items, 0, sizeof(one.items));
		for (i = 0; i < all->items.nr; i++) {
			dir = item_dir(all, &all->items.v[i]);
			if (dir && !strcmp(dir, dirs.v[k]) &&
			    (all->items.v[i].missing || all->items.v[i].headers.nr) &&
			    !all->items.v[i].refused)
				*VEC_PUSH(all->arena, &one.items) = all->items.v[i];
		}
		if (one.items.nr)
			project_plan(&one, dirs.v[k]);
	}
}

int plan_shims(struct result *r, const struct assets *assets, bool dual, struct arena *a,
	       struct err *err)
{
	struct shim_plan p = {.result = r, .arena = a, .dual = dual};
	struct shims *shims;

	if (shims_load(&shims, a, assets, r->targets, r->nr_targets, err))
		return -1;
	if (!shims)
		return 0;
	p.shims = shims;
	findings_drop(&p, drop_shims);
	enclosed_drop(&p);
	items_find(&p);
	if (!p.items.nr)
		return 0;
	members_inject(&p);
	shim_decls(&p);
	shim_units(&p);
	shim_members(&p);
	projects_plan(&p);
	findings_drop(&p, drop_shimmed);
	return 0;
}
