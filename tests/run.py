#!/usr/bin/env python3
"""Run every test and count. The last line is `N passed, N failed, N skipped`.

Parts: lint, selftest (of the tests themselves), notice, unit (one program a stage), golden, laws, faults
(each call made to fail), markers (their life on made-up later versions), rules (each rule's own examples),
report (its formats, read by other parsers),
accuracy (the form of the judgements), library (no finding in Python's standard library), readme (its
generated block), agree and shims (the coverage database and the C++ shims against a real Paddle;
PDMIGRATE_PADDLE_PYTHON names the interpreter). Under CI a skip of a whole part is a failure.
"""
import argparse
import glob
import os
import pathlib
import re
import subprocess
import sys

PROJECT = pathlib.Path(__file__).resolve().parent.parent
STAGES = ("base", "repo", "py", "cxx", "marker", "cover", "rule", "plan", "patch", "history", "report")
PYTHON = sys.executable
TIMEOUT = 3000


class Count:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def add(self, passed, failed, skipped=0):
        self.passed += passed
        self.failed += failed
        self.skipped += skipped

    def skip(self, what, why):
        """A whole part that cannot run here; nothing may be skipped under CI."""
        bad = bool(os.environ.get("CI"))
        print(f"{'failed' if bad else 'skipped'}: {what}: {why}")
        self.add(0, int(bad), int(not bad))


def word_shown(word):
    """Paths of the project as seen from its folder, programs elsewhere by name."""
    if not os.path.isabs(word):
        return word
    inside = os.path.relpath(word, PROJECT)
    return os.path.basename(word) if inside.startswith("..") else inside


def run(command):
    """Run and pass the output on; gives (status, output)."""
    print("$ " + " ".join(word_shown(c) for c in command), flush=True)
    try:
        r = subprocess.run(command, cwd=PROJECT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True, errors="replace", timeout=TIMEOUT)
        status, text = r.returncode, r.stdout
    except (subprocess.TimeoutExpired, OSError) as e:
        status, text = 124, f"{e}\n"
    print(text, end="" if text.endswith("\n") or not text else "\n", flush=True)
    return status, text


def counted(count, status, text, pattern):
    """Add the numbers of the last match of pattern (passed, failed, skipped); none is a failure."""
    found = re.findall(pattern, text)
    if not found:
        count.add(0, 1)
        return
    passed, failed, skipped = (int(n) for n in found[-1])
    count.add(passed, failed or int(status != 0), skipped)


def part_script(name):
    def part(count, args):
        command = [PYTHON, f"tests/{name}.py"]
        if name in ("golden", "laws", "laws_patch", "faults", "faults_patch", "markers", "dual", "drafts",
                    "report", "probe"):
            command += ["--bin", args.bin]
        status, text = run(command)
        counted(count, status, text, rf"(?m)^{name}: (\d+) passed, (\d+) failed, (\d+) skipped$")
    return part


def part_unit(count, args):
    for stage in STAGES:
        if not glob.glob(str(PROJECT / f"tests/unit/{stage}_*.c")):
            count.skip(f"unit tests of {stage}", "there are none")
            continue
        status, text = run(["make", "--no-print-directory", "-s", f"MODE={args.mode}",
                            f"B={args.build}", f"unit-{stage}"])
        found = re.findall(r"\d+%: Checks: (\d+), Failures: (\d+), Errors: (\d+)", text)
        if not found:
            count.add(0, 1)
            continue
        checks, failures, errors = (int(n) for n in found[-1])
        bad = failures + errors
        count.add(checks - bad, bad or int(status != 0))


def part_rules(count, args):
    status, text = run([args.bin, "rules", "test"])
    found = re.findall(r"(\d+) examples? of \d+ rules?, (\d+) failed", text)
    if not found:
        count.add(0, 1)
        return
    total, failed = (int(n) for n in found[-1])
    count.add(total - failed, failed or int(status != 0))


def part_accuracy(count, args):
    status, text = run([PYTHON, "tests/accuracy.py", "check", "--form"])
    counted(count, status, text, r"(?m)^accuracy: (\d+) passed, (\d+) failed, (\d+) skipped$")


def part_library(count, args):
    status, text = run([PYTHON, "tests/corpus.py", "--bin", args.bin, "library"])
    counted(count, status, text, r"(?m)^corpus: (\d+) passed, (\d+) failed, (\d+) skipped$")


def part_readme(count, args):
    status, _ = run([PYTHON, "scripts/readme.py", "--check", "--bin", args.bin])
    count.add(int(status == 0), int(status != 0))


def part_notice(count, args):
    status, _ = run([PYTHON, "scripts/notice.py", "--check"])
    count.add(int(status == 0), int(status != 0))


def part_agree(count, args):
    python = os.environ.get("PDMIGRATE_PADDLE_PYTHON")
    if not python:
        count.skip("coverage database against a real Paddle", "PDMIGRATE_PADDLE_PYTHON is not set")
        return
    status, _ = run([PYTHON, "tests/coverage_agree.py", "--python", python, "--pdmigrate", args.bin,
                     "fixtures"])
    count.add(int(status == 0), int(status != 0))


def part_shims(count, args):
    if not os.environ.get("PDMIGRATE_PADDLE_PYTHON"):
        count.skip("C++ shims on a real Paddle", "PDMIGRATE_PADDLE_PYTHON is not set")
        return
    status, text = run([PYTHON, "tests/shims.py"])
    counted(count, status, text, r"(?m)^shims: (\d+) passed, (\d+) failed, (\d+) skipped$")


PARTS = {
    "lint": part_script("lint"), "selftest": part_script("selftest"), "notice": part_notice,
    "unit": part_unit, "golden": part_script("golden"), "laws": part_script("laws"),
    "laws_patch": part_script("laws_patch"), "faults": part_script("faults"),
    "faults_patch": part_script("faults_patch"), "markers": part_script("markers"),
    "dual": part_script("dual"), "drafts": part_script("drafts"), "report": part_script("report"),
    "probe": part_script("probe"), "rules": part_rules, "accuracy": part_accuracy, "library": part_library,
    "readme": part_readme, "agree": part_agree, "shims": part_shims,
}


def main():
    ap = argparse.ArgumentParser(description="run the tests")
    ap.add_argument("--bin", default="build/pdmigrate")
    ap.add_argument("--build", default="build/release", help="build folder for unit tests")
    ap.add_argument("--mode", default="release")
    ap.add_argument("parts", nargs="*", choices=[[], *PARTS], help="default: all")
    args = ap.parse_args()
    args.bin = str((PROJECT / args.bin).resolve())
    count = Count()
    for name in args.parts or PARTS:
        before = (count.passed, count.failed, count.skipped)
        print(f"== {name}", flush=True)
        PARTS[name](count, args)
        if count.failed > before[1]:
            print(f"== {name} FAILED", flush=True)
    counts = os.environ.get("PDMIGRATE_COUNTS")
    if counts:
        with open(counts, "a", encoding="ascii") as f:
            f.write(f"{count.passed} {count.failed} {count.skipped}\n")
    print(f"{count.passed} passed, {count.failed} failed, {count.skipped} skipped")
    return 1 if count.failed else 0


if __name__ == "__main__":
    sys.exit(main())
