#!/usr/bin/env python3
"""Speed and memory as ratios of one run, so that they mean the same on every machine.

  cost      a scan at -j1 that parses everything / bare tree-sitter parsing of the same files, in processor
            time, which other programs disturb least
  speed-up  the same scan at -j1 / at -j2, in wall-clock time (skipped by name on one processor)
  memory    peak resident size of the scan at -j2, in MB

Each time is the least of several runs, interleaved so that a slow moment hits all alike. The corpus is
Python's own standard library, copied, or a copy of the tree given without its C++ and CUDA files: what they cost
beside bare parsing of Python says nothing, and bench_cxx.py measures it. The whole tree is timed once, without a
limit.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import time

import golden

LIMITS = {"cost": 1.35, "speed-up": 1.7, "memory": 80}
CXX = (".c", ".cc", ".cpp", ".cxx", ".cu", ".h", ".hh", ".hpp", ".hxx", ".cuh", ".inl", ".c++", ".C")


def copy_corpus(to):
    """The .py files of the standard library."""
    def others(folder, names):
        return [n for n in names if n in ("site-packages", "dist-packages", "__pycache__", "bad_coding")
                or (not n.endswith(".py") and not os.path.isdir(os.path.join(folder, n)))]
    shutil.copytree(sysconfig.get_paths()["stdlib"], to, ignore=others, symlinks=True)


def copy_tree(tree, to):
    """All of a tree but its C++ and CUDA files; how many those are."""
    left = []

    def others(folder, names):
        found = [n for n in names if n.endswith(CXX) and not os.path.isdir(os.path.join(folder, n))]
        left.extend(found)
        return found + [n for n in names if n == ".git"]
    shutil.copytree(tree, to, ignore=others, symlinks=True)
    return len(left)


def measure(command, stdin=b""):
    """Wall seconds, processor seconds and peak MB of one run."""
    start = time.perf_counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as p:
        p.stdin.write(stdin)
        p.stdin.close()
        _, status, usage = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
    if p.returncode not in (0, 1):
        raise SystemExit(f"bench: {command[0]} ended with {p.returncode}")
    seconds = time.perf_counter() - start
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def python_files(binary, tree):
    """Files the scan parses as Python, and the other files it lists."""
    out = subprocess.run([binary, "scan", "--format", "json", str(tree)],
                         capture_output=True, check=False).stdout
    files = json.loads(out)["files"]
    return [str(tree / f["path"]) for f in files
            if f["language"] in ("python", "stub") and f["analysis"] in ("full", "partial")
            and not f.get("path_encoded")]


def bench(binary, bare, tree, runs):
    files = python_files(binary, tree)
    names = "".join(f + "\n" for f in files).encode("utf-8", "surrogateescape")
    size = sum(os.path.getsize(f) for f in files)
    print(f"{len(files)} Python files, {size / 1e6:.1f} MB, {runs} runs")
    commands = {
        "bare": ([bare], names),
        "j1": ([binary, "scan", "-q", "-j1", str(tree)], b""),
        "j2": ([binary, "scan", "-q", "-j2", str(tree)], b""),
    }
    wall, cpu, peak = dict.fromkeys(commands, 1e9), dict.fromkeys(commands, 1e9), 0.0
    for _ in range(runs):
        for name, (command, stdin) in commands.items():
            seconds, busy, mb = measure(command, stdin)
            wall[name], cpu[name] = min(wall[name], seconds), min(cpu[name], busy)
            peak = max(peak, mb) if name == "j2" else peak
    for name in commands:
        print(f"{name:<10} {wall[name]:.3f} s, processor {cpu[name]:.3f} s")
    return {"cost": cpu["j1"] / cpu["bare"], "speed-up": wall["j1"] / wall["j2"], "memory": peak}


def judge(values):
    """Print each value with its limit; gives the exit status."""
    bad = 0
    for name, value in values.items():
        limit = LIMITS[name]
        if name == "speed-up" and len(os.sched_getaffinity(0)) < 2:
            print("speed-up   skipped: one processor")
            continue
        good = value >= limit if name == "speed-up" else value <= limit
        word = "at least" if name == "speed-up" else "at most"
        print(f"{name:<10} {value:.2f} ({word} {limit}) {'ok' if good else 'FAILED'}")
        bad |= not good
    return int(bad)


def main():
    ap = argparse.ArgumentParser(description="measure speed and memory")
    ap.add_argument("--bin", default=str(golden.PROJECT / "build" / "pdmigrate"))
    ap.add_argument("--bare", required=True, help="the program of tests/bench.c")
    ap.add_argument("--runs", type=int, default=5)
    ap.add_argument("tree", nargs="?", type=pathlib.Path)
    args = ap.parse_args()
    root = golden.temp_root()
    try:
        tree = root / "corpus"
        if not args.tree:
            copy_corpus(tree)
        elif (left := copy_tree(args.tree.resolve(), tree)):
            _, busy, mb = measure([args.bin, "scan", "-q", "-j2", str(args.tree)])
            print(f"whole tree: {left} C++ and CUDA files more, processor {busy:.3f} s, "
                  f"{mb:.0f} MB in the largest process")
        return judge(bench(os.path.abspath(args.bin), os.path.abspath(args.bare), tree, args.runs))
    finally:
        shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
