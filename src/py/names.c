/* names.c - the name table of one file and the entries of its scopes; see file.h. */
#include "py/collect.h"

static const char *const known_words[NAME_NR] = {
#define NAME(word, text) [NAME_##word] = text,
#include "py/names.def"
#undef NAME
};

static uint32_t name_hash(const char *s, uint32_t len)
{
	uint32_t h = 2166136261u, i;

	for (i = 0; i < len; i++)
		h = (h ^ (unsigned char)s[i]) * 16777619u;
	return h ^ h >> 15;
}

static uint32_t *name_slot(const struct pyfile *f, const char *s, uint32_t len, uint32_t hash)
{
	uint32_t i = hash & (f->name_size - 1);

	while (f->name_slots[i]) {
		const struct name *n = &f->names.v[f->name_slots[i]];

		if (n->hash == hash && n->len == len && !memcmp(n->s, s, len))
			break;
		i = (i + 1) & (f->name_size - 1);
	}
	return &f->name_slots[i];
}

static void name_grow(struct pyfile *f)
{
	uint32_t i;

	f->name_size = f->name_size ? f->name_size * 2 : 1024;
	f->name_slots = arena_array(&f->w->scratch, f->name_size, sizeof(*f->name_slots));
	for (i = 1; i < f->names.nr; i++) {
		const struct name *n = &f->names.v[i];

		*name_slot(f, n->s, n->len, n->hash) = i;
	}
}

static void names_init(struct pyfile *f)
{
	uint32_t i;

	VEC_PUSH(&f->w->scratch, &f->names);
	name_grow(f);
	for (i = 1; i < NAME_NR; i++)
		if (name_id(f, known_words[i], (uint32_t)strlen(known_words[i])) != i)
			BUG("known name '%s' stands twice", known_words[i]);
	for (i = NAME_INSTALL_REQUIRES; i <= NAME_EXTRAS_REQUIRE; i++)
		f->names.v[i].require = (uint8_t)i;
}

uint32_t name_id(struct pyfile *f, const char *s, uint32_t len)
{
	uint32_t hash = name_hash(s, len), *slot;
	struct name *n;

	if (!f->names.nr)
		names_init(f);
	slot = name_slot(f, s, len, hash);
	if (*slot)
		return *slot;
	if (f->names.nr * 2 >= f->name_size) {
		name_grow(f);
		slot = name_slot(f, s, len, hash);
	}
	*slot = (uint32_t)f->names.nr;
	n = VEC_PUSH(&f->w->scratch, &f->names);
	n->s = s;
	n->len = len;
	n->hash = hash;
	return (uint32_t)f->names.nr - 1;
}

uint32_t name_find(const struct pyfile *f, const char *s, uint32_t len)
{
	return f->name_size ? *name_slot(f, s, len, name_hash(s, len)) : 0;
}

uint32_t node_name(struct pyfile *f, uint32_t node)
{
	struct node *n = &f->t.v[node];

	if (!n->name)
		n->name = name_id(f, f->text + n->start, n->end - n->start);
	return n->name;
}

struct name *name_of(struct pyfile *f, uint32_t node)
{
	uint32_t id = node_name(f, node); /* may move names.v */

	return &f->names.v[id];
}

static uint32_t *entry_slot(const struct pyfile *f, uint32_t scope, uint32_t name)
{
	uint32_t h = (scope * 2654435761u) ^ (name * 2246822519u), i;

	h ^= h >> 15;
	for (i = h & (f->entry_size - 1); f->entry_slots[i]; i = (i + 1) & (f->entry_size - 1)) {
		const struct entry *e = &f->entries.v[f->entry_slots[i] - 1];

		if (e->scope == scope && e->name == name)
			break;
	}
	return &f->entry_slots[i];
}

struct entry *entry_find(const struct pyfile *f, uint32_t scope, uint32_t name)
{
	uint32_t slot = f->entry_size ? *entry_slot(f, scope, name) : 0;

	return slot ? &f->entries.v[slot - 1] : NULL;
}

struct entry *entry_get(struct pyfile *f, uint32_t scope, uint32_t name)
{
	struct entry *e = entry_find(f, scope, name);
	uint32_t i;

	if (e)
		return e;
	if (f->entries.nr * 2 >= f->entry_size) {
		f->entry_size = f->entry_size ? f->entry_size * 2 : 512;
		f->entry_slots = arena_array(&f->w->scratch, f->entry_size, sizeof(uint32_t));
		for (i = 0; i < f->entries.nr; i++) {
			const struct entry *old = &f->entries.v[i];

			*entry_slot(f, old->scope, old->name) = i + 1;
		}
	}
	e = VEC_PUSH(&f->w->scratch, &f->entries);
	e->scope = scope;
	e->name = name;
	*entry_slot(f, scope, name) = (uint32_t)f->entries.nr;
	f->names.v[name].bound = true;
	return e;
}
