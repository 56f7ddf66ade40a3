/* py_python_guards.c - what runs only on a condition, after a test that leaves, or never. */
#include "py_python.h"

#define T      "import torch\n"
#define T_FACT "import torch\n"

UNIT_TEST(py_guard_clause)
{
	facts_are(T "try:\n    a\nexcept torch.E:\n    torch.b\n",
		  T_FACT "use torch.E guard=if\nuse torch.b guard=fallback\n");
	facts_are(T "try:\n    a\nexcept (A, torch.E) as e:\n    pass\n",
		  T_FACT "use torch.E guard=if\n");
	guards_are(T "try:\n    a\nexcept torch.E:\n    pass\n",
		   "try catches=8 [a|except torch.E:\n    pass]\nif [torch.E|]\n");
}

UNIT_TEST(py_guard_suppress)
{
	guards_are("import contextlib\nwith contextlib.suppress(ImportError, X) as s:\n    a\n",
		   "try catches=9 [a|]\n");
	guards_are("from contextlib import suppress as s\nwith f() as g, (s(AttributeError)):\n"
		   "    a\n",
		   "try catches=2 [a|]\n");
	guards_are("import contextlib\nwith contextlib.suppress():\n    a\n", "");
	guards_are("with suppress(ImportError):\n    a\n", "");
	guards_are("import contextlib\nwith contextlib.closing(x):\n    a\n", "");
	facts_are("from contextlib import suppress\nwith suppress(ImportError):\n"
		  "    import torch\n    def f(): torch.a\n",
		  "import contextlib.suppress from\nimport torch try-import guard=try\n"
		  "use torch.a function closure in=f guard=try\n");
}

UNIT_TEST(py_guard_other_tests)
{
	guards_are(T "if hasattr(torch, 'a') and x:\n    torch.b\n",
		   "hasattr torch.a [x|]\nhasattr torch.a [torch.b|]\nif in=1 [torch.b|]\n");
	guards_are(T "if x and hasattr(torch, 'a'):\n    torch.b\n",
		   "if [hasattr(torch, 'a')|]\nhasattr torch.a [torch.b|]\nif in=1 [torch.b|]\n");
	guards_are(T "if not hasattr(torch, 'a') or x:\n    b\nelse:\n    torch.c\n",
		   "hasattr torch.a [x|]\n"
		   "hasattr torch.a [else:\n    torch.c|b]\n"
		   "fallback in=1 negated [else:\n    torch.c|b]\n");
	guards_are(T "if hasattr(torch, 'a') and hasattr(torch, 'b'):\n    torch.c\n",
		   "hasattr torch.a [hasattr(torch, 'b')|]\n"
		   "hasattr torch.a [torch.c|]\nhasattr in=1 torch.b [torch.c|]\n");
	facts_are("if TYPE_CHECKING and x:\n    import torch\n",
		  "import torch checking guard=if\n");
	facts_are("from typing import TYPE_CHECKING as T\nif T:\n    import torch\n",
		  "import typing.TYPE_CHECKING from text=T\nimport torch checking guard=type-checking\n");
	facts_are("if False:\n    import torch\nelif True:\n    import torch.a\nelse:\n    import torch.b\n",
		  "import torch checking guard=type-checking\nimport torch.a guard=if\n"
		  "import torch.b checking guard=type-checking\n");
}

UNIT_TEST(py_guard_operands)
{
	facts_are(T "torch.a and torch.b and torch.c\ntorch.d or torch.e\n",
		  T_FACT "use torch.a\nuse torch.b guard=if\nuse torch.c guard=if\nuse torch.d\n"
			 "use torch.e guard=fallback\n");
	facts_are(T "x = hasattr(torch, 'x') and torch.x\ny = not hasattr(torch, 'y') or torch.y\n",
		  T_FACT "use torch\nuse torch.x guard=hasattr\nuse torch\n"
			 "use torch.y guard=hasattr\n");
	facts_are(T "z and hasattr(torch, 'x') and torch.x\n",
		  T_FACT "use torch guard=if\nuse torch.x guard=if\n");
	facts_are(T "__name__ == '__main__' and torch.x()\n", T_FACT "use torch.x call guard=if\n");
}

UNIT_TEST(py_guard_early_exit)
{
	guards_are(T "def f():\n    if not hasattr(torch, 'a'):\n        return\n    torch.a\n"
		     "    if x: return\n    b\nc\n",
		   "hasattr torch.a negated [return|]\n"
		   "hasattr torch.a [torch.a\n    if x: return\n    b|return]\n");
	guards_are(T "for x in y:\n    if hasattr(torch, 'a'): continue\n    b\n",
		   "hasattr torch.a [continue|]\nhasattr torch.a negated [b|continue]\n");
	guards_are(T "def f():\n    if torch.__version__ < '2':\n        raise E\n    b\n",
		   "version torch.__version__ [raise E|]\n"
		   "version torch.__version__ negated [b|raise E]\n");
	guards_are(T "def f():\n    if hasattr(torch, 'a'): b\n    else: return\n    c\n",
		   "hasattr torch.a [b|else: return]\n"
		   "hasattr torch.a negated [else: return|b]\n"
		   "hasattr torch.a [c|else: return]\n");
	guards_are(T "def f():\n    if x: return\n    elif not hasattr(torch, 'a'): break\n    c\n",
		   "fallback negated [elif not hasattr(torch, 'a'): break|return]\n"
		   "hasattr in=0 torch.a negated [break|]\nhasattr torch.a [c|break]\n");
	guards_are(T "def f():\n    if x: b\n    elif not hasattr(torch, 'a'): return\n    c\n",
		   "fallback negated [elif not hasattr(torch, 'a'): return|b]\n"
		   "hasattr in=0 torch.a negated [return|]\n");
	guards_are(T "if not hasattr(torch, 'a'):\n    raise E\nb\n",
		   "hasattr torch.a negated [raise E|]\n");
	facts_are(T "def f():\n    if not hasattr(torch, 'a') or x:\n        return None\n"
		    "    torch.a\n    def g(): torch.b\ntorch.c\n",
		  T_FACT "use torch function condition in=f\n"
			 "use torch.a function in=f guard=hasattr\n"
			 "use torch.b function in=f.g guard=hasattr\nuse torch.c\n");
	facts_are(T "def f():\n    if x: return\n    torch.a\n",
		  T_FACT "use torch.a function in=f\n");
}

