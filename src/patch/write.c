/*
 * write.c - the protocol of writing, undoing and recovering.
 *
 *	1. the journal: old and new bytes of every file, names of all that will be made; synced
 *	2. folders that are not there, new bytes as siblings of the files; synced
 *	3. every file is looked at once more: none may have changed since it was read
 *	4. the siblings are renamed into place, their folders synced
 *	5. the journal is removed: from here on the tree is new
 *
 * Until 5 any failure or signal goes back to the old tree, and after a kill the journal says how.
 * To go back looks at the disk, not at what was done, so it is the same for both. From 1 to 5
 * nothing takes memory, for want of which the process would end.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fault.h"
#include "base/fs.h"
#include "base/path.h"
#include "patch/internal.h"

#define JOURNAL_MAX ((size_t)2 << 30)
#define UNDO_NAMES  100

enum side { SIDE_OLD, SIDE_NEW, SIDE_OTHER, SIDE_FAILED };

/* ---- one file of a journal ------------------------------------------------------------------- */

/* Open the folder that `path` lies in; *name: its last part. */
static int folder_open(int rootfd, const char *path, const char **name, struct err *err)
{
	char dir[PATH_MAX];
	size_t n = path_dirlen(path);

	*name = path_base(path);
	if (n >= sizeof(dir))
		return err_set(err, "the path is too long");
	memcpy(dir, path, n);
	dir[n] = 0;
	return fs_open_subdir(rootfd, dir, err);
}

static enum side side_at(int dirfd, const char *name, const struct journal_file *f, struct err *err)
{
	enum file_state state = FILE_ABSENT;

	if (!f->create)
		state = file_compare(dirfd, name, f->old, f->old_len, err);
	if (state == FILE_SAME)
		return SIDE_OLD;
	if (state != FILE_FAILED)
		state = file_compare(dirfd, name, f->new, f->new_len, err);
	if (state == FILE_FAILED)
		return SIDE_FAILED;
	if (state == FILE_SAME)
		return SIDE_NEW;
	return f->create && state == FILE_ABSENT ? SIDE_OLD : SIDE_OTHER;
}

/* Was the folder of a file that is to be created not made yet? */
static bool folder_absent(int rootfd, const struct journal_file *f)
{
	char dir[PATH_MAX];
	size_t n = path_dirlen(f->path);
	struct stat st;

	if (!f->create || !n || n >= sizeof(dir))
		return false;
	memcpy(dir, f->path, n);
	dir[n] = 0;
	return fstatat(rootfd, dir, &st, AT_SYMLINK_NOFOLLOW) && errno == ENOENT;
}

static enum side side_of(int rootfd, const struct journal_file *f, struct err *err)
{
	const char *name;
	enum side side;
	int dirfd;

	if (folder_absent(rootfd, f))
		return SIDE_OLD;
	dirfd = folder_open(rootfd, f->path, &name, err);
	if (dirfd < 0)
		return SIDE_FAILED;
	side = side_at(dirfd, name, f, err);
	close(dirfd);
	return side;
}

static bool same_folder(const char *a, const char *b)
{
	size_t n = path_dirlen(a);

	return n == path_dirlen(b) && !memcmp(a, b, n);
}

/* Sync the folder of each file, once for those that follow each other in one. */
static int folders_sync(int rootfd, const struct journal *j, struct err *err)
{
	const char *name;
	size_t i;
	int dirfd, ret;

	for (i = 0; i < j->nr_files; i++) {
		if (i && same_folder(j->files[i - 1].path, j->files[i].path))
			continue;
		dirfd = folder_open(rootfd, j->files[i].path, &name, err);
		if (dirfd < 0)
			return err_context(err, "%s", j->files[i].path);
		ret = file_sync_dir(dirfd, err);
		close(dirfd);
		if (ret)
			return err_context(err, "%s", j->files[i].path);
	}
	return 0;
}

/* ---- back ------------------------------------------------------------------------------------ */

static int file_back(int dirfd, const char *name, const struct journal_file *f, struct err *err)
{
	enum side side = side_at(dirfd, name, f, err);

	if (side == SIDE_FAILED)
		return -1;
	unlinkat(dirfd, f->sibling, 0);
	if (side != SIDE_NEW)
		return 0;
	if (f->create)
		return unlinkat(dirfd, name, 0) ? err_errno(err, "cannot remove") : 0;
	if (file_make(dirfd, f->sibling, f->old, f->old_len, f, err))
		return -1;
	if (file_rename(dirfd, f->sibling, name, false, err)) {
		unlinkat(dirfd, f->sibling, 0);
		return -1;
	}
	return 0;
}

