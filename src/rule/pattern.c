/* pattern.c - names with '*', and lists of them. */
#include <string.h>

#include "rule/internal.h"

/* '*' stands for any bytes; the last star is the only one worth going back to. */
static bool star_match(const char *p, const char *s)
{
	const char *star = NULL, *back = NULL;

	while (*s) {
		if (*p == '*') {
			star = p++;
			back = s;
		} else if (*p == *s) {
			p++;
			s++;
		} else if (star) {
			p = star + 1;
			s = ++back;
		} else {
			return false;
		}
	}
	while (*p == '*')
		p++;
	return !*p;
}

bool pattern_match(const struct pattern *p, const char *name)
{
	return p->glob ? star_match(p->text, name) : !strcmp(p->text, name);
}

bool patterns_match(const struct patterns *p, const char *name)
{
	size_t i;

	for (i = 0; name && i < p->nr; i++)
		if (pattern_match(&p->v[i], name))
			return true;
	return false;
}
