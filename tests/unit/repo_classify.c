/* repo_classify.c - tests of classifying: layers.yml, layers, type, entries, lists; facts are made
 * by hand. */
#include "repo_tree.h"

/* A file with its facts: "kind name" pairs, "gap" before the kind for a fact with that verdict. */
struct made {
	const char *path;
	struct {
		enum fact_kind kind;
		const char *name;
		enum verdict verdict;
	} facts[8];
};

static void facts_make(struct tree *t, const struct made *m)
{
	struct source *s = tree_find(t, m->path);
	size_t i;

	s->analysis = ANALYSIS_FULL;
	s->facts = arena_array(&t->arena, 8, sizeof(*s->facts));
	for (i = 0; i < 8 && m->facts[i].name; i++) {
		s->facts[i].kind = m->facts[i].kind;
		s->facts[i].name = m->facts[i].name;
		s->facts[i].verdict = m->facts[i].verdict;
		s->facts[i].guard = s->facts[i].def = -1;
		s->nr_facts++;
	}
}

static void classify(struct tree *t, const struct made *made, size_t nr)
{
	struct err err = {{0}};
	struct assets as = {0};
	size_t i;

	tree_open(t);
	for (i = 0; i < nr; i++)
		tree_put(t, made[i].path, "");
	tree_walk(t);
	for (i = 0; i < nr; i++)
		facts_make(t, &made[i]);
	ck_assert(!assets_load(&as, &t->arena, NULL, &err));
	ck_assert_msg(!repo_classify(t->repo, &t->arena, &as, &tree_vocab, &err), "%s", err.msg);
}

/* The list to change first, in order of rank. */
static const char *first_list(struct tree *t)
{
	struct strbuf sb = STRBUF_INIT;
	const char *text;
	size_t i, k;

	for (k = 0; k < t->repo->nr_files; k++)
		for (i = 0; i < t->repo->nr_files; i++)
			if (t->repo->files[i]->rank == (int)k &&
			    t->repo->files[i]->treatment >= TREAT_FIRST)
				strbuf_addf(&sb, "%s ", t->repo->files[i]->path);
	text = arena_strndup(&t->arena, sb.buf, sb.len);
	strbuf_release(&sb);
	return text;
}

#define CLASSIFY(t, made) classify((t), (made), sizeof(made) / sizeof(*(made)))

UNIT_TEST(classify_extension)
{
	static const struct made made[] = {
		{"setup.py",
		 {{FACT_IMPORT, "torch.utils.cpp_extension", 0},
		  {FACT_USE, "torch.utils.cpp_extension.CUDAExtension", 0}}},
		{"csrc/bind.cpp",
		 {{FACT_INCLUDE, "vector", 0},
		  {FACT_INCLUDE, "torch/extension.h", 0},
		  {FACT_TOKEN, "TORCH_LIBRARY", 0},
		  {FACT_TOKEN, "at::Tensor", 0}}},
		{"csrc/kernel.cu", {{FACT_INCLUDE, "cuda.h", 0}}},
		{"ext/__init__.py", {{FACT_IMPORT, "ext.ops", 0}}},
		{"ext/ops.py", {{FACT_IMPORT, "torch", 0}, {FACT_USE, "torch.sort", VERDICT_GAP}}},
		{"ext/plain.py", {{FACT_IMPORT, "math", 0}}},
		{"tests/test_sorting_of_things.py", {{FACT_IMPORT, "torch", 0}}},
		{"tests/test_ops.py", {{FACT_IMPORT, "torch", 0}}},
		{"README.md", {{0, NULL, 0}}},
	};
	struct tree t;

	CLASSIFY(&t, made);
	ck_assert_str_eq(t.repo->type, "A");
	ck_assert_str_eq(t.repo->type_name, "extension");
	ck_assert_str_eq(t.repo->type_reasons.v[0], "declares an extension (setup.py)");
	ck_assert_str_eq(tree_find(&t, "csrc/bind.cpp")->layer_reason,
			 "includes torch/extension.h, TORCH_LIBRARY");
	ck_assert_int_eq(tree_find(&t, "csrc/bind.cpp")->treatment, TREAT_COMPAT);
	ck_assert_int_eq(tree_find(&t, "csrc/kernel.cu")->layer, LAYER_KERNEL);
	ck_assert_str_eq(tree_find(&t, "csrc/kernel.cu")->layer_reason, "no framework word in it");
	ck_assert_int_eq(tree_find(&t, "csrc/kernel.cu")->rank, 1);
	ck_assert_str_eq(tree_find(&t, "ext/__init__.py")->layer_reason,
			 "imports ext.ops, which leads to the framework");
	ck_assert_int_eq(tree_find(&t, "ext/plain.py")->layer, LAYER_OTHER);
	ck_assert_int_eq(tree_find(&t, "README.md")->rank, -1);
	ck_assert_str_eq(first_list(&t), "setup.py ext/__init__.py tests/test_ops.py ext/ops.py ");
	ck_assert_str_eq(tree_strings(&t, &t.repo->build_entries), "setup.py ");
	ck_assert_str_eq(tree_strings(&t, &t.repo->call_entries), "ext/__init__.py ");
	ck_assert_str_eq(tree_strings(&t, &t.repo->test_entries), "tests/test_ops.py ");
	tree_close(&t);
}

