"""rdf(): counts all frames of a source in one call."""

from __future__ import annotations

import contextlib
import itertools
import math
import os
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _settings
from ._arrays import as_box
from ._default_bins import default_bins
from ._extended_xyz import ELEMENT_OPTIONS, write_frames
from ._sources import Frame, Source, open_source
from ._species import Pairs, pair_list
from ._warnings import warn_if_nothing_defined
from .counter import Counter
from .load import count_files
from .result import Result

OPEN_BOX = "none"
"""Value of box= for systems that are not periodic."""


def rdf(
    source: Any,
    *,
    pairs: Pairs = None,
    r_max: float | None = None,
    bins: int | str | None = None,
    bin_width: float | None = None,
    edges: Any = None,
    box: Any = None,
    species: Any = None,
    names: Iterable[Any] | None = None,
    periodic: Any = None,
    structure: Any = None,
    plane: str | None = None,
    open_axes: str | None = None,
    volume: float | None = None,
    geometry: str | None = None,
    extent: float | None = None,
    axis2: str | None = None,
    axis2_bins: int | None = None,
    axis2_max: float | None = None,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    frames_per_block: int | None = None,
    length_unit: str = "",
    normalization: str = "pairs-over-volume",
    options: Iterable[str] = (),
    progress: bool = False,
) -> Result:
    """Count the pair distances of all frames and compute g(r).

    Parameters
    ----------
    source : Universe, AtomGroup, Atoms, array_like, iterator or path-like
        * Positions of shape (particles, 3) or (frames, particles, 3), or the tuple
          (positions, box).
        * An iterator of positions, of (positions, box) or of (positions, box, labels), or a list
          of such tuples. Labels apply from their frame on; if any frame has labels, the first one
          must have them.
        * MDAnalysis: a Universe, an AtomGroup, a sequence of AtomGroups that share no atoms, or
          a dictionary of names and AtomGroups. Lengths are in Angstrom. Updating groups are
          evaluated in each frame; for a single updating group, the trajectory is read twice.
        * ASE: Atoms, or a sequence or iterator of Atoms. Lengths are in Angstrom.
        * The path of a trajectory, or a list of paths, which the program `starhist rdf` reads, in
          the length unit of the file. `starhist help rdf` lists the formats.
    pairs : str or sequence of str or of 2-tuples, optional
        Pairs of species to count, such as "O-O,O-H". None: all.
    r_max : float, optional
        Upper limit of the counted distances (exclusive), above 0, in the length unit of the
        positions. None: 0.99 of the largest distance for which g(r) is defined in the box of the first
        frame, half its shortest lattice vector; required without a box.
    bins : int, optional
        Number of bins of equal width on [0, r_max), 1 or more. None: bins of 0.002 nm if the length
        unit is known, otherwise 500. For paths also "log:N", N bins of equal ratio of their edges
        from r_min to r_max; r_min is then needed: options=["--r-min", "0.1"]. For other sources:
        edges=numpy.geomspace(r_min, r_max, N + 1).
    bin_width : float, optional
        Width of the bins, in place of their number; it must divide r_max.
    edges : array_like of float, optional
        Rising edges of the bins, at least 2, in place of r_max and bins. The first and the last one
        limit the counted distances.
    box : array_like, optional
        3 lengths; 3 lengths and 3 angles in degrees; or 9 numbers or a 3 x 3 matrix with the edges
        as rows. One box for all frames, or, for positions of shape (frames, particles, 3), one for
        each frame. None: the box of the source; arrays without one are not periodic, with a
        warning. An error if a frame of an iterator has its own box. "none": no periodic images,
        and no warning. For paths: also the path of a file with a box for each frame, such as CP2K's
        .cell.
    species : array_like of str or int, shape (particles,), optional
        Labels of the particles. None: for MDAnalysis the atom names (elements or types if there
        are over 40 names), for ASE the chemical symbols, for an iterator the labels of the first
        frame, for arrays "all". For paths: a string with rules, as for `--species`.
    names : iterable of str or int, optional
        Names of all species, if some do not occur in the labels of the first frame.
    periodic : sequence of 3 bools, optional
        Whether the system is periodic along each edge of the box; other edges may have length 0.
        None: the axes of ASE's Atoms, all three for other sources. Without a box, or for Atoms
        without a periodic axis, the system is not periodic. Not for paths.
    structure : path-like, optional
        For paths: file with names, elements or molecules of the particles, such as a TPR, as for
        `--structure`.
    plane : {"xy", "xz", "yz"}, optional
        Measure distances in this plane; g is normalized by the areas of annuli. None: distances in
        space.
    open_axes : str, optional
        Axes of the box without periodic images, such as "z" or "x,z".
    volume : float, optional
        Volume occupied by the particles of an open box, needed for g.
    geometry : {"slab", "cylinder"}, optional
        Normalize g by the ideal gas in a slab (one open axis) or a cylinder (two open axes).
    extent : float, optional
        Thickness of the slab, or radius of the cylinder. None: measured in the first frame.
    axis2 : str, optional
        Second quantity by which pairs are counted, such as "cos(z)" or "dz", as for `--axis2`; see
        :meth:`Result.second_axis`. "cos(vector A->B)", with labels A and B, needs paths, a Universe or AtomGroups.
    axis2_bins : int, optional
        Number of its bins. None: 21 for cosines, 50 for distances.
    axis2_max : float, optional
        With `plane`: upper edge of its last bin. None: half the box's height in the first frame.
    start, stop, step : int, optional
        Frames to count, as in a slice of Python. For paths and iterators: 0 or more.
    frames_per_block : int, optional
        Number of consecutive frames per block, 1 to 2^32 - 1. Standard errors are computed from
        the differences between blocks. None: 16 to 24 blocks, the last of which may be shorter, one frame
        each for 16 to 30 frames, or one block of fewer than 16 frames; 100 frames per block for
        iterators that are counted without a temporary file.
    length_unit : str
        Unit of lengths of sources that do not specify one, such as "A" or "nm": see :class:`Counter`.
    normalization : {"pairs-over-volume", "mean-volume", "per-frame"}
        See :meth:`Counter.result`.
    options : iterable of str
        For paths: further options of `starhist rdf`, such as ["--exclude-same", "molecule"].
    progress : bool
        Whether to show a progress bar, if tqdm is installed.

    Returns
    -------
    Result
        Counts, g(r), coordination numbers and standard errors.

    Raises
    ------
    TypeError
        If the source, the box or a setting has the wrong type.
    FileNotFoundError
        If a path does not exist.
    ValueError
        If one of them has an invalid value, if the source is empty, or if the program rejects a file.
    MemoryError
        If a frame and its counts do not fit into memory.
    RuntimeError
        If the program or StarPU fails.

    Notes
    -----
    With `edges`, `plane`, `open_axes`, `volume`, `geometry` or `axis2`, frames that are not in a file
    are first written to a temporary file, and must all have the same particles.

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
    if bin_width is not None:
        if bins is not None or edges is not None:
            raise ValueError("bin_width excludes bins and edges: omit them")
        bin_width = _settings.number(bin_width, "bin_width", "in the unit of the positions")
        if not 0 < bin_width < math.inf:
            raise ValueError(f"bin_width is {bin_width!r}: pass a width above 0")
    width = [] if bin_width is None else ["--bin-width", repr(bin_width)]
    part = _settings.part(start, stop, step)
    options = _settings.program_options(options, "rdf")
    space = _space_options(plane, open_axes, volume, geometry, extent, axis2, axis2_bins, axis2_max)
    if edges is not None:
        space += _edge_options(edges, r_max, bins)
    if is_file_source(source):
        if names is not None or periodic is not None:
            raise ValueError("names and periodic are not for files: omit them, and pass rules as species=")
        if isinstance(bins, str):
            options = ["--bins", _settings.text(bins, "bins"), *options]
        count = None if isinstance(bins, str) else bins
        arguments = _arguments(pairs, r_max, count, box, species, part, frames_per_block, structure, length_unit)
        paths = file_paths(source, structure)
        return count_files(paths, [*arguments, *width, *space, *options], normalization, not _is_open(box))
    if options:
        raise ValueError("options are for the program, which only reads paths: omit them")
    if structure is not None:
        raise ValueError("structure is for paths: pass labels as species=")
    if isinstance(bins, str):
        raise ValueError("bins='log:N' is for paths: pass edges=numpy.geomspace(r_min, r_max, N + 1)")
    lost = "distances are not periodic, and g is NaN" if volume is None else ""
    opened, first = open_frames(source, box, species, names, part, length_unit, periodic, lost)
    with_residues = axis2 is not None and "vector" in axis2
    if with_residues and opened.residues is None:
        raise ValueError(
            f"axis2 {axis2!r} needs residues, which the source lacks: pass a Universe or AtomGroups (without updating "
            "ones), or the path of a trajectory and structure="
        )
    if space:
        if names is not None:
            raise ValueError(
                "names is not for edges, plane, open_axes, volume, geometry and axis2, which need the same particles in "
                "all frames: omit it"
            )
        boxed = first.box is not None
        own = _arguments(pairs, r_max, bins, None, None, slice(None), frames_per_block)
        with frame_file(opened, box, periodic, with_residues) as (path, reading, _):
            options = [*reading, *space, *own, *width, *all_pairs(pairs)]
            return count_files([path], options, normalization, boxed, {path: "the frames"})
    axes = opened.periodic if periodic is None else _settings.axes(periodic)
    r_max, bins = default_bins(r_max, bins, first.box, opened.length_unit, bin_width, axes)
    counter = Counter(
        opened.species, r_max=r_max, bins=bins, pairs=pairs, names=opened.names,
        frames_per_block=100 if frames_per_block is None else frames_per_block,
        periodic=axes,
        length_unit=opened.length_unit, time_unit=opened.time_unit,
    )  # fmt: skip
    try:
        if frames_per_block is None and opened.length:
            counter._expect(opened.length)
        for frame in _with_progress(opened.frames, opened.length, progress):
            counter.add(frame.positions, frame.box, species=frame.species, time=frame.time)
        result = counter.result(normalization)
        if not _is_open(box) and not (first.box is None and opened.warn_without_box):
            warn_if_nothing_defined(result)
        result._elements = opened.elements
        return result
    finally:
        counter.close()


def _is_open(box: Any) -> bool:
    return isinstance(box, str) and box == OPEN_BOX


def open_frames(
    source: Any,
    box: Any,
    species: Any,
    names: Any,
    part: slice,
    length_unit: str,
    periodic: Any,
    without_box: str = "distances are not periodic, and g is NaN",
) -> tuple[Source, Frame]:
    """Returns the frames of a source that is not a path, and the first of them. Warns of a missing box.

    without_box: consequence of a missing box; "": no warning. Raises ValueError without frames, for a length unit
    that is not the source's, and for periodic axes of Atoms without any."""
    is_open = _is_open(box)
    opened = open_source(source, None if is_open else box, species, names, part)
    if length_unit and opened.length_unit not in ("", length_unit):
        raise ValueError(
            f"length_unit is {length_unit!r}, but the lengths of the source are in {opened.length_unit}: omit it"
        )
    opened = opened._replace(length_unit=opened.length_unit or length_unit)
    first = next(opened.frames, None)
    if first is None:
        chosen = ", ".join(
            f"{name}={value}" for name, value in zip(("start", "stop", "step"), (part.start, part.stop, part.step))
            if value is not None
        )  # fmt: skip
        raise ValueError(
            f"{chosen} select no frame: pass other frames" if chosen else "the source has no frames: pass at least one"
        )
    if not is_open and first.box is None and not opened.warn_without_box:
        if periodic is not None and any(_settings.axes(periodic)):
            raise ValueError(
                "periodic is given, but the Atoms are not periodic, so that their cell is not used: set atoms.pbc, or "
                "pass box=atoms.cell"
            )
    elif not is_open and first.box is None and without_box:
        warnings.warn(
            f"the positions have no box: {without_box}; pass box=[a, b, c], or box={OPEN_BOX!r} if the system is not "
            "periodic", UserWarning, stacklevel=3,
        )  # fmt: skip
    opened = opened._replace(frames=itertools.chain([first], opened.frames))
    if is_open:
        first = first._replace(box=None)
        opened = opened._replace(frames=(frame._replace(box=None) for frame in opened.frames))
    return opened, first


