#!/usr/bin/env python3
"""Every format of `report` read by a parser that is not ours, on fixtures and on trees given.

For each tree: JSON against docs/result-schema-1.json, SARIF against the rules of code scanning (and
against the official schema where PDMIGRATE_SARIF_SCHEMA names the file), JUnit by an XML parser, CSV, GitLab
and JSON lines by theirs, workflow commands by the runner's rules; hashes of lines computed here once more;
each fix of SARIF applied to its file gives what its edits in JSON give; the same bytes for -j 1 and 3, and
from --from. The last line is `report: N passed, N failed, N skipped`.
"""
import argparse
import csv
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse
import xml.etree.ElementTree

PROJECT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT / "tests"))
import schema  # noqa: E402

FORMATS = ("json", "jsonl", "sarif", "github", "markdown", "concise", "gitlab", "junit", "csv")
TIMEOUT = 300
SHOWN = 8


def report(binary, tree, *options, statuses=(0, 1)):
    r = subprocess.run([binary, "report", "-q", *options, tree], stdin=subprocess.DEVNULL,
                       capture_output=True, timeout=TIMEOUT)
    if r.returncode not in statuses:
        raise ValueError(f"{' '.join(options)}: status {r.returncode}: {r.stderr.decode(errors='replace')}")
    return r.stdout


def tree_path(item, key="path"):
    """A path of the JSON as bytes."""
    text = item[key]
    return urllib.parse.unquote_to_bytes(text) if item.get(key + "_encoded") else os.fsencode(text)


# ---- hashes of lines, computed once more ------------------------------------------------------------

def units(text):
    data = text.decode("utf-8", "replace").encode("utf-16-le", "surrogatepass")
    return [data[i] | data[i + 1] << 8 for i in range(0, len(data), 2)]


def line_hashes(text):
    """By the definition, not by rolling: sum of unit * 37^k over the window of each line."""
    kept, starts, after_cr, at_start = [], [], False, True
    for u in units(text) + [65535]:
        if u in (32, 9) or (after_cr and u == 10):
            after_cr = False
            continue
        after_cr = u == 13
        u = 10 if u == 13 else u
        if at_start:
            starts.append(len(kept))
        at_start = u == 10
        kept.append(u)
    seen, out = {}, []
    for start in starts:
        window = (kept[start:start + 100] + [0] * 100)[:100]
        value = 0
        for u in window:
            value = (value * 37 + u) & (1 << 64) - 1
        word = f"{value:x}"
        seen[word] = seen.get(word, 0) + 1
        out.append(f"{word}:{seen[word]}")
    return out


# ---- SARIF ------------------------------------------------------------------------------------------

def line_starts(text):
    """Offsets of lines in UTF-16 units of the decoded text, and that text."""
    decoded = text.decode("utf-8", "replace")
    lines = re.split(r"(\r\n|\r|\n)", decoded)
    return ["".join(lines[i:i + 2]) for i in range(0, len(lines), 2)]


def unit_slice(line, column):
    """Byte-free cut: the part of a line before column (from 1, UTF-16 units, without a BOM)."""
    bom = "\ufeff" if line.startswith("\ufeff") else ""
    data = line[len(bom):].encode("utf-16-le", "surrogatepass")
    return bom + data[:2 * (column - 1)].decode("utf-16-le", "surrogatepass")


def offset_of(lines, line, column):
    return len("".join(lines[:line - 1])) + len(unit_slice(lines[line - 1], column))


def fix_problems(tree, result, edits):
    """The fix applied through SARIF's regions against the edits of the JSON, file by file."""
    out = []
    for change in result["fixes"][0]["artifactChanges"]:
        path = urllib.parse.unquote_to_bytes(change["artifactLocation"]["uri"])
        full = os.path.join(os.fsencode(tree), path)
        mine = [e for e in edits if tree_path(e) == path]
        if any(e.get("create") for e in mine):
            continue
        text = open(full, "rb").read()
        lines, decoded = line_starts(text), text.decode("utf-8", "replace")
        places = []
        for r in change["replacements"]:
            g = r["deletedRegion"]
            places.append((offset_of(lines, g["startLine"], g["startColumn"]),
                           offset_of(lines, g["endLine"], g["endColumn"]), r["insertedContent"]["text"]))
        want = [(len(text[:e["start"]].decode("utf-8", "replace")),
                 len(text[:e["end"]].decode("utf-8", "replace")), e["text"]) for e in mine]
        if places != want:
            out.append(f"{path}: replacements are not the edits: {places[:2]} {want[:2]}")
        if max((p[1] for p in places), default=0) > len(decoded):
            out.append(f"{path}: a replacement behind the end")
    return out


