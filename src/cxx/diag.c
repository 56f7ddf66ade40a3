/*
 * diag.c - errors of a parse become what the target lacks.
 *
 * What an error is about comes from the words in quotes and from the notes below it; libclang's
 * categories and cursors do not tell. Words of the framework decide: an error whose names are
 * all somebody else's is counted and says nothing. What follows from another error (syntax,
 * types that are not known) has no such words.
 */
#include <string.h>

#include "cxx/work.h"

#define QUOTED_MAX 8
#define NOTES_MAX  200
#define WORDS_MAX  300
#define SCOPED     "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:"

/* An error and the words in its quotes. */
struct diag {
	CXDiagnostic d;
	const char *text;
	const char *quoted[QUOTED_MAX];
	size_t nr;
	int file; /* index, or enum place */
	unsigned offset;
};

static void quotes_read(struct diag *d, struct arena *a)
{
	const char *p = d->text, *end;

	while (d->nr < QUOTED_MAX && (p = strchr(p, '\''))) {
		end = strchr(p + 1, '\'');
		if (!end)
			return;
		d->quoted[d->nr++] = arena_strndup(a, p + 1, (size_t)(end - p) - 1);
		p = end + 1;
	}
}

/* A type's name without qualifiers and template arguments. */
static const char *type_name(struct arena *a, const char *type)
{
	char *out = arena_strdup(a, type), *p = out;
	int depth = 0;
	size_t n;

	while (str_starts(type, "const ") || str_starts(type, "volatile "))
		type = strchr(type, ' ') + 1;
	for (; *type; type++) {
		if (*type == '<')
			depth++;
		if (!depth)
			*p++ = *type;
		if (*type == '>' && depth)
			depth--;
	}
	*p = 0;
	for (n = (size_t)(p - out); n && strchr(" &*", out[n - 1]); n--)
		;
	out[n] = 0;
	return out;
}

static bool names_ours(const struct work *w, const char *text)
{
	size_t i;

	for (i = 0; text[i]; i++) {
		bool start = !i || !(strchr("_:", text[i - 1]) ||
				     (text[i - 1] >= '0' && text[i - 1] <= '9') ||
				     ((text[i - 1] | 32) >= 'a' && (text[i - 1] | 32) <= 'z'));

		if (start && work_ours(w, text + i))
			return true;
	}
	return false;
}

static void lack_add(struct work *w, const struct diag *d, const char *name, const char *recv)
{
	const struct work_file *f = &w->files[d->file];
	struct span word = text_word(f->text, f->len, d->offset);
	struct seen *s = work_seen(w, d->file, word, FACT_LACK);

	if (!s)
		return;
	s->name = name;
	s->recv = recv;
	s->words = arena_strndup(w->arena, d->text, strnlen(d->text, WORDS_MAX));
}

/*
 * Upstream's name for a value of an enumeration that is the target's own under an alias: the scope as it is
 * written, in whichever of the framework's namespaces upstream has it. NULL: not upstream's.
 */
static const char *value_name(struct work *w, const struct diag *d)
{
	const struct work_file *f = &w->files[d->file];
	struct span scoped = text_scoped(f->text, text_word(f->text, f->len, d->offset));
	const char *name = arena_strndup(w->arena, f->text + scoped.start, scoped.end - scoped.start);
	const char *tail = name;
	size_t i;

	if (work_ours(w, name))
		tail = strstr(name, "::") + strlen("::");
	if (!strstr(tail, "::"))
		return NULL;
	for (i = 0; i < w->setup->tokens.nr; i++) {
		const char *full = arena_fmt(w->arena, "%s%s", w->setup->tokens.v[i], tail);

		if (str_ends(w->setup->tokens.v[i], "::") && cxx_upstream_has(w->db, full))
			return full;
	}
	return NULL;
}

/*
 * A member of a class that is the target's own under a name of the framework: what upstream calls it. NULL:
 * upstream has no such member.
 */
