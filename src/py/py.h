/*
 * py.h - Python and build files: text -> facts, links between files, shapes on demand.
 *
 * The only folder that includes tree_sitter/api.h. No tree outlives a call.
 */
#ifndef PY_PY_H
#define PY_PY_H

#include "model.h"

/* What one thread needs: parsers and scratch. Facts and names live in `arena` and `intern`. */
struct py_worker;

struct py_worker *py_worker_new(const struct vocab *vocab, const struct repo *repo,
				struct arena *arena, struct intern *intern);
void py_worker_free(struct py_worker *w);

/*
 * Fill facts, guards, defs, exports and analysis of `s` from its bytes, by s->lang (Python, stub, Cython,
 * TOML, CMake, requirements, cfg; others are left alone). What could not be read becomes a notice
 * (appended to *notices in the worker's arena) and analysis says partial.
 */
void py_facts(struct py_worker *w, struct source *s, const char *text, size_t len,
	      struct notices *notices);

/*
 * Link: resolve re-exports over files (facts whose name begins in a repository module become framework
 * names where they lead there; else they get F_INTERNAL), reach over imports, repo->scope, build helpers
 * (ROLE_BUILD_HELPER), extensions declared in build scripts. Serial; new text lives in `a`.
 */
void py_link(struct repo *repo, const struct vocab *vocab, struct arena *a);

/* The shape of a Python text; everything lives in `a`. Never NULL; ->ok is false when it did not parse. */
struct shape *py_shape(struct arena *a, const char *text, size_t len);

/* For the benchmark: parse and throw away. Nodes of the tree. */
size_t py_parse_only(struct py_worker *w, const char *text, size_t len);

#endif
