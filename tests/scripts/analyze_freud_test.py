#!/usr/bin/env python3
"""`starhist analyze --debye` against freud's StaticStructureFactorDebye, on real water.

Both sum sin(q r)/(q r) over all pairs at their nearest images. freud (BSD licence, PyPI's
freud-analysis) is in no distribution: without it the test is skipped (exit status 77).
"""

import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import freud
    import h5py
    import numpy as np
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
WATER = ROOT / "tests" / "data" / "water.h5"
STARHIST = os.environ.get("STARHIST_PROGRAM", str(ROOT / "build" / "starhist"))


def starhist(*arguments):
    environment = dict(os.environ, STARPU_WORKERS_NOBIND="1", STARPU_NCPU="2")
    done = subprocess.run(
        [STARHIST, *map(str, arguments)], env=environment, text=True, capture_output=True, check=False
    )
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return done.stdout


def columns(text):
    rows = list(csv.reader(line for line in text.splitlines() if not line.startswith("#")))
    return {name: np.array([float(row[i]) for row in rows[1:]]) for i, name in enumerate(rows[0])}


class Freud(unittest.TestCase):
    def test_water(self):
        with h5py.File(WATER) as file:
            group = file["particles/all"]
            positions = group["position/value"][0]
            names = {value: name for name, value in h5py.check_enum_dtype(group["species"].dtype).items()}
            species = np.array([names[value] for value in group["species"][:].ravel()])
            edges = group["box/edges"]
            edges = edges["value"][0] if isinstance(edges, h5py.Group) else edges[:]
        box = freud.box.Box.from_box(np.diag(edges) if np.ndim(edges) == 2 else edges)
        with tempfile.TemporaryDirectory() as folder:
            result = pathlib.Path(folder) / "out.h5"
            starhist("rdf", WATER, "-o", result, "--r-max", 2.6, "--bins", 2600000, "--last", 0)
            ours = columns(starhist("analyze", result, "--debye", "--q-min", 5, "--q-max", 60, "--q-step", 11))
        counter = freud.diffraction.StaticStructureFactorDebye(num_k_values=len(ours["q"]), k_max=60, k_min=5)
        np.testing.assert_allclose(counter.k_values, ours["q"], rtol=1e-6)
        centred = positions - np.asarray(box.L) / 2
        counter.compute((box, centred))
        self.compare("total", counter.S_k, ours["total"])
        points = {name: centred[species == name] for name in ("H", "O")}
        for name in points:
            counter.compute((box, points[name]))
            self.compare(name, counter.S_k, ours[f"{name}-{name}"])
        # freud divides the sum over H and O by all particles, Ashcroft and Langreth by
        # the root of the product of their numbers.
        counter.compute((box, points["H"]), query_points=points["O"], N_total=len(centred))
        scale = np.sqrt(len(points["H"]) * len(points["O"])) / len(centred)
        self.compare("H-O", counter.S_k, scale * ours["H-O"])

    def compare(self, name, theirs, mine):
        """Bins of 1e-6 nm leave 2e-6 of a double loop in double precision."""
        difference = np.abs(theirs - mine).max()
        print(f"{name}: largest difference {difference:.2g}, largest S {np.abs(mine).max():.3g}")
        self.assertLess(difference, 1e-6 * max(1, np.abs(mine).max()))


if __name__ == "__main__":
    unittest.main()
