/*
 * sarif.c - SARIF 2.1.0, as GitHub's code scanning takes it in.
 *
 * In: a result; texts are read again for columns in UTF-16 units, for the hashes of lines, and for the
 * places of edits. Where a text is gone or has changed, a region is a line, and what needs the text
 * is left out. Regions are one line long. Paths are percent-encoded URIs relative to the root.
 * What is over the limits of code scanning is left out, least levels first, and a notification says so.
 */
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/lines.h"
#include "base/path.h"
#include "report/internal.h"
#include "report/version.h"

#define RESULTS_MAX 25000
#define TEXT_MAX (64u << 20)
#define SARIF_SCHEMA                                                                               \
	"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

/* The text of the source at hand. */
struct sarif_text {
	const struct source *source;
	struct fs_text text;
	struct arena arena;
	struct lines lines;
	char (*hashes)[LINE_HASH_MAX];
	bool known;
};

struct sarif {
	struct json j;
	const struct result *r;
	const struct report_options *o;
	struct arena arena;
	struct strings rules; /* sorted ids */
	bool *out; /* of each finding: it is written */
	size_t left_out;
	struct sarif_text at;
};

/* ---- texts -------------------------------------------------------------------------------------- */

static void text_close(struct sarif_text *t)
{
	fs_text_free(&t->text);
	arena_free(&t->arena);
	*t = (struct sarif_text){0};
}

/*
 * The findings say what stood on their lines: a text that has changed is known by it where it was not
 * read in this very run.
 */
static bool text_same(const struct sarif_text *t, const struct finding *f)
{
	const char *line;
	size_t len;

	if (t->source->hash)
		return t->text.len == t->source->size &&
		       hash_bytes(t->text.data, t->text.len) == t->source->hash;
	if (!f->line || f->line > t->lines.nr || !f->snippet)
		return false;
	line = lines_text(&t->lines, f->line, &len);
	return memmem(line, len, f->snippet, strlen(f->snippet)) != NULL;
}

static void text_open(struct sarif *s, const struct finding *f)
{
	struct sarif_text *t = &s->at;

	if (t->source == f->source)
		return;
	text_close(t);
	t->source = f->source;
	if (s->r->repo->dirfd < 0 ||
	    fs_read(s->r->repo->dirfd, f->source->path, TEXT_MAX, &t->text, NULL))
		return;
	lines_init(&t->lines, &t->arena, t->text.data, t->text.len);
	t->known = text_same(t, f);
	if (!t->known)
		return;
	t->hashes = arena_array(&t->arena, t->lines.nr + 1, sizeof(*t->hashes));
	line_hashes(t->text.data, t->text.len, t->hashes, t->lines.nr);
}

/* A byte order mark counts as a unit in code scanning's hash but not in columns. */
static size_t column_of(const char *line, size_t len, size_t bytes)
{
	if (bytes > len)
		bytes = len;
	if (bom_len(line, bytes))
		return utf16_len(line + 3, bytes - 3) + 1;
	return utf16_len(line, bytes) + 1;
}

/* ---- parts -------------------------------------------------------------------------------------- */

/* As RFC 3986 wants the path of a relative reference; a first part with ':' would be a scheme. */
static void uri_add(struct strbuf *out, const char *path)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-._~/!$&'()*+,;=@";

	for (; *path; path++) {
		if (strchr(plain, *path))
			strbuf_addch(out, *path);
		else
			strbuf_addf(out, "%%%02X", (unsigned char)*path);
	}
}

static void location_uri(struct sarif *s, const char *path)
{
	struct strbuf uri = STRBUF_INIT;

	uri_add(&uri, path);
	json_key(&s->j, "artifactLocation");
	json_open(&s->j, '{');
	json_kstr(&s->j, "uri", uri.buf);
	json_kstr(&s->j, "uriBaseId", "%SRCROOT%");
	json_close(&s->j, '}');
	strbuf_release(&uri);
}

/* {"text": ...}, which may not be empty. */
static void message_put(struct sarif *s, const char *key, const char *text)
{
	json_key(&s->j, key);
	json_open(&s->j, '{');
	json_kstr(&s->j, "text", text && *text ? text : "-");
	json_close(&s->j, '}');
}

static const char *sarif_level(enum level level)
{
	if (level == LEVEL_BLOCKED || level == LEVEL_CHANGE)
		return "error";
	return level == LEVEL_NOTE ? "note" : "warning";
}

