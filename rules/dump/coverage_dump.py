"""Write what an installed target answers for under the upstream name.

    python coverage_dump.py OUTDIR        (or from standard input: python - OUTDIR)

Run by the target's own interpreter. Imports the target, switches its import proxy on and reads: nothing
else is run, but for calls whose arguments the target's native argument parser rejects. Writes sorted,
tab-separated files into OUTDIR, each with one provenance line first; two runs give the same bytes.

names.tsv    NAME KIND FLAGS LINK QUAL
             KIND: module class function attr; `cuda?` (the sources bind it only under a CUDA test and it is
             not there now), `raises` (reading it fails).
             FLAGS (comma separated, `-` for none): open (answers names at run time), unwalked (its contents
             are not listed), foreign (of another package), import (importable under this very name), lazy (no
             attribute of its parent before it is imported), over (set by the proxy), cpu? (the sources
             bind it only where there is no CUDA), broken (cannot be imported in this build).
             LINK: a module's first name when it has several; a class's key in classes.tsv; the first name
             of a function (empty: the name itself); the class of an attribute that has no attributes
             but those of its class.
             QUAL: the target's own name where it is not the same path below the target's root.
classes.tsv  CLASS FLAGS MRO METACLASSES. FLAGS: open (class access is dynamic), iopen (instance access is, or
             attributes are set by computed names), native (no Python source).
members.tsv  CLASS MEMBER KIND LINK. KIND: function property class attr, instance (set on instances only).
params.tsv   NAME STATE PARAMS ALIASES REFUSED. NAME: of names.tsv, or CLASS::MEMBER. STATE: closed (a keyword
             not listed is rejected), probed (only the refused ones are known to be), open. PARAMS: `a/` is
             positional only, `a=` keyword only, `*a`, `**a`. ALIASES: other accepted keywords.
headers.tsv  NAME PATH. NAME: as one includes it; PATH: inside the compat include folder.
"""
import ast
import contextlib
import importlib
import importlib.metadata
import inspect
import io
import os
import pkgutil
import re
import sys
import types
import typing
import warnings

DUMP_VERSION = "1"
UPSTREAM, TARGET = "torch", "paddle"
# Trees that no upstream name maps to and that are slow or noisy to walk: listed, not opened.
UNWALKED = """_C_ops _pir_ops _legacy_C_ops _typing api_tracer apy asp audio base batch callbacks
check_import_scipy cinn common_ops_import cost_model dataset decomposition distributed.auto_parallel
distributed.auto_tuner distributed.fleet distributed.flex_checkpoint
distributed.models distributed.passes distributed.ps distributed.transpiler fluid framework geometric
hapi incubate inference io jit.dy2static jit.sot libs metric nn.quant pir proto reader sot
static tensor tensorrt text utils.gast vision""".split()
# Words of names that a build with device support may add to native classes.
DEVICE_WORDS = "cuda gpu ipc nccl pinned stream".split()
CUDA_TEST = re.compile(r"cuda|nccl|cudnn|cupti|gpu", re.I)
# Members every class has and no code asks for by name.
NOISE = {"__module__", "__doc__", "__dict__", "__weakref__", "__annotations__", "__qualname__",
         "__static_attributes__", "__firstlineno__", "__orig_bases__", "__parameters__"}
# Module attributes of the import machinery.
MACHINERY = {"__builtins__", "__cached__", "__loader__", "__spec__", "__annotations__", "__warningregistry__"}
# Packages whose classes are listed when a class of the target derives from them.
KNOWN_PACKAGES = {TARGET, "None", "pybind11_builtins"} | set(sys.stdlib_module_names) - {"distutils"}
# Upstream spellings tried on native argument parsers, with the parameter each one stands for.
PROBES = {"input": "x", "tensor": "x", "dim": "axis", "dims": "axis", "other": "y", "mat2": "y",
          "keepdims": "keepdim", "dim1": "axis1", "dim2": "axis2", "diagonal": "offset", "size": "shape",
          "axis": "", "axis1": "", "axis2": "", "keepdim": "", "dtype": "", "out": "", "x": "", "y": "",
          "shifts": "", "offset": "", "decimals": "", "indices": "", "values": "", "value": "",
          "accumulate": "", "rtol": "", "atol": "", "equal_nan": "", "grid": "", "mode": "",
          "padding_mode": "", "align_corners": "", "approximate": ""}


