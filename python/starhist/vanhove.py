"""vanhove(): counts distances between frames of a trajectory."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from ._analysis import AnyPath, Table, analyzed
from ._output import counted, exported, exported_curves, unit_of, values_of
from ._rdf import (
    _arguments,
    all_pairs,
    file_paths,
    frame_file,
    is_file_source,
    open_frames,
    refuse_updating_groups,
)  # fmt: skip
from ._settings import part, program_options
from ._species import Pairs
from ._warnings import warn_of_recorded
from .load import edges_of_table
from .result import Floats
from .save import Saved, write_result

Lags = Union[str, Sequence[Union[int, float]]]


class VanHove:
    """Counts of distances between frames: van Hove functions and mean squared displacements.

    Attributes
    ----------
    lags : numpy.ndarray of uint64, shape (lags,)
        Number of frames between the two frames of a pair.
    times : numpy.ndarray of float64, shape (lags,)
        Mean time of each lag, in time_unit; NaN if unknown.
    pairs, species : list of str
        Names of the pairs of species and of the species.
    edges : numpy.ndarray of float64, shape (bins + 1,)
        Bin edges, in length_unit.
    r : numpy.ndarray of float64, shape (bins,)
        Bin centres, in length_unit.
    counts : numpy.ndarray of uint64, shape (lags, pairs, bins)
        Pairs of different particles per bin: A in the earlier frame, B in the later one. Lag 0 counts
        pairs of one frame once.
    g, g_errors : numpy.ndarray of float64, shape (lags, pairs, bins)
        Distinct part divided by the density, G_d(r, t) / rho, and standard errors from blocks that
        are at least as long as the lag; NaN where undefined, errors also where fewer than five such
        blocks remain.
    self_counts : numpy.ndarray of uint64, shape (lags, species, bins)
        Displacements per bin.
    self_part, self_part_errors : numpy.ndarray of float64, shape (lags, species, bins)
        Self part G_s(r, t), in length_unit to the power of -3.
    msd, msd_errors : numpy.ndarray of float64, shape (lags, species)
        Mean squared displacement, in length_unit squared.
    frames : int
        Number of frames.
    length_unit, time_unit : str
        Units; "": unknown.
    """

    lags: npt.NDArray[np.uint64]
    times: Floats
    pairs: list[str]
    species: list[str]
    edges: Floats
    counts: npt.NDArray[np.uint64]
    g: Floats
    g_errors: Floats
    self_counts: npt.NDArray[np.uint64]
    self_part: Floats
    self_part_errors: Floats
    msd: Floats
    msd_errors: Floats
    frames: int
    length_unit: str
    time_unit: str
    _file: Saved
    _elements: Mapping[str, str]

    @property
    def r(self) -> Floats:
        return 0.5 * (self.edges[:-1] + self.edges[1:])

    def __repr__(self) -> str:
        unit = f" {self.length_unit}" if self.length_unit else ""
        return (
            f"<starhist.VanHove: {self.frames} frames, {len(self.lags)} lags up to {self.lags[-1]}, "
            f"{len(self.pairs)} pairs of species, {len(self.edges) - 1} bins up to {self.edges[-1]:g}{unit}>"
        )

    def intermediate_scattering(
        self,
        part: str = "all",
        *,
        weights: str = "number",
        elements: Mapping[str, str] | None = None,
        options: Sequence[str] = (),
    ) -> Table:
        """Compute intermediate scattering functions F(q, t), as `starhist analyze --quantity fqt`.

        Parameters
        ----------
        part : {"all", "self", "distinct"}
            "all": partial functions of each pair and, if all pairs were counted, of all particles;
            "self", "distinct": one part of them.
        weights : {"number", "xray", "neutron"}
            For "all": weights of all particles together; "xray" and "neutron" give the coherent
            intensity per particle, "I/N", in electrons^2 or fm^2.
        elements : mapping of str to str, optional
            For "xray" and "neutron": element of each species, such as {"OW": "O", "HW": "D"}; None:
            the recorded elements.
        options : sequence of str
            Further options of `starhist analyze`, such as ["--q-max", "100", "--window", "lorch"], or
            ["--at-q", "10,20"] for curves over the time.

        Returns
        -------
        Table
            Curves over q [1/length_unit], named as "O-O lag 5 (0.5 ps)", or over the time [time_unit], named as
            "O-O q=10", with standard errors.

        Raises
        ------
        ValueError
            If part or weights are unknown, or F(q, t) is not defined for this result, for example
            without a box.
        """
        if part not in ("all", "self", "distinct"):
            raise ValueError(f"part is {part!r}: pass all, self or distinct")
        quantity = "fqt" if part == "all" else f"fqt-{part}"
        weighted = [] if weights == "number" else ["--weights", weights]
        return analyzed(self, quantity, options, elements, own=weighted)

    def save(self, path: AnyPath, *, overwrite: bool = False) -> None:
        """Write a result file in the format of `starhist vanhove`.

        Parameters
        ----------
        path : path-like
            Path of the file, which `starhist info`, `export`, `plot`, `analyze`, `report` and
            :func:`starhist.load_vanhove` read.
        overwrite : bool
            Whether to replace an existing file.

        Raises
        ------
        OSError
            If the file cannot be written or exists already.
        ValueError
            If the result was loaded from a .partial file.
        """
        write_result(self._file, os.fspath(path), overwrite, {})


def vanhove(
    source: Any,
    *,
    lags: Lags = "log:20",
    lag_unit: str = "frames",
    every_origin: int = 1,
    unwrapped: bool = False,
    pairs: Pairs = None,
    r_max: float | None = None,
    bins: int | None = None,
    box: Any = None,
    species: Any = None,
    periodic: Any = None,
    structure: AnyPath | None = None,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    frames_per_block: int | None = None,
    length_unit: str = "",
    options: Iterable[str] = (),
) -> VanHove:
    """Count the distances between particles of one frame and of later frames of a trajectory.

    Runs the program `starhist vanhove`.

    Parameters
    ----------
    source : Universe, AtomGroup, Atoms, array_like, iterator, path-like or list of path-like
        As in :func:`rdf`, with the same particles in the same order in all frames. Sources other
        than paths are written to a temporary file of about 20 bytes per coordinate, without loss.
    lags : str or sequence of numbers
        Lags, as a sequence or as for `--lags`: "0,1,2,5", "0:100:10" or "log:20".
    lag_unit : {"frames", "time"}
        Unit of the lags: selected frames, or the time unit of the file.
    every_origin : int
        Every how many frames is an origin, the earlier frame of pairs.
    unwrapped : bool
        Whether positions are continuous. Otherwise particles are followed through their nearest
        images from frame to frame.
    r_max : float, optional
        See :func:`rdf`.
    bins : int, optional
        Number of bins of equal width on [0, r_max). None: as in :func:`rdf`.
    pairs, box, species, periodic, structure, start, stop, step, frames_per_block, length_unit
        See :func:`rdf`.
    options : iterable of str
        Further options of `starhist vanhove`.

    Returns
    -------
    VanHove

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    FileNotFoundError
        If a path does not exist.
    ValueError
        If the program rejects an argument or a file.
    RuntimeError
        If the program or StarPU fails.
    """
    given = lags if isinstance(lags, str) else ",".join(repr(lag) for lag in _numbers(lags))
    chosen = part(start, stop, step)
    counting = [
        "--lags", given, "--lag-unit", str(lag_unit), "--every-origin", str(every_origin),
        *(["--unwrapped"] if unwrapped else []), *program_options(options, "vanhove"),
    ]  # fmt: skip
    if is_file_source(source):
        if periodic is not None:
            raise ValueError("periodic is not for files: omit it")
        arguments = _arguments(pairs, r_max, bins, box, species, chosen, frames_per_block, structure, length_unit)
        return counted("vanhove", [*arguments, *counting], file_paths(source, structure), _read)
    if structure is not None:
        raise ValueError("structure is for paths: pass labels as species=")
    refuse_updating_groups(source, "vanhove()")
    opened, _ = open_frames(source, box, species, None, chosen, length_unit, periodic)
    with frame_file(opened, box, periodic) as (path, reading, _):
        own = _arguments(pairs, r_max, bins, None, None, slice(None), frames_per_block)
        arguments = [*reading, *own, *all_pairs(pairs), *counting]
        return counted("vanhove", arguments, [path], _read, {path: "the frames"})


def _numbers(lags: Any) -> list[float]:
    """Returns the lags of a sequence. Raises TypeError or ValueError for others."""
    remedy = "pass a list such as [0, 1, 2, 5], a range such as '0:100:10', or 'log:N'"
    try:
        numbers = [float(lag) for lag in lags]
    except (TypeError, ValueError):
        raise TypeError(f"lags is {lags!r}: {remedy}") from None
    if not numbers:
        raise ValueError(f"lags is empty: {remedy}")
    return numbers


def load_vanhove(path: AnyPath) -> VanHove:
    """Read a result file of `starhist vanhove`.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    VanHove

    Raises
    ------
    OSError
        If the file does not exist or cannot be read.
    ValueError
        If it is not such a file, or is damaged.
    RuntimeError
        If the program fails.
    """
    result, table = _read(os.fspath(path))
    warn_of_recorded(table)
    return result


def _read(name: str) -> tuple[VanHove, Any]:
    """Returns a result and its table of counts, without the warnings that the run has recorded."""
    data = Path(name).read_bytes()
    with_caveat, curves, errors = exported_curves(name, "msd")
    result = VanHove()
    result._file, result._elements = Saved(data), {}
    result.lags = np.array(with_caveat["lag"], dtype=np.uint64)
    result.times = np.array(with_caveat["time"], dtype=np.float64)
    result.species = [curve["label"] for curve in curves]
    result.msd, result.msd_errors = values_of(curves).T, values_of(errors).T
    table = exported(name, "counts", "--map")
    result.pairs = [curve["label"] for curve in table["curves"]]
    lags, bins = len(result.lags), int(table["bin_count"])
    result.edges = edges_of_table(table["r_lower"][0], table["r_upper"][:bins])
    result.frames = table["frames"]
    result.length_unit, result.time_unit = unit_of(table), unit_of(table, "time_unit")

    def by_lag(rows: list[Any], kind: type = np.float64) -> npt.NDArray[Any]:
        values: npt.NDArray[Any] = np.array([curve["value"] for curve in rows], dtype=kind)
        return np.ascontiguousarray(values.reshape(len(rows), lags, bins).swapaxes(0, 1))

    result.counts = by_lag(table["curves"], np.uint64)
    result.self_counts = by_lag(exported(name, "self-counts", "--map")["curves"], np.uint64)
    _, curves, errors = exported_curves(name, "self", "--map")
    result.self_part, result.self_part_errors = by_lag(curves), by_lag(errors)
    try:
        with_caveat, curves, errors = exported_curves(name, "g", "--map")
        result.g, result.g_errors = by_lag(curves), by_lag(errors)
    except ValueError:  # no volume
        result.g = np.full(result.counts.shape, np.nan)
        result.g_errors = result.g.copy()
    warn_of_recorded(with_caveat, entry="errors_caveat")
    return result, table
