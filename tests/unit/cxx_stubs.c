/* Stub headers: they parse without an error in every form, and show what the target lacks. */
#include "unit.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "cxx/cxx.h"
#include "cxx/libclang.h"

#define UNIT "/pdmigrate/unit.cc"

struct bench {
	struct arena arena;
	struct assets assets;
	struct libclang lc;
	struct cxx_db *db;
	struct cxx_stubs *stubs;
	struct strbuf errors;
};

static void bench_make(struct bench *b, const char *version, const char *build)
{
	struct err err = {{0}};

	memset(b, 0, sizeof(*b));
	strbuf_init(&b->errors);
	if (libclang_load(&b->lc, &b->arena, NULL, &err) ||
	    assets_load(&b->assets, &b->arena, NULL, &err) ||
	    cxx_db_load(&b->db, &b->arena, &b->assets, version, build, &err) || !b->db ||
	    cxx_stubs_make(&b->stubs, &b->arena, &b->assets, b->db, &err))
		ck_abort_msg("%s", err.msg);
}

static void bench_free(struct bench *b)
{
	strbuf_release(&b->errors);
	arena_free(&b->arena);
}

/* Parse `text`; the errors' words go to b->errors, a line each. `pch` and `shadow` may be NULL. */
static void parse(struct bench *b, unsigned mode, const char *text, const char *pch,
		  const struct cxx_stub *shadow)
{
	const char *const *args = cxx_stub_args(b->stubs, &b->lc, mode, &b->arena);
	struct CXUnsavedFile *files =
		arena_array(&b->arena, b->stubs->nr + 2, sizeof(*files));
	CXIndex index = b->lc.createIndex(0, 0);
	CXTranslationUnit tu;
	const char *all[64];
	unsigned nr = 0, i;
	int n = 0;

	for (; args[n]; n++)
		all[n] = args[n];
	if (pch) {
		all[n++] = "-include-pch";
		all[n++] = pch;
	}
	for (; nr < b->stubs->nr; nr++)
		files[nr] = (struct CXUnsavedFile){b->stubs->v[nr].path, b->stubs->v[nr].text,
						   b->stubs->v[nr].len};
	files[nr++] = (struct CXUnsavedFile){UNIT, text, strlen(text)};
	if (shadow)
		files[nr++] = (struct CXUnsavedFile){shadow->path, shadow->text, shadow->len};
	ck_assert_int_eq(b->lc.parseTranslationUnit2(index, UNIT, all, n, files, nr,
						     CXTranslationUnit_KeepGoing, &tu),
			 0);
	strbuf_reset(&b->errors);
	for (i = 0; i < b->lc.getNumDiagnostics(tu); i++) {
		CXDiagnostic d = b->lc.getDiagnostic(tu, i);

		if (b->lc.getDiagnosticSeverity(d) >= CXDiagnostic_Error)
			strbuf_addf(&b->errors, "%s\n",
				    libclang_text(&b->lc, &b->arena, b->lc.getDiagnosticSpelling(d)));
		b->lc.disposeDiagnostic(d);
	}
	b->lc.disposeTranslationUnit(tu);
	b->lc.disposeIndex(index);
}

static const char *include_all(struct bench *b)
{
	struct strbuf sb = STRBUF_INIT;
	const char *name, *text;
	bool shadow;
	size_t i;

	for (i = 0; i < b->stubs->nr; i++) {
		name = cxx_stub_name(b->stubs->v[i].path, &shadow);
		ck_assert(name && !shadow);
		strbuf_addf(&sb, "#include <%s>\n", name);
	}
	text = arena_strdup(&b->arena, sb.buf);
	strbuf_release(&sb);
	return text;
}

static void all_parse(const char *version, const char *build, unsigned mode)
{
	struct bench b;

	bench_make(&b, version, build);
	parse(&b, mode, include_all(&b), NULL, NULL);
	if (b.errors.len)
		ck_abort_msg("%s %s mode %u:\n%s", version, build, mode, b.errors.buf);
	bench_free(&b);
}

UNIT_TEST(stubs_for_cuda_parse_plain)
{
	all_parse("3.3.1", "cuda", CXX_PLAIN);
}

UNIT_TEST(stubs_for_cuda_parse_as_cuda)
{
	all_parse("3.3.1", "cuda", CXX_CUDA);
}

UNIT_TEST(stubs_for_cuda_parse_as_20)
{
	all_parse("3.3.1", "cuda", CXX_20);
	all_parse("3.3.1", "cuda", CXX_CUDA | CXX_20);
}

UNIT_TEST(stubs_for_cpu_parse)
{
	all_parse("3.3.1", "cpu", CXX_PLAIN);
	all_parse("3.3.1", "cpu", CXX_CUDA);
}

UNIT_TEST(stubs_of_3_3_0_parse)
{
	all_parse("3.3.0", "cuda", CXX_PLAIN);
}

