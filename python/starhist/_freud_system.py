"""Systems of freud: a box with points, and neighbour lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import as_array, as_positions

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class System:
    """A box with points."""

    box: Any
    """The box as it was passed."""
    points: npt.NDArray[Any]
    edges: Floats
    """Edges of the box, one per row. In two dimensions the third is (0, 0, 1)."""
    periodic: tuple[bool, bool, bool]
    flat: bool
    """Whether the box has two dimensions."""

    @classmethod
    def of(cls, system: Any) -> System:
        if isinstance(system, (tuple, list)) and len(system) == 2:
            box, points = system
        elif hasattr(system, "box") and hasattr(system, "points"):
            box, points = system.box, system.points
        else:
            raise TypeError(f"the system is {_described(system)}: pass the tuple (box, points)")
        columns = _columns(box)
        flat = not columns[2, 2] or getattr(box, "dimensions", 3) == 2
        periodic = np.broadcast_to(np.asarray(getattr(box, "periodic", True), dtype=bool), (3,)).copy()
        if flat:
            columns[:, 2] = 0, 0, 1
            periodic[2] = False
        a, b, c = (bool(axis) for axis in periodic)
        made = cls(box, as_positions(points), np.ascontiguousarray(columns.T), (a, b, c), flat)
        made.checked(made.points)
        return made

    def checked(self, points: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Returns `points`. Raises ValueError if one has z != 0 in a box of two dimensions."""
        if self.flat and points[:, 2].any():
            raise ValueError("a point has z != 0, and the box has two dimensions: pass z = 0, or a box with Lz")
        return points

    def check_range(self, r_max: float) -> None:
        """Raises RuntimeError, as freud, if r_max exceeds half the distance of opposite faces of the box."""
        heights = 1 / np.linalg.norm(np.linalg.inv(self.edges), axis=0)
        half = 0.5 * heights[np.array(self.periodic)].min(initial=np.inf)
        if r_max > half * (1 + 1e-6):  # boxes of freud have single precision
            other = 'starhist.rdf(..., plane="xy")' if self.flat else "starhist.rdf()"
            raise RuntimeError(
                f"r_max {r_max:.10g} is too large for this box (shells beyond half its smallest height, {half:.10g}, "
                f"contain several images of a point): pass a smaller r_max, or call {other}, which normalizes g by "
                "the part of a shell in the box"
            )

    @property
    def volume(self) -> float:
        """Volume of the box, its area in two dimensions."""
        return abs(float(np.linalg.det(self.edges)))

    def listed_vectors(self, query: npt.NDArray[Any], alike: bool, neighbors: Any) -> Floats:
        """Vectors from query points to points, shape (bonds, 3), of a NeighborList or of query arguments.

        freud's vectors have single precision; they choose the periodic image, whose vector follows from
        the positions in double precision."""
        if isinstance(neighbors, Mapping):
            neighbors = self._list(query, {"exclude_ii": alike, **neighbors})
        if not all(hasattr(neighbors, name) for name in ("query_point_indices", "point_indices", "vectors")):
            raise TypeError(
                f"neighbors is {_described(neighbors)}: pass a NeighborList of freud 3, or a dict of query arguments"
            )
        i, j = np.asarray(neighbors.query_point_indices), np.asarray(neighbors.point_indices)
        if len(i) and (i.max() >= len(query) or j.max() >= len(self.points)):
            raise ValueError("the neighbour list names points that do not exist: make it from the same system")
        direct = self.points[j].astype(np.float64) - query[i].astype(np.float64)
        images = np.rint((np.asarray(neighbors.vectors, dtype=np.float64) - direct) @ np.linalg.inv(self.edges))
        vectors: Floats = direct + images @ self.edges
        return vectors

    def _list(self, query: npt.NDArray[Any], arguments: dict[str, Any]) -> Any:
        try:
            import freud
        except ImportError:
            raise ImportError(
                "query arguments need freud, which is not installed: pip install freud-analysis, or omit neighbors "
                "to count all pairs"
            ) from None
        lengths = np.diag(self.edges)
        xy, xz, yz = self.edges[1, 0] / lengths[1], self.edges[2, 0] / lengths[2], self.edges[2, 1] / lengths[2]
        box = freud.box.Box(*lengths[:2], 0 if self.flat else lengths[2], xy, xz, yz, is2D=self.flat)
        box.periodic = (*self.periodic[:2], self.flat or self.periodic[2])  # freud refuses a plane's open z
        return freud.locality.NeighborQuery.from_system((box, self.points)).query(query, arguments).toNeighborList()


def _described(value: Any) -> str:
    if isinstance(value, (tuple, list)):
        return f"a {type(value).__name__} of {len(value)}"
    return "None" if value is None else f"of type {type(value).__name__}"


def _columns(box: Any) -> Floats:
    """Returns the edges of a box as columns of a 3 x 3 matrix; raises ValueError for other shapes."""
    if hasattr(box, "to_matrix"):  # freud.box.Box
        return np.array(box.to_matrix(), dtype=np.float64)
    if isinstance(box, Mapping):
        box = [box.get(name, 0) for name in ("Lx", "Ly", "Lz", "xy", "xz", "yz")]
    numbers = np.asarray(as_array(box, "the numbers of the box"), dtype=np.float64)
    if numbers.shape == (3, 3):
        columns = numbers.copy()
    elif numbers.shape in ((2,), (3,), (6,)):
        x, y, z, xy, xz, yz = [*numbers, 0, 0, 0, 0][:6]
        columns = np.array([[x, xy * y, xz * z], [0, y, yz * z], [0, 0, z]])
    else:
        raise ValueError(
            f"the box has the shape {numbers.shape}: pass 2 or 3 lengths, 3 lengths and 3 tilt factors, or the "
            "3 x 3 matrix whose columns are the edges"
        )
    if not (columns[:, 0].any() and columns[:, 1].any()):
        raise ValueError(f"the box has an edge of length 0 ({columns.tolist()}): only Lz may be 0, in two dimensions")
    return columns
