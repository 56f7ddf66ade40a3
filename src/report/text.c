/*
 * text.c - the result for people: headline, entries, lists, extensions, findings, counts, what
 * next.
 *
 * At most TEXT_LINES lines unless `verbose`. Everything that comes from the analysed tree goes
 * through text_safe: it may hold control bytes.
 */
#include <string.h>

#include "base/path.h"
#include "report/internal.h"

#define TEXT_LINES       25
#define FIRST_SHOWN      6
#define EXTENSIONS_SHOWN 3
#define SEP              " \xc2\xb7 "

void text_safe(struct strbuf *out, const char *s)
{
	if (s)
		path_print(out, s);
}

size_t text_width(const char *s, size_t len)
{
	size_t i, width = 0;

	for (i = 0; i < len; i++)
		width += ((unsigned char)s[i] & 0xc0) != 0x80;
	return width;
}

void text_pad(struct strbuf *out, size_t from, size_t width)
{
	size_t have = text_width(out->buf + from, out->len - from);

	strbuf_addf(out, "%*s", have < width ? (int)(width - have) + 2 : 2, "");
}

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

/* ---- head --------------------------------------------------------------------------------------
 */

static bool uses_framework(const struct repo *repo)
{
	size_t i;

	for (i = 0; i < repo->nr_files; i++)
		if (repo->files[i]->mentions)
			return true;
	return false;
}

static void text_patch_size(struct strbuf *out, const struct plan *p)
{
	strbuf_addf(out, "+%zu -%zu in %zu file%s", p->lines_added, p->lines_removed,
		    p->files_changed, plural(p->files_changed));
	if (p->files_created.nr)
		strbuf_addf(out, " and %zu new", p->files_created.nr);
}

static void text_verdict(struct strbuf *out, const struct result *r)
{
	const char *v = r->verdict ? r->verdict : "unknown";
	bool edits = r->plan.files_changed || r->plan.files_created.nr;

	if (!strcmp(v, "as_is") && !uses_framework(r->repo)) {
		strbuf_addf(out, "does not use %s", r->vocab->upstream);
	} else if (!strcmp(v, "as_is")) {
		strbuf_addstr(out, "runs as it is");
	} else if (!strcmp(v, "after_patch")) {
		strbuf_addstr(out, "runs after the patch (");
		text_patch_size(out, &r->plan);
		strbuf_addch(out, ')');
	} else {
		strbuf_addstr(out, v);
		if (r->verdict_reason) {
			strbuf_addstr(out, ": ");
			text_safe(out, r->verdict_reason);
		}
		if (edits) {
			strbuf_addstr(out, ", patch ");
			text_patch_size(out, &r->plan);
		}
	}
}

static void text_target(struct strbuf *out, const struct result *r)
{
	size_t i;

	strbuf_addstr(out, r->vocab->target_roots[0]);
	for (i = 0; i < r->nr_targets; i++)
		strbuf_addf(out, "%s%s", i ? ", " : " ", r->targets[i].version);
	if (r->nr_targets)
		strbuf_addf(out, " %s%s, shipped database", r->targets[0].build,
			    strcmp(r->targets[0].origin, "installed") ? "" : " (installed)");
}

static void text_headline(struct strbuf *out, const struct result *r)
{
	const struct repo *repo = r->repo;

	text_safe(out, repo->name ? repo->name : ".");
	strbuf_addstr(out, ": ");
	text_verdict(out, r);
	if (repo->type)
		strbuf_addf(out, SEP "type %s (%s)", repo->type, repo->type_name);
	strbuf_addstr(out, SEP);
	text_target(out, r);
	if (r->requires)
		strbuf_addf(out, SEP "needs %s >= %s", r->vocab->target_roots[0], r->requires);
	strbuf_addch(out, '\n');
	if (!r->ported_sites)
		return;
	strbuf_addf(out, "already ported: %zu site%s, %zu workaround%s expired\n", r->ported_sites,
		    plural(r->ported_sites), r->expired, plural(r->expired));
}

static void text_entry(struct strbuf *out, const char *what, const struct strings *entries)
{
	strbuf_addf(out, "%s ", what);
	if (entries->nr)
		text_safe(out, entries->v[0]);
	else
		strbuf_addstr(out, "none");
	if (entries->nr > 1)
		strbuf_addf(out, " and %zu more", entries->nr - 1);
	strbuf_addstr(out, SEP);
}

