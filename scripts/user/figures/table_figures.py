"""Figures of csv tables of `starhist export` and `starhist analyze`, with measured curves and residuals."""

import csv
import re

import numpy as np

from figures.legends import place_legend
from figures.rdf_figures import COLOURS, LINE_STYLES, STYLE, plt
from known_words import listed
from shown_text import in_figure
from starhist_program import ResultError
from units import symbol

ERROR = " standard error"
EXPERIMENT, RESIDUAL = "experiment", "residual"  # columns of analyze --experiment
HELPERS = {"r_lower", "r_upper", "time", "blocks", "relative uncertainty", EXPERIMENT, RESIDUAL}
# Functions, mean squares and powers in the names and labels of tables, which are plain text.
SYMBOL = re.compile(r"\b(?P<function>[a-zA-Z]+(_\w+)?\([qrRn](, t)?\)(/N)?)|<(?P<mean>\w+)\^2>|\^(?P<power>-?\d+)")
INDEX = re.compile(r"_(\w+)")
GREEK = {"rho": r"\rho", "dr": r"\Delta r"}
INTENSITY = ("I(q)", "I/N")  # beginnings of the columns of intensities
INTEGRALS = "kirkwood-buff"
METHODS = (" Krueger 2013", " Krueger-Vlugt 2018")  # endings of the columns of running Kirkwood-Buff integrals
MOST_DRAWN = 12  # curves, unless --curves names more


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


def axis_label(axis, facts, squared=False):
    if axis == "lag":
        return "lag$^2$ (frames$^2$)" if squared else "lag (frames)"
    unit = facts.get("q_unit" if axis == "q" else "length_unit", "unknown")
    power = "$^2$" if squared else ""
    if unit == "unknown" or axis == "frames per block":
        return axis + power
    unit = in_figure(symbol(unit.removeprefix("1/")))
    exponent = 2 if squared else 1
    return f"${axis}${power} ({unit}{power})" if axis != "q" else f"$q${power} ({unit}$^{{-{exponent}}}$)"


def formula(text):
    """Returns escaped text with its symbols as formulas, "S_ZZ(q)/<z^2>" as "$S_\\mathrm{ZZ}(q)$/$\\langle z^2 \\rangle$"."""

    def written(found):
        if found["power"]:
            return f"$^{{{found['power']}}}$"
        if found["mean"]:
            return rf"$\langle {GREEK.get(found['mean'], found['mean'])}^2 \rangle$"
        name, bracket, rest = found["function"].partition("(")
        return "$" + INDEX.sub(r"_\\mathrm{\1}", GREEK.get(name, name)) + bracket + rest + "$"

    return SYMBOL.sub(written, text)


def typeset(label, length=""):
    """Returns a label with formulas, "G_s(r) (A^-3)" as "$G_\\mathrm{s}(r)$ (Å$^{-3}$)"; `length` is the length unit."""
    name, bracket, unit = in_figure(label).partition(" (")
    if length:
        unit = re.sub(rf"\b{re.escape(in_figure(length))}\b", lambda _: in_figure(symbol(length)), unit)
    return formula(name + bracket + unit)


def value_label(facts):
    """Returns the label of the values in the table's header; the quantity for tables of earlier versions."""
    return typeset(facts.get("values", facts["quantity"]), facts.get("length_unit", ""))


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


def integral_axes(names, facts, width, height):
    """Returns axes_of() of running Kirkwood-Buff integrals: a panel for each pair."""
    pairs = {}
    for name in names:
        pairs.setdefault(name[: len(name) - len(method_of(name))], []).append(name)
    figure, panels = plt.subplots(
        len(pairs), 1, sharex=True, squeeze=False, figsize=(width, height or (0.3 + 0.44 * len(pairs)) * width),
        layout="constrained",
    )  # fmt: skip
    for axes, pair in zip(panels.flat, pairs):
        axes.axhline(0, color="0.75", linewidth=0.5, zorder=0)
        axes.set_title(in_figure(pair), fontsize=8, pad=3)
    label = value_label(facts)
    return figure, [(axes, own, label) for axes, own in zip(panels.flat, pairs.values())], panels.flat[-1]


