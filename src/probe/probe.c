/* probe.c - the probe in its order: interpreter, inventory, frameworks, libraries, launch. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "probe/internal.h"

#define LIBRARIES_MAX 64

static int library_add(struct probe *p, const char *path, struct err *err)
{
	struct elf_file elf;
	char real[PATH_MAX];

	/* The loader looks a name without a slash up on its path. */
	if (!strchr(path, '/') && realpath(path, real))
		path = arena_strdup(p->arena, real);
	if (elf_read(&elf, p->arena, path, err))
		return -1;
	*VEC_PUSH(p->arena, &p->libraries) = (struct probe_library){.elf = elf};
	return 0;
}

static bool is_named(const struct probe *p, const char *path)
{
	size_t i;

	for (i = 0; i < p->lines.nr; i++)
		if (str_eq(p->lines.v[i].library, path_base(path)))
			return true;
	return false;
}

static bool is_open(const struct elf_file *elf, const char *const *globs)
{
	size_t i;

	for (i = 0; i < elf->undefined.nr; i++)
		if (name_in(globs, elf->undefined.v[i]))
			return true;
	return false;
}

/* Of a folder: what leaves symbols of the runtime open, and what a line names. */
static void folder_libraries(struct probe *p, const char *dir)
{
	struct strings found = {0};
	struct err ignored;
	struct elf_file elf;
	size_t i;

	probe_find(&found, p->arena, dir);
	for (i = 0; i < found.nr; i++) {
		if (elf_read(&elf, p->arena, found.v[i], &ignored) ||
		    !(is_named(p, found.v[i]) || is_open(&elf, p->words->runtime_symbols)))
			continue;
		if (p->libraries.nr < LIBRARIES_MAX)
			*VEC_PUSH(p->arena, &p->libraries) = (struct probe_library){.elf = elf};
		else
			strings_add(&p->not_tested, p->arena,
				    arena_fmt(p->arena, "%s: too many libraries", found.v[i]));
	}
}

static void tree_libraries(struct probe *p)
{
	const struct strings *folders = &p->interpreter.folders, *packages = &p->o->packages;
	char real[PATH_MAX], tree[PATH_MAX];
	size_t i, k;

	if (!p->o->tree || !realpath(p->o->tree, tree))
		return;
	folder_libraries(p, tree);
	for (i = 0; i < folders->nr; i++)
		for (k = 0; k < packages->nr; k++)
			if (realpath(arena_fmt(p->arena, "%s/%s", folders->v[i], packages->v[k]),
				     real) &&
			    !path_under(real, tree))
				folder_libraries(p, arena_strdup(p->arena, real));
}

int probe_run(struct probe *p, struct err *err)
{
	size_t i;

	for (i = 0; i < p->o->libraries.nr; i++)
		if (library_add(p, p->o->libraries.v[i], err))
			return -1;
	if (p->o->static_path && probe_static(p, p->o->static_path, err))
		return -1;
	probe_interpreter(p);
	tree_libraries(p);
	probe_inventory(p);
	probe_imports(p);
	for (i = 0; i < p->libraries.nr; i++)
		probe_library(p, &p->libraries.v[i]);
	probe_tie(p);
	if (p->o->launch)
		probe_launch(p);
	return 0;
}
