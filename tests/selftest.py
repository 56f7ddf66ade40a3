#!/usr/bin/env python3
"""The tests tested: each lint, law and comparison must fail where it should."""
import contextlib
import io
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import unittest

import accuracy
import bench
import corpus
import golden
import laws
import lint
import schema


def allow_of(folder, text=""):
    path = pathlib.Path(folder) / "lint.allow"
    path.write_text(text)
    return lint.Allow(path)


class LintTest(unittest.TestCase):
    def problems(self, path, text, allow=""):
        with tempfile.TemporaryDirectory() as d:
            root = pathlib.Path(d)
            for name, body in ((path, text), ("src/base/arena.h", "/* a */\n"),
                               ("src/py/py.h", "/* p */\n"), ("src/model.h", "/* m */\n")):
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_bytes(text if name == path and isinstance(text, bytes)
                                          else body.encode())
            table = allow_of(d, allow)
            found = list(lint.check_file(root, path, table)) + table.unused()
            return [what for _, what in found]

    def assertFinds(self, word, path, text, allow=""):
        found = self.problems(path, text, allow)
        self.assertTrue(any(word in f for f in found), f"{word!r} not in {found}")

    def test_good_file(self):
        text = "/* x.c - good. */\n#include \"base/arena.h\"\n#include \"model.h\"\n\nint f(void)\n{\n\treturn 1;\n}\n"
        self.assertEqual(self.problems("src/repo/x.c", text), [])

    def test_include_direction(self):
        self.assertFinds("not below", "src/repo/x.c", '/* x */\n#include "py/py.h"\n')
        self.assertFinds("not below", "src/base/x.c", '/* x */\n#include "model.h"\n')
        self.assertFinds("for src/py only", "src/rule/x.c", "/* x */\n#include <tree_sitter/api.h>\n")
        self.assertFinds("no rank", "src/other/x.c", "/* x */\n")
        self.assertEqual(self.problems("src/run.c", '/* x */\n#include "py/py.h"\n'), [])

    def test_framework_words(self):
        for text in ('/* Torch */\n', '/* x */\nint paddle_x;\n', '/* x */\nchar *s = "PyTorch";\n'):
            self.assertFinds("word of a framework", "src/repo/x.c", text)
        self.assertEqual(self.problems("src/repo/x.c", "/* torch */\n",
                                       "src/repo/*.c\ttorch\ta reason\n"), [])
        self.assertFinds("word of a framework", "src/repo/x.c", "/* torch.x and torch_y */\n",
                         "src/repo/x.c\ttorch.x\ta reason\n")
        self.assertFinds("no longer needed", "src/repo/x.c", "/* x */\n",
                         "src/repo/x.c\ttorch\ta reason\n")

    def test_calls(self):
        head = "/* x */\n"
        self.assertFinds("banned function", "src/repo/x.c", head + "char *p = alloca(3);\n")
        self.assertFinds("starts a process", "src/repo/x.c", head + "execv(a, b);\n")
        self.assertFinds("prints an address", "src/repo/x.c", head + 'printf("%p", x);\n')
        self.assertFinds("typedef", "src/repo/x.c", head + "typedef struct x x;\n")
        self.assertEqual(self.problems("src/repo/x.c", head + "/* gets(x) */\nint a = mytime(3);\n"), [])

    def test_lengths(self):
        body = "/* x */\nint f(void)\n{\n" + "\tx();\n" * 61 + "}\n"
        self.assertFinds("function of 61", "src/repo/x.c", body)
        self.assertFinds("801 lines", "src/repo/x.c", "/* x */\n" + "int a;\n" * 800)
        self.assertFinds("columns", "src/repo/x.c", "/* x */\n" + "\t" * 14 + "\n")
        self.assertFinds("indented by spaces", "src/repo/x.c", "/* x */\n        int a;\n")

    def test_white_space(self):
        self.assertFinds("trailing", "docs/x.md", "a \n")
        self.assertFinds("no newline", "docs/x.md", "a")
        self.assertFinds("carriage", "docs/x.md", b"a\r\n")
        self.assertFinds("not a text", "docs/x.md", b"a\0\n")

    def test_places(self):
        for text in ("in /" + "tmp/x", "cd /" + "work/main", "https://pypi" + ".org/simple"):
            self.assertFinds("machine's path", "docs/x.md", text + "\n")
        self.assertEqual(self.problems("docs/x.md", "a/" + "tmp/x and framework/" + "work\n"), [])

    def test_rules(self):
        self.assertFinds("the id is PD2", "rules/build/PD1.yml", "id: PD2\n")
        self.assertFinds("no id", "rules/build/PD1.yml", "name: x\n")
        self.assertEqual(self.problems("rules/build/PD1.yml", "id: PD1\n"), [])

    def test_headers(self):
        with tempfile.TemporaryDirectory() as d:
            root = pathlib.Path(d)
            (root / "src/base").mkdir(parents=True)
            (root / "src/base/banned.h").write_text("")
            (root / "src/base/x.h").write_text("size_t f(void);\n")
            found = list(lint.check_headers(root, ["src/base/x.h"]))
            self.assertIn("does not compile alone", found[0][1])


