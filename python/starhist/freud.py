"""RDF: a drop-in replacement for freud.density.RDF, for boxes that are periodic along three axes.

freud does not have to be installed::

    rdf = starhist.freud.RDF(bins=100, r_max=5)
    for box, points in frames:
        rdf.compute((box, points), reset=False)
    rdf.bin_centers, rdf.rdf
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import as_array, as_positions
from ._settings import integer, number
from .counter import Counter


class RDF:
    """Radial distribution function, as freud.density.RDF.

    Parameters
    ----------
    bins : int
        Number of bins of equal width on [r_min, r_max), 1 or more.
    r_max : float
        Upper limit of the counted distances (exclusive), in the unit of the points.
    r_min : float
        Lower edge of the first bin, in the unit of the points: 0 or a multiple of the bin width.
    normalization_mode : {"exact", "finite_size"}
        "finite_size" multiplies g by N / (N - 1), where N is the number of query points. As in
        freud, it is meant for pairs within one set of points.

    Raises
    ------
    TypeError
        If bins is not an integer, or a distance is not a number.
    ValueError
        If bins is below 1, r_min is not a multiple of the bin width, or not 0 <= r_min < r_max.

    Notes
    -----
    As in freud, g(r) is normalized by the volume and the numbers of points of the last frame.

    Examples
    --------
    >>> from starhist.freud import RDF
    >>> rdf = RDF(bins=4, r_max=2)
    >>> rdf.compute(([10, 10, 10], [[0, 0, 0], [1, 0, 0], [-0.6, 0, 0]])).bin_counts
    array([0, 2, 2, 2], dtype=uint64)
    """

    def __init__(self, bins: int, r_max: float, r_min: float = 0, normalization_mode: str = "exact") -> None:
        if normalization_mode not in ("exact", "finite_size"):
            raise ValueError(f"normalization_mode is {normalization_mode!r}: pass 'exact' or 'finite_size'")
        self.mode = normalization_mode
        self.nbins = integer(bins, "bins", 1)
        begin, end = (
            number(value, name, "in the unit of the points") for value, name in ((r_min, "r_min"), (r_max, "r_max"))
        )
        if not 0 < end < np.inf:
            raise ValueError(f"r_max is {r_max!r}: pass a distance above 0, in the unit of the points")
        if not 0 <= begin < end:
            raise ValueError(f"r_min is {r_min!r}, and r_max is {r_max!r}: pass 0 <= r_min < r_max")
        below = begin * self.nbins / (end - begin)
        if abs(below - round(below)) > 1e-9 * max(below, 1):
            raise ValueError(
                f"r_min is {r_min!r}, which is not a multiple of the bin width {(end - begin) / self.nbins:g}: "
                "pass 0, or a multiple of the width"
            )
        self.r_max, self.bounds = end, (begin, end)
        self._below = round(below)
        self._reset()

    def _reset(self) -> None:
        self._frames = 0
        self._counters: dict[bool, Counter] = {}

    def _counter(self, alike: bool) -> Counter:
        """Counter of pairs within one set of points (`alike`), or between points and query points."""
        if alike not in self._counters:
            all_bins = self._below + self.nbins
            species = {} if alike else {"species": ["points"], "names": ["points", "query"], "pairs": "points-query"}
            self._counters[alike] = Counter(r_max=self.r_max, bins=all_bins, **species)  # type: ignore[arg-type]
        return self._counters[alike]

    def compute(self, system: Any, query_points: Any = None, neighbors: None = None, reset: bool = True) -> RDF:
        """Count the pairs of a frame.

        Parameters
        ----------
        system : tuple
            (box, points). The box is a freud.box.Box, 3 lengths, 3 lengths and 3 tilt factors xy,
            xz, yz, or a 3 x 3 matrix whose columns are the edges; points have the shape (N, 3).
        query_points : array_like of float, shape (M, 3), optional
            None: pairs within `points`, each counted in both directions.
        neighbors : None
            Neighbour lists are not supported.
        reset : bool
            Whether to discard earlier frames.

        Returns
        -------
        RDF
            This object.

        Raises
        ------
        TypeError
            If `neighbors` is not None, or the system is not a tuple (box, points).
        ValueError
            If a shape is wrong, a position is not finite, or the box is not periodic along three axes.
        """
        if neighbors is not None:
            raise TypeError("starhist counts all pairs: omit neighbors")
        if not isinstance(system, (tuple, list)) or len(system) != 2:
            raise TypeError(f"the system is {_described(system)}: pass the tuple (box, points)")
        box, points = system
        edges = _edges(box)
        points = as_positions(points)
        alike = query_points is None
        if reset:
            self._reset()
        if alike:
            self._counter(alike).add(points, edges)
            self._numbers = (len(points), len(points))
        else:
            query = as_positions(query_points)
            labels = np.repeat(["points", "query"], [len(points), len(query)])
            self._counter(alike).add(np.concatenate([points, query]), edges, species=labels)
            self._numbers = (len(points), len(query))
        self._volume = abs(float(np.linalg.det(edges)))
        self._frames += 1
        return self

    @property
    def bin_counts(self) -> npt.NDArray[np.uint64]:
        """Number of ordered pairs in each bin, summed over the frames; shape (bins,)."""
        if self._frames == 0:
            raise AttributeError("there is no frame yet: call compute() first")
        counts = np.zeros(self._below + self.nbins, dtype=np.uint64)
        for alike, counter in self._counters.items():
            counts += counter.result().counts[0] * np.uint64(2 if alike else 1)
        return counts[self._below :]

    @property
    def bin_edges(self) -> npt.NDArray[np.float64]:
        """Bin edges, in the unit of the points; shape (bins + 1,)."""
        return np.linspace(*self.bounds, self.nbins + 1)

    @property
    def bin_centers(self) -> npt.NDArray[np.float64]:
        """Bin centres, in the unit of the points; shape (bins,)."""
        edges = self.bin_edges
        return 0.5 * (edges[:-1] + edges[1:])

    @property
    def rdf(self) -> npt.NDArray[np.float64]:
        """g(r), dimensionless; shape (bins,)."""
        counts = self.bin_counts
        points, queries = self._numbers
        density = (queries - 1 if self.mode == "finite_size" else queries) / self._volume
        shells = 4 / 3 * np.pi * np.diff(self.bin_edges**3)
        g: npt.NDArray[np.float64] = counts / (self._frames * points * density * shells)
        return g

    @property
    def n_r(self) -> npt.NDArray[np.float64]:
        """Mean number of points around a query point, from r_min up to the upper edge of each bin; shape (bins,)."""
        within: npt.NDArray[np.float64] = np.cumsum(self.bin_counts) / (self._frames * self._numbers[1])
        return within

    def __repr__(self) -> str:
        return f"starhist.freud.RDF(bins={self.nbins}, r_max={self.bounds[1]}, r_min={self.bounds[0]})"


def _described(system: Any) -> str:
    if isinstance(system, (tuple, list)):
        return f"a {type(system).__name__} of {len(system)}"
    return "None" if system is None else f"of type {type(system).__name__}"


def _edges(box: Any) -> npt.NDArray[np.float64]:
    """Returns the edges of a box as rows of a 3 x 3 matrix; raises ValueError for other shapes or open axes."""
    if hasattr(box, "to_matrix"):  # freud.box.Box
        columns = np.asarray(box.to_matrix(), dtype=np.float64)
        periodic = np.asarray(getattr(box, "periodic", True))
    else:
        numbers = np.asarray(as_array(box, "the numbers of the box"), dtype=np.float64)
        periodic = np.asarray(True)
        if numbers.shape == (3, 3):
            columns = numbers
        elif numbers.shape in ((3,), (6,)):
            x, y, z, xy, xz, yz = [*numbers, 0, 0, 0][:6]
            columns = np.array([[x, xy * y, xz * z], [0, y, yz * z], [0, 0, z]])
        else:
            raise ValueError(
                f"the box has the shape {numbers.shape}: pass 3 lengths, 3 lengths and 3 tilt factors, or "
                "the 3 x 3 matrix whose columns are the edges"
            )
    if not periodic.all() or columns[2, 2] == 0:
        raise ValueError("the box is not periodic along all three axes, as RDF requires: use starhist.Counter")
    return np.ascontiguousarray(columns.T)
