/* exports.c - what a dynamic library defines and exports: its table .dynsym, through libelf. */
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

#include "cxx/dump.h"

static void section_read(struct exports *x, struct arena *a, Elf *elf, Elf_Scn *scn,
			 const GElf_Shdr *head)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t nr = head->sh_entsize ? head->sh_size / head->sh_entsize : 0, i;
	GElf_Sym sym;

	for (i = 0; data && i < nr && gelf_getsym(data, (int)i, &sym); i++) {
		unsigned bind = GELF_ST_BIND(sym.st_info);
		const char *name = elf_strptr(elf, head->sh_link, sym.st_name);

		if (sym.st_shndx != SHN_UNDEF && (bind == STB_GLOBAL || bind == STB_WEAK) && name &&
		    *name)
			*VEC_PUSH(a, x) = arena_strdup(a, name);
	}
}

int exports_read(struct exports *x, struct arena *a, const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret = 0;
	Elf_Scn *scn = NULL;
	GElf_Shdr head;
	Elf *elf;

	if (fd < 0)
		return err_errno(err, "%s", path);
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (!elf || elf_kind(elf) != ELF_K_ELF)
		ret = err_set(err, "%s: no ELF file", path);
	while (!ret && (scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &head) && head.sh_type == SHT_DYNSYM)
			section_read(x, a, elf, scn, &head);
	elf_end(elf);
	close(fd);
	return ret;
}

static int name_compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void exports_sort(struct exports *x)
{
	if (x->nr)
		qsort(x->v, x->nr, sizeof(*x->v), name_compare);
}

bool exports_has(const struct exports *x, const char *symbol)
{
	return x->nr && bsearch(&symbol, x->v, x->nr, sizeof(*x->v), name_compare);
}
