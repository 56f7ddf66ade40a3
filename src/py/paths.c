/*
 * paths.c - paths that a build script writes down: literals, os.path.join, pathlib, lists and their
 * sums, glob patterns, variables assigned in the file. Nothing is executed; what is not plain is
 * left out.
 *
 * A path is relative to the folder of the script: __file__ is a name in that folder, so its dirname
 * is "".
 */
#include "py/walk.h"

#define PATH_DEPTH 16
#define PATH_STEPS 5000
#define PATH_ITEMS 2000
#define PATH_BYTES 4096

/* What an expression turned out to be. Texts go to the end of the caller's list. */
enum path_kind { PATH_UNKNOWN, PATH_TEXT, PATH_LIST };

/* The variable of a comprehension. */
struct path_env {
	uint32_t name;
	const char *text;
	const struct path_env *up;
};

struct path_eval {
	struct pyfile *f;
	uint32_t scope;
	const struct path_env *env;
	struct strings out;
	int depth;
};

static enum path_kind eval(struct path_eval *e, uint32_t node);

static void out_add(struct path_eval *e, const char *text, size_t len)
{
	if (e->out.nr < PATH_ITEMS)
		*VEC_PUSH(&e->f->w->scratch, &e->out) = arena_strndup(&e->f->w->scratch, text, len);
}

/* The one text of an expression, NULL when it is none; the list is left as it was. */
static const char *eval_text(struct path_eval *e, uint32_t node)
{
	size_t nr = e->out.nr;
	enum path_kind kind = eval(e, node);
	const char *text = kind == PATH_TEXT && e->out.nr == nr + 1 ? e->out.v[nr] : NULL;

	e->out.nr = nr;
	return text;
}

static enum path_kind give_text(struct path_eval *e, const char *text)
{
	if (!text || e->out.nr >= PATH_ITEMS || strlen(text) > PATH_BYTES)
		return PATH_UNKNOWN;
	out_add(e, text, strlen(text));
	return PATH_TEXT;
}

static enum path_kind give_join(struct path_eval *e, const char *a, const char *b)
{
	if (!a || !b)
		return PATH_UNKNOWN;
	if (*b == '/' || !*a)
		return give_text(e, b);
	return give_text(e,
			 arena_fmt(&e->f->w->scratch, "%s%s%s", a, str_ends(a, "/") ? "" : "/", b));
}

static enum path_kind give_dirname(struct path_eval *e, const char *path)
{
	const char *slash;

	if (!path)
		return PATH_UNKNOWN;
	if (!*path)
		return give_text(e, "..");
	if (!strcmp(path, "..") || str_ends(path, "/.."))
		return give_text(e, arena_fmt(&e->f->w->scratch, "%s/..", path));
	slash = strrchr(path, '/');
	return give_text(e, slash ? arena_strndup(&e->f->w->scratch, path, (size_t)(slash - path))
				  : "");
}

/* Both sides of a sum or choice: lists add up. */
static enum path_kind eval_both(struct path_eval *e, uint32_t a, uint32_t b)
{
	size_t nr = e->out.nr;
	enum path_kind x = a == NO_NODE ? PATH_UNKNOWN : eval(e, a), y;

	if (x != PATH_LIST)
		e->out.nr = nr;
	nr = e->out.nr;
	y = b == NO_NODE ? PATH_UNKNOWN : eval(e, b);
	if (y != PATH_LIST)
		e->out.nr = nr;
	return x == PATH_LIST || y == PATH_LIST ? PATH_LIST : PATH_UNKNOWN;
}

static enum path_kind eval_binary(struct path_eval *e, uint32_t node)
{
	const struct tree *t = &e->f->t;
	uint32_t a = tree_field(t, node, FIELD_LEFT), b = tree_field(t, node, FIELD_RIGHT);
	const char *x, *y;

	if (a == NO_NODE || b == NO_NODE)
		return PATH_UNKNOWN;
	x = t->v[node].op == OP_SLASH || t->v[node].op == OP_PLUS ? eval_text(e, a) : NULL;
	y = x ? eval_text(e, b) : NULL;
	if (t->v[node].op == OP_SLASH)
		return give_join(e, x, y);
	if (t->v[node].op != OP_PLUS)
		return PATH_UNKNOWN;
	if (x && y)
		return give_text(e, arena_fmt(&e->f->w->scratch, "%s%s", x, y));
	return x ? PATH_UNKNOWN : eval_both(e, a, b);
}

