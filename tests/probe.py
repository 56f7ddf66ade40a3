#!/usr/bin/env python3
"""`probe` against stand-ins for the CUDA runtime and driver, built here by cc: no GPU and no CUDA are needed.

The knowledge is a copy of rules/ whose probe.yml names only folders of this test, so that a CUDA of the machine
changes nothing. The last line is `probe: N passed, N failed, N skipped`.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

PROJECT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = PROJECT / "fixtures" / "probe" / "sources"
COUNT = {"passed": 0, "failed": 0, "skipped": 0}
TIMEOUT = 300
TIMES = 200


def check(what, holds, got=""):
    COUNT["passed" if holds else "failed"] += 1
    if not holds:
        print(f"failed: {what}: {str(got)[:2000]}")


def build(out, source, *flags):
    out.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-w", *flags, "-o", str(out), str(SOURCES / source)],
                   check=True)


class Bench:
    def __init__(self, binary, work):
        self.binary, self.work = binary, work
        shutil.copytree(PROJECT / "rules", work / "rules")
        words = (work / "rules/probe/probe.yml").read_text()
        lines, skip = [], False
        for line in words.splitlines():
            if line.startswith(("system_dirs:", "home_default:", "sonames:")):
                name = line.partition(":")[0]
                lines.append(f"{name}: " + ("[libcudart.so.12]" if name == "sonames" else f"[{work}/none]"))
                skip = True
            elif not (skip and line.startswith(" ")):
                skip = False
                lines.append(line)
        (work / "rules/probe/probe.yml").write_text("\n".join(lines) + "\n")

    def run(self, *args, env=None, status=0):
        base = {k: v for k, v in os.environ.items()
                if k not in ("LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_PATH", "PYTHONPATH")}
        temp = self.work / "temp"
        temp.mkdir(exist_ok=True)
        command = [self.binary, "probe", "--quiet", "--rules", str(self.work / "rules"), "--timeout", "3", *map(str, args)]
        r = subprocess.run(command, cwd=self.work, env={**base, "TMPDIR": str(temp), **(env or {})},
                           capture_output=True, text=True, timeout=TIMEOUT)
        check(f"status of probe {' '.join(map(str, args))}", r.returncode == status, (r.returncode, r.stderr))
        check("nothing left in the temporary folder", not os.listdir(temp), os.listdir(temp))
        return r

    def json(self, *args, env=None):
        r = self.run("--json", *args, env=env)
        return json.loads(r.stdout) if r.returncode == 0 else {}


def by_name(p):
    return {os.path.basename(lib["path"]): lib for lib in p["libraries"]}


def results(lib, mode, binding="now"):
    return [r["result"] for r in lib["loads"] if r["mode"] == mode and r["binding"] == binding]


def libraries(work):
    build(work / "kit/lib64/libcudart.so.12", "runtime.c", "-Wl,-soname,libcudart.so.12")
    build(work / "kit13/lib64/libcudart.so.13", "runtime.c", "-DVERSION=13000", "-Wl,-soname,libcudart.so.13")
    for number, name in ((1, "abort"), (2, "hang"), (3, "flood"), (4, "exit")):
        build(work / name / "lib64/libcudart.so.12", "runtime.c", f"-DBREAKS={number}", "-Wl,-soname,libcudart.so.12")
    build(work / "silent/lib64/libcudart.so.12", "runtime.c", "-DSAYS_NOTHING", "-Wl,-soname,libcudart.so.12")
    build(work / "driver/libcuda.so.1", "driver.c", "-Wl,-soname,libcuda.so.1")
    build(work / "driver-wrong/libcuda.so.1", "driver.c", "-DWRONG=1")
    build(work / "driver-fails/libcuda.so.1", "driver.c", "-DFAILS=100")
    build(work / "driver-lacks/libcuda.so.1", "driver.c", "-DLACKS")
    build(work / "libfast.so", "fast.c")
    build(work / "libmore.so", "fast.c", "-DMORE")
    build(work / "libonce.so", "fast.c", "-DAT_ONCE")
    build(work / "libnow.so", "fast.c", "-Wl,-z,now")
    build(work / "libabort.so", "fast.c", "-DBREAKS")
    build(work / "liblinked.so", "fast.c", "-Wl,--no-as-needed", f"-L{work}/kit/lib64", "-l:libcudart.so.12")
    build(work / "libpath.so", "fast.c", "-Wl,--no-as-needed", f"-L{work}/kit/lib64", "-l:libcudart.so.12",
          "-Wl,-rpath,$ORIGIN/kit/lib64")


def test_verdicts(b):
    home = {"CUDA_HOME": str(b.work / "kit")}
    names = ("fast", "more", "once", "now", "abort", "linked", "path")
    p = b.json(*(x for n in names for x in ("--lib", b.work / f"lib{n}.so")), env=home)
    lib = by_name(p)
    check("one runtime", [(r["origin"], r["version"], r["soname"]) for r in p["runtimes"]]
          == [("home", "12.8", "libcudart.so.12")], p["runtimes"])
    fast = lib["libfast.so"]
    check("needed", (fast["verdict"], fast["preload_mode"], fast["lazy_hides"]) == ("needed", "global", True), fast)
    check("symbols", fast["runtime_symbols"] == ["cudaGetDevice"], fast)
    check("none", results(fast, None) == ["fails"] and results(fast, None, "lazy") == ["loads"], fast)
    check("local", results(fast, "local") == ["fails"], fast)
    check("global", results(fast, "global") == ["loads"], fast)
    check("words", "undefined symbol: cudaGetDevice" in fast["loads"][1]["words"], fast)
    check("what is mapped", [r["runtimes_mapped"] for r in fast["loads"] if r["mode"] == "global"][0], fast)
    check("not cured", lib["libmore.so"]["verdict"] == "not_cured", lib["libmore.so"])
    check("lazy does not hide data", not lib["libonce.so"]["lazy_hides"], lib["libonce.so"])
    check("linked to bind at once", lib["libnow.so"]["bind_now"] and not lib["libnow.so"]["lazy_hides"], lib["libnow.so"])
    check("abort", results(lib["libabort.so"], "global") == ["signal"], lib["libabort.so"])
    linked = lib["liblinked.so"]
    check("a needed name", linked["needed"][0] == "libcudart.so.12" and linked["preload_mode"] == "local", linked)
    check("found by its own path", lib["libpath.so"]["verdict"] == "not_needed", lib["libpath.so"])


def test_loader(b):
    p = b.json(env={"LD_LIBRARY_PATH": str(b.work / "kit/lib64")})
    loader = p["loader"][0]
    check("the loader takes it", loader["path"] == str(b.work / "kit/lib64/libcudart.so.12"), loader)
    check("but only by the environment", loader["without_ld_library_path"] is None, loader)
    check("origin", [r["origin"] for r in p["runtimes"]] == ["loader"], p["runtimes"])
    p = b.json(env={"CUDA_HOME": str(b.work / "kit"), "CUDA_PATH": str(b.work / "kit13")})
    check("two runtimes", [r["version"] for r in p["runtimes"]] == ["12.8", "13.0"], p["runtimes"])


def test_breaking(b):
    words = {"abort": "signal 6", "hang": "no end within", "flood": "printed without end", "exit": "exit 3",
             "silent": "has no symbol cudaRuntimeGetVersion"}
    for name, said in words.items():
        p = b.json("--lib", b.work / "libfast.so", env={"CUDA_HOME": str(b.work / name)})
        r = p["runtimes"][0]
        check(f"runtime: {name}", not r["usable"] and r["words"] and said in r["words"], r)
        check(f"no preload of it: {name}", p["libraries"][0]["verdict"] == "not_cured", p["libraries"][0])


def test_driver(b):
    def launch(folder):
        return b.json(env={"LD_LIBRARY_PATH": f"{b.work / folder}:{b.work / 'kit/lib64'}"})
    p = launch("driver")
    check("device", [d["name"] for d in p["driver"]["devices"]] == ["Stand-in"], p["driver"])
    check("our own kernel where the driver is too old", p["launch"]["kernel"] == "own", p["launch"])
    check("right", p["launch"]["result"] == "right", p["launch"])
    said = p["launch"]["said"]
    check("pointers", [said[f"pointer.{k}"] for k in ("device", "pinned", "plain")] == ["device", "host", "unknown"], said)
    check("device of both", said["driver.device"] == said["runtime.device"] == "0", said)
    check("wrong", launch("driver-wrong")["launch"]["result"] == "wrong")
    p = launch("driver-fails")
    check("cuInit fails", p["driver"]["words"] == "cuInit gives error 100" and p["launch"] is None, p["driver"])
    p = launch("driver-lacks")
    check("a symbol is missing", p["driver"]["words"] == "has no symbol cuDeviceGetName", p["driver"])


def test_nothing(b):
    p = b.json("--lib", b.work / "libfast.so")
    check("says what was not tested", len(p["not_tested"]) == 3, p["not_tested"])
    check("no runtime", not p["runtimes"] and p["libraries"][0]["verdict"] == "not_cured", p)
    check("text too", "not tested: " in b.run().stdout)
    b.run("--lib", b.work / "absent.so", status=2)
    b.run("--lib", SOURCES / "fast.c", status=2)
    b.run("somewhere", status=2)
    b.run("--verify-patch", status=2)
    b.run("--static", SOURCES / "fast.c", status=2)


def test_python(b):
    site = b.work / "site"
    build(site / "nvidia/cuda_runtime/lib/libcudart.so.12", "runtime.c", "-Wl,-soname,libcudart.so.12")
    build(site / "nvidia/cu13/lib/libcudart.so.13", "runtime.c", "-DVERSION=13000", "-Wl,-soname,libcudart.so.13")
    load = "import ctypes, os\nfor p in {}:\n    ctypes.CDLL(os.path.join(os.path.dirname(__file__), '../nvidia', p), mode={})\n"
    both = ["cuda_runtime/lib/libcudart.so.12", "cu13/lib/libcudart.so.13"]
    for name, text in (("torch", load.format(both[:1], "ctypes.RTLD_GLOBAL")), ("paddle", load.format(both, "0"))):
        (site / name).mkdir()
        (site / name / "__init__.py").write_text("__version__ = '1.0'\n" + text)
    p = b.json("--python", sys.executable, "--lib", b.work / "libfast.so", env={"PYTHONPATH": str(site)})
    f = {x["name"]: x for x in p["interpreter"]["frameworks"]}
    check("pip layouts of both", {(r["origin"], r["version"]) for r in p["runtimes"]} == {("pip", "12.8"), ("pip", "13.0")},
          p["runtimes"])
    check("global after", (f["torch"]["global_before"], f["torch"]["global_after"]) == (False, True), f["torch"])
    check("not global after", f["paddle"]["imported"] and not f["paddle"]["global_after"], f["paddle"])
    check("one mapped", [r["major"] for r in f["torch"]["runtimes_mapped"]] == ["12"], f["torch"])
    check("two mapped", sorted(r["major"] for r in f["paddle"]["runtimes_mapped"]) == ["12", "13"], f["paddle"])
    rows = {r["preload"]: r["result"] for r in p["libraries"][0]["loads"] if r["mode"] == "import" and r["binding"] == "now"}
    check("behind the imports", rows == {"torch": "loads", "paddle": "fails"}, rows)
    (site / "paddle/__init__.py").write_text("raise ImportError('half installed')\n")
    p = b.json("--python", sys.executable, env={"PYTHONPATH": str(site)})
    f = {x["name"]: x for x in p["interpreter"]["frameworks"]}["paddle"]
    check("a failing import", f["installed"] and not f["imported"] and "half installed" in f["words"], f)
    p = b.json("--python", b.work / "no-such-python")
    check("no interpreter", p["interpreter"]["version"] is None and p["interpreter"]["words"], p["interpreter"])


def test_repo(b):
    tree = b.work / "tree"
    shutil.copytree(SOURCES / "fast", tree / "fast")
    shutil.copy(b.work / "libfast.so", tree / "fast/libfast_cuda.so")
    (tree / "load.c").write_text('/* dlopen(x) */\nvoid *f(void) {\n\tconst char *s = "dlopen(";\n\treturn dlopen("x.so", 1);\n}\n')
    before = {q: q.read_bytes() for q in tree.rglob("*") if q.is_file()}
    p = b.json("--repo", tree, "--python", sys.executable, "--verify-patch", env={"CUDA_HOME": str(b.work / "kit")})
    check("lines", [(x["path"], x["line"], x["lazy"], x["rules"]) for x in p["source"]["lines"]]
          == [("fast/__init__.py", 7, True, ["PD505"]), ("load.c", 4, False, [])], p["source"])
    lib = p["libraries"][0]
    check("its line", lib["verdict"] == "needed" and [x["line"] for x in lib["lines"]] == [7], lib)
    check("before", p["patch"]["before"]["result"] == "fails" and "undefined symbol" in p["patch"]["before"]["words"], p["patch"])
    check("words name the tree", str(tree) in p["patch"]["before"]["words"], p["patch"])
    check("after", p["patch"]["after"]["result"] == "imports", p["patch"])
    check("the tree is as it was", before == {q: q.read_bytes() for q in tree.rglob("*") if q.is_file()})


def test_static(b):
    folder = b.work / "wheel"
    source = b.work / "ext.cpp"
    source.write_text("namespace at { struct Tensor { long size(long) const; }; void nobody_has_this(); }\n"
                      "long f(const at::Tensor &t) { at::nobody_has_this(); return t.size(0); }\n"
                      'extern "C" void *PyInit_ext() { return 0; }\n')
    build(folder / "pkg/libtorch.so", "fast.c", "-Wl,-soname,libtorch.so")
    build(folder / "pkg/libwarpctc.so", "fast.c")
    (folder / "pkg/script.so").write_text("GROUP ( libx.so.1 )\n")
    subprocess.run([os.environ.get("CXX", "c++"), "-shared", "-fPIC", "-o", str(folder / "pkg/ext.cpython-312-x86_64-linux-gnu.so"),
                    str(source), "-Wl,--no-as-needed", f"-L{folder}/pkg", "-l:libtorch.so", "-Wl,-rpath,$ORIGIN"], check=True)
    with zipfile.ZipFile(b.work / "pkg.whl", "w", zipfile.ZIP_DEFLATED) as z:
        for q in sorted(folder.rglob("*.so")):
            z.write(q, q.relative_to(folder))
    got = [b.json("--static", q)["static"]["files"] for q in (folder, b.work / "pkg.whl")]
    check("folder and wheel agree", got[0] == got[1], got)
    files = {os.path.basename(f["path"]): f for f in got[0]}
    ext = files["ext.cpython-312-x86_64-linux-gnu.so"]
    check("three shared objects", len(files) == 3, list(files))
    check("module", ext["extension_module"] and ext["needs_upstream"] == ["libtorch.so"], ext)
    check("path", "$ORIGIN" in (ext["runpath"] or ext["rpath"] or ""), ext)
    verdicts = {s["name"]: s["verdict"] for s in ext["upstream_symbols"]}
    check("symbols", verdicts.get("at::Tensor::size") == "covered" and verdicts.get("at::nobody_has_this") == "unknown", verdicts)
    check("taken name", files["libwarpctc.so"]["taken_names"] == ["libwarpctc.so"], files)
    broken = b.work / "broken.whl"
    data = (b.work / "pkg.whl").read_bytes()
    broken.write_bytes(data[:len(data) // 2] + data[len(data) // 2 + 9:])
    b.run("--static", broken, status=2)


def test_same_bytes(b):
    args = ("--json", "--lib", b.work / "libfast.so", "--lib", b.work / "liblinked.so")
    env = {"CUDA_HOME": str(b.work / "kit")}
    check("the same bytes", b.run(*args, env=env).stdout == b.run(*args, env=env).stdout)


def processes():
    return {d for d in os.listdir("/proc") if d.isdigit()
            and str(os.getpid()) in (pathlib.Path("/proc") / d / "stat").read_text(errors="replace").split()[3:4]}


def test_leaves_nothing(b):
    before = processes()
    for _ in range(TIMES):
        subprocess.run([b.binary, "probe", "--quiet", "--rules", str(b.work / "rules"), "--lib", "libfast.so"], cwd=b.work,
                       env={**os.environ, "CUDA_HOME": str(b.work / "kit")}, capture_output=True, timeout=TIMEOUT)
    check(f"{TIMES} probes leave no process", processes() == before, processes() - before)


def test_recorded(b):
    """What a machine with a GPU gave holds still."""
    r = subprocess.run([sys.executable, "tests/probe_gpu_check.py"], cwd=PROJECT, capture_output=True, text=True,
                       env={**os.environ, "OUT": str(PROJECT / "fixtures/probe/h200")}, timeout=TIMEOUT)
    check("the recorded results", r.returncode == 0 and " 0 failed" in r.stdout, r.stdout + r.stderr)


def test_knowledge(b):
    """The names of libraries that the target has too stand in a rule and here."""
    import re
    rule = re.search(r"text: \[([^\]]*)\]", (PROJECT / "rules/build/PD128.yml").read_text()).group(1)
    words = re.search(r"taken: \[\"lib\{([^}]*)\}", (PROJECT / "rules/probe/probe.yml").read_text()).group(1)
    check("taken names agree with PD128", [x.strip() for x in rule.split(",")] == words.split(","), words)


def main():
    ap = argparse.ArgumentParser(description="probe against stand-ins")
    ap.add_argument("--bin", default=str(PROJECT / "build" / "pdmigrate"))
    ap.add_argument("only", nargs="*", help="names of tests")
    args = ap.parse_args()
    work = pathlib.Path(tempfile.mkdtemp(prefix="probe-test-")).resolve()
    try:
        b = Bench(str(pathlib.Path(args.bin).resolve()), work)
        libraries(work)
        for name, test in sorted(globals().items()):
            if name.startswith("test_") and (not args.only or name[5:] in args.only):
                test(b)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print("probe: {passed} passed, {failed} failed, {skipped} skipped".format(**COUNT))
    return 1 if COUNT["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
