/* import.c - import statements: what they name and what they bind; the facts of them. */
#include "py/import.h"

#include "py/collect.h"

/* Append the identifiers of a dotted_name, joined by dots (the text may hold white space). */
static void add_dotted(struct pyfile *f, struct strbuf *sb, uint32_t node)
{
	uint32_t k;

	for (k = tree_child(&f->t, node); k != NO_NODE; k = tree_sibling(&f->t, k)) {
		if (sb->len && sb->buf[sb->len - 1] != '.')
			strbuf_addch(sb, '.');
		strbuf_add(sb, f->text + f->t.v[k].start, f->t.v[k].end - f->t.v[k].start);
	}
}

/* The package that `dots` leading dots mean; -1 when that is outside of the tree or unknown. */
static int add_package(const struct pyfile *f, struct strbuf *sb, unsigned dots)
{
	const char *module = f->s->module;
	size_t n;

	if (!module)
		return -1;
	n = strlen(module);
	dots -= f->s->is_package;
	while (dots--) {
		while (n && module[n - 1] != '.')
			n--;
		if (!n)
			return -1;
		n--;
	}
	strbuf_add(sb, module, n);
	return n ? 0 : -1;
}

const char *import_module_name(struct pyfile *f, uint32_t node, bool *relative)
{
	struct strbuf sb = STRBUF_INIT;
	const char *name = NULL;
	unsigned dots = 0;
	uint32_t i, prefix;

	*relative = f->t.v[node].kind == K_RELATIVE_IMPORT;
	if (*relative) {
		prefix = tree_child(&f->t, node);
		for (i = f->t.v[prefix].start; i < f->t.v[prefix].end; i++)
			dots += f->text[i] == '.';
		if (add_package(f, &sb, dots)) {
			strbuf_reset(&sb);
			while (dots--)
				strbuf_addch(&sb, '.');
		}
		node = tree_sibling(&f->t, prefix);
	}
	if (node != NO_NODE)
		add_dotted(f, &sb, node);
	if (sb.len)
		name = intern(f->w->intern, sb.buf, sb.len);
	strbuf_release(&sb);
	return name;
}

static const char *join(struct pyfile *f, const char *module, uint32_t node)
{
	struct strbuf sb = STRBUF_INIT;
	const char *name;

	if (module)
		strbuf_addstr(&sb, module);
	if (node == NO_NODE)
		strbuf_addstr(&sb, ".*");
	else
		add_dotted(f, &sb, node);
	name = intern(f->w->intern, sb.buf, sb.len);
	strbuf_release(&sb);
	return name;
}

/* Fill `out` from one child of the statement; `module` is NULL for a plain import. */
static void import_fill(struct pyfile *f, const char *module, uint32_t child, struct imported *out)
{
	struct tree *t = &f->t;
	uint32_t dotted = child, alias = NO_NODE, first;

	if (t->v[child].kind == K_ALIASED_IMPORT) {
		dotted = tree_field(t, child, FIELD_NAME);
		alias = tree_field(t, child, FIELD_ALIAS);
		if (dotted == NO_NODE)
			dotted = child;
	}
	out->span = tree_span(t, dotted);
	out->name = join(f, module, dotted);
	out->target = out->name;
	first = tree_child(t, dotted);
	if (alias != NO_NODE && t->v[alias].kind == K_IDENTIFIER) {
		out->bound = node_name(f, alias);
	} else if (first != NO_NODE && t->v[first].kind == K_IDENTIFIER) {
		out->bound = node_name(f, first);
		if (!module)
			out->target = intern(f->w->intern, f->text + t->v[first].start,
					     t->v[first].end - t->v[first].start);
	}
	if (*out->name == '.')
		out->target = NULL;
}

bool import_next(struct pyfile *f, uint32_t node, uint32_t *pos, struct imported *out)
{
	struct tree *t = &f->t;
	const char *module = NULL;
	bool relative = false;
	uint32_t k = *pos ? tree_sibling(t, *pos) : tree_child(t, node), from;

	memset(out, 0, sizeof(*out));
	if (t->v[node].kind == K_IMPORT_FROM) {
		from = tree_field(t, node, FIELD_MODULE_NAME);
		module = from == NO_NODE ? NULL : import_module_name(f, from, &relative);
		if (!module)
			return false;
	} else if (t->v[node].kind == K_FUTURE_IMPORT) {
		module = "__future__";
	}
	while (k != NO_NODE && t->v[k].field != FIELD_NAME && t->v[k].kind != K_WILDCARD)
		k = tree_sibling(t, k);
	if (k == NO_NODE)
		return false;
	*pos = k;
	out->flags = (module ? F_FROM : 0) | (relative ? F_RELATIVE : 0);
	if (t->v[k].kind == K_WILDCARD) {
		out->flags |= F_STAR;
		out->span = tree_span(t, k);
		out->name = join(f, module, NO_NODE);
	} else {
		import_fill(f, module, k, out);
	}
	return true;
}

static void note_star(struct pyfile *f, const struct imported *im)
{
	size_t n = strlen(im->name) - 2;

	if (f->star || f->several_stars) {
		f->several_stars = true;
		f->star = NULL;
		return;
	}
	f->star = intern(f->w->intern, im->name, n);
	f->star_keep = *f->star != '.' && ((im->flags & F_RELATIVE) || name_is_own(f, f->star));
}

void collect_import(struct pyfile *f, uint32_t node, uint32_t scope)
{
	struct imported im;
	struct bind *b;
	uint32_t pos = 0;

	while (import_next(f, node, &pos, &im)) {
		if (im.flags & F_STAR)
			note_star(f, &im);
		if (f->t.v[node].kind == K_FUTURE_IMPORT && span_is(f, im.span, "annotations"))
			f->postponed = true;
		if (!im.bound)
			continue;
		b = bind_add(f, scope, im.bound, im.target ? BIND_IMPORT : BIND_OPAQUE, node);
		b->target = im.target;
		b->relative = im.flags & F_RELATIVE;
	}
}
