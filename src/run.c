/*
 * run.c - the straight line.
 *
 *	assets, vocabulary, rules, database
 *	repo_walk                    which files
 *	  facts    (per file)        text -> facts
 *	py_link                      names over files, reach, scope
 *	cxx_parse                    C++ sources, in processes of their own
 *	  mark     (per file)        facts -> verdicts
 *	repo_classify                layers, lists, type
 *	programs                     scope of third parties, where the switch goes
 *	  rules    (per file)        facts -> findings, located, with edits
 *	plan_build                   edits counted, overlaps taken out
 *
 * The steps that are indented run on all workers. Each worker has its own arena and intern table; results
 * go into one slot per file and are merged in path order, so any -j gives the same bytes.
 */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/fs.h"
#include "base/path.h"
#include "base/pool.h"
#include "base/yaml.h"
#include "cover/cover.h"
#include "cxx/cxx.h"
#include "marker/marker.h"
#include "plan/plan.h"
#include "probe/probe.h"
#include "programs.h"
#include "py/py.h"
#include "repo/repo.h"
#include "rule/rule.h"
#include "suppress.h"
#include "verdict.h"

#define RUN_JOBS_MAX 64
#define RUN_MAPS_MAX ((uint32_t)1 << 20)

struct run_worker {
	struct arena arena;
	struct intern intern;
	struct py_worker *py;
};

/* What the parallel steps leave behind for one file. */
struct run_slot {
	struct notices notices;
	struct findings findings;
};

struct run {
	const struct run_options *o;
	struct arena arena;
	struct assets assets;
	struct vocab *vocab;
	struct cover *cover;
	struct rules *rules;
	struct repo *repo;
	struct run_worker *workers;
	int jobs;
	struct run_slot *slots;
	struct result result;
	struct timespec last; /* for --timing */
};

static void run_lap(struct run *run, const char *what)
{
	struct timespec now;

	if (!run->o->timing)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (run->last.tv_sec || run->last.tv_nsec)
		fprintf(stderr, "timing: %-10s %8.1f ms\n", what,
			(double)(now.tv_sec - run->last.tv_sec) * 1e3 +
				(double)(now.tv_nsec - run->last.tv_nsec) / 1e6);
	run->last = now;
}

/* ---- targets ---------------------------------------------------------------------------------- */

static const char *newest_version(const struct strings *versions)
{
	const char *best = NULL;
	size_t i;

	for (i = 0; i < versions->nr; i++)
		if (!best || strverscmp(versions->v[i], best) > 0)
			best = versions->v[i];
	return best;
}

int run_targets(struct target **out, size_t *nr, struct arena *a, const struct assets *assets,
		const struct run_options *o, struct err *err)
{
	const char *list = o->versions;
	struct strings versions = { 0 };
	VEC(struct target) v = { 0 };

	if (!list) {
		cover_versions(assets, a, &versions);
		list = newest_version(&versions);
		if (!list)
			return err_set(err, "no coverage database in %s",
				       asset_name(assets, a, "coverage"));
	}
	while (*list) {
		size_t n = strcspn(list, ",");
		struct target *t;

		if (n) {
			t = VEC_PUSH(a, &v);
			t->version = arena_strndup(a, list, n);
			t->build = o->target_build ? o->target_build : "cuda";
			t->origin = o->target_origin ? o->target_origin : "shipped";
		}
		list += n + (list[n] == ',');
	}
	if (!v.nr)
		return err_set(err, "the target version is empty");
	*out = v.v;
	*nr = v.nr;
	return 0;
}

/* ---- set-up ------------------------------------------------------------------------------------ */

static int run_check_rules(struct run *run, struct err *err)
{
	const struct opt_list *list = &run->o->rule;
	const char *near;
	size_t i;

	for (i = 0; i < list->nr; i++) {
		if (rules_has(run->rules, list->v[i]))
			continue;
		near = nearest_word(list->v[i], rules_ids(run->rules));
		if (near)
			return err_set(err, "no rule '%s' (did you mean '%s'?)", list->v[i], near);
		return err_set(err, "no rule '%s'", list->v[i]);
	}
	return 0;
}

static enum verdict run_covered(void *ctx, struct arena *a, const char *name)
{
	return cover_lookup(ctx, a, name).verdict;
}

static struct rule_asker run_asker(const struct run *run)
{
	return (struct rule_asker){ run_covered, run->cover, run->o->all_expired };
}

static int run_check_paths(const struct run *run, struct err *err)
{
	const struct opt_list *list = &run->o->paths;
	size_t i, k;

	for (i = 0; i < list->nr; i++) {
		for (k = 0; k < run->repo->nr_files; k++)
			if (path_under(run->repo->files[k]->path, list->v[i]))
				break;
		if (k == run->repo->nr_files)
			return err_set(err, "--path %s: there is no such file or folder",
				       list->v[i]);
	}
	return 0;
}

