#!/usr/bin/env python3
"""Tests of scripts/bench/compare_peers.py with MDAnalysis, and with LAMMPS and GROMACS where they are.

STARHIST_PROGRAM names starhist; CTest runs each class on its own.
"""

import importlib.util
import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts/bench/compare_peers.py"
PROGRAM = os.environ.get("STARHIST_PROGRAM", str(ROOT / "build/starhist"))
DATA = ROOT / "tests/data"

if any(importlib.util.find_spec(name) is None for name in ("h5py", "numpy", "MDAnalysis")):
    print("SKIPPED: h5py, numpy or MDAnalysis is missing")
    sys.exit(77)

sys.path.insert(0, str(ROOT / "scripts/bench"))
import numpy as np  # noqa: E402

import peer_bounds  # noqa: E402
import peer_systems  # noqa: E402


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="starhist-compare-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def run_script(self, *arguments, program=PROGRAM):
        return subprocess.run(
            [sys.executable, "-W", "ignore", SCRIPT, *map(str, arguments), "--program", program, "--repeat", "1"],
            text=True,
            capture_output=True,
            check=False,
        )


class Comparison(Folder):
    """Whole comparisons of real frames."""

    def rows(self, *arguments, program=PROGRAM, code=0):
        output = self.folder / "out.json"
        run = self.run_script(*arguments, "--json", output, program=program)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return json.loads(output.read_text())["rows"]

    def test_peers_that_are_here_agree_on_both_samples(self):
        markdown = self.folder / "table.md"
        rows = self.rows(
            f"{DATA}/water.h5,pairs=O-O,r_max=1.4,bins=140,frames=2",
            f"{DATA}/nacl-triclinic-npt.h5,pairs=O-O+Na-O,r_max=1,bins=100,frames=2",
            "--peers",
            "lammps,gromacs,mdanalysis",
            "--markdown",
            markdown,
        )
        compared = [row for row in rows if row["peer"] == "MDAnalysis"]
        self.assertEqual([row["pair"] for row in compared], ["O-O", "O-O", "Na-O"])
        for row in rows:
            self.assertTrue(row["ok"], row)
            self.assertGreater(row["pairs"], 1000)
            self.assertEqual(row["verdict"] == "equal", row["bins_that_differ"] == 0)
            if row["peer"] == "LAMMPS":
                self.assertEqual(row["verdict"], "equal")
            if row["peer"] != "GROMACS":  # which prints three digits of it
                self.assertLess(row["g_difference"], 1e-6)
            self.assertGreater(row["ratio"], 0)
        self.assertEqual(markdown.read_text().count("MDAnalysis"), 3)

    @unittest.skipUnless(shutil.which("lmp"), "LAMMPS is not here")
    def test_lammps_is_equal_bin_for_bin(self):
        rows = self.rows(f"{DATA}/nacl-triclinic-npt.h5,pairs=H-O,bins=333", "--peers", "lammps")
        self.assertEqual([(row["peer"], row["bins_that_differ"], row["bound"]) for row in rows], [("LAMMPS", 0, 0)])

    def test_other_frames_are_found_out(self):
        wrong = self.file("wrong", f'#!/bin/sh\n[ "$1" = rdf ] && set -- "$@" --first 1\nexec {PROGRAM} "$@"\n')
        wrong.chmod(wrong.stat().st_mode | stat.S_IXUSR)
        rows = self.rows(
            f"{DATA}/water.h5,pairs=O-O,r_max=1.4,frames=2", "--peers", "mdanalysis", program=wrong, code=2
        )
        self.assertEqual((rows[0]["ok"], rows[0]["verdict"]), (False, "OUTSIDE the bound"))

    def test_dump_and_gro_are_read_as_starhist_and_peers_read_them(self):
        rng = np.random.default_rng(3)
        x = rng.random((60, 3))
        atoms = "".join(f"{60 - i} {1 + i % 2} {p[0]:.6f} {p[1]:.6f} {p[2]:.6f}\n" for i, p in enumerate(x))
        dump = self.file(
            "a.dump",
            "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n60\nITEM: BOX BOUNDS xy xz yz pp pp pp\n"
            "-1 11.5 1.5\n2 12 -0.5\n0 11 0.7\nITEM: ATOMS id type xs ys zs\n" + atoms,
        )
        gro = self.file(
            "a.gro",
            "t\n60\n"
            + "".join(
                f"{1:5d}SOL  {'OW' if i % 2 else 'HW':>5s}{i + 1:5d}{4 * p[0]:8.3f}{4 * p[1]:8.3f}{4 * p[2]:8.3f}\n"
                for i, p in enumerate(x)
            )
            + "4 4 4\n",
        )
        rows = self.rows(f"{dump},pairs=1-1+1-2", f"{gro},pairs=OW-HW", "--peers", "mdanalysis")
        self.assertEqual([row["ok"] for row in rows], [True] * 3)
        self.assertEqual(rows[1]["particles"], [30, 30])

    def test_bad_input_is_one_message(self):
        water = f"{DATA}/water.h5"
        for arguments, words in (
            ((self.folder / "no.h5",), "file not found"),
            ((f"{water},colour=red",), "colour"),
            ((f"{water},pairs=O-X",), "H, O"),
            ((f"{water},bins=0",), "at least 1"),
            ((f"{water},bins=many",), "many"),
            ((SCRIPT,), "cannot be read|no frame"),
            ((water, "--peers", "excel"), "excel"),
            ((water, "--threads", "0"), "--threads"),
        ):
            with self.subTest(words):
                run = self.run_script(*arguments)
                self.assertEqual(run.returncode, 1, run.stderr)
                self.assertRegex(run.stderr, words)
                self.assertNotIn("Traceback", run.stderr)
        run = self.run_script(water, program="/no/starhist")
        self.assertEqual((run.returncode, "/no/starhist" in run.stderr), (1, True))


