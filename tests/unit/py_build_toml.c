/* py_build_toml.c - TOML build files. */
#include "unit.h"

#include <string.h>

#include "py_build_facts.h"

UNIT_TEST(toml_rows)
{
	build_check(
		LANG_TOML,
		"[build-system]\nrequires = [\"Torch>=2\", 'numpy', # c\n  \"\"\"wheel\"\"\",\n]\n"
		"build-backend = \"x\" # y\n",
		"require torch | Torch>=2 | build-system.requires [\"Torch>=2\"]\n"
		"require numpy | numpy | build-system.requires ['numpy']\n"
		"require wheel | wheel | build-system.requires [\"\"\"wheel\"\"\"]\n"
		"setting build-system.build-backend | x [\"x\"] {build-backend = \"x\"}\n");
	build_check(LANG_TOML,
		    "project.dependencies = [\"torch\"]\n[project.optional-dependencies]\ndev = "
		    "[\"a\"]\n"
		    "'x y' = [\"b; os_name == 'nt'\"]\n[dependency-groups]\nt = [{include-group = "
		    "\"dev\"}, \"c\"]\n",
		    "require torch | torch | project.dependencies [\"torch\"]\n"
		    "require a | a | project.optional-dependencies.dev [\"a\"]\n"
		    "require b | b; os_name == 'nt' | project.optional-dependencies.x y "
		    "[\"b; os_name == 'nt'\"]\n"
		    "setting dependency-groups.t.include-group | dev [\"dev\"] {include-group = "
		    "\"dev\"}\n"
		    "require c | c | dependency-groups.t [\"c\"]\n");
	build_check(LANG_TOML,
		    "[tool.uv]\ndev-dependencies=['a']\n[tool.hatch.envs.x]\ndependencies=['b']\n"
		    "[tool.pdm.dev-dependencies]\nq=['c']\n[tool.other]\ndependencies=['d']\n"
		    "[dependencies]\ntorch = '1'\n[tool.uv.sources]\ntorch = [{index='i'}]\n",
		    "require a | a | tool.uv.dev-dependencies ['a']\n"
		    "require b | b | tool.hatch.envs.x.dependencies ['b']\n"
		    "require c | c | tool.pdm.dev-dependencies.q ['c']\n"
		    "setting tool.other.dependencies | d ['d']\n"
		    "setting dependencies.torch | 1 ['1'] {torch = '1'}\n"
		    "setting tool.uv.sources.torch.index | i ['i'] {index='i'}\n");
	build_check(LANG_TOML, "project.dependencies = ['not one', '']",
		    "setting project.dependencies | not one ['not one']\nsetting "
		    "project.dependencies |  ['']\n");
}

UNIT_TEST(toml_name_tables)
{
	build_check(
		LANG_TOML,
		"[tool.poetry.dependencies]\npython = \"^3.8\"\nTorch = \"^2\" # c\n"
		"x_y = {version = \"1\", extras = [\"a\"]}\nz.version = \"3\"\n"
		"[tool.poetry.group.dev.dependencies]\n'w' = '*'\n",
		"setting tool.poetry.dependencies.python | ^3.8 [\"^3.8\"] {python = \"^3.8\"}\n"
		"require torch | Torch = \"^2\" | tool.poetry.dependencies [Torch] {Torch = "
		"\"^2\"}\n"
		"require x-y | x_y = {version = \"1\", extras = [\"a\"]} | "
		"tool.poetry.dependencies [x_y] "
		"{x_y = {version = \"1\", extras = [\"a\"]}}\n"
		"require z | z.version = \"3\" | tool.poetry.dependencies [z] {z.version = \"3\"}\n"
		"setting tool.poetry.dependencies.z.version | 3 [\"3\"] {z.version = \"3\"}\n"
		"require w | 'w' = '*' | tool.poetry.group.dev.dependencies ['w'] {'w' = '*'}\n");
	build_check(LANG_TOML, "[tool.poetry.dependencies.torch]\nversion = '2'\n\n[a]\n",
		    "require torch | [tool.poetry.dependencies.torch]\nversion = '2' | "
		    "tool.poetry.dependencies [torch] {[tool.poetry.dependencies.torch]\nversion = "
		    "'2'}\n"
		    "setting tool.poetry.dependencies.torch.version | 2 ['2'] {version = '2'}\n");
	build_check(
		LANG_TOML, "[tool.poetry]\ndependencies = {torch = '1'}\n",
		"require torch | torch = '1' | tool.poetry.dependencies [torch] {torch = '1'}\n");
}

