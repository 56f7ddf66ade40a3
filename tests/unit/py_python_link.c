/* py_python_link.c - names over file borders, reach, scope, helpers, extensions. */
#include "py_python.h"

#include "base/strbuf.h"

static void file_is(struct py_test *t, const char *path, const char *expected)
{
	const char *got = py_test_print(t, repo_find(&t->repo, path));

	ck_assert_msg(!strcmp(got, expected), "%s: expected\n%s\ngot\n%s", path, expected, got);
}

UNIT_TEST(py_link_chain)
{
	struct py_test t;

	py_test_init(&t);
	py_test_file(&t, "pkg/__init__.py", "from .compat import T\nfrom .a import *\n");
	py_test_file(&t, "pkg/compat.py", "import torch as th\nT = th.Tensor\ndef own(): pass\n");
	py_test_file(&t, "pkg/a.py", "from torch import float16\n_hidden = 1\n");
	py_test_file(&t, "pkg/use.py",
		     "import pkg\nfrom pkg import T as X, compat\nfrom pkg.compat import own\n"
		     "pkg.T.x\nX.y()\ncompat.th.z\nown()\npkg.float16\npkg.nothing\npkg._hidden\n"
		     "def f(v: X): v.m\nclass C(X): pass\nif hasattr(X, 'q'): pass\n");
	py_link(&t.repo, &t.vocab, &t.a);
	file_is(&t, "pkg/use.py",
		"import pkg internal\nimport pkg.T from internal text=X\nimport pkg.compat from "
		"internal\n"
		"import pkg.compat.own from internal\nuse torch.Tensor.x text=T\n"
		"use torch.Tensor.y call text=T\n"
		"use torch.z\nuse pkg.compat.own call internal\nuse torch.float16\n"
		"use pkg.nothing internal\nuse pkg._hidden internal\nuse torch.Tensor annotation text=T\n"
		"member m function recv=torch.Tensor text=v in=f\nclass C (name:torch.Tensor)\n"
		"use torch.Tensor base text=T\nuse torch.Tensor condition text=T\n");
	ck_assert_str_eq(repo_find(&t.repo, "pkg/use.py")->guards[0].name, "torch.Tensor.q");
	ck_assert_str_eq(repo_find(&t.repo, "pkg/use.py")->defs[0].params[0].text, "torch.Tensor");
	py_test_free(&t);
}

UNIT_TEST(py_link_receivers)
{
	struct py_test t;

	py_test_init(&t);
	py_test_file(&t, "pkg/__init__.py", "");
	py_test_file(&t, "pkg/own.py", "from torch.cuda import Stream\nclass Own: pass\n");
	py_test_file(&t, "pkg/use.py",
		     "from pkg.own import Own, Stream\no = Own()\no.m\no.cuda_stream\n"
		     "s = Stream()\ns.m\n");
	py_link(&t.repo, &t.vocab, &t.a);
	file_is(&t, "pkg/use.py",
		"import pkg.own.Own from internal\nimport pkg.own.Stream from internal\n"
		"use pkg.own.Own call internal\n"
		"member cuda_stream recv=pkg.own.Own text=o\n"
		"use torch.cuda.Stream call\nmember m recv=torch.cuda.Stream text=s\n");
	py_test_free(&t);
}

/* Where a class of the repository has the method too, its name tells nothing, unless the call does not fit. */
UNIT_TEST(py_link_own_methods)
{
	struct py_test t;

	py_test_init(&t);
	py_test_file(&t, "pkg/__init__.py", "");
	py_test_file(&t, "pkg/own.py",
		     "class Own:\n    def detach(self): pass\n    def max(self, x): pass\n"
		     "    def min(self, dim): pass\ndef contiguous(): pass\n");
	py_test_file(&t, "pkg/use.py",
		     "import torch\ndef f(s, x: torch.Tensor):\n    s.a.detach()\n    x.detach()\n"
		     "    s.b.contiguous()\n    s.c.max(dim=1)\n    s.d.min(dim=1)\n");
	py_link(&t.repo, &t.vocab, &t.a);
	file_is(&t, "pkg/use.py",
		"import torch\nuse torch.Tensor annotation\n"
		"member detach call function guessed text=s.a in=f\n"
		"member detach call function recv=torch.Tensor text=x in=f\n"
		"member contiguous call function guessed recv=torch.Tensor text=s.b in=f\n"
		"member max call function guessed recv=torch.Tensor text=s.c in=f (dim=number:1)\n"
		"member min call function guessed text=s.d in=f (dim=number:1)\n");
	py_test_free(&t);
}

