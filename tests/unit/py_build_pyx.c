/* py_build_pyx.c - Cython read lexically. */
#include "unit.h"

#include <string.h>

#include "py_build_facts.h"

UNIT_TEST(pyx_imports)
{
	build_check(
		LANG_CYTHON,
		"import a.b, c as d\nfrom a.b import (e as f,\n  g)  # x\nfrom libc cimport h; "
		"cimport i.j as k\n"
		"from l import *\ncdef extern from \"x.h\":\n  int import_me\ntry: import m\n",
		"import a.b | a [a.b] {import a.b, c as d}\nimport c | d [c] {import a.b, c as d}\n"
		"import a.b.e | f [e] {from a.b import (e as f,\n  g)} +from\n"
		"import a.b.g | g [g] {from a.b import (e as f,\n  g)} +from\n"
		"import libc.h | h [h] {from libc cimport h} +from\n"
		"import i.j | k [i.j] {cimport i.j as k}\n"
		"import l.* [*] {from l import *} +from +star\nimport m | m [m] {import m}\n");
	build_check(
		LANG_CYTHON,
		"from . import x\nfrom ..u.v cimport y as z\nfrom ...... import w\nfrom import q\n",
		"import pkg.sub.x | x [x] {from . import x} +from +relative\n"
		"import pkg.u.v.y | z [y] {from ..u.v cimport y as z} +from +relative\n");
}

UNIT_TEST(pyx_uses)
{
	build_check(LANG_CYTHON,
		    "import torch, torch.cuda as tc\nfrom torch import Tensor as T, nn\nimport os\n"
		    "x = torch.empty(1, dtype=tc.half, *a)\ny = T\nos.path.torch.z\n@nn.f\ndef "
		    "g(torch=1): pass\n"
		    "f(T=1)\n\"torch.a\" # torch.b\nr'''torch.c\ntorch.d'''\npaddle.e\ntorch\n",
		    "import torch | torch [torch] {import torch, torch.cuda as tc}\n"
		    "import torch.cuda | tc [torch.cuda] {import torch, torch.cuda as tc}\n"
		    "import torch.Tensor | T [Tensor] {from torch import Tensor as T, nn} +from\n"
		    "import torch.nn | nn [nn] {from torch import Tensor as T, nn} +from\n"
		    "import os | os [os] {import os}\n"
		    "use torch.empty [torch.empty] {torch.empty(1, dtype=tc.half, *a)} +call "
		    "+splat (1) (dtype=?) (a)\n"
		    "use torch.cuda.half [tc.half]\nuse torch.Tensor [T]\nuse torch.nn.f [nn.f] "
		    "+decorator\n"
		    "use paddle.e [paddle.e]\nuse torch [torch]\n");
	/* Another module under the root's name, and a name bound in two ways. */
	build_check(LANG_CYTHON,
		    "import mine as torch\ntorch.x()\nfrom torch import a\nfrom b import a\na.c\n",
		    "import mine | torch [mine] {import mine as torch}\n"
		    "import torch.a | a [a] {from torch import a} +from\n"
		    "import b.a | a [a] {from b import a} +from\n");
	build_check(LANG_CYTHON, "torch.a\n(b)\ntorch.c\\\n(d)\n",
		    "use torch.a [torch.a]\nuse torch.c [torch.c] {torch.c\\\n(d)} +call (d)\n");
}

UNIT_TEST(pyx_members)
{
	build_check(LANG_CYTHON,
		    "a.b.cuda_stream\nf(x).cuda_stream(1)\nctx.saved_tensors = 1\nq[0].cuda_stream "
		    "== 2\n"
		    "torch.cuda_stream\ncuda_stream\n",
		    "member cuda_stream | a.b [cuda_stream] {a.b.cuda_stream}\n"
		    "member cuda_stream [cuda_stream] {cuda_stream(1)} +call (1)\n"
		    "member saved_tensors | ctx [saved_tensors] {ctx.saved_tensors} +store\n"
		    "member cuda_stream [cuda_stream]\n"
		    "use torch.cuda_stream [torch.cuda_stream]\n");
}

UNIT_TEST(pyx_scopes)
{
	build_check(
		LANG_CYTHON,
		"cdef class A(torch.a):\n  cdef int n\n  cpdef int f(self, x=torch.b) except -1:\n"
		"    torch.c\n    def g(): torch.d\n  torch.e\ncdef x = torch.f(lambda: 1)\n"
		"async def h(a: {1: 2}):\n\ttorch.g\nclass B: torch.h\ntorch.i\ncdef struct S:\n  "
		"int y\n",
		"use torch.a [torch.a]\nuse torch.b in A [torch.b]\n"
		"use torch.c in A.f [torch.c] +function\nuse torch.d in A.f.g [torch.d] +function\n"
		"use torch.e in A [torch.e]\nuse torch.f [torch.f] {torch.f(lambda: 1)} +call (?)\n"
		"use torch.g in h [torch.g] +function\nuse torch.h in B [torch.h]\nuse torch.i "
		"[torch.i]\n");
}

UNIT_TEST(pyx_analysis)
{
	struct build_run r;

	build_read(&r, LANG_CYTHON, "x = 'torch'", 11);
	ck_assert_int_eq(r.s.analysis, ANALYSIS_LEXICAL);
	ck_assert(r.s.mentions);
	build_done(&r);
	build_check(LANG_CYTHON, "\n(", "! line 2: string or bracket is never closed\n");
	build_check(LANG_CYTHON, "'''\n", "! line 1: string or bracket is never closed\n");
	build_check(LANG_CYTHON, "'a\ntorch.b", "use torch.b [torch.b]\n");
}

UNIT_TEST(pyx_hostile)
{
	static const char text[] =
		"from . import (a as b,\\\r\n c)\rimport x.\\\n y; torch.f(a=, *, **b, "
		"[c)]\n\0cdef class\n"
		"def f(\n'''\\'''\\\\'\"\n  @torch.a\n\tdef\ntorch . b\n.cuda_stream(";

	build_torture(LANG_CYTHON, text, sizeof(text));
}
