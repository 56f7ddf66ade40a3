/*
 * verb_hoist.c - move an import from a function to the top of its module.
 *
 * The statement must stand on lines of its own, at the level of the function's body, and what it
 * binds must mean nothing else in the module. It goes below the imports at the top. An import of
 * the tree's own module is moved only where that module does not come back to this one while it is
 * loaded; else the way round is named.
 */
#include <string.h>

#include "base/intern.h"
#include "base/lines.h"
#include "rule/verb.h"

/* ---- import cycles ---------------------------------------------------------------------------- */

struct step {
	const struct source *source;
	size_t from; /* number of the step that led here */
};

struct trail {
	VEC(struct step) steps;
};

/* The module of the tree that the import runs last. */
static const struct source *import_source(struct verb_call *c, const struct fact *f)
{
	const struct source *s = repo_module(c->rules->repo, f->name);
	const char *dot = strrchr(f->name, '.');

	if (s || !dot)
		return s;
	return repo_module(c->rules->repo,
			   arena_strndup(c->arena, f->name, (size_t)(dot - f->name)));
}

static void trail_add(struct verb_call *c, struct trail *t, const struct source *s, size_t from)
{
	struct step *step;
	size_t i;

	for (i = 0; i < t->steps.nr; i++)
		if (t->steps.v[i].source == s)
			return;
	step = VEC_PUSH(c->arena, &t->steps);
	step->source = s;
	step->from = from;
}

static const char *cycle_words(struct verb_call *c, const struct trail *t, size_t last)
{
	const char *words = t->steps.v[last].source->module;

	while (last) {
		last = t->steps.v[last].from;
		words = arena_fmt(c->arena, "%s -> %s", t->steps.v[last].source->module, words);
	}
	return arena_fmt(c->arena, "%s -> %s", c->source->module, words);
}

/* The way from the imported module back to this one, breadth first; NULL: there is none. */
static const char *cycle_find(struct verb_call *c, const struct source *to)
{
	struct trail t = { { 0 } };
	size_t at, i;

	trail_add(c, &t, to, 0);
	for (at = 0; at < t.steps.nr; at++) {
		const struct source *s = t.steps.v[at].source, *next;

		if (s == c->source)
			return cycle_words(c, &t, at);
		for (i = 0; i < s->nr_facts; i++) {
			if (s->facts[i].kind != FACT_IMPORT || !(s->facts[i].flags & F_INTERNAL) ||
			    s->facts[i].flags & (F_FUNCTION | F_CHECKING))
				continue;
			next = import_source(c, &s->facts[i]);
			if (next && next->module && next != s)
				trail_add(c, &t, next, at);
		}
	}
	return NULL;
}

/* ---- legality --------------------------------------------------------------------------------- */

/* True when the module has the name for something else. */
static bool is_taken(const struct source *s, const struct fact *f)
{
	size_t i;

	for (i = 0; i < s->nr_exports; i++)
		if (str_eq(s->exports[i].name, f->text) && !str_eq(s->exports[i].target, f->name) &&
		    !(s->exports[i].target && str_starts(f->name, s->exports[i].target)))
			return true;
	return false;
}

/* True when the module binds all names of the statement to the same already. */
static bool is_bound(const struct source *s, const struct shape_stmt *st)
{
	size_t i, k;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];

		if (f->kind != FACT_IMPORT || f->span.start < st->span.start ||
		    f->span.start >= st->span.end)
			continue;
		for (k = 0; k < s->nr_exports; k++)
			if (str_eq(s->exports[k].name, f->text) &&
			    str_eq(s->exports[k].target, f->name))
				break;
		if (k == s->nr_exports)
			return false;
	}
	return true;
}

static bool is_alone(const struct shape *sh, const struct shape_stmt *st)
{
	size_t i;

	for (i = 0; i < sh->nr_stmts; i++)
		if (&sh->stmts[i] != st && sh->stmts[i].parent == st->parent)
			return false;
	return true;
}

/* Every name of the statement may be moved; -1 with the reason. */
static int names_check(struct verb_call *c, const struct shape_stmt *st)
{
	const struct source *to;
	const char *cycle;
	size_t i;

	for (i = 0; i < c->source->nr_facts; i++) {
		const struct fact *f = &c->source->facts[i];

		if (f->kind != FACT_IMPORT || f->span.start < st->span.start ||
		    f->span.start >= st->span.end)
			continue;
		if (is_taken(c->source, f))
			return verb_refuse(c, "the module has another '%s'", f->text);
		if (!(f->flags & F_INTERNAL))
			continue;
		to = import_source(c, f);
		cycle = to && to->module && c->source->module ? cycle_find(c, to) : NULL;
		if (cycle)
			return verb_refuse(c, "import cycle: %s", cycle);
	}
	return 0;
}

/* ---- edits ------------------------------------------------------------------------------------ */

static uint32_t line_end(const struct shape *sh, uint32_t at)
{
	const char *nl = memchr(sh->text + at, '\n', sh->len - at);

	return nl ? (uint32_t)(nl - sh->text) + 1 : (uint32_t)sh->len;
}

/* Below the imports at the top of the module. */
static uint32_t top_place(const struct shape *sh)
{
	uint32_t at = sh->prologue_end;
	size_t i;

	for (i = 0; i < sh->nr_stmts; i++) {
		const struct shape_stmt *st = &sh->stmts[i];

		if (st->parent >= 0 || st->span.start < sh->prologue_end)
			continue;
		if ((strcmp(st->kind, "import") && strcmp(st->kind, "from")) || !st->last_on_line)
			break;
		at = line_end(sh, st->span.end);
	}
	return at;
}

/* The end of the statement's line; an empty line below goes too where nothing stands above. */
static uint32_t gap_end(const struct shape *sh, const struct shape_stmt *st)
{
	size_t i = (size_t)(st - sh->stmts);
	uint32_t at = line_end(sh, st->span.end), end = at;

	if (!i || &sh->stmts[i - 1] != &sh->stmts[st->parent])
		return at;
	while (end < sh->len && (sh->text[end] == ' ' || sh->text[end] == '\t'))
		end++;
	end += end < sh->len && sh->text[end] == '\r';
	return end < sh->len && sh->text[end] == '\n' ? end + 1 : at;
}

int verb_hoist(struct verb_call *c)
{
	const struct shape *sh = c->shape;
	const struct shape_stmt *st = place_innermost(sh, c->fact->span.start);
	static const char *const bodies[] = { "function", "decorated", NULL };
	const char *text, *nl = sh->newline;
	uint32_t at;

	if (!st || st->parent < 0 || !list_has(bodies, sh->stmts[st->parent].kind))
		return verb_refuse(c, "the import stands under a condition");
	if (!st->first_on_line || !st->last_on_line)
		return verb_refuse(c, "the import shares its line with others");
	if (names_check(c, st))
		return -1;
	at = top_place(sh);
	if (!at && bom_len(sh->text, sh->len))
		at = 3;
	if (at > 3 && sh->text[at - 1] != '\n')
		return verb_refuse(c, "there is no line for it at the top of the module");
	text = verb_text(c, st->span);
	if (!is_bound(c->source, st))
		verb_edit(c, at, at, arena_fmt(c->arena, "%s%s", text, nl));
	if (is_alone(sh, st))
		verb_edit(c, st->span.start, st->span.end, "pass");
	else
		verb_edit(c, st->line_start, gap_end(sh, st), "");
	return 0;
}