UNIT_TEST(classify_test_entry)
{
	static const struct made made[] = {
		{"pkg/__init__.py", {{FACT_IMPORT, "torch", 0}}},
		{"pkg/test.py", {{FACT_IMPORT, "torch", 0}}},
		{"pkg/part/tests/test_all.py", {{FACT_USE, "torch.library.custom_op()", 0}}},
	};
	struct tree t;

	CLASSIFY(&t, made);
	ck_assert_str_eq(tree_strings(&t, &t.repo->test_entries), "pkg/part/tests/test_all.py ");
	ck_assert_str_eq(tree_find(&t, "pkg/part/tests/test_all.py")->layer_reason,
			 "test, uses torch.library.custom_op");
	tree_close(&t);
}

UNIT_TEST(classify_compiler)
{
	static const struct made made[] = {
		{"dsl/__init__.py", {{FACT_IMPORT, "dsl.jit.base", 0}}},
		{"dsl/lower.py", {{FACT_IMPORT, "tvm.tir", 0}}},
		{"dsl/jit/adapter/base.py",
		 {{FACT_IMPORT, "torch", 0},
		  {FACT_USE, "torch.cuda.current_stream", 0},
		  {FACT_USE, "torch.cuda.current_device", VERDICT_GAP}}},
		{"dsl/jit/base.py", {{FACT_IMPORT, "torch", 0}}},
		{"dsl/jit/adapter/ffi_adapter.py",
		 {{FACT_IMPORT, "torch", 0}, {FACT_IMPORT, "tvm.ir", 0}}},
		{"dsl/dlpack.py", {{FACT_IMPORT, "torch.utils.dlpack", 0}}},
		{"dsl/bench.py", {{FACT_USE, "torch.zeros", VERDICT_GAP}}},
		{"pyproject.toml", {{FACT_REQUIRE, "torch", 0}}},
		{"examples/e.py", {{FACT_USE, "torch.zeros", VERDICT_GAP}}},
	};
	struct tree t;

	CLASSIFY(&t, made);
	ck_assert_str_eq(t.repo->type, "C");
	ck_assert_int_eq(tree_find(&t, "dsl/lower.py")->layer, LAYER_KERNEL);
	ck_assert_str_eq(tree_find(&t, "dsl/lower.py")->layer_reason, "imports tvm, no framework");
	ck_assert_str_eq(
		first_list(&t),
		"dsl/__init__.py pyproject.toml dsl/jit/adapter/base.py "
		"dsl/jit/adapter/ffi_adapter.py dsl/dlpack.py dsl/bench.py examples/e.py ");
	tree_close(&t);
}

UNIT_TEST(classify_runtime_glue)
{
	static const struct made made[] = {
		{"pkg/__init__.py", {{FACT_IMPORT, "torch", 0}}},
		{"pkg/comm.py",
		 {{FACT_USE, "torch.distributed.all_reduce", 0},
		  {FACT_USE, "torch.distributed.new_group", 0},
		  {FACT_USE, "torch.distributed.barrier", 0}}},
		{"pkg/patch.py", {{FACT_ASSIGN, "torch.Tensor.cuda", 0}}},
	};
	struct tree t;

	CLASSIFY(&t, made);
	ck_assert_str_eq(t.repo->type, "B");
	ck_assert_str_eq(first_list(&t), "pkg/comm.py pkg/patch.py pkg/__init__.py ");
	tree_close(&t);
}

