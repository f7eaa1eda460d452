"""Species of particles: labels of users, and numbers of the extension."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from ._arrays import as_array

Pairs = Union[str, Iterable[Union[str, tuple[Any, Any]]], None]


def _order(name: str) -> tuple[bool, int, str]:
    """Whole numbers first, by value, then words: as the program orders species."""
    try:
        return (False, int(name), name)
    except ValueError:
        return (True, 0, name)


def as_labels(labels: Any) -> npt.NDArray[np.str_]:
    """A text for each particle; "" for None, a particle that is not counted."""
    if isinstance(labels, (str, bytes)):
        raise TypeError(
            f"species is the text {labels!r}: give one label for each particle, as in ['O', 'H', 'H']"
        )
    array = as_array(labels, "labels of species")
    if array.ndim != 1:
        raise ValueError(
            f"species have the shape {array.shape}: give one label for each particle"
        )
    if array.dtype.kind == "O":
        array = np.array(["" if label is None else str(label) for label in array], dtype=str)
    if array.dtype.kind not in "Uiu":
        raise TypeError(f"labels of species are of type {array.dtype}: give texts or whole numbers")
    return array.astype(str)


class Species:
    """Names of species, in the program's order, and which particles are of which."""

    labels: npt.NDArray[np.int32] | None
    """Of each particle; None: all are of one species."""

    def __init__(self, labels: Any, names: Iterable[Any] | None) -> None:
        if labels is None and names is not None:
            raise ValueError("there are names without species: give a label for each particle of the first frame")
        if labels is None:
            self.names, self.labels = ["all"], None
            return
        texts = as_labels(labels)
        distinct = {str(name) for name in np.unique(texts)} if names is None else {str(n) for n in names}
        self.names = sorted(distinct - {""}, key=_order)
        if not self.names:
            raise ValueError("species has no label: give one for each particle, or None for all alike")
        self.labels = self.numbers(texts)

    def numbers(self, labels: Any) -> npt.NDArray[np.int32]:
        """The number of the species of each label; -1: not counted."""
        names, inverse = np.unique(as_labels(labels), return_inverse=True)
        known = {name: number for number, name in enumerate(self.names)}
        known[""] = -1
        unknown = [str(name) for name in names if name not in known]
        if unknown:
            raise ValueError(
                f"'{unknown[0]}' is none of the species {', '.join(self.names)}: give those of all frames "
                "as names= of the counter"
            )
        of_name = np.array([known[str(name)] for name in names], dtype=np.int32)
        return np.ascontiguousarray(of_name[inverse.reshape(-1)], dtype=np.int32)


def pair_list(pairs: Pairs) -> str:
    """Pairs as the program takes them: "O-O,O-H"."""
    if pairs is None:
        return ""
    if isinstance(pairs, str):
        return pairs
    try:
        names = [pair if isinstance(pair, str) else f"{pair[0]}-{pair[1]}" for pair in pairs]
    except (TypeError, IndexError):
        raise TypeError(
            f"pairs is {pairs!r}: give 'O-O,O-H', ['O-O', 'O-H'] or [('O', 'O'), ('O', 'H')]"
        ) from None
    if not names:
        raise ValueError("pairs is empty: name the pairs to count, or give None for all")
    return ",".join(names)
