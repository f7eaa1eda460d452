"""Runs the program of the package and returns its output."""

from __future__ import annotations

from collections.abc import Sequence

from . import program
from ._messages import in_words_of_python


def output(arguments: Sequence[str]) -> bytes:
    """Returns the standard output of `starhist ARGUMENTS`. Raises ValueError or RuntimeError with its message."""
    return output_and_notes(arguments)[0]


def output_and_notes(arguments: Sequence[str]) -> tuple[bytes, list[str]]:
    """Returns the standard output of `starhist ARGUMENTS` and its messages. Raises exceptions as output()."""
    done = program.call("starhist", arguments)
    text = in_words_of_python(done.stderr.decode(errors="replace").strip())
    problem = text.removeprefix("starhist: ")
    if done.returncode == 1:
        raise ValueError(problem)
    if done.returncode not in (0, 3):
        raise RuntimeError(problem or f"the program starhist ended with status {done.returncode}")
    return done.stdout, [line.removeprefix("starhist: ") for line in text.splitlines()]
