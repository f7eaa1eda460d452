"""Kinds of files that scripts write. An output whose name promises another kind, or that would replace a file of
another kind, is refused before the work begins."""

import os
import pathlib
import re
from dataclasses import dataclass

MOST_READ = 4096  # bytes of an existing file that show its kind
# Endings that promise a kind of file, beyond the endings of the kinds below.
PROMISES = set(
    """.h5 .hdf5 .h5md .xtc .trr .tng .dcd .nc .gro .g96 .pdb .cif .xyz .extxyz .lammpstrj .gsd .tpr .psf .prmtop .xvg
    .xlsx .ods .doc .docx .odt .md .yaml .yml .npy .npz .zip .gz .py""".split()
)


@dataclass(frozen=True)
class Kind:
    name: str
    endings: tuple
    begins: re.Pattern  # bytes with which a file of this kind begins
    is_only: bool = False  # whether the format comes from the ending, so that unknown endings are refused


FIGURE = Kind(
    "a figure",
    (".svg", ".png", ".pdf", ".eps", ".ps", ".jpg", ".jpeg", ".tif", ".tiff", ".webp"),
    re.compile(rb"\x89PNG|%PDF|%!PS|\xff\xd8\xff|II\*\0|MM\0\*|RIFF[\s\S]{4}WEBP|<\?xml[^>]*>\s*<!DOCTYPE svg|<svg"),
    True,
)
REPORT = Kind("an HTML page", (".html", ".htm", ".xhtml"), re.compile(rb"\s*<!DOCTYPE html", re.IGNORECASE))
PEAKS = Kind(
    "a table of peaks",
    (".csv", ".json", ".txt", ".dat"),
    re.compile(rb'# quantity: peaks|\{\s*"quantity": "peaks"|no peak stands|[^\n]+: [gp]\(r\)( smoothed by [^\n]+)?\n'),
)
KINDS = (FIGURE, REPORT, PEAKS)


def no_folder(folder):
    """The message about the folder of an output, which does not exist or is not a folder."""
    above = next((parent for parent in (folder, *folder.parents) if parent.exists()), folder)
    if not above.is_dir():
        return f"{above} is a file, not a folder (choose another folder)"
    return f"the folder {folder} does not exist (create it, or choose another)"


def refusal_of(path, kind):
    """Returns why `path` cannot be an output of a Kind (None: any), with the remedy; "" if it can."""
    if kind is None:
        return ""
    if str(path).endswith("/"):  # pathlib drops it
        return f"is a folder (pass the name of a file in it, such as {path}out{kind.endings[0]})"
    path = pathlib.Path(path)
    folder = pathlib.Path(os.path.realpath(path)).parent
    if not folder.is_dir():
        return no_folder(folder)
    if path.is_dir():
        return f"is a folder (pass the name of a file in it, such as {path / ('out' + kind.endings[0])})"
    ending = path.suffix.lower()
    promised = PROMISES.union(*(other.endings for other in KINDS))
    if ending and ending not in kind.endings and (kind.is_only or ending in promised):
        *most, last = kind.endings[:3]
        return f"the ending {path.suffix} is not one of {kind.name}: choose {', '.join(most)} or {last}"
    if not path.is_file() or os.fspath(path).startswith(("/dev/", "/proc/")):
        return ""
    try:
        with open(path, "rb") as file:
            content = file.read(MOST_READ)
    except OSError:
        return ""  # not readable; it may still be writable
    if content and not kind.begins.match(content):
        return f"would replace a file that is not {kind.name} (choose another name, or remove that file first)"
    return ""
