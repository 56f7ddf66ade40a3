/*
 * dump_walk.c - one parse -> declarations, macros and inclusions of the listed headers.
 *
 * Declarations are printed by libclang without bodies. A declaration belongs to the header in which its
 * text stands after macro expansion; its place is the offset there, since that is the same in every
 * parse of the header.
 */
#include "cxx/dump.h"

#include <limits.h>
#include <string.h>

#include "base/path.h"
#include "base/strbuf.h"

#define DEPTH_MAX 16
#define UNNAMED	  "(unnamed)"

struct file_name {
	CXFile file;
	const char *header;
};

/* Where the walk is. A copy for each level; `seq` tells declarations of one macro apart. */
struct place {
	struct walk *walk;
	const char *space, *scope; /* namespace; namespace and classes */
	const char *pos;	   /* of the enclosing class, "" outside */
	int depth;
	unsigned last;
	int seq;
};

struct walk {
	struct dump *d;
	const struct libclang *lc;
	CXTranslationUnit tu;
	unsigned build;
	CXPrintingPolicy policy;
	VEC(struct file_name) files;
	struct file_name near;
	int level;
};

const char *dump_header_name(const struct dump *d, const char *path)
{
	const char *best = NULL;
	const char *const *r;
	size_t site = strlen(d->site), longest = 0;

	if (strncmp(path, d->site, site) || path[site] != '/')
		return NULL;
	path += site + 1;
	for (r = d->config->roots; *r; r++) {
		if (strlen(*r) >= longest && path_under(path, *r)) {
			longest = strlen(*r);
			best = path + longest + 1;
		}
	}
	for (r = d->config->headers; best && *r; r++)
		if (str_starts(best, *r))
			return arena_strdup(d->arena, best);
	return NULL;
}

/* As dump_header_name for a file of the parse. */
static const char *file_header(struct walk *w, CXFile file)
{
	struct arena *a = w->d->arena;
	char real[PATH_MAX];
	const char *name;
	size_t i;

	if (!file)
		return NULL;
	if (w->near.file == file)
		return w->near.header;
	for (i = 0; i < w->files.nr; i++) {
		if (w->files.v[i].file == file) {
			w->near = w->files.v[i];
			return w->near.header;
		}
	}
	name = libclang_text(w->lc, a, w->lc->getFileName(file));
	w->near.file = file;
	w->near.header = dump_header_name(w->d, realpath(name, real) ? real : name);
	*VEC_PUSH(a, &w->files) = w->near;
	return w->near.header;
}

static const char *cursor_header(struct walk *w, CXCursor c, unsigned *offset)
{
	CXFile file;

	w->lc->getExpansionLocation(w->lc->getCursorLocation(c), &file, NULL, NULL, offset);
	return file_header(w, file);
}

static const char *spelling(const struct walk *w, CXCursor c)
{
	return libclang_text(w->lc, w->d->arena, w->lc->getCursorSpelling(c));
}

static const char *join(const struct walk *w, const char *scope, const char *name)
{
	return *scope ? arena_fmt(w->d->arena, "%s::%s", scope, name) : name;
}

static bool is_class(enum CXCursorKind k)
{
	return k == CXCursor_ClassDecl || k == CXCursor_StructDecl || k == CXCursor_UnionDecl ||
	       k == CXCursor_ClassTemplate || k == CXCursor_ClassTemplatePartialSpecialization;
}

static const char *kind_word(enum CXCursorKind k)
{
	switch (k) {
	case CXCursor_FunctionDecl:
	case CXCursor_FunctionTemplate:
		return "function";
	case CXCursor_CXXMethod:
		return "method";
	case CXCursor_Constructor:
		return "constructor";
	case CXCursor_ConversionFunction:
		return "conversion";
	case CXCursor_ClassDecl:
	case CXCursor_StructDecl:
	case CXCursor_UnionDecl:
	case CXCursor_ClassTemplate:
		return "class";
	case CXCursor_ClassTemplatePartialSpecialization:
		return "specialization";
	case CXCursor_EnumDecl:
		return "enum";
	case CXCursor_TypedefDecl:
	case CXCursor_TypeAliasDecl:
	case CXCursor_TypeAliasTemplateDecl:
		return "alias";
	case CXCursor_UsingDeclaration:
		return "using";
	case CXCursor_UsingDirective:
		return "directive";
	case CXCursor_NamespaceAlias:
		return "namespace";
	case CXCursor_VarDecl:
		return "variable";
	case CXCursor_FieldDecl:
		return "field";
	default:
		return NULL;
	}
}

