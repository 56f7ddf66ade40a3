/* plan_rename.c - where a project's name stands, and which edits change it. */
#include "unit.h"

#include <string.h>

#include "base/strbuf.h"
#include "plan/plan.h"

struct bench {
	struct arena arena;
	struct repo repo;
	struct source files[4];
	struct source *list[4];
	struct fact facts[4][4];
	struct arg args[4];
	struct result result;
	struct err err;
};

static void bench_open(struct bench *b)
{
	memset(b, 0, sizeof(*b));
	b->repo.dirfd = -1;
	b->repo.files = b->list;
	b->result.repo = &b->repo;
}

/* Files are added in order of their paths. */
static struct source *bench_file(struct bench *b, const char *path, enum lang lang)
{
	struct source *s = &b->files[b->repo.nr_files];

	s->path = path;
	s->lang = lang;
	s->layer = LAYER_BUILD;
	s->facts = b->facts[b->repo.nr_files];
	b->list[b->repo.nr_files++] = s;
	return s;
}

static struct fact *bench_fact(struct source *s, enum fact_kind kind, const char *name,
			       struct span span)
{
	struct fact *f = &s->facts[s->nr_facts++];

	f->kind = kind;
	f->name = name;
	f->span = span;
	return f;
}

static void bench_setting(struct source *s, const char *key, const char *value, struct span span)
{
	bench_fact(s, FACT_SETTING, key, span)->text = value;
}

static void bench_call(struct bench *b, struct source *s, const char *name, struct arg arg)
{
	struct fact *f = bench_fact(s, FACT_USE, name, (struct span){0, 5});
	size_t i;

	for (i = 0; b->args[i].text; i++)
		;
	f->flags = F_CALL;
	f->args = &b->args[i];
	f->nr_args = 1;
	b->args[i] = arg;
}

static struct arg text_arg(const char *keyword, const char *text, uint32_t start)
{
	return (struct arg){.keyword = keyword, .text = text, .value = VALUE_STRING,
			    .valspan = {start, start + (uint32_t)strlen(text) + 2}};
}

/* "path[start,end)=text ..." of the rename's edits. */
static const char *renamed(struct bench *b, const char *name)
{
	struct strbuf sb = STRBUF_INIT;
	const struct fix *fix;
	const char *out;
	size_t i;

	if (plan_rename(&b->result, name, &b->arena, &b->err))
		return b->err.msg;
	if (!b->result.findings.nr)
		return "";
	fix = b->result.findings.v[0]->fix;
	for (i = 0; i < fix->nr_edits; i++)
		strbuf_addf(&sb, "%s%s[%u,%u)=%s", i ? " " : "", fix->edits[i].path,
			    fix->edits[i].span.start, fix->edits[i].span.end, fix->edits[i].text);
	out = arena_strndup(&b->arena, sb.buf, sb.len);
	strbuf_release(&sb);
	return out;
}

UNIT_TEST(rename_quotes_and_bare_text)
{
	struct bench b;

	bench_open(&b);
	bench_setting(bench_file(&b, "pyproject.toml", LANG_TOML), "project.name", "a-b",
		      (struct span){10, 15});
	bench_setting(bench_file(&b, "setup.cfg", LANG_CFG), "metadata.name", "A_b",
		      (struct span){20, 23});
	bench_call(&b, bench_file(&b, "setup.py", LANG_PYTHON), "setuptools.setup",
		   text_arg("name", "other", 30));
	ck_assert_str_eq(renamed(&b, "c"), "pyproject.toml[11,14)=c setup.cfg[20,23)=c");
	arena_free(&b.arena);
}

UNIT_TEST(rename_goes_first)
{
	struct bench b;
	struct finding other = {.rule = "PD101"};

	bench_open(&b);
	*VEC_PUSH(&b.arena, &b.result.findings) = &other;
	bench_setting(bench_file(&b, "pyproject.toml", LANG_TOML), "tool.poetry.name", "a",
		      (struct span){1, 4});
	ck_assert_str_eq(renamed(&b, "b"), "pyproject.toml[2,3)=b");
	ck_assert_uint_eq(b.result.findings.nr, 2);
	ck_assert_ptr_eq(b.result.findings.v[1], &other);
	ck_assert_int_eq(b.result.findings.v[0]->level, LEVEL_CHANGE);
	arena_free(&b.arena);
}

UNIT_TEST(rename_twice_is_nothing)
{
	struct bench b;

	bench_open(&b);
	bench_setting(bench_file(&b, "pyproject.toml", LANG_TOML), "project.name", "A.-b",
		      (struct span){0, 6});
	ck_assert_str_eq(renamed(&b, "a_b"), "");
	arena_free(&b.arena);
}

UNIT_TEST(rename_needs_a_name)
{
	static const char *const bad[] = {"", "-a", "a-", "a b", "a/b", "\xc3\xa4", NULL};
	struct bench b;
	int i;

	bench_open(&b);
	ck_assert_str_eq(renamed(&b, "a"), "cannot rename: no build file names the project");
	for (i = 0; bad[i]; i++)
		ck_assert_ptr_nonnull(strstr(renamed(&b, bad[i]), "is not a project name"));
	arena_free(&b.arena);
}

UNIT_TEST(rename_look_ups)
{
	struct bench b;
	struct source *s;

	bench_open(&b);
	s = bench_file(&b, "a/__init__.py", LANG_PYTHON);
	s->module = "a";
	s->is_package = true;
	bench_call(&b, s, "importlib.metadata.version", text_arg(NULL, "A", 10));
	bench_call(&b, s, "importlib.metadata.version", text_arg(NULL, "ab", 20));
	bench_call(&b, s, "pkg_resources.require", text_arg(NULL, "a>=2", 30));
	bench_call(&b, s, "importlib.metadata.version",
		   (struct arg){.text = "__name__", .value = VALUE_NAME, .valspan = {40, 48}});
	bench_setting(bench_file(&b, "pyproject.toml", LANG_TOML), "project.name", "a",
		      (struct span){10, 13});
	ck_assert_str_eq(renamed(&b, "b"), "pyproject.toml[11,12)=b a/__init__.py[11,12)=b "
					   "a/__init__.py[31,32)=b a/__init__.py[40,48)=\"b\"");
	b.result.findings.nr = 0;
	s->roles = ROLE_TEST;
	ck_assert_str_eq(renamed(&b, "b"), "pyproject.toml[11,12)=b");
	arena_free(&b.arena);
}