# ---- small readers -------------------------------------------------------------------------------

def kind_of(value):
    if isinstance(value, types.ModuleType):
        return "module"
    if inspect.isclass(value):
        return "class"
    if isinstance(value, property) or inspect.isgetsetdescriptor(value) \
            or inspect.ismemberdescriptor(value):
        return "property"
    if isinstance(value, (staticmethod, classmethod)) or callable(value):
        return "function"
    return "attr"


def class_path(cls):
    module, name = getattr(cls, "__module__", None), getattr(cls, "__qualname__", cls.__name__)
    return f"{module}.{name}" if isinstance(module, str) else name


def innermost(func):
    seen = set()
    while hasattr(func, "__wrapped__") and id(func) not in seen:
        seen.add(id(func))
        func = func.__wrapped__
    return func


def one_param(p):
    mark = {p.POSITIONAL_ONLY: "%s/", p.POSITIONAL_OR_KEYWORD: "%s", p.KEYWORD_ONLY: "%s=",
            p.VAR_POSITIONAL: "*%s", p.VAR_KEYWORD: "**%s"}
    return mark[p.kind] % p.name


def signature_of(func):
    try:
        return list(inspect.signature(func).parameters.values())
    except (TypeError, ValueError):
        return None


def parse_source(path, cache):
    if path not in cache:
        tree = None
        if path and path.endswith(".py") and os.path.isfile(path):
            with open(path, encoding="utf-8") as f:
                try:
                    tree = ast.parse(f.read())
                except (SyntaxError, ValueError):
                    tree = None
        cache[path] = tree
    return cache[path]


def write_table(folder, name, provenance, rows):
    lines = sorted({"\t".join(row).encode("utf-8") for row in rows})
    with open(os.path.join(folder, name), "wb") as f:
        f.write(b"# " + provenance.encode("utf-8") + b"\n")
        f.writelines(line + b"\n" for line in lines)


# ---- what the sources bind only under a condition --------------------------------------------------

def bound_names(body):
    """Names that statements bind at their own level, nested blocks included."""
    names = set()
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names |= {(a.asname or a.name).split(".")[0] for a in node.names}
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
        else:
            for field in ("body", "orelse", "finalbody"):
                names |= bound_names(getattr(node, field, []))
            for handler in getattr(node, "handlers", []):
                names |= bound_names(handler.body)
    return names


