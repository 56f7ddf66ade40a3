/*
 * rule.h - knowledge: YAML -> rules; facts -> findings.
 */
#ifndef RULE_RULE_H
#define RULE_RULE_H

#include "base/strbuf.h"
#include "model.h"

struct rules;

/* rules/vocabulary.yml. */
int vocab_load(struct vocab **out, struct arena *a, const struct assets *assets, struct err *err);

/*
 * Load every rule file of the assets, strictly. Rules that hold for none of the targets (version range,
 * build) are loaded and switched off. The first mistake is the error, with file and line.
 */
int rules_load(struct rules **out, struct arena *a, const struct assets *assets,
	       const struct target *targets, size_t nr_targets, struct err *err);

/* Who knows the target: `covered` answers for one dotted name, in `a` if it must. */
struct rule_asker {
	enum verdict (*covered)(void *ctx, struct arena *a, const char *name);
	void *ctx;
	bool all_hold; /* every condition of our own markers holds: for tests of the way back */
};

/*
 * Switch off the rules whose own `keep` condition holds: what they would make could go at once. Once,
 * after rules_load, with its arena.
 */
void rules_settle(struct rules *r, const struct rule_asker *ask, struct arena *a);
/*
 * Judge the conditions of the markers of one source: their verdict and row. Conditions that are not
 * well formed become notices, and unknown. Thread-safe; text lives in `a`.
 */
void rules_judge(const struct rules *r, struct source *s, const struct rule_asker *ask,
		 struct arena *a, struct notices *notices);

/*
 * Match the facts of one source (marked by cover/). New findings, unlocated, are appended to *out in order
 * of offset and rule id; they live in `a`. Thread-safe. Guards are looked at here.
 */
void rules_match(const struct rules *r, const struct repo *repo, struct source *s, struct arena *a,
		 struct findings *out);

/*
 * Give the findings of one source their lines, columns, snippets and fingerprints from its text.
 */
void findings_locate(struct findings *f, const char *text, size_t len, struct arena *a);

/*
 * True when the finding's rule has verbs and its file may be edited; else the fix says why not. A shape
 * costs a parse, so it is made only for files that hold such a finding.
 */
bool rules_fixable(struct finding *f);
/* Edits of one such finding, from its source's shape. */
void rules_fix(const struct rules *r, struct finding *f, const struct shape *shape, struct arena *a);

/* What is asked for (bits of enum request), and the tree that verbs may look around in. Before the rules. */
void rules_ask(struct rules *r, unsigned requests, const struct repo *repo);

/* Make fixes in the form that is right on both frameworks; what has none says so. */
void rules_dual(struct rules *r);

/* Names of all rules, for --rule and suggestions; NULL-terminated, sorted. */
const char *const *rules_ids(const struct rules *r);
bool rules_has(const struct rules *r, const char *id);
/* Ids of the rules that have `word` as id, name or alias, comma separated; NULL: none. */
const char *rules_called(const struct rules *r, struct arena *a, const char *word);
/* True when what the rule's fix makes can be taken back once its marker has expired. */
bool rules_undoable(const struct rules *r, const char *id);
/* Text of `explain ID`; -1 when there is no such rule. */
int rules_explain(const struct rules *r, const char *id, struct strbuf *out, struct err *err);
/* One line a rule. */
void rules_list(const struct rules *r, struct strbuf *out);

/* One example of a rule, for `rules test`. */
struct rule_example {
	const char *rule;
	const char *name; /* "PD501 before 1", for messages */
	const char *path; /* how the snippet is called; decides the language */
	const char *text; /* before or same */
	const char *after; /* NULL for `same` */
	const char *dual;  /* what comes out with --dual, NULL: not said */
	int line;	  /* of the rule file */
	unsigned request; /* enum request: what the rule has to be asked for by */
};
size_t rules_examples(const struct rules *r, struct arena *a, const struct rule_example **out);

#endif
