/*
 * types.c - of which class is the value of an expression? Asked where a member is used.
 *
 * The answer comes from annotations, from calls and attributes that the vocabulary knows, from what
 * is assigned to a variable or to an attribute of the own class, and from what functions of the
 * file say that they return. Everything that is bound to a variable must lead to the same class;
 * whatever is not known makes it unknown.
 */
#include "py/file.h"

/* Expressions inside one another that are looked through, for one question. */
#define NESTING_MAX 32

/* ---- the vocabulary ---- */

/* True when `name` reads "owner.last". */
static bool name_is_joined(const char *name, const char *owner, const char *last)
{
	size_t n = strlen(owner);

	return !strncmp(name, owner, n) && name[n] == '.' && !strcmp(name + n + 1, last);
}

static const char *type_by_name(const struct vocab_type *types, const char *name)
{
	for (; types && types->type; types++)
		if (list_has(types->names, name))
			return types->type;
	return NULL;
}

static const char *type_by_member(const struct vocab_type *types, const char *owner,
				  const char *last)
{
	const char *const *name;

	for (; types && types->type; types++)
		for (name = types->names; *name; name++)
			if (name_is_joined(*name, owner, last))
				return types->type;
	return NULL;
}

/* Class of what a call of the name answers. */
static const char *type_of_called(const struct pyfile *f, const struct resolved *r)
{
	const char *type = type_by_name(f->w->vocab->types, r->name), *last;

	if (type || !r->keep || r->star)
		return type;
	last = strrchr(r->name, '.');
	return last && last[1] >= 'A' && last[1] <= 'Z' ? r->name : NULL;
}

/* Class of the values that an annotation promises. */
static const char *type_promised(struct pyfile *f, uint32_t scope, uint32_t node)
{
	const char *name = resolve_annotation(f, scope, node);
	const char *type = name ? type_by_name(f->w->vocab->types, name) : NULL;

	return type ? type : name;
}

static bool is_tensor(const struct pyfile *f, const char *type)
{
	return type && str_eq(type, f->w->vocab->tensor);
}

/* ---- variables and attributes of the own class ---- */

static const char *entry_class(struct pyfile *f, struct entry *e)
{
	/* x = x.f(): what the bindings before say. Deeper circles are unknown. */
	if (e->state == 1)
		return e == f->current ? e->type : NULL;
	entry_resolve(f, e);
	return e->type;
}

static const char *type_of_variable(struct pyfile *f, uint32_t scope, uint32_t node)
{
	struct entry *e;

	if (!name_of(f, node)->tracked)
		return NULL;
	e = entry_lookup(f, scope, node_name(f, node));
	return e ? entry_class(f, e) : NULL;
}

uint32_t self_class(struct pyfile *f, uint32_t scope, uint32_t node)
{
	const struct entry *e;
	const struct bind *b;

	if (f->t.v[node].kind != K_IDENTIFIER || !name_of(f, node)->tracked)
		return 0;
	e = entry_lookup(f, scope, node_name(f, node));
	b = e && e->first ? &f->binds.v[e->first] : NULL;
	return b && !b->next && b->kind == BIND_SELF ? b->node : 0;
}

bool class_has(const struct pyfile *f, uint32_t class_scope, uint32_t name)
{
	return entry_find(f, class_scope, name) ||
	       entry_find(f, f->scopes.v[class_scope].attributes, name);
}

/* self.x: what the class body and its methods say about x. */
static const char *type_of_own(struct pyfile *f, uint32_t class_scope, uint32_t name)
{
	struct entry *body = entry_find(f, class_scope, name);
	struct entry *attr = entry_find(f, f->scopes.v[class_scope].attributes, name);
	const char *type = body ? entry_class(f, body) : NULL, *other;

	if (!attr)
		return type;
	other = entry_class(f, attr);
	return !body || (type && str_eq(type, other)) ? other : NULL;
}