def cuda_test(test):
    """1: true only with CUDA, -1: true only without, 0: about something else."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return -cuda_test(test.operand)
    words = {n.id for n in ast.walk(test) if isinstance(n, ast.Name)}
    words |= {n.attr for n in ast.walk(test) if isinstance(n, ast.Attribute)}
    return 1 if any(CUDA_TEST.search(w) for w in words) else 0


def conditional_names(tree):
    """(names bound only with CUDA or where an import succeeds, names bound only without CUDA)."""
    with_cuda, without, always = set(), set(), set()

    def block(body, side):
        for node in body:
            if isinstance(node, ast.If):
                sense = cuda_test(node.test)
                block(node.body, sense or side)
                block(node.orelse, -sense or side)
            elif isinstance(node, ast.Try) and any(catches_import(h) for h in node.handlers):
                block(node.body, side or 1)
                for handler in node.handlers:
                    block(handler.body, side or -1)
                block(node.orelse, side or 1)
                block(node.finalbody, side)
            else:
                (with_cuda if side > 0 else without if side < 0 else always).update(bound_names([node]))

    block(tree.body, 0)
    return with_cuda - without - always, without - with_cuda - always


def catches_import(handler):
    if handler.type is None:
        return True
    return any(isinstance(n, ast.Name) and n.id in ("ImportError", "ModuleNotFoundError",
                                                    "AttributeError", "Exception")
               for n in ast.walk(handler.type))


def has_star_import(tree):
    return any(isinstance(n, ast.If) and cuda_test(n.test)
               and any(isinstance(i, ast.ImportFrom) and i.names[0].name == "*" for i in ast.walk(n))
               for n in tree.body)


# ---- attributes that instances get -----------------------------------------------------------------

def find_class(tree, qualname):
    body = tree.body
    found = None
    for part in qualname.split("."):
        found = next((n for n in ast.walk(ast.Module(body, [])) if isinstance(n, ast.ClassDef)
                      and n.name == part), None)
        if found is None:
            return None
        body = found.body
    return found


def instance_names(node):
    """(names stored on self or only annotated, True when names are computed)."""
    names, computed = set(), False
    for item in node.body:
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name) and item.value is None:
            names.add(item.target.id)
        if not isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)) or not item.args.args:
            continue
        self = item.args.args[0].arg
        for n in ast.walk(item):
            if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id == self:
                if isinstance(n.ctx, ast.Store):
                    names.add(n.attr)
                computed |= n.attr == "__dict__"
            elif isinstance(n, ast.Call):
                func = n.func.id if isinstance(n.func, ast.Name) else getattr(n.func, "attr", "")
                first = n.args[0] if n.args else None
                computed |= func in ("setattr", "__setattr__", "vars") \
                    and isinstance(first, ast.Name) and first.id == self
    return names, computed


# ---- parameters --------------------------------------------------------------------------------------

class Params:
    """Which keywords a callable takes: signature, decorators' closures and sources, native probes."""

    def __init__(self, cache):
        self.cache = cache
        self.decorators = self.read_decorators()

    def read_decorators(self):
        """Top-level name of the decorator module -> keywords its body names."""
        module = sys.modules.get(f"{TARGET}.utils.decorator_utils")
        tree = parse_source(getattr(module, "__file__", None), self.cache)
        table = {}
        for node in tree.body if tree else []:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                table[node.name] = set(keyword_strings(node))
        self.decorator_file = getattr(module, "__file__", None)
        return table

    def closure(self, func, acc):
        """Add what one wrapper accepts or forbids to acc; its wrapped callables are returned."""
        code, more = func.__code__, []
        known = code.co_filename == self.decorator_file
        if known:
            top = getattr(code, "co_qualname", func.__qualname__).split(".")[0]
            acc["alias"] |= self.decorators.get(top, set())
        for cell in func.__closure__ or ():
            try:
                value = cell.cell_contents
            except ValueError:
                continue
            if isinstance(value, types.FunctionType):
                more.append(value)
            elif isinstance(value, (list, tuple)) and known:
                acc["alias"] |= {v for v in value if isinstance(v, str) and v.isidentifier()}
            elif type(value).__name__.endswith("Decorator"):
                known = True
                acc["alias"] |= set(getattr(value, "alias_mapping", None) or {})
                acc["refused"] |= set(getattr(value, "illegal_keys", None) or {})
        if hasattr(func, "__wrapped__"):
            more.append(func.__wrapped__)
            takes = code.co_flags & inspect.CO_VARKEYWORDS
            if takes and not known and any(isinstance(c, str) and c.isidentifier()
                                           for c in code.co_consts[1:]):
                acc["open"] = True
        return more

    def chain(self, func):
        acc = {"alias": set(), "refused": set(), "open": False}
        todo, seen = [func], set()
        while todo:
            f = todo.pop()
            f = getattr(f, "__func__", f)
            if id(f) not in seen and isinstance(f, types.FunctionType):
                seen.add(id(f))
                todo += self.closure(f, acc)
        return acc

    def of(self, obj, member=False):
        """(state, params, aliases, refused) or None when nothing can be read."""
        if isinstance(obj, (staticmethod, classmethod)):
            member = isinstance(obj, classmethod)
            obj = obj.__func__
        params = signature_of(obj)
        if params is None:
            return None
        drop = 1 if member and params and params[0].kind in (0, 1) else 0
        acc = self.chain(obj.__init__ if inspect.isclass(obj) else obj)
        names = {p.name for p in params}
        inner = innermost(obj.__init__ if inspect.isclass(obj) else obj)
        code = getattr(inner, "__code__", None)
        state = "closed"
        if acc["open"] or any(p.kind == p.VAR_KEYWORD for p in params):
            state = "open"
        elif code is not None and code.co_flags & inspect.CO_VARKEYWORDS:
            state = "open"
            for overload in typing.get_overloads(inner) if hasattr(typing, "get_overloads") else []:
                acc["alias"] |= {p.name for p in signature_of(overload) or [] if p.kind in (1, 3)}
        elif code is None:
            state = "open"
        if getattr(inner, "__module__", "") == f"{TARGET}.base.dygraph.generated_tensor_methods_patch":
            state = "probed"
            probe(obj, [p.name for p in params], acc)
        aliases = sorted(acc["alias"] - names - acc["refused"])
        return (state, " ".join(one_param(p) for p in params[drop:]), " ".join(aliases),
                " ".join(sorted(acc["refused"])))


