#!/usr/bin/env python3
"""The life of markers, on the tree of fixtures/markers/later and on made-up later versions of the target.

  nothing has expired on the version that the tree was patched for, though some names are covered there
  each condition that comes to hold gives one expired finding, and the status of a change
  --remove-expired without a revision undoes what a rule can undo, and says what it cannot
  with --base the tree is again what it was, byte for byte; a second run finds nothing to undo
  the same diff for -j 1, 2, 3 and 7

A later version is a copy of rules/ in which names are added to the database and version ranges end.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parent.parent
TREE = PROJECT / "fixtures/markers/later/input"
NOW, LATER = "3.3.1", "9.9.9"
TARGET = "paddle"
TIMEOUT = 120
GIT_ENV = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "x", "GIT_AUTHOR_EMAIL": "x@x",
           "GIT_COMMITTER_NAME": "x", "GIT_COMMITTER_EMAIL": "x@x"}
# What comes to hold, one by one: a name that is added, or a rule that is fixed; and how many markers then expire.
STEPS = (("torch._C._cuda_getDevice", 1), ("PD431", 2), ("torch.profiler.record_function", 3), ("PD430", 4))


class Failed(Exception):
    """A law does not hold."""


def require(holds, what):
    if not holds:
        raise Failed(what)


class World:
    def __init__(self, binary, root):
        self.bin, self.root = binary, pathlib.Path(root)
        self.tree, self.rules = self.root / "tree", self.root / "rules"
        self.env = {"PATH": os.environ["PATH"], "HOME": str(self.root), "LC_ALL": "C", **GIT_ENV}
        shutil.copytree(TREE, self.tree)
        shutil.copytree(PROJECT / "rules", self.rules)
        shutil.copytree(self.rules / f"coverage/{TARGET}-{NOW}", self.coverage())
        for path in self.coverage().iterdir():
            text = path.read_bytes()
            path.write_bytes(text.replace(NOW.encode(), LATER.encode(), 1))

    def coverage(self):
        return self.rules / f"coverage/{TARGET}-{LATER}"

    def run(self, *words, status=0, where=None):
        r = subprocess.run([self.bin, *words], cwd=where or self.root, env=self.env, capture_output=True,
                           stdin=subprocess.DEVNULL, timeout=TIMEOUT)
        require(r.returncode in ([status] if isinstance(status, int) else status),
                f"{' '.join(map(str, words))}: status {r.returncode}: "
                f"{r.stderr.decode(errors='replace')[-400:]}")
        return r

    def later(self, *words, **kw):
        return self.run(*words, "--rules", str(self.rules), "--target-paddle", LATER, **kw)

    def git(self, *words):
        r = subprocess.run(["git", *words], cwd=self.tree, env=self.env, capture_output=True,
                           stdin=subprocess.DEVNULL, timeout=TIMEOUT)
        require(r.returncode == 0, f"git {words[0]}: {r.stderr.decode(errors='replace')[-300:]}")

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-qm", "x")

    def add_name(self, name):
        path = self.coverage() / "names.tsv"
        head, *rows = path.read_bytes().splitlines(keepends=True)
        rows.append(f"{name}\tfunction\t-\t\t\n".encode())
        path.write_bytes(head + b"".join(sorted(rows, key=lambda r: r.split(b"\t")[0])))

    def fix_rule(self, rule):
        (path,) = self.rules.glob(f"*/{rule}.yml")
        text = path.read_text()
        new = re.sub(rf'(?m)^{TARGET}: ">=([0-9.]+)"$', rf'{TARGET}: ">=\1,<{LATER}"', text)
        require(new != text, f"{rule} has no open version range")
        path.write_text(new)

    def content(self):
        return {p.relative_to(self.tree).as_posix(): p.read_bytes()
                for p in sorted(self.tree.rglob("*")) if p.is_file() and ".git" not in p.parts}


def expired(result):
    return [f for f in result["findings"] if f["level"] == "expired"]


def law_now(w):
    """Nothing has expired where the patch was made, and nothing is patched twice."""
    result = json.loads(w.run("scan", "--json", "tree", status=(0, 1)).stdout)
    require(not expired(result), f"expired already: {expired(result)}")
    require(result["repository"]["ported"] == {"sites": 4, "expired": 0}, result["repository"]["ported"])
    require(not w.run("patch", "-n", "tree").stdout, "the second patch is not empty")
    require(not w.run("patch", "-n", "--remove-expired", "tree").stdout, "something is undone")


def law_one_by_one(w):
    for what, number in STEPS:
        if what.startswith("PD"):
            w.fix_rule(what)
        else:
            w.add_name(what)
        r = w.later("scan", "--json", "tree", status=1)
        result = json.loads(r.stdout)
        require(len(expired(result)) == number, f"{what}: {len(expired(result))} expired, not {number}")
        require(result["repository"]["ported"]["expired"] == number, "the count differs from the findings")
        text = w.later("scan", "tree", status=1).stdout.decode()
        require(f"{number} workaround{'s' if number > 1 else ''} expired" in text, f"not said: {text[:400]}")


def law_undone_by_rules(w, before, patched):
    """All but what PD430 made comes back, and that is said."""
    r = w.later("patch", "-n", "--remove-expired", "tree", status=1)
    require(b"left PD901" in r.stderr and b"1 hunk" not in r.stdout, r.stderr)
    for jobs in "1237":
        again = w.later("patch", "-n", "--remove-expired", f"-j{jobs}", "tree", status=1)
        require(again.stdout == r.stdout, f"-j{jobs} gives another diff")
    w.later("patch", "--remove-expired", "tree", status=1)
    now, (name,) = w.content(), [n for n in before if n.endswith(".py")]
    kept = [line for line in now[name].splitlines() if line not in before[name].splitlines()]
    made = [line for line in patched[name].splitlines() if b"PD430" in line or b"torch.tensor(" in line]
    require(all(line in kept for line in made), f"gone: {made}")
    require(len(kept) <= len(made) + 1, f"left: {kept}")


def law_undone_by_base(w, before):
    w.commit()
    w.later("patch", "--remove-expired", "--base", "HEAD~2", "tree")
    require(w.content() == before, "the tree is not what it was")
    w.commit()
    require(not w.later("patch", "-n", "--remove-expired", "tree").stdout, "something is undone once more")
    result = json.loads(w.later("scan", "--json", "tree", status=(0, 1)).stdout)
    require(result["repository"]["ported"] == {"sites": 0, "expired": 0}, "markers are left")
    asks = [f["rule"] for f in result["findings"] if f["level"] == "change"]
    require(not asks, f"on the later version the tree still needs {asks}")


def law_base_alone(w):
    """A revision that is not there, and one without what it belongs to."""
    r = w.later("patch", "-n", "--remove-expired", "--base", "nowhere", "tree", status=2)
    require(b"no revision 'nowhere'" in r.stderr, r.stderr)
    r = w.later("patch", "-n", "--base", "HEAD", "tree", status=2)
    require(b"--base goes with --remove-expired" in r.stderr, r.stderr)


def check(w):
    """Each law in turn: they build on each other."""
    before = w.content()
    w.git("init", "-q")
    w.commit()
    w.run("patch", "tree")
    patched = w.content()
    require(patched != before, "nothing was patched")
    yield "now", lambda: law_now(w)
    w.commit()
    yield "one by one", lambda: law_one_by_one(w)
    yield "undone by rules", lambda: law_undone_by_rules(w, before, patched)
    yield "undone by base", lambda: law_undone_by_base(w, before)
    yield "base alone", lambda: law_base_alone(w)


def main():
    ap = argparse.ArgumentParser(description="the life of markers")
    ap.add_argument("--bin", default="build/pdmigrate")
    args = ap.parse_args()
    passed = failed = 0
    if not shutil.which("git"):
        print("skipped: markers: no git")
        print("markers: 0 passed, 0 failed, 1 skipped")
        return 0
    with tempfile.TemporaryDirectory(prefix="pdmigrate-markers-") as root:
        w = World(os.path.abspath(args.bin), root)
        for name, law in check(w):
            try:
                law()
                passed += 1
            except Failed as e:
                print(f"failed: markers: {name}: {e}")
                failed += 1
    print(f"markers: {passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
