#!/usr/bin/env python3
"""What `patch --dual` makes runs on both frameworks.

Three parts. packages: each fixtures/dual/*/input with a check.py is patched with --dual; the check, which compares
numbers, then passes on Paddle with compat switched on and on the real torch. examples: what a rule makes of its
examples in a form said to be right on both (`after` of `dual: same`, `dual` of `dual: guard`) is run on torch;
what runs there unpatched must run there patched. cxx: the C++ of some fixtures, patched with --dual, compiles against
the headers of both.

PDMIGRATE_PADDLE_PYTHON and PDMIGRATE_TORCH_PYTHON name the interpreters; what needs one that is not named is skipped.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parent.parent
TIMEOUT = 600
SWITCH = "import paddle\npaddle.enable_compat(silent=True)\n"

# Runs each snippet in a child of its own; the framework is imported once.
SERVER = """
import json, os, sys, tempfile, torch
for text in json.load(sys.stdin):
    sys.stdout.flush()
    child = os.fork()
    if not child:
        os.chdir(tempfile.mkdtemp(dir="."))
        os.dup2(os.open("said", os.O_WRONLY | os.O_CREAT), 1)
        os.dup2(1, 2)
        try:
            exec(compile(text, "example.py", "exec"), {"__name__": "example"})
        except BaseException as e:
            with open("../why", "w") as f:
                f.write(f"{type(e).__name__}: {e}"[:200])
            os._exit(1)
        os._exit(0)
    bad = os.waitpid(child, 0)[1]
    print(json.dumps(open("why").read() if bad and os.path.exists("why") else "died" if bad else ""))
    if os.path.exists("why"):
        os.unlink("why")
"""

# Extensions of fixtures/patch whose C++ has a form for both.
CXX = ["shim-switched-blocks", "shim-macros", "shim-registration", "shim-injected"]
# Folders of headers, as the build class of the framework gives them to the compiler.
INCLUDES = {
    "paddle": """
import os, paddle, sysconfig
root = os.path.join(os.path.dirname(paddle.__file__), "include")
compat = os.path.join(root, "paddle/phi/api/include/compat")
print(root, os.path.join(root, "third_party"), compat, os.path.join(compat, "torch/csrc/api/include"),
      sysconfig.get_paths()["include"], sep="\\n")
""",
    "torch": """
