#!/usr/bin/env python3
"""Write NOTICE: what the program is made with, and under which licences.

In: grammars/LOCK, and the copyright files that Debian installs with the packages named below. With
--check nothing is written; the exit status is 1 when NOTICE is not up to date. A package that is not
installed keeps the line NOTICE has for it.
"""
import argparse
import pathlib
import re
import sys

PROJECT = pathlib.Path(__file__).resolve().parent.parent
DOC = pathlib.Path("/usr/share/doc")

# package, the stanza of its copyright file that covers what we use, how we use it
PACKAGES = [
    ("libyaml-0-2", "*", "linked, reads YAML"),
    ("libgit2-1.5", "*", "loaded at run time, reads the index and objects of git"),
    ("libxxhash0", "*", "linked, hashes"),
    ("libelf1", "lib*", "linked, reads shared objects"),
    ("zlib1g", "*", "linked, unpacks wheels"),
    ("libclang1-19", "*", "loaded where C++ is read; any version from 16 on"),
    ("check", "*", "tests only"),
    ("libcjson1", "*", "tests only"),
]

# Names and signatures, printed by machine; no text of the wheels.
FACTS = [
    ("paddlepaddle", "Apache-2.0", "names and declarations in rules/coverage, printed by coverage dump"),
    ("torch", "BSD-3-Clause", "names in rules/coverage, printed by rules/dump and coverage dump"),
]

HEAD = """Third-party parts of pdmigrate. Written by scripts/notice.py; do not edit.

None of these parts is in this repository: grammars are fetched at build time (their licence texts come
with their archives), libraries are Debian's (their licence texts are in /usr/share/doc/PACKAGE/copyright).
"""


def grammars():
    for line in (PROJECT / "grammars" / "LOCK").read_text().splitlines():
        if line and not line.startswith("#"):
            name, version, _, _, licence, use = line.split()
            yield f"{name} {version}", licence, "compiled in" if use != "headers" else "headers only"


def licence_of(package, files):
    """The licence name of the stanza whose Files field lists `files`; None where not installed."""
    path = DOC / package / "copyright"
    if not path.exists():
        return None
    for stanza in re.split(r"\n\s*\n(?=Files:)", path.read_text(errors="replace")):
        m = re.search(r"^Files:(.*(?:\n[ \t].*)*)", stanza, re.M)
        licence = re.search(r"^License:[ \t]*(.+)$", stanza, re.M)
        if m and licence and files in m.group(1).split():
            return licence.group(1).strip()
    raise SystemExit(f"notice: {path} says nothing about {files}")


def old_licences():
    path = PROJECT / "NOTICE"
    rows = (re.split(r"\s{2,}", line) for line in path.read_text().splitlines()) if path.exists() else ()
    return {row[0]: row[1] for row in rows if len(row) == 3}


def notice():
    old = old_licences()
    rows = list(grammars())
    for package, files, use in PACKAGES:
        licence = licence_of(package, files) or old.get(package)
        if not licence:
            raise SystemExit(f"notice: package {package} is not installed")
        rows.append((package, licence, use))
    rows += FACTS
    widths = [max(len(row[i]) for row in rows) + 2 for i in (0, 1)]
    return HEAD + "\n" + "".join(f"{a:<{widths[0]}}{b:<{widths[1]}}{c}\n" for a, b, c in rows)


def main():
    ap = argparse.ArgumentParser(description="write NOTICE")
    ap.add_argument("--check", action="store_true")
    args = ap.parse_args()
    path, text = PROJECT / "NOTICE", notice()
    if args.check:
        if not path.exists() or path.read_text() != text:
            print("notice: NOTICE is not up to date (make notice)")
            return 1
        return 0
    path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
