/* The shipped databases against facts that were found by running the targets. */
#include "unit.h"

#include "cover/commands.h"
#include "cover/internal.h"

static struct assets shipped(struct arena *a)
{
	struct assets as;

	ck_assert_int_eq(assets_load(&as, a, NULL, NULL), 0);
	return as;
}

static struct cover *load_build(struct arena *a, const char *version, const char *build)
{
	struct assets as = shipped(a);
	struct target t = {version, build, "shipped"};
	struct err err = {{0}};
	struct cover *c = NULL;

	ck_assert_msg(!cover_load(&c, a, &as, &t, 1, &err), "%s", err.msg);
	return c;
}

static const struct {
	const char *name;
	enum verdict want;
} names[] = {
	{"torch", VERDICT_COVERED},
	{"torch.Tensor", VERDICT_COVERED},
	{"torch.device", VERDICT_COVERED},
	{"torch.relu", VERDICT_COVERED},
	{"torch.float32", VERDICT_COVERED},
	{"torch.uint16", VERDICT_COVERED},
	{"torch.uint64", VERDICT_COVERED},
	{"torch.finfo", VERDICT_COVERED},
	{"torch.from_dlpack", VERDICT_COVERED},
	{"torch.autograd.grad", VERDICT_COVERED},
	{"torch.autograd.Function", VERDICT_COVERED},
	{"torch.nn.Module", VERDICT_COVERED},
	{"torch.nn.Parameter", VERDICT_COVERED},
	{"torch.nn.Linear", VERDICT_COVERED},
	{"torch.nn.functional.softmax", VERDICT_COVERED},
	{"torch.nn.functional.scaled_dot_product_attention", VERDICT_COVERED},
	{"torch.cuda.nvtx.range_push", VERDICT_COVERED},
	{"torch.cuda.cudart", VERDICT_COVERED},
	{"torch.cuda.get_stream_from_external", VERDICT_COVERED},
	{"torch.cuda.get_device_properties", VERDICT_COVERED},
	{"torch.cuda.Stream", VERDICT_COVERED},
	{"torch.cuda.amp.autocast", VERDICT_COVERED},
	{"torch.amp.GradScaler", VERDICT_COVERED},
	{"torch._C._GLIBCXX_USE_CXX11_ABI", VERDICT_COVERED},
	{"torch.utils.cpp_extension.CUDAExtension", VERDICT_COVERED},
	{"torch.utils.cpp_extension.CUDA_HOME", VERDICT_COVERED},
	{"torch.utils.cpp_extension._get_cuda_arch_flags", VERDICT_COVERED},
	{"torch.utils.dlpack.from_dlpack", VERDICT_COVERED},
	{"torch.distributed.P2POp", VERDICT_COVERED},
	{"torch.distributed.batch_isend_irecv", VERDICT_COVERED},
	{"torch.library.custom_op", VERDICT_COVERED},
	{"torch.compat.sort", VERDICT_COVERED},
	{"torch.__version__", VERDICT_COVERED},
	{"torch.Tensor.scatter_add_", VERDICT_COVERED},
	{"torch.Tensor.is_cuda", VERDICT_COVERED},
	{"torch.contiguous_format", VERDICT_GAP},
	{"torch.channels_last", VERDICT_GAP},
	{"torch.strided", VERDICT_GAP},
	{"torch.inference_mode", VERDICT_GAP},
	{"torch.compile", VERDICT_GAP},
	{"torch.compiler.disable", VERDICT_GAP},
	{"torch._dynamo.config", VERDICT_GAP},
	{"torch.fx.Graph", VERDICT_GAP},
	{"torch._assert", VERDICT_GAP},
	{"torch._check", VERDICT_GAP},
	{"torch._C._cuda_getDevice", VERDICT_GAP},
	{"torch._C._log_api_usage_once", VERDICT_GAP},
	{"torch.jit.script", VERDICT_GAP},
	{"torch.autograd.gradcheck", VERDICT_GAP},
	{"torch.autograd.Variable", VERDICT_GAP},
	{"torch.nn.RMSNorm", VERDICT_GAP},
	{"torch.cuda.CUDAGraph", VERDICT_GAP},
	{"torch.cuda.graph", VERDICT_GAP},
	{"torch.cuda._lazy_init", VERDICT_GAP},
	{"torch.cuda._sleep", VERDICT_GAP},
	{"torch.cuda.nvtx.range", VERDICT_GAP},
	{"torch.cuda.ExternalStream", VERDICT_GAP},
	{"torch.cuda.amp.GradScaler", VERDICT_GAP},
	{"torch.frombuffer", VERDICT_GAP},
	{"torch.UntypedStorage", VERDICT_GAP},
	{"torch.float8_e8m0fnu", VERDICT_GAP},
	{"torch.backends.cudnn.benchmark", VERDICT_GAP},
	{"torch.optim.Adam", VERDICT_GAP},
	{"torch.testing.assert_close", VERDICT_GAP},
	{"torch.random.manual_seed", VERDICT_GAP},
	{"torch.vmap", VERDICT_GAP},
	{"torch.exp2", VERDICT_GAP},
	{"torch.addcmul", VERDICT_GAP},
	{"torch.empty_strided", VERDICT_GAP},
	{"torch.utils._pytree.tree_map", VERDICT_GAP},
	{"torch.utils.checkpoint.checkpoint", VERDICT_GAP},
	{"torch.utils.cpp_extension.load_inline", VERDICT_GAP},
	{"torch.utils.cpp_extension.COMMON_NVCC_FLAGS", VERDICT_GAP},
	{"torch.distributed.init_process_group", VERDICT_GAP},
	{"torch.distributed.ProcessGroup", VERDICT_GAP},
	{"torch.distributed.all_gather_into_tensor", VERDICT_GAP},
	{"torch.distributed._symmetric_memory.empty", VERDICT_GAP},
	{"torch.profiler.ProfilerActivity", VERDICT_GAP},
	{"torch.library.Library", VERDICT_GAP},
	{"torch.Tensor.storage_offset", VERDICT_GAP},
	{"torch.Tensor.__iadd__", VERDICT_GAP},
	{"torch.nn.Module.register_full_backward_hook", VERDICT_GAP},
	{"torch.float32.itemsize", VERDICT_GAP},
	{"torch.ops.any.op", VERDICT_UNKNOWN},
	{"torch.classes.any.Thing", VERDICT_UNKNOWN},
	{"torch.npu.device_count", VERDICT_UNKNOWN},
	{"torch.Tensor.no_such_thing", VERDICT_UNKNOWN},
	{"torch.add.signature", VERDICT_UNKNOWN},
};

