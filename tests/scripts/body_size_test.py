#!/usr/bin/env python3
"""Tests of p(r) of finite bodies: bonded peaks, sizes and figures. STARHIST_PROGRAM names starhist."""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("STARHIST_PROGRAM", str(ROOT / "build/starhist"))

if any(importlib.util.find_spec(name) is None for name in ("numpy", "matplotlib")):
    print("SKIPPED: numpy or matplotlib is missing")
    sys.exit(77)

sys.path.insert(0, str(ROOT / "scripts/user"))
import numpy as np  # noqa: E402

from curves import rdf_curves  # noqa: E402
from curves.bonded_peaks import bonded_bins  # noqa: E402
from curves.jackknife import jackknife  # noqa: E402
from curves.rdf_extrema import Blocks  # noqa: E402
from figures import body_figures, rdf_figures  # noqa: E402
from figures.display_width import for_display  # noqa: E402
from starhist_program import asking  # noqa: E402

FRAMES, RESIDUES, BLOCK = 12, 80, 3


def chains():
    """[frames, residues, 3]: walks of steps of 3.8 within a sphere, of another radius in each frame."""
    random = np.random.default_rng(3)
    frames = []
    for _ in range(FRAMES):
        places, limit = [np.zeros(3)], random.uniform(9, 13)
        while len(places) < RESIDUES:
            step = random.normal(size=3)
            here = places[-1] + 3.8 * step / np.linalg.norm(step)
            if np.linalg.norm(here) < limit:
                places.append(here)
        frames.append(places)
    return np.array(frames)


