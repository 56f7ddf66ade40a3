/* collect.h - what collect.c, names.c and import.c share. */
#ifndef PY_COLLECT_H
#define PY_COLLECT_H

#include "py/file.h"

/* The entry of `name` in `scope`, made when it is not there; valid until the next call. */
struct entry *entry_get(struct pyfile *f, uint32_t scope, uint32_t name);
/* Bind `name` in `scope`; what is returned is valid until the next call. */
struct bind *bind_add(struct pyfile *f, uint32_t scope, uint32_t name, enum bind_kind kind,
		      uint32_t node);
/* Bind what an import statement binds; notes star and __future__ imports. */
void collect_import(struct pyfile *f, uint32_t node, uint32_t scope);

#endif
