"""Reads frames from the sources of rdf(): arrays, generators, ASE's Atoms, MDAnalysis' Universes and groups."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ._arrays import as_array, is_gpu_array


class Frame(NamedTuple):
    """A frame: arguments of :meth:`Counter.add`."""

    positions: Any
    box: Any
    species: Any = None
    """Labels; None: the same as in the previous frame."""
    time: float = 0.0


class Source(NamedTuple):
    """Frames, and the properties that they share."""

    frames: Iterator[Frame]
    species: Any
    """Labels of the first frame; None: all particles are of one species."""
    length: int | None
    """Number of frames; None: unknown."""
    names: Any = None
    """Names of all species, if the labels of the first frame lack some."""
    periodic: Any = (True, True, True)
    length_unit: str = ""
    time_unit: str = ""
    elements: Mapping[str, str] = {}
    """Element of each species that the source defines."""
    indices: Any = None
    """Index of each particle in MDAnalysis' Universe; None: its place in the frames."""
    residues: Any = None
    """Residue of each particle, a number from 0; None: unknown."""
    warn_without_box: bool = True
    """False: the source itself specifies that it is not periodic."""


def open_source(source: Any, box: Any, species: Any, names: Any, frames: slice) -> Source:
    """Returns the frames of `source`; see rdf() for the arguments. Raises TypeError or ValueError for an invalid source."""
    for module, opener in (("MDAnalysis", _of_mdanalysis), ("ase", _of_ase)):
        if module in sys.modules:
            found = opener(source, box, species, names, frames)
            if found is not None:
                return found
    return _of_arrays(source, box, species, names, frames)


def _place(item: Any) -> Any:
    """Where an array lies in memory; arrays of one place have the same numbers. For other objects, the object."""
    if isinstance(item, np.ndarray) and item.size > 0:
        return item.__array_interface__["data"][0], item.shape, item.strides
    return id(item)


def _refuse_one_state(items: Sequence[Any], name: str, repeats_allowed: bool = False) -> None:
    """Raises ValueError if neighbours in a list share their memory, as all of them then have its last state.

    repeats_allowed: one and the same object may be repeated, such as the box of all frames."""
    for k, (item, following) in enumerate(zip(items, items[1:])):
        if item is not None and _place(item) == _place(following) and not (repeats_allowed and item is following):
            raise ValueError(
                f"{name} {k} and {k + 1} of the list share their memory, so that all have its last state (MDAnalysis "
                "overwrites ts.positions and ts.dimensions in each frame, ASE the Atoms in a run): append copies, or "
                "pass an iterator"
            )


def _slice(frames: Iterable[Any], part: slice) -> Iterator[Any]:
    if any(number is not None and number < 0 for number in (part.start, part.stop, part.step)):
        raise ValueError("start, stop and step of an iterator count from its first frame: pass 0 or more")
    return itertools.islice(frames, part.start, part.stop, part.step)


# ---- Arrays


_ACCEPTED = (
    "pass a path, positions (particles x 3, or frames x particles x 3), (positions, box), an iterator or list of these, an "
    "MDAnalysis Universe or AtomGroup, a dictionary of AtomGroups, or Atoms of ASE"
)


