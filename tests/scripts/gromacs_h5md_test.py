#!/usr/bin/env python3
"""H5MD of GROMACS 2026 with its topology inside, read alone, against a GRO structure and double loops. STARHIST_PROGRAM names starhist."""

import csv
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("STARHIST_PROGRAM", str(ROOT / "build/starhist"))
if any(importlib.util.find_spec(name) is None for name in ("h5py", "numpy")):
    print("SKIPPED: h5py or numpy is missing")
    sys.exit(77)

import h5py  # noqa: E402
import numpy  # noqa: E402

import gromacs_h5md as gromacs  # noqa: E402

EDGES = numpy.array([2.5, 2.75, 3.0])
BINS, R_MAX = 50, 1.25
TOPOLOGY = "h5md/modules/gromacs_topology"


def histogram(first, second, same, skip):
    """Pairs per bin of two lists of positions in the box, in double precision; `skip[i][j]`: not counted."""
    difference = first[:, None, :] - second[None, :, :]
    difference -= EDGES * numpy.round(difference / EDGES)
    distance = numpy.sqrt((difference**2).sum(-1))
    wanted = ~skip & (numpy.triu(numpy.ones_like(skip), 1) if same else numpy.ones_like(skip))
    counts, _ = numpy.histogram(distance[wanted & (distance < R_MAX)], BINS, (0, R_MAX))
    return counts


