/*
 * internal.h - what the files of rule/ share. Nobody outside rule/ includes it.
 *
 *	vocab.c      rules/vocabulary.yml -> struct vocab, struct words
 *	read.c       typed values out of YAML nodes, with file and line in every message
 *	version.c    version ranges
 *	condition.c  the CONDITION of a marker: is it well formed, does it hold
 *	marker.c     conditions of markers and of rules, judged on the targets
 *	pattern.c    names with '*'
 *	template.c   text with $captures
 *	load_match.c `match:` -> struct match
 *	load_fix.c   `fix:` -> struct rule_fix
 *	load.c       a rule file -> struct rule; the set
 *	index.c      fact -> rules that may hold
 *	match.c      does a rule hold at a fact
 *	method.c     does a class define methods as asked
 *	late.c       is what an import brings used only when a function runs
 *	gradients.c  does backward give a gradient for what is no tensor
 *	guard.c      does the code around a site make up for its failure
 *	find.c       facts -> findings
 *	locate.c     offsets -> lines, snippets, fingerprints
 *	feature.c    does a test for a feature keep a branch from running
 *	fix.c        findings -> edits, by the verbs of ops.def
 *	dual.c       edits -> edits that are right on both frameworks
 *	explain.c    rules -> text, examples
 */
#ifndef RULE_INTERNAL_H
#define RULE_INTERNAL_H

#include "base/yaml.h"
#include "rule/rule.h"

/* Words of vocabulary.yml that only this stage needs. */
struct words {
	const char *const *always_there; /* below these a test for an attribute is always true */
	const char *const *never_called; /* decorators whose function the target never calls */
	const char *const *other_backends; /* parts of paths and macros of code for other hardware */
};

/* As vocab_load, with the words of this stage. */
int words_load(struct vocab **vocab, struct words *words, struct arena *a,
	       const struct assets *assets, struct err *err);

/* ---- patterns -------------------------------------------------------------------------------- */

/* A name in which '*' stands for any bytes, dots included. */
struct pattern {
	const char *text;
	bool glob;
};

struct patterns {
	struct pattern *v;
	size_t nr;
};

bool pattern_match(const struct pattern *p, const char *name);
/* True when one of them matches; a NULL name matches none. */
bool patterns_match(const struct patterns *p, const char *name);

/* ---- match ----------------------------------------------------------------------------------- */

struct matches {
	struct match *v;
	size_t nr;
};

/* One way a fact can be meant: by kind and name. */
struct kind_test {
	enum fact_kind kind;
	bool call; /* FACT_USE: only calls */
	const char *key; /* as written in the rule file, for explain */
	struct patterns names;
};

/* A test on the arguments of a call. */
struct arg_test {
	struct patterns keyword; /* none: no keyword asked for */
	int position;		 /* among positional arguments from 0, -1: not asked for */
	unsigned values;	 /* bits of enum value_kind, 0: any */
	struct patterns text;
	bool absent;
};

/* A test on a method of a class, and on one parameter of it. */
struct method_test {
	struct patterns name;
	bool parameter;		    /* one is asked for: */
	bool required;		    /* without a default */
	unsigned values;	    /* kinds of its default, bits of enum value_kind, 0: any */
	struct patterns annotation; /* none: any */
	int surplus;		    /* enum surplus of the class, 0: not asked for */
	const char *const *plain;   /* for it: annotations and attributes that are never a tensor */
	const char *first_unlike;   /* a method whose first parameter has another name, NULL: any */
};

/* Where a fact stands. Bits. */
enum scope { SCOPE_MODULE = 1, SCOPE_CLASS = 2, SCOPE_FUNCTION = 4 };

#define GUARDS_NONE (1u << 31) /* beside bits of enum guard_kind: no guard at all */

