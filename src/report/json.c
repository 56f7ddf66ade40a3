/*
 * json.c - the result as one JSON object, schema 1 (docs/result-schema-1.json).
 *
 * All keys are always there and in this order, but for "KEY_encoded": true behind a text that is
 * not UTF-8 and was percent-encoded, and "create": true in an edit that makes a new file. Order
 * inside lists is that of the result: path bytes, offset, rule.
 */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/json_read.h"
#include "report/internal.h"
#include "report/version.h"

/* Text from the analysed tree. */
static void json_tree(struct json *j, const char *key, const char *s)
{
	char encoded[64];

	json_key(j, key);
	if (!s) {
		json_null(j);
		return;
	}
	if (!json_bytes(j, s, strlen(s)))
		return;
	snprintf(encoded, sizeof(encoded), "%s_encoded", key);
	json_kbool(j, encoded, true);
}

static void json_array(struct json *j, const char *key, const char *const *v, size_t nr)
{
	size_t i;

	json_key(j, key);
	json_open(j, '[');
	for (i = 0; i < nr; i++)
		json_str(j, v[i]);
	json_close(j, ']');
}

static void json_strings(struct json *j, const char *key, const struct strings *s)
{
	json_array(j, key, s->v, s->nr);
}

static void json_target(struct json *j, const struct result *r)
{
	struct strbuf versions = STRBUF_INIT;
	size_t i;

	for (i = 0; i < r->nr_targets; i++)
		strbuf_addf(&versions, "%s%s", i ? "," : "", r->targets[i].version);
	json_key(j, "target");
	json_open(j, '{');
	json_kstr(j, "package", r->vocab->package);
	json_kstr(j, "version", versions.buf);
	json_kstr(j, "build", r->nr_targets ? r->targets[0].build : NULL);
	json_kstr(j, "source", r->nr_targets ? r->targets[0].origin : NULL);
	json_close(j, '}');
	json_key(j, "requires");
	json_open(j, '{');
	json_kstr(j, r->vocab->target_roots[0], r->requires);
	json_strings(j, "because", &r->requires_because);
	json_close(j, '}');
	strbuf_release(&versions);
}

static void json_repository(struct json *j, const struct result *r)
{
	const struct repo *repo = r->repo;

	json_key(j, "repository");
	json_open(j, '{');
	json_tree(j, "name", repo->name ? repo->name : ".");
	json_kstr(j, "type", repo->type);
	json_strings(j, "type_reasons", &repo->type_reasons);
	json_key(j, "entries");
	json_open(j, '{');
	json_strings(j, "build", &repo->build_entries);
	json_strings(j, "call", &repo->call_entries);
	json_strings(j, "test", &repo->test_entries);
	json_close(j, '}');
	json_strings(j, "scope", &repo->scope);
	json_kstr(j, "verdict", r->verdict ? r->verdict : "unknown");
	json_key(j, "ported");
	json_open(j, '{');
	json_kint(j, "sites", (long long)r->ported_sites);
	json_kint(j, "expired", (long long)r->expired);
	json_close(j, '}');
	json_close(j, '}');
}

