/*
 * yaml_tree.c - YAML trees as bytes, so that the program's own rules are parsed when it is built.
 *
 * Words of 32 bits of the machine: the number of nodes, then for each node, in document order, the offsets
 * of its text and key, its line, the line of its key, its kind with a bit for plain text, and the number
 * of its children, which come next. Behind them stands all text. Offsets are from the beginning;
 * 0 is NULL.
 */
#include <stdint.h>
#include <string.h>

#include "base/intern.h"
#include "base/yaml.h"

enum { WORD_TEXT, WORD_KEY, WORD_LINE, WORD_KEY_LINE, WORD_KIND, WORD_NR, WORDS };

#define KIND_PLAIN 4u

static size_t nodes_nr(const struct yaml *y)
{
	const struct yaml *n;
	size_t nr = 1;

	for (n = y->child; n; n = n->next)
		nr += nodes_nr(n);
	return nr;
}

static uint32_t text_put(struct strbuf *text, size_t base, const char *s)
{
	size_t at = base + text->len;

	if (!s)
		return 0;
	strbuf_add(text, s, strlen(s) + 1);
	return (uint32_t)at;
}

static void node_put(struct strbuf *nodes, struct strbuf *text, size_t base, const struct yaml *y)
{
	uint32_t w[WORDS];
	const struct yaml *n;

	w[WORD_TEXT] = text_put(text, base, y->text);
	w[WORD_KEY] = text_put(text, base, y->key);
	w[WORD_LINE] = (uint32_t)y->line;
	w[WORD_KEY_LINE] = (uint32_t)y->key_line;
	w[WORD_KIND] = (uint32_t)y->kind | (y->plain ? KIND_PLAIN : 0);
	w[WORD_NR] = (uint32_t)y->nr;
	strbuf_add(nodes, w, sizeof(w));
	for (n = y->child; n; n = n->next)
		node_put(nodes, text, base, n);
}

void yaml_pack(struct strbuf *out, const struct yaml *y)
{
	size_t nr = nodes_nr(y), base = (1 + nr * WORDS) * sizeof(uint32_t);
	struct strbuf text = STRBUF_INIT;
	uint32_t first = (uint32_t)nr;

	strbuf_add(out, &first, sizeof(first));
	node_put(out, &text, base, y);
	strbuf_add(out, text.buf, text.len);
	strbuf_release(&text);
}

struct unpacker {
	const char *data;
	const uint32_t *w;	/* of the next node */
	struct yaml *node;	/* where it goes */
};

static const char *text_get(const struct unpacker *u, uint32_t at)
{
	return at ? u->data + at : NULL;
}

static struct yaml *node_get(struct unpacker *u)
{
	const uint32_t *w = u->w;
	struct yaml *y = u->node++, **to = &y->child;
	size_t i;

	u->w += WORDS;
	y->text = text_get(u, w[WORD_TEXT]);
	y->key = text_get(u, w[WORD_KEY]);
	y->line = (int)w[WORD_LINE];
	y->key_line = (int)w[WORD_KEY_LINE];
	y->kind = (enum yaml_kind)(w[WORD_KIND] & (KIND_PLAIN - 1));
	y->plain = w[WORD_KIND] & KIND_PLAIN;
	y->nr = w[WORD_NR];
	for (i = 0; i < y->nr; i++) {
		*to = node_get(u);
		to = &(*to)->next;
	}
	return y;
}

struct yaml *yaml_unpack(struct arena *a, const void *data)
{
	struct unpacker u = {.data = data, .w = data};

	u.node = arena_array(a, *u.w++, sizeof(*u.node));
	return node_get(&u);
}
