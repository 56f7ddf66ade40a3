/*
 * parse.h - what the files around parsing share. Private to this folder.
 *
 *	unit.c     parent: which units there are, and what each includes
 *	flags.c    parent: how each is compiled, as far as an allow-list goes
 *	farm.c     parent: workers are started, fed and watched
 *	worker.c   worker: parses a unit with libclang
 *	diag.c     worker: errors become what the target lacks
 *	ast.c      worker: uses of what it has
 *	wire.c     records between the two
 *	judge.c    parent: verdicts; arguments and statements around each fact, by text
 *	text.c     the text around a name
 *
 * libclang sees the repository as unsaved files below CXX_TREE_DIR, a folder that is on no disk:
 * a file that was not handed in is not there, whatever path a source names. Of the real disk it
 * sees the system's own headers only, through an overlay.
 */
#ifndef CXX_PARSE_H
#define CXX_PARSE_H

#include "base/strbuf.h"
#include "cxx/cxx.h"

#define CXX_TREE_DIR "/pdmigrate/tree"

/* ---- records ----------------------------------------------------------------------------------- */

#define WIRE_MAX (256u << 20)

/* A record that is being read; `bad` once something did not fit. */
struct wire_in {
	const char *at, *end;
	bool bad;
};

void wire_put_u32(struct strbuf *sb, uint32_t v);
/* NULL is kept. */
void wire_put_str(struct strbuf *sb, const char *s);
void wire_put_strs(struct strbuf *sb, const struct strings *s);
uint32_t wire_get_u32(struct wire_in *in);
/* A number of things of at least `size` bytes each: more than can follow is bad. */
uint32_t wire_get_nr(struct wire_in *in, size_t size);
const char *wire_get_str(struct wire_in *in, struct arena *a);
void wire_get_strs(struct wire_in *in, struct strings *s, struct arena *a);
/* 0, or -1 with errno. */
int wire_send(int fd, const struct strbuf *sb);
/* One record into `sb`; waits at most `seconds` (<= 0: for ever). -1: end, timeout, or too long. */
int wire_recv(int fd, struct strbuf *sb, int seconds);

/* ---- units ------------------------------------------------------------------------------------- */

/* What the parent asks of a worker. All paths are relative to the root of the repository. */
struct unit {
	const char *path;
	unsigned mode;		/* enum cxx_mode bits */
	struct strings args;	/* passed the allow-list */
	struct strings files;	/* handed in; the first is the unit itself */
	struct strings aliases; /* pairs: a path with dots as an inclusion spells it, the file it means */
	struct strings headers; /* the framework's, as included: may need a shadow */
	struct strings supply;	/* macros that the target lacks */
	struct strings pch;	/* the target's headers to precompile: what one inclusion brings */
	uint32_t pch_file, pch_at; /* where that stands: index into files, offset */
	bool pch_make;		/* worth making where it is not kept from an earlier run */
	bool lost;		/* files were left out: too many or too big */
	size_t bytes;		/* of all files; parent only */
};

/* Do both ask for the same precompiled header? */
bool unit_pch_same(const struct unit *a, const struct unit *b);
void unit_put(struct strbuf *sb, const struct unit *u);
void unit_get(struct wire_in *in, struct unit *u, struct arena *a);

/* What the workers of a run are told once. */
struct worker_setup {
	const char *version, *build, *rules_dir;
	struct strings tokens, headers; /* prefixes of the framework's words */
	uint32_t seconds;		/* of the processor, for a unit */
	/* Folders of an installed target, of Python's headers, of a CUDA toolkit; NULL: stubs. */
	const char *site, *python, *cuda;
};

void setup_put(struct strbuf *sb, const struct worker_setup *s);
void setup_get(struct wire_in *in, struct worker_setup *s, struct arena *a);

/* One fact of a worker: the parent completes it from the text. */
struct seen {
	uint32_t file; /* index into unit.files */
	uint32_t kind; /* enum fact_kind: FACT_LACK or FACT_NAME */
	uint32_t shadowed; /* the unit includes a header that the target lacks */
	struct span span; /* the name alone */
	const char *name, *recv, *words, *symbol;
};

/* What a unit's file is to it. */
struct seen_file {
	bool included;
	VEC(struct span) skipped; /* parts that the preprocessor left out */
};

/* A worker's answer. */
struct answer {
	uint32_t ms;	  /* of the processor */
	uint32_t foreign; /* errors that are not the framework's: missing headers, what follows */
	const char *lacks; /* first header of third parties that is not there, NULL: none */
	struct seen_file *files;
	size_t nr_files;
	VEC(struct seen) seen;
};

void answer_put(struct strbuf *sb, const struct answer *x);
/* `nr_files`: of the unit that was asked for. Bad when an index or span is out of place. */
void answer_get(struct wire_in *in, struct answer *x, size_t nr_files, struct arena *a);

