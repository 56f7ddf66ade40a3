/* path.c - see path.h. */
#include "base/path.h"

#include <stdint.h>
#include <string.h>

const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

size_t path_dirlen(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) : 0;
}

const char *path_ext(const char *path)
{
	const char *base = path_base(path), *dot = strrchr(base, '.');

	return dot && dot != base ? dot : "";
}

char *path_join(struct arena *a, const char *dir, const char *name)
{
	return *dir ? arena_fmt(a, "%s/%s", dir, name) : arena_strdup(a, name);
}

bool path_under(const char *path, const char *dir)
{
	size_t n = strlen(dir);

	return !n || (!strncmp(path, dir, n) && (!path[n] || path[n] == '/'));
}

const char *path_folder(const char *path, const char *name)
{
	size_t n = strlen(name);
	const char *at;

	for (at = path; n && (at = strstr(at, name)); at++)
		if ((at == path || at[-1] == '/') && at[n] == '/')
			return at;
	return NULL;
}

char *path_resolve(struct arena *a, const char *dir, const char *rel)
{
	size_t n = strlen(dir), len;
	char *out = arena_alloc(a, n + strlen(rel) + 2);

	if (*rel == '/')
		return NULL;
	memcpy(out, dir, n + 1);
	for (; *rel; rel += len + (rel[len] == '/')) {
		len = strcspn(rel, "/");
		if (!len || (len == 1 && *rel == '.'))
			continue;
		if (len == 2 && !memcmp(rel, "..", 2)) {
			if (!n)
				return NULL;
			n = path_dirlen(out);
			out[n] = 0;
			continue;
		}
		if (n)
			out[n++] = '/';
		memcpy(out + n, rel, len);
		n += len;
		out[n] = 0;
	}
	return out;
}

int utf8_seq(const char *s, size_t n)
{
	const unsigned char *p = (const unsigned char *)s;
	unsigned cp, min;
	int len, i;

	if (!n)
		return 0;
	if (p[0] < 0x80)
		return 1;
	if (p[0] >= 0xc2 && p[0] <= 0xdf) {
		len = 2, cp = p[0] & 0x1f, min = 0x80;
	} else if ((p[0] & 0xf0) == 0xe0) {
		len = 3, cp = p[0] & 0x0f, min = 0x800;
	} else if (p[0] >= 0xf0 && p[0] <= 0xf4) {
		len = 4, cp = p[0] & 0x07, min = 0x10000;
	} else {
		return 0;
	}
	if ((size_t)len > n)
		return 0;
	for (i = 1; i < len; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		cp = cp << 6 | (p[i] & 0x3f);
	}
	return cp < min || cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff) ? 0 : len;
}

bool utf8_valid(const char *s, size_t n)
{
	uint64_t word;
	int len;

	for (; n; s += len, n -= (size_t)len) {
		/* Whole files come through here, and most are ASCII. */
		while (n >= sizeof(word)) {
			memcpy(&word, s, sizeof(word));
			if (word & 0x8080808080808080u)
				break;
			s += sizeof(word);
			n -= sizeof(word);
		}
		if (!n)
			break;
		len = utf8_seq(s, n);
		if (!len)
			return false;
	}
	return true;
}

void path_print(struct strbuf *out, const char *path)
{
	const unsigned char *p;

	for (p = (const unsigned char *)path; *p; p++) {
		/* C1 controls arrive as 0xc2 0x80..0x9f in UTF-8. */
		if (*p < 0x20 || *p == 0x7f || (*p == 0xc2 && p[1] >= 0x80 && p[1] <= 0x9f))
			strbuf_addf(out, "\\x%02x", *p);
		else
			strbuf_addch(out, *p);
	}
}
