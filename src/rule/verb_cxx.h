/*
 * verb_cxx.h - what the verbs on C++ share: where the parts of a call stand.
 */
#ifndef RULE_VERB_CXX_H
#define RULE_VERB_CXX_H

#include "rule/verb.h"

/* A call as written: object.name<types>(arguments). */
struct cxx_call {
	struct span token;  /* the last identifier of the name */
	struct span object; /* before the dot or arrow; empty: none */
	struct span callee; /* everything before the parenthesis */
	struct span args;   /* from the first argument to the last; empty: none */
};

/* The last identifier of the fact's span; -1 with a reason. */
int cxx_token(struct verb_call *c, struct span *out);
/* The parts of the fact's call; -1 with a reason. */
int cxx_call_read(struct verb_call *c, struct cxx_call *out);
/* The bytes of one argument. */
struct span cxx_arg_span(const struct arg *arg);
/* Offset behind the bracket that closes the one at `at`, texts and comments skipped; 0: none. */
uint32_t cxx_matching(const char *text, size_t len, uint32_t at);
/* Start of the line of `at`. */
uint32_t cxx_line_start(const char *text, uint32_t at);
/* Offset behind the line end of the line of `at`. */
uint32_t cxx_line_end(const char *text, size_t len, uint32_t at);

#endif
