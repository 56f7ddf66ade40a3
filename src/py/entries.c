/*
 * entries.c - entry points in setup scripts: setup(entry_points=...) is a dict of groups, each a list of
 * "command = a.b:c" or a text with one a line, or one text with the groups as sections. Both may stand in
 * a variable that is assigned once. Each entry is a setting; see FACT_SETTING.
 */
#include "py/walk.h"

#include <stdio.h>

#define ENTRY_NAME_MAX 256

/* The entry in text[in.start..in.end) of the file; others are passed over. */
static void entry_emit(struct pyfile *f, const struct context *c, struct span group, struct span in)
{
	const char *s = f->text + in.start, *eq = memchr(s, '=', in.end - in.start);
	struct span command = in, target = in;
	char name[ENTRY_NAME_MAX];
	struct fact *fact;
	int n;

	if (!eq)
		return;
	command.end = (uint32_t)(eq - f->text);
	target.start = command.end + 1;
	command = span_trim(f->text, command);
	target = span_trim(f->text, target);
	n = snprintf(name, sizeof(name), "setup.entry_points.%.*s.%.*s",
		     (int)(group.end - group.start), f->text + group.start,
		     (int)(command.end - command.start), f->text + command.start);
	if (n < 0 || (size_t)n >= sizeof(name) || target.start == target.end)
		return;
	fact = fact_at(f, c, FACT_SETTING, intern(f->w->intern, name, (size_t)n), target);
	fact->stmt = in;
	fact->text = intern(f->w->intern, f->text + target.start, target.end - target.start);
}

/* One a line; a line "[group]" names the group of those behind it. */
static void entries_text(struct pyfile *f, const struct context *c, struct span group, struct span in)
{
	struct span line, bare;
	const char *nl;

	for (; in.start < in.end; in.start = line.end + 1) {
		nl = memchr(f->text + in.start, '\n', in.end - in.start);
		line = (struct span){in.start, nl ? (uint32_t)(nl - f->text) : in.end};
		bare = span_trim(f->text, line);
		if (bare.end - bare.start > 2 && f->text[bare.start] == '[' &&
		    f->text[bare.end - 1] == ']')
			group = (struct span){bare.start + 1, bare.end - 1};
		else if (group.end > group.start)
			entry_emit(f, c, group, bare);
	}
}

/* The value itself, or the one that is assigned to the variable. */
static uint32_t value_behind(struct pyfile *f, uint32_t scope, uint32_t node)
{
	const struct entry *e;
	const struct bind *b;

	node = tree_bare(&f->t, node);
	if (f->t.v[node].kind != K_IDENTIFIER)
		return node;
	e = entry_lookup(f, scope, node_name(f, node));
	b = e && e->first ? &f->binds.v[e->first] : NULL;
	return b && !b->next && (b->kind == BIND_EXPR || b->kind == BIND_CONST) ? b->node : node;
}

/* What a group holds: a text, or a list of texts. */
static void entries_group(struct pyfile *f, const struct context *c, struct span group, uint32_t value)
{
	const struct tree *t = &f->t;
	uint32_t k;

	value = value_behind(f, c->scope, value);
	switch (t->v[value].kind) {
	case K_STRING:
		entries_text(f, c, group, string_inner(f, value));
		break;
	case K_LIST:
	case K_TUPLE:
		for (k = tree_child(t, value); k != NO_NODE; k = tree_sibling(t, k))
			if (t->v[k].kind == K_STRING)
				entries_text(f, c, group, string_inner(f, k));
		break;
	default:
		break;
	}
}

void entries_node(struct pyfile *f, uint32_t keyword, const struct context *c)
{
	const struct tree *t = &f->t;
	uint32_t name = tree_field(t, keyword, FIELD_NAME), value, k, key;

	if (!(f->s->roles & ROLE_BUILD_ENTRY) || name == NO_NODE ||
	    t->v[name].kind != K_IDENTIFIER || node_name(f, name) != NAME_ENTRY_POINTS)
		return;
	value = tree_field(t, keyword, FIELD_VALUE);
	value = value == NO_NODE ? value : value_behind(f, c->scope, value);
	if (value == NO_NODE)
		return;
	if (t->v[value].kind != K_DICT) {
		entries_group(f, c, (struct span){0}, value);
		return;
	}
	for (k = tree_child(t, value); k != NO_NODE; k = tree_sibling(t, k)) {
		key = t->v[k].kind == K_PAIR ? tree_field(t, k, FIELD_KEY) : NO_NODE;
		if (key != NO_NODE && t->v[key].kind == K_STRING &&
		    tree_field(t, k, FIELD_VALUE) != NO_NODE)
			entries_group(f, c, string_inner(f, key), tree_field(t, k, FIELD_VALUE));
	}
}
