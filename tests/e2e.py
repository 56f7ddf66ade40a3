#!/usr/bin/env python3
"""The real judge: packages patched by the tool alone are built, imported and called on a real Paddle.

  packages   fixtures/e2e/NAME with a folder package/: packages of our own
  pypi       fixtures/e2e/NAME without one: source archives pinned in tests/e2e.lock
  rules      rule examples with a `run:`: `before` shows the stated failure or value, `after` the stated value

A folder fixtures/e2e/NAME holds

  package/    an untouched package written for the upstream framework
  check.py    its numbers: load(), op(pkg, t), gradient(pkg, t); see fixtures/e2e/ladder.py
  expect.yml  what: a line about it · unpatched: {rung: error text} · patched: the last rung that is reached ·
              stops: {rung: error text} of the rung after that · blocked: the cause, where it stops for good ·
              options: of patch · switch: `check` when check.py switches compat on itself · dual: true ·
              lines: most lines of code that the patch may add · hand: [added, removed] of a patch by hand, of which
              the tool's may add twice as many · needs: packages of fixtures/e2e it imports

Rungs: install (pip, with dependencies, no index), import, op, gradient, tests. The target is a CPU wheel of
PADDLE without torch: PDMIGRATE_PADDLE_PYTHON names an interpreter that has it, else build/e2e/venv is made;
nothing is installed into either. With `dual`, the tree patched by `--dual` is also climbed under a real
torch where PDMIGRATE_TORCH_PYTHON names an interpreter that has one. `--write` writes docs/e2e.md.
"""
import argparse
import difflib
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import corpus  # noqa: E402  (fetching and unpacking of pinned archives)

PROJECT = pathlib.Path(__file__).resolve().parent.parent
CASES = PROJECT / "fixtures" / "e2e"
LOCK = PROJECT / "tests" / "e2e.lock"
BUILD = PROJECT / "build" / "e2e"
PAGE = PROJECT / "docs" / "e2e.md"
PADDLE = "3.3.1"
BASE = [f"paddlepaddle=={PADDLE}", "numpy<2.3", "setuptools", "wheel"]
# Build back ends and dependencies of the packages from PyPI, beside the base and never in it.
EXTRA = ["PyYAML==6.0.2", "hatchling==1.27.0", "wheel", "scipy==1.15.3", "numpy<2.3",
         "pytest==8.4.2"]
RUNGS = ["install", "import", "op", "gradient", "tests"]
KEYS = {"what", "unpatched", "patched", "stops", "blocked", "options", "switch", "dual", "lines", "hand", "needs"}
TIMEOUT = 1200
TAIL = 1500


class Bad(Exception):
    """An expectation that does not hold: the message says which."""


