/*
 * model.h - the nouns. Read this first.
 *
 *	source    one file of the tree
 *	span      bytes of a source, [start, end)
 *	fact      what a front end saw: an import, a use of a name, a requirement row, ...
 *	guard     a try or condition that facts stand in
 *	shape     statements and arguments with their spans, made on demand for an edit
 *	rule      knowledge: what to match, what to do, why
 *	finding   a rule that holds at a fact
 *	edit      replace a span, or create a file
 *	notice    a file (or part of one) that was not analysed, and why
 *
 * A run is one straight line: inputs -> facts -> findings -> plan -> edits -> report. Front ends (py/, cxx/)
 * turn sources into facts; cover/ marks facts with verdicts; rule/ matches facts; plan/ turns findings into
 * edits; report/ prints. Stages meet only here: none includes another's header.
 *
 * Conventions. Text is interned or lives in an arena of the run; nobody frees single objects. Names are
 * dotted and absolute ("a.b.c"), resolved through the file's bindings. Paths are relative to the root.
 * Offsets count bytes from the start of the file. NULL text means "not there"; an empty symbol means
 * module level. Arrays carry `nr`. Order is always by path bytes, then offset, then rule id.
 */
#ifndef MODEL_H
#define MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/asset.h"
#include "base/comment.h"
#include "base/err.h"
#include "base/intern.h"
#include "base/vec.h"

struct span {
	uint32_t start, end;
};

/* ---- sources ---------------------------------------------------------------------------------- */

enum lang {
	LANG_OTHER,
	LANG_PYTHON, /* .py and scripts with a Python first line */
	LANG_STUB,   /* .pyi: never executed */
	LANG_CYTHON, /* .pyx, .pxd: read lexically */
	LANG_C,
	LANG_CXX,  /* and headers */
	LANG_CUDA, /* .cu, .cuh */
	LANG_TOML,
	LANG_CMAKE,
	LANG_REQUIREMENTS,
	LANG_CFG, /* setup.cfg */
	LANG_NR
};

enum layer { LAYER_OTHER, LAYER_KERNEL, LAYER_BUILD, LAYER_BINDING, LAYER_GLUE, LAYER_NR };

/* What to do with a file: nothing; look first or second; nothing because compat carries it. */
enum treatment { TREAT_LEAVE, TREAT_COMPAT, TREAT_FIRST, TREAT_SECOND, TREAT_NR };

enum analysis { ANALYSIS_SKIPPED, ANALYSIS_LEXICAL, ANALYSIS_PARTIAL, ANALYSIS_FULL };

/* Which default entry a file is. Bits. */
enum role {
	ROLE_BUILD_ENTRY = 1,  /* what the build runs: setup.py, pyproject.toml, top CMakeLists.txt */
	ROLE_CALL_ENTRY = 2,   /* what a user imports first: a package's __init__.py */
	ROLE_TEST_ENTRY = 4,   /* a test a person would run first */
	ROLE_TEST = 8,	       /* test or test helper */
	ROLE_EXAMPLE = 16,     /* example, benchmark, tutorial, documentation code */
	ROLE_SCRIPT = 32,      /* started by a user or console entry, not imported */
	ROLE_VENDORED = 64,    /* third-party code kept in the tree */
	ROLE_SUBMODULE = 128,  /* below a git submodule */
	ROLE_BUILD_HELPER = 256, /* imported by a build entry */
	ROLE_OUTSIDE = 512,    /* Python of no package and no build: a tool kept beside the product */
	ROLE_LAUNCHER = 1024,  /* module of a console entry point */
};

struct source {
	const char *path;
	const char *module; /* Python module name by package roots ("pkg.sub.mod"), else NULL */
	bool is_package;    /* an __init__.py */
	enum lang lang;
	enum layer layer;
	const char *layer_reason;
	enum treatment treatment;
	enum analysis analysis;
	const char *verdict; /* of a C++ file with what it includes, as of an extension; NULL: not judged */
	unsigned roles;	       /* enum role bits */
	uint32_t size;	       /* bytes when first read */
	uint64_t hash;	       /* of the bytes when first read */
	unsigned reach;	       /* import distance from a call entry; REACH_NONE: not reached */
	int rank;	       /* place in its list, from 0; -1: not listed */

