/*
 * yaml.h - a YAML document as a tree that remembers where each node stood.
 *
 * libyaml does the parsing. Refused with file and line: several documents, anchors and aliases, tags,
 * duplicate keys, keys that are no plain text, nesting deeper than 32.
 */
#ifndef BASE_YAML_H
#define BASE_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"

enum yaml_kind { YAML_TEXT, YAML_LIST, YAML_MAP };

struct yaml {
	enum yaml_kind kind;
	int line;	     /* from 1 */
	const char *text;    /* YAML_TEXT */
	bool plain;	     /* YAML_TEXT written without quotes or block marks */
	const char *key;     /* of this node inside its map, else NULL */
	int key_line;
	struct yaml *child;  /* first element of a list or map */
	struct yaml *next;   /* in the parent, in document order */
	size_t nr;	     /* children */
};

/* Parse text; `name` is for messages. An empty document is an empty map. */
int yaml_parse(struct yaml **out, struct arena *a, const char *name, const char *text, size_t len,
	       struct err *err);
/* The tree as bytes for yaml_unpack() of the same program on the same kind of machine. */
void yaml_pack(struct strbuf *out, const struct yaml *y);
/* What yaml_pack() wrote, at an address that 4 divides; not checked. Texts stay in `data`. */
struct yaml *yaml_unpack(struct arena *a, const void *data);
/* Value of `key` in a map, NULL where there is none (or the node is no map). */
const struct yaml *yaml_get(const struct yaml *map, const char *key);
/* As yaml_get for text; `or` where there is none. */
const char *yaml_str(const struct yaml *map, const char *key, const char *or);
/* The kind in words for messages: "text", "a list", "a map". */
const char *yaml_kind_name(enum yaml_kind kind);
/*
 * Check that each key of the map is one of `keys` (NULL-terminated); else an error with file, line and,
 * where one is close, "(did you mean 'x'?)".
 */
int yaml_check_keys(const struct yaml *map, const char *name, const char *const *keys,
		    struct err *err);
/* The word of `words` (NULL-terminated) nearest to `s`, NULL when none is near. For suggestions. */
const char *nearest_word(const char *s, const char *const *words);

#endif
