#!/usr/bin/env python3
"""starhist analyze --experiment with tables of starhist analyze. STARHIST_PROGRAM names starhist."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("STARHIST_PROGRAM", str(ROOT / "build/starhist"))
WATER = ROOT / "tests/data/water.h5"


class OwnTables(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="starhist-experiment-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.result = cls.folder / "a.h5"
        environment = {**os.environ, "STARPU_WORKERS_NOBIND": "1", "STARPU_HOME": folder.name}
        words = ["--r-max", "1.4", "--bins", "140", "--last", "19", "--blocks", "5", "-q"]
        subprocess.run([PROGRAM, "rdf", WATER, "-o", cls.result, *words], check=True, env=environment)

    def analyze(self, *words, code=0):
        run = subprocess.run([PROGRAM, "analyze", self.result, *words], text=True, capture_output=True, check=False)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def test_a_table_fits_the_result_that_it_comes_from(self):
        for words in (
            ("--quantity", "sq"),
            ("--quantity", "sq", "--experiment-curve", "O-O"),
            ("--quantity", "pdf"),
            ("--quantity", "pdf", "--form", "GPDF", "--weights", "neutron", "--element", "O=O,H=D"),
            ("--quantity", "xray", "--element", "O=O,H=H"),
        ):
            plain = words[: words.index("--experiment-curve")] if "--experiment-curve" in words else words
            for more in ((), ("--errors",), ("--out-unit", "A"), ("--format", "xvg", "--errors"), ("--format", "xvg")):
                table = self.folder / "table"
                table.write_text(self.analyze(*plain, *more).stdout)
                run = self.analyze(*words, "--experiment", str(table), "--format", "json")
                self.assertLess(json.loads(run.stdout)["r_w"], 1e-9, (words, more))
                self.assertNotIn("does not specify its unit", run.stderr)
                left_out = re.search(r"(\d+) points with an error of 0 are left out", run.stderr)
                self.assertEqual(bool(left_out), "pdf" in words and "--q-max" not in words and "--errors" in more)

    def test_curves_of_another_length_unit_are_converted(self):
        table, columns = self.folder / "table", self.folder / "other.dat"
        for form in ("F", "S", "i"):
            words = ("--quantity", "xray", "--element", "O=O,H=H", "--form", form)
            table.write_text(self.analyze(*words, "--q-max", "10", "--out-unit", "A").stdout)
            rows = [row for row in table.read_text().splitlines() if row[0].isdigit()]
            columns.write_text("# Q [1/A], F\n" + "".join(row.replace(",", " ") + "\n" for row in rows))
            run = self.analyze(*words, "--q-max", "100", "--experiment", columns, "--format", "json")
            self.assertLess(json.loads(run.stdout)["r_w"], 1e-9, form)

    def test_other_tables_are_one_message(self):
        table = self.folder / "other.csv"
        for made, words, message in (
            (("--quantity", "sq", "--pairs", "O-O"), ("--quantity", "sq"), "has no column 'total' (there are O-O"),
            (("--quantity", "pdf"), ("--quantity", "pdf", "--form", "G"), "has no column 'G' (there are g"),
            (("--quantity", "pdf"), ("--quantity", "sq"), "has the quantity pdf, and sq is computed"),
            (("--quantity", "sq", "--format", "json"), ("--quantity", "sq"), "is JSON: pass csv, xvg or columns"),
        ):
            table.write_text(self.analyze(*made).stdout)
            self.assertIn(message, self.analyze(*words, "--experiment", str(table), code=1).stderr)

    def test_damaged_rows_are_one_message(self):
        table = self.folder / "damaged.csv"
        lines = self.analyze("--quantity", "sq").stdout.splitlines()
        last = lines[-1]
        for row, message in (
            (last + "x", "in place of a number: export the table again"),
            (last.replace(",", "x,", 1), "in place of a number: export the table again"),
            (lines[-2], "(it must increase): export the table again"),
        ):
            table.write_text("\n".join([*lines[:-1], row]) + "\n")
            run = self.analyze("--quantity", "sq", "--experiment", str(table), code=1)
            self.assertIn(message, run.stderr)
            self.assertIn("damaged.csv: has ", run.stderr)

    def test_another_form_of_the_curve_is_named(self):
        columns = self.folder / "columns.dat"
        xray = ("--quantity", "xray", "--element", "O=O,H=H")
        for quantity, form, other in (
            (("--quantity", "pdf"), "GPDF", "g"),
            (("--quantity", "pdf"), "g", "GPDF"),
            (("--quantity", "pdf"), "RDF", "T"),
            (xray, "F", "S"),
            (xray, "S", "i"),
        ):
            rows = self.analyze(*quantity, "--form", form).stdout.splitlines()
            columns.write_text("".join(row.replace(",", " ") + "\n" for row in rows if row[0].isdigit()))
            words = (*quantity, "--experiment", columns)
            self.assertNotIn("may contain", self.analyze(*words, "--form", form).stderr)
            run = self.analyze(*words, "--form", other)
            self.assertRegex(run.stderr, rf"may contain another form.*but --form {form} gives R_w = [\d.e-]+\): ")
            self.assertIn("# r_w_caveat: ", run.stdout)

    def test_a_missing_scale_and_a_curve_of_other_data_are_reported(self):
        columns = self.folder / "scaled.dat"
        rows = self.analyze("--quantity", "pdf", "--form", "GPDF").stdout.splitlines()
        values = [tuple(map(float, row.split(","))) for row in rows if row[0].isdigit()]
        words = ("--quantity", "pdf", "--form", "GPDF", "--experiment", columns)
        columns.write_text("".join(f"{r} {0.3 * y}\n" for r, y in values))
        self.assertIn("--form GPDF --fit-scale gives R_w = ", self.analyze(*words).stderr)
        self.assertNotIn("may contain", self.analyze(*words, "--fit-scale").stderr)
        columns.write_text("".join(f"{r} {1e-3 * (k % 2 - 0.5)}\n" for k, (r, y) in enumerate(values)))
        self.assertRegex(self.analyze(*words).stderr, r"R_w = \S+ is above 1, where zeros fit better.*--form")
        sq = self.analyze("--quantity", "sq", "--pairs", "O-O").stdout.splitlines()
        columns.write_text("".join(f"{row.split(',')[0]} 0.01\n" for row in sq if row[0].isdigit()))
        run = self.analyze("--quantity", "sq", "--experiment", columns)
        self.assertRegex(run.stderr, r"R_w = \S+ is above 1, where zeros fit better")
        self.assertNotIn("--form", run.stderr)

    def test_undefined_values_are_left_out(self):
        table = self.folder / "gaps.csv"
        lines = self.analyze("--quantity", "sq").stdout.splitlines()
        first = next(k for k, line in enumerate(lines) if line.startswith("q,")) + 1
        lines[first] = lines[first].rpartition(",")[0] + ","
        table.write_text("\r\n".join(lines) + "\r\n")
        run = self.analyze("--quantity", "sq", "--experiment", str(table), "--format", "json")
        self.assertEqual(json.loads(run.stdout)["experiment_points"], len(lines) - first - 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