	struct fact *facts; /* in order of offset */
	size_t nr_facts;
	struct guard *guards;
	size_t nr_guards;
	struct def *defs; /* functions and classes, in order of offset */
	size_t nr_defs;
	struct binding *exports; /* module-level bindings, for re-exports; sorted by name bytes */
	size_t nr_exports;
	bool star_ambiguous; /* more than one star import: unbound names are unknown */
	bool mentions;	     /* some vocabulary root stands in the bytes */
	bool loads; /* loading it imports a root, itself or further down; only where that is asked for */
	const struct program *program; /* how compat is switched on where it is started, NULL: not asked */
};

#define REACH_NONE 0xffffffffu

/* What is done on request only. Bits. */
enum request {
	REQUEST_ENTRIES = 1,	 /* switch compat on in scripts, examples, launchers */
	REQUEST_TESTS = 2,	 /* switch it on for the tests */
	REQUEST_HOIST = 4,	 /* imports inside functions go to the top of the module */
	REQUEST_DIRECT = 8,	 /* the target's own build module is imported, not the one it stands in for */
	REQUEST_DELETE_ROWS = 16, /* dependency rows are deleted, not commented out */
};

/* A file that is started by itself and needs the switch before it imports. */
struct program {
	const char *use;    /* the line that switches compat on; one that ends in ':' is a block's head */
	uint32_t at;	    /* offset of the name whose import it has to precede */
	const char *barred; /* why it cannot be switched on there, NULL: it can */
	/* For a test: where the line goes instead. NULL: into the file itself. */
	bool tests;
	const char *path;
	bool create;	  /* path is new, and `text` all of it */
	uint32_t path_at; /* offset in path */
	const char *text;
};

/* An installed distribution, as its metadata has it. */
struct dist {
	const char *name;		   /* normalised */
	const char *const *modules;	   /* top-level import names */
	const char *const *requirements; /* normalised names, without extras */
	bool needs_upstream;		   /* requires the upstream framework itself */
};

struct dists {
	struct dist *v;
	size_t nr, alloc;
};

/* ---- facts ------------------------------------------------------------------------------------- */

