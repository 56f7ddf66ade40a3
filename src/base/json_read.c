/* json_read.c - see json_read.h. */
#include "base/json_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/path.h"

#define JSON_DEPTH 64

struct json_reader {
	struct arena *arena;
	const char *name, *at, *end;
	int line;
	struct strbuf text; /* of the string that is read */
	struct err *err;
};

static int json_fail(struct json_reader *r, const char *what)
{
	return err_set(r->err, "%s:%d: not valid JSON: %s", r->name, r->line, what);
}

static void space_skip(struct json_reader *r)
{
	for (; r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at; r->at++)
		r->line += *r->at == '\n';
}

static bool take(struct json_reader *r, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n))
		return false;
	r->at += n;
	return true;
}

static int hex_read(struct json_reader *r, unsigned *out)
{
	int i;

	*out = 0;
	for (i = 0; i < 4; i++) {
		static const char digits[] = "0123456789abcdef0123456789ABCDEF";
		const char *p = r->at < r->end && *r->at ? strchr(digits, *r->at) : NULL;

		if (!p)
			return json_fail(r, "four hexadecimal digits are wanted");
		*out = *out << 4 | ((unsigned)(p - digits) & 15);
		r->at++;
	}
	return 0;
}

static void utf8_add(struct strbuf *sb, unsigned c)
{
	if (c < 0x80) {
		strbuf_addch(sb, (int)c);
		return;
	}
	if (c < 0x800) {
		strbuf_addch(sb, (int)(0xc0 | c >> 6));
	} else {
		if (c < 0x10000) {
			strbuf_addch(sb, (int)(0xe0 | c >> 12));
		} else {
			strbuf_addch(sb, (int)(0xf0 | c >> 18));
			strbuf_addch(sb, (int)(0x80 | (c >> 12 & 0x3f)));
		}
		strbuf_addch(sb, (int)(0x80 | (c >> 6 & 0x3f)));
	}
	strbuf_addch(sb, (int)(0x80 | (c & 0x3f)));
}

static int escape_code(struct json_reader *r)
{
	unsigned c, low;

	if (hex_read(r, &c))
		return -1;
	if (c >= 0xd800 && c < 0xdc00) {
		if (!take(r, "\\u"))
			return json_fail(r, "half of a surrogate pair");
		if (hex_read(r, &low))
			return -1;
		if (low < 0xdc00 || low > 0xdfff)
			return json_fail(r, "half of a surrogate pair");
		c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
	} else if (!c || (c >= 0xdc00 && c <= 0xdfff)) {
		return json_fail(r, c ? "half of a surrogate pair" : "a NUL in a text");
	}
	utf8_add(&r->text, c);
	return 0;
}

static int escape_read(struct json_reader *r)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *p;
	char c;

	if (r->at >= r->end)
		return json_fail(r, "a text does not end");
	c = *r->at++;
	if (c == 'u')
		return escape_code(r);
	p = c ? strchr(from, c) : NULL;
	if (!p)
		return json_fail(r, "unknown escape");
	strbuf_addch(&r->text, to[p - from]);
	return 0;
}

static int string_read(struct json_reader *r, const char **out)
{
	int n;

	strbuf_reset(&r->text);
	for (;;) {
		if (r->at >= r->end)
			return json_fail(r, "a text does not end");
		if (take(r, "\""))
			break;
		if (take(r, "\\")) {
			if (escape_read(r))
				return -1;
			continue;
		}
		n = utf8_seq(r->at, (size_t)(r->end - r->at));
		if (!n || (unsigned char)*r->at < 0x20)
			return json_fail(r, n ? "a control byte in a text" : "a text is not UTF-8");
		strbuf_add(&r->text, r->at, (size_t)n);
		r->at += n;
	}
	*out = arena_strndup(r->arena, r->text.buf, r->text.len);
	return 0;
}

static int digits_take(struct json_reader *r)
{
	const char *from = r->at;

	while (r->at < r->end && *r->at >= '0' && *r->at <= '9')
		r->at++;
	return r->at > from ? 0 : json_fail(r, "a digit is wanted");
}

static int number_read(struct json_reader *r, struct json_node *n)
{
	const char *from = r->at;

	n->kind = JSON_NUMBER;
	take(r, "-");
	if (!take(r, "0") && digits_take(r))
		return -1;
	if (take(r, ".") && digits_take(r))
		return -1;
	if (take(r, "e") || take(r, "E")) {
		if (!take(r, "+"))
			take(r, "-");
		if (digits_take(r))
			return -1;
	}
	n->text = arena_strndup(r->arena, from, (size_t)(r->at - from));
	return 0;
}