UNIT_TEST(verified_names)
{
	struct arena a = {0};
	const struct cover *c[2] = {load_build(&a, "3.3.1", "cuda"),
				    load_build(&a, "3.3.1", "cpu")};
	size_t i, b;

	for (b = 0; b < 2; b++)
		for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
			struct cover_answer r = cover_lookup(c[b], &a, names[i].name);

			ck_assert_msg(r.verdict == names[i].want, "%s: %s (%s)", names[i].name,
				      verdict_name(r.verdict), r.row);
		}
	arena_free(&a);
}

static const struct {
	const char *name, *keyword;
	bool rejected;
} keywords[] = {
	{"torch.max", "dim", true},
	{"torch.sort", "dim", true},
	{"torch.split", "dim", true},
	{"torch.flip", "dims", true},
	{"torch.unique", "dim", true},
	{"torch.std", "dim", true},
	{"torch.randint", "size", true},
	{"torch.randn", "generator", true},
	{"torch.nn.Module.register_buffer", "persistent", false},
	{"torch.sum", "dim", false},
	{"torch.sum", "keepdim", false},
	{"torch.zeros", "size", false},
	{"torch.gather", "dim", false},
	{"torch.Tensor.scatter_", "src", false},
	{"torch.nn.functional.softmax", "dim", false},
	{"torch.empty", "device", false},
	{"torch.distributed.all_reduce", "async_op", true},
	{"torch.distributed.barrier", "device_ids", true},
	{"torch.utils.cpp_extension.load", "is_python_module", true},
};

UNIT_TEST(verified_keywords)
{
	struct arena a = {0};
	struct cover *c = load_build(&a, "3.3.1", "cuda");
	size_t i;

	for (i = 0; i < sizeof(keywords) / sizeof(*keywords); i++)
		ck_assert_msg(cover_rejects_keyword(c, keywords[i].name, keywords[i].keyword) ==
				      keywords[i].rejected,
			      "%s(%s=)", keywords[i].name, keywords[i].keyword);
	arena_free(&a);
}