/* The length of an attribute at `p`, 0 where there is none: whether a symbol is seen is no matter here. */
static size_t attribute_len(const char *p)
{
	static const char word[] = "__attribute__((";
	const char *end;

	if (!str_starts(p, word))
		return 0;
	end = strstr(p, "))");
	for (; end && end[2] == ')'; end++)
		;
	return end ? (size_t)(end + 2 - p) : 0;
}

/* White space of any kind becomes one blank; attributes and bodies that the printer leaves go. */
static const char *text_clean(struct arena *a, const char *text)
{
	struct strbuf sb = STRBUF_INIT;
	const char *p, *copy;

	for (p = text; *p; p++) {
		size_t skip = attribute_len(p);
		bool space = skip || strchr(" \t\n\r", *p);

		p += skip ? skip - 1 : 0;
		if (!space)
			strbuf_addch(&sb, *p);
		else if (sb.len && sb.buf[sb.len - 1] != ' ')
			strbuf_addch(&sb, ' ');
	}
	while (sb.len && strchr(" ;{}", sb.buf[sb.len - 1])) {
		bool pair = sb.len > 1 && sb.buf[sb.len - 1] == '}' && sb.buf[sb.len - 2] == '{';

		if (sb.buf[sb.len - 1] == '}' && !pair)
			break;
		strbuf_setlen(&sb, sb.len - (pair ? 2 : 1));
	}
	copy = arena_strdup(a, sb.buf);
	strbuf_release(&sb);
	return copy;
}

static const char *printed(struct walk *w, CXCursor c)
{
	static const struct {
		enum CXPrintingPolicyProperty what;
		unsigned value;
	} set[] = {
		{CXPrintingPolicy_TerseOutput, 1},
		{CXPrintingPolicy_Bool, 1},
		{CXPrintingPolicy_SuppressTemplateArgsInCXXConstructors, 1},
	};
	size_t i;

	if (!w->policy) {
		w->policy = w->lc->getCursorPrintingPolicy(c);
		for (i = 0; i < sizeof(set) / sizeof(*set); i++)
			w->lc->PrintingPolicy_setProperty(w->policy, set[i].what, set[i].value);
	}
	return text_clean(w->d->arena, libclang_text(w->lc, w->d->arena,
						     w->lc->getCursorPrettyPrinted(c, w->policy)));
}

/* Is the result declared "auto"? The library prints what it found in place of the word. */
static bool is_deduced(const struct walk *w, CXCursor c)
{
	CXSourceRange all = w->lc->getCursorExtent(c);
	CXSourceRange head = w->lc->getRange(w->lc->getRangeStart(all),
					     w->lc->getCursorLocation(c));
	CXToken *tokens = NULL;
	unsigned nr = 0, i;
	bool found = false;

	w->lc->tokenize(w->tu, head, &tokens, &nr);
	for (i = 0; i < nr && !found; i++)
		found = !strcmp("auto", libclang_text(w->lc, w->d->arena,
						      w->lc->getTokenSpelling(w->tu, tokens[i])));
	if (tokens)
		w->lc->disposeTokens(w->tu, tokens, nr);
	return found;
}

