#!/usr/bin/env python3
"""Quantities of `starhist analyze` against the formulas of docs/explanation/weights.md in NumPy.

The formulas are evaluated from the counts in the result file. Without h5py and NumPy the
tests are skipped (exit status 77).
"""

import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
WATER = ROOT / "tests" / "data" / "water.h5"
STARHIST = os.environ.get("STARHIST_PROGRAM", str(ROOT / "build" / "starhist"))
B_D, B_O = 6.674, 5.805  # scattering lengths [fm]


def starhist(*arguments):
    environment = dict(os.environ, STARPU_WORKERS_NOBIND="1", STARPU_NCPU="2")
    done = subprocess.run(
        [STARHIST, *map(str, arguments)], env=environment, text=True, capture_output=True, check=False
    )
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return done.stdout


def lines(text):
    return csv.reader(line for line in text.splitlines() if not line.startswith("#"))


def close(ours, theirs, tolerance=1e-12):
    np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance * np.abs(theirs).max())


def kernel(q, edges):
    r, width = (edges[1:] + edges[:-1]) / 2, edges[1]
    qr = np.outer(q, r)
    half = q[:, None] * width / 2
    sinc = np.sinc(qr / np.pi)
    return sinc / np.sinc(half / np.pi) + half**2 / 3 * (np.cos(qr) - sinc) / qr**2


def terminated(r, edges, excess, q_max, window="none"):
    """D(r) of a `pdf` with --q-max. excess: density times g - 1, in the bins between the edges."""
    shell = 4 / 3 * np.pi * (edges[1:] ** 3 - edges[:-1] ** 3)
    intervals = int(2 * np.ceil(0.5 * q_max / (np.pi / (edges[-1] * 40))))
    q = np.arange(intervals + 1) * (q_max / intervals)
    scattering = np.zeros_like(q)
    scattering[1:] = kernel(q[1:], edges) @ (shell * excess)
    damping = {"none": 1, "lorch": np.sinc(q / q_max), "hann": (1 + np.cos(np.pi * q / q_max)) / 2}[window]
    simpson = np.where(np.arange(intervals + 1) % 2 == 1, 4.0, 2.0)
    simpson[[0, -1]] = 1
    weights = 2 / np.pi * q * scattering * damping * simpson * (q_max / intervals) / 3
    return np.sin(np.outer(r, q)) @ weights


class BeyondHalfTheBox(unittest.TestCase):
    """Half the box is 1.5 nm, its corner 2.598 nm."""

    def test_the_transform_has_the_g_of_the_table(self):
        with tempfile.TemporaryDirectory() as folder:
            result = pathlib.Path(folder) / "far.h5"
            starhist("rdf", WATER, "-o", result, "--r-max", 2.4, "--bins", 480, "--last", 4, "--block", 1, "-q")

            def curve(*options):
                text = starhist("analyze", result, "--quantity", "pdf", "--form", "D", *options)
                return np.array(list(lines(text))[1:], dtype=float).T

            for end, options in ((1.5, ()), (2.4, ("--r-cut", 2.4))):
                r, d = curve(*options)
                edges = np.arange(len(r) + 1) * 0.005
                self.assertAlmostEqual(edges[-1], end)
                at, transform = curve("--q-max", 100, "--r-step", 0.02, *options)
                self.assertGreater(at[-1], end - 0.03)
                close(transform, terminated(at, edges, d / (4 * np.pi * r), 100.0), 1e-10)


