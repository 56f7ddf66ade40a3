/* base_yaml.c - YAML with its errors, suggestions, options. */
#include "unit.h"

#include <stdbool.h>
#include <string.h>

#include "base/asset.h"
#include "base/intern.h"
#include "base/opt.h"
#include "base/yaml.h"

static struct arena arena;

static struct yaml *parse(const char *text, struct err *err)
{
	struct yaml *y;

	return yaml_parse(&y, &arena, "x.yml", text, strlen(text), err) ? NULL : y;
}

UNIT_TEST(yaml_keeps_order_and_lines)
{
	struct err err = { "" };
	struct yaml *y = parse("# c\nb: 1\na: [x, 'y']\nc:\n  d: |\n    one\n    two\n", &err);
	const struct yaml *n;

	ck_assert_ptr_nonnull(y);
	ck_assert_int_eq(y->kind, YAML_MAP);
	ck_assert_uint_eq(y->nr, 3);
	ck_assert_str_eq(y->child->key, "b");
	ck_assert_int_eq(y->child->line, 2);
	n = yaml_get(y, "a");
	ck_assert_int_eq(n->kind, YAML_LIST);
	ck_assert_int_eq(n->key_line, 3);
	ck_assert(n->child->plain && !n->child->next->plain);
	ck_assert_str_eq(yaml_str(yaml_get(y, "c"), "d", ""), "one\ntwo\n");
	ck_assert_str_eq(yaml_str(y, "none", "or"), "or");
	ck_assert_str_eq(yaml_str(y, "a", "or"), "or");
	ck_assert_ptr_null(yaml_get(NULL, "a"));
	arena_free(&arena);
}

static void same_tree(const struct yaml *a, const struct yaml *b, const char *path)
{
	ck_assert_msg(a->kind == b->kind && a->line == b->line && a->plain == b->plain && a->nr == b->nr &&
			      a->key_line == b->key_line && str_eq(a->key, b->key) &&
			      str_eq(a->text, b->text) && !a->child == !b->child && !a->next == !b->next,
		      "%s:%d", path, a->line);
	if (a->child)
		same_tree(a->child, b->child, path);
	if (a->next)
		same_tree(a->next, b->next, path);
}

/* What the build made of each file is what its text gives. */
UNIT_TEST(yaml_trees_of_the_binary)
{
	struct assets as;
	struct err err = {""};
	struct yaml *made, *parsed;
	size_t i, nr = 0;

	ck_assert_int_eq(assets_load(&as, &arena, NULL, &err), 0);
	for (i = 0; i < as.nr; i++) {
		const struct asset *one = &as.v[i];

		ck_assert_int_eq(as.trees[i] != NULL, str_ends(one->path, ".yml"));
		if (!as.trees[i])
			continue;
		nr++;
		ck_assert_int_eq(asset_yaml(&made, &arena, &as, one, &err), 0);
		ck_assert_int_eq(yaml_parse(&parsed, &arena, one->path, one->data, one->len, &err), 0);
		same_tree(made, parsed, one->path);
	}
	ck_assert_uint_gt(nr, 200);
	arena_free(&arena);
}

/* Nothing, an empty text and an empty list are three things. */
UNIT_TEST(yaml_pack_and_unpack)
{
	static const char text[] = "a:\nb: ''\nc: []\nd: [[1, \"2\"], {}]\n";
	struct strbuf sb = STRBUF_INIT;
	struct err err = {""};
	struct yaml *y;

	y = parse(text, &err);
	ck_assert_ptr_nonnull(y);
	yaml_pack(&sb, y);
	same_tree(y, yaml_unpack(&arena, sb.buf), "x.yml");
	strbuf_release(&sb);
	arena_free(&arena);
}

UNIT_TEST(yaml_empty_is_an_empty_map)
{
	struct err err = { "" };
	struct yaml *y = parse("", &err);

	ck_assert_ptr_nonnull(y);
	ck_assert_int_eq(y->kind, YAML_MAP);
	ck_assert_uint_eq(y->nr, 0);
	arena_free(&arena);
}

UNIT_TEST(yaml_refuses_with_file_and_line)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "a: 1\na: 2\n", "x.yml:2: key 'a' stands twice" },
		{ "a: &x 1\n", "x.yml:1: anchors and tags are not allowed" },
		{ "a: !!int 1\n", "x.yml:1: anchors and tags are not allowed" },
		{ "a: &x [1]\n", "x.yml:1: anchors and tags are not allowed" },
		{ "a: 1\nb: *x\n", "x.yml:2: aliases are not allowed" },
		{ "a: 1\n---\nb: 2\n", "x.yml:2: more than one document" },
		{ "? [a]\n: 1\n", "x.yml:1: a key must be plain text" },
		{ "a: [1\n", "not valid YAML" },
		{ "a: \"x\n", "not valid YAML" },
		{ "\ta: 1\n", "not valid YAML" },
		{ "a: \x01\n", "not valid YAML" },
		{ "a: \xff\n", "not valid YAML" },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct err err = { "" };

		ck_assert_msg(!parse(cases[i].text, &err), "%s", cases[i].text);
		ck_assert_msg(strstr(err.msg, cases[i].want), "'%s' not in '%s'", cases[i].want,
			      err.msg);
		ck_assert_msg(!strncmp(err.msg, "x.yml:", 6), "%s", err.msg);
	}
	arena_free(&arena);
}

