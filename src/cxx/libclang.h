/*
 * libclang.h - libclang as one table of functions, loaded when it is asked for.
 *
 * The build needs the headers of clang-c only; a machine without the library loses what needs it and
 * gets a notice. Private to this folder. Members have the library's names without "clang_".
 */
#ifndef CXX_LIBCLANG_H
#define CXX_LIBCLANG_H

#include <clang-c/Index.h>

#include "base/arena.h"
#include "base/err.h"

#define LIBCLANG_OLDEST 16

/* What is used of the library. All of it is there since LIBCLANG_OLDEST. */
#define LIBCLANG_FUNCTIONS(X)                                                                      \
	X(Cursor_getMangling)                                                                      \
	X(Cursor_getNumTemplateArguments)                                                          \
	X(Cursor_getSpellingNameRange)                                                             \
	X(Cursor_isAnonymous)                                                                      \
	X(Cursor_isMacroFunctionLike)                                                              \
	X(CXXMethod_isDefaulted)                                                                   \
	X(CXXMethod_isDeleted)                                                                     \
	X(CXXMethod_isPureVirtual)                                                                 \
	X(CXXMethod_isStatic)                                                                      \
	X(Cursor_getArgument)                                                                      \
	X(Cursor_getNumArguments)                                                                  \
	X(EnumDecl_isScoped)                                                                       \
	X(PrintingPolicy_dispose)                                                                  \
	X(PrintingPolicy_setProperty)                                                              \
	X(createIndex)                                                                             \
	X(disposeDiagnostic)                                                                       \
	X(disposeIndex)                                                                            \
	X(disposeSourceRangeList)                                                                  \
	X(disposeString)                                                                           \
	X(disposeTokens)                                                                           \
	X(disposeTranslationUnit)                                                                  \
	X(equalCursors)                                                                            \
	X(formatDiagnostic)                                                                        \
	X(getCString)                                                                              \
	X(getCXXAccessSpecifier)                                                                   \
	X(getAllSkippedRanges)                                                                     \
	X(getCanonicalCursor)                                                                      \
	X(getCanonicalType)                                                                        \
	X(getChildDiagnostics)                                                                     \
	X(getClangVersion)                                                                         \
	X(getCursor)                                                                               \
	X(getCursorAvailability)                                                                   \
	X(getCursorDefinition)                                                                     \
	X(getCursorDisplayName)                                                                    \
	X(getCursorExtent)                                                                         \
	X(getCursorKind)                                                                           \
	X(getCursorLocation)                                                                       \
	X(getCursorPrettyPrinted)                                                                  \
	X(getCursorPrintingPolicy)                                                                 \
	X(getCursorReferenced)                                                                     \
	X(getCursorResultType)                                                                     \
	X(getCursorSemanticParent)                                                                 \
	X(getCursorSpelling)                                                                       \
	X(getCursorType)                                                                           \
	X(getDiagnostic)                                                                           \
	X(getDiagnosticInSet)                                                                      \
	X(getDiagnosticLocation)                                                                   \
	X(getDiagnosticSeverity)                                                                   \
	X(getDiagnosticSpelling)                                                                   \
	X(getEnumConstantDeclValue)                                                                \
	X(getEnumDeclIntegerType)                                                                  \
	X(getExpansionLocation)                                                                    \
	X(getFile)                                                                                 \
	X(getFileLocation)                                                                         \
	X(getFileName)                                                                             \
	X(getIncludedFile)                                                                         \
	X(getInclusions)                                                                           \
	X(getLocationForOffset)                                                                    \
	X(getNullCursor)                                                                           \
	X(getNumDiagnostics)                                                                       \
	X(getNumDiagnosticsInSet)                                                                  \
	X(getRange)                                                                                \
	X(getRangeEnd)                                                                             \
	X(getRangeStart)                                                                           \
	X(getSpellingLocation)                                                                     \
	X(getSpecializedCursorTemplate)                                                            \
	X(getTokenKind)                                                                            \
	X(getTokenSpelling)                                                                        \
	X(getTranslationUnitCursor)                                                                \
	X(getTypeDeclaration)                                                                      \
	X(getTypeSpelling)                                                                         \
	X(getTypedefDeclUnderlyingType)                                                            \
	X(isCursorDefinition)                                                                      \
	X(Location_isFromMainFile)                                                                 \
	X(parseTranslationUnit2)                                                                   \
	X(saveTranslationUnit)                                                                     \
	X(Cursor_isNull)                                                                           \
	X(toggleCrashRecovery)                                                                     \
	X(tokenize)                                                                                \
	X(visitChildren)

struct libclang {
	const char *path;     /* as it was given to the loader */
	const char *version;  /* the library's own words */
	unsigned major;
	const char *resource; /* folder of its own headers, for -resource-dir; NULL: not found */
#define X(name) __typeof__(&clang_##name) name;
	LIBCLANG_FUNCTIONS(X)
#undef X
};

/*
 * Load `path`, or where it is NULL $PDMIGRATE_LIBCLANG, or else the newest one installed. Never unloaded:
 * the library keeps state of the process. -1 with what was missing in err: nothing, too old, or without
 * a function.
 */
int libclang_load(struct libclang *lc, struct arena *a, const char *path, struct err *err);
/* The text of `s` in `a`, "" for none; disposes of `s`. */
const char *libclang_text(const struct libclang *lc, struct arena *a, CXString s);

#endif
