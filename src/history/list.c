/* list.c - the files of a revision with the ids of their bytes. */
#include <string.h>

#include "base/path.h"
#include "history/internal.h"

#define DEPTH_MAX   200
#define ENTRIES_MAX 500000u

struct lister {
	struct history *h;
	struct arena *arena;
	struct history_files *out;
};

static int tree_list(struct lister *l, const git_tree *tree, const char *dir, int depth,
		     struct err *err);

static int subtree_list(struct lister *l, const git_oid *id, const char *dir, int depth,
			struct err *err)
{
	git_tree *tree = NULL;
	int ret;

	if (depth > DEPTH_MAX)
		return err_set(err, "the revision has folders nested too deep");
	if (git_tree_lookup(&tree, l->h->git, id))
		return err_set(err, "an object of the revision cannot be read");
	ret = tree_list(l, tree, dir, depth, err);
	git_tree_free(tree);
	return ret;
}

static int entry_list(struct lister *l, const git_tree_entry *entry, const char *dir, int depth,
		      struct err *err)
{
	const char *path = path_join(l->arena, dir, git_tree_entry_name(entry));
	struct history_file *f;

	if (git_tree_entry_type(entry) == GIT_OBJECT_TREE)
		return subtree_list(l, git_tree_entry_id(entry), path, depth + 1, err);
	if (l->out->nr >= ENTRIES_MAX)
		return err_set(err, "the revision is too big");
	f = VEC_PUSH(l->arena, l->out);
	f->path = path;
	f->mode = git_tree_entry_filemode(entry);
	f->regular = f->mode == GIT_FILEMODE_BLOB || f->mode == GIT_FILEMODE_BLOB_EXECUTABLE;
	git_oid_tostr(f->id, sizeof(f->id), git_tree_entry_id(entry));
	return 0;
}

static int tree_list(struct lister *l, const git_tree *tree, const char *dir, int depth,
		     struct err *err)
{
	size_t nr = git_tree_entrycount(tree), i;

	for (i = 0; i < nr; i++)
		if (entry_list(l, git_tree_entry_byindex(tree, i), dir, depth, err))
			return -1;
	return 0;
}

int history_list(struct history *h, const char *rev, struct arena *a, struct history_files *out,
		 struct err *err)
{
	struct lister l = {h, a, out};
	git_tree_entry *entry = NULL;
	git_tree *tree = NULL;
	int ret = 0;

	memset(out, 0, sizeof(*out));
	if (history_tree(h, rev, &tree, err))
		return -1;
	if (!*h->prefix)
		ret = tree_list(&l, tree, "", 0, err);
	else if (!git_tree_entry_bypath(&entry, tree, h->prefix) &&
		 git_tree_entry_type(entry) == GIT_OBJECT_TREE)
		ret = subtree_list(&l, git_tree_entry_id(entry), "", 1, err);
	git_tree_entry_free(entry);
	git_tree_free(tree);
	return ret ? err_context(err, "revision '%s'", rev) : 0;
}
