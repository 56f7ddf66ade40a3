/*
 * tracked.c - what git says about a tree: its index and its submodules.
 *
 * The index tells which files are tracked: those are listed whatever the ignore rules say, as git
 * does. libgit2 reads it through a descriptor that we opened, so that no link is followed.
 * Configuration is not read: neither the system's and the user's nor the tree's own.
 */
#include <fcntl.h>
#include <git2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/strbuf.h"
#include "repo/internal.h"

#define MODULES_MAX (1u << 20)
#define INDEX_MAX   (256u << 20)
#define INDEX_EMPTY 32 /* header and checksum */

struct tracked {
	git_index *index;
	int fd;
};

bool has_regular(int dirfd, const char *path)
{
	struct stat st;

	return !fstatat(dirfd, path, &st, AT_SYMLINK_NOFOLLOW) && S_ISREG(st.st_mode);
}

/* The library counts its users; each index here is one. */
static bool git_start(void)
{
	static const int scopes[] = {GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM,
				     GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL};
	size_t i;

	if (git_libgit2_init() < 0)
		return false;
	for (i = 0; i < sizeof(scopes) / sizeof(*scopes); i++)
		git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, scopes[i], "");
	return true;
}

struct tracked *tracked_open(int dirfd, struct arena *a, struct notices *notices)
{
	struct tracked *t;
	char path[64];
	off_t size = 0;
	struct err err = {0};
	int fd;

	if (!has_regular(dirfd, ".git/index"))
		return NULL;
	fd = fs_open_file(dirfd, ".git/index", &size, &err);
	if (fd < 0 || size > (off_t)INDEX_MAX || !git_start()) {
		notice_add(notices, a, ".git/index", "ignore", "index not used: %s",
			   fd < 0		      ? err.msg
			   : size > (off_t)INDEX_MAX ? "too big"
						      : git_error_last()->message);
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	t = xcalloc(1, sizeof(*t));
	t->fd = fd;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!git_index_open(&t->index, path) && git_index_entrycount(t->index))
		return t;
	if (size > INDEX_EMPTY)
		notice_add(notices, a, ".git/index", "ignore", "index not used: not readable");
	tracked_close(t);
	return NULL;
}

void tracked_close(struct tracked *t)
{
	if (!t)
		return;
	git_index_free(t->index);
	git_libgit2_shutdown();
	close(t->fd);
	free(t);
}

bool tracked_has(const struct tracked *t, const char *path, bool is_dir)
{
	struct strbuf sb = STRBUF_INIT;
	size_t at;
	bool has;

	if (!t)
		return false;
	if (!is_dir)
		return !git_index_find(&at, t->index, path);
	strbuf_addstr(&sb, path);
	strbuf_addch(&sb, '/');
	has = !git_index_find_prefix(&at, t->index, sb.buf);
	strbuf_release(&sb);
	return has;
}

/* The value of a `path = x` line, its blanks and quotes cut off; 0: the line is another one. */
static size_t submodule_path(const char *line, size_t n, const char **value)
{
	const char *p = line, *end = line + n;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	if (end - p < 4 || memcmp(p, "path", 4))
		return 0;
	for (p += 4; p < end && (*p == ' ' || *p == '\t'); p++)
		;
	if (p == end || *p != '=')
		return 0;
	for (p++; p < end && strchr(" \t\"", *p); p++)
		;
	while (end > p && strchr(" \t\r\"/", end[-1]))
		end--;
	*value = p;
	return (size_t)(end - p);
}

void submodules_read(struct strings *out, int dirfd, struct arena *a)
{
	struct fs_text text;
	const char *p, *end, *value;
	size_t n;

	if (!has_regular(dirfd, ".gitmodules") ||
	    fs_read(dirfd, ".gitmodules", MODULES_MAX, &text, NULL))
		return;
	for (p = text.data, end = p + text.len; p < end; p += n + 1) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		size_t len;

		n = (size_t)((nl ? nl : end) - p);
		len = submodule_path(p, n, &value);
		if (len)
			strings_add(out, a, arena_strndup(a, value, len));
	}
	fs_text_free(&text);
}
