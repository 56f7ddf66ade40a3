/* load_fix.c - `fix:` -> struct rule_fix: verbs of ops.def beside safety, dual and description. */
#include <string.h>

#include "rule/verb.h"

#define FIX_WORDS_MAX 64

static const char *const fix_own[] = { "safety", "dual", "feature", "description", "anywhere" };
#define FIX_OWN (sizeof(fix_own) / sizeof(*fix_own))

static int fix_unknown(struct reader *r, const struct yaml *n)
{
	const char *words[FIX_WORDS_MAX + 1] = { 0 }, *near;
	size_t i, nr = 0;

	for (i = 0; i < FIX_OWN; i++)
		words[nr++] = fix_own[i];
	for (i = 0; verbs[i].word && nr < FIX_WORDS_MAX; i++)
		words[nr++] = verbs[i].word;
	near = nearest_word(n->key, words);
	if (near)
		return err_set(r->err, "%s:%d: unknown verb '%s' (did you mean '%s'?)", r->file,
			       n->key_line, n->key, near);
	return err_set(r->err, "%s:%d: unknown verb '%s'", r->file, n->key_line, n->key);
}

/* A map of old and new names, one after the other. */
static int pairs_read(struct reader *r, const struct yaml *n, const char *const **out)
{
	const char **v = arena_array(r->arena, 2 * n->nr + 1, sizeof(*v));
	const struct yaml *c;
	size_t nr = 0;

	for (c = n->child; c; c = c->next) {
		v[nr++] = c->key;
		if (read_text(r, c, &v[nr++]))
			return -1;
	}
	*out = v;
	return 0;
}

static int step_read(struct reader *r, const struct yaml *n, struct rule_fix *fix)
{
	struct rule_step *s = &fix->steps[fix->nr_steps++];

	s->verb = verb_find(n->key);
	if (!s->verb)
		return fix_unknown(r, n);
	fix->rows |= s->verb->apply == verb_comment_row;
	if (s->verb->value == VERB_NAMES)
		return read_list(r, n, &s->list);
	if ((s->verb->value == VERB_PAIRS || s->verb->value == VERB_EXPR) && n->kind == YAML_MAP)
		return pairs_read(r, n, &s->list);
	if (read_text(r, n, &s->text))
		return -1;
	if (s->verb->value == VERB_LINES || s->verb->value == VERB_EXPR)
		return 0;
	return template_check(s->text, r->file, n->line, r->err);
}

static const char *safety_word(int i)
{
	return i <= SAFETY_MANUAL ? safety_name(i) : NULL;
}

static const char *dual_word(int i)
{
	static const char *const names[] = { "same", "guard", "no", NULL };

	return names[i];
}

static int fix_check(struct reader *r, const struct yaml *n, const struct rule_fix *fix)
{
	if (fix->safety == SAFETY_NONE)
		return read_fail(r, n, "a fix must say its 'safety' (safe, unsafe or manual)");
	if (!fix->dual)
		return read_fail(r, n, "a fix must say its 'dual' (same, guard or no)");
	if (!fix->nr_steps && fix->safety != SAFETY_MANUAL)
		return read_fail(r, n, "a fix without a verb is manual");
	if (fix->nr_steps && fix->safety == SAFETY_MANUAL)
		return read_fail(r, n, "a fix with a verb is not manual");
	if (fix->feature && (!fix->nr_steps || strcmp(fix->dual, "guard")))
		return read_fail(r, n, "only a fix with a verb that is 'dual: guard' has a 'feature'");
	if (!fix->nr_steps && !fix->description)
		return read_fail(r, n, "a manual fix must have a 'description'");
	return 0;
}

int fix_read(struct reader *r, const struct yaml *n, struct rule_fix **out)
{
	struct rule_fix *fix = ARENA_NEW(r->arena, struct rule_fix);
	const struct yaml *c;
	int ret = 0, word = 0;

	if (n->kind != YAML_MAP)
		return read_fail(r, n, "'fix' must be a map");
	fix->steps = arena_array(r->arena, n->nr + 1, sizeof(*fix->steps));
	for (c = n->child; c && !ret; c = c->next) {
		if (!strcmp(c->key, "safety")) {
			ret = read_word(r, c, safety_word, &word);
			fix->safety = word;
		} else if (!strcmp(c->key, "dual")) {
			ret = read_word(r, c, dual_word, &word);
			fix->dual = dual_word(word);
		} else if (!strcmp(c->key, "feature")) {
			ret = read_text(r, c, &fix->feature);
		} else if (!strcmp(c->key, "description")) {
			ret = read_text(r, c, &fix->description);
		} else if (!strcmp(c->key, "anywhere")) {
			ret = read_bool(r, c, &fix->anywhere);
		} else {
			ret = step_read(r, c, fix);
		}
	}
	*out = fix;
	return ret ? ret : fix_check(r, n, fix);
}
