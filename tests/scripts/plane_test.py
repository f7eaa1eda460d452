#!/usr/bin/env python3
"""Tests of distances in a plane: a NumPy loop, gmx rdf -xy, and the scripts. STARHIST_PROGRAM: path of the program."""

import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "tests/data"
PROGRAM = os.environ.get("STARHIST_PROGRAM", str(ROOT / "build/starhist"))

if any(importlib.util.find_spec(name) is None for name in ("h5py", "numpy")):
    print("SKIPPED: h5py or numpy is missing")
    sys.exit(77)

import h5py  # noqa: E402
import numpy as np  # noqa: E402

SHIFT = 2.0**-30  # an edge lies by this part of a bin below a whole number of widths


def run(*words):
    environment = {**os.environ, "STARPU_WORKERS_NOBIND": "1", "STARPU_NCPU": "2", "STARHIST_PROGRAM": PROGRAM}
    environment.setdefault("STARPU_HOME", tempfile.gettempdir())
    return subprocess.run([*map(str, words)], text=True, capture_output=True, check=False, env=environment)


def script(name, *words):
    return run(sys.executable, ROOT / "scripts/user" / f"{name}.py", *words)


class Planes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="starhist-plane-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)

    def result(self, name, *options, trajectory=DATA / "water.h5"):
        path = self.folder / name
        counted = run(PROGRAM, "rdf", trajectory, "-o", path, "--force", "--quiet", *options)
        self.assertEqual(counted.returncode, 0, counted.stderr)
        return path

    def exported(self, path, quantity, *options):
        written = run(PROGRAM, "export", path, "--quantity", quantity, "--format", "json", *options)
        self.assertEqual(written.returncode, 0, written.stderr)
        return json.loads(written.stdout)

    def test_counts_and_g_equal_a_numpy_loop(self):
        with h5py.File(DATA / "water.h5") as file:
            particles = next(iter(file["particles"].values()))
            names = {number: name for name, number in h5py.check_enum_dtype(particles["species"].dtype).items()}
            oxygen = np.array([names[number] == "O" for number in particles["species"][()].ravel()])
            frames = particles["position/value"][:4].astype(float)[:, oxygen]
            edges = particles["box/edges"]
            edges = edges["value"][:4] if isinstance(edges, h5py.Group) else np.array([edges[()]] * 4)
        for plane, axes in {"xy": (0, 1), "xz": (0, 2), "yz": (1, 2)}.items():
            path = self.result(
                f"{plane}.h5", "--plane", plane, "--pairs", "O-O", "--last", 3, "--r-max", 1.5, "--bins", 300,
                "--block", 1,
            )  # fmt: skip
            counts, pairs_over_area = np.zeros(300, np.uint64), 0.0
            for positions, box in zip(frames, edges):
                lengths = (np.diag(box) if box.ndim == 2 else box)[list(axes)].astype(float)
                flat = positions[:, axes]
                first, second = np.triu_indices(len(flat), 1)
                step = flat[first] - flat[second]
                step -= np.round(step / lengths) * lengths
                bins = np.floor(np.sqrt((step**2).sum(axis=1)) * (300 / 1.5) + SHIFT).astype(int)
                counts += np.bincount(bins[bins < 300], minlength=300).astype(np.uint64)
                pairs_over_area += len(first) / lengths.prod()
            self.assertEqual(self.exported(path, "counts")["curves"][0]["value"], counts.tolist())
            g = self.exported(path, "g")["curves"][0]["value"][:200]  # below half the box
            area = np.pi * np.diff((np.arange(201) * 1.5 / 300) ** 2)
            np.testing.assert_allclose(g, counts[:200] / (pairs_over_area * area), rtol=1e-12)

    def test_counts_equal_gmx_rdf_up_to_ties(self):
        gmx = os.environ.get("GMX", "gmx")
        if shutil.which(gmx) is None:
            self.skipTest("GROMACS is missing")
        water = DATA / "spc.xtc", DATA / "spc.tpr"
        table = self.folder / "gmx.xvg"
        counted = run(
            gmx, "rdf", "-f", water[0], "-s", water[1], "-xy", "-bin", 0.01, "-rmax", 0.9, "-ref", "name OW", "-sel",
            "name OW", "-o", self.folder / "g.xvg", "-cn", table,
        )  # fmt: skip
        self.assertEqual(counted.returncode, 0, counted.stderr)
        running = np.array(
            [[float(x) for x in line.split()] for line in table.read_text().splitlines() if line[0] not in "#@"]
        )
        path = self.result(
            "spc.h5", "--plane", "xy", "--structure", water[1], "--species", "O=name OW", "--r-max", 0.9,
            "--bins", 90, trajectory=water[0],
        )  # fmt: skip
        counts = np.array(self.exported(path, "counts")["curves"][0]["value"])
        with h5py.File(path) as file:
            particles = int(file["observables/pair_distance_histogram/particle_number"][:].sum())
        own = 2 * np.cumsum(counts)
        theirs = running[: len(own), 1] * particles  # running numbers have three decimals
        self.assertGreater(own[-1], 1000)
        self.assertLessEqual(abs(own[: len(theirs)] - theirs).max(), 12 + 0.0005 * particles)

    def test_scripts_read_results_of_a_plane(self):
        path = self.result("blocks.h5", "--plane", "xy", "--pairs", "O-O", "--r-max", 1.2, "--bins", 120, "--block", 3)
        if importlib.util.find_spec("matplotlib"):
            plot = script("plot_rdf", path, "-o", self.folder / "g.svg")
            self.assertEqual(plot.returncode, 0, plot.stderr)
        peaks = script("peaks", path)
        self.assertEqual(peaks.returncode, 0, peaks.stderr)
        page = self.folder / "page.html"
        report = script("report", path, "-o", page)
        self.assertEqual(report.returncode, 0, report.stderr)
        self.assertIn("plane xy", page.read_text())  # the reason why S(q) is missing
        other = self.result("other.h5", "--plane", "xz", "--pairs", "O-O", "--r-max", 1.2, "--bins", 120, "--block", 3)
        same = self.result(
            "half.h5", "--plane", "xy", "--pairs", "O-O", "--r-max", 1.2, "--bins", 60, "--block", 3, "--last", 24
        )
        self.assertEqual(script("compare", path, same).returncode, 0)
        refused = script("compare", path, other)
        self.assertEqual(refused.returncode, 1, refused.stderr)
        self.assertIn("plane xz", refused.stderr)
        curve = self.folder / "curve.csv"
        curve.write_text(run(PROGRAM, "export", path).stdout)
        own = script("compare", path, curve)
        self.assertEqual(own.returncode, 0, own.stderr)
        self.assertIn("same conventions", own.stdout)
        table = [line.split(",") for line in curve.read_text().splitlines() if not line.startswith("#")]
        curve.write_text("r,O-O\n" + "".join(f"{row[0]},{2 * float(row[1])!r}\n" for row in table[1:]))
        twice = script("compare", path, curve)
        self.assertIn("each pair is counted twice: divide by 2", twice.stdout)
        self.assertNotIn("largest difference", twice.stdout)

    def test_p_of_r_is_refused(self):
        path = self.result("open.h5", "--plane", "xy", "--box", "none", "--pairs", "O-O", "--r-max", 2, "--bins", 50)
        for refused in (script("peaks", path), script("report", path, "-o", self.folder / "no.html")):
            self.assertEqual(refused.returncode, 1, refused.stderr)
            self.assertIn("neither g(r) nor p(r)", refused.stderr)


if __name__ == "__main__":
    unittest.main()
