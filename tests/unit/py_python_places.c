/*
 * py_python_places.c - where facts stand: strings and what stands with them, operands, loops, switches;
 * what does not run; what functions return; objects in place of functions; classes that are open.
 */
#include "py_python.h"

#include "base/strbuf.h"

#define T      "import torch\n"
#define T_FACT "import torch\n"

UNIT_TEST(py_string_arguments)
{
	facts_are("f(['torch.a'], k=('torch.b'))\n",
		  "string torch.a recv=argument text=f (list)\n"
		  "string torch.b recv=argument text=f (k=string:torch.b)\n");
	facts_are(T "torch.g('torch.a')\nx.h('torch.b')\nx.y().h('torch.c')\n",
		  T_FACT "use torch.g call (string:torch.a)\n"
			 "string torch.a recv=argument text=torch.g (string:torch.a)\n"
			 "string torch.b recv=argument text=.h (string:torch.b)\n"
			 "string torch.c recv=argument text=.y.h (string:torch.c)\n");
	facts_are("str(x.dtype).split('torch.')\nstr(x).split('torch.')\n",
		  "string torch. recv=argument text=str(.dtype).split (string:torch.)\n"
		  "string torch. recv=argument text=str().split (string:torch.)\n");
	facts_are("class A(f('torch.a'), k='torch.b'): pass\n",
		  "class A (call, k=string:torch.b)\nstring torch.a recv=argument text=f (string:torch.a)\n"
		  "string torch.b recv=other\n");
}

UNIT_TEST(py_string_comparisons)
{
	facts_are("str(x.dtype) == 'torch.a'\n'torch.b' in repr(x)\n",
		  "string torch.a compare recv=compare text=str(.dtype)\n"
		  "string torch.b compare recv=compare text=repr()\n");
	facts_are("str(x.dtype) in ('torch.a', ['torch.b'])\n",
		  "string torch.a recv=compare text=str(.dtype)\n"
		  "string torch.b recv=compare text=str(.dtype)\n");
	facts_are("s = str(x.dtype)\nif s == 'torch.a': pass\n",
		  "string torch.a condition compare recv=compare text=str(.dtype)\n");
	facts_are("s = str(x.dtype).split('.')[-1]\ns != 'torch.a'\n",
		  "string torch.a compare recv=compare text=str(.dtype).split\n");
	facts_are("s = str(x.dtype)\ns = y\ns == 'torch.a'\nx.dtype == 'torch.b'\n",
		  "string torch.a compare recv=compare text=s\n"
		  "string torch.b compare recv=compare text=.dtype\n");
	facts_are("def str(x): pass\nstr(x.dtype) == 'torch.a'\n",
		  "string torch.a compare recv=compare text=str\n");
	facts_are(T "x = torch.zeros(3)\nstr(x) == 'torch.a'\nstr(x, 1) == 'torch.b'\n",
		  T_FACT "use torch.zeros call (number:3)\n"
			 "string torch.a compare recv=compare text=str(torch.Tensor)\n"
			 "string torch.b compare recv=compare text=str\n");
	facts_are("match str(x.dtype):\n    case 'torch.a': pass\n",
		  "string torch.a recv=compare text=str(.dtype)\n");
	/* a name that leads to itself, and a long chain of names */
	facts_are("x = x['a']\nx == 'torch.a'\n", "string torch.a compare recv=compare text=x\n");
	facts_are("a = b()['']\nb = c()['']\nc = d()['']\nd = a()['']\na == 'torch.a'\n",
		  "string torch.a compare recv=compare text=b\n");
}

UNIT_TEST(py_string_other_places)
{
	facts_are("{'torch.a': 1, 2: 'torch.b'}\n{k: 'torch.c' for k in x}\n",
		  "string torch.a recv=key\nstring torch.b recv=value\nstring torch.c loop recv=value\n");
	facts_are("x['torch.a']\ndef f(p='torch.b'): return 'torch.c'\n",
		  "string torch.a index recv=subscript text=x\n"
		  "string torch.b default recv=default text=p\n"
		  "string torch.c function recv=return in=f\n");
	facts_are("x.y += ['torch.a']\n'torch.b' + z\n",
		  "string torch.a recv=assign text=.y\nstring torch.b arithmetic recv=other\n");
}

UNIT_TEST(py_list_text)
{
	facts_are(T "torch.f(['a', 'b'], ('c',), {'d'}, k=['x\\ny'])\n",
		  T_FACT "use torch.f call (list:a\nb, list:c, list:d, k=list:x\ny)\n");
	facts_are(T "torch.f(['a', b], [], ['a' 'b'], [f'{x}'], [b'x'], [1])\n",
		  T_FACT "use torch.f call (list, list, list, list, list, list)\n");
}

