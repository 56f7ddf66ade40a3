#!/usr/bin/env python3
"""Run the cases of fixtures/ and compare what the program prints with what is expected.

A case is a folder fixtures/AREA/CASE with some of

  input/           the tree to analyse, copied to a folder "input" of a fresh work folder
  setup            a sh script run in the work folder, for what git cannot hold
  args             the arguments, one shell-like line (default: scan input)
  run              a sh script instead of args; the program is "$BIN"
  env              NAME=VALUE lines
  needs            one word a line; a need that is not met skips the case by name
  expected.out     standard output, byte for byte (default: empty)
  expected.err     standard error, byte for byte (default: empty)
  expected.status  exit status (default: 0)
  expected.json    instead of expected.out: what the JSON on standard output must contain at least

The work folder lies outside every git work tree, and nothing in it may have changed afterwards.
"""
import argparse
import concurrent.futures
import difflib
import hashlib
import json
import os
import pathlib
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parent.parent
FIXTURES = PROJECT / "fixtures"
TIMEOUT = 120
MARKS = ("input", "setup", "args", "run")


class Skip(Exception):
    """A need of the case is not met."""


def find_cases(patterns=()):
    """Case folders in order of their names; patterns select by substring."""
    found = [d for d in sorted(FIXTURES.glob("*/*")) if any((d / m).exists() for m in MARKS)]
    return [d for d in found if not patterns or any(p in case_name(d) for p in patterns)]


def case_name(case):
    return case.relative_to(FIXTURES).as_posix()


def read_text(path, default):
    return path.read_text() if path.exists() else default


def read_bytes(path):
    return path.read_bytes() if path.exists() else b""


def temp_root():
    """A folder for work folders that no git work tree encloses."""
    root = pathlib.Path(tempfile.mkdtemp(prefix="pdmigrate-")).resolve()
    for parent in [root, *root.parents]:
        if (parent / ".git").exists():
            root.rmdir()
            raise SystemExit(f"golden: the temporary folder lies in a git work tree ({parent})")
    return root


def need_met(word):
    if word == "mkfifo":
        return hasattr(os, "mkfifo")
    if word == "full":
        return os.path.exists("/dev/full")
    if word == "git":
        return shutil.which("git") is not None
    raise SystemExit(f"golden: unknown need '{word}'")


def case_env(case, binary, work):
    """A small, fixed environment: no user configuration reaches the program."""
    env = {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
        "HOME": str(work / "home"),
        "TMPDIR": str(work / "temp"),
        # Precompiled headers are shared by all cases: each makes them when they are not there.
        "XDG_CACHE_HOME": str(work.parent / "cache"),
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "BIN": str(binary),
        "PROJECT": str(PROJECT),
    }
    for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"):
        if name in os.environ:
            env[name] = os.environ[name]
    for line in read_text(case / "env", "").splitlines():
        name, _, value = line.partition("=")
        env[name] = value
    return env


def prepare(case, binary, work):
    """Copy the input and run setup; gives the folder to run in and the environment."""
    for word in read_text(case / "needs", "").split():
        if not need_met(word):
            raise Skip(word)
    place = work / "case"
    for folder in (place, work / "home", work / "temp"):
        folder.mkdir(parents=True)
    if (case / "input").is_dir():
        shutil.copytree(case / "input", place / "input", symlinks=True)
    env = case_env(case, binary, work)
    if (case / "setup").exists():
        subprocess.run(["sh", "-eu", str(case / "setup")], cwd=place, env=env, check=True,
                       stdin=subprocess.DEVNULL, timeout=TIMEOUT)
    return place, env


def fingerprint(place):
    """Every name below place with kind, mode and bytes."""
    rows = []
    for folder, dirs, files in os.walk(os.fsencode(place)):
        for name in dirs + files:
            path = os.path.join(folder, name)
            st = os.lstat(path)
            body = b""
            if stat.S_ISLNK(st.st_mode):
                body = os.readlink(path)
            elif stat.S_ISREG(st.st_mode):
                with open(path, "rb") as f:
                    body = hashlib.file_digest(f, "sha256").digest()
            rows.append((path, st.st_mode, body))
    return sorted(rows)


def command(case, binary):
    if (case / "run").exists():
        return ["sh", "-u", str(case / "run")]
    return [str(binary), *shlex.split(read_text(case / "args", "scan input"))]


