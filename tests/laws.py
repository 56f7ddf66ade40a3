#!/usr/bin/env python3
"""Laws that hold for every tree, whatever the program finds in it.

For the input of each case of fixtures/ that is scanned, and for trees named on the command line:

  the same bytes from run to run, for -j 1, 2, 3 and 7 (of a tree: 2 and 7; -j1 is that of tests/corpus.py),
    and the same from `scan` as from `report`
  the same findings from inside the tree and from outside
  exit status 0 or 1, the same for every format
  JSON that docs/result-schema-1.json accepts, in total order, whose counts add up
  no good verdict over what was not looked at, no partial analysis without a notice
  line, column and snippet of each finding stand in the file
  at most 25 lines of text by default
  the tree is as it was
"""
import argparse
import collections
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

import golden
import schema

TEXT_LINES_MAX = 25
SNIPPET_MAX = 200
TIMEOUT = 600
# A tree that is large is analysed three times: with these, and from outside.
JOBS_CASE, JOBS_TREE = ("-j1", "-j1", "-j2", "-j3", "-j7"), ("-j2", "-j7")


class Broken(Exception):
    """A law does not hold; the message says which."""


def require(condition, message):
    if not condition:
        raise Broken(message)


def scan(binary, where, env, *options, path="."):
    return subprocess.run([str(binary), "scan", *options, path], cwd=where, env=env,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT)


def both(binary, where, env, *options, path="."):
    """Text and JSON of one analysis: `report` prints one result in several forms."""
    with tempfile.TemporaryDirectory(prefix="pdmigrate-") as folder:
        form = os.path.join(folder, "json")
        text = subprocess.run([str(binary), "report", *options, "--format", "text", f"--json={form}", path],
                              cwd=where, env=env, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=TIMEOUT)
        js = b""
        if os.path.exists(form):
            with open(form, "rb") as file:
                js = file.read()
    return text, js


def law_same_bytes(binary, tree, env, jobs):
    """Gives the text run and the JSON with the first of jobs; the others give the same."""
    text, js = both(binary, tree, env, jobs[0])
    for number in jobs[1:]:
        other, other_js = both(binary, tree, env, number)
        require(other.stdout == text.stdout, f"text with {number} differs from {jobs[0]}")
        require(other_js == js, f"JSON with {number} differs from {jobs[0]}")
        require(other.stderr == text.stderr, f"notices with {number} differ from {jobs[0]}")
        require(other.returncode == text.returncode, f"status with {number} differs from {jobs[0]}")
    return text, js


def law_scan(binary, tree, env, text, js):
    """`scan` gives in each form what `report` does."""
    for form, want in (("text", text.stdout), ("json", js)):
        other = scan(binary, tree, env, "-j1", "--format", form)
        require(other.stdout == want, f"{form} of scan and of report differ")
        require(other.stderr == text.stderr, f"notices of scan and of report differ ({form})")
        require(other.returncode == text.returncode, f"status of scan and of report differs ({form})")


def law_status(text):
    require(text.returncode in (0, 1), f"status {text.returncode}: {text.stderr.decode(errors='replace')}")


def law_text(text):
    nr = text.stdout.count(b"\n")
    require(nr <= TEXT_LINES_MAX, f"{nr} lines of text, limit {TEXT_LINES_MAX}")
    require(text.stdout.endswith(b"\n"), "text does not end with a newline")
    ugly = re.search(rb"[\x00-\x09\x0b-\x1f\x7f]", text.stdout)
    require(not ugly, f"control byte {ugly and ugly.group()!r} in text")


def finding_key(finding):
    return (raw(finding, finding["path"]), finding["line"], finding["column"], finding["rule"])


def raw(record, text):
    """Bytes of a text of the result."""
    if record.get("path_encoded"):
        return urllib.parse.unquote_to_bytes(text)
    return text.encode("utf-8", "surrogateescape")


def law_order(result):
    paths = [raw(f, f["path"]) for f in result["files"]]
    require(paths == sorted(set(paths)), "files are not in order of path bytes, each once")
    keys = [finding_key(f) for f in result["findings"]]
    require(keys == sorted(keys), "findings are not in order of path, place and rule")
    prints = collections.Counter(f["fingerprint"] for f in result["findings"])
    require(not prints or max(prints.values()) == 1, "two findings have one fingerprint")
    for finding in result["findings"]:
        require(raw(finding, finding["path"]) in paths, f"finding in unlisted file {finding['path']}")


def law_counts(result):
    summary = result["summary"]
    require(summary["files"] == len(result["files"]), "summary.files is not the number of files")
    layers = collections.Counter(f["layer"] for f in result["files"])
    told = {k: v for k, v in summary["by_layer"].items() if v}
    require(told == dict(layers), f"summary.by_layer {told} is not {dict(layers)}")
    levels = collections.Counter(f["level"] for f in result["findings"] if f["state"] == "open")
    every = collections.Counter(f["level"] for f in result["findings"])
    told = {k: v for k, v in summary["by_level"].items() if v}
    require(told in (dict(levels), dict(every)), f"summary.by_level {told} is not {dict(levels)}")
    noticed = {n["path"] for n in result["notices"]}
    silent = [f["path"] for f in result["files"]
              if f["analysis"] == "partial" and f["path"] not in noticed]
    require(not silent, f"analysed in part and no notice says so: {silent[:3]}")


