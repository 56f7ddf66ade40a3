/*
 * err.h - how a failure travels.
 *
 * A call that can fail for a reason outside the program returns int (0 or -1) and takes a struct err
 * last; callers add context or pass it on. die() is for main.c, cmd/ and the allocator only. BUG() is
 * our own fault. Messages: lower case, no final stop, file:line first where there is one.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdarg.h>

/* One failure as text. Zero-initialise; untouched on success. */
struct err {
	char msg[1024];
};

/* Set the message and return -1, so that `return err_set(err, ...)` reads well. err may be NULL. */
int err_set(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* As err_set, with ": <strerror(errno)>" appended. */
int err_errno(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Put "<context>: " before the message and return -1. */
int err_context(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Print "pdmigrate: <message>" on stderr and end with status 2. */
void die(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));
void bug_at(const char *file, int line, const char *fmt, ...)
	__attribute__((noreturn, format(printf, 3, 4)));
#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)

#endif
