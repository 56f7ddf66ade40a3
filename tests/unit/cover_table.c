/* Tables that are asked in place, and a database of a few lines. */
#include "unit.h"

#include "cover/internal.h"

static void table_from(struct table *t, const char *data)
{
	struct asset as = {"x", data, strlen(data)};

	table_init(t, &as);
}

UNIT_TEST(table_bisects)
{
	struct table t;
	struct row row;

	table_from(&t, "# a\tb\na\tb\tone\na\tc\ttwo\na.b\tthree\nab\nb\tlast");
	ck_assert(text_is(text_field(t.head, 1), "b"));
	ck_assert(table_find(&t, text_of("a\tc"), &row));
	ck_assert(text_is(row_field(&row, 2), "two"));
	ck_assert(table_find(&t, text_of("a.b"), &row));
	ck_assert(text_is(row_field(&row, 1), "three"));
	ck_assert(table_find(&t, text_of("ab"), &row));
	ck_assert_uint_eq(row_field(&row, 1).len, 0);
	ck_assert(table_find(&t, text_of("b"), &row));
	ck_assert(text_is(row_field(&row, 1), "last"));
	ck_assert(!table_find(&t, text_of("a.c"), &row));
	ck_assert(!table_find(&t, text_of(""), &row));
	ck_assert(!table_find(&t, text_of("zz\n"), &row));
	table_from(&t, "");
	ck_assert(!table_find(&t, text_of("a"), &row));
	table_init(&t, NULL);
	ck_assert(!table_find(&t, text_of("a"), &row));
}

UNIT_TEST(table_words)
{
	struct text rest = text_of(",,a,bc,"), w;

	ck_assert(text_next(&rest, ',', &w) && text_is(w, "a"));
	ck_assert(text_next(&rest, ',', &w) && text_is(w, "bc"));
	ck_assert(!text_next(&rest, ',', &w));
	ck_assert(text_has(text_of("import,open"), ',', "open"));
	ck_assert(!text_has(text_of("iopen"), ',', "open"));
}

UNIT_TEST(versions_order_by_number)
{
	ck_assert_int_lt(version_compare("3.3.9", "3.3.10"), 0);
	ck_assert_int_gt(version_compare("3.10", "3.9.1"), 0);
	ck_assert_int_eq(version_compare("3.3", "3.3.0"), 0);
	ck_assert_int_lt(version_compare("3.2.2", "3.3"), 0);
	ck_assert_int_ne(version_compare("x", "y"), 0);
}

/* A target of a CPU build whose sources bind one name with CUDA only, and an upstream list. */
#define TARGET_HEAD   "# target\tpad\t1.0\tcpu\tc\tpy\tw\td\tr\town\tcuda stream\n"
#define UPSTREAM_HEAD "# upstream\tup\t2.0\tany\tc\tpy\tw\td\tr\tr\t\n"

static const struct asset own[] = {
	{"coverage/pad-1.0/classes.tsv",
	 TARGET_HEAD
	 "own.Base\t-\t\t\nown.Dyn\topen,iopen\t\t\nown.Meta\t-\t\t\nown.Nat\tnative\t\t\n"
	 "own.Sub\t-\town.Base\town.Meta\n",
	 0},
	{"coverage/pad-1.0/members.tsv",
	 TARGET_HEAD "own.Base\tbase\tfunction\t\nown.Base\tfield\tinstance\t\n"
		     "own.Meta\tmeta\tfunction\t\nown.Sub\tInner\tclass\town.Base\n",
	 0},
	{"coverage/pad-1.0/names.tsv",
	 TARGET_HEAD
	 "r\tmodule\timport\t\t\nr.Dyn\tclass\t-\town.Dyn\t\nr.Nat\tclass\t-\town.Nat\t\n"
	 "r.Sub\tclass\t-\town.Sub\t\nr.alias\tmodule\t-\tr.mod\t\n"
	 "r.cpu\tattr\tcpu?\t\t\nr.dyn\tmodule\timport,open\t\t\nr.f\tfunction\t-\t\town.x.f\n"
	 "r.far\tmodule\tforeign\t\t\nr.gpu\tcuda?\t-\t\t\nr.mod\tmodule\timport\t\t\n"
	 "r.mod.f\tfunction\t-\tr.f\t\nr.tree\tmodule\timport,unwalked\t\t\n"
	 "r.value\tattr\t-\town.Base\t\n",
	 0},
	{"coverage/pad-1.0/params.tsv",
	 TARGET_HEAD
	 "own.Sub::Inner\tclosed\ta\t\t\nr.f\tclosed\tx/ axis *rest only=\tdim\tnever\n",
	 0},
	{"coverage/proxy-since", "1.0\n", 0},
	{"coverage/up-2.0/classes.tsv", UPSTREAM_HEAD "r.Nat\t-\t\t\nr.Sub\t-\t\t\n", 0},
	{"coverage/up-2.0/members.tsv",
	 UPSTREAM_HEAD
	 "r.Nat\tcuda_x\tfunction\t\nr.Nat\tplain\tfunction\t\nr.Sub\tgone\tfunction\t\n",
	 0},
	{"coverage/up-2.0/names.tsv",
	 UPSTREAM_HEAD
	 "r\tmodule\t-\t\t\nr.Nat\tclass\t-\tr.Nat\t\nr.Sub\tclass\t-\tr.Sub\t\n"
	 "r.alias\tmodule\t-\t\t\nr.f\tfunction\t-\t\t\nr.gone\tmodule\t-\t\t\n"
	 "r.gpu\tfunction\t-\t\t\nr.mod\tmodule\t-\t\t\nr.mod.gone\tfunction\t-\t\t\n",
	 0},
	{"coverage/up-2.0/params.tsv",
	 UPSTREAM_HEAD "r.f\tclosed\tx axis dim never only= other **kw\t\t\n", 0},
};

