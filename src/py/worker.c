/*
 * worker.c - what the front ends of py/ share: the parsers, the fact vector of the current source, and the
 * choice of a front end by language.
 *
 * Parsing is bounded by a count of parser steps that grows with the length of the text, not by a clock, so
 * that a hostile text gives up at the same place on every machine.
 */
#include "py/tree.h"

#include <stdint.h>

#include "base/path.h"

const TSLanguage *tree_sitter_python(void);
const TSLanguage *tree_sitter_toml(void);
const TSLanguage *tree_sitter_cmake(void);

/* A step here is 100 operations of the parser; sound text needs about one in 100 bytes. */
#define STEPS_FREE 20000
#define STEPS_PER_BYTE 1

struct input {
	const char *text;
	uint32_t len;
	uint64_t steps, limit;
};

struct py_worker *py_worker_new(const struct vocab *vocab, const struct repo *repo,
				struct arena *arena, struct intern *names)
{
	struct py_worker *w = xcalloc(1, sizeof(*w));

	w->vocab = vocab;
	w->repo = repo;
	w->arena = arena;
	w->intern = names;
	w->symbols = ARENA_NEW(arena, struct py_symbols);
	py_symbols_init(w->symbols, arena);
	return w;
}

void py_worker_free(struct py_worker *w)
{
	int i;

	if (!w)
		return;
	for (i = 0; i < GRAMMAR_NR; i++)
		ts_parser_delete(w->parsers[i]);
	arena_free(&w->scratch);
	free(w);
}

static const char *input_read(void *payload, uint32_t offset, TSPoint at, uint32_t *nr)
{
	const struct input *in = payload;

	*nr = offset < in->len ? in->len - offset : 0;
	return in->text + (*nr ? offset : in->len);
}

/* Text that is not UTF-8 is read byte by byte; high bytes count as letters, as in Latin-1. */
static uint32_t decode_bytes(const uint8_t *s, uint32_t len, int32_t *code)
{
	*code = len ? *s : -1;
	return len ? 1 : 0;
}

static bool input_step(TSParseState *state)
{
	struct input *in = state->payload;

	return ++in->steps > in->limit;
}

static TSParser *parser_new(enum grammar g)
{
	TSParser *p = ts_parser_new();
	const TSLanguage *lang = g == GRAMMAR_TOML    ? tree_sitter_toml() :
				 g == GRAMMAR_CMAKE ? tree_sitter_cmake() :
						      tree_sitter_python();

	if (!p || !ts_parser_set_language(p, lang))
		BUG("grammar %d does not load", (int)g);
	return p;
}

/* NULL when the step limit was reached. */
static TSTree *parse_bounded(TSParser *p, const char *text, size_t len)
{
	struct input in = { text, (uint32_t)len, 0, STEPS_FREE + (uint64_t)len * STEPS_PER_BYTE };
	TSInput input = { &in, input_read, TSInputEncodingUTF8, NULL };
	TSParseOptions options = { &in, input_step };
	TSTree *tree;

	if (!utf8_valid(text, len)) {
		input.encoding = TSInputEncodingCustom;
		input.decode = decode_bytes;
	}
	tree = ts_parser_parse_with_options(p, NULL, input, options);
	if (!tree)
		ts_parser_reset(p);
	return tree;
}

TSTree *py_parse(struct py_worker *w, enum grammar g, const char *path, const char *text, size_t len,
		 struct notices *notices)
{
	TSTree *tree = NULL;

	if (!w->parsers[g])
		w->parsers[g] = parser_new(g);
	if (len < UINT32_MAX)
		tree = parse_bounded(w->parsers[g], text, len);
	if (!tree && notices)
		notice_add(notices, w->arena, path, "parse", "too hard to parse, not analysed");
	return tree;
}

TSTree *python_parse_alone(const char *text, size_t len)
{
	TSParser *p = parser_new(GRAMMAR_PYTHON);
	TSTree *tree = len < UINT32_MAX ? parse_bounded(p, text, len) : NULL;

	ts_parser_delete(p);
	return tree;
}

const char *python_line_ends(struct arena *a, const char *text, size_t len)
{
	const char *p = text, *end = text + len;
	char *copy = NULL;

	while ((p = memchr(p, '\r', (size_t)(end - p)))) {
		if (p + 1 == end || p[1] != '\n') {
			if (!copy)
				copy = arena_strndup(a, text, len);
			copy[p - text] = '\n';
		}
		p++;
	}
	return copy ? copy : text;
}

