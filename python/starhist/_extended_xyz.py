"""Writes the frames of a source to an extended XYZ file, for quantities that the program counts from files."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import NONE, as_array, as_box, edges_of
from ._sources import Source
from ._species import as_labels

ELEMENT_OPTIONS = ["--by", "name"]
"""Options with which the program reads the elements of write_frames(): species are the names."""


def write_frames(path: str, source: Source, periodic: Sequence[bool], with_residues: bool) -> npt.NDArray[np.int64]:
    """Writes positions as the shortest decimals that return the same double, so counts are exact.

    Particles with a missing label are left out. A label is the name of a particle, not its element; the source's
    elements, if it has any, are in a separate column (ELEMENT_OPTIONS). `with_residues`: writes the source's
    residues, and the particles of each one together, as the reader expects them. Returns the index in the source of
    each particle written. Raises ValueError if particles change between frames, if a label cannot be written, or
    without frames.
    """
    labels: Any = None
    chosen: Any = None
    ends: Any = itertools.repeat("")
    properties = "name:S:1:pos:R:3" + (":resid:I:1" if with_residues else "")
    properties += ":element:S:1" if source.elements else ""
    frames = 0
    with open(path, "w", encoding="utf-8") as file:
        for frame in source.frames:
            positions = as_array(frame.positions, "positions")
            if positions.ndim != 2 or positions.shape[1] != 3:
                raise ValueError(f"positions have the shape {positions.shape}: pass particles x 3 for each frame")
            now = None if frame.species is None else as_labels(frame.species)
            if labels is None:
                given = source.species if now is None else now
                labels = np.full(len(positions), "all") if given is None else as_labels(given)
                _check_labels(labels)
                chosen = np.flatnonzero(labels != "")
                if with_residues:
                    chosen = chosen[np.argsort(source.residues[chosen], kind="stable")]
                    ends = [f" {residue}" for residue in source.residues[chosen].tolist()]
                if source.elements:
                    symbols = (_element(source, label) for label in labels[chosen].tolist())
                    ends = [f"{end} {symbol}" for end, symbol in zip(ends, symbols)]
            elif now is not None and not np.array_equal(now, labels):
                raise ValueError(
                    f"the labels of frame {frames} differ from the first frame's, but particles must be the same, in "
                    "the same order, in all frames: pass a source whose particles do not change, or the path of a "
                    'trajectory with a rule that is evaluated in each frame, such as species="A=name OW and z > 2"'
                )
            if len(positions) != len(labels):
                raise ValueError(
                    f"frame {frames} has {len(positions)} particles, but there are {len(labels)} labels: particles "
                    "must be the same, in the same order, in all frames"
                )
            time = f" Time={float(frame.time)!r}" if source.time_unit else ""
            file.write(f"{len(chosen)}\n{_lattice(frame.box, periodic)}Properties={properties}{time}\n")
            rows = positions[chosen].astype(np.float64).tolist()
            file.writelines(
                f"{name} {x!r} {y!r} {z!r}{end}\n" for name, (x, y, z), end in zip(labels[chosen].tolist(), rows, ends)
            )
            frames += 1
    if frames == 0:
        raise ValueError("the source has no frames: pass at least one")
    indices: npt.NDArray[np.int64] = chosen if source.indices is None else source.indices[chosen]
    return indices


def _element(source: Source, label: str) -> str:
    symbol = source.elements.get(label, "")
    return symbol if symbol.isalpha() else "X"  # X: unknown


def _check_labels(labels: Any) -> None:
    for label in np.unique(labels).tolist():
        if label and (label != "".join(label.split()) or set(label) & set('"=')):
            raise ValueError(
                f'the label {label!r} contains a blank, a quote (") or =: rename the species (AtomGroups of a list are '
                "called 'group 1', ...: pass a dictionary of groups)"
            )


def _lattice(box: Any, periodic: Sequence[bool]) -> str:
    """The keys of the box; "" for a frame without a box."""
    axes = (bool(periodic[0]), bool(periodic[1]), bool(periodic[2]))
    made = as_box(box, axes)
    if made.kind == NONE or not any(axes):
        return ""
    edges = np.where(np.array(axes)[:, None], edges_of(made), 0.0)
    numbers = " ".join(repr(number) for number in edges.ravel().tolist())
    return f'Lattice="{numbers}" pbc="{" ".join("FT"[axis] for axis in axes)}" '