static void region_put(struct sarif *s, const struct finding *f)
{
	const struct sarif_text *t = &s->at;
	size_t len, end;
	const char *line;

	json_key(&s->j, "region");
	json_open(&s->j, '{');
	json_kint(&s->j, "startLine", f->line ? f->line : 1);
	if (t->known && f->line && f->line <= t->lines.nr) {
		line = lines_text(&t->lines, f->line, &len);
		end = f->end_line > f->line ? len : f->end_column - 1;
		json_kint(&s->j, "startColumn", (long long)column_of(line, len, f->column - 1));
		json_kint(&s->j, "endLine", f->line);
		json_kint(&s->j, "endColumn", (long long)column_of(line, len, end));
	}
	if (f->snippet && *f->snippet)
		message_put(s, "snippet", f->snippet);
	json_close(&s->j, '}');
}

static void location_put(struct sarif *s, const struct finding *f)
{
	json_key(&s->j, "locations");
	json_open(&s->j, '[');
	json_open(&s->j, '{');
	json_key(&s->j, "physicalLocation");
	json_open(&s->j, '{');
	location_uri(s, f->source->path);
	region_put(s, f);
	json_close(&s->j, '}');
	if (f->symbol && *f->symbol) {
		json_key(&s->j, "logicalLocations");
		json_open(&s->j, '[');
		json_open(&s->j, '{');
		json_kstr(&s->j, "fullyQualifiedName", f->symbol);
		json_close(&s->j, '}');
		json_close(&s->j, ']');
	}
	json_close(&s->j, '}');
	json_close(&s->j, ']');
}

static void fingerprints_put(struct sarif *s, const struct finding *f)
{
	json_key(&s->j, "partialFingerprints");
	json_open(&s->j, '{');
	json_kstr(&s->j, TOOL_NAME "/v1", f->fingerprint);
	if (s->at.known && f->line && f->line <= s->at.lines.nr)
		json_kstr(&s->j, "primaryLocationLineHash", s->at.hashes[f->line - 1]);
	json_close(&s->j, '}');
}

/* ---- fixes -------------------------------------------------------------------------------------- */

static void place_put(struct sarif *s, uint32_t offset, const char *line_key, const char *column_key)
{
	const struct lines *l = &s->at.lines;
	uint32_t column, line = lines_at(l, offset, &column);
	size_t len;
	const char *text = lines_text(l, line, &len);

	json_kint(&s->j, line_key, line);
	json_kint(&s->j, column_key, (long long)column_of(text, len, column - 1));
}

static void replacement_put(struct sarif *s, const struct edit *e)
{
	json_open(&s->j, '{');
	json_key(&s->j, "deletedRegion");
	json_open(&s->j, '{');
	if (e->create) {
		json_kint(&s->j, "startLine", 1);
		json_kint(&s->j, "startColumn", 1);
		json_kint(&s->j, "endColumn", 1);
	} else {
		place_put(s, e->span.start, "startLine", "startColumn");
		place_put(s, e->span.end, "endLine", "endColumn");
	}
	json_close(&s->j, '}');
	json_key(&s->j, "insertedContent");
	json_open(&s->j, '{');
	json_kstr(&s->j, "text", e->text ? e->text : "");
	json_close(&s->j, '}');
	json_close(&s->j, '}');
}

static const char *edit_path(const struct finding *f, const struct edit *e)
{
	return e->path ? e->path : f->source->path;
}

/* All replacements in the file of edit i, unless an earlier one has brought them. */
static void change_put(struct sarif *s, const struct finding *f, size_t i)
{
	const struct fix *fix = f->fix;
	const char *path = edit_path(f, &fix->edits[i]);
	size_t k;

	for (k = 0; k < i; k++)
		if (!strcmp(edit_path(f, &fix->edits[k]), path))
			return;
	json_open(&s->j, '{');
	location_uri(s, path);
	json_key(&s->j, "replacements");
	json_open(&s->j, '[');
	for (k = i; k < fix->nr_edits; k++)
		if (!strcmp(edit_path(f, &fix->edits[k]), path))
			replacement_put(s, &fix->edits[k]);
	json_close(&s->j, ']');
	json_close(&s->j, '}');
}

/* Every place of the fix is in the text at hand, or in a file that it makes. */
static bool fix_placed(const struct sarif *s, const struct finding *f)
{
	size_t i;

	if (!f->fix || !f->fix->nr_edits || !s->at.known || f->fix->safety == SAFETY_MANUAL)
		return false;
	for (i = 0; i < f->fix->nr_edits; i++) {
		const struct edit *e = &f->fix->edits[i];

		if (!e->create && e->path && strcmp(e->path, f->source->path))
			return false;
		if (!e->create && e->span.end > s->at.text.len)
			return false;
		if (e->text && !utf8_valid(e->text, strlen(e->text)))
			return false;
	}
	return true;
}

