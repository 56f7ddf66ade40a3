/* coverage.c - `coverage`: questions to the database. */
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "base/yaml.h"
#include "cmd/coverage.h"
#include "cover/commands.h"
#include "cover/cover.h"

#define STDIN_MAX (64u << 20)

/* What names are looked up in. */
struct lookup {
	const struct cover *cover;
	struct coverage_cxx cxx;
};

static void lookup_name(struct cmd *c, const struct lookup *l, const char *name)
{
	struct cover_answer answer;

	if (coverage_cxx_lookup(&l->cxx, c, name))
		return;
	answer = cover_lookup(l->cover, &c->arena, name);
	path_print(&c->out, name);
	strbuf_addf(&c->out, "\t%s\t", verdict_name(answer.verdict));
	path_print(&c->out, answer.row ? answer.row : "-");
	strbuf_addch(&c->out, '\n');
}

static int lookup_stdin(struct cmd *c, const struct lookup *l, struct err *err)
{
	struct strbuf in = STRBUF_INIT;
	char buf[65536], *line, *end;
	ssize_t n;

	while ((n = read(STDIN_FILENO, buf, sizeof(buf))) > 0 && in.len < STDIN_MAX)
		strbuf_add(&in, buf, (size_t)n);
	if (n) {
		strbuf_release(&in);
		return n < 0 ? err_errno(err, "cannot read the names")
			     : err_set(err, "more than %u bytes of names", STDIN_MAX);
	}
	for (line = in.buf; line < in.buf + in.len; line = end + 1) {
		end = line + strcspn(line, "\n");
		if (end > line && end[-1] == '\r')
			end[-1] = 0;
		*end = 0;
		if (*line)
			lookup_name(c, l, line);
	}
	strbuf_release(&in);
	return 0;
}

static int coverage_lookup(struct cmd *c, struct err *err)
{
	struct assets assets;
	struct target *targets;
	struct lookup l = {0};
	struct cover *cover;
	size_t nr;
	int i;

	if (c->nr_args < 2)
		return err_set(err, "coverage lookup wants a name");
	if (common_targets(c, &assets, &targets, &nr, err) ||
	    cover_load(&cover, &c->arena, &assets, targets, nr, err) ||
	    coverage_cxx_load(&l.cxx, c, &assets, targets, nr, err))
		return -1;
	l.cover = cover;
	for (i = 1; i < c->nr_args; i++) {
		if (strcmp(c->args[i], "-"))
			lookup_name(c, &l, c->args[i]);
		else if (lookup_stdin(c, &l, err))
			return -1;
	}
	return STATUS_OK;
}

static int coverage_diff(struct cmd *c, struct err *err)
{
	struct assets assets;
	bool different = false;

	if (c->nr_args != 3)
		return err_set(err, "coverage diff wants two versions");
	if (assets_load(&assets, &c->arena, c->o.run.rules_dir, err) ||
	    cover_diff(&assets, c->args[1], c->args[2], &c->out, &different, err))
		return -1;
	return different && !c->o.exit_zero ? STATUS_OPEN : STATUS_OK;
}

static int coverage_list(struct cmd *c, struct err *err)
{
	struct assets assets;

	if (c->nr_args != 1)
		return err_set(err, "coverage list takes no argument '%s'", c->args[1]);
	if (assets_load(&assets, &c->arena, c->o.run.rules_dir, err))
		return -1;
	return cover_list(&assets, &c->out, err);
}

static int coverage_dump(struct cmd *c, struct err *err)
{
	struct assets assets;
	struct err cxx = {{0}};

	if (c->nr_args != 2)
		return err_set(err, "coverage dump wants a folder to write to");
	if (!c->o.run.python)
		return err_set(err, "coverage dump wants --python");
	if (assets_load(&assets, &c->arena, c->o.run.rules_dir, err))
		return -1;
	if (c->o.cxx_only)
		return coverage_dump_cxx(c, &assets, c->args[1], err);
	if (cover_dump(&assets, c->o.run.python, c->args[1], err))
		return -1;
	if (coverage_dump_cxx(c, &assets, c->args[1], &cxx))
		fprintf(stderr, "pdmigrate: no C++ tables written: %s\n", cxx.msg);
	return STATUS_OK;
}

static int coverage_write_stubs(struct cmd *c, struct err *err)
{
	struct coverage_cxx cxx;
	struct target *targets;
	struct assets assets;
	size_t nr;

	if (c->nr_args != 2)
		return err_set(err, "coverage stubs wants a folder to write to");
	if (common_targets(c, &assets, &targets, &nr, err) ||
	    coverage_cxx_load(&cxx, c, &assets, targets, nr, err))
		return -1;
	return coverage_stubs(c, &cxx, &assets, c->args[1], err);
}

static int coverage_run(struct cmd *c, struct err *err)
{
	static const char *const words[] = {"lookup", "diff", "list", "dump", "stubs", NULL};
	static int (*const runs[])(struct cmd *, struct err *) = {
		coverage_lookup,
		coverage_diff,
		coverage_list,
		coverage_dump,
		coverage_write_stubs,
	};
	const char *near;
	size_t i;

	if (!c->nr_args)
		return err_set(err, "coverage wants one of lookup, diff, list, dump, stubs");
	for (i = 0; words[i]; i++)
		if (!strcmp(words[i], c->args[0]))
			return runs[i](c, err);
	near = nearest_word(c->args[0], words);
	return near ? err_set(err, "unknown command 'coverage %s' (did you mean '%s'?)", c->args[0],
			      near)
		    : err_set(err, "unknown command 'coverage %s'", c->args[0]);
}

static const struct opt coverage_options[] = {
	{"exit-zero", 0, OPT_FLAG, offsetof(struct cmd_options, exit_zero), NULL,
	 "diff: status 0 in place of 1", NULL},
	{"cxx", 0, OPT_FLAG, offsetof(struct cmd_options, cxx_only), NULL,
	 "dump: only the C++ tables; nothing is run", NULL},
	{0},
};

const struct command cmd_coverage = {
	.name = "coverage",
	.usage = "lookup NAME... | diff A B | list | dump --python PY DIR | stubs DIR",
	.summary = "ask the database what the target answers for",
	.about = "lookup prints NAME, verdict and database row, tab separated; '-' reads names from\n"
		 "standard input. C++ names (a::b), headers and macros are answered from the C++\n"
		 "tables. diff compares two versions, status 1 when they differ. list prints what\n"
		 "is shipped. dump RUNS the interpreter given, reads the headers beside it with\n"
		 "libclang ($PDMIGRATE_LIBCLANG, else the newest installed) and $CUDA_HOME, and writes a\n"
		 "database to DIR. stubs writes the headers that C++ is parsed against, for a look.\n",
	.options = coverage_options,
	.run = coverage_run,
};