class Bodies(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="starhist-body-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.positions = chains()
        lines = []
        for places in cls.positions:
            lines += [str(RESIDUES), "chain"]
            lines += [f"{'AB'[k % 2]} {x:.9f} {y:.9f} {z:.9f}" for k, (x, y, z) in enumerate(places)]
        (cls.folder / "chain.xyz").write_text("\n".join(lines) + "\n")
        cls.whole = cls.count("whole.h5", "--species", "CA=all", "--bins", "400")
        cls.two = cls.count("two.h5", "--bins", "800")

    @classmethod
    def count(cls, name, *options, r_max=40):
        words = ["--box", "none", "--r-max", r_max, "--block", BLOCK, "--unit", "A", "--quiet", *options]
        environment = {**os.environ, "STARPU_WORKERS_NOBIND": "1", "STARPU_HOME": str(cls.folder)}
        subprocess.run(
            [PROGRAM, "rdf", cls.folder / "chain.xyz", "-o", cls.folder / name, *map(str, words)],
            check=True,
            env=environment,
        )
        return cls.folder / name

    def radii(self):
        """Squared radius of gyration of each frame, by its definition."""
        centred = self.positions - self.positions.mean(axis=1, keepdims=True)
        return (centred**2).sum(axis=2).mean(axis=1)

    def longest(self):
        places = self.positions
        return max(np.linalg.norm(frame[:, None] - frame[None], axis=2).max() for frame in places)

    def test_size_is_that_of_the_positions(self):
        squares = self.radii().reshape(-1, BLOCK).mean(axis=1)
        without = np.array([np.sqrt(np.delete(squares, b).mean()) for b in range(len(squares))])
        error = jackknife(without, np.full(len(squares), BLOCK))
        for path in (self.whole, self.two):
            result = rdf_curves.read_with_blocks(path)[0]
            size = result.size or result.curves[0].size
            self.assertAlmostEqual(size.rg, np.sqrt(squares.mean()), delta=2e-3)
            self.assertAlmostEqual(size.rg_error, error, delta=2e-3)
            self.assertTrue(size.d_max[0] <= self.longest() < size.d_max[1])

    def test_wider_bins_of_a_figure_do_not_change_the_size(self):
        program = asking()
        result, _, counts = rdf_curves.read_all(program, self.whole)
        [curve] = for_display(program, self.whole, result, counts, 20)[0]
        self.assertEqual(len(curve.r), len(result.curves[0].r) // 20)
        self.assertEqual(curve.size, result.curves[0].size)

    def test_missing_distances_leave_the_size_unknown(self):
        short = self.count("short.h5", "--species", "CA=all", "--bins", "100", r_max=10)
        self.assertIsNone(rdf_curves.read_with_blocks(short)[0].curves[0].size)
        text = subprocess.run(
            [sys.executable, ROOT / "scripts/user/peaks.py", short], text=True, capture_output=True, check=True
        ).stdout
        self.assertIn("D_max and Rg are unknown (distances beyond the last bin): count with a larger --r-max", text)
        unlike = rdf_curves.read_with_blocks(self.two, "A-B")[0].curves[0]
        self.assertIsNone(unlike.size.rg)

    def test_peaks_and_report_list_the_size(self):
        script = ROOT / "scripts/user/peaks.py"
        run = subprocess.run([sys.executable, script, self.two], text=True, capture_output=True, check=True)
        self.assertRegex(run.stdout, r"all particles: D_max = [\d.]+ A \(within 0.05 A\), Rg = [\d.]+ ± [\d.]+ A")
        run = subprocess.run(
            [sys.executable, script, self.two, "--format", "json"], text=True, capture_output=True, check=True
        )
        rows = {row["of"]: row for row in json.loads(run.stdout)["sizes"]}
        self.assertAlmostEqual(rows["all particles"]["rg"] ** 2, self.radii().mean(), delta=0.05)
        page = self.folder / "page.html"
        subprocess.run([sys.executable, ROOT / "scripts/user/report.py", self.two, "-o", page], check=True)
        self.assertIn('"heading":"Size","rows":[["A-A"', page.read_text(encoding="utf-8"))

    def test_the_hump_is_within_the_axes_and_labels_are_within_the_figure(self):
        for path in (self.whole, self.two):
            result = rdf_curves.read_with_blocks(path)[0]
            for width in (3.5, 7):
                figure = body_figures.draw_bodies(result, width)
                axes = figure.axes[0]
                for curve in result.curves:
                    hump = curve.value[curve.r > 5].max()
                    self.assertLess(hump, axes.get_ylim()[1])
                figure.draw_without_rendering()
                whole = figure.bbox
                for text in [*axes.texts, *axes.get_legend().get_texts()]:
                    box = text.get_window_extent()
                    self.assertTrue(whole.x0 <= box.x0 and box.x1 <= whole.x1 and box.y1 <= whole.y1, text.get_text())
                rdf_figures.plt.close(figure)


class BondedPeaks(unittest.TestCase):
    EDGES = np.linspace(0, 1, 101)

    def bonded(self, neighbours, particles=100, frames=10):
        neighbours = np.array(neighbours, float)
        blocks = len(neighbours)
        value = neighbours.sum(axis=0) / np.diff(self.EDGES**3)
        ones = np.ones(blocks)
        return bonded_bins(
            value, self.EDGES, Blocks(neighbours, 0 * ones, ones, frames * ones, [particles * frames * ones])
        )

    def liquid(self, peak, blocks=4, seed=0):
        """Counts of a peak in bin 12, which holds peak(block) neighbours, and of unbonded ones from bin 25 on."""
        random = np.random.default_rng(seed)
        counts = np.zeros((blocks, 100))
        counts[:, 25:] = random.poisson(4000 * np.diff(self.EDGES**3)[25:] * 30, (blocks, 75))
        counts[:, 12] = [peak(random) for _ in range(blocks)]
        return counts

    def test_a_fixed_number_of_neighbours_is_bonded(self):
        self.assertEqual(self.bonded(self.liquid(lambda random: 2000)), 13)
        self.assertEqual(self.bonded(self.liquid(lambda random: 2000, blocks=1)), 13)
        self.assertIs(type(self.bonded(self.liquid(lambda random: 2000))), int)  # as JSON needs it

    def test_a_first_shell_that_fluctuates_is_not_bonded(self):
        for seed in range(20):
            self.assertEqual(self.bonded(self.liquid(lambda random: random.poisson(2000), seed=seed)), 0)

    def test_two_bonded_peaks_are_found_one_after_the_other(self):
        counts = self.liquid(lambda random: 9000)
        counts[:, 20] = 9000
        self.assertEqual(self.bonded(counts), 21)

    def test_the_hump_of_a_body_is_not_bonded(self):
        r = (self.EDGES[:-1] + self.EDGES[1:]) / 2
        hump = np.round(1e5 * r**2 * np.clip(1 - r / 0.7, 0, None) ** 3) + (r < 0.75)
        self.assertEqual(self.bonded(np.tile(hump, (4, 1))), 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
