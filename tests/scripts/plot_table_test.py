#!/usr/bin/env python3
"""starhist plot of tables of starhist analyze, with and without an experiment, and of other files."""

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
sys.path.insert(0, str(ROOT / "scripts/user"))
from figures.table_figures import value_label  # noqa: E402

STARHIST = os.environ.get("STARHIST_PROGRAM", str(ROOT / "build" / "starhist"))


def run(*command):
    environment = dict(os.environ, STARPU_WORKERS_NOBIND="1", STARPU_NCPU="2", STARHIST_PYTHON=sys.executable)
    return subprocess.run([str(word) for word in command], env=environment, text=True, capture_output=True, check=False)


class PlotTable(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def plot(self, *options):
        return run(STARHIST, "plot", *options, "-o", self.path / "plot.png")

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
        self.assertEqual(images[0].shape[:2], (259, 350))
        self.assertTrue((images[0] != images[1]).any())  # a curve more
        self.assertLess(images[0].mean(), 0.999)  # something is drawn
        done = self.plot(table, "--curves", "N-N")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no curve 'N-N'", done.stderr)

    def test_measured_points_and_residual_are_drawn(self):
        table = self.path / "fit.csv"
        rows = "".join(f"{x},{x + 1},{x + 1.1 + 0.1 * (x % 2)},0.5,{0.1 + 0.1 * (x % 2)}\n" for x in range(1, 30))
        head = "# Structure factor, written by starhist\n# quantity: sq\n# q_unit: 1/nm\n# r_w: 0.0123\n"
        table.write_text(head + "q,total,experiment,experiment standard error,residual\n" + rows)
        plot = self.path / "fit.svg"
        self.assertEqual(run(STARHIST, "plot", table, "-o", plot).stderr, "")
        with_points = plot.read_text()
        self.assertEqual(run(STARHIST, "plot", table, "-o", plot, "--inset", "4,9").stderr, "")
        self.assertGreater(plot.read_text().count("<use "), with_points.count("<use ") + 29)  # the points again
        table.write_text(head + "q,total\n" + "".join(",".join(row.split(",")[:2]) + "\n" for row in rows.split()))
        self.assertEqual(run(STARHIST, "plot", table, "-o", plot).returncode, 0)
        without = plot.read_text()
        self.assertIn("axes_2", with_points)
        self.assertNotIn("axes_2", without)
        self.assertGreater(with_points.count("<use "), without.count("<use ") + 29)

    def test_units_of_pair_distribution_functions(self):
        facts = {"quantity": "pdf", "form": "GPDF: 4 pi r rho (g - 1)", "weights": "xray", "length_unit": "A"}
        self.assertEqual(value_label(facts), "$GPDF(r)$ (Å$^{-2}$)")
        facts.update(form="T: D + 4 pi r rho <f>^2", weights="neutron", length_unit="nm")
        self.assertEqual(value_label(facts), "$T(r)$ (fm$^2$ nm$^{-2}$)")
        self.assertEqual(value_label({**facts, "form": "RDF: "}), "$RDF(r)$ (nm$^{-1}$)")
        self.assertEqual(value_label({**facts, "form": "g: "}), "$g(r)$")
        self.assertEqual(value_label({**facts, "length_unit": "unknown"}), "$T(r)$ (fm$^2$)")

    def test_options_of_results_are_refused_for_tables(self):
        table = self.path / "t.csv"
        table.write_text("# X, written by starhist\n# quantity: g\nr,O-O\n1,2\n2,3\n")
        for option in (("--pairs", "O-O"), ("--panels",), ("--out-unit", "A")):
            self.assertIn(f"{option[0]} has no meaning for a table", self.plot(table, *option).stderr)
        self.assertIn("--curves is for tables", self.plot("no.h5", "--curves", "a").stderr)

    def test_an_inset_of_logarithmic_axes_is_refused(self):
        table = self.path / "blocks.csv"
        table.write_text("# X, written by starhist\n# quantity: blocks\nframes per block,O-O\n1,2\n2,3\n4,3\n")
        self.assertIn("--inset needs linear axes", self.plot(table, "--inset", "1,2").stderr)

    def test_other_files(self):
        other = self.path / "other.csv"
        other.write_text("# X, written by starhist\na,b\n1,2\n")
        done = self.plot(other)
        self.assertEqual(done.returncode, 1)
        self.assertIn("not a csv table", done.stderr)
        self.assertNotIn("Traceback", done.stderr)

    def test_bad_usage_has_the_exit_code_of_the_program(self):
        for command in ("plot", "report", "peaks"):
            done = run(STARHIST, command, "--no-such-option")
            self.assertEqual((done.returncode, "unknown option" in done.stderr), (1, True), done.stderr)


if __name__ == "__main__":
    unittest.main()
