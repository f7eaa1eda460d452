"""Figures of csv tables of `starhist export` and `starhist analyze`, with measured curves and residuals."""

import re

import numpy as np

from curves.guinier import LARGEST, NoGuinierRange, guinier_fit
from curves.table_files import ERROR, EXPERIMENT, RESIDUAL
from figures.legends import place_legend
from figures.rdf_figures import COLOURS, LINE_STYLES, STYLE, new_axes, plot_curve, plt
from shown_text import in_figure
from starhist_program import ResultError
from units import symbol

# Functions, mean squares and powers in the names and labels of tables, which are plain text.
SYMBOL = re.compile(r"\b(?P<function>[a-zA-Z]+(_\w+)?\([qrRn](, t)?\)(/N)?)|<(?P<mean>\w+)\^2>|\^(?P<power>-?\d+)")
INDEX = re.compile(r"_(\w+)")
GREEK = {"rho": r"\rho", "dr": r"\Delta r"}
INTENSITY = ("I(q)", "I/N")  # beginnings of the columns of intensities
INTEGRALS = "kirkwood-buff"
METHODS = (" Krueger 2013", " Krueger-Vlugt 2018")  # endings of the columns of running Kirkwood-Buff integrals


def axis_label(axis, facts, squared=False):
    power = "$^2$" if squared else ""
    if axis == "lag":
        return f"lag{power} (frames{power})"
    if axis == "time":
        unit = facts.get("time_unit", "unknown")
        return f"lag{power}" if unit == "unknown" else f"lag{power} ({in_figure(unit)}{power})"
    unit = facts.get("q_unit" if axis == "q" else "length_unit", "unknown")
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


def labels_of(table):
    """Returns the labels of the values of (intensities, other curves); None where the table draws no such curve."""
    intensities = [name for name in table.names if name.startswith(INTENSITY)]
    unit = table.facts.get("intensity_unit")
    of_intensities = typeset(intensities[0].split(" lag ")[0] + (f" ({unit})" if unit else "")) if intensities else None
    if len(intensities) == len(table.names):
        return of_intensities, None
    return of_intensities, "$S(q)$" if "S(q)" in table.names else value_label(table.facts)


def shared_labels(tables):
    """Returns labels_of() all tables. Raises ResultError if their curves do not fit into the same axes."""
    labels = [None, None]
    for table in tables:
        if len(tables) > 1 and (EXPERIMENT in table.columns or table.facts["quantity"] == INTEGRALS):
            raise ResultError(f"{table.label}: is drawn on its own (pass one file)")
        first = tables[0]
        axes = axis_label(table.axis, table.facts), axis_label(first.axis, first.facts)
        for mine, others in (axes, *zip(labels_of(table), labels)):
            if mine and others and mine != others:
                raise ResultError(
                    f"{table.label}: has {mine.replace('$', '')}, a table before it {others.replace('$', '')} (make tables "
                    "of the same quantity in the same units, choose --curves, or draw each on its own)"
                )
        labels = [known or mine for known, mine in zip(labels, labels_of(table))]
    return labels


def axes_of(tables, width, height):
    """Returns (figure, [(axes, names of its curves, label)], axes with the lowest horizontal axis).

    Intensities and structure factors have separate axes, because their units differ.
    """
    of_intensities, of_others = shared_labels(tables)
    names = list(dict.fromkeys(name for table in tables for name in table.names))
    if tables[0].facts["quantity"] == INTEGRALS:
        return integral_axes(names, tables[0].facts, width, height)
    has_experiment = EXPERIMENT in tables[0].columns
    label = of_intensities or of_others
    if has_experiment or (of_intensities and of_others):
        figure, (axes, below) = plt.subplots(
            2, 1, sharex=True, figsize=(width, height or (0.95 if has_experiment else 1.1) * width), layout="constrained",
            height_ratios=(2.6, 1) if has_experiment else (1.3, 1),
        )  # fmt: skip
        figure.get_layout_engine().set(hspace=0.02)
        if has_experiment:
            return figure, [(axes, names, label)], below
        intensities = [name for name in names if name.startswith(INTENSITY)]
        rest = [name for name in names if name not in intensities]
        return figure, [(axes, intensities, label), (below, rest, of_others)], below
    figure, axes = new_axes(width, height)
    return figure, [(axes, names, label)], axes