/* A test on one fact: everything that is given must hold. */
struct match {
	struct kind_test *kinds; /* one of them; none: any fact */
	size_t nr_kinds;
	unsigned layers, langs, verdicts, scopes, guards; /* bits of their enums, 0: any */
	unsigned roles, not_roles;			  /* bits of enum role */
	uint32_t flags, not_flags;			  /* all of, none of */
	struct patterns receiver, text, symbol;
	const char *const *path; /* globs, NULL: any */
	bool package;		 /* only in a package's own file */
	bool unreached;		 /* only in a file that no call entry imports */
	bool in_scope;		 /* only in a package that belongs in the scope of the switch */
	bool loads;		 /* only an import that loads a root, itself or further down */
	bool program, test_program; /* only the import that the switch of a program (test) has to precede */
	int isolated;		 /* 1, -1: only where the project is (not) built in isolation; 0: any */
	int entry_guard;	 /* 1, -1: only where a program (not) imports the package under a guard */
	bool rejected;		 /* the call passes a keyword the target does not take */
	bool asked;		 /* in a condition that asks whether it has an attribute */
	bool spelled_out;	 /* what is not there is written behind its owner, not by an alias */
	struct arg_test *args;	 /* all of them */
	size_t nr_args;
	struct method_test *methods; /* all of them */
	size_t nr_methods;
	int min_args, max_args, min_positional, max_positional; /* -1: not asked for */
	bool first_in_file;
	int min_in_file;	   /* so many facts of the file pass the tests above; 0: not asked for */
	struct patterns defines;   /* functions and classes the file must define, one of them */
	struct patterns guard_text; /* of one of the guards around it */
	struct patterns shared;	   /* keywords: another call of the file passes the same variable */
	struct matches any, all, none;
	struct matches preceded;  /* not after a fact of the file that one of these holds at */
	struct matches importers; /* not where each importing build script has one before */
	struct matches file_has, file_lacks;
	struct matches tree;	 /* not where a file of the tree has one */
	struct matches tree_has; /* only where a file of the tree has one */
	struct matches leads_to; /* an import that is the first to load a module that has one */
	struct matches symbol_has; /* only where the same function has one */
	struct matches imported; /* not where a module of the tree that the file imports has one */
	bool late;		   /* an import, whose names are used only when functions run */
	bool own_name;		   /* a function of the tree bears the last part of the name */
	struct patterns passed_as; /* an argument of a call that is seen, by one of these keywords */
	struct matches passed_to;  /* an argument of a call at which one of these holds */
	struct patterns result_member; /* such an attribute of what the call gives is taken at once */
	int line;
};

/* Offset of the first fact at which one of `matches` holds; UINT32_MAX: none. */
struct seen {
	const struct matches *matches;
	uint32_t offset;
};

/* Matching over one source; what was looked for in the whole file is remembered. */
struct matcher {
	const struct repo *repo; /* may be NULL */
	const struct source *source;
	struct arena *arena;
	VEC(struct seen) seen;
};

bool match_holds(struct matcher *mr, const struct match *m, const struct fact *f);
/* True when the class `f` has a method for each test. */
bool methods_hold(const struct source *s, const struct method_test *tests, size_t nr,
		  const struct fact *f);

/* True when nothing that the statement of import `f` binds is used while the tree is loaded. */
bool import_is_late(const struct repo *repo, const struct source *s, const struct fact *f);
/* The same of one name of an import; without `repo`, as far as its own file shows. */
bool import_name_is_late(const struct repo *repo, const struct source *s, const struct fact *f);

/* Does backward give more values than tensors are passed to forward? */
enum surplus {
	SURPLUS_NO,	  /* no, or it is not known how many it gives */
	SURPLUS_CERTAIN,  /* one of them stands for what is never a tensor */
	SURPLUS_OPTIONAL, /* one stands for what may be missing */
	SURPLUS_UNSURE,	  /* one is always None, and nothing else is known of its parameter */
};

