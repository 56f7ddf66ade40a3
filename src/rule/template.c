/*
 * template.c - text with $captures: messages, groups and the values of verbs.
 *
 *	$name     the fact's absolute name       $leaf      its last part
 *	$missing  first name that is not there   $row       the database row the verdict rests on
 *	$keyword  keyword the target rejects     $version   the first target's version
 *	$text     the fact's text                $receiver  type of the receiver
 */
#include <ctype.h>
#include <string.h>

#include "base/strbuf.h"
#include "rule/internal.h"

static const char *const captures[] = {
	"name", "leaf", "missing", "row", "keyword", "version", "text", "receiver", NULL,
};

static size_t capture_len(const char *s)
{
	size_t n = 0;

	while (isalpha((unsigned char)s[n]))
		n++;
	return n;
}

static int capture_find(const char *s, size_t n)
{
	int i;

	for (i = 0; captures[i]; i++)
		if (strlen(captures[i]) == n && !memcmp(captures[i], s, n))
			return i;
	return -1;
}

int template_check(const char *text, const char *file, int line, struct err *err)
{
	char word[64];
	const char *near;
	size_t n;

	for (; (text = strchr(text, '$')); text += n) {
		text++;
		n = capture_len(text);
		if (capture_find(text, n) >= 0)
			continue;
		snprintf(word, sizeof(word), "%.*s", (int)(n < 60 ? n : 60), text);
		near = nearest_word(word, captures);
		return near ? err_set(err, "%s:%d: unknown capture '$%s' (did you mean '$%s'?)",
				      file, line, word, near)
			    : err_set(err, "%s:%d: unknown capture '$%s'", file, line, word);
	}
	return 0;
}

/* Behind the last dot, or "::" of a C++ name. */
static const char *leaf_of(const char *name)
{
	const char *at = name ? strstr(name, "::") : NULL;

	if (!at) {
		at = name ? strrchr(name, '.') : NULL;
		return at ? at + 1 : name;
	}
	for (; at; at = strstr(name, "::"))
		name = at + 2;
	return name;
}

static const char *capture_value(int i, const struct rules *r, const struct fact *f)
{
	switch (i) {
	case 0:
		return f->name;
	case 1:
		return leaf_of(f->name);
	case 2:
		return f->missing ? f->missing : f->name;
	case 3:
		return f->row;
	case 4:
		return f->keyword;
	case 5:
		return r->nr_targets ? r->targets[0].version : NULL;
	case 6:
		return f->text;
	default:
		return f->recv;
	}
}

const char *template_expand(struct arena *a, const char *text, const struct rules *r,
			    const struct fact *f)
{
	struct strbuf sb = STRBUF_INIT;
	const char *value, *out;
	size_t n;

	while (*text) {
		n = strcspn(text, "$");
		strbuf_add(&sb, text, n);
		text += n;
		if (!*text)
			break;
		n = capture_len(text + 1);
		value = capture_value(capture_find(text + 1, n), r, f);
		strbuf_addstr(&sb, value ? value : "?");
		text += n + 1;
	}
	out = arena_strndup(a, sb.buf, sb.len);
	strbuf_release(&sb);
	return out;
}