def _space_options(
    plane: str | None,
    open_axes: str | None,
    volume: float | None,
    geometry: str | None,
    extent: float | None,
    axis2: str | None,
    axis2_bins: int | None,
    axis2_max: float | None,
) -> list[str]:
    """Returns the program's options for the space in which distances are measured, and for a second axis."""
    values = {
        "--plane": None if plane is None else _settings.text(plane, "plane"),
        "--open": None if open_axes is None else _settings.text(open_axes, "open_axes"),
        "--volume": None if volume is None else repr(_settings.number(volume, "volume", "in the cubed length unit")),
        "--geometry": None if geometry is None else _settings.text(geometry, "geometry"),
        "--extent": None if extent is None else repr(_settings.number(extent, "extent", "in the length unit")),
        "--axis2": None if axis2 is None else _settings.text(axis2, "axis2"),
        "--axis2-bins": None if axis2_bins is None else str(_settings.integer(axis2_bins, "axis2_bins", 1)),
        "--axis2-max": None
        if axis2_max is None
        else repr(_settings.number(axis2_max, "axis2_max", "in the length unit")),
    }
    return [f"{option}={value}" for option, value in values.items() if value is not None]


@contextlib.contextmanager
def frame_file(
    opened: Source, box: Any, periodic: Any, with_residues: bool = False
) -> Iterator[tuple[str, list[str], npt.NDArray[np.int64]]]:
    """Writes frames of open_frames() to a temporary file. Yields its path, options to read it with, and the index
    in the source of each particle in the file."""
    units = {"--unit": opened.length_unit, "--time-unit": opened.time_unit}
    options = [word for unit in units.items() if unit[1] for word in unit]
    options += ["--repeated", "keep"]  # frames in memory are all meant
    options += ELEMENT_OPTIONS if opened.elements else []
    if _is_open(box):
        options += ["--box", OPEN_BOX]
    with tempfile.TemporaryDirectory(prefix="starhist-") as folder:
        path = os.path.join(folder, "frames.xyz")
        axes = _settings.axes(opened.periodic if periodic is None else periodic)
        indices = write_frames(path, opened, axes, with_residues)
        yield path, options, indices