UNIT_TEST(py_link_star_uses)
{
	struct py_test t;

	py_test_init(&t);
	py_test_file(&t, "pkg/__init__.py", "");
	py_test_file(&t, "pkg/a.py", "import torch\nfrom .b import *\n");
	py_test_file(&t, "pkg/b.py", "from torch import nn\n");
	py_test_file(&t, "pkg/use.py", "from .a import *\ntorch.x\nnn.y\nunknown.z\nlen(v)\n");
	py_link(&t.repo, &t.vocab, &t.a);
	file_is(&t, "pkg/use.py",
		"import pkg.a.* from star relative internal\nuse torch.x\nuse torch.nn.y\n");
	py_test_free(&t);
}

UNIT_TEST(py_link_circles)
{
	struct py_test t;

	py_test_init(&t);
	py_test_file(&t, "pkg/__init__.py", "from .a import x\nfrom .b import *\n");
	py_test_file(&t, "pkg/a.py", "from .b import x\nfrom . import *\n");
	py_test_file(&t, "pkg/b.py", "from .a import x\nfrom .a import *\nfrom . import y\n");
	py_test_file(&t, "pkg/use.py", "from pkg import x, y, z\nx.a\ny.b\nz.c\n");
	py_link(&t.repo, &t.vocab, &t.a);
	file_is(&t, "pkg/use.py",
		"import pkg.x from internal\nimport pkg.y from internal\n"
		"import pkg.z from internal\nuse pkg.x.a internal\nuse pkg.y.b internal\n"
		"use pkg.z.c internal\n");
	py_test_free(&t);
}

UNIT_TEST(py_link_conflict_stays)
{
	struct py_test t;

	py_test_init(&t);
	py_test_file(&t, "pkg/__init__.py",
		     "try:\n    import torch\nexcept ImportError:\n    torch = Fake()\n");
	py_test_file(&t, "pkg/use.py", "from . import torch\ntorch.x\n");
	py_link(&t.repo, &t.vocab, &t.a);
	file_is(&t, "pkg/use.py",
		"import pkg.torch from relative internal\nuse pkg.torch.x internal\n");
	py_test_free(&t);
}

UNIT_TEST(py_link_reach)
{
	struct py_test t;

	py_test_init(&t);
	py_test_file(&t, "pkg/__init__.py", "from . import a\ndef f():\n    from . import lazy\n")
		->roles |= ROLE_CALL_ENTRY;
	py_test_file(&t, "pkg/a.py",
		     "import pkg.sub.deep\nif __name__ == '__main__':\n    import pkg.main\n");
	py_test_file(&t, "pkg/lazy.py", "");
	py_test_file(&t, "pkg/main.py", "");
	py_test_file(&t, "pkg/sub/__init__.py", "");
	py_test_file(&t, "pkg/sub/deep.py", "import torch\n");
	py_test_file(&t, "pkg/sub/other.py", "");
	py_link(&t.repo, &t.vocab, &t.a);
	ck_assert_uint_eq(repo_find(&t.repo, "pkg/__init__.py")->reach, 0);
	ck_assert_uint_eq(repo_find(&t.repo, "pkg/a.py")->reach, 1);
	ck_assert_uint_eq(repo_find(&t.repo, "pkg/sub/__init__.py")->reach, 2);
	ck_assert_uint_eq(repo_find(&t.repo, "pkg/sub/deep.py")->reach, 2);
	ck_assert_uint_eq(repo_find(&t.repo, "pkg/lazy.py")->reach, REACH_NONE);
	ck_assert_uint_eq(repo_find(&t.repo, "pkg/main.py")->reach, REACH_NONE);
	ck_assert_uint_eq(repo_find(&t.repo, "pkg/sub/other.py")->reach, REACH_NONE);
	ck_assert_int_eq(t.repo.scope.nr, 1);
	ck_assert_str_eq(t.repo.scope.v[0], "pkg");
	py_test_free(&t);
}

