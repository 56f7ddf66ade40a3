/*
 * shim_inject.c - a header with members for a class of the target: no call of them has to change.
 *
 * In: the sections of the bridge whose functions "inline RESULT NAME(CLASS self, ...)" stand for members.
 * Out: the text of members.h with their declarations, for the class in between, and definitions that
 * call the functions. A section whose functions are not of that form gives none.
 */
#include <ctype.h>
#include <string.h>

#include "base/strbuf.h"
#include "plan/shim.h"

#define DECLARATIONS "//@ declarations\n"
#define DEFINITIONS  "//@ definitions\n"
#define INLINE	     "inline "
#define DEPTH_OPEN   "(<{["
#define DEPTH_CLOSE  ")>}]"

/* One function of a section. */
struct function {
	const char *types;   /* "template <...>", "" */
	const char *bare;    /* the same without defaults */
	const char *names;   /* of the types: "<A, B>", "" */
	const char *result;
	const char *params;  /* without self, with defaults */
	const char *plain;   /* without defaults */
	const char *args;    /* "a, b" */
};

static bool is_word(char ch)
{
	return isalnum((unsigned char)ch) || ch == '_';
}

/* The end of a piece at `p`: a comma, equals sign or closing bracket that is not inside brackets. */
static const char *piece_end(const char *p, bool at_equals)
{
	int depth = 0;

	for (; *p; p++) {
		if (strchr(DEPTH_OPEN, *p))
			depth++;
		else if (strchr(DEPTH_CLOSE, *p) && !depth--)
			return p;
		else if (!depth && (*p == ',' || (at_equals && *p == '=')))
			return p;
	}
	return p;
}

/* The last word before `end`. */
static const char *word_before(struct arena *a, const char *start, const char *end)
{
	const char *p;

	while (end > start && !is_word(end[-1]))
		end--;
	for (p = end; p > start && is_word(p[-1]);)
		p--;
	return arena_strndup(a, p, (size_t)(end - p));
}

static const char *take(struct arena *a, struct strbuf *sb)
{
	const char *out = arena_strndup(a, sb->len ? sb->buf : "", sb->len);

	strbuf_release(sb);
	return out;
}

/*
 * A list of parameters from the comma before its first, or the bracket that ends it: as it is, without
 * defaults, and the names alone.
 */
static void list_read(struct arena *a, const char *p, const char **full, const char **plain,
		      const char **names)
{
	struct strbuf all = STRBUF_INIT, bare = STRBUF_INIT, words = STRBUF_INIT;
	const char *end, *equals;

	for (; *p == ',' || *p == '<'; p = end) {
		for (p++; isspace((unsigned char)*p);)
			p++;
		end = piece_end(p, false);
		equals = piece_end(p, true);
		while (equals > p && equals[-1] == ' ')
			equals--;
		strbuf_addf(&all, "%s%.*s", all.len ? ", " : "", (int)(end - p), p);
		strbuf_addf(&bare, "%s%.*s", bare.len ? ", " : "", (int)(equals - p), p);
		strbuf_addf(&words, "%s%s", words.len ? ", " : "", word_before(a, p, equals));
	}
	*full = take(a, &all);
	*plain = take(a, &bare);
	*names = take(a, &words);
}

static void types_read(struct arena *a, const char *line, struct function *out)
{
	const char *open = strchr(line, '<'), *full, *plain, *names;

	out->types = out->bare = out->names = "";
	if (!open)
		return;
	list_read(a, open, &full, &plain, &names);
	out->types = arena_fmt(a, "template <%s>", full);
	out->bare = arena_fmt(a, "template <%s>", plain);
	out->names = arena_fmt(a, "<%s>", names);
}

/* A type of the bridge's own is not known yet where the member is declared; one of `names` is. */
static const char *result_read(struct arena *a, const char *s, size_t n, const char *names)
{
	const char *result = arena_strndup(a, s, n);

	return isupper((unsigned char)*s) && !strstr(names, result) ? "decltype(auto)" : result;
}

