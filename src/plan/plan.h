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

#endif