static enum path_kind eval_fstring(struct path_eval *e, uint32_t node)
{
	struct pyfile *f = e->f;
	const struct tree *t = &f->t;
	struct strbuf sb = STRBUF_INIT;
	enum path_kind kind = PATH_UNKNOWN;
	const char *part = "";
	uint32_t k, in;

	for (k = tree_child(t, node); k != NO_NODE && part; k = tree_sibling(t, k)) {
		if (t->v[k].kind == K_STRING_CONTENT) {
			strbuf_add(&sb, f->text + t->v[k].start, t->v[k].end - t->v[k].start);
		} else if (t->v[k].kind == K_INTERPOLATION) {
			in = tree_child(t, k);
			part = in == NO_NODE ? NULL : eval_text(e, in);
			strbuf_addstr(&sb, part ? part : "");
		}
	}
	if (part && !strpbrk(sb.buf, "\\{}"))
		kind = give_text(e, sb.buf);
	strbuf_release(&sb);
	return kind;
}

/* ---- names ------------------------------------------------------------------------------------
 */

/* What a call of append, extend or insert adds. */
static enum path_kind eval_grow(struct path_eval *e, uint32_t call)
{
	const struct tree *t = &e->f->t;
	uint32_t args = tree_field(t, call, FIELD_ARGUMENTS), k, last = NO_NODE;
	const char *text;

	k = args == NO_NODE ? NO_NODE : tree_child(t, args);
	for (; k != NO_NODE; k = tree_sibling(t, k))
		last = k;
	if (last == NO_NODE)
		return PATH_UNKNOWN;
	if (node_name(e->f, call + 3) == NAME_EXTEND)
		return eval(e, last);
	text = eval_text(e, last);
	if (!text)
		return PATH_UNKNOWN;
	out_add(e, text, strlen(text));
	return PATH_LIST;
}

static enum path_kind eval_bind(struct path_eval *e, const struct bind *b)
{
	const struct tree *t = &e->f->t;
	uint32_t scope = e->scope, node = b->node;
	const struct path_env *env = e->env;
	enum path_kind kind;

	switch (b->kind) {
	case BIND_EXPR:
	case BIND_ALIAS:
	case BIND_CONST:
		break;
	case BIND_GROW:
		return eval_grow(e, node);
	case BIND_OPAQUE:
		if (t->v[node].kind == K_AUGMENTED) {
			node = tree_field(t, node, FIELD_RIGHT);
			break;
		}
		return PATH_UNKNOWN;
	default:
		return PATH_UNKNOWN;
	}
	if (node == NO_NODE)
		return PATH_UNKNOWN;
	e->scope = b->scope;
	e->env = NULL;
	kind = eval(e, node);
	e->scope = scope;
	e->env = env;
	return kind;
}

/* A variable: the sum of the lists it was given, or its one text. */
static enum path_kind eval_name(struct path_eval *e, uint32_t node)
{
	struct pyfile *f = e->f;
	uint32_t name = node_name(f, node), i;
	const struct path_env *env;
	const struct entry *entry;
	enum path_kind kind = PATH_UNKNOWN, k;
	size_t nr = e->out.nr;

	if (name == NAME_DUNDER_FILE)
		return give_text(e, "__file__");
	for (env = e->env; env; env = env->up)
		if (env->name == name)
			return give_text(e, env->text);
	entry = entry_lookup(f, e->scope, name);
	for (i = entry ? entry->first : 0; i; i = f->binds.v[i].next) {
		size_t before = e->out.nr;

		k = eval_bind(e, &f->binds.v[i]);
		if (k == PATH_LIST)
			kind = PATH_LIST;
		else if (k == PATH_TEXT && !f->binds.v[entry->first].next)
			return PATH_TEXT;
		else
			e->out.nr = before;
	}
	if (kind == PATH_UNKNOWN)
		e->out.nr = nr;
	return kind;
}

/* ---- displays and comprehensions ----------------------------------------------------------------
 */

static enum path_kind eval_list(struct path_eval *e, uint32_t node)
{
	const struct tree *t = &e->f->t;
	uint32_t k;
	size_t nr;

	for (k = tree_child(t, node); k != NO_NODE; k = tree_sibling(t, k)) {
		bool splat = t->v[k].kind == K_LIST_SPLAT && tree_child(t, k) != NO_NODE;

		nr = e->out.nr;
		if (eval(e, splat ? tree_child(t, k) : k) != (splat ? PATH_LIST : PATH_TEXT))
			e->out.nr = nr;
	}
	return PATH_LIST;
}