def law_honest(result):
    """A good verdict is not given over what was not even listed."""
    listed = {f["path"] for f in result["files"]}
    unseen = [n["path"] for n in result["notices"] if n["path"] not in listed]
    verdict = result["repository"]["verdict"]
    require(not unseen or verdict not in ("as_is", "after_patch"),
            f"verdict {verdict} although {unseen[:3]} was not looked at")


def split_lines(data):
    return re.split(rb"\r\n|\r|\n", data)


def law_places(result, tree):
    """Line, column and snippet are those of the file."""
    cache = {}
    for f in result["findings"]:
        path = raw(f, f["path"])
        if path not in cache:
            with open(os.path.join(os.fsencode(tree), path), "rb") as file:
                cache[path] = split_lines(file.read())
        lines, where = cache[path], f"{f['rule']} at {f['path']}:{f['line']}:{f['column']}"
        require(1 <= f["line"] <= len(lines), f"{where}: no such line")
        line = lines[f["line"] - 1]
        require(1 <= f["column"] <= len(line) + 1, f"{where}: no such column")
        require((f["end_line"], f["end_column"]) >= (f["line"], f["column"]), f"{where}: ends early")
        require(f["end_line"] <= len(lines), f"{where}: ends after the file")
        snippet = f["snippet"]
        stripped = line.strip(b" \t\f\xef\xbb\xbf")
        shown = {snippet.encode("utf-8", "surrogateescape"), urllib.parse.unquote_to_bytes(snippet)}
        require(any(s == stripped or (len(stripped) > SNIPPET_MAX and s and stripped.startswith(s[:150]))
                    for s in shown), f"{where}: snippet {snippet!r} is not the line")


def comparable(js):
    """The result without what the name of the root decides."""
    result = json.loads(js)
    result["repository"].pop("name")
    for extension in result["extensions"]:
        extension.pop("name", None)
    return result


def law_place_free(binary, tree, js, env):
    """The result does not depend on how the tree is named or where it stands, nor on -j once more."""
    outside = scan(binary, tree.parent, env, "-j3", "--format", "json", path=f"./{tree.name}/")
    require(comparable(outside.stdout) == comparable(js), "the result differs when the tree is named from outside")


def check_tree(binary, tree, env, rules, jobs):
    before = golden.fingerprint(tree)
    text, js = law_same_bytes(binary, tree, env, jobs)
    law_status(text)
    law_text(text)
    if jobs == JOBS_CASE:
        law_scan(binary, tree, env, text, js)
    result = json.loads(js)
    problems = schema.problems(rules, result)
    require(not problems, "; ".join(problems[:5]))
    law_order(result)
    law_counts(result)
    law_honest(result)
    law_places(result, tree)
    law_place_free(binary, tree, js, env)
    require(golden.fingerprint(tree) == before, "the tree was changed")


def scanned_cases():
    """Cases with a tree that a plain scan takes: those without options of their own, and no bad input."""
    for case in golden.find_cases():
        args = shlex.split(golden.read_text(case / "args", "scan input"))
        if (case / "run").exists() or args[:1] != ["scan"] or args[-1] != "input":
            continue
        refused = golden.read_text(case / "expected.status", "0").strip() == "2"
        if not refused and "--rules" not in args and "--target-paddle" not in args:
            yield case


def check_case(case, binary, root, rules):
    work = root / golden.case_name(case).replace("/", "--")
    try:
        place, env = golden.prepare(case, binary, work)
        check_tree(binary, place / "input", env, rules, JOBS_CASE)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def attempt(name, count, check, *args):
    try:
        check(*args)
        count["passed"] += 1
    except golden.Skip as e:
        count["skipped"] += 1
        print(f"skipped: laws of {name}: needs {e}")
    except (Broken, ValueError, KeyError, OSError, subprocess.SubprocessError) as e:
        count["failed"] += 1
        print(f"failed: laws of {name}: {type(e).__name__}: {e}")


def main():
    ap = argparse.ArgumentParser(description="check laws on the fixtures and on trees")
    ap.add_argument("--bin", default=str(golden.PROJECT / "build" / "pdmigrate"))
    ap.add_argument("--no-fixtures", action="store_true")
    ap.add_argument("trees", nargs="*", type=pathlib.Path)
    args = ap.parse_args()
    binary = pathlib.Path(args.bin).resolve()
    rules = json.loads((golden.PROJECT / "docs" / "result-schema-1.json").read_text())
    count = {"passed": 0, "failed": 0, "skipped": 0}
    root = golden.temp_root()
    try:
        for case in [] if args.no_fixtures else scanned_cases():
            attempt(golden.case_name(case), count, check_case, case, binary, root, rules)
        for tree in args.trees:
            env = golden.case_env(root, binary, root)
            attempt(tree.name, count, check_tree, binary, tree.resolve(), env, rules, JOBS_TREE)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    print("laws: {passed} passed, {failed} failed, {skipped} skipped".format(**count))
    return 1 if count["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
