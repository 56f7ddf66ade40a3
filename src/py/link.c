/*
 * link.c - names over file borders: what a file imports from another file of the repository may be
 * a name of a framework that is only passed on.
 *
 * A name that begins with a module of the repository is followed through that module's exports and
 * star imports until it leaves the repository or ends at a definition. The number of steps is
 * bounded, so circles end. Serial; answers are kept, since the same names come again and again.
 */
#include "py/link.h"

#include "base/strbuf.h"

#define LINK_STEPS 200

enum link_answer {
	LINK_OUTSIDE,   /* begins with no module of the repository */
	LINK_INTERNAL,  /* the repository's own */
	LINK_FRAMEWORK, /* target is a framework's name */
	LINK_MISSING,   /* the module does not have it, as far as we know */
};

struct answer {
	enum link_answer kind;
	const char *target;
	const char *alias; /* the exported name that an assignment gave it, else NULL */
};

/* ---- modules ----------------------------------------------------------------------------------
 */

static int module_cmp(const void *a, const void *b)
{
	const struct link_module *x = a, *y = b;
	int c = strcmp(x->name, y->name);

	return c ? c : strcmp(x->source->path, y->source->path);
}

static void modules_init(struct linker *l)
{
	size_t i;

	l->modules = arena_array(l->a, l->repo->nr_files + 1, sizeof(*l->modules));
	for (i = 0; i < l->repo->nr_files; i++) {
		struct source *s = l->repo->files[i];

		if (s->lang == LANG_PYTHON && s->module && *s->module)
			l->modules[l->nr_modules++] = (struct link_module){s->module, s};
	}
	qsort(l->modules, l->nr_modules, sizeof(*l->modules), module_cmp);
}

struct source *link_module(const struct linker *l, const char *name, size_t len)
{
	size_t lo = 0, hi = l->nr_modules;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int c = strncmp(l->modules[mid].name, name, len);

		if (c > 0 || (!c && l->modules[mid].name[len]) || !c)
			hi = mid;
		else
			lo = mid + 1;
	}
	if (lo < l->nr_modules && !strncmp(l->modules[lo].name, name, len) &&
	    !l->modules[lo].name[len])
		return l->modules[lo].source;
	return NULL;
}

struct source *link_prefix(const struct linker *l, const char *name, size_t *len)
{
	size_t n = strlen(name);
	struct source *s;

	for (;;) {
		s = link_module(l, name, n);
		if (s) {
			*len = n;
			return s;
		}
		while (n && name[n - 1] != '.')
			n--;
		if (!n)
			return NULL;
		n--;
	}
}

static bool is_framework(const struct linker *l, const char *name)
{
	return list_holds(l->vocab->roots, name) || list_holds(l->vocab->target_roots, name);
}

/* ---- one name ---------------------------------------------------------------------------------
 */