/* [body for x in items] */
static enum path_kind eval_comprehension(struct path_eval *e, uint32_t node)
{
	struct pyfile *f = e->f;
	const struct tree *t = &f->t;
	uint32_t body = tree_child(t, node), clause, target, items;
	struct path_eval inner = *e;
	struct path_env env = {.up = e->env};
	size_t i;
	const char *text;

	clause = body == NO_NODE ? NO_NODE : tree_sibling(t, body);
	if (clause == NO_NODE || t->v[clause].kind != K_FOR_IN ||
	    tree_sibling(t, clause) != NO_NODE)
		return PATH_UNKNOWN;
	target = tree_field(t, clause, FIELD_LEFT);
	items = tree_field(t, clause, FIELD_RIGHT);
	if (target == NO_NODE || items == NO_NODE || t->v[target].kind != K_IDENTIFIER)
		return PATH_UNKNOWN;
	memset(&inner.out, 0, sizeof(inner.out));
	if (eval(&inner, items) != PATH_LIST)
		return PATH_UNKNOWN;
	env.name = node_name(f, target);
	for (i = 0; i < inner.out.nr; i++) {
		const struct path_env *up = e->env;

		env.text = inner.out.v[i];
		e->env = &env;
		text = eval_text(e, body);
		e->env = up;
		if (text)
			out_add(e, text, strlen(text));
	}
	return PATH_LIST;
}

/* ---- calls ------------------------------------------------------------------------------------
 */

enum path_call {
	CALL_UNKNOWN,
	CALL_JOIN,    /* join(a, b, ...) */
	CALL_DIRNAME, /* dirname(a) */
	CALL_SAME,    /* f(a): the same path */
	CALL_LIST,    /* list(a), sorted(a) */
	CALL_GLOB,    /* glob(pattern), or folder.glob(pattern) */
	CALL_RGLOB,
	CALL_METHOD, /* a.resolve(): the same path */
	CALL_CWD,
};

static enum path_call path_call(const struct pyfile *f, uint32_t id, bool method)
{
	static const struct {
		const char *word;
		enum path_call call;
	} calls[] = {
		{"join", CALL_JOIN},      {"joinpath", CALL_JOIN},   {"dirname", CALL_DIRNAME},
		{"abspath", CALL_SAME},   {"realpath", CALL_SAME},   {"normpath", CALL_SAME},
		{"relpath", CALL_SAME},   {"fspath", CALL_SAME},     {"str", CALL_SAME},
		{"Path", CALL_JOIN},      {"PurePath", CALL_JOIN},   {"list", CALL_LIST},
		{"sorted", CALL_LIST},    {"tuple", CALL_LIST},      {"set", CALL_LIST},
		{"glob", CALL_GLOB},      {"iglob", CALL_GLOB},      {"rglob", CALL_RGLOB},
		{"resolve", CALL_METHOD}, {"absolute", CALL_METHOD}, {"as_posix", CALL_METHOD},
		{"getcwd", CALL_CWD},     {"cwd", CALL_CWD},
	};
	struct span s = tree_span(&f->t, id);
	size_t i;

	for (i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (span_is(f, s, calls[i].word))
			return !method && calls[i].call == CALL_METHOD ? CALL_UNKNOWN
								       : calls[i].call;
	return CALL_UNKNOWN;
}

/* Join the arguments, behind `path` where it is not NULL. */
static enum path_kind eval_join(struct path_eval *e, const char *path, uint32_t args)
{
	const struct tree *t = &e->f->t;
	uint32_t k;
	const char *part;
	size_t nr = e->out.nr;

	for (k = tree_child(t, args); k != NO_NODE; k = tree_sibling(t, k)) {
		part = eval_text(e, k);
		if (!part)
			return PATH_UNKNOWN;
		if (path) {
			if (give_join(e, path, part) != PATH_TEXT)
				return PATH_UNKNOWN;
			part = e->out.v[nr];
			e->out.nr = nr;
		}
		path = part;
	}
	return give_text(e, path);
}

static enum path_kind eval_glob(struct path_eval *e, const char *folder, uint32_t pattern,
				bool deep)
{
	const char *text = pattern == NO_NODE ? NULL : eval_text(e, pattern);

	if (!text)
		return PATH_UNKNOWN;
	if (deep)
		text = arena_fmt(&e->f->w->scratch, "**/%s", text);
	return (folder ? give_join(e, folder, text) : give_text(e, text)) == PATH_TEXT
		       ? PATH_LIST
		       : PATH_UNKNOWN;
}

static enum path_kind eval_call(struct path_eval *e, uint32_t node)
{
	struct pyfile *f = e->f;
	const struct tree *t = &f->t;
	uint32_t fn = tree_field(t, node, FIELD_FUNCTION), args, first, last;
	const char *object = NULL;

