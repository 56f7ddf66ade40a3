/*
 * report.h - a result as bytes. One const struct per format, one list.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/strbuf.h"
#include "model.h"

struct report_options {
	bool verbose;
	bool color;
	int width; /* of the terminal, 0: not one */
};

struct format {
	const char *name;
	const char *help;
	void (*print)(struct strbuf *out, const struct result *r, const struct report_options *o);
};

/* Ended by a zero element. */
extern const struct format formats[];
const struct format *format_find(const char *name);

/* The facts of a run, one line each, as text or JSON. Reads texts again for their lines. */
void report_facts(struct strbuf *out, const struct repo *repo, bool json);

#endif