/* A set of the target's language: {"a", "b"}. */
static void text_scope(struct strbuf *out, const struct strings *scope)
{
	struct strbuf name = STRBUF_INIT;
	size_t i, k;

	strbuf_addch(out, '{');
	for (i = 0; i < scope->nr; i++) {
		strbuf_reset(&name);
		text_safe(&name, scope->v[i]);
		strbuf_addstr(out, i ? ", \"" : "\"");
		for (k = 0; k < name.len; k++) {
			if (name.buf[k] == '"' || name.buf[k] == '\\')
				strbuf_addch(out, '\\');
			strbuf_addch(out, name.buf[k]);
		}
		strbuf_addch(out, '"');
	}
	strbuf_addch(out, '}');
	strbuf_release(&name);
}

static void text_use(struct strbuf *out, const struct result *r)
{
	static const char mark[] = "$scope";
	const char *line = r->vocab->use_line, *at;

	if (!r->repo->scope.nr || !line)
		return;
	at = strstr(line, mark);
	strbuf_addstr(out, "use:      ");
	strbuf_add(out, line, at ? (size_t)(at - line) : strlen(line));
	if (at) {
		text_scope(out, &r->repo->scope);
		strbuf_addstr(out, at + strlen(mark));
	}
	strbuf_addch(out, '\n');
}

/* ---- lists -------------------------------------------------------------------------------------
 */

static size_t left_count(const struct repo *repo)
{
	size_t i, nr = 0;

	for (i = 0; i < repo->nr_files; i++)
		nr += source_left(repo->files[i]);
	return nr;
}

static void text_lists(struct strbuf *out, const struct repo *repo)
{
	struct arena a = {0};
	size_t nr, i, left = left_count(repo);
	struct source **list = first_list(repo, &a, &nr);

	strbuf_addstr(out, "first:    ");
	for (i = 0; i < nr && i < FIRST_SHOWN; i++) {
		strbuf_addstr(out, i ? SEP : "");
		text_safe(out, list[i]->path);
		strbuf_addf(out, " (%s)", layer_name(list[i]->layer));
	}
	if (!nr)
		strbuf_addstr(out, "nothing");
	if (nr > i)
		strbuf_addf(out, " and %zu more", nr - i);
	strbuf_addf(out, "     leave: %zu file%s\n", left, plural(left));
	arena_free(&a);
}

static void text_listed(struct strbuf *out, const char *list, const struct source *s)
{
	strbuf_addf(out, "%-9s ", list);
	text_safe(out, s->path);
	strbuf_addf(out, " (%s", layer_name(s->layer));
	if (s->layer_reason) {
		strbuf_addstr(out, ": ");
		text_safe(out, s->layer_reason);
	}
	strbuf_addstr(out, ")\n");
}

static void text_all_lists(struct strbuf *out, const struct repo *repo)
{
	struct arena a = {0};
	size_t nr, i;
	struct source **list = first_list(repo, &a, &nr);

	for (i = 0; i < nr; i++)
		text_listed(out, "first:", list[i]);
	for (i = 0; i < repo->nr_files; i++)
		if (source_left(repo->files[i]))
			text_listed(out, "leave:", repo->files[i]);
	arena_free(&a);
}

static const char *extension_words(const char *verdict)
{
	if (!verdict)
		return "unknown";
	if (!strcmp(verdict, "as_is"))
		return "builds as it is";
	return strcmp(verdict, "after_patch") ? verdict : "builds after the patch";
}

/* A name that is put together when the build runs is not known. */
static const char *extension_name(const struct extension *e)
{
	return e->name && *e->name ? e->name : "(unnamed)";
}

/* " by PD220, PD222" */
static void text_rule_ids(struct strbuf *out, const char *words, const char **rules, size_t nr)
{
	size_t i;

	strbuf_addstr(out, words);
	for (i = 0; i < nr; i++)
		strbuf_addf(out, "%s%s", i ? ", " : "", rules[i]);
}

