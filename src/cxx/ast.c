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

/* Is the word at `at` followed by a bracket: is an object made there? */
static bool makes(const struct work_file *f, struct span word)
{
	size_t at = word.end;

	while (at < f->len && (f->text[at] == ' ' || f->text[at] == '\n'))
		at++;
	return at < f->len && (f->text[at] == '(' || f->text[at] == '{');
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
	s->recv = kind;
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
