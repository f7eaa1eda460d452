"""Figures of g(r) for plot_rdf.py and of tables for table_figures.py: style, curves, panels."""

import itertools
import textwrap

import matplotlib
import numpy as np

from curves.rdf_curves import coordination
from curves.rdf_extrema import shell_bin
from figures.legends import HEADROOM, place_legend
from shown_text import in_figure
from units import symbol

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import MaxNLocator

# Okabe and Ito's colours, distinguishable with colour blindness; without yellow, too pale for lines.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000"]
LINE_STYLES = ["-", "--", "-.", ":"]
FEWEST_PAIRS = 8  # in a bin that sets the scale of an axis
MOST_LABELS = 6  # heights of peaks cut off that fit into a figure
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
    "pdf.fonttype": 42,  # TrueType: publishers refuse Type 3
}


def cut_peak(curve, top):
    """Returns (r, height) of the highest point of the curve above `top`, or None."""
    k = int(np.argmax(curve.value))
    return (curve.r[k], curve.value[k]) if curve.value[k] > top else None


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
        first_shell = max(first_shell, np.nan_to_num(n[shell_bin(curve)]))
        largest = max(largest, np.nanmax(n[shown], initial=0))
    right.set_ylim(0, min(largest, 4 * first_shell or largest) or 1)
    right.yaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=3))
    right.set_ylabel("coordination number $n(r)$", color="0.35")
    right.tick_params(axis="y", which="both", colors="0.35")
    return right


def highest(curves):
    """Returns an upper axis limit that shows everything except bonded peaks and needles of a few pairs."""

    def top(curve):
        value, counts = curve.value[curve.bonded :], curve.counts[curve.bonded : len(curve.value)]
        return value[counts >= FEWEST_PAIRS].max(initial=np.percentile(value, 99))

    value = max(map(top, curves))
    return 1.15 * value if value > 0 else 1.15 * max(curve.value[curve.bonded :].max() for curve in curves) or 1.0


def label_cut_peaks(axes, curves, colours, top):
    """Writes the heights of peaks above `top`, one per line, next to their peaks."""
    end = max(curve.r_max for curve in curves)
    cut = [(peak, colour) for curve, (colour, _) in zip(curves, colours) if (peak := cut_peak(curve, top))]
    for row, ((r, height), colour) in enumerate(cut[:MOST_LABELS]):
        more = f" (+{len(cut) - MOST_LABELS})" if row + 1 == MOST_LABELS < len(cut) else ""
        axes.annotate(
            f"{height:.3g}{more}",
            (r, 1),
            (4 if r < 0.8 * end else -4, -3 - 8 * row),
            xycoords=("data", "axes fraction"),
            fontsize=6,
            textcoords="offset points",
            ha="left" if r < 0.8 * end else "right",
            va="top",
            color=colour,
            bbox={"boxstyle": "square,pad=0.1", "fc": "w", "ec": "none"},
        )


def new_axes(width, height=None, shape=0.74):
    """Returns (figure, axes). shape: the height relative to the width, without a given height."""
    plt.rcParams.update(STYLE)
    return plt.subplots(figsize=(width, height or shape * width), layout="constrained")


def plot_curve(axes, x, y, error, colour, shade=0.3, **line):
    """Draws a curve, and a shade of one standard error around it. error: None if unknown, NaN where undefined."""
    axes.plot(x, y, color=colour, **line)
    if error is not None:
        error = np.nan_to_num(error)
        axes.fill_between(x, y - error, y + error, color=colour, alpha=shade, linewidth=0)


def draw_curves(axes, curves, is_g, colours):
    """Draws curves, error bands and labels of cut-off peaks, with both axes starting at 0."""
    top = highest(curves)
    if is_g:
        axes.axhline(1, color="0.75", linewidth=0.5, zorder=0)
    colours = list(itertools.islice(colours, len(curves)))
    for curve, (colour, style) in zip(curves, colours):
        plot_curve(axes, curve.r, curve.value, curve.error, colour, label=in_figure(curve.title), linestyle=style)
    label_cut_peaks(axes, curves, colours, top)
    axes.set_xlim(0, max(curve.r_max for curve in curves))
    axes.set_ylim(0, top)


