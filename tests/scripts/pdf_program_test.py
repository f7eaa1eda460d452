#!/usr/bin/env python3
"""`starhist analyze --quantity pdf --form GPDF` on rock salt, against the harmonic crystal and PDFgui's engine.

starhist counts 20 frames of a supercell whose atoms are displaced by normal deviates of variance U. The
exact curve is the transform of the Debye sum over the lattice with Debye-Waller factors. diffpy.pdffit2
(PyPI) approximates it from the unit cell; without it that test is skipped, without NumPy all (exit status 77).
"""

import collections
import itertools
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
STARHIST = os.environ.get("STARHIST_PROGRAM", str(ROOT / "build" / "starhist"))
EDGE = 5.64  # of the unit cell [Angstrom]
CELLS = 6
U = 0.01  # mean-square displacement along each axis [Angstrom^2]
Q_MAX = 25.0
FRAMES = 20
FACES = [(0, 0, 0), (0, 0.5, 0.5), (0.5, 0, 0.5), (0.5, 0.5, 0)]
SITES = [("Na", site) for site in FACES] + [
    ("Cl", tuple((x + 0.5 * (i == 0)) % 1 for i, x in enumerate(s))) for s in FACES
]


def starhist(*arguments):
    environment = dict(os.environ, STARPU_WORKERS_NOBIND="1", STARPU_NCPU="2")
    done = subprocess.run(
        [STARHIST, *map(str, arguments)], env=environment, text=True, capture_output=True, check=False
    )
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return done.stdout


def write_trajectory(path):
    noise = random.Random(1)
    length = EDGE * CELLS
    with path.open("w") as out:
        for _ in range(FRAMES):
            print(len(SITES) * CELLS**3, file=out)
            print(f'Lattice="{length} 0 0 0 {length} 0 0 0 {length}" Properties=species:S:1:pos:R:3', file=out)
            for a in range(CELLS):
                for b in range(CELLS):
                    for c in range(CELLS):
                        for name, (x, y, z) in SITES:
                            place = [EDGE * (i + s) + noise.gauss(0, U**0.5) for i, s in ((a, x), (b, y), (c, z))]
                            print(name, *(f"{value:.7f}" for value in place), file=out)


def harmonic_crystal(r):
    """4 pi r rho (g - 1) with neutron weights and termination at Q_MAX."""
    lengths = {"Na": 3.63, "Cl": 9.577}
    weights = collections.Counter()
    for (name, site), (other, place) in itertools.product(SITES, SITES):
        for cell in itertools.product(range(-4, 5), repeat=3):
            distance = EDGE * np.linalg.norm(np.array(place) + cell - site)
            if 0.1 < distance < 20.0:
                weights[round(distance, 6)] += lengths[name] * lengths[other] / len(SITES)
    q = np.linspace(0, Q_MAX, 5001)[1:]
    scattering = sum(w * np.sinc(q * d / np.pi) * np.exp(-(q**2) * U) for d, w in weights.items())
    mean = sum(lengths.values()) / 2
    density = len(SITES) / EDGE**3
    scattering -= 4 * np.pi * density * mean**2 * (np.sin(20 * q) - 20 * q * np.cos(20 * q)) / q**3
    weighted = 2 / np.pi * q * scattering / mean**2 * q[0]
    weighted[-1] /= 2  # trapezoid rule; the first value is 0
    return np.sin(np.outer(r, q)) @ weighted


def pdffit(first, last, count):
    from diffpy.pdffit2 import PdfFit, redirect_stdout
    from diffpy.structure import Atom, Lattice, Structure

    atoms = [Atom(name, site, U=np.eye(3) * U) for name, site in SITES]
    with open(os.devnull, "w") as nowhere:
        redirect_stdout(nowhere)
        program = PdfFit()
        program.add_structure(Structure(atoms, Lattice(EDGE, EDGE, EDGE, 90, 90, 90)))
        program.alloc("N", Q_MAX, 0.0, first, last, count)
        program.calc()
    return np.array(program.getR()), np.array(program.getpdf_fit())


def r_w(curve, reference):
    return float(np.sqrt(((curve - reference) ** 2).sum() / (reference**2).sum()))


class RockSalt(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            write_trajectory(folder / "nacl.xyz")
            result = folder / "nacl.h5"
            starhist("rdf", folder / "nacl.xyz", "--unit", "A", "-o", result, "--r-max", 16.9, "--bins", 3380, "-q")
            text = starhist("analyze", result, "--quantity", "pdf", "--form", "GPDF", "--weights", "neutron",
                            "--element", "Na=Na,Cl=Cl", "--q-max", Q_MAX, "--r-step", 0.02)  # fmt: skip
        rows = [line.split(",") for line in text.splitlines() if line[0].isdigit()]
        cls.r, cls.curve = np.array(rows[99:700], dtype=float).T  # 2 to 14 Angstrom

    def test_harmonic_crystal(self):
        self.assertLess(r_w(self.curve, harmonic_crystal(self.r)), 0.01)

    def test_pdffit2(self):
        try:
            r, theirs = pdffit(0.02, 25.0, 1250)
        except ImportError as missing:
            self.skipTest(str(missing))
        np.testing.assert_allclose(r[99:700], self.r, atol=1e-6)
        self.assertLess(r_w(self.curve, theirs[99:700]), 0.03)


if __name__ == "__main__":
    unittest.main()
