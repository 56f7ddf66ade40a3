/*
 * resolve.c - second question: what does a name stand for where it is used?
 *
 * Answers are kept in the entries. Aliases may refer to one another, so an entry that is being
 * resolved answers "unknown", and the length of a chain is bounded.
 */
#include "py/file.h"

#include <stdio.h>

#define DEPTH_MAX    40
#define NAME_MAX_LEN 512

/* The first part of a name; false when there is none or it is absurdly long. */
static bool name_root(const char *name, char root[128])
{
	size_t n = strcspn(name, ".");

	if (!n || n >= 128)
		return false;
	memcpy(root, name, n);
	root[n] = 0;
	return true;
}

bool name_is_own(const struct pyfile *f, const char *name)
{
	char root[128];

	return name_root(name, root) && strings_has(&f->w->repo->packages, root);
}

bool name_is_kept(const struct pyfile *f, const char *name)
{
	char root[128];

	return name_root(name, root) &&
	       (list_has(f->w->vocab->roots, root) || list_has(f->w->vocab->target_roots, root) ||
		strings_has(&f->w->repo->packages, root));
}

/* ---- scopes ---------------------------------------------------------------------------------- */

struct entry *entry_lookup(struct pyfile *f, uint32_t scope, uint32_t name)
{
	uint32_t start = scope;
	struct entry *e;

	if (!f->names.v[name].bound)
		return NULL;
	for (;; scope = f->scopes.v[scope].parent) {
		/* The names of a class are not visible in the functions inside it. */
		if (scope == start || f->scopes.v[scope].kind != SCOPE_CLASS) {
			e = entry_find(f, scope, name);
			if (e && e->outer == OUTER_GLOBAL && scope)
				return entry_find(f, 0, name);
			if (e && !(e->outer == OUTER_NONLOCAL && scope))
				return e;
		}
		if (!scope)
			return NULL;
	}
}

bool is_unbound(struct pyfile *f, uint32_t scope, uint32_t node)
{
	return f->t.v[node].kind == K_IDENTIFIER && !entry_lookup(f, scope, node_name(f, node));
}

/* ---- one binding ------------------------------------------------------------------------------
 */

const char *dynamic_import(struct pyfile *f, uint32_t scope, uint32_t call, uint32_t *literal)
{
	struct tree *t = &f->t;
	uint32_t fn = tree_field(t, call, FIELD_FUNCTION), args, first, last;
	const char *text;

	if (fn == NO_NODE || t->v[call].kind != K_CALL)
		return NULL;
	last = t->v[fn].next - 1; /* the identifier, or the last part of a chain */
	if (t->v[last].kind != K_IDENTIFIER)
		return NULL;
	switch (node_name(f, last)) {
	case NAME_DUNDER_IMPORT:
		if (last != fn || !is_unbound(f, scope, fn))
			return NULL;
		break;
	case NAME_IMPORT_MODULE:
		if (!str_eq(resolve(f, scope, fn).name, "importlib.import_module"))
			return NULL;
		break;
	case NAME_IMPORTORSKIP:
		if (!str_eq(resolve(f, scope, fn).name, "pytest.importorskip"))
			return NULL;
		break;
	default:
		return NULL;
	}
	args = tree_field(t, call, FIELD_ARGUMENTS);
	first = args == NO_NODE ? NO_NODE : tree_child(t, args);
	if (first == NO_NODE || t->v[first].kind != K_STRING)
		return NULL;
	text = string_text(f, first);
	if (!text || !*text || text[strcspn(text, " \t\n/\\")] || *text == '.')
		return NULL;
	*literal = first;
	return intern_str(f->w->intern, text);
}

/* A backport of a module bears its name with '_' for '.': importlib_metadata, importlib.metadata. */
static bool is_backport(const char *a, const char *b)
{
	for (; *a && (*a == *b || (*a == '_' && *b == '.') || (*a == '.' && *b == '_')); a++, b++)
		;
	return !*a && !*b;
}

/*
 * What two alternatives stand for together. The classes that make extensions are told apart by what
 * is built, not by how they are called, so the first one speaks for both; so does a watched name for
 * its backport.
 */
static const char *same_target(const struct pyfile *f, const char *a, const char *b)
{
	const char *const *calls = f->w->vocab->extension_calls;

	if (str_eq(a, b) || (a && b && list_has(calls, a) && list_has(calls, b)))
		return a;
	if (a && b && list_holds(f->w->vocab->watched, a) && is_backport(a, b))
		return a;
	return NULL;
}

