/*
 * pch.c - stubs precompiled, kept between runs.
 *
 * A file's name is the hash of all that its bytes depend on: stubs, headers, library, language and
 * arguments, so that a name never has to be made anew. It is written beside its place and renamed into it,
 * under a lock, since making one takes as long as several units. libclang itself refuses one whose
 * system headers have changed since; the caller then parses without. What has not been used for
 * longest goes.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/intern.h"
#include "base/strbuf.h"
#include "cxx/cxx.h"
#include "cxx/libclang.h"

#define UNIT	 "/pdmigrate/precompiled.h"
#define KEY_LEN	 32
#define KEPT_MAX 48 /* of about 12 MB each */

/* $XDG_CACHE_HOME/pdmigrate, or the one below the home folder; made when it is not there. */
static int cache_dir(const char **dir, struct arena *a, struct err *err)
{
	const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	struct stat st;

	if (!base || *base != '/') {
		if (!home || *home != '/')
			return err_set(err, "no folder for a cache: HOME is not set");
		base = arena_fmt(a, "%s/.cache", home);
	}
	*dir = arena_fmt(a, "%s/pdmigrate", base);
	if (mkdir(base, 0700) && errno != EEXIST)
		return err_errno(err, "%s", base);
	if (mkdir(*dir, 0700) && errno != EEXIST)
		return err_errno(err, "%s", *dir);
	/* What is read from here is trusted: it has to be ours alone. */
	if (lstat(*dir, &st))
		return err_errno(err, "%s", *dir);
	if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & 022))
		return err_set(err, "%s: not a folder of the user's own", *dir);
	return 0;
}

static const char *unit_text(struct arena *a, const char *const *headers)
{
	struct strbuf sb = STRBUF_INIT;
	const char *text;

	strbuf_addstr(&sb, "#pragma once\n");
	for (; *headers; headers++)
		strbuf_addf(&sb, "#include <%s>\n", *headers);
	text = arena_strdup(a, sb.buf);
	strbuf_release(&sb);
	return text;
}

static void key_make(char key[33], const struct libclang *lc, const struct cxx_stubs *s,
		     const char *const *args, const char *text)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_addf(&sb, "%s\n%s\n%s\n", s->hash, lc->version, text);
	for (; *args; args++)
		strbuf_addf(&sb, "%s\n", *args);
	hash_hex(sb.buf, sb.len, key);
	strbuf_release(&sb);
}

static unsigned errors_nr(const struct libclang *lc, CXTranslationUnit tu)
{
	unsigned nr = lc->getNumDiagnostics(tu), i, errors = 0;

	for (i = 0; i < nr; i++) {
		CXDiagnostic d = lc->getDiagnostic(tu, i);

		errors += lc->getDiagnosticSeverity(d) >= CXDiagnostic_Error;
		lc->disposeDiagnostic(d);
	}
	return errors;
}

/*
 * The arguments with the language of a header: a precompiled file is one. Templates that the headers use
 * are instantiated in it; else every unit does so again, which takes most of a small one's time.
 */
static const char *const *args_of_header(const char *const *args, unsigned mode, struct arena *a)
{
	const char **v;
	size_t n;

	for (n = 0; args[n]; n++)
		;
	v = arena_array(a, n + 2, sizeof(*v));
	memcpy(v, args, n * sizeof(*v));
	if (!(mode & CXX_CUDA))
		v[0] = "-xc++-header";
	v[n] = "-fpch-instantiate-templates";
	return v;
}

