/*
 * wire.c - records between the program and its workers: a length, then numbers and texts in a fixed order.
 *
 * A worker reads hostile input, so what it answers is checked: every length against the bytes that are left.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "cxx/parse.h"

#define NO_TEXT	  0xffffffffu
#define SEEN_SIZE 36

void wire_put_u32(struct strbuf *sb, uint32_t v)
{
	strbuf_add(sb, &v, sizeof(v));
}

void wire_put_str(struct strbuf *sb, const char *s)
{
	size_t n = s ? strlen(s) : 0;

	wire_put_u32(sb, s ? (uint32_t)n : NO_TEXT);
	strbuf_add(sb, s ? s : "", n);
}

void wire_put_strs(struct strbuf *sb, const struct strings *s)
{
	size_t i;

	wire_put_u32(sb, (uint32_t)s->nr);
	for (i = 0; i < s->nr; i++)
		wire_put_str(sb, s->v[i]);
}

uint32_t wire_get_u32(struct wire_in *in)
{
	uint32_t v;

	if ((size_t)(in->end - in->at) < sizeof(v)) {
		in->bad = true;
		return 0;
	}
	memcpy(&v, in->at, sizeof(v));
	in->at += sizeof(v);
	return v;
}

uint32_t wire_get_nr(struct wire_in *in, size_t size)
{
	uint32_t nr = wire_get_u32(in);

	if ((size_t)(in->end - in->at) / size >= nr)
		return nr;
	in->bad = true;
	return 0;
}

const char *wire_get_str(struct wire_in *in, struct arena *a)
{
	uint32_t n = wire_get_u32(in);
	const char *s = in->at;

	if (in->bad || n == NO_TEXT)
		return NULL;
	if ((size_t)(in->end - in->at) < n || memchr(s, 0, n)) {
		in->bad = true;
		return NULL;
	}
	in->at += n;
	return arena_strndup(a, s, n);
}

void wire_get_strs(struct wire_in *in, struct strings *s, struct arena *a)
{
	uint32_t nr = wire_get_nr(in, sizeof(uint32_t)), i;

	for (i = 0; i < nr && !in->bad; i++) {
		const char *text = wire_get_str(in, a);

		strings_add(s, a, text ? text : "");
	}
}

int wire_send(int fd, const struct strbuf *sb)
{
	uint32_t n = (uint32_t)sb->len;

	if (fs_write_all(fd, &n, sizeof(n)))
		return -1;
	return fs_write_all(fd, sb->buf, sb->len);
}

static int read_all(int fd, char *buf, size_t len, int seconds)
{
	while (len) {
		struct pollfd p = {.fd = fd, .events = POLLIN};
		int ready = poll(&p, 1, seconds > 0 ? seconds * 1000 : -1);
		ssize_t n;

		if (ready < 0 && errno == EINTR)
			continue;
		if (ready <= 0)
			return -1;
		n = read(fd, buf, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		buf += n;
		len -= (size_t)n;
	}
	return 0;
}

int wire_recv(int fd, struct strbuf *sb, int seconds)
{
	char buf[16384];
	size_t part;
	uint32_t n;

	strbuf_reset(sb);
	if (read_all(fd, (char *)&n, sizeof(n), seconds) || n > WIRE_MAX)
		return -1;
	for (; n; n -= (uint32_t)part) {
		part = n < sizeof(buf) ? n : sizeof(buf);
		if (read_all(fd, buf, part, seconds))
			return -1;
		strbuf_add(sb, buf, part);
	}
	return 0;
}

/* ---- the records ------------------------------------------------------------------------------- */

void unit_put(struct strbuf *sb, const struct unit *u)
{
	wire_put_str(sb, u->path);
	wire_put_u32(sb, u->mode);
	wire_put_strs(sb, &u->args);
	wire_put_strs(sb, &u->files);
	wire_put_strs(sb, &u->aliases);
	wire_put_strs(sb, &u->headers);
	wire_put_strs(sb, &u->supply);
	wire_put_strs(sb, &u->pch);
	wire_put_u32(sb, u->pch_file);
	wire_put_u32(sb, u->pch_at);
	wire_put_u32(sb, u->pch_make);
}