struct resolved resolve_choice(struct pyfile *f, uint32_t scope, uint32_t choice)
{
	const struct tree *t = &f->t;
	uint32_t x = tree_child(t, choice), y = x == NO_NODE ? x : tree_sibling(t, x);
	struct resolved r, other;

	y = y == NO_NODE ? y : tree_sibling(t, y);
	if (y == NO_NODE)
		return (struct resolved){0};
	r = resolve(f, scope, tree_bare(t, x));
	other = resolve(f, scope, tree_bare(t, y));
	r.name = same_target(f, r.name, other.name);
	r.alias = true;
	return r;
}

/* What a maker of the vocabulary at `node` puts in place of a function, see vocab.object_makers. */
static struct resolved made_target(struct pyfile *f, uint32_t scope, uint32_t node)
{
	struct resolved r = {0};
	char name[NAME_MAX_LEN];
	int n;

	if (node != NO_NODE)
		r = resolve(f, scope, node);
	if (!r.name || r.star || !list_has(f->w->vocab->object_makers, r.name))
		return (struct resolved){0};
	n = snprintf(name, sizeof(name), "%s()", r.name);
	r.name = n > 0 && (size_t)n < sizeof(name) ? intern(f->w->intern, name, (size_t)n) : NULL;
	r.alias = true;
	return r;
}

/* A call of two arguments or more that are given by position: maker(name, function). */
static bool is_making_call(const struct tree *t, uint32_t node)
{
	uint32_t k = t->v[node].kind == K_CALL ? tree_field(t, node, FIELD_ARGUMENTS) : NO_NODE;

	k = k == NO_NODE ? k : tree_child(t, k);
	k = k == NO_NODE ? k : tree_sibling(t, k);
	return k != NO_NODE && t->v[k].kind != K_KEYWORD_ARGUMENT;
}

static struct resolved expr_target(struct pyfile *f, const struct bind *b)
{
	struct resolved r = {0};
	uint32_t literal, fn;
	const char *name;

	if (f->t.v[b->node].kind == K_CONDITIONAL)
		return resolve_choice(f, b->scope, b->node);
	if (is_making_call(&f->t, b->node))
		r = made_target(f, b->scope, tree_field(&f->t, b->node, FIELD_FUNCTION));
	if (r.name)
		return r;
	name = dynamic_import(f, b->scope, b->node, &literal);
	if (!name)
		return r;
	fn = tree_field(&f->t, b->node, FIELD_FUNCTION);
	/* __import__("a.b") answers a. */
	if (f->t.v[fn].kind == K_IDENTIFIER && node_name(f, fn) == NAME_DUNDER_IMPORT)
		name = intern(f->w->intern, name, strcspn(name, "."));
	r.name = name;
	r.keep = name_is_kept(f, name);
	return r;
}

static struct resolved bind_target(struct pyfile *f, const struct bind *b)
{
	struct resolved r = {0};

	switch (b->kind) {
	case BIND_IMPORT:
		r.name = b->target;
		r.keep = b->relative || name_is_kept(f, b->target);
		break;
	case BIND_ALIAS:
		r = resolve(f, b->scope, b->node);
		r.alias = true;
		break;
	case BIND_EXPR:
		r = expr_target(f, b);
		break;
	case BIND_MADE:
		/* The outermost decorator has the last word. */
		r = made_target(f, b->scope,
				decorator_name(&f->t, tree_child(&f->t, f->t.v[b->node].parent)));
		break;
	default:
		break;
	}
	if (r.star)
		r.name = NULL;
	return r;
}

/* ---- entries ----------------------------------------------------------------------------------
 */

/*
 * A constant beside real bindings: None that stands in for an import, and anything that stands in a
 * handler or else branch, is what the name is when the real thing is not there.
 */
static bool is_stand_in(const struct bind *b, bool only_imports)
{
	if (b->kind == BIND_NEUTRAL || b->kind == BIND_GROW || b->kind == BIND_DECLARED)
		return true;
	if (b->kind == BIND_NONE)
		return only_imports || b->fallback;
	return b->kind == BIND_CONST && b->fallback;
}

