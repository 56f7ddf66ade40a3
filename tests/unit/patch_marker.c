/* patch_marker.c - markers where no statements are known, and how long their lines are. */
#include "unit.h"

#include "patch_help.h"

static void file_add(struct bench *b, const char *path, enum lang lang, const char *text)
{
	bench_file(b, path, text);
	repo_find(&b->repo, path)->lang = lang;
}

/* An edit of the one byte at the first '@' of the text. */
static struct finding *edit_at(struct bench *b, const char *path, const char *text)
{
	struct finding *f = bench_finding(b, "PD900", path);
	uint32_t at = (uint32_t)strcspn(text, "@");

	f->fix->description = "why";
	f->keep_until = "fixed PD900";
	f->span = (struct span){at, at + 1};
	bench_edit(b, f, at, at + 1, "!");
	return f;
}

static void marked(enum lang lang, const char *text, const char *want)
{
	struct bench b;

	bench_open(&b);
	b.options.markers = MARKERS_FULL;
	file_add(&b, "a", lang, text);
	edit_at(&b, "a", text);
	bench_build(&b);
	ck_assert_str_eq(b.patch->files[0].new, want);
	bench_close(&b);
}

UNIT_TEST(marker_in_c)
{
	marked(LANG_CXX, "f();\n\tg(@);\n", "f();\n\t// MARK: why; remove when fixed PD900 [PD900]\n\tg(!);\n");
	marked(LANG_CXX, "#define A \\\n\tf(); \\\n\tg(@)\n",
	       "// MARK: why; remove when fixed PD900 [PD900]\n#define A \\\n\tf(); \\\n\tg(!)\n");
	marked(LANG_CUDA, "/* a\n b */ g(@);\n",
	       "// MARK: why; remove when fixed PD900 [PD900]\n/* a\n b */ g(!);\n");
	marked(LANG_C, "f(R\"(\n)\", @);\r\n",
	       "// MARK: why; remove when fixed PD900 [PD900]\r\nf(R\"(\n)\", !);\r\n");
}

UNIT_TEST(marker_in_build_files)
{
	marked(LANG_TOML, "a = [\n  \"@\",\n]\n",
	       "a = [\n  # MARK: why; remove when fixed PD900 [PD900]\n  \"!\",\n]\n");
	marked(LANG_TOML, "a = \"\"\"\n@\n\"\"\"\n",
	       "# MARK: why; remove when fixed PD900 [PD900]\na = \"\"\"\n!\n\"\"\"\n");
	marked(LANG_CMAKE, "f(a\n  @)\n", "f(a\n  # MARK: why; remove when fixed PD900 [PD900]\n  !)\n");
	marked(LANG_REQUIREMENTS, "a \\\n  @\n",
	       "# MARK: why; remove when fixed PD900 [PD900]\na \\\n  !\n");
	marked(LANG_OTHER, "@\n", "!\n");
}

UNIT_TEST(marker_tag)
{
	struct bench b;

	bench_open(&b);
	b.options.markers = MARKERS_SHORT;
	b.options.tag = "ops-42";
	b.vocab.marker_until = "MARK(somebody)";
	file_add(&b, "a", LANG_TOML, "@\n");
	edit_at(&b, "a", "@\n");
	bench_build(&b);
	ck_assert_str_eq(b.patch->files[0].new, "# MARK(ops-42): remove when fixed PD900 [PD900]\n!\n");
	bench_close(&b);
}

/* What a file of the root says about lines holds for the languages that it is about. */
static void limited(const char *name, const char *setting, enum lang lang, const char *want)
{
	struct bench b;

	bench_open(&b);
	b.options.markers = MARKERS_FULL;
	file_add(&b, "a", lang, "@\n");
	bench_put(&b, name, setting);
	edit_at(&b, "a", "@\n");
	bench_build(&b);
	ck_assert_str_eq(b.patch->files[0].new, want);
	unlinkat(b.repo.dirfd, name, 0);
	bench_close(&b);
}

UNIT_TEST(marker_limits)
{
	const char *one = "// MARK: why; remove when fixed PD900 [PD900]\n!\n";
	const char *two = "// MARK: why; remove when fixed PD900\n//   [PD900]\n!\n";

	limited(".clang-format", "---\nBasedOnStyle: LLVM\nColumnLimit: 40\n", LANG_CXX, two);
	limited(".clang-format", "ColumnLimit:     0\n", LANG_CXX, one);
	limited(".flake8", "[flake8]\nmax-line-length = 40\n", LANG_CXX, one);
	limited(".flake8", "[flake8]\nmax-line-length = 40\n", LANG_TOML,
		"# MARK: why; remove when fixed PD900\n#   [PD900]\n!\n");
	limited(".editorconfig", "[*.py]\nmax_line_length=40\n", LANG_CMAKE,
		"# MARK: why; remove when fixed PD900\n#   [PD900]\n!\n");
}
