"""Write the names that the upstream framework has: the list a gap must be on.

    python upstream_names.py OUTDIR

Run by an interpreter that has the upstream framework. Files and columns are those of coverage_dump.py
(names, classes, members, params), but for these: only names, kinds and parameter names are written; of
private modules (but for the native one and those right below the root) and of modules deeper than
DEPTH only that they exist; FLAGS say `foreign` at most; parameters of
native functions are read from the stubs in the wheel with ast, else from the first line of their
documentation, where it is a signature.
"""
import ast
import contextlib
import importlib
import importlib.metadata
import inspect
import io
import os
import re
import sys
import types
import warnings

sys.dont_write_bytecode = True
from coverage_dump import NOISE, MACHINERY, class_path, kind_of, one_param, signature_of, write_table

DUMP_VERSION = "1"
UPSTREAM = "torch"
NATIVE = UPSTREAM + "._C"
# Parts of the longest module name whose contents are listed; members are listed of classes that are bound
# in these modules, private members of classes that are bound in the root.
DEPTH = 3
# Trees whose import starts something, wants another package, or that hold the framework's own tests.
UNWALKED = """torch.utils.tensorboard torch.utils.benchmark.examples torch.utils.hipify torch.distributed.run
torch.testing torch.ao torch.onnx.ops""".split()
# Packages whose names a module merely imported.
PLUMBING = {"typing", "typing_extensions", "collections", "functools", "contextlib", "dataclasses", "abc",
            "enum", "itertools", "warnings", "__future__"}


def private(name):
    return any(p.startswith("_") for p in name.split("."))


def module_files(folder, prefix):
    """Dotted names of all modules below a package folder, from file names alone."""
    for entry in sorted(os.listdir(folder)):
        path = os.path.join(folder, entry)
        stem = entry.split(".")[0]
        if os.path.isdir(path):
            if stem.isidentifier() and os.path.isfile(os.path.join(path, "__init__.py")):
                yield f"{prefix}.{stem}"
                yield from module_files(path, f"{prefix}.{stem}")
        elif entry.endswith((".py", ".so")) and stem.isidentifier() and stem != "__init__":
            yield f"{prefix}.{stem}"


# ---- parameters from stubs and documentation -------------------------------------------------------

def stub_params(node):
    a = node.args
    for p in a.posonlyargs:
        yield p.arg + "/"
    for p in a.args:
        yield p.arg
    if a.vararg:
        yield "*" + a.vararg.arg
    for p in a.kwonlyargs:
        yield p.arg + "="
    if a.kwarg:
        yield "**" + a.kwarg.arg


def merge(into, params):
    """Union of overloads; a keyword taken by one is taken."""
    have = {p.strip("/=*") for p in into}
    into += [p for p in params if p.strip("/=*") not in have]


def read_stub(path):
    """{function: params, "class::method": params} of one stub file."""
    table = {}
    if not os.path.isfile(path):
        return table
    with open(path, encoding="utf-8") as f:
        tree = ast.parse(f.read())
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            merge(table.setdefault(node.name, []), stub_params(node))
        elif isinstance(node, ast.ClassDef):
            for item in node.body:
                if isinstance(item, ast.FunctionDef):
                    params = [p for p in stub_params(item) if p not in ("self", "cls")]
                    merge(table.setdefault(f"{node.name}::{item.name}", []), params)
    return table


def doc_params(obj):
    """Parameters from a signature on the first line of the documentation, None where there is none."""
    doc = getattr(obj, "__doc__", None)
    line = next((x.strip() for x in doc.splitlines() if x.strip()), "") if isinstance(doc, str) else ""
    m = re.match(r"[\w.]+\((.*)\)\s*(->.*)?$", line)
    if not m:
        return None
    try:
        node = ast.parse(f"def f({m.group(1)}): pass").body[0]
    except SyntaxError:
        return None
    return list(stub_params(node))


