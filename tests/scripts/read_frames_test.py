#!/usr/bin/env python3
"""Files of each format that packages of Python read, counted and compared with a loop over all pairs.

STARHIST_PROGRAM names starhist; CTest runs each class on its own.
"""

import importlib.util
import json
import lzma
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import warnings
import zlib
from math import isqrt

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("STARHIST_PROGRAM", str(ROOT / "build/starhist"))

if any(importlib.util.find_spec(name) is None for name in ("h5py", "numpy", "MDAnalysis")):
    print("SKIPPED: h5py, numpy or MDAnalysis is missing")
    sys.exit(77)

import h5py  # noqa: E402
import numpy  # noqa: E402

warnings.simplefilter("ignore")
import MDAnalysis  # noqa: E402

sys.path.insert(0, str(ROOT / "scripts/user"))
import read_frames  # noqa: E402

ATOMS, FRAMES, EDGE, BINS = 24, 3, 12, 10  # bins of 0.5 on [0, 5)
GRID = 8  # positions are multiples of 1/8, so that all formats hold them exactly
NAMES = ["OW", "HW1", "HW2"] * 7 + ["NA", "CL", "CL"]
POSITIONS = numpy.random.default_rng(3).integers(0, EDGE * GRID, (FRAMES, ATOMS, 3))  # in 1/GRID


