/*
 * undo.h - the way back of a fix.
 *
 * A verb whose edits can be taken back without knowing more than the rule has a line in undo.def and
 * a function here. It looks at one fact below a marker: is this what the verb made, and what stood
 * there before? It takes only what it would have written itself, byte for byte.
 */
#ifndef RULE_UNDO_H
#define RULE_UNDO_H

#include "rule/verb.h"

enum undone { UNDO_REFUSED = -1, UNDO_OTHER, UNDO_DONE };

struct undo {
	struct verb_call *c; /* edits and reason go there; its fact is the marker */
	const struct rule *rule;
	const struct rule_step *step;
	const struct fact *fact; /* that is looked at, NULL: the lines below the marker are */
	size_t sites;		 /* the marker is for */
};

struct undo_verb {
	const char *word;
	enum undone (*undo)(struct undo *u);
	bool lines; /* undoes all sites at once */
};

#define UNDO(word, function)	   enum undone function(struct undo *u);
#define UNDO_LINES(word, function) enum undone function(struct undo *u);
#include "rule/undo.def"
#undef UNDO
#undef UNDO_LINES

/* True when the rule looks for facts of the fact's kind and name. */
bool undo_is_rules(const struct undo *u);
/* True when `--remove-expired` can take the rule's fix back by itself. */
bool undo_possible(const struct rule *rule);

#endif