def set_scales(axes, smallest, scale):
    """Sets the scales of axes; `smallest` is the first value above 0 of the horizontal axis, or None."""
    if scale:
        axes.set_yscale("log", nonpositive="mask")
    if scale == "loglog":
        axes.set_xscale("log", nonpositive="mask")
        axes.set_xlim(left=smallest)


def draw_guinier(axes, table, name):
    """Draws Guinier's line of an intensity, to twice the q^2 of its fit. Returns a note of its radius of gyration."""
    shown = table.in_legend(name)
    try:
        fit = guinier_fit(table.columns[table.axis], table.columns[name], table.columns.get(name + ERROR))
    except NoGuinierRange as reason:
        return f"'{shown}': no radius of gyration, because {reason}"
    x = np.array([0.0, 2 * fit.q_last**2])
    axes.plot(x, fit.intensity * np.exp(-x * fit.rg**2 / 3), color="0.3", linestyle=":", linewidth=0.8, zorder=3)
    unit = table.facts.get("q_unit", "")
    unit = symbol(unit.removeprefix("1/")) if unit.startswith("1/") else ""
    length, inverse = (f" {unit}", f" 1/{unit}") if unit else ("", "")
    return (
        f"'{shown}': Rg = {fit.rg:.4g}{length}, I(0) = {fit.intensity:.5g} (Guinier's law, {fit.points} points up to "
        f"q = {fit.q_last:.3g}{inverse}, q Rg < {LARGEST})"
    )


def draw_tables(tables, x_max, width, height=None, scale=None):
    """Returns (figure of the curves of Tables, notes about them); a measured curve has its residual in axes below.

    x_max: largest value of the first columns, of which each table has smaller ones, or None. scale: "log" for a
    logarithmic vertical axis, "loglog" for both, "guinier" for the logarithm over x^2 with Guinier's line of intensities.
    """
    plt.rcParams.update(STYLE)
    if x_max is not None:
        tables = [table.up_to(x_max) for table in tables]
    facts, notes, has_experiment = tables[0].facts, [], EXPERIMENT in tables[0].columns
    figure, drawn, below = axes_of(tables, width, height)
    k, ends = -1, []
    for table in tables:
        columns = table.columns
        x = columns[table.axis] ** 2 if scale == "guinier" else columns[table.axis]
        ends.append((x[0] if has_experiment else 0, x[-1], *x[x > 0][:1]))
        if has_experiment:
            draw_experiment(drawn[0][0], x, columns)
            draw_residual(below, x, columns)
        for name in table.names:
            axes = next(axes for axes, own, _ in drawn if name in own)
            k, shown = k + 1, formula(in_figure(table.in_legend(name)))
            if facts["quantity"] == INTEGRALS:
                k, shown = ("", *METHODS).index(method_of(name)), method_of(name).strip() or "plain"
            colour, style = COLOURS[k % len(COLOURS)], LINE_STYLES[k // len(COLOURS) % len(LINE_STYLES)]
            y = columns[name]
            plot_curve(axes, x, y, columns.get(name + ERROR), colour, label=shown, linestyle=style, zorder=2)
            if scale == "guinier" and name.startswith(INTENSITY):
                notes.append(draw_guinier(axes, table, name))
    for axes, _, label in drawn:
        axes.set_ylabel(label)
        if facts["quantity"] == "blocks":
            axes.set_xscale("log", base=2)
            axes.set_yscale("log")
        else:
            axes.set_xlim(min(end[0] for end in ends), max(end[1] for end in ends))
            set_scales(axes, min((end[2] for end in ends if len(end) > 2), default=None), scale)
    below.set_xlabel(axis_label(tables[0].axis, facts, scale == "guinier"))
    title = f"$R_w$ = {float(facts['r_w']):.3g}" if "r_w" in facts else None
    for axes, _, _ in drawn[:1] if facts["quantity"] == INTEGRALS else drawn:
        place_legend(axes, *axes.get_legend_handles_labels(), title=title, title_fontsize=7.5)
    return figure, notes
