/*
 * pack.c - DIR FILE...: parse those files that are YAML and write the tree of the i-th to DIR/i.
 *
 * Part of the build. A file that is not right gets no tree: the program parses its text when it is
 * asked for, and says then what is wrong.
 */
#include <stdio.h>
#include <string.h>

#include "base/fs.h"
#include "base/intern.h"
#include "base/yaml.h"

static void tree_write(const char *path, const struct strbuf *sb)
{
	FILE *f = fopen(path, "w");

	if (!f || fwrite(sb->buf, 1, sb->len, f) != sb->len || fclose(f))
		die("%s: cannot be written", path);
}

static void tree_make(const char *dir, int i, const char *path)
{
	struct strbuf sb = STRBUF_INIT;
	struct arena a = {0};
	struct fs_text text;
	struct err err;
	struct yaml *y;

	if (fs_read_path(path, 1u << 20, &text, &err))
		die("%s", err.msg);
	if (!yaml_parse(&y, &a, path, text.data, text.len, &err)) {
		yaml_pack(&sb, y);
		tree_write(arena_fmt(&a, "%s/%d", dir, i), &sb);
	}
	strbuf_release(&sb);
	fs_text_free(&text);
	arena_free(&a);
}

int main(int argc, char **argv)
{
	int i;

	for (i = 2; i < argc; i++)
		if (str_ends(argv[i], ".yml"))
			tree_make(argv[1], i - 2, argv[i]);
	return 0;
}