void unit_get(struct wire_in *in, struct unit *u, struct arena *a)
{
	u->path = wire_get_str(in, a);
	u->mode = wire_get_u32(in);
	wire_get_strs(in, &u->args, a);
	wire_get_strs(in, &u->files, a);
	wire_get_strs(in, &u->aliases, a);
	wire_get_strs(in, &u->headers, a);
	wire_get_strs(in, &u->supply, a);
	wire_get_strs(in, &u->pch, a);
	u->pch_file = wire_get_u32(in);
	u->pch_at = wire_get_u32(in);
	u->pch_make = wire_get_u32(in);
	in->bad |= !u->path || !u->files.nr || u->pch_file >= u->files.nr;
}

void setup_put(struct strbuf *sb, const struct worker_setup *s)
{
	wire_put_str(sb, s->version);
	wire_put_str(sb, s->build);
	wire_put_str(sb, s->rules_dir);
	wire_put_strs(sb, &s->tokens);
	wire_put_strs(sb, &s->headers);
	wire_put_u32(sb, s->seconds);
	wire_put_str(sb, s->site);
	wire_put_str(sb, s->python);
	wire_put_str(sb, s->cuda);
}

void setup_get(struct wire_in *in, struct worker_setup *s, struct arena *a)
{
	s->version = wire_get_str(in, a);
	s->build = wire_get_str(in, a);
	s->rules_dir = wire_get_str(in, a);
	wire_get_strs(in, &s->tokens, a);
	wire_get_strs(in, &s->headers, a);
	s->seconds = wire_get_u32(in);
	s->site = wire_get_str(in, a);
	s->python = wire_get_str(in, a);
	s->cuda = wire_get_str(in, a);
	in->bad |= !s->version || !s->build || (s->site && !s->python);
}

static void put_span(struct strbuf *sb, struct span s)
{
	wire_put_u32(sb, s.start);
	wire_put_u32(sb, s.end);
}

static struct span get_span(struct wire_in *in)
{
	struct span s;

	s.start = wire_get_u32(in);
	s.end = wire_get_u32(in);
	in->bad |= s.start > s.end;
	return s;
}

void answer_put(struct strbuf *sb, const struct answer *x)
{
	size_t i, k;

	wire_put_u32(sb, x->ms);
	wire_put_u32(sb, x->foreign);
	wire_put_str(sb, x->lacks);
	for (i = 0; i < x->nr_files; i++) {
		wire_put_u32(sb, x->files[i].included);
		wire_put_u32(sb, (uint32_t)x->files[i].skipped.nr);
		for (k = 0; k < x->files[i].skipped.nr; k++)
			put_span(sb, x->files[i].skipped.v[k]);
	}
	wire_put_u32(sb, (uint32_t)x->seen.nr);
	for (i = 0; i < x->seen.nr; i++) {
		const struct seen *s = &x->seen.v[i];

		wire_put_u32(sb, s->file);
		wire_put_u32(sb, s->kind);
		wire_put_u32(sb, s->shadowed);
		put_span(sb, s->span);
		wire_put_str(sb, s->name);
		wire_put_str(sb, s->recv);
		wire_put_str(sb, s->words);
		wire_put_str(sb, s->symbol);
	}
}

void answer_get(struct wire_in *in, struct answer *x, size_t nr_files, struct arena *a)
{
	uint32_t nr, i, k;

	x->ms = wire_get_u32(in);
	x->foreign = wire_get_u32(in);
	x->lacks = wire_get_str(in, a);
	x->nr_files = nr_files;
	x->files = arena_array(a, nr_files, sizeof(*x->files));
	for (i = 0; i < nr_files && !in->bad; i++) {
		x->files[i].included = wire_get_u32(in);
		nr = wire_get_nr(in, 2 * sizeof(uint32_t));
		for (k = 0; k < nr; k++)
			*VEC_PUSH(a, &x->files[i].skipped) = get_span(in);
	}
	nr = wire_get_nr(in, SEEN_SIZE);
	for (i = 0; i < nr && !in->bad; i++) {
		struct seen *s = VEC_PUSH(a, &x->seen);

		s->file = wire_get_u32(in);
		s->kind = wire_get_u32(in);
		s->shadowed = wire_get_u32(in);
		s->span = get_span(in);
		s->name = wire_get_str(in, a);
		s->recv = wire_get_str(in, a);
		s->words = wire_get_str(in, a);
		s->symbol = wire_get_str(in, a);
		in->bad |= s->file >= nr_files || !s->name || !s->recv ||
			   (s->kind != FACT_LACK && s->kind != FACT_NAME &&
			    s->kind != FACT_REGISTER);
	}
	in->bad |= in->at != in->end;
}