enum fact_kind {
	/*
	 * An import of one name. name: what is imported ("a.b" for `import a.b`, "a.b.c" for
	 * `from a.b import c`, "a.b.*" for a star; relative ones made absolute); text: the name it is
	 * bound to. span: the dotted name or imported name; stmt: the whole statement.
	 */
	FACT_IMPORT,
	/*
	 * A reference to a name that resolves through imports, with or without a call. name: absolute;
	 * text: the first identifier as written when it is an alias by assignment (of another file: the
	 * name of the alias there), else NULL.
	 * span: the dotted expression as written; stmt: the call when F_CALL, else the expression.
	 */
	FACT_USE,
	/*
	 * An attribute of something that does not resolve to a name. name: the attribute; recv: the
	 * receiver's type where it is known (a dotted class name), else NULL; text: the receiver as
	 * written when it is short. Only names in the vocabulary's member list or with a known
	 * receiver are recorded.
	 */
	FACT_MEMBER,
	/* Assignment to or deletion of an attribute of a resolved name. text: the value's name. */
	FACT_ASSIGN,
	/* A class. name: its qualified name; args: bases (text = resolved name). */
	FACT_CLASS,
	/*
	 * A string literal that is or starts with a dotted name below a root, or that a rule asks for.
	 * name: the literal; recv: where it stands, seen through displays and parentheses: "argument",
	 * "compare", "key", "value" (both of a dict), "subscript", "default", "assign", "return", "list"
	 * or "other"; text: what it stands with. Of an argument: what is called (the name, ".m" for method
	 * m of something, "str(.dtype).m" for a method of str(x.dtype)), and args has the argument alone,
	 * with its keyword, VALUE_LIST when it is in a display; of a comparison: what is called on the
	 * other side ("str(.dtype)", "str(a.b)" where the class a.b is known), else the name there; of
	 * a subscript: what is subscripted; of a default: the parameter; of an assignment: the target.
	 */
	FACT_STRING,
	/*
	 * A dependency row. name: normalised distribution name (PEP 503); text: the row as written; recv: the
	 * table it stands in ("build-system.requires", "install_requires", "requirements", ...).
	 */
	FACT_REQUIRE,
	/*
	 * A key with a plain value in TOML or cfg. name: dotted key ("project.name"); text: value. Also an
	 * entry point that setup() is given: "setup.entry_points.GROUP.NAME", text: "a.b:c".
	 */
	FACT_SETTING,
	/* A CMake command. name: lower-case command; args: its arguments. */
	FACT_COMMAND,
	/* A C++ include. name: header as written, F_ANGLE for <>. */
	FACT_INCLUDE,
	/* A framework word in C++ seen lexically. name: the token with its scopes ("a::b"). */
	FACT_TOKEN,
	/*
	 * A comment that says why code is as it is and when it can go. name: id of the rule that made it,
	 * else the first name that a person waits for, or "unknown"; text: its words; recv: the condition
	 * under which it can go, NULL: none. span: from its mark to its end; stmt: its whole lines. verdict:
	 * covered where the condition holds, gap where it does not, by rule/.
	 */
	FACT_MARKER,
	/*
	 * A comment that switches findings off. name: the ids it names, one a line, "*": all; text: the
	 * reason, or what is wrong with the comment; span: the comment; stmt: the line it is about, or the
	 * whole file. verdict: covered where it was of use, gap where nothing is switched off by it, unknown
	 * where it is void.
	 */
	FACT_SUPPRESS,
	/*
	 * C++ that the target's headers refuse. name: upstream's canonical name ("a::B::c", a
	 * macro); recv: "macro", "name" (in a namespace), "member" (of a class), "call" (there, but
	 * no overload, operator or conversion fits) or "include" (there, in a header that the unit
	 * does not include: text). text: else the object of a member as written; missing: the
	 * parser's words, NULL: found lexically. span: the name with its scopes as written; stmt:
	 * the whole call with the object when F_CALL.
	 * Missing headers are FACT_INCLUDE with verdict gap.
	 */
	FACT_LACK,
	/*
	 * A use of a declaration of the target's headers. name: qualified; recv: its kind; rest as
	 * FACT_LACK.
	 */
	FACT_NAME,
	/* A use of a macro of the target's headers; name, span, stmt, args as FACT_LACK. */
	FACT_MACRO,
	/*
	 * A registration with the framework. name: "space::op", of a binding the name alone; recv:
	 * "def", "impl" or "bind"; text: of an impl the dispatch key; args: of the call; stmt: the
	 * call with its object. recv "class": name is a class bound for the whole process; "bound" and
	 * "registered": name is a type that the function there takes or gives and that cannot be passed on.
	 */
	FACT_REGISTER,
	/* A kernel launch. name: the kernel as written; args: the configuration; stmt: with its arguments. */
	FACT_LAUNCH,
	FACT_NR
};

/* Flags of a fact. Bits. */
enum fact_flag {
	F_CALL = 1 << 0,	/* the name is called here; args are the arguments */
	F_DECORATOR = 1 << 1,	/* used as (or called as) a decorator */
	F_ANNOTATION = 1 << 2,	/* stands in an annotation */
	F_POSTPONED = 1 << 3,	/* annotation that is not evaluated: quoted, future import, local variable */
	F_UNION = 1 << 4,	/* operand of `|` */
	F_BASE = 1 << 5,	/* base class */
	F_FUNCTION = 1 << 6,	/* runs when a function is called, not at import */
	/* Never runs: under TYPE_CHECKING, in a stub, behind a return in its block, never called. */
	F_CHECKING = 1 << 7,
	F_FROM = 1 << 8,	/* import: from-form */
	F_STAR = 1 << 9,	/* import: star */
	F_DYNAMIC = 1 << 10,	/* import: import_module or __import__, use: getattr, with a literal */
	F_RELATIVE = 1 << 11,	/* import: relative */
	F_ISINSTANCE = 1 << 12, /* in the second argument of isinstance or issubclass */
	F_STORE = 1 << 13,	/* FACT_MEMBER: target of an assignment; args: the value, if it is a name */
	F_DEFAULT = 1 << 14,	/* in a parameter default */
	F_ANGLE = 1 << 15,	/* include: <> */
	F_CLOSURE = 1 << 16,	/* in a lambda or nested function: guards outside it do not protect it */
	F_INTERNAL = 1 << 17,	/* name is of the repository itself (after linking) */
	F_TRY_IMPORT = 1 << 18, /* import in a try that catches its failure */
	F_SPLAT = 1 << 19,	/* the call has * or ** arguments */
	F_CONDITION = 1 << 20,	/* stands in the test of an if, while or assert */
	F_FSTRING = 1 << 21,	/* interpolated in an f-string */
	F_COMPARE = 1 << 22,	/* operand of a comparison */
	F_SUBSCRIPT = 1 << 23,	/* is subscripted */
	F_ARITHMETIC = 1 << 24, /* operand of an arithmetic operator; `|` is F_UNION */
	F_INDEX = 1 << 25,	/* is an index, or a bound of a slice */
	F_LOOP = 1 << 26,	/* runs again and again where it stands: in a loop or comprehension */
	F_INACTIVE = 1 << 27,	/* C++: no parse saw it: another branch of an #if, or a file read lexically */
	F_MACRO_BODY = 1 << 28, /* C++: in the body of a #define */
	F_GOES_ON = 1 << 30,	/* C++: what calls a macro goes on behind it: with << or an else */
	F_GUESSED = 1 << 29, /* member: only its own name says what the receiver is */
};

