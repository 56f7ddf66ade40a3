/*
 * dists.c - what is installed in a folder of site-packages, by the metadata beside it.
 *
 * A distribution is a folder NAME-VERSION.dist-info: METADATA says what it requires, top_level.txt
 * or RECORD which modules it has. Requirements of extras do not count. What cannot be read is left
 * out: nothing is then known about that distribution.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/path.h"
#include "cmd/cmd.h"

#define METADATA_MAX (4u << 20)
#define RECORD_MAX   (16u << 20)
#define DISTS_MAX    10000

/* Letters in lower case, runs of '-', '_' and '.' as one '-'. */
static const char *normalised(struct arena *a, const char *s, size_t n)
{
	char *out = arena_strndup(a, s, n);
	size_t i, len = 0;

	for (i = 0; i < n; i++) {
		bool mark = strchr("-_.", out[i]) != NULL;

		if (mark && len && out[len - 1] == '-')
			continue;
		out[len++] = mark ? '-' : (char)tolower((unsigned char)out[i]);
	}
	out[len] = 0;
	return out;
}

/* "name[extra] (>=1) ; marker" -> the name, NULL for one of an extra. */
static const char *requirement_name(struct arena *a, const char *line, size_t len)
{
	const char *marker = memchr(line, ';', len);
	size_t n = 0;

	if (marker && memmem(marker, len - (size_t)(marker - line), "extra", 5))
		return NULL;
	while (n < len && (isalnum((unsigned char)line[n]) || strchr("-_.", line[n])))
		n++;
	return n ? normalised(a, line, n) : NULL;
}

/* Value of a header line, NULL when it is another. */
static const char *header(const char *line, size_t len, const char *key, size_t *value_len)
{
	size_t n = strlen(key);

	if (len <= n || strncasecmp(line, key, n))
		return NULL;
	for (; n < len && (line[n] == ' ' || line[n] == '\t'); n++)
		;
	*value_len = len - n;
	return line + n;
}

static void metadata_parse(struct dist *d, const char *text, const struct vocab *v, struct arena *a)
{
	struct strings rows = {0};
	size_t len, n;

	for (; *text; text += len + (text[len] == '\n')) {
		const char *value;

		len = strcspn(text, "\n");
		n = len && text[len - 1] == '\r' ? len - 1 : len;
		if (!n)
			break;
		value = header(text, n, "Name:", &n);
		if (value) {
			d->name = normalised(a, value, n);
			continue;
		}
		value = header(text, n, "Requires-Dist:", &n);
		value = value ? requirement_name(a, value, n) : NULL;
		if (!value)
			continue;
		strings_add(&rows, a, value);
		d->needs_upstream |= list_has(v->upstream_dists, value);
	}
	strings_add(&rows, a, NULL);
	d->requirements = rows.v;
}

/* The module that a path of RECORD makes importable, NULL for other files. */
static const char *record_module(struct arena *a, const char *path, size_t n)
{
	static const char init[] = "/__init__.py";
	const char *slash = memchr(path, '/', n);
	size_t top = slash ? (size_t)(slash - path) : n, dot;

	if (slash)
		return n - top == strlen(init) && !strncmp(slash, init, strlen(init))
			       ? arena_strndup(a, path, top)
			       : NULL;
	dot = strcspn(path, ".");
	if (dot >= n || (strncmp(path + n - 3, ".py", 3) && strncmp(path + n - 3, ".so", 3)))
		return NULL;
	return arena_strndup(a, path, dot);
}

static void modules_add(struct strings *out, const char *module, struct arena *a)
{
	if (module && *module && !strings_has(out, module))
		strings_add(out, a, module);
}

static void modules_read(struct dist *d, const char *info, struct arena *a)
{
	struct strings out = {0};
	struct fs_text text;
	struct err err;
	const char *line;
	size_t n;

	if (!fs_read_path(path_join(a, info, "top_level.txt"), METADATA_MAX, &text, &err)) {
		for (line = text.data; *line; line += n + (line[n] == '\n')) {
			n = strcspn(line, "\n");
			modules_add(&out, arena_strndup(a, line, strcspn(line, "\r\n")), a);
		}
		fs_text_free(&text);
	} else if (!fs_read_path(path_join(a, info, "RECORD"), RECORD_MAX, &text, &err)) {
		for (line = text.data; *line; line += n + (line[n] == '\n')) {
			n = strcspn(line, "\n");
			if (strcspn(line, ",") < n && strcspn(line, ",") > 3)
				modules_add(&out, record_module(a, line, strcspn(line, ",")), a);
		}
		fs_text_free(&text);
	}
	strings_add(&out, a, NULL);
	d->modules = out.v;
}

static int text_cmp(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void dists_read(struct dists *out, const char *site, const struct vocab *v, struct arena *a)
{
	DIR *dir = opendir(site);
	struct strings names = {0};
	struct dirent *e;
	size_t i;

	if (!dir)
		return;
	while ((e = readdir(dir)) && names.nr < DISTS_MAX)
		if (str_ends(e->d_name, ".dist-info"))
			strings_add(&names, a, arena_strdup(a, e->d_name));
	closedir(dir);
	if (names.nr)
		qsort(names.v, names.nr, sizeof(*names.v), text_cmp);
	for (i = 0; i < names.nr; i++) {
		const char *info = path_join(a, site, names.v[i]);
		struct dist d = {0};
		struct fs_text text;
		struct err err;

		if (fs_read_path(path_join(a, info, "METADATA"), METADATA_MAX, &text, &err))
			continue;
		metadata_parse(&d, text.data, v, a);
		fs_text_free(&text);
		if (!d.name)
			continue;
		modules_read(&d, info, a);
		*VEC_PUSH(a, out) = d;
	}
}
