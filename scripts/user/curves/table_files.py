"""csv tables of `starhist export` and `starhist analyze`: reading, and the choice of their curves."""

import csv
from dataclasses import dataclass, replace

import numpy as np

from known_words import listed
from starhist_program import ResultError

ERROR = " standard error"
EXPERIMENT, RESIDUAL = "experiment", "residual"  # columns of analyze --experiment
HELPERS = {"r_lower", "r_upper", "time", "id", "blocks", "relative uncertainty", EXPERIMENT, RESIDUAL}
MOST_DRAWN = 12  # curves, unless --curves names more


@dataclass
class Table:
    """A csv table and the curves of it that are drawn."""

    facts: dict  # the comments, by name
    columns: dict  # arrays of equal length by name; the first one is the horizontal axis; NaN: undefined
    names: list  # of the columns that are drawn
    label: str = ""  # name of the table in the legend

    @property
    def axis(self):
        return next(iter(self.columns))

    def up_to(self, x_max):
        """Returns the table without the rows whose first column is above x_max."""
        kept = self.columns[self.axis] <= x_max
        return replace(self, columns={name: values[kept] for name, values in self.columns.items()})

    def in_legend(self, name):
        """Returns the text for a curve in the legend."""
        if not self.label:
            return name
        return self.label if len(self.names) == 1 else f"{name}, {self.label}"


def is_table(path):
    """Whether a file begins like a csv table of starhist."""
    try:
        with open(path, "rb") as file:
            return b", written by starhist" in file.readline(200)
    except OSError:
        return False


def read(path):
    """Returns the facts in the comments, and the columns by name, with NaN for undefined values."""
    facts = {}
    try:
        with open(path, newline="", encoding="utf-8") as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeError) as error:
        raise ResultError(f"{path}: cannot be read ({error})") from error
    for line in lines:
        if line.startswith("# ") and ": " in line:
            name, value = line[2:].split(": ", 1)
            facts[name] = value
    rows = list(csv.reader(line for line in lines if not line.startswith("#")))
    if "quantity" not in facts or len(rows) < 2:
        raise ResultError(f"{path}: not a csv table of curves (starhist export and analyze write them)")
    try:
        columns = {
            name: np.array([float(row[c]) if row[c] else np.nan for row in rows[1:]]) for c, name in enumerate(rows[0])
        }
    except (ValueError, IndexError) as error:
        raise ResultError(f"{path}: cannot be drawn as curves ({error})") from error
    if {"lag", "r"} <= columns.keys() or "axis2_bin_count" in facts:
        raise ResultError(
            f"{path}: a table of two axes, as of --map, has no curves (pass the result to starhist plot --map)"
        )
    first = next(iter(columns))
    if first == "lag" and np.isfinite(columns.get("time", np.nan)).all():
        columns = {"time": columns.pop("time"), **columns}
        del columns["lag"]
    return facts, columns


def not_positive(columns, names, scale):
    """Returns messages about values that a logarithmic axis cannot show. Raises ResultError for a curve without
    positive values."""
    notes = []
    x = next(iter(columns.values()))
    for name in names if scale else []:
        defined = np.isfinite(columns[name]) & ((x > 0) | (scale != "loglog"))
        left_out = defined & (columns[name] <= 0)
        if left_out.sum() == defined.sum():
            raise ResultError(f"'{name}' has only values that are not positive, which --scale {scale} cannot show")
        if left_out.any():
            notes.append(f"values of '{name}' that are not positive are left out: {left_out.sum()} (--scale {scale})")
    return notes


def equal_curves(columns, names):
    """Returns {name: earlier name} of the curves whose values equal an earlier curve's."""
    equal = {}
    for k, name in enumerate(names):
        for other in names[:k]:
            if np.allclose(columns[name], columns[other], rtol=1e-9, atol=0, equal_nan=True):
                equal.setdefault(name, other)
    return equal


def curve_names(columns, wanted):
    """Returns (names of the curves to draw, messages about curves left out)."""
    axis = next(iter(columns))
    names = [name for name in columns if name not in HELPERS | {axis} and not name.endswith(ERROR)]
    for name in wanted:
        if name not in names:
            raise ResultError(f"there is no curve '{name}' (there are {', '.join(names)})")
    chosen = wanted or names
    drawn = [name for name in chosen if np.isfinite(columns[name]).any()]
    if not drawn:
        raise ResultError(f"no curve to draw ({listed(chosen)} without a defined value)")
    notes = []
    if len(drawn) < len(chosen):
        notes.append(f"{listed(name for name in chosen if name not in drawn)} left out (without a defined value)")
    if not wanted and len(drawn) > MOST_DRAWN:
        notes.append(f"drawing only the first {MOST_DRAWN} of {len(drawn)} curves (choose others with --curves)")
        drawn = drawn[:MOST_DRAWN]
    equal = {} if wanted else equal_curves(columns, drawn)
    notes += [f"{name} left out (equal to {other})" for name, other in equal.items()]
    drawn = [name for name in drawn if name not in equal]
    return drawn, notes
