/* facts.c - `facts`: what the front ends saw, with verdicts. */
#include "cmd/cmd.h"
#include "report/report.h"

static int facts_run(struct cmd *c, struct err *err)
{
	struct run *run;

	if (common_path(c, &c->o.run.path, ".", err) || installed_resolve(c, err))
		return -1;
	if (progress_run(&run, c, RUN_MARKED, err))
		return -1;
	report_facts(&c->out, run_result(run)->repo, c->o.json);
	run_free(run);
	return STATUS_OK;
}

const struct command cmd_facts = {
	.name = "facts",
	.usage = "[OPTIONS] [PATH]",
	.summary = "print the facts that rules match, with their verdicts",
	.about = "One line a fact: place, kind, name, flags, verdict and the database row it rests "
		 "on;\n"
		 "with --json one record a line. For rule authors.\n",
	.run = facts_run,
};
