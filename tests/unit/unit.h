/* unit.h - a unit test is UNIT_TEST(name) { ck_assert...; } in tests/unit/STAGE_*.c. */
#ifndef UNIT_H
#define UNIT_H

#include <check.h>

struct unit_test {
	const TTest *test;
};

#define UNIT_TEST(name)                                                                            \
	static void name##_body(void);                                                             \
	START_TEST(name)                                                                           \
	{                                                                                          \
		name##_body();                                                                     \
	}                                                                                          \
	END_TEST                                                                                   \
	static const struct unit_test name##_entry                                                 \
		__attribute__((used, section("unit_tests"))) = { &name##_ttest };                  \
	/* START_TEST also defines a pointer of the plain name, which nothing here needs. */       \
	static inline void name##_used(void)                                                       \
	{                                                                                          \
		(void)name;                                                                        \
	}                                                                                          \
	static void name##_body(void)

#endif
