/*
 * walk.c - the files of a tree.
 *
 * In: a path. Out: struct repo with its sources in order of path bytes: language, size, roles,
 * module names. Nothing but folders and the first bytes of extension-less files is opened. Symbolic
 * links are not followed, FIFOs, sockets and devices not opened; what was left out although it
 * could have mattered is a notice. Everything is opened beneath the root's descriptor (base/fs.h).
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/glob.h"
#include "base/path.h"
#include "repo/internal.h"

#define DEPTH_MAX  200
#define FILES_MAX  500000u
#define SCRIPT_MAX (64 << 10) /* extension-less files above this are no scripts */

struct walk {
	struct repo *repo;
	struct arena *arena;
	const struct vocab *vocab;
	struct notices *notices;
	struct strings submodules;
	struct tracked *tracked;
	VEC(struct source *) files;
	const char *link; /* first link not followed */
	size_t nr_links;
	bool full; /* FILES_MAX was reached */
};

/* A folder being listed. */
struct folder {
	const char *path;
	unsigned roles; /* handed down to all files below */
	int depth;
	const struct ignore_level *ignore;
	bool left_out; /* ignored, but something below is tracked: only that counts */
};

struct entry {
	const char *name;
	mode_t mode;
	off_t size;
};

struct entries {
	struct entry *v;
	size_t nr, alloc;
};

