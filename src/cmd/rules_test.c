/*
 * rules_test.c - `rules test`: every example of every rule through the whole line.
 *
 * An example is written to a fresh temporary folder, analysed there and removed. A rule that does
 * not hold for the default target (version range, build) is tried on the others that are shipped;
 * where its first `before` is found, its other examples run too.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/path.h"
#include "cmd/cmd.h"
#include "cover/cover.h"
#include "patch/patch.h"
#include "py/py.h"
#include "rule/rule.h"

/* A version and build to try. */
struct aim {
	const char *version, *build;
};

struct tester {
	struct cmd *cmd;
	const struct rules *rules;
	struct aim *aims;
	size_t nr_aims;
	char dir[256];
	size_t failed;
};

/* ---- one example in a folder -------------------------------------------------------------------
 */

static int folder_make(const char *dir, const char *path, struct arena *a, struct err *err)
{
	const char *slash;

	for (slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		const char *sub = arena_fmt(a, "%s/%.*s", dir, (int)(slash - path), path);

		if (mkdir(sub, 0700) && errno != EEXIST)
			return err_errno(err, "cannot make folder '%s'", sub);
	}
	return 0;
}

static int example_write(const char *dir, const char *path, const char *text, struct arena *a,
			 struct err *err)
{
	const char *full = path_join(a, dir, path);
	int fd, ret;

	if (folder_make(dir, path, a, err))
		return -1;
	fd = open(full, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return err_errno(err, "cannot write '%s'", full);
	ret = fs_write_all(fd, text, strlen(text));
	if (close(fd) || ret)
		return err_errno(err, "cannot write '%s'", full);
	return 0;
}

/* Remove what example_write made, and nothing else. */
static void example_remove(const char *dir, const char *path, struct arena *a)
{
	size_t n = strlen(path);

	unlink(path_join(a, dir, path));
	while ((n = path_dirlen(arena_strndup(a, path, n))))
		rmdir(arena_fmt(a, "%s/%.*s", dir, (int)n, path));
}

static bool example_path_ok(const char *path)
{
	struct arena a = {0};
	const char *same = path_resolve(&a, "", path);
	bool ok = same && *same && !strcmp(same, path);

	arena_free(&a);
	return ok;
}

/* Run the line over text as `path`. The caller frees the run. */
static int example_run(struct tester *t, struct run **run, struct run_options *o, const char *path,
		       const char *text, struct err *err)
{
	struct arena a = {0};
	int ret;

	ret = example_write(t->dir, path, text, &a, err) || run_line(run, o, RUN_ALL, err);
	example_remove(t->dir, path, &a);
	arena_free(&a);
	return ret ? -1 : 0;
}

static size_t rule_found(const struct result *r, const char *rule)
{
	size_t i, nr = 0;

	for (i = 0; i < r->findings.nr; i++)
		nr += !strcmp(r->findings.v[i]->rule, rule);
	return nr;
}

/* ---- edits -------------------------------------------------------------------------------------
 */

static int edit_compare(const void *a, const void *b)
{
	const struct edit *x = a, *y = b;

	if (x->span.start != y->span.start)
		return x->span.start < y->span.start ? -1 : 1;
	if (x->span.end != y->span.end)
		return x->span.end < y->span.end ? -1 : 1;
	return strcmp(x->text ? x->text : "", y->text ? y->text : "");
}

/* The rule's own edits of the example's file, in order. */
static size_t edits_take(struct edit **out, const struct result *r, const char *rule,
			 struct arena *a)
{
	VEC(struct edit) v = {0};
	size_t i, k;