static int file_go_back(int rootfd, const struct journal_file *f, struct err *err)
{
	const char *name;
	int dirfd, ret;

	if (folder_absent(rootfd, f))
		return 0;
	dirfd = folder_open(rootfd, f->path, &name, err);
	if (dirfd < 0)
		return err_context(err, "%s", f->path);
	ret = file_back(dirfd, name, f, err);
	close(dirfd);
	return ret ? err_context(err, "%s", f->path) : 0;
}

static void undo_remove(const char *path)
{
	if (*path)
		unlink(path);
}

/* The folder of the file may be gone by now, or hold what somebody else put there. */
static void dirs_remove(int rootfd, const struct journal *j)
{
	const char *name;
	size_t i = j->dirs.nr;
	int dirfd;

	while (i--) {
		dirfd = folder_open(rootfd, j->dirs.v[i], &name, NULL);
		if (dirfd < 0)
			continue;
		unlinkat(dirfd, name, AT_REMOVEDIR);
		close(dirfd);
	}
}

/* Should the removal not reach the disk, the journal that comes back finds nothing to do. */
static int journal_remove(struct place *p, struct err *err)
{
	if (unlinkat(p->journalfd, p->journal, 0) && errno != ENOENT)
		return err_errno(err, "cannot remove the journal");
	(void)file_sync_dir(p->journalfd, NULL);
	return 0;
}

/* Every file as it was; the journal stays when that cannot be. */
static int go_back(struct place *p, int rootfd, const struct journal *j, struct err *err)
{
	size_t i;
	int ret = 0;

	for (i = j->nr_files; i--;)
		if (file_go_back(rootfd, &j->files[i], ret ? NULL : err))
			ret = -1;
	if (ret)
		return -1;
	/* Should that not reach the disk, the journal that comes back leads here again. */
	(void)folders_sync(rootfd, j, NULL);
	dirs_remove(rootfd, j);
	undo_remove(j->undo);
	return journal_remove(p, err);
}

/* ---- forth ----------------------------------------------------------------------------------- */

static int journal_store(struct place *p, const char *temp, const struct strbuf *bytes,
			 struct err *err)
{
	unlinkat(p->journalfd, temp, 0);
	if (file_make(p->journalfd, temp, bytes->buf, bytes->len, NULL, err))
		return err_context(err, "journal");
	if (file_rename(p->journalfd, temp, p->journal, true, err)) {
		unlinkat(p->journalfd, temp, 0);
		return err_context(err, "journal");
	}
	return file_sync_dir(p->journalfd, err);
}

static int undo_store(const char *path, const struct strbuf *diff, struct err *err)
{
	char dir[PATH_MAX];
	size_t n = path_dirlen(path);
	int dirfd, ret;

	if (!*path)
		return 0;
	if (n >= sizeof(dir) - 1)
		return err_set(err, "the path is too long");
	memcpy(dir, n ? path : "/", n ? n : 1);
	dir[n ? n : 1] = 0;
	dirfd = fs_open_dir(dir, err);
	if (dirfd < 0)
		return -1;
	ret = file_make(dirfd, path_base(path), diff->buf, diff->len, NULL, err);
	if (!ret)
		ret = file_sync_dir(dirfd, err);
	close(dirfd);
	return ret ? err_context(err, "reverse diff") : 0;
}

static int dirs_make(int rootfd, const struct journal *j, struct err *err)
{
	const char *name;
	size_t i;
	int dirfd, ret;

	for (i = 0; i < j->dirs.nr; i++) {
		dirfd = folder_open(rootfd, j->dirs.v[i], &name, err);
		if (dirfd < 0)
			return err_context(err, "%s", j->dirs.v[i]);
		ret = mkdirat(dirfd, name, 0777) ? err_errno(err, "cannot make folder '%s'", name)
						 : file_sync_dir(dirfd, err);
		close(dirfd);
		if (ret)
			return -1;
	}
	return 0;
}

static int sibling_make(int rootfd, const struct journal_file *f, struct err *err)
{
	const char *name;
	int dirfd = folder_open(rootfd, f->path, &name, err), ret;

	if (dirfd < 0)
		return err_context(err, "%s", f->path);
	ret = file_make(dirfd, f->sibling, f->new, f->new_len, f, err);
	close(dirfd);
	return ret ? err_context(err, "%s", f->path) : 0;
}

static int file_unchanged(int rootfd, const struct journal_file *f, struct err *err)
{
	switch (side_of(rootfd, f, err)) {
	case SIDE_OLD:
		return 0;
	case SIDE_FAILED:
		return err_context(err, "%s", f->path);
	default:
		return err_set(err, "%s has changed since it was read", f->path);
	}
}

