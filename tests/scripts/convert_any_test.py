#!/usr/bin/env python3
"""Tests of scripts/user/convert_any.py. STARHIST_PROGRAM names starhist; CTest runs each class on its own."""
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts/user/convert_any.py"
PROGRAM = os.environ.get("STARHIST_PROGRAM", str(ROOT / "build/starhist"))

if any(importlib.util.find_spec(name) is None for name in ("h5py", "numpy", "MDAnalysis")):
    print("SKIPPED: h5py, numpy or MDAnalysis is missing")
    sys.exit(77)

import h5py  # noqa: E402
import MDAnalysis  # noqa: E402
import numpy  # noqa: E402
from MDAnalysis.lib.formats.libmdaxdr import XTCFile  # noqa: E402

NAMES = ["OW", "HW1", "HW2"] * 4 + ["NA"]


def water(frames=3):
    """Four molecules and an ion; boxes of another shape in each frame."""
    universe = MDAnalysis.Universe.empty(len(NAMES), n_residues=5, trajectory=True,
                                         atom_resindex=[0] * 3 + [1] * 3 + [2] * 3 + [3] * 3 + [4])
    universe.add_TopologyAttr("names", NAMES)
    universe.add_TopologyAttr("resnames", ["SOL"] * 4 + ["ION"])
    random = numpy.random.default_rng(1)
    positions = random.random((frames, len(NAMES), 3), dtype="f4") * 20
    boxes = numpy.array([[20 + k, 21, 22, 90 - k, 80, 70] for k in range(frames)], dtype="f4")
    universe.load_new(positions, dimensions=boxes)
    return universe


class Conversion(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="starhist-convert-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.output = self.folder / "out.h5"
        self.universe = water()
        self.structure = self.folder / "conf.gro"
        self.universe.atoms.write(str(self.structure))

    def trajectory(self, suffix):
        path = self.folder / f"traj.{suffix}"
        with MDAnalysis.Writer(str(path), len(NAMES)) as writer:
            for _ in self.universe.trajectory:
                writer.write(self.universe.atoms)
        return path

    def convert(self, *arguments):
        return subprocess.run([sys.executable, SCRIPT, *map(str, arguments), "-o", self.output],
                              text=True, capture_output=True, check=False)

    def converted(self, *arguments):
        run = self.convert(*arguments)
        self.assertEqual(run.returncode, 0, run.stderr)
        return h5py.File(self.output)

    def refused(self, *arguments):
        run = self.convert(*arguments)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertFalse(self.output.exists())
        self.assertEqual(list(self.folder.glob("*.partial")), [])
        return run.stderr

    def test_xtc_keeps_positions_and_boxes_to_the_bit(self):
        path = self.trajectory("xtc")
        with self.converted(self.structure, path, "--species", "O=name OW; H=name HW1 HW2") as file:
            particles = file["particles/all"]
            chosen = [k for k, name in enumerate(NAMES) if name != "NA"]
            with XTCFile(str(path)) as source:
                for k, frame in enumerate(source):
                    self.assertTrue((particles["position/value"][k] == frame.x[chosen]).all())
                    self.assertTrue((particles["box/edges/value"][k] == frame.box).all())
            self.assertEqual(particles["position/value"].attrs["unit"], "nm")
            enumeration = h5py.check_enum_dtype(particles["species"].dtype)
            self.assertEqual(enumeration, {"O": 0, "H": 1})
            self.assertEqual(list(particles["species"][:3]), [0, 1, 1])
            self.assertEqual(particles["box/edges/step"], particles["position/step"])
        info = subprocess.run([PROGRAM, "info", self.output], text=True, capture_output=True,
                              check=True).stdout
        for words in ("frames       3", "H: 8, O: 4", "triclinic", "nm"):
            self.assertIn(words, info)

    def test_other_formats_are_what_mdanalysis_reads(self):
        for suffix in ("dcd", "trr"):
            path = self.trajectory(suffix)
            with self.converted(self.structure, path, "--by", "resname", "--force") as file:
                scale = 10 if suffix == "trr" else 1
                value = file["particles/all/position/value"]
                universe = MDAnalysis.Universe(str(self.structure), str(path))
                for k, timestep in enumerate(universe.trajectory):
                    numpy.testing.assert_allclose(value[k] * scale, timestep.positions, atol=1e-4)
                self.assertEqual(value.attrs["unit"], "nm" if suffix == "trr" else "Angstrom")

    def test_frames_are_chosen_and_a_structure_alone_is_one(self):
        path = self.trajectory("xtc")
        with self.converted(self.structure, path, "--first", "1", "--step", "5") as file:
            self.assertEqual(file["particles/all/position/value"].shape, (1, 13, 3))
        with self.converted(self.structure, "--force") as file:
            self.assertEqual(file["particles/all/position/value"].shape, (1, 13, 3))

    def test_mdanalysis_reads_it_back(self):
        self.converted(self.structure, self.trajectory("xtc")).close()
        universe = MDAnalysis.Universe(str(self.structure), str(self.output), format="H5MD")
        self.assertEqual(len(universe.trajectory), 3)
        for mine, theirs in zip(water().trajectory, universe.trajectory):
            numpy.testing.assert_allclose(theirs.dimensions, mine.dimensions, atol=1e-3)

    def test_what_an_earlier_run_left_is_kept(self):
        partial = self.folder / "out.h5.partial"
        partial.write_bytes(b"finished blocks")
        for output_exists in (False, True):
            if output_exists:
                self.output.write_bytes(b"a result")
            run = self.convert(self.structure, self.trajectory("xtc"))
            self.assertEqual(run.returncode, 1)
            self.assertIn("--force", run.stderr)
            self.assertEqual(partial.read_bytes(), b"finished blocks")
        self.converted(self.structure, self.trajectory("xtc"), "--force").close()
        self.assertFalse(partial.exists())

    def test_what_cannot_be_is_refused(self):
        path = self.trajectory("xtc")
        for rules, words in (("O=name OX", "no atom is 'name OX'"), ("O=name (", "'name ('"),
                             ("O", "not NAME=SELECTION"), (" ; ", "is empty"),
                             ("A=name OW; B=resname SOL", "is A and B"),
                             ("A=name OW; A=name HW1", "twice")):
            self.assertIn(words, self.refused(self.structure, path, "--species", rules))
        self.assertIn("element", self.refused(self.structure, path, "--by", "element"))
        self.assertIn("no frame is selected, of 3",
                      self.refused(self.structure, path, "--first", "3"))
        self.assertIn("orthorhombic", self.refused(self.structure, path, "--edges", "vector"))
        self.assertIn("is no file", self.refused(self.structure, self.folder / "nowhere.xtc"))
        garbage = self.folder / "garbage.xtc"
        garbage.write_bytes(b"no trajectory at all")
        self.assertIn("MDAnalysis cannot read", self.refused(self.structure, garbage))
        self.output.write_text("mine")
        self.assertEqual(self.convert(self.structure, path).returncode, 1)
        self.assertEqual(self.output.read_text(), "mine")


if __name__ == "__main__":
    unittest.main()
