#!/usr/bin/env python3
"""Tests of scripts/user/compare.py. STARHIST_PROGRAM names starhist."""

import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from types import SimpleNamespace

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts/user/compare.py"
PROGRAM = os.environ.get("STARHIST_PROGRAM", str(ROOT / "build/starhist"))
WATER = ROOT / "tests/data/water.h5"

if any(importlib.util.find_spec(name) is None for name in ("numpy", "matplotlib")):
    print("SKIPPED: numpy or matplotlib is missing")
    sys.exit(77)

sys.path.insert(0, str(ROOT / "scripts/user"))
import numpy as np  # noqa: E402

import spoiled_curves  # noqa: E402
from comparison import block_test, column_names, compare_figure, compare_runs, curve_causes  # noqa: E402
from comparison.curve_files import read_curves, rounding_of  # noqa: E402
from curves.rdf_extrema import Blocks  # noqa: E402
from starhist_program import ResultError  # noqa: E402

EDGES = np.linspace(0, 1, 101)
R = (EDGES[:-1] + EDGES[1:]) / 2
SHELLS = 4 / 3 * np.pi * np.diff(EDGES**3)
CENTRES, DENSITY = 20_000, 33.0


def model(shift, height):
    g = (
        1
        + (1.9 + height) * np.exp(-0.5 * ((R - 0.28 - shift) / 0.025) ** 2)
        - 0.3 * np.exp(-0.5 * ((R - 0.36) / 0.03) ** 2)
    )
    return np.where(R < 0.2, 0, g)


def run_of(random, blocks, correlation, change=0.0):
    """(Curve, Blocks): the place and height of the peak follow AR(1) from block to block, counts have noise."""
    state, counts = random.normal(size=2), []
    for _ in range(blocks + 1):
        state = correlation * state + np.sqrt(1 - correlation**2) * random.normal(size=2)
        counts.append(random.poisson(CENTRES * DENSITY * SHELLS * model(0.004 * state[0], 0.1 * state[1] + change)))
    counts = np.array(counts[1:], float)
    ones = np.ones(blocks)
    sums = Blocks(counts, 0 * ones, CENTRES * DENSITY * ones, 100 * ones, [CENTRES * ones])
    value = counts.sum(axis=0) / (blocks * CENTRES * DENSITY * SHELLS)
    return SimpleNamespace(pair="A-A", edges=EDGES, value=value, counts=counts.sum(axis=0), bonded=0), sums


class Calibration(unittest.TestCase):
    def test_equal_runs_alarm_as_often_as_they_should(self):
        for seed, correlation in ((1, 0.0), (2, 0.4)):
            random, alarms = np.random.default_rng(seed), 0
            for _ in range(1000):
                found = compare_runs.difference(run_of(random, 16, correlation), run_of(random, 16, correlation), 3)
                alarms += found.p < 0.05
            print(f"correlation {correlation}: {alarms} alarms of 1000 at 5 %")
            self.assertTrue(40 <= alarms <= 60, alarms)

    def test_a_difference_of_three_standard_errors_is_found(self):
        random, found = np.random.default_rng(3), 0
        for _ in range(40):
            found += compare_runs.difference(run_of(random, 16, 0), run_of(random, 16, 0, change=0.15), 3).p < 0.05
        self.assertGreater(found, 34)

    def test_blocks_without_the_pair_are_left_out(self):
        random = np.random.default_rng(3)
        one, (curve, sums) = (run_of(random, 16, 0.0) for _ in range(2))
        expected = compare_runs.difference(one, (curve, sums), 3)

        def with_empty(values):
            return np.concatenate([values, 0 * values[:3]])

        arrays = {name: with_empty(getattr(sums, name)) for name in ("neighbours", "below", "norm")}
        frames, particles = np.append(sums.frames, [100.0] * 3), [with_empty(sums.particles[0])]
        found = compare_runs.difference(one, (curve, Blocks(frames=frames, particles=particles, **arrays)), 3)
        self.assertEqual((found.p, found.blocks), (expected.p, (16, 16)))
        np.testing.assert_array_equal(found.other_error, expected.other_error)

    def test_tail_of_the_f_distribution(self):
        # Values of scipy.stats.f.sf.
        for x, m, n, expected in ((1, 1, 5, 0.3632175), (2, 3, 20, 0.1464388), (5, 8, 50, 0.00013828)):
            self.assertAlmostEqual(float(block_test.f_tail(np.array([x]), m, n)[0]), expected, delta=1e-7)


