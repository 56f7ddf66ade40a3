/*
 * lines.c - formats with one line an open finding: for people and editors, and for GitHub workflows.
 *
 * Nothing of the analysed tree may end a line or begin a command: control bytes are shown as text, and
 * the bytes that a workflow command gives a meaning are encoded as its runner decodes them.
 */
#include <string.h>

#include "report/internal.h"

void report_concise(struct strbuf *out, const struct result *r, const struct report_options *o)
{
	size_t i;

	for (i = 0; i < r->findings.nr; i++) {
		const struct finding *f = r->findings.v[i];

		if (f->state != STATE_OPEN)
			continue;
		text_safe(out, f->source->path);
		strbuf_addf(out, ":%u:%u: %s %s: ", (unsigned)f->line, (unsigned)f->column,
			    level_name(f->level), f->rule);
		text_safe(out, f->message);
		strbuf_addstr(out, finding_patched(f) ? " [patch]\n" : "\n");
	}
}

/* `special`: bytes that are encoded too; of a property ':' and ','. */
static void command_text(struct strbuf *out, const char *s, const char *special)
{
	struct strbuf safe = STRBUF_INIT;
	const char *p;

	text_safe(&safe, s);
	for (p = safe.buf; *p; p++) {
		if (*p == '%' || strchr(special, *p))
			strbuf_addf(out, "%%%02X", (unsigned char)*p);
		else
			strbuf_addch(out, *p);
	}
	strbuf_release(&safe);
}

static const char *command_name(enum level level)
{
	if (level == LEVEL_BLOCKED || level == LEVEL_CHANGE)
		return "error";
	return level == LEVEL_NOTE ? "notice" : "warning";
}

/* A name's own control bytes are encoded, not shown: the runner looks for the file. */
static void command_path(struct strbuf *out, const char *path)
{
	for (; *path; path++) {
		if ((unsigned char)*path < 0x20 || *path == 0x7f || strchr("%:,", *path))
			strbuf_addf(out, "%%%02X", (unsigned char)*path);
		else
			strbuf_addch(out, *path);
	}
}

void report_github(struct strbuf *out, const struct result *r, const struct report_options *o)
{
	size_t i;

	for (i = 0; i < r->findings.nr; i++) {
		const struct finding *f = r->findings.v[i];

		if (f->state != STATE_OPEN)
			continue;
		strbuf_addf(out, "::%s file=", command_name(f->level));
		command_path(out, f->source->path);
		strbuf_addf(out, ",line=%u,endLine=%u,col=%u,title=", (unsigned)f->line,
			    (unsigned)f->end_line, (unsigned)f->column);
		command_text(out, f->rule, ":,");
		strbuf_addch(out, ' ');
		command_text(out, f->name, ":,");
		strbuf_addstr(out, "::");
		command_text(out, f->message, "");
		strbuf_addch(out, '\n');
	}
}