static const struct binding *export_find(const struct source *s, const char *name, size_t len)
{
	size_t lo = 0, hi = s->nr_exports;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int c = strncmp(s->exports[mid].name, name, len);

		if (!c && !s->exports[mid].name[len])
			return &s->exports[mid];
		if (c < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

static struct answer follow(struct linker *l, const char *name);

static const char *name_cat(struct linker *l, const char *a, size_t len, const char *b)
{
	struct strbuf sb = STRBUF_INIT;
	const char *name;

	strbuf_add(&sb, a, len);
	strbuf_addstr(&sb, b);
	name = intern(&l->names, sb.buf, sb.len);
	strbuf_release(&sb);
	return name;
}

/* Through an export: `target` and what follows the exported name. */
static struct answer follow_target(struct linker *l, const char *target, const char *rest,
				   const char *name)
{
	const char *next = name_cat(l, target, strlen(target), rest);
	struct answer r;

	if (!strcmp(next, name))
		return (struct answer){.kind = LINK_INTERNAL};
	r = follow(l, next);
	if (r.kind == LINK_OUTSIDE && is_framework(l, next))
		return (struct answer){.kind = LINK_FRAMEWORK, .target = next};
	return r.kind == LINK_FRAMEWORK ? r : (struct answer){.kind = LINK_INTERNAL};
}

/* Through the star imports of a module; names with an underscore do not come that way. */
static struct answer follow_stars(struct linker *l, const struct source *s, const char *rest)
{
	struct answer r;
	size_t i, n;

	for (i = 0; i < s->nr_facts && *rest != '_'; i++) {
		const struct fact *f = &s->facts[i];

		if (f->kind != FACT_IMPORT || !(f->flags & F_STAR) || (f->flags & F_FUNCTION))
			continue;
		n = strlen(f->name) - 2;
		if (!link_module(l, f->name, n))
			continue;
		r = follow(l, name_cat(l, f->name, n + 1, rest));
		if (r.kind == LINK_INTERNAL || r.kind == LINK_FRAMEWORK)
			return r;
	}
	return (struct answer){.kind = LINK_MISSING};
}

/* The name is a module; its package may have rebound it to something else. */
static struct answer follow_module(struct linker *l, const char *name, size_t len)
{
	const struct binding *b;
	const struct source *parent;
	size_t n = len;

	while (n && name[n - 1] != '.')
		n--;
	parent = n ? link_module(l, name, n - 1) : NULL;
	b = parent ? export_find(parent, name + n, len - n) : NULL;
	if (b && b->target && strcmp(b->target, name))
		return follow_target(l, b->target, "", name);
	return (struct answer){.kind = LINK_INTERNAL};
}

static struct answer follow(struct linker *l, const char *name)
{
	const struct binding *b;
	struct answer r;
	struct source *s;
	const char *rest;
	size_t len, n;

	if (!l->steps)
		return (struct answer){.kind = LINK_INTERNAL};
	l->steps--;
	s = link_prefix(l, name, &len);
	if (!s)
		return (struct answer){.kind = LINK_OUTSIDE};
	if (!name[len])
		return follow_module(l, name, len);
	rest = name + len + 1;
	n = strcspn(rest, ".");
	b = export_find(s, rest, n);
	if (!b)
		return follow_stars(l, s, rest);
	if (!b->target)
		return (struct answer){.kind = LINK_INTERNAL};
	r = follow_target(l, b->target, rest + n, name);
	if (b->alias)
		r.alias = b->name;
	return r;
}

/* ---- answers are kept ---------------------------------------------------------------------------
 */

static struct link_memo *memo_slot(const struct linker *l, const char *name)
{
	size_t i = hash_bytes(name, strlen(name)) & (l->memo_size - 1);

	while (l->memo[i].name && strcmp(l->memo[i].name, name))
		i = (i + 1) & (l->memo_size - 1);
	return &l->memo[i];
}

static void memo_grow(struct linker *l)
{
	struct link_memo *old = l->memo;
	size_t i, nr = l->memo_size;

	l->memo_size = nr ? nr * 2 : 1024;
	l->memo = arena_array(l->a, l->memo_size, sizeof(*l->memo));
	for (i = 0; i < nr; i++)
		if (old[i].name)
			*memo_slot(l, old[i].name) = old[i];
}

static struct answer link_name(struct linker *l, const char *name)
{
	struct link_memo *m;
	struct answer r;

	if (l->nr_memo * 2 >= l->memo_size)
		memo_grow(l);
	m = memo_slot(l, name);
	if (m->name)
		return (struct answer){m->answer, m->target, m->alias};
	l->steps = LINK_STEPS;
	r = follow(l, name);
	*m = (struct link_memo){name, r.target, r.alias, r.kind};
	l->nr_memo++;
	return r;
}

/* ---- the facts of one file
 * ------------------------------------------------------------------------ */

/* Replace a name where it leads to a framework. */
static void link_text(struct linker *l, const char **text)
{
	struct answer r;

	if (!*text || !**text)
		return;
	r = link_name(l, *text);
	if (r.kind == LINK_FRAMEWORK)
		*text = r.target;
}

/* The type of a receiver, with its "#ctx". */
static void link_recv(struct linker *l, const char **recv)
{
	const char *mark = *recv ? strchr(*recv, '#') : NULL, *name;

	if (!mark) {
		link_text(l, recv);
		return;
	}
	name = intern(&l->names, *recv, (size_t)(mark - *recv));
	link_text(l, &name);
	*recv = name_cat(l, name, strlen(name), mark);
}

static void link_args(struct linker *l, struct arg *args, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (args[i].value == VALUE_NAME || args[i].value == VALUE_CALL)
			link_text(l, &args[i].text);
}

/* A name of a use or assignment; false when the fact goes. */
static bool link_use(struct linker *l, struct fact *f)
{
	struct answer r = link_name(l, f->name);
	bool star = f->flags & F_STAR;

	f->flags &= ~F_STAR;
	switch (r.kind) {
	case LINK_FRAMEWORK:
		f->name = r.target;
		if (f->kind == FACT_USE && !f->text)
			f->text = r.alias;
		return true;
	case LINK_INTERNAL:
		f->flags |= F_INTERNAL;
		return true;
	case LINK_MISSING:
		f->flags |= F_INTERNAL;
		return !star;
	default:
		if (!is_framework(l, f->name) && !list_holds(l->vocab->watched, f->name) &&
		    !list_has(l->vocab->extension_calls, f->name))
			f->flags |= F_INTERNAL;
		return !star;
	}
}

/* A call with a keyword that else only a tensor's method takes may be one of this function. */
static bool takes_keyword(const struct linker *l, const struct def *d)
{
	size_t i;

	for (i = 0; i < d->nr_params; i++)
		if (d->params[i].splat || (d->params[i].keyword &&
					   list_has(l->vocab->tensor_keywords, d->params[i].keyword)))
			return true;
	return false;
}

static bool is_method(const struct source *s, const struct def *d)
{
	return !d->is_class && !d->is_lambda && d->parent >= 0 && s->defs[d->parent].is_class;
}

/* Methods of the repository's classes that say nothing of what they are called on. */
static void methods_init(struct linker *l)
{
	size_t nr = 0, i, k;

	for (i = 0; l->vocab->tensor_members && l->vocab->tensor_members[i]; i++)
		nr++;
	for (i = 0; l->vocab->tensor_methods && l->vocab->tensor_methods[i]; i++)
		nr++;
	l->methods = arena_array(l->a, nr + 1, sizeof(*l->methods));
	nr = 0;
	for (i = 0; i < l->repo->nr_files; i++) {
		const struct source *s = l->repo->files[i];

		for (k = 0; k < s->nr_defs; k++) {
			const struct def *d = &s->defs[k];
			const char *last = is_method(s, d) ? strrchr(d->name, '.') : NULL;

			if (!last || list_has(l->methods, ++last))
				continue;
			if (list_has(l->vocab->tensor_members, last) ||
			    (list_has(l->vocab->tensor_methods, last) && takes_keyword(l, d)))
				l->methods[nr++] = last;
		}
	}
}

/* What the repository's own classes have concerns nobody, unless the name is asked for. */
static bool link_member(struct linker *l, struct fact *f)
{
	link_recv(l, &f->recv);
	if (f->flags & F_GUESSED && list_has(l->methods, f->name))
		f->recv = NULL;
	return !f->recv || is_framework(l, f->recv) || list_has(l->vocab->members, f->name);
}

static bool link_fact(struct linker *l, struct fact *f)
{
	size_t len;

	link_args(l, f->args, f->nr_args);
	switch (f->kind) {
	case FACT_IMPORT:
		if (link_prefix(l, f->name, &len))
			f->flags |= F_INTERNAL;
		return true;
	case FACT_USE:
		return link_use(l, f);
	case FACT_ASSIGN:
		if (!list_holds(l->vocab->watched, f->name))
			link_text(l, &f->text);
		return link_use(l, f);
	case FACT_MEMBER:
		return link_member(l, f);
	default:
		return true;
	}
}

static void link_source(struct linker *l, struct source *s)
{
	size_t i, k, nr = 0;

	for (i = 0; i < s->nr_facts; i++)
		if (link_fact(l, &s->facts[i]))
			s->facts[nr++] = s->facts[i];
	s->nr_facts = nr;
	for (i = 0; i < s->nr_guards; i++)
		link_text(l, &s->guards[i].name);
	for (i = 0; i < s->nr_defs; i++)
		for (k = 0; k < s->defs[i].nr_params; k++)
			link_text(l, &s->defs[i].params[k].text);
}

void py_link(struct repo *repo, const struct vocab *vocab, struct arena *a)
{
	struct linker l = {.repo = repo, .vocab = vocab, .a = a, .names = {.arena = a}};
	size_t i;

	modules_init(&l);
	methods_init(&l);
	for (i = 0; i < repo->nr_files; i++) {
		struct source *s = repo->files[i];

		if (s->lang == LANG_PYTHON || s->lang == LANG_STUB || s->lang == LANG_CYTHON)
			link_source(&l, s);
	}
	link_helpers(&l);
	link_reach(&l);
	link_scope(&l);
	link_extensions(&l);
}