class Causes(unittest.TestCase):
    def test_causes_of_spoiled_curves_are_named(self):
        wrong = []
        for seed in range(5000, 5200):
            kinds, curve, pair, counts, volume = spoiled_curves.make(seed)
            exact = curve_causes.exact_of(pair, counts, volume)
            found = curve_causes.causes_of(exact, curve.r, curve.g, "", "nm", curve.step)
            if {cause.kind for cause in found.causes} != kinds:
                wrong.append((seed, sorted(kinds), sorted(cause.kind for cause in found.causes)))
        print(f"{200 - len(wrong)} of 200 curves explained; wrong: {wrong}")
        self.assertLessEqual(len(wrong), 10)

    def test_the_explained_curve_is_the_curve(self):
        for seed in range(20):
            kinds, curve, pair, counts, volume = spoiled_curves.make(seed)
            exact = curve_causes.exact_of(pair, counts, volume)
            found = curve_causes.causes_of(exact, curve.r, curve.g, "", "nm", curve.step)
            if found.exact_bins and "ties" not in kinds:
                far = abs(found.value - found.explained)[1:].max()
                self.assertLess(far, 0.51 * curve.step + 2e-4 * found.value[1:].max(), (seed, kinds))

    def test_self_pairs_are_found_whatever_the_rounding_of_the_first_edge(self):
        # 0.05 - 0.1 / 2 and 0.005 - 0.01 / 2 are not 0 as differences of computed numbers.
        for unit, size in (("A", 1.0), ("nm", 0.1)):
            edges = np.linspace(0, 9 * size, 181)
            number, frames = 200, 30
            pairs = number * (number - 1) // 2
            norm = frames * pairs / (6000.0 * size**3)
            counts = np.round(norm * 4 / 3 * np.pi * np.diff(edges**3) * (edges[1:] > 2.5 * size))
            exact = curve_causes.Exact(edges, counts, norm, frames * pairs, frames, number, 1.0)
            wide = np.linspace(0, 9 * size, 91)
            value = counts.reshape(-1, 2).sum(axis=1)
            value[0] += 0.5 * number * frames
            value *= (number - 1) / number / (norm * 4 / 3 * np.pi * np.diff(wide**3))
            found = curve_causes.causes_of(exact, 0.5 * (wide[:-1] + wide[1:]), value, unit, unit, 0)
            self.assertEqual([cause.kind for cause in found.causes], ["self pairs", "norm"], unit)

    def test_a_norm_by_all_pairs_of_a_curve_that_excludes_some_is_named(self):
        """As of gmx rdf -excl: 40 of 40^2 pairs of two species are of the same molecule."""
        edges = np.linspace(0, 1, 101)
        molecules, frames = 40, 200
        pairs = molecules * (molecules - 1) * frames
        norm = pairs / 8.0
        counts = np.round(norm * 4 / 3 * np.pi * np.diff(edges**3) * (edges[1:] > 0.25))
        pair = SimpleNamespace(
            label="C-O",
            species=(0, 1),
            pairs=np.array([pairs]),
            pairs_over_volume=np.array([norm]),
            counts=counts[None],
        )
        numbers = np.array([[molecules * frames] * 2])
        r = 0.5 * (edges[:-1] + edges[1:])
        value = counts / (norm * 4 / 3 * np.pi * np.diff(edges**3)) * (molecules - 1) / molecules
        for option, kind in (("molecule", "norm"), ("none", "factor")):
            result = SimpleNamespace(
                edges=edges,
                frames=np.array([frames]),
                particle_number=numbers,
                provenance={"option --exclude-same": option},
            )
            found = curve_causes.causes_of(curve_causes.exact_of(pair, result, 1.0), r, value, "nm", "nm", 0)
            self.assertEqual([cause.kind for cause in found.causes], [kind], option)


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="starhist-compare-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def read(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return read_curves(path)

    def test_formats_of_other_programs(self):
        rows = [(0.05 * k + 0.025, 1 + 0.125 * k) for k in range(10)]
        plain = "\n".join(f"{r:.3f} {g:.3f}" for r, g in rows)
        texts = {
            "gmx.xvg": '# gmx rdf\n@    xaxis  label "r (nm)"\n@ s0 legend "OW"\n' + plain,
            "plain.dat": "# r g\n" + plain,
            "excel.csv": "r [nm];g\n" + plain.replace(" ", ";"),
            "head.csv": "r,O-O\n" + plain.replace(" ", ","),
            "lammps.rdf": "# Time-averaged data\n# TimeStep Number-of-rows\n# Row c_1[1] c_1[2] c_1[3]\n"
            + "".join(
                f"{t} 10\n" + "".join(f"{k} {r} {g} {t}\n" for k, (r, g) in enumerate(rows, 1)) for t in (0, 100)
            ),
            "own.json": json.dumps({"r": [r for r, _ in rows], "g": [g for _, g in rows]}),
        }
        for name, text in texts.items():
            with self.subTest(name):
                table = self.read(name, text)
                np.testing.assert_allclose(table.r, [r for r, _ in rows], atol=1e-9)
                np.testing.assert_allclose(next(iter(table.columns.values())), [g for _, g in rows], atol=1e-9)
        self.assertIn("2 time steps, of which the last", self.read("lammps.rdf", texts["lammps.rdf"]).notes[0])
        self.assertEqual(self.read("plain.dat", texts["plain.dat"]).notes, [])
        self.assertEqual(self.read("gmx.xvg", texts["gmx.xvg"]).unit, "nm")
        self.assertEqual(self.read("excel.csv", texts["excel.csv"]).unit, "nm")
        np.testing.assert_allclose(self.read("plain.dat", texts["plain.dat"]).rounding["g"], 5e-4)

    def test_rounding_of_printed_numbers(self):
        np.testing.assert_allclose(rounding_of(["0.100", "12.345", "3.000"]), 5e-4)
        # %.6g removes trailing zeros; the last digit follows the size of a number.
        np.testing.assert_allclose(rounding_of(["0", "0.5", "1.23457", "0.0123457", "12", "1e-07"]),
                                   [0, 5e-7, 5e-6, 5e-8, 5e-5, 5e-13])  # fmt: skip
        self.assertFalse(rounding_of(["0.1", "0.30000000000000004"]).any())

    def test_other_files_are_one_message(self):
        rows = [f"{0.1 * k:.1f} 1.0" for k in range(12)]
        for text, words in (
            ("a page of prose\nwith two lines\n", "not a table of r and g(r)"),
            ("\n".join(rows[:3]), "eight rows"),
            ("\n".join(rows[:6] + rows[4:]), "r does not increase at row 7"),
            ("\n".join(rows[:6] + rows[8:]), "the step of r changes at row 7"),
            ('{"g": [1, 2]}', "no list named r"),
            ("{", "pass xvg, csv, dat or json"),
            ("r;g\n0,1;0\n0,2;1\n", "line 2 '0,1;0' has decimal commas"),
            ("0,1\t0\n0,2\t1\n", "line 1"),
            ("r g\n1 -0,15\n2 -0,37\n", "line 2 '1 -0,15' has decimal commas"),
            ("\n".join([*rows[:4], "0.4 abc", *rows[5:]]), "line 5: 'abc' is not a number"),
            ("\0" + "\n".join(rows), "a binary file"),
            ("# quantity: coordination\n" + "\n".join(rows), "holds coordination, not g(r)"),
            ('@ title "Cumulative Number RDF"\n' + "\n".join(rows), "holds cumulative numbers, not g(r)"),
            ('{"quantity": "sq", "q": [1, 2]}', "holds sq, not g(r)"),
        ):
            with (
                self.subTest(words),
                self.assertRaisesRegex(ResultError, words.replace("(", r"\(").replace(")", r"\)")),
            ):
                self.read("bad.dat", text)

    def test_names_of_columns(self):
        plain = "\n".join(f"{0.1 * k:.1f} 1.0 2.0" for k in range(12))
        for head, names in (
            ("# r g(r) n(r)  O-H (like another program)\n", ["g(r)", "n(r)"]),
            ("# made by numpy\n# r(nm) O-O O-H\n", ["O-O", "O-H"]),
            ('@ subtitle "reference name OW"\n@ s0 legend "OW"\n@ s1 legend "name HW"\n', ["OW-OW", "OW-HW"]),
            ("# two curves of water\n", ["column 2", "column 3"]),
        ):
            with self.subTest(head):
                self.assertEqual(list(self.read("head.dat", head + plain).columns), names)

    def test_trajectories_are_no_curves(self):
        with self.assertRaisesRegex(ResultError, "is a trajectory or a structure, not a curve: count it"):
            self.read("run.gro", "water\n")


