"""InterRDF and InterRDF_s: drop-in replacements for MDAnalysis' classes.

Change one import::

    from starhist.mdanalysis import InterRDF   # was: from MDAnalysis.analysis.rdf import InterRDF
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
from MDAnalysis.analysis.base import AnalysisBase

from . import _core
from ._arrays import Box, as_box
from ._bin_grid import BinGrid
from ._settings import integer, number
from .counter import Counter

_SAME = {"residue": "resindices", "segment": "segindices", "chain": "chainIDs"}
_SET_BOX = "set a box with universe.dimensions or MDAnalysis.transformations.set_dimensions"
_NO_FRAME = "no frame to count: pass a start, stop and step, or frames, that select at least one"
_TWO_BLOCKS = "pass two integers, the block sizes of g1 and g2 in atoms, as in (3, 3)"


def _deprecated(name: str) -> property:
    """A deprecated property for results.NAME, with MDAnalysis' warning, which filters may match."""

    def of_results(analysis: Any) -> Any:
        warnings.warn(
            f"The `{name}` attribute was deprecated in MDAnalysis 2.0.0 and will be removed in MDAnalysis 3.0.0. "
            f"Please use `results.{name}` instead",
            DeprecationWarning, stacklevel=2,
        )  # fmt: skip
        return analysis.results[name]

    return property(of_results, doc=f"Deprecated: use results.{name}.")


class _PairAnalysis(AnalysisBase):  # type: ignore[misc]
    """Base of both classes: bins, norms and arguments of run()."""

    bins = _deprecated("bins")
    edges = _deprecated("edges")
    count = _deprecated("count")
    rdf = _deprecated("rdf")

    @classmethod
    def get_supported_backends(cls) -> tuple[str, ...]:
        """Backends of run()."""
        return ("serial",)

    def run(self, *args: Any, backend: Any = None, n_workers: Any = None, n_parts: Any = None, **kwargs: Any) -> Any:
        """Count the frames, as AnalysisBase.run(); backend, n_workers and n_parts are ignored."""
        kwargs.pop("unsupported_backend", None)
        return super().run(*args, **kwargs)

    def _set_bins(self, nbins: Any, limits: Any) -> None:
        self._nbins = integer(nbins, "nbins", 1)
        self._grid = BinGrid.of(self._nbins, *_limits(limits), "the lower limit of the range")
        self.rdf_settings = {"bins": nbins, "range": limits}

    def _frames_or_shells(self) -> Any:
        """Number of frames, multiplied by the volumes of the bins if the norm needs them."""
        if self.norm == "none":
            return self.n_frames
        return self.n_frames * 4 / 3 * np.pi * np.diff(np.power(self.results.edges, 3))


