/* help.c - `help` and `version`: made from the tables of commands and options. */
#include <string.h>

#include "base/fs.h"
#include "base/json.h"
#include "cmd/cmd.h"
#include "cover/cover.h"
#include "report/version.h"

#define TEMPLATE_MAX (1u << 20)

static const char exit_status[] = "exit status:\n"
				  "  0  nothing open at or above --fail-on\n"
				  "  1  something is (or differs, or failed its test)\n"
				  "  2  could not do it: usage, configuration, input or output\n"
				  "  3  with --strict: part of the input was not analysed\n";

static void help_all(struct strbuf *out)
{
	const struct command *const *c;

	strbuf_addstr(out, TOOL_NAME
		      " - what a repository must change to run on another framework\n\n"
		      "usage: " TOOL_NAME " COMMAND [OPTIONS] [ARGUMENTS]\n\ncommands:\n");
	for (c = commands; *c; c++)
		strbuf_addf(out, "  %-10s %s\n", (*c)->name, (*c)->summary);
	strbuf_addstr(out, "\ncommon options:\n");
	opt_help(out, common_options);
	strbuf_addf(out, "\n%s\n'" TOOL_NAME " help COMMAND' tells about one command.\n",
		    exit_status);
}

static void help_one(struct strbuf *out, const struct command *c)
{
	strbuf_addf(out, "usage: " TOOL_NAME " %s %s\n\n%s\n", c->name, c->usage, c->summary);
	if (*c->about)
		strbuf_addf(out, "\n%s", c->about);
	if (c->options) {
		strbuf_addstr(out, "\noptions:\n");
		opt_help(out, c->options);
	}
	strbuf_addstr(out, "\ncommon options:\n");
	opt_help(out, common_options);
}

/* ---- the man page ------------------------------------------------------------------------------
 */

/* Text as troff: no line may begin a request. */
static void man_text(struct strbuf *out, const char *s)
{
	bool start = true;

	for (; *s; s++) {
		if (start && (*s == '.' || *s == '\''))
			strbuf_addstr(out, "\\&");
		if (*s == '\\' || *s == '-')
			strbuf_addch(out, '\\');
		strbuf_addch(out, *s);
		start = *s == '\n';
	}
}

static void man_commands(struct strbuf *out)
{
	const struct command *const *c;

	for (c = commands; *c; c++) {
		strbuf_addf(out, ".SS %s\n.B " TOOL_NAME " %s\n", (*c)->name, (*c)->name);
		man_text(out, (*c)->usage);
		strbuf_addstr(out, "\n.PP\n");
		man_text(out, (*c)->summary);
		strbuf_addstr(out, *(*c)->about ? ".\n.PP\n" : ".\n");
		man_text(out, (*c)->about);
		opt_man(out, (*c)->options);
	}
}

static int help_man(struct cmd *c, struct err *err)
{
	struct fs_text text;
	const char *p, *at;

	if (fs_read_path(c->o.man, TEMPLATE_MAX, &text, err))
		return -1;
	for (p = text.data; (at = strchr(p, '@')); p = at) {
		strbuf_add(&c->out, p, (size_t)(at - p));
		if (str_starts(at, "@VERSION@")) {
			strbuf_addstr(&c->out, TOOL_VERSION);
			at += strlen("@VERSION@");
		} else if (str_starts(at, "@COMMANDS@\n")) {
			man_commands(&c->out);
			at += strlen("@COMMANDS@\n");
		} else if (str_starts(at, "@COMMON_OPTIONS@\n")) {
			opt_man(&c->out, common_options);
			at += strlen("@COMMON_OPTIONS@\n");
		} else {
			strbuf_addch(&c->out, *at++);
		}
	}
	strbuf_addstr(&c->out, p);
	fs_text_free(&text);
	return STATUS_OK;
}

static int help_run(struct cmd *c, struct err *err)
{
	const struct command *about;
	int i;

	if (c->o.man)
		return help_man(c, err);
	for (i = 0; i < c->nr_args; i++) {
		about = command_find(c->args[i]);
		if (!about)
			return err_set(err, "unknown command '%s'; see 'pdmigrate help'",
				       c->args[i]);
		if (i)
			strbuf_addch(&c->out, '\n');
		help_one(&c->out, about);
	}
	if (!c->nr_args)
		help_all(&c->out);
	return STATUS_OK;
}

static const struct opt help_options[] = {
	{"man", 0, OPT_TEXT, offsetof(struct cmd_options, man), "TEMPLATE",
	 "print the man page, made from this template", NULL},
	{0},
};

const struct command cmd_help = {
	.name = "help",
	.usage = "[COMMAND...]",
	.summary = "tell about all commands, or about one",
	.about = "",
	.options = help_options,
	.run = help_run,
};

/* ---- version -----------------------------------------------------------------------------------
 */

static int version_run(struct cmd *c, struct err *err)
{
	struct strings versions = {0};
	struct assets assets;
	struct json j;
	size_t i;

	if (c->nr_args)
		return err_set(err, "version takes no argument '%s'", c->args[0]);
	if (!c->o.json) {
		strbuf_addstr(&c->out, TOOL_NAME " " TOOL_VERSION "\n");
		return STATUS_OK;
	}
	if (assets_load(&assets, &c->arena, c->o.run.rules_dir, err))
		return -1;
	cover_versions(&assets, &c->arena, &versions);
	json_init(&j, &c->out, false);
	json_open(&j, '{');
	json_kstr(&j, "name", TOOL_NAME);
	json_kstr(&j, "version", TOOL_VERSION);
	json_kstr(&j, "schema_version", SCHEMA_VERSION);
	json_key(&j, "databases");
	json_open(&j, '[');
	for (i = 0; i < versions.nr; i++)
		json_str(&j, versions.v[i]);
	json_close(&j, ']');
	json_close(&j, '}');
	strbuf_addch(&c->out, '\n');
	return STATUS_OK;
}

const struct command cmd_version = {
	.name = "version",
	.usage = "[--json]",
	.summary = "print the version of the program; with --json also of its data",
	.about = "",
	.run = version_run,
};
