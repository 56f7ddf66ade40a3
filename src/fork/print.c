/* print.c - the audit and the replay for people, and as JSON. */
#include <string.h>

#include "base/json.h"
#include "base/path.h"
#include "fork/internal.h"

#define REASON_MAX 160

static const char *const class_names[FORK_CLASS_NR] = {
	"switch", "direct", "long-term", "absorbable", "not-needed", "noise", "unknown",
};

static const char *const class_words[FORK_CLASS_NR] = {
	"compat is switched on",
	"the target needs another form",
	"a comment says that it stays",
	"the target carries what upstream has",
	"upstream's form works on this target",
	"of no framework",
	"not known what for",
};

static const char *const fate_names[FATE_NR] = {
	NULL, "applies", "regenerated", "gone", "person",
};

static const char *const fate_words[FATE_NR] = {
	NULL,
	"apply as they are",
	"are written by `patch`",
	"are not needed any more",
	"need a person",
};

const char *fork_class_name(enum fork_class c)
{
	return class_names[c];
}

const char *fork_fate_name(enum fork_fate f)
{
	return fate_names[f];
}

/* ---- for people --------------------------------------------------------------------------------- */

static void reason_put(struct strbuf *out, const char *s)
{
	char cut[REASON_MAX + 1];
	size_t n = strcspn(s, "\n");

	if (n > REASON_MAX)
		for (n = REASON_MAX; n && ((unsigned char)s[n] & 0xc0) == 0x80; n--)
			;
	memcpy(cut, s, n);
	cut[n] = 0;
	path_print(out, cut);
}

static void place_put(struct strbuf *out, const struct fork_file *file, const struct fork_hunk *h)
{
	path_print(out, file->path);
	if (!file->in_fork)
		strbuf_addstr(out, " (removed)");
	else if (!file->opaque)
		strbuf_addf(out, ":%zu", h->at.new + (h->at.new_nr || !h->at.new));
	if (!file->opaque)
		strbuf_addf(out, " +%zu -%zu", h->at.new_nr, h->at.old_nr);
}

static void hunk_put(struct strbuf *out, const struct fork_file *file, const struct fork_hunk *h)
{
	strbuf_addf(out, "%-11s ", h->fate ? fate_names[h->fate] : class_names[h->class]);
	if (h->fate)
		strbuf_addf(out, "%-11s ", class_names[h->class]);
	strbuf_addf(out, "%-6s ", h->rule ? h->rule : "");
	place_put(out, file, h);
	strbuf_addstr(out, "  ");
	reason_put(out, h->fate ? h->fate_reason : h->reason);
	strbuf_addch(out, '\n');
}

static void hunks_put(struct strbuf *out, const struct fork *f, bool verbose)
{
	size_t i, k, folded = 0;

	for (i = 0; i < f->files.nr; i++)
		for (k = 0; k < f->files.v[i].nr; k++) {
			const struct fork_hunk *h = &f->files.v[i].hunks[k];

			if (h->class == FORK_NOISE && h->fate != FATE_PERSON && !verbose)
				folded++;
			else
				hunk_put(out, &f->files.v[i], h);
		}
	if (folded)
		strbuf_addf(out, "and %zu of no framework (-v)\n", folded);
}

static void groups_put(struct strbuf *out, const struct fork *f)
{
	size_t i, k;

	for (i = 0; i < f->groups.nr; i++) {
		const struct fork_group *g = &f->groups.v[i];

		strbuf_addstr(out, i ? "              " : "several files ");
		path_print(out, g->key);
		for (k = 0; k < g->paths.nr; k++) {
			strbuf_addstr(out, k ? ", " : ": ");
			path_print(out, g->paths.v[k]);
		}
		strbuf_addch(out, '\n');
	}
}

static void fresh_put(struct strbuf *out, const struct fork *f)
{
	size_t i;

	for (i = 0; i < f->fresh.nr; i++) {
		const struct finding *n = f->fresh.v[i];

		strbuf_addf(out, "new         %s %s ", level_name(n->level), n->rule);
		path_print(out, n->source->path);
		strbuf_addf(out, ":%u  ", (unsigned)n->line);
		reason_put(out, n->message);
		strbuf_addch(out, '\n');
	}
}

void fork_text(struct strbuf *out, const struct fork *f, bool verbose)
{
	const struct target *t = &f->fork->targets[0];
	size_t i;

	path_print(out, f->fork->repo->name);
	strbuf_addf(out, ": %zu hunk%s in %zu file%s since ", f->nr_hunks, f->nr_hunks == 1 ? "" : "s",
		    f->files.nr, f->files.nr == 1 ? "" : "s");
	path_print(out, f->base_rev);
	if (f->onto_rev) {
		strbuf_addstr(out, ", replayed onto ");
		path_print(out, f->onto_rev);
	}
	strbuf_addf(out, " · %s %s %s\n", f->fork->vocab->package, t->version, t->build);
	for (i = 0; i < FORK_CLASS_NR && !f->onto_rev; i++)
		if (f->by_class[i])
			strbuf_addf(out, "%5zu %-11s %s\n", f->by_class[i], class_names[i],
				    class_words[i]);
	for (i = 1; i < FATE_NR && f->onto_rev; i++)
		strbuf_addf(out, "%5zu %s\n", f->by_fate[i], fate_words[i]);
	if (f->onto_rev)
		strbuf_addf(out, "%5zu new finding%s\n", f->fresh.nr, f->fresh.nr == 1 ? "" : "s");
	strbuf_addf(out, "%5zu ported sites, %zu expired\n\n", f->fork->ported_sites,
		    f->fork->expired);
	hunks_put(out, f, verbose);
	fresh_put(out, f);
	groups_put(out, f);
}

