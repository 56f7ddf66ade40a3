/* base_json_read.c - JSON is read as it is written, and what is none is refused with its line. */
#include "unit.h"

#include <string.h>

#include "base/json.h"
#include "base/json_read.h"

static void again_is(const char *text, const char *want)
{
	struct strbuf out = STRBUF_INIT;
	struct arena a = {0};
	struct json_node *n;
	struct err err = {0};
	struct json j;

	ck_assert_msg(!json_parse(&n, &a, "x", text, strlen(text), &err), "%s", err.msg);
	json_init(&j, &out, true);
	json_write_node(&j, n);
	ck_assert_str_eq(out.buf, want);
	strbuf_release(&out);
	arena_free(&a);
}

static void refused_with(const char *text, size_t len, const char *want)
{
	struct arena a = {0};
	struct json_node *n;
	struct err err = {0};

	ck_assert_int_eq(json_parse(&n, &a, "x", text, len, &err), -1);
	ck_assert_str_eq(err.msg, want);
	arena_free(&a);
}

#define REFUSED(text, want) refused_with(text, sizeof(text) - 1, "x:" want)

UNIT_TEST(values)
{
	again_is(" {\"a\" : [1, -2.5e3, true, false, null], \"b\": {}}\n",
		 "{\"a\":[1,-2.5e3,true,false,null],\"b\":{}}");
	again_is("\"\\u00e9\\ud83d\\ude00\\n\\/\"", "\"\xc3\xa9\xf0\x9f\x98\x80\\n/\"");
	again_is("[]", "[]");
}

UNIT_TEST(get)
{
	static const char text[] = "{\"a\": \"x\", \"n\": 7, \"t\": true, \"big\": 1e999, \"a\": \"y\"}";
	struct arena a = {0};
	struct json_node *n;

	ck_assert_int_eq(json_parse(&n, &a, "x", text, strlen(text), NULL), 0);
	ck_assert_str_eq(json_text(n, "a", "-"), "x");
	ck_assert_str_eq(json_text(n, "n", "-"), "-");
	ck_assert_int_eq(json_number(n, "n", 0), 7);
	ck_assert_int_eq(json_number(n, "big", -1), -1);
	ck_assert(json_yes(n, "t"));
	ck_assert(!json_yes(n, "none"));
	ck_assert_ptr_null(json_get(NULL, "a"));
	arena_free(&a);
}

UNIT_TEST(refused)
{
	char deep[200];

	REFUSED("", "1: not valid JSON: a value is wanted");
	REFUSED("[1,\n2", "2: not valid JSON: ',' or ']' is wanted");
	REFUSED("{\"a\" 1}", "1: not valid JSON: ':' is wanted");
	REFUSED("{a: 1}", "1: not valid JSON: a key is wanted");
	REFUSED("1 2", "1: not valid JSON: something stands behind the value");
	REFUSED("\"\\ud800x\"", "1: not valid JSON: half of a surrogate pair");
	REFUSED("\"\\u0000\"", "1: not valid JSON: a NUL in a text");
	REFUSED("\"\xff\"", "1: not valid JSON: a text is not UTF-8");
	REFUSED("\"a", "1: not valid JSON: a text does not end");
	REFUSED("-", "1: not valid JSON: a digit is wanted");
	memset(deep, '[', sizeof(deep));
	refused_with(deep, sizeof(deep), "x:1: not valid JSON: nested too deeply");
}
