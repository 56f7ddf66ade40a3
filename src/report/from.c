/*
 * from.c - a result that was printed as JSON, back as a result.
 *
 * In: the JSON, schema 1.x; what a later 1.x has added is not looked at. Out: what the formats print.
 * The tree itself is needed by formats that read texts; without it there is no descriptor. A key of
 * another kind than the schema's is as good as absent, but the frame must be there.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/path.h"
#include "report/internal.h"

struct back {
	struct arena *a;
	struct result *r;
	struct repo *repo;
};

/* ---- values ------------------------------------------------------------------------------------- */

/* Text of the tree: percent-encoded where KEY_encoded says so. */
static const char *tree_text(struct back *b, const struct json_node *map, const char *key)
{
	const char *s = json_text(map, key, NULL);
	struct strbuf sb = STRBUF_INIT;
	const char *out;

	if (!s || !json_yes(map, arena_fmt(b->a, "%s_encoded", key)))
		return s;
	for (; *s; s++) {
		char hex[3] = {s[0] == '%' && s[1] ? s[1] : 0, s[1] ? s[2] : 0, 0}, *end;
		long c = *hex ? strtol(hex, &end, 16) : 0;

		if (!c || *end) {
			strbuf_addch(&sb, *s);
			continue;
		}
		strbuf_addch(&sb, (int)c);
		s += 2;
	}
	out = arena_strndup(b->a, sb.buf, sb.len);
	strbuf_release(&sb);
	return out;
}

static uint32_t number(const struct json_node *map, const char *key)
{
	long long n = json_number(map, key, 0);

	return n < 0 || n > UINT32_MAX ? 0 : (uint32_t)n;
}

/* The value of an enum whose words `name` gives, below `nr`; `or` for any other word. */
static int word(const struct json_node *map, const char *key, int nr, const char *(*name)(int),
		int or)
{
	const char *s = json_text(map, key, "");
	int i;

	for (i = 0; i < nr; i++)
		if (!strcmp(name(i), s))
			return i;
	return or ;
}

static const char *level_of(int i) { return level_name((enum level)i); }
static const char *layer_of(int i) { return layer_name((enum layer)i); }
static const char *lang_of(int i) { return lang_name((enum lang)i); }
static const char *treatment_of(int i) { return treatment_name((enum treatment)i); }
static const char *analysis_of(int i) { return analysis_name((enum analysis)i); }
static const char *verdict_of(int i) { return verdict_name((enum verdict)i); }
static const char *safety_of(int i) { return safety_name((enum safety)i); }
static const char *state_of(int i) { return state_name((enum state)i); }

static void list_read(struct back *b, struct strings *out, const struct json_node *list)
{
	const struct json_node *n;

	for (n = list ? list->child : NULL; n; n = n->next)
		if (n->kind == JSON_TEXT)
			strings_add(out, b->a, n->text);
}

/* ---- the tree ----------------------------------------------------------------------------------- */

static int source_compare(const void *a, const void *b)
{
	return strcmp((*(struct source *const *)a)->path, (*(struct source *const *)b)->path);
}

static void files_read(struct back *b, const struct json_node *files)
{
	VEC(struct source *) v = {0};
	const struct json_node *n;

	for (n = files->child; n; n = n->next) {
		struct source *s = ARENA_NEW(b->a, struct source);

		s->path = tree_text(b, n, "path");
		if (!s->path)
			continue;
		s->lang = (enum lang)word(n, "language", LANG_NR, lang_of, LANG_OTHER);
		s->layer = (enum layer)word(n, "layer", LAYER_NR, layer_of, LAYER_OTHER);
		s->layer_reason = json_text(n, "reason", NULL);
		s->treatment = (enum treatment)word(n, "treatment", TREAT_NR, treatment_of, TREAT_LEAVE);
		s->analysis = (enum analysis)word(n, "analysis", ANALYSIS_FULL + 1, analysis_of,
						  ANALYSIS_SKIPPED);
		s->verdict = json_text(n, "verdict", NULL);
		s->reach = REACH_NONE;
		s->rank = -1;
		*VEC_PUSH(b->a, &v) = s;
	}
	if (v.nr)
		qsort(v.v, v.nr, sizeof(*v.v), source_compare);
	b->repo->files = v.v;
	b->repo->nr_files = v.nr;
}

static void repository_read(struct back *b, const struct json_node *n)
{
	const struct json_node *entries = json_get(n, "entries"), *ported = json_get(n, "ported");
	struct repo *repo = b->repo;

	repo->name = tree_text(b, n, "name");
	repo->root = repo->name;
	repo->type = json_text(n, "type", NULL);
	repo->type_name = repo->type;
	list_read(b, &repo->type_reasons, json_get(n, "type_reasons"));
	list_read(b, &repo->build_entries, json_get(entries, "build"));
	list_read(b, &repo->call_entries, json_get(entries, "call"));
	list_read(b, &repo->test_entries, json_get(entries, "test"));
	list_read(b, &repo->scope, json_get(n, "scope"));
	b->r->verdict = json_text(n, "verdict", NULL);
	b->r->ported_sites = number(ported, "sites");
	b->r->expired = number(ported, "expired");
}

