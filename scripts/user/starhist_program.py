"""The starhist that scripts ask."""

import json
import os
import pathlib
import shutil
import subprocess
from collections import namedtuple

SCRIPTS = pathlib.Path(__file__).resolve().parent
DEFAULT = "the one that calls this script, else the one built or installed with it, else from PATH"


class NoProgram(Exception):
    """There is no starhist; printed without a traceback."""


class ResultError(Exception):
    """A result that cannot be used, or another mistake of the user; printed without a traceback."""


# The starhist that is asked, and options for each question.
Program = namedtuple("Program", "path options")


def find_program(named=""):
    """`named` if it is given, else STARHIST_PROGRAM, which starhist sets when it calls a script, else
    build/starhist of a source tree or bin/starhist of an installation, else starhist from PATH."""
    named = named or os.environ.get("STARHIST_PROGRAM")
    if named:
        return str(named)
    for beside in (SCRIPTS.parents[1] / "build/starhist", SCRIPTS.parents[2] / "bin/starhist"):
        if beside.is_file():
            return str(beside)
    found = shutil.which("starhist")
    if not found:
        raise NoProgram("there is no starhist beside this script and none in PATH (--program names it)")
    return found


def asking(path="", *, allow_external=False, unit="", out_unit=""):
    """The Program `path`, or that of find_program(), with the options of a script that reads a result."""
    given = [("--unit", unit), ("--out-unit", out_unit)]
    return Program(
        find_program(path),
        ["--allow-external"] * allow_external + [word for option in given if option[1] for word in option],
    )


def answer(program, command, *arguments):
    """Standard output of `starhist COMMAND`, as bytes. Raises ResultError with the program's message."""
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
    """(JSON that starhist prints, "") or (None, the message with which it refuses)."""
    try:
        return json.loads(answer(program, command, "--format", "json", *arguments)), ""
    except ResultError as refusal:
        return None, str(refusal)


def with_errors(program, command, result, quantity, *more):
    """As asked(), with standard errors if the result has blocks for them."""
    options = ("--quantity", quantity, *more)
    table, _ = asked(program, command, *options, "--errors", "--", result)
    return (table, "") if table else asked(program, command, *options, "--", result)
