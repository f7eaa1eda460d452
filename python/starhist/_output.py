"""Runs the program of the package and returns its output."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from . import program
from ._messages import in_words_of_python
from ._warnings import warn

PREFIX = re.compile(r"starhist( [a-z]+)?: |warning: ")
Count = TypeVar("Count")
_WARNINGS = ("left out: ", "the selection ", "the counted particles leave ")
"""Begins of lines without the prefix in the summary of a run that are warnings."""


def output(arguments: Sequence[str]) -> bytes:
    """Returns the standard output of `starhist ARGUMENTS`. Raises ValueError or RuntimeError with its message."""
    return output_and_notes(arguments)[0]


def output_warned(arguments: Sequence[str], names: Mapping[str, str] | None = None) -> bytes:
    """Returns the standard output of `starhist ARGUMENTS`; its messages become warnings."""
    text, notes = output_and_notes(arguments, names)
    warn(notes)
    return text


def exported(path: str, quantity: str, *options: str) -> Any:
    """Returns the table of `starhist export` of a result file. Raises exceptions as output()."""
    return json.loads(output(["export", "--quantity", quantity, "--format", "json", *options, "--", path]))


def exported_curves(path: str, quantity: str, *options: str) -> tuple[Any, list[Any], list[Any]]:
    """Returns exported(), its curves and their standard errors, which are NaN with fewer than two blocks."""
    try:
        table = exported(path, quantity, "--errors", *options)
        return table, table["curves"][::2], table["curves"][1::2]
    except ValueError:  # one block
        table = exported(path, quantity, *options)
        return table, table["curves"], [{"value": [None] * len(curve["value"])} for curve in table["curves"]]


def values_of(curves: Sequence[Any]) -> npt.NDArray[np.float64]:
    """Returns the values of curves of exported(), one curve per row; NaN where undefined."""
    return np.array([curve["value"] for curve in curves], dtype=np.float64)


def unit_of(table: Mapping[str, Any], name: str = "length_unit") -> str:
    """Returns a unit of a table; "" if it is unknown."""
    return "" if table[name] == "unknown" else str(table[name])


def counted(
    command: str,
    arguments: Sequence[str],
    paths: Sequence[str],
    read: Callable[[str], tuple[Count, Any]],
    names: Mapping[str, str] | None = None,
) -> Count:
    """Returns the first of read(PATH) for the result of `starhist COMMAND ARGUMENTS PATHS`. Its messages become warnings of Python.

    names: as in output_and_notes().
    """
    with tempfile.TemporaryDirectory(prefix="starhist-") as folder:
        file = os.path.join(folder, "result.h5")
        _, lines = _run([command, "-o", file, *arguments, "--", *paths], names)
        warn(PREFIX.sub("", line, count=1).replace(file, "the result") for line in _messages(lines, file))
        return read(file)[0]


def _messages(lines: Sequence[str], file: str) -> list[str]:
    """Returns the lines before the summary of a run, which begins with the path of the result, and the warnings
    in the summary."""
    begin = next((k for k, line in enumerate(lines) if line.startswith(f"{file}: ")), len(lines))
    warnings = [line for line in lines[begin:] if PREFIX.match(line) or line.startswith(_WARNINGS)]
    return [*lines[:begin], *warnings]


def output_and_notes(arguments: Sequence[str], names: Mapping[str, str] | None = None) -> tuple[bytes, list[str]]:
    """Returns the standard output of `starhist ARGUMENTS` and its messages. Raises exceptions as output().

    names: the caller's names of temporary files, by path, for the messages.
    """
    text, lines = _run(arguments, names)
    return text, [PREFIX.sub("", line, count=1) for line in lines]


def with_names(text: str, names: Mapping[str, str]) -> str:
    """Returns a message with the caller's names of files and with keyword arguments."""
    for path, name in names.items():
        text = text.replace(path, name)
    return in_words_of_python(text)


def _run(arguments: Sequence[str], names: Mapping[str, str] | None = None) -> tuple[bytes, list[str]]:
    """Returns the standard output of `starhist ARGUMENTS` and the lines of its standard error."""
    done = program.call("starhist", arguments)
    text = with_names(done.stderr.decode(errors="replace").strip(), names or {})
    prefix = re.search(r"starhist( [a-z]+)?: ", text)
    problem = text[prefix.end() :] if prefix else text
    if done.returncode == 1:
        raise ValueError(problem)
    if done.returncode not in (0, 3):
        raise RuntimeError(problem or f"the program starhist ended with status {done.returncode}")
    return done.stdout, text.splitlines()
