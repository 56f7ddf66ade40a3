/* base_libgit2.c - libgit2 before and after it is loaded. */
#include "unit.h"

#include <git2.h>
#include <string.h>

UNIT_TEST(libgit2_fails_before_it_is_loaded)
{
	git_repository *repo = NULL;

	ck_assert_int_lt(git_repository_open_ext(&repo, "/", 0, NULL), 0);
	ck_assert_ptr_null(repo);
	ck_assert_ptr_nonnull(strstr(git_error_last()->message, "cannot be loaded"));
	ck_assert_int_lt(git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0), 0);
	ck_assert_ptr_null(git_repository_workdir(repo));
	git_repository_free(repo);
}

UNIT_TEST(libgit2_is_loaded_once)
{
	git_repository *repo = NULL;
	git_oid a, b;

	ck_assert_int_eq(git_libgit2_init(), 1);
	ck_assert_int_eq(git_libgit2_init(), 2);
	ck_assert_int_eq(git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, GIT_CONFIG_LEVEL_GLOBAL, ""), 0);
	ck_assert_int_eq(git_odb_hash(&a, "x", 1, GIT_OBJECT_BLOB), 0);
	ck_assert_int_eq(git_odb_hash(&b, "x", 1, GIT_OBJECT_BLOB), 0);
	ck_assert_int_eq(git_oid_equal(&a, &b), 1);
	ck_assert_int_eq(git_repository_open_ext(&repo, "/proc/self/fd", 0, "/"), GIT_ENOTFOUND);
	ck_assert_ptr_null(strstr(git_error_last()->message, "cannot be loaded"));
	ck_assert_int_eq(git_libgit2_shutdown(), 1);
	ck_assert_int_eq(git_libgit2_shutdown(), 0);
}
