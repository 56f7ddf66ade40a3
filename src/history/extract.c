/*
 * extract.c - the tree of a revision as files.
 *
 * In: objects. Out: a folder of mode 0700 below TMPDIR that only we know. Names come from a hostile
 * repository: each is made beneath the descriptor of its own folder, with O_EXCL and without following
 * links, and what is no plain name is left out. Every reader of the analysis opens files beneath
 * a folder; that is why the objects become files for a while.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fault.h"
#include "base/path.h"
#include "history/internal.h"

#define DEPTH_MAX   200
#define ENTRIES_MAX 500000u
#define BYTES_MAX   (UINT64_C(4) << 30)
#define FILE_MAX    (16u << 20) /* what is bigger is not analysed */

struct extractor {
	struct history *h;
	struct extract *x;
	uint64_t bytes;
	struct err *err;
};

static struct made *made_add(struct extractor *e, const char *dir, const char *name, bool is_dir)
{
	struct made *m = VEC_PUSH(&e->h->arena, &e->x->made);

	m->path = path_join(&e->h->arena, dir, name);
	m->dir = is_dir;
	return m;
}

static bool name_is_plain(const char *name)
{
	return *name && strcmp(name, ".") && strcmp(name, "..") && !strchr(name, '/') &&
	       strcasecmp(name, ".git") && strlen(name) <= NAME_MAX;
}

static int blob_write(struct extractor *e, int fd, const git_tree_entry *entry)
{
	git_blob *blob = NULL;
	uint64_t size;
	int ret;

	if (git_blob_lookup(&blob, e->h->git, git_tree_entry_id(entry)))
		return err_set(e->err, "an object of the revision cannot be read");
	size = (uint64_t)git_blob_rawsize(blob);
	if (size > FILE_MAX) {
		ret = ftruncate(fd, (off_t)size);
	} else {
		e->bytes += size;
		ret = fs_write_all(fd, git_blob_rawcontent(blob), (size_t)size);
	}
	git_blob_free(blob);
	return ret ? err_errno(e->err, "cannot write a temporary file") : 0;
}

static int file_make(struct extractor *e, int dirfd, const char *dir, const git_tree_entry *entry)
{
	const char *name = git_tree_entry_name(entry);
	int fd = fault_hit(FAULT_OPEN) ? -1
				       : openat(dirfd, name,
						O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
						0600);
	int ret;

	if (fd < 0)
		return err_errno(e->err, "cannot make a temporary file");
	made_add(e, dir, name, false);
	ret = blob_write(e, fd, entry);
	if (close(fd) && !ret)
		ret = err_errno(e->err, "cannot write a temporary file");
	return ret;
}

/* A new folder, open; -1: err is set. */
static int folder_make(struct extractor *e, int dirfd, const char *dir, const char *name)
{
	int fd;

	if (mkdirat(dirfd, name, 0700))
		return err_errno(e->err, "cannot make a temporary folder");
	made_add(e, dir, name, true);
	fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? err_errno(e->err, "cannot open a temporary folder") : fd;
}

static int tree_make(struct extractor *e, const git_tree *tree, int dirfd, const char *dir,
		     int depth);

static int subtree_make(struct extractor *e, int dirfd, const char *dir,
			const git_tree_entry *entry, int depth)
{
	const char *name = git_tree_entry_name(entry);
	git_tree *sub = NULL;
	int fd, ret;

	if (depth > DEPTH_MAX)
		return err_set(e->err, "the revision has folders nested too deep");
	fd = folder_make(e, dirfd, dir, name);
	if (fd < 0)
		return -1;
	if (git_tree_lookup(&sub, e->h->git, git_tree_entry_id(entry)))
		ret = err_set(e->err, "an object of the revision cannot be read");
	else
		ret = tree_make(e, sub, fd, path_join(&e->h->arena, dir, name), depth);
	git_tree_free(sub);
	close(fd);
	return ret;
}

static int entry_make(struct extractor *e, int dirfd, const char *dir, const git_tree_entry *entry,
		      int depth)
{
	const char *name = git_tree_entry_name(entry);

	/* All of it is tracked: rules that would leave a part out do not hold. */
	if (!name_is_plain(name) || !strcmp(name, ".gitignore"))
		return 0;
	if (strlen(dir) + NAME_MAX + 2 > PATH_MAX)
		return 0;
	if (e->x->made.nr >= ENTRIES_MAX || e->bytes > BYTES_MAX)
		return err_set(e->err, "the revision is too big");
	switch (git_tree_entry_filemode(entry)) {
	case GIT_FILEMODE_TREE:
		return subtree_make(e, dirfd, dir, entry, depth + 1);
	case GIT_FILEMODE_BLOB:
	case GIT_FILEMODE_BLOB_EXECUTABLE:
		return file_make(e, dirfd, dir, entry);
	default:
		return 0;
	}
}

static int tree_make(struct extractor *e, const git_tree *tree, int dirfd, const char *dir,
		     int depth)
{
	size_t nr = git_tree_entrycount(tree), i;

	for (i = 0; i < nr; i++)
		if (entry_make(e, dirfd, dir, git_tree_entry_byindex(tree, i), depth))
			return -1;
	return 0;
}

static int temp_open(struct history *h, struct extract *x, struct err *err)
{
	const char *tmp = getenv("TMPDIR");
	char *dir = arena_fmt(&h->arena, "%s/pdmigrate-XXXXXX", tmp && *tmp ? tmp : P_tmpdir);

	if (!mkdtemp(dir))
		return err_errno(err, "cannot make a temporary folder in '%s'",
				 tmp && *tmp ? tmp : P_tmpdir);
	x->dir = dir;
	x->fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return x->fd < 0 ? err_errno(err, "cannot open a temporary folder") : 0;
}

void extract_remove(struct extract *x)
{
	size_t i;

	for (i = x->made.nr; i-- > 0 && x->fd >= 0;)
		unlinkat(x->fd, x->made.v[i].path, x->made.v[i].dir ? AT_REMOVEDIR : 0);
	if (x->fd >= 0)
		close(x->fd);
	if (x->dir)
		rmdir(x->dir);
}

int history_extract(struct history *h, const char *rev, const char **path, struct err *err)
{
	struct extractor e = {.h = h, .err = err};
	struct stat st;
	git_tree *tree = NULL;
	int fd, ret;

	*path = NULL;
	if (history_tree(h, rev, &tree, err))
		return -1;
	e.x = VEC_PUSH(&h->arena, &h->extracts);
	e.x->fd = -1;
	ret = temp_open(h, e.x, err);
	fd = ret ? -1 : folder_make(&e, e.x->fd, "", h->name);
	if (fd >= 0) {
		ret = tree_make(&e, tree, fd, h->name, 0);
		close(fd);
	} else {
		ret = -1;
	}
	git_tree_free(tree);
	if (ret)
		return err_context(err, "revision '%s'", rev);
	*path = arena_fmt(&h->arena, "%s/%s%s%s", e.x->dir, h->name, *h->prefix ? "/" : "", h->prefix);
	if (h->file)
		*path = path_join(&h->arena, *path, h->file);
	if (lstat(*path, &st))
		*path = NULL;
	return 0;
}
