/* yaml.c - see yaml.h. */
#include "base/yaml.h"

#include <string.h>
#include <yaml.h>

#include "base/intern.h"

#define YAML_DEPTH 32

struct yaml_reader {
	struct arena *arena;
	const char *name;
	yaml_parser_t parser;
	struct err *err;
};

static int yaml_fail(struct yaml_reader *r, int line, const char *what)
{
	return err_set(r->err, "%s:%d: %s", r->name, line, what);
}

static int yaml_next(struct yaml_reader *r, yaml_event_t *ev)
{
	if (yaml_parser_parse(&r->parser, ev))
		return 0;
	return err_set(r->err, "%s:%zu: not valid YAML: %s", r->name,
		       r->parser.problem_mark.line + 1,
		       r->parser.problem ? r->parser.problem : "unreadable");
}

static int yaml_node(struct yaml_reader *r, yaml_event_t *ev, struct yaml **out, int depth);

static void yaml_append(struct yaml *parent, struct yaml **tail, struct yaml *node)
{
	if (*tail)
		(*tail)->next = node;
	else
		parent->child = node;
	*tail = node;
	parent->nr++;
}

static int yaml_key(struct yaml_reader *r, struct yaml *map, yaml_event_t *ev, const char **key)
{
	int line = (int)ev->start_mark.line + 1;

	if (ev->type != YAML_SCALAR_EVENT || ev->data.scalar.anchor || ev->data.scalar.tag)
		return yaml_fail(r, line, "a key must be plain text");
	*key = arena_strndup(r->arena, (char *)ev->data.scalar.value, ev->data.scalar.length);
	if (yaml_get(map, *key))
		return err_set(r->err, "%s:%d: key '%s' stands twice", r->name, line, *key);
	return 0;
}

/* Elements of a list or map up to its end event. */
static int yaml_children(struct yaml_reader *r, struct yaml *parent, int depth)
{
	struct yaml *tail = NULL, *node;
	const char *key = NULL;
	yaml_event_t ev;
	int ret = 0, key_line = 0;

	while (!ret) {
		if (yaml_next(r, &ev))
			return -1;
		if (ev.type == YAML_SEQUENCE_END_EVENT || ev.type == YAML_MAPPING_END_EVENT) {
			yaml_event_delete(&ev);
			return 0;
		}
		if (parent->kind == YAML_MAP && !key) {
			key_line = (int)ev.start_mark.line + 1;
			ret = yaml_key(r, parent, &ev, &key);
		} else {
			ret = yaml_node(r, &ev, &node, depth);
			if (!ret) {
				node->key = key;
				node->key_line = key_line;
				yaml_append(parent, &tail, node);
				key = NULL;
			}
		}
		yaml_event_delete(&ev);
	}
	return -1;
}

static int yaml_node(struct yaml_reader *r, yaml_event_t *ev, struct yaml **out, int depth)
{
	struct yaml *n = ARENA_NEW(r->arena, struct yaml);

	*out = n;
	n->line = (int)ev->start_mark.line + 1;
	if (depth > YAML_DEPTH)
		return yaml_fail(r, n->line, "nested too deeply");
	switch (ev->type) {
	case YAML_SCALAR_EVENT:
		if (ev->data.scalar.anchor || ev->data.scalar.tag)
			return yaml_fail(r, n->line, "anchors and tags are not allowed");
		n->kind = YAML_TEXT;
		n->plain = ev->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
		n->text = arena_strndup(r->arena, (char *)ev->data.scalar.value,
					ev->data.scalar.length);
		return 0;
	case YAML_SEQUENCE_START_EVENT:
		if (ev->data.sequence_start.anchor || ev->data.sequence_start.tag)
			return yaml_fail(r, n->line, "anchors and tags are not allowed");
		n->kind = YAML_LIST;
		return yaml_children(r, n, depth + 1);
	case YAML_MAPPING_START_EVENT:
		if (ev->data.mapping_start.anchor || ev->data.mapping_start.tag)
			return yaml_fail(r, n->line, "anchors and tags are not allowed");
		n->kind = YAML_MAP;
		return yaml_children(r, n, depth + 1);
	default:
		return yaml_fail(r, n->line, "aliases are not allowed");
	}
}

