#!/usr/bin/env python3
"""Rules of this project that a machine can check. Each problem is one line: path:line: what.

Ranks: a file of src/ includes only from lower ranks, or from its own folder. Words of the frameworks
stay out of src/ (tests/lint.allow lists the exceptions with their reasons). The rest is shape: lengths,
white space, banned calls, headers that compile alone, rule files named after their ids, no machine's
paths, no big files.
"""
import argparse
import fnmatch
import pathlib
import re
import shlex
import subprocess
import sys

PROJECT = pathlib.Path(__file__).resolve().parent.parent

STAGES = ("repo", "py", "cxx", "marker", "cover", "rule", "plan", "patch", "probe", "history", "fork", "report")
RANKS = {"base": 0, "cmd": 4, **{s: 2 for s in STAGES}}
TOP_RANKS = {"model": 1, "main": 5}
TOP_RANK = 3  # run.c and what it is made of

# Libraries that only one folder may see.
FOREIGN = {"tree_sitter/": {"py"}, "clang-c/": {"cxx"}, "git2": {"base", "repo", "patch", "history"},
           "cjson/": {"base", "report", "cmd"}, "yaml.h": {"base"}}

BANNED = {
    r"\b(alloca|gets|vsprintf|mktemp|tmpnam|tempnam)\s*\(": "banned function",
    r"\b(rand|random|srand|time|gettimeofday|setlocale)\s*\(":
        "differs from run to run or machine to machine",
    r"\bdlopen\s*\(": "dlopen",
    r"\b(fork|vfork|execl|execlp|execle|execv|execvp|execve|execvpe|posix_spawnp?)\s*\(":
        "starts a process",
    r"%p\b": "prints an address",
    r"\btypedef\s+(struct|union|enum)\b": "typedef",
    r"\b(TODO|FIXME|XXX)\b": "unfinished",
}
FRAMEWORK = re.compile(r"torch|paddle", re.I)
FUNCTION_MAX, FILE_MAX = 60, 800
# The formatter aims at 100 columns; comments, and the tables of tests, may run on a little.
LINE_MAX = {"src": 110, "tests": 120}
BIG, BIG_DATA = 512 << 10, 3 << 20

# Split, so that this file does not contain what it looks for.
PLACES = re.compile("|".join([
    r"(?<![\w.$}/-])/" + r"(?:work|tmp|root)(?![\w-])", r"/" + r"home/\w",
    r"pypi" + r"\.org", r"files\.python" + r"hosted", r"registry\.npm" + r"js", r"deb\.deb" + r"ian\.org",
    r"proxy\.gol" + r"ang"]))


class Allow:
    """tests/lint.allow: path (a shell pattern), text to overlook, reason; separated by tabs."""

    def __init__(self, path):
        self.rows = []
        for nr, line in enumerate(path.read_text().splitlines() if path.exists() else [], 1):
            if not line or line.startswith("#"):
                continue
            fields = [f for f in line.split("\t") if f]
            if len(fields) != 3:
                raise SystemExit(f"tests/lint.allow:{nr}: wanted path, text and reason")
            self.rows.append([nr, *fields, False])

    def strip(self, path, line):
        """The line without the texts that are allowed in it."""
        for row in self.rows:
            if fnmatch.fnmatchcase(path, row[1]) and row[2] in line:
                row[4] = True
                line = line.replace(row[2], "")
        return line

    def unused(self):
        return [(f"tests/lint.allow:{row[0]}", f"no longer needed: {row[1]}: {row[2]}")
                for row in self.rows if not row[4]]


def tracked(root):
    """Paths git tracks or would track, in order."""
    out = subprocess.run(["git", "-C", str(root), "ls-files", "-co", "--exclude-standard", "-z"],
                         capture_output=True, check=True).stdout
    names = sorted(set(n for n in out.decode("utf-8", "surrogateescape").split("\0") if n))
    return [n for n in names if (root / n).is_file() and not (root / n).is_symlink()]


def rank_of(path):
    parts = path.split("/")[1:]
    if len(parts) == 1:
        return TOP_RANKS.get(parts[0].split(".")[0], TOP_RANK), ""
    return RANKS.get(parts[0]), parts[0]


def check_includes(root, path, text):
    rank, folder = rank_of(path)
    if rank is None:
        yield path, f"folder src/{folder} has no rank in tests/lint.py"
        return
    for nr, line in enumerate(text.splitlines(), 1):
        m = re.match(r'\s*#\s*include\s*([<"])([^>"]+)', line)
        if not m:
            continue
        name = m.group(2)
        if m.group(1) == '"' and (root / "src" / name).exists():
            other, other_folder = rank_of("src/" + name)
            if other is not None and not (other < rank or (other == rank and other_folder == folder)):
                yield f"{path}:{nr}", f"{name} is not below this file"
        elif m.group(1) == '"':
            yield f"{path}:{nr}", f"no file src/{name}"
        for prefix, folders in FOREIGN.items():
            if name.startswith(prefix) and folder not in folders and m.group(1) == "<":
                yield f"{path}:{nr}", f"{name} is for src/{' and src/'.join(sorted(folders))} only"


def without_comments(text):
    """The text with comments and string contents blanked, line by line the same length in lines."""
    token = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)

    def blank(m):
        return re.sub(r"[^\n]", " ", m.group())
    return token.sub(blank, text)


def check_calls(path, text, allow):
    code = without_comments(text).splitlines()
    for nr, line in enumerate(text.splitlines(), 1):
        for pattern, why in BANNED.items():
            where = line if why in ("prints an address", "unfinished") else code[nr - 1]
            if not re.search(pattern, where):
                continue
            m = re.search(pattern, allow.strip(path, where))
            if m:
                yield f"{path}:{nr}", f"{why}: {m.group().strip()}"