def result_problems(tree, result, finding, rules, texts):
    out = []
    location = result["locations"][0]["physicalLocation"]
    uri, region = location["artifactLocation"]["uri"], location["region"]
    path = urllib.parse.unquote_to_bytes(uri)
    if not re.fullmatch(r"(?:[A-Za-z0-9._~/!$&'()*+,;=@-]|%[0-9A-F]{2})+", uri) or uri.startswith("/"):
        out.append(f"{uri}: not a relative URI")
    if path != tree_path(finding):
        out.append(f"{uri}: is not the path {tree_path(finding)}")
    if rules[result["ruleIndex"]]["id"] != result["ruleId"]:
        out.append(f"{uri}: ruleIndex is of another rule")
    if region.get("endLine", region["startLine"]) != region["startLine"]:
        out.append(f"{uri}: more than one line")
    if path not in texts:
        text = open(os.path.join(os.fsencode(tree), path), "rb").read()
        texts[path] = (text, line_hashes(text))
    text, hashes = texts[path]
    prints = result["partialFingerprints"]
    if prints.get("primaryLocationLineHash") != hashes[region["startLine"] - 1]:
        out.append(f"{uri}:{region['startLine']}: line hash {prints} is not {hashes[region['startLine'] - 1]}")
    if prints["pdmigrate/v1"] != finding["fingerprint"]:
        out.append(f"{uri}: another fingerprint")
    line = line_starts(text)[region["startLine"] - 1]
    if len(unit_slice(line, region["endColumn"])) > len(line) or region["endColumn"] < region["startColumn"]:
        out.append(f"{uri}: columns are not in the line")
    if (finding["state"] == "open") != (not result["suppressions"]):
        out.append(f"{uri}: suppressions do not say {finding['state']}")
    if "fixes" in result:
        out += fix_problems(tree, result, finding["fix"]["edits"])
    return out


