/* report.c - the list of formats, and questions about findings and files that several formats ask.
 */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "report/internal.h"

const struct format formats[] = {
	[FORMAT_TEXT] = {"text", "for people: at most 25 lines unless all are asked for", report_text},
	[FORMAT_JSON] = {"json", "the whole result, schema 1", report_json},
	[FORMAT_JSONL] = {"jsonl", "the same, a record a line", report_jsonl},
	[FORMAT_SARIF] = {"sarif", "SARIF 2.1.0, for code scanning", report_sarif},
	[FORMAT_GITHUB] = {"github", "annotations of a GitHub workflow", report_github},
	[FORMAT_MARKDOWN] = {"markdown", "a comment for a pull request", report_markdown},
	[FORMAT_CONCISE] = {"concise", "one line a finding", report_concise},
	[FORMAT_GITLAB] = {"gitlab", "GitLab's code quality report", report_gitlab},
	[FORMAT_JUNIT] = {"junit", "JUnit XML, a test case a finding", report_junit},
	[FORMAT_CSV] = {"csv", "a table, a row a finding", report_csv},
	[FORMAT_NR] = {NULL, NULL, NULL},
};

const struct format *format_find(const char *name)
{
	const struct format *f;

	for (f = formats; f->name; f++)
		if (!strcmp(f->name, name))
			return f;
	return NULL;
}

const char *state_name(enum state state)
{
	static const char *const names[] = {"open", "suppressed", "baselined"};

	return names[state];
}

int level_weight(enum level level)
{
	return level == LEVEL_EXPIRED ? LEVEL_CHANGE : (int)level;
}

bool finding_fails(const struct finding *f, const struct report_options *o)
{
	return f->state == STATE_OPEN && !f->gpu_unverified &&
	       level_weight(f->level) >= level_weight(o->gate);
}

bool finding_folded(const struct finding *f)
{
	return source_off_product(f->source);
}

bool finding_patched(const struct finding *f)
{
	return f->state == STATE_OPEN && f->fix && f->fix->nr_edits &&
	       f->fix->safety == SAFETY_SAFE && !f->reason_not_applied;
}

static bool source_first(const struct source *s)
{
	return s->rank >= 0 && (s->treatment == TREAT_FIRST || s->treatment == TREAT_SECOND);
}

bool source_left(const struct source *s)
{
	return !source_first(s) && s->layer != LAYER_OTHER;
}

static int rank_compare(const void *a, const void *b)
{
	const struct source *x = *(struct source *const *)a, *y = *(struct source *const *)b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return strcmp(x->path, y->path);
}

struct source **first_list(const struct repo *repo, struct arena *a, size_t *nr)
{
	struct source **list = arena_array(a, repo->nr_files + 1, sizeof(*list));
	size_t i;

	*nr = 0;
	for (i = 0; i < repo->nr_files; i++)
		if (source_first(repo->files[i]))
			list[(*nr)++] = repo->files[i];
	if (*nr)
		qsort(list, *nr, sizeof(*list), rank_compare);
	return list;
}
