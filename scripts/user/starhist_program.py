"""Which starhist the scripts ask."""
import os
import pathlib
import shutil

SCRIPTS = pathlib.Path(__file__).resolve().parent
DEFAULT = "the one that calls this script, else the one built or installed with it, else from PATH"


class NoProgram(Exception):
    """There is no starhist; printed without a traceback."""


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
