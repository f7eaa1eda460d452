"""Unit cells of DCD files. Programs write six numbers with four meanings:

lengths and cosines   A, cos gamma, B, cos beta, cos alpha, C: NAMD, LAMMPS, OpenMM, VMD (version 24)
lengths and degrees   A, gamma, B, beta, alpha, C: MDAnalysis, CP2K, older NAMD (version 24)
cell parameters       A, B, C, alpha, beta, gamma in degrees: CHARMM before version 22 (its number), cpptraj (version 21)
shape matrix          xx, xy, yy, xz, yz, zz of a symmetric matrix: CHARMM of version 22 and later (its number), cpptraj
                      (version 35) for rectangular cells

The version is the last number of the header. A length of zero means that NAMD's axis is not periodic. The order of CHARMM
before version 22 is documented by cpptraj, which has read such files since its version 6.23 (pull request 1064).
cpptraj's option `ucell` writes cosines with version 35 (version 21 before), which are refused.
"""

import numpy

from frame_readers.lattices import numbers

VERSION_OF_OTHERS = 24  # written by all programs but CHARMM
FIRST_SHAPE_MATRIX = 22
NO_TILT = 1e-10  # of a shape matrix, relative to its lengths: rounding of a rectangular cell
AXES = (True, True, True)


def shape_matrix(cell):
    xx, xy, yy, xz, yz, zz = cell
    return numpy.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def is_shape(cell):
    """Whether the numbers can be a shape matrix, which is positive definite."""
    return min(numpy.linalg.eigvalsh(shape_matrix(cell))) > 1e-6 * max(map(abs, cell))


def cosines_of(angles):
    """Cosines of angles in degrees, exactly 0 of 90."""
    return [0.0 if angle == 90 else float(numpy.cos(numpy.radians(angle))) for angle in angles]


def lattice_of(lengths, cosines):
    """(matrix, periodic axes, refusal). Axes of length 0 do not repeat. `cosines`: of alpha, beta, gamma."""
    periodic = tuple(bool(length > 0) for length in lengths)
    # An angle with an axis that does not repeat has no meaning.
    alpha, beta, gamma = (
        cosine if periodic[i] and periodic[j] else 0.0 for cosine, (i, j) in zip(cosines, ((1, 2), (0, 2), (0, 1)))
    )
    sine = numpy.sqrt(1 - gamma * gamma)
    y = (alpha - beta * gamma) / sine if sine > 0 else 2.0
    square = 1 - beta * beta - y * y
    if square <= 0:
        return None, AXES, "its unit cell has angles that close to no cell"
    a, b, c = (length or 1.0 for length in lengths)
    return numpy.array([[a, 0, 0], [b * gamma, b * sine, 0], [c * beta, c * y, c * numpy.sqrt(square)]]), periodic, ""


def kind_of(version, cell, of_cpptraj):
    """Returns the meaning of the numbers ("cosines", "degrees", "parameters" or "shape") and "", or "" and the problem."""
    header = f"the header has version {version}"
    tilts = cell[[1, 3, 4]]
    lengths = cell[[0, 2, 5]]
    cosines = min(lengths) >= 0 and max(abs(tilts)) <= 1
    degrees = min(lengths) >= 0 and min(tilts) > 1 and max(tilts) < 180
    if max(abs(tilts)) <= NO_TILT * max(lengths) and min(lengths) >= 0:
        return "cosines", ""
    if version in (0, VERSION_OF_OTHERS):
        kind = "cosines" if cosines else "degrees" if degrees else "shape"
        if kind == "degrees" and is_shape(cell) and not is_cell(cell):
            kind = "shape"
        return (
            ("", "fit neither lengths and angles nor a shape matrix")
            if kind == "shape" and not is_shape(cell)
            else (kind, "")
        )
    parameters = is_parameters(cell)
    if parameters and of_cpptraj and version < FIRST_SHAPE_MATRIX:
        return "parameters", ""
    if not is_shape(cell):
        if parameters and degrees and is_cell(cell):
            return "", f"may be in the order A, B, C, alpha, beta, gamma or A, gamma, B, beta, alpha, C ({header})"
        if parameters and version < FIRST_SHAPE_MATRIX:
            return "parameters", ""
        return ("degrees", "") if degrees else ("", f"are no shape matrix, which CHARMM {version} writes")
    if version < FIRST_SHAPE_MATRIX:
        return "", f"have a meaning that is not known for version {version}"
    if cosines:
        return "", f"are lengths and cosines or CHARMM's shape matrix ({header})"
    return "shape", ""


def is_cell(cell):
    return lattice_of(cell[[0, 2, 5]], cosines_of(cell[[4, 3, 1]]))[2] == ""


def is_parameters(cell):
    """Whether the numbers in the order A, B, C, alpha, beta, gamma form a cell."""
    lengths, angles = cell[:3], cell[3:]
    return bool(
        min(lengths) > 0 and min(angles) > 1 and max(angles) < 180 and not lattice_of(lengths, cosines_of(angles))[2]
    )


def dcd_box(header, cell):
    """(matrix, periodic axes, refusal) of the six numbers of a frame. `header`: DcdHeader."""
    cell = numpy.array(cell, dtype="f8")
    if not cell.any() or (not cell[[0, 2, 5]].any() and set(cell[[1, 3, 4]]) <= {0.0, 90.0}):
        return None, AXES, ""
    if not numpy.isfinite(cell).all():
        return None, AXES, f"its unit cell {numbers(cell)} is not finite"
    kind, problem = kind_of(header.version, cell, header.of_cpptraj)
    if problem:
        return None, AXES, f"the numbers {numbers(cell)} of its unit cell {problem}"
    if kind == "shape":
        return shape_matrix(cell), AXES, ""
    if kind == "parameters":
        return lattice_of(cell[:3], cosines_of(cell[3:]))
    lengths, tilts = cell[[0, 2, 5]], cell[[4, 3, 1]]
    return lattice_of(lengths, cosines_of(tilts) if kind == "degrees" else tilts)