import sysconfig, torch.utils.cpp_extension as e
print(*e.include_paths(), sysconfig.get_paths()["include"], sep="\\n")
"""}
DEFINES = {"paddle": ["-DPADDLE_WITH_CUSTOM_KERNEL"], "torch": []}


def block(lines, at):
    """The text of a block that begins behind line `at`, and the line after it."""
    head = lines[at]
    indent = len(head) - len(head.lstrip()) + (4 if head.lstrip().startswith("- ") else 2)
    end = at + 1
    while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) >= indent):
        end += 1
    return "".join(line[indent:] if line.strip() else "\n" for line in lines[at + 1:end]), end


def examples(path):
    """(name, before, made) of a rule whose fix has a form for both frameworks; a small part of YAML is enough."""
    lines = path.read_text().splitlines(True)
    if any(line.strip() == "safety: manual" for line in lines):
        return
    form = next((line.split()[1] for line in lines if line.startswith("  dual: ") and len(line.split()) == 2), "no")
    before, nr, at = None, 0, lines.index("examples:\n")
    while at < len(lines):
        word = lines[at].strip()
        if word in ("- before: |", "text: |"):
            before, at = block(lines, at)
            nr += 1
        elif word == "- before:":
            at += 1
        elif word.startswith("- same:"):
            break
        elif word == ("after: |" if form == "same" else "dual: |") and before is not None:
            text, at = block(lines, at)
            if form in ("same", "guard"):
                yield f"{path.stem} {nr}", before, text
        else:
            at += 1


def run(command, **more):
    return subprocess.run(command, stdin=more.pop("stdin", subprocess.DEVNULL), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=TIMEOUT, **more)


def env_of(folder):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PDMIGRATE"))}
    return dict(env, PYTHONPATH=str(folder), PYTHONDONTWRITEBYTECODE="1")


class Lab:
    def __init__(self, binary, folder):
        self.bin = binary
        self.folder = pathlib.Path(folder)
        self.pythons = {"paddle": os.environ.get("PDMIGRATE_PADDLE_PYTHON"),
                        "torch": os.environ.get("PDMIGRATE_TORCH_PYTHON")}
        self.count = {"passed": 0, "failed": 0, "skipped": 0}

    def end(self, what, why):
        """Count one check; `why` says what is wrong, "" that nothing is."""
        self.count["failed" if why else "passed"] += 1
        if why:
            print(f"failed: {what}: {why}")

    def skip(self, framework, what):
        """No interpreter has the framework. CI has Paddle; torch is as large as everything else together."""
        bad = framework == "paddle" and bool(os.environ.get("CI"))
        why = f"PDMIGRATE_{framework.upper()}_PYTHON is not set"
        print(f"{'failed' if bad else 'skipped'}: {what}: {why}")
        self.count["failed" if bad else "skipped"] += 1

    def package(self, case):
        tree = self.folder / case.name
        shutil.copytree(case / "input", tree)
        made = run([self.bin, "patch", "--dual", "--unsafe", "-q", str(tree)])
        self.end(f"{case.name} is patched", "" if made.returncode < 2 else made.stderr)
        again = run([self.bin, "patch", "--dual", "--unsafe", "-q", "-n", str(tree)])
        self.end(f"{case.name} is patched once", again.stdout)
        for framework, python in self.pythons.items():
            what = f"{case.name} on {framework}"
            if not python:
                self.skip(framework, what)
                continue
            text = (SWITCH if framework == "paddle" else "") + (case / "check.py").read_text()
            ran = run([python, "-c", text], cwd=tree, env=env_of(tree))
            self.end(what, ran.stderr[-1500:] if ran.returncode else "")

    def compiled(self, name):
        """The C++ of one fixture against the headers of both frameworks."""
        tree = self.folder / name
        shutil.copytree(PROJECT / "fixtures" / "patch" / name / "input", tree)
        made = run([self.bin, "patch", "--dual", "-q", "--exit-zero", str(tree)])
        self.end(f"{name} is patched", "" if made.returncode < 2 else made.stderr)
        for framework, python in self.pythons.items():
            if not python:
                self.skip(framework, f"{name} compiled for {framework}")
                continue
            found = run([python, "-c", INCLUDES[framework]], env=env_of(tree)).stdout.splitlines()
            folders = [f"-I{line}" for line in ["paddle_compat", *found] if line.startswith(("/", "paddle_"))]
            for source in sorted(tree.glob("**/*.cpp")):
                ran = run(["g++", "-std=c++17", "-fsyntax-only", "-w", "-DTORCH_EXTENSION_NAME=ext",
                           *DEFINES[framework], *folders, str(source)], cwd=tree)
                self.end(f"{name} compiled for {framework}", ran.stderr[-1500:] if ran.returncode else "")

    def examples(self):
        python = self.pythons["torch"]
        if not python:
            self.skip("torch", "examples on torch")
            return
        all_of = [e for path in sorted((PROJECT / "rules").glob("*/PD*.yml")) for e in examples(path)]
        ran = subprocess.run([python, "-c", SERVER], input=json.dumps([t for e in all_of for t in e[1:]]),
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder,
                             env=env_of(self.folder), timeout=TIMEOUT)
        said = [json.loads(line) for line in ran.stdout.splitlines()]
        if len(said) != 2 * len(all_of):
            self.end("examples on torch", ran.stderr[-1500:])
            return
        idle = []
        for (name, _, _), before, after in zip(all_of, said[::2], said[1::2]):
            if before:
                idle.append(f"{name} ({before.splitlines()[0][:60]})")
            else:
                self.end(f"{name} on torch", after)
        if idle:
            print(f"{len(idle)} examples do not run on this torch as they stand: " + "; ".join(idle))


def main():
    ap = argparse.ArgumentParser(description="dual patches on both frameworks")
    ap.add_argument("--bin", default=str(PROJECT / "build/pdmigrate"))
    ap.add_argument("parts", nargs="*", help="packages, examples, cxx (default: all)")
    args = ap.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(str(pathlib.Path(args.bin).resolve()), folder)
        if not args.parts or "packages" in args.parts:
            for check in sorted((PROJECT / "fixtures/dual").glob("*/check.py")):
                lab.package(check.parent)
        if not args.parts or "examples" in args.parts:
            lab.examples()
        if not args.parts or "cxx" in args.parts:
            for name in CXX:
                lab.compiled(name)
    print("dual: {passed} passed, {failed} failed, {skipped} skipped".format(**lab.count))
    return int(lab.count["failed"] > 0)


if __name__ == "__main__":
    sys.exit(main())
