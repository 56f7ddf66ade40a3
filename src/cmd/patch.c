/*
 * patch.c - `patch`: the plan's safe edits as a diff, or written into the tree.
 *
 * The line runs as for `scan`; then the plan is made once more, over what a patch may take:
 * findings that ask for a change, and unsafe fixes where they are asked for.
 */
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/path.h"
#include "cmd/cmd.h"
#include "cmd/output.h"
#include "patch/patch.h"
#include "plan/plan.h"
#include "programs.h"
#include "py/py.h"
#include "report/drafts.h"

#define LEFT_SHOWN  12
#define NAMES_SHOWN 8
#define UNDO_MAX   (10 * PATH_MAX)

/* ---- the plan -------------------------------------------------------------------------------- */

static bool finding_asks(const struct finding *f)
{
	return f->level == LEVEL_CHANGE || f->level == LEVEL_EXPIRED || f->level == LEVEL_BLOCKED;
}

/* Why this patch leaves a finding alone, NULL: it is about it. */
static const char *finding_kept(const struct cmd *c, const struct finding *f)
{
	bool expired = f->level == LEVEL_EXPIRED;

	if (!finding_asks(f))
		return "left to a person";
	if (c->o.remove_expired && !expired)
		return "only what has expired is undone";
	return expired && !c->o.remove_expired ? "--remove-expired undoes it" : NULL;
}

static int plan_again(struct cmd *c, struct result *r, struct err *err)
{
	size_t i;

	for (i = 0; i < r->findings.nr; i++) {
		struct finding *f = r->findings.v[i];

		f->reason_not_applied = finding_kept(c, f);
		if (c->o.unsafe && f->fix && f->fix->safety == SAFETY_UNSAFE)
			f->fix->safety = SAFETY_SAFE;
	}
	memset(&r->plan, 0, sizeof(r->plan));
	if (c->o.rename && plan_rename(r, c->o.rename, &c->arena, err))
		return -1;
	if (c->o.base && expire_from_base(r, c->o.run.path, c->o.base, &c->arena, err))
		return -1;
	plan_build(r, &c->arena);
	return 0;
}

int patch_make(struct cmd *c, struct result *r, struct patch **patch, struct err *err)
{
	struct patch_options o = {
		.markers = MARKERS_FULL, .shape = py_shape, .tag = c->o.marker_tag};

	if (c->o.markers && !strcmp(c->o.markers, "short"))
		o.markers = MARKERS_SHORT;
	else if (c->o.markers && !strcmp(c->o.markers, "none"))
		o.markers = MARKERS_NONE;
	if (plan_again(c, r, err))
		return -1;
	return patch_build(patch, r, &o, &c->arena, err);
}

/* ---- what is said ---------------------------------------------------------------------------- */

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void said_list(struct strbuf *out, const char *what, const struct strings *list)
{
	size_t i;

	strbuf_addf(out, "%s ", what);
	for (i = 0; i < list->nr && i < NAMES_SHOWN; i++) {
		strbuf_addstr(out, i ? ", " : "");
		path_print(out, list->v[i]);
	}
	if (i < list->nr)
		strbuf_addf(out, " and %zu more", list->nr - i);
	strbuf_addch(out, '\n');
}

/* What a reader of the patch has to know about the tree that comes out. */
static void said_after(struct strbuf *out, struct cmd *c, const struct result *r,
		       const struct patch *p)
{
	const struct strings *scope = &r->repo->scope;
	struct strings created = {0}, because = {0};
	size_t i;

	for (i = 0; i < p->nr_files; i++)
		if (!p->files[i].source)
			strings_add(&created, &c->arena, p->files[i].path);
	if (created.nr)
		said_list(out, "pdmigrate: created", &created);
	for (i = 0; i < r->requires_because.nr; i++)
		if (strings_has(&p->rules, r->requires_because.v[i]))
			strings_add(&because, &c->arena, r->requires_because.v[i]);
	if (because.nr) {
		strbuf_addf(out, "pdmigrate: requires: %s >= %s", r->vocab->target_roots[0],
			    r->requires);
		said_list(out, " because", &because);
	}
	if (scope->nr) {
		strbuf_addstr(out, "pdmigrate: use: ");
		path_print(out, line_with_scope(r->vocab->use_line, scope, &c->arena));
		strbuf_addch(out, '\n');
	}
}

