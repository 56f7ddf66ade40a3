/*
 * tree.h - a Python syntax tree as one flat array.
 *
 * The parser's tree is walked once with a cursor and dropped; every later pass is a loop over this
 * array. Nodes stand in the order of the text, parents first: the first child of node i is i + 1
 * (when i + 1 is before v[i].next), the node behind its subtree is v[i].next. Only named nodes are
 * kept, comments are not. So a dotted chain a.b.c reads ATTRIBUTE ATTRIBUTE a b c.
 */
#ifndef PY_TREE_H
#define PY_TREE_H

#include "py/internal.h"

enum node_kind {
	K_OTHER,
	K_ERROR, /* what the parser could not read */
#define KIND(name, word) K_##name,
#include "py/kinds.def"
#undef KIND
	K_NR
};

enum node_field {
	FIELD_NONE,
	FIELD_ALIAS,
	FIELD_ALTERNATIVE,
	FIELD_ARGUMENTS,
	FIELD_ATTRIBUTE,
	FIELD_BODY,
	FIELD_CONDITION,
	FIELD_CONSEQUENCE,
	FIELD_DEFINITION,
	FIELD_FUNCTION,
	FIELD_KEY,
	FIELD_LEFT,
	FIELD_MODULE_NAME,
	FIELD_NAME,
	FIELD_OBJECT,
	FIELD_RETURN_TYPE,
	FIELD_RIGHT,
	FIELD_SUBSCRIPT,
	FIELD_SUPERCLASSES,
	FIELD_TYPE,
	FIELD_VALUE,
	FIELD_NR
};

/* The operator between the operands, where it matters. */
enum node_op { OP_OTHER, OP_PIPE, OP_PLUS, OP_MINUS, OP_SLASH, OP_AND, OP_OR, OP_NR };

#define NO_NODE 0xffffffffu
/* Longest dotted chain that is looked at; bounds the cost of hostile text. */
#define CHAIN_MAX 64

struct node {
	uint32_t start, end; /* bytes of the text */
	uint32_t parent;     /* NO_NODE for the root */
	uint32_t next;       /* first node behind the subtree */
	uint32_t name; /* K_IDENTIFIER: id in the name table; other kinds: scratch of a pass */
	uint8_t kind, field, op;
};

struct tree {
	struct node *v;
	uint32_t nr;
	const char *text;
	bool broken; /* has parts that the parser could not read */
};

/* Grammar symbols and fields as our own small numbers; made once a worker. */
struct py_symbols {
	uint8_t *kind; /* by symbol */
	uint8_t *op;   /* by symbol */
	uint16_t nr;
	uint8_t field[64];
};

void py_symbols_init(struct py_symbols *s, struct arena *a);
/* Flatten `from`; the array lives in `a`. */
void tree_flatten(struct tree *t, const struct py_symbols *s, TSTree *from, struct arena *a,
		  const char *text);

static inline uint32_t tree_child(const struct tree *t, uint32_t i)
{
	return i + 1 < t->v[i].next ? i + 1 : NO_NODE;
}

/* The next child of the same parent. */
static inline uint32_t tree_sibling(const struct tree *t, uint32_t i)
{
	uint32_t p = t->v[i].parent;

	return p != NO_NODE && t->v[i].next < t->v[p].next ? t->v[i].next : NO_NODE;
}

/* Kind of the parent, K_OTHER for the root. */
static inline enum node_kind tree_parent_kind(const struct tree *t, uint32_t i)
{
	return t->v[i].parent == NO_NODE ? K_OTHER : t->v[t->v[i].parent].kind;
}

static inline struct span tree_span(const struct tree *t, uint32_t i)
{
	return (struct span){t->v[i].start, t->v[i].end};
}

/* The first child with the field, NO_NODE where there is none. */
uint32_t tree_field(const struct tree *t, uint32_t i, enum node_field field);
/* The expression without parentheses around it. */
uint32_t tree_bare(const struct tree *t, uint32_t i);
/* The name of a decorator `@a.b` or `@a.b(...)`, NO_NODE when it is something else. */
uint32_t decorator_name(const struct tree *t, uint32_t decorator);
/* The identifier a dotted chain a.b.c starts with, NO_NODE when node i is no such chain. */
uint32_t tree_chain_root(const struct tree *t, uint32_t i);

#endif
