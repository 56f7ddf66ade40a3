/*
 * shim_data.c - rules/shims/cxx -> struct shims.
 *
 * index.yml says what each part gives; parts/NAME.h are texts that are copied as they are; of bridge.h
 * only the sections that are needed, each begun by a line "//@ KIND NAME [needs MEMBER ...]".
 */
#include <string.h>

#include "base/glob.h"
#include "base/intern.h"
#include "base/yaml.h"
#include "plan/shim.h"

#define SHIM_FOLDER "shims/cxx/"
#define SHIM_INDEX  SHIM_FOLDER "index.yml"
#define SECTION	    "//@ "

struct loader {
	struct arena *arena;
	const struct assets *assets;
	const char *file;
	struct shims *shims;
	struct err *err;
};

/* A list of texts, NULL-terminated; empty where there is none. */
static const char *const *list_read(struct loader *l, const struct yaml *n)
{
	const char **v = arena_array(l->arena, (n ? n->nr : 0) + 1, sizeof(*v));
	const struct yaml *c;
	size_t nr = 0;

	for (c = n && n->kind == YAML_LIST ? n->child : NULL; c; c = c->next)
		if (c->kind == YAML_TEXT)
			v[nr++] = c->text;
	return v;
}

static const char *text_get(struct loader *l, const char *name)
{
	const struct asset *as = asset_get(l->assets, arena_fmt(l->arena, SHIM_FOLDER "%s", name));

	return as ? as->data : NULL;
}

static int part_read(struct loader *l, const struct yaml *n)
{
	static const char *const keys[] = {"provides", "build", "how", NULL};
	struct shim_part *part = &l->shims->parts[l->shims->nr_parts++];

	if (yaml_check_keys(n, l->file, keys, l->err))
		return -1;
	part->name = n->key;
	part->provides = list_read(l, yaml_get(n, "provides"));
	part->build = yaml_str(n, "build", NULL);
	part->text = text_get(l, arena_fmt(l->arena, "parts/%s.h", n->key));
	if (!part->text)
		return err_set(l->err, "%s:%d: there is no parts/%s.h", l->file, n->key_line,
			       n->key);
	return 0;
}

static int header_read(struct loader *l, const struct yaml *n)
{
	static const char *const keys[] = {"include", "parts", "replace", NULL};
	struct shim_header *h = &l->shims->headers[l->shims->nr_headers++];
	const char *const *p;

	if (yaml_check_keys(n, l->file, keys, l->err))
		return -1;
	h->name = n->key;
	h->include = list_read(l, yaml_get(n, "include"));
	h->replace = str_eq(yaml_str(n, "replace", NULL), "true");
	h->parts = list_read(l, yaml_get(n, "parts"));
	for (p = h->parts; *p; p++)
		if (shim_part_find(l->shims, *p) < 0)
			return err_set(l->err, "%s:%d: there is no part '%s'", l->file, n->key_line,
				       *p);
	return 0;
}

/* ---- the bridge ------------------------------------------------------------------------------ */

/* The head of a section: "KIND NAME [needs ...]" up to the line's end. */
static int section_read(struct loader *l, const char *line, struct shim_section *out)
{
	char *head = arena_strndup(l->arena, line, strcspn(line, "\n"));
	char *name = strchr(head, ' '), *needs;

	if (!name)
		return err_set(l->err, "bridge.h: a section has a kind and a name: '%s'", head);
	*name++ = 0;
	needs = strchr(name, ' ');
	if (needs) {
		*needs++ = 0;
		if (strncmp(needs, "needs ", 6))
			return err_set(l->err, "bridge.h: '%s' is not 'needs'", needs);
		needs += 6;
	}
	out->kind = head;
	out->name = name;
	out->needs = needs;
	return 0;
}

static int bridge_read(struct loader *l)
{
	struct shims *s = l->shims;
	const char *text = text_get(l, "bridge.h"), *p, *next;
	size_t nr = 0;

	if (!text)
		return err_set(l->err, "%s: there is no bridge.h", l->file);
	for (p = text; (p = strstr(p, "\n" SECTION)); p++)
		nr++;
	s->sections = arena_array(l->arena, nr + 1, sizeof(*s->sections));
	p = strstr(text, "\n" SECTION);
	s->preamble = text;
	s->preamble_len = p ? (size_t)(p - text) + 1 : strlen(text);
	for (; p; p = next) {
		struct shim_section *x = &s->sections[s->nr_sections++];

		next = strstr(p + 1, "\n" SECTION);
		x->text = p + 1;
		x->len = next ? (size_t)(next - p) : strlen(p + 1);
		if (section_read(l, p + 1 + strlen(SECTION), x))
			return -1;
	}
	return 0;
}

