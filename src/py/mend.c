/*
 * mend.c - valid Python that the grammar cannot read.
 *
 * A star before a bracket in an expression list without parentheses (`return a, *(b, c)`) is an error to
 * the grammar, a star before a call is none. In the text for the parser " *(" becomes "*_(": offsets stay,
 * and what stands in the brackets is read. Only statements that could not be read are touched.
 */
#include "py/internal.h"

#include <string.h>

#define STARS_MAX 64

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool ends_with_word(const char *text, size_t end, const char *word)
{
	size_t n = strlen(word);

	return end > n && !memcmp(text + end - n, word, n) && is_blank(text[end - n - 1]);
}

/* An expression may begin at the star: the text behind a comma, an assignment, return, yield or in. */
static bool begins_expression(const char *text, size_t star)
{
	size_t end = star;

	while (end && is_blank(text[end - 1]))
		end--;
	if (!end || end == star)
		return false;
	return text[end - 1] == ',' || text[end - 1] == '=' || ends_with_word(text, end, "return") ||
	       ends_with_word(text, end, "yield") || ends_with_word(text, end, "in");
}

/* The star stands in a statement that could not be read, and in no string or comment. */
static bool in_broken_statement(TSNode root, uint32_t star)
{
	TSNode node = ts_node_descendant_for_byte_range(root, star, star + 1), parent;
	const char *type = ts_node_type(node);

	if (!strncmp(type, "string", 6) || !strcmp(type, "comment"))
		return false;
	for (; !ts_node_is_null(node); node = parent) {
		parent = ts_node_parent(node);
		if (ts_node_is_error(node))
			return true;
		if (ts_node_is_null(parent) || !strcmp(ts_node_type(parent), "block"))
			return ts_node_has_error(node);
	}
	return false;
}

const char *python_mended(struct arena *a, const char *text, size_t len, TSNode root)
{
	const char *p = text, *end = text + len;
	char *copy = NULL;
	int stars = 0;

	while (stars < STARS_MAX && (p = memchr(p, '*', (size_t)(end - p)))) {
		size_t at = (size_t)(p++ - text);

		if (p == end || (*p != '(' && *p != '[') || !begins_expression(text, at))
			continue;
		stars++;
		if (!in_broken_statement(root, (uint32_t)at))
			continue;
		if (!copy)
			copy = arena_strndup(a, text, len);
		copy[at - 1] = '*';
		copy[at] = '_';
	}
	return copy;
}
