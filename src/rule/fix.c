/* fix.c - findings -> edits: the verbs of a rule's fix, one after the other, all or none. */
#include <stdarg.h>
#include <string.h>

#include "rule/verb.h"

#define VERB(word, value, function, does) { word, value, does, function },
const struct verb verbs[] = {
#include "rule/ops.def"
	{ 0, 0, 0, 0 },
};
#undef VERB

const struct verb *verb_find(const char *word)
{
	const struct verb *v;

	for (v = verbs; v->word; v++)
		if (!strcmp(v->word, word))
			return v;
	return NULL;
}

int verb_refuse(struct verb_call *c, const char *fmt, ...)
{
	struct strbuf sb = STRBUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&sb, fmt, ap);
	va_end(ap);
	c->reason = arena_strndup(c->arena, sb.buf, sb.len);
	strbuf_release(&sb);
	return -1;
}

void verb_edit(struct verb_call *c, uint32_t start, uint32_t end, const char *text)
{
	struct edit *e = VEC_PUSH(c->arena, &c->edits);

	e->span.start = start;
	e->span.end = end;
	e->text = text;
}

bool verb_passes(const struct fact *f, const char *keyword)
{
	size_t i;

	for (i = 0; i < f->nr_args; i++)
		if (str_eq(f->args[i].keyword, keyword))
			return true;
	return false;
}

const char *verb_text(struct verb_call *c, struct span span)
{
	if (span.start > span.end || span.end > c->shape->len)
		return NULL;
	return arena_strndup(c->arena, c->shape->text + span.start, span.end - span.start);
}

bool rules_fixable(struct finding *f)
{
	const struct rule *rule = f->rule_data;

	if (!f->fix || !rule->fix->nr_steps)
		return false;
	if (!source_off_product(f->source) ||
	    (f->fix->anywhere && !(f->source->roles & (ROLE_VENDORED | ROLE_SUBMODULE))))
		return true;
	f->fix->reason = "tests, examples, tools and third-party code are edited only on request";
	return false;
}

void rules_fix(const struct rules *r, struct finding *f, const struct shape *shape, struct arena *a)
{
	const struct rule *rule = f->rule_data;
	struct verb_call c = {
		.rules = r, .source = f->source, .fact = f->fact, .shape = shape, .arena = a,
	};
	size_t i;

	if (!shape || !shape->ok) {
		f->fix->reason = shape ? "the file did not parse" : "files of this kind are not edited";
		return;
	}
	for (i = 0; i < rule->fix->nr_steps; i++) {
		c.step = &rule->fix->steps[i];
		if (c.step->verb->apply(&c)) {
			f->fix->reason = c.reason;
			return;
		}
	}
	if (r->dual && dual_form(&c, rule->fix)) {
		f->fix->reason = c.reason;
		return;
	}
	f->fix->forks = dual_forks(rule->fix, r->dual);
	f->fix->parts = c.parts;
	f->fix->instead = c.instead;
	f->fix->encloses = c.encloses;
	f->fix->edits = c.edits.v;
	f->fix->nr_edits = c.edits.nr;
}
