/*
 * judge.c - why a hunk is there.
 *
 * A hunk is judged by what stands in its lines: findings and facts of the base in the old ones, switches,
 * markers and words of the target in the new ones. The first that is there decides. Lines of no
 * framework are noise; what none of this explains is unknown.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "fork/internal.h"

/* Changes with so few lines between them are one hunk. */
#define HUNK_GAP 1
/* So many lines above and below a hunk that nothing explains are looked at for what it is about. */
#define HUNK_NEAR 2

/* ---- making ------------------------------------------------------------------------------------ */

struct fork_file *fork_add_opaque(struct fork *f, const char *path, bool in_base, bool in_fork)
{
	struct fork_file *file = VEC_PUSH(f->arena, &f->files);

	file->path = path;
	file->in_base = in_base;
	file->in_fork = in_fork;
	file->opaque = true;
	file->base = repo_find(f->base->repo, path);
	file->fork = repo_find(f->fork->repo, path);
	file->hunks = arena_array(f->arena, 1, sizeof(*file->hunks));
	file->nr = 1;
	return file;
}

struct fork_file *fork_add(struct fork *f, const char *path, const char *old, size_t old_len,
			   const char *new, size_t new_len)
{
	struct fork_file *file = fork_add_opaque(f, path, old != NULL, new != NULL);
	struct line_changes c;
	size_t i;

	file->opaque = false;
	line_text_init(&file->old, f->arena, old ? old : "", old ? old_len : 0);
	line_text_init(&file->new, f->arena, new ? new : "", new ? new_len : 0);
	line_diff(&c, f->arena, &file->old, &file->new);
	if (!c.nr)
		return file;
	file->hunks = arena_array(f->arena, c.nr, sizeof(*file->hunks));
	file->nr = 0;
	for (i = 0; i < c.nr; i++) {
		struct fork_hunk *h = file->nr ? &file->hunks[file->nr - 1] : NULL;

		if (h && c.v[i].old - (h->at.old + h->at.old_nr) <= HUNK_GAP) {
			h->at.old_nr = c.v[i].old + c.v[i].old_nr - h->at.old;
			h->at.new_nr = c.v[i].new + c.v[i].new_nr - h->at.new;
		} else {
			file->hunks[file->nr++].at = c.v[i];
		}
	}
	return file;
}

/* ---- text --------------------------------------------------------------------------------------- */

struct span lines_span(const struct line_text *t, size_t first, size_t nr)
{
	return (struct span){t->start[first], t->start[first + nr]};
}

static bool line_begins(const char *s, const char *end, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(end - s) >= n && !memcmp(s, word, n);
}

/* All lines that say something set a version. */
static bool lines_version(const struct line_text *t, struct span s, size_t *nr)
{
	const char *at = t->text + s.start, *end = t->text + s.end, *nl;

	for (; at < end; at = nl) {
		nl = memchr(at, '\n', (size_t)(end - at));
		nl = nl ? nl + 1 : end;
		while (at < nl && isspace((unsigned char)*at))
			at++;
		if (at == nl)
			continue;
		++*nr;
		if (line_begins(at, nl, "__version__"))
			at += 11;
		else if (line_begins(at, nl, "version"))
			at += 7;
		else
			return false;
		while (at < nl && isblank((unsigned char)*at))
			at++;
		if (at == nl || *at != '=')
			return false;
	}
	return true;
}

/* Bytes that count: white space does not, but for the one that a Python line begins with. */
static size_t bytes_counted(char *out, const char *s, size_t len, bool python)
{
	size_t i = 0, n = 0, line;

	while (i < len) {
		for (line = i; i < len && isblank((unsigned char)s[i]); i++)
			;
		if (python && i < len && s[i] != '\n' && s[i] != '\r') {
			memcpy(out + n, s + line, i - line);
			n += i - line;
		}
		for (line = n; i < len && s[i] != '\n'; i++)
			if (!isspace((unsigned char)s[i]))
				out[n++] = s[i];
		/* A statement ends with its line. */
		if (python && i < len && n > line)
			out[n++] = '\n';
		i += i < len;
	}
	while (n && out[n - 1] == '\n')
		n--;
	return n;
}

static bool only_space(struct fork *f, const struct fork_file *file, struct span old,
		       struct span new)
{
	bool python = file->fork && file->fork->lang == LANG_PYTHON;
	char *a = arena_alloc(f->arena, old.end - old.start + 2);
	char *b = arena_alloc(f->arena, new.end - new.start + 2);
	size_t n = bytes_counted(a, file->old.text + old.start, old.end - old.start, python);
	size_t m = bytes_counted(b, file->new.text + new.start, new.end - new.start, python);

	return n == m && !memcmp(a, b, n);
}

/* The text has the name of one of the packages, in any case of letters. */
static bool text_names(const char *s, size_t len, const char *const *roots)
{
	size_t i, n;

	for (; *roots; roots++) {
		n = strlen(*roots);
		for (i = 0; i + n <= len; i++)
			if (!strncasecmp(s + i, *roots, n))
				return true;
	}
	return false;
}

