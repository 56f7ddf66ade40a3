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

/* True when a guard of the file tests for an attribute of what stands in a condition here. */
static bool is_asked(const struct source *s, const struct fact *f)
{
	size_t i, n = strlen(f->name);

	for (i = 0; f->flags & F_CONDITION && i < s->nr_guards; i++) {
		const struct guard *g = &s->guards[i];

		if (g->kind == GUARD_HASATTR && g->name && !strncmp(g->name, f->name, n) &&
		    g->name[n] == '.' && !strchr(g->name + n + 1, '.'))
			return true;
	}
	return false;
}

static bool defines_hold(const struct source *s, const struct patterns *p)
{
	size_t i;

	for (i = 0; i < s->nr_defs; i++)
		if (patterns_match(p, s->defs[i].name))
			return true;
	return false;
}

/* The file's package imports what the proxy serves, so a scoped switch names it. */
static bool is_in_scope(const struct repo *repo, const struct source *s)
{
	size_t n = s->module ? strcspn(s->module, ".") : 0, i;

	for (i = 0; repo && n && i < repo->scope.nr; i++)
		if (strlen(repo->scope.v[i]) == n && !strncmp(repo->scope.v[i], s->module, n))
			return true;
	return false;
}

/* 1: pip builds the file's project in an environment of its own, -1: the instructions say otherwise. */
static int isolation(const struct repo *repo, const struct source *s)
{
	const char *slash = strrchr(s->path, '/');
	size_t n = slash ? (size_t)(slash - s->path) : 0, i;

	for (i = 0; repo && i < repo->unisolated.nr; i++)
		if (strlen(repo->unisolated.v[i]) == n &&
		    !strncmp(repo->unisolated.v[i], s->path, n))
			return -1;
	return 1;
}