class GoldenTest(unittest.TestCase):
    def test_subset(self):
        got = {"a": [1, {"b": 2, "c": 3}, 4], "d": True}
        self.assertEqual(golden.subset_problems({"a": [{"b": 2}, 4]}, got), [])
        for want in ({"a": [4, 1]}, {"a": [{"b": 3}]}, {"x": 1}, {"d": 1}, {"a": []}):
            self.assertTrue(golden.subset_problems(want, got), want)

    def test_compare(self):
        with tempfile.TemporaryDirectory() as d:
            case = pathlib.Path(d)
            (case / "expected.out").write_text("a\n")
            for out, err, status, good in ((b"a\n", b"", 0, True), (b"a", b"", 0, False),
                                           (b"a\n", b"x", 0, False), (b"a\n", b"", 1, False)):
                result = subprocess.CompletedProcess([], status, out, err)
                self.assertEqual(not golden.compare(case, result), good)

    def test_fingerprint_sees_changes(self):
        with tempfile.TemporaryDirectory() as d:
            place = pathlib.Path(d)
            (place / "f").write_text("a")
            before = golden.fingerprint(place)
            (place / "f").write_text("b")
            self.assertNotEqual(golden.fingerprint(place), before)


class LawsTest(unittest.TestCase):
    finding = {"rule": "PD101", "path": "a.py", "line": 2, "column": 1, "end_line": 2,
               "end_column": 4, "snippet": "abc", "fingerprint": "1"}

    def test_places(self):
        with tempfile.TemporaryDirectory() as d:
            (pathlib.Path(d) / "a.py").write_bytes(b"x\r\n  abc\r")
            laws.law_places({"findings": [self.finding]}, d)
            for change in ({"line": 9}, {"column": 99}, {"snippet": "ab"}, {"end_line": 1}):
                with self.assertRaises(laws.Broken):
                    laws.law_places({"findings": [{**self.finding, **change}]}, d)

    def test_order(self):
        other = {**self.finding, "line": 1, "fingerprint": "2"}
        files = [{"path": "a.py"}]
        laws.law_order({"files": files, "findings": [other, self.finding]})
        for findings in ([self.finding, other], [self.finding, self.finding]):
            with self.assertRaises(laws.Broken):
                laws.law_order({"files": files, "findings": findings})
        with self.assertRaises(laws.Broken):
            laws.law_order({"files": [], "findings": [self.finding]})


    def test_honest(self):
        result = {"files": [{"path": "a.py"}], "notices": [{"path": "b"}], "repository": {"verdict": "unknown"}}
        laws.law_honest(result)
        with self.assertRaises(laws.Broken):
            laws.law_honest({**result, "repository": {"verdict": "as_is"}})


class SchemaTest(unittest.TestCase):
    rule = {
        "type": "object", "required": ["a"], "additionalProperties": False,
        "properties": {"a": {"$ref": "#/$defs/x"}, "b": {"type": "array", "items": {"enum": ["p", "q"]}}},
        "$defs": {"x": {"oneOf": [{"type": "null"}, {"type": "string", "pattern": "^PD[0-9]+$"}]}},
    }

    def test_good(self):
        for value in ({"a": None}, {"a": "PD1", "b": ["q"]}):
            self.assertEqual(schema.problems(self.rule, value), [])

    def test_bad(self):
        for value in ([], {}, {"a": 1}, {"a": "x"}, {"a": None, "b": ["r"]}, {"a": None, "c": 1}):
            self.assertTrue(schema.problems(self.rule, value), value)

    def test_unknown_keyword(self):
        with self.assertRaises(ValueError):
            schema.problems({"typo": 1}, 1)


class BenchTest(unittest.TestCase):
    def test_judge(self):
        good = {"cost": 1.2, "speed-up": 1.9, "memory": 30.0}
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(bench.judge(good), 0)
            self.assertEqual(bench.judge({**good, "cost": 1.5}), 1)
            self.assertEqual(bench.judge({**good, "memory": 99.0}), 1)


def main():
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__])
    result = unittest.TextTestRunner(verbosity=0, stream=sys.stdout).run(suite)
    failed = len(result.failures) + len(result.errors)
    print(f"selftest: {result.testsRun - failed} passed, {failed} failed, {len(result.skipped)} skipped")
    return 1 if failed else 0


