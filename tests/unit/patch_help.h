/*
 * patch_help.h - a tree in a folder of its own, findings and edits by hand, for the tests of
 * patch/.
 */
#ifndef PATCH_HELP_H
#define PATCH_HELP_H

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "patch/patch.h"
#include "unit.h"

#define BENCH_FILES 16

struct bench {
	struct arena arena;
	struct repo repo;
	struct result result;
	struct vocab vocab;
	struct source *files[BENCH_FILES];
	struct patch_options options;
	struct patch *patch;
	char dir[64];
};

/* A statement a line that is not indented deeper; what is broken holds a "!". */
static inline struct shape *bench_shape(struct arena *a, const char *text, size_t len)
{
	struct shape *sh = ARENA_NEW(a, struct shape);
	VEC(struct shape_stmt) v = {0};
	uint32_t at = 0, end, p;

	sh->text = text;
	sh->len = len;
	sh->newline = memchr(text, '\r', len) ? "\r\n" : "\n";
	sh->ok = !memchr(text, '!', len);
	for (; at < len; at = end + 1) {
		struct shape_stmt *st = VEC_PUSH(a, &v);

		for (end = at; end < len && text[end] != '\n'; end++)
			if (text[end] == '\\' && end + 1 < len)
				end++;
		for (p = at; p < end && (text[p] == ' ' || text[p] == '\t'); p++)
			;
		*st = (struct shape_stmt){.span = {p, end},
					  .parent = -1,
					  .kind = "expression",
					  .line_start = at,
					  .indent = p - at,
					  .first_on_line = true,
					  .last_on_line = true};
		for (p = st->span.start; p < end && text[p] != ';'; p++)
			;
		if (p == end)
			continue;
		st->span.end = p;
		*VEC_PUSH(a, &v) = (struct shape_stmt){.span = {p + 2, end},
						       .parent = -1,
						       .kind = "expression",
						       .line_start = at,
						       .indent = 0,
						       .last_on_line = true};
	}
	sh->stmts = v.v;
	sh->nr_stmts = v.nr;
	return sh;
}

static inline void bench_open(struct bench *b)
{
	static const char *const switches[] = {"turn.on", NULL};

	memset(b, 0, sizeof(*b));
	snprintf(b->dir, sizeof(b->dir), "%s/patch-XXXXXX", P_tmpdir);
	ck_assert_ptr_nonnull(mkdtemp(b->dir));
	b->repo.dirfd = open(b->dir, O_RDONLY | O_DIRECTORY);
	b->repo.root = b->dir;
	b->repo.files = b->files;
	b->result.repo = &b->repo;
	b->result.vocab = &b->vocab;
	b->vocab.switch_calls = switches;
	b->vocab.marker_until = "MARK";
	b->vocab.marker_note = "KEEP";
	b->options.markers = MARKERS_NONE;
	b->options.shape = bench_shape;
}

static inline void bench_put(struct bench *b, const char *path, const char *text)
{
	int fd = openat(b->repo.dirfd, path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fs_write_all(fd, text, strlen(text)), 0);
	close(fd);
}

static inline void bench_file(struct bench *b, const char *path, const char *text)
{
	struct source *s = ARENA_NEW(&b->arena, struct source);
	size_t i = b->repo.nr_files++;

	s->path = path;
	s->lang = LANG_PYTHON;
	s->layer = LAYER_GLUE;
	s->size = (uint32_t)strlen(text);
	s->hash = hash_bytes(text, strlen(text));
	for (; i && strcmp(b->files[i - 1]->path, path) > 0; i--)
		b->files[i] = b->files[i - 1];
	b->files[i] = s;
	bench_put(b, path, text);
}

static inline struct finding *bench_finding(struct bench *b, const char *rule, const char *path)
{
	struct finding *f = ARENA_NEW(&b->arena, struct finding);

	f->rule = rule;
	f->name = "some-name";
	f->source = repo_find(&b->repo, path);
	f->level = LEVEL_CHANGE;
	f->fix = ARENA_NEW(&b->arena, struct fix);
	f->fix->safety = SAFETY_SAFE;
	f->fix->edits = arena_array(&b->arena, 8, sizeof(*f->fix->edits));
	*VEC_PUSH(&b->arena, &b->result.findings) = f;
	return f;
}

static inline void bench_edit(struct bench *b, struct finding *f, uint32_t start, uint32_t end,
			      const char *text)
{
	struct edit *e = &f->fix->edits[f->fix->nr_edits++];

	e->span = (struct span){start, end};
	e->text = text;
}

static inline void bench_create(struct bench *b, struct finding *f, const char *path,
				const char *text, unsigned mode)
{
	bench_edit(b, f, 0, 0, text);
	f->fix->edits[f->fix->nr_edits - 1].path = path;
	f->fix->edits[f->fix->nr_edits - 1].create = true;
	f->fix->edits[f->fix->nr_edits - 1].mode = mode;
}

static inline void bench_build(struct bench *b)
{
	struct err err = {0};

	if (patch_build(&b->patch, &b->result, &b->options, &b->arena, &err))
		ck_abort_msg("%s", err.msg);
}

static inline void bench_close(struct bench *b)
{
	size_t i;

	for (i = 0; i < b->repo.nr_files; i++)
		unlinkat(b->repo.dirfd, b->files[i]->path, 0);
	unlinkat(b->repo.dirfd, "other", 0);
	close(b->repo.dirfd);
	rmdir(b->dir);
	arena_free(&b->arena);
}

#endif
