/* explain.c - rules as text: the catalogue, one rule in words, the examples. */
#include <string.h>

#include "rule/verb.h"

void rules_list(const struct rules *r, struct strbuf *out)
{
	size_t i;

	for (i = 0; i < r->nr; i++)
		strbuf_addf(out, "%s  %-7s  %-7s  %s%s\n", r->v[i].id, level_name(r->v[i].level),
			    layer_name(r->v[i].layer), r->v[i].name,
			    r->v[i].active ? "" : "  (not for this target)");
}

/* Text of several lines, each indented. */
static void add_block(struct strbuf *out, const char *text, const char *indent)
{
	size_t n;

	while (*text) {
		n = strcspn(text, "\n");
		if (n)
			strbuf_addstr(out, indent);
		strbuf_add(out, text, n);
		strbuf_addch(out, '\n');
		text += n + (text[n] == '\n');
	}
}

static void add_names(struct strbuf *out, const struct patterns *p)
{
	size_t i;

	for (i = 0; i < p->nr; i++)
		strbuf_addf(out, "%s%s", i ? ", " : "", p->v[i].text);
}

/* Conditions are put one after the other, apart from the first. */
static void add_sep(struct strbuf *out, bool *first)
{
	strbuf_addstr(out, *first ? " " : "; ");
	*first = false;
}

static void add_bits(struct strbuf *out, bool *first, const char *label, uint32_t bits,
		     const char *(*word)(int))
{
	const char *sep = " ";
	int i;

	if (!bits)
		return;
	add_sep(out, first);
	strbuf_addstr(out, label);
	for (i = 0; i < 31; i++) {
		if (!(bits & 1u << i))
			continue;
		strbuf_addf(out, "%s%s", sep, word(i));
		sep = ", ";
	}
}

static const char *verdict_word(int i)
{
	return verdict_name(i);
}

static const char *lang_word(int i)
{
	return lang_name(i);
}

static const char *value_word(int i)
{
	return value_kind_name(i);
}

static const char *scope_word(int i)
{
	return i == 0 ? "module" : i == 1 ? "class" : "function";
}

static void add_arg(struct strbuf *out, bool *first, const struct arg_test *t)
{
	bool inner = true;

	add_sep(out, first);
	strbuf_addstr(out, t->absent ? "without an argument" : "with an argument");
	if (t->keyword.nr) {
		strbuf_addch(out, ' ');
		add_names(out, &t->keyword);
	}
	if (t->position >= 0)
		strbuf_addf(out, "%s at place %d", t->keyword.nr ? " or" : "", t->position + 1);
	add_bits(out, &inner, "that is a", t->values, value_word);
	if (t->text.nr) {
		strbuf_addstr(out, " that reads ");
		add_names(out, &t->text);
	}
}

static void add_count(struct strbuf *out, bool *first, const char *how, int nr, const char *what)
{
	if (nr < 0)
		return;
	add_sep(out, first);
	strbuf_addf(out, "with %s %d %s%s", how, nr, what, nr == 1 ? "" : "s");
}

static void add_phrase(struct strbuf *out, bool *first, bool holds, const char *phrase)
{
	if (!holds)
		return;
	add_sep(out, first);
	strbuf_addstr(out, phrase);
}

static void add_words(struct strbuf *out, bool *first, const char *label, const struct patterns *p)
{
	if (!p->nr)
		return;
	add_sep(out, first);
	strbuf_addf(out, "%s ", label);
	add_names(out, p);
}

static void add_tests(struct strbuf *out, bool *first, const struct match *m);

/* Tests on the same fact, in brackets. */
static void add_inner(struct strbuf *out, bool *first, const char *label, const struct matches *ms)
{
	bool inner;
	size_t i;

	if (!ms->nr)
		return;
	add_sep(out, first);
	strbuf_addstr(out, label);
	for (i = 0; i < ms->nr; i++) {
		inner = true;
		strbuf_addstr(out, i ? " or (" : " (");
		add_tests(out, &inner, &ms->v[i]);
		strbuf_addstr(out, " )");
	}
}

