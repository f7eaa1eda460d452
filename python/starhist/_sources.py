"""Frames of what users have: arrays, generators, Atoms of ASE, Universes of MDAnalysis."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from ._arrays import as_array, is_gpu_array


class Frame(NamedTuple):
    """A frame, as :meth:`Counter.add` takes it."""

    positions: Any
    box: Any
    species: Any = None
    """Labels, where they are not those of the frame before."""
    time: float = 0.0


class Source(NamedTuple):
    """Frames, and what holds for all of them."""

    frames: Iterator[Frame]
    species: Any
    """Labels of the first frame; None: all particles alike."""
    length: int | None
    """Number of frames; None: not known."""
    names: Any = None
    """Names of all species, where the labels do not have all."""
    periodic: Any = (True, True, True)
    length_unit: str = ""
    time_unit: str = ""


def open_source(source: Any, box: Any, species: Any, frames: slice) -> Source:
    """Raises TypeError for what has no frames."""
    for module, opener in (("MDAnalysis", _of_mdanalysis), ("ase", _of_ase)):
        if module in sys.modules:
            found = opener(source, box, species, frames)
            if found is not None:
                return found
    return _of_arrays(source, box, species, frames)


def _slice(frames: Iterable[Any], part: slice) -> Iterator[Any]:
    return itertools.islice(frames, part.start, part.stop, part.step)


# ---- Arrays


def _of_arrays(source: Any, box: Any, species: Any, frames: slice) -> Source:
    if isinstance(source, tuple) and len(source) == 2 and _dimensions(source[0]) >= 2:
        if box is not None:
            raise ValueError("there are two boxes: give (positions, box), or positions and box=")
        source, box = source
    if isinstance(source, Iterator):
        pairs = (_frame_of_generator(item, box) for item in _slice(source, frames))
        return Source(pairs, species, None)
    positions = source if is_gpu_array(source) else as_array(source, "positions")
    if positions.ndim == 2:
        return Source(_slice([Frame(positions, box)], frames), species, 1)
    if positions.ndim != 3 or positions.shape[2] != 3:
        raise ValueError(
            f"positions have the shape {tuple(positions.shape)}: give particles x 3, or frames x particles x 3"
        )
    boxes = _boxes(box, len(positions))
    chosen = range(len(positions))[frames]
    return Source((Frame(positions[k], boxes[k]) for k in chosen), species, len(chosen))


def _dimensions(value: Any) -> int:
    """Of an array, also of one on a GPU, which NumPy does not take."""
    return int(value.ndim) if hasattr(value, "ndim") else np.ndim(value)


def _boxes(box: Any, frames: int) -> Any:
    """The box of each frame."""
    if box is None:
        return [None] * frames
    array = as_array(box, "the numbers of the box")
    if array.shape in ((3,), (6,), (9,)) or (array.shape == (3, 3)):
        if array.shape == (3, 3) and frames == 3:
            raise ValueError(
                "a box of 3 x 3 for 3 frames is a matrix for all, or 3 lengths for each: give frames x 3 "
                "x 3, or frames x 6"
            )
        return [array] * frames
    if len(array) != frames:
        raise ValueError(f"there are {frames} frames and boxes of the shape {array.shape}: give one box, or one for each frame")
    return array


def _frame_of_generator(item: Any, box: Any) -> Frame:
    if isinstance(item, tuple) and len(item) in (2, 3) and _dimensions(item[0]) == 2:
        return Frame(*item)
    return Frame(item, box)


# ---- ASE


def _of_ase(source: Any, box: Any, species: Any, frames: slice) -> Source | None:
    from ase import Atoms

    if isinstance(source, Atoms):
        source = [source]
    if isinstance(source, Iterator):
        first = next(source, None)
        source = itertools.chain([] if first is None else [first], source)
        if not isinstance(first, Atoms):
            return _of_arrays(source, box, species, frames)
        images, names, count = _slice(source, frames), None, None
    elif hasattr(source, "__len__") and len(source) > 0 and isinstance(source[0], Atoms):
        chosen = range(len(source))[frames]
        images, count = (source[k] for k in chosen), len(chosen)
        names = {symbol for k in chosen for symbol in set(source[k].symbols)}
    else:
        return None
    first = next(images, None)
    if first is None:
        return Source(iter(()), species, 0)
    labels = first.get_chemical_symbols() if species is None else species
    periodic = tuple(bool(p) for p in first.pbc)

    def read() -> Iterator[Frame]:
        before = labels
        for atoms in itertools.chain([first], images):
            if tuple(bool(p) for p in atoms.pbc) != periodic:
                raise ValueError("periodic axes change between the Atoms: count those alike by themselves")
            now = labels if species is not None else atoms.get_chemical_symbols()
            edges = np.asarray(atoms.cell) if box is None and any(periodic) else box
            yield Frame(atoms.positions, edges, None if now == before else now)
            before = now

    with_box = periodic if any(periodic) else (True,) * 3
    return Source(read(), labels, count, None if species is not None else names, with_box, "A")


# ---- MDAnalysis


def _of_mdanalysis(source: Any, box: Any, species: Any, frames: slice) -> Source | None:
    import MDAnalysis

    if isinstance(source, MDAnalysis.Universe):
        source = source.atoms
    if isinstance(source, MDAnalysis.AtomGroup):
        labels = names_of(source) if species is None else species
        return _of_group(source, labels, box, frames)
    if isinstance(source, Mapping):
        groups = dict(source)
    elif isinstance(source, (list, tuple)):
        groups = {f"group {k + 1}": group for k, group in enumerate(source)}
    else:
        return None
    if not groups or not all(isinstance(group, MDAnalysis.AtomGroup) for group in groups.values()):
        return None
    if species is not None:
        raise ValueError("groups are the species: leave species= out")
    together = sum(groups.values())
    labels = [name for name, group in groups.items() for _ in range(len(group))]
    if len(set(together.ix)) != len(together):
        raise ValueError(
            "groups share atoms, or one has an atom twice: give groups apart from each other, or use "
            "starhist.mdanalysis.InterRDF, which takes groups that share atoms"
        )
    return _of_group(together, labels, box, frames)


def names_of(group: Any) -> Any:
    """Names of atoms, as the program takes them; elements or types where there are over 40."""
    most = 40
    for attribute in ("names", "elements", "types"):
        labels = getattr(group, attribute, None)
        if labels is not None and len(set(labels)) <= most and all(labels):
            return labels
    raise ValueError(
        f"the atoms have no names, elements or types, or over {most} of each: say with species= which "
        "atoms are alike, as in species=universe.atoms.resnames"
    )


def _of_group(group: Any, labels: Any, box: Any, frames: slice) -> Source:
    trajectory = group.universe.trajectory
    chosen = range(len(trajectory))[frames]

    def read() -> Iterator[Frame]:
        for k in chosen:
            step = trajectory[k]
            edges = step.dimensions if box is None else box
            yield Frame(group.positions, edges, None, float(step.time))

    return Source(read(), labels, len(chosen), length_unit="A", time_unit="ps")