enum value_kind {
	VALUE_OTHER,
	VALUE_STRING, /* text: the contents */
	VALUE_NUMBER, /* text: as written */
	VALUE_NAME,   /* text: resolved dotted name, or the bare name when it does not resolve */
	VALUE_NONE,
	VALUE_BOOL, /* text: "True" or "False" */
	VALUE_LIST, /* list, tuple or set display; text: its elements, one a line, when all are strings */
	VALUE_DICT,
	/* text: resolved name of what is called, "set()" for an empty set, NULL when it does not resolve */
	VALUE_CALL,
	VALUE_LAMBDA,
};

/* One argument of a call, base of a class, or argument of a CMake command. */
struct arg {
	const char *keyword; /* NULL: positional */
	const char *text;
	enum value_kind value;
	bool splat;	   /* *x or **x */
	bool may_be_none;  /* parameter: its annotation says so */
	struct span span;  /* with the keyword */
	struct span valspan; /* without it */
};

enum verdict { VERDICT_NONE, VERDICT_COVERED, VERDICT_GAP, VERDICT_UNKNOWN };

struct fact {
	enum fact_kind kind;
	uint32_t flags;
	const char *name, *text, *recv;
	const char *symbol; /* qualified name of the enclosing function or class, "" at module level */
	struct span span, stmt;
	int guard; /* innermost guard (index into the source's guards), -1: none */
	int def;   /* innermost definition (index into the source's defs), -1: module level */
	struct arg *args;
	size_t nr_args;

	/* Filled by cover/: */
	enum verdict verdict;
	const char *missing; /* gap: the first name of the chain that is not there */
	const char *row;     /* the database row it rests on, or why it is unknown */
	const char *keyword; /* a keyword this call passes that the target does not take, else NULL */
	/* Filled by rule/: a rule of level change or blocked holds here (before guards are looked at). */
	bool has_rule;
};

enum guard_kind {
	GUARD_TRY,	/* body of a try with handlers, or of a with that suppresses */
	GUARD_FALLBACK, /* a handler (or the else of a conditional) */
	GUARD_HASATTR,	/* if hasattr(name, "attr"): name = "name.attr" */
	GUARD_VERSION,	/* if <version of name> <op> literal */
	GUARD_CHECKING, /* if TYPE_CHECKING */
	GUARD_MAIN,	/* if __name__ == "__main__" */
	GUARD_IF,	/* another condition */
	/* Body of a with that turns the switch on (negated: off). name: the switch; other: its call. */
	GUARD_SWITCH,
	GUARD_NR
};

/* What a try catches. Bits. */
enum catches { CATCH_IMPORT = 1, CATCH_ATTRIBUTE = 2, CATCH_TYPE = 4, CATCH_OTHER = 8, CATCH_ALL = 15 };

struct guard {
	enum guard_kind kind;
	int parent;	   /* enclosing guard, -1: none */
	struct span body;  /* what it protects (GUARD_TRY: the try body; conditions: the branch) */
	struct span other; /* GUARD_TRY: from the first handler to the last one's end; conditions: the else */
	const char *name;  /* what is tested */
	const char *text;  /* the condition or the handlers' exceptions, as written, short */
	/*
	 * GUARD_VERSION: versions for which the test is true, NULL: not known. "<1.12": how many numbers
	 * are compared is not known; "1<12": the second number alone is.
	 */
	const char *range;
	unsigned catches;
	enum verdict verdict; /* GUARD_HASATTR, by cover/: whether the target has the name */
	bool negated;  /* the branch runs when the condition is false */
	bool reraises; /* GUARD_TRY: a handler raises or exits, so there is no fallback */
};

