/*
 * file.h - one Python file while its facts are made.
 *
 * Three steps share struct pyfile: collect.c finds scopes and what is bound in them, resolve.c
 * answers what a name stands for and types.c of which class it is, and python.c walks the text once
 * more and writes facts. Names are flow-insensitive: a name stands for a dotted target, or is of a
 * class, when everything bound to it in its scope leads there. All vectors live in the worker's
 * scratch arena; dotted names are interned.
 */
#ifndef PY_FILE_H
#define PY_FILE_H

#include "base/strbuf.h"
#include "py/tree.h"

/* Ids of the identifiers of names.def; other identifiers of the text follow. */
enum known_name {
	NAME_NONE,
#define NAME(word, text) NAME_##word,
#include "py/names.def"
#undef NAME
	NAME_NR
};

struct name {
	const char *s; /* in the text, not terminated */
	uint32_t len, hash;
	bool tracked;    /* some binding of it may lead to a target or a type */
	bool bound;      /* bound anywhere in the file */
	uint8_t require; /* its value holds dependency rows: the known name of the table */
};

enum scope_kind {
	SCOPE_MODULE,
	SCOPE_FUNCTION, /* functions and lambdas */
	SCOPE_CLASS,
	SCOPE_COMPREHENSION,
	SCOPE_ATTRIBUTES, /* names a class assigns through its instance; found only by number */
};

struct scope {
	enum scope_kind kind;
	uint32_t parent, node;
	int def;
	uint32_t attributes; /* SCOPE_CLASS */
	uint32_t self;       /* SCOPE_FUNCTION in a class: name of the instance, 0: none */
	uint8_t base_state;  /* SCOPE_CLASS: 0 not looked at, 1 being looked at, 2 done */
	const char *base;    /* first base class that is worth recording */
};

enum bind_kind {
	BIND_OPAQUE,   /* something unknown */
	BIND_NEUTRAL,  /* no value: del */
	BIND_GROW,     /* node: a call of append, extend or insert; binds nothing */
	BIND_IMPORT,   /* target */
	BIND_ALIAS,    /* node: a dotted expression */
	BIND_EXPR,     /* node: any other expression */
	BIND_NONE,     /* the constant None */
	BIND_CONST,    /* another constant */
	BIND_TYPED,    /* node: an annotation; also a parameter with one */
	BIND_DECLARED, /* node: an annotation without a value */
	BIND_SELF,     /* node: scope of the class */
	BIND_CONTEXT,  /* node: scope of the class */
	BIND_MADE,     /* node: a function with decorators */
};

struct bind {
	uint32_t next;  /* of the same entry, 0: none */
	uint32_t scope; /* where its node is evaluated */
	uint32_t node;
	enum bind_kind kind;
	bool relative;      /* BIND_IMPORT: from a relative import */
	bool fallback;      /* constants: in a handler or else branch */
	const char *target; /* BIND_IMPORT */
};

enum entry_outer { OUTER_NONE, OUTER_GLOBAL, OUTER_NONLOCAL };

/* A name in a scope. */
struct entry {
	uint32_t scope, name;
	uint32_t first, last; /* bindings */
	uint8_t outer;        /* enum entry_outer: declared global or nonlocal */
	uint32_t tensor;      /* a method that only a tensor has and that is called on it, 0: none */
	uint8_t state;        /* 0 not resolved, 1 being resolved, 2 done */
	bool keep;            /* the target is of a framework or of the repository */
	bool alias;           /* reached through an assignment */
	const char *target;   /* dotted name, NULL: unknown */
	const char *type;     /* class of the value, NULL: unknown */
};

/* A guard that becomes one of the source when the first fact stands in it. */
struct pending {
	struct guard guard; /* parent: a pending guard */
	int final;          /* index into the source's guards, -1: not yet */
};

/* What a return statement of a definition gives. */
struct pending_return {
	int def;
	struct returned returned;
};

/* What holds for the nodes up to `end`. */
struct context {
	uint32_t end;
	uint32_t scope;
	uint32_t flags; /* enum fact_flag and the CTX_ bits */
	int def;
	int guard;      /* pending */
	unsigned exits; /* early exits whose guards hold here */
};

/* How far the walk is through the alternatives of one if statement. */
struct alternative {
	uint32_t condition; /* of the branch before */
	int guard, nr;      /* pending guard around the next branch */
	bool checking;
};

