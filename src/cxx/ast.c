/*
 * ast.c - uses of what the target has, by the syntax tree of a unit.
 *
 * Only references whose declaration stands in a stub header, or whose name is asked for, are facts; types are
 * facts where an object of them is made. Arguments come later, from the text.
 */
#include <string.h>

#include "cxx/work.h"

#define NAME_DEPTH 32

const char *work_name(const struct work *w, CXCursor c)
{
	const char *name = "", *part;
	int depth;

	for (depth = 0; depth < NAME_DEPTH; depth++) {
		enum CXCursorKind kind = w->lc->getCursorKind(c);

		if (w->lc->Cursor_isNull(c) || kind == CXCursor_TranslationUnit ||
		    (kind >= CXCursor_FirstInvalid && kind <= CXCursor_LastInvalid))
			break;
		part = libclang_text(w->lc, w->arena, w->lc->getCursorSpelling(c));
		if (*part && !w->lc->Cursor_isAnonymous(c))
			name = *name ? arena_fmt(w->arena, "%s::%s", part, name) : part;
		c = w->lc->getCursorSemanticParent(c);
	}
	return name;
}

static bool is_function(enum CXCursorKind kind)
{
	return kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod ||
	       kind == CXCursor_Constructor || kind == CXCursor_Destructor ||
	       kind == CXCursor_FunctionTemplate || kind == CXCursor_ConversionFunction;
}

static void function_add(struct work *w, CXCursor c)
{
	CXSourceRange range = w->lc->getCursorExtent(c);
	struct work_function *f;
	unsigned from, to;
	int file = work_place_used(w, w->lc->getRangeStart(range), &from);

	if (file < 0 || work_place_used(w, w->lc->getRangeEnd(range), &to) != file || to < from)
		return;
	f = VEC_PUSH(w->arena, &w->functions);
	f->file = (uint32_t)file;
	f->span = (struct span){from, to};
	f->name = work_name(w, c);
}

const char *work_symbol(const struct work *w, uint32_t file, uint32_t at)
{
	const char *name = "";
	uint32_t best = UINT32_MAX;
	size_t i;

	for (i = 0; i < w->functions.nr; i++) {
		const struct work_function *f = &w->functions.v[i];

		if (f->file == file && f->span.start <= at && at < f->span.end &&
		    f->span.end - f->span.start < best) {
			best = f->span.end - f->span.start;
			name = f->name;
		}
	}
	return name;
}

static const char *kind_name(enum CXCursorKind kind)
{
	switch (kind) {
	case CXCursor_CXXMethod:
	case CXCursor_ConversionFunction:
		return "method";
	case CXCursor_Constructor:
		return "constructor";
	case CXCursor_FunctionDecl:
	case CXCursor_FunctionTemplate:
		return "function";
	case CXCursor_EnumConstantDecl:
		return "value";
	case CXCursor_VarDecl:
	case CXCursor_FieldDecl:
		return "variable";
	default:
		return NULL;
	}
}

static const char *type_text(const struct work *w, CXType type)
{
	return libclang_text(w->lc, w->arena, w->lc->getTypeSpelling(w->lc->getCanonicalType(type)));
}

/* Is the word at `at` followed by a bracket: is an object made there? */
static bool makes(const struct work_file *f, struct span word)
{
	size_t at = word.end;

	while (at < f->len && (f->text[at] == ' ' || f->text[at] == '\n'))
		at++;
	return at < f->len && (f->text[at] == '(' || f->text[at] == '{');
}

/* The first type in the angle brackets of a type's name, "" for none. */
static const char *first_type(struct arena *a, const char *type)
{
	const char *start = strchr(type, '<'), *p;
	int depth = 0;

	for (p = start ? start + 1 : ""; *p && (depth || !strchr(",>", *p)); p++)
		depth += (*p == '<') - (*p == '>');
	return start && *p ? arena_strndup(a, start + 1, (size_t)(p - start) - 1) : "";
}

