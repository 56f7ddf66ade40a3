/*
 * probe.c - `probe`: the machine's CUDA runtimes, and what loads with which. Runs foreign code, in
 * children only, and says which.
 */
#include <limits.h>
#include <string.h>

#include "base/path.h"
#include "cmd/cmd.h"
#include "cmd/probe.h"
#include "cxx/cxx.h"
#include "report/version.h"
#include "rule/rule.h"

#define SECONDS 20

#define OWN(field) offsetof(struct cmd_options, field)
static const struct opt probe_options[] = {
	{"lib", 0, OPT_LIST, OWN(probing.libraries), "FILE.so", "a library to load (again for more)",
	 NULL},
	{"repo", 0, OPT_TEXT, OWN(probing.repo), "PATH",
	 "also its lines that load libraries, and the libraries it holds", NULL},
	{"static", 0, OPT_TEXT, OWN(probing.statics), "PATH",
	 "read the shared objects of a wheel or folder; they are not loaded", NULL},
	{"verify-patch", 0, OPT_FLAG, OWN(probing.verify), NULL,
	 "with --repo and --python: import before and after the patch of what loads libraries", NULL},
	{"timeout", 0, OPT_NUMBER, OWN(probing.timeout), "S",
	 "seconds for each child (default: 20)", NULL},
	{"no-launch", 0, OPT_FLAG, OWN(probing.no_launch), NULL, "launch no kernel", NULL},
	{0},
};

static void say(void *ctx, const char *text)
{
	const struct cmd *c = ctx;

	if (!c->o.run.quiet)
		fprintf(stderr, "running: %s\n", text);
}

/* The database's word on a symbol that a shared object leaves open. */
static void lookup(void *ctx, struct arena *a, struct probe_symbol *s)
{
	struct cxx_answer answer;

	if (cxx_symbol_unexported(ctx, s->symbol)) {
		s->verdict = VERDICT_GAP;
		s->row = "declared, but not exported by the target's library";
		return;
	}
	answer = cxx_name(ctx, a, s->name);
	s->verdict = answer.verdict;
	s->row = answer.row;
}

static int database_load(struct cmd *c, const struct assets *assets, struct probe_options *o,
			 struct err *err)
{
	struct run_options ro = c->o.run;
	struct target *targets;
	struct cxx_db *db;
	size_t nr;

	if (run_targets(&targets, &nr, &c->arena, assets, &ro, err) ||
	    cxx_db_load(&db, &c->arena, assets, targets[0].version, targets[0].build, err))
		return -1;
	if (db) {
		o->lookup = lookup;
		o->lookup_ctx = db;
	}
	return 0;
}

/* Words of rules/, what the line says of --repo, then the probe. */
static int probe_all(struct cmd *c, struct probe *p, struct probe_options *o, struct run *run,
		     struct err *err)
{
	const struct result *r = run ? run_result(run) : NULL;
	size_t i;

	for (i = 0; i < c->o.probing.libraries.nr; i++)
		strings_add(&o->libraries, &c->arena, c->o.probing.libraries.v[i]);
	if (r) {
		o->tree = p->repo = c->o.probing.repo;
		o->packages = r->repo->packages;
		probe_lines(p, r);
	}
	if (probe_run(p, err))
		return -1;
	if (c->o.probing.verify)
		return probe_verify_patch(c, p, r, err);
	return 0;
}

static int probe_check(struct cmd *c, struct err *err)
{
	if (c->nr_args)
		return err_set(err, "probe takes no path, not '%s' (did you mean --lib or --repo?)",
			       c->args[0]);
	if (c->o.probing.verify && (!c->o.probing.repo || !c->o.run.python))
		return err_set(err, "--verify-patch needs --repo and --python");
	return 0;
}

static int probe_line_run(struct cmd *c, struct run **run, struct err *err)
{
	*run = NULL;
	if (!c->o.probing.repo)
		return 0;
	c->o.run.path = c->o.probing.repo;
	return progress_run(run, c, RUN_ALL, err);
}

static int probe_cmd_run(struct cmd *c, struct err *err)
{
	struct probe_options o = {
		.python = c->o.run.python,
		.static_path = c->o.probing.statics,
		.seconds = c->o.probing.timeout ? c->o.probing.timeout : SECONDS,
		.launch = !c->o.probing.no_launch,
		.say = say,
		.say_ctx = c,
	};
	struct probe p = {.arena = &c->arena, .o = &o};
	struct probe_words *words;
	struct assets assets;
	struct run *run;
	int ret;

	if (probe_check(c, err) || assets_load(&assets, &c->arena, c->o.run.rules_dir, err) ||
	    probe_words_load(&words, &c->arena, &assets, err) ||
	    (o.static_path && database_load(c, &assets, &o, err)) || probe_line_run(c, &run, err))
		return -1;
	p.words = words;
	ret = probe_all(c, &p, &o, run, err);
	if (!ret && c->o.json)
		probe_json(&c->out, &p, TOOL_NAME, TOOL_VERSION);
	else if (!ret)
		probe_text(&c->out, &p, c->o.run.verbose);
	run_free(run);
	return ret ? -1 : STATUS_OK;
}

const struct command cmd_probe = {
	.name = "probe",
	.usage = "[OPTIONS]",
	.summary = "the machine: CUDA runtimes, and what loads with which",
	.about = "Loads foreign code, in children with a limit; their exits, signals and hangs are "
		 "results.\n"
		 "With --python the interpreter is run, and imports the frameworks that it has. "
		 "Without a\n"
		 "GPU, a driver or CUDA the rest is tested, and what was not is said.\n",
	.options = probe_options,
	.run = probe_cmd_run,
};

static int step_cmd_run(struct cmd *c, struct err *err)
{
	(void)probe_step(c->args, c->nr_args);
	return err_set(err, "no such step; probe runs this itself");
}

/* In no list: what `probe` starts as its children. */
const struct command cmd_probe_step = {
	.name = "probe-step",
	.usage = "STEP",
	.summary = "one question of probe, in a child",
	.about = "",
	.run = step_cmd_run,
};
