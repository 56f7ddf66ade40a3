/* gitlab.c - GitLab's code quality report: open findings as a JSON array. */
#include "report/internal.h"

static const char *severity(enum level level)
{
	static const char *const names[] = {"info", "minor", "major", "minor", "blocker"};

	return names[level];
}

static void finding_put(struct json *j, struct strbuf *text, const struct finding *f)
{
	strbuf_reset(text);
	strbuf_addf(text, "%s: %s", f->rule, f->message ? f->message : f->name);
	json_open(j, '{');
	json_kstr(j, "description", text->buf);
	json_kstr(j, "check_name", f->rule);
	json_kstr(j, "fingerprint", f->fingerprint);
	json_kstr(j, "severity", severity(f->level));
	json_key(j, "location");
	json_open(j, '{');
	json_kstr(j, "path", f->source->path);
	json_key(j, "lines");
	json_open(j, '{');
	json_kint(j, "begin", f->line);
	json_kint(j, "end", f->end_line);
	json_close(j, '}');
	json_close(j, '}');
	json_close(j, '}');
}

void report_gitlab(struct strbuf *out, const struct result *r, const struct report_options *o)
{
	struct strbuf text = STRBUF_INIT;
	struct json j;
	size_t i;

	json_init(&j, out, false);
	json_open(&j, '[');
	for (i = 0; i < r->findings.nr; i++)
		if (r->findings.v[i]->state == STATE_OPEN)
			finding_put(&j, &text, r->findings.v[i]);
	json_close(&j, ']');
	strbuf_addch(out, '\n');
	strbuf_release(&text);
}