UNIT_TEST(classify_nothing_to_do)
{
	static const struct made made[] = {
		{"pkg/__init__.py", {{FACT_IMPORT, "os", 0}}},
		{"setup.py", {{FACT_IMPORT, "setuptools", 0}}},
	};
	struct tree t;

	CLASSIFY(&t, made);
	ck_assert_ptr_null(t.repo->type);
	ck_assert_str_eq(first_list(&t), "");
	tree_close(&t);
}

/* A cycle of packages that re-export each other ends. */
UNIT_TEST(classify_import_cycle)
{
	static const struct made made[] = {
		{"a/__init__.py", {{FACT_IMPORT, "b", 0}}},
		{"b/__init__.py", {{FACT_IMPORT, "a", 0}, {FACT_IMPORT, "c.x", 0}}},
		{"c/__init__.py", {{FACT_IMPORT, "c", 0}}},
		{"c/x.py", {{FACT_IMPORT, "torch", 0}}},
	};
	struct tree t;

	CLASSIFY(&t, made);
	ck_assert_int_eq(tree_find(&t, "a/__init__.py")->layer, LAYER_GLUE);
	ck_assert_int_eq(tree_find(&t, "b/__init__.py")->layer, LAYER_GLUE);
	ck_assert_int_eq(tree_find(&t, "c/__init__.py")->layer, LAYER_OTHER);
	tree_close(&t);
}

UNIT_TEST(classify_twice_is_the_same)
{
	static const struct made made[] = {
		{"setup.py", {{FACT_IMPORT, "torch", 0}}},
		{"pkg/__init__.py", {{FACT_IMPORT, "torch", 0}}},
		{"test.py", {{FACT_IMPORT, "torch", 0}}},
	};
	struct err err = {{0}};
	struct assets as = {0};
	const char *once;
	struct tree t;

	CLASSIFY(&t, made);
	once = first_list(&t);
	ck_assert(!assets_load(&as, &t.arena, NULL, &err));
	ck_assert(!repo_classify(t.repo, &t.arena, &as, &tree_vocab, &err));
	ck_assert_str_eq(first_list(&t), once);
	ck_assert_str_eq(tree_strings(&t, &t.repo->test_entries), "test.py ");
	tree_close(&t);
}

static const char *table_error(const char *text, struct err *err)
{
	struct arena a = {0};
	struct asset asset = {"layers.yml", text, strlen(text)};
	struct assets as = {.v = &asset, .nr = 1};
	struct repo repo = {.name = "x"};

	memset(err, 0, sizeof(*err));
	ck_assert_int_eq(repo_classify(&repo, &a, &as, &tree_vocab, err), -1);
	arena_free(&a);
	return err->msg;
}

UNIT_TEST(layers_table_is_read_strictly)
{
	struct err err;

	ck_assert_str_eq(table_error("kernel_module: []\n", &err),
			 "rules/layers.yml:1: unknown key 'kernel_module' "
			 "(did you mean 'kernel_modules'?)");
	ck_assert_str_eq(table_error("doc_paths: x\ntypes: []\n", &err),
			 "rules/layers.yml:1: 'doc_paths' must be a list, not text");
	ck_assert_str_eq(table_error("types:\n- type: A\n  name: a\n  first: []\n", &err),
			 "rules/layers.yml:2: 'signals' is missing");
	ck_assert_str_eq(
		table_error("types:\n- type: A\n  name: a\n  signals:\n  - why: w\n"
			    "    layers: [glu]\n  first: []\n",
			    &err),
		"rules/layers.yml:6: unknown word 'glu' in 'layers' (did you mean 'glue'?)");
	ck_assert_str_eq(table_error("types:\n- type: A\n  name: a\n  signals:\n  - why: w\n"
				     "    names: [x]\n  first: []\n",
				     &err),
			 "rules/layers.yml:5: 'names' and 'private' need 'kinds'");
}