	args = tree_field(t, node, FIELD_ARGUMENTS);
	if (fn == NO_NODE || args == NO_NODE || t->v[args].kind != K_ARGUMENTS)
		return PATH_UNKNOWN;
	last = t->v[fn].next - 1;
	if (t->v[last].kind != K_IDENTIFIER)
		return PATH_UNKNOWN;
	/* The receiver is a path itself, or a module such as os.path. */
	if (t->v[fn].kind == K_ATTRIBUTE)
		object = eval_text(e, fn + 1);
	first = tree_child(t, args);
	switch (path_call(f, last, t->v[fn].kind == K_ATTRIBUTE)) {
	case CALL_JOIN:
		return eval_join(e, object, args);
	case CALL_DIRNAME:
		return first == NO_NODE ? PATH_UNKNOWN : give_dirname(e, eval_text(e, first));
	case CALL_SAME:
		return first == NO_NODE ? PATH_UNKNOWN : give_text(e, eval_text(e, first));
	case CALL_LIST:
		return first != NO_NODE && eval(e, first) == PATH_LIST ? PATH_LIST : PATH_UNKNOWN;
	case CALL_GLOB:
		return eval_glob(e, object, first, false);
	case CALL_RGLOB:
		return eval_glob(e, object, first, true);
	case CALL_METHOD:
		return give_text(e, object);
	case CALL_CWD:
		return give_text(e, "");
	default:
		return PATH_UNKNOWN;
	}
}

static enum path_kind eval_node(struct path_eval *e, uint32_t node)
{
	struct pyfile *f = e->f;
	const struct tree *t = &f->t;
	uint32_t a, b;

	switch (t->v[node].kind) {
	case K_STRING:
		if (tree_child(t, node) != NO_NODE)
			return eval_fstring(e, node);
		return give_text(e, string_text(f, node));
	case K_CONCATENATED:
		return give_text(e, string_text(f, node));
	case K_IDENTIFIER:
		return eval_name(e, node);
	case K_ATTRIBUTE:
		a = t->v[node].next - 1;
		return span_is(f, tree_span(t, a), "parent")
			       ? give_dirname(e, eval_text(e, node + 1))
			       : PATH_UNKNOWN;
	case K_LIST:
	case K_TUPLE:
	case K_SET:
		return eval_list(e, node);
	case K_BINARY:
		return eval_binary(e, node);
	case K_CALL:
		return eval_call(e, node);
	case K_LIST_COMPREHENSION:
	case K_GENERATOR:
		return eval_comprehension(e, node);
	case K_CONDITIONAL:
		a = tree_child(t, node);
		b = a == NO_NODE ? NO_NODE : tree_sibling(t, a);
		return eval_both(e, a, b == NO_NODE ? NO_NODE : tree_sibling(t, b));
	default:
		return PATH_UNKNOWN;
	}
}

static enum path_kind eval(struct path_eval *e, uint32_t node)
{
	enum path_kind kind;

	if (e->depth >= PATH_DEPTH || !e->f->scan)
		return PATH_UNKNOWN;
	e->f->scan--;
	e->depth++;
	kind = eval_node(e, tree_bare(&e->f->t, node));
	e->depth--;
	return kind;
}

void static_sources(struct pyfile *f, uint32_t scope, uint32_t args, struct fact *fact)
{
	const struct tree *t = &f->t;
	struct strbuf sb = STRBUF_INIT;
	uint32_t k, value;
	size_t i, n = 0;

	for (k = tree_child(t, args); k != NO_NODE && n < fact->nr_args; k = tree_sibling(t, k)) {
		struct path_eval e = {.f = f, .scope = scope};
		struct arg *arg = &fact->args[n++];

		value = arg->keyword ? tree_field(t, k, FIELD_VALUE) : k;
		if (arg->splat || value == NO_NODE ||
		    (arg->keyword && strcmp(arg->keyword, "sources")))
			continue;
		f->scan = PATH_STEPS;
		if (eval(&e, value) != PATH_LIST)
			continue;
		strbuf_reset(&sb);
		for (i = 0; i < e.out.nr; i++)
			strbuf_addf(&sb, "%s%s", i ? "\n" : "", e.out.v[i]);
		arg->value = VALUE_LIST;
		arg->text = intern(f->w->intern, sb.buf, sb.len);
		break;
	}
	strbuf_release(&sb);
}
