"""What `pdmigrate probe` runs in an interpreter. Lines of a word, a tab and a value go to descriptor 3."""
import ctypes
import importlib
import importlib.util
import os
import sys

REPORT = os.dup(3)
os.close(3)


def say(key, value):
    text = str(value).replace("\t", " ").replace("\r", " ").replace("\n", " ")
    os.write(REPORT, f"{key}\t{text}\n".encode("utf-8", "backslashreplace"))


def words(e):
    return f"{type(e).__name__}: {e}" if not isinstance(e, OSError) else str(e)


def say_maps():
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as f:
        for line in f:
            if "/libcudart" in line:
                say("map", line.rstrip("\n"))


def is_global(symbol):
    try:
        ctypes.CDLL(None)[symbol]
        return 1
    except AttributeError:
        return 0


def paths(*sonames):
    say("version", ".".join(map(str, sys.version_info[:3])))
    for folder in sys.path:
        if folder and os.path.isdir(folder):
            say("folder", os.path.abspath(folder))


def framework(name, symbol, *current):
    say("before", is_global(symbol))
    if importlib.util.find_spec(name) is None:
        say("installed", 0)
        return
    say("installed", 1)
    try:
        module = importlib.import_module(name)
    except BaseException as e:
        say("words", words(e))
        say_maps()
        return
    say("imported", 1)
    say("release", getattr(module, "__version__", ""))
    say("after", is_global(symbol))
    for key, expression in zip(current[::2], current[1::2]):
        try:
            say("current." + key, eval(expression, {name: module}))
        except BaseException as e:
            say("current." + key, words(e))
    say_maps()


def resolve(soname):
    say("stage", "load")
    try:
        ctypes.CDLL(soname)
    except OSError as e:
        say("words", e)
    say_maps()


def load(binding, mode, preload, library):
    """The same as the step of that name in C, for what needs an interpreter's symbols."""
    say("stage", "preload")
    try:
        if mode == "import":
            importlib.import_module(preload)
        elif mode != "none":
            ctypes.CDLL(preload, mode=ctypes.RTLD_GLOBAL if mode == "global" else ctypes.RTLD_LOCAL)
        say("preload", "ok")
    except BaseException as e:
        say("preload", words(e))
        return
    say("stage", "load")
    try:
        # ctypes always binds at once; _ctypes does not do better, the C function does.
        dlopen = ctypes.CDLL(None).dlopen
        dlerror = ctypes.CDLL(None).dlerror
        dlopen.restype, dlopen.argtypes = ctypes.c_void_p, [ctypes.c_char_p, ctypes.c_int]
        dlerror.restype = ctypes.c_char_p
        handle = dlopen(os.fsencode(library), os.RTLD_LAZY if binding == "lazy" else os.RTLD_NOW)
        say("load", "ok" if handle else (dlerror() or b"").decode(errors="replace"))
    except BaseException as e:
        say("load", words(e))
    say_maps()


def package(names, use, module):
    """Import a module behind the frameworks that are there."""
    for name in filter(None, names.split(",")):
        if importlib.util.find_spec(name) is None:
            continue
        space = {name: importlib.import_module(name)}
        say("framework", name)
        if use.startswith(name + "."):
            exec(use, space)
            say("used", use)
    try:
        importlib.import_module(module)
        say("import", "ok")
    except BaseException as e:
        say("import", words(e))
    say_maps()


ACTIONS = {f.__name__: f for f in (paths, framework, resolve, load, package)}
ACTIONS[sys.argv[1]](*sys.argv[2:])
# What libraries do when they are unloaded is not asked for.
os._exit(0)
