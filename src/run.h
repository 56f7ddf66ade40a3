/*
 * run.h - the straight line as one call.
 */
#ifndef RUN_H
#define RUN_H

#include "base/opt.h"
#include "model.h"

/* What the configuration says of one rule. */
struct rule_level {
	const char *rule;
	bool off;
	enum level level; /* of its findings, where it is not off */
};

/* What the command line and the configuration say; see cmd/common.c for the table. */
struct run_options {
	const char *path;
	const char *versions;	     /* versions, comma separated; NULL: the newest shipped */
	const char *target_build;    /* "cuda" or "cpu"; NULL: "cuda" */
	const char *target_origin;   /* "installed" when the version was read from one; NULL: "shipped" */
	const char *python, *installed_dir, *rules_dir;
	const char *headers_dir; /* folder of an installed target that C++ is parsed against, NULL: stubs */
	struct opt_list rule, layer, only;
	int jobs;
	bool quiet, verbose, timing;
	bool all_expired; /* take every condition of a marker as holding: for `rules test` */
	bool dual; /* fixes that are right on both frameworks */
	bool entries, hoist, vendored; /* on request: see enum request; third-party code too */
	bool direct_entry;	       /* see REQUEST_DIRECT */
	const char *tests, *deps;      /* "off", "conftest", "dir:NAME"; "comment", "delete", "keep" */
	struct opt_list paths;	       /* only what lies below is reported and edited */
	const struct dists *dists;     /* what is installed, NULL: not known */
	const char *color, *format;
	struct opt_list exclude; /* paths and globs: analysed, but neither reported nor edited */
	const struct rule_level *levels;
	size_t nr_levels;
};

/* Where to stop: after linking, after verdicts, at the end. */
enum run_until { RUN_FACTS, RUN_MARKED, RUN_ALL };

struct run;

/* Run the line over o->path. Everything lives until run_free. Status 2 errors only: -1 with err. */
int run_line(struct run **out, const struct run_options *o, enum run_until until, struct err *err);
struct result *run_result(struct run *run);
void run_free(struct run *run);

/*
 * Resolve the targets of the options ("3.3.1,3.3.0" and a build) without running anything; for commands
 * that ask the database alone. -1 when a version is not shipped.
 */
int run_targets(struct target **out, size_t *nr, struct arena *a, const struct assets *assets,
		const struct run_options *o, struct err *err);

#endif
