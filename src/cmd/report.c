/*
 * report.c - `report`: a result for machines, CI and people, in several formats at once.
 *
 * In: a tree, or a result that was printed as JSON. Everything is rendered before anything is written.
 */
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/json_read.h"
#include "cmd/cmd.h"
#include "cmd/output.h"
#include "report/report.h"
#include "rule/rule.h"

#define RESULT_MAX (1u << 30)

static const char *const format_words[] = {"text", "json", "jsonl", "sarif", "github", "markdown",
					   "concise", "gitlab", "junit", "csv", NULL};

/* What is asked for: formats in the order of their list, each into a file or to standard output. */
struct wanted {
	const struct format *format[FORMAT_NR + 1];
	struct output out[FORMAT_NR + 1];
	size_t nr;
};

static int wanted_add(struct wanted *w, const struct format *f, const char *path, struct err *err)
{
	size_t i;

	if (!*path || !strcmp(path, "-"))
		path = NULL;
	for (i = 0; i < w->nr; i++) {
		if (!path && !w->out[i].path)
			return err_set(err, "only one format can go to standard output, not %s and %s",
				       w->format[i]->name, f->name);
		if (path && w->out[i].path && !strcmp(path, w->out[i].path))
			return err_set(err, "%s and %s cannot both be written to '%s'",
				       w->format[i]->name, f->name, path);
	}
	w->format[w->nr] = f;
	w->out[w->nr++] = (struct output){.path = path, .text = STRBUF_INIT};
	return 0;
}

static int wanted_make(struct wanted *w, const struct cmd *c, struct err *err)
{
	const char *named = c->o.report_format;
	size_t i;

	for (i = 0; i < FORMAT_NR; i++)
		if (c->o.outputs[i] && wanted_add(w, &formats[i], c->o.outputs[i], err))
			return -1;
	if (!named && (!w->nr || c->o.output))
		named = c->o.from ? "concise" : "text";
	if (named && wanted_add(w, format_find(named), c->o.output ? c->o.output : "", err))
		return -1;
	for (i = 0; i < w->nr && c->o.from; i++)
		if (w->format[i] == &formats[FORMAT_TEXT])
			return err_set(err, "text is made of a tree; --from has the other formats");
	return 0;
}

static bool wanted_has(const struct wanted *w, int format)
{
	size_t i;

	for (i = 0; i < w->nr; i++)
		if (w->format[i] == &formats[format])
			return true;
	return false;
}

static void wanted_release(struct wanted *w)
{
	size_t i;

	for (i = 0; i < w->nr; i++)
		strbuf_release(&w->out[i].text);
}

/* ---- what is said about rules ------------------------------------------------------------------- */

/* Texts of `explain` for the rules of the findings; a rule of another version has none. */
static int rules_help(struct cmd *c, const struct result *r, struct report_options *o,
		      struct err *err)
{
	struct rule_help *v = arena_array(&c->arena, r->findings.nr + 1, sizeof(*v));
	struct strbuf text = STRBUF_INIT;
	struct strings ids = {0};
	struct assets assets;
	struct rules *rules;
	size_t i;

	if (assets_load(&assets, &c->arena, c->o.run.rules_dir, err) ||
	    rules_load(&rules, &c->arena, &assets, r->targets, r->nr_targets, err))
		return -1;
	for (i = 0; i < r->findings.nr; i++) {
		const char *id = r->findings.v[i]->rule;

		if (strings_has(&ids, id) || !rules_has(rules, id))
			continue;
		strings_add(&ids, &c->arena, id);
		strbuf_reset(&text);
		if (rules_explain(rules, id, &text, err))
			return -1;
		v[o->nr_rules++] = (struct rule_help){
			id, arena_strndup(&c->arena, text.buf, text.len)};
	}
	strbuf_release(&text);
	o->rules = v;
	return 0;
}

/* ---- the result --------------------------------------------------------------------------------- */

static int json_file(struct json_node **out, struct cmd *c, const char *path, struct err *err)
{
	struct fs_text text;
	int ret;

	if (fs_read_path(path, RESULT_MAX, &text, err))
		return -1;
	ret = json_parse(out, &c->arena, path, text.data, text.len, err);
	fs_text_free(&text);
	return ret;
}

static int probe_read(struct cmd *c, struct result *r, struct err *err)
{
	struct json_node *json;

	if (!c->o.probe_file)
		return 0;
	if (json_file(&json, c, c->o.probe_file, err))
		return -1;
	if (json->kind != JSON_MAP)
		return err_set(err, "%s: a probe's result is an object", c->o.probe_file);
	r->probe = json;
	return 0;
}