def keyword_strings(node):
    """Strings that stand as keys of `kwargs` in a decorator: kwargs["k"], kwargs.pop("k"), "k" in kwargs."""
    for n in ast.walk(node):
        if isinstance(n, ast.Subscript) and isinstance(n.slice, ast.Constant):
            keys = [n.slice]
        elif isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr in ("pop", "get"):
            keys = n.args[:1]
        elif isinstance(n, ast.Compare) and isinstance(n.ops[0], (ast.In, ast.NotIn)):
            keys = [n.left]
        else:
            continue
        for k in keys:
            if isinstance(k, ast.Constant) and isinstance(k.value, str) and k.value.isidentifier():
                yield k.value


def probe(func, names, acc):
    """Ask a native parser about keywords: it rejects an unknown one before it looks at any value."""
    x = sys.modules[TARGET].ones([2, 3])
    two = len(names) > 1 and names[1] == "y"
    for word, stands_for in PROBES.items():
        if word in names:
            continue
        if stands_for == "x":
            args, kwargs = (), {word: x, **({"y": x} if two else {})}
        elif two and stands_for != "y":
            args, kwargs = (x, x), {word: object()}
        else:
            args, kwargs = (x,), {word: object()}
        try:
            func(*args, **kwargs)
            taken = True
        except BaseException as e:  # the message is the answer, whatever its class
            text = str(e)
            taken = not any(t in text for t in ("too many arguments", "unexpected keyword",
                                                "but got None", "Missing"))
            certain = "too many arguments" in text or "unexpected keyword" in text
        if taken:
            acc["alias"].add(word)
        elif certain:
            acc["refused"].add(word)


# ---- the walk ----------------------------------------------------------------------------------------