static void said_patch(struct strbuf *out, const struct patch *p, bool written)
{
	size_t i;

	if (!p->nr_files) {
		strbuf_addstr(out, "pdmigrate: nothing to patch\n");
		return;
	}
	strbuf_addf(out, "pdmigrate: %s %zu hunk%s in %zu file%s", written ? "wrote" : "diff of",
		    p->hunks, plural(p->hunks), p->nr_files, plural(p->nr_files));
	if (p->created)
		strbuf_addf(out, " (%zu created)", p->created);
	strbuf_addf(out, ", %zu line%s added", p->lines_added, plural(p->lines_added));
	if (p->markers)
		strbuf_addf(out, " (%zu of markers)", p->markers);
	strbuf_addf(out, " and %zu removed, by ", p->lines_removed);
	for (i = 0; i < p->rules.nr; i++)
		strbuf_addf(out, "%s%s", i ? ", " : "", p->rules.v[i]);
	strbuf_addch(out, '\n');
}

/* Is the patch about it at all? */
static bool finding_meant(const struct cmd *c, const struct finding *f)
{
	return !c->o.remove_expired || f->level == LEVEL_EXPIRED;
}

static bool finding_left(const struct cmd *c, const struct finding *f)
{
	return f->state == STATE_OPEN && finding_asks(f) && finding_meant(c, f) && !patch_takes(f);
}

static const char *left_why(const struct finding *f)
{
	if (f->level == LEVEL_BLOCKED)
		return "blocked: no equivalent";
	if (f->reason_not_applied)
		return f->reason_not_applied;
	if (!f->fix)
		return "no fix is known";
	return f->fix->reason ? f->fix->reason : "left to a person";
}

static bool left_same(const struct finding *a, const struct finding *b)
{
	return !strcmp(a->rule, b->rule) && !strcmp(left_why(a), left_why(b));
}

static void left_line(struct strbuf *out, const struct finding *f, size_t nr)
{
	struct strbuf why = STRBUF_INIT;

	strbuf_addf(out, "pdmigrate: left %s ", f->rule);
	path_print(out, f->source->path);
	strbuf_addf(out, ":%u", (unsigned)f->line);
	if (nr > 1)
		strbuf_addf(out, " and %zu more", nr - 1);
	strbuf_addstr(out, ": ");
	strbuf_addwords(&why, left_why(f));
	path_print(out, why.buf);
	strbuf_addch(out, '\n');
	strbuf_release(&why);
}

/* One line a rule and reason. */
static void said_left(struct strbuf *out, struct cmd *c, const struct result *r)
{
	bool *done = arena_array(&c->arena, r->findings.nr + 1, sizeof(*done));
	size_t shown = 0, more = 0, i, k, nr;

	for (i = 0; i < r->findings.nr; i++) {
		const struct finding *f = r->findings.v[i];

		if (done[i] || !finding_left(c, f))
			continue;
		for (k = i, nr = 0; k < r->findings.nr; k++)
			if (!done[k] && finding_left(c, r->findings.v[k]) &&
			    left_same(f, r->findings.v[k])) {
				done[k] = true;
				nr++;
			}
		if (shown++ < LEFT_SHOWN || c->o.run.verbose)
			left_line(out, f, nr);
		else
			more += nr;
	}
	if (more)
		strbuf_addf(out, "pdmigrate: left %zu more (-v)\n", more);
}

/* A path as a word for a shell; control bytes only so that they are seen. */
static void said_word(struct strbuf *out, const char *s)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-./+:,@%";

	if (!s[strspn(s, plain)]) {
		strbuf_addstr(out, s);
		return;
	}
	strbuf_addch(out, '\'');
	for (; *s; s++) {
		if (*s == '\'')
			strbuf_addstr(out, "'\\''");
		else if ((unsigned char)*s < 0x20 || *s == 0x7f)
			strbuf_addf(out, "\\x%02x", (unsigned char)*s);
		else
			strbuf_addch(out, *s);
	}
	strbuf_addch(out, '\'');
}

static void said_undo(struct strbuf *out, const struct result *r, const char *undo)
{
	if (!undo)
		return;
	strbuf_addstr(out, "pdmigrate: the way back: patch -p1 -d ");
	said_word(out, r->repo->root);
	strbuf_addstr(out, " -i ");
	said_word(out, undo);
	strbuf_addch(out, '\n');
}

