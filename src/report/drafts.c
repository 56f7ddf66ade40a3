/*
 * drafts.c - see drafts.h.
 *
 * In: findings whose plan is made. A gap is a public name that the target lacks and upstream has.
 * Out: one file a gap with versions, commands, a reproducer, use sites and the rows of the database;
 * nothing of the machine stands in it.
 */
#include "report/drafts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fault.h"
#include "base/fs.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "report/internal.h"
#include "report/version.h"

#define SITES_SHOWN 50

struct gap {
	const char *name;
	const struct finding *first;
	VEC(const struct finding *) sites; /* in the product */
	size_t files;
	bool blocked, forks, private; /* why there is a draft */
};

struct gaps {
	struct gap *v;
	size_t nr, alloc;
};

/* ---- which gaps ------------------------------------------------------------------------------- */

/* No part of the name is private, and it is one of upstream's. */
static bool name_is_public(const struct vocab *v, const char *name)
{
	const char *p;

	for (p = name; p; p = strchr(p, '.')) {
		p += *p == '.';
		if (*p == '_')
			return false;
	}
	return list_holds(v->roots, name);
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '.';
}

/* A dotted name of the target with a private part stands in the text. */
static bool text_needs_private(const struct vocab *v, const char *text)
{
	size_t n, i;

	for (; *text; text += n ? n : 1) {
		for (n = 0; is_word(text[n]); n++)
			;
		for (i = 0; v->target_roots[i]; i++) {
			size_t m = strlen(v->target_roots[i]);

			if (n > m && !strncmp(text, v->target_roots[i], m) && text[m] == '.' &&
			    memmem(text, n, "._", 2))
				return true;
		}
	}
	return false;
}

static bool fix_needs_private(const struct vocab *v, const struct fix *fix)
{
	size_t i;

	for (i = 0; i < fix->nr_edits; i++)
		if (fix->edits[i].text && text_needs_private(v, fix->edits[i].text))
			return true;
	return false;
}

static bool finding_is_gap(const struct result *r, const struct finding *f)
{
	return f->state == STATE_OPEN && (f->level == LEVEL_CHANGE || f->level == LEVEL_BLOCKED) &&
	       f->fact && f->fact->verdict == VERDICT_GAP && f->fact->missing &&
	       !source_off_product(f->source) && name_is_public(r->vocab, f->fact->missing);
}

static struct gap *gap_of(struct gaps *gaps, struct arena *a, const struct finding *f)
{
	struct gap *g;
	size_t i;

	for (i = 0; i < gaps->nr; i++)
		if (!strcmp(gaps->v[i].name, f->fact->missing))
			return &gaps->v[i];
	g = VEC_PUSH(a, gaps);
	g->name = f->fact->missing;
	g->first = f;
	return g;
}

static int gap_compare(const void *a, const void *b)
{
	return strcmp(((const struct gap *)a)->name, ((const struct gap *)b)->name);
}

static void gaps_collect(struct gaps *gaps, const struct result *r, struct arena *a)
{
	size_t i;

	for (i = 0; i < r->findings.nr; i++) {
		const struct finding *f = r->findings.v[i];
		struct gap *g;

		/* A part of a name behind '#' is no code: only the rule can show it. */
		if (!finding_is_gap(r, f) || (strchr(f->fact->missing, '#') && !f->reproducer))
			continue;
		g = gap_of(gaps, a, f);
		g->files += !g->sites.nr || g->sites.v[g->sites.nr - 1]->source != f->source;
		*VEC_PUSH(a, &g->sites) = f;
		g->blocked |= f->level == LEVEL_BLOCKED;
		if (!finding_patched(f))
			continue;
		g->forks |= f->fix->forks;
		g->private |= fix_needs_private(r->vocab, f->fix);
	}
	if (gaps->nr)
		qsort(gaps->v, gaps->nr, sizeof(*gaps->v), gap_compare);
}

static const char *gap_why(const struct gap *g, struct arena *a)
{
	if (g->blocked)
		return "nothing takes its place";
	if (g->private)
		return "only a private name takes its place";
	if (g->files > 1)
		return arena_fmt(a, "%zu files have to go around it", g->files);
	return g->forks ? "a call has to behave in two ways because of it" : NULL;
}

/* ---- what the database says ------------------------------------------------------------------- */

/* The line of `text` (from 1) that begins with the key and a tab, 0: none. *before: last one before. */
static size_t line_find(const char *text, const char *key, size_t *before)
{
	size_t n = strlen(key), line = 0, k;
	const char *p = text;

	*before = 1;
	while (*p) {
		line++;
		k = strcspn(p, "\n");
		if (line > 1 && k > n && !strncmp(p, key, n) && p[n] == '\t')
			return line;
		if (line > 1 && strncmp(p, key, k < n ? k : n) < 0)
			*before = line;
		p += k + (p[k] == '\n');
	}
	return 0;
}

