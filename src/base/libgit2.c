/*
 * libgit2.c - libgit2, loaded when it is first asked for.
 *
 * It brings the libraries of three network protocols with it, so that linking it would cost every start of
 * the program and of its workers more than all else that most commands do. Callers include git2.h and call
 * its functions, which are defined here and go on to the library; git_libgit2_init() loads it, of the
 * version of that header. Where it cannot be loaded each call fails and git_error_last() says so.
 */
#include <dlfcn.h>
#include <git2.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "base/err.h"

#define LIBRARY "libgit2.so." LIBGIT2_SOVERSION

/* The library's own functions. A process has one of each, so that this is no state of a caller's. */
static struct {
	bool there;
	const git_error *(*git_error_last)(void);
	int (*git_libgit2_init)(void);
	int (*git_libgit2_opts)(int option, ...);
#define FUNCTION(type, name, params, args, absent) type(*name) params;
#define VOID(name, params, args)		   void(*name) params;
#include "base/libgit2.def"
#undef FUNCTION
#undef VOID
} lib;

static pthread_once_t once = PTHREAD_ONCE_INIT;

/* ISO C has no cast from an object to a function. */
static bool find(void *handle, const char *name, void *to)
{
	void *symbol = dlsym(handle, name);

	memcpy(to, &symbol, sizeof(symbol));
	return symbol;
}

static void load(void)
{
	void *handle = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);
	bool all = handle;

	all = all && find(handle, "git_error_last", &lib.git_error_last) &&
	      find(handle, "git_libgit2_init", &lib.git_libgit2_init) &&
	      find(handle, "git_libgit2_opts", &lib.git_libgit2_opts);
#define FUNCTION(type, name, params, args, absent) all = all && find(handle, #name, &lib.name);
#define VOID(name, params, args)		   all = all && find(handle, #name, &lib.name);
#include "base/libgit2.def"
#undef FUNCTION
#undef VOID
	lib.there = all;
}

#define FUNCTION(type, name, params, args, absent)         \
	type name params                                   \
	{                                                  \
		return lib.there ? lib.name args : absent; \
	}
#define VOID(name, params, args)       \
	void name params               \
	{                              \
		if (lib.there)         \
			lib.name args; \
	}
#include "base/libgit2.def"
#undef FUNCTION
#undef VOID

int git_libgit2_init(void)
{
	pthread_once(&once, load);
	return lib.there ? lib.git_libgit2_init() : -1;
}

const git_error *git_error_last(void)
{
	static char message[] = LIBRARY " cannot be loaded";
	static const git_error missing = {message, GIT_ERROR_OS};

	return lib.there ? lib.git_error_last() : &missing;
}

/* Of its options only those that we set: how many arguments there are depends on the option. */
int git_libgit2_opts(int option, ...)
{
	const char *path;
	va_list ap;
	int ret = -1, n;

	va_start(ap, option);
	n = va_arg(ap, int);
	if (lib.there && option == GIT_OPT_SET_SEARCH_PATH) {
		path = va_arg(ap, const char *);
		ret = lib.git_libgit2_opts(option, n, path);
	} else if (lib.there && option == GIT_OPT_SET_OWNER_VALIDATION) {
		ret = lib.git_libgit2_opts(option, n);
	} else if (lib.there) {
		BUG("libgit2's option %d", option);
	}
	va_end(ap);
	return ret;
}
