/*
 * cxx.h - C, C++ and CUDA: text -> facts; and what the target's headers declare.
 *
 * lex.c is the lexical pass: includes and framework words outside comments and strings. It judges nothing;
 * files read this way are analysed "lexical" and every verdict about them is unknown.
 *
 * database.c answers for names by the tables that dump.c writes. stubs.c makes headers from the same
 * tables, in memory, so that sources parse on a machine without the target; pch.c precompiles them.
 */
#ifndef CXX_CXX_H
#define CXX_CXX_H

#include "model.h"

struct libclang;

/* Fill s->facts (FACT_INCLUDE, FACT_TOKEN) from its bytes; sets s->analysis and s->mentions. */
void cxx_lex_facts(struct source *s, const char *text, size_t len, const struct vocab *vocab,
		   struct arena *arena, struct intern *intern);

/* ---- database ---------------------------------------------------------------------------------- */

/* The C++ tables of one version of the target for one build, and upstream's. Read-only once loaded. */
struct cxx_db;

/*
 * Load them into `a`. *out is NULL without an error when none are shipped for the version. `build` is
 * "cuda" or "cpu". Only a broken table is an error.
 */
int cxx_db_load(struct cxx_db **out, struct arena *a, const struct assets *assets,
		const char *version, const char *build, struct err *err);

struct cxx_answer {
	enum verdict verdict;
	const char *kind;   /* covered: header macro function method constructor conversion class enum
			       value alias using variable field namespace */
	const char *header; /* include name of the header that has it: the target's, or else upstream's */
	const char *decl;   /* as libclang prints the first of its declarations; NULL for macros */
	const char *row;    /* "FOLDER/decls:NAME", or why it is unknown */
};

/* A header by its include name. */
struct cxx_answer cxx_header(const struct cxx_db *db, struct arena *a, const char *name);
/*
 * A qualified name ("a::b::c", a leading "::" is allowed). Aliases, using-declarations, opened namespaces
 * and base classes are followed. A gap needs a parent of the name that the target has and knows whole.
 */
struct cxx_answer cxx_name(const struct cxx_db *db, struct arena *a, const char *name);
struct cxx_answer cxx_macro(const struct cxx_db *db, struct arena *a, const char *name);
/* Any of the three by the form of the text: "a::b", "a/b.h", or a bare word (a macro). */
struct cxx_answer cxx_lookup(const struct cxx_db *db, struct arena *a, const char *name);
/* Has upstream a header, macro or declaration of exactly this name? */
bool cxx_upstream_has(const struct cxx_db *db, const char *name);
/* The framework's name that the target gives its own `type` as an alias, NULL: none. In `a`. */
const char *cxx_alias_of(const struct cxx_db *db, struct arena *a, const char *type);

/* A function that a header declares and no library of the target defines: it compiles and fails later. */
struct cxx_unexported {
	const char *symbol; /* mangled */
	const char *name, *header, *decl;
};

/* The i-th of them with this qualified name, text in `a`; false at the end. */
bool cxx_unexported(const struct cxx_db *db, struct arena *a, const char *name, size_t i,
		    struct cxx_unexported *out);
bool cxx_symbol_unexported(const struct cxx_db *db, const char *symbol);

/* ---- stub headers ------------------------------------------------------------------------------ */

/* Folders that are on no disk: stubs are handed to libclang as unsaved files below them. */
#define CXX_STUB_DIR   "/pdmigrate/stubs"
/* Why a stub's declaration is unavailable. */
#define STUB_UPSTREAM_ONLY "upstream only"
#define CXX_SHADOW_DIR "/pdmigrate/shadow"

struct cxx_stub {
	const char *path; /* below one of the two folders */
	const char *text; /* terminated by a NUL that `len` does not count */
	size_t len;
};

struct cxx_stubs {
	const struct cxx_stub *v; /* sorted by path bytes */
	size_t nr;
	char hash[33];            /* of all paths and texts */
	const char *const *defines; /* "-DNAME", as the target's build passes them; ended by NULL */
	const struct cxx_db *db;
	const struct assets *assets;
};

/* What a source is compiled as: C++17, and bits. */
enum cxx_mode { CXX_PLAIN = 0, CXX_CUDA = 1, CXX_20 = 2 /* C++20 */ };