enum gradient_of {
	OF_UNKNOWN,
	OF_DECLARED, /* annotated as something else, or used as a tensor */
	OF_PLAIN,
	OF_OPTIONAL,
	OF_KEPT, /* an attribute of the context, and never given a gradient: hardly a tensor */
};

#define GRADIENTS_MAX 64

struct gradients {
	const struct def *forward, *backward;
	const struct def *setup; /* fills the context instead of forward, NULL: forward does */
	size_t first; /* of the parameters of forward: the first one that apply gives */
	size_t nr; /* of those parameters, and values of each return */
	bool rest; /* more may follow in a starred parameter, or a starred value of a return */
	enum gradient_of of[GRADIENTS_MAX];
	bool drop; /* the values of plain parameters can be left out; all others are of tensors */
};

/* The one method `name` of the class called `cls`, among what lies within; NULL: none or several. */
const struct def *class_method(const struct source *s, const char *cls, struct span within,
			       const char *name);
/* Which parameter of a method of the class is the context. */
size_t context_at(const struct def *method);
/* Judge a class; `plain` ends with NULL. */
enum surplus gradients_read(struct gradients *g, const struct source *s, const struct fact *cls,
			    const char *const *plain);

/* ---- rules ----------------------------------------------------------------------------------- */

enum generic { GENERIC_NO, GENERIC_NAME, GENERIC_KEYWORD };

/* One step of a fix: a verb and its value. */
struct rule_step {
	const struct verb *verb;
	const char *text;	   /* the value, or NULL */
	const char *const *list;   /* the value as a list or as pairs, or NULL */
};

struct rule_fix {
	struct rule_step *steps;
	size_t nr_steps;
	enum safety safety;
	const char *dual, *description;
	const char *feature; /* an expression, true on the target and false upstream: see dual.c */
	bool anywhere, rows; /* see struct fix */
};

struct rule_alternative {
	const char *name, *description;
};

struct rule {
	const char *id, *name, *file;
	enum layer layer;
	enum level level, level_if_guarded;
	int level_if_unsure; /* enum level, -1: the level itself */
	const char *range;	/* version range as written */
	const char *build;	/* NULL: any */
	bool active;
	bool everywhere;     /* holds for all targets */
	unsigned request;    /* enum request: speaks only when that is asked for */
	const char *since;   /* the range's lower bound, NULL: none */
	enum generic generic;
	bool unless_fixed;   /* silent where another has edits for the statement */
	bool beside_generic; /* the generic rules still speak where this one does */
	unsigned raises;     /* enum catches bits, 0: by the kind of the fact; see RAISES_NOTHING */
	struct matches match;
	const char *message, *group;
	struct rule_fix *fix;
	const char *keep_until, *keep_long_term;
	const char *verified_version, *verified_build, *verified_how, *verified_note;
	bool gpu_unverified;
	const char *why;
	const char *reproducer; /* lines behind the switch that show the failure, or NULL */
	struct rule_example *examples;
	size_t nr_examples;
	struct rule_alternative *alternatives;
	size_t nr_alternatives;
	const char *const *provides;
	const char *const *aliases; /* other words that a suppression may call it by */
};

#define RAISES_NOTHING (1u << 31) /* wrong without an error: no try protects */

struct index;

struct rules {
	const struct vocab *vocab;
	struct words words;
	const struct target *targets;
	size_t nr_targets;
	struct rule *v; /* sorted by id */
	size_t nr;
	const char **ids;
	struct index *index;
	bool dual; /* fixes are made in their dual form */
	unsigned requests; /* enum request */
	const struct repo *repo; /* NULL: not known */
};

const struct rule *rules_find(const struct rules *r, const char *id);

/* ---- index ----------------------------------------------------------------------------------- */

struct index *index_build(const struct rules *r, struct arena *a);
/*
 * Numbers of the active rules that may hold at a fact of this kind and name, ascending, into
 * out[0..r->nr). Returns how many.
 */
size_t index_lookup(const struct index *ix, enum fact_kind kind, const char *name, uint16_t *out);

