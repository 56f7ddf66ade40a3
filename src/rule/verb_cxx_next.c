/*
 * verb_cxx_next.c - write the call of a member of C++ together with what it is used for.
 *
 * The value is a map. ".g(" says what comes behind the call, x.f().g(: both are written as the map's
 * value. "NAME(" says whose first argument the call is, NAME(x.f(), a pattern: then the call alone is. The
 * first that holds is taken. The value begins with what follows the object.
 */
#include <ctype.h>
#include <string.h>

#include "base/glob.h"
#include "rule/verb_cxx.h"

static bool is_word(char ch)
{
	return isalnum((unsigned char)ch) || ch == '_';
}

/* Offset behind `next` where that comes behind `at`, white space apart; 0: it does not. */
static uint32_t behind(const struct verb_call *c, uint32_t at, const char *next)
{
	const char *text = c->shape->text;
	size_t n = strlen(next);

	while (at < c->shape->len && isspace((unsigned char)text[at]))
		at++;
	return at + n <= c->shape->len && !memcmp(text + at, next, n) ? at + (uint32_t)n : 0;
}

/* True when what begins at `at` is the first argument of something called like `pattern`. */
static bool is_first_of(const struct verb_call *c, uint32_t at, const char *pattern)
{
	const char *text = c->shape->text;
	uint32_t end;

	while (at && isspace((unsigned char)text[at - 1]))
		at--;
	if (!at || text[--at] != '(')
		return false;
	while (at && isspace((unsigned char)text[at - 1]))
		at--;
	for (end = at; at && is_word(text[at - 1]);)
		at--;
	return glob_match(arena_strndup(c->arena, pattern, strlen(pattern) - 1),
			  arena_strndup(c->arena, text + at, end - at));
}

int verb_cxx_next(struct verb_call *c)
{
	const char *const *pair;
	struct cxx_call call;
	uint32_t end;

	if (cxx_call_read(c, &call))
		return -1;
	if (call.object.start == call.object.end)
		return verb_refuse(c, "nothing is written before the name");
	for (pair = c->step->list; *pair; pair += 2) {
		end = c->fact->stmt.end;
		if (pair[0][0] == '.')
			end = behind(c, end, pair[0]);
		else if (!is_first_of(c, call.object.start, pair[0]))
			end = 0;
		if (!end)
			continue;
		verb_edit(c, call.object.end, end, pair[1]);
		return 0;
	}
	return verb_refuse(c, "there is no form for what it is used for here");
}
