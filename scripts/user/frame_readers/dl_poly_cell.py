"""The lattice that DL_POLY's key of periodic boundaries and cell vectors mean (DL_POLY Classic's and DL_POLY 4's manuals, "Periodic boundary conditions")."""

import math

import numpy

from frame_readers.lattices import body_centred, close, numbers

KINDS = {
    0: "no boundaries",
    1: "cubic",
    2: "orthorhombic",
    3: "parallelepiped",
    4: "truncated octahedron",
    5: "rhombic dodecahedron",
    6: "slab, x and y",
    7: "hexagonal prism",
}


def shape_refusal(imcon, cell):
    """Why these vectors are not the cell that `imcon` names; "" if they are."""
    if imcon in (3, 6):
        return ""
    lengths = numpy.diag(cell)
    if numpy.count_nonzero(cell - numpy.diag(lengths)):
        return "its vectors are not along x, y and z"
    a, b, c = lengths
    wrong = {
        1: not (a == b == c),
        4: not (a == b == c),
        5: not (a == b and close(c, math.sqrt(2) * a)),
        7: not close(a, math.sqrt(3) * b),
    }.get(imcon, False)
    return f"its lengths are {numbers(lengths)}" if wrong else ""


def dl_poly_box(imcon, cell):
    """(matrix, periodic axes, refusal). `cell`: rows are the vectors of the file; None if it has none."""
    every = (True, True, True)
    if imcon not in KINDS:
        return None, every, f"its key of periodic boundaries is {imcon}, and DL_POLY has 0 to 7"
    if imcon == 0:
        return None, every, ""
    if cell is None:
        return None, every, f"its key of periodic boundaries is {imcon} ({KINDS[imcon]}), but it has no cell vectors"
    cell = numpy.array(cell, dtype="f8")
    problem = shape_refusal(imcon, cell)
    if problem:
        return None, every, f"its cell is no {KINDS[imcon]} (periodic boundary key {imcon}): {problem}"
    if imcon == 6:
        if cell[0][2] or cell[1][2]:
            return None, every, "its slab (periodic boundary key 6) has vectors that are not in the plane of x and y"
        return cell, (True, True, False), ""
    a, b, c = numpy.diag(cell)
    if imcon in (4, 5):
        return body_centred(a, b, c), every, ""
    if imcon == 7:
        return numpy.array([[a / 2, b / 2, 0], [0, b, 0], [0, 0, c]]), every, ""
    return cell, every, ""
