/*
 * common.c - the options that every command takes, and the gate's.
 *
 * This is the one file of src/ where the target framework's name stands: in two options.
 */
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "base/yaml.h"
#include "cmd/cmd.h"

const char *const build_words[] = {"cuda", "cpu", NULL};
static const char *const colors[] = {"auto", "always", "never", NULL};
static const char *const format_names[] = {"text", "json", NULL};
const char *const deps_words[] = {"comment", "delete", "keep", NULL};
const char *const marker_words[] = {"full", "short", "none", NULL};
const char *const level_words[] = {"note", "check", "change", "expired", "blocked", NULL};

#define RUN(field) offsetof(struct cmd_options, run.field)
#define OWN(field) offsetof(struct cmd_options, field)

const struct opt common_options[] = {
	{"target-paddle", 0, OPT_TEXT, RUN(versions), "VERSIONS",
	 "what to run on, comma separated; edits hold on all (default: the newest)", NULL},
	{"target-build", 0, OPT_CHOICE, RUN(target_build), "cuda|cpu",
	 "the build to run on (default: cuda)", build_words},
	{"paddle", 0, OPT_TEXT, RUN(installed_dir), "DIR",
	 "read version and build from this installed package", NULL},
	{"python", 0, OPT_TEXT, RUN(python), "PY",
	 "read them from the environment of this interpreter; it is not run", NULL},
	{"rules", 0, OPT_TEXT, RUN(rules_dir), "DIR", "read the knowledge from here", NULL},
	{"rule", 0, OPT_LIST, RUN(rule), "ID", "report only this rule (again for more)", NULL},
	{"layer", 0, OPT_LIST, RUN(layer), "LAYER", "report only files of this layer", NULL},
	{"jobs", 'j', OPT_NUMBER, RUN(jobs), "N", "threads (default: one a processor)", NULL},
	{"format", 0, OPT_CHOICE, RUN(format), "text|json", "form of the result", format_names},
	{"json", 0, OPT_FLAG, OWN(json), NULL, "the same as --format json", NULL},
	{"quiet", 'q', OPT_FLAG, RUN(quiet), NULL, "no notices on standard error", NULL},
	{"verbose", 'v', OPT_FLAG, RUN(verbose), NULL, "everything, not only the summary", NULL},
	{"color", 0, OPT_CHOICE, RUN(color), "auto|always|never", "colours (default: auto)",
	 colors},
	{"timing", 0, OPT_FLAG, RUN(timing), NULL, "print times of each step on standard error",
	 NULL},
	{"help", 'h', OPT_FLAG, OWN(help), NULL, "this command in short", NULL},
	{0},
};

const struct opt gate_options[] = {
	GATE_OPTIONS,
	BASELINE_OPTIONS,
	CONFIG_OPTIONS,
	PLAN_OPTIONS,
	{0},
};

static int check_layers(const struct opt_list *list, struct err *err)
{
	const char *names[LAYER_NR + 1] = {0}, *near;
	size_t i;

	for (i = 0; i < LAYER_NR; i++)
		names[i] = layer_name((enum layer)i);
	for (i = 0; i < list->nr; i++) {
		if (list_has(names, list->v[i]))
			continue;
		near = nearest_word(list->v[i], names);
		return near ? err_set(err, "no layer '%s' (did you mean '%s'?)", list->v[i], near)
			    : err_set(err, "no layer '%s'", list->v[i]);
	}
	return 0;
}

/* A name of one folder, for a new one in the root. */
static bool is_folder_name(const char *s)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-";

	return *s && *s != '-' && !s[strspn(s, plain)];
}

static int check_tests(const char *tests, struct err *err)
{
	static const char dir[] = "dir:";

	if (!tests || !strcmp(tests, "off") || !strcmp(tests, "conftest"))
		return 0;
	if (strncmp(tests, dir, strlen(dir)))
		return err_set(err, "--tests is off, conftest or dir:NAME, not '%s'", tests);
	if (is_folder_name(tests + strlen(dir)))
		return 0;
	return err_set(err, "--tests %s: a folder's name has letters, digits, '_' and '-' only",
		       tests);
}

static int check_paths(struct cmd *c, struct opt_list *list, struct err *err)
{
	size_t i;

	for (i = 0; i < list->nr; i++) {
		const char *path = *list->v[i] == '/' ? NULL
						      : path_resolve(&c->arena, "", list->v[i]);

		if (!path || !*list->v[i])
			return err_set(err, "--path %s: not below the root", list->v[i]);
		list->v[i] = path;
	}
	return 0;
}

int common_check(struct cmd *c, struct err *err)
{
	struct run_options *o = &c->o.run;

	if (c->o.json)
		o->format = "json";
	if (!o->format)
		o->format = "text";
	c->o.json = !strcmp(o->format, "json");
	if (o->python && o->installed_dir)
		return err_set(err, "--paddle and --python exclude each other");
	if (check_tests(o->tests, err) || check_paths(c, &o->paths, err))
		return -1;
	return check_layers(&o->layer, err);
}

bool common_color(const struct cmd *c, int fd)
{
	const char *when = c->o.run.color, *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (when && strcmp(when, "auto"))
		return !strcmp(when, "always");
	return isatty(fd) && !(no && *no) && !(term && !strcmp(term, "dumb"));
}

int common_path(struct cmd *c, const char **path, const char * or, struct err *err)
{
	if (c->nr_args > 1)
		return err_set(err, "%s takes one path, not also '%s'", c->command->name,
			       c->args[1]);
	*path = c->nr_args ? c->args[0] : or ;
	if (!**path)
		return err_set(err, "the path is empty");
	return 0;
}

int common_targets(struct cmd *c, struct assets *assets, struct target **targets, size_t *nr,
		   struct err *err)
{
	if (installed_resolve(c, err) || assets_load(assets, &c->arena, c->o.run.rules_dir, err))
		return -1;
	return run_targets(targets, nr, &c->arena, assets, &c->o.run, err);
}
