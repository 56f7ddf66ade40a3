/* rule_marker.c - conditions: read, judged, and what they switch off; what is undone and what is not. */
#include "rule/internal.h"
#include "rule_help.h"

static enum verdict covered(void *ctx, struct arena *a, const char *name)
{
	return !strcmp(name, "t.yes") ? VERDICT_COVERED
				      : !strcmp(name, "t.no") ? VERDICT_GAP : VERDICT_UNKNOWN;
}

static const struct rule_asker asker = { .covered = covered };

#define OTHER                                                                                      \
	"id: PD901\nname: test\npaddle: \">=3.3,<3.3.1\"\nlayer: glue\nlevel: change\n"             \
	"match: {use: t.old}\n" RULE_TAIL

/* PD900 holds on the target, PD901 is fixed there. */
static void open_two(struct help *h, const char *body)
{
	const char *files[] = { "area/PD900.yml", body, "area/PD901.yml", OTHER, NULL };
	struct err err = { 0 };

	arena_free(&h->arena);
	help_init(h, RULE("match: {use: t.x}\n"));
	if (help_load_files(h, files, &err))
		ck_abort_msg("%s", err.msg);
}

static void judged(struct help *h, const char *condition, enum verdict want)
{
	enum verdict v = condition_judge(condition, h->rules, &asker, &h->arena);

	ck_assert_msg(v == want, "%s: %s, not %s", condition, verdict_name(v), verdict_name(want));
}

UNIT_TEST(condition_terms)
{
	struct help h = { 0 };

	open_two(&h, RULE("match: {use: t.x}\n"));
	judged(&h, "covered t.yes", VERDICT_COVERED);
	judged(&h, "covered t.no", VERDICT_GAP);
	judged(&h, "covered t.what", VERDICT_UNKNOWN);
	judged(&h, "fixed PD900", VERDICT_GAP);
	judged(&h, "fixed PD901", VERDICT_COVERED);
	judged(&h, "paddle >= 3.3.1", VERDICT_COVERED);
	judged(&h, "paddle >= 3.3.2", VERDICT_GAP);
	arena_free(&h.arena);
}

UNIT_TEST(condition_joined)
{
	struct help h = { 0 };

	open_two(&h, RULE("match: {use: t.x}\n"));
	judged(&h, "covered t.yes or covered t.no and covered t.no", VERDICT_COVERED);
	judged(&h, "covered t.no and covered t.no or covered t.yes", VERDICT_COVERED);
	judged(&h, "covered t.yes and covered t.no", VERDICT_GAP);
	judged(&h, "covered t.what or covered t.yes", VERDICT_COVERED);
	judged(&h, "covered t.what and covered t.no", VERDICT_GAP);
	judged(&h, "covered t.what and covered t.yes", VERDICT_UNKNOWN);
	judged(&h, "covered t.what or fixed PD900", VERDICT_UNKNOWN);
	arena_free(&h.arena);
}

static void wrong(struct help *h, const char *condition, const char *want)
{
	const char *what = NULL;

	ck_assert_int_eq(condition_check(condition, h->rules, &h->arena, &what), -1);
	ck_assert_ptr_nonnull(strstr(what, want));
}

UNIT_TEST(condition_mistakes)
{
	struct help h = { 0 };

	open_two(&h, RULE("match: {use: t.x}\n"));
	wrong(&h, "", "begins with");
	wrong(&h, "covered", "dotted name");
	wrong(&h, "covered a..b", "dotted name");
	wrong(&h, "fixed PD999", "id of a rule");
	wrong(&h, "paddle > 3", ">= VERSION");
	wrong(&h, "paddle >= new", ">= VERSION");
	wrong(&h, "covered a but not b", "joined by");
	wrong(&h, "covered a and", "begins with");
	arena_free(&h.arena);
}

UNIT_TEST(condition_of_all_targets)
{
	static const struct target two[] = { { "3.3.0", "cuda", "shipped" }, { "3.3.1", "cuda", "shipped" } };
	struct help h = { 0 };

	open_two(&h, RULE("match: {use: t.x}\n"));
	h.rules->targets = two;
	h.rules->nr_targets = 2;
	judged(&h, "fixed PD901", VERDICT_GAP);
	judged(&h, "paddle >= 3.3.1", VERDICT_GAP);
	judged(&h, "paddle >= 3.3", VERDICT_COVERED);
	arena_free(&h.arena);
}

UNIT_TEST(rule_off_when_its_marker_would_expire)
{
	struct help h = { 0 };

	open_two(&h, RULE("match: {use: t.x}\nkeep: {until: covered t.no or fixed PD900}\n"));
	help_fact(&h, FACT_USE, "t.x", 0, 0);
	rules_settle(h.rules, &asker, &h.arena);
	ck_assert_str_eq(help_match(&h), "PD900@0");
	open_two(&h, RULE("match: {use: t.x}\nkeep: {until: covered t.yes}\n"));
	h.source.nr_facts = 0;
	help_fact(&h, FACT_USE, "t.x", 0, 0);
	rules_settle(h.rules, &asker, &h.arena);
	ck_assert_str_eq(help_match(&h), "");
	arena_free(&h.arena);
}

static void marker_is(struct help *h, const char *name, const char *condition, enum verdict want,
		      size_t notices)
{
	struct notices n = { 0 };
	struct fact *f;

	h->source.nr_facts = 0;
	f = help_fact(h, FACT_MARKER, name, 0, 0);
	f->recv = condition;
	rules_judge(h->rules, &h->source, &asker, &h->arena, &n);
	ck_assert_int_eq(f->verdict, want);
	ck_assert_uint_eq(n.nr, notices);
}

