"""Random systems that the generators write: boxes of all kinds, particles, identities."""

import dataclasses
import random

import numpy as np

from readers.reading import FrameData, Reading

ELEMENTS = ("H", "C", "N", "O", "Na", "Cl", "Fe", "P", "S", "Ca", "Zn")
AXES = (
    (True, True, True),
    (True, True, False),
    (True, False, False),
    (False, True, True),
    (True, False, True),
    (False, False, True),
    (False, True, False),
)


@dataclasses.dataclass
class Case:
    """A generated file: its path, its intended content, and starhist's options for it."""

    path: str
    format: str  # key of the generators
    seed: int | None  # None: a file of others
    truth: Reading | None
    tags: set  # features of the file, to which settled differences refer
    hints: dict = dataclasses.field(default_factory=dict)  # what rivals need to be told


def decimal(rng, low, high, digits):
    """Text of a random number with `digits` decimals."""
    return f"{rng.uniform(low, high):.{digits}f}"


def lengths_and_angles(rng, kind):
    """Three lengths and three angles [degrees, two decimals] that close to a cell."""
    lengths = [round(rng.uniform(6, 30), 3) for _ in range(3)]
    if kind == "orthorhombic":
        return lengths, [90.0] * 3
    if kind == "hexagonal":
        return [lengths[0], lengths[0], lengths[2]], [90.0, 90.0, rng.choice((60.0, 120.0))]
    if kind == "octahedron":
        return [lengths[0]] * 3, [109.47] * 3
    return lengths, [round(rng.uniform(65, 110), 2) for _ in range(3)]


def restricted_matrix(rng, tilted):
    """Rows of a lower triangular cell, as LAMMPS and GROMACS have it, with four decimals."""
    a, b, c = (round(rng.uniform(6, 30), 4) for _ in range(3))
    if not tilted:
        return np.diag([a, b, c])
    xy, xz = (round(rng.uniform(-0.5, 0.5) * a, 4) for _ in range(2))
    yz = round(rng.uniform(-0.5, 0.5) * b, 4)
    return np.array([[a, 0, 0], [xy, b, 0], [xz, yz, c]])


def general_matrix(rng, left_handed=False):
    """A turned cell, its numbers rounded to six decimals."""
    axis = np.array([rng.gauss(0, 1) for _ in range(9)]).reshape(3, 3)
    turn, _ = np.linalg.qr(axis)
    if np.linalg.det(turn) < 0:
        turn[0] *= -1
    matrix = np.round(restricted_matrix(rng, rng.random() < 0.7) @ turn, 6) + 0.0
    return matrix[[1, 0, 2]] if left_handed else matrix


def write_lines(path, lines):
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")


def positions_of(texts):
    """[N][3] doubles of the texts of the coordinates."""
    return np.array([[float(x) for x in row] for row in texts], float).reshape(-1, 3)


def frame(texts, **kwargs):
    return FrameData(positions=positions_of(texts), **kwargs)


def generator(kind, seed):
    """Returns the random number generator of a file, seeded only by format and seed."""
    return random.Random(f"{kind}/{seed}")