	for (i = 0; i < r->findings.nr; i++) {
		const struct finding *f = r->findings.v[i];

		if (strcmp(f->rule, rule) || !f->fix)
			continue;
		for (k = 0; k < f->fix->nr_edits; k++) {
			const struct edit *e = &f->fix->edits[k];

			if (!e->create && (!e->path || !strcmp(e->path, f->source->path)))
				*VEC_PUSH(a, &v) = *e;
		}
	}
	if (v.nr)
		qsort(v.v, v.nr, sizeof(*v.v), edit_compare);
	*out = v.v;
	return v.nr;
}

/* False when edits overlap or leave the text. */
static bool edits_apply(struct strbuf *out, const char *text, const struct edit *v, size_t nr)
{
	size_t at = 0, len = strlen(text), i;

	for (i = 0; i < nr; i++) {
		if (i && !edit_compare(&v[i - 1], &v[i]))
			continue;
		if (v[i].span.start < at || v[i].span.end < v[i].span.start || v[i].span.end > len)
			return false;
		strbuf_add(out, text + at, v[i].span.start - at);
		strbuf_addstr(out, v[i].text ? v[i].text : "");
		at = v[i].span.end;
	}
	strbuf_add(out, text + at, len - at);
	return true;
}

/* ---- verdicts about examples -------------------------------------------------------------------
 */

static void example_fail(struct tester *t, const struct rule_example *e, const char *what)
{
	strbuf_addf(&t->cmd->out, "%s (line %d): %s\n", e->name, e->line, what);
	t->failed++;
}

/*
 * The reason why a mechanical fix of the rule came without edits, NULL when none did. A header shim
 * is no edit of the file: it stands beside the extension's declaration, which an example lacks.
 */
static const char *edits_missing(const struct result *r, const char *rule)
{
	size_t i;

	for (i = 0; i < r->findings.nr; i++) {
		const struct finding *f = r->findings.v[i];

		if (!strcmp(f->rule, rule) && f->fix && !f->fix->nr_edits && !f->fix->parts &&
		    (f->fix->safety == SAFETY_SAFE || f->fix->safety == SAFETY_UNSAFE))
			return f->fix->reason ? f->fix->reason : "no reason given";
	}
	return NULL;
}

static void edits_check(struct tester *t, const struct rule_example *e, const struct result *r)
{
	struct arena a = {0};
	struct strbuf made = STRBUF_INIT;
	struct edit *edits;
	size_t nr = edits_take(&edits, r, e->rule, &a);
	const char *missing = edits_missing(r, e->rule);

	if (missing)
		example_fail(t, e, arena_fmt(&a, "its fix makes no edit: %s", missing));
	else if (nr && !edits_apply(&made, e->text, edits, nr))
		example_fail(t, e, "its edits overlap or leave the text");
	else if (nr && strcmp(made.buf, e->after))
		example_fail(t, e,
			     arena_fmt(&a, "its edits do not make 'after' but:\n%s", made.buf));
	strbuf_release(&made);
	arena_free(&a);
}

/* Options of a run on one target; the folder is the tester's. */
static struct run_options aim_options(const struct tester *t, const struct aim *aim)
{
	struct run_options o = t->cmd->o.run;

	o.path = t->dir;
	o.versions = aim->version;
	o.target_build = aim->build;
	o.rule = (struct opt_list){0};
	o.layer = (struct opt_list){0};
	o.timing = false;
	o.jobs = 1;
	return o;
}

/* Ask for what the rule waits for. */
static void options_ask(struct run_options *o, unsigned request)
{
	o->entries = request & REQUEST_ENTRIES;
	o->hoist = request & REQUEST_HOIST;
	o->direct_entry = request & REQUEST_DIRECT;
	o->tests = request & REQUEST_TESTS ? "conftest" : NULL;
}

/* Findings of the rule in `text`; `e` (may be NULL) gets its edits checked. -1 when the line
 * failed. */
static int text_find(struct tester *t, const struct aim *aim, const struct rule_example *like,
		     const char *text, bool edits, size_t *found, struct err *err)
{
	struct run_options o = aim_options(t, aim);
	struct run *run;

	options_ask(&o, like->request);
	if (example_run(t, &run, &o, like->path, text, err))
		return -1;
	*found = rule_found(run_result(run), like->rule);
	if (edits)
		edits_check(t, like, run_result(run));
	run_free(run);
	return 0;
}

/* The first target on which the rule's first `before` is found; the first of all when there is
 * none. */
static int aim_choose(struct tester *t, const struct rule_example *v, size_t nr,
		      const struct aim **aim, struct err *err)
{
	size_t i, k, found;

	*aim = &t->aims[0];
	for (i = 0; i < nr && !v[i].after; i++)
		;
	for (k = 0; i < nr && k < t->nr_aims; k++) {
		if (text_find(t, &t->aims[k], &v[i], v[i].text, false, &found, err))
			return -1;
		if (!found)
			continue;
		*aim = &t->aims[k];
		break;
	}
	return 0;
}

/* Run in the dual form: edits of `text` make `made`, NULL: there are none. -1 when the line failed. */
static int dual_find(struct tester *t, const struct aim *aim, const struct rule_example *e,
		     const char *text, const char *made, struct err *err)
{
	struct run_options o = aim_options(t, aim);
	struct rule_example as = *e;
	struct arena a = {0};
	struct edit *edits;
	struct run *run;

	o.dual = true;
	options_ask(&o, e->request);
	as.after = made;
	as.name = arena_fmt(&a, "%s, dual", e->name);
	if (example_run(t, &run, &o, e->path, text, err)) {
		arena_free(&a);
		return -1;
	}
	if (made)
		edits_check(t, &as, run_result(run));
	else if (edits_take(&edits, run_result(run), e->rule, &a))
		example_fail(t, &as, "what was made is edited once more");
	run_free(run);
	arena_free(&a);
	return 0;
}

/* What --dual makes of an example, and that it leaves that alone. */
static int dual_test(struct tester *t, const struct aim *aim, const struct rule_example *e,
		     struct err *err)
{
	if (!e->dual)
		return 0;
	return dual_find(t, aim, e, e->text, e->dual, err) ||
			       dual_find(t, aim, e, e->dual, NULL, err)
		       ? -1
		       : 0;
}

static int example_test(struct tester *t, const struct aim *aim, const struct rule_example *e,
			struct err *err)
{
	size_t found;

