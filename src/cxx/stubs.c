/*
 * stubs.c - headers made from the database, so that sources parse where the target is not installed.
 *
 * A generated header holds, under the include name of a compat header: the inclusions of the original,
 * as far as they are stubs or of the C++ library; hand-written text from rules/cxx/before; each
 * declaration of the build in its namespace, without a body; rules/cxx/after; macros. Hand-written
 * headers (rules/cxx/include) stand for the target's own types, a CUDA toolkit, Python and bindings.
 */
#include <string.h>

#include "base/path.h"
#include "base/strbuf.h"
#include "base/yaml.h"
#include "cxx/db.h"
#include "cxx/libclang.h"

#define HAND	    "cxx/include/"
#define BEFORE	    "cxx/before/%s"
#define AFTER	    "cxx/after/%s"
#define SHADOW	    "cxx/shadow.tsv"
#define REPLACE	    "cxx/replace.tsv"
#define MISSING	    "cxx/missing.tsv"
#define UNAVAILABLE "__attribute__((unavailable(\"" STUB_UPSTREAM_ONLY "\")))"
#define CONFIG	    "cxx/dump.yml"
#define PRELUDE	    "pdmigrate/cuda.h"
#define TARGET	    "pdmigrate/target.h"
#define DEPTH_MAX   32

/* One declaration of a header. */
struct piece {
	struct part row;
	unsigned long place;
	int depth;
};

struct maker {
	const struct cxx_db *db;
	const struct assets *assets;
	struct arena *arena;
	struct rows replace, missing;
	VEC(struct piece) pieces; /* sorted by header, then place */
	VEC(struct cxx_stub) stubs;
	struct strbuf out;
};

static struct rows table_of(const struct assets *assets, const char *path)
{
	const struct asset *as = asset_get(assets, path);

	return (struct rows){{as ? as->data : "", as ? as->len : 0}};
}

static void stub_add(struct maker *m, const char *dir, const char *name, const char *text,
		     size_t len)
{
	struct cxx_stub *s = VEC_PUSH(m->arena, &m->stubs);

	s->path = arena_fmt(m->arena, "%s/%s", dir, name);
	s->text = text;
	s->len = len;
}

static int part_compare(struct part a, struct part b)
{
	size_t n = a.len < b.len ? a.len : b.len;
	int cmp = n ? memcmp(a.s, b.s, n) : 0;

	return cmp ? cmp : (a.len > b.len) - (a.len < b.len);
}

static int piece_compare(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;
	int cmp = part_compare(row_part(x->row, DECL_HEADER), row_part(y->row, DECL_HEADER));

	if (!cmp)
		cmp = (x->place > y->place) - (x->place < y->place);
	return cmp ? cmp : part_compare(x->row, y->row);
}

static void pieces_load(struct maker *m)
{
	struct part rest = m->db->target.decls.body, line;

	while (rows_next(&rest, &line)) {
		struct piece *p;

		if (!build_holds(m->db, row_part(line, DECL_BUILD)))
			continue;
		p = VEC_PUSH(m->arena, &m->pieces);
		p->row = line;
		p->place = strtoul(row_part(line, DECL_PLACE).s, NULL, 10);
		p->depth = (int)strtoul(row_part(line, DECL_DEPTH).s, NULL, 10);
	}
	if (m->pieces.nr)
		qsort(m->pieces.v, m->pieces.nr, sizeof(*m->pieces.v), piece_compare);
}

/* ---- declarations ------------------------------------------------------------------------------ */

static void out_part(struct maker *m, struct part p)
{
	strbuf_add(&m->out, p.s, p.len);
}

static bool kind_is(const struct piece *p, const char *kind)
{
	return part_is(row_part(p->row, DECL_KIND), kind);
}

static bool is_body(const struct piece *p)
{
	return kind_is(p, "class") || kind_is(p, "enum") || kind_is(p, "specialization");
}

static bool is_callable(const struct piece *p)
{
	return kind_is(p, "function") || kind_is(p, "method") || kind_is(p, "constructor") ||
	       kind_is(p, "conversion") || kind_is(p, "friend");
}

/*
 * The text without words that want a body, since functions are only declared here, and without
 * "override", which in CUDA mode wants a base of the same side.
 */
