/*
 * json.h - writing JSON in order, without a tree in memory.
 *
 * The writer keeps commas and indentation; the caller opens and closes in pairs. Text that is not UTF-8
 * is percent-encoded (each offending byte as %XX, and '%' as %25) by json_bytes, which says so.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

struct json {
	struct strbuf *out;
	int depth;
	bool first;   /* nothing written yet at this depth */
	bool compact; /* no line breaks (one record a line) */
	bool after_key;
};

void json_init(struct json *j, struct strbuf *out, bool compact);
void json_open(struct json *j, char bracket);  /* '{' or '[' */
void json_close(struct json *j, char bracket); /* '}' or ']' */
void json_key(struct json *j, const char *key);
void json_str(struct json *j, const char *s);  /* NULL is null; bytes that are not UTF-8: see json_bytes */
void json_int(struct json *j, long long n);
void json_bool(struct json *j, bool b);
void json_null(struct json *j);
/* Text that is JSON already: a number as it was written. */
void json_raw(struct json *j, const char *s);
/* True when the text had to be percent-encoded. */
bool json_bytes(struct json *j, const char *s, size_t len);

/* key and value at once */
void json_kstr(struct json *j, const char *key, const char *s);
void json_kint(struct json *j, const char *key, long long n);
void json_kbool(struct json *j, const char *key, bool b);

#endif
