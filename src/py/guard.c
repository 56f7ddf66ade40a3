/*
 * guard.c - what a fact is protected by: try statements and conditions.
 *
 * A guard is made "pending" when the walk enters it and becomes one of the source's guards with the
 * first fact in it, so that plain conditions without facts leave no trace. Conditions that say
 * something about a framework (hasattr, versions) and try statements are always recorded.
 */
#include "py/file.h"

#define TEXT_MAX       80
#define CONDITIONS_MAX 4
#define SCAN_NODES     500 /* nodes looked at for one condition */
#define OPERAND_DEPTH  8   /* not, and, names of conditions */
#define EXITS_MAX      64  /* early exits that nest their guards */

/* What a condition tests. */
struct test {
	enum guard_kind kind;
	const char *name;
	bool negated;
	const char *range; /* GUARD_VERSION: see struct guard */
};

struct tests {
	struct test v[CONDITIONS_MAX];
	int nr;
	bool more; /* some operand is none of them */
};

/* Text of a node on one line, shortened. */
static const char *short_text(struct pyfile *f, struct span s)
{
	char buf[TEXT_MAX + 4];
	size_t n = 0;
	bool space = false;
	uint32_t i;

	for (i = s.start; i < s.end && n < TEXT_MAX; i++) {
		char c = f->text[i];

		if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f') {
			space = n > 0;
			continue;
		}
		if (space)
			buf[n++] = ' ';
		space = false;
		buf[n++] = c;
	}
	if (i < s.end) {
		memcpy(buf + (n > TEXT_MAX ? TEXT_MAX : n), "...", 3);
		n = (n > TEXT_MAX ? TEXT_MAX : n) + 3;
	}
	return intern(f->w->intern, buf, n);
}

static int pending_new(struct pyfile *f, enum guard_kind kind, int parent)
{
	struct pending *p = VEC_PUSH(&f->w->scratch, &f->pending);

	p->guard.kind = kind;
	p->guard.parent = parent;
	p->final = -1;
	return (int)f->pending.nr - 1;
}

int guard_final(struct pyfile *f, int pending)
{
	VEC(int) path = {0};
	int i, parent;

	for (i = pending; i >= 0 && f->pending.v[i].final < 0; i = f->pending.v[i].guard.parent)
		*VEC_PUSH(&f->w->scratch, &path) = i;
	while (path.nr) {
		i = path.v[--path.nr];
		parent = f->pending.v[i].guard.parent;
		f->pending.v[i].final = (int)f->guards.nr;
		*VEC_PUSH(&f->w->scratch, &f->guards) = f->pending.v[i].guard;
		f->guards.v[f->guards.nr - 1].parent = parent < 0 ? -1 : f->pending.v[parent].final;
	}
	return pending < 0 ? -1 : f->pending.v[pending].final;
}

/* ---- try --------------------------------------------------------------------------------------
 */

static unsigned catches_name(struct pyfile *f, uint32_t node)
{
	uint32_t last = f->t.v[node].next - 1;

	if (tree_chain_root(&f->t, node) == NO_NODE || f->t.v[last].kind != K_IDENTIFIER)
		return CATCH_OTHER;
	switch (node_name(f, last)) {
	case NAME_IMPORT_ERROR:
	case NAME_MODULE_NOT_FOUND:
		return CATCH_IMPORT;
	case NAME_ATTRIBUTE_ERROR:
		return CATCH_ATTRIBUTE;
	case NAME_TYPE_ERROR:
		return CATCH_TYPE;
	case NAME_EXCEPTION:
	case NAME_BASE_EXCEPTION:
		return CATCH_ALL;
	default:
		return CATCH_OTHER;
	}
}

/* The exception expression of a handler, NO_NODE for a bare one. */
static uint32_t handler_value(const struct tree *t, uint32_t except)
{
	uint32_t k = tree_child(t, except);

	if (k == NO_NODE || t->v[k].kind == K_BLOCK)
		return NO_NODE;
	if (t->v[k].kind == K_AS_PATTERN && k + 1 < t->v[k].next)
		k++;
	return tree_bare(t, k);
}

