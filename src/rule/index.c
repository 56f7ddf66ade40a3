/*
 * index.c - from a fact's kind and name to the few rules that may hold.
 *
 * Exact names stand in a hash table under themselves; a pattern with '*' under its first parts up
 * to the last dot before the star ("a.b.*" under "a.b."), a pattern that begins with a star under
 * "". A fact is looked up under its name and under each of its prefixes that ends with a dot: a
 * handful of probes whatever the number of rules.
 */
#include <stdlib.h>
#include <string.h>

#include "rule/internal.h"

struct index_entry {
	enum fact_kind kind;
	bool glob;
	const char *key;
	size_t len;
	uint16_t rule;
};

struct index {
	struct index_entry *entries; /* sorted by kind, glob, key, rule */
	size_t nr;
	uint32_t *slots; /* first entry of a key, plus one; 0: empty */
	size_t size;	 /* power of two */
};

struct index_key {
	enum fact_kind kind;
	bool glob;
	const char *key;
	size_t len;
};

static int entry_compare(const void *pa, const void *pb)
{
	const struct index_entry *a = pa, *b = pb;
	size_t n = a->len < b->len ? a->len : b->len;
	int c;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->glob != b->glob)
		return a->glob ? 1 : -1;
	c = memcmp(a->key, b->key, n);
	if (c)
		return c;
	if (a->len != b->len)
		return a->len < b->len ? -1 : 1;
	return (a->rule > b->rule) - (a->rule < b->rule);
}

static bool entry_is(const struct index_entry *e, const struct index_key *k)
{
	return e->kind == k->kind && e->glob == k->glob && e->len == k->len &&
	       !memcmp(e->key, k->key, k->len);
}

static size_t slot_of(const struct index *ix, const struct index_key *k)
{
	uint64_t salt = (uint64_t)(k->kind * 2 + k->glob) * 0x9e3779b97f4a7c15u;
	uint64_t h = hash_bytes(k->key, k->len) + salt;
	size_t i = (h ^ h >> 32) & (ix->size - 1);

	while (ix->slots[i] && !entry_is(&ix->entries[ix->slots[i] - 1], k))
		i = (i + 1) & (ix->size - 1);
	return i;
}

/* Length of the part of a pattern that it is found under. */
static size_t glob_key_len(const char *text)
{
	size_t n = strcspn(text, "*");

	while (n && text[n - 1] != '.')
		n--;
	return n;
}

struct entry_vec {
	struct index_entry *v;
	size_t nr, alloc;
};

static void index_kind(struct entry_vec *v, struct arena *a, const struct kind_test *t,
		       uint16_t rule)
{
	struct index_entry *e;
	size_t i;

	for (i = 0; i < t->names.nr; i++) {
		e = VEC_PUSH(a, v);
		e->kind = t->kind;
		e->rule = rule;
		e->glob = t->names.v[i].glob;
		e->key = t->names.v[i].text;
		e->len = e->glob ? glob_key_len(e->key) : strlen(e->key);
	}
}

static void index_fill(struct index *ix, struct arena *a)
{
	struct index_key k;
	size_t i;

	for (ix->size = 16; ix->size < 2 * ix->nr; ix->size *= 2)
		;
	ix->slots = arena_array(a, ix->size, sizeof(*ix->slots));
	for (i = 0; i < ix->nr; i++) {
		struct index_entry *e = &ix->entries[i];
		size_t slot;

		k = (struct index_key){ e->kind, e->glob, e->key, e->len };
		slot = slot_of(ix, &k);
		if (!ix->slots[slot])
			ix->slots[slot] = (uint32_t)i + 1;
	}
}

struct index *index_build(const struct rules *r, struct arena *a)
{
	struct index *ix = ARENA_NEW(a, struct index);
	struct entry_vec v = { 0 };
	size_t i, j, k;

	for (i = 0; i < r->nr; i++)
		for (j = 0; r->v[i].active && j < r->v[i].match.nr; j++)
			for (k = 0; k < r->v[i].match.v[j].nr_kinds; k++)
				index_kind(&v, a, &r->v[i].match.v[j].kinds[k], (uint16_t)i);
	if (v.nr)
		qsort(v.v, v.nr, sizeof(*v.v), entry_compare);
	ix->entries = v.v;
	ix->nr = v.nr;
	index_fill(ix, a);
	return ix;
}

/* Put a rule into the ascending list unless it is there. */
static size_t list_insert(uint16_t *out, size_t nr, uint16_t rule)
{
	size_t i = nr;

	while (i && out[i - 1] > rule)
		i--;
	if (i && out[i - 1] == rule)
		return nr;
	memmove(out + i + 1, out + i, (nr - i) * sizeof(*out));
	out[i] = rule;
	return nr + 1;
}

static size_t index_probe(const struct index *ix, const struct index_key *k, uint16_t *out,
			  size_t nr)
{
	uint32_t i = ix->slots[slot_of(ix, k)];

	for (; i && i <= ix->nr && entry_is(&ix->entries[i - 1], k); i++)
		nr = list_insert(out, nr, ix->entries[i - 1].rule);
	return nr;
}

size_t index_lookup(const struct index *ix, enum fact_kind kind, const char *name, uint16_t *out)
{
	struct index_key k = { kind, true, name, 0 };
	size_t nr = index_probe(ix, &k, out, 0), i;

	for (i = 0; name[i]; i++) {
		if (name[i] != '.')
			continue;
		k.len = i + 1;
		nr = index_probe(ix, &k, out, nr);
	}
	k.glob = false;
	k.len = i;
	return index_probe(ix, &k, out, nr);
}
