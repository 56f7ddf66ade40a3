/*
 * instructions.c - what the repository tells people to type to build it.
 *
 * In: the texts that layers.yml names: read-me and install pages, workflows, make and docker files, shell
 * scripts. Out: repo->unisolated, the folders of projects that are built there without pip's isolated
 * environment; of such a project nobody reads the table of build requirements. Where some commands switch
 * isolation off and others do not, the first one of the read-me page decides; without one there the project
 * is built in isolation, for somebody does. Commands are looked for as text and never understood further
 * than one line: a word that switches isolation off, and what is installed. A line that installs something
 * else says nothing about this repository.
 */
#include <ctype.h>
#include <string.h>

#include "base/fs.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "repo/internal.h"

#define TEXT_MAX  (512u << 10) /* bytes of one text */
#define TEXTS_MAX 128	       /* so many texts are looked at, in order of paths */
#define LINE_MAX_BYTES 4096    /* no command is longer */

/* What stands around a word in prose, shell and YAML. */
static const char separators[] = " \t`'\"(),;&|";

/* How a project of the tree is built, by its folder. */
struct built {
	const char *dir;
	bool isolated, unisolated; /* by some command */
	int first;		   /* of the main text: 1 isolated, -1 not, 0 it has none */
};

struct instructions {
	const struct classify *c;
	VEC(struct built) built;
	bool main;	 /* the text is the one to begin with */
	bool unisolated; /* the line switches isolation off */
	struct strings names; /* of the project, normalised */
	struct strbuf line;
};

/* Letters small, '-' for '_' and '.': names of distributions and packages are compared so. */
static const char *normalise(struct arena *a, const char *s, size_t n)
{
	char *name = arena_strndup(a, s, n);
	size_t i;

	for (i = 0; i < n; i++)
		name[i] = name[i] == '_' || name[i] == '.' ? '-' : (char)tolower((unsigned char)s[i]);
	return name;
}

static void name_add(struct instructions *in, const char *name)
{
	if (name && *name)
		strings_add(&in->names, in->c->arena,
			    normalise(in->c->arena, name, strlen(name)));
}

static void names_find(struct instructions *in)
{
	const struct repo *repo = in->c->repo;
	size_t i, k;

	name_add(in, repo->name);
	for (i = 0; i < repo->packages.nr; i++)
		name_add(in, repo->packages.v[i]);
	for (i = 0; i < repo->nr_files; i++) {
		const struct source *s = repo->files[i];

		if (s->lang != LANG_TOML || strchr(s->path, '/'))
			continue;
		for (k = 0; k < s->nr_facts; k++)
			if (s->facts[k].kind == FACT_SETTING &&
			    list_has(in->c->layers->name_settings, s->facts[k].name))
				name_add(in, s->facts[k].text);
	}
}

/* Is the word, which may be a URL or have a version or extras behind it, the project by its name? */
static bool names_project(const struct instructions *in, const char *word)
{
	const char *slash = strrchr(word, '/'), *base = slash ? slash + 1 : word;
	size_t n = strcspn(base, "[@#=<>!~");

	if (n > 4 && !strncmp(base + n - 4, ".git", 4))
		n -= 4;
	return n && strings_has(&in->names, normalise(in->c->arena, base, n));
}

/* The folder a word means by its path, seen from `dir`; NULL: it is no path of this kind. */
static const char *path_meant(const struct instructions *in, const char *dir, const char *word)
{
	size_t n = strcspn(word, "[");

	if (*word != '.' || (word[1] && word[1] != '/' && word[1] != '['))
		return NULL;
	while (n > 1 && word[n - 1] == '/')
		n--;
	return path_resolve(in->c->arena, dir, arena_strndup(in->c->arena, word, n));
}

static void folder_add(struct instructions *in, const char *dir)
{
	struct built *b = NULL;
	size_t i;

	for (i = 0; dir && i < in->built.nr && !b; i++)
		if (!strcmp(in->built.v[i].dir, dir))
			b = &in->built.v[i];
	if (!dir)
		return;
	if (!b) {
		b = VEC_PUSH(in->c->arena, &in->built);
		*b = (struct built){.dir = dir};
	}
	*(in->unisolated ? &b->unisolated : &b->isolated) = true;
	if (in->main && !b->first)
		b->first = in->unisolated ? -1 : 1;
}

