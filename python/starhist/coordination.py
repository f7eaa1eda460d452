"""coordination(): counts the neighbours of each particle."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from ._analysis import AnyPath, ResultOrPath, saved
from ._figures import axes_or_current
from ._output import counted, exported, exported_curves, unit_of, values_of
from ._rdf import _arguments, file_paths, frame_file, is_file_source, open_frames, refuse_updating_groups
from ._settings import part, program_options
from ._species import Pairs, pair_list
from ._warnings import warn_of_recorded
from .result import Floats

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas

Cutoffs = Union[float, str, Mapping[Union[str, tuple[Any, Any]], Union[float, str]]]


class Coordination:
    """Neighbours of particles within cut-off distances.

    Attributes
    ----------
    pairs : list of str
        Names of the ordered pairs: "O-H" for the neighbours H of each O.
    cutoffs : numpy.ndarray of float64, shape (pairs,)
        Cut-off distances, in length_unit.
    counts : numpy.ndarray of uint64, shape (pairs, most + 1)
        Particles with n neighbours, n = 0, 1, ..., most, summed over all frames.
    distribution, distribution_errors : numpy.ndarray of float64, shape (pairs, most + 1)
        Fraction of particles with n neighbours, P(n), and standard errors from blocks.
    mean, mean_errors : numpy.ndarray of float64, shape (pairs,)
        Mean number of neighbours of a particle, and standard errors from blocks.
    per_frame : numpy.ndarray of float64, shape (pairs, frames), or None
        Mean of each frame, if it was recorded.
    times : numpy.ndarray of float64, shape (frames,), or None
        Times of these frames, in time_unit; NaN if unknown.
    per_particle : dict of str to numpy.ndarray of float64, or None
        Mean of each particle over all frames, by pair, if it was recorded.
    particles : dict of str to numpy.ndarray of int64, or None
        Index, from 0, of these particles: in the Universe for AtomGroups, as `group.ix`; in the frame for other
        sources, such as files and arrays.
    frames : int
        Number of frames.
    length_unit, time_unit : str
        Units; "": unknown.
    """

    pairs: list[str]
    cutoffs: Floats
    counts: npt.NDArray[np.uint64]
    distribution: Floats
    distribution_errors: Floats
    mean: Floats
    mean_errors: Floats
    per_frame: Floats | None
    times: Floats | None
    per_particle: dict[str, Floats] | None
    particles: dict[str, npt.NDArray[np.int64]] | None
    frames: int
    length_unit: str
    time_unit: str

    def __repr__(self) -> str:
        means = ", ".join(f"{pair} {mean:g}" for pair, mean in zip(self.pairs, self.mean))
        return f"<starhist.Coordination: {self.frames} frames, mean numbers of neighbours: {means}>"

    def plot(self, ax: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """Draw the fraction of particles with n neighbours, with bars of one standard error.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Axes to draw into; None: the current axes.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        ImportError
            If Matplotlib is not installed.
        """
        ax = axes_or_current(ax)
        for pair, fractions, errors in zip(self.pairs, self.distribution, self.distribution_errors):
            bars = errors if np.isfinite(errors).any() else None
            ax.errorbar(range(len(fractions)), fractions, yerr=bars, marker="o", markersize=3, label=pair)
        ax.set_xlabel("number of neighbours n")
        ax.set_ylabel("fraction of particles P(n)")
        names = ax.get_legend_handles_labels()[1]
        ax.set_ylim(0, ax.dataLim.y1 * (1.1 + 0.08 * len(names)))  # the legend is above the maximum
        ax.legend(loc="upper right")
        return ax

    def to_dataframe(self) -> pandas.DataFrame:
        """Return a table with one row per pair and number of neighbours.

        Returns
        -------
        pandas.DataFrame
            Columns pair, neighbours, particles (counts), fraction, error.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        import pandas as pd

        pairs, numbers = self.counts.shape
        return pd.DataFrame(
            {
                "pair": np.repeat(self.pairs, numbers),
                "neighbours": np.tile(np.arange(numbers), pairs),
                "particles": self.counts.ravel(),
                "fraction": self.distribution.ravel(),
                "error": self.distribution_errors.ravel(),
            }
        )