/* What one return statement gives. */
struct returned {
	struct span span; /* the statement */
	int nr;		  /* values: the elements of a tuple, else 1; 0: a bare return; -1: not known */
	struct arg *values; /* so many; NULL when nr < 1 and there is no rest */
	/*
	 * nr is -1 because the last element of the tuple begins with a star: values has the `nr_first`
	 * elements before it and then, as a splat, what is starred.
	 */
	bool rest;
	int nr_first;
};

/* A function or class. */
struct def {
	const char *name; /* qualified inside the file: "Cls.method" */
	bool is_class, is_lambda;
	bool is_static; /* under the decorator of methods that get no object */
	bool is_of_class; /* under the decorator of methods that get the class */
	struct span span, body;
	int parent;
	struct arg *params; /* functions: keyword = name, text = annotation's resolved name, value = kind of
			       the default (VALUE_OTHER without one and valspan empty) */
	size_t nr_params;
	struct returned *returns; /* in order; only in files that mention a root */
	size_t nr_returns;
};

/* A module-level name and what it stands for. */
struct binding {
	const char *name;
	const char *target; /* dotted name it resolves to; NULL: defined here or not resolvable */
	bool alias;	    /* through an assignment */
};

/* ---- shapes: what a verb needs to know about the text around an edit ----------------------------- */

struct shape_stmt {
	struct span span; /* without leading indentation, without the line end */
	int parent;	  /* enclosing compound statement, -1: module */
	const char *kind; /* the front end's word: "import", "if", "function", ... */
	uint32_t line_start; /* offset of the first byte of its first line */
	uint32_t indent;     /* bytes of white space before it; the bytes themselves stand in the text */
	bool first_on_line, last_on_line; /* nothing else but a comment before / behind it */
};

struct shape {
	const char *text;
	size_t len;
	struct shape_stmt *stmts; /* in order of offset */
	size_t nr_stmts;
	uint32_t prologue_end; /* after cookie, docstring and __future__ imports: where an import may go */
	const char *newline;   /* the file's line end: "\n", "\r\n" or "\r" */
	bool ok;	       /* parsed without error */
};

/* ---- knowledge ----------------------------------------------------------------------------------- */

/* A class and the names that give an instance of it; an array of them ends with a NULL type. */
struct vocab_type {
	const char *type;
	const char *const *names;
};

/* rules/vocabulary.yml: every word of a framework the mechanism needs. Lists end with NULL. */
struct vocab {
	const char *const *roots;	  /* modules the import proxy serves: the upstream framework */
	const char *const *target_roots;  /* the target framework's own modules */
	const char *const *members;	  /* attributes recorded on any receiver */
	const char *const *watched;	  /* names of other modules whose uses are recorded too */
	const char *const *literals;	  /* strings recorded because a rule asks: whole, or to the '*' */
	const char *const *switch_calls;  /* calls that turn compat on */
	const char *const *vendored;	  /* folder names (globs) of third-party code */
	const char *const *cxx_tokens;	  /* prefixes of framework tokens in C++ */
	const char *const *cxx_headers;	  /* prefixes of framework headers */
	const struct vocab_type *types;	  /* calls by the class of what they answer */
	const struct vocab_type *attribute_types; /* attributes by the class of their value */
	const char *tensor;		  /* name of the tensor class */
	const char *use_line;		  /* text of `use:` with $scope in it */
	const char *switch_line, *switch_import; /* the same for all modules; the import it needs */
	const char *guard_line;		  /* head of a block for packages that are entered by a guard */
	const char *const *guard_packages; /* such packages */
	const char *const *blocked;	  /* modules that the proxy leaves alone by default */
	const char *const *upstream_users; /* known third-party modules that import a root */
	const char *package;		  /* the target's package name */
	const char *upstream;		  /* the upstream framework's distribution name */
	const char *const *upstream_dists; /* distributions that are it or pull it in */
	const char *const *extension_calls; /* names of build classes whose sources are extensions */
	const char *const *never_returns; /* calls that leave; ".m": method m of the own instance */
	const char *const *never_run;	  /* decorators of functions that do not run */
	/* Decorators that put an object in place of the function: its name is then "DECORATOR()". */
	const char *const *object_makers;
	const char *const *entry_points; /* settings below which an entry names a module of the project */
	const char *const *tensor_members; /* methods that only a tensor has */
	const char *const *tensor_attributes; /* attributes that only a tensor has, and that are one */
	const char *const *number_groups; /* attributes that are lists of groups of settings */
	const char *const *number_groups_not; /* keys of such a group whose value is no number */
	/* Methods that only a tensor has where one of the keywords is passed. */
	const char *const *tensor_methods, *const *tensor_keywords;
	const char *marker_until, *marker_note; /* first words of comments above edits */
	const char *const *marker_words; /* that a comment about what is to be done begins with */
};

