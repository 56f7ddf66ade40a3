/*
 * fork.c - `report --fork`: what a fork changed since its base and why, and what becomes of it on a newer
 * revision.
 *
 * In: objects of the repository around PATH. The fork is HEAD, the base the revision at which it left
 * --fork. Every tree is analysed as any other. Nothing of the work tree but the configuration is read.
 */
#include <string.h>

#include "base/path.h"
#include "cmd/fork.h"

#define TEXT_MAX (16u << 20)

int tree_open(struct audit *a, struct tree *t, const char *rev, struct err *err)
{
	t->rev = rev;
	t->options = a->c->o.run;
	t->options.timing = false;
	if (history_list(a->h, rev, &a->c->arena, &t->files, err) ||
	    history_extract(a->h, rev, &t->options.path, err))
		return -1;
	if (!t->options.path)
		return err_set(err, "PATH is not in revision '%s'", rev);
	return run_line(&t->run, &t->options, RUN_ALL, err);
}

int text_read(struct audit *a, const struct tree *t, const struct history_file *f,
		     const char **text, size_t *len, bool *opaque, struct err *err)
{
	struct fs_text read;

	*text = NULL;
	*len = 0;
	if (!f)
		return 0;
	if (!f->regular) {
		*opaque = true;
		return 0;
	}
	if (history_read(a->h, t->rev, f->path, &read, err))
		return -1;
	*opaque |= read.len > TEXT_MAX || memchr(read.data, 0, read.len);
	if (!*opaque)
		*text = arena_strndup(&a->c->arena, read.data, read.len);
	*len = read.len;
	fs_text_free(&read);
	return 0;
}

static bool paths_take(const struct run_options *o, const char *path)
{
	size_t i;

	for (i = 0; i < o->paths.nr; i++)
		if (path_under(path, o->paths.v[i]))
			return true;
	return !o->paths.nr;
}

/* A file that differs; either may be NULL. */
static int file_add(struct audit *a, const struct history_file *old, const struct history_file *new,
		    struct err *err)
{
	const char *path = old ? old->path : new->path, *was, *is;
	struct fork_file *file;
	size_t was_len, is_len;
	bool opaque = false;

	if (!paths_take(&a->c->o.run, path))
		return 0;
	if (text_read(a, &a->base, old, &was, &was_len, &opaque, err) ||
	    text_read(a, &a->head, new, &is, &is_len, &opaque, err))
		return -1;
	file = opaque ? fork_add_opaque(&a->fork, path, old != NULL, new != NULL)
		      : fork_add(&a->fork, path, was, was_len, is, is_len);
	file->mode = new ? new->mode : 0;
	return 0;
}

static int files_compare(struct audit *a, struct err *err)
{
	const struct history_files *x = &a->base.files, *y = &a->head.files;
	size_t i = 0, k = 0;
	int c, ret = 0;

	while ((i < x->nr || k < y->nr) && !ret) {
		const struct history_file *old = i < x->nr ? &x->v[i] : NULL;
		const struct history_file *new = k < y->nr ? &y->v[k] : NULL;

		c = !old ? 1 : !new ? -1 : strcmp(old->path, new->path);
		i += c <= 0;
		k += c >= 0;
		if (c || strcmp(old->id, new->id) || old->mode != new->mode)
			ret = file_add(a, c <= 0 ? old : NULL, c >= 0 ? new : NULL, err);
	}
	return ret;
}

static int audit_make(struct audit *a, struct err *err)
{
	struct cmd *c = a->c;

	if (history_open(&a->h, c->o.run.path, err) ||
	    tree_open(a, &a->head, "HEAD", err) ||
	    tree_open(a, &a->base, history_fork_point(a->h, c->o.fork), err))
		return -1;
	a->fork.arena = &c->arena;
	a->fork.base_rev = c->o.fork;
	a->fork.base = run_result(a->base.run);
	a->fork.fork = run_result(a->head.run);
	if (files_compare(a, err))
		return -1;
	fork_judge(&a->fork);
	return 0;
}

/* Whether something is left for a person: of an audit what can go, of a replay what stops it. */
static int audit_status(const struct audit *a)
{
	const struct fork *f = &a->fork;
	bool open = f->onto_rev ? f->by_fate[FATE_PERSON] || a->unpatched
				: f->by_class[FORK_ABSORBABLE] || f->fork->expired;

	return open && !a->c->o.exit_zero ? STATUS_OPEN : STATUS_OK;
}

static int options_check(const struct cmd *c, struct err *err)
{
	size_t i;

	if (!c->o.fork)
		return err_set(err, "--onto replays a fork: name its base with --fork");
	if (c->o.output && !c->o.onto)
		return err_set(err, "--fork writes to a folder with --onto only");
	if (c->o.from || c->o.baseline_commit || c->o.diff_base || c->o.write_baseline)
		return err_set(err, "--fork compares revisions itself: neither --from nor a baseline");
	for (i = 0; i < FORMAT_NR; i++)
		if (c->o.outputs[i] && (i != FORMAT_JSON || *c->o.outputs[i]))
			return err_set(err, "--fork prints text or JSON, to standard output");
	if (c->o.report_format && strcmp(c->o.report_format, "text") &&
	    strcmp(c->o.report_format, "json"))
		return err_set(err, "--fork prints text or JSON, not %s", c->o.report_format);
	return 0;
}

int report_fork(struct cmd *c, struct err *err)
{
	struct audit a = {.c = c};
	bool json = c->o.outputs[FORMAT_JSON] ||
		    (c->o.report_format && !strcmp(c->o.report_format, "json"));
	int ret;

	if (options_check(c, err) || config_apply(c, err) || installed_resolve(c, err))
		return -1;
	ret = audit_make(&a, err);
	if (!ret && c->o.onto)
		ret = replay_make(&a, err);
	if (!ret) {
		if (json)
			fork_json(&c->out, &a.fork);
		else
			fork_text(&c->out, &a.fork, c->o.run.verbose);
		ret = audit_status(&a);
	}
	run_free(a.base.run);
	run_free(a.head.run);
	run_free(a.onto.run);
	history_close(a.h);
	return ret;
}
