/* undo_name.c - names and arguments as they were before a verb changed them. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "rule/undo.h"

/* Names that the verb makes the fact's name of; two of them are one too many. */
struct before {
	const char *name;
	bool several;
};

static void before_add(struct before *b, const char *name)
{
	b->several |= b->name && strcmp(b->name, name);
	b->name = name;
}

/* The verb makes one text of every name that the rule looks for. */
static void before_of_names(struct undo *u, const struct patterns *names, struct before *b)
{
	struct fact like = *u->fact;
	size_t i;

	for (i = 0; i < names->nr; i++) {
		if (names->v[i].glob)
			continue;
		like.name = names->v[i].text;
		like.missing = NULL;
		if (!strcmp(template_expand(u->c->arena, u->step->text, u->c->rules, &like),
			    u->fact->name))
			before_add(b, like.name);
	}
}

static struct before before_find(struct undo *u)
{
	const struct matches *m = &u->rule->match;
	const char *const *pair = u->step->list;
	struct before b = { 0 };
	size_t i, k;

	for (; pair && *pair; pair += 2)
		if (!strcmp(pair[1], u->fact->name))
			before_add(&b, pair[0]);
	for (i = 0; i < m->nr && u->step->text; i++)
		for (k = 0; k < m->v[i].nr_kinds; k++)
			if (m->v[i].kinds[k].kind == FACT_USE)
				before_of_names(u, &m->v[i].kinds[k].names, &b);
	return b;
}

/* A choice was written around it: the form for both frameworks, which is more than the verb's. */
static bool is_chosen(const struct undo *u)
{
	const struct shape *sh = u->c->shape;
	uint32_t at = u->fact->flags & F_CALL ? u->fact->stmt.end : u->fact->span.end;

	while (at < sh->len && strchr(" )\t", sh->text[at]))
		at++;
	return sh->len - at > 3 && !memcmp(sh->text + at, "if ", 3);
}

enum undone undo_rename(struct undo *u)
{
	struct verb_call as = *u->c;
	struct before b;
	const char *text;

	if (u->fact->kind != FACT_USE)
		return UNDO_OTHER;
	b = before_find(u);
	if (!b.name)
		return UNDO_OTHER;
	as.fact = u->fact;
	text = verb_spell(&as, b.name);
	if (b.several || !text || is_chosen(u)) {
		verb_refuse(u->c, b.several ? "%s may have been more than one name"
					    : "how %s was written cannot be told", u->fact->name);
		return UNDO_REFUSED;
	}
	verb_edit(u->c, u->fact->span.start, u->fact->span.end, text);
	return UNDO_DONE;
}

/* Length of " as NAME" at `at`, 0: something else stands there. */
static size_t as_len(const struct shape *sh, uint32_t at, const char *name)
{
	size_t n = strlen(name);

	if (sh->len - at < n + 4 || memcmp(sh->text + at, " as ", 4) ||
	    memcmp(sh->text + at + 4, name, n))
		return 0;
	at += (uint32_t)n + 4;
	return at < sh->len && (isalnum((unsigned char)sh->text[at]) || sh->text[at] == '_')
		       ? 0
		       : n + 4;
}

/* The module behind `from` is written plainly: its place. */
static bool from_module(struct undo *u, const char *module, struct span *out)
{
	const char *text = verb_text(u->c, u->fact->stmt);
	size_t n = strlen(module);

	if (!text || strncmp(text, "from ", 5) || strncmp(text + 5, module, n) || text[5 + n] != ' ')
		return false;
	out->start = u->fact->stmt.start + 5;
	out->end = out->start + (uint32_t)n;
	return true;
}

enum undone undo_rename_import(struct undo *u)
{
	const struct fact *f = u->fact;
	const char *leaf, *new_leaf;
	struct before b;
	struct span module;
	size_t alias;

	if (f->kind != FACT_IMPORT || !(f->flags & F_FROM) || f->flags & (F_RELATIVE | F_STAR))
		return UNDO_OTHER;
	b = before_find(u);
	leaf = b.name ? strrchr(b.name, '.') : NULL;
	new_leaf = strrchr(f->name, '.');
	if (!leaf || !new_leaf)
		return UNDO_OTHER;
	alias = as_len(u->c->shape, f->span.end, leaf + 1);
	if (b.several ||
	    !from_module(u, arena_strndup(u->c->arena, f->name, (size_t)(new_leaf - f->name)),
			 &module)) {
		verb_refuse(u->c, "how %s was imported cannot be told", f->name);
		return UNDO_REFUSED;
	}
	if (strncmp(b.name, f->name, (size_t)(leaf - b.name) + 1))
		verb_edit(u->c, module.start, module.end,
			  arena_strndup(u->c->arena, b.name, (size_t)(leaf - b.name)));
	verb_edit(u->c, f->span.start, f->span.end + (uint32_t)alias, leaf + 1);
	return UNDO_DONE;
}

static const struct arg *arg_find(const struct fact *f, const char *keyword)
{
	size_t i;

	for (i = 0; i < f->nr_args; i++)
		if (str_eq(f->args[i].keyword, keyword))
			return &f->args[i];
	return NULL;
}

enum undone undo_rename_keyword(struct undo *u)
{
	const char *const *pair = u->step->list;
	enum undone done = UNDO_OTHER;

	if (!(u->fact->flags & F_CALL) || !undo_is_rules(u))
		return UNDO_OTHER;
	for (; pair && *pair; pair += 2) {
		const struct arg *arg = arg_find(u->fact, pair[1]);

		if (!arg || arg_find(u->fact, pair[0]))
			continue;
		verb_edit(u->c, arg->span.start, arg->span.start + (uint32_t)strlen(pair[1]),
			  pair[0]);
		done = UNDO_DONE;
	}
	return done;
}

static bool is_named(const char *const *names, const struct arg *arg, size_t position)
{
	for (; *names; names++)
		if (arg->keyword ? !strcmp(arg->keyword, *names)
				 : isdigit((unsigned char)**names) &&
					   strtoul(*names, NULL, 10) == position)
			return true;
	return false;
}

enum undone undo_wrap_in_list(struct undo *u)
{
	const struct fact *f = u->fact;
	enum undone done = UNDO_OTHER;
	size_t i;

	if (!(f->flags & F_CALL) || !undo_is_rules(u))
		return UNDO_OTHER;
	for (i = 0; i < f->nr_args && !f->args[i].splat; i++) {
		struct span at = f->args[i].valspan;
		const char *text;

		if (!is_named(u->step->list, &f->args[i], i) || f->args[i].value != VALUE_LIST)
			continue;
		text = verb_text(u->c, at);
		if (!text || *text != '[' || strpbrk(text, ",#\r\n")) {
			verb_refuse(u->c, "the list may have been one before");
			return UNDO_REFUSED;
		}
		verb_edit(u->c, at.start, at.start + 1, "");
		verb_edit(u->c, at.end - 1, at.end, "");
		done = UNDO_DONE;
	}
	return done;
}
