/* output.c - see output.h. */
#include "cmd/output.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fault.h"
#include "base/fs.h"

static bool is_device(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode);
}

/* *made: the file is there, and was not before where the flags say so. */
static int file_fill(const char *path, const char *name, int flags, const struct strbuf *text,
		     bool *made, struct err *err)
{
	int fd = fault_hit(FAULT_OPEN) ? -1 : open(path, flags | O_WRONLY | O_CLOEXEC, 0666);
	int ret;

	*made = fd >= 0;
	if (fd < 0)
		return err_errno(err, "cannot write '%s'", name);
	ret = fs_write_all(fd, text->buf, text->len);
	if (ret)
		err_errno(err, "cannot write '%s'", name);
	if (close(fd) && !ret)
		ret = err_errno(err, "cannot write '%s'", name);
	return ret;
}

static int temps_write(struct output *v, size_t nr, struct arena *a, struct err *err)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		const char *temp = arena_fmt(a, "%s.%ld-%zu", v[i].path, (long)getpid(), i);
		bool made;
		int ret;

		if (is_device(v[i].path))
			continue;
		ret = file_fill(temp, v[i].path, O_CREAT | O_EXCL, &v[i].text, &made, err);
		v[i].temp = made ? temp : NULL;
		if (ret)
			return -1;
	}
	return 0;
}

int outputs_write(struct output *v, size_t nr, struct arena *a, struct err *err)
{
	int ret = temps_write(v, nr, a, err);
	bool made;
	size_t i;

	for (i = 0; i < nr && !ret; i++)
		if (!v[i].temp)
			ret = file_fill(v[i].path, v[i].path, 0, &v[i].text, &made, err);
	for (i = 0; i < nr && !ret; i++) {
		if (!v[i].temp)
			continue;
		if (fault_hit(FAULT_RENAME) || rename(v[i].temp, v[i].path))
			ret = err_errno(err, "cannot write '%s'", v[i].path);
		else
			v[i].temp = NULL;
	}
	for (i = 0; i < nr; i++)
		if (v[i].temp)
			unlink(v[i].temp);
	return ret;
}