UNIT_TEST(py_link_reach_below)
{
	struct py_test t;

	py_test_init(&t);
	py_test_file(&t, "pkg/__init__.py", "from .version import v\n")->roles |= ROLE_CALL_ENTRY;
	py_test_file(&t, "pkg/version.py", "v = 1\n");
	py_test_file(&t, "pkg/model.py", "import torch\n");
	py_test_file(&t, "pkg/_model.py", "import torch\n");
	py_test_file(&t, "pkg/test_model.py", "import torch\n")->roles |= ROLE_TEST;
	py_test_file(&t, "pkg/sub/__init__.py", "");
	py_test_file(&t, "pkg/sub/deep.py", "import torch\nimport pkg._helper\n");
	py_test_file(&t, "pkg/_helper.py", "");
	py_test_file(&t, "pkg/own/__init__.py", "from . import a\n");
	py_test_file(&t, "pkg/own/a.py", "import torch\n");
	py_test_file(&t, "pkg/own/b.py", "import torch\n");
	py_link(&t.repo, &t.vocab, &t.a);
	ck_assert_uint_eq(repo_find(&t.repo, "pkg/version.py")->reach, 1);
	ck_assert_uint_eq(repo_find(&t.repo, "pkg/model.py")->reach, 1);
	ck_assert_uint_eq(repo_find(&t.repo, "pkg/_model.py")->reach, REACH_NONE);
	ck_assert_uint_eq(repo_find(&t.repo, "pkg/test_model.py")->reach, REACH_NONE);
	ck_assert_uint_eq(repo_find(&t.repo, "pkg/sub/__init__.py")->reach, 1);
	ck_assert_uint_eq(repo_find(&t.repo, "pkg/sub/deep.py")->reach, 2);
	ck_assert_uint_eq(repo_find(&t.repo, "pkg/_helper.py")->reach, 3);
	ck_assert_uint_eq(repo_find(&t.repo, "pkg/own/a.py")->reach, 2);
	ck_assert_uint_eq(repo_find(&t.repo, "pkg/own/b.py")->reach, REACH_NONE);
	py_test_free(&t);
}

/* A package that the build imports from may be there for the build alone. */
UNIT_TEST(py_link_reach_build)
{
	struct py_test t;

	py_test_init(&t);
	py_test_file(&t, "pkg/__init__.py", "")->roles |= ROLE_CALL_ENTRY;
	py_test_file(&t, "pkg/a.py", "import torch\n");
	py_test_file(&t, "pkg/b.py", "import torch\n")->roles |= ROLE_BUILD_HELPER;
	py_link(&t.repo, &t.vocab, &t.a);
	ck_assert_uint_eq(repo_find(&t.repo, "pkg/a.py")->reach, REACH_NONE);
	py_test_free(&t);
}

UNIT_TEST(py_link_reach_entry_points)
{
	static const char text[] =
		"setup(entry_points={'console_scripts': ['run = pkg.cli:main [x]']})\n";
	struct source *setup;
	struct py_test t;

	py_test_init(&t);
	py_test_file(&t, "pkg/__init__.py", "");
	py_test_file(&t, "pkg/cli.py", "from . import _run\n");
	py_test_file(&t, "pkg/_run.py", "import torch\n");
	py_test_file(&t, "pkg/gui.py", "import torch\n");
	setup = py_test_file(&t, "setup.py", "");
	setup->roles |= ROLE_BUILD_ENTRY;
	py_facts(t.w, setup, text, strlen(text), &t.notices);
	py_link(&t.repo, &t.vocab, &t.a);
	ck_assert_uint_eq(repo_find(&t.repo, "pkg/cli.py")->reach, 0);
	ck_assert_uint_eq(repo_find(&t.repo, "pkg/_run.py")->reach, 1);
	ck_assert_uint_eq(repo_find(&t.repo, "pkg/gui.py")->reach, REACH_NONE);
	py_test_free(&t);
}

/* The settings that setup(...) of a text gives, in a build entry. */
static void entries_are(const char *text, const char *expected)
{
	struct strbuf sb = STRBUF_INIT;
	struct py_test t;
	size_t i;

	py_test_init(&t);
	t.source.roles |= ROLE_BUILD_ENTRY;
	py_facts(t.w, &t.source, text, strlen(text), &t.notices);
	for (i = 0; i < t.source.nr_facts; i++)
		if (t.source.facts[i].kind == FACT_SETTING)
			strbuf_addf(&sb, "%s: %s\n", t.source.facts[i].name,
				    t.source.facts[i].text);
	ck_assert_msg(!strcmp(sb.buf, expected), "for\n%s\ngot\n%s", text, sb.buf);
	strbuf_release(&sb);
	py_test_free(&t);
}

UNIT_TEST(py_entry_points)
{
#define CONSOLE "setup.entry_points.console_scripts."
	entries_are("setup(entry_points={'console_scripts': ['a = p.q:f', \"b=p:g\"],\n"
		    "                    'x': 'c = p.r'})\n",
		    CONSOLE "a: p.q:f\n" CONSOLE "b: p:g\nsetup.entry_points.x.c: p.r\n");
	entries_are("setup(entry_points='''\n  [console_scripts]\n  a = p.q:f\n\n  [x]\n  c = p\n''')\n",
		    CONSOLE "a: p.q:f\nsetup.entry_points.x.c: p\n");
	entries_are("e = {'console_scripts': s}\ns = ['a = p.q:f']\nsetup(entry_points=e)\n",
		    CONSOLE "a: p.q:f\n");
	entries_are("setup(entry_points={'console_scripts': [a, 'b', 'c =', f('d = p')], **x, y: 'z = p'})\n",
		    "");
	entries_are("setup(entry_points=f())\nentry_points = {'x': 'a = b'}\n", "");
#undef CONSOLE
}