static bool span_names(const struct line_text *t, struct span s, const char *const *roots)
{
	return text_names(t->text + s.start, s.end - s.start, roots);
}

/* ---- findings and facts ------------------------------------------------------------------------- */

bool spans_meet(struct span a, struct span b)
{
	return a.start < b.end && b.start < a.end;
}

/* The gravest finding of the base in the span; NULL: none. */
static const struct finding *finding_in(const struct result *r, const struct source *s,
					struct span span)
{
	const struct finding *best = NULL;
	size_t i;

	for (i = 0; i < r->findings.nr; i++) {
		const struct finding *f = r->findings.v[i];

		if (f->source == s && f->state != STATE_SUPPRESSED && !f->shimmed &&
		    spans_meet(f->span, span) && (!best || f->level > best->level))
			best = f;
	}
	return best;
}

static const struct fact *marker_in(const struct source *s, struct span span)
{
	size_t i;

	for (i = 0; s && i < s->nr_facts; i++)
		if (s->facts[i].kind == FACT_MARKER && spans_meet(s->facts[i].span, span))
			return &s->facts[i];
	return NULL;
}

static bool switch_in(const struct source *s, struct span span, const struct vocab *v)
{
	size_t i;

	for (i = 0; s && i < s->nr_facts; i++)
		if (s->facts[i].kind == FACT_USE && s->facts[i].flags & F_CALL &&
		    list_has(v->switch_calls, s->facts[i].name) &&
		    spans_meet(s->facts[i].span, span))
			return true;
	return false;
}

/* Names of the upstream framework in the span. */
struct names {
	const struct fact *gap, *unknown, *covered;
};

static struct names names_in(const struct source *s, struct span span, const struct vocab *v)
{
	struct names n = {0};
	size_t i;

	for (i = 0; s && i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];
		const struct fact **slot = f->verdict == VERDICT_GAP	   ? &n.gap
					   : f->verdict == VERDICT_COVERED ? &n.covered
									   : &n.unknown;

		if (!spans_meet(f->span, span) || f->kind == FACT_MARKER ||
		    f->kind == FACT_SUPPRESS || f->flags & F_INTERNAL)
			continue;
		if (f->kind != FACT_MEMBER && f->kind != FACT_TOKEN && f->kind != FACT_LACK &&
		    f->kind != FACT_NAME && f->kind != FACT_MACRO && f->kind != FACT_STRING &&
		    (!f->name || !list_holds(v->roots, f->name)))
			continue;
		if (!*slot)
			*slot = f;
	}
	return n;
}

/* ---- one hunk ----------------------------------------------------------------------------------- */

static void class_set(struct fork_hunk *h, enum fork_class class, const char *reason)
{
	h->class = class;
	h->reason = reason;
}

static bool judge_noise(struct fork *f, const struct fork_file *file, struct fork_hunk *h,
			struct span old, struct span new)
{
	const struct source *s = file->fork ? file->fork : file->base;
	const char *ext = path_ext(file->path);
	size_t nr = 0;

	if (!strcmp(ext, ".md") || !strcmp(ext, ".rst") || !strcmp(ext, ".txt"))
		if (!s || s->lang == LANG_OTHER) {
			class_set(h, FORK_NOISE, "documentation");
			return true;
		}
	if (file->path[0] == '.') {
		class_set(h, FORK_NOISE, "CI or settings of tools");
		return true;
	}
	if (file->opaque)
		return false;
	if (only_space(f, file, old, new))
		class_set(h, FORK_NOISE, "white space only");
	else if (lines_version(&file->old, old, &nr) && lines_version(&file->new, new, &nr) && nr)
		class_set(h, FORK_NOISE, "the version");
	else
		return false;
	return true;
}

static bool judge_marker(struct fork_file *file, struct fork_hunk *h, struct span new)
{
	const struct fact *m = marker_in(file->fork, new);

	if (!m)
		return false;
	h->key = m->name;
	if (m->verdict == VERDICT_COVERED)
		class_set(h, FORK_ABSORBABLE, "expired: the condition of its marker holds");
	else if (!m->recv)
		class_set(h, FORK_LONG_TERM, m->text);
	else
		class_set(h, FORK_DIRECT, m->text);
	return true;
}

static bool judge_finding(struct fork *f, struct fork_file *file, struct fork_hunk *h,
			  struct span old)
{
	const struct finding *found = finding_in(f->base, file->base, old);

	if (!found)
		return false;
	h->rule = h->key = found->rule;
	class_set(h, found->level == LEVEL_NOTE ? FORK_NOT_NEEDED : FORK_DIRECT, found->message);
	return true;
}

/* The old lines give the project its name, which the fork has changed. */
static bool judge_name(struct fork_file *file, struct fork_hunk *h, struct span old, bool target)
{
	static const char *const keys[] = {"project.name", "tool.poetry.name", "metadata.name", NULL};
	size_t i;

	for (i = 0; target && file->base && i < file->base->nr_facts; i++) {
		const struct fact *fact = &file->base->facts[i];

		if (fact->kind != FACT_SETTING || !list_has(keys, fact->name) ||
		    !spans_meet(fact->span, old))
			continue;
		h->key = "name of the project";
		class_set(h, FORK_DIRECT, "the project has another name");
		return true;
	}
	return false;
}