static void add_tests(struct strbuf *out, bool *first, const struct match *m)
{
	const char *const *glob;
	size_t i;

	add_words(out, first, "of", &m->receiver);
	for (i = 0; i < m->nr_args; i++)
		add_arg(out, first, &m->args[i]);
	add_count(out, first, "at least", m->min_args, "argument");
	add_count(out, first, "at most", m->max_args, "argument");
	add_count(out, first, "at least", m->min_positional, "positional argument");
	add_count(out, first, "at most", m->max_positional, "positional argument");
	add_phrase(out, first, m->rejected, "with a keyword the target does not take");
	add_bits(out, first, "where the verdict is", m->verdicts, verdict_word);
	add_bits(out, first, "in", m->langs, lang_word);
	add_bits(out, first, "in a file that is", m->roles, role_word);
	add_bits(out, first, "in a file that is not", m->not_roles, role_word);
	add_bits(out, first, "at the level of a", m->scopes, scope_word);
	add_bits(out, first, "which is", m->flags, fact_flag_name);
	add_bits(out, first, "which is not", m->not_flags, fact_flag_name);
	add_phrase(out, first, m->package, "in a package's own file");
	add_phrase(out, first, m->unreached, "in a file no call entry imports");
	add_phrase(out, first, m->loads, "that loads the framework, itself or further down");
	add_phrase(out, first, m->program, "before which a program has to switch compat on");
	add_phrase(out, first, m->test_program, "before which the tests need compat");
	add_phrase(out, first, m->path != NULL, "in");
	for (glob = m->path; glob && *glob; glob++)
		strbuf_addf(out, "%s %s", glob == m->path ? "" : ",", *glob);
	add_phrase(out, first, m->first_in_file, "the first such place of a file");
	add_phrase(out, first, m->preceded.nr || m->importers.nr,
		   "unless what it needs stands before it");
	add_words(out, first, "passed by the keyword", &m->passed_as);
	add_phrase(out, first, m->own_name, "whose name a function of the tree bears");
	add_phrase(out, first, m->passed_to.nr, "passed to a call of its kind");
	add_words(out, first, "whose result is asked for", &m->result_member);
	add_words(out, first, "in a file that defines", &m->defines);
	add_words(out, first, "under a condition that reads", &m->guard_text);
	add_words(out, first, "given a variable that another call has too, by", &m->shared);
	if (m->min_in_file)
		add_count(out, first, "in all at least", m->min_in_file, "such place");
	add_phrase(out, first, m->file_has.nr || m->file_lacks.nr,
		   "as far as the rest of the file says so");
	add_inner(out, first, "either", &m->any);
	add_inner(out, first, "and", &m->all);
	add_inner(out, first, "but not", &m->none);
}

static void add_match(struct strbuf *out, const struct match *m)
{
	bool first = true;
	size_t i;

	strbuf_addstr(out, "  ");
	for (i = 0; i < m->nr_kinds; i++) {
		strbuf_addf(out, "%s%s ", i ? ", or " : "", m->kinds[i].key);
		add_names(out, &m->kinds[i].names);
	}
	add_tests(out, &first, m);
	strbuf_addch(out, '\n');
}

/* What stands before an element of a list: pairs are old and new. */
static const char *step_comma(const struct rule_step *s, const char *const *name)
{
	bool pairs = s->verb->value == VERB_PAIRS || s->verb->value == VERB_EXPR;

	return pairs && (name - s->list) % 2 ? " ->" : ",";
}

