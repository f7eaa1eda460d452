"""RDF: a drop-in replacement for freud.density.RDF.

freud does not have to be installed::

    rdf = starhist.freud.RDF(bins=100, r_max=5)
    for box, points in frames:
        rdf.compute((box, points), reset=False)
    rdf.bin_centers, rdf.rdf
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._arrays import as_positions
from ._bin_grid import BinGrid
from ._freud_system import System
from ._settings import integer, number
from .counter import Counter

if TYPE_CHECKING:
    import matplotlib.axes

EDGE_SHIFT = 2.0**-30
"""Distance by which counted bin edges lie below their nominal positions, in bin widths."""


class RDF:
    """Radial distribution function, as freud.density.RDF.

    Parameters
    ----------
    bins : int
        Number of bins of equal width on [r_min, r_max), 1 or more.
    r_max : float
        Upper limit of the counted distances (exclusive), in the unit of the points.
    r_min : float
        Lower edge of the first bin, in the unit of the points: 0, or a multiple of the bin width or of
        a fraction of it down to 1/100.
    normalization_mode : {"exact", "finite_size"}
        "finite_size" multiplies g by N / (N - 1), where N is the number of query points. As in
        freud, it is meant for pairs within one set of points.

    Raises
    ------
    TypeError
        If bins is not an integer, or a distance is not a number.
    ValueError
        If bins is below 1, r_min is another fraction of the bin width, or not 0 <= r_min < r_max.

    Notes
    -----
    As in freud, g(r) is normalized by the volume and the numbers of points of the last frame. In a box
    of two dimensions the volume is its area, and shells are annuli.

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
        self._grid = BinGrid.of(self.nbins, begin, end, "r_min")
        self.r_max, self.bounds = end, (begin, end)
        self._reset()

    def _reset(self) -> None:
        self._frames = 0
        self._counters: dict[tuple[bool, tuple[bool, bool, bool]], Counter] = {}
        self._listed = np.zeros(self.nbins, dtype=np.uint64)  # pairs of neighbour lists

    def _counter(self, alike: bool, periodic: tuple[bool, bool, bool]) -> Counter:
        """Counter of pairs within one set of points (`alike`), or between points and query points."""
        if (alike, periodic) not in self._counters:
            species = {} if alike else {"species": ["points"], "names": ["points", "query"], "pairs": "points-query"}
            self._counters[alike, periodic] = Counter(
                r_max=self._grid.end, bins=self._grid.counted, periodic=periodic, **species  # type: ignore[arg-type]
            )  # fmt: skip
        return self._counters[alike, periodic]

    def compute(self, system: Any, query_points: Any = None, neighbors: Any = None, reset: bool = True) -> RDF:
        """Count the pairs of a frame.

        Parameters
        ----------
        system : tuple (box, points), or an object with attributes box and points
            Box: a freud.box.Box, 2 or 3 lengths, 3 lengths and 3 tilt factors xy, xz, yz, a mapping of
            these names, or a 3 x 3 matrix whose columns are the edges. A box without Lz has two
            dimensions, and its points z = 0. Points have the shape (N, 3).
        query_points : array_like of float, shape (M, 3), optional
            None: pairs within `points`, each counted in both directions.
        neighbors : freud.locality.NeighborList or dict, optional
            Pairs to count, as a list or as freud's query arguments, such as {"num_neighbors": 12};
            both need freud. None: all pairs within r_max.
        reset : bool
            Whether to discard earlier frames.

        Returns
        -------
        RDF
            This object.

        Raises
        ------
        ImportError
            If query arguments are passed, and freud is not installed.
        TypeError
            If the system or `neighbors` has another type.
        ValueError
            If a shape is wrong, a position is not finite, a point of a box of two dimensions has
            z != 0, or a neighbour list names points that do not exist.
        RuntimeError
            Without `neighbors`, if r_max exceeds half the smallest height of the box, as in freud.
        """
        frame = System.of(system)
        points = frame.points
        alike = query_points is None
        query = points if alike else frame.checked(as_positions(query_points))
        if neighbors is None:
            frame.check_range(self.r_max)
        if reset:
            self._reset()
        if neighbors is not None:
            vectors = frame.listed_vectors(query, alike, neighbors)
            distances = np.sqrt((vectors**2).sum(axis=1))
            width = self._grid.end / self._grid.counted
            bins = np.floor(distances[distances < self._grid.end] / width + EDGE_SHIFT).astype(np.int64)
            counts = np.bincount(bins, minlength=self._grid.counted)[: self._grid.counted]
            self._listed += self._grid.merged(counts.astype(np.uint64))
        elif alike:
            self._counter(alike, frame.periodic).add(points, frame.edges)
        else:
            labels = np.repeat(["points", "query"], [len(points), len(query)])
            self._counter(alike, frame.periodic).add(np.concatenate([points, query]), frame.edges, species=labels)
        self._numbers = (len(points), len(query))
        self._system = frame
        self._frames += 1
        return self

    @property
    def box(self) -> Any:
        """Box of the last frame, as it was passed."""
        return self._computed().box

    @property
    def default_query_args(self) -> dict[str, Any]:
        """Query arguments of freud that select the pairs counted without `neighbors`."""
        return {"mode": "ball", "r_max": self.r_max}

    def _computed(self) -> System:
        if self._frames == 0:
            raise AttributeError("there is no frame yet: call compute() first")
        return self._system

    @property
    def bin_counts(self) -> npt.NDArray[np.uint64]:
        """Number of ordered pairs in each bin, summed over the frames; shape (bins,)."""
        self._computed()
        counts = self._listed.copy()
        for (alike, _), counter in self._counters.items():
            counts += self._grid.merged(counter._snapshot().counts[0]) * np.uint64(2 if alike else 1)
        return counts

    @property
    def bin_edges(self) -> npt.NDArray[np.float64]:
        """Bin edges, in the unit of the points; shape (bins + 1,)."""
        return self._grid.edges

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
        density = (queries - 1 if self.mode == "finite_size" else queries) / self._system.volume
        shells = np.pi * np.diff(self.bin_edges**2) if self._system.flat else 4 / 3 * np.pi * np.diff(self.bin_edges**3)
        g: npt.NDArray[np.float64] = counts / (self._frames * points * density * shells)
        return g

    @property
    def n_r(self) -> npt.NDArray[np.float64]:
        """Mean number of points around a query point, from r_min up to the upper edge of each bin; shape (bins,)."""
        within: npt.NDArray[np.float64] = np.cumsum(self.bin_counts) / (self._frames * self._numbers[1])
        return within

    def plot(self, ax: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """Draw g(r), as freud does.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Axes to draw into. None: axes of a new figure.

        Returns
        -------
        matplotlib.axes.Axes
        """
        import matplotlib.pyplot as plt

        ax = plt.figure().subplots() if ax is None else ax
        ax.plot(self.bin_centers, self.rdf)
        ax.set_title("RDF")
        ax.set_xlabel("$r$")
        ax.set_ylabel("$g(r)$")
        return ax

    def __repr__(self) -> str:
        return f"starhist.freud.RDF(bins={self.nbins}, r_max={self.bounds[1]}, r_min={self.bounds[0]})"