UNIT_TEST(py_dead_code)
{
	facts_are(T "def f():\n    return torch.a\n    torch.b\n    if x:\n        torch.c\n"
		    "    def g(): torch.d\ntorch.e\n",
		  T_FACT "use torch.a function in=f\nuse torch.b function checking in=f\n"
			 "use torch.c function checking in=f guard=if\n"
			 "use torch.d function checking in=f.g\nuse torch.e\n");
	facts_are(T "for x in y:\n    if z:\n        break\n        torch.a\n    torch.b\n"
		    "    continue\n    torch.c\nelse:\n    torch.d\n",
		  T_FACT "use torch.a checking loop guard=if\nuse torch.b loop\n"
			 "use torch.c checking loop\n"
			 "use torch.d\n");
	facts_are(T "torch.a\nraise E\ntorch.b\n", T_FACT "use torch.a\nuse torch.b checking\n");
	facts_are(T "def f():\n    try:\n        return\n    finally:\n        torch.a\n",
		  T_FACT "use torch.a function in=f\n");
}

UNIT_TEST(py_parameter_types)
{
	static const struct {
		const char *annotation, *text;
	} rows[] = {{"int", "int"},   {"str", "str"},
		    {"Tensor", NULL}, {"torch.Size", "torch.Size"},
		    {"own", NULL},    {"int | None", "int"},
		    {"'int'", "int"}, {"list[int]", NULL},
		    {"Optional[int]", "int"}, {"'int | None'", "int"},
		    {"int | str", NULL}, {"'own'", NULL}};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct py_test t;
		const char *text, *got;

		py_test_init(&t);
		text = arena_fmt(&t.a, "import torch\nown = 1\ndef f(a: %s): pass\n",
				 rows[i].annotation);
		py_facts(t.w, &t.source, text, strlen(text), &t.notices);
		ck_assert_int_eq(t.source.defs[0].nr_params, 1);
		got = t.source.defs[0].params[0].text;
		ck_assert_msg(rows[i].text ? got && !strcmp(got, rows[i].text) : !got, "%s: %s",
			      rows[i].annotation, got ? got : "none");
		py_test_free(&t);
	}
}

/* The range of `if CONDITION: b`. */
static void range_is_at(int line, const char *condition, const char *range)
{
	char text[400], expected[400];

	snprintf(text, sizeof(text), T "if %s: b\n", condition);
	snprintf(expected, sizeof(expected), "version torch.__version__%s%s [b|]\n",
		 *range ? " " : "", range);
	guards_are_at(line, text, expected);
}

#define range_is(condition, range) range_is_at(__LINE__, condition, range)

UNIT_TEST(py_guard_version_range)
{
	range_is("torch.__version__ < '1.12.0a'", "<1.12.0");
	range_is("'1.12' <= torch.__version__", ">=1.12");
	range_is("parse(torch.__version__) != parse('2.0')", "!=2.0");
	range_is("(1, 12) > tuple(int(n) for n in torch.__version__.split('.')[:2])", "<1.12");
	range_is("float(torch.__version__[:3]) >= (1.5)", ">=1.5");
	range_is("torch.__version__ == f('1.5')", "==1.5");
	range_is("int(torch.__version__.split('.')[1]) >= 12", "1>=12");
	range_is("2 > int(torch.__version__.split('.')[0])", "0<2");
	/* What is compared is nothing that is known. */
	range_is("torch.__version__.split('.')[1] >= 12", "");
	range_is("int(torch.__version__.split('+')[1]) >= 12", "");
	range_is("int(torch.__version__.split('.')[-1]) >= 12", "");
	range_is("len(torch.__version__) >= 12", "");
	range_is("torch.__version__ < '2'", "");
	range_is("torch.__version__ in ('1.2', '1.3')", "");
	range_is("'1.2' < torch.__version__ < '1.3'", "");
	range_is("torch.__version__ < oldest", "");
	range_is("torch.__version__ < f('1.5', 2)", "");
	range_is("g(torch.__version__) < (0x1, 2)", "");
	range_is("g(torch.__version__) < (111111111111, 111111111111)", "");
}

UNIT_TEST(py_guard_version_range_by_name)
{
	guards_are(T "MINOR = int(torch.__version__.split('.')[1])\nNEW = MINOR >= 4\nif NEW: b\n",
		   "version torch.__version__ 1>=4 [b|]\n");
	guards_are(T "V = torch.__version__.split('.')\nMAJOR = int(V[0])\nif MAJOR < 2: b\n",
		   "version torch.__version__ 0<2 [b|]\n");
}