static struct cover *load_small(struct arena *a, const char *build)
{
	size_t nr = sizeof(own) / sizeof(*own), i;
	struct asset *v = arena_array(a, nr, sizeof(*v));
	struct assets as = {.v = v, .nr = nr};
	struct target t = {"1.0", build, "shipped"};
	struct err err = {{0}};
	struct cover *c = NULL;

	for (i = 0; i < nr; i++) {
		v[i] = own[i];
		v[i].len = strlen(own[i].data);
	}
	ck_assert_msg(!cover_load(&c, a, &as, &t, 1, &err), "%s", err.msg);
	return c;
}

static void check(const struct cover *c, struct arena *a, enum question q, const char *name,
		  const char *member, enum verdict want)
{
	struct cover_answer r = cover_ask(c, a, q, name, member);

	ck_assert_msg(r.verdict == want, "%s %s: %s (%s)", name, member ? member : "",
		      verdict_name(r.verdict), r.row);
	ck_assert_ptr_nonnull(r.row);
}

UNIT_TEST(small_names)
{
	struct arena a = {0};
	const struct cover *c = load_small(&a, "cuda");
	struct cover_answer r = cover_lookup(c, &a, "r.alias.f");

	ck_assert_int_eq(r.verdict, VERDICT_COVERED);
	ck_assert_str_eq(r.row, "pad-1.0/names:r.f");
	check(c, &a, ASK_NAME, "r.alias.gone", NULL, VERDICT_UNKNOWN);
	check(c, &a, ASK_NAME, "r.mod.gone", NULL, VERDICT_GAP);
	check(c, &a, ASK_NAME, "r.gone.below.it", NULL, VERDICT_GAP);
	ck_assert_str_eq(cover_lookup(c, &a, "r.gone.below.it").missing, "r.gone");
	check(c, &a, ASK_NAME, "r.mod.other", NULL, VERDICT_UNKNOWN);
	check(c, &a, ASK_NAME, "r.dyn.x", NULL, VERDICT_UNKNOWN);
	check(c, &a, ASK_NAME, "r.far.x", NULL, VERDICT_UNKNOWN);
	check(c, &a, ASK_NAME, "r.tree.x", NULL, VERDICT_UNKNOWN);
	check(c, &a, ASK_NAME, "r.f.x", NULL, VERDICT_UNKNOWN);
	check(c, &a, ASK_NAME, "elsewhere.x", NULL, VERDICT_UNKNOWN);
	check(c, &a, ASK_NAME, "", NULL, VERDICT_UNKNOWN);
	check(c, &a, ASK_NAME, "...", NULL, VERDICT_UNKNOWN);
	arena_free(&a);
}

UNIT_TEST(small_builds)
{
	struct arena a = {0};
	const struct cover *c = load_small(&a, "cuda");

	check(c, &a, ASK_NAME, "r.gpu", NULL, VERDICT_UNKNOWN);
	check(c, &a, ASK_NAME, "r.cpu", NULL, VERDICT_UNKNOWN);
	check(c, &a, ASK_MEMBER, "r.Nat", "cuda_x", VERDICT_UNKNOWN);
	check(c, &a, ASK_MEMBER, "r.Nat", "plain", VERDICT_GAP);
	c = load_small(&a, "cpu");
	check(c, &a, ASK_NAME, "r.gpu", NULL, VERDICT_GAP);
	check(c, &a, ASK_NAME, "r.cpu", NULL, VERDICT_COVERED);
	check(c, &a, ASK_MEMBER, "r.Nat", "cuda_x", VERDICT_GAP);
	arena_free(&a);
}