static const char *alias_member(struct work *w, const char *holder, const char *member)
{
	const char *alias = cxx_alias_of(w->db, w->arena, holder);
	const char *name = alias ? arena_fmt(w->arena, "%s::%s", alias, member) : NULL;

	return name && cxx_upstream_has(w->db, name) ? name : NULL;
}

/* "no member named 'x' in namespace 'a::b'" and its like. */
static bool read_member(struct work *w, const struct diag *d)
{
	static const char *const starts[] = {"no member named ", "no type named ",
					     "no template named ", "no member function named "};
	const char *holder, *value;
	bool found = false;
	size_t i;

	for (i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		found |= str_starts(d->text, starts[i]);
	if (!found || d->nr < 2 || !strstr(d->text, "' in "))
		return false;
	holder = type_name(w->arena, d->quoted[1]);
	if (!work_ours(w, arena_fmt(w->arena, "%s::", holder))) {
		value = value_name(w, d);
		if (value) {
			lack_add(w, d, value, "value");
			return true;
		}
		value = alias_member(w, holder, d->quoted[0]);
		if (value)
			lack_add(w, d, value, "member");
		return value;
	}
	lack_add(w, d, arena_fmt(w->arena, "%s::%s", holder, d->quoted[0]),
		 strstr(d->text, "' in namespace ") ? "name" : "member");
	return true;
}

static bool is_macro_word(const struct work *w, const char *name)
{
	size_t i;

	for (i = 0; i < w->setup->tokens.nr; i++) {
		const char *t = w->setup->tokens.v[i];

		if (!str_ends(t, ":") && str_starts(name, t))
			return true;
	}
	return false;
}

/* A header shim rests on the target's own operators, which no stub has: errors in its bodies say nothing. */
static bool in_shim(const struct work *w, int file)
{
	const struct work_file *f = &w->files[file];
	const char *end = memchr(f->text, '\n', f->len);

	return end && memmem(f->text, (size_t)(end - f->text), "header shim", strlen("header shim"));
}

/* The framework's namespaces behind the word "namespace" anywhere in a file. */
static void opened_read(struct work *w, const struct work_file *f)
{
	const char *p = f->text, *end = f->text + f->len;
	static const char word[] = "namespace ";
	size_t n;

	while ((p = memmem(p, (size_t)(end - p), word, strlen(word)))) {
		const char *name;

		p += strlen(word);
		for (n = 0; p + n < end && strchr(SCOPED, p[n]) && p[n]; n++)
			;
		name = arena_fmt(w->arena, "%.*s::", (int)n, p);
		if (n && work_ours(w, name) && !strings_has(&w->opened, name))
			strings_add(&w->opened, w->arena, name);
	}
}

/* A bare word that a namespace opened by the files would give upstream. */
static const char *opened_name(struct work *w, const char *word)
{
	size_t i;

	for (i = 0; i < w->nr_files && !w->opened_known; i++)
		if (!in_shim(w, (int)i))
			opened_read(w, &w->files[i]);
	w->opened_known = true;
	for (i = 0; i < w->opened.nr; i++) {
		const char *name = arena_fmt(w->arena, "%s%s", w->opened.v[i], word);

		if (cxx_upstream_has(w->db, name))
			return name;
	}
	return NULL;
}

/* A macro of the target whose header the unit does not include: the unit is parsed again with it. */
static void macro_lack(struct work *w, const struct diag *d, const char *name)
{
	struct cxx_answer x = cxx_macro(w->db, w->arena, name);

	lack_add(w, d, name, "macro");
	if (x.verdict != VERDICT_COVERED || !x.header || !w->answer->seen.nr)
		return;
	if (!strings_has(&w->retry, x.header))
		strings_add(&w->retry, w->arena, x.header);
	*VEC_PUSH(w->arena, &w->kept) = w->answer->seen.v[w->answer->seen.nr - 1];
}

/*
 * At file scope a macro that is not declared is taken for a function without a type, and the
 * error is about its arguments: "unknown type name". Had it been expanded, they would stand
 * elsewhere.
 */
static bool read_block(struct work *w, const struct diag *d, CXSourceLocation at)
{
	const struct work_file *f = &w->files[d->file];
	struct diag macro = *d;
	const char *name;
	struct span word;
	unsigned used;
	size_t start;

	if (work_place_used(w, at, &used) != d->file || used != d->offset)
		return false;
	for (start = d->offset; start && !strchr("\n;{}()", f->text[start - 1]); start--)
		;
	if (!start || f->text[start - 1] != '(')
		return false;
	for (start--; start && strchr(SCOPED, f->text[start - 1]); start--)
		;
	word = text_word(f->text, f->len, start);
	name = arena_strndup(w->arena, f->text + word.start, word.end - word.start);
	if (!is_macro_word(w, name) || (start && f->text[start - 1] != '\n'))
		return false;
	if (cxx_macro(w->db, w->arena, name).verdict != VERDICT_COVERED)
		return false;
	macro.offset = word.start;
	macro_lack(w, &macro, name);
	return true;
}

/* The name with its scopes as written, where it is one of the framework's; else NULL. */
static const char *scoped_name(struct work *w, const struct diag *d)
{
	const struct work_file *f = &w->files[d->file];
	struct span s = text_scoped(f->text, text_word(f->text, f->len, d->offset));
	const char *name = arena_strndup(w->arena, f->text + s.start, s.end - s.start);

	return work_ours(w, name) && strstr(name, "::") ? name : NULL;
}

static bool read_undeclared(struct work *w, const struct diag *d)
{
	static const char *const starts[] = {"use of undeclared identifier ", "unknown type name ",
					     "no template named ", "unknown template name ",
					     "use of undeclared template "};
	const char *name;
	bool found = false;
	size_t i;

	for (i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		found |= str_starts(d->text, starts[i]);
	if (!found || !d->nr)
		return false;
	if (is_macro_word(w, d->quoted[0])) {
		macro_lack(w, d, d->quoted[0]);
		return true;
	}
	name = opened_name(w, d->quoted[0]);
	if (!name)
		name = scoped_name(w, d);
	if (!name)
		return false;
	lack_add(w, d, name, "name");
	return true;
}

/* The framework's function that a note offers as a candidate. */
static const char *candidate_name(struct work *w, const struct diag *d)
{
	CXDiagnosticSet notes = w->lc->getChildDiagnostics(d->d);
	unsigned nr = w->lc->getNumDiagnosticsInSet(notes), i;
	const char *name;

	for (i = 0; i < nr && i < NOTES_MAX; i++) {
		CXDiagnostic note = w->lc->getDiagnosticInSet(notes, i);
		CXSourceLocation at = w->lc->getDiagnosticLocation(note);
		const char *text = libclang_text(w->lc, w->arena, w->lc->getDiagnosticSpelling(note));
		unsigned offset;

		if (!str_starts(text, "candidate") || work_place(w, at, &offset) != PLACE_STUB)
			continue;
		name = work_name(w, w->lc->getCursor(w->tu, at));
		if (work_ours(w, name))
			return name;
	}
	return NULL;
}

/* "a::b::c" -> "a::b::c::operator+" for "invalid operands", by the operator in the text. */
static const char *operator_name(struct work *w, const struct diag *d, const char *type)
{
	const struct work_file *f = &w->files[d->file];
	size_t n = 0;

	while (d->offset + n < f->len && n < 3 && strchr("+-*/%<>=!&|^~", f->text[d->offset + n]))
		n++;
	if (!n)
		return type;
	return arena_fmt(w->arena, "%s::operator%.*s", type, (int)n, f->text + d->offset);
}

/* A method that the target has for objects only that may be changed. */
static bool read_constant(struct work *w, const struct diag *d)
{
	const char *type;

	if (!str_starts(d->text, "'this' argument to member function ") || d->nr < 3)
		return false;
	type = type_name(w->arena, d->quoted[2]);
	if (!work_ours(w, type))
		return false;
	lack_add(w, d, arena_fmt(w->arena, "%s::%s", type, d->quoted[1]), "call");
	return true;
}

/* A name is there, but nothing that fits what is passed. */
static bool read_call(struct work *w, const struct diag *d)
{
	static const char *const starts[] = {
		"no matching ",	      "no viable ",	   "invalid operands ",	   "call to ",
		"cannot initialize ", "too many arguments ", "too few arguments ", "reference to type ",
		"cannot convert ",    "assigning to ",	   "invalid argument type ", "type '"};
	const char *name, *type = NULL;
	bool found = false;
	size_t i;

	for (i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		found |= str_starts(d->text, starts[i]);
	if (!found)
		return false;
	name = candidate_name(w, d);
	for (i = 0; i < d->nr && !type; i++)
		if (names_ours(w, d->quoted[i]))
			type = type_name(w->arena, d->quoted[i]);
	if (!name && type && str_starts(d->text, "invalid operands "))
		name = operator_name(w, d, type);
	if (!name && type && work_ours(w, type) && !str_starts(d->text, "no matching function"))
		name = type;
	if (!name)
		return false;
	lack_add(w, d, name, "call");
	return true;
}

static bool in_class(struct work *w, CXCursor c)
{
	enum CXCursorKind kind = w->lc->getCursorKind(w->lc->getCursorSemanticParent(c));

	return kind == CXCursor_ClassDecl || kind == CXCursor_StructDecl;
}

/* The kind and name of what a note says is marked, NULL: not a stub's. */
static const char *marked_name(struct work *w, const struct diag *d, enum CXCursorKind *kind)
{
	CXDiagnosticSet notes = w->lc->getChildDiagnostics(d->d);
	unsigned nr = w->lc->getNumDiagnosticsInSet(notes), i, offset;

	for (i = 0; i < nr && i < NOTES_MAX; i++) {
		CXDiagnostic note = w->lc->getDiagnosticInSet(notes, i);
		CXSourceLocation at = w->lc->getDiagnosticLocation(note);
		CXCursor c;

		if (work_place(w, at, &offset) != PLACE_STUB)
			continue;
		c = w->lc->getCursor(w->tu, at);
		*kind = w->lc->getCursorKind(c);
		if (*kind == CXCursor_FunctionTemplate && in_class(w, c))
			*kind = CXCursor_CXXMethod;
		return work_name(w, c);
	}
	return NULL;
}

/* A subscript that ends at the error and that the stubs refuse: their words begin with its name. */
static bool read_subscript(struct work *w, const struct diag *d)
{
	const char *name = arena_strndup(w->arena, d->text, strcspn(d->text, " "));
	const struct work_file *f = &w->files[d->file];
	size_t at = d->offset;
	struct seen *s;
	int depth = 0;

	if (!work_ours(w, name) || at >= f->len || f->text[at] != ']')
		return false;
	for (;; at--) {
		depth += (f->text[at] == ']') - (f->text[at] == '[');
		if (!depth)
			break;
		if (!at)
			return false;
	}
	s = work_seen(w, d->file, (struct span){(uint32_t)at, d->offset + 1}, FACT_LACK);
	if (s) {
		s->name = name;
		s->recv = "call";
		s->words = arena_strndup(w->arena, d->text, strnlen(d->text, WORDS_MAX));
	}
	return true;
}

/* What the stubs declare for its type alone, since only upstream has it. */
static bool read_unavailable(struct work *w, const struct diag *d)
{
	enum CXCursorKind kind = CXCursor_UnexposedDecl;
	const char *name;

	if (!strstr(d->text, " is unavailable: " STUB_UPSTREAM_ONLY))
		return false;
	if (*d->text != '\'')
		return read_subscript(w, d);
	name = marked_name(w, d, &kind);
	if (name && !work_ours(w, name) && strrchr(name, ':') > name + 1)
		name = alias_member(w,
				    arena_strndup(w->arena, name,
						  (size_t)(strrchr(name, ':') - 1 - name)),
				    strrchr(name, ':') + 1);
	if (!name || !work_ours(w, name))
		return false;
	lack_add(w, d, name,
		 str_starts(d->text, "'operator") ||
				 cxx_name(w->db, w->arena, name).verdict == VERDICT_COVERED
			 ? "call"
		 : kind == CXCursor_CXXMethod	  ? "member"
						  : "name");
	return true;
}

/* For an error inside a header of others: the line of the repository that asked for it. */
static bool place_by_note(struct work *w, struct diag *d)
{
	CXDiagnosticSet notes = w->lc->getChildDiagnostics(d->d);
	unsigned nr = w->lc->getNumDiagnosticsInSet(notes), i;

	for (i = 0; i < nr && i < NOTES_MAX; i++) {
		CXDiagnostic note = w->lc->getDiagnosticInSet(notes, i);

		d->file = work_place(w, w->lc->getDiagnosticLocation(note), &d->offset);
		if (d->file >= 0)
			return true;
	}
	return false;
}

/* A header that is not there. The framework's own are facts of the text and no matter here. */
static bool read_header(struct work *w, const struct diag *d)
{
	size_t i;

	if (!d->nr || !str_ends(d->text, "' file not found"))
		return false;
	for (i = 0; i < w->setup->headers.nr; i++)
		if (str_starts(d->quoted[0], w->setup->headers.v[i]))
			return true;
	w->answer->foreign++;
	if (!w->answer->lacks)
		w->answer->lacks = d->quoted[0];
	return true;
}

/* What a shim defines is only marked in the stub that it defines again. */
static bool shim_gives(struct work *w, const struct diag *d)
{
	CXDiagnosticSet notes = w->lc->getChildDiagnostics(d->d);
	unsigned nr = w->lc->getNumDiagnosticsInSet(notes), i, offset;
	int file;

	for (i = 0; strstr(d->text, " is unavailable: " STUB_UPSTREAM_ONLY) && i < nr; i++) {
		CXDiagnostic note = w->lc->getDiagnosticInSet(notes, i);

		file = work_place(w, w->lc->getDiagnosticLocation(note), &offset);
		if (file >= 0 && in_shim(w, file))
			return true;
	}
	return false;
}

static void diag_one(struct work *w, CXDiagnostic diagnostic)
{
	CXSourceLocation at = w->lc->getDiagnosticLocation(diagnostic);
	struct diag d = {.d = diagnostic};

	d.text = libclang_text(w->lc, w->arena, w->lc->getDiagnosticSpelling(diagnostic));
	quotes_read(&d, w->arena);
	if (read_header(w, &d))
		return;
	d.file = work_place(w, at, &d.offset);
	if (d.file == PLACE_STUB) {
		d.file = work_place_used(w, at, &d.offset);
		if (d.file < 0 && !place_by_note(w, &d))
			return;
	}
	if (d.file < 0) {
		w->answer->foreign++;
		return;
	}
	if (in_shim(w, d.file) || shim_gives(w, &d))
		return;
	if (!read_unavailable(w, &d) && !read_member(w, &d) && !read_undeclared(w, &d) &&
	    !read_constant(w, &d) && !read_call(w, &d) && !read_block(w, &d, at))
		w->answer->foreign++;
}

void diag_read(struct work *w)
{
	unsigned nr = w->lc->getNumDiagnostics(w->tu), i;

	for (i = 0; i < nr; i++) {
		CXDiagnostic d = w->lc->getDiagnostic(w->tu, i);

		if (w->lc->getDiagnosticSeverity(d) >= CXDiagnostic_Error)
			diag_one(w, d);
		w->lc->disposeDiagnostic(d);
	}
}
