/* match.c - does a rule's test hold at a fact. Reads nothing that this stage writes to facts. */
#include <string.h>

#include "base/glob.h"
#include "base/intern.h"
#include "rule/internal.h"

static bool kinds_hold(const struct match *m, const struct fact *f)
{
	size_t i;

	for (i = 0; i < m->nr_kinds; i++) {
		const struct kind_test *t = &m->kinds[i];

		if (t->kind == f->kind && (!t->call || f->flags & F_CALL) &&
		    patterns_match(&t->names, f->name))
			return true;
	}
	return !m->nr_kinds;
}

static unsigned fact_scope(const struct source *s, const struct fact *f)
{
	if (f->flags & F_FUNCTION)
		return SCOPE_FUNCTION;
	if (f->def >= 0 && (size_t)f->def < s->nr_defs && s->defs[f->def].is_class)
		return SCOPE_CLASS;
	return SCOPE_MODULE;
}

static bool guards_hold(const struct source *s, const struct fact *f, unsigned wanted)
{
	int g = f->guard;

	if (g < 0)
		return wanted & GUARDS_NONE;
	for (; g >= 0 && (size_t)g < s->nr_guards; g = s->guards[g].parent)
		if (wanted & 1u << s->guards[g].kind)
			return true;
	return false;
}

static bool path_holds(const char *const *globs, const char *path)
{
	for (; *globs; globs++)
		if (glob_match(*globs, path))
			return true;
	return false;
}

static bool place_holds(const struct match *m, const struct source *s, const struct fact *f)
{
	if (m->layers && !(m->layers & 1u << s->layer))
		return false;
	if (m->langs && !(m->langs & 1u << s->lang))
		return false;
	if (m->roles && !(m->roles & s->roles))
		return false;
	if (m->not_roles & s->roles)
		return false;
	if ((m->package && !s->is_package) || (m->unreached && s->reach != REACH_NONE))
		return false;
	if (m->path && !path_holds(m->path, s->path))
		return false;
	if (m->scopes && !(m->scopes & fact_scope(s, f)))
		return false;
	return !m->guards || guards_hold(s, f, m->guards);
}

static bool words_hold(const struct match *m, const struct fact *f)
{
	if ((f->flags & m->flags) != m->flags || f->flags & m->not_flags)
		return false;
	if (m->verdicts && !(m->verdicts & 1u << f->verdict))
		return false;
	if (m->rejected && !f->keyword)
		return false;
	if (m->receiver.nr && !patterns_match(&m->receiver, f->recv))
		return false;
	if (m->text.nr && !patterns_match(&m->text, f->text))
		return false;
	return !m->symbol.nr || patterns_match(&m->symbol, f->symbol ? f->symbol : "");
}

/* `position`: among the positional arguments, -1: a keyword argument or behind a splat. */
static bool arg_is(const struct arg_test *t, const struct arg *arg, int position)
{
	bool placed = !t->keyword.nr && t->position < 0;

	if (arg->splat)
		return false;
	if (t->keyword.nr && arg->keyword && patterns_match(&t->keyword, arg->keyword))
		placed = true;
	if (t->position >= 0 && position == t->position)
		placed = true;
	if (!placed || (t->values && !(t->values & 1u << arg->value)))
		return false;
	return !t->text.nr || patterns_match(&t->text, arg->text);
}

static bool arg_holds(const struct arg_test *t, const struct fact *f)
{
	bool splat = false;
	int position = 0;
	size_t i;

	for (i = 0; i < f->nr_args; i++) {
		const struct arg *arg = &f->args[i];
		bool positional = !arg->keyword && !arg->splat;

		if (arg_is(t, arg, positional && !splat ? position : -1))
			return !t->absent;
		position += positional;
		splat |= arg->splat;
	}
	/* What a splat may hold is not known: an argument is absent only without one. */
	return t->absent && !splat && !(f->flags & F_SPLAT);
}

static bool args_hold(const struct match *m, const struct fact *f)
{
	int args = (int)f->nr_args, positional = 0;
	size_t i;

	for (i = 0; i < f->nr_args; i++)
		positional += !f->args[i].keyword && !f->args[i].splat;
	if (m->min_args >= 0 && args < m->min_args)
		return false;
	if (m->min_positional >= 0 && positional < m->min_positional)
		return false;
	if ((m->max_args >= 0 || m->max_positional >= 0) && f->flags & F_SPLAT)
		return false;
	if (m->max_args >= 0 && args > m->max_args)
		return false;
	if (m->max_positional >= 0 && positional > m->max_positional)
		return false;
	for (i = 0; i < m->nr_args; i++)
		if (!arg_holds(&m->args[i], f))
			return false;
	return true;
}