class InterRDF(_PairAnalysis):
    """Radial distribution function of two groups of atoms, as MDAnalysis' InterRDF.

    Parameters
    ----------
    g1, g2 : MDAnalysis.AtomGroup
        Groups that contain no atom twice. They may share atoms, and may be updating groups. If they
        belong to two Universes, run() iterates over the trajectory and boxes of g1, and g2 stays at
        the current frame of its Universe.
    nbins : int
        Number of bins, 1 or more.
    range : tuple of 2 floats
        Lower and upper limit of the bins [Angstrom]; the upper limit is exclusive. The lower limit is
        0 or a multiple of the bin width, or of a fraction of it down to 1/100.
    norm : {"rdf", "density", "none"}
        "rdf": g(r); each frame needs a box. "density": number density of pairs
        [1/Angstrom^3], as in MDAnalysis. "none": mean count per frame.
    exclusion_block : tuple of 2 ints, optional
        (n, m): excludes pairs between the k-th block of n atoms of g1 and the k-th block of m atoms
        of g2.
    exclude_same : {"residue", "segment", "chain"}, optional
        Excludes pairs within the same residue, segment or chain.
    backend : str
        Accepted for compatibility and ignored; starhist counts on all cores.
    **kwargs
        Arguments of AnalysisBase, such as verbose.

    Attributes
    ----------
    results.bins : numpy.ndarray of float64, shape (nbins,)
        Bin centres [Angstrom].
    results.edges : numpy.ndarray of float64, shape (nbins + 1,)
        Bin edges [Angstrom].
    results.count : numpy.ndarray of float64, shape (nbins,)
        Number of ordered pairs (atom of g1, atom of g2), summed over the frames. As in MDAnalysis,
        g1 = g2 counts each pair twice and each atom with itself at r = 0.
    results.rdf : numpy.ndarray of float64, shape (nbins,)
        g(r), density or mean counts, depending on norm.
    bins, edges, count, rdf : numpy.ndarray
        Deprecated aliases of the results, which raise a DeprecationWarning.

    Raises
    ------
    TypeError
        If nbins or a block size is not an integer, or the range is not two numbers.
    ValueError
        If a setting has an invalid value. By run(): if it selects no frame, a group contains an atom
        twice, norm is "rdf" and a frame has no box, or a box has a length of 0.

    Notes
    -----
    Distances are computed in double precision from the positions. A distance within rounding error
    of a bin edge may fall into the neighbouring bin of MDAnalysis' histogram; a distance equal to the
    upper limit of the range is not counted. run() accepts every backend and number of workers of
    MDAnalysis and ignores them: StarPU's threads count on all cores.

    Examples
    --------
    >>> import MDAnalysis, numpy as np
    >>> from starhist.mdanalysis import InterRDF
    >>> universe = MDAnalysis.Universe.empty(3, trajectory=True)
    >>> universe.atoms.positions = [[0, 0, 0], [1, 0, 0], [9.5, 0, 0]]
    >>> universe.dimensions = [10, 10, 10, 90, 90, 90]
    >>> rdf = InterRDF(universe.atoms[:1], universe.atoms[1:], nbins=4, range=(0, 2)).run()
    >>> rdf.results.count
    array([0., 1., 1., 0.])
    """

    def __init__(
        self,
        g1: Any,
        g2: Any,
        nbins: int = 75,
        range: tuple[float, float] = (0.0, 15.0),  # MDAnalysis' name
        norm: str = "rdf",
        exclusion_block: tuple[int, int] | None = None,
        exclude_same: str | None = None,
        backend: str = "serial",
        **kwargs: Any,
    ) -> None:
        super().__init__(g1.universe.trajectory, **kwargs)
        self.g1, self.g2 = g1, g2
        self.norm = _norm(norm)
        if exclude_same is not None and exclude_same not in _SAME:
            raise ValueError("The exclude_same argument to InterRDF must be None, 'residue', 'segment' or 'chain'.")
        if exclude_same is not None and exclusion_block is not None:
            raise ValueError("The exclude_same argument to InterRDF cannot be used with exclusion_block.")
        self._exclusion_block = _block(exclusion_block)
        self._exclude_same = exclude_same
        self._set_bins(nbins, range)
        self.backend = backend

    def _prepare(self) -> None:
        self._counter: Counter | None = None
        self._members: tuple[npt.NDArray[Any], npt.NDArray[Any]] | None = None
        self._excluded = np.zeros(self._grid.counted)
        self._self_pairs = 0.0
        self.results.edges = self._grid.edges
        self.results.bins = 0.5 * (self.results.edges[:-1] + self.results.edges[1:])
        self.results.count = np.zeros(self._nbins)
        if self.norm == "rdf":
            self.results.volume_cum = 0.0

    def _single_frame(self) -> None:
        box = self._checked_box()
        labels = self._new_labels()
        if self._counter is None:
            self._counter = Counter(
                labels, names=["g1", "g2", "both"], r_max=self._grid.end, bins=self._grid.counted,
                pairs="both-both,both-g1,both-g2,g1-g2",
            )  # fmt: skip
        self._counter.add(self._positions(), box, species=labels)
        self._self_pairs += self._shared
        self._count_excluded(as_box(box))
        if self.norm == "rdf":
            self.results.volume_cum += self._ts.volume

    def _checked_box(self) -> Any:
        """Returns MDAnalysis' box of the frame (3 lengths [Angstrom], 3 angles [degrees]); None: no box."""
        box = self._ts.dimensions
        if box is None and self.norm == "rdf":
            raise ValueError(
                f"frame {self._ts.frame} has no box (g(r) needs its volume): pass norm='density' or "
                f"norm='none', or {_SET_BOX}"
            )
        if box is not None and not np.all(box[:3] > 0):
            raise ValueError(
                f"the box of frame {self._ts.frame} has the lengths {box[:3].tolist()} (InterRDF counts periodic "
                f"images along all three edges): {_SET_BOX}, with open edges long enough to keep images out of "
                "the range; or use starhist.Counter and its periodic="
            )
        return box

    def _positions(self) -> npt.NDArray[Any]:
        """Positions of the atoms of both groups, each atom once, in the order of their labels."""
        if self._one_universe():
            positions: npt.NDArray[Any] = self.g1.universe.atoms.positions[self._together]
            return positions
        return np.concatenate([self.g1.positions, self.g2.positions])

    def _one_universe(self) -> bool:
        return self.g1.universe is self.g2.universe

    def _new_labels(self) -> npt.NDArray[np.str_] | None:
        """Species of each atom: "g1" (only in g1), "g2" (only in g2) or "both". None: unchanged."""
        members = (self.g1.ix, self.g2.ix)
        if self._members is not None and all(map(np.array_equal, members, self._members)):
            return None
        for name, ix in zip(("g1", "g2"), members):
            if len(np.unique(ix)) != len(ix):
                raise ValueError(f"{name} contains an atom twice: pass {name}.unique")
        self._members = members
        if not self._one_universe():
            self._shared = 0.0
            return np.repeat(["g1", "g2"], [len(ix) for ix in members])
        in_1, in_2 = (np.isin(np.arange(len(self.g1.universe.atoms)), ix) for ix in members)
        kinds: npt.NDArray[np.str_] = np.select([in_1 & in_2, in_1, in_2], ["both", "g1", "g2"], "")
        self._together = np.flatnonzero(kinds != "")
        self._shared = float(np.count_nonzero(in_1 & in_2))
        return kinds[self._together]

    def _count_excluded(self, box: Box) -> None:
        if self._exclusion_block is not None:
            groups = [np.arange(len(g)) // n for g, n in zip((self.g1, self.g2), self._exclusion_block)]
        elif self._exclude_same is not None:
            attributes = [getattr(g, _SAME[self._exclude_same]) for g in (self.g1, self.g2)]
            _, numbers = np.unique(np.concatenate(attributes), return_inverse=True)
            groups = np.split(numbers.reshape(-1), [len(self.g1)])
        else:
            return
        sides: list[npt.NDArray[Any]] = []
        for group, numbers in zip((self.g1, self.g2), groups):
            sides += [group.positions.astype(np.float64), np.ascontiguousarray(numbers, dtype=np.int64)]
        self._excluded += _core.same_group(self._grid.end, self._grid.counted, box.kind, box.numbers, *sides)

    def _conclude(self) -> None:
        if self._counter is None:
            raise ValueError(_NO_FRAME)
        result = self._counter._snapshot()
        self._counter.close()
        twice = np.where(np.array(result.pairs) == "both-both", 2, 1).astype(np.uint64)
        count = (result.counts * twice[:, None]).sum(axis=0).astype(np.float64)
        count[0] += self._self_pairs
        self.results.count = self._grid.merged(count - self._excluded)

        norm = self._frames_or_shells()
        if self.norm == "rdf":
            pairs: float = len(self.g1) * len(self.g2)
            if self._exclusion_block:
                n, m = self._exclusion_block
                pairs -= n * m * len(self.g1) / n
            self.volume_cum = self.results.volume_cum
            norm = norm * pairs / (self.volume_cum / self.n_frames)
        self.results.rdf = self.results.count / norm


class InterRDF_s(_PairAnalysis):
    """Site-specific radial distribution functions, as MDAnalysis' InterRDF_s.

    Parameters
    ----------
    u : MDAnalysis.Universe, optional
        Ignored, as in MDAnalysis.
    ags : list of pairs of MDAnalysis.AtomGroup
        Pairs of groups of one Universe.
    nbins, range, backend, **kwargs
        See InterRDF.
    norm : str
        See InterRDF; with "rdf", counts are divided by the density 1/V of one atom.
    density : bool
        True: norm="density", as in MDAnalysis, where it is deprecated.

    Attributes
    ----------
    results.bins, results.edges : numpy.ndarray of float64
        Bin centres and edges [Angstrom], shapes (nbins,) and (nbins + 1,).
    results.count, results.rdf : list of numpy.ndarray of float64, shape (len(g1), len(g2), nbins)
        Counts, and distributions, of each pair of atoms of each pair of groups. An atom in both groups
        counts itself at r = 0.
    results.indices : list of 2 arrays of int
        Indices of the atoms of each pair of groups.
    results.cdf : list of numpy.ndarray of float64, shape (len(g1), len(g2), nbins)
        Mean cumulative counts per frame, after get_cdf().
    bins, edges, count, rdf, cdf : numpy.ndarray or list
        Deprecated aliases of the results, which raise a DeprecationWarning.

    Raises
    ------
    ValueError
        If a setting has an invalid value, or the groups belong to different Universes; see InterRDF.
    """

    cdf = _deprecated("cdf")

    def __init__(
        self,
        u: Any,
        ags: Any,
        nbins: int = 75,
        range: tuple[float, float] = (0.0, 15.0),  # MDAnalysis' name
        norm: str = "rdf",
        density: bool = False,
        backend: str = "serial",
        **kwargs: Any,
    ) -> None:
        universe = ags[0][0].universe
        super().__init__(universe.trajectory, **kwargs)
        self.ags = ags
        self.norm = "density" if density else _norm(norm)
        if any(group.universe is not universe for pair in ags for group in pair):
            raise ValueError("the groups belong to several Universes: pass groups of one")
        self._set_bins(nbins, range)
        self.backend = backend
        # Each atom is a species; only the pairs between the groups of a pair are counted.
        self._ix = np.unique(np.concatenate([group.ix for pair in ags for group in pair]))
        self._names = [f"a{k}" for k in self._ix]
        self._atoms = universe.atoms[self._ix]

    def _prepare(self) -> None:
        wanted = {(f"a{min(i, j)}", f"a{max(i, j)}") for g1, g2 in self.ags for i in g1.ix for j in g2.ix if i != j}
        self._counter = (
            Counter(
                self._names, r_max=self._grid.end, bins=self._grid.counted, pairs=sorted(wanted)
            )
            if wanted
            else None
        )  # fmt: skip
        self.results.edges = self._grid.edges
        self.results.bins = 0.5 * (self.results.edges[:-1] + self.results.edges[1:])
        self.results.indices = [[g1.indices, g2.indices] for g1, g2 in self.ags]
        self.results.volume_cum = 0.0

    def _single_frame(self) -> None:
        box = self._ts.dimensions
        if self.norm == "rdf":
            if box is None:
                raise ValueError(f"frame {self._ts.frame} has no box (g(r) needs its volume): {_SET_BOX}")
            self.results.volume_cum += self._ts.volume
        if self._counter is not None:
            self._counter.add(self._atoms.positions, box)

    def _conclude(self) -> None:
        if self.n_frames == 0:
            raise ValueError(_NO_FRAME)
        counts: dict[frozenset[str], Any] = {}
        if self._counter is not None:
            result = self._counter._snapshot()
            self._counter.close()
            for pair, row in zip(result.pairs, result.counts):
                counts[frozenset(pair.split("-"))] = self._grid.merged(row).astype(np.float64)
        itself = np.zeros(self._nbins)
        itself[0] = self.n_frames if self._grid.below == 0 else 0
        self.results.count = [
            np.array([[itself if i == j else counts[frozenset((f"a{i}", f"a{j}"))] for j in g2.ix] for i in g1.ix])
            for g1, g2 in self.ags
        ]
        norm = self._frames_or_shells()
        if self.norm == "rdf":
            norm = norm / (self.results.volume_cum / self.n_frames)
        self.results.rdf = [count / norm for count in self.results.count]

    def get_cdf(self) -> Any:
        """Return the mean cumulative counts per frame, and store them in results.cdf.

        Returns
        -------
        list of numpy.ndarray of float64, shape (len(g1), len(g2), nbins)
        """
        self.results.cdf = [np.cumsum(count, axis=2) / self.n_frames for count in self.results.count]
        return self.results.cdf


def _norm(norm: Any) -> str:
    """The norm in lower case. Raises ValueError for an unknown one."""
    lower = str(norm).lower()
    if lower not in ("rdf", "density", "none"):
        raise ValueError(f"'{lower}' is an invalid norm. Use 'rdf', 'density' or 'none'.")
    return lower


def _block(exclusion_block: Any) -> tuple[int, int] | None:
    if exclusion_block is None:
        return None
    if not isinstance(exclusion_block, Iterable) or isinstance(exclusion_block, str):
        raise TypeError(f"exclusion_block is {exclusion_block!r}: {_TWO_BLOCKS}")
    sizes = tuple(exclusion_block)
    if len(sizes) != 2:
        raise ValueError(f"exclusion_block is {exclusion_block!r}: {_TWO_BLOCKS}")
    n, m = (integer(size, "a block size of exclusion_block", 1) for size in sizes)
    return n, m


def _limits(limits: Any) -> tuple[float, float]:
    """Lower and upper limit of the range."""
    remedy = "pass the lower limit of the bins, 0 or more, and the upper limit"
    if not isinstance(limits, Iterable) or isinstance(limits, str):
        raise TypeError(f"the range is {limits!r}: {remedy}")
    ends = [number(limit, "an end of the range", "in Angstrom") for limit in limits]
    if len(ends) != 2 or not 0 <= ends[0] < ends[1] < np.inf:
        raise ValueError(f"the range is {limits!r}: {remedy}")
    return ends[0], ends[1]