def _of_arrays(source: Any, box: Any, species: Any, names: Any, frames: slice) -> Source:
    if isinstance(source, tuple) and len(source) == 2 and _dimensions(source[0]) >= 2:
        source, box = source[0], _one_box(source[1], box)
    first = source[0] if isinstance(source, list) and source else None
    if isinstance(box, list) and box and _dimensions(box[0]) > 0:
        _refuse_one_state(box, "the boxes", repeats_allowed=True)
    if isinstance(first, np.ndarray) and first.ndim > 1 and not isinstance(first, np.ma.MaskedArray):
        _refuse_one_state(source, "the positions")
    if isinstance(first, tuple) and first and _dimensions(first[0]) >= 2:  # not particles as tuples x, y, z
        _refuse_one_state([item[0] if isinstance(item, tuple) and item else item for item in source], "the positions")
        boxes_of_items = [item[1] if isinstance(item, tuple) and len(item) > 1 else None for item in source]
        _refuse_one_state(boxes_of_items, "the boxes", repeats_allowed=True)
        source, frames = iter(source[frames]), slice(None)
    if isinstance(source, Iterator):
        return _of_iterator(_slice(source, frames), box, species, names)
    positions = source if is_gpu_array(source) else as_array(source, "positions")
    if isinstance(positions, np.ndarray) and (positions.ndim == 0 or positions.dtype == object):
        kind = "None" if source is None else f"of type {type(source).__name__}"
        raise TypeError(f"the source is {kind}: {_ACCEPTED}")
    if positions.ndim == 2:
        positions, boxes = [positions], [box]
    elif positions.ndim == 3 and positions.shape[2] == 3:
        boxes = _boxes(box, len(positions))
    else:
        raise ValueError(
            f"positions have the shape {tuple(positions.shape)}: pass particles x 3, or frames x particles x 3"
        )
    chosen = range(len(positions))[frames]
    return Source((Frame(positions[k], boxes[k]) for k in chosen), species, len(chosen), names)


def _one_box(of_frame: Any, box: Any) -> Any:
    if of_frame is not None and box is not None:
        raise ValueError("there are two boxes: pass (positions, box), or positions and box=")
    return box if of_frame is None else of_frame


def _of_iterator(items: Iterator[Any], box: Any, species: Any, names: Any) -> Source:
    first = next(items, None)
    if first is None:
        return Source(iter(()), species, None, names)
    first = _frame_of_item(first, box)
    labels = first.species if species is None else species

    def read() -> Iterator[Frame]:
        yield first
        for item in items:
            frame = _frame_of_item(item, box)
            if labels is None and frame.species is not None:
                raise ValueError(
                    "a later frame has labels, but the first one does not: pass labels with the first frame, "
                    "or as species="
                )
            yield frame

    return Source(read(), labels, None, names)


def _dimensions(value: Any) -> int:
    """Number of dimensions of an array, which may be on a GPU."""
    return int(value.ndim) if hasattr(value, "ndim") else np.ndim(value)


def _boxes(box: Any, frames: int) -> Any:
    """Returns the box of each frame; raises ValueError if the shape of `box` is ambiguous or wrong."""
    if box is None:
        return [None] * frames
    array = as_array(box, "the numbers of the box")
    if array.ndim == 0 or array.shape in ((3,), (6,), (9,), (3, 3)):
        if array.shape == (3, 3) and frames == 3:
            raise ValueError(
                "a 3 x 3 box for 3 frames is ambiguous (one matrix for all, or 3 lengths for each): pass "
                "frames x 3 x 3, or frames x 6"
            )
        return [array] * frames
    if len(array) != frames:
        raise ValueError(
            f"there are {frames} frames and boxes of the shape {array.shape}: pass one box, or one for each frame"
        )
    return array


def _frame_of_item(item: Any, box: Any) -> Frame:
    if isinstance(item, tuple) and len(item) in (2, 3) and _dimensions(item[0]) == 2:
        frame = Frame(*item)
        return frame._replace(box=_one_box(frame.box, box))
    if hasattr(item, "positions") and hasattr(item, "dimensions"):  # MDAnalysis' Timestep
        raise TypeError(
            f"the iterator yields {item!r}, whose box would be left out: yield (ts.positions, ts.dimensions), or pass "
            "the Universe"
        )
    return Frame(item, box)


# ---- ASE


