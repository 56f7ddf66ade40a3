/*
 * strbuf.h - text that grows.
 *
 * `buf` is never NULL and always terminated; `len` excludes the terminator, and bytes may be anything,
 * NUL included. STRBUF_INIT or strbuf_init first, strbuf_release last.
 */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

#include <stdarg.h>
#include <stddef.h>

struct strbuf {
	size_t alloc, len;
	char *buf;
};

extern char strbuf_empty[];
#define STRBUF_INIT { 0, 0, strbuf_empty }

void strbuf_init(struct strbuf *sb);
void strbuf_release(struct strbuf *sb);
/* Drop the text, keep the memory. */
void strbuf_reset(struct strbuf *sb);
/* Make room for `extra` more bytes and the terminator. */
void strbuf_grow(struct strbuf *sb, size_t extra);
void strbuf_add(struct strbuf *sb, const void *data, size_t len);
void strbuf_addstr(struct strbuf *sb, const char *s);
void strbuf_addch(struct strbuf *sb, int c);
void strbuf_addf(struct strbuf *sb, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strbuf_vaddf(struct strbuf *sb, const char *fmt, va_list ap);
/* The text on one line: each run of spaces and line ends is one space, none at its ends. */
void strbuf_addwords(struct strbuf *sb, const char *s);
/* Cut to `len` bytes, which must not be more than there are. */
void strbuf_setlen(struct strbuf *sb, size_t len);

#endif
