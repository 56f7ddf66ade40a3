/*
 * worker.c - what the front ends of py/ share: the parsers, the fact vector of the current source,
 * and the choice of a front end by language.
 *
 * Parsing is bounded by a count of parser steps that grows with the length of the text, so that a
 * hostile text gives up at the same place on every machine. A step may itself take long where there
 * is one error after the other, so there is a wide limit of CPU time behind it.
 */
#include "py/tree.h"

#include <stdint.h>

#include "base/path.h"

const TSLanguage *tree_sitter_python(void);
const TSLanguage *tree_sitter_toml(void);
const TSLanguage *tree_sitter_cmake(void);

/* A step here is 100 operations of the parser; sound text needs about one in 200 bytes. */
#define STEPS_FREE     1000
#define BYTES_PER_STEP 10
/* CPU seconds; sound text takes about a fifth of a second for a MiB. */
#define SECONDS_FREE    5
#define SECONDS_PER_MIB 2
#define STEPS_PER_CLOCK 8

/* Comment lines in a row that the parser may see. */
#define RUN_MAX 32

struct input {
	const char *text;
	uint32_t len;
	uint64_t steps, limit;
	double deadline; /* of this thread's CPU clock */
};

/* Note the last parts of dotted words; see may_be_word(). */
static void lengths_note(uint64_t lengths[256], const char *const *words)
{
	for (; words && *words; words++) {
		const char *dot = strrchr(*words, '.'), *last = dot ? dot + 1 : *words;

		if (strlen(last) < LENGTH_BITS)
			lengths[(unsigned char)*last] |= (uint64_t)1 << strlen(last);
	}
}

struct py_worker *py_worker_new(const struct vocab *vocab, const struct repo *repo,
				struct arena *arena, struct intern *names)
{
	struct py_worker *w = xcalloc(1, sizeof(*w));

	w->vocab = vocab;
	w->repo = repo;
	w->arena = arena;
	w->intern = names;
	w->memory = memory_new();
	w->symbols = ARENA_NEW(arena, struct py_symbols);
	py_symbols_init(w->symbols, arena);
	lengths_note(w->member_lengths, vocab->members);
	lengths_note(w->leaving_lengths, vocab->never_returns);
	lengths_note(w->tensor_lengths, vocab->tensor_members);
	lengths_note(w->tensor_lengths, vocab->tensor_methods);
	return w;
}

static void parsers_delete(struct py_worker *w)
{
	int i;

	memory_use(w->memory);
	for (i = 0; i < GRAMMAR_NR; i++)
		ts_parser_delete(w->parsers[i]);
	memset(w->parsers, 0, sizeof(w->parsers));
}

void py_worker_free(struct py_worker *w)
{
	if (!w)
		return;
	parsers_delete(w);
	memory_delete(w->memory);
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

static double cpu_seconds(void)
{
	struct timespec t;

	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t))
		return 0;
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool input_step(TSParseState *state)
{
	struct input *in = state->payload;

	if (++in->steps > in->limit)
		return true;
	return in->steps % STEPS_PER_CLOCK == 0 && cpu_seconds() > in->deadline;
}

static TSParser *parser_new(enum grammar g)
{
	TSParser *p = ts_parser_new();
	const TSLanguage *lang = g == GRAMMAR_TOML    ? tree_sitter_toml()
				 : g == GRAMMAR_CMAKE ? tree_sitter_cmake()
						      : tree_sitter_python();

	if (!p || !ts_parser_set_language(p, lang))
		BUG("grammar %d does not load", (int)g);
	return p;
}

