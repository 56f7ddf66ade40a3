#!/usr/bin/env python3
"""What a patch costs beside a scan of the same tree: `patch --dry-run` / `scan`, both at -j1, in processor time.

Each time is the least of several runs, interleaved. The trees are those named; without one a tree is made of
Python's own standard library and the inputs of fixtures/, several times. Status 1 over the limit.
"""
import argparse
import pathlib
import shutil
import sys
import tempfile

import bench
import golden

LIMIT = 1.3
COPIES = 12  # of each fixture


def make_tree(to):
    """The standard library, where nothing is edited, and the packages of the patch fixtures."""
    bench.copy_corpus(to)
    for case in golden.find_cases(["patch/"]):
        source = case / "input"
        if not source.is_dir() or (source / ".git").exists():
            continue
        for i in range(COPIES):
            shutil.copytree(source, to / f"c{i}_{case.name.replace('-', '_')}", symlinks=True)


def ratio(binary, tree, runs):
    commands = {"scan": [binary, "scan", "-q", "-j1", "--exit-zero", str(tree)],
                "patch": [binary, "patch", "-q", "-j1", "--exit-zero", "--dry-run", str(tree)]}
    least = dict.fromkeys(commands, float("inf"))
    for _ in range(runs):
        for what, command in commands.items():
            least[what] = min(least[what], bench.measure(command)[1])
    return least


def main():
    ap = argparse.ArgumentParser(description="compare the time of a patch with that of a scan")
    ap.add_argument("--bin", default=str(golden.PROJECT / "build" / "pdmigrate"))
    ap.add_argument("--runs", type=int, default=5)
    ap.add_argument("trees", nargs="*", type=pathlib.Path)
    args = ap.parse_args()
    bad = False
    with tempfile.TemporaryDirectory() as folder:
        trees = args.trees
        if not trees:
            trees = [pathlib.Path(folder) / "fixtures"]
            make_tree(trees[0])
        for tree in trees:
            least = ratio(args.bin, tree, args.runs)
            cost = least["patch"] / least["scan"]
            bad |= cost > LIMIT
            print(f"bench-patch: {tree.name}: scan {least['scan']:.3f} s, patch {least['patch']:.3f} s, "
                  f"cost {cost:.2f} (limit {LIMIT})")
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