UNIT_TEST(toml_settings)
{
	build_check(LANG_TOML,
		    "top = 1\na . \"b.c\" .d=true\n[t]\nx = -1.5e3\ny = [1, 'p', ['q']]\nz = {k = "
		    "0xff, l = {m = 'n'}}\n"
		    "d = 1979-05-27\n[[arr]]\nk = 'v'\n[[arr]]\nk = 'w'",
		    "setting top | 1 [1] {top = 1}\nsetting a.b.c.d | true [true] {a . \"b.c\" "
		    ".d=true}\n"
		    "setting t.x | -1.5e3 [-1.5e3] {x = -1.5e3}\nsetting t.y | p ['p']\n"
		    "setting t.y | q ['q']\nsetting t.z.k | 0xff [0xff] {k = 0xff}\n"
		    "setting t.z.l.m | n ['n'] {m = 'n'}\nsetting arr.k | v ['v'] {k = 'v'}\n"
		    "setting arr.k | w ['w'] {k = 'w'}\n");
}

UNIT_TEST(toml_strings)
{
	build_check(
		LANG_TOML, "a = \"\\t\\u00e9\\U0001F600\\\"\\\\\"\nb = 'c:\\d'\n",
		"setting a | \t\xc3\xa9\xf0\x9f\x98\x80\"\\ [\"\\t\\u00e9\\U0001F600\\\"\\\\\"] "
		"{a = \"\\t\\u00e9\\U0001F600\\\"\\\\\"}\nsetting b | c:\\d ['c:\\d'] {b = "
		"'c:\\d'}\n");
	build_check(LANG_TOML, "a = \"\"\"\r\nx \\\r\n   y\"\"\"\n",
		    "setting a | x y [\"\"\"\r\nx \\\r\n   y\"\"\"] {a = \"\"\"\r\nx \\\r\n   "
		    "y\"\"\"}\n");
	build_check(LANG_TOML, "a = '''\nx\\\n'''\nb = ''\n",
		    "setting a | x\\\n ['''\nx\\\n'''] {a = '''\nx\\\n'''}\nsetting b |  [''] {b = "
		    "''}\n");
	build_check(LANG_TOML,
		    "\xef\xbb\xbf"
		    "a = 1\r\nb = 2\r\n",
		    "setting a | 1 [1] {a = 1}\nsetting b | 2 [2] {b = 2}\n");
	build_check(LANG_TOML, "", "");
	build_check(LANG_TOML, "# only\n", "");
}

UNIT_TEST(toml_errors)
{
	/* What follows an error in its table is not reported: it may stand in another table. */
	build_check(LANG_TOML,
		    "[build-system]\nrequires = ['a']\nx = \n[project\ndependencies = ['torch']\n"
		    "[project.optional-dependencies]\nd = ['b']\n",
		    "require a | a | build-system.requires ['a']\n"
		    "require b | b | project.optional-dependencies.d ['b']\n"
		    "! line 3: could not be read here\n");
	build_check(LANG_TOML, "a = 1\nb == 2\nc = 3\n",
		    "setting a | 1 [1] {a = 1}\n! line 2: could not be read here\n");
}

UNIT_TEST(toml_limits)
{
	struct strbuf sb = STRBUF_INIT;
	struct build_run r;
	int i;

	strbuf_addstr(&sb, "a = ");
	for (i = 0; i < 100; i++)
		strbuf_addch(&sb, '[');
	strbuf_addstr(&sb, "'x'");
	for (i = 0; i < 100; i++)
		strbuf_addch(&sb, ']');
	strbuf_addstr(&sb, "\nb = 1\n");
	build_check(LANG_TOML, sb.buf,
		    "setting b | 1 [1] {b = 1}\n! nested too deeply; not all was read\n");
	strbuf_reset(&sb);
	for (i = 0; i < 20010; i++)
		strbuf_addf(&sb, "k%d = 1\n", i);
	build_read(&r, LANG_TOML, sb.buf, sb.len);
	ck_assert_int_eq(r.s.nr_facts, 20000);
	ck_assert_int_eq(r.notices.nr, 1);
	build_done(&r);
	strbuf_release(&sb);
}

UNIT_TEST(toml_long_line)
{
	size_t len = 1 << 20;
	char *text = xmalloc(len);
	struct build_run r;

	memset(text, 'x', len);
	memcpy(text, "a='", 3);
	text[len - 1] = '\'';
	build_read(&r, LANG_TOML, text, len);
	ck_assert_int_eq(r.s.nr_facts, 1);
	build_done(&r);
	free(text);
}

UNIT_TEST(toml_hostile)
{
	static const char text[] =
		"[a.\"b\\\"\"]\r\nx = \"\\u12\\\n\"\ny = '''\n'''''\n[[c]]\r d = {e = [\"f\", {g = "
		"1}]}\n"
		"\0 = \0\n\"\"\"\\\n[tool.poetry.dependencies.torch]\na.b.c = [\n";

	build_torture(LANG_TOML, text, sizeof(text));
}
