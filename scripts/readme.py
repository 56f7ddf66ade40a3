#!/usr/bin/env python3
"""Refresh the generated blocks of README.md.

A block stands between `<!-- generated: ARGUMENTS -->` and `<!-- end -->`: what the program prints when it
is run with these arguments in the project's folder. With --check nothing is written; the exit status is
1 when a block is out of date.
"""
import argparse
import difflib
import pathlib
import re
import shlex
import subprocess
import sys

PROJECT = pathlib.Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"(<!-- generated: (.*?) -->\n).*?(<!-- end -->)", re.S)


def block(binary, m):
    command = [str(binary), *shlex.split(m.group(2))]
    r = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False,
                       stdin=subprocess.DEVNULL)
    if r.returncode not in (0, 1):
        raise SystemExit(f"readme: '{m.group(2)}' ended with {r.returncode}: {r.stderr.strip()}")
    return f"{m.group(1)}```\n$ pdmigrate {m.group(2)}\n{r.stdout}```\n{m.group(3)}"


def main():
    ap = argparse.ArgumentParser(description="refresh README.md")
    ap.add_argument("--bin", default=str(PROJECT / "build" / "pdmigrate"))
    ap.add_argument("--check", action="store_true")
    args = ap.parse_args()
    binary = pathlib.Path(args.bin).resolve()
    path = PROJECT / "README.md"
    old = path.read_text()
    new = BLOCK.sub(lambda m: block(binary, m), old)
    if not args.check:
        path.write_text(new)
    elif new != old:
        sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True),
                                                   "README.md", "now"))
        print("readme: a generated block is out of date (make readme)")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