static void extensions_read(struct back *b, const struct json_node *list)
{
	VEC(struct extension) v = {0};
	const struct json_node *n;

	for (n = list ? list->child : NULL; n; n = n->next) {
		struct extension *e = VEC_PUSH(b->a, &v);
		struct strings sources = {0}, unjudged = {0}, blocked = {0}, by_hand = {0};

		list_read(b, &blocked, json_get(n, "blocked_by"));
		list_read(b, &by_hand, json_get(n, "by_hand"));
		list_read(b, &sources, json_get(n, "sources"));
		list_read(b, &unjudged, json_get(n, "unjudged"));
		*e = (struct extension){
			.name = tree_text(b, n, "name"),
			.sources = sources.v, .nr_sources = sources.nr,
			.unjudged = unjudged.v, .nr_unjudged = unjudged.nr,
			.blocked_by = blocked.v, .nr_blocked_by = blocked.nr,
			.by_hand = by_hand.v, .nr_by_hand = by_hand.nr,
			.verdict = json_text(n, "verdict", NULL),
		};
	}
	b->repo->extensions = v.v;
	b->repo->nr_extensions = v.nr;
}

/* ---- findings ----------------------------------------------------------------------------------- */

static struct fix *fix_read(struct back *b, const struct json_node *n)
{
	VEC(struct edit) edits = {0};
	const struct json_node *e = json_get(n, "edits");
	struct fix *fix;

	if (!n || n->kind != JSON_MAP)
		return NULL;
	fix = ARENA_NEW(b->a, struct fix);
	fix->safety = (enum safety)word(n, "safety", SAFETY_MANUAL + 1, safety_of, SAFETY_MANUAL);
	fix->dual = json_text(n, "dual", NULL);
	fix->description = tree_text(b, n, "description");
	for (e = e ? e->child : NULL; e; e = e->next)
		*VEC_PUSH(b->a, &edits) = (struct edit){
			.path = tree_text(b, e, "path"),
			.span = {number(e, "start"), number(e, "end")},
			.text = tree_text(b, e, "text"),
			.create = json_yes(e, "create"),
		};
	fix->edits = edits.v;
	fix->nr_edits = edits.nr;
	return fix;
}

static int finding_read(struct back *b, const struct json_node *n, struct err *err)
{
	struct finding *f = ARENA_NEW(b->a, struct finding);
	struct fact *fact = ARENA_NEW(b->a, struct fact);
	const char *path = tree_text(b, n, "path"), *print = json_text(n, "fingerprint", "");
	struct strings guards = {0};

	f->source = path ? repo_find(b->repo, path) : NULL;
	f->rule = json_text(n, "rule", NULL);
	f->name = json_text(n, "name", NULL);
	f->message = tree_text(b, n, "message");
	if (!f->source || !f->rule || !f->name || !f->message)
		return err_set(err, "a finding without rule, name, message or a path of its files");
	snprintf(f->fingerprint, sizeof(f->fingerprint), "%s", print);
	f->level = (enum level)word(n, "level", LEVEL_BLOCKED + 1, level_of, LEVEL_CHECK);
	f->line = number(n, "line");
	f->column = number(n, "column");
	f->end_line = number(n, "end_line");
	f->end_column = number(n, "end_column");
	f->symbol = tree_text(b, n, "symbol");
	fact->verdict = (enum verdict)word(n, "verdict", VERDICT_UNKNOWN + 1, verdict_of, VERDICT_NONE);
	f->fact = fact;
	f->snippet = tree_text(b, n, "snippet");
	f->group = json_text(n, "group", NULL);
	list_read(b, &guards, json_get(n, "guards"));
	f->guards = guards.v;
	f->nr_guards = guards.nr;
	f->gpu_unverified = json_yes(n, "gpu_unverified");
	f->fix = fix_read(b, json_get(n, "fix"));
	f->reason_not_applied = tree_text(b, n, "reason_not_applied");
	f->keep_until = json_text(json_get(n, "keep"), "until", NULL);
	f->keep_long_term = json_text(json_get(n, "keep"), "long_term", NULL);
	f->state = (enum state)word(n, "state", STATE_BASELINED + 1, state_of, STATE_OPEN);
	f->state_reason = tree_text(b, n, "state_reason");
	f->is_new = json_yes(n, "new");
	*VEC_PUSH(b->a, &b->r->findings) = f;
	return 0;
}