static int file_place(int rootfd, const struct journal_file *f, struct err *err)
{
	const char *name;
	int dirfd = folder_open(rootfd, f->path, &name, err), ret;

	if (dirfd < 0)
		return err_context(err, "%s", f->path);
	ret = file_rename(dirfd, f->sibling, name, f->create, err);
	close(dirfd);
	return ret ? err_context(err, "%s", f->path) : 0;
}

/* ---- signals --------------------------------------------------------------------------------- */

static const int ending[] = {SIGHUP,  SIGINT,  SIGQUIT,   SIGTERM, SIGALRM, SIGUSR1,
			     SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF, SIGIO};

/* Hold back what would end the process; what is ignored stays so. */
static void signals_hold(sigset_t *before)
{
	struct sigaction now;
	sigset_t set;
	size_t i;

	sigemptyset(&set);
	for (i = 0; i < sizeof(ending) / sizeof(*ending); i++)
		if (!sigaction(ending[i], NULL, &now) && now.sa_handler != SIG_IGN)
			sigaddset(&set, ending[i]);
	pthread_sigmask(SIG_BLOCK, &set, before);
}

static int signals_check(struct err *err)
{
	sigset_t now, held;
	size_t i;

	sigpending(&now);
	pthread_sigmask(SIG_BLOCK, NULL, &held);
	for (i = 0; i < sizeof(ending) / sizeof(*ending); i++)
		if (sigismember(&now, ending[i]) && sigismember(&held, ending[i]))
			return err_set(err, "interrupted by signal %d", ending[i]);
	return 0;
}

/* ---- the protocol ---------------------------------------------------------------------------- */

typedef int (*file_fn)(int rootfd, const struct journal_file *f, struct err *err);

static int files_each(int rootfd, const struct journal *j, file_fn fn, struct err *err)
{
	size_t i;

	for (i = 0; i < j->nr_files; i++)
		if (signals_check(err) || fn(rootfd, &j->files[i], err))
			return -1;
	return 0;
}

static int steps_run(struct place *p, const struct journal *j, const struct strbuf *undo,
		     struct err *err)
{
	if (undo_store(j->undo, undo, err) || dirs_make(p->rootfd, j, err) ||
	    files_each(p->rootfd, j, sibling_make, err) ||
	    files_each(p->rootfd, j, file_unchanged, err) ||
	    files_each(p->rootfd, j, file_place, err) || folders_sync(p->rootfd, j, err) ||
	    signals_check(err))
		return -1;
	return journal_remove(p, err);
}

static int protocol_run(struct place *p, const struct journal *j, const struct strbuf *bytes,
			const struct strbuf *undo, const char *temp, struct err *err)
{
	struct err back = {0};

	if (!journal_store(p, temp, bytes, err) && !steps_run(p, j, undo, err))
		return 0;
	if (!place_interrupted(p) || !go_back(p, p->rootfd, j, &back))
		return err_context(err, "nothing was written");
	return err_context(err, "stopped half-way, the next patch puts it right (%s)", back.msg);
}

/* ---- what will be written -------------------------------------------------------------------- */

static int file_prepare(struct place *p, struct journal_file *f, const struct patch_file *from,
			size_t nr, struct err *err)
{
	struct stat st;
	off_t size;
	int fd;

	f->path = from->path;
	f->sibling = arena_fmt(&p->arena, ".pdmigrate-%ld-%zu", (long)getpid(), nr);
	f->create = !from->source;
	f->mode = from->mode;
	f->old = from->old;
	f->old_len = from->old_len;
	f->new = from->new;
	f->new_len = from->new_len;
	if (f->create)
		return 0;
	fd = fs_open_file(p->rootfd, f->path, &size, err);
	if (fd < 0 || fstat(fd, &st)) {
		if (fd >= 0)
			close(fd);
		return err_context(err, "%s", f->path);
	}
	close(fd);
	if (st.st_nlink > 1)
		return err_set(err, "%s has other hard links", f->path);
	f->mode = st.st_mode & 07777;
	f->uid = st.st_uid;
	f->gid = st.st_gid;
	return 0;
}

/* Folders on the way to a created file that are not there. */
static void dirs_prepare(struct place *p, struct journal *j, const char *path)
{
	const char *slash, *dir;
	struct stat st;

	for (slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		dir = arena_strndup(&p->arena, path, (size_t)(slash - path));
		if (fstatat(p->rootfd, dir, &st, AT_SYMLINK_NOFOLLOW) && errno == ENOENT &&
		    !strings_has(&j->dirs, dir))
			strings_add(&j->dirs, &p->arena, dir);
	}
}

