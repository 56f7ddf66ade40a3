/*
 * judge.c - what the workers saw and what the text says, as facts with verdicts.
 *
 * A file may be part of several units: each fact of it comes once, and a place counts as seen
 * when one unit saw it. What no parse saw, other branches of conditionals and files that were
 * not parsed, is judged by its words alone and marked F_INACTIVE. With several targets a name is
 * covered when all have it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/path.h"
#include "base/pool.h"
#include "cxx/parse.h"

#define FILE_MAX_ (16u << 20)

/* What the units say of one file. */
struct judged {
	VEC(const struct seen *) seen;
	VEC(const struct seen_file *) parts; /* one a unit that includes it */
	bool full;			     /* one of them was judged whole */
};

struct judge {
	const struct parse *p;
	struct judged *files; /* one a file of the repository */
	struct parse_words words;
};

/* A file at work. */
struct page {
	const struct judge *j;
	const struct judged *judged;
	struct source *source;
	const char *text;
	size_t len;
	struct arena *arena;
	VEC(struct fact) facts;
};

/* ---- verdicts ---------------------------------------------------------------------------------- */

/* The worst answer of all targets: a gap, or else what is not known. */
static struct cxx_answer ask(const struct page *pg,
			     struct cxx_answer (*fn)(const struct cxx_db *, struct arena *, const char *),
			     const char *name)
{
	struct cxx_answer worst = {.verdict = VERDICT_UNKNOWN, .row = "no C++ tables for the target"};
	size_t i;

	for (i = 0; i < pg->j->p->o->nr_targets; i++) {
		const struct cxx_db *db = pg->j->p->dbs[i];
		struct cxx_answer x;

		if (!db)
			continue;
		x = fn(db, pg->arena, name);
		if (!i || x.verdict == VERDICT_GAP ||
		    (x.verdict == VERDICT_UNKNOWN && worst.verdict != VERDICT_GAP))
			worst = x;
	}
	return worst;
}

static void verdict_set(struct fact *f, const struct cxx_answer *x)
{
	f->verdict = x->verdict;
	f->row = x->row;
}

/* ---- places ------------------------------------------------------------------------------------ */

/* Did every unit leave the place out? */
static bool is_inactive(const struct page *pg, uint32_t at)
{
	size_t i, k;

	for (i = 0; i < pg->judged->parts.nr; i++) {
		const struct seen_file *part = pg->judged->parts.v[i];

		for (k = 0; k < part->skipped.nr; k++)
			if (part->skipped.v[k].start < at && at < part->skipped.v[k].end)
				break;
		if (k == part->skipped.nr)
			return false;
	}
	return true;
}

/* Is the place on a line of a #define? */
static bool in_define(const char *text, size_t at)
{
	size_t start = at;

	for (;;) {
		while (start && text[start - 1] != '\n')
			start--;
		if (start < 2 || (text[start - 2] != '\\' &&
				  (start < 3 || text[start - 2] != '\r' || text[start - 3] != '\\')))
			break;
		start--;
	}
	while (text[start] == ' ' || text[start] == '\t')
		start++;
	if (text[start++] != '#')
		return false;
	while (text[start] == ' ' || text[start] == '\t')
		start++;
	return str_starts(text + start, "define");
}

/* Object and index around the brackets at f->span. */
static void place_subscript(struct page *pg, struct fact *f)
{
	struct span object = text_postfix(pg->text, f->span.start);
	struct arg *index = ARENA_NEW(pg->arena, struct arg);

	index->span = index->valspan = (struct span){f->span.start + 1, f->span.end - 1};
	index->text = arena_strndup(pg->arena, pg->text + index->span.start,
				    index->span.end - index->span.start);
	f->args = index;
	f->nr_args = 1;
	f->stmt = (struct span){object.start, f->span.end};
	f->text = arena_strndup(pg->arena, pg->text + object.start, object.end - object.start);
}

