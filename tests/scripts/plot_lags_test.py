#!/usr/bin/env python3
"""Tests of starhist plot with results of starhist vanhove. STARHIST_PROGRAM: path of the program."""

import csv
import importlib.util
import os
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

if any(importlib.util.find_spec(name) is None for name in ("h5py", "numpy", "matplotlib")):
    print("SKIPPED: h5py, numpy or matplotlib is missing")
    sys.exit(77)

sys.path.insert(0, str(ROOT / "scripts/user"))
import matplotlib.image  # noqa: E402
import numpy as np  # noqa: E402

from curves.lag_curves import is_lag_result, read_lag_curves  # noqa: E402
from figures.lag_figures import draw_lags  # noqa: E402
from starhist_program import ResultError, asking  # noqa: E402
from vanhove_test import DATA, starhist  # noqa: E402

LAGS = (0, 1, 4)
BINS = ("--r-max", 1.2, "--bins", 120)


class PlotLags(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="starhist-plot-lags-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.result = cls.folder / "lags.h5"
        cls.frames = (DATA / "water.h5", *BINS, "--last", 12, "--block", 4)
        lags = ",".join(map(str, LAGS))
        done = starhist("vanhove", *cls.frames, "-o", cls.result, "--lags", lags)
        assert done.returncode == 0, done.stderr
        cls.program = asking(os.environ.get("STARHIST_PROGRAM", str(ROOT / "build/starhist")))

    def exported(self, quantity, *options):
        """{column: values} of a table of starhist export."""
        text = starhist("export", self.result, "--quantity", quantity, *options).stdout
        rows = list(csv.reader(line for line in text.splitlines() if not line.startswith("#")))
        return {name: np.array([float(row[k] or "nan") for row in rows[1:]]) for k, name in enumerate(rows[0])}

    def figure(self, quantity, as_map=False, chosen=()):
        return draw_lags(read_lag_curves(self.program, self.result, quantity, chosen), as_map)

    def plotted(self, *words, code=0):
        done = starhist("plot", *words)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr

    def test_curves_of_pairs_are_those_of_export(self):
        table = self.exported("g")
        titles = [axes.get_title() for axes in self.figure("g").axes[:3]]
        self.assertEqual(titles, ["H-H", "H-O", "O-O"])
        for axes, title in zip(self.figure("g").axes, titles):
            lines = axes.get_lines()[1:]  # the first is the level 1
            columns = [name for name in table if name.startswith(f"{title} lag")]
            self.assertEqual(len(lines), len(LAGS))
            for line, name in zip(lines, columns, strict=True):
                np.testing.assert_array_equal(line.get_ydata(), table[name])
                np.testing.assert_allclose(line.get_xdata(), table["r"], rtol=1e-14)

    def test_curves_of_displacements_integrate_to_one(self):
        table = self.exported("self")
        axes = self.figure("self", chosen=("--species", "O")).axes[0]
        lines = axes.get_lines()
        self.assertEqual(len(lines), len(LAGS) - 1)  # without lag 0
        for line, name in zip(lines, [name for name in table if name.startswith("O lag")][1:], strict=True):
            np.testing.assert_allclose(line.get_ydata(), 4 * np.pi * table["r"] ** 2 * table[name], rtol=1e-12)
            self.assertAlmostEqual(float(np.sum(line.get_ydata()) * 0.01), 1.0, delta=0.02)

    def test_a_map_has_a_row_for_each_lag(self):
        table = self.exported("g")
        mesh = self.figure("g", True, ("--pairs", "O-O")).axes[0].collections[0]
        rows = np.array([values for name, values in table.items() if name.startswith("O-O lag")])
        np.testing.assert_array_equal(np.asarray(mesh.get_array()).reshape(rows.shape), rows)
        self.assertEqual(mesh.get_cmap().name, "RdBu_r")
        labels = [text.get_text() for text in self.figure("g", True).axes[0].get_yticklabels()]
        self.assertEqual(labels, ["0", "0.1", "0.4"])

    def test_displacements_have_the_time_of_their_lag(self):
        table = self.exported("msd")
        axes = self.figure("msd").axes[0]
        for line, species in zip(axes.get_lines(), ("H", "O"), strict=True):
            np.testing.assert_allclose(line.get_xdata(), [0.1, 0.4], rtol=1e-6)
            np.testing.assert_array_equal(line.get_ydata(), table[species][1:])
        self.assertEqual((axes.get_xscale(), axes.get_yscale()), ("log", "log"))

    def test_the_program_writes_each_figure(self):
        seen = set()
        for words in ((), ("--map",), ("--quantity", "self"), ("--quantity", "self", "--map"), ("--quantity", "msd")):
            path = self.folder / "figure.png"
            self.plotted(self.result, "-o", path, "--dpi", 60, *words)
            picture = matplotlib.image.imread(path)[..., :3]
            seen.add(picture.tobytes())
            self.assertGreater(len(np.unique(picture.reshape(-1, 3), axis=0)), 20, words)
        self.assertEqual(len(seen), 5)

    def test_tables_of_lags(self):
        table = self.folder / "msd.csv"
        self.assertEqual(starhist("export", self.result, "--quantity", "msd", "-o", table).returncode, 0)
        plot = self.folder / "msd.svg"
        self.plotted(table, "-o", plot)
        self.assertIn("lag (ps)", plot.read_text())
        self.assertIn("there are H, O", self.plotted(table, "-o", plot, "--curves", "time", code=1))
        self.assertEqual(starhist("export", self.result, "--map", "-o", table).returncode, 0)
        self.assertIn("has no curves", self.plotted(table, "-o", plot, code=1))

    def test_options_that_do_not_apply(self):
        plot = self.folder / "refused.svg"
        for words in (("--panels",), ("--rebin", 2), ("--label", "a"), ("--inset", "1,2"), ("--x-max", 3)):
            self.assertIn(
                f"{words[0]} does not apply to a result of starhist vanhove",
                self.plotted(self.result, "-o", plot, *words, code=1),
            )
        for words, problem in (
            (("--map", "--quantity", "msd"), "--map has no meaning with msd"),
            (("--species", "O"), "--species does not apply to --quantity g"),
            (("--quantity", "self", "--pairs", "O-O"), "--pairs does not apply to --quantity self"),
            (("--quantity", "self", "--species", "X"), "species 'X' is not in"),
            ((self.result,), "are drawn one by one"),
        ):
            self.assertIn(problem, self.plotted(self.result, "-o", plot, *words, code=1))
        self.assertFalse(plot.exists())

    def test_a_result_of_lag_0_has_no_displacements(self):
        none = self.folder / "none.h5"
        self.assertEqual(starhist("vanhove", *self.frames, "-o", none, "--lags", "0").returncode, 0)
        plot = self.folder / "none.svg"
        self.assertIn("has only lag 0", self.plotted(none, "-o", plot, "--quantity", "msd", code=1))
        self.plotted(none, "-o", plot)

    def test_other_results(self):
        rdf = self.folder / "rdf.h5"
        self.assertEqual(starhist("rdf", *self.frames, "-o", rdf).returncode, 0)
        self.assertFalse(is_lag_result(self.program, rdf))
        self.assertTrue(is_lag_result(self.program, self.result))
        with self.assertRaises(ResultError):
            read_lag_curves(self.program, rdf, "self")
        self.assertIn("has no second axis", self.plotted(rdf, "-o", self.folder / "a.svg", "--map", code=1))
        for words in (("--quantity", "g"), ("--species", "O")):
            problem = self.plotted(rdf, "-o", self.folder / "a.svg", *words, code=1)
            self.assertIn(f"{words[0]} is for results of starhist vanhove", problem)


if __name__ == "__main__":
    unittest.main()
