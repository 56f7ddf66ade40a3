/* report_linehash.c - hashes of lines, against values of the public algorithm. */
#include "unit.h"

#include <string.h>

#include "base/lines.h"
#include "report/internal.h"

static void hashes_are(const char *text, size_t len, const char *const *want, size_t nr)
{
	char (*hashes)[LINE_HASH_MAX];
	struct arena a = {0};
	size_t i;

	hashes = arena_array(&a, nr, sizeof(*hashes));
	line_hashes(text, len, hashes, nr);
	for (i = 0; i < nr; i++)
		ck_assert_str_eq(hashes[i], want[i]);
	arena_free(&a);
}

#define HASHES(text, ...)                                                                          \
	do {                                                                                       \
		static const char *const want[] = {__VA_ARGS__};                                   \
		hashes_are(text, sizeof(text) - 1, want, sizeof(want) / sizeof(*want));            \
	} while (0)

UNIT_TEST(published_values)
{
	HASHES("", "c129715d7a2bc9a3:1");
	HASHES(" a\nb\n  \t\tc\n d", "271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1",
	       "a23a3dc5e078b07b:1");
	HASHES(" hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End", "8b7cf3e952e7aeb2:1",
	       "b1ae1287ec4718d9:1", "bff680108adb0fcc:1", "c6805c5e1288b612:1",
	       "b86d3392aea1be30:1", "e6ceba753e1a442:1");
}

UNIT_TEST(line_ends_are_one)
{
	HASHES(" hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End\n", "e9496ae3ebfced30:1",
	       "fb7c023a8b9ccb3f:1", "ce8ba1a563dcdaca:1", "e20e36e16fcb0cc8:1",
	       "b3edc88f2938467e:1", "c8e28b0b4002a3a0:1", "c129715d7a2bc9a3:1");
	HASHES(" hello; \t\nworld!!!\r\r\r  \t\tGreetings\r End\r", "e9496ae3ebfced30:1",
	       "fb7c023a8b9ccb3f:1", "ce8ba1a563dcdaca:1", "e20e36e16fcb0cc8:1",
	       "b3edc88f2938467e:1", "c8e28b0b4002a3a0:1", "c129715d7a2bc9a3:1");
	HASHES("alpha\nbeta\nalpha\n", "8d07ce75f7b3af45:1", "ca140c3f893ffa65:1",
	       "26f09ff008857193:1", "c129715d7a2bc9a3:1");
}

/* The same hundred units from a line on: counted. */
UNIT_TEST(equal_windows_count)
{
	struct strbuf sb = STRBUF_INIT;
	char hashes[3][LINE_HASH_MAX];
	int i;

	for (i = 0; i < 3; i++)
		strbuf_addf(&sb, "%0120d\n", 0);
	line_hashes(sb.buf, sb.len, hashes, 3);
	ck_assert_int_eq(strcmp(strchr(hashes[0], ':'), ":1"), 0);
	ck_assert_int_eq(strcmp(strchr(hashes[1], ':'), ":2"), 0);
	ck_assert_int_eq(strcmp(strchr(hashes[2], ':'), ":3"), 0);
	strbuf_release(&sb);
}

static void units_are(const char *s, size_t n, size_t want)
{
	ck_assert_uint_eq(utf16_len(s, n), want);
}

UNIT_TEST(utf16_units)
{
	uint16_t unit[2];

	units_are("a\xc3\xa9\xe6\xa0\xbc", 6, 3);
	units_are("\xf0\x9f\x98\x80", 4, 2);
	units_are("\xff\xfe", 2, 2);
	/* As far as it begins a sequence it is one replacement. */
	units_are("\xe6\xa0z", 3, 2);
	units_are("\xf0\x9f\x98", 3, 1);
	units_are("\xed\xa0\x80", 3, 3);
	ck_assert_uint_eq(utf16_next("\xf0\x9f\x98\x80", 4, unit), 4);
	ck_assert_uint_eq(unit[0], 0xd83d);
	ck_assert_uint_eq(unit[1], 0xde00);
	ck_assert_uint_eq(utf16_next("\xe9", 1, unit), 1);
	ck_assert_uint_eq(unit[0], 0xfffd);
}
