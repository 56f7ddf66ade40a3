/* main.c - the list of commands, and what happens around one. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/yaml.h"
#include "cmd/cmd.h"

#define COMMANDS_MAX 32

const struct command *const commands[] = {
	&cmd_scan, &cmd_patch, &cmd_report, &cmd_probe, &cmd_facts, &cmd_coverage, &cmd_rules, &cmd_config,
	&cmd_explain, &cmd_help,  &cmd_version,  NULL,
};

const struct command *command_find(const char *name)
{
	const struct command *const *c;

	for (c = commands; *c; c++)
		if (!strcmp((*c)->name, name))
			return *c;
	return NULL;
}

static int cmd_unknown(const char *name)
{
	const char *names[COMMANDS_MAX + 1], *near;
	size_t i;

	for (i = 0; commands[i] && i < COMMANDS_MAX; i++)
		names[i] = commands[i]->name;
	names[i] = NULL;
	near = nearest_word(name, names);
	fprintf(stderr, "pdmigrate: unknown command '%s'", name);
	if (near)
		fprintf(stderr, " (did you mean '%s'?)", near);
	fputs("; see 'pdmigrate help'\n", stderr);
	return STATUS_ERROR;
}

/* The command that the first argument asks for; "--help" and "--version" are commands too. */
static const struct command *cmd_pick(const char *name)
{
	if (!strcmp(name, "-h") || !strcmp(name, "--help"))
		return &cmd_help;
	if (!strcmp(name, "--version"))
		return &cmd_version;
	if (!strcmp(name, cmd_probe_step.name))
		return &cmd_probe_step;
	return command_find(name);
}

static int cmd_parse(struct cmd *c, int argc, char **argv, struct err *err)
{
	c->args = arena_array(&c->arena, (size_t)argc + 1, sizeof(*c->args));
	if (opt_parse(c->command->options, common_options, &c->o, &c->arena, argc, argv, c->args,
		      &c->nr_args, err))
		return -1;
	if (!c->o.help)
		return common_check(c, err);
	c->args[0] = c->command->name;
	c->nr_args = 1;
	c->command = &cmd_help;
	return 0;
}

static int cmd_run(struct cmd *c, int argc, char **argv, int fd)
{
	struct err err = {0};
	int status;

	if (cmd_parse(c, argc, argv, &err)) {
		fprintf(stderr, "pdmigrate: %s\n", err.msg);
		return STATUS_ERROR;
	}
	status = c->command->run(c, &err);
	if (status < 0) {
		fprintf(stderr, "pdmigrate: %s\n", err.msg);
		return STATUS_ERROR;
	}
	if (c->out.len && fs_write_all(fd, c->out.buf, c->out.len)) {
		fprintf(stderr, "pdmigrate: cannot write the result: %s\n", strerror(errno));
		return STATUS_ERROR;
	}
	return status;
}

int cmd_main(int argc, char **argv)
{
	struct cmd c = {.out = STRBUF_INIT, .o.max_findings = -1};
	int status;

	c.command = cmd_pick(argc > 1 ? argv[1] : "help");
	if (!c.command)
		return cmd_unknown(argv[1]);
	/* Without a command nothing was asked for that could have been done: the help is a message. */
	if (argc > 1)
		status = cmd_run(&c, argc - 2, argv + 2, STDOUT_FILENO);
	else if ((status = cmd_run(&c, 0, argv, STDERR_FILENO)) == 0)
		status = STATUS_ERROR;
	strbuf_release(&c.out);
	arena_free(&c.arena);
	return status;
}
