/* py_build_require.c - PEP 508 rows, requirements files, setup.cfg. */
#include "unit.h"

#include <string.h>

#include "py_build_facts.h"

static const struct {
	const char *row, *name; /* name NULL: no requirement */
	const char *version;
	const char *has; /* u: url, m: marker, e: extras */
} rows[] = {
	{"torch", "torch", "", ""},
	{"  Torch_Vision.x  ", "torch-vision-x", "", ""},
	{"a--b..c__d", "a-b-c-d", "", ""},
	{"torch>=2.0,<3", "torch", ">=2.0,<3", ""},
	{"torch >= 2.0 , != 2.1.*", "torch", ">= 2.0 , != 2.1.*", ""},
	{"torch (>=2.0)", "torch", "(>=2.0)", ""},
	{"torch( ~= 2.0 ); x == '1'", "torch", "( ~= 2.0 )", "m"},
	{"torch===2.0+cu118", "torch", "===2.0+cu118", ""},
	{"torch[opt-einsum, x]>1;os_name=='nt'", "torch", ">1", "me"},
	{"torch[]", "torch", "", "e"},
	{"torch ; python_version<'3'", "torch", "", "m"},
	{"torch;python_version<'3'", "torch", "", "m"},
	{"torch @ https://x/y;z.whl", "torch", "", "u"},
	{"torch[a]@https://x/y.whl ; os_name=='nt'", "torch", "", "uem"},
	{"torch==${VERSION}", "torch", "==${VERSION}", ""},
	{"t", "t", "", ""},
	{"", NULL, "", ""},
	{"  ", NULL, "", ""},
	{"-r x", NULL, "", ""},
	{"./torch", NULL, "", ""},
	{"https://x/y", NULL, "", ""},
	{"git+https://x/y", NULL, "", ""},
	{"dir/torch", NULL, "", ""},
	{"torch=1.0", NULL, "", ""},
	{"torch 1.0", NULL, "", ""},
	{"torch (1.0)", NULL, "", ""},
	{"torch (>=1.0", NULL, "", ""},
	{"torch[a", NULL, "", ""},
	{"torch @", NULL, "", ""},
	{"torch-", NULL, "", ""},
	{"_torch", NULL, "", ""},
	{"%(name)s", NULL, "", ""},
};

UNIT_TEST(pep508_rows)
{
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		size_t len = strlen(rows[i].row);
		char *row = memcpy(xmalloc(len ? len : 1), rows[i].row, len);
		struct pep508 p;
		bool ok = pep508_parse(row, len, &p);

		ck_assert_msg(ok == (rows[i].name != NULL), "%s", rows[i].row);
		if (ok) {
			ck_assert_str_eq(p.name, rows[i].name);
			ck_assert_int_eq(p.version_span.end - p.version_span.start,
					 strlen(rows[i].version));
			ck_assert_mem_eq(row + p.version_span.start, rows[i].version,
					 strlen(rows[i].version));
			ck_assert_int_eq(p.has_url, strchr(rows[i].has, 'u') != NULL);
			ck_assert_int_eq(p.has_marker, strchr(rows[i].has, 'm') != NULL);
			ck_assert_int_eq(p.has_extras, strchr(rows[i].has, 'e') != NULL);
		}
		free(row);
	}
}

UNIT_TEST(pep508_long_name)
{
	char row[200];
	struct pep508 p;

	memset(row, 'a', sizeof(row));
	ck_assert(pep508_parse(row, 127, &p));
	ck_assert(!pep508_parse(row, 128, &p));
}

UNIT_TEST(requirements_rows)
{
	build_check(
		LANG_REQUIREMENTS,
		"# torch\n\n  torch >= 2.0  # why\r\nTorch_Audio#x\rnumpy==1.0 --hash=sha256:ab\n",
		"require torch | torch >= 2.0 | requirements [torch] {torch >= 2.0}\n"
		"require numpy | numpy==1.0 | requirements [numpy] {numpy==1.0 --hash=sha256:ab}\n"
		"! line 4: not a requirement\n");
	build_check(LANG_REQUIREMENTS, "\xef\xbb\xbftorch",
		    "require torch | torch | requirements [torch]\n");
	build_check(LANG_REQUIREMENTS, "", "");
}

UNIT_TEST(requirements_continued)
{
	build_check(LANG_REQUIREMENTS,
		    "torch \\\n  >=2.0 \\\r\n  --hash=a # c\n# x \\\nnumpy\nscipy\\\n",
		    "require torch | torch >=2.0 | requirements [torch] "
		    "{torch \\\n  >=2.0 \\\r\n  --hash=a}\n"
		    "require numpy | numpy | requirements [numpy]\n"
		    "require scipy | scipy | requirements [scipy]\n");
	build_check(LANG_REQUIREMENTS, "a \\\n b \\\n c\n? \n", "! line 1: not a requirement\n");
	build_check(
		LANG_REQUIREMENTS, "a \\\n ; x\n?\n",
		"require a | a ; x | requirements [a] {a \\\n ; x}\n! line 3: not a requirement\n");
}