static void add_fix(struct strbuf *out, const struct rule_fix *fix)
{
	const char *const *name;
	size_t i;

	if (!fix)
		return;
	strbuf_addf(out, "\nfix (%s; on the upstream framework: %s)\n", safety_name(fix->safety),
		    !strcmp(fix->dual, "same") ? "still right" : fix->dual);
	if (fix->description)
		add_block(out, fix->description, "  ");
	if (fix->feature)
		strbuf_addf(out, "  with --dual chosen by %.*s\n",
			    (int)strcspn(fix->feature, "\n"), fix->feature);
	for (i = 0; i < fix->nr_steps; i++) {
		const struct rule_step *s = &fix->steps[i];

		strbuf_addf(out, "  %s", s->verb->does);
		if (s->verb->value == VERB_LINES) {
			strbuf_addch(out, '\n');
			add_block(out, s->text, "      ");
			continue;
		}
		for (name = s->list; name && *name; name++)
			strbuf_addf(out, "%s %s", name == s->list ? "" : step_comma(s, name),
				    *name);
		strbuf_addf(out, "%s%s\n", s->text ? " " : "", s->text ? s->text : "");
	}
}

static void add_examples(struct strbuf *out, const struct rule *rule)
{
	size_t i;

	for (i = 0; i < rule->nr_examples; i++) {
		const struct rule_example *e = &rule->examples[i];

		strbuf_addf(out, "\n%s (%s)\n", e->after ? "before" : "no finding", e->path);
		add_block(out, e->text, "    ");
		if (!e->after)
			continue;
		strbuf_addstr(out, "after\n");
		add_block(out, e->after, "    ");
	}
}

static void add_head(struct strbuf *out, const struct rules *r, const struct rule *rule)
{
	size_t i;

	strbuf_addf(out, "%s %s\n", rule->id, rule->name);
	strbuf_addf(out, "level %s (guarded: %s) · layer %s · %s %s%s%s%s\n",
		    level_name(rule->level), level_name(rule->level_if_guarded),
		    layer_name(rule->layer),
		    r->vocab->target_roots[0], rule->range, rule->build ? " " : "",
		    rule->build ? rule->build : "",
		    rule->active ? "" : " · not for this target");
	strbuf_addf(out, "says: %s\n\nwhy\n", rule->message);
	add_block(out, rule->why, "  ");
	strbuf_addstr(out, "\nmatches\n");
	for (i = 0; i < rule->match.nr; i++)
		add_match(out, &rule->match.v[i]);
	add_fix(out, rule->fix);
	for (i = 0; i < rule->nr_alternatives; i++)
		strbuf_addf(out, "  or: %s: %s\n", rule->alternatives[i].name,
			    rule->alternatives[i].description);
}

int rules_explain(const struct rules *r, const char *id, struct strbuf *out, struct err *err)
{
	const struct rule *rule = rules_find(r, id);
	const char *near;

	if (!rule) {
		near = nearest_word(id, r->ids);
		return near ? err_set(err, "no rule '%s' (did you mean '%s'?)", id, near)
			    : err_set(err, "no rule '%s'", id);
	}
	add_head(out, r, rule);
	if (rule->keep_until)
		strbuf_addf(out, "\nthe workaround can go when: %s\n", rule->keep_until);
	if (rule->keep_long_term)
		strbuf_addf(out, "\nthe workaround stays: %s\n", rule->keep_long_term);
	strbuf_addf(out, "\nverified on %s %s %s: %s%s\n", r->vocab->package,
		    rule->verified_version, rule->verified_build, rule->verified_how,
		    rule->gpu_unverified ? "; not verified on a GPU" : "");
	if (rule->verified_note)
		add_block(out, rule->verified_note, "  ");
	add_examples(out, rule);
	return 0;
}

size_t rules_examples(const struct rules *r, struct arena *a, const struct rule_example **out)
{
	struct rule_example *v;
	size_t nr = 0, i;

	for (i = 0; i < r->nr; i++)
		nr += r->v[i].nr_examples;
	v = arena_array(a, nr + 1, sizeof(*v));
	for (i = 0, nr = 0; i < r->nr; i++) {
		memcpy(v + nr, r->v[i].examples, r->v[i].nr_examples * sizeof(*v));
		nr += r->v[i].nr_examples;
	}
	*out = v;
	return nr;
}