/* ---- templates ------------------------------------------------------------------------------- */

/* Check the $captures of a text; -1 with file and line. */
int template_check(const char *text, const char *file, int line, struct err *err);
const char *template_expand(struct arena *a, const char *text, const struct rules *r,
			    const struct fact *f);

/* ---- versions -------------------------------------------------------------------------------- */

/* 0 when `range` (">=3.3,<3.4") is well formed. */
int range_check(const char *range);
bool range_has(const char *range, const char *version);
/* The lower bound of a range, NULL where it has none. */
const char *range_since(const char *range, struct arena *a);

/*
 * Check `covered NAME`, `fixed PDnnn`, `TARGET >= X`, joined by and/or, of which `and` binds tighter.
 * On a mistake -1 and *what says what is wrong.
 */
int condition_check(const char *text, const struct rules *r, struct arena *a, const char **what);
/*
 * Does a condition that is well formed hold on every target? VERDICT_COVERED: yes, VERDICT_GAP: no. A
 * name holds where `ask` answers covered; a rule is fixed where its version range is left.
 */
enum verdict condition_judge(const char *text, const struct rules *r, const struct rule_asker *ask,
			     struct arena *a);

/* ---- reading YAML ---------------------------------------------------------------------------- */

struct reader {
	struct arena *arena;
	const char *file;
	const struct vocab *vocab;
	struct err *err;
};

/* A word of an enum by number, NULL past the last. */
typedef const char *(*word_fn)(int i);

int read_fail(struct reader *r, const struct yaml *n, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int read_text(struct reader *r, const struct yaml *n, const char **out);
int read_bool(struct reader *r, const struct yaml *n, bool *out);
int read_int(struct reader *r, const struct yaml *n, int *out);
/* A text or a list of texts, NULL-terminated. */
int read_list(struct reader *r, const struct yaml *n, const char *const **out);
int read_patterns(struct reader *r, const struct yaml *n, struct patterns *out);
/* One word -> its number; a word or list of words -> bits of their numbers. */
int read_word(struct reader *r, const struct yaml *n, word_fn words, int *out);
int read_words(struct reader *r, const struct yaml *n, word_fn words, uint32_t *out);

/* The word of bit `1 << i` of enum role. */
const char *role_word(int i);
int match_read(struct reader *r, const struct yaml *n, struct matches *out);
int fix_read(struct reader *r, const struct yaml *n, struct rule_fix **out);

/* ---- guards ---------------------------------------------------------------------------------- */

/* What is known about the guards of one source while it is matched. */
struct guards {
	const struct rules *rules;
	const struct source *source;
	struct arena *arena;
	signed char *works;  /* per guard: 1 its fallback works or it never runs; -1; 0 not asked */
	signed char *asked;  /* per guard: `aborts` is known */
	uint32_t *aborts;    /* per guard: offset of the site that ends its body, or UINT32_MAX */
	const char **missing; /* names that gaps of this source miss, sorted */
	size_t nr_missing;
};

/* First fact at or after an offset. */
size_t fact_from(const struct source *s, uint32_t offset);
/* True when a test for a feature keeps the branch `t` from running on the target: see feature.c. */
bool feature_idles(const struct source *s, const struct guard *t);

/* Flag the facts of functions that the target never calls (F_CHECKING). */
void never_mark(const struct rules *r, struct source *s, struct arena *scratch);

void guards_init(struct guards *g, const struct rules *r, const struct source *s, struct arena *a);
/* True when the failure of `f`, which raises `raised`, is made up for or never happens. */
bool guards_protect(struct guards *g, const struct fact *f, unsigned raised);
/* True when a gap of this source is that `name` is not there. */
bool guards_missing(const struct guards *g, const char *name);
/* The guards around a fact in words, outermost first. */
size_t guards_words(const struct source *s, const struct fact *f, struct arena *a,
		    const char ***out);

#endif
