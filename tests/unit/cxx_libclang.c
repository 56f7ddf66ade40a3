/* libclang as a table: found, refused with a reason, and what it says. */
#include "unit.h"

#include <string.h>

#include "cxx/dump.h"
#include "cxx/libclang.h"

UNIT_TEST(libclang_is_found)
{
	struct arena a = {0};
	struct libclang lc;
	struct err err = {{0}};

	if (libclang_load(&lc, &a, NULL, &err))
		ck_abort_msg("%s", err.msg);
	ck_assert_uint_ge(lc.major, LIBCLANG_OLDEST);
	ck_assert_ptr_nonnull(strstr(lc.version, "version"));
	ck_assert_ptr_nonnull(lc.resource);
	arena_free(&a);
}

UNIT_TEST(libclang_missing_is_an_error)
{
	struct arena a = {0};
	struct libclang lc;
	struct err err = {{0}};

	ck_assert_int_eq(libclang_load(&lc, &a, "/no/such/libclang.so", &err), -1);
	ck_assert_ptr_nonnull(strstr(err.msg, "/no/such/libclang.so"));
	/* A library that is none of clang's. */
	ck_assert_int_eq(libclang_load(&lc, &a, "libyaml-0.so.2", &err), -1);
	ck_assert_ptr_nonnull(strstr(err.msg, "no function"));
	arena_free(&a);
}

UNIT_TEST(exports_are_read)
{
	struct exports x = {0};
	struct arena a = {0};
	struct err err = {{0}};

	ck_assert_int_eq(exports_read(&x, &a, "/proc/self/exe", &err), 0);
	ck_assert_int_eq(exports_read(&x, &a, "/usr/lib/x86_64-linux-gnu/libyaml-0.so.2", &err), 0);
	exports_sort(&x);
	ck_assert(exports_has(&x, "yaml_parser_parse"));
	ck_assert(!exports_has(&x, "malloc"));
	ck_assert(!exports_has(&x, ""));
	ck_assert_int_eq(exports_read(&x, &a, "/etc/passwd", &err), -1);
	ck_assert_int_eq(exports_read(&x, &a, "/no/such/file", &err), -1);
	arena_free(&a);
}
