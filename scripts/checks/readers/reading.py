"""Content of a file as read by one reader, in a form that can be compared field by field."""

import dataclasses

import numpy as np

# Values of the particles of the first frame; each is a list or None (not delivered).
COLUMNS = ("id", "name", "type", "element", "resname", "resid", "chain", "segment", "icode", "mass", "charge")
# Partitions of the particles: lists of labels of which only equality matters.
PARTITIONS = ("residue", "molecule")


@dataclasses.dataclass
class FrameData:
    """One frame. Lengths are in the unit of the file; None: not delivered."""

    positions: np.ndarray | None  # [N][3], in the order of `ids` or of the file
    ids: list | None = None  # particle ids in the order of `positions`
    sorted_by_id: bool = False  # `positions` are in the order of ids that it does not have
    matrix: np.ndarray | None = None  # [3][3], rows are the edge vectors
    oriented: bool = True  # False: only lengths and angles of the matrix are the file's
    periodic: tuple | None = None  # three bools
    step: int | None = None
    time: float | None = None


@dataclasses.dataclass
class Reading:
    """All frames of a file. `tolerance`: relative, 0 where the reader holds exact doubles."""

    frames: list
    columns: dict = dataclasses.field(default_factory=dict)
    length_unit: str | None = None
    time_unit: str | None = None
    tolerance: float = 0.0
    box_tolerance: float | None = None  # None: as `tolerance`


def partition(labels):
    """The labels as numbers in the order of their first appearance."""
    numbers = {}
    return [numbers.setdefault(label, len(numbers)) for label in labels]


def cell_matrix(lengths, angles):
    """Edge vectors of lengths and angles in degrees: a along x, b in the xy plane."""
    a, b, c = (float(x) for x in lengths)
    # Exact for right angles, so that orthorhombic cells stay so.
    ca, cb, cg = (0.0 if x == 90.0 else float(np.cos(np.radians(x))) for x in angles)
    sg = 1.0 if angles[2] == 90.0 else float(np.sin(np.radians(angles[2])))
    cy = (ca - cb * cg) / sg
    return np.array([[a, 0, 0], [b * cg, b * sg, 0], [c * cb, c * cy, c * np.sqrt(max(0.0, 1 - cb * cb - cy * cy))]])
