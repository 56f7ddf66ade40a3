/* verdict.h - what the findings mean for each extension and for the repository as a whole. */
#ifndef VERDICT_H
#define VERDICT_H

#include "model.h"

/* Set the verdicts of extensions and repository with their reasons, and the count of ported sites. */
void verdict_build(struct result *r, struct arena *a);
/*
 * The part of it about C++: the verdict of each file with the headers of the tree that it includes, and of
 * each extension. Blocked before unknown: what has no equivalent stays so whatever else is found.
 */
void extensions_judge(struct result *r, struct arena *a);

#endif
