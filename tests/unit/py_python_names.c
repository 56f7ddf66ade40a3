/* py_python_names.c - imports, bindings and what names stand for. */
#include "py_python.h"

UNIT_TEST(py_imports)
{
	facts_are("import torch\nimport torch.nn.functional as F, os\n",
		  "import torch\nimport torch.nn.functional text=F\nimport os\n");
	facts_are("from torch import nn, Tensor as T\nfrom torch.nn import *\n",
		  "import torch.nn from\nimport torch.Tensor from text=T\nimport torch.nn.* from "
		  "star\n");
	facts_are("from __future__ import annotations\n", "import __future__.annotations from\n");
	facts_are("from . import a\nfrom .b import c as d\nfrom .. import e\n",
		  "import pkg.a from relative\nimport pkg.b.c from relative text=d\n"
		  "import ..e from relative\n");
	facts_are("def f():\n    import torch\n", "import torch function in=f\n");
	facts_are("class C:\n    import torch\n    torch.x\n",
		  "class C\nimport torch in=C\nuse torch.x in=C\n");
	facts_are("try:\n    import torch\nexcept ImportError:\n    torch = None\ntorch.x\n",
		  "import torch try-import guard=try\nuse torch.x\n");
	facts_are("try:\n    import torch\nexcept ValueError:\n    pass\n",
		  "import torch guard=try\n");
	facts_are("try:\n    def f():\n        import torch\nexcept Exception:\n    pass\n",
		  "import torch function closure in=f guard=try\n");
	facts_are("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import torch\n",
		  "import typing.TYPE_CHECKING from\nimport torch checking guard=type-checking\n");
	facts_are("import a . b\nfrom torch import (\n  x, # c\n  y,\n)\n",
		  "import a.b\nimport torch.x from\nimport torch.y from\n");
}

UNIT_TEST(py_dynamic_imports)
{
	facts_are("import importlib\nt = importlib.import_module('torch.nn')\nt.x\n",
		  "import importlib\nuse importlib.import_module call (string:torch.nn)\n"
		  "import torch.nn dynamic text=t\nuse torch.nn.x\n");
	facts_are("from importlib import import_module as im\nm = __import__('torch.nn')\nm.x\n",
		  "import importlib.import_module from text=im\nimport torch.nn dynamic text=m\n"
		  "use torch.x\n");
	facts_are("import pytest\ntorch = pytest.importorskip('torch')\ntorch.x\n",
		  "import pytest\nimport torch dynamic\nuse torch.x\n");
	facts_are("def __import__(x): pass\nm = __import__('torch')\n",
		  "string torch recv=argument text=__import__ (string:torch)\n");
	facts_are("def import_module(x): pass\nm = import_module(name)\n", "");
}

UNIT_TEST(py_bindings)
{
	facts_are("import torch\nT = torch.Tensor\ndev = T.device\ndev.x\n",
		  "import torch\nuse torch.Tensor\nuse torch.Tensor.device text=T\n"
		  "use torch.Tensor.device.x text=dev\n");
	facts_are("import torch\nT: object = torch.Tensor\nT.x\n",
		  "import torch\nuse torch.Tensor\nuse torch.Tensor.x text=T\n");
	facts_are("import torch\nif (T := torch.Tensor):\n    T.x\n",
		  "import torch\nuse torch.Tensor condition\nuse torch.Tensor.x text=T guard=if\n");
	/* everything else hides the module */
	facts_are("import torch\ndef f(torch): torch.x\n", "import torch\n");
	facts_are("import torch\ndef f(*torch): torch.x\n", "import torch\n");
	facts_are("import torch\ndef f(a=torch.x, *, torch: int = 1): torch.x\n",
		  "import torch\nuse torch.x default\n");
	facts_are("import torch\nlambda torch: torch.x\n", "import torch\n");
	facts_are("import torch\ndef f():\n    for torch in y: torch.x\n", "import torch\n");
	facts_are("import torch\ndef f():\n    with y as (torch, b): torch.x\n", "import torch\n");
	facts_are("import torch\ndef f():\n    with y as torch: torch.x\n", "import torch\n");
	facts_are("import torch\ndef f():\n    try: pass\n    except E as torch: torch.x\n",
		  "import torch\n");
	facts_are("import torch\ndef f():\n    torch += 1\n    torch.x\n", "import torch\n");
	facts_are("import torch\ndef f():\n    (a, [torch, *b]) = y\n    torch.x\n",
		  "import torch\n");
	facts_are("import torch\ndef f():\n    def torch(): pass\n    torch.x\n", "import torch\n");
	facts_are("import torch\ndef f():\n    class torch: pass\n    torch.x\n",
		  "import torch\nclass f.torch function in=f\n");
	facts_are("import torch\ndef f(x):\n    match x:\n        case [torch, *r]: torch.x\n",
		  "import torch\n");
	facts_are(
		"import torch\ndef f(x):\n    match x:\n        case {'a': 1, **torch}: torch.x\n",
		"import torch\n");
	facts_are("import torch\ndef f(x):\n    match x:\n        case torch.device(a=1): pass\n",
		  "import torch\nuse torch.device function in=f\n");
	facts_are("import torch\n[torch for torch in torch.y]\n[torch.z for x in torch]\n",
		  "import torch\nuse torch.y\nuse torch.z loop\nuse torch\n");
	facts_are("import torch\ndel torch\ntorch.x\n", "import torch\nuse torch.x\n");
}