class Dump:
    def __init__(self):
        self.names, self.classes, self.members, self.params = {}, {}, [], {}
        self.class_keys, self.keys_taken, self.todo_classes = {}, set(), []
        self.wanted = set()   # ids of classes that are public somewhere: listed wherever they are defined
        self.first = {}       # id of a function -> its first name
        self.modules = {}     # id of a module -> its first name
        self.sources = {}     # parsed files
        self.keep = []        # objects whose ids are in use
        self.reader = Params(self.sources)

    # -- modules

    def original(self, module):
        return vars(module).get("_original_module", module)

    def module_name(self, module, fallback):
        own = self.original(module).__name__
        mapped = UPSTREAM + own[len(TARGET):] if own.split(".")[0] == TARGET else None
        return mapped if mapped in self.importable else fallback

    def walk_all(self, root, before):
        self.before = before
        self.importable, self.broken = find_importable()
        roots = [(UPSTREAM, root)]
        roots += sorted(self.importable.items(), key=lambda i: (i[0].count("."), i[0]))
        for name, module in roots:
            orig = self.original(module)
            queue = [(name, module)] if id(orig) not in self.modules and not unwalked(name) else []
            self.modules.update({id(orig): name} if queue else {})
            while queue:
                name, module = queue.pop(0)
                queue[:0] = self.walk(name, module, self.original(module))
        self.add_module_rows(root)
        while self.todo_classes:
            self.walk_class(self.todo_classes.pop(0))

    def walk(self, name, module, orig):
        """Rows of one module's names; returns the modules to walk next."""
        over = vars(module).get("_overrides") or {}
        names = {n for n in vars(orig) if n not in MACHINERY and (name == UPSTREAM or n[:2] != "__")}
        names |= {n for n in over if "." not in n}
        if type(orig) is not types.ModuleType:
            names |= {n for n in vars(type(orig)) if not n.startswith("__")}
        tree = parse_source(getattr(orig, "__file__", None), self.sources)
        with_cuda, without = conditional_names(tree) if tree else (set(), set())
        more = []
        for n in sorted(names):
            flags = {"over"} if n in over else set()
            if n in without:
                flags.add("cpu?")
            try:
                value = getattr(module, n)
            except Exception:
                self.names[f"{name}.{n}"] = ["raises", flags, "", ""]
                continue
            if isinstance(value, types.ModuleType):
                more += self.add_module(name, n, value, flags)
            else:
                public = name == UPSTREAM or n in (vars(orig).get("__all__") or ())
                self.add(f"{name}.{n}", n, value, flags, vars(orig).get(n, value), public)
        for n in with_cuda - names:
            self.names[f"{name}.{n}"] = ["cuda?", set(), "", ""]
        self.names.setdefault(name, ["module", set(), "", ""])
        dynamic = hasattr(type(orig), "__getattr__") or "__getattr__" in vars(orig)
        if dynamic or tree and has_star_import(tree):
            self.names[name][1].add("open")
        return more

    def add_module(self, parent, n, value, flags):
        orig, name = self.original(value), f"{parent}.{n}"
        own = self.original(value).__name__.split(".")[0]
        row = self.names.setdefault(name, ["module", set(), "", ""])
        row[1] |= flags
        if own != TARGET and type(orig) is types.ModuleType:
            row[1].add("foreign")
            return []
        if own == TARGET and unwalked(UPSTREAM + orig.__name__[len(TARGET):]):
            row[1].add("unwalked")
            return []
        canonical = self.module_name(orig, self.modules.get(id(orig), name))
        row[2] = canonical if canonical != name else ""
        if own == TARGET and orig.__name__ != TARGET + canonical[len(UPSTREAM):]:
            row[3] = orig.__name__
        if n not in self.before.get(parent, ()) and name in self.importable:
            row[1].add("lazy")
        if canonical != name or id(orig) in self.modules:
            return []
        self.modules[id(orig)] = name
        self.keep.append(orig)
        return [(name, value)]

    def add_module_rows(self, root):
        """Rows of what can be imported but is no attribute, and the import flags."""
        for name in sorted(self.importable.keys() | self.broken):
            row = self.names.setdefault(name, ["module", {"lazy"}, "", ""])
            row[1].add("import" if name in self.importable else "unwalked" if unwalked(name) else "broken")
        for name, row in self.names.items():
            target = row[2] or name
            if row[0] == "module" and target not in self.modules.values() and "foreign" not in row[1]:
                row[1].add("unwalked")
        self.names[UPSTREAM][1].add("import")

    # -- names

    def add(self, name, n, value, flags, plain, public):
        kind, link, qual = kind_of(value), "", ""
        if kind == "class":
            link = self.class_key(value)
            if link is None:
                flags.add("foreign")
            else:
                if public:
                    self.wanted.add(id(value))
                self.note_params(link, value)
        elif kind == "function":
            self.keep.append(value)
            link = name if "over" in flags else self.first.setdefault(id(value), name)
            qual = f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', '')}"
            if link == name and not n.startswith("__"):
                self.note_params(name, value, plain if "over" in flags and name.count(".") > 1 else None)
            link = "" if link == name else link
        else:
            kind = "attr"
            if not hasattr(value, "__dict__"):
                link = self.instance_class(type(value))
        same = TARGET + name[len(UPSTREAM):]
        self.names[name] = [kind, flags, link or "", "" if qual in (same, ".") or link else qual]

    def instance_class(self, cls):
        """Key of the class of a value that has no attributes of its own; "" where it is not listed."""
        if str(getattr(cls, "__module__", None)).split(".")[0] not in (TARGET, "None", "builtins"):
            return ""
        self.wanted.add(id(cls))
        return self.take_key(cls)

    def note_params(self, key, value, plain=None):
        """`plain`: what the name means while its module is not imported by name; both must reject."""
        if key in self.params or any(p.startswith("_") for p in key.split(".")):
            return
        row = self.reader.of(value)
        other = self.reader.of(plain) if plain is not None and plain is not value else None
        if row and other:
            taken = set((other[1] + " " + other[2]).replace("=", "").split())
            row = ("open" if "open" in (row[0], other[0]) else row[0], row[1],
                   " ".join(sorted(set(row[2].split()) | taken - set(row[1].split()))),
                   " ".join(sorted(set(row[3].split()) - taken)))
        if row:
            self.params[key] = row

    # -- classes

    def class_key(self, cls):
        """Key of a class of the target (or of a base of one); None for classes of other packages."""
        if id(cls) in self.class_keys:
            return self.class_keys[id(cls)]
        module = getattr(cls, "__module__", "")
        native = module in ("builtins", None) and cls.__name__ not in vars(sys.modules["builtins"])
        if not native and str(module).split(".")[0] != TARGET:
            return None
        return self.take_key(cls)

    def take_key(self, cls):
        if id(cls) not in self.class_keys:
            key, i = class_path(cls), 2
            while key in self.keys_taken:
                key, i = f"{class_path(cls)}#{i}", i + 1
            self.keys_taken.add(key)
            self.class_keys[id(cls)] = key
            self.keep.append(cls)
            self.todo_classes.append(cls)
        return self.class_keys[id(cls)]

    def walk_class(self, cls):
        key, flags = self.class_keys[id(cls)], set()
        module = str(getattr(cls, "__module__", None))
        if module.split(".")[0] not in KNOWN_PACKAGES or id(cls) not in self.wanted \
                and module.startswith(TARGET + ".") and unwalked(UPSTREAM + module[len(TARGET):]):
            self.classes[key] = (key, "iopen,open", "", "")
            return
        self.wanted.update(id(c) for c in cls.__mro__)
        mro = [self.take_key(c) for c in cls.__mro__[1:]]
        meta = [self.take_key(c) for c in type(cls).__mro__]
        own = set(vars(cls))
        node = self.class_source(cls)
        native = node is None and module.split(".")[0] in (TARGET, "None")
        if native:
            flags.add("native")
        meta_dict = vars(type(cls))
        if "__getattr__" in meta_dict or isinstance(meta_dict.get("__getattribute__"), types.FunctionType):
            flags.add("open")
        if "__getattr__" in own or "__getattribute__" in own and node is not None:
            flags.add("iopen")
        instance, computed = instance_names(node) if node else (set(), False)
        if computed:
            flags.add("iopen")
        for n in sorted(own - NOISE):
            self.add_member(cls, key, n, vars(cls)[n])
        for n in sorted(instance - own):
            self.members.append((key, n, "instance", ""))
        self.classes[key] = (key, ",".join(sorted(flags)) or "-", " ".join(mro), " ".join(meta))

    def class_source(self, cls):
        module = sys.modules.get(str(getattr(cls, "__module__", "")))
        tree = parse_source(getattr(module, "__file__", None), self.sources)
        return find_class(tree, cls.__qualname__) if tree and "<locals>" not in cls.__qualname__ else None

    def add_member(self, cls, key, n, value):
        kind, link = kind_of(value), ""
        if kind == "class":
            link = self.class_key(value) or ""
        elif kind == "module":
            kind = "attr"
        elif kind == "function" and not n.startswith("__") and class_path(cls).split(".")[0] == TARGET:
            row = self.reader.of(value, member=not isinstance(value, staticmethod))
            if row:
                self.params[f"{key}::{n}"] = row
        self.members.append((key, n, kind, link))

    def add_context(self):
        """The context that the autograd function class hands to its methods, as a name of its own."""
        for name in [n for n in self.names if n.endswith(".autograd.Function")]:
            cls = next(c for c in self.keep if self.class_keys.get(id(c)) == self.names[name][2])
            context = vars(cls).get("_backward_function")
            if inspect.isclass(context):
                self.wanted.add(id(context))
                self.names[f"{name}#ctx"] = ["class", set(), self.take_key(context), ""]
        while self.todo_classes:
            self.walk_class(self.todo_classes.pop(0))


