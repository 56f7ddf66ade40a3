/*
 * cxx_unit.c - repositories of a few files are parsed in worker processes; the facts that come out as lines
 * "path:line kind name recv flags verdict".
 *
 * This program is its own worker, as the real one is.
 */
#include "unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/lines.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "cxx/cxx.h"

__attribute__((constructor)) static void be_worker(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], CXX_WORKER_ARG))
		_exit(cxx_worker());
}

static const char *const roots[] = {"torch", NULL};
static const char *const tokens[] = {"at::", "c10::", "torch::", "TORCH_", "AT_", "C10_", NULL};
static const char *const headers[] = {"ATen/", "torch/", "c10/", NULL};
static const struct vocab vocab = {.roots = roots, .cxx_tokens = tokens, .cxx_headers = headers};

#define FILES_MAX 16
#define JOBS	  2

struct tree {
	char dir[64];
	struct arena arena, arenas[JOBS];
	struct intern intern;
	struct assets assets;
	struct repo repo;
	struct source *files[FILES_MAX];
	struct notices notices;
	struct cxx_counts counts;
	struct target target;
	int jobs;
	unsigned unit_seconds, all_seconds;
	struct strbuf out;
};

static void tree_open(struct tree *t)
{
	struct err err = {{0}};

	memset(t, 0, sizeof(*t));
	strbuf_init(&t->out);
	t->jobs = JOBS;
	snprintf(t->dir, sizeof(t->dir), "%s/pdm-unit-XXXXXX",
		 getenv("TMPDIR") ? getenv("TMPDIR") : P_tmpdir);
	ck_assert_ptr_nonnull(mkdtemp(t->dir));
	setenv("XDG_CACHE_HOME", arena_fmt(&t->arena, "%s.cache", t->dir), 0);
	t->intern.arena = &t->arena;
	t->repo.root = t->dir;
	t->repo.files = t->files;
	t->repo.dirfd = open(t->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	t->target = (struct target){"3.3.1", "cuda", "shipped"};
	ck_assert_int_eq(assets_load(&t->assets, &t->arena, NULL, &err), 0);
}

/* Files come in order of path bytes. */
static void tree_add(struct tree *t, const char *path, const char *text)
{
	struct source *s = ARENA_NEW(&t->arena, struct source);
	const char *full = arena_fmt(&t->arena, "%s/%s", t->dir, path), *ext = path_ext(path);
	size_t len = strlen(text), n = path_dirlen(path);
	int fd;

	if (n)
		mkdir(arena_fmt(&t->arena, "%s/%.*s", t->dir, (int)n, path), 0700);
	fd = open(full, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fs_write_all(fd, text, len), 0);
	close(fd);
	s->path = arena_strdup(&t->arena, path);
	s->lang = !strcmp(ext, ".json") ? LANG_OTHER : str_starts(ext, ".cu") ? LANG_CUDA : LANG_CXX;
	s->size = (uint32_t)len;
	s->hash = hash_bytes(text, len);
	if (s->lang != LANG_OTHER)
		cxx_lex_facts(s, arena_strdup(&t->arena, text), len, &vocab, &t->arena, &t->intern);
	t->files[t->repo.nr_files++] = s;
}

static void fact_line(struct tree *t, const struct source *s, const struct lines *lines,
		      const struct fact *f)
{
	strbuf_addf(&t->out, "%s:%u %s %s %s%s%s%s %s\n", s->path, lines_at(lines, f->span.start, NULL),
		    fact_kind_name(f->kind), f->name, f->recv ? f->recv : "-",
		    f->flags & F_INACTIVE ? " inactive" : "", f->flags & F_MACRO_BODY ? " body" : "",
		    f->flags & F_CONDITION ? " condition" : "", verdict_name(f->verdict));
}

/* Parse, and print facts of the kinds whose bits are set. */
static void tree_parse(struct tree *t, uint64_t kinds)
{
	struct arena *const arenas[JOBS] = {&t->arenas[0], &t->arenas[1]};
	const struct cxx_parse_options o = {.assets = &t->assets,
					    .targets = &t->target,
					    .nr_targets = 1,
					    .vocab = &vocab,
					    .arenas = arenas,
					    .jobs = t->jobs,
					    .unit_seconds = t->unit_seconds,
					    .all_seconds = t->all_seconds};
	struct err err = {{0}};
	size_t i, k;

	if (cxx_parse(&t->repo, &o, &t->arena, &t->notices, &t->counts, &err))
		ck_abort_msg("%s", err.msg);
	for (i = 0; i < t->repo.nr_files; i++) {
		const struct source *s = t->files[i];
		struct fs_text text = {0};
		struct lines lines;

		ck_assert_int_eq(fs_read(t->repo.dirfd, s->path, 1u << 24, &text, &err), 0);
		lines_init(&lines, &t->arena, text.data, text.len);
		for (k = 0; k < s->nr_facts; k++)
			if (kinds & UINT64_C(1) << s->facts[k].kind)
				fact_line(t, s, &lines, &s->facts[k]);
		fs_text_free(&text);
	}
}

static void tree_close(struct tree *t)
{
	size_t i;

	for (i = 0; i < t->repo.nr_files; i++) {
		const char *path = t->files[i]->path;
		size_t n = path_dirlen(path);

		unlinkat(t->repo.dirfd, path, 0);
		if (n)
			unlinkat(t->repo.dirfd, arena_strndup(&t->arena, path, n), AT_REMOVEDIR);
	}
	close(t->repo.dirfd);
	rmdir(t->dir);
	strbuf_release(&t->out);
	arena_free(&t->arena);
	arena_free(&t->arenas[0]);
	arena_free(&t->arenas[1]);
}

#define BIT(kind) (UINT64_C(1) << (kind))
#define LACKS	  BIT(FACT_LACK)

static void one_file(const char *path, const char *text, uint64_t kinds, const char *want)
{
	struct tree t;

	tree_open(&t);
	tree_add(&t, path, text);
	tree_parse(&t, kinds);
	ck_assert_str_eq(t.out.buf, want);
	ck_assert_uint_eq(t.counts.units, 1);
	/* What was judged in part is said, and nothing else. */
	ck_assert_uint_eq(t.notices.nr, t.counts.partial);
	tree_close(&t);
}

UNIT_TEST(unit_finds_what_is_missing)
{
	one_file("a.cpp",
		 "#include <torch/extension.h>\n"
		 "at::Tensor f(at::Tensor x) {\n"
		 "  TORCH_WARN(\"a\");\n"
		 "  auto y = x.narrow(0, 0, 1);\n"
		 "  at::parallel_for(0, 1, 1, [](int, int) {});\n"
		 "  auto z = at::stack({x, y});\n"
		 "  at::Half h = 1.0f;\n"
		 "  return x + x;\n"
		 "}\n",
		 LACKS,
		 "a.cpp:3 lack TORCH_WARN macro gap\n"
		 "a.cpp:4 lack at::Tensor::narrow member gap\n"
		 "a.cpp:5 lack at::parallel_for name gap\n"
		 "a.cpp:6 lack at::stack name gap\n"
		 "a.cpp:7 lack at::Half call gap\n"
		 "a.cpp:8 lack at::operator+ call gap\n");
}

UNIT_TEST(unit_judges_arguments_of_missing_macros)
{
	one_file("a.cpp",
		 "#include <torch/extension.h>\n"
		 "void f(at::Tensor x) {\n"
		 "  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), \"f\", [&] {\n"
		 "    scalar_t *p = x.data_ptr<scalar_t>();\n"
		 "    x.item();\n"
		 "  });\n"
		 "}\n",
		 LACKS,
		 "a.cpp:3 lack AT_DISPATCH_FLOATING_TYPES macro gap\n"
		 "a.cpp:5 lack at::Tensor::item member gap\n");
}

UNIT_TEST(unit_reads_other_branches_by_words)
{
	one_file("a.cpp",
		 "#include <torch/extension.h>\n"
		 "#ifdef USE_ROCM\n"
		 "void f() { AT_ERROR(\"a\"); at::parallel_for(); }\n"
		 "#else\n"
		 "void f() { AT_ERROR(\"b\"); }\n"
		 "#endif\n",
		 LACKS,
		 "a.cpp:3 lack AT_ERROR macro inactive gap\n"
		 "a.cpp:3 lack at::parallel_for name inactive gap\n"
		 "a.cpp:5 lack AT_ERROR macro gap\n");
}

UNIT_TEST(unit_finds_bodies_of_macros_once)
{
	one_file("a.cpp",
		 "#include <torch/extension.h>\n"
		 "#define CHECK(t) \\\n"
		 "  do { \\\n"
		 "    AT_ASSERTM((t).dim() == 2, \"a\"); \\\n"
		 "    if ((t).item()) AT_ERROR(\"b\"); \\\n"
		 "  } while (0)\n"
		 "void f(at::Tensor x) { CHECK(x); CHECK(x); }\n",
		 LACKS,
		 "a.cpp:4 lack AT_ASSERTM macro body gap\n"
		 "a.cpp:5 lack at::Tensor::item member body gap\n"
		 "a.cpp:5 lack AT_ERROR macro body gap\n");
}

UNIT_TEST(unit_misses_the_header_of_a_macro)
{
	one_file("a.cpp",
		 "#include <torch/extension.h>\n"
		 "at::Tensor f(at::Tensor x) { return x; }\n"
		 "TORCH_LIBRARY(ops, m) { m.def(\"f(Tensor x) -> Tensor\"); }\n"
		 "TORCH_LIBRARY_IMPL(ops, Meta, m) { m.impl(\"f\", &f); }\n",
		 LACKS | BIT(FACT_REGISTER),
		 "a.cpp:3 lack TORCH_LIBRARY include gap\n"
		 "a.cpp:3 register ops::f def none\n"
		 "a.cpp:4 lack TORCH_LIBRARY_IMPL include gap\n"
		 "a.cpp:4 lack torch::DispatchKey::Meta member gap\n"
		 "a.cpp:4 register ops::f impl none\n");
}

UNIT_TEST(unit_sees_uses_and_launches)
{
	one_file("a.cu",
		 "#include <torch/extension.h>\n"
		 "#include <ATen/cuda/CUDAContext.h>\n"
		 "#include <c10/cuda/CUDAGuard.h>\n"
		 "template <class T> __global__ void k(T *p) { p[threadIdx.x] = 0; }\n"
		 "void f(at::Tensor x) {\n"
		 "  const c10::cuda::CUDAGuard guard(x.device());\n"
		 "  k<float><<<dim3(1, 2), 32, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>());\n"
		 "}\n",
		 LACKS | BIT(FACT_NAME) | BIT(FACT_LAUNCH),
		 "a.cu:6 name c10::cuda::CUDAGuard::CUDAGuard constructor covered\n"
		 "a.cu:6 name at::Tensor::device method covered\n"
		 "a.cu:7 launch k - none\n"
		 "a.cu:7 name c10::cuda::getCurrentCUDAStream function covered\n"
		 "a.cu:7 name at::Tensor::data_ptr template covered\n");
}

UNIT_TEST(unit_lets_others_names_be)
{
	one_file("a.cpp",
		 "#include <torch/extension.h>\n"
		 "template <class T> struct Tensor { T x; };\n"
		 "namespace other { struct Tensor {}; }\n"
		 "int f(Tensor<int> t, other::Tensor u) { return t.y + u.z + gone(t) + other::gone; }\n",
		 LACKS, "");
}

/* A header of others that is not there hides nothing and is no finding. */
UNIT_TEST(unit_goes_on_without_third_parties)
{
	struct tree t;

	tree_open(&t);
	tree_add(&t, "a.cpp",
		 "#include <cub/cub.cuh>\n#include <torch/extension.h>\n"
		 "void f(at::Tensor x) { cub::Sum s; x.item(); }\n");
	tree_parse(&t, LACKS);
	ck_assert_str_eq(t.out.buf, "a.cpp:3 lack at::Tensor::item member gap\n");
	ck_assert_uint_eq(t.counts.partial, 1);
	ck_assert_uint_eq(t.notices.nr, 1);
	ck_assert_int_eq(t.files[0]->analysis, ANALYSIS_PARTIAL);
	tree_close(&t);
}

UNIT_TEST(unit_shares_headers)
{
	struct tree t;

	tree_open(&t);
	tree_add(&t, "csrc/a.cpp", "#include \"../inc/b.h\"\nvoid f(at::Tensor x) { g(x); }\n");
	tree_add(&t, "csrc/c.cpp", "#include \"../inc/b.h\"\nvoid h(at::Tensor x) { g(x); }\n");
	tree_add(&t, "csrc/d.cpp", "int plain() { return 1; }\n");
	tree_add(&t, "inc/b.h",
		 "#pragma once\n#include <torch/extension.h>\n"
		 "inline void g(at::Tensor x) { x.item(); }\n");
	tree_add(&t, "inc/e.h", "#include <torch/extension.h>\nvoid i() { AT_ERROR(\"x\"); }\n");
	tree_parse(&t, LACKS);
	ck_assert_str_eq(t.out.buf, "inc/b.h:3 lack at::Tensor::item member gap\n"
				    "inc/e.h:2 lack AT_ERROR macro gap\n");
	ck_assert_uint_eq(t.counts.units, 3);
	ck_assert_uint_eq(t.counts.full, 3);
	ck_assert_int_eq(t.files[0]->analysis, ANALYSIS_FULL);
	ck_assert_int_eq(t.files[2]->analysis, ANALYSIS_LEXICAL);
	tree_close(&t);
}

UNIT_TEST(unit_believes_an_allow_list)
{
	struct tree t;

	tree_open(&t);
	tree_add(&t, "a.cpp",
		 "#include <torch/extension.h>\n#include <deep.h>\n"
		 "#ifdef WANTED\nvoid f(at::Tensor x) { x.item(); }\n#endif\n");
	tree_add(&t, "compile_commands.json",
		 "[{\"directory\": \"/b/repo\", \"file\": \"/b/repo/a.cpp\", \"command\": \"c++ -DWANTED=1 "
		 "-I/b/repo/inc -I/etc -fplugin=/x.so -Xclang -load -Xclang /x.so -include /etc/passwd "
		 "-ivfsoverlay /x -std=c++20 -c a.cpp\"}]\n");
	tree_add(&t, "inc/deep.h", "#pragma once\n");
	tree_parse(&t, LACKS);
	ck_assert_str_eq(t.out.buf, "a.cpp:4 lack at::Tensor::item member gap\n");
	ck_assert_uint_eq(t.counts.full, 1);
	ck_assert_uint_eq(t.notices.nr, 0);
	tree_close(&t);
}

UNIT_TEST(unit_outlives_a_crash)
{
	struct tree t;

	tree_open(&t);
	tree_add(&t, "a.cpp", "#include <torch/extension.h>\n#pragma clang __debug crash\n"
			      "void f() { AT_ERROR(\"a\"); }\n");
	tree_add(&t, "b.cpp", "#include <torch/extension.h>\nvoid f() { AT_ERROR(\"b\"); }\n");
	tree_parse(&t, LACKS);
	ck_assert_str_eq(t.out.buf, "a.cpp:3 lack AT_ERROR macro inactive gap\n"
				    "b.cpp:2 lack AT_ERROR macro gap\n");
	ck_assert_uint_eq(t.notices.nr, 1);
	ck_assert_str_eq(t.notices.v[0].path, "a.cpp");
	ck_assert_uint_eq(t.counts.lexical, 1);
	tree_close(&t);
}

/* Two to the power of 40 classes. */
#define CLASS_BOMB                                                                                 \
	"template <long N, long M> struct F { static const long v = F<N - 1, 2 * M>::v + "        \
	"F<N - 1, 2 * M + 1>::v; };\n"                                                             \
	"template <long M> struct F<0, M> { static const long v = M; };\n"                         \
	"static const long all = F<40, 1>::v;\n"
/* And as many words. */
#define WORD_BOMB                                                                                  \
	"#define A(x) x x x x x x x x x x x x x x x x\n"                                           \
	"#define B(x) A(A(A(A(x))))\n"                                                             \
	"int all = 0 B(B(B(+ 1)));\n"

UNIT_TEST(unit_outlives_what_never_ends)
{
	struct tree t;

	tree_open(&t);
	t.unit_seconds = 2;
	tree_add(&t, "a.cpp", "#include <torch/extension.h>\n" CLASS_BOMB "void f() { AT_ERROR(\"a\"); }\n");
	tree_add(&t, "b.cpp", "#include <torch/extension.h>\n" WORD_BOMB "void f() { AT_ERROR(\"b\"); }\n");
	tree_add(&t, "c.cpp", "#include <c10/util/Exception.h>\nvoid f() { AT_ERROR(\"c\"); }\n");
	tree_parse(&t, LACKS);
	ck_assert_str_eq(t.out.buf, "a.cpp:5 lack AT_ERROR macro inactive gap\n"
				    "b.cpp:5 lack AT_ERROR macro inactive gap\n"
				    "c.cpp:2 lack AT_ERROR macro gap\n");
	ck_assert_uint_eq(t.notices.nr, 2);
	ck_assert_str_eq(t.notices.v[0].path, "a.cpp");
	ck_assert_str_eq(t.notices.v[1].path, "b.cpp");
	ck_assert_uint_eq(t.counts.lexical, 2);
	tree_close(&t);
}

UNIT_TEST(unit_stops_when_all_time_is_used)
{
	struct tree t;

	tree_open(&t);
	t.jobs = 1;
	t.unit_seconds = t.all_seconds = 2;
	/* The two that share a precompiled header come before what is bigger. */
	tree_add(&t, "a.cpp", "#include <torch/extension.h>\n" CLASS_BOMB "void f() { AT_ERROR(\"a\"); }\n");
	tree_add(&t, "b.cpp", "#include <c10/util/Exception.h>\nvoid f() { AT_ERROR(\"b\"); }\n\n");
	tree_add(&t, "c.cpp", "#include <c10/util/Exception.h>\nvoid f() { AT_ERROR(\"c\"); }\n");
	tree_parse(&t, LACKS);
	ck_assert_str_eq(t.out.buf, "a.cpp:5 lack AT_ERROR macro inactive gap\n"
				    "b.cpp:2 lack AT_ERROR macro gap\n"
				    "c.cpp:2 lack AT_ERROR macro inactive gap\n");
	ck_assert_uint_eq(t.notices.nr, 2);
	ck_assert_ptr_null(t.notices.v[0].path);
	ck_assert_str_eq(t.notices.v[0].message, "1 of 3 C++ and CUDA units are read by their text alone: "
						 "2 seconds of the processor are used up");
	ck_assert_uint_eq(t.counts.lexical, 2);
	tree_close(&t);
}

/* What is precompiled counts as included: only what the unit does include may be. */
UNIT_TEST(unit_sees_a_branch_that_is_not_taken)
{
	struct tree t;

	tree_open(&t);
	tree_add(&t, "a.cpp", "#include <torch/extension.h>\n#ifdef NEVER\n#include <torch/script.h>\n#endif\n"
			      "TORCH_LIBRARY(a, m) { m.def(\"f() -> ()\"); }\n");
	tree_add(&t, "b.cpp", "#include <torch/script.h>\nTORCH_LIBRARY(b, m) { m.def(\"f() -> ()\"); }\n");
	tree_parse(&t, LACKS);
	ck_assert_str_eq(t.out.buf, "a.cpp:5 lack TORCH_LIBRARY include gap\n");
	tree_close(&t);
}

/* An umbrella that the target lacks is precompiled by what stands for it. */
UNIT_TEST(unit_reads_below_a_missing_umbrella)
{
	struct tree t;

	tree_open(&t);
	tree_add(&t, "a.cpp", "#include <torch/torch.h>\nvoid f() { AT_ERROR(\"a\"); }\n");
	tree_add(&t, "b.cpp", "#include <torch/script.h>\nat::Tensor g(at::Tensor x) { return x.clone(); }\n");
	tree_parse(&t, LACKS | BIT(FACT_NAME) | BIT(FACT_INCLUDE));
	ck_assert_str_eq(t.out.buf, "a.cpp:1 include torch/torch.h - gap\n"
				    "a.cpp:2 lack AT_ERROR macro gap\n"
				    "b.cpp:1 include torch/script.h - gap\n"
				    "b.cpp:2 name at::Tensor::clone method covered\n");
	tree_close(&t);
}

UNIT_TEST(unit_stays_inside)
{
	struct tree t;
	size_t i;

	tree_open(&t);
	tree_add(&t, "a.cpp",
		 "#include <torch/extension.h>\n#include \"/etc/passwd\"\n"
		 "#include \"../../../../../../../../etc/passwd\"\n"
		 "#if __has_include(\"/etc/passwd\") || __has_include(\"/proc/self/environ\")\n"
		 "void f() { AT_ERROR(\"a\"); }\n#endif\n");
	tree_parse(&t, LACKS);
	ck_assert_str_eq(t.out.buf, "a.cpp:5 lack AT_ERROR macro inactive gap\n");
	ck_assert_uint_ge(t.notices.nr, 1);
	for (i = 0; i < t.notices.nr; i++)
		ck_assert_str_eq(t.notices.v[i].path, "a.cpp");
	tree_close(&t);
}

UNIT_TEST(unit_says_when_there_is_no_library)
{
	struct tree t;

	tree_open(&t);
	setenv("PDMIGRATE_LIBCLANG", "/nowhere/libclang.so", 1);
	tree_add(&t, "a.cpp", "#include <torch/extension.h>\nvoid f() { AT_ERROR(\"a\"); }\n");
	tree_add(&t, "b.cpp", "#include <torch/extension.h>\nvoid f() { AT_ERROR(\"a\"); }\n");
	tree_parse(&t, LACKS);
	ck_assert_str_eq(t.out.buf, "a.cpp:2 lack AT_ERROR macro inactive gap\n"
				    "b.cpp:2 lack AT_ERROR macro inactive gap\n");
	ck_assert_uint_eq(t.notices.nr, 1);
	ck_assert_ptr_null(t.notices.v[0].path);
	tree_close(&t);
	unsetenv("PDMIGRATE_LIBCLANG");
}