static int run_knowledge(struct run *run, enum run_until until, struct err *err)
{
	static const char *const none[] = {NULL};
	struct result *r = &run->result;
	struct rule_asker ask;

	if (assets_load(&run->assets, &run->arena, run->o->rules_dir, err) ||
	    vocab_load(&run->vocab, &run->arena, &run->assets, err))
		return -1;
	if (run->o->vendored)
		run->vocab->vendored = none;
	r->vocab = run->vocab;
	if (until == RUN_FACTS)
		return 0;
	if (run_targets(&r->targets, &r->nr_targets, &run->arena, &run->assets, run->o, err) ||
	    cover_load(&run->cover, &run->arena, &run->assets, r->targets, r->nr_targets, err))
		return -1;
	if (until == RUN_MARKED)
		return 0;
	if (rules_load(&run->rules, &run->arena, &run->assets, r->targets, r->nr_targets, err))
		return -1;
	if (run->o->dual)
		rules_dual(run->rules);
	ask = run_asker(run);
	rules_settle(run->rules, &ask, &run->arena);
	return run_check_rules(run, err);
}

static void run_workers(struct run *run)
{
	int i;

	run->jobs = run->o->jobs ? run->o->jobs : pool_cpus();
	if (run->jobs > RUN_JOBS_MAX)
		run->jobs = RUN_JOBS_MAX;
	run->workers = xcalloc((size_t)run->jobs, sizeof(*run->workers));
	for (i = 0; i < run->jobs; i++) {
		struct run_worker *w = &run->workers[i];

		w->intern.arena = &w->arena;
		w->py = py_worker_new(run->vocab, run->repo, &w->arena, &w->intern);
	}
	run->slots = arena_array(&run->arena, run->repo->nr_files, sizeof(*run->slots));
}

/* ---- the parallel steps ------------------------------------------------------------------------- */

static bool lang_is_cxx(enum lang lang)
{
	return lang == LANG_C || lang == LANG_CXX || lang == LANG_CUDA;
}

static void cxx_step(struct run *run, struct run_worker *w, struct source *s,
		     const struct fs_text *text, struct notices *notices)
{
	cxx_lex_facts(s, text->data, text->len, run->vocab, &w->arena, &w->intern);
	if (s->analysis == ANALYSIS_PARTIAL)
		notice_add(notices, &w->arena, s->path, "parse",
			   "read in part: a comment or string does not end, or too many names");
}

/* A memory map that somebody wrote down is told by its lines; what else has no language is not read. */
static void maps_step(struct run *run, struct run_worker *w, struct source *s)
{
	const char *ext = path_ext(s->path);
	struct fs_text text;
	struct err ignored;

	if (s->size > RUN_MAPS_MAX ||
	    (*ext && strcmp(ext, ".txt") && strcmp(ext, ".log") && strcmp(ext, ".maps")) ||
	    fs_read(run->repo->dirfd, s->path, RUN_MAPS_MAX, &text, &ignored))
		return;
	if (maps_is(text.data, text.len)) {
		s->size = (uint32_t)text.len;
		s->hash = hash_bytes(text.data, text.len);
		maps_facts(s, text.data, text.len, &w->arena);
	}
	fs_text_free(&text);
}

static void facts_step(void *ctx, int worker, size_t item)
{
	struct run *run = ctx;
	struct run_worker *w = &run->workers[worker];
	struct source *s = run->repo->files[item];
	struct notices *notices = &run->slots[item].notices;
	struct fs_text text;
	struct err err;

	/* The walk has said why, where it matters. */
	if (s->roles & (ROLE_VENDORED | ROLE_SUBMODULE) || s->size > REPO_FILE_MAX)
		return;
	if (s->lang == LANG_OTHER) {
		maps_step(run, w, s);
		return;
	}
	if (fs_read(run->repo->dirfd, s->path, REPO_FILE_MAX, &text, &err)) {
		notice_add(notices, &w->arena, s->path, "read", "%s", err.msg);
		return;
	}
	s->size = (uint32_t)text.len;
	s->hash = hash_bytes(text.data, text.len);
	if (memchr(text.data, 0, text.len))
		notice_add(notices, &w->arena, s->path, "read", "holds NUL bytes, not analysed");
	else if (lang_is_cxx(s->lang))
		cxx_step(run, w, s, &text, notices);
	else
		py_facts(w->py, s, text.data, text.len, notices);
	if (!memchr(text.data, 0, text.len))
		marker_facts(s, text.data, text.len, run->vocab, &w->arena);
	if (!memchr(text.data, 0, text.len))
		suppress_facts(s, text.data, text.len, &w->arena);
	fs_text_free(&text);
}