class Upstream:
    def __init__(self):
        self.names, self.classes, self.members, self.params = {}, {}, [], {}
        self.keys, self.taken, self.todo, self.first, self.modules = {}, set(), [], {}, {}
        self.keep = []
        self.listed, self.full = set(), set()  # ids of classes whose members are listed; private ones too
        self.folder = os.path.dirname(sys.modules[UPSTREAM].__file__)
        self.overrides = importlib.import_module(UPSTREAM + ".overrides").get_testing_overrides()
        self.functions = read_stub(os.path.join(self.folder, "_C", "_VariableFunctions.pyi"))
        self.native = read_stub(os.path.join(self.folder, "_C", "__init__.pyi"))
        self.native_nn = read_stub(os.path.join(self.folder, "_C", "_nn.pyi"))

    def walk_all(self):
        self.add_module(UPSTREAM, sys.modules[UPSTREAM])
        for name in module_files(self.folder, UPSTREAM):
            self.names.setdefault(name, ["module", "-", "", ""])
            skipped = any(name == u or name.startswith(u + ".") for u in UNWALKED)
            if skipped or private(name) or name.count(".") >= DEPTH:
                continue
            with contextlib.suppress(BaseException):
                self.add_module(name, importlib.import_module(name))
        for name in [NATIVE] + sorted(self.shallow_private()):
            self.add_module(name, sys.modules[name])
        testing = importlib.import_module(UPSTREAM + ".testing")
        self.add_module(UPSTREAM + ".testing", testing)
        while self.todo:
            self.walk_class(self.todo.pop(0))

    def shallow_private(self):
        """Private modules right below the root that are loaded with it."""
        for name, module in sys.modules.items():
            if name.startswith(UPSTREAM + "._") and name.count(".") == 1 and name != NATIVE \
                    and getattr(module, "__file__", None):
                yield name

    def add_module(self, name, module):
        if id(module) in self.modules or not isinstance(module, types.ModuleType):
            return
        self.modules[id(module)] = name
        self.names[name] = ["module", "-", "", ""]
        for n in sorted(set(vars(module)) - MACHINERY):
            with contextlib.suppress(Exception):
                self.add(name, n, getattr(module, n))

    def add(self, parent, n, value):
        name, kind = f"{parent}.{n}", kind_of(value)
        origin = getattr(value, "__name__" if kind == "module" else "__module__", None)
        package = str(origin).split(".")[0]
        if parent != UPSTREAM and (package in PLUMBING or kind == "module" and package != UPSTREAM):
            return
        if n.startswith("__") and (parent != UPSTREAM or n in ("__getattr__", "__dir__")):
            return
        link, flags, top = "", "-", parent == UPSTREAM
        if kind == "module":
            if package != UPSTREAM:
                flags = "foreign"
            elif origin != name and private(origin) and private(n):
                return
            elif origin != name:
                link = origin
            elif parent == NATIVE:
                self.add_module(name, value)
        elif kind == "class":
            link = self.class_key(value) or ""
            flags = "-" if link else "foreign"
            if link and (not private(n) or top):
                self.listed |= {id(c) for c in value.__mro__}
                self.full |= {id(c) for c in value.__mro__} if top else set()
        elif kind == "function":
            self.keep.append(value)
            first = self.first.setdefault(id(value), name)
            link = "" if first == name else first
            if not link and not private(n):
                self.note(name, n, value)
        elif not hasattr(value, "__dict__"):
            link = self.class_key(type(value)) or ""
        self.names[name] = ["attr" if kind == "property" else kind, flags, link, ""]

    def note(self, key, n, value):
        params = None
        if inspect.isroutine(value) and not inspect.isfunction(value):
            table = self.native_nn if "_nn" in str(getattr(value, "__module__", "")) else self.functions
            params = table.get(n) or self.native.get(n) or doc_params(value)
        else:
            read = signature_of(value)
            params = [one_param(p) for p in read] if read is not None else doc_params(value)
        if not params or all(p.startswith("*") for p in params):
            params = self.override_params(value) or params
        if params:
            self.params[key] = ("closed", " ".join(params), "", "")

    def override_params(self, value):
        """Parameters of the function that stands in for `value` in the framework's own override tests."""
        try:
            dummy = self.overrides.get(value)
        except TypeError:
            return None
        read = signature_of(dummy) if dummy else None
        return [one_param(p) for p in read] if read else None

    # -- classes

    def class_key(self, cls):
        if id(cls) in self.keys:
            return self.keys[id(cls)]
        if str(getattr(cls, "__module__", "")).split(".")[0] != UPSTREAM:
            return None
        return self.take(cls)

    def take(self, cls):
        if id(cls) not in self.keys:
            key, i = class_path(cls), 2
            while key in self.taken:
                key, i = f"{class_path(cls)}#{i}", i + 1
            self.taken.add(key)
            self.keys[id(cls)] = key
            self.keep.append(cls)
            self.todo.append(cls)
        return self.keys[id(cls)]

    def walk_class(self, cls):
        key = self.keys[id(cls)]
        own = str(getattr(cls, "__module__", "")).split(".")[0] == UPSTREAM
        bases = [c for c in cls.__mro__[1:] if str(c.__module__).split(".")[0] == UPSTREAM]
        self.classes[key] = (key, "-", " ".join(self.take(c) for c in bases), "")
        if not own or id(cls) not in self.listed or type(cls).__name__ == "tensortype":
            return
        with contextlib.suppress(Exception):
            self.note(key, cls.__name__, cls)
        for n in sorted(set(vars(cls)) - NOISE):
            if not n.startswith("_") or id(cls) in self.full:
                self.add_member(key, n, vars(cls)[n])

    def add_member(self, key, n, value):
        kind, link = kind_of(value), ""
        if kind == "class":
            link = self.class_key(value) or ""
        elif kind == "function" and not n.startswith("_"):
            plain = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
            read = signature_of(plain) if inspect.isfunction(plain) else None
            if read is not None:
                drop = not isinstance(value, staticmethod) and len(read) > 0
                params = [one_param(p) for p in read[drop:]]
            else:
                params = self.native.get(f"{key.rsplit('.', 1)[-1]}::{n}") or doc_params(plain)
            if params:
                self.params[f"{key}::{n}"] = ("closed", " ".join(params), "", "")
        self.members.append((key, n, kind, link))

    def add_context(self):
        """The context object that the autograd function class hands to its methods."""
        module = sys.modules[UPSTREAM + ".autograd.function"]
        self.names[UPSTREAM + ".autograd.Function#ctx"] = ["class", "-", self.take(module.BackwardCFunction),
                                                           ""]
        self.listed |= {id(c) for c in module.BackwardCFunction.__mro__}
        while self.todo:
            self.walk_class(self.todo.pop(0))


