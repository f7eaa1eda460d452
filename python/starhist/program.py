"""The program starhist, which the package brings along: it reads and writes files."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

FOLDER = Path(__file__).parent / "program" / "bin"


def path(name: str = "starhist") -> Path:
    """Where a program of the package is.

    Parameters
    ----------
    name : str
        Its name.

    Returns
    -------
    pathlib.Path
    """
    return FOLDER / name


def environment() -> dict[str, str]:
    """The environment for it: scripts run by this Python."""
    return {"STARHIST_PYTHON": sys.executable, **os.environ}


def call(name: str, arguments: Sequence[str], stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Runs a program of the package. Ctrl-C ends it.

    Returns
    -------
    subprocess.CompletedProcess
        With what it has printed, and its exit status.
    """
    return subprocess.run(
        [str(path(name)), *arguments], input=stdin, capture_output=True, env=environment(), check=False
    )


def main() -> None:
    """`starhist` on the command line: the program takes the place of this process."""
    program = str(path())
    os.execve(program, [program, *sys.argv[1:]], environment())