UNIT_TEST(py_link_scope_not_tests)
{
	struct py_test t;

	py_test_init(&t);
	strings_add(&t.repo.packages, &t.a, "tests");
	py_test_file(&t, "pkg/__init__.py", "if TYPE_CHECKING:\n    import torch\n");
	py_test_file(&t, "tests/a.py", "import torch\n")->roles |= ROLE_TEST;
	py_link(&t.repo, &t.vocab, &t.a);
	ck_assert_int_eq(t.repo.scope.nr, 0);
	py_test_free(&t);
}

UNIT_TEST(py_link_helpers)
{
	struct py_test t;

	py_test_init(&t);
	py_test_file(&t, "pkg/__init__.py", "")->roles |= ROLE_CALL_ENTRY;
	py_test_file(&t, "pkg/version.py", "");
	py_test_file(&t, "pkg/other.py", "");
	py_test_file(&t, "build_tools.py", "");
	py_test_file(&t, "setup.py",
		     "import pkg, os\nfrom pkg.version import v\nfrom build_tools import x\n")
		->roles |= ROLE_BUILD_ENTRY;
	py_link(&t.repo, &t.vocab, &t.a);
	ck_assert(repo_find(&t.repo, "build_tools.py")->roles & ROLE_BUILD_HELPER);
	ck_assert(repo_find(&t.repo, "pkg/version.py")->roles & ROLE_BUILD_HELPER);
	ck_assert(!(repo_find(&t.repo, "pkg/other.py")->roles & ROLE_BUILD_HELPER));
	ck_assert(!(repo_find(&t.repo, "pkg/__init__.py")->roles & ROLE_BUILD_HELPER));
	py_test_free(&t);
}

/* Sources of the one extension, joined by blanks. */
static void sources_are(const char *script, const char *name, const char *expected)
{
	struct py_test t;
	struct strbuf_text {
		char buf[512];
		size_t n;
	} got = {"", 0};
	size_t i;

	py_test_init(&t);
	py_test_file(&t, "sub/setup.py", script)->roles |= ROLE_BUILD_ENTRY;
	py_test_file(&t, "sub/csrc/a.cpp", "");
	py_test_file(&t, "sub/csrc/b.cu", "");
	py_link(&t.repo, &t.vocab, &t.a);
	ck_assert_int_eq(t.repo.nr_extensions, 1);
	ck_assert_str_eq(t.repo.extensions[0].name, name);
	for (i = 0; i < t.repo.extensions[0].nr_sources; i++)
		got.n += (size_t)snprintf(got.buf + got.n, sizeof(got.buf) - got.n, "%s%s",
					  i ? " " : "", t.repo.extensions[0].sources[i]);
	ck_assert_msg(!strcmp(got.buf, expected), "for\n%s\nexpected %s\ngot %s", script, expected,
		      got.buf);
	py_test_free(&t);
}

#define IMPORTS                                                                                    \
	"import os, glob\nfrom pathlib import Path\nfrom torch.utils.cpp_extension import "        \
	"CUDAExtension\n"

UNIT_TEST(py_link_extensions)
{
	sources_are(IMPORTS "CUDAExtension('m', ['csrc/a.cpp', 'x.cpp'])\n", "m",
		    "sub/csrc/a.cpp sub/x.cpp");
	sources_are(
		IMPORTS
		"CUDAExtension(name='m', sources=['../y.cpp', '/abs.cpp', f(z), '../../o.cpp'])\n",
		"m", "y.cpp");
	sources_are("from setuptools import Extension as E\nE(name=n, sources=['a.c'])\n", "",
		    "sub/a.c");
	sources_are(IMPORTS "here = os.path.dirname(os.path.abspath(__file__))\nsrc = ['a.cpp']\n"
			    "if x:\n    src += ['b.cu']\nsrc.append('c.cu')\nsrc.extend(['d.cu'])\n"
			    "CUDAExtension('m', [os.path.join(here, 'csrc', s) for s in src])\n",
		    "m", "sub/csrc/a.cpp sub/csrc/b.cu sub/csrc/c.cu sub/csrc/d.cu");
	sources_are(IMPORTS
		    "root = Path(__file__).resolve().parent\n"
		    "CUDAExtension('m', sorted(glob.glob(os.path.join(root, 'csrc', '*.cpp'))) + "
		    "[str(root / 'q.cu'), f'{root}r.cu'])\n",
		    "m", "sub/csrc/a.cpp sub/q.cu sub/r.cu");
	sources_are(IMPORTS "a = a + a\nb = [b]\nCUDAExtension('m', a + b)\n", "m", "");
}
