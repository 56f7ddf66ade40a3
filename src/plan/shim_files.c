/*
 * shim_files.c - the files of the shim folder.
 *
 *	FOLDER/HEADER          for each framework header that stands for the items of some file: the
 *	                       target's own one, or what stands for it, and then the parts
 *	FOLDER/BODY            the header of the class that is given members
 *	FOLDER/parts/NAME.h    parts, copied
 *	FOLDER/parts/bridge.h  the sections that are used
 *
 * Parts come only where the target is there, so that the folder does no harm beside upstream. What an
 * earlier patch put into the folder stays: its parts and sections are read out of its files.
 */
#include <string.h>

#include "base/path.h"
#include "base/strbuf.h"
#include "plan/shim.h"

#define PARTS "parts/"

/* One header of the folder and what it brings. */
struct wrapper {
	const char *name;
	bool *parts;
	bool bridge;
	struct strings too; /* further headers of the target */
};

struct folder {
	struct shim_plan *plan;
	const char *dir; /* of the folder, from the root */
	VEC(struct wrapper) wrappers;
	bool *parts, *sections; /* all that are used */
	bool *injected;		/* sections whose functions are members as well */
	struct fix *fix;
};

static struct wrapper *wrapper_find(struct folder *fo, const char *name)
{
	struct wrapper *w;
	size_t i;

	for (i = 0; i < fo->wrappers.nr; i++)
		if (!strcmp(fo->wrappers.v[i].name, name))
			return &fo->wrappers.v[i];
	w = VEC_PUSH(fo->plan->arena, &fo->wrappers);
	w->name = name;
	w->parts = arena_array(fo->plan->arena, fo->plan->shims->nr_parts + 1, sizeof(bool));
	return w;
}

static bool any(const bool *v, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (v[i])
			return true;
	return false;
}

/* True when the item gets all that it needs by this header as it is. */
static bool wrapper_gives(const struct folder *fo, const struct wrapper *w,
			  const struct shim_item *item)
{
	const struct shims *s = fo->plan->shims;
	size_t i;

	if (!strings_has(&item->headers, w->name))
		return false;
	for (i = 0; i < s->nr_parts; i++)
		if (item->parts[i] && !w->parts[i])
			return false;
	if (item->header && !strings_has(&w->too, item->header))
		return false;
	return w->bridge || !any(item->sections, s->nr_sections);
}

/*
 * The header that gives an item its parts: one that does so already, else one that is made anyway, else
 * the best, else the first. So a second patch leaves the headers of the first one as they are.
 */
static const char *header_for(struct folder *fo, const struct shim_item *item)
{
	const char *const *u;
	size_t i;

	for (i = 0; i < fo->wrappers.nr; i++)
		if (wrapper_gives(fo, &fo->wrappers.v[i], item))
			return fo->wrappers.v[i].name;
	for (i = 0; i < fo->wrappers.nr; i++)
		if (strings_has(&item->headers, fo->wrappers.v[i].name))
			return fo->wrappers.v[i].name;
	for (u = fo->plan->shims->umbrellas; *u; u++)
		if (strings_has(&item->headers, *u))
			return *u;
	return item->headers.nr ? item->headers.v[0] : NULL;
}