static int entry_cmp(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

static int source_cmp(const void *a, const void *b)
{
	return strcmp((*(struct source *const *)a)->path, (*(struct source *const *)b)->path);
}

/* Folders that hold nothing written by a person. */
static bool dir_is_skipped(const char *name)
{
	static const char *const names[] = {
		".git", ".hg", ".svn", "__pycache__", ".eggs", ".tox", ".nox", NULL,
	};

	return list_has(names, name) || str_ends(name, ".egg-info");
}

/* The folder's entries in order of name bytes; -1: unreadable, a notice was added. */
static int folder_read(struct walk *w, const char *path, struct entries *out)
{
	struct err err = {0};
	int fd = fs_open_subdir(w->repo->dirfd, path, &err);
	struct dirent *d;
	DIR *dir;

	if (fd < 0) {
		notice_add(w->notices, w->arena, *path ? path : NULL, "walk", "%s", err.msg);
		return -1;
	}
	dir = fdopendir(fd);
	if (!dir) {
		notice_add(w->notices, w->arena, *path ? path : NULL, "walk",
			   "cannot list folder: %s", strerror(errno));
		close(fd);
		return -1;
	}
	while (!w->full && (d = readdir(dir))) {
		struct stat st;

		if (!strcmp(d->d_name, ".") || !strcmp(d->d_name, "..") ||
		    fstatat(fd, d->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		*VEC_PUSH(w->arena, out) =
			(struct entry){arena_strdup(w->arena, d->d_name), st.st_mode, st.st_size};
		w->full = w->files.nr + out->nr > FILES_MAX;
	}
	closedir(dir);
	if (out->nr)
		qsort(out->v, out->nr, sizeof(*out->v), entry_cmp);
	return 0;
}

static const struct entry *entry_find(const struct entries *entries, const char *name)
{
	struct entry key = {.name = name};

	if (!entries->nr)
		return NULL;
	return bsearch(&key, entries->v, entries->nr, sizeof(key), entry_cmp);
}

/* True when the link's target is a file or folder of the tree itself, which is read under its own name. */
static bool link_stays_inside(struct walk *w, const char *path, const char *target)
{
	char *dir = arena_strndup(w->arena, path, path_dirlen(path));
	char *inside = path_resolve(w->arena, dir, target);
	off_t size;
	int fd;

	if (!inside)
		return false;
	fd = fs_open_subdir(w->repo->dirfd, inside, NULL);
	if (fd < 0)
		fd = fs_open_file(w->repo->dirfd, inside, &size, NULL);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/*
 * A link matters when it leads out of the tree to what would have been analysed, or to what may be a
 * folder. The target is judged by its text alone: asking the file system would follow the link.
 */
static void link_note(struct walk *w, const char *path)
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(w->repo->dirfd, path, target, sizeof(target) - 1);

	if (n < 0)
		return;
	target[n] = 0;
	if (link_stays_inside(w, path, target))
		return;
	if (lang_of(path) == LANG_OTHER && lang_of(target) == LANG_OTHER && *path_ext(target))
		return;
	if (!w->nr_links++)
		w->link = path;
}

static bool script_is_python(const struct walk *w, const char *path, off_t size)
{
	const char *ext = path_ext(path);
	char head[128];
	ssize_t n;
	int fd;

	if ((*ext && strcmp(ext, ".in")) || size < 3 || size > SCRIPT_MAX)
		return false;
	fd = fs_open_file(w->repo->dirfd, path, &size, NULL);
	if (fd < 0)
		return false;
	n = read(fd, head, sizeof(head));
	close(fd);
	return n > 0 && shebang_is_python(head, (size_t)n);
}

static void file_add(struct walk *w, const char *path, off_t size, unsigned roles)
{
	struct source *s = ARENA_NEW(w->arena, struct source);

	s->path = path;
	s->lang = lang_of(path);
	s->roles = roles;
	s->size = size > (off_t)UINT32_MAX ? UINT32_MAX : (uint32_t)size;
	s->reach = REACH_NONE;
	s->rank = -1;
	if (!source_is_foreign(s)) {
		if (s->lang == LANG_OTHER && script_is_python(w, path, size)) {
			s->lang = LANG_PYTHON;
			s->roles |= ROLE_SCRIPT;
		}
		if (s->lang != LANG_OTHER && size > (off_t)REPO_FILE_MAX)
			notice_add(w->notices, w->arena, path, "walk",
				   "too big (%lld bytes, limit %u)", (long long)size,
				   REPO_FILE_MAX);
	}
	*VEC_PUSH(w->arena, &w->files) = s;
}

/* Roles that all files of the folder get, on top of what its parent hands down. */
static unsigned folder_roles(const struct walk *w, const struct folder *f,
			     const struct entries *entries)
{
	const char *base = path_base(f->path);
	unsigned roles = f->roles;
	size_t i;

	if (!f->depth)
		return roles;
	if (strings_has(&w->submodules, f->path) || entry_find(entries, ".git"))
		roles |= ROLE_SUBMODULE;
	if (strcmp(base, w->repo->name))
		for (i = 0; w->vocab->vendored && w->vocab->vendored[i]; i++)
			if (glob_match(w->vocab->vendored[i], base))
				roles |= ROLE_VENDORED;
	return roles;
}

static void folder_walk(struct walk *w, const struct folder *f);

static void subfolder_walk(struct walk *w, const struct folder *f, const char *path, bool left_out)
{
	struct folder sub = {path, f->roles, f->depth + 1, f->ignore, left_out};

	if (sub.depth > DEPTH_MAX || strlen(path) >= PATH_MAX - NAME_MAX - 2) {
		notice_add(w->notices, w->arena, path, "walk",
			   "folder nested too deep: not listed");
		return;
	}
	folder_walk(w, &sub);
}

static void entry_walk(struct walk *w, const struct folder *f, const struct entry *e)
{
	bool is_dir = S_ISDIR(e->mode), left_out;
	const char *path;

	if (is_dir && dir_is_skipped(e->name))
		return;
	path = path_join(w->arena, f->path, e->name);
	left_out = f->left_out || ignore_hit(f->ignore, path, is_dir);
	if (left_out && !tracked_has(w->tracked, path, is_dir))
		return;
	if (is_dir)
		subfolder_walk(w, f, path, left_out);
	else if (S_ISLNK(e->mode))
		link_note(w, path);
	else if (!S_ISREG(e->mode))
		notice_add(w->notices, w->arena, path, "walk", "not a regular file");
	else
		file_add(w, path, e->size, f->roles);
}

static void folder_walk(struct walk *w, const struct folder *f)
{
	struct entries entries = {0};
	struct ignore_level level;
	struct folder here = *f;
	bool has_rules;
	size_t i;

	if (folder_read(w, f->path, &entries))
		return;
	if (f->depth && entry_find(&entries, "pyvenv.cfg")) {
		notice_add(w->notices, w->arena, f->path, "ignore",
			   "virtual environment: not listed");
		return;
	}
	here.roles = folder_roles(w, f, &entries);
	has_rules = entry_find(&entries, ".gitignore") &&
		    ignore_enter(&level, f->ignore, w->repo->dirfd, f->path, w->arena, w->notices);
	if (has_rules)
		here.ignore = &level;
	for (i = 0; i < entries.nr && !w->full; i++)
		entry_walk(w, &here, &entries.v[i]);
}

/* True when the folder or one above it, on the same file system, is a work tree. */
static bool git_above(int dirfd)
{
	struct stat st, top, git;
	int fd = dup(dirfd), i, up;
	bool found = false;

	for (i = 0; fd >= 0 && i < 64 && !found && !fstat(fd, &st); i++) {
		found = !fstatat(fd, ".git", &git, AT_SYMLINK_NOFOLLOW) &&
			(S_ISDIR(git.st_mode) || S_ISREG(git.st_mode));
		up = openat(fd, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		close(fd);
		fd = up;
		if (fd >= 0 &&
		    (fstat(fd, &top) || top.st_dev != st.st_dev || top.st_ino == st.st_ino))
			break;
	}
	if (fd >= 0)
		close(fd);
	return found;
}

/* Dotted name of the root folder when it lies inside a package ("pkg.sub"), "" when not. */
static const char *prefix_above(struct arena *a, int dirfd, const char *real)
{
	int fd = dup(dirfd), i, up;
	const char *prefix = "";
	struct stat st;
	size_t n = strlen(real);

	for (i = 0; fd >= 0 && i < 32; i++) {
		size_t start = n;

		while (start && real[start - 1] != '/')
			start--;
		if (start == n || fstatat(fd, "__init__.py", &st, AT_SYMLINK_NOFOLLOW) ||
		    !S_ISREG(st.st_mode))
			break;
		prefix = arena_fmt(a, "%.*s%s%s", (int)(n - start), real + start,
				   *prefix ? "." : "", prefix);
		n = start > 1 ? start - 1 : 0;
		up = openat(fd, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		close(fd);
		fd = up;
	}
	if (fd >= 0)
		close(fd);
	return prefix;
}

/*
 * Split what the user gave into the root folder and, when it is a file, that file's name. A link to
 * a file is the file it leads to: the user typed it.
 */
static int root_split(struct arena *a, const char *path, const char **root, const char **file,
		      struct err *err)
{
	char real[PATH_MAX];
	struct stat st;
	size_t n;

	*root = path;
	*file = NULL;
	if (stat(path, &st) || S_ISDIR(st.st_mode))
		return 0;
	if (!S_ISREG(st.st_mode))
		return err_set(err, "cannot open '%s': neither a folder nor a regular file", path);
	if (!lstat(path, &st) && S_ISLNK(st.st_mode)) {
		if (!realpath(path, real))
			return err_errno(err, "cannot open '%s'", path);
		path = arena_strdup(a, real);
	}
	n = path_dirlen(path);
	*file = path_base(path);
	*root = n ? arena_strndup(a, path, n) : *path == '/' ? "/" : ".";
	return 0;
}

static void file_only(struct walk *w, const char *name)
{
	struct stat st;

	if (!fstatat(w->repo->dirfd, name, &st, AT_SYMLINK_NOFOLLOW) && S_ISREG(st.st_mode))
		file_add(w, arena_strdup(w->arena, name), st.st_size, 0);
	else
		notice_add(w->notices, w->arena, name, "walk", "not a regular file");
}

static void walk_notices(struct walk *w)
{
	if (w->nr_links)
		notice_add(w->notices, w->arena, w->link, "walk",
			   w->nr_links == 1 ? "%zu symbolic link not followed"
					    : "%zu symbolic links not followed, this one first",
			   w->nr_links);
	if (w->full)
		notice_add(w->notices, w->arena, NULL, "walk",
			   "more than %u files: the rest is not listed", FILES_MAX);
}

int repo_walk(struct repo **out, struct arena *a, const struct vocab *vocab, const char *path,
	      struct notices *notices, struct err *err)
{
	struct walk w = {.arena = a, .vocab = vocab, .notices = notices};
	struct repo *repo = ARENA_NEW(a, struct repo);
	const char *root, *file, *prefix;
	struct folder top = {.path = ""};
	char real[PATH_MAX];

	if (root_split(a, path, &root, &file, err))
		return -1;
	repo->dirfd = fs_open_dir(root, err);
	if (repo->dirfd < 0)
		return -1;
	if (!realpath(root, real))
		snprintf(real, sizeof(real), "%s", root);
	repo->root = arena_strdup(a, root);
	repo->name = arena_strdup(a, path_base(real));
	repo->has_git = git_above(repo->dirfd);
	w.repo = repo;
	if (file) {
		file_only(&w, file);
	} else {
		submodules_read(&w.submodules, repo->dirfd, a);
		w.tracked = tracked_open(repo->dirfd, a, notices);
		folder_walk(&w, &top);
		tracked_close(w.tracked);
	}
	walk_notices(&w);
	repo->files = w.files.v;
	repo->nr_files = w.files.nr;
	if (repo->nr_files)
		qsort(repo->files, repo->nr_files, sizeof(*repo->files), source_cmp);
	repo->root_is_folder = root_is_folder(repo);
	repo->prefix = prefix = repo->root_is_folder ? "" : prefix_above(a, repo->dirfd, real);
	modules_name(repo, a, prefix);
	roles_from_paths(repo);
	packages_find(repo, a, prefix);
	*out = repo;
	return 0;
}

void repo_close(struct repo *repo)
{
	if (repo && repo->dirfd >= 0)
		close(repo->dirfd);
	if (repo)
		repo->dirfd = -1;
}