def is_file_source(source: Any) -> bool:
    """Whether the source is a path or a list of paths."""
    return _is_path(source) or bool(isinstance(source, (list, tuple)) and source and all(map(_is_path, source)))


def _check_paths(paths: Sequence[Any]) -> None:
    """Raises FileNotFoundError for a path that does not exist; addresses such as imd://HOST:PORT are not checked."""
    for path in map(os.fspath, paths):
        if "://" not in path and not os.path.exists(path):
            raise FileNotFoundError(f"{path} does not exist")


def _is_path(source: Any) -> bool:
    return isinstance(source, (str, os.PathLike))


def file_paths(source: Any, structure: Any) -> list[str]:
    """Returns the paths of a source for which is_file_source(). Raises FileNotFoundError."""
    paths = [os.fspath(path) for path in ([source] if _is_path(source) else source)]
    _check_paths(paths if structure is None else [*paths, structure])
    return paths


def all_pairs(pairs: Pairs) -> list[str]:
    """Returns the option of `starhist rdf` and vanhove with which no pairs means all, however many."""
    return [] if pairs else ["--all-pairs"]


def refuse_updating_groups(source: Any, function: str) -> None:
    """Raises ValueError for groups of MDAnalysis whose particles change, as numbers per particle need the same ones."""
    several = source.values() if isinstance(source, Mapping) else source
    groups = several if isinstance(source, (list, tuple, Mapping)) else [source]
    if any(type(group).__name__ == "UpdatingAtomGroup" for group in groups):
        raise ValueError(
            f"the group changes from frame to frame, but {function} follows the same particles: pass a group that "
            "does not update"
        )


