/* repo_instructions.c - what the texts of a tree say about how it is built. */
#include "repo_tree.h"

/* Folders built without isolation in a tree whose read-me page, or file at `path`, holds `text`. */
static const char *folders(const char *path, const char *text)
{
	static struct arena kept;
	struct err err = {{0}};
	struct assets as = {0};
	const char *list;
	struct tree t;

	arena_free(&kept);
	tree_open(&t);
	tree_put(&t, "pyproject.toml", "");
	tree_put(&t, "row_sum/__init__.py", "");
	tree_put(&t, "core/setup.py", "");
	tree_put(&t, path, text);
	tree_walk(&t);
	ck_assert(!assets_load(&as, &t.arena, NULL, &err));
	ck_assert_msg(!repo_classify(t.repo, &t.arena, &as, &tree_vocab, &err), "%s", err.msg);
	list = arena_strdup(&kept, tree_strings(&t, &t.repo->unisolated));
	tree_close(&t);
	return list;
}

#define SAYS(text, list) ck_assert_str_eq(folders("README.md", text), list)

UNIT_TEST(instructions_that_build_here)
{
	SAYS("pip install . --no-build-isolation\n", "'' ");
	SAYS("`pip install --no-build-isolation -e .`", "'' ");
	SAYS("pip install -e.[dev] --no-build-isolation\n", "'' ");
	SAYS("pip install -v \\\n  --no-build-isolation \\\n  .\n", "'' ");
	SAYS("pip install -v \\\r\n  --no-build-isolation .\r\n", "'' ");
	SAYS("pip install row-sum --no-build-isolation\n", "'' ");
	SAYS("pip install Row.Sum[all]==1.0 --no-build-isolation\n", "'' ");
	SAYS("pip install --no-build-isolation git+https://x.org/me/row_sum.git@main\n", "'' ");
}

UNIT_TEST(instructions_by_folder)
{
	SAYS("pip install ./core --no-build-isolation\n", "core ");
	SAYS("pip install ./core/ --no-build-isolation\n", "core ");
	SAYS("cd core && pip install . --no-build-isolation\n", "core ");
	SAYS("cd core; cd ..; pip install . --no-build-isolation\n", "'' ");
	SAYS("cd ../..; pip install . --no-build-isolation\n", "");
}

UNIT_TEST(instructions_that_say_nothing_here)
{
	SAYS("pip install .\n", "");
	SAYS("pip install other --no-build-isolation\n", "");
	SAYS("python -m build --no-isolation .\n", "");
	SAYS("pip install .\npip install other --no-build-isolation\n", "");
	SAYS("pip install ../elsewhere --no-build-isolation\n", "");
	ck_assert_str_eq(folders("core/notes.md", "pip install . --no-build-isolation\n"), "");
	ck_assert_str_eq(folders("third_party/build.sh", "pip install . --no-build-isolation\n"),
			 "");
}

UNIT_TEST(instructions_in_other_texts)
{
	const char *text = "run: pip install . --no-build-isolation\n";

	ck_assert_str_eq(folders(".github/workflows/ci.yml", text), "'' ");
	ck_assert_str_eq(folders("docs/guide/Installation.rst", text), "'' ");
	ck_assert_str_eq(folders("docker/Dockerfile", text), "'' ");
	ck_assert_str_eq(folders("Makefile", text), "'' ");
	ck_assert_str_eq(folders("scripts/install.sh", text), "'' ");
}

UNIT_TEST(instructions_that_differ)
{
	const char *both = "pip install .\npip install . --no-build-isolation\n";

	SAYS("pip install . --no-build-isolation\npip install -e .\n", "'' ");
	SAYS(both, "");
	ck_assert_str_eq(folders("docs/install.md", both), "");
	ck_assert_str_eq(folders("docs/install.md", "`pip install other`.\n"
						    "pip install . --no-build-isolation\n"),
			 "'' ");
	ck_assert_str_eq(folders("docs/install.md", "pip install row-sum\n"
						    "pip install . --no-build-isolation\n"),
			 "'' ");
	ck_assert_str_eq(folders("docs/install.md", "cd core; pip install .; cd ..\n"
						    "pip install . --no-build-isolation\n"),
			 "'' ");
}
