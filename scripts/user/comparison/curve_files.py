"""Reads curves of other programs: xvg, csv, dat and json."""

import csv
import json
import pathlib
import re
from dataclasses import dataclass, field

import numpy as np

from comparison.column_names import is_g, is_other
from comparison.own_exports import MERGED, facts_of
from failures import problem_of
from shown_text import shown
from starhist_program import ResultError
from units import LENGTHS, spelling

ERROR = " standard error"
X_NAMES = ("r", "x", "bins", "bin_centers", "distance")
TRAJECTORIES = (
    ".xtc .trr .tng .dcd .nc .ncdf .gro .g96 .pdb .ent .cif .mmcif .xyz .extxyz .lammpstrj .gsd .h5md .tpr .psf .prmtop"
).split()
# Numbers separated by semicolons, tabs or blanks, at least one of them with a decimal comma.
DECIMAL_COMMAS = re.compile(
    r"(?=.*\d,\d)[-+]?\d+(?:[.,]\d+)?(?:[eE][-+]?\d+)?(?:\s*[;\s]\s*[-+]?\d+(?:[.,]\d+)?(?:[eE][-+]?\d+)?)+"
)
NUMBER = re.compile(r"[-+]?(\d*)(?:\.(\d*))?([eEdD][-+]?\d+)?")
FULL = 15  # significant digits of numbers in full precision
SELECTION = re.compile(r'(?:name|atomname|type|group)\s+"?([^\s"]+)"?')


@dataclass
class CurveFile:
    """Curves over a common axis."""

    r: np.ndarray
    columns: dict  # label: values
    unit: str  # of r; "" if the file does not specify it
    rounding: dict  # label: largest rounding error of each value
    facts: dict  # of a table of starhist; {} of other files
    notes: list = field(default_factory=list)  # messages for people about the reading


def read_curves(path):
    """Returns the CurveFile `path`. Raises ResultError for other files, and if r does not increase."""
    endings = pathlib.Path(path).suffixes[-2:]
    if any(ending.lower() in TRAJECTORIES for ending in endings) and pathlib.Path(path).is_file():
        raise ResultError(f"{path}: is a trajectory or a structure, not a curve: count it with starhist rdf first")
    try:
        text = pathlib.Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise ResultError(problem_of(error)) from error
    if "\0" in text:
        raise ResultError(f"{path}: not a table of r and g(r) (a binary file): pass xvg, csv, dat or json")
    return curves_in(path, text)


def curves_in(path, text):
    """Returns the CurveFile of a file's text. Raises ResultError like read_curves()."""
    is_json = text.lstrip()[:1] in ("{", "[")
    quantity = _other_quantity(text)
    if quantity:
        raise ResultError(
            f"{path}: holds {quantity}, not g(r): pass a curve of g(r), which starhist export --quantity g writes"
        )
    for number, line in enumerate(text.splitlines(), 1):
        if DECIMAL_COMMAS.fullmatch(line.strip()):
            raise ResultError(
                f"{path}: line {number} '{shown(line.strip()[:40])}' has decimal commas (a comma separates columns): write "
                "decimal points"
            )
    try:
        names, rows, unit, words, tables = _from_json(text) if is_json else _from_text(text)
        facts = facts_of(text, is_json)
    except (ValueError, KeyError, TypeError) as error:
        raise ResultError(f"{path}: not a table of r and g(r) ({error}): pass xvg, csv, dat or json") from error
    table = np.array(rows, float)
    if table.ndim != 2 or table.shape[1] < 2 or len(table) < 8:
        raise ResultError(
            f"{path}: not a table of r and g(r) (needs two columns and eight rows): pass xvg, csv, dat or json"
        )
    first = (
        1 if table.shape[1] > 2 and (table[:, 0] == np.arange(1, len(table) + 1)).all() else 0
    )  # LAMMPS numbers rows
    r, names = table[:, first], names[first:]
    if not np.isfinite(r).all() or (np.diff(r) <= 0).any():
        row = int(np.flatnonzero(~(np.diff(r) > 0))[0]) + 1 if len(r) > 1 else 0
        raise ResultError(
            f"{path}: r does not increase at row {row + 1} (a curve has one value for each r): sort the rows"
        )
    gaps = np.diff(r)
    if np.ptp(gaps) > 0.02 * np.median(gaps) and MERGED not in facts:
        row = int(np.argmax(abs(gaps - np.median(gaps)))) + 1
        raise ResultError(
            f"{path}: the step of r changes at row {row + 1} from {np.median(gaps):.6g} to {gaps[row - 1]:.6g} (rows are "
            "missing or bins differ in width): pass a curve with bins of one width"
        )
    labels = {k: names[k] if names[k:] else f"column {k + 1}" for k in range(1, table.shape[1] - first)}
    columns = {label: table[:, first + k] for k, label in labels.items()}
    rounding = {
        label: rounding_of([row[first + k] for row in words]) if words else np.zeros(len(r))
        for k, label in labels.items()
    }
    notes = [f"the file has tables of {tables} time steps, of which the last is compared"] if tables > 1 else []
    return CurveFile(r, columns, unit, rounding, facts, notes)