def axis_labels(result):
    unit = in_figure(symbol(result.unit))
    value = "$g(r)$" if result.is_g else f"$p(r)$ ({unit}$^{{-1}}$)" if unit else "$p(r)$"
    return f"$r$ ({unit})" if unit else "$r$", value


def label_axes(axes, result):
    axes.set_xlabel(axis_labels(result)[0])
    axes.set_ylabel(axis_labels(result)[1])


def appearances():
    """Returns (colour, line style) of each curve."""
    return ((colour, style) for style in itertools.cycle(LINE_STYLES) for colour in COLOURS)


def draw(result, width, height=None):
    """All curves in one plot."""
    figure, axes = new_axes(width, height)
    draw_curves(axes, result.curves, result.is_g, appearances())
    label_axes(axes, result)
    handles, labels = axes.get_legend_handles_labels()
    if len(result.curves) == 1:
        right = add_coordination(axes, result.curves[0])
        more_handles, more_labels = right.get_legend_handles_labels()
        handles, labels = handles + more_handles, labels + more_labels
    place_legend(axes, handles, labels, figure.axes[1:])
    return figure


def make_grid(titles, x_label, y_label, width, height, shape=0.7):
    """Returns (figure, axes with each title). shape: of axes, the height relative to the width, without a given height."""
    plt.rcParams.update(STYLE)
    count = len(titles)
    columns = min(3, int(np.ceil(np.sqrt(count))))
    rows = -(-count // columns)
    width = width or (3.8 if count == 1 else 7)
    figure, panels = plt.subplots(
        rows, columns, squeeze=False, layout="constrained", figsize=(width, height or shape * width * rows / columns)
    )
    for axes in panels.flat[count:]:
        axes.set_visible(False)
    for k, (title, axes) in enumerate(zip(titles, panels.flat)):
        axes.set_title(in_figure(title), fontsize=8, pad=3)
        if k + columns >= count:
            axes.set_xlabel(x_label)
        if k % columns == 0:
            axes.set_ylabel(y_label)
    return figure, list(panels.flat[:count])


def draw_panels(result, width, height=None):
    """A plot for each curve, with its coordination numbers."""
    figure, panels = make_grid([curve.title for curve in result.curves], *axis_labels(result), width, height, 0.66)
    columns = panels[0].get_subplotspec().get_gridspec().ncols
    two_directions = []  # axes with two directions of n(r)
    for k, (axes, curve) in enumerate(zip(panels, result.curves)):
        colour = COLOURS[k % len(COLOURS)]
        axes.title.set_color(colour)
        draw_curves(axes, [curve], result.is_g, [(colour, "-")])
        right = add_coordination(axes, curve)
        right.yaxis.set_major_locator(MaxNLocator(5))
        outermost = k % columns == columns - 1 or k + 1 == len(result.curves)
        right.set_ylabel("$n(r)$" if outermost else "")
        for side in (axes, right):
            side.tick_params(labelsize=7)
        if len(curve.particles) == 2:
            two_directions.append((axes, right))
    for axes, right in two_directions:  # places depend on the final layout
        lines, labels = right.get_legend_handles_labels()
        labels = [label.removeprefix("$n(r)$, ") for label in labels]
        place_legend(
            axes, lines, labels, [right], (*HEADROOM, 1.7, 2.2), fontsize=6, handlelength=1.8, labelspacing=0.2,
            borderpad=0.2,
        )  # fmt: skip
    return figure


def add_note(figure, text):
    """Adds a note below the axes, wrapped to the width of the figure."""
    letters = int(figure.get_size_inches()[0] * 26)  # of this size in an inch, about
    figure.supxlabel("\n".join(textwrap.wrap(in_figure(text), letters)), fontsize=5, color="0.35")
