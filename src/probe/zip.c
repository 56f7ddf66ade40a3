/*
 * zip.c - the shared objects of a wheel, one after the other in memory; nothing is unpacked to disk.
 *
 * Reads the central directory (no zip64: a member is at most MEMBER_MAX). Hostile archives: every offset
 * is checked against the file's length, and what a member claims bounds what is inflated.
 */
#include <string.h>
#include <zlib.h>

#include "base/fs.h"
#include "base/path.h"
#include "probe/internal.h"

#define ARCHIVE_MAX  ((size_t)2 << 30)
#define MEMBER_MAX   ((size_t)1 << 30)
#define END_SIZE     22
#define CENTRAL_SIZE 46
#define LOCAL_SIZE   30
#define COMMENT_MAX  65535
#define STORED	     0
#define DEFLATED     8

struct zip {
	const unsigned char *data;
	size_t len;
};

struct member {
	unsigned method;
	size_t packed, size, at; /* at: of the local header */
	const char *name;
	size_t name_len;
};

static unsigned get16(const unsigned char *p)
{
	return p[0] | (unsigned)p[1] << 8;
}

static size_t get32(const unsigned char *p)
{
	return get16(p) | (size_t)get16(p + 2) << 16;
}

/* Offset of the end record, 0 where there is none. */
static size_t end_find(const struct zip *z)
{
	size_t at = z->len < END_SIZE ? 0 : z->len - END_SIZE, low;

	low = at > COMMENT_MAX ? at - COMMENT_MAX : 0;
	for (; at > low; at--)
		if (!memcmp(z->data + at, "PK\5\6", 4))
			return at;
	return 0;
}

/* Reads the entry at *at and moves behind it. */
static bool central_read(const struct zip *z, size_t *at, struct member *m)
{
	const unsigned char *p = z->data + *at;
	size_t extra;

	if (*at > z->len || z->len - *at < CENTRAL_SIZE || memcmp(p, "PK\1\2", 4))
		return false;
	m->method = get16(p + 10);
	m->packed = get32(p + 20);
	m->size = get32(p + 24);
	m->name_len = get16(p + 28);
	extra = (size_t)get16(p + 30) + get16(p + 32);
	m->at = get32(p + 42);
	m->name = (const char *)p + CENTRAL_SIZE;
	if (z->len - *at - CENTRAL_SIZE < m->name_len + extra)
		return false;
	*at += CENTRAL_SIZE + m->name_len + extra;
	return true;
}

/* The packed bytes, NULL where they are not in the file. */
static const unsigned char *member_bytes(const struct zip *z, const struct member *m)
{
	const unsigned char *p = z->data + m->at;
	size_t skip;

	if (m->at > z->len || z->len - m->at < LOCAL_SIZE || memcmp(p, "PK\3\4", 4))
		return NULL;
	skip = LOCAL_SIZE + (size_t)get16(p + 26) + get16(p + 28);
	if (z->len - m->at < skip || z->len - m->at - skip < m->packed)
		return NULL;
	return p + skip;
}

static bool inflate_all(const unsigned char *from, const struct member *m, char *to)
{
	z_stream s = {.next_in = (unsigned char *)from, .avail_in = (unsigned)m->packed};
	int ret;

	if (inflateInit2(&s, -MAX_WBITS) != Z_OK)
		return false;
	s.next_out = (unsigned char *)to;
	s.avail_out = (unsigned)m->size;
	ret = inflate(&s, Z_FINISH);
	inflateEnd(&s);
	return ret == Z_STREAM_END && s.total_out == m->size;
}

static int member_give(const struct zip *z, const struct member *m, const char *name, zip_fn fn,
		       void *ctx, struct err *err)
{
	const unsigned char *packed = member_bytes(z, m);
	char *data;
	int ret;

	if (!packed || m->size > MEMBER_MAX || (m->method == STORED && m->packed != m->size) ||
	    (m->method != STORED && m->method != DEFLATED))
		return err_set(err, "%s: broken or unknown member", name);
	data = xmalloc(m->size + 1);
	if (m->method == STORED)
		memcpy(data, packed, m->size);
	ret = m->method == STORED || inflate_all(packed, m, data)
		      ? fn(ctx, name, data, m->size, err)
		      : err_set(err, "%s: does not unpack", name);
	free(data);
	return ret;
}

static bool is_library(const char *name)
{
	const char *so = strstr(path_base(name), ".so");

	return so && (!so[3] || so[3] == '.');
}

int zip_each(const char *path, zip_fn fn, void *ctx, struct err *err)
{
	struct arena a = {0};
	struct fs_text text;
	struct member m;
	struct zip z;
	size_t at, end, nr;
	int ret = 0;

	if (fs_read_path(path, ARCHIVE_MAX, &text, err))
		return -1;
	z = (struct zip){(const unsigned char *)text.data, text.len};
	end = end_find(&z);
	if (!end)
		ret = err_set(err, "%s: no folder and no wheel", path);
	at = end ? get32(z.data + end + 16) : 0;
	for (nr = end ? get16(z.data + end + 10) : 0; nr && !ret; nr--) {
		const char *name;

		if (!central_read(&z, &at, &m)) {
			ret = err_set(err, "%s: the archive is broken", path);
			break;
		}
		name = arena_strndup(&a, m.name, m.name_len);
		if (is_library(name))
			ret = member_give(&z, &m, name, fn, ctx, err);
	}
	fs_text_free(&text);
	arena_free(&a);
	return ret;
}
