/*
 * plan.h - findings with fixes -> edits, counted.
 */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include "model.h"

/*
 * Whole-repository choices over findings whose fixes already carry edits: identical edits merge,
 * an overlap loses the whole later finding (reason_not_applied), counts go to result->plan.
 * `lines` of an edit are counted as a diff would show them.
 */
void plan_build(struct result *r, struct arena *a);

/*
 * Put a finding first that gives the project the name `name`: where build files declare it and where
 * the project looks up its own metadata (rename.c). Before plan_build. Nothing where it has that name
 * already; -1 where the old name is not found.
 */
int plan_rename(struct result *r, const char *name, struct arena *a, struct err *err);

/*
 * Give findings about C++ that is not there a folder of header shims, where rules/shims has what they need:
 * a finding that makes the folder is added, and they rest on it. Before plan_build, once.
 */
int plan_shims(struct result *r, const struct assets *assets, bool dual, struct arena *a,
	       struct err *err);

#endif
