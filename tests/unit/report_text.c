/* report_text.c - the text format over made-up results. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "report/report.h"

struct bench {
	struct arena arena;
	struct repo repo;
	struct vocab vocab;
	struct target target;
	struct result result;
	struct strbuf out;
};

static void bench_open(struct bench *b)
{
	static const char *const roots[] = {"paddle", NULL};

	memset(b, 0, sizeof(*b));
	strbuf_init(&b->out);
	b->vocab.target_roots = roots;
	b->vocab.upstream = "torch";
	b->vocab.package = "paddlepaddle";
	b->vocab.use_line = "paddle.enable_compat(scope=$scope)";
	b->target = (struct target){"3.3.1", "cuda", "shipped"};
	b->repo.name = "sorter";
	b->repo.root = "some/sorter";
	b->repo.dirfd = -1;
	b->result.repo = &b->repo;
	b->result.vocab = &b->vocab;
	b->result.targets = &b->target;
	b->result.nr_targets = 1;
	b->result.verdict = "as_is";
	b->repo.files = arena_array(&b->arena, 64, sizeof(*b->repo.files));
}

static void bench_close(struct bench *b)
{
	strbuf_release(&b->out);
	arena_free(&b->arena);
}

static struct source *bench_source(struct bench *b, const char *path, enum layer layer)
{
	struct source *s = ARENA_NEW(&b->arena, struct source);

	s->path = path;
	s->layer = layer;
	s->lang = LANG_PYTHON;
	s->analysis = ANALYSIS_FULL;
	s->rank = -1;
	s->mentions = true;
	b->repo.files[b->repo.nr_files++] = s;
	return s;
}

static struct finding *bench_finding(struct bench *b, struct source *s, const char *rule,
				     enum level level, uint32_t line, const char *message)
{
	struct finding *f = ARENA_NEW(&b->arena, struct finding);

	f->source = s;
	f->rule = rule;
	f->name = "a-rule";
	f->level = level;
	f->line = line;
	f->column = 5;
	f->message = message;
	f->snippet = "x = y";
	*VEC_PUSH(&b->arena, &b->result.findings) = f;
	return f;
}

static void bench_patch(struct bench *b, struct finding *f)
{
	f->fix = ARENA_NEW(&b->arena, struct fix);
	f->fix->safety = SAFETY_SAFE;
	f->fix->edits = ARENA_NEW(&b->arena, struct edit);
	f->fix->edits->text = "z";
	f->fix->nr_edits = 1;
}

static const char *bench_print(struct bench *b, bool verbose, bool color, int width)
{
	struct report_options o = {.verbose = verbose, .color = color, .width = width};

	strbuf_reset(&b->out);
	format_find("text")->print(&b->out, &b->result, &o);
	return b->out.buf;
}

static size_t lines(const char *s)
{
	size_t nr = 0;

	for (; *s; s++)
		nr += *s == '\n';
	return nr;
}

#define HAS(text, part)     ck_assert_msg(strstr(text, part) != NULL, "no '%s' in:\n%s", part, text)
#define HAS_NOT(text, part) ck_assert_msg(strstr(text, part) == NULL, "'%s' in:\n%s", part, text)

UNIT_TEST(text_of_an_empty_repository)
{
	struct bench b;

	bench_open(&b);
	ck_assert_str_eq(bench_print(&b, false, false, 0),
			 "sorter: does not use torch \xc2\xb7 paddle 3.3.1 cuda, shipped database\n"
			 "baseline: build none \xc2\xb7 call none \xc2\xb7 test none \xc2\xb7 "
			 "run: not checked\n"
			 "first:    nothing     leave: 0 files\n"
			 "blocked nothing \xc2\xb7 0 files, 0 bytes, all analysed\n");
	bench_close(&b);
}

UNIT_TEST(text_of_a_small_repository)
{
	struct bench b;
	struct source *setup, *ops, *test;

	bench_open(&b);
	setup = bench_source(&b, "setup.py", LAYER_BUILD);
	ops = bench_source(&b, "sorter/ops.py", LAYER_GLUE);
	test = bench_source(&b, "tests/test_ops.py", LAYER_GLUE);
	test->roles = ROLE_TEST;
	setup->rank = 0;
	setup->treatment = TREAT_FIRST;
	ops->rank = 1;
	ops->treatment = TREAT_SECOND;
	bench_patch(&b, bench_finding(&b, setup, "PD101", LEVEL_CHANGE, 8, "imported too early"));
	bench_finding(&b, ops, "PD431", LEVEL_CHANGE, 100, "returns one tensor");
	bench_finding(&b, ops, "PD431", LEVEL_CHANGE, 136, "returns one tensor");
	bench_finding(&b, test, "PD401", LEVEL_CHECK, 3, "cannot be called");
	bench_finding(&b, ops, "PD400", LEVEL_NOTE, 4, "guarded");
	strings_add(&b.repo.scope, &b.arena, "sorter");
	strings_add(&b.repo.scope, &b.arena, "other");
	strings_add(&b.repo.build_entries, &b.arena, "setup.py");
	strings_add(&b.repo.test_entries, &b.arena, "tests/test_ops.py");
	strings_add(&b.repo.test_entries, &b.arena, "tests/test_b.py");
	b.repo.type = "A";
	b.repo.type_name = "extension";
	b.result.verdict = "unknown";
	b.result.verdict_reason = "2 of 3 changes have no mechanical edit";
	b.result.plan.files_changed = 1;
	b.result.plan.lines_added = 2;
	b.result.requires = "3.3";
	b.result.analysed_bytes = 31 * 1024;
	ck_assert_str_eq(
		bench_print(&b, false, false, 0),
		"sorter: unknown: 2 of 3 changes have no mechanical edit, patch +2 -0 in 1 file "
		"\xc2\xb7 type A (extension) \xc2\xb7 paddle 3.3.1 cuda, shipped database "
		"\xc2\xb7 needs paddle >= 3.3\n"
		"baseline: build setup.py \xc2\xb7 call none \xc2\xb7 test tests/test_ops.py and 1 "
		"more \xc2\xb7 run: not checked\n"
		"use:      paddle.enable_compat(scope={\"sorter\", \"other\"})\n"
		"first:    setup.py (build) \xc2\xb7 sorter/ops.py (glue)     leave: 1 file\n"
		"\n"
		"change  PD101  setup.py:8            imported too early  patch\n"
		"change  PD431  sorter/ops.py:100 \xc3\x97"
		"2  returns one tensor  manual\n"
		"blocked nothing \xc2\xb7 check 1 (tests, tools) \xc2\xb7 note 1 \xc2\xb7 3 files, 31 KB, "
		"all analysed\n"
		"next: pdmigrate scan -v some/sorter \xc2\xb7 pdmigrate explain PD101\n");
	bench_close(&b);
}

UNIT_TEST(text_is_at_most_25_lines)
{
	struct bench b;
	struct source *s;
	int i;

	bench_open(&b);
	s = bench_source(&b, "a.py", LAYER_GLUE);
	for (i = 0; i < 200; i++)
		bench_finding(&b, s, arena_fmt(&b.arena, "PD%d", 100 + i), LEVEL_CHANGE,
			      (uint32_t)i + 1, "m");
	b.repo.nr_extensions = 9;
	b.repo.extensions = arena_array(&b.arena, 9, sizeof(*b.repo.extensions));
	strings_add(&b.repo.scope, &b.arena, "a");
	b.result.ported_sites = 3;
	ck_assert_uint_eq(lines(bench_print(&b, false, false, 0)), 25);
	HAS(b.out.buf, "already ported: 3 sites, 0 workarounds expired\n");
	HAS(b.out.buf, "and 7 more extensions\n");
	HAS(b.out.buf, " more lines\n");
	ck_assert_uint_gt(lines(bench_print(&b, true, false, 0)), 400);
	bench_close(&b);
}

UNIT_TEST(text_folds_groups_of_a_rule_when_there_are_many)
{
	struct bench b;
	struct source *s;
	int i;

	bench_open(&b);
	s = bench_source(&b, "a.py", LAYER_GLUE);
	for (i = 0; i < 60; i++)
		bench_finding(&b, s, "PD400", LEVEL_CHANGE, (uint32_t)i + 1, "name is not there")
			->group = arena_fmt(&b.arena, "name%d", i % 30);
	HAS(bench_print(&b, false, false, 0), "a.py:1 \xc3\x97"
					      "60  name is not there, and 29 like it");
	for (i = 0; i < 60; i++)
		b.result.findings.v[i]->group = i % 2 ? "odd" : "even";
	HAS(bench_print(&b, false, false, 0), "a.py:1 \xc3\x97"
					      "30");
	HAS(b.out.buf, "a.py:2 \xc3\x97"
		       "30");
	bench_close(&b);
}

UNIT_TEST(text_puts_the_gravest_first_and_says_what_to_do)
{
	struct bench b;
	struct source *s, *other;
	const char *blocked;

	bench_open(&b);
	s = bench_source(&b, "a.py", LAYER_GLUE);
	other = bench_source(&b, "b.py", LAYER_GLUE);
	bench_finding(&b, s, "PD1", LEVEL_CHECK, 1, "may differ");
	bench_finding(&b, s, "PD3", LEVEL_CHANGE, 3, "on a GPU")->gpu_unverified = true;
	bench_patch(&b, bench_finding(&b, s, "PD2", LEVEL_CHANGE, 2, "two places"));
	bench_finding(&b, other, "PD2", LEVEL_CHANGE, 2, "two places");
	bench_finding(&b, other, "PD9", LEVEL_BLOCKED, 9, "no equivalent");
	blocked = strstr(bench_print(&b, false, false, 0), "blocked PD9");
	ck_assert_ptr_nonnull(blocked);
	HAS(blocked, "change  PD2    a.py:2 and 1 more  two places     patch 1 of 2\n");
	HAS(blocked, "on a GPU       manual, not verified on a GPU\n");
	HAS(blocked, "check   PD1    a.py:1             may differ     look\n");
	HAS(blocked, "blocked 1 \xc2\xb7");
	HAS(blocked, "explain PD9\n");
	bench_close(&b);
}

UNIT_TEST(text_escapes_control_bytes)
{
	struct bench b;
	struct source *s;

	bench_open(&b);
	s = bench_source(&b, "a\x1b[31m\n.py", LAYER_GLUE);
	s->rank = 0;
	s->treatment = TREAT_FIRST;
	bench_finding(&b, s, "PD1", LEVEL_CHANGE, 1, "uses \x07 bell");
	b.repo.name = "r\x1b";
	b.repo.root = "it's\n";
	strings_add(&b.repo.scope, &b.arena, "q\"\\\x01");
	bench_print(&b, false, false, 0);
	HAS_NOT(b.out.buf, "\x1b");
	HAS_NOT(b.out.buf, "\x07");
	HAS(b.out.buf, "a\\x1b[31m\\x0a.py");
	HAS(b.out.buf, "scan -v 'it'\\''s\\x0a'");
	HAS(b.out.buf, "{\"q\\\"\\\\\\\\x01\"}");
	HAS_NOT(bench_print(&b, true, false, 0), "\x1b");
	bench_close(&b);
}

UNIT_TEST(text_colours_only_when_asked)
{
	struct bench b;

	bench_open(&b);
	bench_finding(&b, bench_source(&b, "a.py", LAYER_GLUE), "PD1", LEVEL_CHANGE, 1, "m");
	HAS_NOT(bench_print(&b, false, false, 0), "\x1b");
	HAS(bench_print(&b, false, true, 0), "\x1b[33mchange\x1b[0m  PD1");
	bench_close(&b);
}

UNIT_TEST(text_clips_messages_to_the_terminal)
{
	struct bench b;
	char message[400];

	memset(message, 'm', sizeof(message) - 1);
	message[sizeof(message) - 1] = 0;
	bench_open(&b);
	bench_finding(&b, bench_source(&b, "a.py", LAYER_GLUE), "PD1", LEVEL_CHANGE, 1, message);
	HAS(bench_print(&b, false, false, 0), message);
	bench_print(&b, false, false, 100);
	HAS(b.out.buf, "mmm~");
	HAS_NOT(b.out.buf, message);
	bench_close(&b);
}

UNIT_TEST(text_verbose_shows_each_finding)
{
	static const char *guards[] = {"try (ImportError)", "if x"};
	struct bench b;
	struct finding *f;
	struct source *s;

	bench_open(&b);
	s = bench_source(&b, "tests/a.py", LAYER_GLUE);
	s->roles = ROLE_TEST;
	s->layer_reason = "uses it";
	f = bench_finding(&b, s, "PD1", LEVEL_CHANGE, 7, "is not there");
	f->guards = guards;
	f->nr_guards = 2;
	f->reason_not_applied = "overlaps";
	f->keep_until = "covered x";
	f = bench_finding(&b, s, "PD2", LEVEL_NOTE, 8, "a note");
	f->state = STATE_SUPPRESSED;
	bench_print(&b, true, false, 0);
	HAS(b.out.buf, "leave:    tests/a.py (glue: uses it)\n");
	HAS(b.out.buf, "change  PD1    tests/a.py:7:5  is not there  manual\n"
		       "                 x = y\n"
		       "                 guarded: try (ImportError) > if x\n"
		       "                 not patched: overlaps\n"
		       "                 until: covered x\n");
	HAS(b.out.buf, "note    PD2    tests/a.py:8:5  a note  (suppressed)\n");
	HAS(b.out.buf, "suppressed 1");
	HAS_NOT(b.out.buf, "(tests)");
	bench_close(&b);
}

UNIT_TEST(text_counts_what_was_not_analysed)
{
	struct bench b;

	bench_open(&b);
	bench_source(&b, "a.py", LAYER_GLUE)->analysis = ANALYSIS_SKIPPED;
	bench_source(&b, "b.py", LAYER_GLUE)->analysis = ANALYSIS_PARTIAL;
	bench_source(&b, "c.cpp", LAYER_BINDING)->analysis = ANALYSIS_LEXICAL;
	bench_source(&b, "third_party/d.py", LAYER_OTHER)->roles = ROLE_VENDORED;
	bench_source(&b, "README", LAYER_OTHER)->lang = LANG_OTHER;
	HAS(bench_print(&b, false, false, 0),
	    "3 files, 0 bytes, 1 not analysed, 1 analysed in part, 1 read lexically, "
	    "1 of third parties left out\n");
	bench_close(&b);
}

UNIT_TEST(text_shows_extensions)
{
	static const char *sources[] = {"a.cpp", "b.cu"};
	struct bench b;
	struct extension *e;

	bench_open(&b);
	e = arena_array(&b.arena, 2, sizeof(*e));
	e[0] = (struct extension){.name = "pkg._C",
				  .sources = sources,
				  .nr_sources = 2,
				  .verdict = "unknown",
				  .unjudged = sources,
				  .nr_unjudged = 2};
	e[1] = (struct extension){
		.name = "x", .sources = sources, .nr_sources = 1, .verdict = "after_patch"};
	b.repo.extensions = e;
	b.repo.nr_extensions = 2;
	bench_print(&b, false, false, 0);
	HAS(b.out.buf, "pkg._C  unknown: 2 of 2 sources not judged (a.cpp, ...)\n"
		       "x       builds after the patch\n");
	bench_close(&b);
}
