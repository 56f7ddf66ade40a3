/*
 * ignore.c - which paths the ignore rules of a tree leave out.
 *
 * In: .gitignore files. Out: yes or no for a path, by git's own rules: the deepest file that has an
 * opinion decides, in it the last rule that fits; "!" takes back. Neither .git/info/exclude nor a
 * user's own list is read, so that every clone gives the same answer.
 *
 * libgit2 could answer too, but it opens the files by path (following links, waiting for a FIFO)
 * and its matcher takes exponential time for rules made to that end. Here a rule becomes a row of
 * tokens, and all the ways it can fit are followed at once: the work is at most tokens times bytes
 * of the path.
 */
#include <ctype.h>
#include <string.h>

#include "base/fs.h"
#include "base/lines.h"
#include "base/path.h"
#include "repo/internal.h"

#define TEXT_MAX   (1u << 20)
#define RULES_MAX  20000u /* in force at one time */
#define TOKENS_MAX 1024u

enum token_kind {
	TOKEN_BYTE,
	TOKEN_ONE,   /* ? */
	TOKEN_CLASS, /* [...] */
	TOKEN_STAR,  /* any bytes of one part */
	TOKEN_DIRS,  /* any number of whole parts, each with its slash; a TOKEN_PART follows */
	TOKEN_PART,  /* inside such a part */
	TOKEN_REST,  /* anything */
};

struct token {
	enum token_kind kind;
	unsigned char byte;
	uint32_t class; /* place of the 256 bits in the rules' classes */
};

struct ignore_rule {
	bool negated, dir_only;
	bool whole; /* tried on the path from the rules' folder, not on the last part */
	uint32_t nr;
	uint32_t head, tail; /* plain bytes at both ends; nr, 0: there is nothing else */
	struct token *tokens;
};

struct class
{
	unsigned char bits[32];
};

struct ignore_rules {
	struct ignore_rule *v;
	size_t nr, alloc;
	VEC(struct class) classes;
};

static void class_set(struct class *c, unsigned from, unsigned to)
{
	for (; from <= to; from++)
		c->bits[from / 8] |= (unsigned char)(1u << from % 8);
}

static bool class_has(const struct class *c, unsigned char byte)
{
	return c->bits[byte / 8] & 1u << byte % 8;
}

/* [:name:] at p; the bytes it takes, 0 when it is none. */
static size_t class_named(struct class *c, const char *p, size_t n)
{
	static const struct {
		const char *name;
		int (*is)(int);
	} names[] = {
		{"[:alnum:]", isalnum}, {"[:alpha:]", isalpha}, {"[:blank:]", isblank},
		{"[:cntrl:]", iscntrl}, {"[:digit:]", isdigit}, {"[:graph:]", isgraph},
		{"[:lower:]", islower}, {"[:print:]", isprint}, {"[:punct:]", ispunct},
		{"[:space:]", isspace}, {"[:upper:]", isupper}, {"[:xdigit:]", isxdigit},
	};
	size_t i, len;
	int byte;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		len = strlen(names[i].name);
		if (len > n || memcmp(p, names[i].name, len))
			continue;
		for (byte = 0; byte < 128; byte++)
			if (names[i].is(byte))
				class_set(c, (unsigned)byte, (unsigned)byte);
		return len;
	}
	return 0;
}

/* One byte of a class, perhaps escaped; the bytes it takes, 0 at the end of the text. */
static size_t class_byte(const char *p, size_t n, unsigned char *byte)
{
	size_t escaped = n && *p == '\\';

	if (n <= escaped)
		return 0;
	*byte = (unsigned char)p[escaped];
	return escaped + 1;
}

