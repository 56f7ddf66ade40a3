#!/usr/bin/env python3
"""Compile rules/shims/cxx against a real Paddle and run it: every part, every section of the bridge.

  shims.py --python PY [--bin BIN]     (default: $PDMIGRATE_PADDLE_PYTHON; not set: one named skip)

fixtures/shim/values.cpp and more.cpp are an extension that uses them and compares what they give with values worked
out by hand; it prints each that is wrong. Also: each header of the index compiles alone, and no part depends on what
another happens to include. And a source that calls each member which the target's tensor lacks is patched by the
program: it stays as it is and compiles. The last line counts.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parent.parent
SHIMS = PROJECT / "rules" / "shims" / "cxx"

SETUP = """\
import paddle
paddle.enable_compat()
from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CppExtension
setup(name="values", ext_modules=[CppExtension(name="values_ext", sources=["values.cpp", "more.cpp"],
      include_dirs=["shim", "shim/parts"], extra_compile_args=["-O0"])],
      cmdclass={"build_ext": BuildExtension})
"""
CALL = """\
import paddle
paddle.enable_compat()
import sys
sys.path.insert(0, ".")
import values_ext
sys.exit(1 if values_ext.run() else 0)
"""
INCLUDES = """\
import os, sysconfig, paddle
root = os.path.join(os.path.dirname(paddle.__file__), "include")
compat = os.path.join(root, "paddle/phi/api/include/compat")
print("\\n".join([root, os.path.join(root, "third_party"), compat,
                 os.path.join(compat, "torch/csrc/api/include"), sysconfig.get_paths()["include"]]))
"""


def run(command, folder, timeout=600):
    return subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", timeout=timeout)


def values_right(python, folder):
    """The whole of it, built as a user builds an extension. Gives what went wrong, '' for nothing."""
    shutil.copytree(SHIMS, folder / "shim")
    for name in ("values.cpp", "more.cpp"):
        shutil.copy(PROJECT / "fixtures" / "shim" / name, folder)
    (folder / "setup.py").write_text(SETUP)
    built = run([python, "setup.py", "build_ext", "--inplace"], folder)
    if built.returncode:
        lines = [l for l in built.stdout.splitlines() if "error" in l]
        return "does not build: " + " | ".join(lines[:5] or built.stdout.splitlines()[-5:])
    called = run([python, "-c", CALL], folder)
    return "" if not called.returncode else "wrong values: " + called.stdout[-2000:]


def part_alone(includes, part, folder):
    source = folder / f"{part.stem}.cpp"
    source.write_text(f'#include "{part.name}"\n')
    made = run(["g++", "-std=c++17", "-fsyntax-only", "-Werror=return-type", *includes, f"-I{part.parent}",
                str(source)], folder)
    return "" if not made.returncode else made.stdout[-1500:]


# One value for each type that a parameter of the bridge has.
VALUES = {"int64_t": "0", "bool": "false", "double": "1.0", "at::IntArrayRef": "{0}", "at::ScalarType": "at::kFloat",
          "at::TensorOptions": "x.options()", "at::Scalar": "1", "at::Tensor": "x"}
TYPES = {"Number": "float", "Any": "float", "T": "float", "N": "1"}


def member_calls():
    """A call of each upstream member that the bridge has and the target's tensor has not."""
    target, upstream = ((PROJECT / "rules" / "coverage" / name / "decls.tsv").read_text()
                        for name in ("paddle-3.3.1", "torch-2.9"))
    calls = []
    text = (SHIMS / "bridge.h").read_text()
    for section in re.split(r"^//@ ", text, flags=re.M)[1:]:
        kind, name = section.split()[:2]
        decl = f"\nat::Tensor::{name}\t"
        if kind != "member" or decl in target or decl not in upstream:
            continue
        for types, params in re.findall(r"(?:^template <([^\n]*)>\n)?^inline [^(\n]*\b" + re.escape(name) +
                                        r"\(const at::Tensor& self([^)]*)\)", section, flags=re.M):
            given = []
            for param in params.split(",")[1:]:
                kind = re.sub(r"^const |&", "", param.split("=")[0].strip()).split(" ")[0]
                if "=" in param or (kind not in VALUES and kind != "Other"):
                    break
                given.append(VALUES.get(kind, "x"))
            wanted = [TYPES[t] for t in re.findall(r"(?:class|typename|size_t) (\w+)(?=,|$)", types) if t in TYPES]
            explicit = f"<{', '.join(wanted)}>" if wanted else ""
            if len(given) == len([p for p in params.split(",")[1:] if "=" not in p]):
                calls.append(f"x.{name}{explicit}({', '.join(given)});")
    return calls


def members_right(includes, binary, folder):
    """Members given to the class by the program's own patch. Gives what went wrong, '' for nothing."""
    calls = member_calls()
    source = "#include <torch/extension.h>\n\nvoid all(const torch::Tensor& x) {\n"
    source += "".join(f"  {call}\n" for call in calls) + "}\n"
    tree = folder / "tree"
    tree.mkdir()
    (tree / "ops.cpp").write_text(source)
    (tree / "setup.py").write_text(SETUP.replace("values", "ops").replace('"shim", "shim/parts"', '"."'))
    made = run([binary, "patch", "--target-build", "cpu", str(tree)], folder)
    if made.returncode:
        return made.stdout[-1500:]
    if (tree / "ops.cpp").read_text() != source:
        return "the source has changed:\n" + "\n".join(
            line for line in (tree / "ops.cpp").read_text().splitlines() if line + "\n" not in source)[:1500]
    given = (tree / "paddle_compat" / "ATen" / "core" / "TensorBody.h").read_text()
    left = [call for call in calls if f" TensorMembers::{re.split('[.<(]', call)[1]}(" not in given]
    if left or len(calls) < 50:
        return f"of {len(calls)} members the class is not given " + " ".join(left)
    made = run(["g++", "-std=c++17", "-fsyntax-only", "-w", f"-I{tree / 'paddle_compat'}", *includes,
                str(tree / "ops.cpp")], folder)
    return "" if not made.returncode else made.stdout[-2500:]


def main():
    parser = argparse.ArgumentParser(description="compile and run the C++ shims on a real Paddle")
    parser.add_argument("--python", default=os.environ.get("PDMIGRATE_PADDLE_PYTHON"))
    parser.add_argument("--bin", default=str(PROJECT / "build" / "pdmigrate"))
    args = parser.parse_args()
    if not args.python:
        print("skipped: shims: PDMIGRATE_PADDLE_PYTHON is not set")
        print("shims: 0 passed, 0 failed, 1 skipped")
        return 0
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="pdmigrate-shims-") as tmp:
        folder = pathlib.Path(tmp)
        includes = ["-I" + line for line in run([args.python, "-c", INCLUDES], tmp).stdout.splitlines()
                    if re.match(r"/", line)]
        checks = [(p.name, lambda p=p: part_alone(includes, p, folder))
                  for p in sorted(SHIMS.glob("**/*.h")) if p.name != "members.h"]
        checks.append(("members", lambda: members_right(includes, os.path.abspath(args.bin), folder)))
        checks.append(("values", lambda: values_right(args.python, folder)))
        for name, check in checks:
            wrong = check()
            passed, failed = passed + (not wrong), failed + bool(wrong)
            if wrong:
                print(f"failed: {name}: {wrong}")
    print(f"shims: {passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