static void item_take(struct folder *fo, const struct shim_item *item)
{
	const struct shims *s = fo->plan->shims;
	const char *name = item->missing ? item->header : header_for(fo, item);
	struct wrapper *w = wrapper_find(fo, name);
	size_t i;

	for (i = 0; i < s->nr_parts; i++)
		w->parts[i] |= item->parts[i];
	w->bridge |= any(item->sections, s->nr_sections);
	for (i = 0; i < s->nr_sections; i++)
		fo->sections[i] |= item->sections[i];
	if (item->injected >= 0 && !item->member)
		fo->injected[item->injected] = true;
	if (item->header && !item->missing && !strings_has(&w->too, item->header))
		strings_add(&w->too, fo->plan->arena, item->header);
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* The text as it is, in the arena. */
static const char *text_take(const struct folder *fo, struct strbuf *sb)
{
	const char *out = arena_strndup(fo->plan->arena, sb->buf, sb->len);

	strbuf_release(sb);
	return out;
}

static void head_put(const struct folder *fo, struct strbuf *out)
{
	const struct shim_plan *p = fo->plan;
	const struct vocab *v = p->result->vocab;

	strbuf_addf(out, "// %s: header shim; remove when %s [%s]\n", v->marker_until, p->condition,
		    p->rule);
}

/* "../" for each folder of a header's name. */
static void up_put(struct strbuf *out, const char *name)
{
	for (; (name = strchr(name, '/')); name++)
		strbuf_addstr(out, "../");
}

static void parts_put(const struct folder *fo, const struct wrapper *w, struct strbuf *out)
{
	const struct shims *s = fo->plan->shims;
	size_t i;

	for (i = 0; i < s->nr_parts; i++) {
		if (!w->parts[i])
			continue;
		strbuf_addstr(out, "#include \"");
		up_put(out, w->name);
		strbuf_addf(out, PARTS "%s.h\"\n", s->parts[i].name);
	}
	if (w->bridge) {
		strbuf_addstr(out, "#include \"");
		up_put(out, w->name);
		strbuf_addstr(out, PARTS "bridge.h\"\n");
	}
}

static const char *body_text(const struct folder *fo)
{
	struct strbuf sb = STRBUF_INIT;

	head_put(fo, &sb);
	shim_inject_text(fo->plan->shims, fo->plan->arena, fo->injected, &sb);
	return text_take(fo, &sb);
}

/* A header that stands for the target's own, behind what `sb` has. */
static const char *replacing_text(const struct folder *fo, const struct wrapper *w,
				  struct strbuf *sb)
{
	strbuf_addf(sb, "#if %s\n", fo->plan->shims->present);
	parts_put(fo, w, sb);
	strbuf_addf(sb, "#else\n#include_next <%s>\n#endif\n", w->name);
	return text_take(fo, sb);
}

static const char *wrapper_text(const struct folder *fo, const struct wrapper *w)
{
	const struct shim_header *h = shim_header_find(fo->plan->shims, w->name);
	struct strbuf sb = STRBUF_INIT;
	const char *const *p;
	size_t i;

	if (str_eq(w->name, fo->plan->shims->body))
		return body_text(fo);
	head_put(fo, &sb);
	strbuf_addstr(&sb, "#pragma once\n");
	if (h && h->replace)
		return replacing_text(fo, w, &sb);
	if (h)
		strbuf_addf(&sb, "#if __has_include_next(<%s>)\n#include_next <%s>\n#else\n",
			    w->name, w->name);
	else
		strbuf_addf(&sb, "#include_next <%s>\n", w->name);
	for (p = h ? h->include : NULL; p && *p; p++)
		strbuf_addf(&sb, "#include <%s>\n", *p);
	if (h)
		strbuf_addstr(&sb, "#endif\n");
	for (i = 0; i < w->too.nr; i++)
		strbuf_addf(&sb, "#include <%s>\n", w->too.v[i]);
	strbuf_addf(&sb, "#if %s\n", fo->plan->shims->present);
	parts_put(fo, w, &sb);
	strbuf_addstr(&sb, "#endif\n");
	return text_take(fo, &sb);
}

static const char *bridge_text(const struct folder *fo)
{
	const struct shims *s = fo->plan->shims;
	struct strbuf sb = STRBUF_INIT;
	size_t i;

	head_put(fo, &sb);
	strbuf_add(&sb, s->preamble, s->preamble_len);
	for (i = 0; i < s->nr_sections; i++)
		if (fo->sections[i])
			strbuf_add(&sb, s->sections[i].text, s->sections[i].len);
	while (sb.len > 1 && sb.buf[sb.len - 1] == '\n' && sb.buf[sb.len - 2] == '\n')
		strbuf_setlen(&sb, sb.len - 1);
	return text_take(fo, &sb);
}

static const char *part_text(const struct folder *fo, const struct shim_part *part)
{
	struct strbuf sb = STRBUF_INIT;

	head_put(fo, &sb);
	strbuf_addstr(&sb, part->text);
	return text_take(fo, &sb);
}

/* ---- the folder as it is --------------------------------------------------------------------- */

/* Headers of the target that a header of the folder includes besides its own. */
static void too_keep(struct folder *fo, struct wrapper *w, const char *text)
{
	const struct shim_header *h = shim_header_find(fo->plan->shims, w->name);
	static const char include[] = "\n#include <";
	const char *name;

	for (; (text = strstr(text, include)); text++) {
		name = text + strlen(include);
		name = arena_strndup(fo->plan->arena, name, strcspn(name, ">\n"));
		if (!(h && list_has(h->include, name)) && !strings_has(&w->too, name))
			strings_add(&w->too, fo->plan->arena, name);
	}
}

/* What the file waits for, what is made now waits for as well. */
static void condition_keep(struct shim_plan *p, const char *line)
{
	static const char fixed[] = "fixed ";
	const char *rule;

	for (; (line = strstr(line, fixed)); line++) {
		rule = line + strlen(fixed);
		rule = arena_strndup(p->arena, rule, strcspn(rule, " ["));
		if (!strstr(p->condition, rule))
			p->condition = arena_fmt(p->arena, "%s and fixed %s", p->condition, rule);
	}
}

/* Parts that a header of the folder brings already. */
static void wrapper_keep(struct folder *fo, const char *name, const char *text)
{
	const struct shims *s = fo->plan->shims;
	struct wrapper *w = wrapper_find(fo, name);
	size_t i;

	for (i = 0; i < s->nr_parts; i++)
		w->parts[i] |= strstr(text, arena_fmt(fo->plan->arena, PARTS "%s.h\"",
						      s->parts[i].name)) != NULL;
	w->bridge |= strstr(text, PARTS "bridge.h\"") != NULL;
	too_keep(fo, w, text);
}

static void sections_keep(struct folder *fo, const char *text)
{
	const struct shims *s = fo->plan->shims;
	const char *head;
	size_t i;

	for (i = 0; i < s->nr_sections; i++) {
		head = arena_strndup(fo->plan->arena, s->sections[i].text,
				     strcspn(s->sections[i].text, "\n") + 1);
		fo->sections[i] |= strstr(text, head) != NULL;
	}
}

/* Members that the header of an earlier patch gives. */
static void body_keep(struct folder *fo, const char *text)
{
	const struct shims *s = fo->plan->shims;
	const char *call;
	size_t i;

	for (i = 0; i < s->nr_sections; i++) {
		call = arena_fmt(fo->plan->arena, " %s::%s(", s->between, s->sections[i].name);
		if (!strcmp(s->sections[i].kind, "member") && strstr(text, call))
			fo->injected[i] = true;
	}
	wrapper_find(fo, s->body)->bridge = true;
}

/* -1: a file of that folder is no shim of ours. */
static int folder_read(struct folder *fo, const char **reason)
{
	const struct repo *repo = fo->plan->result->repo;
	const char *mark = "header shim", *text, *name, *head;
	size_t i, n = strlen(fo->dir);

	for (i = 0; i < repo->nr_files; i++) {
		if (!path_under(repo->files[i]->path, fo->dir))
			continue;
		text = shim_text(fo->plan, repo->files[i]);
		head = arena_strndup(fo->plan->arena, text ? text : "",
				     text ? strcspn(text, "\n") : 0);
		if (!strstr(head, mark)) {
			*reason = arena_fmt(fo->plan->arena, "%s is there and no header shim",
					    repo->files[i]->path);
			return -1;
		}
		condition_keep(fo->plan, head);
		name = repo->files[i]->path + n + 1;
		if (!strcmp(name, PARTS "bridge.h"))
			sections_keep(fo, text);
		else if (str_eq(name, fo->plan->shims->body))
			body_keep(fo, text);
		else if (strncmp(name, PARTS, strlen(PARTS)))
			wrapper_keep(fo, name, text);
	}
	return 0;
}

/* ---- the edits ------------------------------------------------------------------------------- */

/* Without its first line, which says until when: a shim that gives the same is the same. */
static const char *body(const char *text)
{
	const char *nl = strchr(text, '\n');

	return nl ? nl + 1 : text;
}

static void file_put(struct folder *fo, const char *name, const char *text)
{
	const char *path = path_join(fo->plan->arena, fo->dir, name), *old;
	struct source *s = repo_find(fo->plan->result->repo, path);
	struct edit *e;

	if (s) {
		old = shim_text(fo->plan, s);
		if (old && !strcmp(body(old), body(text)))
			return;
		shim_edit(fo->plan, fo->fix, path, 0, s->size, text);
		return;
	}
	e = shim_edit(fo->plan, fo->fix, path, 0, 0, text);
	e->create = true;
	e->mode = 0100644;
}

static void folder_write(struct folder *fo)
{
	const struct shims *s = fo->plan->shims;
	bool bridge = false;
	size_t i, k;

	for (i = 0; i < fo->wrappers.nr; i++) {
		const struct wrapper *w = &fo->wrappers.v[i];

		file_put(fo, w->name, wrapper_text(fo, w));
		bridge |= w->bridge;
		for (k = 0; k < s->nr_parts; k++)
			fo->parts[k] |= w->parts[k];
	}
	for (i = 0; i < s->nr_parts; i++)
		if (fo->parts[i])
			file_put(fo, arena_fmt(fo->plan->arena, PARTS "%s.h", s->parts[i].name),
				 part_text(fo, &s->parts[i]));
	if (bridge)
		file_put(fo, PARTS "bridge.h", bridge_text(fo));
}

int shim_files(struct shim_plan *p, const char *dir, struct fix *fix, const char **reason)
{
	const struct shims *s = p->shims;
	struct folder fo = {.plan = p, .fix = fix};
	const struct shim_header *h;
	const char *const *part;
	size_t i;

	fo.dir = path_join(p->arena, dir, s->folder);
	fo.parts = arena_array(p->arena, s->nr_parts + 1, sizeof(bool));
	fo.sections = arena_array(p->arena, s->nr_sections + 1, sizeof(bool));
	fo.injected = arena_array(p->arena, s->nr_sections + 1, sizeof(bool));
	if (folder_read(&fo, reason))
		return -1;
	for (i = 0; i < p->items.nr; i++)
		if (p->items.v[i].missing)
			item_take(&fo, &p->items.v[i]);
	for (i = 0; i < p->items.nr; i++)
		if (!p->items.v[i].missing)
			item_take(&fo, &p->items.v[i]);
	for (i = 0; i < fo.wrappers.nr; i++) {
		h = shim_header_find(s, fo.wrappers.v[i].name);
		for (part = h ? h->parts : NULL; part && *part; part++)
			fo.wrappers.v[i].parts[shim_part_find(s, *part)] = true;
	}
	folder_write(&fo);
	return 0;
}
