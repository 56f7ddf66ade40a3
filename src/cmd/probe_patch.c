/*
 * probe_patch.c - `probe --verify-patch`: a shadow of the tree, patched, imported before and after.
 *
 * The shadow is a temporary folder in which small files are copies and big ones, libraries above all, are
 * links to the tree's own. Our own program patches it, as a child, by one rule.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/path.h"
#include "cmd/probe.h"

#define COPY_MAX  ((size_t)1 << 20)
#define DEPTH_MAX 64
#define OPEN_MAX  16

/* ---- the shadow -------------------------------------------------------------------------------------- */

static int file_copy(const char *from, const char *to, struct err *err)
{
	struct fs_text text;
	int fd, bad;

	if (fs_read_path(from, COPY_MAX, &text, err))
		return -1;
	fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	bad = fd < 0 || fs_write_all(fd, text.data, text.len);
	fs_text_free(&text);
	if ((fd >= 0 && close(fd)) || bad)
		return err_errno(err, "%s", to);
	return 0;
}

static int shadow_make(struct arena *a, const char *from, const char *to, int depth, struct err *err);

static int entry_make(struct arena *a, const char *from, const char *to, int depth, struct err *err)
{
	struct stat st;

	/* What vanished or is neither file nor folder is not missed. */
	if (lstat(from, &st))
		return 0;
	if (S_ISDIR(st.st_mode))
		return depth < DEPTH_MAX ? shadow_make(a, from, to, depth + 1, err) : 0;
	if (S_ISREG(st.st_mode) && (size_t)st.st_size < COPY_MAX)
		return file_copy(from, to, err);
	if ((S_ISREG(st.st_mode) || S_ISLNK(st.st_mode)) && symlink(from, to))
		return err_errno(err, "%s", to);
	return 0;
}

static int shadow_make(struct arena *a, const char *from, const char *to, int depth, struct err *err)
{
	const struct dirent *e;
	int ret = 0;
	DIR *dir;

	if (mkdir(to, 0777))
		return err_errno(err, "%s", to);
	dir = opendir(from);
	if (!dir)
		return 0;
	while (!ret && (e = readdir(dir)))
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..") && strcmp(e->d_name, ".git"))
			ret = entry_make(a, path_join(a, from, e->d_name),
					 path_join(a, to, e->d_name), depth, err);
	closedir(dir);
	return ret;
}

static int entry_remove(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)remove(path);
	return 0;
}

/* ---- what is patched and imported --------------------------------------------------------------------- */

/* The first finding with edits on a line that loads a library. */
static const struct finding *finding_find(const struct probe *p, const struct result *r)
{
	size_t i, k;

	for (i = 0; i < p->lines.nr; i++)
		for (k = 0; k < r->findings.nr; k++) {
			const struct finding *f = r->findings.v[k];

			if (f->line == p->lines.v[i].line &&
			    !strcmp(f->source->path, p->lines.v[i].path) && f->source->module &&
			    f->fix && f->fix->nr_edits && !f->reason_not_applied)
				return f;
		}
	return NULL;
}

/* Folder on the import path for a module: its path without what the module's name says. */
static const char *import_folder(struct arena *a, const struct source *s)
{
	char *tail = arena_fmt(a, "%s%s", s->module, s->is_package ? "/__init__.py" : ".py");
	size_t n = strlen(s->path), m = strlen(tail), i;

	for (i = 0; i < strlen(s->module); i++)
		if (tail[i] == '.')
			tail[i] = '/';
	if (n <= m || strcmp(s->path + n - m, tail))
		return "";
	return arena_strndup(a, s->path, n - m);
}

/* `use:` with the module's package as its scope. */
static const char *use_line(struct arena *a, const struct vocab *v, const char *module)
{
	const char *at = strstr(v->use_line, "$scope");

	if (!at)
		return v->use_line;
	return arena_fmt(a, "%.*s{\"%.*s\"}%s", (int)(at - v->use_line), v->use_line,
			 (int)strcspn(module, "."), module, at + strlen("$scope"));
}

static const char *shadow_patch(struct cmd *c, const struct probe *p, const char *tree,
				const char *rule)
{
	const char *argv[] = {NULL, "patch", "--quiet", "--rule", rule, "--exit-zero", NULL, NULL,
			      NULL, NULL};
	struct child child = {.argv = argv, .seconds = p->o->seconds * 10};
	struct child_result r;
	int n = 6;

	if (c->o.run.rules_dir) {
		argv[n++] = "--rules";
		argv[n++] = c->o.run.rules_dir;
	}
	argv[n] = tree;
	r = child_run(&child, &c->arena);
	return r.end == CHILD_EXIT && !r.code ? NULL : child_words(&r, &c->arena);
}

/* Words name the shadow, whose path is made up: the tree's own stands for it. */
static const char *words_real(struct arena *a, const char *words, const char *shadow, const char *real)
{
	struct strbuf sb = STRBUF_INIT;
	const char *at, *out;

	if (!words)
		return NULL;
	for (; (at = strstr(words, shadow)); words = at + strlen(shadow)) {
		strbuf_add(&sb, words, (size_t)(at - words));
		strbuf_addstr(&sb, real);
	}
	strbuf_addstr(&sb, words);
	out = arena_strdup(a, sb.buf);
	strbuf_release(&sb);
	return out;
}

static struct probe_try try_one(struct cmd *c, const struct probe *p, const struct result *r,
				const char *tree, const char *real, const struct finding *f)
{
	const char *from = path_join(&c->arena, tree, import_folder(&c->arena, f->source));
	const char *use = use_line(&c->arena, r->vocab, f->source->module);
	struct probe_try t = probe_try(p, from, use, f->source->module);

	t.words = words_real(&c->arena, t.words, tree, real);
	t.runtimes = words_real(&c->arena, t.runtimes, tree, real);
	return t;
}

static int try_both(struct cmd *c, struct probe *p, const struct result *r, const struct finding *f,
		    const char *folder, struct err *err)
{
	const char *tree = path_join(&c->arena, folder, "tree");
	struct probe_patch *patch = p->patch;
	char real[PATH_MAX];

	if (!realpath(r->repo->root, real))
		return err_errno(err, "%s", r->repo->root);
	if (shadow_make(&c->arena, real, tree, 0, err))
		return -1;
	patch->before = try_one(c, p, r, tree, real, f);
	patch->words = words_real(&c->arena, shadow_patch(c, p, tree, f->rule), tree, real);
	if (!patch->words)
		patch->after = try_one(c, p, r, tree, real, f);
	return 0;
}

int probe_verify_patch(struct cmd *c, struct probe *p, const struct result *r, struct err *err)
{
	const struct finding *f = finding_find(p, r);
	const char *temp = getenv("TMPDIR");
	char *folder;
	int ret;

	p->patch = ARENA_NEW(&c->arena, struct probe_patch);
	if (!f) {
		p->patch->words = "no line that loads a library has a patch";
		return 0;
	}
	p->patch->module = f->source->module;
	p->patch->rule = f->rule;
	folder = arena_fmt(&c->arena, "%s/pdmigrate-XXXXXX", temp && *temp ? temp : P_tmpdir);
	if (!mkdtemp(folder))
		return err_errno(err, "cannot make a temporary folder");
	ret = try_both(c, p, r, f, folder, err);
	nftw(folder, entry_remove, OPEN_MAX, FTW_DEPTH | FTW_PHYS);
	return ret;
}
