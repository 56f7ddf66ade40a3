/* walk.h - between the contexts of the walk (python.c) and what becomes of single nodes (walk.c).
 */
#ifndef PY_WALK_H
#define PY_WALK_H

#include "py/file.h"

/* Alternatives of one if that nest their guards; later ones stand in the last guard made. */
#define ALTERNATIVES_MAX 64

/* The state of an if statement that stands in `guard`, made at its first alternative. */
struct alternative *alternative_of(struct pyfile *f, uint32_t owner, int guard);

/* Write the facts of node i; returns the node to go on with. */
uint32_t walk_node(struct pyfile *f, uint32_t i, const struct context *c);

/* Flags that follow from the nearest parents of an expression. */
uint32_t place_flags(struct pyfile *f, const struct context *c, uint32_t i);

/* Names in a quoted annotation, or the literal itself when it names something below a root:
 * strings.c. */
void walk_string(struct pyfile *f, uint32_t i, const struct context *c);

/* Say where the string node of a fact stands; see FACT_STRING: place.c. */
void place_string(struct pyfile *f, const struct context *c, uint32_t i, struct fact *fact);

/* Note at the function what the return statement gives: returns.c. */
void walk_return(struct pyfile *f, uint32_t i, const struct context *c);
/* Give what was noted to the definitions of the source. */
void returns_finish(struct pyfile *f);

/* Entry points that a keyword argument of setup() lists: entries.c. */
void entries_node(struct pyfile *f, uint32_t keyword, const struct context *c);

/*
 * Dependency rows of a node that gives a table: keyword argument, assignment, dict entry, call of
 * append or extend; other nodes give nothing: rows.c.
 */
void rows_node(struct pyfile *f, uint32_t node, const struct context *c);

/*
 * The sources of an extension call as far as the text tells them: the argument becomes VALUE_LIST
 * with one path or glob pattern a line as text, relative to the folder of the file: paths.c.
 */
void static_sources(struct pyfile *f, uint32_t scope, uint32_t args, struct fact *fact);

#endif
