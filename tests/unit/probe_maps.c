/* Memory maps that were written down: what is one runtime, what is two, what is none. */
#include "unit.h"

#include <string.h>

#include "probe/probe.h"

#define WHEEL  "/srv/venv/lib/python3.11/site-packages/nvidia/cuda_runtime/lib/libcudart.so.12"
#define SYSTEM "/usr/local/cuda-13.0/targets/x86_64-linux/lib/libcudart.so.13.0.96"

static const char two[] =
	"7f10a0000000-7f10a0021000 r--p 00000000 08:02 611 " WHEEL "\n"
	"7f10a0021000-7f10a0090000 r-xp 00021000 08:02 611 " WHEEL "\n"
	"7f10b0000000-7f10b0088000 r-xp 00000000 08:02 940                       " SYSTEM "\n"
	"7f10b0088000-7f10b008a000 rw-p 00088000 08:02 940 " SYSTEM "\n"
	"7f10c0000000-7f10c1000000 r-xp 00000000 08:02 77 /usr/lib/x86_64-linux-gnu/libcuda.so.570.86\n"
	"7f10d0000000-7f10d0010000 r-xp 00000000 00:00 0\n";

static struct map_runtimes read_maps(struct arena *a, const char *text)
{
	struct map_runtimes v = {0};

	maps_runtimes(&v, a, text, strlen(text));
	return v;
}

UNIT_TEST(maps_segments_of_one_file_are_one)
{
	struct arena a = {0};
	struct map_runtimes v = read_maps(&a, two);

	ck_assert_uint_eq(v.nr, 2);
	ck_assert_str_eq(v.v[0].path, WHEEL);
	ck_assert_str_eq(v.v[0].major, "12");
	ck_assert_uint_eq(v.v[0].line, 1);
	ck_assert_str_eq(v.v[1].path, SYSTEM);
	ck_assert_str_eq(v.v[1].major, "13");
	ck_assert_uint_eq(v.v[1].line, 3);
	ck_assert(!memcmp(two + v.v[1].span.start, SYSTEM, strlen(SYSTEM)));
	arena_free(&a);
}

UNIT_TEST(maps_two_paths_of_one_inode_are_one)
{
	struct arena a = {0};

	ck_assert_uint_eq(read_maps(&a, "1-2 r-xp 0 08:02 5 /a/libcudart.so.12\n"
					"3-4 r-xp 0 08:02 5 /b/libcudart.so.12.8.90\n").nr, 1);
	/* Without a number of the file the path decides. */
	ck_assert_uint_eq(read_maps(&a, "1-2 r-xp 0 00:00 0 /a/libcudart.so.12\n"
					"3-4 r-xp 0 00:00 0 /b/libcudart.so.12\n").nr, 2);
	arena_free(&a);
}

UNIT_TEST(maps_names_of_runtimes)
{
	static const struct {
		const char *base, *major;
	} names[] = {
		{"libcudart.so.12", "12"},	    {"libcudart.so.13.0.96", "13"},
		{"libcudart-9335f6a2.so.11.0", "11"}, {"libcudart.e8e8b82a.so.12", "12"},
		{"libcudart.so", ""},		    {"libcudart_static.a", NULL},
		{"libcudart.a", NULL},		    {"libcudart.source", NULL},
		{"libcuda.so.1", NULL},		    {"mylibcudart.so.12", NULL},
	};
	struct arena a = {0};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *major = NULL;

		ck_assert_msg(runtime_name(names[i].base, &major, &a) == (names[i].major != NULL),
			      "%s", names[i].base);
		if (names[i].major)
			ck_assert_str_eq(major, names[i].major);
	}
	arena_free(&a);
}

UNIT_TEST(maps_are_told_by_their_lines)
{
	static const char *const no[] = {
		"", "# a file\n", "12-34\n", "7f-80 r-xp 0 08:02\n", "7f10-7f20 rwxq 0 08:02 5 /a\n",
		"1-2 r-xp 0 08:02 5 /a\nhello\n", "1-2 r-xp 0 0802 5 /a\n",
	};
	size_t i;

	ck_assert(maps_is(two, strlen(two)));
	ck_assert(maps_is("1-2 r--p 0 08:02 5", 18));
	for (i = 0; i < sizeof(no) / sizeof(*no); i++)
		ck_assert_msg(!maps_is(no[i], strlen(no[i])), "%s", no[i]);
}

UNIT_TEST(maps_facts_only_where_there_are_several)
{
	struct arena a = {0};
	struct source s = {0};

	maps_facts(&s, two, strlen(two), &a);
	ck_assert_uint_eq(s.nr_facts, 2);
	ck_assert_str_eq(s.facts[1].name, "maps.runtime.13");
	s = (struct source){0};
	maps_facts(&s, two, (size_t)(strstr(two, "7f10b") - two), &a);
	ck_assert_uint_eq(s.nr_facts, 0);
	arena_free(&a);
}
