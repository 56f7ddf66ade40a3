/* py_python_facts.c - flags, arguments, members, guards, strings, rows, definitions. */
#include "py_python.h"

#define T      "import torch\n"
#define T_FACT "import torch\n"

UNIT_TEST(py_flags_annotations)
{
	facts_are(T "def f(x: torch.device | None, y: (torch.dtype)) -> torch.Size: pass\n",
		  T_FACT "use torch.device annotation union\nuse torch.dtype annotation\n"
			 "use torch.Size annotation\n");
	facts_are(T "def f(x: 'torch.device | None', y: Optional['torch.Size']): pass\n",
		  T_FACT "use torch.device annotation postponed union\n"
			 "use torch.Size annotation postponed\n");
	facts_are(T "def f():\n    x: torch.device = 1\n    self.y: torch.Size = 2\n",
		  T_FACT "use torch.device annotation postponed function in=f\n"
			 "use torch.Size annotation postponed function in=f\n");
	facts_are(T "x: torch.device\nclass C:\n    y: torch.Size = 1\n",
		  T_FACT "use torch.device annotation\nclass C\nuse torch.Size annotation in=C\n");
	facts_are("from __future__ import annotations\n" T "def f(x: torch.device): pass\n",
		  "import __future__.annotations from\n" T_FACT
		  "use torch.device annotation postponed\n");
	facts_are(T "def f(x: Literal['torch.x'], y: Dict[str, torch.device | None]): pass\n",
		  T_FACT "use torch.device annotation union\n");
	facts_are(T "x = (torch.a | (torch.b)) | None\n",
		  T_FACT "use torch.a union\nuse torch.b union\n");
}

UNIT_TEST(py_flags_places)
{
	facts_are(T "@torch.no_grad\ndef f(): pass\n@torch.no_grad()\ndef g(): pass\n",
		  T_FACT "use torch.no_grad decorator\nuse torch.no_grad call decorator\n");
	facts_are(T "class C(torch.nn.Module, metaclass=torch.M): pass\n",
		  T_FACT "class C (name:torch.nn.Module, metaclass=name:torch.M)\n"
			 "use torch.nn.Module base\nuse torch.M\n");
	facts_are(T "isinstance(x, (int, torch.device))\nissubclass(torch.a, torch.b | torch.c)\n",
		  T_FACT "use torch.device isinstance\nuse torch.a\nuse torch.b union isinstance\n"
			 "use torch.c union isinstance\n");
	facts_are(T "def f(x=torch.float32, *, y=torch.g()): pass\n",
		  T_FACT "use torch.float32 default\nuse torch.g call default\n");
	facts_are(T "if torch.a: pass\nelif torch.b: pass\nwhile torch.c: pass\nassert torch.d, "
		    "torch.e\n",
		  T_FACT "use torch.a condition\nuse torch.b condition guard=fallback\nuse torch.c "
			 "condition loop\n"
			 "use torch.d condition\nuse torch.e\n");
	facts_are(T "f'{torch.a}'\nx == torch.b\ntorch.c[0]\ntorch.d()[0] < 1\n",
		  T_FACT "use torch.a f-string\nuse torch.b compare\nuse torch.c subscript\n"
			 "use torch.d call subscript\n");
	facts_are(T "lambda: torch.a\ndef f(x=lambda: torch.b): pass\n",
		  T_FACT "use torch.a function\nuse torch.b function\n");
}

UNIT_TEST(py_flags_closure)
{
	facts_are(T "try:\n    torch.a\n    lambda: torch.b\nexcept AttributeError:\n    torch.c\n"
		    "else:\n    torch.d\nfinally:\n    torch.e\n",
		  T_FACT "use torch.a guard=try\nuse torch.b function closure guard=try\n"
			 "use torch.c guard=fallback\nuse torch.d\nuse torch.e\n");
	facts_are(T
		  "try:\n    def f():\n        try:\n            torch.a\n        except E: pass\n"
		  "except E: pass\n",
		  T_FACT "use torch.a function in=f guard=try\n");
	facts_are(T "def f():\n    def g():\n        torch.a\n",
		  T_FACT "use torch.a function in=f.g\n");
}