def _with_progress(frames: Iterable[Frame], count: int | None, wanted: bool) -> Iterable[Frame]:
    if not wanted:
        return frames
    try:
        from tqdm import tqdm
    except ImportError:
        return frames
    shown: Iterable[Frame] = tqdm(frames, total=count, unit="frame")
    return shown


def _edge_options(edges: Any, r_max: float | None, bins: int | str | None) -> list[str]:
    """Returns the option --edges."""
    if r_max is not None or bins is not None:
        raise ValueError("edges define all bins: omit r_max and bins")
    try:
        numbers = np.asarray(edges, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TypeError(f"edges must be numbers ({error}): pass them as a list or an array") from None
    if numbers.ndim != 1:
        raise ValueError(f"edges have {numbers.ndim} dimensions: pass a list of at least 2 numbers")
    if not np.isfinite(numbers).all():
        raise ValueError("edges must be finite: remove NaN and infinite edges")
    return ["--edges", ",".join(repr(float(edge)) for edge in numbers)]


def _arguments(
    pairs: Pairs,
    r_max: float | None,
    bins: int | None,
    box: Any,
    species: Any,
    frames: slice,
    block: int | None,
    structure: Any = None,
    length_unit: str = "",
) -> list[str]:
    """Returns options of `starhist rdf` for the arguments of rdf()."""
    start, stop, step = frames.start, frames.stop, frames.step
    if any(number is not None and number < 0 for number in (start, stop, step)):
        raise ValueError("start, stop and step of a file count from its first frame: pass 0 or more")
    if stop is not None and stop <= (start or 0):
        raise ValueError(f"start={start or 0} and stop={stop} select no frame: pass a larger stop")
    if species is not None and not isinstance(species, str):
        raise TypeError("species of a file are rules, such as 'O=OW; H=HW1 HW2': pass a string")
    values = {
        "--pairs": pair_list(pairs),
        "--r-max": None if r_max is None else _settings.number(r_max, "r_max", "in the unit of the file"),
        "--bins": None if bins is None else _settings.integer(bins, "bins", 1),
        "--species": species,
        "--first": start,
        "--last": None if stop is None else stop - 1,
        "--step": step,
        "--block": None if block is None else _settings.integer(block, "frames_per_block", 1, 2**32 - 1),
        "--box": _box_of_files(box),
        "--structure": None if structure is None else os.fspath(structure),
        "--unit": length_unit,
    }
    given = {name: str(value) for name, value in values.items() if value not in (None, "")}
    for text in given.values():
        _settings.text(text, "the text")
    return [text for option in given.items() for text in option]


def _box_of_files(box: Any) -> str | None:
    """Returns the value of --box: "none", the path of a file with a box per frame, or numbers."""
    if box is None or isinstance(box, str):
        return box
    if isinstance(box, os.PathLike):
        return str(os.fspath(box))
    return ",".join(repr(float(number)) for number in as_box(box).numbers)
