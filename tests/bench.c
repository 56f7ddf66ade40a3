/*
 * bench.c - bare parsing, the measure that a scan is compared with.
 *
 * In: names of Python files on standard input, one a line. Each is read and parsed by tree-sitter, and
 * the tree thrown away; nothing else. Out: files, bytes and nodes, so that no parse can be left out by the
 * compiler.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <tree_sitter/api.h>

#include "base/fs.h"

extern const TSLanguage *tree_sitter_python(void);

#define FILE_MAX (16u << 20)

int main(void)
{
	TSParser *parser = ts_parser_new();
	size_t files = 0, bytes = 0, nodes = 0;
	char name[4096];

	if (!ts_parser_set_language(parser, tree_sitter_python()))
		die("the grammar does not fit the runtime");
	while (fgets(name, sizeof(name), stdin)) {
		struct err err = { "" };
		struct fs_text text;
		TSTree *tree;

		name[strcspn(name, "\n")] = 0;
		if (fs_read_path(name, FILE_MAX, &text, &err))
			die("%s", err.msg);
		tree = ts_parser_parse_string(parser, NULL, text.data, (uint32_t)text.len);
		nodes += ts_node_descendant_count(ts_tree_root_node(tree));
		files++;
		bytes += text.len;
		ts_tree_delete(tree);
		fs_text_free(&text);
	}
	ts_parser_delete(parser);
	printf("%zu files, %zu bytes, %zu nodes\n", files, bytes, nodes);
	return 0;
}