UNIT_TEST(py_arguments)
{
	facts_are(
		T "torch.f(1, -2.5, 'a\\n', r'b\\c', b'd', None, True, [1], {}, x, a.b, torch.c, "
		  "*y, k=g(), "
		  "**z)\n",
		T_FACT
		"use torch.f call splat (number:1, number:-2.5, string:a\n, string:b\\c, other, "
		"none, "
		"bool:True, list, dict, name:x, name:a.b, name:torch.c, *name:y, k=call, *name:z)\n"
		"use torch.c\n");
	facts_are(T "torch.f(torch.g(), lambda: 1, ('a' 'b'), f'{x}', x + 1)\n",
		  T_FACT "use torch.f call (call:torch.g, lambda, string:ab, other, other)\n"
			 "use torch.g call\n");
	facts_are(T "torch.f(x for x in y)\n", T_FACT "use torch.f call (other)\n");
}

UNIT_TEST(py_members)
{
	facts_are(T "def f(x: torch.Tensor, y: Optional[torch.Tensor], z):\n    x.a(1)\n    y.b\n  "
		    "  z.c\n"
		    "    z.saved_tensors.q\n",
		  T_FACT "use torch.Tensor annotation\nuse torch.Tensor annotation\n"
			 "member a call function recv=torch.Tensor text=x in=f (number:1)\n"
			 "member b function recv=torch.Tensor text=y in=f\n"
			 "member saved_tensors function text=z in=f\n");
	facts_are(T "def f(x: torch.Tensor):\n    x = g()\n    x.a\n",
		  T_FACT "use torch.Tensor annotation\n");
	facts_are(T "x = torch.zeros(3)\nx.a = 1\nx.b.c\n",
		  T_FACT "use torch.zeros call (number:3)\n"
			 "member a store recv=torch.Tensor text=x\n"
			 "member b recv=torch.Tensor text=x\n");
	facts_are(T "x = torch.zeros(3)\nx.a = y\nx.b, x.c = z, 1\nx.d, x.e = f\n",
		  T_FACT "use torch.zeros call (number:3)\n"
			 "member a store recv=torch.Tensor text=x (name:y)\n"
			 "member b store recv=torch.Tensor text=x (name:z)\n"
			 "member c store recv=torch.Tensor text=x\n"
			 "member d store recv=torch.Tensor text=x\n"
			 "member e store recv=torch.Tensor text=x\n");
	facts_are(T "class M(torch.nn.Module):\n    def f(self):\n        self.own = self.theirs\n"
		    "        self.own.x\n        self.f\n",
		  T_FACT "class M (name:torch.nn.Module)\nuse torch.nn.Module base\n"
			 "member theirs function recv=torch.nn.Module text=self in=M.f\n");
	facts_are(
		T
		"class F(torch.autograd.Function):\n    @staticmethod\n    def backward(ctx, g):\n"
		"        ctx.saved_tensors\n    @staticmethod\n    def other(a):\n        a.b\n",
		T_FACT "class F (name:torch.autograd.Function)\nuse torch.autograd.Function base\n"
		       "member saved_tensors function recv=torch.autograd.Function#ctx text=ctx "
		       "in=F.backward\n");
}

UNIT_TEST(py_assignments)
{
	facts_are(T "torch.a = torch.b\ntorch.c, x = y\ndel torch.d\nsetattr(torch, 'e', z)\n",
		  T_FACT
		  "assign torch.a text=torch.b\nuse torch.b\nassign torch.c\nassign torch.d\n"
		  "assign torch.e text=z\nuse torch\n");
	facts_are(T "torch.a[0] = 1\nfor torch.i in x: pass\n",
		  T_FACT "use torch.a subscript\nassign torch.i\n");
}

