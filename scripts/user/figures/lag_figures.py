"""Figures of results of `starhist vanhove`: curves by lag, maps of distance and lag, displacements."""

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import BoundaryNorm, ListedColormap, Normalize, TwoSlopeNorm
from matplotlib.ticker import LogFormatterSciNotation

from figures.legends import place_legend
from figures.rdf_figures import COLOURS, make_grid, new_axes, plot_curve, plt
from shown_text import in_figure
from units import symbol

MOST_TICKS = 8  # lags labelled along an axis


def with_unit(name, unit):
    return f"{name} ({unit})" if unit else name


def value_label(result):
    """The quantity on the axis; displacements as their distribution, the integral of which is 1."""
    unit = in_figure(symbol(result.unit))
    if result.quantity == "g":
        return r"$G_\mathrm{d}(r, t)\,/\,\rho$"
    if result.quantity == "self":
        return with_unit(r"$4\pi r^2 G_\mathrm{s}(r, t)$", unit and f"{unit}$^{{-1}}$")
    return with_unit(r"$\langle \Delta r^2 \rangle$", unit and f"{unit}$^2$")


def lag_label(result):
    if np.isfinite(result.times).all():
        return with_unit("lag $t$", in_figure(result.time_unit))
    return "lag (frames)"


def lag_values(result):
    """Times of the lags, or their numbers of frames without times."""
    return result.times if np.isfinite(result.times).all() else result.lags


def shown_curves(result):
    """Returns (lags as indexes, [(label, values, errors)]) to draw: of displacements the distribution without lag 0,
    at which no particle has moved."""
    if result.quantity != "self":
        return np.arange(len(result.lags)), result.curves
    lags = np.flatnonzero(result.lags > 0)
    sphere = 4 * np.pi * result.r**2
    return lags, [
        (label, values[lags] * sphere, None if errors is None else errors[lags] * sphere)
        for label, values, errors in result.curves
    ]


def lag_ticks(result, lags):
    """Returns (positions, labels) of at most MOST_TICKS lags."""
    positions = np.unique(np.linspace(0, len(lags) - 1, min(len(lags), MOST_TICKS)).round().astype(int))
    return positions, [f"{lag_values(result)[lags[k]]:.4g}" for k in positions]


def make_panels(result, y_label, width, height):
    """Returns (figure, axes of each curve)."""
    unit = in_figure(symbol(result.unit))
    return make_grid([label for label, *_ in result.curves], with_unit("$r$", unit), y_label, width, height)


def draw_by_lag(result, width=None, height=None):
    """Axes for each pair or species, with a curve for each lag."""
    lags, curves = shown_curves(result)
    figure, panels = make_panels(result, value_label(result), width, height)
    colours = plt.get_cmap("viridis")(np.linspace(0, 0.93, len(lags)))
    for (_, values, errors), axes in zip(curves, panels):
        if result.quantity == "g":
            axes.axhline(1, color="0.75", linewidth=0.5, zorder=0)
        for k, colour in enumerate(colours):
            error = None if errors is None else errors[k]
            plot_curve(axes, result.r, values[k], error, colour, 0.25, linewidth=0.9)
        top = 1.05 * top_of(values, result.quantity)
        axes.set_ylim(0, top)
        axes.set_xlim(0, shown_range(result, curves))
        label_cut_peak(axes, result.r, values, top)
    positions, labels = lag_ticks(result, lags)
    scale = ScalarMappable(BoundaryNorm(np.arange(len(lags) + 1) - 0.5, len(lags)), ListedColormap(colours))
    bar = figure.colorbar(scale, ax=panels, label=lag_label(result), aspect=30, ticks=positions)
    bar.ax.set_yticklabels(labels)
    bar.ax.minorticks_off()
    return figure


def top_of(values, quantity):
    """Largest value to show: narrow peaks of bonded neighbours may be higher than the limit."""
    finite = values[np.isfinite(values)]
    largest = finite.max(initial=0) or 1.0
    return min(largest, max(3.5, 1.5 * np.percentile(finite, 99))) if quantity == "g" and finite.size else largest


def label_cut_peak(axes, r, values, top):
    """Writes the height of the highest peak next to it if it exceeds `top`."""
    row, k = np.unravel_index(np.argmax(np.nan_to_num(values)), values.shape)
    if values[row, k] > top:
        axes.annotate(
            f"{values[row, k]:.3g}",
            (r[k], 1),
            (4, -3),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            fontsize=6,
            va="top",
        )


def shown_range(result, curves):
    """Largest distance to show: all for pairs, and for displacements those that occur."""
    end = result.r[-1] + result.r[0]
    if result.quantity == "g":
        return end
    frequent = [
        np.flatnonzero((values > 2e-3 * np.nanmax(values)).any(axis=0)).max(initial=0) for _, values, _ in curves
    ]
    return min(end, 1.1 * result.r[max(frequent)])


def draw_maps(result, width=None, height=None):
    """Axes for each pair or species: distance from left to right, a row for each lag, values as colours."""
    lags, curves = shown_curves(result)
    figure, panels = make_panels(result, lag_label(result), width, height)
    half = (result.r[1] - result.r[0]) / 2 if len(result.r) > 1 else result.r[0]
    edges = np.append(result.r - half, result.r[-1] + half)
    top = max(top_of(values, result.quantity) for _, values, _ in curves)
    of_pairs = result.quantity == "g"
    norm = TwoSlopeNorm(1, 0, max(top, 1.5)) if of_pairs else Normalize(0, top)
    for (_, values, _), axes in zip(curves, panels):
        mesh = axes.pcolormesh(
            edges,
            np.arange(len(lags) + 1) - 0.5,
            values,
            norm=norm,
            cmap="RdBu_r" if of_pairs else "viridis",
            rasterized=True,
        )
        axes.minorticks_off()
        axes.set_yticks(*lag_ticks(result, lags))
        axes.set_xlim(edges[0], shown_range(result, curves))
    clipped = any(np.nanmax(values, initial=0) > norm.vmax for _, values, _ in curves)
    figure.colorbar(mesh, ax=panels, label=value_label(result), aspect=30, extend="max" if clipped else "neither")
    return figure


def draw_displacements(result, width=None, height=None):
    """Mean squared displacements over the lag on logarithmic axes, without lag 0."""
    figure, axes = new_axes(width or 3.5, height)
    shown = result.lags > 0
    x = lag_values(result)[shown]
    for k, (label, values, errors) in enumerate(result.curves):
        colour, error = COLOURS[k % len(COLOURS)], None if errors is None else errors[shown]
        plot_curve(axes, x, values[shown], error, colour, marker="o", markersize=2, label=in_figure(label))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.yaxis.set_minor_formatter(LogFormatterSciNotation(minor_thresholds=(1.5, 0.5)))
    axes.set_xlabel(lag_label(result))
    axes.set_ylabel(value_label(result))
    place_legend(axes, *axes.get_legend_handles_labels())
    return figure


def draw_lags(result, as_map=False, width=None, height=None):
    """Returns the figure of the curves; for self and msd with at least one lag > 0."""
    if result.quantity == "msd":
        return draw_displacements(result, width, height)
    return (draw_maps if as_map else draw_by_lag)(result, width, height)
