/* step.h - what the files of the child's side share. */
#ifndef PROBE_STEP_H
#define PROBE_STEP_H

#include "probe/probe.h"

#define STEP_REPORT 3

/* One line of the report. */
void step_say(const char *key, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* dlopen, with its words in the report when it fails. */
void *step_open(const char *path, int flags);
/* dlsym, with the name in the report when it is not there. */
void *step_symbol(void *handle, const char *name);

/* driver LIBRARY MANAGEMENT: version and devices. */
int step_driver(const char *const *args);
/* launch DRIVER RUNTIME: the kernel on standard input; RUNTIME "none": there is none. */
int step_launch(const char *const *args);

#endif
