"""Species of particles: converts labels of users to species numbers of the extension."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from ._arrays import as_array
from ._settings import text

Pairs = Union[str, Iterable[Union[str, tuple[Any, Any]]], None]


def _order(name: str) -> tuple[bool, int, str]:
    """Sort key of species, as in the program: integers first, by value, then words."""
    try:
        return (False, int(name), name)
    except ValueError:
        return (True, 0, name)


def _is_missing(label: Any) -> bool:
    """Whether a label is None, NaN, or pandas' NA or NaT; except for None, these do not equal themselves."""
    if label is None:
        return True
    try:
        return bool(label != label)
    except TypeError:  # pandas' NA
        return True
    except ValueError:  # an array
        return False


def _as_text(label: Any) -> str:
    """The name of a species; "" for a missing label."""
    if isinstance(label, str):
        return text(label, "the label")
    if _is_missing(label):
        return ""
    try:
        if isinstance(label, (bool, np.bool_)):
            raise TypeError
        return str(operator.index(label))
    except TypeError:
        raise TypeError(f"{label!r} is not a valid species label: pass strings or integers") from None


def as_labels(labels: Any) -> npt.NDArray[np.str_]:
    """Returns a string for each particle; "" for a missing label: that particle is not counted."""
    if isinstance(labels, (str, bytes)):
        raise TypeError(f"species is the string {labels!r}: pass one label for each particle, as in ['O', 'H', 'H']")
    array = as_array(labels, "labels of species")
    if isinstance(labels, (list, tuple)) and array.dtype.kind not in "iu":
        # In an array of strings, NumPy turns NaN into "nan" and strips trailing NULs.
        array = np.array(labels, dtype=object)
    if array.ndim != 1:
        raise ValueError(f"species have the shape {array.shape}: pass one label for each particle")
    if array.dtype.kind in "OT":
        given = array.tolist()
        try:
            known = {label: _as_text(label) for label in set(given)}
            return np.array([known[label] for label in given], dtype=str)
        except TypeError:  # a label is not hashable
            return np.array([_as_text(label) for label in given], dtype=str)
    if array.size > 0 and array.dtype.kind not in "Uiu":
        raise TypeError(f"labels of species have data type {array.dtype}: pass strings or integers")
    return array.astype(str)


def _as_names(names: Any) -> list[str]:
    if isinstance(names, (str, bytes)) or not isinstance(names, Iterable):
        raise TypeError(f"names is {names!r}: pass the name of each species, as in ['O', 'H']")
    return [_as_text(name) for name in names]


class Species:
    """Names of the species, in the program's order, and the species of each particle."""

    labels: npt.NDArray[np.int32] | None
    """Species number of each particle, -1: not counted. None: all particles are of one species."""

    def __init__(self, labels: Any, names: Iterable[Any] | None) -> None:
        if labels is None and names is not None:
            raise ValueError("there are names, but no labels: pass a label for each particle of the first frame")
        if labels is None:
            self.names, self.labels = ["all"], None
            return
        texts = as_labels(labels)
        distinct = {str(name) for name in (np.unique(texts) if names is None else _as_names(names))}
        self.names = sorted((text(name, "the label") for name in distinct - {""}), key=_order)
        if not self.names:
            raise ValueError(
                "species has no label (it is empty, or all labels are missing): pass one for each "
                "particle, the names of all species as names=, or species=None for a single species"
            )
        self.labels = self.numbers(texts)

    def numbers(self, labels: Any) -> npt.NDArray[np.int32]:
        """Returns the species number of each label; -1: not counted. Raises ValueError for an unknown label."""
        names, inverse = np.unique(as_labels(labels), return_inverse=True)
        known = {name: number for number, name in enumerate(self.names)}
        known[""] = -1
        unknown = [str(name) for name in names if name not in known]
        if unknown:
            raise ValueError(
                f"'{unknown[0]}' is not among the species {', '.join(self.names)}: pass the species of all "
                "frames as names=, as in names=['A', 'B', 'C']"
            )
        of_name = np.array([known[str(name)] for name in names], dtype=np.int32)
        return np.ascontiguousarray(of_name[inverse.reshape(-1)], dtype=np.int32)


def _pair_name(first: Any, second: Any) -> str:
    return f"{first}-{second}"


def pair_list(pairs: Pairs) -> str:
    """Returns pairs in the syntax of the program, such as "O-O,O-H"; "" for all pairs."""
    if pairs is None:
        return ""
    if isinstance(pairs, str):
        return pairs
    try:
        names = [pair if isinstance(pair, str) else _pair_name(*pair) for pair in pairs]
    except TypeError:
        raise TypeError(f"pairs is {pairs!r}: pass 'O-O,O-H', ['O-O', 'O-H'] or [('O', 'O'), ('O', 'H')]") from None
    if not names:
        raise ValueError("pairs is empty: name the pairs to count, or pass None for all")
    return ",".join(names)