static void say(const struct cmd *c, const struct strbuf *text)
{
	if (!c->o.run.quiet)
		(void)fs_write_all(STDERR_FILENO, text->buf, text->len);
}

/* ---- where it goes --------------------------------------------------------------------------- */

static int output_write(struct cmd *c, const struct strbuf *text, struct err *err)
{
	struct output out = {.path = c->o.output, .text = *text};

	return outputs_write(&out, 1, &c->arena, err);
}

static int patch_status(const struct cmd *c, const struct result *r)
{
	struct result left = *r;
	size_t i;

	left.findings.v = xcalloc(r->findings.nr + 1, sizeof(*left.findings.v));
	left.findings.nr = 0;
	for (i = 0; i < r->findings.nr; i++)
		if (finding_meant(c, r->findings.v[i]) && !patch_takes(r->findings.v[i]))
			left.findings.v[left.findings.nr++] = r->findings.v[i];
	i = (size_t)gate_status(c, &left);
	free(left.findings.v);
	return (int)i;
}

/* The diff to where it is wanted, or the tree written. */
static int patch_deliver(struct cmd *c, struct place *place, const struct patch *patch,
			 const char **undo, struct err *err)
{
	struct strbuf diff = STRBUF_INIT;
	int ret = 0;

	if (place)
		return patch->nr_files ? patch_write(place, patch, c->o.force, undo, err) : 0;
	patch_diff(&diff, patch, false);
	if (c->o.output)
		ret = output_write(c, &diff, err);
	if (c->o.dry_run)
		strbuf_add(&c->out, diff.buf, diff.len);
	strbuf_release(&diff);
	return ret;
}

