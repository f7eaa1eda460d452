#!/usr/bin/env python3
"""scripts/user/plot_table.py on a table of starhist analyze, and on what is none."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import matplotlib.pyplot
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts/user/plot_table.py"
STARHIST = os.environ.get("STARHIST_PROGRAM", str(ROOT / "build" / "starhist"))


def run(*command):
    environment = dict(os.environ, STARPU_WORKERS_NOBIND="1", STARPU_NCPU="2")
    return subprocess.run([str(word) for word in command], env=environment, text=True, capture_output=True, check=False)


class PlotTable(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def plot(self, *options):
        return run(sys.executable, SCRIPT, *options, "-o", self.path / "plot.png")

    def test_curves_with_errors(self):
        result, table = self.path / "out.h5", self.path / "sq.csv"
        done = run(
            STARHIST, "rdf", ROOT / "tests/data/water.h5", "-o", result, "--r-max", 1, "--bins", 500, "--block", 10
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        done = run(STARHIST, "analyze", result, "--errors", "-o", table)
        self.assertEqual(done.returncode, 0, done.stderr)
        images = []
        for curves in ("O-O", "O-O,total"):
            done = self.plot(table, "--curves", curves, "--dpi", 100)
            self.assertEqual(done.returncode, 0, done.stderr)
            images.append(matplotlib.pyplot.imread(self.path / "plot.png"))
        self.assertEqual(images[0].shape[:2], (260, 350))
        self.assertTrue((images[0] != images[1]).any())  # a curve more
        self.assertLess(images[0].mean(), 0.999)  # something is drawn
        done = self.plot(table, "--curves", "N-N")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no curve 'N-N'", done.stderr)

    def test_other_files(self):
        other = self.path / "other.csv"
        other.write_text("a,b\n1,2\n")
        done = self.plot(other)
        self.assertEqual(done.returncode, 1)
        self.assertIn("not a CSV table", done.stderr)
        self.assertNotIn("Traceback", done.stderr)

    def test_bad_usage_has_the_exit_code_of_the_program(self):
        for command in ("plot", "report", "peaks"):
            done = run(STARHIST, command, "--no-such-option")
            self.assertEqual((done.returncode, "unknown option" in done.stderr), (1, True), done.stderr)


if __name__ == "__main__":
    unittest.main()
