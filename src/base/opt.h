/*
 * opt.h - one table of options gives parser, help and man page.
 *
 * A command has an array of struct opt ended by a zero element; common options are an array of their own,
 * tried after the command's. Values go into a caller's struct by offset. Long options take "--name VALUE"
 * or "--name=VALUE", letters "-xVALUE" or "-x VALUE"; "--" ends options; operands may stand anywhere.
 */
#ifndef BASE_OPT_H
#define BASE_OPT_H

#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"

enum opt_kind {
	OPT_FLAG,   /* bool, becomes true */
	OPT_TEXT,   /* const char * */
	OPT_LIST,   /* struct opt_list, one more element each time */
	OPT_NUMBER, /* int, >= 0 */
	OPT_CHOICE, /* const char *, one of `choices` */
	OPT_MAYBE,  /* const char *, "" without "=VALUE"; the next word is never its value */
};

struct opt_list {
	const char **v;
	size_t nr, alloc;
};

struct opt {
	const char *name; /* without "--" */
	char letter;	  /* 0: none */
	enum opt_kind kind;
	size_t offset;
	const char *value; /* how the value is called in help ("FILE") */
	const char *help;  /* one line, lower case, no stop */
	const char *const *choices;
};

/*
 * Parse argv[0..argc) with up to two tables (either may be NULL) into `into`. Operands go to `operands`
 * (argc entries at most). Errors name the option and, where one is near, suggest another.
 */
int opt_parse(const struct opt *own, const struct opt *common, void *into, struct arena *a, int argc,
	      char **argv, const char **operands, int *nr_operands, struct err *err);
/* Add one indented line per option to `out`. */
void opt_help(struct strbuf *out, const struct opt *table);
/* The same as troff source for the man page. */
void opt_man(struct strbuf *out, const struct opt *table);

#endif
