"""Figures of csv tables of `starhist export` and `starhist analyze`, with measured curves and residuals."""

import re

import numpy as np

from curves.guinier import guinier_fit
from curves.table_files import ERROR, EXPERIMENT, RESIDUAL
from figures.legends import place_legend
from figures.rdf_figures import COLOURS, LINE_STYLES, STYLE, plt
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


def labels_of(names, facts):
    """Returns the labels of the values of (intensities, other curves) of a table; None where there are none."""
    intensities = [name for name in names if name.startswith(INTENSITY)]
    unit = facts.get("intensity_unit")
    of_intensities = typeset(intensities[0].split(" lag ")[0] + (f" ({unit})" if unit else "")) if intensities else None
    of_others = None if len(intensities) == len(names) else "$S(q)$" if "S(q)" in names else value_label(facts)
    return of_intensities, of_others


def axes_of(names, facts, has_experiment, width, height):
    """Returns (figure, [(axes, names of its curves, label)], axes with the lowest horizontal axis).

    Intensities and structure factors of one table have separate axes, because their units differ.
    """
    if facts["quantity"] == INTEGRALS:
        return integral_axes(names, facts, width, height)
    intensities = [name for name in names if name.startswith(INTENSITY)]
    rest = [name for name in names if name not in intensities]
    of_intensities, other = labels_of(names, facts)
    label = of_intensities or other
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


def set_scales(axes, smallest, scale):
    """Sets the scales of axes; `smallest` is the first value above 0 of the horizontal axis, or None."""
    if scale:
        axes.set_yscale("log", nonpositive="mask")
    if scale == "loglog":
        axes.set_xscale("log", nonpositive="mask")
        axes.set_xlim(left=smallest)


def refuse_different(tables):
    """Raises ResultError if the curves of the tables do not fit into the same axes."""
    first = tables[0]
    for table in tables if len(tables) > 1 else []:
        if EXPERIMENT in table.columns or table.facts["quantity"] == INTEGRALS:
            raise ResultError(f"{table.label}: is drawn on its own (pass one file)")
        axes = axis_label(table.axis, table.facts), axis_label(first.axis, first.facts)
        for mine, others in (axes, *zip(labels_of(table.names, table.facts), labels_of(first.names, first.facts))):
            if mine != others and mine and others:
                raise ResultError(
                    f"{table.label} and {first.label}: one has {mine.replace('$', '')}, the other {others.replace('$', '')} "
                    "(make tables of the same quantity in the same units, choose --curves, or draw each on its own)"
                )


def draw_guinier(axes, table, name, notes):
    """Draws Guinier's line of an intensity, to twice the q^2 of its fit, and adds a note of its radius of gyration."""
    unit = symbol(table.facts.get("length_unit", "unknown"))
    fit = guinier_fit(table.columns[table.axis], table.columns[name])
    if fit is None:
        notes.append(
            f"'{name}': no radius of gyration, because fewer than 4 of the smallest q satisfy q Rg < 1.3 (give analyze a "
            "smaller --q-step and --q-min)"
        )
        return
    x = np.array([0.0, 2 * fit.q_last**2])
    axes.plot(x, fit.intensity * np.exp(-x * fit.rg**2 / 3), color="0.3", linestyle=":", linewidth=0.8, zorder=3)
    notes.append(
        f"'{table.in_legend(name)}': Rg = {fit.rg:.4g} {unit}, I(0) = {fit.intensity:.5g} (Guinier's law, {fit.points} points "
        f"up to q = {fit.q_last:.3g} 1/{unit}, q Rg < 1.3)"
    )


def draw_tables(tables, x_max, width, height=None, scale=None):
    """Returns (figure of the curves of Tables, notes about them); a measured curve has its residual in axes below.

    scale: "log" for a logarithmic vertical axis, "loglog" for both, "guinier" for the logarithm over x^2 with
    Guinier's line of intensities.
    """
    refuse_different(tables)
    plt.rcParams.update(STYLE)
    facts, notes = tables[0].facts, []
    every = [name for table in tables for name in table.names]
    has_experiment = EXPERIMENT in tables[0].columns
    figure, drawn, below = axes_of(list(dict.fromkeys(every)), facts, has_experiment, width, height)
    k, ends = -1, []
    for table in tables:
        columns = table.columns
        if x_max is not None:
            columns = {name: values[columns[table.axis] <= x_max] for name, values in columns.items()}
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
            axes.plot(x, y, color=colour, label=shown, linestyle=style, zorder=2)
            if name + ERROR in columns:
                error = np.nan_to_num(columns[name + ERROR])
                axes.fill_between(x, y - error, y + error, color=colour, alpha=0.3, linewidth=0)
            if scale == "guinier" and name.startswith(INTENSITY):
                draw_guinier(axes, table, name, notes)
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