static void mark_step(void *ctx, int worker, size_t item)
{
	struct run *run = ctx;
	struct rule_asker ask = run_asker(run);

	cover_mark(run->cover, run->repo->files[item], &run->workers[worker].arena);
	if (run->rules)
		rules_judge(run->rules, run->repo->files[item], &ask, &run->workers[worker].arena,
			    &run->slots[item].notices);
}

static bool finding_wanted(const struct run *run, const struct finding *f)
{
	const struct run_options *o = run->o;
	size_t i;
	bool rule = !o->rule.nr, layer = !o->layer.nr, path = !o->paths.nr;

	for (i = 0; i < o->rule.nr; i++)
		rule |= !strcmp(o->rule.v[i], f->rule);
	for (i = 0; i < o->layer.nr; i++)
		layer |= !strcmp(o->layer.v[i], layer_name(f->source->layer));
	for (i = 0; i < o->paths.nr; i++)
		path |= path_under(f->source->path, o->paths.v[i]);
	return rule && layer && path;
}

static void findings_filter(const struct run *run, struct findings *f)
{
	size_t i, nr = 0;

	for (i = 0; i < f->nr; i++)
		if (finding_wanted(run, f->v[i]))
			f->v[nr++] = f->v[i];
	f->nr = nr;
}

/* Of a file without statements a verb needs the text alone. NULL: files of this kind are not edited. */
static struct shape *shape_of(struct arena *a, const struct source *s, const struct fs_text *text)
{
	struct shape *sh;

	if (s->lang == LANG_PYTHON)
		return py_shape(a, text->data, text->len);
	if (s->lang != LANG_TOML && s->lang != LANG_REQUIREMENTS && s->lang != LANG_CFG &&
	    !lang_is_cxx(s->lang))
		return NULL;
	sh = ARENA_NEW(a, struct shape);
	sh->text = text->data;
	sh->len = text->len;
	sh->newline = memchr(text->data, '\r', text->len) ? "\r\n" : "\n";
	sh->ok = true;
	return sh;
}

static void rules_step(void *ctx, int worker, size_t item)
{
	struct run *run = ctx;
	struct run_worker *w = &run->workers[worker];
	struct source *s = run->repo->files[item];
	struct run_slot *slot = &run->slots[item];
	struct arena scratch = { 0 };
	struct shape *shape = NULL;
	struct fs_text text;
	struct err err;
	size_t i;

	suppress_check(s, run->rules, &w->arena);
	rules_match(run->rules, run->repo, s, &w->arena, &slot->findings);
	if (!slot->findings.nr)
		return;
	if (fs_read(run->repo->dirfd, s->path, REPO_FILE_MAX, &text, &err)) {
		notice_add(&slot->notices, &w->arena, s->path, "read", "%s", err.msg);
		slot->findings.nr = 0;
		return;
	}
	if (hash_bytes(text.data, text.len) != s->hash) {
		notice_add(&slot->notices, &w->arena, s->path, "read",
			   "changed while it was being analysed");
		slot->findings.nr = 0;
	}
	findings_locate(&slot->findings, text.data, text.len, &w->arena);
	suppress_apply(s, &slot->findings);
	findings_tune(run->o, &slot->findings);
	findings_filter(run, &slot->findings);
	for (i = 0; i < slot->findings.nr; i++) {
		if (!rules_fixable(slot->findings.v[i]))
			continue;
		if (!shape)
			shape = shape_of(&scratch, s, &text);
		rules_fix(run->rules, slot->findings.v[i], shape, &w->arena);
	}
	arena_free(&scratch);
	fs_text_free(&text);
}

/* ---- the line ------------------------------------------------------------------------------------ */

/* What an earlier patch did is undone on request only, and never beside what is new. */
static void run_hold_expired(const struct findings *f)
{
	size_t i;

	for (i = 0; i < f->nr; i++)
		if (f->v[i]->level == LEVEL_EXPIRED && f->v[i]->fix && f->v[i]->fix->nr_edits)
			f->v[i]->reason_not_applied = "undone on request only";
}

static void run_merge(struct run *run)
{
	struct result *r = &run->result;
	size_t i, k;

	for (i = 0; i < run->repo->nr_files; i++) {
		struct run_slot *slot = &run->slots[i];

		for (k = 0; k < slot->notices.nr; k++)
			*VEC_PUSH(&run->arena, &r->notices) = slot->notices.v[k];
		for (k = 0; k < slot->findings.nr; k++)
			*VEC_PUSH(&run->arena, &r->findings) = slot->findings.v[k];
		if (run->repo->files[i]->analysis != ANALYSIS_SKIPPED)
			r->analysed_bytes += run->repo->files[i]->size;
	}
}

