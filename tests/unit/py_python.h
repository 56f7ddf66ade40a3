/*
 * py_python.h - a Python text and the facts expected of it, a line each.
 *
 *	facts_are("import torch\ntorch.x()\n",
 *		  "import torch\n"
 *		  "use torch.x call\n");
 *
 * A line is the fact's kind, name and flag words; then recv=, text= (imports: only when the bound
 *name differs from the first part), in=SYMBOL, guard=KIND and args in parentheses. Dependency rows
 *show text and recv.
 */
#ifndef PY_PYTHON_H
#define PY_PYTHON_H

#include "model.h"
#include "py/py.h"

#include "unit.h"

struct py_test {
	struct arena a;
	struct intern names;
	struct vocab vocab;
	struct repo repo;
	struct notices notices;
	struct source source;
	struct py_worker *w;
};

/* Module "pkg.mod" of a repository that defines "pkg"; vocabulary of a small framework. */
void py_test_init(struct py_test *t);
void py_test_free(struct py_test *t);
/* A further file of the repository, with facts; module and is_package follow from the path. */
struct source *py_test_file(struct py_test *t, const char *path, const char *text);
/* Facts of the source as text; lives in the test's arena. */
const char *py_test_print(struct py_test *t, const struct source *s);

void facts_are_at(int line, const char *text, const char *expected);
void guards_are_at(int line, const char *text, const char *expected);
#define facts_are(text, expected)  facts_are_at(__LINE__, text, expected)
#define guards_are(text, expected) guards_are_at(__LINE__, text, expected)

#endif
