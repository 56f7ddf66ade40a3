/* gate.c - the exit status of a result, and notices for people. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/path.h"
#include "cmd/cmd.h"

enum level gate_level(const struct cmd *c)
{
	int i;

	for (i = 0; c->o.fail_on && i <= LEVEL_BLOCKED; i++)
		if (!strcmp(level_name((enum level)i), c->o.fail_on))
			return (enum level)i;
	return LEVEL_CHANGE;
}

static bool gate_open(const struct cmd *c, const struct result *r)
{
	const struct report_options o = {.gate = gate_level(c)};
	size_t nr = 0, i;

	for (i = 0; i < r->findings.nr; i++)
		nr += finding_fails(r->findings.v[i], &o);
	return nr > (c->o.max_findings > 0 ? (size_t)c->o.max_findings : 0);
}

/* Whether part of the input was not analysed. Vendored code is left out on purpose. */
static bool gate_partial(const struct result *r)
{
	size_t i;

	for (i = 0; i < r->repo->nr_files; i++) {
		const struct source *s = r->repo->files[i];

		if (s->lang != LANG_OTHER && !(s->roles & (ROLE_VENDORED | ROLE_SUBMODULE)) &&
		    (s->analysis == ANALYSIS_SKIPPED || s->analysis == ANALYSIS_PARTIAL))
			return true;
	}
	return r->notices.nr != 0;
}

int gate_status(const struct cmd *c, const struct result *r)
{
	if (c->o.strict && gate_partial(r))
		return STATUS_NOT_ALL;
	if (gate_open(c, r) && !c->o.exit_zero)
		return STATUS_OPEN;
	return STATUS_OK;
}

void notices_say(const struct cmd *c, const struct result *r)
{
	struct strbuf sb = STRBUF_INIT;

	if (!c->o.run.quiet)
		notices_print(&sb, &r->notices, c->o.run.verbose);
	/* A terminal that is gone must not hide the result. */
	(void)fs_write_all(STDERR_FILENO, sb.buf, sb.len);
	strbuf_release(&sb);
}

static void notice_line(struct strbuf *out, const struct notice *n, size_t more)
{
	strbuf_addstr(out, "pdmigrate: ");
	if (n->path) {
		path_print(out, n->path);
		strbuf_addstr(out, more ? "" : ": ");
	}
	if (more)
		strbuf_addf(out, " and %zu more: ", more);
	path_print(out, n->message);
	strbuf_addch(out, '\n');
}

/* Length of the part of a message that says the reason: places and numbers differ from file to
 * file. */
static size_t reason_len(const char *s)
{
	size_t n = strcspn(s, "0123456789");

	return n ? n : strlen(s);
}

static bool notice_same(const struct notice *a, const struct notice *b)
{
	size_t n = reason_len(a->message);

	return str_eq(a->stage, b->stage) && n == reason_len(b->message) &&
	       !memcmp(a->message, b->message, n);
}

#define REASONS_MAX 12

void notices_print(struct strbuf *out, const struct notices *n, bool verbose)
{
	const struct notice *first[REASONS_MAX];
	size_t more[REASONS_MAX] = {0}, nr = 0, others = 0, i, k;

	for (i = 0; verbose && i < n->nr; i++)
		notice_line(out, &n->v[i], 0);
	if (verbose)
		return;
	for (i = 0; i < n->nr; i++) {
		for (k = 0; k < nr && !notice_same(first[k], &n->v[i]); k++)
			;
		if (k < nr)
			more[k]++;
		else if (nr < REASONS_MAX)
			first[nr++] = &n->v[i];
		else
			others++;
	}
	for (i = 0; i < nr; i++)
		notice_line(out, first[i], more[i]);
	if (others)
		strbuf_addf(out, "pdmigrate: and %zu more notices (-v)\n", others);
}