/* A result that follows from the body is written out: its short name may mean nothing here. */
static const char *function_text(struct walk *w, CXCursor c)
{
	CXType result = w->lc->getCursorResultType(c);
	const char *text = printed(w, c), *real, *as;

	if (w->lc->CXXMethod_isDeleted(c) && !strstr(text, "= delete"))
		text = arena_fmt(w->d->arena, "%s = delete", text);
	if (!is_deduced(w, c))
		return text;
	as = libclang_text(w->lc, w->d->arena, w->lc->getTypeSpelling(result));
	real = libclang_text(w->lc, w->d->arena,
			     w->lc->getTypeSpelling(w->lc->getCanonicalType(result)));
	if (!str_starts(text, as) || !strcmp(real, as))
		return text;
	return arena_fmt(w->d->arena, "%s%s", real, text + strlen(as));
}

static const char *enum_text(struct walk *w, CXCursor c, const char *name)
{
	CXType t = w->lc->getEnumDeclIntegerType(c);

	return arena_fmt(w->d->arena, "enum %s%s : %s",
			 w->lc->EnumDecl_isScoped(c) ? "class " : "", name,
			 libclang_text(w->lc, w->d->arena, w->lc->getTypeSpelling(t)));
}

/* The mangled name of a function that is only declared. */
static const char *symbol_of(struct walk *w, CXCursor c)
{
	enum CXCursorKind k = w->lc->getCursorKind(c);

	if (k != CXCursor_FunctionDecl && k != CXCursor_CXXMethod && k != CXCursor_Constructor &&
	    k != CXCursor_ConversionFunction)
		return NULL;
	if (!w->lc->Cursor_isNull(w->lc->getCursorDefinition(c)) ||
	    w->lc->CXXMethod_isPureVirtual(c) || w->lc->CXXMethod_isDeleted(c) ||
	    w->lc->CXXMethod_isDefaulted(c))
		return NULL;
	return libclang_text(w->lc, w->d->arena, w->lc->Cursor_getMangling(c));
}

/* A later declaration of the same thing, or a definition away from its class: no row of its own. */
static bool is_repeated(const struct walk *w, CXCursor c, const struct place *p)
{
	enum CXCursorKind k = w->lc->getCursorKind(c);
	CXCursor parent = w->lc->getCursorSemanticParent(c);
	CXCursor first = w->lc->getCanonicalCursor(c);

	if (k == CXCursor_UsingDirective || k == CXCursor_UsingDeclaration ||
	    k == CXCursor_NamespaceAlias)
		return false;
	if (!p->depth && is_class(w->lc->getCursorKind(parent)))
		return true;
	if (is_class(k))
		return !w->lc->isCursorDefinition(c) &&
		       !w->lc->Cursor_isNull(w->lc->getCursorDefinition(c)) &&
		       !w->lc->equalCursors(first, c);
	return !w->lc->equalCursors(first, c) && kind_word(w->lc->getCursorKind(first));
}

/* Explicit specializations and instantiations of functions follow their template. */
static bool is_instance(const struct walk *w, CXCursor c)
{
	enum CXCursorKind k = w->lc->getCursorKind(c);

	return (k == CXCursor_FunctionDecl || k == CXCursor_CXXMethod ||
		k == CXCursor_Constructor) &&
	       w->lc->Cursor_getNumTemplateArguments(c) > 0;
}

static bool is_explicit_class(const struct walk *w, CXCursor c)
{
	enum CXCursorKind k = w->lc->getCursorKind(c);

	return (k == CXCursor_ClassDecl || k == CXCursor_StructDecl) &&
	       !w->lc->Cursor_isNull(w->lc->getSpecializedCursorTemplate(c));
}

/* "using a::b::c" declares c; a directive is named by what it opens. */
static const char *own_name(struct walk *w, CXCursor c)
{
	enum CXCursorKind k = w->lc->getCursorKind(c);
	const char *name, *text, *cut;

	if (k == CXCursor_UsingDirective) {
		text = printed(w, c);
		name = strstr(text, "namespace ");
		return name ? arena_fmt(w->d->arena, "(%s)", name + strlen("namespace ")) : "()";
	}
	if (k == CXCursor_ClassTemplatePartialSpecialization || is_explicit_class(w, c))
		return libclang_text(w->lc, w->d->arena, w->lc->getCursorDisplayName(c));
	name = spelling(w, c);
	if (k == CXCursor_UsingDeclaration) {
		for (cut = strstr(name, "::"); cut; cut = strstr(name, "::"))
			name = cut + 2;
	}
	cut = strchr(name, '<');
	/* Constructors of templates carry their arguments; operators may be "<". */
	if (cut && cut != name && !str_starts(name, "operator"))
		return arena_strndup(w->d->arena, name, (size_t)(cut - name));
	return name;
}

