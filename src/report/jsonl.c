/*
 * jsonl.c - the result as one JSON record a line: the run, each finding, each notice, the summary.
 *
 * Members are those of the JSON format; "type" says which record it is.
 */
#include "report/internal.h"

static void record_open(struct json *j, struct strbuf *out, const char *type)
{
	json_init(j, out, true);
	json_open(j, '{');
	json_kstr(j, "type", type);
}

static void record_close(struct json *j)
{
	json_close(j, '}');
	strbuf_addch(j->out, '\n');
}

void report_jsonl(struct strbuf *out, const struct result *r, const struct report_options *o)
{
	struct json j;
	size_t i;

	record_open(&j, out, "run");
	json_head(&j, r);
	record_close(&j);
	for (i = 0; i < r->findings.nr; i++) {
		record_open(&j, out, "finding");
		json_finding(&j, r->findings.v[i]);
		record_close(&j);
	}
	for (i = 0; i < r->notices.nr; i++) {
		record_open(&j, out, "notice");
		json_notice(&j, &r->notices.v[i]);
		record_close(&j);
	}
	record_open(&j, out, "summary");
	json_summary(&j, r);
	json_baseline(&j, r->baseline);
	record_close(&j);
}
