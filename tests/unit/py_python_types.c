/*
 * py_python_types.c - receivers: each way to know a class, and what must stay unknown; names that
 * are watched; getattr.
 */
#include "py_python.h"

#include "base/strbuf.h"

/* What is known of the receivers of the members m, m1, m2, ... of a text: "m=CLASS" each. */
static void receivers_are_at(int line, const char *text, const char *expected)
{
	struct strbuf sb = STRBUF_INIT;
	struct py_test t;
	size_t i;

	py_test_init(&t);
	strbuf_addf(&sb, "import torch\nimport torch.distributed as dist\n%s", text);
	py_facts(t.w, &t.source, sb.buf, sb.len, &t.notices);
	strbuf_reset(&sb);
	for (i = 0; i < t.source.nr_facts; i++) {
		const struct fact *f = &t.source.facts[i];

		if (f->kind == FACT_MEMBER && *f->name == 'm' && strlen(f->name) < 3)
			strbuf_addf(&sb, "%s%s=%s", sb.len ? " " : "", f->name,
				    f->recv ? f->recv : "?");
	}
	ck_assert_msg(!strcmp(sb.buf, expected), "line %d: for\n%s\nexpected %s\ngot      %s", line,
		      text, expected, sb.buf);
	strbuf_release(&sb);
	py_test_free(&t);
}
#define receivers_are(text, expected) receivers_are_at(__LINE__, text, expected)

#define TENSOR                        "torch.Tensor"
#define STREAM                        "torch.cuda.Stream"
#define GROUP                         "torch.distributed.ProcessGroup"

UNIT_TEST(py_type_annotations)
{
	receivers_are("def f(x: torch.Tensor): x.m()\n", "m=" TENSOR);
	receivers_are("def f(x: Optional[torch.Tensor] = None): x.m\n", "m=" TENSOR);
	receivers_are("def f(x: torch.Tensor | None): x.m\n", "m=" TENSOR);
	receivers_are("def f(x: 'torch.Tensor'): x.m\n", "m=" TENSOR);
	receivers_are("def f(x: 'Optional[torch.Tensor]'): x.m\n", "m=" TENSOR);
	receivers_are("def f(x: 'typing.Optional[dist.ProcessGroup]'): x.m\n", "m=" GROUP);
	receivers_are("def f(x: 'torch.Tensor | None', y: ' None | torch.Tensor '): x.m; y.m1\n",
		      "m=" TENSOR " m1=" TENSOR);
	receivers_are("def f(x: Optional['torch.Tensor']): x.m\n", "m=" TENSOR);
	receivers_are("x: torch.Tensor = g()\nx.m\n", "m=" TENSOR);
	receivers_are("x: torch.Tensor\nx = torch.zeros(3)\nx.m\n", "m=" TENSOR);
	/* unknown */
	receivers_are("def f(x: torch.Tensor | int, y: 'torch.Tensor | int'): x.m; y.m1\n", "");
	receivers_are("def f(x: List[torch.Tensor], y: 'List[torch.Tensor]'): x.m; y.m1\n", "");
	receivers_are("def f(*x: torch.Tensor, **y: torch.Tensor): x.m; y.m1\n", "");
	receivers_are("x: torch.Tensor\nx = g()\nx.m\n", "");
	receivers_are("def f(x): x.m\n", "");
	receivers_are("def f(x=torch.zeros(3)): x.m\n", "");
}