enum level { LEVEL_NOTE, LEVEL_CHECK, LEVEL_CHANGE, LEVEL_EXPIRED, LEVEL_BLOCKED };
enum safety { SAFETY_NONE, SAFETY_SAFE, SAFETY_UNSAFE, SAFETY_MANUAL };

/* The target a verdict is for. */
struct target {
	const char *version; /* "3.3.1" */
	const char *build;   /* "cuda" or "cpu" */
	const char *origin;  /* "shipped" or "installed" */
};

struct finding;
struct repo;

/* One edit of a fix. path NULL: the finding's own file. `create`: a new file with `text`. */
struct edit {
	const char *path;
	struct span span;
	const char *text;
	bool create;
	unsigned mode;
	bool part; /* of a call that is written anew: no other finding edits that call as well */
};

/* A way to mend, resolved for one finding: the edits stand or fall together. */
struct fix {
	enum safety safety;
	const char *dual;	 /* "same", "guard", "no" */
	bool forks;		 /* the code then behaves in two ways, by what is there */
	bool anywhere;		 /* made in tests and tools too: it is about the target's own names */
	bool requested;		 /* somebody has asked for it on the command line */
	bool rows;		 /* takes dependency rows out */
	bool not_all;		 /* the rule does not hold for all targets */
	const char *since;	 /* least version of the target that the edits need, NULL: any */
	const char *description;
	struct edit *edits;
	size_t nr_edits;
	const char *const *parts; /* of header shims, made by plan/; NULL: none */
	const char *instead;	 /* a shim that makes the edits needless, NULL: none */
	bool encloses;		 /* what lies between its first and last edit is no part of the build then */
	struct finding *rests_on; /* made only if that one's edits are, NULL: none */
	bool planned;		 /* the plan has looked at it */
	const char *reason; /* why there are no edits although the rule has a fix, else NULL */
};

enum state { STATE_OPEN, STATE_SUPPRESSED, STATE_BASELINED };

struct finding {
	const char *rule, *name; /* "PD501", "private-current-device" */
	enum level level;
	const struct source *source;
	const struct fact *fact;
	struct span span;
	uint32_t line, column, end_line, end_column;
	const char *symbol;
	const char *message;
	const char *snippet; /* the first line, trimmed, at most 200 bytes */
	const char *group;   /* findings of one group are one line in text output */
	const char **guards; /* the guards it stands in, in words, outermost first */
	size_t nr_guards;
	bool gpu_unverified;
	char fingerprint[33];
	const char *reproducer; /* lines that fail on the target for the same reason, NULL: none known */
	const void *rule_data; /* the rule, for rule/ only */
	struct fix *fix;       /* NULL: the rule has none */
	const char *reason_not_applied;
	const char *keep_until, *keep_long_term;
	bool shimmed; /* a header shim of the tree gives what was missing: no finding */
	enum state state;
	const char *state_reason; /* what stands behind the comment that suppresses it, else NULL */
	bool is_new; /* compared with a baseline, and not in it */
};

struct notice {
	const char *path; /* NULL: the run as a whole */
	const char *stage; /* "walk", "read", "parse", ... */
	const char *message;
};

/* ---- the repository and the run ------------------------------------------------------------------ */

struct extension {
	const char *name;
	const struct source *source; /* where it is declared */
	struct span span;
	const char **sources; /* literal source paths, resolved from the root; may not exist */
	size_t nr_sources;
	const char *verdict; /* "as_is", "after_patch", "blocked", "unknown" */
	const char **unjudged;
	size_t nr_unjudged;
	/* Rules, sorted: without an equivalent; changes that no edit makes. */
	const char **blocked_by, **by_hand;
	size_t nr_blocked_by, nr_by_hand;
};