/* Set up one fact, mark it, and give it back. */
static struct fact marked(struct cover *c, const struct repo *repo, struct arena *a,
			  struct fact f)
{
	struct source s = {.facts = &f, .nr_facts = 1};

	cover_assigned(c, repo, a);
	cover_mark(c, &s, a);
	return f;
}

UNIT_TEST(marks_imports)
{
	struct arena a = {0};
	struct cover *c = load_build(&a, "3.3.1", "cuda");
	struct repo repo = {0};
	static const struct {
		const char *name;
		unsigned flags;
		enum verdict want;
	} t[] = {
		{"torch", 0, VERDICT_COVERED},
		{"torch.nn.functional", 0, VERDICT_COVERED},
		{"torch.cuda.nvtx", 0, VERDICT_GAP}, /* a class there */
		{"torch.cuda.nvtx", F_FROM, VERDICT_COVERED},
		{"torch.cuda.nvtx.range_push", F_FROM, VERDICT_GAP},
		{"torch.nn.*", F_FROM | F_STAR, VERDICT_COVERED},
		{"torch.optim.*", F_FROM | F_STAR, VERDICT_GAP},
		{"torch.testing.assert_close", F_FROM, VERDICT_GAP},
		{"torch.utils.cpp_extension.include_paths", F_FROM, VERDICT_GAP},
		{"torch._inductor", F_DYNAMIC, VERDICT_GAP},
		{"torch.npu", 0, VERDICT_UNKNOWN},
		{"torch.optim", F_INTERNAL, VERDICT_NONE},
		{"torchvision", 0, VERDICT_NONE},
		{"numpy", 0, VERDICT_NONE},
	};
	size_t i;

	for (i = 0; i < sizeof(t) / sizeof(*t); i++) {
		struct fact f = marked(
			c, &repo, &a,
			(struct fact){.kind = FACT_IMPORT, .flags = t[i].flags, .name = t[i].name});
		ck_assert_msg(f.verdict == t[i].want, "%s %x: %s (%s)", t[i].name, t[i].flags,
			      verdict_name(f.verdict), f.row);
	}
	arena_free(&a);
}

UNIT_TEST(marks_members_and_keywords)
{
	struct arena a = {0};
	struct cover *c = load_build(&a, "3.3.1", "cuda");
	struct repo repo = {0};
	struct arg args[] = {{.text = "x"}, {.keyword = "keepdim"}, {.keyword = "dim"}};
	struct fact f = {.kind = FACT_MEMBER,
			 .name = "saved_tensors",
			 .recv = "torch.autograd.Function#ctx"};

	f = marked(c, &repo, &a, f);
	ck_assert_int_eq(f.verdict, VERDICT_GAP);
	ck_assert_str_eq(f.missing, "torch.autograd.Function#ctx.saved_tensors");
	f = marked(c, &repo, &a,
		   (struct fact){.kind = FACT_MEMBER,
				 .name = "save_for_backward",
				 .recv = "torch.autograd.Function#ctx"});
	ck_assert_int_eq(f.verdict, VERDICT_COVERED);
	f = marked(c, &repo, &a,
		   (struct fact){
			   .kind = FACT_MEMBER, .name = "untyped_storage", .recv = "torch.Tensor"});
	ck_assert_int_eq(f.verdict, VERDICT_GAP);
	f = marked(c, &repo, &a,
		   (struct fact){
			   .kind = FACT_MEMBER, .name = "record_stream", .recv = "torch.Tensor"});
	ck_assert_int_eq(f.verdict, VERDICT_UNKNOWN);
	f = marked(c, &repo, &a, (struct fact){.kind = FACT_MEMBER, .name = "anything"});
	ck_assert_int_eq(f.verdict, VERDICT_NONE);
	f = marked(c, &repo, &a,
		   (struct fact){.kind = FACT_USE,
				 .name = "torch.max",
				 .args = args,
				 .flags = F_CALL,
				 .nr_args = 3});
	ck_assert_str_eq(f.keyword, "dim");
	f = marked(c, &repo, &a,
		   (struct fact){.kind = FACT_USE,
				 .name = "torch.max",
				 .args = args,
				 .flags = F_CALL | F_SPLAT,
				 .nr_args = 3});
	ck_assert_ptr_null(f.keyword);
	arena_free(&a);
}