UNIT_TEST(py_type_by_use)
{
	receivers_are("def f(x): x.contiguous().m()\n", "m=" TENSOR);
	receivers_are("def f(x):\n    y = g(x)[0].contiguous().view(3)\n    y.m\n", "m=" TENSOR);
	receivers_are("def f(x):\n    x.m1\n    x.detach().n\n", "m1=" TENSOR);
	/* a module that a star import brings */
	receivers_are("from a import *\nfrom b import *\nF.contiguous().m()\n", "");
	receivers_are("from a import *\nfrom b import *\nF = g()\nF.contiguous().m()\n", "m=" TENSOR);
	receivers_are("def f(x=None):\n    with g():\n        y = h(x.detach())\n    x.m1\n", "m1=" TENSOR);
	receivers_are("def f(x):\n    x = x.contiguous().view(3)\n    x.m\n", "m=" TENSOR);
	receivers_are("def f(g):\n    x = g()\n    x.detach()\n    x.m\n", "m=" TENSOR);
	/* unknown */
	receivers_are("def f(x):\n    if g: x.detach()\n    x.m\n", "");
	receivers_are("def f(x):\n    y = x.detach() if g else x\n    x.m\n    y.m1\n", "");
	receivers_are("def f(x):\n    try: x.detach()\n    except E: pass\n    x.m\n", "");
	receivers_are("def f(x):\n    x = g(x)\n    x.detach()\n    x.m\n", "");
	receivers_are("def f(x):\n    x = g(x.detach())\n    x.m\n", "");
	receivers_are("def f(x):\n    y = lambda: x.detach()\n    x.m\n", "");
	receivers_are("def f(x): x.to(3).m()\n", "");
	receivers_are("def f(x):\n    x.detach\n    x.m\n", "");
	receivers_are("def f(x):\n    x.detach()\n    x.m\nclass C:\n    def detach(self): pass\n", "");
	receivers_are("x.detach()\nx.m\n", "");
	receivers_are("import socket, sys\ndef f():\n    x = socket.socket()\n    x.detach()\n    x.m\n"
		      "    sys.stdout.contiguous().m1\n", "");
}

UNIT_TEST(py_type_calls)
{
	receivers_are("torch.zeros(3).m\n", "m=" TENSOR);
	receivers_are("x = torch.zeros(3)\nx.m(1)\n", "m=" TENSOR);
	receivers_are("s = torch.cuda.current_stream()\ns.m\ntorch.cuda.current_stream().m1\n",
		      "m=" STREAM " m1=" STREAM);
	receivers_are("s = torch.cuda.Stream(priority=1)\ns.m\n", "m=" STREAM);
	receivers_are("from torch.cuda import Event as E\ne = E()\ne.m\n", "m=torch.cuda.Event");
	receivers_are("g = dist.new_group([0])\ng.m()\n", "m=" GROUP);
	receivers_are("d = torch.device('cpu')\nd.m\n", "m=torch.device");
	receivers_are("if a:\n    x = torch.zeros(3)\nelse:\n    x = torch.tensor([1])\nx.m\n",
		      "m=" TENSOR);
	receivers_are("x = None\nif a:\n    x = torch.zeros(3)\nx.m\n", "m=" TENSOR);
	receivers_are("x = torch.zeros(3) if a else None\nx.m\n", "m=" TENSOR);
	receivers_are("y = torch.zeros(3)\nx = y\nx.m\n", "m=" TENSOR);
	/* unknown */
	receivers_are("x = torch.max(y)\nx.m\n", "");
	receivers_are("x = torch.zeros(3)\nx = g()\nx.m\n", "");
	receivers_are("x = torch.zeros(3)\nx = torch.cuda.Stream()\nx.m\n", "");
	receivers_are("x = torch.zeros(3) if a else g()\nx.m\n", "");
	receivers_are("x = [torch.zeros(3)]\nx.m\nx[0].m1\nfor y in x: y.m2\n", "");
	receivers_are("x, y = torch.zeros(3), *z\nx.m\n", "");
	receivers_are("with torch.cuda.Stream() as s: s.m\n", "");
	receivers_are("x = Stream()\nx.m\n", "");
	receivers_are("for x in y:\n    x = torch.zeros(3)\n    x.m\n", "");
	receivers_are("torch.zeros.m\n", "");
}

