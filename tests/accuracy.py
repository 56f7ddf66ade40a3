#!/usr/bin/env python3
"""How often a rule is right on projects it was not written for, judged hit by hit.

  draw PDnnn     print up to 20 hits over the corpus to judge: those with the lowest fingerprints, at most
                 4 a project, and more of the same projects where that gives fewer than 20; --unjudged leaves
                 out what is judged already, --per-group 1 takes each name once
  check          the judgements are well formed and, where the corpus is, still belong to a hit
  table          write docs/accuracy.md

Judgements stand in tests/accuracy/PDnnn.tsv, a line each:
`fingerprint<TAB>project:path:line<TAB>true|false|unsure<TAB>reason`. True means that the finding is right
at the level it has. A reason that starts with `looked for:` marks a hit that was searched out and not drawn; such
rows keep known mistakes in sight and are not counted in the precision. Trees are those of `make corpus`, or of --trees.
"""
import argparse
import collections
import os
import pathlib
import re
import sys
import urllib.parse

import corpus

PROJECT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = PROJECT / "tests" / "accuracy"
PAGE = PROJECT / "docs" / "accuracy.md"
STRONG = ("change", "blocked")
WORDS = ("true", "false", "unsure")
LINES_AROUND = 3
GOAL = 80
NO_LIMIT = 1 << 30


class Hit:
    """A finding of one project of the corpus."""

    def __init__(self, project, finding):
        self.project = project
        self.rule, self.level = finding["rule"], finding["level"]
        self.fingerprint, self.message = finding["fingerprint"], finding["message"]
        self.path, self.line = finding["path"], finding["line"]
        self.file = urllib.parse.unquote(self.path) if finding.get("path_encoded") else self.path
        self.group = finding["group"]

    @property
    def key(self):
        return self.project, self.fingerprint

    @property
    def place(self):
        return f"{self.project}:{self.path}:{self.line}"


class Judgement:
    def __init__(self, where, line):
        fields = line.split("\t")
        if len(fields) != 4:
            raise ValueError(f"{where}: wanted fingerprint, place, word and reason with tabs between")
        self.where, (self.fingerprint, self.place, self.word, self.reason) = where, fields
        if not re.fullmatch(r"[0-9a-f]{32}", self.fingerprint):
            raise ValueError(f"{where}: '{self.fingerprint}' is not a fingerprint")
        if not re.fullmatch(r"[^:]+:[^:].*:[1-9][0-9]*", self.place):
            raise ValueError(f"{where}: '{self.place}' is not project:path:line")
        if self.word not in WORDS:
            raise ValueError(f"{where}: '{self.word}' is not one of {', '.join(WORDS)}")
        if not self.reason.strip() or self.reason != self.reason.strip():
            raise ValueError(f"{where}: a judgement needs a reason")
        self.project = self.place.split(":")[0]
        self.drawn = not self.reason.startswith("looked for:")

    @property
    def key(self):
        return self.project, self.fingerprint


def read_judgements(path):
    """Judgements of one file; a mistake is a ValueError."""
    rows = [Judgement(f"{path.name}:{nr}", line)
            for nr, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)]
    seen = set()
    for row in rows:
        if row.key in seen:
            raise ValueError(f"{row.where}: judged twice")
        seen.add(row.key)
    return rows


def rule_ids():
    return {p.stem for p in (PROJECT / "rules").glob("*/PD*.yml")}


def rules_by_place(hits):
    places = collections.defaultdict(set)
    for hit in hits:
        places[hit.place].add(hit.rule)
    return places


def hits_of(args):
    """Hits over all trees, in order of project."""
    scans = corpus.Scans(args.bin, args.rules)
    for tree in args.trees:
        yield from (Hit(tree.name, f) for f in scans.result(tree)["findings"])


# ---- draw ---------------------------------------------------------------------------------------


def choose(hits, args):
    """The hits with the lowest fingerprints, so that a draw does not depend on what is around."""
    projects, groups, chosen = collections.Counter(), collections.Counter(), []
    for hit in sorted(hits, key=lambda h: (h.fingerprint, h.project)):
        if (len(chosen) < args.nr and projects[hit.project] < args.per_project
                and groups[hit.group] < args.per_group):
            projects[hit.project] += 1
            groups[hit.group] += 1
            chosen.append(hit)
    if args.per_group == NO_LIMIT:
        chosen += sorted(set(hits) - set(chosen), key=lambda h: (h.fingerprint, h.project))[:args.nr - len(chosen)]
    return sorted(chosen, key=lambda h: (h.project, h.path, h.line))


