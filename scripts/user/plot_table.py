#!/usr/bin/env python3
"""Plots a CSV table of `starhist export` or `starhist analyze`.

    scripts/user/plot_table.py sq.csv -o sq.svg [--curves O-O,total] [--x-max 150]

Draws each column against the first; the shade is one standard error, if the table has error
columns (--errors). Needs Matplotlib.
"""

import csv
import sys

from command_parser import CommandParser
from failures import problem_of
from figure_options import add_resolution
from output_files import write_figure
from rdf_figures import COLOURS, LINE_STYLES, STYLE, plt
from shown_text import in_figure
from units import symbol

ERROR = " standard error"
LABELS = {
    "sq": "$S(q)$",
    "xray": "X-ray scattering",
    "neutron": "neutron scattering",
    "kirkwood-buff": "$G(R)$",
    "blocks": "standard error",
    "g": "$g(r)$",
    "coordination": "$n(r)$",
    "counts": "pairs per bin",
}


class TableError(Exception):
    """A mistake of the user; printed without a traceback."""


def read(path):
    """Returns the facts in the comments, and the columns by name; undefined values are None."""
    facts, rows = {}, []
    with open(path, newline="", encoding="utf-8") as file:
        lines = file.read().splitlines()
    for line in lines:
        if line.startswith("# ") and ": " in line:
            name, value = line[2:].split(": ", 1)
            facts[name] = value
    rows = list(csv.reader(line for line in lines if not line.startswith("#")))
    if "quantity" not in facts or len(rows) < 2:
        raise TableError(f"{path}: not a CSV table of starhist export or analyze")
    try:
        columns = {name: [float(row[c]) if row[c] else None for row in rows[1:]] for c, name in enumerate(rows[0])}
    except (ValueError, IndexError) as error:
        raise TableError(f"{path}: cannot be read as a table ({error})") from error
    return facts, columns


def curve_names(columns, wanted):
    axis = next(iter(columns))
    helpers = {axis, "r_lower", "r_upper", "blocks", "relative uncertainty"}
    names = [name for name in columns if name not in helpers and not name.endswith(ERROR)]
    for name in wanted:
        if name not in names:
            raise TableError(f"there is no curve '{name}' (there are {', '.join(names)})")
    return wanted or names


def axis_label(axis, facts):
    unit = facts.get("q_unit" if axis == "q" else "length_unit", "unknown")
    if unit == "unknown" or axis == "frames per block":
        return axis
    unit = in_figure(symbol(unit.removeprefix("1/")))
    return f"${axis}$ ({unit})" if axis != "q" else f"$q$ ({unit}$^{{-1}}$)"


def draw(facts, columns, names, x_max):
    plt.rcParams.update(STYLE)
    figure, axes = plt.subplots(figsize=(3.5, 2.6), layout="constrained")
    axis = next(iter(columns))
    for k, name in enumerate(names):
        points = [
            i
            for i, value in enumerate(columns[name])
            if value is not None and (x_max is None or columns[axis][i] <= x_max)
        ]
        x, y = ([columns[of][i] for i in points] for of in (axis, name))
        colour = COLOURS[k % len(COLOURS)]
        axes.plot(
            x, y, color=colour, label=in_figure(name), linestyle=LINE_STYLES[k // len(COLOURS) % len(LINE_STYLES)]
        )
        if name + ERROR in columns:
            error = [columns[name + ERROR][i] or 0 for i in points]
            axes.fill_between(
                x,
                [v - e for v, e in zip(y, error)],
                [v + e for v, e in zip(y, error)],
                color=colour,
                alpha=0.3,
                linewidth=0,
            )
    if facts["quantity"] == "blocks":
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
    else:
        axes.set_xlim(0, x_max)
    axes.set_xlabel(axis_label(axis, facts))
    axes.set_ylabel(LABELS.get(facts["quantity"], facts["quantity"]))
    axes.legend(handlelength=1.6, labelspacing=0.3)
    return figure


def make_parser():
    parser = CommandParser(description=__doc__)
    parser.add_input("table", help="CSV file of starhist export or starhist analyze")
    parser.add_output(
        "-o",
        "--output",
        action="append",
        required=True,
        metavar="FILE",
        help="image file; its suffix (svg, png, pdf) selects the format; may be repeated",
    )
    parser.add_argument("--curves", default="", metavar="NAME,...", help="columns to draw (default: all)")
    parser.add_argument("--x-max", type=float, help="largest value of the first column")
    add_resolution(parser)
    return parser


def main():
    options = make_parser().parse_args()
    try:
        facts, columns = read(options.table)
        names = curve_names(columns, [name for name in options.curves.split(",") if name])
        figure = draw(facts, columns, names, options.x_max)
        write_figure(figure, options.output, options.dpi)
    except TableError as error:
        sys.exit(f"plot_table.py: {error}")
    except (OSError, ValueError) as error:
        sys.exit(f"plot_table.py: {problem_of(error)}")


if __name__ == "__main__":
    main()
