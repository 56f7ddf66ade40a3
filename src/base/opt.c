/* opt.c - see opt.h. */
#include "base/opt.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "base/yaml.h"

#define OPT_NAMES_MAX 64

struct opt_reader {
	const struct opt *tables[2];
	void *into;
	struct arena *arena;
	int argc, at;
	char **argv;
	struct err *err;
};

static const struct opt *opt_find(struct opt_reader *r, const char *name, size_t n, char letter)
{
	const struct opt *o;
	int t;

	for (t = 0; t < 2; t++)
		for (o = r->tables[t]; o && o->name; o++)
			if (letter ? o->letter == letter
				   : strlen(o->name) == n && !strncmp(o->name, name, n))
				return o;
	return NULL;
}

static int opt_unknown(struct opt_reader *r, const char *name, size_t n)
{
	const char *names[OPT_NAMES_MAX + 1], *near;
	const struct opt *o;
	size_t nr = 0;
	int t;

	for (t = 0; t < 2; t++)
		for (o = r->tables[t]; o && o->name && nr < OPT_NAMES_MAX; o++)
			names[nr++] = o->name;
	names[nr] = NULL;
	name = arena_strndup(r->arena, name, n);
	near = nearest_word(name, names);
	if (near)
		return err_set(r->err, "unknown option '--%s' (did you mean '--%s'?)", name, near);
	return err_set(r->err, "unknown option '--%s'", name);
}

static int opt_number(struct opt_reader *r, const struct opt *o, const char *value, int *out)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(value, &end, 10);
	if (errno || end == value || *end || n < 0 || n > 1000000000)
		return err_set(r->err, "option '--%s' wants a number, not '%s'", o->name, value);
	*out = (int)n;
	return 0;
}

static int opt_choice(struct opt_reader *r, const struct opt *o, const char *value)
{
	struct strbuf sb = STRBUF_INIT;
	const char *const *c;

	for (c = o->choices; *c; c++)
		if (!strcmp(*c, value))
			return 0;
	for (c = o->choices; *c; c++)
		strbuf_addf(&sb, "%s%s", c == o->choices ? "" : ", ", *c);
	err_set(r->err, "option '--%s' wants one of %s, not '%s'", o->name, sb.buf, value);
	strbuf_release(&sb);
	return -1;
}

static int opt_store(struct opt_reader *r, const struct opt *o, const char *value)
{
	void *slot = (char *)r->into + o->offset;

	switch (o->kind) {
	case OPT_FLAG:
		*(bool *)slot = true;
		return 0;
	case OPT_NUMBER:
		return opt_number(r, o, value, slot);
	case OPT_LIST:
		*VEC_PUSH(r->arena, (struct opt_list *)slot) = value;
		return 0;
	case OPT_CHOICE:
		if (opt_choice(r, o, value))
			return -1;
		/* fall through */
	case OPT_TEXT:
	case OPT_MAYBE:
		*(const char **)slot = value;
		return 0;
	}
	return 0;
}

/* `value` is what stands behind '=' or the letter, NULL where nothing does. */
static int opt_take(struct opt_reader *r, const struct opt *o, const char *value)
{
	if (o->kind == OPT_FLAG) {
		if (value)
			return err_set(r->err, "option '--%s' takes no value", o->name);
		return opt_store(r, o, NULL);
	}
	if (!value && o->kind == OPT_MAYBE)
		value = "";
	if (!value) {
		if (r->at >= r->argc)
			return err_set(r->err, "option '--%s' wants a value", o->name);
		value = r->argv[r->at++];
	}
	return opt_store(r, o, value);
}

static int opt_long(struct opt_reader *r, const char *arg)
{
	size_t n = strcspn(arg, "=");
	const struct opt *o = opt_find(r, arg, n, 0);

	if (!o)
		return opt_unknown(r, arg, n);
	return opt_take(r, o, arg[n] ? arg + n + 1 : NULL);
}

static int opt_letters(struct opt_reader *r, const char *arg)
{
	for (; *arg; arg++) {
		const struct opt *o = opt_find(r, NULL, 0, *arg);

		if (!o)
			return err_set(r->err, "unknown option '-%c'", *arg);
		if (o->kind != OPT_FLAG)
			return opt_take(r, o, arg[1] ? arg + 1 : NULL);
		if (opt_take(r, o, NULL))
			return -1;
	}
	return 0;
}

int opt_parse(const struct opt *own, const struct opt *common, void *into, struct arena *a, int argc,
	      char **argv, const char **operands, int *nr_operands, struct err *err)
{
	struct opt_reader r = {
		.tables = { own, common }, .into = into, .arena = a, .argc = argc, .argv = argv,
		.err = err,
	};
	bool ended = false;

	*nr_operands = 0;
	while (r.at < argc) {
		char *arg = argv[r.at++];
		int ret = 0;

		if (ended || arg[0] != '-' || !arg[1])
			operands[(*nr_operands)++] = arg;
		else if (!strcmp(arg, "--"))
			ended = true;
		else if (arg[1] == '-')
			ret = opt_long(&r, arg + 2);
		else
			ret = opt_letters(&r, arg + 1);
		if (ret)
			return -1;
	}
	return 0;
}

static void opt_spell(struct strbuf *sb, const struct opt *o)
{
	if (o->letter)
		strbuf_addf(sb, "-%c, ", o->letter);
	strbuf_addf(sb, "--%s", o->name);
	if (o->kind == OPT_MAYBE)
		strbuf_addf(sb, "[=%s]", o->value);
	else if (o->kind != OPT_FLAG)
		strbuf_addf(sb, " %s", o->value ? o->value : "VALUE");
}

void opt_help(struct strbuf *out, const struct opt *table)
{
	struct strbuf sb = STRBUF_INIT;

	for (; table && table->name; table++) {
		strbuf_reset(&sb);
		opt_spell(&sb, table);
		strbuf_addf(out, "  %-30s %s\n", sb.buf, table->help);
	}
	strbuf_release(&sb);
}

void opt_man(struct strbuf *out, const struct opt *table)
{
	for (; table && table->name; table++) {
		strbuf_addstr(out, ".TP\n.B ");
		if (table->letter)
			strbuf_addf(out, "\\-%c, ", table->letter);
		strbuf_addf(out, "\\-\\-%s", table->name);
		if (table->kind == OPT_MAYBE)
			strbuf_addf(out, "[=\\fI%s\\fP]", table->value);
		else if (table->kind != OPT_FLAG)
			strbuf_addf(out, " \\fI%s\\fP", table->value ? table->value : "VALUE");
		strbuf_addf(out, "\n%s\n", table->help);
	}
}