UNIT_TEST(requirements_options_and_places)
{
	build_check(LANG_REQUIREMENTS,
		    "-r other.txt\n--index-url https://x\n--find-links x\n-c c.txt\n-e "
		    ".\n./x\n../y/z.whl\n"
		    "https://x/torch.tar.gz\npkg.zip\ndir/pkg\nC:\\x\\y\n",
		    "");
	build_check(
		LANG_REQUIREMENTS,
		"git+https://x/y.git@main#egg=Torch_x&subdirectory=a\n"
		"https://x/torch-2.0-cp310-cp310-linux.whl\nxformers-1-py3-none-any.whl\n"
		"torch @ https://x/y.whl\n",
		"require torch-x | git+https://x/y.git@main#egg=Torch_x&subdirectory=a | "
		"requirements "
		"[Torch_x] {git+https://x/y.git@main#egg=Torch_x&subdirectory=a}\n"
		"require torch | https://x/torch-2.0-cp310-cp310-linux.whl | requirements [torch] "
		"{https://x/torch-2.0-cp310-cp310-linux.whl}\n"
		"require xformers | xformers-1-py3-none-any.whl | requirements [xformers] "
		"{xformers-1-py3-none-any.whl}\n"
		"require torch | torch @ https://x/y.whl | requirements [torch] "
		"{torch @ https://x/y.whl}\n");
}

UNIT_TEST(requirements_hostile)
{
	static const char text[] =
		"\xef\xbb\xbf torch[x] \\\r\n >= (1) --h \\\n # c\r\0a @ b/c#egg=;\n-e\\\n";

	build_torture(LANG_REQUIREMENTS, text, sizeof(text));
}

UNIT_TEST(cfg_requires)
{
	build_check(LANG_CFG,
		    "[metadata]\nname = x\n[options]\npackages = find:\ninstall_requires =\n    "
		    "torch>=1 # a\n"
		    "    # no\n\n    numpy ; python_version<'3'\n    ; neither\nsetup-requires: "
		    "ninja; wheel\n"
		    "tests_require = file: t.txt\n[options.extras_require]\ndev =\n  torch\nall = "
		    "a;b\n",
		    "setting metadata.name | x [x] {name = x}\n"
		    "setting options.packages | find: [find:] {packages = find:}\n"
		    "require torch | torch>=1 | install_requires [torch] {torch>=1}\n"
		    "require numpy | numpy ; python_version<'3' | install_requires [numpy] "
		    "{numpy ; python_version<'3'}\n"
		    "require ninja | ninja | setup_requires [ninja]\n"
		    "require wheel | wheel | setup_requires [wheel]\n"
		    "setting options.tests_require | file: t.txt [file: t.txt] "
		    "{tests_require = file: t.txt}\n"
		    "require torch | torch | extras_require [torch]\n"
		    "require a | a | extras_require [a]\nrequire b | b | extras_require [b]\n");
}

UNIT_TEST(cfg_values)
{
	build_check(LANG_CFG,
		    "\xef\xbb\xbf[a b]\r\nk: v ; w # x\r\n  more\r\n\r\n  last  \r\nempty =\r\n[c]",
		    "setting a b.k | v ; w # x\nmore\nlast [v ; w # x\r\n  more\r\n\r\n  last] "
		    "{k: v ; w # x\r\n  more\r\n\r\n  last}\n"
		    "setting a b.empty |  [] {empty =}\n");
	build_check(LANG_CFG, "[a]\n  k = v\n  l = w\n    x = y\nm=n",
		    "setting a.k | v [v] {k = v}\nsetting a.l | w\nx = y [w\n    x = y] {l = w\n   "
		    " x = y}\n"
		    "setting a.m | n [n] {m=n}\n");
}

UNIT_TEST(cfg_entry_points)
{
	build_check(LANG_CFG,
		    "[options.entry_points]\nconsole_scripts =\n  a = p.q:f\n  b=p\n  c\nx = d = p.r",
		    "setting options.entry_points.console_scripts.a | p.q:f [p.q:f] {a = p.q:f}\n"
		    "setting options.entry_points.console_scripts.b | p [p] {b=p}\n"
		    "setting options.entry_points.x.d | p.r [p.r] {d = p.r}\n");
}

UNIT_TEST(cfg_errors)
{
	build_check(LANG_CFG, "k = v\n[a]\nx\ny = z\n",
		    "setting a.y | z [z] {y = z}\n! line 1: not valid configuration here\n");
	build_check(LANG_CFG, "[a]\nk = v\n[]\ny = z\n",
		    "setting a.k | v [v] {k = v}\n! line 3: not valid configuration here\n");
	build_check(LANG_CFG, "[options]\ninstall_requires =\n  to rch\n  torch\n",
		    "require torch | torch | install_requires [torch]\n"
		    "! line 3: not valid configuration here\n");
}

UNIT_TEST(cfg_hostile)
{
	static const char text[] =
		"[options]\r\ninstall_requires = a;\r b \n\n  c\0 ; d\n = x\n[\n k\n[x]]\n:\n y:";

	build_torture(LANG_CFG, text, sizeof(text));
}