static void json_files(struct json *j, const struct repo *repo)
{
	size_t i;

	json_key(j, "files");
	json_open(j, '[');
	for (i = 0; i < repo->nr_files; i++) {
		const struct source *s = repo->files[i];

		json_open(j, '{');
		json_tree(j, "path", s->path);
		json_kstr(j, "language", lang_name(s->lang));
		json_kstr(j, "layer", layer_name(s->layer));
		json_kstr(j, "reason", s->layer_reason);
		json_kstr(j, "treatment", treatment_name(s->treatment));
		json_kstr(j, "analysis", analysis_name(s->analysis));
		if (s->verdict)
			json_kstr(j, "verdict", s->verdict);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void json_extensions(struct json *j, const struct result *r)
{
	size_t i;

	json_key(j, "extensions");
	json_open(j, '[');
	for (i = 0; i < r->repo->nr_extensions; i++) {
		const struct extension *e = &r->repo->extensions[i];

		json_open(j, '{');
		json_tree(j, "name", e->name);
		json_array(j, "sources", e->sources, e->nr_sources);
		json_kstr(j, "verdict", e->verdict ? e->verdict : "unknown");
		json_array(j, "blocked_by", e->blocked_by, e->nr_blocked_by);
		json_array(j, "by_hand", e->by_hand, e->nr_by_hand);
		json_array(j, "unjudged", e->unjudged, e->nr_unjudged);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void json_fix(struct json *j, const struct finding *f)
{
	const struct fix *fix = f->fix;
	size_t i;

	json_key(j, "fix");
	if (!fix) {
		json_null(j);
		return;
	}
	json_open(j, '{');
	json_kstr(j, "safety", safety_name(fix->safety));
	json_kstr(j, "dual", fix->dual);
	json_tree(j, "description", fix->description);
	json_key(j, "edits");
	json_open(j, '[');
	for (i = 0; i < fix->nr_edits; i++) {
		const struct edit *e = &fix->edits[i];

		json_open(j, '{');
		json_tree(j, "path", e->path ? e->path : f->source->path);
		json_kint(j, "start", e->span.start);
		json_kint(j, "end", e->span.end);
		json_tree(j, "text", e->text ? e->text : "");
		if (e->create)
			json_kbool(j, "create", true);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_array(j, "alternatives", NULL, 0);
	json_close(j, '}');
}

static void json_keep(struct json *j, const struct finding *f)
{
	json_key(j, "keep");
	if (!f->keep_until && !f->keep_long_term) {
		json_null(j);
		return;
	}
	json_open(j, '{');
	if (f->keep_until)
		json_kstr(j, "until", f->keep_until);
	else
		json_kstr(j, "long_term", f->keep_long_term);
	json_close(j, '}');
}

void json_finding(struct json *j, const struct finding *f)
{
	json_kstr(j, "rule", f->rule);
	json_kstr(j, "name", f->name);
	json_kstr(j, "level", level_name(f->level));
	json_kstr(j, "fingerprint", f->fingerprint);
	json_tree(j, "path", f->source->path);
	json_kint(j, "line", f->line);
	json_kint(j, "column", f->column);
	json_kint(j, "end_line", f->end_line);
	json_kint(j, "end_column", f->end_column);
	json_tree(j, "symbol", f->symbol ? f->symbol : "");
	json_kstr(j, "verdict", verdict_name(f->fact ? f->fact->verdict : VERDICT_NONE));
	json_tree(j, "message", f->message);
	json_tree(j, "snippet", f->snippet ? f->snippet : "");
	json_kstr(j, "group", f->group);
	json_array(j, "guards", f->guards, f->nr_guards);
	json_kbool(j, "gpu_unverified", f->gpu_unverified);
	json_fix(j, f);
	json_tree(j, "reason_not_applied", f->reason_not_applied);
	json_keep(j, f);
	json_kstr(j, "state", state_name(f->state));
	json_tree(j, "state_reason", f->state_reason);
	json_kbool(j, "new", f->is_new);
}

static void json_findings(struct json *j, const struct result *r)
{
	size_t i;

	json_key(j, "findings");
	json_open(j, '[');
	for (i = 0; i < r->findings.nr; i++) {
		json_open(j, '{');
		json_finding(j, r->findings.v[i]);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void json_plan(struct json *j, const struct plan *p)
{
	json_key(j, "plan");
	json_open(j, '{');
	json_strings(j, "files_created", &p->files_created);
	json_kint(j, "lines_added", (long long)p->lines_added);
	json_kint(j, "lines_removed", (long long)p->lines_removed);
	json_kint(j, "marker_lines", (long long)p->marker_lines);
	json_close(j, '}');
}

void json_notice(struct json *j, const struct notice *n)
{
	json_tree(j, "path", n->path);
	json_kstr(j, "stage", n->stage);
	json_tree(j, "message", n->message);
}

static void json_notices(struct json *j, const struct notices *n)
{
	size_t i;

	json_key(j, "notices");
	json_open(j, '[');
	for (i = 0; i < n->nr; i++) {
		json_open(j, '{');
		json_notice(j, &n->v[i]);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void json_counts(struct json *j, const struct effort_counts *c)
{
	json_kint(j, "mechanical", (long long)c->mechanical);
	json_kint(j, "person", (long long)c->person);
	json_kint(j, "blocked", (long long)c->blocked);
}

static void json_effort(struct json *j, const struct result *r)
{
	struct arena a = {0};
	const struct effort *e = effort_make(r, &a);
	size_t i;

	json_key(j, "effort");
	json_open(j, '{');
	json_counts(j, &e->all);
	json_key(j, "files");
	json_open(j, '[');
	for (i = 0; i < e->nr; i++) {
		json_open(j, '{');
		json_tree(j, "path", e->files[i].source->path);
		json_counts(j, &e->files[i].counts);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_close(j, '}');
	arena_free(&a);
}

void json_baseline(struct json *j, const struct baseline *b)
{
	size_t i;

	json_key(j, "baseline");
	if (!b) {
		json_null(j);
		return;
	}
	json_open(j, '{');
	json_tree(j, "source", b->source);
	json_kint(j, "matched", (long long)b->matched);
	json_kint(j, "new", (long long)b->new);
	json_key(j, "stale");
	json_open(j, '[');
	for (i = 0; i < b->nr_stale; i++) {
		json_open(j, '{');
		json_kstr(j, "rule", b->stale[i].rule);
		json_tree(j, "path", b->stale[i].path);
		json_kstr(j, "fingerprint", b->stale[i].fingerprint);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_close(j, '}');
}

void json_summary(struct json *j, const struct result *r)
{
	size_t layers[LAYER_NR] = {0}, levels[LEVEL_BLOCKED + 1] = {0}, patchable = 0, i;

	for (i = 0; i < r->repo->nr_files; i++)
		layers[r->repo->files[i]->layer]++;
	for (i = 0; i < r->findings.nr; i++) {
		levels[r->findings.v[i]->level] += r->findings.v[i]->state == STATE_OPEN;
		patchable += finding_patched(r->findings.v[i]);
	}
	json_key(j, "summary");
	json_open(j, '{');
	json_kint(j, "files", (long long)r->repo->nr_files);
	json_key(j, "by_layer");
	json_open(j, '{');
	for (i = 0; i < LAYER_NR; i++)
		json_kint(j, layer_name((enum layer)i), (long long)layers[i]);
	json_close(j, '}');
	json_key(j, "by_level");
	json_open(j, '{');
	for (i = 0; i <= LEVEL_BLOCKED; i++)
		json_kint(j, level_name((enum level)i), (long long)levels[i]);
	json_close(j, '}');
	json_kint(j, "patchable", (long long)patchable);
	json_kint(j, "analysed_bytes", (long long)r->analysed_bytes);
	json_effort(j, r);
	json_close(j, '}');
}

void json_head(struct json *j, const struct result *r)
{
	json_kstr(j, "schema_version", SCHEMA_VERSION);
	json_key(j, "tool");
	json_open(j, '{');
	json_kstr(j, "name", TOOL_NAME);
	json_kstr(j, "version", TOOL_VERSION);
	json_close(j, '}');
	json_target(j, r);
	json_repository(j, r);
}

void report_json(struct strbuf *out, const struct result *r, const struct report_options *o)
{
	struct json j;

	json_init(&j, out, false);
	json_open(&j, '{');
	json_head(&j, r);
	json_files(&j, r->repo);
	json_extensions(&j, r);
	json_findings(&j, r);
	json_plan(&j, &r->plan);
	json_notices(&j, &r->notices);
	json_summary(&j, r);
	json_baseline(&j, r->baseline);
	json_key(&j, "probe");
	if (r->probe)
		json_write_node(&j, r->probe);
	else
		json_null(&j);
	json_key(&j, "verify");
	json_null(&j);
	json_close(&j, '}');
	strbuf_addch(out, '\n');
}
