/*
 * cxx.h - C, C++ and CUDA: text -> facts.
 *
 * This is the lexical pass: includes and framework words outside comments and strings. It judges nothing;
 * files read this way are analysed "lexical" and every verdict about them is unknown.
 */
#ifndef CXX_CXX_H
#define CXX_CXX_H

#include "model.h"

/* Fill s->facts (FACT_INCLUDE, FACT_TOKEN) from its bytes; sets s->analysis and s->mentions. */
void cxx_lex_facts(struct source *s, const char *text, size_t len, const struct vocab *vocab,
		   struct arena *arena, struct intern *intern);

#endif
