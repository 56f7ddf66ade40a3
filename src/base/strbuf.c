/* strbuf.c - see strbuf.h. */
#include "base/strbuf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"

char strbuf_empty[1];

void strbuf_init(struct strbuf *sb)
{
	sb->alloc = sb->len = 0;
	sb->buf = strbuf_empty;
}

void strbuf_release(struct strbuf *sb)
{
	if (sb->alloc)
		free(sb->buf);
	strbuf_init(sb);
}

void strbuf_reset(struct strbuf *sb)
{
	strbuf_setlen(sb, 0);
}

void strbuf_grow(struct strbuf *sb, size_t extra)
{
	size_t need;

	if (extra > SIZE_MAX / 4 || sb->len > SIZE_MAX / 4)
		BUG("strbuf of %zu and %zu bytes", sb->len, extra);
	need = sb->len + extra + 1;
	if (need <= sb->alloc)
		return;
	if (need < sb->alloc * 2)
		need = sb->alloc * 2;
	if (need < 64)
		need = 64;
	sb->buf = xrealloc(sb->alloc ? sb->buf : NULL, need);
	if (!sb->alloc)
		sb->buf[0] = 0;
	sb->alloc = need;
}

void strbuf_add(struct strbuf *sb, const void *data, size_t len)
{
	if (!len)
		return;
	strbuf_grow(sb, len);
	memcpy(sb->buf + sb->len, data, len);
	sb->len += len;
	sb->buf[sb->len] = 0;
}

void strbuf_addstr(struct strbuf *sb, const char *s)
{
	strbuf_add(sb, s, strlen(s));
}

void strbuf_addch(struct strbuf *sb, int c)
{
	char b = (char)c;

	strbuf_add(sb, &b, 1);
}

void strbuf_vaddf(struct strbuf *sb, const char *fmt, va_list ap)
{
	va_list cp;
	int n;

	va_copy(cp, ap);
	n = vsnprintf(NULL, 0, fmt, cp);
	va_end(cp);
	if (n < 0)
		BUG("bad format '%s'", fmt);
	strbuf_grow(sb, (size_t)n);
	vsnprintf(sb->buf + sb->len, (size_t)n + 1, fmt, ap);
	sb->len += (size_t)n;
}

void strbuf_addf(struct strbuf *sb, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(sb, fmt, ap);
	va_end(ap);
}

void strbuf_addwords(struct strbuf *sb, const char *s)
{
	static const char blank[] = " \t\r\n";
	size_t n;

	for (s += strspn(s, blank); *s; s += n) {
		n = strcspn(s, blank);
		strbuf_add(sb, s, n);
		n += strspn(s + n, blank);
		if (s[n])
			strbuf_addch(sb, ' ');
	}
}

void strbuf_setlen(struct strbuf *sb, size_t len)
{
	if (len > sb->len)
		BUG("strbuf cut to %zu of %zu bytes", len, sb->len);
	sb->len = len;
	if (sb->alloc)
		sb->buf[len] = 0;
}