static void text_extension(struct strbuf *out, const struct extension *e, size_t width)
{
	size_t from = out->len;

	text_safe(out, extension_name(e));
	text_pad(out, from, width);
	strbuf_addstr(out, extension_words(e->verdict));
	if (e->nr_blocked_by) {
		text_rule_ids(out, " by ", e->blocked_by, e->nr_blocked_by);
	} else if (e->nr_unjudged) {
		strbuf_addf(out, ": %zu of %zu source%s not judged (", e->nr_unjudged,
			    e->nr_sources, plural(e->nr_sources));
		text_safe(out, e->unjudged[0]);
		strbuf_addstr(out, e->nr_unjudged > 1 ? ", ...)" : ")");
	} else if (!e->nr_sources) {
		strbuf_addstr(out, ": its sources are not literal");
	} else if (e->nr_by_hand) {
		text_rule_ids(out, ": by hand ", e->by_hand, e->nr_by_hand);
	}
	strbuf_addch(out, '\n');
}

/* An extension made in several branches of a script may read the same each time. */
static bool extension_again(const struct repo *repo, size_t i)
{
	const struct extension *e = &repo->extensions[i], *o;
	size_t k;

	if (!e->name || !*e->name || e->nr_unjudged)
		return false;
	for (k = 0; k < i; k++) {
		o = &repo->extensions[k];
		if (str_eq(o->name, e->name) && str_eq(o->verdict, e->verdict) &&
		    !o->nr_unjudged && !o->nr_sources == !e->nr_sources)
			return true;
	}
	return false;
}

static void text_extensions(struct strbuf *out, const struct repo *repo, bool all)
{
	size_t nr = 0, shown, width = 0, i, n;

	for (i = 0; i < repo->nr_extensions; i++)
		nr += !extension_again(repo, i);
	shown = !all && nr > EXTENSIONS_SHOWN ? EXTENSIONS_SHOWN - 1 : nr;
	for (i = n = 0; n < shown; i++) {
		size_t len = strlen(extension_name(&repo->extensions[i]));

		n += !extension_again(repo, i);
		if (len > width && len <= 40)
			width = len;
	}
	for (i = n = 0; n < shown; i++) {
		if (extension_again(repo, i))
			continue;
		text_extension(out, &repo->extensions[i], width);
		n++;
	}
	if (shown < nr)
		strbuf_addf(out, "and %zu more extensions\n", nr - shown);
}

/* ---- foot --------------------------------------------------------------------------------------
 */

struct text_counts {
	size_t blocked, notes, closed;
	size_t folded[LEVEL_BLOCKED + 1];
	size_t files, vendored, skipped, partial, lexical;
};

static void counts_take(struct text_counts *c, const struct result *r)
{
	size_t i;

	memset(c, 0, sizeof(*c));
	for (i = 0; i < r->findings.nr; i++) {
		const struct finding *f = r->findings.v[i];

		c->closed += f->state != STATE_OPEN;
		if (f->state != STATE_OPEN)
			continue;
		c->blocked += f->level == LEVEL_BLOCKED;
		if (f->level == LEVEL_NOTE)
			c->notes++;
		else if (finding_folded(f))
			c->folded[f->level]++;
	}
	for (i = 0; i < r->repo->nr_files; i++) {
		const struct source *s = r->repo->files[i];

		if (s->lang == LANG_OTHER)
			continue;
		if (s->roles & (ROLE_VENDORED | ROLE_SUBMODULE)) {
			c->vendored++;
			continue;
		}
		c->files++;
		c->skipped += s->analysis == ANALYSIS_SKIPPED;
		c->partial += s->analysis == ANALYSIS_PARTIAL;
		c->lexical += s->analysis == ANALYSIS_LEXICAL;
	}
}

static void text_bytes(struct strbuf *out, uint64_t n)
{
	if (n < 1024)
		strbuf_addf(out, "%u byte%s", (unsigned)n, plural((size_t)n));
	else if (n < 1024 * 1024)
		strbuf_addf(out, "%u KB", (unsigned)((n + 512) / 1024));
	else
		strbuf_addf(out, "%.1f MB", (double)n / (1024 * 1024));
}

static void text_analysed(struct strbuf *out, const struct text_counts *c)
{
	if (c->skipped)
		strbuf_addf(out, ", %zu not analysed", c->skipped);
	if (c->partial)
		strbuf_addf(out, ", %zu analysed in part", c->partial);
	if (c->lexical)
		strbuf_addf(out, ", %zu read lexically", c->lexical);
	if (!c->skipped && !c->partial && !c->lexical)
		strbuf_addstr(out, ", all analysed");
	if (c->vendored)
		strbuf_addf(out, ", %zu of third parties left out", c->vendored);
}

