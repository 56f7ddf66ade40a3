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
/* Replace [start, end) by text. */
void verb_edit(struct verb_call *c, uint32_t start, uint32_t end, const char *text);
/* True when the call passes the keyword already. */
bool verb_passes(const struct fact *f, const char *keyword);
/* The bytes of a span as text; NULL when the span does not lie in the shape's text. */
const char *verb_text(struct verb_call *c, struct span span);

#endif