UNIT_TEST(py_guards)
{
	guards_are(T "try:\n    a\nexcept (ImportError, AttributeError):\n    raise\n",
		   "try catches=3 reraises [a|except (ImportError, AttributeError):\n    raise]\n");
	guards_are(T "try:\n    a\nexcept ValueError:\n    raise\nexcept:\n    torch.x\n",
		   "try catches=15 [a|except ValueError:\n    raise\nexcept:\n    torch.x]\n"
		   "fallback catches=15 [torch.x|a]\n");
	guards_are(
		"try:\n    a\nexcept ImportError:\n    import sys\n    sys.exit(1)\n",
		"try catches=1 reraises [a|except ImportError:\n    import sys\n    sys.exit(1)]\n"
		"fallback catches=1 [import sys\n    sys.exit(1)|a]\n");
	guards_are("try:\n    a\nfinally:\n    b\n", "");
	guards_are(T "if hasattr(torch, 'a') and x:\n    b\nelse:\n    torch.c\n",
		   "hasattr torch.a [x|]\n"
		   "hasattr torch.a [b|else:\n    torch.c]\n"
		   "fallback negated [else:\n    torch.c|b]\n");
	guards_are(T "if not hasattr(torch, 'a'):\n    b\nelse:\n    c\n",
		   "hasattr torch.a negated [b|else:\n    c]\nhasattr torch.a [else:\n    c|b]\n");
	guards_are(T "x = torch.q if hasattr(torch, 'q') else None\n",
		   "hasattr torch.q [torch.q|None]\nhasattr torch.q negated [None|torch.q]\n");
	guards_are(T "HAS = hasattr(torch, 'a')\nif HAS:\n    b\n", "hasattr torch.a [b|]\n");
	guards_are(T "if torch.__version__ >= '2.0':\n    b\n", "version torch.__version__ >=2.0 [b|]\n");
	guards_are(T "from packaging.version import parse\nV = parse(torch.__version__)\n"
		     "if V >= parse('2'):\n    b\n",
		   "version torch.__version__ [b|]\n");
	guards_are(T "if torch.version.hip is not None:\n    b\n",
		   "version torch.version.hip [b|]\n");
	guards_are(T "if __name__ == '__main__':\n    torch.b\n", "main [torch.b|]\n");
	guards_are(T "if a:\n    b\nif c:\n    torch.d\nelif e:\n    torch.f\n",
		   "if [torch.d|elif e:\n    torch.f]\nfallback negated [elif e:\n    "
		   "torch.f|torch.d]\n"
		   "if in=1 [torch.f|]\n");
}

UNIT_TEST(py_checking)
{
	facts_are("import typing\nif typing.TYPE_CHECKING:\n    import torch\nelse:\n    import "
		  "paddle\n",
		  "import typing\nimport torch checking guard=type-checking\n"
		  "import paddle guard=fallback\n");
	facts_are("if not TYPE_CHECKING:\n    import a\nelse:\n    import b\n",
		  "import a guard=fallback\nimport b checking guard=type-checking\n");
}

UNIT_TEST(py_strings)
{
	facts_are("'''torch.doc'''\nx = 'torch.float16'\ny = f'torch.{x}'\nz = 'torch.'\n"
		  "w = 'torch.a b'\nv = 'torchx.a'\nu = 'torch'\n",
		  "string torch.float16 recv=assign text=x\n"
		  "string torch. f-string recv=assign text=y\n"
		  "string torch. recv=assign text=z\n");
	facts_are("f('torch', k='torch')\nx == 'torch'\n['torch']\n{'torch': 1}\na['torch']\n",
		  "string torch recv=argument text=f (string:torch)\n"
		  "string torch recv=argument text=f (k=string:torch)\n"
		  "string torch compare recv=compare text=x\nstring torch recv=list\n");
	facts_are("import sys\nsys.modules['torch']\n",
		  "import sys\nuse sys.modules subscript (string:torch)\n"
		  "string torch index recv=subscript text=sys.modules\n");
	facts_are("x = 'paddle.float16'\ny = b'torch.x'\n", "string paddle.float16 recv=assign text=x\n");
	facts_are("x = ['c10', 'c10d', '-lc10', '-lc10_cuda']\n",
		  "string c10 recv=assign text=x\nstring -lc10 recv=assign text=x\n"
		  "string -lc10_cuda recv=assign text=x\n");
}

UNIT_TEST(py_rows)
{
	facts_are("setup(install_requires=['numpy>=1', \"Torch_x [a]==2\"], extras_require={'d': "
		  "['a.b']})\n",
		  "require numpy recv=install_requires text=numpy>=1\n"
		  "require torch-x recv=install_requires text=Torch_x [a]==2\n"
		  "require a-b recv=extras_require text=a.b\n");
	facts_are("deps = ['a']\ndeps += ['b']\ndeps.append('c')\nsetup(install_requires=deps)\n",
		  "require a recv=install_requires text=a\nrequire b recv=install_requires text=b\n"
		  "require c recv=install_requires text=c\n");
	facts_are(
		"install_requires = ['a'] if x else ['b'] + read('c')\n",
		"require a recv=install_requires text=a\nrequire b recv=install_requires text=b\n");
	facts_are("kw = {'setup_requires': ['a']}\nkw['install_requires'] = ('b',)\n",
		  "require a recv=setup_requires text=a\nrequire b recv=install_requires text=b\n");
	facts_are("names = ['a']\nf(names=names)\n", "");
}