static unsigned handler_catches(struct pyfile *f, uint32_t except)
{
	const struct tree *t = &f->t;
	uint32_t value = handler_value(t, except), k;
	unsigned catches = 0;

	if (value == NO_NODE)
		return CATCH_ALL;
	if (t->v[value].kind != K_TUPLE)
		return catches_name(f, value);
	for (k = tree_child(t, value); k != NO_NODE; k = tree_sibling(t, k))
		catches |= catches_name(f, k);
	return catches;
}

static uint32_t handler_block(const struct tree *t, uint32_t except)
{
	uint32_t k;

	for (k = tree_child(t, except); k != NO_NODE; k = tree_sibling(t, k))
		if (t->v[k].kind == K_BLOCK)
			return k;
	return NO_NODE;
}

/* sys.exit(), os._exit(), exit(), quit() */
static bool is_exit_call(struct pyfile *f, uint32_t statement)
{
	const struct tree *t = &f->t;
	uint32_t call = tree_child(t, statement), fn, name;

	if (t->v[statement].kind != K_EXPRESSION || call == NO_NODE || t->v[call].kind != K_CALL)
		return false;
	fn = tree_field(t, call, FIELD_FUNCTION);
	if (fn == NO_NODE || tree_chain_root(t, fn) == NO_NODE ||
	    t->v[t->v[fn].next - 1].kind != K_IDENTIFIER)
		return false;
	name = node_name(f, t->v[fn].next - 1);
	return name == NAME_EXIT || name == NAME_UNDER_EXIT || name == NAME_QUIT;
}

static bool handler_ends(struct pyfile *f, uint32_t except)
{
	const struct tree *t = &f->t;
	uint32_t block = handler_block(t, except), k, last = NO_NODE;

	if (block == NO_NODE)
		return false;
	for (k = tree_child(t, block); k != NO_NODE; k = tree_sibling(t, k))
		last = k;
	return last != NO_NODE && (t->v[last].kind == K_RAISE || is_exit_call(f, last));
}

static bool is_handler(const struct tree *t, uint32_t k)
{
	return t->v[k].kind == K_EXCEPT || t->v[k].kind == K_EXCEPT_GROUP;
}

static const char *handler_text(struct pyfile *f, uint32_t except)
{
	uint32_t value = handler_value(&f->t, except);

	return value == NO_NODE ? "" : short_text(f, tree_span(&f->t, value));
}

int guard_try(struct pyfile *f, uint32_t try_node, int parent, unsigned *catches)
{
	const struct tree *t = &f->t;
	uint32_t k, body = tree_field(t, try_node, FIELD_BODY);
	struct strbuf text = STRBUF_INIT;
	struct guard g = {.kind = GUARD_TRY, .parent = parent};
	int p;

	*catches = 0;
	for (k = tree_child(t, try_node); k != NO_NODE; k = tree_sibling(t, k)) {
		unsigned c;

		if (!is_handler(t, k))
			continue;
		c = handler_catches(f, k);
		if (c & (CATCH_IMPORT | CATCH_ATTRIBUTE | CATCH_TYPE) && handler_ends(f, k))
			g.reraises = true;
		if (!g.other.end)
			g.other.start = t->v[k].start;
		else
			strbuf_addstr(&text, ", ");
		g.other.end = t->v[k].end;
		strbuf_addstr(&text, handler_text(f, k));
		g.catches |= c;
	}
	*catches = g.catches;
	g.body = body == NO_NODE ? tree_span(t, try_node) : tree_span(t, body);
	g.text = intern(f->w->intern, text.buf, text.len > 3 * TEXT_MAX ? 3 * TEXT_MAX : text.len);
	strbuf_release(&text);
	if (!g.other.end)
		return parent;
	p = pending_new(f, GUARD_TRY, parent);
	f->pending.v[p].guard = g;
	guard_final(f, p);
	return p;
}