/* Scopes, object, arguments and the whole call around the name at f->span. */
static void place_fill(struct page *pg, struct fact *f)
{
	struct span object;
	size_t end;

	if (f->span.end > f->span.start + 1 && pg->text[f->span.start] == '[') {
		place_subscript(pg, f);
		return;
	}
	object = text_object(pg->text, f->span);
	f->stmt = f->span;
	if (object.start < object.end) {
		f->stmt.start = object.start;
		f->text = arena_strndup(pg->arena, pg->text + object.start, object.end - object.start);
	} else {
		f->span = f->stmt = text_scoped(pg->text, f->span);
	}
	end = text_arguments(pg->text, pg->len, f->span.end, pg->arena, f);
	if (!end)
		return;
	f->flags |= F_CALL;
	f->stmt.end = (uint32_t)end;
}

static struct fact *fact_add(struct page *pg, enum fact_kind kind, const char *name, struct span span)
{
	struct fact *f = VEC_PUSH(pg->arena, &pg->facts);

	f->kind = kind;
	f->name = name;
	f->span = f->stmt = span;
	f->symbol = "";
	f->guard = f->def = -1;
	return f;
}

/* ---- by words ---------------------------------------------------------------------------------- */

static const uint32_t token_flags = F_MACRO_BODY | F_CONDITION;

static void judge_macro(struct page *pg, const struct fact *token, bool inactive)
{
	struct cxx_answer x;
	struct fact *f;

	if (token->flags & F_STORE || parse_defines(pg->j->p, token->name))
		return;
	x = ask(pg, cxx_macro, token->name);
	if (x.verdict == VERDICT_UNKNOWN)
		return;
	f = fact_add(pg, x.verdict == VERDICT_GAP ? FACT_LACK : FACT_MACRO, token->name, token->span);
	f->recv = "macro";
	f->flags = (token->flags & token_flags) | (inactive ? F_INACTIVE : 0);
	verdict_set(f, &x);
	if (!(f->flags & F_CONDITION))
		place_fill(pg, f);
	if (f->flags & F_CALL && text_goes_on(pg->text, pg->len, f->stmt.end))
		f->flags |= F_GOES_ON;
	f->text = NULL;
}

/* Qualified names where no parse has judged them: other branches, bodies of macros, files read by text. */
static void judge_chain(struct page *pg, const struct fact *token, bool inactive)
{
	struct cxx_answer x;
	struct fact *f;

	if (!inactive && !(token->flags & F_MACRO_BODY) && pg->j->p->o->nr_targets < 2)
		return;
	x = ask(pg, cxx_name, token->name);
	if (x.verdict != VERDICT_GAP)
		return;
	f = fact_add(pg, FACT_LACK, token->name, token->span);
	f->recv = "name";
	f->flags = (token->flags & token_flags) | (inactive ? F_INACTIVE : 0);
	verdict_set(f, &x);
	place_fill(pg, f);
	f->text = NULL;
}

static void judge_include(struct page *pg, struct fact *f, bool inactive)
{
	const char *const *p;
	struct cxx_answer x;
	const char *own;
	bool ours = false;

	for (p = pg->j->p->o->vocab->cxx_headers; p && *p; p++)
		ours |= str_starts(f->name, *p);
	if (!ours)
		return;
	own = path_resolve(pg->arena,
			   arena_strndup(pg->arena, pg->source->path, path_dirlen(pg->source->path)),
			   f->name);
	if (!(f->flags & F_ANGLE) && own && repo_find(pg->j->p->repo, own))
		return;
	x = ask(pg, cxx_header, f->name);
	/* Asked for first, or the repository's own by the folders of the build. */
	if (x.verdict == VERDICT_GAP && f->flags & (F_TRY_IMPORT | F_INTERNAL))
		return;
	verdict_set(f, &x);
	if (inactive)
		f->flags |= F_INACTIVE;
}