UNIT_TEST(py_operands)
{
	facts_are(T "torch.a() // 2\n-torch.b()\nx += torch.c()\n(torch.d()) % n\n",
		  T_FACT "use torch.a call arithmetic\nuse torch.b call arithmetic\n"
			 "use torch.c call arithmetic\nuse torch.d call arithmetic\n");
	facts_are(T "torch.a() | torch.b()\nx[torch.c()]\nx[1:torch.d()]\nx[y, torch.e()]\n",
		  T_FACT "use torch.a call union\nuse torch.b call union\nuse torch.c call index\n"
			 "use torch.d call index\nuse torch.e call index\n");
	facts_are(T "f(torch.a()) + 1\ntorch.b()[0] + 1\n",
		  T_FACT "use torch.a call\nuse torch.b call subscript\n");
}

UNIT_TEST(py_loops)
{
	facts_are(T "for x in torch.a:\n    torch.b\n    def f(y=torch.c): torch.d\nelse:\n    torch.e\n",
		  T_FACT "use torch.a\nuse torch.b loop\nuse torch.c default loop\n"
			 "use torch.d function in=f\nuse torch.e\n");
	facts_are(T "while torch.a:\n    torch.b\n    lambda: torch.c\n",
		  T_FACT "use torch.a condition loop\nuse torch.b loop\nuse torch.c function\n");
	facts_are(T "[torch.a for x in torch.b if torch.c for y in torch.d]\n",
		  T_FACT "use torch.a loop\nuse torch.b\nuse torch.c loop\nuse torch.d loop\n");
	facts_are(T "for x in y:\n    [z for z in torch.a]\n{torch.b: 1 for z in y}\n",
		  T_FACT "use torch.a loop\nuse torch.b loop\n");
}

UNIT_TEST(py_guard_switch)
{
	guards_are("import paddle\nwith paddle.guard(scope={'a'}):\n    import torch\n",
		   "switch paddle.guard [import torch|paddle.guard(scope={'a'})]\n");
	guards_are("from paddle import guard as g\nwith open(x) as f, g(enable=False) as h:\n    a\n",
		   "switch paddle.guard negated [a|g(enable=False)]\n");
	guards_are("import paddle, contextlib\n"
		   "with contextlib.suppress(ImportError), paddle.guard():\n    a\n",
		   "try catches=1 [a|]\nswitch in=0 paddle.guard [a|paddle.guard()]\n");
	guards_are("import paddle\nwith paddle.other():\n    a\nwith guard():\n    b\n", "");
	facts_are("import paddle\nwith paddle.guard():\n    import torch\n    def f(): torch.a\nimport b\n",
		  "import paddle\nuse paddle.guard call\nimport torch guard=switch\n"
		  "use torch.a function closure in=f guard=switch\nimport b\n");
}

UNIT_TEST(py_never_returns)
{
	facts_are(T "import sys\ndef f():\n    sys.exit(1)\n    torch.a\n",
		  T_FACT "import sys\nuse torch.a function checking in=f\n");
	facts_are("import pytest as p\np.skip('x', allow_module_level=True)\nimport torch\n",
		  "import pytest text=p\nimport torch checking\n");
	facts_are(T "if x:\n    quit()\n    torch.a\ntorch.b\n",
		  T_FACT "use torch.a checking guard=if\nuse torch.b\n");
	facts_are(T "class A:\n    def f(self):\n        self.skipTest('x')\n        torch.a\n"
		    "    def g(self):\n        x.skipTest('x')\n        torch.b\n",
		  T_FACT "class A\nuse torch.a function checking in=A.f\n"
			 "use torch.b function in=A.g\n");
	facts_are(T "def quit(): pass\ndef f():\n    quit()\n    torch.a\n"
		    "def g():\n    x.exit()\n    torch.b\n",
		  T_FACT "use torch.a function in=f\nuse torch.b function in=g\n");
	facts_are(T "import sys\ndef f():\n    x = sys.exit()\n    y or sys.exit()\n    torch.a\n",
		  T_FACT "import sys\nuse torch.a function in=f\n");
	guards_are(T "import pytest\ndef f():\n    if not hasattr(torch, 'a'):\n"
		     "        pytest.skip('x')\n    b\n",
		   "hasattr torch.a negated [pytest.skip('x')|]\n"
		   "hasattr torch.a [b|pytest.skip('x')]\n");
}

UNIT_TEST(py_never_run)
{
	facts_are(T "import unittest\n@unittest.skip('x')\ndef f(a=torch.a): torch.b\ntorch.c\n",
		  T_FACT "import unittest\nuse torch.a default\nuse torch.b function checking in=f\n"
			 "use torch.c\n");
	facts_are(T "from unittest import skip\n@skip\nclass A:\n    torch.a\n    def f(self): torch.b\n"
		    "class B:\n    def f(self): torch.c\n",
		  T_FACT "import unittest.skip from\nclass A\nuse torch.a in=A\n"
			 "use torch.b function checking in=A.f\nclass B\nuse torch.c function in=B.f\n");
	facts_are(T "import unittest\n@unittest.skipIf(x)\ndef f(): torch.b\n",
		  T_FACT "import unittest\nuse torch.b function in=f\n");
}

