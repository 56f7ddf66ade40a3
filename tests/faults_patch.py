#!/usr/bin/env python3
"""Break `patch` while it writes: whatever happens, a tree is wholly old or wholly new and nothing is left behind.

Every call in turn is made to fail (PD_FAULT=n: allocation, open, read, write, fsync, rename), in a
repository and outside one. Then runs are ended by SIGKILL and SIGINT at random moments; after a kill the
next run puts the tree right.
"""
import argparse
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

import golden
import laws_patch

TIMEOUT = 60
FAULT_FILES, KILL_FILES, KILLS = 4, 40, 50
SITE = "import torch\n\n\ndef f():\n    return torch._C._cuda_getDevice()\n"
NEVER = ["--layer", "kernel"]  # a patch of nothing, so that only recovery is seen


def tree_make(place, files):
    (place / "pkg" / "sub").mkdir(parents=True)
    (place / "setup.py").write_text(
        "from setuptools import setup\nfrom torch.utils.cpp_extension import CUDAExtension\n"
        'setup(name="pkg", packages=["pkg"], ext_modules=[CUDAExtension("pkg._C", ["a.cu"])])\n')
    (place / "pkg" / "__init__.py").write_text(SITE + "".join(
        f"from .sub import m{i}\n" for i in range(files)))
    (place / "pkg" / "sub" / "__init__.py").write_text("")
    for i in range(files):
        (place / "pkg" / "sub" / f"m{i}.py").write_text(SITE)


class Bench:
    """A tree before and after, and a folder to spoil copies in."""

    def __init__(self, root, binary, git, what, files):
        self.binary, self.git = binary, git
        self.env = {**golden.case_env(root, binary, root), **laws_patch.GIT_ENV, "TMPDIR": str(root)}
        self.work = root / (f"{what}-git" if git else f"{what}-bare")
        self.base = self.work / "base"
        tree_make(self.base, files)
        if git:
            laws_patch.commit(self.base, self.env)
        self.old = laws_patch.content(self.base)
        self.place = self.work / "t" / "tree"
        self.fresh()
        result = self.run()
        if result.returncode or not result.stderr:
            raise SystemExit(f"faults_patch: the clean run failed: {result.stderr.decode()}")
        self.new = laws_patch.content(self.place)

    def fresh(self):
        shutil.rmtree(self.place.parent, ignore_errors=True)
        self.place.parent.mkdir()
        shutil.copytree(self.base, self.place)

    def command(self, *options):
        return [str(self.binary), "patch", "-j1", *options, str(self.place)]

    def run(self, *options, fault=0):
        env = {**self.env, "PD_FAULT": str(fault)} if fault else self.env
        return subprocess.run(self.command(*options), env=env, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=TIMEOUT)

    def state(self):
        """old, new, or what is wrong."""
        now = laws_patch.content(self.place)
        left = [n for n in os.listdir(self.place.parent) if n != "tree"]
        if now == self.old:
            return f"left behind: {left}" if left else self.journal("old")
        if now == self.new:
            return f"left behind: {left}" if left and self.git else self.journal("new")
        odd = [n for n in now if n not in self.old]
        if odd:
            return f"left behind: {odd[:2]}"
        torn = [n for n in self.old if now.get(n) not in (self.old[n], self.new[n])]
        return f"torn: {torn[:2]}" if torn else "mixed"

    def journal(self, state):
        if not self.git:
            return state
        left = [n for n in os.listdir(self.place / ".git") if n.startswith("pdmigrate")]
        return f"left behind: {left}" if left else state


def fault_problem(bench, result):
    state = bench.state()
    error = result.stderr.decode(errors="replace")
    if result.returncode not in (0, 1, 2):
        return f"status {result.returncode}: {error[-300:]}"
    if result.returncode == 2 and state != "old":
        return f"status 2 and the tree is {state}: {error[-300:]}"
    if result.returncode == 2 and not error.startswith("pdmigrate: "):
        return "status 2 without a message"
    if result.returncode != 2 and state != "new":
        # A file that could not be read while it was analysed has no findings, and a notice says so.
        if state in ("old", "mixed") and ("cannot" in error or "not used" in error):
            return None
        return f"status {result.returncode} and the tree is {state}: {error[-300:]}"
    return None


