/* open.c - the repository around a path, its revisions, single files and changed lines of them. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/lines.h"
#include "base/path.h"
#include "history/internal.h"

static void library_start(void)
{
	static const int scopes[] = {GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM,
				     GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL};
	size_t i;

	git_libgit2_init();
	for (i = 0; i < sizeof(scopes) / sizeof(*scopes); i++)
		git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, scopes[i], "");
	/* Whose folder it is does not matter to somebody who runs nothing of it. */
	git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
}

static const char *library_error(void)
{
	const git_error *e = git_error_last();

	return e && e->message ? e->message : "no reason given";
}

/* Split the real path: folder, and the file where it is one. */
static int path_split(struct history *h, const char *path, char *real, struct err *err)
{
	struct stat st;
	size_t n;

	if (!realpath(path, real) || stat(real, &st))
		return err_errno(err, "cannot open '%s'", path);
	if (S_ISDIR(st.st_mode))
		return 0;
	h->file = arena_strdup(&h->arena, path_base(real));
	n = path_dirlen(real);
	real[n ? n : 1] = 0;
	return 0;
}

static int place_find(struct history *h, const char *real, struct err *err)
{
	const char *dir = git_repository_workdir(h->git);
	char top[PATH_MAX];
	size_t n;

	if (!dir || !realpath(dir, top))
		return err_set(err, "the repository has no work tree");
	n = strlen(top);
	while (n && top[n - 1] == '/')
		n--;
	if (strncmp(real, top, n) || (real[n] && real[n] != '/'))
		return err_set(err, "the path is not in the repository's work tree");
	h->prefix = arena_strdup(&h->arena, real[n] ? real + n + 1 : "");
	h->name = arena_strdup(&h->arena, *path_base(top) ? path_base(top) : "tree");
	return 0;
}

int history_open(struct history **out, const char *path, struct err *err)
{
	struct history *h = xcalloc(1, sizeof(*h));
	char real[PATH_MAX];
	int ret, found;

	library_start();
	ret = path_split(h, path, real, err);
	found = ret ? 0 : git_repository_open_ext(&h->git, real, 0, NULL);
	if (found == GIT_ENOTFOUND)
		ret = err_set(err, "there is no repository around '%s'", path);
	else if (found)
		ret = err_set(err, "cannot read the repository around '%s': %s", path,
			      library_error());
	if (!ret)
		ret = place_find(h, real, err);
	*out = h;
	if (ret) {
		history_close(h);
		*out = NULL;
	}
	return ret;
}

void history_close(struct history *h)
{
	size_t i;

	if (!h)
		return;
	for (i = 0; i < h->extracts.nr; i++)
		extract_remove(&h->extracts.v[i]);
	git_repository_free(h->git);
	git_libgit2_shutdown();
	arena_free(&h->arena);
	free(h);
}

int history_tree(struct history *h, const char *rev, git_tree **out, struct err *err)
{
	git_object *tree = NULL;

	if (git_revparse_single(&tree, h->git, arena_fmt(&h->arena, "%s^{tree}", rev)))
		return err_set(err, "no revision '%s'", rev);
	*out = (git_tree *)tree;
	return 0;
}

const char *history_fork_point(struct history *h, const char *rev)
{
	char id[GIT_OID_HEXSZ + 1];
	git_object *head = NULL, *other = NULL;
	const char *out = rev;
	git_oid base;

	if (!git_revparse_single(&head, h->git, "HEAD^{commit}") &&
	    !git_revparse_single(&other, h->git, arena_fmt(&h->arena, "%s^{commit}", rev)) &&
	    !git_merge_base(&base, h->git, git_object_id(head), git_object_id(other)))
		out = arena_strdup(&h->arena, git_oid_tostr(id, sizeof(id), &base));
	git_object_free(head);
	git_object_free(other);
	return out;
}

/* The blob of a file at a revision; *out NULL where there is none. */
static int blob_find(struct history *h, const char *rev, const char *path, git_blob **out,
		     struct err *err)
{
	git_tree_entry *entry = NULL;
	git_tree *tree = NULL;

	*out = NULL;
	if (history_tree(h, rev, &tree, err))
		return -1;
	if (git_tree_entry_bypath(&entry, tree, path_join(&h->arena, h->prefix, path)) ||
	    git_tree_entry_type(entry) != GIT_OBJECT_BLOB ||
	    git_blob_lookup(out, h->git, git_tree_entry_id(entry)))
		*out = NULL;
	git_tree_entry_free(entry);
	git_tree_free(tree);
	return 0;
}

int history_read(struct history *h, const char *rev, const char *path, struct fs_text *out,
		 struct err *err)
{
	git_blob *blob;

	if (blob_find(h, rev, path, &blob, err))
		return -1;
	if (!blob)
		return err_set(err, "'%s' is not in revision '%s'", path, rev);
	out->len = (size_t)git_blob_rawsize(blob);
	out->data = xmalloc(out->len + 1);
	if (out->len)
		memcpy(out->data, git_blob_rawcontent(blob), out->len);
	out->data[out->len] = 0;
	git_blob_free(blob);
	return 0;
}

struct ranges {
	struct line_range *v;
	size_t nr, alloc;
	struct arena *arena;
};

static int hunk_take(const git_diff_delta *delta, const git_diff_hunk *hunk, void *payload)
{
	struct ranges *r = payload;

	if (hunk->new_lines > 0)
		*VEC_PUSH(r->arena, r) = (struct line_range){
			(uint32_t)hunk->new_start,
			(uint32_t)(hunk->new_start + hunk->new_lines - 1)};
	return 0;
}

int history_changed(struct history *h, const char *rev, const char *path, const char *text,
		    size_t len, struct arena *a, struct line_range **out, size_t *nr,
		    struct err *err)
{
	struct ranges r = {.arena = a};
	git_diff_options o;
	git_blob *blob;
	int ret = 0;

	if (blob_find(h, rev, path, &blob, err))
		return -1;
	git_diff_options_init(&o, GIT_DIFF_OPTIONS_VERSION);
	o.context_lines = 0;
	o.flags = GIT_DIFF_FORCE_TEXT;
	if (!blob)
		*VEC_PUSH(a, &r) = (struct line_range){1, UINT32_MAX};
	else if (git_diff_blob_to_buffer(blob, path, text, len, path, &o, NULL, NULL, hunk_take,
					 NULL, &r))
		ret = err_set(err, "cannot compare '%s' with '%s': %s", path, rev, library_error());
	git_blob_free(blob);
	*out = r.v;
	*nr = r.nr;
	return ret;
}