int guard_handler(struct pyfile *f, uint32_t except, int parent)
{
	const struct tree *t = &f->t;
	uint32_t block = handler_block(t, except);
	uint32_t body = tree_field(t, t->v[except].parent, FIELD_BODY);
	int p = pending_new(f, GUARD_FALLBACK, parent);
	struct guard *g = &f->pending.v[p].guard;

	g->body = tree_span(t, block == NO_NODE ? except : block);
	if (body != NO_NODE)
		g->other = tree_span(t, body);
	g->catches = handler_catches(f, except);
	g->text = handler_text(f, except);
	return p;
}

int guard_clause(struct pyfile *f, uint32_t node, int parent)
{
	int p = pending_new(f, GUARD_IF, parent);

	f->pending.v[p].guard.body = tree_span(&f->t, node);
	f->pending.v[p].guard.text = "except";
	return p;
}

/* The name that the call in an item of a with statement leads to, NULL when it is no such call. */
static const char *item_call(struct pyfile *f, uint32_t scope, uint32_t item, uint32_t *call)
{
	const struct tree *t = &f->t;
	uint32_t node = tree_child(t, item), fn;

	if (node != NO_NODE && t->v[node].kind == K_AS_PATTERN)
		node = tree_child(t, node);
	node = node == NO_NODE ? NO_NODE : tree_bare(t, node);
	if (node == NO_NODE || t->v[node].kind != K_CALL)
		return NULL;
	*call = node;
	fn = tree_field(t, node, FIELD_FUNCTION);
	if (fn == NO_NODE || tree_chain_root(t, fn) == NO_NODE)
		return NULL;
	return resolve(f, scope, fn).name;
}

/* f(..., enable=False) */
static bool is_turned_off(const struct pyfile *f, uint32_t call)
{
	const struct tree *t = &f->t;
	uint32_t k = tree_field(t, call, FIELD_ARGUMENTS), name, value;

	for (k = k == NO_NODE ? k : tree_child(t, k); k != NO_NODE; k = tree_sibling(t, k)) {
		name = tree_field(t, k, FIELD_NAME);
		value = tree_field(t, k, FIELD_VALUE);
		if (name != NO_NODE && value != NO_NODE && t->v[value].kind == K_FALSE &&
		    span_is(f, tree_span(t, name), "enable"))
			return true;
	}
	return false;
}

static int guard_switch(struct pyfile *f, uint32_t call, const char *name, uint32_t body, int parent)
{
	int p = pending_new(f, GUARD_SWITCH, parent);
	struct guard *g = &f->pending.v[p].guard;

	g->body = tree_span(&f->t, body);
	g->other = tree_span(&f->t, call);
	g->name = name;
	g->text = short_text(f, g->other);
	g->negated = is_turned_off(f, call);
	guard_final(f, p);
	return p;
}

/* As guard_try for suppress(X, Y). */
static int guard_suppress(struct pyfile *f, uint32_t call, uint32_t body, int parent,
			  unsigned *catches)
{
	const struct tree *t = &f->t;
	uint32_t args = tree_field(t, call, FIELD_ARGUMENTS), k;
	int p;

	k = args == NO_NODE ? NO_NODE : tree_child(t, args);
	if (k == NO_NODE)
		return parent;
	p = pending_new(f, GUARD_TRY, parent);
	f->pending.v[p].guard.body = tree_span(t, body);
	f->pending.v[p].guard.text = short_text(f, tree_span(t, args));
	for (; k != NO_NODE; k = tree_sibling(t, k))
		*catches |= catches_name(f, k);
	f->pending.v[p].guard.catches = *catches;
	guard_final(f, p);
	return p;
}

int guard_with(struct pyfile *f, uint32_t scope, uint32_t body, int parent, unsigned *catches,
	       bool *switches)
{
	const struct tree *t = &f->t;
	uint32_t item, call;
	const char *name;
	int guard = parent;

	*catches = 0;
	*switches = false;
	item = tree_child(t, tree_child(t, t->v[body].parent));
	for (; item != NO_NODE; item = tree_sibling(t, item)) {
		name = item_call(f, scope, item, &call);
		if (!name)
			continue;
		if (!strcmp(name, "contextlib.suppress") && !*catches) {
			guard = guard_suppress(f, call, body, guard, catches);
		} else if (list_has(f->w->vocab->switch_calls, name)) {
			guard = guard_switch(f, call, name, body, guard);
			*switches = true;
		}
	}
	return guard;
}

