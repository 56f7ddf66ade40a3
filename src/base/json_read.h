/*
 * json_read.h - a JSON text as a tree.
 *
 * RFC 8259, UTF-8; refused with the line: nesting deeper than 64, a text behind the value, an escape
 * that names half a surrogate pair or a NUL, numbers that are no integer of 64 bits where one is asked
 * for. Of equal keys the first counts. Everything lives in the caller's arena.
 */
#ifndef BASE_JSON_READ_H
#define BASE_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"

struct json;

enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_TEXT, JSON_LIST, JSON_MAP };

struct json_node {
	enum json_kind kind;
	bool yes;	  /* JSON_BOOL */
	const char *text; /* JSON_TEXT; of a number: as written */
	const char *key;  /* of this node inside its map, else NULL */
	struct json_node *child, *next;
	size_t nr; /* children */
};

/* Parse text[0..len); `name` is for messages. */
int json_parse(struct json_node **out, struct arena *a, const char *name, const char *text,
	       size_t len, struct err *err);
/* Value of `key` in a map; NULL where there is none, or the node is NULL or no map. */
const struct json_node *json_get(const struct json_node *map, const char *key);
/* As json_get for text, numbers and booleans; `or` where there is none of that kind. */
const char *json_text(const struct json_node *map, const char *key, const char *or);
long long json_number(const struct json_node *map, const char *key, long long or);
bool json_yes(const struct json_node *map, const char *key);
/* Write the tree again, in its order. */
void json_write_node(struct json *j, const struct json_node *n);

#endif
