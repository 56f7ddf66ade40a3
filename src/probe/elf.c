/*
 * elf.c - what a shared object says of itself: its dynamic section and symbols, through libelf.
 *
 * Nothing of it is loaded. Hostile files are libelf's to refuse; every index it gives is checked.
 */
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

#include "probe/probe.h"

#define ENTRY "PyInit_"

static void dynamic_read(struct elf_file *f, struct arena *a, Elf *elf, Elf_Scn *scn,
			 const GElf_Shdr *head)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t nr = head->sh_entsize ? head->sh_size / head->sh_entsize : 0, i;
	GElf_Dyn dyn;

	for (i = 0; data && i < nr && gelf_getdyn(data, (int)i, &dyn); i++) {
		const char *text = elf_strptr(elf, head->sh_link, dyn.d_un.d_ptr);

		if (dyn.d_tag == DT_FLAGS)
			f->bind_now |= (dyn.d_un.d_val & DF_BIND_NOW) != 0;
		else if (dyn.d_tag == DT_FLAGS_1)
			f->bind_now |= (dyn.d_un.d_val & DF_1_NOW) != 0;
		else if (dyn.d_tag == DT_BIND_NOW)
			f->bind_now = true;
		else if (!text)
			continue;
		else if (dyn.d_tag == DT_NEEDED)
			strings_add(&f->needed, a, arena_strdup(a, text));
		else if (dyn.d_tag == DT_SONAME)
			f->soname = arena_strdup(a, text);
		else if (dyn.d_tag == DT_RPATH)
			f->rpath = arena_strdup(a, text);
		else if (dyn.d_tag == DT_RUNPATH)
			f->runpath = arena_strdup(a, text);
	}
}

static void symbols_read(struct elf_file *f, struct arena *a, Elf *elf, Elf_Scn *scn,
			 const GElf_Shdr *head)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t nr = head->sh_entsize ? head->sh_size / head->sh_entsize : 0, i;
	GElf_Sym sym;

	for (i = 1; data && i < nr && gelf_getsym(data, (int)i, &sym); i++) {
		const char *name = elf_strptr(elf, head->sh_link, sym.st_name);
		unsigned bind = GELF_ST_BIND(sym.st_info);

		if (!name || !*name)
			continue;
		if (sym.st_shndx != SHN_UNDEF)
			f->module |= str_starts(name, ENTRY);
		else if (bind == STB_WEAK)
			strings_add(&f->weak, a, arena_strdup(a, name));
		else if (bind == STB_GLOBAL)
			strings_add(&f->undefined, a, arena_strdup(a, name));
	}
}

static void note_read(struct elf_file *f, struct arena *a, Elf_Scn *scn)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t at = 0, next, name_at, desc_at;
	struct strbuf hex = STRBUF_INIT;
	GElf_Nhdr note;
	unsigned i;

	while (data && !f->build_id &&
	       (next = gelf_getnote(data, at, &note, &name_at, &desc_at)) > 0) {
		const unsigned char *desc = (const unsigned char *)data->d_buf + desc_at;

		at = next;
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof("GNU") ||
		    memcmp((const char *)data->d_buf + name_at, "GNU", sizeof("GNU")))
			continue;
		for (i = 0; i < note.n_descsz; i++)
			strbuf_addf(&hex, "%02x", desc[i]);
		f->build_id = arena_strdup(a, hex.buf);
	}
	strbuf_release(&hex);
}

static int text_compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void strings_sort(struct strings *s)
{
	size_t i, nr = 0;

	if (s->nr)
		qsort(s->v, s->nr, sizeof(*s->v), text_compare);
	/* A symbol stands in the table once for each version. */
	for (i = 0; i < s->nr; i++)
		if (!nr || strcmp(s->v[nr - 1], s->v[i]))
			s->v[nr++] = s->v[i];
	s->nr = nr;
}

static const char *machine_name(struct arena *a, unsigned machine)
{
	if (machine == EM_X86_64)
		return "x86-64";
	if (machine == EM_AARCH64)
		return "aarch64";
	return arena_fmt(a, "%u", machine);
}

static int elf_take(struct elf_file *f, struct arena *a, Elf *elf, struct err *err)
{
	Elf_Scn *scn = NULL;
	GElf_Ehdr head;
	GElf_Shdr section;

	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &head) ||
	    head.e_type != ET_DYN)
		return err_set(err, "%s: no shared object", f->path);
	f->machine = machine_name(a, head.e_machine);
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &section))
			continue;
		if (section.sh_type == SHT_DYNAMIC)
			dynamic_read(f, a, elf, scn, &section);
		else if (section.sh_type == SHT_DYNSYM)
			symbols_read(f, a, elf, scn, &section);
		else if (section.sh_type == SHT_NOTE)
			note_read(f, a, scn);
	}
	strings_sort(&f->undefined);
	strings_sort(&f->weak);
	return 0;
}

int elf_read(struct elf_file *out, struct arena *a, const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), ret;
	Elf *elf;

	*out = (struct elf_file){.path = path};
	if (fd < 0)
		return err_errno(err, "%s", path);
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	ret = elf_take(out, a, elf, err);
	elf_end(elf);
	close(fd);
	return ret;
}

int elf_read_bytes(struct elf_file *out, struct arena *a, const char *path, const char *data,
		   size_t len, struct err *err)
{
	Elf *elf;
	int ret;

	*out = (struct elf_file){.path = path};
	elf_version(EV_CURRENT);
	elf = elf_memory((char *)data, len);
	ret = elf_take(out, a, elf, err);
	elf_end(elf);
	return ret;
}