static bool binds_only_imports(const struct pyfile *f, const struct entry *e)
{
	uint32_t i;

	for (i = e->first; i; i = f->binds.v[i].next)
		if (f->binds.v[i].kind != BIND_IMPORT && f->binds.v[i].kind != BIND_NONE &&
		    f->binds.v[i].kind != BIND_NEUTRAL && f->binds.v[i].kind != BIND_DECLARED)
			return false;
	return true;
}

static void entry_targets(struct pyfile *f, const struct entry *e, struct entry *out)
{
	bool only_imports = binds_only_imports(f, e);
	uint32_t i, nr = 0;
	struct resolved r;

	for (i = e->first; i; i = f->binds.v[i].next) {
		const struct bind *b = &f->binds.v[i];

		if (is_stand_in(b, only_imports))
			continue;
		r = bind_target(f, b);
		if (nr++)
			r.name = same_target(f, out->target, r.name);
		out->target = r.name;
		if (!r.name)
			return;
		out->keep |= r.keep;
		out->alias |= r.alias;
	}
}

void entry_resolve(struct pyfile *f, struct entry *e)
{
	struct entry out = {0}, *outer = f->current;

	if (e->state || f->depth >= DEPTH_MAX)
		return;
	e->state = 1;
	f->current = e;
	f->depth++;
	entry_targets(f, e, &out);
	if (!out.target)
		entry_type(f, e);
	f->depth--;
	f->current = outer;
	e->state = 2;
	e->target = out.target;
	e->keep = out.target && out.keep;
	e->alias = out.target && out.alias;
}

/* ---- expressions ------------------------------------------------------------------------------
 */

/* `target` and the rest of a chain ("", or ".a.b") as one interned name. */
static const char *name_join(struct pyfile *f, const char *target, const char *rest, size_t len)
{
	char buf[NAME_MAX_LEN];
	size_t n = strlen(target);

	if (!len)
		return target;
	if (n + len >= sizeof(buf))
		return NULL;
	memcpy(buf, target, n);
	memcpy(buf + n, rest, len);
	return intern(f->w->intern, buf, n + len);
}

struct resolved resolve_name(struct pyfile *f, uint32_t scope, uint32_t name, const char *rest,
			     size_t len)
{
	struct resolved r = {0};
	struct entry *e = entry_lookup(f, scope, name);
	const struct name *n = &f->names.v[name];

	if (!e) {
		if (f->star && f->star_keep && !is_builtin_name(n->s, n->len)) {
			char buf[NAME_MAX_LEN];
			int k = snprintf(buf, sizeof(buf), ".%.*s%.*s", (int)n->len, n->s, (int)len,
					 rest);

			if (k > 0 && (size_t)k < sizeof(buf))
				r.name = name_join(f, f->star, buf, (size_t)k);
			r.keep = r.star = r.name != NULL;
		}
		return r;
	}
	if (!n->tracked)
		return r;
	entry_resolve(f, e);
	if (e->state != 2 || !e->target)
		return r;
	r.name = name_join(f, e->target, rest, len);
	r.keep = e->keep;
	r.alias = e->alias;
	return r;
}

/* The chain behind its first identifier as ".a.b"; -1 when it is too long or broken. */
static int chain_rest(const struct tree *t, uint32_t root, uint32_t end, char *buf, size_t size)
{
	size_t n = 0, k;
	uint32_t i;

	for (i = root + 1; i < end; i++) {
		k = t->v[i].end - t->v[i].start;
		if (t->v[i].kind != K_IDENTIFIER || n + k + 1 >= size)
			return -1;
		buf[n++] = '.';
		memcpy(buf + n, t->text + t->v[i].start, k);
		n += k;
	}
	return (int)n;
}

struct resolved resolve(struct pyfile *f, uint32_t scope, uint32_t node)
{
	uint32_t root = tree_chain_root(&f->t, node), name;
	char rest[NAME_MAX_LEN];
	int n;

	if (root == NO_NODE)
		return (struct resolved){0};
	name = node_name(f, root);
	if (!f->names.v[name].tracked && !(f->star_keep && !f->names.v[name].bound))
		return (struct resolved){0};
	n = chain_rest(&f->t, root, f->t.v[node].next, rest, sizeof(rest));
	if (n < 0)
		return (struct resolved){0};
	return resolve_name(f, scope, name, rest, (size_t)n);
}