/* Bits of context flags above the fact flags. */
#define CTX_STORE      (1u << 27)
#define CTX_DELETE     (1u << 28)
#define CTX_IN_TRY     (1u << 29)
#define CTX_TRY_IMPORT (1u << 30)
#define CTX_SKIPPED    (1u << 31) /* the functions of the class do not run */
#define CTX_FACT_MASK  ((1u << 27) - 1)

struct pyfile {
	struct py_worker *w;
	struct source *s;
	struct tree t;
	const char *text;    /* as the parser reads it */
	const char *written; /* as it is */
	size_t len;
	struct notices *notices;

	VEC(struct name) names;
	uint32_t *name_slots;
	uint32_t name_size;
	VEC(struct scope) scopes;
	VEC(struct bind) binds; /* 0 is not used */
	VEC(struct entry) entries;
	uint32_t *entry_slots;
	uint32_t entry_size;
	VEC(struct def) defs;
	VEC(struct pending) pending;
	VEC(struct guard) guards;
	VEC(struct pending_return) returns;
	VEC(struct context) contexts;
	VEC(struct alternative) alternatives;

	const char *star; /* the one star import's module, NULL: none or several */
	bool star_keep;   /* it is of the repository */
	bool several_stars;
	bool postponed; /* from __future__ import annotations */
	bool too_deep;
	unsigned depth;        /* of resolution */
	unsigned nesting;      /* of expressions whose type is asked for */
	struct entry *current; /* the innermost entry that is being resolved */
	unsigned scan;         /* nodes that may still be looked at for a condition */
};

/* What a dotted expression stands for. */
struct resolved {
	const char *name; /* NULL: unknown */
	bool keep, alias;
	bool star; /* by the file's star import; linking decides */
};

/* names and scopes: collect.c */
void file_collect(struct pyfile *f);
uint32_t name_id(struct pyfile *f, const char *s, uint32_t len);
/* Id of a name that is already in the table, 0 when it is not. */
uint32_t name_find(const struct pyfile *f, const char *s, uint32_t len);
uint32_t node_name(struct pyfile *f, uint32_t node);
/* The name of an identifier node; valid until the next node_name(). */
struct name *name_of(struct pyfile *f, uint32_t node);
/* The entry of `name` in exactly this scope, NULL when it is not bound there. */
struct entry *entry_find(const struct pyfile *f, uint32_t scope, uint32_t name);
/* The known name of a dependency table that the string node spells, 0 when it spells none. */
uint32_t require_table(const struct pyfile *f, uint32_t string);
/* Absolute name of what node (dotted_name or relative_import) names; NULL when it leaves the tree.
 */
const char *import_module_name(struct pyfile *f, uint32_t node, bool *relative);

/* what a name stands for: resolve.c */
struct entry *entry_lookup(struct pyfile *f, uint32_t scope, uint32_t name);
/* Resolve a dotted expression; the name is interned. */
struct resolved resolve(struct pyfile *f, uint32_t scope, uint32_t node);
/* x if c else y, where both lead to the same. */
struct resolved resolve_choice(struct pyfile *f, uint32_t scope, uint32_t choice);
/* As above for an identifier and what follows it as text ("" or ".a.b"). */
struct resolved resolve_name(struct pyfile *f, uint32_t scope, uint32_t name, const char *rest,
			     size_t len);
/* The module that a call imports (import_module("a.b")), NULL when it is no such call. */
const char *dynamic_import(struct pyfile *f, uint32_t scope, uint32_t call, uint32_t *literal);
/* True when names that begin like `name` are recorded. */
bool name_is_kept(const struct pyfile *f, const char *name);
/* True when the name begins with a package of the repository. */
bool name_is_own(const struct pyfile *f, const char *name);
/* True when the identifier is not bound in the file (a builtin, or unknown). */
bool is_unbound(struct pyfile *f, uint32_t scope, uint32_t node);
bool is_builtin_name(const char *s, size_t len);

/* Answer what an entry stands for, or of which class it is. */
void entry_resolve(struct pyfile *f, struct entry *e);