static void out_callable(struct maker *m, struct part text)
{
	static const char *const words[] = {"inline ", "constexpr ", "override"};
	size_t i, w;

	for (i = 0; i < text.len;) {
		bool start = !i || text.s[i - 1] == ' ';
		size_t skip = 0;

		for (w = 0; start && w < sizeof(words) / sizeof(*words); w++) {
			size_t n = strlen(words[w]);

			if (i + n <= text.len && !memcmp(text.s + i, words[w], n))
				skip = n;
		}
		if (skip)
			i += skip;
		else
			strbuf_addch(&m->out, text.s[i++]);
	}
}

static struct part text_of(struct maker *m, const struct piece *p)
{
	struct part text = row_part(p->row, DECL_TEXT), rest, line;

	rest = rows_of(&m->replace, row_part(p->row, DECL_NAME));
	while (rows_next(&rest, &line)) {
		struct part old = row_part(line, 1);

		if (old.len == text.len && !memcmp(old.s, text.s, text.len))
			return row_part(line, 2);
	}
	return text;
}

static bool part_starts(struct part p, const char *s)
{
	size_t n = strlen(s);

	return p.len >= n && !memcmp(p.s, s, n);
}

static bool has_missing(struct maker *m, struct part name)
{
	const char *scope = arena_fmt(m->arena, "%.*s::", (int)name.len, name.s);
	struct part rest = rows_from(&m->missing, scope), line;

	return rows_next(&rest, &line) && part_starts(line, scope);
}

/* A declaration that only upstream has: its use is an error that keeps its type. */
static void out_unavailable(struct maker *m, struct part text)
{
	size_t n = 0;
	int depth = 0;

	if (part_starts(text, "template <"))
		for (; n < text.len; n++) {
			depth += (text.s[n] == '<') - (text.s[n] == '>');
			if (text.s[n] == '>' && !depth) {
				n++;
				break;
			}
		}
	strbuf_add(&m->out, text.s, n);
	if (!part_starts(text, "using "))
		strbuf_addstr(&m->out, " " UNAVAILABLE " ");
	strbuf_add(&m->out, text.s + n, text.len - n);
	strbuf_addstr(&m->out, ";\n");
}

/* What only upstream has directly in `scope` ("a::B::"). */
static void out_missing(struct maker *m, const char *scope)
{
	struct part rest = rows_from(&m->missing, scope), line;
	size_t n = strlen(scope);

	while (rows_next(&rest, &line)) {
		struct part name = row_part(line, 0);

		if (!part_starts(line, scope))
			break;
		if (memchr(name.s + n, ':', name.len - n) ||
		    (!row_part(line, 2).len && rows_of(&m->db->target.decls, name).len))
			continue;
		out_unavailable(m, row_part(line, 1));
	}
}

/* The scope of a name in a namespace of a namespace, NULL: it is of a class or of one namespace. */
static const char *inner_space(struct maker *m, struct part name)
{
	const char *scope = arena_strndup(m->arena, name.s, name.len), *tail = scope, *p;
	size_t nr = 0;

	for (p = strstr(scope, "::"); p; p = strstr(p + 2, "::")) {
		tail = p;
		nr++;
	}
	scope = arena_strndup(m->arena, scope, (size_t)(tail - scope));
	return nr > 1 && !rows_of(&m->db->target.decls, part_of(scope)).len ? scope : NULL;
}

static void out_missing_inner(struct maker *m)
{
	struct part rest = m->missing.body, line;
	const char *last = "";

	while (rows_next(&rest, &line)) {
		const char *space = *line.s == '#' ? NULL : inner_space(m, row_part(line, 0));

		if (!space || !strcmp(space, last))
			continue;
		last = space;
		strbuf_addf(&m->out, "namespace %s {\n", space);
		out_missing(m, arena_fmt(m->arena, "%s::", space));
		strbuf_addstr(&m->out, "}\n");
	}
}

/* The same for the namespaces, behind a header with a class that has such members. */
static void out_missing_spaces(struct maker *m, size_t first, size_t end)
{
	static const char *const none = "";
	struct part rest, line;
	const char *last = none;
	size_t i;

	for (i = first; i < end; i++)
		if (kind_is(&m->pieces.v[i], "class") &&
		    has_missing(m, row_part(m->pieces.v[i].row, DECL_NAME)))
			break;
	if (i == end)
		return;
	rest = m->missing.body;
	while (rows_next(&rest, &line)) {
		struct part name = row_part(line, 0);
		const char *colon = memchr(name.s, ':', name.len);
		const char *space;

		if (!colon || *line.s == '#')
			continue;
		space = arena_strndup(m->arena, name.s, (size_t)(colon - name.s));
		if (!strcmp(space, last))
			continue;
		last = space;
		strbuf_addf(&m->out, "namespace %s {\n", space);
		out_missing(m, arena_fmt(m->arena, "%s::", space));
		strbuf_addstr(&m->out, "}\n");
	}
	out_missing_inner(m);
}

