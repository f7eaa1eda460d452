#!/usr/bin/env python3
"""starhist plot --map of results of rdf --axis2: the colours are the exported values, and other files are refused."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import matplotlib  # noqa: F401
    import numpy as np
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/user"))
STARHIST = os.environ.get("STARHIST_PROGRAM", str(ROOT / "build" / "starhist"))
os.environ["STARHIST_PROGRAM"] = STARHIST
from figures.second_axis_figures import draw_second_axis, edges_of, second_axis_table  # noqa: E402
from starhist_program import asking  # noqa: E402


def run(*command):
    environment = dict(os.environ, STARPU_WORKERS_NOBIND="1", STARPU_NCPU="2", STARHIST_PYTHON=sys.executable)
    return subprocess.run([str(word) for word in command], env=environment, text=True, capture_output=True, check=False)


class PlotMap(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.path = pathlib.Path(cls.folder.name)
        cls.result, cls.plain = cls.path / "axis.h5", cls.path / "plain.h5"
        counting = (ROOT / "tests/data/water.h5", "--last", 1, "--r-max", 0.6, "--bins", 6, "--pairs", "H-O,O-O", "-q")
        for path, options in ((cls.result, ("--axis2", "cos(z)", "--axis2-bins", 4)), (cls.plain, ())):
            done = run(STARHIST, "rdf", *counting, *options, "-o", path)
            if done.returncode:
                raise RuntimeError(done.stderr)

    def plot(self, *options):
        return run(STARHIST, "plot", *options, "--map", "-o", self.path / "map.png", "--dpi", 100)

    def test_colours_are_the_exported_values(self):
        table = second_axis_table(asking(), str(self.result), "")
        done = run(STARHIST, "export", "--quantity", "axis2", self.result)
        rows = [line.split(",") for line in done.stdout.splitlines() if not line.startswith("#")]
        *panels, bar = draw_second_axis(table, 12).axes
        self.assertEqual(rows[0], ["r", "cos(z)", "H-O", "O-O"])
        self.assertEqual(len(panels), 2)
        for k, axes in enumerate(panels):
            [mesh] = [each for each in axes.collections if each.get_array() is not None]
            drawn = np.asarray(mesh.get_array()).reshape(4, 6)
            exported = np.array([float(row[2 + k]) for row in rows[1:]]).reshape(6, 4)
            np.testing.assert_array_equal(drawn, exported.T)
            np.testing.assert_allclose(axes.get_ylim(), (-1, 1))
            np.testing.assert_allclose(axes.get_xlim(), (0, 0.6))
        self.assertEqual(panels[0].get_ylabel(), "cos(z)")
        self.assertEqual(bar.get_ylabel(), "$g$($r$, cos(z))")

    def test_heights_above_a_plane_are_drawn(self):
        heights = self.path / "heights.h5"
        counting = (ROOT / "tests/data/water.h5", "--last", 1, "--r-max", 0.6, "--bins", 6, "--pairs", "O-O", "-q")
        done = run(
            STARHIST,
            "rdf",
            *counting,
            "--plane",
            "xy",
            "--axis2",
            "dz",
            "--axis2-bins",
            4,
            "--axis2-max",
            1,
            "-o",
            heights,
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        panel, bar = draw_second_axis(second_axis_table(asking(), str(heights), ""), 12).axes
        rows = [line.split(",") for line in run(STARHIST, "export", "--quantity", "axis2", heights).stdout.splitlines()]
        exported = [float(row[2]) for row in rows if len(row) == 3 and row[0] != "r"]
        [mesh] = [each for each in panel.collections if each.get_array() is not None]
        drawn = np.asarray(mesh.get_array()).reshape(4, 6)
        np.testing.assert_array_equal(drawn, np.array(exported).reshape(6, 4).T)
        np.testing.assert_allclose(panel.get_ylim(), (0, 1))
        self.assertEqual(panel.get_ylabel(), "|dz| (nm)")
        self.assertEqual(bar.get_ylabel(), "$g$($r$, dz)")
        self.assertEqual(self.plot(heights).returncode, 0)

    def test_bins_of_unequal_width_have_their_edges(self):
        unequal = self.path / "unequal.h5"
        edges = ("--edges", "0.1,0.2,0.4,0.9", "--pairs", "O-O", "--last", 1, "--axis2", "cos(z)", "--axis2-bins", 4)
        done = run(STARHIST, "rdf", ROOT / "tests/data/water.h5", *edges, "-q", "-o", unequal)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        panel, _ = draw_second_axis(second_axis_table(asking(), str(unequal), ""), 12).axes
        [mesh] = [each for each in panel.collections if each.get_array() is not None]
        np.testing.assert_allclose(np.unique(mesh.get_coordinates()[..., 0]), [0.1, 0.2, 0.4, 0.9])

    def test_edges_lie_between_the_centres(self):
        np.testing.assert_allclose(edges_of(np.array([0.1, 0.3, 0.5])), [0, 0.2, 0.4, 0.6], atol=1e-12)

    def test_files_are_written_and_pairs_chosen(self):
        images = []
        for options in ((), ("--pairs", "O-O")):
            done = self.plot(self.result, *options)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            images.append((self.path / "map.png").read_bytes())
        self.assertNotEqual(*images)

    def test_other_results_and_options_are_refused(self):
        done = self.plot(self.plain)
        self.assertEqual(done.returncode, 1)
        self.assertIn("it has no second axis (count with starhist rdf --axis2", done.stderr)
        self.assertIn("maps are drawn one by one", self.plot(self.result, self.plain).stderr)
        for option in (("--panels",), ("--inset", "0.1,0.2"), ("--rebin", 2)):
            self.assertIn(f"{option[0]} does not apply to --map", self.plot(self.result, *option).stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