static void fixes_put(struct sarif *s, const struct finding *f)
{
	size_t i;

	if (!fix_placed(s, f))
		return;
	json_key(&s->j, "fixes");
	json_open(&s->j, '[');
	json_open(&s->j, '{');
	message_put(s, "description", f->fix->description);
	json_key(&s->j, "artifactChanges");
	json_open(&s->j, '[');
	for (i = 0; i < f->fix->nr_edits; i++)
		change_put(s, f, i);
	json_close(&s->j, ']');
	json_close(&s->j, '}');
	json_close(&s->j, ']');
}

/* ---- results ------------------------------------------------------------------------------------ */

static void suppressions_put(struct sarif *s, const struct finding *f)
{
	json_key(&s->j, "suppressions");
	json_open(&s->j, '[');
	if (f->state != STATE_OPEN) {
		bool inside = f->state == STATE_SUPPRESSED;

		json_open(&s->j, '{');
		json_kstr(&s->j, "kind", inside ? "inSource" : "external");
		json_kstr(&s->j, "justification",
			  inside && f->state_reason ? f->state_reason : "in the baseline");
		json_close(&s->j, '}');
	}
	json_close(&s->j, ']');
}

static void properties_put(struct sarif *s, const struct finding *f)
{
	json_key(&s->j, "properties");
	json_open(&s->j, '{');
	json_kstr(&s->j, "level", level_name(f->level));
	json_kstr(&s->j, "layer", layer_name(f->source->layer));
	json_kbool(&s->j, "patched", finding_patched(f));
	json_kbool(&s->j, "gpuUnverified", f->gpu_unverified);
	json_close(&s->j, '}');
}

