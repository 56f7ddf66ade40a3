/*
 * symbol.c - the qualified name in a mangled one (Itanium C++ ABI), without arguments and templates.
 *
 * Only nested names are read, as far as their last part: that is what the database knows them by. What
 * needs more (expressions, local names, special tables) has no name here.
 */
#include <ctype.h>
#include <string.h>

#include "probe/probe.h"

#define PARTS_MAX 16
#define PART_MAX  512
#define DEPTH_MAX 64

struct part {
	const char *text;
	size_t len;
};

struct scan {
	const char *p;
	struct part parts[PARTS_MAX];
	int nr;
};

static bool part_add(struct scan *s, const char *text, size_t len)
{
	if (s->nr == PARTS_MAX)
		return false;
	s->parts[s->nr++] = (struct part){text, len};
	return true;
}

/* <source-name>: its length in digits, then itself. */
static bool source_name(struct scan *s, bool keep)
{
	size_t n = 0;

	for (; isdigit((unsigned char)*s->p) && n < PART_MAX; s->p++)
		n = n * 10 + (size_t)(*s->p - '0');
	if (!n || n >= PART_MAX || strnlen(s->p, n) < n)
		return false;
	if (keep && !part_add(s, s->p, n))
		return false;
	s->p += n;
	return true;
}

/*
 * Past <template-args> by counting what opens and closes. Names are stepped over by length, so that
 * letters in them do not count.
 */
static bool template_skip(struct scan *s)
{
	int depth = 0;

	for (; *s->p; s->p++) {
		if (isdigit((unsigned char)*s->p)) {
			/* A digit behind a letter of substitutions and literals is no name. */
			if (!source_name(s, false))
				return false;
			s->p--;
			continue;
		}
		if (*s->p == 'L') {
			/* A literal: to its E. */
			s->p += strcspn(s->p, "E");
			if (!*s->p)
				return false;
			continue;
		}
		if (*s->p == 'S' || *s->p == 'T') {
			while (s->p[1] && s->p[1] != '_' && (isdigit((unsigned char)s->p[1]) ||
							     isupper((unsigned char)s->p[1])))
				s->p++;
			if (s->p[1])
				s->p++;
			continue;
		}
		if (strchr("INJFX", *s->p) && ++depth > DEPTH_MAX)
			return false;
		if (*s->p == 'E' && !--depth) {
			s->p++;
			return true;
		}
	}
	return false;
}

static bool special_part(struct scan *s)
{
	if (*s->p == 'C' && strchr("1234I", s->p[1]) && s->nr) {
		s->p += 2;
		return part_add(s, s->parts[s->nr - 1].text, s->parts[s->nr - 1].len);
	}
	if (*s->p == 'D' && strchr("0124", s->p[1]) && s->nr) {
		s->p += 2;
		return part_add(s, "~", 1);
	}
	return false;
}

static bool operator_part(struct scan *s)
{
	static const struct {
		const char code[3], *name;
	} table[] = {
		{"ls", "operator<<"}, {"rs", "operator>>"}, {"eq", "operator=="},
		{"ne", "operator!="}, {"pl", "operator+"},  {"mi", "operator-"},
		{"ml", "operator*"},  {"dv", "operator/"},  {"pL", "operator+="},
		{"mI", "operator-="}, {"mL", "operator*="}, {"dV", "operator/="},
		{"aS", "operator="},  {"cl", "operator()"}, {"ix", "operator[]"},
		{"lt", "operator<"},  {"gt", "operator>"},  {"co", "operator~"},
	};
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(*table); i++)
		if (!strncmp(s->p, table[i].code, 2)) {
			s->p += 2;
			return part_add(s, table[i].name, strlen(table[i].name));
		}
	return false;
}

static bool nested_name(struct scan *s)
{
	while (*s->p && strchr("KVrRO", *s->p))
		s->p++;
	while (*s->p && *s->p != 'E') {
		bool ok;

		if (isdigit((unsigned char)*s->p))
			ok = source_name(s, true);
		else if (*s->p == 'I')
			ok = s->nr && template_skip(s);
		else if (*s->p == 'B')
			ok = s->p++ && source_name(s, false);
		else
			ok = special_part(s) || operator_part(s);
		if (!ok)
			return false;
	}
	return *s->p == 'E' && s->nr > 1;
}

const char *symbol_name(struct arena *a, const char *mangled)
{
	struct scan s = {.p = mangled};
	struct strbuf sb = STRBUF_INIT;
	const char *name = NULL;
	int i;

	if (strncmp(s.p, "_Z", 2))
		return NULL;
	s.p += 2;
	/* Virtual tables and type information stand for their class. */
	if (*s.p == 'T' && s.p[1] && strchr("VISTi", s.p[1]))
		s.p += 2;
	if (*s.p++ == 'N' && nested_name(&s)) {
		for (i = 0; i < s.nr; i++) {
			strbuf_addstr(&sb, i ? "::" : "");
			strbuf_add(&sb, s.parts[i].text, s.parts[i].len);
			/* A destructor is named after what stands before it. */
			if (i && *s.parts[i].text == '~')
				strbuf_add(&sb, s.parts[i - 1].text, s.parts[i - 1].len);
		}
		name = arena_strdup(a, sb.buf);
	}
	strbuf_release(&sb);
	return name;
}
