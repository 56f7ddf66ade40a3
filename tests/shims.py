#!/usr/bin/env python3
"""Compile rules/shims/cxx against a real Paddle and run it: every part, every section of the bridge.

  shims.py --python PY      (default: $PDMIGRATE_PADDLE_PYTHON; not set: one named skip)

fixtures/shim/values.cpp is an extension that uses them and compares what they give with values worked out by
hand; it prints each that is wrong. Also: each header of the index compiles alone, and no part depends on what
another happens to include. The last line counts.
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
setup(name="values", ext_modules=[CppExtension(name="values_ext", sources=["values.cpp"],
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
    shutil.copy(PROJECT / "fixtures" / "shim" / "values.cpp", folder)
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


def main():
    parser = argparse.ArgumentParser(description="compile and run the C++ shims on a real Paddle")
    parser.add_argument("--python", default=os.environ.get("PDMIGRATE_PADDLE_PYTHON"))
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
                  for p in sorted(SHIMS.glob("**/*.h"))]
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
