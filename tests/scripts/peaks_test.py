#!/usr/bin/env python3
"""Tests of scripts/user/peaks.py and rdf_extrema.py. STARHIST_PROGRAM names starhist."""

import csv
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from types import SimpleNamespace

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("STARHIST_PROGRAM", str(ROOT / "build/starhist"))

if any(importlib.util.find_spec(name) is None for name in ("h5py", "numpy")):
    print("SKIPPED: h5py or numpy is missing")
    sys.exit(77)

import numpy as np  # noqa: E402

sys.path.insert(0, str(ROOT / "scripts/user"))
from curves import rdf_extrema  # noqa: E402
from curves.bonded_peaks import bonded_bins  # noqa: E402

BINS, R_MAX = 400, 1.0
EDGES = np.linspace(0, R_MAX, BINS + 1)
CENTRES = (EDGES[:-1] + EDGES[1:]) / 2
SHELLS = 4 / 3 * np.pi * np.diff(EDGES**3)
DENSITY = 33.0  # water's


def model(r, shift=0.0):
    """Maxima near 0.28 and 0.45, a minimum between, which `shift` moves, and one near 0.58."""
    g = (
        1
        + 1.9 * np.exp(-0.5 * ((r - 0.28) / 0.018) ** 2)
        - 0.35 * np.exp(-0.5 * ((r - 0.345 - shift) / 0.03) ** 2)
        + 0.12 * np.exp(-0.5 * ((r - 0.45) / 0.03) ** 2)
        - 0.10 * np.exp(-0.5 * ((r - 0.58) / 0.04) ** 2)
    )
    return np.where(r < 0.235, 0, g)


def true_place(begin, end, sign):
    r = np.linspace(begin, end, 100_001)
    return r[np.argmax(sign * model(r))]


TRUE = [true_place(0.25, 0.32, 1), true_place(0.30, 0.42, -1), true_place(0.4, 0.5, 1), true_place(0.5, 0.7, -1)]


def run_of(random, blocks, particles, moves=0.0):
    counts = np.array(
        [random.poisson(particles * DENSITY * SHELLS * model(CENTRES, random.normal(0, moves))) for _ in range(blocks)]
    ).astype(float)
    total = counts.sum(axis=0)
    curve = SimpleNamespace(
        r=CENTRES, value=total / (blocks * particles * DENSITY * SHELLS), counts=total, edges=EDGES, bonded=0
    )
    ones = np.ones(blocks)
    return curve, rdf_extrema.Blocks(counts, 0 * ones, ones, ones, [particles * ones])