/* The last word of a scoped name that begins with `word`. */
static struct span last_word(const struct work_file *f, struct span word)
{
	while (word.end + 2 < f->len && !memcmp(f->text + word.end, "::", 2))
		word = text_word(f->text, f->len, word.end + 2);
	return word;
}

/* A class is bound: the holder is made of it. */
static void holder_add(struct work *w, CXCursor c, CXCursor to)
{
	const char *name = work_name(w, to);
	struct seen *s;
	struct span word;
	unsigned offset;
	int file = work_place(w, w->lc->getCursorLocation(c), &offset);

	if (file < 0 || !list_has(w->words->holders, name))
		return;
	word = text_word(w->files[file].text, w->files[file].len, offset);
	s = work_seen(w, file, last_word(&w->files[file], word), FACT_NAME);
	if (!s)
		return;
	s->name = name;
	s->recv = "constructor";
	s->words = first_type(w->arena, type_text(w, w->lc->getCursorType(c)));
}

/* A method is named with its template arguments. */
static bool is_instance(const struct work_file *f, struct span word, const char *kind)
{
	return word.end < f->len && f->text[word.end] == '<' && !strcmp(kind, "method");
}

static void reference_add(struct work *w, CXCursor c, CXCursor to, const char *kind)
{
	const char *name;
	struct seen *s;
	struct span word;
	unsigned offset;
	int file = work_place(w, w->lc->getCursorLocation(c), &offset), declared;

	if (file < 0)
		return;
	word = text_word(w->files[file].text, w->files[file].len, offset);
	if (word.start == word.end ||
	    (!strcmp(kind, "constructor") && !makes(&w->files[file], word)))
		return;
	declared = work_place(w, w->lc->getCursorLocation(to), &offset);
	name = declared >= 0 ? "" : work_name(w, to);
	if (!*name || (declared == PLACE_OTHER && !list_has(w->words->functions, name)))
		return;
	if (!work_ours(w, name) && !list_has(w->words->functions, name) &&
	    !list_has(w->words->bind, name))
		return;
	s = work_seen(w, file, word, FACT_NAME);
	if (!s)
		return;
	s->name = name;
	s->recv = is_instance(&w->files[file], word, kind) ? "template" : kind;
}

/* The function whose address is an argument of a call. */
struct bound {
	struct work *w;
	CXCursor function;
	CXCursor method; /* where the method of the call is named */
};

static enum CXChildVisitResult visit_method(CXCursor c, CXCursor parent, CXClientData data)
{
	struct bound *b = data;

	b->method = c;
	return CXChildVisit_Break;
}

static enum CXChildVisitResult visit_bound(CXCursor c, CXCursor parent, CXClientData data)
{
	struct bound *b = data;
	enum CXCursorKind kind = b->w->lc->getCursorKind(c);
	CXCursor to;

	if (kind == CXCursor_DeclRefExpr) {
		to = b->w->lc->getCursorReferenced(c);
		kind = b->w->lc->getCursorKind(to);
		if (kind != CXCursor_FunctionDecl && kind != CXCursor_CXXMethod)
			return CXChildVisit_Continue;
		b->function = to;
		return CXChildVisit_Break;
	}
	/* Its address, a cast of it: not what a lambda or a further call holds. */
	return kind == CXCursor_UnaryOperator || kind == CXCursor_UnexposedExpr
		       ? CXChildVisit_Recurse
		       : CXChildVisit_Continue;
}

/* A type without what it is passed by. */
static const char *bare_type(struct work *w, CXType type)
{
	const char *text = type_text(w, type);
	size_t n;

	while (str_starts(text, "const "))
		text += strlen("const ");
	for (n = strlen(text); n && strchr(" &*", text[n - 1]); n--)
		;
	return arena_strndup(w->arena, text, n);
}

static void bound_type(struct work *w, CXCursor method, CXType type, const char *const *refused,
		       const char *recv)
{
	const char *name = bare_type(w, type);
	struct seen *s;
	unsigned offset;
	int file = work_place_used(w, w->lc->getCursorLocation(method), &offset);

	if (file < 0 || !list_has(refused, name))
		return;
	s = work_seen(w, file, text_word(w->files[file].text, w->files[file].len, offset),
		      FACT_REGISTER);
	if (!s)
		return;
	s->name = name;
	s->recv = recv;
}

