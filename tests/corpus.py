#!/usr/bin/env python3
"""Real projects: source archives pinned in tests/corpus.lock, scanned and never executed.

  fetch      download what is not there, check the sums, unpack into build/corpus/x
  scan       scan every project with -j2 and -j1: no crash, the same bytes; --write writes docs/corpus.md
  laws       tests/laws.py on the projects the lock marks for it
  library    the running Python's standard library has no finding
  lock       print lines of the lock for the archives in build/corpus/dl

A line of the lock: name, version, file, SHA-256, and `laws` (small enough for tests/laws.py) or `scan`.
An archive that cannot be had is a skip by name, under CI a failure; a wrong sum stops.
"""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import posixpath
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import time

PROJECT = pathlib.Path(__file__).resolve().parent.parent
LOCK = PROJECT / "tests" / "corpus.lock"
CORPUS = PROJECT / "build" / "corpus"
TREES = CORPUS / "x"
CACHE = CORPUS / "scan"
PAGE = PROJECT / "docs" / "corpus.md"
FETCHER = PROJECT / "build" / "venv" / "bin" / "unearth"
LEVELS = ("change", "blocked", "check", "note", "expired")
FIELDS = ("rule", "level", "fingerprint", "message", "group", "path", "path_encoded", "line", "state")
TIMEOUT = 900
LAWS_TIMEOUT = 2700
KEEP_SCANS = 12
MEMBERS_MAX, BYTES_MAX = 60000, 2 << 30


class Bad(Exception):
    """Something that stops: the message says what."""


class Entry:
    def __init__(self, line):
        self.name, self.version, self.file, self.sum, self.use = line.split()
        self.folder = self.file[:-len(".tar.gz")]


def entries():
    return [Entry(line) for line in LOCK.read_text().splitlines() if line and not line.startswith("#")]


def trees():
    """Folders of the projects that are there."""
    return [TREES / e.folder for e in entries() if (TREES / e.folder).is_dir()]


# ---- fetch --------------------------------------------------------------------------------------


def sum_of(path):
    digest = hashlib.sha256()
    with open(path, "rb") as f:
        for block in iter(lambda: f.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def download(entry, folder):
    """The archive's path, None when it cannot be had; a wrong sum raises Bad."""
    path = folder / entry.file
    if not path.exists():
        if not FETCHER.exists():
            subprocess.run([sys.executable, "-m", "venv", str(FETCHER.parent.parent)], check=True)
            subprocess.run([str(FETCHER.parent / "pip"), "install", "-q", "unearth==0.19.0"], check=True)
        print(f"corpus: fetching {entry.name} {entry.version}", flush=True)
        subprocess.run([str(FETCHER), "--no-binary", "-d", str(folder), f"{entry.name}=={entry.version}"],
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       timeout=TIMEOUT, check=False)
    if not path.exists():
        return None
    found = sum_of(path)
    if found != entry.sum:
        raise Bad(f"{entry.file}: checksum {found} is not the one in tests/corpus.lock")
    return path


def safe_name(name, top):
    """The path of a member below the folder all members share; what leads elsewhere raises Bad."""
    parts = name.split("/")
    if name.startswith("/") or ".." in parts or "\0" in name or "\\" in name:
        raise Bad(f"a member leads out of the archive: {name!r}")
    parts = [p for p in parts if p not in ("", ".")]
    if parts[:1] != [top]:
        raise Bad(f"a member is not below {top}: {name!r}")
    return "/".join(parts)


def check_link(name, target, top):
    """A symbolic link must stay inside."""
    place = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
    if target.startswith("/") or (place != top and not place.startswith(top + "/")):
        raise Bad(f"a link leads out of the archive: {name!r} -> {target!r}")


def write_member(archive, member, path):
    with archive.extractfile(member) as src, open(path, "xb") as dst:
        shutil.copyfileobj(src, dst, 1 << 20)
    path.chmod(0o755 if member.mode & 0o100 else 0o644)


def unpack_members(archive, top, dest):
    count = total = 0
    links = []
    for member in archive:
        name = safe_name(member.name, top)
        count, total = count + 1, total + member.size
        if count > MEMBERS_MAX or total > BYTES_MAX:
            raise Bad(f"more than {MEMBERS_MAX} members or {BYTES_MAX} bytes")
        path = dest / name
        if member.isdir():
            path.mkdir(parents=True, exist_ok=True)
        elif member.isreg():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_member(archive, member, path)
        elif member.issym():
            check_link(name, member.linkname, top)
            links.append((path, member.linkname))
        else:
            raise Bad(f"a member is no file, folder or symbolic link: {name!r}")
    # Links come last, so that no member is written through one.
    for path, target in links:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)


