"""Boxes that text states in lengths and angles, or by the shape of the cell."""

import numpy

from file_frame import box_of_cell

TETRAHEDRAL = 109.4712206344907  # angle of a truncated octahedron's lattice [degrees]: arccos(-1/3)


def cell_box(cell):
    """(matrix, periodic axes, refusal) of a, b, c, alpha, beta, gamma [degrees]; lengths of zero mean no box."""
    cell = [float(x) for x in cell]
    every = (True, True, True)
    if not numpy.all(numpy.isfinite(cell)) or min(cell[:3]) < 0:
        return None, every, f"its box {numbers(cell)} is not a cell"
    if max(cell[:3]) == 0:
        return None, every, ""
    box = box_of_cell(cell)
    return box, every, "" if box is not None else f"its box {numbers(cell)} is not a cell"


def numbers(values):
    return ", ".join(f"{float(x):.10g}" for x in values)


def body_centred(a, b, c):
    """The lattice of a cell of edges a, b, c and of its centre."""
    return numpy.array([[a, 0, 0], [0, b, 0], [a / 2, b / 2, c / 2]], dtype="f8")


def close(first, second):
    return abs(first - second) <= 1e-4 * max(abs(first), abs(second))
