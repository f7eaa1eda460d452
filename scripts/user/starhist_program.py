"""Which starhist the scripts ask."""
import json
import os
import pathlib
import shutil
import subprocess

SCRIPTS = pathlib.Path(__file__).resolve().parent
DEFAULT = "the one that calls this script, else the one built or installed with it, else from PATH"


class NoProgram(Exception):
    """There is no starhist; printed without a traceback."""


class NotInspected(Exception):
    """An HDF5 file that is not to be opened; printed without a traceback."""


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


def inspect(path, allow_external=False):
    """Lets starhist-inspect read the metadata of an HDF5 file within limits of memory and time, as a damaged
    one could crash this process. Raises NotInspected. Does nothing where that program is not beside starhist."""
    try:
        folder = pathlib.Path(find_program()).resolve().parent
    except NoProgram:
        return
    for inspector in (folder / "starhist-inspect", folder.parent / "libexec/starhist/starhist-inspect"):
        if inspector.is_file():
            break
    else:
        return
    run = subprocess.run([inspector, "follow" if allow_external else "refuse", path], capture_output=True, check=False)
    words = run.stdout.decode(errors="replace").split("\0")
    if run.returncode or words[-2:] != ["end", ""]:
        raise NotInspected(f"{path}: is an HDF5 file, but damaged (HDF5 crashes over its metadata, does not come "
                           "to an end or wants too much memory); copy it again, or check it with h5ls")
    if len(words) > 2 and not allow_external:
        raise NotInspected(f"{path}: {words[1] or '/'} lies in {words[2]} ({words[0]}; a file from elsewhere could "
                           "lead to any file of yours): say --allow-external if you know who made it")


def errors_caveat(result, path, pairs):
    """What is to be said beside error bands, as `starhist export` says it; "" if nothing is."""
    if all(curve.error is None for curve in result.curves):
        return ""
    try:
        run = subprocess.run([find_program(), "export", path, "--errors", "--format", "json",
                              *(["--pairs", pairs] if pairs else [])],
                             text=True, capture_output=True, check=False)
        return json.loads(run.stdout).get("errors_caveat", "") if run.returncode == 0 else ""
    except (NoProgram, OSError, ValueError):
        # Without starhist its block test cannot be asked.
        return (f"standard errors from {result.blocks} blocks are uncertain themselves"
                if result.blocks < 5 else "")