	if (text_find(t, aim, e, e->text, e->after != NULL, &found, err))
		return -1;
	if (!e->after && found)
		example_fail(t, e, "'same' has a finding of the rule");
	if (!e->after)
		return 0;
	if (!found)
		example_fail(t, e, "'before' has no finding of the rule");
	if (text_find(t, aim, e, e->after, false, &found, err))
		return -1;
	if (found)
		example_fail(t, e, "'after' still has a finding of the rule");
	return dual_test(t, aim, e, err);
}

/* ---- the way back ------------------------------------------------------------------------------
 */

/* What `patch` makes of the example with markers, by its own rule alone; NULL: nothing. */
static int example_patch(struct tester *t, const struct aim *aim, const struct rule_example *e,
			 const char **out, struct arena *a, struct err *err)
{
	struct patch_options po = {.markers = MARKERS_FULL, .shape = py_shape};
	struct run_options o = aim_options(t, aim);
	struct run *run = NULL;
	struct patch *patch;
	int ret;

	*out = NULL;
	*VEC_PUSH(a, &o.rule) = e->rule;
	ret = example_write(t->dir, e->path, e->text, a, err) ||
	      run_line(&run, &o, RUN_ALL, err) ||
	      patch_build(&patch, run_result(run), &po, a, err);
	example_remove(t->dir, e->path, a);
	if (!ret && patch->nr_files == 1 && patch->markers)
		*out = patch->files[0].new;
	run_free(run);
	return ret ? -1 : 0;
}

/* Edits of everything that has expired. *reason: why one has none. */
static size_t expired_take(struct edit **out, const struct result *r, const char **reason,
			   struct arena *a)
{
	VEC(struct edit) v = {0};
	size_t i, k;

