#!/usr/bin/env python3
"""Tests of scripts/checks/check_abi.sh: which changes of a shared library it reports."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[2] / "scripts/checks/check_abi.sh"
HEADER = """
struct sums { long frames; double volume; };
int sum_up(struct sums *sums, int block);
int forget(void);
"""
SOURCE = """
#include "sums.h"
int sum_up(struct sums *sums, int block) { sums->frames = block; return 0; }
int forget(void) { return 0; }
"""


class Interface(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="starhist-abi-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.library = self.folder / "libsums.so"
        self.build()
        self.assertEqual(self.check("--update").returncode, 0)

    def build(self, *replaced):
        header, source = HEADER, SOURCE
        for old, new in replaced:
            self.assertIn(old, header + source)
            header, source = header.replace(old, new), source.replace(old, new)
        (self.folder / "sums.h").write_text(header)
        (self.folder / "sums.c").write_text(source)
        subprocess.run(["cc", "-g", "-shared", "-fPIC", "-o", self.library, self.folder / "sums.c"], check=True)

    def check(self, *update):
        return subprocess.run(
            [CHECK, *update, self.library, self.folder / "sums.abi", self.folder],
            capture_output=True,
            text=True,
            check=False,
        )

    def assert_reported(self, words):
        done = self.check()
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(words, done.stdout)

    def test_the_same(self):
        self.build(("return 0;", "return 1;"))
        done = self.check()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_function_removed(self):
        self.build(("int forget(void);", ""), ("int forget(void) { return 0; }", ""))
        self.assert_reported("would break")

    def test_member_inserted(self):
        self.build(("long frames;", "long frames; long first;"))
        self.assert_reported("interface has changed")

    def test_function_added(self):
        self.build(
            ("int forget(void);", "int forget(void);\nint more(void);"),
            ("int forget(void) {", "int more(void) { return 2; }\nint forget(void) {"),
        )
        self.assert_reported("interface has changed")

    def test_no_library(self):
        self.library.unlink()
        self.assertNotEqual(self.check().returncode, 0)


if __name__ == "__main__":
    if not shutil.which("abidiff") or not shutil.which("cc"):
        print("SKIPPED: there is no abidiff (package abigail-tools) or no C compiler")
        sys.exit(77)
    unittest.main()
