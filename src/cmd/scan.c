/* scan.c - `scan`: the whole line, and its result in one of the formats. */
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "report/report.h"

static int terminal_width(int fd)
{
	struct winsize w;

	return isatty(fd) && !ioctl(fd, TIOCGWINSZ, &w) ? w.ws_col : 0;
}

static int scan_run(struct cmd *c, struct err *err)
{
	struct report_options o = {
		.verbose = c->o.run.verbose,
		.color = common_color(c, STDOUT_FILENO),
		.width = terminal_width(STDOUT_FILENO),
	};
	struct run *run;
	int ret;

	if (common_path(c, &c->o.run.path, ".", err) || config_apply(c, err) ||
	    installed_resolve(c, err))
		return -1;
	if (progress_run(&run, c, RUN_ALL, err))
		return -1;
	ret = baseline_apply(c, run_result(run), err) || baseline_write(c, run_result(run), err) ? -1
												 : 0;
	if (!ret) {
		notices_say(c, run_result(run));
		format_find(c->o.run.format)->print(&c->out, run_result(run), &o);
		ret = gate_status(c, run_result(run));
	}
	run_free(run);
	return ret;
}

const struct command cmd_scan = {
	.name = "scan",
	.usage = "[OPTIONS] [PATH]",
	.summary = "analyse a repository: what must change, where, and why",
	.about =
		"PATH is a folder or a file, by default the current folder. Nothing in it is run "
		"or\n"
		"written. Without -v the text is at most 25 lines: one line a rule, with the "
		"first\n"
		"place and how many more; findings in tests and examples are counted at the end.\n",
	.options = gate_options,
	.run = scan_run,
};