UNIT_TEST(py_type_chains)
{
	receivers_are("def f(x: torch.Tensor):\n    x.view(1).contiguous().m\n", "m=" TENSOR);
	receivers_are("def f(x: torch.Tensor):\n    x.grad.T.m\n    x.device.m1\n",
		      "m=" TENSOR " m1=torch.device");
	receivers_are("def f(x: torch.Tensor):\n    x = x.contiguous()\n    x = x.view(1) + 1\n"
		      "    x.m\n",
		      "m=" TENSOR);
	receivers_are("def f(x: torch.Tensor):\n    x += g()\n    x.m\n", "m=" TENSOR);
	receivers_are("x = torch.zeros(3)\n(x + y).m\n(2 * x).m1\n(-x).m2\nx[1:].m3\n",
		      "m=" TENSOR " m1=" TENSOR " m2=" TENSOR " m3=" TENSOR);
	receivers_are("x = torch.zeros(3)\ny = x * 2\nz = y[0]\nz.m\n", "m=" TENSOR);
	/* unknown */
	receivers_are("x = torch.zeros(3)\n(y + x).m\n('%s' % x).m1\nx.other().m2\nx.view.m3\n",
		      "");
	receivers_are("def f(x):\n    x = x.view(3)\n    x.m\n", "");
	receivers_are("def f():\n    x = y.view(1)\n    y = x.view(1)\n    x.m\n", "");
	receivers_are("s = torch.cuda.Stream()\ns[0].m\n(s + 1).m1\n", "");
}

#define CLASS "class C:\n"

UNIT_TEST(py_type_attributes)
{
	receivers_are(CLASS "    def __init__(self, g: dist.ProcessGroup):\n"
			    "        self.x = torch.zeros(3)\n        self.g = g\n"
			    "        self.s = None\n        self.s = torch.cuda.Stream()\n"
			    "    def f(self):\n        self.x.m\n        self.g.m1()\n"
			    "        self.s.m2\n        self.x.view(1).m3\n",
		      "m=" TENSOR " m1=" GROUP " m2=" STREAM " m3=" TENSOR);
	receivers_are(CLASS "    x: torch.Tensor\n    def f(self):\n        self.x.m\n",
		      "m=" TENSOR);
	receivers_are(CLASS "    def __init__(self):\n        self.x: torch.Tensor = g()\n"
			    "        self.x.m\n",
		      "m=" TENSOR);
	receivers_are(CLASS "    def __init__(self, x: torch.Tensor):\n        self.x = x\n"
			    "        self.y = self.x.view(1)\n    def f(self, x):\n"
			    "        self.y.m\n        x.m1\n",
		      "m=" TENSOR);
	/* unknown */
	receivers_are(CLASS "    def __init__(self):\n        self.x = torch.zeros(3)\n"
			    "    def f(self):\n        self.x = g()\n        self.x.m\n",
		      "");
	receivers_are(CLASS "    x = 1\n    def f(self):\n        self.x = torch.zeros(3)\n"
			    "        self.x.m\n",
		      "");
	receivers_are(CLASS "    def x(self): pass\n    def f(self):\n        self.x.m\n", "");
	receivers_are(CLASS "    def f(self, other):\n        self.x = torch.zeros(3)\n"
			    "        other.x.m\n",
		      "");
	receivers_are(CLASS "    def f(self):\n        self = torch.zeros(3)\n        self.m\n",
		      "");
	receivers_are(CLASS "    def f(self):\n        self.x, y = torch.zeros(3), 1\n"
			    "        self.x.m\n",
		      "m=" TENSOR);
}

UNIT_TEST(py_type_returns)
{
	receivers_are("def f() -> torch.Tensor: pass\nf().m\nx = f()\nx.m1\n",
		      "m=" TENSOR " m1=" TENSOR);
	receivers_are("def f() -> Optional[torch.Tensor]: pass\nf().m\n", "m=" TENSOR);
	receivers_are("def f() -> 'torch.Tensor': pass\nf().m\n", "m=" TENSOR);
	receivers_are(CLASS "    def f(self) -> torch.Tensor: pass\n    def g(self):\n"
			    "        self.f().m\n",
		      "m=" TENSOR);
	/* unknown */
	receivers_are("def f(): pass\nf().m\n", "");
	receivers_are("@d\ndef f() -> torch.Tensor: pass\nf().m\n", "");
	receivers_are("async def f() -> torch.Tensor: pass\nf().m\n", "");
	receivers_are("def f() -> torch.Tensor: pass\ndef f(): pass\nf().m\n", "");
	receivers_are("def f() -> Tuple[torch.Tensor]: pass\nf().m\nf.m1\n", "");
	receivers_are(CLASS "    def f(self) -> torch.Tensor: pass\n    def g(self):\n"
			    "        self.f = h\n        self.f().m\n",
		      "");
}