/* classes of values: types.c */
/* Class of the value of an expression, NULL: unknown. */
const char *resolve_type(struct pyfile *f, uint32_t scope, uint32_t node);
/* The call is one of a method that only a tensor has, and that the file itself does not define. */
bool is_tensor_call(struct pyfile *f, uint32_t call);
/* Class that an annotation names; quoted ones, Optional and unions with None are looked through. */
const char *resolve_annotation(struct pyfile *f, uint32_t scope, uint32_t node);
/* Where the one name stands that an annotation comes down to in the same way; false: it does not. */
bool annotation_name(struct pyfile *f, uint32_t node, struct span *name);
/* First kept base class of a class scope. */
const char *class_base(struct pyfile *f, uint32_t scope);
/* Set the entry's type from its bindings. */
void entry_type(struct pyfile *f, struct entry *e);
/* Scope of the class whose instance the identifier is, 0: it is none, or something else, too. */
uint32_t self_class(struct pyfile *f, uint32_t scope, uint32_t node);
/* The class itself has this attribute, so it is not its base's. */
bool class_has(const struct pyfile *f, uint32_t class_scope, uint32_t name);

/* The last name of a dotted attribute, NO_NODE: something else stands there. */
uint32_t attribute_last(const struct tree *t, uint32_t node);
/* The text of a node, interned. */
const char *word_of(struct pyfile *f, uint32_t node);
/* The expression is a number, as far as the file says: number.c */
bool number_is(struct pyfile *f, uint32_t scope, uint32_t node);

/* values: value.c */
/* Fill value, text and valspan of an argument from an expression. */
void value_of(struct pyfile *f, uint32_t scope, uint32_t node, struct arg *arg);
/* Arguments of a call (or bases of a class) in the worker's arena. */
struct arg *value_args(struct pyfile *f, uint32_t scope, uint32_t list, size_t *nr);
/* Contents of a plain string literal in the worker's arena, NULL when it is not plain. */
const char *string_text(struct pyfile *f, uint32_t node);
/* Bytes between the quotes of a string node, as written. */
struct span string_inner(const struct pyfile *f, uint32_t node);

/* versions: versions.c */
/* The name whose version a comparison tests, NULL: none. Looks at f->scan nodes at most. */
const char *version_tested(struct pyfile *f, uint32_t scope, uint32_t comparison);
/* The versions for which it is true, as a range ("<1.12"); NULL where no single literal says so. */
const char *version_range(struct pyfile *f, uint32_t scope, uint32_t comparison);

/* guards: guard.c */
int guard_try(struct pyfile *f, uint32_t try_node, int parent, unsigned *catches);
int guard_handler(struct pyfile *f, uint32_t except, int parent);
/* A name among the exceptions of a handler is looked up only when the body raises. */
int guard_clause(struct pyfile *f, uint32_t node, int parent);
/*
 * As guard_try for the body of a with statement that suppresses exceptions. *switches is set when one
 * of its items turns the switch on or off.
 */
int guard_with(struct pyfile *f, uint32_t scope, uint32_t body, int parent, unsigned *catches,
	       bool *switches);
/* True for return, raise, continue and break, and for calls that do not return. */
bool guard_leaves(struct pyfile *f, uint32_t scope, uint32_t statement);
/*
 * The statements `rest` behind an if run only when its branches that leave were not taken: sets the
 * context's guard to what that says about attributes and versions.
 */
void guard_rest(struct pyfile *f, struct context *c, uint32_t statement, struct span rest);
/*
 * Guards of the branch `body` of a condition that runs when it is true (negated: false); returns
 * the innermost one. *checking is set when the branch is for type checkers only.
 */
int guard_branch(struct pyfile *f, const struct context *c, uint32_t condition, bool negated,
		 struct span body, struct span other, bool *checking);
/* Guards of an operand `body` behind the operand `condition` of a boolean operator. */
int guard_operand(struct pyfile *f, const struct context *c, uint32_t condition, bool negated,
		  struct span body);
/* A guard of getattr(X, "a", other): X.a is taken where it is there; name: X.a. */
int guard_getattr(struct pyfile *f, const char *name, uint32_t call, struct span other, int parent);
/* Index of a pending guard among the source's, making it (and those around it) one. */
int guard_final(struct pyfile *f, int pending);

/* A fact at node with what the context says. */
struct fact *fact_at(struct pyfile *f, const struct context *c, enum fact_kind kind,
		     const char *name, struct span span);

/* The span without white space around it. */
static inline struct span span_trim(const char *text, struct span in)
{
	while (in.start < in.end && memchr(" \t\r\n", text[in.start], 4))
		in.start++;
	while (in.end > in.start && memchr(" \t\r\n", text[in.end - 1], 4))
		in.end--;
	return in;
}

static inline bool span_is(const struct pyfile *f, struct span s, const char *word)
{
	size_t n = strlen(word);

	return s.end - s.start == n && !memcmp(f->text + s.start, word, n);
}

#endif