/* ---- leaving ------------------------------------------------------------------------------------
 */

/* A call that the vocabulary says does not return. */
static bool is_leaving_call(struct pyfile *f, uint32_t scope, uint32_t statement)
{
	const struct tree *t = &f->t;
	uint32_t call = tree_child(t, statement), fn, last;
	const char *const *words = f->w->vocab->never_returns;
	char method[LENGTH_BITS + 1] = ".";
	const char *name;
	struct span s;

	if (call == NO_NODE || t->v[call].kind != K_CALL)
		return false;
	fn = tree_child(t, call);
	if (tree_chain_root(t, fn) == NO_NODE)
		return false;
	last = t->v[fn].next - 1;
	s = tree_span(t, last);
	if (s.end - s.start >= LENGTH_BITS ||
	    !may_be_word(f->w->leaving_lengths, t->text + s.start, s.end - s.start))
		return false;
	name = resolve(f, scope, fn).name;
	if (name)
		return list_has(words, name);
	memcpy(method + 1, t->text + s.start, s.end - s.start);
	if (fn == last)
		return list_has(words, method + 1) && is_unbound(f, scope, fn);
	return list_has(words, method) && last == fn + 2 && self_class(f, scope, fn + 1);
}

bool guard_leaves(struct pyfile *f, uint32_t scope, uint32_t statement)
{
	switch (f->t.v[statement].kind) {
	case K_RETURN:
	case K_RAISE:
	case K_CONTINUE:
	case K_BREAK:
		return true;
	case K_EXPRESSION:
		return is_leaving_call(f, scope, statement);
	default:
		return false;
	}
}

/* True when nothing behind the block runs after it. */
static bool block_leaves(struct pyfile *f, uint32_t scope, uint32_t block)
{
	const struct tree *t = &f->t;
	uint32_t k, last = NO_NODE;

	for (k = tree_child(t, block); k != NO_NODE; k = tree_sibling(t, k))
		last = k;
	return last != NO_NODE && (guard_leaves(f, scope, last) || is_exit_call(f, last));
}

/* ---- conditions -------------------------------------------------------------------------------
 */

static void test_add(struct tests *ts, enum guard_kind kind, const char *name, bool negated)
{
	if (ts->nr < CONDITIONS_MAX)
		ts->v[ts->nr++] = (struct test){kind, name, negated, NULL};
}

static void test_add_version(struct tests *ts, const char *name, bool negated, const char *range)
{
	if (ts->nr < CONDITIONS_MAX)
		ts->v[ts->nr++] = (struct test){GUARD_VERSION, name, negated, range};
}

/* hasattr(X, "a"): the name X.a. */
static const char *hasattr_name(struct pyfile *f, uint32_t scope, uint32_t call)
{
	const struct tree *t = &f->t;
	uint32_t fn = tree_field(t, call, FIELD_FUNCTION), args, object, attr;
	struct resolved r;
	struct strbuf sb = STRBUF_INIT;
	const char *text, *name;

	if (fn == NO_NODE || t->v[fn].kind != K_IDENTIFIER || node_name(f, fn) != NAME_HASATTR)
		return NULL;
	args = tree_field(t, call, FIELD_ARGUMENTS);
	object = args == NO_NODE ? NO_NODE : tree_child(t, args);
	attr = object == NO_NODE ? NO_NODE : tree_sibling(t, object);
	if (attr == NO_NODE)
		return NULL;
	r = resolve(f, scope, object);
	text = string_text(f, attr);
	if (!r.name || r.star || !text)
		return NULL;
	strbuf_addf(&sb, "%s.%s", r.name, text);
	name = intern(f->w->intern, sb.buf, sb.len);
	strbuf_release(&sb);
	return name;
}

static bool is_main_test(struct pyfile *f, uint32_t node)
{
	const struct tree *t = &f->t;
	uint32_t a = tree_child(t, node), b = a == NO_NODE ? NO_NODE : tree_sibling(t, a), tmp;

	if (b == NO_NODE)
		return false;
	if (t->v[a].kind == K_STRING) {
		tmp = a;
		a = b;
		b = tmp;
	}
	return t->v[a].kind == K_IDENTIFIER && node_name(f, a) == NAME_DUNDER_NAME &&
	       t->v[b].kind == K_STRING && span_is(f, string_inner(f, b), "__main__");
}