UNIT_TEST(py_type_pairs)
{
	receivers_are("def f(p): a, b = p.grad.T, 3; a.m(); b.m1()\n", "m=" TENSOR);
	receivers_are("def f(p: torch.Tensor): (a, b) = (p, dist.new_group()); a.m(); b.m1()\n",
		      "m=" TENSOR " m1=" GROUP);
	receivers_are("def f(p, q): a, b = p.grad, *q; a.m()\n", "");
	receivers_are("def f(p, q): a, b = q; a.m()\n", "");
	receivers_are("import other\ndef f(): a = other.grad; a.m()\n", "");
	receivers_are("def f(p, q): a = p.grad\n    if q: a = q.thing\n    a.m()\n", "");
}

/* Is the first argument of each call of mul_ in a function with this head and body a number? */
static void numbers_are_at(int line, const char *head, const char *body, const char *expected)
{
	struct strbuf sb = STRBUF_INIT;
	struct py_test t;
	size_t i;

	py_test_init(&t);
	strbuf_addf(&sb, "import math\nimport torch\nclass A:\n %s\n  %s\n", head, body);
	py_facts(t.w, &t.source, sb.buf, sb.len, &t.notices);
	strbuf_reset(&sb);
	for (i = 0; i < t.source.nr_facts; i++) {
		const struct fact *f = &t.source.facts[i];

		if (f->kind == FACT_MEMBER && !strcmp(f->name, "mul_"))
			strbuf_addch(&sb, f->args[0].value == VALUE_NUMBER ? 'y' : 'n');
	}
	ck_assert_msg(!strcmp(sb.buf, expected), "line %d: for %s %s\nexpected %s, got %s", line, head,
		      body, expected, sb.buf);
	strbuf_release(&sb);
	py_test_free(&t);
}
#define numbers_are(head, body, expected) numbers_are_at(__LINE__, head, body, expected)

UNIT_TEST(py_numbers)
{
	numbers_are("def f(self, x, a=1.0, b: float = 2, c=None):", "x.mul_(a); x.mul_(-b); x.mul_(c)",
		    "yyn");
	numbers_are("def f(self, x, y):", "x.mul_(2); x.mul_(1 - y); x.mul_(len(y)); x.mul_(math.sqrt(2))",
		    "ynyy");
	numbers_are("def f(self, x, y):", "n = 3; n += 1; x.mul_(1 - n ** 2); n = y; x.mul_(n)", "nn");
	numbers_are("def f(self, m):", "for g in self.param_groups: b, c = g['betas']; m.mul_(1 - b); "
		    "m.mul_(g['lr']); m.mul_(g['params']); m.mul_(g)", "yynn");
	numbers_are("def f(self, m, other):", "for g in other: m.mul_(g['lr'])", "n");
	numbers_are("def f(self, m):", "g = self.param_groups[0]; m.mul_(g['lr'] * 2)", "y");
	numbers_are("def __init__(self, r=0.5, q=None): self.r, self.q = r, q\n def f(self, m):",
		    "m.mul_(1 - self.r); m.mul_(self.q)", "yn");
	numbers_are("def f(self, m, len):", "m.mul_(len(m))", "n");
}

UNIT_TEST(py_type_contexts)
{
	receivers_are("class F(torch.autograd.Function):\n    @staticmethod\n"
		      "    def backward(ctx, g): ctx.m\n",
		      "m=torch.autograd.Function#ctx");
	receivers_are("class F(torch.autograd.Function):\n    def backward(ctx, g): ctx.m\n",
		      "m=torch.autograd.Function");
	receivers_are("class F(torch.autograd.Function):\n    @staticmethod\n"
		      "    def other(ctx, g): ctx.m\n",
		      "");
}

