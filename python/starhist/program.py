"""Runs the program starhist that the package contains; it reads and writes all files."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

FOLDER = Path(__file__).parent / "program" / "bin"


def path(name: str = "starhist") -> Path:
    """Return the path of a program of the package.

    Parameters
    ----------
    name : str
        Name of the program.

    Returns
    -------
    pathlib.Path
    """
    return FOLDER / name


def environment() -> dict[str, str]:
    """Environment of the program: its scripts run with this Python."""
    return {"STARHIST_PYTHON": sys.executable, **os.environ}


def call(name: str, arguments: Sequence[str], stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run a program of the package. Ctrl-C ends it.

    Returns
    -------
    subprocess.CompletedProcess
        Its standard output and error as bytes, and its exit status.
    """
    return subprocess.run(
        [str(path(name)), *arguments], input=stdin, capture_output=True, env=environment(), check=False
    )


def main() -> None:
    """Entry point of the command `starhist`: replaces this process by the program."""
    program = str(path())
    os.execve(program, [program, *sys.argv[1:]], environment())
