/*
 * py_grammar.c - the pinned grammars load in the pinned runtime and parse.
 *
 * A grammar built for another language version is refused by ts_parser_set_language; an external scanner
 * that does not fit shows as an error node in text that needs it.
 */
#include "unit.h"

#include <string.h>
#include <tree_sitter/api.h>

extern const TSLanguage *tree_sitter_python(void);
extern const TSLanguage *tree_sitter_toml(void);
extern const TSLanguage *tree_sitter_cmake(void);

static const struct {
	const char *name;
	const TSLanguage *(*language)(void);
	const char *text, *root;
} grammars[] = {
	{ "python", tree_sitter_python,
	  "import a.b\n\n\ndef f(x: int | None = None, *y) -> str:\n\t'''doc\n\tlines'''\n"
	  "\tmatch x:\n\t\tcase {'k': [1, *rest]}:\n\t\t\treturn f'{x!r:>{y}}'\n\treturn (z := 1)\n",
	  "module" },
	{ "toml", tree_sitter_toml,
	  "[a.b]\nx = '''\nline\n'''\ny = [1, 2.5, true]\nz = { k = \"v\" }\n[[c]]\nd = 1979-05-27\n",
	  "document" },
	{ "cmake", tree_sitter_cmake,
	  "set(X [[raw\n]] \"quoted ${Y}\" bare)\nif(A AND NOT B)\n  find_package(C REQUIRED)\n"
	  "endif()\n# comment\n",
	  "source_file" },
};

UNIT_TEST(grammars_load_and_parse)
{
	size_t i;

	for (i = 0; i < sizeof(grammars) / sizeof(*grammars); i++) {
		TSParser *p = ts_parser_new();
		const char *text = grammars[i].text;
		TSTree *tree;
		TSNode root;

		ck_assert_msg(ts_parser_set_language(p, grammars[i].language()), "%s",
			      grammars[i].name);
		tree = ts_parser_parse_string(p, NULL, text, (uint32_t)strlen(text));
		ck_assert_ptr_nonnull(tree);
		root = ts_tree_root_node(tree);
		ck_assert_str_eq(ts_node_type(root), grammars[i].root);
		ck_assert_msg(!ts_node_has_error(root), "%s", grammars[i].name);
		ck_assert_uint_gt(ts_node_named_child_count(root), 1);
		ts_tree_delete(tree);
		ts_parser_delete(p);
	}
}

UNIT_TEST(grammars_say_where_text_is_wrong)
{
	TSParser *p = ts_parser_new();
	TSTree *tree;

	ck_assert(ts_parser_set_language(p, tree_sitter_python()));
	tree = ts_parser_parse_string(p, NULL, "def f(:\n", 8);
	ck_assert(ts_node_has_error(ts_tree_root_node(tree)));
	ts_tree_delete(tree);
	ts_parser_delete(p);
}
