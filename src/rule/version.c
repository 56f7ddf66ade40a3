/*
 * version.c - version ranges (">=3.3,<3.4").
 *
 * Versions are numbers between dots; a missing number is 0, so 3.3 is 3.3.0. What follows the last
 * number ("3.4.0.dev2026") is not looked at.
 */
#include <ctype.h>
#include <string.h>

#include "rule/internal.h"

static const char *const range_ops[] = { ">=", "<=", "==", "!=", ">", "<" };

static long version_part(const char **s)
{
	long n = 0;

	while (isdigit((unsigned char)**s) && n < 100000000)
		n = n * 10 + *(*s)++ - '0';
	if (**s == '.' && isdigit((unsigned char)(*s)[1]))
		(*s)++;
	return n;
}

static int version_compare(const char *a, const char *b)
{
	long x, y;

	while (isdigit((unsigned char)*a) || isdigit((unsigned char)*b)) {
		x = isdigit((unsigned char)*a) ? version_part(&a) : 0;
		y = isdigit((unsigned char)*b) ? version_part(&b) : 0;
		if (x != y)
			return x < y ? -1 : 1;
	}
	return 0;
}

/* Reads one comparison; its version is digits and dots of `len` bytes at *version. */
static int range_step(const char **s, int *op, const char **version, size_t *len)
{
	const char *p = *s + strspn(*s, " ");

	for (*op = 0; *op < 6 && strncmp(p, range_ops[*op], strlen(range_ops[*op])); (*op)++)
		;
	if (*op == 6)
		return -1;
	p += strlen(range_ops[*op]);
	p += strspn(p, " ");
	*version = p;
	*len = strspn(p, "0123456789.");
	if (!*len || *len >= 32 || *p == '.' || p[*len - 1] == '.' || strstr(p, ".."))
		return -1;
	p += *len;
	p += strspn(p, " ");
	if (*p == ',')
		p++;
	else if (*p)
		return -1;
	*s = p;
	return 0;
}

int range_check(const char *range)
{
	const char *version;
	size_t len;
	int op;

	if (!*range)
		return -1;
	while (*range)
		if (range_step(&range, &op, &version, &len))
			return -1;
	return 0;
}

static bool step_holds(int op, int c)
{
	switch (op) {
	case 0:
		return c >= 0;
	case 1:
		return c <= 0;
	case 2:
		return !c;
	case 3:
		return c != 0;
	case 4:
		return c > 0;
	default:
		return c < 0;
	}
}

const char *range_since(const char *range, struct arena *a)
{
	const char *version;
	size_t len;
	int op;

	while (*range) {
		if (range_step(&range, &op, &version, &len))
			break;
		if (op == 0 || op == 2 || op == 4)
			return arena_strndup(a, version, len);
	}
	return NULL;
}

bool range_has(const char *range, const char *version)
{
	char bound[32];
	const char *v;
	size_t len;
	int op;

	while (*range) {
		if (range_step(&range, &op, &v, &len))
			return false;
		memcpy(bound, v, len);
		bound[len] = 0;
		if (!step_holds(op, version_compare(version, bound)))
			return false;
	}
	return true;
}
