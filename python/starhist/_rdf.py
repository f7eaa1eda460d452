"""rdf(): counts of all frames of a source at once."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from . import _settings
from ._arrays import as_box
from ._sources import Frame, open_source
from ._species import Pairs, pair_list
from .counter import Counter
from .load import count_files
from .result import Result


def rdf(
    source: Any,
    *,
    pairs: Pairs = None,
    r_max: float | None = None,
    bins: int | None = None,
    box: Any = None,
    species: Any = None,
    names: Iterable[Any] | None = None,
    periodic: Any = None,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    frames_per_block: int = 100,
    normalization: str = "pairs-over-volume",
    options: Iterable[str] = (),
    progress: bool = False,
) -> Result:
    """Count the pair distances of all frames, and make g(r) of them.

    Parameters
    ----------
    source : Universe, AtomGroup, Atoms, array_like, iterator or path-like
        * Positions of the shape (particles, 3) or (frames, particles, 3), or the tuple
          (positions, box).
        * An iterator of positions, of (positions, box) or of (positions, box, labels). Labels hold
          from their frame on; they are there with the first frame, or with none.
        * MDAnalysis: a Universe, an AtomGroup, a sequence of AtomGroups that share no atoms, or
          a dictionary of names and AtomGroups. Lengths are in Angstrom. Updating groups are those
          of each frame; the trajectory of one alone is read twice.
        * ASE: Atoms, or a sequence or iterator of them. Lengths are in Angstrom.
        * A path of a trajectory, or a list of paths: the program `starhist rdf` of the package
          reads it, as `starhist help rdf` says, in the unit of the file.
    pairs : str or sequence of str or of 2-tuples, optional
        Pairs of species to count, such as "O-O,O-H"; None: all.
    r_max : float
        Distances below it are counted. Of paths it may be left out: as far as g(r) is defined.
    bins : int
        Number of bins of equal width on [0, r_max). Of paths it may be left out.
    box : array_like, optional
        3 lengths; 3 lengths and 3 angles in degrees; or 9 numbers or 3 x 3, the edges as rows. One
        for all frames, or one for each of frames x particles x 3. None: that of the source; no
        periodic images for arrays. Frames of an iterator that bring a box take no other. Of paths
        one for all frames, "none": no periodic images, or the path of a file with a box for each
        frame, such as CP2K's .cell.
    species : array_like of str or int, shape (particles,), optional
        Labels of the particles. None: names of MDAnalysis (elements or types where there are over
        40), symbols of ASE; those of the first frame of an iterator; "all" for arrays. Of paths a
        text, the rules of `--species`.
    names : iterable of str or int, optional
        Names of all species, where the labels of the first frame do not have all of them.
    periodic : sequence of 3 bools, optional
        Whether images repeat along the three edges of the box, which may else have the length 0.
        None: the axes of ASE's Atoms, else all three. Without a box, as of Atoms without a periodic
        axis, there are no images. Not of paths.
    start, stop, step : int, optional
        Frames, as a slice of Python has them; of paths and iterators from 0 on.
    frames_per_block : int
        Frames whose counts are kept together: standard errors come from the differences of blocks.
    normalization : {"pairs-over-volume", "mean-volume", "per-frame"}
        As in :meth:`Counter.result`.
    options : iterable of str
        Of paths: further options of `starhist rdf`, such as ["--structure", "md.tpr"].
    progress : bool
        Whether to show progress, where tqdm is installed.

    Returns
    -------
    Result

    Raises
    ------
    TypeError, ValueError
        For a source, box or setting that cannot be.
    RuntimeError
        Where the program or StarPU fails.

    Examples
    --------
    >>> import numpy as np, starhist
    >>> positions = np.array([[0.0, 0.0, 0.0], [0.35, 0.0, 0.0], [0.85, 0.0, 0.0]])
    >>> result = starhist.rdf(positions, box=[1.0, 1.0, 1.0], r_max=0.5, bins=5, species=["A", "B", "B"])
    >>> result.pairs
    ['A-A', 'A-B', 'B-B']
    >>> result.counts[result.index("A-B")]
    array([0, 1, 0, 1, 0], dtype=uint64)
    """
    part = _settings.part(start, stop, step)
    if _is_path(source) or (isinstance(source, (list, tuple)) and source and all(map(_is_path, source))):
        paths = [source] if _is_path(source) else source
        if names is not None or periodic is not None:
            raise ValueError("names and periodic are not for files: leave them out, and give rules as species=")
        arguments = _arguments(pairs, r_max, bins, box, species, part, frames_per_block)
        return count_files(paths, [*arguments, *options], normalization)
    if tuple(options):
        raise ValueError("options are those of the program, which reads paths: leave them out")
    if r_max is None or bins is None:
        raise ValueError("r_max and bins are missing: only for paths the program finds them")
    opened = open_source(source, box, species, names, part)
    counter = Counter(
        opened.species, r_max=r_max, bins=bins, pairs=pairs, names=opened.names, frames_per_block=frames_per_block,
        periodic=opened.periodic if periodic is None else periodic,
        length_unit=opened.length_unit, time_unit=opened.time_unit,
    )  # fmt: skip
    try:
        for frame in _with_progress(opened.frames, opened.length, progress):
            counter.add(frame.positions, frame.box, species=frame.species, time=frame.time)
        return counter.result(normalization)
    finally:
        counter.close()


def _is_path(source: Any) -> bool:
    return isinstance(source, (str, os.PathLike))


def _with_progress(frames: Iterable[Frame], count: int | None, wanted: bool) -> Iterable[Frame]:
    if not wanted:
        return frames
    try:
        from tqdm import tqdm
    except ImportError:
        return frames
    shown: Iterable[Frame] = tqdm(frames, total=count, unit="frame")
    return shown


def _arguments(
    pairs: Pairs, r_max: float | None, bins: int | None, box: Any, species: Any, frames: slice, frames_per_block: int
) -> list[str]:
    """Options of `starhist rdf`."""
    start, stop, step = frames.start, frames.stop, frames.step
    if any(number is not None and number < 0 for number in (start, stop, step)):
        raise ValueError("start, stop and step of a file count from its begin: give numbers from 0 on")
    if stop is not None and stop <= (start or 0):
        raise ValueError(f"there is no frame from {start or 0} to before {stop}: give a larger stop")
    if species is not None and not isinstance(species, str):
        raise TypeError("species of a file are rules, such as 'O=OW; H=HW1 HW2': give a text")
    values = {
        "--pairs": pair_list(pairs),
        "--r-max": None if r_max is None else _settings.number(r_max, "r_max", "in the unit of the file"),
        "--bins": None if bins is None else _settings.integer(bins, "bins", 1),
        "--species": species,
        "--first": start,
        "--last": None if stop is None else stop - 1,
        "--step": step,
        "--block": _settings.integer(frames_per_block, "frames_per_block", 1, 2**32 - 1),
        "--box": _box_of_files(box),
    }
    given = {name: str(value) for name, value in values.items() if value not in (None, "")}
    for text in given.values():
        _settings.text(text, "the text")
    return [text for option in given.items() for text in option]


def _box_of_files(box: Any) -> str | None:
    """The text of --box: "none", the path of a file with a box per frame, or numbers."""
    if box is None or isinstance(box, str):
        return box
    if isinstance(box, os.PathLike):
        return str(os.fspath(box))
    return ",".join(repr(float(number)) for number in as_box(box).numbers)