/* The function that an entry is, when it is nothing else and no decorator changes it. */
static const struct bind *entry_function(const struct pyfile *f, const struct entry *e)
{
	const struct bind *b = e && e->first ? &f->binds.v[e->first] : NULL;

	if (!b || b->next || b->kind != BIND_OPAQUE || f->t.v[b->node].kind != K_FUNCTION ||
	    tree_parent_kind(&f->t, b->node) == K_DECORATED)
		return NULL;
	return str_starts(f->text + f->t.v[b->node].start, "async") ? NULL : b;
}

static const char *type_returned(struct pyfile *f, const struct entry *e)
{
	const struct bind *b = entry_function(f, e);
	uint32_t type = b ? tree_field(&f->t, b->node, FIELD_RETURN_TYPE) : NO_NODE;

	return type == NO_NODE ? NULL : type_promised(f, b->scope, type);
}

/* ---- expressions ---- */

/* The last part of an attribute node, NO_NODE when it is broken. */
uint32_t attribute_last(const struct tree *t, uint32_t node)
{
	uint32_t last = t->v[node].next - 1;

	return last > node + 1 && t->v[last].kind == K_IDENTIFIER && t->v[last].parent == node
		       ? last
		       : NO_NODE;
}

const char *word_of(struct pyfile *f, uint32_t node)
{
	const struct span s = tree_span(&f->t, node);

	return intern(f->w->intern, f->text + s.start, s.end - s.start);
}

/*
 * x.max(dim=1): a method that other classes have too, with a keyword that only a tensor's takes. What
 * the own instance has under such a name is not known.
 */
static bool has_tensor_keyword(struct pyfile *f, uint32_t call, const char *method)
{
	const struct tree *t = &f->t;
	uint32_t args = tree_field(t, call, FIELD_ARGUMENTS), k, name;
	uint32_t object = tree_child(t, tree_child(t, call));

	if (args == NO_NODE || !list_has(f->w->vocab->tensor_methods, method) ||
	    (t->v[object].kind == K_IDENTIFIER && str_starts(t->text + t->v[object].start, "self.")))
		return false;
	for (k = tree_child(t, args); k != NO_NODE; k = tree_sibling(t, k)) {
		name = t->v[k].kind == K_KEYWORD_ARGUMENT ? tree_field(t, k, FIELD_NAME) : NO_NODE;
		if (name != NO_NODE && list_has(f->w->vocab->tensor_keywords, word_of(f, name)))
			return true;
	}
	return false;
}

bool is_tensor_call(struct pyfile *f, uint32_t call)
{
	const struct tree *t = &f->t;
	uint32_t fn = f->s->mentions ? tree_child(t, call) : NO_NODE, last, root, len;
	const char *s;

	if (fn == NO_NODE || t->v[fn].kind != K_ATTRIBUTE)
		return false;
	last = attribute_last(t, fn);
	if (last == NO_NODE)
		return false;
	s = t->text + t->v[last].start;
	len = t->v[last].end - t->v[last].start;
	if (!may_be_word(f->w->tensor_lengths, s, len) || name_of(f, last)->bound)
		return false;
	/* A name that a star import brings may be a module with such a function. */
	root = tree_chain_root(t, fn);
	if (root != NO_NODE && !name_of(f, root)->bound)
		return false;
	s = word_of(f, last);
	return list_has(f->w->vocab->tensor_members, s) || has_tensor_keyword(f, call, s);
}

static const char *type_of_member(struct pyfile *f, uint32_t scope, uint32_t node,
				  const struct vocab_type *types)
{
	uint32_t last = attribute_last(&f->t, node);
	const char *owner = last == NO_NODE ? NULL : resolve_type(f, scope, node + 1);
	char name[64];
	uint32_t n;

	if (!owner && last != NO_NODE && tree_parent_kind(&f->t, node) == K_CALL &&
	    f->t.v[node].field == FIELD_FUNCTION && is_tensor_call(f, f->t.v[node].parent))
		owner = f->w->vocab->tensor;
	if (!owner)
		return NULL;
	n = f->t.v[last].end - f->t.v[last].start;
	if (n >= sizeof(name))
		return NULL;
	memcpy(name, f->text + f->t.v[last].start, n);
	name[n] = 0;
	return type_by_member(types, owner, name);
}

