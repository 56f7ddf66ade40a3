/* probe.h - the halves of `probe`. */
#ifndef CMD_PROBE_H
#define CMD_PROBE_H

#include "cmd/cmd.h"
#include "probe/probe.h"

/*
 * Patch a shadow of the tree with the rule that holds where it loads its library, and import the
 * module before and after. The tree itself stays as it is. Fills p->patch; -1: the shadow cannot be made.
 */
int probe_verify_patch(struct cmd *c, struct probe *p, const struct result *r, struct err *err);

#endif