size_t py_parse_only(struct py_worker *w, const char *text, size_t len)
{
	TSTree *tree = py_parse(w, GRAMMAR_PYTHON, "", text, len, NULL);
	size_t nr;

	if (!tree)
		return 0;
	nr = ts_node_descendant_count(ts_tree_root_node(tree));
	ts_tree_delete(tree);
	return nr;
}

struct fact *fact_new(struct py_worker *w, enum fact_kind kind, const char *name, struct span span)
{
	struct fact *f = VEC_PUSH(&w->scratch, &w->facts);

	f->kind = kind;
	f->name = name;
	f->symbol = "";
	f->span = f->stmt = span;
	f->guard = f->def = -1;
	return f;
}

static int fact_cmp(const struct fact *a, const struct fact *b)
{
	if (a->span.start != b->span.start)
		return a->span.start < b->span.start ? -1 : 1;
	return (a->kind > b->kind) - (a->kind < b->kind);
}

/* Facts come nearly sorted, so a bottom-up merge that copies sorted runs is enough; it is stable. */
static void facts_sort(struct fact *v, size_t nr, struct fact *tmp)
{
	size_t width, lo, mid, hi, i, j, k;

	for (width = 1; width < nr; width *= 2) {
		for (lo = 0; lo + width < nr; lo += 2 * width) {
			mid = lo + width;
			hi = mid + width < nr ? mid + width : nr;
			if (fact_cmp(&v[mid - 1], &v[mid]) <= 0)
				continue;
			memcpy(tmp, v + lo, (mid - lo) * sizeof(*v));
			for (i = 0, j = mid, k = lo; i < mid - lo; k++)
				v[k] = j < hi && fact_cmp(&v[j], &tmp[i]) < 0 ? v[j++] : tmp[i++];
		}
	}
}

void facts_finish(struct py_worker *w, struct source *s)
{
	size_t nr = w->facts.nr;

	s->nr_facts = nr;
	s->facts = NULL;
	if (nr) {
		facts_sort(w->facts.v, nr, arena_array(&w->scratch, nr, sizeof(*s->facts)));
		s->facts = arena_array(w->arena, nr, sizeof(*s->facts));
		memcpy(s->facts, w->facts.v, nr * sizeof(*s->facts));
	}
	memset(&w->facts, 0, sizeof(w->facts));
	arena_free(&w->scratch);
}

/* Identifier bytes; those of other alphabets count. */
static bool is_word_byte(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

static bool mentions_word(const char *text, size_t len, const char *word)
{
	size_t n = strlen(word);
	const char *p = text, *end = text + len;

	while (n && (p = memmem(p, (size_t)(end - p), word, n))) {
		if ((p == text || !is_word_byte(p[-1])) && (p + n == end || !is_word_byte(p[n])))
			return true;
		p++;
	}
	return false;
}

static bool mentions_root(const struct vocab *vocab, const char *text, size_t len)
{
	const char *const *root;

	for (root = vocab->roots; root && *root; root++)
		if (mentions_word(text, len, *root))
			return true;
	return false;
}

void py_facts(struct py_worker *w, struct source *s, const char *text, size_t len,
	      struct notices *notices)
{
	s->mentions = mentions_root(w->vocab, text, len);
	if (memchr(text, 0, len)) {
		notice_add(notices, w->arena, s->path, "parse", "holds NUL bytes, not analysed");
		s->analysis = ANALYSIS_SKIPPED;
		return;
	}
	switch (s->lang) {
	case LANG_PYTHON:
	case LANG_STUB:
		python_facts(w, s, text, len, notices);
		break;
	case LANG_CYTHON:
		pyx_facts(w, s, text, len, notices);
		break;
	case LANG_TOML:
		toml_facts(w, s, text, len, notices);
		break;
	case LANG_CMAKE:
		cmake_facts(w, s, text, len, notices);
		break;
	case LANG_REQUIREMENTS:
		requirements_facts(w, s, text, len, notices);
		break;
	case LANG_CFG:
		cfg_facts(w, s, text, len, notices);
		break;
	default:
		break;
	}
}
