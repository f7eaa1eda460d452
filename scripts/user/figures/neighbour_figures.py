"""Figures of numbers of neighbours (starhist coordination) for plot_rdf.py: P(n), and means over time."""

import numpy as np
from matplotlib.ticker import MaxNLocator

from curves.rdf_curves import neighbour_curves
from figures.legends import place_legend
from figures.rdf_figures import COLOURS, LINE_STYLES, new_axes
from shown_text import in_figure
from starhist_program import asked, with_errors

MARKERS = "osD^v<>p"
FAINT = 1e-3  # fraction of particles; larger and smaller n that are rarer are left out of the figure


def is_neighbour_result(program, path):
    """Whether the file is a result of starhist coordination."""
    return asked(program, "export", "--quantity", "distribution", "--", path)[0] is not None


def neighbour_table(program, path, pairs, series):
    """Returns (JSON table of P(n) or of the mean of each frame, error message)."""
    chosen = ["--pairs", pairs] if pairs else []
    if series:
        return asked(program, "export", "--quantity", "per-frame", *chosen, "--", path)
    return with_errors(program, "export", path, "distribution", *chosen)


def draw_distribution(table, width, height):
    """Returns the figure of P(n), one line with error bars per pair."""
    figure, axes = new_axes(width, height)
    common = [0]
    for k, (label, values, errors) in enumerate(neighbour_curves(table)):
        n = np.arange(len(values))
        axes.errorbar(
            n, values, yerr=errors, color=COLOURS[k % len(COLOURS)], marker=MARKERS[k % len(MARKERS)], markersize=3,
            linewidth=0.8, elinewidth=0.6, capsize=1.5, label=in_figure(label),
        )  # fmt: skip
        common += np.flatnonzero(values > FAINT).tolist()
    axes.set_xlim(max(0, min(common[1:], default=0) - 1) - 0.3, max(common) + 1.3)
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.minorticks_off()
    axes.set_xlabel("number of neighbours $n$")
    axes.set_ylabel("fraction of particles $P(n)$")
    return figure, axes


def draw_series(table, width, height):
    """Returns the figure of the mean number of neighbours in each frame, over time if the file has times."""
    figure, axes = new_axes(width, height, 0.62)
    times = np.array(table["time"], dtype=float)
    has_times = bool(np.isfinite(times).all()) and (len(times) < 2 or bool((np.diff(times) > 0).all()))
    x = times if has_times else np.array(table["frame"])
    for k, (label, values, _) in enumerate(neighbour_curves(table)):
        style = LINE_STYLES[k // len(COLOURS) % len(LINE_STYLES)]
        axes.plot(x, values, color=COLOURS[k % len(COLOURS)], linestyle=style, linewidth=0.8, label=in_figure(label))
    unit = table.get("time_unit", "unknown")
    axes.set_xlabel("frame" if not has_times else "time" if unit == "unknown" else f"time ({in_figure(unit)})")
    axes.set_ylabel("neighbours per particle")
    return figure, axes


def draw_neighbours(table, series, width, height):
    """Returns the figure of a table of neighbour_table()."""
    figure, axes = (draw_series if series else draw_distribution)(table, width, height)
    place_legend(axes, *axes.get_legend_handles_labels())
    return figure