static void judge_launch(struct page *pg, struct fact *f)
{
	size_t at = f->span.start, end;
	struct span word;

	while (at && (pg->text[at - 1] == ' ' || pg->text[at - 1] == '\n'))
		at--;
	if (at && pg->text[at - 1] == '>')
		while (at && pg->text[at - 1] != '<' && pg->text[at - 1] != ';')
			at--;
	at -= at && pg->text[at - 1] == '<';
	for (word.end = (uint32_t)at; at && text_word(pg->text, word.end, at - 1).end == word.end; at--)
		;
	word.start = (uint32_t)at;
	if (word.start == word.end)
		return;
	word = text_scoped(pg->text, word);
	end = text_launch(pg->text, pg->len, f->span.end, pg->arena, f);
	if (!end)
		return;
	f->name = arena_strndup(pg->arena, pg->text + word.start, word.end - word.start);
	f->span = word;
	f->stmt = (struct span){word.start, (uint32_t)end};
}

/* ---- by the parse ------------------------------------------------------------------------------ */

/* The registration block around a place: the last macro before it that begins one. */
static const struct fact *block_before(const struct page *pg, uint32_t at)
{
	const struct fact *best = NULL;
	size_t i;

	for (i = 0; i < pg->source->nr_facts; i++) {
		const struct fact *f = &pg->source->facts[i];

		if (f->span.start >= at)
			break;
		if (f->kind == FACT_TOKEN && f->flags & F_CALL &&
		    list_has(pg->j->words.blocks, f->name))
			best = f;
	}
	return best;
}

/* "space::op" of a schema or a name. */
static const char *op_name(struct page *pg, const char *space, const char *schema)
{
	size_t n = strcspn(schema, "( \t");

	if (memmem(schema, n, "::", 2) || !*space)
		return arena_strndup(pg->arena, schema, n);
	return arena_fmt(pg->arena, "%s::%.*s", space, (int)n, schema);
}

static void judge_register(struct page *pg, const char *what)
{
	const struct fact *name = &pg->facts.v[pg->facts.nr - 1], *block;
	struct fact call = {0}, *f;
	bool binding = !strcmp(what, "bind");

	if (!name->nr_args || name->args[0].value != VALUE_STRING)
		return;
	block = binding ? NULL : block_before(pg, name->span.start);
	if (block)
		text_arguments(pg->text, pg->len, block->span.end, pg->arena, &call);
	f = fact_add(pg, FACT_REGISTER, NULL, name->span);
	name = f - 1;
	f->name = op_name(pg, call.nr_args ? call.args[0].text : "", name->args[0].text);
	f->recv = what;
	f->text = !strcmp(what, "impl") && call.nr_args > 1 ? call.args[1].text : NULL;
	f->flags = name->flags;
	f->stmt = name->stmt;
	f->args = name->args;
	f->nr_args = name->nr_args;
	f->symbol = name->symbol;
}

/* A class that is bound for the whole process, not for its module alone. */
static void judge_holder(struct page *pg, const char *class)
{
	const struct fact *name = &pg->facts.v[pg->facts.nr - 1];
	struct fact *f;
	size_t i;

	for (i = 0; i < name->nr_args; i++)
		if (name->args[i].text && strstr(name->args[i].text, pg->j->words.local))
			return;
	f = fact_add(pg, FACT_REGISTER, class, name->span);
	name = f - 1;
	f->recv = "class";
	f->flags = name->flags;
	f->stmt = name->stmt;
	f->args = name->args;
	f->nr_args = name->nr_args;
	f->symbol = name->symbol;
}

/* What is bound or registered takes or gives something that cannot be passed on. */
static void judge_passed(struct page *pg, const struct seen *s)
{
	struct fact *f = fact_add(pg, FACT_REGISTER, s->name, s->span);

	f->recv = s->recv;
	f->symbol = s->symbol ? s->symbol : "";
	place_fill(pg, f);
}