def _of_ase(source: Any, box: Any, species: Any, names: Any, frames: slice) -> Source | None:
    from ase import Atoms

    if isinstance(source, Atoms):
        source = [source]
    if isinstance(source, Iterator):
        first = next(source, None)
        source = itertools.chain([] if first is None else [first], source)
        if not isinstance(first, Atoms):
            return _of_arrays(source, box, species, names, frames)
        images, count = _slice(source, frames), None
    elif _is_sequence(source) and len(source) > 0 and isinstance(source[0], Atoms):
        if isinstance(source, (list, tuple)):
            _refuse_one_state(source, "the Atoms")
        chosen = range(len(source))[frames]
        images, count = (source[k] for k in chosen), len(chosen)
        if species is None and names is None:
            names = sorted({symbol for k in chosen for symbol in set(_atoms(source[k]).symbols)})
            if chosen and not names:
                raise ValueError("all Atoms are empty: pass at least one with atoms")
    else:
        return None
    first = next(images, None)
    if first is None:
        return Source(iter(()), species, 0)
    periodic = tuple(bool(p) for p in _atoms(first).pbc)
    labels = first.get_chemical_symbols() if species is None else species
    symbols = names or labels if species is None else []

    def read() -> Iterator[Frame]:
        before = None
        for atoms in itertools.chain([first], images):
            if tuple(bool(p) for p in _atoms(atoms).pbc) != periodic:
                raise ValueError("the periodic axes change between the Atoms: count each kind in a separate call")
            now = atoms.get_chemical_symbols() if species is None else None
            edges = np.asarray(atoms.cell) if box is None and any(periodic) else box
            yield Frame(atoms.positions, edges, None if now == before else now)
            before = now

    with_box = periodic if any(periodic) else (True,) * 3
    elements = {str(symbol): str(symbol) for symbol in symbols if symbol != "X"}  # ASE's symbol of a dummy
    return Source(read(), labels, count, names, with_box, "A", elements=elements, warn_without_box=False)


def _is_sequence(source: Any) -> bool:
    has_items = hasattr(source, "__len__") and hasattr(source, "__getitem__")
    return has_items and not isinstance(source, Mapping) and not hasattr(source, "ndim")  # arrays, tables of pandas


def _atoms(item: Any) -> Any:
    from ase import Atoms

    if not isinstance(item, Atoms):
        raise TypeError(f"the sequence of Atoms contains {item!r}: pass only Atoms")
    return item


# ---- MDAnalysis


def _refuse_trajectory(source: Any) -> None:
    """Raises TypeError for a trajectory of MDAnalysis, or Timesteps of one."""
    from MDAnalysis.coordinates.base import FrameIteratorBase, ProtoReader, Timestep

    items = [source, *source] if isinstance(source, (list, tuple)) else [source]
    if any(isinstance(item, (FrameIteratorBase, ProtoReader, Timestep)) for item in items):
        raise TypeError(
            "the source is a trajectory of MDAnalysis, or Timesteps of it, which lack the names of the atoms (and are "
            "one Timestep, which MDAnalysis overwrites, so that a list repeats one frame): pass the Universe, and frames "
            "as start=, stop= and step="
        )


def _of_mdanalysis(source: Any, box: Any, species: Any, names: Any, frames: slice) -> Source | None:
    import MDAnalysis
    from MDAnalysis.core.groups import UpdatingAtomGroup

    _refuse_trajectory(source)
    if isinstance(source, MDAnalysis.Universe):
        source = source.atoms
    if isinstance(source, MDAnalysis.AtomGroup):
        if isinstance(source, UpdatingAtomGroup):
            return _of_updating_group(source, box, species, names, frames)
        if _has_twice(source):
            raise ValueError("the group contains an atom twice (at distance 0 from itself): pass group.unique")
        labels = names_of(source) if species is None else species
        opened = _of_groups([source], labels, None, names, box, frames)
        return opened._replace(elements=_elements_of(source, labels)) if species is None else opened
    if isinstance(source, Mapping):
        groups = dict(source)
    elif isinstance(source, (list, tuple)):
        groups = {f"group {k + 1}": group for k, group in enumerate(source)}
    else:
        return None
    if not any(isinstance(group, MDAnalysis.AtomGroup) for group in groups.values()):
        return None
    for name, group in groups.items():
        if not isinstance(group, MDAnalysis.AtomGroup):
            raise TypeError(f"{name} is {group!r}: pass only AtomGroups")
        if len(group) == 0 and not isinstance(group, UpdatingAtomGroup):
            raise ValueError(f"{name} is an empty AtomGroup: omit it, or correct its selection")
    if species is not None:
        raise ValueError("each group is a species: omit species=")
    members = list(groups.values())
    if any(group.universe is not members[0].universe for group in members):
        raise ValueError(
            "the groups belong to several Universes, of which only one would move to the next frame: pass groups of one"
        )

    def labels_now() -> list[Any]:
        if _has_twice(*members):
            raise ValueError(
                "groups share atoms, or one contains an atom twice: pass disjoint groups, or use "
                "starhist.mdanalysis.InterRDF, which accepts groups that share atoms"
            )
        return [name for name, group in groups.items() for _ in range(len(group))]

    if any(isinstance(group, UpdatingAtomGroup) for group in members):
        return _of_groups(members, [], labels_now, list(groups) if names is None else names, box, frames)
    labels = labels_now()
    return _of_groups(members, labels, None, names, box, frames)._replace(elements=_elements_of(sum(members), labels))