def rounding_of(words):
    """Returns the largest rounding error of each word: half its last digit; 0 in full precision.

    Words of one number of decimals were printed with fixed decimals. Other words had the same number of significant
    digits before trailing zeros were removed, as by %g.
    """
    values = np.array([float(word) if word else np.nan for word in words])
    parts = [match.groups(default="") for word in words if word and (match := NUMBER.fullmatch(word))]
    parts = [part for part in parts if (part[0] + part[1]).strip("0")]
    if not parts:
        return np.zeros(len(values))
    decimals = {len(part[1]) for part in parts}
    significant = max(len((part[0] + part[1]).lstrip("0")) for part in parts)
    if significant >= FULL:
        return np.zeros(len(values))
    if len(decimals) == 1 and not any(part[2] for part in parts):
        return np.full(len(values), 0.5 * 10.0 ** -decimals.pop())
    sizes = np.floor(np.log10(np.where(np.isfinite(values) & (values != 0), abs(values), 1.0)))
    return np.where(values == 0, 0.0, 0.5 * 10.0 ** (sizes + 1 - significant))


def _other_quantity(text):
    """Returns the quantity that the first lines of a file name, unless it is g(r); otherwise ""."""
    head = text[:4000]
    own = re.search(r'^# quantity: (\S+)|"quantity":\s*"([^"]*)"', head, re.MULTILINE)
    if own:
        quantity = own[1] or own[2]
        return "" if quantity == "g" else quantity
    # gmx rdf -cn
    return "cumulative numbers" if re.search(r'^@\s*title\s+"Cumulative Number', head, re.MULTILINE) else ""


def _unit_in(text):
    """Length unit in text such as "r (nm)"; "" without one."""
    for word in re.findall(r"[(\[]\s*([^)\]\s]+)\s*[)\]]", text):
        if spelling(word) in LENGTHS:
            return spelling(word)
    return ""


def _from_json(text):
    data = json.loads(text)
    if isinstance(data, list):
        return ["r", "g"], data, "", [], 1
    unit = data.get("length_unit", data.get("unit", ""))
    name = next((name for name in X_NAMES if isinstance(data.get(name), list)), None)
    if name is None:
        raise ValueError(f"no list named {' or '.join(X_NAMES)}")
    if isinstance(data.get("curves"), list):
        columns = {curve["label"]: curve["value"] for curve in data["curves"]}
    else:
        columns = {
            key: value
            for key, value in data.items()
            if key != name and isinstance(value, list) and len(value) == len(data[name])
        }
    rows = [[np.nan if value is None else value for value in row] for row in zip(data[name], *columns.values())]
    return [name, *columns], rows, "" if unit == "unknown" else spelling(str(unit)), [], 1


def _names_in(comment, columns):
    """Names of the columns in a comment above a table, such as "# r g(r) n(r)", or []."""
    words = re.sub(r"\s[(\[][^()\[\]]*[)\]]", "", comment.lstrip("#")).split()
    if len(words) < columns or re.split(r"[(\[_]", words[0].lower())[0] not in (*X_NAMES, "bin", "row"):
        return []
    if len(words) > columns and not all(is_g(word) or is_other(word) for word in words[1:columns]):
        return []
    return words[:columns]


def _split(line):
    separator = next((mark for mark in (",", ";", "\t") if mark in line), None)
    words = next(csv.reader([line], delimiter=separator)) if separator else line.split()
    return [word.strip() for word in words]


def _is_number(word):
    try:
        return not word or float(word) is not None
    except ValueError:
        return False


def _from_text(text):
    names, rows, unit, comments, reference, tables = [], [], "", [], "", 1
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if line.startswith(("#", "@")):
            found = re.match(r"# length_unit: (\S+)", line)
            unit = unit or (spelling(found[1]) if found and found[1] != "unknown" else "")
            if re.match(r"@\s*xaxis\s+label", line) or line.startswith("#"):
                unit = unit or _unit_in(line)
            legend = re.match(r'@\s*s\d+\s+legend\s+"(.*)"', line)
            if legend:
                names.append(legend[1])
            subtitle = re.match(r'@\s*subtitle\s+"reference (.*)"', line)  # gmx rdf; its legends name the other species
            reference = subtitle[1] if subtitle else reference
            if line.startswith("#") and not rows:
                comments.append(line)
            continue
        if not line or line.startswith("&"):
            continue
        words = _split(line)
        wrong = next((word for word in words if not _is_number(word)), None)
        if wrong is not None:
            if rows:
                raise ValueError(f"line {number}: '{wrong[:40]}' is not a number")
            names, unit = words, unit or _unit_in(line)
            continue
        if rows and len(words) != len(rows[-1]):
            if len(words) >= 2 and len(words) > len(rows[-1]) and len(rows) == 1:
                rows = []  # LAMMPS: "timestep rows" above the table
            elif len(words) == 2:
                rows = []  # LAMMPS: the next time step; the last one is kept
                tables += 1
                continue
            else:
                raise ValueError(f"line {number} has {len(words)} columns instead of {len(rows[-1])}")
        rows.append(words)
    if reference:
        names = [f"{_species_of(reference)}-{_species_of(name)}" for name in names]
    if rows and not names:
        names = next(filter(None, (_names_in(comment, len(rows[0])) for comment in reversed(comments))), [])
    # starhist export --like lammps names the pairs of its columns.
    pairs = dict(re.findall(r"(c_rdf\[\d+\]) c_rdf\[\d+\] of (\S+?)(?:,|$)", comments[0] if comments else ""))
    names = [pairs.get(name, name) for name in names]
    if names and rows and len(names) == len(rows[0]) - 1:
        names = ["r", *names]
    return names, [[float(word) if word else np.nan for word in row] for row in rows], unit, rows, tables


def _species_of(selection):
    """A selection of gmx, such as "name OW", as a species."""
    found = SELECTION.fullmatch(selection.strip())
    return found[1] if found else selection.strip()


def value_columns(curve_file):
    """Labels of the columns with curves, without standard errors and bin edges."""
    helpers = {"r_lower", "r_upper"}
    return [name for name in curve_file.columns if name not in helpers and not name.endswith(ERROR)]