/* A declaration and, for classes and enums, all that is in it. Returns the index behind it. */
static size_t out_piece(struct maker *m, size_t i, size_t end, bool in_enum)
{
	const struct piece *p = &m->pieces.v[i++];
	struct part text = text_of(m, p);

	if (is_callable(p))
		out_callable(m, text);
	else
		out_part(m, text);
	if (in_enum) {
		strbuf_addstr(&m->out, ",\n");
		return i;
	}
	if (is_body(p)) {
		bool values = kind_is(p, "enum");

		strbuf_addstr(&m->out, values ? " {\n" : " {\npublic:\n");
		while (i < end && m->pieces.v[i].depth > p->depth) {
			if (m->pieces.v[i].depth > DEPTH_MAX)
				i++;
			else
				i = out_piece(m, i, end, values);
		}
		if (kind_is(p, "class"))
			out_missing(m, arena_fmt(m->arena, "%s::",
						 part_dup(m->arena, row_part(p->row, DECL_NAME))));
		strbuf_addstr(&m->out, "}");
	}
	strbuf_addstr(&m->out, ";\n");
	return i;
}

static void out_pieces(struct maker *m, size_t first, size_t end)
{
	struct part space = {"", 0}, next;
	size_t i = first;

	while (i < end) {
		next = row_part(m->pieces.v[i].row, DECL_SPACE);
		if (part_compare(space, next)) {
			strbuf_addstr(&m->out, space.len ? "}\n" : "");
			if (next.len)
				strbuf_addf(&m->out, "namespace %.*s {\n", (int)next.len, next.s);
			space = next;
		}
		i = out_piece(m, i, end, false);
	}
	strbuf_addstr(&m->out, space.len ? "}\n" : "");
}

/* ---- headers ----------------------------------------------------------------------------------- */

/* Headers of the C++ library have no dot in their names. */
static bool is_library_header(struct part name)
{
	return name.len && !memchr(name.s, '.', name.len) && !memchr(name.s, '/', name.len);
}

static bool is_stub(struct maker *m, struct part name)
{
	return rows_of(&m->db->target.headers, name).len > 0 ||
	       asset_get(m->assets, arena_fmt(m->arena, HAND "%.*s", (int)name.len, name.s));
}

static void out_includes(struct maker *m, struct part header)
{
	struct part rest = rows_of(&m->db->target.includes, header), line;

	while (rows_next(&rest, &line)) {
		struct part target = row_part(line, INCLUDE_TARGET);

		if (build_holds(m->db, row_part(line, INCLUDE_BUILD)) &&
		    (is_library_header(target) || is_stub(m, target)))
			strbuf_addf(&m->out, "#include <%.*s>\n", (int)target.len, target.s);
	}
}

/* What a macro stands for where its one word is known; nothing for a call, else a value of any type. */
static void out_macro(struct maker *m, struct part line)
{
	struct part name = row_part(line, MACRO_NAME), value = row_part(line, MACRO_VALUE);
	bool function = part_is(row_part(line, MACRO_KIND), "function");

	strbuf_addf(&m->out, "#ifndef %.*s\n#define %.*s", (int)name.len, name.s, (int)name.len,
		    name.s);
	if (function)
		strbuf_addstr(&m->out, "(...)");
	else if (value.len && *value.s == '=')
		strbuf_addf(&m->out, " %.*s", (int)value.len - 1, value.s + 1);
	else
		strbuf_addstr(&m->out, " ::pdmigrate::value");
	strbuf_addstr(&m->out, "\n#endif\n");
}

static void out_macros(struct maker *m, struct part header)
{
	struct part rest = m->db->target.macros.body, line;

	while (rows_next(&rest, &line))
		if (!part_compare(row_part(line, MACRO_HEADER), header) &&
		    build_holds(m->db, row_part(line, MACRO_BUILD)))
			out_macro(m, line);
}

