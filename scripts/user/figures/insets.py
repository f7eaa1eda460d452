"""Insets: a range of a figure's curves, enlarged where the axes are empty."""

import itertools

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.path import Path
from matplotlib.transforms import Bbox

from figures.legends import obstacles, place_legend
from starhist_program import ResultError

SIZES = ((0.5, 0.42), (0.42, 0.36), (0.34, 0.3), (0.28, 0.25))  # widths and heights, of the axes
HEADROOM = (1, 1.25, 1.6, 2, 2.6)  # factors by which the vertical axis may grow to make room
LEFT, BELOW, RIGHT, ABOVE = 20, 11, 9, 4  # room for the numbers at the inset's axes [points]
STEPS = 12  # places tried along each side


def _shown(axes, low, high):
    """Values of all curves between x = low and high."""
    values = [np.empty(0)]
    for line in axes.get_lines():
        x, y = np.asarray(line.get_xdata(), float), np.asarray(line.get_ydata(), float)
        if line.get_transform() == axes.transData and len(x) > 2:
            values.append(y[(x >= low) & (x <= high) & np.isfinite(y)])
    return np.concatenate(values)


def _copy(lines, axes, inset):
    """Draws the lines, and the error bands of `axes`, into the inset."""
    for line in lines:
        if line.get_transform() == axes.transData:
            inset.plot(*line.get_data(), color=line.get_color(), linestyle=line.get_linestyle(), marker=line.get_marker(),
                       markersize=line.get_markersize(), markerfacecolor=line.get_markerfacecolor(),
                       linewidth=0.8 * line.get_linewidth(), zorder=line.get_zorder())  # fmt: skip
        else:
            inset.axhline(1, color=line.get_color(), linewidth=0.5, zorder=0)
    for band in axes.collections:
        if isinstance(band, LineCollection):  # error bars
            bars = LineCollection(band.get_segments(), colors=band.get_colors(), linewidths=band.get_linewidths())
            inset.add_collection(bars, autolim=False)
            continue
        for path in band.get_paths():
            inset.fill(*path.vertices.T, color=band.get_facecolor()[0], linewidth=0, zorder=band.get_zorder())


def _move_legend(axes, twins):
    """Places the legend anew, which must not cover the frame either."""
    sides = (axes, *twins)
    legend = next(filter(None, (side.get_legend() for side in sides)), None)
    if legend is None:
        return
    labels, title = [text.get_text() for text in legend.get_texts()], legend.get_title().get_text()
    legend.remove()
    handles = [handle for side in sides for handle in side.get_legend_handles_labels()[0]]
    place_legend(axes, handles, labels, twins, title=title or None, title_fontsize=7.5)


def _free_place(figure, axes, twins):
    """Returns (x, y, width, height) of an empty rectangle, as fractions of the axes; None if the axes are full."""
    figure.draw_without_rendering()
    legends = [side.get_legend().get_window_extent() for side in (axes, *twins) if side.get_legend()]
    taken = [*obstacles((axes, *twins)), *((Path(box.corners()[[0, 1, 3, 2]]), True) for box in legends)]
    inside, point = axes.get_window_extent(), figure.dpi / 72
    left, below, right, above = LEFT * point, BELOW * point, RIGHT * point, ABOVE * point
    for width, height in SIZES:
        room = inside.width * (1 - width) - left - right, inside.height * (1 - height) - below - above
        if min(room) < 0:
            continue
        for down, back in itertools.product(range(STEPS + 1), repeat=2):
            x = inside.x0 + left + room[0] * (1 - back / STEPS)
            y = inside.y0 + below + room[1] * (1 - down / STEPS)
            w, h = width * inside.width, height * inside.height
            box = Bbox([[x - left, y - below], [x + w + right, y + h + above]])
            if not any(len(path) and path.intersects_bbox(box, filled) for path, filled in taken):
                return (x - inside.x0) / inside.width, (y - inside.y0) / inside.height, width, height
    return None


def add_inset(figure, numbers):
    """Adds an inset of the first axes of the figure; `numbers` are X0,X1 or X0,X1,Y0,Y1."""
    axes, *others = figure.axes
    twins = [other for other in others if other.bbox.bounds == axes.bbox.bounds]
    x, y = numbers[:2], numbers[2:]
    ends = axes.get_xlim()
    if axes.get_xscale() != "linear":
        raise ResultError("--inset needs linear axes, and this table is drawn with logarithmic ones (leave it out)")
    if x[0] < ends[0] or x[1] > ends[1]:
        raise ResultError(f"--inset {x[0]:g},{x[1]:g} is outside the axes (they show {ends[0]:g} to {ends[1]:g})")
    if not y:
        values = _shown(axes, *x)
        if not len(values):
            raise ResultError(f"--inset {x[0]:g},{x[1]:g} contains no point of a curve (pass a wider range)")
        margin = 0.08 * (np.ptp(values) or abs(values[0]) or 1)
        y = [values.min() - margin, values.max() + margin]
    frame = None
    if y[1] < axes.get_ylim()[1]:
        corners = [(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1]), (x[0], y[0])]
        [frame] = axes.plot(*zip(*corners), color="0.5", linewidth=0.5, zorder=3)
        _move_legend(axes, twins)
    sides = (axes, *twins)
    tops = [side.get_ylim()[1] for side in sides]
    for factor in HEADROOM:
        for side, top in zip(sides, tops):
            side.set_ylim(top=top * factor)
        place = _free_place(figure, axes, twins)
        if place:
            break
    else:
        raise ResultError("the figure has no room for --inset (curves and legend fill it; pass a larger --size)")
    inset = sides[-1].inset_axes(place)
    _copy([line for line in axes.get_lines() if line is not frame], axes, inset)
    inset.set_xlim(*x)
    inset.set_ylim(*y)
    inset.tick_params(labelsize=6, length=2, pad=2, which="major")
    inset.tick_params(length=1, which="minor")
    inset.locator_params(nbins=4)
    return inset
