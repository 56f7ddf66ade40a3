/*
 * fs.h - the only way to files of an analysed tree.
 *
 * Everything is opened beneath one folder descriptor with openat2(RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS):
 * a hostile tree cannot lead us out of it. Only regular files are read; a FIFO or device is never opened
 * for reading. Kernels before 5.6 have no openat2: there each part of the path is opened O_NOFOLLOW.
 */
#ifndef BASE_FS_H
#define BASE_FS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/err.h"

struct fs_text {
	char *data; /* malloc'ed, terminated by a NUL that is not counted; NULL when nothing was read */
	size_t len;
};

/* Open the folder `path` (symbolic links in `path` itself are followed: the user typed it). -1: err set. */
int fs_open_dir(const char *path, struct err *err);
/* Open `path` beneath `dirfd` read-only without following links; fails on what is no regular file. */
int fs_open_file(int dirfd, const char *path, off_t *size, struct err *err);
/* Open the folder `path` ("" is dirfd itself) beneath dirfd. */
int fs_open_subdir(int dirfd, const char *path, struct err *err);
/* Read a regular file of at most `max` bytes. The caller frees with fs_text_free(). */
int fs_read(int dirfd, const char *path, size_t max, struct fs_text *out, struct err *err);
/* As fs_read for a path the user gave; links are followed. */
int fs_read_path(const char *path, size_t max, struct fs_text *out, struct err *err);
void fs_text_free(struct fs_text *text);
/* Write all bytes to fd; 0 or -1 with errno. */
int fs_write_all(int fd, const void *data, size_t len);

#endif
