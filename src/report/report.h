/*
 * report.h - a result as bytes. One const struct per format, one list.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/json_read.h"
#include "base/strbuf.h"
#include "model.h"

/* What is said about a rule. */
struct rule_help {
	const char *id, *text;
};

struct report_options {
	enum level gate; /* least level that fails; zero: every one */
	const struct rule_help *rules; /* those of the findings, in order of ids; for formats that explain */
	size_t nr_rules;
	bool verbose;
	bool color;
	int width; /* of the terminal, 0: not one */
};

struct format {
	const char *name;
	const char *help;
	void (*print)(struct strbuf *out, const struct result *r, const struct report_options *o);
};

enum format_id {
	FORMAT_TEXT,
	FORMAT_JSON,
	FORMAT_JSONL,
	FORMAT_SARIF,
	FORMAT_GITHUB,
	FORMAT_MARKDOWN,
	FORMAT_CONCISE,
	FORMAT_GITLAB,
	FORMAT_JUNIT,
	FORMAT_CSV,
	FORMAT_NR
};

/* By enum format_id, ended by a zero element. */
extern const struct format formats[];
const struct format *format_find(const char *name);

/* Whether the finding counts at the options' gate. */
bool finding_fails(const struct finding *f, const struct report_options *o);

/*
 * A result that was printed as JSON: what any format needs of it. `path` is the tree it is about, NULL
 * where it is not at hand; lines of the text are then not known. -1 when it is no such result.
 */
int report_read(struct result **out, struct arena *a, const struct json_node *json,
		const struct vocab *vocab, const char *path, struct err *err);
/* Close what report_read opened. */
void report_read_close(struct result *r);

/* What is written into a baseline file, and read back from one: the fingerprints it holds. */
void baseline_print(struct strbuf *out, const struct result *r);
int baseline_read(struct stale **out, size_t *nr, struct arena *a, const struct json_node *json,
		  const char *name, struct err *err);

/* The facts of a run, one line each, as text or JSON. Reads texts again for their lines. */
void report_facts(struct strbuf *out, const struct repo *repo, bool json);

#endif
