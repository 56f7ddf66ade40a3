/* builtins.c - names that Python itself defines, sorted by bytes: never resolved through a star import. */
#include "py/file.h"

static const char *const builtin_names[] = {
	"ArithmeticError", "AssertionError", "AttributeError", "BaseException", "BaseExceptionGroup",
	"BlockingIOError", "BrokenPipeError", "BufferError", "BytesWarning", "ChildProcessError",
	"ConnectionAbortedError", "ConnectionError", "ConnectionRefusedError", "ConnectionResetError",
	"DeprecationWarning", "EOFError", "Ellipsis", "EncodingWarning", "EnvironmentError", "Exception",
	"ExceptionGroup", "False", "FileExistsError", "FileNotFoundError", "FloatingPointError",
	"FutureWarning", "GeneratorExit", "IOError", "ImportError", "ImportWarning", "IndentationError",
	"IndexError", "InterruptedError", "IsADirectoryError", "KeyError", "KeyboardInterrupt",
	"LookupError", "MemoryError", "ModuleNotFoundError", "NameError", "None", "NotADirectoryError",
	"NotImplemented", "NotImplementedError", "OSError", "OverflowError", "PendingDeprecationWarning",
	"PermissionError", "ProcessLookupError", "RecursionError", "ReferenceError", "ResourceWarning",
	"RuntimeError", "RuntimeWarning", "StopAsyncIteration", "StopIteration", "SyntaxError",
	"SyntaxWarning", "SystemError", "SystemExit", "TabError", "TimeoutError", "True", "TypeError",
	"UnboundLocalError", "UnicodeDecodeError", "UnicodeEncodeError", "UnicodeError",
	"UnicodeTranslateError", "UnicodeWarning", "UserWarning", "ValueError", "Warning", "WindowsError",
	"ZeroDivisionError", "__build_class__", "__builtins__", "__debug__", "__doc__", "__file__",
	"__import__", "__loader__", "__name__", "__package__", "__path__", "__spec__", "abs", "aiter",
	"all", "anext", "any", "ascii", "basestring", "bin", "bool", "breakpoint", "bytearray", "bytes",
	"callable", "chr", "classmethod", "compile", "complex", "copyright", "credits", "delattr", "dict",
	"dir", "divmod", "enumerate", "eval", "exec", "exit", "filter", "float", "format", "frozenset",
	"getattr", "globals", "hasattr", "hash", "help", "hex", "id", "input", "int", "isinstance",
	"issubclass", "iter", "len", "license", "list", "locals", "long", "map", "max", "memoryview",
	"min", "next", "object", "oct", "open", "ord", "pow", "print", "property", "quit", "range",
	"raw_input", "repr", "reversed", "round", "set", "setattr", "slice", "sorted", "staticmethod",
	"str", "sum", "super", "tuple", "type", "unichr", "unicode", "vars", "xrange", "zip",
};

bool is_builtin_name(const char *s, size_t len)
{
	size_t lo = 0, hi = sizeof(builtin_names) / sizeof(*builtin_names);

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const char *word = builtin_names[mid];
		int c = strncmp(s, word, len);

		if (!c)
			c = word[len] ? -1 : 0;
		if (!c)
			return true;
		if (c < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return false;
}
