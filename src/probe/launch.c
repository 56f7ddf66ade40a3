/*
 * launch.c - the kernel on the device: nvcc's PTX where the build had it, else our own; our own as well
 * where the driver is too old for nvcc's.
 */
#include <string.h>

#include "probe/internal.h"

/* Made at build time by nvcc, empty without it; see Makefile. */
extern const char probe_kernel_nvcc[];

static struct child_result launch(const struct probe *p, const char *kernel)
{
	const char *runtime = "none", *argv[] = {NULL, "probe-step", "launch", p->words->driver, NULL, NULL};
	struct child c = {.argv = argv, .input = kernel, .seconds = p->o->seconds};
	size_t i;

	for (i = 0; i < p->runtimes.nr && !strcmp(runtime, "none"); i++)
		if (p->runtimes.v[i].usable)
			runtime = p->runtimes.v[i].path;
	argv[4] = runtime;
	return child_run(&c, p->arena);
}

static void launch_take(struct probe *p, const struct child_result *r, const char *kernel)
{
	struct probe_launch *l = &p->launch;
	VEC(struct child_row) v = {0};
	size_t i;

	l->kernel = kernel;
	l->result = child_value(r, "result");
	l->words = r->end != CHILD_EXIT ? child_words(r, p->arena) : child_value(r, "words");
	if (!l->result) {
		l->result = "fails";
		if (!l->words)
			l->words = child_words(r, p->arena);
	}
	for (i = 0; i < r->nr_rows; i++)
		if (strchr(r->rows[i].key, '.'))
			*VEC_PUSH(p->arena, &v) = r->rows[i];
	l->rows = v.v;
	l->nr_rows = v.nr;
}

void probe_launch(struct probe *p)
{
	struct child_result r;

	if (!p->driver.nr_devices)
		return;
	if (*probe_kernel_nvcc) {
		r = launch(p, probe_kernel_nvcc);
		launch_take(p, &r, "nvcc");
		if (strcmp(p->launch.result, "fails"))
			return;
	}
	r = launch(p, p->words->kernel);
	launch_take(p, &r, "own");
}