class TopologyInside(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="starhist-gromacs-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path = self.folder / "run.h5"
        self.kinds, self.blocks = gromacs.system()
        self.atoms = gromacs.atoms_of(self.kinds, self.blocks)
        self.positions = gromacs.positions_of(self.atoms, 3, EDGES)
        self.write()

    def write(self, **options):
        gromacs.write(self.path, self.kinds, self.blocks, self.positions, [numpy.diag(EDGES)] * 3, **options)

    def run_program(self, *arguments):
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)

    def lines_of_info(self, *arguments):
        run = self.run_program("info", self.path, *arguments)
        self.assertEqual(run.returncode, 0, run.stderr)
        return {line[:13].strip() or line[13:].split(":")[0]: line[13:] for line in run.stdout.splitlines()}

    def counts(self, *arguments, path=None):
        """Counts of all frames by the names of pairs, such as "H-O"."""
        output = self.folder / "out.h5"
        run = self.run_program(
            "rdf", path or self.path, *arguments, "-o", output, "--r-max", R_MAX, "--bins", BINS, "--force", "-q"
        )
        self.assertEqual(run.returncode, 0, run.stderr)
        with h5py.File(output) as file:
            group = file["observables/pair_distance_histogram"]
            species = [name.decode() for name in group["species"]]
            counts = group["value"][()].sum(0)
            return {"-".join(species[k] for k in pair): counts[p] for p, pair in enumerate(group["pair_species"])}

    def refused(self, *words, arguments=()):
        run = self.run_program("info", self.path, *arguments)
        self.assertEqual(run.returncode, 1, run.stdout)
        for word in (*words, "--structure"):
            self.assertIn(word, run.stderr)
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        # The remedy helps.
        gromacs.write_gro(self.folder / "top.gro", self.atoms, self.positions[0], EDGES)
        self.assertEqual(self.run_program("info", self.path, "--structure", self.folder / "top.gro").returncode, 0)

    def test_info(self):
        lines = self.lines_of_info()
        self.assertIn("OW: 18", lines["species"])
        self.assertIn("MW: 18", lines["species"])
        self.assertIn("SG: 3", lines["species"])
        self.assertEqual(lines["element"], "element: C, DUMMY, H, N, Na, O, S")
        self.assertEqual(lines["resname"], "resname: ALA, CYS, NA, SOL")
        # As GROMACS' tools number them: ALA 1 .. 3, CYS 4; 5 .. 7; then 21 molecules of one residue.
        self.assertEqual(lines["resid"], "resid: 32 residues, 1 .. 28")
        self.assertEqual(lines["molecule"], "molecule: 24 molecules, 0 .. 23")
        self.assertIn("masses 0 .. 32.06, for centres of mass", lines)
        self.assertEqual(lines["length unit"], "nm")

    def test_the_same_counts_as_with_a_structure(self):
        gromacs.write_gro(self.folder / "top.gro", self.atoms, self.positions[0], EDGES)
        bare = self.folder / "bare.h5"
        shutil.copy(self.path, bare)
        with h5py.File(bare, "r+") as file:
            del file[TOPOLOGY], file["connectivity"]
        for arguments in (
            (),
            ("--exclude-same", "residue"),
            ("--species", "P=resid 2-4; W=name OW"),
            ("--species", "R=res_cog of resname SOL; S=name SG"),
        ):
            expected = self.counts(*arguments, "--structure", self.folder / "top.gro", path=bare)
            found = self.counts(*arguments)
            self.assertEqual(found.keys(), expected.keys())
            for pair, counts in expected.items():
                self.assertEqual(found[pair].tolist(), counts.tolist(), (arguments, pair))

    def check_loop(self, excluded, key):
        groups = {
            name: [k for k, (_, _, atom) in enumerate(self.atoms) if atom[0] in names]
            for name, names in (("H", ("HW1", "HW2")), ("O", ("OW",)), ("N", ("N",)))
        }
        found = self.counts("--species", "H=HW1 HW2; O=OW; N=N", "--exclude-same", excluded)
        identity = numpy.array([key(k) for k in range(len(self.atoms))])
        for first, second in (("H", "H"), ("H", "O"), ("N", "N"), ("O", "O")):
            a, b = groups[first], groups[second]
            skip = identity[a][:, None] == identity[b][None, :]
            expected = sum(
                histogram(x[a].astype("f8"), x[b].astype("f8"), first == second, skip) for x in self.positions
            )
            self.assertEqual(found[f"{first}-{second}"].tolist(), expected.tolist(), (excluded, first, second))

    def test_pairs_of_one_molecule_are_left_out(self):
        self.check_loop("molecule", lambda k: self.atoms[k][0])

    def test_pairs_of_one_residue_are_left_out(self):
        numbers = {}
        self.check_loop(
            "residue",
            lambda k: numbers.setdefault((self.atoms[k][0], self.atoms[k][1], self.atoms[k][2][5]), len(numbers)),
        )

    def test_centres_of_mass(self):
        found = self.counts("--species", "W=mol_com of resname SOL")["W-W"]
        molecules = [
            [k for k, (m, _, atom) in enumerate(self.atoms) if m == molecule and atom[5] == "SOL"]
            for molecule in range(self.atoms[-1][0] + 1)
        ]
        molecules = [of for of in molecules if of]
        mass = numpy.array([numpy.float32(atom[2]) for _, _, atom in self.atoms], "f8")
        expected = numpy.zeros(BINS, int)
        for x in self.positions.astype("f8"):
            centres = []
            for of in molecules:
                whole = x[of] - x[of[0]]
                whole -= EDGES * numpy.round(whole / EDGES)
                centres.append(x[of[0]] + (whole * mass[of][:, None]).sum(0) / mass[of].sum())
            centres = numpy.array(centres)
            expected += histogram(centres, centres, True, numpy.zeros((len(centres),) * 2, bool))
        self.assertEqual(found.tolist(), expected.tolist())

    def test_elements(self):
        found = self.counts("--by", "element")
        oxygen = [k for k, (_, _, atom) in enumerate(self.atoms) if atom[1] == 8]
        expected = sum(
            histogram(x[oxygen].astype("f8"), x[oxygen].astype("f8"), True, numpy.zeros((len(oxygen),) * 2, bool))
            for x in self.positions
        )
        self.assertEqual(found["O-O"].tolist(), expected.tolist())
        self.assertIn("DUMMY-DUMMY", found)
        run = self.run_program("analyze", self.folder / "out.h5", "--quantity", "xray")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertGreater(len(list(csv.reader(run.stdout.splitlines()))), 10)
        self.assertIn("left_out: DUMMY: none", run.stdout)

    def test_every_way_to_store_it(self):
        expected = self.counts()
        for options in ({"filtered": True}, {"libver": "latest"}, {"filtered": True, "libver": ("v110", "v110")}):
            self.write(**options)
            found = self.counts()
            for pair, counts in expected.items():
                self.assertEqual(found[pair].tolist(), counts.tolist(), (options, pair))

    def test_a_writer_that_numbers_residues_from_one(self):
        with h5py.File(self.path, "r+") as file:
            for kind in self.kinds:
                file[f"{TOPOLOGY}/{kind.name}/residue_id"][...] -= 1
        self.assertEqual(self.lines_of_info()["resid"], "resid: 32 residues, 1 .. 28")

    def test_as_the_run_input_file_tells_it(self):
        data = ROOT / "tests/data"
        if "without libgromacs" in self.run_program("--version").stdout:
            self.skipTest("starhist was built without libgromacs")
        converted = self.folder / "spc.h5"
        run = self.run_program("convert", data / "spc.trr", "--structure", data / "spc.tpr", "-o", converted)
        self.assertEqual(run.returncode, 0, run.stderr)
        with h5py.File(converted) as file:
            positions, boxes = file["particles/all/position/value"][()], file["particles/all/box/edges/value"][()]
        spc = gromacs.MoleculeType(
            "SOL",
            [("OW", 8, 15.9994, -0.82, 1, "SOL"), ("HW1", 1, 1.008, 0.41, 1, "SOL"), ("HW2", 1, 1.008, 0.41, 1, "SOL")],
            [(0, 1), (0, 2)],
        )
        gromacs.write(self.path, [spc], [("SOL", 216)], positions, boxes)
        tpr = self.run_program("info", data / "spc.trr", "--structure", data / "spc.tpr").stdout.splitlines()
        own = self.run_program("info", self.path).stdout.splitlines()
        for word in ("species ", "resname:", "resid:", "molecule:", "element:", "masses", "volume", "largest r"):
            self.assertEqual(
                [line[13:] for line in own if word in line], [line[13:] for line in tpr if word in line], word
            )
        for arguments in (
            ("--exclude-same", "molecule"),
            ("--species", "W=mol_com of resname SOL; A=resid 1-9"),
            ("--by", "element"),
        ):
            expected = self.counts(*arguments, "--structure", data / "spc.tpr", path=data / "spc.trr")
            found = self.counts(*arguments)
            self.assertEqual(
                {pair: counts.tolist() for pair, counts in found.items()},
                {pair: counts.tolist() for pair, counts in expected.items()},
                arguments,
            )

    def test_columns_in_the_particle_group(self):
        everything = gromacs.MoleculeType("all", [(*atom[:4], residue, atom[5]) for _, residue, atom in self.atoms])
        with h5py.File(self.path, "r+") as file:
            del file[TOPOLOGY]
            gromacs.write_columns(file["particles/system"], everything)
        lines = self.lines_of_info()
        self.assertIn("OW: 18", lines["species"])
        self.assertEqual(lines["element"], "element: C, DUMMY, H, N, Na, O, S")
        self.assertEqual(lines["resname"], "resname: ALA, CYS, NA, SOL")
        self.assertNotIn("molecule", lines)

    def test_other_versions_are_refused(self):
        for version, text in (((1, 0), "1.0"), ((0, 2), "0.2"), ((0,), "is 0,")):
            self.write(version=version)
            self.refused(f"{TOPOLOGY}/version", text, "0.1")
        with h5py.File(self.path, "r+") as file:
            del file[TOPOLOGY].attrs["version"]
        self.refused("missing")

    def test_what_contradicts_itself_is_refused(self):
        def attribute(file, name, value):
            file[TOPOLOGY].attrs[name] = value

        def column(file, name, index, value):
            dataset = file[f"{TOPOLOGY}/SOL/{name}"]
            dataset[index] = value

        def shorter(file, name):
            path = f"{TOPOLOGY}/SOL/{name}"
            values = file[path][:-1]
            del file[path]
            file[path] = values

        def removed(file, name):
            del file[name]

        counts = [count for _, count in self.blocks]
        for change, words in (
            (lambda f: attribute(f, "molecule_block_counts", counts[:-1]), ("4 values for 5 blocks",)),
            (lambda f: attribute(f, "molecule_block_counts", [*counts[:-1], -1]), ("-1 is not a number of molecules",)),
            (
                lambda f: attribute(f, "molecule_block_counts", [*counts[:-1], counts[-1] + 1]),
                ("122 particles", "118", "selection"),
            ),
            (lambda f: attribute(f, "molecule_block_counts", [2**31 - 1] * 5), ("118", "selection")),
            (
                lambda f: f[TOPOLOGY].attrs.__delitem__("molecule_block_names"),
                ("molecule_block_names", "missing", "beta"),
            ),
            (lambda f: removed(f, f"{TOPOLOGY}/NA"), ('no molecule type "NA"',)),
            (lambda f: removed(f, f"{TOPOLOGY}/SOL/mass"), ("SOL/mass", "missing")),
            (lambda f: removed(f, f"{TOPOLOGY}/SOL/particle_name_table"), ("particle_name_table", "missing")),
            (lambda f: shorter(f, "species"), ("SOL/species", "3 values for 4 atoms")),
            (lambda f: shorter(f, "residue_id"), ("SOL/residue_id", "3 values for 4 atoms")),
            (lambda f: column(f, "particle_name", 1, 4), ("SOL/particle_name", "atom 2", "entry 4", "table of 4")),
            (lambda f: column(f, "residue_name", 1, -1), ("SOL/residue_name", "entry -1")),
            (lambda f: column(f, "species", 0, 119), ("SOL/species", "119")),
            (lambda f: column(f, "mass", 0, float("nan")), ("SOL/mass", "nan")),
            (lambda f: column(f, "charge", 0, float("inf")), ("SOL/charge", "inf")),
            (lambda f: column(f, "id", 2, 7), ("SOL/id", "atom 3", "7")),
            (lambda f: f[f"{TOPOLOGY}/SOL"].attrs.__setitem__("particle_count", 5), ("particle_count",)),
            (lambda f: f["connectivity/bonds"].__setitem__((3, 1), 118), ("bonds", "bond 3", "atom 118", "0 .. 117")),
            (lambda f: f["connectivity/bonds"].__setitem__((3, 0), -1), ("bonds", "bond 3", "atom -1")),
            (lambda f: f["connectivity/bonds"].__setitem__(3, (5, 5)), ("bonds", "bond 3", "itself")),
        ):
            self.write()
            with h5py.File(self.path, "r+") as file:
                change(file)
            with self.subTest(words=words):
                self.refused(*words)

    def test_positions_of_a_selection_are_refused(self):
        self.atoms = self.atoms[:40]
        self.positions = self.positions[:, :40]
        self.write()
        self.refused("118 particles", "40", "selection")


if __name__ == "__main__":
    unittest.main()
