#!/usr/bin/env python3
"""What parsing C++ costs, as ratios of one run.

  unit      processor time of a unit with precompiled stubs / of the same unit without
  speed-up  a scan at -j1 / at -j2, in wall-clock time (skipped by name on one processor)
  memory    MB of the program and its workers together, at most, at -j2
  start     milliseconds of the processor of a command that needs no C++, above those of a program that does nothing

Units are made here, or those of the tree given; times are the least of several runs, interleaved. A command that
needs no C++ must not load libclang: the dynamic linker tells. Without libclang all is skipped by name.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

LIMITS = {"unit": 0.1, "speed-up": 1.6, "memory": 400, "start": 2}
UNITS = 16
SOURCE = """#include <torch/extension.h>
#include <vector>

torch::Tensor scaled_{i}(torch::Tensor x, double by) {{
  TORCH_CHECK(x.dim() > 0, "x");
  auto out = torch::empty_like(x);
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "scaled", [&] {{
    auto *from = x.data_ptr<scalar_t>();
    auto *to = out.data_ptr<scalar_t>();
    for (int64_t i = 0; i < x.numel(); i++) to[i] = from[i] * by;
  }});
  return out;
}}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {{ m.def("scaled_{i}", &scaled_{i}); }}
"""


def make_tree(to, units):
    to.mkdir()
    (to / "setup.py").write_text("from setuptools import setup\nsetup(name='bench')\n")
    for i in range(units):
        (to / f"unit_{i}.cpp").write_text(SOURCE.format(i=i))
    return to


def environment(cache):
    """With precompiled stubs below `cache`; for None there is no place to keep them."""
    env = {k: v for k, v in os.environ.items() if k not in ("HOME", "XDG_CACHE_HOME")}
    if cache:
        env["XDG_CACHE_HOME"] = str(cache)
    return env


def measure(command, env):
    """Wall seconds, processor seconds with those of children, of one run."""
    start = time.perf_counter()
    with subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as p:
        _, status, usage = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
    if p.returncode not in (0, 1):
        raise SystemExit(f"bench-cxx: {' '.join(command)} ended with {p.returncode}")
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime


def scan(binary, tree, jobs):
    return [binary, "scan", "-q", "--exit-zero", f"-j{jobs}", str(tree)]


def resident(pid):
    """MB of a process and of those it started; 0 for one that is gone."""
    total = 0
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as fh:
            total += int(fh.read().split()[1]) * os.sysconf("SC_PAGESIZE")
        tasks = os.listdir(f"/proc/{pid}/task")
        children = []
        for task in tasks:
            with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as fh:
                children += fh.read().split()
    except OSError:
        return total / 2**20
    return total / 2**20 + sum(resident(c) for c in children)


def peak(command, env):
    most = 0
    with subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as p:
        done = threading.Event()
        threading.Thread(target=lambda: (p.wait(), done.set()), daemon=True).start()
        while not done.wait(0.01):
            most = max(most, resident(p.pid))
    return most


def loads_libclang(command):
    out = subprocess.run(command, env={**os.environ, "LD_DEBUG": "files"}, capture_output=True, check=False)
    return b"libclang" in out.stderr


def parses(binary, tree):
    """Does a scan parse at all? Where it cannot, one notice says so."""
    out = subprocess.run([binary, "scan", "--exit-zero", str(tree)], capture_output=True, text=True, check=False)
    return "read by their text alone" not in out.stderr


def bench(binary, given, folder, runs):
    cache = folder / "cache"
    cache.mkdir()
    tree = given or make_tree(folder / "tree", 8 * UNITS)
    units, none = make_tree(folder / "units", UNITS), make_tree(folder / "none", 0)
    warm, bare = environment(cache), environment(None)
    for t in (tree, units):
        measure(scan(binary, t, 2), warm)
    times = {}

    def least(key, value):
        times[key] = min(times.get(key, value), value)
    for _ in range(runs):
        least("with", measure(scan(binary, units, 1), warm)[1])
        least("without", measure(scan(binary, units, 1), bare)[1])
        least("none", measure(scan(binary, none, 1), warm)[1])
        least("j1", measure(scan(binary, tree, 1), warm)[0])
        least("j2", measure(scan(binary, tree, 2), warm)[0])
    for _ in range(runs * 10):
        least("start", measure([binary, "version"], warm)[1])
        least("nothing", measure(["true"], warm)[1])
    return {
        "unit": (times["with"] - times["none"]) / (times["without"] - times["none"]),
        "speed-up": times["j1"] / times["j2"],
        "memory": peak(scan(binary, tree, 2), warm),
        "start": (times["start"] - times["nothing"]) * 1000,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("tree", nargs="?", help="for speed-up and memory, in place of made units")
    args = parser.parse_args()
    binary = os.path.abspath(args.bin)
    with tempfile.TemporaryDirectory(prefix="bench-cxx-") as d:
        folder = pathlib.Path(d)
        probe = make_tree(folder / "probe", 1)
        if not parses(binary, probe):
            print("bench-cxx: skipped: no libclang")
            return 0
        got = bench(binary, pathlib.Path(args.tree) if args.tree else None, folder, args.runs)
    failed = False
    for key, value in got.items():
        if key == "speed-up" and os.cpu_count() < 2:
            print(f"{key:9} skipped: one processor")
            continue
        bad = value < LIMITS[key] if key == "speed-up" else value > LIMITS[key]
        sign = ">=" if key == "speed-up" else "<="
        print(f"{key:9} {value:8.2f}  {sign} {LIMITS[key]}{'  FAILED' if bad else ''}")
        failed |= bad
    for command in ([binary, "version"], [binary, "explain", "PD101"], [binary, "rules", "list"]):
        if loads_libclang(command):
            print(f"{' '.join(command[1:])} loads libclang  FAILED")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
