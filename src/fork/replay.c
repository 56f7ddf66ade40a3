/*
 * replay.c - what becomes of a hunk on a newer revision.
 *
 * The base's lines are found in the newer text by the lines that upstream changed: a hunk that touches
 * none of them applies as it is. Where `patch` rewrites the very lines that the hunk rewrites, with no
 * fewer lines, it stands for the hunk.
 */
#include <ctype.h>
#include <string.h>

#include "fork/internal.h"

static void fate_set(struct fork_hunk *h, enum fork_fate fate, const char *reason)
{
	h->fate = fate;
	h->fate_reason = reason;
}

/* ---- lines of code ------------------------------------------------------------------------------ */

/* The line without the space around it; length 0 for an empty one and for a comment. */
static const char *line_code(const struct line_text *t, size_t line, size_t *len)
{
	const char *s = t->text + t->start[line], *end = t->text + t->start[line + 1];

	while (s < end && isspace((unsigned char)*s))
		s++;
	while (end > s && isspace((unsigned char)end[-1]))
		end--;
	*len = (size_t)(end - s);
	if (*len && (*s == '#' || (*len > 1 && s[0] == '/' && s[1] == '/')))
		*len = 0;
	return s;
}

static size_t code_lines(const struct line_text *t, size_t first, size_t nr)
{
	size_t i, len, out = 0;

	for (i = first; i < first + nr; i++) {
		line_code(t, i, &len);
		out += len > 0;
	}
	return out;
}

static bool lines_same(const struct line_text *a, size_t i, size_t nr, const struct line_text *b,
		       size_t k)
{
	struct span x, y;

	if (k + nr > b->nr || i + nr > a->nr)
		return false;
	x = lines_span(a, i, nr);
	y = lines_span(b, k, nr);
	return x.end - x.start == y.end - y.start &&
	       !memcmp(a->text + x.start, b->text + y.start, x.end - x.start);
}

/* ---- where `patch` writes ------------------------------------------------------------------------ */

static bool change_meets(const struct line_change *c, size_t from, size_t end)
{
	return c->old <= end && c->old + c->old_nr >= from;
}

static bool line_rewritten(const struct line_changes *p, size_t line)
{
	size_t i;

	for (i = 0; i < p->nr; i++)
		if (line >= p->v[i].old && line < p->v[i].old + p->v[i].old_nr)
			return true;
	return false;
}

/* Each line of code that the hunk puts in is among those that `patch` puts in there. */
static bool lines_among(const struct fork_file *file, const struct fork_hunk *h,
			const struct fork_onto *o, const struct line_change *p)
{
	size_t i, k, n, m;

	for (i = h->at.new; i < h->at.new + h->at.new_nr; i++) {
		const char *s = line_code(&file->new, i, &n);

		for (k = p->new; n && k < p->new + p->new_nr; k++) {
			const char *t = line_code(&o->patched, k, &m);

			if (n == m && !memcmp(s, t, n))
				break;
		}
		if (n && k == p->new + p->new_nr)
			return false;
	}
	return true;
}

/* `patch` rewrites what the hunk rewrites, at lines [from, from + nr) of the newer text. */
static bool patch_stands_for(const struct fork_file *file, const struct fork_hunk *h,
			     const struct fork_onto *o, const struct line_changes *p, size_t from,
			     size_t nr)
{
	size_t i, n, added = 0, met = 0;

	for (i = 0; i < p->nr; i++) {
		if (!change_meets(&p->v[i], from, from + nr))
			continue;
		met++;
		added += code_lines(&o->patched, p->v[i].new, p->v[i].new_nr);
		if (!nr && lines_among(file, h, o, &p->v[i]))
			return code_lines(&file->new, h->at.new, h->at.new_nr) > 0;
	}
	if (!met || !nr)
		return false;
	for (i = from; i < from + nr; i++) {
		line_code(&o->text, i, &n);
		if (n && !line_rewritten(p, i))
			return false;
	}
	return code_lines(&o->text, from, nr) > 0 &&
	       code_lines(&file->new, h->at.new, h->at.new_nr) <= added;
}

