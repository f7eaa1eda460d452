"""Result: counts, and the functions computed from them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from . import _core, save
from ._analysis import (
    AnyPath,
    Comparison,
    Peak,
    ResultOrPath,
    Table,
    analyzed,
    compare,
    peaks,
    table_rows,
    tabulated,
)
from ._rebin import Rebinned, edges_of, merged_g
from ._settings import program_options
from ._species import Pairs, pair_list
from ._warnings import warn
from .second_axis import SecondAxis, read_second_axis

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas
    import xarray

Floats = npt.NDArray[np.float64]
PairName = Union[str, tuple[Any, Any]]

NORMALIZATIONS = ("pairs-over-volume", "mean-volume", "per-frame")
PDF_FORMS = ("g", "G", "GPDF", "D", "T", "RDF")


@dataclass(repr=False)
class PairCurves:
    """Curves of one pair of species: one row of the arrays of a Result.

    Attributes
    ----------
    pair : str
    r : numpy.ndarray of float64, shape (bins,)
        Bin centres, in length_unit.
    counts : numpy.ndarray of uint64, shape (bins,)
        Number of pairs in each bin, summed over the frames.
    g, g_error, n, n_error, n_reverse, n_reverse_error : numpy.ndarray of float64, shape (bins,)
        Radial distribution function and coordination numbers with standard errors; see Result.
    length_unit : str
        Unit of lengths; "": unknown.
    """

    pair: str
    r: Floats
    counts: npt.NDArray[np.uint64]
    g: Floats
    g_error: Floats
    n: Floats
    n_error: Floats
    n_reverse: Floats
    n_reverse_error: Floats
    length_unit: str

    def __repr__(self) -> str:
        unit = f" {self.length_unit}" if self.length_unit else ""
        return (
            f"<starhist.PairCurves: {self.pair}, {len(self.r)} bins around r = {self.r[0]:g} to {self.r[-1]:g}{unit}>"
        )


class Result:
    """Counts of pair distances, g(r), coordination numbers and their standard errors.

    Attributes
    ----------
    pairs : list of str
        Names of the pairs of species, such as "O-H".
    edges : numpy.ndarray of float64, shape (bins + 1,)
        Bin edges, in length_unit.
    r : numpy.ndarray of float64, shape (bins,)
        Bin centres, in length_unit.
    counts : numpy.ndarray of uint64, shape (pairs, bins)
        Number of pairs in each bin, summed over the frames; a pair of particles counts once.
    out_of_range : numpy.ndarray of uint64, shape (pairs,)
        Number of pairs at r_max and beyond.
    g, g_errors : numpy.ndarray of float64, shape (pairs, bins)
        Radial distribution function, dimensionless; NaN where undefined, for example without a
        volume, with a warning. Standard errors come from a delete-one-block jackknife (Busing, Meijer and van der
        Leeden, Stat. Comput. 9, 3 (1999)) and are NaN with fewer than two blocks.
    n, n_errors : numpy.ndarray of float64, shape (pairs, bins)
        Running coordination number of the pair A-B: mean number of B around A, up to the upper edge
        of the bin; NaN beyond half the shortest lattice vector of the boxes, where spheres contain
        several images of a particle.
    n_reverse, n_reverse_errors : numpy.ndarray of float64, shape (pairs, bins)
        Mean number of A around B.
    frames : int
        Number of frames.
    normalization : str
        Normalization of g; see :meth:`Counter.result`.
    length_unit : str
        Unit of lengths; "": unknown.
    plane : str
        Plane in which distances were measured, such as "xy"; "": in space.
    geometry : str
        "slab", "cylinder", or "volume" if a volume was given; "": the volume of the box.

    Examples
    --------
    >>> import numpy as np, starhist
    >>> positions = np.random.default_rng(0).random((20, 100, 3))
    >>> result = starhist.rdf(positions, box=[1.0, 1.0, 1.0], r_max=0.5, bins=50)
    >>> result
    <starhist.Result: 20 frames, all-all, 50 bins up to 0.5>
    >>> result.counts.shape, result.counts.dtype
    ((1, 50), dtype('uint64'))
    >>> int(result.counts.sum() + result.out_of_range.sum()) == 20 * 100 * 99 // 2
    True
    """

    pairs: list[str]
    edges: Floats
    counts: npt.NDArray[np.uint64]
    out_of_range: npt.NDArray[np.uint64]
    g: Floats
    g_errors: Floats
    n: Floats
    n_errors: Floats
    n_reverse: Floats
    n_reverse_errors: Floats
    frames: int
    normalization: str
    length_unit: str
    plane: str
    geometry: str
    _file: save.Contents
    _elements: Mapping[str, str] = {}
    """Elements of species that the source defines, for counts of positions."""

    @classmethod
    def _of(cls, histogram: _core.Histogram, normalization: str, units: tuple[str, str]) -> Result:
        """Makes the result of a histogram whose frames are counted. `units`: of lengths and times."""
        result = cls()
        result.plane = result.geometry = ""
        blocks = save.Blocks.of(histogram, units)
        result.pairs = histogram.pair_names()
        result.edges = histogram.edges()
        result.counts = blocks.counts.sum(axis=0, dtype=np.uint64)
        result.out_of_range = blocks.out_of_range.sum(axis=0, dtype=np.uint64)
        if blocks.have_volume():
            result.g, result.g_errors = histogram.g(NORMALIZATIONS.index(normalization))
        else:
            result.g = np.full(result.counts.shape, np.nan)
            result.g_errors = result.g.copy()
        (result.n, result.n_errors, result.n_reverse, result.n_reverse_errors) = histogram.coordination()
        result.frames = blocks.frames()
        result.normalization = normalization
        result.length_unit = units[0]
        result._file = blocks
        return result

    @property
    def r(self) -> Floats:
        return 0.5 * (self.edges[:-1] + self.edges[1:])

    def __repr__(self) -> str:
        frames = "1 frame" if self.frames == 1 else f"{self.frames} frames"
        pairs = ", ".join(self.pairs) if len(self.pairs) < 7 else f"{len(self.pairs)} pairs"
        return (
            f"<starhist.Result: {frames}, {pairs}, {len(self.edges) - 1} bins up to "
            f"{self.edges[-1]:g}{' ' + self.length_unit if self.length_unit else ''}>"
        )

    def index(self, pair: PairName) -> int:
        """Return the row of a pair in counts, g and n.

        Parameters
        ----------
        pair : str or 2-tuple
            "O-H", "H-O" or ("O", "H"); the order of the species does not matter.

        Returns
        -------
        int

        Raises
        ------
        KeyError
            If the pair was not counted.
        TypeError
            If `pair` is neither a name nor two species, such as a number.
        """
        if not isinstance(pair, str) and not (isinstance(pair, (tuple, list)) and len(pair) == 2):
            raise TypeError(
                f"{pair!r} is not the name of a pair: pass one of {', '.join(self.pairs)}, or a tuple of two species "
                "(rows of the arrays have numbers: result.g[0])"
            )
        names = [pair] if isinstance(pair, str) else [f"{pair[0]}-{pair[1]}", f"{pair[1]}-{pair[0]}"]
        if isinstance(pair, str):
            # Names of species may contain hyphens.
            names += ["-".join([pair[k + 1 :], pair[:k]]) for k, c in enumerate(pair) if c == "-"]
        for name in names:
            if name in self.pairs:
                return self.pairs.index(name)
        raise KeyError(f"{names[0]} is not among the pairs {', '.join(self.pairs)}")

    def __getitem__(self, pair: PairName) -> PairCurves:
        """Return the curves of a pair, such as result["Na-O"].

        Parameters
        ----------
        pair : str or 2-tuple
            See :meth:`index`. The order of the species matters for coordination numbers: n of
            result["A-B"] counts B around A, and n of result["B-A"] counts A around B.

        Returns
        -------
        PairCurves
            Curves under the name of `pair`; counts and g do not depend on the order.

        Raises
        ------
        KeyError
            If the pair was not counted.
        """
        k = self.index(pair)
        asked = pair if isinstance(pair, str) else f"{pair[0]}-{pair[1]}"
        forward, reverse = (self.n[k], self.n_errors[k]), (self.n_reverse[k], self.n_reverse_errors[k])
        if asked != self.pairs[k]:
            forward, reverse = reverse, forward
        return PairCurves(
            asked, self.r, self.counts[k], self.g[k], self.g_errors[k], *forward, *reverse, self.length_unit
        )

    def peaks(self, pairs: Pairs = None, *, prominence: float = 0.01) -> list[Peak]:
        """Find maxima and minima of g(r), as `starhist peaks`: of pairs over volume, whatever `normalization`.

        Parameters
        ----------
        pairs : str or sequence of str or of 2-tuples, optional
            Pairs, such as "O-O,O-H". None: all.
        prominence : float
            Smallest height difference of neighbouring extrema, as a fraction of the curve's range, 0
            to 1.

        Returns
        -------
        list of Peak
            Extrema of each pair by increasing r; p(r) without a box. Standard errors come from a
            bootstrap over the blocks (Efron, Ann. Stat. 7, 1 (1979)) and are None with fewer than
            two.

        Raises
        ------
        ValueError
            If a pair was not counted.
        """
        return peaks(self, pair_list(pairs), prominence)

    def structure_factor(
        self,
        *,
        quantity: str = "sq",
        elements: Mapping[str, str] | None = None,
        charges: Mapping[str, float] | None = None,
        experiment: AnyPath | None = None,
        options: Sequence[str] = (),
    ) -> Table:
        """Compute structure factors, as `starhist analyze`.

        Parameters
        ----------
        quantity : {"sq", "xray", "neutron", "charge"}
            "sq": partial and total S(q), dimensionless; "xray", "neutron": scattered intensity I(q)
            per particle and total S(q); these need the elements. "charge": S_ZZ(q), which needs
            `charges`.
        elements : mapping of str to str, optional
            Element of each species, such as {"OW": "O", "HW": "D"}; None: the recorded elements.
        charges : mapping of str to float, optional
            For "charge": charge of each species, such as {"NA": 1, "CL": -1}.
        experiment : path-like, optional
            Text file with a measured curve, in columns x, y and optionally error. The table then has
            its points, and the curves "experiment" and "residual" (measured minus computed); facts
            contains "r_w".
        options : sequence of str
            Further options of `starhist analyze`, such as ["--q-max", "100", "--window", "lorch"], or
            ["--fit-scale"] with a measured curve.

        Returns
        -------
        Table
            Curves over q [1/length_unit] with standard errors.

        Raises
        ------
        FileNotFoundError
            If the file of a measured curve does not exist.
        ValueError
            If the quantity is unknown or is not defined for this result, for example without a box.
        """
        if quantity not in ("sq", "xray", "neutron", "charge"):
            remedy = "use Result.pdf()" if quantity == "pdf" else "pass sq, xray, neutron or charge"
            raise ValueError(f"quantity is {quantity!r}: {remedy}")
        own = []
        if charges is not None:
            own = ["--charges", ",".join(f"{name}={float(charge)!r}" for name, charge in charges.items())]
        return analyzed(self, quantity, options, elements, experiment, own)

    def pdf(
        self,
        *,
        form: str = "g",
        weights: str = "number",
        elements: Mapping[str, str] | None = None,
        q_max: float | None = None,
        experiment: AnyPath | None = None,
        options: Sequence[str] = (),
    ) -> Table:
        """Compute a total pair distribution function, as `starhist analyze --quantity pdf`.

        Its g is normalised by pairs over volume, whatever `normalization`.

        Parameters
        ----------
        form : {"g", "G", "GPDF", "D", "T", "RDF"}
            Form in the notation of Keen (J. Appl. Cryst. 34, 172 (2001)); "GPDF" is called G(r) by
            PDFgui and diffpy.
        weights : {"number", "xray", "neutron"}
            Weights of the pairs; form factors and scattering lengths need the elements.
        q_max : float, optional
            End of the transform from q to r [1/length_unit], for comparison with a measurement. None:
            g(r) without termination.
        elements, experiment
            See :meth:`structure_factor`.
        options : sequence of str
            Further options of `starhist analyze`, such as ["--window", "lorch"].

        Returns
        -------
        Table
            Curve over r [length_unit] with standard errors.

        Raises
        ------
        FileNotFoundError
            If the file of a measured curve does not exist.
        ValueError
            If a setting is unknown, the result has no g(r), or an element is missing.
        """
        if form not in PDF_FORMS:
            raise ValueError(f"form is {form!r}: pass one of {', '.join(PDF_FORMS)}")
        ends = [] if q_max is None else ["--q-max", repr(float(q_max))]
        return analyzed(self, "pdf", options, elements, experiment, ["--form", form, "--weights", weights, *ends])

    def second_axis(self) -> SecondAxis:
        """Counts and g by distance and the second axis of `rdf(..., axis2=)`.

        Returns
        -------
        SecondAxis

        Raises
        ------
        ValueError
            If the result has no second axis.
        RuntimeError
            If the program fails.
        """
        return read_second_axis(self)

    def legendre(self) -> Table:
        """Compute mean Legendre polynomials P1, P2 and P4 of a cosine, as `starhist analyze --quantity legendre`.

        Returns
        -------
        Table
            A curve for each polynomial and pair, such as "P2 O-H", over r, with standard errors.

        Raises
        ------
        ValueError
            If the result has no second axis, or it is not a cosine.
        RuntimeError
            If the program fails.
        """
        return analyzed(self, "legendre", [])

    def kirkwood_buff(self, *, options: Sequence[str] = ()) -> Table:
        """Compute running Kirkwood-Buff integrals, as `starhist analyze --quantity kirkwood-buff`.

        Parameters
        ----------
        options : sequence of str
            Further options of `starhist analyze`, such as ["--correction", "ganguly"].

        Returns
        -------
        Table
            Integrals [length_unit^3] over the upper limit [length_unit], plain and with the weights of
            Krueger et al. (J. Phys. Chem. Lett. 4, 235 (2013)), with standard errors.

        Raises
        ------
        ValueError
            If the result has no g(r).
        """
        return analyzed(self, "kirkwood-buff", options)

    def kirkwood_buff_values(self, *, options: Sequence[str] = ()) -> list[dict[str, Any]]:
        """Estimate Kirkwood-Buff integrals by five methods, as `starhist analyze --quantity kirkwood-buff --table`.

        Parameters
        ----------
        options : sequence of str
            Further options of `starhist analyze`, such as ["--r-cut", "1.2"].

        Returns
        -------
        list of dict
            A row for each value, with the keys "quantity" ("density", "G", "excess number" and, for the
            three pairs of two species, activity derivatives and volumes), "of", "method", "value",
            "standard_error" (None with fewer than two blocks) and "unit". Differences between methods
            of more than three standard errors cause a warning.

        Raises
        ------
        ValueError
            If the result has no g(r).
        """
        words = ["analyze", "--quantity", "kirkwood-buff", "--table", *program_options(options, "analyze")]
        return table_rows(self, words)

    def pair_entropy(self, *, options: Sequence[str] = ()) -> Table:
        """Compute the pair entropy per particle [k_B], as `starhist analyze --quantity s2`.

        Parameters
        ----------
        options : sequence of str
            Further options of `starhist analyze`, such as ["--r-cut", "1.2"].

        Returns
        -------
        Table
            Running integral over the upper limit R [length_unit], with standard errors.

        Raises
        ------
        ValueError
            If the result has no g(r), or lacks a pair of species.
        """
        return analyzed(self, "s2", options)

    def pmf(self, temperature: float | None = None) -> Table:
        """Compute the potential of mean force, -ln g(r), as `starhist export --quantity pmf`.

        Parameters
        ----------
        temperature : float, optional
            Temperature [K], for values in kJ/mol; of a result in reduced units T*, for values in epsilon.
            None: in units of kT.

        Returns
        -------
        Table
            A curve for each pair over r [length_unit], with standard errors; NaN where g(r) is 0 or
            undefined.

        Raises
        ------
        ValueError
            If the result has no g(r), or the temperature is not above 0.
        """
        kelvins = [] if temperature is None else ["--temperature", repr(float(temperature))]
        words = ["export", "--quantity", "pmf", "--normalization", self.normalization, *kelvins]
        table = tabulated(self, words)
        warn(note for note in table.notes if note.startswith("temperature="))
        return table

    def compare(
        self, *others: ResultOrPath, pairs: Pairs = None, labels: Sequence[str] | None = None
    ) -> list[Comparison]:
        """Compare g(r) with other results, or with curves of other programs, as `starhist compare`.

        Parameters
        ----------
        *others : Result or path-like
            Results, result files, and xvg, csv, dat or json files of other programs.
        pairs : str or sequence of str or of 2-tuples, optional
            Pairs. None: all that are common.
        labels : sequence of str, optional
            Name of each of the others in the returned rows.

        Returns
        -------
        list of Comparison
            A row for each pair and each of the others. Among equal independent runs with 16 or more
            blocks, 4 to 6 % have p < 0.05.

        Raises
        ------
        FileNotFoundError
            If a path does not exist.
        ValueError
            If `others` is empty, the results have no common pair, or a file is not a curve.
        """
        if not others:
            raise ValueError("others is empty: pass results or paths to compare with")
        return compare(self, others, pair_list(pairs), labels)

    def rebin(self, to: Any) -> Result:
        """Return a result with wider bins.

        Parameters
        ----------
        to : int or array_like of float
            Number of neighbouring bins to merge (bins left over at the end are dropped), or
            increasing bin edges, in length_unit, each an edge of the counted bins.

        Returns
        -------
        Result
            counts are sums; g is the mean weighted by the shells' volumes, with standard errors
            (jackknife over the blocks); n and its errors are those at the remaining edges. The result
            cannot be saved.

        Raises
        ------
        ValueError
            If an edge is not one of the counted bins.
        """
        at = edges_of(self.edges, to)
        if isinstance(self._file, Rebinned):
            return self._file.counted.rebin(self.edges[at])
        result = Result()
        result.pairs, result.frames = self.pairs, self.frames
        result.normalization, result.length_unit = self.normalization, self.length_unit
        result.edges = self.edges[at]
        total = np.concatenate([np.zeros((len(self.pairs), 1), np.uint64), np.cumsum(self.counts, axis=1)], axis=1)
        result.counts = np.diff(total[:, at], axis=1)
        result.out_of_range = self.out_of_range + (total[:, -1] - total[:, at[-1]])
        result.plane, result.geometry = self.plane, self.geometry
        result.g, result.g_errors = merged_g(self, result.edges)
        for name in ("n", "n_errors", "n_reverse", "n_reverse_errors"):
            setattr(result, name, getattr(self, name)[:, at[1:] - 1])
        result._file = Rebinned(self)
        return result

    def to_dataframe(self) -> pandas.DataFrame:
        """Return a table with one row per pair and bin.

        Returns
        -------
        pandas.DataFrame
            Columns pair, r (bin centre, in length_unit), counts, g, g_error, n, n_error.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        import pandas as pd

        pairs, bins = self.counts.shape
        columns = {name: values.ravel() for name, values in self._by_name().items()}
        return pd.DataFrame({"pair": np.repeat(self.pairs, bins), "r": np.tile(self.r, pairs), **columns})

    def to_xarray(self) -> xarray.Dataset:
        """Return labelled arrays.

        Returns
        -------
        xarray.Dataset
            Variables counts, g, g_error, n, n_error over the dimensions (pair, r); attributes
            frames, normalization, length_unit, plane.

        Raises
        ------
        ImportError
            If xarray is not installed.
        """
        import xarray as xr

        return xr.Dataset(
            {name: (("pair", "r"), values) for name, values in self._by_name().items()},
            coords={"pair": self.pairs, "r": self.r},
            attrs={name: getattr(self, name) for name in ("frames", "normalization", "length_unit", "plane")},
        )

    def _by_name(self) -> dict[str, npt.NDArray[Any]]:
        """Arrays of shape (pairs, bins), by their names in tables."""
        return {"counts": self.counts, "g": self.g, "g_error": self.g_errors, "n": self.n, "n_error": self.n_errors}

    def plot(
        self, pairs: Any = None, ax: matplotlib.axes.Axes | None = None, *, label: str | None = None
    ) -> matplotlib.axes.Axes:
        """Draw g(r), with a band of one standard error if there are two or more blocks.

        Without a volume, draw p(r): the fraction of all distances in each bin, divided by the bin's width.

        Parameters
        ----------
        pairs : str or list of str, optional
            Pairs to draw; None: all.
        ax : matplotlib.axes.Axes, optional
            Axes to draw into; None: the current axes.
        label : str, optional
            Name of this result in the legend, which distinguishes results in the same axes; with
            several pairs it precedes the pair. None: the pair.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        KeyError
            If a pair was not counted.
        ValueError
            If neither g(r) nor p(r) of these pairs is defined.
        ImportError
            If Matplotlib is not installed.
        """
        chosen = self.pairs if pairs is None else [pairs] if isinstance(pairs, str) else list(pairs)
        rows = [self.index(name) for name in chosen]
        names = [self.pairs[k] for k in rows]
        if np.isfinite(self.g[rows]).any():
            errors = dict(zip(names, self.g_errors[rows]))
            shown = Table("r", self.r, dict(zip(names, self.g[rows])), errors, {"values": "g(r)"})
        else:
            unit = f" ({self.length_unit}^-1)" if self.length_unit else ""
            shown = Table("r", self.r, dict(zip(names, self._p(rows))), {}, {"values": f"p(r){unit}"})
        shown.facts["length_unit"] = self.length_unit
        return shown.plot(ax=ax, label=label)

    def _p(self, rows: list[int]) -> Floats:
        """Fraction of the distances of pairs in each bin divided by its width, shape (rows, bins)."""
        total = self.counts[rows].sum(axis=1) + self.out_of_range[rows]
        if self.plane or self.edges[0] > 0 or not total.all():
            raise ValueError(
                "g is NaN for all pairs, and p(r) needs distances in space and bins from 0: count with a box, volume= or "
                "geometry=, or draw result.counts over result.r"
            )
        p: Floats = self.counts[rows] / (total[:, None] * np.diff(self.edges))
        return p

    def save(
        self, path: str | os.PathLike[str], *, overwrite: bool = False, elements: Mapping[str, str] | None = None
    ) -> None:
        """Write a result file in the format of `starhist rdf`.

        Parameters
        ----------
        path : path-like
            Path of the file. `starhist info`, `export`, `plot`, `analyze`, `merge` and
            :func:`starhist.load` read it.
        overwrite : bool
            Whether to replace an existing file.
        elements : mapping of str to str, optional
            Element of each species, such as {"OW": "O", "MW": "none"}, for `starhist analyze
            --quantity xray` and `neutron`; "none" marks a site without an atom. Other species have the
            elements of the source: symbols of ASE's Atoms, `elements` of MDAnalysis. Only for counts
            of positions: results of files record the elements in these files.

        Raises
        ------
        OSError
            If the file cannot be written or exists already, or an element is unknown.
        ValueError
            If a species is unknown, the result comes from files and `elements` is given, or the result
            was loaded from a .partial file.
        """
        save.write_result(self._file, os.fspath(path), overwrite, {**self._elements, **(elements or {})})