static bool matches_hold(struct matcher *mr, const struct matches *m, const struct fact *f)
{
	size_t i;

	for (i = 0; i < m->nr; i++)
		if (match_holds(mr, &m->v[i], f))
			return true;
	return false;
}

static uint32_t first_fact(struct matcher *mr, const struct matches *m)
{
	const struct source *s = mr->source;
	uint32_t offset = UINT32_MAX;
	struct seen *seen;
	size_t i;

	for (i = 0; i < mr->seen.nr; i++)
		if (mr->seen.v[i].matches == m)
			return mr->seen.v[i].offset;
	for (i = 0; i < s->nr_facts && offset == UINT32_MAX; i++)
		if (matches_hold(mr, m, &s->facts[i]))
			offset = s->facts[i].span.start;
	seen = VEC_PUSH(mr->arena, &mr->seen);
	seen->matches = m;
	seen->offset = offset;
	return offset;
}

static bool imports_module(const struct fact *f, const char *module)
{
	size_t n = strlen(module);

	return f->kind == FACT_IMPORT && !strncmp(f->name, module, n) &&
	       (!f->name[n] || f->name[n] == '.');
}

/* Offset of the first import of `module` in `o`, UINT32_MAX: none. */
static uint32_t import_offset(const struct source *o, const char *module)
{
	size_t i;

	for (i = 0; i < o->nr_facts; i++)
		if (imports_module(&o->facts[i], module))
			return o->facts[i].span.start;
	return UINT32_MAX;
}

/*
 * True when every build script that imports this source has a fact for one of the tests before
 * that import: what it did there holds while this source runs.
 */
static bool importers_hold(struct matcher *mr, const struct matches *m)
{
	const struct repo *repo = mr->repo;
	bool any = false;
	uint32_t offset;
	size_t i;

	for (i = 0; repo && mr->source->module && i < repo->nr_files; i++) {
		struct matcher other = { .source = repo->files[i], .arena = mr->arena };

		if (other.source == mr->source ||
		    !(other.source->roles & (ROLE_BUILD_ENTRY | ROLE_BUILD_HELPER)))
			continue;
		offset = import_offset(other.source, mr->source->module);
		if (offset == UINT32_MAX)
			continue;
		if (first_fact(&other, m) >= offset)
			return false;
		any = true;
	}
	return any;
}

/* As importers_hold, remembered: offset 0 is yes. */
static bool importers_seen(struct matcher *mr, const struct matches *m)
{
	struct seen *seen;
	size_t i;

	for (i = 0; i < mr->seen.nr; i++)
		if (mr->seen.v[i].matches == m)
			return !mr->seen.v[i].offset;
	seen = VEC_PUSH(mr->arena, &mr->seen);
	seen->matches = m;
	seen->offset = importers_hold(mr, m) ? 0 : 1;
	return !seen->offset;
}

static bool context_holds(struct matcher *mr, const struct match *m, const struct fact *f)
{
	if (m->preceded.nr && first_fact(mr, &m->preceded) < f->span.start)
		return false;
	if (m->file_has.nr && first_fact(mr, &m->file_has) == UINT32_MAX)
		return false;
	if (m->file_lacks.nr && first_fact(mr, &m->file_lacks) != UINT32_MAX)
		return false;
	return !m->importers.nr || !importers_seen(mr, &m->importers);
}

static bool all_hold(struct matcher *mr, const struct matches *m, const struct fact *f)
{
	size_t i;

	for (i = 0; i < m->nr; i++)
		if (!match_holds(mr, &m->v[i], f))
			return false;
	return true;
}

bool match_holds(struct matcher *mr, const struct match *m, const struct fact *f)
{
	if (!kinds_hold(m, f) || !words_hold(m, f) || !place_holds(m, mr->source, f) ||
	    !args_hold(m, f))
		return false;
	if (m->any.nr && !matches_hold(mr, &m->any, f))
		return false;
	if (!all_hold(mr, &m->all, f) || (m->none.nr && matches_hold(mr, &m->none, f)))
		return false;
	return context_holds(mr, m, f);
}