def method_of(name):
    """Returns the ending of a column of running integrals that names its method; "" for plain integrals."""
    return next((method for method in METHODS if name.endswith(method)), "")


def axes_of(names, facts, has_experiment, width, height):
    """Returns (figure, [(axes, names of its curves, label)], axes with the lowest horizontal axis).

    Intensities and structure factors of one table have separate axes, because their units differ.
    """
    if facts["quantity"] == INTEGRALS:
        return integral_axes(names, facts, width, height)
    intensities = [name for name in names if name.startswith(INTENSITY)]
    rest = [name for name in names if name not in intensities]
    other = "$S(q)$" if "S(q)" in rest else value_label(facts)
    unit = facts.get("intensity_unit")
    label = typeset(intensities[0].split(" lag ")[0] + (f" ({unit})" if unit else "")) if intensities else other
    if has_experiment or (intensities and rest):
        figure, (axes, below) = plt.subplots(
            2, 1, sharex=True, figsize=(width, height or (0.95 if has_experiment else 1.1) * width), layout="constrained",
            height_ratios=(2.6, 1) if has_experiment else (1.3, 1),
        )  # fmt: skip
        figure.get_layout_engine().set(hspace=0.02)
        drawn = [(axes, names, label)] if has_experiment else [(axes, intensities, label), (below, rest, other)]
        return figure, drawn, below
    figure, axes = plt.subplots(figsize=(width, height or 0.74 * width), layout="constrained")
    return figure, [(axes, names, label)], axes


def set_scales(axes, x, scale):
    """Sets the scales of axes whose horizontal axis has the values x."""
    if scale:
        axes.set_yscale("log", nonpositive="mask")
    if scale == "loglog":
        axes.set_xscale("log", nonpositive="mask")
        axes.set_xlim(x[x > 0][0], x[-1])


def draw_table(facts, columns, names, x_max, width, height=None, scale=None):
    """Returns the figure of the curves `names`; a measured curve has its residual in axes below.

    scale: "log" for a logarithmic vertical axis, "loglog" for both, "guinier" for the logarithm over x^2.
    """
    plt.rcParams.update(STYLE)
    axis = next(iter(columns))
    if x_max is not None:
        columns = {name: values[columns[axis] <= x_max] for name, values in columns.items()}
    x = columns[axis] ** 2 if scale == "guinier" else columns[axis]
    has_experiment = EXPERIMENT in columns
    figure, drawn, below = axes_of(names, facts, has_experiment, width, height)
    if has_experiment:
        draw_experiment(drawn[0][0], x, columns)
        draw_residual(below, x, columns)
    for axes, own, label in drawn:
        for name in own:
            k, shown = names.index(name), formula(in_figure(name))
            if facts["quantity"] == INTEGRALS:
                k, shown = ("", *METHODS).index(method_of(name)), method_of(name).strip() or "plain"
            colour, style = COLOURS[k % len(COLOURS)], LINE_STYLES[k // len(COLOURS) % len(LINE_STYLES)]
            y = columns[name]
            axes.plot(x, y, color=colour, label=shown, linestyle=style, zorder=2)
            if name + ERROR in columns:
                error = np.nan_to_num(columns[name + ERROR])
                axes.fill_between(x, y - error, y + error, color=colour, alpha=0.3, linewidth=0)
        axes.set_ylabel(label)
        if facts["quantity"] == "blocks":
            axes.set_xscale("log", base=2)
            axes.set_yscale("log")
        else:
            axes.set_xlim(x[0] if has_experiment else 0, x[-1])
            set_scales(axes, x, scale)
    below.set_xlabel(axis_label(axis, facts, scale == "guinier"))
    title = f"$R_w$ = {float(facts['r_w']):.3g}" if "r_w" in facts else None
    for axes, _, _ in drawn[:1] if facts["quantity"] == INTEGRALS else drawn:
        place_legend(axes, *axes.get_legend_handles_labels(), title=title, title_fontsize=7.5)
    return figure
