/* The C++ tables: small ones made here, and the shipped ones against facts found by compiling. */
#include "unit.h"

#include <string.h>

#include "cxx/cxx.h"
#include "cxx/db.h"

/* Sorted by path bytes, as assets are. */
static const struct asset made[] = {
	{"coverage/t-1.0/decls.tsv",
	 "# target\tt\t1.0\tcpu\n"
	 "a::(b)\t000\tdirective\tboth\tx.h\ta\tusing namespace b\t0\t9\n"
	 "a::Base\t000\tclass\tboth\tx.h\ta\tclass Base\t0\t0\n"
	 "a::Base::f\t000\tmethod\tboth\tx.h\ta\tint f()\t1\t1\n"
	 "a::Color\t000\tenum\tboth\tx.h\ta\tenum class Color : int\t0\t2\n"
	 "a::Color::Red\t000\tvalue\tboth\tx.h\ta\tRed = 0\t1\t3\n"
	 "a::Derived\t000\tclass\tboth\tx.h\ta\tclass Derived : public Base\t0\t4\n"
	 "a::Foreign\t000\tclass\tboth\tx.h\ta\tclass Foreign : public z::Base\t0\t5\n"
	 "a::Gpu\t000\tclass\tcuda\tx.h\ta\tclass Gpu\t0\t6\n"
	 "a::Gpu::g\t000\tmethod\tcuda\tx.h\ta\tint g()\t1\t7\n"
	 "a::Later\t000\tforward\tboth\tx.h\ta\tclass Later\t0\t8\n"
	 "a::Loop\t000\talias\tboth\tx.h\ta\tusing Loop = a::Pool\t0\t10\n"
	 "a::Other\t000\talias\tboth\tx.h\ta\tusing Other = const Derived &\t0\t11\n"
	 "a::Pool\t000\talias\tboth\tx.h\ta\tusing Pool = a::Loop\t0\t12\n"
	 "a::hidden\t000\thidden\tboth\tx.h\ta\tusing hidden = int\t0\t13\n"
	 "b::(a)\t000\tdirective\tboth\tx.h\tb\tusing namespace a\t0\t15\n"
	 "b::free\t000\tfunction\tboth\tx.h\tb\tint free(int)\t0\t14\n",
	 0},
	{"coverage/t-1.0/headers.tsv", "# h\ngpu.h\tgpu.h\tcuda\nx.h\tx.h\tboth\n", 0},
	{"coverage/t-1.0/macros.tsv", "# h\nM_HAVE\tfunction\tboth\tx.h\t-\n", 0},
	{"coverage/t-1.0/unexported.tsv", "# h\n_Zf\tb::free\tplain\tx.h\tint free(int)\n", 0},
	{"coverage/u-2.10/decls.tsv",
	 "# upstream\tu\t2.10\tany\n"
	 "a::Base\t000\tclass\tany\tx.h\ta\tclass Base\n"
	 "a::Base::gone\t000\tmethod\tany\tx.h\ta\t\n"
	 "a::Color\t000\tenum\tany\tx.h\ta\t\n"
	 "a::Color::Blue\t000\tvalue\tany\tx.h\ta\t\n"
	 "a::Derived\t000\tclass\tany\tx.h\ta\tclass Derived : public Base\n"
	 "a::Later::x\t000\tmethod\tany\tx.h\ta\t\n"
	 "a::only::deep\t000\tfunction\tany\tonly.h\ta::only\t\n",
	 0},
	{"coverage/u-2.10/headers.tsv", "# h\ngone.h\nx.h\n", 0},
	{"coverage/u-2.10/macros.tsv", "# h\nM_GONE\tfunction\tany\tx.h\t-\n", 0},
	{"coverage/u-2.9/decls.tsv", "# upstream\tu\t2.9\tany\nold::name\t000\tclass\tany\tx.h\t\t\n", 0},
};

struct made_db {
	struct arena arena;
	struct asset v[sizeof(made) / sizeof(*made)];
	struct assets assets;
	struct cxx_db *db;
};

static void made_load(struct made_db *m, const char *build)
{
	struct err err = {{0}};
	size_t i;

	memset(m, 0, sizeof(*m));
	for (i = 0; i < sizeof(made) / sizeof(*made); i++) {
		m->v[i] = made[i];
		m->v[i].len = strlen(made[i].data);
	}
	m->assets = (struct assets){.v = m->v, .nr = i};
	ck_assert_int_eq(cxx_db_load(&m->db, &m->arena, &m->assets, "1.0", build, &err), 0);
	ck_assert_ptr_nonnull(m->db);
}

