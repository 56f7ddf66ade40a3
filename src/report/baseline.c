/*
 * baseline.c - the file of known findings.
 *
 * A list in order of path, rule and fingerprint, so that its diffs are small. Only the fingerprint is
 * compared; it stays when lines move, and equal lines of a function have one each. Rule, path and
 * line of text are for people.
 */
#include <stdlib.h>
#include <string.h>

#include "report/internal.h"
#include "report/version.h"

#define BASELINE_SCHEMA "pdmigrate-baseline/1"

static int finding_compare(const void *a, const void *b)
{
	const struct finding *x = *(struct finding *const *)a, *y = *(struct finding *const *)b;
	int c = strcmp(x->source->path, y->source->path);

	if (!c)
		c = strcmp(x->rule, y->rule);
	return c ? c : strcmp(x->fingerprint, y->fingerprint);
}

void baseline_print(struct strbuf *out, const struct result *r)
{
	struct finding **v = xcalloc(r->findings.nr + 1, sizeof(struct finding *));
	size_t nr = 0, i;
	struct json j;

	for (i = 0; i < r->findings.nr; i++)
		if (r->findings.v[i]->state != STATE_SUPPRESSED)
			v[nr++] = r->findings.v[i];
	if (nr)
		qsort(v, nr, sizeof(*v), finding_compare);
	json_init(&j, out, false);
	json_open(&j, '{');
	json_kstr(&j, "schema", BASELINE_SCHEMA);
	json_key(&j, "findings");
	json_open(&j, '[');
	for (i = 0; i < nr; i++) {
		struct json line;

		/* A record a line: entries come and go as lines do. */
		json_raw(&j, "");
		json_init(&line, out, true);
		json_open(&line, '{');
		json_kstr(&line, "fingerprint", v[i]->fingerprint);
		json_kstr(&line, "rule", v[i]->rule);
		json_kstr(&line, "path", v[i]->source->path);
		json_kstr(&line, "text", v[i]->snippet ? v[i]->snippet : "");
		json_close(&line, '}');
	}
	json_close(&j, ']');
	json_close(&j, '}');
	strbuf_addch(out, '\n');
	free(v);
}

int baseline_read(struct stale **out, size_t *nr, struct arena *a, const struct json_node *json,
		  const char *name, struct err *err)
{
	const struct json_node *list = json_get(json, "findings"), *n;
	VEC(struct stale) v = {0};

	if (strcmp(json_text(json, "schema", ""), BASELINE_SCHEMA) || !list ||
	    list->kind != JSON_LIST)
		return err_set(err, "%s: no baseline of the form " BASELINE_SCHEMA, name);
	for (n = list->child; n; n = n->next) {
		struct stale s = {json_text(n, "rule", ""), json_text(n, "path", ""),
				  json_text(n, "fingerprint", NULL)};

		if (!s.fingerprint)
			return err_set(err, "%s: an entry without a fingerprint", name);
		*VEC_PUSH(a, &v) = s;
	}
	*out = v.v;
	*nr = v.nr;
	return 0;
}