static unsigned run_requests(const struct run_options *o)
{
	unsigned requests = 0;

	if (o->entries)
		requests |= REQUEST_ENTRIES;
	if (o->tests && strcmp(o->tests, "off"))
		requests |= REQUEST_TESTS;
	if (o->hoist)
		requests |= REQUEST_HOIST;
	if (o->direct_entry)
		requests |= REQUEST_DIRECT;
	if (o->deps && !strcmp(o->deps, "delete"))
		requests |= REQUEST_DELETE_ROWS;
	return requests;
}

static void run_programs(struct run *run)
{
	struct programs_options o = {
		.requests = run_requests(run->o),
		.tests = run->o->tests,
		.dists = run->o->dists,
		.shape = py_shape,
	};
	struct plan_options *plan = &run->result.plan_options;
	size_t i;

	programs_scope(run->repo, run->vocab, o.dists, &run->arena);
	programs_find(run->repo, run->vocab, &o, &run->arena);
	if (run->rules)
		rules_ask(run->rules, o.requests, run->repo);
	plan->keep_rows = run->o->deps && !strcmp(run->o->deps, "keep");
	for (i = 0; i < run->o->paths.nr; i++)
		strings_add(&plan->paths, &run->arena, run->o->paths.v[i]);
}

static int run_cxx(struct run *run, struct err *err)
{
	struct arena **arenas = arena_array(&run->arena, (size_t)run->jobs, sizeof(struct arena *));
	struct cxx_parse_options o = {
		.assets = &run->assets,
		.rules_dir = run->o->rules_dir,
		.targets = run->result.targets,
		.nr_targets = run->result.nr_targets,
		.site = run->o->headers_dir,
		.vocab = run->vocab,
		.arenas = arenas,
		.jobs = run->jobs,
	};
	struct cxx_counts n = {0};
	int i;

	for (i = 0; i < run->jobs; i++)
		arenas[i] = &run->workers[i].arena;
	if (cxx_parse(run->repo, &o, &run->arena, &run->result.notices, &n, err))
		return -1;
	if (run->o->timing && n.units)
		fprintf(stderr, "timing: %zu C++ units: %zu judged in full, %zu in part, %zu by text\n",
			n.units, n.full, n.partial, n.lexical);
	return 0;
}

static int run_steps(struct run *run, enum run_until until, struct err *err)
{
	struct result *r = &run->result;

	run_lap(run, "start");
	if (run_knowledge(run, until, err))
		return -1;
	run_lap(run, "knowledge");
	if (repo_walk(&run->repo, &run->arena, run->vocab, run->o->path ? run->o->path : ".",
		      &r->notices, err))
		return -1;
	r->repo = run->repo;
	if (run_check_paths(run, err))
		return -1;
	run_lap(run, "walk");
	run_workers(run);
	pool_run(run->jobs, run->repo->nr_files, facts_step, run);
	run_lap(run, "facts");
	py_link(run->repo, run->vocab, &run->arena);
	run_lap(run, "link");
	if (until >= RUN_MARKED) {
		if (run_cxx(run, err))
			return -1;
		run_lap(run, "c++");
		cover_assigned(run->cover, run->repo, &run->arena);
		pool_run(run->jobs, run->repo->nr_files, mark_step, run);
		run_lap(run, "mark");
	}
	if (repo_classify(run->repo, &run->arena, &run->assets, run->vocab, err))
		return -1;
	run_programs(run);
	run_lap(run, "classify");
	if (until == RUN_ALL) {
		pool_run(run->jobs, run->repo->nr_files, rules_step, run);
		run_lap(run, "rules");
		/* Once more: the lists are about files where a rule holds, and only now is that known. */
		if (repo_classify(run->repo, &run->arena, &run->assets, run->vocab, err))
			return -1;
		run_lap(run, "lists");
	}
	run_merge(run);
	result_tune(run->o, r);
	if (until == RUN_ALL) {
		run_hold_expired(&r->findings);
		if (plan_shims(r, &run->assets, run->o->dual, &run->arena, err))
			return -1;
		plan_build(r, &run->arena);
		verdict_build(r, &run->arena);
	}
	run_lap(run, "plan");
	return 0;
}

int run_line(struct run **out, const struct run_options *o, enum run_until until, struct err *err)
{
	struct run *run = xcalloc(1, sizeof(*run));

	run->o = o;
	*out = run;
	if (!run_steps(run, until, err))
		return 0;
	run_free(run);
	*out = NULL;
	return -1;
}

struct result *run_result(struct run *run)
{
	return &run->result;
}

void run_free(struct run *run)
{
	int i;

	if (!run)
		return;
	for (i = 0; run->workers && i < run->jobs; i++) {
		py_worker_free(run->workers[i].py);
		arena_free(&run->workers[i].arena);
	}
	free(run->workers);
	if (run->repo)
		repo_close(run->repo);
	arena_free(&run->arena);
	free(run);
}
