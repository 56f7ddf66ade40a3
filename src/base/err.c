/* err.c - see err.h. */
#include "base/err.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void err_vset(struct err *err, const char *fmt, va_list ap)
{
	if (err)
		vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
}

int err_set(struct err *err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	err_vset(err, fmt, ap);
	va_end(ap);
	return -1;
}

int err_errno(struct err *err, const char *fmt, ...)
{
	int saved = errno;
	va_list ap;
	size_t used;

	va_start(ap, fmt);
	err_vset(err, fmt, ap);
	va_end(ap);
	if (err) {
		used = strlen(err->msg);
		snprintf(err->msg + used, sizeof(err->msg) - used, ": %s", strerror(saved));
	}
	return -1;
}

int err_context(struct err *err, const char *fmt, ...)
{
	char head[512];
	struct err old;
	va_list ap;

	if (!err)
		return -1;
	va_start(ap, fmt);
	vsnprintf(head, sizeof(head), fmt, ap);
	va_end(ap);
	old = *err;
	snprintf(err->msg, sizeof(err->msg), "%s: %.500s", head, old.msg);
	return -1;
}

void die(const char *fmt, ...)
{
	va_list ap;

	fputs("pdmigrate: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(2);
}

void bug_at(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "pdmigrate: bug at %s:%d: ", file, line);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	abort();
}