static void notices_read(struct back *b, const struct json_node *list)
{
	const struct json_node *n;

	for (n = list ? list->child : NULL; n; n = n->next)
		*VEC_PUSH(b->a, &b->r->notices) = (struct notice){
			.path = tree_text(b, n, "path"),
			.stage = json_text(n, "stage", "unknown"),
			.message = tree_text(b, n, "message"),
		};
}

/* What was skipped on purpose has no notice. */
static void skipped_settle(struct back *b)
{
	size_t i, k;

	for (i = 0; i < b->repo->nr_files; i++) {
		struct source *s = b->repo->files[i];

		for (k = 0; k < b->r->notices.nr; k++)
			if (str_eq(b->r->notices.v[k].path, s->path))
				break;
		if (s->analysis == ANALYSIS_SKIPPED && k == b->r->notices.nr)
			s->roles |= ROLE_VENDORED;
	}
}

static void stale_read(struct back *b, const struct json_node *n)
{
	struct baseline *bl;
	size_t i = 0;

	if (!n || n->kind != JSON_MAP)
		return;
	bl = ARENA_NEW(b->a, struct baseline);
	bl->source = tree_text(b, n, "source");
	bl->matched = number(n, "matched");
	bl->new = number(n, "new");
	n = json_get(n, "stale");
	bl->stale = arena_array(b->a, n ? n->nr + 1 : 1, sizeof(*bl->stale));
	for (n = n ? n->child : NULL; n; n = n->next)
		bl->stale[i++] = (struct stale){json_text(n, "rule", ""), tree_text(b, n, "path"),
						json_text(n, "fingerprint", "")};
	bl->nr_stale = i;
	b->r->baseline = bl;
}

/* ---- the whole ---------------------------------------------------------------------------------- */

static void targets_read(struct back *b, const struct json_node *n)
{
	const char *list = json_text(n, "version", "");
	VEC(struct target) v = {0};
	size_t len;

	for (; *list; list += len + (list[len] == ',')) {
		len = strcspn(list, ",");
		*VEC_PUSH(b->a, &v) = (struct target){arena_strndup(b->a, list, len),
						     json_text(n, "build", ""),
						     json_text(n, "source", "shipped")};
	}
	b->r->targets = v.v;
	b->r->nr_targets = v.nr;
}

static void plan_read(struct back *b, const struct json_node *json)
{
	const struct json_node *plan = json_get(json, "plan"), *needs = json_get(json, "requires");
	struct result *r = b->r;

	r->plan.lines_added = number(plan, "lines_added");
	r->plan.lines_removed = number(plan, "lines_removed");
	r->plan.marker_lines = number(plan, "marker_lines");
	list_read(b, &r->plan.files_created, json_get(plan, "files_created"));
	r->requires = json_text(needs, r->vocab->target_roots[0], NULL);
	list_read(b, &r->requires_because, json_get(needs, "because"));
	r->analysed_bytes =
		(uint64_t)json_number(json_get(json, "summary"), "analysed_bytes", 0);
}

static int frame_check(const struct json_node *json, struct err *err)
{
	static const char *const lists[] = {"files", "findings", "notices", NULL};
	const char *version = json_text(json, "schema_version", NULL);
	size_t i;

	if (!version)
		return err_set(err, "it is no result: there is no schema_version");
	if (strncmp(version, "1.", 2))
		return err_set(err, "its schema is %s, not 1.x", version);
	for (i = 0; lists[i]; i++) {
		const struct json_node *n = json_get(json, lists[i]);

		if (!n || n->kind != JSON_LIST)
			return err_set(err, "it is no result: there is no list '%s'", lists[i]);
	}
	return 0;
}

int report_read(struct result **out, struct arena *a, const struct json_node *json,
		const struct vocab *vocab, const char *path, struct err *err)
{
	struct back b = {a, ARENA_NEW(a, struct result), ARENA_NEW(a, struct repo)};
	const struct json_node *n;

	if (frame_check(json, err))
		return -1;
	b.repo->dirfd = -1;
	b.r->repo = b.repo;
	b.r->vocab = vocab;
	targets_read(&b, json_get(json, "target"));
	repository_read(&b, json_get(json, "repository"));
	files_read(&b, json_get(json, "files"));
	extensions_read(&b, json_get(json, "extensions"));
	for (n = json_get(json, "findings")->child; n; n = n->next)
		if (finding_read(&b, n, err))
			return -1;
	notices_read(&b, json_get(json, "notices"));
	skipped_settle(&b);
	plan_read(&b, json);
	stale_read(&b, json_get(json, "baseline"));
	n = json_get(json, "probe");
	b.r->probe = n && n->kind != JSON_NULL ? n : NULL;
	if (path) {
		b.repo->root = path;
		b.repo->dirfd = fs_open_dir(path, err);
		if (b.repo->dirfd < 0)
			return -1;
	}
	*out = b.r;
	return 0;
}

void report_read_close(struct result *r)
{
	if (r && r->repo->dirfd >= 0)
		close(r->repo->dirfd);
}
