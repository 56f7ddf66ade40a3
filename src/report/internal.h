/* internal.h - what the files of report/ share. */
#ifndef REPORT_INTERNAL_H
#define REPORT_INTERNAL_H

#include "report/report.h"

/* The formats, one file each. */
void report_text(struct strbuf *out, const struct result *r, const struct report_options *o);
void report_json(struct strbuf *out, const struct result *r, const struct report_options *o);

/* Findings that stand in tests and examples: one folded count, unless all are asked for. */
bool finding_folded(const struct finding *f);
/* Whether the plan makes the edits of a finding. */
bool finding_patched(const struct finding *f);
/* The files of the change-first list in order; *nr gets their number. */
struct source **first_list(const struct repo *repo, struct arena *a, size_t *nr);
/* What compat carries or nobody has to look at; documentation and data do not count. */
bool source_left(const struct source *s);

/* One line a rule, at most `max` lines; returns how many lines of other rules were left out. */
size_t text_rules(struct strbuf *out, const struct result *r, const struct report_options *o,
		  size_t max);
/* Every finding, with its place, guards and what keeps it. */
void text_findings(struct strbuf *out, const struct result *r, const struct report_options *o);
/* The word for a level, coloured when asked for, padded to the widest. */
void text_level(struct strbuf *out, enum level level, const struct report_options *o);
/* Text safe for a terminal; NULL prints nothing. */
void text_safe(struct strbuf *out, const char *s);
/* Columns that UTF-8 text takes. */
size_t text_width(const char *s, size_t len);
/* Spaces until `from`, an offset in `out`, is `width` columns back, two at least. */
void text_pad(struct strbuf *out, size_t from, size_t width);

#endif
