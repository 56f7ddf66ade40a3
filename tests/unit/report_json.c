/* report_json.c - the JSON format and the facts listing. */
#include "unit.h"

#include <cJSON.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/report.h"

struct bench {
	struct arena arena;
	struct repo repo;
	struct vocab vocab;
	struct target target;
	struct result result;
	struct source source, other;
	struct source *files[2];
	struct strbuf out;
};

static void bench_open(struct bench *b)
{
	static const char *const roots[] = {"paddle", NULL};

	memset(b, 0, sizeof(*b));
	strbuf_init(&b->out);
	b->vocab.target_roots = roots;
	b->vocab.package = "paddlepaddle";
	b->target = (struct target){"3.3.1", "cuda", "shipped"};
	b->source.path = "a.py";
	b->source.lang = LANG_PYTHON;
	b->source.layer = LAYER_GLUE;
	b->source.treatment = TREAT_SECOND;
	b->source.analysis = ANALYSIS_FULL;
	b->other.path = "caf\xe9 100%.cu";
	b->other.lang = LANG_CUDA;
	b->other.layer = LAYER_KERNEL;
	b->files[0] = &b->source;
	b->files[1] = &b->other;
	b->repo.name = "thing";
	b->repo.dirfd = -1;
	b->repo.files = b->files;
	b->repo.nr_files = 2;
	b->result.repo = &b->repo;
	b->result.vocab = &b->vocab;
	b->result.targets = &b->target;
	b->result.nr_targets = 1;
}

static void bench_close(struct bench *b)
{
	strbuf_release(&b->out);
	arena_free(&b->arena);
}

static struct finding *bench_finding(struct bench *b)
{
	struct finding *f = ARENA_NEW(&b->arena, struct finding);

	f->source = &b->source;
	f->rule = "PD501";
	f->name = "private-current-device";
	f->level = LEVEL_CHANGE;
	f->line = 3;
	f->column = 1;
	f->end_line = 3;
	f->end_column = 9;
	f->message = "says \"no\"";
	f->snippet = "x = y";
	memset(f->fingerprint, 'a', 32);
	*VEC_PUSH(&b->arena, &b->result.findings) = f;
	return f;
}

static cJSON *bench_print(struct bench *b)
{
	struct report_options o = {0};
	cJSON *json;

	strbuf_reset(&b->out);
	format_find("json")->print(&b->out, &b->result, &o);
	json = cJSON_Parse(b->out.buf);
	ck_assert_msg(json != NULL, "not JSON:\n%s", b->out.buf);
	return json;
}

/* The keys of an object in order, as one text. */
static void keys_are(const cJSON *object, const char *want)
{
	struct strbuf sb = STRBUF_INIT;
	const cJSON *child;

	cJSON_ArrayForEach(child, object)
		strbuf_addf(&sb, "%s%s", sb.len ? " " : "", child->string);
	ck_assert_str_eq(sb.buf, want);
	strbuf_release(&sb);
}

static const char *text_at(const cJSON *object, const char *key)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(object, key);

	return cJSON_IsString(v) ? v->valuestring : "(no text)";
}

static const cJSON *at(const cJSON *object, const char *key)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(object, key);

	ck_assert_msg(v != NULL, "no key %s", key);
	return v;
}

UNIT_TEST(json_has_every_key_in_order)
{
	struct bench b;
	struct finding *f;
	cJSON *json;

	bench_open(&b);
	f = bench_finding(&b);
	f->fix = ARENA_NEW(&b.arena, struct fix);
	f->fix->safety = SAFETY_SAFE;
	f->fix->edits = ARENA_NEW(&b.arena, struct edit);
	f->fix->edits->text = "z";
	f->fix->edits->span = (struct span){4, 9};
	f->fix->nr_edits = 1;
	b.repo.extensions = ARENA_NEW(&b.arena, struct extension);
	b.repo.extensions->name = "x";
	b.repo.nr_extensions = 1;
	notice_add(&b.result.notices, &b.arena, NULL, "walk", "too many");
	json = bench_print(&b);
	keys_are(json, "schema_version tool target requires repository files extensions findings "
		       "plan notices summary baseline probe verify");
	keys_are(at(json, "target"), "package version build source");
	keys_are(at(json, "requires"), "paddle because");
	keys_are(at(json, "repository"), "name type type_reasons entries scope verdict ported");
	keys_are(at(json, "files")->child, "path language layer reason treatment analysis");
	keys_are(at(json, "extensions")->child, "name sources verdict blocked_by by_hand unjudged");
	keys_are(at(json, "findings")->child,
		 "rule name level fingerprint path line column end_line end_column symbol verdict "
		 "message snippet group guards gpu_unverified fix reason_not_applied keep state state_reason new");
	keys_are(at(at(json, "findings")->child, "fix"),
		 "safety dual description edits alternatives");
	keys_are(at(at(at(json, "findings")->child, "fix"), "edits")->child, "path start end text");
	keys_are(at(json, "plan"), "files_created lines_added lines_removed marker_lines");
	keys_are(at(json, "notices")->child, "path stage message");
	keys_are(at(json, "summary"), "files by_layer by_level patchable analysed_bytes effort");
	keys_are(at(at(json, "summary"), "by_layer"), "other kernel build binding glue");
	keys_are(at(at(json, "summary"), "by_level"), "note check change expired blocked");
	ck_assert(cJSON_IsNull(at(json, "probe")));
	ck_assert_int_eq(at(at(json, "summary"), "patchable")->valueint, 1);
	ck_assert_str_eq(text_at(at(json, "findings")->child, "message"), "says \"no\"");
	cJSON_Delete(json);
	bench_close(&b);
}

