"""Warns the callers of the package."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ._messages import in_words_of_python

if TYPE_CHECKING:
    from .result import Result


def warn(texts: Iterable[str]) -> None:
    """Issues a UserWarning for each different text, at the line that called the package."""
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == "starhist":
        frame, level = frame.f_back, level + 1
    for text in dict.fromkeys(texts):
        warnings.warn(text, UserWarning, stacklevel=level)


def warn_of_recorded(*tables: Mapping[str, Any], entry: str = "warning") -> None:
    """Warns about numbers that may be wrong, as the run recorded in tables of `starhist export`; with the entry
    "errors_caveat", about standard errors."""
    warn(in_words_of_python(table[entry]) for table in tables if entry in table)


def warn_of_undefined(result: Result) -> None:
    """Warns if g is NaN from a bin on up to the last one, unless it is NaN everywhere."""
    defined = np.flatnonzero(np.isfinite(result.g).any(axis=0))
    if not defined.size or defined[-1] + 1 == result.g.shape[1]:
        return
    end = int(defined[-1]) + 1
    r = f"{result.edges[end]:.10g}"
    unit = f" {result.length_unit}" if result.length_unit else ""
    remedy = f"pass r_max={r}"
    if not np.isfinite(result.n[:, end - 1]).any():
        reason = "the largest distance between two points of the box"
    elif result.geometry:
        reason = "half the shortest periodic edge of the boxes; larger shells do not fit into them"
    else:
        reason = "half the shortest lattice vector of all frames, because the box changes"
        remedy += ", or frames_per_block=1 to normalize each frame by its box"
    warn([f"g is NaN from r = {r}{unit} on ({reason}): {remedy}"])


def warn_of_half_box(result: Result) -> None:
    """Warns if g has peaks above 1.5 beyond half the box, where n is NaN. In liquids it is close to 1 there."""
    defined = np.flatnonzero(np.isfinite(result.n).any(axis=0))
    if not defined.size:
        return
    beyond = slice(defined[-1] + 1, None)
    fewest = 10  # pairs in a bin: fewer exceed 1.5 by chance
    if not ((result.g[:, beyond] > 1.5) & (result.counts[:, beyond] >= fewest)).any():
        return
    unit = f" {result.length_unit}" if result.length_unit else ""
    warn(
        [
            f"g beyond r = {result.edges[defined[-1] + 1]:.10g}{unit}, half the box, is right only for isotropic "
            "systems such as liquids (the box contains only parts of these shells): for a crystal, repeat the cell "
            "before counting"
        ]
    )


def warn_if_nothing_defined(result: Result) -> None:
    """Warns if g is NaN everywhere: without pairs, or because boxes are not periodic along all axes."""
    if np.isfinite(result.g).any():
        return
    if not (result.counts.any() or result.out_of_range.any()):
        warn(
            [
                "g is NaN (the frames have no pair of particles to count): pass two or more particles, or repeat a "
                "crystal's small cell before, as atoms.repeat(4) of ASE does"
            ]
        )
    elif not result.plane:
        warn(["g is NaN (the boxes are not periodic along all axes): pass geometry=, volume= or a box="])
