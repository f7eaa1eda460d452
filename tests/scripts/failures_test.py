#!/usr/bin/env python3
"""Tests that no command of starhist prints a Python traceback. STARHIST_PROGRAM names starhist."""

import importlib.util
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("STARHIST_PROGRAM", str(ROOT / "build/starhist"))
WATER = ROOT / "tests/data/water.h5"
ENVIRONMENT = {**os.environ, "STARPU_WORKERS_NOBIND": "1", "STARHIST_PYTHON": sys.executable}

if any(importlib.util.find_spec(name) is None for name in ("numpy", "matplotlib")):
    print("SKIPPED: numpy or matplotlib is missing")
    sys.exit(77)

FAILING = """
import sys
sys.path.insert(0, sys.argv.pop(1))
from command_parser import CommandParser
CommandParser(prog="starhist test").parse_args([])
raise {error}
"""


class NoTracebacks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="starhist-failures-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.result = cls.folder / "a.h5"
        words = [WATER, "-o", cls.result, "--r-max", "0.5", "--bins", "50", "--last", "5"]
        subprocess.run([PROGRAM, "rdf", *words], check=True, capture_output=True, env=ENVIRONMENT)
        cls.junk = cls.folder / "junk.h5"
        cls.junk.write_text("no result\n")

    def starhist(self, *words):
        return subprocess.run(
            [PROGRAM, *map(str, words)], capture_output=True, text=True, check=False, env=ENVIRONMENT, cwd=self.folder
        )

    def test_bad_files_and_folders(self):
        for words, expected in (
            (("plot", self.result, "-o", "none/a.png"), "none does not exist (create it"),
            (("plot", self.result, "-o", "."), "is a folder"),
            (("plot", self.result, "-o", "new/"), "is a folder (pass the name of a file in it, such as new/out.svg)"),
            (("plot", self.result, "-o", "a.xyz"), "the ending .xyz is not one of a figure"),
            (("peaks", self.result, "-o", "none/a.csv"), "none does not exist"),
            (("report", self.result, "-o", "none/a.html"), "none does not exist"),
            (("compare", self.result, self.result, "-o", "none/a.png"), "none does not exist"),
            (("plot", self.junk, "-o", "a.png"), "is not a starhist result"),
            (("peaks", self.junk), "is not a starhist result"),
            (("report", self.junk, "-o", "a.html"), "is not a starhist result"),
            (("report", self.result, "-o", "a.html", "--run", self.junk), "not a summary"),
            (("compare", self.result, self.junk), "not a table"),
            (("compare", self.result, self.folder), "Is a directory"),
            (("compare-schedulers", self.folder / "no.h5", "--r-max", "1", "--bins", "5"), "does not exist"),
        ):
            with self.subTest(words):
                run = self.starhist(*words)
                self.assertEqual(run.returncode, 1, run.stderr)
                self.assertIn(expected, run.stderr)
                self.assertNotIn("Traceback", run.stderr)
                self.assertNotIn("[Errno", run.stderr)

    def test_jpeg_is_written(self):
        if importlib.util.find_spec("PIL") is None:
            self.skipTest("Pillow is missing")
        self.assertEqual(self.starhist("plot", self.result, "-o", "a.jpg").returncode, 0)
        self.assertEqual((self.folder / "a.jpg").read_bytes()[:2], b"\xff\xd8")

    def test_an_interrupt_ends_each_command_silently_by_its_signal(self):
        for command in (("plot", "-o", "i.png"), ("report", "-o", "i.html")):
            for seconds in (0.03, 0.1):
                with self.subTest(command, seconds=seconds):
                    process = subprocess.Popen(
                        [PROGRAM, command[0], str(self.result), *command[1:]],
                        stdout=subprocess.DEVNULL,
                        stderr=subprocess.PIPE,
                        env=ENVIRONMENT,
                        cwd=self.folder,
                    )
                    time.sleep(seconds)
                    process.send_signal(signal.SIGINT)
                    messages = process.communicate()[1]
                    self.assertNotIn(b"Traceback", messages)
                    self.assertIn(process.returncode, (-signal.SIGINT, 0), messages)
        self.assertEqual(list(self.folder.glob(".starhist-*")), [])

    def test_packages_named_like_folders_of_the_scripts_are_not_imported(self):
        scripts = ROOT / "scripts/user"
        folders = sorted({path.parent.name for path in scripts.glob("*/*.py")})
        self.assertIn("figures", folders)
        for name in folders:
            (self.folder / "others" / name).mkdir(parents=True)
            (self.folder / "others" / name / "__init__.py").touch()
        words = f"import sys; sys.path.insert(0, {str(scripts)!r}); import {', '.join(folders)}; "
        run = subprocess.run(
            [sys.executable, "-c", words + f"print(*(sys.modules[name].__file__ for name in {folders}), sep='\\n')"],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            env=ENVIRONMENT | {"PYTHONPATH": str(self.folder / "others")},
        )
        self.assertEqual(run.stdout.split(), [str(scripts / name / "__init__.py") for name in folders])

    def fail_with(self, error, **environment):
        return subprocess.run(
            [sys.executable, "-c", FAILING.format(error=error), str(ROOT / "scripts/user")],
            capture_output=True,
            text=True,
            check=False,
            env=ENVIRONMENT | environment,
        )

    def test_an_unexpected_failure_is_one_message(self):
        run = self.fail_with("KeyError('x')")
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stderr, r"^starhist test: KeyError in <string>, line 6 \('x'\): please report this.*\n$")
        self.assertEqual(self.fail_with("MemoryError").stderr, "starhist test: not enough memory\n")
        self.assertIn("Traceback", self.fail_with("KeyError('x')", STARHIST_TRACEBACK="1").stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
