/* internal.h - what the files of report/ share. */
#ifndef REPORT_INTERNAL_H
#define REPORT_INTERNAL_H

#include "base/json.h"
#include "report/report.h"

/* The formats, one file each. */
void report_text(struct strbuf *out, const struct result *r, const struct report_options *o);
void report_json(struct strbuf *out, const struct result *r, const struct report_options *o);
void report_jsonl(struct strbuf *out, const struct result *r, const struct report_options *o);
void report_sarif(struct strbuf *out, const struct result *r, const struct report_options *o);
void report_github(struct strbuf *out, const struct result *r, const struct report_options *o);
void report_markdown(struct strbuf *out, const struct result *r, const struct report_options *o);
void report_concise(struct strbuf *out, const struct result *r, const struct report_options *o);
void report_gitlab(struct strbuf *out, const struct result *r, const struct report_options *o);
void report_junit(struct strbuf *out, const struct result *r, const struct report_options *o);
void report_csv(struct strbuf *out, const struct result *r, const struct report_options *o);

/* Members of the JSON objects, into one that is open. */
void json_head(struct json *j, const struct result *r);
void json_finding(struct json *j, const struct finding *f);
void json_notice(struct json *j, const struct notice *n);
void json_summary(struct json *j, const struct result *r);
void json_baseline(struct json *j, const struct baseline *b);

/* "open", "suppressed", "baselined". */
const char *state_name(enum state state);
/* Order of levels at a gate: note < check < change = expired < blocked. */
int level_weight(enum level level);

/* Hunks: runs of neighbouring lines with open findings that ask for a change. */
struct effort_counts {
	size_t mechanical, person, blocked;
};

struct effort_file {
	const struct source *source;
	struct effort_counts counts;
};

struct effort {
	struct effort_counts all;
	struct effort_file *files; /* those with something, in order of paths */
	size_t nr;
};
const struct effort *effort_make(const struct result *r, struct arena *a);

/* The next UTF-16 units of s[0..n), n > 0: how many bytes they come from; out[1] is 0 unless two. */
size_t utf16_next(const char *s, size_t n, uint16_t out[2]);
/* UTF-16 units of s[0..n). */
size_t utf16_len(const char *s, size_t n);

#define LINE_HASH_MAX 40
/*
 * The hash of each line as code scanning computes it: over the 100 UTF-16 units from its first on,
 * without blanks and tabs, line ends made equal, and how often that was seen above. Lines as in
 * base/lines.h. hashes[i] is that of line i + 1, of which there are `nr`.
 */
void line_hashes(const char *text, size_t len, char (*hashes)[LINE_HASH_MAX], size_t nr);

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