def last_fault(bench, *options):
    """How many calls a run makes: from there on PD_FAULT changes nothing."""
    def changes(n):
        bench.fresh()
        r = bench.run(*options, fault=n)
        return (r.returncode, r.stdout, r.stderr) != clean
    bench.fresh()
    r = bench.run(*options)
    clean = (r.returncode, r.stdout, r.stderr)
    low, high = 1, 1 << 20
    while high - low > 1:
        middle = (low + high) // 2
        if any(changes(middle + k) for k in range(3)):
            low = middle
        else:
            high = middle
    return high


def check_faults(bench, count):
    start, end = last_fault(bench, "--dry-run"), last_fault(bench) + 5
    points = sorted({*range(1, 60), *range(60, start, max(1, start // 60)), *range(start - 40, end)})
    for n in points:
        bench.fresh()
        wrong = fault_problem(bench, bench.run(fault=n))
        count["failed" if wrong else "passed"] += 1
        if wrong:
            print(f"failed: PD_FAULT={n} ({bench.work.name}): {wrong}")
        if count["failed"] > 20:
            return


def time_of(bench, *options):
    bench.fresh()
    start = time.monotonic()
    bench.run(*options)
    return time.monotonic() - start


def kill(bench, number, delay):
    p = subprocess.Popen(bench.command(), env=bench.env, stdin=subprocess.DEVNULL,
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    time.sleep(delay)
    p.send_signal(number)
    p.communicate(timeout=TIMEOUT)
    return p.returncode


def has_journal(bench):
    folder = bench.place / ".git" if bench.git else bench.place
    return any(n.endswith("pdmigrate-journal") for n in os.listdir(folder))


def kill_problem(bench, number, status, fault):
    """What is wrong after the signal, and after the run that follows."""
    state = bench.state()
    if number == signal.SIGINT:
        if status not in (0, -signal.SIGINT) or state not in ("old", "new"):
            return f"status {status} and the tree is {state}"
        return None
    if state.startswith("torn"):
        return state
    if has_journal(bench) and bench.run("--dry-run").returncode != 2:
        return "a diff of a tree that is half written"
    # A recovery that fails itself leaves all to the next one.
    bench.run(*NEVER, fault=fault)
    if bench.state().startswith("torn"):
        return f"after a recovery that failed (PD_FAULT={fault}): {bench.state()}"
    result = bench.run(*NEVER)
    state = bench.state()
    if result.returncode or state not in ("old", "new"):
        return f"after recovery the tree is {state}: {result.stderr.decode(errors='replace')[-300:]}"
    result = bench.run()
    if result.returncode or bench.state() != "new":
        return f"the run after recovery: {bench.state()}: {result.stderr.decode(errors='replace')[-300:]}"
    return None


def check_kills(bench, count):
    chance = random.Random(7)
    reads = min(time_of(bench, "--dry-run") for _ in range(3))
    took = max(time_of(bench) for _ in range(3))
    seen = 0
    for i in range(KILLS):
        bench.fresh()
        number = signal.SIGINT if i % 3 == 2 else signal.SIGKILL
        status = kill(bench, number, chance.uniform(0.8 * reads, took))
        seen += number == signal.SIGKILL and has_journal(bench)
        wrong = kill_problem(bench, number, status, 1 + 11 * i % 400)
        count["failed" if wrong else "passed"] += 1
        if wrong:
            print(f"failed: signal {number} ({bench.work.name}, {i}): {wrong}")
    print(f"faults_patch: {bench.work.name}: {seen} of {KILLS} signals were kills while the tree was written")


def main():
    ap = argparse.ArgumentParser(description="break patch while it writes")
    ap.add_argument("--bin", default=str(golden.PROJECT / "build" / "pdmigrate"))
    ap.add_argument("--files", type=int, default=FAULT_FILES, help="of the patch whose calls are made to fail")
    args = ap.parse_args()
    binary = pathlib.Path(args.bin).resolve()
    root = golden.temp_root()
    count = {"passed": 0, "failed": 0}
    try:
        for git in (True, False):
            check_faults(Bench(root, binary, git, "faults", args.files), count)
            check_kills(Bench(root, binary, git, "kills", KILL_FILES), count)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    print(f"faults_patch: {count['passed']} passed, {count['failed']} failed, 0 skipped")
    return 1 if count["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