static void out_hand(struct maker *m, const char *form, struct part header)
{
	const char *name = part_dup(m->arena, header);
	const struct asset *as;

	as = asset_get(m->assets, *form == 'b' ? arena_fmt(m->arena, BEFORE, name)
					       : arena_fmt(m->arena, AFTER, name));
	if (as)
		strbuf_add(&m->out, as->data, as->len);
}

/* The declarations of a header: [*first, *end) of the pieces. */
static void pieces_of(const struct maker *m, struct part header, size_t *first, size_t *end)
{
	size_t lo = 0, hi = m->pieces.nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (part_compare(row_part(m->pieces.v[mid].row, DECL_HEADER), header) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	*first = lo;
	while (lo < m->pieces.nr &&
	       !part_compare(row_part(m->pieces.v[lo].row, DECL_HEADER), header))
		lo++;
	*end = lo;
}

static void header_make(struct maker *m, struct part header)
{
	size_t first, end;

	strbuf_reset(&m->out);
	strbuf_addstr(&m->out, "#pragma once\n#include <" TARGET ">\n");
	out_includes(m, header);
	out_hand(m, "before", header);
	strbuf_addstr(&m->out, "#if defined(__CUDA__)\n#pragma clang force_cuda_host_device begin\n"
			       "#endif\n");
	pieces_of(m, header, &first, &end);
	out_pieces(m, first, end);
	out_missing_spaces(m, first, end);
	strbuf_addstr(&m->out, "#if defined(__CUDA__)\n#pragma clang force_cuda_host_device end\n"
			       "#endif\n");
	out_hand(m, "after", header);
	out_macros(m, header);
	stub_add(m, CXX_STUB_DIR, part_dup(m->arena, header),
		 arena_strndup(m->arena, m->out.buf, m->out.len), m->out.len);
}

static int stub_compare(const void *a, const void *b)
{
	const struct cxx_stub *x = a, *y = b;

	return strcmp(x->path, y->path);
}

static void stubs_hash(struct cxx_stubs *s)
{
	struct strbuf sb = STRBUF_INIT;
	size_t i;

	for (i = 0; i < s->nr; i++) {
		strbuf_add(&sb, s->v[i].path, strlen(s->v[i].path) + 1);
		strbuf_add(&sb, s->v[i].text, s->v[i].len + 1);
	}
	hash_hex(sb.buf, sb.len, s->hash);
	strbuf_release(&sb);
}

/* Definitions that the target's build passes, and the one that says CUDA. */
static int defines_load(struct cxx_stubs *s, struct maker *m, struct err *err)
{
	const struct asset *as = asset_get(m->assets, CONFIG);
	const struct yaml *target, *list, *item;
	VEC(const char *) v = {0};
	struct yaml *root;
	const char *cuda;

	if (!as)
		return err_set(err, "no '%s' in the rules", CONFIG);
	if (asset_yaml(&root, m->arena, m->assets, as, err))
		return -1;
	target = yaml_get(root, "target");
	list = yaml_get(target, "define");
	for (item = list ? list->child : NULL; item; item = item->next)
		*VEC_PUSH(m->arena, &v) = arena_fmt(m->arena, "-D%s", item->text ? item->text : "");
	cuda = yaml_str(target, "cuda", NULL);
	if (m->db->cuda && cuda)
		*VEC_PUSH(m->arena, &v) = arena_fmt(m->arena, "-D%s", cuda);
	*VEC_PUSH(m->arena, &v) = NULL;
	s->defines = v.v;
	return 0;
}

int cxx_stubs_make(struct cxx_stubs **out, struct arena *a, const struct assets *assets,
		   const struct cxx_db *db, struct err *err)
{
	struct maker m = {.db = db, .assets = assets, .arena = a, .out = STRBUF_INIT};
	struct cxx_stubs *s = ARENA_NEW(a, struct cxx_stubs);
	struct part rest = db->target.headers.body, line;
	size_t nr, first, i;

	m.replace = table_of(assets, REPLACE);
	m.missing = table_of(assets, MISSING);
	if (defines_load(s, &m, err))
		return -1;
	pieces_load(&m);
	while (rows_next(&rest, &line))
		header_make(&m, row_part(line, HEADER_NAME));
	first = asset_range(assets, HAND, &nr);
	for (i = first; i < first + nr; i++)
		stub_add(&m, CXX_STUB_DIR, assets->v[i].path + strlen(HAND), assets->v[i].data,
			 assets->v[i].len);
	strbuf_release(&m.out);
	qsort(m.stubs.v, m.stubs.nr, sizeof(*m.stubs.v), stub_compare);
	s->v = m.stubs.v;
	s->nr = m.stubs.nr;
	s->db = db;
	s->assets = assets;
	stubs_hash(s);
	*out = s;
	return 0;
}

/* ---- shadows and arguments --------------------------------------------------------------------- */

static void shadow_headers(struct strings *out, struct arena *a, const struct cxx_db *db,
			   struct part headers)
{
	struct part name;
	size_t n;

	while (headers.len) {
		for (n = 0; n < headers.len && headers.s[n] != ' '; n++)
			;
		name = (struct part){headers.s, n};
		if (rows_of(&db->target.headers, name).len)
			strings_add(out, a, part_dup(a, name));
		n += n < headers.len;
		headers = (struct part){headers.s + n, headers.len - n};
	}
}

bool cxx_shadow_headers(struct strings *out, struct arena *a, const struct cxx_db *db,
			const struct assets *assets, const char *name)
{
	struct rows table = table_of(assets, SHADOW);
	struct part rest = table.body, line;
	bool found = false;

	if (!db->has_upstream || !rows_of(&db->upstream.headers, part_of(name)).len ||
	    rows_of(&db->target.headers, part_of(name)).len)
		return false;
	while (!found && rows_next(&rest, &line)) {
		char *pattern = part_dup(a, row_part(line, 0));
		size_t n = strlen(pattern);

		if (*pattern == '#' || !n)
			continue;
		/* A star at the end stands for folders too. */
		found = pattern[n - 1] == '*' ? !strncmp(pattern, name, n - 1)
					      : !strcmp(pattern, name);
		if (found)
			shadow_headers(out, a, db, row_part(line, 1));
	}
	return true;
}

bool cxx_stubs_shadow(const struct cxx_stubs *s, struct arena *a, const char *name,
		      struct cxx_stub *out)
{
	struct strbuf sb = STRBUF_INIT;
	struct strings headers = {0};
	size_t i;

	if (!cxx_shadow_headers(&headers, a, s->db, s->assets, name))
		return false;
	strbuf_addstr(&sb, "#pragma once\n");
	for (i = 0; i < headers.nr; i++)
		strbuf_addf(&sb, "#include <%s>\n", headers.v[i]);
	out->path = arena_fmt(a, "%s/%s", CXX_SHADOW_DIR, name);
	out->text = arena_strndup(a, sb.buf, sb.len);
	out->len = sb.len;
	strbuf_release(&sb);
	return true;
}

const char *cxx_stub_name(const char *path, bool *shadow)
{
	*shadow = path_under(path, CXX_SHADOW_DIR);
	if (*shadow)
		return path[strlen(CXX_SHADOW_DIR)] ? path + strlen(CXX_SHADOW_DIR "/") : NULL;
	if (path_under(path, CXX_STUB_DIR) && path[strlen(CXX_STUB_DIR)])
		return path + strlen(CXX_STUB_DIR "/");
	return NULL;
}

const char *const *cxx_stub_args(const struct cxx_stubs *s, const struct libclang *lc,
				 unsigned mode, struct arena *a)
{
	static const char *const common[] = {"-w",	   "-ferror-limit=0", "-isystem",
					     CXX_STUB_DIR, "-idirafter",      CXX_SHADOW_DIR};
	static const char *const cuda[] = {"-xcuda", "--cuda-host-only", "-nocudainc",
					   "-nocudalib", "-include",
					   CXX_STUB_DIR "/" PRELUDE};
	const char *const *d;
	VEC(const char *) v = {0};
	size_t i;

	if (!(mode & CXX_CUDA))
		*VEC_PUSH(a, &v) = "-xc++";
	for (i = 0; (mode & CXX_CUDA) && i < sizeof(cuda) / sizeof(*cuda); i++)
		*VEC_PUSH(a, &v) = cuda[i];
	*VEC_PUSH(a, &v) = mode & CXX_20 ? "-std=c++20" : "-std=c++17";
	for (i = 0; i < sizeof(common) / sizeof(*common); i++)
		*VEC_PUSH(a, &v) = common[i];
	if (lc->resource) {
		*VEC_PUSH(a, &v) = "-resource-dir";
		*VEC_PUSH(a, &v) = lc->resource;
	}
	for (d = s->defines; *d; d++)
		*VEC_PUSH(a, &v) = *d;
	*VEC_PUSH(a, &v) = NULL;
	return v.v;
}