static size_t rule_index(const struct strings *rules, const char *id)
{
	size_t low = 0, high = rules->nr;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (strcmp(rules->v[mid], id) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static void result_put(struct sarif *s, const struct finding *f)
{
	text_open(s, f);
	json_open(&s->j, '{');
	json_kstr(&s->j, "ruleId", f->rule);
	json_kint(&s->j, "ruleIndex", (long long)rule_index(&s->rules, f->rule));
	json_kstr(&s->j, "level", sarif_level(f->level));
	message_put(s, "message", f->message);
	location_put(s, f);
	fingerprints_put(s, f);
	if (s->r->baseline)
		json_kstr(&s->j, "baselineState",
			  f->state == STATE_BASELINED || !f->is_new ? "unchanged" : "new");
	suppressions_put(s, f);
	fixes_put(s, f);
	properties_put(s, f);
	json_close(&s->j, '}');
}

static int id_compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Which findings are written: the gravest, as many as are taken in; and the ids of their rules. */
static void results_choose(struct sarif *s)
{
	const struct findings *all = &s->r->findings;
	size_t nr = 0, i;
	int weight;

	s->out = arena_array(&s->arena, all->nr + 1, sizeof(*s->out));
	for (weight = LEVEL_BLOCKED; weight >= LEVEL_NOTE; weight--)
		for (i = 0; i < all->nr && nr < RESULTS_MAX; i++)
			if (level_weight(all->v[i]->level) == weight) {
				s->out[i] = true;
				nr++;
			}
	s->left_out = all->nr - nr;
	for (i = 0; i < all->nr; i++)
		if (s->out[i] && !strings_has(&s->rules, all->v[i]->rule))
			strings_add(&s->rules, &s->arena, all->v[i]->rule);
	if (s->rules.nr)
		qsort(s->rules.v, s->rules.nr, sizeof(*s->rules.v), id_compare);
}

/* ---- rules -------------------------------------------------------------------------------------- */

static const char *rule_text(const struct report_options *o, const char *id)
{
	size_t i;

	for (i = 0; i < o->nr_rules; i++)
		if (!strcmp(o->rules[i].id, id))
			return o->rules[i].text;
	return NULL;
}

/* The gravest finding of a rule speaks for it. */
static const struct finding *rule_finding(const struct result *r, const char *id)
{
	const struct finding *best = NULL;
	size_t i;

	for (i = 0; i < r->findings.nr; i++) {
		const struct finding *f = r->findings.v[i];

		if (!strcmp(f->rule, id) && (!best || f->level > best->level))
			best = f;
	}
	return best;
}

static void rule_help_put(struct sarif *s, const char *text)
{
	struct strbuf md = STRBUF_INIT;

	strbuf_addf(&md, "````text\n%s%s````\n", text, str_ends(text, "\n") ? "" : "\n");
	json_key(&s->j, "help");
	json_open(&s->j, '{');
	json_kstr(&s->j, "text", text);
	json_kstr(&s->j, "markdown", md.buf);
	json_close(&s->j, '}');
	strbuf_release(&md);
}

static void rule_put(struct sarif *s, const char *id)
{
	const struct finding *f = rule_finding(s->r, id);
	const char *text = rule_text(s->o, id);

	json_open(&s->j, '{');
	json_kstr(&s->j, "id", id);
	json_kstr(&s->j, "name", f->name);
	message_put(s, "shortDescription", f->name);
	message_put(s, "fullDescription", f->message);
	rule_help_put(s, text ? text : f->message);
	json_key(&s->j, "defaultConfiguration");
	json_open(&s->j, '{');
	json_kstr(&s->j, "level", sarif_level(f->level));
	json_close(&s->j, '}');
	json_key(&s->j, "properties");
	json_open(&s->j, '{');
	json_key(&s->j, "tags");
	json_open(&s->j, '[');
	json_str(&s->j, "migration");
	json_close(&s->j, ']');
	json_kstr(&s->j, "problem.severity",
		  !strcmp(sarif_level(f->level), "note") ? "recommendation"
							  : sarif_level(f->level));
	json_close(&s->j, '}');
	json_close(&s->j, '}');
}

static void tool_put(struct sarif *s)
{
	size_t i;

	json_key(&s->j, "tool");
	json_open(&s->j, '{');
	json_key(&s->j, "driver");
	json_open(&s->j, '{');
	json_kstr(&s->j, "name", TOOL_NAME);
	json_kstr(&s->j, "version", TOOL_VERSION);
	json_kstr(&s->j, "semanticVersion", TOOL_VERSION);
	json_key(&s->j, "rules");
	json_open(&s->j, '[');
	for (i = 0; i < s->rules.nr; i++)
		rule_put(s, s->rules.v[i]);
	json_close(&s->j, ']');
	json_close(&s->j, '}');
	json_close(&s->j, '}');
}

/* ---- the run ------------------------------------------------------------------------------------ */

static void notification_put(struct sarif *s, const char *path, const char *level, const char *text)
{
	json_open(&s->j, '{');
	json_kstr(&s->j, "level", level);
	message_put(s, "message", text);
	if (path) {
		json_key(&s->j, "locations");
		json_open(&s->j, '[');
		json_open(&s->j, '{');
		json_key(&s->j, "physicalLocation");
		json_open(&s->j, '{');
		location_uri(s, path);
		json_close(&s->j, '}');
		json_close(&s->j, '}');
		json_close(&s->j, ']');
	}
	json_close(&s->j, '}');
}

static void invocation_put(struct sarif *s)
{
	const struct notices *n = &s->r->notices;
	size_t i;

	json_key(&s->j, "invocations");
	json_open(&s->j, '[');
	json_open(&s->j, '{');
	json_kbool(&s->j, "executionSuccessful", true);
	json_key(&s->j, "toolExecutionNotifications");
	json_open(&s->j, '[');
	for (i = 0; i < n->nr; i++)
		notification_put(s, n->v[i].path, "warning", n->v[i].message);
	if (s->left_out)
		notification_put(s, NULL, "error",
				 arena_fmt(&s->arena, "%zu findings are left out: code scanning "
						      "takes %d at most", s->left_out, RESULTS_MAX));
	json_close(&s->j, ']');
	json_close(&s->j, '}');
	json_close(&s->j, ']');
}

static void roots_put(struct sarif *s)
{
	json_key(&s->j, "originalUriBaseIds");
	json_open(&s->j, '{');
	json_key(&s->j, "%SRCROOT%");
	json_open(&s->j, '{');
	message_put(s, "description", "the root of the analysed tree");
	json_close(&s->j, '}');
	json_close(&s->j, '}');
}

static void run_put(struct sarif *s)
{
	size_t i;

	json_open(&s->j, '{');
	tool_put(s);
	json_key(&s->j, "automationDetails");
	json_open(&s->j, '{');
	json_kstr(&s->j, "id", TOOL_NAME "/");
	json_close(&s->j, '}');
	invocation_put(s);
	roots_put(s);
	json_kstr(&s->j, "columnKind", "utf16CodeUnits");
	json_key(&s->j, "results");
	json_open(&s->j, '[');
	for (i = 0; i < s->r->findings.nr; i++)
		if (s->out[i])
			result_put(s, s->r->findings.v[i]);
	json_close(&s->j, ']');
	json_close(&s->j, '}');
}

void report_sarif(struct strbuf *out, const struct result *r, const struct report_options *o)
{
	struct sarif s = {.r = r, .o = o};

	json_init(&s.j, out, false);
	results_choose(&s);
	json_open(&s.j, '{');
	json_kstr(&s.j, "$schema", SARIF_SCHEMA);
	json_kstr(&s.j, "version", "2.1.0");
	json_key(&s.j, "runs");
	json_open(&s.j, '[');
	run_put(&s);
	json_close(&s.j, ']');
	json_close(&s.j, '}');
	strbuf_addch(out, '\n');
	text_close(&s.at);
	arena_free(&s.arena);
}