def unpack(path, dest, top):
    """Unpack an archive whose members all stand below `top` to dest/top, all or nothing."""
    part = dest / f".{top}.{os.getpid()}"
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    try:
        with tarfile.open(path, "r:gz") as archive:
            unpack_members(archive, top, part)
        shutil.rmtree(dest / top, ignore_errors=True)
        (part / top).rename(dest / top)
    except (OSError, tarfile.TarError) as e:
        raise Bad(str(e)) from e
    finally:
        shutil.rmtree(part, ignore_errors=True)


def fetch(args, count):
    downloads = CORPUS / "dl"
    downloads.mkdir(parents=True, exist_ok=True)
    for entry in entries():
        stamp = CORPUS / "unpacked" / f"{entry.folder}.{entry.sum}"
        if stamp.exists() and (TREES / entry.folder).is_dir():
            continue
        path = download(entry, downloads)
        if not path:
            missing(count, f"{entry.name} {entry.version}", "the archive cannot be had")
            continue
        try:
            unpack(path, TREES, entry.folder)
        except Bad as e:
            raise Bad(f"{entry.file}: {e}") from e
        stamp.parent.mkdir(exist_ok=True)
        stamp.touch()


def missing(count, what, why):
    bad = bool(os.environ.get("CI"))
    print(f"{'failed' if bad else 'skipped'}: {what}: {why}")
    count["failed" if bad else "skipped"] += 1


def lock(args, count):
    for path in sorted((CORPUS / "dl").glob("*.tar.gz")):
        name, version = path.name[:-len(".tar.gz")].rsplit("-", 1)
        print(name.replace("_", "-"), version, path.name, sum_of(path), "scan")


# ---- scans --------------------------------------------------------------------------------------


def run_scan(binary, tree, *options):
    """Standard output of a scan as JSON; any other end than 0 or 1 raises Bad."""
    command = [str(binary), "scan", "-q", "--format", "json", *options, "."]
    try:
        r = subprocess.run(command, cwd=tree, capture_output=True, stdin=subprocess.DEVNULL, timeout=TIMEOUT)
    except subprocess.TimeoutExpired as e:
        raise Bad(f"no end within {TIMEOUT} s") from e
    if r.returncode not in (0, 1):
        raise Bad(f"ended with {r.returncode}: {r.stderr.decode(errors='replace').strip()[-300:]}")
    return r.stdout


def left_out(result):
    """Files in a language that is read which were not: vendored code and submodules."""
    return sum(f["analysis"] == "skipped" and f["language"] != "other" for f in result["files"])


def reduced(out):
    """What the tables need of a result."""
    result = json.loads(out)
    return {"findings": [{k: f[k] for k in FIELDS if k in f} for f in result["findings"]],
            "notices": [{k: n[k] for k in ("path", "stage", "message")} for n in result["notices"]],
            "files": result["summary"]["files"], "left": left_out(result), "bytes": result["summary"]["analysed_bytes"],
            "levels": result["summary"]["by_level"], "type": result["repository"]["type"],
            "verdict": result["repository"]["verdict"]}


class Scans:
    """Results by program, rules and tree, kept in build/corpus/scan; the oldest programs' go."""

    def __init__(self, binary, rules=None):
        self.binary, self.rules = binary, rules
        digest = hashlib.sha256(binary.read_bytes())
        for path in sorted(p for p in rules.rglob("*") if p.is_file()) if rules else []:
            digest.update(str(path.relative_to(rules)).encode() + b"\0" + path.read_bytes())
        self.folder = CACHE / digest.hexdigest()[:16]
        self.folder.mkdir(parents=True, exist_ok=True)
        os.utime(self.folder)
        others = sorted(CACHE.iterdir(), key=lambda p: p.stat().st_mtime, reverse=True)
        for old in others[KEEP_SCANS:]:
            shutil.rmtree(old, ignore_errors=True)

    def path(self, tree):
        key = hashlib.sha256(str(tree.resolve()).encode()).hexdigest()[:8]
        return self.folder / f"{tree.name}-{key}.json"

    def keep(self, tree, result):
        path = self.path(tree)
        part = path.with_suffix(f".{os.getpid()}")
        path.parent.mkdir(exist_ok=True)
        part.write_text(json.dumps(result))
        part.replace(path)

    def result(self, tree):
        path = self.path(tree)
        if path.exists():
            return json.loads(path.read_text())
        print(f"corpus: scanning {tree.name}", file=sys.stderr, flush=True)
        options = ["--rules", str(self.rules)] if self.rules else []
        result = reduced(run_scan(self.binary, tree, *options))
        self.keep(tree, result)
        return result


def reason(notice):
    """A notice without what belongs to one file."""
    message = re.sub(r"'[^']*'", "'...'", notice["message"])
    return f"{notice['stage']}: " + re.sub(r"\b\d+\b", "N", message)