/* x.m, where only a tensor has an m, of a plain x that the file does not bind as a module. */
static bool is_tensor_attribute(struct pyfile *f, uint32_t scope, uint32_t node, uint32_t last)
{
	struct resolved r;

	if (!f->s->mentions || f->t.v[node + 1].kind != K_IDENTIFIER ||
	    !list_has(f->w->vocab->tensor_attributes, word_of(f, last)))
		return false;
	r = resolve(f, scope, node + 1);
	return !r.name && !resolve_type(f, scope, node + 1);
}

static const char *type_of_attribute(struct pyfile *f, uint32_t scope, uint32_t node)
{
	uint32_t last = attribute_last(&f->t, node);
	uint32_t class_scope = last == NO_NODE ? 0 : self_class(f, scope, node + 1);
	const char *type;

	if (class_scope && class_has(f, class_scope, node_name(f, last)))
		return type_of_own(f, class_scope, node_name(f, last));
	type = type_of_member(f, scope, node, f->w->vocab->attribute_types);
	if (!type && !class_scope && last != NO_NODE && is_tensor_attribute(f, scope, node, last))
		type = f->w->vocab->tensor;
	return type;
}

static const char *type_of_call(struct pyfile *f, uint32_t scope, uint32_t node)
{
	uint32_t fn = tree_field(&f->t, node, FIELD_FUNCTION), class_scope, last;
	struct resolved r;

	if (fn == NO_NODE)
		return NULL;
	r = resolve(f, scope, fn);
	if (r.name)
		return type_of_called(f, &r);
	if (f->t.v[fn].kind == K_IDENTIFIER)
		return type_returned(f, entry_lookup(f, scope, node_name(f, fn)));
	if (f->t.v[fn].kind != K_ATTRIBUTE)
		return NULL;
	last = attribute_last(&f->t, fn);
	class_scope = last == NO_NODE ? 0 : self_class(f, scope, fn + 1);
	if (class_scope && class_has(f, class_scope, node_name(f, last)))
		return entry_find(f, f->scopes.v[class_scope].attributes, node_name(f, last))
			       ? NULL
			       : type_returned(f, entry_find(f, class_scope, node_name(f, last)));
	return type_of_member(f, scope, fn, f->w->vocab->types);
}

static bool is_number(const struct tree *t, uint32_t node)
{
	return t->v[node].kind == K_INTEGER || t->v[node].kind == K_FLOAT;
}

/* Arithmetic on a tensor answers a tensor; what stands left decides, unless it is a number. */
static const char *type_of_operation(struct pyfile *f, uint32_t scope, uint32_t node)
{
	uint32_t left = tree_child(&f->t, node), right;
	const char *type;

	if (left == NO_NODE)
		return NULL;
	right = tree_sibling(&f->t, left);
	if (right != NO_NODE && is_number(&f->t, left))
		left = right;
	type = resolve_type(f, scope, left);
	return is_tensor(f, type) ? type : NULL;
}

/* a if condition else b */
static const char *type_of_choice(struct pyfile *f, uint32_t scope, uint32_t node)
{
	const struct tree *t = &f->t;
	uint32_t a = tree_child(t, node), b = a == NO_NODE ? a : tree_sibling(t, a);
	const char *type;

	b = b == NO_NODE ? b : tree_sibling(t, b);
	if (b == NO_NODE)
		return NULL;
	if (t->v[tree_bare(t, a)].kind == K_NONE)
		return resolve_type(f, scope, b);
	type = resolve_type(f, scope, a);
	if (!type || t->v[tree_bare(t, b)].kind == K_NONE)
		return type;
	return str_eq(type, resolve_type(f, scope, b)) ? type : NULL;
}