/* ---- where upstream wrote ------------------------------------------------------------------------ */

/* Lines of the newer text for lines of the base; false when upstream changed something there. */
static bool range_map(const struct line_changes *up, size_t *from, size_t *nr)
{
	size_t end = *from + *nr, i, first = *from, last = end, lo = *from, hi = end;
	bool met = false;

	for (i = 0; i < up->nr; i++) {
		const struct line_change *c = &up->v[i];

		if (c->old + c->old_nr < first) {
			lo = first - (c->old + c->old_nr) + c->new + c->new_nr;
			hi = last - (c->old + c->old_nr) + c->new + c->new_nr;
			continue;
		}
		if (!change_meets(c, first, end))
			break;
		if (!met && c->old < first)
			lo = c->new;
		else if (!met)
			lo = c->new - (c->old - first);
		met = true;
		hi = c->new + c->new_nr;
		if (end > c->old + c->old_nr)
			hi += end - (c->old + c->old_nr);
	}
	*from = lo;
	*nr = hi - lo;
	return !met;
}

static bool upstream_has(const struct fork_file *file, const struct fork_hunk *h,
			 const struct fork_onto *o, const struct line_changes *up)
{
	size_t i;

	for (i = 0; i < up->nr; i++)
		if (up->v[i].old == h->at.old && up->v[i].old_nr == h->at.old_nr &&
		    up->v[i].new_nr == h->at.new_nr &&
		    lines_same(&file->new, h->at.new, h->at.new_nr, &o->text, up->v[i].new))
			return true;
	return false;
}

static bool rule_finds(const struct fork *f, const struct fork_onto *o, const char *rule)
{
	size_t i;

	for (i = 0; i < f->onto->findings.nr; i++)
		if (f->onto->findings.v[i]->source == o->source &&
		    !strcmp(f->onto->findings.v[i]->rule, rule))
			return true;
	return false;
}

/* ---- fates -------------------------------------------------------------------------------------- */

static void hunk_replay(struct fork *f, struct fork_file *file, struct fork_hunk *h,
			const struct fork_onto *o, const struct line_changes *up,
			const struct line_changes *p)
{
	size_t from = h->at.old, nr = h->at.old_nr;
	bool as_was = range_map(up, &from, &nr);

	h->onto = (struct line_change){from, nr, h->at.new, h->at.new_nr};
	if (upstream_has(file, h, o, up))
		fate_set(h, FATE_GONE, "upstream has the same");
	else if (h->class == FORK_ABSORBABLE || h->class == FORK_NOT_NEEDED)
		fate_set(h, FATE_GONE, h->reason);
	else if (patch_stands_for(file, h, o, p, from, nr))
		fate_set(h, FATE_REGENERATED, "`patch` rewrites these lines");
	else if (as_was)
		fate_set(h, FATE_APPLIES, h->reason);
	else if (h->rule && o->source && !rule_finds(f, o, h->rule))
		fate_set(h, FATE_GONE,
			 arena_fmt(f->arena, "upstream changed it, and %s finds nothing here", h->rule));
	else
		fate_set(h, FATE_PERSON, "upstream changed the same lines");
}

/* Files that are not on both sides of the fork, and what has no lines. */
static void whole_replay(struct fork_file *file, const struct fork_onto *o)
{
	struct fork_hunk *h = &file->hunks[0];
	const struct line_text *was = file->in_fork ? &file->new : &file->old;
	bool equal = o->there && !o->opaque && o->text.nr == was->nr &&
		     lines_same(&o->text, 0, was->nr, was, 0);

	h->onto = h->at;
	if (file->opaque || o->opaque)
		fate_set(h, FATE_PERSON, "no text of lines");
	else if (!file->in_base && equal)
		fate_set(h, FATE_GONE, "upstream has the same");
	else if (!file->in_base && o->there)
		fate_set(h, FATE_PERSON, "upstream has another file of that name");
	else if (!file->in_base || equal)
		fate_set(h, FATE_APPLIES, h->reason);
	else if (!file->in_fork && !o->there)
		fate_set(h, FATE_GONE, "upstream removed it too");
	else
		fate_set(h, FATE_PERSON, "upstream changed the file that the fork removes");
}