def subset_problems(want, got, where="$"):
    """What of `want` is not in `got`. Lists: each wanted element must match one, in order."""
    if isinstance(want, dict) and isinstance(got, dict):
        out = []
        for key, value in want.items():
            if key not in got:
                out.append(f"{where}.{key}: not there")
            else:
                out += subset_problems(value, got[key], f"{where}.{key}")
        return out
    if isinstance(want, list) and isinstance(got, list):
        if not want and got:
            return [f"{where}: wanted an empty list, got {len(got)} elements"]
        at = 0
        for i, value in enumerate(want):
            while at < len(got) and subset_problems(value, got[at]):
                at += 1
            if at == len(got):
                return [f"{where}[{i}]: nothing (further) matches {json.dumps(value)}"]
            at += 1
        return []
    return [] if want == got and type(want) is type(got) else [
        f"{where}: wanted {json.dumps(want)}, got {json.dumps(got)[:200]}"]


def bytes_problems(name, want, got):
    if want == got:
        return []
    diff = difflib.unified_diff(
        want.decode("utf-8", "backslashreplace").splitlines(True),
        got.decode("utf-8", "backslashreplace").splitlines(True), f"expected.{name}", "actual")
    return ["".join(line if line.endswith("\n") else line + "\n\\ no newline\n" for line in diff)]


def compare(case, result):
    status = int(read_text(case / "expected.status", "0"))
    problems = []
    if result.returncode != status:
        problems.append(f"exit status {result.returncode}, wanted {status}")
    if (case / "expected.json").exists():
        try:
            problems += subset_problems(json.loads((case / "expected.json").read_text()),
                                        json.loads(result.stdout))
        except ValueError as e:
            problems.append(f"standard output is no JSON: {e}")
    else:
        problems += bytes_problems("out", read_bytes(case / "expected.out"), result.stdout)
    if not list(case.glob("expected.*")):
        problems.append("nothing is expected")
    return problems + bytes_problems("err", read_bytes(case / "expected.err"), result.stderr)


def update(case, result):
    def put(name, data, default):
        if data == default:
            (case / name).unlink(missing_ok=True)
        else:
            (case / name).write_bytes(data)

    if not (case / "expected.json").exists():
        put("expected.out", result.stdout, b"")
    put("expected.err", result.stderr, b"")
    put("expected.status", b"%d\n" % result.returncode, b"0\n")


def run_case(case, binary, root, write):
    """Gives (kind, problems): kind is passed, failed or skipped."""
    work = root / case_name(case).replace("/", "--")
    try:
        place, env = prepare(case, binary, work)
        before = fingerprint(place)
        result = subprocess.run(command(case, binary), cwd=place, env=env, timeout=TIMEOUT,
                                stdin=subprocess.DEVNULL, capture_output=True)
        changed = fingerprint(place) != before
        if write:
            update(case, result)
        problems = compare(case, result)
        if changed:
            problems.append("the tree was changed")
        if os.listdir(work / "temp") or os.listdir(work / "home"):
            problems.append("files were left behind")
        return ("failed" if problems else "passed"), problems
    except Skip as e:
        return "skipped", [f"needs {e}"]
    except subprocess.TimeoutExpired:
        return "failed", [f"took longer than {TIMEOUT} s"]
    except subprocess.CalledProcessError as e:
        return "failed", [f"setup ended with {e.returncode}"]
    finally:
        shutil.rmtree(work, ignore_errors=True)


def main():
    ap = argparse.ArgumentParser(description="run the cases of fixtures/")
    ap.add_argument("--bin", default=str(PROJECT / "build" / "pdmigrate"))
    ap.add_argument("--update", action="store_true", help="write what the program prints now")
    ap.add_argument("patterns", nargs="*", help="only cases whose name contains one of these")
    args = ap.parse_args()
    if args.update and os.environ.get("CI"):
        raise SystemExit("golden: --update is refused where CI is set")
    binary = pathlib.Path(args.bin).resolve()
    cases = find_cases(args.patterns)
    if not cases:
        raise SystemExit("golden: no such case")
    count = {"passed": 0, "failed": 0, "skipped": 0}
    root = temp_root()
    try:
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            work = [(c, pool.submit(run_case, c, binary, root, args.update)) for c in cases]
            for case, job in work:
                kind, problems = job.result()
                count[kind] += 1
                if kind != "passed":
                    print(f"{kind}: {case_name(case)}")
                    print("\n".join("  " + line for p in problems for line in p.splitlines()))
    finally:
        shutil.rmtree(root, ignore_errors=True)
    print("golden: {passed} passed, {failed} failed, {skipped} skipped".format(**count))
    return 1 if count["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