static int pch_write(const struct libclang *lc, const struct cxx_stubs *s, const char *const *args,
		     const char *text, const char *path, struct arena *a, struct err *err)
{
	struct CXUnsavedFile *files = arena_array(a, s->nr + 1, sizeof(*files));
	CXIndex index = lc->createIndex(0, 0);
	CXTranslationUnit tu = NULL;
	int nr = 0, ret = 0;
	size_t i;

	for (i = 0; i < s->nr; i++)
		files[i] = (struct CXUnsavedFile){s->v[i].path, s->v[i].text, s->v[i].len};
	files[i] = (struct CXUnsavedFile){UNIT, text, strlen(text)};
	while (args[nr])
		nr++;
	if (lc->parseTranslationUnit2(index, UNIT, args, nr, files, (unsigned)s->nr + 1,
				      CXTranslationUnit_ForSerialization | CXTranslationUnit_Incomplete,
				      &tu))
		ret = err_set(err, "libclang cannot precompile the stubs");
	else if (errors_nr(lc, tu))
		ret = err_set(err, "the stubs do not compile");
	else if (lc->saveTranslationUnit(tu, path, 0))
		ret = err_set(err, "%s: cannot be written", path);
	if (tu)
		lc->disposeTranslationUnit(tu);
	lc->disposeIndex(index);
	return ret;
}

/* There, and marked as used just now. */
static bool pch_there(const char *path)
{
	return !utimensat(AT_FDCWD, path, NULL, 0);
}

/* A file of the cache: its time of last use in nanoseconds. */
struct kept {
	const char *name;
	int64_t at;
};

static int kept_order(const void *a, const void *b)
{
	const struct kept *x = a, *y = b;

	return (x->at < y->at) - (x->at > y->at);
}

static bool is_kept(const char *name)
{
	return strspn(name, "0123456789abcdef") == KEY_LEN && !strcmp(name + KEY_LEN, ".pch");
}

/* Take away what has not been used for longest, beyond a number. */
static void cache_trim(const char *path, struct arena *a)
{
	DIR *dir = opendir(path);
	VEC(struct kept) v = {0};
	const struct dirent *e;
	struct stat st;
	size_t i;

	if (!dir)
		return;
	while ((e = readdir(dir)))
		if (is_kept(e->d_name) &&
		    !fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW) && S_ISREG(st.st_mode))
			*VEC_PUSH(a, &v) = (struct kept){arena_strdup(a, e->d_name),
							 st.st_mtim.tv_sec * INT64_C(1000000000) +
								 st.st_mtim.tv_nsec};
	if (v.nr)
		qsort(v.v, v.nr, sizeof(*v.v), kept_order);
	for (i = KEPT_MAX; i < v.nr; i++) {
		unlinkat(dirfd(dir), v.v[i].name, 0);
		unlinkat(dirfd(dir), arena_fmt(a, "%.*s.lock", KEY_LEN, v.v[i].name), 0);
	}
	closedir(dir);
}

static int pch_make(const struct libclang *lc, const struct cxx_stubs *s, const char *const *args,
		    const char *text, const char *path, struct arena *a, struct err *err)
{
	const char *own = arena_fmt(a, "%s.%ld", path, (long)getpid());

	if (pch_write(lc, s, args, text, own, a, err)) {
		unlink(own);
		return -1;
	}
	if (!rename(own, path))
		return 0;
	err_errno(err, "%s", path);
	unlink(own);
	return -1;
}

int cxx_pch_get(const char **path, const struct libclang *lc, const struct cxx_stubs *s,
		unsigned mode, const char *const *headers, bool make, struct arena *a,
		struct err *err)
{
	const char *const *args = args_of_header(cxx_stub_args(s, lc, mode, a), mode, a);
	const char *text = unit_text(a, headers), *dir = NULL;
	int lock, ret = 0;
	char key[33];

	if (cache_dir(&dir, a, err))
		return -1;
	key_make(key, lc, s, args, text);
	*path = arena_fmt(a, "%s/%s.pch", dir, key);
	if (pch_there(*path))
		return 0;
	if (!make)
		return err_set(err, "%s: not there", *path);
	/* Whoever comes while it is being made waits: it takes longer than a unit. */
	lock = open(arena_fmt(a, "%s/%s.lock", dir, key), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
		    0600);
	if (lock < 0)
		return err_errno(err, "%s", dir);
	if (flock(lock, LOCK_EX))
		ret = err_errno(err, "%s", dir);
	else if (!pch_there(*path))
		ret = pch_make(lc, s, args, text, *path, a, err);
	close(lock);
	cache_trim(dir, a);
	return ret;
}
