/* marker_read.c - which comments are markers, and what they say. */
#include "unit.h"

#include <string.h>

#include "base/strbuf.h"
#include "marker/marker.h"

static const char *const words[] = { "TODO", "NOTE", NULL };
static const char *const roots[] = { "torch", NULL };
static const char *const targets[] = { "paddle", NULL };

/* "NAME: CONDITION" of each marker, "-" for none; joined by "|". */
static void markers_are(enum lang lang, const char *text, const char *want)
{
	struct vocab vocab = { .marker_words = words, .roots = roots, .target_roots = targets };
	struct source s = { .path = "a", .lang = lang };
	struct strbuf sb = STRBUF_INIT;
	struct arena a = { 0 };
	size_t i;

	marker_facts(&s, text, strlen(text), &vocab, &a);
	for (i = 0; i < s.nr_facts; i++) {
		ck_assert_int_eq(s.facts[i].kind, FACT_MARKER);
		strbuf_addf(&sb, "%s%s: %s", i ? "|" : "", s.facts[i].name,
			    s.facts[i].recv ? s.facts[i].recv : "-");
	}
	ck_assert_str_eq(sb.buf, want);
	strbuf_release(&sb);
	arena_free(&a);
}

UNIT_TEST(marker_own)
{
	markers_are(LANG_PYTHON, "# TODO(x): a; remove when covered t.a or fixed PD1 [PD501]\n",
		    "PD501: covered t.a or fixed PD1");
	markers_are(LANG_PYTHON, "# TODO(x): remove when covered t.a [PD501] x12\n", "PD501: covered t.a");
	markers_are(LANG_PYTHON, "# TODO(x): remove when covered t.a [PD501] \xc3\x97""3\n",
		    "PD501: covered t.a");
	markers_are(LANG_PYTHON, "# NOTE(x): a, kept long-term: b [PD505]\n", "PD505: -");
	markers_are(LANG_PYTHON, "# TODO(x): a; remove when this goes; remove when fixed PD1 [PD501]\n",
		    "PD501: fixed PD1");
	markers_are(LANG_PYTHON, "# TODO(x): a [PD501]\n# TODO(x): remove when y [PD50]\n", "");
	markers_are(LANG_PYTHON, "# see remove when fixed PD1 [PD501]\n", "");
	markers_are(LANG_CXX, "\t// TODO(x): remove when fixed PD242 [PD242]\n", "PD242: fixed PD242");
	markers_are(LANG_CMAKE, "# TODO(x): remove when fixed PD106 [PD106]\n", "PD106: fixed PD106");
	markers_are(LANG_OTHER, "# TODO(x): remove when fixed PD106 [PD106]\n", "");
}

UNIT_TEST(marker_wrapped)
{
	markers_are(LANG_PYTHON,
		    "  # TODO(x): a; remove\n  #   when covered\n  #   t.a [PD501]\n  # b\n",
		    "PD501: covered t.a");
	markers_are(LANG_PYTHON, "# TODO(x): remove when fixed PD1 [PD501]\n#   x3\n# x4\n",
		    "PD501: fixed PD1");
	markers_are(LANG_PYTHON,
		    "# TODO(x): remove when fixed PD1 [PD501]\n# TODO(x): remove when fixed PD2 [PD502]\n",
		    "PD501: fixed PD1|PD502: fixed PD2");
	markers_are(LANG_PYTHON, "# TODO(x): remove when\n\n# fixed PD1 [PD501]\n", "");
	markers_are(LANG_PYTHON, "# TODO(x): remove when\n  # fixed PD1 [PD501]\n", "");
}

UNIT_TEST(marker_foreign)
{
	markers_are(LANG_PYTHON,
		    "# TODO(ann): remove this workaround after Paddle compat supports torch.a.b\n",
		    "torch.a.b: covered torch.a.b");
	markers_are(LANG_PYTHON, "# TODO: drop once paddle provides `torch.a.b()` and torch.c.d.\n",
		    "torch.a.b: covered torch.a.b and covered torch.c.d");
	markers_are(LANG_PYTHON, "# TODO: remove when torch.a.b is supported by Paddle compat.\n",
		    "torch.a.b: covered torch.a.b");
	markers_are(LANG_PYTHON, "# TODO: remove when torch.a.b is supported by paddle nightly only\n",
		    "unknown: -");
	markers_are(LANG_PYTHON, "# TODO(paddle): remove once torch.a.b is available.\n",
		    "torch.a.b: covered torch.a.b");
	markers_are(LANG_PYTHON, "# TODO: remove after paddle supports torch.a.b with out=\n",
		    "unknown: -");
	markers_are(LANG_PYTHON, "# TODO: remove after paddle supports bfloat16\n", "unknown: -");
	markers_are(LANG_PYTHON,
		    "# TODO(Paddle compat): use init once the\n# torch.distributed proxy provides it.\n",
		    "unknown: -");
	markers_are(LANG_PYTHON, "# TODO: remove after torch 2.0\n# paddle\n# TODO: paddle is fast\n",
		    "unknown: -");
	markers_are(LANG_PYTHON, "# TODO: remove in paddleocr\n# paddle\n\n# remove paddle until\n",
		    "unknown: -");
	markers_are(LANG_PYTHON, "# TODO: paddle should set it\n", "");
	markers_are(LANG_PYTHON, "s = '''\n# TODO: remove when paddle has torch.a\n'''\n", "");
}

UNIT_TEST(marker_place)
{
	const char *text = "a\n  # TODO(x): remove when\n  #   fixed PD1 [PD501]\nb\n";
	struct vocab vocab = { .marker_words = words, .roots = roots, .target_roots = targets };
	struct fact facts[] = { { .kind = FACT_USE, .name = "a" },
				{ .kind = FACT_USE, .name = "b", .span = { 52, 53 } } };
	struct def defs[] = { { .name = "f", .span = { 0, 60 } } };
	struct source s = { .path = "a", .lang = LANG_PYTHON, .facts = facts, .nr_facts = 2,
			    .defs = defs, .nr_defs = 1 };
	struct arena a = { 0 };

	marker_facts(&s, text, strlen(text), &vocab, &a);
	ck_assert_uint_eq(s.nr_facts, 3);
	ck_assert_int_eq(s.facts[1].kind, FACT_MARKER);
	ck_assert_uint_eq(s.facts[1].span.start, 4);
	ck_assert_uint_eq(s.facts[1].stmt.start, 2);
	ck_assert_int_eq(text[s.facts[1].stmt.end], 'b');
	ck_assert_str_eq(s.facts[1].symbol, "f");
	ck_assert_str_eq(s.facts[1].text, "TODO(x): remove when fixed PD1 [PD501]");
	arena_free(&a);
}
