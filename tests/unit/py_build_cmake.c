/* py_build_cmake.c - CMake files. */
#include "unit.h"

#include <string.h>

#include "py_build_facts.h"

UNIT_TEST(cmake_commands)
{
	build_check(LANG_CMAKE,
		    "# c\nFind_Package(Torch REQUIRED) # x\nset(V \"a b\" ${X}/y [[br]] [=[\nq]=] "
		    "\"\")\n"
		    "if(A AND (B OR C))\n  message(\"e\\\"\\n;\")\nendif()\nproject ( p\n  # c\n  "
		    "CXX )\n",
		    "command find_package [Find_Package] {Find_Package(Torch REQUIRED)} +call "
		    "(Torch) (REQUIRED)\n"
		    "command set [set] {set(V \"a b\" ${X}/y [[br]] [=[\nq]=] \"\")} +call (V) (a "
		    "b) (${X}/y) "
		    "(br) (q) ()\n"
		    "command if [if] {if(A AND (B OR C))} +call (A) (AND) (B) (OR) (C)\n"
		    "command message [message] {message(\"e\\\"\\n;\")} +call (e\"\n;)\n"
		    "command endif [endif] {endif()} +call\n"
		    "command project [project] {project ( p\n  # c\n  CXX )} +call (p) (CXX)\n");
}

UNIT_TEST(cmake_functions)
{
	build_check(LANG_CMAKE,
		    "function(f a)\n  if(a)\n    x()\n  "
		    "endif()\nendfunction()\ny()\nMACRO(m)\nz()\nENDMACRO()\nw()\n",
		    "command function [function] {function(f a)} +call (f) (a)\n"
		    "command if [if] {if(a)} +call +function (a)\n"
		    "command x [x] {x()} +call +function\n"
		    "command endif [endif] {endif()} +call +function\n"
		    "command endfunction [endfunction] {endfunction()} +call\n"
		    "command y [y] {y()} +call\n"
		    "command macro [MACRO] {MACRO(m)} +call (m)\n"
		    "command z [z] {z()} +call +function\n"
		    "command endmacro [ENDMACRO] {ENDMACRO()} +call\n"
		    "command w [w] {w()} +call\n");
}

UNIT_TEST(cmake_text)
{
	build_check(LANG_CMAKE, "", "");
	build_check(LANG_CMAKE, "a(\"x\\\ny\")\r\nb()",
		    "command a [a] {a(\"x\\\ny\")} +call (xy)\ncommand b [b] {b()} +call\n");
	build_check(LANG_CMAKE, "#[[ a() ]] b(c) #[=[ ]] ]=]\n",
		    "command b [b] {b(c)} +call (c)\n");
}

UNIT_TEST(cmake_errors)
{
	struct build_run r;
	static const char text[] = "a(b)\nc(\nd(e)\n";

	build_read(&r, LANG_CMAKE, text, strlen(text));
	ck_assert_int_eq(r.s.analysis, ANALYSIS_PARTIAL);
	ck_assert_int_eq(r.notices.nr, 1);
	build_done(&r);
}

UNIT_TEST(cmake_limit)
{
	struct strbuf sb = STRBUF_INIT;
	struct build_run r;
	int i;

	for (i = 0; i < 20010; i++)
		strbuf_addstr(&sb, "a()\n");
	build_read(&r, LANG_CMAKE, sb.buf, sb.len);
	ck_assert_int_eq(r.s.nr_facts, 20000);
	ck_assert_int_eq(r.notices.nr, 1);
	build_done(&r);
	strbuf_release(&sb);
}

UNIT_TEST(cmake_long)
{
	size_t len = 1 << 20;
	char *text = xmalloc(len);
	struct build_run r;

	memset(text, '\n', len);
	build_read(&r, LANG_CMAKE, text, len);
	ck_assert_str_eq(r.out.buf, "! too hard to parse, not analysed\n");
	ck_assert_int_eq(r.s.analysis, ANALYSIS_SKIPPED);
	build_done(&r);
	memset(text, 'x', len);
	memcpy(text, "a(", 2);
	text[len - 1] = ')';
	build_read(&r, LANG_CMAKE, text, len);
	ck_assert_int_eq(r.s.nr_facts, 1);
	build_done(&r);
	free(text);
}

UNIT_TEST(cmake_hostile)
{
	static const char text[] =
		"function(a \"b\\\")\n#[[\0]]\nif(x)\r\n[==[\r\n]=]]==]\nb([=[y]=] \"\\\n\" "
		"${z)\nendif(";

	build_torture(LANG_CMAKE, text, sizeof(text));
}
