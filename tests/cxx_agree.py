#!/usr/bin/env python3
"""Compare what pdmigrate says of C++ sources with what the real compiler says.

    tests/cxx_agree.py [--pdmigrate BIN] [--jobs N] TREE...
    tests/cxx_agree.py --exact [--pdmigrate BIN] TREE...

Runs where PDMIGRATE_PADDLE_PYTHON names an interpreter with the target; else it is skipped by name. Each host
source (.cpp, .cc, .cxx) below a TREE that names the framework is compiled with g++ -fsyntax-only against the real
headers, without CUDA, and compared with `scan --target-build cpu`: does it compile, and is the first error where
the first finding is. Files that were not judged in full are counted apart. Exit status 1: agreement below 95 %.

With --exact the program is compared with itself: what a parse against stubs misses of the target, and what a parse
against the installed headers (`--paddle`) does, for the build that is installed. One row a tree for docs/stub-vs-exact.md,
then each name that one of them alone has. Exit status 1: a tree whose distinct names differ.
"""
import argparse, json, os, re, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

SOURCES = (".cpp", ".cc", ".cxx")
NEEDED = 0.95
WORD = re.compile(rb"\b(torch|ATen|c10)/|\b(at|torch|c10)::")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.M)


def compiler_flags(python):
    code = ("import os,sysconfig,importlib.util as u;"
            "print(os.path.dirname(u.find_spec('paddle').origin));print(sysconfig.get_paths()['include'])")
    out = subprocess.run([python, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    package, include = out.stdout.split("\n")[:2]
    root = os.path.join(package, "include")
    compat = os.path.join(root, "paddle/phi/api/include/compat")
    folders = [root, os.path.join(root, "third_party"), compat,
               os.path.join(compat, "torch/csrc/api/include"), include]
    return ["-std=c++17", "-w", "-fsyntax-only", "-DTORCH_EXTENSION_NAME=ext"] + [f"-I{f}" for f in folders]


def folders_of(tree):
    """Folders that hold headers, and those above them: where include names may begin."""
    found = set()
    for root, _, files in os.walk(tree):
        if any(f.endswith((".h", ".hpp", ".cuh")) for f in files):
            while root not in found and len(root) >= len(tree):
                found.add(root)
                root = os.path.dirname(root)
    return sorted(found, key=lambda f: (f.count("/"), f))


def closure(tree, path, seen, folders):
    """The files of the tree that a source includes, by literal names."""
    if path in seen:
        return seen
    seen.add(path)
    with open(os.path.join(tree, path), errors="replace") as fh:
        names = INCLUDE.findall(fh.read())
    for name in names:
        for folder in [os.path.dirname(os.path.join(tree, path)), *folders]:
            found = os.path.normpath(os.path.join(folder, name))
            if os.path.isfile(found):
                closure(tree, os.path.relpath(found, tree), seen, folders)
                break
    return seen


def silent_rules():
    """Rules about what goes wrong after the build."""
    rules = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "rules")
    silent = set()
    for area in ("cxx", "registration"):
        for name in os.listdir(os.path.join(rules, area)):
            if re.match(r"PD\d+\.yml$", name):
                with open(os.path.join(rules, area, name)) as fh:
                    if re.search(r"^raises: nothing", fh.read(), re.M):
                        silent.add(name[:5])
    return silent


def scan(binary, tree):
    if not os.path.isdir(tree):
        sys.exit(f"cxx_agree: there is no folder {tree}")
    out = subprocess.run([binary, "scan", "--target-build", "cpu", "--format", "json", "--exit-zero", tree],
                         capture_output=True, timeout=600)
    return json.loads(out.stdout)


def compile_one(job):
    flags, tree, path, folders = job
    # Behind the system's folders: a project may have a math.h of its own.
    cmd = ["g++", *flags, *[w for f in folders for w in ("-idirafter", f)], os.path.join(tree, path)]
    try:
        p = subprocess.run(cmd, capture_output=True, text=True, errors="replace", timeout=180)
    except subprocess.TimeoutExpired:
        return path, None, []
    return path, p.returncode == 0, [l for l in p.stderr.splitlines() if "error:" in l]


def first_error(errors, tree):
    """(path or None, line, text) of the first error."""
    if not errors:
        return None, 0, ""
    m = re.match(r"(.*?):(\d+):(?:\d+:)? (?:fatal )?error: (.*)", errors[0])
    path = os.path.relpath(m.group(1), tree) if m else None
    return (path if m and not path.startswith("..") else None, int(m.group(2)) if m else 0,
            m.group(3) if m else errors[0])


def foreign(text):
    """A header of a third party that is not there says nothing about the target."""
    m = re.match(r"(\S+): No such file", text)
    return m and not m.group(1).startswith(("torch/", "ATen/", "c10/", "caffe2/"))


def compare(tree, result, silent, compiled, folders):
    level = {}
    for f in result["findings"]:
        if f["rule"][:3] in ("PD2", "PD3") and f["level"] in ("change", "blocked") and f["rule"] not in silent:
            level.setdefault(f["path"], []).append(f)
    state = {f["path"]: f["analysis"] for f in result["files"]}
    agree, names, rows, unjudged = 0, [0, 0], [], []
    for path, ok, errors in compiled:
        where, line, text = first_error(errors, tree)
        unit = closure(tree, path, set(), folders)
        found = [f for u in sorted(unit) for f in level.get(u, [])]
        if ok is None or foreign(text) or (state.get(path) != "full" and not found):
            unjudged.append((path, state.get(path), text))
            continue
        if ok == (not found):
            agree += 1
        else:
            rows.append((path, f"compiles, but {found[0]['rule']} line {found[0]['line']}" if ok
                         else f"{where}:{line}: {text[:100]}"))
        if not ok and found:
            names[1] += 1
            names[0] += any(f["path"] == where and abs(f["line"] - line) <= 1 for f in found)
    return agree, names, rows, unjudged


def lacks(binary, tree, options):
    """{name: sites} of what the target lacks, by `facts`; what no parse saw is left out."""
    out = subprocess.run([binary, "facts", *options, tree], capture_output=True, text=True, errors="replace",
                         timeout=900)
    found = {}
    for line in out.stdout.splitlines():
        words = line.split(" ")
        if len(words) > 2 and words[1] == "lack" and "inactive" not in words:
            found.setdefault(words[2], set()).add(words[0])
    return found


def one_name(name):
    """Upstream takes what torch:: has from at::, and an operator is the same as a member and as a function."""
    name = re.sub(r"^torch::(?=(Tensor::)?[a-z_]+$|(Tensor::)?operator)", "at::", name)
    return re.sub(r"^at::Tensor::(?=operator[^a-z_ \[(])", "at::", name)


def named_once(found):
    out = {}
    for name, sites in found.items():
        out.setdefault(one_name(name), set()).update(sites)
    return out


def site_of(python):
    code = "import os,importlib.util as u;print(os.path.dirname(os.path.dirname(u.find_spec('paddle').origin)))"
    out = subprocess.run([python, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    return out.stdout.strip()


def exact(binary, trees, site):
    """Compare stubs with headers; True when all distinct names are the same."""
    build = json.loads(subprocess.run([binary, "scan", "--paddle", site, "--format", "json", "--exit-zero",
                                       tempfile.mkdtemp()], capture_output=True, timeout=60).stdout)["target"]["build"]
    same = True
    print("| tree | names stub / headers / both | sites stub / headers / both |\n| --- | --- | --- |")
    for tree in trees:
        a, b = (named_once(lacks(binary, tree, words)) for words in (["--target-build", build], ["--paddle", site]))
        sites = [{(n, s) for n in x for s in x[n]} for x in (a, b)]
        print(f"| {os.path.basename(os.path.normpath(tree))} | {len(a)} / {len(b)} / {len(a.keys() & b.keys())} | "
              f"{len(sites[0])} / {len(sites[1])} / {len(sites[0] & sites[1])} |")
        for what, names in (("stubs alone", a.keys() - b.keys()), ("headers alone", b.keys() - a.keys())):
            same &= not names
            for name in sorted(names):
                where = sorted((a if what[0] == "s" else b)[name])
                print(f"    {what}: {name}, {len(where)} sites, first {where[0]}")
    return same


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--pdmigrate", default="build/pdmigrate")
    a.add_argument("--jobs", type=int, default=2)
    a.add_argument("--exact", action="store_true", help="compare stubs with the installed headers")
    a.add_argument("tree", nargs="+")
    o = a.parse_args()
    python = os.environ.get("PDMIGRATE_PADDLE_PYTHON")
    if not python:
        print("cxx_agree: skipped: PDMIGRATE_PADDLE_PYTHON is not set")
        return 0
    if o.exact:
        return not exact(o.pdmigrate, o.tree, site_of(python))
    flags, silent = compiler_flags(python), silent_rules()
    total, agreed, first, left = 0, 0, [0, 0], 0
    for tree in o.tree:
        folders, jobs = folders_of(tree), []
        for root, _, files in sorted(os.walk(tree)):
            for name in sorted(files):
                full = os.path.join(root, name)
                with open(full, "rb") as fh:
                    if name.endswith(SOURCES) and WORD.search(fh.read()):
                        jobs.append((flags, tree, os.path.relpath(full, tree), folders))
        with ThreadPoolExecutor(o.jobs) as pool:
            compiled = list(pool.map(compile_one, jobs))
        agree, names, rows, unjudged = compare(tree, scan(o.pdmigrate, tree), silent, compiled, folders)
        judged = len(jobs) - len(unjudged)
        print(f"{os.path.basename(os.path.normpath(tree)):32} {len(jobs):4} sources {judged:4} judged "
              f"{agree:4} agree, first name {names[0]}/{names[1]}")
        for path, what in rows:
            print(f"    {path}: {what}")
        for path, analysis, text in unjudged:
            print(f"    not judged ({analysis}): {path}: {text[:90]}")
        total, agreed, left = total + judged, agreed + agree, left + len(unjudged)
        first = [first[0] + names[0], first[1] + names[1]]
    if not total:
        print("cxx_agree: nothing was judged")
        return 1
    print(f"{agreed} of {total} judged agree ({100 * agreed / total:.1f} %), {left} not judged, "
          f"first name {first[0]} of {first[1]}")
    return agreed < NEEDED * total


if __name__ == "__main__":
    sys.exit(main())
