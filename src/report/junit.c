/*
 * junit.c - JUnit XML: a suite a file, a case a finding.
 *
 * What counts at the gate has failed, what is suppressed or in the baseline was skipped, everything
 * else passed and says so in its output. What XML cannot hold is shown as text.
 */
#include <string.h>

#include "base/path.h"
#include "report/internal.h"
#include "report/version.h"

static void xml_text(struct strbuf *out, const char *s)
{
	struct strbuf safe = STRBUF_INIT;
	size_t i, n;

	text_safe(&safe, s);
	for (i = 0; i < safe.len; i += n) {
		const char *p = safe.buf + i;

		n = (size_t)utf8_seq(p, safe.len - i);
		if (!n) {
			n = 1;
			strbuf_addf(out, "\\x%02x", (unsigned char)*p);
		} else if (n == 3 && !memcmp(p, "\xef\xbf", 2) && (unsigned char)p[2] >= 0xbe) {
			strbuf_addf(out, "\\uff%02x", p[2] == '\xbe' ? 0xfe : 0xff);
		} else if (strchr("<>&\"", *p)) {
			strbuf_addf(out, "&#%d;", *p);
		} else {
			strbuf_add(out, p, n);
		}
	}
	strbuf_release(&safe);
}

static void attribute(struct strbuf *out, const char *name, const char *value)
{
	strbuf_addf(out, " %s=\"", name);
	xml_text(out, value);
	strbuf_addch(out, '"');
}

static void case_name(struct strbuf *out, const struct finding *f)
{
	struct strbuf name = STRBUF_INIT;

	strbuf_addf(&name, "%s %s, line %u column %u", f->rule, f->name, (unsigned)f->line,
		    (unsigned)f->column);
	attribute(out, "name", name.buf);
	strbuf_release(&name);
}

/* The place and the line, below the message. */
static void case_text(struct strbuf *out, const struct finding *f)
{
	xml_text(out, f->source->path);
	strbuf_addf(out, ":%u: ", (unsigned)f->line);
	xml_text(out, f->message);
	strbuf_addch(out, '\n');
	xml_text(out, f->snippet);
}

static void case_put(struct strbuf *out, const struct finding *f, const struct report_options *o)
{
	strbuf_addstr(out, "  <testcase");
	case_name(out, f);
	attribute(out, "classname", f->source->path);
	strbuf_addstr(out, ">\n");
	if (f->state != STATE_OPEN) {
		strbuf_addstr(out, "   <skipped");
		attribute(out, "message", f->state_reason ? f->state_reason : state_name(f->state));
		strbuf_addstr(out, "/>\n");
	} else if (finding_fails(f, o)) {
		strbuf_addstr(out, "   <failure");
		attribute(out, "type", level_name(f->level));
		attribute(out, "message", f->message);
		strbuf_addch(out, '>');
		case_text(out, f);
		strbuf_addstr(out, "</failure>\n");
	} else {
		strbuf_addf(out, "   <system-out>%s: ", level_name(f->level));
		case_text(out, f);
		strbuf_addstr(out, "</system-out>\n");
	}
	strbuf_addstr(out, "  </testcase>\n");
}

struct counts {
	size_t tests, failures, skipped;
};

static struct counts counts_of(struct finding *const *v, size_t nr, const struct report_options *o)
{
	struct counts c = {.tests = nr};
	size_t i;

	for (i = 0; i < nr; i++) {
		c.skipped += v[i]->state != STATE_OPEN;
		c.failures += finding_fails(v[i], o);
	}
	return c;
}

static void suite_open(struct strbuf *out, const char *tag, const char *name, struct counts c)
{
	strbuf_addf(out, "<%s", tag);
	attribute(out, "name", name);
	strbuf_addf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\">\n", c.tests,
		    c.failures, c.skipped);
}

void report_junit(struct strbuf *out, const struct result *r, const struct report_options *o)
{
	struct finding **v = r->findings.v;
	size_t i, k, end, nr = r->findings.nr;

	strbuf_addstr(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	suite_open(out, "testsuites", TOOL_NAME, counts_of(v, nr, o));
	for (i = 0; i < nr; i = end) {
		for (end = i + 1; end < nr && v[end]->source == v[i]->source; end++)
			;
		strbuf_addch(out, ' ');
		suite_open(out, "testsuite", v[i]->source->path, counts_of(v + i, end - i, o));
		for (k = i; k < end; k++)
			case_put(out, v[k], o);
		strbuf_addstr(out, " </testsuite>\n");
	}
	strbuf_addstr(out, "</testsuites>\n");
}
