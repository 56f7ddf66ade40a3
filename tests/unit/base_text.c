/* base_text.c - arena, strbuf, vec, intern, err, json, lines. */
#include "unit.h"

#include <errno.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/intern.h"
#include "base/json.h"
#include "base/lines.h"
#include "base/strbuf.h"
#include "base/vec.h"

UNIT_TEST(arena_gives_zeroed_aligned_memory)
{
	static const size_t sizes[] = { 0, 1, 15, 16, 17, 4096, 16384, 16385, 65536, 1 << 20, 3 };
	static const unsigned char zeros[1 << 20];
	struct arena a = { 0 };
	size_t i, round;

	for (round = 0; round < 50; round++) {
		for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
			unsigned char *p = arena_alloc(&a, sizes[i]);

			ck_assert_uint_eq((uintptr_t)p % 16, 0);
			ck_assert(!memcmp(p, zeros, sizes[i]));
			memset(p, 0xa5, sizes[i]);
		}
	}
	ck_assert_uint_gt(a.total, 50 * (1 << 20));
	arena_free(&a);
	ck_assert_ptr_null(a.blocks);
	ck_assert_str_eq(arena_strdup(&a, "again"), "again");
	arena_free(&a);
}

UNIT_TEST(arena_copies_text)
{
	struct arena a = { 0 };
	char *s = arena_strndup(&a, "a\0b", 3);

	ck_assert_mem_eq(s, "a\0b\0", 4);
	ck_assert_str_eq(arena_fmt(&a, "%s-%d", "x", 7), "x-7");
	ck_assert_str_eq(arena_fmt(&a, "%s", ""), "");
	arena_free(&a);
}

UNIT_TEST(arena_keeps_the_open_block_behind_a_big_one)
{
	struct arena a = { 0 };
	char *first = arena_strdup(&a, "first"), *big, *second;

	big = arena_alloc(&a, 1 << 20);
	second = arena_strdup(&a, "second");
	memset(big, 'x', 1 << 20);
	ck_assert_str_eq(first, "first");
	ck_assert_str_eq(second, "second");
	arena_free(&a);
}

UNIT_TEST(strbuf_grows_and_terminates)
{
	struct strbuf sb = STRBUF_INIT;
	int i;

	ck_assert_str_eq(sb.buf, "");
	for (i = 0; i < 1000; i++)
		strbuf_addf(&sb, "%d,", i % 10);
	ck_assert_uint_eq(sb.len, 2000);
	ck_assert_uint_eq(strlen(sb.buf), 2000);
	strbuf_setlen(&sb, 4);
	ck_assert_str_eq(sb.buf, "0,1,");
	strbuf_add(&sb, "\0z", 2);
	ck_assert_uint_eq(sb.len, 6);
	ck_assert_mem_eq(sb.buf, "0,1,\0z\0", 7);
	strbuf_reset(&sb);
	ck_assert_str_eq(sb.buf, "");
	strbuf_addstr(&sb, "x");
	strbuf_addch(&sb, 'y');
	ck_assert_str_eq(sb.buf, "xy");
	strbuf_release(&sb);
	ck_assert_str_eq(sb.buf, "");
	strbuf_init(&sb);
	ck_assert_uint_eq(sb.len, 0);
}

UNIT_TEST(vec_keeps_elements_over_growth)
{
	struct arena a = { 0 };
	VEC(size_t) v = { 0 };
	size_t i;

	for (i = 0; i < 1000; i++) {
		size_t *p = VEC_PUSH(&a, &v);

		ck_assert_uint_eq(*p, 0);
		*p = i;
	}
	ck_assert_uint_eq(v.nr, 1000);
	for (i = 0; i < 1000; i++)
		ck_assert_uint_eq(v.v[i], i);
	arena_free(&a);
}

UNIT_TEST(intern_gives_one_address_a_text)
{
	struct arena a = { 0 };
	struct intern t = { .arena = &a };
	const char *kept[2000];
	char name[32];
	int i;

	for (i = 0; i < 2000; i++) {
		snprintf(name, sizeof(name), "name.%d", i);
		kept[i] = intern_str(&t, name);
	}
	for (i = 0; i < 2000; i++) {
		snprintf(name, sizeof(name), "name.%d", i);
		ck_assert_ptr_eq(intern(&t, name, strlen(name)), kept[i]);
		ck_assert_str_eq(kept[i], name);
	}
	ck_assert_uint_eq(t.nr, 2000);
	ck_assert_ptr_ne(intern(&t, "a\0b", 3), intern(&t, "a", 1));
	ck_assert_str_eq(intern(&t, "", 0), "");
	arena_free(&a);
}

UNIT_TEST(str_helpers)
{
	ck_assert(str_eq("a", "a"));
	ck_assert(!str_eq("a", NULL));
	ck_assert(str_eq(NULL, NULL));
	ck_assert(str_starts("abc", "ab") && !str_starts("a", "ab"));
	ck_assert(str_ends("abc", "bc") && !str_ends("c", "bc"));
}