class Columns(unittest.TestCase):
    PAIRS = {"H-H": ("H", "H"), "H-O": ("H", "O"), "O-O": ("O", "O")}

    def test_spellings_of_a_pair(self):
        for name in ("H-O O-H O_H g_O-H g_OH gOH g(O-H) g_{O-H}(r) OH H/O O-H(r) rdf_O-H RDF:OH O\u2013H".split()) + [
            "g(r) O-H",
            "O-H g(r)",
            "O H",
            "O - H",
        ]:
            found = column_names.columns_of_pairs("f", ["O-O", name, "H-H"], "", {"H-O": ("H", "O")}, "HO")
            self.assertEqual(found, [(name, "H-O")])
        self.assertIsNone(column_names.pair_named("HO", {"H", "O", "HO"}))  # ambiguous
        self.assertEqual(column_names.pair_named("gO-H", {"H", "O", "gO"}), ("H", "gO"))

    def test_every_pair_that_has_a_column_is_compared(self):
        found = column_names.columns_of_pairs("f", ["O-O", "X-X", "O-H"], "", self.PAIRS, "HO")
        self.assertEqual(found, [("O-H", "H-O"), ("O-O", "O-O")])
        found = column_names.columns_of_pairs("f", ["O-H", "H-O"], "", {"H-O": ("H", "O")}, "HO")
        self.assertEqual(found, [("H-O", "H-O")])
        found = column_names.columns_of_curves("ab", (["H-O", "O-O"], ["O-O", "g_OH", "O-H"]), "", "")
        self.assertEqual(found, [("H-O", "O-H"), ("O-O", "O-O")])

    def test_only_one_curve_may_lack_a_name(self):
        one = {"O-O": ("O", "O")}
        for names, column in (
            (["column 2"], "column 2"),
            (["rdf", "count"], "rdf"),
            (["c_rdf[2]", "c_rdf[3]"], "c_rdf[2]"),
        ):
            self.assertEqual(column_names.columns_of_pairs("f", names, "", one, "HO"), [(column, "O-O")])
        for names, pairs, words in (
            (["H-H"], one, "no column is named like O-O .there are H-H.: choose"),
            (["water"], one, "no column is named like O-O"),
            (["column 2", "column 3"], one, "no column is named like O-O"),
            (["O O", "g_OO"], one, "several columns are named like O-O"),
            (["g"], self.PAIRS, "choose one with --pairs"),
        ):
            with self.subTest(names), self.assertRaisesRegex(ResultError, words):
                column_names.columns_of_pairs("f", names, "", pairs, "HO")
        self.assertEqual(column_names.columns_of_pairs("f", ["water", "x"], "water", one, "HO"), [("water", "O-O")])
        with self.assertRaisesRegex(ResultError, "no column in common with a"):
            column_names.columns_of_curves("ab", (["H-H"], ["O-O"]), "", "")