class Extrema(unittest.TestCase):
    def test_all_are_found_where_they_are(self):
        for particles, tolerance in ((2_000, 0.02), (20_000, 0.012), (200_000, 0.006)):
            for seed in range(10):
                curve, blocks = run_of(np.random.default_rng(seed), 10, particles)
                found, _ = rdf_extrema.extrema(curve, blocks, 0.01)
                with self.subTest(particles=particles, seed=seed):
                    self.assertGreaterEqual(len(found), 4)
                    for extremum, true in zip(found, TRUE):
                        self.assertAlmostEqual(extremum.r, true, delta=tolerance)
                    self.assertEqual([extremum.is_maximum for extremum in found[:4]], [True, False, True, False])

    def test_noise_has_no_extrema(self):
        # g = 1: no peak may be found in 40 runs.
        for seed in range(40):
            random = np.random.default_rng(seed)
            counts = random.poisson(3_000 * DENSITY * SHELLS, (10, BINS)).astype(float)
            total, ones = counts.sum(axis=0), np.ones(10)
            curve = SimpleNamespace(
                r=CENTRES, value=total / (30_000 * DENSITY * SHELLS), counts=total, edges=EDGES, bonded=0
            )
            blocks = rdf_extrema.Blocks(counts, 0 * ones, ones, ones, [3_000 * ones])
            self.assertEqual(rdf_extrema.extrema(curve, blocks, 0.01)[0], [], seed)

    def test_errors_are_those_of_independent_runs(self):
        found = []
        for seed in range(60):
            curve, blocks = run_of(np.random.default_rng(seed), 20, 4_000, moves=0.01)
            extrema, _ = rdf_extrema.extrema(curve, blocks, 0.01)
            found.append(
                [(e.r, e.value, e.numbers[0], e.r_error, e.value_error, e.number_errors[0]) for e in extrema[:4]]
            )
        found = np.array(found)  # [run, extremum, 3 values and 3 errors]
        ratios = np.sqrt((found[:, :, 3:] ** 2).mean(axis=0)) / found[:, :, :3].std(axis=0, ddof=1)
        print("reported / true of r, g, n:", np.round(ratios, 2).tolist())
        self.assertGreater(ratios.min(), 0.7)
        self.assertLess(ratios.max(), 1.5)

    def test_a_curve_that_only_falls_has_a_maximum_and_no_minimum(self):
        falling = np.where(CENTRES < 0.25, 0, 1 + 2 * np.exp(-(CENTRES - 0.25) / 0.02))
        counts = np.random.default_rng(1).poisson(1_000 * DENSITY * SHELLS * falling, (10, BINS)).astype(float)
        total, ones = counts.sum(axis=0), np.ones(10)
        curve = SimpleNamespace(
            r=CENTRES, value=total / (10_000 * DENSITY * SHELLS), counts=total, edges=EDGES, bonded=0
        )
        blocks = rdf_extrema.Blocks(counts, 0 * ones, ones, ones, [1_000 * ones])
        maximum, minimum = rdf_extrema.first_shell(rdf_extrema.extrema(curve, blocks)[0])
        self.assertAlmostEqual(maximum.r, 0.25, delta=0.01)
        self.assertIsNone(minimum)
        self.assertEqual(rdf_extrema.shell_bin(curve), BINS - 1)

    def test_one_block_or_nearly_has_no_errors(self):
        curve, blocks = run_of(np.random.default_rng(2), 2, 100_000)
        blocks.frames = np.array([100.0, 1.0])
        maximum, minimum = rdf_extrema.first_shell(rdf_extrema.extrema(curve, blocks)[0])
        self.assertEqual([maximum.r_error, minimum.r_error, minimum.number_errors], [None, None, []])

    def test_no_height_is_negative(self):
        # The parabola through the middle five bins of this gap turns at -0.137.
        gap = np.array([5, 1, 0.05, 0.01, 0.05, 1, 5])
        k, height, resolved = rdf_extrema.place(gap, gap, 3, 2)
        self.assertEqual((k, height, resolved), (3, 0.01, True))

    def test_a_curve_may_end_before_its_counts(self):
        curve, blocks = run_of(np.random.default_rng(3), 10, 20_000)
        whole = rdf_extrema.extrema(curve, blocks)[0]
        curve.value = curve.value[:300]
        self.assertEqual(
            [e.is_maximum for e in rdf_extrema.extrema(curve, blocks)[0][:4]], [e.is_maximum for e in whole[:4]]
        )

    def test_a_peak_in_one_bin_is_known_to_a_bin(self):
        counts = np.zeros((4, BINS))
        counts[:, 100] = 1000
        counts[:, 200:] = 50
        total, ones = counts.sum(axis=0), np.ones(4)
        curve = SimpleNamespace(r=CENTRES, value=total / SHELLS / 1e6, counts=total, edges=EDGES, bonded=0)
        blocks = rdf_extrema.Blocks(counts, 0 * ones, ones, ones, [1000 * ones])
        curve.bonded = bonded_bins(curve.value, EDGES, blocks)
        self.assertGreater(curve.bonded, 100)
        first, gap = rdf_extrema.extrema(curve, blocks, 0.01)[0][:2]
        self.assertEqual((first.is_maximum, gap.is_maximum), (True, False))
        self.assertAlmostEqual(first.r, CENTRES[100], delta=1e-12)
        self.assertAlmostEqual(first.r_error, R_MAX / BINS / np.sqrt(12), delta=1e-9)
        self.assertEqual(gap.numbers, [1.0])
        self.assertEqual(gap.value, 0.0)
        self.assertAlmostEqual(gap.r, (EDGES[101] + EDGES[200]) / 2, delta=3 * R_MAX / BINS)