/* The next word of the line, NULL: none. *at: where to go on. */
static const char *word_next(struct instructions *in, const char **at)
{
	const char *start = *at + strspn(*at, separators);
	size_t n = strcspn(start, separators);

	*at = start + n;
	return n ? arena_strndup(in->c->arena, start, n) : NULL;
}

/* One command line. A project that is named may come from elsewhere, ready built. */
static void line_read(struct instructions *in)
{
	const char *at = in->line.buf, *dir = "", *before = "", *meant, *word;
	bool stop;

	while (dir && (word = word_next(in, &at))) {
		/* The full stop behind a quoted command is no folder. */
		stop = !strcmp(word, ".") && at - in->line.buf > 1 && at[-2] == '`';
		if (!strncmp(word, "-e", 2) && word[2] == '.')
			word += 2;
		meant = stop ? NULL : path_meant(in, dir, word);
		if (!strcmp(before, "cd"))
			dir = path_resolve(in->c->arena, dir, word);
		else if (meant)
			folder_add(in, meant);
		else if (in->unisolated && names_project(in, word))
			folder_add(in, "");
		before = word;
	}
}

static bool line_says(const char *line, const char *const *words)
{
	for (; *words; words++)
		if (strstr(line, *words))
			return true;
	return false;
}

/* Take one line with those that continue it by a backslash; where it ends. */
static const char *line_take(struct instructions *in, const char *p, const char *end)
{
	bool more = true;

	strbuf_reset(&in->line);
	while (more && p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p)), *stop = nl ? nl : end, *last;

		for (last = stop; last > p && isspace((unsigned char)last[-1]);)
			last--;
		more = last > p && last[-1] == '\\';
		if (in->line.len < LINE_MAX_BYTES)
			strbuf_add(&in->line, p, (size_t)(last - p) - more);
		strbuf_addch(&in->line, ' ');
		p = nl ? nl + 1 : end;
	}
	return p;
}

static void text_read(struct instructions *in, const char *path)
{
	const struct layers *l = in->c->layers;
	const char *p;
	struct fs_text text;
	struct err err;

	if (fs_read(in->c->repo->dirfd, path, TEXT_MAX, &text, &err))
		return;
	in->main = !strchr(path, '/') && path_matches(path, l->main_instructions);
	if (text.len && !memchr(text.data, 0, text.len) &&
	    (line_says(text.data, l->unisolated_words) || line_says(text.data, l->install_words)))
		for (p = text.data; p < text.data + text.len;) {
			p = line_take(in, p, text.data + text.len);
			in->unisolated = line_says(in->line.buf, l->unisolated_words);
			if (in->unisolated || line_says(in->line.buf, l->install_words))
				line_read(in);
		}
	fs_text_free(&text);
}

static bool is_instruction(const struct classify *c, const struct source *s)
{
	if (source_is_foreign(s) || s->size > TEXT_MAX)
		return false;
	if (!strchr(s->path, '/') && path_matches(s->path, c->layers->top_instructions))
		return true;
	return path_matches(s->path, c->layers->instructions);
}

/* Without such a file there is no table of build requirements. */
static bool has_toml(const struct repo *repo)
{
	size_t i;

	for (i = 0; i < repo->nr_files; i++)
		if (!strcmp(path_base(repo->files[i]->path), "pyproject.toml"))
			return true;
	return false;
}

void instructions_read(const struct classify *c)
{
	struct instructions in = {.c = c, .line = STRBUF_INIT};
	size_t i, nr = 0;

	if (!has_toml(c->repo))
		return;
	names_find(&in);
	for (i = 0; i < c->repo->nr_files && nr < TEXTS_MAX; i++) {
		if (!is_instruction(c, c->repo->files[i]))
			continue;
		text_read(&in, c->repo->files[i]->path);
		nr++;
	}
	for (i = 0; i < in.built.nr; i++) {
		const struct built *b = &in.built.v[i];

		if (b->first ? b->first < 0 : b->unisolated && !b->isolated)
			strings_add(&c->repo->unisolated, c->arena, b->dir);
	}
	strbuf_release(&in.line);
}