static struct dump_decl *decl_find(struct dump *d, const struct dump_decl *n)
{
	size_t i;

	for (i = 0; i < d->decls.nr; i++) {
		struct dump_decl *o = &d->decls.v[i];

		if (!strcmp(o->pos, n->pos) && !strcmp(o->name, n->name) &&
		    !strcmp(o->header, n->header) && !strcmp(o->kind, n->kind))
			return o;
	}
	return NULL;
}

static void decl_add(struct dump *d, const struct dump_decl *n)
{
	struct dump_decl *o = d->config->cuda ? decl_find(d, n) : NULL;

	if (!o)
		*VEC_PUSH(d->arena, &d->decls) = *n;
	else
		o->builds |= n->builds;
}

static bool listed(const char *const *list, const char *scope)
{
	const char *last = scope, *p;

	for (p = strstr(scope, "::"); p; p = strstr(last, "::"))
		last = p + 2;
	for (; list && *list; list++) {
		size_t n = strlen(*list);

		if (!strcmp(*list, last) ||
		    (!strncmp(*list, scope, n) && (!scope[n] || !strncmp(scope + n, "::", 2))))
			return true;
	}
	return false;
}

static enum CXChildVisitResult visit(CXCursor c, CXCursor parent, CXClientData data);

/* Names in what has no name, and values of an enum that is no class, are seen outside too. */
static void walk_into(struct place *p, CXCursor c, const struct dump_decl *in)
{
	bool open = str_ends(in->name, UNNAMED) ||
		    (!strcmp(in->kind, "enum") && !p->walk->lc->EnumDecl_isScoped(c));
	struct place inner = {.walk = p->walk, .space = p->space,
			      .scope = open ? p->scope : in->name, .pos = in->pos,
			      .depth = p->depth + 1};

	p->walk->lc->visitChildren(c, visit, &inner);
}

static const char *position(struct place *p, unsigned offset)
{
	if (offset != p->last)
		p->seq = 0;
	p->last = offset;
	return arena_fmt(p->walk->d->arena, "%s%08x.%04x.", p->pos, offset, (unsigned)p->seq++);
}

/* "friend" stands behind a template's parameters. */
static const char *friend_text(const struct walk *w, const char *text)
{
	const char *p = text;
	int depth = 0;

	if (str_starts(text, "friend "))
		return text;
	if (str_starts(text, "template <")) {
		for (p += strlen("template "); *p; p++) {
			depth += (*p == '<') - (*p == '>');
			if (!depth)
				break;
		}
		p += *p == '>' ? 1 + (p[1] == ' ') : 0;
	}
	return arena_fmt(w->d->arena, "%.*sfriend %s", (int)(p - text), text, p);
}

static const char *decl_text(struct walk *w, CXCursor c, const char *name, bool friend)
{
	enum CXCursorKind k = w->lc->getCursorKind(c);
	const char *text;

	if (k == CXCursor_EnumConstantDecl && !w->d->config->cuda)
		return "";
	if (!w->d->config->cuda && !is_class(k) && strcmp(kind_word(k), "alias") &&
	    strcmp(kind_word(k), "using") && strcmp(kind_word(k), "namespace"))
		return "";
	if (k == CXCursor_EnumDecl)
		return enum_text(w, c, strcmp(name, UNNAMED) ? name : "");
	if (k == CXCursor_EnumConstantDecl)
		return arena_fmt(w->d->arena, "%s = %lld", name,
				 w->lc->getEnumConstantDeclValue(c));
	if (!strcmp(kind_word(k), "function") || k == CXCursor_CXXMethod ||
	    k == CXCursor_Constructor || k == CXCursor_ConversionFunction)
		text = function_text(w, c);
	else
		text = printed(w, c);
	return friend ? friend_text(w, text) : text;
}

