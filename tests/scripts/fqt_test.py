#!/usr/bin/env python3
"""Intermediate scattering functions of starhist analyze against the formulas of docs/explanation/weights.md in NumPy.

STARHIST_PROGRAM: path of the program.
"""

import csv
import importlib.util
import pathlib
import sys
import tempfile
import unittest

if any(importlib.util.find_spec(name) is None for name in ("h5py", "numpy")):
    print("SKIPPED: h5py or numpy is missing")
    sys.exit(77)

import h5py
import numpy as np

from vanhove_test import DATA, starhist

LAGS = (0, 1, 4, 10)
PAIRS = ("H-H", "H-O", "O-O")
BINS = ("--r-max", 1.4, "--bins", 140)


def close(ours, theirs):
    np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12 * np.abs(theirs).max())


class Water(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="starhist-fqt-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.result = cls.folder / "lags.h5"
        cls.frames = (DATA / "water.h5", *BINS, "--last", 20, "--block", 4)
        lags = ",".join(map(str, LAGS))
        done = starhist("vanhove", *cls.frames, "-o", cls.result, "--lags", lags)
        assert done.returncode == 0, done.stderr
        with h5py.File(cls.result) as file:
            group = file["observables/van_hove"]
            cls.counts = group["value"][:].astype(float)  # [block, channel, bin]
            cls.moved = group["self_value"][:].astype(float)  # [block, lag and species, bin]
            cls.frames_of_lag = group["lag_frames"][:].astype(float)  # [block, lag]
            edges = group["bin_edges"][:]
        cls.number = {"H": 1768.0, "O": 884.0}
        cls.volume = 27.0
        cls.r, cls.width = (edges[1:] + edges[:-1]) / 2, edges[1]
        cls.shell = 4 / 3 * np.pi * (edges[1:] ** 3 - edges[:-1] ** 3)

    def analyzed(self, *options, result=None):
        done = starhist("analyze", result or self.result, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = list(csv.reader(line for line in done.stdout.splitlines() if not line.startswith("#")))
        return {name: np.array([float(row[i] or "nan") for row in rows[1:]]) for i, name in enumerate(rows[0])}

    def kernel(self, q):
        qr = np.outer(q, self.r)
        half = q[:, None] * self.width / 2
        sinc = np.sinc(qr / np.pi)
        return sinc / np.sinc(half / np.pi) + half**2 / 3 * (np.cos(qr) - sinc) / qr**2

    def distinct(self, q, pair, lag, blocks=slice(None)):
        """F_d(q, t) of a pair from some blocks."""
        first, second = pair.split("-")
        frames = self.frames_of_lag[blocks, lag].sum()
        pairs = self.number[first] * (self.number[second] - (first == second))
        ordered = 2 if first == second and LAGS[lag] == 0 else 1
        counts = ordered * self.counts[blocks, 3 * lag + PAIRS.index(pair)].sum(axis=0)
        excess = counts - frames * pairs / self.volume * self.shell
        return self.kernel(q) @ excess / frames / np.sqrt(self.number[first] * self.number[second])

    def moved_part(self, q, species, lag, blocks=slice(None)):
        """F_s(q, t) of a species from some blocks."""
        if LAGS[lag] == 0:
            return np.ones_like(q)
        particles = self.frames_of_lag[blocks, lag].sum() * self.number[species]
        return self.kernel(q) @ self.moved[blocks, 2 * lag + "HO".index(species)].sum(axis=0) / particles

    def total(self, q, lag, blocks=slice(None)):
        everything = sum(self.number.values())
        value = sum(n / everything * self.moved_part(q, name, lag, blocks) for name, n in self.number.items())
        for pair in PAIRS:
            first, second = pair.split("-")
            scale = np.sqrt(self.number[first] * self.number[second]) / everything
            value = value + scale * (1 if first == second else 2) * self.distinct(q, pair, lag, blocks)
        return value

    def columns_of(self, table, name):
        """Columns of a curve, by lag."""
        columns = [column for column in table if column.startswith(f"{name} lag") and "error" not in column]
        self.assertEqual([int(column.split(" lag ")[1].split()[0]) for column in columns], list(LAGS))
        return columns

    def test_distinct_self_and_total_parts(self):
        whole, distinct, moved = (self.analyzed("--quantity", f"fqt{part}") for part in ("", "-distinct", "-self"))
        q = whole["q"]
        self.assertGreater(len(q), 30)
        for lag in range(len(LAGS)):
            for pair in PAIRS:
                expected = self.distinct(q, pair, lag)
                close(distinct[self.columns_of(distinct, pair)[lag]], expected)
                if pair != "H-O":
                    expected = expected + self.moved_part(q, pair[0], lag)
                close(whole[self.columns_of(whole, pair)[lag]], expected)
            for species in "HO":
                close(moved[self.columns_of(moved, species)[lag]], self.moved_part(q, species, lag))
            close(whole[self.columns_of(whole, "total")[lag]], self.total(q, lag))

    def test_errors_are_the_jackknife_over_blocks_as_long_as_the_lag(self):
        table = self.analyzed("--quantity", "fqt", "--errors")
        q = table["q"]
        names = self.columns_of(table, "total")
        each = [[block] for block in range(6)]  # of four frames, the last of one
        for lag, name, joined in zip(range(len(LAGS)), names, (each, each, [[0, 1], [2], [3], [4, 5]], None)):
            errors = table[f"{name} standard error"]
            if joined is None:
                self.assertTrue(np.isnan(errors).all())
                continue
            frames = np.array([self.frames_of_lag[blocks, lag].sum() for blocks in joined])
            rest = [[b for other in joined if other is not left for b in other] for left in joined]
            without = [self.total(q, lag, blocks) for blocks in rest]
            share = frames / frames.sum()
            mean = sum((1 - w) * value for w, value in zip(share, without)) / (len(joined) - 1)
            squares = sum((1 - w) ** 2 * (value - mean) ** 2 for w, value in zip(share, without))
            np.testing.assert_allclose(errors, np.sqrt(squares / (share * (1 - share)).sum()), rtol=1e-8)

    def test_lag_0_equals_the_structure_factor_of_rdf(self):
        rdf = self.folder / "rdf.h5"
        self.assertEqual(starhist("rdf", *self.frames, "-o", rdf).returncode, 0)
        for words, quantity in ((("--partials", "ashcroft-langreth"), "fqt"), ((), "fqt-distinct")):
            static = self.analyzed(*words, "--errors", result=rdf)
            # Faber-Ziman partials have no self part.
            kind = words or ("--partials", "faber-ziman")
            lagged = self.analyzed("--quantity", quantity, *kind, "--errors")
            np.testing.assert_array_equal(lagged["q"], static["q"])
            for name in (*PAIRS, *(["total"] if words else [])):
                column = self.columns_of(lagged, name)[0]
                np.testing.assert_array_equal(lagged[column], static[name])
                error = " standard error"
                np.testing.assert_array_equal(lagged[column + error], static[name + error])

    def test_weights_of_the_intensity(self):
        rdf = self.folder / "weighted.h5"
        self.assertEqual(starhist("rdf", *self.frames, "-o", rdf).returncode, 0)
        lengths = {"H": 6.674, "O": 5.805}  # of deuterium and oxygen [fm]
        for weights in ("xray", "neutron"):
            elements = ("--element", "H=D,O=O" if weights == "neutron" else "H=H,O=O")
            table = self.analyzed("--quantity", "fqt", "--weights", weights, *elements, "--errors")
            self.assertEqual([name for name in table if name.startswith("total")], [])
            columns = self.columns_of(table, "I/N")
            static = self.analyzed("--quantity", weights, *elements, "--errors", result=rdf)
            for ending in ("", " standard error"):
                np.testing.assert_array_equal(table[columns[0] + ending], static["I(q)/N" + ending])
        q, everything = table["q"], sum(self.number.values())
        for lag, column in enumerate(columns):
            value = sum(lengths[s] ** 2 * n / everything * self.moved_part(q, s, lag) for s, n in self.number.items())
            for pair in PAIRS:
                first, second = pair.split("-")
                scale = (
                    np.sqrt(self.number[first] * self.number[second]) / everything * lengths[first] * lengths[second]
                )
                value = value + scale * (1 if first == second else 2) * self.distinct(q, pair, lag)
            close(table[column], value)

    def test_small_q_has_the_mean_squared_displacement(self):
        table = self.analyzed("--quantity", "fqt-self", "--q-min", 0.5, "--q-max", 1, "--q-step", 0.5)
        with h5py.File(self.result) as file:
            group = file["observables/van_hove"]
            squares = group["squared_displacement"][:].sum(axis=0) / group["self_particles"][:].sum(axis=0)
        for s, species in enumerate("HO"):
            for lag, name in list(enumerate(self.columns_of(table, species)))[1:]:
                expected = 1 - table["q"] ** 2 * squares[2 * lag + s] / 6
                np.testing.assert_allclose(table[name], expected, atol=3e-5)

    def test_curves_over_the_lag_are_rows_of_the_curves_over_q(self):
        wanted = (8, 16.5)
        for quantity in ("fqt", "fqt-self", "fqt-distinct"):
            times = self.analyzed("--quantity", quantity, "--errors", "--at-q", ",".join(map(str, wanted)))
            self.assertEqual(len(times["lag"]), len(times["time"]))
            for q in wanted:
                at_q = self.analyzed("--quantity", quantity, "--errors", "--q-min", q, "--q-max", q, "--q-step", 1)
                self.assertEqual(list(at_q["q"]), [q])
                for name in "HO" if quantity == "fqt-self" else PAIRS:
                    columns = self.columns_of(at_q, name)
                    self.assertEqual(len(columns), len(times["lag"]))
                    for ending in ("", " standard error"):
                        expected = [at_q[column + ending][0] for column in columns]
                        np.testing.assert_array_equal(times[f"{name} q={q}{ending}"], expected)

    def test_pairs_and_cuts(self):
        table = self.analyzed("--quantity", "fqt", "--pairs", "O-O", "--r-cut", 1.0, "--window", "lorch")
        self.assertEqual({name.split(" lag")[0] for name in table}, {"q", "O-O"})
        q, lag = table["q"], 2
        window = np.sinc(self.r[:100] / 1.0)
        counts = self.counts[:, 3 * lag + 2].sum(axis=0)[:100]
        frames, number = self.frames_of_lag[:, lag].sum(), self.number["O"]
        excess = (counts - frames * number * (number - 1) / self.volume * self.shell[:100]) * window
        expected = self.kernel(q)[:, :100] @ excess / frames / number + self.moved_part(q, "O", lag)
        close(table[self.columns_of(table, "O-O")[lag]], expected)

    def test_displacements_beyond_the_bins(self):
        short = self.folder / "short.h5"
        words = (DATA / "water.h5", "--r-max", 0.2, "--bins", 20, "--last", 20, "--block", 4)
        self.assertEqual(starhist("vanhove", *words, "-o", short, "--lags", "0,10").returncode, 0)
        done = starhist("analyze", short, "--quantity", "fqt")
        self.assertEqual(done.returncode, 0)
        self.assertIn("lag 10 has", done.stderr)
        self.assertIn("undefined at 1 lag", done.stderr)
        self.assertIn("# undefined_caveat: lag 10 has", done.stdout)
        table = self.analyzed("--quantity", "fqt", result=short)
        self.assertTrue(np.isnan(table["O-O lag 10 (1 ps)"]).all())
        self.assertTrue(np.isfinite(table["O-O lag 0 (0 ps)"]).all())
        self.assertTrue(
            np.isfinite(self.analyzed("--quantity", "fqt-distinct", result=short)["O-O lag 10 (1 ps)"]).all()
        )
        far = self.folder / "far.h5"
        self.assertEqual(starhist("vanhove", *words, "-o", far, "--lags", "10").returncode, 0)
        done = starhist("analyze", far, "--quantity", "fqt-self")
        self.assertEqual(done.returncode, 1)
        self.assertIn("count with a larger --r-max", done.stderr)

    def test_small_q(self):
        for quantity, caveats in (("fqt", 1), ("fqt-distinct", 1), ("fqt-self", 0)):
            done = starhist("analyze", self.result, "--quantity", quantity, "--q-max", 10, "--q-min", 0.5)
            self.assertEqual(done.stderr.count("have no meaning (q below 2 pi/r_cut = 4.4879"), caveats, done.stderr)
            self.assertEqual(done.stdout.count("# q_caveat: rows up to q = 4 have no meaning"), caveats)

    def test_species_that_share_particles(self):
        shared = self.folder / "shared.h5"
        counted = ("vanhove", *self.frames, "-o", shared, "--lags", "0,1", "--species", "O=O; all=O H")
        self.assertEqual(starhist(*counted).returncode, 0)
        for words in (("fqt",), ("fqt-distinct", "--partials", "faber-ziman", "--pairs", "O-O")):
            done = starhist("analyze", shared, "--quantity", *words)
            self.assertEqual(done.returncode, 1, words)
            self.assertIn("the species of O-all share particles", done.stderr)
        q_max = ("--q-max", 30)
        oxygen = self.analyzed("--quantity", "fqt", "--pairs", "O-O", *q_max, result=shared)
        lag = next(name for name in oxygen if "lag 1 " in name)
        np.testing.assert_array_equal(oxygen[lag], self.analyzed("--quantity", "fqt", *q_max)[lag])
        self.assertEqual(len(self.analyzed("--quantity", "fqt-distinct", *q_max, result=shared)), 7)

    def test_bad_input(self):
        rdf = self.folder / "plain.h5"
        self.assertEqual(starhist("rdf", *self.frames, "-o", rdf).returncode, 0)
        for result, words, problem in (
            (rdf, ("--quantity", "fqt"), "count with starhist vanhove"),
            (DATA / "water.h5", ("--quantity", "fqt"), "is not a result of starhist vanhove"),
            (self.result, (), "analyze --quantity fqt"),
            (self.result, ("--quantity", "fqt", "--debye"), "--debye has no meaning for --quantity fqt"),
            (self.result, ("--quantity", "fqt", "--element", "H=D"), "--element has no meaning"),
            (self.result, ("--quantity", "fqt", "--experiment", "x"), "--experiment has no meaning"),
            (self.result, ("--quantity", "fqt-self", "--weights", "xray"), "--weights has no meaning"),
            (self.result, ("--quantity", "fqt", "--weights", "xray", "--pairs", "O-O"), "sum over all pairs"),
            (self.result, ("--quantity", "fqt", "--partials", "faber-ziman"), "use --quantity fqt-distinct"),
            (self.result, ("--quantity", "fqt-distinct", "--partials", "bhatia-thornton"), "ashcroft-langreth"),
            (
                self.result,
                ("--quantity", "fqt-self", "--pairs", "O-O"),
                "--pairs has no meaning for --quantity fqt-self",
            ),
            (self.result, ("--quantity", "fqt", "--q-max", 1000), "exceeds pi/w"),
            (self.result, ("--quantity", "fqt", "--at-q", "20,1000"), "exceeds pi/w"),
            (self.result, ("--quantity", "fqt", "--at-q", "20", "--q-min", 3), "--q-min has no meaning with --at-q"),
            (self.result, ("--quantity", "fqt", "--at-q", "-1"), "--at-q -1 is not"),
            (self.result, ("--quantity", "fqt", "--at-q", ""), "--at-q needs a value"),
            (rdf, ("--quantity", "sq", "--at-q", "20"), "--at-q has no meaning for --quantity sq"),
        ):
            done = starhist("analyze", result, *words)
            self.assertEqual(done.returncode, 1, words)
            self.assertIn(problem, done.stderr)


if __name__ == "__main__":
    unittest.main()