def provenance():
    dist = importlib.metadata.distribution(UPSTREAM)
    tag = re.search(r"^Tag: (.*)$", dist.read_text("WHEEL") or "", re.M)
    return "\t".join(["upstream", UPSTREAM, dist.version.split("+")[0], "any",
                      getattr(sys.modules[UPSTREAM].version, "git_version", "-"),
                      "python%d.%d" % sys.version_info[:2],
                      f"{UPSTREAM}-{dist.version}-{tag.group(1) if tag else 'none'}.whl",
                      "dump" + DUMP_VERSION, UPSTREAM, UPSTREAM, ""])


def main(outdir):
    warnings.simplefilter("ignore")
    with contextlib.redirect_stdout(io.StringIO()):
        importlib.import_module(UPSTREAM)
        up = Upstream()
        up.walk_all()
        up.add_context()
    os.makedirs(outdir, exist_ok=True)
    head = provenance()
    write_table(outdir, "names.tsv", head, [(n, *r) for n, r in up.names.items()])
    write_table(outdir, "classes.tsv", head, up.classes.values())
    write_table(outdir, "members.tsv", head, up.members)
    write_table(outdir, "params.tsv", head, [(n, *r) for n, r in up.params.items()])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: upstream_names.py OUTDIR")
    main(sys.argv[1])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