def coordination(
    source: Any,
    cutoffs: Cutoffs,
    *,
    pairs: Pairs = None,
    per_frame: bool = False,
    per_particle: bool = False,
    minima: ResultOrPath | None = None,
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
) -> Coordination:
    """Count the neighbours within a cut-off distance of each particle of a trajectory.

    Runs the program `starhist coordination`. Frames that are not in a file are written to a temporary one.

    Parameters
    ----------
    source : path-like, list of path-like, array_like, Universe, AtomGroup, Atoms or iterator
        Trajectory files, or frames as for :func:`rdf`.
    cutoffs : float, dict or str
        One cut-off for all pairs, one per pair, {"O-H": 0.245} or {("O", "H"): 0.245}, or as for `--cutoff`. "min" in place of a
        number: the first minimum of g in `minima`.
    minima : Result or path-like, optional
        Result of :func:`rdf`, or a result file, for cut-offs "min".
    pairs : str or sequence of str or of 2-tuples, optional
        Ordered pairs, if cutoffs is a number: "O-H" for the neighbours H of each O. Default: all.
    per_frame, per_particle : bool
        Whether to record the neighbours of each frame, and of each particle.
    box, species, periodic, structure, start, stop, step, frames_per_block, length_unit
        See :func:`rdf`.
    options : iterable of str
        Further options of `starhist coordination`.

    Returns
    -------
    Coordination

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    FileNotFoundError
        If a path does not exist.
    ValueError
        If the program rejects an argument or a file.
    RuntimeError
        If the program fails.
    """
    if isinstance(cutoffs, Mapping):
        given = ",".join(f"{pair_list([pair])}={_cutoff_text(cutoff)}" for pair, cutoff in cutoffs.items())
    else:
        given = _cutoff_text(cutoffs)
    chosen = pair_list(pairs)
    counting = [
        f"--cutoff={given}",
        *(["--pairs", chosen] if chosen else []),
        *(["--per-frame"] if per_frame else []),
        *(["--per-particle"] if per_particle else []),
        *program_options(options, "coordination"),
    ]
    frames = part(start, stop, step)
    with saved([] if minima is None else [minima], ["minima"]) as (found, temporary):
        counting += [f"--from={path}" for path in found]
        if is_file_source(source):
            if periodic is not None:
                raise ValueError("periodic is not for files: pass options=['--open', 'x,y,z'] for open axes")
            paths = file_paths(source, structure)
            own = _arguments(None, None, None, box, species, frames, frames_per_block, structure, length_unit)
            return counted("coordination", [*counting, *own], paths, _read, temporary)
        if structure is not None:
            raise ValueError("structure is for paths: pass labels as species=")
        if per_particle:
            refuse_updating_groups(source, "coordination() with per_particle")
        opened, _ = open_frames(source, box, species, None, frames, length_unit, periodic, "distances are not periodic")
        with frame_file(opened, box, periodic) as (path, reading, indices):
            own = _arguments(None, None, None, None, None, slice(None), frames_per_block)
            names = {**temporary, path: "the frames"}
            result = counted("coordination", [*counting, *reading, *own], [path], _read, names)
        if result.particles is not None:
            result.particles = {pair: indices[own] for pair, own in result.particles.items()}
        return result


def _cutoff_text(cutoff: float | str) -> str:
    return cutoff if isinstance(cutoff, str) else repr(float(cutoff))


def load_coordination(path: AnyPath) -> Coordination:
    """Read a result file of `starhist coordination`.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    Coordination

    Raises
    ------
    FileNotFoundError
        If it does not exist. Another OSError if it cannot be opened.
    ValueError
        If it is not such a file, or is damaged.
    RuntimeError
        If the program fails.
    """
    with open(path, "rb"):  # raises the usual OSError
        pass
    result, table = _read(os.fspath(path))
    warn_of_recorded(table)
    return result


def _read(name: str) -> tuple[Coordination, Any]:
    """Returns a result and its table of means, without the warnings that the run has recorded."""
    means, curves, errors = exported_curves(name, "mean")
    warn_of_recorded(means, entry="errors_caveat")
    result = Coordination()
    result.pairs = [curve["label"] for curve in curves]
    result.cutoffs = np.array([curve["cutoff"] for curve in curves], dtype=np.float64)
    result.mean, result.mean_errors = values_of(curves)[:, 0], values_of(errors)[:, 0]
    result.frames = means["frames"][0]
    result.length_unit, result.time_unit = unit_of(means), unit_of(means, "time_unit")
    result.counts = np.array([curve["value"] for curve in exported(name, "counts")["curves"]], dtype=np.uint64)
    _, curves, errors = exported_curves(name, "distribution")
    result.distribution, result.distribution_errors = values_of(curves), values_of(errors)
    result.per_frame = result.times = result.per_particle = result.particles = None
    recorded = means["recorded"].split(", ")
    if "per frame" in recorded:
        table = exported(name, "per-frame")
        result.per_frame = values_of(table["curves"])
        result.times = np.array(table["time"], dtype=np.float64)
    if "per particle" in recorded:
        tables = {pair: exported(name, "per-particle", "--pairs", pair) for pair in result.pairs}
        result.per_particle = {pair: values_of(own["curves"])[0] for pair, own in tables.items()}
        result.particles = {pair: np.array(own["particle"], dtype=np.int64) for pair, own in tables.items()}
    return result, means