/* ---- JSON --------------------------------------------------------------------------------------- */

static void range_json(struct json *j, const char *key, size_t first, size_t nr)
{
	json_key(j, key);
	json_open(j, '{');
	json_kint(j, "line", (long long)(first + (nr > 0)));
	json_kint(j, "lines", (long long)nr);
	json_close(j, '}');
}

static void hunk_json(struct json *j, const struct fork_file *file, const struct fork_hunk *h)
{
	json_open(j, '{');
	json_kstr(j, "path", file->path);
	json_kstr(j, "file", !file->in_base ? "added" : !file->in_fork ? "removed" : "changed");
	if (!file->opaque) {
		range_json(j, "base", h->at.old, h->at.old_nr);
		range_json(j, "fork", h->at.new, h->at.new_nr);
	}
	json_kstr(j, "class", class_names[h->class]);
	json_kstr(j, "reason", h->reason);
	json_kstr(j, "rule", h->rule);
	json_kstr(j, "workaround", h->key);
	if (h->fate) {
		json_kstr(j, "fate", fate_names[h->fate]);
		json_kstr(j, "fate_reason", h->fate_reason);
	}
	if (h->fate == FATE_APPLIES && !file->opaque)
		range_json(j, "onto", h->onto.old, h->onto.old_nr);
	json_close(j, '}');
}

static void groups_json(struct json *j, const struct fork *f)
{
	size_t i, k;

	json_key(j, "several_files");
	json_open(j, '[');
	for (i = 0; i < f->groups.nr; i++) {
		json_open(j, '{');
		json_kstr(j, "workaround", f->groups.v[i].key);
		json_kint(j, "hunks", (long long)f->groups.v[i].hunks);
		json_key(j, "paths");
		json_open(j, '[');
		for (k = 0; k < f->groups.v[i].paths.nr; k++)
			json_str(j, f->groups.v[i].paths.v[k]);
		json_close(j, ']');
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void fresh_json(struct json *j, const struct fork *f)
{
	size_t i;

	json_key(j, "new_findings");
	json_open(j, '[');
	for (i = 0; i < f->fresh.nr; i++) {
		const struct finding *n = f->fresh.v[i];

		json_open(j, '{');
		json_kstr(j, "rule", n->rule);
		json_kstr(j, "level", level_name(n->level));
		json_kstr(j, "path", n->source->path);
		json_kint(j, "line", n->line);
		json_kstr(j, "message", n->message);
		json_kstr(j, "fingerprint", n->fingerprint);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void summary_json(struct json *j, const struct fork *f)
{
	size_t i;

	json_key(j, "summary");
	json_open(j, '{');
	json_kint(j, "hunks", (long long)f->nr_hunks);
	json_kint(j, "files", (long long)f->files.nr);
	json_key(j, "by_class");
	json_open(j, '{');
	for (i = 0; i < FORK_CLASS_NR; i++)
		json_kint(j, class_names[i], (long long)f->by_class[i]);
	json_close(j, '}');
	if (f->onto_rev) {
		json_key(j, "by_fate");
		json_open(j, '{');
		for (i = 1; i < FATE_NR; i++)
			json_kint(j, fate_names[i], (long long)f->by_fate[i]);
		json_close(j, '}');
	}
	json_kint(j, "ported_sites", (long long)f->fork->ported_sites);
	json_kint(j, "expired", (long long)f->fork->expired);
	json_close(j, '}');
}

void fork_json(struct strbuf *out, const struct fork *f)
{
	struct json j;
	size_t i, k;

	json_init(&j, out, false);
	json_open(&j, '{');
	json_kstr(&j, "schema_version", "1.0");
	json_kstr(&j, "base", f->base_rev);
	json_kstr(&j, "onto", f->onto_rev);
	summary_json(&j, f);
	json_key(&j, "hunks");
	json_open(&j, '[');
	for (i = 0; i < f->files.nr; i++)
		for (k = 0; k < f->files.v[i].nr; k++)
			hunk_json(&j, &f->files.v[i], &f->files.v[i].hunks[k]);
	json_close(&j, ']');
	groups_json(&j, f);
	if (f->onto_rev)
		fresh_json(&j, f);
	json_close(&j, '}');
	strbuf_addch(out, '\n');
}
