"""Runs the program of the package and returns its output."""

from __future__ import annotations

from collections.abc import Sequence

from . import program
from ._messages import in_words_of_python


def output(arguments: Sequence[str]) -> bytes:
    """Returns the standard output of `starhist ARGUMENTS`. Raises ValueError or RuntimeError with its message."""
    done = program.call("starhist", arguments)
    problem = in_words_of_python(done.stderr.decode(errors="replace").strip().removeprefix("starhist: "))
    if done.returncode == 1:
        raise ValueError(problem)
    if done.returncode not in (0, 3):
        raise RuntimeError(problem or f"the program starhist ended with status {done.returncode}")
    return done.stdout
