/* py_build_facts.h - read a text as one language and print its facts, for the tests of build files.
 */
#ifndef PY_BUILD_FACTS_H
#define PY_BUILD_FACTS_H

#include "base/strbuf.h"
#include "py/internal.h"

struct build_run {
	struct arena arena;
	struct intern intern;
	struct source s;
	struct notices notices;
	struct py_worker *w;
	struct repo repo;
	struct strbuf out;
};

/*
 * Facts of `text` into r->s; r->out gets one line a fact: "kind name | text | recv [span] {stmt}",
 * without the parts that are not there, then the notices as "! message". Spans are checked.
 */
void build_read(struct build_run *r, enum lang lang, const char *text, size_t len);
void build_done(struct build_run *r);
/* Read, compare with `want`, and free. */
void build_check(enum lang lang, const char *text, const char *want);
/* Read every prefix of `text`, and much of each of a few hostile units, for the sanitizers to see.
 */
void build_torture(enum lang lang, const char *text, size_t len);

#endif