	*reason = NULL;
	for (i = 0; i < r->findings.nr; i++) {
		const struct finding *f = r->findings.v[i];

		if (f->level != LEVEL_EXPIRED || !f->fix)
			continue;
		if (!f->fix->nr_edits)
			*reason = arena_strdup(a, f->fix->reason ? f->fix->reason : "no reason");
		for (k = 0; k < f->fix->nr_edits; k++) {
			*VEC_PUSH(a, &v) = f->fix->edits[k];
			v.v[v.nr - 1].text = arena_strdup(a, f->fix->edits[k].text);
		}
	}
	if (v.nr)
		qsort(v.v, v.nr, sizeof(*v.v), edit_compare);
	*out = v.v;
	return v.nr;
}

/*
 * Patch the example, let its markers expire and undo: the same bytes. What cannot be undone for a
 * reason is left; *back counts what came back.
 */
static int example_back(struct tester *t, const struct aim *aim, const struct rule_example *e,
			size_t *back, const char **reason, struct err *err)
{
	struct arena *a = &t->cmd->arena;
	struct run_options o = aim_options(t, aim);
	struct strbuf made = STRBUF_INIT;
	const char *patched;
	struct edit *edits;
	struct run *run;
	size_t nr;

	if (!e->after)
		return 0;
	if (example_patch(t, aim, e, &patched, a, err))
		return -1;
	o.all_expired = true;
	if (!patched)
		return 0;
	if (example_run(t, &run, &o, e->path, patched, err))
		return -1;
	nr = expired_take(&edits, run_result(run), reason, a);
	run_free(run);
	if (*reason)
		return 0;
	if (!nr)
		example_fail(t, e, "its markers are not read again");
	else if (!edits_apply(&made, patched, edits, nr) || strcmp(made.buf, e->text))
		example_fail(t, e, arena_fmt(a, "what is undone is not 'before' but:\n%s", made.buf));
	else
		(*back)++;
	strbuf_release(&made);
	return 0;
}

/* Of a rule whose fix can be undone, one example at least comes back. */
static int rule_back(struct tester *t, const struct aim *aim, const struct rule_example *v,
		     size_t nr, struct err *err)
{
	const char *reason = NULL, *last = NULL;
	size_t i, back = 0;

	if (!rules_undoable(t->rules, v->rule))
		return 0;
	for (i = 0; i < nr; i++) {
		if (example_back(t, aim, &v[i], &back, &reason, err))
			return err_context(err, "%s, the way back", v[i].name);
		last = reason ? reason : last;
	}
	if (!back && last)
		example_fail(t, v, arena_fmt(&t->cmd->arena, "no example can be undone: %s", last));
	return 0;
}

static int rule_test(struct tester *t, const struct rule_example *v, size_t nr, struct err *err)
{
	const struct aim *aim;
	size_t i;

	for (i = 0; i < nr; i++)
		if (!example_path_ok(v[i].path))
			return err_set(err, "%s: path '%s' is not relative and plain", v[i].name,
				       v[i].path);
	if (aim_choose(t, v, nr, &aim, err))
		return -1;
	for (i = 0; i < nr; i++)
		if (example_test(t, aim, &v[i], err))
			return err_context(err, "%s", v[i].name);
	return rule_back(t, aim, v, nr, err);
}

/* ---- all ----------------------------------------------------------------------------------------
 */

/* Every version and build that may hold: those asked for, else the default first and all shipped.
 */
static void aims_collect(struct tester *t, const struct assets *assets, const struct target *first)
{
	static const char *const builds[] = {"cuda", "cpu"};
	struct arena *a = &t->cmd->arena;
	const struct run_options *o = &t->cmd->o.run;
	struct strings versions = {0};
	VEC(struct aim) v = {0};
	size_t i, b;

	*VEC_PUSH(a, &v) =
		(struct aim){o->versions ? o->versions : first->version, first->build};
	if (o->versions)
		strings_add(&versions, a, o->versions);
	else
		cover_versions(assets, a, &versions);
	for (i = versions.nr; i-- > 0;)
		for (b = 0; b < 2; b++)
			if (!o->target_build || !strcmp(o->target_build, builds[b]))
				*VEC_PUSH(a, &v) = (struct aim){versions.v[i], builds[b]};
	t->aims = v.v;
	t->nr_aims = v.nr;
}

static bool rule_wanted(const struct cmd *c, const char *rule)
{
	size_t i;

	for (i = 0; i < c->o.run.rule.nr; i++)
		if (!strcmp(c->o.run.rule.v[i], rule))
			return true;
	return !c->o.run.rule.nr;
}

static int examples_test(struct tester *t, const struct rule_example *v, size_t nr, struct err *err)
{
	size_t i, end, rules = 0, tested = 0;

	for (i = 0; i < nr; i = end) {
		for (end = i + 1; end < nr && !strcmp(v[end].rule, v[i].rule); end++)
			;
		if (!rule_wanted(t->cmd, v[i].rule))
			continue;
		if (rule_test(t, v + i, end - i, err))
			return -1;
		rules++;
		tested += end - i;
	}
	strbuf_addf(&t->cmd->out, "%zu examples of %zu rules, %zu failed\n", tested, rules,
		    t->failed);
	return t->failed ? STATUS_OPEN : STATUS_OK;
}

/* The folder has a name of its own below the random one: the result must not depend on chance. */
static int tester_open(struct tester *t, struct err *err)
{
	const char *tmp = getenv("TMPDIR");
	size_t n;

	n = (size_t)snprintf(t->dir, sizeof(t->dir), "%s/pdmigrate-rules-XXXXXX",
			     tmp && *tmp ? tmp : P_tmpdir);
	if (n + sizeof("/example") > sizeof(t->dir))
		return err_set(err, "TMPDIR is too long");
	if (!mkdtemp(t->dir))
		return err_errno(err, "cannot make a temporary folder '%s'", t->dir);
	memcpy(t->dir + n, "/example", sizeof("/example"));
	if (!mkdir(t->dir, 0700))
		return 0;
	err_errno(err, "cannot make folder '%s'", t->dir);
	t->dir[n] = 0;
	rmdir(t->dir);
	return -1;
}

static void tester_close(struct tester *t)
{
	rmdir(t->dir);
	t->dir[path_dirlen(t->dir)] = 0;
	rmdir(t->dir);
}

int rules_test(struct cmd *c, struct err *err)
{
	struct tester t = {.cmd = c};
	const struct rule_example *examples;
	struct assets assets;
	struct target *targets;
	struct rules *rules;
	size_t nr, i;
	int ret;

	if (common_targets(c, &assets, &targets, &nr, err) ||
	    rules_load(&rules, &c->arena, &assets, targets, nr, err))
		return -1;
	for (i = 0; i < c->o.run.rule.nr; i++)
		if (!rules_has(rules, c->o.run.rule.v[i]))
			return err_set(err, "no rule '%s'", c->o.run.rule.v[i]);
	aims_collect(&t, &assets, &targets[0]);
	t.rules = rules;
	nr = rules_examples(rules, &c->arena, &examples);
	if (tester_open(&t, err))
		return -1;
	ret = examples_test(&t, examples, nr, err);
	tester_close(&t);
	return ret;
}