static const char *type_of(struct pyfile *f, uint32_t scope, uint32_t node)
{
	uint32_t child = tree_child(&f->t, node);
	const char *type;

	switch (f->t.v[node].kind) {
	case K_IDENTIFIER:
		return type_of_variable(f, scope, node);
	case K_ATTRIBUTE:
		return type_of_attribute(f, scope, node);
	case K_CALL:
		return type_of_call(f, scope, node);
	case K_BINARY:
	case K_UNARY:
	case K_AUGMENTED:
		return type_of_operation(f, scope, node);
	case K_SUBSCRIPT:
		type = child == NO_NODE ? NULL : resolve_type(f, scope, child);
		return is_tensor(f, type) ? type : NULL;
	case K_CONDITIONAL:
		return type_of_choice(f, scope, node);
	default:
		return NULL;
	}
}

const char *resolve_type(struct pyfile *f, uint32_t scope, uint32_t node)
{
	const char *type;

	if (f->nesting >= NESTING_MAX)
		return NULL;
	f->nesting++;
	type = type_of(f, scope, tree_bare(&f->t, node));
	f->nesting--;
	return type;
}

/* ---- annotations ---- */

static const char *type_of_name(struct pyfile *f, uint32_t scope, uint32_t node)
{
	struct resolved r = resolve(f, scope, node);

	return r.keep && !r.star ? r.name : NULL;
}

/* X of "X | None" and "Optional[X]"; `in` itself when it is neither. */
static struct span text_step(const struct pyfile *f, struct span in)
{
	const char *s = f->text, *open = memchr(s + in.start, '[', in.end - in.start);
	const char *pipe = memchr(s + in.start, '|', in.end - in.start);
	struct span left = in, right = in;

	if (open && s[in.end - 1] == ']' && (!pipe || open < pipe)) {
		left.end = (uint32_t)(open - s);
		right.start = left.end + 1;
		right.end = in.end - 1;
		if (left.end - left.start > 9 && s[left.end - 9] == '.')
			left.start = left.end - 8;
		return span_is(f, left, "Optional") ? span_trim(s, right) : in;
	}
	if (!pipe)
		return in;
	left.end = (uint32_t)(pipe - s);
	right.start = left.end + 1;
	left = span_trim(s, left);
	right = span_trim(s, right);
	if (span_is(f, left, "None"))
		return right;
	return span_is(f, right, "None") ? left : in;
}

static const char *type_of_text(struct pyfile *f, uint32_t scope, uint32_t string)
{
	struct span in = text_step(f, span_trim(f->text, string_inner(f, string)));
	const char *s = f->text + in.start;
	uint32_t len = in.end - in.start, n = 0, i, name;
	struct resolved r;

	for (i = 0; i < len; i++)
		if (strchr(" []|,()\n\\\"'", s[i]))
			return NULL;
	while (n < len && s[n] != '.')
		n++;
	name = name_find(f, s, n);
	if (!name)
		return NULL;
	r = resolve_name(f, scope, name, s + n, len - n);
	return r.keep && !r.star ? r.name : NULL;
}

/* X of `X | None`, Optional[X]: the child of `node` that is not None and not `skip`, if there is
 * one. */
static uint32_t only_operand(const struct tree *t, uint32_t node, uint32_t skip)
{
	uint32_t k, found = NO_NODE;

	for (k = tree_child(t, node); k != NO_NODE; k = tree_sibling(t, k)) {
		uint32_t bare = t->v[k].kind == K_TYPE && k + 1 < t->v[k].next ? k + 1 : k;

		if (k == skip || t->v[bare].kind == K_NONE)
			continue;
		if (found != NO_NODE)
			return NO_NODE;
		found = k;
	}
	return found;
}