class FewParticles(unittest.TestCase):
    """50 particles A in 19 frames, 6 particles C in all but five of them, one particle S; blocks of 2 frames."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        random = np.random.default_rng(3)
        cls.number = np.array([[50, 0 if 4 <= frame < 9 else 6, 1] for frame in range(19)])
        with open(cls.folder / "few.xyz", "w", encoding="utf-8") as file:
            for frame, numbers in enumerate(cls.number):
                positions = 10 * random.random((numbers.sum(), 3))
                if frame == 7:
                    positions[:2] = (0, 0, 0), (0, 0, 0.05)  # the only pair in the first bin
                file.write(f'{len(positions)}\nLattice="10 0 0 0 10 0 0 0 10" Properties=species:S:1:pos:R:3\n')
                for name, position in zip("A" * numbers[0] + "C" * numbers[1] + "S" * numbers[2], positions):
                    file.write(f"{name} {' '.join(map(str, position))}\n")
        starhist("rdf", cls.folder / "few.xyz", "-o", cls.folder / "few.h5", "--r-max", 4.9, "--bins", 49, "--block", 2,
                 "--axis2", "cos(z)", "-q")  # fmt: skip

    def rows(self, *options):
        return list(lines(starhist("analyze", self.folder / "few.h5", "--quantity", *options)))

    def test_a_pair_that_never_occurs_has_no_entropy(self):
        names, *rows = self.rows("s2")
        table = dict(zip(names, np.array(rows, dtype=float).T))
        self.assertFalse(table.pop("S-S").any())
        table.pop("R")
        close(table.pop("total"), sum(table.values()))

    def test_densities_have_errors_from_all_blocks(self):
        table = {tuple(row[:3]): row[3:5] for row in self.rows("kirkwood-buff", "--table") if row[5] != "cm^3/mol"}
        frames = np.add.reduceat(np.ones(19), range(0, 19, 2))
        for number, name in zip(self.number.T, "ACS"):
            sums = np.add.reduceat(number, range(0, 19, 2))
            without, share = (sums.sum() - sums) / (19 - frames) / 1000, frames / 19
            mean = ((1 - share) * without).sum() / 9
            error = np.sqrt(((1 - share) ** 2 * (without - mean) ** 2).sum() / (share * (1 - share)).sum())
            close(np.array(table["density", name, ""], dtype=float), np.array([number.mean() / 1000, error]))
        self.assertEqual(table["G", "S-S", "plain"], ["", ""])
        self.assertGreater(float(table["G", "A-S", "plain"][1]), 0)

    def test_species_that_share_particles_are_no_mixture(self):
        result = self.folder / "shared.h5"
        starhist("rdf", self.folder / "few.xyz", "-o", result, "--last", 3, "--r-max", 4.9, "--bins", 49, "--species",
                 "A=A; AC=A C", "-q")  # fmt: skip
        command = [STARHIST, "analyze", result, "--quantity", "kirkwood-buff", "--table"]
        done = subprocess.run(command, text=True, capture_output=True, check=True)
        self.assertIn("G,A-AC,plain", done.stdout)
        self.assertNotIn("thermodynamic", done.stdout)
        self.assertIn("both species share particles or molecules", done.stderr)

    def test_a_mean_from_one_block_has_no_error(self):
        names, *rows = self.rows("legendre", "--errors", "--pairs", "A-A")
        first, later = (dict(zip(names, row)) for row in (rows[0], rows[30]))
        self.assertEqual((first["P2 A-A"] != "", first["P2 A-A standard error"]), (True, ""))
        self.assertGreater(float(later["P2 A-A standard error"]), 0)

    def test_the_net_charge_is_the_mean_over_frames(self):
        done = subprocess.run(
            [STARHIST, "analyze", self.folder / "few.h5", "--quantity", "charge", "--charges", "A=0,C=1,S=0"],
            text=True, capture_output=True, check=True,
        )  # fmt: skip
        self.assertIn(f"net charge of {6 * 14 / 19:.6g}", done.stderr)


class Water(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.result = pathlib.Path(folder.name) / "out.h5"
        starhist("rdf", WATER, "-o", cls.result, "--r-max", 1.4, "--bins", 280, "--block", 5, "-q")
        with h5py.File(cls.result) as file:
            group = file["observables/pair_distance_histogram"]
            cls.counts = group["value"][:].astype(float)  # [block, pair, bin]
            cls.edges = group["bin_edges"][:]
        cls.rows = {"H-H": 0, "H-O": 1, "O-O": 2}
        cls.number = {"H": 1768.0, "O": 884.0}
        cls.volume = 27.0
        cls.total_frames = 51.0
        cls.r = (cls.edges[1:] + cls.edges[:-1]) / 2
        cls.width = cls.edges[1]
        cls.shell = 4 / 3 * np.pi * (cls.edges[1:] ** 3 - cls.edges[:-1] ** 3)
        cls.density = sum(cls.number.values()) / cls.volume

    def columns(self, *options):
        rows = list(lines(starhist("analyze", self.result, *options)))
        return {name: np.array([float(row[i]) for row in rows[1:]]) for i, name in enumerate(rows[0])}

    def pairs(self, pair):
        """Pairs per frame."""
        first, second = (self.number[name] for name in pair.split("-"))
        return first * (first - 1) / 2 if pair in ("H-H", "O-O") else first * second

    def excess(self, pair):
        """Shell times g - 1."""
        counts = self.counts[:, self.rows[pair]].sum(axis=0) / self.total_frames
        return counts / (self.pairs(pair) / self.volume) - self.shell

    def g_with_self(self, pair):
        """g(r) relative to N_A N_B / V."""
        first, second = (self.number[name] for name in pair.split("-"))
        ordered = 1 if first != second else 2
        counts = self.counts[:, self.rows[pair]].sum(axis=0) / self.total_frames
        return counts * ordered * self.volume / (first * second) / self.shell

    def concentrations(self):
        everything = sum(self.number.values())
        return {name: number / everything for name, number in self.number.items()}

    def weighted(self, factors, value_of):
        """Sum over ordered pairs of species of c c f f times a value of the pair."""
        c = self.concentrations()
        total = 0
        for pair in self.rows:
            first, second = pair.split("-")
            orders = 1 if first == second else 2
            total = total + orders * c[first] * c[second] * factors[first] * factors[second] * value_of(pair)
        return total

    def kernel(self, q):
        return kernel(q, self.edges)

    def test_total_distribution(self):
        factors = {"H": B_D, "O": B_O}
        mean = sum(c * factors[name] for name, c in self.concentrations().items())
        keen = self.weighted(factors, lambda pair: self.g_with_self(pair) - 1)
        sphere = 4 * np.pi * self.r * self.density
        expected = {
            "g": 1 + keen / mean**2,
            "G": keen,
            "GPDF": sphere * keen / mean**2,
            "D": sphere * keen,
            "T": sphere * (keen + mean**2),
            "RDF": self.r * sphere * (1 + keen / mean**2),
        }
        for form, values in expected.items():
            table = self.columns("--quantity", "pdf", "--form", form, "--weights", "neutron", "--element", "H=D,O=O")
            np.testing.assert_allclose(table["r"], self.r, rtol=1e-12)
            close(table[form], values)
        table = self.columns("--quantity", "pdf")
        close(table["g"], self.weighted({"H": 1, "O": 1}, self.g_with_self))

    def test_neighbours_from_the_integral_of_rdf(self):
        rdf = self.columns("--quantity", "pdf", "--form", "RDF")["RDF"]
        neighbours = 2 * self.counts[:, :, :66].sum() / self.total_frames / sum(self.number.values())
        # The shell is r^2 + w^2/12 on average.
        thick = (self.shell / (4 * np.pi * self.r**2))[:66]
        self.assertAlmostEqual((rdf[:66] * thick).sum() / neighbours, 1, places=12)

    def test_termination_and_window(self):
        q_max = 300.0
        for window in ("none", "lorch", "hann"):
            table = self.columns("--quantity", "pdf", "--form", "D", "--weights", "neutron", "--element", "H=D,O=O",
                                 "--q-max", q_max, "--window", window, "--r-step", 0.01)  # fmt: skip
            excess = self.weighted({"H": B_D, "O": B_O}, lambda pair: self.g_with_self(pair) - 1)
            close(table["D"], terminated(table["r"], self.edges, self.density * excess, q_max, window), 1e-10)

    def test_bhatia_thornton_and_charges(self):
        table = self.columns("--partials", "bhatia-thornton", "--q-max", 100)
        q = table["q"]
        c = self.concentrations()

        def faber_ziman(pair):
            return 1 + self.density * self.factor(pair) * (self.kernel(q) @ self.excess(pair))

        hh, ho, oo = (faber_ziman(pair) for pair in self.rows)
        cc = c["H"] * c["O"]
        close(table["S_NN(q)"], c["H"] ** 2 * hh + c["O"] ** 2 * oo + 2 * cc * ho)
        close(table["S_NC(q)"], cc * (c["H"] * (hh - ho) - c["O"] * (oo - ho)), 1e-11)
        close(table["S_CC(q)"], cc * (1 + cc * (hh + oo - 2 * ho)))
        charges = {"H": 0.5, "O": -1.0}
        table = self.columns("--quantity", "charge", "--charges", "H=0.5,O=-1", "--q-max", 100)
        self_term = sum(c[name] * charge**2 for name, charge in charges.items())
        partials = {"H-H": hh, "H-O": ho, "O-O": oo}
        close(table["S_ZZ(q)"], self_term + self.weighted(charges, lambda pair: partials[pair] - 1), 1e-11)
        table = self.columns("--quantity", "neutron", "--element", "H=D,O=O", "--form", "i", "--q-max", 100)
        factors = {"H": B_D, "O": B_O}
        distinct = self.weighted(factors, lambda pair: partials[pair] - 1)
        close(table["i(q)"], distinct, 1e-11)
        mean = sum(c[name] * factor for name, factor in factors.items())
        table = self.columns("--quantity", "neutron", "--element", "H=D,O=O", "--form", "F", "--q-max", 100)
        close(table["F(q)"], q * distinct / mean**2, 1e-11)

    def factor(self, pair):
        """(N - 1) / N of a like pair: analyze's partials relate to the other particles."""
        first, second = pair.split("-")
        return 1 - 1 / self.number[first] if first == second else 1.0

    def test_pair_entropy(self):
        table = self.columns("--quantity", "s2")
        c = self.concentrations()
        total = 0
        for pair in self.rows:
            first, second = pair.split("-")
            g = self.excess(pair) / self.shell + 1
            term = np.where(g > 1e-12, g * np.log(np.maximum(g, 1e-300)) - g + 1, 1)
            orders = 1 if first == second else 2
            part = -0.5 * self.density * orders * c[first] * c[second] * np.cumsum(self.shell * term)
            close(table[pair], part, 1e-11)
            total = total + part
        close(table["total"], total, 1e-11)

    def test_kirkwood_buff_table(self):
        rows = list(lines(starhist("analyze", self.result, "--quantity", "kirkwood-buff", "--table", "--tail", 1.0,
                                   "--sub-volumes", "0.7,1.2")))[1:]  # fmt: skip
        table = {tuple(row[:3] + row[5:]): (float(row[3]), float(row[4])) for row in rows}
        cut, edges = self.edges[-1], self.edges
        integrals = {}

        def mean(power):
            upper, lower = edges[1:] ** (power + 3), edges[:-1] ** (power + 3)
            return 3 / (power + 3) * (upper - lower) / (edges[1:] ** 3 - edges[:-1] ** 3)

        for pair in self.rows:
            e = self.excess(pair)
            x3, x4, x5 = (mean(power) / cut**power for power in (3, 4, 5))
            tail = edges[:-1] > 1.0 - 1e-9
            level = 1 + e[tail].sum() / self.shell[tail].sum()
            diameters = edges[(edges > 0.7 - 1e-9) & (edges < 1.2 + 1e-9)]
            spheres = []
            for diameter in diameters:
                inside = edges[1:] < diameter + 1e-9
                weight = 1 - 1.5 * mean(1) / diameter + 0.5 * mean(3) / diameter**3
                spheres.append((e * weight)[inside].sum())
            integrals[pair] = {
                "plain": e.sum(),
                "Krueger 2013": (e * (1 - x3)).sum(),
                "Krueger-Vlugt 2018": (e * (1 - 23 / 8 * x3 + 3 / 4 * x4 + 9 / 8 * x5)).sum(),
                "shifted tail": ((e + self.shell) / level - self.shell).sum(),
                "sub-volumes": np.polyfit(1 / diameters, spheres, 1)[1],
            }
        rho = {name: number / self.volume for name, number in self.number.items()}
        for method, g_hh in integrals["H-H"].items():
            g_ho, g_oo = integrals["H-O"][method], integrals["O-O"][method]
            for pair in self.rows:
                value, error = table["G", pair, method, "nm^3"]
                self.assertAlmostEqual(value, integrals[pair][method], delta=1e-12)
                self.assertGreater(error, 0)
            self.assertAlmostEqual(table["excess number", "H around O", method, "1"][0], rho["H"] * g_ho, delta=1e-10)
            self.assertAlmostEqual(table["excess number", "O around H", method, "1"][0], rho["O"] * g_ho, delta=1e-10)
            delta = g_hh + g_oo - 2 * g_ho
            x = self.concentrations()
            factor = 1 / (1 + x["H"] * x["O"] * self.density * delta)
            self.assertAlmostEqual(table["thermodynamic factor", "H + O", method, "1"][0] / factor, 1, delta=1e-10)
            activity = 1 / (1 + rho["O"] * (g_oo - g_ho))
            self.assertAlmostEqual(table["d ln a / d ln rho", "O", method, "1"][0] / activity, 1, delta=1e-10)
            # Partial volumes fill the volume: rho_1 v_1 + rho_2 v_2 = 1.
            volumes = [table["partial molecular volume", name, method, "nm^3"][0] for name in "HO"]
            self.assertAlmostEqual(rho["H"] * volumes[0] + rho["O"] * volumes[1], 1, delta=1e-10)


if __name__ == "__main__":
    unittest.main()
