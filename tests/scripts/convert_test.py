#!/usr/bin/env python3
"""`starhist convert` as MDAnalysis sees it. STARHIST_PROGRAM names starhist."""

import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "tests/data"
PROGRAM = os.environ.get("STARHIST_PROGRAM", str(ROOT / "build/starhist"))

if any(importlib.util.find_spec(name) is None for name in ("h5py", "numpy", "MDAnalysis")):
    print("SKIPPED: h5py, numpy or MDAnalysis is missing")
    sys.exit(77)
if "libgromacs" not in subprocess.run(
    [PROGRAM, "--version"], capture_output=True, text=True, check=True
).stdout.replace("without libgromacs", ""):
    print("SKIPPED: starhist was built without libgromacs")
    sys.exit(77)

warnings.showwarning = lambda *_, **__: None
import h5py  # noqa: E402
import MDAnalysis  # noqa: E402
import numpy  # noqa: E402
from MDAnalysis.lib.formats.libmdaxdr import TRRFile, XTCFile  # noqa: E402


class Converted(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="starhist-convert-")
        self.addCleanup(folder.cleanup)
        self.output = pathlib.Path(folder.name) / "out.h5"

    def convert(self, *arguments):
        subprocess.run([PROGRAM, "convert", *map(str, arguments), "-o", self.output], check=True, capture_output=True)

    def test_xtc_and_trr_to_the_bit(self):
        for name, reader in (("spc.xtc", XTCFile), ("spc.trr", TRRFile)):
            self.convert(DATA / name, "--structure", DATA / "spc.tpr", "--force")
            with h5py.File(self.output) as file, reader(str(DATA / name)) as source:
                particles = file["particles/all"]
                frames = list(source)
                self.assertEqual(particles["position/value"].shape, (len(frames), 648, 3))
                decimal = name == "spc.xtc"  # which MDAnalysis reads as floats
                self.assertEqual(particles["position/value"].dtype, "f8" if decimal else "f4")
                for k, frame in enumerate(frames):
                    x = frame.x
                    if decimal:
                        x = numpy.rint(x.astype(float) * 1000) / 1000
                    self.assertTrue((particles["position/value"][k] == x).all())
                    self.assertTrue((particles["box/edges/value"][k].astype("f4") == frame.box).all())
                    self.assertEqual(particles["position/step"][k], frame.step)
                    # The decimal that the single precision of the file stands for.
                    self.assertEqual(particles["position/time"][k], float(str(numpy.float32(frame.time))))

    def test_mdanalysis_reads_it_with_the_same_topology(self):
        self.convert(DATA / "spc.xtc", "--structure", DATA / "spc.tpr")
        ours = MDAnalysis.Universe(str(DATA / "spc.tpr"), str(self.output), format="H5MD")
        theirs = MDAnalysis.Universe(str(DATA / "spc.tpr"), str(DATA / "spc.xtc"))
        self.assertEqual(len(ours.trajectory), 3)
        for a, b in zip(ours.trajectory, theirs.trajectory):
            numpy.testing.assert_allclose(a.positions, b.positions, atol=1e-5)
            numpy.testing.assert_allclose(a.dimensions, b.dimensions, rtol=1e-6)
            self.assertAlmostEqual(a.time, b.time, places=5)
        with h5py.File(self.output) as file:
            species = file["particles/all/species"]
            names = {k: name for name, k in h5py.check_enum_dtype(species.dtype).items()}
            self.assertEqual([names[k] for k in species], list(ours.atoms.names))

    def test_layout_is_h5md(self):
        self.convert(DATA / "nacl-triclinic-npt.h5")
        with h5py.File(self.output) as file:
            self.assertEqual(list(file["h5md"].attrs["version"]), [1, 1])
            self.assertEqual(file["h5md/modules/units"].attrs["system"], b"SI")
            box = file["particles/all/box"]
            self.assertEqual(box.attrs["dimension"], 3)
            self.assertEqual(box.attrs["dimension"].shape, ())
            self.assertEqual(list(box.attrs["boundary"]), [b"periodic"] * 3)
            self.assertEqual(box["edges/step"], file["particles/all/position/step"])
            self.assertEqual(box["edges/time"], file["particles/all/position/time"])
            self.assertEqual(file["particles/all/position/value"].chunks, (1, 1783, 3))
            with h5py.File(DATA / "nacl-triclinic-npt.h5") as source:
                before = source["particles/all/box/edges/value"]
                self.assertTrue((box["edges/value"][:] == before[:]).all())


class CutOff(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="starhist-convert-")
        self.addCleanup(folder.cleanup)
        self.temporary = pathlib.Path(folder.name) / "tmp"
        self.temporary.mkdir()
        cut = pathlib.Path(folder.name) / "cut.tpr"
        cut.write_bytes((DATA / "spc.tpr").read_bytes()[:3000])
        self.words = [PROGRAM, "info", DATA / "spc.xtc", "--structure", cut]

    def test_a_tpr_that_is_cut_off_is_reported_as_such(self):
        run = subprocess.run(self.words, capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 1)
        self.assertIn("the file is cut off, so copy it again", run.stderr)

    def test_a_killed_run_leaves_no_temporary_folder(self):
        environment = {**os.environ, "TMPDIR": str(self.temporary)}
        for reader in ("starhist-gromacs-", "starhist-python-"):
            with subprocess.Popen(self.words, env=environment, stderr=subprocess.DEVNULL) as run:
                while run.poll() is None and not list(self.temporary.glob(f"{reader}*")):
                    time.sleep(0.001)
                time.sleep(0.01)
                run.kill()
            end = time.monotonic() + 20
            while os.listdir(self.temporary) and time.monotonic() < end:
                time.sleep(0.05)
            self.assertEqual(os.listdir(self.temporary), [], reader)


if __name__ == "__main__":
    unittest.main()
