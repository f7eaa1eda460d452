"""Tests run_mutants.py: its mutants of small files, its verdict, and that reasons name mutants."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/checks/campaigns"))
import run_mutants  # noqa: E402


def mutants(code):
    """The changed lines, one of each mutant."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "file.cc"
        path.write_text(code, encoding="ascii")
        with mock.patch.object(run_mutants, "ROOT", pathlib.Path(folder)):
            return [name.split(" -> ")[1] for name, _ in run_mutants.mutants_of("file.cc")]


class Mutants(unittest.TestCase):
    def test_comparisons_and_constants_change(self):
        self.assertEqual(
            mutants("if (a < 2) {\n"), ["if (a <= 2) {", "if (a >= 2) {", "if (a < (2 + 1)) {", "if (a < (2 - 1)) {"]
        )
        self.assertEqual(
            mutants("x = -y + 0.5;\n"), ["x = y + 0.5;", "x = -y - 0.5;", "x = -y + (2.0 * 0.5);", "x = -y + 0.0;"]
        )

    def test_comments_texts_and_includes_stay(self):
        self.assertEqual(mutants('#include <a+1>\n// a < 1\nf("a < 1"); /* 1 */\n'), [])

    def test_equal_lines_have_names_of_their_own(self):
        self.assertEqual(mutants("return true;\nreturn true;\n"), ["return false;", "return false; (place 2)"])

    def test_the_nearest_tests_come_first(self):
        tests = run_mutants.tests_of("codelets/core/counting/bins.cc")
        self.assertEqual(tests[0], ("test_core", "[#bins.test]"))
        self.assertEqual(tests[1:], run_mutants.SUBJECTS["codelets/core/counting/bins.cc"])


class Reasons(unittest.TestCase):
    def test_every_reason_is_that_of_a_mutant(self):
        names = {name for path in run_mutants.SUBJECTS for name, _ in run_mutants.mutants_of(path)}
        self.assertEqual([line for line in run_mutants.reasons() if line not in names], [])


class Campaign(unittest.TestCase):
    """A campaign over one file with 20 mutants, of which the tests kill all but one."""

    def run_with(self, reasons, *options):
        """Exit status and printed lines."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "file.cc").write_text("int a = 1;\n" * 9 + "a = true;\nb = true;\n", encoding="ascii")
            (folder / "reasons.txt").write_text(reasons, encoding="ascii")

            class Build:
                source = folder

                def __init__(self, *_):
                    self.patience = 0.0

                def passes(self, _):
                    text = (folder / "file.cc").read_text(encoding="ascii")
                    changed = text.count("true") + text.count("= 1;") < 11
                    return "killed by test" if changed and "a = false" not in text else "survived"

            out = io.StringIO()
            with (
                mock.patch.object(run_mutants, "ROOT", folder),
                mock.patch.object(run_mutants, "REASONS", folder / "reasons.txt"),
                mock.patch.object(run_mutants, "SUBJECTS", {"file.cc": []}),
                mock.patch.object(run_mutants, "Build", Build),
                mock.patch.object(sys, "argv", ["run_mutants.py", "--work", name, *options]),
                contextlib.redirect_stdout(out),
            ):
                status = run_mutants.main()
            return status, out.getvalue().splitlines()

    def test_a_survivor_needs_a_reason(self):
        status, lines = self.run_with("")
        self.assertEqual(status, 1)
        self.assertEqual(lines[-2], "no reason given: file.cc: a = true; -> a = false;")
        self.assertTrue(
            lines[-1].startswith("seed 1: 20 mutants, 19 killed (95.0 %), 1 survived, 1 of them without a reason")
        )
        status, lines = self.run_with("# why\nfile.cc: a = true; -> a = false;\n  Unused.\n")
        self.assertEqual(status, 0)
        self.assertIn("1 survived, 0 of them without", lines[-1])

    def test_named_mutants_are_repeated(self):
        with tempfile.NamedTemporaryFile("w", suffix=".log") as log:
            log.write("3/9 survived: file.cc: a = true; -> a = false;\nseed 1: 9 mutants\n")
            log.flush()
            _, lines = self.run_with("", "--repeat", log.name)
        self.assertEqual(lines[0], "1/1 survived: file.cc: a = true; -> a = false;")


if __name__ == "__main__":
    unittest.main()