void fork_replay(struct fork *f, struct fork_file *file, const struct fork_onto *o)
{
	struct line_changes up, p;
	size_t i;

	if (!file->nr)
		return;
	if (file->opaque || o->opaque || !file->in_base || !file->in_fork) {
		whole_replay(file, o);
		return;
	}
	if (o->there) {
		line_diff(&up, f->arena, &file->old, &o->text);
		line_diff(&p, f->arena, &o->text, &o->patched);
	}
	for (i = 0; i < file->nr; i++)
		if (o->there)
			hunk_replay(f, file, &file->hunks[i], o, &up, &p);
		else
			fate_set(&file->hunks[i], FATE_PERSON, "the file is not there any more");
}

/* ---- the text that comes out --------------------------------------------------------------------- */

/* The line of the patched text where [at, at + nr) of the unpatched one stands; false: it was rewritten. */
static bool place_patched(const struct line_changes *p, size_t at, size_t nr, size_t *line)
{
	size_t i;

	*line = at;
	for (i = 0; i < p->nr; i++) {
		const struct line_change *c = &p->v[i];

		if (c->old + c->old_nr <= at)
			*line = at - (c->old + c->old_nr) + c->new + c->new_nr;
		else if (c->old < at + nr)
			return false;
	}
	return true;
}

const char *fork_apply(struct fork *f, struct fork_file *file, const struct fork_onto *o, bool noise,
		       size_t *len)
{
	struct strbuf out = STRBUF_INIT;
	struct line_changes p;
	size_t i, at = 0, line;
	const char *text;
	struct span s;

	line_diff(&p, f->arena, &o->text, &o->patched);
	for (i = 0; i < file->nr; i++) {
		struct fork_hunk *h = &file->hunks[i];

		if (h->fate != FATE_APPLIES || (h->class == FORK_NOISE && !noise))
			continue;
		s = lines_span(&file->new, h->at.new, h->at.new_nr);
		if (!place_patched(&p, h->onto.old, h->onto.old_nr, &line) || line < at ||
		    /* A last line without an end cannot have one after it. */
		    (s.end > s.start && file->new.text[s.end - 1] != '\n' &&
		     line + h->onto.old_nr < o->patched.nr)) {
			fate_set(h, FATE_PERSON, "`patch` writes something else at this place");
			continue;
		}
		s = lines_span(&o->patched, at, line - at);
		strbuf_add(&out, o->patched.text + s.start, s.end - s.start);
		s = lines_span(&file->new, h->at.new, h->at.new_nr);
		strbuf_add(&out, file->new.text + s.start, s.end - s.start);
		at = line + h->onto.old_nr;
	}
	s = lines_span(&o->patched, at, o->patched.nr - at);
	strbuf_add(&out, o->patched.text + s.start, s.end - s.start);
	text = arena_strndup(f->arena, out.buf, out.len);
	*len = out.len;
	strbuf_release(&out);
	return text;
}

/* ---- counts ------------------------------------------------------------------------------------- */

static bool is_known(const struct fork *f, const struct finding *x)
{
	size_t i;

	for (i = 0; i < f->base->findings.nr; i++)
		if (!strcmp(f->base->findings.v[i]->fingerprint, x->fingerprint))
			return true;
	return false;
}

void fork_settle(struct fork *f)
{
	size_t i, k;

	for (i = 0; i < f->files.nr; i++)
		for (k = 0; k < f->files.v[i].nr; k++)
			f->by_fate[f->files.v[i].hunks[k].fate]++;
	for (i = 0; i < f->onto->findings.nr; i++) {
		struct finding *x = f->onto->findings.v[i];

		if (x->state == STATE_OPEN && x->level != LEVEL_NOTE && !x->shimmed &&
		    !is_known(f, x))
			*VEC_PUSH(f->arena, &f->fresh) = x;
	}
}