/* A free name beside the tree, in the folder that holds it. */
static int undo_name(struct place *p, const char **out, struct err *err)
{
	struct stat st;
	int i;

	if (!strcmp(p->root, "/"))
		return err_set(err, "there is no place for a reverse diff beside '/'");
	for (i = 1; i < UNDO_NAMES; i++) {
		*out = i > 1 ? arena_fmt(&p->arena, "%s.undo-%d.diff", p->root, i)
			     : arena_fmt(&p->arena, "%s.undo.diff", p->root);
		if (lstat(*out, &st) && errno == ENOENT)
			return 0;
	}
	return err_set(err, "all names for a reverse diff are taken ('%s')", *out);
}

static int journal_prepare(struct place *p, struct journal *j, const struct patch *patch, bool undo,
			   struct err *err)
{
	size_t i;

	j->prefix = p->prefix;
	j->undo = "";
	if (undo && undo_name(p, &j->undo, err))
		return -1;
	j->files = arena_array(&p->arena, patch->nr_files + 1, sizeof(*j->files));
	j->nr_files = patch->nr_files;
	for (i = 0; i < patch->nr_files; i++) {
		if (file_prepare(p, &j->files[i], &patch->files[i], i, err))
			return -1;
		if (j->files[i].create)
			dirs_prepare(p, j, j->files[i].path);
	}
	return files_each(p->rootfd, j, file_unchanged, err);
}

int patch_write(struct place *p, const struct patch *patch, bool force, const char **undo,
		struct err *err)
{
	struct strbuf bytes = STRBUF_INIT, diff = STRBUF_INIT;
	const char *problem = clean_problem(p, patch, &p->arena);
	const char *temp = arena_fmt(&p->arena, "%s.new", p->journal);
	struct journal j = {0};
	sigset_t before;
	int ret;

	*undo = NULL;
	if (problem && !force)
		return err_set(err, "not written: %s (--force writes all the same)", problem);
	if (journal_prepare(p, &j, patch, problem || !p->git, err))
		return -1;
	journal_encode(&bytes, &j);
	if (*j.undo)
		patch_diff(&diff, patch, true);
	signals_hold(&before);
	ret = protocol_run(p, &j, &bytes, &diff, temp, err);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	strbuf_release(&bytes);
	strbuf_release(&diff);
	if (!ret && *j.undo)
		*undo = j.undo;
	return ret;
}

/* ---- recovering ------------------------------------------------------------------------------ */

/* Is everything new? Where a file is neither old nor new, *other is its path. */
static int sides_look(int rootfd, const struct journal *j, bool *all_new, const char **other,
		      struct err *err)
{
	size_t i;

	*all_new = true;
	*other = NULL;
	for (i = 0; i < j->nr_files; i++) {
		enum side side = side_of(rootfd, &j->files[i], err);

		if (side == SIDE_FAILED)
			return err_context(err, "%s", j->files[i].path);
		if (side == SIDE_OTHER)
			*other = j->files[i].path;
		*all_new &= side == SIDE_NEW;
	}
	return 0;
}

static int recover_from(struct place *p, const struct journal *j, bool force, struct strbuf *said,
			struct err *err)
{
	int rootfd = fs_open_subdir(p->basefd, j->prefix, err), ret;
	const char *other;
	bool all_new;

	if (rootfd < 0)
		return -1;
	ret = sides_look(rootfd, j, &all_new, &other, err);
	if (!ret && other && !force)
		ret = err_set(err,
			      "an interrupted patch cannot be undone: %s has changed since "
			      "(--force leaves it as it is)",
			      other);
	if (!ret && all_new)
		ret = journal_remove(p, err);
	else if (!ret)
		ret = go_back(p, rootfd, j, err);
	if (!ret)
		strbuf_addf(said,
			    all_new ? "an interrupted patch had been written: %zu file%s"
				    : "an interrupted patch was undone: %zu file%s",
			    j->nr_files, j->nr_files == 1 ? "" : "s");
	close(rootfd);
	return ret;
}

int place_recover(struct place *p, bool force, struct strbuf *said, struct err *err)
{
	const char *temp = arena_fmt(&p->arena, "%s.new", p->journal);
	struct fs_text text;
	struct journal j;
	int ret;

	unlinkat(p->journalfd, temp, 0);
	if (!place_interrupted(p))
		return 0;
	if (fs_read(p->journalfd, p->journal, JOURNAL_MAX, &text, err))
		return err_context(err, "journal '%s'", p->journal);
	if (journal_decode(&j, text.data, text.len, &p->arena))
		ret = err_set(err, "journal '%s' is damaged; remove it when the tree is right",
			      p->journal);
	else
		ret = recover_from(p, &j, force, said, err);
	fs_text_free(&text);
	return ret;
}