/* Headers that others bring in work alone. */
UNIT_TEST(stubs_parse_alone)
{
	static const char *const names[] = {"torch/library.h", "c10/cuda/CUDAStream.h",
					    "ATen/ops/tensor.h"};
	struct bench b;
	size_t i;

	bench_make(&b, "3.3.1", "cuda");
	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		parse(&b, CXX_PLAIN, arena_fmt(&b.arena, "#include <%s>\n", names[i]), NULL, NULL);
		if (b.errors.len)
			ck_abort_msg("%s: %s", names[i], b.errors.buf);
	}
	bench_free(&b);
}

/* What the target's own headers take, and what they refuse with which words. */
UNIT_TEST(stubs_show_gaps)
{
	static const char good[] =
		"#include <torch/extension.h>\n"
		"void f(at::Tensor x) {\n"
		"  auto y = at::zeros_like(x); y.sizes().vec(); float *p = x.data_ptr<float>();\n"
		"  TORCH_CHECK(x.dim() == 2, \"a \", x.dim(), x.scalar_type());\n"
		"  auto o = torch::dtype(torch::kInt32).device(x.device()); at::empty({1}, o);\n"
		"  switch (x.dtype()) { case at::kFloat: break; default: break; }\n"
		"  auto a = x.accessor<float, 2>(); a[0][1] = 2;\n"
		"  if (x.defined()) TORCH_CHECK(true, \"a\"); else return;\n"
		"  TORCH_CHECK_EQ(x.dim(), 1) << \"streamed\" << 1;\n"
		"}\n"
		"PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"f\", &f, \"d\", py::arg(\"x\")); }\n";
	static const char bad[] = "#include <torch/extension.h>\n"
				  "void f(at::Tensor x) {\n"
				  "  x.type();\n  x + x;\n  at::stack({x});\n"
				  "  TORCH_CHECK(true, x);\n  at::Half h = 1.0f;\n"
				  "  TORCH_WARN(\"a\");\n  torch::kMeta;\n}\n";
	static const char *const words[] = {
		"no member named 'type' in 'at::Tensor'", "'operator+' is unavailable",
		"'stack' is unavailable",
		"no matching function", "no viable conversion", "'TORCH_WARN'",
		"no member named 'kMeta'",
	};
	struct bench b;
	size_t i;

	bench_make(&b, "3.3.1", "cuda");
	parse(&b, CXX_PLAIN, good, NULL, NULL);
	ck_assert_str_eq(b.errors.buf, "");
	parse(&b, CXX_PLAIN, bad, NULL, NULL);
	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strstr(b.errors.buf, words[i]))
			ck_abort_msg("no '%s' in:\n%s", words[i], b.errors.buf);
	bench_free(&b);
}

UNIT_TEST(stubs_know_registration)
{
	static const char head[] = "#include <torch/extension.h>\n#include <torch/library.h>\n"
				   "at::Tensor f(at::Tensor x) { return x; }\n";
	struct bench b;

	bench_make(&b, "3.3.1", "cuda");
	parse(&b, CXX_PLAIN, "#include <torch/extension.h>\nTORCH_LIBRARY(n, m) {}\n", NULL, NULL);
	ck_assert_uint_gt(b.errors.len, 0);
	parse(&b, CXX_PLAIN,
	      arena_fmt(&b.arena, "%sTORCH_LIBRARY(n, m) { m.def(\"f(Tensor x) -> Tensor\", &f); }\n"
				  "TORCH_LIBRARY_IMPL(n, CUDA, m) { m.impl(\"f\", &f); }\n"
				  "TORCH_LIBRARY_FRAGMENT(n, m) { m.def(\"g(Tensor x) -> Tensor\"); }\n",
			head),
	      NULL, NULL);
	ck_assert_str_eq(b.errors.buf, "");
	parse(&b, CXX_PLAIN,
	      arena_fmt(&b.arena, "%sTORCH_LIBRARY_IMPL(n, Meta, m) {}\n", head), NULL, NULL);
	ck_assert_ptr_nonnull(strstr(b.errors.buf, "no member named 'Meta' in 'torch::DispatchKey'"));
	parse(&b, CXX_PLAIN,
	      arena_fmt(&b.arena,
			"%sTORCH_LIBRARY(n, m) { m.def(\"f\", [](at::Tensor x) { return x; }); }\n", head),
	      NULL, NULL);
	ck_assert_ptr_nonnull(strstr(b.errors.buf, "no matching member function"));
	bench_free(&b);
}