def loop(frames=range(FRAMES), species=None, edge=EDGE):
    """Counts of all pairs of a species in a cube, or without a box, in integers."""
    chosen = [k for k in range(ATOMS) if species is None or NAMES[k] in species]
    counts = [0] * BINS
    for frame in frames:
        for i, first in enumerate(chosen):
            for second in chosen[:i]:
                square = 0
                for axis in range(3):
                    d = abs(int(POSITIONS[frame, first, axis] - POSITIONS[frame, second, axis]))
                    square += (d if edge is None else min(d, edge * GRID - d)) ** 2
                k = isqrt(4 * square // GRID**2)  # floor(r / 0.5)
                if k < BINS:
                    counts[k] += 1
    return counts


def universe():
    atoms = MDAnalysis.Universe.empty(
        ATOMS, n_residues=8, trajectory=True, atom_resindex=[k // 3 for k in range(ATOMS)], residue_segindex=[0] * 8
    )
    atoms.add_TopologyAttr("names", NAMES)
    atoms.add_TopologyAttr("types", [name[0] for name in NAMES])
    atoms.add_TopologyAttr("elements", [name.title() if name in ("NA", "CL") else name[0] for name in NAMES])
    atoms.add_TopologyAttr("resnames", ["SOL"] * 7 + ["ION"])
    atoms.add_TopologyAttr("resids", list(range(1, 9)))
    atoms.add_TopologyAttr("segids", ["A"])
    for attribute in ("charges", "radii"):
        atoms.add_TopologyAttr(attribute, [1.0] * ATOMS)
    atoms.load_new(
        (POSITIONS / GRID).astype("f4"), dimensions=numpy.array([[EDGE] * 3 + [90] * 3] * FRAMES, dtype="f4")
    )
    return atoms


PSF = (
    "PSF\n\n       1 !NTITLE\n REMARKS water\n\n"
    + f"{ATOMS:8d} !NATOM\n"
    + "".join(
        f"{k + 1:8d} A    {k // 3 + 1:<4d} {'ION' if k > 20 else 'SOL':4s} {name:4s} {name[0]:4s} {0:10.6f}    {16 if name == 'OW' else 1:10.4f} {0:11d}\n"
        for k, name in enumerate(NAMES)
    )
    + "\n"
    + f"{14:8d} !NBOND: bonds\n"
)
BONDS = [f"{3 * k + 1:8d}{3 * k + h:8d}" for k in range(7) for h in (2, 3)]
PSF += "".join("".join(BONDS[k : k + 4]) + "\n" for k in range(0, 14, 4)) + "".join(
    f"\n{0:8d} !{section}\n\n"
    for section in ("NTHETA: angles", "NPHI: dihedrals", "NIMPHI: impropers", "NDON: donors", "NACC: acceptors")
)


class ProgramTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="starhist-read-frames-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.psf = self.write("top.psf", PSF)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def starhist(self, *arguments, **variables):
        return subprocess.run(
            [PROGRAM, *map(str, arguments)],
            text=True,
            capture_output=True,
            check=False,
            env={**os.environ, "STARHIST_PYTHON": sys.executable, **variables},
        )

    def counts(self, *arguments):
        """Of all pairs, and the file of the result."""
        output = self.folder / "out.h5"
        run = self.starhist("rdf", *arguments, "-o", output, "-f", "--r-max", 5, "--bins", BINS)
        self.assertEqual(run.returncode, 0, run.stderr)
        with h5py.File(output) as file:
            return file["observables/pair_distance_histogram/value"][()].sum(axis=(0, 1)).tolist()

    def refusal(self, *arguments, **variables):
        run = self.starhist("rdf", *arguments, "-o", self.folder / "none.h5", "--r-max", 5, "--bins", BINS, **variables)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertFalse((self.folder / "none.h5").exists())
        return run.stderr

    def particles(self, *arguments):
        """Columns of the particles."""
        run = self.starhist("info", "--json", "--particles", *arguments)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)["particles"]

    def written(self, name, copies=1, **arguments):
        path = self.folder / name
        atoms = universe()
        with MDAnalysis.Writer(str(path), ATOMS, **arguments) as writer:
            for _ in range(copies):
                for _ in atoms.trajectory:
                    writer.write(atoms.atoms)
        return path


class Trajectories(ProgramTest):
    def test_dcd(self):
        path = self.written("a.dcd", dt=0.5)
        self.assertEqual(self.counts(path, "--by", "all"), loop())
        self.assertEqual(self.counts(path, "--structure", self.psf, "--species", "O=OW"), loop(species=["OW"]))
        self.assertEqual(self.counts(path, "--structure", self.psf, "--by", "all", "--first", 2), loop([2]))
        info = self.starhist("info", path).stdout
        self.assertIn("length unit  A", info)
        self.assertIn("ps", info)

    def test_molecules_of_psf_are_what_bonds_connect(self):
        path = self.written("a.dcd", dt=0.5)
        inside = self.counts(path, "--structure", self.psf, "--by", "all", "--only-same", "molecule")
        outside = self.counts(path, "--structure", self.psf, "--by", "all", "--exclude-same", "molecule")
        self.assertEqual([a + b for a, b in zip(inside, outside)], loop())
        self.assertIn("10 molecules", self.starhist("info", path, "--structure", self.psf).stdout)

    def test_lone_pairs_of_psf_belong_to_the_molecule_of_their_residue(self):
        path = self.written("a.dcd", dt=0.5)
        row = next(line for line in PSF.splitlines() if " SOL  HW1" in line)
        site = row.replace("1.0000", "0.0000")
        psf = PSF.replace(row, site).replace(BONDS[0], "").replace(f"{14:8d} !NBOND", f"{13:8d} !NBOND")
        psf = self.write("lp.psf", psf.replace("\n" + BONDS[1], "\n" + BONDS[1].strip().rjust(16)))
        info = self.starhist("info", path, "--structure", psf)
        self.assertIn("10 molecules", info.stdout, info.stderr)

    def test_amber_netcdf(self):
        if importlib.util.find_spec("scipy") is None:
            self.skipTest("there is no scipy")
        path = self.written("a.nc")
        self.assertEqual(self.counts(path, "--structure", self.psf, "--by", "all"), loop())

    def amber_text(self):
        text = "title\n"
        for frame in POSITIONS / GRID:
            numbers = [f"{x:8.3f}" for x in frame.ravel()]
            text += "".join("".join(numbers[k : k + 10]) + "\n" for k in range(0, len(numbers), 10))
        return self.write("a.mdcrd", text)

    def test_frames_in_turn_are_read_without_a_search(self):
        """To go to a frame of a compressed file is to read it from its beginning."""
        sys.path.insert(0, str(ROOT / "scripts/user"))
        import mdanalysis_file
        import read_frames

        file = mdanalysis_file.MdanalysisFile(read_frames.Source("TRJ", str(self.amber_text()), ATOMS, ""))
        searched, search = [], file.reader._read_frame
        file.reader._read_frame = lambda index: searched.append(index) or search(index)
        for index in (0, 1, 2, 1, 2):
            read = file.read(index)
            self.assertTrue((read.positions * GRID == POSITIONS[index]).all())
        self.assertEqual(searched, [0, 1])
        with self.assertRaises(IndexError):
            file.read(FRAMES)

    def test_amber_text_needs_the_number_of_atoms(self):
        path = self.amber_text()
        self.assertEqual(self.counts(path, "--structure", self.psf, "--by", "all"), loop(edge=None))
        self.assertEqual(self.counts(path, "--structure", self.psf, "--by", "all", "--box", "12,12,12"), loop())
        self.assertIn("number of", self.refusal(path))

    def gsd_file(self, frames):
        if importlib.util.find_spec("gsd") is None:
            self.skipTest("there is no gsd")
        import gsd.hoomd

        snapshot = getattr(gsd.hoomd, "Frame", None) or gsd.hoomd.Snapshot
        path = self.folder / "a.gsd"
        with gsd.hoomd.open(str(path), "wb" if hasattr(gsd.hoomd, "Snapshot") else "w") as file:
            for k in frames:
                frame = snapshot()
                frame.particles.N = ATOMS
                frame.particles.types = ["O", "H"]
                frame.particles.typeid = [0 if name == "OW" else 1 for name in NAMES]
                frame.particles.position = POSITIONS[k] / GRID - EDGE / 2
                frame.configuration.box = [EDGE, EDGE, EDGE, 0, 0, 0]
                frame.configuration.step = 100 * k
                file.append(frame)
        return path

    def check_counted_once(self, path, *arguments):
        """`path`: the frames twice."""
        self.assertEqual(self.counts(path, "--by", "all", *arguments), loop())
        twice = [2 * count for count in loop()]
        self.assertEqual(self.counts(path, "--by", "all", "--repeated", "keep", *arguments), twice)
        self.assertIn("--repeated is fail", self.refusal(path, "--repeated", "fail", *arguments))

    def test_frames_that_a_file_repeats_count_once(self):
        self.check_counted_once(self.gsd_file([*range(FRAMES), *range(FRAMES)]))
        self.check_counted_once(self.written("twice.nc", copies=2), "--structure", self.psf)

    def test_gsd_has_reduced_units_and_steps(self):
        path = self.gsd_file(range(FRAMES))
        self.assertEqual(self.counts(path, "--by", "all"), loop())
        self.assertEqual(self.counts(path, "--pairs", "O-O"), loop(species=["OW"]))
        with h5py.File(self.folder / "out.h5") as file:
            self.assertEqual(file["observables/pair_distance_histogram/step"][-1], 200)
            self.assertNotIn("unit", file["observables/pair_distance_histogram/bin_edges"].attrs)

    def test_tilted_gsd_boxes_are_the_matrices_of_the_file(self):
        if importlib.util.find_spec("gsd") is None:
            self.skipTest("there is no gsd")
        import gsd.hoomd

        snapshot = getattr(gsd.hoomd, "Frame", None) or gsd.hoomd.Snapshot
        path = self.folder / "a.gsd"
        with gsd.hoomd.open(str(path), "wb" if hasattr(gsd.hoomd, "Snapshot") else "w") as file:
            frame = snapshot()
            frame.particles.N = 2
            frame.particles.position = [[0, 0, 0], [1, 1, 1]]
            frame.configuration.box = [8, 8, 8, 0.25, -0.5, 0.125]
            file.append(frame)
        self.counts(path)
        with h5py.File(self.folder / "out.h5") as file:
            box = file["observables/pair_distance_histogram/box"][0].tolist()
        self.assertEqual(box, [[8, 0, 0], [2, 8, 0], [-4, 1, 8]])

    def test_a_gsd_of_a_later_version_says_so(self):
        if importlib.util.find_spec("gsd") is None:
            self.skipTest("there is no gsd")
        from frame_readers import gsd_frames

        error = RuntimeError("Incompatible hoomd schema version (2, 0) in: a.gsd")
        with unittest.mock.patch("gsd.hoomd.open", side_effect=error), self.assertRaises(ValueError) as refusal:
            gsd_frames.open_trajectory("a.gsd")
        self.assertIn("pip install --upgrade gsd", str(refusal.exception))

    def test_rigid_bodies_of_a_gsd_are_molecules(self):
        if importlib.util.find_spec("gsd") is None:
            self.skipTest("there is no gsd")
        import gsd.hoomd

        path = self.folder / "bodies.gsd"
        with gsd.hoomd.open(str(path), "wb" if hasattr(gsd.hoomd, "Snapshot") else "w") as file:
            frame = (getattr(gsd.hoomd, "Frame", None) or gsd.hoomd.Snapshot)()
            frame.particles.N = 6
            frame.particles.position = [[k, 0, 0] for k in range(6)]
            frame.particles.body = [0, 1, -1, -1, 0, 1]  # constituents follow all centres
            frame.configuration.box = [8, 8, 8, 0, 0, 0]
            file.append(frame)
        particles = self.particles(path)
        self.assertEqual(particles["molecule_index"], [0, 1, 2, 3, 0, 1])
        self.assertNotIn("residue_index", particles)

    def test_formats_without_residues_have_none(self):
        path = self.write("a.txyz", "2 argon\n1 O 0 0 0 1\n2 O 1 0 0 1\n")
        self.assertNotIn("resid", self.particles(path))
        self.assertIn("which residue", self.refusal(path, "--box", "9,9,9", "--exclude-same", "residue"))

    def test_convert_keeps_residues_of_several_molecules(self):
        dcd = self.written("a.dcd", dt=0.5)
        psf = self.write("one.psf", self.psf.read_text().replace(" 8    ION", " 7    SOL"))
        output = self.folder / "converted.h5"
        self.assertEqual(self.starhist("convert", dcd, "--structure", psf, "-o", output).returncode, 0)
        residues = self.particles(output)["residue_index"]
        self.assertEqual(residues, [min(k // 3, 6) for k in range(ATOMS)])
        self.assertEqual(residues, self.particles(dcd, "--structure", psf)["residue_index"])

    def test_mdtraj_hdf5(self):
        path = self.folder / "a.h5"
        residues = [
            {
                "index": r,
                "name": "SOL" if r < 7 else "ION",
                "resSeq": r + 1,
                "atoms": [{"index": k, "name": NAMES[k], "element": NAMES[k][0]} for k in range(3 * r, 3 * r + 3)],
            }
            for r in range(8)
        ]
        bonds = [[3 * k, 3 * k + h] for k in range(7) for h in (1, 2)]
        topology = json.dumps({"chains": [{"index": 0, "residues": residues}], "bonds": bonds})
        with h5py.File(path, "w") as file:
            file["coordinates"] = (POSITIONS / GRID).astype("f4")
            file["time"] = numpy.array([0.5, 1.0, 1.5], dtype="f4")
            file["cell_lengths"] = numpy.full((FRAMES, 3), EDGE, dtype="f4")
            file["cell_angles"] = numpy.full((FRAMES, 3), 90, dtype="f4")
            file["topology"] = numpy.array([topology.encode()])
        self.assertEqual(self.counts(path, "--by", "all"), loop())
        self.assertEqual(self.counts(path, "--species", "O=OW"), loop(species=["OW"]))
        info = self.starhist("info", path).stdout
        self.assertIn("0.5 .. 1.5 ps", info)
        self.assertIn("10 molecules", info)

    def mdtraj_file(self, **changes):
        """Two chains with a ligand LIG 1 each, of which a site has no bond, as mdtraj writes them. None: left out."""
        chains = [
            {
                "index": k,
                "chain_id": "AB"[k],
                "residues": [
                    {
                        "index": k,
                        "name": "LIG",
                        "resSeq": 1,
                        "segmentID": "",
                        "atoms": [
                            {"index": 3 * k + a, "name": name, "element": element}
                            for a, (name, element) in enumerate((("O", "O"), ("H", "H"), ("M", "VS")))
                        ],
                    }
                ],
            }
            for k in range(2)
        ]
        content = {
            "coordinates": (numpy.arange(36).reshape(2, 6, 3) % 7 / 4).astype("f4"),
            "time": numpy.array([1, 2], "f4"),
            "cell_lengths": numpy.full((2, 3), 4, "f4"),
            "cell_angles": numpy.full((2, 3), 90, "f4"),
            "topology": {"chains": chains, "bonds": [[0, 1], [3, 4]]},
            **changes,
        }
        path = self.folder / "mdtraj.h5"
        with h5py.File(path, "w") as file:
            for name, value in content.items():
                if name == "topology":
                    file[name] = numpy.array([json.dumps(value).encode()])
                elif value is not None:
                    file[name] = value
            file["coordinates"].attrs["units"] = numpy.bytes_("nanometers")
        return path

    def test_chains_and_sites_of_mdtraj(self):
        info = self.starhist("info", self.mdtraj_file()).stdout
        for text in ("chain: A, B", "resid: 2 residues", "molecule: 2 molecules", "element: DUMMY, H, O"):
            self.assertIn(text, info)

    def test_a_residue_without_bonds_is_one(self):
        topology = json.loads(h5py.File(self.mdtraj_file())["topology"][0])
        topology["bonds"] = [[0, 1]]
        info = self.starhist("info", self.mdtraj_file(topology=topology)).stdout
        self.assertIn("resid: 2 residues", info)
        self.assertIn("molecule: 3 molecules", info)

    def test_what_mdtraj_does_not_write_is_refused(self):
        def refused(path, *words, arguments=()):
            run = self.starhist("rdf", path, "-o", self.folder / "no.h5", "--r-max", 1, *arguments)
            self.assertEqual(run.returncode, 1, run.stdout)
            for word in words:
                self.assertIn(word, run.stderr)

        refused(self.mdtraj_file(cell_angles=None), "only one of cell_lengths and cell_angles")
        refused(self.mdtraj_file(cell_vectors=numpy.zeros((2, 3, 3))), '"cell_vectors"')
        refused(self.mdtraj_file(time=numpy.array([1, 2, 3], "f4")), "time has 3 entries for 2 frames")
        flat = self.mdtraj_file(cell_angles=numpy.array([[90, 90, 90], [60, 60, 150]], "f4"))
        refused(flat, "frame 1", "--box")
        self.assertEqual(
            self.starhist("rdf", flat, "-o", self.folder / "yes.h5", "--r-max", 1, "--box", "4,4,4").returncode, 0
        )
        chains = [
            {
                "index": 0,
                "residues": [
                    {
                        "index": 0,
                        "name": "X",
                        "atoms": [{"index": k, "name": "C", "element": "C"} for k in (0, 1, 2, 3, 4, 4)],
                    }
                ],
            }
        ]
        refused(self.mdtraj_file(topology={"chains": chains, "bonds": []}), "atom 5 is missing or duplicated")
        for k, atom in enumerate(chains[0]["residues"][0]["atoms"]):
            atom["index"] = k
        refused(self.mdtraj_file(topology={"chains": chains, "bonds": [[0, 6]]}), "bond of atom 6", "0 .. 5")
        path = self.mdtraj_file()
        with h5py.File(path, "r+") as file:
            file["coordinates"].attrs["units"] = numpy.bytes_("angstroms")
        refused(path, "angstroms", "nanometers")

    def test_convert_makes_h5md_of_them(self):
        path = self.written("a.dcd", dt=0.5)
        converted = self.folder / "b.h5"
        run = self.starhist("convert", path, "--structure", self.psf, "-o", converted)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(self.counts(converted, "--by", "all"), loop())


class Units(ProgramTest):
    """Files of LAMMPS, with the units that its data file states."""

    def data(self, units):
        atoms = "".join(f"{k + 1} {1 if name == 'OW' else 2} 0 0 0\n" for k, name in enumerate(NAMES))
        return self.write(
            f"{units or 'silent'}.data",
            "LAMMPS data file via write_data, version 29 Aug 2024, timestep = 0"
            + (f", units = {units}" if units else "")
            + f"\n\n{ATOMS} atoms\n2 atom types\n"
            "0 12 xlo xhi\n0 12 ylo yhi\n0 12 zlo zhi\n\nMasses\n\n1 16 # O\n2 1 # H\n\nAtoms # atomic\n\n" + atoms,
        )

    def dcd_of_lammps(self):
        """Frames at steps 200, 300, 400 of 0.005 in the units of the run."""
        step = MDAnalysis.units.get_conversion_factor("time", "AKMA", "ps") * 0.005
        path = self.written("run.dcd", remarks="Written by LAMMPS", dt=100 * step, nsavc=100, istart=200)
        content = path.read_bytes()
        self.assertIn(b"Written by LAMMPS", content)
        return path

    def info(self, *arguments):
        run = self.starhist("info", *arguments)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout + run.stderr

    def test_a_dcd_of_lammps_has_the_units_of_its_run(self):
        path = self.dcd_of_lammps()
        self.assertIn(
            "was written by LAMMPS, in the units of the run (give the length unit with --unit", self.info(path)
        )
        self.assertIn("length unit  not specified", self.info(path))
        for units, length, time in (("lj", "sigma", "tau"), ("real", "A", "fs"), ("nano", "nm", "ns")):
            with self.subTest(units):
                info = self.info(path, "--structure", self.data(units))
                self.assertIn(f"length unit  {length}\n", info)
                self.assertIn(f"1 .. 2 {time}", info)
                self.assertNotIn("written by LAMMPS", info)
        self.assertIn("length unit  nm\n", self.info(path, "--unit", "nm"))
        self.assertIn(
            "has lengths in sigma, not in nm", self.refusal(path, "--structure", self.data("lj"), "--unit", "nm")
        )
        self.assertEqual(
            self.counts(path, "--structure", self.data("lj"), "--species", "O=type 1"), loop(species=["OW"])
        )

    def test_files_in_nm_or_angstrom_are_not_of_a_run_in_reduced_units(self):
        for name, unit in (("a.dcd", "A"), ("a.xtc", "nm"), ("a.trr", "nm")):
            with self.subTest(name):
                path = self.written(name)
                text = self.refusal(path, "--structure", self.data("lj"))
                self.assertIn(f"{name}: has lengths in {unit}, but the structure", text)
                self.assertIn("lj.data is from a run in sigma", text)
                for units in ("real", "nano", ""):  # which LAMMPS converts to those of XTC
                    self.assertIn(f"length unit  {unit}\n", self.info(path, "--structure", self.data(units)))


class GromacsStructures(ProgramTest):
    DATA = ROOT / "tests/data"

    def tables(self, trajectory, structure, *arguments):
        """Names of the pairs, and their counts."""
        output = self.folder / "out.h5"
        run = self.starhist(
            "rdf", trajectory, "--structure", structure, "-o", output, "-f", "--r-max", 0.9, "--bins", 90, *arguments
        )
        self.assertEqual(run.returncode, 0, run.stderr)
        shown = self.starhist("export", output)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        with h5py.File(output) as file:
            counts = file["observables/pair_distance_histogram/value"][()]
        return [line for line in shown.stdout.splitlines() if not line.startswith("#")], counts, run.stderr

    def assert_like(self, trajectory, structure, other, *arguments):
        names, counts, said = self.tables(trajectory, structure, *arguments)
        expected_names, expected, _ = self.tables(trajectory, other, *arguments)
        self.assertEqual(names, expected_names)
        self.assertGreater(expected.sum(), 0)
        self.assertTrue(numpy.array_equal(counts, expected))
        return said

    def later_tpr(self):
        """A TPR of a generation that no libgromacs reads, with the atoms of spc.tpr."""
        content = (self.DATA / "spc.tpr").read_bytes()
        generation = b"\0\0\0\x7f\0\0\0"
        self.assertEqual(content.count(generation + b"\x1c"), 1)
        path = self.folder / "later.tpr"
        path.write_bytes(content.replace(generation + b"\x1c", generation + b"\x63"))
        return path

    def gro_of_spc(self):
        lines = [
            f"{k // 3 + 1:5d}SOL  {('OW', 'HW1', 'HW2')[k % 3]:>5s}{k + 1:5d}   0.000   0.000   0.000\n"
            for k in range(648)
        ]
        return self.write("spc.gro", "water\n  648\n" + "".join(lines) + "   1.86   1.86   1.86\n")

    def test_a_tpr_that_libgromacs_does_not_read(self):
        for by in ("name", "resname"):
            said = self.assert_like(self.DATA / "spc.xtc", self.later_tpr(), self.gro_of_spc(), "--by", by)
            self.assertIn("later.tpr: is read by MDAnalysis, because libgromacs cannot read it", said)
        self.assert_like(self.DATA / "spc.xtc", self.later_tpr(), self.DATA / "spc.tpr", "--exclude-same", "molecule")

    def with_two_residues(self, content, numbers):
        """The same TPR, but with the third atom of each water in another residue, and these residue numbers."""
        atoms = content.index(struct.pack(">2i", 3, 1))  # numbers of atoms and residues of the molecule
        place = atoms + 8 + 2 * 32 + 24  # residue of the third atom
        residue = atoms + 8 + 3 * 32 + 9 * 4  # name, number and insertion code, behind the names and types
        name, code = content[residue : residue + 4], content[residue + 8 : residue + 9]
        head = content[:atoms] + struct.pack(">2i", 3, 2) + content[atoms + 8 : place] + struct.pack(">i", 1)
        residues = b"".join(name + struct.pack(">i", number) + code for number in numbers)
        return head + content[place + 4 : residue] + residues + content[residue + 9 :]

    def test_residue_numbers_of_a_later_tpr_are_those_of_gromacs(self):
        """Of the topology for molecules with several residues, and counted for others."""
        path = self.later_tpr()
        xtc = self.DATA / "spc.xtc"
        counted = self.particles(xtc, "--structure", path)
        self.assertEqual(counted["resid"], self.particles(xtc, "--structure", self.gro_of_spc())["resid"])
        path.write_bytes(self.with_two_residues(path.read_bytes(), (50, 52)))
        particles = self.particles(xtc, "--structure", path)
        self.assertEqual(particles["resid"], [50, 50, 52] * 216)
        self.assertEqual(particles["residue_index"], [k + 2 * m for m in range(216) for k in (0, 0, 1)])

    def test_residue_numbers_of_a_top_are_those_of_gromacs(self):
        def kind(name, numbers):
            atoms = "".join(f"{k + 1} C {number} RES C {k + 1} 0 12\n" for k, number in enumerate(numbers))
            return f"[ moleculetype ]\n{name} 3\n[ atoms ]\n{atoms}"

        top = self.write(
            "topol.top",
            "[ defaults ]\n1 2\n[ atomtypes ]\nC 12.0 0 A 1 1\n"
            + kind("chain_A", (5, 5, 6, 6, 7, 7))
            + kind("chain_B", (1, 1, 2, 2))
            + kind("SOL", (1, 1))
            + "[ system ]\nchains\n[ molecules ]\nchain_A 2\nSOL 300\nchain_B 1\nSOL 16\n",
        )
        particles = self.particles(self.DATA / "spc.xtc", "--structure", top)
        chain, waters = [5, 5, 6, 6, 7, 7], [8 + k // 2 for k in range(632)]
        self.assertEqual(particles["resid"], 2 * chain + waters[:600] + [1, 1, 2, 2] + waters[600:])
        self.assertEqual(particles["residue_index"], [k // 2 for k in range(648)])

    def test_a_tpr_that_nobody_reads(self):
        path = self.folder / "a.tpr"
        path.write_bytes(b"\0\0\0\x0d\0\0\0\x0cVERSION 2099" + bytes(200))
        text = self.refusal(self.DATA / "spc.xtc", "--structure", path)
        self.assertIn("a.tpr: ", text)
        self.assertIn("libgromacs", text)
        self.assertIn(f"; MDAnalysis {MDAnalysis.__version__} cannot read it (", text)
        self.assertIn("needs a later libgromacs, or a later MDAnalysis", text)
        self.assertIn("gmx editconf", text)

    def test_tprs_of_gromacs_2023_and_later(self):
        if importlib.util.find_spec("MDAnalysisTests") is None:
            self.skipTest("there is no MDAnalysisTests")
        import MDAnalysisTests

        folder = pathlib.Path(MDAnalysisTests.__file__).parent / "data/tprs/all_bonded"
        gro = folder / "dummy.gro"
        atoms = MDAnalysis.Universe(str(gro))
        path = self.folder / "a.xtc"
        with MDAnalysis.Writer(str(path), len(atoms.atoms)) as writer:
            for frame in range(FRAMES):
                atoms.atoms.positions = numpy.random.default_rng(frame).uniform(0, 20, (len(atoms.atoms), 3))
                atoms.dimensions = [20, 20, 20, 90, 90, 90]
                writer.write(atoms.atoms)
        read = 0
        for tpr in sorted(folder.glob("dummy_202[3-9]*.tpr")):
            try:
                MDAnalysis.Universe(str(tpr))
            except ValueError:
                continue  # later than this MDAnalysis
            read += 1
            with self.subTest(tpr.name):
                self.assert_like(path, tpr, gro, "--by", "name")
                self.assert_like(path, tpr, folder / "dummy.top", "--by", "resname")  # the GRO has others
        self.assertGreater(read, 0)

    def test_a_top_is_of_gromacs_or_amber_by_its_content(self):
        water = (
            "[ moleculetype ]\nSOL 2\n[ atoms ]\n1 OW 1 SOL OW 1 -0.8 16.0\n2 HW 1 SOL HW1 1 0.4 1.0\n3 HW 1 SOL HW2 1 0.4 1.0\n"
            "[ settles ]\n1 1 0.1 0.16\n[ system ]\nwater\n[ molecules ]\nSOL 216\n"
        )
        types = "[ defaults ]\n1 2\n[ atomtypes ]\nOW 16.0 0 A 1 1\nHW 1.0 0 A 0 0\n"
        self.write("water.itp", types)
        for begin in ("; of GROMACS\n" + types, "\n  " + types, '#include "water.itp"\n'):
            with self.subTest(begin):
                top = self.write("topol.top", begin + water)
                for by in ("name", "resname"):
                    self.assert_like(self.DATA / "spc.xtc", top, self.gro_of_spc(), "--by", by)
        text = self.refusal(
            self.DATA / "spc.xtc", "--structure", self.write("far.top", '#include "no.ff/forcefield.itp"\n' + water)
        )
        self.assertIn("no.ff/forcefield.itp: set GMXLIB to the folder of the force fields", text)
        text = self.refusal(
            self.DATA / "spc.xtc",
            "--structure",
            self.write("amber.top", "%VERSION  VERSION_STAMP = V0001.000\n%FLAG TITLE\n"),
        )
        self.assertIn("amber.top: MDAnalysis", text)
        self.assertNotIn("GMXLIB", text)


class SingleFrames(ProgramTest):
    def test_formats_that_mdanalysis_writes(self):
        atoms = universe().atoms
        for name in ("a.crd", "a.pqr", "a.in", "a.coor"):
            with self.subTest(name):
                path = self.folder / name
                try:
                    atoms.write(str(path))
                except (AttributeError, ValueError) as error:
                    self.skipTest(str(error))
                arguments = [path, "--by", "all", "--box", "12,12,12"]
                if name == "a.coor":
                    arguments += ["--structure", self.psf]
                self.assertEqual(self.counts(*arguments), loop([0]))

    def test_files_with_frames_name_the_atoms_of_others(self):
        atoms = universe().atoms
        for name in ("a.crd", "a.pqr"):
            atoms.write(str(self.folder / name))
        rows = [(k + 1, name, *POSITIONS[0, k] / GRID) for k, name in enumerate(NAMES)]
        self.write("a.txyz", f"{ATOMS}\n" + "".join(f"{k} {name} {x} {y} {z} 1\n" for k, name, x, y, z in rows))
        self.write(
            "a.mol2",
            f"@<TRIPOS>MOLECULE\nwater\n{ATOMS} 1\nSMALL\nUSER_CHARGES\n\n@<TRIPOS>ATOM\n"
            + "".join(f"{k} {name} {x} {y} {z} {name[0]} 1 SOL 0.0\n" for k, name, x, y, z in rows)
            + "@<TRIPOS>BOND\n1 1 2 1\n",
        )
        frames = self.written("a.dcd")
        for structure in ("a.crd", "a.pqr", "a.txyz", "a.mol2"):
            with self.subTest(structure):
                self.assertEqual(
                    self.counts(frames, "--structure", self.folder / structure, "--species", "O=name OW"),
                    loop(species=["OW"]),
                )

    def test_structures_and_frames_may_be_compressed(self):
        crd = self.folder / "a.crd"
        universe().atoms.write(str(crd))
        packed = self.folder / "a.crd.xz"
        packed.write_bytes(lzma.compress(crd.read_bytes()))
        structure = self.folder / "top.psf.xz"
        structure.write_bytes(lzma.compress(PSF.encode()))
        self.assertEqual(
            self.counts(packed, "--structure", structure, "--species", "O=OW", "--box", "12,12,12"),
            loop([0], species=["OW"]),
        )

    def test_frames_of_gamess_may_be_compressed(self):
        frames = "".join(
            f"1NSERCH={k:4d}\n COORDINATES OF ALL ATOMS ARE (ANGS)\n   ATOM   CHARGE       X              Y              Z\n"
            f" ------------------------------------------------------------\n"
            + "".join(f" {name} 8.0 {x} {y} {z}\n" for name, (x, y, z) in zip(NAMES, POSITIONS[k] / GRID))
            + "\n"
            for k in range(FRAMES)
        )
        atoms = "".join(f" {name} 8.0 {x}.0 0.0 0.0\n" for x, name in enumerate("O" * ATOMS, 1))
        text = (
            " $CONTRL RUNTYP=OPTIMIZE $END\n ATOM      ATOMIC                      COORDINATES (BOHR)\n"
            f"           CHARGE         X                   Y                   Z\n{atoms}\n"
            f" TOTAL NUMBER OF ATOMS                        =    {ATOMS}\n{frames}"
        )
        path = self.folder / "a.gms.xz"
        path.write_bytes(lzma.compress(text.encode()))
        for frames in ([0, 1, 2], [2], [1]):
            chosen = ("--first", frames[0], "--last", frames[-1])
            self.assertEqual(self.counts(path, "--by", "all", "--box", "12,12,12", *chosen), loop(frames))

    def test_zstandard_is_read_in_lines_frame_by_frame(self):
        """zlib stands for zstandard, whose decompressors have the same methods."""
        from frame_readers import text_lines, zstd_stream

        package = unittest.mock.Mock()
        package.ZstdDecompressor.return_value.decompressobj = zlib.decompressobj
        lines = [f"line {k}" for k in range(3000)]
        parts = ["\n".join(lines[:2000]) + "\n", "\n".join(lines[2000:]) + "\n"]
        packed = b"".join(zlib.compress(part.encode()) for part in parts)
        path, cut = self.folder / "a.txt.zst", self.folder / "cut.txt.zst"
        path.write_bytes(packed)
        cut.write_bytes(packed[:-20])
        with (
            unittest.mock.patch.dict(sys.modules, zstandard=package),
            unittest.mock.patch.object(zstd_stream, "PIECE", 100),
        ):
            read = text_lines.TextLines(str(path))
            self.assertEqual([read.next() for _ in range(1500)], lines[:1500])
            place = read.place()
            self.assertEqual([read.next() for _ in range(1501)], [*lines[1500:], None])
            read.go(place)
            self.assertEqual(read.next(), lines[1500])
            read.go((0, 0))
            self.assertEqual(read.next(), lines[0])
            read.stream.close()
            read = text_lines.TextLines(str(cut))
            with self.assertRaisesRegex(read_frames.Refused, "within its compressed data"):
                read.skip(3000)
            read.stream.close()


class Residues(ProgramTest):
    """Two ligands LIG 1 of segments or chains A and B, two atoms each, in the order A A B B."""

    NAMED = ("C1", "C2", "C1", "C2")
    SEGMENTS = ("A", "A", "B", "B")
    ROWS = [(k + 1, name, segment, k) for k, (name, segment) in enumerate(zip(NAMED, SEGMENTS))]

    def check(self, structure):
        """The same residues from a structure, and from the H5MD that convert makes with it."""
        xyz = self.write("a.xyz", "4\n\n" + "".join(f"{name} {x} 0 0\n" for _, name, _, x in self.ROWS))
        self.assertEqual(self.particles(xyz, "--structure", structure)["residue_index"], [0, 0, 1, 1])
        converted = self.folder / "converted.h5"
        self.assertEqual(self.starhist("convert", xyz, "--structure", structure, "-o", converted, "-f").returncode, 0)
        self.assertEqual(self.particles(converted)["residue_index"], [0, 0, 1, 1])

    def test_psf(self):
        atoms = "".join(
            f"{k:8d} {segment}    1    LIG  {name}   C    0.000000       12.0000           0\n"
            for k, name, segment, _ in self.ROWS
        )
        sections = (
            "NBOND: bonds",
            "NTHETA: angles",
            "NPHI: dihedrals",
            "NIMPHI: impropers",
            "NDON: donors",
            "NACC: acceptors",
        )
        self.check(
            self.write(
                "a.psf",
                f"PSF\n\n       1 !NTITLE\n REMARKS made\n\n       4 !NATOM\n{atoms}"
                + "".join(f"\n       0 !{section}\n\n" for section in sections),
            )
        )

    def test_crd(self):
        atoms = "".join(
            f"{k:10d}{1:10d}  LIG       {name:8s}{x:20.10f}{0:20.10f}{0:20.10f}  {segment:8s}  1       {0:20.10f}\n"
            for k, name, segment, x in self.ROWS
        )
        self.check(self.write("a.crd", f"* made\n*\n{4:10d}  EXT\n{atoms}"))

    def test_pqr(self):
        self.check(
            self.write(
                "a.pqr",
                "".join(
                    f"ATOM {k} {name} LIG {segment} 1 {x}.0 0.0 0.0 0.0 1.0\n" for k, name, segment, x in self.ROWS
                ),
            )
        )

    def test_mol2(self):
        """Of numbers or names of their own: the format has no segments."""
        for numbers, names in (((1, 2), ("LIG", "LIG")), ((1, 1), ("LIG1", "WAT1"))):
            atoms = "".join(
                f"{k} {name} {x} 0 0 C.3 {numbers[segment == 'B']} {names[segment == 'B']} 0.0\n"
                for k, name, segment, x in self.ROWS
            )
            head = "@<TRIPOS>MOLECULE\nm\n 4 1 0 0 0\nSMALL\nUSER_CHARGES\n@<TRIPOS>ATOM\n"
            self.check(self.write("a.mol2", f"{head}{atoms}@<TRIPOS>BOND\n1 1 2 1\n"))

    def test_hydrogens_of_mol2_may_follow_all_other_atoms(self):
        rows = [("N", 1), ("CA", 1), ("N", 2), ("CA", 2), ("H", 1), ("HA", 1), ("H", 2), ("HA", 2)]
        atoms = "".join(
            f"{k + 1} {name} {k}.0 0 0 {name[0]} {residue} GLY{residue} 0.0\n" for k, (name, residue) in enumerate(rows)
        )
        head = "@<TRIPOS>MOLECULE\nm\n 8 0 0 0 0\nSMALL\nUSER_CHARGES\n@<TRIPOS>ATOM\n"
        path = self.write("h.mol2", head + atoms)
        out = self.folder / "h.h5"
        words = ["--box", "none", "--by", "all", "--r-max", "9", "--bins", "9", "--exclude-same", "residue"]
        done = self.starhist("rdf", path, "-o", out, *words)
        self.assertIn("12 pairs of the same residue are left out", done.stderr)
        self.assertIn("2 residues", self.starhist("info", path).stdout)

    def test_atoms_of_mol2_are_those_of_its_lines(self):
        """As the CSD writes them: a name may be blank, bonds have the numbers of atoms, zeros stand for no charges."""
        atoms = "7 O1 0 0 0 O.3 1 RES1 0.0\n3 H1 1 0 0 H 1 RES1 0.0\n5 NA 0 1 0 NA 2 RES2 0.0\n"
        head = "@<TRIPOS>MOLECULE\n\n 3 1 1 0 0\nSMALL\nNO_CHARGES\n****\nfrom the CSD\n\n@<TRIPOS>ATOM\n"
        particles = self.particles(self.write("a.mol2", head + atoms + "@<TRIPOS>BOND\n1 7 3 1\n"))
        self.assertEqual(particles["molecule"], [1, 1, 2])
        self.assertEqual(particles["element"], ["O", "H", ""])
        self.assertEqual(particles["resname"], ["RES1", "RES1", "RES2"])
        self.assertNotIn("charge", particles)
        uncounted = self.write("u.mol2", head.replace(" 3 1 1 0 0", " 3") + atoms + "@<TRIPOS>BOND\n1 7 3 1\n")
        self.assertEqual(self.particles(uncounted)["molecule"], [1, 1, 2])
        for bonds, problem in (
            ("1 7 4 1\n", "bond of the atom '4'"),
            ("1 7 3", "is not a bond"),
            ("", "0 of the 1 bonds"),
        ):
            with self.subTest(bonds=bonds):
                cut = self.write("b.mol2", head + atoms + "@<TRIPOS>BOND\n" + bonds)
                self.assertIn(problem, self.refusal(cut))

    def test_dms(self):
        import sqlite3

        database = sqlite3.connect(self.folder / "a.dms")
        database.execute(
            "CREATE TABLE particle (id INTEGER PRIMARY KEY, anum INTEGER, x FLOAT, y FLOAT, z FLOAT, mass FLOAT, charge FLOAT, "
            "name TEXT, resname TEXT, resid INTEGER, chain TEXT, segid TEXT)"
        )
        database.executemany(
            "INSERT INTO particle VALUES (?, 6, ?, 0, 0, 12, 0, ?, 'LIG', 1, 'X', ?)",
            [(k - 1, float(x), name, segment) for k, name, segment, x in self.ROWS],
        )
        database.execute("CREATE TABLE bond (p0 INTEGER, p1 INTEGER, 'order' INTEGER)")
        database.execute("INSERT INTO bond VALUES (0, 1, 1)")
        database.execute("CREATE TABLE global_cell (id INTEGER PRIMARY KEY, x FLOAT, y FLOAT, z FLOAT)")
        database.commit()
        self.check(self.folder / "a.dms")
        database.execute("CREATE INDEX names ON particle (name)")
        database.commit()
        database.close()
        self.assertIn("or with an index", self.refusal(self.folder / "a.dms"))

    def test_insertion_codes_and_virtual_sites_of_dms(self):
        import sqlite3

        database = sqlite3.connect(self.folder / "a.dms")
        database.execute(
            "CREATE TABLE particle (id INTEGER PRIMARY KEY, name TEXT, anum INTEGER, mass FLOAT, resname TEXT, resid INTEGER, "
            "insertion TEXT, chain TEXT, segid TEXT, charge FLOAT, x FLOAT, y FLOAT, z FLOAT)"
        )
        water = (("OW", 8, 16), ("HW1", 1, 1), ("HW2", 1, 1))
        rows = [
            *((name, 6, 12, "SER", 82, code, "H") for code in "AB" for name in ("C1", "C2")),
            *((*atom, "SPC", 1, "", "W") for atom in (*water, ("MW", 0, 0))),
            *((*atom, "SPC", 2, "", "W") for atom in water),
            ("BEAD", 0, 72, "CG", 3, "", "W"),  # not a virtual site
            ("MW", 0, 0, "SPC", 2, "", "W"),
        ]
        database.executemany(
            "INSERT INTO particle VALUES (?, ?, ?, ?, ?, ?, ?, ?, '', 0, ?, 0, 0)",
            [(k, *row, k) for k, row in enumerate(rows)],
        )
        database.execute("CREATE TABLE bond (p0 INTEGER, p1 INTEGER, 'order' INTEGER)")
        bonds = ((0, 1), (1, 2), (2, 3), (4, 5), (4, 6), (8, 9), (8, 10))
        database.executemany("INSERT INTO bond VALUES (?, ?, 1)", bonds)
        database.commit()
        database.close()
        particles = self.particles(self.folder / "a.dms")
        self.assertEqual(particles["icode"], [*"AABB", *[""] * 9])
        self.assertEqual(particles["molecule_index"], [0] * 4 + [1] * 4 + [2] * 3 + [3, 2])
        self.assertEqual(particles["residue_index"], [0, 0, 1, 1] + [2] * 4 + [3] * 3 + [4, 3])


class Refusals(ProgramTest):
    def test_a_missing_package_is_named(self):
        path = self.folder / "a.dcd"
        path.write_bytes(b"T\0\0\0CORD" + bytes(200))
        python = self.write("python", "#!/bin/sh\nexec " + sys.executable + ' -S "$@"\n')
        python.chmod(0o755)
        text = self.refusal(path, STARHIST_PYTHON=str(python))
        self.assertIn("a.dcd: needs the Python package", text)
        self.assertIn("STARHIST_PYTHON", text)

    def test_damaged_files_are_refused(self):
        self.assertIn(
            f"MDAnalysis {MDAnalysis.__version__} cannot read it",
            self.refusal(self.write_bytes("a.dcd", b"T\0\0\0CORD" + bytes(200))),
        )
        self.assertIn("a.gsd: ", self.refusal(self.write_bytes("a.gsd", b"\xdf\x65" * 4 + bytes(300))))
        self.assertIn("has no frames (give it as --structure", self.refusal(self.psf))

    def test_a_format_that_needs_a_later_version_says_so(self):
        with unittest.mock.patch.object(MDAnalysis, "__version__", "2.4.2"):
            text = read_frames.refusal_of(ValueError("unknown"), "MMCIF")
        self.assertIn("needs MDAnalysis 2.10 or later", text)
        self.assertIn('has 2.4.2: run `pip install "MDAnalysis>=2.10"`', text)
        self.assertIn("STARHIST_PYTHON", text)
        with unittest.mock.patch.object(MDAnalysis, "__version__", "2.10.0"):
            self.assertEqual(
                read_frames.refusal_of(ValueError("unknown"), "MMCIF"), "MDAnalysis 2.10.0 cannot read it (unknown)"
            )
        text = self.refusal(self.write("a.cif", "data_X\nloop_\n"))
        self.assertIn("a.cif: ", text)  # by gemmi where starhist was built with it

    def write_bytes(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return path

    def test_another_number_of_atoms_than_the_structure(self):
        path = self.folder / "a.crd"
        universe().atoms.write(str(path))
        fewer = self.write("fewer.gro", "t\n1\n    1SOL     OW    1   0.000   0.000   0.000\n 1 1 1\n")
        self.assertIn("has 24 atoms, but the structure", self.refusal(path, "--structure", fewer))

    def test_nothing_is_written_beside_the_inputs(self):
        path = self.folder / "in" / "a.dcd"
        path.parent.mkdir()
        atoms = universe()
        with MDAnalysis.Writer(str(path), ATOMS) as writer:
            for _ in atoms.trajectory:
                writer.write(atoms.atoms)
        self.assertEqual(self.counts(path, "--by", "all"), loop())
        self.assertEqual(list(path.parent.iterdir()), [path])


class Misread(ProgramTest):
    """Files that MDAnalysis reads in part, or whose numbers it invents."""

    NAMES = "3\n\nO 0 0 0\nH 2 0 0\nH 7 0 0\n"

    def bins(self, *arguments):
        """{pair: {lower edge: count}} in bins of 1 up to 8."""
        output = self.folder / "out.h5"
        run = self.starhist("rdf", *arguments, "-o", output, "-f", "-q", "--r-max", 8, "--bins", 8)
        self.assertEqual(run.returncode, 0, run.stderr)
        table = json.loads(self.starhist("export", output, "--quantity", "counts", "--format", "json").stdout)
        return {
            curve["label"]: {k: count for k, count in enumerate(curve["value"]) if count} for curve in table["curves"]
        }

    def write_netcdf(self, order, types=(1, 2, 2), units=""):
        """`order`: atoms of each frame. `types`: of the atoms, in all frames or in each. `units`: of positions."""
        from scipy.io import netcdf_file

        path, base = self.folder / "lammps.nc", numpy.array([[0, 0, 0], [2, 0, 0], [7, 0, 0]], float)
        types = numpy.broadcast_to(types, (len(order), 3))
        with netcdf_file(path, "w", version=2) as file:
            file.Conventions, file.ConventionVersion = "AMBER", "1.0"
            for name, size in (("frame", None), ("spatial", 3), ("atom", 3)):
                file.createDimension(name, size)
            coordinates = file.createVariable("coordinates", "f4", ("frame", "atom", "spatial"))
            if units:
                coordinates.units = units
            numbers = {name: file.createVariable(name, "i4", ("frame", "atom")) for name in ("id", "type")}
            for k, rows in enumerate(order):
                coordinates[k] = base[rows]
                numbers["id"][k], numbers["type"][k] = numpy.array(rows) + 1, types[k][rows]
        return path

    def test_atoms_of_netcdf_are_found_by_their_ids(self):
        names = self.write("s.xyz", self.NAMES)
        path = self.write_netcdf([[0, 1, 2], [2, 0, 1]])
        expected = {"H-O": {2: 2, 7: 2}, "H-H": {5: 2}, "O-O": {}}
        self.assertEqual(self.bins(path, "--structure", names, "--box", "none"), expected)
        self.assertEqual(self.bins(path, "--box", "none"), {"1-2": {2: 2, 7: 2}, "2-2": {5: 2}, "1-1": {}})
        self.assertIn("has other ids than its first frame", self.refusal(self.write_netcdf([[0, 1, 2], [2, 0, 0]])))

    def test_positions_of_netcdf_have_a_known_unit(self):
        expected = {"1-2": {2: 2, 7: 2}, "2-2": {5: 2}, "1-1": {}}
        for units in ("angstrom", "Angstrom/Femtosecond"):  # the second one by ASE, with velocities
            path = self.write_netcdf([[0, 1, 2], [2, 0, 1]], units=units)
            self.assertEqual(self.bins(path, "--box", "none"), expected)
        path = self.write_netcdf([[0, 1, 2]], units="furlong")
        self.assertIn("has coordinates in furlong, and starhist knows angstrom, nanometer", self.refusal(path))

    def test_types_of_netcdf_may_change(self):
        path = self.write_netcdf([[0, 1, 2], [2, 0, 1], [0, 1, 2]], [[1, 2, 2], [2, 2, 1], [1, 10, 10]])
        expected = {"1-2": {2: 1, 5: 1, 7: 2}, "2-2": {2: 1, 5: 1}, "1-1": {}, "1-10": {2: 1, 7: 1}, "2-10": {}}
        self.assertEqual(self.bins(path, "--box", "none", "--all-pairs"), {**expected, "10-10": {5: 1}})
        names = self.write("s.xyz", self.NAMES)
        self.assertIn("other types than the first frame", self.refusal(path, "--structure", names, "--box", "none"))

    def test_masses_of_an_extended_psf_are_whole(self):
        atoms = [("OH2", -0.834, 15.9994), ("H1", 0.417, 1.008), ("H2", 0.417, 1.008)]
        for line in (
            "%10d %-8s %-8d %-8s %-8s %4d %14.6f%14.6f       0\n",
            "%10d %-8s %-8d %-8s %-8s %4d %14.6f    %14.4f           \n",  # ParmEd, which writes no flag
        ):
            text = "PSF EXT\n\n         1 !NTITLE\n t\n\n         3 !NATOM\n" + "".join(
                line % (k + 1, "W", 1, "TIP3", name, 4, charge, mass) for k, (name, charge, mass) in enumerate(atoms)
            )
            psf = self.write("ext.psf", text + "\n         0 !NBOND: bonds\n\n")
            columns = self.particles(self.write("a.xyz", self.NAMES), "--structure", psf)
            self.assertEqual([columns["mass"], columns["charge"]], [[m for *_, m in atoms], [q for _, q, _ in atoms]])

    def test_blank_fields_of_a_psf_do_not_shift_its_numbers(self):
        for extended, form, known in (
            (False, "%8d %-4s %-4d %-4s %-4s %-4s %10.6f %13.4f %11d\n", {"mass", "charge"}),
            (True, "%10d %-8s %-8d %-8s %-8s %4s %14.6f%14.6f%8d\n", set()),
        ):
            text = f"PSF{' EXT' * extended}\n\n       1 !NTITLE\n t\n\n       2 !NATOM\n" + "".join(
                form % (k, "", 1, "TIP3", name, "OT", charge, mass, 0)
                for k, name, charge, mass in ((1, "OH2", -0.834, 15.9994), (2, "H1", 0.417, 1.008))
            )
            psf = self.write("blank.psf", text + "\n       0 !NBOND: bonds\n\n")
            two = self.write("two.xyz", "2\n\nO 0 0 0\nH 2 0 0\n")
            run = self.starhist("info", "--json", "--particles", two, "--structure", psf)
            if extended and run.returncode:  # some versions of MDAnalysis refuse it
                self.assertIn("blank.psf: MDAnalysis", run.stderr)
                continue
            self.assertEqual(run.returncode, 0, run.stderr)
            columns = json.loads(run.stdout)["particles"]
            self.assertEqual({"mass", "charge"} & set(columns), known)
            if known:
                numpy.testing.assert_allclose(columns["mass"], [15.9994, 1.008], rtol=1e-7)
                numpy.testing.assert_allclose(columns["charge"], [-0.834, 0.417], rtol=1e-7)

    def test_residues_of_converted_files_stay_apart(self):
        rows = [(1, "AAA", "X"), (1, "AAA", "Z"), (1, "BBB", "Y"), (1, "AAA", "X"), (1, "AAA", "Z")]
        text = "t\n5\n" + "".join(
            f"{number:5d}{residue:<5s}{name:>5s}{k + 1:5d}{0.1 * k:8.3f}{0:8.3f}{0:8.3f}\n"
            for k, (number, residue, name) in enumerate(rows)
        )
        gro, converted = self.write("a.gro", text + "   2 2 2\n"), self.folder / "a.h5"
        run = self.starhist("convert", gro, "-o", converted, "--species", "X=X;Z=Z")
        self.assertEqual(run.returncode, 0, run.stderr)
        for path, more in ((gro, ["--species", "X=X;Z=Z"]), (converted, [])):
            out = self.folder / "r.h5"
            words = ["--exclude-same", "residue", "--r-max", 0.9, "--bins", 9, "--pairs", "X-Z", "-q", "-f"]
            self.assertEqual(self.starhist("rdf", path, *more, "-o", out, *words).returncode, 0)
            self.assertIn("X-Z: 2,", self.starhist("info", out).stdout)

    def write_mmtf(self, name, models):
        """models: lists of (name, x, alternate location)."""
        from mmtf.api.mmtf_writer import MMTFEncoder

        file, count = MMTFEncoder(), len(models)
        file.init_structure(0, sum(map(len, models)), count, count, count, "TEST")
        file.set_xtal_info("P 1", [30.0, 30, 30, 90, 90, 90])
        file.experimental_methods, file.title, file.deposition_date, file.release_date = [], "t", "", ""
        file.r_free = file.r_work = file.resolution = 1.0
        file.bio_assembly, file.entity_list, file.ncs_operator_list = [], [], []
        for number, atoms in enumerate(models):
            file.set_model_info(number, 1)
            file.set_chain_info("A", "A", 1)
            file.set_group_info("LIG", 1, "\0", "NON-POLYMER", len(atoms), 1, "X", 0, -1)
            for k, (atom, x, location) in enumerate(atoms):
                file.set_atom_info(atom, k + 1, location, x, 0.5, 0.25, 1.0, 10.0, "C", 0)
            file.set_group_bond(0, 1, 1)
        file.finalize_structure()
        path = self.folder / name
        file.write_file(str(path))
        return path

    @unittest.skipIf(importlib.util.find_spec("mmtf") is None, "mmtf is missing")
    def test_mmtf_has_one_model_locations_and_a_unit(self):
        locations = self.write_mmtf("a.mmtf", [[("C1", 1.0, "\0"), ("C2", 2.1, "A"), ("C2", 2.6, "B")]])
        run = self.starhist("info", locations)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stdout, "(?s)length unit +A\n.*C1: 1, C2: 1")
        atoms = [("C1", 1.0, "\0"), ("C2", 2.5, "\0")]
        self.assertIn("has 2 models", self.refusal(self.write_mmtf("b.mmtf", [atoms, atoms])))

    def test_cards_without_a_title_are_refused(self):
        crd = self.write("a.crd", "\n" + 4 * ("  1.0000000" * 7 + "\n"))
        self.assertIn("does not begin with *", self.refusal(crd))

    def test_a_dcd_that_ends_within_a_frame_sets_the_exit_code(self):
        path = self.written("a.dcd")
        self.assertEqual(self.starhist("info", path).returncode, 0)
        path.write_bytes(path.read_bytes()[:-20])
        run = self.starhist("rdf", path, "-o", self.folder / "cut.h5", "-q", "--r-max", 5, "--bins", BINS)
        self.assertEqual(run.returncode, 3, run.stderr)
        self.assertIn(f"ends within frame {FRAMES - 1}", run.stderr)

    CP2K = b"REMARK CORD DCD file created by CP2K version 2024.1 (revision git:b0f8f6d)"

    def dcd(self, order, title, cell=()):
        """A DCD with two frames, step 100 and interval 10, whose time step is 0.04. cell: its six numbers, if any."""
        positions = [[(k, 0, 0) for k in range(3)]] * 2
        cells = [struct.pack(order + "6d", *cell)] if cell else []
        records = [
            b"CORD" + struct.pack(order + "9if10i", 2, 100, 10, 0, 0, 0, 0, 0, 0, 0.04, len(cells), *[0] * 8, 24),
            struct.pack(order + "i80s", 1, title),
            struct.pack(order + "i", 3),
        ]
        for frame in positions:
            records += cells + [struct.pack(order + "3f", *axis) for axis in zip(*frame)]
        path = self.folder / "a.dcd"
        path.write_bytes(
            b"".join((size := struct.pack(order + "i", len(record))) + record + size for record in records)
        )
        return path

    def times_of_dcd(self, order, title):
        run = self.starhist("info", self.dcd(order, title))
        self.assertEqual(run.returncode, 0, run.stderr)
        return next(line for line in run.stdout.splitlines() if line.startswith("time"))

    def test_times_of_a_dcd_do_not_depend_on_the_byte_order(self):
        for order in "<>":
            self.assertIn("0.1955528 .. 0.21510808 ps", self.times_of_dcd(order, b"title"))

    def test_times_of_cp2k_dcd_are_in_femtoseconds(self):
        self.assertIn("0.004 .. 0.0044 ps", self.times_of_dcd("<", self.CP2K))

    def test_cells_of_cp2k_dcd_whose_directions_are_unknown_are_reported(self):
        tilted, straight = (9, 60, 9, 90, 90, 12), (9, 90, 9, 90, 90, 12)
        for title, cell, more, reported in (
            (self.CP2K, tilted, [], True),
            (self.CP2K, straight, [], False),
            (self.CP2K, tilted, ["--box", "9,0,0,0,9,0,0,0,12"], False),
            (b"title", tilted, [], False),
        ):
            run = self.starhist("info", self.dcd("<", title, cell), *more)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual("DCD_ALIGNED_CELL" in run.stderr, reported, (title, cell, run.stderr))

    def test_frames_behind_a_blank_line_are_not_left_out(self):
        frame = "     2 water\n 1 O 0 0 0 1 2\n 2 H 0 1 0 2 1\n"
        self.assertEqual(self.bins(self.write("whole.arc", 2 * frame + "\n\n")), {"H-O": {1: 2}, "H-H": {}, "O-O": {}})
        self.assertIn("line 5: follows a blank line", self.refusal(self.write("blank.arc", frame + "\n" + frame)))
        names = self.write("s.xyz", self.NAMES)
        row = "".join(f"{x:8.3f}" for x in (0, 0, 0, 2, 0, 0, 7, 0, 0)) + "\n"
        joined = self.write("a.mdcrd", 2 * ("\n" + row))
        self.assertIn("line 4: follows a blank line", self.refusal(joined, "--structure", names, "--box", "none"))

    def test_numbers_and_elements_that_no_file_has_are_not_made_up(self):
        aromatic = self.write("a.txyz", "     2 tube\n 1 CA 0 0 0 90 2\n 2 CA 1.4 0 0 90 1\n")
        self.assertNotIn("element", self.particles(aromatic))
        species = "".join(f"atom {k} 0 0 {name}\n" for k, name in enumerate(("Cl", "CL", "CA", "Fe1", "H")))
        self.assertEqual(self.particles(self.write("geometry.in", species))["element"], ["Cl", "", "", "", "H"])
        beads = "".join(f"atom {k} 0 0 CL\n" for k in range(3))
        self.assertNotIn("element", self.particles(self.write("geometry.in", beads)))
        xml = (
            '<?xml version="1.0"?><hoomd_xml version="1.5"><configuration time_step="0" natoms="3"><box lx="20" ly="20" lz="20" xy="0" xz="0" yz="0"/>'
            "<position>0 0 0\n1 0 0\n3 0 0\n</position><type>A\nB\nB\n</type></configuration></hoomd_xml>"
        )
        columns = self.particles(self.write("a.xyz", self.NAMES), "--structure", self.write("h.xml", xml))
        self.assertFalse({"mass", "charge"} & set(columns))


def mdanalysis_guess(name):
    try:
        from MDAnalysis.guesser.default_guesser import DefaultGuesser

        return DefaultGuesser(None).guess_atom_element(name)
    except ImportError:  # before 2.8
        from MDAnalysis.topology.guessers import guess_atom_element

        return guess_atom_element(name)


class Elements(ProgramTest):
    def guesses(self, names):
        path = self.write(
            "names.pdb",
            "".join(
                f"ATOM  {k + 1:5d} {name:4s} RES A   1    {k % 9:8.3f}{1:8.3f}{1:8.3f}  1.00  0.00\n"
                for k, name in enumerate(names)
            )
            + "END\n",
        )
        said = self.starhist("info", path, "--guess-elements").stderr
        _, _, text = said.partition("guessed from names: ")
        elements = {}
        for part in text.split(" (--aliases")[0].replace("; ", ", ").strip().split(", "):
            element, _, of = part.partition(": ")
            elements.update(dict.fromkeys(of.split(), "" if element == "no element" else element))
        return elements

    def test_elements_are_those_that_mdanalysis_guesses(self):
        letters = "ABCDEFGHIKLMNOPRSTXZ1"
        for first in "CHMNSZ1":
            names = [first + second + third for second in letters for third in ("", "A")][:36]
            names += ["CLA", "SOD", "N*", "XYZ"]
            guesses = self.guesses(names)
            for name in names:
                element = mdanalysis_guess(name).title()
                # MDAnalysis gives a letter where it finds no element.
                expected = (
                    ""
                    if element in ("A", "G", "M", "E", "R", "X", "Z", "L", "Q", "J") or not element.isalpha()
                    else element
                )
                self.assertEqual(guesses[name], expected, name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