UNIT_TEST(what_the_repository_assigns_is_no_gap)
{
	struct arena a = {0};
	struct cover *c = load_build(&a, "3.3.1", "cpu");
	struct fact assign = {.kind = FACT_ASSIGN, .name = "torch.inference_mode"};
	struct source s = {.facts = &assign, .nr_facts = 1}, *files[] = {&s};
	struct repo repo = {.files = files, .nr_files = 1};
	struct fact f = marked(c, &repo, &a,
			       (struct fact){.kind = FACT_USE, .name = "torch.inference_mode"});

	ck_assert_int_eq(f.verdict, VERDICT_UNKNOWN);
	f = marked(c, &repo, &a, (struct fact){.kind = FACT_USE, .name = "torch.compile"});
	ck_assert_int_eq(f.verdict, VERDICT_GAP);
	arena_free(&a);
}

UNIT_TEST(load_refuses)
{
	struct arena a = {0};
	struct assets as = shipped(&a);
	struct target t[] = {{"3.2.2", "cuda", "shipped"}, {"3.3", "cuda", "shipped"}};
	struct strings versions = {0};
	struct err err = {{0}};
	struct cover *c;

	ck_assert_int_eq(cover_load(&c, &a, &as, &t[0], 1, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.msg, "no import proxy"));
	ck_assert_int_eq(cover_load(&c, &a, &as, &t[1], 1, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.msg, "3.3.0, 3.3.1"));
	cover_versions(&as, &a, &versions);
	ck_assert(strings_has(&versions, "3.3.1"));
	ck_assert(!strings_has(&versions, "2.9.1"));
	arena_free(&a);
}

UNIT_TEST(several_targets_take_the_worst)
{
	struct arena a = {0};
	struct assets as = shipped(&a);
	struct target t[] = {{"3.3.1", "cuda", "shipped"}, {"3.3.0", "cuda", "shipped"}};
	struct cover *c;
	struct cover_answer r;

	ck_assert_int_eq(cover_load(&c, &a, &as, t, 2, NULL), 0);
	r = cover_lookup(c, &a, "torch.compile");
	ck_assert_int_eq(r.verdict, VERDICT_GAP);
	ck_assert_str_eq(r.row, "paddle-3.3.1/names:torch.compile");
	ck_assert_int_eq(cover_lookup(c, &a, "torch.add").verdict, VERDICT_COVERED);
	arena_free(&a);
}

UNIT_TEST(lists_and_compares)
{
	struct arena a = {0};
	struct assets as = shipped(&a);
	struct strbuf out = STRBUF_INIT;
	struct err err = {{0}};
	bool different = true;

	ck_assert_int_eq(cover_list(&as, &out, &err), 0);
	ck_assert_ptr_nonnull(strstr(out.buf, "paddle-3.3.1\ttarget\tcpu\t"));
	strbuf_reset(&out);
	ck_assert_int_eq(cover_diff(&as, "3.3.1", "paddle-3.3.1", &out, &different, &err), 0);
	ck_assert(!different);
	ck_assert_uint_eq(out.len, 0);
	ck_assert_int_eq(cover_diff(&as, "3.3.0", "3.3.1", &out, &different, &err), 0);
	ck_assert(different);
	ck_assert_ptr_nonnull(strstr(out.buf, "+ names torch._preload_nvidia_lib\n"));
	ck_assert_int_eq(cover_diff(&as, "3.3.0", "9", &out, &different, &err), -1);
	strbuf_release(&out);
	arena_free(&a);
}

UNIT_TEST(dump_reports_failures)
{
	struct arena a = {0};
	struct assets as = shipped(&a);
	struct err err = {{0}};

	ck_assert_int_eq(cover_dump(&as, "/nonexistent/python", "unused", &err), -1);
	ck_assert_ptr_nonnull(strstr(err.msg, "/nonexistent/python"));
	ck_assert_int_eq(cover_dump(&as, "false", "unused", &err), -1);
	ck_assert_ptr_nonnull(strstr(err.msg, "status 1"));
	arena_free(&a);
}
