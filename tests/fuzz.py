#!/usr/bin/env python3
"""Scan trees of damaged files: fixtures, cut and stirred by a seeded generator.

Every file of fixtures/ (and of trees named) is a seed. Each round damages some and scans them; the scan must
end with 0 or 1 in good time and give the same bytes for -j1 and -j2. A round that fails is narrowed down to
one file, which is kept where --keep says. The same --seed gives the same rounds.
"""
import argparse
import pathlib
import random
import shutil
import subprocess
import sys

import golden

TIMEOUT = 60
FILES_A_ROUND = 40
SIZE_MAX = 1 << 16
TOKENS = [b"\0", b"\r", b"\n", b"\r\n", b"\\\n", b'"', b"'", b'"""', b"(", b")", b"[", b"]", b"{", b"}", b"#",
          b"/*", b"*/", b"//", b'R"x(', b")x\"", b"\xff", b"\xef\xbb\xbf", b"\t", b" ", b"\x0c", b"lambda ",
          b"try:\n", b"except:\n", b"if x:\n", b"else:\n", b"import torch\n", b"from . import x\n",
          b"from .. import *\n", b"torch.", b"class A(A):\n", b"def f(", b"@", b"async ", b"match x:\n", b":=",
          b"f'{", b"}'", b"[[", b"]]", b"= ", b"$<", b"#include ", b"'''", b"global x\n", b"del torch\n"]


def damage(rng, data):
    for _ in range(rng.randint(1, 6)):
        at = rng.randint(0, len(data))
        to = min(len(data), at + rng.choice((1, 2, 10, 200)))
        kind = rng.randrange(6)
        if kind == 0:
            data = data[:at]
        elif kind == 1:
            data = data[:at] + data[to:]
        elif kind == 2:
            data = data[:to] + data[at:to] * rng.choice((1, 3, 50)) + data[to:]
        elif kind == 3:
            data = data[:at] + rng.choice(TOKENS) * rng.choice((1, 1, 1, 30, 500)) + data[at:]
        elif kind == 4:
            data = data[:at] + bytes(rng.randrange(256) for _ in range(4)) + data[at:]
        else:
            other = rng.randint(0, len(data))
            data = data[:at] + data[other:other + 100] + data[at:]
    return data[:SIZE_MAX]


def seeds(trees):
    """(name, bytes) of every small file."""
    found = []
    for tree in [golden.FIXTURES, *trees]:
        for path in sorted(tree.rglob("*")):
            if path.is_file() and not path.is_symlink() and path.stat().st_size <= SIZE_MAX \
                    and ".git" not in path.parts and not path.name.startswith("expected."):
                found.append((path.name, path.read_bytes()))
    return found


def scan(binary, tree, env, jobs):
    return subprocess.run([str(binary), "scan", f"-j{jobs}", "--format", "json", "."],
                          cwd=tree, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT)


def problem(binary, tree, env):
    try:
        one, two = scan(binary, tree, env, 1), scan(binary, tree, env, 2)
    except subprocess.TimeoutExpired:
        return f"took longer than {TIMEOUT} s"
    if one.returncode not in (0, 1):
        return f"status {one.returncode}: {one.stderr.decode(errors='replace')[-2000:]}"
    if one.stdout != two.stdout or one.stderr != two.stderr:
        return "-j1 and -j2 differ"
    return None


def write(tree, files):
    shutil.rmtree(tree, ignore_errors=True)
    for i, (name, data) in enumerate(files):
        folder = tree / f"d{i % 7}" / f"e{i}"
        folder.mkdir(parents=True)
        (folder / name).write_bytes(data)


def narrow(binary, tree, env, files):
    """Fewer files that still fail, by halves."""
    while len(files) > 1:
        half = len(files) // 2
        for part in (files[:half], files[half:]):
            write(tree, part)
            if problem(binary, tree, env):
                files = part
                break
        else:
            break
    write(tree, files)
    return files


def main():
    ap = argparse.ArgumentParser(description="scan damaged files")
    ap.add_argument("--bin", default=str(golden.PROJECT / "build" / "pdmigrate"))
    ap.add_argument("--rounds", type=int, default=50)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--keep", type=pathlib.Path, help="folder for trees that fail")
    ap.add_argument("trees", nargs="*", type=pathlib.Path)
    args = ap.parse_args()
    binary, pool = pathlib.Path(args.bin).resolve(), seeds(args.trees)
    root = golden.temp_root()
    env, failed = golden.case_env(root, binary, root), 0
    try:
        for n in range(args.rounds):
            rng = random.Random(args.seed * 1000003 + n)
            files = [(name, damage(rng, data)) for name, data in rng.choices(pool, k=FILES_A_ROUND)]
            write(root / "tree", files)
            wrong = problem(binary, root / "tree", env)
            if not wrong:
                continue
            failed += 1
            files = narrow(binary, root / "tree", env, files)
            print(f"failed: round {n}: {[name for name, _ in files][:5]}: {wrong}", flush=True)
            if args.keep:
                shutil.copytree(root / "tree", args.keep / f"round-{args.seed}-{n}", dirs_exist_ok=True)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    print(f"fuzz: {args.rounds - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
