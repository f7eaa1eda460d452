"""Figure of a table of `starhist analyze --quantity kirkwood-buff --table`: G of each pair by each method."""

import csv

import numpy as np

from figures.legends import place_legend
from figures.rdf_figures import COLOURS, new_axes
from shown_text import in_figure
from starhist_program import ResultError
from units import symbol

HEADER = "quantity,of,method,value,standard error,unit"
PER_MOLE = "cm^3/mol"  # the same values as in the cubed length unit
MARKERS = "osD^vP"


def read_integrals(path):
    """Returns (unit, [(pair, method, G, standard error or NaN)]); None if the file is not such a table."""
    with open(path, newline="", encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    if not lines or lines[0].strip() != HEADER:
        return None
    rows = [row for row in csv.DictReader(lines) if row["quantity"] == "G" and row["unit"] != PER_MOLE]
    try:
        values = [
            (row["of"], row["method"], float(row["value"]), float(row["standard error"] or "nan"))
            for row in rows
            if row["value"]
        ]
    except (ValueError, TypeError) as error:
        raise ResultError(f"{path}: is damaged ({error}): write it again") from error
    if not values:
        raise ResultError(f"{path}: has no defined Kirkwood-Buff integral: write it again from a larger box")
    return rows[0]["unit"], values


def draw_integrals(unit, values, width, height=None):
    """Pairs from left to right, a marker for each method, bars of one standard error."""
    figure, axes = new_axes(width, height)
    pairs = list(dict.fromkeys(pair for pair, *_ in values))
    methods = list(dict.fromkeys(method for _, method, *_ in values))
    axes.axhline(0, color="0.75", linewidth=0.5, zorder=0)
    for k, method in enumerate(methods):
        own = [(pairs.index(pair), g, error) for pair, name, g, error in values if name == method]
        at, g, error = np.array(own).T
        shift = 0.7 * (k - (len(methods) - 1) / 2) / len(methods)
        axes.errorbar(
            at + shift, g, yerr=np.nan_to_num(error), fmt=MARKERS[k % len(MARKERS)], markersize=2.5, elinewidth=0.6,
            color=COLOURS[k % len(COLOURS)], label=in_figure(method), linestyle="none",
        )  # fmt: skip
    axes.set_xticks(range(len(pairs)), [in_figure(pair) for pair in pairs], rotation=60 if len(pairs) > 6 else 0)
    axes.tick_params(axis="x", which="minor", bottom=False, top=False)
    axes.set_xlim(-0.5, len(pairs) - 0.5)
    length = unit.removesuffix("^3")
    axes.set_ylabel("$G$" if length in ("", "unknown") else f"$G$ ({in_figure(symbol(length))}$^3$)")
    place_legend(axes, *axes.get_legend_handles_labels())
    return figure
