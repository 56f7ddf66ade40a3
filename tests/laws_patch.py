#!/usr/bin/env python3
"""Laws of `patch`, for the input of each case of fixtures/ that is scanned and for trees named on the command line.

  git apply, patch -p1 and our own writing give the same tree, byte for byte; our own keeps modes
  outside git the reverse diff gives back the tree as it was
  a second run finds nothing to patch
  Python that compiled still compiles
  every line that the diff takes away or changes lies in an edit of a finding, and nothing else is added
    but those edits and markers
  the same diff from run to run, for -j 1, 2, 3 and 7, and from inside the tree and outside
  no hunk where a line of the target's framework stands already (trees named with --ported)

All of them hold as well for what is edited on request (WIDER), where that gives another diff. Of a tree that is
named, which may be large, no run is made for -j alone: each that is needed has another one, and what they
write is compared. The plain patch is written in a repository, the wider one outside.
"""
import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import stat
import subprocess
import sys
import warnings

import golden
import laws
from laws import require

TIMEOUT = 600
GIT_ENV = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "x", "GIT_AUTHOR_EMAIL": "x@x",
           "GIT_COMMITTER_NAME": "x", "GIT_COMMITTER_EMAIL": "x@x"}
WIDER = ("--entries", "--tests", "conftest", "--deps", "delete")
HEADER = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
NO_NEWLINE = b"\\ No newline at end of file\n"


def run(command, where, env, **kw):
    return subprocess.run([os.fspath(c) for c in command], cwd=where, env=env, capture_output=True,
                          timeout=TIMEOUT, **({"stdin": subprocess.DEVNULL} | kw if "input" not in kw else kw))


def patch(binary, where, env, *options, path=".", jobs="-j1"):
    return run([binary, "patch", jobs, *options, path], where, env)


def git(where, env, *words, **kw):
    r = run(["git", "-c", "core.autocrlf=false", "-c", "gc.auto=0", *words], where, env, **kw)
    require(r.returncode == 0, f"git {words[0]}: {r.stderr.decode(errors='replace')[-300:]}")
    return r


def commit(where, env):
    git(where, env, "init", "-q")
    git(where, env, "add", "-A")
    git(where, env, "commit", "-qm", "x", "--allow-empty")


def content(place):
    """Names, modes and bytes of all but .git, relative to place."""
    root = os.fsencode(place)
    rows = {}
    for path, mode, body in golden.fingerprint(place):
        name = os.path.relpath(path, root)
        if not (name + b"/").startswith(b".git/"):
            rows[name] = (mode, body)
    return rows


def as_git(row):
    """Git knows of a mode only whether a file can be run."""
    return row and (stat.S_IFMT(row[0]), row[0] & 0o100, row[1])


def differences(a, b, view=lambda row: row):
    return sorted(n for n in a.keys() | b.keys() if view(a.get(n)) != view(b.get(n)))