/* A hunk that names the target, beside lines of which a finding is known, is about that one. */
static void judge_near(struct fork *f, struct fork_file *file, struct fork_hunk *h)
{
	size_t first = h->at.old > HUNK_NEAR ? h->at.old - HUNK_NEAR : 0;
	size_t end = h->at.old + h->at.old_nr + HUNK_NEAR;
	const struct finding *found;

	end = end < file->old.nr ? end : file->old.nr;
	found = finding_in(f->base, file->base, lines_span(&file->old, first, end - first));
	if (!found || found->level < LEVEL_CHECK)
		return;
	h->rule = h->key = found->rule;
	class_set(h, FORK_DIRECT, arena_fmt(f->arena, "beside it: %s", found->message));
}

static void judge_names(struct fork *f, struct fork_file *file, struct fork_hunk *h, struct span old,
			struct span new, bool target)
{
	const struct vocab *v = f->fork->vocab;
	struct names was = names_in(file->base, old, v), is = names_in(file->fork, new, v);

	if (was.gap && was.gap->name) {
		h->key = was.gap->name;
		class_set(h, FORK_DIRECT,
			  arena_fmt(f->arena, "%s is a gap of the target", was.gap->name));
	} else if (was.covered && !was.unknown && target) {
		h->key = was.covered->name;
		class_set(h, FORK_ABSORBABLE,
			  arena_fmt(f->arena, "the target has %s as upstream", was.covered->name));
	} else if (target) {
		class_set(h, FORK_UNKNOWN, "names the target; no rule says what for");
	} else if (was.covered || was.unknown || is.gap || is.covered || is.unknown) {
		class_set(h, FORK_UNKNOWN, "changes lines of the framework; no rule says what for");
	} else {
		class_set(h, FORK_NOISE, "no word of a framework");
	}
}

/*
 * The old lines of the hunk. What is only put in is about the line it stands before; but only where it
 * says so.
 */
static struct span old_span(const struct fork_file *file, const struct line_change *c, bool target)
{
	return lines_span(&file->old, c->old,
			  c->old_nr	? c->old_nr
			  : target && c->old < file->old.nr ? 1
							     : 0);
}

static void hunk_judge(struct fork *f, struct fork_file *file, struct fork_hunk *h)
{
	struct span new, old, own;
	bool target;

	if (file->opaque) {
		if (!judge_noise(f, file, h, (struct span){0}, (struct span){0}))
			class_set(h, FORK_UNKNOWN, "no text of lines");
		return;
	}
	new = lines_span(&file->new, h->at.new, h->at.new_nr);
	own = lines_span(&file->old, h->at.old, h->at.old_nr);
	target = span_names(&file->new, new, f->fork->vocab->target_roots);
	old = old_span(file, &h->at, target);
	if (judge_noise(f, file, h, own, new))
		return;
	if (switch_in(file->fork, new, f->fork->vocab))
		class_set(h, FORK_SWITCH, "compat is switched on");
	else if (!judge_marker(file, h, new) && !judge_finding(f, file, h, old) &&
		 !judge_name(file, h, own, target))
		judge_names(f, file, h, own, new, target);
	if (target && h->class == FORK_UNKNOWN)
		judge_near(f, file, h);
}

/* ---- all of them -------------------------------------------------------------------------------- */

static void group_take(struct fork *f, const struct fork_file *file, const struct fork_hunk *h)
{
	struct fork_group *g = NULL;
	size_t i;

	if (!h->key)
		return;
	for (i = 0; i < f->groups.nr && !g; i++)
		if (!strcmp(f->groups.v[i].key, h->key))
			g = &f->groups.v[i];
	if (!g) {
		g = VEC_PUSH(f->arena, &f->groups);
		g->key = h->key;
	}
	if (!strings_has(&g->paths, file->path))
		strings_add(&g->paths, f->arena, file->path);
	g->hunks++;
}

static int group_compare(const void *a, const void *b)
{
	return strcmp(((const struct fork_group *)a)->key, ((const struct fork_group *)b)->key);
}

void fork_judge(struct fork *f)
{
	size_t i, k, nr = 0;

	for (i = 0; i < f->files.nr; i++) {
		struct fork_file *file = &f->files.v[i];

		for (k = 0; k < file->nr; k++) {
			hunk_judge(f, file, &file->hunks[k]);
			group_take(f, file, &file->hunks[k]);
			f->by_class[file->hunks[k].class]++;
			f->nr_hunks++;
		}
	}
	for (i = 0; i < f->groups.nr; i++)
		if (f->groups.v[i].paths.nr > 1)
			f->groups.v[nr++] = f->groups.v[i];
	f->groups.nr = nr;
	if (nr)
		qsort(f->groups.v, nr, sizeof(*f->groups.v), group_compare);
}