UNIT_TEST(py_conflicts)
{
	facts_are(
		"try:\n    from torch import a\nexcept ImportError:\n    from torch.b import "
		"a\na.x\n",
		"import torch.a from try-import guard=try\nimport torch.b.a from guard=fallback\n");
	facts_are("import torch\nimport torch\nimport torch.nn\ntorch.x\n",
		  "import torch\nimport torch\nimport torch.nn\nuse torch.x\n");
	facts_are("torch = None\ndef f():\n    global torch\n    import torch\ntorch.x\n",
		  "import torch function in=f\nuse torch.x\n");
	facts_are("import torch\nx = torch.a\nx = 1\nx.y\n", "import torch\nuse torch.a\n");
	facts_are("import torch\nx = None\nx = torch.a\nx.y\n", "import torch\nuse torch.a\n");
	facts_are(
		"import torch\ntry:\n    x = torch.a\nexcept AttributeError:\n    x = None\nx.y\n",
		"import torch\nuse torch.a guard=try\nuse torch.a.y text=x\n");
	facts_are("import torch\nif c:\n    torch = 1\ntorch.x\n", "import torch\n");
	facts_are("import torch\na = b\nb = a\na.x\ntorch = torch.x\ntorch.y\n", "import torch\n");
}

UNIT_TEST(py_choices)
{
	facts_are("import torch\nx = torch.a if c else torch.a\nx.y\n",
		  "import torch\nuse torch.a guard=if\nuse torch.a guard=fallback\n"
		  "use torch.a.y text=x\n");
	facts_are("import torch\nx = torch.a if c else torch.b\nx.y\n",
		  "import torch\nuse torch.a guard=if\nuse torch.b guard=fallback\n");
	/* the classes that make extensions may stand for one another */
	facts_are("from setuptools import Extension\n"
		  "from torch.utils.cpp_extension import CUDAExtension\n"
		  "E = CUDAExtension if cuda else Extension\nE('m', ['a.c'])\n",
		  "import setuptools.Extension from\n"
		  "import torch.utils.cpp_extension.CUDAExtension from\n"
		  "use torch.utils.cpp_extension.CUDAExtension guard=if\n"
		  "use setuptools.Extension guard=fallback\n"
		  "use torch.utils.cpp_extension.CUDAExtension call text=E (string:m, list:a.c)\n");
	facts_are("from setuptools import Extension\n"
		  "from torch.utils.cpp_extension import CUDAExtension\n"
		  "(CUDAExtension if cuda else Extension)('m', ['a.c'])\n(f if cuda else g)(1)\n",
		  "import setuptools.Extension from\n"
		  "import torch.utils.cpp_extension.CUDAExtension from\n"
		  "use torch.utils.cpp_extension.CUDAExtension call (string:m, list:a.c)\n"
		  "use torch.utils.cpp_extension.CUDAExtension guard=if\n"
		  "use setuptools.Extension guard=fallback\n");
}

UNIT_TEST(py_scopes)
{
	facts_are("import torch\nclass C:\n    torch = 1\n    def f(self): torch.x\n    torch.y\n",
		  "import torch\nclass C\nuse torch.x function in=C.f\n");
	facts_are("def f():\n    import torch\n    def g():\n        nonlocal torch\n        "
		  "torch.x\n",
		  "import torch function in=f\nuse torch.x function in=f.g\n");
	facts_are("def f():\n    import torch\ntorch.x\n", "import torch function in=f\n");
	facts_are("import torch\ndef f():\n    global torch\n    torch = 1\ntorch.x\n",
		  "import torch\n");
	facts_are("import torch\ndef f():\n    torch.x\n    def g():\n        torch = 1\n",
		  "import torch\nuse torch.x function in=f\n");
}

UNIT_TEST(py_use_chains)
{
	facts_are("import torch\ntorch.nn.functional.pad(x)\ntorch.float32.itemsize\n",
		  "import torch\nuse torch.nn.functional.pad call (name:x)\nuse "
		  "torch.float32.itemsize\n");
	facts_are("import torch\ntorch.cuda.current_stream().cuda_stream\n",
		  "import torch\nuse torch.cuda.current_stream call\n"
		  "member cuda_stream recv=torch.cuda.Stream "
		  "text=torch.cuda.current_stream()\n");
	facts_are("import torch\nf(torch)\n", "import torch\nuse torch\n");
	facts_are("import numpy as np\nnp.zeros(3)\n", "import numpy text=np\n");
	facts_are("import paddle\npaddle.enable_compat(scope={'a'})\n",
		  "import paddle\nuse paddle.enable_compat call (scope=list:a)\n");
	facts_are("from pkg.a import b\nb.c()\n", "import pkg.a.b from\nuse pkg.a.b.c call\n");
	facts_are("from .a import b\nb.c()\n",
		  "import pkg.a.b from relative\nuse pkg.a.b.c call\n");
	facts_are("torch.x\nprint(torch)\n", "");
}

UNIT_TEST(py_star_names)
{
	facts_are("from pkg.a import *\nb.c\nlen(d)\n",
		  "import pkg.a.* from star\nuse pkg.a.b.c star\n"
		  "use pkg.a.d star\n");
	facts_are("from torch import *\nb.c\n", "import torch.* from star\n");
	facts_are("from pkg.a import *\nfrom pkg.b import *\nb.c\n",
		  "import pkg.a.* from star\nimport pkg.b.* from star\n");
}
