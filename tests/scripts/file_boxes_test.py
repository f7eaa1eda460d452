#!/usr/bin/env python3
"""Boxes, periodic axes and decimals of files that Python reads, written here byte by byte and counted by the program.

The counts are compared with a loop over pairs and periodic images. STARHIST_PROGRAM names starhist.
"""

import csv
import itertools
import json
import math
import struct
import unittest

import h5py
import numpy

from read_frames_test import ROOT, ProgramTest

MISREAD = ROOT / "tests/data/misread"
ATOMS, BINS, R_MAX = 24, 61, 6.1
EVERY = (True, True, True)
RNG = numpy.random.default_rng(11)
CUBE = numpy.diag([15.0, 16.0, 17.0])
HEXAGON = numpy.array([[16.0, 0, 0], [-8.0, 8 * math.sqrt(3), 0], [0, 0, 17.0]])


def distances(positions, box, periodic):
    """Minimum-image distances of all pairs, by trying every image."""
    shifts = numpy.zeros((1, 3))
    if box is not None:
        ranges = [range(-3, 4) if repeats else (0,) for repeats in periodic]
        shifts = numpy.array(list(itertools.product(*ranges))) @ numpy.asarray(box, dtype="f8")
    for i in range(len(positions)):
        for j in range(i):
            yield math.sqrt(min(((positions[i] - positions[j] + shifts) ** 2).sum(axis=1)))


def loop(frames, box=None, periodic=EVERY):
    """Pairs per bin of frames; `box`: one matrix, or one per frame."""
    counts = [0] * BINS
    for k, positions in enumerate(frames):
        matrix = box[k] if isinstance(box, list) else box
        for r in distances(numpy.asarray(positions, dtype="f8"), matrix, periodic):
            place = r / (R_MAX / BINS)
            assert abs(place - round(place)) > 1e-9, "a distance on an edge of bins: take another seed"
            if place < BINS:
                counts[int(place)] += 1
    return counts


def random_positions(box, atoms=ATOMS, frames=1, digits=3):
    return [numpy.round(RNG.uniform(0, 1, (atoms, 3)) @ box, digits) for _ in range(frames)]


def single(frames):
    return [numpy.asarray(frame, dtype="f4") for frame in frames]


