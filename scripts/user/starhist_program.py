"""Finds and runs the program starhist for scripts."""

import json
import os
import pathlib
import shutil
import subprocess
from collections import namedtuple

SCRIPTS = pathlib.Path(__file__).resolve().parent
DEFAULT = "the calling starhist, the one built or installed with this script, or the one in PATH"


class NoProgram(Exception):
    """starhist was not found; printed without a traceback."""


class ResultError(Exception):
    """An unusable result, or another mistake of the user; printed without a traceback."""


# Path of starhist, and options of each call.
Program = namedtuple("Program", "path options")


def find_program(named=""):
    """Returns the first that exists: `named`; STARHIST_PROGRAM, which starhist sets when it calls a script;
    build/starhist of a source tree or bin/starhist of an installation; starhist in PATH."""
    named = named or os.environ.get("STARHIST_PROGRAM")
    if named:
        return str(named)
    for beside in (SCRIPTS.parents[1] / "build/starhist", SCRIPTS.parents[2] / "bin/starhist"):
        if beside.is_file():
            return str(beside)
    found = shutil.which("starhist")
    if not found:
        raise NoProgram("starhist is neither installed with this script nor in PATH (pass its path with --program)")
    return found


def asking(path="", *, allow_external=False, unit="", out_unit=""):
    """Returns the Program `path` (default: find_program()) with the options of a script that reads a result."""
    given = [("--unit", unit), ("--out-unit", out_unit)]
    return Program(
        find_program(path),
        ["--allow-external"] * allow_external + [word for option in given if option[1] for word in option],
    )


def answer(program, command, *arguments):
    """Returns the standard output of `starhist COMMAND` as bytes. Raises ResultError with the program's message."""
    try:
        run = subprocess.run(
            [program.path, command, *program.options, *map(os.fspath, arguments)], capture_output=True, check=False
        )
    except OSError as error:
        raise NoProgram(f"{program.path} cannot be run ({error.strerror})") from error
    if run.returncode:
        message = run.stderr.decode(errors="replace").strip().removeprefix("starhist: ")
        raise ResultError(message or f"{program.path} {command} ended with status {run.returncode}")
    return run.stdout


def asked(program, command, *arguments):
    """Returns (JSON printed by starhist, "") or (None, its error message)."""
    try:
        return json.loads(answer(program, command, "--format", "json", *arguments)), ""
    except ResultError as refusal:
        return None, str(refusal)


def with_errors(program, command, result, quantity, *more):
    """Like asked(), with standard errors if the result has enough blocks."""
    options = ("--quantity", quantity, *more)
    table, _ = asked(program, command, *options, "--errors", "--", result)
    return (table, "") if table else asked(program, command, *options, "--", result)