/* A type's other name that is not public: signatures that are public may use it. */
static bool is_hidden(const struct walk *w, CXCursor c)
{
	enum CXCursorKind k = w->lc->getCursorKind(c);

	return w->d->config->cuda &&
	       (k == CXCursor_TypedefDecl || k == CXCursor_TypeAliasDecl ||
		k == CXCursor_TypeAliasTemplateDecl) &&
	       w->lc->getCXXAccessSpecifier(c) != CX_CXXPublic &&
	       w->lc->getCXXAccessSpecifier(c) != CX_CXXInvalidAccessSpecifier;
}

/* One declaration of a listed header, and what is in it. */
static void declare(struct place *p, CXCursor c, bool friend)
{
	struct walk *w = p->walk;
	enum CXCursorKind k = w->lc->getCursorKind(c);
	struct dump_decl n = {.space = p->space, .depth = p->depth, .builds = w->build};
	const char *name;
	unsigned offset;

	n.header = cursor_header(w, c, &offset);
	n.kind = k == CXCursor_EnumConstantDecl ? "value" : friend ? "friend" : kind_word(k);
	if (p->depth && is_hidden(w, c))
		n.kind = "hidden";
	if (!n.header || !n.kind || is_instance(w, c) || (!friend && is_repeated(w, c, p)))
		return;
	name = own_name(w, c);
	if (!*name || (strchr(name, '(') && (is_class(k) || k == CXCursor_EnumDecl)))
		name = UNNAMED;
	if (k == CXCursor_FunctionTemplate && p->depth &&
	    !strcmp(name, spelling(w, w->lc->getCursorSemanticParent(c))))
		n.kind = "constructor";
	else if (k == CXCursor_FunctionTemplate && p->depth && !friend)
		n.kind = "method";
	if (is_explicit_class(w, c))
		n.kind = "specialization";
	else if (is_class(k) && !w->lc->isCursorDefinition(c))
		n.kind = "forward";
	n.name = join(w, friend ? p->space : p->scope, name);
	if (listed(w->d->config->skip, n.name))
		return;
	n.pos = position(p, offset);
	n.text = decl_text(w, c, name, friend);
	n.symbol = w->d->config->cuda ? symbol_of(w, c) : NULL;
	decl_add(w->d, &n);
	if (p->depth >= DEPTH_MAX || (is_class(k) && listed(w->d->config->shallow, p->space)))
		return;
	if (is_class(k) || k == CXCursor_EnumDecl)
		walk_into(p, c, &n);
}

static enum CXChildVisitResult visit_friend(CXCursor c, CXCursor parent, CXClientData data)
{
	struct place *p = data;

	if (kind_word(p->walk->lc->getCursorKind(c)) &&
	    !strcmp(kind_word(p->walk->lc->getCursorKind(c)), "function"))
		declare(p, c, true);
	return CXChildVisit_Continue;
}

static void walk_namespace(struct place *p, CXCursor c)
{
	struct place inner = *p;
	const char *name = spelling(p->walk, c);

	/* Names of an unnamed one are seen outside. */
	if (*name && !strchr(name, '('))
		inner.space = inner.scope = join(p->walk, p->space, name);
	if (strcmp(name, "std") && !listed(p->walk->d->config->skip, inner.space))
		p->walk->lc->visitChildren(c, visit, &inner);
	else if (!strcmp(name, "std") && p->walk->d->config->cuda)
		p->walk->lc->visitChildren(c, visit, &inner);
}

static enum CXChildVisitResult visit(CXCursor c, CXCursor parent, CXClientData data)
{
	struct place *p = data;
	const struct libclang *lc = p->walk->lc;
	enum CXCursorKind k = lc->getCursorKind(c);

