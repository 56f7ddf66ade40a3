/* internal.h - what the files of probe/ share. */
#ifndef PROBE_INTERNAL_H
#define PROBE_INTERNAL_H

#include <stdarg.h>

#include "base/intern.h"
#include "probe/probe.h"

#define STEP_ARGS_MAX 8

/* Say what is about to run. */
void probe_say(const struct probe *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A step of our own program; args end with NULL. */
struct child_result probe_step_run(const struct probe *p, const char *const *args);
/* An action of the interpreter's script; path_first: NULL, or a folder it imports from first. */
struct child_result probe_python_run(const struct probe *p, const char *const *args,
				     const char *path_first);
/* One library's table and verdict, once the runtimes are known. */
void probe_library(struct probe *p, struct probe_library *lib);
/* Tie libraries to lines by name. */
void probe_tie(struct probe *p);
bool name_in(const char *const *globs, const char *name);
void probe_inventory(struct probe *p);
/* The interpreter's import path; then its frameworks. */
void probe_interpreter(struct probe *p);
void probe_imports(struct probe *p);
void probe_launch(struct probe *p);
void probe_json_texts(struct json *j, const char *key, const char *const *v, size_t nr);
/* The keys of an object that tells about a shared object. */
void probe_json_elf(struct json *j, const struct elf_file *f);
void probe_json_static(struct json *j, const struct probe_static *s);
void probe_text_static(struct strbuf *out, const struct probe_static *s, bool verbose);

#endif