def show(hit, tree):
    print(f"{hit.fingerprint}\t{hit.place}\t{hit.level}\t{hit.message}")
    raw = os.fsencode(hit.file)
    with open(os.path.join(os.fsencode(tree), raw), "rb") as f:
        lines = f.read().decode("utf-8", "replace").splitlines()
    first = max(0, hit.line - 1 - LINES_AROUND)
    for nr, line in enumerate(lines[first:hit.line + LINES_AROUND], first + 1):
        print(f"  {'>' if nr == hit.line else ' '} {nr:5} {line[:140]}")
    print()


def draw(args):
    trees = {t.name: t for t in args.trees}
    judged = set()
    path = FOLDER / f"{args.rule}.tsv"
    if args.unjudged and path.exists():
        judged = {j.key for j in read_judgements(path)}
    hits = [h for h in hits_of(args) if h.rule == args.rule and (not args.level or h.level == args.level)]
    chosen = choose([h for h in hits if h.key not in judged], args)
    for hit in chosen:
        show(hit, trees[hit.project])
    print(f"accuracy: {len(chosen)} of {len(hits)} hits of {args.rule}", file=sys.stderr)
    return 0


# ---- check --------------------------------------------------------------------------------------


def check_form(problems):
    """Rule -> its judgements; mistakes are appended to problems."""
    known, out = rule_ids(), {}
    for path in sorted(FOLDER.glob("*")):
        if path.suffix != ".tsv" or path.stem not in known:
            problems.append(f"{path.name}: not named after a rule")
            continue
        try:
            out[path.stem] = read_judgements(path)
        except ValueError as e:
            problems.append(str(e))
    return out


def stale_of(judgements, hits, projects):
    """Judgements whose project is there and whose hit is not, with the rules that hold there now."""
    keys, places = {(h.rule, *h.key) for h in hits}, rules_by_place(hits)
    for rule, rows in judgements.items():
        for row in rows:
            if row.project in projects and (rule, *row.key) not in keys:
                yield rule, row, places[row.place]


def check(args):
    problems = []
    judgements = check_form(problems)
    for problem in problems:
        print(f"failed: {problem}")
    nr, skipped = sum(len(rows) for rows in judgements.values()), 0
    if not args.form and not args.trees:
        skipped = 1
        print("skipped: judgements against hits: the corpus is not there")
    elif not args.form:
        projects = {t.name for t in args.trees}
        for rule, row, others in stale_of(judgements, list(hits_of(args)), projects):
            now = ", ".join(sorted(others)) or "nothing"
            print(f"stale: {row.where}: {rule} is gone from {row.place} (judged {row.word}); {now} holds there")
    print(f"accuracy: {nr} passed, {len(problems)} failed, {skipped} skipped")
    return 1 if problems else 0


# ---- table --------------------------------------------------------------------------------------


def percent(good, bad):
    return "" if not good + bad else f"{100 * good // (good + bad)} %"


class Line:
    """What the table says about one rule."""

    def __init__(self, rule, hits, rows, places):
        by_key = {h.key: h for h in hits}
        self.rule, self.hits = rule, len(hits)
        self.strong_hits = sum(h.level in STRONG for h in hits)
        there = [r for r in rows if r.key in by_key]
        self.words = collections.Counter(r.word for r in there if r.drawn)
        self.strong = collections.Counter(r.word for r in there if r.drawn and by_key[r.key].level in STRONG)
        self.known = sum(r.word == "false" for r in there if not r.drawn)
        self.mended = sum(r.word == "false" and not places[r.place] for r in rows if r.key not in by_key)

    @property
    def weak(self):
        good, bad = self.strong["true"], self.strong["false"]
        return bool(good + bad) and 100 * good < GOAL * (good + bad)

    def row(self):
        w, s = self.words, self.strong
        counts = (sum(w.values()), w["true"], w["false"], w["unsure"]) if w else ("",) * 4
        cells = (self.rule, self.hits, self.strong_hits, *counts, percent(w["true"], w["false"]), percent(s["true"], s["false"]),
                 self.known or "", self.mended or "")
        return "| " + " | ".join(str(c) for c in cells) + " |"


