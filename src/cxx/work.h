/* work.h - what the files of the worker share beyond parse.h: places and names by libclang's types. */
#ifndef CXX_WORK_H
#define CXX_WORK_H

#include "cxx/libclang.h"
#include "cxx/parse.h"

/*
 * Which file of the unit a location is in, and the offset there: where the text stands, so that
 * what is in the body of a macro is found there. PLACE_STUB, PLACE_OTHER: in none.
 */
int work_place(struct work *w, CXSourceLocation at, unsigned *offset);
/* As work_place, but where a macro is used. */
int work_place_used(struct work *w, CXSourceLocation at, unsigned *offset);
/* "a::b::c" of a declaration, "" for none. */
const char *work_name(const struct work *w, CXCursor c);

#endif