UNIT_TEST(py_object_makers)
{
	facts_are(T "@torch.library.custom_op('n::f', mutates_args=())\ndef f(x): pass\n"
		    "f(1)\n@f.register_fake\ndef g(x): pass\ng(1)\n",
		  T_FACT "use torch.library.custom_op call decorator (string:n::f, mutates_args=list)\n"
			 "use torch.library.custom_op() call text=f (number:1)\n"
			 "use torch.library.custom_op().register_fake decorator text=f\n");
	facts_are(T "f = torch.library.custom_op('n::f', g)\nf(1)\n"
		    "h = torch.library.custom_op('n::f', mutates_args=())\nh(1)\n",
		  T_FACT "use torch.library.custom_op call (string:n::f, name:g)\n"
			 "use torch.library.custom_op() call text=f (number:1)\n"
			 "use torch.library.custom_op call (string:n::f, mutates_args=list)\n");
	facts_are(T "@x\n@torch.library.custom_op('n::f')\ndef f(x): pass\nf(1)\n",
		  T_FACT "use torch.library.custom_op call decorator (string:n::f)\n");
	facts_are(T "@torch.no_grad()\ndef f(x): pass\nf(1)\n",
		  T_FACT "use torch.no_grad call decorator\n");
}

UNIT_TEST(py_open_classes)
{
	facts_are(T "class A(torch.nn.Module):\n    def f(self): self.cuda_stream\n",
		  T_FACT "class A (name:torch.nn.Module)\nuse torch.nn.Module base\n"
			 "member cuda_stream function recv=torch.nn.Module text=self in=A.f\n");
	facts_are(T "class A(torch.nn.Module):\n    def __getattr__(self, n): pass\n"
		    "    def f(self): self.cuda_stream\n",
		  T_FACT "class A (name:torch.nn.Module)\nuse torch.nn.Module base\n"
			 "member cuda_stream function text=self in=A.f\n");
	facts_are(T "class A(torch.nn.Module, metaclass=M):\n    def f(self): self.cuda_stream\n",
		  T_FACT "class A (name:torch.nn.Module, metaclass=name:M)\nuse torch.nn.Module base\n"
			 "member cuda_stream function text=self in=A.f\n");
}

/* What each return of a text gives: "NR(kind kind ...)", and what def_gives() says of the first function. */
static void returns_are_at(int line, const char *text, const char *expected)
{
	struct strbuf sb = STRBUF_INIT;
	struct py_test t;
	int min = 0, max = 0, v;
	size_t i, k;

	py_test_init(&t);
	strbuf_addf(&sb, "import torch\n%s", text);
	py_facts(t.w, &t.source, sb.buf, sb.len, &t.notices);
	strbuf_reset(&sb);
	for (i = 0; i < t.source.nr_defs; i++) {
		const struct def *d = &t.source.defs[i];

		for (k = 0; k < d->nr_returns; k++) {
			strbuf_addf(&sb, "%d(", d->returns[k].nr);
			for (v = 0; v < d->returns[k].nr; v++)
				strbuf_addf(&sb, "%s%s", v ? " " : "",
					    value_kind_name(d->returns[k].values[v].value));
			if (d->returns[k].rest) {
				const struct arg *rest =
					&d->returns[k].values[d->returns[k].nr_first];

				strbuf_addf(&sb, "%d+%s", d->returns[k].nr_first,
					    rest->text ? rest->text : value_kind_name(rest->value));
			}
			strbuf_addstr(&sb, ") ");
		}
	}
	if (t.source.nr_defs && def_gives(&t.source.defs[0], &min, &max))
		strbuf_addf(&sb, "= %d..%d", min, max);
	else
		strbuf_addstr(&sb, "= ?");
	ck_assert_msg(!strcmp(sb.buf, expected), "line %d: for\n%s\nexpected %s\ngot      %s", line, text,
		      expected, sb.buf);
	strbuf_release(&sb);
	py_test_free(&t);
}
#define returns_are(text, expected) returns_are_at(__LINE__, text, expected)