def check_words(path, text, allow):
    for nr, line in enumerate(text.splitlines(), 1):
        m = FRAMEWORK.search(line) and FRAMEWORK.search(allow.strip(path, line))
        if m:
            yield f"{path}:{nr}", f"word of a framework: {m.group()}"


def check_lengths(path, text):
    lines = text.splitlines()
    if len(lines) > FILE_MAX:
        yield path, f"{len(lines)} lines, limit {FILE_MAX}"
    start = None
    for nr, line in enumerate(lines, 1):
        if line == "{":
            start = nr
        elif line == "}" and start:
            if nr - start - 1 > FUNCTION_MAX:
                yield f"{path}:{start}", f"function of {nr - start - 1} lines, limit {FUNCTION_MAX}"
            start = None
        width = len(line.expandtabs(8))
        if width > LINE_MAX[path.split("/")[0]]:
            yield f"{path}:{nr}", f"{width} columns, limit {LINE_MAX[path.split('/')[0]]}"
        if re.match(r" {8}", line):
            yield f"{path}:{nr}", "indented by spaces"
    if path.startswith("src/") and not text.startswith("/*"):
        yield path, "no comment at the head of the file"


def check_shape(path, data):
    """White space of our own text files."""
    text = data.decode("utf-8", "surrogateescape")
    if "\r" in text:
        yield path, "carriage return"
    if text and not text.endswith("\n"):
        yield path, "no newline at the end"
    for nr, line in enumerate(text.split("\n"), 1):
        if line != line.rstrip(" \t"):
            yield f"{path}:{nr}", "trailing white space"


def check_places(path, data):
    for nr, line in enumerate(data.decode("utf-8", "surrogateescape").split("\n"), 1):
        m = PLACES.search(line)
        if m:
            yield f"{path}:{nr}", f"a machine's path or a registry's host: {m.group()}"


def check_rule(path, text):
    m = re.search(r"^id:[ \t]*(\S+)[ \t]*$", text, re.M)
    stem = pathlib.PurePosixPath(path).stem
    if re.match(r"PD\d", stem) or m:
        if not m:
            yield path, "no id"
        elif m.group(1) != stem:
            yield path, f"the id is {m.group(1)}"


def check_headers(root, headers):
    """Each header compiles on its own, included twice."""
    flags = ["-std=c11", "-D_GNU_SOURCE", "-Isrc", "-include", "base/banned.h", "-Wall", "-Wextra",
             "-Werror", "-Wno-unused-parameter"]
    flags += [f"-I{d}" for d in sorted(root.glob("grammars/src/tree-sitter-*/tree_sitter/core/lib/include"))]
    clang = sorted(pathlib.Path("/usr/lib").glob("llvm-*/include/clang-c"))[-1:]
    flags += [f"-isystem{d.parent}" for d in clang]
    pkgs = subprocess.run(["pkg-config", "--cflags", "libcjson", "yaml-0.1", "libgit2"],
                          capture_output=True, text=True)
    flags += shlex.split(pkgs.stdout)
    for path in headers:
        name = path[len("src/"):]
        source = f'#include "{name}"\n#include "{name}"\nextern int lint_unit;\n'
        r = subprocess.run(["cc", "-fsyntax-only", *flags, "-x", "c", "-"], input=source, text=True,
                           cwd=root, capture_output=True)
        if r.returncode:
            first = next((s for s in r.stderr.splitlines() if "error" in s), r.stderr.strip())
            yield path, f"does not compile alone: {first}"


def check_file(root, path, allow):
    data = (root / path).read_bytes()
    limit = BIG_DATA if path.startswith("rules/coverage/") else BIG
    if len(data) > limit:
        yield path, f"{len(data)} bytes, limit {limit}"
    if path.startswith("fixtures/"):
        yield from check_places(path, data)
        return
    if b"\0" in data:
        yield path, "not a text file"
        return
    if not path.startswith("rules/coverage/"):
        yield from check_shape(path, data)
    yield from check_places(path, data)
    text = data.decode("utf-8", "surrogateescape")
    if path.startswith("src/"):
        yield from check_words(path, text, allow)
    if re.match(r"(src|tests)/.*\.[ch]$", path):
        yield from check_lengths(path, text)
    if re.match(r"src/.*\.[ch]$", path):
        yield from check_includes(root, path, text)
        if path != "src/base/banned.h":
            yield from check_calls(path, text, allow)
    if re.match(r"rules/[^/]+/[^/]+\.yml$", path):
        yield from check_rule(path, text)


def lint(root, paths, allow):
    """All problems of the paths as (place, what)."""
    problems = []
    for path in paths:
        problems += check_file(root, path, allow)
    headers = [p for p in paths if re.match(r"src/.*\.h$", p)]
    problems += check_headers(root, headers)
    ids = {}
    for path in paths:
        m = re.match(r"rules/[^/]+/(PD\d+)\.yml$", path)
        if m and m.group(1) in ids:
            problems.append((path, f"the id stands in {ids[m.group(1)]} too"))
        elif m:
            ids[m.group(1)] = path
    return problems + allow.unused()


def main():
    ap = argparse.ArgumentParser(description="check the rules of this project")
    ap.add_argument("--root", type=pathlib.Path, default=PROJECT)
    args = ap.parse_args()
    paths = tracked(args.root)
    problems = lint(args.root, paths, Allow(args.root / "tests" / "lint.allow"))
    for place, what in problems:
        print(f"{place}: {what}")
    bad = {place.split(":")[0] for place, _ in problems}
    good = len([p for p in paths if p not in bad])
    print(f"lint: {good} passed, {len(bad)} failed, 0 skipped")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
