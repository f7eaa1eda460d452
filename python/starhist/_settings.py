"""Numbers and texts that users give as settings, checked, as what the extension takes."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

Axes = tuple[bool, bool, bool]


def number(value: Any, name: str, meaning: str) -> float:
    """A float; `meaning` says what the number is, such as its unit."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name} is {value!r}: give a number, {meaning}") from None


def integer(value: Any, name: str, least: int, most: int = 2**63 - 1) -> int:
    """A whole number from `least` to `most`."""
    try:
        whole = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}: give a whole number") from None
    if least <= whole <= most:
        return whole
    where = f"above {least - 1}" if whole < least else f"of at most {most}"
    raise ValueError(f"{name} is {whole}: give a whole number {where}")


def text(value: Any, name: str) -> str:
    """A text that the extension can take: UTF-8 without a NUL, where texts of C end."""
    given = str(value)
    if "\0" in given:
        raise ValueError(f"{name} {given!r} has a NUL character: leave it out")
    try:
        given.encode()
    except UnicodeEncodeError:
        raise ValueError(
            f"{name} {given!r} is no text that UTF-8 can hold: leave out half characters (surrogates)"
        ) from None
    return given


def axes(value: Any) -> Axes:
    """Three bools, one for each edge of the box."""
    remedy = "give three bools, one for each edge of the box, as in (True, True, False)"
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
    """Frames to take, as a slice of Python has them."""
    names = {"start": start, "stop": stop, "step": step}
    numbers = [None if value is None else integer(value, name, -(2**63)) for name, value in names.items()]
    if numbers[2] == 0:
        raise ValueError("step is 0: give 1 for every frame, 2 for every second one")
    return slice(*numbers)
