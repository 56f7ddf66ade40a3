/*
 * cxx_exact.c - sources are parsed against the headers of an installation that a test makes up.
 */
#include "unit.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/path.h"
#include "cxx/cxx.h"

#define SITE   "env/lib/python3.0/site-packages"
#define COMPAT SITE "/paddle/include/paddle/phi/api/include/compat"
#define PYTHON "env/include/python3.0/Python.h"

static const char header[] = "#pragma once\n#include <Python.h>\nnamespace at {\n"
			     "struct Tensor { int only_here() const; };\n}\n";
static const char source[] = "#include <torch/extension.h>\n"
			     "int f(const at::Tensor &x) { return x.only_here(); }\n"
			     "int g(const at::Tensor &x) { return x.nowhere(); }\n";

static const char *const roots[] = {"torch", NULL};
static const char *const tokens[] = {"at::", "c10::", "torch::", "TORCH_", NULL};
static const char *const headers[] = {"ATen/", "torch/", "c10/", NULL};
static const struct vocab vocab = {.roots = roots, .cxx_tokens = tokens, .cxx_headers = headers};

struct install {
	char dir[64];
	struct arena arena, job;
	struct intern intern;
	struct assets assets;
	struct repo repo;
	struct source *files[1];
	struct notices notices;
	struct strings lacks;
};

static void file_write(struct install *in, const char *path, const char *text)
{
	char *full = arena_fmt(&in->arena, "%s/%s", in->dir, path), *p;
	int fd;

	for (p = full + strlen(in->dir) + 1; (p = strchr(p, '/')); p++) {
		*p = 0;
		mkdir(full, 0700);
		*p = '/';
	}
	fd = open(full, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fs_write_all(fd, text, strlen(text)), 0);
	close(fd);
}

static void install_open(struct install *in, bool python)
{
	struct source *s;
	struct err err = {{0}};

	memset(in, 0, sizeof(*in));
	snprintf(in->dir, sizeof(in->dir), "%s/pdm-unit-XXXXXX",
		 getenv("TMPDIR") ? getenv("TMPDIR") : P_tmpdir);
	ck_assert_ptr_nonnull(mkdtemp(in->dir));
	file_write(in, COMPAT "/torch/extension.h", header);
	if (python)
		file_write(in, PYTHON, "#pragma once\n");
	file_write(in, "tree/a.cpp", source);
	in->intern.arena = &in->arena;
	in->repo.root = arena_fmt(&in->arena, "%s/tree", in->dir);
	in->repo.dirfd = open(in->repo.root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	in->repo.files = in->files;
	in->repo.nr_files = 1;
	s = in->files[0] = ARENA_NEW(&in->arena, struct source);
	s->path = "a.cpp";
	s->lang = LANG_CXX;
	s->size = sizeof(source) - 1;
	s->hash = hash_bytes(source, s->size);
	cxx_lex_facts(s, source, s->size, &vocab, &in->arena, &in->intern);
	ck_assert_int_eq(assets_load(&in->assets, &in->arena, NULL, &err), 0);
}

/* Parse; the names that are lacking, in order. */
static void install_parse(struct install *in)
{
	struct arena *const arenas[] = {&in->job};
	const struct target target = {"3.3.1", "cpu", "installed"};
	const struct cxx_parse_options o = {.assets = &in->assets,
					    .targets = &target,
					    .nr_targets = 1,
					    .site = arena_fmt(&in->arena, "%s/" SITE, in->dir),
					    .vocab = &vocab,
					    .arenas = arenas,
					    .jobs = 1};
	struct cxx_counts counts = {0};
	struct err err = {{0}};
	size_t i;

	if (cxx_parse(&in->repo, &o, &in->arena, &in->notices, &counts, &err))
		ck_abort_msg("%s", err.msg);
	for (i = 0; i < in->files[0]->nr_facts; i++)
		if (in->files[0]->facts[i].kind == FACT_LACK)
			strings_add(&in->lacks, &in->arena, in->files[0]->facts[i].name);
}

static int entry_remove(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(path);
}

static void install_close(struct install *in)
{
	close(in->repo.dirfd);
	nftw(in->dir, entry_remove, 16, FTW_DEPTH | FTW_PHYS);
	arena_free(&in->arena);
	arena_free(&in->job);
}

UNIT_TEST(exact_parses_against_what_is_installed)
{
	struct install in;

	install_open(&in, true);
	install_parse(&in);
	ck_assert_uint_eq(in.lacks.nr, 1);
	ck_assert_str_eq(in.lacks.v[0], "at::Tensor::nowhere");
	ck_assert_uint_eq(in.notices.nr, 0);
	ck_assert_int_eq(in.files[0]->analysis, ANALYSIS_FULL);
	install_close(&in);
}

UNIT_TEST(exact_needs_the_headers_of_python)
{
	struct install in;
	size_t i, said = 0;

	install_open(&in, false);
	install_parse(&in);
	ck_assert_uint_eq(in.lacks.nr, 2);
	for (i = 0; i < in.notices.nr; i++)
		said += !strcmp(in.notices.v[i].message, "C++ and CUDA sources are parsed against stubs: "
							 "no Python.h belongs to it");
	ck_assert_uint_eq(said, 1);
	install_close(&in);
}
