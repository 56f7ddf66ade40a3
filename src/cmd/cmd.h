/*
 * cmd.h - the command line: one const struct command a file, one list of them.
 *
 * A command parses nothing itself: cmd_main finds it, parses its options and the common ones into
 * struct cmd, runs it, and writes cmd->out to standard output at the end, all or nothing. run()
 * returns the exit status, or -1 with err for status 2; what it left in `out` is then dropped.
 * Messages for people go to standard error.
 */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include "base/opt.h"
#include "base/strbuf.h"
#include "run.h"

enum { STATUS_OK, STATUS_OPEN, STATUS_ERROR, STATUS_NOT_ALL };

struct cmd_options {
	struct run_options run;
	bool help, version, json, strict, exit_zero;
	const char *fail_on; /* NULL: change */
	const char *man;     /* help: the template of the page */
	bool dry_run, unsafe, force;
	const char *output, *markers; /* patch: file of the diff; NULL: full */
};

struct cmd {
	const struct command *command;
	struct arena arena;
	struct cmd_options o;
	const char **args; /* operands */
	int nr_args;
	struct strbuf out;
};

struct command {
	const char *name;
	const char *usage;         /* what follows the name */
	const char *summary;       /* one line */
	const char *about;         /* more, whole lines */
	const struct opt *options; /* of its own, may be NULL */
	int (*run)(struct cmd *c, struct err *err);
};

extern const struct command cmd_scan, cmd_facts, cmd_coverage, cmd_rules, cmd_explain, cmd_help,
	cmd_version, cmd_patch;

/* Ended by NULL. */
extern const struct command *const commands[];
const struct command *command_find(const char *name);
/* Options that every command takes, and those of commands that run the line. */
extern const struct opt common_options[];
extern const struct opt gate_options[];

int cmd_main(int argc, char **argv);

/* Check and complete the common options: layers, the installed target, --json. */
int common_check(struct cmd *c, struct err *err);
/* Whether standard output (error) shows colours, by --color and the environment. */
bool common_color(const struct cmd *c, int fd);
/* The only operand, or `or` where there is none; an error where there are more. */
int common_path(struct cmd *c, const char **path, const char * or, struct err *err);
/* Assets by --rules, and the targets. */
int common_targets(struct cmd *c, struct assets *assets, struct target **targets, size_t *nr,
		   struct err *err);

/*
 * Find the installed target by layout: --paddle a folder (site-packages, the package itself or the
 * environment), --python an interpreter beside its environment. Nothing is run. Fills version,
 * build and origin of the options where they were not given, and says on standard error when they
 * differ.
 */
int installed_resolve(struct cmd *c, struct err *err);

/* The result's exit status by --fail-on, --strict and --exit-zero. */
int gate_status(const struct cmd *c, const struct result *r);
/* Notices for people: counts by reason, or each with -v. */
void notices_print(struct strbuf *out, const struct notices *n, bool verbose);

/*
 * run_line over the options' path, with a line on standard error while it takes longer than half a
 * second (terminals only).
 */
int progress_run(struct run **run, const struct cmd *c, enum run_until until, struct err *err);

/* `rules test`. */
int rules_test(struct cmd *c, struct err *err);

#endif