static int value_read(struct json_reader *r, struct json_node **out, int depth);

/* Elements up to the closing bracket, which is taken too. */
static int children_read(struct json_reader *r, struct json_node *parent, int depth)
{
	const char *close = parent->kind == JSON_MAP ? "}" : "]";
	struct json_node **tail = &parent->child;
	const char *key = NULL;

	space_skip(r);
	if (take(r, close))
		return 0;
	for (;;) {
		space_skip(r);
		if (parent->kind == JSON_MAP) {
			if (!take(r, "\""))
				return json_fail(r, "a key is wanted");
			if (string_read(r, &key))
				return -1;
			space_skip(r);
			if (!take(r, ":"))
				return json_fail(r, "':' is wanted");
		}
		if (value_read(r, tail, depth + 1))
			return -1;
		(*tail)->key = key;
		tail = &(*tail)->next;
		parent->nr++;
		space_skip(r);
		if (take(r, close))
			return 0;
		if (!take(r, ","))
			return json_fail(r, parent->kind == JSON_MAP ? "',' or '}' is wanted"
								     : "',' or ']' is wanted");
	}
}

static int value_read(struct json_reader *r, struct json_node **out, int depth)
{
	struct json_node *n = *out = ARENA_NEW(r->arena, struct json_node);

	if (depth > JSON_DEPTH)
		return json_fail(r, "nested too deeply");
	space_skip(r);
	if (take(r, "{") || take(r, "[")) {
		n->kind = r->at[-1] == '{' ? JSON_MAP : JSON_LIST;
		return children_read(r, n, depth);
	}
	if (take(r, "\"")) {
		n->kind = JSON_TEXT;
		return string_read(r, &n->text);
	}
	if (take(r, "true") || take(r, "false")) {
		n->kind = JSON_BOOL;
		n->yes = r->at[-2] == 'u';
		return 0;
	}
	if (take(r, "null"))
		return 0;
	if (r->at < r->end && (*r->at == '-' || (*r->at >= '0' && *r->at <= '9')))
		return number_read(r, n);
	return json_fail(r, "a value is wanted");
}

int json_parse(struct json_node **out, struct arena *a, const char *name, const char *text,
	       size_t len, struct err *err)
{
	struct json_reader r = {
		.arena = a, .name = name, .at = text, .end = text + len, .line = 1,
		.text = STRBUF_INIT, .err = err,
	};
	int ret = value_read(&r, out, 0);

	space_skip(&r);
	if (!ret && r.at < r.end)
		ret = json_fail(&r, "something stands behind the value");
	strbuf_release(&r.text);
	return ret;
}

const struct json_node *json_get(const struct json_node *map, const char *key)
{
	const struct json_node *n;

	if (!map || map->kind != JSON_MAP)
		return NULL;
	for (n = map->child; n; n = n->next)
		if (!strcmp(n->key, key))
			return n;
	return NULL;
}

const char *json_text(const struct json_node *map, const char *key, const char *or)
{
	const struct json_node *n = json_get(map, key);

	return n && n->kind == JSON_TEXT ? n->text : or ;
}

long long json_number(const struct json_node *map, const char *key, long long or)
{
	const struct json_node *n = json_get(map, key);
	long long value;
	char *end;

	if (!n || n->kind != JSON_NUMBER)
		return or ;
	errno = 0;
	value = strtoll(n->text, &end, 10);
	return errno || *end ? or : value;
}

bool json_yes(const struct json_node *map, const char *key)
{
	const struct json_node *n = json_get(map, key);

	return n && n->kind == JSON_BOOL && n->yes;
}

void json_write_node(struct json *j, const struct json_node *n)
{
	const struct json_node *c;

	switch (n->kind) {
	case JSON_NULL:
		json_null(j);
		return;
	case JSON_BOOL:
		json_bool(j, n->yes);
		return;
	case JSON_NUMBER:
		json_raw(j, n->text);
		return;
	case JSON_TEXT:
		json_str(j, n->text);
		return;
	case JSON_LIST:
	case JSON_MAP:
		break;
	}
	json_open(j, n->kind == JSON_MAP ? '{' : '[');
	for (c = n->child; c; c = c->next) {
		if (c->key)
			json_key(j, c->key);
		json_write_node(j, c);
	}
	json_close(j, n->kind == JSON_MAP ? '}' : ']');
}