def _has_twice(*groups: Any) -> bool:
    """Whether an atom is in two of the groups, or twice in one of them."""
    ix = np.concatenate([group.ix for group in groups])
    return len(np.unique(ix)) != len(ix)


def names_of(group: Any) -> Any:
    """Returns atom names, as the program uses them; elements or types if there are over 40 names."""
    return getattr(group, _attribute_of(group))


def _attribute_of(group: Any) -> str:
    most = 40
    for attribute in ("names", "elements", "types"):
        labels = getattr(group, attribute, None)
        if labels is not None and len(set(labels)) <= most and all(labels):
            return attribute
    raise ValueError(
        f"the atoms have no names, elements or types, or over {most} of each: pass a label for each atom "
        "as species=, as in species=universe.atoms.resnames"
    )


def _of_updating_group(group: Any, box: Any, species: Any, names: Any, frames: slice) -> Source:
    """Reads the trajectory twice: the species of all frames must be known before counting starts."""
    if species is not None:
        raise ValueError(
            "species= labels the atoms of one frame, but the group changes from frame to frame: omit species=, "
            "or pass a dictionary of groups, one for each species"
        )
    trajectory = group.universe.trajectory
    is_seen = np.zeros(len(group.universe.atoms), dtype=bool)
    before = trajectory.frame
    for k in range(len(trajectory))[frames]:
        trajectory[k]
        is_seen[group.ix] = True
    trajectory[before]
    seen = group.universe.atoms[is_seen]
    if len(seen) == 0:
        raise ValueError("the group is empty in all of these frames: pass a group with atoms")
    attribute = _attribute_of(seen)
    labels = getattr(seen, attribute)
    names = sorted(set(labels)) if names is None else names
    opened = _of_groups([group], [], lambda: getattr(group, attribute), names, box, frames)
    return opened._replace(elements=_elements_of(seen, labels))


def _elements_of(group: Any, labels: Any) -> dict[str, str]:
    """Returns the element of each label of which all atoms have the same one in the topology."""
    found: dict[str, set[str]] = {}
    for label, element in set(zip(labels, getattr(group, "elements", ()))):
        found.setdefault(str(label), set()).add(str(element))
    # A site without an atom has the element "" or, in tables of MDAnalysis, "DUMMY".
    single = {label: elements.pop() for label, elements in found.items() if len(elements) == 1}
    return {label: element for label, element in single.items() if 0 < len(element) < 3}


def _of_groups(
    groups: list[Any], labels: Any, labels_now: Callable[[], Any] | None, names: Any, box: Any, frames: slice
) -> Source:
    """Frames with the atoms of several groups. `labels_now`, if present, returns the labels of the current frame."""
    trajectory = groups[0].universe.trajectory
    chosen = range(len(trajectory))[frames]
    together: Any = None if labels_now else sum(groups[1:], groups[0])

    def read() -> Iterator[Frame]:
        before = trajectory.frame
        try:
            for k in chosen:
                step = trajectory[k]
                edges = step.dimensions if box is None else box
                if labels_now is None:
                    yield Frame(together.positions, edges, None, float(step.time))
                else:
                    positions = np.concatenate([group.positions for group in groups])
                    yield Frame(positions, edges, labels_now(), float(step.time))
        finally:  # the Universe is where the caller left it
            if trajectory.frame != before:
                trajectory[before]

    indices, residues = (None, None) if together is None else (together.ix, together.resindices)
    return Source(
        read(), labels, len(chosen), names, length_unit="A", time_unit="ps", indices=indices, residues=residues
    )