def run(command, cwd=None, env=None, text=None, timeout=TIMEOUT):
    """(status, standard output, standard error); a program that does not end counts as one that fails."""
    try:
        r = subprocess.run([str(c) for c in command], cwd=cwd, env=env, input=text or "", capture_output=True,
                           text=True, errors="replace", timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        return 124, "", f"no end within {timeout} s"
    except OSError as e:
        return 127, "", str(e)
    return r.returncode, r.stdout, r.stderr


def clean_env(**more):
    """The environment without what steers Python and pip from outside."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PIP_", "PADDLE", "FLAGS_"))}
    return {**kept, "MAX_JOBS": "2", "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1", **more}


# ---- interpreters -------------------------------------------------------------------------------


def make_base():
    """The interpreter with the target; made on the first run."""
    given = os.environ.get("PDMIGRATE_PADDLE_PYTHON")
    python = pathlib.Path(given) if given else BUILD / "venv" / "bin" / "python"
    if not given and run([python, "-c", "import paddle"])[0]:
        print(f"e2e: making {python.parent.parent.relative_to(PROJECT)}", flush=True)
        subprocess.run([sys.executable, "-m", "venv", str(python.parent.parent)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", *BASE], check=True, stdin=subprocess.DEVNULL)
    probe = "import paddle, importlib.util as u; print(paddle.__version__, u.find_spec('torch') is None)"
    status, out, err = run([python, "-c", probe], env=clean_env())
    if status or out.split() != [PADDLE, "True"]:
        raise Bad(f"the target must be Paddle {PADDLE} without torch: {out.strip() or err[-TAIL:]}")
    return python


def make_extra(base):
    """A folder with what packages need beside the target."""
    folder = BUILD / ("extra-" + hashlib.sha256("\n".join(EXTRA).encode()).hexdigest()[:8])
    if not folder.exists():
        part = folder.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        subprocess.run([str(base), "-m", "pip", "install", "-q", "--target", str(part), *EXTRA], check=True,
                       stdin=subprocess.DEVNULL)
        part.rename(folder)
    return folder


def site_of(python):
    status, out, err = run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"])
    if status:
        raise Bad(f"no interpreter at {python}: {err[-TAIL:]}")
    return out.strip()


class Place:
    """A throw-away environment that sees `parents` (folders of modules) and installs beside them."""

    def __init__(self, folder, base, parents):
        self.base, self.python = base, folder / "bin" / "python"
        status, _, err = run([base, "-m", "venv", "--without-pip", folder])
        if status:
            raise Bad(f"cannot make an environment: {err[-TAIL:]}")
        lines = [f"import site; site.addsitedir({str(p)!r})" for p in parents]
        (pathlib.Path(site_of(self.python)) / "e2e.pth").write_text("\n".join(lines) + "\n")

    def pip(self, tree, *options):
        """The output of a failed installation of `tree`, None when it worked."""
        command = [self.base, "-m", "pip", "--python", self.python, "install", "--isolated", "--no-index",
                   "--no-build-isolation", "--no-cache-dir", *options, "."]
        status, out, err = run(command, cwd=tree, env=clean_env())
        return out + err if status else None

    def climb(self, check, framework, switch, rungs):
        """(rungs passed, the error or None)."""
        # A folder of its own as working directory, so that what is imported is what was installed.
        status, out, err = run([self.python, CASES / "ladder.py", check, framework, switch, *rungs],
                               cwd=self.python.parent, env=clean_env())
        passed = re.findall(r"(?m)^passed (\w+)$", out)
        failed = re.search(r"(?m)^failed \w+: (.*)$", out)
        if status == 0:
            return passed, None
        return passed, failed.group(1) if failed else f"ended with {status}: {(out + err)[-TAIL:]}"

    def own_tests(self, tree, switch):
        """The output of the tests of `tree` where one fails, else None."""
        program = f"{switch}\nimport sys, pytest\nsys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', 'tests']))"
        # Safe path: the installed package is tested, not the folder.
        status, out, err = run([self.python, "-P", "-c", program], cwd=tree, env=clean_env())
        return out + err if status else None


# ---- one case -----------------------------------------------------------------------------------


class Case:
    def __init__(self, folder, expect):
        self.name, self.folder, self.expect = folder.name, folder, expect
        unknown = set(expect) - KEYS
        if unknown:
            raise Bad(f"{self.name}: unknown key in expect.yml: {', '.join(sorted(unknown))}")
        self.check = folder / "check.py"
        self.own = (folder / "package").is_dir()
        text = self.check.read_text()
        self.rungs = ["install", "import"] + [r for r in ("op", "gradient") if f"def {r}(" in text]

    def source(self, downloads):
        """The folder of the untouched package."""
        return self.folder / "package" if self.own else fetched(self.name, downloads)

    def options(self):
        return self.expect.get("options", [])


def lock_entries():
    lines = LOCK.read_text().splitlines() if LOCK.exists() else []
    return [corpus.Entry(line) for line in lines if line and not line.startswith("#")]


def fetched(name, downloads):
    """The unpacked archive of the lock; None when it cannot be had."""
    entry = next((e for e in lock_entries() if e.name == name), None)
    if not entry:
        raise Bad(f"{name} is not in tests/e2e.lock")
    downloads.mkdir(parents=True, exist_ok=True)
    path = corpus.download(entry, downloads)
    if not path:
        return None
    tree = BUILD / "src" / entry.folder
    corpus.unpack(path, tree.parent, entry.folder)
    return tree


def read_yaml(python, texts):
    """YAML texts -> values; the reader lives in the target's environment."""
    program = "import json, sys, yaml; json.dump([yaml.safe_load(t) for t in json.load(sys.stdin)], sys.stdout)"
    status, out, err = run([python, "-c", program], text=json.dumps(texts))
    if status:
        raise Bad(f"cannot read YAML: {err[-TAIL:]}")
    return json.loads(out)


def patch_tree(binary, tree, options):
    """Patch in place; gives what the summary on standard error says."""
    command = [binary, "patch", "--force", "--exit-zero", "--target-paddle", PADDLE, "--target-build", "cpu"]
    status, _, err = run([*command, *options, tree])
    if status:
        raise Bad(f"patch ended with {status}: {err[-TAIL:]}")
    again, out, err = run([*command, "--dry-run", *options, tree])
    if again or out:
        raise Bad(f"a second patch is not empty: {(out or err)[-TAIL:]}")


def scope_switch(binary, tree):
    """The statement that the tool tells a user to write."""
    command = [binary, "scan", "-q", "--exit-zero", "--json", "--target-paddle", PADDLE, "--target-build", "cpu", tree]
    status, out, err = run(command)
    if status:
        raise Bad(f"scan ended with {status}: {err[-TAIL:]}")
    scope = json.loads(out)["repository"]["scope"]
    return f"paddle.enable_compat(scope={{{', '.join(json.dumps(s) for s in scope)}}}, silent=True)"


def is_marker(line):
    return re.match(r"\s*(#|//) +(TODO|NOTE)\(Paddle compat\)", line) is not None


# The folder that header shims are written to (rules/shims/cxx/index.yml); a module that the patch adds is one as well.
SHIM_FOLDERS = {"paddle_compat"}


def count_lines(old, new):
    """(lines of code added, removed, lines of markers, lines of shim files) between two trees."""
    added = removed = markers = shims = 0
    names = {p.relative_to(t) for t in (old, new) for p in t.rglob("*") if p.is_file()}
    for name in sorted(names):
        sides = [(t / name).read_bytes().decode("latin-1").splitlines() if (t / name).exists() else []
                 for t in (old, new)]
        module = name.suffix == ".py" and not (old / name).exists()
        if module or any(part in SHIM_FOLDERS for part in name.parts):
            shims += len(sides[1]) - len(sides[0])
            continue
        inside = False
        for line in difflib.unified_diff(*sides, lineterm="", n=0):
            if line.startswith(("+++", "---", "@@")):
                inside = False
            elif line.startswith("-"):
                removed += 1
            elif is_marker(line[1:]) or (inside and re.match(r"\s*(#|//)   ", line[1:])):
                markers, inside = markers + 1, True
            else:
                added, inside = added + 1, False
    return added, removed, markers, shims


def outcome(case, place, tree, switch, framework, *pip_options):
    """(last rung reached, the rung after it and its error)."""
    error = place.pip(tree, *pip_options)
    if error is not None:
        return None, ("install", error)
    passed, error = place.climb(case.check, framework, switch, case.rungs[1:])
    reached = passed[-1] if passed else "install"
    if error is not None:
        return reached, (case.rungs[case.rungs.index(reached) + 1], error)
    if (tree / "tests").is_dir() and case.own:
        alone = framework == "torch" or "--tests" in case.options()
        error = place.own_tests(tree, "" if alone else "import paddle; paddle.enable_compat(silent=True)")
        if error is not None:
            return reached, ("tests", error)
        reached = "tests"
    return reached, None


def expect_text(where, wanted, error):
    if error is None:
        raise Bad(f"{where}: does not fail; stated: {wanted}")
    if wanted not in error:
        raise Bad(f"{where}: fails, but not for the stated reason ({wanted}):\n{error[-TAIL:]}")


def check_unpatched(case, lab, tree, switch):
    """Each stated rung fails with its text; `install` is tried with dependencies, the others without."""
    stated = dict(case.expect["unpatched"])
    place = lab.place(f"{case.name}-plain", lab.needed(case))
    if "install" in stated:
        expect_text("unpatched install", stated.pop("install"), place.pip(tree))
    for rung, wanted in stated.items():
        error = place.pip(tree, "--no-deps")
        if error is not None:
            raise Bad(f"unpatched: does not install without its dependencies:\n{error[-TAIL:]}")
        passed, error = place.climb(case.check, "paddle", switch, case.rungs[1:])
        stopped = next((r for r in case.rungs[1:] if r not in passed), None)
        expect_text(f"unpatched {rung}", wanted, error if stopped == rung else None)


def check_patched(case, lab, tree, switch):
    """The stated rung is the last one reached; the next fails with its text."""
    place = lab.place(f"{case.name}-patched", lab.needed(case))
    reached, stop = outcome(case, place, tree, switch, "paddle")
    lab.installed[case.name] = site_of(place.python)
    wanted = case.expect["patched"]
    stops = case.expect.get("stops") or {}
    if reached != wanted:
        raise Bad(f"patched: reaches {reached}, stated: {wanted}\n{stop[1][-TAIL:] if stop else ''}")
    if stop and stop[0] not in stops:
        raise Bad(f"patched: stops at {stop[0]}, which is not stated:\n{stop[1][-TAIL:]}")
    for rung, text in stops.items():
        expect_text(f"patched {rung}", text, stop[1] if stop and stop[0] == rung else None)
    return reached, stop


def run_case(case, lab, count):
    """A row for the table."""
    source = case.source(BUILD / "dl")
    if source is None:
        corpus.missing(count, f"package {case.name}", "the archive cannot be had")
        return None
    plain, patched = lab.folder / case.name / "plain", lab.folder / case.name / "patched"
    for tree in (plain, patched):
        shutil.copytree(source, tree, symlinks=True)
    switch = "" if case.expect.get("switch") == "check" else scope_switch(lab.bin, plain)
    if case.expect.get("unpatched"):
        check_unpatched(case, lab, plain, switch)
        shutil.rmtree(plain)
        shutil.copytree(source, plain, symlinks=True)
    patch_tree(lab.bin, patched, case.options())
    added, removed, markers, shims = count_lines(plain, patched)
    if "lines" in case.expect and added > case.expect["lines"]:
        raise Bad(f"the patch adds {added} lines of code, stated: at most {case.expect['lines']}")
    if "hand" in case.expect and added > 2 * case.expect["hand"][0]:
        raise Bad(f"the patch adds {added} lines of code, more than twice the {case.expect['hand'][0]} by hand")
    reached, stop = check_patched(case, lab, patched, switch)
    return {"name": case.name, "expect": case.expect, "added": added, "removed": removed, "markers": markers,
            "shims": shims, "reached": reached, "stop": stop[0] if stop else None, "own": case.own}


def run_dual(case, lab, count):
    """A tree patched for both climbs to the stated rung on the target, and to its end under the upstream one."""
    python = os.environ.get("PDMIGRATE_TORCH_PYTHON")
    what = f"{case.name} patched for both, under torch"
    if not python or "--dual" not in run([lab.bin, "help", "patch"])[1]:
        why = "PDMIGRATE_TORCH_PYTHON is not set" if not python else "patch has no --dual"
        print(f"skipped: {what}: {why}")
        count["skipped"] += 1
        return
    tree = lab.folder / case.name / "dual"
    shutil.copytree(case.source(BUILD / "dl"), tree, symlinks=True)
    patch_tree(lab.bin, tree, [*case.options(), "--dual"])
    place = Place(lab.folder / f"{case.name}-torch", python, [lab.extra, site_of(python)])
    for python, framework in ((place, "torch"), (lab.place(f"{case.name}-dual", []), "paddle")):
        switch = scope_switch(lab.bin, tree) if framework == "paddle" else ""
        # Rows that ask for the upstream framework stay in such a tree.
        reached, stop = outcome(case, python, tree, switch, framework, "--no-deps")
        if stop if framework == "torch" else reached != case.expect["patched"]:
            raise Bad(f"patched for both, under {framework}: reaches {reached}\n{stop[1][-TAIL:] if stop else ''}")
    count["passed"] += 1


class Lab:
    """Where trees and environments of a run lie: a folder outside every git work tree."""

    def __init__(self, binary, folder):
        self.bin, self.folder = binary, pathlib.Path(folder).resolve()
        self.base = make_base()
        self.extra = make_extra(self.base)
        self.installed = {}

    def place(self, name, more):
        return Place(self.folder / f"env-{name}", self.base, [self.extra, site_of(self.base), *more])

    def needed(self, case):
        """Where the patched packages that the case imports were installed."""
        missing = [n for n in case.expect.get("needs", []) if n not in self.installed]
        if missing:
            raise Bad(f"needs {', '.join(missing)}, which was not installed before it")
        return [self.installed[n] for n in case.expect.get("needs", [])]

    def yaml(self, paths):
        texts = [p.read_text() for p in paths]
        return read_yaml(self.place("yaml", []).python, texts) if texts else []


def run_cases(lab, count, names, own):
    folders = sorted(p.parent for p in CASES.glob("*/expect.yml") if (p.parent / "package").is_dir() == own)
    folders = [f for f in folders if not names or f.name in names]
    rows = []
    cases = [Case(f, e) for f, e in zip(folders, lab.yaml([f / "expect.yml" for f in folders]))]
    for case in sorted(cases, key=lambda c: (bool(c.expect.get("needs")), c.name)):
        try:
            row = run_case(case, lab, count)
            if not row:
                continue
            rows.append(row)
            count["passed"] += 1
            print(f"passed: {case.name}: {row['reached'] or 'nothing'}, +{row['added']} -{row['removed']} lines of code, "
                  f"{row['markers']} of markers, {row['shims']} of shims", flush=True)
            if case.expect.get("dual"):
                run_dual(case, lab, count)
        except Bad as e:
            count["failed"] += 1
            print(f"failed: {case.name}: {e}", flush=True)
    return rows


# ---- rules --------------------------------------------------------------------------------------


def side_text(side):
    """The Python text of one side of an example, None where it is something else."""
    if isinstance(side, str):
        return side
    return side["text"] if side["path"].endswith(".py") else None


def runnable(rules):
    """(name, text, expression, stated outcome) of each side of each example with a `run`."""
    for rule in rules:
        for nr, example in enumerate((e for e in rule["examples"] if "before" in e), 1):
            stated = example.get("run")
            for side in ("before", "after") if stated else ():
                text = side_text(example["before"]) if side == "before" else example["after"]
                if text is None:
                    raise Bad(f"{rule['id']}: an example that is no Python cannot have a 'run'")
                yield f"{rule['id']} {side} {nr}", text, stated.get("do"), stated[side]


def stated_holds(stated, found):
    """A value is stated whole, an error by a part of "Type: message"."""
    return stated in found["text"] if found["raised"] else stated == found["text"]


def run_rules(lab, count):
    """How many rules were judged by running them, and which were not."""
    rules = lab.yaml(sorted((PROJECT / "rules").glob("*/PD*.yml")))
    sides = list(runnable(rules))
    place = lab.place("rules", [])
    status, out, err = run([place.python, CASES / "examples.py"], env=clean_env(), timeout=1200, cwd=lab.folder,
                           text=json.dumps([{"text": text, "do": do} for _, text, do, _ in sides]))
    if status:
        raise Bad(f"the examples ended with {status}: {err[-TAIL:]}")
    bad = set()
    for (name, _, _, stated), found in zip(sides, json.loads(out), strict=True):
        if stated_holds(stated, found):
            count["passed"] += 1
            continue
        count["failed"] += 1
        bad.add(name)
        print(f"failed: rule example {name}: stated: {stated}; found: {found['text']}", flush=True)
    judged = sorted({name.split()[0] for name, *_ in sides})
    others = [r["id"] for r in rules if r["id"] not in judged]
    print(f"rules: {len(judged)} run on the target, {len(sides)} sides of examples; "
          f"{len(others)} say nothing that can be run: {' '.join(others)}")
    return judged, others


# ---- the page -----------------------------------------------------------------------------------


def stated_failures(row):
    return "; ".join(f"{rung}: {text}" for rung, text in (row["expect"].get("unpatched") or {}).items())


def stated_end(row):
    """Where it stops, and why."""
    end = "; ".join(f"{rung}: {text}" for rung, text in (row["expect"].get("stops") or {}).items())
    return "; ".join(part for part in (end, row["expect"].get("blocked")) if part)


def cell(text):
    return str(text).replace("|", "\\|")


def table(rows):
    lines = ["| package | fails unpatched at | lines of code | by hand | markers | shim files | reaches | stops at |",
             "| --- | --- | ---: | ---: | ---: | ---: | --- | --- |"]
    for r in rows:
        cells = (f"{r['name']}: {r['expect']['what']}", stated_failures(r), f"+{r['added']} -{r['removed']}",
                 "+{} -{}".format(*r["expect"]["hand"]) if "hand" in r["expect"] else "", r["markers"], r["shims"], r["reached"] or "nothing", stated_end(r))
        lines.append("| " + " | ".join(cell(c) for c in cells) + " |")
    return lines


def page(own, pypi, judged, others):
    total = len(judged) + len(others)
    return "\n".join([
        "# Packages on a real Paddle", "",
        "Written by `make e2e-table`; `make e2e` checks every line of it. Each package is untouched code for torch",
        "that is patched by `pdmigrate patch --target-build cpu` alone and then installed, imported and called with",
        f"a CPU wheel of Paddle {PADDLE} and no torch. Rungs: install, import, op (checked numbers), gradient, tests",
        "(its own). \"Lines of code\" are those the patch adds and removes without its comments and without files",
        "of header shims and modules that it adds, which are counted apart; \"by hand\" are those of a patch that a",
        "person made.", "",
        "## Packages of our own", "", *table(own), "",
        "## From PyPI", "",
        "Pinned in `tests/e2e.lock`. All but torchdiffeq were chosen by name, before their code was looked at.", "",
        *table(pypi), "",
        "## Rules", "",
        f"{len(judged)} of {total} rules have an example with a `run:`; `before` shows the stated failure or value on",
        "the target and `after` the stated value:", "", *wrapped(judged), "",
        "The others say what was run by hand (`verified`), or need a build, a GPU or several processes.", ""])


def wrapped(words, width=108):
    lines = [""]
    for word in words:
        if len(lines[-1]) + len(word) + 1 > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def main():
    ap = argparse.ArgumentParser(description="patched packages and rule examples on a real Paddle")
    ap.add_argument("--bin", type=pathlib.Path, default=PROJECT / "build" / "pdmigrate")
    ap.add_argument("--write", action="store_true", help="write docs/e2e.md")
    ap.add_argument("--case", action="append", help="only this folder of fixtures/e2e (again for more)")
    ap.add_argument("--keep", action="store_true", help="keep the work folder and name it")
    ap.add_argument("parts", nargs="*", choices=[[], "packages", "pypi", "rules"], help="default: all")
    args = ap.parse_args()
    parts = args.parts or ["packages", "pypi", "rules"]
    if args.write and (len(parts) < 3 or args.case):
        ap.error("the table is written from a whole run only")
    count = {"passed": 0, "failed": 0, "skipped": 0}
    folder = tempfile.mkdtemp(prefix="pdmigrate-e2e-")
    try:
        BUILD.mkdir(parents=True, exist_ok=True)
        lab = Lab(args.bin.resolve(), folder)
        own = run_cases(lab, count, args.case, True) if "packages" in parts else []
        pypi = run_cases(lab, count, args.case, False) if "pypi" in parts else []
        rules = run_rules(lab, count) if "rules" in parts else ([], [])
        if args.write and not count["failed"]:
            PAGE.write_text(page(own, pypi, *rules))
    except (Bad, corpus.Bad) as e:
        count["failed"] += 1
        print(f"failed: {e}")
    finally:
        print(f"kept: {folder}") if args.keep else shutil.rmtree(folder, ignore_errors=True)
    print("e2e: {passed} passed, {failed} failed, {skipped} skipped".format(**count))
    return 1 if count["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