UNIT_TEST(small_classes)
{
	struct arena a = {0};
	const struct cover *c = load_small(&a, "cpu");

	check(c, &a, ASK_NAME, "r.Sub.base", NULL, VERDICT_COVERED);
	check(c, &a, ASK_NAME, "r.Sub.meta", NULL, VERDICT_COVERED);
	check(c, &a, ASK_NAME, "r.Sub.Inner.base", NULL, VERDICT_COVERED);
	check(c, &a, ASK_NAME, "r.Sub.base.x", NULL, VERDICT_UNKNOWN);
	check(c, &a, ASK_NAME, "r.Sub.field", NULL, VERDICT_UNKNOWN);
	check(c, &a, ASK_NAME, "r.Sub.gone", NULL, VERDICT_GAP);
	check(c, &a, ASK_NAME, "r.Dyn.x", NULL, VERDICT_UNKNOWN);
	check(c, &a, ASK_NAME, "r.value.field", NULL, VERDICT_COVERED);
	check(c, &a, ASK_MEMBER, "r.Sub", "field", VERDICT_COVERED);
	check(c, &a, ASK_MEMBER, "r.Sub", "meta", VERDICT_UNKNOWN);
	check(c, &a, ASK_MEMBER, "r.Sub", "gone", VERDICT_GAP);
	check(c, &a, ASK_MEMBER, "r.nothing", "gone", VERDICT_UNKNOWN);
	check(c, &a, ASK_MEMBER, "r.value", "base", VERDICT_UNKNOWN);
	arena_free(&a);
}

UNIT_TEST(small_imports)
{
	struct arena a = {0};
	const struct cover *c = load_small(&a, "cpu");

	check(c, &a, ASK_IMPORT, "r", NULL, VERDICT_COVERED);
	check(c, &a, ASK_IMPORT, "r.mod", NULL, VERDICT_COVERED);
	check(c, &a, ASK_IMPORT, "r.tree", NULL, VERDICT_COVERED);
	check(c, &a, ASK_IMPORT, "r.alias", NULL, VERDICT_GAP);
	check(c, &a, ASK_IMPORT, "r.gone.x", NULL, VERDICT_GAP);
	check(c, &a, ASK_IMPORT, "r.f", NULL, VERDICT_UNKNOWN);
	check(c, &a, ASK_IMPORT, "r.dyn.x", NULL, VERDICT_UNKNOWN);
	arena_free(&a);
}

UNIT_TEST(small_keywords)
{
	struct arena a = {0};
	const struct cover *c = load_small(&a, "cpu");

	ck_assert(cover_rejects_keyword(c, "r.f", "x")); /* positional only */
	ck_assert(!cover_rejects_keyword(c, "r.f", "axis"));
	ck_assert(!cover_rejects_keyword(c, "r.f", "dim")); /* alias */
	ck_assert(!cover_rejects_keyword(c, "r.f", "only"));
	ck_assert(cover_rejects_keyword(c, "r.f", "never"));
	ck_assert(cover_rejects_keyword(c, "r.f", "other"));
	ck_assert(!cover_rejects_keyword(c, "r.f", "rest")); /* upstream does not take it */
	ck_assert(cover_rejects_keyword(c, "r.alias.f", "other") ==
		  false); /* upstream has no such name */
	ck_assert(!cover_rejects_keyword(c, "r.nothing", "x"));
	arena_free(&a);
}

UNIT_TEST(long_names_are_unknown)
{
	struct arena a = {0};
	const struct cover *c = load_small(&a, "cpu");
	char *name = arena_alloc(&a, 100001);

	memset(name, 'x', 100000);
	memcpy(name, "r.mod.", 6);
	check(c, &a, ASK_NAME, name, NULL, VERDICT_UNKNOWN);
	check(c, &a, ASK_IMPORT, name, NULL, VERDICT_UNKNOWN);
	check(c, &a, ASK_MEMBER, "r.Sub", name, VERDICT_UNKNOWN);
	check(c, &a, ASK_MEMBER, name, "x", VERDICT_UNKNOWN);
	arena_free(&a);
}