UNIT_TEST(stubs_parse_kernels)
{
	static const char text[] =
		"#include <torch/extension.h>\n#include <ATen/cuda/CUDAContext.h>\n"
		"#include <c10/cuda/CUDAGuard.h>\n#include <cuda_fp16.h>\n"
		"template <class T> __global__ void k(const T *__restrict__ a, T *b, int n) {\n"
		"  extern __shared__ float s[];\n"
		"  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
		"  if (i < n) b[i] = __ldg(a + i);\n"
		"  s[threadIdx.x] = __shfl_xor_sync(0xffffffffu, float(b[0]), 1);\n"
		"  __syncthreads(); atomicAdd(s, 1.f);\n}\n"
		"void f(at::Tensor x) {\n"
		"  const at::cuda::CUDAGuard guard(x.device());\n"
		"  auto stream = at::cuda::getCurrentCUDAStream();\n"
		"  k<float><<<dim3(1), 256, 0, stream>>>(x.data_ptr<float>(), x.data_ptr<float>(), 1);\n"
		"  k<at::Half><<<1, 1>>>(x.data_ptr<at::Half>(), x.data_ptr<at::Half>(), 1);\n"
		"  C10_CUDA_CHECK(cudaGetLastError());\n}\n";
	struct bench b;

	bench_make(&b, "3.3.1", "cuda");
	parse(&b, CXX_CUDA, text, NULL, NULL);
	ck_assert_str_eq(b.errors.buf, "");
	parse(&b, CXX_CUDA,
	      arena_fmt(&b.arena, "%svoid g() { C10_CUDA_KERNEL_LAUNCH_CHECK(); }\n", text), NULL,
	      NULL);
	ck_assert_ptr_nonnull(strstr(b.errors.buf, "'C10_CUDA_KERNEL_LAUNCH_CHECK'"));
	bench_free(&b);
}

UNIT_TEST(stubs_shadow_missing_headers)
{
	struct cxx_stub shadow;
	struct bench b;
	bool is_shadow;

	bench_make(&b, "3.3.1", "cuda");
	ck_assert(!cxx_stubs_shadow(b.stubs, &b.arena, "torch/extension.h", &shadow));
	ck_assert(!cxx_stubs_shadow(b.stubs, &b.arena, "no/such.h", &shadow));
	ck_assert(!cxx_stubs_shadow(b.stubs, &b.arena, "../x.h", &shadow));
	ck_assert(cxx_stubs_shadow(b.stubs, &b.arena, "torch/torch.h", &shadow));
	ck_assert_str_eq(cxx_stub_name(shadow.path, &is_shadow), "torch/torch.h");
	ck_assert(is_shadow);
	parse(&b, CXX_PLAIN, "#include <torch/torch.h>\nat::Tensor f(torch::Tensor x) { return x; }\n",
	      NULL, &shadow);
	ck_assert_str_eq(b.errors.buf, "");
	ck_assert_ptr_null(cxx_stub_name("/pdmigrate/stubsx/a.h", &is_shadow));
	ck_assert_ptr_null(cxx_stub_name(CXX_STUB_DIR, &is_shadow));
	bench_free(&b);
}

UNIT_TEST(stubs_are_the_same_each_time)
{
	struct bench a, b, c;

	bench_make(&a, "3.3.1", "cuda");
	bench_make(&b, "3.3.1", "cuda");
	bench_make(&c, "3.3.1", "cpu");
	ck_assert_str_eq(a.stubs->hash, b.stubs->hash);
	ck_assert_str_ne(a.stubs->hash, c.stubs->hash);
	bench_free(&a);
	bench_free(&b);
	bench_free(&c);
}

/* A precompiled header gives the same errors; it is private and made once. */
UNIT_TEST(stubs_precompile)
{
	static const char *const headers[] = {"torch/extension.h", NULL};
	static const char unit[] = "#include <torch/extension.h>\nint f(at::Tensor x) { x.type(); return x.dim(); }\n";
	char dir[] = P_tmpdir "/pdmigrate-unit-XXXXXX";
	const char *path, *again, *expect;
	struct err err = {{0}};
	unsigned mode;
	struct bench b;
	struct stat st;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	setenv("XDG_CACHE_HOME", dir, 1);
	bench_make(&b, "3.3.1", "cuda");
	for (mode = CXX_PLAIN; mode <= CXX_CUDA; mode++) {
		if (cxx_pch_get(&path, &b.lc, b.stubs, mode, headers, true, &b.arena, &err))
			ck_abort_msg("%s", err.msg);
		ck_assert_int_eq(stat(path, &st), 0);
		ck_assert_int_eq(cxx_pch_get(&again, &b.lc, b.stubs, mode, headers, true, &b.arena, &err), 0);
		ck_assert_str_eq(path, again);
		parse(&b, mode, unit, NULL, NULL);
		expect = arena_strdup(&b.arena, b.errors.buf);
		parse(&b, mode, unit, path, NULL);
		ck_assert_str_eq(b.errors.buf, expect);
		ck_assert_ptr_nonnull(strstr(expect, "no member named 'type'"));
		unlink(path);
	}
	path = arena_fmt(&b.arena, "%s/pdmigrate", dir);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_uint_eq(st.st_mode & 0777, 0700);
	/* A folder that others may write to is not trusted. */
	ck_assert_int_eq(chmod(path, 0777), 0);
	ck_assert_int_eq(cxx_pch_get(&again, &b.lc, b.stubs, CXX_PLAIN, headers, true, &b.arena, &err), -1);
	rmdir(path);
	rmdir(dir);
	bench_free(&b);
}