def row(cells):
    return "| " + " | ".join(str(c) for c in cells) + " |"


def page(results):
    text = ["# Corpus", "",
            "Written by `make corpus-table`. Source archives of public projects, pinned in `tests/corpus.lock`,",
            "scanned for the default target. \"Left\" counts files of third-party folders and submodules, which are",
            "listed and not read; \"KB\" is what was read. `docs/accuracy.md` says how often the findings are right.",
            "", row(("project", "files", "left", "KB", "type", "verdict", *LEVELS, "notices")),
            row(["---"] + ["---:"] * 3 + ["---"] * 2 + ["---:"] * (len(LEVELS) + 1))]
    reasons = collections.Counter()
    for name, r in results.items():
        reasons.update(reason(n) for n in r["notices"])
        text.append(row((name, r["files"], r["left"], r["bytes"] // 1000, r["type"] or "", r["verdict"],
                         *(r["levels"].get(level, 0) for level in LEVELS), len(r["notices"]))))
    text += ["", "## Notices by reason", "", row(("reason", "notices")), row(("---", "---:"))]
    text += [row((why, nr)) for why, nr in sorted(reasons.items())]
    return "\n".join(text) + "\n"


def scan_one(scans, tree):
    start = time.monotonic()
    out = run_scan(scans.binary, tree, "-j2")
    took = time.monotonic() - start
    if run_scan(scans.binary, tree, "-j1") != out:
        raise Bad("-j1 and -j2 give different results")
    result = reduced(out)
    scans.keep(tree, result)
    levels = " ".join(f"{level} {nr}" for level, nr in result["levels"].items() if nr)
    print(f"{took:7.2f} s  {tree.name}: {result['files']} files, {result['bytes'] // 1000} KB, "
          f"{len(result['notices'])} notices, {levels or 'no findings'}", file=sys.stderr, flush=True)
    return result


def scan(args, count):
    scans, results = Scans(args.bin), {}
    for tree in trees():
        try:
            results[tree.name] = scan_one(scans, tree)
            count["passed"] += 1
        except Bad as e:
            count["failed"] += 1
            print(f"failed: scan of {tree.name}: {e}")
    if not results:
        missing(count, "scan of the corpus", "run tests/corpus.py fetch")
    if args.write:
        if len(results) != len(entries()):
            raise Bad("the table is written from a whole corpus only")
        PAGE.write_text(page(results))


def laws(args, count):
    marked = [TREES / e.folder for e in entries() if e.use == "laws" and (TREES / e.folder).is_dir()]
    if not marked:
        missing(count, "laws on the corpus", "run tests/corpus.py fetch")
        return
    try:
        r = subprocess.run([sys.executable, str(PROJECT / "tests" / "laws.py"), "--no-fixtures", "--bin",
                            str(args.bin), *map(str, marked)], stdin=subprocess.DEVNULL, capture_output=True,
                           text=True, timeout=LAWS_TIMEOUT, check=False)
    except subprocess.TimeoutExpired as e:
        raise Bad(f"laws: no end within {LAWS_TIMEOUT} s") from e
    print(r.stdout + r.stderr, end="")
    found = re.search(r"(?m)^laws: (\d+) passed, (\d+) failed", r.stdout)
    count["passed"] += int(found.group(1)) if found else 0
    count["failed"] += int(found.group(2)) if found else 1


def library(args, count):
    """A standard library uses no framework; packages that are installed inside it are not its."""
    found = [f for f in json.loads(run_scan(args.bin, sysconfig.get_path("stdlib")))["findings"]
             if not re.match(r"(site|dist)-packages/", f["path"])]
    for f in found[:10]:
        print(f"failed: {f['rule']} in the standard library: {f['path']}:{f['line']}: {f['message']}")
    count["failed" if found else "passed"] += 1


def main():
    parts = {"fetch": fetch, "scan": scan, "laws": laws, "library": library, "lock": lock}
    ap = argparse.ArgumentParser(description="scan real projects")
    ap.add_argument("--bin", type=pathlib.Path, default=PROJECT / "build" / "pdmigrate")
    ap.add_argument("--write", action="store_true", help="scan: write docs/corpus.md")
    ap.add_argument("parts", nargs="+", choices=parts)
    args = ap.parse_args()
    args.bin = args.bin.resolve()
    count = {"passed": 0, "failed": 0, "skipped": 0}
    try:
        for name in args.parts:
            parts[name](args, count)
    except Bad as e:
        print(f"corpus: {e}", file=sys.stderr)
        return 1
    if args.parts != ["lock"]:
        print("corpus: {passed} passed, {failed} failed, {skipped} skipped".format(**count))
    return 1 if count["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