UNIT_TEST(py_returns)
{
	returns_are("def f(g): return g, None\n", "2(name none) = 2..2");
	returns_are("def f(g, h=1): return (g * 2, None, h)\n", "3(other none name) = 3..3");
	returns_are("def f(g):\n    if g: return g\n    return g, None\n", "1(name) 2(name none) = 1..2");
	returns_are("def f(g): return g, *((None,) * 5)\n", "6(name none none none none none) = 6..6");
	returns_are("def f(g): return g, *(None, g), g\n", "4(name none name name) = 4..4");
	returns_are("def f(g): return (g, *(None,) * 2)\n", "3(name none none) = 3..3");
	returns_are("def f(g): return (g,) + (None,) * 2\n", "3(name none none) = 3..3");
	returns_are("def f(g):\n    r = (g, None)\n    return r\n", "2(name none) = 2..2");
	returns_are("def f(g):\n    n = None\n    return g, n\n", "2(name none) = 2..2");
	returns_are("def f(g): return\n", "0() = 0..0");
	returns_are("def f(g): return None\n", "1(none) = 1..1");
	returns_are("def f(g):\n    x = torch.zeros(3)\n    return x\n", "1(name) = 1..1");
	returns_are("def f(g): return g @ g if g else None\n", "1(other) = 1..1");
	returns_are("def f(g):\n    def h(): return 1, 2\n    return -g\n", "1(other) 2(number number) = 1..1");
	returns_are("class C: pass\n", "= ?");
}

UNIT_TEST(py_returns_unknown)
{
	returns_are("def f(g): return g, *h(g)\n", "-1() = ?");
	returns_are("def f(g): return *x, g\n", "-1() = ?");
	returns_are("def f(g): return (g, *x) + (g,)\n", "-1() = ?");
	returns_are("def f(g): return h(g)\n", "-1() = ?");
	returns_are("def f(*g): return g\n", "-1() = ?");
	returns_are("def f(g):\n    r = g, 1\n    if g: r = g\n    return r\n", "-1() = ?");
	returns_are("def f(g): return x\n", "-1() = ?");
	returns_are("def f(g):\n    r = h(g)\n    return r * 2\n", "-1() = ?");
	returns_are("def f(g): return (g,) * n\n", "-1() = ?");
	returns_are("def f(g): return (g,) * 1000000000000\n", "-1() = ?");
	returns_are("def f(g): return [g, g]\n", "-1() = ?");
	returns_are("def f(g): yield g\n", "= ?");
	returns_are("def f(g):\n    r = (*r, g)\n    return r\n", "-1() = ?");
}

UNIT_TEST(py_returns_rest)
{
	returns_are("def f(g): return g, *x\n", "-1(1+x) = ?");
	returns_are("def f(g): return (None, *(g, 1), *x)\n", "-1(3+x) = ?");
	returns_are("def f(g): return (*x,)\n", "-1(0+x) = ?");
	returns_are("def f(g):\n    r = g, 1\n    return g, *r[1]\n", "-1(1+other) = ?");
	returns_are("def f(g):\n    x = [h(g), *g]\n    return (g, g, *x)\n", "-1(2+x) = ?");
	returns_are("def f(g): return (g, *torch.a(g))\n", "-1(1+torch.a) = ?");
}

/* A star before brackets, which the grammar cannot read. */
UNIT_TEST(py_mended)
{
	static const struct {
		const char *text;
		enum analysis analysis;
	} rows[] = {
		{"def f(a): return a, *(torch.b, a)\n", ANALYSIS_FULL},
		{"x = *(a), torch.b\n", ANALYSIS_FULL},
		{"x = a, *[1][0], torch.b\n", ANALYSIS_FULL},
		{"for x in a, *(torch.b,): pass\n", ANALYSIS_FULL},
		{"x = a, *[], torch.b\n", ANALYSIS_PARTIAL},
		{"x = a,*(torch.b)\n", ANALYSIS_PARTIAL},
		{"x = a, *(torch.b), )\n", ANALYSIS_PARTIAL},
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct py_test t;

		py_test_init(&t);
		py_facts(t.w, &t.source, rows[i].text, strlen(rows[i].text), &t.notices);
		ck_assert_msg(t.source.analysis == rows[i].analysis, "%s", rows[i].text);
		ck_assert_int_eq(t.notices.nr, t.source.analysis == ANALYSIS_PARTIAL);
		py_test_free(&t);
	}
	facts_are(T "x = y, *(torch.a), ', *(torch.b'\n'torch.c' + f(', *(torch.d)')\n",
		  T_FACT "use torch.a\nstring torch.c arithmetic recv=other\n");
	facts_are(T "_ = torch.b\nx = y, *(torch.a)\n", T_FACT "use torch.b\nuse torch.a\n");
}

UNIT_TEST(py_mended_shape)
{
	struct arena a = {0};
	struct shape *s = py_shape(&a, "def f(a):\n    return a, *(b, c)\n", 32);

	ck_assert(s->ok);
	ck_assert_int_eq(s->nr_stmts, 2);
	ck_assert(!strncmp(s->text + 24, "*(b", 3));
	arena_free(&a);
}
