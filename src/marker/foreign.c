/*
 * foreign.c - markers that a person wrote.
 *
 * A sentence is taken as a marker when it names the target and says that something goes. It is
 * taken as a condition only in the plain forms "... supports NAME" and "NAME is supported": what
 * else it may say of a name ("supports the out= of NAME") is no question that the database answers.
 */
#include <ctype.h>
#include <string.h>

#include "base/intern.h"
#include "base/strbuf.h"
#include "marker/internal.h"

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Length of the word `word` (small letters) at s, in any case; 0: another word stands there. */
static size_t word_at(const char *s, const char *word)
{
	size_t n = strlen(word);

	return !strncasecmp(s, word, n) && !is_word(s[n]) ? n : 0;
}

/* Is one of the words somewhere in s? */
static bool has_word(const char *s, const char *const *words)
{
	const char *p;
	size_t i;

	for (p = s; *p; p++)
		for (i = 0; words[i] && (p == s || !is_word(p[-1])); i++)
			if (word_at(p, words[i]))
				return true;
	return false;
}

/* Length of the dotted name below one of the roots at s, 0: none. */
static size_t name_at(const char *s, const char *const *roots)
{
	size_t n = 0, root = strcspn(s, ".");

	for (; *roots; roots++)
		if (strlen(*roots) == root && !strncmp(s, *roots, root))
			break;
	if (!*roots)
		return 0;
	while (is_word(s[n]) || (s[n] == '.' && (isalpha((unsigned char)s[n + 1]) || s[n + 1] == '_')))
		n++;
	return n > root ? n : 0;
}

/* Does what stands before the name, from the start of the words on, say that it is waited for? */
static bool waits_before(const char *words, const char *name)
{
	static const char *const verbs[] = { "supports", "support",    "provides", "provide",
					     "has",	 "covers",     "cover",	   "implements",
					     "exposes",	 "implement",  "expose",   "adds",
					     "add",	 NULL };
	const char *end = name, *start;
	size_t i;

	while (end > words && strchr(" `\"'", end[-1]))
		end--;
	for (start = end; start > words && is_word(start[-1]);)
		start--;
	for (i = 0; verbs[i]; i++)
		if ((size_t)(end - start) == strlen(verbs[i]) && word_at(start, verbs[i]))
			return true;
	return false;
}

static const char *skip_close(const char *s)
{
	if (s[0] == '(' && s[1] == ')')
		s += 2;
	return s + strspn(s, "`\"'");
}

/* Behind "is supported" and its like; `s` itself: something else stands there. */
static const char *said_there(const char *s)
{
	static const char *const words[] = { "supported", "available", "covered", "there", NULL };
	const char *p = s + strspn(s, " ");
	size_t n = word_at(p, "is"), i;

	if (!n)
		n = word_at(p, "are");
	if (!n)
		return s;
	p += n;
	p += strspn(p, " ");
	for (i = 0; words[i]; i++)
		if (word_at(p, words[i]))
			return p + strlen(words[i]);
	return s;
}

static bool is_sentence_end(const char *s)
{
	if (*s && strchr(".;)", *s))
		s++;
	else if (*s)
		return false;
	return !*s || *s == ' ';
}

/* The next name of "A and B" or "A, B"; NULL: the list is over. */
static const char *list_next(const char *s, const char *const *roots)
{
	if (*s == ',')
		s++;
	s += strspn(s, " ");
	if (word_at(s, "and"))
		s += 3;
	s += strspn(s, " `\"'");
	return name_at(s, roots) ? s : NULL;
}

/* Behind "by TARGET" or "in TARGET", with a word more; `s` itself: nothing of that stands there. */
static const char *said_where(const char *s, const char *const *targets)
{
	const char *p = s + strspn(s, " ");
	size_t n = word_at(p, "by");

	if (!n)
		n = word_at(p, "in");
	if (!n)
		return s;
	p += n + strspn(p + n, " ");
	for (n = 0; *targets && !n; targets++)
		n = word_at(p, *targets);
	if (!n)
		return s;
	p += n;
	n = word_at(p + (*p == ' '), "compat");
	return n ? p + (*p == ' ') + n : p;
}

/* Names from `s` on that the sentence waits for, as a condition; NULL: it says more of them. */
static const char *names_wanted(const char *words, const char *s, const struct vocab *vocab,
				struct arena *a, struct saying *out)
{
	const char *const *roots = vocab->roots;
	bool waits = waits_before(words, s);
	const char *condition = NULL, *end;

	out->name = arena_strndup(a, s, name_at(s, roots));
	for (;;) {
		size_t n = name_at(s, roots);

		condition = arena_fmt(a, "%s%scovered %.*s", condition ? condition : "",
				      condition ? " and " : "", (int)n, s);
		end = skip_close(s + n);
		s = list_next(end, roots);
		if (!s)
			break;
	}
	s = waits ? end : said_there(end);
	if (!waits && s == end)
		return NULL;
	return is_sentence_end(said_where(s, vocab->target_roots)) ? condition : NULL;
}

bool foreign_read(const char *words, const struct vocab *vocab, struct arena *a,
		  struct saying *out)
{
	static const char *const goes[] = { "remove",	 "removed", "drop",	 "delete",
					    "revert",	 "until",   "workaround", "workarounds",
					    "temporary", NULL };
	static const char *const moments[] = { "after", "once", "when", "until", NULL };
	const char *body = words + strcspn(words, ":("), *close, *p;

	close = *body == '(' ? strchr(body, ')') : NULL;
	body = close ? close + 1 : body;
	if (!has_word(words, vocab->target_roots))
		return false;
	if (!has_word(body, goes) &&
	    !has_word(arena_strndup(a, words, (size_t)(body - words)), vocab->target_roots))
		return false;
	out->name = MARKER_UNKNOWN;
	out->condition = NULL;
	for (p = has_word(body, moments) ? body : ""; *p; p++) {
		if (!name_at(p, vocab->roots) || is_word(p[-1]) || p[-1] == '.')
			continue;
		out->condition = names_wanted(words, p, vocab, a, out);
		break;
	}
	if (!out->condition)
		out->name = MARKER_UNKNOWN;
	return true;
}
