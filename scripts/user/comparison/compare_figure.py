"""Figure of compared curves: for each pair the curves, and below them their differences."""

import numpy as np

from figures.legends import place_legend
from figures.rdf_figures import COLOURS, STYLE, plot_curve, plt
from shown_text import in_figure
from units import symbol

MOST_COLUMNS = 3


def draw_comparison(panels, unit, quantity, width):
    """Returns the figure. panels: [(title, [(label, r, value, error or None)], [(label, r, difference, text)],
    whether differences are in standard errors, top of the vertical axis)]; the first curve is the reference."""
    plt.rcParams.update(STYLE)
    columns = min(MOST_COLUMNS, len(panels))
    rows = -(-len(panels) // columns)
    figure = plt.figure(
        figsize=(width, rows * (1.1 * width / columns if columns > 1 else 0.9 * width)), layout="constrained"
    )
    outer = figure.add_gridspec(rows, columns)
    unit = in_figure(symbol(unit))
    for k, (title, curves, differences, in_errors, top) in enumerate(panels):
        grid = outer[k // columns, k % columns].subgridspec(2, 1, height_ratios=(1.7, 1), hspace=0)
        above = figure.add_subplot(grid[0])
        below = figure.add_subplot(grid[1], sharex=above)
        for n, (label, r, value, error) in enumerate(curves):
            colour, style = COLOURS[n % len(COLOURS)], "-" if n == 0 else "--"
            plot_curve(above, r, value, error, colour, linestyle=style, label=in_figure(label))
        above.set_ylim(0, top)
        above.set_title(in_figure(title), fontsize=8, pad=3)
        above.tick_params(labelbottom=False)
        if in_errors:
            below.axhspan(-2, 2, color="0.9", linewidth=0, zorder=0)
        below.axhline(0, color="0.6", linewidth=0.5, zorder=0)
        for n, (_, r, step, _) in enumerate(differences, 1):
            below.plot(r, step, color=COLOURS[n % len(COLOURS)], linewidth=0.8)
        sizes = [
            np.nanmax(abs(step)) if in_errors else 2 * np.nanpercentile(abs(step), 98) for _, _, step, _ in differences
        ]
        largest = max([3.2 if in_errors else 0, *sizes]) or 1
        below.set_ylim(-1.15 * largest, 1.15 * largest)
        above.set_xlim(0, max(r[-1] for _, r, _, _ in curves))
        below.set_xlabel(f"$r$ ({unit})" if unit else "$r$")
        if k % columns == 0:
            above.set_ylabel(f"${quantity}(r)$" + (f" ({unit}$^{{-1}}$)" if quantity == "p" and unit else ""))
            below.set_ylabel("difference\n(std. errors)" if in_errors else "difference")
        handles, labels = above.get_legend_handles_labels()
        texts = [text for *_, text in differences]
        labels = [labels[0], *(label + (f", {text}" if text else "") for label, text in zip(labels[1:], texts))]
        place_legend(above, handles, labels, fontsize=7)
    return figure
