/*
 * step.c - what our own program does as a child: load one thing, and say what came of it.
 *
 * Each step says where it is before it goes there ("stage"), so that a crash tells where. Foreign
 * destructors are not run: a step ends with _exit.
 */
#include <dlfcn.h>
#include <link.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/intern.h"
#include "probe/step.h"

#define TEXT_MAX 4096

void step_say(const char *key, const char *fmt, ...)
{
	char text[TEXT_MAX];
	va_list ap;
	size_t i;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	for (i = 0; text[i]; i++)
		if (text[i] == '\t' || text[i] == '\n' || text[i] == '\r')
			text[i] = ' ';
	dprintf(STEP_REPORT, "%s\t%s\n", key, text);
}

void *step_open(const char *path, int flags)
{
	void *handle;

	dlerror();
	handle = dlopen(path, flags);
	if (!handle)
		step_say("words", "%s", dlerror());
	return handle;
}

void *step_symbol(void *handle, const char *name)
{
	void *at = dlsym(handle, name);

	if (!at)
		step_say("missing", "%s", name);
	return at;
}

static void say_path(void *handle)
{
	struct link_map *map = NULL;

	if (!dlinfo(handle, RTLD_DI_LINKMAP, &map) && map && map->l_name && *map->l_name)
		step_say("path", "%s", map->l_name);
}

static void say_runtimes(void)
{
	struct strbuf maps = STRBUF_INIT;
	struct map_runtimes v = {0};
	struct arena a = {0};
	size_t i;

	proc_read(&maps, "/proc/self/maps");
	maps_runtimes(&v, &a, maps.buf, maps.len);
	for (i = 0; i < v.nr; i++)
		step_say("runtime", "%s", v.v[i].path);
	strbuf_release(&maps);
	arena_free(&a);
}

/* resolve NAME: what the loader takes for it. */
static int step_resolve(const char *const *args)
{
	void *handle;

	step_say("stage", "load");
	handle = step_open(args[0], RTLD_LAZY | RTLD_LOCAL);
	if (handle)
		say_path(handle);
	return handle ? 0 : 1;
}

/* runtime PATH: its version in its own words. */
static int step_runtime(const char *const *args)
{
	int (*version)(int *), n = 0, ret;
	void *handle;

	step_say("stage", "load");
	handle = step_open(args[0], RTLD_NOW | RTLD_LOCAL);
	if (!handle)
		return 1;
	*(void **)&version = step_symbol(handle, "cudaRuntimeGetVersion");
	if (!version)
		return 1;
	step_say("stage", "call");
	ret = version(&n);
	if (ret)
		step_say("words", "cudaRuntimeGetVersion gives error %d", ret);
	else
		step_say("version", "%d.%d", n / 1000, n % 1000 / 10);
	return ret != 0;
}

static bool preload(const char *mode, const char *path)
{
	int scope = strcmp(mode, "global") ? RTLD_LOCAL : RTLD_GLOBAL;

	if (!strcmp(mode, "none"))
		return true;
	step_say("stage", "preload");
	dlerror();
	if (dlopen(path, RTLD_LAZY | scope)) {
		step_say("preload", "ok");
		return true;
	}
	step_say("preload", "%s", dlerror());
	return false;
}

/* load BINDING MODE PRELOAD LIBRARY */
static int step_load(const char *const *args)
{
	void *handle;

	if (!preload(args[1], args[2]))
		return 1;
	step_say("stage", "load");
	dlerror();
	handle = dlopen(args[3], (strcmp(args[0], "lazy") ? RTLD_NOW : RTLD_LAZY) | RTLD_LOCAL);
	if (handle)
		step_say("load", "ok");
	else
		step_say("load", "%s", dlerror());
	say_runtimes();
	return handle ? 0 : 1;
}

static const struct {
	const char *name;
	int nr;
	int (*run)(const char *const *args);
} steps[] = {
	{"resolve", 1, step_resolve}, {"runtime", 1, step_runtime}, {"load", 4, step_load},
	{"driver", 2, step_driver},   {"launch", 2, step_launch},
};

int probe_step(const char *const *args, int nr)
{
	size_t i;

	for (i = 0; nr && i < sizeof(steps) / sizeof(*steps); i++)
		if (!strcmp(steps[i].name, args[0]) && nr - 1 == steps[i].nr)
			_exit(steps[i].run(args + 1));
	return -1;
}
