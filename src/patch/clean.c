/*
 * clean.c - does git have each file as it stands, so that the patch can be undone?
 *
 * A file is clean when HEAD and the index name the same blob and the bytes that are there make that
 * blob, as they are or through git's own conversion of line ends.
 */
#include <string.h>

#include "base/path.h"
#include "patch/internal.h"

struct clean {
	struct place *place;
	git_index *index;
	git_tree *head; /* NULL: nothing is committed yet */
	git_odb *odb;
};

static bool bytes_make(struct clean *c, const char *path, const char *data, size_t len,
		       const git_oid *id)
{
	git_filter_list *filters = NULL;
	git_buf buf = {0};
	git_oid made;
	bool same = false;

	if (!git_odb_hash(&made, data, len, GIT_OBJECT_BLOB) && git_oid_equal(&made, id))
		return true;
	if (git_filter_list_load(&filters, c->place->git, NULL, path, GIT_FILTER_TO_ODB, 0) ||
	    !filters)
		return false;
	if (!git_filter_list_apply_to_buffer(&buf, filters, data, len) &&
	    !git_odb_hash(&made, buf.ptr, buf.size, GIT_OBJECT_BLOB))
		same = git_oid_equal(&made, id);
	git_buf_dispose(&buf);
	git_filter_list_free(filters);
	return same;
}

static const char *file_problem(struct clean *c, const struct patch_file *f, struct arena *a)
{
	const char *path = path_join(a, c->place->prefix, f->path);
	const git_index_entry *staged = git_index_get_bypath(c->index, path, 0);
	git_tree_entry *committed = NULL;
	const char *problem = NULL;

	if (c->head && git_tree_entry_bypath(&committed, c->head, path))
		committed = NULL;
	if (!f->source)
		problem = staged || committed ? "is known to git but not there" : NULL;
	else if (!staged)
		problem = "is not in git's index";
	else if (!committed)
		problem = "is not in HEAD";
	else if (!git_oid_equal(&staged->id, git_tree_entry_id(committed)))
		problem = "has staged changes";
	else if (!bytes_make(c, path, f->old, f->old_len, &staged->id))
		problem = "differs from HEAD";
	git_tree_entry_free(committed);
	return problem ? arena_fmt(a, "%s %s", f->path, problem) : NULL;
}

static const char *files_problem(struct clean *c, const struct patch *patch, struct arena *a)
{
	const char *first = NULL, *problem;
	size_t i, more = 0;

	for (i = 0; i < patch->nr_files; i++) {
		problem = file_problem(c, &patch->files[i], a);
		if (!problem)
			continue;
		more += first != NULL;
		first = first ? first : problem;
	}
	return more ? arena_fmt(a, "%s, and %zu more", first, more) : first;
}

const char *clean_problem(struct place *p, const struct patch *patch, struct arena *a)
{
	struct clean c = {.place = p};
	git_object *tree = NULL;
	const char *problem;
	int ret;

	if (p->git_error)
		return arena_fmt(a, "the repository cannot be opened: %s", p->git_error);
	if (!p->git)
		return NULL;
	ret = git_revparse_single(&tree, p->git, "HEAD^{tree}");
	c.head = (git_tree *)tree;
	if ((ret && ret != GIT_ENOTFOUND) || git_repository_index(&c.index, p->git) ||
	    git_repository_odb(&c.odb, p->git)) {
		const git_error *e = git_error_last();

		problem = arena_fmt(a, "the repository cannot be read: %s",
				    e && e->message ? e->message : "no reason given");
	} else {
		problem = files_problem(&c, patch, a);
	}
	git_odb_free(c.odb);
	git_index_free(c.index);
	git_object_free(tree);
	return problem;
}