UNIT_TEST(marker_judged)
{
	struct help h = { 0 };

	open_two(&h, RULE("match: {use: t.yes}\n"));
	marker_is(&h, "PD900", "covered t.yes", VERDICT_COVERED, 0);
	marker_is(&h, "PD900", "fixed PD900", VERDICT_GAP, 0);
	marker_is(&h, "PD900", "fixed it", VERDICT_UNKNOWN, 1);
	marker_is(&h, "PD900", NULL, VERDICT_GAP, 0);
	/* A person waits for a name that is there, but still has a rule. */
	marker_is(&h, "t.yes", "covered t.yes", VERDICT_GAP, 0);
	marker_is(&h, "unknown", NULL, VERDICT_UNKNOWN, 0);
	open_two(&h, RULE("match: {use: t.x}\n"));
	marker_is(&h, "t.yes", "covered t.yes", VERDICT_COVERED, 0);
	arena_free(&h.arena);
}

UNIT_TEST(rule_expired_only_of_markers)
{
	struct err err = { 0 };
	struct help h = { 0 };

	ck_assert_int_eq(help_load(&h, RULE_HEAD "layer: glue\nlevel: expired\n"
				   "match: {use: t.x}\n" RULE_TAIL, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.msg, "only markers"));
	arena_free(&h.arena);
}

#define UNDO                                                                                       \
	"id: PD990\nname: undo\npaddle: \">=3.3\"\nlayer: other\nlevel: expired\n"                  \
	"match: {marker: \"PD*\", verdict: covered}\n"                                             \
	"fix: {undo: marker, safety: safe, dual: same, description: d}\n" RULE_TAIL
#define FIXED(fix) RULE("match: {use: [t.x, t.z]}\nfix: {" fix ", safety: safe, dual: no, description: d}\n")

/* The edits of the marker at the start of `text`, whose uses of t.y are facts; or the reason. */
static const char *undone(struct help *h, const char *rule, const char *text)
{
	const char *files[] = { "area/PD900.yml", rule, "area/PD990.yml", UNDO, NULL }, *at;
	struct shape_stmt stmt = { .parent = -1, .kind = "expression", .first_on_line = true,
				   .last_on_line = true };
	struct shape sh = { .text = text, .len = strlen(text), .stmts = &stmt, .nr_stmts = 1,
			    .newline = "\n", .ok = true };
	struct err err = { 0 };
	struct strbuf sb = STRBUF_INIT;
	const char *out;
	struct fact *f;
	size_t i;

	arena_free(&h->arena);
	help_init(h, RULE("match: {use: t.x}\n"));
	if (help_load_files(h, files, &err))
		ck_abort_msg("%s", err.msg);
	stmt.line_start = stmt.span.start = (uint32_t)(strchr(text, '\n') + 1 - text);
	stmt.span.end = (uint32_t)sh.len;
	f = help_fact(h, FACT_MARKER, "PD900", 0, 0);
	f->text = arena_strndup(&h->arena, text, stmt.span.start - 1);
	f->stmt.end = stmt.span.start;
	f->verdict = VERDICT_COVERED;
	for (at = strstr(text, "t.y"); at; at = strstr(at + 1, "t.y"))
		help_fact(h, FACT_USE, "t.y", (uint32_t)(at - text), 0);
	help_match(h);
	ck_assert_uint_eq(h->found.nr, 1);
	rules_fix(h->rules, h->found.v[0], &sh, &h->arena);
	strbuf_addstr(&sb, h->found.v[0]->fix->reason ? h->found.v[0]->fix->reason : "");
	for (i = 0; i < h->found.v[0]->fix->nr_edits; i++)
		strbuf_addf(&sb, "%s|", h->found.v[0]->fix->edits[i].text);
	out = arena_strndup(&h->arena, sb.buf, sb.len);
	strbuf_release(&sb);
	return out;
}

UNIT_TEST(undo_counts_sites)
{
	struct help h = { 0 };

	ck_assert_str_eq(undone(&h, FIXED("rename: {t.x: t.y}"), "# [PD900]\nt.y\n"), "t.x||");
	ck_assert_str_eq(undone(&h, FIXED("rename: {t.x: t.y}"), "# [PD900] x2\nt.y + t.y\n"),
			 "t.x|t.x||");
	ck_assert_str_eq(undone(&h, FIXED("rename: {t.x: t.y}"), "# [PD900]\nt.y + t.y\n"),
			 "1 site is marked, 2 found as PD900 makes them");
	ck_assert_str_eq(undone(&h, FIXED("rename: {t.x: t.y}"), "# [PD900] x3\nt.y + t.y\n"),
			 "3 sites are marked, 2 found as PD900 makes them");
	arena_free(&h.arena);
}

UNIT_TEST(undo_refuses_what_it_cannot_tell)
{
	struct help h = { 0 };

	ck_assert_ptr_nonnull(strstr(undone(&h, FIXED("rename: {t.x: t.y, t.z: t.y}"),
					    "# [PD900]\nt.y\n"), "more than one name"));
	ck_assert_ptr_nonnull(strstr(undone(&h, FIXED("rename: t.y"), "# [PD900]\nt.y\n"),
				     "more than one name"));
	ck_assert_ptr_nonnull(strstr(undone(&h, FIXED("drop_keyword: [a]"), "# [PD900]\nt.y\n"),
				     "cannot be told"));
	ck_assert_ptr_nonnull(strstr(undone(&h, FIXED("rename: {t.x: t.y}"),
					    "# [PD900]\nt.y if u else t.z\n"), "cannot be told"));
	arena_free(&h.arena);
}
