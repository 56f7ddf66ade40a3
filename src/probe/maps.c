/*
 * maps.c - which CUDA runtimes are mapped into a process, from the text of /proc/PID/maps.
 *
 * In: the text, of this machine or written down elsewhere. Out: the runtimes, one for each file, in the
 * order of the text. The driver's library is none. A line is: range, rights, offset, device, inode, path.
 */
#include <ctype.h>
#include <string.h>

#include "base/path.h"
#include "probe/probe.h"

#define NAME	   "libcudart"
#define FIRST_ROWS 3 /* lines that have to look like segments */

struct segment {
	const char *inode, *path; /* inode: device and number */
	size_t inode_len, path_len;
};

static const char *skip_hex(const char *p, const char *end)
{
	const char *s = p;

	while (p < end && isxdigit((unsigned char)*p))
		p++;
	return p > s ? p : NULL;
}

static const char *skip_char(const char *p, const char *end, char c)
{
	return p && p < end && *p == c ? p + 1 : NULL;
}

static const char *skip_rights(const char *p, const char *end)
{
	static const char *const may[] = {"r-", "w-", "x-", "sp"};
	int i;

	for (i = 0; i < 4; i++, p++)
		if (p >= end || !strchr(may[i], *p))
			return NULL;
	return p;
}

/* "ADDR-ADDR rwxp OFFSET MAJ:MIN INODE   PATH", the path may be missing. */
static bool segment_read(struct segment *s, const char *p, const char *end)
{
	const char *dev;

	p = skip_hex(p, end);
	p = (p = skip_char(p, end, '-')) ? skip_hex(p, end) : NULL;
	p = (p = skip_char(p, end, ' ')) ? skip_rights(p, end) : NULL;
	p = (p = skip_char(p, end, ' ')) ? skip_hex(p, end) : NULL;
	dev = p = skip_char(p, end, ' ');
	p = p ? skip_hex(p, end) : NULL;
	p = (p = skip_char(p, end, ':')) ? skip_hex(p, end) : NULL;
	p = skip_char(p, end, ' ');
	if (!p || !(p = skip_hex(p, end)))
		return false;
	s->inode = dev;
	s->inode_len = (size_t)(p - dev);
	while (p < end && *p == ' ')
		p++;
	while (end > p && (end[-1] == '\r' || end[-1] == ' '))
		end--;
	s->path = p;
	s->path_len = (size_t)(end - p);
	return true;
}

bool maps_is(const char *text, size_t len)
{
	const char *p = text, *end = text + len, *nl;
	struct segment s;
	int rows = 0;

	for (; p < end && rows < FIRST_ROWS; p = nl + 1, rows++) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (!nl)
			nl = end;
		if (!segment_read(&s, p, nl))
			return false;
	}
	return rows > 0;
}

/* "libcudart.so.12", "libcudart.so.13.0.96", "libcudart-9335f6a2.so.11.0", "libcudart.so". */
bool runtime_name(const char *base, const char **major, struct arena *a)
{
	const char *p = base + strlen(NAME), *so;

	if (strncmp(base, NAME, strlen(NAME)) || (*p != '.' && *p != '-'))
		return false;
	so = strstr(p, ".so");
	if (!so || (so[3] && so[3] != '.'))
		return false;
	*major = so[3] ? arena_strndup(a, so + 4, strspn(so + 4, "0123456789")) : "";
	return true;
}

static bool runtimes_have(const struct map_runtimes *v, const char *path, const char *inode)
{
	bool numbered = !str_ends(inode, " 0");
	size_t i;

	for (i = 0; i < v->nr; i++)
		if (!strcmp(v->v[i].path, path) ||
		    (numbered && !strcmp(v->v[i].inode, inode)))
			return true;
	return false;
}

static void runtime_add(struct map_runtimes *out, struct arena *a, const struct segment *s,
			const char *text, uint32_t line)
{
	const char *path = arena_strndup(a, s->path, s->path_len), *inode, *major;
	uint32_t at = (uint32_t)(s->path - text);

	if (!runtime_name(path_base(path), &major, a))
		return;
	inode = arena_strndup(a, s->inode, s->inode_len);
	if (!runtimes_have(out, path, inode))
		*VEC_PUSH(a, out) = (struct map_runtime){
			path, inode, major, line, {at, at + (uint32_t)s->path_len}};
}

void maps_runtimes(struct map_runtimes *out, struct arena *a, const char *text, size_t len)
{
	const char *p = text, *end = text + len, *nl;
	struct segment s;
	uint32_t line = 1;

	for (; p < end; p = nl + 1, line++) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (!nl)
			nl = end;
		if (segment_read(&s, p, nl) && s.path_len)
			runtime_add(out, a, &s, text, line);
	}
}

void maps_facts(struct source *s, const char *text, size_t len, struct arena *a)
{
	struct map_runtimes v = {0};
	size_t i;

	s->analysis = ANALYSIS_FULL;
	maps_runtimes(&v, a, text, len);
	/* One is how it should be. */
	if (v.nr < 2)
		return;
	s->facts = arena_array(a, v.nr, sizeof(*s->facts));
	s->nr_facts = v.nr;
	for (i = 0; i < v.nr; i++)
		s->facts[i] = (struct fact){
			.kind = FACT_SETTING,
			.name = arena_fmt(a, "maps.runtime.%s", *v.v[i].major ? v.v[i].major : "?"),
			.text = v.v[i].path,
			.symbol = "",
			.span = v.v[i].span,
			.stmt = v.v[i].span,
			.guard = -1,
			.def = -1,
		};
}
