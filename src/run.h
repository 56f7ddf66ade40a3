/*
 * run.h - the straight line as one call.
 */
#ifndef RUN_H
#define RUN_H

#include "base/opt.h"
#include "model.h"

/* What the command line says; see cmd/common.c for the table. */
struct run_options {
	const char *path;
	const char *target_paddle, *target_build, *python, *paddle_dir, *rules_dir;
	struct opt_list rule, layer, only;
	int jobs;
	bool quiet, verbose, timing, no_prefilter;
	const char *color, *format;
};

enum run_until { RUN_FACTS, RUN_MARKED, RUN_ALL };

struct run;

/* Run the line over o->path. Everything lives until run_free. Status 2 errors only: -1 with err. */
int run_line(struct run **out, const struct run_options *o, enum run_until until, struct err *err);
struct result *run_result(struct run *run);
void run_free(struct run *run);

#endif