/* NULL when the step limit was reached. */
static TSTree *parse_bounded(TSParser *p, const char *text, size_t len)
{
	struct input in = {
		.text = text,
		.len = (uint32_t)len,
		.limit = STEPS_FREE + len / BYTES_PER_STEP,
		.deadline =
			cpu_seconds() + SECONDS_FREE + SECONDS_PER_MIB * ((double)len / (1 << 20)),
	};
	TSInput input = {&in, input_read, TSInputEncodingUTF8, NULL};
	TSParseOptions options = {&in, input_step};
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

TSTree *py_parse(struct py_worker *w, enum grammar g, const char *path, const char *text,
		 size_t len, struct notices *notices)
{
	TSTree *tree = NULL;

	/* What a parser keeps for the next text would hold on to memory all over the pool. */
	parsers_delete(w);
	memory_rewind(w->memory);
	w->parsers[g] = parser_new(g);
	if (len < UINT32_MAX)
		tree = parse_bounded(w->parsers[g], text, len);
	if (!tree && notices)
		notice_add(notices, w->arena, path, "parse", "too hard to parse, not analysed");
	return tree;
}

void py_error_notice(struct py_worker *w, const struct source *s, TSNode root,
		     struct notices *notices)
{
	TSTreeCursor c = ts_tree_cursor_new(root);
	uint32_t line = 0;
	bool more = true;

	while (more) {
		TSNode node = ts_tree_cursor_current_node(&c);

		line = ts_node_start_point(node).row;
		if (ts_node_is_error(node) || ts_node_is_missing(node))
			break;
		more = ts_node_has_error(node) ? ts_tree_cursor_goto_first_child(&c)
					       : ts_tree_cursor_goto_next_sibling(&c);
	}
	ts_tree_cursor_delete(&c);
	notice_add(notices, w->arena, s->path, "parse", "line %u: could not be read here",
		   line + 1);
}

static TSTree *python_parse_alone(const char *text, size_t len)
{
	TSParser *p = parser_new(GRAMMAR_PYTHON);
	TSTree *tree = len < UINT32_MAX ? parse_bounded(p, text, len) : NULL;

	ts_parser_delete(p);
	return tree;
}

TSTree *python_parse(struct py_worker *w, struct arena *a, const char *path, const char **text, size_t len,
		     struct notices *notices)
{
	TSTree *tree = w ? py_parse(w, GRAMMAR_PYTHON, path, *text, len, notices)
			 : python_parse_alone(*text, len);
	TSTree *again;
	const char *mended;

	if (!tree || !ts_node_has_error(ts_tree_root_node(tree)))
		return tree;
	mended = python_mended(a, *text, len, ts_tree_root_node(tree));
	if (!mended)
		return tree;
	again = w ? py_parse(w, GRAMMAR_PYTHON, path, mended, len, NULL)
		  : python_parse_alone(mended, len);
	if (!again || ts_node_has_error(ts_tree_root_node(again))) {
		ts_tree_delete(again);
		return tree;
	}
	ts_tree_delete(tree);
	*text = mended;
	return again;
}

/* The text being changed for the parser; a copy is made at the first change. */
struct reading {
	struct arena *a;
	const char *text;
	size_t len;
	char *copy;
};

static void reading_put(struct reading *r, size_t at, char c)
{
	if (!r->copy)
		r->copy = arena_strndup(r->a, r->text, r->len);
	r->copy[at] = c;
}

static void plain_line_ends(struct reading *r)
{
	const char *p = r->text, *end = p + r->len;

	while ((p = memchr(p, '\r', (size_t)(end - p)))) {
		if (p + 1 == end || p[1] != '\n')
			reading_put(r, (size_t)(p - r->text), '\n');
		p++;
	}
}

enum line_kind { LINE_CODE, LINE_BLANK, LINE_COMMENT, LINE_BACKSLASH };

/* Kind of the line at `p`; *next gets the offset of the line behind it. */
static enum line_kind line_kind(const char *text, size_t len, size_t p, size_t *next)
{
	const char *nl = memchr(text + p, '\n', len - p);
	size_t end = nl ? (size_t)(nl - text) : len;

	*next = nl ? end + 1 : len;
	while (p < end && (text[p] == ' ' || text[p] == '\t' || text[p] == '\f' || text[p] == '\r'))
		p++;
	if (p == end)
		return LINE_BLANK;
	if (text[p] == '#')
		return LINE_COMMENT;
	if (text[p] != '\\')
		return LINE_CODE;
	p++;
	return p == end || (text[p] == '\r' && p + 1 == end) ? LINE_BACKSLASH : LINE_CODE;
}

/* Blank the comments, or the backslashes with their line ends, of lines in [from, to). */
static void blank_run(struct reading *r, const char *text, size_t from, size_t to)
{
	enum line_kind kind;
	size_t next, i;

	for (; from < to; from = next) {
		kind = line_kind(text, r->len, from, &next);
		for (i = from; i < next; i++)
			if (kind == LINE_BACKSLASH || (kind == LINE_COMMENT && text[i] != '\n'))
				reading_put(r, i, ' ');
	}
}

/*
 * The grammar's scanner reads a run of comment lines, or of lone backslashes, again for each of its
 * lines. Long runs become blanks: to Python they mean the same, and in a string nobody looks at
 * such a line.
 */
static void blank_runs(struct reading *r)
{
	const char *text = r->copy ? r->copy : r->text;
	size_t p = 0, next, start = 0, nr = 0;
	enum line_kind kind, run = LINE_CODE;

	for (; p < r->len; p = next) {
		kind = line_kind(text, r->len, p, &next);
		if (kind == LINE_BLANK && run != LINE_CODE)
			continue;
		if (kind != run) {
			if (nr > RUN_MAX)
				blank_run(r, text, start, p);
			run = kind == LINE_BLANK ? LINE_CODE : kind;
			start = p;
			nr = 0;
		}
		nr += run != LINE_CODE;
	}
	if (nr > RUN_MAX)
		blank_run(r, text, start, r->len);
}

const char *python_reading(struct arena *a, const char *text, size_t len)
{
	struct reading r = {a, text, len, NULL};

	plain_line_ends(&r);
	blank_runs(&r);
	return r.copy ? r.copy : text;
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

/* Facts come nearly sorted, so a bottom-up merge that copies sorted runs is enough; it is stable.
 */
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
	arena_reset(&w->scratch);
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
		if (path_ext(s->path)[0] == '.' && path_ext(s->path)[1] == 'y')
			conda_facts(w, s, text, len);
		else
			requirements_facts(w, s, text, len, notices);
		break;
	case LANG_CFG:
		cfg_facts(w, s, text, len, notices);
		break;
	default:
		break;
	}
}