static int yaml_document(struct yaml_reader *r, struct yaml **out)
{
	yaml_event_t ev;
	bool done = false, seen = false;
	int ret = 0;

	while (!done && !ret) {
		if (yaml_next(r, &ev))
			return -1;
		switch (ev.type) {
		case YAML_STREAM_START_EVENT:
		case YAML_DOCUMENT_END_EVENT:
			break;
		case YAML_STREAM_END_EVENT:
			done = true;
			break;
		case YAML_DOCUMENT_START_EVENT:
			if (seen)
				ret = yaml_fail(r, (int)ev.start_mark.line + 1,
						"more than one document");
			seen = true;
			break;
		default:
			ret = yaml_node(r, &ev, out, 0);
		}
		yaml_event_delete(&ev);
	}
	return ret;
}

int yaml_parse(struct yaml **out, struct arena *a, const char *name, const char *text, size_t len,
	       struct err *err)
{
	struct yaml_reader r = { .arena = a, .name = name, .err = err };
	int ret;

	*out = NULL;
	if (!yaml_parser_initialize(&r.parser))
		return err_set(err, "%s: out of memory", name);
	yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, len);
	ret = yaml_document(&r, out);
	yaml_parser_delete(&r.parser);
	if (!ret && !*out) {
		*out = ARENA_NEW(a, struct yaml);
		(*out)->kind = YAML_MAP;
		(*out)->line = 1;
	}
	return ret;
}

const struct yaml *yaml_get(const struct yaml *map, const char *key)
{
	const struct yaml *n;

	if (!map || map->kind != YAML_MAP)
		return NULL;
	for (n = map->child; n; n = n->next)
		if (!strcmp(n->key, key))
			return n;
	return NULL;
}

const char *yaml_str(const struct yaml *map, const char *key, const char *or)
{
	const struct yaml *n = yaml_get(map, key);

	return n && n->kind == YAML_TEXT ? n->text : or;
}

const char *yaml_kind_name(enum yaml_kind kind)
{
	static const char *const names[] = { "text", "a list", "a map" };

	return names[kind];
}

static size_t word_distance(const char *a, const char *b)
{
	size_t row[64], n = strlen(a), m = strlen(b), i, j;

	if (n > 60 || m > 60)
		return 99;
	for (j = 0; j <= m; j++)
		row[j] = j;
	for (i = 1; i <= n; i++) {
		size_t diag = row[0];

		row[0] = i;
		for (j = 1; j <= m; j++) {
			size_t best = diag + (a[i - 1] != b[j - 1]);

			diag = row[j];
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			if (row[j] + 1 < best)
				best = row[j] + 1;
			row[j] = best;
		}
	}
	return row[m];
}

const char *nearest_word(const char *s, const char *const *words)
{
	const char *best = NULL;
	size_t least = strlen(s) / 3 + 1;

	for (; *words; words++) {
		size_t d = word_distance(s, *words);

		if (d <= least && (!best || d < least)) {
			best = *words;
			least = d;
		}
	}
	return best;
}

int yaml_check_keys(const struct yaml *map, const char *name, const char *const *keys,
		    struct err *err)
{
	const struct yaml *n;
	const char *near;
	size_t i;

	for (n = map->child; n; n = n->next) {
		for (i = 0; keys[i] && strcmp(keys[i], n->key); i++)
			;
		if (keys[i])
			continue;
		near = nearest_word(n->key, keys);
		if (near)
			return err_set(err, "%s:%d: unknown key '%s' (did you mean '%s'?)", name,
				       n->key_line, n->key, near);
		return err_set(err, "%s:%d: unknown key '%s'", name, n->key_line, n->key);
	}
	return 0;
}
