/*
 * probe.h - the machine: which CUDA runtimes there are, and what loads with which of them.
 *
 * Foreign code runs in children only, one for each question (child.c starts them, step.c is what our own
 * ones do); a child's exit, signal, hang or flood is an answer. Neither the driver nor the runtime is
 * linked. Words and places are in rules/probe/probe.yml. Paths are those of the machine, not of a tree.
 * Everything lives in the caller's arena.
 */
#ifndef PROBE_PROBE_H
#define PROBE_PROBE_H

#include "base/json.h"
#include "model.h"

/* ---- knowledge: rules/probe/probe.yml ---------------------------------------------------------- */

/* What is asked of a framework once it is imported: name and Python expression, in turn; ends with NULL. */
struct probe_framework {
	const char *root;
	const char *const *current;
};

struct probe_words {
	const char *symbol;			/* of the runtime, asked for in the global scope */
	const char *driver;			/* name of the driver's library for the loader */
	const char *management;			/* library that knows the driver's version */
	const char *const *runtime_symbols;	/* globs */
	const char *const *driver_symbols;
	const char *const *interpreter_symbols; /* open in what only an interpreter can load */
	const char *const *runtime_files;	/* globs of base names */
	const char *const *sonames;		/* names a loader may be asked for */
	const char *const *pip;			/* globs below a folder of the import path */
	const char *const *homes;		/* environment variables that name a toolkit */
	const char *const *home_default;
	const char *const *home_dirs;		/* globs below a toolkit */
	const char *const *system_dirs;
	const char *const *loaders;		/* Python calls that load a library, dotted */
	const char *const *native_loaders;	/* C functions that do */
	const char *const *upstream_libraries;	/* globs of names that an extension may depend on */
	const char *const *upstream_scopes;	/* C++ namespaces, "at::" */
	const char *const *taken;		/* globs of library names that the target ships too */
	const struct probe_framework *frameworks; /* ends with a NULL root */
	const char *script;			/* what an interpreter is given */
	const char *kernel;			/* PTX text of our own */
};

int probe_words_load(struct probe_words **out, struct arena *a, const struct assets *assets,
		     struct err *err);

/* ---- children ------------------------------------------------------------------------------------ */

enum child_end { CHILD_EXIT, CHILD_SIGNAL, CHILD_HANG, CHILD_FLOOD, CHILD_NOT_STARTED };

struct child {
	const char *const *argv;  /* argv[0] NULL: our own program */
	const char *set, *unset;  /* one NAME=VALUE, one name; NULL: none */
	const char *path_first;	  /* folder put before PYTHONPATH, NULL: none */
	const char *dir;	  /* to run in, NULL: here */
	const char *input;	  /* on standard input, NULL: nothing */
	int seconds;
};

/* One line of a child's report: a word and a value. */
struct child_row {
	const char *key, *value;
};

struct child_result {
	enum child_end end;
	int code;	  /* exit status, signal, or errno */
	const char *said; /* start of what it printed, both streams */
	struct child_row *rows;
	size_t nr_rows;
};

/* Run a child to its end or its limit. Nothing of it is left: no process, no descriptor. */
struct child_result child_run(const struct child *c, struct arena *a);
/* The first value of a word, NULL for none. */
const char *child_value(const struct child_result *r, const char *key);
/* The end in words: "exit 1", "signal 6", "no end within 20 s". */
const char *child_words(const struct child_result *r, struct arena *a);
/* Add all of a file of /proc, which has no size; nothing where it cannot be read. */
void proc_read(struct strbuf *out, const char *path);
/* What our own program does as a child; gives the exit status. */
int probe_step(const char *const *args, int nr);

/* ---- ELF ------------------------------------------------------------------------------------------ */

struct elf_file {
	const char *path;	/* as found; inside an archive ARCHIVE!PATH */
	const char *soname, *rpath, *runpath, *build_id; /* NULL: none */
	const char *machine;	/* "x86-64", "aarch64" or a number */
	bool bind_now, module;	/* lazy binding is off; it exports an extension module's entry */
	struct strings needed, undefined; /* undefined: strong ones, in order of bytes */
	struct strings weak;
};

/* -1: not a shared object or broken. */
int elf_read(struct elf_file *out, struct arena *a, const char *path, struct err *err);
int elf_read_bytes(struct elf_file *out, struct arena *a, const char *path, const char *data,
		   size_t len, struct err *err);

/* ---- memory maps ---------------------------------------------------------------------------------- */

/* A runtime that is mapped into a process: segments of one file are one. */
struct map_runtime {
	const char *path;
	const char *inode; /* "08:02 611" */
	const char *major; /* "12", "" when the name does not tell */
	uint32_t line;	   /* first of it, from 1 */
	struct span span;  /* the path in the text */
};

struct map_runtimes {
	struct map_runtime *v;
	size_t nr, alloc;
};

/* Whether the text is a written-down /proc/PID/maps: its first lines all are segments. */
bool maps_is(const char *text, size_t len);
void maps_runtimes(struct map_runtimes *out, struct arena *a, const char *text, size_t len);
/* Facts of a written-down map: a FACT_SETTING for each of several runtimes. */
void maps_facts(struct source *s, const char *text, size_t len, struct arena *a);
bool runtime_name(const char *base, const char **major, struct arena *a);

/* ---- the answers ----------------------------------------------------------------------------------- */

struct probe_runtime {
	const char *path, *real;
	const char *origin; /* "pip", "home", "system", "loader" */
	const char *soname, *build_id, *version, *words; /* version as the library says it: "12.8" */
	uint64_t dev, ino;
	const char **also; /* other paths of the same file */
	size_t nr_also;
	bool usable;
};

