/*
 * rows.c - dependency rows in setup scripts: lists of strings given as install_requires and the
 * like, or of a variable that is passed as such.
 */
#include "py/walk.h"

/* One row; `table` is a known name. */
static void row_emit(struct pyfile *f, uint32_t string, uint32_t table, const struct context *c)
{
	struct span in = string_inner(f, string);
	const char *row = f->text + in.start;
	struct pep508 p;
	struct fact *fact;

	if (!pep508_parse(row, in.end - in.start, &p))
		return;
	fact = fact_at(f, c, FACT_REQUIRE, intern_str(f->w->intern, p.name),
		       tree_span(&f->t, string));
	fact->text = intern(f->w->intern, row, in.end - in.start);
	fact->recv = intern(f->w->intern, f->names.v[table].s, f->names.v[table].len);
}

/* All strings that are elements of displays in the value; what a call computes is unknown. */
static void rows_value(struct pyfile *f, uint32_t value, uint32_t table, const struct context *c)
{
	const struct tree *t = &f->t;
	uint32_t i = value, end = t->v[value].next;

	while (i < end) {
		switch (t->v[i].kind) {
		case K_CALL:
		case K_LAMBDA:
		case K_SUBSCRIPT:
		case K_LIST_COMPREHENSION:
		case K_GENERATOR:
			i = t->v[i].next;
			continue;
		case K_STRING:
			switch (tree_parent_kind(t, i)) {
			case K_LIST:
			case K_TUPLE:
			case K_SET:
				row_emit(f, i, table, c);
				break;
			default:
				break;
			}
			i = t->v[i].next;
			continue;
		default:
			i++;
		}
	}
}

/* rows.append("x"), rows.extend(["x"]), rows += ["x"] */
static void rows_call(struct pyfile *f, uint32_t call, const struct context *c)
{
	const struct tree *t = &f->t;
	uint32_t fn = tree_field(t, call, FIELD_FUNCTION), args, k, table;

	if (t->v[fn].kind != K_ATTRIBUTE || t->v[fn + 1].kind != K_IDENTIFIER)
		return;
	table = name_of(f, fn + 1)->require;
	args = table ? tree_field(t, call, FIELD_ARGUMENTS) : NO_NODE;
	if (args == NO_NODE)
		return;
	for (k = tree_child(t, args); k != NO_NODE; k = tree_sibling(t, k))
		if (t->v[k].kind == K_STRING)
			row_emit(f, k, table, c);
		else
			rows_value(f, k, table, c);
}

static uint32_t table_of_target(struct pyfile *f, uint32_t left)
{
	const struct tree *t = &f->t;
	uint32_t key;

	if (t->v[left].kind == K_IDENTIFIER)
		return name_of(f, left)->require;
	if (t->v[left].kind != K_SUBSCRIPT || t->v[left + 1].kind != K_IDENTIFIER)
		return 0;
	/* extras["dev"] = [...], kwargs["install_requires"] = [...] */
	key = tree_field(t, left, FIELD_SUBSCRIPT);
	if (key != NO_NODE && require_table(f, key))
		return require_table(f, key);
	return name_of(f, left + 1)->require;
}

void rows_node(struct pyfile *f, uint32_t node, const struct context *c)
{
	const struct tree *t = &f->t;
	uint32_t key, value, table = 0;

	switch (t->v[node].kind) {
	case K_CALL:
		rows_call(f, node, c);
		return;
	case K_KEYWORD_ARGUMENT:
		key = tree_field(t, node, FIELD_NAME);
		value = tree_field(t, node, FIELD_VALUE);
		if (key != NO_NODE && t->v[key].kind == K_IDENTIFIER) {
			table = node_name(f, key);
			if (table < NAME_INSTALL_REQUIRES || table > NAME_EXTRAS_REQUIRE)
				table = 0;
		}
		break;
	case K_PAIR:
		key = tree_field(t, node, FIELD_KEY);
		value = tree_field(t, node, FIELD_VALUE);
		table = key == NO_NODE ? 0 : require_table(f, key);
		break;
	default:
		key = tree_field(t, node, FIELD_LEFT);
		value = tree_field(t, node, FIELD_RIGHT);
		table = key == NO_NODE ? 0 : table_of_target(f, key);
	}
	if (table && value != NO_NODE)
		rows_value(f, value, table, c);
}