/* "FOLDER/TABLE:NAME" of the target -> its file, and the place where the name would stand. */
static void row_absent(struct strbuf *out, const struct assets *assets, const char *row,
		       struct arena *a)
{
	const char *colon = strchr(row, ':');
	const struct asset *as;
	const char *path;
	size_t before, n;

	path = colon ? arena_fmt(a, "coverage/%.*s.tsv", (int)(colon - row), row) : NULL;
	as = path ? asset_get(assets, path) : NULL;
	if (!as) {
		strbuf_addf(out, "- %s\n", row);
		return;
	}
	strbuf_addf(out, "- rules/%s: ", path);
	if (strstr(path, "/names.tsv") && !line_find(as->data, colon + 1, &before))
		strbuf_addf(out, "no row `%s` behind line %zu", colon + 1, before);
	else
		strbuf_addf(out, "no row for `%s`", colon + 1);
	n = strcspn(as->data, "\n");
	strbuf_addf(out, "\n- made from: `");
	for (path = as->data + 2 * !strncmp(as->data, "# ", 2); path < as->data + n; path++)
		strbuf_addch(out, *path == '\t' ? ' ' : *path);
	strbuf_addstr(out, "`\n");
}

/* The row of upstream's list of names, where it has one under this very name. */
static void row_upstream(struct strbuf *out, const struct result *r, const struct assets *assets,
			 const char *name, struct arena *a)
{
	const char *prefix = arena_fmt(a, "coverage/%s-", r->vocab->roots[0]);
	size_t nr, i = asset_range(assets, prefix, &nr), before, line;

	for (; nr--; i++) {
		const struct asset *as = &assets->v[i];

		if (strcmp(path_base(as->path), "names.tsv"))
			continue;
		line = line_find(as->data, name, &before);
		if (line)
			strbuf_addf(out, "- rules/%s:%zu: `%s`\n", as->path, line, name);
	}
}

/* ---- the text --------------------------------------------------------------------------------- */

/* The parts before the last are lower case: a module, as far as one can see. */
static bool is_in_module(const char *name, const char *leaf)
{
	for (; name < leaf; name++)
		if (*name >= 'A' && *name <= 'Z')
			return false;
	return true;
}

static void reproducer_print(struct strbuf *out, const struct result *r, const struct gap *g)
{
	const struct vocab *v = r->vocab;
	const char *leaf = strrchr(g->name, '.');

	strbuf_addf(out, "import %s\n\n%s()\n\n", v->target_roots[0], v->switch_calls[0]);
	if (g->first->reproducer)
		strbuf_addstr(out, g->first->reproducer);
	else if (leaf && is_in_module(g->name, leaf))
		strbuf_addf(out, "from %.*s import %s\n\nprint(%s)\n", (int)(leaf - g->name),
			    g->name, leaf + 1, leaf + 1);
	else
		strbuf_addf(out, "import %s\n\nprint(%s)\n", v->roots[0], g->name);
}

static void targets_print(struct strbuf *out, const struct result *r)
{
	size_t i;

	for (i = 0; i < r->nr_targets; i++)
		strbuf_addf(out, "%s%s %s (%s)", i ? ", " : "", r->vocab->package,
			    r->targets[i].version, r->targets[i].build);
}

static void sites_print(struct strbuf *out, const struct gap *g)
{
	size_t i;

	for (i = 0; i < g->sites.nr && i < SITES_SHOWN; i++) {
		const struct finding *f = g->sites.v[i];

		strbuf_addstr(out, "- ");
		path_print(out, f->source->path);
		strbuf_addf(out, ":%u (%s%s)\n", (unsigned)f->line, f->rule,
			    finding_patched(f) ? ", patched" : "");
	}
	if (i < g->sites.nr)
		strbuf_addf(out, "- and %zu more\n", g->sites.nr - i);
}

static void draft_print(struct strbuf *out, const struct result *r, const struct assets *assets,
			const struct gap *g, struct arena *a)
{
	const struct vocab *v = r->vocab;

	strbuf_addf(out, "# `%s` is missing under the import proxy\n\n", g->name);
	strbuf_addstr(out, "- versions: ");
	targets_print(out, r);
	strbuf_addf(out, "; found by %s %s\n- why it matters: %s\n\n", TOOL_NAME, TOOL_VERSION,
		    gap_why(g, a));
	strbuf_addf(out,
		    "## Commands\n\n```\npip install %s==%s\npython reproduce.py\n```\n\n"
		    "reproduce.py:\n\n```python\n",
		    v->package, r->targets[0].version);
	reproducer_print(out, r, g);
	strbuf_addf(out, "```\n\n## Expected\n\n`%s` is there, as it is in %s.\n\n", g->name,
		    v->upstream);
	strbuf_addf(out, "## Actual\n\n%s.\n\n## Use sites\n\nIn ", g->first->message);
	path_print(out, r->repo->name);
	strbuf_addstr(out, ":\n\n");
	sites_print(out, g);
	strbuf_addstr(out, "\n## Database\n\n");
	row_absent(out, assets, g->first->fact->row ? g->first->fact->row : g->name, a);
	row_upstream(out, r, assets, g->name, a);
}