/*
 * The function whose line begins at `line`, "inline RESULT NAME(SELF": false for any other line. `types`
 * is the line before it.
 */
static bool function_read(struct arena *a, const char *line, const char *name, const char *types,
			  struct function *out)
{
	const char *open = strchr(line, '('), *at, *self;
	size_t n = strlen(name), nl = strcspn(line, "\n");

	if (strncmp(line, INLINE, strlen(INLINE)) || !open || open > line + nl)
		return false;
	at = open - n;
	if (at <= line || memcmp(at, name, n) || at[-1] != ' ')
		return false;
	self = piece_end(open + 1, false);
	if (strcmp(word_before(a, open + 1, self), "self"))
		return false;
	types_read(a, types, out);
	line += strlen(INLINE);
	out->result = result_read(a, line, (size_t)(at - 1 - line), out->names);
	list_read(a, self, &out->params, &out->plain, &out->args);
	return true;
}

static void function_put(const struct shims *s, const char *name, const struct function *f,
			 struct strbuf *in_class, struct strbuf *behind)
{
	if (*f->types) {
		strbuf_addf(in_class, "  %s\n", f->types);
		strbuf_addf(behind, "%s\n", f->bare);
	}
	strbuf_addf(in_class, "  %s %s(%s) const;\n", f->result, name, f->params);
	strbuf_addf(behind,
		    "inline %s %s::%s(%s) const {\n"
		    "  return %s::%s%s(static_cast<const %s&>(*this)%s%s);\n}\n",
		    f->result, s->between, name, f->plain, s->space, name, f->names, s->classes[0],
		    *f->args ? ", " : "", f->args);
}

/* Number of functions of the section that are put. */
static size_t section_put(const struct shims *s, struct arena *a, const struct shim_section *x,
			  struct strbuf *in_class, struct strbuf *behind)
{
	const char *text = arena_strndup(a, x->text, x->len), *line = text, *types = "";
	struct function f;
	size_t nr = 0, n;

	for (; *line; line += n + (line[n] == '\n')) {
		n = strcspn(line, "\n");
		if (function_read(a, line, x->name, types, &f)) {
			function_put(s, x->name, &f, in_class, behind);
			nr++;
		}
		types = strncmp(line, "template <", 10) ? "" : arena_strndup(a, line, n);
	}
	return nr;
}

bool shim_can_inject(const struct shims *s, struct arena *a, int section)
{
	struct strbuf in_class = STRBUF_INIT, behind = STRBUF_INIT;
	bool can = s->body && section >= 0 &&
		   section_put(s, a, &s->sections[section], &in_class, &behind) > 0;

	strbuf_release(&in_class);
	strbuf_release(&behind);
	return can;
}

/* The template with one of its marks replaced. */
static void mark_put(struct strbuf *out, const char **text, const char *mark,
		     const struct strbuf *what)
{
	const char *at = strstr(*text, mark);

	strbuf_add(out, *text, (size_t)(at - *text));
	strbuf_add(out, what->buf, what->len);
	*text = at + strlen(mark);
}

void shim_inject_text(const struct shims *s, struct arena *a, const bool *sections,
		      struct strbuf *out)
{
	struct strbuf in_class = STRBUF_INIT, behind = STRBUF_INIT;
	const char *text = s->members;
	size_t i;

	for (i = 0; i < s->nr_sections; i++)
		if (sections[i])
			section_put(s, a, &s->sections[i], &in_class, &behind);
	mark_put(out, &text, DECLARATIONS, &in_class);
	mark_put(out, &text, DEFINITIONS, &behind);
	strbuf_addstr(out, text);
	strbuf_release(&in_class);
	strbuf_release(&behind);
}

bool shim_inject_template(const char *text)
{
	const char *first = text ? strstr(text, DECLARATIONS) : NULL;

	return first && strstr(first, DEFINITIONS);
}