/* Read [...] at p; the bytes it takes, 0 when it does not end. */
static size_t class_read(struct class *c, const char *p, size_t n)
{
	bool negated = n > 1 && (p[1] == '!' || p[1] == '^');
	size_t i = negated ? 2 : 1, first = i, len;
	unsigned char from, to;

	for (; i < n && (p[i] != ']' || i == first); i += len) {
		len = class_named(c, p + i, n - i);
		if (len)
			continue;
		len = class_byte(p + i, n - i, &from);
		if (!len)
			return 0;
		to = from;
		if (i + len + 1 < n && p[i + len] == '-' && p[i + len + 1] != ']') {
			size_t more = class_byte(p + i + len + 1, n - i - len - 1, &to);

			if (!more)
				return 0;
			len += 1 + more;
		}
		class_set(c, from, to);
	}
	for (len = 0; negated && len < sizeof(c->bits); len++)
		c->bits[len] = (unsigned char)~c->bits[len];
	return i < n ? i + 1 : 0;
}

/* A run of stars at p: what it means depends on what stands around it. */
static size_t stars_read(struct ignore_rule *r, const char *start, const char *p, size_t n)
{
	size_t run = 0;
	bool alone;

	while (run < n && p[run] == '*')
		run++;
	alone = run > 1 && r->whole && (p == start || p[-1] == '/');
	if (alone && run == n) {
		r->tokens[r->nr++].kind = TOKEN_REST;
	} else if (alone && p[run] == '/') {
		r->tokens[r->nr++].kind = TOKEN_DIRS;
		r->tokens[r->nr++].kind = TOKEN_PART;
		run++;
	} else {
		r->tokens[r->nr++].kind = TOKEN_STAR;
	}
	return run;
}

/* Turn the pattern into tokens; false: it can fit nothing. */
static bool tokens_read(struct ignore_rules *rules, struct arena *a, struct ignore_rule *r,
			const char *p, size_t n)
{
	const char *start = p, *end = p + n;

	r->tokens = arena_array(a, n * 2 + 1, sizeof(*r->tokens));
	while (p < end) {
		struct token *t = &r->tokens[r->nr];

		if (*p == '*') {
			p += stars_read(r, start, p, (size_t)(end - p));
			continue;
		}
		r->nr++;
		if (*p == '[') {
			size_t len = class_read(VEC_PUSH(a, &rules->classes), p, (size_t)(end - p));

			if (!len)
				return false;
			t->kind = TOKEN_CLASS;
			t->class = (uint32_t)rules->classes.nr - 1;
			p += len;
			continue;
		}
		if (*p == '?')
			t->kind = TOKEN_ONE;
		else if (*p == '\\' && ++p == end)
			return false;
		t->byte = (unsigned char)*p++;
	}
	return true;
}

/* Most rules are refused by their plain bytes alone. */
static void ends_count(struct ignore_rule *r)
{
	while (r->head < r->nr && r->tokens[r->head].kind == TOKEN_BYTE)
		r->head++;
	while (r->tail < r->nr - r->head && r->tokens[r->nr - 1 - r->tail].kind == TOKEN_BYTE)
		r->tail++;
}

static void rule_read(struct ignore_rules *rules, struct arena *a, const char *p, size_t n)
{
	struct ignore_rule r = {0};

	if (n && p[n - 1] == '\r')
		n--;
	while (n && p[n - 1] == ' ' && !(n > 1 && p[n - 2] == '\\'))
		n--;
	if (!n || *p == '#')
		return;
	if (*p == '!') {
		r.negated = true;
		p++, n--;
	}
	if (n && p[n - 1] == '/') {
		r.dir_only = true;
		n--;
	}
	r.whole = n && memchr(p, '/', n);
	if (n && *p == '/')
		p++, n--;
	if (!n || n >= TOKENS_MAX / 2 || !tokens_read(rules, a, &r, p, n))
		return;
	ends_count(&r);
	*VEC_PUSH(a, rules) = r;
}

/* States reached from `at` without reading a byte. */
static void state_add(const struct ignore_rule *r, bool *states, size_t at)
{
	for (; !states[at]; at += r->tokens[at].kind == TOKEN_DIRS ? 2 : 1) {
		states[at] = true;
		if (at == r->nr)
			return;
		switch (r->tokens[at].kind) {
		case TOKEN_STAR:
		case TOKEN_DIRS:
		case TOKEN_REST:
			break;
		default:
			return;
		}
	}
}

