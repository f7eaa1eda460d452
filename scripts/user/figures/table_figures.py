"""Figures of csv tables of `starhist export` and `starhist analyze`, with measured curves and residuals."""

import csv

import numpy as np

from figures.legends import place_legend
from figures.rdf_figures import COLOURS, LINE_STYLES, STYLE, plt
from shown_text import in_figure
from starhist_program import ResultError
from units import symbol

ERROR = " standard error"
EXPERIMENT, RESIDUAL = "experiment", "residual"  # columns of analyze --experiment
HELPERS = {"r_lower", "r_upper", "time", "blocks", "relative uncertainty", EXPERIMENT, RESIDUAL}
LABELS = {
    "sq": "$S(q)$",
    "xray": "X-ray scattering",
    "neutron": "neutron scattering",
    "kirkwood-buff": "$G(R)$",
    "blocks": "standard error",
    "g": "$g(r)$",
    "coordination": "$n(r)$",
    "counts": "pairs per bin",
    "fqt": "$F(q, t)$",
    "fqt-self": r"$F_\mathrm{s}(q, t)$",
    "fqt-distinct": r"$F_\mathrm{d}(q, t)$",
    "self": r"$G_\mathrm{s}(r, t)$",
    "self-counts": "displacements per bin",
    "msd": r"$\langle \Delta r^2 \rangle$",
}
# Forms of the pair distribution function with a unit of 1/length to this power.
INVERSE_LENGTHS = {"GPDF": 2, "D": 2, "T": 2, "RDF": 1}


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
    if {"lag", "r"} <= columns.keys():
        raise ResultError(f"{path}: a table of --map has no curves (pass the result to starhist plot --map)")
    return facts, columns


def curve_names(columns, wanted):
    axis = next(iter(columns))
    names = [name for name in columns if name not in HELPERS | {axis} and not name.endswith(ERROR)]
    for name in wanted:
        if name not in names:
            raise ResultError(f"there is no curve '{name}' (there are {', '.join(names)})")
    return wanted or names


def axis_label(axis, facts):
    if axis == "lag":
        return "lag (frames)"
    unit = facts.get("q_unit" if axis == "q" else "length_unit", "unknown")
    if unit == "unknown" or axis == "frames per block":
        return axis
    unit = in_figure(symbol(unit.removeprefix("1/")))
    return f"${axis}$ ({unit})" if axis != "q" else f"$q$ ({unit}$^{{-1}}$)"


def value_label(facts):
    if facts["quantity"] != "pdf":
        return LABELS.get(facts["quantity"], facts["quantity"])
    form = facts.get("form", "g").split(":")[0]
    unit = facts.get("length_unit", "unknown")
    units = ["fm$^2$"] if facts.get("weights") == "neutron" and form in ("G", "D", "T") else []
    if form in INVERSE_LENGTHS and unit != "unknown":
        units.append(f"{in_figure(symbol(unit))}$^{{-{INVERSE_LENGTHS[form]}}}$")
    return f"${form}(r)$" + (f" ({' '.join(units)})" if units else "")


def draw_experiment(axes, x, columns):
    """Draws the measured points, with their errors."""
    error = columns.get(EXPERIMENT + ERROR)
    axes.errorbar(
        x,
        columns[EXPERIMENT],
        yerr=error,
        fmt="o",
        markersize=2,
        markerfacecolor="none",
        markeredgewidth=0.5,
        elinewidth=0.4,
        color="0.35",
        label=EXPERIMENT,
        zorder=1,
    )


def draw_residual(axes, x, columns):
    """Draws measured minus computed values, above a band of one standard error of the points."""
    error = columns.get(EXPERIMENT + ERROR)
    if error is not None:
        axes.fill_between(x, -error, error, color="0.85", linewidth=0)
    axes.axhline(0, color="0.6", linewidth=0.5)
    axes.plot(x, columns[RESIDUAL], color=COLOURS[0], linewidth=0.7)
    largest = np.nanmax(abs(columns[RESIDUAL])) or 1.0
    axes.set_ylim(-1.15 * largest, 1.15 * largest)
    axes.set_ylabel("residual")


def draw_table(facts, columns, names, x_max, width, height=None):
    """Returns the figure of the curves `names`; a measured curve has its residual in axes below."""
    plt.rcParams.update(STYLE)
    axis = next(iter(columns))
    x = columns[axis]
    has_experiment = EXPERIMENT in columns
    if has_experiment:
        figure, (axes, below) = plt.subplots(
            2, 1, sharex=True, figsize=(width, height or 0.95 * width), height_ratios=(2.6, 1), layout="constrained"
        )
        figure.get_layout_engine().set(hspace=0.02)
        draw_experiment(axes, x, columns)
        draw_residual(below, x, columns)
    else:
        figure, axes = plt.subplots(figsize=(width, height or 0.74 * width), layout="constrained")
        below = axes
    for k, name in enumerate(names):
        colour, style = COLOURS[k % len(COLOURS)], LINE_STYLES[k // len(COLOURS) % len(LINE_STYLES)]
        y = columns[name]
        axes.plot(x, y, color=colour, label=in_figure(name), linestyle=style, zorder=2)
        if name + ERROR in columns:
            error = np.nan_to_num(columns[name + ERROR])
            axes.fill_between(x, y - error, y + error, color=colour, alpha=0.3, linewidth=0)
    if facts["quantity"] == "blocks":
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
    else:
        axes.set_xlim(x[0] if has_experiment else 0, x[-1] if x_max is None else x_max)
    below.set_xlabel(axis_label(axis, facts))
    axes.set_ylabel(value_label(facts))
    if facts["quantity"] == "blocks":
        axes.legend(handlelength=1.6, labelspacing=0.3)
        return figure
    handles, labels = axes.get_legend_handles_labels()
    title = f"$R_w$ = {float(facts['r_w']):.3g}" if "r_w" in facts else None
    place_legend(axes, handles, labels, title=title, title_fontsize=7.5)
    return figure