class Command(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="starhist-peaks-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.result = cls.folder / "water.h5"
        environment = {**os.environ, "STARPU_WORKERS_NOBIND": "1", "STARPU_HOME": folder.name}
        subprocess.run(
            [
                PROGRAM,
                "rdf",
                str(ROOT / "tests/data/water.h5"),
                "-o",
                str(cls.result),
                "--r-max",
                "1.4",
                "--bin-width",
                "0.005",
                "--last",
                "19",
                "--block",
                "2",
                "--quiet",
            ],
            check=True,
            env=environment,
        )

    def peaks(self, *arguments, code=0):
        run = subprocess.run(
            [sys.executable, ROOT / "scripts/user/peaks.py", self.result, *arguments],
            text=True,
            capture_output=True,
            check=False,
        )
        self.assertEqual(run.returncode, code, run.stderr)
        return run.stdout if code == 0 else run.stderr

    def test_water(self):
        rows = json.loads(self.peaks("--pairs", "O-O", "--format", "json"))["extrema"]
        self.assertEqual([row["kind"] for row in rows[:3]], ["maximum", "minimum", "maximum"])
        self.assertAlmostEqual(rows[0]["r"], 0.276, delta=0.002)
        self.assertAlmostEqual(rows[1]["r"], 0.336, delta=0.01)
        self.assertTrue(all(row["r_error"] > 0 and row["coordination_error"] > 0 for row in rows))

    def test_the_format_is_what_the_name_of_the_file_ends_in(self):
        for name, begin in (
            ("p.csv", "# quantity: peaks"),
            ("p.json", "{"),
            ("p.txt", "O-O: g(r)"),
            ("p", "O-O: g(r)"),
        ):
            self.peaks("--pairs", "O-O", "-o", self.folder / name)
            self.assertTrue((self.folder / name).read_text(encoding="utf-8").startswith(begin), name)
        self.peaks("--pairs", "O-O", "-o", self.folder / "p.csv", "--format", "json")
        self.assertTrue((self.folder / "p.csv").read_text(encoding="utf-8").startswith("{"))

    def test_pairs_without_peaks_share_a_sentence(self):
        trajectory, result = self.folder / "few.xyz", self.folder / "few.h5"
        atoms = "".join(f"A{k} {k}.5 {k % 3}.5 {k % 2}\n" for k in range(30))
        trajectory.write_text(f'30\nLattice="40 0 0 0 40 0 0 0 40"\n{atoms}' * 4, encoding="utf-8")
        subprocess.run(
            [PROGRAM, "rdf", trajectory, "-o", result, "--r-max", "9", "--bins", "9", "-q"],
            check=True,
            env={**os.environ, "STARPU_WORKERS_NOBIND": "1", "STARPU_HOME": str(self.folder)},
        )
        text = subprocess.run(
            [sys.executable, ROOT / "scripts/user/peaks.py", result], text=True, capture_output=True, check=True
        ).stdout
        self.assertEqual(text.count("no peak stands out of the noise: "), 1)
        self.assertLessEqual(max(map(len, text.split("\n"))), 100)
        self.assertEqual(len(re.findall(r"A\d+-A\d+", text)), 435)
        run = subprocess.run(
            [sys.executable, ROOT / "scripts/user/peaks.py", result, "--format", "csv"],
            text=True, capture_output=True, check=True,
        )  # fmt: skip
        self.assertEqual(len(re.findall(r"A\d+-A\d+", run.stdout)), 435)
        self.assertIn("# without_peaks: A0-A1, A0-A10, ", run.stdout)
        self.assertIn("no peak stands out of the noise: A0-A1, ", run.stderr)

    def test_coordination_is_that_of_export_at_the_edges(self):
        table = subprocess.run(
            [PROGRAM, "export", self.result, "--quantity", "coordination", "--format", "json"],
            text=True,
            capture_output=True,
            check=True,
        ).stdout
        table = json.loads(table)
        n = {curve["label"]: curve["value"] for curve in table["curves"]}
        for row in json.loads(self.peaks("--format", "json"))["extrema"]:
            expected = np.interp(row["r"], [0.0, *table["r"]], [0.0, *n[row["direction"]]])
            self.assertAlmostEqual(row["coordination"], expected, delta=1e-9 * max(1, expected))

    def test_neighbours_are_undefined_beyond_half_the_box(self):
        """Nickel in 2 x 2 x 2 cells: only the first shell of 12 fits into half of 7.04 A."""
        cell = [(0, 0, 0), (0.5, 0.5, 0), (0.5, 0, 0.5), (0, 0.5, 0.5)]
        sites = [np.add(site, (i, j, k)) for site in cell for i in (0, 1) for j in (0, 1) for k in (0, 1)]
        atoms = "".join("Ni {} {} {}\n".format(*(3.52 * site)) for site in sites)
        trajectory, result = self.folder / "nickel.xyz", self.folder / "nickel.h5"
        trajectory.write_text(f'32\nLattice="7.04 0 0 0 7.04 0 0 0 7.04"\n{atoms}', encoding="utf-8")
        subprocess.run(
            [PROGRAM, "rdf", trajectory, "-o", result, "--r-max", "6", "--bins", "500", "-q"],
            check=True,
            env={**os.environ, "STARPU_WORKERS_NOBIND": "1", "STARPU_HOME": str(self.folder)},
        )
        command = [sys.executable, ROOT / "scripts/user/peaks.py", result]
        run = subprocess.run(command, text=True, capture_output=True, check=True)
        self.assertIn("Ni around Ni: 12\n", run.stdout)
        self.assertIn("Ni around Ni: undefined beyond r = 3.516", run.stdout)
        self.assertIn("repeat the cell", run.stderr)
        text = subprocess.run([*command, "--format", "json"], text=True, capture_output=True, check=True).stdout
        numbers = [row["coordination"] for row in json.loads(text)["extrema"] if row["kind"] == "minimum"]
        self.assertEqual(numbers, [12.0, None, None])

    def test_csv_has_the_rows_of_json(self):
        rows = json.loads(self.peaks("--format", "json"))["extrema"]
        self.peaks("--format", "csv", "-o", str(self.folder / "peaks.csv"))
        lines = (self.folder / "peaks.csv").read_text(encoding="utf-8").splitlines()
        read = list(csv.DictReader(line for line in lines if not line.startswith("#")))
        self.assertEqual([{name: str(value) for name, value in row.items()} for row in rows], read)

    def test_bad_input(self):
        self.assertIn("pair 'Na-O': there is no species", self.peaks("--pairs", "Na-O", code=1))
        self.assertIn("which is read", self.peaks("-o", str(self.result), code=1))
        self.assertIn("50%' is not a fraction", self.peaks("--prominence", "50%", code=1))
        self.assertIn("is not a fraction from 0 to 1", self.peaks("--prominence", "2", code=1))
        self.assertIn(
            "--format 'cvs' is not one of text, csv, json: did you mean csv?", self.peaks("--format", "cvs", code=1)
        )


class Text(unittest.TestCase):
    def test_a_value_has_as_many_digits_as_its_error(self):
        self.assertEqual(rdf_extrema.with_error(0.27613, 0.000312), "0.27613 ± 0.00031")
        self.assertEqual(rdf_extrema.with_error(40.71, 1.72), "40.7 ± 1.7")
        self.assertEqual(rdf_extrema.with_error(1234.5, 23.0), "1234 ± 23")
        self.assertEqual(rdf_extrema.with_error(2.0, None), "2")


if __name__ == "__main__":
    unittest.main()