def proof(rule):
    """What stands behind a rule that the corpus does not show."""
    text = next((PROJECT / "rules").glob(f"*/{rule}.yml")).read_text(encoding="utf-8")
    how = re.search(r"^  how: (\w+)", text, re.M)
    if re.search(r"^    run:", text, re.M):
        return "an example is run on the target by `make e2e`"
    return {"run": "run by hand", "compiled": "compiled with the target's headers", "read": "read"}.get(how and how[1], "the tree alone")


def without_hits(lines):
    """Rules that have no hit, by what proves them."""
    by = collections.defaultdict(list)
    for line in lines:
        if not line.hits:
            by[proof(line.rule)].append(line.rule)
    return [f"* {why}: {' '.join(rules)}" for why, rules in sorted(by.items())]


def page(lines, projects):
    head = ("rule", "hits", "at change", "judged", "true", "false", "unsure", "precision",
            "precision at change", "known false", "mended")
    text = ["# Accuracy", "",
            "Written by `tests/accuracy.py table`. Hits of each rule on projects that it was not written for",
            f"({len(projects)} source archives, `tests/corpus.lock`) were judged: the lines around each place were read, and",
            "where the target's answer was in doubt it was asked by a run (\"run\" in the reason). C++ is judged by g++ against",
            "the target's headers, the file itself or a line with the same call (\"as a form\"). \"True\" means right at the",
            "level that was given; precision is true / (true + false). The draw is deterministic: the lowest",
            "fingerprints, at most 4 a project, filled up to 20 where there are more hits (each name once for the",
            "generic rules). \"Known false\" were searched out and are not in the precision; \"mended\" counts hits judged",
            "false where no rule holds any more. Judgements and reasons: `tests/accuracy/`.", "",
            "| " + " | ".join(head) + " |",
            "| --- |" + " ---: |" * (len(head) - 1)]
    text += [line.row() for line in lines]
    text += ["", f"## Under {GOAL} % at level change", ""]
    weak = [f"* {line.rule}: {percent(line.strong['true'], line.strong['false'])}" for line in lines if line.weak]
    text += weak or ["None."]
    text += ["", "## Without a hit", "", "What proves them; each has examples that `pdmigrate rules test` checks.", ""]
    text += without_hits(lines)
    return "\n".join(text) + "\n"


def table(args):
    if not args.trees:
        raise SystemExit("accuracy: the corpus is not there; run `make corpus`")
    problems = []
    judgements = check_form(problems)
    if problems:
        raise SystemExit("accuracy: " + "\naccuracy: ".join(problems))
    by_rule, hits = collections.defaultdict(list), list(hits_of(args))
    for hit in hits:
        by_rule[hit.rule].append(hit)
    places = rules_by_place(hits)
    lines = [Line(rule, by_rule[rule], judgements.get(rule, []), places) for rule in sorted(rule_ids())]
    text = page(lines, args.trees)
    if args.check:
        return int(text != PAGE.read_text())
    PAGE.write_text(text)
    return 0


def main():
    ap = argparse.ArgumentParser(description="judge findings by hand, and count")
    ap.add_argument("--bin", type=pathlib.Path, default=PROJECT / "build" / "pdmigrate")
    ap.add_argument("--rules", type=pathlib.Path, help="read rules from this folder")
    ap.add_argument("--trees", type=pathlib.Path, nargs="+", help="default: the corpus")
    sub = ap.add_subparsers(dest="command", required=True)
    p = sub.add_parser("draw", help="hits to judge")
    p.add_argument("rule")
    p.add_argument("--trees", type=pathlib.Path, nargs="+", default=argparse.SUPPRESS)
    p.add_argument("--nr", type=int, default=20)
    p.add_argument("--per-project", type=int, default=4)
    p.add_argument("--per-group", type=int, default=NO_LIMIT)
    p.add_argument("--level", choices=corpus.LEVELS)
    p.add_argument("--unjudged", action="store_true")
    p = sub.add_parser("check", help="form and freshness of the judgements")
    p.add_argument("--form", action="store_true", help="the form only, without the corpus")
    p = sub.add_parser("table", help="write docs/accuracy.md")
    p.add_argument("--check", action="store_true", help="only say whether it is up to date")
    args = ap.parse_args()
    args.bin = args.bin.resolve()
    if args.trees is None:
        args.trees = corpus.trees()
    args.trees = sorted(args.trees, key=lambda t: t.name)
    return {"draw": draw, "check": check, "table": table}[args.command](args)


if __name__ == "__main__":
    sys.exit(main())
