#!/usr/bin/env python3
"""Does the coverage database say what the real target does?

    coverage_agree.py --python PY --pdmigrate BIN [--names N] [--paddle VERSION] TREE...

Draws N dotted torch names (200 by default, the same ones each time) from the imports and attribute chains of
the Python files below the trees. Each is evaluated in a process of its own, forked from a PY that has only
imported paddle and switched compat on, and compared with `BIN coverage lookup`: covered must evaluate, gap
must raise. Unknown is no disagreement; it is counted and printed. Status 1: they disagree, 2: could not run.
"""
import argparse
import ast
import hashlib
import os
import subprocess
import sys
import warnings

EVALUATE = r"""
import importlib, os, signal, sys, warnings
warnings.simplefilter("ignore")
import paddle
paddle.enable_compat()

def evaluate(name):
    parts = name.split(".")
    value = importlib.import_module(parts[0])
    for i, part in enumerate(parts[1:], 2):
        try:
            value = getattr(value, part)
        except AttributeError:
            value = importlib.import_module(".".join(parts[:i]))

for name in sys.stdin.read().split():
    sys.stdout.flush()
    pid = os.fork()
    if not pid:
        signal.alarm(60)
        try:
            evaluate(name)
            text = "ok"
        except BaseException as e:
            text = "%s: %s" % (type(e).__name__, " ".join(str(e).split())[:120])
        os.write(1, ("%s\t%s\n" % (name, text)).encode())
        os._exit(0)
    if os.waitpid(pid, 0)[1]:
        os.write(1, ("%s\tended by a signal\n" % name).encode())
sys.stdout.flush()
os._exit(0)
"""


class Names(ast.NodeVisitor):
    """Absolute dotted names below a root that a module mentions."""

    def __init__(self, root):
        self.root, self.bound, self.found = root, {}, set()

    def add(self, name):
        if name.split(".")[0] == self.root:
            self.found.add(name)

    def visit_Import(self, node):
        for a in node.names:
            self.add(a.name)
            self.bound[a.asname or a.name.split(".")[0]] = a.name if a.asname else a.name.split(".")[0]

    def visit_ImportFrom(self, node):
        for a in node.names if not node.level and node.module else []:
            self.add(node.module)
            if a.name != "*":
                self.add(f"{node.module}.{a.name}")
                self.bound[a.asname or a.name] = f"{node.module}.{a.name}"

    def visit_Attribute(self, node):
        parts, value = [], node
        while isinstance(value, ast.Attribute):
            parts.append(value.attr)
            value = value.value
        if isinstance(value, ast.Name) and value.id in self.bound and isinstance(node.ctx, ast.Load):
            self.add(".".join([self.bound[value.id], *reversed(parts)]))
        else:
            self.generic_visit(node)


def names_of(trees, root):
    found = set()
    for tree in trees:
        for folder, folders, files in os.walk(tree):
            folders[:] = sorted(f for f in folders if not f.startswith("."))
            for f in sorted(files):
                if f.endswith(".py"):
                    found |= names_of_file(os.path.join(folder, f), root)
    return found


def names_of_file(path, root):
    try:
        with open(path, "rb") as f, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(f.read())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return set()
    visitor = Names(root)
    # Imports first: functions use names that are bound further down.
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            visitor.visit_Import(node)
        elif isinstance(node, ast.ImportFrom):
            visitor.visit_ImportFrom(node)
    visitor.visit(tree)
    return visitor.found


def draw(names, nr):
    return sorted(sorted(names, key=lambda n: hashlib.sha256(n.encode()).digest())[:nr])


def pairs(text):
    return dict(line.split("\t", 1) for line in text.splitlines() if "\t" in line)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--python", required=True)
    ap.add_argument("--pdmigrate", required=True)
    ap.add_argument("--names", type=int, default=200)
    ap.add_argument("--paddle", help="target version, else the tool's default")
    ap.add_argument("tree", nargs="+")
    a = ap.parse_args()
    names = draw(names_of(a.tree, "torch"), a.names)
    if not names:
        print("no torch names below the trees", file=sys.stderr)
        return 2
    command = [a.pdmigrate, "coverage", "lookup", "--target-build", "cpu"]
    command += ["--target-paddle", a.paddle] if a.paddle else []
    asked = subprocess.run(command + names, capture_output=True, text=True, timeout=120)
    real = subprocess.run([a.python, "-c", EVALUATE], input="\n".join(names), capture_output=True, text=True,
                          timeout=1800)
    said, did = pairs(asked.stdout), pairs(real.stdout)
    if set(said) != set(names) or set(did) != set(names):
        print(f"could not run: {asked.stderr[-500:]} {real.stderr[-500:]}", file=sys.stderr)
        return 2
    counts, bad = {"covered": 0, "gap": 0, "unknown": 0}, 0
    for name in names:
        verdict, row = said[name].split("\t", 1)
        counts[verdict] += 1
        if verdict == "unknown":
            print(f"unknown   {name}: {row}; really: {did[name]}")
        elif (verdict == "covered") != (did[name] == "ok"):
            bad += 1
            print(f"DISAGREE  {name}: {verdict} by {row}; really: {did[name]}")
    print(", ".join(f"{n} {v}" for v, n in counts.items()) + f"; {bad} disagree")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