/* ---- the folder ------------------------------------------------------------------------------- */

static bool folder_empty(int fd, const char *dir, struct err *err, int *ret)
{
	int copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = copy < 0 ? NULL : fdopendir(copy);
	const struct dirent *e;
	bool empty = true;

	*ret = 0;
	if (!d) {
		*ret = err_errno(err, "cannot read folder '%s'", dir);
		if (copy >= 0)
			close(copy);
		return false;
	}
	while (empty && (e = readdir(d)))
		empty = !strcmp(e->d_name, ".") || !strcmp(e->d_name, "..");
	closedir(d);
	return empty;
}

/* The folder is the root of the tree or lies below it. */
static bool folder_inside(const struct result *r, const char *dir)
{
	char *at = realpath(dir, NULL), *root = realpath(r->repo->root, NULL);
	struct stat st;
	bool inside;

	if (root && !stat(root, &st) && !S_ISDIR(st.st_mode))
		root[path_dirlen(root)] = 0;
	inside = !at || !root || path_under(at, root);
	free(at);
	free(root);
	return inside;
}

int drafts_open(struct drafts *d, const struct result *r, const char *dir, struct err *err)
{
	int ret = 0;

	*d = (struct drafts){.dirfd = -1, .dir = dir};
	if (!mkdir(dir, 0777))
		d->made = true;
	else if (errno != EEXIST)
		return err_errno(err, "cannot make folder '%s'", dir);
	d->dirfd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (d->dirfd < 0)
		return err_errno(err, "cannot use folder '%s'", dir);
	if (!d->made && folder_inside(r, dir) && !folder_empty(d->dirfd, dir, err, &ret) && !ret)
		ret = err_set(err, "folder '%s' lies in the tree and is not empty", dir);
	if (ret)
		drafts_close(d);
	return ret;
}

void drafts_undo(struct drafts *d)
{
	size_t i;

	for (i = 0; d->dirfd >= 0 && i < d->names.nr; i++)
		unlinkat(d->dirfd, d->names.v[i], 0);
	if (d->made)
		rmdir(d->dir);
	d->made = false;
	drafts_close(d);
}

void drafts_close(struct drafts *d)
{
	if (d->dirfd >= 0)
		close(d->dirfd);
	d->dirfd = -1;
}

static const char *draft_name(const char *gap, struct arena *a)
{
	char *name = arena_fmt(a, "%s.md", gap), *p;

	for (p = name; *p; p++)
		if (!is_word(*p))
			*p = '-';
	return name;
}

/* Under its name the file is whole from the start, and takes no other file's place. */
static int draft_write(struct drafts *d, const char *name, const struct strbuf *text,
		       struct arena *a, struct err *err)
{
	const char *temp = arena_fmt(a, ".%s.%ld", name, (long)getpid());
	int fd, ret = 0;

	fd = fault_hit(FAULT_OPEN) ? -1
				   : openat(d->dirfd, temp,
					    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
					    0666);
	if (fd < 0)
		return err_errno(err, "cannot write '%s/%s'", d->dir, name);
	if (fs_write_all(fd, text->buf, text->len) || fault_hit(FAULT_FSYNC) || fsync(fd))
		ret = err_errno(err, "cannot write '%s/%s'", d->dir, name);
	if (close(fd) && !ret)
		ret = err_errno(err, "cannot write '%s/%s'", d->dir, name);
	if (!ret && (fault_hit(FAULT_RENAME) || linkat(d->dirfd, temp, d->dirfd, name, 0)))
		ret = err_errno(err, "cannot make '%s/%s'", d->dir, name);
	unlinkat(d->dirfd, temp, 0);
	if (!ret)
		strings_add(&d->names, a, name);
	return ret;
}

int drafts_write(struct drafts *d, const struct result *r, const struct assets *assets,
		 struct arena *a, struct err *err)
{
	struct gaps gaps = {0};
	size_t i;

	gaps_collect(&gaps, r, a);
	for (i = 0; i < gaps.nr; i++) {
		struct strbuf text = STRBUF_INIT;
		int ret;

		if (!gap_why(&gaps.v[i], a))
			continue;
		draft_print(&text, r, assets, &gaps.v[i], a);
		ret = draft_write(d, draft_name(gaps.v[i].name, a), &text, a, err);
		strbuf_release(&text);
		if (ret)
			return -1;
	}
	return 0;
}