/* The header that gives a class members, where the index names one. */
static int body_read(struct loader *l, const struct yaml *bridge)
{
	struct shims *s = l->shims;

	s->body = yaml_str(bridge, "body", NULL);
	s->base = yaml_str(bridge, "base", NULL);
	s->between = yaml_str(bridge, "between", NULL);
	s->members = text_get(l, "members.h");
	if (s->body && (!s->base || !s->between || !shim_inject_template(s->members)))
		return err_set(l->err,
			       "%s: 'body' wants 'base', 'between' and a members.h with its marks",
			       l->file);
	return 0;
}

/* ---- the index ------------------------------------------------------------------------------- */

static int index_read(struct loader *l, const struct yaml *doc)
{
	const struct yaml *parts = yaml_get(doc, "parts"), *headers = yaml_get(doc, "headers"), *c;
	const struct yaml *bridge = yaml_get(doc, "bridge");
	struct shims *s = l->shims;

	if (!parts || !headers || !bridge || parts->nr > SHIM_PARTS_MAX)
		return err_set(l->err, "%s: 'parts', 'headers' and 'bridge' must be there",
			       l->file);
	s->folder = yaml_str(doc, "folder", "compat");
	s->present = yaml_str(doc, "present", "1");
	s->umbrellas = list_read(l, yaml_get(doc, "umbrellas"));
	s->loads = list_read(l, yaml_get(doc, "loads"));
	s->targets = list_read(l, yaml_get(doc, "targets"));
	s->space = yaml_str(bridge, "space", "");
	if (body_read(l, bridge))
		return -1;
	s->classes = list_read(l, yaml_get(bridge, "classes"));
	s->spaces = list_read(l, yaml_get(bridge, "spaces"));
	s->parts = arena_array(l->arena, parts->nr + 1, sizeof(*s->parts));
	s->headers = arena_array(l->arena, headers->nr + 1, sizeof(*s->headers));
	for (c = parts->child; c; c = c->next)
		if (part_read(l, c))
			return -1;
	for (c = headers->child; c; c = c->next)
		if (header_read(l, c))
			return -1;
	return bridge_read(l);
}

static bool versions_hold(const char *glob, const struct target *targets, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (!glob_match(glob, targets[i].version))
			return false;
	return nr > 0;
}

int shims_load(struct shims **out, struct arena *a, const struct assets *assets,
	       const struct target *targets, size_t nr_targets, struct err *err)
{
	static const char *const keys[] = {"verified", "versions", "folder", "present",
					   "umbrellas", "headers", "parts", "bridge",
					   "loads", "targets", NULL};
	const struct asset *as = asset_get(assets, SHIM_INDEX);
	struct loader l = {.arena = a, .assets = assets, .err = err};
	struct yaml *doc;

	*out = NULL;
	if (!as)
		return 0;
	l.file = asset_name(assets, a, SHIM_INDEX);
	if (asset_yaml(&doc, a, assets, as, err) ||
	    yaml_check_keys(doc, l.file, keys, err))
		return -1;
	if (!versions_hold(yaml_str(doc, "versions", ""), targets, nr_targets))
		return 0;
	l.shims = ARENA_NEW(a, struct shims);
	if (index_read(&l, doc))
		return -1;
	*out = l.shims;
	return 0;
}

/* ---- looking up ------------------------------------------------------------------------------ */

int shim_part_find(const struct shims *s, const char *name)
{
	size_t i;

	for (i = 0; i < s->nr_parts; i++)
		if (!strcmp(s->parts[i].name, name))
			return (int)i;
	return -1;
}

int shim_section_find(const struct shims *s, const char *kind, const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < s->nr_sections; i++)
		if (!strcmp(s->sections[i].kind, kind) && strlen(s->sections[i].name) == len &&
		    !memcmp(s->sections[i].name, name, len))
			return (int)i;
	return -1;
}

void shim_section_take(const struct shims *s, bool *sections, int i)
{
	const char *p = s->sections[i].needs;
	size_t n;
	int need;

	if (sections[i])
		return;
	sections[i] = true;
	for (; p && *p; p += n + (p[n] == ' ')) {
		n = strcspn(p, " ");
		need = shim_section_find(s, "member", p, n);
		if (need >= 0)
			shim_section_take(s, sections, need);
	}
}

const struct shim_header *shim_header_find(const struct shims *s, const char *name)
{
	size_t i;

	for (i = 0; i < s->nr_headers; i++)
		if (!strcmp(s->headers[i].name, name))
			return &s->headers[i];
	return NULL;
}