/* ---- hostile ---- */

UNIT_TEST(py_type_deep)
{
	static const char *const pieces[] = {".view(1)", "[0]", ".T", " + x", "()"};
	struct strbuf sb = STRBUF_INIT;
	struct py_test t;
	size_t i;
	int k;

	for (i = 0; i < sizeof(pieces) / sizeof(*pieces); i++) {
		py_test_init(&t);
		strbuf_reset(&sb);
		strbuf_addstr(&sb, "import torch\nx = torch.zeros(3)\ny = x");
		for (k = 0; k < 20000; k++)
			strbuf_addstr(&sb, pieces[i]);
		strbuf_addstr(&sb, "\ny.m\n");
		py_facts(t.w, &t.source, sb.buf, sb.len, &t.notices);
		ck_assert_int_eq(t.source.analysis, ANALYSIS_FULL);
		py_test_free(&t);
	}
	/* a variable from the one before, many times */
	py_test_init(&t);
	strbuf_reset(&sb);
	strbuf_addstr(&sb, "import torch\nx0 = torch.zeros(3)\n");
	for (k = 1; k < 20000; k++)
		strbuf_addf(&sb, "x%d = x%d + x%d\nx%d.m\n", k, k - 1, k - 1, k);
	py_facts(t.w, &t.source, sb.buf, sb.len, &t.notices);
	ck_assert_int_eq(t.source.analysis, ANALYSIS_FULL);
	ck_assert_uint_ge(t.source.nr_facts, 20000);
	strbuf_release(&sb);
	py_test_free(&t);
}

/* ---- watched names, getattr ---- */

#define OS "import os\n"

UNIT_TEST(py_watched)
{
	facts_are(OS
		  "os.environ['A']\nos.environ.get('A', '1')\nos.getenv('A')\n'A' in os.environ\n",
		  OS "use os.environ subscript (string:A)\n"
		     "use os.environ.get call (string:A, string:1)\n"
		     "use os.getenv call (string:A)\nuse os.environ compare (string:A)\n");
	facts_are(OS "os.environ['A'] = '1'\ndel os.environ['B']\nos.environ[x] = y\n",
		  OS "assign os.environ subscript text=A (string:1)\n"
		     "assign os.environ subscript text=B\n"
		     "assign os.environ subscript (name:y)\n");
	facts_are("from os import environ as e\nh = e\nh['A']\nf(e)\n",
		  "import os.environ from text=e\nuse os.environ\n"
		  "use os.environ subscript text=h (string:A)\nuse os.environ\n");
	facts_are("import ctypes\nctypes.CDLL('libx.so', mode=ctypes.RTLD_GLOBAL)\n",
		  "import ctypes\n"
		  "use ctypes.CDLL call (string:libx.so, mode=name:ctypes.RTLD_GLOBAL)\n"
		  "use ctypes.RTLD_GLOBAL\n");
	facts_are("import importlib.util\nimportlib.util.find_spec('torch')\n",
		  "import importlib.util\nuse importlib.util.find_spec call (string:torch)\n"
		  "string torch recv=argument text=importlib.util.find_spec (string:torch)\n");
	facts_are(OS "os.path.join('a')\nenviron['A']\nos.environment\n", OS);
}

UNIT_TEST(py_getattr)
{
	facts_are("import torch\nx = getattr(torch, 'a', None)\n",
		  "import torch\nuse torch.a dynamic guard=hasattr\nuse torch\n");
	facts_are("import torch\nx = getattr(torch.b, 'a')\n",
		  "import torch\nuse torch.b.a dynamic\nuse torch.b\n");
	facts_are("import torch\ntry:\n    getattr(torch, 'a')\nexcept AttributeError: pass\n",
		  "import torch\nuse torch.a dynamic guard=try\nuse torch guard=try\n");
	facts_are("import torch\ngetattr(torch, a, None)\ngetattr(x, 'a')\n",
		  "import torch\nuse torch\n");
}