struct strings {
	const char **v;
	size_t nr, alloc;
};

struct repo {
	const char *root; /* as the user gave it */
	const char *name;
	int dirfd;
	struct source **files; /* in order of path bytes */
	size_t nr_files;
	const char *prefix; /* dotted name of the root folder where it lies in a package, else "" or NULL */
	struct strings packages;      /* top-level import names defined here */
	struct strings package_roots; /* folders on the import path, "" for the root */
	const char *type;	      /* "A", "B", "C" or NULL */
	const char *type_name;
	struct strings type_reasons;
	struct strings build_entries, call_entries, test_entries;
	struct strings scope; /* import names that must be proxied */
	struct strings unisolated; /* folders of projects that are built without an isolated environment */
	bool instructed; /* unisolated is known */
	struct extension *extensions;
	size_t nr_extensions;
	bool has_git;
	bool root_is_folder; /* a project's folder and no package, though it has an __init__.py */
};

struct notices {
	struct notice *v;
	size_t nr, alloc;
};

struct findings {
	struct finding **v;
	size_t nr, alloc;
};

struct plan {
	size_t files_changed, lines_added, lines_removed, marker_lines;
	struct strings files_created;
};

/* What the plan may take. */
struct plan_options {
	struct strings paths; /* only what lies below is edited; none: everything */
	bool keep_rows;	      /* dependency rows stay */
};

/* An entry of a baseline that nothing answers to any more. */
struct stale {
	const char *rule, *path, *fingerprint;
};

/* What the result was compared with. */
struct baseline {
	const char *source; /* a file's name, or the revision as given */
	size_t matched, new;
	struct stale *stale;
	size_t nr_stale;
};

/* What a run produced; report/ prints it. */
struct result {
	struct plan_options plan_options;
	struct repo *repo;
	struct target *targets;
	size_t nr_targets;
	const struct vocab *vocab;
	struct findings findings;
	struct notices notices;
	struct plan plan;
	const char *requires; /* least version the edits need ("3.3"), NULL: none */
	struct strings requires_because;
	const char *verdict; /* as_is | after_patch | blocked | unknown */
	const char *verdict_reason;
	size_t ported_sites, expired;
	uint64_t analysed_bytes;
	const struct baseline *baseline; /* NULL: compared with none */
	const struct json_node *probe;	 /* what a probe of the machine said, NULL: none was made */
};

/* ---- words, the same in code, JSON and text ------------------------------------------------------- */

const char *lang_name(enum lang lang);
const char *layer_name(enum layer layer);
const char *treatment_name(enum treatment t);
const char *analysis_name(enum analysis a);
const char *fact_kind_name(enum fact_kind kind);
const char *verdict_name(enum verdict v);
const char *level_name(enum level level);
const char *safety_name(enum safety s);
const char *guard_kind_name(enum guard_kind kind);
const char *value_kind_name(enum value_kind kind);
/*
 * The statement above whose line a comment for `offset` may stand, -1: none. That is the innermost one
 * that holds it or one before: nothing else stands before it on its line, which continues no other.
 */
int shape_place(const struct shape *sh, uint32_t offset);
/* How a comment looks in the language. */
enum comment_style lang_comment(enum lang lang);
/* Flag word for bit `1 << bit`, NULL past the last. */
const char *fact_flag_name(int bit);

/*
 * Least and most values that the returns of a function give; false when it has none, or what one gives
 * is not known.
 */
bool def_gives(const struct def *d, int *min, int *max);
/* The file of `path`, NULL where there is none. */
struct source *repo_find(const struct repo *repo, const char *path);
/* The file of Python module `module` ("a.b"), NULL where there is none; needs source->module. */
struct source *repo_module(const struct repo *repo, const char *module);
/* Add a notice; text is copied. */
void notice_add(struct notices *n, struct arena *a, const char *path, const char *stage,
		const char *fmt, ...) __attribute__((format(printf, 5, 6)));
void strings_add(struct strings *s, struct arena *a, const char *text);
bool strings_has(const struct strings *s, const char *text);
/* True when the file is no part of what is built and imported: edited and counted on request only. */
bool source_off_product(const struct source *s);
bool list_has(const char *const *list, const char *text);
/* True when the dotted name is one of the list or lies below one. */
bool list_holds(const char *const *list, const char *name);

#endif
