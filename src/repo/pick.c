/*
 * pick.c - does a file, or a fact of it, fit a line of layers.yml?
 *
 * Names of the target framework are compared as if they were the upstream's, so that a ported tree
 * is seen as what it was.
 */
#include <stdio.h>
#include <string.h>

#include "base/glob.h"
#include "base/path.h"
#include "repo/internal.h"

bool name_under(const char *name, const char *root)
{
	size_t n = strlen(root);

	return !strncmp(name, root, n) && (!name[n] || name[n] == '.');
}

bool name_matches(const char *name, const char *const *names)
{
	for (; names && *names; names++)
		if (strchr(*names, '*') ? glob_match(*names, name) : name_under(name, *names))
			return true;
	return false;
}

bool path_matches(const char *path, const char *const *globs)
{
	for (; globs && *globs; globs++)
		if (glob_match(*globs, path))
			return true;
	return false;
}

static bool path_has_word(const char *path, const char *word)
{
	static const char cuts[] = "/_-.";
	size_t n, len = strlen(word);

	for (; *path; path += n + (path[n] != 0)) {
		n = strcspn(path, cuts);
		if (n == len && !memcmp(path, word, n))
			return true;
	}
	return false;
}

unsigned path_words(const char *path, const char *const *words)
{
	unsigned nr = 0;

	for (; *words; words++)
		nr += path_has_word(path, *words);
	return nr;
}

bool pick_file(const struct classify *c, const struct pick *p, size_t file)
{
	const struct source *s = c->repo->files[file];

	if (source_is_foreign(s))
		return false;
	return (!p->roles || s->roles & p->roles) && !(s->roles & p->not_roles) &&
	       (!p->layers || p->layers & 1u << s->layer) &&
	       (!p->langs || p->langs & 1u << s->lang) &&
	       (!*p->paths || path_matches(s->path, p->paths)) && (!p->work || c->work[file]);
}

/* True when a part of the name begins with '_' and is no dunder. */
static bool name_is_private(const char *name)
{
	size_t n;

	for (; *name; name += n + (name[n] != 0)) {
		n = strcspn(name, ".");
		if (*name == '_' &&
		    !(n > 4 && !strncmp(name, "__", 2) && !strncmp(name + n - 2, "__", 2)))
			return true;
	}
	return false;
}

/* The name as the upstream framework calls it, in `buf` when it was the target's. */
static const char *name_upstream(const struct vocab *v, const char *name, char *buf, size_t size)
{
	const char *const *root;

	for (root = v->target_roots; root && *root && v->roots && *v->roots; root++)
		if (name_under(name, *root)) {
			snprintf(buf, size, "%s%s", *v->roots, name + strlen(*root));
			return buf;
		}
	return name;
}

size_t pick_facts(const struct classify *c, const struct pick *p, const struct source *s)
{
	char buf[512];
	size_t i, nr = 0;

	for (i = 0; p->kinds && i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];
		const char *name;

		if (!(p->kinds & 1u << f->kind) || !f->name ||
		    f->flags & (F_CHECKING | F_POSTPONED))
			continue;
		name = name_upstream(c->vocab, f->name, buf, sizeof(buf));
		if (name_matches(name, p->names) ||
		    (p->private && list_holds(c->vocab->roots, name) && name_is_private(name)))
			nr++;
	}
	return nr;
}
