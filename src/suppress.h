/*
 * suppress.h - comments that switch findings off, and what the configuration says of rules and paths.
 *
 *	code()  # pdmigrate: ignore[PD401] -- reason          that line
 *	# pdmigrate: ignore[PD401, PD402] -- reason           the next line of code
 *	# pdmigrate: ignore-file[PD401] -- reason             the file; without brackets every rule
 *
 * "//" in C++. A reason is required: a comment without one switches nothing off and is a finding
 * itself, as is one that is of no use.
 */
#ifndef SUPPRESS_H
#define SUPPRESS_H

#include "model.h"
#include "rule/rule.h"
#include "run.h"

/* Add the suppressions of `s` to its facts, which stay in order of offset; text lives in `a`. */
void suppress_facts(struct source *s, const char *text, size_t len, struct arena *a);
/* Make void what names a rule that there is not. Before the rules are matched. */
void suppress_check(struct source *s, const struct rules *rules, struct arena *a);
/*
 * Suppress the source's findings, located ones. Findings about a suppression that was of use are
 * taken out.
 */
void suppress_apply(const struct source *s, struct findings *f);

/* Take out findings by the configuration's rules and excluded paths, or change their level. */
void findings_tune(const struct run_options *o, struct findings *f);
/* The same for notices, and for fixes that would edit an excluded file. */
void result_tune(const struct run_options *o, struct result *r);

#endif
