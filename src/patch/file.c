/*
 * file.c - calls on single files beneath a folder descriptor.
 *
 * Names have no slash: the caller opened their folder beneath the root, so nothing here can leave
 * it. Nothing takes memory: these calls run while the tree is half written.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fault.h"
#include "base/fs.h"
#include "patch/internal.h"

static int file_sync(int fd)
{
	return fault_hit(FAULT_FSYNC) ? -1 : fsync(fd);
}

/* Owner before mode: a change of owner clears bits of the mode. */
static int file_dress(int fd, const struct journal_file *like)
{
	struct stat st;

	if (!like || like->create)
		return 0;
	if (fstat(fd, &st))
		return -1;
	if ((st.st_uid != like->uid || st.st_gid != like->gid) && fchown(fd, like->uid, like->gid))
		return -1;
	return fchmod(fd, like->mode);
}

int file_make(int dirfd, const char *name, const char *data, size_t len,
	      const struct journal_file *like, struct err *err)
{
	unsigned mode = !like || !like->create ? 0600 : like->mode & 0111 ? 0777 : 0666;
	int fd, ret;

	fd = fault_hit(FAULT_OPEN)
		     ? -1
		     : openat(dirfd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			      mode);
	if (fd < 0)
		return err_errno(err, "cannot make '%s'", name);
	ret = fs_write_all(fd, data, len) || file_dress(fd, like) || file_sync(fd);
	if (ret)
		err_errno(err, "cannot write '%s'", name);
	if (close(fd) && !ret)
		ret = err_errno(err, "cannot write '%s'", name);
	if (ret)
		unlinkat(dirfd, name, 0);
	return ret ? -1 : 0;
}

int file_sync_dir(int dirfd, struct err *err)
{
	/* Some file systems cannot sync folders, and have no need to. */
	if (file_sync(dirfd) && errno != EINVAL)
		return err_errno(err, "cannot sync a folder");
	return 0;
}

/* A hard link fails where the name is taken, on any file system. */
static int rename_fresh(int dirfd, const char *from, const char *to)
{
	if (!syscall(SYS_renameat2, dirfd, from, dirfd, to, RENAME_NOREPLACE))
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	return linkat(dirfd, from, dirfd, to, 0) ? -1 : unlinkat(dirfd, from, 0);
}

int file_rename(int dirfd, const char *from, const char *to, bool fresh, struct err *err)
{
	int ret;

	if (fault_hit(FAULT_RENAME))
		ret = -1;
	else
		ret = fresh ? rename_fresh(dirfd, from, to) : renameat(dirfd, from, dirfd, to);
	return ret ? err_errno(err, "cannot put '%s' in place", to) : 0;
}

static enum file_state compare_fd(int fd, const char *data, size_t len, struct err *err)
{
	char buf[16384];
	ssize_t n;

	for (;;) {
		n = fault_hit(FAULT_READ) ? -1 : read(fd, buf, sizeof(buf));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			err_errno(err, "cannot read");
			return FILE_FAILED;
		}
		if (!n)
			return len ? FILE_OTHER : FILE_SAME;
		if ((size_t)n > len || memcmp(buf, data, (size_t)n))
			return FILE_OTHER;
		data += n;
		len -= (size_t)n;
	}
}

enum file_state file_compare(int dirfd, const char *name, const char *data, size_t len,
			     struct err *err)
{
	enum file_state state;
	struct stat st;
	int fd;

	if (fault_hit(FAULT_OPEN))
		fd = -1;
	else
		fd = openat(dirfd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return FILE_ABSENT;
	if (fd < 0 && errno == ELOOP)
		return FILE_OTHER;
	if (fd < 0) {
		err_errno(err, "cannot open '%s'", name);
		return FILE_FAILED;
	}
	state = fstat(fd, &st) || !S_ISREG(st.st_mode) ? FILE_OTHER
						       : compare_fd(fd, data, len, err);
	close(fd);
	return state;
}
