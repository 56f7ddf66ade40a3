/* json.c - see json.h. */
#include "base/json.h"

#include <string.h>

#include "base/path.h"

void json_init(struct json *j, struct strbuf *out, bool compact)
{
	memset(j, 0, sizeof(*j));
	j->out = out;
	j->first = true;
	j->compact = compact;
}

static void json_break(struct json *j)
{
	int i;

	if (j->compact)
		return;
	strbuf_addch(j->out, '\n');
	for (i = 0; i < j->depth; i++)
		strbuf_addch(j->out, ' ');
}

/* Before any value or key: the comma and the line break it needs. */
static void json_lead(struct json *j)
{
	if (j->after_key) {
		j->after_key = false;
		return;
	}
	if (!j->first)
		strbuf_addch(j->out, ',');
	if (j->depth)
		json_break(j);
	j->first = false;
}

void json_open(struct json *j, char bracket)
{
	json_lead(j);
	strbuf_addch(j->out, bracket);
	j->depth++;
	j->first = true;
}

void json_close(struct json *j, char bracket)
{
	bool empty = j->first;

	j->depth--;
	if (!empty)
		json_break(j);
	strbuf_addch(j->out, bracket);
	j->first = false;
}

static void json_escape(struct strbuf *out, const char *s, size_t len, bool percent)
{
	size_t i;
	int n;

	strbuf_addch(out, '"');
	for (i = 0; i < len; i += (size_t)n) {
		unsigned char c = (unsigned char)s[i];

		n = utf8_seq(s + i, len - i);
		if (!n || (percent && c == '%')) {
			strbuf_addf(out, "%%%02X", c);
			n = 1;
		} else if (c == '"' || c == '\\') {
			strbuf_addf(out, "\\%c", c);
		} else if (c == '\n') {
			strbuf_addstr(out, "\\n");
		} else if (c == '\t') {
			strbuf_addstr(out, "\\t");
		} else if (c < 0x20 || c == 0x7f) {
			strbuf_addf(out, "\\u%04x", c);
		} else {
			strbuf_add(out, s + i, (size_t)n);
		}
	}
	strbuf_addch(out, '"');
}

bool json_bytes(struct json *j, const char *s, size_t len)
{
	bool percent = !utf8_valid(s, len);

	json_lead(j);
	json_escape(j->out, s, len, percent);
	return percent;
}

void json_key(struct json *j, const char *key)
{
	json_lead(j);
	json_escape(j->out, key, strlen(key), false);
	strbuf_addstr(j->out, j->compact ? ":" : ": ");
	j->after_key = true;
}

void json_str(struct json *j, const char *s)
{
	if (s)
		json_bytes(j, s, strlen(s));
	else
		json_null(j);
}

void json_int(struct json *j, long long n)
{
	json_lead(j);
	strbuf_addf(j->out, "%lld", n);
}

void json_bool(struct json *j, bool b)
{
	json_lead(j);
	strbuf_addstr(j->out, b ? "true" : "false");
}

void json_null(struct json *j)
{
	json_lead(j);
	strbuf_addstr(j->out, "null");
}

void json_raw(struct json *j, const char *s)
{
	json_lead(j);
	strbuf_addstr(j->out, s);
}

void json_kstr(struct json *j, const char *key, const char *s)
{
	json_key(j, key);
	json_str(j, s);
}

void json_kint(struct json *j, const char *key, long long n)
{
	json_key(j, key);
	json_int(j, n);
}

void json_kbool(struct json *j, const char *key, bool b)
{
	json_key(j, key);
	json_bool(j, b);
}