class Bounds(Folder):
    """What float32 explains, and what it does not."""

    def counted(self, counts, edges=None):
        return types.SimpleNamespace(
            counts=np.array(counts, dtype=float), edges=np.arange(len(counts) + 1) if edges is None else np.array(edges)
        )

    def test_pairs_may_only_cross_an_edge_that_they_are_near_to(self):
        ours = np.array([10, 20, 30])
        near = np.array([1, 0, 5])
        allowed = peer_bounds.compare(ours, self.counted([9, 21, 30]), near)
        self.assertEqual((allowed["ok"], allowed["verdict"], allowed["moved"]), (True, "within float32", 1))
        for counts in ([8, 22, 30], [10, 19, 31], [10, 20, 24], [0, 0, 0]):
            self.assertFalse(peer_bounds.compare(ours, self.counted(counts), near)["ok"], counts)
        self.assertFalse(peer_bounds.compare(ours, self.counted([9, 21, 30]))["ok"])
        self.assertEqual(peer_bounds.compare(ours, self.counted([10, 20, 30]))["verdict"], "equal")
        self.assertFalse(peer_bounds.compare(ours, self.counted([10.2, 20, 30]), near)["ok"])

    def test_centred_bins_are_sums_of_ours(self):
        found = peer_bounds.compare(np.array([1, 2, 3, 4, 5]), self.counted([1, 5, 9], [0, 1, 3, 5]), np.zeros(5))
        self.assertEqual((found["ok"], found["bins_that_differ"], found["pairs"]), (True, 0, 15))

    def test_pairs_near_an_edge_are_found(self):
        system = peer_systems.System(pathlib.Path("x"), {}, np.eye(3)[None], r_max=1.0, bins=4)
        distances = [0.25, 0.2499, 0.2601, 0.4, 0.75, 0.9999, 1.0001]
        near = peer_bounds.near_edges(lambda r_max, bins: np.histogram(distances, bins, (0, r_max))[0], system, 0.001)
        self.assertEqual(near.tolist(), [2, 0, 1, 2])

    def test_the_error_holds_for_float32_and_is_not_much_too_large(self):
        rng = np.random.default_rng(5)
        cells = np.diag([3.0, 3.1, 3.2])[None]
        x = rng.random((1, 400, 3)) * 3
        system = peer_systems.System(pathlib.Path("x"), {"A": x}, cells, r_max=1.5, bins=10)
        error = peer_bounds.distance_error(system, ("A", "A"), cells)
        box = np.diag(cells[0])

        def distances(x, box):
            d = x[:, None] - x[None]
            d = d - np.rint(d / box) * box
            return np.sqrt((d**2).sum(axis=2))

        seen = abs(distances(x[0].astype("f4"), box.astype("f4")).astype(float) - distances(x[0], box)).max()
        self.assertLess(seen, error)
        self.assertLess(error, 100 * seen)

    def test_cells(self):
        cell = np.array([[1.0, 0, 0], [2.5, 1.0, 0], [0, 0, 2.0]])
        self.assertAlmostEqual(peer_systems.shortest_vector(cell), 1.0)
        self.assertAlmostEqual(peer_systems.smallest_width(cell), 1 / np.sqrt(1 + 2.5**2))


if __name__ == "__main__":
    unittest.main(verbosity=2)