static uint32_t annotation_step(struct pyfile *f, uint32_t node)
{
	const struct tree *t = &f->t;
	uint32_t first = tree_child(t, node), last;

	switch (t->v[node].kind) {
	case K_TYPE:
	case K_PARENTHESIZED:
		return first;
	case K_UNION_TYPE:
		return only_operand(t, node, NO_NODE);
	case K_BINARY:
		return t->v[node].op == OP_PIPE ? only_operand(t, node, NO_NODE) : NO_NODE;
	case K_GENERIC_TYPE:
	case K_SUBSCRIPT:
		if (first == NO_NODE)
			return NO_NODE;
		last = t->v[first].next - 1;
		if (t->v[last].kind != K_IDENTIFIER || node_name(f, last) != NAME_OPTIONAL)
			return NO_NODE;
		return only_operand(t, node, first);
	case K_TYPE_PARAMETER:
		return only_operand(t, node, NO_NODE);
	default:
		return NO_NODE;
	}
}

bool annotation_name(struct pyfile *f, uint32_t node, struct span *name)
{
	int steps;

	for (steps = 0; steps < 16 && node != NO_NODE; steps++) {
		if (f->t.v[node].kind == K_IDENTIFIER) {
			*name = tree_span(&f->t, node);
			return true;
		}
		if (f->t.v[node].kind == K_STRING) {
			*name = text_step(f, span_trim(f->text, string_inner(f, node)));
			return true;
		}
		node = annotation_step(f, node);
	}
	return false;
}

const char *resolve_annotation(struct pyfile *f, uint32_t scope, uint32_t node)
{
	int steps;

	for (steps = 0; steps < 16 && node != NO_NODE; steps++) {
		if (f->t.v[node].kind == K_STRING)
			return type_of_text(f, scope, node);
		if (tree_chain_root(&f->t, node) != NO_NODE)
			return type_of_name(f, scope, node);
		node = annotation_step(f, node);
	}
	return NULL;
}

/* A class that decides itself what its instances are or have: nothing is known of them. */
static bool class_is_open(struct pyfile *f, uint32_t scope)
{
	static const uint8_t words[] = {NAME_NEW, NAME_DUNDER_GETATTR, NAME_DUNDER_GETATTRIBUTE};
	const struct tree *t = &f->t;
	uint32_t k = tree_field(t, f->scopes.v[scope].node, FIELD_SUPERCLASSES), name;
	size_t i;

	for (i = 0; i < sizeof(words); i++)
		if (entry_find(f, scope, words[i]))
			return true;
	for (k = k == NO_NODE ? k : tree_child(t, k); k != NO_NODE; k = tree_sibling(t, k)) {
		name = t->v[k].kind == K_KEYWORD_ARGUMENT ? tree_field(t, k, FIELD_NAME) : NO_NODE;
		if (name != NO_NODE && node_name(f, name) == NAME_METACLASS)
			return true;
	}
	return false;
}

const char *class_base(struct pyfile *f, uint32_t scope)
{
	struct scope *s = &f->scopes.v[scope];
	uint32_t list, k;
	const char *base = NULL;

	if (s->kind != SCOPE_CLASS || s->base_state)
		return s->kind == SCOPE_CLASS && s->base_state == 2 ? s->base : NULL;
	s->base_state = 1;
	list = tree_field(&f->t, s->node, FIELD_SUPERCLASSES);
	k = list == NO_NODE || class_is_open(f, scope) ? NO_NODE : tree_child(&f->t, list);
	for (; k != NO_NODE && !base; k = tree_sibling(&f->t, k))
		if (tree_chain_root(&f->t, k) != NO_NODE)
			base = type_of_name(f, f->scopes.v[scope].parent, k);
	f->scopes.v[scope].base = base;
	f->scopes.v[scope].base_state = 2;
	return base;
}

/* ---- entries ---- */

/* Forward is given no context where the class has a method that fills it afterwards. */
static bool is_context(struct pyfile *f, const struct bind *b)
{
	uint32_t name = tree_field(&f->t, f->scopes.v[b->scope].node, FIELD_NAME);

	return name == NO_NODE || node_name(f, name) != NAME_FORWARD ||
	       !entry_find(f, b->node, NAME_SETUP_CONTEXT);
}

