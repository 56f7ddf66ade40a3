/*
 * internal.h - what the files of py/ share. Nobody outside py/ includes it.
 */
#ifndef PY_INTERNAL_H
#define PY_INTERNAL_H

#include <tree_sitter/api.h>

#include "py/py.h"

enum grammar { GRAMMAR_PYTHON, GRAMMAR_TOML, GRAMMAR_CMAKE, GRAMMAR_NR };

struct py_symbols;

struct fact_vec {
	struct fact *v;
	size_t nr, alloc;
};

/* The scratch vectors live in `scratch`, which is emptied after each source; facts are copied out. */
struct py_worker {
	const struct vocab *vocab;
	const struct repo *repo;
	struct arena *arena;
	struct intern *intern;
	TSParser *parsers[GRAMMAR_NR]; /* only that of the last parse is there */
	struct arena scratch;
	struct fact_vec facts; /* of the current source, in scratch */
	struct py_symbols *symbols; /* of the Python grammar, see tree.h */
	struct py_memory *memory;   /* what the parsers work in */
	/* Lengths of words by first byte: of members, of calls that leave, of members of tensors only. */
	uint64_t member_lengths[256], leaving_lengths[256], tensor_lengths[256];
};

/* The parser's memory: memory.c. A pool serves the thread that has called memory_use() last. */
struct py_memory *memory_new(void);
void memory_use(struct py_memory *m);
/* Begin at the front again, where no block is in use. */
void memory_rewind(struct py_memory *m);
/* No block of it may be in use. */
void memory_delete(struct py_memory *m);

#define LENGTH_BITS 64 /* longer words are always looked up */

/*
 * False when s[0..len) is none of the words that `lengths` was made from. Most names of a program are
 * none, and this is asked for each of them before its name is looked up.
 */
static inline bool may_be_word(const uint64_t lengths[256], const char *s, size_t len)
{
	return len >= LENGTH_BITS || lengths[(unsigned char)*s] >> len & 1;
}

/*
 * Parse with a grammar. NULL when the parser gave up (a notice was added). The caller deletes the tree.
 * A tree with errors is returned all the same; the caller says so in analysis.
 */
TSTree *py_parse(struct py_worker *w, enum grammar g, const char *path, const char *text, size_t len,
		 struct notices *notices);

/* Say where the first part of the tree is that the grammar could not read. */
void py_error_notice(struct py_worker *w, const struct source *s, TSNode root,
		     struct notices *notices);

/*
 * As py_parse for Python, mended where the grammar is wrong (then *text is a copy in `a`). Without a
 * worker, path and notices are not used.
 */
TSTree *python_parse(struct py_worker *w, struct arena *a, const char *path, const char **text, size_t len,
		     struct notices *notices);
/*
 * A copy of the text, of the same length, that may be read where `root` shows errors: mend.c. NULL when
 * there is nothing to change.
 */
const char *python_mended(struct arena *a, const char *text, size_t len, TSNode root);
/*
 * The text as the parser should read it: lone carriage returns are line feeds, long runs of comment lines are
 * blank; offsets stay. `text` itself where nothing changes, else a copy in `a`.
 */
const char *python_reading(struct arena *a, const char *text, size_t len);

/* A new zeroed fact of the current source with guard and def -1; valid until the next call. */
struct fact *fact_new(struct py_worker *w, enum fact_kind kind, const char *name, struct span span);
/* Copy the collected facts to s->facts (sorted by offset, then kind) and empty the scratch vector. */
void facts_finish(struct py_worker *w, struct source *s);

/* One front end a language; each ends with facts_finish() and sets s->analysis. */
void python_facts(struct py_worker *w, struct source *s, const char *text, size_t len, struct notices *n);
void toml_facts(struct py_worker *w, struct source *s, const char *text, size_t len, struct notices *n);
void cmake_facts(struct py_worker *w, struct source *s, const char *text, size_t len, struct notices *n);
void requirements_facts(struct py_worker *w, struct source *s, const char *text, size_t len,
			struct notices *n);
void conda_facts(struct py_worker *w, struct source *s, const char *text, size_t len);
void cfg_facts(struct py_worker *w, struct source *s, const char *text, size_t len, struct notices *n);
void pyx_facts(struct py_worker *w, struct source *s, const char *text, size_t len, struct notices *n);

/* A dependency row (PEP 508): distribution name normalised by PEP 503, and where its parts stand. */
struct pep508 {
	char name[128];		 /* normalised: lower case, runs of - _ . are one '-' */
	struct span name_span;	 /* in the row */
	struct span version_span; /* the version part, empty where there is none */
	bool has_url, has_marker, has_extras;
};
/* False when the row does not begin with a distribution name. `row` need not be terminated. */
bool pep508_parse(const char *row, size_t len, struct pep508 *out);

#endif