class Command(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="starhist-compare-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.first = cls.count("first.h5", "--last", "19", "--block", "2")
        cls.second = cls.count("second.h5", "--first", "20", "--last", "39", "--block", "2", bins=70)

    @classmethod
    def count(cls, name, *options, bins=140):
        environment = {**os.environ, "STARPU_WORKERS_NOBIND": "1", "STARPU_HOME": str(cls.folder)}
        words = ["--r-max", "1.4", "--bins", str(bins), "--quiet", *options]
        subprocess.run([PROGRAM, "rdf", WATER, "-o", cls.folder / name, *words], check=True, env=environment)
        return cls.folder / name

    def compare(self, *arguments, code=0):
        run = subprocess.run(
            [sys.executable, SCRIPT, *map(str, arguments)], text=True, capture_output=True, check=False
        )
        self.assertEqual(run.returncode, code, run.stderr)
        self.assertNotIn("Traceback", run.stderr)
        return run.stdout if code == 0 else run.stderr

    def exported(self, *options):
        run = subprocess.run([PROGRAM, "export", self.first, *options], text=True, capture_output=True, check=True)
        return run.stdout

    def test_two_results_with_other_bins(self):
        image = self.folder / "pairs.png"
        found = json.loads(self.compare(self.first, self.second, "--format", "json", "-o", image, "--dpi", "100"))
        rows = found["comparisons"]
        self.assertEqual([row["pair"] for row in rows], ["H-H", "H-O", "O-O"])
        for row in rows:
            self.assertEqual(row["blocks"], [10, 10])
            self.assertTrue(0 < row["p"] <= 1)
            self.assertLess(abs(row["largest"]["standard_errors"]), 7)
        self.assertTrue(image.read_bytes().startswith(b"\x89PNG"))

    def test_results_with_common_frames_have_no_p(self):
        whole = self.count("whole.h5", "--last", "39", "--block", "2")
        every_second = self.count("half.h5", "--last", "39", "--step", "2", "--block", "1")
        for other, numbers in ((self.first, "20 of 40 and 20 of 20"), (every_second, "20 of 40 and 20 of 20")):
            found = json.loads(self.compare(whole, other, "--format", "json"))["comparisons"]
            for row in found:
                self.assertIsNone(row["p"])
                self.assertIn(f"no p-value: {numbers} frames are in both results", row["notes"][0])
        text = self.compare(whole, self.first)
        self.assertNotIn("significant", text)
        self.assertNotIn("p = ", text)

    def test_only_a_starting_structure_may_be_common(self):
        def counts(*checksums):
            return SimpleNamespace(checksums=np.array(checksums, "<u8"), frames=np.array([len(checksums)]))

        self.assertEqual(compare_runs.shared_frames(counts(5, 7, 9), counts(5, 11)), "")
        self.assertIn("1 of 3 and 1 of 2", compare_runs.shared_frames(counts(5, 7, 9), counts(11, 7)))
        self.assertIn("1 of 1 and 1 of 1", compare_runs.shared_frames(counts(5), counts(5)))
        self.assertEqual(compare_runs.shared_frames(counts(), counts(5)), "")

    @unittest.skipIf(importlib.util.find_spec("h5py") is None, "h5py is missing")
    def test_pairs_are_equal_in_any_order_of_the_species(self):
        import h5py

        def as_c_library(result):
            """A result with its species reversed and without frame checksums."""
            path = self.folder / f"c-{result.name}"
            shutil.copy(result, path)
            with h5py.File(path, "r+") as file:
                group = file["observables/pair_distance_histogram"]
                group["species"][...] = group["species"][()][::-1]
                for name in ("value", "overflow", "underflow", "pairs", "excluded_pairs", "pairs_over_volume",
                             "particle_number"):  # fmt: skip
                    group[name][...] = group[name][()][:, ::-1]
                group["frame_checksum"][...] = 0
                group["frame_number"][...] = 2**64 - 1
                group["step"][...] = 2 * group["step"][()]
                del file["observables/radial_distribution_functions"]
            return path

        def merge(*results):
            words = [PROGRAM, "merge", *results, "-o", self.folder / "order.h5", "--force"]
            return subprocess.run(words, text=True, capture_output=True, check=False)

        found = json.loads(self.compare(self.first, as_c_library(self.second), "--format", "json"))["comparisons"]
        self.assertEqual(sorted(row["pair"] for row in found), ["H-H", "H-O", "O-O"])
        self.assertEqual(merge(self.first, as_c_library(self.first)).returncode, 1)
        same = self.count("second-140.h5", "--first", "20", "--last", "39", "--block", "2")
        done = merge(self.first, as_c_library(same))
        self.assertEqual(done.returncode, 0, done.stderr)
        both = self.count("both.h5", "--last", "39", "--block", "2")
        self.assertEqual(self.compare(both, self.folder / "order.h5").count("their counts are equal"), 3)

    def test_a_slab_is_compared_only_with_slabs(self):
        slab = self.count(
            "slab.h5", "--last", "19", "--block", "2", "--open", "z", "--geometry", "slab", "--extent", "2"
        )
        self.assertIn("their counts are equal", self.compare(slab, slab))
        for pair in ((slab, self.first), (self.first, slab)):
            self.assertIn("count both with the same --plane or --geometry", self.compare(*pair, code=1))
        curve = self.folder / "slab.csv"
        subprocess.run([PROGRAM, "export", slab, "-o", curve], check=True)
        self.assertIn("has distances in a slab, which can only be", self.compare(slab, curve, code=1))

    def test_a_curve_in_space_differs_from_a_result_in_a_plane(self):
        plane = self.count("plane.h5", "--last", "19", "--block", "2", "--plane", "xy", "--pairs", "O-O")
        curve = self.folder / "space.csv"
        curve.write_text(self.exported("--pairs", "O-O"))
        self.assertRegex(self.compare(plane, curve), "not of the same frames.*\n.*are in the plane xy: a curve of dist")
        subprocess.run([PROGRAM, "export", plane, "-o", curve], check=True)
        self.assertNotIn("in the plane", self.compare(plane, curve))

    def test_a_result_equals_itself(self):
        self.assertIn("their counts are equal", self.compare(self.first, self.first))
        coarse = self.count("coarse.h5", "--last", "19", "--block", "2", bins=70)
        text = self.compare(self.first, coarse)
        self.assertIn("their counts are equal (compared in 70 bins, whose edges are in both results)", text)

    def test_the_largest_difference_is_the_other_file_minus_the_first(self):
        pattern = r"largest difference, (\S+) minus the first file: ([+-]\S+) = ([+-]\S+) standard errors"
        found = [
            re.search(pattern, self.compare(*files, "--pairs", "O-O"))
            for files in ((self.first, self.second), (self.second, self.first))
        ]
        self.assertEqual([each[1] for each in found], [str(self.second), str(self.first)])
        self.assertEqual(float(found[0][2]), -float(found[1][2]))
        self.assertEqual(float(found[0][3]), -float(found[1][3]))

    def test_pairs_of_one_result_only_are_named_for_the_file(self):
        oxygens = self.count("oxygens.h5", "--pairs", "O-O", "--blocks", "10")
        note = "pairs in only one of the results, not compared: H-H, H-O"
        lines = self.compare(self.first, oxygens).splitlines()
        self.assertEqual(lines[:2], [f"{oxygens}: {note}", f"{oxygens}, O-O:"])
        table = json.loads(self.compare(self.first, oxygens, "--format", "json"))
        self.assertEqual(table["comparisons"][0]["notes"][0], note)

    def test_own_export_has_the_same_conventions(self):
        path = self.folder / "g.csv"
        path.write_text(self.exported("--pairs", "O-O"))
        self.assertIn("same conventions", self.compare(self.first, path, "--pairs", "O-O"))
        rows = [line.split(",") for line in self.exported("--pairs", "O-O").splitlines() if line[0].isdigit()]
        path.write_text("r,O-O\n" + "".join(f"{r},{float(g or 0) * (1 + 4e-16)!r}\n" for r, g, *_ in rows))
        self.assertNotIn("largest difference", self.compare(self.first, path, "--pairs", "O-O"))
        path.write_text(self.exported("--pairs", "O-O", "--out-unit", "A"))
        self.assertIn("--out-unit A", self.compare(self.first, path, "--pairs", "O-O"))

    def test_numbers_of_an_export_are_recognised_in_the_digits_of_other_programs(self):
        result = self.folder / "changing.h5"
        subprocess.run(
            [PROGRAM, "rdf", ROOT / "tests/data/nacl-triclinic-npt.h5", "-o", result, "--block", "1", "--quiet",
             "--r-max", "1", "--bins", "100"],
            check=True,
            env={**os.environ, "STARPU_WORKERS_NOBIND": "1", "STARPU_HOME": str(self.folder)},
        )  # fmt: skip
        path = self.folder / "like.txt"
        for options, words in (
            ((), "same conventions"),
            (("--normalization", "per-frame"), "the mean of each frame's g(r): --normalization per-frame"),
            (("--like", "lammps"), "the mean of each frame's g(r): --normalization per-frame"),
            (("--like", "freud"), "starhist export --like freud"),
        ):
            text = subprocess.run(
                [PROGRAM, "export", result, "--pairs", "Na-Cl", *options], text=True, capture_output=True, check=True
            ).stdout
            path.write_text(re.sub(r"\d\.\d+(e-?\d+)?", lambda number: f"{float(number[0]):.6g}", text))
            found = self.compare(result, path, "--pairs", "Na-Cl")
            self.assertIn(words, found, options)
            self.assertNotIn("ties", found, options)
            self.assertNotIn("N/(N - 1)", found, options)
            self.assertNotIn("largest difference", found, options)

    def test_smoothed_and_unequal_bins_are_compared_with_the_same_export(self):
        path = self.folder / "own"
        for options in (
            ("--smooth", "0.05"),
            ("--smooth", "0.5", "--out-unit", "A"),
            ("--rebin", "log:40"),
            (
                "--rebin",
                "0,0.2,0.25,0.3,0.35,0.4,0.5,0.6,0.8,1,1.4",
                "--out-unit",
                "nm",
                "--normalization",
                "per-frame",
            ),
        ):
            for kind in ("csv", "xvg", "json"):
                path.write_text(self.exported(*options, "--format", kind))
                rows = json.loads(self.compare(self.first, path, "--format", "json"))["comparisons"]
                self.assertEqual([row["pair"] for row in rows], ["H-H", "H-O", "O-O"])
                for row in rows:
                    self.assertEqual((row["causes"], row["same_frames"], row["notes"]), ([], True, []))
                    self.assertEqual(row["largest"]["difference"], 0)
        # Other frames: the difference equals the difference of two exports.
        frames = self.count("others.h5", "--first", "20", "--last", "39", "--block", "2")
        path.write_text(self.exported("--rebin", "log:40", "--pairs", "O-O", "--format", "json"))
        [row] = json.loads(self.compare(frames, path, "--format", "json", "--pairs", "O-O"))["comparisons"]
        run = subprocess.run(
            [PROGRAM, "export", frames, "--rebin", "log:40", "--pairs", "O-O", "--format", "json"],
            text=True, capture_output=True, check=True,
        )  # fmt: skip
        values = [np.array(json.loads(text)["curves"][0]["value"]) for text in (path.read_text(), run.stdout)]
        self.assertEqual(abs(row["largest"]["difference"]), abs(values[0] - values[1]).max())
        self.assertFalse(row["same_frames"])
        self.assertIn("not of the same frames", row["notes"][0])
        # Bins of twice the width have no edges for these.
        self.assertIn("has no such bins (--rebin edge", self.compare(self.second, path, "--pairs", "O-O", code=1))
        path.write_text(self.exported("--smooth", "0.1"))
        self.assertIn("its bins differ from the bins of", self.compare(self.second, path, "--pairs", "O-O", code=1))

    def test_options_that_change_pairs_or_norm_are_reported(self):
        other = self.count("given.h5", "--first", "20", "--last", "39", "--open", "x,y,z", "--volume", "20")
        text = self.compare(self.first, other, "--pairs", "O-O")
        self.assertIn("counted differently: first.h5 without --volume, given.h5 with --volume 20", text)
        self.assertNotIn("counted differently", self.compare(self.first, self.second))

    def test_curves_of_other_frames_get_no_causes(self):
        path = self.folder / "g.csv"
        path.write_text(self.exported("--pairs", "O-O"))
        for first, last in ((20, 39), (10, 29), (5, 24)):
            frames = self.count(f"from-{first}.h5", "--first", str(first), "--last", str(last), "--block", "2")
            text = self.compare(frames, path, "--pairs", "O-O")
            self.assertRegex(text, r"not of the same frames[^\n]*\n  same conventions", (first, last))

    def test_each_pair_is_compared_with_its_own_column(self):
        path = self.folder / "all.csv"
        path.write_text(self.exported())
        for pairs, columns in (("O-O", ["O-O"]), ("O-H", ["H-O"]), ("", ["H-H", "H-O", "O-O"])):
            words = ["--pairs", pairs] if pairs else []
            rows = json.loads(self.compare(self.first, path, "--format", "json", *words))["comparisons"]
            self.assertEqual([row["column"] for row in rows], columns)
            self.assertTrue(all(row["causes"] == [] and row["same_frames"] for row in rows), rows)
        self.assertIn("O-O (column 'O-O'):", self.compare(self.first, path, "--pairs", "O-O"))
        path.write_text(self.exported("--pairs", "H-H"))
        self.assertIn("(there are H-H)", self.compare(self.first, path, "--pairs", "O-O", code=1))
        path.write_text(self.exported("--quantity", "coordination"))
        self.assertIn("starhist export --quantity g", self.compare(self.first, path, code=1))

    def test_equal_counts_in_other_blocks_are_reported(self):
        other = self.count("blocks.h5", "--last", "19", "--block", "5")
        rows = json.loads(self.compare(self.first, other, "--format", "json"))["comparisons"]
        for row in rows:
            self.assertIsNone(row["p"])
            self.assertEqual(row["largest"]["difference"], 0)
            self.assertIn("their counts are equal", row["notes"][0])

    def test_two_curves(self):
        one, other = self.folder / "one.csv", self.folder / "other.xvg"
        one.write_text(self.exported("--pairs", "O-O"))
        other.write_text(self.exported("--pairs", "O-O", "--format", "xvg", "--out-unit", "A"))
        text = self.compare(one, other, "-o", self.folder / "curves.svg")
        self.assertIn("unit: r is", text)

    def test_bad_input_is_one_message(self):
        names = self.count("names.h5", "--species", "W=name O", "--last", "3")
        empty = self.folder / "no.h5"
        for arguments, words in (
            ((self.first,), "there is one file"),
            ((self.first, empty), "does not exist"),
            ((self.first, names), "no pair in common with"),
            ((self.first, SCRIPT), "not a table of r and g(r)"),
            ((self.first, self.second, "--pairs", "o-o"), "did you mean O-O?"),
        ):
            with self.subTest(words):
                self.assertIn(words, self.compare(*arguments, code=1))

    def test_legends_cover_no_curve(self):
        random = np.random.default_rng(5)
        curves = [
            (name, R, model(shift, 0) + 0.01 * random.normal(size=100), None) for name, shift in (("a", 0), ("b", 0.02))
        ]
        steps = [("b", R, curves[1][2] - curves[0][2], "$p$ = 0.3")]
        figure = compare_figure.draw_comparison([("A-A", curves, steps, False, 3.2)] * 3, "nm", "g", 7)
        figure.draw_without_rendering()
        for axes in figure.axes[::2]:
            box = axes.get_legend().get_window_extent()
            for line in axes.get_lines():
                points = line.get_transform().transform(line.get_xydata())
                inside = (
                    (points[:, 0] > box.x0)
                    & (points[:, 0] < box.x1)
                    & (points[:, 1] > box.y0)
                    & (points[:, 1] < box.y1)
                )
                self.assertFalse(inside.any())


if __name__ == "__main__":
    unittest.main(verbosity=2)
