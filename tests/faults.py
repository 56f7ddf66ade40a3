#!/usr/bin/env python3
"""Make each fallible call of a scan fail in turn: PD_FAULT=n fails the n-th allocation, open, read or write.

Whatever fails, the program must end by itself with a status of its own: 2 and a message, or 0 or 1 with a
notice about the file that could not be read. Never a signal, never silence. The first points are all
tried, later ones by growing steps, until several in a row were not reached.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys

import golden

TIMEOUT = 60
ALL_BELOW, STEP = 150, 1.07


def points():
    n = 1
    while True:
        yield n
        n = n + 1 if n < ALL_BELOW else int(n * STEP) + 1


def run(binary, tree, env, fault, form):
    env = {**env, "PD_FAULT": str(fault)} if fault else env
    return subprocess.run([str(binary), "scan", "-j1", "--format", form, tree.name], cwd=tree.parent,
                          env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT)


def problem(result, clean):
    """What is wrong with a run whose n-th call failed; None when it is right."""
    if result.returncode not in (0, 1, 2):
        return f"status {result.returncode}: {result.stderr.decode(errors='replace')[-500:]}"
    if result.returncode == 2:
        if result.stdout and not clean.stdout.startswith(result.stdout):
            return "status 2 and a result that is not the beginning of the right one"
        if not result.stderr.startswith(b"pdmigrate: "):
            return f"status 2 without a message: {result.stderr[:200]!r}"
        return None
    if result.stdout != clean.stdout and result.stderr == clean.stderr:
        return "the result differs and nothing says why"
    return None


def check(binary, tree, env, form, count):
    clean = run(binary, tree, env, 0, form)
    unchanged = 0
    for n in points():
        result = run(binary, tree, env, n, form)
        wrong = problem(result, clean)
        if wrong:
            count["failed"] += 1
            print(f"failed: PD_FAULT={n} ({form}): {wrong}")
        else:
            count["passed"] += 1
        same = (result.returncode, result.stdout, result.stderr) == (
            clean.returncode, clean.stdout, clean.stderr)
        unchanged = unchanged + 1 if same else 0
        if (unchanged > 4 and n > ALL_BELOW) or count["failed"] > 20:
            return


def main():
    ap = argparse.ArgumentParser(description="fail every call in turn")
    ap.add_argument("--bin", default=str(golden.PROJECT / "build" / "pdmigrate"))
    args = ap.parse_args()
    binary = pathlib.Path(args.bin).resolve()
    root = golden.temp_root()
    count = {"passed": 0, "failed": 0}
    try:
        tree = root / "demo"
        shutil.copytree(golden.FIXTURES / "demo", tree)
        env = {**golden.case_env(root, binary, root), "TMPDIR": str(root)}
        for form in ("text", "json"):
            check(binary, tree, env, form, count)
        left = sorted(os.listdir(root))
        if left != ["demo"]:
            count["failed"] += 1
            print(f"failed: files were left behind: {left}")
    finally:
        shutil.rmtree(root, ignore_errors=True)
    print(f"faults: {count['passed']} passed, {count['failed']} failed, 0 skipped")
    return 1 if count["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
