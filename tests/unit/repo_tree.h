/* repo_tree.h - throw-away trees for the tests of repo/. */
#ifndef REPO_TREE_H
#define REPO_TREE_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "repo/repo.h"
#include "unit.h"

struct tree {
	char dir[PATH_MAX / 2];
	struct arena arena;
	struct notices notices;
	struct repo *repo;
};

static inline void tree_open(struct tree *t)
{
	memset(t, 0, sizeof(*t));
	snprintf(t->dir, sizeof(t->dir), "%s/pdmigrate-repo-XXXXXX", P_tmpdir);
	ck_assert_ptr_nonnull(mkdtemp(t->dir));
}

/* Write a file, its folders made on the way; a path that ends in '/' is an empty folder. */
static inline void tree_put(const struct tree *t, const char *path, const char *text)
{
	char full[PATH_MAX];
	char *p;
	FILE *f;

	ck_assert((size_t)snprintf(full, sizeof(full), "%s/%s", t->dir, path) < sizeof(full));
	for (p = full + strlen(t->dir) + 1; (p = strchr(p, '/')); p++) {
		*p = 0;
		ck_assert(!mkdir(full, 0755) || errno == EEXIST);
		*p = '/';
	}
	if (full[strlen(full) - 1] == '/')
		return;
	f = fopen(full, "w");
	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

static inline int tree_unlink(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

static inline void tree_close(struct tree *t)
{
	repo_close(t->repo);
	arena_free(&t->arena);
	nftw(t->dir, tree_unlink, 16, FTW_DEPTH | FTW_PHYS);
}

static const char *const tree_roots[] = {"torch", NULL};
static const char *const tree_targets[] = {"paddle", NULL};
static const char *const tree_vendored[] = {"third_party", "3rdparty", "cutlass", NULL};
static const char *const tree_headers[] = {"ATen/", "c10/", "torch/", NULL};
static const char *const tree_dists[] = {"torch", "torch-c-dlpack-ext", NULL};
static const struct vocab tree_vocab = {
	.roots = tree_roots,
	.target_roots = tree_targets,
	.vendored = tree_vendored,
	.cxx_headers = tree_headers,
	.upstream_dists = tree_dists,
};

static inline void tree_walk_at(struct tree *t, const char *path)
{
	struct err err = {{0}};
	char full[PATH_MAX];

	snprintf(full, sizeof(full), "%s%s%s", t->dir, *path ? "/" : "", path);
	ck_assert_msg(!repo_walk(&t->repo, &t->arena, &tree_vocab, full, &t->notices, &err), "%s",
		      err.msg);
}

static inline void tree_walk(struct tree *t)
{
	tree_walk_at(t, "");
}

/* All paths, a blank after each. */
static inline const char *tree_list(struct tree *t)
{
	struct strbuf sb = STRBUF_INIT;
	const char *text;
	size_t i;

	for (i = 0; i < t->repo->nr_files; i++)
		strbuf_addf(&sb, "%s ", t->repo->files[i]->path);
	text = arena_strndup(&t->arena, sb.buf, sb.len);
	strbuf_release(&sb);
	return text;
}

static inline const char *tree_strings(struct tree *t, const struct strings *s)
{
	struct strbuf sb = STRBUF_INIT;
	const char *text;
	size_t i;

	for (i = 0; i < s->nr; i++)
		strbuf_addf(&sb, "%s ", *s->v[i] ? s->v[i] : "''");
	text = arena_strndup(&t->arena, sb.buf, sb.len);
	strbuf_release(&sb);
	return text;
}

static inline struct source *tree_find(struct tree *t, const char *path)
{
	struct source *s = repo_find(t->repo, path);

	ck_assert_msg(s != NULL, "no %s in %s", path, tree_list(t));
	return s;
}

#endif