static bool guard_text_holds(const struct source *s, const struct fact *f, const struct patterns *p)
{
	int g;

	for (g = f->guard; g >= 0 && (size_t)g < s->nr_guards; g = s->guards[g].parent)
		if (patterns_match(p, s->guards[g].text))
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

/* True when what is written is the name that `import` binds in place of what it imports. */
static bool written_through(const struct fact *f, const struct fact *import)
{
	size_t written = f->span.end - f->span.start, n = strlen(import->name);

	return import->kind == FACT_IMPORT && import->flags & F_FROM && import->text &&
	       !strncmp(f->name, import->name, n) && (!f->name[n] || f->name[n] == '.') &&
	       strlen(import->text) + strlen(f->name) - n == written;
}

/*
 * An owner of one letter, a dot, and all from the missing part on, or where nothing is missing the last
 * part: shorter is another name for it.
 */
static bool is_spelled_out(const struct source *s, const struct fact *f)
{
	const char *part = f->missing ? f->missing : f->name, *dot = strrchr(part, '.');
	size_t written = f->span.end - f->span.start, n = strlen(f->name), i;

	if (!dot || strncmp(f->name, part, strlen(part)) ||
	    written < 1 + n - (size_t)(dot - part))
		return false;
	for (i = 0; i < s->nr_facts; i++)
		if ((f->missing || str_eq(s->facts[i].name, f->name)) &&
		    written_through(f, &s->facts[i]))
			return false;
	return true;
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
	if (m->defines.nr && !defines_hold(s, &m->defines))
		return false;
	if (m->guard_text.nr && !guard_text_holds(s, f, &m->guard_text))
		return false;
	if (m->scopes && !(m->scopes & fact_scope(s, f)))
		return false;
	if ((m->asked && !is_asked(s, f)) || (m->spelled_out && !is_spelled_out(s, f)))
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
 * that import, or that import is one: what it did there holds while this source runs.
 */
static bool importers_hold(struct matcher *mr, const struct matches *m)
{
	const struct repo *repo = mr->repo;
	bool any = false;
	uint32_t offset;
	size_t i;

	for (i = 0; repo && mr->source->module && i < repo->nr_files; i++) {
		struct matcher other = { .repo = repo, .source = repo->files[i],
					 .arena = mr->arena };

		if (other.source == mr->source ||
		    !(other.source->roles & (ROLE_BUILD_ENTRY | ROLE_BUILD_HELPER)))
			continue;
		offset = import_offset(other.source, mr->source->module);
		if (offset == UINT32_MAX)
			continue;
		if (first_fact(&other, m) > offset)
			return false;
		any = true;
	}
	return any;
}

static bool under_switch(const struct source *s, const struct fact *f)
{
	int g;

	for (g = f->guard; g >= 0 && (size_t)g < s->nr_guards; g = s->guards[g].parent)
		if (s->guards[g].kind == GUARD_SWITCH && !s->guards[g].negated)
			return true;
	return false;
}

/* True when the file imports `package` in the body of a switch that ends. */
static bool enters_under_guard(const struct source *s, const char *package)
{
	bool any = false;
	size_t i;

	for (i = 0; i < s->nr_guards && !any; i++)
		any = s->guards[i].kind == GUARD_SWITCH;
	for (i = 0; any && i < s->nr_facts; i++)
		if (imports_module(&s->facts[i], package) && under_switch(s, &s->facts[i]))
			return true;
	return false;
}

/* 1: a program of the tree imports the file's package under a guard, -1: none does. */
static int entry_guard(const struct matcher *mr)
{
	const struct source *s = mr->source;
	const char *package;
	size_t i;

	if (!mr->repo || !s->module)
		return -1;
	package = arena_strndup(mr->arena, s->module, strcspn(s->module, "."));
	for (i = 0; i < mr->repo->nr_files; i++) {
		const struct source *o = mr->repo->files[i];

		if (!(o->roles & (ROLE_TEST | ROLE_EXAMPLE)) &&
		    enters_under_guard(o, package))
			return 1;
	}
	return -1;
}

/* The answer of `hold`, remembered: offset 0 is yes. */
static bool seen_answer(struct matcher *mr, const struct matches *m,
			bool (*hold)(struct matcher *mr, const struct matches *m))
{
	struct seen *seen;
	size_t i;

	for (i = 0; i < mr->seen.nr; i++)
		if (mr->seen.v[i].matches == m)
			return !mr->seen.v[i].offset;
	seen = VEC_PUSH(mr->arena, &mr->seen);
	seen->matches = m;
	seen->offset = hold(mr, m) ? 0 : 1;
	return !seen->offset;
}

/* The argument of `call` that is the fact's expression, NULL: none. */
static const struct arg *arg_holding(const struct fact *call, const struct fact *f)
{
	struct span at = f->flags & F_CALL || f->kind == FACT_MEMBER ? f->stmt : f->span;
	size_t i;

	for (i = 0; i < call->nr_args; i++)
		if (call->args[i].valspan.start == at.start && call->args[i].valspan.end == at.end)
			return &call->args[i];
	return NULL;
}

/* Is the fact's expression passed to a call as the match asks? Calls stand before what they get. */
static bool passed_holds(struct matcher *mr, const struct match *m, const struct fact *f)
{
	const struct fact *call = f;
	const struct arg *arg;

	while (call-- > mr->source->facts) {
		arg = call->flags & F_CALL ? arg_holding(call, f) : NULL;
		if (!arg)
			continue;
		if (m->passed_as.nr && !patterns_match(&m->passed_as, arg->keyword))
			return false;
		return !m->passed_to.nr || matches_hold(mr, &m->passed_to, call);
	}
	return false;
}

/* An attribute of what the call gives is taken right behind it. */
static bool result_holds(const struct matcher *mr, const struct match *m, const struct fact *f)
{
	const struct fact *end = mr->source->facts + mr->source->nr_facts, *g;

	for (g = f + 1; g < end && g->span.start <= f->stmt.end + 1; g++)
		if (g->kind == FACT_MEMBER && g->span.start == f->stmt.end + 1)
			return patterns_match(&m->result_member, g->name);
	return false;
}

/* Everything that is asked of the fact alone. */
static bool fact_holds(const struct matcher *mr, const struct match *m, const struct fact *f)
{
	return kinds_hold(m, f) && words_hold(m, f) && place_holds(m, mr->source, f) &&
	       args_hold(m, f) && methods_hold(mr->source, m->methods, m->nr_methods, f);
}

static bool span_has(struct span span, const struct fact *f)
{
	return span.start <= f->span.start && f->span.end <= span.end;
}

/* A branch that holds `a` returns behind it, so that `b`, which follows the branch, does not run. */
static bool is_left(const struct source *s, const struct fact *a, const struct fact *b)
{
	const struct def *d = a->def >= 0 && a->def == b->def ? &s->defs[a->def] : NULL;
	size_t i;
	int g;

	for (g = d ? a->guard : -1; g >= 0; g = s->guards[g].parent) {
		const struct span *body = &s->guards[g].body;

		if (s->guards[g].kind == GUARD_TRY || b->span.start < body->end)
			continue;
		for (i = 0; i < d->nr_returns; i++)
			if (d->returns[i].span.end >= a->span.end &&
			    body->start <= d->returns[i].span.start &&
			    d->returns[i].span.end <= body->end)
				return true;
	}
	return false;
}

/* True when one stands in a branch and the other in the branch that is taken instead. */
static bool is_either(const struct source *s, const struct fact *a, const struct fact *b)
{
	size_t i;

	if (is_left(s, a, b) || is_left(s, b, a))
		return true;
	for (i = 0; i < s->nr_guards; i++) {
		const struct guard *g = &s->guards[i];

		if ((span_has(g->body, a) && span_has(g->other, b)) ||
		    (span_has(g->body, b) && span_has(g->other, a)))
			return true;
	}
	return false;
}

/* Facts that may all come to pass: of two branches the first one's count. */
static bool count_holds(const struct matcher *mr, const struct match *m)
{
	const struct source *s = mr->source;
	const struct fact *first = NULL;
	int nr = 0;
	size_t i;

	for (i = 0; i < s->nr_facts && nr < m->min_in_file; i++) {
		const struct fact *f = &s->facts[i];

		if (!fact_holds(mr, m, f) || (first && is_either(s, first, f)))
			continue;
		if (!first)
			first = f;
		nr++;
	}
	return nr >= m->min_in_file;
}

static bool passes(const struct fact *f, const struct arg *arg)
{
	size_t i;

	for (i = 0; i < f->nr_args; i++)
		if (f->args[i].value == VALUE_NAME && str_eq(f->args[i].keyword, arg->keyword) &&
		    str_eq(f->args[i].text, arg->text))
			return true;
	return false;
}

/* True when another call that passes the tests on a fact is given the same variable. */
static bool shared_holds(const struct matcher *mr, const struct match *m, const struct fact *f)
{
	const struct source *s = mr->source;
	size_t i, k;

	for (i = 0; i < f->nr_args; i++) {
		const struct arg *arg = &f->args[i];

		if (arg->value != VALUE_NAME || !arg->keyword ||
		    !patterns_match(&m->shared, arg->keyword))
			continue;
		for (k = 0; k < s->nr_facts; k++)
			if (&s->facts[k] != f && str_eq(s->facts[k].symbol, f->symbol) &&
			    passes(&s->facts[k], arg) && fact_holds(mr, m, &s->facts[k]) &&
			    !is_either(s, f, &s->facts[k]))
				return true;
	}
	return false;
}

/* The file that an import runs: the module of the name, else of what the name is taken from. */
static struct source *imported_source(struct matcher *mr, const struct fact *f)
{
	struct source *s = repo_module(mr->repo, f->name);
	const char *dot = strrchr(f->name, '.');

	if (s || !dot)
		return s;
	return repo_module(mr->repo, arena_strndup(mr->arena, f->name, (size_t)(dot - f->name)));
}

static bool is_program_import(const struct source *s, const struct fact *f, bool tests)
{
	return s->program && s->program->tests == tests && s->program->at == f->span.start;
}

static bool import_loads(struct matcher *mr, const struct fact *f)
{
	const struct source *s;

	if (!(f->flags & F_INTERNAL) || !mr->repo)
		return f->verdict != VERDICT_NONE;
	s = imported_source(mr, f);
	return s && s != mr->source && s->loads;
}

/* The modules that were looked at on the way from an import. */
struct trail {
	const struct source **v;
	size_t nr, alloc;
	bool onward; /* also what those modules import */
};
#define TRAIL_MAX 256

static bool name_leads(struct matcher *mr, const struct matches *m, const char *name, struct trail *t);

/* True when loading the module comes to a fact for one of the tests. */
static bool module_leads(struct matcher *mr, const struct matches *m, struct source *s, struct trail *t)
{
	struct matcher other = { .repo = mr->repo, .arena = mr->arena, .source = s };
	unsigned skipped = F_FUNCTION | F_TRY_IMPORT;
	size_t i;

	for (i = 0; i < t->nr; i++)
		if (t->v[i] == s)
			return false;
	if (t->nr >= TRAIL_MAX)
		return false;
	*VEC_PUSH(mr->arena, t) = s;
	if (first_fact(&other, m) != UINT32_MAX)
		return true;
	for (i = 0; t->onward && i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];

		if (f->kind == FACT_IMPORT && f->flags & F_INTERNAL && !(f->flags & skipped) &&
		    name_leads(mr, m, f->name, t))
			return true;
	}
	return false;
}

static bool name_leads(struct matcher *mr, const struct matches *m, const char *name, struct trail *t)
{
	size_t n = strcspn(name, ".");

	while (n) {
		struct source *s = repo_module(mr->repo, arena_strndup(mr->arena, name, n));

		if (s && s != mr->source && (t->onward || s->reach == REACH_NONE) &&
		    module_leads(mr, m, s, t))
			return true;
		n = name[n] ? n + 1 + strcspn(name + n + 1, ".") : 0;
	}
	return false;
}

/*
 * True when a module that `f` is the first to load has a fact for one of the tests. An import of a.b.c
 * loads a, a.b and a.b.c; what importing a package loads is there before its functions run. What a build
 * script imports is followed further down.
 */
static bool leads_hold(struct matcher *mr, const struct matches *m, const struct fact *f)
{
	struct trail t = { .onward = mr->source->roles & (ROLE_BUILD_ENTRY | ROLE_BUILD_HELPER) };

	return f->kind == FACT_IMPORT && mr->repo && name_leads(mr, m, f->name, &t);
}

/* True when a module of the tree that this file imports has a fact for one of the tests. */
static bool imports_hold(struct matcher *mr, const struct matches *m)
{
	const struct source *s = mr->source;
	size_t i;

	for (i = 0; mr->repo && i < s->nr_facts; i++) {
		struct matcher other = { .repo = mr->repo, .arena = mr->arena };

		if (s->facts[i].kind == FACT_IMPORT)
			other.source = imported_source(mr, &s->facts[i]);
		if (other.source && other.source != s && first_fact(&other, m) != UINT32_MAX)
			return true;
	}
	return false;
}

/* True when a file of the tree has a fact for one of the tests. */
static bool tree_holds(struct matcher *mr, const struct matches *m)
{
	size_t i;

	for (i = 0; mr->repo && i < mr->repo->nr_files; i++) {
		struct matcher other = { .source = mr->repo->files[i], .arena = mr->arena };

		if (first_fact(&other, m) != UINT32_MAX)
			return true;
	}
	return false;
}

/* True when the function that the fact stands in has a fact for one of the tests. */
static bool symbol_holds(struct matcher *mr, const struct matches *m, const struct fact *f)
{
	const struct source *s = mr->source;
	size_t i;

	for (i = 0; i < s->nr_facts; i++)
		if (s->facts[i].def == f->def && matches_hold(mr, m, &s->facts[i]))
			return true;
	return false;
}

static bool defines(const struct source *s, const char *leaf)
{
	size_t i, n = strlen(leaf), len;

	for (i = 0; i < s->nr_defs; i++) {
		const char *name = s->defs[i].name;

		len = name && !s->defs[i].is_lambda ? strlen(name) : 0;
		if (len >= n && !strcmp(name + len - n, leaf) &&
		    (len == n || name[len - n - 1] == '.'))
			return true;
	}
	return false;
}

static bool is_own_name(const struct matcher *mr, const struct fact *f)
{
	const char *dot = strrchr(f->name, '.'), *leaf = dot ? dot + 1 : f->name;
	size_t i;

	if (defines(mr->source, leaf))
		return true;
	for (i = 0; mr->repo && i < mr->repo->nr_files; i++)
		if (defines(mr->repo->files[i], leaf))
			return true;
	return false;
}

static bool context_holds(struct matcher *mr, const struct match *m, const struct fact *f)
{
	if (m->in_scope && !is_in_scope(mr->repo, mr->source))
		return false;
	if (m->loads && !import_loads(mr, f))
		return false;
	if ((m->program && !is_program_import(mr->source, f, false)) ||
	    (m->test_program && !is_program_import(mr->source, f, true)))
		return false;
	if (m->isolated && m->isolated != isolation(mr->repo, mr->source))
		return false;
	if (m->symbol_has.nr && !symbol_holds(mr, &m->symbol_has, f))
		return false;
	if (m->min_in_file && !count_holds(mr, m))
		return false;
	if (m->shared.nr && !shared_holds(mr, m, f))
		return false;
	if (m->preceded.nr && first_fact(mr, &m->preceded) < f->span.start)
		return false;
	if (m->file_has.nr && first_fact(mr, &m->file_has) == UINT32_MAX)
		return false;
	if (m->file_lacks.nr && first_fact(mr, &m->file_lacks) != UINT32_MAX)
		return false;
	if (m->late && !import_is_late(mr->repo, mr->source, f))
		return false;
	if (m->own_name && !is_own_name(mr, f))
		return false;
	if ((m->passed_as.nr || m->passed_to.nr) && !passed_holds(mr, m, f))
		return false;
	if (m->result_member.nr && !result_holds(mr, m, f))
		return false;
	if (m->imported.nr && imports_hold(mr, &m->imported))
		return false;
	if (m->tree.nr && seen_answer(mr, &m->tree, tree_holds))
		return false;
	if (m->tree_has.nr && !seen_answer(mr, &m->tree_has, tree_holds))
		return false;
	if (m->leads_to.nr && !leads_hold(mr, &m->leads_to, f))
		return false;
	if (m->entry_guard && m->entry_guard != entry_guard(mr))
		return false;
	return !m->importers.nr || !seen_answer(mr, &m->importers, importers_hold);
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
	if (!fact_holds(mr, m, f))
		return false;
	if (m->any.nr && !matches_hold(mr, &m->any, f))
		return false;
	if (!all_hold(mr, &m->all, f) || (m->none.nr && matches_hold(mr, &m->none, f)))
		return false;
	return context_holds(mr, m, f);
}