static void classify(struct pyfile *f, uint32_t scope, uint32_t node, bool negated, int depth,
		     struct tests *ts);

/* "typing.TYPE_CHECKING", whatever name the file gives it. */
static bool is_checking(const char *name)
{
	const char *dot = name ? strrchr(name, '.') : NULL;

	return dot && !strcmp(dot, ".TYPE_CHECKING");
}

static void classify_name(struct pyfile *f, uint32_t scope, uint32_t node, bool negated, int depth,
			  struct tests *ts)
{
	uint32_t root = tree_chain_root(&f->t, node), last = f->t.v[node].next - 1;
	const struct entry *e;
	const struct bind *b;

	if (root == NO_NODE || f->t.v[last].kind != K_IDENTIFIER)
		return;
	if (node_name(f, last) == NAME_TYPE_CHECKING) {
		test_add(ts, GUARD_CHECKING, NULL, negated);
		return;
	}
	if (root != node)
		return;
	e = entry_lookup(f, scope, node_name(f, root));
	b = e && e->first ? &f->binds.v[e->first] : NULL;
	if (b && !b->next && b->kind != BIND_EXPR && is_checking(resolve(f, scope, node).name)) {
		test_add(ts, GUARD_CHECKING, NULL, negated);
		return;
	}
	if (b && !b->next && b->kind == BIND_EXPR)
		classify(f, b->scope, b->node, negated, depth + 1, ts);
}

static void classify_bare(struct pyfile *f, uint32_t scope, uint32_t node, bool negated, int depth,
			  struct tests *ts)
{
	const struct tree *t = &f->t;
	uint32_t a, b;
	const char *name;

	a = tree_child(t, node);
	b = a == NO_NODE ? NO_NODE : tree_sibling(t, a);
	switch (t->v[node].kind) {
	case K_NOT:
		if (a != NO_NODE)
			classify(f, scope, a, !negated, depth + 1, ts);
		break;
	case K_BOOLEAN:
		/* Both operands are known to hold only so far. */
		if (t->v[node].op != (negated ? OP_OR : OP_AND) || b == NO_NODE)
			break;
		classify(f, scope, a, negated, depth + 1, ts);
		classify(f, scope, b, negated, depth + 1, ts);
		break;
	case K_CALL:
		name = hasattr_name(f, scope, node);
		if (name)
			test_add(ts, GUARD_HASATTR, name, negated);
		break;
	case K_COMPARISON:
		name = version_tested(f, scope, node);
		if (name)
			test_add_version(ts, name, negated, version_range(f, scope, node));
		else if (is_main_test(f, node))
			test_add(ts, GUARD_MAIN, NULL, negated);
		break;
	case K_FALSE:
	case K_TRUE:
		if ((t->v[node].kind == K_TRUE) == negated)
			test_add(ts, GUARD_CHECKING, NULL, false);
		break;
	default:
		classify_name(f, scope, node, negated, depth, ts);
	}
}

static void classify(struct pyfile *f, uint32_t scope, uint32_t node, bool negated, int depth,
		     struct tests *ts)
{
	int nr = ts->nr;

	/* Each step looks at one operand; a long `and` chain is a deep tree. */
	if (depth <= OPERAND_DEPTH)
		classify_bare(f, scope, tree_bare(&f->t, node), negated, depth, ts);
	if (ts->nr == nr)
		ts->more = true;
}

/* A guard for one test; the other branch of a test that says nothing about names is a fallback. */
static int guard_test(struct pyfile *f, const struct test *test, uint32_t condition, int parent,
		      struct span body, struct span other)
{
	bool plain = test->kind != GUARD_HASATTR && test->kind != GUARD_VERSION;
	int p = pending_new(f, plain && test->negated ? GUARD_FALLBACK : test->kind, parent);
	struct guard *g = &f->pending.v[p].guard;

