/* intern.c - see intern.h. Open addressing, power-of-two size, at most 2/3 full. */
#include "base/intern.h"

#include <stdio.h>
#include <xxhash.h>

static struct intern_slot *intern_find(struct intern *t, const char *s, size_t n, uint32_t hash)
{
	size_t i = hash & (t->size - 1);

	while (t->slots[i].s) {
		struct intern_slot *slot = &t->slots[i];

		if (slot->hash == hash && slot->len == n && !memcmp(slot->s, s, n))
			return slot;
		i = (i + 1) & (t->size - 1);
	}
	return &t->slots[i];
}

static void intern_grow(struct intern *t)
{
	struct intern_slot *old = t->slots;
	size_t i, nr = t->size;

	t->size = nr ? nr * 2 : 256;
	t->slots = arena_array(t->arena, t->size, sizeof(*t->slots));
	for (i = 0; i < nr; i++)
		if (old[i].s)
			*intern_find(t, old[i].s, old[i].len, old[i].hash) = old[i];
}

const char *intern(struct intern *t, const char *s, size_t n)
{
	uint32_t hash = (uint32_t)XXH3_64bits(s, n);
	struct intern_slot *slot;

	if (t->nr * 3 >= t->size * 2)
		intern_grow(t);
	slot = intern_find(t, s, n, hash);
	if (!slot->s) {
		slot->s = arena_strndup(t->arena, s, n);
		slot->len = (uint32_t)n;
		slot->hash = hash;
		t->nr++;
	}
	return slot->s;
}

const char *intern_str(struct intern *t, const char *s)
{
	return intern(t, s, strlen(s));
}

uint64_t hash_bytes(const void *data, size_t len)
{
	return XXH3_64bits(data, len);
}

void hash_hex(const void *data, size_t len, char out[33])
{
	XXH128_hash_t h = XXH3_128bits(data, len);

	snprintf(out, 33, "%016llx%016llx", (unsigned long long)h.high64,
		 (unsigned long long)h.low64);
}
