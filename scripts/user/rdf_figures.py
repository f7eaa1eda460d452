"""Figures of g(r) for plot_rdf.py and of tables for plot_table.py: style, curves, panels."""

import itertools
import textwrap

import matplotlib
import numpy as np

from rdf_curves import coordination
from rdf_extrema import shell_bin
from rdf_smoothing import bonded_bins
from shown_text import in_figure
from units import symbol

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import MaxNLocator

# Okabe and Ito's colours, distinguishable with colour blindness; without yellow, too pale for lines.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000"]
LINE_STYLES = ["-", "--", "-.", ":"]
STYLE = {
    "font.family": "sans-serif",
    "font.size": 8,
    "axes.labelsize": 9,
    "legend.fontsize": 7.5,
    "axes.linewidth": 0.6,
    "lines.linewidth": 1.1,
    "lines.solid_joinstyle": "round",
    "xtick.direction": "in",
    "ytick.direction": "in",
    "xtick.top": True,
    "xtick.minor.visible": True,
    "ytick.minor.visible": True,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "legend.frameon": False,
    "svg.hashsalt": "starhist",
}


def cut_peaks(curve, top):
    """Returns (r, height) of the highest point in each part of the curve above `top`."""
    above = np.concatenate([[False], curve.value > top, [False]])
    steps = np.flatnonzero(np.diff(above.astype(int)))
    for start, stop in zip(steps[::2], steps[1::2]):
        k = start + int(np.argmax(curve.value[start:stop]))
        yield curve.r[k], curve.value[k]


def add_coordination(axes, curve):
    """Draws n(r) on a right axis, scaled to the first shell."""
    right = axes.twinx()
    shown = slice(0, curve.r.size)
    first_shell = largest = 0
    for style, (label, n) in zip(["--", (0, (1, 1.5))], coordination(curve)):
        right.plot(
            curve.edges[1:][shown],
            n[shown],
            linestyle=style,
            linewidth=0.7,
            color="0.45",
            label=f"$n(r)$, {in_figure(label)}",
        )
        first_shell = max(first_shell, n[shell_bin(curve)])
        largest = max(largest, n[shown].max())
    right.set_ylim(0, min(largest, 4 * first_shell) or 1)
    right.yaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=3))
    right.set_ylabel("coordination number $n(r)$", color="0.35")
    right.tick_params(axis="y", which="both", colors="0.35")
    return right


def highest(curves):
    """Returns an upper axis limit that shows everything except bonded peaks."""
    value = max(curve.value[bonded_bins(curve) :].max() for curve in curves)
    return 1.15 * value if value > 0 else 1.0


def draw_curves(axes, curves, is_g, colours):
    """Draws curves, error bands and labels of cut-off peaks, with both axes starting at 0."""
    top = highest(curves)
    if is_g:
        axes.axhline(1, color="0.75", linewidth=0.5, zorder=0)
    cut = 0
    for curve, (colour, style) in zip(curves, colours):
        axes.plot(curve.r, curve.value, color=colour, label=in_figure(curve.pair), linestyle=style)
        if curve.error is not None:
            axes.fill_between(
                curve.r, curve.value - curve.error, curve.value + curve.error, color=colour, alpha=0.3, linewidth=0
            )
        for r, height in cut_peaks(curve, top):
            axes.annotate(
                f"{height:.3g}",
                (r, top),
                (4, -3 - 8 * cut),
                fontsize=6,
                textcoords="offset points",
                ha="left",
                va="top",
                color=colour,
                bbox={"boxstyle": "square,pad=0.1", "fc": "w", "ec": "none"},
            )
            cut += 1  # each label below the one before
    axes.set_xlim(0, max(curve.r_max for curve in curves))
    axes.set_ylim(0, top)


def label_axes(axes, result):
    unit = in_figure(symbol(result.unit))
    axes.set_xlabel(f"$r$ ({unit})" if unit else "$r$")
    axes.set_ylabel("$g(r)$" if result.is_g else f"$p(r)$ ({unit}$^{{-1}}$)" if unit else "$p(r)$")


def appearances():
    """Returns (colour, line style) of each curve."""
    return ((colour, style) for style in itertools.cycle(LINE_STYLES) for colour in COLOURS)


def draw(result, width):
    """All curves in one plot."""
    plt.rcParams.update(STYLE)
    figure, axes = plt.subplots(figsize=(width, 0.74 * width), layout="constrained")
    draw_curves(axes, result.curves, result.is_g, appearances())
    label_axes(axes, result)
    handles, labels = axes.get_legend_handles_labels()
    if len(result.curves) == 1:
        right = add_coordination(axes, result.curves[0])
        more_handles, more_labels = right.get_legend_handles_labels()
        handles, labels = handles + more_handles, labels + more_labels
    axes.legend(handles, labels, ncols=1 + len(handles) // 6, handlelength=1.6, columnspacing=1.0, labelspacing=0.3)
    return figure


def draw_panels(result, width):
    """A plot for each curve, with its coordination numbers."""
    plt.rcParams.update(STYLE)
    columns = min(3, int(np.ceil(np.sqrt(len(result.curves)))))
    rows = -(-len(result.curves) // columns)
    figure, panels = plt.subplots(
        rows, columns, squeeze=False, layout="constrained", figsize=(width, 0.66 * width * rows / columns)
    )
    for k, (axes, curve) in enumerate(zip(panels.flat, result.curves)):
        draw_curves(axes, [curve], result.is_g, [(COLOURS[k % len(COLOURS)], "-")])
        label_axes(axes, result)
        right = add_coordination(axes, curve)
        right.yaxis.set_major_locator(MaxNLocator(5))
        # Only the outermost axes are labelled, as all mean the same.
        if k + columns < len(result.curves):
            axes.set_xlabel("")
        if k % columns:
            axes.set_ylabel("")
        outermost = k % columns == columns - 1 or k + 1 == len(result.curves)
        right.set_ylabel("$n(r)$" if outermost else "")
        for side in (axes, right):
            side.tick_params(labelsize=7)
        axes.set_title(in_figure(curve.pair), fontsize=8, pad=3, color=COLOURS[k % len(COLOURS)])
        if len(curve.particles) == 2:
            lines, labels = right.get_legend_handles_labels()
            right.legend(
                lines,
                [label.removeprefix("$n(r)$, ") for label in labels],
                loc="upper right",
                fontsize=6,
                handlelength=1.8,
                labelspacing=0.2,
                borderpad=0.2,
                frameon=True,
                edgecolor="none",
                framealpha=0.85,
            )
    for axes in panels.flat[len(result.curves) :]:
        axes.set_visible(False)
    return figure


def add_note(figure, text):
    """Adds a note below the axes, wrapped to the width of the figure."""
    letters = int(figure.get_size_inches()[0] * 26)  # of this size in an inch, about
    figure.supxlabel("\n".join(textwrap.wrap(in_figure(text), letters)), fontsize=5, color="0.35")
