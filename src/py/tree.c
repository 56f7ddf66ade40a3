/* tree.c - see tree.h. */
#include "py/tree.h"

const TSLanguage *tree_sitter_python(void);

static const char *const kind_words[K_NR] = {
#define KIND(name, word) [K_##name] = word,
#include "py/kinds.def"
#undef KIND
};

static const char *const field_words[FIELD_NR] = {
	[FIELD_ALIAS] = "alias",
	[FIELD_ALTERNATIVE] = "alternative",
	[FIELD_ARGUMENTS] = "arguments",
	[FIELD_ATTRIBUTE] = "attribute",
	[FIELD_BODY] = "body",
	[FIELD_CONDITION] = "condition",
	[FIELD_CONSEQUENCE] = "consequence",
	[FIELD_DEFINITION] = "definition",
	[FIELD_FUNCTION] = "function",
	[FIELD_KEY] = "key",
	[FIELD_LEFT] = "left",
	[FIELD_MODULE_NAME] = "module_name",
	[FIELD_NAME] = "name",
	[FIELD_OBJECT] = "object",
	[FIELD_RETURN_TYPE] = "return_type",
	[FIELD_RIGHT] = "right",
	[FIELD_SUBSCRIPT] = "subscript",
	[FIELD_SUPERCLASSES] = "superclasses",
	[FIELD_TYPE] = "type",
	[FIELD_VALUE] = "value",
};

static const char *const op_words[OP_NR] = {
	[OP_PIPE] = "|",  [OP_PLUS] = "+",  [OP_MINUS] = "-",
	[OP_SLASH] = "/", [OP_AND] = "and", [OP_OR] = "or",
};

void py_symbols_init(struct py_symbols *s, struct arena *a)
{
	const TSLanguage *lang = tree_sitter_python();
	TSSymbol id;
	int k;

	s->nr = (uint16_t)ts_language_symbol_count(lang);
	s->kind = arena_alloc(a, s->nr);
	s->op = arena_alloc(a, s->nr);
	for (k = 0; k < K_NR; k++) {
		if (!kind_words[k])
			continue;
		id = ts_language_symbol_for_name(lang, kind_words[k],
						 (uint32_t)strlen(kind_words[k]), true);
		if (!id || id >= s->nr)
			BUG("the grammar has no node '%s'", kind_words[k]);
		s->kind[id] = (uint8_t)k;
	}
	for (k = 0; k < OP_NR; k++) {
		if (!op_words[k])
			continue;
		id = ts_language_symbol_for_name(lang, op_words[k], (uint32_t)strlen(op_words[k]),
						 false);
		if (!id || id >= s->nr)
			BUG("the grammar has no token '%s'", op_words[k]);
		s->op[id] = (uint8_t)k;
	}
	for (k = 0; k < FIELD_NR; k++) {
		if (!field_words[k])
			continue;
		id = ts_language_field_id_for_name(lang, field_words[k],
						   (uint32_t)strlen(field_words[k]));
		if (!id || id >= sizeof(s->field))
			BUG("the grammar has no field '%s'", field_words[k]);
		s->field[id] = (uint8_t)k;
	}
}

/* A string without interpolation is a leaf: its quotes and escapes are read from the text. */
static bool string_is_leaf(const char *text, uint32_t start, uint32_t end)
{
	for (; start < end && text[start] != '"' && text[start] != '\''; start++)
		if (text[start] == 'f' || text[start] == 'F')
			return false;
	return true;
}

static bool is_leaf(const struct tree *t, const struct node *n)
{
	switch (n->kind) {
	case K_IDENTIFIER:
	case K_INTEGER:
	case K_FLOAT:
	case K_TRUE:
	case K_FALSE:
	case K_NONE:
	case K_STRING_CONTENT:
	case K_WILDCARD:
	case K_IMPORT_PREFIX:
		return true;
	case K_STRING:
		return string_is_leaf(t->text, n->start, n->end);
	default:
		return false;
	}
}