def unwalked(name):
    rel = name[len(UPSTREAM) + 1:]
    return any(rel == s or rel.startswith(s + ".") for s in UNWALKED)


def find_importable():
    """({name: module}, names that fail) for what the import statement finds under the upstream name."""
    good, bad = {}, set()

    def below(prefix, path):
        for info in sorted(pkgutil.iter_modules(path), key=lambda i: i.name):
            name = f"{prefix}.{info.name}"
            if info.name.startswith("__"):
                continue
            if unwalked(name) and TARGET + name[len(UPSTREAM):] not in sys.modules:
                bad.add(name)
                continue
            try:
                good[name] = importlib.import_module(name)
            except BaseException:  # a module may even exit
                bad.add(name)
                continue
            if info.ispkg and not unwalked(name):
                below(name, good[name].__path__)

    below(UPSTREAM, sys.modules[TARGET].__path__)
    for own in sorted(m for m in sys.modules if m.startswith(TARGET + ".")):
        name = UPSTREAM + own[len(TARGET):]
        if name in good or name in bad or unwalked(name):
            continue
        with contextlib.suppress(Exception):
            good[name] = importlib.import_module(name)
    return good, bad


def header_rows():
    root = os.path.join(os.path.dirname(sys.modules[TARGET].__file__),
                        "include/paddle/phi/api/include/compat")
    for folder, _, files in os.walk(root):
        for f in files:
            path = os.path.relpath(os.path.join(folder, f), root)
            yield (path.removeprefix("torch/csrc/api/include/"), path)