UNIT_TEST(json_encodes_what_is_not_utf8_and_says_so)
{
	struct bench b;
	const cJSON *file;
	cJSON *json;

	bench_open(&b);
	json = bench_print(&b);
	file = at(json, "files")->child;
	ck_assert_ptr_null(cJSON_GetObjectItem(file, "path_encoded"));
	ck_assert_str_eq(text_at(file->next, "path"), "caf%E9 100%25.cu");
	ck_assert(cJSON_IsTrue(at(file->next, "path_encoded")));
	cJSON_Delete(json);
	bench_close(&b);
}

UNIT_TEST(json_names_what_blocks_an_extension)
{
	static const char *sources[] = {"a.py"}, *rules[] = {"PD501"};
	struct extension e = {.name = "x", .sources = sources, .nr_sources = 1,
			      .blocked_by = rules, .nr_blocked_by = 1};
	struct bench b;
	const cJSON *by;
	cJSON *json;

	bench_open(&b);
	b.repo.extensions = &e;
	b.repo.nr_extensions = 1;
	json = bench_print(&b);
	by = at(at(json, "extensions")->child, "blocked_by");
	ck_assert_int_eq(cJSON_GetArraySize(by), 1);
	ck_assert_str_eq(by->child->valuestring, "PD501");
	cJSON_Delete(json);
	bench_close(&b);
}

UNIT_TEST(json_keeps_state_and_condition)
{
	struct bench b;
	struct finding *f;
	const cJSON *first;
	cJSON *json;

	bench_open(&b);
	f = bench_finding(&b);
	f->keep_until = "covered x";
	f->state = STATE_SUPPRESSED;
	bench_finding(&b)->keep_long_term = "because";
	json = bench_print(&b);
	first = at(json, "findings")->child;
	keys_are(at(first, "keep"), "until");
	keys_are(at(first->next, "keep"), "long_term");
	ck_assert_str_eq(text_at(first, "state"), "suppressed");
	ck_assert(cJSON_IsNull(at(first, "fix")));
	ck_assert_int_eq(at(at(at(json, "summary"), "by_level"), "change")->valueint, 1);
	cJSON_Delete(json);
	bench_close(&b);
}

/* ---- facts -------------------------------------------------------------------------------------
 */

static void facts_are(struct bench *b, const char *text, bool changed, bool json, const char *want)
{
	char dir[64];
	FILE *file;

	snprintf(dir, sizeof(dir), "%s/facts-XXXXXX", P_tmpdir);
	ck_assert_ptr_nonnull(mkdtemp(dir));
	b->repo.dirfd = open(dir, O_RDONLY | O_DIRECTORY);
	file = fdopen(openat(b->repo.dirfd, "a.py", O_WRONLY | O_CREAT, 0600), "w");
	fputs(text, file);
	fclose(file);
	b->source.size = (uint32_t)strlen(text);
	b->source.hash = hash_bytes(text, strlen(text)) + changed;
	report_facts(&b->out, &b->repo, json);
	ck_assert_str_eq(b->out.buf, want);
	unlinkat(b->repo.dirfd, "a.py", 0);
	close(b->repo.dirfd);
	rmdir(dir);
}

static void bench_fact(struct bench *b)
{
	struct fact *f = ARENA_NEW(&b->arena, struct fact);

	f->kind = FACT_USE;
	f->name = "torch.add";
	f->symbol = "";
	f->flags = F_CALL | F_FUNCTION;
	f->span = (struct span){6, 9};
	f->verdict = VERDICT_COVERED;
	f->row = "paddle-3.3.1/names:torch.add";
	f->args = ARENA_NEW(&b->arena, struct arg);
	f->args->keyword = "out";
	f->args->value = VALUE_NONE;
	f->nr_args = 1;
	b->source.facts = f;
	b->source.nr_facts = 1;
}

UNIT_TEST(facts_as_text)
{
	struct bench b;

	bench_open(&b);
	bench_fact(&b);
	facts_are(&b, "one\n  two()\n", false, false,
		  "a.py:2:3 use torch.add call function covered paddle-3.3.1/names:torch.add\n");
	bench_close(&b);
}

UNIT_TEST(facts_of_a_changed_file_have_offsets)
{
	struct bench b;

	bench_open(&b);
	bench_fact(&b);
	facts_are(&b, "one\n", true, false,
		  "a.py:@6 use torch.add call function covered paddle-3.3.1/names:torch.add\n");
	bench_close(&b);
}

UNIT_TEST(facts_as_json_lines)
{
	struct bench b;

	bench_open(&b);
	bench_fact(&b);
	facts_are(
		&b, "one\n  two()\n", false, true,
		"{\"path\":\"a.py\",\"line\":2,\"column\":3,\"start\":6,\"end\":9,\"kind\":\"use\","
		"\"name\":\"torch.add\",\"text\":null,\"recv\":null,\"symbol\":\"\","
		"\"flags\":[\"call\",\"function\"],\"args\":[{\"keyword\":\"out\",\"value\":"
		"\"none\",\"text\":null,\"splat\":false}],\"verdict\":\"covered\",\"missing\":null,"
		"\"row\":\"paddle-3.3.1/names:torch.add\",\"keyword\":null}\n");
	bench_close(&b);
}