/* Frequent parents whose children are told apart by their order; asking for a field costs. */
static bool has_fields(enum node_kind parent)
{
	switch (parent) {
	case K_MODULE:
	case K_BLOCK:
	case K_EXPRESSION:
	case K_ARGUMENTS:
	case K_PARAMETERS:
	case K_PARENTHESIZED:
	case K_LIST:
	case K_TUPLE:
	case K_SET:
	case K_DICT:
	case K_EXPRESSION_LIST:
	case K_DOTTED:
	case K_COMPARISON:
	case K_CONDITIONAL:
	case K_RETURN:
	case K_STRING:
	case K_TYPE:
		return false;
	default:
		return true;
	}
}

/* Add the cursor's node; false when it is not kept (then nothing below it is either). */
static bool tree_add(struct tree *t, const struct py_symbols *s, TSTreeCursor *c, uint32_t parent)
{
	TSNode from = ts_tree_cursor_current_node(c);
	TSSymbol sym = ts_node_symbol(from);
	struct node *n;

	if (sym != (TSSymbol)-1 && !ts_node_is_named(from)) {
		if (sym < s->nr && s->op[sym] && parent != NO_NODE && !t->v[parent].op)
			t->v[parent].op = s->op[sym];
		return false;
	}
	if (ts_node_is_extra(from) && sym != (TSSymbol)-1)
		return false;
	n = &t->v[t->nr++];
	n->kind = sym == (TSSymbol)-1 ? K_ERROR : sym < s->nr ? s->kind[sym] : K_OTHER;
	n->start = ts_node_start_byte(from);
	n->end = ts_node_end_byte(from);
	if (n->kind == K_IDENTIFIER && n->start == n->end)
		n->kind = K_OTHER;
	if (parent == NO_NODE || has_fields(t->v[parent].kind))
		n->field = s->field[ts_tree_cursor_current_field_id(c) % sizeof(s->field)];
	n->parent = parent;
	n->name = 0;
	return true;
}

void tree_flatten(struct tree *t, const struct py_symbols *s, TSTree *from, struct arena *a,
		  const char *text)
{
	TSNode root = ts_tree_root_node(from);
	TSTreeCursor c = ts_tree_cursor_new(root);
	uint32_t parent = NO_NODE, self;
	bool kept;

	memset(t, 0, sizeof(*t));
	t->text = text;
	t->broken = ts_node_has_error(root);
	t->v = arena_array(a, (size_t)ts_node_descendant_count(root) + 1, sizeof(*t->v));
	for (;;) {
		kept = tree_add(t, s, &c, parent);
		self = t->nr - 1;
		if (kept && !is_leaf(t, &t->v[self]) && ts_tree_cursor_goto_first_child(&c)) {
			parent = self;
			continue;
		}
		if (kept)
			t->v[self].next = t->nr;
		while (parent != NO_NODE && !ts_tree_cursor_goto_next_sibling(&c)) {
			t->v[parent].next = t->nr;
			parent = t->v[parent].parent;
			ts_tree_cursor_goto_parent(&c);
		}
		if (parent == NO_NODE)
			break;
	}
	ts_tree_cursor_delete(&c);
}

uint32_t tree_field(const struct tree *t, uint32_t i, enum node_field field)
{
	uint32_t c;

	for (c = tree_child(t, i); c != NO_NODE; c = tree_sibling(t, c))
		if (t->v[c].field == field)
			return c;
	return NO_NODE;
}

uint32_t tree_bare(const struct tree *t, uint32_t i)
{
	while (t->v[i].kind == K_PARENTHESIZED && i + 1 < t->v[i].next)
		i++;
	return i;
}

uint32_t tree_chain_root(const struct tree *t, uint32_t i)
{
	int n;

	for (n = 0; n < CHAIN_MAX && t->v[i].kind == K_ATTRIBUTE && i + 1 < t->v[i].next; n++)
		i++;
	return t->v[i].kind == K_IDENTIFIER ? i : NO_NODE;
}

uint32_t decorator_name(const struct tree *t, uint32_t decorator)
{
	uint32_t k = t->v[decorator].kind == K_DECORATOR ? tree_child(t, decorator) : NO_NODE;

	if (k != NO_NODE && t->v[k].kind == K_CALL)
		k = tree_field(t, k, FIELD_FUNCTION);
	return k != NO_NODE && tree_chain_root(t, k) != NO_NODE ? k : NO_NODE;
}