/* Has the unit a converter of its own? */
static bool converts(const struct work *w)
{
	const char *word = w->words->converter;
	size_t i;

	for (i = 0; i < w->nr_files && *word; i++)
		if (memmem(w->files[i].text, w->files[i].len, word, strlen(word)))
			return true;
	return false;
}

/* What a function that is bound or registered takes and gives, as far as it cannot be passed on. */
static void bound_read(struct work *w, CXCursor call, CXCursor method)
{
	const char *name = work_name(w, method);
	bool bind = list_has(w->words->bind, name);
	const char *const *refused = bind ? w->words->not_bound : w->words->not_registered;
	struct bound b = {.w = w, .function = w->lc->getNullCursor(), .method = call};
	int i, nr = w->lc->Cursor_getNumArguments(call);

	if (!bind && !list_has(w->words->def, name) && !list_has(w->words->impl, name))
		return;
	if (bind && converts(w))
		return;
	for (i = 0; i < nr && w->lc->Cursor_isNull(b.function); i++) {
		CXCursor arg = w->lc->Cursor_getArgument(call, (unsigned)i);

		if (visit_bound(arg, call, &b) == CXChildVisit_Recurse)
			w->lc->visitChildren(arg, visit_bound, &b);
	}
	if (w->lc->Cursor_isNull(b.function))
		return;
	w->lc->visitChildren(call, visit_method, &b);
	nr = w->lc->Cursor_getNumArguments(b.function);
	for (i = 0; i < nr; i++)
		bound_type(w, b.method,
			   w->lc->getCursorType(w->lc->Cursor_getArgument(b.function, (unsigned)i)),
			   refused, bind ? "bound" : "registered");
	/* What a registered function gives is made by what it is given to, if at all. */
	if (bind)
		bound_type(w, b.method, w->lc->getCursorResultType(b.function), refused, "bound");
}

static enum CXChildVisitResult visit(CXCursor c, CXCursor parent, CXClientData data)
{
	struct work *w = data;
	enum CXCursorKind kind = w->lc->getCursorKind(c);
	const char *what;
	CXCursor to;

	if (is_function(kind))
		function_add(w, c);
	if (kind != CXCursor_DeclRefExpr && kind != CXCursor_MemberRefExpr &&
	    kind != CXCursor_CallExpr)
		return CXChildVisit_Recurse;
	to = w->lc->getCursorReferenced(c);
	if (w->lc->Cursor_isNull(to) ||
	    w->lc->getCursorAvailability(to) == CXAvailability_NotAvailable)
		return CXChildVisit_Recurse;
	what = kind_name(w->lc->getCursorKind(to));
	if (what && kind == CXCursor_CallExpr && !strcmp(what, "method"))
		bound_read(w, c, to);
	if (what && kind == CXCursor_CallExpr && !strcmp(what, "constructor"))
		holder_add(w, c, to);
	if (what && (kind == CXCursor_CallExpr) == !strcmp(what, "constructor"))
		reference_add(w, c, to, what);
	return CXChildVisit_Recurse;
}

/* Declarations of the repository's own files; all that the stubs declare is passed over. */
static enum CXChildVisitResult visit_top(CXCursor c, CXCursor parent, CXClientData data)
{
	struct work *w = data;
	unsigned offset;

	if (w->lc->getCursorKind(c) >= CXCursor_FirstPreprocessing &&
	    w->lc->getCursorKind(c) <= CXCursor_LastPreprocessing)
		return CXChildVisit_Continue;
	if (work_place_used(w, w->lc->getCursorLocation(c), &offset) < 0)
		return CXChildVisit_Continue;
	if (visit(c, parent, data) == CXChildVisit_Recurse)
		w->lc->visitChildren(c, visit, w);
	return CXChildVisit_Continue;
}

void ast_read(struct work *w)
{
	w->lc->visitChildren(w->lc->getTranslationUnitCursor(w->tu), visit_top, w);
}