static void ask(struct made_db *m, const char *name, const char *want)
{
	struct cxx_answer r = cxx_lookup(m->db, &m->arena, name);
	const char *got = arena_fmt(&m->arena, "%s %s", verdict_name(r.verdict), r.row);

	if (strcmp(got, want))
		ck_abort_msg("%s: got '%s', wanted '%s'", name, got, want);
}

UNIT_TEST(cxx_rows_bisect)
{
	struct rows rows = {part_of("a\t1\na\t2\nab\t3\nb")};
	struct part found = rows_of(&rows, part_of("a")), line;

	ck_assert(rows_next(&found, &line) && part_is(row_part(line, 1), "1"));
	ck_assert(rows_next(&found, &line) && part_is(row_part(line, 1), "2"));
	ck_assert(!rows_next(&found, &line));
	found = rows_of(&rows, part_of("b"));
	ck_assert(rows_next(&found, &line) && !row_part(line, 1).len);
	ck_assert(!rows_of(&rows, part_of("")).len);
	ck_assert(!rows_of(&rows, part_of("aa")).len);
	ck_assert(!rows_of(&rows, part_of("c")).len);
	ck_assert(part_is(rows_from(&rows, "ab"), "ab\t3\nb"));
	ck_assert(!rows_from(&rows, "c").len);
}

UNIT_TEST(cxx_names_are_walked)
{
	struct made_db m;

	made_load(&m, "cuda");
	ask(&m, "a::Base", "covered t-1.0/decls:a::Base");
	ask(&m, "::a::Base", "covered t-1.0/decls:a::Base");
	ask(&m, "a::Derived::f", "covered t-1.0/decls:a::Base::f");
	ask(&m, "a::Other::f", "covered t-1.0/decls:a::Base::f");
	ask(&m, "a::free", "covered t-1.0/decls:b::free");
	ask(&m, "b::Base::f", "covered t-1.0/decls:a::Base::f");
	ask(&m, "a::Color::Red", "covered t-1.0/decls:a::Color::Red");
	ask(&m, "a::Derived::gone", "gap t-1.0/decls:a::Derived::gone");
	ask(&m, "a::Color::Blue", "gap t-1.0/decls:a::Color::Blue");
	ask(&m, "a::only::deep", "gap t-1.0/decls:a::only::deep");
	ask(&m, "old::name", "unknown not in the upstream list");
	ask(&m, "a::Base::never", "unknown not in the upstream list");
	ask(&m, "a::hidden", "unknown not in the upstream list");
	ask(&m, "a::Foreign::x", "unknown what it stands on is not known whole");
	ask(&m, "a::Later::x", "unknown what it stands on is not known whole");
	ask(&m, "a::Loop::x", "unknown what it stands on is not known whole");
	ask(&m, "a::", "unknown no whole name");
	ask(&m, "::", "unknown no whole name");
	arena_free(&m.arena);
}

UNIT_TEST(cxx_other_builds_are_unknown)
{
	struct made_db m;

	made_load(&m, "cpu");
	ask(&m, "a::Gpu", "unknown only another build has it");
	ask(&m, "a::Gpu::g", "unknown only another build has it");
	ask(&m, "gpu.h", "unknown only another build has it");
	arena_free(&m.arena);
	made_load(&m, "cuda");
	ask(&m, "a::Gpu::g", "covered t-1.0/decls:a::Gpu::g");
	ask(&m, "gpu.h", "covered t-1.0/headers:gpu.h");
	arena_free(&m.arena);
}

