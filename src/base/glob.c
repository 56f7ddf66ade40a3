/* glob.c - see glob.h. Braces are expanded by trying each choice; at most 8 levels of them. */
#include "base/glob.h"

#include <string.h>

#include "base/path.h"

static bool glob_class(const char **pattern, char c)
{
	const char *p = *pattern + 1;
	bool negate = *p == '!' || *p == '^', hit = false;

	if (negate)
		p++;
	do {
		if (!*p)
			return false;
		if (p[1] == '-' && p[2] && p[2] != ']') {
			hit |= c >= p[0] && c <= p[2];
			p += 3;
		} else {
			hit |= c == *p++;
		}
	} while (*p != ']');
	*pattern = p;
	return hit != negate;
}

/* One part or whole path without braces; `steps` bounds the backtracking of nested stars. */
static bool glob_plain(const char *p, const char *s, int *steps)
{
	const char *back_p = NULL, *back_s = NULL;

	for (;;) {
		if (++*steps > 1000000)
			return false;
		if (p[0] == '*' && p[1] == '*') {
			p += 2;
			if (*p == '/') {
				p++;
				if (glob_plain(p, s, steps))
					return true;
				while ((s = strchr(s, '/')))
					if (glob_plain(p, ++s, steps))
						return true;
				return false;
			}
			for (; *s; s++)
				if (glob_plain(p, s, steps))
					return true;
			return !*p;
		}
		if (*p == '*') {
			back_p = ++p;
			back_s = s;
			continue;
		}
		if (*s && *s != '/' && (*p == '?' || *p == *s)) {
			p++, s++;
			continue;
		}
		if (*s && *s != '/' && *p == '[' && glob_class(&p, *s)) {
			p++, s++;
			continue;
		}
		if (*s == '/' && *p == '/') {
			p++, s++;
			back_p = NULL;
			continue;
		}
		if (!*p && !*s)
			return true;
		if (!back_p || !*back_s || *back_s == '/')
			return false;
		p = back_p;
		s = ++back_s;
	}
}

static bool glob_braces(const char *pattern, const char *path, int depth)
{
	const char *open = strchr(pattern, '{'), *close, *from, *to;
	char buf[1024];
	int steps = 0;

	close = open ? strchr(open, '}') : NULL;
	if (!close || depth == 8)
		return glob_plain(pattern, path, &steps);
	for (from = open + 1; from <= close; from = to + 1) {
		size_t head = (size_t)(open - pattern), mid, tail = strlen(close + 1);

		to = from + strcspn(from, ",}");
		mid = (size_t)(to - from);
		if (head + mid + tail >= sizeof(buf))
			return false;
		memcpy(buf, pattern, head);
		memcpy(buf + head, from, mid);
		memcpy(buf + head + mid, close + 1, tail + 1);
		if (glob_braces(buf, path, depth + 1))
			return true;
	}
	return false;
}

bool glob_match(const char *pattern, const char *path)
{
	return glob_braces(pattern, strchr(pattern, '/') ? path : path_base(path), 0);
}