static const char *bind_type(struct pyfile *f, const struct bind *b)
{
	const char *base, *name;
	struct strbuf sb = STRBUF_INIT;

	switch (b->kind) {
	case BIND_TYPED:
	case BIND_DECLARED:
		return type_promised(f, b->scope, b->node);
	case BIND_EXPR:
	case BIND_ALIAS:
		return resolve_type(f, b->scope, b->node);
	case BIND_OPAQUE:
		return f->t.v[b->node].kind == K_AUGMENTED ? resolve_type(f, b->scope, b->node)
							   : NULL;
	case BIND_SELF:
		return class_base(f, b->node);
	case BIND_CONTEXT:
		base = is_context(f, b) ? class_base(f, b->node) : NULL;
		if (!base)
			return NULL;
		strbuf_addf(&sb, "%s#ctx", base);
		name = intern(f->w->intern, sb.buf, sb.len);
		strbuf_release(&sb);
		return name;
	default:
		return NULL;
	}
}

/* x.M(...).N(...): M is a method that only a tensor has, x the name. */
static bool is_tensor_chain(struct pyfile *f, uint32_t node, uint32_t name)
{
	const struct tree *t = &f->t;
	int n;

	for (n = 0; n < CHAIN_MAX && t->v[node].kind == K_CALL; n++) {
		uint32_t object = node + 2;

		if (object >= t->v[node].next || t->v[node + 1].kind != K_ATTRIBUTE)
			return false;
		if (t->v[object].kind == K_IDENTIFIER)
			return node_name(f, object) == name && is_tensor_call(f, node);
		node = object;
	}
	return false;
}

static bool is_plain_parameter(const struct tree *t, const struct bind *b)
{
	return b->kind == BIND_OPAQUE &&
	       (t->v[b->node].kind == K_IDENTIFIER || t->v[b->node].kind == K_DEFAULT_PARAMETER) &&
	       tree_parent_kind(t, b->node) == K_PARAMETERS;
}

/* What a call of something that is known, and of no framework, answers is not guessed at. */
static bool is_foreign_call(struct pyfile *f, const struct bind *b)
{
	uint32_t fn = f->t.v[b->node].kind == K_CALL ? tree_child(&f->t, b->node) : NO_NODE;
	struct resolved r = {0};

	if (fn != NO_NODE)
		r = resolve(f, b->scope, fn);
	return r.name && !r.keep;
}

/*
 * A variable with one value that is treated as a tensor is one. So is a parameter that is next assigned
 * what such a method of it gives (x = x.contiguous()).
 */
static bool is_treated_as_tensor(struct pyfile *f, const struct entry *e, const struct bind *b)
{
	const struct bind *next = b->next ? &f->binds.v[b->next] : NULL;

	if (b != &f->binds.v[e->first] || !e->tensor || f->names.v[e->tensor].bound)
		return false;
	if (!next)
		return b->kind == BIND_EXPR ? !is_foreign_call(f, b) : is_plain_parameter(&f->t, b);
	return is_plain_parameter(&f->t, b) && next->kind == BIND_EXPR &&
	       is_tensor_chain(f, next->node, e->name);
}

/* A member of a variable that may be None is one of what it is else. */
static bool says_nothing(const struct bind *b)
{
	return b->kind == BIND_NEUTRAL || b->kind == BIND_GROW || b->kind == BIND_NONE;
}

void entry_type(struct pyfile *f, struct entry *e)
{
	const char *type;
	uint32_t i;

	for (i = e->first; i; i = f->binds.v[i].next) {
		if (says_nothing(&f->binds.v[i]))
			continue;
		type = bind_type(f, &f->binds.v[i]);
		if (!type && is_treated_as_tensor(f, e, &f->binds.v[i]))
			type = f->w->vocab->tensor;
		if (!type || (e->type && !str_eq(type, e->type))) {
			e->type = NULL;
			return;
		}
		e->type = type;
	}
}