def provenance():
    target = sys.modules[TARGET]
    dist = next(d for d in importlib.metadata.distributions()
                if d.metadata["Name"].startswith("paddlepaddle"))
    tag = re.search(r"^Tag: (.*)$", dist.read_text("WHEEL") or "", re.M)
    build = "cuda" if target.is_compiled_with_cuda() else "cpu"
    wheel = f"{dist.metadata['Name'].replace('-', '_')}-{dist.version}-{tag.group(1) if tag else 'none'}.whl"
    return "\t".join(["target", dist.metadata["Name"], dist.version, build,
                      getattr(target.version, "commit", "-"), "python%d.%d" % sys.version_info[:2], wheel,
                      "dump" + DUMP_VERSION, UPSTREAM, TARGET, " ".join(DEVICE_WORDS)])


def main(outdir):
    sys.dont_write_bytecode = True
    warnings.simplefilter("ignore")
    with contextlib.redirect_stdout(io.StringIO()):
        importlib.import_module(TARGET)
        target = sys.modules[TARGET]
        if not hasattr(target, "enable_compat"):
            sys.exit(f"{TARGET} {target.__version__} has no import proxy")
        target.enable_compat()
        root = importlib.import_module(UPSTREAM)
        before = {UPSTREAM + n[len(TARGET):]: set(vars(m)) for n, m in list(sys.modules.items())
                  if n.split(".")[0] == TARGET and m is not None}
        dump = Dump()
        dump.walk_all(root, before)
        dump.add_context()
    os.makedirs(outdir, exist_ok=True)
    head = provenance()
    write_table(outdir, "names.tsv", head, [(n, r[0], ",".join(sorted(r[1])) or "-", r[2], r[3])
                                            for n, r in dump.names.items()])
    write_table(outdir, "classes.tsv", head, dump.classes.values())
    write_table(outdir, "members.tsv", head, dump.members)
    write_table(outdir, "params.tsv", head, [(n, *r) for n, r in dump.params.items()])
    write_table(outdir, "headers.tsv", head, header_rows())


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: coverage_dump.py OUTDIR")
    main(sys.argv[1])
    sys.stdout.flush()
    sys.stderr.flush()
    # Native libraries loaded by the walk may crash in their exit handlers.
    os._exit(0)