/* ---- text around a name ------------------------------------------------------------------------ */

/* The identifier at `at`; empty where there is none. */
struct span text_word(const char *text, size_t len, size_t at);
/* `word` with the scopes written before it ("a::b::word"). */
struct span text_scoped(const char *text, struct span word);
/* The postfix expression that ends at `at`; empty where there is none. */
struct span text_postfix(const char *text, uint32_t at);
/* The object before ".word" or "->word"; empty where there is none. */
struct span text_object(const char *text, struct span word);
/*
 * The arguments behind a name, past template arguments: their spans into `args`. Returns the
 * offset behind the closing bracket, 0 when no call follows.
 */
size_t text_arguments(const char *text, size_t len, size_t at, struct arena *a, struct fact *f);
/* Does what ends at `at` go on with "<<", or with a semicolon and "else"? */
bool text_goes_on(const char *text, size_t len, size_t at);
/* The configuration of a kernel launch behind "<<<" and the arguments behind it; 0: not one. */
size_t text_launch(const char *text, size_t len, size_t at, struct arena *a, struct fact *f);

/* ---- worker ------------------------------------------------------------------------------------ */

struct libclang;
struct exact;

/* A file of the unit, as it was handed to libclang. */
struct work_file {
	const char *path;
	const char *text;
	size_t len;
};

/* A function of the repository, for the place that facts stand in. */
struct work_function {
	uint32_t file;
	struct span span;
	const char *name;
};

/* rules/cxx/parse.yml. Lists end with NULL. */
struct parse_words {
	const char *const *functions; /* uses of these are facts, wherever they are declared */
	const char *const *bind, *const *def, *const *impl; /* methods that register */
	const char *const *holders; /* constructors of what binds a class: the class is their first type */
	/* Types that what binds or registers cannot pass on, canonical. */
	const char *const *not_bound, *const *not_registered;
	const char *const *blocks; /* macros that begin a block of registrations: space, key, handle */
	const char *local;  /* what a class is bound with to stay in its module */
	const char *converter; /* word of a converter of the repository's own */
	const char *supply; /* text in front of supplied macros */
	const char *call;   /* what one that is called stands for */
};

/* One unit at work. */
struct work {
	const struct libclang *lc;
	const struct cxx_db *db;
	const struct exact *exact;
	const struct worker_setup *setup;
	const struct parse_words *words;
	struct arena *arena; /* until the answer is sent */
	void *tu;	     /* CXTranslationUnit */
	const struct unit *unit;
	struct work_file *files;
	size_t nr_files;
	struct answer *answer;
	VEC(struct work_function) functions;
	struct strings opened; /* the framework's namespaces that the files open, with "::" behind */
	bool opened_known;
	struct strings retry;	 /* headers to parse the unit again with */
	VEC(struct seen) kept; /* of the first parse */
	bool again;
	bool shadowed;
	void *last; /* CXFile that was looked up last */
	int last_index;
};

enum { PLACE_OTHER = -1, PLACE_STUB = -2 };

int parse_words_load(struct parse_words *w, const struct assets *assets, struct arena *a, struct err *err);
/* Does the qualified name begin with the framework's scope? */
bool work_ours(const struct work *w, const char *name);
struct seen *work_seen(struct work *w, int file, struct span span, enum fact_kind kind);
void diag_read(struct work *w);
void ast_read(struct work *w);
/* Innermost function of the repository around a place, "" for none. */
const char *work_symbol(const struct work *w, uint32_t file, uint32_t at);

/* ---- parent ------------------------------------------------------------------------------------ */

/* Find the units worth parsing and what each includes. */
struct units {
	struct unit *v;
	size_t nr, alloc;
};

struct parse;
void units_find(struct units *out, const struct parse *p, struct notices *notices);
/* Fill u->args and u->mode. `dirs` gets the folders of -I, relative to the root. */
void flags_find(struct unit *u, struct strings *dirs, const struct parse *p, const struct source *s);
/* Read the repository's compile_commands.json files. */
struct flags *flags_load(const struct parse *p, struct notices *notices);

/* A run of cxx_parse(). */
struct parse {
	struct repo *repo;
	const struct cxx_parse_options *o;
	const struct cxx_db *const *dbs; /* one a target */
	struct arena *arena;
	struct flags *flags;
	struct strings defined; /* macros that the repository defines, sorted */
};

/* Ask workers for all units. answers[i] is NULL where the unit could not be parsed. */
void farm_run(const struct parse *p, const struct units *units, struct answer **answers,
	      struct notices *notices);
/* Add what the answers say to the files' facts, and verdicts. */
int judge_run(const struct parse *p, const struct units *units, struct answer **answers,
	      struct err *err);
/* Does the repository define the macro itself? */
bool parse_defines(const struct parse *p, const char *name);
bool source_is_cxx(const struct source *s);

#endif