static void state_step(const struct ignore_rules *rules, const struct ignore_rule *r, size_t at,
		       unsigned char byte, bool *next)
{
	const struct token *t = &r->tokens[at];

	switch (t->kind) {
	case TOKEN_BYTE:
		if (t->byte == byte)
			state_add(r, next, at + 1);
		break;
	case TOKEN_ONE:
		if (byte != '/')
			state_add(r, next, at + 1);
		break;
	case TOKEN_CLASS:
		if (byte != '/' && class_has(&rules->classes.v[t->class], byte))
			state_add(r, next, at + 1);
		break;
	case TOKEN_STAR:
		if (byte != '/')
			state_add(r, next, at);
		break;
	case TOKEN_DIRS:
		if (byte != '/')
			state_add(r, next, at + 1);
		break;
	case TOKEN_PART:
		state_add(r, next, byte == '/' ? at - 1 : at);
		break;
	case TOKEN_REST:
		state_add(r, next, at);
		break;
	}
}

static bool bytes_are(const struct token *t, const char *s, uint32_t nr)
{
	uint32_t i;

	for (i = 0; i < nr; i++)
		if (t[i].byte != (unsigned char)s[i])
			return false;
	return true;
}

/* False: the rule cannot fit. */
static bool ends_fit(const struct ignore_rule *r, const char *s)
{
	size_t len;

	if (r->head && r->tokens[0].byte != (unsigned char)*s)
		return false;
	len = strlen(s);
	if (len < r->head + r->tail || (r->head == r->nr && len != r->nr))
		return false;
	return bytes_are(r->tokens, s, r->head) &&
	       bytes_are(r->tokens + r->nr - r->tail, s + len - r->tail, r->tail);
}

static bool rule_fits(const struct ignore_rules *rules, const struct ignore_rule *r,
		      const char *path, bool is_dir)
{
	bool now[TOKENS_MAX + 1], next[TOKENS_MAX + 1], any = true;
	const char *s = r->whole ? path : path_base(path);
	size_t i;

	if (r->dir_only && !is_dir)
		return false;
	if (!ends_fit(r, s))
		return false;
	if (r->head == r->nr)
		return true;
	memset(now, 0, r->nr + 1);
	state_add(r, now, 0);
	for (; *s && any; s++) {
		memset(next, 0, r->nr + 1);
		for (i = 0, any = false; i < r->nr; i++) {
			if (!now[i])
				continue;
			state_step(rules, r, i, (unsigned char)*s, next);
			any = true;
		}
		memcpy(now, next, r->nr + 1);
	}
	return now[r->nr];
}

static void rules_read(struct ignore_rules *rules, struct arena *a, const char *p, size_t len)
{
	const char *end = p + len, *nl;

	if (bom_len(p, len))
		p += 3;
	for (; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (!nl)
			nl = end;
		rule_read(rules, a, p, (size_t)(nl - p));
	}
}

bool ignore_enter(struct ignore_level *level, const struct ignore_level *up, int dirfd,
		  const char *dir, struct arena *a, struct notices *notices)
{
	const char *path = path_join(a, dir, ".gitignore");
	struct ignore_rules *rules = ARENA_NEW(a, struct ignore_rules);
	struct fs_text text;
	struct err err = {0};

	if (!has_regular(dirfd, path))
		return false;
	if (fs_read(dirfd, path, TEXT_MAX, &text, &err)) {
		notice_add(notices, a, path, "ignore", "ignore rules not used: %s", err.msg);
		return false;
	}
	rules_read(rules, a, text.data, text.len);
	fs_text_free(&text);
	*level = (struct ignore_level){up, dir, rules, rules->nr + (up ? up->total : 0)};
	if (level->total <= RULES_MAX)
		return rules->nr;
	notice_add(notices, a, path, "ignore", "ignore rules not used: more than %u in force",
		   RULES_MAX);
	return false;
}

bool ignore_hit(const struct ignore_level *level, const char *path, bool is_dir)
{
	for (; level; level = level->up) {
		const char *rel = path + strlen(level->dir) + (*level->dir != 0);
		size_t i;

		for (i = level->rules->nr; i--;)
			if (rule_fits(level->rules, &level->rules->v[i], rel, is_dir))
				return !level->rules->v[i].negated;
	}
	return false;
}