	g->body = body;
	g->other = other;
	g->name = test->name;
	g->negated = test->negated;
	g->range = test->range;
	g->text = short_text(f, tree_span(&f->t, condition));
	if (test->kind != GUARD_IF)
		guard_final(f, p);
	return p;
}

int guard_getattr(struct pyfile *f, const char *name, uint32_t call, struct span other, int parent)
{
	const struct test test = {GUARD_HASATTR, name, false, NULL};

	return guard_test(f, &test, call, parent, tree_span(&f->t, call), other);
}

/* A guard for what of a condition tests nothing that is known. */
static int guard_plain(struct pyfile *f, uint32_t condition, bool negated, int parent,
		       struct span body, struct span other)
{
	const struct test test = {GUARD_IF, NULL, negated, NULL};

	return guard_test(f, &test, condition, parent, body, other);
}

int guard_branch(struct pyfile *f, const struct context *c, uint32_t condition, bool negated,
		 struct span body, struct span other, bool *checking)
{
	struct tests ts = {.nr = 0};
	int guard = c->guard, i;

	*checking = false;
	f->scan = SCAN_NODES;
	classify(f, c->scope, condition, negated, 0, &ts);
	for (i = 0; i < ts.nr; i++) {
		*checking |= ts.v[i].kind == GUARD_CHECKING && !ts.v[i].negated;
		guard = guard_test(f, &ts.v[i], condition, guard, body, other);
	}
	return ts.more ? guard_plain(f, condition, negated, guard, body, other) : guard;
}

/* The tests of a condition that say something about a name; *more: others are left. */
static int guard_names(struct pyfile *f, const struct context *c, uint32_t condition, bool negated,
		       struct span body, struct span other, bool *more)
{
	struct tests ts = {.nr = 0};
	int guard = c->guard, i;

	f->scan = SCAN_NODES;
	classify(f, c->scope, condition, negated, 0, &ts);
	*more = ts.more;
	for (i = 0; i < ts.nr; i++)
		if (ts.v[i].kind == GUARD_HASATTR || ts.v[i].kind == GUARD_VERSION)
			guard = guard_test(f, &ts.v[i], condition, guard, body, other);
		else
			*more = true;
	return guard;
}

int guard_operand(struct pyfile *f, const struct context *c, uint32_t condition, bool negated,
		  struct span body)
{
	const struct span none = {0};
	bool more;
	int guard = guard_names(f, c, condition, negated, body, none, &more);

	return more ? guard_plain(f, condition, negated, guard, body, none) : guard;
}

/* The branch that is left when `branch` goes on and the else behind it does not, else NO_NODE. */
static uint32_t leaving_else(struct pyfile *f, uint32_t scope, uint32_t branch)
{
	const struct tree *t = &f->t;
	uint32_t otherwise = tree_sibling(t, branch), body;

	if (otherwise == NO_NODE || t->v[otherwise].kind != K_ELSE)
		return NO_NODE;
	body = tree_field(t, otherwise, FIELD_BODY);
	return body != NO_NODE && block_leaves(f, scope, body) ? otherwise : NO_NODE;
}

void guard_rest(struct pyfile *f, struct context *c, uint32_t statement, struct span rest)
{
	const struct tree *t = &f->t;
	uint32_t part = statement, condition, branch, left;
	bool more, leaves = true;
	int before;

	/* Behind the first branch that goes on, one cannot tell why the rest was reached. */
	for (; part != NO_NODE && leaves && c->exits < EXITS_MAX;
	     part = part == statement ? tree_sibling(t, branch) : tree_sibling(t, part)) {
		condition = tree_field(t, part, FIELD_CONDITION);
		branch = condition == NO_NODE ? NO_NODE : tree_sibling(t, condition);
		if (branch == NO_NODE)
			return;
		leaves = block_leaves(f, c->scope, branch);
		left = leaves ? branch
			      : leaving_else(f, c->scope, part == statement ? branch : part);
		if (left == NO_NODE)
			return;
		before = c->guard;
		c->guard = guard_names(f, c, condition, leaves, rest, tree_span(t, left), &more);
		c->exits += c->guard != before;
	}
}