/* Compare, render, write; the status. */
static int report_finish(struct cmd *c, struct result *r, struct wanted *w, struct err *err)
{
	struct report_options o = {
		.gate = gate_level(c),
		.verbose = c->o.run.verbose,
		.color = common_color(c, STDOUT_FILENO),
	};
	size_t i, nr = 0;

	if (probe_read(c, r, err) || baseline_apply(c, r, err) || baseline_write(c, r, err))
		return -1;
	if (wanted_has(w, FORMAT_SARIF) && rules_help(c, r, &o, err))
		return -1;
	for (i = 0; i < w->nr; i++)
		w->format[i]->print(w->out[i].path ? &w->out[i].text : &c->out, r, &o);
	/* What goes to standard output is written by the caller. */
	for (i = 0; i < w->nr; i++)
		if (w->out[i].path)
			w->out[nr++] = w->out[i];
	w->nr = nr;
	if (outputs_write(w->out, nr, &c->arena, err))
		return -1;
	notices_say(c, r);
	return gate_status(c, r);
}

static int report_from(struct cmd *c, struct wanted *w, struct err *err)
{
	const char *path = c->nr_args ? c->o.run.path : NULL;
	struct json_node *json;
	struct assets assets;
	struct vocab *vocab;
	struct result *r;
	int ret;

	if ((path && config_apply(c, err)) || json_file(&json, c, c->o.from, err) ||
	    assets_load(&assets, &c->arena, c->o.run.rules_dir, err) ||
	    vocab_load(&vocab, &c->arena, &assets, err))
		return -1;
	if (report_read(&r, &c->arena, json, vocab, path, err))
		return err_context(err, "%s", c->o.from);
	ret = report_finish(c, r, w, err);
	report_read_close(r);
	return ret;
}

static int report_tree(struct cmd *c, struct wanted *w, struct err *err)
{
	struct run *run;
	int ret;

	if (config_apply(c, err) || installed_resolve(c, err))
		return -1;
	if (progress_run(&run, c, RUN_ALL, err))
		return -1;
	ret = report_finish(c, run_result(run), w, err);
	run_free(run);
	return ret;
}

static int report_run(struct cmd *c, struct err *err)
{
	struct wanted w = {.nr = 0};
	int ret;

	if (common_path(c, &c->o.run.path, ".", err))
		return -1;
	if (c->o.fork || c->o.onto)
		return report_fork(c, err);
	if (wanted_make(&w, c, err))
		return -1;
	ret = c->o.from ? report_from(c, &w, err) : report_tree(c, &w, err);
	wanted_release(&w);
	return ret;
}

#define OWN(field) offsetof(struct cmd_options, field)
#define FORMAT(name, id, what)                                                                     \
	{name, 0, OPT_MAYBE, OWN(outputs[id]), "FILE", what, NULL}

static const struct opt report_options[] = {
	{"format", 0, OPT_CHOICE, OWN(report_format), "NAME",
	 "form of what is printed, or of --output: text (default) or one of those below",
	 format_words},
	{"output", 'o', OPT_TEXT, OWN(output), "FILE", "where --format goes (default: standard output)",
	 NULL},
	FORMAT("json", FORMAT_JSON, "the whole result, schema 1"),
	FORMAT("jsonl", FORMAT_JSONL, "the same, a record a line"),
	FORMAT("sarif", FORMAT_SARIF, "SARIF 2.1.0, for code scanning"),
	FORMAT("github", FORMAT_GITHUB, "annotations of a GitHub workflow"),
	FORMAT("markdown", FORMAT_MARKDOWN, "a comment for a pull request"),
	FORMAT("concise", FORMAT_CONCISE, "one line a finding"),
	FORMAT("gitlab", FORMAT_GITLAB, "GitLab's code quality report"),
	FORMAT("junit", FORMAT_JUNIT, "JUnit XML, a test case a finding"),
	FORMAT("csv", FORMAT_CSV, "a table, a row a finding"),
	{"from", 0, OPT_TEXT, OWN(from), "RESULT",
	 "print this JSON result again; PATH is then only read for its lines", NULL},
	{"fork", 0, OPT_TEXT, OWN(fork), "REV",
	 "audit instead: what HEAD changed since it left REV, and why", NULL},
	{"onto", 0, OPT_TEXT, OWN(onto), "REV",
	 "with --fork: what becomes of it on REV; -o: new folder for the patches", NULL},
	{"probe", 0, OPT_TEXT, OWN(probe_file), "FILE", "put what a probe said into the result", NULL},
	GATE_OPTIONS,
	BASELINE_OPTIONS,
	CONFIG_OPTIONS,
	PLAN_OPTIONS,
	{0},
};

const struct command cmd_report = {
	.name = "report",
	.usage = "[OPTIONS] [PATH]",
	.summary = "the result for CI, tools and people; compared with what was known before",
	.about = "A format's option takes a file (--sarif=out.sarif) or prints (--sarif); several go\n"
		 "together. A baseline holds what was known: only what is new counts for the status.\n"
		 "Files are written all of them or none.\n",
	.options = report_options,
	.run = report_run,
};
