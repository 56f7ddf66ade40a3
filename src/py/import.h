/* import.h - the names one import statement imports; see import.c. */
#ifndef PY_IMPORT_H
#define PY_IMPORT_H

#include "py/file.h"

/* One imported name. */
struct imported {
	const char
		*name; /* absolute and dotted; "a.b.*" for a star; ".a" when it leaves the tree */
	const char
		*target; /* what the bound name stands for, NULL for a star or an unknown module */
	uint32_t bound;  /* id of the name it is bound to, 0 for a star */
	struct span span;
	uint32_t flags; /* F_FROM, F_STAR, F_RELATIVE */
};

/* Walk the names: start with *pos 0; false when there is none left. */
bool import_next(struct pyfile *f, uint32_t node, uint32_t *pos, struct imported *out);

#endif