UNIT_TEST(cxx_headers_and_macros)
{
	struct made_db m;
	struct cxx_unexported u;

	made_load(&m, "cpu");
	ask(&m, "x.h", "covered t-1.0/headers:x.h");
	ask(&m, "gone.h", "gap t-1.0/headers:gone.h");
	ask(&m, "never.h", "unknown not in the upstream list");
	ask(&m, "M_HAVE", "covered t-1.0/macros:M_HAVE");
	ask(&m, "M_GONE", "gap t-1.0/macros:M_GONE");
	ask(&m, "M_NEVER", "unknown not in the upstream list");
	ck_assert(cxx_upstream_has(m.db, "M_GONE"));
	ck_assert(cxx_upstream_has(m.db, "a::Derived::gone"));
	ck_assert(!cxx_upstream_has(m.db, "b::free"));
	ck_assert(cxx_unexported(m.db, &m.arena, "b::free", 0, &u));
	ck_assert_str_eq(u.symbol, "_Zf");
	ck_assert(!cxx_unexported(m.db, &m.arena, "b::free", 1, &u));
	ck_assert(cxx_symbol_unexported(m.db, "_Zf"));
	ck_assert(!cxx_symbol_unexported(m.db, "_Zg"));
	arena_free(&m.arena);
}

UNIT_TEST(cxx_no_tables_no_database)
{
	struct made_db m;
	struct err err = {{0}};

	made_load(&m, "cpu");
	ck_assert_int_eq(cxx_db_load(&m.db, &m.arena, &m.assets, "9.9", "cpu", &err), 0);
	ck_assert_ptr_null(m.db);
	m.v[0].data = "no line\n";
	m.v[0].len = strlen(m.v[0].data);
	ck_assert_int_eq(cxx_db_load(&m.db, &m.arena, &m.assets, "1.0", "cpu", &err), -1);
	arena_free(&m.arena);
}

/* What compiling against the target showed, for the version and build named. */
UNIT_TEST(cxx_shipped_tables)
{
	static const struct {
		const char *name;
		enum verdict verdict;
	} facts[] = {
		{"at::zeros_like", VERDICT_COVERED},
		{"torch::zeros_like", VERDICT_COVERED},
		{"torch::Tensor::defined", VERDICT_COVERED},
		{"at::Tensor::size", VERDICT_COVERED},
		{"c10::cuda::CUDAStream::raw_stream", VERDICT_COVERED},
		{"c10::optional", VERDICT_COVERED},
		{"at::ScalarType::BFloat16", VERDICT_COVERED},
		{"torch::Library::FRAGMENT", VERDICT_COVERED},
		{"torch/extension.h", VERDICT_COVERED},
		{"TORCH_LIBRARY_IMPL", VERDICT_COVERED},
		{"at::Tensor::type", VERDICT_GAP},
		{"at::Tensor::storage_offset", VERDICT_GAP},
		{"at::Tensor::index_put_", VERDICT_GAP},
		{"at::where", VERDICT_GAP},
		{"torch::stack", VERDICT_GAP},
		{"torch::RegisterOperators", VERDICT_GAP},
		{"torch::nn::Linear", VERDICT_GAP},
		{"at::kMeta", VERDICT_GAP},
		{"at::parallel_for", VERDICT_GAP},
		{"c10::cuda::CUDAStreamGuard", VERDICT_GAP},
		{"torch/torch.h", VERDICT_GAP},
		{"ATen/Dispatch.h", VERDICT_GAP},
		{"AT_DISPATCH_FLOATING_TYPES", VERDICT_GAP},
		{"TORCH_WARN", VERDICT_GAP},
		{"at::Tensor::no_such_member", VERDICT_UNKNOWN},
		{"std::vector", VERDICT_UNKNOWN},
	};
	struct arena a = {0};
	struct assets assets;
	struct cxx_db *db;
	struct err err;
	struct cxx_unexported u;
	size_t i, n = 0;

	ck_assert_int_eq(assets_load(&assets, &a, NULL, &err), 0);
	ck_assert_int_eq(cxx_db_load(&db, &a, &assets, "3.3.1", "cuda", &err), 0);
	ck_assert_ptr_nonnull(db);
	for (i = 0; i < sizeof(facts) / sizeof(*facts); i++) {
		struct cxx_answer r = cxx_lookup(db, &a, facts[i].name);

		if (r.verdict != facts[i].verdict)
			ck_abort_msg("%s: %s (%s)", facts[i].name, verdict_name(r.verdict), r.row);
	}
	ck_assert_int_eq(cxx_db_load(&db, &a, &assets, "3.3.1", "cpu", &err), 0);
	while (cxx_unexported(db, &a, "at::tensor", n, &u))
		n++;
	ck_assert_uint_eq(n, 12);
	ck_assert_int_eq(cxx_name(db, &a, "c10::cuda::CUDAGuard").verdict, VERDICT_UNKNOWN);
	arena_free(&a);
}
