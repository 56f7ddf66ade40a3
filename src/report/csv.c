/*
 * csv.c - a table as RFC 4180 has it: a row a finding, whatever its state, below a row of names.
 *
 * A cell that a spreadsheet would take for a formula gets an apostrophe in front: names of files come
 * from the analysed tree. Control bytes are shown as text.
 */
#include <string.h>

#include "report/internal.h"

static void cell(struct strbuf *out, const char *s)
{
	struct strbuf safe = STRBUF_INIT;
	const char *p;

	text_safe(&safe, s);
	strbuf_addch(out, '"');
	if (*safe.buf && strchr("=+-@", *safe.buf))
		strbuf_addch(out, '\'');
	for (p = safe.buf; *p; p++) {
		if (*p == '"')
			strbuf_addch(out, '"');
		strbuf_addch(out, *p);
	}
	strbuf_addstr(out, "\",");
	strbuf_release(&safe);
}

static const char *fix_word(const struct finding *f)
{
	if (finding_patched(f))
		return "patch";
	return f->fix && f->fix->nr_edits ? safety_name(f->fix->safety) : "none";
}

static void row(struct strbuf *out, const struct finding *f)
{
	cell(out, f->rule);
	cell(out, f->name);
	cell(out, level_name(f->level));
	cell(out, state_name(f->state));
	cell(out, f->source->path);
	strbuf_addf(out, "%u,%u,%u,%u,", (unsigned)f->line, (unsigned)f->column,
		    (unsigned)f->end_line, (unsigned)f->end_column);
	cell(out, f->symbol);
	cell(out, verdict_name(f->fact ? f->fact->verdict : VERDICT_NONE));
	cell(out, f->message);
	cell(out, fix_word(f));
	strbuf_addf(out, "%s\r\n", f->fingerprint);
}

void report_csv(struct strbuf *out, const struct result *r, const struct report_options *o)
{
	size_t i;

	strbuf_addstr(out, "rule,name,level,state,path,line,column,end_line,end_column,symbol,verdict,"
			   "message,fix,fingerprint\r\n");
	for (i = 0; i < r->findings.nr; i++)
		row(out, r->findings.v[i]);
}