struct probe_device {
	const char *name, *capability, *uuid, *memory;
};

struct probe_driver {
	const char *path, *words; /* why there is none */
	const char *cuda, *version;
	struct probe_device *devices;
	size_t nr_devices;
};

/* What the loader takes for a name: as things are, and without LD_LIBRARY_PATH. */
struct probe_loader {
	const char *soname, *path, *without, *words;
	const char *interpreter; /* in the interpreter, NULL: not asked or not found */
};

struct probe_load {
	const char *preload, *mode; /* NULL, or path and "local", "global" or "import" */
	const char *binding;	    /* "lazy" or "now" */
	const char *result;	    /* "loads", "fails", "preload_fails", "signal", "hang", "flood", "exit" */
	const char *words;	    /* the loader's, or how the child ended */
	const char *runtimes;	    /* paths of the runtimes mapped then, one a line */
};

/* A line of the tree that loads a library. */
struct probe_line {
	const char *path;
	uint32_t line;
	const char *name, *symbol, *snippet;
	const char *library; /* base name where a literal tells, else NULL */
	bool lazy;	     /* runs when a function is called */
	const char **rules;  /* rules with a finding on that line, "PD505" */
	size_t nr_rules;
};

struct probe_library {
	struct elf_file elf;
	struct strings runtime_symbols, driver_symbols;
	bool interpreter; /* only an interpreter can load it */
	struct probe_load *loads;
	size_t nr_loads, alloc_loads;
	/* "not_needed", "needed", "not_cured", "fails", "not_tested" */
	const char *verdict, *because;
	const char *preload, *preload_mode;
	bool lazy_hides;
	const struct probe_line **lines;
	size_t nr_lines;
};

struct probe_import {
	const char *name, *version, *words; /* words: why the import failed */
	bool installed, imported, before, after;
	struct map_runtimes runtimes;
	struct child_row *current; /* what the framework says of device and stream */
	size_t nr_current;
};

struct probe_interpreter {
	const char *path, *version, *words;
	struct strings folders; /* its import path */
	struct probe_import *imports;
	size_t nr_imports;
};

struct probe_launch {
	const char *kernel; /* "nvcc" or "own" */
	const char *result; /* "right", "wrong", "fails" or NULL: not tried */
	const char *words;
	struct child_row *rows; /* what else the step said */
	size_t nr_rows;
};

struct probe_symbol {
	const char *symbol, *name, *row;
	enum verdict verdict;
};

struct probe_static_file {
	struct elf_file elf;
	struct strings upstream, runtime, taken;
	struct probe_symbol *symbols;
	size_t nr_symbols;
};

struct probe_static {
	const char *path;
	struct probe_static_file *files;
	size_t nr_files, alloc_files;
};

struct probe_try {
	const char *result, *words, *runtimes;
};

struct probe_patch {
	const char *module, *rule, *words;
	struct probe_try before, after;
};

struct probe_options {
	const char *python; /* NULL: none is run */
	struct strings libraries;
	const char *tree;	 /* folder whose libraries are tested as well, NULL: none */
	struct strings packages; /* and those of these packages on the import path */
	const char *static_path; /* NULL: no static part */
	int seconds;
	bool launch;
	/* The database's word on an undefined symbol; NULL: not asked. */
	void (*lookup)(void *ctx, struct arena *a, struct probe_symbol *s);
	void *lookup_ctx;
	void (*say)(void *ctx, const char *text); /* what is about to run */
	void *say_ctx;
};

struct probe {
	struct arena *arena;
	const struct probe_words *words;
	const struct probe_options *o;
	struct probe_driver driver;
	VEC(struct probe_runtime) runtimes;
	VEC(struct probe_loader) loaders;
	VEC(struct probe_library) libraries;
	VEC(struct probe_line) lines;
	struct probe_interpreter interpreter;
	struct probe_launch launch;
	struct probe_static statics;
	struct probe_patch *patch; /* NULL: not asked */
	const char *repo;	   /* NULL: none */
	struct strings not_tested;
};

/*
 * The whole probe but what needs a result of the line. Children that fail are answers; -1 only where the
 * question itself is wrong (a --lib that is not there).
 */
int probe_run(struct probe *p, struct err *err);
/* Lines of the tree that load libraries, from a result, with the rules that hold there. Before probe_run. */
void probe_lines(struct probe *p, const struct result *r);
/* Shared objects below a folder, sorted; vendored and hidden folders too, links not followed. */
void probe_find(struct strings *out, struct arena *a, const char *dir);
/*
 * Import `module` from `tree` in a fresh interpreter behind the frameworks and the `use` line (NULL:
 * none); what came of it.
 */
struct probe_try probe_try(const struct probe *p, const char *tree, const char *use,
			   const char *module);
int probe_static(struct probe *p, const char *path, struct err *err);
/* "at::Tensor::size" of a mangled name, without arguments; NULL when it is no plain nested name. */
const char *symbol_name(struct arena *a, const char *mangled);

/* Files of a wheel: calls fn for each that ends in ".so" or holds ".so.". -1: no archive, or broken. */
typedef int (*zip_fn)(void *ctx, const char *name, const char *data, size_t len, struct err *err);
int zip_each(const char *path, zip_fn fn, void *ctx, struct err *err);

void probe_json(struct strbuf *out, const struct probe *p, const char *tool, const char *version);
void probe_text(struct strbuf *out, const struct probe *p, bool verbose);

#endif