class BoxTest(ProgramTest):
    def counts(self, path, *arguments, own=False, atoms=ATOMS):
        output = self.folder / "out.h5"
        structure = [] if own else ["--structure", self.structure(atoms)]
        run = self.starhist(
            "rdf", path, "-o", output, "-f", "--r-max", R_MAX, "--bins", BINS, "--by", "all", *structure, *arguments
        )
        self.assertEqual(run.returncode, 0, run.stderr)
        with h5py.File(output) as file:
            return file["observables/pair_distance_histogram/value"][()].sum(axis=(0, 1)).tolist()

    def structure(self, atoms):
        lines = "".join(f"    1RES     A {k + 1:4d}   0.000   0.000   0.000\n" for k in range(atoms))
        return self.write(f"{atoms}.gro", f"title\n{atoms}\n{lines}   0 0 0\n")

    def refused(self, path, *words, own=False, atoms=ATOMS):
        """`own`: the file names its atoms, so that no structure is given."""
        structure = [] if own else ["--structure", self.structure(atoms)]
        run = self.starhist(
            "rdf", path, "-o", self.folder / "none.h5", "--r-max", R_MAX, "--bins", BINS, "--by", "all", *structure
        )
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn(path.name, run.stderr)
        for word in words:
            self.assertIn(word, run.stderr)
        self.assertNotIn("Traceback", run.stderr)

    def write_bytes(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return path


class Misread(BoxTest):
    """Files of tests/data/misread with the counts beside them."""

    def assert_counts(self, name, *arguments):
        lines = (MISREAD / f"{name}.counts.csv").read_text().splitlines()
        options = lines[0].split(":")[0].split()
        options = options[options.index("--r-max") :]
        rows = list(csv.reader(lines[1:]))
        run = self.starhist("rdf", MISREAD / name, "-o", self.folder / "out.h5", "-f", *options, *arguments)
        self.assertEqual(run.returncode, 0, run.stderr)
        with h5py.File(self.folder / "out.h5") as file:
            values = file["observables/pair_distance_histogram/value"][()].sum(axis=0)
        expected = sorted(tuple(int(row[k]) for row in rows[1:]) for k in range(len(rows[0])))
        self.assertEqual(sorted(tuple(int(x) for x in pair) for pair in values), expected)

    def test_an_amber_restart_has_its_box_line(self):
        self.assert_counts("plain.rst7")

    def test_a_slab_of_dl_poly_is_open_along_z(self):
        self.assert_counts("slab.history")

    def test_a_cell_of_namd_with_c_0_is_open_along_z(self):
        self.assert_counts("slab.dcd")

    def test_a_shape_matrix_of_charmm_keeps_its_orientation(self):
        self.assert_counts("charmm-hex.dcd")


def fixed(numbers, width, decimals, per_line):
    words = [f"{x:{width}.{decimals}f}" for x in numpy.ravel(numbers)]
    return "".join("".join(words[k : k + per_line]) + "\n" for k in range(0, len(words), per_line))


def section(flag, form, fields, per_line):
    rows = ["".join(fields[k : k + per_line]) + "\n" for k in range(0, len(fields), per_line)]
    return f"%FLAG {flag}\n%FORMAT({form})\n" + ("".join(rows) or "\n")


def prmtop(kind, beta, atoms=ATOMS):
    """A topology of Amber; `kind`: its IFBOX."""
    pointers = [0] * 31
    pointers[0], pointers[1], pointers[11], pointers[27] = atoms, 1, 1, kind
    whole, real, word = (
        lambda values: [f"{x:8d}" for x in values],
        lambda values: [f"{x:16.8E}" for x in values],
        lambda values: [f"{x:<4s}" for x in values],
    )
    bonds = [
        f"{bonded}_{hydrogen}_HYDROGEN"
        for bonded in ("BONDS", "ANGLES", "DIHEDRALS")
        for hydrogen in ("INC", "WITHOUT")
    ]
    return (
        "%VERSION  VERSION_STAMP = V0001.000  DATE = 01/01/20 00:00:00\n"
        + section("TITLE", "20a4", ["made"], 20)
        + section("POINTERS", "10I8", whole(pointers), 10)
        + section("ATOM_NAME", "20a4", word(["C"] * atoms), 20)
        + section("CHARGE", "5E16.8", real([0] * atoms), 5)
        + section("MASS", "5E16.8", real([12] * atoms), 5)
        + section("ATOM_TYPE_INDEX", "10I8", whole([1] * atoms), 10)
        + section("RESIDUE_LABEL", "20a4", word(["RES"]), 20)
        + section("RESIDUE_POINTER", "10I8", whole([1]), 10)
        + "".join(section(flag, "10I8", [], 10) for flag in bonds)
        + section("AMBER_ATOM_TYPE", "20a4", word(["C"] * atoms), 20)
        + section("BOX_DIMENSIONS", "5E16.8", real([beta, 15, 16, 17]), 5)
    )


OCTAHEDRON = (17, 17, 17) + (math.degrees(math.acos(-1 / 3)),) * 3


class AmberRestarts(BoxTest):
    BOX = [15, 16, 17, 90, 90, 90]

    def restart(self, atoms, box=(), velocities=False, head="  1.0", name="a.rst7"):
        positions = random_positions(CUBE, atoms, digits=7)
        text = f"title\n{atoms:5d}{head}\n" + fixed(positions, 12, 7, 6)
        text += fixed(RNG.normal(0, 1, (atoms, 3)), 12, 7, 6) if velocities else ""
        text += fixed(box, 12, 7, 6) if len(box) else ""
        return positions, self.write(name, text)

    def test_with_and_without_velocities_and_box(self):
        heads = itertools.cycle(("", "  1.0", "  0.5E+01  300.0"))
        for atoms, velocities, box in itertools.product((3, 4, 23), (False, True), ((), self.BOX)):
            head = next(heads)
            with self.subTest(atoms=atoms, velocities=velocities, box=box, head=head):
                positions, path = self.restart(atoms, box, velocities, head)
                self.assertEqual(self.counts(path, atoms=atoms), loop(positions, CUBE if box else None))

    def test_angles_are_used(self):
        positions, path = self.restart(ATOMS, [16, 16, 17, 90, 90, 120])
        self.assertEqual(self.counts(path), loop(positions, HEXAGON))

    def test_three_lengths_take_their_angles_from_the_topology_or_are_refused(self):
        positions, path = self.restart(ATOMS, [15, 16, 17])
        self.refused(path, "lengths without angles", "prmtop", "--box")
        self.assertEqual(self.counts(path, "--box", "15,16,17"), loop(positions, CUBE))
        self.assertEqual(
            self.counts(path, "--structure", self.write("a.prmtop", prmtop(1, 90)), own=True), loop(positions, CUBE)
        )
        run = self.starhist("info", path, "--structure", self.write("c.prmtop", prmtop(3, 60)))
        self.assertIn("a box of kind 3", run.stdout + run.stderr)
        positions, path = self.restart(ATOMS, [17, 17, 17])
        self.assertEqual(
            self.counts(path, "--structure", self.write("b.prmtop", prmtop(2, 109.4712190)), own=True),
            loop(positions, cell_matrix(*OCTAHEDRON)),
        )

    def test_a_box_of_zero_is_none(self):
        positions, path = self.restart(ATOMS, [0, 0, 0, 90, 90, 90])
        self.assertEqual(self.counts(path), loop(positions))

    def test_two_atoms_whose_velocities_look_like_a_box(self):
        positions, path = self.restart(2, self.BOX)
        self.refused(path, "cannot be told apart", "--box", atoms=2)
        self.assertEqual(self.counts(path, "--box", "none", atoms=2), loop(positions))
        positions, path = self.restart(2, self.BOX, True)
        self.assertEqual(self.counts(path, atoms=2), loop(positions, CUBE))

    def test_damaged_files_are_refused_with_their_line(self):
        _, path = self.restart(ATOMS, self.BOX)
        lines = path.read_text().splitlines()
        for k, line, words in (
            (4, lines[4][:60], "line 5"),
            (5, lines[5][:36] + "*" * 12 + lines[5][48:], "line 6"),
            (1, "   x", "line 2"),
            (14, lines[14][:24], "line 15"),
        ):
            damaged = [*lines[:k], line, *lines[k + 1 :]]
            self.refused(self.write("b.rst7", "\n".join(damaged) + "\n"), words)
        self.refused(self.write("c.rst7", "\n".join(lines[:9]) + "\n"), "cut short")
        self.refused(self.write("d.rst7", "\n".join([*lines, *lines[-3:]]) + "\n"), "lines follow the positions")
        _, path = self.restart(ATOMS, [15, 16, 17])
        self.refused(self.write("e.rst7", path.read_text()[:-8]), "no box")


class DlPoly(BoxTest):
    CELLS = {
        0: (None, None, EVERY),
        1: (numpy.eye(3) * 16, None, EVERY),
        2: (CUBE, None, EVERY),
        3: (HEXAGON, None, EVERY),
        4: (numpy.eye(3) * 18, numpy.array([[18.0, 0, 0], [0, 18, 0], [9, 9, 9]]), EVERY),
        5: (
            numpy.diag([16, 16, 16 * math.sqrt(2)]),
            numpy.array([[16, 0, 0], [0, 16, 0], [8, 8, 8 * math.sqrt(2)]]),
            EVERY,
        ),
        6: (numpy.array([[16.0, 0, 0], [-4, 15, 0], [0, 0, 17]]), None, (True, True, False)),
        7: (
            numpy.diag([15 * math.sqrt(3), 15, 17]),
            numpy.array([[7.5 * math.sqrt(3), 7.5, 0], [0, 15, 0], [0, 0, 17]]),
            EVERY,
        ),
    }

    def atoms(self, positions, key, order=None, width=20):
        text = ""
        for k in order if order is not None else range(len(positions)):
            text += f"{'OW' if k % 3 else 'Na':8s}{k + 1:10d}{16:12.6f}{0:12.6f}\n"
            text += "".join(f"{x:{width}.10f}" for x in positions[k]) + "\n" + f"{0:20.10f}{0:20.10f}{0:20.10f}\n" * key
        return text

    def cell(self, cell):
        return "" if cell is None else fixed(cell, 20, 10, 3)

    def test_each_key_of_boundaries_in_config_and_history(self):
        for imcon, (cell, lattice, periodic) in self.CELLS.items():
            for key in (1,) if imcon == 2 else (2,) if imcon == 6 else (0,):
                with self.subTest(imcon=imcon, key=key):
                    frames = random_positions(
                        numpy.diag(numpy.diag(cell)) if cell is not None else CUBE, frames=2, digits=10
                    )
                    expected = None if cell is None else numpy.round(cell, 10) if lattice is None else lattice
                    config = self.write(
                        "CONFIG",
                        f"title\n{key:10d}{imcon:10d}{ATOMS:10d}\n" + self.cell(cell) + self.atoms(frames[0], key),
                    )
                    self.assertEqual(self.counts(config, own=True), loop(frames[:1], expected, periodic))
                    text = f"title\n{key:10d}{imcon:10d}{ATOMS:10d}{2:21d}{108:21d}\n"
                    for k, frame in enumerate(frames):
                        text += f"timestep{10 * k:10d}{ATOMS:10d}{key:2d}{imcon:2d}{0.001:20.6f}{0.01 * k:20.6f}\n"
                        text += self.cell(cell) + self.atoms(frame, key, RNG.permutation(ATOMS) if key else None)
                    history = self.write("HISTORY", text)
                    self.assertEqual(self.counts(history, own=True), loop(frames, expected, periodic))
        self.assertIn("0 .. 0.01 ps", self.starhist("info", history).stdout)

    def config(self, imcon, cell, name="CONFIG"):
        return self.write(
            name, f"title\n{0:10d}{imcon:10d}{ATOMS:10d}\n" + self.cell(cell) + self.atoms(random_positions(CUBE)[0], 0)
        )

    def test_cells_that_are_not_what_the_key_names_are_refused(self):
        for imcon, cell, word in (
            (1, CUBE, "no cubic"),
            (2, HEXAGON, "not along x, y and z"),
            (4, CUBE, "truncated octahedron"),
            (5, numpy.eye(3) * 16, "rhombic dodecahedron"),
            (7, CUBE, "hexagonal prism"),
            (8, CUBE, "0 to 7"),
            (6, HEXAGON[[2, 0, 1]], "plane of x and y"),
        ):
            with self.subTest(imcon=imcon):
                path = self.config(imcon, cell, "REVCON" if imcon == 1 else "CONFIG")
                self.refused(path, word, "--box", own=True)
                self.counts(path, "--box", "15,16,17", own=True)

    def test_history_that_contradicts_itself_or_is_cut(self):
        frames = random_positions(CUBE, frames=3)
        head = f"title\n{0:10d}{2:10d}{ATOMS:10d}\n"
        parts = [
            f"timestep {k} {ATOMS} 0 2 0.001\n" + self.cell(CUBE) + self.atoms(frame, 0)
            for k, frame in enumerate(frames)
        ]
        self.assertEqual(self.counts(self.write("HISTORY", head + "".join(parts)), own=True), loop(frames, CUBE))
        other = parts[1].replace(f"{ATOMS} 0 2", f"{ATOMS} 0 6")
        self.refused(self.write("HISTORY_6", head + parts[0] + other), "imcon 6", own=True)
        other = parts[1].replace("OW  ", "XX  ", 1)
        self.refused(self.write("HISTORY_X", head + parts[0] + other), "names other atoms", own=True)
        other = parts[0].replace(f"OW      {2:10d}", f"OW      {3:10d}", 1)
        self.refused(self.write("HISTORY_T", head + other), "same number", own=True)
        for cut in (900, 3):  # within the last frame, within its last number
            path = self.write("HISTORY_C", (head + "".join(parts))[:-cut])
            run = self.starhist("info", path)
            self.assertIn("ends within frame 2", run.stdout + run.stderr)
        path = self.write("HISTORY_N", (head + "".join(parts))[:-1])
        self.assertEqual(self.counts(path, own=True), loop(frames, CUBE))

    def test_names_and_numbers_between_blanks(self):
        for names in (["H", "H", "O"], ["Hydro", "Hydro", "Oxygen"]):
            rows = "".join(f"{name} {13 - k}\n{k} 0 0\n" for k, name in enumerate(names))
            self.assertEqual(self.particles(self.write("CONFIG", "t\n0 0\n" + rows))["name"], names[::-1])
        columns = "".join(f"{'C ' + str(k):8s}{k:10d}\n{k} 0 0\n" for k in (1, 2))
        self.assertEqual(self.particles(self.write("CONFIG", "t\n0 0\n" + columns))["name"], ["C 1", "C 2"])

    def test_a_config_that_ends_within_its_last_number_is_refused(self):
        text = self.config(2, CUBE).read_text()
        self.refused(self.write("CONFIG", text[:-3]), "without a line break", own=True)
        for end in ("", " ", "\r"):  # a blank or a carriage return follows a whole number
            with self.subTest(end=end):
                self.counts(self.write("CONFIG", text[:-1] + end), own=True)
        self.counts(self.write("CONFIG", text[:-3] + " "), own=True)


def record(content, marker="i", order="<"):
    size = struct.pack(order + marker, len(content))
    return size + content + size


def dcd(frames, cells, version=24, order="<", marker="i", title="made", extra=(), four=False):
    """A DCD: `cells`: six numbers per frame, or None without unit cells."""
    icntrl = [
        len(frames),
        1,
        1,
        len(frames),
        0,
        0,
        0,
        0,
        len(extra),
        0,
        cells is not None,
        int(four),
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        version,
    ]
    head = (
        b"CORD"
        + struct.pack(order + "9i", *icntrl[:9])
        + struct.pack(order + "f", 0.02)
        + struct.pack(order + "10i", *icntrl[10:])
    )
    parts = [
        record(head, marker, order),
        record(struct.pack(order + "i", 1) + title.ljust(80).encode(), marker, order),
        record(struct.pack(order + "i", len(frames[0])), marker, order),
    ]
    for k, frame in enumerate(frames):
        if cells is not None:
            parts.append(record(struct.pack(order + "6d", *cells[k]), marker, order))
        columns = [*frame.T, numpy.zeros(len(frame))] if four else frame.T
        parts += [record(numpy.asarray(column, dtype=order + "f4").tobytes(), marker, order) for column in columns]
    return b"".join(parts)


def shape_of(box):
    """CHARMM's six numbers of a lattice, and its symmetric matrix."""
    values, vectors = numpy.linalg.eigh(box @ box.T)
    matrix = vectors @ numpy.diag(numpy.sqrt(values)) @ vectors.T
    return [matrix[0, 0], matrix[1, 0], matrix[1, 1], matrix[2, 0], matrix[2, 1], matrix[2, 2]], (matrix + matrix.T) / 2


def cell_matrix(a, b, c, alpha, beta, gamma):
    alpha, beta, gamma = numpy.radians([alpha, beta, gamma])
    x, y = math.cos(beta), (math.cos(alpha) - math.cos(beta) * math.cos(gamma)) / math.sin(gamma)
    return numpy.array(
        [[a, 0, 0], [b * math.cos(gamma), b * math.sin(gamma), 0], [c * x, c * y, c * math.sqrt(1 - x * x - y * y)]]
    )


class Dcd(BoxTest):
    SHAPES = {
        "hexagonal": (16, 16, 17, 90, 90, 120),
        "dodecahedron": (17, 17, 17, 60, 90, 60),
        "octahedron": OCTAHEDRON,
        "monoclinic": (15, 16, 17, 90, 102, 90),
        "triclinic": (15, 16, 17, 80, 75, 100),
    }

    def test_shape_matrices_cosines_and_degrees(self):
        for name, cell in self.SHAPES.items():
            a, b, c, alpha, beta, gamma = cell
            lattice = cell_matrix(*cell)
            frames = single(random_positions(lattice, frames=2))
            numbers, matrix = shape_of(lattice)
            cosines = [
                a,
                math.cos(math.radians(gamma)),
                b,
                math.cos(math.radians(beta)),
                math.cos(math.radians(alpha)),
                c,
            ]
            for version, values, box in (
                (35, numbers, matrix),
                (24, cosines, lattice),
                (24, [a, gamma, b, beta, alpha, c], lattice),
            ):
                with self.subTest(name, version=version, values=values):
                    path = self.write_bytes("a.dcd", dcd(frames, [values] * 2, version))
                    self.assertEqual(self.counts(path), loop(frames, box))

    def test_cell_parameters_of_cpptraj_and_of_charmm_before_version_22(self):
        for name, cell in self.SHAPES.items():
            lattice = cell_matrix(*cell)
            frames = single(random_positions(lattice, frames=2))
            with self.subTest(name):
                title = "Cpptraj Generated dcd file."
                path = self.write_bytes("a.dcd", dcd(frames, [cell] * 2, 21, title=title))
                self.assertEqual(self.counts(path), loop(frames, lattice))
        cell = (160, 185, 170, 80, 75, 100)  # 185 is not an angle
        lattice = cell_matrix(*cell)
        frames = single(random_positions(lattice))
        path = self.write_bytes("a.dcd", dcd(frames, [cell], 21))
        self.assertEqual(self.counts(path), loop(frames, lattice))

    def test_both_byte_orders_and_a_fourth_coordinate(self):
        frames = single(random_positions(CUBE, frames=2))
        for order in "<>":
            with self.subTest(order=order):
                path = self.write_bytes("a.dcd", dcd(frames, [[15, 0, 16, 0, 0, 17]] * 2, order=order))
                self.assertEqual(self.counts(path), loop(frames, CUBE))
        path = self.write_bytes("a.dcd", dcd(frames, [[15, 0, 16, 0, 0, 17]] * 2, four=True))
        self.refused(path, "fourth coordinate")
        path = self.write_bytes("a.dcd", dcd(frames, [[15, 0, 16, 0, 0, 17]] * 2, marker="q"))
        self.refused(path, "64 bits")

    def test_axes_without_length_are_not_periodic(self):
        for lengths in itertools.product((0, 15), (0, 16), (0, 17)):
            a, b, c = lengths
            periodic = tuple(bool(x) for x in lengths)
            frames = single(random_positions(CUBE, frames=2))
            for cell in ([a, 0, b, 0, 0, c],) if b else ([a, 90, b, 90, 90, c],):
                with self.subTest(cell=cell):
                    path = self.write_bytes("a.dcd", dcd(frames, [cell] * 2))
                    self.assertEqual(
                        self.counts(path),
                        loop(frames, numpy.diag([x or 1.0 for x in lengths]) if any(lengths) else None, periodic),
                    )

    def test_cells_that_may_mean_two_things_are_refused(self):
        frames = single(random_positions(CUBE))
        for version, cell, word in (
            (35, [15, 0.5, 16, 0.5, 0.5, 17], "cosines or CHARMM"),
            (35, [15, 90, 16, 90, 0, 17], "shape matrix"),
            (24, [15, 200, 16, 90, 90, 17], "fit neither"),
            (20, [15, -5, 16, 0, 0, 17], "version 20"),
            (21, [26, 27, 28, 80, 95, 70], "in the order A, B, C, alpha, beta, gamma or A, gamma, B, beta, alpha, C"),
            (35, [15, 90, 16, 90, 90, 17], "in the order A, B, C, alpha, beta, gamma or A, gamma, B, beta, alpha, C"),
            (24, [15, 170, 16, 10, 10, 17], "close to no cell"),
            (24, [float("nan"), 0, 16, 0, 0, 17], "finite"),
        ):
            with self.subTest(version=version, cell=cell):
                path = self.write_bytes("a.dcd", dcd(frames, [cell], version))
                self.refused(path, word, "--box")
                self.assertEqual(self.counts(path, "--box", "15,16,17"), loop(frames, CUBE))

    def test_periodicity_that_changes_is_refused(self):
        frames = single(random_positions(CUBE, frames=2))
        path = self.write_bytes("a.dcd", dcd(frames, [[15, 0, 16, 0, 0, 17], [15, 0, 16, 0, 0, 0]]))
        self.refused(path, "frame 1", "periodic along x and y, the first frame along x and y and z")
        self.assertEqual(self.counts(path, "--box", "15,16,17"), loop(frames, CUBE))
        without = self.write_bytes("b.dcd", dcd(frames, None))
        self.assertEqual(self.counts(without), loop(frames))


class AmberText(BoxTest):
    def text(self, frames, box=()):
        return "title\n" + "".join(
            fixed(frame, 8, 3, 10) + (fixed(box, 8, 3, 10) if len(box) else "") for frame in frames
        )

    def test_a_line_of_the_box_behind_each_frame(self):
        for atoms in (3, 10, 24):
            frames = random_positions(CUBE, atoms, 3)
            with self.subTest(atoms=atoms):
                self.assertEqual(self.counts(self.write("a.mdcrd", self.text(frames)), atoms=atoms), loop(frames))
                path = self.write("b.mdcrd", self.text(frames, [15, 16, 17, 90, 90, 90]))
                self.assertEqual(self.counts(path, atoms=atoms), loop(frames, CUBE))
                path = self.write("c.mdcrd", self.text(frames, [16, 16, 17, 90, 90, 120]))
                self.assertEqual(self.counts(path, atoms=atoms), loop(frames, HEXAGON))
                path = self.write("d.mdcrd", self.text(frames, [15, 16, 17]))
                self.refused(path, "lengths without angles", "prmtop", atoms=atoms)
                self.assertEqual(self.counts(path, "--box", "15,16,17", atoms=atoms), loop(frames, CUBE))

    def test_lines_that_cannot_be_told_apart_are_refused(self):
        frames = random_positions(CUBE, 2, 3)
        self.refused(self.write("a.mdcrd", self.text(frames)), "line 3", "cannot be told apart", "NetCDF", atoms=2)
        frames = random_positions(CUBE, 24, 2)
        self.refused(self.write("b.mdcrd", self.text(frames)), "does the structure belong", atoms=23)

    def test_a_file_that_ends_within_a_frame_gives_its_whole_frames(self):
        frames = random_positions(CUBE, 24, 3)
        for box, cut in itertools.product(((), [15, 16, 17, 90, 90, 90]), (200, 3)):
            path = self.write("a.mdcrd", self.text(frames, box)[:-cut])
            run = self.starhist("info", path, "--structure", self.structure(24))
            self.assertIn("ends within frame 2", run.stdout + run.stderr)
        path = self.write("b.mdcrd", self.text(frames)[:-1])
        self.assertEqual(self.counts(path), loop(frames))
        first = self.text(frames[:1])
        six_numbers = self.write("c.mdcrd", first + self.text(frames)[len("title\n") :][:48])
        self.refused(six_numbers, "a box or the cut beginning of a frame")


class AmberNetcdf(BoxTest):
    def netcdf(self, frames, cell=None, restart=False, kind="f4", name="a.nc", conventions=None, **changes):
        from scipy.io import netcdf_file

        path = self.folder / name
        with netcdf_file(str(path), "w", version=2) as file:
            file.Conventions, file.ConventionVersion = conventions or ("AMBERRESTART" if restart else "AMBER"), "1.0"
            for dimension, size in (
                ("frame", None),
                ("atom", len(frames[0])),
                ("spatial", 3),
                ("cell_spatial", 3),
                ("cell_angular", 3),
            ):
                file.createDimension(dimension, 1 if restart and size is None else size)
            of_frame = () if restart else ("frame",)
            values = numpy.array(frames)
            for variable, dimensions, content, unit in (
                ("coordinates", ("atom", "spatial"), values, "angstrom"),
                ("time", (), numpy.arange(len(frames)) * 0.5, "picosecond"),
                ("cell_lengths", ("cell_spatial",), [cell[:3]] * len(frames) if cell else None, "angstrom"),
                ("cell_angles", ("cell_angular",), [cell[3:]] * len(frames) if cell else None, "degree"),
            ):
                if content is None or variable == changes.get("without"):
                    continue
                made = file.createVariable(variable, kind if variable == "coordinates" else "f8", of_frame + dimensions)
                made.units = changes.get(variable, unit)
                scale = changes.get("time_scale" if variable == "time" else "scale")
                content = numpy.asarray(content, dtype="f8")
                if scale and variable in ("time", "coordinates"):
                    content, made.scale_factor = content / float(str(scale)), scale
                if restart and not dimensions:
                    made.assignValue(content[0])
                else:
                    made[:] = content[0] if restart else content
        return path

    def setUp(self):
        super().setUp()
        try:
            import scipy.io  # noqa: F401
        except ImportError:
            self.skipTest("there is no scipy")

    def test_trajectories_and_restarts_of_both_precisions(self):
        tilted, straight = (16, 16, 17, 90, 90, 120), (15, 16, 17, 90, 90, 90)
        for restart, kind, cell in (
            (False, "f4", None),
            (False, "f4", straight),
            (False, "f8", tilted),
            (True, "f4", tilted),
            (True, "f8", None),
            (True, "f8", straight),
        ):
            with self.subTest(restart=restart, kind=kind, cell=cell):
                frames = random_positions(CUBE, frames=1 if restart else 3, digits=9)
                path = self.netcdf(frames, cell, restart, kind, "a.ncrst" if restart else "a.nc")
                box = None if cell is None else HEXAGON if cell[-1] == 120 else CUBE
                self.assertEqual(self.counts(path), loop(frames if kind == "f8" else single(frames), box))
        frames = random_positions(CUBE, frames=2)
        self.assertEqual(self.counts(self.netcdf(frames, scale=2.0)), loop(single(frames)))

    def test_contradictions_are_refused(self):
        frames, cell = random_positions(CUBE, frames=2), (15, 16, 17, 90, 90, 90)
        self.refused(self.netcdf(frames, cell, conventions="CF-1.6"), "CF-1.6", "AMBER")
        self.refused(self.netcdf(frames, cell, coordinates="furlong"), "furlong")
        self.refused(self.netcdf(frames, cell, without="cell_angles"), "cell_lengths alone")
        self.refused(self.netcdf(frames, cell, cell_angles="radian"), "radian")
        self.refused(self.netcdf(frames, (15, 16, 17, 90, 90, 190)), "not a cell", "--box")
        content = self.netcdf(frames, cell).read_bytes()
        self.refused(self.write_bytes("b.nc", content[:200]), "cut short within its header")
        with h5py.File(self.folder / "c.nc", "w") as file:
            file.attrs["Conventions"] = "AMBER"
            file["coordinates"] = numpy.array(frames)
        self.refused(self.folder / "c.nc", "nccopy -k nc3")

    def test_axes_of_length_0_are_open(self):
        frames = random_positions(CUBE, frames=2)
        path = self.netcdf(frames, (15, 16, 0, 90, 90, 90))
        self.assertEqual(self.counts(path), loop(single(frames), CUBE, (True, True, False)))

    def test_units_and_times_of_lammps(self):
        frames, cell = random_positions(CUBE, frames=3), (15, 16, 17, 90, 90, 90)
        path = self.netcdf(frames, cell, coordinates="lj", cell_lengths="lj", time="lj", time_scale=numpy.float32(0.1))
        described = json.loads(self.starhist("info", "--json", path, "--frames", "all").stdout)
        self.assertEqual((described["length_unit"], described["time_unit"]), ("sigma", "tau"))
        self.assertEqual([frame["time"] for frame in described["frames"]], [0, 0.5, 1])
        path = self.netcdf(frames, cell, coordinates="", cell_lengths="Angstrom")
        self.assertEqual(json.loads(self.starhist("info", "--json", path).stdout)["length_unit"], "A")

    def test_positions_that_were_not_written_are_refused(self):
        frames = random_positions(CUBE, frames=2)
        frames[1][5:] = 9.969209968386869e36
        path = self.netcdf(frames, (15, 16, 17, 90, 90, 90))
        self.refused(path, "frame 1", "positions that were not written")
        self.assertEqual(self.counts(path, "--last", 0), loop(single(frames[:1]), CUBE))

    def test_frames_before_the_end_of_a_cut_file_are_read(self):
        frames = random_positions(CUBE, frames=3)
        whole = self.netcdf(frames, (15, 16, 17, 90, 90, 90)).read_bytes()
        path = self.write_bytes("cut.nc", whole[:-20])
        self.assertIn("ends within frame 2", self.starhist("rdf", path, "-o", self.folder / "cut.h5").stderr)
        self.assertEqual(self.counts(path, "--last", 1), loop(single(frames[:2]), CUBE))

    def test_64_bit_data_as_lammps_writes_it(self):
        def number(value):
            return struct.pack(">q", value)

        def text(content):
            return number(len(content)) + content + b"\0" * (-len(content) % 4)

        def attribute(name, content):
            return struct.pack(">iq", 12, 1) + text(name) + struct.pack(">i", 2) + text(content)

        def variable(name, numbers, attributes, kind, begin):
            dimensions = b"".join(map(number, numbers))
            return text(name) + number(len(numbers)) + dimensions + attributes + struct.pack(">iqq", kind, 0, begin)

        frames = random_positions(CUBE, frames=2, digits=9)
        dimensions = ((b"frame", 0), (b"atom", len(frames[0])), (b"spatial", 3))
        begin = 500
        header = (
            b"CDF\5"
            + number(len(frames))
            + struct.pack(">iq", 10, 3)
            + b"".join(text(name) + number(size) for name, size in dimensions)
            + attribute(b"Conventions", b"AMBER")
            + struct.pack(">iq", 11, 2)
            + variable(b"id", (0, 1), struct.pack(">iq", 0, 0), 10, begin)
            + variable(b"coordinates", (0, 1, 2), attribute(b"units", b"angstrom"), 6, begin + 8 * len(frames[0]))
        )
        records = b""
        for k, frame in enumerate(frames):
            order = numpy.roll(numpy.arange(len(frame)), k)
            records += (order + 1).astype(">i8").tobytes() + numpy.array(frame)[order].astype(">f8").tobytes()
        path = self.write_bytes("a.nc", header.ljust(begin, b"\0") + records)
        self.assertEqual(self.counts(path, "--box", "15,16,17"), loop(frames, CUBE))


class SingleFiles(BoxTest):
    """Formats of one file per frame, or of few, whose cells libraries drop or turn."""

    TILTED = numpy.array([[0, 15.0, 2.0], [0, -1.0, 16.0], [17.0, 0.5, 0.25]])  # neither along x nor in a plane
    CELL = (16, 16, 17, 90, 90, 120)

    def test_pqr_with_cryst1(self):
        (frame,) = random_positions(CUBE)
        atoms = "".join(
            f"ATOM {k + 1} C RES {k // 3 + 1} {x:.3f} {y:.3f} {z:.3f} 0.5 1.5\n" for k, (x, y, z) in enumerate(frame)
        )
        card = "CRYST1   16.000   16.000   17.000  90.00  90.00 120.00 P 1           1\n"
        self.assertEqual(self.counts(self.write("a.pqr", atoms), own=True), loop([frame]))
        path = self.write("b.pqr", card + atoms)
        self.assertEqual(self.counts(path, own=True), loop([frame], HEXAGON))
        self.assertEqual(
            self.counts(
                self.write(
                    "c.pqr",
                    card.replace(
                        "16.000   16.000   17.000  90.00  90.00 120.00", " 1.000    1.000    1.000  90.00  90.00  90.00"
                    )
                    + atoms,
                ),
                own=True,
            ),
            loop([frame]),
        )
        self.refused(self.write("d.pqr", card + card.replace("17.0", "18.0") + atoms), "2 different CRYST1", own=True)
        self.refused(self.write("e.pqr", "CRYST1 x\n" + atoms), "CRYST1 'CRYST1 x'", own=True)
        self.refused(
            self.write("f.pqr", "MODEL 1\n" + atoms + "ENDMDL\nMODEL 2\n" + atoms + "ENDMDL\n"), "2 models", own=True
        )

    def test_tinker_with_a_line_of_the_box(self):
        frames = random_positions(CUBE, frames=3, digits=6)
        rows = [
            "".join(
                f"{k + 1:6d}  C {x:12.6f}{y:12.6f}{z:12.6f} 1 {'2' if k == 0 else ''}\n"
                for k, (x, y, z) in enumerate(frame)
            )
            for frame in frames
        ]
        head, box = f"{ATOMS}  made up\n", "    16.000000   16.000000   17.000000   90.000000   90.000000  120.000000\n"
        self.assertEqual(self.counts(self.write("a.arc", "".join(head + row for row in rows)), own=True), loop(frames))
        self.assertEqual(
            self.counts(self.write("b.arc", "".join(head + box + row for row in rows)), own=True), loop(frames, HEXAGON)
        )
        untitled = self.write("e.arc", "".join(f"{ATOMS:6d}\n" + box + row for row in rows))
        self.assertEqual(self.counts(untitled, own=True), loop(frames, HEXAGON))
        cut = self.starhist("info", self.write("f.arc", "".join(head + row for row in rows)[:-6]))
        self.assertIn("ends within frame 2", cut.stdout + cut.stderr)
        mixed = self.write("c.arc", head + rows[0] + head + box + rows[1])
        self.refused(mixed, "frame 1", "the first frame along no axis", own=True)
        self.assertEqual(self.counts(mixed, "--box", "15,16,17", own=True), loop(frames[:2], CUBE))
        self.refused(self.write("d.arc", head + rows[0] + "3 x\n" + rows[1]), "frame 1 has 3 atoms", own=True)

    def test_fhi_aims_keeps_the_orientation_of_its_lattice(self):
        (frame,) = random_positions(CUBE, digits=6)
        lattice = "".join("lattice_vector {} {} {}\n".format(*row) for row in self.TILTED)
        atoms = "".join("atom {} {} {} C\n".format(*row) for row in frame)
        self.assertEqual(
            self.counts(self.write("a.in", "# made\n\n" + lattice + atoms), own=True), loop([frame], self.TILTED)
        )
        self.assertEqual(self.counts(self.write("b.in", atoms), own=True), loop([frame]))
        fractions = numpy.round(RNG.uniform(0, 1, (ATOMS, 3)), 5)
        text = lattice + "".join(
            "atom_frac {} {} {} C # one\n    constrain_relaxation .true.\n".format(*row) for row in fractions
        )
        self.assertEqual(self.counts(self.write("c.in", text), own=True), loop([fractions @ self.TILTED], self.TILTED))
        self.refused(self.write("d.in", lattice[: lattice.index("\n") + 1] + atoms), "1 lattice vectors", own=True)
        self.refused(self.write("e.in", lattice + "periodicity 2\n" + atoms), "line 4", "periodicity", own=True)

    def test_mol2_with_crysin(self):
        frames = random_positions(CUBE, frames=2, digits=4)
        rows = [
            "".join(f"{k + 1} C {x:.4f} {y:.4f} {z:.4f} C.3 1 RES 0.0\n" for k, (x, y, z) in enumerate(frame))
            for frame in frames
        ]
        head, box = (
            f"@<TRIPOS>MOLECULE\nm\n {ATOMS} 0 0 0 0\nSMALL\nUSER_CHARGES\n@<TRIPOS>ATOM\n",
            "@<TRIPOS>CRYSIN\n 16 16 17 90 90 120 1 1\n",
        )
        self.assertEqual(self.counts(self.write("a.mol2", "".join(head + row for row in rows)), own=True), loop(frames))
        self.assertEqual(
            self.counts(self.write("b.mol2", "".join(head + row + box for row in rows)), own=True),
            loop(frames, HEXAGON),
        )
        of_parmed = "".join(head.replace("@<TRIPOS>ATOM", box + "@<TRIPOS>ATOM") + row for row in rows)
        self.assertEqual(self.counts(self.write("d.mol2", of_parmed), own=True), loop(frames, HEXAGON))
        self.refused(
            self.write("c.mol2", head + rows[0] + "@<TRIPOS>CRYSIN\n16 16 17 90\n"), "CRYSIN", "--box", own=True
        )
        marked = self.write("f.mol2", "\ufeff" + "".join(head + row for row in rows))
        self.assertEqual(self.counts(marked, own=True), loop(frames))
        named = self.write("n.mol2", "".join(head + row + box.replace("120 1 1", "120 P1 1") for row in rows))
        self.assertEqual(self.counts(named, own=True), loop(frames, HEXAGON))
        symmetric = self.write("e.mol2", head + rows[0] + box.replace("120 1 1", "120 168 1"))
        self.refused(symmetric, "space group 168", "--box", own=True)

    def test_desmond_keeps_the_orientation_of_its_cell(self):
        import sqlite3

        (frame,) = random_positions(CUBE, digits=9)
        for cell, periodic in (
            (self.TILTED, EVERY),
            (numpy.diag([15.0, 16, 0]), (True, True, False)),
            (numpy.zeros((3, 3)), EVERY),
        ):
            path = self.folder / "a.dms"
            path.unlink(missing_ok=True)
            database = sqlite3.connect(path)
            database.execute(
                "CREATE TABLE particle (id INTEGER PRIMARY KEY, anum INTEGER, x FLOAT, y FLOAT, z FLOAT, mass FLOAT, charge FLOAT, "
                "name TEXT, resname TEXT, resid INTEGER, chain TEXT, segid TEXT)"
            )
            database.executemany(
                "INSERT INTO particle VALUES (?, 6, ?, ?, ?, 12, 0, 'C', 'RES', 1, 'A', 'A')",
                [(k, *map(float, row)) for k, row in enumerate(frame)],
            )
            database.execute("CREATE TABLE bond (p0 INTEGER, p1 INTEGER, 'order' INTEGER)")
            database.execute("INSERT INTO bond VALUES (0, 1, 1)")
            database.execute("CREATE TABLE global_cell (id INTEGER PRIMARY KEY, x FLOAT, y FLOAT, z FLOAT)")
            database.executemany(
                "INSERT INTO global_cell VALUES (?, ?, ?, ?)", [(k + 1, *map(float, row)) for k, row in enumerate(cell)]
            )
            database.commit()
            database.close()
            box = None if not cell.any() else numpy.where(cell.any(axis=1)[:, None], cell, numpy.eye(3))
            self.assertEqual(self.counts(path, own=True), loop([frame], box, periodic))

    def test_coordinates_of_charmm_and_namd_are_doubles(self):
        (frame,) = random_positions(CUBE, digits=10)
        rows = "".join(
            f"{k + 1:10d}{1:10d}  RES       C       {x:20.10f}{y:20.10f}{z:20.10f}  A         1       {0:20.10f}\n"
            for k, (x, y, z) in enumerate(frame)
        )
        path = self.write("a.crd", f"* made\n*\n{ATOMS:10d}  EXT\n{rows}")
        self.assertEqual(self.counts(path, own=True), loop([frame]))
        self.assertEqual(self.counts(path, "--box", "15,16,17", own=True), loop([frame], CUBE))
        within_z = path.read_text().rpartition("  A  ")[0][:-4]
        self.refused(self.write("b.crd", within_z), "without a line break", own=True)
        for order in "<>":
            path = self.write_bytes("a.coor", struct.pack(order + "i", ATOMS) + frame.astype(order + "f8").tobytes())
            self.assertEqual(self.counts(path, "--box", "15,16,17"), loop([frame], CUBE))
        self.refused(self.write_bytes("b.coor", path.read_bytes()[:-8]), "cut short")

    def gsd(self, frames, types, box, dimensions=3):
        try:
            import gsd.hoomd
        except ImportError:
            self.skipTest("there is no gsd")
        made = getattr(gsd.hoomd, "Frame", None) or gsd.hoomd.Snapshot
        path = self.folder / "a.gsd"
        with gsd.hoomd.open(str(path), "wb" if hasattr(gsd.hoomd, "Snapshot") else "w") as file:
            for k, frame in enumerate(frames):
                snapshot = made()
                snapshot.particles.N, snapshot.particles.position = len(frame), frame
                snapshot.particles.types, snapshot.particles.typeid = ["A", "B"], types[k]
                snapshot.configuration.box, snapshot.configuration.dimensions = box, dimensions
                snapshot.configuration.step = 10 * k
                file.append(snapshot)
        return path

    def test_a_gsd_in_two_dimensions_is_open_along_z(self):
        frames = single(random_positions(CUBE, frames=2))
        for frame in frames:
            frame[:, 2] = 0
        path = self.gsd(frames, [[0] * ATOMS] * 2, [15, 16, 1, 0.25, 0, 0], 2)
        box = numpy.array([[15, 0, 0], [4, 16, 0], [0, 0, 1.0]])
        self.assertEqual(self.counts(path, own=True), loop(frames, box, (True, True, False)))

    def test_particles_of_a_gsd_may_change_where_types_are_counted(self):
        frames = [
            frame[:count] for frame, count in zip(single(random_positions(CUBE, frames=3)), (ATOMS, ATOMS, ATOMS - 5))
        ]
        types = [[0] * ATOMS, [0] * (ATOMS - 1) + [1], [1, 0] * ((ATOMS - 5) // 2) + [1]]
        path = self.gsd(frames, types, [15, 16, 17, 0, 0, 0])
        run = self.starhist(
            "rdf", path, "-o", self.folder / "out.h5", "-f", "--r-max", R_MAX, "--bins", BINS, "--pairs", "A-A,B-B"
        )
        self.assertEqual(run.returncode, 0, run.stderr)
        with h5py.File(self.folder / "out.h5") as file:
            counts = file["observables/pair_distance_histogram/value"][()].sum(axis=0).tolist()
        of_type = [[frame[numpy.array(kinds) == kind] for frame, kinds in zip(frames, types)] for kind in (0, 1)]
        self.assertEqual(counts, [loop(kind, CUBE) for kind in of_type])
        run = self.starhist("rdf", path, "-o", self.folder / "none.h5", "--r-max", R_MAX, "--bins", BINS, "--by", "all")
        self.assertEqual(run.returncode, 1)
        self.assertIn("frame 1", run.stderr)
        self.assertIn("other types than the first frame", run.stderr)


class Gromos(BoxTest):
    def trc(self, frames, genbox, name="a.trc"):
        text = "TITLE\n made\nEND\n"
        for k, frame in enumerate(frames):
            text += f"TIMESTEP\n{10 * k:15d}{0.02 * k:20.9f}\nEND\nPOSITIONRED\n"
            text += (
                "".join(
                    f"{x:15.9f}{y:15.9f}{z:15.9f}\n" + (f"#{j + 1:10d}\n" if j % 10 == 9 else "")
                    for j, (x, y, z) in enumerate(frame)
                )
                + "END\n"
            )
            if genbox:
                text += (
                    f"GENBOX\n{genbox[0]:5d}\n"
                    + "".join("".join(f"{x:15.9f}" for x in row) + "\n" for row in genbox[1:])
                    + "END\n"
                )
        return self.write(name, text)

    def test_each_kind_of_box(self):
        frames = random_positions(CUBE, frames=2, digits=9)
        zeros = [[0, 0, 0]] * 2
        for genbox, box in (
            ((), None),
            ((0, [0] * 3, [0] * 3, *zeros), None),
            ((1, [15, 16, 17], [90] * 3, *zeros), CUBE),
            ((2, [16, 16, 17], [90, 90, 120], *zeros), HEXAGON),
            ((-1, [18] * 3, [90] * 3, *zeros), numpy.array([[18.0, 0, 0], [0, 18, 0], [9, 9, 9]])),
        ):
            with self.subTest(genbox=genbox):
                self.assertEqual(self.counts(self.trc(frames, genbox)), loop(frames, box))

    def test_boxes_that_are_refused(self):
        frames = random_positions(CUBE, frames=2, digits=9)
        zeros = [[0, 0, 0]] * 2
        for genbox, word in (
            ((2, [16, 16, 17], [90, 90, 120], [0, 0, 30], [0, 0, 0]), "Euler"),
            ((3, [15, 16, 17], [90] * 3, *zeros), "kind 3"),
            ((-1, [15, 16, 17], [90] * 3, *zeros), "truncated octahedron"),
            ((1, [15, 16, 17], [90, 90, 120], *zeros), "rectangular"),
        ):
            with self.subTest(word):
                path = self.trc(frames, genbox)
                self.refused(path, word, "--box")
                self.assertEqual(self.counts(path, "--box", "15,16,17"), loop(frames, CUBE))
        path = self.trc(frames, ())
        self.refused(self.write("b.trc", path.read_text().replace("POSITIONRED", "POSITION")), "'POSITION'")


if __name__ == "__main__":
    unittest.main(verbosity=2)