/*
 * Make the stub headers of the database's version and build: one for each shipped compat header, under
 * the same include name, and the hand-written ones of rules/cxx/. Same input, same bytes.
 */
int cxx_stubs_make(struct cxx_stubs **out, struct arena *a, const struct assets *assets,
		   const struct cxx_db *db, struct err *err);
/*
 * A stub below CXX_SHADOW_DIR for an upstream header that the target lacks: it includes the nearest
 * shipped ones. false: shipped, or no header of upstream's. There are thousands, so ask for those that
 * the files at hand include; an inclusion that resolves there is a missing header.
 */
bool cxx_stubs_shadow(const struct cxx_stubs *s, struct arena *a, const char *name,
		      struct cxx_stub *out);
/* The shipped headers that such a stub includes, into `out`, text in `a`; false where there is none. */
bool cxx_shadow_headers(struct strings *out, struct arena *a, const struct cxx_db *db,
			const struct assets *assets, const char *name);
/* The include name of a path below CXX_STUB_DIR or CXX_SHADOW_DIR, inside `path`; NULL for others. */
const char *cxx_stub_name(const char *path, bool *shadow);
/*
 * Arguments for a parse against stubs, ended by NULL, in `a`: language, standard, folders, prelude,
 * definitions; no warnings. Those of the unit itself go behind.
 */
const char *const *cxx_stub_args(const struct cxx_stubs *s, const struct libclang *lc,
				 unsigned mode, struct arena *a);
/*
 * The path of a precompiled header of the prelude and of `headers` (include names in order, ended by
 * NULL), kept below $XDG_CACHE_HOME; made where it is not there, if `make`. Add "-include-pch" and the
 * path to the arguments and hand in the same stubs. Only headers that the unit itself includes: what is
 * precompiled counts as included. -1: parse without.
 */
int cxx_pch_get(const char **path, const struct libclang *lc, const struct cxx_stubs *s,
		unsigned mode, const char *const *headers, bool make, struct arena *a,
		struct err *err);

/* ---- parsing ----------------------------------------------------------------------------------- */

struct cxx_parse_options {
	const struct assets *assets;
	const char *rules_dir; /* where workers read the rules, NULL: their own */
	const struct target *targets;
	size_t nr_targets;
	const char *site; /* folder of an installed target to parse against, NULL: stubs */
	const struct vocab *vocab;
	struct arena *const *arenas; /* one a job */
	int jobs;
	/* Seconds of the processor for one unit and for all together, 0: what is usual. */
	unsigned unit_seconds, all_seconds;
};

/* How far the sources that name the framework were judged. */
struct cxx_counts {
	size_t units, full, partial, lexical;
};

/*
 * Parse the sources of the repository that name the framework, against the first target, in worker processes;
 * add FACT_LACK, FACT_NAME, FACT_MACRO and FACT_REGISTER to their facts, complete FACT_LAUNCH, and give
 * FACT_INCLUDE a verdict. Needs the lexical facts and the build's. Without libclang or tables the text alone
 * is judged, and one notice says so. Facts live in `a` and the jobs' arenas.
 */
int cxx_parse(struct repo *repo, const struct cxx_parse_options *o, struct arena *a,
	      struct notices *notices, struct cxx_counts *counts, struct err *err);
/* What a worker process does until its input ends; its exit status. */
int cxx_worker(void);
/* The argument that makes the program a worker. */
#define CXX_WORKER_ARG "--cxx-worker"

/* ---- coverage dump ----------------------------------------------------------------------------- */

struct cxx_dump_options {
	const char *site;           /* folder that holds the installed package */
	const char *python_include; /* folder of Python.h */
	const char *cuda;           /* root of a CUDA toolkit, may be NULL for upstream's side */
	const char *outdir;         /* where the Python tables are */
};

/* Read the headers of the target, or else of upstream, and write their tables. Errors go to stderr. */
int cxx_dump(const struct assets *assets, const struct cxx_dump_options *o, struct err *err);

/* The folder that the virtual environment in `prefix` is made from, as its configuration says; NULL: none. */
const char *cxx_python_base(struct arena *a, const char *prefix);

#endif
