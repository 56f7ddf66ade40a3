/*
 * main.c - runs the suite of one stage. Each tests/unit/STAGE_*.c defines tests with UNIT_TEST and needs no
 * registration: the macro puts a pointer into a section that this file walks.
 */
#include "unit.h"

#include <stdlib.h>

extern const struct unit_test __start_unit_tests[], __stop_unit_tests[];

int main(void)
{
	const struct unit_test *t;
	Suite *suite = suite_create("unit");
	SRunner *runner;
	int failed;

	for (t = __start_unit_tests; t < __stop_unit_tests; t++) {
		TCase *c = tcase_create(t->test->name);

		tcase_set_timeout(c, 60);
		_tcase_add_test(c, t->test, 0, 0, 0, 1);
		suite_add_tcase(suite, c);
	}
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
