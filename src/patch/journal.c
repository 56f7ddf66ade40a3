/*
 * journal.c - the journal as bytes.
 *
 * Fields one after the other, each as LENGTH:BYTES and a newline, so that any bytes can be in them:
 * the magic word, prefix, undo, the number of folders and the folders, the number of files, and for
 * each path, sibling, "create mode uid gid" in octal and decimal, old bytes, new bytes. Last comes
 * the hash of all before it. A journal is written under another name first and renamed when it is
 * whole, so one that does not decode was damaged later.
 */
#include <stdlib.h>
#include <string.h>

#include "patch/internal.h"

#define MAGIC     "pdmigrate journal 1"
#define FILES_MAX 1000000

struct cursor {
	const char *at, *end;
	struct arena *arena;
};

static void field_put(struct strbuf *out, const char *data, size_t len)
{
	strbuf_addf(out, "%zu:", len);
	strbuf_add(out, data, len);
	strbuf_addch(out, '\n');
}

static void text_put(struct strbuf *out, const char *s)
{
	field_put(out, s, strlen(s));
}

static void number_put(struct strbuf *out, size_t n)
{
	char buf[32];

	snprintf(buf, sizeof(buf), "%zu", n);
	text_put(out, buf);
}

static void file_put(struct strbuf *out, const struct journal_file *f)
{
	char buf[96];

	text_put(out, f->path);
	text_put(out, f->sibling);
	snprintf(buf, sizeof(buf), "%d %o %lu %lu", f->create, f->mode, (unsigned long)f->uid,
		 (unsigned long)f->gid);
	text_put(out, buf);
	field_put(out, f->old, f->old_len);
	field_put(out, f->new, f->new_len);
}

void journal_encode(struct strbuf *out, const struct journal *j)
{
	char hash[33];
	size_t i;

	text_put(out, MAGIC);
	text_put(out, j->prefix);
	text_put(out, j->undo);
	number_put(out, j->dirs.nr);
	for (i = 0; i < j->dirs.nr; i++)
		text_put(out, j->dirs.v[i]);
	number_put(out, j->nr_files);
	for (i = 0; i < j->nr_files; i++)
		file_put(out, &j->files[i]);
	hash_hex(out->buf, out->len, hash);
	text_put(out, hash);
}

/* The next field, or NULL. */
static const char *field_get(struct cursor *c, size_t *len)
{
	size_t n = 0;
	const char *data;

	for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++) {
		n = n * 10 + (size_t)(*c->at - '0');
		if (n > (size_t)(c->end - c->at))
			return NULL;
	}
	if (c->at == c->end || *c->at != ':' || n + 2 > (size_t)(c->end - c->at))
		return NULL;
	data = c->at + 1;
	if (data[n] != '\n')
		return NULL;
	c->at = data + n + 1;
	*len = n;
	return data;
}

static const char *text_get(struct cursor *c)
{
	size_t len;
	const char *data = field_get(c, &len);

	return data && !memchr(data, 0, len) ? arena_strndup(c->arena, data, len) : NULL;
}

static bool number_get(struct cursor *c, size_t *out)
{
	const char *s = text_get(c);

	*out = s ? strtoul(s, NULL, 10) : FILES_MAX;
	return *out < FILES_MAX;
}

static bool file_get(struct cursor *c, struct journal_file *f)
{
	unsigned long uid, gid;
	const char *s;
	int create;

	f->path = text_get(c);
	f->sibling = text_get(c);
	s = text_get(c);
	f->old = field_get(c, &f->old_len);
	f->new = field_get(c, &f->new_len);
	if (!f->path || !f->sibling || strchr(f->sibling, '/') || !s || !f->old || !f->new ||
	    sscanf(s, "%d %o %lu %lu", &create, &f->mode, &uid, &gid) != 4)
		return false;
	f->create = create;
	f->uid = (uid_t)uid;
	f->gid = (gid_t)gid;
	return true;
}

static bool journal_fields(struct journal *j, struct cursor *c)
{
	const char *magic = text_get(c), *dir;
	size_t nr, i;

	j->prefix = text_get(c);
	j->undo = text_get(c);
	if (!magic || strcmp(magic, MAGIC) || !j->prefix || !j->undo || !number_get(c, &nr))
		return false;
	for (i = 0; i < nr; i++) {
		dir = text_get(c);
		if (!dir)
			return false;
		strings_add(&j->dirs, c->arena, dir);
	}
	if (!number_get(c, &j->nr_files))
		return false;
	j->files = arena_array(c->arena, j->nr_files + 1, sizeof(*j->files));
	for (i = 0; i < j->nr_files; i++)
		if (!file_get(c, &j->files[i]))
			return false;
	return true;
}

int journal_decode(struct journal *j, const char *data, size_t len, struct arena *a)
{
	struct cursor c = {data, data + len, a};
	const char *hash;
	char want[33];

	memset(j, 0, sizeof(*j));
	if (!journal_fields(j, &c))
		return -1;
	hash_hex(data, (size_t)(c.at - data), want);
	hash = text_get(&c);
	return hash && c.at == c.end && !strcmp(hash, want) ? 0 : -1;
}
