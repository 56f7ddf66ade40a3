/* coverage.h - what the files of `coverage` share. */
#ifndef CMD_COVERAGE_H
#define CMD_COVERAGE_H

#include "cmd/cmd.h"

struct cxx_db;

/* The C++ tables of the targets. */
struct coverage_cxx {
	struct cxx_db **v; /* one per target; NULL: its version has none */
	size_t nr;
};

int coverage_cxx_load(struct coverage_cxx *x, struct cmd *c, const struct assets *assets,
		      const struct target *targets, size_t nr, struct err *err);
/*
 * Print the line of a C++ name (with "::"), a header, or a macro that the tables know. false: `name` is
 * none of these.
 */
bool coverage_cxx_lookup(const struct coverage_cxx *x, struct cmd *c, const char *name);
/* Write the stub headers of the first target below `dir`, which must not be there. */
int coverage_stubs(struct cmd *c, const struct coverage_cxx *x, const struct assets *assets,
		   const char *dir, struct err *err);
/* Write the C++ tables of the package that --python has into a folder that has its Python tables. */
int coverage_dump_cxx(struct cmd *c, const struct assets *assets, const char *outdir,
		      struct err *err);

#endif
