/* fs.c - see fs.h. */
#include "base/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fault.h"

/* Part by part, for kernels without openat2. `..` cannot occur: the caller checked the text. */
static int fs_open_parts(int dirfd, const char *path, int flags)
{
	int fd = dup(dirfd), next;
	char part[256];

	while (fd >= 0 && *path) {
		size_t n = strcspn(path, "/");

		if (n >= sizeof(part) || !n) {
			close(fd);
			errno = n ? ENAMETOOLONG : ENOENT;
			return -1;
		}
		memcpy(part, path, n);
		part[n] = 0;
		path += n;
		while (*path == '/')
			path++;
		next = openat(fd, part,
			      (*path ? O_RDONLY | O_DIRECTORY : flags) | O_NOFOLLOW | O_CLOEXEC);
		close(fd);
		fd = next;
	}
	return fd;
}

static bool fs_escapes(const char *path)
{
	if (*path == '/')
		return true;
	for (; *path; path += path[strcspn(path, "/")] ? strcspn(path, "/") + 1 : strlen(path))
		if (!strncmp(path, "..", 2) && (!path[2] || path[2] == '/'))
			return true;
	return false;
}

static int fs_openat(int dirfd, const char *path, int flags)
{
	struct open_how how = {
		.flags = (unsigned)(flags | O_CLOEXEC),
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
	};
	long fd;

	if (fs_escapes(path)) {
		errno = EXDEV;
		return -1;
	}
	fd = syscall(SYS_openat2, dirfd, path, &how, sizeof(how));
	if (fd < 0 && (errno == ENOSYS || errno == EPERM))
		return fs_open_parts(dirfd, path, flags);
	return (int)fd;
}

int fs_open_dir(const char *path, struct err *err)
{
	int fd = fault_hit(FAULT_OPEN) ? -1 : open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? err_errno(err, "cannot open folder '%s'", path) : fd;
}

int fs_open_subdir(int dirfd, const char *path, struct err *err)
{
	int fd;

	if (fault_path(path) || fault_hit(FAULT_OPEN))
		return err_errno(err, "cannot open folder");
	fd = *path ? fs_openat(dirfd, path, O_RDONLY | O_DIRECTORY)
		   : openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? err_errno(err, "cannot open folder") : fd;
}

static int fs_check_file(int fd, off_t *size, struct err *err)
{
	struct stat st;

	if (fstat(fd, &st))
		err_errno(err, "cannot read");
	else if (!S_ISREG(st.st_mode))
		err_set(err, "not a regular file");
	else {
		*size = st.st_size;
		return fd;
	}
	close(fd);
	return -1;
}

int fs_open_file(int dirfd, const char *path, off_t *size, struct err *err)
{
	int fd;

	if (fault_path(path) || fault_hit(FAULT_OPEN))
		return err_errno(err, "cannot open");
	/* O_NONBLOCK: a FIFO put in place of the file after the walk must not hang us. */
	fd = fs_openat(dirfd, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return err_errno(err, "cannot open");
	return fs_check_file(fd, size, err);
}

static int fs_read_fd(int fd, off_t size, size_t max, struct fs_text *out, struct err *err)
{
	size_t want = (size_t)size, got = 0;

	memset(out, 0, sizeof(*out));
	if (want > max)
		return err_set(err, "too big (%zu bytes, limit %zu)", want, max);
	out->data = xmalloc(want + 1);
	while (got < want) {
		ssize_t n = fault_hit(FAULT_READ) ? -1 : read(fd, out->data + got, want - got);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			err_errno(err, "cannot read");
			fs_text_free(out);
			return -1;
		}
		if (!n)
			break;
		got += (size_t)n;
	}
	out->data[got] = 0;
	out->len = got;
	return 0;
}

int fs_read(int dirfd, const char *path, size_t max, struct fs_text *out, struct err *err)
{
	off_t size = 0;
	int fd = fs_open_file(dirfd, path, &size, err), ret;

	memset(out, 0, sizeof(*out));
	if (fd < 0)
		return -1;
	ret = fs_read_fd(fd, size, max, out, err);
	close(fd);
	return ret;
}

int fs_read_path(const char *path, size_t max, struct fs_text *out, struct err *err)
{
	off_t size = 0;
	int fd, ret;

	memset(out, 0, sizeof(*out));
	fd = fault_path(path) || fault_hit(FAULT_OPEN)
		     ? -1
		     : open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return err_errno(err, "%s: cannot open", path);
	if (fs_check_file(fd, &size, err) < 0)
		return err_context(err, "%s", path);
	ret = fs_read_fd(fd, size, max, out, err);
	close(fd);
	return ret ? err_context(err, "%s", path) : 0;
}

void fs_text_free(struct fs_text *text)
{
	free(text->data);
	text->data = NULL;
	text->len = 0;
}

int fs_write_all(int fd, const void *data, size_t len)
{
	const char *p = data;

	while (len) {
		ssize_t n = fault_hit(FAULT_WRITE) ? -1 : write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}
