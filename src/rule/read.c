/* read.c - typed values out of YAML nodes; every message names file and line. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "rule/internal.h"

#define WORDS_MAX 32

int read_fail(struct reader *r, const struct yaml *n, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return err_set(r->err, "%s:%d: %s", r->file, n->line, text);
}

static const char *key_name(const struct yaml *n)
{
	return n->key ? n->key : "this";
}

int read_text(struct reader *r, const struct yaml *n, const char **out)
{
	if (n->kind != YAML_TEXT)
		return read_fail(r, n, "'%s' must be text, not %s", key_name(n),
				 yaml_kind_name(n->kind));
	if (!*n->text)
		return read_fail(r, n, "'%s' must not be empty", key_name(n));
	*out = n->text;
	return 0;
}

int read_bool(struct reader *r, const struct yaml *n, bool *out)
{
	if (n->kind == YAML_TEXT && n->plain && !strcmp(n->text, "true"))
		*out = true;
	else if (n->kind == YAML_TEXT && n->plain && !strcmp(n->text, "false"))
		*out = false;
	else
		return read_fail(r, n, "'%s' must be true or false", key_name(n));
	return 0;
}

int read_int(struct reader *r, const struct yaml *n, int *out)
{
	char *end;
	long v;

	if (n->kind != YAML_TEXT)
		return read_fail(r, n, "'%s' must be a number", key_name(n));
	errno = 0;
	v = strtol(n->text, &end, 10);
	if (errno || end == n->text || *end || v < 0 || v > 1000)
		return read_fail(r, n, "'%s' must be a number from 0 to 1000, not '%s'",
				 key_name(n), n->text);
	*out = (int)v;
	return 0;
}

int read_list(struct reader *r, const struct yaml *n, const char *const **out)
{
	const struct yaml *c = n->kind == YAML_LIST ? n->child : n;
	size_t nr = n->kind == YAML_LIST ? n->nr : 1, i;
	const char **v = arena_array(r->arena, nr + 1, sizeof(*v));

	if (n->kind == YAML_MAP)
		return read_fail(r, n, "'%s' must be text or a list, not a map", key_name(n));
	if (!nr)
		return read_fail(r, n, "'%s' must not be empty", key_name(n));
	for (i = 0; i < nr; i++, c = c->next)
		if (read_text(r, c, &v[i]))
			return -1;
	*out = v;
	return 0;
}

/* Lists of the vocabulary that a rule can name instead of repeating them. */
static const char *const *vocab_list(const struct vocab *v, const char *name)
{
	if (!strcmp(name, "$switch_calls"))
		return v->switch_calls;
	if (!strcmp(name, "$upstream_dists"))
		return v->upstream_dists;
	if (!strcmp(name, "$extension_calls"))
		return v->extension_calls;
	return NULL;
}

int read_patterns(struct reader *r, const struct yaml *n, struct patterns *out)
{
	VEC(struct pattern) v = { 0 };
	const char *const *list, *const *words;
	struct pattern *p;

	if (read_list(r, n, &list))
		return -1;
	for (; *list; list++) {
		if (**list != '$') {
			p = VEC_PUSH(r->arena, &v);
			p->text = *list;
			p->glob = strchr(*list, '*') != NULL;
			continue;
		}
		words = vocab_list(r->vocab, *list);
		if (!words)
			return read_fail(r, n, "no vocabulary list is called '%s'", *list);
		for (; *words; words++) {
			p = VEC_PUSH(r->arena, &v);
			p->text = *words;
		}
	}
	out->v = v.v;
	out->nr = v.nr;
	return 0;
}

static int word_index(struct reader *r, const struct yaml *n, const char *word, word_fn words,
		      int *out)
{
	const char *all[WORDS_MAX + 1] = { 0 }, *near;
	int i;

	for (i = 0; i < WORDS_MAX && words(i); i++) {
		all[i] = words(i);
		if (!strcmp(all[i], word)) {
			*out = i;
			return 0;
		}
	}
	near = nearest_word(word, all);
	if (near)
		return read_fail(r, n, "unknown word '%s' in '%s' (did you mean '%s'?)", word,
				 key_name(n), near);
	return read_fail(r, n, "unknown word '%s' in '%s'", word, key_name(n));
}

int read_word(struct reader *r, const struct yaml *n, word_fn words, int *out)
{
	const char *word = NULL;

	if (read_text(r, n, &word))
		return -1;
	return word_index(r, n, word, words, out);
}

int read_words(struct reader *r, const struct yaml *n, word_fn words, uint32_t *out)
{
	const char *const *list;
	int i;

	if (read_list(r, n, &list))
		return -1;
	*out = 0;
	for (; *list; list++) {
		if (word_index(r, n, *list, words, &i))
			return -1;
		*out |= 1u << i;
	}
	return 0;
}