def compiles(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with open(path, "rb") as f:
                compile(f.read(), "x", "exec", dont_inherit=True)
            return True
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False


def python_files(place):
    for folder, dirs, files in os.walk(os.fsencode(place)):
        dirs[:] = [d for d in dirs if d != b".git"]
        for name in files:
            path = os.path.join(folder, name)
            if name.endswith(b".py") and not os.path.islink(path):
                yield os.path.relpath(path, os.fsencode(place))


def unquote(name):
    """A name of a diff header as bytes."""
    if not name.startswith(b'"'):
        return name
    letters = {b"a": 7, b"b": 8, b"t": 9, b"n": 10, b"v": 11, b"f": 12, b"r": 13, b'"': 34, b"\\": 92}

    def one(m):
        return bytes([letters[m[1]] if m[1] in letters else int(m[1], 8)])
    return re.sub(rb'\\([0-7]{3}|.)', one, name[1:name.rindex(b'"')])


def removed_lines(diff):
    """Path -> numbers of old lines that the diff takes away, and how many lines it adds where."""
    out, name, old = {}, None, 0
    lines = diff.split(b"\n")
    for line in lines:
        m = HEADER.match(line)
        if line.startswith(b"--- "):
            name = unquote(line[4:].split(b"\t")[0]).removeprefix(b"a/")
            out[name] = set()
        elif m:
            old = int(m[1])
        elif line.startswith(b"-") and name:
            out[name].add(old)
            old += 1
        elif line.startswith(b" "):
            old += 1
    return out


def line_of(data, offset):
    return data.count(b"\n", 0, offset) + 1


def law_edits(binary, tree, env, diff, extra):
    """Each line taken away lies in an edit that the JSON result has."""
    js = laws.scan(binary, tree, env, "-j3", *extra, "--format", "json", "--exit-zero")
    edits = {}
    for f in json.loads(js.stdout)["findings"]:
        if not f["fix"] or f["reason_not_applied"]:
            continue
        for e in f["fix"]["edits"]:
            if e.get("create"):
                continue
            path = laws.raw(f, e["path"])
            with open(os.path.join(os.fsencode(tree), path), "rb") as file:
                data = file.read()
            edits.setdefault(path, set()).update(
                range(line_of(data, e["start"]), line_of(data, e["end"]) + 1))
    for path, lines in removed_lines(diff).items():
        stray = sorted(lines - edits.get(path, set()))
        require(not stray, f"{path!r}: line {stray[:1]} changes and no finding's edit is there")


def law_same_diff(binary, tree, env, base, extra):
    for options in (["-j2"], ["-j3"], ["-j7"], ["-j1"]):
        other = run([binary, "patch", "--dry-run", *extra, *options, "."], tree, env)
        require((other.stdout, other.returncode) == (base.stdout, base.returncode),
                f"the diff with {options[0]} differs")
    outside = patch(binary, tree.parent, env, "--dry-run", *extra, path=f"./{tree.name}")
    require(outside.stdout == base.stdout, "the diff differs when the tree is named from outside")


def copies(tree, work, names):
    places = {name: work / name for name in names}
    for place in places.values():
        shutil.copytree(tree, place, symlinks=True)
    return places


def law_undone(places, work, env, before):
    undo = work / "bare.undo.diff"
    require(undo.exists(), "no reverse diff beside the tree")
    r = run(["patch", "-p1", "-s", "-F0", "-i", undo], places["bare"], env)
    require(r.returncode == 0, f"the reverse diff: {(r.stdout + r.stderr).decode(errors='replace')[-300:]}")
    bad = differences(before, content(places["bare"]))
    require(not bad, f"the reverse diff does not give back {bad[:3]}")


def law_written(binary, tree, work, env, diff, extra, ways):
    """Copies written by git, by patch and by us in `ways`. Gives the one that git wrote."""
    places = copies(tree, work, ("git", "patch", *ways))
    before = content(places["git"])
    if "own" in ways:
        commit(places["own"], env)
    git(places["git"], env, "apply", "--whitespace=nowarn", "-", input=diff)
    r = run(["patch", "-p1", "-s", "--no-backup-if-mismatch", "-F0"], places["patch"], env, input=diff)
    require(r.returncode == 0, f"patch -p1: {(r.stdout + r.stderr).decode(errors='replace')[-300:]}")
    for name in ways:
        r = patch(binary, work, env, *extra, path=f"./{name}", jobs="-j7" if name == "own" else "-j2")
        require(r.returncode in (0, 1), f"patch in {name}: {r.stderr.decode(errors='replace')[-300:]}")
    want = content(places["git"])
    for name in ("patch", *ways):
        got = content(places[name])
        bad = differences(want, got, as_git)
        require(not bad, f"{name} differs from git apply: {bad[:3]}")
        bad = [n for n in before if got[n][0] != before[n][0]]
        require(not bad, f"{name} changes the mode of {bad[:3]}")
    if "bare" in ways:
        law_undone(places, work, env, before)
    return places["git"]


def law_ported(tree, diff):
    """A line that names the target's framework is somebody's port: it stays."""
    for path, lines in removed_lines(diff).items():
        with open(os.path.join(os.fsencode(tree), path), "rb") as f:
            old = f.read().split(b"\n")
        touched = [n for n in sorted(lines) if b"paddle" in old[n - 1]]
        require(not touched, f"{path!r}: line {touched[:1]} is ported and is changed")


def check_tree(binary, tree, work, env, whole, ported=False):
    """Gives how many hunks there are; `whole`: each law in all its forms."""
    env = {**env, **GIT_ENV}
    plain = check_patch(binary, tree, work / "plain", env, (), whole, ("own",))
    wider = check_patch(binary, tree, work / "wider", env, WIDER, whole, ("bare",), plain)
    if ported:
        law_ported(tree, plain)
        law_ported(tree, wider)
    return len(HEADER.findall(plain)) + len(HEADER.findall(wider)) * (wider != plain)


def check_patch(binary, tree, work, env, extra, whole, ways, known=None):
    """Gives the diff; nothing more is checked when that is the known one."""
    work.mkdir()
    before = golden.fingerprint(tree)
    base = patch(binary, tree, env, "--dry-run", *extra)
    require(base.returncode in (0, 1), f"status {base.returncode}: {base.stderr.decode(errors='replace')[-300:]}")
    require(golden.fingerprint(tree) == before, "--dry-run changed the tree")
    if base.stdout == known:
        return known
    if whole:
        law_same_diff(binary, tree, env, base, extra)
        ways = ("own", "bare")
    if not base.stdout:
        return base.stdout
    law_edits(binary, tree, env, base.stdout, extra)
    new = law_written(binary, tree, work, env, base.stdout, extra, ways)
    again = patch(binary, new, env, "--dry-run", *extra, jobs="-j2")
    require(not again.stdout, f"a second run still changes something: {again.stdout[:300]!r}")
    for path in python_files(tree):
        old_path, new_path = (os.path.join(os.fsencode(p), path) for p in (tree, new))
        if compiles(old_path):
            require(compiles(new_path), f"{path!r} no longer compiles")
    return base.stdout


def check(name, tree, root, binary, env, count, whole=True, ported=False):
    work = root / "laws" / re.sub(r"\W", "-", name)
    work.mkdir(parents=True)
    try:
        hunks = check_tree(binary, tree, work, env, whole, ported)
        count["patched"] += bool(hunks)
        count["hunks"] += hunks
        count["passed"] += 1
        if not whole:
            print(f"laws of patch, {name}: {hunks} hunks", flush=True)
    except (laws.Broken, OSError, ValueError, KeyError, subprocess.SubprocessError) as e:
        count["failed"] += 1
        print(f"failed: laws of patch, {name}: {type(e).__name__}: {e}")
    finally:
        shutil.rmtree(work, ignore_errors=True)


def patched_cases():
    yield from laws.scanned_cases()
    for case in golden.find_cases(["patch/"]):
        words = shlex.split(golden.read_text(case / "args", ""))
        if not (case / "run").exists() and words[0] == "patch" and words[-1] == "input":
            yield case


def main():
    ap = argparse.ArgumentParser(description="check the laws of patch on the fixtures and on trees")
    ap.add_argument("--bin", default=str(golden.PROJECT / "build" / "pdmigrate"))
    ap.add_argument("--no-fixtures", action="store_true")
    ap.add_argument("--whole", action="store_true", help="of trees, too, a run for each -j")
    ap.add_argument("--ported", action="store_true", help="the trees are ports: what names the target stays")
    ap.add_argument("trees", nargs="*", type=pathlib.Path)
    args = ap.parse_args()
    binary = pathlib.Path(args.bin).resolve()
    count = {"passed": 0, "failed": 0, "skipped": 0, "patched": 0, "hunks": 0}
    root = golden.temp_root()
    try:
        for case in [] if args.no_fixtures else patched_cases():
            name = golden.case_name(case)
            work = root / name.replace("/", "--")
            try:
                place, env = golden.prepare(case, binary, work)
                tree = place / "input"
                if (tree / ".git").exists() or (tree / ".git").is_symlink():
                    continue
                check(name, tree, work, binary, env, count)
            except golden.Skip as e:
                count["skipped"] += 1
                print(f"skipped: laws of patch, {name}: needs {e}")
            finally:
                shutil.rmtree(work, ignore_errors=True)
        for tree in args.trees:
            work = root / "tree"
            shutil.copytree(tree, work / tree.name, symlinks=True,
                            ignore=shutil.ignore_patterns(".git"))
            env = golden.case_env(root, binary, root)
            check(tree.name, work / tree.name, root, binary, env, count, args.whole, args.ported)
            shutil.rmtree(work)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    print(f"laws_patch: {count['patched']} trees had something to patch, {count['hunks']} hunks")
    print("laws_patch: {passed} passed, {failed} failed, {skipped} skipped".format(**count))
    return 1 if count["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
