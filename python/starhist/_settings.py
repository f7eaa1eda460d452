"""Checks settings that users pass, and converts them to the types that the extension accepts."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

import numpy as np

Axes = tuple[bool, bool, bool]


def number(value: Any, name: str, meaning: str) -> float:
    """Returns `value` as a float. `meaning`, such as the unit, is part of the message of the TypeError."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name} is {value!r}: pass a number, {meaning}") from None


def integer(value: Any, name: str, least: int, most: int = 2**63 - 1) -> int:
    """Returns `value` as an int from `least` to `most`; raises TypeError or ValueError otherwise."""
    try:
        whole = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}: pass an integer") from None
    if least <= whole <= most:
        return whole
    where = f"at least {least}" if whole < least else f"at most {most}"
    raise ValueError(f"{name} is {whole}: pass an integer of {where}")


def text(value: Any, name: str) -> str:
    """Returns str(value); raises ValueError if it has a NUL or cannot be encoded in UTF-8 (C strings)."""
    given = str(value)
    if "\0" in given:
        raise ValueError(f"{name} {given!r} has a NUL character: remove it")
    try:
        given.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name} {given!r} cannot be encoded in UTF-8: remove unpaired surrogates") from None
    return given


_OTHER_OUTPUT = ("--output", "-o", "--format", "--table", "--explain", "--help", "-h")
"""Options with which the program prints or writes something else than a call of the package reads."""


def program_options(given: Iterable[str], command: str) -> list[str]:
    """Returns options= of a call that runs `starhist COMMAND`. Raises TypeError for a string, and ValueError for
    options that change the output."""
    if isinstance(given, (str, bytes)):
        raise TypeError(f"options is the string {given!r}: pass a list of words, as in {str(given).split()}")
    words = [text(word, "the option") for word in given]
    for word in words:
        name = word.partition("=")[0]
        if name in _OTHER_OUTPUT or (name.startswith("-o") and not name.startswith("--")):
            raise ValueError(
                f"options contain {name}, which changes the output of the program: omit it, or run starhist {command}"
            )
    return words


def axes(value: Any) -> Axes:
    """Returns three bools, one for each edge of the box; raises TypeError or ValueError for other values."""
    remedy = "pass three bools, one for each edge of the box, as in (True, True, False)"
    try:
        given = list(value)
    except TypeError:
        raise TypeError(f"periodic is {value!r}: {remedy}") from None
    if not all(isinstance(p, (bool, np.bool_, int, np.integer)) and p in (0, 1) for p in given):
        raise TypeError(f"periodic is {value!r}: {remedy}")
    if len(given) != 3:
        raise ValueError(f"periodic is {value!r}: {remedy}")
    return bool(given[0]), bool(given[1]), bool(given[2])


def part(start: Any, stop: Any, step: Any) -> slice:
    """Returns the frames to count as a slice; raises TypeError or ValueError for invalid numbers."""
    names = {"start": start, "stop": stop, "step": step}
    numbers = [None if value is None else integer(value, name, -(2**63)) for name, value in names.items()]
    if numbers[2] == 0:
        raise ValueError("step is 0: pass 1 for every frame, 2 for every second frame")
    return slice(*numbers)
