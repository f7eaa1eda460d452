"""Runs the program of the package and returns its output."""

from __future__ import annotations

import re
from collections.abc import Sequence

from . import program
from ._messages import in_words_of_python
from ._warnings import warn

PREFIX = re.compile(r"starhist( [a-z]+)?: |warning: ")


def output(arguments: Sequence[str]) -> bytes:
    """Returns the standard output of `starhist ARGUMENTS`. Raises ValueError or RuntimeError with its message."""
    return output_and_notes(arguments)[0]


def output_warned(arguments: Sequence[str]) -> bytes:
    """Returns the standard output of `starhist ARGUMENTS`; its messages become warnings."""
    text, notes = output_and_notes(arguments)
    warn(notes)
    return text


def count(command: str, arguments: Sequence[str], paths: Sequence[str], file: str) -> None:
    """Runs `starhist COMMAND -o FILE ARGUMENTS PATHS`. Its warnings become warnings of Python."""
    _, lines = _run([command, "-o", file, *arguments, "--", *paths])
    found = [line for line in lines if PREFIX.match(line) or line.startswith(("left out: ", "the selection "))]
    warn(PREFIX.sub("", line, count=1).replace(file, "the result") for line in found)


def output_and_notes(arguments: Sequence[str]) -> tuple[bytes, list[str]]:
    """Returns the standard output of `starhist ARGUMENTS` and its messages. Raises exceptions as output()."""
    text, lines = _run(arguments)
    return text, [PREFIX.sub("", line, count=1) for line in lines]


def _run(arguments: Sequence[str]) -> tuple[bytes, list[str]]:
    """Returns the standard output of `starhist ARGUMENTS` and the lines of its standard error."""
    done = program.call("starhist", arguments)
    text = in_words_of_python(done.stderr.decode(errors="replace").strip())
    problem = text[max(text.find("starhist: "), 0) :].removeprefix("starhist: ")
    if done.returncode == 1:
        raise ValueError(problem)
    if done.returncode not in (0, 3):
        raise RuntimeError(problem or f"the program starhist ended with status {done.returncode}")
    return done.stdout, text.splitlines()
