/* libclang.c - see libclang.h. */
#include "cxx/libclang.h"

#include <dlfcn.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"

#define NEWEST	 40
#define VARIABLE "PDMIGRATE_LIBCLANG"

const char *libclang_text(const struct libclang *lc, struct arena *a, CXString s)
{
	const char *text = lc->getCString(s), *copy = arena_strdup(a, text ? text : "");

	lc->disposeString(s);
	return copy;
}

/* The number in "... clang version 19.1.7 (...)", 0 where there is none. */
static unsigned version_major(const char *version)
{
	static const char word[] = "version ";
	const char *p = strstr(version, word);

	return p ? (unsigned)strtoul(p + strlen(word), NULL, 10) : 0;
}

static int table_fill(struct libclang *lc, void *handle, struct err *err)
{
	/* A pointer to a function is read through memory: ISO C has no cast from void *. */
	const struct {
		const char *name;
		void *slot;
	} wanted[] = {
#define X(name) {"clang_" #name, &lc->name},
		LIBCLANG_FUNCTIONS(X)
#undef X
	};
	size_t i;

	for (i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		void *f = dlsym(handle, wanted[i].name);

		if (!f)
			return err_set(err, "it has no function '%s'", wanted[i].name);
		memcpy(wanted[i].slot, &f, sizeof(f));
	}
	return 0;
}

static int try_load(struct libclang *lc, struct arena *a, const char *path, struct err *err)
{
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!handle)
		return err_set(err, "%s", dlerror());
	if (table_fill(lc, handle, err))
		goto fail;
	lc->path = arena_strdup(a, path);
	lc->version = libclang_text(lc, a, lc->getClangVersion());
	lc->major = version_major(lc->version);
	if (lc->major >= LIBCLANG_OLDEST)
		return 0;
	err_set(err, "it is '%s', wanted is %d or newer", lc->version, LIBCLANG_OLDEST);
fail:
	dlclose(handle);
	return err_context(err, "%s", path);
}

static bool resource_is(const char *dir, struct arena *a)
{
	return !access(arena_fmt(a, "%s/include/stddef.h", dir), R_OK);
}

/* Packages put the compiler's own headers beside the library or below /usr/lib, by major number. */
static const char *resource_find(const struct libclang *lc, struct arena *a)
{
	char real[PATH_MAX];
	const char *dirs[3], *dir;
	size_t nr = 0, i;
	Dl_info info;
	void *f;

	memcpy(&f, &lc->createIndex, sizeof(f));
	if (dladdr(f, &info) && realpath(info.dli_fname, real)) {
		dir = arena_strndup(a, real, path_dirlen(real));
		dirs[nr++] = arena_fmt(a, "%s/clang/%u", dir, lc->major);
		dirs[nr++] = arena_fmt(a, "%s/../llvm-%u/lib/clang/%u", dir, lc->major, lc->major);
	}
	dirs[nr++] = arena_fmt(a, "/usr/lib/llvm-%u/lib/clang/%u", lc->major, lc->major);
	for (i = 0; i < nr; i++)
		if (resource_is(dirs[i], a))
			return realpath(dirs[i], real) ? arena_strdup(a, real) : dirs[i];
	return NULL;
}

static int load_newest(struct libclang *lc, struct arena *a, struct err *err)
{
	static const char *const plain[] = {"libclang.so.1", "libclang.so"};
	struct err own = {{0}};
	unsigned v;
	size_t i;

	for (v = NEWEST; v >= LIBCLANG_OLDEST; v--) {
		const char *try[] = {arena_fmt(a, "libclang-%u.so.1", v),
				     arena_fmt(a, "/usr/lib/llvm-%u/lib/libclang.so.1", v),
				     arena_fmt(a, "libclang.so.%u", v)};

		for (i = 0; i < sizeof(try) / sizeof(*try); i++)
			if (!try_load(lc, a, try[i], &own))
				return 0;
	}
	for (i = 0; i < sizeof(plain) / sizeof(*plain); i++)
		if (!try_load(lc, a, plain[i], &own))
			return 0;
	return err_set(err, "no libclang %d or newer found", LIBCLANG_OLDEST);
}

int libclang_load(struct libclang *lc, struct arena *a, const char *path, struct err *err)
{
	const char *named = path ? path : getenv(VARIABLE);
	int ret;

	*lc = (struct libclang){0};
	ret = named && *named ? try_load(lc, a, named, err) : load_newest(lc, a, err);
	if (ret)
		return -1;
	lc->resource = resource_find(lc, a);
	return 0;
}