	if (p->depth && k != CXCursor_EnumConstantDecl && k != CXCursor_FriendDecl &&
	    lc->getCXXAccessSpecifier(c) != CX_CXXPublic && !is_hidden(p->walk, c))
		return CXChildVisit_Continue;
	if (k == CXCursor_Namespace)
		walk_namespace(p, c);
	else if (k == CXCursor_LinkageSpec || k == CXCursor_UnexposedDecl)
		lc->visitChildren(c, visit, p);
	else if (k == CXCursor_FriendDecl && p->walk->d->config->cuda)
		lc->visitChildren(c, visit_friend, p);
	else if (kind_word(k) || k == CXCursor_EnumConstantDecl)
		declare(p, c, false);
	return CXChildVisit_Continue;
}

/* The value of a macro that is one number or name; "" for an empty one, NULL for anything else. */
static const char *macro_value(struct walk *w, CXCursor c)
{
	CXToken *tokens = NULL;
	unsigned nr = 0;
	const char *value = NULL;
	CXTokenKind kind;

	w->lc->tokenize(w->tu, w->lc->getCursorExtent(c), &tokens, &nr);
	if (nr == 1)
		value = "";
	if (nr == 2) {
		kind = w->lc->getTokenKind(tokens[1]);
		if (kind == CXToken_Literal || kind == CXToken_Identifier ||
		    kind == CXToken_Keyword)
			value = libclang_text(w->lc, w->d->arena,
					      w->lc->getTokenSpelling(w->tu, tokens[1]));
	}
	if (tokens)
		w->lc->disposeTokens(w->tu, tokens, nr);
	return value && !strpbrk(value, "\"\t\n") ? value : nr == 1 ? "" : NULL;
}

static void macro_add(struct walk *w, CXCursor c, const char *header, unsigned offset)
{
	struct dump_macro *m, n = {.name = spelling(w, c), .header = header, .offset = offset};
	size_t i;

	n.builds = w->build;
	n.function = w->lc->Cursor_isMacroFunctionLike(c);
	n.value = n.function ? NULL : macro_value(w, c);
	for (i = 0; i < w->d->macros.nr; i++) {
		m = &w->d->macros.v[i];
		if (strcmp(m->name, n.name))
			continue;
		/* The last definition of a parse is the one that is seen after the header. */
		n.builds |= m->builds;
		*m = n;
		return;
	}
	*VEC_PUSH(w->d->arena, &w->d->macros) = n;
}

static void include_add(struct walk *w, CXCursor c, const char *header, unsigned offset)
{
	struct dump_include n = {.header = header, .builds = w->build}, *o;
	CXFile file = w->lc->getIncludedFile(c);
	size_t i;

	n.target = file_header(w, file);
	if (!n.target)
		n.target = spelling(w, c);
	n.pos = arena_fmt(w->d->arena, "%08x", offset);
	for (i = 0; i < w->d->includes.nr; i++) {
		o = &w->d->includes.v[i];
		if (!strcmp(o->header, n.header) && !strcmp(o->target, n.target)) {
			o->builds |= n.builds;
			return;
		}
	}
	*VEC_PUSH(w->d->arena, &w->d->includes) = n;
}

static enum CXChildVisitResult visit_top(CXCursor c, CXCursor parent, CXClientData data)
{
	struct place *p = data;
	struct walk *w = p->walk;
	enum CXCursorKind k = w->lc->getCursorKind(c);
	const char *header;
	unsigned offset;

	if (k != CXCursor_MacroDefinition && k != CXCursor_InclusionDirective)
		return visit(c, parent, data);
	header = cursor_header(w, c, &offset);
	if (!header)
		return CXChildVisit_Continue;
	if (k == CXCursor_MacroDefinition)
		macro_add(w, c, header, offset);
	else if (w->d->config->cuda)
		include_add(w, c, header, offset);
	return CXChildVisit_Continue;
}

void dump_walk(struct dump *d, const struct libclang *lc, CXTranslationUnit tu, unsigned build)
{
	struct walk w = {.d = d, .lc = lc, .tu = tu, .build = build};
	struct place top = {.walk = &w, .space = "", .scope = "", .pos = ""};

	lc->visitChildren(lc->getTranslationUnitCursor(tu), visit_top, &top);
	if (w.policy)
		lc->PrintingPolicy_dispose(w.policy);
}