class CorpusTest(unittest.TestCase):
    """An archive is unpacked whole, or not at all."""

    def unpack(self, *members):
        """Each member: name, type, link target or contents. Gives the paths that were written."""
        with tempfile.TemporaryDirectory() as d:
            root = pathlib.Path(d)
            with tarfile.open(root / "a.tar.gz", "w:gz") as archive:
                for name, kind, text in members:
                    info = tarfile.TarInfo(name)
                    info.type, info.linkname = kind, text if kind != tarfile.REGTYPE else ""
                    info.size = len(text) if kind == tarfile.REGTYPE else 0
                    archive.addfile(info, io.BytesIO(text.encode()))
            try:
                corpus.unpack(root / "a.tar.gz", root / "x", "a-1")
            finally:
                self.left = sorted(str(p.relative_to(root)) for p in root.rglob("*") if p.name != "x")
            return [p for p in self.left if p != "a.tar.gz"]

    def assertRefused(self, word, *members):
        with self.assertRaisesRegex(corpus.Bad, word):
            self.unpack(("a-1/ok.py", tarfile.REGTYPE, "x"), *members)
        self.assertEqual(self.left, ["a.tar.gz"])

    def test_good_archive(self):
        self.assertEqual(self.unpack(("a-1", tarfile.DIRTYPE, ""), ("a-1/b/c.py", tarfile.REGTYPE, "x"),
                                     ("a-1/b/d.py", tarfile.SYMTYPE, "../b/c.py")),
                         ["x/a-1", "x/a-1/b", "x/a-1/b/c.py", "x/a-1/b/d.py"])

    def test_ways_out(self):
        for name in ("/a-1/x", "a-1/../../x", "b/x", "a-1\\..\\x"):
            self.assertRefused("leads out|not below", (name, tarfile.REGTYPE, "x"))
        for target in ("/etc/passwd", "../../x", "../b"):
            self.assertRefused("link leads out", ("a-1/x", tarfile.SYMTYPE, target))

    def test_other_kinds(self):
        for kind in (tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE):
            self.assertRefused("no file, folder or symbolic link", ("a-1/x", kind, "a-1/ok.py"))

    def test_twice(self):
        self.assertRefused("exists", ("a-1/x", tarfile.REGTYPE, "x"), ("a-1/x", tarfile.REGTYPE, "y"))
        self.assertRefused("exists", ("a-1/x", tarfile.SYMTYPE, "ok.py"), ("a-1/x", tarfile.REGTYPE, "y"))

    def test_wrong_sum(self):
        with tempfile.TemporaryDirectory() as d:
            entry = corpus.Entry(f"a 1 a-1.tar.gz {'0' * 64} scan")
            (pathlib.Path(d) / entry.file).write_text("x")
            with self.assertRaisesRegex(corpus.Bad, "not the one in"):
                corpus.download(entry, pathlib.Path(d))


class AccuracyTest(unittest.TestCase):
    GOOD = ("0" * 32, "a-1:b/c.py:3", "true", "run")

    def test_form(self):
        self.assertEqual(accuracy.Judgement("x", "\t".join(self.GOOD)).key, ("a-1", "0" * 32))
        for place, bad in ((0, "0" * 31), (0, "G" * 32), (1, "b/c.py:3"), (1, "a-1:b/c.py"), (2, "maybe"),
                           (3, ""), (3, " run")):
            row = [*self.GOOD]
            row[place] = bad
            with self.assertRaises(ValueError, msg=bad):
                accuracy.Judgement("x", "\t".join(row))
        with self.assertRaises(ValueError):
            accuracy.Judgement("x", "\t".join(self.GOOD[:3]))

    def test_judged_twice(self):
        with tempfile.TemporaryDirectory() as d:
            path = pathlib.Path(d) / "PD400.tsv"
            path.write_text("\t".join(self.GOOD) + "\n" + "\t".join(self.GOOD) + "\n")
            with self.assertRaisesRegex(ValueError, "judged twice"):
                accuracy.read_judgements(path)

    def test_precision(self):
        def hit(n, level):
            return accuracy.Hit("a-1", {"rule": "PD400", "level": level, "fingerprint": f"{n:032x}", "message": "",
                                        "group": "", "path": "b.py", "line": n, "state": "open"})

        def row(n, word, reason="run"):
            return accuracy.Judgement("x", f"{n:032x}\ta-1:b.py:{n}\t{word}\t{reason}")
        hits = [hit(1, "change"), hit(2, "change"), hit(3, "check")]
        rows = [row(1, "false"), row(2, "true"), row(3, "true"), row(4, "false")]
        places = accuracy.rules_by_place(hits)
        line = accuracy.Line("PD400", hits, rows, places)
        self.assertTrue(line.weak)
        self.assertEqual((line.words["true"], line.words["false"], line.mended), (2, 1, 1))
        line = accuracy.Line("PD400", hits, [row(1, "false", "looked for: x"), row(2, "true")], places)
        self.assertEqual((line.weak, line.known, line.words["false"]), (False, 1, 0))


if __name__ == "__main__":
    sys.exit(main())
