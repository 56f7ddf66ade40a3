/* `coverage dump` on a small package made here: what is listed, for which build, and twice the same. */
#include "unit.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/strbuf.h"
#include "cxx/cxx.h"

static const char config[] = "target:\n"
			     "  package: pkg\n"
			     "  roots: [pkg/inc]\n"
			     "  headers: [at/]\n"
			     "  cuda: WITH_CUDA\n";
static const char first_header[] = "#pragma once\n"
				   "#include <cstddef>\n"
				   "#define KEPT 7\n"
				   "#define CALL(x) (x)\n"
				   "#define LOCAL 1\n"
				   "namespace at {\n"
				   "class Base { public: int size(int d = 0) const { return d + LOCAL; } int\n"
				   "  lost(); private: using inner = int; int secret(); };\n"
				   "template <class T> struct Box : Base {\n"
				   "  T get() const; friend bool operator==(Box, Box); };\n"
				   "enum Plain { P0 }; enum class Scoped : char { S1 = 3 };\n"
				   "inline auto deduced() { return Base(); }\n"
				   "#ifdef WITH_CUDA\nvoid device();\n#endif\n"
				   "}\n"
				   "#undef LOCAL\n";
/* In the plain build this leaves a namespace open. */
static const char broken_header[] = "#pragma once\n"
				    "namespace at {\n"
				    "#ifndef WITH_CUDA\nstruct Bad { nothing x;\n#else\nvoid only();\n}\n#endif\n";
static const char last_header[] = "#pragma once\n#include <at/a.h>\n"
				  "namespace at { using other = Base; int free(Base); }\n";

static void file_put(struct arena *a, const char *dir, const char *name, const char *text)
{
	FILE *f = fopen(arena_fmt(a, "%s/%s", dir, name), "w");

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

static const char *file_get(struct arena *a, const char *dir, const char *name)
{
	struct fs_text text;
	struct err err = {{0}};
	const char *copy;

	if (fs_read_path(arena_fmt(a, "%s/%s", dir, name), 1u << 20, &text, &err))
		ck_abort_msg("%s", err.msg);
	copy = arena_strndup(a, text.data, text.len);
	fs_text_free(&text);
	return copy;
}

static void has_row(const char *table, const char *row)
{
	if (!strstr(table, row))
		ck_abort_msg("no row '%s' in:\n%s", row, table);
}

UNIT_TEST(dump_lists_headers)
{
	static const char *const out[] = {"decls.tsv", "headers.tsv", "includes.tsv", "macros.tsv",
					  "unexported.tsv", "names.tsv"};
	static const char *const in[] = {"pkg/inc/at/a.h", "pkg/inc/at/b.h", "pkg/inc/at/c.h"};
	const struct asset as = {"cxx/dump.yml", config, strlen(config)};
	const struct assets assets = {.v = &as, .nr = 1};
	char dir[] = P_tmpdir "/pdmigrate-unit-XXXXXX";
	struct cxx_dump_options o = {.site = dir, .python_include = dir, .outdir = dir};
	const char *before[5], *decls;
	struct arena a = {0};
	struct err err = {{0}};
	size_t i;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	ck_assert_int_eq(cxx_dump(&assets, &o, &err), -1);
	mkdir(arena_fmt(&a, "%s/pkg", dir), 0700);
	mkdir(arena_fmt(&a, "%s/pkg/inc", dir), 0700);
	mkdir(arena_fmt(&a, "%s/pkg/inc/at", dir), 0700);
	file_put(&a, dir, in[0], first_header);
	file_put(&a, dir, in[1], broken_header);
	file_put(&a, dir, in[2], last_header);
	ck_assert_int_eq(cxx_dump(&assets, &o, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.msg, "the names of Python come first"));
	file_put(&a, dir, "names.tsv", "# target\tp\t1.0\tcpu\tc\tpy\tw\tdump1\tr\n");
	if (cxx_dump(&assets, &o, &err))
		ck_abort_msg("%s", err.msg);
	for (i = 0; i < 5; i++)
		before[i] = file_get(&a, dir, out[i]);
	decls = before[0];
	has_row(decls, "# target\tp\t1.0\tcpu\tc\tpy\tw\tcxx1\tclang");
	has_row(decls, "at::Base::size\t000\tmethod\tboth\tat/a.h\tat\tint size(int d = 0) const\t1\t");
	has_row(decls, "at::Base::inner\t000\thidden\tboth\t");
	has_row(decls, "at::Box\t000\tclass\tboth\tat/a.h\tat\ttemplate <class T> struct Box : Base\t0\t");
	has_row(decls, "at::P0\t000\tvalue\tboth\t");
	has_row(decls, "at::Scoped::S1\t000\tvalue\tboth\tat/a.h\tat\tS1 = 3\t");
	has_row(decls, "at::deduced\t000\tfunction\tboth\tat/a.h\tat\t");
	has_row(decls, "at::device\t000\tfunction\tcuda\t");
	has_row(decls, "at::only\t000\tfunction\tcuda\tat/b.h\t");
	has_row(decls, "at::free\t000\tfunction\tboth\tat/c.h\tat\tint free(Base)\t");
	ck_assert_ptr_null(strstr(decls, "secret"));
	ck_assert_ptr_null(strstr(decls, "auto"));
	has_row(before[1], "at/b.h\tat/b.h\tcuda\n");
	has_row(before[1], "at/c.h\tat/c.h\tboth\n");
	has_row(before[3], "KEPT\tobject\tboth\tat/a.h\t=7\n");
	has_row(before[3], "CALL\tfunction\tboth\tat/a.h\t-\n");
	ck_assert_ptr_null(strstr(before[3], "LOCAL"));
	has_row(before[4], "at::Base::lost\tplain\tat/a.h\tint lost()\n");
	ck_assert_ptr_null(strstr(before[4], "at::only"));
	ck_assert_int_eq(cxx_dump(&assets, &o, &err), 0);
	for (i = 0; i < 6; i++) {
		if (i < 5)
			ck_assert_str_eq(file_get(&a, dir, out[i]), before[i]);
		unlink(arena_fmt(&a, "%s/%s", dir, out[i]));
	}
	for (i = 0; i < 3; i++)
		unlink(arena_fmt(&a, "%s/%s", dir, in[i]));
	rmdir(arena_fmt(&a, "%s/pkg/inc/at", dir));
	rmdir(arena_fmt(&a, "%s/pkg/inc", dir));
	rmdir(arena_fmt(&a, "%s/pkg", dir));
	rmdir(dir);
	arena_free(&a);
}