static void text_summary(struct strbuf *out, const struct result *r, bool verbose)
{
	struct text_counts c;
	int level;

	counts_take(&c, r);
	strbuf_addstr(out, "blocked ");
	if (c.blocked)
		strbuf_addf(out, "%zu", c.blocked);
	else
		strbuf_addstr(out, "nothing");
	for (level = LEVEL_BLOCKED; level > LEVEL_NOTE && !verbose; level--)
		if (c.folded[level])
			strbuf_addf(out, SEP "%s %zu (tests, tools)", level_name((enum level)level),
				    c.folded[level]);
	if (c.notes && !verbose)
		strbuf_addf(out, SEP "note %zu", c.notes);
	if (c.closed)
		strbuf_addf(out, SEP "suppressed %zu", c.closed);
	strbuf_addf(out, SEP "%zu file%s, ", c.files, plural(c.files));
	text_bytes(out, r->analysed_bytes);
	text_analysed(out, &c);
	strbuf_addch(out, '\n');
}

static int next_weight(const struct finding *f)
{
	return (finding_folded(f) ? 0 : LEVEL_BLOCKED + 1) + (int)f->level;
}

/* The finding to read about first: the gravest of the product, else of all; the least rule of them.
 */
static const struct finding *next_finding(const struct result *r)
{
	const struct finding *best = NULL;
	size_t i;

	for (i = 0; i < r->findings.nr; i++) {
		const struct finding *f = r->findings.v[i];
		int more;

		if (f->state != STATE_OPEN)
			continue;
		more = best ? next_weight(f) - next_weight(best) : 1;
		if (more > 0 || (!more && strcmp(f->rule, best->rule) < 0))
			best = f;
	}
	return best;
}

/* A path as a word for a shell. */
static void text_word(struct strbuf *out, const char *s)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-./+:,@%";
	struct strbuf part = STRBUF_INIT;
	size_t n;

	if (*s && s[strspn(s, plain)] == 0) {
		strbuf_addstr(out, s);
		return;
	}
	strbuf_addch(out, '\'');
	for (; *s; s += n + (s[n] == '\'')) {
		n = strcspn(s, "'");
		strbuf_add(&part, s, n);
		text_safe(out, part.buf);
		strbuf_reset(&part);
		strbuf_addstr(out, s[n] == '\'' ? "'\\''" : "");
	}
	strbuf_addch(out, '\'');
	strbuf_release(&part);
}

static void text_next(struct strbuf *out, const struct result *r, bool verbose)
{
	const struct finding *f = next_finding(r);

	if (!f)
		return;
	strbuf_addstr(out, "next: ");
	if (!verbose) {
		strbuf_addstr(out, "pdmigrate scan -v ");
		text_word(out, r->repo->root ? r->repo->root : ".");
		strbuf_addstr(out, SEP);
	}
	strbuf_addf(out, "pdmigrate explain %s\n", f->rule);
}

static size_t lines_of(const struct strbuf *sb)
{
	size_t i, nr = 0;

	for (i = 0; i < sb->len; i++)
		nr += sb->buf[i] == '\n';
	return nr;
}

/* The rules that fit, then a line that counts the others. */
static void text_some_rules(struct strbuf *out, const struct result *r,
			    const struct report_options *o)
{
	size_t used = lines_of(out) + 3, left, from = out->len;

	strbuf_addch(out, '\n');
	left = text_rules(out, r, o, TEXT_LINES > used ? TEXT_LINES - used : 1);
	if (left)
		strbuf_addf(out, "and %zu more line%s\n", left, plural(left));
	/* No findings: no empty line either. */
	if (out->len == from + 1)
		strbuf_setlen(out, from);
}

void report_text(struct strbuf *out, const struct result *r, const struct report_options *o)
{
	const struct repo *repo = r->repo;

	text_headline(out, r);
	strbuf_addstr(out, "baseline: ");
	text_entry(out, "build", &repo->build_entries);
	text_entry(out, "call", &repo->call_entries);
	text_entry(out, "test", &repo->test_entries);
	strbuf_addstr(out, "run: not checked\n");
	text_use(out, r);
	if (o->verbose)
		text_all_lists(out, repo);
	else
		text_lists(out, repo);
	text_extensions(out, repo, o->verbose);
	if (o->verbose)
		text_findings(out, r, o);
	else
		text_some_rules(out, r, o);
	text_summary(out, r, o->verbose);
	text_next(out, r, o->verbose);
}
