/*
 * place.c - the tree on disk: its root, the repository around it, the lock and the journal's
 * folder.
 *
 * The repository is looked up from the root upwards. No configuration but its own is read, and
 * libgit2 runs nothing. The journal stands in the git folder, else in the root; the folder that
 * holds it is locked while a process may write.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/path.h"
#include "patch/internal.h"

static void library_start(void)
{
	static const int scopes[] = {GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM,
				     GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL};
	size_t i;

	git_libgit2_init();
	for (i = 0; i < sizeof(scopes) / sizeof(*scopes); i++)
		git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, scopes[i], "");
	/* Whose folder it is does not matter to somebody who runs nothing of it. */
	git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
}

static const char *library_error(struct arena *a)
{
	const git_error *e = git_error_last();

	return arena_strdup(a, e && e->message ? e->message : "no reason given");
}

/* Is there something that looks like a repository, above or at the root? */
static bool has_git_above(const char *root, struct arena *a)
{
	size_t n = strlen(root);
	struct stat st;

	for (;;) {
		if (!lstat(arena_fmt(a, "%.*s/.git", (int)n, root), &st))
			return true;
		if (!n)
			return false;
		while (n && root[n - 1] != '/')
			n--;
		while (n && root[n - 1] == '/')
			n--;
	}
}

/* Root below the work tree: "" or "a/b"; NULL when it does not lie there. */
static const char *prefix_of(const char *root, const char *top)
{
	size_t n = strlen(top);

	while (n && top[n - 1] == '/')
		n--;
	if (strncmp(root, top, n) || (root[n] && root[n] != '/'))
		return NULL;
	return root[n] ? root + n + 1 : root + n;
}

static void repository_open(struct place *p)
{
	char top[PATH_MAX];
	const char *dir;
	int ret;

	ret = git_repository_open_ext(&p->git, p->root, 0, NULL);
	if (ret == GIT_ENOTFOUND && !has_git_above(p->root, &p->arena))
		return;
	if (ret) {
		p->git_error = library_error(&p->arena);
		return;
	}
	dir = git_repository_workdir(p->git);
	if (dir && realpath(dir, top))
		p->prefix = prefix_of(p->root, arena_strdup(&p->arena, top));
	if (dir && p->prefix && !path_under(p->prefix, ".git"))
		return;
	p->git_error = "the path is not in its work tree";
	git_repository_free(p->git);
	p->git = NULL;
	p->prefix = NULL;
}

static int root_find(struct place *p, const char *path, struct err *err)
{
	char real[PATH_MAX];
	struct stat st;
	size_t n;

	if (!realpath(path, real) || stat(real, &st))
		return err_errno(err, "cannot open '%s'", path);
	if (!S_ISDIR(st.st_mode)) {
		n = path_dirlen(real);
		real[n ? n : 1] = 0;
	}
	p->root = arena_strdup(&p->arena, real);
	p->rootfd = fs_open_dir(p->root, err);
	return p->rootfd < 0 ? -1 : 0;
}

static int journal_find(struct place *p, struct err *err)
{
	p->basefd = fs_open_dir(p->git ? git_repository_workdir(p->git) : p->root, err);
	p->journalfd = fs_open_dir(p->git ? git_repository_path(p->git) : p->root, err);
	p->journal = p->git ? "pdmigrate-journal" : ".pdmigrate-journal";
	return p->basefd < 0 || p->journalfd < 0 ? -1 : 0;
}

int place_open(struct place **out, const char *path, bool lock, struct err *err)
{
	struct place *p = xcalloc(1, sizeof(*p));
	int ret;

	p->rootfd = p->basefd = p->journalfd = -1;
	library_start();
	ret = root_find(p, path, err);
	if (!ret) {
		repository_open(p);
		if (!p->prefix)
			p->prefix = "";
		ret = journal_find(p, err);
	}
	/* Not every file system has locks; only somebody who holds one is in the way. */
	if (!ret && lock && flock(p->journalfd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		ret = err_set(err, "another process writes '%s'", path);
	*out = p;
	if (ret) {
		place_close(p);
		*out = NULL;
	}
	return ret;
}

void place_close(struct place *p)
{
	int fds[3], i;

	if (!p)
		return;
	fds[0] = p->rootfd;
	fds[1] = p->basefd;
	fds[2] = p->journalfd;
	for (i = 0; i < 3; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	git_repository_free(p->git);
	git_libgit2_shutdown();
	arena_free(&p->arena);
	free(p);
}

bool place_interrupted(const struct place *p)
{
	struct stat st;

	return !fstatat(p->journalfd, p->journal, &st, AT_SYMLINK_NOFOLLOW);
}
