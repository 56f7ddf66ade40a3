/*
 * late.c - is what an import brings used only when a function runs.
 *
 * In: an import at module level and the facts of the tree. Where the answer is yes, loading the
 * modules of the tree needs nothing of what the import binds, so that a stand-in serves them all
 * but the functions that use it. A use counts in other files too, since they can take the name from
 * this one, unless they import it themselves; a base, decorator, default or computed annotation at module
 * level is a use at module level.
 */
#include <string.h>

#include "base/intern.h"
#include "rule/internal.h"

#define LATER (F_FUNCTION | F_POSTPONED | F_CHECKING)

static bool is_below(const char *name, const char *owner)
{
	size_t n = strlen(owner);

	return name && !strncmp(name, owner, n) && (!name[n] || name[n] == '.');
}

/* Evaluated, but any object will do there: an annotation that is the name alone. */
static bool is_plain_annotation(const struct fact *f, const char *name)
{
	return f->flags & F_ANNOTATION && str_eq(f->name, name) &&
	       !(f->flags & (F_UNION | F_SUBSCRIPT | F_CALL | F_ARITHMETIC | F_DEFAULT));
}

/*
 * The file uses what is called `name` while it is loaded. Where it has to spell it out, an annotation
 * is none, as it is quoted.
 */
static bool uses_at_load(const struct source *s, const char *name, bool spelled_out)
{
	size_t i;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];

		if ((f->kind == FACT_USE || f->kind == FACT_ASSIGN) && !(f->flags & LATER) &&
		    !is_plain_annotation(f, name) && is_below(f->name, name) &&
		    !(spelled_out && (f->flags & (F_ANNOTATION | F_CALL)) == F_ANNOTATION))
			return true;
	}
	return false;
}

/* The file imports the name itself, or what holds it, so it does not take it from another module. */
static bool imports_itself(const struct source *s, const char *name)
{
	size_t i;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];

		if (f->kind == FACT_IMPORT && f->name && !(f->flags & F_INTERNAL) &&
		    is_below(name, f->name))
			return true;
	}
	return false;
}

bool import_name_is_late(const struct repo *repo, const struct source *s, const struct fact *f)
{
	size_t i;

	if (!f->text || f->flags & (F_STAR | F_DYNAMIC | LATER) ||
	    uses_at_load(s, f->name, !(f->flags & F_FROM) && is_below(f->name, f->text)))
		return false;
	for (i = 0; repo && i < repo->nr_files; i++)
		if (!(repo->files[i]->roles & (ROLE_VENDORED | ROLE_SUBMODULE)) &&
		    !imports_itself(repo->files[i], f->name) &&
		    uses_at_load(repo->files[i], f->name, false))
			return false;
	return true;
}

bool import_is_late(const struct repo *repo, const struct source *s, const struct fact *f)
{
	size_t i;

	if (f->kind != FACT_IMPORT)
		return false;
	for (i = 0; i < s->nr_facts; i++)
		if (s->facts[i].kind == FACT_IMPORT && s->facts[i].stmt.start == f->stmt.start &&
		    s->facts[i].verdict == VERDICT_GAP && !import_name_is_late(repo, s, &s->facts[i]))
			return false;
	return true;
}
