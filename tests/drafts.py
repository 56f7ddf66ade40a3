#!/usr/bin/env python3
"""Drafts of issues show faults that are there: the reproducer of each fails on a real Paddle.

The drafts are those of fixtures/drafts/gaps. A reproducer has at most 15 lines, fails, and runs once its last
statement is taken off, so that it fails for what it is about. PDMIGRATE_PADDLE_PYTHON names the interpreter;
without it all of this is skipped.
"""
import argparse
import ast
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parent.parent
TREE = PROJECT / "fixtures/drafts/gaps/input"
LINES = 15


def reproducer(text):
    return re.search(r"```python\n(.*?)```", text, re.S).group(1)


def without_last(code):
    """The code up to the statement that fails: the import of the name, or its last line."""
    body = ast.parse(code).body
    at = next((s for s in body if isinstance(s, ast.ImportFrom)), body[-1])
    return "".join(code.splitlines(True)[:at.lineno - 1])


def runs(python, code, folder):
    env = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    r = subprocess.run([python, "-c", code], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=600)
    return r.returncode == 0, (r.stderr.strip().splitlines() or [""])[-1]


def wrong(python, draft, folder):
    """What is wrong with a draft, "" for nothing."""
    code = reproducer(draft.read_text())
    if len(code.splitlines()) > LINES:
        return f"has {len(code.splitlines())} lines"
    good, why = runs(python, without_last(code), folder)
    if not good:
        return f"fails before its point: {why}"
    good, why = runs(python, code, folder)
    if good:
        return "does not fail"
    print(f"{draft.stem}: {why}")
    return ""


def main():
    ap = argparse.ArgumentParser(description="reproducers of issue drafts on a real Paddle")
    ap.add_argument("--bin", default=str(PROJECT / "build/pdmigrate"))
    args = ap.parse_args()
    python = os.environ.get("PDMIGRATE_PADDLE_PYTHON")
    passed = failed = 0
    if not python:
        print("skipped: reproducers on Paddle: PDMIGRATE_PADDLE_PYTHON is not set")
        print(f"drafts: 0 passed, {int(bool(os.environ.get('CI')))} failed, 1 skipped")
        return int(bool(os.environ.get("CI")))
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out"
        subprocess.run([pathlib.Path(args.bin).resolve(), "patch", "-q", "-n", "--issue-drafts", str(out), str(TREE)],
                       stdout=subprocess.DEVNULL, check=False, timeout=600)
        drafts = sorted(out.glob("*.md"))
        for draft in drafts:
            why = wrong(python, draft, folder)
            passed, failed = passed + (not why), failed + bool(why)
            if why:
                print(f"failed: {draft.stem}: {why}")
    if not drafts:
        print("failed: there are no drafts")
        failed += 1
    print(f"drafts: {passed} passed, {failed} failed, 0 skipped")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
