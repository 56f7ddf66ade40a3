/* report_sarif.c - what code scanning does not take in is left out and counted, the least first. */
#include "unit.h"

#include <cJSON.h>
#include <string.h>

#include "report/report.h"

#define LIMIT 25000

static const cJSON *run_of(const cJSON *log)
{
	return cJSON_GetArrayItem(cJSON_GetObjectItem(log, "runs"), 0);
}

UNIT_TEST(limit_of_results)
{
	struct source source = {.path = "a b.py"};
	struct repo repo = {.name = "thing", .dirfd = -1};
	struct result r = {.repo = &repo};
	struct report_options o = {.gate = LEVEL_CHANGE};
	struct strbuf out = STRBUF_INIT;
	struct arena a = {0};
	const cJSON *run, *notes, *first;
	cJSON *log;
	size_t i;

	for (i = 0; i < LIMIT + 2; i++) {
		struct finding *f = ARENA_NEW(&a, struct finding);

		f->rule = i ? "PD501" : "PD400";
		f->name = f->message = "x";
		f->source = &source;
		f->line = (uint32_t)i + 1;
		f->level = i ? LEVEL_CHANGE : LEVEL_NOTE;
		*VEC_PUSH(&a, &r.findings) = f;
	}
	formats[FORMAT_SARIF].print(&out, &r, &o);
	log = cJSON_Parse(out.buf);
	ck_assert_ptr_nonnull(log);
	run = run_of(log);
	ck_assert_int_eq(cJSON_GetArraySize(cJSON_GetObjectItem(run, "results")), LIMIT);
	first = cJSON_GetArrayItem(cJSON_GetObjectItem(run, "results"), 0);
	ck_assert_str_eq(cJSON_GetObjectItem(first, "ruleId")->valuestring, "PD501");
	notes = cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(run, "invocations"), 0),
				    "toolExecutionNotifications");
	ck_assert_int_eq(cJSON_GetArraySize(notes), 1);
	ck_assert_ptr_nonnull(strstr(out.buf, "\"2 findings are left out: code scanning takes 25000"));
	ck_assert_ptr_nonnull(strstr(out.buf, "\"uri\": \"a%20b.py\""));
	cJSON_Delete(log);
	strbuf_release(&out);
	arena_free(&a);
}
