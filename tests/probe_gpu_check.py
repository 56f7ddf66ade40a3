#!/usr/bin/env python3
"""Judge what tests/probe_gpu.sh left in $OUT: against nvidia-smi, ldconfig, and what has to hold on a GPU.

The last line is `probe_gpu: N passed, N failed, N skipped`.
"""
import json
import os
import pathlib
import sys

OUT = pathlib.Path(os.environ["OUT"])
COUNT = {"passed": 0, "failed": 0, "skipped": 0}


def check(what, holds, got=""):
    COUNT["passed" if holds else "failed"] += 1
    if not holds:
        print(f"failed: {what}: {got}")


def load(name):
    path = OUT / name
    if not path.exists():
        COUNT["skipped"] += 1
        print(f"skipped: {name}: not there")
        return None
    return json.loads(path.read_text())


def check_machine(p):
    rows = [[f.strip() for f in line.split(",")] for line in (OUT / "smi.txt").read_text().splitlines()]
    devices = p["driver"]["devices"]
    check("devices", len(devices) == len(rows), devices)
    for row, d in zip(rows, devices):
        check("name", d["name"] == row[0], d)
        check("driver version", p["driver"]["version"] == row[1], p["driver"])
        check("capability", d["capability"] == row[2], d)
        check("memory", abs(int(d["memory_mib"]) - int(row[3].split()[0])) < 2048, (d, row))
        check("uuid", d["uuid"] == row[4].removeprefix("GPU-").replace("-", ""), (d, row))
    listed = [line.split("=>")[1].strip() for line in (OUT / "ldconfig.txt").read_text().splitlines()
              if "libcudart" in line]
    known = {q for r in p["runtimes"] for q in [r["path"], r["file"], *r["also"]]}
    for path in listed:
        check("ldconfig's runtime is in the inventory", {path, os.path.realpath(path)} & known, path)
    check("a runtime of pip", any(r["origin"] == "pip" for r in p["runtimes"]), p["runtimes"])
    check("a runtime of a toolkit", any(r["origin"] == "home" for r in p["runtimes"]), p["runtimes"])


def rows_of(library, mode, binding="now"):
    return [r["result"] for r in library["loads"] if r["mode"] == mode and r["binding"] == binding]


def check_libraries(p):
    for lib in p["libraries"]:
        name = os.path.basename(lib["path"])
        if name == "libfast_none.so":
            check("none: needed", lib["verdict"] == "needed" and lib["preload_mode"] == "global", lib)
            check("fails without", rows_of(lib, None) == ["fails"], lib["loads"])
            check("fails with local", set(rows_of(lib, "local")) == {"fails"}, lib["loads"])
            check("loads with global", set(rows_of(lib, "global")) == {"loads"}, lib["loads"])
            check("loads behind the import", "loads" in rows_of(lib, "import"), lib["loads"])
        elif name == "libfast_static.so":
            check("static: not needed", lib["verdict"] == "not_needed", lib)


def check_rest(p):
    for f in p["interpreter"]["frameworks"]:
        if f["imported"]:
            check("not global before", not f["global_before"], f)
            check("global after", f["global_after"], f)
    launch = p["launch"] or {}
    check("kernel", launch.get("result") == "right", launch)
    said = launch.get("said", {})
    check("device pointer", said.get("pointer.device") == "device", said)
    check("pinned pointer", said.get("pointer.pinned") == "host", said)
    check("plain pointer", said.get("pointer.plain") == "unknown", said)
    check("current device agrees", said.get("driver.device") == said.get("runtime.device"), said)


def main():
    p = load("probe.json")
    if p:
        check_machine(p)
        check_libraries(p)
        check_rest(p)
    p = load("probe-two.json")
    if p:
        mapped = [f["runtimes_mapped"] for f in p["interpreter"]["frameworks"] if f["imported"]]
        check("two runtimes in one process", any(len(m) > 1 for m in mapped), mapped)
    p = load("probe-patch.json")
    if p:
        check("fails before", p["patch"]["before"]["result"] == "fails", p["patch"])
        check("imports after", p["patch"]["after"]["result"] == "imports", p["patch"])
    p = load("probe-tree.json")
    if p:
        check("lines that load", p["source"]["lines"], p["source"])
        check("the tree's library needs a preload", any(lib["verdict"] == "needed" for lib in p["libraries"]),
              p["libraries"])
        before, after = (p["patch"][k]["words"] or "" for k in ("before", "after"))
        check("undefined symbol before", "undefined symbol" in before, before)
        check("none after", p["patch"]["after"]["result"] and "undefined symbol" not in after, after)
    p = load("probe-static.json")
    if p:
        check("symbols judged", any(f["upstream_symbols"] for f in p["static"]["files"]), p["static"])
    print("probe_gpu: {passed} passed, {failed} failed, {skipped} skipped".format(**COUNT))
    return 1 if COUNT["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