static void judge_name(struct page *pg, const struct seen *s)
{
	const struct parse_words *w = &pg->j->words;
	struct fact *f = fact_add(pg, FACT_NAME, s->name, s->span);
	struct cxx_answer x;

	f->recv = s->recv;
	f->symbol = s->symbol ? s->symbol : "";
	x = ask(pg, cxx_name, s->name);
	verdict_set(f, &x);
	if (in_define(pg->text, s->span.start))
		f->flags |= F_MACRO_BODY;
	place_fill(pg, f);
	if (list_has(w->holders, s->name) && s->words && *s->words)
		judge_holder(pg, s->words);
	if (list_has(w->def, s->name))
		judge_register(pg, "def");
	else if (list_has(w->impl, s->name))
		judge_register(pg, "impl");
	else if (list_has(w->bind, s->name))
		judge_register(pg, "bind");
}

/* A name that the parser misses is a gap, or it is there and its header is not included. */
static void judge_missing(struct page *pg, struct fact *f, bool shadowed)
{
	bool macro = !strcmp(f->recv, "macro");
	struct cxx_answer x;

	if (macro && parse_defines(pg->j->p, f->name)) {
		f->verdict = VERDICT_UNKNOWN;
		f->row = "the repository defines it";
		return;
	}
	x = ask(pg, macro ? cxx_macro : cxx_name, f->name);
	verdict_set(f, &x);
	if (!strcmp(f->recv, "value")) {
		/* The tables know the alias; the values stand in what the parser has read. */
		f->recv = "member";
		f->verdict = VERDICT_GAP;
		f->row = "the enumeration has no such value";
		return;
	}
	if (x.verdict != VERDICT_COVERED)
		return;
	f->verdict = VERDICT_GAP;
	if (!strcmp(f->recv, "call"))
		return;
	f->recv = "include";
	f->text = x.header;
	if (!shadowed)
		return;
	/* What a missing umbrella would have brought is not known: its stand-in may bring less. */
	f->verdict = VERDICT_UNKNOWN;
	f->row = "the unit includes a header that the target lacks";
}

static void judge_lack(struct page *pg, const struct seen *s)
{
	struct fact *f = fact_add(pg, FACT_LACK, s->name, s->span);

	f->recv = s->recv;
	f->missing = s->words;
	f->symbol = s->symbol ? s->symbol : "";
	if (in_define(pg->text, s->span.start))
		f->flags |= F_MACRO_BODY;
	place_fill(pg, f);
	judge_missing(pg, f, s->shadowed);
}

/* ---- a file ------------------------------------------------------------------------------------ */

static int fact_order(const void *a, const void *b)
{
	const struct fact *x = a, *y = b;
	int cmp = (x->span.start > y->span.start) - (x->span.start < y->span.start);

	if (!cmp)
		cmp = (int)x->kind - (int)y->kind;
	if (!cmp)
		cmp = strcmp(x->name ? x->name : "", y->name ? y->name : "");
	if (!cmp)
		cmp = strcmp(x->recv ? x->recv : "", y->recv ? y->recv : "");
	return cmp ? cmp : (x->span.end > y->span.end) - (x->span.end < y->span.end);
}

/* Is `b` the same as `a`, before it? Of one place a lack comes once, whatever it is called. */
static bool fact_again(const struct fact *a, const struct fact *b)
{
	if (a->kind != b->kind || a->span.start != b->span.start)
		return false;
	return a->kind == FACT_LACK || a->kind == FACT_MACRO || !strcmp(a->name, b->name);
}

static void facts_finish(struct page *pg)
{
	size_t i, nr = 0;

	if (pg->facts.nr)
		qsort(pg->facts.v, pg->facts.nr, sizeof(*pg->facts.v), fact_order);
	for (i = 0; i < pg->facts.nr; i++) {
		const struct fact *f = &pg->facts.v[i];
		bool own = f->kind >= FACT_LACK && f->kind != FACT_LAUNCH;

		if (f->kind == FACT_LAUNCH && !f->nr_args)
			continue;
		if (!own || !nr || !fact_again(&pg->facts.v[nr - 1], f))
			pg->facts.v[nr++] = *f;
	}
	pg->source->facts = pg->facts.v;
	pg->source->nr_facts = nr;
}

