/*
 * verb.h - how a finding becomes edits.
 *
 * A verb is one small file and one line in ops.def. It reads the rule's value and the shape of the
 * text around the fact, checks that the change is legal, and adds edits; it never changes bytes it
 * was not asked for. What it cannot do safely it refuses with a reason in words, and the finding
 * stays manual.
 */
#ifndef RULE_VERB_H
#define RULE_VERB_H

#include "rule/internal.h"

/* One application of a verb. */
struct verb_call {
	const struct rules *rules;
	const struct rule_step *step;
	const struct source *source;
	const struct fact *fact;
	const struct shape *shape;
	struct arena *arena;
	VEC(struct edit) edits;
	const char *const *parts; /* of header shims, for plan/; NULL: none */
	const char *instead;	  /* a header of theirs that makes edits needless; NULL: none */
	bool encloses;		  /* the edits put what is between them out of the build */
	const char *reason; /* set with -1 */
};

enum verb_value {
	VERB_TEXT,  /* one text, with $captures */
	VERB_LINES, /* a block of lines as it stands */
	VERB_NAMES, /* a list of names */
	VERB_EXPR,  /* an expression with captures of its own: see verb_rewrite.c */
	VERB_PAIRS, /* one text with $captures, or a map from old to new names */
};

struct verb {
	const char *word;
	enum verb_value value;
	const char *does; /* in words, for explain; the value follows */
	int (*apply)(struct verb_call *c);
};

/* Ended by a zero element. */
extern const struct verb verbs[];
const struct verb *verb_find(const char *word);

#define VERB(word, value, function, does) int function(struct verb_call *c);
#include "rule/ops.def"
#undef VERB

/* Refuse: sets the reason and returns -1. */
int verb_refuse(struct verb_call *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* How the file spells absolute `name` where the fact stands; NULL when its root is not bound. */
const char *verb_spell(struct verb_call *c, const char *name);
/*
 * The same; where the root is not bound and its name is free, with an edit that imports it. NULL where
 * that is not possible either.
 */
const char *verb_spell_or_import(struct verb_call *c, const char *name);
/* Replace [start, end) by text. */
void verb_edit(struct verb_call *c, uint32_t start, uint32_t end, const char *text);
/* True when the call passes the keyword already. */
bool verb_passes(const struct fact *f, const char *keyword);
/*
 * An expression of the rule (see verb_rewrite.c) as this file writes it; what it names is looked at
 * once more where it stands, so it must be plain. NULL with the reason.
 */
const char *verb_expression(struct verb_call *c, const char *expression);
/*
 * Turn the edits of a whole fix into a form that is right on both frameworks: see dual.c. -1 with
 * the reason where there is none.
 */
int dual_form(struct verb_call *c, const struct rule_fix *fix);
/* The opposite of an argument's value, NULL where it is not seen. */
const char *verb_negated(struct verb_call *c, const struct arg *arg);
/* True when what the fix makes behaves in two ways, by what is there. */
bool dual_forks(const struct rule_fix *fix, bool dual);
/* The bytes of a span as text; NULL when the span does not lie in the shape's text. */
const char *verb_text(struct verb_call *c, struct span span);
/* Does the file bind the first part of `name` to itself at module level? */
bool verb_root_bound(const struct source *s, const char *name);

/* ---- places (place.c) ------------------------------------------------------------------------- */

/* The innermost statement that holds `offset`, NULL: none. */
const struct shape_stmt *place_innermost(const struct shape *sh, uint32_t offset);
/* The statement of the module that holds `offset`, NULL: none. */
const struct shape_stmt *place_outermost(const struct shape *sh, uint32_t offset);
/* Behind the string or comment of Python that begins at `at`, else behind the byte. */
uint32_t place_next(const struct shape *sh, uint32_t at);
/* The start of the line on which whole lines may be put before a statement of the module. */
uint32_t place_above(const struct shape *sh, const struct shape_stmt *st);
/* The white space before a statement. */
const char *place_indent(struct verb_call *c, const struct shape_stmt *st);
/* A clause of a compound statement (elif, else, except, finally, case). */
bool place_is_clause(const struct shape_stmt *st);
/*
 * Insert lines (joined by '\n', indented by `indent`, ended by the file's line end) at `at`.
 */
void place_lines(struct verb_call *c, uint32_t at, const char *indent, const char *lines);
/*
 * Put an import on a line of its own behind the module's first import of something below `root`,
 * which stands before the site; -1 with a reason. The same line for several sites is one edit.
 */
int place_import(struct verb_call *c, const char *root, const char *line);
/* A block of the rule's without the line ends behind it. */
const char *place_block(struct verb_call *c, const char *lines);

#endif
