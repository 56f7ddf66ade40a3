/*
 * version.c - version ranges (">=3.3,<3.4") and the CONDITION of a marker.
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

/* The next word between blanks; empty at the end. */
static const char *next_word(const char **s, struct arena *a)
{
	size_t n;

	*s += strspn(*s, " \t\n");
	n = strcspn(*s, " \t\n");
	*s += n;
	return arena_strndup(a, *s - n, n);
}

static bool name_is_dotted(const char *s)
{
	bool start = true;

	for (; *s; s++) {
		if (*s == '.' && start)
			return false;
		if (*s != '.' && *s != '_' && !isalnum((unsigned char)*s))
			return false;
		start = *s == '.';
	}
	return !start;
}

static int condition_term(const char **s, const struct condition_names *n, struct arena *a,
			  const char **what)
{
	const char *word = next_word(s, a), *arg = next_word(s, a), *op;

	if (!strcmp(word, "covered")) {
		if (name_is_dotted(arg))
			return 0;
		*what = arena_fmt(a, "'covered' wants a dotted name, not '%s'", arg);
		return -1;
	}
	if (!strcmp(word, "fixed")) {
		if (list_has(n->ids, arg))
			return 0;
		*what = arena_fmt(a, "'fixed' wants the id of a rule, not '%s'", arg);
		return -1;
	}
	if (!strcmp(word, n->target)) {
		op = arena_fmt(a, "%s%s", arg, next_word(s, a));
		if (!strcmp(arg, ">=") && !range_check(op))
			return 0;
		*what = arena_fmt(a, "'%s' wants '>= VERSION'", n->target);
		return -1;
	}
	*what = arena_fmt(a, "a condition begins with covered, fixed or %s, not '%s'", n->target,
			  word);
	return -1;
}

int condition_check(const char *text, const struct condition_names *n, struct arena *a,
		    const char **what)
{
	const char *word;

	for (;;) {
		if (condition_term(&text, n, a, what))
			return -1;
		word = next_word(&text, a);
		if (!*word)
			return 0;
		if (strcmp(word, "and") && strcmp(word, "or")) {
			*what = arena_fmt(a, "conditions are joined by and, or; not '%s'", word);
			return -1;
		}
	}
}