static void judge_words(struct page *pg, const struct fact *f)
{
	bool inactive = is_inactive(pg, f->span.start);

	*VEC_PUSH(pg->arena, &pg->facts) = *f;
	if (f->kind == FACT_INCLUDE)
		judge_include(pg, &pg->facts.v[pg->facts.nr - 1], inactive);
	else if (f->kind == FACT_LAUNCH)
		judge_launch(pg, &pg->facts.v[pg->facts.nr - 1]);
	else if (f->kind == FACT_TOKEN && !strstr(f->name, "::"))
		judge_macro(pg, f, inactive && !(f->flags & F_CONDITION && pg->judged->parts.nr));
	else if (f->kind == FACT_TOKEN)
		judge_chain(pg, f, inactive);
}

static void judge_page(struct page *pg)
{
	size_t i;

	for (i = 0; i < pg->source->nr_facts; i++)
		judge_words(pg, &pg->source->facts[i]);
	for (i = 0; i < pg->judged->seen.nr; i++) {
		const struct seen *s = pg->judged->seen.v[i];

		/* The text is what the worker read only where it has not changed since. */
		if (s->span.end > pg->len)
			continue;
		if (s->kind == FACT_LACK)
			judge_lack(pg, s);
		else if (s->kind == FACT_REGISTER)
			judge_passed(pg, s);
		else
			judge_name(pg, s);
	}
	facts_finish(pg);
	if (pg->judged->parts.nr && pg->source->analysis == ANALYSIS_LEXICAL)
		pg->source->analysis = pg->judged->full ? ANALYSIS_FULL : ANALYSIS_PARTIAL;
}

static void judge_step(void *ctx, int job, size_t item)
{
	const struct judge *j = ctx;
	struct source *s = j->p->repo->files[item];
	struct page pg = {.j = j, .judged = &j->files[item], .source = s, .arena = j->p->o->arenas[job]};
	struct fs_text text;
	struct err err;

	if (!source_is_cxx(s) || s->roles & (ROLE_VENDORED | ROLE_SUBMODULE) ||
	    (!s->nr_facts && !pg.judged->parts.nr) || s->analysis == ANALYSIS_SKIPPED)
		return;
	if (fs_read(j->p->repo->dirfd, s->path, FILE_MAX_, &text, &err))
		return;
	pg.text = text.data;
	pg.len = text.len;
	if (hash_bytes(text.data, text.len) == s->hash)
		judge_page(&pg);
	fs_text_free(&text);
}

/* ---- all files --------------------------------------------------------------------------------- */

static size_t index_of(const struct repo *repo, const char *path)
{
	size_t lo = 0, hi = repo->nr_files;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (strcmp(repo->files[mid]->path, path) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void answer_spread(struct judge *j, const struct unit *u, const struct answer *x)
{
	bool full = !x->foreign && !u->lost;
	size_t i, *at;

	at = arena_array(j->p->arena, u->files.nr + 1, sizeof(*at));
	for (i = 0; i < u->files.nr; i++) {
		struct judged *f;

		at[i] = index_of(j->p->repo, u->files.v[i]);
		f = &j->files[at[i]];
		if (i && !x->files[i].included)
			continue;
		*VEC_PUSH(j->p->arena, &f->parts) = &x->files[i];
		f->full |= full;
	}
	for (i = 0; i < x->seen.nr; i++)
		*VEC_PUSH(j->p->arena, &j->files[at[x->seen.v[i].file]].seen) = &x->seen.v[i];
}

int judge_run(const struct parse *p, const struct units *units, struct answer **answers,
	      struct err *err)
{
	struct judge j = {.p = p};
	size_t i;

	if (parse_words_load(&j.words, p->o->assets, p->arena, err))
		return -1;
	j.files = arena_array(p->arena, p->repo->nr_files + 1, sizeof(*j.files));
	for (i = 0; i < units->nr; i++)
		if (answers[i])
			answer_spread(&j, &units->v[i], answers[i]);
	pool_run(p->o->jobs, p->repo->nr_files, judge_step, &j);
	return 0;
}