UNIT_TEST(yaml_is_bounded_in_depth)
{
	struct err err = { "" };
	char text[5001];

	memset(text, '[', 5000);
	text[5000] = 0;
	ck_assert_ptr_null(parse(text, &err));
	ck_assert_msg(strstr(err.msg, "nested too deeply"), "%s", err.msg);
	arena_free(&arena);
}

UNIT_TEST(yaml_unknown_keys_come_with_a_suggestion)
{
	static const char *const keys[] = { "rename", "level", NULL };
	struct err err = { "" };

	ck_assert_int_eq(yaml_check_keys(parse("level: 1\n", &err), "x.yml", keys, &err), 0);
	ck_assert_int_eq(yaml_check_keys(parse("level: 1\nrenmae: 2\n", &err), "x.yml", keys, &err),
			 -1);
	ck_assert_str_eq(err.msg, "x.yml:2: unknown key 'renmae' (did you mean 'rename'?)");
	ck_assert_int_eq(yaml_check_keys(parse("zzzzzz: 2\n", &err), "x.yml", keys, &err), -1);
	ck_assert_str_eq(err.msg, "x.yml:1: unknown key 'zzzzzz'");
	arena_free(&arena);
}

UNIT_TEST(nearest_word_is_near)
{
	static const char *const words[] = { "change", "check", "note", NULL };

	ck_assert_str_eq(nearest_word("chnage", words), "change");
	ck_assert_str_eq(nearest_word("chek", words), "check");
	ck_assert_ptr_null(nearest_word("blocked", words));
	ck_assert_ptr_null(nearest_word("", (const char *const[]){ NULL }));
}

struct values {
	bool flag;
	const char *text, *choice;
	struct opt_list list;
	int number;
};

static const char *const choices[] = { "text", "json", NULL };
static const struct opt own[] = {
	{ "flag", 'f', OPT_FLAG, offsetof(struct values, flag), NULL, "a flag", NULL },
	{ "text", 't', OPT_TEXT, offsetof(struct values, text), "FILE", "a text", NULL },
	{ "list", 0, OPT_LIST, offsetof(struct values, list), "X", "a list", NULL },
	{ 0 },
};
static const struct opt common[] = {
	{ "number", 'j', OPT_NUMBER, offsetof(struct values, number), "N", "a number", NULL },
	{ "format", 0, OPT_CHOICE, offsetof(struct values, choice), "F", "a choice", choices },
	{ 0 },
};

static int parse_args(struct values *v, const char *const *args, const char **operands,
		      int *nr_operands, struct err *err)
{
	int argc = 0;

	memset(v, 0, sizeof(*v));
	while (args[argc])
		argc++;
	return opt_parse(own, common, v, &arena, argc, (char **)args, operands, nr_operands, err);
}

UNIT_TEST(opt_reads_every_form)
{
	static const char *const args[] = { "-ft", "a", "x", "--list=1", "--list", "2", "-j3",
					    "--format", "json", "-", "--", "--flag", NULL };
	const char *operands[16];
	struct err err = { "" };
	struct values v;
	int nr;

	ck_assert_int_eq(parse_args(&v, args, operands, &nr, &err), 0);
	ck_assert(v.flag);
	ck_assert_str_eq(v.text, "a");
	ck_assert_uint_eq(v.list.nr, 2);
	ck_assert_str_eq(v.list.v[1], "2");
	ck_assert_int_eq(v.number, 3);
	ck_assert_str_eq(v.choice, "json");
	ck_assert_int_eq(nr, 3);
	ck_assert_str_eq(operands[0], "x");
	ck_assert_str_eq(operands[1], "-");
	ck_assert_str_eq(operands[2], "--flag");
	arena_free(&arena);
}

UNIT_TEST(opt_refuses_in_words)
{
	static const struct {
		const char *args[3], *want;
	} cases[] = {
		{ { "--falg" }, "unknown option '--falg' (did you mean '--flag'?)" },
		{ { "--zzzzzzzz" }, "unknown option '--zzzzzzzz'" },
		{ { "-z" }, "unknown option '-z'" },
		{ { "--text" }, "option '--text' wants a value" },
		{ { "--flag=1" }, "option '--flag' takes no value" },
		{ { "-j", "x" }, "option '--number' wants a number, not 'x'" },
		{ { "-j-1" }, "option '--number' wants a number, not '-1'" },
		{ { "-j99999999999999999999" }, "wants a number" },
		{ { "--format=xml" }, "option '--format' wants one of text, json, not 'xml'" },
	};
	const char *operands[4];
	struct values v;
	size_t i;
	int nr;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct err err = { "" };

		ck_assert_int_eq(parse_args(&v, cases[i].args, operands, &nr, &err), -1);
		ck_assert_msg(strstr(err.msg, cases[i].want), "'%s' not in '%s'", cases[i].want,
			      err.msg);
	}
	arena_free(&arena);
}

UNIT_TEST(opt_help_names_every_option)
{
	struct strbuf sb = STRBUF_INIT;

	opt_help(&sb, own);
	ck_assert_ptr_nonnull(strstr(sb.buf, "-t, --text FILE"));
	ck_assert_ptr_nonnull(strstr(sb.buf, "a list"));
	strbuf_reset(&sb);
	opt_man(&sb, own);
	ck_assert_ptr_nonnull(strstr(sb.buf, "\\-\\-text \\fIFILE\\fP\na text\n"));
	strbuf_release(&sb);
}