def sarif_problems(tree, data, findings):
    run = data["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    out, texts = [], {}
    if [r["id"] for r in rules] != sorted({f["rule"] for f in findings}):
        out.append("rules are not those of the findings, sorted")
    for rule in rules:
        if not rule["help"]["text"] or not rule["help"]["markdown"]:
            out.append(f"{rule['id']}: no help")
    if len(run["results"]) != len(findings):
        return out + [f"{len(run['results'])} results, {len(findings)} findings"]
    for result, finding in zip(run["results"], findings):
        out += result_problems(tree, result, finding, rules, texts)
    keys = [(r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
             r["partialFingerprints"]["pdmigrate/v1"]) for r in run["results"]]
    if len(set(keys)) != len(keys):
        out.append("two results with one fingerprint")
    return out + official_problems(data)


def official_problems(data):
    name = os.environ.get("PDMIGRATE_SARIF_SCHEMA")
    if not name:
        return []
    import jsonschema
    rule = json.loads(pathlib.Path(name).read_text(encoding="utf-8"))
    check = jsonschema.validators.validator_for(rule)(rule, format_checker=jsonschema.FormatChecker())
    return [f"official schema: {list(e.path)}: {e.message[:120]}" for e in check.iter_errors(data)]


# ---- the others -------------------------------------------------------------------------------------

def junit_problems(text, findings):
    root = xml.etree.ElementTree.fromstring(text)
    cases = root.findall("testsuite/testcase")
    failed = root.findall("testsuite/testcase/failure")
    want = sum(f["state"] == "open" and not f["gpu_unverified"] and
               f["level"] in ("change", "expired", "blocked") for f in findings)
    out = []
    if len(cases) != len(findings) or int(root.get("tests")) != len(findings):
        out.append("junit: not a case a finding")
    if len(failed) != want or int(root.get("failures")) != want:
        out.append(f"junit: {len(failed)} failures, wanted {want}")
    if sum(int(s.get("tests")) for s in root.findall("testsuite")) != len(findings):
        out.append("junit: the suites do not add up")
    return out


def csv_problems(text, findings):
    rows = list(csv.DictReader(io.StringIO(text.decode("utf-8", "surrogateescape"), newline="")))
    if [r["fingerprint"] for r in rows] != [f["fingerprint"] for f in findings]:
        return ["csv: rows are not the findings"]
    return [f"csv: a cell that is a formula: {v}" for r in rows for v in r.values() if v and v[0] in "=+@-"]


def gitlab_problems(text, findings):
    rows = json.loads(text)
    openly = [f for f in findings if f["state"] == "open"]
    out = ["gitlab: entries are not the open findings"] if len(rows) != len(openly) else []
    for row in rows:
        if set(row) != {"description", "check_name", "fingerprint", "severity", "location"} or \
                row["severity"] not in ("info", "minor", "major", "critical", "blocker") or \
                row["location"]["lines"]["begin"] < 1 or row["location"]["path"].startswith("./"):
            out.append(f"gitlab: {row}")
    return out


def lines_problems(name, text, pattern, findings):
    lines = text.decode("utf-8", "surrogateescape").split("\n")[:-1]
    openly = [f for f in findings if f["state"] == "open"]
    out = [f"{name}: {len(lines)} lines for {len(openly)} findings"] if len(lines) != len(openly) else []
    return out + [f"{name}: {line[:100]!r}" for line in lines if not re.fullmatch(pattern, line)]


def github_path(line):
    value = re.match(r"::\w+ file=([^,]*),", line).group(1)
    for word, char in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        value = value.replace(word, char)
    return value


def github_problems(text, findings):
    out = lines_problems("github", text, r"::(error|warning|notice) file=[^,:]+,line=\d+,endLine=\d+,col=\d+,"
                         r"title=[^,:]+::.+", findings)
    lines = text.decode("utf-8", "surrogateescape").split("\n")[:-1]
    for line, f in zip(lines, [f for f in findings if f["state"] == "open"]):
        want = os.fsdecode(tree_path(f))
        if github_path(line) != want and not re.search(r"[\x00-\x1f\x7f]", want):
            out.append(f"github: {line[:80]!r} is not about {want!r}")
    return out


def jsonl_problems(text, data):
    rows = [json.loads(line) for line in text.decode().splitlines()]
    kinds = [r.pop("type") for r in rows]
    findings = [r for r, k in zip(rows, kinds) if k == "finding"]
    if findings != data["findings"] or kinds[0] != "run" or kinds[-1] != "summary":
        return ["jsonl: records are not those of the result"]
    return []


def markdown_problems(text):
    if len(text) > 65536:
        return [f"markdown: {len(text)} bytes, more than a comment holds"]
    rows = [r for r in text.decode("utf-8", "replace").splitlines() if r.startswith("| ")]
    return [f"markdown: {r[:100]}" for r in rows if len(re.findall(r"(?<!\\)\|", r)) != 6]


# ---- a tree -----------------------------------------------------------------------------------------

def format_problems(tree, made):
    data = json.loads(made["json"])
    findings = data["findings"]
    rule = json.loads((PROJECT / "docs/result-schema-1.json").read_text(encoding="utf-8"))
    out = schema.problems(rule, data)
    out += sarif_problems(tree, json.loads(made["sarif"]), findings)
    out += jsonl_problems(made["jsonl"], data) + junit_problems(made["junit"], findings)
    out += csv_problems(made["csv"], findings) + gitlab_problems(made["gitlab"], findings)
    out += github_problems(made["github"], findings) + markdown_problems(made["markdown"])
    out += lines_problems("concise", made["concise"], r".+:\d+:\d+: \w+ PD\d{3}: .+", findings)
    return out


def tree_problems(binary, tree, work):
    def files(tag, *options):
        names = {f: os.path.join(work, f"{tag}.{f}") for f in FORMATS}
        report(binary, tree, *options, *(f"--{f}={n}" for f, n in names.items()))
        return {f: open(n, "rb").read() for f, n in names.items()}

    made = files("one", "-j1")
    out = format_problems(tree, made)
    if files("two", "-j3") != made:
        out.append("-j3 gives other bytes than -j1")
    again = files("again", "--from", os.path.join(work, "one.json"))
    out += [f"--from: {f} differs" for f in FORMATS if again[f] != made[f]]
    return out


def odd_tree(root):
    """Names that a format could trip over."""
    names = [b"a b.py", b"100%.py", b"#1.py", b"q\"'.py", b"n\nl.py", b"l\xe9.py", "\u683c.py".encode(),
             b"=1+1.py", b"x:y,z.py", b"<&>.py", b"`|`.py", b"%20.py", b"sub dir/\xff\xfe.py"]
    body = b"import torch\n\n\ndef f(x):\n    return torch._C._cuda_getDevice()\n"
    for name in names:
        path = os.path.join(os.fsencode(root), name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(body)
    for name, text in (("bom.py", b"\xef\xbb\xbf" + body), ("crlf.py", body.replace(b"\n", b"\r\n")),
                       ("wide.py", "import torch\n\nx = ('\U0001f600\u00e9', torch._C._cuda_getDevice())\n".encode()),
                       ("latin.py", b"# -*- coding: latin-1 -*-\nimport torch\nx = '\xe9', "
                                    b"torch._C._cuda_getDevice()  # pdmigrate: ignore[PD501] -- for \xe9\n")):
        with open(os.path.join(root, name), "wb") as f:
            f.write(text)
    return str(root)


def default_trees(work):
    trees = [("odd names", odd_tree(pathlib.Path(work) / "odd"))]
    empty = os.path.join(work, "empty")
    os.mkdir(empty)
    trees.append(("empty", empty))
    return trees + [(n, str(PROJECT / "fixtures" / n)) for n in ("demo", "report/suppressed/input")]


def main():
    ap = argparse.ArgumentParser(description="read what `report` prints")
    ap.add_argument("--bin", default=str(PROJECT / "build" / "pdmigrate"))
    ap.add_argument("trees", nargs="*")
    args = ap.parse_args()
    binary = str(pathlib.Path(args.bin).resolve())
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="pdmigrate-") as work:
        trees = [(os.path.basename(t.rstrip("/")), t) for t in args.trees] or default_trees(work)
        for name, tree in trees:
            with tempfile.TemporaryDirectory(dir=work) as place:
                try:
                    found = tree_problems(binary, tree, place)
                except (ValueError, OSError, KeyError, IndexError, subprocess.TimeoutExpired,
                        xml.etree.ElementTree.ParseError) as e:
                    found = [f"{type(e).__name__}: {e}"]
            passed += not found
            failed += bool(found)
            for text in found[:SHOWN]:
                print(f"failed: {name}: {text}")
    print(f"report: {passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