UNIT_TEST(hash_is_the_same_everywhere)
{
	char hex[33];

	hash_hex("", 0, hex);
	ck_assert_str_eq(hex, "99aa06d3014798d86001c324468d497f");
	ck_assert_uint_eq(hash_bytes("", 0), 0x2d06800538d394c2ull);
}

UNIT_TEST(err_keeps_order_of_context)
{
	struct err err = { "" };

	ck_assert_int_eq(err_set(&err, "no %s", "luck"), -1);
	ck_assert_int_eq(err_context(&err, "file %d", 3), -1);
	ck_assert_str_eq(err.msg, "file 3: no luck");
	errno = ENOENT;
	err_errno(&err, "cannot open");
	ck_assert_str_eq(err.msg, "cannot open: No such file or directory");
	ck_assert_int_eq(err_set(NULL, "nobody listens"), -1);
}

UNIT_TEST(err_cuts_long_text)
{
	struct err err = { "" };
	char big[4000];

	memset(big, 'x', sizeof(big));
	big[sizeof(big) - 1] = 0;
	err_set(&err, "%s", big);
	err_context(&err, "%s", big);
	ck_assert_uint_lt(strlen(err.msg), sizeof(err.msg));
}

UNIT_TEST(json_writes_compact_and_indented)
{
	struct strbuf sb = STRBUF_INIT;
	struct json j;

	json_init(&j, &sb, true);
	json_open(&j, '{');
	json_kstr(&j, "a", "x");
	json_kint(&j, "b", -7);
	json_kbool(&j, "c", true);
	json_kstr(&j, "d", NULL);
	json_key(&j, "e");
	json_open(&j, '[');
	json_int(&j, 1);
	json_open(&j, '[');
	json_close(&j, ']');
	json_close(&j, ']');
	json_close(&j, '}');
	ck_assert_str_eq(sb.buf, "{\"a\":\"x\",\"b\":-7,\"c\":true,\"d\":null,\"e\":[1,[]]}");
	strbuf_reset(&sb);
	json_init(&j, &sb, false);
	json_open(&j, '{');
	json_kint(&j, "a", 1);
	json_key(&j, "b");
	json_open(&j, '{');
	json_close(&j, '}');
	json_close(&j, '}');
	ck_assert_str_eq(sb.buf, "{\n \"a\": 1,\n \"b\": {}\n}");
	strbuf_release(&sb);
}

UNIT_TEST(json_escapes_and_percent_encodes)
{
	struct strbuf sb = STRBUF_INIT;
	struct json j;

	json_init(&j, &sb, true);
	ck_assert(!json_bytes(&j, "a\"\\\n\t\x01\x7f%", 8));
	ck_assert_str_eq(sb.buf, "\"a\\\"\\\\\\n\\t\\u0001\\u007f%\"");
	strbuf_reset(&sb);
	json_init(&j, &sb, true);
	ck_assert(json_bytes(&j, "caf\xe9 50%", 8));
	ck_assert_str_eq(sb.buf, "\"caf%E9 50%25\"");
	strbuf_release(&sb);
}

UNIT_TEST(lines_know_every_line_end)
{
	const char *text = "a\nbb\r\nccc\rd";
	struct arena a = { 0 };
	struct lines l;
	uint32_t col;
	size_t len;

	lines_init(&l, &a, text, strlen(text));
	ck_assert_uint_eq(l.nr, 4);
	ck_assert_uint_eq(lines_at(&l, 0, &col), 1);
	ck_assert_uint_eq(col, 1);
	ck_assert_uint_eq(lines_at(&l, 3, &col), 2);
	ck_assert_uint_eq(col, 2);
	ck_assert_uint_eq(lines_at(&l, 6, &col), 3);
	ck_assert_uint_eq(col, 1);
	ck_assert_uint_eq(lines_at(&l, 10, NULL), 4);
	ck_assert_uint_eq(lines_at(&l, 99, NULL), 4);
	ck_assert_mem_eq(lines_text(&l, 2, &len), "bb", 2);
	ck_assert_uint_eq(len, 2);
	lines_text(&l, 3, &len);
	ck_assert_uint_eq(len, 3);
	lines_text(&l, 4, &len);
	ck_assert_uint_eq(len, 1);
	lines_init(&l, &a, "", 0);
	ck_assert_uint_eq(l.nr, 1);
	lines_text(&l, 1, &len);
	ck_assert_uint_eq(len, 0);
	arena_free(&a);
}

UNIT_TEST(arena_reset_keeps_memory)
{
	struct arena a = { 0 };
	char *p;
	int round, i;

	for (round = 0; round < 4; round++) {
		for (i = 1; i < 200; i++) {
			p = arena_alloc(&a, (size_t)i * 700);
			ck_assert_int_eq(p[0], 0);
			ck_assert_int_eq(p[i * 700 - 1], 0);
			memset(p, 0x5a, (size_t)i * 700);
		}
		arena_reset(&a);
		ck_assert_uint_eq(a.total, 0);
	}
	arena_free(&a);
	ck_assert_ptr_null(a.spare);
}
