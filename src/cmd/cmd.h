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
#include "report/report.h"
#include "run.h"

enum { STATUS_OK, STATUS_OPEN, STATUS_ERROR, STATUS_NOT_ALL };

struct cmd_options {
	struct run_options run;
	bool help, version, json, strict, exit_zero;
	const char *fail_on; /* NULL: change */
	const char *man;     /* help: the template of the page */
	bool dry_run, unsafe, force;
	bool cxx_only; /* coverage dump */
	const char *rename, *drafts; /* patch: the project's new name; folder of issue drafts */
	const char *output, *markers; /* patch: file of the diff; NULL: full */
	bool remove_expired;
	const char *base, *marker_tag; /* patch: revision before it; NULL: the vocabulary's */
	int max_findings; /* so many at the gate are let through; -1: not said */
	const char *baseline, *write_baseline, *baseline_commit, *diff_base;
	bool baseline_inside; /* baseline is a path of the tree: the configuration's */
	const char *config; /* read in place of the tree's own */
	bool no_config;
	/* report: file of each format, "" for standard output, NULL: not asked for */
	const char *outputs[FORMAT_NR];
	const char *report_format, *from, *probe_file;
	const char *fork, *onto; /* report: revisions, NULL: no audit, no replay */
	struct {
		struct opt_list libraries;
		const char *repo, *statics;
		bool verify, no_launch;
		int timeout; /* seconds; 0: the default */
	} probing; /* probe */
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
	cmd_version, cmd_patch, cmd_probe, cmd_probe_step, cmd_report, cmd_config;

/* What is edited beyond the product's own files, and what is not; of commands that make a plan. */
extern const char *const deps_words[];
#define PLAN_RUN(field) offsetof(struct cmd_options, run.field)
#define PLAN_OPTIONS                                                                               \
	{"entries", 0, OPT_FLAG, PLAN_RUN(entries), NULL,                                          \
	 "also switch compat on in scripts, examples and console launchers", NULL},                \
	{"tests", 0, OPT_TEXT, PLAN_RUN(tests), "off|conftest|dir:NAME",                           \
	 "switch it on for the tests: in conftest.py, or by a test in a new folder", NULL},        \
	{"hoist", 0, OPT_FLAG, PLAN_RUN(hoist), NULL,                                              \
	 "also move imports from functions to the top of their module", NULL},                     \
	{"path", 0, OPT_LIST, PLAN_RUN(paths), "PREFIX",                                           \
	 "report and edit only what lies below (again for more)", NULL},                           \
	{"include-vendored", 0, OPT_FLAG, PLAN_RUN(vendored), NULL,                                \
	 "treat third-party code kept in the tree as its own", NULL},                              \
	{"deps", 0, OPT_CHOICE, PLAN_RUN(deps), "comment|delete|keep",                             \
	 "rows that bring the upstream framework (default: comment)", deps_words}

extern const char *const level_words[], *const marker_words[], *const build_words[];
#define GATE_OPTIONS                                                                               \
	{"fail-on", 0, OPT_CHOICE, offsetof(struct cmd_options, fail_on), "LEVEL",                 \
	 "least level that gives status 1 (default: change)", level_words},                        \
	{"max-findings", 0, OPT_NUMBER, offsetof(struct cmd_options, max_findings), "N",           \
	 "status 1 only where there are more than N (default: 0)", NULL},                          \
	{"strict", 0, OPT_FLAG, offsetof(struct cmd_options, strict), NULL,                        \
	 "status 3 when part of the input was not analysed", NULL},                                \
	{"exit-zero", 0, OPT_FLAG, offsetof(struct cmd_options, exit_zero), NULL,                  \
	 "status 0 in place of 1", NULL}
#define BASELINE_OPTIONS                                                                           \
	{"baseline", 0, OPT_TEXT, offsetof(struct cmd_options, baseline), "FILE",                  \
	 "what this file holds is known and does not count", NULL},                                \
	{"write-baseline", 0, OPT_TEXT, offsetof(struct cmd_options, write_baseline), "FILE",      \
	 "write one of what is there now, which then is known", NULL},                             \
	{"baseline-commit", 0, OPT_TEXT, offsetof(struct cmd_options, baseline_commit), "REV",     \
	 "what the tree of this revision has is known", NULL},                                     \
	{"diff-base", 0, OPT_TEXT, offsetof(struct cmd_options, diff_base), "REV",                 \
	 "what stands on lines as they were where REV was left is known", NULL}
#define CONFIG_OPTIONS                                                                             \
	{"config", 0, OPT_TEXT, offsetof(struct cmd_options, config), "FILE",                      \
	 "read this in place of PATH/.pdmigrate.yml", NULL},                                       \
	{"no-config", 0, OPT_FLAG, offsetof(struct cmd_options, no_config), NULL,                  \
	 "read neither", NULL}

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
/* Add the distributions of a site-packages folder, in order of name; everything lives in `a`. */
void dists_read(struct dists *out, const char *site, const struct vocab *v, struct arena *a);

/* The result's exit status by --fail-on, --strict and --exit-zero. */
int gate_status(const struct cmd *c, const struct result *r);
/* The gate's level. */
enum level gate_level(const struct cmd *c);
/* The result's notices on standard error, unless -q. */
void notices_say(const struct cmd *c, const struct result *r);

/*
 * Read the configuration of the options' path (its folder, for a file): what the command line has not
 * said. No file is no configuration; one that cannot be read or has unknown keys is an error.
 */
int config_apply(struct cmd *c, struct err *err);

/*
 * Compare the result with the baseline that is asked for, and say so on standard error: what is known
 * is no longer open. baseline_write then writes one, after which everything is known.
 */
int baseline_apply(struct cmd *c, struct result *r, struct err *err);
int baseline_write(struct cmd *c, struct result *r, struct err *err);

/*
 * `report --fork`: print the audit of HEAD since it left the revision, or with --onto the replay; the
 * status, -1 with err.
 */
int report_fork(struct cmd *c, struct err *err);

struct patch;
/* What `patch` writes into the tree of the result; the plan is made again for it. */
int patch_make(struct cmd *c, struct result *r, struct patch **patch, struct err *err);

/* Notices for people: counts by reason, or each with -v. */
void notices_print(struct strbuf *out, const struct notices *n, bool verbose);

/*
 * run_line over the options' path, with a line on standard error while it takes longer than half a
 * second (terminals only).
 */
int progress_run(struct run **run, const struct cmd *c, enum run_until until, struct err *err);

struct drafts;
/*
 * The drafts that --issue-drafts asks for, none without it; what was written is said. The caller
 * closes them, or undoes them when what follows fails. -1 leaves nothing to undo.
 */
int drafts_make(struct cmd *c, const struct result *r, struct drafts *d, struct strbuf *said,
		struct err *err);

/* `rules test`. */
int rules_test(struct cmd *c, struct err *err);

#endif