UNIT_TEST(py_definitions)
{
	struct py_test t;
	const char *text =
		"import torch\ndef f(a, b: torch.Tensor = None, *c, d: 'torch.Size' = 1, **e):\n"
		"    def g(): lambda x: x\nclass C:\n    def m(self): pass\n";

	py_test_init(&t);
	py_facts(t.w, &t.source, text, strlen(text), &t.notices);
	ck_assert_int_eq(t.source.nr_defs, 5);
	ck_assert_str_eq(t.source.defs[0].name, "f");
	ck_assert_int_eq(t.source.defs[0].nr_params, 5);
	ck_assert_str_eq(t.source.defs[0].params[1].keyword, "b");
	ck_assert_str_eq(t.source.defs[0].params[1].text, "torch.Tensor");
	ck_assert_int_eq(t.source.defs[0].params[1].value, VALUE_NONE);
	ck_assert(t.source.defs[0].params[2].splat);
	ck_assert_str_eq(t.source.defs[0].params[3].text, "torch.Size");
	ck_assert_int_eq(t.source.defs[0].params[0].valspan.start,
			 t.source.defs[0].params[0].valspan.end);
	ck_assert_str_eq(t.source.defs[1].name, "f.g");
	ck_assert_str_eq(t.source.defs[2].name, "f.g.<lambda>");
	ck_assert(t.source.defs[2].is_lambda);
	ck_assert(t.source.defs[3].is_class);
	ck_assert_str_eq(t.source.defs[4].name, "C.m");
	ck_assert_int_eq(t.source.defs[4].parent, 3);
	py_test_free(&t);
}

static void analysis_is(const char *text, size_t len, enum analysis analysis, const char *facts,
			const char *notice)
{
	struct py_test t;

	py_test_init(&t);
	py_facts(t.w, &t.source, text, len, &t.notices);
	ck_assert_int_eq(t.source.analysis, analysis);
	ck_assert_str_eq(py_test_print(&t, &t.source), facts);
	ck_assert_int_eq(t.notices.nr, notice ? 1 : 0);
	if (notice)
		ck_assert_str_eq(t.notices.v[0].message, notice);
	py_test_free(&t);
}

#define analysis_of(text, analysis, facts, notice)                                                 \
	analysis_is(text, sizeof(text) - 1, analysis, facts, notice)

UNIT_TEST(py_bad_input)
{
	analysis_of("", ANALYSIS_FULL, "", NULL);
	analysis_of("# only a comment", ANALYSIS_FULL, "", NULL);
	analysis_of("import torch\nx = = 3\ntorch.x\n", ANALYSIS_PARTIAL,
		    "import torch\nuse torch.x\n", "line 2: could not be read here");
	analysis_of("import torch\0\n", ANALYSIS_SKIPPED, "", "holds NUL bytes, not analysed");
	analysis_of("\xef\xbb\xbfimport torch\n", ANALYSIS_FULL, "import torch\n", NULL);
	analysis_of("import torch\rtorch.x\rif a:\r    torch.y\r", ANALYSIS_FULL,
		    "import torch\nuse torch.x\nuse torch.y guard=if\n", NULL);
	analysis_of(
		"# -*- coding: latin-1 -*-\nimport torch\nx = '\xe9\xe8' # \xff\n\xe9 = torch.x\n",
		ANALYSIS_FULL, "import torch\nuse torch.x\n", NULL);
	analysis_of("import torch\nprint 'a', torch.x\nexec 'b'\n", ANALYSIS_FULL,
		    "import torch\nuse torch.x\n", NULL);
}

UNIT_TEST(py_bom_offsets)
{
	struct py_test t;

	py_test_init(&t);
	py_facts(t.w, &t.source, "\xef\xbb\xbfimport torch\n", 16, &t.notices);
	ck_assert_int_eq(t.source.nr_facts, 1);
	ck_assert_int_eq(t.source.facts[0].span.start, 10);
	py_test_free(&t);
}

UNIT_TEST(py_mentions)
{
	static const struct {
		const char *text;
		bool mentions;
	} rows[] = {{"import torch\n", true}, {"x = pytorch\n", false},
		    {"torch", true},          {"# about torch.\n", true},
		    {"import torchx", false}, {"import paddle\n", false}};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct py_test t;

		py_test_init(&t);
		py_facts(t.w, &t.source, rows[i].text, strlen(rows[i].text), &t.notices);
		ck_assert_msg(t.source.mentions == rows[i].mentions, "%s", rows[i].text);
		py_test_free(&t);
	}
}

UNIT_TEST(py_stub_never_runs)
{
	struct py_test t;

	py_test_init(&t);
	t.source.lang = LANG_STUB;
	py_facts(t.w, &t.source, "import torch\n", 13, &t.notices);
	ck_assert_str_eq(py_test_print(&t, &t.source), "import torch checking\n");
	py_test_free(&t);
}
