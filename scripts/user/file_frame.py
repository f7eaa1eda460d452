"""Frames, boxes and refusals of the readers of read_frames.py."""

import math
from dataclasses import dataclass

import numpy

MATRIX = "matrix of the file"  # FileFrame.box_source


@dataclass
class FileFrame:
    positions: numpy.ndarray  # (atoms, 3), in the file's unit of length, of single or double precision
    box: numpy.ndarray = None  # (3, 3), rows are the edges; None: no box
    step: int = 0
    time: float = None  # None if the file has none
    periodic: tuple = (True, True, True)  # axes that repeat, of a box
    box_refusal: str = ""  # why the file's box cannot be used; "": it can
    box_source: str = "lengths and angles of the file"  # for people: where a box comes from
    types: numpy.ndarray = None  # number of each particle's type, of a file whose particles change
    types_differ: bool = False  # from those of the first frame

    @property
    def axes(self):
        """Bit k: the axis of edge k repeats. 0: no box."""
        return 0 if self.box is None else sum(1 << k for k in range(3) if self.periodic[k])


def box_of_cell(cell):
    """The matrix of a, b, c, alpha, beta, gamma [degrees]: a along x, b in the xy plane. None where it is no cell."""
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
    """The number of the molecule of each atom, from 1: atoms that bonds connect. None without bonds."""
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
