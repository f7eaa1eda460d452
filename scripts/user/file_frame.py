"""Types and functions that the readers of read_frames.py share: frames, boxes and molecules."""

import itertools
import math
from dataclasses import dataclass

import numpy

MATRIX = "matrix of the file"  # FileFrame.box_source


@dataclass
class FileFrame:
    positions: numpy.ndarray  # (atoms, 3), in the file's unit of length, single or double precision
    box: numpy.ndarray = None  # (3, 3), rows are the edges; None: no box
    step: int = 0
    time: float = None  # None if the file has none
    periodic: tuple = (True, True, True)  # periodic edges of the box
    box_refusal: str = ""  # why the file's box cannot be used; "" for a usable box
    box_source: str = "lengths and angles of the file"  # origin of the box, for messages
    types: numpy.ndarray = None  # type number of each particle, if types change between frames
    types_differ: bool = False  # whether types differ from the first frame

    @property
    def axes(self):
        """Bit k is set if edge k is periodic; 0: no box."""
        return 0 if self.box is None else sum(1 << k for k in range(3) if self.periodic[k])


class Reader:
    """A file whose frames are read; each format has a subclass, which read_frames.py makes from a Source. It has `frames`
    and `atoms`, read(index) returns a FileFrame, and moment(index), if present, step and time of a frame."""

    length_unit = time_unit = truncation = ""
    changing_types = ()  # names of all types, if particles or their types change

    def table(self):
        """The atoms, as packed_table() takes them; None if the file does not name them."""
        return None

    @classmethod
    def structure(cls, source):
        """The atoms of a file that is only a structure."""
        return cls(source).table()


def box_of_cell(cell):
    """Returns the matrix (rows: edges) of a, b, c, alpha, beta, gamma [degrees]: a along x, b in the xy plane.
    Returns None for an invalid cell."""
    a, b, c, alpha, beta, gamma = (float(x) for x in cell)
    if not (a > 0 and b > 0 and c > 0):
        return None
    if alpha == beta == gamma == 90:
        return numpy.diag([a, b, c])
    cos = [0.0 if angle == 90 else math.cos(math.radians(angle)) for angle in (alpha, beta, gamma)]
    sine = 1.0 if gamma == 90 else math.sin(math.radians(gamma))
    if sine <= 0:
        return None
    y = (cos[0] - cos[1] * cos[2]) / sine
    z = 1 - cos[1] ** 2 - y * y
    if z <= 0:
        return None
    return numpy.array([[a, 0, 0], [b * cos[2], b * sine, 0], [c * cos[1], c * y, c * math.sqrt(z)]])


def molecules_of_bonds(atoms, bonds):
    """Returns the molecule number of each atom, from 1; atoms connected by bonds form a molecule. None without
    bonds."""
    if bonds is None or len(bonds) == 0:
        return None
    parent = list(range(atoms))

    def root(atom):
        while parent[atom] != atom:
            parent[atom] = parent[parent[atom]]
            atom = parent[atom]
        return atom

    for first, second in bonds:
        first, second = sorted((root(int(first)), root(int(second))))
        parent[second] = first
    number = {}
    return [number.setdefault(root(atom), len(number) + 1) for atom in range(atoms)]


def join_sites(molecules, residues, is_site):
    """Moves each virtual site to the molecule of its residue, if this residue's atoms are in one molecule.
    `residues`: of each particle, chain, number and so on; equal ones may be several residues."""
    runs = [list(run) for _, run in itertools.groupby(range(len(residues)), key=residues.__getitem__)]
    own = [{molecules[place] for place in run if not is_site[place]} for run in runs]
    known = {}
    for run, molecule in zip(runs, own):
        known.setdefault(residues[run[0]], set()).update(molecule)
    for run, molecule in zip(runs, own):
        found = molecule or known[residues[run[0]]]  # sites may be behind all atoms
        if len(found) == 1:
            for place in filter(is_site.__getitem__, run):
                (molecules[place],) = found
