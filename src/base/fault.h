/*
 * fault.h - failures on demand, for tests.
 *
 * PD_FAULT=n makes the n-th fallible call of the process fail (counting from 1; meant for -j1).
 * PD_FAULT_READ=SUFFIX makes every file whose path ends in SUFFIX unreadable: a test that runs as root
 * has no other way to see one.
 */
#ifndef BASE_FAULT_H
#define BASE_FAULT_H

#include <stdbool.h>

enum fault_kind { FAULT_ALLOC, FAULT_OPEN, FAULT_READ, FAULT_WRITE, FAULT_FSYNC, FAULT_RENAME };

/* True when this call must fail; sets errno (ENOMEM for FAULT_ALLOC, else EIO). */
bool fault_hit(enum fault_kind kind);
/* True when `path` must be unreadable; sets errno to EACCES. */
bool fault_path(const char *path);

#endif