static int patch_finish(struct cmd *c, struct place *place, struct result *r, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	struct patch *patch;
	const char *undo = NULL;
	struct drafts drafts;
	int status = -1;

	if (!patch_make(c, r, &patch, err) && !drafts_make(c, r, &drafts, &text, err)) {
		status = patch_status(c, r);
		notices_print(&text, &r->notices, c->o.run.verbose);
		said_left(&text, c, r);
		said_patch(&text, patch, place != NULL);
		if (patch->nr_files)
			said_after(&text, c, r, patch);
		/* Once the tree is written nothing may fail for want of memory. */
		strbuf_grow(&text, UNDO_MAX);
		if (patch_deliver(c, place, patch, &undo, err)) {
			drafts_undo(&drafts);
			status = -1;
		}
		drafts_close(&drafts);
	}
	if (status >= 0) {
		said_undo(&text, r, undo);
		say(c, &text);
	}
	strbuf_release(&text);
	return status;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* A diff of a tree that is half written would be of no use. */
static int interrupted_check(const char *path, struct err *err)
{
	struct place *place;
	bool interrupted;

	if (place_open(&place, path, false, NULL))
		return 0;
	interrupted = place_interrupted(place);
	place_close(place);
	return interrupted ? err_set(err, "an earlier patch was interrupted; a patch that is "
					  "written puts the tree right first")
			   : 0;
}

static int place_ready(struct cmd *c, struct place **place, struct err *err)
{
	struct strbuf said = STRBUF_INIT;
	int ret;

	if (place_open(place, c->o.run.path, true, err))
		return -1;
	ret = place_recover(*place, c->o.force, &said, err);
	if (said.len)
		fprintf(stderr, "pdmigrate: %s\n", said.buf);
	strbuf_release(&said);
	return ret;
}

static int patch_line(struct cmd *c, struct place *place, struct err *err)
{
	struct run *run;
	int ret;

	if (progress_run(&run, c, RUN_ALL, err))
		return -1;
	ret = patch_finish(c, place, run_result(run), err);
	run_free(run);
	return ret;
}

static bool tag_is_plain(const char *s)
{
	if (!*s)
		return false;
	for (; *s; s++)
		if (*s < 0x20 || *s > 0x7e || strchr("()[]\\", *s))
			return false;
	return true;
}

static int patch_run(struct cmd *c, struct err *err)
{
	struct place *place = NULL;
	int ret;

	if (c->o.json)
		return err_set(err, "patch has one form, a diff; 'scan --json' has the edits");
	if (common_path(c, &c->o.run.path, ".", err) || config_apply(c, err) ||
	    installed_resolve(c, err))
		return -1;
	if (c->o.base && !c->o.remove_expired)
		return err_set(err, "--base goes with --remove-expired");
	if (c->o.marker_tag && !tag_is_plain(c->o.marker_tag))
		return err_set(err, "a tag is plain text without brackets");
	if (c->o.output && !strcmp(c->o.output, "-")) {
		c->o.output = NULL;
		c->o.dry_run = true;
	}
	if (c->o.dry_run || c->o.output)
		ret = interrupted_check(c->o.run.path, err);
	else
		ret = place_ready(c, &place, err);
	if (!ret)
		ret = patch_line(c, place, err);
	place_close(place);
	return ret;
}

static const struct opt patch_options[] = {
	{"dry-run", 'n', OPT_FLAG, offsetof(struct cmd_options, dry_run), NULL,
	 "print the diff, write nothing", NULL},
	{"output", 'o', OPT_TEXT, offsetof(struct cmd_options, output), "FILE",
	 "write the diff to FILE ('-': standard output), not the tree", NULL},
	{"unsafe", 0, OPT_FLAG, offsetof(struct cmd_options, unsafe), NULL,
	 "also edits that may change what the code does", NULL},
	{"dual", 0, OPT_FLAG, offsetof(struct cmd_options, run.dual), NULL,
	 "only edits after which the tree still runs on the upstream framework", NULL},
	{"rename", 0, OPT_TEXT, offsetof(struct cmd_options, rename), "NAME",
	 "give the project this name, and its look-ups of its own metadata", NULL},
	{"issue-drafts", 0, OPT_TEXT, offsetof(struct cmd_options, drafts), "DIR",
	 "write a draft of an issue for each gap that a fix upstream would spare", NULL},
	PLAN_OPTIONS,
	{"direct-entry", 0, OPT_FLAG, offsetof(struct cmd_options, run.direct_entry), NULL,
	 "also import the target's own build module in build scripts", NULL},
	{"force", 0, OPT_FLAG, offsetof(struct cmd_options, force), NULL,
	 "write files that git could not give back, too", NULL},
	{"markers", 0, OPT_CHOICE, offsetof(struct cmd_options, markers), "full|short|none",
	 "comments above edits that can go one day (default: full)", marker_words},
	{"marker-tag", 0, OPT_TEXT, offsetof(struct cmd_options, marker_tag), "TEXT",
	 "what stands in their brackets, an owner or an issue", NULL},
	{"remove-expired", 0, OPT_FLAG, offsetof(struct cmd_options, remove_expired), NULL,
	 "undo workarounds whose condition holds, and nothing else", NULL},
	{"base", 0, OPT_TEXT, offsetof(struct cmd_options, base), "REV",
	 "with --remove-expired: take what no rule can undo from this revision", NULL},
	{"fail-on", 0, OPT_CHOICE, offsetof(struct cmd_options, fail_on), "LEVEL",
	 "least level left that gives status 1 (default: change)", level_words},
	{"max-findings", 0, OPT_NUMBER, offsetof(struct cmd_options, max_findings), "N",
	 "status 1 only where more than N are left (default: 0)", NULL},
	{"strict", 0, OPT_FLAG, offsetof(struct cmd_options, strict), NULL,
	 "status 3 when part of the input was not analysed", NULL},
	{"exit-zero", 0, OPT_FLAG, offsetof(struct cmd_options, exit_zero), NULL,
	 "status 0 in place of 1", NULL},
	CONFIG_OPTIONS,
	{0},
};

const struct command cmd_patch = {
	.name = "patch",
	.usage = "[OPTIONS] [PATH]",
	.summary = "apply the safe edits, all or nothing; --dry-run prints them as a diff",
	.about = "Only findings that ask for a change are patched, and only with fixes that are "
		 "safe.\n"
		 "Files are written when git has them as they are, in HEAD and in the index; "
		 "outside\n"
		 "git a reverse diff is written beside the tree first. What is left, and why, is "
		 "said\n"
		 "on standard error. --rule, --layer and --path narrow the patch.\n",
	.options = patch_options,
	.run = patch_run,
};
