/*
 * limit.c - how long a line of a comment may be.
 *
 * In: what formatters and linters of the root are told (pyproject.toml, setup.cfg, ruff.toml, .flake8,
 * .editorconfig for Python and build files, .clang-format for C), else the file's own longest line.
 */
#include <string.h>

#include "base/fs.h"
#include "base/lines.h"
#include "patch/internal.h"

#define LIMIT_REFUSED 40
#define SETTING_MAX   (1u << 16)

static const char *const limit_names[] = {"line-length", "line_length", "max-line-length",
					  "max_line_length", "column_limit", "ColumnLimit"};

/* A number that can be a limit, else 0. */
static size_t limit_of(const char *s)
{
	size_t n = 0;

	for (; *s >= '0' && *s <= '9' && n < 10000; s++)
		n = n * 10 + (size_t)(*s - '0');
	return n >= LIMIT_REFUSED && n < 10000 ? n : 0;
}

static bool is_limit_name(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < sizeof(limit_names) / sizeof(*limit_names); i++)
		if (strlen(limit_names[i]) == len && !memcmp(name, limit_names[i], len))
			return true;
	return false;
}

static size_t limit_in_facts(const struct source *s)
{
	size_t i, n;

	for (i = 0; i < s->nr_facts; i++) {
		const struct fact *f = &s->facts[i];
		const char *dot = f->name ? strrchr(f->name, '.') : NULL;
		const char *leaf = dot ? dot + 1 : f->name;

		if (f->kind != FACT_SETTING || !f->text || !is_limit_name(leaf, strlen(leaf)))
			continue;
		n = limit_of(f->text);
		if (n)
			return n;
	}
	return 0;
}

/* `NAME: 100` or `NAME = 100` on a line of a small file of the root. */
static size_t limit_in_file(int dirfd, const char *path)
{
	struct fs_text text;
	const char *line, *p;
	size_t n, limit = 0;
	struct err err;

	if (fs_read(dirfd, path, SETTING_MAX, &text, &err))
		return 0;
	for (line = text.data; line && *line && !limit; line = strchr(line, '\n')) {
		line += strspn(line, " \t\r\n");
		n = strcspn(line, " \t:=\r\n");
		p = line + n + strspn(line + n, " \t");
		if (is_limit_name(line, n) && (*p == ':' || *p == '='))
			limit = limit_of(p + 1 + strspn(p + 1, " \t"));
	}
	fs_text_free(&text);
	return limit;
}

static size_t limit_setting(const struct repo *repo, const struct source *source)
{
	static const char *const files[] = {".flake8", ".editorconfig"};
	size_t i, n = 0;

	if (lang_comment(source->lang) == COMMENT_C)
		return limit_in_file(repo->dirfd, ".clang-format");
	for (i = 0; i < repo->nr_files && !n; i++) {
		const struct source *s = repo->files[i];

		if (!strchr(s->path, '/') && (s->lang == LANG_TOML || s->lang == LANG_CFG))
			n = limit_in_facts(s);
	}
	for (i = 0; i < sizeof(files) / sizeof(*files) && !n; i++)
		n = limit_in_file(repo->dirfd, files[i]);
	return n;
}

size_t line_limit(const struct repo *repo, const struct work_file *w)
{
	size_t n = limit_setting(repo, w->source);

	return n ? n : lines_room(w->old, w->old_len);
}
